// Atomic. vllm-project/vllm #30719: a product of matrices that blocks compute by parts of the inner dimension, adding up with atomic
// operations, was set to zero by the blocks of the first part, with a __syncthreads() behind it, which other blocks do not wait for.
// The plain zero of a block meets the atomic additions of the blocks for the other parts [zero]. Fixed: the output is zero before the
// launch. The row of the input in shared memory is written before the barrier.
//@ pairs: exact
//@ verdict gptq_gemm: racy
//@ verdict gptq_gemm_fixed: race-free
#include <cstdlib>

const int PART = 128;

__global__ void gptq_gemm(const float *a, const unsigned *b, float *c, int n, int k) {
  __shared__ float row[PART];
  int column = blockIdx.x * PART + threadIdx.x, first = blockIdx.z * PART;
  row[threadIdx.x] = first + threadIdx.x < k ? a[blockIdx.y * k + first + threadIdx.x] : 0;
  if (column >= n)
    return;
  if (blockIdx.z == 0)
    c[blockIdx.y * n + column] = 0; // expect-race[zero](inter-block)
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < PART; i++)
    sum += row[i] * (int)((b[(first + i) / 8 * n + column] >> (i % 8 * 4) & 15) - 8);
  atomicAdd(&c[blockIdx.y * n + column], sum); // expect-race[zero](inter-block)
}

__global__ void gptq_gemm_fixed(const float *a, const unsigned *b, float *c, int n, int k) { // expect-clean
  __shared__ float row[PART];
  int column = blockIdx.x * PART + threadIdx.x, first = blockIdx.z * PART;
  row[threadIdx.x] = first + threadIdx.x < k ? a[blockIdx.y * k + first + threadIdx.x] : 0;
  __syncthreads();
  if (column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < PART; i++)
    sum += row[i] * (int)((b[(first + i) / 8 * n + column] >> (i % 8 * 4) & 15) - 8);
  atomicAdd(&c[blockIdx.y * n + column], sum);
}

int main(int argc, char **argv) {
  int m = atoi(argv[1]), n = 128 * atoi(argv[2]), k = 128 * atoi(argv[3]);
  float *a, *c;
  unsigned *b;
  cudaMalloc(&a, m * k * sizeof(float));
  cudaMalloc(&b, k / 8 * n * sizeof(unsigned));
  cudaMalloc(&c, m * n * sizeof(float));
  dim3 grid((n + PART - 1) / PART, m, (k + PART - 1) / PART);
  gptq_gemm<<<grid, PART>>>(a, b, c, n, k);
  cudaMemset(c, 0, m * n * sizeof(float));
  gptq_gemm_fixed<<<grid, PART>>>(a, b, c, n, k);
}
