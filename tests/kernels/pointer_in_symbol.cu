// A device variable is given a pointer by the host that the kernel is given as well. symbol: the same allocation (bad),
// another one (ok).
//@ verdict symbol_bad: racy
//@ verdict symbol_ok: race-free
//@ leans symbol_ok: !A8
#include <cuda_runtime.h>

__constant__ int *same, *other;
__global__ void symbol_bad(int *out) {
  out[threadIdx.x] = 1;       // expect-race[same]
  same[63 - threadIdx.x] = 2; // expect-race[same]
}

__global__ void symbol_ok(int *out) { // expect-clean
  out[threadIdx.x] = 1;
  other[63 - threadIdx.x] = 2;
}

int main() {
  int *out, *another;
  cudaMalloc((void **)&out, 256);
  cudaMalloc((void **)&another, 256);
  cudaMemcpyToSymbol(same, &out, sizeof out);
  cudaMemcpyToSymbol(other, &another, sizeof another);
  symbol_bad<<<1, 64>>>(out);
  symbol_ok<<<1, 64>>>(out);
}
