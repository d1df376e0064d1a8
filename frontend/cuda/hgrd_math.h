// Mathematical functions for device code, and the host's prototypes for files that use them without <math.h> (nvcc
// includes it for them). Prototypes only: the analysis takes each as a pure function of its arguments under its plain
// C name (sqrtf, pow). The host twins agree with glibc's declarations, so <math.h> and <cmath> may follow.
// Left out: long double, which device code does not have.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_MATH_H
#define HGRD_CUDA_MATH_H
#pragma GCC system_header

// HGRD_BOTH: a C function of the device and its twin of the host. The float form of a C++ name has the symbol of the C
// function; the forms for integers stay undefined templates, which count as the function of their name.
#define HGRD_BOTH(result, name, params)                                                                                \
  __device__ result name params noexcept;                                                                              \
  result name params noexcept;
#define HGRD_MATH1(name)                                                                                               \
  extern "C" {                                                                                                         \
  HGRD_BOTH(double, name, (double))                                                                                    \
  HGRD_BOTH(float, name##f, (float))                                                                                   \
  }                                                                                                                    \
  __device__ float name(float) noexcept __asm__(#name "f");                                                            \
  template <class T> __device__ __hgrd_if_integer<T, double> name(T) noexcept;                                         \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }
#define HGRD_MATH2(name)                                                                                               \
  extern "C" {                                                                                                         \
  HGRD_BOTH(double, name, (double, double))                                                                            \
  HGRD_BOTH(float, name##f, (float, float))                                                                            \
  }                                                                                                                    \
  __device__ float name(float, float) noexcept __asm__(#name "f");                                                     \
  template <class T, class U> __device__ __hgrd_if_mixed<T, U> name(T, U) noexcept;                                    \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }

template <class T> struct __hgrd_integer { enum { yes = 0 }; };
template <class T> struct __hgrd_arithmetic { enum { yes = 0, is_float = 0 }; };
#define HGRD_IS_INTEGER(type)                                                                                          \
  template <> struct __hgrd_integer<type> { enum { yes = 1 }; };                                                       \
  template <> struct __hgrd_arithmetic<type> { enum { yes = 1, is_float = 0 }; };
HGRD_IS_INTEGER(bool)
HGRD_IS_INTEGER(char)
HGRD_IS_INTEGER(signed char)
HGRD_IS_INTEGER(unsigned char)
HGRD_IS_INTEGER(short)
HGRD_IS_INTEGER(unsigned short)
HGRD_IS_INTEGER(int)
HGRD_IS_INTEGER(unsigned int)
HGRD_IS_INTEGER(long)
HGRD_IS_INTEGER(unsigned long)
HGRD_IS_INTEGER(long long)
HGRD_IS_INTEGER(unsigned long long)
#undef HGRD_IS_INTEGER
template <> struct __hgrd_arithmetic<float> { enum { yes = 1, is_float = 1 }; };
template <> struct __hgrd_arithmetic<double> { enum { yes = 1, is_float = 2 }; };
template <bool, class T> struct __hgrd_enable {};
template <class T> struct __hgrd_enable<true, T> { typedef T type; };
template <class T, class R> using __hgrd_if_integer = typename __hgrd_enable<__hgrd_integer<T>::yes, R>::type;
// Two arithmetic types that are not both float and not both double.
template <class T, class U>
using __hgrd_if_mixed =
    typename __hgrd_enable<__hgrd_arithmetic<T>::yes && __hgrd_arithmetic<U>::yes &&
                               ((int)__hgrd_arithmetic<T>::is_float != (int)__hgrd_arithmetic<U>::is_float ||
                                __hgrd_arithmetic<T>::is_float == 0),
                           double>::type;

HGRD_MATH1(acos) HGRD_MATH1(acosh) HGRD_MATH1(asin) HGRD_MATH1(asinh) HGRD_MATH1(atan) HGRD_MATH1(atanh)
HGRD_MATH1(cbrt) HGRD_MATH1(ceil) HGRD_MATH1(cos) HGRD_MATH1(cosh) HGRD_MATH1(erf) HGRD_MATH1(erfc)
HGRD_MATH1(exp) HGRD_MATH1(exp2) HGRD_MATH1(expm1) HGRD_MATH1(fabs) HGRD_MATH1(floor) HGRD_MATH1(lgamma)
HGRD_MATH1(log) HGRD_MATH1(log10) HGRD_MATH1(log1p) HGRD_MATH1(log2) HGRD_MATH1(logb) HGRD_MATH1(nearbyint)
HGRD_MATH1(rint) HGRD_MATH1(round) HGRD_MATH1(sin) HGRD_MATH1(sinh) HGRD_MATH1(sqrt) HGRD_MATH1(tan)
HGRD_MATH1(tanh) HGRD_MATH1(tgamma) HGRD_MATH1(trunc)
HGRD_MATH2(atan2) HGRD_MATH2(copysign) HGRD_MATH2(fdim) HGRD_MATH2(fmax) HGRD_MATH2(fmin) HGRD_MATH2(fmod)
HGRD_MATH2(hypot) HGRD_MATH2(nextafter) HGRD_MATH2(pow) HGRD_MATH2(remainder)

extern "C" {
#define HGRD_BOTH_SIZES(name, result_d, params_d, result_f, params_f)                                                  \
  HGRD_BOTH(result_d, name, params_d)                                                                                  \
  HGRD_BOTH(result_f, name##f, params_f)
HGRD_BOTH_SIZES(fma, double, (double, double, double), float, (float, float, float))
HGRD_BOTH_SIZES(frexp, double, (double, int *), float, (float, int *))
HGRD_BOTH_SIZES(ilogb, int, (double), int, (float))
HGRD_BOTH_SIZES(ldexp, double, (double, int), float, (float, int))
HGRD_BOTH_SIZES(llrint, long long, (double), long long, (float))
HGRD_BOTH_SIZES(llround, long long, (double), long long, (float))
HGRD_BOTH_SIZES(lrint, long, (double), long, (float))
HGRD_BOTH_SIZES(lround, long, (double), long, (float))
HGRD_BOTH_SIZES(modf, double, (double, double *), float, (float, float *))
HGRD_BOTH_SIZES(remquo, double, (double, double, int *), float, (float, float, int *))
HGRD_BOTH_SIZES(scalbn, double, (double, int), float, (float, int))
HGRD_BOTH_SIZES(scalbln, double, (double, long), float, (float, long))
HGRD_BOTH_SIZES(nan, double, (const char *), float, (const char *))
HGRD_BOTH_SIZES(j0, double, (double), float, (float))
HGRD_BOTH_SIZES(j1, double, (double), float, (float))
HGRD_BOTH_SIZES(jn, double, (int, double), float, (int, float))
HGRD_BOTH_SIZES(y0, double, (double), float, (float))
HGRD_BOTH_SIZES(y1, double, (double), float, (float))
HGRD_BOTH_SIZES(yn, double, (int, double), float, (int, float))
HGRD_BOTH_SIZES(exp10, double, (double), float, (float))
HGRD_BOTH(int, abs, (int))
HGRD_BOTH(long, labs, (long))
HGRD_BOTH(long long, llabs, (long long))
__device__ void sincos(double, double *, double *) noexcept;
__device__ void sincosf(float, float *, float *) noexcept;
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;

// CUDA's own, for both sides.
#define HGRD_OWN1(name)                                                                                                \
  __host__ __device__ double name(double) noexcept;                                                                    \
  __host__ __device__ float name##f(float) noexcept;
HGRD_OWN1(rsqrt) HGRD_OWN1(rcbrt) HGRD_OWN1(sinpi) HGRD_OWN1(cospi) HGRD_OWN1(erfinv) HGRD_OWN1(erfcinv)
HGRD_OWN1(erfcx) HGRD_OWN1(normcdf) HGRD_OWN1(normcdfinv) HGRD_OWN1(cyl_bessel_i0) HGRD_OWN1(cyl_bessel_i1)
#undef HGRD_OWN1
__host__ __device__ void sincospi(double, double *, double *) noexcept;
__host__ __device__ void sincospif(float, float *, float *) noexcept;
__host__ __device__ double rhypot(double, double) noexcept;
__host__ __device__ float rhypotf(float, float) noexcept;
__host__ __device__ float fdividef(float, float) noexcept;
__device__ double norm3d(double, double, double) noexcept;
__device__ float norm3df(float, float, float) noexcept;
__device__ double rnorm3d(double, double, double) noexcept;
__device__ float rnorm3df(float, float, float) noexcept;
__device__ double norm4d(double, double, double, double) noexcept;
__device__ float norm4df(float, float, float, float) noexcept;
__device__ double rnorm4d(double, double, double, double) noexcept;
__device__ float rnorm4df(float, float, float, float) noexcept;
}
#undef HGRD_BOTH_SIZES

// float forms of names that have other shapes than f(x) and f(x, y)
__device__ float fma(float, float, float) noexcept __asm__("fmaf");
__device__ float frexp(float, int *) noexcept __asm__("frexpf");
__device__ int ilogb(float) noexcept __asm__("ilogbf");
__device__ float ldexp(float, int) noexcept __asm__("ldexpf");
__device__ long long llrint(float) noexcept __asm__("llrintf");
__device__ long long llround(float) noexcept __asm__("llroundf");
__device__ long lrint(float) noexcept __asm__("lrintf");
__device__ long lround(float) noexcept __asm__("lroundf");
__device__ float modf(float, float *) noexcept __asm__("modff");
__device__ float remquo(float, float, int *) noexcept __asm__("remquof");
__device__ float scalbn(float, int) noexcept __asm__("scalbnf");
__device__ float exp10(float) noexcept __asm__("exp10f");
__device__ void sincos(float, float *, float *) noexcept __asm__("sincosf");
__host__ __device__ float rsqrt(float) noexcept __asm__("rsqrtf");
__host__ __device__ float rcbrt(float) noexcept __asm__("rcbrtf");
__host__ __device__ float sinpi(float) noexcept __asm__("sinpif");
__host__ __device__ float cospi(float) noexcept __asm__("cospif");
__host__ __device__ float erfinv(float) noexcept __asm__("erfinvf");
__host__ __device__ float normcdf(float) noexcept __asm__("normcdff");
__host__ __device__ float normcdfinv(float) noexcept __asm__("normcdfinvf");
__host__ __device__ float rhypot(float, float) noexcept __asm__("rhypotf");
template <class T> __host__ __device__ __hgrd_if_integer<T, double> rsqrt(T) noexcept;

// Absolute values: arithmetic, so defined.
static inline __device__ long abs(long x) noexcept { return x < 0 ? -x : x; }
static inline __device__ long long abs(long long x) noexcept { return x < 0 ? -x : x; }
static inline __device__ float abs(float x) noexcept { return fabsf(x); }
static inline __device__ double abs(double x) noexcept { return fabs(x); }
namespace std {
using ::abs;
using ::fma;
using ::frexp;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
}

// Classification; on the device only, the host has macros or <cmath>.
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
static inline __device__ bool isnan(float x) { return x != x; }
static inline __device__ bool isnan(double x) { return x != x; }
static inline __device__ bool isinf(float x) { return fabsf(x) == __builtin_inff(); }
static inline __device__ bool isinf(double x) { return fabs(x) == __builtin_inf(); }
static inline __device__ bool isfinite(float x) { return fabsf(x) < __builtin_inff(); }
static inline __device__ bool isfinite(double x) { return fabs(x) < __builtin_inf(); }
static inline __device__ bool signbit(float x) { return __builtin_signbitf(x); }
static inline __device__ bool signbit(double x) { return __builtin_signbit(x); }

#include "hgrd_min_max.h"
#undef HGRD_MATH1
#undef HGRD_MATH2
#undef HGRD_BOTH

#endif
