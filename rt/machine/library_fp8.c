// Floats of eight bits, for both sides: e4m3 (no infinity, one value that is no number, at most 448) and e5m2 (like a half without its lower
// byte, at most 57344). Rounds to the nearest, to even where two are as near; what is too large becomes the largest number, or, if it is not
// to be so, infinity where the format has it and no number where it has not.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"

#include <math.h>

typedef struct Format {
  int mantissa, bias;
  uint32_t most; // the largest number's bits
  uint32_t over; // what stands for more
} Format;
static const Format formats[] = {{3, 7, 0x7e, 0x7f}, {2, 15, 0x7b, 0x7c}};
enum { IS_E5M2 = 1, IS_UNBOUNDED = 2, NO_NUMBER = 0x7f, SIGN = 0x80 };

// Of a value that is at least 0: counted in units of the last place, bits and exponent are one number, which rounding may carry over.
static uint32_t magnitude(double value, const Format *format) {
  int least = 1 - format->bias, exponent = value > 0 ? ilogb(value) : least;
  if (exponent < least) exponent = least;
  double units = nearbyint(ldexp(value, format->mantissa - exponent));
  return (uint32_t)units + ((uint32_t)(exponent - least) << format->mantissa);
}

static uint32_t to_fp8(float value, int kind) {
  const Format *format = &formats[kind & IS_E5M2];
  if (isnan(value)) return NO_NUMBER;
  uint32_t sign = signbit(value) ? SIGN : 0;
  uint32_t bits = isinf(value) ? format->most + 1 : magnitude(fabs((double)value), format);
  if (bits <= format->most) return sign | bits;
  return sign | (kind & IS_UNBOUNDED ? format->over : format->most);
}

static float of_fp8(uint32_t bits, int kind) {
  const Format *format = &formats[kind & IS_E5M2];
  uint32_t value = bits & NO_NUMBER, steps = 1u << format->mantissa;
  int exponent = (int)(value >> format->mantissa);
  double result = value <= format->most ? ldexp(exponent ? (double)(steps + value % steps) : (double)value,
                                                (exponent ? exponent : 1) - format->bias - format->mantissa)
                  : value == format->over && kind & IS_E5M2 ? INFINITY
                                                            : NAN;
  return (float)(bits & SIGN ? -result : result);
}

FUNCTION(uint32_t, device_fp8, "__hgrd_pure_fp8", float value, int kind) {
  return to_fp8(value, kind);
}
FUNCTION(float, device_float_of_fp8, "__hgrd_pure_float_of_fp8", uint32_t value, int kind) {
  return of_fp8(value, kind);
}

// ---- what the host side of cuda_fp8.h calls

uint32_t __hgrd_host_fp8(float value, int kind);
float __hgrd_host_float_of_fp8(uint32_t value, int kind);

uint32_t __hgrd_host_fp8(float value, int kind) {
  return to_fp8(value, kind);
}
float __hgrd_host_float_of_fp8(uint32_t value, int kind) {
  return of_fp8(value, kind);
}
