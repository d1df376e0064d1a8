// Sizes that the host computes out of floating-point constants. rounded: 108 / 0.075 is 1440 (the twin: 108 / 0.074 is 1459, and threads 1440 and 0 write one
// element). ceiling: 99.5 / 7 rounds up to 15 (the twin: 105.5 / 7 to 16).
//@ verdict rounded_ok: race-free
//@ verdict rounded_bad: racy
//@ verdict ceiling_ok: race-free
//@ verdict ceiling_bad: racy
#include <cmath>

__global__ void rounded_ok(int *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i % 1440] = i;
}

__global__ void rounded_bad(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i % 1440] = i; // expect-race
}

__global__ void ceiling_ok(int *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i % 15] = i;
}

__global__ void ceiling_bad(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i % 15] = i; // expect-race
}

static int cells(float low, float high, float step) {
  return (int)roundf((high - low) / step);
}

static int steps(double length, int parts) {
  return length > 0 ? (int)std::ceil(length / parts) : 0;
}

int main() {
  int *out;
  cudaMalloc(&out, 8192);
  int n = cells(-54.0f, 54.0f, 0.075f), m = cells(-54.0f, 54.0f, 0.074f);
  rounded_ok<<<(n + 255) / 256, 256>>>(out, n);
  rounded_bad<<<(m + 255) / 256, 256>>>(out, m);
  n = steps(99.5, 7);
  m = steps(105.5, 7);
  ceiling_ok<<<1, 32>>>(out, n);
  ceiling_bad<<<1, 32>>>(out, m);
}
