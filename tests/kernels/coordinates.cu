// An index is taken apart into plane, row and column and put together again: the same index, so no two threads write one
// element (ok). With rows for cols in the middle it is another one (bad).
//@ verdict put_together_ok: race-free
//@ verdict put_together_bad: racy
// Sizes that the host gives as numbers, the largest divisor first: each element of four dimensions moves to another place
// of its own (swapped_ok), or two meet where a wrong size is the factor (swapped_bad).
//@ verdict swapped_ok: race-free
//@ verdict swapped_bad: racy
// One number for each block of a grid whose sides are parts of one size: it does not wrap, because the grid's limits bound the size
// (ok); by half a side, two blocks have one number (bad).
//@ verdict numbered_ok: race-free
//@ verdict numbered_bad: racy
#include <cassert>
#include <cstdlib>

__global__ void put_together_ok(float *out, int planes, int rows, int cols) { // expect-clean
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < planes * rows * cols; x += blockDim.x * gridDim.x) {
    int col = x % cols;
    int row = (x - col) / cols % rows;
    int plane = (x - row * cols - col) / (rows * cols);
    out[plane * rows * cols + row * cols + col] = (float)x;
  }
}

__global__ void put_together_bad(float *out, int planes, int rows, int cols) {
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < planes * rows * cols; x += blockDim.x * gridDim.x) {
    int col = x % cols;
    int row = (x - col) / cols % rows;
    int plane = (x - row * cols - col) / (rows * cols);
    out[plane * rows * cols + row * rows + col] = (float)x; // expect-race {{-Winter-block-race}} expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  }
}

__global__ void swapped_ok(const float *in, float *out, int n, int planes, int rows, int cols) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n * planes * rows * cols) return;
  int image = x / (planes * rows * cols);
  int plane = x / (rows * cols) % planes;
  int row = x / cols % rows;
  int col = x % cols;
  out[image * planes + col * (rows * n * planes) + row * (n * planes) + plane] = in[x];
}

__global__ void swapped_bad(const float *in, float *out, int n, int planes, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n * planes * rows * cols) return;
  int image = x / (planes * rows * cols);
  int plane = x / (rows * cols) % planes;
  int row = x / cols % rows;
  int col = x % cols;
  out[image * rows + col * (rows * n * planes) + row * (n * planes) + plane] = in[x]; // expect-race {{-Winter-block-race}}
}

__global__ void numbered_ok(float *sums) { // expect-clean
  if (threadIdx.x == 0) sums[blockIdx.y * gridDim.x + blockIdx.x] = blockIdx.x;
}

__global__ void numbered_bad(float *sums) {
  if (threadIdx.x == 0) sums[blockIdx.y * (gridDim.x / 2) + blockIdx.x] = blockIdx.x; // expect-race {{-Winter-block-race}}
}

int main(int argc, char **argv) {
  int planes = atoi(argv[1]), rows = atoi(argv[2]), cols = atoi(argv[3]);
  assert(planes > 0 && rows > 0 && cols > 0);
  float *out;
  cudaMalloc((void **)&out, (size_t)planes * rows * cols * sizeof(float));
  put_together_ok<<<64, 256>>>(out, planes, rows, cols);
  put_together_bad<<<64, 256>>>(out, planes, rows, cols);

  int n = 24, deep = 42, high = 20, wide = 32, total = n * deep * high * wide;
  float *moved;
  cudaMalloc((void **)&moved, total * sizeof(float));
  swapped_ok<<<(total + 255) / 256, 256>>>(out, moved, n, deep, high, wide);
  swapped_bad<<<(total + 255) / 256, 256>>>(out, moved, n, deep, high, wide);

  int size = atoi(argv[4]);
  float *sums;
  cudaMalloc((void **)&sums, (size_t)(size / 128) * (size / 32) * sizeof(float));
  numbered_ok<<<dim3(size / 128, size / 32), 64>>>(sums);
  numbered_bad<<<dim3(size / 128, size / 32), 64>>>(sums);
  return 0;
}
