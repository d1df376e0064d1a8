// Does the index arithmetic of a proved goal really stay within its width (A1)? The operations that the proof
// took for the integer ones are shown, one after the other, not to leave their width: their operands first,
// and from those conditions only whose own operations were shown already. So each step reads its conditions
// as the machine does. What could leave its width is asked of the solver as a question of its own: the
// conditions, and the wide result outside. Soundness: an operation counts as shown only by its interval or by
// a proof; one that may be evaluated without being used, and what has no wide form here (products of two
// 64-bit words), is not shown.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MAX_ROUNDS = 8, MAX_QUESTIONS = 40 };
static const uint64_t question_limit = 150000;

typedef struct Overflow {
  ExprPool *pool;
  const GoalCondition *conditions;
  uint32_t count;
  const bool *is_relevant; // by condition: the proof used it
  const SearchOptions *options;
  Arena *arena;
  VEC(ExprRef) sites; // operations taken for the integer ones, operands before users
  Map number_of;      // by ExprRef: index into sites + 1
  VEC(bool) shown;    // by site
  uint32_t questions;
  SmtStats *stats;
} Overflow;

static bool is_arithmetic(const ExprNode *n) {
  return n->width > 1 && (n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_MUL || n->op == EXPR_SHL ||
                          n->op == EXPR_TRUNC);
}

static Query *query_of(Overflow *o, Arena *scratch, const bool *is_member) {
  Query *q = query_make(scratch, o->pool);
  for (uint32_t i = 0; i < o->count; i++)
    if (is_member[i])
      vec_push(scratch, &q->conditions,
               (QueryCondition){.condition = o->conditions[i].condition, .part = o->conditions[i].part});
  range_prepare(q);
  return q;
}

// ---- which operations
static void find_sites(Overflow *o, Query *q, ExprRef ref, Map *seen) {
  if (!ref || map_get(seen, ref)) return;
  map_set(q->arena, seen, ref, 1);
  ExprNode n = *expr_node(o->pool, ref);
  bool assumes;
  if (n.op == EXPR_CONST || n.op == EXPR_SYM) return;
  find_sites(o, q, n.a, seen);
  find_sites(o, q, n.b, seen);
  find_sites(o, q, n.c, seen);
  for (uint32_t i = 0; i < n.arg_count; i++)
    find_sites(o, q, expr_node(o->pool, ref)->args[i], seen);
  if (!is_arithmetic(&n) || !range_is_plain(q, ref, &assumes) || !assumes) return;
  vec_push(o->arena, &o->sites, ref);
  vec_push(o->arena, &o->shown, false);
  map_set(o->arena, &o->number_of, ref, o->sites.count);
}

static void find_all_sites(Overflow *o) {
  Arena *scratch = arena_open();
  Query *q = query_of(o, scratch, o->is_relevant);
  Map seen = {0};
  for (uint32_t i = 0; i < o->count; i++)
    if (o->is_relevant[i]) find_sites(o, q, o->conditions[i].condition, &seen);
  arena_close(scratch);
}

// Is every operation below shown?
static bool is_settled(const Overflow *o, ExprRef ref, Arena *scratch, Map *seen) {
  if (!ref || map_get(seen, ref)) return true;
  ExprNode n = *expr_node(o->pool, ref);
  uint32_t number = map_get(&o->number_of, ref);
  if (number && !o->shown.items[number - 1]) return false;
  map_set(scratch, seen, ref, 1);
  if (n.op == EXPR_CONST || n.op == EXPR_SYM) return true;
  bool settled = is_settled(o, n.a, scratch, seen) && is_settled(o, n.b, scratch, seen) &&
                 is_settled(o, n.c, scratch, seen);
  for (uint32_t i = 0; i < n.arg_count && settled; i++)
    settled = is_settled(o, expr_node(o->pool, ref)->args[i], scratch, seen);
  return settled;
}

// ---- one operation
static ExprRef outside(Overflow *o, ExprRef wide, Range all) {
  ExprRef low = expr_const(o->pool, 64, (int64_t)all.lo), high = expr_const(o->pool, 64, (int64_t)all.hi);
  return expr_or(o->pool, expr_binary(o->pool, EXPR_SLT, 0, wide, low),
                 expr_binary(o->pool, EXPR_SLT, 0, high, wide));
}

// a + b or a - b of 64 bits: the bound is compared with the other operand, which cannot wrap on its side.
static ExprRef sum_leaves(Overflow *o, const ExprNode *n) {
  ExprPool *pool = o->pool;
  ExprRef zero = expr_const(pool, 64, 0), least = expr_const(pool, 64, INT64_MIN),
          most = expr_const(pool, 64, INT64_MAX);
  bool adds = n->op == EXPR_ADD;
  ExprRef up = adds ? expr_binary(pool, EXPR_SLT, 0, zero, n->b) : expr_binary(pool, EXPR_SLT, 0, n->b, zero);
  ExprRef down =
      adds ? expr_binary(pool, EXPR_SLT, 0, n->b, zero) : expr_binary(pool, EXPR_SLT, 0, zero, n->b);
  ExprOp back = adds ? EXPR_SUB : EXPR_ADD;
  ExprRef above = expr_binary(pool, EXPR_SLT, 0, expr_binary(pool, back, EXPR_NSW, most, n->b), n->a);
  ExprRef below = expr_binary(pool, EXPR_SLT, 0, n->a, expr_binary(pool, back, EXPR_NSW, least, n->b));
  return expr_or(pool, expr_and(pool, up, above), expr_and(pool, down, below));
}

// a * c of 64 bits by a constant c >= 1.
static ExprRef multiple_leaves(Overflow *o, ExprRef a, int64_t c) {
  Range fits = {-wide_floor_div(-(Wide)INT64_MIN, c), wide_floor_div(INT64_MAX, c)};
  return outside(o, a, fits);
}

// The operation, done in 64 bits, leaves its width. 0: it has no such form here.
static ExprRef leaves_width(Overflow *o, ExprRef ref) {
  ExprNode n = *expr_node(o->pool, ref);
  int64_t constant = 0;
  Range all = range_of_width(n.width);
  if (n.op == EXPR_TRUNC) return outside(o, expr_resize_signed(o->pool, n.a, 64), all);
  bool is_constant = expr_is_const(o->pool, n.b, &constant);
  if (n.op == EXPR_SHL && (!is_constant || constant < 0 || constant > 30)) return 0;
  if (n.width <= 32) {
    ExprRef a = expr_resize_signed(o->pool, n.a, 64), b = expr_resize_signed(o->pool, n.b, 64);
    return outside(o, expr_binary(o->pool, (ExprOp)n.op, 0, a, b), all);
  }
  if (n.width != 64) return 0;
  if (n.op == EXPR_ADD || n.op == EXPR_SUB) return sum_leaves(o, &n);
  if (n.op == EXPR_SHL) return multiple_leaves(o, n.a, (int64_t)1 << constant);
  return is_constant && constant >= 1 ? multiple_leaves(o, n.a, constant) : 0;
}

static bool show(Overflow *o, Query *ranges, const bool *is_member, ExprRef ref) {
  ASSERT(expr_is_of(o->pool, ref));
  if (range_fits(ranges, RANGE_SHARP, ref)) return true;
  ExprRef leaves = leaves_width(o, ref);
  if (!leaves || o->questions++ >= MAX_QUESTIONS) return false;
  Arena *scratch = arena_open();
  GoalCondition *conditions = arena_array(scratch, o->count + 1, GoalCondition);
  uint32_t count = 0;
  conditions[count++] = (GoalCondition){.condition = leaves, .part = GOAL_CONFLICT};
  for (uint32_t i = 0; i < o->count; i++)
    if (is_member[i]) conditions[count++] = o->conditions[i];
  SearchOptions options = *o->options;
  options.rlimit = question_limit;
  options.prefer_small = false;
  FactsResult r = facts_run(o->pool, conditions, count, false, &options, scratch);
  o->stats->rlimit += r.search.stats.rlimit;
  o->stats->checks += r.search.stats.checks;
  arena_close(scratch);
  return r.search.result == SMT_UNSAT;
}

// One round: what follows from the conditions that are settled now.
static bool show_more(Overflow *o) {
  Arena *scratch = arena_open();
  bool *is_member = arena_array(scratch, o->count + 1, bool), changed = false;
  for (uint32_t i = 0; i < o->count; i++) {
    Map seen = {0};
    is_member[i] = is_settled(o, o->conditions[i].condition, scratch, &seen);
  }
  Query *ranges = query_of(o, scratch, is_member);
  for (uint32_t i = 0; i < o->sites.count; i++) {
    ExprNode n = *expr_node(o->pool, o->sites.items[i]);
    Map seen = {0};
    bool is_next =
        !o->shown.items[i] && is_settled(o, n.a, scratch, &seen) && is_settled(o, n.b, scratch, &seen);
    if (!is_next || !show(o, ranges, is_member, o->sites.items[i])) continue;
    o->shown.items[i] = changed = true;
  }
  arena_close(scratch);
  return changed;
}

bool overflow_discharge(ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                        const bool *is_relevant, const SearchOptions *options, SmtStats *stats,
                        ExprRef *culprit) {
  ASSERT(conditions || !count);
  Arena *arena = arena_open();
  Overflow o = {.pool = pool,
                .conditions = conditions,
                .count = count,
                .is_relevant = is_relevant,
                .options = options,
                .arena = arena,
                .stats = stats};
  find_all_sites(&o);
  for (int round = 0; round < MAX_ROUNDS && show_more(&o); round++)
    ;
  *culprit = 0;
  for (uint32_t i = 0; i < o.sites.count && !*culprit; i++)
    if (!o.shown.items[i]) *culprit = o.sites.items[i];
  arena_close(arena);
  return *culprit == 0;
}
