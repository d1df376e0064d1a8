// Atomic. ComputationalRadiationPhysics/picongpu #2231: the blocks add their histograms of energy, made in shared memory, to one in
// global memory, with atomic operations that hold for the threads of a block only.
// A bin gets the counts of all blocks; two blocks' additions are not atomic to each other [bin]. Within a block each bin is one
// thread's. Fixed: the operation is atomic for the whole device. The histogram in shared memory is as it should be in both.
//@ pairs: exact
//@ verdict energy_histogram: racy
//@ verdict energy_histogram_fixed: race-free
#include <cstdlib>

__global__ void energy_histogram(const float *energy, int n, float *bins, int count, float most) {
  extern __shared__ float mine[];
  for (int b = threadIdx.x; b < count; b += blockDim.x)
    mine[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && energy[i] >= 0 && energy[i] < most)
    atomicAdd_block(&mine[(int)(energy[i] / most * count) % count], 1.0f);
  __syncthreads();
  for (int b = threadIdx.x; b < count; b += blockDim.x)
    atomicAdd_block(&bins[b], mine[b]); // expect-race[bin](inter-block)
}

__global__ void energy_histogram_fixed(const float *energy, int n, float *bins, int count, float most) { // expect-clean
  extern __shared__ float mine[];
  for (int b = threadIdx.x; b < count; b += blockDim.x)
    mine[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && energy[i] >= 0 && energy[i] < most)
    atomicAdd_block(&mine[(int)(energy[i] / most * count) % count], 1.0f);
  __syncthreads();
  for (int b = threadIdx.x; b < count; b += blockDim.x)
    atomicAdd(&bins[b], mine[b]);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), count = atoi(argv[2]) + 2;
  float *energy, *bins;
  cudaMalloc(&energy, n * sizeof(float));
  cudaMalloc(&bins, count * sizeof(float));
  cudaMemset(bins, 0, count * sizeof(float));
  energy_histogram<<<(n + 255) / 256, 256, count * sizeof(float)>>>(energy, n, bins, count, 1e3f);
  energy_histogram_fixed<<<(n + 255) / 256, 256, count * sizeof(float)>>>(energy, n, bins, count, 1e3f);
}
