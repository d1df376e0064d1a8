// The asynchronous copies of C: __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior.
// A copy that fills with zeros writes all its bytes and reads the rest.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_PIPELINE_H
#define HGRD_CUDA_PIPELINE_H
#pragma GCC system_header
#include "cuda/pipeline"
#ifdef __CUDA__
__device__ void __pipeline_memcpy_async(void *dst_shared, const void *src_global, size_t bytes, size_t zero_fill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t newest);
static inline __device__ void __pipeline_arrive_on(unsigned long long *barrier) { // __mbarrier_t
  __hgrd_mbarrier_arrive_copies(barrier);
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
