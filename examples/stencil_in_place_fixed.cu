// The twin of stencil_in_place.cu: a step reads one array and writes another, and the two change places between steps.
//@ verdict heat_step: race-free
#include <utility>

__global__ void heat_step(const float *in, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i] + 0.1f * (in[i - 1] - 2 * in[i] + in[i + 1]);
}

int main() {
  const int n = 10000;
  float *d_in, *d_out;
  cudaMalloc((void **)&d_in, n * sizeof(float));
  cudaMalloc((void **)&d_out, n * sizeof(float));
  cudaMemset(d_in, 0, n * sizeof(float));
  cudaMemset(d_out, 0, n * sizeof(float));
  for (int step = 0; step < 100; step++) {
    heat_step<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    std::swap(d_in, d_out);
  }
  cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
