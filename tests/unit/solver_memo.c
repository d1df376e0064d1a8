// Searches that were made before: a result is given out for equal conditions under other names, numbers and
// tags, and for nothing else; and answers that come of it are those of a solver without history.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "tests/unit/check.h"

#include <string.h>

static const SolverGoal *read_goal(const char *text, ExprPool *pool, Arena *arena) {
  const char *error = NULL;
  GoalText *goal = solver_goal_read(text, pool, arena, &error);
  return CHECK(goal != NULL) ? &goal->goal : NULL;
}

static const char calls[] = "(sym a 32 uniform host) (sym b 32 uniform host) (func f 32 memory)"
                            "(context (< a b)) (context (= (f a) 9))";

typedef struct Asked {
  ExprPool *pool;
  const SolverGoal *goal;
  GoalKey key;
} Asked;

// `strangers`: as many symbols and functions stand before those of the goal.
static Asked ask_memo(const char *text, uint32_t strangers, uint64_t rlimit, Arena *arena) {
  Asked asked = {.pool = expr_pool_make(arena)};
  for (uint32_t i = 0; i < strangers; i++) {
    expr_new_sym(asked.pool, (ExprSym){.name = "stranger", .width = 8});
    expr_new_func(asked.pool, (ExprFunc){.name = "strange", .width = 8});
  }
  asked.goal = read_goal(text, asked.pool, arena);
  SearchOptions options = {.rlimit = rlimit};
  asked.key =
      memo_key(asked.pool, asked.goal->conditions, asked.goal->condition_count, false, &options, arena);
  return asked;
}

// The witness a = 4, b = 6, f(4) = 9.
static MemoResult result_of(const Asked *asked, Arena *arena) {
  MemoResult result = {.search = {.result = SMT_SAT, .stats = {50000, 3}}, .used_sizes = true};
  Witness *w = &result.search.witness;
  witness_start(asked->pool, w, arena);
  ExprRef less = asked->goal->conditions[0].condition;
  uint32_t a = (uint32_t)expr_node(asked->pool, expr_node(asked->pool, less)->a)->value;
  w->sym_values[a] = 4;
  w->sym_values[a + 1] = 6;
  w->sym_fixed[a] = w->sym_fixed[a + 1] = true;
  const ExprNode *equal = expr_node(asked->pool, asked->goal->conditions[1].condition);
  ExprRef app = expr_node(asked->pool, equal->a)->op == EXPR_APP ? equal->a : equal->b;
  ExprSeries series = {0};
  CHECK(witness_add_point(asked->pool, w, app, 9, &series, arena));
  return result;
}

static void test_witness(void) {
  Arena *arena = arena_open();
  SearchMemo *memo = solver_memo_open();
  Asked first = ask_memo(calls, 0, 1000, arena), later = ask_memo(calls, 3, 1000, arena);
  MemoResult result = result_of(&first, arena), found;
  memo_keep(memo, &first.key, &result);
  CHECK(memo_find(memo, &later.key, later.pool, &found, arena));
  const Witness *w = &found.search.witness;
  CHECK(found.search.result == SMT_SAT && found.search.stats.rlimit == 50000 &&
        found.search.stats.checks == 3);
  CHECK(found.used_sizes && !found.used_no_overflow);
  CHECK(w->sym_count == 5 && w->sym_values[3] == 4 && w->sym_values[4] == 6 && w->sym_values[0] == 0);
  CHECK(w->sym_fixed[3] && w->sym_fixed[4] && !w->sym_fixed[0]);
  CHECK(w->funcs.count == 1 && w->funcs.items[0].func == 3 && w->funcs.items[0].result == 9);
  CHECK(w->funcs.items[0].arg_count == 1 && w->funcs.items[0].args[0] == 4);
  ExprSeries series = {0};
  for (uint32_t i = 0; i < later.goal->condition_count; i++)
    CHECK(witness_evaluate(later.pool, w, later.goal->conditions[i].condition, &series) == WITNESS_HOLDS);
  solver_memo_close(memo);
  arena_close(arena);
}

static bool is_known(SearchMemo *memo, const char *text, uint64_t rlimit, Arena *arena) {
  Asked asked = ask_memo(text, 0, rlimit, arena);
  MemoResult found;
  return memo_find(memo, &asked.key, asked.pool, &found, arena);
}

static void test_others(void) {
  Arena *arena = arena_open();
  SearchMemo *memo = solver_memo_open();
  Asked first = ask_memo(calls, 0, 1000, arena);
  MemoResult result = result_of(&first, arena);
  memo_keep(memo, &first.key, &result);
  CHECK(is_known(memo, calls, 1000, arena));
  CHECK(!is_known(memo, calls, 1001, arena)); // another budget
  CHECK(!is_known(memo,
                  "(sym a 32 uniform host) (sym b 32 uniform host) (func f 32 memory)"
                  "(context (< b a)) (context (= (f a) 9))",
                  1000, arena));
  CHECK(!is_known(memo,
                  "(sym a 32 uniform host 1 9) (sym b 32 uniform host) (func f 32 memory)" // another range
                  "(context (< a b)) (context (= (f a) 9))",
                  1000, arena));
  // What takes little is not kept, unless it is that the budget was too small.
  Asked cheap = ask_memo(calls, 0, 2000, arena), poor = ask_memo(calls, 0, 3000, arena);
  result.search.stats.rlimit = 10;
  memo_keep(memo, &cheap.key, &result);
  result.search.result = SMT_UNKNOWN;
  memo_keep(memo, &poor.key, &result);
  CHECK(!is_known(memo, calls, 2000, arena) && is_known(memo, calls, 3000, arena));
  solver_memo_close(memo);
  arena_close(arena);
}

// A witness that speaks of a symbol outside of the conditions fits no other pool.
static void test_stranger_in_witness(void) {
  Arena *arena = arena_open();
  SearchMemo *memo = solver_memo_open();
  Asked first = ask_memo(calls, 2, 1000, arena);
  MemoResult result = result_of(&first, arena);
  result.search.witness.sym_fixed[0] = true;
  memo_keep(memo, &first.key, &result);
  CHECK(!is_known(memo, calls, 1000, arena));
  solver_memo_close(memo);
  arena_close(arena);
}

// ---- through the solver
#define THREADS                                                                                              \
  "(sym t@1 32 thread1 tid 0 1023) (sym t@2 32 thread2 tid 0 1023)"                                          \
  "(sym b@1 32 thread1 bid 0 2147483646) (sym b@2 32 thread2 bid 0 2147483646)"                              \
  "(sym n 32 uniform host) (sym m 32 uniform host) (extent (not (= b@1 b@2)))"

static void compare(const SolverAnswer *a, const SolverAnswer *b) {
  CHECK(a->verdict == b->verdict && a->rlimit == b->rlimit && a->checks == b->checks);
  CHECK(a->used_no_overflow == b->used_no_overflow && a->is_refuted == b->is_refuted);
  CHECK((a->reason == NULL) == (b->reason == NULL) && (!a->reason || strcmp(a->reason, b->reason) == 0));
  CHECK(a->core_count == b->core_count);
  for (uint32_t i = 0; i < a->core_count && i < b->core_count; i++)
    CHECK(a->core[i] == b->core[i]);
  CHECK(a->sym_count == b->sym_count);
  for (uint32_t i = 0; i < a->sym_count && i < b->sym_count; i++)
    CHECK(a->sym_values[i] == b->sym_values[i]);
  CHECK(a->func_value_count == b->func_value_count);
  for (uint32_t i = 0; i < a->func_value_count && i < b->func_value_count; i++)
    CHECK(a->func_values[i].args[0] == b->func_values[i].args[0] &&
          a->func_values[i].result == b->func_values[i].result);
}

static SolverAnswer decide(Solver *solver, const char *text, Arena *arena) {
  return solver_decide(solver, read_goal(text, expr_pool_make(arena), arena), arena);
}

// The second goal differs from the first in a fact that the search does not look at, and in tags.
static void test_history(const char *first, const char *second, uint64_t rlimit) {
  Arena *arena = arena_open();
  SolverOptions options = {.prefer_small = true, .rlimit = rlimit};
  Solver *old = solver_open(&options), *fresh = solver_open(&options);
  SolverAnswer before = decide(old, first, arena), after = decide(old, second, arena),
               alone = decide(fresh, second, arena);
  CHECK(before.verdict == after.verdict && !after.from_cache);
  compare(&after, &alone);
  solver_close(old);
  solver_close(fresh);
  arena_close(arena);
}

// What one solver found is known to the other, which answers as if it had not been.
static void test_shared(const char *text) {
  Arena *arena = arena_open();
  SolverOptions options = {.prefer_small = true};
  Solver *alone = solver_open(&options);
  options.memo = solver_memo_open();
  Solver *first = solver_open(&options), *second = solver_open(&options);
  SolverAnswer expected = decide(alone, text, arena), found = decide(first, text, arena),
               again = decide(second, text, arena);
  CHECK(!again.from_cache);
  compare(&found, &expected);
  compare(&again, &expected);
  solver_close(first);
  solver_close(second);
  solver_close(alone);
  solver_memo_close(options.memo);
  arena_close(arena);
}

#define PROOF "(conflict (= (+.nsw (*.nsw b@1 n) t@1) (+.nsw (*.nsw b@2 n) t@2)))"
#define RACE                                                                                                 \
  "(func f 32 memory) (conflict (= (+.nsw (*.nsw b@1 n) (f t@1)) (+.nsw (+.nsw (*.nsw b@2 n) (f t@2)) 1)))"
#define BOUNDED "(context (< t@1 n)) (context (< t@2 n))"

int main(void) {
  test_shared(THREADS BOUNDED PROOF);
  test_shared(THREADS BOUNDED RACE);
  test_witness();
  test_others();
  test_stranger_in_witness();
  test_history(THREADS BOUNDED "(fact (>= n 1) 9) (fact (> m 3) 7)" PROOF,
               THREADS BOUNDED "(fact (>= n 1) 4) (fact (< m 8) 5)" PROOF, 0);
  test_history(THREADS BOUNDED "(fact (>= n 1) 9) (fact (> m 3) 7)" RACE,
               THREADS BOUNDED "(fact (>= n 1) 4) (fact (< m 8) 5)" RACE, 0);
  test_history(THREADS BOUNDED "(fact (>= n 1) 9) (fact (> m 3) 7)" RACE,
               THREADS BOUNDED "(fact (>= n 1) 4) (fact (< m 8) 5)" RACE, 1);
  return check_result();
}
