// Block barrier. opencv/opencv #5742: the normalisation of a histogram adds squares over the block twice, through the same shared
// memory; a thread that had its first sum wrote its second square while others were still reading the sum.
// The sum is read from place 0, which thread 0 overwrites [first]. The tree itself has its barriers. Fixed: a barrier before the second
// sum.
//@ pairs: exact
//@ verdict normalize_hists: racy
//@ verdict normalize_hists_fixed: race-free
#include <cstdlib>

__device__ float reduce(float *shared, float v) {
  shared[threadIdx.x] = v; // expect-race[first](intra-block,intra-warp)
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = v = v + shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0]; // expect-race[first](intra-block,intra-warp)
}

__global__ void normalize_hists(float *hists, int size, float threshold) {
  __shared__ float squares[256];
  float *hist = hists + (blockIdx.y * gridDim.x + blockIdx.x) * size, element = 0;
  if (threadIdx.x < size)
    element = hist[threadIdx.x];
  float sum = reduce(squares, element * element);
  element = fminf(element / (sqrtf(sum) + 0.1f * size), threshold);
  sum = reduce(squares, element * element);
  if (threadIdx.x < size)
    hist[threadIdx.x] = element / (sqrtf(sum) + 1e-3f);
}

__global__ void normalize_hists_fixed(float *hists, int size, float threshold) { // expect-clean
  __shared__ float squares[256];
  float *hist = hists + (blockIdx.y * gridDim.x + blockIdx.x) * size, element = 0;
  if (threadIdx.x < size)
    element = hist[threadIdx.x];
  float sum = reduce(squares, element * element);
  element = fminf(element / (sqrtf(sum) + 0.1f * size), threshold);
  __syncthreads();
  sum = reduce(squares, element * element);
  if (threadIdx.x < size)
    hist[threadIdx.x] = element / (sqrtf(sum) + 1e-3f);
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]), bins = 9, cells = 4, size = bins * cells, threads = 1;
  while (threads < size)
    threads *= 2;
  float *hists;
  cudaMalloc(&hists, width * height * size * sizeof(float));
  dim3 grid(width, height);
  normalize_hists<<<grid, threads>>>(hists, size, 0.2f);
  normalize_hists_fixed<<<grid, threads>>>(hists, size, 0.2f);
}
