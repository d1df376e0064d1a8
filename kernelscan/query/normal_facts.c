// What do the facts of a launch say when they are taken together? A helper that halves a length until it is
// odd tells "length == 1 << halvings, or what is left is not 1"; that 1 is left is another fact. Questions
// about masks and strides need the plain statement. Method: facts that are no choice bound symbols by
// constants; alternatives of the others that these bounds exclude are left out, a choice of two values that
// is compared with a third is decided, and (n & (n - 1)) == 0 for n >= 1 is written n == 1 << exponent.
// Soundness: the facts together say the same as before; a fact that was shortened needs those that shortened
// it, and they are listed with every proof that it is part of.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

typedef struct Bound {
  ExprRef word;          // a symbol, or the low bits of one
  int64_t lo, hi;        // signed
  uint32_t lo_by, hi_by; // facts + 1; 0: the word's own interval
} Bound;

typedef struct Settling {
  Scan *scan;
  ExprPool *pool;
  VEC(Bound) bounds;
  uint32_t fact; // in hand
  bool changed;
} Settling;

enum { MAX_BOUNDS = 400, SETTLE_ROUNDS = 3 };

// What is kept of a scan.
typedef struct Kept {
  NormalFact *facts; // by fact of the launch
} Kept;

static Kept *settled_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, query, Kept);
}

// What is known of the word; NULL: nothing is kept of such words.
static Bound *bound_of(Settling *all, ExprRef word) {
  const ExprNode *node = expr_node(all->pool, word);
  if (node->width < 8) return NULL;
  if (node->op == EXPR_TRUNC) node = expr_node(all->pool, node->a);
  if (node->op != EXPR_SYM) return NULL;
  for (uint32_t i = 0; i < all->bounds.count; i++)
    if (all->bounds.items[i].word == word) return &all->bounds.items[i];
  if (all->bounds.count == MAX_BOUNDS) return NULL;
  Bound bound = {.word = word};
  expr_range(all->pool, word, &bound.lo, &bound.hi);
  vec_push(all->scan->arena, &all->bounds, bound);
  return &vec_last(&all->bounds);
}

// ---- bounds
// The fact in hand uses this bound.
static void note_need(Settling *all, uint32_t by) {
  if (!by || by - 1 == all->fact) return;
  NormalFact *settled = &settled_of(all->scan)->facts[all->fact];
  for (uint32_t i = 0; i < settled->need_count; i++)
    if (settled->needs[i] == by - 1) return;
  uint32_t *needs = arena_array(all->scan->arena, settled->need_count + 1u, uint32_t);
  for (uint32_t i = 0; i < settled->need_count; i++)
    needs[i] = settled->needs[i];
  needs[settled->need_count++] = by - 1;
  settled->needs = needs;
}

static void at_least(Settling *all, Bound *bound, int64_t lo) {
  if (lo <= bound->lo || lo > bound->hi) return;
  bound->lo = lo;
  bound->lo_by = all->fact + 1;
  all->changed = true;
}

static void at_most(Settling *all, Bound *bound, int64_t hi) {
  if (hi >= bound->hi || hi < bound->lo) return;
  bound->hi = hi;
  bound->hi_by = all->fact + 1;
  all->changed = true;
}

// x < c, x <= c and so on; `is_less` 1: strictly. Unsigned bounds say something of the signed reading where c
// is not negative in it.
static void bound_order(Settling *all, const ExprNode *node, bool is_unsigned, int is_less) {
  int64_t c = 0;
  if (expr_is_const(all->pool, node->b, &c)) {
    Bound *bound = bound_of(all, node->a);
    if (!bound || (is_less && c == INT64_MIN) || (is_unsigned && (c < 0 || c - is_less < 0))) return;
    at_most(all, bound, c - is_less);
    if (is_unsigned) at_least(all, bound, 0);
  } else if (expr_is_const(all->pool, node->a, &c)) {
    Bound *bound = bound_of(all, node->b);
    if (!bound || (is_less && c == INT64_MAX) || (is_unsigned && (c < 0 || bound->lo < 0))) return;
    if (is_unsigned) note_need(all, bound->lo_by);
    at_least(all, bound, c + is_less);
  }
}

// The word that is compared with a constant; NULL: none.
static Bound *compared(Settling *all, const ExprNode *node, int64_t *c) {
  if (expr_is_const(all->pool, node->b, c)) return bound_of(all, node->a);
  return expr_is_const(all->pool, node->a, c) ? bound_of(all, node->b) : NULL;
}

static void bound_equal(Settling *all, const ExprNode *node) {
  int64_t c = 0;
  Bound *bound = compared(all, node, &c);
  if (!bound) return;
  at_least(all, bound, c);
  at_most(all, bound, c);
}

static void read_bounds(Settling *all, ExprRef condition) {
  ExprNode node = *expr_node(all->pool, condition);
  switch ((ExprOp)node.op) {
  case EXPR_AND:
    read_bounds(all, node.a);
    read_bounds(all, node.b);
    break;
  case EXPR_EQ: bound_equal(all, &node); break;
  case EXPR_SLT: bound_order(all, &node, false, 1); break;
  case EXPR_SLE: bound_order(all, &node, false, 0); break;
  case EXPR_ULT: bound_order(all, &node, true, 1); break;
  case EXPR_ULE: bound_order(all, &node, true, 0); break;
  case EXPR_ARITHMETIC: // no condition, or none that bounds a value
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_NOT:
  case EXPR_ITE:
  case EXPR_RESIZES:
  case EXPR_LEAVES: break;
  }
}

// ---- alternatives
// Whether x == c is excluded, or x != c.
static bool excludes_equal(Settling *all, const ExprNode *node, bool is_equal) {
  int64_t c = 0;
  const Bound *bound = compared(all, node, &c);
  if (!bound) return false;
  bool is_below = c<bound->lo, is_above = c> bound->hi, is_only = bound->lo == c && bound->hi == c;
  if (is_equal ? !is_below && !is_above : !is_only) return false;
  if (is_below || !is_equal) note_need(all, bound->lo_by);
  if (is_above || !is_equal) note_need(all, bound->hi_by);
  return true;
}

static bool is_excluded(Settling *all, ExprRef condition) {
  ExprNode node = *expr_node(all->pool, condition);
  if (node.op == EXPR_EQ) return excludes_equal(all, &node, true);
  if (node.op != EXPR_NOT) return false;
  node = *expr_node(all->pool, node.a);
  return node.op == EXPR_EQ && excludes_equal(all, &node, false);
}

static ExprRef shorten(Settling *all, ExprRef condition) {
  ExprNode node = *expr_node(all->pool, condition);
  if (node.op == EXPR_AND) return expr_and(all->pool, shorten(all, node.a), shorten(all, node.b));
  if (node.op != EXPR_OR) return condition;
  ExprRef a = shorten(all, node.a), b = shorten(all, node.b);
  bool without_a = is_excluded(all, a);
  if (without_a) return b; // if that is excluded as well, the facts contradict each other: left to the solver
  return is_excluded(all, b) ? a : expr_or(all->pool, a, b);
}

// ---- other forms
// (c ? 0 : x) == 1 is !c && x == 1.
static ExprRef decide_choice(ExprPool *pool, ExprRef condition) {
  ExprNode node = *expr_node(pool, condition);
  if (node.op == EXPR_AND) return expr_and(pool, decide_choice(pool, node.a), decide_choice(pool, node.b));
  int64_t wanted = 0, arm = 0;
  if (node.op != EXPR_EQ || expr_node(pool, node.a)->width == 1) return condition;
  bool is_left = expr_node(pool, node.a)->op == EXPR_ITE;
  ExprNode choice = *expr_node(pool, is_left ? node.a : node.b);
  ExprRef other = is_left ? node.b : node.a;
  if (choice.op != EXPR_ITE || !expr_is_const(pool, other, &wanted)) return condition;
  if (expr_is_const(pool, choice.b, &arm) && arm != wanted)
    return expr_and(pool, expr_not(pool, choice.a), decide_choice(pool, expr_eq(pool, choice.c, other)));
  if (expr_is_const(pool, choice.c, &arm) && arm != wanted)
    return expr_and(pool, choice.a, decide_choice(pool, expr_eq(pool, choice.b, other)));
  return condition;
}

// The n of n & (n - 1); 0 if it is something else.
static ExprRef masked_by_itself(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  for (int swap = 0; swap < 2 && node->op == EXPR_AND; swap++) {
    ExprRef n = swap ? node->b : node->a;
    const ExprNode *less = expr_node(pool, swap ? node->a : node->b);
    int64_t one = 0;
    if ((less->op != EXPR_ADD && less->op != EXPR_SUB) || less->a != n || !expr_is_const(pool, less->b, &one))
      continue;
    if (one == (less->op == EXPR_ADD ? -1 : 1)) return n;
  }
  return 0;
}

static ExprRef write_power(Settling *all, ExprRef condition) {
  ExprPool *pool = all->pool;
  ExprNode node = *expr_node(pool, condition);
  if (node.op == EXPR_AND) return expr_and(pool, write_power(all, node.a), write_power(all, node.b));
  int64_t zero = 1;
  if (node.op != EXPR_EQ || expr_node(pool, node.a)->width < 8) return condition;
  bool is_left = expr_is_const(pool, node.a, &zero);
  if (!is_left && !expr_is_const(pool, node.b, &zero)) return condition;
  ExprRef n = masked_by_itself(pool, is_left ? node.b : node.a);
  const Bound *bound = zero == 0 && n ? bound_of(all, n) : NULL;
  if (!bound || bound->lo < 1) return condition;
  note_need(all, bound->lo_by);
  uint8_t width = expr_width(pool, n);
  ExprSym exponent = {.name = "exponent", .width = width, .kind = SYM_UNKNOWN, .hi = width - 2};
  ExprRef power = expr_binary(pool, EXPR_SHL, 0, expr_const(pool, width, 1), expr_new_sym(pool, exponent));
  return expr_eq(pool, n, power);
}

const NormalFact *normal_facts_of(const Scan *scan) {
  ASSERT(settled_of(scan)->facts); // after normal_facts_find
  return settled_of(scan)->facts;
}

void normal_facts_find(Scan *scan) {
  ASSERT(!settled_of(scan)->facts); // once
  const LaunchContext *launch = scan->launch;
  Settling all = {.scan = scan, .pool = scan->pool, .changed = true};
  uint32_t count = launch->facts.count;
  NormalFact *settled = arena_array(scan->arena, count + 1, NormalFact);
  settled_of(scan)->facts = settled;
  for (uint32_t i = 0; i < count; i++)
    settled[i].condition = decide_choice(scan->pool, launch->facts.items[i].condition);
  // Bounds are read from what is no choice, and only choices are shortened: no two facts lean on each other.
  for (int round = 0; round < SETTLE_ROUNDS && all.changed; round++) {
    all.changed = false;
    for (all.fact = 0; all.fact < count; all.fact++)
      read_bounds(&all, settled[all.fact].condition);
  }
  for (all.fact = 0; all.fact < count; all.fact++) {
    ExprRef shorter = shorten(&all, settled[all.fact].condition);
    settled[all.fact].condition = write_power(&all, shorter);
  }
}
