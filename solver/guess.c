// Hashes and other mixing arithmetic: is there a witness among a few thousand values? The uniform symbols get
// values, then each thread runs through its own: what fulfils its part of the conditions is kept under the
// value of its side of the conflict, and equal values of the two threads are tried as witnesses. This is the
// birthday search: for two sides of m values each it costs 2*m evaluations and finds what m*m would.
// Soundness: finds witnesses only, and each is evaluated exactly.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

enum { MAX_VALUES = 4096, MAX_MATCHES = 4096 };

typedef struct Side { // one thread
  VEC(uint32_t) syms;
  VEC(Range) windows;
  VEC(ExprRef) conditions; // that speak of no other thread
  ExprRef key;             // its side of the conflict
  uint32_t total;          // combinations of values
  VEC(int64_t) keys;
  VEC(uint32_t) combinations; // by key
} Side;

typedef struct Guess {
  const Query *q;
  Arena *arena;
  Witness *witness;
  Side sides[2];
} Guess;

// ---- preparation --------------------------------------------------------------------------------
// A conflict x == y with one thread on either side.
static bool find_keys(Guess *g) {
  for (uint32_t i = 0; i < g->q->conditions.count; i++) {
    const QueryCondition *c = &g->q->conditions.items[i];
    ExprNode n = *expr_node(g->q->pool, c->condition);
    if (c->part != GOAL_CONFLICT || n.op != EXPR_EQ) continue;
    uint8_t a = expr_node(g->q->pool, n.a)->owners, b = expr_node(g->q->pool, n.b)->owners;
    if ((a | b) == 3 && a != b && a != 3 && b != 3) {
      g->sides[0].key = a == 1 ? n.a : n.b;
      g->sides[1].key = a == 1 ? n.b : n.a;
      return true;
    }
  }
  return false;
}

static void sort_conditions(Guess *g) {
  for (uint32_t i = 0; i < g->q->conditions.count; i++) {
    ExprRef condition = g->q->conditions.items[i].condition;
    uint8_t owners = expr_node(g->q->pool, condition)->owners;
    if (owners == 1 || owners == 2) vec_push(g->arena, &g->sides[owners - 1].conditions, condition);
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

static void find_windows(Guess *g) {
  for (AtomId id = 1; id < g->q->atoms.count; id++) {
    const Atom *atom = &g->q->atoms.items[id];
    if (atom->kind != ATOM_SYM || (atom->owners != 1 && atom->owners != 2)) continue;
    Range r = g->q->sym_ranges[RANGE_SHARP].items[atom->index];
    Wide start = r.lo > 0 ? r.lo : r.hi < 0 ? r.hi : 0;
    vec_push(g->arena, &g->sides[atom->owners - 1].syms, atom->index);
    vec_push(g->arena, &g->sides[atom->owners - 1].windows, (Range){start, start});
  }
  size_windows(g, &g->sides[0]);
  size_windows(g, &g->sides[1]);
}

// ---- search -------------------------------------------------------------------------------------
static void set_values(Guess *g, const Side *side, uint32_t combination) {
  for (uint32_t i = 0; i < side->syms.count; i++) {
    uint32_t width = (uint32_t)(side->windows.items[i].hi - side->windows.items[i].lo + 1);
    g->witness->sym_values[side->syms.items[i]] = (int64_t)side->windows.items[i].lo + combination % width;
    g->witness->sym_fixed[side->syms.items[i]] = true;
    combination /= width;
  }
}

static bool is_possible(const Guess *g, const Side *side, int64_t *key) {
  ExprEnv env = {.sym_values = g->witness->sym_values, .sym_count = g->witness->sym_count};
  for (uint32_t i = 0; i < side->conditions.count; i++)
    if (witness_evaluate(g->q->pool, g->witness, side->conditions.items[i]) != WITNESS_HOLDS) return false;
  return expr_eval(g->q->pool, side->key, &env, key) == EXPR_EVAL_OK;
}

// Chains of combinations by key: heads in `first` (plus one), the rest in `next`.
typedef struct KeyTable {
  Map first;
  uint32_t *next;
} KeyTable;

static KeyTable fill_table(Guess *g, Side *side) {
  KeyTable table = {.next = arena_array(g->arena, side->total + 1, uint32_t)};
  int64_t key;
  for (uint32_t c = side->total; c-- > 0;) {
    set_values(g, side, c);
    if (!is_possible(g, side, &key)) continue;
    uint64_t hash =
        (uint64_t)key & (UINT64_MAX >> 1); // the map keeps one value for itself; matches are checked
    table.next[c] = map_get(&table.first, hash);
    map_set(g->arena, &table.first, hash, c + 1);
  }
  return table;
}

static bool match(Guess *g) {
  KeyTable table = fill_table(g, &g->sides[0]);
  uint32_t matches = 0;
  int64_t key;
  for (uint32_t c = 0; c < g->sides[1].total; c++) {
    set_values(g, &g->sides[1], c);
    if (!is_possible(g, &g->sides[1], &key)) continue;
    uint32_t other = map_get(&table.first, (uint64_t)key & (UINT64_MAX >> 1));
    for (; other && matches < MAX_MATCHES; other = table.next[other - 1], matches++) {
      set_values(g, &g->sides[0], other - 1);
      if (witness_holds(g->q, g->witness) == WITNESS_HOLDS) return true;
    }
  }
  return false;
}

// Without a model: sizes of one, everything else near zero, and what follows from equalities.
static void take_defaults(const Query *q, Arena *arena, Witness *witness) {
  witness_start(q->pool, witness, arena);
  for (uint32_t i = 0; i < witness->sym_count; i++) {
    const ExprSym *sym = expr_sym_info(q->pool, i);
    bool is_size = sym->kind == SYM_HOST_VALUE || sym->kind == SYM_GRID_DIM || sym->kind == SYM_BLOCK_DIM;
    Range r = q->sym_ranges[RANGE_SHARP].items[i];
    Wide value = is_size ? 1 : 0;
    witness->sym_values[i] = (int64_t)(value < r.lo ? r.lo : value > r.hi ? r.hi : value);
  }
  ExprEnv env = {.sym_values = witness->sym_values, .sym_count = witness->sym_count};
  for (uint32_t i = q->defined.count; i-- > 0;) {
    ExprRef definition = map_get(&q->definition_of, q->defined.items[i]);
    int64_t value;
    if (expr_eval(q->pool, definition, &env, &value) == EXPR_EVAL_OK)
      witness->sym_values[q->defined.items[i]] = value;
  }
}

bool guess_run(const Query *q, const Model *model, Arena *arena, Witness *witness) {
  if (q->apps.count) return false;
  Arena *scratch = arena_open();
  Guess g = {.q = q, .arena = scratch, .witness = witness};
  bool found = false;
  if (!model) take_defaults(q, arena, witness);
  if (find_keys(&g) && (!model || witness_take_symbols(q, model, arena, witness))) {
    sort_conditions(&g);
    find_windows(&g);
    found = match(&g);
  }
  arena_close(scratch);
  return found;
}
