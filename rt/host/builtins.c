// What clang's host code for bfloat16 calls and the C library of the compiler may lack (libgcc has it since version 13): conversions between
// float and bfloat16. Weak: where there is a real one, that counts. A bfloat16 is passed as a _Float16 is.
// Rounds to the nearest, to even where two are as near, and keeps that a value is no number.
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <string.h>

_Float16 __truncsfbf2(float value);
_Float16 __truncdfbf2(double value);

static _Float16 half_of(uint16_t bits) {
  _Float16 half;
  memcpy(&half, &bits, sizeof half);
  return half;
}

static uint16_t rounded(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

__attribute__((weak)) _Float16 __truncsfbf2(float value) {
  return half_of(rounded(value));
}

// By way of a float that is rounded to odd, so that the second rounding sees what the first one dropped.
__attribute__((weak)) _Float16 __truncdfbf2(double value) {
  float near = (float)value;
  uint32_t bits;
  memcpy(&bits, &near, sizeof bits);
  if ((double)near != value && value == value && (bits & 0x7f800000u) != 0x7f800000u) {
    if ((near > value) == (near > 0)) bits--; // toward zero
    bits |= 1;
  }
  memcpy(&near, &bits, sizeof near);
  return half_of(rounded(near));
}
