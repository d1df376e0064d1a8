// Fence and scope. pytorch/pytorch #128455: a sum in two stages whose last block, found by a counter, adds the other blocks' parts:
// those parts have a fence before the counter, but the last block had none between the counter and reading them.
// A part is read by the last block without a fence behind the atomic operation that told of it [part]. Fixed: __threadfence() before the
// parts are read. The flag in shared memory lies between two barriers.
//@ pairs: exact
//@ verdict reduce: racy
//@ verdict reduce_fixed: race-free
#include <cstdlib>

__device__ float block_sum(float v) {
  __shared__ float sums[256];
  sums[threadIdx.x] = v;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

__device__ bool mark_block_finished(unsigned *counter) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(counter, 1) == gridDim.x - 1;
  __syncthreads();
  return last;
}

__global__ void reduce(const float *in, int n, float *parts, unsigned *counter, float *out) {
  float v = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    v += in[i];
  v = block_sum(v);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = v; // expect-race[part](inter-block) {{cause=missing-acquire-fence}}
  __threadfence();
  if (mark_block_finished(counter)) {
    v = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 256)
      v += parts[i]; // expect-race[part](inter-block) {{cause=missing-acquire-fence}}
    v = block_sum(v);
    if (threadIdx.x == 0)
      *out = v;
  }
}

__global__ void reduce_fixed(const float *in, int n, float *parts, unsigned *counter, float *out) { // expect-clean
  float v = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    v += in[i];
  v = block_sum(v);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = v;
  __threadfence();
  if (mark_block_finished(counter)) {
    __threadfence();
    v = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 256)
      v += parts[i];
    v = block_sum(v);
    if (threadIdx.x == 0)
      *out = v;
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = n / 2048 + 1;
  float *in, *parts, *out;
  unsigned *counter;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&parts, blocks * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMemset(counter, 0, sizeof(unsigned));
  reduce<<<blocks, 256>>>(in, n, parts, counter, out);
  cudaMemset(counter, 0, sizeof(unsigned));
  reduce_fixed<<<blocks, 256>>>(in, n, parts, counter, out);
}
