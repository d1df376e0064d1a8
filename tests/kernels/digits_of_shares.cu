// A place is made of the digits of one number, and the number of shares and rounds: whether digits say all of it is one question, how threads come to theirs another.
// share: each thread has its share of all places, and takes each number apart (ok); the digits of the lowest base leave one out, so that two numbers share a place (bad).
// gap: the shares of neighbours have one number in common (bad).
// wraps: the number is of shifted bits, and is multiplied as an unsigned word.
// groups: eight channels in each round of a grid's stride, the column as `% w` of the number itself (ok); groups that are seven channels apart (bad).
//@ verdict share_ok: race-free
//@ verdict share_bad: racy
//@ verdict gap_bad: racy
//@ verdict groups_ok: race-free
//@ verdict groups_bad: racy
//@ verdict wraps_ok: race-free
//@ verdict wraps_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

template <int BASE, int MORE> __device__ void share(float x[6][24][24]) {
  const int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x, all = 6 * 24 * 24;
  for (int n = all * pos / size; n < all * (pos + 1) / size + MORE; ++n) {
    int rest = n;
    const int i = rest % BASE;
    rest /= 6;
    const int j = rest % 24;
    rest /= 24;
    x[i][j][rest % 24] = n; // expect-race
  }
}
__global__ void share_ok(float x[6][24][24]) { share<6, 0>(x); } // expect-clean
__global__ void share_bad(float x[6][24][24]) { share<5, 0>(x); }
__global__ void gap_bad(float x[6][24][24]) { share<6, 1>(x); }

template <int APART> __device__ void groups(unsigned char *out, const unsigned char *in, size_t size, int h, int w) {
  int s = h * w;
  auto need = size / s / 8 * s;
  for (int it = blockIdx.x * blockDim.x + threadIdx.x; it < need; it += blockDim.x * gridDim.x) {
    const int c = (it / s) * (size_t)APART, y = it % s / w, x = it % w;
    int o = c * s + y * w + x;
    for (int i = 0; i < 8; i++) {
      out[o] = in[it]; // expect-race
      o += s;
    }
  }
}
__global__ void groups_ok(unsigned char *out, const unsigned char *in, size_t size, int h, int w) { groups<8>(out, in, size, h, w); } // expect-clean
__global__ void groups_bad(unsigned char *out, const unsigned char *in, size_t size, int h, int w) { groups<7>(out, in, size, h, w); }

// Words that wrap around for small numbers are what they are: of the same digits, a place that loses the upper ones.
template <int TOP> __device__ void wraps() {
  __shared__ int x[512];
  unsigned t = threadIdx.x, n = (t << 28) ^ (t >> 4);
  x[n * 16 + n / TOP % 16] = t; // expect-race
}
__global__ void wraps_ok() { wraps<268435456>(); } // expect-clean
__global__ void wraps_bad() { wraps<1>(); }

int main(int, char **v) {
  int h = atoi(v[1]), w = atoi(v[2]), c = atoi(v[3]);
  float *x;
  unsigned char *from, *to;
  size_t size = (size_t)c * h * w;
  cudaMalloc(&x, 4 * 6 * 24 * 24 + 4);
  cudaMalloc(&from, size);
  cudaMalloc(&to, size + (size_t)h * w);
  share_ok<<<64, 64>>>((float(*)[24][24])x);
  share_bad<<<64, 64>>>((float(*)[24][24])x);
  gap_bad<<<64, 64>>>((float(*)[24][24])x);
  groups_ok<<<29184, 256>>>(to, from, size, h, w);
  groups_bad<<<29184, 256>>>(to, from, size, h, w);
  wraps_ok<<<1, 256>>>();
  wraps_bad<<<1, 256>>>();
  return cudaDeviceSynchronize();
}
