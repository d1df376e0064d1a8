// Places drawn from counters whose starts a kernel before has computed, in a way that no fact says (one thread adds up in steps of two
// rows). The kernels before are run as well: starts that leave room for all that draw show no race (ok), those that leave too little
// (little_bad) or that begin behind themselves (twice_bad) do. Counters that a kernel before only counted with begin at zero, as counters
// do (counted_bad).
//@ verdict count: race-free
//@ verdict starts: race-free
//@ verdict starts_little: race-free
//@ verdict starts_twice: race-free
//@ verdict draw_ok: race-free
//@ known-undecided draw_ok: that there is room for all that draw is only seen in runs
//@ verdict little_bad: racy
//@ verdict twice_bad: racy
//@ verdict counted_bad: racy
#include <cstdio>

constexpr int ROWS = 16, N = 512;

__global__ void count(const int *row, int *counts) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[row[i] & 15], 1);
}

__global__ void starts(const int *counts, int *next) { // expect-clean
  int sum = 0;
  for (int r = 0; r < ROWS; r += 2) {
    next[r] = sum;
    next[r + 1] = sum + counts[r];
    sum += counts[r] + counts[r + 1];
  }
}

__global__ void starts_little(const int *counts, int *next) { // expect-clean
  int sum = 0;
  for (int r = 0; r < ROWS; r += 2) {
    next[r] = sum;
    next[r + 1] = sum + counts[r] / 2;
    sum += counts[r] / 2 + counts[r + 1];
  }
}

__global__ void starts_twice(const int *counts, int *next) { // expect-clean
  int sum = 0;
  for (int r = 0; r < ROWS; r += 2) {
    next[r] = sum;
    next[r + 1] = sum;
    sum += counts[r] + counts[r + 1];
  }
}

__global__ void draw_ok(const int *row, int *next, int *out) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(&next[row[i] & 15], 1)] = i;
}

__global__ void little_bad(const int *row, int *next, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(&next[row[i] & 15], 1)] = i; // expect-race[little]
}

__global__ void twice_bad(const int *row, int *next, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(&next[row[i] & 15], 1)] = i; // expect-race[twice]
}

__global__ void counted_bad(const int *row, int *counts, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(&counts[row[i] & 15], 1)] = i; // expect-race[counted]
}

int main() {
  static int input[N];
  fread(input, sizeof(int), N, stdin);
  int *row, *counts, *next, *little, *twice, *out;
  cudaMalloc((void **)&row, sizeof input);
  cudaMalloc((void **)&counts, ROWS * sizeof(int));
  cudaMalloc((void **)&next, ROWS * sizeof(int));
  cudaMalloc((void **)&little, ROWS * sizeof(int));
  cudaMalloc((void **)&twice, ROWS * sizeof(int));
  cudaMalloc((void **)&out, 2 * sizeof input);
  cudaMemcpy(row, input, sizeof input, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, ROWS * sizeof(int));
  count<<<N / 64, 64>>>(row, counts);
  starts<<<1, 1>>>(counts, next);
  draw_ok<<<N / 64, 64>>>(row, next, out);
  starts_little<<<1, 1>>>(counts, little);
  little_bad<<<N / 64, 64>>>(row, little, out);
  starts_twice<<<1, 1>>>(counts, twice);
  twice_bad<<<N / 64, 64>>>(row, twice, out);
  counted_bad<<<N / 64, 64>>>(row, counts, out);
  return 0;
}
