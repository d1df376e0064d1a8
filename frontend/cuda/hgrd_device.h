// Functions of device code that no clang builtin provides: synchronisation, atomics, warp functions, cached loads,
// bit and fast arithmetic, clocks, printf, assert and the heap. All are prototypes: the lowering knows them by base
// name and makes one IR operation of each (barrier, fence, atomic, shuffle, vote, load) or a pure function.
// __syncthreads is a builtin of clang and must not be declared.
// Left out: SIMD video instructions beyond the common ones; the warp functions without _sync work as with a full mask.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_DEVICE_H
#define HGRD_CUDA_DEVICE_H
#pragma GCC system_header
#include <stddef.h>

// ---- barriers and fences --------------------------------------------------------------------------------------------
extern "C" {
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __threadfence(void);
__device__ void __threadfence_block(void);
__device__ void __threadfence_system(void);
__device__ void __prof_trigger(int);
__device__ void __trap(void) __attribute__((noreturn));
__device__ void __brkpt(void);
__device__ void __nanosleep(unsigned int ns);
// Programmatic dependent launch: the kernel behind may start; the kernels in front are over.
static inline __device__ void cudaTriggerProgrammaticLaunchCompletion(void) { asm volatile("griddepcontrol.launch_dependents;"); }
static inline __device__ void cudaGridDependencySynchronize(void) { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ long clock(void) noexcept; // clock_t
__device__ long long clock64(void);
__device__ unsigned long long globaltimer(void);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
__device__ unsigned int __isGlobal(const void *);
__device__ unsigned int __isShared(const void *);
__device__ unsigned int __isConstant(const void *);
__device__ unsigned int __isLocal(const void *);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ void *__cvta_shared_to_generic(size_t);
__device__ void *__cvta_global_to_generic(size_t);
}

// Named barriers: of all threads of the block, or of `count` of them.
static inline __device__ void __barrier_sync(unsigned int id) { asm volatile("bar.sync %0;" ::"r"(id) : "memory"); }
static inline __device__ void __barrier_sync_count(unsigned int id, unsigned int count) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}

// ---- atomics --------------------------------------------------------------------------------------------------------
#define HGRD_ATOMIC1(name, type)                                                                                       \
  __device__ type name(type *place, type value);                                                                       \
  __device__ type name##_block(type *place, type value);                                                               \
  __device__ type name##_system(type *place, type value);
#define HGRD_ATOMIC_INTS(name)                                                                                         \
  HGRD_ATOMIC1(name, int)                                                                                              \
  HGRD_ATOMIC1(name, unsigned int)                                                                                     \
  HGRD_ATOMIC1(name, unsigned long long)
HGRD_ATOMIC_INTS(atomicAdd)
HGRD_ATOMIC1(atomicAdd, float)
HGRD_ATOMIC1(atomicAdd, double)
// Each part of a vector by itself, as of compute capability 9.0; a program's own function of that name goes before.
template <class T> struct __hgrd_parts;
template <> struct __hgrd_parts<float2> { typedef float2 type; };
template <> struct __hgrd_parts<float4> { typedef float4 type; };
static inline __device__ float2 __hgrd_add_parts(float2 *place, float2 value) {
  return {atomicAdd(&place->x, value.x), atomicAdd(&place->y, value.y)};
}
static inline __device__ float4 __hgrd_add_parts(float4 *place, float4 value) {
  return {atomicAdd(&place->x, value.x), atomicAdd(&place->y, value.y), atomicAdd(&place->z, value.z),
          atomicAdd(&place->w, value.w)};
}
template <class T>
static inline __device__ typename __hgrd_parts<T>::type atomicAdd(T *place, typename __hgrd_parts<T>::type value) {
  return __hgrd_add_parts(place, value);
}
HGRD_ATOMIC1(atomicSub, int)
HGRD_ATOMIC1(atomicSub, unsigned int)
HGRD_ATOMIC_INTS(atomicExch)
HGRD_ATOMIC1(atomicExch, float)
HGRD_ATOMIC_INTS(atomicMin)
HGRD_ATOMIC1(atomicMin, long long)
HGRD_ATOMIC_INTS(atomicMax)
HGRD_ATOMIC1(atomicMax, long long)
HGRD_ATOMIC_INTS(atomicAnd)
HGRD_ATOMIC1(atomicAnd, long long)
HGRD_ATOMIC_INTS(atomicOr)
HGRD_ATOMIC1(atomicOr, long long)
HGRD_ATOMIC_INTS(atomicXor)
HGRD_ATOMIC1(atomicXor, long long)
HGRD_ATOMIC1(atomicInc, unsigned int)
HGRD_ATOMIC1(atomicDec, unsigned int)
#undef HGRD_ATOMIC_INTS
#undef HGRD_ATOMIC1
#define HGRD_CAS(type)                                                                                                 \
  __device__ type atomicCAS(type *place, type expected, type desired);                                                 \
  __device__ type atomicCAS_block(type *place, type expected, type desired);                                           \
  __device__ type atomicCAS_system(type *place, type expected, type desired);
HGRD_CAS(int)
HGRD_CAS(unsigned int)
HGRD_CAS(unsigned long long)
HGRD_CAS(unsigned short)
#undef HGRD_CAS

// ---- warps ----------------------------------------------------------------------------------------------------------
#define HGRD_SHUFFLE(type)                                                                                             \
  __device__ type __shfl_sync(unsigned int mask, type value, int lane, int width = 32);                                \
  __device__ type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32);                   \
  __device__ type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32);                 \
  __device__ type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32);                       \
  __device__ type __shfl(type value, int lane, int width = 32);                                                        \
  __device__ type __shfl_up(type value, unsigned int delta, int width = 32);                                           \
  __device__ type __shfl_down(type value, unsigned int delta, int width = 32);                                         \
  __device__ type __shfl_xor(type value, int lane_mask, int width = 32);
HGRD_SHUFFLE(int)
HGRD_SHUFFLE(unsigned int)
HGRD_SHUFFLE(long)
HGRD_SHUFFLE(unsigned long)
HGRD_SHUFFLE(long long)
HGRD_SHUFFLE(unsigned long long)
HGRD_SHUFFLE(float)
HGRD_SHUFFLE(double)
#undef HGRD_SHUFFLE
extern "C" {
__device__ int __all_sync(unsigned int mask, int predicate);
__device__ int __any_sync(unsigned int mask, int predicate);
__device__ int __uni_sync(unsigned int mask, int predicate);
__device__ unsigned int __ballot_sync(unsigned int mask, int predicate);
__device__ unsigned int __activemask(void);
__device__ int __all(int predicate);
__device__ int __any(int predicate);
__device__ unsigned int __ballot(int predicate);
__device__ unsigned int __fns(unsigned int mask, unsigned int base, int offset);
}
#define HGRD_MATCH(type)                                                                                               \
  __device__ unsigned int __match_any_sync(unsigned int mask, type value);                                             \
  __device__ unsigned int __match_all_sync(unsigned int mask, type value, int *all_equal);
HGRD_MATCH(int)
HGRD_MATCH(unsigned int)
HGRD_MATCH(long)
HGRD_MATCH(unsigned long)
HGRD_MATCH(long long)
HGRD_MATCH(unsigned long long)
HGRD_MATCH(float)
HGRD_MATCH(double)
#undef HGRD_MATCH
__device__ unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
__device__ int __reduce_add_sync(unsigned int mask, int value);
__device__ int __reduce_min_sync(unsigned int mask, int value);
__device__ int __reduce_max_sync(unsigned int mask, int value);
__device__ unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);

// ---- loads and stores with a cache hint -----------------------------------------------------------------------------
// __ldg is known to be read-only; the hints of the others change nothing of what is accessed. Loads that never take a
// cached value, and stores that write through, count as strong.
#define HGRD_LDG(type) __device__ type __ldg(const type *);
HGRD_LDG(char) HGRD_LDG(signed char) HGRD_LDG(unsigned char) HGRD_LDG(short) HGRD_LDG(unsigned short) HGRD_LDG(int)
HGRD_LDG(unsigned int) HGRD_LDG(long) HGRD_LDG(unsigned long) HGRD_LDG(long long) HGRD_LDG(unsigned long long)
HGRD_LDG(float) HGRD_LDG(double)
HGRD_LDG(char2) HGRD_LDG(char4) HGRD_LDG(uchar2) HGRD_LDG(uchar4) HGRD_LDG(short2) HGRD_LDG(short4) HGRD_LDG(ushort2)
HGRD_LDG(ushort4) HGRD_LDG(int2) HGRD_LDG(int4) HGRD_LDG(uint2) HGRD_LDG(uint4) HGRD_LDG(longlong2)
HGRD_LDG(ulonglong2) HGRD_LDG(float2) HGRD_LDG(float4) HGRD_LDG(double2)
#undef HGRD_LDG
template <class T> struct __hgrd_given { // a value is converted to what the pointer points to
  typedef T type;
};
#define HGRD_HINT(load, store)                                                                                         \
  template <class T> static inline __device__ T load(const T *p) { return *p; }                                        \
  template <class T> static inline __device__ void store(T *p, typename __hgrd_given<T>::type v) { *p = v; }
HGRD_HINT(__ldca, __stwb)
HGRD_HINT(__ldcg, __stcg)
HGRD_HINT(__ldcs, __stcs)
HGRD_HINT(__ldlu, __stlu)
#undef HGRD_HINT
template <class T> static inline __device__ T __ldcv(const T *p) {
  if constexpr (__is_class(T))
    return *p;
  else
    return *(const volatile T *)p;
}
template <class T> static inline __device__ void __stwt(T *p, typename __hgrd_given<T>::type v) {
  if constexpr (__is_class(T))
    *p = v;
  else
    *(volatile T *)p = v;
}

// ---- bits -----------------------------------------------------------------------------------------------------------
extern "C" {
#define HGRD_PURE(result, name, params) __device__ result name params noexcept;
HGRD_PURE(int, __popc, (unsigned int))
HGRD_PURE(int, __popcll, (unsigned long long))
HGRD_PURE(int, __clz, (int))
HGRD_PURE(int, __clzll, (long long))
HGRD_PURE(int, __ffs, (int))
HGRD_PURE(int, __ffsll, (long long))
HGRD_PURE(unsigned int, __brev, (unsigned int))
HGRD_PURE(unsigned long long, __brevll, (unsigned long long))
HGRD_PURE(unsigned int, __byte_perm, (unsigned int, unsigned int, unsigned int))
HGRD_PURE(unsigned int, __funnelshift_l, (unsigned int, unsigned int, unsigned int))
HGRD_PURE(unsigned int, __funnelshift_r, (unsigned int, unsigned int, unsigned int))
HGRD_PURE(unsigned int, __funnelshift_lc, (unsigned int, unsigned int, unsigned int))
HGRD_PURE(unsigned int, __funnelshift_rc, (unsigned int, unsigned int, unsigned int))
HGRD_PURE(int, __mulhi, (int, int))
HGRD_PURE(unsigned int, __umulhi, (unsigned int, unsigned int))
HGRD_PURE(long long, __mul64hi, (long long, long long))
HGRD_PURE(unsigned long long, __umul64hi, (unsigned long long, unsigned long long))
HGRD_PURE(unsigned int, __sad, (int, int, unsigned int))
HGRD_PURE(unsigned int, __usad, (unsigned int, unsigned int, unsigned int))
HGRD_PURE(int, __hadd, (int, int))
HGRD_PURE(int, __rhadd, (int, int))
HGRD_PURE(unsigned int, __uhadd, (unsigned int, unsigned int))
HGRD_PURE(unsigned int, __urhadd, (unsigned int, unsigned int))

// ---- fast and rounded arithmetic, conversions -----------------------------------------------------------------------
#define HGRD_FLOAT1(name) HGRD_PURE(float, name, (float))
#define HGRD_FLOAT2(name) HGRD_PURE(float, name, (float, float))
#define HGRD_ROUNDED(kind, name, params)                                                                               \
  HGRD_PURE(kind, name##_rn, params)                                                                                   \
  HGRD_PURE(kind, name##_rz, params)                                                                                   \
  HGRD_PURE(kind, name##_ru, params)                                                                                   \
  HGRD_PURE(kind, name##_rd, params)
HGRD_FLOAT1(__sinf) HGRD_FLOAT1(__cosf) HGRD_FLOAT1(__tanf) HGRD_FLOAT1(__expf) HGRD_FLOAT1(__exp10f)
HGRD_FLOAT1(__logf) HGRD_FLOAT1(__log2f) HGRD_FLOAT1(__log10f) HGRD_FLOAT1(__saturatef) HGRD_FLOAT1(__frsqrt_rn)
HGRD_FLOAT1(__tanhf)
HGRD_FLOAT2(__powf) HGRD_FLOAT2(__fdividef)
__device__ void __sincosf(float, float *, float *) noexcept;
HGRD_ROUNDED(float, __fadd, (float, float))
HGRD_ROUNDED(float, __fsub, (float, float))
HGRD_ROUNDED(float, __fmul, (float, float))
HGRD_ROUNDED(float, __fdiv, (float, float))
HGRD_ROUNDED(float, __frcp, (float))
HGRD_ROUNDED(float, __fsqrt, (float))
HGRD_ROUNDED(float, __fmaf, (float, float, float))
HGRD_ROUNDED(float, __fmaf_ieee, (float, float, float))
HGRD_ROUNDED(double, __dadd, (double, double))
HGRD_ROUNDED(double, __dsub, (double, double))
HGRD_ROUNDED(double, __dmul, (double, double))
HGRD_ROUNDED(double, __ddiv, (double, double))
HGRD_ROUNDED(double, __drcp, (double))
HGRD_ROUNDED(double, __dsqrt, (double))
HGRD_ROUNDED(double, __fma, (double, double, double))
HGRD_ROUNDED(int, __float2int, (float))
HGRD_ROUNDED(unsigned int, __float2uint, (float))
HGRD_ROUNDED(long long, __float2ll, (float))
HGRD_ROUNDED(unsigned long long, __float2ull, (float))
HGRD_ROUNDED(int, __double2int, (double))
HGRD_ROUNDED(unsigned int, __double2uint, (double))
HGRD_ROUNDED(long long, __double2ll, (double))
HGRD_ROUNDED(unsigned long long, __double2ull, (double))
HGRD_ROUNDED(float, __double2float, (double))
HGRD_ROUNDED(float, __int2float, (int))
HGRD_ROUNDED(float, __uint2float, (unsigned int))
HGRD_ROUNDED(float, __ll2float, (long long))
HGRD_ROUNDED(float, __ull2float, (unsigned long long))
HGRD_ROUNDED(double, __ll2double, (long long))
HGRD_ROUNDED(double, __ull2double, (unsigned long long))
HGRD_PURE(double, __int2double_rn, (int))
HGRD_PURE(double, __uint2double_rn, (unsigned int))
HGRD_PURE(int, __float_as_int, (float))
HGRD_PURE(unsigned int, __float_as_uint, (float))
HGRD_PURE(float, __int_as_float, (int))
HGRD_PURE(float, __uint_as_float, (unsigned int))
HGRD_PURE(long long, __double_as_longlong, (double))
HGRD_PURE(double, __longlong_as_double, (long long))
HGRD_PURE(int, __double2hiint, (double))
HGRD_PURE(int, __double2loint, (double))
HGRD_PURE(double, __hiloint2double, (int, int))
#undef HGRD_ROUNDED
#undef HGRD_FLOAT2
#undef HGRD_FLOAT1

// Products of the low 24 bits; the high ones do not count.
extern "C" __device__ int __mul24(int a, int b);
extern "C" __device__ unsigned int __umul24(unsigned int a, unsigned int b);
static inline __device__ int mul24(int a, int b) { return __mul24(a, b); }
static inline __device__ unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
static inline __device__ int mulhi(int a, int b) { return __mulhi(a, b); }
static inline __device__ unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
static inline __device__ float int_as_float(int a) { return __int_as_float(a); }
static inline __device__ int float_as_int(float a) { return __float_as_int(a); }
static inline __device__ float saturate(float a) { return __saturatef(a); }

// ---- SIMD within a word ---------------------------------------------------------------------------------------------
#define HGRD_SIMD2(name) HGRD_PURE(unsigned int, name##2, (unsigned int, unsigned int))                                \
                         HGRD_PURE(unsigned int, name##4, (unsigned int, unsigned int))
HGRD_SIMD2(__vadd) HGRD_SIMD2(__vsub) HGRD_SIMD2(__vaddss) HGRD_SIMD2(__vaddus) HGRD_SIMD2(__vsubss)
HGRD_SIMD2(__vsubus) HGRD_SIMD2(__vmaxs) HGRD_SIMD2(__vmaxu) HGRD_SIMD2(__vmins) HGRD_SIMD2(__vminu)
HGRD_SIMD2(__vabsdiffs) HGRD_SIMD2(__vabsdiffu) HGRD_SIMD2(__vsads) HGRD_SIMD2(__vsadu) HGRD_SIMD2(__vavgs)
HGRD_SIMD2(__vavgu) HGRD_SIMD2(__vhaddu) HGRD_SIMD2(__vcmpeq) HGRD_SIMD2(__vcmpges) HGRD_SIMD2(__vcmpgeu)
HGRD_SIMD2(__vcmpgts) HGRD_SIMD2(__vcmpgtu) HGRD_SIMD2(__vcmples) HGRD_SIMD2(__vcmpleu) HGRD_SIMD2(__vcmplts)
HGRD_SIMD2(__vcmpltu) HGRD_SIMD2(__vcmpne) HGRD_SIMD2(__vseteq) HGRD_SIMD2(__vsetges) HGRD_SIMD2(__vsetgeu)
HGRD_SIMD2(__vsetgts) HGRD_SIMD2(__vsetgtu) HGRD_SIMD2(__vsetles) HGRD_SIMD2(__vsetleu) HGRD_SIMD2(__vsetlts)
HGRD_SIMD2(__vsetltu) HGRD_SIMD2(__vsetne)
#undef HGRD_SIMD2
HGRD_PURE(unsigned int, __vabs2, (unsigned int))
HGRD_PURE(unsigned int, __vabs4, (unsigned int))
HGRD_PURE(unsigned int, __vneg2, (unsigned int))
HGRD_PURE(unsigned int, __vneg4, (unsigned int))
HGRD_PURE(unsigned int, __vabsss2, (unsigned int))
HGRD_PURE(unsigned int, __vabsss4, (unsigned int))
HGRD_PURE(unsigned int, __vnegss2, (unsigned int))
HGRD_PURE(unsigned int, __vnegss4, (unsigned int))
#undef HGRD_PURE

// ---- heap, memory, printf, assert -----------------------------------------------------------------------------------
#define HGRD_BOTH(result, name, params)                                                                                \
  __device__ result name params noexcept;                                                                              \
  result name params noexcept;
HGRD_BOTH(void *, malloc, (size_t))
HGRD_BOTH(void *, calloc, (size_t, size_t))
HGRD_BOTH(void, free, (void *))
HGRD_BOTH(void *, memcpy, (void *, const void *, size_t))
HGRD_BOTH(void *, memset, (void *, int, size_t))
HGRD_BOTH(void *, memmove, (void *, const void *, size_t))
HGRD_BOTH(int, memcmp, (const void *, const void *, size_t))
HGRD_BOTH(size_t, strlen, (const char *))
#undef HGRD_BOTH
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...) __attribute__((format(printf, 1, 2)));
int printf(const char *, ...) __attribute__((format(printf, 1, 2)));
__device__ void __assertfail(const char *, const char *, unsigned int, const char *, size_t) noexcept
    __attribute__((noreturn));
static inline __device__ __attribute__((noreturn)) void __assert_fail(const char *text, const char *file,
                                                                      unsigned int line,
                                                                      const char *function) noexcept {
  __assertfail(text, file, line, function, 1);
}
}
__device__ int __dp4a(int, int, int);
__device__ unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_lo(int, int, int);
__device__ unsigned int __dp2a_lo(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_hi(int, int, int);
__device__ unsigned int __dp2a_hi(unsigned int, unsigned int, unsigned int);

#endif
