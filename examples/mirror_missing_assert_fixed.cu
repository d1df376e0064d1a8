// The twin of mirror_missing_assert.cu: the host code asserts that the matrix is square. Then `row < cols`, all elements
// written lie above the diagonal and all elements read below it.
//@ verdict mirror_lower: race-free
#include <cassert>
#include <cstdlib>

__global__ void mirror_lower(float *a, int rows, int cols) { // expect-clean
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col];
}

void mirror(float *d_a, int rows, int cols) {
  assert(rows == cols);
  dim3 block(16, 16);
  dim3 grid((cols + 15) / 16, (rows + 15) / 16);
  mirror_lower<<<grid, block>>>(d_a, rows, cols);
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 100;
  int cols = argc > 2 ? std::atoi(argv[2]) : rows;
  float *d_a;
  cudaMalloc((void **)&d_a, (size_t)rows * cols * sizeof(float));
  mirror(d_a, rows, cols);
  cudaDeviceSynchronize();
  cudaFree(d_a);
  return 0;
}
