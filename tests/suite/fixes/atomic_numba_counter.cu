// Atomic. numba/numba #4907: two threads add one each to a word of shared memory, between two barriers, and the sum is one.
// Barriers on both sides do not keep the two additions apart [sum]; both threads are in one warp. Fixed: atomicAdd.
//@ pairs: exact
//@ verdict add: racy
//@ verdict add_fixed: race-free
#include <cstdio>

__global__ void add(int *output) {
  __shared__ int sum[1];
  if (threadIdx.x == 0)
    sum[0] = 0;
  __syncthreads();
  sum[0] += 1; // expect-race[sum](intra-warp)
  __syncthreads();
  if (threadIdx.x == 0)
    output[0] = sum[0];
}

__global__ void add_fixed(int *output) { // expect-clean
  __shared__ int sum[1];
  if (threadIdx.x == 0)
    sum[0] = 0;
  __syncthreads();
  atomicAdd(&sum[0], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    output[0] = sum[0];
}

int main() {
  int *output, out[2];
  cudaMalloc(&output, 2 * sizeof(int));
  add<<<1, 2>>>(output);
  add_fixed<<<1, 2>>>(output + 1);
  cudaMemcpy(out, output, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d\n", out[0], out[1]);
}
