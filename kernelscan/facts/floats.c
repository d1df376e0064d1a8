// What is known of integers that are made from floating-point values? `if (x >= 0 && x < n) a[(int)x]` stays
// in [0, n), and so does `(int)(u * n)` for 0 <= u < 1. Method: for each conversion in a goal, what is known
// of its operand by comparisons in the goal, by minima and maxima, by its interval (float_intervals.c), and where a
// number is scaled or divided: bounds that are constants or converted integers.
// Soundness: conversions towards zero and `floor` are monotone, and integers of at most 2^24 (float) or 2^53
// (double) are converted exactly, which is a condition of each fact; a value that is no number compares as
// false and becomes 0, or the highest bit alone if either side has 64 bits (PTX, cvt; seen on a GPU). A
// product with u <= 1 is rounded to no more than n, as n itself is a number of the format; with u < 1 it
// stays below: u <= 1 - 2^-p, and n * 2^-p is more than half of what lies between n and the number below it.
// The quotient of two such integers is rounded to an integer only if it is one: below k it is at most k -
// 1/d, further from k than half of the gap there, as k * d <= 2^(p + 1) (Goldberg 1991).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/kernel.h"

#include <math.h>
#include <stdio.h>

typedef struct Conversion {
  Scan *scan;
  ExprRef whole;   // the integer, 64 bits
  ExprRef operand; // what it was made from, without floor or trunc
  uint8_t bits;    // of the operand
  uint8_t width;   // of the integer
  bool is_wide;    // from or to 64 bits
  bool is_floor;   // rounds down, else towards zero
  bool is_clipped; // what is negative becomes 0
} Conversion;

static bool read_conversion(Scan *scan, ExprRef ref, Conversion *c) {
  ExprPool *pool = scan->pool;
  const char *name = floats_function(pool, ref);
  bool is_signed = strncmp(name, "fptosi", 6) == 0, is_unsigned = strncmp(name, "fptoui", 6) == 0;
  if ((!is_signed && !is_unsigned) || expr_width(pool, ref) < 32) return false;
  const char *bits = name + 6;
  *c = (Conversion){.scan = scan, .bits = strcmp(bits, "32") == 0 ? 32 : strcmp(bits, "64") == 0 ? 64 : 0};
  if (!c->bits) return false;
  c->is_clipped = is_unsigned;
  c->width = expr_width(pool, ref);
  c->is_wide = c->bits == 64 || c->width == 64;
  c->whole = is_signed ? expr_resize_signed(pool, ref, 64) : expr_resize_unsigned(pool, ref, 64);
  c->operand = floats_argument(pool, ref, 0);
  if (floats_is_call(pool, c->operand, "floor", c->bits)) {
    c->is_floor = true;
    c->operand = floats_argument(pool, c->operand, 0);
  } else if (floats_is_call(pool, c->operand, "trunc", c->bits)) {
    c->operand = floats_argument(pool, c->operand, 0);
  }
  if (c->bits == 64 && strcmp(floats_function(pool, c->operand), "fpext32") == 0) { // the same number
    c->operand = floats_argument(pool, c->operand, 0);
    c->bits = 32;
  }
  return true;
}

// A bound: an integer, or a constant with the integers on both sides of it; and when that is exact.
typedef struct Bound {
  ExprRef below, above; // 64 bits
  ExprRef is_exact;
} Bound;

// Integers up to this are numbers of the format, and survive the conversion back.
static int64_t most_exact(const Conversion *c) {
  int64_t most = (int64_t)1 << (c->bits == 32 ? 24 : 53);
  return c->width == 32 && most > INT32_MAX ? INT32_MAX : most;
}

static ExprRef is_between(ExprPool *pool, int64_t lo, ExprRef number, int64_t hi) {
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, lo), number),
                  expr_binary(pool, EXPR_SLE, 0, number, expr_const(pool, 64, hi)));
}

// A converted integer, also one more or less by a constant.
static bool read_integer(const Conversion *c, ExprRef ref, Bound *bound) {
  ExprPool *pool = c->scan->pool;
  int64_t most = most_exact(c);
  const char *name = floats_function(pool, ref);
  if (strcmp(name, "sitofp64") == 0) {
    ExprRef number = floats_argument(pool, ref, 0);
    bound->below = bound->above = number;
    bound->is_exact = is_between(pool, -most, number, most);
    return true;
  }
  bool is_less = floats_is_operation(pool, ref, "fsub", c->bits);
  if (!is_less && !floats_is_operation(pool, ref, "fadd", c->bits)) return false;
  ExprRef a = floats_argument(pool, ref, 0), b = floats_argument(pool, ref, 1);
  double step = 0;
  if (!is_less && floats_constant(pool, a, c->bits, &step)) {
    ExprRef other = a;
    a = b;
    b = other;
  }
  if (strcmp(floats_function(pool, a), "sitofp64") != 0 || !floats_constant(pool, b, c->bits, &step) ||
      step != floor(step) || fabs(step) > (double)(most / 2))
    return false;
  ExprRef number = floats_argument(pool, a, 0);
  ExprRef moved = expr_const(pool, 64, (int64_t)(is_less ? -step : step));
  bound->below = bound->above = expr_binary(pool, EXPR_ADD, EXPR_NSW, number, moved);
  bound->is_exact = is_between(pool, -(most / 2), number, most / 2);
  return true;
}

static bool read_bound(const Conversion *c, ExprRef ref, Bound *bound) {
  ExprPool *pool = c->scan->pool;
  double value = 0;
  if (!floats_constant(pool, ref, c->bits, &value)) return read_integer(c, ref, bound);
  if (!(fabs(value) <= (double)most_exact(c))) return false;
  bound->is_exact = expr_bool(pool, true);
  bound->below = expr_const(pool, 64, (int64_t)floor(value));
  bound->above = expr_const(pool, 64, (int64_t)ceil(value));
  return true;
}

// x <= bound (or <): what holds of the integer.
static ExprRef below(const Conversion *c, const Bound *bound, bool is_strict) {
  ExprPool *pool = c->scan->pool;
  ExprRef result = is_strict ? expr_binary(pool, EXPR_SLT, 0, c->whole, bound->above)
                             : expr_binary(pool, EXPR_SLE, 0, c->whole, bound->below);
  if (!c->is_floor || c->is_clipped) // rounding towards zero goes up for what is negative
    result = expr_or(pool, result, expr_binary(pool, EXPR_SLE, 0, c->whole, expr_const(pool, 64, 0)));
  return expr_or(pool, expr_not(pool, bound->is_exact), result);
}

// x >= bound.
static ExprRef above(const Conversion *c, const Bound *bound) {
  ExprPool *pool = c->scan->pool;
  ExprRef result = expr_binary(pool, EXPR_SLE, 0, bound->below, c->whole);
  return expr_or(pool, expr_not(pool, bound->is_exact), result);
}

// ---- minima and maxima
enum { NESTING = 6, MOST_STEPS = 1 << 16 };

// u * n with 0 <= u <= 1: between 0 and n, and not n itself if u < 1.
static ExprRef scaled(const Conversion *c, ExprRef ref, bool is_upper) {
  ExprPool *pool = c->scan->pool;
  if (!floats_is_operation(pool, ref, "fmul", c->bits)) return 0;
  for (uint32_t side = 0; side < 2; side++) {
    Bound bound, zero = {.is_exact = expr_bool(pool, true)};
    FloatInterval factor;
    if (!read_integer(c, floats_argument(pool, ref, side), &bound) ||
        !floats_interval(pool, floats_argument(pool, ref, 1 - side), c->bits, &factor) || factor.lo < 0 ||
        factor.hi > 1)
      continue;
    zero.below = zero.above = expr_const(pool, 64, 0);
    ExprRef is_positive = expr_binary(pool, EXPR_SLT, 0, zero.above, bound.above);
    if (!is_upper)
      return expr_or(pool, expr_and(pool, is_positive, above(c, &zero)),
                     expr_and(pool, expr_not(pool, is_positive), above(c, &bound)));
    return expr_or(pool, expr_and(pool, is_positive, below(c, &bound, factor.hi < 1)),
                   expr_and(pool, expr_not(pool, is_positive), below(c, &zero, false)));
  }
  return 0;
}

// What the shape of `ref` says of the integer, if that was made from something that is at most (at least)
// `ref`; 0: nothing.
static ExprRef by_shape(const Conversion *c, ExprRef ref, bool is_upper, uint32_t depth) {
  ExprPool *pool = c->scan->pool;
  Bound bound;
  if (read_bound(c, ref, &bound)) return is_upper ? below(c, &bound, false) : above(c, &bound);
  ExprRef product = scaled(c, ref, is_upper);
  if (product) return product;
  bool is_min = floats_is_call(pool, ref, "fmin", c->bits),
       is_max = floats_is_call(pool, ref, "fmax", c->bits);
  if ((!is_min && !is_max) || depth == 0) return 0;
  ExprRef one = by_shape(c, floats_argument(pool, ref, 0), is_upper, depth - 1);
  ExprRef two = by_shape(c, floats_argument(pool, ref, 1), is_upper, depth - 1);
  if (is_min == is_upper)
    return one && two ? expr_and(pool, one, two) : one ? one : two; // no more than either
  return one && two ? expr_or(pool, one, two) : 0;
}

// The quotient of two integers that are not negative, rounded down.
static ExprRef quotient(const Conversion *c) {
  ExprPool *pool = c->scan->pool;
  if (!floats_is_operation(pool, c->operand, "fdiv", c->bits)) return 0;
  Bound over, under;
  if (!read_bound(c, floats_argument(pool, c->operand, 0), &over) || over.below != over.above ||
      !read_bound(c, floats_argument(pool, c->operand, 1), &under) || under.below != under.above)
    return 0;
  int64_t most = most_exact(c);
  ExprRef is_plain =
      expr_and(pool, is_between(pool, 0, over.below, most), is_between(pool, 1, under.below, most));
  ExprRef is_exact = expr_and(pool, is_plain, expr_and(pool, over.is_exact, under.is_exact));
  ExprRef value = expr_binary(pool, EXPR_SDIV, 0, over.below, under.below);
  return expr_or(pool, expr_not(pool, is_exact), expr_eq(pool, c->whole, value));
}

// Up to which number, exclusive, is the product with `factor`, cut off, the quotient by `divisor`? Tried at
// the ends of each step, between which rounded products rise.
static int64_t end_of_quotients(double factor, int64_t divisor, uint8_t bits, int64_t most) {
  int64_t end = 0;
  for (int64_t step = 1; step <= MOST_STEPS && step * divisor <= most; step++) {
    double below = (double)(step * divisor - 1) * factor, at = (double)(step * divisor) * factor;
    if (bits == 32) below = (double)(float)below, at = (double)(float)at;
    if (!(below < (double)step)) break;
    end = step * divisor;
    if (!(at >= (double)step)) break;
  }
  return end;
}

// x * (1 / d), with what the constant is when rounded.
static ExprRef by_reciprocal(const Conversion *c) {
  ExprPool *pool = c->scan->pool;
  if (!floats_is_operation(pool, c->operand, "fmul", c->bits)) return 0;
  for (uint32_t side = 0; side < 2; side++) {
    ExprRef number = floats_argument(pool, c->operand, side);
    double factor = 0;
    bool is_scaled = strcmp(floats_function(pool, number), "sitofp64") == 0 &&
                     floats_constant(pool, floats_argument(pool, c->operand, 1 - side), c->bits, &factor);
    if (!is_scaled || factor <= 0x1p-20 || factor > 0.75) continue;
    int64_t divisor = (int64_t)(1 / factor + 0.5);
    int64_t end = end_of_quotients(factor, divisor, c->bits, most_exact(c));
    if (end == 0) return 0;
    number = floats_argument(pool, number, 0);
    ExprRef value = expr_binary(pool, EXPR_SDIV, 0, number, expr_const(pool, 64, divisor));
    return expr_or(pool, expr_not(pool, is_between(pool, 0, number, end - 1)),
                   expr_eq(pool, c->whole, value));
  }
  return 0;
}

// The constants between which the operand lies.
static ExprRef within(const Conversion *c) {
  ExprPool *pool = c->scan->pool;
  FloatInterval known;
  double most = (double)most_exact(c);
  if (!floats_interval(pool, c->operand, c->bits, &known)) return 0;
  double lo = c->is_floor ? floor(known.lo) : trunc(known.lo);
  double hi = c->is_floor ? floor(known.hi) : trunc(known.hi);
  if (c->is_clipped) lo = lo < 0 ? 0 : lo, hi = hi < 0 ? 0 : hi;
  ExprRef result = expr_bool(pool, true);
  if (lo >= -most && lo <= most)
    result = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, (int64_t)lo), c->whole);
  if (hi >= -most && hi <= most)
    result =
        expr_and(pool, result, expr_binary(pool, EXPR_SLE, 0, c->whole, expr_const(pool, 64, (int64_t)hi)));
  return result;
}

// ---- goals
// The integer may come from what is no number.
static ExprRef is_from_no_number(const Conversion *c) {
  ExprPool *pool = c->scan->pool;
  ExprRef is_zero = expr_eq(pool, c->whole, expr_const(pool, 64, 0));
  if (!c->is_wide) return is_zero;
  int64_t least = c->width == 64 ? INT64_MIN : c->is_clipped ? -(int64_t)INT32_MIN : INT32_MIN;
  return expr_or(pool, is_zero, expr_eq(pool, c->whole, expr_const(pool, 64, least)));
}

static void add_comparison(const Conversion *c, Goal *goal, ExprRef comparison) {
  ExprPool *pool = c->scan->pool;
  const char *name = floats_function(pool, comparison);
  bool is_strict = strncmp(name, "fcmp_olt", 8) == 0;
  if ((!is_strict && strncmp(name, "fcmp_ole", 8) != 0) || strcmp(name + 8, c->bits == 32 ? "32" : "64") != 0)
    return;
  ExprRef left = floats_argument(pool, comparison, 0), right = floats_argument(pool, comparison, 1);
  Bound bound;
  bool is_left = left == c->operand;
  if ((!is_left && right != c->operand) || !read_bound(c, is_left ? right : left, &bound)) return;
  // The comparison is false: the other order holds, or the value is no number.
  ExprRef no_number = is_from_no_number(c);
  ExprRef yes = is_left ? below(c, &bound, is_strict) : above(c, &bound);
  ExprRef no = is_left ? above(c, &bound) : below(c, &bound, !is_strict);
  goal_add(c->scan, goal, expr_or(pool, expr_not(pool, comparison), yes), GOAL_FACT, TAG_BOUNDS);
  goal_add(c->scan, goal, expr_or(pool, comparison, expr_or(pool, no, no_number)), GOAL_FACT, TAG_BOUNDS);
}

static void floats_add(Scan *scan, Goal *goal) {
  if (!scan_text(scan)->has_conversions) return;
  const ExprSet *occurs = goal_occurrences(scan, goal);
  floats_add_exact(scan, goal, occurs);
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;) {
    Conversion c;
    if (!read_conversion(scan, ref, &c)) continue;
    for (int upper = 0; upper < 2; upper++) {
      ExprRef known = by_shape(&c, c.operand, upper != 0, NESTING);
      if (known) goal_add(scan, goal, known, GOAL_FACT, TAG_BOUNDS);
    }
    ExprRef exact = quotient(&c), constant = within(&c);
    if (!exact) exact = by_reciprocal(&c);
    if (exact) goal_add(scan, goal, exact, GOAL_FACT, TAG_BOUNDS);
    if (constant) goal_add(scan, goal, constant, GOAL_FACT, TAG_BOUNDS);
    for (ExprRef other = 0; (other = expr_set_next(occurs, other)) != 0;)
      if (expr_node(scan->pool, other)->op == EXPR_APP) add_comparison(&c, goal, other);
  }
}

const ValueFacts floats_facts = {.add = floats_add};
