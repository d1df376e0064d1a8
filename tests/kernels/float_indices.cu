// Indices that come from floating-point values, kept in range by comparisons or by minima and maxima. Each `_bad` twin lets
// one value more through, which is the first one of the next thread.
//   cells: tested before use; floored, with the tests the other way round; clamped; in double precision.
//   wide: a bound that a float may not hold exactly keeps nothing apart for sure.
//   scaled: a number below 1, times the number of cells; in the twin it may be 1.
//   rounded: 2^31 - 1 is a number of double precision; in single precision it is rounded up to 2^31, which makes a 1.
//   divided: quotients of small integers are exact when rounded down; numbers above 2^24 are not.
//   eighths: no cells but constants; less_one: the bound is one less than a converted integer.
//@ verdict tested_ok: race-free
//@ verdict tested_bad: racy
//@ verdict floored_ok: race-free
//@ verdict floored_bad: racy
//@ verdict clamped_ok: race-free
//@ verdict clamped_bad: racy
//@ verdict precise_ok: race-free
//   reciprocal: a product with 1/3 as it is rounded is the quotient, one with 1/41 is not: 41 times that is below 1.
//@ verdict reciprocal_ok: race-free
//@ verdict reciprocal_bad: racy
//   drawn: random numbers of curand may be 1.
//@ verdict wide_bad: racy
//   doubled: twice a number below 2^23 is exact, half of it puts two in one place; beyond 2^24 two numbers become one (exact_bad).
//   root: the rows of a square root; named: rounding by name, up and down; equal: a parameter is equal to one thread's number only.
//   thirds: a third, three times, is the number again once it is rounded, for 0 to 255 by trying; cut off, ten share one place.
//@ verdict doubled_ok: race-free
//@ verdict doubled_bad: racy
//@ verdict exact_ok: race-free
//@ verdict exact_bad: racy
//@ verdict root_ok: race-free
//@ verdict root_bad: racy
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict equal_ok: race-free
//@ verdict equal_bad: racy
//@ verdict thirds_ok: race-free
//@ verdict thirds_bad: racy
//@ verdict drawn_ok: race-free
//@ verdict drawn_bad: racy
//@ verdict scaled_ok: race-free
//@ verdict scaled_bad: racy
//@ verdict rounded_ok: race-free
//@ verdict rounded_bad: racy
//@ verdict divided_ok: race-free
//@ verdict divided_bad: racy
//@ verdict eighths_ok: race-free
//@ verdict eighths_bad: racy
//@ verdict less_one_ok: race-free
//@ verdict less_one_bad: racy
//   no_number: what is no number passes both tests, and becomes 0 in single precision, -2^31 in double precision.
//@ verdict no_number_ok: race-free
//@ verdict no_number_bad: racy
#include <cstdlib>
#include <curand_kernel.h>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void tested_ok(const float *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n && x[i] >= 0.0f && x[i] < cells) out[i * cells + (int)x[i]] = i;
}
__global__ void tested_bad(const float *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n && x[i] >= 0.0f && x[i] <= cells) out[i * cells + (int)x[i]] = i; // expect-race
}

__global__ void no_number_ok(const float *x, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i >= n || x[i] < 0.0f || x[i] > 100.0f) return;
  if ((int)x[i] < 0) out[0] = i;
}
__global__ void no_number_bad(const double *x, int *out, int n) {
  int i = thread_number();
  if (i >= n || x[i] < 0.0 || x[i] > 100.0) return;
  if ((int)x[i] < 0) out[0] = i; // expect-race
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

__global__ void scaled_ok(const unsigned *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n) out[(size_t)i * cells + (int)((x[i] & 65535) / 65536.0 * cells)] = i;
}
__global__ void scaled_bad(const unsigned *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n) out[(size_t)i * cells + (int)((x[i] & 65535) / 65535.0 * cells)] = i; // expect-race
}

__global__ void rounded_ok(const unsigned *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n) out[(size_t)i * cells + (int)((double)(x[i] & 0x7fffffff) / 2147483648.0 * cells)] = i;
}
__global__ void rounded_bad(const unsigned *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n) out[(size_t)i * cells + (int)((float)(x[i] & 0x7fffffff) / 2147483648.0f * cells)] = i; // expect-race
}

__global__ void divided_ok(int *out) { // expect-clean
  int i = thread_number();
  if (i < 1 << 20) out[(int)((float)i / 3.0f) * 3 + i % 3] = i;
}
__global__ void divided_bad(int *out) {
  int i = thread_number();
  if (i < 1 << 20) out[(int)((float)i / 3.0f) * 2 + i % 3] = i; // expect-race
}

__global__ void reciprocal_ok(int *out) { // expect-clean
  int i = thread_number();
  if (i < 1 << 16) out[(int)(i * (1.0f / 3.0f)) * 3 + i % 3] = i;
}
__global__ void reciprocal_bad(int *out) {
  int i = thread_number();
  if (i < 1 << 16) out[(int)(i * (1.0f / 41.0f)) * 41 + i % 41] = i; // expect-race
}

__global__ void eighths_ok(const unsigned char *x, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i < n) out[i * 32 + (int)floorf(x[i] / 8.0f)] = i;
}
__global__ void eighths_bad(const unsigned char *x, int *out, int n) {
  int i = thread_number();
  if (i < n) out[i * 32 + (int)ceilf(x[i] / 8.0f)] = i; // expect-race
}

__global__ void less_one_ok(const float *x, int *out, int n, int cells) { // expect-clean
  int i = thread_number();
  if (i < n) out[i * cells + (int)fminf(fmaxf(x[i], 0.0f), (float)cells - 1.0f)] = i;
}
__global__ void less_one_bad(const float *x, int *out, int n, int cells) {
  int i = thread_number();
  if (i < n) out[i * cells + (int)fminf(fmaxf(x[i], -1.0f), (float)cells - 1.0f)] = i; // expect-race
}

__global__ void drawn_ok(curandState *states, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i >= n) return;
  curandState state = states[i];
  out[i * 33 + (int)(curand_uniform(&state) * 32)] = i;
}
__global__ void drawn_bad(curandState *states, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  curandState state = states[i];
  out[i * 32 + (int)(curand_uniform(&state) * 32)] = i; // expect-race
}

__global__ void doubled_ok(int *out) { // expect-clean
  int i = thread_number();
  if (i < 1 << 23) out[(int)(i * 2.0f)] = i;
}
__global__ void doubled_bad(int *out) {
  int i = thread_number();
  if (i < 1 << 23) out[(int)(i * 0.5f)] = i; // expect-race
}

__global__ void exact_ok(int *out) { // expect-clean
  double moved = (double)thread_number() + 16777216.0;
  out[(int)moved - 16777216] = 1 + threadIdx.x;
}
__global__ void exact_bad(int *out) {
  float moved = (float)(thread_number() + 16777216);
  out[(int)moved - 16777216] = 1 + threadIdx.x; // expect-race
}

__global__ void root_ok(int *out) { // expect-clean
  int i = threadIdx.x;
  if (blockIdx.x == 0) out[(int)sqrtf((float)(i * i)) & 255] = i;
}
__global__ void root_bad(int *out) {
  int i = threadIdx.x;
  if (blockIdx.x == 0) out[(int)sqrtf((float)i) & 255] = i; // expect-race
}

__global__ void named_ok(int *out) { // expect-clean
  if (blockIdx.x == 0 && threadIdx.x % 2 == 0) out[__float2int_ru(threadIdx.x * 0.5f)] = threadIdx.x;
}
__global__ void named_bad(int *out) {
  if (blockIdx.x == 0 && threadIdx.x % 2 == 0) out[__float2int_rn(threadIdx.x * 0.25f)] = threadIdx.x; // expect-race
}

__global__ void equal_ok(int *out, float x) { // expect-clean
  if (blockIdx.x == 0 && threadIdx.x == x) out[0] = threadIdx.x;
}
__global__ void equal_bad(int *out, float x) {
  if (blockIdx.x == 0 && threadIdx.x / 2 == x) out[0] = threadIdx.x; // expect-race
}

__global__ void thirds_ok(int *out) { // expect-clean
  if (blockIdx.x == 0) out[(int)rintf(threadIdx.x / 3.0f * 3.0f)] = threadIdx.x;
}
__global__ void thirds_bad(int *out) {
  if (blockIdx.x == 0) out[(int)(threadIdx.x / 10.0f) * 10] = threadIdx.x; // expect-race
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
  no_number_ok<<<blocks, 256>>>(x, out, n);
  no_number_bad<<<blocks, 256>>>(y, out, n);
  floored_ok<<<blocks, 256>>>(x, out, n, 100);
  floored_bad<<<blocks, 256>>>(x, out, n, 100);
  clamped_ok<<<blocks, 256>>>(x, out, n, 100);
  clamped_bad<<<blocks, 256>>>(x, out, n, 100);
  if (many <= 0) return 1;
  int *large = nullptr;
  cudaMalloc((void **)&large, (size_t)n * many * sizeof(int));
  unsigned *words = nullptr;
  unsigned char *bytes = nullptr;
  cudaMalloc((void **)&words, n * sizeof(unsigned));
  cudaMalloc((void **)&bytes, n);
  curandState *states = nullptr;
  cudaMalloc((void **)&states, n * sizeof *states);
  drawn_ok<<<blocks, 256>>>(states, out, n);
  drawn_bad<<<blocks, 256>>>(states, out, n);
  scaled_ok<<<blocks, 256>>>(words, large, n, many);
  scaled_bad<<<blocks, 256>>>(words, large, n, many);
  rounded_ok<<<blocks, 256>>>(words, large, n, many);
  rounded_bad<<<blocks, 256>>>(words, large, n, many);
  divided_ok<<<blocks, 256>>>(large);
  divided_bad<<<blocks, 256>>>(large);
  reciprocal_ok<<<256, 256>>>(large);
  reciprocal_bad<<<256, 256>>>(large);
  eighths_ok<<<blocks, 256>>>(bytes, out, n);
  eighths_bad<<<blocks, 256>>>(bytes, out, n);
  doubled_ok<<<1 << 16, 256>>>(large);
  doubled_bad<<<1 << 16, 256>>>(large);
  exact_ok<<<16, 256>>>(large);
  exact_bad<<<16, 256>>>(large);
  root_ok<<<16, 64>>>(large);
  root_bad<<<16, 64>>>(large);
  named_ok<<<16, 256>>>(large);
  named_bad<<<16, 256>>>(large);
  equal_ok<<<16, 256>>>(large, many / 3.0f);
  equal_bad<<<16, 256>>>(large, many / 3.0f);
  thirds_ok<<<16, 256>>>(large);
  thirds_bad<<<16, 256>>>(large);
  less_one_ok<<<blocks, 256>>>(x, out, n, 100);
  less_one_bad<<<blocks, 256>>>(x, out, n, 100);
  precise_ok<<<blocks, 256>>>(y, large, n, many);
  wide_bad<<<blocks, 256>>>(x, large, n, many);
  return 0;
}
