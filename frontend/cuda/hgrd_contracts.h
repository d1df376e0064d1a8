// Contracts that are written into kernels for other verifiers: what a kernel requires of its arguments and its launch is
// taken to hold, as an assert's condition is; what it promises, and what is said of its loops and of accesses (a language
// that those verifiers have of their own), is not looked at. In front of files that do not compile without.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_CONTRACTS_H
#define HGRD_CUDA_CONTRACTS_H
#pragma GCC system_header
#include <assert.h> // declares an __assert of its own, if nothing else has

extern "C" __attribute__((device)) unsigned int __hgrd_unknown_32(void);
extern "C" __attribute__((device, noreturn)) void __trap(void);

#define __requires(...) ((__VA_ARGS__) ? (void)0 : __trap())
#define __assume(...) __requires(__VA_ARGS__)
#define __global_requires(...) __requires(__VA_ARGS__)
#define __implies(condition, ...) (!(condition) || (__VA_ARGS__))

#define __ensures(...) ((void)0)
#define __global_ensures(...) ((void)0)
#define __assert(...) ((void)0)
#define __global_assert(...) ((void)0)
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __candidate_invariant(...) ((void)0)
#define __candidate_global_invariant(...) ((void)0)
#define __function_wide_invariant(...) ((void)0)
#define __function_wide_candidate_invariant(...) ((void)0)
#define __barrier_invariant(...) ((void)0)
#define __barrier_invariant_1(...) ((void)0)
#define __barrier_invariant_2(...) ((void)0)
#define __barrier_invariant_3(...) ((void)0)
#define __barrier_invariant_4(...) ((void)0)
#define __barrier_invariant_binary(...) ((void)0)
#define __array_snapshot(...) ((void)0)

// Within a requirement these say nothing, one way or the other. The standard library has names like these of its own.
#define HGRD_UNKNOWN_CLAIM(name)                                                                                       \
  template <class... T> static inline __attribute__((device)) bool name(T...) { return __hgrd_unknown_32() != 0; }
HGRD_UNKNOWN_CLAIM(__all)
HGRD_UNKNOWN_CLAIM(__exclusive)
HGRD_UNKNOWN_CLAIM(__distinct)
HGRD_UNKNOWN_CLAIM(__same_group)
HGRD_UNKNOWN_CLAIM(__enabled)
HGRD_UNKNOWN_CLAIM(__read)
HGRD_UNKNOWN_CLAIM(__write)
HGRD_UNKNOWN_CLAIM(__no_read)
HGRD_UNKNOWN_CLAIM(__no_write)
HGRD_UNKNOWN_CLAIM(__read_implies)
HGRD_UNKNOWN_CLAIM(__write_implies)
HGRD_UNKNOWN_CLAIM(__uniform_bool)
HGRD_UNKNOWN_CLAIM(__uniform_int)
HGRD_UNKNOWN_CLAIM(__other_bool)
HGRD_UNKNOWN_CLAIM(__other_int)
#undef HGRD_UNKNOWN_CLAIM

#endif
