// Bit tricks that linear arithmetic does not decide: the conditions as they are, over bit-vectors, turned
// into circuits for propositional search, as it comes to them. Each word is as wide as its interval needs (range.c), not as wide
// as its type: thread numbers have ten bits, not thirty-two, and products of two of them twenty. A function
// is one variable for each application; equal arguments give equal results (Ackermann). Symbols are bounded
// for witnesses and free for proofs. For proofs, large multipliers and dividers are left out: their results
// are any value of their interval, since where bits decide the products mostly stand in conditions that do
// not matter. The size of the circuit is estimated before it is built, and conflicts are counted, so the work
// depends on the question only. Soundness: without bounds UNSAT is a proof, under A1 where an interval leans
// on it; with bounds nothing is proved. Models are evaluated exactly before they are believed.
// SPDX-License-Identifier: Apache-2.0
#include "solver/context.h"
#include "core/bug.h"

#include <string.h>

enum {
  MAX_GATES = 60000,    // of one circuit, estimated
  MAX_BLOCK = 1500,     // of one multiplier or divider in a proof
  MAX_CONFLICTS = 6000, // of one check
  // What Z3 counts for propositional search is cheaper than what it counts for arithmetic.
  UNITS_OF_SAT = 7,
  GATES_OF_UNIT = 4,
  CONTEXT_COST = 2000
};

typedef struct Word { // the value of an expression is that of `ast`, read as signed; width 1: a truth value
  Z3_ast ast;         // NULL: arithmetic on truth values, which no condition holds
  uint8_t width;
} Word;

typedef struct Words {
  Query *q;
  Arena *arena;
  Z3_context context;
  Z3_solver solver;
  RangeMode mode;
  uint64_t gates;
  uint32_t left_out;
  bool wants_meaning, is_too_large;
  VEC(Word) terms; // made so far
  Map term_of;     // by ExprRef: index into terms + 1
  VEC(Z3_ast) kept;
  VEC(Z3_tactic) tactics;
  VEC(Z3_params) params;
  VEC(uint32_t) syms;
  VEC(ExprRef) apps; // in the order in which they were met, inner ones first
} Words;

// Given back at the end: Z3 takes long to close a context that still holds references.
static Z3_ast keep(Words *w, Z3_ast ast) {
  if (!ast) return ast;
  Z3_inc_ref(w->context, ast);
  vec_push(w->arena, &w->kept, ast);
  return ast;
}

static Word word(Words *w, Z3_ast ast, uint8_t width) {
  return (Word){keep(w, ast), width};
}

static Z3_sort sort_of(Words *w, uint8_t width) {
  Z3_sort sort = width == 1 ? Z3_mk_bool_sort(w->context) : Z3_mk_bv_sort(w->context, width);
  keep(w, Z3_sort_to_ast(w->context, sort));
  return sort;
}

static Z3_ast number(Words *w, uint8_t width, int64_t value) {
  if (width == 1) return keep(w, value ? Z3_mk_true(w->context) : Z3_mk_false(w->context));
  return keep(w, Z3_mk_unsigned_int64(w->context, expr_unsigned_reading(value, width), sort_of(w, width)));
}

static void require(Words *w, Z3_ast ast) {
  Z3_solver_assert(w->context, w->solver, keep(w, ast));
}

static void require_between(Words *w, Word t, Range r) {
  Range all = range_of_width(t.width);
  if (r.lo > all.lo) require(w, Z3_mk_bvsle(w->context, number(w, t.width, (int64_t)r.lo), t.ast));
  if (r.hi < all.hi) require(w, Z3_mk_bvsle(w->context, t.ast, number(w, t.width, (int64_t)r.hi)));
}

// ---- widths
// The least width of two or more in which the whole range has a signed reading.
static uint8_t width_for(Range r) {
  ASSERT(r.lo <= r.hi);
  uint8_t width = 2;
  while (!range_inside(r, range_of_width(width)))
    width++;
  return width;
}

static uint8_t width_needed(Words *w, ExprRef ref) {
  uint8_t own = expr_width(w->q->pool, ref), needed;
  if (own == 1) return 1;
  needed = width_for(range_of(w->q, w->mode, ref));
  return needed < own ? needed : own;
}

static bool is_nonnegative(Words *w, ExprRef ref) {
  return range_of(w->q, w->mode, ref).lo >= 0;
}

// To another width: the same value if it fits, else the low bits.
static Z3_ast resize(Words *w, Word t, uint8_t width) {
  if (!t.ast || t.width == width) return t.ast;
  if (t.width < width) return keep(w, Z3_mk_sign_ext(w->context, (unsigned)(width - t.width), t.ast));
  return keep(w, Z3_mk_extract(w->context, width - 1u, 0, t.ast));
}

static uint8_t wider(uint8_t a, uint8_t b) {
  return a > b ? a : b;
}

static void count_gates(Words *w, uint64_t gates) {
  w->gates += gates;
  if (w->gates > MAX_GATES) w->is_too_large = true;
}

// ---- terms
static Word term(Words *w, ExprRef ref);

static Word variable(Words *w, char kind, uint32_t number_of_it, ExprRef ref, Range r) {
  uint8_t width = width_needed(w, ref);
  const char *name = arena_printf(w->arena, "%c%u", kind, number_of_it);
  Word t = word(w, Z3_mk_const(w->context, Z3_mk_string_symbol(w->context, name), sort_of(w, width)), width);
  if (width > 1) require_between(w, t, r);
  return t;
}

// A multiplier or divider of so many gates: is it left out? Then *t is any value that it could have.
static bool leave_out(Words *w, ExprRef ref, uint64_t gates, Word *t) {
  if (w->wants_meaning || gates <= MAX_BLOCK) {
    count_gates(w, gates);
    return false;
  }
  w->left_out++;
  *t = variable(w, 'a', w->left_out, ref, range_of(w->q, w->mode, ref));
  return true;
}

static Word symbol(Words *w, ExprRef ref, const ExprNode *n) {
  vec_push(w->arena, &w->syms, (uint32_t)n->value);
  return variable(w, 's', (uint32_t)n->value, ref, range_of(w->q, w->mode, ref));
}

static Z3_ast equal(Words *w, Word a, Word b) {
  uint8_t width = wider(a.width, b.width);
  return keep(w, Z3_mk_eq(w->context, resize(w, a, width), resize(w, b, width)));
}

// Equal arguments, equal results: against every earlier application of the function.
static void require_congruence(Words *w, ExprRef ref, Word result) {
  ExprNode n = *expr_node(w->q->pool, ref);
  for (uint32_t i = 0; i < w->apps.count && !w->is_too_large; i++) {
    ExprNode m = *expr_node(w->q->pool, w->apps.items[i]);
    if (m.value != n.value || m.arg_count != n.arg_count || w->apps.items[i] == ref) continue;
    Z3_ast *parts = arena_array(w->arena, n.arg_count + 1, Z3_ast);
    for (uint32_t k = 0; k < n.arg_count; k++) {
      Word a = term(w, expr_node(w->q->pool, ref)->args[k]);
      Word b = term(w, expr_node(w->q->pool, w->apps.items[i])->args[k]);
      if (!a.ast || !b.ast) return;
      parts[k] = keep(w, Z3_mk_not(w->context, equal(w, a, b)));
      count_gates(w, 2u * wider(a.width, b.width));
    }
    parts[n.arg_count] = equal(w, result, term(w, w->apps.items[i]));
    require(w, Z3_mk_or(w->context, n.arg_count + 1, parts));
  }
}

static Word application(Words *w, ExprRef ref, const ExprNode *n) {
  for (uint32_t i = 0; i < n->arg_count; i++)
    if (!term(w, expr_node(w->q->pool, ref)->args[i]).ast) return (Word){0};
  Word t = variable(w, 'f', w->apps.count, ref, range_of(w->q, w->mode, ref));
  require_congruence(w, ref, t);
  vec_push(w->arena, &w->apps, ref);
  return t;
}

static Z3_ast logic(Words *w, const ExprNode *n, Z3_ast a, Z3_ast b) {
  Z3_ast both[2] = {a, b};
  if (n->op == EXPR_AND) return Z3_mk_and(w->context, 2, both);
  if (n->op == EXPR_OR) return Z3_mk_or(w->context, 2, both);
  if (n->op == EXPR_EQ) return Z3_mk_iff(w->context, a, b);
  if (n->op == EXPR_XOR) return Z3_mk_xor(w->context, a, b);
  return NULL;
}

// A truth value as a number.
static Word from_truth(Words *w, const ExprNode *n, Z3_ast a) {
  return word(w, Z3_mk_ite(w->context, a, number(w, 2, n->op == EXPR_SEXT ? -1 : 1), number(w, 2, 0)), 2);
}

static Word cast(Words *w, ExprRef ref, const ExprNode *n, Word a) {
  uint8_t from = expr_width(w->q->pool, n->a), width = width_needed(w, ref);
  if (from == 1) return from_truth(w, n, a.ast);
  if (n->op == EXPR_TRUNC && n->width == 1) {
    Z3_ast low = keep(w, Z3_mk_extract(w->context, 0, 0, a.ast));
    Z3_sort bit = Z3_mk_bv_sort(w->context, 1);
    keep(w, Z3_sort_to_ast(w->context, bit));
    return word(w, Z3_mk_eq(w->context, low, keep(w, Z3_mk_unsigned_int64(w->context, 1, bit))), 1);
  }
  if (n->op == EXPR_ZEXT && !is_nonnegative(w, n->a)) {
    Z3_ast whole = resize(w, a, from);
    a = word(w, Z3_mk_zero_ext(w->context, (unsigned)(n->width - from), whole), n->width);
  }
  if (n->op == EXPR_TRUNC && a.width > n->width) a = (Word){resize(w, a, n->width), n->width};
  return (Word){resize(w, a, width), width};
}

// A constant factor has one row for each bit that is set, or for each border of a run of them.
static uint64_t multiplier_rows(Words *w, const ExprNode *n, Word a, Word b, uint8_t width) {
  uint64_t least = a.width < b.width ? a.width : b.width, rows = 0;
  int64_t factor;
  if (!expr_is_const(w->q->pool, n->b, &factor) && !expr_is_const(w->q->pool, n->a, &factor))
    return least < width ? least : width;
  for (unsigned bit = 0; bit < width; bit++)
    rows += (uint64_t)factor >> bit & 1;
  return rows;
}

// The low bits of a sum, difference, product or bitwise combination are those of the operands' low bits.
static Word low_bits(Words *w, ExprRef ref, const ExprNode *n, Word a, Word b) {
  static Z3_ast (*const make[EXPR_OP_COUNT])(Z3_context, Z3_ast, Z3_ast) = {
      [EXPR_ADD] = Z3_mk_bvadd, [EXPR_SUB] = Z3_mk_bvsub, [EXPR_MUL] = Z3_mk_bvmul,
      [EXPR_AND] = Z3_mk_bvand, [EXPR_OR] = Z3_mk_bvor,   [EXPR_XOR] = Z3_mk_bvxor};
  uint8_t width = width_needed(w, ref);
  uint64_t rows = n->op == EXPR_MUL ? multiplier_rows(w, n, a, b, width) : 1;
  Word any;
  if (leave_out(w, ref, 7u * rows * width, &any)) return any;
  return word(w, make[n->op](w->context, resize(w, a, width), resize(w, b, width)), width);
}

// Signed operands may be taken as unsigned ones of their own width if they are not negative.
static Word divide(Words *w, ExprRef ref, const ExprNode *n, Word a, Word b) {
  static Z3_ast (*const make[EXPR_OP_COUNT])(Z3_context, Z3_ast, Z3_ast) = {
      [EXPR_SDIV] = Z3_mk_bvsdiv, [EXPR_SREM] = Z3_mk_bvsrem, [EXPR_UDIV] = Z3_mk_bvudiv,
      [EXPR_UREM] = Z3_mk_bvurem, [EXPR_LSHR] = Z3_mk_bvlshr, [EXPR_ASHR] = Z3_mk_bvashr};
  bool is_signed = n->op == EXPR_SDIV || n->op == EXPR_SREM || n->op == EXPR_ASHR,
       is_shift = n->op == EXPR_LSHR || n->op == EXPR_ASHR;
  bool keeps_value = is_signed || (is_nonnegative(w, n->a) && is_nonnegative(w, n->b));
  uint8_t width = wider(a.width, b.width), needed = width_needed(w, ref);
  if (n->op == EXPR_SDIV && width < n->width) width++; // -2^k / -1
  if (!keeps_value) width = n->width;
  int64_t divisor = 0;
  bool by_constant = expr_is_const(w->q->pool, n->b, &divisor),
       is_shifting = by_constant && divisor > 0 && (divisor & (divisor - 1)) == 0;
  Word any;
  uint64_t gates = is_shift      ? (by_constant ? 0 : 12u * width)
                   : is_shifting ? 12u * width
                                 : 12u * width * width;
  if (leave_out(w, ref, gates, &any)) return any;
  Z3_ast result = make[n->op](w->context, resize(w, a, width), resize(w, b, width));
  return (Word){resize(w, word(w, result, width), needed), needed};
}

// A count of the narrow width or more moves all low bits out, as the wide operation does.
static Word shift_left(Words *w, ExprRef ref, Word a, Word b) {
  uint8_t needed = width_needed(w, ref), width = wider(needed, b.width);
  count_gates(w, expr_is_const(w->q->pool, expr_node(w->q->pool, ref)->b, NULL) ? 0 : 12u * width);
  Z3_ast result = Z3_mk_bvshl(w->context, resize(w, a, width), resize(w, b, width));
  return (Word){resize(w, word(w, result, width), needed), needed};
}

static Word compare(Words *w, const ExprNode *n, Word a, Word b) {
  uint8_t width = wider(a.width, b.width);
  bool is_unsigned = n->op == EXPR_ULT || n->op == EXPR_ULE;
  // Both not negative, or of their whole width: the unsigned comparison is the one of the program.
  if (is_unsigned && !(is_nonnegative(w, n->a) && is_nonnegative(w, n->b)))
    width = expr_width(w->q->pool, n->a);
  Z3_ast x = resize(w, a, width), y = resize(w, b, width);
  count_gates(w, 7u * width);
  if (n->op == EXPR_EQ) return word(w, Z3_mk_eq(w->context, x, y), 1);
  if (n->op == EXPR_SLT) return word(w, Z3_mk_bvslt(w->context, x, y), 1);
  if (n->op == EXPR_SLE) return word(w, Z3_mk_bvsle(w->context, x, y), 1);
  if (n->op == EXPR_ULT) return word(w, Z3_mk_bvult(w->context, x, y), 1);
  return word(w, Z3_mk_bvule(w->context, x, y), 1);
}

static Word choice(Words *w, ExprRef ref, const ExprNode *n, Z3_ast condition, Word a) {
  Word b = term(w, n->c);
  uint8_t width = width_needed(w, ref);
  if (!b.ast) return b;
  count_gates(w, 3u * width);
  return word(w, Z3_mk_ite(w->context, condition, resize(w, a, width), resize(w, b, width)), width);
}

static Word operation(Words *w, ExprRef ref, const ExprNode *n) {
  Word none = {0}, a, b;
  if (n->op == EXPR_CONST) return (Word){number(w, width_needed(w, ref), n->value), width_needed(w, ref)};
  if (n->op == EXPR_SYM) return symbol(w, ref, n);
  if (n->op == EXPR_APP) return application(w, ref, n);
  a = term(w, n->a);
  b = n->b ? term(w, n->b) : none;
  if (!a.ast || (n->b && !b.ast)) return none;
  bool is_bool = n->width == 1;
  switch ((ExprOp)n->op) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL: return is_bool ? none : low_bits(w, ref, n, a, b);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR: return is_bool ? word(w, logic(w, n, a.ast, b.ast), 1) : low_bits(w, ref, n, a, b);
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_LSHR:
  case EXPR_ASHR: return is_bool ? none : divide(w, ref, n, a, b);
  case EXPR_SHL: return is_bool ? none : shift_left(w, ref, a, b);
  case EXPR_NOT: return word(w, Z3_mk_not(w->context, a.ast), 1);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC: return cast(w, ref, n, a);
  case EXPR_EQ:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE: return a.width == 1 ? word(w, logic(w, n, a.ast, b.ast), 1) : compare(w, n, a, b);
  case EXPR_ITE: return choice(w, ref, n, a.ast, b);
  case EXPR_CONST:
  case EXPR_SYM:
  case EXPR_APP:
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  return none;
}

// ---- meaning
static void require_exact(Words *w, const ExprNode *n, Z3_ast a, Z3_ast b) {
  Z3_context c = w->context;
  if (n->op == EXPR_SHL)
    require(w, Z3_mk_eq(c, keep(w, Z3_mk_bvashr(c, keep(w, Z3_mk_bvshl(c, a, b)), b)), a));
  if (n->op == EXPR_ADD) require(w, Z3_mk_bvadd_no_overflow(c, a, b, true));
  if (n->op == EXPR_ADD) require(w, Z3_mk_bvadd_no_underflow(c, a, b));
  if (n->op == EXPR_SUB) require(w, Z3_mk_bvsub_no_overflow(c, a, b));
  if (n->op == EXPR_SUB) require(w, Z3_mk_bvsub_no_underflow(c, a, b, true));
  if (n->op == EXPR_MUL) require(w, Z3_mk_bvmul_no_overflow(c, a, b, true));
  if (n->op == EXPR_MUL) require(w, Z3_mk_bvmul_no_underflow(c, a, b));
  if (n->op == EXPR_MUL) count_gates(w, 14u * n->width * n->width);
}

// For witnesses: every operation has a meaning, even one whose result may not be used, and what A1 takes not
// to overflow does not; a race that needs sizes to wrap around is not reported.
static void require_meaning(Words *w, ExprRef ref, const ExprNode *n) {
  if (n->width == 1 || !n->b || n->op == EXPR_ITE) return;
  Word a = term(w, n->a), b = term(w, n->b);
  bool is_division = n->op == EXPR_SDIV || n->op == EXPR_SREM || n->op == EXPR_UDIV || n->op == EXPR_UREM,
       is_shift = n->op == EXPR_SHL || n->op == EXPR_LSHR || n->op == EXPR_ASHR,
       is_sum = n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_MUL || n->op == EXPR_SHL;
  if (is_division)
    require(w, Z3_mk_not(w->context, keep(w, Z3_mk_eq(w->context, b.ast, number(w, b.width, 0)))));
  if (is_shift) require_between(w, b, (Range){0, n->width - 1});
  bool assumes = false;
  if (!is_sum || range_fits(w->q, w->mode, ref)) return;
  if ((n->flags & (EXPR_NSW | EXPR_ADDRESS)) || (range_is_plain(w->q, ref, &assumes) && assumes))
    require_exact(w, n, resize(w, a, n->width), resize(w, b, n->width));
}

// The interval that made it narrow may lean on A1.
static void note_assumption(Words *w, ExprRef ref, const ExprNode *n, Word t) {
  bool assumes, is_sum = n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_MUL || n->op == EXPR_SHL ||
                         n->op == EXPR_TRUNC;
  if (is_sum && t.width > 1 && !range_fits(w->q, w->mode, ref) && range_is_plain(w->q, ref, &assumes) &&
      assumes)
    w->q->used_no_overflow = true;
}

static Word term(Words *w, ExprRef ref) {
  uint32_t memo = map_get(&w->term_of, ref);
  if (memo) return w->terms.items[memo - 1];
  ExprNode n = *expr_node(w->q->pool, ref);
  Word t = w->is_too_large ? (Word){0} : operation(w, ref, &n);
  vec_push(w->arena, &w->terms, t);
  map_set(w->arena, &w->term_of, ref, w->terms.count);
  if (w->wants_meaning && t.ast) require_meaning(w, ref, &n);
  if (!w->wants_meaning && t.ast) note_assumption(w, ref, &n, t);
  return t;
}

// ---- the question
static bool assert_conditions(Words *w) {
  for (uint32_t i = 0; i < w->q->conditions.count; i++) {
    Word t = term(w, w->q->conditions.items[i].condition);
    if (!t.ast || w->is_too_large) return false;
    require(w, t.ast);
  }
  return true;
}

static bool value_in(Words *w, Z3_model model, ExprRef ref, int64_t *value) {
  Word t = term(w, ref);
  Z3_ast ast = NULL;
  uint64_t bits = 0;
  if (!Z3_model_eval(w->context, model, t.ast, true, &ast)) return false;
  keep(w, ast);
  if (t.width == 1) {
    *value = Z3_get_bool_value(w->context, ast) == Z3_L_TRUE;
    return true;
  }
  if (!Z3_get_numeral_uint64(w->context, ast, &bits)) return false;
  *value = expr_signed_reading((int64_t)bits, t.width);
  return true;
}

static bool read_witness(Words *w, Arena *arena, Witness *witness) {
  Z3_model model = Z3_solver_get_model(w->context, w->solver);
  if (!model) return false;
  Z3_model_inc_ref(w->context, model);
  witness_start(w->q->pool, witness, arena);
  bool fits = true;
  ExprSeries series = {0};
  for (uint32_t i = 0; i < w->syms.count && fits; i++) {
    uint32_t sym = w->syms.items[i];
    fits = value_in(w, model, expr_sym(w->q->pool, sym), &witness->sym_values[sym]);
    witness->sym_fixed[sym] = true;
  }
  for (uint32_t i = 0; i < w->apps.count && fits; i++) {
    int64_t value = 0;
    fits = value_in(w, model, w->apps.items[i], &value) &&
           witness_add_point(w->q->pool, witness, w->apps.items[i], value, &series, arena);
  }
  Z3_model_dec_ref(w->context, model);
  return fits && witness_holds(w->q, witness) == WITNESS_HOLDS;
}

// ---- Z3
static Z3_tactic keep_tactic(Words *w, Z3_tactic tactic) {
  if (!tactic) return tactic;
  Z3_tactic_inc_ref(w->context, tactic);
  vec_push(w->arena, &w->tactics, tactic);
  return tactic;
}

static Z3_params params_of(Words *w, const char *name, unsigned value) {
  Z3_params params = Z3_mk_params(w->context);
  Z3_params_inc_ref(w->context, params);
  vec_push(w->arena, &w->params, params);
  Z3_params_set_uint(w->context, params, Z3_mk_string_symbol(w->context, name), value);
  return params;
}

// Simplification does work in proportion to the circuit; the search counts conflicts. Tactic "smt", and its own theory of
// bit-vectors: gates are made of a term when the search comes to it. Circuits made beforehand ("bit-blast") took two to ten
// times as long, and tactic "sat" on these 60 MB for 10.
static Z3_solver make_solver(Words *w) {
  static const char *const steps[] = {"simplify", "propagate-values", "solve-eqs"};
  Z3_context c = w->context;
  Z3_tactic all = keep_tactic(w, Z3_tactic_using_params(c, keep_tactic(w, Z3_mk_tactic(c, "smt")),
                                                        params_of(w, "max_conflicts", MAX_CONFLICTS)));
  for (size_t i = sizeof steps / sizeof *steps; i-- > 0;)
    all = keep_tactic(w, Z3_tactic_and_then(c, keep_tactic(w, Z3_mk_tactic(c, steps[i])), all));
  return Z3_mk_solver_from_tactic(c, all);
}

static SmtResult ask(Words *w, uint64_t rlimit) {
  rlimit *= UNITS_OF_SAT;
  unsigned limit = rlimit > UINT32_MAX ? UINT32_MAX : (unsigned)rlimit;
  context_set(w->context, w->solver, "rlimit", limit);
  Z3_lbool answer = Z3_solver_check(w->context, w->solver);
  if (Z3_get_error_code(w->context) != Z3_OK) return SMT_UNKNOWN;
  return answer == Z3_L_TRUE ? SMT_SAT : answer == Z3_L_FALSE ? SMT_UNSAT : SMT_UNKNOWN;
}

// Before the check: after it, Z3 prints its own circuit.
static StrBuf text_of(Words *w) {
  StrBuf text = {.arena = w->arena};
  for (uint32_t i = 0; i < w->syms.count; i++)
    strbuf_printf(&text, "; s%u: %s\n", w->syms.items[i], expr_sym_info(w->q->pool, w->syms.items[i])->name);
  strbuf_add(&text, Z3_solver_to_string(w->context, w->solver));
  return text;
}

static void dump(const SearchOptions *options, StrBuf *text, SmtResult r) {
  strbuf_printf(text, "(check-sat)\n; answer: %s\n",
                r == SMT_SAT     ? "sat"
                : r == SMT_UNSAT ? "unsat"
                                 : "unknown, within its budget");
  options->solver->dump(options->solver->dump_context, options->name ? options->name : "", strbuf_text(text));
}

static SmtResult run(Words *w, Search *s, uint64_t rlimit) {
  SmtResult r = SMT_UNKNOWN;
  bool is_built = assert_conditions(w);
  s->spent += w->gates / GATES_OF_UNIT + CONTEXT_COST;
  if (!is_built) return r;
  bool wants_dump = s->options->solver && s->options->solver->dump;
  StrBuf text = wants_dump ? text_of(w) : (StrBuf){0};
  r = ask(w, rlimit);
  if (wants_dump) dump(s->options, &text, r);
  if (r == SMT_SAT && !read_witness(w, s->arena, &s->witness)) r = SMT_UNKNOWN;
  s->spent += context_units(w->context, w->solver) / UNITS_OF_SAT;
  s->checks++;
  return r;
}

static void close_context(Words *w) {
  Z3_solver_dec_ref(w->context, w->solver);
  for (uint32_t i = 0; i < w->params.count; i++)
    Z3_params_dec_ref(w->context, w->params.items[i]);
  for (uint32_t i = w->tactics.count; i-- > 0;)
    Z3_tactic_dec_ref(w->context, w->tactics.items[i]);
  for (uint32_t i = w->kept.count; i-- > 0;)
    Z3_dec_ref(w->context, w->kept.items[i]);
  Z3_del_context(w->context);
}

SmtResult words_run(Search *s, Wide limit, uint64_t rlimit) {
  ASSERT(limit >= 0);
  Words w = {.q = s->q, .arena = arena_open(), .wants_meaning = limit != 0, .mode = RANGE_SHARP};
  if (limit) {
    w.mode = RANGE_NEAR;
    range_near(s->q, limit);
  }
  w.context = context_new();
  w.solver = make_solver(&w);
  Z3_solver_inc_ref(w.context, w.solver);
  bool old = s->q->used_no_overflow;
  SmtResult r = run(&w, s, rlimit);
  if (r != SMT_UNSAT) s->q->used_no_overflow = old;
  close_context(&w);
  arena_close(w.arena);
  return r;
}
