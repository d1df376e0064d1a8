// __nv_bfloat16 and __nv_bfloat162, with operators, conversions and functions for both sides; see hgrd_half_ops.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_BF16_H
#define HGRD_CUDA_BF16_H
#pragma GCC system_header
#include "cuda_runtime.h"
#ifdef __CUDA__
#include "hgrd_intrinsics.h"
#define HGRD_H __nv_bfloat16
#define HGRD_H2 __nv_bfloat162
#define HGRD_R __bf16
#define HGRD_RAW __nv_bfloat16_raw
#define HGRD_N(a, b) a##bfloat16##b
#define HGRD_TWICE __bfloat162bfloat162
#define HGRD_JOIN __halves2bfloat162
#include "hgrd_half_ops.h"
#undef HGRD_JOIN
#undef HGRD_TWICE
#undef HGRD_N
#undef HGRD_RAW
#undef HGRD_R
#undef HGRD_H2
#undef HGRD_H
#else
typedef struct __nv_bfloat16 {
  unsigned short x;
} __nv_bfloat16;
typedef struct __nv_bfloat162 {
  __nv_bfloat16 x, y;
} __nv_bfloat162;
__nv_bfloat16 __float2bfloat16(float);
float __bfloat162float(__nv_bfloat16);
#endif
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
