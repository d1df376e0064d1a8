// Between which constants does a floating-point value lie? Method: intervals over the expression, from
// constants and from integers of which the range is known. Soundness: over-approximates. Operations round to
// nearest (those that do not have names of their own: frontend/lower_arith.c); rounding is monotone, so that the ends of an interval are operations on
// the ends of others in the same precision. A sum with a product in it may be computed in one step or in two;
// both count. Values of which nothing is known may be no number: only minima and maxima, which drop those, go
// on from them.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { DEPTH = 12 };

const char *floats_function(const ExprPool *pool, ExprRef ref) {
  ASSERT(expr_is_of(pool, ref));
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_APP ? expr_func_info(pool, (uint32_t)node->value)->name : "";
}

bool floats_is_call(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(name);
  ASSERT(expr_is_width(bits));
  char full[24];
  snprintf(full, sizeof full, "%s%s", name, bits == 32 ? "f" : "");
  return strcmp(floats_function(pool, ref), full) == 0;
}

bool floats_is_operation(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(name);
  ASSERT(expr_is_width(bits));
  char full[24];
  snprintf(full, sizeof full, "%s%u", name, bits);
  return strcmp(floats_function(pool, ref), full) == 0;
}

ExprRef floats_argument(const ExprPool *pool, ExprRef app, uint32_t index) {
  ASSERT(expr_is_of(pool, app));
  return expr_node(pool, app)->args[index];
}

static double decode(int64_t word, uint8_t bits) {
  double value = 0;
  if (bits == 64) {
    memcpy(&value, &word, sizeof value);
    return value;
  }
  float narrow = 0;
  int32_t half = (int32_t)word;
  memcpy(&narrow, &half, sizeof narrow);
  return (double)narrow;
}

bool floats_constant(const ExprPool *pool, ExprRef ref, uint8_t bits, double *value) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(expr_is_width(bits));
  const ExprNode *node = expr_node(pool, ref);
  if (node->op != EXPR_CONST || node->width != bits) return false;
  *value = decode(node->value, bits);
  return isfinite(*value);
}

static bool interval(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, FloatInterval *out);

static double rounded(double value, uint8_t bits) {
  return bits == 32 ? (double)(float)value : value;
}

static void widen(FloatInterval *out, double value) {
  if (value < out->lo) out->lo = value;
  if (value > out->hi) out->hi = value;
}

// What is closer to zero than the smallest normal number may be flushed to zero.
static bool settle(FloatInterval *out, uint8_t bits) {
  double least = bits == 32 ? (double)FLT_MIN : DBL_MIN;
  if (out->lo > 0 && out->lo < least) out->lo = 0;
  if (out->hi < 0 && out->hi > -least) out->hi = 0;
  return isfinite(out->lo) && isfinite(out->hi) && out->lo <= out->hi;
}

// Doubles hold the exact product of two floats; that and quotients and sums are then rounded once, or twice
// without harm (a double has more than twice the digits of a float, and two).
static double apply(char op, double a, double b, uint8_t bits) {
  switch (op) {
  case '+': return rounded(a + b, bits);
  case '-': return rounded(a - b, bits);
  case '*': return rounded(a * b, bits);
  default: return rounded(a / b, bits);
  }
}

static bool is_one(const ExprPool *pool, ExprRef ref, uint8_t bits) {
  double value = 0;
  return floats_constant(pool, ref, bits, &value) && fabs(value) == 1;
}

// What the operation changes the sign of at most; 0: it does more.
static ExprRef below_sign(const ExprPool *pool, ExprRef ref, uint8_t bits) {
  const ExprNode *node = expr_node(pool, ref);
  if (node->op == EXPR_XOR) return node->a;
  if (node->op != EXPR_APP) return 0;
  if (floats_is_call(pool, ref, "fabs", bits) || floats_is_call(pool, ref, "copysign", bits))
    return node->args[0];
  bool is_quotient = floats_is_operation(pool, ref, "fdiv", bits);
  if (!is_quotient && !floats_is_operation(pool, ref, "fmul", bits)) return 0;
  if (is_one(pool, node->args[1], bits)) return node->args[0];
  return !is_quotient && is_one(pool, node->args[0], bits) ? node->args[1] : 0;
}

bool floats_hides_product(const ExprPool *pool, ExprRef ref, uint8_t bits) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(expr_is_width(bits));
  for (ExprRef below = below_sign(pool, ref, bits); below; below = below_sign(pool, below, bits))
    if (floats_is_operation(pool, below, "fmul", bits)) return true;
  return false;
}

// ref is a product: the sum with it, in one step.
static bool widen_fused(ExprPool *pool, ExprRef product, const FloatInterval *other, bool is_negated,
                        bool is_other_negated, uint8_t bits, uint32_t depth, FloatInterval *out) {
  FloatInterval a, b;
  if (!floats_is_operation(pool, product, "fmul", bits)) return true;
  if (!interval(pool, floats_argument(pool, product, 0), bits, depth, &a) ||
      !interval(pool, floats_argument(pool, product, 1), bits, depth, &b))
    return false;
  for (int corner = 0; corner < 8; corner++) {
    double x = corner & 1 ? a.hi : a.lo, y = corner & 2 ? b.hi : b.lo, z = corner & 4 ? other->hi : other->lo;
    if (is_negated) x = -x;
    if (is_other_negated) z = -z;
    widen(out, bits == 32 ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z));
  }
  return true;
}

static bool binary(ExprPool *pool, ExprRef ref, char op, uint8_t bits, uint32_t depth, FloatInterval *out) {
  FloatInterval a, b;
  ExprRef left = floats_argument(pool, ref, 0), right = floats_argument(pool, ref, 1);
  if (!interval(pool, left, bits, depth, &a) || !interval(pool, right, bits, depth, &b)) return false;
  if (op == '/' && b.lo <= 0 && b.hi >= 0) return false;
  *out = (FloatInterval){INFINITY, -INFINITY};
  for (int corner = 0; corner < 4; corner++) {
    double value = apply(op, corner & 1 ? a.hi : a.lo, corner & 2 ? b.hi : b.lo, bits);
    if (isnan(value)) return false;
    widen(out, value);
  }
  bool is_sum = op == '+' || op == '-';
  if (is_sum && (floats_hides_product(pool, left, bits) || floats_hides_product(pool, right, bits)))
    return false;
  if (is_sum && (!widen_fused(pool, left, &b, false, op == '-', bits, depth, out) ||
                 !widen_fused(pool, right, &a, op == '-', false, bits, depth, out)))
    return false;
  return settle(out, bits);
}

static bool from_integer(ExprPool *pool, ExprRef ref, bool is_unsigned, uint8_t bits, FloatInterval *out) {
  int64_t lo = 0, hi = 0;
  expr_range(pool, floats_argument(pool, ref, 0), &lo, &hi);
  bool is_high = is_unsigned && lo < 0;
  out->lo = is_high ? 0 : bits == 32 ? (double)(float)lo : (double)lo;
  out->hi = is_high ? 0x1p64 : bits == 32 ? (double)(float)hi : (double)hi;
  const ExprNode *rest = expr_node(pool, floats_argument(pool, ref, 0));
  int64_t divisor = 0;
  if (is_high && rest->op == EXPR_UREM && expr_is_const(pool, rest->b, &divisor) && divisor != 0) {
    uint64_t most = (uint64_t)divisor - 1;
    out->hi = bits == 32 ? (double)(float)most : (double)most;
  }
  return true;
}

// One side may be unknown: the result is a number all the same, and no more (no less) than the other side.
static bool extremum(ExprPool *pool, ExprRef ref, bool is_min, uint8_t bits, uint32_t depth,
                     FloatInterval *out) {
  FloatInterval a, b, all = {-INFINITY, INFINITY};
  bool has_a = interval(pool, floats_argument(pool, ref, 0), bits, depth, &a);
  bool has_b = interval(pool, floats_argument(pool, ref, 1), bits, depth, &b);
  if (!has_a && !has_b) return false;
  if (!has_a || !has_b) {
    *out = has_a ? a : b; // the other may be no number, or any
    if (is_min)
      out->lo = all.lo;
    else
      out->hi = all.hi;
    return true;
  }
  out->lo = is_min ? fmin(a.lo, b.lo) : fmax(a.lo, b.lo);
  out->hi = is_min ? fmin(a.hi, b.hi) : fmax(a.hi, b.hi);
  return true;
}

static bool monotone(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, FloatInterval *out) {
  static const struct Rounding {
    const char *name;
    double (*function)(double);
  } roundings[] = {{"floor", floor}, {"ceil", ceil},   {"trunc", trunc},
                   {"rint", rint},   {"round", round}, {"nearbyint", nearbyint}};
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
    if (!floats_is_call(pool, ref, roundings[i].name, bits)) continue;
    if (!interval(pool, floats_argument(pool, ref, 0), bits, depth, out)) return false;
    out->lo = roundings[i].function(out->lo);
    out->hi = roundings[i].function(out->hi);
    return true;
  }
  return false;
}

// Functions with a known range that give no number but one in it; the name may go on with the widths of
// operands.
static bool by_name(const char *name, uint8_t bits, FloatInterval *out) {
  static const struct Known {
    const char *name;
    uint8_t bits;
    FloatInterval range;
  } known[] = {{"__hgrd_pure_curand_uniform", 32, {0, 1}},
               {"__hgrd_pure_curand_uniform_double", 64, {0, 1}},
               {"__saturatef", 32, {0, 1}}};
  size_t length = strcspn(name, ".#");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].bits != bits || strlen(known[i].name) != length || strncmp(known[i].name, name, length) != 0)
      continue;
    *out = known[i].range;
    return true;
  }
  return false;
}

static bool application(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, FloatInterval *out) {
  static const struct Operation {
    const char *name;
    char op;
  } operations[] = {{"fadd", '+'}, {"fsub", '-'}, {"fmul", '*'}, {"fdiv", '/'}};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (floats_is_operation(pool, ref, operations[i].name, bits))
      return binary(pool, ref, operations[i].op, bits, depth, out);
  const char *name = floats_function(pool, ref);
  if (strcmp(name, "sitofp64") == 0) return from_integer(pool, ref, false, bits, out);
  if (strcmp(name, "uitofp64") == 0) return from_integer(pool, ref, true, bits, out);
  if (strcmp(name, "fpext32") == 0 && bits == 64)
    return interval(pool, floats_argument(pool, ref, 0), 32, depth, out);
  if (strcmp(name, "fptrunc64") == 0 && bits == 32) {
    if (!interval(pool, floats_argument(pool, ref, 0), 64, depth, out)) return false;
    *out = (FloatInterval){rounded(out->lo, 32), rounded(out->hi, 32)};
    return settle(out, 32);
  }
  if (floats_is_call(pool, ref, "fmin", bits)) return extremum(pool, ref, true, bits, depth, out);
  if (floats_is_call(pool, ref, "fmax", bits)) return extremum(pool, ref, false, bits, depth, out);
  if (floats_is_call(pool, ref, "fabs", bits)) {
    if (!interval(pool, floats_argument(pool, ref, 0), bits, depth, out)) return false;
    double one = fabs(out->lo), two = fabs(out->hi);
    bool is_across = out->lo <= 0 && out->hi >= 0;
    *out = (FloatInterval){is_across ? 0 : fmin(one, two), fmax(one, two)};
    return true;
  }
  return monotone(pool, ref, bits, depth, out) || by_name(name, bits, out);
}

static bool interval(ExprPool *pool, ExprRef ref, uint8_t bits, uint32_t depth, FloatInterval *out) {
  const ExprNode *node = expr_node(pool, ref);
  if (node->width != bits || depth == 0) return false;
  if (node->op == EXPR_CONST) {
    out->lo = out->hi = decode(node->value, bits);
    return isfinite(out->lo);
  }
  if (node->op == EXPR_APP) return application(pool, ref, bits, depth - 1, out);
  if (node->op == EXPR_ITE) {
    FloatInterval other;
    if (!interval(pool, node->b, bits, depth - 1, out) || !interval(pool, node->c, bits, depth - 1, &other))
      return false;
    widen(out, other.lo);
    widen(out, other.hi);
    return true;
  }
  int64_t word = 0, sign = bits == 32 ? INT32_MIN : INT64_MIN;
  if (node->op != EXPR_XOR || !expr_is_const(pool, node->b, &word) || word != sign ||
      !interval(pool, node->a, bits, depth - 1, out))
    return false;
  *out = (FloatInterval){-out->hi, -out->lo};
  return true;
}

bool floats_interval(ExprPool *pool, ExprRef ref, uint8_t bits, FloatInterval *out) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(expr_is_width(bits));
  return interval(pool, ref, bits, DEPTH, out);
}
