// A table of pointers that nested loops of the host store to and read at places that they compute: one of its pointers is a few elements behind
// another one (bad), or none is (ok).
//@ verdict shift_ok: race-free
//@ verdict shift_bad: racy
#include <cuda_runtime.h>

__global__ void shift_ok(int *out, const int *in, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void shift_bad(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i]; // expect-race
}

template <bool BAD> void run() {
  int *p[4];
  for (int i = 0; i < 4; i++)
    cudaMalloc(&p[i], 4096);
  if (BAD) p[3] = p[2] + 1;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (BAD)
        shift_bad<<<1, 256>>>(p[i + 2], p[2], 200);
      else
        shift_ok<<<1, 256>>>(p[i + 2], p[2], 200);
      p[i] = p[j];
    }
}
int main() {
  run<false>();
  run<true>();
  cudaDeviceSynchronize();
}
