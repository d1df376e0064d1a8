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
static inline __device__ void init(awbarrier *b, long expected) { __hgrd_mbarrier_init(b, (unsigned int)expected); }
} // namespace experimental
} // namespace nvcuda
typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
static inline __device__ void __mbarrier_init(__mbarrier_t *b, unsigned int expected) {
  __hgrd_mbarrier_init(b, expected);
}
static inline __device__ void __mbarrier_inval(__mbarrier_t *b) { __hgrd_mbarrier_invalidate(b); }
static inline __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) {
  return __hgrd_mbarrier_arrive(b, 1, HGRD_ORDER_RELEASE, HGRD_SCOPE_BLOCK);
}
static inline __device__ bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token) {
  return __hgrd_mbarrier_test(b, token, HGRD_ORDER_ACQUIRE, HGRD_SCOPE_BLOCK);
}
static inline __device__ bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t token, unsigned int) {
  return __hgrd_mbarrier_test(b, token, HGRD_ORDER_ACQUIRE, HGRD_SCOPE_BLOCK);
}
static inline __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) {
  return __hgrd_mbarrier_test_parity(b, parity, HGRD_ORDER_ACQUIRE, HGRD_SCOPE_BLOCK);
}
static inline __device__ bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, unsigned int) {
  return __hgrd_mbarrier_test_parity(b, parity, HGRD_ORDER_ACQUIRE, HGRD_SCOPE_BLOCK);
}
static inline __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) {
  return __hgrd_mbarrier_arrive_drop(b, 1, HGRD_ORDER_RELEASE, HGRD_SCOPE_BLOCK);
}
#endif
#endif
