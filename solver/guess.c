// Hashes, permutations of bits and other mixing arithmetic: is there a witness among a few thousand values?
// The uniform symbols get values, then each thread runs through its own: what fulfils its part of the
// conditions is kept under the value of its side of the conflict, and equal values of the two threads are
// tried as witnesses. This is the birthday search: for two sides of m values each it costs 2*m evaluations
// and finds what m*m would.
//
// guess_all runs through the uniform symbols as well, and if every symbol was given every value of its range,
// finding nothing is a proof: a block of 256 threads is decided by 512 evaluations, whatever they compute.
// Soundness: each witness is evaluated exactly. A proof needs all ranges to be covered, which are those of
// the symbols cut by the conditions (range.c), symbols that a condition defines to be computed from it, and
// no unknown value; what overflows is left out under A1.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

#include <stdlib.h>

enum { MAX_VALUES = 4096, MAX_MATCHES = 16384, MAX_WORK = 32768, MAX_DEFINED = 64 };

typedef struct Side { // the uniform symbols, or one thread
  VEC(uint32_t) syms; // that run through their windows
  VEC(Range) windows;
  VEC(ExprRef) conditions; // that speak of no other thread
  ExprRef key;             // its side of the conflict
  uint32_t total;          // combinations of values
} Side;

typedef struct Match { // a combination that fulfils its side's conditions
  int64_t key;
  uint32_t combination;
} Match;

typedef struct Guess {
  Query *q;
  Arena *arena;
  Witness *witness;
  Side sides[3];    // uniform, thread 1, thread 2
  bool is_complete; // nothing was left out so far
  bool overflowed;
  uint64_t work; // evaluations of conditions
} Guess;

// ---- preparation
// A conflict x == y with one thread on either side.
static bool find_keys(Guess *g, ExprRef conflict) {
  ExprNode n = *expr_node(g->q->pool, conflict);
  if (n.op == EXPR_AND && n.width == 1) return find_keys(g, n.a) || find_keys(g, n.b);
  if (n.op != EXPR_EQ) return false;
  uint8_t a = expr_node(g->q->pool, n.a)->owners, b = expr_node(g->q->pool, n.b)->owners;
  if ((a | b) != 3 || a == b || a == 3 || b == 3) return false;
  g->sides[1].key = a == 1 ? n.a : n.b;
  g->sides[2].key = a == 1 ? n.b : n.a;
  return true;
}

static bool has_keys(Guess *g) {
  for (uint32_t i = 0; i < g->q->conditions.count; i++)
    if (g->q->conditions.items[i].part == GOAL_CONFLICT && find_keys(g, g->q->conditions.items[i].condition))
      return true;
  return false;
}

static void sort_conditions(Guess *g) {
  for (uint32_t i = 0; i < g->q->conditions.count; i++) {
    ExprRef condition = g->q->conditions.items[i].condition;
    uint8_t owners = expr_node(g->q->pool, condition)->owners;
    if (owners != 3) vec_push(g->arena, &g->sides[owners].conditions, condition);
  }
}

// Windows of values from the low end of each range; they grow in turn, so that no symbol takes all.
static void size_windows(Guess *g, Side *side) {
  bool grew = true;
  side->total = 1;
  while (grew) {
    grew = false;
    for (uint32_t i = 0; i < side->syms.count; i++) {
      Range all = g->q->sym_ranges[RANGE_SHARP].items[side->syms.items[i]], *w = &side->windows.items[i];
      Wide width = w->hi - w->lo + 1, more = all.hi - w->hi < width ? all.hi - w->hi : width;
      if (more <= 0 || side->total / (uint32_t)width * (uint32_t)(width + more) > MAX_VALUES) continue;
      side->total = side->total / (uint32_t)width * (uint32_t)(width + more);
      w->hi += more;
      grew = true;
    }
  }
}

static void add_symbol(Guess *g, uint32_t sym) {
  Side *side = &g->sides[expr_sym_info(g->q->pool, sym)->owner];
  Range r = g->q->sym_ranges[RANGE_SHARP].items[sym];
  Wide start = r.lo > 0 ? r.lo : r.hi < 0 ? r.hi : 0;
  vec_push(g->arena, &side->syms, sym);
  vec_push(g->arena, &side->windows, (Range){start, start});
}

static bool is_defined(const Guess *g, uint32_t sym) {
  return map_get(&g->q->definition_of, sym) != 0;
}

static void find_symbols(Guess *g, ExprRef ref, Map *seen) {
  if (!ref || map_get(seen, ref)) return;
  map_set(g->arena, seen, ref, 1);
  ExprNode n = *expr_node(g->q->pool, ref);
  if (n.op == EXPR_APP) g->is_complete = false;
  if (n.op == EXPR_SYM && !is_defined(g, (uint32_t)n.value)) add_symbol(g, (uint32_t)n.value);
  if (n.op == EXPR_SYM || n.op == EXPR_CONST) return;
  find_symbols(g, n.a, seen);
  find_symbols(g, n.b, seen);
  find_symbols(g, n.c, seen);
  for (uint32_t i = 0; i < n.arg_count; i++)
    find_symbols(g, expr_node(g->q->pool, ref)->args[i], seen);
}

// A defined symbol is computed with its side: it must not depend on the other thread.
static void test_definitions(Guess *g) {
  for (uint32_t i = 0; i < g->q->defined.count; i++) {
    uint32_t sym = g->q->defined.items[i];
    uint8_t owner = expr_sym_info(g->q->pool, sym)->owner,
            needs = expr_node(g->q->pool, map_get(&g->q->definition_of, sym))->owners;
    if (needs & ~owner) g->is_complete = false;
  }
  if (g->q->defined.count > MAX_DEFINED) g->is_complete = false;
}

static void prepare(Guess *g) {
  Map seen = {0};
  g->is_complete = true;
  sort_conditions(g);
  test_definitions(g);
  for (uint32_t i = 0; i < g->q->conditions.count; i++)
    find_symbols(g, g->q->conditions.items[i].condition, &seen);
}

// ---- values
static void set_values(Guess *g, const Side *side, uint32_t combination) {
  for (uint32_t i = 0; i < side->syms.count; i++) {
    uint32_t width = (uint32_t)(side->windows.items[i].hi - side->windows.items[i].lo + 1);
    g->witness->sym_values[side->syms.items[i]] = (int64_t)side->windows.items[i].lo + combination % width;
    g->witness->sym_fixed[side->syms.items[i]] = true;
    combination /= width;
  }
}

static bool evaluate(Guess *g, ExprRef ref, int64_t *value) {
  ExprEnv env = {.sym_values = g->witness->sym_values, .sym_count = g->witness->sym_count};
  ExprEvalResult r = expr_eval(g->q->pool, ref, &env, value);
  g->work++;
  if (r == EXPR_EVAL_UNKNOWN) g->is_complete = false;
  if (r == EXPR_EVAL_OVERFLOW) g->overflowed = true;
  return r == EXPR_EVAL_OK;
}

// Symbols of this side that stand for an expression get its value. A definition may use other defined
// symbols: repeated until nothing changes.
static bool settle_defined(Guess *g, const Side *side) {
  uint8_t owner = (uint8_t)(side - g->sides);
  bool changed = g->q->defined.count > 0;
  for (int round = 0; changed && round < 4; round++) {
    changed = false;
    for (uint32_t i = g->q->defined.count; i-- > 0;) {
      uint32_t sym = g->q->defined.items[i];
      int64_t value, *known = &g->witness->sym_values[sym];
      if (expr_sym_info(g->q->pool, sym)->owner != owner) continue;
      if (!evaluate(g, map_get(&g->q->definition_of, sym), &value)) {
        g->is_complete = false; // it may be the value of another symbol, not settled yet, that has no meaning
        return false;
      }
      changed |= *known != value;
      *known = value;
      g->witness->sym_fixed[sym] = true;
    }
  }
  if (changed) g->is_complete = false;
  return !changed;
}

static bool is_possible(Guess *g, const Side *side) {
  for (uint32_t i = 0; i < g->q->defined.count; i++) {
    const ExprSym *sym = expr_sym_info(g->q->pool, g->q->defined.items[i]);
    int64_t value = g->witness->sym_values[g->q->defined.items[i]];
    if (sym->owner == side - g->sides && (value < sym->lo || value > sym->hi)) return false;
  }
  for (uint32_t i = 0; i < side->conditions.count; i++) {
    int64_t holds;
    if (!evaluate(g, side->conditions.items[i], &holds) || !holds) return false;
  }
  return true;
}

// ---- search
static int by_key(const void *a, const void *b) {
  const Match *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->combination < y->combination ? -1 : x->combination > y->combination;
}

// The combinations of thread 1 that are possible, by key.
static uint32_t fill_table(Guess *g, Side *side, Match *table) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < side->total; c++) {
    set_values(g, side, c);
    if (settle_defined(g, side) && is_possible(g, side) && evaluate(g, side->key, &table[count].key))
      table[count++].combination = c;
  }
  qsort(table, count, sizeof *table, by_key);
  return count;
}

static uint32_t first_of(const Match *table, uint32_t count, int64_t key) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (table[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool match(Guess *g, Match *table) {
  uint32_t count = fill_table(g, &g->sides[1], table), matches = 0;
  int64_t key;
  for (uint32_t c = 0; c < g->sides[2].total && count; c++) {
    set_values(g, &g->sides[2], c);
    if (!settle_defined(g, &g->sides[2]) || !is_possible(g, &g->sides[2])) continue;
    if (!evaluate(g, g->sides[2].key, &key)) continue;
    for (uint32_t i = first_of(table, count, key); i < count && table[i].key == key; i++) {
      if (matches++ == MAX_MATCHES) return g->is_complete = false;
      set_values(g, &g->sides[1], table[i].combination);
      settle_defined(g, &g->sides[1]);
      g->work += g->q->conditions.count;
      WitnessCheck check = witness_holds(g->q, g->witness);
      if (check == WITNESS_HOLDS) return true;
      if (check == WITNESS_UNKNOWN) g->is_complete = false;
      if (check == WITNESS_OVERFLOW) g->overflowed = true;
    }
  }
  return false;
}

// ---- two ways to use it
static bool covers(const Guess *g, const Side *side) {
  for (uint32_t i = 0; i < side->syms.count; i++) {
    Range all = g->q->sym_ranges[RANGE_SHARP].items[side->syms.items[i]], w = side->windows.items[i];
    if (w.lo > all.lo || w.hi < all.hi) return false;
  }
  return true;
}

static bool match_all(Guess *g, Match *table) {
  for (uint32_t u = 0; u < g->sides[0].total && g->is_complete; u++) {
    set_values(g, &g->sides[0], u);
    if (settle_defined(g, &g->sides[0]) && is_possible(g, &g->sides[0]) && match(g, table)) return true;
  }
  return false;
}

SmtResult guess_all(Query *q, Arena *arena, Witness *witness, uint64_t *work) {
  Arena *scratch = arena_open();
  Guess g = {.q = q, .arena = scratch, .witness = witness};
  bool found = false, is_feasible = has_keys(&g);
  if (is_feasible) prepare(&g);
  for (int side = 0; side < 3 && is_feasible && g.is_complete; side++) {
    size_windows(&g, &g.sides[side]);
    is_feasible = covers(&g, &g.sides[side]);
  }
  is_feasible = is_feasible && g.is_complete &&
                (uint64_t)g.sides[0].total * (g.sides[1].total + g.sides[2].total) <= MAX_WORK;
  if (is_feasible) {
    witness_start(q->pool, witness, arena);
    found = match_all(&g, arena_array(scratch, g.sides[1].total + 1, Match));
  }
  *work += g.work;
  arena_close(scratch);
  if (found || !is_feasible || !g.is_complete) return found ? SMT_SAT : SMT_UNKNOWN;
  if (g.overflowed) q->used_no_overflow = true;
  return SMT_UNSAT;
}

// Without a model: sizes of one, everything else near zero, and what follows from equalities.
static void take_defaults(Guess *g, Arena *arena) {
  const Query *q = g->q;
  witness_start(q->pool, g->witness, arena);
  for (uint32_t i = 0; i < g->witness->sym_count; i++) {
    const ExprSym *sym = expr_sym_info(q->pool, i);
    bool is_size = sym->kind == SYM_HOST_VALUE || sym->kind == SYM_GRID_DIM || sym->kind == SYM_BLOCK_DIM;
    Range r = q->sym_ranges[RANGE_SHARP].items[i];
    Wide value = is_size ? 1 : 0;
    g->witness->sym_values[i] = (int64_t)(value < r.lo ? r.lo : value > r.hi ? r.hi : value);
  }
}

bool guess_run(Query *q, const Model *model, Arena *arena, Witness *witness, uint64_t *work) {
  if (q->apps.count) return false;
  Arena *scratch = arena_open();
  Guess g = {.q = q, .arena = scratch, .witness = witness};
  bool found = false;
  if (!model) take_defaults(&g, arena);
  if (has_keys(&g) && (!model || witness_take_symbols(q, model, arena, witness))) {
    prepare(&g);
    settle_defined(&g, &g.sides[0]);
    size_windows(&g, &g.sides[1]);
    size_windows(&g, &g.sides[2]);
    found = match(&g, arena_array(scratch, g.sides[1].total + 1, Match));
  }
  *work += g.work;
  arena_close(scratch);
  return found;
}
