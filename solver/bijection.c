// Which steps of a computation on words lose nothing? Integer hashes are made of such steps: each is a
// bijection of the words of its width, so two results are equal if and only if what went in is equal, however
// the bits are mixed. Peeled one by one from both sides of an equality (linearize.c), they are never multiplied
// out:
//
//   x + c,  c - x,  x ^ c     for the same word c on both sides
//   x * m                     for an odd constant m: it has an inverse modulo 2^w
//   x + x*m, x - x*m, x*m - x, x ^ x*m    for an even constant m, as in x << k: bit i of x*m is made of lower
//   bits
//                             of x, so x can be read from the lowest bit on
//   x ^ (x >> k)              bringing in zeros, 1 <= k < w: from the highest bit on
//   (x << k) | (x >> w-k)     the rotation; with + and ^ as well, since no bit meets another
//
// Soundness: exact, in both directions, on machine words; no assumption about overflow is needed.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

typedef enum StepKind {
  STEP_NONE,
  STEP_TIMES,    // x * m
  STEP_XOR_DOWN, // x ^ (x >> k)
  STEP_XOR_UP,   // x ^ x*m
  STEP_ADD_UP,   // x + x*m
  STEP_SUB_UP,   // x - x*m
  STEP_UP_SUB,   // x*m - x
  STEP_ROTATE    // to the left by k
} StepKind;

typedef struct Step { // the result of one step of the word `of`
  StepKind kind;
  int64_t constant;
  ExprRef of;
} Step;

// ref = x >> k, bringing in zeros, for a k from 1 to w - 1.
static bool is_down(Query *q, ExprRef ref, ExprRef *x, int64_t *k) {
  ASSERT(expr_is_of(q->pool, ref));
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op != EXPR_LSHR && n.op != EXPR_ASHR) return false;
  if (!expr_is_const(q->pool, n.b, k) || *k < 1 || *k >= n.width) return false;
  *x = n.a;
  if (n.op == EXPR_LSHR) return true;
  // Lowered, so that an assumption that the sign leans on is noted.
  return poly_range(q, lower_word(q, n.a)).lo >= 0 || range_of(q, RANGE_SHARP, n.a).lo >= 0;
}

// ref = x * m or x << k; *factor is m or 2^k.
static bool is_times(const Query *q, ExprRef ref, ExprRef *x, int64_t *factor) {
  ASSERT(expr_is_of(q->pool, ref));
  const ExprNode *n = expr_node(q->pool, ref);
  if ((n->op != EXPR_MUL && n->op != EXPR_SHL) || !expr_is_const(q->pool, n->b, factor)) return false;
  *x = n->a;
  if (n->op == EXPR_MUL) return true;
  if (*factor < 0 || *factor >= n->width) return false;
  *factor = (int64_t)((uint64_t)1 << *factor);
  return true;
}

static bool is_shift_of(Query *q, ExprRef x, ExprRef shifted, int64_t *k) {
  ExprRef of;
  return is_down(q, shifted, &of, k) && of == x;
}

static bool is_multiple_of(const Query *q, ExprRef x, ExprRef product, int64_t *factor) {
  ExprRef of;
  return is_times(q, product, &of, factor) && of == x && *factor % 2 == 0;
}

static Step rotation(Query *q, ExprRef up, ExprRef down) {
  ASSERT(expr_is_of(q->pool, up) && expr_is_of(q->pool, down));
  ExprRef x, y;
  int64_t factor, k;
  if (!is_times(q, up, &x, &factor) || !is_down(q, down, &y, &k) || x != y) return (Step){0};
  uint64_t power = (uint64_t)1 << (expr_width(q->pool, x) - k);
  bool is_whole = expr_unsigned_reading(factor, expr_width(q->pool, x)) == power;
  return is_whole ? (Step){STEP_ROTATE, k, x} : (Step){0};
}

// For an operation whose operands may be swapped.
static Step mixing_step(Query *q, ExprOp op, ExprRef a, ExprRef b) {
  int64_t k;
  if (op == EXPR_XOR && is_shift_of(q, a, b, &k)) return (Step){STEP_XOR_DOWN, k, a};
  if (op == EXPR_XOR && is_multiple_of(q, a, b, &k)) return (Step){STEP_XOR_UP, k, a};
  if (op == EXPR_ADD && is_multiple_of(q, a, b, &k)) return (Step){STEP_ADD_UP, k, a};
  return rotation(q, a, b);
}

static Step step_of(Query *q, ExprRef ref) {
  ASSERT(expr_is_of(q->pool, ref));
  ExprNode n = *expr_node(q->pool, ref); // lowering may move it
  int64_t k;
  if (n.op == EXPR_SUB && is_multiple_of(q, n.a, n.b, &k)) return (Step){STEP_SUB_UP, k, n.a};
  if (n.op == EXPR_SUB && is_multiple_of(q, n.b, n.a, &k)) return (Step){STEP_UP_SUB, k, n.b};
  if (n.op == EXPR_MUL && expr_is_const(q->pool, n.b, &k) && k % 2) return (Step){STEP_TIMES, k, n.a};
  if (n.op != EXPR_XOR && n.op != EXPR_ADD && n.op != EXPR_OR) return (Step){0};
  Step step = mixing_step(q, (ExprOp)n.op, n.a, n.b);
  return step.kind ? step : mixing_step(q, (ExprOp)n.op, n.b, n.a);
}

// The same operation with the same word on both sides: what else goes in.
static bool peel_shared(Query *q, ExprRef *x, ExprRef *y) {
  const ExprNode *a = expr_node(q->pool, *x), *b = expr_node(q->pool, *y);
  bool commutes = a->op == EXPR_ADD || a->op == EXPR_XOR;
  if (a->op != b->op || (!commutes && a->op != EXPR_SUB)) return false;
  ExprRef left[2] = {a->a, a->b}, right[2] = {b->a, b->b};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (left[i] == right[k] && (commutes || i == k)) {
        *x = left[1 - i];
        *y = right[1 - k];
        return true;
      }
  return false;
}

bool bijection_peel(Query *q, ExprRef *x, ExprRef *y) {
  ASSERT(expr_is_of(q->pool, *x) && expr_is_of(q->pool, *y));
  ASSERT(expr_width(q->pool, *x) == expr_width(q->pool, *y));
  if (expr_width(q->pool, *x) == 1 || expr_width(q->pool, *x) != expr_width(q->pool, *y)) return false;
  if (peel_shared(q, x, y)) return true;
  Step a = step_of(q, *x), b = step_of(q, *y);
  if (a.kind == STEP_NONE || a.kind != b.kind || a.constant != b.constant) return false;
  *x = a.of;
  *y = b.of;
  return true;
}
