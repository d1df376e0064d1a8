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
#include <mpi.h>
#include <omp.h>
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
  double mine = omp_get_wtime(), all = 0;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  cuda::atomic<int> n(1);
  n++;
  return (int)a.x + n.load();
}
