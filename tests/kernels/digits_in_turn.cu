// An index is taken apart by sizes of the host one after the other, in another order for each digit, and put together again.
// turn: the first digit is `i / s / n`, the second one `i / n % s` (ok); the last one is of the wrong size (bad).
// step: the threads go on by a number of blocks that follows from the sizes, and the top digit is `% n` although nothing is above it (ok); the digit below is put
// where the one above ends one row too early (bad).
// table: four columns of squares, the sizes of which stand in a table of the host, one behind the other (ok), three of them beside the fourth (bad).
//@ verdict turn_ok: race-free
//@ verdict turn_bad: racy
//@ verdict step_ok: race-free
//@ verdict step_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

template <bool BAD> __device__ void turn(int m, int s, int n, const float *x, float *y) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= m * s * n) return;
  int i = index / s / n, j = index / n % s, c = index % (BAD ? s : n);
  y[i * s * n + j * n + c] = x[index]; // expect-race[turn](every)
}
__global__ void turn_ok(int m, int s, int n, const float *x, float *y) { turn<false>(m, s, n, x, y); } // expect-clean
__global__ void turn_bad(int m, int s, int n, const float *x, float *y) { turn<true>(m, s, n, x, y); }

template <bool BAD> __device__ void step(long n, long c, long h, long w, const float *x, float *y) {
  for (long at = blockIdx.x * blockDim.x + threadIdx.x; at < n * c * h * w; at += blockDim.x * gridDim.x) {
    long i = (at / (c * h * w)) % n, j = (at / (h * w)) % c, k = (at / w) % h, l = at % w;
    y[i * c * h * w + j * (BAD ? h - 1 : h) * w + k * w + l] = x[at]; // expect-race[step](every)
  }
}
__global__ void step_ok(long n, long c, long h, long w, const float *x, float *y) { step<false>(n, c, h, w, x, y); } // expect-clean
__global__ void step_bad(long n, long c, long h, long w, const float *x, float *y) { step<true>(n, c, h, w, x, y); }

template <int APART> __device__ void table(float *y, const float *x, int h, int parts) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  if (id >= parts * h * h) return;
  int part = id / (h * h), place = id % (h * h);
  y[part + APART * place] = x[id]; // expect-race
}
__global__ void table_ok(float *y, const float *x, int h, int parts) { table<4>(y, x, h, parts); } // expect-clean
__global__ void table_bad(float *y, const float *x, int h, int parts) { table<3>(y, x, h, parts); }

int main(int, char **v) {
  int m = atoi(v[1]), s = atoi(v[2]), n = atoi(v[3]), w = atoi(v[4]);
  float *x, *y;
  cudaMalloc(&x, (size_t)m * s * n * w * 4 + 4);
  cudaMalloc(&y, (size_t)m * s * n * w * 4 + 4);
  turn_ok<<<(m * s * n + 255) / 256, 256>>>(m, s, n, x, y);
  turn_bad<<<(m * s * n + 255) / 256, 256>>>(m, s, n, x, y);
  step_ok<<<((long)m * s * n * w + 255) / 256, 256>>>(m, s, n, w, x, y);
  step_bad<<<((long)m * s * n * w + 255) / 256, 256>>>(m, s, n, w, x, y);
  const int sizes[6] = {25, 36, 50, 96, 140, 175};
  int at = 0;
  for (int i = 0; i < 6; i++)
    if (m <= sizes[i]) {
      at = i;
      break;
    }
  int h = (sizes[at] * 3 + 3) / 2;
  float *from, *to;
  cudaMalloc(&from, 4 * h * h * 4);
  cudaMalloc(&to, 4 * h * h * 4);
  table_ok<<<(4 * h * h + 127) / 128, 128>>>(to, from, h, 4);
  table_bad<<<(4 * h * h + 127) / 128, 128>>>(to, from, h, 4);
}
