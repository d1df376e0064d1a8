// Indices that come from floating-point values, kept in range by comparisons or by minima and maxima. Each `_bad` twin lets
// one value more through, which is the first one of the next thread.
//   cells: tested before use; floored, with the tests the other way round; clamped; in double precision.
//   wide: a bound that a float may not hold exactly keeps nothing apart for sure.
//@ verdict tested_ok: race-free
//@ verdict tested_bad: racy
//@ verdict floored_ok: race-free
//@ verdict floored_bad: racy
//@ verdict clamped_ok: race-free
//@ verdict clamped_bad: racy
//@ verdict precise_ok: race-free
//@ verdict wide_bad: racy
#include <cstdlib>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void tested_ok(const float *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n && x[i] >= 0.0f && x[i] < cells) out[i * cells + (int)x[i]] = i;
}
__global__ void tested_bad(const float *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n && x[i] >= 0.0f && x[i] <= cells) out[i * cells + (int)x[i]] = i; // expect-race
}

__global__ void floored_ok(const float *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i >= n || x[i] < 0 || x[i] >= cells) return;
  int cell = floorf(x[i]);
  out[i * cells + cell] = i;
}
__global__ void floored_bad(const float *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i >= n || x[i] < -0.5f || x[i] >= cells) return;
  int cell = floorf(x[i]);
  out[i * cells + cell] = i; // expect-race
}

__global__ void clamped_ok(const float *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n) out[i * cells + (int)fminf(fmaxf(x[i], 0.0f), (float)(cells - 1))] = i;
}
__global__ void clamped_bad(const float *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n) out[i * cells + (int)fminf(fmaxf(x[i], 0.0f), (float)cells)] = i; // expect-race
}

__global__ void precise_ok(const double *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n && x[i] >= 0.0 && x[i] < cells) out[(size_t)i * cells + (int)x[i]] = i;
}
// The same in single precision: with more than 2^24 cells, the bound may be rounded up.
__global__ void wide_bad(const float *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n && x[i] >= 0.0f && x[i] < cells) out[(size_t)i * cells + (int)x[i]] = i; // expect-race
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int n = atoi(argv[1]), many = atoi(argv[2]), blocks = (n + 255) / 256, *out = nullptr;
  float *x = nullptr;
  double *y = nullptr;
  cudaMalloc((void **)&out, (size_t)n * 100 * sizeof(int));
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMalloc((void **)&y, n * sizeof(double));
  tested_ok<<<blocks, 256>>>(x, out, n, 100);
  tested_bad<<<blocks, 256>>>(x, out, n, 100);
  floored_ok<<<blocks, 256>>>(x, out, n, 100);
  floored_bad<<<blocks, 256>>>(x, out, n, 100);
  clamped_ok<<<blocks, 256>>>(x, out, n, 100);
  clamped_bad<<<blocks, 256>>>(x, out, n, 100);
  if (many <= 0) return 1;
  int *large = nullptr;
  cudaMalloc((void **)&large, (size_t)n * many * sizeof(int));
  precise_ok<<<blocks, 256>>>(y, large, n, many);
  wide_bad<<<blocks, 256>>>(x, large, n, many);
  return 0;
}
