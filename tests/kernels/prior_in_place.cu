// A table that the host fills and a kernel changes in place before the next one scatters by it. The first kernel is run on what the host code
// says of the table: a run that takes other numbers for what it reads shows nothing.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#define N 32

__global__ void moves(int *p) { // expect-clean
  p[threadIdx.x] += threadIdx.x;
}

//@ verdict moves: race-free
//@ verdict scatter_ok: race-free
//@ known-undecided scatter_ok: what a kernel before has made of each element, out of what the host had put there, is not followed
__global__ void scatter_ok(float *out, const int *index) { // expect-clean
  out[index[threadIdx.x]] = threadIdx.x;
}

//@ verdict scatter_bad: racy
__global__ void scatter_bad(float *out, const int *index) {
  out[index[threadIdx.x]] = threadIdx.x; // expect-race
}

int main() {
  static int ascending[N], falling[N];
  float *out;
  int *two_each, *none;
  for (int i = 0; i < N; i++)
    ascending[i] = i, falling[i] = -i;
  cudaMalloc(&out, 2 * N * sizeof *out);
  cudaMalloc(&two_each, sizeof ascending);
  cudaMalloc(&none, sizeof falling);
  cudaMemcpy(two_each, ascending, sizeof ascending, cudaMemcpyHostToDevice);
  cudaMemcpy(none, falling, sizeof falling, cudaMemcpyHostToDevice);
  moves<<<1, N>>>(two_each);
  scatter_ok<<<1, N>>>(out, two_each); // i + i
  moves<<<1, N>>>(none);
  scatter_bad<<<1, N>>>(out, none); // -i + i
  return cudaDeviceSynchronize();
}
