// Is a model of the linear abstraction a real one? Its values for symbols and functions are put into the
// conditions as they were given, and evaluated exactly as machine words (core/expr.h). Products, quotients
// and the like in the model do not count; function values must form functions, injective or monotone ones
// where the host knows so. Soundness: what HOLDS satisfies every condition without overflow of arithmetic
// that must not overflow.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <string.h>

// ---- function values
static const SolverFuncValue *find_point(const Witness *w, uint32_t func, uint32_t count,
                                         const int64_t *args) {
  for (uint32_t i = 0; i < w->funcs.count; i++) {
    const SolverFuncValue *p = &w->funcs.items[i];
    if (p->func == func && p->arg_count == count &&
        (count == 0 || memcmp(p->args, args, count * sizeof *args) == 0))
      return p;
  }
  return NULL;
}

static bool answer_app(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
  const SolverFuncValue *p = find_point(context, func, count, args);
  if (p) *result = p->result;
  return p != NULL;
}

static ExprEnv env_of(const Witness *w) {
  return (ExprEnv){w->sym_values, w->sym_count, answer_app, (void *)w};
}

static bool fits_table(const ExprPool *pool, const Witness *w, const SolverFuncValue *point) {
  const ExprFunc *f = expr_func_info(pool, point->func);
  if (point->arg_count != 1) return true;
  for (uint32_t i = 0; i < w->funcs.count; i++) {
    const SolverFuncValue *p = &w->funcs.items[i];
    if (p->func != point->func || p->arg_count != 1) continue;
    if (f->is_injective && p->result == point->result) return false;
    bool in_order = p->args[0] < point->args[0] ? p->result <= point->result : p->result >= point->result;
    if (f->is_monotone && !in_order) return false;
  }
  return true;
}

bool witness_add_point(const ExprPool *pool, Witness *w, ExprRef app, Wide result, ExprSeries *series,
                       Arena *arena) {
  ASSERT(expr_is_of(pool, app) && series);
  uint32_t count = expr_node(pool, app)->arg_count, func = (uint32_t)expr_node(pool, app)->value;
  int64_t *args = arena_array(arena, count + 1, int64_t);
  ExprEnv env = env_of(w);
  for (uint32_t i = 0; i < count; i++)
    if (expr_eval_next(pool, expr_node(pool, app)->args[i], &env, series, &args[i]) != EXPR_EVAL_OK)
      return true; // not reached
  const SolverFuncValue *known = find_point(w, func, count, args);
  if (known) return known->result == result;
  SolverFuncValue point = {func, count, args, (int64_t)result};
  if (result < INT64_MIN || result > INT64_MAX || !fits_table(pool, w, &point)) return false;
  vec_push(arena, &w->funcs, point);
  vec_push(arena, &w->apps, app);
  return true;
}

void witness_merge(Witness *into, const Witness *from, Arena *arena) {
  ASSERT(into != from);
  for (uint32_t i = 0; i < into->sym_count && i < from->sym_count; i++)
    if (!into->sym_fixed[i] && from->sym_fixed[i]) {
      into->sym_values[i] = from->sym_values[i];
      into->sym_fixed[i] = true;
    }
  for (uint32_t i = 0; i < from->funcs.count; i++) {
    SolverFuncValue p = from->funcs.items[i];
    if (find_point(into, p.func, p.arg_count, p.args)) continue;
    vec_push(arena, &into->funcs, p);
    vec_push(arena, &into->apps, from->apps.items[i]);
  }
}

// ---- symbols
void witness_start(const ExprPool *pool, Witness *w, Arena *arena) {
  *w = (Witness){.sym_count = expr_sym_count(pool)};
  w->sym_values = arena_array(arena, w->sym_count + 1, int64_t);
  w->sym_fixed = arena_array(arena, w->sym_count + 1, bool);
  for (uint32_t i = 0; i < w->sym_count; i++) {
    const ExprSym *sym = expr_sym_info(pool, i);
    w->sym_values[i] = sym->lo > 0 ? sym->lo : sym->hi < 0 ? sym->hi : 0;
  }
}

WitnessCheck witness_evaluate(const ExprPool *pool, const Witness *w, ExprRef condition, ExprSeries *series) {
  ASSERT(expr_is_of(pool, condition) && series);
  ExprEnv env = env_of(w);
  int64_t value = 0;
  switch (expr_eval_next(pool, condition, &env, series, &value)) {
  case EXPR_EVAL_OK: return value ? WITNESS_HOLDS : WITNESS_FALSE;
  case EXPR_EVAL_OVERFLOW: return WITNESS_OVERFLOW;
  case EXPR_EVAL_UNKNOWN: return WITNESS_UNKNOWN;
  case EXPR_EVAL_UNDEFINED: break;
  }
  return WITNESS_FALSE;
}

bool witness_value(const ExprPool *pool, const Witness *w, ExprRef ref, int64_t *value) {
  ASSERT(value);
  ASSERT(expr_is_of(pool, ref));
  ExprEnv env = env_of(w);
  return expr_eval(pool, ref, &env, value) == EXPR_EVAL_OK;
}

static bool take_symbols(const Query *q, const Wide *mono_values, Witness *w) {
  for (AtomId id = 1; id < q->atoms.count; id++) {
    const Atom *atom = &q->atoms.items[id];
    if (atom->kind != ATOM_SYM) continue;
    const ExprSym *sym = expr_sym_info(q->pool, atom->index);
    Wide value = mono_values[mono_of_atom((Query *)q, id)];
    if (value < sym->lo || value > sym->hi) return false;
    w->sym_values[atom->index] = (int64_t)value;
    w->sym_fixed[atom->index] = true;
  }
  return true;
}

// Symbols that stand for an expression have its value.
static bool take_defined(const Query *q, const Wide *mono_values, Witness *w) {
  for (uint32_t i = 0; i < q->defined.count; i++) {
    uint32_t index = q->defined.items[i];
    uint32_t memo = map_get(&q->word_memo, expr_sym(q->pool, index));
    const ExprSym *sym = expr_sym_info(q->pool, index);
    Wide value = memo ? poly_value(q, q->words.items[memo - 1], mono_values) : sym->lo;
    if (value < sym->lo || value > sym->hi) return false;
    w->sym_values[index] = (int64_t)value;
    w->sym_fixed[index] = true;
  }
  return true;
}

static bool take_functions(const Query *q, const Wide *mono_values, Witness *w, Arena *arena) {
  ExprSeries series = {0};
  for (uint32_t i = 0; i < q->apps.count; i++) {
    const Poly *p = q->words.items[map_get(&q->word_memo, q->apps.items[i]) - 1];
    if (!witness_add_point(q->pool, w, q->apps.items[i], poly_value(q, p, mono_values), &series, arena))
      return false;
  }
  return true;
}

Wide witness_flat_value(const ExprPool *pool, uint32_t func) {
  ASSERT(func < expr_func_count(pool));
  const ExprFunc *f = expr_func_info(pool, func);
  return f->lo > 0 ? f->lo : f->hi < 0 ? f->hi : 0;
}

typedef struct Flat {
  const Query *q;
  const Wide *mono_values;
  Map seen;
  ExprSeries series;
  Witness *witness;
  Arena *arena;
} Flat;

// Arguments before the functions of them. What was not lowered has the constant value, unless the model needs
// another at the same point; whether the conditions hold with these values is evaluated afterwards.
static void take_flat(Flat *flat, ExprRef ref) {
  const Query *q = flat->q;
  if (!ref || map_get(&flat->seen, ref)) return;
  map_set(flat->arena, &flat->seen, ref, 1);
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_SYM || n.op == EXPR_CONST) return;
  take_flat(flat, n.a);
  take_flat(flat, n.b);
  take_flat(flat, n.c);
  for (uint32_t i = 0; i < n.arg_count; i++)
    take_flat(flat, expr_node(q->pool, ref)->args[i]);
  if (n.op != EXPR_APP) return;
  uint32_t memo = map_get(&q->word_memo, ref);
  Wide value = memo ? poly_value(q, q->words.items[memo - 1], flat->mono_values)
                    : witness_flat_value(q->pool, (uint32_t)n.value);
  if (!witness_add_point(q->pool, flat->witness, ref, value, &flat->series, flat->arena)) return;
}

static bool take_all_functions(const Query *q, const Wide *mono_values, Witness *w, Arena *arena) {
  if (!take_functions(q, mono_values, w, arena)) return false;
  Flat flat = {.q = q, .mono_values = mono_values, .witness = w, .arena = arena};
  for (uint32_t i = 0; q->flat_functions && i < q->conditions.count; i++)
    take_flat(&flat, q->conditions.items[i].condition);
  return true;
}

bool witness_take_symbols(const Query *q, const Model *model, Arena *arena, Witness *w) {
  witness_start(q->pool, w, arena);
  return take_symbols(q, model->values, w) && take_defined(q, model->values, w);
}

WitnessCheck witness_check(const Query *q, const Model *model, Arena *arena, Witness *w) {
  const Wide *mono_values = model->values;
  if (!witness_take_symbols(q, model, arena, w)) return WITNESS_FALSE;
  if (!take_all_functions(q, mono_values, w, arena)) return WITNESS_FALSE;
  return witness_holds(q, w);
}

WitnessCheck witness_holds(const Query *q, const Witness *w) {
  ASSERT(w->sym_count <= expr_sym_count(q->pool));
  WitnessCheck worst = WITNESS_HOLDS;
  ExprSeries series = {0};
  for (uint32_t i = 0; i < q->conditions.count; i++) {
    WitnessCheck check = witness_evaluate(q->pool, w, q->conditions.items[i].condition, &series);
    if (check == WITNESS_FALSE) return check;
    if (check != WITNESS_HOLDS) worst = check;
  }
  return worst;
}
