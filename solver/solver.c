// Can this goal hold, and is the proof that it cannot worth something? The conditions are searched (facts.c).
// UNSAT is only SAFE when the conditions without the conflict can hold together, shown by a model; a
// contradiction among them is DEAD. Answers are cached by the text of the goal, with symbols and functions
// named by first appearance, so goals that differ only in names and in the pool they live in are one.
// Soundness: SAFE needs a proof and a model of everything else; RACE needs a model of everything, evaluated
// exactly. SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

#include <string.h>

static const uint64_t default_rlimit = 4000000;

typedef struct CacheEntry {
  const char *key;
  size_t length;
  SolverAnswer answer;
  uint32_t sym_count, func_count; // answers name symbols and functions by first appearance
} CacheEntry;

struct Solver {
  Arena *arena;
  SolverOptions options;
  VEC(CacheEntry) entries;
  IdTable table;
};

Solver *solver_open(const SolverOptions *options) {
  Arena *arena = arena_open();
  Solver *solver = arena_new(arena, Solver);
  solver->arena = arena;
  if (options) solver->options = *options;
  if (solver->options.rlimit == 0) solver->options.rlimit = default_rlimit;
  vec_push(arena, &solver->entries, (CacheEntry){0});
  return solver;
}

void solver_close(Solver *solver) {
  if (solver) arena_close(solver->arena);
}

// ---- answers ------------------------------------------------------------------------------------
static void set_witness(SolverAnswer *answer, const Witness *w) {
  answer->sym_count = w->sym_count;
  answer->sym_values = w->sym_values;
  answer->func_value_count = w->funcs.count;
  answer->func_values = w->funcs.items;
}

static void set_core(SolverAnswer *answer, const SearchResult *r) {
  answer->core_count = r->core_count;
  answer->core = r->core;
}

static void add_work(SolverAnswer *answer, const SearchResult *r) {
  answer->rlimit += r->stats.rlimit;
  answer->checks += r->stats.checks;
}

static FactsResult search(const Solver *solver, const SolverGoal *goal, const GoalCondition *conditions,
                          uint32_t count, bool assume_sizes, bool expects_model, Arena *arena) {
  SearchOptions options = {.solver = &solver->options,
                           .name = goal->name,
                           .rlimit = solver->options.rlimit,
                           .expects_model = expects_model,
                           .prefer_small = solver->options.prefer_small && !expects_model};
  return facts_run(goal->pool, conditions, count, assume_sizes, &options, arena);
}

static SolverAnswer satisfiable(const Solver *solver, const SolverGoal *goal, bool assume_sizes,
                                Arena *arena) {
  SolverAnswer answer = {0};
  FactsResult r = search(solver, goal, goal->conditions, goal->condition_count, assume_sizes, false, arena);
  add_work(&answer, &r.search);
  if (r.search.result == SMT_SAT) {
    answer.verdict = VERDICT_RACE;
    set_witness(&answer, &r.search.witness);
  } else if (r.search.result == SMT_UNSAT) {
    answer.verdict = VERDICT_SAFE;
    set_core(&answer, &r.search);
    answer.used_no_overflow = r.used_no_overflow;
  } else
    answer.reason = r.search.reason;
  return answer;
}

// Can everything but the conflict hold? *core gets the contradiction if not.
static SmtResult check_vacuity(const Solver *solver, const SolverGoal *goal, bool assume_sizes, Arena *arena,
                               SolverAnswer *answer, bool *used_sizes) {
  GoalCondition *rest = arena_array(arena, goal->condition_count + 1, GoalCondition);
  uint32_t count = 0;
  for (uint32_t i = 0; i < goal->condition_count; i++)
    if (goal->conditions[i].part != GOAL_CONFLICT) rest[count++] = goal->conditions[i];
  FactsResult r = search(solver, goal, rest, count, assume_sizes, true, arena);
  add_work(answer, &r.search);
  if (r.search.result == SMT_UNKNOWN) {
    r = search(solver, goal, rest, count, assume_sizes, false, arena);
    add_work(answer, &r.search);
  }
  if (r.search.result == SMT_UNSAT) set_core(answer, &r.search);
  *used_sizes = r.used_sizes;
  return r.search.result;
}

static SolverAnswer decide(const Solver *solver, const SolverGoal *goal, bool assume_sizes, Arena *arena) {
  SolverAnswer answer = satisfiable(solver, goal, assume_sizes, arena);
  if (answer.verdict != VERDICT_SAFE) return answer;
  bool used_sizes = false;
  SmtResult rest = check_vacuity(solver, goal, assume_sizes, arena, &answer, &used_sizes);
  if (rest == SMT_SAT) return answer;
  answer.verdict = rest == SMT_UNSAT ? VERDICT_DEAD : VERDICT_UNKNOWN;
  if (rest == SMT_UNKNOWN)
    answer.reason = "the overlap is refuted, but no launch was found that fulfils the other conditions";
  // The contradiction may come from our own assumption about sizes: ask without it.
  if (rest == SMT_UNSAT && used_sizes) return decide(solver, goal, false, arena);
  return answer;
}

SolverAnswer solver_decide(Solver *solver, const SolverGoal *goal, Arena *arena) {
  return decide(solver, goal, true, arena);
}

SolverAnswer solver_satisfiable(Solver *solver, const SolverGoal *goal, Arena *arena) {
  return satisfiable(solver, goal, true, arena);
}
