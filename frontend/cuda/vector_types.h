// The built-in vector types char1 .. double4 and dim3, with CUDA's sizes and alignments (accesses of several elements
// at once are checked by their bytes, so these must agree with the real ones). For C, C++ and both sides of .cu files.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_VECTOR_TYPES_H
#define HGRD_CUDA_VECTOR_TYPES_H
#pragma GCC system_header
#include "crt/host_defines.h"

#define HGRD_VECTOR(name, elem, bytes2, bytes4)                                                                        \
  struct name##1 { elem x; };                                                                                          \
  struct __attribute__((aligned(bytes2))) name##2 { elem x, y; };                                                      \
  struct name##3 { elem x, y, z; };                                                                                    \
  struct __attribute__((aligned(bytes4))) name##4 { elem x, y, z, w; };                                                \
  typedef struct name##1 name##1;                                                                                      \
  typedef struct name##2 name##2;                                                                                      \
  typedef struct name##3 name##3;                                                                                      \
  typedef struct name##4 name##4;

HGRD_VECTOR(char, signed char, 2, 4)
HGRD_VECTOR(uchar, unsigned char, 2, 4)
HGRD_VECTOR(short, short, 4, 8)
HGRD_VECTOR(ushort, unsigned short, 4, 8)
HGRD_VECTOR(int, int, 8, 16)
HGRD_VECTOR(uint, unsigned int, 8, 16)
HGRD_VECTOR(long, long, 16, 16)
HGRD_VECTOR(ulong, unsigned long, 16, 16)
HGRD_VECTOR(longlong, long long, 16, 16)
HGRD_VECTOR(ulonglong, unsigned long long, 16, 16)
HGRD_VECTOR(float, float, 8, 16)
HGRD_VECTOR(double, double, 16, 16)
#undef HGRD_VECTOR

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
  __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const {
    uint3 v = {x, y, z};
    return v;
  }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
