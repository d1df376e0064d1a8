// The asynchronous copies of C: __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior.
// A copy that fills with zeros writes all its bytes and reads the rest.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_PIPELINE_H
#define HGRD_CUDA_PIPELINE_H
#pragma GCC system_header
#include "cuda/pipeline"
#ifdef __CUDA__
static inline __device__ __attribute__((always_inline)) void
__pipeline_memcpy_async(void *dst_shared, const void *src_global, unsigned int bytes, size_t zero_fill = 0) {
  if (__builtin_constant_p(zero_fill) && zero_fill == 0)
    __hgrd_async_copy(dst_shared, src_global, bytes);
  else
    __hgrd_async_copy_part(dst_shared, src_global, bytes, bytes - (unsigned int)zero_fill);
}
static inline __device__ __attribute__((always_inline)) void __pipeline_commit() { __hgrd_async_commit(); }
static inline __device__ __attribute__((always_inline)) void __pipeline_wait_prior(int newest) {
  __hgrd_async_wait(newest);
}
namespace nvcuda {
namespace experimental {
typedef cuda::pipeline<cuda::thread_scope_thread> pipeline;
template <class T> static inline __device__ void memcpy_async(T &dst, const T &src, pipeline &) {
  __hgrd_async_copy((void *)&dst, (const void *)&src, (unsigned int)sizeof(T));
}
} // namespace experimental
} // namespace nvcuda
#endif
#endif
