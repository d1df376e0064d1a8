// What do all conditions of a question come to, and in which order are they lowered?
//
// First what makes the others sharper is found in them: symbols that are powers of two, and symbols that equal an
// expression of others, which stands for them everywhere (so that products with rows and with cols are the same
// when rows == cols). Then divisions are lowered, smallest divisors before their multiples, so that chains of
// quotients are shared; then each condition (linearize.c), together with what it must hold besides in order to have a
// meaning: no division by zero, shift counts below the width, ranges of the symbols that were replaced.
//
// Soundness: exact, as linearize.c is: whatever is replaced is said by a condition of the same question, and what an
// expression means only if it is evaluated is said only of what is evaluated whenever the condition is.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

// ---- the question
// `int n = atoi(...)` is what strtol returns, cut to its low bits: where nothing is lost, the symbol itself.
static ExprRef symbol_behind(Query *q, ExprRef ref) {
  ExprNode n = *expr_node(q->pool, ref);
  bool assumes = false;
  if (n.op != EXPR_TRUNC || n.width == 1 || expr_node(q->pool, n.a)->op != EXPR_SYM) return ref;
  if (!range_is_plain(q, ref, &assumes)) return ref;
  if (assumes) q->used_no_overflow = true;
  return n.a;
}

// s == 1 << k, or (s & (s - 1)) == 0 with s >= 1: s is a power of two.
static uint32_t power_symbol(Query *q, ExprRef symbol, ExprRef other) {
  ExprNode s = *expr_node(q->pool, symbol_behind(q, symbol)), o = *expr_node(q->pool, other);
  int64_t base;
  if (s.op == EXPR_SYM && o.op == EXPR_SHL && expr_is_const(q->pool, o.a, &base) && base == 1)
    return (uint32_t)s.value + 1;
  if (s.op != EXPR_CONST || s.value != 0 || o.op != EXPR_AND) return 0;
  for (int swap = 0; swap < 2; swap++) {
    ExprNode x = *expr_node(q->pool, swap ? o.b : o.a), y = *expr_node(q->pool, swap ? o.a : o.b);
    int64_t step;
    if (x.op != EXPR_SYM || (y.op != EXPR_ADD && y.op != EXPR_SUB) || y.a != (swap ? o.b : o.a)) continue;
    if (expr_is_const(q->pool, y.b, &step) && step == (y.op == EXPR_ADD ? -1 : 1) &&
        q->sym_ranges[RANGE_SHARP].items[x.value].lo >= 1)
      return (uint32_t)x.value + 1;
  }
  return 0;
}

static void find_powers(Query *q, QueryCondition *condition, ExprRef ref) {
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_AND) {
    find_powers(q, condition, n.a);
    find_powers(q, condition, n.b);
  }
  if (n.op != EXPR_EQ || expr_width(q->pool, n.a) == 1) return;
  uint32_t sym = power_symbol(q, n.a, n.b);
  if (!sym) sym = power_symbol(q, n.b, n.a);
  if (!sym) return;
  map_set(q->arena, &q->power_of_two, sym - 1, 1);
  condition->is_sharpener = true;
}

// Does ref speak of sym, definitions of other symbols included?
static bool depends_on(Query *q, ExprRef ref, uint32_t sym, Map *seen) {
  if (!ref || map_get(seen, ref)) return false;
  map_set(q->arena, seen, ref, 1);
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_SYM && n.value == sym) return true;
  if (n.op == EXPR_SYM) return depends_on(q, map_get(&q->definition_of, (uint64_t)n.value), sym, seen);
  for (uint32_t i = 0; i < n.arg_count; i++)
    if (depends_on(q, expr_node(q->pool, ref)->args[i], sym, seen)) return true;
  return depends_on(q, n.a, sym, seen) || depends_on(q, n.b, sym, seen) || depends_on(q, n.c, sym, seen);
}

static bool define_symbol(Query *q, ExprRef symbol, ExprRef value) {
  ASSERT(expr_is_of(q->pool, symbol) && expr_is_of(q->pool, value));
  ExprNode n = *expr_node(q->pool, symbol);
  Map seen = {0};
  if (n.op != EXPR_SYM || n.owners != 0 || expr_node(q->pool, value)->owners != 0 || n.width == 1)
    return false;
  if (map_get(&q->definition_of, (uint64_t)n.value) || depends_on(q, value, (uint32_t)n.value, &seen))
    return false;
  map_set(q->arena, &q->definition_of, (uint64_t)n.value, value);
  vec_push(q->arena, &q->defined, (uint32_t)n.value);
  return true;
}

// sym == expression, both uniform: the expression stands for the symbol everywhere, so that products with
// rows and with cols are the same when rows == cols.
static void find_definitions(Query *q, QueryCondition *condition, ExprRef ref) {
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_AND) {
    find_definitions(q, condition, n.a);
    find_definitions(q, condition, n.b);
  }
  if (n.op != EXPR_EQ || expr_width(q->pool, n.a) == 1) return;
  if (define_symbol(q, symbol_behind(q, n.a), n.b) || define_symbol(q, symbol_behind(q, n.b), n.a))
    condition->is_sharpener = true;
}

enum { MAX_CHAIN = 16 };

typedef struct DivisionSite {
  ExprRef ref;
  uint32_t degree, order;
} DivisionSite;

typedef struct DivisionScan {
  Query *q;
  Map seen;   // degree + 1 by ExprRef
  Map chains; // by ExprRef: degree of all that is divided by on the way down
  VEC(DivisionSite) sites;
} DivisionScan;

// Degree of an expression as a polynomial, roughly; also collects the divisions below it.
static uint32_t scan_divisions(DivisionScan *scan, ExprRef ref) {
  uint32_t memo = map_get(&scan->seen, ref);
  if (memo) return memo - 1;
  ExprNode n = *expr_node(scan->q->pool, ref);
  ExprRef operands[3] = {n.a, n.b, n.c};
  uint32_t degree[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    if (operands[i]) degree[i] = scan_divisions(scan, operands[i]);
  for (uint32_t i = 0; i < n.arg_count; i++)
    scan_divisions(scan, expr_node(scan->q->pool, ref)->args[i]);
  uint32_t own = degree[0] > degree[1] ? degree[0] : degree[1];
  if (n.op == EXPR_MUL) own = degree[0] + degree[1];
  if (n.op == EXPR_SYM || n.op == EXPR_APP) own = 1;
  if (own > 1000) own = 1000;
  // x/a, then x/a/b or x/(a*b), then x/(a*b)%c: each finds the one before.
  uint32_t chain = 0;
  for (int i = 0; i < 3; i++) {
    uint32_t below = operands[i] ? (uint32_t)map_get(&scan->chains, operands[i]) : 0;
    if (below > chain) chain = below;
  }
  if (expr_is_division(&n)) {
    chain = (uint32_t)map_get(&scan->chains, n.a) + degree[1];
    if (chain > MAX_CHAIN) chain = MAX_CHAIN;
    vec_push(scan->q->arena, &scan->sites, (DivisionSite){ref, chain, scan->sites.count});
  }
  if (chain) map_set(scan->q->arena, &scan->chains, ref, chain);
  map_set(scan->q->arena, &scan->seen, ref, own + 1);
  return own;
}

static bool is_divided(const DivisionScan *scan, ExprRef ref) {
  for (uint32_t i = 0; i < scan->sites.count; i++) {
    const ExprNode *n = expr_node(scan->q->pool, scan->sites.items[i].ref);
    if (n->a == ref) return true;
  }
  return false;
}

// Numbers of blocks aside, `(n + 255) / 256`: no chain of a thread's number goes over them.
static bool has_division(const Query *q, ExprRef ref, int depth) {
  const ExprNode *n = expr_node(q->pool, ref);
  bool is_division = expr_is_division(n);
  if (is_division && n->owners == OWNER_UNIFORM && expr_is_const(q->pool, n->b, NULL)) return false;
  if (is_division || depth == 0) return true;
  const ExprRef operands[3] = {n->a, n->b, n->c};
  for (int i = 0; i < 3; i++)
    if (operands[i] && has_division(q, operands[i], depth - 1)) return true;
  return false;
}

// x < m with a product m, where x is divided: read before the divisions (atom_bound_dividend).
static void bound_dividends(DivisionScan *scan, uint32_t condition, ExprRef ref) {
  ASSERT(condition < scan->q->conditions.count);
  Query *q = scan->q;
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_AND) {
    bound_dividends(scan, condition, n.a);
    bound_dividends(scan, condition, n.b);
  }
  if (n.op != EXPR_SLT || expr_node(q->pool, n.b)->op != EXPR_MUL || !is_divided(scan, n.a)) return;
  if (has_division(q, n.a, 8) || has_division(q, n.b, 8)) return; // these come in the order of their degrees
  const Poly *low = lower_word(q, n.a);
  if (low && poly_range(q, low).lo >= 0) atom_bound_dividend(q, low, lower_word(q, n.b), condition);
}

static void lower_divisions(Query *q) {
  DivisionScan scan = {.q = q};
  for (uint32_t i = 0; i < q->conditions.count; i++)
    scan_divisions(&scan, q->conditions.items[i].condition);
  for (uint32_t i = 0; i < q->conditions.count; i++)
    bound_dividends(&scan, i, q->conditions.items[i].condition);
  for (uint32_t degree = 0; degree <= MAX_CHAIN; degree++)
    for (uint32_t i = 0; i < scan.sites.count; i++)
      if (scan.sites.items[i].degree == degree) lower_word(q, scan.sites.items[i].ref);
}

// What is read as unsigned and may be negative: that it does not overflow (A1) is said, lest a negative value
// far below its width be taken for a small unsigned one.
static void collect_in_width(Query *q, ExprRef ref, FormList *out) {
  ExprNode n = *expr_node(q->pool, ref);
  bool assumes = false, is_sum = n.op == EXPR_ADD || n.op == EXPR_SUB || n.op == EXPR_MUL || n.op == EXPR_SHL;
  const Poly *p = lower_word(q, ref);
  if (n.width == 1 || !is_sum || word_is_nonnegative(q, ref, p) || !range_is_plain(q, ref, &assumes)) return;
  if (!assumes) return;
  Range all = range_of_width(n.width);
  vec_push(q->arena, out, form_or_unknown(q, form_le(q, poly_const(q, all.lo), p)));
  vec_push(q->arena, out, form_or_unknown(q, form_le(q, p, poly_const(q, all.hi))));
}

// What is evaluated whenever the condition is must have a meaning there: no division by zero, shift counts
// below the width. Operands of logic and of choices may be unused, and say nothing.
static void collect_meaning(Query *q, ExprRef ref, Map *seen, FormList *out) {
  ExprNode n = *expr_node(q->pool, ref);
  bool is_logic = n.width == 1 && (n.op == EXPR_AND || n.op == EXPR_OR);
  if (n.op == EXPR_CONST || n.op == EXPR_SYM || n.op == EXPR_APP || is_logic || map_get(seen, ref)) return;
  map_set(q->arena, seen, ref, 1);
  if (n.a) collect_meaning(q, n.a, seen, out);
  if (n.op == EXPR_ITE) return;
  if (n.b) collect_meaning(q, n.b, seen, out);
  FormId form = q->form_true;
  if (n.op == EXPR_SDIV || n.op == EXPR_SREM || n.op == EXPR_UDIV || n.op == EXPR_UREM)
    form = form_ne0(q, lower_word(q, n.b));
  if (n.op == EXPR_SHL || n.op == EXPR_LSHR || n.op == EXPR_ASHR)
    form = lower_count_in_width(q, lower_word(q, n.b), n.width);
  if (form != FORM_NONE && form != q->form_true) vec_push(q->arena, out, form);
  if (n.op == EXPR_ZEXT) collect_in_width(q, n.a, out);
}

static void collect_conjuncts(Query *q, ExprRef ref, bool holds, Map *seen, FormList *out) {
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_NOT) collect_conjuncts(q, n.a, !holds, seen, out);
  if (n.op == (holds ? EXPR_AND : EXPR_OR)) {
    collect_conjuncts(q, n.a, holds, seen, out);
    collect_conjuncts(q, n.b, holds, seen, out);
  }
  if (n.op == EXPR_EQ || n.op == EXPR_SLT || n.op == EXPR_SLE || n.op == EXPR_ULT || n.op == EXPR_ULE)
    collect_meaning(q, ref, seen, out);
}

// sym == expression with sym replaced says nothing more; what is left of it is the range of sym.
static void add_range_of_defined(Query *q, ExprRef ref, FormList *out) {
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_AND) {
    add_range_of_defined(q, n.a, out);
    add_range_of_defined(q, n.b, out);
  }
  if (n.op != EXPR_EQ) return;
  for (int side = 0; side < 2; side++) {
    ExprNode s = *expr_node(q->pool, symbol_behind(q, side ? n.b : n.a));
    if (s.op != EXPR_SYM || map_get(&q->definition_of, (uint64_t)s.value) != (side ? n.a : n.b)) continue;
    const ExprSym *info = expr_sym_info(q->pool, (uint32_t)s.value);
    const Poly *p = lower_word(q, side ? n.b : n.a);
    Range all = {q->sym_is_size.items[s.value] && info->lo < 0 ? 0 : info->lo, info->hi};
    vec_push(q->arena, out, form_or_unknown(q, form_le(q, poly_const(q, all.lo), p)));
    vec_push(q->arena, out, form_or_unknown(q, form_le(q, p, poly_const(q, all.hi))));
  }
}

// An unsigned comparison whose sign is known by its own bound says no more than the order: the bound itself
// is said here.
static void add_bounds(Query *q, uint32_t condition, FormList *out) {
  for (uint32_t i = 0; i < q->bounds.count; i++) {
    WordBound b = q->bounds.items[i];
    if (b.condition != condition) continue;
    Range all = range_of_width(expr_width(q->pool, b.word));
    const Poly *p = lower_word(q, b.word);
    if (b.range.lo > all.lo)
      vec_push(q->arena, out, form_or_unknown(q, form_le(q, poly_const(q, b.range.lo), p)));
    if (b.range.hi < all.hi)
      vec_push(q->arena, out, form_or_unknown(q, form_le(q, p, poly_const(q, b.range.hi))));
  }
}

static FormId lower_condition(Query *q, uint32_t index) {
  ASSERT(index < q->conditions.count);
  ExprRef condition = q->conditions.items[index].condition;
  FormList parts = {0};
  Map seen = {0};
  vec_push(q->arena, &parts, lower_bool(q, condition, true));
  collect_conjuncts(q, condition, true, &seen, &parts);
  add_range_of_defined(q, condition, &parts);
  add_bounds(q, index, &parts);
  return form_and(q, parts.count, parts.items);
}

bool lower_query(Query *q) {
  ASSERT(q->failure == NULL && q->lemmas.count == 0); // once, and first of all
  range_prepare(q);
  for (uint32_t i = 0; i < q->conditions.count; i++)
    find_powers(q, &q->conditions.items[i], q->conditions.items[i].condition);
  for (uint32_t i = 0; i < q->conditions.count; i++)
    find_definitions(q, &q->conditions.items[i], q->conditions.items[i].condition);
  lower_divisions(q);
  for (uint32_t i = 0; i < q->conditions.count; i++)
    q->conditions.items[i].form = lower_condition(q, i);
  return q->failure == NULL;
}
