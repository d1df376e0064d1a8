// The twin of histogram_without_atomics.cu: the counters are raised by an atomic operation.
//@ verdict histogram: race-free
#include <cstdio>
#include <vector>

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i]], 1u);
}

int main() {
  const int n = 1 << 16;
  std::vector<unsigned char> data(n);
  fread(data.data(), 1, n, stdin);
  unsigned char *d_data;
  unsigned *d_bins;
  cudaMalloc((void **)&d_data, n);
  cudaMalloc((void **)&d_bins, 256 * sizeof(unsigned));
  cudaMemset(d_bins, 0, 256 * sizeof(unsigned));
  cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice);
  histogram<<<n / 256, 256>>>(d_data, d_bins, n);
  cudaDeviceSynchronize();
  cudaFree(d_data);
  cudaFree(d_bins);
  return 0;
}
