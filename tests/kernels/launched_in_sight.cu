// The twin of launched_blindly.cu: all launches of the program are seen.
//@ verdict alone: race-free
#include <cuda_runtime.h>

__global__ void alone(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; } // expect-clean

int main() {
  int *out, one = 1;
  cudaMalloc((void **)&out, 4096);
  alone<<<1, 64>>>(out, one);
}
