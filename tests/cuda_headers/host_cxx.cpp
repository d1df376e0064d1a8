// The same headers in a plain C++ file: attributes are empty words, kernels come from elsewhere.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <helper_math.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

__host__ __device__ inline int twice(int x) { return 2 * x; }
void launch(float *data, dim3 grid);

int main() {
  float *p;
  checkCudaErrors(cudaMalloc(&p, 10));
  thrust::device_vector<float> v(10);
  thrust::sort(v.begin(), v.end());
  float4 a = make_float4(1, 2, 3, 4) * 2.f;
  launch(p, dim3(twice(1)));
  cuda::atomic<int> n(1);
  n++;
  return (int)a.x + n.load();
}
