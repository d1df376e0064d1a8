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
int atomicAdd(int *at, int amount);
int atomicSub(int *at, int amount);
int atomicExch(int *at, int value);
int atomicMax(int *at, int value);
unsigned atomicInc(unsigned *at, unsigned limit); // on a word of an array
int atomicOr(int *at, int value);
int atomicCAS(int *at, int expected, int value);
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

// Runs the kernel with these dimensions.
Outcome run_grid(dim3 grid, dim3 block, void (*kernel)());

// An array of the global memory.
int *array(char name, size_t length);

struct Tried {
  Outcome (*run)();
  int *n, *m;
  int *counters; // zero before each run
  size_t counters_bytes;
};

// Runs it with all n and m and some contents of the arrays, until it races, and prints what came out.
void try_all(const char *name, const Tried &tried);
// Runs it with these n and m and prints each race: array, byte, and block.thread twice.
void tell_races(const char *name, const Tried &tried, int n, int m);

#endif
