// The twin of globals_beside_mathematics.cu: what wave() does is not seen. It may know where the variables are, and have put the address of one
// into another, so that what comes back from the device is written there.
//@ verdict shift_bad: racy
#include <cmath>
#include <cuda_runtime.h>

double *in, *out, *back;

__global__ void shift_bad(const double *from, double *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    to[i] = from[i + 1]; // expect-race
}

double wave(double x);

void rounds(int n, int count, double first) {
  double sum = first;
  for (int r = 0; r < count; r++) {
    cudaMemcpy(in, &sum, sizeof sum, cudaMemcpyDefault);
    shift_bad<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaMemcpyAsync(back, out, sizeof(double), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    sum += wave(back[0]);
  }
}

int main(int argc, char **argv) {
  int n = argc * 1000;
  cudaMallocHost(&back, sizeof(double));
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  for (int i = 0; i < 3; i++)
    rounds(n, argc, i);
}
