// Eight-bit floats as storage: conversions are pure calls of unknown value (hgrd-run has them in rt/machine/library_fp8.c).
// Left out: the formats of exponents alone (e8m0).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_FP8_H
#define HGRD_CUDA_FP8_H
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#ifdef __CUDA__
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
extern "C" {
// The kind is that of the interpretation; with 2 added, what is too large does not become the largest number.
unsigned int __hgrd_host_fp8(float value, int kind);
float __hgrd_host_float_of_fp8(unsigned int value, int kind);
__device__ unsigned int __hgrd_pure_fp8(float value, int kind);
__device__ float __hgrd_pure_float_of_fp8(unsigned int value, int kind);
}
#ifdef __CUDA_ARCH__
#define HGRD_FP8(v, k) (unsigned char)__hgrd_pure_fp8(v, k)
#define HGRD_FLOAT(v, k) __hgrd_pure_float_of_fp8(v, k)
#else
#define HGRD_FP8(v, k) (unsigned char)__hgrd_host_fp8(v, k)
#define HGRD_FLOAT(v, k) __hgrd_host_float_of_fp8(v, k)
#endif
#define HGRD_FP8_TYPE(name, kind)                                                                                      \
  struct name {                                                                                                        \
    __nv_fp8_storage_t __x;                                                                                            \
    name() = default;                                                                                                  \
    explicit __host__ __device__ name(float v) : __x(HGRD_FP8(v, kind)) {}                                             \
    explicit __host__ __device__ name(double v) : __x(HGRD_FP8((float)v, kind)) {}                                     \
    explicit __host__ __device__ name(int v) : __x(HGRD_FP8((float)v, kind)) {}                                        \
    explicit __host__ __device__ name(__half v) : __x(HGRD_FP8((float)v, kind)) {}                                     \
    explicit __host__ __device__ name(__nv_bfloat16 v) : __x(HGRD_FP8((float)v, kind)) {}                              \
    explicit __host__ __device__ operator float() const { return HGRD_FLOAT(__x, kind); }                              \
    explicit __host__ __device__ operator double() const { return HGRD_FLOAT(__x, kind); }                             \
    explicit __host__ __device__ operator __half() const { return __half(HGRD_FLOAT(__x, kind)); }                     \
  };
HGRD_FP8_TYPE(__nv_fp8_e4m3, 0)
HGRD_FP8_TYPE(__nv_fp8_e5m2, 1)
#undef HGRD_FP8_TYPE
#define HGRD_FP8_PACK(name, kind)                                                                                      \
  struct __attribute__((aligned(2))) __nv_fp8x2_##name {                                                               \
    __nv_fp8x2_storage_t __x;                                                                                          \
    __nv_fp8x2_##name() = default;                                                                                     \
    explicit __host__ __device__ __nv_fp8x2_##name(float2 v)                                                           \
        : __x((__nv_fp8x2_storage_t)(HGRD_FP8(v.x, kind) | HGRD_FP8(v.y, kind) << 8)) {}                               \
    explicit __host__ __device__ __nv_fp8x2_##name(__half2 v) : __nv_fp8x2_##name(__half22float2(v)) {}                \
    explicit __host__ __device__ __nv_fp8x2_##name(__nv_bfloat162 v) : __nv_fp8x2_##name(__bfloat1622float2(v)) {}     \
    explicit __host__ __device__ operator float2() const {                                                             \
      return make_float2(HGRD_FLOAT(__x & 255, kind), HGRD_FLOAT(__x >> 8, kind));                                     \
    }                                                                                                                  \
  };                                                                                                                   \
  struct __attribute__((aligned(4))) __nv_fp8x4_##name {                                                               \
    __nv_fp8x4_storage_t __x;                                                                                          \
    __nv_fp8x4_##name() = default;                                                                                     \
    explicit __host__ __device__ __nv_fp8x4_##name(float4 v)                                                           \
        : __x(HGRD_FP8(v.x, kind) | HGRD_FP8(v.y, kind) << 8 | HGRD_FP8(v.z, kind) << 16 |                             \
              (unsigned int)HGRD_FP8(v.w, kind) << 24) {}                                                              \
    explicit __host__ __device__ __nv_fp8x4_##name(__half2 a, __half2 b)                                               \
        : __nv_fp8x4_##name(make_float4((float)a.x, (float)a.y, (float)b.x, (float)b.y)) {}                            \
    explicit __host__ __device__ __nv_fp8x4_##name(__nv_bfloat162 a, __nv_bfloat162 b)                                 \
        : __nv_fp8x4_##name(make_float4((float)a.x, (float)a.y, (float)b.x, (float)b.y)) {}                            \
    explicit __host__ __device__ operator float4() const {                                                             \
      return make_float4(HGRD_FLOAT(__x & 255, kind), HGRD_FLOAT(__x >> 8 & 255, kind),                                \
                         HGRD_FLOAT(__x >> 16 & 255, kind), HGRD_FLOAT(__x >> 24, kind));                              \
    }                                                                                                                  \
  };
HGRD_FP8_PACK(e4m3, 0)
HGRD_FP8_PACK(e5m2, 1)
#undef HGRD_FP8_PACK
static inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t mode,
                                                                           __nv_fp8_interpretation_t kind) {
  return HGRD_FP8(v, (int)kind | (mode == __NV_NOSAT ? 2 : 0));
}
#undef HGRD_FLOAT
#undef HGRD_FP8
#endif
#endif
