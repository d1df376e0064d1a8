// Which of the many host facts does this question need? Begin with those over the question's own symbols;
// what a witness leaves open (other symbols) is asked with the witness fixed, where the facts fall into small
// linear pieces. If the rest contradicts the witness, the facts of the unsat core join, and the question is
// asked again. A launch's facts are those of all its questions: values that go with all of them are known
// once the first was answered (the base), and mostly there is a witness with these, as one counterexample
// does for many questions (Cadar, Dunbar, Engler, "KLEE", 2008). All facts at once are tried last, by whoever
// asks (solver.c): when nothing else has led to an answer. Soundness: fewer facts have more models, so UNSAT
// stands; a witness is only given when it satisfies every fact.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <string.h>

enum { MAX_FACT_ROUNDS = 12, MAX_MENDS = 4 };
static const uint64_t base_limit = 30000;

typedef struct Facts {
  ExprPool *pool;
  const GoalCondition *conditions;
  uint32_t count;
  bool *active;   // by condition: part of the question now
  bool *in_query; // by symbol: occurs in an active condition
  uint32_t sym_count;
  bool assume_sizes;
  const SearchOptions *options;
  Arena *arena;
  FactsResult result;
  SmtStats stats;
} Facts;

// ---- symbols
typedef struct SymVisit {
  bool *set;
  uint32_t count;
  bool is_subset;
} SymVisit;

static void add_sym(void *context, uint32_t sym) {
  SymVisit *v = context;
  if (sym < v->count) v->set[sym] = true;
}

static void test_sym(void *context, uint32_t sym) {
  SymVisit *v = context;
  v->is_subset = v->is_subset && sym < v->count && v->set[sym];
}

static void find_sym(void *context, uint32_t sym) { // here is_subset says: one of them is in the set
  SymVisit *v = context;
  v->is_subset = v->is_subset || (sym < v->count && v->set[sym]);
}

static bool is_closed(const Facts *f, ExprRef condition) {
  SymVisit v = {f->in_query, f->sym_count, true};
  expr_each_sym(f->pool, condition, test_sym, &v);
  return v.is_subset;
}

static void activate(Facts *f, uint32_t i) {
  SymVisit v = {f->in_query, f->sym_count, true};
  f->active[i] = true;
  expr_each_sym(f->pool, f->conditions[i].condition, add_sym, &v);
}

// s == 1 << k for an s of the question: lowering reads masks by it.
static bool is_power(const Facts *f, ExprRef condition) {
  ExprNode n = *expr_node(f->pool, condition);
  if (n.op != EXPR_EQ) return false;
  for (int swap = 0; swap < 2; swap++) {
    const ExprNode *s = expr_node(f->pool, swap ? n.b : n.a), *power = expr_node(f->pool, swap ? n.a : n.b);
    if (s->op == EXPR_TRUNC && s->width > 1) s = expr_node(f->pool, s->a);
    if (s->op == EXPR_SYM && power->op == EXPR_SHL && s->value < f->sym_count && f->in_query[s->value])
      return true;
  }
  return false;
}

// Facts that speak only of symbols in the question cost little and sharpen much.
static void activate_closed(Facts *f) {
  for (uint32_t i = 0; i < f->count; i++)
    if (!f->active[i] && is_power(f, f->conditions[i].condition)) activate(f, i);
  for (uint32_t i = 0; i < f->count; i++)
    if (!f->active[i] && is_closed(f, f->conditions[i].condition)) f->active[i] = true;
}

// What the symbols of the question are equal to, as "rows == 16 * blocks": one step towards the other facts.
static bool activate_equations(Facts *f) {
  bool *chosen = arena_array(f->arena, f->count + 1, bool), changed = false;
  for (uint32_t i = 0; i < f->count; i++) {
    SymVisit v = {f->in_query, f->sym_count, false};
    if (f->active[i] || expr_node(f->pool, f->conditions[i].condition)->op != EXPR_EQ) continue;
    expr_each_sym(f->pool, f->conditions[i].condition, find_sym, &v);
    chosen[i] = v.is_subset;
    changed = changed || chosen[i];
  }
  for (uint32_t i = 0; i < f->count; i++)
    if (chosen[i]) activate(f, i);
  return changed;
}

static bool all_active(const Facts *f) {
  for (uint32_t i = 0; i < f->count; i++)
    if (!f->active[i]) return false;
  return true;
}

// ---- questions
static Query *make_query(Facts *f, Arena *scratch) {
  Query *q = query_make(scratch, f->pool);
  q->assume_sizes = f->assume_sizes;
  q->flat_functions = f->options->flat_functions;
  for (uint32_t i = 0; i < f->count; i++) {
    const GoalCondition *c = &f->conditions[i];
    if (f->active[i])
      vec_push(scratch, &q->conditions,
               (QueryCondition){.condition = c->condition, .part = c->part, .tag = i});
  }
  return q;
}

static void add_stats(Facts *f, SmtStats stats) {
  f->stats.rlimit += stats.rlimit;
  f->stats.checks += stats.checks;
}

static SearchOptions options_left(const Facts *f) {
  SearchOptions options = *f->options;
  options.rlimit = options.rlimit > f->stats.rlimit ? options.rlimit - f->stats.rlimit : 1;
  return options;
}

static bool uses_sizes(const Query *q) {
  for (uint32_t i = 0; i < q->sym_is_size.count; i++)
    if (q->sym_is_size.items[i]) return true;
  return false;
}

static MemoResult search_anew(Facts *f, const SearchOptions *options) {
  Arena *scratch = arena_open();
  Query *q = make_query(f, scratch);
  MemoResult result = {.search = search_run(q, options, f->arena)};
  result.used_no_overflow = q->used_no_overflow;
  result.used_sizes = uses_sizes(q);
  arena_close(scratch);
  return result;
}

// Cores hold positions among the conditions that are active.
static MemoResult search_active(Facts *f) {
  SearchOptions options = options_left(f);
  if (!options.memo) return search_anew(f, &options);
  Arena *scratch = arena_open();
  GoalCondition *active = arena_array(scratch, f->count + 1, GoalCondition);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->active[i])
      active[count++] =
          (GoalCondition){.condition = f->conditions[i].condition, .part = f->conditions[i].part};
  GoalKey key = memo_key(f->pool, active, count, f->assume_sizes, &options, scratch);
  MemoResult result;
  if (!memo_find(options.memo, &key, f->pool, &result, f->arena)) {
    result = search_anew(f, &options);
    memo_keep(options.memo, &key, &result);
  }
  arena_close(scratch);
  return result;
}

static SearchResult ask(Facts *f) {
  MemoResult result = search_active(f);
  SearchResult r = result.search;
  f->result.used_no_overflow |= result.used_no_overflow;
  f->result.used_sizes |= result.used_sizes;
  uint32_t *core = arena_array(f->arena, r.core_count + 1, uint32_t), next = 0, at = 0;
  for (uint32_t i = 0; i < f->count && next < r.core_count; i++)
    if (f->active[i] && at++ == r.core[next]) core[next++] = i;
  r.core = core;
  add_stats(f, r.stats);
  return r;
}

// ---- the rest of the facts
static ExprRef fixed_to(Facts *f, const Witness *w, ExprRef condition) {
  ExprRef *map = arena_array(f->arena, w->sym_count + 1, ExprRef);
  for (uint32_t i = 0; i < w->sym_count; i++)
    if (w->sym_fixed[i]) map[i] = expr_const(f->pool, expr_sym_info(f->pool, i)->width, w->sym_values[i]);
  return expr_substitute(f->pool, condition, map, w->sym_count);
}

// f(3) = 7 is part of the witness: the rest of the facts must agree with it.
static void add_points(Facts *f, Query *q, const Witness *w) {
  for (uint32_t i = 0; i < w->funcs.count; i++) {
    const SolverFuncValue *p = &w->funcs.items[i];
    ExprRef *args = arena_array(f->arena, p->arg_count + 1, ExprRef);
    for (uint32_t k = 0; k < p->arg_count; k++) {
      uint8_t width = expr_width(f->pool, expr_node(f->pool, w->apps.items[i])->args[k]);
      args[k] = expr_const(f->pool, width, p->args[k]);
    }
    ExprRef app = expr_app(f->pool, p->func, p->arg_count, args);
    ExprRef value = expr_const(f->pool, expr_width(f->pool, app), p->result);
    vec_push(q->arena, &q->conditions,
             (QueryCondition){.condition = expr_eq(f->pool, app, value), .part = GOAL_CONTEXT});
  }
}

// False if there is none that was not chosen before.
static bool choose_broken(const Facts *f, const Witness *w, bool *chosen) {
  bool changed = false;
  ExprSeries series = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    if (f->active[i] || chosen[i]) continue;
    chosen[i] = witness_evaluate(f->pool, w, f->conditions[i].condition, &series) != WITNESS_HOLDS;
    changed = changed || chosen[i];
  }
  return changed;
}

// The inactive facts that share a symbol with those that are broken, other than one that the witness fixes:
// the rest goes on holding whatever these get for values.
static void choose_connected(const Facts *f, const Witness *w, bool *chosen) {
  Arena *scratch = arena_open();
  SymVisit v = {arena_array(scratch, f->sym_count + 1, bool), f->sym_count, false};
  for (uint32_t i = 0; i < f->count; i++)
    if (chosen[i]) expr_each_sym(f->pool, f->conditions[i].condition, add_sym, &v);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < w->sym_count && i < f->sym_count; i++)
      if (w->sym_fixed[i]) v.set[i] = false;
    for (uint32_t i = 0; i < f->count; i++) {
      if (f->active[i] || chosen[i]) continue;
      v.is_subset = false;
      expr_each_sym(f->pool, f->conditions[i].condition, find_sym, &v);
      if (!v.is_subset) continue;
      chosen[i] = changed = true;
      expr_each_sym(f->pool, f->conditions[i].condition, add_sym, &v);
    }
  }
  arena_close(scratch);
}

static bool holds_everywhere(const Facts *f, const Witness *w) {
  ExprSeries series = {0};
  for (uint32_t i = 0; i < f->count; i++)
    if (witness_evaluate(f->pool, w, f->conditions[i].condition, &series) != WITNESS_HOLDS) return false;
  return true;
}

// Extends the witness to the chosen facts. SAT: done. UNSAT: the core was activated. UNKNOWN: no idea.
static SmtResult extend_to(Facts *f, Witness *w, const bool *chosen) {
  Arena *scratch = arena_open();
  Query *q = query_make(scratch, f->pool);
  q->assume_sizes = f->assume_sizes;
  for (uint32_t i = 0; i < f->count; i++)
    if (chosen[i])
      vec_push(scratch, &q->conditions,
               (QueryCondition){
                   .condition = fixed_to(f, w, f->conditions[i].condition), .part = GOAL_FACT, .tag = i});
  add_points(f, q, w);
  SearchOptions options = options_left(f);
  options.expects_model = true;
  options.prefer_small = false;
  SearchResult r = search_run(q, &options, f->arena);
  add_stats(f, r.stats);
  if (r.result == SMT_SAT) witness_merge(w, &r.witness, f->arena);
  for (uint32_t i = 0; r.result == SMT_UNSAT && i < r.core_count; i++)
    activate(f, q->conditions.items[r.core[i]].tag);
  if (r.result == SMT_UNSAT && r.core_count == 0) r.result = SMT_UNKNOWN;
  arena_close(scratch);
  return r.result;
}

static Witness witness_copy(const Witness *w, Arena *arena) {
  Witness copy = {.sym_count = w->sym_count};
  copy.sym_values = arena_copy(arena, w->sym_values, (w->sym_count + 1) * sizeof *w->sym_values);
  copy.sym_fixed = arena_copy(arena, w->sym_fixed, (w->sym_count + 1) * sizeof *w->sym_fixed);
  for (uint32_t i = 0; i < w->funcs.count; i++) {
    vec_push(arena, &copy.funcs, w->funcs.items[i]);
    vec_push(arena, &copy.apps, w->apps.items[i]);
  }
  return copy;
}

// At first only what the witness breaks, with everything else as it is; then what that breaks, and so on.
// Mostly this ends soon.
static SmtResult extend(Facts *f, Witness *w) {
  bool *chosen = arena_array(f->arena, f->count + 1, bool);
  Witness mended = witness_copy(w, f->arena);
  SmtResult r = SMT_SAT;
  if (witness_mend(f->pool, f->conditions, f->count, &mended, &f->stats.rlimit)) {
    *w = mended;
    return SMT_SAT;
  }
  mended = *w;
  for (int round = 0; r == SMT_SAT && round < MAX_MENDS && choose_broken(f, &mended, chosen); round++) {
    mended = witness_copy(w, f->arena);
    r = extend_to(f, &mended, chosen);
  }
  if (r == SMT_UNSAT) return r;
  if (r == SMT_SAT && holds_everywhere(f, &mended)) {
    *w = mended;
    return r;
  }
  choose_connected(f, w, chosen);
  return extend_to(f, w, chosen);
}

// Small numbers leave the other facts more room than those that Z3 came upon.
static void shrink(Facts *f, Witness *w) {
  GoalCondition *active = arena_array(f->arena, f->count + 1, GoalCondition);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->active[i]) active[count++] = f->conditions[i];
  witness_shrink(f->pool, active, count, w, &f->stats.rlimit);
}

static void activate_all(Facts *f) {
  for (uint32_t i = 0; i < f->count; i++)
    f->active[i] = true;
}

static Facts facts_make(ExprPool *pool, const GoalCondition *conditions, uint32_t count, bool assume_sizes,
                        const SearchOptions *options, Arena *arena) {
  Facts f = {.pool = pool,
             .conditions = conditions,
             .count = count,
             .assume_sizes = assume_sizes,
             .options = options,
             .arena = arena};
  f.sym_count = expr_sym_count(pool);
  f.active = arena_array(arena, count + 1, bool);
  f.in_query = arena_array(arena, f.sym_count + 1, bool);
  return f;
}

// ---- values that are known to be possible
typedef struct Base {
  Facts *facts;
  const SolverBase *of;
  Witness witness;
  Map seen; // expressions whose functions have their values
} Base;

static void take_symbol(void *context, uint32_t sym) {
  Base *base = context;
  if (sym >= base->of->answer->sym_count || !base->of->has[sym]) return;
  base->witness.sym_values[sym] = base->of->answer->sym_values[sym];
  base->witness.sym_fixed[sym] = true;
}

// Arguments before the functions of them.
static void take_functions(Base *base, ExprRef ref) {
  Facts *f = base->facts;
  if (!ref || map_get(&base->seen, ref)) return;
  map_set(f->arena, &base->seen, ref, 1);
  ExprNode n = *expr_node(f->pool, ref);
  if (n.op == EXPR_SYM || n.op == EXPR_CONST) return;
  take_functions(base, n.a);
  take_functions(base, n.b);
  take_functions(base, n.c);
  for (uint32_t i = 0; i < n.arg_count; i++)
    take_functions(base, expr_node(f->pool, ref)->args[i]);
  if (n.op != EXPR_APP) return;
  ExprSeries alone = {0};
  int64_t *args = arena_array(f->arena, n.arg_count + 1, int64_t);
  for (uint32_t i = 0; i < n.arg_count; i++)
    if (!witness_value(f->pool, &base->witness, expr_node(f->pool, ref)->args[i], &args[i])) return;
  for (uint32_t i = 0; i < base->of->answer->func_value_count; i++) {
    const SolverFuncValue *point = &base->of->answer->func_values[i];
    if (point->func == (uint32_t)n.value && point->arg_count == n.arg_count &&
        (n.arg_count == 0 || memcmp(point->args, args, n.arg_count * sizeof *args) == 0) &&
        witness_add_point(f->pool, &base->witness, ref, point->result, &alone, f->arena))
      return;
  }
}

static void test_fixed(void *context, uint32_t sym) {
  SymVisit *v = context;
  v->is_subset = v->is_subset && v->set[sym];
}

// What the base leaves open is chosen. False: it breaks a condition.
static bool choose_open(Base *base, bool *chosen) {
  Facts *f = base->facts;
  ExprSeries series = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    ExprRef condition = f->conditions[i].condition;
    SymVisit v = {base->witness.sym_fixed, base->witness.sym_count, true};
    expr_each_sym(f->pool, condition, test_fixed, &v);
    WitnessCheck check =
        v.is_subset ? witness_evaluate(f->pool, &base->witness, condition, &series) : WITNESS_UNKNOWN;
    if (check != WITNESS_HOLDS && check != WITNESS_UNKNOWN) return false;
    chosen[i] = check == WITNESS_UNKNOWN;
  }
  return true;
}

FactsResult facts_run_on_base(ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                              const SolverBase *of, bool assume_sizes, const SearchOptions *options,
                              Arena *arena) {
  ASSERT(conditions || !count);
  SearchOptions limited = *options;
  if (limited.rlimit > base_limit) limited.rlimit = base_limit;
  Facts f = facts_make(pool, conditions, count, assume_sizes, &limited, arena);
  Base base = {.facts = &f, .of = of};
  witness_start(pool, &base.witness, arena);
  for (uint32_t i = 0; i < count; i++)
    expr_each_sym(pool, conditions[i].condition, take_symbol, &base);
  for (uint32_t i = 0; i < count; i++)
    take_functions(&base, conditions[i].condition);
  bool *chosen = arena_array(arena, count + 1, bool);
  f.result.search.result = SMT_UNKNOWN;
  if (choose_open(&base, chosen) && extend_to(&f, &base.witness, chosen) == SMT_SAT &&
      holds_everywhere(&f, &base.witness)) {
    f.result.search.result = SMT_SAT;
    f.result.search.witness = base.witness;
  }
  f.result.search.stats = f.stats;
  return f.result;
}

// Values that are known to go with all facts, in place of those that came up.
static bool take_base(Facts *f, SearchResult *result) {
  if (!f->options->base) return false;
  SearchOptions options = options_left(f);
  options.expects_model = true;
  FactsResult r =
      facts_run_on_base(f->pool, f->conditions, f->count, options.base, f->assume_sizes, &options, f->arena);
  add_stats(f, r.search.stats);
  if (r.search.result == SMT_SAT) result->witness = r.search.witness;
  return r.search.result == SMT_SAT;
}

static SearchResult run(Facts *f) {
  SearchResult r = {0};
  for (int round = 0; round <= MAX_FACT_ROUNDS; round++) {
    if (round == MAX_FACT_ROUNDS) activate_all(f);
    activate_closed(f);
    r = ask(f);
    if (r.result == SMT_UNSAT || all_active(f)) return r;
    if (r.result == SMT_UNKNOWN) {
      if (activate_equations(f)) continue;
      f->result.left_facts = true;
      return r;
    }
    if (holds_everywhere(f, &r.witness)) return r;
    if (round == 0 && take_base(f, &r)) return r;
    shrink(f, &r.witness);
    SmtResult rest = extend(f, &r.witness);
    if (rest == SMT_SAT && holds_everywhere(f, &r.witness)) return r;
    if (rest != SMT_UNSAT) activate_all(f);
  }
  r.result = SMT_UNKNOWN;
  r.reason = "the host facts could not be brought together";
  return r;
}

FactsResult facts_run(ExprPool *pool, const GoalCondition *conditions, uint32_t count, bool assume_sizes,
                      const SearchOptions *options, Arena *arena) {
  ASSERT(conditions || !count);
  Facts f = facts_make(pool, conditions, count, assume_sizes, options, arena);
  bool has_goal = false;
  for (uint32_t i = 0; i < count; i++)
    if (conditions[i].part != GOAL_FACT) {
      has_goal = true;
      activate(&f, i);
    }
  if (!has_goal || options->all_facts) activate_all(&f);
  f.result.search = run(&f);
  f.result.search.stats = f.stats;
  SearchResult *r = &f.result.search;
  uint32_t *tags = arena_array(arena, r->core_count + 1, uint32_t);
  for (uint32_t i = 0; i < r->core_count; i++)
    tags[i] = conditions[r->core[i]].tag;
  r->core = tags;
  return f.result;
}
