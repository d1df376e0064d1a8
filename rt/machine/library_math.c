// Mathematics and bits. What the C library has, it computes; the rest is written out. Fast functions (__sinf) are the exact ones, and
// rounding modes of conversions to integers are kept, those of arithmetic are to nearest: results may differ from a device's in the
// last places, as they do between devices.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "rt/machine/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATH1(name)                                                                                          \
  FUNCTION(double, d_##name, #name, double x) {                                                              \
    return name(x);                                                                                          \
  }                                                                                                          \
  FUNCTION(float, f_##name, #name "f", float x) {                                                            \
    return name##f(x);                                                                                       \
  }
#define MATH2(name)                                                                                          \
  FUNCTION(double, d_##name, #name, double x, double y) {                                                    \
    return name(x, y);                                                                                       \
  }                                                                                                          \
  FUNCTION(float, f_##name, #name "f", float x, float y) {                                                   \
    return name##f(x, y);                                                                                    \
  }
MATH1(acos)
MATH1(acosh)
MATH1(asin)
MATH1(asinh)
MATH1(atan)
MATH1(atanh)
MATH1(cbrt)
MATH1(ceil)
MATH1(cos)
MATH1(cosh)
MATH1(erf)
MATH1(erfc)
MATH1(exp)
MATH1(exp2)
MATH1(expm1)
MATH1(fabs)
MATH1(floor)
MATH1(lgamma)
MATH1(log)
MATH1(log10)
MATH1(log1p)
MATH1(log2)
MATH1(logb)
MATH1(nearbyint)
MATH1(rint)
MATH1(round)
MATH1(sin)
MATH1(sinh)
MATH1(sqrt)
MATH1(tan)
MATH1(tanh)
MATH1(tgamma)
MATH1(trunc)
MATH1(exp10)
MATH1(j0)
MATH1(j1)
MATH1(y0)
MATH1(y1)
MATH2(atan2)
MATH2(copysign)
MATH2(fdim)
MATH2(fmax)
MATH2(fmin)
MATH2(fmod)
MATH2(hypot)
MATH2(nextafter)
MATH2(pow)
MATH2(remainder)

FUNCTION(double, d_fma, "fma", double x, double y, double z) {
  return fma(x, y, z);
}
FUNCTION(float, f_fma, "fmaf", float x, float y, float z) {
  return fmaf(x, y, z);
}
FUNCTION(double, d_frexp, "frexp", double x, int *e) {
  return frexp(x, e);
}
FUNCTION(float, f_frexp, "frexpf", float x, int *e) {
  return frexpf(x, e);
}
FUNCTION(int, d_ilogb, "ilogb", double x) {
  return ilogb(x);
}
FUNCTION(int, f_ilogb, "ilogbf", float x) {
  return ilogbf(x);
}
FUNCTION(double, d_ldexp, "ldexp", double x, int e) {
  return ldexp(x, e);
}
FUNCTION(float, f_ldexp, "ldexpf", float x, int e) {
  return ldexpf(x, e);
}
FUNCTION(double, d_scalbn, "scalbn", double x, int e) {
  return scalbn(x, e);
}
FUNCTION(float, f_scalbn, "scalbnf", float x, int e) {
  return scalbnf(x, e);
}
FUNCTION(double, d_scalbln, "scalbln", double x, long e) {
  return scalbln(x, e);
}
FUNCTION(float, f_scalbln, "scalblnf", float x, long e) {
  return scalblnf(x, e);
}
FUNCTION(long long, d_llrint, "llrint", double x) {
  return llrint(x);
}
FUNCTION(long long, f_llrint, "llrintf", float x) {
  return llrintf(x);
}
FUNCTION(long long, d_llround, "llround", double x) {
  return llround(x);
}
FUNCTION(long long, f_llround, "llroundf", float x) {
  return llroundf(x);
}
FUNCTION(long, d_lrint, "lrint", double x) {
  return lrint(x);
}
FUNCTION(long, f_lrint, "lrintf", float x) {
  return lrintf(x);
}
FUNCTION(long, d_lround, "lround", double x) {
  return lround(x);
}
FUNCTION(long, f_lround, "lroundf", float x) {
  return lroundf(x);
}
FUNCTION(double, d_modf, "modf", double x, double *whole) {
  return modf(x, whole);
}
FUNCTION(float, f_modf, "modff", float x, float *whole) {
  return modff(x, whole);
}
FUNCTION(double, d_remquo, "remquo", double x, double y, int *q) {
  return remquo(x, y, q);
}
FUNCTION(float, f_remquo, "remquof", float x, float y, int *q) {
  return remquof(x, y, q);
}
FUNCTION(double, d_jn, "jn", int n, double x) {
  return jn(n, x);
}
FUNCTION(double, d_yn, "yn", int n, double x) {
  return yn(n, x);
}
FUNCTION(float, f_jn, "jnf", int n, float x) {
  return (float)jn(n, (double)x);
}
FUNCTION(float, f_yn, "ynf", int n, float x) {
  return (float)yn(n, (double)x);
}
FUNCTION(double, d_nan, "nan", const char *tag) {
  return nan(tag);
}
FUNCTION(float, f_nan, "nanf", const char *tag) {
  return nanf(tag);
}
FUNCTION(int, i_abs, "abs", int x) {
  return x < 0 ? (int)(0u - (unsigned)x) : x;
}
FUNCTION(long, l_abs, "labs", long x) {
  return x < 0 ? (long)(0ul - (unsigned long)x) : x;
}
FUNCTION(long long, ll_abs, "llabs", long long x) {
  return x < 0 ? (long long)(0ull - (unsigned long long)x) : x;
}
FUNCTION(void, d_sincos, "sincos", double x, double *s, double *c) {
  *s = sin(x), *c = cos(x);
}
FUNCTION(void, f_sincos, "sincosf", float x, float *s, float *c) {
  *s = sinf(x), *c = cosf(x);
}

// ---- CUDA's own, which the host side has as well: under the bare name, weak, since a program may bring its own

static const double pi = 3.14159265358979323846;
#define OF_HOST(result, own, name, ...)                                                                      \
  result own(__VA_ARGS__) __asm__(name) __attribute__((weak, alias(RT_LIBRARY_PREFIX name)));
#define OWN1(name, expression)                                                                               \
  FUNCTION(double, d_##name, #name, double x) {                                                              \
    return expression;                                                                                       \
  }                                                                                                          \
  FUNCTION(float, f_##name, #name "f", float given) {                                                        \
    double x = (double)given;                                                                                \
    return (float)(expression);                                                                              \
  }                                                                                                          \
  OF_HOST(double, d_##name##_of_host, #name, double x)                                                       \
  OF_HOST(float, f_##name##_of_host, #name "f", float x)
static double inverse_normal(double p) { // by bisection of erfc: exact enough, and slow
  double low = -40, high = 40;
  for (int i = 0; i < 200; i++) {
    double middle = (low + high) / 2;
    if (0.5 * erfc(-middle / sqrt(2)) < p)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}
OWN1(rsqrt, 1 / sqrt(x))
OWN1(rcbrt, 1 / cbrt(x))
OWN1(sinpi, sin(pi *fmod(x, 2)))
OWN1(cospi, cos(pi *fmod(x, 2)))
OWN1(normcdf, 0.5 * erfc(-x / sqrt(2)))
OWN1(normcdfinv, inverse_normal(x))
OWN1(erfinv, inverse_normal((x + 1) / 2) / sqrt(2))
OWN1(erfcinv, inverse_normal((2 - x) / 2) / sqrt(2))
OWN1(erfcx, exp(x *x) * erfc(x))
FUNCTION(void, d_sincospi, "sincospi", double x, double *s, double *c) {
  *s = d_sinpi(x), *c = d_cospi(x);
}
FUNCTION(void, f_sincospi, "sincospif", float x, float *s, float *c) {
  *s = f_sinpi(x), *c = f_cospi(x);
}
OF_HOST(void, d_sincospi_of_host, "sincospi", double x, double *s, double *c)
OF_HOST(void, f_sincospi_of_host, "sincospif", float x, float *s, float *c)
FUNCTION(double, d_rhypot, "rhypot", double x, double y) {
  return 1 / hypot(x, y);
}
FUNCTION(float, f_rhypot, "rhypotf", float x, float y) {
  return 1 / hypotf(x, y);
}
FUNCTION(float, f_fdivide, "fdividef", float x, float y) {
  return x / y;
}
OF_HOST(double, d_rhypot_of_host, "rhypot", double x, double y)
OF_HOST(float, f_rhypot_of_host, "rhypotf", float x, float y)
OF_HOST(float, f_fdivide_of_host, "fdividef", float x, float y)
FUNCTION(double, d_norm3d, "norm3d", double x, double y, double z) {
  return sqrt(x * x + y * y + z * z);
}
FUNCTION(float, f_norm3d, "norm3df", float x, float y, float z) {
  return sqrtf(x * x + y * y + z * z);
}
FUNCTION(double, d_rnorm3d, "rnorm3d", double x, double y, double z) {
  return 1 / sqrt(x * x + y * y + z * z);
}
FUNCTION(float, f_rnorm3d, "rnorm3df", float x, float y, float z) {
  return 1 / sqrtf(x * x + y * y + z * z);
}
FUNCTION(double, d_norm4d, "norm4d", double x, double y, double z, double w) {
  return sqrt(x * x + y * y + z * z + w * w);
}
FUNCTION(float, f_norm4d, "norm4df", float x, float y, float z, float w) {
  return sqrtf(x * x + y * y + z * z + w * w);
}
FUNCTION(double, d_rnorm4d, "rnorm4d", double x, double y, double z, double w) {
  return 1 / sqrt(x * x + y * y + z * z + w * w);
}
FUNCTION(float, f_rnorm4d, "rnorm4df", float x, float y, float z, float w) {
  return 1 / sqrtf(x * x + y * y + z * z + w * w);
}

#define FAST1(name, call)                                                                                    \
  FUNCTION(float, fast_##name, "__" #name, float x) {                                                        \
    return call;                                                                                             \
  }
FAST1(sinf, sinf(x))
FAST1(cosf, cosf(x))
FAST1(tanf, tanf(x))
FAST1(expf, expf(x))
FAST1(exp10f, exp10f(x))
FAST1(logf, logf(x))
FAST1(log2f, log2f(x))
FAST1(log10f, log10f(x))
FAST1(saturatef, x > 0 ? (x < 1 ? x : 1) : 0)
FAST1(frsqrt_rn, 1 / sqrtf(x))
FAST1(tanhf, tanhf(x))
FUNCTION(float, fast_powf, "__powf", float x, float y) {
  return powf(x, y);
}
FUNCTION(float, fast_fdividef, "__fdividef", float x, float y) {
  return x / y;
}
FUNCTION(void, fast_sincosf, "_Z9__sincosffPfS_", float x, float *s, float *c) {
  *s = sinf(x), *c = cosf(x);
}
FUNCTION(void, fast_sincosf_c, "__sincosf", float x, float *s, float *c) {
  *s = sinf(x), *c = cosf(x);
}

#define MODES(kind, own, name, expression, ...)                                                              \
  FUNCTION(kind, own##_rn, name "_rn", __VA_ARGS__) {                                                        \
    return expression;                                                                                       \
  }                                                                                                          \
  FUNCTION(kind, own##_rz, name "_rz", __VA_ARGS__) {                                                        \
    return expression;                                                                                       \
  }                                                                                                          \
  FUNCTION(kind, own##_ru, name "_ru", __VA_ARGS__) {                                                        \
    return expression;                                                                                       \
  }                                                                                                          \
  FUNCTION(kind, own##_rd, name "_rd", __VA_ARGS__) {                                                        \
    return expression;                                                                                       \
  }
MODES(float, fadd, "__fadd", x + y, float x, float y)
MODES(float, fsub, "__fsub", x - y, float x, float y)
MODES(float, fmul, "__fmul", x *y, float x, float y)
MODES(float, fdiv, "__fdiv", x / y, float x, float y)
MODES(float, frcp, "__frcp", 1 / x, float x)
MODES(float, fsqrt, "__fsqrt", sqrtf(x), float x)
MODES(float, fmaf_mode, "__fmaf", fmaf(x, y, z), float x, float y, float z)
MODES(float, fmaf_ieee, "__fmaf_ieee", fmaf(x, y, z), float x, float y, float z)
MODES(double, dadd, "__dadd", x + y, double x, double y)
MODES(double, dsub, "__dsub", x - y, double x, double y)
MODES(double, dmul, "__dmul", x *y, double x, double y)
MODES(double, ddiv, "__ddiv", x / y, double x, double y)
MODES(double, drcp, "__drcp", 1 / x, double x)
MODES(double, dsqrt, "__dsqrt", sqrt(x), double x)
MODES(double, fma_mode, "__fma", fma(x, y, z), double x, double y, double z)
MODES(float, double2float, "__double2float", (float)x, double x)
MODES(float, int2float, "__int2float", (float)x, int x)
MODES(float, uint2float, "__uint2float", (float)x, uint32_t x)
MODES(float, ll2float, "__ll2float", (float)x, long long x)
MODES(float, ull2float, "__ull2float", (float)x, unsigned long long x)
MODES(double, ll2double, "__ll2double", (double)x, long long x)
MODES(double, ull2double, "__ull2double", (double)x, unsigned long long x)

// To integers: what does not fit is the nearest that does, no number is 0.
static double rounded(double x, char mode) {
  return mode == 'n' ? nearbyint(x) : mode == 'z' ? trunc(x) : mode == 'u' ? ceil(x) : floor(x);
}
static long long to_signed(double x, long long least, long long most) {
  if (isnan(x)) return 0;
  if (x <= (double)least) return least;
  return x >= (double)most ? most : (long long)x;
}
static unsigned long long to_unsigned(double x, unsigned long long most) {
  if (isnan(x) || x <= 0) return 0;
  return x >= (double)most ? most : (unsigned long long)x;
}
#define TO_INTEGER(own, name, from, result, convert)                                                         \
  FUNCTION(result, own##_rn, name "_rn", from x) {                                                           \
    return (result)convert(rounded((double)x, 'n'));                                                         \
  }                                                                                                          \
  FUNCTION(result, own##_rz, name "_rz", from x) {                                                           \
    return (result)convert(rounded((double)x, 'z'));                                                         \
  }                                                                                                          \
  FUNCTION(result, own##_ru, name "_ru", from x) {                                                           \
    return (result)convert(rounded((double)x, 'u'));                                                         \
  }                                                                                                          \
  FUNCTION(result, own##_rd, name "_rd", from x) {                                                           \
    return (result)convert(rounded((double)x, 'd'));                                                         \
  }
#define INT(x) to_signed(x, INT32_MIN, INT32_MAX)
#define UINT(x) to_unsigned(x, UINT32_MAX)
#define LL(x) to_signed(x, INT64_MIN, INT64_MAX)
#define ULL(x) to_unsigned(x, UINT64_MAX)
TO_INTEGER(float2int, "__float2int", float, int, INT)
TO_INTEGER(float2uint, "__float2uint", float, uint32_t, UINT)
TO_INTEGER(float2ll, "__float2ll", float, long long, LL)
TO_INTEGER(float2ull, "__float2ull", float, unsigned long long, ULL)
TO_INTEGER(double2int, "__double2int", double, int, INT)
TO_INTEGER(double2uint, "__double2uint", double, uint32_t, UINT)
TO_INTEGER(double2ll, "__double2ll", double, long long, LL)
TO_INTEGER(double2ull, "__double2ull", double, unsigned long long, ULL)
FUNCTION(double, int2double, "__int2double_rn", int x) {
  return x;
}
FUNCTION(double, uint2double, "__uint2double_rn", uint32_t x) {
  return x;
}

#define BITS(own, name, from, to)                                                                            \
  FUNCTION(to, own, name, from x) {                                                                          \
    to result;                                                                                               \
    memcpy(&result, &x, sizeof result);                                                                      \
    return result;                                                                                           \
  }
BITS(float_as_int, "__float_as_int", float, int)
BITS(float_as_uint, "__float_as_uint", float, uint32_t)
BITS(int_as_float, "__int_as_float", int, float)
BITS(uint_as_float, "__uint_as_float", uint32_t, float)
BITS(double_as_longlong, "__double_as_longlong", double, long long)
BITS(longlong_as_double, "__longlong_as_double", long long, double)
FUNCTION(int, double2hiint, "__double2hiint", double x) {
  return (int)(double_as_longlong(x) >> 32);
}
FUNCTION(int, double2loint, "__double2loint", double x) {
  return (int)double_as_longlong(x);
}
FUNCTION(double, hiloint2double, "__hiloint2double", int high, int low) {
  return longlong_as_double((long long)((uint64_t)(uint32_t)high << 32 | (uint32_t)low));
}

// ---- bits

FUNCTION(int, popc, "__popc", uint32_t x) {
  return __builtin_popcount(x);
}
FUNCTION(int, popcll, "__popcll", unsigned long long x) {
  return __builtin_popcountll(x);
}
FUNCTION(int, clz, "__clz", int x) {
  return x ? __builtin_clz((uint32_t)x) : 32;
}
FUNCTION(int, clzll, "__clzll", long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
FUNCTION(int, device_ffs, "__ffs", int x) {
  return __builtin_ffs(x);
}
FUNCTION(int, device_ffsll, "__ffsll", long long x) {
  return __builtin_ffsll(x);
}
FUNCTION(unsigned long long, brevll, "__brevll", unsigned long long x) {
  unsigned long long result = 0;
  for (int i = 0; i < 64; i++)
    result |= (x >> i & 1) << (63 - i);
  return result;
}
FUNCTION(uint32_t, brev, "__brev", uint32_t x) {
  return (uint32_t)(brevll(x) >> 32);
}
FUNCTION(uint32_t, byte_perm, "__byte_perm", uint32_t x, uint32_t y, uint32_t selector) {
  uint64_t bytes = (uint64_t)y << 32 | x;
  uint32_t result = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t choice = selector >> i * 4 & 15, byte = (uint32_t)(bytes >> (choice & 7) * 8) & 0xff;
    if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << i * 8;
  }
  return result;
}
FUNCTION(uint32_t, funnel_l, "__funnelshift_l", uint32_t low, uint32_t high, uint32_t by) {
  return (uint32_t)(((uint64_t)high << 32 | low) << (by & 31) >> 32);
}
FUNCTION(uint32_t, funnel_r, "__funnelshift_r", uint32_t low, uint32_t high, uint32_t by) {
  return (uint32_t)(((uint64_t)high << 32 | low) >> (by & 31));
}
FUNCTION(uint32_t, funnel_lc, "__funnelshift_lc", uint32_t low, uint32_t high, uint32_t by) {
  return by >= 32 ? low : funnel_l(low, high, by);
}
FUNCTION(uint32_t, funnel_rc, "__funnelshift_rc", uint32_t low, uint32_t high, uint32_t by) {
  return by >= 32 ? high : funnel_r(low, high, by);
}
FUNCTION(int, mulhi, "__mulhi", int x, int y) {
  return (int)((int64_t)x * y >> 32);
}
FUNCTION(uint32_t, umulhi, "__umulhi", uint32_t x, uint32_t y) {
  return (uint32_t)((uint64_t)x * y >> 32);
}
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;
FUNCTION(long long, mul64hi, "__mul64hi", long long x, long long y) {
  return (long long)((Wide)x * y >> 64);
}
FUNCTION(unsigned long long, umul64hi, "__umul64hi", unsigned long long x, unsigned long long y) {
  return (unsigned long long)((UnsignedWide)x * y >> 64);
}
FUNCTION(uint32_t, sad, "__sad", int x, int y, uint32_t z) {
  return (x > y ? (uint32_t)x - (uint32_t)y : (uint32_t)y - (uint32_t)x) + z;
}
FUNCTION(uint32_t, usad, "__usad", uint32_t x, uint32_t y, uint32_t z) {
  return (x > y ? x - y : y - x) + z;
}
FUNCTION(int, hadd, "__hadd", int x, int y) {
  return (int)(((int64_t)x + y) >> 1);
}
FUNCTION(int, rhadd, "__rhadd", int x, int y) {
  return (int)(((int64_t)x + y + 1) >> 1);
}
FUNCTION(uint32_t, uhadd, "__uhadd", uint32_t x, uint32_t y) {
  return (uint32_t)(((uint64_t)x + y) >> 1);
}
FUNCTION(uint32_t, urhadd, "__urhadd", uint32_t x, uint32_t y) {
  return (uint32_t)(((uint64_t)x + y + 1) >> 1);
}
FUNCTION(int, mul24, "__mul24", int x, int y) {
  return (int)((uint32_t)((int32_t)((uint32_t)x << 8) >> 8) * (uint32_t)((int32_t)((uint32_t)y << 8) >> 8));
}
FUNCTION(uint32_t, umul24, "__umul24", uint32_t x, uint32_t y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
FUNCTION(int, dp4a, "_Z6__dp4aiii", int x, int y, int z) {
  for (int i = 0; i < 4; i++)
    z += (int8_t)((uint32_t)x >> i * 8) * (int8_t)((uint32_t)y >> i * 8);
  return z;
}
FUNCTION(uint32_t, udp4a, "_Z6__dp4ajjj", uint32_t x, uint32_t y, uint32_t z) {
  for (int i = 0; i < 4; i++)
    z += (x >> i * 8 & 0xff) * (y >> i * 8 & 0xff);
  return z;
}
// The place of the offset-th lane of the mask, counted from base on, upwards or downwards.
FUNCTION(uint32_t, fns, "__fns", uint32_t mask, uint32_t base, int offset) {
  if (offset == 0) return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
  int step = offset > 0 ? 1 : -1, left = abs(offset);
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0) return (uint32_t)at;
  return UINT32_MAX;
}
