// Counts bytes. Two threads that see the same byte read, add and write one counter, and one of the counts is lost. Whether
// that happens depends on the data, so the race is a possible one; the report names the two elements that must be equal.
//@ verdict histogram: racy
#include <cstdio>
#include <vector>

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    bins[data[i]] += 1;
    // expect-race@-1 {{possible}}
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
