// make_char1 .. make_double4.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_VECTOR_FUNCTIONS_H
#define HGRD_CUDA_VECTOR_FUNCTIONS_H
#pragma GCC system_header
#include "vector_types.h"

#define HGRD_MAKE(name, elem)                                                                                          \
  static inline __host__ __device__ name##1 make_##name##1(elem x) {                                                   \
    name##1 v = {x};                                                                                                   \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ name##2 make_##name##2(elem x, elem y) {                                           \
    name##2 v = {x, y};                                                                                                \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ name##3 make_##name##3(elem x, elem y, elem z) {                                   \
    name##3 v = {x, y, z};                                                                                             \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ name##4 make_##name##4(elem x, elem y, elem z, elem w) {                           \
    name##4 v = {x, y, z, w};                                                                                          \
    return v;                                                                                                          \
  }

HGRD_MAKE(char, signed char)
HGRD_MAKE(uchar, unsigned char)
HGRD_MAKE(short, short)
HGRD_MAKE(ushort, unsigned short)
HGRD_MAKE(int, int)
HGRD_MAKE(uint, unsigned int)
HGRD_MAKE(long, long)
HGRD_MAKE(ulong, unsigned long)
HGRD_MAKE(longlong, long long)
HGRD_MAKE(ulonglong, unsigned long long)
HGRD_MAKE(float, float)
HGRD_MAKE(double, double)
#undef HGRD_MAKE

#endif
