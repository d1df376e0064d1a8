// Can the numbers of a witness be smaller? People read them, and a race of blocks 0 and 1 over 17 rows says
// more than one of blocks 5 and 41 over 2049. What search.c finds is small where Z3 was asked for it; here
// the rest is made so by trying: one symbol after the other, dimensions and sizes first, then thread numbers,
// is brought as near to zero as all conditions still hold; then the two threads' symbols of one kind
// together, which keeps their distance. Only conditions that speak of what was moved are evaluated again,
// without Z3, and evaluations are counted. Whoever compares symbols here goes by their place in the
// conditions, not by name or number, so that equal goals have equal witnesses. Soundness: a value is only
// changed when every condition holds afterwards, exactly and without overflow.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { ROUNDS = 6, STEPS = 4, KINDS = SYM_UNKNOWN + 1 };
static const uint64_t max_work = 40000;

typedef struct Mover { // one symbol, or one of each thread
  uint32_t syms[2], count;
  bool goes_up;             // to values that are less negative
  VEC(uint32_t) conditions; // that speak of it
} Mover;

typedef struct Shrink {
  const ExprPool *pool;
  const GoalCondition *conditions;
  uint32_t count;
  Witness *witness;
  Arena *arena;
  VEC(uint32_t) syms; // in the order in which they stand in the conditions
  VEC(Mover) movers;
  uint64_t work;
} Shrink;

// ---- what can be moved
static void find_symbols(Shrink *s, ExprRef ref, Map *seen) {
  if (!ref || map_get(seen, ref)) return;
  map_set(s->arena, seen, ref, 1);
  const ExprNode *n = expr_node(s->pool, ref);
  if (n->op == EXPR_CONST) return;
  if (n->op == EXPR_SYM) {
    if (s->witness->sym_fixed[n->value]) vec_push(s->arena, &s->syms, (uint32_t)n->value);
    return;
  }
  find_symbols(s, n->a, seen);
  find_symbols(s, n->b, seen);
  find_symbols(s, n->c, seen);
  for (uint32_t i = 0; i < n->arg_count; i++)
    find_symbols(s, n->args[i], seen);
}

typedef struct Mention {
  const Mover *mover;
  bool is_there;
} Mention;

static void mention(void *context, uint32_t sym) {
  Mention *m = context;
  for (uint32_t i = 0; i < m->mover->count; i++)
    m->is_there = m->is_there || m->mover->syms[i] == sym;
}

static void add_mover(Shrink *s, Mover mover) {
  for (uint32_t i = 0; i < s->count; i++) {
    Mention m = {&mover, false};
    expr_each_sym(s->pool, s->conditions[i].condition, mention, &m);
    if (m.is_there) vec_push(s->arena, &mover.conditions, i);
  }
  vec_push(s->arena, &s->movers, mover);
}

int witness_order(const ExprSym *sym) {
  static const int8_t order[KINDS] = {
      [SYM_BLOCK_DIM] = 0, [SYM_GRID_DIM] = 1,   [SYM_HOST_VALUE] = 2, [SYM_ITERATION] = 3,
      [SYM_BLOCK_IDX] = 4, [SYM_THREAD_IDX] = 5, [SYM_MEMORY] = 6,     [SYM_UNKNOWN] = 7};
  return order[sym->kind] * 4 + sym->owner;
}

Wide witness_target(const ExprSym *sym) {
  Wide target =
      sym->kind == SYM_HOST_VALUE || sym->kind == SYM_GRID_DIM || sym->kind == SYM_BLOCK_DIM ? 1 : 0;
  return target < sym->lo ? sym->lo : target > sym->hi ? sym->hi : target;
}

static bool is_peer(const ExprSym *a, const ExprSym *b) {
  return a->kind == b->kind && a->axis == b->axis && a->width == b->width;
}

// The symbol of thread 2 that stands at the same place among its like as this one among those of thread 1.
static uint32_t peer_of(const Shrink *s, uint32_t sym) { // its number + 1; 0: there is none
  const ExprSym *own = expr_sym_info(s->pool, sym);
  uint32_t place = 0;
  for (uint32_t i = 0; s->syms.items[i] != sym; i++) {
    const ExprSym *other = expr_sym_info(s->pool, s->syms.items[i]);
    place += other->owner == OWNER_THREAD1 && is_peer(own, other);
  }
  for (uint32_t i = 0; i < s->syms.count; i++) {
    const ExprSym *other = expr_sym_info(s->pool, s->syms.items[i]);
    if (other->owner == OWNER_THREAD2 && is_peer(own, other) && place-- == 0) return s->syms.items[i] + 1;
  }
  return 0;
}

static void find_movers(Shrink *s) {
  Map seen = {0};
  for (uint32_t i = 0; i < s->count; i++)
    find_symbols(s, s->conditions[i].condition, &seen);
  for (int order = 0; order < KINDS * 4; order++)
    for (uint32_t i = 0; i < s->syms.count; i++)
      if (witness_order(expr_sym_info(s->pool, s->syms.items[i])) == order)
        add_mover(s, (Mover){.syms = {s->syms.items[i]}, .count = 1});
  for (uint32_t i = 0; i < s->syms.count; i++) {
    uint32_t peer = 0;
    if (expr_sym_info(s->pool, s->syms.items[i])->owner == OWNER_THREAD1) peer = peer_of(s, s->syms.items[i]);
    if (peer) add_mover(s, (Mover){.syms = {s->syms.items[i], peer - 1}, .count = 2});
  }
}

// ---- moving
// How far it could go at most: all values above those one would like to read, or all below.
static uint64_t distance(const Shrink *s, Mover *m) {
  Wide least = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    Wide down = (Wide)s->witness->sym_values[m->syms[i]] - witness_target(expr_sym_info(s->pool, m->syms[i])),
         far = down < 0 ? -down : down;
    if (down == 0 || (i > 0 && m->goes_up != (down < 0))) return 0;
    m->goes_up = down < 0;
    if (i == 0 || far < least) least = far;
  }
  return (uint64_t)least;
}

static void shift(Shrink *s, const Mover *m, uint64_t by) {
  for (uint32_t i = 0; i < m->count; i++) {
    int64_t *value = &s->witness->sym_values[m->syms[i]];
    *value = (int64_t)(m->goes_up ? (Wide)*value + by : (Wide)*value - by);
  }
}

static bool holds(Shrink *s, const Mover *m) {
  ExprSeries series = {0};
  for (uint32_t i = 0; i < m->conditions.count; i++) {
    s->work++;
    if (witness_evaluate(s->pool, s->witness, s->conditions[m->conditions.items[i]].condition, &series) !=
        WITNESS_HOLDS)
      return false;
  }
  return true;
}

static bool can_go(Shrink *s, const Mover *m, uint64_t by) {
  int64_t before[2];
  for (uint32_t i = 0; i < m->count; i++)
    before[i] = s->witness->sym_values[m->syms[i]];
  shift(s, m, by);
  bool can = holds(s, m);
  for (uint32_t i = 0; i < m->count; i++)
    s->witness->sym_values[m->syms[i]] = before[i];
  return can;
}

// All the way, or nearly; else as far as halving finds, taking what holds further up to hold here.
static uint64_t farthest(Shrink *s, const Mover *m, uint64_t most) {
  for (uint64_t i = 0; i < STEPS && i < most; i++)
    if (can_go(s, m, most - i)) return most - i;
  if (most <= STEPS) return 0;
  uint64_t can = 0, cannot = most - STEPS + 1;
  while (cannot - can > 1 && s->work < max_work) {
    uint64_t middle = can + (cannot - can) / 2;
    if (can_go(s, m, middle))
      can = middle;
    else
      cannot = middle;
  }
  return can;
}

void witness_shrink(const ExprPool *pool, const GoalCondition *conditions, uint32_t count, Witness *witness,
                    uint64_t *work) {
  ASSERT(conditions || !count);
  Arena *scratch = arena_open();
  Shrink s = {.pool = pool, .conditions = conditions, .count = count, .witness = witness, .arena = scratch};
  find_movers(&s);
  bool changed = true;
  for (int round = 0; round < ROUNDS && changed; round++) {
    changed = false;
    for (uint32_t i = 0; i < s.movers.count && s.work < max_work; i++) {
      Mover *m = &s.movers.items[i];
      uint64_t most = distance(&s, m), by = most ? farthest(&s, m, most) : 0;
      shift(&s, m, by);
      changed = changed || by > 0;
    }
  }
  *work += s.work;
  arena_close(scratch);
}
