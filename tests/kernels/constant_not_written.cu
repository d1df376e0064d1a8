// Nobody writes to constant memory but copies: neither a kernel that stores through pointers it has read from memory, nor code of the host that stores
// through a pointer that may be any. What was copied there stays, and decides whether two places are one.
// by_kernel: the pointers lie in constant memory while such a kernel runs (ok; twice: one pointer was copied to both places), or in a variable (bad).
//@ verdict by_kernel_ok: race-free
//@ verdict by_kernel_twice: racy
//@ verdict by_kernel_bad: undecided
//@ verdict scatter: race-free
#include <cstdlib>
#include <cuda_runtime.h>

__constant__ float *fixed[2];
__constant__ float *same[2];
__device__ float *open[2];

__global__ void scatter(float ***where, float *what) { // expect-clean
  float **to = where[threadIdx.x];
  if (threadIdx.x == 0) *to = what;
}

__global__ void by_kernel_ok(int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) fixed[0][i] = fixed[1][i + 1];
}
__global__ void by_kernel_twice(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) same[0][i] = same[1][i + 1]; // expect-race
}
__global__ void by_kernel_bad(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) open[0][i] = open[1][i + 1];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 2 || n > 4096) return 1;
  float *one, *two, *slots, **held[2], ***where;
  cudaMalloc(&one, n * sizeof(float));
  cudaMalloc(&two, n * sizeof(float));
  cudaMalloc(&slots, 4);
  float *both[2] = {one, two}, *alike[2] = {one, one};
  cudaMemcpyToSymbol(fixed, both, sizeof both);
  cudaMemcpyToSymbol(same, alike, sizeof alike);
  cudaMemcpyToSymbol(open, both, sizeof both);
  for (int i = 0; i < 2; i++) cudaMalloc(&held[i], sizeof(float *));
  cudaMalloc(&where, sizeof held);
  cudaMemcpy(where, held, sizeof held, cudaMemcpyHostToDevice);
  scatter<<<1, 2>>>(where, slots);
  by_kernel_ok<<<(n + 255) / 256, 256>>>(n);
  by_kernel_twice<<<(n + 255) / 256, 256>>>(n);
  by_kernel_bad<<<(n + 255) / 256, 256>>>(n);
}
