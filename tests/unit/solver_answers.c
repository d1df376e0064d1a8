// What an answer holds besides the verdict: cores, witnesses for symbols outside the goal, function values,
// the cache and its blindness to names, dumps, budgets.
// SPDX-License-Identifier: Apache-2.0
#include "core/digest.h"
#include "solver/solver.h"
#include "tests/unit/check.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Case {
  Arena *arena;
  ExprPool *pool;
  Solver *solver;
} Case;

static Case open_case(const SolverOptions *options) {
  Case c = {.arena = arena_open()};
  SolverOptions defaults = {.prefer_small = true};
  c.pool = expr_pool_make(c.arena);
  c.solver = solver_open(options ? options : &defaults);
  return c;
}

static void close_case(Case *c) {
  solver_close(c->solver);
  arena_close(c->arena);
}

static SolverAnswer decide(Case *c, const char *text) {
  const char *error = NULL;
  GoalText *goal = solver_goal_read(text, c->pool, c->arena, &error);
  if (!CHECK(goal != NULL)) {
    fprintf(stderr, "%s\n", error);
    return (SolverAnswer){0};
  }
  return solver_decide(c->solver, &goal->goal, c->arena);
}

#define THREADS                                                                                              \
  "(sym t@1 32 thread1 tid 0 1023) (sym t@2 32 thread2 tid 0 1023)"                                          \
  "(sym b@1 32 thread1 bid 0 2147483646) (sym b@2 32 thread2 bid 0 2147483646)"                              \
  "(extent (not (= b@1 b@2)))"

static void test_core(void) {
  Case c = open_case(NULL);
  SolverAnswer a =
      decide(&c, THREADS "(sym n 32 uniform host) (sym m 32 uniform host) (sym z 32 uniform host)"
                         "(fact (> m 3) 7) (fact (<= n 64) 8) (fact (>= n 1) 9) (fact (> z m) 10)"
                         "(context (< t@1 n)) (context (< t@2 n))"
                         "(conflict (= (+.nsw (*.nsw b@1 64) t@1) (+.nsw (*.nsw b@2 64) t@2)))");
  CHECK(a.verdict == VERDICT_SAFE);
  bool has_bound = false, has_stranger = false;
  for (uint32_t i = 0; i < a.core_count; i++) {
    has_bound = has_bound || a.core[i] == 8;
    has_stranger = has_stranger || a.core[i] == 10;
  }
  CHECK(has_bound && !has_stranger);
  CHECK(a.used_no_overflow); // 64 * b may leave 32 bits
  close_case(&c);
}

static void test_no_assumption(void) {
  Case c = open_case(NULL);
  SolverAnswer a = decide(&c, "(sym t@1 32 thread1 tid 0 31) (sym t@2 32 thread2 tid 0 31)"
                              "(extent (not (= t@1 t@2))) (conflict (= (* t@1 33) (* t@2 33)))");
  CHECK(a.verdict == VERDICT_SAFE && !a.used_no_overflow);
  close_case(&c);
}

static void test_dead(void) {
  Case c = open_case(NULL);
  SolverAnswer a = decide(&c, THREADS "(sym n 32 uniform host) (sym k 32 uniform host)"
                                      "(fact (> n 5) 3) (fact (< n 5) 4) (fact (> k 0) 5)"
                                      "(conflict (= t@1 t@2))");
  CHECK(a.verdict == VERDICT_DEAD);
  CHECK(a.core_count >= 2 && a.core[0] == 3 && a.core[1] == 4);
  close_case(&c);
}

// A proof stands where it is not found out whether the other conditions can hold; its twin is no proof.
static void test_refuted(void) {
  SolverOptions options = {.rlimit = 60000};
  Case c = open_case(&options);
#define FACTORS                                                                                              \
  "(sym p 64 uniform host 2 1099511627776) (sym q 64 uniform host 2 1099511627776)"                          \
  "(context (= (* p q) 1000036000099)) (context (< p q)) (fact (> p 3) 3)"
  SolverAnswer a = decide(&c, THREADS FACTORS "(conflict (= t@1 1)) (conflict (= t@1 2))");
  SolverAnswer twin = decide(&c, THREADS FACTORS "(conflict (= t@1 1)) (conflict (= t@2 2))");
  CHECK(a.verdict == VERDICT_UNKNOWN && a.is_refuted);
  CHECK(twin.verdict == VERDICT_UNKNOWN && !twin.is_refuted);
  close_case(&c);
}

// Sizes read as unsigned are taken to be small, but not against the facts.
static void test_sizes(void) {
  Case c = open_case(NULL);
  const char *huge =
      THREADS "(sym n 32 uniform host) (fact (< n 0) 1) (context (<u t@1 n)) (conflict (= t@1 t@2))";
  CHECK(decide(&c, huge).verdict == VERDICT_RACE);
  close_case(&c);
}

static void test_strangers(void) {
  Case c = open_case(NULL);
  ExprSym outside = {.name = "gridDim.y", .width = 32, .kind = SYM_GRID_DIM, .lo = 3, .hi = 9};
  expr_new_sym(c.pool, outside);
  SolverAnswer a = decide(&c, THREADS "(conflict (= t@1 t@2))");
  CHECK(a.verdict == VERDICT_RACE && a.sym_count >= 1);
  CHECK(a.sym_values[0] >= 3 && a.sym_values[0] <= 9);
  close_case(&c);
}

static void test_function_values(void) {
  Case c = open_case(NULL);
  SolverAnswer a = decide(&c, THREADS "(func f 32 memory) (context (= (f t@1) 5)) (context (= (f (f t@1)) 8))"
                                      "(context (= (f t@2) 6)) (conflict (= (f t@1) (- (f t@2) 1)))");
  CHECK(a.verdict == VERDICT_RACE);
  int64_t at_5 = 0;
  for (uint32_t i = 0; i < a.func_value_count; i++)
    if (a.func_values[i].arg_count == 1 && a.func_values[i].args[0] == 5) at_5 = a.func_values[i].result;
  CHECK(at_5 == 8);
  close_case(&c);
}

// Facts about other values must be fulfilled by the same witness.
static void test_facts_extend(void) {
  Case c = open_case(NULL);
  SolverAnswer a =
      decide(&c, "(sym p 32 uniform host) (sym r 32 uniform host) (sym n 32 uniform host)" THREADS
                 "(fact (= p (*.nsw n 3)) 0) (fact (> r (*.nsw p p)) 1) (fact (< r 1000) 2)"
                 "(context (<= 4 n)) (conflict (= t@1 (-.nsw t@2 n)))");
  CHECK(a.verdict == VERDICT_RACE);
  if (a.verdict == VERDICT_RACE) {
    int64_t p = a.sym_values[0], r = a.sym_values[1], n = a.sym_values[2];
    CHECK(p == 3 * n && r > p * p && r < 1000 && n >= 4);
  }
  close_case(&c);
}

static const char *goal_with(Arena *arena, const char *row, const char *first, const char *second) {
  return arena_printf(
      arena,
      "(sym %s 32 uniform host) (sym %s 32 thread1 iteration 0 99) (sym %s 32 thread2 iteration 0 99)"
      "(sym x@1 32 thread1 tid 0 1023) (sym x@2 32 thread2 tid 0 1023)"
      "(context (< x@1 %s)) (context (< x@2 %s)) (extent (not (= x@1 x@2)))"
      "(conflict (= (+.nsw (*.nsw %s %s) x@1) (+.nsw (+.nsw (*.nsw %s %s) x@2) 1)))",
      row, first, second, row, row, first, row, second, row);
}

static void test_cache(void) {
  Case c = open_case(NULL);
  ExprPool *first_pool = c.pool;
  SolverAnswer a = decide(&c, goal_with(c.arena, "w", "j@1", "j@2"));
  SolverAnswer again = decide(&c, goal_with(c.arena, "w", "j@1", "j@2"));
  c.pool = expr_pool_make(c.arena); // other numbers, other names
  expr_new_sym(c.pool, (ExprSym){.name = "stranger", .width = 8});
  SolverAnswer renamed = decide(&c, goal_with(c.arena, "pitch", "k@1", "k@2"));
  CHECK(!a.from_cache && again.from_cache && renamed.from_cache);
  CHECK(a.verdict == VERDICT_RACE && renamed.verdict == VERDICT_RACE && a.sym_count >= 5);
  for (uint32_t i = 0; i < 5; i++)
    CHECK(a.sym_values[i] == renamed.sym_values[i + 1]);
  CHECK(renamed.sym_count == 6 && a.rlimit == renamed.rlimit);
  (void)first_pool;
  close_case(&c);
}

// The same answer in every run, and after any history.
static void test_history(void) {
  Case fresh = open_case(NULL), old = open_case(NULL);
  (void)!decide(&old, THREADS "(sym q 32 uniform host) (conflict (= (*.nsw q t@1) (*.nsw b@2 t@2)))").verdict;
  (void)!decide(&old, goal_with(old.arena, "a", "b@3", "c@3")).verdict;
  const char *text = THREADS "(sym u 32 uniform host) (sym v 32 uniform host) (fact (>= u 1)) (fact (>= v 2))"
                             "(conflict (= (+.nsw (*.nsw b@1 u) t@1) (+.nsw (*.nsw b@2 v) t@2)))";
  SolverAnswer a = decide(&fresh, text), b = decide(&old, text);
  CHECK(a.verdict == VERDICT_RACE && b.verdict == a.verdict && a.rlimit == b.rlimit && a.checks == b.checks);
  uint32_t shift = b.sym_count - a.sym_count;
  for (uint32_t i = 0; i < a.sym_count && shift <= b.sym_count; i++)
    CHECK(a.sym_values[i] == b.sym_values[i + shift]);
  close_case(&fresh);
  close_case(&old);
}

static void count_dump(void *context, const char *name, const char *smt2) {
  unsigned *count = context;
  if (name && strstr(smt2, "(check-sat)")) ++*count;
}

static void test_dump_and_budget(void) {
  unsigned dumps = 0;
  SolverOptions options = {.dump = count_dump, .dump_context = &dumps};
  Case c = open_case(&options);
  SolverAnswer a = decide(&c, goal_with(c.arena, "w", "j@1", "j@2"));
  CHECK(a.checks >= 1 && dumps >= a.checks);
  close_case(&c);
  SolverOptions poor = {.rlimit = 1};
  c = open_case(&poor);
  a = decide(&c, goal_with(c.arena, "w", "j@1", "j@2"));
  CHECK(a.verdict == VERDICT_UNKNOWN && a.reason != NULL);
  close_case(&c);
}

// A pool is spent by the answers that it asked for, whether they were found for an earlier pool or not.
static void test_pool(void) {
  Case fresh = open_case(NULL), old = open_case(NULL);
  const char *first = "w", *second = "v";
  SolverAnswer whole = decide(&old, goal_with(old.arena, first, "j@1", "j@2"));
  CHECK(whole.verdict == VERDICT_RACE && whole.rlimit > 1);
  Case *cases[] = {&fresh, &old};
  for (int i = 0; i < 2; i++) {
    Case *c = cases[i];
    solver_start_pool(c->solver, 1);
    SolverAnswer a = decide(c, goal_with(c->arena, first, "j@1", "j@2"));
    CHECK(a.verdict == VERDICT_RACE && a.rlimit == whole.rlimit); // begun, so it may finish
    SolverAnswer b = decide(c, THREADS "(sym v 32 uniform host) (conflict (= t@1 (*.nsw v t@2)))");
    CHECK(b.verdict == VERDICT_UNKNOWN && b.reason &&
          strcmp(b.reason, "the budget of the kernel is spent") == 0);
    a = decide(c, goal_with(c->arena, second, "j@1", "j@2"));
    CHECK(a.verdict == VERDICT_RACE && a.from_cache); // paid already
    solver_start_pool(c->solver, 4);                  // and a quarter of it for short questions
    CHECK(decide(c, goal_with(c->arena, first, "j@1", "j@2")).verdict == VERDICT_RACE);
    CHECK(!solver_is_spent(c->solver));
    CHECK(decide(c, THREADS "(sym v 32 uniform host) (conflict (= t@1 (*.nsw v t@2)))").verdict ==
          VERDICT_RACE);
    CHECK(solver_is_spent(c->solver));
    CHECK(decide(c, THREADS "(sym u 32 uniform host) (conflict (= t@1 (+.nsw u t@2)))").verdict ==
          VERDICT_UNKNOWN);
    solver_start_pool(c->solver, 0);
    CHECK(decide(c, THREADS "(sym v 32 uniform host) (conflict (= t@1 (*.nsw v t@2)))").verdict ==
          VERDICT_RACE);
  }
  close_case(&fresh);
  close_case(&old);
}

// What is cut off a pool is off both parts; what was spent stays spent, and the next pool is whole.
static void test_cut_pool(void) {
  Case c = open_case(NULL);
  solver_start_pool(c.solver, 1600000);
  solver_cut_pool(c.solver, 1600000); // one unit, and nothing behind it
  CHECK(!solver_is_low(c.solver) && !solver_is_spent(c.solver));
  CHECK(decide(&c, goal_with(c.arena, "w", "j@1", "j@2")).verdict == VERDICT_RACE);
  CHECK(solver_is_low(c.solver) && solver_is_spent(c.solver));
  CHECK(decide(&c, THREADS "(sym v 32 uniform host) (conflict (= t@1 (*.nsw v t@2)))").is_spent);
  solver_cut_pool(c.solver, 2); // gives nothing back
  CHECK(solver_is_spent(c.solver));
  solver_start_pool(c.solver, 1600000);
  CHECK(!solver_is_low(c.solver));
  solver_cut_pool(c.solver, 2);
  CHECK(decide(&c, goal_with(c.arena, "w", "j@1", "j@2")).verdict == VERDICT_RACE);
  CHECK(!solver_is_low(c.solver) && solver_has_half_a_rest(c.solver));
  close_case(&c);
}

// A proof that takes much (233,770 units).
#define DEAR                                                                                                 \
  "(sym k 64 uniform iteration 0 4611686018427387903) (sym s 64 uniform iteration 0 4611686018427387903)"    \
  "(sym t@1 32 thread1 tid 0 255) (sym b@1 32 thread1 bid 0 2147483646) (sym t@2 32 thread2 tid 0 255)"      \
  "(sym b@2 32 thread2 bid 0 2147483646) (sym batch 32 uniform host) (sym n 32 uniform host)"                \
  "(let round (trunc 32 k)) (let size (<<.nuw 2048:32 round))"                                               \
  "(let stride (trunc 32 (>> (zext 64 (udiv size 2:32)) s))) (let x1 (+ t@1 (* b@1 256:32)))"                \
  "(let mask (+ stride -1:32)) (let x2 (+ t@2 (* b@2 256:32))) (let blocks (udiv (* batch n) 512:32))"       \
  "(conflict (== (*.address (zext 64 (+ stride (- (* x1 2:32) (& x1 mask)))) 4:64)"                          \
  " (*.address (zext 64 (+ stride (- (* x2 2:32) (& mask x2)))) 4:64))) (extent (! (== b@1 b@2)))"           \
  "(context (< b@1 blocks)) (context (< b@2 blocks)) (fact (<=u 2:32 n) 0) (fact (<u 1024:32 n) 1)"          \
  "(fact (<=u size n) 2) (fact (! (== stride 0:32)) 3) (fact (<=u 1024:32 stride) 4)"                        \
  "(fact (<= s 32:64) 5) (fact (<= round 20:32) 6) (fact (<= 0:32 round) 7) (fact (<= 1:32 blocks) 8)"

// Since a pool was cut, no goal takes more than its part of it, whatever was found for other pools before or
// is asked after.
static void test_part_of_cut_pool(void) {
  Case c = open_case(NULL);
  for (int round = 0; round < 2; round++) {
    solver_start_pool(c.solver, 8000000);
    solver_cut_pool(c.solver, 10); // 100,000 for each
    SolverAnswer cut = decide(&c, DEAR);
    CHECK(cut.verdict == VERDICT_UNKNOWN && !cut.is_spent);
    solver_start_pool(c.solver, 8000000);
    CHECK(decide(&c, DEAR).verdict == VERDICT_SAFE);
    solver_start_pool(c.solver, 8000000);
    solver_cut_pool(c.solver, 1); // a million for each
    CHECK(decide(&c, DEAR).verdict == VERDICT_SAFE);
  }
  close_case(&c);
}

// A pool counts as spent where a third of it went into goals that stayed open; not if their parts are asked next.
static void test_fruitless_goals(void) {
  Case c = open_case(NULL);
  const char *error = NULL;
  GoalText *dear = solver_goal_read(DEAR, c.pool, c.arena, &error);
  CHECK(dear != NULL);
  for (int has_parts = 0; dear && has_parts < 2; has_parts++) {
    solver_start_pool(c.solver, 500000); // 166,000 for such
    dear->goal.has_parts = has_parts;
    for (uint64_t question = 0; question < 2; question++) {
      dear->goal.rlimit = 110000 + 2 * question + (uint64_t)has_parts; // four questions
      CHECK(solver_decide(c.solver, &dear->goal, c.arena).verdict == VERDICT_UNKNOWN);
    }
    CHECK(solver_is_low(c.solver) == !has_parts && !solver_is_spent(c.solver));
    CHECK(decide(&c, goal_with(c.arena, "w", "j@1", "j@2")).verdict == VERDICT_RACE);
  }
  close_case(&c);
}

// Of a small pool a goal takes a quarter at most, however much a goal may take by itself; of a whole one, all of
// that.
static void test_part_of_small_pool(void) {
  Case c = open_case(NULL);
  for (int round = 0; round < 2; round++) {
    solver_start_pool(c.solver, 500000); // 125,000 for each
    SolverAnswer small = decide(&c, DEAR);
    CHECK(small.verdict == VERDICT_UNKNOWN && !small.is_spent);
    solver_start_pool(c.solver, 4000000); // a million for each
    CHECK(decide(&c, DEAR).verdict == VERDICT_SAFE);
    solver_start_pool(c.solver, 0);
    CHECK(decide(&c, DEAR).verdict == VERDICT_SAFE);
  }
  close_case(&c);
}

// What A1 takes for granted is shown where the facts bound it: w * h elements fit 32 bits, or they do not.
static void test_overflow(void) {
  SolverOptions options = {.prefer_small = true, .check_overflow = true};
  static const char *const limits[] = {"16777216:64", "17179869184:64"};
  for (int i = 0; i < 2; i++) {
    Case c = open_case(&options), trusting = open_case(NULL);
    const char *text = arena_printf(
        c.arena,
        "(sym w 32 uniform host) (sym h 32 uniform host) (sym x@1 32 thread1 iteration 0 2147483647)"
        "(sym y@1 32 thread1 iteration 0 2147483647) (sym x@2 32 thread2 iteration 0 2147483647)"
        "(sym y@2 32 thread2 iteration 0 2147483647) (fact (< 0:32 w) 1) (fact (< 0:32 h) 2)"
        "(fact (<= (* (sext 64 w) (sext 64 h)) %s) 3) (context (< x@1 w)) (context (< y@1 h))"
        "(context (< x@2 w)) (context (< y@2 h)) (extent (not (and (= x@1 x@2) (= y@1 y@2))))"
        "(conflict (= (+.nsw (*.nsw y@1 w) x@1) (+.nsw (*.nsw y@2 w) x@2)))",
        limits[i]);
    SolverAnswer a = decide(&c, text), again = decide(&c, text), b = decide(&trusting, text);
    CHECK(a.verdict == VERDICT_SAFE && b.verdict == VERDICT_SAFE && b.used_no_overflow && !b.overflow_at);
    CHECK(a.used_no_overflow == (i == 1) && (a.overflow_at != 0) == (i == 1));
    CHECK(again.from_cache && (again.overflow_at != 0) == (i == 1)); // of symbols read anew
    close_case(&c);
    close_case(&trusting);
  }
}

static void test_satisfiable(void) {
  Case c = open_case(NULL);
  const char *error;
  GoalText *yes = solver_goal_read("(sym n 32 uniform host) (fact (> (*.nsw n n) 50)) (fact (< n 0))", c.pool,
                                   c.arena, &error);
  GoalText *no =
      solver_goal_read("(sym m 32 uniform host) (fact (> m 5) 1) (fact (< m 3) 2)", c.pool, c.arena, &error);
  SolverAnswer a = solver_satisfiable(c.solver, &yes->goal, c.arena);
  SolverAnswer b = solver_satisfiable(c.solver, &no->goal, c.arena);
  CHECK(a.verdict == VERDICT_RACE && a.sym_values[0] < -7);
  CHECK(b.verdict == VERDICT_SAFE && b.core_count == 2);
  close_case(&c);
}

// Conditions that share their parts: 2 to the power of `LEVELS` ways lead to the innermost one. Each level
// says that one of two words is above the level, and one of them is at most ten.
static void test_shared_conditions(void) {
  enum { LEVELS = 60 };
  for (int is_bounded = 0; is_bounded < 2; is_bounded++) {
    Case c = open_case(NULL);
    const ExprSym word = {.width = 32, .lo = INT32_MIN, .hi = INT32_MAX, .owner = OWNER_UNIFORM, .name = "n"};
    ExprRef n = expr_new_sym(c.pool, word), m = expr_new_sym(c.pool, word);
    ExprRef shared = expr_binary(c.pool, EXPR_SLT, 0, expr_const(c.pool, 32, 0), n);
    for (int level = 1; level <= LEVELS; level++) {
      ExprRef number = expr_const(c.pool, 32, level);
      ExprRef one = expr_and(c.pool, shared, expr_binary(c.pool, EXPR_SLT, 0, number, n));
      shared = expr_or(c.pool, one, expr_and(c.pool, shared, expr_binary(c.pool, EXPR_SLT, 0, number, m)));
    }
    ExprRef ten = expr_const(c.pool, 32, 10);
    GoalCondition conditions[] = {
        {.condition = shared, .part = GOAL_CONTEXT},
        {.condition = expr_binary(c.pool, EXPR_SLE, 0, n, ten), .part = GOAL_CONTEXT},
        {.condition = expr_binary(c.pool, EXPR_SLE, 0, m, ten), .part = GOAL_CONFLICT}};
    SolverGoal goal = {.pool = c.pool, .condition_count = is_bounded ? 3 : 2, .conditions = conditions};
    SolverAnswer answer = solver_decide(c.solver, &goal, c.arena);
    CHECK(answer.verdict == (is_bounded ? VERDICT_SAFE : VERDICT_RACE));
    close_case(&c);
  }
}

static void test_reader_mistakes(void) {
  static const char *const bad[] = {"(fact (< n 3))",
                                    "(sym n 32 uniform host) (fact n)",
                                    "(sym n 99 uniform host)",
                                    "(goal x maybe)",
                                    "(fact (= 1 2)",
                                    "(fact (foo 1 2))",
                                    "(sym n 32 uniform host) (sym m 64 uniform host) (fact (< n m))",
                                    "fact"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Arena *arena = arena_open();
    const char *error = NULL;
    CHECK(solver_goal_read(bad[i], expr_pool_make(arena), arena, &error) == NULL && error != NULL);
    arena_close(arena);
  }
}

// One question of an earlier run.
typedef struct Remembered {
  bool is_kept;
  Digest question;
  SolverKnown known;
} Remembered;

static bool find_remembered(void *context, Digest question, SolverKnown *known) {
  const Remembered *remembered = context;
  *known = remembered->known;
  return remembered->is_kept && digest_equal(remembered->question, question);
}

static void remember(void *context, Digest question, const SolverKnown *known) {
  *(Remembered *)context = (Remembered){true, question, *known};
}

static SolverAnswer ask_remembering(Remembered *remembered, const char *text) {
  SolverMemory memory = {find_remembered, remember, remembered};
  Case c = open_case(&(SolverOptions){.prefer_small = true, .memory = &memory});
  const char *error = NULL;
  GoalText *goal = solver_goal_read(text, c.pool, c.arena, &error);
  SolverAnswer answer = {0};
  if (CHECK(goal != NULL)) answer = solver_satisfiable(c.solver, &goal->goal, c.arena);
  close_case(&c);
  return answer;
}

// The digest of a question is made from a copy of its key, to which more is added.
static void test_memory(void) {
  static const char holds[] = "(sym n 32 uniform host) (context (> n 3))",
                    fails[] = "(sym n 32 uniform host) (context (> n 3)) (context (< n 2))";
  Remembered remembered = {0};
  SolverAnswer first = ask_remembering(&remembered, holds), again = ask_remembering(&remembered, holds);
  CHECK(first.verdict == VERDICT_RACE && !first.from_cache);
  CHECK(again.verdict == VERDICT_RACE && again.from_cache && again.rlimit == first.rlimit);
  SolverAnswer other = ask_remembering(&remembered, fails);
  CHECK(other.verdict == VERDICT_SAFE && !other.from_cache);
}

// Whoever waits for a signal that was ignored before finds it, though questions are asked in between.
static void test_signals(void) {
  sigset_t interrupt, pending, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigaction(SIGINT, &ignore, &old);
  pthread_sigmask(SIG_BLOCK, &interrupt, &before);
  kill(getpid(), SIGINT);
  Case c = open_case(NULL);
  SolverAnswer numbers =
      decide(&c, "(sym n 32 uniform host) (sym m 32 uniform host) (context (> (*.nsw n m) 20))"
                 "(context (< n 7)) (context (> n 0)) (context (< m 6)) (context (> m 0))");
  SolverAnswer words = decide(
      &c, "(sym n 32 uniform host) (sym m 32 uniform host) (context (= (^ n m) 5)) (context (= (& n m) 8))");
  CHECK(numbers.verdict == VERDICT_RACE && words.verdict == VERDICT_RACE);
  close_case(&c);
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGINT));
  int number = 0;
  if (sigismember(&pending, SIGINT)) sigwait(&interrupt, &number);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGINT, &old, NULL);
}

int main(void) {
  test_core();
  test_signals();
  test_memory();
  test_no_assumption();
  test_dead();
  test_sizes();
  test_strangers();
  test_function_values();
  test_facts_extend();
  test_cache();
  test_history();
  test_refuted();
  test_dump_and_budget();
  test_pool();
  test_cut_pool();
  test_part_of_cut_pool();
  test_part_of_small_pool();
  test_fruitless_goals();
  test_overflow();
  test_satisfiable();
  test_shared_conditions();
  test_reader_mistakes();
  return check_result();
}
