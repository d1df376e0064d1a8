// The simplifying constructors against plain evaluation: random expressions are written down as a list of
// steps, built in the pool step by step, and both are evaluated on random values of the symbols. Where the
// plain evaluation has a meaning, the built expression must have the same value, and it must lie in its
// range.
// SPDX-License-Identifier: Apache-2.0
#include "core/expr.h"

#include "tests/unit/check.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STEPS = 52, CAPACITY = 128, SYMS = 6, ASSIGNMENTS = 24 };

typedef struct Step {
  ExprOp op;
  uint8_t flags, width;
  int a, b, c;   // earlier steps
  int64_t value; // CONST; SYM and APP: number
} Step;

typedef struct Dag {
  Step steps[CAPACITY];
  ExprRef refs[CAPACITY];
  int count;
  ExprSym syms[SYMS];
  ExprPool *pool;
  uint32_t func;
} Dag;

// ---- random numbers
static uint64_t random_state;

static uint64_t random_bits(void) {
  random_state += 0x9e3779b97f4a7c15u;
  uint64_t x = random_state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int random_below(int n) {
  return (int)(random_bits() % (uint64_t)n);
}

static int64_t signed_reading(uint64_t bits, uint8_t width) {
  switch (width) {
  case 1: return bits & 1;
  case 8: return (int8_t)bits;
  case 16: return (int16_t)bits;
  case 32: return (int32_t)bits;
  default: return (int64_t)bits;
  }
}

static uint64_t unsigned_reading(int64_t value, uint8_t width) {
  return width == 64 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << width) - 1);
}

static int64_t lowest(uint8_t width) {
  return width == 1 ? 0 : -(int64_t)((uint64_t)1 << (width - 2)) * 2;
}
static int64_t highest(uint8_t width) {
  return width == 1 ? 1 : -(lowest(width) + 1);
}

static int64_t random_word(uint8_t width) {
  uint64_t power = (uint64_t)1 << random_below(width);
  switch (random_below(10)) {
  case 0: return 0;
  case 1: return 1;
  case 2: return signed_reading(UINT64_MAX, width);
  case 3: return signed_reading(power, width);
  case 4: return signed_reading(power - 1, width);
  case 5: return lowest(width);
  case 6: return highest(width);
  case 7: return signed_reading((uint64_t)random_below(40) - 20, width);
  case 8: return signed_reading((uint64_t)random_below(10), width);
  default: return signed_reading(random_bits(), width);
  }
}

static int64_t random_between(int64_t lo, int64_t hi) {
  uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
  if (random_below(4) == 0) return random_below(2) ? lo : hi;
  return (int64_t)((uint64_t)lo + (span ? random_bits() % span : random_bits()));
}

// ---- plain evaluation
typedef enum Meaning { HAS_VALUE, HAS_NONE } Meaning;

static int64_t function_value(const Dag *dag, int64_t a, int64_t b) {
  const ExprFunc *func = expr_func_info(dag->pool, dag->func);
  uint64_t mixed = ((uint64_t)a * 31 + (uint64_t)b) * 0x9e3779b97f4a7c15u;
  return func->lo + (int64_t)((mixed >> 32) % (uint64_t)(func->hi - func->lo + 1));
}

static bool leaves_range(const Step *step, __int128 exact) {
  return (step->flags & (EXPR_NSW | EXPR_ADDRESS)) &&
         (exact < lowest(step->width) || exact > highest(step->width));
}

static Meaning plain_sum(const Step *step, int64_t a, int64_t b, int64_t *out) {
  unsigned __int128 x = unsigned_reading(a, step->width), y = unsigned_reading(b, step->width);
  unsigned __int128 limit = (unsigned __int128)1 << step->width;
  __int128 exact = step->op == EXPR_ADD   ? (__int128)a + b
                   : step->op == EXPR_SUB ? (__int128)a - b
                                          : (__int128)a * b;
  bool borrows = step->op == EXPR_ADD ? x + y >= limit : step->op == EXPR_SUB ? x < y : x * y >= limit;
  *out = signed_reading((uint64_t)exact, step->width);
  return leaves_range(step, exact) || ((step->flags & EXPR_NUW) && borrows) ? HAS_NONE : HAS_VALUE;
}

static Meaning plain_division(const Step *step, int64_t a, int64_t b, int64_t *out) {
  uint64_t x = unsigned_reading(a, step->width), y = unsigned_reading(b, step->width);
  if (b == 0) return HAS_NONE;
  bool is_signed = step->op == EXPR_SDIV || step->op == EXPR_SREM;
  if (is_signed && b == -1 && a == lowest(step->width)) return HAS_NONE;
  bool quotient = step->op == EXPR_SDIV || step->op == EXPR_UDIV;
  if (is_signed)
    *out = quotient ? a / b : a % b;
  else
    *out = signed_reading(quotient ? x / y : x % y, step->width);
  return HAS_VALUE;
}

static Meaning plain_shift(const Step *step, int64_t a, int64_t b, int64_t *out) {
  uint64_t x = unsigned_reading(a, step->width), count = unsigned_reading(b, step->width);
  if (count >= step->width) return HAS_NONE;
  __int128 exact = (__int128)a * ((__int128)1 << count);
  unsigned __int128 shifted = (unsigned __int128)x << count;
  if (step->op == EXPR_SHL) {
    *out = signed_reading((uint64_t)shifted, step->width);
    bool loses = shifted >= (unsigned __int128)1 << step->width;
    return leaves_range(step, exact) || ((step->flags & EXPR_NUW) && loses) ? HAS_NONE : HAS_VALUE;
  }
  *out = step->op == EXPR_LSHR ? signed_reading(x >> count, step->width) : a >> count;
  return HAS_VALUE;
}

static int64_t plain_total(const Step *step, uint8_t from, int64_t a, int64_t b) {
  uint64_t x = unsigned_reading(a, from), y = unsigned_reading(b, from);
  switch ((int)step->op) {
  case EXPR_AND: return signed_reading(x & y, step->width);
  case EXPR_OR: return signed_reading(x | y, step->width);
  case EXPR_XOR: return signed_reading(x ^ y, step->width);
  case EXPR_NOT: return !a;
  case EXPR_ZEXT:
  case EXPR_TRUNC: return signed_reading(x, step->width);
  case EXPR_SEXT: return from == 1 ? -a : a;
  case EXPR_EQ: return a == b;
  case EXPR_SLT: return a < b;
  case EXPR_SLE: return a <= b;
  case EXPR_ULT: return x < y;
  case EXPR_ULE: return x <= y;
  default: return 0;
  }
}

static Meaning plain(const Dag *dag, int at, const int64_t *syms, int64_t *out);

// One operand of a truth operation may decide although the other has no meaning.
static Meaning plain_logic(const Dag *dag, const Step *step, const int64_t *syms, int64_t *out) {
  int64_t a = 0, b = 0, decides = step->op == EXPR_OR;
  bool has_a = plain(dag, step->a, syms, &a) == HAS_VALUE, has_b = plain(dag, step->b, syms, &b) == HAS_VALUE;
  *out = (has_a && a == decides) || (has_b && b == decides) ? decides : !decides;
  return (has_a && has_b) || *out == decides ? HAS_VALUE : HAS_NONE;
}

static Meaning plain(const Dag *dag, int at, const int64_t *syms, int64_t *out) {
  const Step *step = &dag->steps[at];
  int64_t a = 0, b = 0;
  *out = step->value;
  if (step->op == EXPR_CONST) return HAS_VALUE;
  if (step->op == EXPR_SYM) *out = syms[step->value];
  if (step->op == EXPR_SYM) return HAS_VALUE;
  if (step->width == 1 && (step->op == EXPR_AND || step->op == EXPR_OR))
    return plain_logic(dag, step, syms, out);
  if (plain(dag, step->a, syms, &a) == HAS_NONE) return HAS_NONE;
  if (step->op == EXPR_ITE) return plain(dag, a ? step->b : step->c, syms, out);
  if (step->b >= 0 && plain(dag, step->b, syms, &b) == HAS_NONE) return HAS_NONE;
  if (step->op == EXPR_APP) *out = function_value(dag, a, b);
  if (step->op == EXPR_APP) return HAS_VALUE;
  if (step->op >= EXPR_ADD && step->op <= EXPR_MUL) return plain_sum(step, a, b, out);
  if (step->op >= EXPR_SDIV && step->op <= EXPR_UREM) return plain_division(step, a, b, out);
  if (step->op >= EXPR_SHL && step->op <= EXPR_ASHR) return plain_shift(step, a, b, out);
  *out = plain_total(step, dag->steps[step->a].width, a, b);
  return HAS_VALUE;
}

// ---- random expressions
static ExprRef build_step(ExprPool *pool, const Dag *dag, const Step *step, const ExprRef *refs) {
  ExprRef a = step->a >= 0 ? refs[step->a] : 0, b = step->b >= 0 ? refs[step->b] : 0;
  ExprRef args[] = {a, b};
  if (step->op == EXPR_CONST) return expr_const(pool, step->width, step->value);
  if (step->op == EXPR_SYM) return expr_sym(pool, (uint32_t)step->value);
  if (step->op == EXPR_APP) return expr_app(pool, dag->func, 2, args);
  if (step->op == EXPR_ITE) return expr_ite(pool, a, b, refs[step->c]);
  if (step->op == EXPR_NOT || step->op == EXPR_ZEXT || step->op == EXPR_SEXT || step->op == EXPR_TRUNC)
    return expr_unary(pool, step->op, step->width, a);
  return expr_binary(pool, step->op, step->flags, a, b);
}

static int add_step(Dag *dag, Step step) {
  dag->refs[dag->count] = build_step(dag->pool, dag, &step, dag->refs);
  dag->steps[dag->count] = step;
  return dag->count++;
}

static Step leaf(ExprOp op, uint8_t width, int64_t value) {
  return (Step){.op = op, .width = width, .a = -1, .b = -1, .c = -1, .value = value};
}

// An earlier step of that width, late ones rather than early ones, or -1.
static int pick_step(const Dag *dag, uint8_t width) {
  for (int tries = 0; tries < 24; tries++) {
    int at = random_below(2) ? random_below(dag->count)
                             : dag->count - 1 - random_below(dag->count < 8 ? dag->count : 8);
    if (dag->steps[at].width == width) return at;
  }
  return -1;
}

static int pick_operand(Dag *dag, uint8_t width) {
  int at = random_below(4) || dag->count > STEPS + 16 ? pick_step(dag, width) : -1;
  return at >= 0 ? at : add_step(dag, leaf(EXPR_CONST, width, random_word(width)));
}

static const uint8_t all_widths[] = {1, 8, 16, 32, 64};

static bool is_compare(ExprOp op) {
  return op >= EXPR_EQ && op <= EXPR_ULE;
}

static Step random_cast(Dag *dag) {
  int from = random_below(5), to = random_below(5);
  while (to == from)
    to = random_below(5);
  Step step = {.op = to < from         ? EXPR_TRUNC
                     : random_below(2) ? EXPR_ZEXT
                                       : EXPR_SEXT,
               .width = all_widths[to],
               .b = -1,
               .c = -1};
  step.a = pick_operand(dag, all_widths[from]);
  return step;
}

static Step random_binary(Dag *dag, uint8_t width) {
  Step step = {.op = (ExprOp)(EXPR_ADD + random_below(EXPR_ULE - EXPR_ADD + 1)), .width = width, .c = -1};
  while (step.op == EXPR_NOT || (step.op >= EXPR_ZEXT && step.op <= EXPR_TRUNC))
    step.op = (ExprOp)(EXPR_ADD + random_below(EXPR_ULE - EXPR_ADD + 1));
  if (random_below(2)) step.flags = (uint8_t)random_below(8);
  step.a = pick_operand(dag, width);
  step.b = random_below(8) ? pick_operand(dag, width) : step.a;
  bool is_shift = step.op >= EXPR_SHL && step.op <= EXPR_ASHR;
  if (is_shift && random_below(3))
    step.b = add_step(dag, leaf(EXPR_CONST, width, signed_reading((uint64_t)random_below(width), width)));
  if (is_compare(step.op)) step.width = 1;
  return step;
}

// ---- shapes that rules look for
static int add_constant(Dag *dag, uint8_t width, int64_t value) {
  return add_step(dag, leaf(EXPR_CONST, width, signed_reading((uint64_t)value, width)));
}

static int add_binary(Dag *dag, ExprOp op, uint8_t flags, int a, int b) {
  return add_step(dag,
                  (Step){.op = op, .flags = flags, .width = dag->steps[a].width, .a = a, .b = b, .c = -1});
}

static uint8_t random_flags(void) {
  static const uint8_t flags[] = {0, EXPR_NSW, EXPR_ADDRESS, EXPR_NUW, EXPR_NSW | EXPR_NUW};
  return flags[random_below(5)];
}

// (x op c1) op c2, with any promises.
static void add_chain(Dag *dag, uint8_t width) {
  static const ExprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_SHL};
  int at = pick_operand(dag, width);
  ExprOp op = ops[random_below(4)];
  for (int i = 0; i < 2; i++) {
    int64_t by = op == EXPR_SHL    ? random_below(width)
                 : random_below(2) ? random_below(12) - 6
                                   : random_word(width);
    at = add_binary(dag, op, random_flags(), at, add_constant(dag, width, by));
    if (random_below(3) == 0) op = ops[random_below(4)];
  }
}

// (x * c) / c, % c, and (x * 2^k) >> k, where the product may wrap.
static void add_undone_product(Dag *dag, uint8_t width) {
  static const ExprOp ops[] = {EXPR_SDIV, EXPR_SREM, EXPR_UDIV, EXPR_UREM};
  int count = random_below(width - 1), x = pick_operand(dag, width);
  bool is_shift = random_below(2);
  int by = add_constant(dag, width,
                        is_shift          ? (int64_t)((uint64_t)1 << count)
                        : random_below(2) ? random_below(9) - 4
                                          : random_word(width));
  int product = add_binary(dag, EXPR_MUL, random_flags(), x, by);
  if (is_shift)
    add_binary(dag, random_below(2) ? EXPR_ASHR : EXPR_LSHR, 0, product, add_constant(dag, width, count));
  else
    add_binary(dag, ops[random_below(4)], 0, product, by);
}

// A word of two parts, and a part of it: the low part may or may not fit.
static void add_packed(Dag *dag) {
  static const ExprOp joins[] = {EXPR_OR, EXPR_ADD, EXPR_XOR};
  static const uint8_t halves[] = {8, 16, 32};
  uint8_t half = halves[random_below(3)], width = random_below(2) ? 64 : (uint8_t)(2 * half);
  int low = pick_operand(dag, random_below(3) ? half : width),
      high = pick_operand(dag, random_below(3) ? half : width);
  if (dag->steps[low].width < width)
    low = add_step(
        dag,
        (Step){.op = random_below(4) ? EXPR_ZEXT : EXPR_SEXT, .width = width, .a = low, .b = -1, .c = -1});
  if (dag->steps[high].width < width)
    high = add_step(
        dag,
        (Step){.op = random_below(2) ? EXPR_ZEXT : EXPR_SEXT, .width = width, .a = high, .b = -1, .c = -1});
  int count = add_constant(dag, width, half);
  int shifted = add_binary(dag, EXPR_SHL, random_flags(), high, count);
  int word = add_binary(dag, joins[random_below(3)], 0, random_below(2) ? low : shifted,
                        random_below(2) ? shifted : low);
  add_binary(dag, random_below(3) ? EXPR_LSHR : EXPR_ASHR, 0, word, count);
  add_step(dag, (Step){.op = EXPR_TRUNC, .width = half, .a = word, .b = -1, .c = -1});
}

// Bounds that are just met, or just not.
static void add_mask(Dag *dag, uint8_t width) {
  static const ExprOp ops[] = {EXPR_AND,  EXPR_OR,   EXPR_XOR, EXPR_UREM,
                               EXPR_SREM, EXPR_UDIV, EXPR_ULT, EXPR_SLT};
  int64_t mask = (int64_t)(((uint64_t)1 << random_below(width)) - 1);
  int x = random_below(SYMS);
  if (dag->steps[x].width == 1) return;
  uint8_t own = dag->steps[x].width;
  if (random_below(2) && dag->syms[x].lo >= 0)
    mask = signed_reading((uint64_t)dag->syms[x].hi + (uint64_t)random_below(3) - 1, own);
  ExprOp op = ops[random_below(8)];
  int constant = add_constant(dag, own, mask);
  add_step(dag, (Step){.op = op, .width = is_compare(op) ? 1 : own, .a = x, .b = constant, .c = -1});
}

// Comparisons of extended words.
static void add_narrow_compare(Dag *dag) {
  static const uint8_t small[] = {1, 8, 16, 32};
  uint8_t from = small[random_below(4)];
  int sides[2];
  for (int i = 0; i < 2; i++) {
    Step extension = {.op = random_below(2) ? EXPR_ZEXT : EXPR_SEXT,
                      .width = 64,
                      .a = pick_operand(dag, from),
                      .b = -1,
                      .c = -1};
    sides[i] = random_below(4) ? add_step(dag, extension)
                               : add_constant(dag, 64, random_word(random_below(2) ? from : 64));
  }
  add_step(
      dag,
      (Step){.op = (ExprOp)(EXPR_EQ + random_below(5)), .width = 1, .a = sides[0], .b = sides[1], .c = -1});
}

// One of two constants, compared with one of three.
static void add_choice(Dag *dag, uint8_t width) {
  int k[3];
  for (int i = 0; i < 3; i++)
    k[i] = add_constant(dag, width, random_word(width));
  Step choice = {
      .op = EXPR_ITE, .width = width, .a = pick_operand(dag, 1), .b = k[0], .c = k[random_below(2)]};
  int at = add_step(dag, choice);
  add_step(dag, (Step){.op = EXPR_EQ, .width = 1, .a = at, .b = k[random_below(3)], .c = -1});
}

static void add_shape(Dag *dag, uint8_t width) {
  int kind = random_below(6);
  if (kind == 0 && width > 1) add_chain(dag, width);
  if (kind == 1 && width > 1) add_undone_product(dag, width);
  if (kind == 2) add_packed(dag);
  if (kind == 3) add_mask(dag, width);
  if (kind == 4) add_narrow_compare(dag);
  if (kind == 5) add_choice(dag, width);
}

static Step random_step(Dag *dag, uint8_t width) {
  int kind = random_below(16);
  if (kind < 4) return random_cast(dag);
  if (kind == 4) {
    Step step = {.op = EXPR_ITE, .width = width, .a = pick_operand(dag, 1), .b = pick_operand(dag, width)};
    step.c = pick_operand(dag, width);
    return step;
  }
  if (kind == 5) return (Step){.op = EXPR_NOT, .width = 1, .a = pick_operand(dag, 1), .b = -1, .c = -1};
  if (kind == 6) {
    Step step = {.op = EXPR_APP, .width = 32, .a = pick_operand(dag, 32), .c = -1};
    step.b = pick_operand(dag, 32);
    return step;
  }
  return random_binary(dag, random_below(4) ? width : all_widths[random_below(5)]);
}

static ExprSym random_sym(uint8_t width) {
  static const char *const names[] = {"n", "m", "i", "j", "k", "x"};
  ExprSym sym = {.name = names[random_below(6)], .width = width};
  if (random_below(2)) return sym; // the whole range
  sym.lo = random_word(width);
  sym.hi = random_word(width);
  if (random_below(3) == 0 && width > 1) sym.lo = 0, sym.hi = random_below(100);
  if (random_below(3) == 0 && width > 1)
    sym.lo = 0, sym.hi = ((int64_t)1 << random_below(width - 1)) - random_below(2);
  if (sym.lo > sym.hi) {
    int64_t swap = sym.lo;
    sym.lo = sym.hi;
    sym.hi = swap;
  }
  return sym;
}

static Dag *make_dag(Arena *arena) {
  Dag *dag = arena_new(arena, Dag);
  uint8_t width = all_widths[random_below(5)];
  dag->pool = expr_pool_make(arena);
  dag->func = expr_new_func(dag->pool, (ExprFunc){.name = "f", .width = 32, .lo = -7, .hi = 1000});
  for (uint32_t i = 0; i < SYMS; i++) {
    uint8_t sym_width = i < 3 ? width : all_widths[random_below(5)];
    expr_new_sym(dag->pool, random_sym(sym_width));
    dag->syms[i] = *expr_sym_info(dag->pool, i);
    add_step(dag, leaf(EXPR_SYM, sym_width, i));
  }
  while (dag->count < STEPS) {
    if (random_below(5) == 0)
      add_shape(dag, width);
    else
      add_step(dag, random_step(dag, width));
  }
  return dag;
}

// ---- the comparison
static bool apply(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
  const Dag *dag = context;
  if (func != dag->func || count != 2) return false;
  *result = function_value(dag, args[0], args[1]);
  return true;
}

static void show(const Dag *dag, int at, int depth) {
  const Step *step = &dag->steps[at];
  fprintf(stderr, "  %*s#%d op %d flags %d width %d value %" PRId64 "\n", 2 * depth, "", at, (int)step->op,
          step->flags, step->width, step->value);
  if (depth > 5) return;
  int operands[] = {step->a, step->b, step->c};
  for (int i = 0; i < 3; i++)
    if (operands[i] >= 0 && step->op > EXPR_SYM) show(dag, operands[i], depth + 1);
}

static void explain(const Dag *dag, int at, const int64_t *values, int64_t want, int64_t got,
                    ExprEvalResult result) {
  StrBuf text = {.arena = arena_open()};
  expr_print(dag->pool, dag->refs[at], false, &text);
  fprintf(stderr, "step %d: %s\n  expected %" PRId64 ", got %" PRId64 " (result %d)\n", at,
          strbuf_text(&text), want, got, (int)result);
  for (int i = 0; i < SYMS; i++)
    fprintf(stderr, "  sym %d %s (%u bits) in [%" PRId64 ", %" PRId64 "] = %" PRId64 "\n", i,
            dag->syms[i].name, dag->syms[i].width, dag->syms[i].lo, dag->syms[i].hi, values[i]);
  show(dag, at, 0);
  arena_close(text.arena);
}

// Stops at the first difference, which stands in the smallest expression.
static bool compare_values(Dag *dag, const int64_t *values) {
  ExprEnv env = {.sym_values = values, .sym_count = SYMS, .app = apply, .context = dag};
  for (int at = 0; at < dag->count; at++) {
    int64_t want = 0, got = 0, lo = 0, hi = 0;
    if (plain(dag, at, values, &want) == HAS_NONE) continue;
    ExprEvalResult result = expr_eval(dag->pool, dag->refs[at], &env, &got);
    expr_range(dag->pool, dag->refs[at], &lo, &hi);
    bool is_equal = result == EXPR_EVAL_OK && got == want, is_in_range = lo <= want && want <= hi;
    if (CHECK(is_equal) && CHECK(is_in_range) &&
        CHECK(expr_width(dag->pool, dag->refs[at]) == dag->steps[at].width))
      continue;
    explain(dag, at, values, want, got, result);
    return false;
  }
  return true;
}

static void random_values(const Dag *dag, int64_t *values) {
  for (int i = 0; i < SYMS; i++)
    values[i] = random_between(dag->syms[i].lo, dag->syms[i].hi);
}

static void test_simplification(uint64_t seed, int rounds) {
  random_state = seed;
  int failed = 0;
  for (int round = 0; round < rounds && failed < 3; round++) {
    Arena *arena = arena_open();
    Dag *dag = make_dag(arena);
    bool holds = true;
    for (int i = 0; i < ASSIGNMENTS && holds; i++) {
      int64_t values[SYMS];
      random_values(dag, values);
      holds = compare_values(dag, values);
    }
    failed += !holds;
    arena_close(arena);
  }
}

// ---- substitution
// A symbol
// gives way to a constant of its range, or to another symbol whose range fits.
static ExprRef replacement(const Dag *dag, int sym, int64_t value) {
  for (int other = 0; other < SYMS; other++) {
    const ExprSym *a = &dag->syms[sym], *b = &dag->syms[other];
    if (other != sym && a->width == b->width && b->lo >= a->lo && b->hi <= a->hi && random_below(2))
      return expr_sym(dag->pool, (uint32_t)other);
  }
  return random_below(3) ? expr_const(dag->pool, dag->syms[sym].width, value) : 0;
}

static bool compare_substituted(Dag *dag, const ExprRef *map, const int64_t *values) {
  int64_t mapped[SYMS];
  ExprEnv env = {.sym_values = values, .sym_count = SYMS, .app = apply, .context = dag};
  for (int i = 0; i < SYMS; i++) {
    mapped[i] = values[i];
    if (map[i]) CHECK(expr_eval(dag->pool, map[i], &env, &mapped[i]) == EXPR_EVAL_OK);
  }
  for (int at = 0; at < dag->count; at++) {
    int64_t want = 0, got = 0;
    if (plain(dag, at, mapped, &want) == HAS_NONE) continue;
    ExprRef changed = expr_substitute(dag->pool, dag->refs[at], map, SYMS);
    ExprEvalResult result = expr_eval(dag->pool, changed, &env, &got);
    if (CHECK(result == EXPR_EVAL_OK && got == want)) continue;
    explain(dag, at, mapped, want, got, result);
    return false;
  }
  return true;
}

static void test_substitution(void) {
  random_state = 5;
  for (int round = 0; round < 250; round++) {
    Arena *arena = arena_open();
    Dag *dag = make_dag(arena);
    int64_t values[SYMS];
    ExprRef map[SYMS];
    random_values(dag, values);
    for (int i = 0; i < SYMS; i++)
      map[i] = replacement(dag, i, values[i]);
    bool holds = compare_substituted(dag, map, values);
    arena_close(arena);
    if (!holds) return;
  }
}

static void test_replacement(void) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  ExprRef n = expr_new_sym(pool, (ExprSym){.name = "n", .width = 32});
  ExprRef bit = expr_new_sym(pool, (ExprSym){.name = "bit", .width = 1});
  ExprRef test = expr_binary(pool, EXPR_SLT, 0, expr_const(pool, 32, 7), n);
  ExprRef place = expr_binary(pool, EXPR_ADD, EXPR_NSW, n, expr_unary(pool, EXPR_ZEXT, 32, test));
  ExprRef want = expr_binary(pool, EXPR_ADD, EXPR_NSW, n, expr_unary(pool, EXPR_ZEXT, 32, bit));
  CHECK(expr_replace(pool, place, &test, &bit, 1) == want);
  CHECK(expr_replace(pool, want, &test, &bit, 1) == want);
  // What is put in is left as it is, even if it contains what is replaced.
  ExprRef next = expr_binary(pool, EXPR_ADD, EXPR_NSW, n, expr_const(pool, 32, 1));
  CHECK(expr_replace(pool, n, &n, &next, 1) == next);
  arena_close(arena);
}

// ---- clones
static void test_clone(void) {
  random_state = 9;
  for (int round = 0; round < 20; round++) {
    Arena *arena = arena_open(), *other = arena_open();
    Dag *dag = make_dag(arena);
    ExprPool *clone = expr_pool_clone(dag->pool, other);
    CHECK(expr_count(clone) == expr_count(dag->pool) && expr_sym_count(clone) == SYMS);
    Step more[8];
    for (int i = 0; i < 8; i++)
      more[i] = random_binary(dag, 32);
    uint32_t before = expr_count(clone);
    for (int i = 0; i < dag->count; i++) // all that was there is found again, not made again
      if (dag->refs[i] <= before) CHECK(build_step(clone, dag, &dag->steps[i], dag->refs) == dag->refs[i]);
    int64_t values[SYMS], want = 0, got = 0;
    random_values(dag, values);
    ExprEnv env = {.sym_values = values, .sym_count = SYMS, .app = apply, .context = dag};
    for (int i = 0; i < dag->count; i++) {
      if (dag->refs[i] > before) continue;
      ExprEvalResult result = expr_eval(dag->pool, dag->refs[i], &env, &want);
      CHECK(expr_eval(clone, dag->refs[i], &env, &got) == result && (result != EXPR_EVAL_OK || got == want));
    }
    arena_close(arena); // the clone has its own memory
    ExprRef sym = expr_new_sym(clone, (ExprSym){.name = "new", .width = 32});
    CHECK(expr_binary(clone, more[0].op, 0, sym, sym) != 0);
    CHECK(expr_count(clone) > before);
    arena_close(other);
  }
}

// ---- what a reader sees
typedef struct Words {
  ExprPool *pool;
  ExprRef rows, cols, tid, n64;
} Words;

static void check_text(const Words *w, ExprRef ref, bool brief, const char *want) {
  StrBuf text = {.arena = arena_open()};
  expr_print(w->pool, ref, brief, &text);
  CHECK_TEXT(strbuf_text(&text), want);
  arena_close(text.arena);
}

static void test_print(void) {
  Arena *arena = arena_open();
  Words w = {.pool = expr_pool_make(arena)};
  ExprPool *p = w.pool;
  w.rows = expr_new_sym(p, (ExprSym){.name = "rows", .width = 32});
  w.cols = expr_new_sym(p, (ExprSym){.name = "cols", .width = 32});
  w.tid = expr_new_sym(
      p, (ExprSym){.name = "threadIdx.x", .width = 32, .owner = OWNER_THREAD1, .lo = 0, .hi = 1023});
  ExprRef c15 = expr_const(p, 32, 15), c16 = expr_const(p, 32, 16);
  check_text(&w, expr_eq(p, w.rows, w.cols), true, "rows == cols");
  check_text(&w, expr_ne(p, w.rows, w.cols), true, "rows != cols");
  ExprRef sum = expr_binary(p, EXPR_ADD, EXPR_NSW, w.rows, c15);
  check_text(&w, expr_binary(p, EXPR_SDIV, 0, sum, c16), true, "(rows + 15) / 16");
  check_text(&w, expr_binary(p, EXPR_SUB, EXPR_NSW, w.rows, c15), true, "rows - 15");
  ExprRef product = expr_binary(p, EXPR_MUL, EXPR_NSW, w.rows, w.cols);
  check_text(&w, expr_binary(p, EXPR_ADD, EXPR_NSW, product, w.tid), true, "threadIdx.x + rows * cols");
  check_text(&w, expr_binary(p, EXPR_ADD, EXPR_NSW, product, w.tid), false, "threadIdx.x@1 + rows * cols");
  check_text(&w, expr_binary(p, EXPR_SUB, 0, w.rows, expr_binary(p, EXPR_SUB, 0, w.cols, w.tid)), true,
             "rows - (cols - threadIdx.x)");
  ExprRef less = expr_binary(p, EXPR_SLT, 0, w.rows, w.cols), equal = expr_eq(p, w.rows, w.tid);
  check_text(&w, expr_and(p, less, expr_or(p, equal, expr_not(p, equal))), true, "rows < cols");
  check_text(&w, expr_ite(p, less, w.rows, w.cols), true, "rows < cols ? rows : cols");
  check_text(&w, expr_unary(p, EXPR_SEXT, 64, w.rows), true, "rows");
  check_text(&w, expr_unary(p, EXPR_SEXT, 64, w.rows), false, "i64(rows)");
  ExprRef index = w.tid;
  check_text(&w, expr_app(p, expr_new_func(p, (ExprFunc){.name = "idx[]", .width = 32}), 1, &index), true,
             "idx[threadIdx.x]");
  check_text(&w, expr_const(p, 64, INT64_MIN), true, "-9223372036854775808");
  arena_close(arena);
}

// Packing two 32-bit halves into a word, as coerced struct arguments are, and taking them apart again gives
// them back.
static void test_packed_halves(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  ExprRef low = expr_new_sym(p, (ExprSym){.name = "x", .width = 32}),
          high = expr_new_sym(p, (ExprSym){.name = "y", .width = 32});
  ExprRef shift = expr_const(p, 64, 32);
  ExprRef packed = expr_binary(p, EXPR_OR, 0,
                               expr_binary(p, EXPR_SHL, EXPR_NUW, expr_unary(p, EXPR_ZEXT, 64, high), shift),
                               expr_unary(p, EXPR_ZEXT, 64, low));
  CHECK(expr_unary(p, EXPR_TRUNC, 32, packed) == low);
  CHECK(expr_unary(p, EXPR_TRUNC, 32, expr_binary(p, EXPR_LSHR, 0, packed, shift)) == high);
  arena_close(arena);
}

// `(uint32_t)(key >> 32)` loses nothing, `(uint32_t)(key >> 31)` may.
static void test_upper_half(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  for (int64_t bits = 31; bits <= 32; bits++) {
    ExprRef keys[2], upper[2], narrow[2];
    for (int i = 0; i < 2; i++) {
      keys[i] = expr_new_sym(p, (ExprSym){.name = i ? "y" : "x", .width = 64});
      upper[i] = expr_binary(p, EXPR_LSHR, 0, keys[i], expr_const(p, 64, bits));
      narrow[i] = expr_unary(p, EXPR_TRUNC, 32, upper[i]);
    }
    bool is_whole = bits == 32;
    CHECK((expr_unary(p, EXPR_ZEXT, 64, narrow[0]) == upper[0]) == is_whole);
    CHECK((expr_eq(p, narrow[0], narrow[1]) == expr_eq(p, upper[0], upper[1])) == is_whole);
  }
  arena_close(arena);
}

// Fields of structs in an array: where the low bits of two places differ, so do the places, modulo 2^64 too.
static void test_low_bits(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  ExprRef x = expr_new_sym(p, (ExprSym){.name = "x", .width = 64}),
          y = expr_new_sym(p, (ExprSym){.name = "y", .width = 64}), size = expr_const(p, 64, 24);
  ExprRef at_x = expr_binary(p, EXPR_MUL, 0, x, size), at_y = expr_binary(p, EXPR_MUL, 0, y, size);
  ExprRef top = expr_binary(p, EXPR_ADD, 0, at_x, expr_const(p, 64, 4));
  CHECK(expr_is_false(p, expr_eq(p, top, at_y)));
  CHECK(expr_is_false(p, expr_eq(p, top, expr_binary(p, EXPR_ADD, 0, at_y, expr_const(p, 64, 10)))));
  CHECK(!expr_is_false(p, expr_eq(p, top, expr_binary(p, EXPR_ADD, 0, at_y, expr_const(p, 64, 12)))));
  CHECK(!expr_is_false(p, expr_eq(p, top, y)));
  // The other one of two buffers: x is never 1 - x, but may be 2 - x; x + 24 * y is never 1 - x, but x + y may be.
  ExprRef rest = expr_binary(p, EXPR_SUB, 0, expr_const(p, 64, 1), x);
  CHECK(expr_is_false(p, expr_eq(p, x, rest)));
  CHECK(!expr_is_false(p, expr_eq(p, x, expr_binary(p, EXPR_SUB, 0, expr_const(p, 64, 2), x))));
  CHECK(expr_is_false(p, expr_eq(p, expr_binary(p, EXPR_ADD, 0, x, at_y), rest)));
  CHECK(!expr_is_false(p, expr_eq(p, expr_binary(p, EXPR_ADD, 0, x, y), rest)));
  arena_close(arena);
}

// A sum of more terms than are kept apart, and 1, may be 0 if one of the factors is odd.
static void test_low_bits_of_many(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  for (int odd = 0; odd < 2; odd++) {
    ExprRef sum = expr_const(p, 32, 1), zero = expr_const(p, 32, 0);
    for (int i = 0; i < 40; i++) {
      ExprRef term = expr_new_sym(p, (ExprSym){.name = "a", .width = 32});
      ExprRef factor = expr_const(p, 32, odd && i == 3 ? 3 : 2 * i + 2);
      sum = expr_binary(p, EXPR_ADD, 0, expr_binary(p, EXPR_MUL, 0, term, factor), sum);
    }
    CHECK(!expr_is_false(p, expr_eq(p, sum, zero)) || !odd);
  }
  arena_close(arena);
}

// A digit of a number is one expression, however it is written, if the one unit divides the other; the same for
// words without a sign. It is what both say for numbers of either sign.
static void test_digits(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  ExprRef x = expr_new_sym(p, (ExprSym){.name = "x", .width = 32});
  for (int i = 0; i < 2; i++) {
    ExprOp quotient = i ? EXPR_UDIV : EXPR_SDIV, rest = i ? EXPR_UREM : EXPR_SREM;
    ExprRef low = expr_binary(p, rest, 0, x, expr_const(p, 32, 36));
    ExprRef high = expr_binary(p, quotient, 0, x, expr_const(p, 32, 9));
    CHECK(expr_binary(p, quotient, 0, low, expr_const(p, 32, 9)) ==
          expr_binary(p, rest, 0, high, expr_const(p, 32, 4)));
    CHECK(expr_node(p, expr_binary(p, quotient, 0, low, expr_const(p, 32, 8)))->op == quotient);
  }
  for (int32_t n = -100; n < 100; n++)
    CHECK(n % 36 / 9 == n / 9 % 4);
  arena_close(arena);
}

static bool sum_all(void *context, uint32_t func, uint32_t count, const int64_t *args, int64_t *result) {
  (void)context;
  (void)func;
  *result = 0;
  for (uint32_t i = 0; i < count; i++)
    *result += args[i];
  return true;
}

// What has no value, and functions of many operands.
static void test_evaluation(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  ExprRef args[12], x = expr_new_sym(p, (ExprSym){.name = "x", .width = 32});
  for (int i = 0; i < 12; i++)
    args[i] = expr_const(p, 32, i);
  ExprRef sum = expr_app(p, expr_func_named(p, "sum", 32), 12, args);
  CHECK(expr_func_named(p, "sum", 32) == expr_func_named(p, "sum", 32));
  CHECK(expr_func_named(p, "sum", 32) != expr_func_named(p, "sum", 64));
  ExprEnv env = {.app = sum_all}, none = {0};
  int64_t value = 0;
  CHECK(expr_eval(p, sum, &env, &value) == EXPR_EVAL_OK && value == 66);
  CHECK(expr_eval(p, sum, &none, &value) == EXPR_EVAL_UNKNOWN);
  CHECK(expr_eval(p, x, &env, &value) == EXPR_EVAL_UNKNOWN);
  ExprRef positive = expr_binary(p, EXPR_SLT, 0, expr_const(p, 32, 0), x);
  CHECK(expr_is_false(p, expr_and(p, positive, expr_bool(p, false))));
  ExprRef overflow = expr_binary(p, EXPR_ADD, EXPR_NSW, x, expr_const(p, 32, 1));
  ExprRef quotient = expr_binary(p, EXPR_UDIV, 0, args[3], x);
  int64_t most = INT32_MAX, zero = 0;
  ExprEnv at_most = {.sym_values = &most, .sym_count = 1}, at_zero = {.sym_values = &zero, .sym_count = 1};
  CHECK(expr_eval(p, overflow, &at_most, &value) == EXPR_EVAL_OVERFLOW);
  CHECK(expr_eval(p, quotient, &at_zero, &value) == EXPR_EVAL_UNDEFINED);
  CHECK(expr_eval(p, quotient, &at_most, &value) == EXPR_EVAL_OK && value == 0);
  CHECK(expr_resize_signed(p, args[1], 32) == args[1] && expr_resize_unsigned(p, x, 32) == x);
  CHECK(expr_resize_signed(p, expr_const(p, 8, -1), 32) == expr_const(p, 32, -1));
  CHECK(expr_resize_unsigned(p, expr_const(p, 8, -1), 32) == expr_const(p, 32, 255));
  CHECK(expr_resize_unsigned(p, expr_const(p, 32, 511), 8) == expr_const(p, 8, -1));
  arena_close(arena);
}

// A series keeps values, finds those that were not known before, and begins anew where something else was evaluated.
static void test_series(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  ExprRef x = expr_new_sym(p, (ExprSym){.name = "x", .width = 32}), two[] = {x, expr_const(p, 32, 5)};
  ExprRef sum = expr_app(p, expr_func_named(p, "sum", 32), 2, two);
  ExprRef more = expr_binary(p, EXPR_MUL, 0, sum, x);
  int64_t values[] = {3}, value = 0;
  ExprEnv less = {.sym_values = values, .sym_count = 1}, env = less;
  env.app = sum_all;
  ExprSeries series = {0};
  CHECK(expr_eval_next(p, more, &less, &series, &value) == EXPR_EVAL_UNKNOWN);
  CHECK(expr_eval_next(p, more, &env, &series, &value) == EXPR_EVAL_OK && value == 24);
  CHECK(expr_eval_next(p, sum, &less, &series, &value) == EXPR_EVAL_OK && value == 8); // as it was
  values[0] = 4;
  CHECK(expr_eval(p, sum, &env, &value) == EXPR_EVAL_OK && value == 9);
  CHECK(expr_eval_next(p, more, &env, &series, &value) == EXPR_EVAL_OK && value == 36);
  arena_close(arena);
}

static void note_sym(void *context, uint32_t sym) {
  uint32_t *mask = context;
  *mask = *mask * 16 + sym + 1;
}

// A long chain: the table grows, each symbol is visited once and in order.
static void test_many_nodes(void) {
  Arena *arena = arena_open();
  ExprPool *p = expr_pool_make(arena);
  ExprRef x = expr_new_sym(p, (ExprSym){.name = "x", .width = 64}),
          y = expr_new_sym(p, (ExprSym){.name = "y", .width = 64});
  ExprRef chain = y, again = y;
  for (int i = 0; i < 3000; i++)
    chain = expr_binary(p, EXPR_XOR, 0, expr_binary(p, EXPR_MUL, 0, chain, x), expr_const(p, 64, i * 7 + 1));
  uint32_t count = expr_count(p), visited = 0;
  for (int i = 0; i < 3000; i++)
    again = expr_binary(p, EXPR_XOR, 0, expr_binary(p, EXPR_MUL, 0, again, x), expr_const(p, 64, i * 7 + 1));
  CHECK(again == chain && expr_count(p) == count && count >= 6000);
  expr_each_sym(p, chain, note_sym, &visited);
  CHECK(visited == 0x12);
  int64_t values[] = {3, 5}, got = 0;
  uint64_t want = 5;
  for (int i = 0; i < 3000; i++)
    want = (want * 3) ^ (uint64_t)(i * 7 + 1);
  CHECK(expr_eval(p, chain, &(ExprEnv){.sym_values = values, .sym_count = 2}, &got) == EXPR_EVAL_OK &&
        (uint64_t)got == want);
  arena_close(arena);
}

// More rounds, other seeds: core_expr ROUNDS SEED.
int main(int argc, char **argv) {
  test_simplification(argc > 2 ? strtoull(argv[2], NULL, 10) : 1, argc > 1 ? atoi(argv[1]) : 1500);
  test_substitution();
  test_replacement();
  test_clone();
  test_print();
  test_packed_halves();
  test_upper_half();
  test_low_bits();
  test_low_bits_of_many();
  test_digits();
  test_evaluation();
  test_series();
  test_many_nodes();
  return check_result();
}
