// __half and __half2, with operators, conversions and functions for both sides; see hgrd_half_ops.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_FP16_H
#define HGRD_CUDA_FP16_H
#pragma GCC system_header
#include "cuda_runtime.h"
#ifdef __CUDA__
#include "hgrd_intrinsics.h"
#define HGRD_H __half
#define HGRD_H2 __half2
#define HGRD_R _Float16
#define HGRD_RAW __half_raw
#define HGRD_N(a, b) a##half##b
#define HGRD_TWICE __half2half2
#define HGRD_JOIN __halves2half2
#include "hgrd_half_ops.h"
#undef HGRD_JOIN
#undef HGRD_TWICE
#undef HGRD_N
#undef HGRD_RAW
#undef HGRD_R
#undef HGRD_H2
#undef HGRD_H
#else
typedef struct __half {
  unsigned short x;
} __half;
typedef struct __half2 {
  __half x, y;
} __half2;
__half __float2half(float);
float __half2float(__half);
#endif
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
#endif
