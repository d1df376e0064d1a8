// Tensors of three and four dimensions: an index is taken apart by sizes that only the caller knows, and put together again.
// four: all four digits by quotient and rest (ok); the guard is for three of them, so that the fourth goes round (bad).
// three: in int, with the stride of a row (ok), one that is too small (bad). rows: the digits find their way by the strides of a dense tensor (ok), one of which
// is too small (bad). below: the last rest is of a size that the index does not reach (ok), may reach (bad).
//@ verdict four_ok: race-free
//@ verdict four_bad: racy
//@ verdict three_ok: race-free
//@ verdict three_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict below_ok: race-free
//@ verdict below_bad: racy
typedef long long Size;

__device__ Size number() {
  return (Size)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ void put(float *out, Size i, Size a, Size b, Size c, Size d) {
  Size i0 = i % a, i1 = (i / a) % b, i2 = (i / (a * b)) % c, i3 = (i / (a * b * c)) % d;
  out[i3 * (a * b * c) + i2 * (b * a) + i1 * a + i0] = i; // expect-race[f](every)
}

__global__ void four_ok(float *out, Size a, Size b, Size c, Size d) { // expect-clean
  Size i = number();
  if (i < a * b * c * d) put(out, i, a, b, c, d);
}

__global__ void four_bad(float *out, Size a, Size b, Size c, Size d) {
  Size i = number();
  if (i < a * b * c * (d + 1)) put(out, i, a, b, c, d);
}

__device__ void place(float *out, int i, int a, int b, int c, int stride) {
  int x = i % a, y = (i / a) % b, z = (i / (a * b)) % c;
  out[(z * b + y) * stride + x] = i; // expect-race[t](every)
}

__global__ void three_ok(float *out, int a, int b, int c) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c) return;
  place(out, i, a, b, c, a);
}

__global__ void three_bad(float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 8 * b * c) return;
  place(out, i, 8, b, c, 7);
}

__device__ void by_strides(char *out, Size i, Size a, Size b, Size c, Size s0, Size s1, Size s2) {
  Size z = i / (a * b), y = (i - z * a * b) / a, x = i - z * a * b - y * a;
  *(float *)(out + x * s0 + y * s1 + z * s2) = i; // expect-race[r](every)
}

__global__ void rows_ok(char *out, Size a, Size b, Size c, Size s0, Size s1, Size s2) { // expect-clean
  Size i = number();
  if (i < a * b * c) by_strides(out, i, a, b, c, s0, s1, s2);
}

__global__ void rows_bad(char *out, Size a, Size b, Size c, Size s0, Size s1, Size s2) {
  Size i = number();
  if (i < a * b * c) by_strides(out, i, a, b, c, s0, s1, s2);
}

__global__ void below_ok(float *out, int a, int b) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a * b) out[(i / a) % b * a + i % a] = i;
}

__global__ void below_bad(float *out, int a, int b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= a * b) out[(i / a) % b * a + i % a] = i; // expect-race[b](every)
}

void run(float *out, Size a, Size b, Size c, Size d) {
  int blocks = (a * b * c * d + 255) / 256;
  four_ok<<<blocks, 256>>>(out, a, b, c, d);
  four_bad<<<blocks + 1, 256>>>(out, a, b, c, d);
  three_ok<<<blocks, 256>>>(out, a, b, c);
  three_bad<<<blocks, 256>>>(out, a, b, c);
  rows_ok<<<blocks, 256>>>((char *)out, a, b, c, 4, 4 * a, 4 * a * b);
  rows_bad<<<blocks, 256>>>((char *)out, a, 16, c, 4, 4 * a, 60 * a);
  below_ok<<<blocks, 256>>>(out, a, b);
  below_bad<<<blocks, 256>>>(out, a, b);
}
