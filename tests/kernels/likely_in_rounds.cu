// A block sums up in each round through the same words of shared memory: in the kernels that end in bad, a slow thread reads the sum of
// a round while a warp puts down its part of the next one; in those that end in ok a barrier stands between. Whether two blocks come
// to one place of `grad` hangs on quotients by numbers of which the host says nothing, for each of twelve writes: these questions take
// the kernel's budget, and are left open. The race takes more than what is left for small questions then, as the loop around it
// goes from one number that is read to another.
//@ verdict rounds_bad: racy
//@ verdict rounds_ok: undecided
#include <cuda_runtime.h>

__device__ void put(float *grad, int index, int width, int height, int kernel, int groups, int part, float sum) {
  int w = index % width, h = index / width % height;
  int c = index / width / height % (2 * kernel * groups), b = index / width / height / (2 * kernel * groups);
  int g = c / (2 * kernel), o = c - g * 2 * kernel;
  if (o % 2 == 0) grad[((((b * groups + g) * kernel + o / 2) * height + h) * width + w) * 12 + part] = sum;
}

__device__ void spread(float *grad, int index, int n, int width, int height, int kernel, int groups, float sum) {
  if (index >= n) return;
  put(grad, index, width, height, kernel, groups, 0, sum);
  put(grad, index + 1, width, height, kernel, groups, 1, sum);
  put(grad, index + 2, width, height, kernel, groups, 2, sum);
  put(grad, index + 3, width, height, kernel, groups, 3, sum);
  put(grad, index + 4, width, height, kernel, groups, 4, sum);
  put(grad, index + 5, width, height, kernel, groups, 5, sum);
  put(grad, index + 6, width, height, kernel, groups, 6, sum);
  put(grad, index + 7, width, height, kernel, groups, 7, sum);
  put(grad, index + 8, width, height, kernel, groups, 8, sum);
  put(grad, index + 9, width, height, kernel, groups, 9, sum);
  put(grad, index + 10, width, height, kernel, groups, 10, sum);
  put(grad, index + 11, width, height, kernel, groups, 11, sum);
}

template <bool WAITS> __device__ float sum(const float *of, int count) {
  __shared__ float parts[32];
  float mine = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    mine += of[i];
  for (int step = 16; step > 0; step /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, step);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = mine; // expect-race
  __syncthreads();
  float all = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
  if (threadIdx.x < 32) {
    for (int step = 16; step > 0; step /= 2)
      all += __shfl_down_sync(0xffffffffu, all, step);
    if (threadIdx.x == 0)
      parts[0] = all;
  }
  __syncthreads();
  float result = parts[0]; // expect-race
  if (WAITS)
    __syncthreads();
  return result;
}

template <bool WAITS> __device__ void rounds(float *grad, const float *in, const int *first, int n, int width, int height, int kernel, int groups) {
  float all = 0;
  for (int k = first[blockIdx.x]; k < first[blockIdx.x + 1]; k++)
    all += sum<WAITS>(in + k * width, width);
  spread(grad, blockIdx.x * blockDim.x + threadIdx.x, n, width, height, kernel, groups, all);
}

__global__ void rounds_bad(float *grad, const float *in, const int *first, int n, int width, int height, int kernel, int groups) {
  rounds<false>(grad, in, first, n, width, height, kernel, groups);
}

__global__ void rounds_ok(float *grad, const float *in, const int *first, int n, int width, int height, int kernel, int groups) {
  rounds<true>(grad, in, first, n, width, height, kernel, groups);
}

void run(int batch, int width, int height, int kernel, int groups, float *grad, const float *in, const int *first) {
  int n = batch * height * width * 2 * kernel * groups;
  rounds_bad<<<(n + 255) / 256, 256>>>(grad, in, first, n, width, height, kernel, groups);
  rounds_ok<<<(n + 255) / 256, 256>>>(grad, in, first, n, width, height, kernel, groups);
}
