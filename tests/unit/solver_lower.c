// Lowering against plain evaluation: for random expressions over every operation and random values, negative
// ones and wrapping ones included, the polynomial has the value of the word, and the formulas of both
// polarities have the truth of the condition. Small values must always agree; large ones whenever nothing was
// assumed not to wrap.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "tests/unit/check.h"
#include "tests/unit/seeds.h"

#include <stdlib.h>

enum { SYMS = 4, TREES = 4000, TRIALS = 12 };

static uint64_t state;
static bool has_variable_shift; // of the tree at hand: A1 takes x << n not to wrap for n <= 8 only
static uint32_t rnd(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 20) % below;
}

typedef struct Tree {
  ExprPool *pool;
  ExprRef syms[SYMS];
  uint32_t func;
} Tree;

static ExprRef word_of(Tree *t, uint8_t width, int depth);

static ExprRef truth_of(Tree *t, int depth) {
  static const ExprOp compare[] = {EXPR_EQ, EXPR_SLT, EXPR_SLE, EXPR_ULT, EXPR_ULE};
  static const uint8_t widths[] = {8, 16, 32, 64};
  uint32_t pick = depth <= 0 ? 0 : rnd(8);
  if (pick < 4) {
    uint8_t w = widths[rnd(4)];
    ExprRef a = word_of(t, w, depth - 1), b = word_of(t, w, depth - 1);
    return expr_binary(t->pool, compare[rnd(5)], 0, a, b);
  }
  ExprRef a = truth_of(t, depth - 1), b = truth_of(t, depth - 1);
  if (pick == 4) return expr_not(t->pool, a);
  if (pick == 5) return expr_ite(t->pool, a, b, truth_of(t, depth - 1));
  return expr_binary(t->pool, pick == 6 ? EXPR_AND : rnd(2) ? EXPR_OR : EXPR_XOR, 0, a, b);
}

static ExprRef constant_of(Tree *t, uint8_t width) {
  static const int64_t values[] = {0, 1, 2, 3, 4, 7, 8, 15, 16, 31, -1, -2, -8, 100, 255, 0x9E3779B1};
  return expr_const(t->pool, width, values[rnd(16)]);
}

static ExprRef cast_of(Tree *t, uint8_t width, int depth) {
  static const uint8_t widths[] = {8, 16, 32, 64};
  uint8_t from = widths[rnd(4)];
  ExprRef a = from == width && rnd(2) ? truth_of(t, depth - 1) : word_of(t, from, depth - 1);
  from = expr_width(t->pool, a);
  if (from == width) return a;
  if (from > width) return expr_unary(t->pool, EXPR_TRUNC, width, a);
  return expr_unary(t->pool, rnd(2) ? EXPR_ZEXT : EXPR_SEXT, width, a);
}

static ExprRef word_of(Tree *t, uint8_t width, int depth) {
  static const ExprOp ops[] = {EXPR_ADD,  EXPR_SUB, EXPR_MUL,  EXPR_SDIV, EXPR_SREM, EXPR_UDIV,
                               EXPR_UREM, EXPR_SHL, EXPR_LSHR, EXPR_ASHR, EXPR_AND,  EXPR_OR,
                               EXPR_XOR,  EXPR_ADD, EXPR_SUB,  EXPR_MUL};
  if (depth <= 0 || rnd(8) == 0) {
    if (rnd(3) == 0) return constant_of(t, width);
    ExprRef sym = t->syms[rnd(SYMS)];
    return expr_width(t->pool, sym) == width ? sym : expr_resize_signed(t->pool, sym, width);
  }
  uint32_t pick = rnd(24);
  if (pick < 3) return cast_of(t, width, depth);
  if (pick == 3)
    return expr_ite(t->pool, truth_of(t, depth - 1), word_of(t, width, depth - 1),
                    word_of(t, width, depth - 1));
  ExprOp op = ops[rnd(16)];
  bool is_shift = op == EXPR_SHL || op == EXPR_LSHR || op == EXPR_ASHR;
  uint8_t flags = op == EXPR_ADD || op == EXPR_SUB || op == EXPR_MUL ? (uint8_t)(rnd(2) ? EXPR_NSW : 0) : 0;
  has_variable_shift = has_variable_shift || op == EXPR_SHL;
  ExprRef a = word_of(t, width, depth - 1);
  ExprRef b = is_shift && rnd(4) ? expr_const(t->pool, width, rnd(width)) : word_of(t, width, depth - 1);
  return expr_binary(t->pool, op, flags, a, b);
}

static Tree tree_make(Arena *arena) {
  static const uint8_t widths[SYMS] = {32, 32, 8, 64};
  Tree t = {.pool = expr_pool_make(arena)};
  for (int i = 0; i < SYMS; i++) {
    ExprSym sym = {.name = "s", .width = widths[i], .owner = (uint8_t)(i % 3), .kind = SYM_UNKNOWN};
    if (rnd(3) == 0) sym.hi = rnd(2) ? 31 : 100;
    t.syms[i] = expr_new_sym(t.pool, sym);
  }
  return t;
}

static int64_t value_for(const ExprSym *sym, bool is_small) {
  int64_t value = is_small ? (int64_t)rnd(129) - 64 : (int64_t)(state * 0x9E3779B97F4A7C15ull);
  if (!is_small && rnd(3) == 0) value = (int64_t)rnd(5) - 2;
  value = expr_signed_reading(value, sym->width);
  if (value < sym->lo || value > sym->hi) value = sym->lo + (int64_t)rnd((uint32_t)(sym->hi - sym->lo) + 1);
  return value;
}

// False if a product is out of reach of the evaluation here.
static bool fill_products(const Query *q, const Wide *atoms, Wide *monos) {
  bool fits = true;
  for (MonoId id = 0; id < q->monos.count; id++) {
    monos[id] = 1;
    for (uint32_t k = 0; k < q->monos.items[id].degree; k++)
      if (__builtin_mul_overflow(monos[id], atoms[q->monos.items[id].atoms[k]], &monos[id]))
        monos[id] = WIDE_INF;
    fits = fits && monos[id] < WIDE_INF && monos[id] > -WIDE_INF;
  }
  return fits;
}

// Values of all products from those of the symbols, by the definitions of the atoms.
static Wide *values_of(Query *q, const int64_t *syms) {
  Wide *atoms = arena_array(q->arena, q->atoms.count, Wide),
       *monos = arena_array(q->arena, q->monos.count, Wide);
  for (AtomId id = 1; id < q->atoms.count; id++) {
    const Atom *atom = &q->atoms.items[id];
    fill_products(q, atoms, monos);
    if (atom->kind == ATOM_SYM)
      atoms[id] = syms[atom->index];
    else if (atom->kind == ATOM_CHOICE)
      atoms[id] = poly_value(q, form_holds(q, atom->when_true, monos) ? atom->a : atom->b, monos);
    else if (atom->a &&
             (poly_value(q, atom->a, monos) >= WIDE_INF || poly_value(q, atom->a, monos) <= -WIDE_INF))
      return NULL;
    else if (!atom_evaluate(q, id, atoms, &atoms[id]))
      atoms[id] = 0;
  }
  return fill_products(q, atoms, monos) ? monos : NULL;
}

static bool has_free_parts(const Query *q) {
  for (AtomId id = 1; id < q->atoms.count; id++)
    if (q->atoms.items[id].kind == ATOM_OPAQUE) return true;
  for (uint32_t i = 1; i < q->forms.count; i++)
    if (q->forms.items[i].kind == FORM_UNKNOWN) return true;
  return false;
}

static uint32_t compared, wrapped;

static bool agrees(Query *q, Tree *t, ExprRef condition, bool is_small) {
  int64_t syms[SYMS], value;
  for (uint32_t i = 0; i < SYMS; i++)
    syms[i] = value_for(expr_sym_info(t->pool, i), is_small);
  ExprEnv env = {.sym_values = syms, .sym_count = SYMS};
  if (expr_eval(t->pool, condition, &env, &value) != EXPR_EVAL_OK) return true;
  if ((!is_small || has_variable_shift) && q->used_no_overflow) return true;
  const Wide *monos = values_of(q, syms);
  if (!monos) return true;
  compared++;
  wrapped += !is_small;
  return form_holds(q, lower_bool(q, condition, true), monos) == (value != 0) &&
         form_holds(q, lower_bool(q, condition, false), monos) == (value == 0);
}

static bool check_tree(uint64_t seed) {
  Arena *arena = arena_open();
  state = seed * 0x9E3779B97F4A7C15ull + 1;
  has_variable_shift = false;
  Tree t = tree_make(arena);
  ExprRef condition = truth_of(&t, 1 + (int)rnd(3));
  Query *q = query_make(arena, t.pool);
  q->assume_sizes = false;
  // No conditions: nothing sharpens the ranges of the symbols.
  bool right = lower_query(q);
  FormId yes = lower_bool(q, condition, true), no = lower_bool(q, condition, false);
  (void)yes;
  (void)no;
  right = right && !q->failure;
  for (int i = 0; i < TRIALS && right && !has_free_parts(q); i++)
    right = agrees(q, &t, condition, i % 2 == 0);
  if (!right) {
    StrBuf text = {.arena = arena};
    expr_print(t.pool, condition, false, &text);
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, strbuf_text(&text));
  }
  arena_close(arena);
  return right;
}

int main(int argc, char **argv) {
  Seeds seeds = seeds_of(argc, argv, TREES);
  for (uint64_t seed; seeds_next(&seeds, &seed);)
    CHECK(check_tree(seed));
  seeds_end(&seeds);
  CHECK(!seeds.is_default || (compared > 10000 && wrapped > 3000)); // the test must test something
  return check_result();
}
