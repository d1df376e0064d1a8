// The runtime and the libraries in plain C.
// SPDX-License-Identifier: Apache-2.0
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <nccl.h>
#include <mpi.h>
#include <nvToolsExt.h>
#include <nvrtc.h>
#include <omp.h>

int main(void) {
  float *p;
  dim3 one = {1, 1, 1};
  struct cudaDeviceProp prop;
  cudaMalloc((void **)&p, 10);
  cudaMemcpy(p, p, 1, cudaMemcpyHostToDevice);
  cudaLaunchKernel(p, one, one, 0, 0, 0);
  cudaGetDeviceProperties(&prop, 0);
  return (int)cudaGetLastError();
}
