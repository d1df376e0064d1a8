// What memcpy_async of cooperative groups, cuda::pipeline and cuda::barrier share: a copy that the threads of a group make
// together. Which thread copies which part is not specified: for the analysis each may copy any of it. Where the program
// runs (HGRD_RUN), thread r takes the elements r, r + size ...
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_ASYNC_H
#define HGRD_CUDA_ASYNC_H
#pragma GCC system_header
#include "hgrd_intrinsics.h"

#ifdef HGRD_RUN
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
#else
template <class Group, class T, class U>
static inline __device__ __attribute__((always_inline)) void __hgrd_async_copy_shared_out(const Group &, T *dst,
                                                                                          const U *src, size_t bytes) {
  __hgrd_async_part((void *)dst, (const void *)src, (unsigned int)bytes);
}
template <class Group, class T, class U>
static inline __device__ __attribute__((always_inline)) void
__hgrd_async_copy_shared_out_on(const Group &, T *dst, const U *src, size_t bytes, void *barrier) {
  __hgrd_async_part_on((void *)dst, (const void *)src, (unsigned int)bytes, barrier);
}
#endif

#endif
