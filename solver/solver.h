// Goal in, verdict out. A goal is a conjunction of conditions over machine-word expressions; the question is
// whether it can hold. Unsatisfiable: the pair cannot race. Satisfiable: the model is the witness. Method:
// SOLVER.md's, that is polynomial normal form, products as fresh integers, lemma schemas, concretisation (see
// solver/internal.h). The only folder that includes z3.h.
//
// A condition holds if it has a value and that is true. So a condition whose value hangs on a division by
// zero or on a shift count outside of the width does not hold, and what might have no value at some point of
// the program must be guarded in the condition itself: (k = 0 or v = 64 >> (k - 1)).
//
// SAFE is only said after the conditions other than GOAL_CONFLICT were shown satisfiable together (else
// DEAD), under the assumption that NSW/ADDRESS arithmetic, and other arithmetic that cannot wrap for small
// values, does not wrap (reported as ASSUME_NO_OVERFLOW when it was used). RACE is only said for a model that
// satisfies every condition exactly, by expr_eval, without overflow.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_SOLVER_H
#define HGRD_SOLVER_H

#include "core/digest.h"
#include "core/expr.h"
#include "core/verdict.h"

typedef enum GoalPart {
  GOAL_FACT,    // host facts and limits: used lazily, named in cores
  GOAL_CONTEXT, // ranges and relations of ids and iteration numbers, path conditions of thread 1 or 2
  GOAL_EXTENT,  // the two threads differ as the extent says
  GOAL_CONFLICT // the accesses overlap
} GoalPart;

typedef struct GoalCondition {
  ExprRef condition; // width 1
  GoalPart part;
  uint32_t tag; // FACT: index of the host fact; comes back in SolverAnswer.core
} GoalCondition;

// Two results of atomic adds at possibly the same address: whenever `same` holds, the ranges [first_k,
// first_k + count_k) do not overlap. Given as ordinary conditions by the caller; no special form is needed
// here.

typedef struct SolverFuncValue { // one point of an uninterpreted function in the model
  uint32_t func;
  uint32_t arg_count;
  const int64_t *args;
  int64_t result;
} SolverFuncValue;

typedef struct SolverAnswer {
  Verdict verdict;    // SAFE, RACE, DEAD, or UNKNOWN with `reason`
  const char *reason; // UNKNOWN: which stage gave up and on what budget
  uint32_t sym_count; // RACE: values by symbol index; symbols not in the goal have a value in their range
  const int64_t *sym_values;
  uint32_t func_value_count;
  const SolverFuncValue *func_values;
  uint32_t core_count; // SAFE, DEAD: tags of the facts that the proof used (a superset of a minimal set)
  const uint32_t *core;
  bool used_no_overflow; // SAFE, DEAD: the proof leans on A1
  ExprRef
      overflow_at; // then, with check_overflow: an operation that was not shown to stay in its width, or 0
  uint64_t rlimit; // resource units spent
  uint32_t checks; // solver calls
  bool is_refuted; // UNKNOWN: all conditions together cannot hold; whether those without the conflict can is
                   // open
  bool is_spent;   // UNKNOWN: nothing, or little, was tried, because the pool was spent
  bool from_cache;
} SolverAnswer;

// Values that the launch's facts are known to allow, of what these speak of.
typedef struct SolverBase {
  const SolverAnswer *answer; // a RACE
  const bool *has;            // by symbol, of those that the answer has
} SolverBase;

typedef struct SolverGoal {
  ExprPool *pool; // may be extended by the solver
  uint32_t condition_count;
  const GoalCondition *conditions;
  const char *name; // for dumps
  const SolverBase
      *base;       // or NULL; tried first where only matters whether there is a model, which hangs on it
  uint64_t rlimit; // for a first look: less than the solver's budget for one goal; 0: that
  bool has_parts;  // they are asked next if it stays open: then it was not for nothing
} SolverGoal;

// What is known of a question of solver_satisfiable from earlier runs.
typedef struct SolverKnown {
  Verdict verdict;
  uint64_t units; // that it took
} SolverKnown;
// The digest is of all that the answer follows from, but for the exact program. Neither models nor cores are
// known: for who looks at the verdict alone.
typedef struct SolverMemory {
  bool (*find)(void *context, Digest question, SolverKnown *known);
  void (*keep)(void *context, Digest question, const SolverKnown *known);
  void *context;
} SolverMemory;

// Searches that were made, for all solvers that are given it, also at once.
typedef struct SearchMemo SearchMemo;
SearchMemo *solver_memo_open(void);
void solver_memo_close(SearchMemo *memo); // behind the solvers

typedef struct SolverOptions {
  uint64_t rlimit;     // budget for one goal; 0 = default
  bool check_overflow; // try to show what A1 takes for granted, so that a proof does not lean on it
  bool prefer_small;   // look for small, round witnesses (default use)
  void (*dump)(void *context, const char *name, const char *smt2); // each query as SMT-LIB, or NULL
  void *dump_context;
  const SolverMemory *memory; // or NULL
  SearchMemo *memo;           // NULL: one of its own
} SolverOptions;

typedef struct Solver Solver; // not for concurrent use: one for each worker

Solver *solver_open(const SolverOptions *options);
SearchMemo *solver_memo_of(const Solver *solver); // NULL: every search is made anew
void solver_close(Solver *solver);                // NULL is allowed
enum { SOLVER_POOL_UNITS = 8000000 }; // of a pool, if nothing else is said: some ten seconds at worst
// From now on all goals together may spend so many units (0: SOLVER_POOL_UNITS), the next pool is a new one. When a pool is spent, a quarter as much is left for goals that need little each, and
// then answers are UNKNOWN. A goal that was begun may finish; of a pool that is smaller than that, it gets a quarter. Where goals that stay UNKNOWN have taken a third of it together, it
// counts as spent.
void solver_start_pool(Solver *solver, uint64_t units);
// Less is at stake: from now on, no more may be spent than this part of what the pool began with, and an
// eighth of that on one goal. SOLVER_NOTHING: nothing is at stake any more.
enum { SOLVER_NOTHING = 1 << 30 };
void solver_cut_pool(Solver *solver, uint32_t part);
bool solver_is_spent(const Solver *solver);       // nothing new will be answered
uint64_t solver_units_left(const Solver *solver); // of the pool
uint64_t solver_units_paid(
    const Solver
        *solver); // of all pools; an answer that the pool has paid for costs nothing when it is asked again
bool solver_is_low(const Solver *solver);          // the pool is spent: only the rest for small goals is left
bool solver_has_half_a_rest(const Solver *solver); // of that, half is still there
// The answer and its arrays live in `arena`. Deterministic: the same goal gives the same answer in every run
// and after any history.
MUST_USE SolverAnswer solver_decide(Solver *solver, const SolverGoal *goal, Arena *arena);
// Are these conditions satisfiable together? RACE = yes (with a model), SAFE = no, UNKNOWN. No vacuity check.
MUST_USE SolverAnswer solver_satisfiable(Solver *solver, const SolverGoal *goal, Arena *arena);

// The version of Z3, as in "4.8.12.0"; not to be freed.
const char *solver_version(void);

// ---- goals as text (solver/goal_text.c describes the form): for --dump=goals and for tests
typedef struct GoalText {
  SolverGoal goal;
  Verdict expected; // VERDICT_UNKNOWN if the text does not say
} GoalText;
// Reads one goal into the pool. On a mistake: NULL, and *error says where and what.
GoalText *solver_goal_read(const char *text, ExprPool *pool, Arena *arena, const char **error);
void solver_goal_print(const SolverGoal *goal, Verdict expected, StrBuf *out);

#endif
