// What values must the symbols that a witness leaves open have, so that the other host facts hold as well?
// Mostly a fact bounds such a symbol, or says what it is equal to, and trying a few values is enough: one
// fact that does not hold after the other, each open symbol in it, the values that the conditions themselves
// name and powers of two, and the value that breaks the fewest others is taken ("min-conflicts", Minton,
// Johnston, Philips, Laird, "Minimizing conflicts", 1992). Where that ends, Z3 is asked (lazy_facts.c). Symbols go
// by their place in the conditions, so that equal goals have equal witnesses; evaluations are counted.
// Soundness: success means that every condition was evaluated and holds, exactly and without overflow.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <limits.h>

enum { MAX_STEPS = 80, REST = 3, MAX_POWER = 30 };
static const uint64_t max_work = 60000;

typedef VEC(uint32_t) IndexList;

typedef struct Mend {
  const ExprPool *pool;
  const GoalCondition *conditions;
  uint32_t count;
  Witness *witness;
  Arena *arena;
  bool *is_broken;       // by condition
  IndexList *open;       // by condition: open symbols in it
  IndexList *mentions;   // by symbol: conditions that speak of it
  VEC(int64_t) values;   // to be tried
  uint32_t *rests_until; // by symbol: the step from which on it may be changed again
  int *weight;           // by condition
  uint32_t picked;       // the condition that is to be mended
  uint32_t best_sym;     // of the values tried so far
  int64_t best_value;
  int best_gain;
  uint64_t work;
} Mend;

typedef struct Place {
  Mend *mend;
  uint32_t condition;
} Place;

static void note_symbol(void *context, uint32_t sym) {
  Place *p = context;
  if (sym >= p->mend->witness->sym_count || p->mend->witness->sym_fixed[sym]) return;
  vec_push(p->mend->arena, &p->mend->open[p->condition], sym);
  vec_push(p->mend->arena, &p->mend->mentions[sym], p->condition);
}

static bool holds(Mend *m, uint32_t condition) {
  m->work++;
  ExprSeries alone = {0}; // values change from call to call
  return witness_evaluate(m->pool, m->witness, m->conditions[condition].condition, &alone) == WITNESS_HOLDS;
}

// ---- values
static void add_value(Mend *m, uint32_t sym, Wide value) {
  const ExprSym *info = expr_sym_info(m->pool, sym);
  if (value < info->lo || value > info->hi) return;
  for (uint32_t i = 0; i < m->values.count; i++)
    if (m->values.items[i] == value) return;
  vec_push(m->arena, &m->values, (int64_t)value);
}

// The symbol itself, or a widened or narrowed reading of it.
static bool is_symbol(const Mend *m, ExprRef ref, uint32_t sym) {
  const ExprNode *n = expr_node(m->pool, ref);
  while (n->op == EXPR_SEXT || n->op == EXPR_ZEXT || (n->op == EXPR_TRUNC && n->width > 1))
    n = expr_node(m->pool, n->a);
  return n->op == EXPR_SYM && n->value == sym;
}

// sym == e, sym < e and the like: the value of e, and those beside it.
static void add_named(Mend *m, uint32_t sym, ExprRef condition) {
  const ExprNode *n = expr_node(m->pool, condition);
  if (n->op == EXPR_NOT || (n->width == 1 && (n->op == EXPR_AND || n->op == EXPR_OR))) {
    add_named(m, sym, n->a);
    if (n->b) add_named(m, sym, n->b);
    return;
  }
  if (n->op != EXPR_EQ && n->op != EXPR_SLT && n->op != EXPR_SLE && n->op != EXPR_ULT && n->op != EXPR_ULE)
    return;
  ExprRef sides[2] = {n->a, n->b};
  for (int i = 0; i < 2; i++) {
    int64_t value;
    if (!is_symbol(m, sides[i], sym) || !witness_value(m->pool, m->witness, sides[!i], &value)) continue;
    for (int by = -1; by <= 1; by++)
      add_value(m, sym, (Wide)value + by);
  }
}

static void collect_values(Mend *m, uint32_t sym) {
  const ExprSym *info = expr_sym_info(m->pool, sym);
  int64_t now = m->witness->sym_values[sym];
  m->values.count = 0;
  for (uint32_t i = 0; i < m->mentions[sym].count; i++)
    add_named(m, sym, m->conditions[m->mentions[sym].items[i]].condition);
  add_value(m, sym, (Wide)now + 1);
  add_value(m, sym, (Wide)now - 1);
  add_value(m, sym, 0);
  for (int power = 0; power <= MAX_POWER; power++)
    add_value(m, sym, (Wide)1 << power);
  add_value(m, sym, info->lo);
  add_value(m, sym, info->hi);
}

// ---- steps
// How many more conditions hold with this value, among them the one that is to be mended; INT_MIN if that
// does not.
static int gain(Mend *m, uint32_t sym, int64_t value) {
  int64_t before = m->witness->sym_values[sym];
  int sum = INT_MIN;
  m->witness->sym_values[sym] = value;
  if (holds(m, m->picked)) {
    sum = 0;
    for (uint32_t i = 0; i < m->mentions[sym].count; i++) {
      uint32_t condition = m->mentions[sym].items[i];
      sum += ((int)holds(m, condition) - (int)!m->is_broken[condition]) * m->weight[condition];
    }
  }
  m->witness->sym_values[sym] = before;
  return sum;
}

static void try_symbol(Mend *m, uint32_t sym) {
  collect_values(m, sym);
  for (uint32_t i = 0; i < m->values.count && m->work < max_work; i++) {
    int more = gain(m, sym, m->values.items[i]);
    if (more <= m->best_gain) continue;
    m->best_gain = more;
    m->best_sym = sym;
    m->best_value = m->values.items[i];
  }
}

static void take_best(Mend *m, uint32_t step) {
  m->witness->sym_values[m->best_sym] = m->best_value;
  m->rests_until[m->best_sym] = step + REST;
  for (uint32_t i = 0; i < m->mentions[m->best_sym].count; i++) {
    uint32_t condition = m->mentions[m->best_sym].items[i];
    m->is_broken[condition] = !holds(m, condition);
  }
}

// What stays broken weighs more and more, so that values do not go round in circles (Morris, "The breakout
// method for escaping from local minima", 1993).
static void weigh(Mend *m) {
  for (uint32_t i = 0; i < m->count; i++)
    m->weight[i] += m->is_broken[i];
}

static bool mend_picked(Mend *m, uint32_t step, bool with_resting) {
  const IndexList *open = &m->open[m->picked];
  m->best_gain = INT_MIN;
  for (uint32_t k = 0; k < open->count; k++)
    if (with_resting || m->rests_until[open->items[k]] <= step) try_symbol(m, open->items[k]);
  if (m->best_gain == INT_MIN) return false;
  take_best(m, step);
  return true;
}

// The next broken condition in turn that one value mends, by the value that breaks the fewest others. What
// was changed lately is left alone if possible. False: there is none.
static bool take_step(Mend *m, uint32_t step) {
  for (uint32_t i = 0; i < m->count; i++) {
    m->picked = (m->picked + 1) % m->count;
    if (m->is_broken[m->picked] && (mend_picked(m, step, false) || mend_picked(m, step, true))) return true;
  }
  return false;
}

static bool is_hopeless(const Mend *m) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->is_broken[i] && m->open[i].count == 0) return true;
  return false;
}

static bool all_hold(const Mend *m) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->is_broken[i]) return false;
  return true;
}

bool witness_mend(const ExprPool *pool, const GoalCondition *conditions, uint32_t count, Witness *witness,
                  uint64_t *work) {
  ASSERT(conditions || !count);
  Arena *scratch = arena_open();
  Mend m = {.pool = pool, .conditions = conditions, .count = count, .witness = witness, .arena = scratch};
  m.is_broken = arena_array(scratch, count + 1, bool);
  m.open = arena_array(scratch, count + 1, IndexList);
  m.mentions = arena_array(scratch, witness->sym_count + 1, IndexList);
  m.weight = arena_array(scratch, count + 1, int);
  for (uint32_t i = 0; i < count; i++) {
    Place p = {&m, i};
    m.weight[i] = 1;
    m.is_broken[i] = !holds(&m, i);
    expr_each_sym(pool, conditions[i].condition, note_symbol, &p);
  }
  m.rests_until = arena_array(scratch, witness->sym_count + 1, uint32_t);
  m.picked = count - 1;
  bool goes_on = !is_hopeless(&m);
  for (uint32_t i = 1; i <= MAX_STEPS && m.work < max_work && goes_on; i++) {
    goes_on = !all_hold(&m) && take_step(&m, i) && !is_hopeless(&m);
    weigh(&m);
  }
  bool is_mended = all_hold(&m);
  for (uint32_t i = 0; is_mended && i < witness->sym_count; i++)
    if (m.mentions[i].count) witness->sym_fixed[i] = true;
  *work += m.work;
  arena_close(scratch);
  return is_mended;
}
