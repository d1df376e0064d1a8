// Sums of an array, one for each block. In each round of the tree the lower half of the threads adds what the upper
// half left in shared memory, but nothing makes them wait for the round before: the barrier in the loop is missing.
//@ verdict block_sums: racy
#include <cstdio>
#include <vector>

const int block_size = 256;

__global__ void block_sums(const float *in, float *sums, int n) {
  __shared__ float partial[block_size];
  int t = threadIdx.x;
  int i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
      // expect-race@-1 {{-Wintra-block-race}} expect-race@-1 {{-Wintra-warp-race}}
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
