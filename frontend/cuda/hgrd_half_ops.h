// One 16-bit floating type and its pair, included by cuda_fp16.h and cuda_bf16.h, each with its own names:
//   HGRD_H, HGRD_H2  the type and its pair; HGRD_R the clang type that computes; HGRD_RAW the struct of bits
//   HGRD_N(a, b)     a##name##b with the short name of the type: half, bfloat16; HGRD_TWICE, HGRD_JOIN: names of two
//   more
// Arithmetic is clang's own on _Float16 and __bf16, so the analysis sees plain operations on 16-bit values. Rounding
// modes and saturation are ignored (values of floats are not decided by the analysis), transcendental functions are
// pure calls. No include guard: it is meant to be included twice.
// SPDX-License-Identifier: Apache-2.0
#pragma GCC system_header

#define HGRD_HD static inline __host__ __device__ __attribute__((always_inline))
#define HGRD_D static inline __device__ __attribute__((always_inline))

// ---- the type -------------------------------------------------------------------------------------------------------
struct HGRD_RAW {
  unsigned short x;
};
struct HGRD_H {
  HGRD_R r;
  HGRD_H() = default;
  __host__ __device__ HGRD_H(const HGRD_RAW &raw) { __builtin_memcpy(&r, &raw, 2); }
  __host__ __device__ HGRD_H &operator=(const HGRD_RAW &raw) {
    __builtin_memcpy(&r, &raw, 2);
    return *this;
  }
  __host__ __device__ operator HGRD_RAW() const {
    HGRD_RAW raw;
    __builtin_memcpy(&raw, &r, 2);
    return raw;
  }
#define HGRD_FROM(type)                                                                                                \
  __host__ __device__ HGRD_H(type v) : r((HGRD_R)(float)v) {}                                                          \
  __host__ __device__ HGRD_H &operator=(type v) {                                                                      \
    r = (HGRD_R)(float)v;                                                                                              \
    return *this;                                                                                                      \
  }
  HGRD_FROM(float) HGRD_FROM(double) HGRD_FROM(short) HGRD_FROM(unsigned short) HGRD_FROM(int) HGRD_FROM(unsigned int)
  HGRD_FROM(long) HGRD_FROM(unsigned long) HGRD_FROM(long long) HGRD_FROM(unsigned long long)
#undef HGRD_FROM
  __host__ __device__ operator float() const { return (float)r; }
#define HGRD_TO(type) explicit __host__ __device__ operator type() const { return (type)(float)r; }
  HGRD_TO(double) HGRD_TO(char) HGRD_TO(signed char) HGRD_TO(unsigned char) HGRD_TO(short) HGRD_TO(unsigned short)
  HGRD_TO(int) HGRD_TO(unsigned int) HGRD_TO(long) HGRD_TO(unsigned long) HGRD_TO(long long) HGRD_TO(unsigned long long)
#undef HGRD_TO
  explicit __host__ __device__ operator bool() const { return (float)r != 0; }
};
struct __attribute__((aligned(4))) HGRD_H2 {
  HGRD_H x, y;
  HGRD_H2() = default;
  __host__ __device__ HGRD_H2(const HGRD_H &a, const HGRD_H &b) : x(a), y(b) {}
};

HGRD_HD HGRD_H HGRD_N(__hgrd_, _of)(HGRD_R r) {
  HGRD_H h;
  h.r = r;
  return h;
}
#define HGRD_OF HGRD_N(__hgrd_, _of)

// ---- operators ------------------------------------------------------------------------------------------------------
#define HGRD_BINARY(op, name)                                                                                          \
  HGRD_HD HGRD_H operator op(const HGRD_H &a, const HGRD_H &b) { return HGRD_OF(a.r op b.r); }                         \
  HGRD_HD HGRD_H2 operator op(const HGRD_H2 &a, const HGRD_H2 &b) { return HGRD_H2(a.x op b.x, a.y op b.y); }          \
  HGRD_HD HGRD_H &operator op##=(HGRD_H & a, const HGRD_H &b) { return a = a op b; }                                   \
  HGRD_HD HGRD_H2 &operator op##=(HGRD_H2 & a, const HGRD_H2 &b) { return a = a op b; }                                \
  HGRD_HD HGRD_H name(HGRD_H a, HGRD_H b) { return a op b; }                                                           \
  HGRD_HD HGRD_H name##_rn(HGRD_H a, HGRD_H b) { return a op b; }                                                      \
  HGRD_HD HGRD_H name##_sat(HGRD_H a, HGRD_H b) { return a op b; }                                                     \
  HGRD_HD HGRD_H2 name##2(HGRD_H2 a, HGRD_H2 b) { return a op b; }                                                     \
  HGRD_HD HGRD_H2 name##2_rn(HGRD_H2 a, HGRD_H2 b) { return a op b; }                                                  \
  HGRD_HD HGRD_H2 name##2_sat(HGRD_H2 a, HGRD_H2 b) { return a op b; }
HGRD_BINARY(+, __hadd)
HGRD_BINARY(-, __hsub)
HGRD_BINARY(*, __hmul)
#undef HGRD_BINARY
HGRD_HD HGRD_H operator/(const HGRD_H &a, const HGRD_H &b) { return HGRD_OF(a.r / b.r); }
HGRD_HD HGRD_H2 operator/(const HGRD_H2 &a, const HGRD_H2 &b) { return HGRD_H2(a.x / b.x, a.y / b.y); }
HGRD_HD HGRD_H &operator/=(HGRD_H &a, const HGRD_H &b) { return a = a / b; }
HGRD_HD HGRD_H2 &operator/=(HGRD_H2 &a, const HGRD_H2 &b) { return a = a / b; }
HGRD_HD HGRD_H __hdiv(HGRD_H a, HGRD_H b) { return a / b; }
HGRD_HD HGRD_H2 __h2div(HGRD_H2 a, HGRD_H2 b) { return a / b; }
HGRD_HD HGRD_H operator-(const HGRD_H &a) { return HGRD_OF(-a.r); }
HGRD_HD HGRD_H operator+(const HGRD_H &a) { return a; }
HGRD_HD HGRD_H2 operator-(const HGRD_H2 &a) { return HGRD_H2(-a.x, -a.y); }
HGRD_HD HGRD_H &operator++(HGRD_H &a) { return a = a + HGRD_OF((HGRD_R)1.0f); }
HGRD_HD HGRD_H &operator--(HGRD_H &a) { return a = a - HGRD_OF((HGRD_R)1.0f); }
HGRD_HD HGRD_H __hneg(HGRD_H a) { return -a; }
HGRD_HD HGRD_H2 __hneg2(HGRD_H2 a) { return -a; }
HGRD_HD HGRD_H __habs(HGRD_H a) { return a.r < (HGRD_R)0.0f ? -a : a; }
HGRD_HD HGRD_H2 __habs2(HGRD_H2 a) { return HGRD_H2(__habs(a.x), __habs(a.y)); }
HGRD_HD HGRD_H __hfma(HGRD_H a, HGRD_H b, HGRD_H c) { return a * b + c; }
HGRD_HD HGRD_H __hfma_sat(HGRD_H a, HGRD_H b, HGRD_H c) { return a * b + c; }
HGRD_HD HGRD_H __hfma_relu(HGRD_H a, HGRD_H b, HGRD_H c) { return a * b + c; }
HGRD_HD HGRD_H2 __hfma2(HGRD_H2 a, HGRD_H2 b, HGRD_H2 c) { return a * b + c; }
HGRD_HD HGRD_H2 __hfma2_relu(HGRD_H2 a, HGRD_H2 b, HGRD_H2 c) { return a * b + c; }
HGRD_HD HGRD_H __hmax(HGRD_H a, HGRD_H b) { return a.r < b.r ? b : a; }
HGRD_HD HGRD_H __hmin(HGRD_H a, HGRD_H b) { return b.r < a.r ? b : a; }
HGRD_HD HGRD_H __hmax_nan(HGRD_H a, HGRD_H b) { return a.r < b.r ? b : a; }
HGRD_HD HGRD_H __hmin_nan(HGRD_H a, HGRD_H b) { return b.r < a.r ? b : a; }
HGRD_HD HGRD_H2 __hmax2(HGRD_H2 a, HGRD_H2 b) { return HGRD_H2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
HGRD_HD HGRD_H2 __hmin2(HGRD_H2 a, HGRD_H2 b) { return HGRD_H2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }

#define HGRD_COMPARE(op, name)                                                                                         \
  HGRD_HD bool operator op(const HGRD_H &a, const HGRD_H &b) { return a.r op b.r; }                                    \
  HGRD_HD bool operator op(const HGRD_H2 &a, const HGRD_H2 &b) { return a.x.r op b.x.r && a.y.r op b.y.r; }            \
  HGRD_HD bool __h##name(HGRD_H a, HGRD_H b) { return a.r op b.r; }                                                    \
  HGRD_HD bool __h##name##u(HGRD_H a, HGRD_H b) { return a.r op b.r; }                                                 \
  HGRD_HD bool __hb##name##2(HGRD_H2 a, HGRD_H2 b) { return a.x.r op b.x.r && a.y.r op b.y.r; }                        \
  HGRD_HD HGRD_H2 __h##name##2(HGRD_H2 a, HGRD_H2 b) {                                                                 \
    return HGRD_H2(HGRD_H(a.x.r op b.x.r ? 1.0f : 0.0f), HGRD_H(a.y.r op b.y.r ? 1.0f : 0.0f));                        \
  }
HGRD_COMPARE(==, eq)
HGRD_COMPARE(!=, ne)
HGRD_COMPARE(<, lt)
HGRD_COMPARE(<=, le)
HGRD_COMPARE(>, gt)
HGRD_COMPARE(>=, ge)
#undef HGRD_COMPARE
HGRD_HD bool __hisnan(HGRD_H a) { return a.r != a.r; }
HGRD_HD int __hisinf(HGRD_H a) {
  return (float)a.r == __builtin_inff() ? 1 : (float)a.r == -__builtin_inff() ? -1 : 0;
}

// ---- conversions ----------------------------------------------------------------------------------------------------
#define HGRD_ROUNDINGS(result, head, params, ...)                                                                      \
  HGRD_HD result head params { return __VA_ARGS__; }                                                                   \
  HGRD_HD result HGRD_PASTE(head, _rn) params { return __VA_ARGS__; }                                                  \
  HGRD_HD result HGRD_PASTE(head, _rz) params { return __VA_ARGS__; }                                                  \
  HGRD_HD result HGRD_PASTE(head, _rd) params { return __VA_ARGS__; }                                                  \
  HGRD_HD result HGRD_PASTE(head, _ru) params { return __VA_ARGS__; }
#define HGRD_PASTE(a, b) HGRD_PASTE2(a, b)
#define HGRD_PASTE2(a, b) a##b
HGRD_ROUNDINGS(HGRD_H, HGRD_N(__float2, ), (float v), HGRD_H(v))
HGRD_HD HGRD_H HGRD_N(__double2, )(double v) { return HGRD_H(v); }
HGRD_HD float HGRD_N(__, 2float)(HGRD_H h) { return (float)h.r; }
#define HGRD_INTEGER(type, name)                                                                                       \
  HGRD_ROUNDINGS(HGRD_H, HGRD_N(__##name##2, ), (type v), HGRD_H(v))                                                   \
  HGRD_ROUNDINGS(type, HGRD_N(__, 2##name), (HGRD_H h), (type)(float)h.r)
HGRD_INTEGER(int, int)
HGRD_INTEGER(unsigned int, uint)
HGRD_INTEGER(short, short)
HGRD_INTEGER(unsigned short, ushort)
HGRD_INTEGER(long long, ll)
HGRD_INTEGER(unsigned long long, ull)
#undef HGRD_INTEGER
#undef HGRD_ROUNDINGS
HGRD_HD short HGRD_N(__, _as_short)(HGRD_H h) {
  short s;
  __builtin_memcpy(&s, &h, 2);
  return s;
}
HGRD_HD unsigned short HGRD_N(__, _as_ushort)(HGRD_H h) {
  unsigned short s;
  __builtin_memcpy(&s, &h, 2);
  return s;
}
HGRD_HD HGRD_H HGRD_N(__short_as_, )(short s) {
  HGRD_H h;
  __builtin_memcpy(&h, &s, 2);
  return h;
}
HGRD_HD HGRD_H HGRD_N(__ushort_as_, )(unsigned short s) {
  HGRD_H h;
  __builtin_memcpy(&h, &s, 2);
  return h;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------
HGRD_HD HGRD_H2 HGRD_N(make_, 2)(HGRD_H a, HGRD_H b) { return HGRD_H2(a, b); }
HGRD_HD HGRD_H2 HGRD_N(__floats2, 2_rn)(float a, float b) { return HGRD_H2(HGRD_H(a), HGRD_H(b)); }
HGRD_HD HGRD_H2 HGRD_N(__float2, 2_rn)(float a) { return HGRD_H2(HGRD_H(a), HGRD_H(a)); }
HGRD_HD HGRD_H2 HGRD_N(__float22, 2_rn)(float2 v) { return HGRD_H2(HGRD_H(v.x), HGRD_H(v.y)); }
HGRD_HD float2 HGRD_N(__, 22float2)(HGRD_H2 h) { return make_float2((float)h.x.r, (float)h.y.r); }
HGRD_HD HGRD_H2 HGRD_TWICE(HGRD_H h) { return HGRD_H2(h, h); }
HGRD_HD HGRD_H HGRD_N(__low2, )(HGRD_H2 h) { return h.x; }
HGRD_HD HGRD_H HGRD_N(__high2, )(HGRD_H2 h) { return h.y; }
HGRD_HD float __low2float(HGRD_H2 h) { return (float)h.x.r; }
HGRD_HD float __high2float(HGRD_H2 h) { return (float)h.y.r; }
HGRD_HD HGRD_H2 HGRD_N(__low2, 2)(HGRD_H2 h) { return HGRD_H2(h.x, h.x); }
HGRD_HD HGRD_H2 HGRD_N(__high2, 2)(HGRD_H2 h) { return HGRD_H2(h.y, h.y); }
HGRD_HD HGRD_H2 HGRD_JOIN(HGRD_H a, HGRD_H b) { return HGRD_H2(a, b); }
HGRD_HD HGRD_H2 HGRD_N(__lows2, 2)(HGRD_H2 a, HGRD_H2 b) { return HGRD_H2(a.x, b.x); }
HGRD_HD HGRD_H2 HGRD_N(__highs2, 2)(HGRD_H2 a, HGRD_H2 b) { return HGRD_H2(a.y, b.y); }
HGRD_HD HGRD_H2 __lowhigh2highlow(HGRD_H2 h) { return HGRD_H2(h.y, h.x); }

// ---- functions ------------------------------------------------------------------------------------------------------
#define HGRD_FUNCTION(name, call)                                                                                      \
  HGRD_D HGRD_H h##name(HGRD_H a) { return HGRD_H(call((float)a.r)); }                                                 \
  HGRD_D HGRD_H2 h2##name(HGRD_H2 a) { return HGRD_H2(h##name(a.x), h##name(a.y)); }
HGRD_FUNCTION(sqrt, sqrtf)
HGRD_FUNCTION(rsqrt, rsqrtf)
HGRD_FUNCTION(rcp, 1.0f /)
HGRD_FUNCTION(exp, expf)
HGRD_FUNCTION(exp2, exp2f)
HGRD_FUNCTION(exp10, exp10f)
HGRD_FUNCTION(log, logf)
HGRD_FUNCTION(log2, log2f)
HGRD_FUNCTION(log10, log10f)
HGRD_FUNCTION(sin, sinf)
HGRD_FUNCTION(cos, cosf)
HGRD_FUNCTION(tanh, tanhf)
HGRD_FUNCTION(tanh_approx, tanhf)
HGRD_FUNCTION(floor, floorf)
HGRD_FUNCTION(ceil, ceilf)
HGRD_FUNCTION(rint, rintf)
HGRD_FUNCTION(trunc, truncf)
#undef HGRD_FUNCTION

// ---- device: atomics, shuffles, cached loads ------------------------------------------------------------------------
HGRD_D HGRD_H atomicAdd(HGRD_H *place, HGRD_H v) {
  return HGRD_N(__ushort_as_, )(__hgrd_atomic_rmw_16(place, HGRD_N(__, _as_ushort)(v), HGRD_RMW_FADD,
                                                     HGRD_ORDER_RELAXED, HGRD_SCOPE_DEVICE));
}
HGRD_D HGRD_H2 atomicAdd(HGRD_H2 *place, HGRD_H2 v) { return HGRD_H2(atomicAdd(&place->x, v.x), atomicAdd(&place->y, v.y)); }
#define HGRD_SHUFFLE(name, param)                                                                                      \
  HGRD_D HGRD_H name(unsigned int mask, HGRD_H v, param other, int width = 32) {                                       \
    return HGRD_N(__ushort_as_, )(                                                                                     \
        (unsigned short)name(mask, (unsigned int)HGRD_N(__, _as_ushort)(v), other, width));                            \
  }                                                                                                                    \
  HGRD_D HGRD_H2 name(unsigned int mask, HGRD_H2 v, param other, int width = 32) {                                     \
    unsigned int w;                                                                                                    \
    __builtin_memcpy(&w, &v, 4);                                                                                       \
    w = name(mask, w, other, width);                                                                                   \
    __builtin_memcpy(&v, &w, 4);                                                                                       \
    return v;                                                                                                          \
  }
HGRD_SHUFFLE(__shfl_sync, int)
HGRD_SHUFFLE(__shfl_up_sync, unsigned int)
HGRD_SHUFFLE(__shfl_down_sync, unsigned int)
HGRD_SHUFFLE(__shfl_xor_sync, int)
#undef HGRD_SHUFFLE
HGRD_D HGRD_H __ldg(const HGRD_H *p) { return HGRD_N(__ushort_as_, )(__ldg((const unsigned short *)p)); }
HGRD_D HGRD_H2 __ldg(const HGRD_H2 *p) {
  unsigned int w = __ldg((const unsigned int *)p);
  HGRD_H2 v;
  __builtin_memcpy(&v, &w, 4);
  return v;
}
#undef HGRD_OF
#undef HGRD_D
#undef HGRD_HD
#undef HGRD_PASTE
#undef HGRD_PASTE2
