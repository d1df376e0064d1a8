// Fence and scope. NVIDIA/libcudacxx #300: on sm_70 one lane arrives at a barrier object for all lanes of its warp that arrive at the
// same time; the other lanes had no fence, and what they had written was not known to who waits.
// In small: the warps of the block put values into shared memory, the first lane of each adds 32 to a counter for all its lanes, and
// warp 0 waits for the counter. The values of the other lanes are read with no fence and no barrier of the warp behind them [value].
// Fixed: each lane has a fence, and the warp a barrier, before the first lane arrives. The counter is read by an atomic operation, with
// a fence behind it.
//@ pairs: exact
//@ verdict gather: racy
//@ verdict gather_fixed: race-free
#include <cstdlib>

__global__ void gather(const float *in, float *out) {
  __shared__ float values[256];
  __shared__ unsigned arrived;
  int t = threadIdx.x;
  if (t == 0)
    arrived = 0;
  __syncthreads();
  if (t >= 32) {
    values[t] = in[blockIdx.x * 256 + t]; // expect-race[value](intra-block)
    if (t % 32 == 0)
      atomicAdd(&arrived, 32);
  } else {
    while (atomicAdd(&arrived, 0) < 224)
      ;
    __threadfence_block();
    float sum = 0;
    for (int i = 32 + t; i < 256; i += 32)
      sum += values[i]; // expect-race[value](intra-block)
    out[blockIdx.x * 32 + t] = sum;
  }
}

__global__ void gather_fixed(const float *in, float *out) { // expect-clean
  __shared__ float values[256];
  __shared__ unsigned arrived;
  int t = threadIdx.x;
  if (t == 0)
    arrived = 0;
  __syncthreads();
  if (t >= 32) {
    values[t] = in[blockIdx.x * 256 + t];
    __threadfence_block();
    __syncwarp();
    if (t % 32 == 0)
      atomicAdd(&arrived, 32);
  } else {
    while (atomicAdd(&arrived, 0) < 224)
      ;
    __threadfence_block();
    float sum = 0;
    for (int i = 32 + t; i < 256; i += 32)
      sum += values[i];
    out[blockIdx.x * 32 + t] = sum;
  }
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]);
  float *in, *out;
  cudaMalloc(&in, blocks * 256 * sizeof(float));
  cudaMalloc(&out, blocks * 32 * sizeof(float));
  gather<<<blocks, 256>>>(in, out);
  gather_fixed<<<blocks, 256>>>(in, out);
}
