// A definite race within a warp, at a place that is a constant, in a kernel whose other pairs are far-fetched: whether
// two blocks come to one place of `grad` hangs on four quotients by numbers of which the host says nothing, for each of
// twelve writes. They take the kernel's budget; what is left goes to the cheapest pairs first.
// In the twin the lanes wait for each other, and only the far-fetched pairs are left open.
//@ verdict close_bad: racy
//@ verdict close_ok: undecided
#include <cuda_runtime.h>

__device__ void put(float *grad, int index, int width, int height, int kernel, int groups, int part) {
  int w = index % width, h = index / width % height;
  int c = index / width / height % (2 * kernel * groups), b = index / width / height / (2 * kernel * groups);
  int g = c / (2 * kernel), o = c - g * 2 * kernel;
  if (o % 2 == 0) grad[((((b * groups + g) * kernel + o / 2) * height + h) * width + w) * 12 + part] = index;
}

__device__ void spread(float *grad, int index, int n, int width, int height, int kernel, int groups) {
  if (index >= n) return;
  put(grad, index, width, height, kernel, groups, 0);
  put(grad, index + 1, width, height, kernel, groups, 1);
  put(grad, index + 2, width, height, kernel, groups, 2);
  put(grad, index + 3, width, height, kernel, groups, 3);
  put(grad, index + 4, width, height, kernel, groups, 4);
  put(grad, index + 5, width, height, kernel, groups, 5);
  put(grad, index + 6, width, height, kernel, groups, 6);
  put(grad, index + 7, width, height, kernel, groups, 7);
  put(grad, index + 8, width, height, kernel, groups, 8);
  put(grad, index + 9, width, height, kernel, groups, 9);
  put(grad, index + 10, width, height, kernel, groups, 10);
  put(grad, index + 11, width, height, kernel, groups, 11);
}

__global__ void close_bad(float *grad, float *out, int n, int width, int height, int kernel, int groups) {
  __shared__ float turn[2];
  spread(grad, blockIdx.x * blockDim.x + threadIdx.x, n, width, height, kernel, groups);
  if (threadIdx.x == 3) turn[1] = blockIdx.x;        // expect-race(intra-warp)
  if (threadIdx.x == 4) out[blockIdx.x] = turn[1];   // expect-race(intra-warp)
}

__global__ void close_ok(float *grad, float *out, int n, int width, int height, int kernel, int groups) {
  __shared__ float turn[2];
  spread(grad, blockIdx.x * blockDim.x + threadIdx.x, n, width, height, kernel, groups);
  if (threadIdx.x == 3) turn[1] = blockIdx.x;
  __syncwarp();
  if (threadIdx.x == 4) out[blockIdx.x] = turn[1];
}

void run(int batch, int width, int height, int kernel, int groups, float *grad, float *out) {
  int n = batch * height * width * 2 * kernel * groups;
  close_bad<<<(n + 255) / 256, 256>>>(grad, out, n, width, height, kernel, groups);
  close_ok<<<(n + 255) / 256, 256>>>(grad, out, n, width, height, kernel, groups);
}
