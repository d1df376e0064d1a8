// Half precision, random numbers, matrices, textures, cub and thrust, and the helpers of the CUDA samples.
//@ call: __hgrd_pure_texture
//@ call: __hgrd_pure_curand_uniform
//@ call: __hgrd_pure_fragment_turn
//@ call: __hgrd_pure_surface_memory
//@ call: __hgrd_barrier_block
//@ call: __hgrd_atomic_rmw_16
// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cufft.h>
#include <curand_kernel.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <device_launch_parameters.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <math_constants.h>
#include <mma.h>
#include <nvToolsExt.h>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

texture<float, 2, cudaReadModeElementType> image;

__global__ void kernel(half *h, __nv_bfloat16 *b, curandState *states, float *f, cudaTextureObject_t t,
                       cudaSurfaceObject_t s, thrust::complex<float> *z) {
  using namespace nvcuda;
  int i = threadIdx.x;
  h[i] = __hfma(h[i], __float2half(2.0f), hexp(h[i + 1]));
  atomicAdd(&h[0], h[1]);
  b[i] = __float2bfloat16(__bfloat162float(b[i]) + 1.0f);
  curandState state = states[i];
  f[i] = curand_uniform(&state) + curand_normal(&state) + tex2D<float>(t, 1.0f, 2.0f) + tex2D(image, 1.0f, 2.0f);
  states[i] = state;
  surf2Dwrite(f[i], s, i * 4, 0);
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  wmma::store_matrix_sync(f, c, 16, wmma::mem_row_major);
  typedef cub::BlockReduce<float, 128> Reduce;
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ typename Reduce::TempStorage reduce_storage;
  __shared__ typename Scan::TempStorage scan_storage;
  int before;
  Scan(scan_storage).ExclusiveSum(i, before);
  float sum = Reduce(reduce_storage).Sum(f[i] + before);
  float4 v = make_float4(sum) * 2.0f + make_float4(make_float3(1.0f), CUDART_PI_F);
  thrust::tuple<int, float> both;
  thrust::tie(before, sum) = thrust::make_tuple(1, dot(v, v));
  z[i] = z[i] * z[i + 1] + exp(z[i]) + sum;
}
int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  cublasHandle_t blas;
  checkCudaErrors(cublasCreate(&blas));
  int part = (int)cublasGetCudartVersion();
  cublasAtomicsMode_t atomics;
  checkCudaErrors(cublasGetProperty(MAJOR_VERSION, &part));
  checkCudaErrors(cublasGetAtomicsMode(blas, &atomics));
  checkCudaErrors(cublasSetSmCountTarget(blas, part));
  checkCudaErrors(cublasLoggerConfigure(1, 1, 0, NULL));
  thrust::device_vector<float> d(100, 1.0f);
  thrust::host_vector<float> h = d;
  thrust::sort(d.begin(), d.end(), thrust::greater<float>());
  thrust::transform(d.begin(), d.end(), d.begin(), [] __host__ __device__(float x) { return x * x; });
  float sum = thrust::reduce(thrust::device, d.begin(), d.end(), 0.0f, thrust::plus<float>());
  auto zip = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), d.begin()));
  thrust::for_each(zip, zip + 10, [] __device__(thrust::tuple<float, float> t) { (void)thrust::get<0>(t); });
  float *p = thrust::raw_pointer_cast(d.data());
  int64_t large = 100, one = 1;
  checkCudaErrors(cublasSnrm2_64(blas, large, p, one, &sum));
  checkCudaErrors(cublasSaxpy_v2(blas, 100, &sum, p, 1, p, 1));
  checkCudaErrors(cublasSspr_v2_64(blas, CUBLAS_FILL_MODE_UPPER, large, &sum, p, one, p));
  checkCudaErrors(cublasStpsv(blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 13, p, p, 1));
  checkCudaErrors(cublasCherk(blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &sum, (cuComplex *)p, 2, &sum, (cuComplex *)p, 2));
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, p, p, 100);
  kernel<<<1, 128>>>(nullptr, nullptr, nullptr, p, 0, 0, nullptr);
  getLastCudaError("kernel");
  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  d[0] = h[1] + sum + __half2float(__float2half(1.0f));
  return (int)d[3];
}
