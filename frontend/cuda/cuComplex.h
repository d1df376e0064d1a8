// Complex numbers of C: cuFloatComplex, cuDoubleComplex and their arithmetic, for both sides; inlined as plain
// arithmetic.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUCOMPLEX_H
#define HGRD_CUCOMPLEX_H
#pragma GCC system_header
#include "vector_functions.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define HGRD_COMPLEX(type, real, f, root)                                                                              \
  static inline __host__ __device__ real cuCreal##f(type a) { return a.x; }                                            \
  static inline __host__ __device__ real cuCimag##f(type a) { return a.y; }                                            \
  static inline __host__ __device__ type cuConj##f(type a) {                                                           \
    type r = {a.x, -a.y};                                                                                              \
    return r;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ type cuCadd##f(type a, type b) {                                                   \
    type r = {a.x + b.x, a.y + b.y};                                                                                   \
    return r;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ type cuCsub##f(type a, type b) {                                                   \
    type r = {a.x - b.x, a.y - b.y};                                                                                   \
    return r;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ type cuCmul##f(type a, type b) {                                                   \
    type r = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                           \
    return r;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ type cuCdiv##f(type a, type b) {                                                   \
    real s = b.x * b.x + b.y * b.y;                                                                                    \
    type r = {(a.x * b.x + a.y * b.y) / s, (a.y * b.x - a.x * b.y) / s};                                               \
    return r;                                                                                                          \
  }                                                                                                                    \
  static inline __host__ __device__ type cuCfma##f(type a, type b, type c) { return cuCadd##f(cuCmul##f(a, b), c); }   \
  static inline __host__ __device__ real cuCabs##f(type a) { return root(a.x * a.x + a.y * a.y); }
HGRD_COMPLEX(cuFloatComplex, float, f, sqrtf)
HGRD_COMPLEX(cuDoubleComplex, double, , sqrt)
#undef HGRD_COMPLEX
static inline __host__ __device__ cuFloatComplex make_cuFloatComplex(float r, float i) { return make_float2(r, i); }
static inline __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double r, double i) {
  return make_double2(r, i);
}
static inline __host__ __device__ cuComplex make_cuComplex(float r, float i) { return make_float2(r, i); }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2((double)a.x, (double)a.y);
}
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2((float)a.x, (float)a.y);
}
#endif
