// The lower triangle of a square matrix is copied to the upper one: see copyUppToLow. Writes go above the diagonal (i > j, both
// below rows), at j * cols + i with i < rows = cols. Broken: without the assert, rows may be longer or shorter than that.
//@ pairs: exact
//@ verdict copyLowToUpp: race-free
//@ verdict copyLowToUpp_broken: racy
#include <cassert>
#include <cstdlib>

__global__ void copyLowToUpp(float *a, int rows, int cols) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > j && i < rows) {
    float value = a[i * cols + j];
    a[j * cols + i] = value;
  }
}

__global__ void copyLowToUpp_broken(float *a, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > j && i < rows) {
    float value = a[i * cols + j]; // expect-race[rw](every)
    a[j * cols + i] = value;       // expect-race[rw](every) expect-race[ww](every)
  }
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  float *a;
  cudaMalloc((void **)&a, rows * cols * sizeof(float));
  dim3 block(16, 16), grid((rows + 15) / 16, (rows + 15) / 16);
  copyLowToUpp_broken<<<grid, block>>>(a, rows, cols);
  assert(rows == cols);
  copyLowToUpp<<<grid, block>>>(a, rows, cols);
  return 0;
}
