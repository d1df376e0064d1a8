// Divergent barrier. acts-project/acts #307: a search for pairs of hits keeps its counts in shared memory, and has a __syncthreads()
// inside a condition that hangs on the number of the thread.
// In the last block the threads beyond the number of hits go past the branch and wait at the barrier behind it, which is another one.
// Fixed: the barrier stands outside the condition. The number of hits is any; the block has 128 threads.
//@ verdict search_doublets: undecided
//@ verdict search_doublets_fixed: race-free
#include <cstdlib>

__global__ void search_doublets(const float *middle, const float *bottom, int hits, int bottoms, int *counts, int *most) {
  __shared__ int best;
  int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  if (threadIdx.x == 0)
    best = 0;
  if (i < hits) {
    for (int b = 0; b < bottoms; b++)
      count += fabsf(middle[i] - bottom[b]) < 3;
    counts[i] = count;
    __syncthreads(); // expect-divergence
    atomicMax(&best, count);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    most[blockIdx.x] = best;
}

__global__ void search_doublets_fixed(const float *middle, const float *bottom, int hits, int bottoms, int *counts, int *most) { // expect-clean
  __shared__ int best;
  int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  if (threadIdx.x == 0)
    best = 0;
  if (i < hits) {
    for (int b = 0; b < bottoms; b++)
      count += fabsf(middle[i] - bottom[b]) < 3;
    counts[i] = count;
  }
  __syncthreads();
  if (i < hits)
    atomicMax(&best, count);
  __syncthreads();
  if (threadIdx.x == 0)
    most[blockIdx.x] = best;
}

int main(int argc, char **argv) {
  int hits = atoi(argv[1]), bottoms = atoi(argv[2]), blocks = (hits + 127) / 128, *counts, *most;
  float *middle, *bottom;
  cudaMalloc(&middle, hits * sizeof(float));
  cudaMalloc(&bottom, bottoms * sizeof(float));
  cudaMalloc(&counts, hits * sizeof(int));
  cudaMalloc(&most, blocks * sizeof(int));
  search_doublets<<<blocks, 128>>>(middle, bottom, hits, bottoms, counts, most);
  search_doublets_fixed<<<blocks, 128>>>(middle, bottom, hits, bottoms, counts, most);
}
