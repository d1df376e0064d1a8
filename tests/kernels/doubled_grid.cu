// The host doubles the number of blocks until there are enough; threads go on by the number of all threads (ok), and blocks begin where the one before has not ended (bad).
//@ verdict doubled_ok: race-free
//@ verdict doubled_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

template <int LESS> __device__ void fill(int n, float *out) {
  for (int i = threadIdx.x + blockIdx.x * (blockDim.x - LESS); i < n; i += blockDim.x * gridDim.x)
    out[i] = threadIdx.x; // expect-race
}
__global__ void doubled_ok(int n, float *out) { fill<0>(n, out); } // expect-clean
__global__ void doubled_bad(int n, float *out) { fill<2>(n, out); }

int main(int, char **v) {
  int n = atoi(v[1]), blocks = 1;
  float *out;
  cudaMalloc(&out, n * 4);
  while (blocks < (n + 127) / 128)
    blocks *= 2;
  doubled_ok<<<blocks, 128>>>(n, out);
  doubled_bad<<<blocks, 128>>>(n, out);
}
