// Each block works on 100 elements in 128 threads, or on tiles at the border of an image: only those inside fill shared memory, and all store their
// result, which for those outside is one of the next block's elements. That both put down the same value follows from nothing but that what is read
// has been written (A12), which it has not. With the guard around the store as well it is race-free. plain: the result of one array (bad, ok).
// border: a tile (bad: the guard asks for the row alone, ok). alike: threads without an element store what all others store there, too (ok).
//@ verdict plain_bad: racy
//@ verdict plain_ok: race-free
//@ verdict border_bad: racy
//@ verdict border_ok: race-free
//@ verdict alike_ok: race-free
#include <cuda_runtime.h>

__global__ void plain_bad(const float *in, float *out) {
  __shared__ float part[128];
  int i = blockIdx.x * 100 + threadIdx.x;
  if (threadIdx.x < 100) part[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = 2 * part[threadIdx.x]; // expect-race[plain]
}
__global__ void plain_ok(const float *in, float *out) { // expect-clean
  __shared__ float part[128];
  int i = blockIdx.x * 100 + threadIdx.x;
  if (threadIdx.x < 100) part[threadIdx.x] = in[i];
  __syncthreads();
  if (threadIdx.x < 100) out[i] = 2 * part[threadIdx.x];
}
__global__ void border_bad(const float *in, float *out, int w, int h) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  if (y < h) out[y * w + x] = 1 + tile[threadIdx.y][threadIdx.x]; // expect-race[border]
}
__global__ void border_ok(const float *in, float *out, int w, int h) { // expect-clean
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  if (x < w && y < h) out[y * w + x] = 1 + tile[threadIdx.y][threadIdx.x];
}
__global__ void alike_ok(float *out) {
  __shared__ float part[128];
  int i = blockIdx.x * 100 + threadIdx.x;
  part[threadIdx.x] = 3;
  __syncthreads();
  out[i] = 2 * part[threadIdx.x]; // expect-same-value
}

int main(int argc, char **) {
  float *in, *out;
  int w = 100 + argc, h = 90 + argc;
  cudaMalloc(&in, 200 * 200 * sizeof(float));
  cudaMalloc(&out, 200 * 200 * sizeof(float));
  plain_bad<<<100, 128>>>(in, out);
  plain_ok<<<100, 128>>>(in, out);
  dim3 blocks((w + 15) / 16, (h + 15) / 16), threads(16, 16);
  border_bad<<<blocks, threads>>>(in, out, w, h);
  border_ok<<<blocks, threads>>>(in, out, w, h);
  alike_ok<<<100, 128>>>(out);
  cudaDeviceSynchronize();
}
