// A sum in two launches: each block sums its part in shared memory and writes one word, then one block sums these words. All
// writes of the last kernel to `result` come from thread 0 of a block, and the host launches it with one block. Broken: with
// as many blocks as the first kernel, they all write that word [ww].
//@ pairs: exact
//@ verdict blockReduce: race-free
//@ verdict reduceFinal: race-free
//@ verdict reduceFinal_broken: racy
#include <cstdlib>

__global__ void blockReduce(const float *in, float *out, int n) { // expect-clean
  __shared__ float part[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

__global__ void reduceFinal(const float *in, float *result, int n) { // expect-clean
  __shared__ float part[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    result[0] = part[0];
}

__global__ void reduceFinal_broken(const float *in, float *result, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    result[0] = part[0]; // expect-race[ww](inter-block)
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = (n + 255) / 256;
  float *in, *part, *result;
  cudaMalloc((void **)&in, n * sizeof(float));
  cudaMalloc((void **)&part, blocks * sizeof(float));
  cudaMalloc((void **)&result, sizeof(float));
  blockReduce<<<blocks, 256>>>(in, part, n);
  reduceFinal<<<1, 256>>>(part, result, blocks);
  reduceFinal_broken<<<blocks, 256>>>(part, result, blocks);
  return 0;
}
