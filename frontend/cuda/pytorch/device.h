// What kernels of PyTorch's extensions call: atomics on its types, exchanges within a warp, loops over a grid, mathematics.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_DEVICE_H
#define HGRD_PYTORCH_DEVICE_H
#pragma GCC system_header
#include <pytorch/scalars.h>
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                                              \
  int64_t _i_n_d_e_x = ((int64_t)blockIdx.x) * blockDim.x + threadIdx.x;                                               \
  for (type i = (type)_i_n_d_e_x; _i_n_d_e_x < (n); _i_n_d_e_x += blockDim.x * gridDim.x, i = (type)_i_n_d_e_x)
#ifndef CUDA_KERNEL_LOOP
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#endif
#define CUDA_KERNEL_ASSERT(x) assert(x)
template <class T> __device__ inline T WARP_SHFL(T v, int lane, int width = warpSize, unsigned m = 0xffffffffu) {
  return __shfl_sync(m, v, lane, width);
}
template <class T> __device__ inline T WARP_SHFL_XOR(T v, int mask, int width = warpSize, unsigned m = 0xffffffffu) {
  return __shfl_xor_sync(m, v, mask, width);
}
template <class T> __device__ inline T WARP_SHFL_UP(T v, unsigned d, int width = warpSize, unsigned m = 0xffffffffu) {
  return __shfl_up_sync(m, v, d, width);
}
template <class T> __device__ inline T WARP_SHFL_DOWN(T v, unsigned d, int width = warpSize, unsigned m = 0xffffffffu) {
  return __shfl_down_sync(m, v, d, width);
}
__device__ inline unsigned WARP_BALLOT(int p, unsigned m = 0xffffffffu) { return __ballot_sync(m, p); }
__device__ inline void WARP_SYNC(unsigned m = 0xffffffffu) { __syncwarp(m); }
__device__ inline __half __shfl_up(__half v, unsigned d, int width = 32) { return __shfl_up_sync(~0u, v, d, width); }
__device__ inline __half __shfl_down(__half v, unsigned d, int width = 32) { return __shfl_down_sync(~0u, v, d, width); }
__device__ inline c10::Half atomicAdd(c10::Half *p, c10::Half v) {
  return c10::Half(::atomicAdd(reinterpret_cast<__half *>(p), v.hgrd_raw()));
}
__device__ inline c10::BFloat16 atomicAdd(c10::BFloat16 *p, c10::BFloat16 v) {
  return c10::BFloat16(::atomicAdd(reinterpret_cast<__nv_bfloat16 *>(p), v.hgrd_raw()));
}
__device__ inline int64_t atomicAdd(int64_t *p, int64_t v) {
  return (int64_t)::atomicAdd(reinterpret_cast<unsigned long long *>(p), (unsigned long long)v);
}
template <class T> __device__ inline T gpuAtomicAdd(T *p, T v) { return atomicAdd(p, v); }
template <class T> __device__ inline void gpuAtomicAddNoReturn(T *p, T v) { (void)atomicAdd(p, v); }
namespace c10 {
__device__ inline Half __ldg(const Half *p) { return *p; }
__device__ inline BFloat16 __ldg(const BFloat16 *p) { return *p; }
} // namespace c10
namespace at {
template <class A, class B> constexpr HGRD_BOTH A ceil_div(A a, B b) { return (a + b - 1) / b; }
template <class T> HGRD_BOTH bool _isnan(T v) { return v != v; }
template <class T> struct numeric_limits {
  static HGRD_BOTH T lowest() { return (T)std::numeric_limits<typename c10::hgrd_computes<T>::t>::lowest(); }
  static HGRD_BOTH T max() { return (T)std::numeric_limits<typename c10::hgrd_computes<T>::t>::max(); }
  static HGRD_BOTH T lower_bound() { return lowest(); }
  static HGRD_BOTH T upper_bound() { return max(); }
};
template <class T> HGRD_BOTH bool _isinf(T v) { return v == v && v - v != v - v; }
namespace cuda {
template <class A, class B> constexpr HGRD_BOTH A ATenCeilDiv(A a, B b) { return ceil_div(a, b); }
namespace detail {
constexpr int CUDA_NUM_THREADS = 1024;
inline int GET_BLOCKS(int64_t n, int64_t threads = CUDA_NUM_THREADS) { return (int)ceil_div(n, threads); }
} // namespace detail
} // namespace cuda
} // namespace at
#endif
