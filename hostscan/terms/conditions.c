// What do two conditions come to together? Conjunction and disjunction without what one side says of the other.
// Method: what one side fixes to a constant is put into the other; opposites, and tests of one value for different
// constants, are seen by their form. Soundness: exact.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms/terms.h"
#include "core/bug.h"

static bool are_opposite(HostScan *scan, ExprRef a, ExprRef b) {
  return expr_is_true(scan->pool, expr_or(scan->pool, a, b)) &&
         expr_is_false(scan->pool, expr_and(scan->pool, a, b));
}

// x == 1 says more than x != 0.
static bool implies(HostScan *scan, ExprRef a, ExprRef b) {
  ExprNode x = *expr_node(scan->pool, a), y = *expr_node(scan->pool, b);
  if (a == b) return true;
  if (x.op == EXPR_AND) return implies(scan, x.a, b) || implies(scan, x.b, b);
  if (x.op != EXPR_EQ || y.op != EXPR_NOT) return false;
  ExprNode z = *expr_node(scan->pool, y.a);
  if (z.op != EXPR_EQ || x.a != z.a || x.b == z.b) return false;
  return expr_is_const(scan->pool, x.b, NULL) && expr_is_const(scan->pool, z.b, NULL);
}

// One side holds the negation of the other, or x == 1 meets x == 2.
static bool contradicts(HostScan *scan, ExprRef a, ExprRef b) {
  ExprNode x = *expr_node(scan->pool, a), y = *expr_node(scan->pool, b);
  if (x.op == EXPR_AND) return contradicts(scan, x.a, b) || contradicts(scan, x.b, b);
  if (y.op == EXPR_AND) return contradicts(scan, a, y.a) || contradicts(scan, a, y.b);
  if (expr_is_false(scan->pool, expr_and(scan->pool, a, b))) return true;
  bool are_constant = x.op == EXPR_EQ && y.op == EXPR_EQ && expr_is_const(scan->pool, x.b, NULL) &&
                      expr_is_const(scan->pool, y.b, NULL);
  return are_constant && x.a == y.a && x.b != y.b;
}

// What `a` says of a symbol, put into `b`.
static ExprRef under(HostScan *scan, ExprRef a, ExprRef b) {
  ExprRef symbol = 0, value = 0;
  return host_fixed_value(scan, a, &symbol, &value) ? host_replace(scan, b, symbol, value) : b;
}

ExprRef host_and(HostScan *scan, ExprRef a, ExprRef b) {
  ASSERT(expr_is_of(scan->pool, a));
  ASSERT(expr_is_of(scan->pool, b));
  ExprNode parts = *expr_node(scan->pool, b);
  if (parts.op == EXPR_AND) return host_and(scan, host_and(scan, a, parts.a), parts.b);
  if (expr_is_true(scan->pool, under(scan, a, b))) return a;
  if (expr_is_true(scan->pool, under(scan, b, a))) return b;
  if (expr_is_false(scan->pool, under(scan, a, b)) || expr_is_false(scan->pool, under(scan, b, a)))
    return expr_bool(scan->pool, false);
  if (expr_width(scan->pool, a) == 1 && expr_is_const(scan->pool, a, NULL)) return expr_and(scan->pool, a, b);
  if (are_opposite(scan, a, b) || contradicts(scan, a, b)) return expr_bool(scan->pool, false);
  if (implies(scan, a, b)) return a;
  return implies(scan, b, a) ? b : expr_and(scan->pool, a, b);
}

ExprRef host_or(HostScan *scan, ExprRef a, ExprRef b) {
  ASSERT(expr_is_of(scan->pool, a));
  ASSERT(expr_is_of(scan->pool, b));
  ExprNode x = *expr_node(scan->pool, a), y = *expr_node(scan->pool, b);
  if (y.op == EXPR_AND && are_opposite(scan, a, y.a)) return host_or(scan, a, y.b); // a || (!a && c)
  if (y.op == EXPR_AND && are_opposite(scan, a, y.b)) return host_or(scan, a, y.a);
  if (x.op == EXPR_AND && are_opposite(scan, b, x.a)) return host_or(scan, b, x.b);
  if (x.op == EXPR_AND && are_opposite(scan, b, x.b)) return host_or(scan, b, x.a);
  if (x.op == EXPR_AND && y.op == EXPR_AND) {
    if (x.a == y.a && are_opposite(scan, x.b, y.b)) return x.a;
    if (x.b == y.b && are_opposite(scan, x.a, y.a)) return x.b;
    if (x.a == y.b && are_opposite(scan, x.b, y.a)) return x.a;
    if (x.b == y.a && are_opposite(scan, x.a, y.b)) return x.b;
  }
  return expr_or(scan->pool, a, b);
}
