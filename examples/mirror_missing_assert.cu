// Copies the part of a matrix below the diagonal to the part above it. That is right for square matrices only: with more
// rows than columns, `col * cols + row` runs over the end of a row, and two threads meet at one element. The host code
// does not say that the matrix is square.
//@ verdict mirror_lower: racy
#include <cstdlib>

__global__ void mirror_lower(float *a, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col];
    // expect-race@-1 {{-Winter-block-race}} expect-race@-1 {{-Wintra}}
}

void mirror(float *d_a, int rows, int cols) {
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
