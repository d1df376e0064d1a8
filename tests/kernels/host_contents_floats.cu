// Tables of floating-point numbers that the host code determines.
//   thirds: a product with 1/3 as it is rounded is the quotient, one with 1/41 is not: 41 times that is below 1, and rounds down to 0.
//   symbol: a variable that is set anew, to the same two numbers the other way round.
//   mixed: digits of the thread's number by a table of reciprocals, in a loop: never a race, not proved. In the twin the last digit does not count.
//   changed: a kernel writes to the table before; parameter: only the host knows what it is; overwritten: half of the word is set anew;
//   by_place: a table that the host computes.
//@ verdict thirds_ok: race-free
//@ verdict thirds_bad: racy
//@ verdict symbol_ok: race-free
//@ verdict symbol_bad: racy
//@ verdict mixed_ok: race-free
//@ known-undecided mixed_ok: the digits of a number, one after the other in a loop, have no closed form
//@ verdict mixed_bad: racy
//@ verdict set: race-free
//@ verdict changed: racy
//@ verdict parameter: racy
//@ verdict overwritten: racy
//@ verdict by_place: racy
#include <cstdlib>
#include <cstring>

__global__ void thirds_ok(const float *r, int *out) { // expect-clean
  int i = threadIdx.x;
  if (i % 3 == 0) out[(int)(i * r[0])] = i;
}
__global__ void thirds_bad(const float *r, int *out) {
  int i = threadIdx.x;
  if (i % 41 == 0) out[(int)(i * r[1])] = i; // expect-race
}

__constant__ float set_anew[2] = {1.0f / 3, 1.0f / 41};
__global__ void symbol_ok(int *out) { // expect-clean
  int i = threadIdx.x;
  if (i % 3 == 0) out[(int)(i * set_anew[1])] = i;
}
__global__ void symbol_bad(int *out) {
  int i = threadIdx.x;
  if (i % 3 == 0) out[(int)(i * set_anew[0])] = i; // expect-race
}

__global__ void mixed_ok(const float *r, const int *shape, const int *stride, int *out, int dims) { // expect-clean
  int at = threadIdx.x, place = 0;
  for (int d = 0; d < dims; d++) {
    int next = (int)(at * r[d]);
    place += stride[d] * (at - next * shape[d]);
    at = next;
  }
  out[place] = threadIdx.x;
}
__global__ void mixed_bad(const float *r, const int *shape, const int *stride, int *out, int dims) {
  int at = threadIdx.x, place = 0;
  for (int d = 0; d < dims; d++) {
    int next = (int)(at * r[d]);
    place += stride[d] * (at - next * shape[d]);
    at = next;
  }
  out[place] = threadIdx.x; // expect-race
}

__global__ void set(float *r, float x) { // expect-clean
  r[0] = x; }
__global__ void changed(const float *r, int *out) {
  int i = threadIdx.x, q = (int)(i * r[0]);
  if (i == 3 * q || r[0] > 1) out[q / 3] = i; // expect-race
}
__global__ void parameter(const float *r, int *out) {
  int i = threadIdx.x, q = (int)(i * r[0]);
  out[q] = i; // expect-race
}
__global__ void overwritten(const float *r, int *out) {
  int i = threadIdx.x;
  if (r[0] < 0.3f || r[0] > 0.4f) out[(int)r[0]] = i; // expect-race
}
__global__ void by_place(const float *r, int *out) {
  int i = threadIdx.x;
  out[(int)r[i]] = i; // expect-race
}

static const float third[] = {1.0f / 3, 1.0f / 41};
static const float tiles[] = {1.0f / 3, 1.0f / 5, 1.0f / 7};
static const int shape[] = {3, 5, 7}, stride[] = {35, 7, 1}, bad_stride[] = {35, 7, 0};


int main(int argc, char **argv) {
  int *out = nullptr;
  cudaMalloc(&out, 1 << 20);
  float *d_third, *d_tiles;
  int *d_shape, *d_bad, *d_stride;
  cudaMalloc(&d_third, sizeof third);
  cudaMalloc(&d_tiles, sizeof tiles);
  cudaMalloc(&d_shape, sizeof shape);
  cudaMalloc(&d_bad, sizeof bad_stride);
  cudaMalloc(&d_stride, sizeof stride);
  cudaMemcpy(d_third, third, sizeof third, cudaMemcpyHostToDevice);
  cudaMemcpy(d_tiles, tiles, sizeof tiles, cudaMemcpyHostToDevice);
  cudaMemcpy(d_shape, shape, sizeof shape, cudaMemcpyHostToDevice);
  cudaMemcpy(d_bad, bad_stride, sizeof bad_stride, cudaMemcpyHostToDevice);
  cudaMemcpy(d_stride, stride, sizeof stride, cudaMemcpyHostToDevice);
  thirds_ok<<<1, 256>>>(d_third, out);
  thirds_bad<<<1, 256>>>(d_third, out);
  float other[2] = {1.0f / 41, 1.0f / 3};
  cudaMemcpyToSymbol(set_anew, other, sizeof other);
  symbol_ok<<<1, 256>>>(out);
  symbol_bad<<<1, 256>>>(out);
  mixed_ok<<<1, 105>>>(d_tiles, d_shape, d_stride, out, 3);
  mixed_bad<<<1, 105>>>(d_tiles, d_shape, d_bad, out, 3);

  float *d_changed, *d_given, *d_half, *d_rows;
  cudaMalloc(&d_changed, sizeof third);
  cudaMemcpy(d_changed, third, sizeof third, cudaMemcpyHostToDevice);
  set<<<1, 1>>>(d_changed, (float)atof(argv[1]));
  changed<<<1, 256>>>(d_changed, out);
  float given[1] = {(float)atof(argv[2])};
  cudaMalloc(&d_given, sizeof given);
  cudaMemcpy(d_given, given, sizeof given, cudaMemcpyHostToDevice);
  parameter<<<1, 256>>>(d_given, out);
  cudaMalloc(&d_half, sizeof third);
  cudaMemcpy(d_half, third, sizeof third, cudaMemcpyHostToDevice);
  cudaMemset((char *)d_half + 2, 0, 2);
  overwritten<<<1, 256>>>(d_half, out);
  float rows[256];
  for (int i = 0; i < 256; i++)
    rows[i] = i * 0.5f;
  cudaMalloc(&d_rows, sizeof rows);
  cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
  by_place<<<1, 256>>>(d_rows, out);
  cudaDeviceSynchronize();
}
