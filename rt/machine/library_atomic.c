// Atomics of CUDA, and the intrinsics that the bundled headers of cuda::atomic are made of. All are one step of the machine; scope and
// order are told to the detector.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"

#include <string.h>

#define ATOMIC_AT(own, name, letter, type, op, scope)                                                        \
  FUNCTION(type, own, name "P" letter letter, type *place, type value) {                                     \
    uint64_t bits = 0, old;                                                                                  \
    memcpy(&bits, &value, sizeof value);                                                                     \
    old = atomic_apply(place, op, sizeof value, bits, scope, RT_RELAXED);                                    \
    memcpy(&value, &old, sizeof value);                                                                      \
    return value;                                                                                            \
  }
// The lengths are those of the three names.
#define ATOMIC(own, name, n, n_block, n_system, letter, type, op)                                            \
  ATOMIC_AT(own##_device, "_Z" n name, letter, type, op, RT_SCOPE_DEVICE)                                    \
  ATOMIC_AT(own##_block, "_Z" n_block name "_block", letter, type, op, RT_SCOPE_BLOCK)                       \
  ATOMIC_AT(own##_system, "_Z" n_system name "_system", letter, type, op, RT_SCOPE_SYSTEM)
#define ATOMIC9(own, name, letter, type, op) ATOMIC(own, name, "9", "15", "16", letter, type, op)
#define ATOMIC_INTS(own, name, op)                                                                           \
  ATOMIC9(own##_i, name, "i", int, op)                                                                       \
  ATOMIC9(own##_j, name, "j", uint32_t, op)                                                                  \
  ATOMIC9(own##_y, name, "y", unsigned long long, op)

ATOMIC_INTS(add, "atomicAdd", RT_RMW_ADD)
ATOMIC9(add_f, "atomicAdd", "f", float, RT_RMW_FADD)
ATOMIC9(add_d, "atomicAdd", "d", double, RT_RMW_FADD)
ATOMIC9(sub_i, "atomicSub", "i", int, RT_RMW_SUB)
ATOMIC9(sub_j, "atomicSub", "j", uint32_t, RT_RMW_SUB)
ATOMIC9(min_i, "atomicMin", "i", int, RT_RMW_MIN)
ATOMIC9(min_x, "atomicMin", "x", long long, RT_RMW_MIN)
ATOMIC9(min_j, "atomicMin", "j", uint32_t, RT_RMW_UMIN)
ATOMIC9(min_y, "atomicMin", "y", unsigned long long, RT_RMW_UMIN)
ATOMIC9(max_i, "atomicMax", "i", int, RT_RMW_MAX)
ATOMIC9(max_x, "atomicMax", "x", long long, RT_RMW_MAX)
ATOMIC9(max_j, "atomicMax", "j", uint32_t, RT_RMW_UMAX)
ATOMIC9(max_y, "atomicMax", "y", unsigned long long, RT_RMW_UMAX)
ATOMIC_INTS(and, "atomicAnd", RT_RMW_AND)
ATOMIC9(and_x, "atomicAnd", "x", long long, RT_RMW_AND)
ATOMIC_INTS(xor, "atomicXor", RT_RMW_XOR)
ATOMIC9(xor_x, "atomicXor", "x", long long, RT_RMW_XOR)
ATOMIC9(inc_j, "atomicInc", "j", uint32_t, RT_RMW_INC)
ATOMIC9(dec_j, "atomicDec", "j", uint32_t, RT_RMW_DEC)
#define ATOMIC_OR(own, letter, type) ATOMIC(own, "atomicOr", "8", "14", "15", letter, type, RT_RMW_OR)
ATOMIC_OR(or_i, "i", int)
ATOMIC_OR(or_j, "j", uint32_t)
ATOMIC_OR(or_y, "y", unsigned long long)
ATOMIC_OR(or_x, "x", long long)
#define ATOMIC_EXCH(own, letter, type) ATOMIC(own, "atomicExch", "10", "16", "17", letter, type, RT_RMW_XCHG)
ATOMIC_EXCH(exch_i, "i", int)
ATOMIC_EXCH(exch_j, "j", uint32_t)
ATOMIC_EXCH(exch_y, "y", unsigned long long)
ATOMIC_EXCH(exch_f, "f", float)

#define CAS_AT(own, name, letter, type, scope)                                                               \
  FUNCTION(type, own, name "P" letter letter letter, type *place, type expected, type desired) {             \
    return (type)atomic_swap_if(place, sizeof expected, (uint64_t)expected, (uint64_t)desired, scope,        \
                                RT_RELAXED);                                                                 \
  }
#define CAS(own, letter, type)                                                                               \
  CAS_AT(own##_device, "_Z9atomicCAS", letter, type, RT_SCOPE_DEVICE)                                        \
  CAS_AT(own##_block, "_Z15atomicCAS_block", letter, type, RT_SCOPE_BLOCK)                                   \
  CAS_AT(own##_system, "_Z16atomicCAS_system", letter, type, RT_SCOPE_SYSTEM)
CAS(cas_i, "i", int)
CAS(cas_j, "j", uint32_t)
CAS(cas_y, "y", unsigned long long)
CAS(cas_t, "t", unsigned short)

// ---- with order and scope as arguments

static RtScope strong(int scope) {
  RtScope found = scope_of_number(scope);
  return found == RT_SCOPE_NONE ? RT_SCOPE_BLOCK : found;
}

static uint64_t given_load(const volatile void *place, uint32_t bytes, int order, int scope) {
  const void *address = (const void *)(uintptr_t)place;
  uint64_t value = 0;
  access_check(address, bytes, false);
  access_step();
  access_tell(address, bytes, RT_READ, 0, address, address, 0, strong(scope), order_of_number(order), 0);
  memcpy(&value, address, bytes);
  return value;
}

static void given_store(volatile void *place, uint32_t bytes, uint64_t value, int order, int scope) {
  void *address = (void *)(uintptr_t)place;
  access_check(address, bytes, true);
  access_step();
  access_tell(address, bytes, RT_WRITE, 0, address, &value, 0, strong(scope), order_of_number(order), 0);
  memcpy(address, &value, bytes);
}

#define GIVEN(bits, type)                                                                                    \
  FUNCTION(type, rmw_##bits, "__hgrd_atomic_rmw_" #bits, volatile void *place, type operand, int rmw,        \
           int order, int scope) {                                                                           \
    return (type)atomic_apply((void *)(uintptr_t)place, (uint32_t)rmw, sizeof operand, operand,              \
                              strong(scope), order_of_number(order));                                        \
  }                                                                                                          \
  FUNCTION(type, cas_##bits, "__hgrd_atomic_cas_" #bits, volatile void *place, type expected, type desired,  \
           int order, int scope, int failure) {                                                              \
    (void)failure;                                                                                           \
    return (type)atomic_swap_if((void *)(uintptr_t)place, sizeof expected, expected, desired, strong(scope), \
                                order_of_number(order));                                                     \
  }                                                                                                          \
  FUNCTION(type, load_##bits, "__hgrd_atomic_load_" #bits, const volatile void *place, int order,            \
           int scope) {                                                                                      \
    return (type)given_load(place, sizeof(type), order, scope);                                              \
  }                                                                                                          \
  FUNCTION(void, store_##bits, "__hgrd_atomic_store_" #bits, volatile void *place, type value, int order,    \
           int scope) {                                                                                      \
    given_store(place, sizeof(type), value, order, scope);                                                   \
  }
GIVEN(8, uint8_t)
GIVEN(16, uint16_t)
GIVEN(32, uint32_t)
GIVEN(64, unsigned long long)

FUNCTION(float, fadd_f32, "__hgrd_atomic_fadd_f32", float *place, float operand, int order, int scope) {
  uint64_t bits = 0, old;
  memcpy(&bits, &operand, sizeof operand);
  old = atomic_apply(place, RT_RMW_FADD, sizeof operand, bits, strong(scope), order_of_number(order));
  memcpy(&operand, &old, sizeof operand);
  return operand;
}
FUNCTION(double, fadd_f64, "__hgrd_atomic_fadd_f64", double *place, double operand, int order, int scope) {
  uint64_t bits, old;
  memcpy(&bits, &operand, sizeof operand);
  old = atomic_apply(place, RT_RMW_FADD, sizeof operand, bits, strong(scope), order_of_number(order));
  memcpy(&operand, &old, sizeof operand);
  return operand;
}
