// The sum over a matrix of distances: one block goes over the parts that an earlier kernel left, and its first thread adds to the
// total. The host launches one block. Broken: with more blocks they all add to the total, with plain accesses [total].
//@ pairs: exact
//@ verdict expDistance: race-free
//@ verdict expDistance_broken: racy
#include <cstdlib>

__global__ void expDistance(const float *parts, int count, float *total) { // expect-clean
  __shared__ float sums[1024];
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    sum += parts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < blockDim.x; i++)
      all += sums[i];
    total[0] += all;
  }
}

__global__ void expDistance_broken(const float *parts, int count, float *total) {
  __shared__ float sums[1024];
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    sum += parts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < blockDim.x; i++)
      all += sums[i];
    total[0] += all; // expect-race[total](inter-block)
  }
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), blocks = (rows + 31) / 32;
  float *parts, *total;
  cudaMalloc((void **)&parts, blocks * sizeof(float));
  cudaMalloc((void **)&total, sizeof(float));
  expDistance<<<1, 1024>>>(parts, blocks, total);
  expDistance_broken<<<blocks, 1024>>>(parts, blocks, total);
  return 0;
}
