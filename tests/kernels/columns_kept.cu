// Each thread keeps the smallest numbers of its column, in order: where a number goes hangs on what was read before, and
// that decides the loops, but not the column. So where the threads are is enough to tell them apart, and the long ways
// that lead them there are left out. In the twin one thread too many takes part: its column is the first one, a row on.
//@ verdict keep_ok: race-free
//@ verdict keep_bad: racy
#include <cuda_runtime.h>

__device__ void insert(float *column, int *from, float value, int at, int width, int kept) {
  int place = kept - 1;
  for (int i = 0; i < kept - 1; i++)
    if (column[i * width] > value) { // expect-race
      place = i;
      break;
    }
  for (int i = kept - 1; i > place; i--) {
    column[i * width] = column[(i - 1) * width]; // expect-race
    from[i * width] = from[(i - 1) * width]; // expect-race
  }
  column[place * width] = value; // expect-race
  from[place * width] = at; // expect-race
}

__global__ void keep_ok(float *numbers, int *from, int width, int height, int kept) { // expect-clean
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  for (int row = kept; row < height; row++) {
    float value = numbers[column + row * width];
    if (value < numbers[column + (kept - 1) * width]) insert(numbers + column, from + column, value, row, width, kept);
  }
}

__global__ void keep_bad(float *numbers, int *from, int width, int height, int kept) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column > width) return;
  for (int row = kept; row < height; row++) {
    float value = numbers[column + row * width]; // expect-race
    if (value < numbers[column + (kept - 1) * width]) insert(numbers + column, from + column, value, row, width, kept); // expect-race
  }
}

int main(int argc, char **argv) {
  int width = argc * 512, height = 2048, kept = 16, *from;
  float *numbers;
  cudaMalloc(&numbers, sizeof(float) * (width * height + 1));
  cudaMalloc(&from, sizeof(int) * (width * kept + 1));
  keep_ok<<<(width + 255) / 256, 256>>>(numbers, from, width, height, kept);
  keep_bad<<<width / 256 + 1, 256>>>(numbers, from, width, height, kept);
  cudaDeviceSynchronize();
}
