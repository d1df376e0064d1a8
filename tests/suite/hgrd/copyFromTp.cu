// A triangle stored row by row is unpacked into a matrix; what lies above the diagonal becomes 0. j * cols + i is another one for each
// pair as i < rows = cols, which the host asserts. Broken: without the assert a row may have fewer columns than rows,
// and two pairs have one element of the matrix [ww]; one of them may be a 0, the other not.
//@ pairs: exact
//@ verdict copyFromTp: race-free
//@ verdict copyFromTp_broken: racy
#include <cassert>
#include <cstdlib>

__global__ void copyFromTp(float *a, const float *packed, int rows, int cols) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < rows)
    a[j * cols + i] = i <= j ? packed[j * (j + 1) / 2 + i] : 0;
}

__global__ void copyFromTp_broken(float *a, const float *packed, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < rows)
    a[j * cols + i] = i <= j ? packed[j * (j + 1) / 2 + i] : 0; // expect-race[ww](every)
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  float *a, *packed;
  cudaMalloc((void **)&a, rows * cols * sizeof(float));
  cudaMalloc((void **)&packed, rows * (rows + 1) / 2 * sizeof(float));
  dim3 block(16, 16), grid((rows + 15) / 16, (rows + 15) / 16);
  copyFromTp_broken<<<grid, block>>>(a, packed, rows, cols);
  assert(rows == cols);
  copyFromTp<<<grid, block>>>(a, packed, rows, cols);
  return 0;
}
