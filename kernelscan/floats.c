// What do comparisons of floating-point values say of the integers that are made from them? `if (x >= 0 && x
// < n) a[(int)x]` stays in [0, n). Method: for each conversion in a goal, what is known of its operand by
// comparisons in the goal, by minima and maxima: a bound that is a constant or a converted integer.
// Soundness: conversions towards zero and `floor` are monotone, and integers of at most 2^24 (float) or 2^53
// (double) are converted exactly, which is a condition of each fact; a value that is no number compares as
// false and becomes 0 (PTX, cvt).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/internal.h"

#include <math.h>
#include <stdio.h>

typedef struct Conversion {
  Scan *scan;
  ExprRef whole;   // the integer, 64 bits
  ExprRef operand; // what it was made from, without floor or trunc
  uint8_t bits;    // of the operand
  bool is_floor;   // rounds down, else towards zero
  bool is_clipped; // what is negative becomes 0
} Conversion;

static const char *function_name(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_APP ? expr_func_info(pool, (uint32_t)node->value)->name : "";
}

static bool is_call(const ExprPool *pool, ExprRef ref, const char *name, uint8_t bits) {
  char full[24];
  snprintf(full, sizeof full, "%s%s", name, bits == 32 ? "f" : "");
  return strcmp(function_name(pool, ref), full) == 0;
}

static ExprRef argument(const ExprPool *pool, ExprRef app, uint32_t index) {
  return expr_node(pool, app)->args[index];
}

static bool read_conversion(Scan *scan, ExprRef ref, Conversion *c) {
  ExprPool *pool = scan->pool;
  const char *name = function_name(pool, ref);
  bool is_signed = strncmp(name, "fptosi", 6) == 0, is_unsigned = strncmp(name, "fptoui", 6) == 0;
  if ((!is_signed && !is_unsigned) || expr_width(pool, ref) < 32) return false;
  const char *bits = name + 6;
  *c = (Conversion){.scan = scan, .bits = strcmp(bits, "32") == 0 ? 32 : strcmp(bits, "64") == 0 ? 64 : 0};
  if (!c->bits) return false;
  c->is_clipped = is_unsigned;
  c->whole = is_signed ? expr_resize_signed(pool, ref, 64) : expr_resize_unsigned(pool, ref, 64);
  c->operand = argument(pool, ref, 0);
  if (is_call(pool, c->operand, "floor", c->bits)) {
    c->is_floor = true;
    c->operand = argument(pool, c->operand, 0);
  } else if (is_call(pool, c->operand, "trunc", c->bits)) {
    c->operand = argument(pool, c->operand, 0);
  }
  return true;
}

// A bound: an integer, or a constant with the integers on both sides of it; and when that is exact.
typedef struct Bound {
  ExprRef below, above; // 64 bits
  ExprRef is_exact;
} Bound;

static bool read_bound(const Conversion *c, ExprRef ref, Bound *bound) {
  ExprPool *pool = c->scan->pool;
  int64_t word = 0, most = (int64_t)1 << (c->bits == 32 ? 24 : 53);
  ExprNode node = *expr_node(pool, ref);
  bound->is_exact = expr_bool(pool, true);
  if (node.op == EXPR_CONST) {
    word = node.value;
    double value = 0;
    if (c->bits == 64) {
      memcpy(&value, &word, sizeof value);
    } else {
      float narrow = 0;
      int32_t half = (int32_t)word;
      memcpy(&narrow, &half, sizeof narrow);
      value = (double)narrow;
    }
    if (!(fabs(value) <= (double)most)) return false;
    bound->below = expr_const(pool, 64, (int64_t)floor(value));
    bound->above = expr_const(pool, 64, (int64_t)ceil(value));
    return true;
  }
  if (strcmp(function_name(pool, ref), "sitofp64") != 0) return false;
  ExprRef number = argument(pool, ref, 0);
  bound->below = bound->above = number;
  bound->is_exact = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, -most), number),
                             expr_binary(pool, EXPR_SLE, 0, number, expr_const(pool, 64, most)));
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

// ---- minima and maxima --------------------------------------------------------------------------
enum { NESTING = 6 };

// What the shape of `ref` says of the integer, if that was made from something that is at most (at least)
// `ref`; 0: nothing.
static ExprRef by_shape(const Conversion *c, ExprRef ref, bool is_upper, uint32_t depth) {
  ExprPool *pool = c->scan->pool;
  Bound bound;
  if (read_bound(c, ref, &bound)) return is_upper ? below(c, &bound, false) : above(c, &bound);
  bool is_min = is_call(pool, ref, "fmin", c->bits), is_max = is_call(pool, ref, "fmax", c->bits);
  if ((!is_min && !is_max) || depth == 0) return 0;
  ExprRef one = by_shape(c, argument(pool, ref, 0), is_upper, depth - 1);
  ExprRef two = by_shape(c, argument(pool, ref, 1), is_upper, depth - 1);
  if (is_min == is_upper)
    return one && two ? expr_and(pool, one, two) : one ? one : two; // no more than either
  return one && two ? expr_or(pool, one, two) : 0;
}

// ---- goals --------------------------------------------------------------------------------------
static void add_comparison(const Conversion *c, Goal *goal, ExprRef comparison) {
  ExprPool *pool = c->scan->pool;
  const char *name = function_name(pool, comparison);
  bool is_strict = strncmp(name, "fcmp_olt", 8) == 0;
  if ((!is_strict && strncmp(name, "fcmp_ole", 8) != 0) || strcmp(name + 8, c->bits == 32 ? "32" : "64") != 0)
    return;
  ExprRef left = argument(pool, comparison, 0), right = argument(pool, comparison, 1);
  Bound bound;
  bool is_left = left == c->operand;
  if ((!is_left && right != c->operand) || !read_bound(c, is_left ? right : left, &bound)) return;
  // The comparison is false: the other order holds, or the value is no number.
  ExprRef no_number = expr_eq(pool, c->whole, expr_const(pool, 64, 0));
  ExprRef yes = is_left ? below(c, &bound, is_strict) : above(c, &bound);
  ExprRef no = is_left ? above(c, &bound) : below(c, &bound, !is_strict);
  goal_add(c->scan, goal, expr_or(pool, expr_not(pool, comparison), yes), GOAL_FACT, TAG_BOUNDS);
  goal_add(c->scan, goal, expr_or(pool, comparison, expr_or(pool, no, no_number)), GOAL_FACT, TAG_BOUNDS);
}

void floats_add(Scan *scan, Goal *goal) {
  if (!scan->has_conversions) return;
  const uint8_t *seen = goal_occurrences(scan, goal);
  uint32_t count = expr_count(scan->pool);
  for (ExprRef ref = 1; ref <= count; ref++) {
    Conversion c;
    if (!seen[ref] || !read_conversion(scan, ref, &c)) continue;
    for (int upper = 0; upper < 2; upper++) {
      ExprRef known = by_shape(&c, c.operand, upper != 0, NESTING);
      if (known) goal_add(scan, goal, known, GOAL_FACT, TAG_BOUNDS);
    }
    for (ExprRef other = 1; other <= count; other++)
      if (seen[other] && expr_node(scan->pool, other)->op == EXPR_APP) add_comparison(&c, goal, other);
  }
}
