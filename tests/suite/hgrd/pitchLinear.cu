// Each thread writes one element of a matrix whose rows are as long as cudaMallocPitch made them: at least `width` elements, and the grid
// has width / 16 columns of 16 threads. Broken: the length of a row comes from the command line and may be anything,
// so that two rows may have one element [ww].
//@ pairs: exact
//@ verdict pitchLinear: race-free
//@ verdict pitchLinear_broken: racy
#include <cstdlib>

__global__ void pitchLinear(float *matrix, size_t row, const float *in, int width, int height, int shift) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  matrix[y * (row / 4) + x] = in[(y + shift) % height * width + (x + shift) % width];
}

__global__ void pitchLinear_broken(float *matrix, size_t row, const float *in, int width, int height, int shift) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  matrix[y * (row / 4) + x] = in[(y + shift) % height * width + (x + shift) % width]; // expect-race[ww](every)
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  size_t row, other = atoi(argv[3]);
  float *matrix, *in;
  cudaMallocPitch((void **)&matrix, &row, width * sizeof(float), height);
  cudaMalloc((void **)&in, width * height * sizeof(float));
  dim3 block(16, 16), grid(width / 16, height / 16);
  pitchLinear<<<grid, block>>>(matrix, row, in, width, height, 3);
  pitchLinear_broken<<<grid, block>>>(matrix, other, in, width, height, 3);
  return 0;
}
