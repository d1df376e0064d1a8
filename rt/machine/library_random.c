// The device side of cuRAND: what the bundled curand_kernel.h leaves to pure functions of a state of one word. The state is a Weyl sequence of
// 32 bits, a number is a mix of it; so one state gives the same numbers in each run, evenly spread, but not those of NVIDIA's generators.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"

#include <math.h>

enum { WEYL = 0x9e3779b9 };
static const double two_pi = 6.283185307179586476925286766559;

static uint64_t mix(uint64_t x) { // splitmix64
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static uint64_t bits(uint32_t state, uint32_t component) {
  return mix((uint64_t)state * UINT64_C(0x9e3779b97f4a7c15) + component + 1);
}

static double open_unit(uint64_t word) { // (0, 1]
  return ((double)(word >> 11) + 1) / 9007199254740992.0;
}

static double normal(uint32_t state, int component) { // Box and Muller
  double radius = sqrt(-2 * log(open_unit(bits(state, 64 + (uint32_t)component))));
  return radius * cos(two_pi * open_unit(bits(state, 128 + (uint32_t)component)));
}

FUNCTION(uint32_t, curand_seed, "__hgrd_pure_curand_seed", uint64_t seed, uint64_t sequence,
         uint64_t offset) {
  return (uint32_t)mix(mix(seed + 1) ^ mix(sequence + UINT64_C(0x632be59bd9b4e019))) +
         (uint32_t)offset * WEYL;
}
FUNCTION(uint32_t, curand_next, "__hgrd_pure_curand_next", uint32_t state, uint64_t skip) {
  return state + (uint32_t)skip * WEYL;
}
FUNCTION(uint32_t, curand_bits, "__hgrd_pure_curand_bits", uint32_t state, int component) {
  return (uint32_t)(bits(state, (uint32_t)component) >> 32);
}
FUNCTION(float, curand_uniform, "__hgrd_pure_curand_uniform", uint32_t state, int component) {
  return (float)(((double)(bits(state, (uint32_t)component) >> 40) + 1) / 16777216.0);
}
FUNCTION(double, curand_uniform_double, "__hgrd_pure_curand_uniform_double", uint32_t state, int component) {
  return open_unit(bits(state, (uint32_t)component));
}
FUNCTION(float, curand_normal, "__hgrd_pure_curand_normal", uint32_t state, int component) {
  return (float)normal(state, component);
}
FUNCTION(double, curand_normal_double, "__hgrd_pure_curand_normal_double", uint32_t state, int component) {
  return normal(state, component);
}
FUNCTION(uint32_t, curand_poisson, "__hgrd_pure_curand_poisson", uint32_t state, double lambda) {
  if (lambda > 500) { // the normal distribution stands for it
    double value = lambda + sqrt(lambda) * normal(state, 0) + 0.5;
    return value > 0 ? (uint32_t)value : 0;
  }
  double limit = exp(-lambda), product = 1;
  uint32_t count = 0;
  for (; (product *= open_unit(bits(state, 256 + count))) > limit; count++) {
  }
  return count;
}
