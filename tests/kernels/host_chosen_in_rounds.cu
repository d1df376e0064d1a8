// Two arrays that change places from round to round, by a choice in the launch's arguments; the loop ends by what is copied back.
// turn: it reads one and writes the other (ok), in some rounds the same (bad). kept: the addresses of the pointers are kept in variables, by which
// in each round they change places (ok), or one is set to the other (bad).
//@ verdict turn_ok: race-free
//@ verdict turn_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
#include <cuda_runtime.h>

__device__ void move_on(int *to, const int *from, int n, int *more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i] = from[i + 1]; // expect-race[moved]
  if (from[i] > 3) atomicOr(more, 1);
}
__global__ void turn_ok(int *to, const int *from, int n, int *more) { move_on(to, from, n, more); } // expect-clean
__global__ void turn_bad(int *to, const int *from, int n, int *more) { move_on(to, from, n, more); }
__global__ void kept_ok(int *to, const int *from, int n, int *more) { move_on(to, from, n, more); } // expect-clean
__global__ void kept_bad(int *to, const int *from, int n, int *more) { move_on(to, from, n, more); }

int **one, **other;
void keep(int **a, int **b) {
  one = a;
  other = b;
}
void exchange() {
  int *kept = *one;
  *one = *other;
  *other = kept;
}
void set() {
  if (*one < *other) *one = *other;
}

int main() {
  int n = 1000, go_on = 1, *a, *b, *c, *d, *more;
  cudaMalloc(&a, (n + 1) * sizeof(int));
  cudaMalloc(&b, (n + 1) * sizeof(int));
  cudaMalloc(&c, (n + 1) * sizeof(int));
  cudaMalloc(&d, (n + 1) * sizeof(int));
  cudaMalloc(&more, sizeof(int));
  int blocks = (n + 255) / 256;
  for (int it = 0; go_on && it < 100; it++) {
    cudaMemset(more, 0, sizeof(int));
    turn_ok<<<blocks, 256>>>(it & 1 ? a : b, it & 1 ? b : a, n, more);
    turn_bad<<<blocks, 256>>>(it & 1 ? a : b, it % 3 ? b : a, n, more);
    cudaMemcpy(&go_on, more, sizeof(int), cudaMemcpyDeviceToHost);
  }
  keep(&c, &d);
  for (int it = 0; go_on && it < 100; it++) {
    exchange();
    kept_ok<<<blocks, 256>>>(it & 1 ? c : d, it & 1 ? d : c, n, more);
    cudaMemcpy(&go_on, more, sizeof(int), cudaMemcpyDeviceToHost);
  }
  for (int it = 0; go_on && it < 100; it++) {
    set();
    kept_bad<<<blocks, 256>>>(it & 1 ? c : d, it & 1 ? d : c, n, more);
    cudaMemcpy(&go_on, more, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
