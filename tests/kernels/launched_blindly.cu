// A launch in a way that is not followed may be of any kernel, with any arguments: what the other launches of the program say of them
// is not all there is. A launch on several devices, whose parameters stand in a list.
//@ verdict alone: undecided
#include <cuda_runtime.h>

__global__ void alone(int *out, int n) { out[threadIdx.x * n] = threadIdx.x; }

int main() {
  int *out, one = 1, none = 0;
  cudaMalloc((void **)&out, 4096);
  alone<<<1, 64>>>(out, one);
  void *args[] = {&out, &none};
  cudaLaunchParams params = {};
  params.func = (void *)alone;
  params.gridDim = dim3(1);
  params.blockDim = dim3(64);
  params.args = args;
  cudaLaunchCooperativeKernelMultiDevice(&params, 1, 0);
}
