// What the text of a random kernel needs to be a host program: CUDA's words, for emulation.cpp. IX(i, length) stands around
// each index of an array of that length.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_FUZZ_EMULATION_H
#define HGRD_TESTS_FUZZ_EMULATION_H

#include <cstddef>

#define __global__ static
#define __device__ static
#define __restrict__
// One section holds all that is shared, so that an address tells whether it is.
#define __shared__ static __attribute__((section("hgrd_shared")))
#define IX(index, length) checked_index((index), (length))

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
};
struct int2 {
  int x, y;
};
inline int2 make_int2(int x, int y) { return {x, y}; }
struct alignas(16) int4 {
  int x, y, z, w;
};
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

int checked_index(int index, int length);

// Strong operations. Those of the device's scope are wide.
enum Order { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum Update { ADD, SUB, EXCH, MAX, MIN, OR, AND, INC };
int atomic_load(int *at, Order order, bool is_wide);
void atomic_store(int *at, int value, Order order, bool is_wide);
int atomic_update(int *at, Update what, int operand, Order order, bool is_wide);
int atomic_swap(int *at, int expected, int value, Order order, bool is_wide);
void fence_of(Order order, bool is_wide);

#define UPDATE(name, what)                                                                                                       \
  inline int name(int *at, int operand) { return atomic_update(at, what, operand, RELAXED, true); }                              \
  inline int name##_system(int *at, int operand) { return atomic_update(at, what, operand, RELAXED, true); }                     \
  inline int name##_block(int *at, int operand) { return atomic_update(at, what, operand, RELAXED, false); }
UPDATE(atomicAdd, ADD)
UPDATE(atomicSub, SUB)
UPDATE(atomicExch, EXCH)
UPDATE(atomicMax, MAX)
UPDATE(atomicMin, MIN)
UPDATE(atomicOr, OR)
UPDATE(atomicAnd, AND)
inline unsigned atomicInc(unsigned *at, unsigned limit) { return (unsigned)atomic_update((int *)at, INC, (int)limit, RELAXED, true); }
inline int atomicCAS(int *at, int expected, int value) { return atomic_swap(at, expected, value, RELAXED, true); }
inline int atomicCAS_block(int *at, int expected, int value) { return atomic_swap(at, expected, value, RELAXED, false); }
void __threadfence();
void __threadfence_block();
void __threadfence_system();

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block };
constexpr Order memory_order_relaxed = RELAXED, memory_order_acquire = ACQUIRE, memory_order_release = RELEASE,
                memory_order_acq_rel = ACQ_REL, memory_order_seq_cst = SEQ_CST;
inline void atomic_thread_fence(Order order, thread_scope scope) { fence_of(order, scope != thread_scope_block); }
template <typename T, thread_scope S> struct atomic_ref {
  int *at;
  explicit atomic_ref(T &value) : at(&value) {}
  int load(Order order) const { return atomic_load(at, order, S != thread_scope_block); }
  void store(int value, Order order) const { atomic_store(at, value, order, S != thread_scope_block); }
  int fetch_add(int value, Order order) const { return atomic_update(at, ADD, value, order, S != thread_scope_block); }
  int exchange(int value, Order order) const { return atomic_update(at, EXCH, value, order, S != thread_scope_block); }
};
} // namespace cuda

void __pipeline_memcpy_async(void *to, const void *from, size_t bytes);
void __pipeline_commit();
void __pipeline_wait_prior(unsigned but);

void named_sync(int name, int expected); // bar.sync
void named_arrive(int name, int expected);
void __syncthreads();
void __syncwarp(unsigned lanes = ~0u);
int __syncthreads_or(int value);
int __syncthreads_count(int value);
int __shfl_sync(unsigned lanes, int value, int lane);
int __shfl_xor_sync(unsigned lanes, int value, int bits);
int __shfl_down_sync(unsigned lanes, int value, unsigned by);
int __shfl_up_sync(unsigned lanes, int value, unsigned by);
unsigned __ballot_sync(unsigned lanes, int value);
unsigned __match_any_sync(unsigned lanes, int value);
int __any_sync(unsigned lanes, int value);
int __all_sync(unsigned lanes, int value);
unsigned __activemask(); // lanes need not run together: the thread alone
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return bits ? __builtin_clz(bits) : 32; }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int min(int x, int y) { return x < y ? x : y; }
inline int max(int x, int y) { return x > y ? x : y; }

enum Outcome { CLEAN, RACE, DIVERGENT, INVALID };

// Of two launches.
inline Outcome worse(Outcome one, Outcome other) {
  if (one == CLEAN || other == RACE || (other == DIVERGENT && one == INVALID)) return other;
  return one;
}

enum { MAX_N = 20, MAX_M = 4, TRIALS = 3, ORDERS = 12 };

// Runs the kernel with these dimensions, its blocks together or one after the other.
Outcome run_grid(dim3 grid, dim3 block, void (*kernel)(), bool together);

// An array of the global memory.
int *array(char name, size_t length);

struct Tried {
  Outcome (*run)();
  int *n, *m;
  void (*reset)(); // what a program does before its first launch
};

// Runs it with all n and m and some contents of the arrays, until it races, and prints what came out.
void try_all(const char *name, const Tried &tried);
// Runs it with these n and m and prints each race: array, byte, and block.thread twice.
void tell_races(const char *name, const Tried &tried, int n, int m);

#endif
