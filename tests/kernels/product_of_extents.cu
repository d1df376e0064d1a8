// How many elements there are is a product of seven numbers that the host does not say anything of. What it is made of
// does not matter to a loop by the number of threads: the product is one unknown. The twin goes on by one block only, so
// all blocks come to the elements of the next one. The others have as many rows: one column too many is the next row.
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
#include <cuda_runtime.h>

__global__ void fill_ok(float *to, int n) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    to[i] = blockIdx.x;
}

__global__ void fill_bad(float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    to[i] = blockIdx.x; // expect-race {{write}}
}

__global__ void rows_ok(float *to, int rows, int width) { // expect-clean
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int c = 0; c < width; c++)
    to[r * width + c] = c;
}

__global__ void rows_bad(float *to, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int c = 0; c <= width; c++)
    to[r * width + c] = c; // expect-race {{write}}
}

void run(int batch, int height, int width, int kernel_height, int kernel_width, int groups, float *to) {
  int n = batch * height * width * 2 * kernel_height * kernel_width * groups;
  fill_ok<<<(n + 1023) / 1024, 1024>>>(to, n);
  fill_bad<<<(n + 1023) / 1024, 1024>>>(to, n);
  int rows = batch * height * kernel_height * kernel_width * groups;
  rows_ok<<<(rows + 255) / 256, 256>>>(to, rows, width);
  rows_bad<<<(rows + 255) / 256, 256>>>(to, rows, width);
}
