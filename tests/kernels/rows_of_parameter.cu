// A matrix that is passed by value gives a row as an object of its own, which keeps a pointer to the strides in the matrix: the kernel reads its
// parameter over a pointer into it.
// ok: each thread writes the row of its number. bad: the host says rows that are one place too close.
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

struct Row {
  float *data;
  const long *strides;
  __device__ float &operator[](long j) { return data[strides[0] * j]; }
};
struct Matrix {
  float *data;
  long sizes[2], strides[2];
  __device__ Row operator[](long i) { return Row{data + strides[0] * i, strides + 1}; }
};

__device__ void fill(Matrix &m) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m.sizes[0]) return;
  for (long j = 0; j < m.sizes[1]; j++)
    m[i][j] = i; // expect-race
}
__global__ void rows_ok(Matrix m) { fill(m); } // expect-clean
__global__ void rows_bad(Matrix m) { fill(m); }

int main(int, char **v) {
  long n = atoi(v[1]), c = atoi(v[2]);
  if (n < 1 || c < 2) return 1;
  float *data;
  cudaMalloc(&data, n * c * 4);
  Matrix apart = {data, {n, c}, {c, 1}}, close = {data, {n, c}, {c - 1, 1}};
  rows_ok<<<(n + 255) / 256, 256>>>(apart);
  rows_bad<<<(n + 255) / 256, 256>>>(close);
}
