// make_char1 .. make_double4.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_VECTOR_FUNCTIONS_H
#define HGRD_CUDA_VECTOR_FUNCTIONS_H
#pragma GCC system_header
#include "vector_types.h"

#define HGRD_MAKE_OF(type, params, ...)                                                                                \
  static inline __host__ __device__ type make_##type params {                                                          \
    type v = {__VA_ARGS__};                                                                                            \
    return v;                                                                                                          \
  }
#define HGRD_MAKE(name, elem)                                                                                          \
  HGRD_MAKE_OF(name##1, (elem x), x)                                                                                   \
  HGRD_MAKE_OF(name##2, (elem x, elem y), x, y)                                                                        \
  HGRD_MAKE_OF(name##3, (elem x, elem y, elem z), x, y, z)                                                             \
  HGRD_MAKE_OF(name##4, (elem x, elem y, elem z, elem w), x, y, z, w)

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
#undef HGRD_MAKE_OF

#endif
