// Rows of a separable convolution: a block of 16 x 4 threads loads a tile with a halo into shared memory and writes four elements for each
// thread. The grid has width / 64 columns of blocks, and the width is the length of a row as well, so that x < width.
// Broken: the host passes the height as the length of a row; then rows may overlap in memory [ww].
// (What is loaded is another array, and in shared memory each thread fills its own columns before the barrier.)
//@ pairs: exact
//@ verdict convSeparable: race-free
//@ verdict convSeparable_broken: racy
#include <cassert>
#include <cstdlib>

__global__ void convSeparable(const float *src, const float *kernel, float *dst, int width, int pitch) { // expect-clean
  __shared__ float tile[4][6 * 16];
  int base = (blockIdx.x * 4 - 1) * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = 0; i < 6; i++) {
    int x = base + i * 16;
    tile[threadIdx.y][threadIdx.x + i * 16] = x >= 0 && x < width ? src[y * pitch + x] : 0;
  }
  __syncthreads();
  for (int i = 1; i < 5; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++)
      sum += kernel[8 - j] * tile[threadIdx.y][threadIdx.x + i * 16 + j];
    dst[y * pitch + base + i * 16] = sum;
  }
}

__global__ void convSeparable_broken(const float *src, const float *kernel, float *dst, int width, int pitch) {
  __shared__ float tile[4][6 * 16];
  int base = (blockIdx.x * 4 - 1) * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = 0; i < 6; i++) {
    int x = base + i * 16;
    tile[threadIdx.y][threadIdx.x + i * 16] = x >= 0 && x < width ? src[y * pitch + x] : 0;
  }
  __syncthreads();
  for (int i = 1; i < 5; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++)
      sum += kernel[8 - j] * tile[threadIdx.y][threadIdx.x + i * 16 + j];
    dst[y * pitch + base + i * 16] = sum; // expect-race[ww](every)
  }
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  assert(width % 64 == 0 && height % 4 == 0);
  float *src, *kernel, *dst;
  cudaMalloc((void **)&src, width * height * sizeof(float));
  cudaMalloc((void **)&kernel, 17 * sizeof(float));
  cudaMalloc((void **)&dst, width * height * sizeof(float));
  dim3 block(16, 4), grid(width / 64, height / 4);
  convSeparable<<<grid, block>>>(src, kernel, dst, width, width);
  convSeparable_broken<<<grid, block>>>(src, kernel, dst, width, height);
  return 0;
}
