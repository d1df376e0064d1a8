// The atomics that nvcc has built in since CUDA 12.8: __nv_atomic_load_n, __nv_atomic_fetch_add ... with order and scope
// as arguments. Templates over the intrinsics; the named constants have the numbers of IrOrder and IrScope.
// Objects that are not 1, 2, 4 or 8 bytes wide do not compile.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_NV_ATOMIC_H
#define HGRD_CUDA_NV_ATOMIC_H
#pragma GCC system_header
#include "hgrd_intrinsics.h"

#define __NV_ATOMIC_RELAXED 2
#define __NV_ATOMIC_CONSUME 3
#define __NV_ATOMIC_ACQUIRE 3
#define __NV_ATOMIC_RELEASE 4
#define __NV_ATOMIC_ACQ_REL 5
#define __NV_ATOMIC_SEQ_CST 6
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_CLUSTER 3
#define __NV_THREAD_SCOPE_DEVICE 4
#define __NV_THREAD_SCOPE_SYSTEM 5

#define HGRD_D template <class T> static inline __device__ __attribute__((always_inline))
#define HGRD_SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM
// A value and the unsigned word that holds it.
template <unsigned int bytes> struct __hgrd_word;
template <> struct __hgrd_word<1> { typedef unsigned char type; };
template <> struct __hgrd_word<2> { typedef unsigned short type; };
template <> struct __hgrd_word<4> { typedef unsigned int type; };
template <> struct __hgrd_word<8> { typedef unsigned long long type; };
template <class T> union __hgrd_bits {
  T value;
  typename __hgrd_word<sizeof(T)>::type word;
};
template <class T> struct __hgrd_same { typedef T type; };
#define HGRD_T typename __hgrd_same<T>::type
#define HGRD_SIZES(operation, ...)                                                                                     \
  if constexpr (sizeof(T) == 1)                                                                                        \
    HGRD_DO(__hgrd_atomic_##operation##_8(__VA_ARGS__));                                                               \
  else if constexpr (sizeof(T) == 2)                                                                                   \
    HGRD_DO(__hgrd_atomic_##operation##_16(__VA_ARGS__));                                                              \
  else if constexpr (sizeof(T) == 4)                                                                                   \
    HGRD_DO(__hgrd_atomic_##operation##_32(__VA_ARGS__));                                                              \
  else                                                                                                                 \
    HGRD_DO(__hgrd_atomic_##operation##_64(__VA_ARGS__));

#define HGRD_DO(call) bits.word = call
HGRD_D T __nv_atomic_load_n(T *p, int order, HGRD_SCOPE) {
  __hgrd_bits<T> bits;
  HGRD_SIZES(load, p, order, scope)
  return bits.value;
}
HGRD_D T __hgrd_nv_rmw(T *p, T v, int rmw, int order, int scope) {
  __hgrd_bits<T> bits;
  bits.value = v;
  HGRD_SIZES(rmw, p, bits.word, rmw, order, scope)
  return bits.value;
}
HGRD_D bool __nv_atomic_compare_exchange_n(T *p, T *expected, HGRD_T v, bool, int order, int failed, HGRD_SCOPE) {
  __hgrd_bits<T> bits, want;
  want.value = *expected;
  bits.value = v;
  HGRD_SIZES(cas, p, want.word, bits.word, order, scope, failed)
  *expected = bits.value;
  return bits.word == want.word;
}
#undef HGRD_DO
#define HGRD_DO(call) call
HGRD_D void __nv_atomic_store_n(T *p, HGRD_T v, int order, HGRD_SCOPE) {
  __hgrd_bits<T> bits;
  bits.value = v;
  HGRD_SIZES(store, p, bits.word, order, scope)
}
#undef HGRD_DO
#undef HGRD_SIZES
HGRD_D T __nv_atomic_exchange_n(T *p, HGRD_T v, int order, HGRD_SCOPE) {
  return __hgrd_nv_rmw(p, v, HGRD_RMW_XCHG, order, scope);
}
HGRD_D void __nv_atomic_load(T *p, T *result, int order, HGRD_SCOPE) { *result = __nv_atomic_load_n(p, order, scope); }
HGRD_D void __nv_atomic_store(T *p, T *v, int order, HGRD_SCOPE) { __nv_atomic_store_n(p, *v, order, scope); }
HGRD_D void __nv_atomic_exchange(T *p, T *v, T *result, int order, HGRD_SCOPE) {
  *result = __nv_atomic_exchange_n(p, *v, order, scope);
}
HGRD_D bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool weak, int order, int failed, HGRD_SCOPE) {
  return __nv_atomic_compare_exchange_n(p, expected, *v, weak, order, failed, scope);
}
// fetch_add gives the old value, add nothing. For floating point the operation is FADD and the like.
#define HGRD_NV_ATOMIC(name, of_signed, of_unsigned, of_float)                                                         \
  HGRD_D T __nv_atomic_fetch_##name(T *p, HGRD_T v, int order, HGRD_SCOPE) {                                           \
    return __hgrd_nv_rmw(p, v, (T)0.5f != (T)0 ? of_float : (T)-1 < (T)0 ? of_signed : of_unsigned, order,       \
                         scope);                                                                                       \
  }                                                                                                                    \
  HGRD_D void __nv_atomic_##name(T *p, HGRD_T v, int order, HGRD_SCOPE) {                                              \
    __nv_atomic_fetch_##name(p, v, order, scope);                                                                      \
  }
HGRD_NV_ATOMIC(add, HGRD_RMW_ADD, HGRD_RMW_ADD, HGRD_RMW_FADD)
HGRD_NV_ATOMIC(sub, HGRD_RMW_SUB, HGRD_RMW_SUB, HGRD_RMW_FADD)
HGRD_NV_ATOMIC(and, HGRD_RMW_AND, HGRD_RMW_AND, HGRD_RMW_AND)
HGRD_NV_ATOMIC(or, HGRD_RMW_OR, HGRD_RMW_OR, HGRD_RMW_OR)
HGRD_NV_ATOMIC(xor, HGRD_RMW_XOR, HGRD_RMW_XOR, HGRD_RMW_XOR)
HGRD_NV_ATOMIC(max, HGRD_RMW_MAX, HGRD_RMW_UMAX, HGRD_RMW_FMAX)
HGRD_NV_ATOMIC(min, HGRD_RMW_MIN, HGRD_RMW_UMIN, HGRD_RMW_FMIN)
#undef HGRD_NV_ATOMIC
#undef HGRD_SCOPE
#undef HGRD_T
#undef HGRD_D
static inline __device__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __hgrd_fence(order, scope);
}

#endif
