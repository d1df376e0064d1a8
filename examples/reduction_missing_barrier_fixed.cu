// The twin of reduction_missing_barrier.cu: each round of the tree ends with a barrier for all threads of the block.
//@ verdict block_sums: race-free
#include <cstdio>
#include <vector>

const int block_size = 256;

__global__ void block_sums(const float *in, float *sums, int n) { // expect-clean
  __shared__ float partial[block_size];
  int t = threadIdx.x;
  int i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = partial[0];
}

int main() {
  const int n = 1 << 20;
  const int blocks = (n + block_size - 1) / block_size;
  std::vector<float> in(n, 1.0f), sums(blocks);
  float *d_in, *d_sums;
  cudaMalloc((void **)&d_in, n * sizeof(float));
  cudaMalloc((void **)&d_sums, blocks * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  block_sums<<<blocks, block_size>>>(d_in, d_sums, n);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("first sum: %g\n", sums[0]);
  cudaFree(d_in);
  cudaFree(d_sums);
  return 0;
}
