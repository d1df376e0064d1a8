// The upper triangle of a square matrix is copied to the lower one. Writes go below the diagonal (i < j), reads come from above
// it, and j * cols + i is another one for each pair as i < j < rows = cols: the assert of the host. Broken: without the assert
// there may be fewer columns than rows; then i may be as large as a row is long, two pairs have one element [ww], and the
// element that one thread reads another one writes [rw]. i and j are numbers along x and y, so the two threads may be any two.
//@ pairs: exact
//@ verdict copyUppToLow: race-free
//@ verdict copyUppToLow_broken: racy
#include <cassert>
#include <cstdlib>

__global__ void copyUppToLow(float *a, int rows, int cols) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > i && j < rows) {
    float value = a[i * cols + j];
    a[j * cols + i] = value;
  }
}

__global__ void copyUppToLow_broken(float *a, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > i && j < rows) {
    float value = a[i * cols + j]; // expect-race[rw](every)
    a[j * cols + i] = value;       // expect-race[rw](every) expect-race[ww](every)
  }
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  float *a;
  cudaMalloc((void **)&a, rows * cols * sizeof(float));
  dim3 block(16, 16), grid((rows + 15) / 16, (rows + 15) / 16);
  copyUppToLow_broken<<<grid, block>>>(a, rows, cols);
  assert(rows == cols);
  copyUppToLow<<<grid, block>>>(a, rows, cols);
  return 0;
}
