// What a .cu file knows without any include.
//@ call: _Z9atomicAddPii
//@ call: _Z9atomicCASPiii
//@ call: _Z15atomicMax_blockPjj
//@ call: _Z16__shfl_down_syncjfji
//@ call: __ballot_sync
//@ call: __syncthreads_count
//@ call: __syncwarp
//@ call: __threadfence
//@ call: llvm.nvvm.barrier0
//@ call: _Z5__ldgPKf
//@ call: vprintf
//@ call: __assertfail
//@ call: powf
// SPDX-License-Identifier: Apache-2.0
struct Settings {
  int width, height;
};
__constant__ float weights[8];
__device__ int counter;
__device__ __managed__ int managed;

__host__ __device__ float smooth(float x) { return sqrtf(x) + fmaxf(x, 1.0f) + max(x, 2.0f) + fabs(x) + sin(x); }

template <class T> __global__ void __launch_bounds__(256) kernel(T *data, const float *in, Settings s, int *flags) {
  __shared__ T tile[256];
  extern __shared__ float dynamic[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
  dim3 shape = blockDim;
  uint3 me = threadIdx;
  assert(s.width > 0);
  tile[threadIdx.x] = i < s.width ? data[i] : T(0);
  dynamic[threadIdx.x] = __ldg(&in[i]) * weights[lane & 7] + smooth(in[i]);
  __syncthreads();
  float sum = __shfl_down_sync(0xffffffffu, dynamic[me.x], 1);
  unsigned int votes = __ballot_sync(0xffffffffu, sum > 0);
  if (__syncthreads_count(sum > 0) == 0 && i == 0)
    atomicAdd(&counter, 1);
  if (atomicCAS(&flags[0], 0, 1) == 0)
    atomicMax_block((unsigned int *)&flags[1], votes);
  __syncwarp();
  __threadfence();
  data[i] = tile[shape.x - 1 - threadIdx.x] + T(powf(sum, 2.0f) + __popc(votes) + min(i, s.height));
  if (i == 0)
    printf("%f %d\n", sum, managed);
}

int main() {
  float *data, *in;
  int *flags;
  size_t bytes = 1024 * sizeof(float);
  cudaMalloc(&data, bytes);
  cudaMalloc((void **)&in, bytes);
  cudaMallocManaged(&flags, 8);
  float host_weights[8] = {};
  cudaMemcpyToSymbol(weights, host_weights, sizeof weights);
  cudaMemset(data, 0, bytes);
  Settings s = {1024, 4};
  kernel<<<4, 256, 256 * sizeof(float)>>>(data, in, s, flags);
  dim3 grid(4), block(256);
  void *args[] = {&data, &in, &s, &flags};
  cudaLaunchKernel(kernel<float>, grid, block, args, 0, 0);
  cudaLaunchCooperativeKernel((void *)kernel<float>, grid, block, args);
  cudaLaunchConfig_t config = {};
  cudaLaunchKernelEx(&config, kernel<float>, data, in, s, flags);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<float>, 256, 0);
  if (cudaGetLastError() != cudaSuccess)
    printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  cudaFree(data);
  return (int)smooth(2.0f) + abs(-1);
}
