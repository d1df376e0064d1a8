// A length that is a power of two, because a loop has halved it down to one while it was even. The twin does not look at
// what is left.
//   masked: thread numbers cut to the bits of the length; paired: slices of whole pairs.
// tiles: a length that has one bit set, as the host tests; each group of n / 4 threads has a stretch of n / 2 places, the lower
// half of which is zero. From another length groups overlap.
// butterflies: the lower halves of stretches of two steps; the length of a step is a quarter of a power of two that is divided by four while another variable, the
// exponent, goes down by two, as in a Walsh transform. In the twin it is divided by six.
//@ verdict butterflies_ok: race-free
//@ verdict butterflies_bad: racy
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
//@ verdict masked_ok: race-free
//@ verdict masked_bad: racy
//@ verdict paired_ok: race-free
//@ verdict paired_bad: racy
#include <cassert>
#include <cstdlib>

__device__ void masked(int *out, unsigned n) {
  out[blockIdx.x * n + (threadIdx.x & (n - 1))] = threadIdx.x; // expect-race
}
__global__ void masked_ok(int *out, unsigned n) { masked(out, n); } // expect-clean
__global__ void masked_bad(int *out, unsigned n) { masked(out, n); }

__device__ void paired(int *out, unsigned n) {
  out[blockIdx.x * (n / 2 * 2) + threadIdx.x] = threadIdx.x; // expect-race
}
__global__ void paired_ok(int *out, unsigned n) { paired(out, n); } // expect-clean
__global__ void paired_bad(int *out, unsigned n) { paired(out, n); }

__device__ void tiles(int *out, int n) {
  __shared__ int s[512];
  int t = threadIdx.x, size = n / 4, at = 2 * t - (t & (size - 1));
  s[at] = 0; // expect-same-value
  s[at + size] = t; // expect-race
  for (int d = 1; d < size; d *= 2) {
    __syncthreads();
    int sum = s[at + size] + s[at + size - d];
    __syncthreads();
    s[at + size] = sum; // expect-race
  }
  out[blockIdx.x * 256 + t] = s[at + size]; // expect-race
}
__global__ void tiles_ok(int *out, int n) { tiles(out, n); } // expect-clean
__global__ void tiles_bad(int *out, int n) { tiles(out, n); }

__device__ void butterflies(float *d, int step) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x;
  d[2 * pos - (pos & (step - 1))] = pos; // expect-race
}
__global__ void butterflies_ok(float *d, int step) { butterflies(d, step); } // expect-clean
__global__ void butterflies_bad(float *d, int step) { butterflies(d, step); }
static void transform(float *d, int exponent) {
  int n = 1 << exponent;
  for (; exponent > 11; exponent -= 2, n >>= 2)
    butterflies_ok<<<1 << 13, 256>>>(d, n / 4);
}
static void transform_badly(float *d, int exponent) {
  int n = 1 << exponent;
  for (; exponent > 11; exponent -= 2, n /= 6)
    butterflies_bad<<<1 << 13, 256>>>(d, n / 4);
}

static unsigned odd_part(unsigned n) {
  if (n == 0) return 0;
  while ((n & 1) == 0)
    n >>= 1;
  return n;
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  unsigned n = strtoul(argv[1], nullptr, 10), blocks = strtoul(argv[2], nullptr, 10);
  assert(n >= 2 && n <= 1024);
  int *out = nullptr;
  cudaMalloc((void **)&out, (size_t)n * blocks * sizeof(int));
  int length = atoi(argv[1]), *sums = nullptr;
  cudaMalloc((void **)&sums, (size_t)256 * blocks * sizeof(int));
  if (length >= 4 && length <= 1024) {
    tiles_bad<<<blocks, 256>>>(sums, length);
    if ((length & (length - 1)) == 0) tiles_ok<<<blocks, 256>>>(sums, length);
  }
  unsigned left = odd_part(n);
  masked_bad<<<blocks, n>>>(out, n);
  paired_bad<<<blocks, n>>>(out, n);
  assert(left == 1);
  paired_ok<<<blocks, n>>>(out, n);
  float *data = nullptr;
  cudaMalloc((void **)&data, sizeof(float) << 23);
  transform(data, 23);
  transform_badly(data, 23);
  masked_ok<<<blocks, n>>>(out, n);
  return 0;
}
