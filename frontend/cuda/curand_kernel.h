// The device side of cuRAND. A state is memory: curand_init writes it, each number reads it and writes it back, so that
// two threads that share a state race. Numbers and following states are pure functions of the state, unknown as values.
// Left out: the host side of MTGP32 beyond prototypes, the quality of the numbers.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CURAND_KERNEL_H
#define HGRD_CURAND_KERNEL_H
#pragma GCC system_header
#include "curand.h"
#ifdef __CUDA__

extern "C" {
__device__ unsigned int __hgrd_pure_curand_seed(unsigned long long seed, unsigned long long sequence,
                                                unsigned long long offset);
__device__ unsigned int __hgrd_pure_curand_next(unsigned int state, unsigned long long skip);
__device__ unsigned int __hgrd_pure_curand_bits(unsigned int state, int component);
__device__ float __hgrd_pure_curand_uniform(unsigned int state, int component);
__device__ double __hgrd_pure_curand_uniform_double(unsigned int state, int component);
__device__ float __hgrd_pure_curand_normal(unsigned int state, int component);
__device__ double __hgrd_pure_curand_normal_double(unsigned int state, int component);
__device__ unsigned int __hgrd_pure_curand_poisson(unsigned int state, double lambda);
__device__ unsigned int __hgrd_pure_curand_discrete(unsigned int state, const void *distribution);
}

#define HGRD_D static inline __device__ __attribute__((always_inline))
// The first word stands for the whole state; the rest keeps CUDA's size.
#define HGRD_STATE(name, words)                                                                                        \
  struct name {                                                                                                        \
    unsigned int hgrd_word, hgrd_rest[words - 1];                                                                      \
  };                                                                                                                   \
  HGRD_D void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,             \
                          name *state) {                                                                               \
    state->hgrd_word = __hgrd_pure_curand_seed(seed, sequence, offset);                                                \
  }                                                                                                                    \
  HGRD_D void skipahead(unsigned long long n, name *state) {                                                           \
    state->hgrd_word = __hgrd_pure_curand_next(state->hgrd_word, n);                                                   \
  }                                                                                                                    \
  HGRD_D void skipahead_sequence(unsigned long long n, name *state) {                                                  \
    state->hgrd_word = __hgrd_pure_curand_next(state->hgrd_word, n);                                                   \
  }                                                                                                                    \
  HGRD_STEP(name)
#define HGRD_STEP(name)                                                                                                \
  HGRD_D unsigned int __hgrd_curand_step(name *state) {                                                                \
    unsigned int word = state->hgrd_word;                                                                              \
    state->hgrd_word = __hgrd_pure_curand_next(word, 1);                                                               \
    return word;                                                                                                       \
  }
HGRD_STATE(curandStateXORWOW, 12)
HGRD_STATE(curandStateMRG32k3a, 18)
HGRD_STATE(curandStatePhilox4_32_10, 16)
struct curandStateMtgp32 {
  unsigned int hgrd_word, hgrd_rest[1039];
};
HGRD_STEP(curandStateMtgp32)
struct curandStateSobol32 {
  unsigned int hgrd_word, hgrd_rest[34];
};
HGRD_STEP(curandStateSobol32)
struct curandStateScrambledSobol32 {
  unsigned int hgrd_word, hgrd_rest[34];
};
HGRD_STEP(curandStateScrambledSobol32)
struct curandStateSobol64 {
  unsigned int hgrd_word, hgrd_rest[131];
};
HGRD_STEP(curandStateSobol64)
#undef HGRD_STATE
#undef HGRD_STEP
typedef struct mtgp32_kernel_params {
  unsigned int words[64];
} mtgp32_kernel_params_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMtgp32 curandStateMtgp32_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;

HGRD_D void curand_init(unsigned int *vectors, unsigned int offset, curandStateSobol32 *state) {
  state->hgrd_word = __hgrd_pure_curand_seed(vectors[0], 0, offset);
}
HGRD_D void curand_init(unsigned int *vectors, unsigned int scramble, unsigned int offset,
                        curandStateScrambledSobol32 *state) {
  state->hgrd_word = __hgrd_pure_curand_seed(vectors[0], scramble, offset);
}
HGRD_D void curand_init(unsigned long long *vectors, unsigned int offset, curandStateSobol64 *state) {
  state->hgrd_word = __hgrd_pure_curand_seed(vectors[0], 0, offset);
}

template <class S> HGRD_D unsigned int curand(S *state) {
  return __hgrd_pure_curand_bits(__hgrd_curand_step(state), 0);
}
template <class S> HGRD_D uint4 curand4(S *state) {
  unsigned int w = __hgrd_curand_step(state);
  return make_uint4(__hgrd_pure_curand_bits(w, 0), __hgrd_pure_curand_bits(w, 1), __hgrd_pure_curand_bits(w, 2),
                    __hgrd_pure_curand_bits(w, 3));
}
template <class S> HGRD_D float curand_uniform(S *state) {
  return __hgrd_pure_curand_uniform(__hgrd_curand_step(state), 0);
}
template <class S> HGRD_D double curand_uniform_double(S *state) {
  return __hgrd_pure_curand_uniform_double(__hgrd_curand_step(state), 0);
}
template <class S> HGRD_D float4 curand_uniform4(S *state) {
  unsigned int w = __hgrd_curand_step(state);
  return make_float4(__hgrd_pure_curand_uniform(w, 0), __hgrd_pure_curand_uniform(w, 1),
                     __hgrd_pure_curand_uniform(w, 2), __hgrd_pure_curand_uniform(w, 3));
}
template <class S> HGRD_D double2 curand_uniform2_double(S *state) {
  unsigned int w = __hgrd_curand_step(state);
  return make_double2(__hgrd_pure_curand_uniform_double(w, 0), __hgrd_pure_curand_uniform_double(w, 1));
}
template <class S> HGRD_D float curand_normal(S *state) {
  return __hgrd_pure_curand_normal(__hgrd_curand_step(state), 0);
}
template <class S> HGRD_D double curand_normal_double(S *state) {
  return __hgrd_pure_curand_normal_double(__hgrd_curand_step(state), 0);
}
template <class S> HGRD_D float2 curand_normal2(S *state) {
  unsigned int w = __hgrd_curand_step(state);
  return make_float2(__hgrd_pure_curand_normal(w, 0), __hgrd_pure_curand_normal(w, 1));
}
template <class S> HGRD_D double2 curand_normal2_double(S *state) {
  unsigned int w = __hgrd_curand_step(state);
  return make_double2(__hgrd_pure_curand_normal_double(w, 0), __hgrd_pure_curand_normal_double(w, 1));
}
template <class S> HGRD_D float4 curand_normal4(S *state) {
  unsigned int w = __hgrd_curand_step(state);
  return make_float4(__hgrd_pure_curand_normal(w, 0), __hgrd_pure_curand_normal(w, 1),
                     __hgrd_pure_curand_normal(w, 2), __hgrd_pure_curand_normal(w, 3));
}
template <class S> HGRD_D float curand_log_normal(S *state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class S> HGRD_D double curand_log_normal_double(S *state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
template <class S> HGRD_D unsigned int curand_poisson(S *state, double lambda) {
  return __hgrd_pure_curand_poisson(__hgrd_curand_step(state), lambda);
}
template <class S> HGRD_D unsigned int curand_discrete(S *state, curandDiscreteDistribution_t distribution) {
  return __hgrd_pure_curand_discrete(__hgrd_curand_step(state), distribution);
}
#undef HGRD_D

extern "C" {
curandStatus_t curandMakeMTGP32Constants(const void *, mtgp32_kernel_params_t *);
curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32 *, void *, mtgp32_kernel_params_t *, int,
                                           unsigned long long);
}
#endif // __CUDA__
#endif
