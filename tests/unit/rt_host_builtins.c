// Conversions to bfloat16: halves go to even, a double is rounded once, infinities and what is no number stay such.
// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "rt_fake_machine.h"

#include <math.h>

_Float16 __truncsfbf2(float value);
_Float16 __truncdfbf2(double value);

static uint16_t of_float(float value) {
  _Float16 half = __truncsfbf2(value);
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

static uint16_t of_double(double value) {
  _Float16 half = __truncdfbf2(value);
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

int main(void) {
  CHECK(of_float(1.0f) == 0x3f80 && of_float(-2.0f) == 0xc000 && of_float(0.0f) == 0);
  CHECK(of_float(0x1.01p0f) == 0x3f80 && of_float(0x1.03p0f) == 0x3f82); // half way: to even
  CHECK(of_float(0x1.010002p0f) == 0x3f81);
  CHECK(of_double(0x1.01p0) == 0x3f80 &&
        of_double(0x1.0100000001p0) == 0x3f81); // a float in between would go down
  CHECK(of_double(0x1.00ffffffffp0) == 0x3f80 && of_double(-0x1.0100000001p0) == 0xbf81);
  CHECK(of_double(0x1.02ffffffffp0) == 0x3f81 && of_double(0x1.03p0) == 0x3f82);
  CHECK(of_float(INFINITY) == 0x7f80 && of_double(-INFINITY) == 0xff80 && of_double(1e300) == 0x7f80);
  CHECK((of_float(NAN) & 0x7fff) > 0x7f80 && (of_double(NAN) & 0x7fff) > 0x7f80);
  return check_result();
}
