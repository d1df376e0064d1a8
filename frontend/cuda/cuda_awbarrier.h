// The barriers of C and of nvcuda::experimental, over cuda::barrier.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_AWBARRIER_H
#define HGRD_CUDA_AWBARRIER_H
#pragma GCC system_header
#include "cuda/barrier"
#ifdef __CUDA__
namespace nvcuda {
namespace experimental {
typedef cuda::barrier<cuda::thread_scope_block> awbarrier;
static inline __device__ void init(awbarrier *b, long expected) { __hgrd_opaque_sync_barrier_init(b, expected); }
} // namespace experimental
} // namespace nvcuda
typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
static inline __device__ void __mbarrier_init(__mbarrier_t *b, unsigned int expected) {
  __hgrd_opaque_sync_barrier_init(b, (long)expected);
}
static inline __device__ void __mbarrier_inval(__mbarrier_t *b) { __hgrd_opaque_sync_barrier_init(b, 0); }
static inline __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) {
  return __hgrd_opaque_sync_barrier_arrive(b, 1);
}
static inline __device__ bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token) {
  return __hgrd_opaque_sync_barrier_wait(b, token);
}
#endif
#endif
