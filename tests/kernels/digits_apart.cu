// Each digit of a number is a number of its own, below its radix, and numbers differ where some digit does.
// triangle: the part above the diagonal, without gaps, row and column from one number (ok); with the diagonal, which has no place (bad).
// reversed: rows of whole vectors in the opposite order (ok), in a pitch that is a vector too short (bad).
// none: a digit that is always zero, in a place that is asked of large numbers only (bad; ok: the digit that was meant).
// layers: four digits of five are in the place, the one that is not is met a million threads further on (bad; ok: all five).
//@ verdict triangle_ok: race-free
//@ verdict triangle_bad: racy
//@ verdict reversed_ok: race-free
//@ verdict reversed_bad: racy
//@ verdict none_ok: race-free
//@ verdict none_bad: racy
//@ verdict layers_ok: race-free
//@ verdict layers_bad: racy
#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

template <bool BAD> __device__ void triangle(const float *from, float *to, int n) {
  size_t at = blockDim.x * blockIdx.x + threadIdx.x;
  if (at >= (size_t)n * n) return;
  size_t i = at / n, j = at % n;
  if (i < j || (BAD && i == j)) to[n * i - i * (i + 1) / 2 + j - i - 1 + BAD] = from[j * n + i]; // expect-race
}
__global__ void triangle_ok(const float *from, float *to, int n) { triangle<false>(from, to, n); } // expect-clean
__global__ void triangle_bad(const float *from, float *to, int n) { triangle<true>(from, to, n); }

template <int SHORT> __device__ void reversed(const float *from, float *to, int rows, int columns) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (at >= rows * columns) return;
  int row = at / columns, column = at % columns;
  int place = (rows - row - 1) * (columns - SHORT) + column;
  *(float4 *)(to + place) = *(const float4 *)(from + at); // expect-race
}
__global__ void reversed_ok(const float *from, float *to, int rows, int columns) { reversed<0>(from, to, rows, columns); } // expect-clean
__global__ void reversed_bad(const float *from, float *to, int rows, int columns) { reversed<4>(from, to, rows, columns); }

template <bool BAD> __device__ void none(float *to, int n, int h, int w) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n * h * w) return;
  int i = at / (h * w), rest = at % (h * w), j = BAD ? rest / w / h : rest / w, k = rest % w;
  if (h > 777 && w > 777 && n > 77) to[i * (i + 1) / 2 * h * w + j * w + k] = at; // expect-race
}
__global__ void none_ok(float *to, int n, int h, int w) { none<false>(to, n, h, w); } // expect-clean
__global__ void none_bad(float *to, int n, int h, int w) { none<true>(to, n, h, w); }

template <bool BAD> __device__ void layers(float *to, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w, int64_t all) {
  for (int64_t at = blockIdx.x * blockDim.x + threadIdx.x; at < all; at += blockDim.x * gridDim.x) {
    int64_t i = at / (c * d * h * w) % n, j = at / (d * h * w) % c, k = at / (h * w) % d, y = at / w % h, x = at % w;
    to[i * c * d * h * w + j * d * h * w + (BAD ? 0 : k) * h * w + y * w + x] = at; // expect-race
  }
}
__global__ void layers_ok(float *to, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w, int64_t all) { layers<false>(to, n, c, d, h, w, all); } // expect-clean
__global__ void layers_bad(float *to, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w, int64_t all) { layers<true>(to, n, c, d, h, w, all); }

int main(int, char **v) {
  int n = atoi(v[1]), columns = atoi(v[2]);
  float *from, *to;
  cudaMalloc(&from, sizeof(float) * n * n);
  cudaMalloc(&to, sizeof(float) * n * n);
  triangle_ok<<<(n * n + 255) / 256, 256>>>(from, to, n);
  triangle_bad<<<(n * n + 255) / 256, 256>>>(from, to, n);
  cudaFree(from);
  cudaFree(to);
  cudaMalloc(&from, sizeof(float) * n * columns);
  cudaMalloc(&to, sizeof(float) * n * columns);
  if (columns % 4 == 0) {
    reversed_ok<<<(n * columns / 4 + 255) / 256, 256>>>(from, to, n, columns);
    reversed_bad<<<(n * columns / 4 + 255) / 256, 256>>>(from, to, n, columns);
  }
  int rows = atoi(v[3]);
  cudaFree(to);
  cudaMalloc(&to, sizeof(float) * n * n * rows * columns);
  none_ok<<<(n * rows * columns + 255) / 256, 256>>>(to, n, rows, columns);
  none_bad<<<(n * rows * columns + 255) / 256, 256>>>(to, n, rows, columns);
  const int64_t images = 6, channels = 150, depth = 100, height = 160, width = 160, all = images * channels * depth * height * width;
  cudaMalloc(&to, sizeof(float) * all);
  layers_ok<<<(all + 255) / 256, 256>>>(to, images, channels, depth, height, width, all);
  for (int threads = 64; threads <= 512; threads *= 2)
    layers_bad<<<(all + threads - 1) / threads, threads>>>(to, images, channels, depth, height, width, all);
}
