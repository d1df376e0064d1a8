// Fence and scope. xlite-dev/LeetCUDA #251: a softmax over many blocks adds the exponentials of all blocks to one word, and reads it
// back behind a __threadfence(), as if a fence would wait for the other blocks.
// A block reads the sum while another adds to it [sum]. Fixed: the division is a kernel of its own, behind the first.
//@ pairs: exact
//@ verdict softmax: racy
//@ verdict softmax_sum_fixed: race-free
//@ verdict softmax_divide_fixed: race-free
#include <cstdlib>

__global__ void softmax(const float *x, float *y, float *total, int n) {
  __shared__ float parts[8];
  int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  float exponential = i < n ? expf(x[i]) : 0, sum = exponential;
  for (int mask = 16; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (tid % 32 == 0)
    parts[tid / 32] = sum;
  __syncthreads();
  if (tid == 0) {
    for (int w = 1; w < 8; w++)
      sum += parts[w];
    atomicAdd(total, sum); // expect-race[sum](inter-block,intra-block,intra-warp)
  }
  __threadfence();
  if (i < n)
    y[i] = exponential / *total; // expect-race[sum](inter-block,intra-block,intra-warp)
}

__global__ void softmax_sum_fixed(const float *x, float *y, float *total, int n) { // expect-clean
  __shared__ float parts[8];
  int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  float exponential = i < n ? expf(x[i]) : 0, sum = exponential;
  if (i < n)
    y[i] = exponential;
  for (int mask = 16; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (tid % 32 == 0)
    parts[tid / 32] = sum;
  __syncthreads();
  if (tid == 0) {
    for (int w = 1; w < 8; w++)
      sum += parts[w];
    atomicAdd(total, sum);
  }
}

__global__ void softmax_divide_fixed(float *y, const float *total, int n) { // expect-clean
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] /= *total;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = (n + 255) / 256;
  float *x, *y, *total;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  softmax<<<blocks, 256>>>(x, y, total, n);
  cudaMemset(total, 0, sizeof(float));
  softmax_sum_fixed<<<blocks, 256>>>(x, y, total, n);
  softmax_divide_fixed<<<blocks, 256>>>(y, total, n);
}
