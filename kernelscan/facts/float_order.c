// How do comparisons of floating-point values hang together? `x < y` and `y < x` do not both hold, and who is less than the one is less than
// what that is less than. Method: each value has a place in the order of numbers, unless it is no number, and comparisons compare places: both are
// functions of which nothing else is known. Soundness: IEEE 754 orders all values but NaN, with -0 beside 0, and so does hardware that takes
// denormal numbers for zero (the order of what it compares is one of the operands' bits); every comparison with a NaN is false. Asked for only
// where the question would have an answer without: most comparisons say nothing of places.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include <stdio.h>

enum { LEAST = 2, MOST = 32 }; // one comparison contradicts none; with many the question is about data

static ExprRef is_number(ExprPool *pool, ExprRef value) {
  char name[24];
  snprintf(name, sizeof name, "is_number%u", expr_width(pool, value));
  return expr_app(pool, expr_func_named(pool, name, 1), 1, &value);
}

static ExprRef place_of(ExprPool *pool, ExprRef value) {
  char name[24];
  snprintf(name, sizeof name, "in_order%u", expr_width(pool, value));
  return expr_app(pool, expr_func_named(pool, name, expr_width(pool, value)), 1, &value);
}

// What the comparison says of the two places; 0: it is none.
static ExprRef meaning(ExprPool *pool, ExprRef ref) {
  const char *name = floats_function(pool, ref);
  if (strncmp(name, "fcmp_", 5) != 0) return 0;
  ExprRef a = floats_argument(pool, ref, 0), b = floats_argument(pool, ref, 1), compared = 0;
  if (expr_width(pool, a) < 32) return 0; // two formats have 16 bits
  ExprRef both = expr_and(pool, is_number(pool, a), is_number(pool, b));
  ExprRef first = place_of(pool, a), second = place_of(pool, b);
  if (strncmp(name, "fcmp_uno", 8) == 0) return expr_not(pool, both);
  if (strncmp(name, "fcmp_olt", 8) == 0) compared = expr_binary(pool, EXPR_SLT, 0, first, second);
  if (strncmp(name, "fcmp_ole", 8) == 0) compared = expr_binary(pool, EXPR_SLE, 0, first, second);
  if (strncmp(name, "fcmp_oeq", 8) == 0) compared = expr_eq(pool, first, second);
  if (strncmp(name, "fcmp_one", 8) == 0) compared = expr_ne(pool, first, second);
  return compared ? expr_and(pool, both, compared) : 0;
}

static void float_order_add_heavy(Scan *scan, Goal *goal) {
  const ExprSet *occurs = goal_occurrences(scan, goal);
  ExprRef found[MOST];
  uint32_t count = 0;
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;) {
    if (strncmp(floats_function(scan->pool, ref), "fcmp_", 5) != 0) continue;
    if (count == MOST) return;
    found[count++] = ref;
  }
  for (uint32_t i = 0; i < count && count >= LEAST; i++) {
    ExprRef says = meaning(scan->pool, found[i]);
    if (says) goal_add(scan, goal, expr_eq(scan->pool, found[i], says), GOAL_CONTEXT, 0);
  }
}

const ValueFacts float_order_facts = {.add_heavy = float_order_add_heavy};
