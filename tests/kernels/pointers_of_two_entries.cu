// A loop of the host that has two entries exchanges two arrays, but for one round, and a kernel stores to one of them what it reads from the other
// one, a place further on (bad). The same loop with one entry exchanges them in each round (ok).
//@ verdict one_entry_ok: race-free
//@ verdict two_entries_bad: racy
#include <cuda_runtime.h>

__device__ void move_on(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) to[i] = from[i + 1]; // expect-race[any]
}
__global__ void one_entry_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void two_entries_bad(float *to, const float *from, int n) { move_on(to, from, n); }

void enter_once(float *x, float *y, int rounds) {
top:
  one_entry_ok<<<4, 256>>>(x, y, 1024);
  float *t = x;
  x = y;
  y = t;
  if (--rounds > 0) goto top;
}

void enter_twice(float *x, float *y, int rounds) {
  if (rounds & 1) goto middle;
top:
  two_entries_bad<<<4, 256>>>(x, y, 1024);
middle:
  float *t = x;
  x = y;
  if (rounds != 5) y = t;
  if (--rounds > 0) goto top;
}

int main(int argc, char **argv) {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  if (argc > 3)
    enter_once(a, b, argc);
  else
    enter_twice(a, b, argc);
  cudaDeviceSynchronize();
}
