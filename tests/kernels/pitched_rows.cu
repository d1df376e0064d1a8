// Rows that lie close together are spread to wider ones: `id % d + id / d * pitch`, by threads that go on by the number of all threads.
// planes: planes without the last two columns go into planes with them (ok); into planes that are one column smaller yet (bad).
// signed: the same in int (ok), with planes that a sum of the host makes too small (bad).
//@ verdict planes_ok: race-free
//@ verdict planes_bad: racy
//@ verdict signed_ok: race-free
//@ verdict signed_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

template <class T> __device__ void spread(float *out, const float *in, T count, T rows, T cols, T pitch) {
  for (T id = (T)blockIdx.x * blockDim.x + threadIdx.x; id < count; id += blockDim.x * gridDim.x) {
    T at = id % (rows * (cols - 2)) + id / (rows * (cols - 2)) * pitch + rows;
    out[at] = in[at] + id; // expect-race[spread](every)
  }
}
__global__ void planes_ok(float *out, const float *in, size_t n, size_t rows, size_t cols) { // expect-clean
  spread<size_t>(out, in, n * rows * (cols - 2), rows, cols, rows * cols);
}
__global__ void planes_bad(float *out, const float *in, size_t n, size_t rows, size_t cols) {
  spread<size_t>(out, in, n * rows * (cols - 2), rows, cols, rows * (cols - 3));
}
__global__ void signed_ok(float *out, const float *in, int n, int rows, int cols) { // expect-clean
  spread<int>(out, in, n * rows * (cols - 2), rows, cols, rows * cols);
}
__global__ void signed_bad(float *out, const float *in, int n, int rows, int cols) {
  spread<int>(out, in, n * rows * (cols - 2), rows, cols, rows * (cols - 3));
}

int main(int, char **v) {
  int rows = atoi(v[1]), cols = atoi(v[2]), n = atoi(v[3]);
  if (rows < 1 || cols < 4 || n < 1) return 1;
  float *a, *b;
  cudaMalloc(&a, (size_t)rows * cols * n * 4);
  cudaMalloc(&b, (size_t)rows * cols * n * 4);
  planes_ok<<<512, 128>>>(b, a, n, rows, cols);
  planes_bad<<<512, 128>>>(b, a, n, rows, cols);
  signed_ok<<<512, 128>>>(b, a, n, rows, cols);
  signed_bad<<<512, 128>>>(b, a, n, rows, cols);
}
