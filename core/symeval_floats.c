// What does a floating-point operation give whose operands are all constants? Host code computes sizes of grids that way, out of numbers that it
// hands from function to function: round((max - min) / step).
// Method: IEEE arithmetic of 32 and 64 bits, rounded to nearest, as host and device do it; of 32 bits by way of 64, which rounds alike for one
// operation. Soundness: exact. Left as functions of their operands are numbers that one of the machines may treat otherwise (none, infinite, too
// small to be normal), 16 bits (of which the IR has two formats), and products that are rounded, as a sum behind one may swallow it.
// SPDX-License-Identifier: Apache-2.0
#include "core/symeval.h"
#include "core/symeval_internal.h"

#include "core/bug.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool symeval_float_value(const ExprPool *pool, ExprRef ref, uint8_t bits, double *number) {
  ASSERT(number);
  int64_t word = 0;
  if ((bits != 32 && bits != 64) || !expr_is_const(pool, ref, &word)) return false;
  if (bits == 64) {
    memcpy(number, &word, sizeof *number);
  } else {
    float narrow;
    uint32_t low = (uint32_t)word;
    memcpy(&narrow, &low, sizeof narrow);
    *number = narrow;
  }
  return isfinite(*number) && (*number == 0 || fabs(*number) >= (bits == 32 ? FLT_MIN : DBL_MIN));
}

// 0: the number is not one to rely on.
static ExprRef write_number(ExprPool *pool, double number, uint8_t bits) {
  float narrow = (float)number;
  uint32_t low;
  int64_t word;
  if (bits != 32 && bits != 64) return 0;
  memcpy(&low, &narrow, sizeof low);
  memcpy(&word, &number, sizeof word);
  ExprRef result = expr_const(pool, bits, bits == 32 ? (int64_t)low : word);
  return symeval_float_value(pool, result, bits, &number) ? result : 0;
}

static bool is_exact_product(double a, double b, double product, uint8_t bits) {
  return fma(a, b, -product) == 0 && (bits == 64 || (double)(float)product == product);
}

static ExprRef arithmetic(ExprPool *pool, const char *name, uint8_t bits, double a, double b) {
  if (strcmp(name, "fadd") == 0) return write_number(pool, a + b, bits);
  if (strcmp(name, "fsub") == 0) return write_number(pool, a - b, bits);
  if (strcmp(name, "fdiv") == 0) return write_number(pool, a / b, bits);
  if (strcmp(name, "fmul") == 0 && is_exact_product(a, b, a * b, bits))
    return write_number(pool, a * b, bits);
  if (strcmp(name, "fcmp_oeq") == 0) return expr_bool(pool, a == b);
  if (strcmp(name, "fcmp_one") == 0) return expr_bool(pool, a != b);
  if (strcmp(name, "fcmp_olt") == 0) return expr_bool(pool, a < b);
  if (strcmp(name, "fcmp_ole") == 0) return expr_bool(pool, a <= b);
  if (strcmp(name, "fcmp_uno") == 0) return expr_bool(pool, false);
  return 0;
}

static ExprRef to_integer(ExprPool *pool, double number, uint8_t width, bool is_signed) {
  double whole = trunc(number), end = ldexp(1, is_signed ? width - 1 : width);
  if (whole >= end || whole < (is_signed ? -end : 0)) return 0;
  return expr_const(pool, width, is_signed ? (int64_t)whole : (int64_t)(uint64_t)whole);
}

ExprRef symeval_fold_floats(ExprPool *pool, const char *name, uint8_t bits, uint8_t width, uint32_t count,
                            const ExprRef *args) {
  ASSERT(expr_is_width(width));
  double a = 0, b = 0;
  if (count < 1 || count > 2 || !symeval_float_value(pool, args[0], bits, &a)) return 0;
  if (count == 2)
    return symeval_float_value(pool, args[1], bits, &b) ? arithmetic(pool, name, bits, a, b) : 0;
  if (strcmp(name, "fptosi") == 0) return to_integer(pool, a, width, true);
  if (strcmp(name, "fptoui") == 0) return to_integer(pool, a, width, false);
  if (strcmp(name, "fptrunc") == 0 || strcmp(name, "fpext") == 0) return write_number(pool, a, width);
  return 0;
}

ExprRef symeval_fold_integer(ExprPool *pool, bool is_signed, uint8_t width, ExprRef number) {
  int64_t value = 0;
  if (!expr_is_const(pool, number, &value)) return 0;
  float narrow = is_signed ? (float)value : (float)(uint64_t)value;
  double wide = is_signed ? (double)value : (double)(uint64_t)value;
  return write_number(pool, width == 32 ? (double)narrow : wide, width);
}

bool symeval_is_function(const char *name, const char *function) {
  ASSERT(name && function);
  if (strncmp(name, "llvm.", 5) == 0) name += 5;
  size_t length = strlen(function);
  if (strncmp(name, function, length) != 0) return false;
  const char *rest = name + length;
  return !*rest || strcmp(rest, "f") == 0 || strcmp(rest, ".f32") == 0 || strcmp(rest, ".f64") == 0;
}

ExprRef symeval_fold_function(ExprPool *pool, const char *name, uint8_t width, uint32_t count,
                              const ExprRef *args) {
  ASSERT(name);
  double a = 0;
  if (count != 1 || !symeval_float_value(pool, args[0], width, &a)) return 0;
  if (symeval_is_function(name, "floor")) return write_number(pool, floor(a), width);
  if (symeval_is_function(name, "ceil")) return write_number(pool, ceil(a), width);
  if (symeval_is_function(name, "trunc")) return write_number(pool, trunc(a), width);
  if (symeval_is_function(name, "round")) return write_number(pool, round(a), width);
  if (symeval_is_function(name, "fabs")) return write_number(pool, fabs(a), width);
  return 0;
}
