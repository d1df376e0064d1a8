// Enumeration and circuits against plain evaluation: random conditions over every operation, of three symbols
// with a few values each, negative ones included. What all values refute may not have a witness, and the
// other way round: "unsatisfiable" with a combination that holds is a failure. Words are as narrow as their
// intervals allow, which is what can go wrong.
//   unit_solver_words [FIRST-SEED COUNT]     (more ways to give seeds: tests/unit/seeds.h)
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "tests/unit/check.h"
#include "tests/unit/seeds.h"

#include <stdlib.h>

enum { SYMS = 3, SEEDS = 250 };

static uint64_t state;
static uint32_t rnd(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 20) % below;
}

typedef struct Tree {
  ExprPool *pool;
  ExprRef syms[SYMS]; // uniform, thread 1, thread 2
  uint32_t allowed;   // bit i: syms[i] may occur
} Tree;

static ExprRef word_of(Tree *t, uint8_t width, int depth);

static ExprRef truth_of(Tree *t, int depth) {
  static const ExprOp compare[] = {EXPR_EQ, EXPR_SLT, EXPR_SLE, EXPR_ULT, EXPR_ULE};
  static const uint8_t widths[] = {8, 16, 32, 64};
  uint32_t pick = depth <= 0 ? 0 : rnd(7);
  if (pick < 4) {
    uint8_t w = widths[rnd(4)];
    ExprRef a = word_of(t, w, depth - 1), b = word_of(t, w, depth - 1);
    return expr_binary(t->pool, compare[rnd(5)], 0, a, b);
  }
  ExprRef a = truth_of(t, depth - 1), b = truth_of(t, depth - 1);
  if (pick == 4) return expr_not(t->pool, a);
  return expr_binary(t->pool, pick == 5 ? EXPR_AND : rnd(2) ? EXPR_OR : EXPR_XOR, 0, a, b);
}

static ExprRef leaf_of(Tree *t, uint8_t width) {
  static const int64_t values[] = {0, 1, 2, 3, 5, 7, 8, 31, 63, -1, -2, -8, 100, 127, 255, 0x9E3779B1};
  if (rnd(3) == 0) return expr_const(t->pool, width, values[rnd(16)]);
  uint32_t i = rnd(SYMS);
  while (!(t->allowed >> i & 1))
    i = (i + 1) % SYMS;
  return rnd(2) ? expr_resize_signed(t->pool, t->syms[i], width)
                : expr_resize_unsigned(t->pool, t->syms[i], width);
}

static ExprRef word_of(Tree *t, uint8_t width, int depth) {
  static const ExprOp ops[] = {EXPR_ADD, EXPR_SUB,  EXPR_MUL,  EXPR_SDIV, EXPR_SREM, EXPR_UDIV, EXPR_UREM,
                               EXPR_SHL, EXPR_LSHR, EXPR_ASHR, EXPR_AND,  EXPR_OR,   EXPR_XOR};
  static const uint8_t widths[] = {8, 16, 32, 64};
  if (depth <= 0 || rnd(8) == 0) return leaf_of(t, width);
  uint32_t pick = rnd(16);
  if (pick == 0) {
    ExprRef a = word_of(t, widths[rnd(4)], depth - 1);
    return rnd(2) ? expr_resize_signed(t->pool, a, width) : expr_resize_unsigned(t->pool, a, width);
  }
  if (pick == 1)
    return expr_ite(t->pool, truth_of(t, depth - 1), word_of(t, width, depth - 1),
                    word_of(t, width, depth - 1));
  if (pick == 2) return expr_unary(t->pool, rnd(2) ? EXPR_ZEXT : EXPR_SEXT, width, truth_of(t, depth - 1));
  ExprOp op = ops[rnd(13)];
  bool is_shift = op == EXPR_SHL || op == EXPR_LSHR || op == EXPR_ASHR, is_sum = op <= EXPR_MUL;
  ExprRef a = word_of(t, width, depth - 1);
  ExprRef b = is_shift && rnd(4) ? expr_const(t->pool, width, rnd(width)) : word_of(t, width, depth - 1);
  return expr_binary(t->pool, op, is_sum && rnd(2) ? EXPR_NSW : 0, a, b);
}

static Tree tree_make(Arena *arena) {
  static const uint8_t widths[] = {32, 32, 8, 64};
  static const int64_t lows[] = {0, 0, 0, 1, 6, -3, -8, -128};
  Tree t = {.pool = expr_pool_make(arena)};
  for (int i = 0; i < SYMS; i++) {
    int64_t lo = lows[rnd(8)];
    ExprSym sym = {.name = "s", .width = widths[rnd(4)], .owner = (uint8_t)i, .kind = SYM_UNKNOWN, .lo = lo};
    sym.hi = lo + 1 + rnd(i ? 12 : 3);
    t.syms[i] = expr_new_sym(t.pool, sym);
  }
  return t;
}

static void add(Query *q, ExprRef condition, GoalPart part) {
  vec_push(q->arena, &q->conditions, (QueryCondition){.condition = condition, .part = part});
}

static bool holds(const Query *q, const int64_t *syms) {
  ExprEnv env = {.sym_values = syms, .sym_count = SYMS};
  for (uint32_t i = 0; i < q->conditions.count; i++) {
    int64_t value = 0;
    if (expr_eval(q->pool, q->conditions.items[i].condition, &env, &value) != EXPR_EVAL_OK || !value)
      return false;
  }
  return true;
}

static bool has_witness(const Query *q, const Tree *t) {
  int64_t syms[SYMS];
  const ExprSym *info[SYMS];
  for (uint32_t i = 0; i < SYMS; i++)
    info[i] = expr_sym_info(t->pool, i);
  for (syms[0] = info[0]->lo; syms[0] <= info[0]->hi; syms[0]++)
    for (syms[1] = info[1]->lo; syms[1] <= info[1]->hi; syms[1]++)
      for (syms[2] = info[2]->lo; syms[2] <= info[2]->hi; syms[2]++)
        if (holds(q, syms)) return true;
  return false;
}

static uint32_t refuted[2], found[2]; // by enumeration, by circuit

static bool check(const Query *q, const Tree *t, int way, SmtResult r, const Witness *witness) {
  refuted[way] += r == SMT_UNSAT;
  found[way] += r == SMT_SAT;
  if (r == SMT_UNSAT) return !has_witness(q, t);
  return r != SMT_SAT || holds(q, witness->sym_values);
}

static bool check_seed(uint64_t seed) {
  Arena *arena = arena_open();
  state = seed * 0x9E3779B97F4A7C15ull + 1;
  Tree t = tree_make(arena);
  Query *q = query_make(arena, t.pool);
  t.allowed = 3;
  ExprRef one = word_of(&t, 32, 3);
  t.allowed = 5;
  ExprRef two = word_of(&t, 32, 3);
  t.allowed = 7;
  add(q, expr_eq(t.pool, one, two), GOAL_CONFLICT);
  add(q, truth_of(&t, 2), GOAL_CONTEXT);
  if (rnd(2)) add(q, truth_of(&t, 2), GOAL_FACT);
  bool right = true;
  if (lower_query(q)) {
    SearchOptions options = {.rlimit = 10000000};
    Search s = {.q = q, .options = &options, .arena = arena};
    Witness witness = {0};
    uint64_t work = 0;
    right = check(q, &t, 0, guess_all(q, arena, &witness, &work), &witness) &&
            check(q, &t, 1, words_run(&s, 0, 10000000), &s.witness);
    SmtResult r = words_run(&s, 64, 10000000);
    right = right && check(q, &t, 1, r == SMT_UNSAT ? SMT_UNKNOWN : r, &s.witness);
  }
  if (!right) {
    StrBuf text = {.arena = arena};
    for (uint32_t i = 0; i < q->conditions.count; i++) {
      expr_print(t.pool, q->conditions.items[i].condition, false, &text);
      strbuf_add(&text, "\n");
    }
    fprintf(stderr, "seed %llu:\n%s", (unsigned long long)seed, strbuf_text(&text));
  }
  arena_close(arena);
  return right;
}

int main(int argc, char **argv) {
  Seeds seeds = seeds_of(argc, argv, SEEDS);
  for (uint64_t seed; seeds_next(&seeds, &seed);)
    CHECK(check_seed(seed));
  seeds_end(&seeds);
  bool is_test = refuted[0] > 5 && found[0] > 0 && refuted[1] > 100 && found[1] > 20;
  CHECK(!seeds.is_default || is_test); // it must test something
  if (!seeds.is_default)
    printf("enumeration refutes %u and finds %u, circuits %u and %u\n", refuted[0], found[0], refuted[1],
           found[1]);
  return check_result();
}
