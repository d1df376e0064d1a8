// Atomic. VITA-Group/LightGaussian #24: the renderer of a tile counts for how many pixels each Gaussian matters, and increments the
// count from the threads of all pixels without an atomic operation.
// All threads of a tile look at the same Gaussian of the batch, and other tiles have it in their lists as well [count]. Fixed:
// atomicAdd. The batch in shared memory is fenced by the barriers of the loop.
//@ pairs: exact
//@ verdict render_count: racy
//@ verdict render_count_fixed: race-free
//@ known-undecided render_count: the product of floats that ends the loop is too hard for the budget
#include <cstdlib>

__global__ void render_count(const uint2 *ranges, const int *list, const float2 *mean, int *count, int width, int height) {
  __shared__ int collected[256];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, rank = threadIdx.y * 16 + threadIdx.x;
  bool done = x >= width || y >= height;
  uint2 range = ranges[blockIdx.y * gridDim.x + blockIdx.x];
  float passes = 1;
  for (int first = range.x; first < range.y; first += 256) {
    if (__syncthreads_count(done) == 256)
      break;
    if (first + rank < range.y)
      collected[rank] = list[first + rank];
    __syncthreads();
    for (int j = 0; !done && j < min(256, range.y - first); j++) {
      float dx = mean[collected[j]].x - x, dy = mean[collected[j]].y - y, alpha = expf(-dx * dx - dy * dy);
      if (alpha < 1.0f / 255)
        continue;
      passes *= 1 - alpha;
      done = passes < 1e-4f;
      count[collected[j]]++; // expect-race[count](every)
    }
  }
}

__global__ void render_count_fixed(const uint2 *ranges, const int *list, const float2 *mean, int *count, int width, int height) { // expect-clean
  __shared__ int collected[256];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, rank = threadIdx.y * 16 + threadIdx.x;
  bool done = x >= width || y >= height;
  uint2 range = ranges[blockIdx.y * gridDim.x + blockIdx.x];
  float passes = 1;
  for (int first = range.x; first < range.y; first += 256) {
    if (__syncthreads_count(done) == 256)
      break;
    if (first + rank < range.y)
      collected[rank] = list[first + rank];
    __syncthreads();
    for (int j = 0; !done && j < min(256, range.y - first); j++) {
      float dx = mean[collected[j]].x - x, dy = mean[collected[j]].y - y, alpha = expf(-dx * dx - dy * dy);
      if (alpha < 1.0f / 255)
        continue;
      passes *= 1 - alpha;
      done = passes < 1e-4f;
      atomicAdd(&count[collected[j]], 1);
    }
  }
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]), gaussians = atoi(argv[3]), listed = atoi(argv[4]), *list, *count;
  dim3 grid((width + 15) / 16, (height + 15) / 16), block(16, 16);
  uint2 *ranges;
  float2 *mean;
  cudaMalloc(&ranges, grid.x * grid.y * sizeof(uint2));
  cudaMalloc(&list, listed * sizeof(int));
  cudaMalloc(&mean, gaussians * sizeof(float2));
  cudaMalloc(&count, gaussians * sizeof(int));
  render_count<<<grid, block>>>(ranges, list, mean, count, width, height);
  render_count_fixed<<<grid, block>>>(ranges, list, mean, count, width, height);
}
