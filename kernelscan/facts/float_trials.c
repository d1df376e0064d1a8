// Which integer, or truth, does a floating-point computation on one integer of few values give? It is done for each of them; the results are
// told as pieces that rise by a constant step, or as what repeats with a period. Soundness: only operations that IEEE 754 rounds correctly
// are tried (others have names of their own: lower_arith.c), on numbers that are not denormal; a sum with a product in it may be computed
// in one step or in two, and counts only if both give the same.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/floats_exact.h"

#include <float.h>
#include <math.h>

enum { MOST_VALUES = 4096, MOST_PIECES = 96, MOST_PERIOD = 32, MOST_TRIED = 256 };

typedef struct Trial {
  const ExprPool *pool;
  ExprRef leaf; // the integer; 0: none yet
  int64_t value;
} Trial;

static bool same(double a, double b) {
  return a == b;
}

static double rounded(double value, uint8_t bits) {
  return bits == 32 ? (double)(float)value : value;
}

static bool find_leaf(Trial *t, ExprRef ref, uint32_t depth) {
  const ExprNode *node = expr_node(t->pool, ref);
  if (node->op == EXPR_CONST) return true;
  if (depth == 0) return false;
  if (node->op == EXPR_XOR || node->op == EXPR_NOT) return find_leaf(t, node->a, depth - 1);
  if (node->op == EXPR_ITE)
    return find_leaf(t, node->a, depth - 1) && find_leaf(t, node->b, depth - 1) &&
           find_leaf(t, node->c, depth - 1);
  if (node->op != EXPR_APP) return false;
  if (strcmp(floats_function(t->pool, ref), "sitofp64") == 0) {
    ExprRef leaf = node->args[0];
    if (expr_is_const(t->pool, leaf, NULL)) return true;
    if (t->leaf && t->leaf != leaf) return false;
    t->leaf = leaf;
    return true;
  }
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!find_leaf(t, node->args[i], depth - 1)) return false;
  return true;
}

static bool attempt(const Trial *t, ExprRef ref, uint8_t bits, double *out);

static bool attempt_truth(const Trial *t, ExprRef ref, int64_t *out);

static bool attempt_both(const Trial *t, ExprRef ref, uint8_t bits, double *a, double *b) {
  return attempt(t, floats_argument(t->pool, ref, 0), bits, a) &&
         attempt(t, floats_argument(t->pool, ref, 1), bits, b);
}

// Where an operand of a sum is a product, in one step the result is the same; what hides one is not followed.
static bool fused_is_same(const Trial *t, ExprRef product, uint8_t bits, double other, double sum) {
  double a = 0, b = 0;
  if (floats_hides_product(t->pool, product, bits)) return false;
  if (!floats_is_operation(t->pool, product, "fmul", bits)) return true;
  if (!attempt_both(t, product, bits, &a, &b)) return false;
  return same(bits == 32 ? (double)fmaf((float)a, (float)b, (float)other) : fma(a, b, other), sum);
}

static bool attempt_pair(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  static const struct Operation {
    const char *name;
    char op;
  } operations[] = {{"fadd", '+'}, {"fsub", '-'}, {"fmul", '*'}, {"fdiv", '/'}, {"frem", '%'}};
  double a = 0, b = 0;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (!floats_is_operation(t->pool, ref, operations[i].name, bits)) continue;
    if (!attempt_both(t, ref, bits, &a, &b)) return false;
    char op = operations[i].op;
    *out = rounded(op == '+'   ? a + b
                   : op == '-' ? a - b
                   : op == '*' ? a * b
                   : op == '/' ? a / b
                               : fmod(a, b),
                   bits);
    if (op == '+')
      return fused_is_same(t, floats_argument(t->pool, ref, 0), bits, b, *out) &&
             fused_is_same(t, floats_argument(t->pool, ref, 1), bits, a, *out);
    if (op == '-')
      return fused_is_same(t, floats_argument(t->pool, ref, 0), bits, -b, *out) &&
             fused_is_same(t, floats_argument(t->pool, ref, 1), bits, -a, -*out);
    return true;
  }
  static const struct Function {
    const char *name;
    double (*function)(double, double);
  } functions[] = {{"fmin", fmin}, {"fmax", fmax}, {"fmod", fmod}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (!floats_is_call(t->pool, ref, functions[i].name, bits)) continue;
    if (!attempt_both(t, ref, bits, &a, &b)) return false;
    *out = functions[i].function(a, b);
    return true;
  }
  return false;
}

static bool attempt_call(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  const char *name = floats_function(t->pool, ref);
  if (strcmp(name, "sitofp64") == 0) {
    *out = bits == 32 ? (double)(float)t->value : (double)t->value;
    return true;
  }
  if (bits == 64 && strcmp(name, "fpext32") == 0)
    return attempt(t, floats_argument(t->pool, ref, 0), 32, out);
  if (bits == 32 && strcmp(name, "fptrunc64") == 0) {
    bool is_done = attempt(t, floats_argument(t->pool, ref, 0), 64, out);
    *out = rounded(*out, 32);
    return is_done;
  }
  static const struct Function {
    const char *name;
    double (*function)(double);
  } functions[] = {{"floor", floor},         {"ceil", ceil},   {"trunc", trunc}, {"rint", rint},
                   {"nearbyint", nearbyint}, {"round", round}, {"sqrt", sqrt},   {"fabs", fabs}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (!floats_is_call(t->pool, ref, functions[i].name, bits)) continue;
    bool is_done = attempt(t, floats_argument(t->pool, ref, 0), bits, out);
    *out = rounded(functions[i].function(*out), bits);
    return is_done;
  }
  return attempt_pair(t, ref, bits, out);
}

static bool compute(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  const ExprNode *node = expr_node(t->pool, ref);
  int64_t word = 0, sign = bits == 32 ? INT32_MIN : INT64_MIN;
  *out = 0;
  if (node->width != bits) return false;
  if (floats_any_constant(t->pool, ref, bits, out)) return true;
  if (node->op == EXPR_APP) return attempt_call(t, ref, bits, out) && isfinite(*out);
  if (node->op == EXPR_ITE)
    return attempt_truth(t, node->a, &word) && attempt(t, word ? node->b : node->c, bits, out);
  if (node->op != EXPR_XOR || !expr_is_const(t->pool, node->b, &word) || word != sign ||
      !attempt(t, node->a, bits, out))
    return false;
  *out = -*out;
  return true;
}

// Single-precision numbers below the normal ones are zeros in code that is compiled with -ftz=true.
static bool attempt(const Trial *t, ExprRef ref, uint8_t bits, double *out) {
  return compute(t, ref, bits, out) && (bits != 32 || *out == 0 || fabs(*out) >= (double)FLT_MIN);
}

static bool is_true_at(const Trial *t, const Compared *c, int64_t *out) {
  double a = 0, b = 0;
  if (!attempt(t, c->left, c->bits, &a) || !attempt(t, c->right, c->bits, &b)) return false;
  *out = c->kind == '=' ? same(a, b) : c->kind == '<' ? a < b : a <= b;
  return true;
}

static bool attempt_truth(const Trial *t, ExprRef ref, int64_t *out) {
  Compared c;
  const ExprNode *node = expr_node(t->pool, ref);
  bool is_negated = node->op == EXPR_NOT;
  if (!floats_read_compared(t->pool, is_negated ? node->a : ref, &c) || !is_true_at(t, &c, out)) return false;
  *out = *out != is_negated;
  return true;
}

static bool attempt_whole(const Trial *t, const Whole *w, int64_t *out) {
  double value = 0, least = w->is_unsigned ? 0 : -0x1p31, most = w->is_unsigned ? 0x1p32 : 0x1p31;
  if (!attempt(t, w->operand, w->bits, &value)) return false;
  value = w->rounding == TO_ZERO ? trunc(value)
          : w->rounding == DOWN  ? floor(value)
          : w->rounding == UP    ? ceil(value)
                                 : rint(value);
  if (value < least || value >= most) return false;
  *out = (int64_t)value;
  return true;
}

// The only integer that is computed with, and its values.
static bool open_trial(Trial *t, const ExprPool *pool, ExprRef ref, int64_t *lo, int64_t *hi) {
  *t = (Trial){.pool = pool};
  if (!find_leaf(t, ref, FLOATS_DEPTH) || !t->leaf) return false;
  expr_range((ExprPool *)pool, t->leaf, lo, hi);
  return *lo >= -(int64_t)INT32_MAX && *hi <= INT32_MAX && *hi - *lo < MOST_VALUES;
}

static ExprRef is_in(ExprPool *pool, int64_t lo, ExprRef number, int64_t hi) {
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, lo), number),
                  expr_binary(pool, EXPR_SLE, 0, number, expr_const(pool, 64, hi)));
}

// The results for all values of the integer, from the lowest on.
typedef struct Results {
  const Trial *t;
  ExprRef whole;
  const int64_t *values;
  int64_t count, lo;
} Results;

// Each `period` values further, the result is `rise` more. 0: there is no period.
static ExprRef as_period(ExprPool *pool, const Results *r) {
  const int64_t *values = r->values, count = r->count;
  for (int64_t period = 2; period <= MOST_PERIOD && 2 * period <= count; period++) {
    int64_t rise = values[period] - values[0], k = 1;
    while (k + period < count && values[k + period] - values[k] == rise)
      k++;
    if (k + period < count) continue;
    ExprRef from = expr_binary(pool, EXPR_SUB, EXPR_NSW, r->t->leaf, expr_const(pool, 64, r->lo));
    ExprRef width = expr_const(pool, 64, period), rest = expr_binary(pool, EXPR_SREM, 0, from, width);
    ExprRef value = expr_const(pool, 64, values[period - 1]);
    for (int64_t i = period - 1; i-- > 0;)
      value = expr_ite(pool, expr_eq(pool, rest, expr_const(pool, 64, i)), expr_const(pool, 64, values[i]),
                       value);
    ExprRef rounds = expr_binary(pool, EXPR_SDIV, 0, from, width);
    ExprRef risen = expr_binary(pool, EXPR_MUL, EXPR_NSW, rounds, expr_const(pool, 64, rise));
    return expr_eq(pool, r->whole, expr_binary(pool, EXPR_ADD, EXPR_NSW, risen, value));
  }
  return 0;
}

static int64_t end_of_piece(const int64_t *values, int64_t count, int64_t begin) {
  int64_t end = begin + 1;
  while (end + 1 < count && values[end + 1] - values[end] == values[begin + 1] - values[begin])
    end++;
  return end < count ? end : count - 1;
}

static ExprRef as_pieces(ExprPool *pool, const Results *r) {
  const int64_t *values = r->values, count = r->count, lo = r->lo;
  ExprRef all = expr_bool(pool, true);
  uint32_t pieces = 0;
  for (int64_t i = 0; i < count; i = end_of_piece(values, count, i) + 1)
    pieces++;
  if (pieces > MOST_PIECES) return all;
  for (int64_t i = 0, end; i < count; i = end + 1) {
    end = end_of_piece(values, count, i);
    int64_t step = end > i ? values[i + 1] - values[i] : 0;
    ExprRef moved = expr_binary(pool, EXPR_MUL, EXPR_NSW, r->t->leaf, expr_const(pool, 64, step));
    moved = expr_binary(pool, EXPR_ADD, EXPR_NSW, moved, expr_const(pool, 64, values[i] - step * (lo + i)));
    ExprRef fact = expr_eq(pool, r->whole, moved);
    if (pieces > 1) fact = expr_or(pool, expr_not(pool, is_in(pool, lo + i, r->t->leaf, lo + end)), fact);
    all = expr_and(pool, all, fact);
  }
  return all;
}

static ExprRef tried_whole(ExprPool *pool, ExprRef ref, const Whole *w) {
  Trial t;
  int64_t lo = 0, hi = 0;
  ExprRef fact = 0;
  if (!open_trial(&t, pool, w->operand, &lo, &hi)) return expr_bool(pool, true);
  Arena *scratch = arena_open();
  int64_t *values = arena_array(scratch, MOST_VALUES, int64_t), count = 0;
  bool is_done = true;
  for (t.value = lo; is_done && t.value <= hi; t.value++)
    is_done = attempt_whole(&t, w, &values[count++]);
  if (is_done) {
    Results r = {&t, floats_as_word(pool, ref, w), values, count, lo};
    if (end_of_piece(values, count, 0) < count - 1) fact = as_period(pool, &r);
    if (!fact) fact = as_pieces(pool, &r);
  }
  arena_close(scratch);
  return fact ? fact : expr_bool(pool, true);
}

// One side is a constant.
static ExprRef tried_comparison(ExprPool *pool, const Compared *c) {
  Trial t;
  int64_t lo = 0, hi = 0, before = -1, now = 0;
  ExprRef nothing = expr_bool(pool, true);
  if (!open_trial(&t, pool, c->ref, &lo, &hi)) return nothing;
  uint32_t runs = 0;
  for (t.value = lo; t.value <= hi; t.value++) {
    if (!is_true_at(&t, c, &now)) return nothing;
    runs += now != before;
    before = now;
  }
  if (runs > MOST_PIECES) return nothing;
  ExprRef truth = expr_bool(pool, false);
  int64_t from = lo;
  for (t.value = lo; t.value <= hi + 1; t.value++) {
    before = t.value > lo ? now : -1;
    if (t.value > hi || !is_true_at(&t, c, &now) || now != before) {
      if (t.value > lo && before == 1) truth = expr_or(pool, truth, is_in(pool, from, t.leaf, t.value - 1));
      from = t.value;
    }
  }
  return expr_eq(pool, c->ref, truth);
}

// ---- kept
typedef struct FloatFact {
  ExprRef ref, fact;
} FloatFact;

// What is kept of a scan.
typedef struct Kept {
  VEC(FloatFact) tried; // by expression: what trying all values has shown
} Kept;

// What was found out by trying is kept: goals have the same computations again and again.
void floats_add_tried(Scan *scan, Goal *goal, ExprRef ref, const Whole *w, const Compared *c) {
  ASSERT(scan_has_expr(scan, ref) && (w != NULL) != (c != NULL)); // one of the two forms
  Kept *kept = SCAN_STATE_OF(scan, float_trials, Kept);
  for (uint32_t i = 0; i < kept->tried.count; i++)
    if (kept->tried.items[i].ref == ref) {
      goal_add(scan, goal, kept->tried.items[i].fact, GOAL_FACT, TAG_BOUNDS);
      return;
    }
  if (kept->tried.count == MOST_TRIED) return;
  ExprRef fact = w ? tried_whole(scan->pool, ref, w) : tried_comparison(scan->pool, c);
  ASSERT(scan_has_word(scan, fact, 1));
  vec_push(scan->arena, &kept->tried, (FloatFact){ref, fact});
  goal_add(scan, goal, fact, GOAL_FACT, TAG_BOUNDS);
}
