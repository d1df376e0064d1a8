// What memcpy_async of cooperative groups, cuda::pipeline and cuda::barrier share: a copy to shared memory handed out
// to the threads of a group, element by element, as asynchronous copies.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_ASYNC_H
#define HGRD_CUDA_ASYNC_H
#pragma GCC system_header
#include "hgrd_intrinsics.h"

template <class T> struct __hgrd_unit { enum { bytes = sizeof(T) }; };
template <> struct __hgrd_unit<void> { enum { bytes = 1 }; };
template <> struct __hgrd_unit<const void> { enum { bytes = 1 }; };

template <class Group, class T, class U>
static inline __device__ __attribute__((always_inline)) void __hgrd_async_copy_shared_out(const Group &group, T *dst,
                                                                                          const U *src, size_t bytes) {
  const size_t unit = (size_t)__hgrd_unit<T>::bytes;
  for (size_t i = group.thread_rank(); i < bytes / unit; i += group.size())
    __hgrd_async_copy((char *)dst + i * unit, (const char *)src + i * unit, (unsigned int)unit);
}
template <class Group, class T, class U>
static inline __device__ __attribute__((always_inline)) void
__hgrd_async_copy_shared_out_on(const Group &group, T *dst, const U *src, size_t bytes, void *barrier) {
  const size_t unit = (size_t)__hgrd_unit<T>::bytes;
  for (size_t i = group.thread_rank(); i < bytes / unit; i += group.size())
    __hgrd_async_copy_on((char *)dst + i * unit, (const char *)src + i * unit, (unsigned int)unit, barrier);
}

#endif
