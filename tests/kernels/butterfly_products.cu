// A sum over a warp leaves the same bits in all lanes, unless its first step may be rounded together with a product: nvcc makes
// one operation of `x * y + other` (-fmad=true), and each lane rounds its own product only once.
// sums: of values that were read. products: of products. maxima: of products, which nothing is rounded with.
//@ verdict sums: race-free
//@ verdict products: racy
//@ verdict products_in_a_row: racy
//@ verdict maxima: race-free
#include <cuda_runtime.h>

__device__ void tell(int *s, float v) {
  if (v > 0.5f) {
    if (threadIdx.x == 0) *s = 1; // expect-race[tell]
  } else if (threadIdx.x == 16)
    *s = 2; // expect-race[tell]
}

__global__ void sums(const float *x, const float *, int *out) { // expect-clean
  __shared__ int s;
  float v = x[threadIdx.x];
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  tell(&s, v);
  __syncthreads();
  out[threadIdx.x] = s;
}

__global__ void products(const float *x, const float *y, int *out) {
  __shared__ int s;
  float v = x[threadIdx.x] * y[threadIdx.x];
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  tell(&s, v);
  __syncthreads();
  out[threadIdx.x] = s;
}

__global__ void products_in_a_row(const float *x, const float *y, int *out) {
  __shared__ int s;
  float v = -(x[threadIdx.x] * y[threadIdx.x]);
  v += __shfl_xor_sync(~0u, v, 16);
  v += __shfl_xor_sync(~0u, v, 8);
  v += __shfl_xor_sync(~0u, v, 4);
  v += __shfl_xor_sync(~0u, v, 2);
  v += __shfl_xor_sync(~0u, v, 1);
  tell(&s, v);
  __syncthreads();
  out[threadIdx.x] = s;
}

__global__ void maxima(const float *x, const float *y, int *out) { // expect-clean
  __shared__ int s;
  float v = x[threadIdx.x] * y[threadIdx.x];
  for (int d = 16; d; d >>= 1) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
  tell(&s, v);
  __syncthreads();
  out[threadIdx.x] = s;
}

int main() {
  float *x, *y;
  int *out;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaMalloc(&out, 128);
  sums<<<1, 32>>>(x, y, out);
  products<<<1, 32>>>(x, y, out);
  products_in_a_row<<<1, 32>>>(x, y, out);
  maxima<<<1, 32>>>(x, y, out);
  return (int)cudaDeviceSynchronize();
}
