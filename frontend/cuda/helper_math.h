// Operators and functions on short vectors, of the CUDA samples: componentwise arithmetic, dot, cross, length
// and the like, for both sides. All are plain arithmetic that is inlined and analysed as such.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_MATH_H
#define HGRD_HELPER_MATH_H
#pragma GCC system_header
#include "cuda_runtime.h"
#include <math.h>

#ifndef __CUDA__
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
inline int max(int a, int b) {
  return a > b ? a : b;
}
inline int min(int a, int b) {
  return a < b ? a : b;
}
inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
#endif
typedef unsigned int uint;
typedef unsigned short ushort;

#define HGRD_VECTOR_FN inline __host__ __device__

// ---- conversions ----------------------------------------------------------------------------------------------------
HGRD_VECTOR_FN float2 make_float2(float s) {
  return make_float2(s, s);
}
HGRD_VECTOR_FN float2 make_float2(float3 v) {
  return make_float2(v.x, v.y);
}
HGRD_VECTOR_FN float2 make_float2(float4 v) {
  return make_float2(v.x, v.y);
}
HGRD_VECTOR_FN float2 make_float2(int2 v) {
  return make_float2((float)v.x, (float)v.y);
}
HGRD_VECTOR_FN float2 make_float2(uint2 v) {
  return make_float2((float)v.x, (float)v.y);
}
HGRD_VECTOR_FN float3 make_float3(float s) {
  return make_float3(s, s, s);
}
HGRD_VECTOR_FN float3 make_float3(float4 v) {
  return make_float3(v.x, v.y, v.z);
}
HGRD_VECTOR_FN float3 make_float3(float2 v) {
  return make_float3(v.x, v.y, 0);
}
HGRD_VECTOR_FN float3 make_float3(float2 v, float s) {
  return make_float3(v.x, v.y, s);
}
HGRD_VECTOR_FN float3 make_float3(int3 v) {
  return make_float3((float)v.x, (float)v.y, (float)v.z);
}
HGRD_VECTOR_FN float3 make_float3(uint3 v) {
  return make_float3((float)v.x, (float)v.y, (float)v.z);
}
HGRD_VECTOR_FN float4 make_float4(float s) {
  return make_float4(s, s, s, s);
}
HGRD_VECTOR_FN float4 make_float4(float3 v) {
  return make_float4(v.x, v.y, v.z, 0);
}
HGRD_VECTOR_FN float4 make_float4(float3 v, float s) {
  return make_float4(v.x, v.y, v.z, s);
}
HGRD_VECTOR_FN float4 make_float4(int4 v) {
  return make_float4((float)v.x, (float)v.y, (float)v.z, (float)v.w);
}
HGRD_VECTOR_FN float4 make_float4(uint4 v) {
  return make_float4((float)v.x, (float)v.y, (float)v.z, (float)v.w);
}
HGRD_VECTOR_FN int2 make_int2(int s) {
  return make_int2(s, s);
}
HGRD_VECTOR_FN int2 make_int2(int3 v) {
  return make_int2(v.x, v.y);
}
HGRD_VECTOR_FN int2 make_int2(int4 v) {
  return make_int2(v.x, v.y);
}
HGRD_VECTOR_FN int2 make_int2(float2 v) {
  return make_int2((int)v.x, (int)v.y);
}
HGRD_VECTOR_FN int2 make_int2(uint2 v) {
  return make_int2((int)v.x, (int)v.y);
}
HGRD_VECTOR_FN int3 make_int3(int s) {
  return make_int3(s, s, s);
}
HGRD_VECTOR_FN int3 make_int3(int4 v) {
  return make_int3(v.x, v.y, v.z);
}
HGRD_VECTOR_FN int3 make_int3(int2 v) {
  return make_int3(v.x, v.y, 0);
}
HGRD_VECTOR_FN int3 make_int3(int2 v, int s) {
  return make_int3(v.x, v.y, s);
}
HGRD_VECTOR_FN int3 make_int3(float3 v) {
  return make_int3((int)v.x, (int)v.y, (int)v.z);
}
HGRD_VECTOR_FN int3 make_int3(uint3 v) {
  return make_int3((int)v.x, (int)v.y, (int)v.z);
}
HGRD_VECTOR_FN int4 make_int4(int s) {
  return make_int4(s, s, s, s);
}
HGRD_VECTOR_FN int4 make_int4(int3 v) {
  return make_int4(v.x, v.y, v.z, 0);
}
HGRD_VECTOR_FN int4 make_int4(int3 v, int s) {
  return make_int4(v.x, v.y, v.z, s);
}
HGRD_VECTOR_FN int4 make_int4(float4 v) {
  return make_int4((int)v.x, (int)v.y, (int)v.z, (int)v.w);
}
HGRD_VECTOR_FN int4 make_int4(uint4 v) {
  return make_int4((int)v.x, (int)v.y, (int)v.z, (int)v.w);
}
HGRD_VECTOR_FN uint2 make_uint2(unsigned int s) {
  return make_uint2(s, s);
}
HGRD_VECTOR_FN uint2 make_uint2(uint3 v) {
  return make_uint2(v.x, v.y);
}
HGRD_VECTOR_FN uint2 make_uint2(uint4 v) {
  return make_uint2(v.x, v.y);
}
HGRD_VECTOR_FN uint2 make_uint2(float2 v) {
  return make_uint2((unsigned int)v.x, (unsigned int)v.y);
}
HGRD_VECTOR_FN uint2 make_uint2(int2 v) {
  return make_uint2((unsigned int)v.x, (unsigned int)v.y);
}
HGRD_VECTOR_FN uint3 make_uint3(unsigned int s) {
  return make_uint3(s, s, s);
}
HGRD_VECTOR_FN uint3 make_uint3(uint4 v) {
  return make_uint3(v.x, v.y, v.z);
}
HGRD_VECTOR_FN uint3 make_uint3(uint2 v) {
  return make_uint3(v.x, v.y, 0);
}
HGRD_VECTOR_FN uint3 make_uint3(uint2 v, unsigned int s) {
  return make_uint3(v.x, v.y, s);
}
HGRD_VECTOR_FN uint3 make_uint3(float3 v) {
  return make_uint3((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z);
}
HGRD_VECTOR_FN uint3 make_uint3(int3 v) {
  return make_uint3((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z);
}
HGRD_VECTOR_FN uint4 make_uint4(unsigned int s) {
  return make_uint4(s, s, s, s);
}
HGRD_VECTOR_FN uint4 make_uint4(uint3 v) {
  return make_uint4(v.x, v.y, v.z, 0);
}
HGRD_VECTOR_FN uint4 make_uint4(uint3 v, unsigned int s) {
  return make_uint4(v.x, v.y, v.z, s);
}
HGRD_VECTOR_FN uint4 make_uint4(float4 v) {
  return make_uint4((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z, (unsigned int)v.w);
}
HGRD_VECTOR_FN uint4 make_uint4(int4 v) {
  return make_uint4((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z, (unsigned int)v.w);
}

// ---- componentwise arithmetic ---------------------------------------------------------------------------------------
#define HGRD_OPERATOR2(type, elem, op, assign)                                                                         \
  HGRD_VECTOR_FN type operator op(type a, type b) {                                                                    \
    return make_##type(a.x op b.x, a.y op b.y);                                                                        \
  }                                                                                                                    \
  HGRD_VECTOR_FN type operator op(type a, elem b) {                                                                    \
    return make_##type(a.x op b, a.y op b);                                                                            \
  }                                                                                                                    \
  HGRD_VECTOR_FN type operator op(elem a, type b) {                                                                    \
    return make_##type(a op b.x, a op b.y);                                                                            \
  }                                                                                                                    \
  HGRD_VECTOR_FN void operator assign(type &a, type b) {                                                               \
    a = a op b;                                                                                                        \
  }                                                                                                                    \
  HGRD_VECTOR_FN void operator assign(type &a, elem b) {                                                               \
    a = a op b;                                                                                                        \
  }
#define HGRD_OPERATOR3(type, elem, op, assign)                                                                         \
  HGRD_VECTOR_FN type operator op(type a, type b) {                                                                    \
    return make_##type(a.x op b.x, a.y op b.y, a.z op b.z);                                                            \
  }                                                                                                                    \
  HGRD_VECTOR_FN type operator op(type a, elem b) {                                                                    \
    return make_##type(a.x op b, a.y op b, a.z op b);                                                                  \
  }                                                                                                                    \
  HGRD_VECTOR_FN type operator op(elem a, type b) {                                                                    \
    return make_##type(a op b.x, a op b.y, a op b.z);                                                                  \
  }                                                                                                                    \
  HGRD_VECTOR_FN void operator assign(type &a, type b) {                                                               \
    a = a op b;                                                                                                        \
  }                                                                                                                    \
  HGRD_VECTOR_FN void operator assign(type &a, elem b) {                                                               \
    a = a op b;                                                                                                        \
  }
#define HGRD_OPERATOR4(type, elem, op, assign)                                                                         \
  HGRD_VECTOR_FN type operator op(type a, type b) {                                                                    \
    return make_##type(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w);                                                \
  }                                                                                                                    \
  HGRD_VECTOR_FN type operator op(type a, elem b) {                                                                    \
    return make_##type(a.x op b, a.y op b, a.z op b, a.w op b);                                                        \
  }                                                                                                                    \
  HGRD_VECTOR_FN type operator op(elem a, type b) {                                                                    \
    return make_##type(a op b.x, a op b.y, a op b.z, a op b.w);                                                        \
  }                                                                                                                    \
  HGRD_VECTOR_FN void operator assign(type &a, type b) {                                                               \
    a = a op b;                                                                                                        \
  }                                                                                                                    \
  HGRD_VECTOR_FN void operator assign(type &a, elem b) {                                                               \
    a = a op b;                                                                                                        \
  }
HGRD_OPERATOR2(float2, float, +, +=)
HGRD_OPERATOR2(float2, float, -, -=)
HGRD_OPERATOR2(float2, float, *, *=)
HGRD_OPERATOR2(float2, float, /, /=)
HGRD_OPERATOR3(float3, float, +, +=)
HGRD_OPERATOR3(float3, float, -, -=)
HGRD_OPERATOR3(float3, float, *, *=)
HGRD_OPERATOR3(float3, float, /, /=)
HGRD_OPERATOR4(float4, float, +, +=)
HGRD_OPERATOR4(float4, float, -, -=)
HGRD_OPERATOR4(float4, float, *, *=)
HGRD_OPERATOR4(float4, float, /, /=)
HGRD_OPERATOR2(int2, int, +, +=)
HGRD_OPERATOR2(int2, int, -, -=)
HGRD_OPERATOR2(int2, int, *, *=)
HGRD_OPERATOR3(int3, int, +, +=)
HGRD_OPERATOR3(int3, int, -, -=)
HGRD_OPERATOR3(int3, int, *, *=)
HGRD_OPERATOR4(int4, int, +, +=)
HGRD_OPERATOR4(int4, int, -, -=)
HGRD_OPERATOR4(int4, int, *, *=)
HGRD_OPERATOR2(uint2, unsigned int, +, +=)
HGRD_OPERATOR2(uint2, unsigned int, -, -=)
HGRD_OPERATOR2(uint2, unsigned int, *, *=)
HGRD_OPERATOR3(uint3, unsigned int, +, +=)
HGRD_OPERATOR3(uint3, unsigned int, -, -=)
HGRD_OPERATOR3(uint3, unsigned int, *, *=)
HGRD_OPERATOR4(uint4, unsigned int, +, +=)
HGRD_OPERATOR4(uint4, unsigned int, -, -=)
HGRD_OPERATOR4(uint4, unsigned int, *, *=)
#undef HGRD_OPERATOR2
#undef HGRD_OPERATOR3
#undef HGRD_OPERATOR4
HGRD_VECTOR_FN float2 operator-(float2 a) {
  return make_float2(-a.x, -a.y);
}
HGRD_VECTOR_FN float3 operator-(float3 a) {
  return make_float3(-a.x, -a.y, -a.z);
}
HGRD_VECTOR_FN float4 operator-(float4 a) {
  return make_float4(-a.x, -a.y, -a.z, -a.w);
}
HGRD_VECTOR_FN int2 operator-(int2 a) {
  return make_int2(-a.x, -a.y);
}
HGRD_VECTOR_FN int3 operator-(int3 a) {
  return make_int3(-a.x, -a.y, -a.z);
}
HGRD_VECTOR_FN int4 operator-(int4 a) {
  return make_int4(-a.x, -a.y, -a.z, -a.w);
}

// ---- scalars --------------------------------------------------------------------------------------------------------
#if __cplusplus < 202002L // later it is std::lerp
HGRD_VECTOR_FN float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
#endif
HGRD_VECTOR_FN float clamp(float f, float a, float b) {
  return fmaxf(a, fminf(f, b));
}
HGRD_VECTOR_FN int clamp(int f, int a, int b) {
  return max(a, min(f, b));
}
HGRD_VECTOR_FN uint clamp(uint f, uint a, uint b) {
  return f < a ? a : f > b ? b : f;
}
HGRD_VECTOR_FN float fracf(float v) {
  return v - floorf(v);
}
HGRD_VECTOR_FN float smoothstep(float a, float b, float x) {
  float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

// ---- vectors --------------------------------------------------------------------------------------------------------
HGRD_VECTOR_FN float2 fminf(float2 a, float2 b) {
  return make_float2(fminf(a.x, b.x), fminf(a.y, b.y));
}
HGRD_VECTOR_FN float2 fmaxf(float2 a, float2 b) {
  return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y));
}
HGRD_VECTOR_FN float2 lerp(float2 a, float2 b, float t) {
  return a + t * (b - a);
}
HGRD_VECTOR_FN float2 clamp(float2 v, float a, float b) {
  return make_float2(clamp(v.x, a, b), clamp(v.y, a, b));
}
HGRD_VECTOR_FN float2 clamp(float2 v, float2 a, float2 b) {
  return make_float2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y));
}
HGRD_VECTOR_FN float dot(float2 a, float2 b) {
  return a.x * b.x + a.y * b.y;
}
HGRD_VECTOR_FN float length(float2 v) {
  return sqrtf(dot(v, v));
}
HGRD_VECTOR_FN float2 normalize(float2 v) {
  return v * rsqrtf(dot(v, v));
}
HGRD_VECTOR_FN float2 floorf(float2 v) {
  return make_float2(floorf(v.x), floorf(v.y));
}
HGRD_VECTOR_FN float2 fracf(float2 v) {
  return make_float2(fracf(v.x), fracf(v.y));
}
HGRD_VECTOR_FN float2 fabs(float2 v) {
  return make_float2(fabsf(v.x), fabsf(v.y));
}
HGRD_VECTOR_FN float2 fmodf(float2 a, float2 b) {
  return make_float2(fmodf(a.x, b.x), fmodf(a.y, b.y));
}
HGRD_VECTOR_FN float2 smoothstep(float2 a, float2 b, float2 x) {
  return make_float2(smoothstep(a.x, b.x, x.x), smoothstep(a.y, b.y, x.y));
}
HGRD_VECTOR_FN float2 reflect(float2 i, float2 n) {
  return i - 2.0f * n * dot(n, i);
}
HGRD_VECTOR_FN int2 min(int2 a, int2 b) {
  return make_int2(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y);
}
HGRD_VECTOR_FN int2 max(int2 a, int2 b) {
  return make_int2(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
}
HGRD_VECTOR_FN int2 clamp(int2 v, int a, int b) {
  return make_int2(clamp(v.x, a, b), clamp(v.y, a, b));
}
HGRD_VECTOR_FN int2 clamp(int2 v, int2 a, int2 b) {
  return make_int2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y));
}
HGRD_VECTOR_FN int dot(int2 a, int2 b) {
  return a.x * b.x + a.y * b.y;
}
HGRD_VECTOR_FN uint2 min(uint2 a, uint2 b) {
  return make_uint2(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y);
}
HGRD_VECTOR_FN uint2 max(uint2 a, uint2 b) {
  return make_uint2(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
}
HGRD_VECTOR_FN uint2 clamp(uint2 v, unsigned int a, unsigned int b) {
  return make_uint2(clamp(v.x, a, b), clamp(v.y, a, b));
}
HGRD_VECTOR_FN uint2 clamp(uint2 v, uint2 a, uint2 b) {
  return make_uint2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y));
}
HGRD_VECTOR_FN unsigned int dot(uint2 a, uint2 b) {
  return a.x * b.x + a.y * b.y;
}
HGRD_VECTOR_FN int2 abs(int2 v) {
  return make_int2(v.x < 0 ? -v.x : v.x, v.y < 0 ? -v.y : v.y);
}
HGRD_VECTOR_FN float3 fminf(float3 a, float3 b) {
  return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}
HGRD_VECTOR_FN float3 fmaxf(float3 a, float3 b) {
  return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}
HGRD_VECTOR_FN float3 lerp(float3 a, float3 b, float t) {
  return a + t * (b - a);
}
HGRD_VECTOR_FN float3 clamp(float3 v, float a, float b) {
  return make_float3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
HGRD_VECTOR_FN float3 clamp(float3 v, float3 a, float3 b) {
  return make_float3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z));
}
HGRD_VECTOR_FN float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HGRD_VECTOR_FN float length(float3 v) {
  return sqrtf(dot(v, v));
}
HGRD_VECTOR_FN float3 normalize(float3 v) {
  return v * rsqrtf(dot(v, v));
}
HGRD_VECTOR_FN float3 floorf(float3 v) {
  return make_float3(floorf(v.x), floorf(v.y), floorf(v.z));
}
HGRD_VECTOR_FN float3 fracf(float3 v) {
  return make_float3(fracf(v.x), fracf(v.y), fracf(v.z));
}
HGRD_VECTOR_FN float3 fabs(float3 v) {
  return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z));
}
HGRD_VECTOR_FN float3 fmodf(float3 a, float3 b) {
  return make_float3(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z));
}
HGRD_VECTOR_FN float3 smoothstep(float3 a, float3 b, float3 x) {
  return make_float3(smoothstep(a.x, b.x, x.x), smoothstep(a.y, b.y, x.y), smoothstep(a.z, b.z, x.z));
}
HGRD_VECTOR_FN float3 reflect(float3 i, float3 n) {
  return i - 2.0f * n * dot(n, i);
}
HGRD_VECTOR_FN int3 min(int3 a, int3 b) {
  return make_int3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
HGRD_VECTOR_FN int3 max(int3 a, int3 b) {
  return make_int3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
HGRD_VECTOR_FN int3 clamp(int3 v, int a, int b) {
  return make_int3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
HGRD_VECTOR_FN int3 clamp(int3 v, int3 a, int3 b) {
  return make_int3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z));
}
HGRD_VECTOR_FN int dot(int3 a, int3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HGRD_VECTOR_FN uint3 min(uint3 a, uint3 b) {
  return make_uint3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
HGRD_VECTOR_FN uint3 max(uint3 a, uint3 b) {
  return make_uint3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
HGRD_VECTOR_FN uint3 clamp(uint3 v, unsigned int a, unsigned int b) {
  return make_uint3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
HGRD_VECTOR_FN uint3 clamp(uint3 v, uint3 a, uint3 b) {
  return make_uint3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z));
}
HGRD_VECTOR_FN unsigned int dot(uint3 a, uint3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HGRD_VECTOR_FN int3 abs(int3 v) {
  return make_int3(v.x < 0 ? -v.x : v.x, v.y < 0 ? -v.y : v.y, v.z < 0 ? -v.z : v.z);
}
HGRD_VECTOR_FN float4 fminf(float4 a, float4 b) {
  return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
}
HGRD_VECTOR_FN float4 fmaxf(float4 a, float4 b) {
  return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
}
HGRD_VECTOR_FN float4 lerp(float4 a, float4 b, float t) {
  return a + t * (b - a);
}
HGRD_VECTOR_FN float4 clamp(float4 v, float a, float b) {
  return make_float4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
HGRD_VECTOR_FN float4 clamp(float4 v, float4 a, float4 b) {
  return make_float4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w));
}
HGRD_VECTOR_FN float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HGRD_VECTOR_FN float length(float4 v) {
  return sqrtf(dot(v, v));
}
HGRD_VECTOR_FN float4 normalize(float4 v) {
  return v * rsqrtf(dot(v, v));
}
HGRD_VECTOR_FN float4 floorf(float4 v) {
  return make_float4(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w));
}
HGRD_VECTOR_FN float4 fracf(float4 v) {
  return make_float4(fracf(v.x), fracf(v.y), fracf(v.z), fracf(v.w));
}
HGRD_VECTOR_FN float4 fabs(float4 v) {
  return make_float4(fabsf(v.x), fabsf(v.y), fabsf(v.z), fabsf(v.w));
}
HGRD_VECTOR_FN float4 fmodf(float4 a, float4 b) {
  return make_float4(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z), fmodf(a.w, b.w));
}
HGRD_VECTOR_FN float4 smoothstep(float4 a, float4 b, float4 x) {
  return make_float4(smoothstep(a.x, b.x, x.x), smoothstep(a.y, b.y, x.y), smoothstep(a.z, b.z, x.z),
                     smoothstep(a.w, b.w, x.w));
}
HGRD_VECTOR_FN float4 reflect(float4 i, float4 n) {
  return i - 2.0f * n * dot(n, i);
}
HGRD_VECTOR_FN int4 min(int4 a, int4 b) {
  return make_int4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
                   a.w < b.w ? a.w : b.w);
}
HGRD_VECTOR_FN int4 max(int4 a, int4 b) {
  return make_int4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                   a.w > b.w ? a.w : b.w);
}
HGRD_VECTOR_FN int4 clamp(int4 v, int a, int b) {
  return make_int4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
HGRD_VECTOR_FN int4 clamp(int4 v, int4 a, int4 b) {
  return make_int4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w));
}
HGRD_VECTOR_FN int dot(int4 a, int4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HGRD_VECTOR_FN uint4 min(uint4 a, uint4 b) {
  return make_uint4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
                    a.w < b.w ? a.w : b.w);
}
HGRD_VECTOR_FN uint4 max(uint4 a, uint4 b) {
  return make_uint4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                    a.w > b.w ? a.w : b.w);
}
HGRD_VECTOR_FN uint4 clamp(uint4 v, unsigned int a, unsigned int b) {
  return make_uint4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
HGRD_VECTOR_FN uint4 clamp(uint4 v, uint4 a, uint4 b) {
  return make_uint4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w));
}
HGRD_VECTOR_FN unsigned int dot(uint4 a, uint4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HGRD_VECTOR_FN int4 abs(int4 v) {
  return make_int4(v.x < 0 ? -v.x : v.x, v.y < 0 ? -v.y : v.y, v.z < 0 ? -v.z : v.z, v.w < 0 ? -v.w : v.w);
}
HGRD_VECTOR_FN float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#undef HGRD_VECTOR_FN

#endif
