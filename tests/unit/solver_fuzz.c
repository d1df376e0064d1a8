// Differential test: random goals, decided by the solver and by trying all small values. A witness that the
// solver denies is a failure, whatever the rest of the run says; so is a witness of the solver that does not
// hold, and, where the symbols have no other values, a witness that the trial does not find.
//   unit_solver_fuzz [FIRST-SEED COUNT [-v]]     (more ways to give seeds: tests/unit/seeds.h)
// SPDX-License-Identifier: Apache-2.0
#include "core/vec.h"
#include "solver/solver.h"
#include "tests/unit/check.h"
#include "tests/unit/seeds.h"

#include <stdlib.h>

enum { SEEDS = 150, MAX_SYMS = 12, MAX_TRIALS = 400000, MAX_CONDITIONS = 32 };

static uint64_t state;
static uint32_t rnd(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 20) % below;
}

typedef struct Fuzz {
  Arena *arena;
  ExprPool *pool;
  ExprRef uniform[4], tid[2], bid[2], step[2], dim; // dim: blockDim.x
  int64_t lo[MAX_SYMS], hi[MAX_SYMS];               // values to try
  uint32_t sym_count;
  bool is_closed;   // the symbols have no other values
  bool is_unsigned; // arithmetic without NSW, unsigned comparisons
  uint8_t flags;
  VEC(GoalCondition) conditions;
} Fuzz;

static ExprRef add_sym(Fuzz *f, const char *name, ExprOwner owner, ExprSymKind kind, int64_t lo, int64_t hi) {
  ExprSym sym = {.name = name, .width = 32, .owner = (uint8_t)owner, .kind = (uint8_t)kind};
  if (f->is_closed) {
    sym.lo = lo;
    sym.hi = hi == 0 && lo == 0 ? 1 : hi;
    hi = sym.hi;
  } else if (kind == SYM_THREAD_IDX) {
    sym.hi = 1023;
  } else if (kind == SYM_BLOCK_DIM) {
    sym.lo = 1;
    sym.hi = 1024;
  } else if (kind == SYM_BLOCK_IDX || kind == SYM_ITERATION)
    sym.hi = INT32_MAX - 1;
  f->lo[f->sym_count] = lo;
  f->hi[f->sym_count++] = hi;
  return expr_new_sym(f->pool, sym);
}

static ExprRef num(Fuzz *f, int64_t value) {
  return expr_const(f->pool, 32, value);
}
static ExprRef op(Fuzz *f, ExprOp kind, ExprRef a, ExprRef b) {
  bool is_sum = kind == EXPR_ADD || kind == EXPR_SUB || kind == EXPR_MUL;
  return expr_binary(f->pool, kind, is_sum ? f->flags : 0, a, b);
}
static ExprRef less(Fuzz *f, ExprRef a, ExprRef b) {
  return op(f, f->is_unsigned ? EXPR_ULT : EXPR_SLT, a, b);
}
static ExprRef quotient(Fuzz *f, ExprRef a, ExprRef b) {
  return op(f, f->is_unsigned ? EXPR_UDIV : EXPR_SDIV, a, b);
}
static ExprRef rest(Fuzz *f, ExprRef a, ExprRef b) {
  return op(f, f->is_unsigned ? EXPR_UREM : EXPR_SREM, a, b);
}
static void add(Fuzz *f, ExprRef condition, GoalPart part) {
  vec_push(f->arena, &f->conditions, (GoalCondition){condition, part, f->conditions.count});
}

// ---- addresses as kernels have them
typedef struct Shape {
  uint32_t kind, offset, offset_by;
  uint32_t a, b, c; // which sizes
} Shape;

// x taken apart into coordinates k, j, i, and put together again: right, or with the two sizes exchanged.
static ExprRef put_together(Fuzz *f, ExprRef x, ExprRef a, ExprRef b) {
  ExprRef k = rest(f, x, a), j = rest(f, quotient(f, op(f, EXPR_SUB, x, k), a), b);
  ExprRef aj = op(f, EXPR_MUL, a, j), ab = op(f, EXPR_MUL, a, b);
  ExprRef i = quotient(f, op(f, EXPR_SUB, op(f, EXPR_SUB, x, aj), k), ab);
  ExprRef inner = rnd(3) ? aj : op(f, EXPR_MUL, b, j);
  return op(f, EXPR_ADD, op(f, EXPR_MUL, ab, i), op(f, EXPR_ADD, inner, k));
}

static ExprRef address(Fuzz *f, const Shape *s, int t) {
  ExprRef a = f->uniform[s->a], b = f->uniform[s->b];
  ExprRef x = op(f, EXPR_ADD, op(f, EXPR_MUL, f->bid[t], f->dim), f->tid[t]), j = f->step[t], r;
  switch (s->kind) {
  case 0: r = op(f, EXPR_ADD, op(f, EXPR_MUL, j, a), x); break;
  case 1: r = op(f, EXPR_ADD, op(f, EXPR_MUL, x, a), j); break;
  case 2:
    r = op(f, EXPR_ADD, op(f, EXPR_MUL, op(f, EXPR_ADD, op(f, EXPR_MUL, j, a), x), b), f->tid[t]);
    break;
  case 3: r = op(f, EXPR_ADD, op(f, EXPR_MUL, rest(f, x, a), b), quotient(f, x, a)); break;
  case 4: r = op(f, EXPR_ADD, op(f, EXPR_MUL, x, op(f, EXPR_ADD, a, b)), j); break;
  case 5:
    r = op(f, EXPR_ADD, quotient(f, op(f, EXPR_MUL, x, op(f, EXPR_ADD, x, num(f, 1))), num(f, 2)), j);
    break;
  case 6: r = op(f, EXPR_ADD, op(f, EXPR_MUL, op(f, EXPR_MUL, x, a), b), op(f, EXPR_MUL, j, a)); break;
  case 7: r = op(f, EXPR_AND, op(f, EXPR_SUB, x, j), num(f, 3)); break;
  case 8: r = op(f, EXPR_XOR, x, a); break;
  case 9: r = op(f, EXPR_ADD, op(f, EXPR_ASHR, op(f, EXPR_SUB, x, num(f, 1)), num(f, 1)), j); break;
  case 10: r = rest(f, op(f, EXPR_ADD, x, b), a); break;
  case 11: r = op(f, EXPR_ADD, op(f, EXPR_SHL, num(f, 1), j), x); break;
  case 12:
    r = expr_ite(f->pool, less(f, x, a), op(f, EXPR_ADD, x, b), op(f, EXPR_MUL, x, op(f, EXPR_ADD, j, a)));
    break;
  case 13: r = put_together(f, op(f, EXPR_SUB, x, j), a, b); break;
  case 14: r = put_together(f, x, b, a); break;
  default: r = op(f, EXPR_ADD, x, op(f, EXPR_MUL, j, op(f, EXPR_MUL, f->dim, a))); break;
  }
  ExprRef by = s->offset_by == 0 ? num(f, 1) : s->offset_by == 1 ? a : b;
  return s->offset ? op(f, EXPR_ADD, r, op(f, EXPR_MUL, num(f, s->offset), by)) : r;
}

static void guard(Fuzz *f, uint32_t kind, const Shape *s, int t) {
  ExprRef a = f->uniform[s->a], b = f->uniform[s->b], j = f->step[t];
  ExprRef x = op(f, EXPR_ADD, op(f, EXPR_MUL, f->bid[t], f->dim), f->tid[t]), c;
  switch (kind) {
  case 0: c = less(f, x, a); break;
  case 1: c = less(f, x, b); break;
  case 2: c = less(f, j, a); break;
  case 3: c = less(f, j, b); break;
  case 4: c = expr_not(f->pool, less(f, x, j)); break;
  case 5: c = less(f, op(f, EXPR_SUB, x, num(f, 1)), a); break;
  case 6: c = expr_eq(f->pool, rest(f, x, num(f, 2)), num(f, 0)); break;
  default: c = less(f, x, op(f, EXPR_MUL, a, b)); break;
  }
  add(f, c, GOAL_CONTEXT);
}

static Shape random_shape(void) {
  Shape s = {.kind = rnd(16), .offset = rnd(2) ? 0 : rnd(3), .offset_by = rnd(3)};
  s.a = rnd(3);
  s.b = (s.a + 1 + rnd(2)) % 3;
  return s;
}

static void build(Fuzz *f) {
  f->is_closed = rnd(2);
  f->is_unsigned = rnd(2);
  f->flags = f->is_unsigned ? 0 : EXPR_NSW;
  static const char *const sizes[] = {"A", "B", "C"};
  for (int i = 0; i < 3; i++)
    f->uniform[i] = add_sym(f, sizes[i], OWNER_UNIFORM, SYM_HOST_VALUE,
                            rnd(4)           ? 1
                            : f->is_unsigned ? 0
                                             : -1,
                            4);
  f->dim = rnd(2) ? num(f, 2 + rnd(2)) : add_sym(f, "blockDim.x", OWNER_UNIFORM, SYM_BLOCK_DIM, 1, 3);
  for (int t = 0; t < 2; t++) {
    ExprOwner owner = t ? OWNER_THREAD2 : OWNER_THREAD1;
    f->tid[t] = add_sym(f, "threadIdx.x", owner, SYM_THREAD_IDX, 0, 3);
    f->bid[t] = add_sym(f, "blockIdx.x", owner, SYM_BLOCK_IDX, 0, 2);
    f->step[t] = add_sym(f, "j", owner, SYM_ITERATION, 0, 3);
    add(f, less(f, f->tid[t], f->dim), GOAL_CONTEXT);
  }
  for (int i = 0; i < 3; i++)
    if (rnd(4)) add(f, op(f, EXPR_SLE, num(f, 1), f->uniform[i]), GOAL_FACT);
  if (rnd(3) == 0) add(f, op(f, EXPR_SLE, f->uniform[0], f->uniform[1]), GOAL_FACT);
  if (rnd(4) == 0) add(f, expr_eq(f->pool, f->uniform[0], f->uniform[1]), GOAL_FACT);
  Shape first = random_shape(), second = rnd(5) < 3 ? first : random_shape();
  for (uint32_t i = 0, n = 1 + rnd(3); i < n; i++) {
    uint32_t kind = rnd(8);
    guard(f, kind, &first, 0);
    guard(f, kind, &first, 1);
  }
  ExprRef same =
      expr_and(f->pool, expr_eq(f->pool, f->tid[0], f->tid[1]), expr_eq(f->pool, f->bid[0], f->bid[1]));
  add(f, expr_not(f->pool, same), GOAL_EXTENT);
  ExprRef one = address(f, &first, 0), two = address(f, &second, 1);
  if (rnd(3)) {
    add(f, expr_eq(f->pool, one, two), GOAL_CONFLICT);
  } else { // bytes: words of four at the one, of two at the other
    ExprRef wide[2] = {expr_resize_signed(f->pool, one, 64), expr_resize_signed(f->pool, two, 64)};
    for (int t = 0; t < 2; t++)
      wide[t] = expr_binary(f->pool, EXPR_MUL, EXPR_ADDRESS, wide[t], expr_const(f->pool, 64, t ? 2 : 4));
    for (int t = 0; t < 2; t++) {
      ExprRef end = expr_binary(f->pool, EXPR_ADD, EXPR_ADDRESS, wide[t], expr_const(f->pool, 64, t ? 2 : 4));
      add(f, expr_binary(f->pool, EXPR_SLT, 0, wide[!t], end), GOAL_CONFLICT);
    }
  }
}

// ---- trial
static bool holds(const Fuzz *f, const int64_t *values, bool with_conflict) {
  ExprEnv env = {.sym_values = values, .sym_count = f->sym_count};
  for (uint32_t i = 0; i < f->conditions.count; i++) {
    int64_t value = 0;
    if (f->conditions.items[i].part == GOAL_CONFLICT && !with_conflict) continue;
    if (expr_eval(f->pool, f->conditions.items[i].condition, &env, &value) != EXPR_EVAL_OK || !value)
      return false;
  }
  return true;
}

// Tries all values, or as many as the limit allows; *all says whether it was all.
static bool find_witness(const Fuzz *f, bool with_conflict, int64_t *values, bool *all) {
  *all = true;
  for (uint32_t i = 0; i < f->sym_count; i++)
    values[i] = f->lo[i];
  for (uint32_t trial = 0;; trial++) {
    if (holds(f, values, with_conflict)) return true;
    uint32_t i = 0;
    while (i < f->sym_count && values[i] == f->hi[i])
      i++;
    if (i == f->sym_count) return false;
    if (trial >= MAX_TRIALS) return *all = false;
    values[i]++;
    while (i-- > 0)
      values[i] = f->lo[i];
  }
}

static uint32_t verdicts[4], undecided_closed, on_base;

// One solver for all seeds: no answer, and no unit of work for it, may depend on what it was asked before.
static Solver *shared;
static const SolverOptions options = {.rlimit = 3000000};

static bool is_same_alone(const SolverGoal *goal, const SolverAnswer *answer, Arena *arena) {
  if (answer->from_cache) return true;
  Solver *fresh = solver_open(&options);
  SolverAnswer alone = solver_decide(fresh, goal, arena);
  solver_close(fresh);
  if (alone.verdict != answer->verdict || alone.checks != answer->checks || alone.rlimit != answer->rlimit ||
      alone.sym_count != answer->sym_count || alone.core_count != answer->core_count)
    return false;
  for (uint32_t i = 0; i < alone.sym_count; i++)
    if (alone.sym_values[i] != answer->sym_values[i]) return false;
  return true;
}

static bool base_is_kept(const Fuzz *f, const SolverBase *base, const SolverAnswer *answer) {
  for (uint32_t i = 0; i < f->sym_count; i++)
    if (base->has[i] && base->answer->sym_values[i] != answer->sym_values[i]) return false;
  return true;
}

// Values that the facts allow are tried first: what is answered must be as true as without them.
static bool is_true_on_base(const Fuzz *f, const SolverGoal *goal, const SolverAnswer *plain) {
  GoalCondition facts[MAX_CONDITIONS];
  bool has[MAX_SYMS];
  SolverGoal host = {.pool = f->pool, .conditions = facts, .name = "facts"};
  for (uint32_t i = 0; i < f->conditions.count && host.condition_count < MAX_CONDITIONS; i++)
    if (f->conditions.items[i].part == GOAL_FACT) facts[host.condition_count++] = f->conditions.items[i];
  for (uint32_t i = 0; i < f->sym_count; i++)
    has[i] = expr_sym_info(f->pool, i)->owner == OWNER_UNIFORM;
  SolverAnswer model = solver_satisfiable(shared, &host, f->arena);
  if (model.verdict != VERDICT_RACE || model.sym_count < f->sym_count) return true;
  SolverBase base = {&model, has};
  SolverGoal based = *goal;
  based.base = &base;
  SolverAnswer answer = solver_decide(shared, &based, f->arena),
               any = solver_satisfiable(shared, &based, f->arena);
  if (answer.verdict == VERDICT_RACE && !holds(f, answer.sym_values, true)) return false;
  if (any.verdict == VERDICT_RACE && !holds(f, any.sym_values, true)) return false;
  on_base += any.verdict == VERDICT_RACE && base_is_kept(f, &base, &any);
  bool is_refuted = plain->verdict == VERDICT_SAFE || plain->verdict == VERDICT_DEAD;
  if (is_refuted && (answer.verdict == VERDICT_RACE || any.verdict == VERDICT_RACE)) return false;
  return plain->verdict != VERDICT_RACE || (answer.verdict != VERDICT_SAFE && any.verdict != VERDICT_SAFE);
}

static bool check_seed(uint64_t seed, bool verbose) {
  Arena *arena = arena_open();
  Fuzz f = {.arena = arena, .pool = expr_pool_make(arena)};
  state = seed * 0x9E3779B97F4A7C15ull + 12345;
  build(&f);
  SolverGoal goal = {.pool = f.pool,
                     .condition_count = f.conditions.count,
                     .conditions = f.conditions.items,
                     .name = "fuzz"};
  SolverAnswer answer = solver_decide(shared, &goal, arena);
  verdicts[answer.verdict]++;
  int64_t values[MAX_SYMS];
  bool all = true, right = true;
  const char *what = "";
  if (answer.verdict == VERDICT_SAFE && find_witness(&f, true, values, &all))
    right = false, what = "denied a witness";
  if (answer.verdict == VERDICT_DEAD && find_witness(&f, false, values, &all))
    right = false, what = "is not dead";
  if (answer.verdict == VERDICT_RACE && !holds(&f, answer.sym_values, true))
    right = false, what = "no witness";
  if (seed % 4 == 0 && !is_same_alone(&goal, &answer, arena)) right = false, what = "depends on history";
  if (seed % 6 == 1 && !is_true_on_base(&f, &goal, &answer)) right = false, what = "is another on a base";
  if (answer.verdict == VERDICT_UNKNOWN && f.is_closed) undecided_closed++;
  if (!right || (verbose && answer.verdict == VERDICT_UNKNOWN)) {
    StrBuf text = {.arena = arena};
    solver_goal_print(&goal, VERDICT_UNKNOWN, &text);
    fprintf(stderr, "; seed %llu: %s %s\n%s", (unsigned long long)seed, verdict_name(answer.verdict), what,
            strbuf_text(&text));
    for (uint32_t i = 0; !right && i < f.sym_count; i++)
      fprintf(stderr, "; %s = %lld\n", expr_sym_info(f.pool, i)->name, (long long)values[i]);
  }
  arena_close(arena);
  return right;
}

int main(int argc, char **argv) {
  Seeds seeds = seeds_of(argc, argv, SEEDS);
  bool verbose = argc > 3;
  shared = solver_open(&options);
  for (uint64_t seed; seeds_next(&seeds, &seed);)
    CHECK(check_seed(seed, verbose));
  solver_close(shared);
  seeds_end(&seeds);
  if (!seeds.is_default)
    printf("undecided %u (%u of them closed), race-free %u, racy %u, dead %u\n", verdicts[0],
           undecided_closed, verdicts[1], verdicts[2], verdicts[3]);
  uint64_t count = seeds.next - seeds.first;
  CHECK(verdicts[VERDICT_UNKNOWN] * 20 <= count || count < SEEDS); // a solver that gives up is no solver
  CHECK(on_base * 40 >= count || count < SEEDS); // bases that never help are no test of them
  return check_result();
}
