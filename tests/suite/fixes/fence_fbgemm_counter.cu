// Fence and scope. pytorch/FBGEMM #1563, commit b2034aeab: the blocks that work on one long segment add up their gradients by atomic
// operations and count themselves; the last one applies the sum. No fence stood between adding and counting.
// The last block reads plainly what others have added, told by the counter only [sum]. Fixed: a fence of each lane and a barrier of the
// warp before the first lane counts, and the same again before the sum is read: the shuffle between tells the other lanes the count, but
// orders nothing. Blocks are one warp.
//@ pairs: exact
//@ verdict backward: racy
//@ verdict backward_fixed: race-free
//@ known-undecided backward_fixed: a counter told to the lanes by a shuffle, with a barrier of the warp behind it
#include <cstdlib>

__global__ void backward(const float *grad, int length, float *sums, int *finished, float *weights) {
  int segment = blockIdx.y, lane = threadIdx.x, count = 0;
  for (int i = blockIdx.x; i < length; i += gridDim.x)
    atomicAdd(&sums[segment * 32 + lane], grad[(segment * length + i) * 32 + lane]); // expect-race[sum](inter-block)
  if (lane == 0)
    count = atomicAdd(&finished[segment], 1);
  count = __shfl_sync(0xffffffffu, count, 0);
  if (count < gridDim.x - 1)
    return;
  weights[segment * 32 + lane] -= 0.1f * sums[segment * 32 + lane]; // expect-race[sum](inter-block)
}

__global__ void backward_fixed(const float *grad, int length, float *sums, int *finished, float *weights) { // expect-clean
  int segment = blockIdx.y, lane = threadIdx.x, count = 0;
  for (int i = blockIdx.x; i < length; i += gridDim.x)
    atomicAdd(&sums[segment * 32 + lane], grad[(segment * length + i) * 32 + lane]);
  __threadfence();
  __syncwarp();
  if (lane == 0)
    count = atomicAdd(&finished[segment], 1);
  count = __shfl_sync(0xffffffffu, count, 0);
  if (count < gridDim.x - 1)
    return;
  __threadfence();
  __syncwarp();
  weights[segment * 32 + lane] -= 0.1f * sums[segment * 32 + lane];
}

int main(int argc, char **argv) {
  int segments = atoi(argv[1]), length = atoi(argv[2]), blocks = (length + 1023) / 1024, *finished;
  float *grad, *sums, *weights;
  cudaMalloc(&grad, segments * length * 32 * sizeof(float));
  cudaMalloc(&sums, segments * 32 * sizeof(float));
  cudaMalloc(&weights, segments * 32 * sizeof(float));
  cudaMalloc(&finished, segments * sizeof(int));
  dim3 grid(blocks, segments);
  cudaMemset(sums, 0, segments * 32 * sizeof(float));
  cudaMemset(finished, 0, segments * sizeof(int));
  backward<<<grid, 32>>>(grad, length, sums, finished, weights);
  cudaMemset(sums, 0, segments * 32 * sizeof(float));
  cudaMemset(finished, 0, segments * sizeof(int));
  backward_fixed<<<grid, 32>>>(grad, length, sums, finished, weights);
}
