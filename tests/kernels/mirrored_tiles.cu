// Tiles that are mirrored in place, in rows of which only the least width is known: a stride of at least 32 elements keeps the two halves
// of a tile of 16 apart, whatever the number of rows (ok); one of at least 8 does not (bad). Tiles off the diagonal are mirrored into each
// other: never two threads of one block (grid_bad races between blocks only, since rows may be longer than the stride).
//@ verdict diagonal_ok: race-free
//@ verdict diagonal_bad: racy
//@ verdict grid_bad: racy
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void diagonal_ok(float *a, int rows, int stride) { // expect-clean
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;
  if (row < rows && col < row)
    a[col * stride + row] = a[row * stride + col];
}

__global__ void diagonal_bad(float *a, int rows, int stride) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;
  if (row < rows && col < row)
    a[col * stride + row] = a[row * stride + col]; // expect-race
}

__global__ void grid_bad(float *a, int rows, int stride) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < rows && col < row)
    a[col * stride + row] = a[row * stride + col]; // expect-race {{inter-block-race]}}
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  int stride = (cols + 31) / 32 * 32, narrow = (cols + 7) / 8 * 8, tiles = (rows + 15) / 16;
  float *a;
  if (rows <= 0 || cols <= 0)
    return 1;
  cudaMalloc((void **)&a, sizeof(float) * rows * stride);
  diagonal_ok<<<tiles, dim3(16, 16)>>>(a, rows, stride);
  diagonal_bad<<<tiles, dim3(16, 16)>>>(a, rows, narrow);
  grid_bad<<<dim3(tiles, tiles), dim3(16, 16)>>>(a, rows, stride);
  return 0;
}
