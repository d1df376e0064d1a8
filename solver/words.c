// Bit tricks that linear arithmetic does not decide: the conditions as they are, over bit-vectors of their
// own width, functions as uninterpreted functions. Exact but for NSW, which is checked afterwards on the
// witness. Multiplication of wide vectors is hopeless in general, so this comes late, with bounds for
// witnesses, and with a limit of resource units. Soundness: without bounds UNSAT is a proof that needs no
// assumption about overflow; with bounds nothing is proved. Models are evaluated exactly before they are
// believed.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

#include <string.h>
#include <z3.h>

typedef struct Words {
  Query *q;
  Arena *arena;
  Z3_context context;
  Z3_solver solver;
  VEC(Z3_ast) terms;       // made so far
  Map term_of;             // by ExprRef: index into terms + 1
  VEC(Z3_func_decl) funcs; // likewise
  Map func_of;             // by function
  bool wants_meaning;
  VEC(uint32_t) syms;
  VEC(ExprRef) apps; // in the order in which they were met, inner ones first
} Words;

static void on_error(Z3_context context, Z3_error_code code) {
  (void)context; // asked for after the check
  (void)code;
}

static Z3_ast keep(Words *w, Z3_ast ast) {
  if (ast) Z3_inc_ref(w->context, ast);
  return ast;
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

static Z3_ast term(Words *w, ExprRef ref);

// ---- terms --------------------------------------------------------------------------------------
static Z3_ast symbol(Words *w, const ExprNode *n) {
  const char *name = arena_printf(w->arena, "s%lld", (long long)n->value);
  const ExprSym *sym = expr_sym_info(w->q->pool, (uint32_t)n->value);
  Z3_ast ast = keep(w, Z3_mk_const(w->context, Z3_mk_string_symbol(w->context, name), sort_of(w, n->width)));
  vec_push(w->arena, &w->syms, (uint32_t)n->value);
  if (n->width == 1) return ast;
  Z3_solver_assert(w->context, w->solver,
                   keep(w, Z3_mk_bvsle(w->context, number(w, n->width, sym->lo), ast)));
  Z3_solver_assert(w->context, w->solver,
                   keep(w, Z3_mk_bvsle(w->context, ast, number(w, n->width, sym->hi))));
  return ast;
}

static Z3_func_decl function(Words *w, ExprRef ref, const ExprNode *n) {
  uint32_t memo = map_get(&w->func_of, (uint64_t)n->value);
  if (memo) return w->funcs.items[memo - 1];
  Z3_sort *sorts = arena_array(w->arena, n->arg_count + 1, Z3_sort);
  for (uint32_t i = 0; i < n->arg_count; i++)
    sorts[i] = sort_of(w, expr_width(w->q->pool, expr_node(w->q->pool, ref)->args[i]));
  const char *name = arena_printf(w->arena, "f%lld", (long long)n->value);
  Z3_func_decl decl = Z3_mk_func_decl(w->context, Z3_mk_string_symbol(w->context, name), n->arg_count, sorts,
                                      sort_of(w, n->width));
  keep(w, Z3_func_decl_to_ast(w->context, decl));
  vec_push(w->arena, &w->funcs, decl);
  map_set(w->arena, &w->func_of, (uint64_t)n->value, w->funcs.count);
  return decl;
}

static Z3_ast application(Words *w, ExprRef ref, const ExprNode *n) {
  Z3_ast *args = arena_array(w->arena, n->arg_count + 1, Z3_ast);
  const ExprFunc *f = expr_func_info(w->q->pool, (uint32_t)n->value);
  for (uint32_t i = 0; i < n->arg_count; i++)
    args[i] = term(w, n->args[i]);
  Z3_ast ast = keep(w, Z3_mk_app(w->context, function(w, ref, n), n->arg_count, args));
  vec_push(w->arena, &w->apps, ref);
  if (n->width == 1) return ast;
  Z3_solver_assert(w->context, w->solver, keep(w, Z3_mk_bvsle(w->context, number(w, n->width, f->lo), ast)));
  Z3_solver_assert(w->context, w->solver, keep(w, Z3_mk_bvsle(w->context, ast, number(w, n->width, f->hi))));
  return ast;
}

static Z3_ast logic(Words *w, const ExprNode *n, Z3_ast a, Z3_ast b) {
  Z3_ast both[2] = {a, b};
  if (n->op == EXPR_AND) return Z3_mk_and(w->context, 2, both);
  if (n->op == EXPR_OR) return Z3_mk_or(w->context, 2, both);
  return Z3_mk_xor(w->context, a, b);
}

static Z3_ast cast(Words *w, const ExprNode *n, Z3_ast a) {
  uint8_t from = expr_width(w->q->pool, n->a);
  unsigned more = (unsigned)(n->width > from ? n->width - from : 0);
  if (from == 1)
    return Z3_mk_ite(w->context, a, number(w, n->width, n->op == EXPR_SEXT ? -1 : 1), number(w, n->width, 0));
  if (n->op == EXPR_ZEXT) return Z3_mk_zero_ext(w->context, more, a);
  if (n->op == EXPR_SEXT) return Z3_mk_sign_ext(w->context, more, a);
  Z3_ast low = keep(w, Z3_mk_extract(w->context, n->width - 1u, 0, a));
  if (n->width > 1) return low;
  return Z3_mk_eq(w->context, low,
                  keep(w, Z3_mk_unsigned_int64(w->context, 1, Z3_mk_bv_sort(w->context, 1))));
}

// NULL: arithmetic on truth values, which no condition holds.
static Z3_ast operation(Words *w, ExprRef ref, const ExprNode *n) {
  bool is_leaf = n->op == EXPR_CONST || n->op == EXPR_SYM || n->op == EXPR_APP;
  Z3_ast a = !is_leaf && n->a ? term(w, n->a) : NULL, b = !is_leaf && n->b ? term(w, n->b) : NULL;
  Z3_context c = w->context;
  bool is_bool = n->width == 1;
  if ((!is_leaf && !a) || (n->b && !b)) return NULL;
  switch ((ExprOp)n->op) {
  case EXPR_CONST: return number(w, n->width, n->value);
  case EXPR_SYM: return symbol(w, n);
  case EXPR_APP: return application(w, ref, n);
  case EXPR_ADD: return is_bool ? NULL : Z3_mk_bvadd(c, a, b);
  case EXPR_SUB: return is_bool ? NULL : Z3_mk_bvsub(c, a, b);
  case EXPR_MUL: return is_bool ? NULL : Z3_mk_bvmul(c, a, b);
  case EXPR_SDIV: return is_bool ? NULL : Z3_mk_bvsdiv(c, a, b);
  case EXPR_SREM: return is_bool ? NULL : Z3_mk_bvsrem(c, a, b);
  case EXPR_UDIV: return is_bool ? NULL : Z3_mk_bvudiv(c, a, b);
  case EXPR_UREM: return is_bool ? NULL : Z3_mk_bvurem(c, a, b);
  case EXPR_SHL: return is_bool ? NULL : Z3_mk_bvshl(c, a, b);
  case EXPR_LSHR: return is_bool ? NULL : Z3_mk_bvlshr(c, a, b);
  case EXPR_ASHR: return is_bool ? NULL : Z3_mk_bvashr(c, a, b);
  case EXPR_AND: return is_bool ? logic(w, n, a, b) : Z3_mk_bvand(c, a, b);
  case EXPR_OR: return is_bool ? logic(w, n, a, b) : Z3_mk_bvor(c, a, b);
  case EXPR_XOR: return is_bool ? logic(w, n, a, b) : Z3_mk_bvxor(c, a, b);
  case EXPR_NOT: return Z3_mk_not(c, a);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC: return cast(w, n, a);
  case EXPR_EQ: return Z3_mk_eq(c, a, b);
  case EXPR_SLT: return Z3_mk_bvslt(c, a, b);
  case EXPR_SLE: return Z3_mk_bvsle(c, a, b);
  case EXPR_ULT: return Z3_mk_bvult(c, a, b);
  case EXPR_ULE: return Z3_mk_bvule(c, a, b);
  case EXPR_ITE: {
    Z3_ast other = term(w, n->c);
    return other ? Z3_mk_ite(c, a, b, other) : NULL;
  }
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  return NULL;
}

static void require(Words *w, Z3_ast ast) {
  Z3_solver_assert(w->context, w->solver, keep(w, ast));
}

// A1 holds for witnesses as well: a race that needs sizes to wrap around is not reported.
static bool is_taken_as_plain(Words *w, ExprRef ref, const ExprNode *n) {
  bool assumes = false;
  if (n->op != EXPR_ADD && n->op != EXPR_SUB && n->op != EXPR_MUL && n->op != EXPR_SHL) return false;
  if (n->flags & (EXPR_NSW | EXPR_ADDRESS)) return true;
  return range_is_plain(w->q, ref, &assumes) && assumes;
}

// For witnesses: every operation has a meaning, even one whose result may not be used.
static void require_meaning(Words *w, ExprRef ref, const ExprNode *n) {
  Z3_context c = w->context;
  if (n->width == 1 || !n->b || n->op == EXPR_ITE) return;
  Z3_ast a = term(w, n->a), b = term(w, n->b);
  bool is_division = n->op == EXPR_SDIV || n->op == EXPR_SREM || n->op == EXPR_UDIV || n->op == EXPR_UREM;
  bool is_shift = n->op == EXPR_SHL || n->op == EXPR_LSHR || n->op == EXPR_ASHR;
  bool is_exact = is_taken_as_plain(w, ref, n);
  if (is_division) require(w, Z3_mk_not(c, keep(w, Z3_mk_eq(c, b, number(w, n->width, 0)))));
  if (is_shift) require(w, Z3_mk_bvult(c, b, number(w, n->width, n->width)));
  if (!is_exact) return;
  if (n->op == EXPR_SHL)
    require(w, Z3_mk_eq(c, keep(w, Z3_mk_bvashr(c, keep(w, Z3_mk_bvshl(c, a, b)), b)), a));
  if (n->op == EXPR_ADD) require(w, Z3_mk_bvadd_no_overflow(c, a, b, true));
  if (n->op == EXPR_ADD) require(w, Z3_mk_bvadd_no_underflow(c, a, b));
  if (n->op == EXPR_SUB) require(w, Z3_mk_bvsub_no_overflow(c, a, b));
  if (n->op == EXPR_SUB) require(w, Z3_mk_bvsub_no_underflow(c, a, b, true));
  if (n->op == EXPR_MUL) require(w, Z3_mk_bvmul_no_overflow(c, a, b, true));
  if (n->op == EXPR_MUL) require(w, Z3_mk_bvmul_no_underflow(c, a, b));
}

static Z3_ast term(Words *w, ExprRef ref) {
  uint32_t memo = map_get(&w->term_of, ref);
  if (memo) return w->terms.items[memo - 1];
  ExprNode n = *expr_node(w->q->pool, ref);
  Z3_ast ast = operation(w, ref, &n);
  vec_push(w->arena, &w->terms, keep(w, ast));
  map_set(w->arena, &w->term_of, ref, w->terms.count);
  if (w->wants_meaning && ast) require_meaning(w, ref, &n);
  return ast;
}

// ---- the question -------------------------------------------------------------------------------
static bool assert_conditions(Words *w) {
  for (uint32_t i = 0; i < w->q->conditions.count; i++) {
    Z3_ast ast = term(w, w->q->conditions.items[i].condition);
    if (!ast) return false;
    Z3_solver_assert(w->context, w->solver, ast);
  }
  return true;
}

// Symbols near zero, or near the end of their range that is next to it.
static void assert_bounds(Words *w, Wide limit) {
  for (uint32_t i = 0; i < w->syms.count; i++) {
    const ExprSym *sym = expr_sym_info(w->q->pool, w->syms.items[i]);
    ExprRef ref = expr_sym(w->q->pool, w->syms.items[i]);
    uint8_t width = sym->width;
    Wide near = sym->lo > 0 ? sym->lo : sym->hi < 0 ? sym->hi : 0;
    Range r = range_meet((Range){near - limit, near + limit}, range_of_width(width));
    if (width == 1) continue;
    Z3_ast t = term(w, ref);
    Z3_solver_assert(w->context, w->solver,
                     keep(w, Z3_mk_bvsle(w->context, number(w, width, (int64_t)r.lo), t)));
    Z3_solver_assert(w->context, w->solver,
                     keep(w, Z3_mk_bvsle(w->context, t, number(w, width, (int64_t)r.hi))));
  }
}

static bool value_in(Words *w, Z3_model model, ExprRef ref, int64_t *value) {
  uint8_t width = expr_width(w->q->pool, ref);
  Z3_ast ast = NULL;
  uint64_t bits = 0;
  if (!Z3_model_eval(w->context, model, term(w, ref), true, &ast)) return false;
  keep(w, ast);
  if (width == 1) {
    *value = Z3_get_bool_value(w->context, ast) == Z3_L_TRUE;
    return true;
  }
  if (!Z3_get_numeral_uint64(w->context, ast, &bits)) return false;
  *value = expr_signed_reading((int64_t)bits, width);
  return true;
}

static bool read_witness(Words *w, Arena *arena, Witness *witness) {
  Z3_model model = Z3_solver_get_model(w->context, w->solver);
  if (!model) return false;
  Z3_model_inc_ref(w->context, model);
  witness_start(w->q->pool, witness, arena);
  bool fits = true;
  for (uint32_t i = 0; i < w->syms.count && fits; i++) {
    uint32_t sym = w->syms.items[i];
    fits = value_in(w, model, expr_sym(w->q->pool, sym), &witness->sym_values[sym]);
    witness->sym_fixed[sym] = true;
  }
  for (uint32_t i = 0; i < w->apps.count && fits; i++) {
    int64_t value = 0;
    fits = value_in(w, model, w->apps.items[i], &value) &&
           witness_add_point(w->q->pool, witness, w->apps.items[i], value, arena);
  }
  Z3_model_dec_ref(w->context, model);
  return fits && witness_holds(w->q, witness) == WITNESS_HOLDS;
}

static SmtResult ask(Words *w, uint64_t rlimit) {
  Z3_params params = Z3_mk_params(w->context);
  Z3_params_inc_ref(w->context, params);
  Z3_params_set_uint(w->context, params, Z3_mk_string_symbol(w->context, "rlimit"),
                     rlimit > UINT32_MAX ? UINT32_MAX : (unsigned)rlimit);
  Z3_solver_set_params(w->context, w->solver, params);
  Z3_params_dec_ref(w->context, params);
  Z3_lbool answer = Z3_solver_check(w->context, w->solver);
  if (Z3_get_error_code(w->context) != Z3_OK) return SMT_UNKNOWN;
  return answer == Z3_L_TRUE ? SMT_SAT : answer == Z3_L_FALSE ? SMT_UNSAT : SMT_UNKNOWN;
}

static uint64_t units(Words *w) {
  Z3_stats stats = Z3_solver_get_statistics(w->context, w->solver);
  Z3_stats_inc_ref(w->context, stats);
  uint64_t value = 0;
  for (unsigned i = 0, n = Z3_stats_size(w->context, stats); i < n; i++)
    if (strcmp(Z3_stats_get_key(w->context, stats, i), "rlimit count") == 0)
      value = Z3_stats_get_uint_value(w->context, stats, i);
  Z3_stats_dec_ref(w->context, stats);
  return value;
}

static void dump(Words *w, const SearchOptions *options) {
  if (!options->solver || !options->solver->dump) return;
  StrBuf text = {.arena = w->arena};
  for (uint32_t i = 0; i < w->syms.count; i++)
    strbuf_printf(&text, "; s%u: %s\n", w->syms.items[i], expr_sym_info(w->q->pool, w->syms.items[i])->name);
  strbuf_add(&text, Z3_solver_to_string(w->context, w->solver));
  strbuf_add(&text, "(check-sat)\n");
  options->solver->dump(options->solver->dump_context, options->name ? options->name : "",
                        strbuf_text(&text));
}

SmtResult words_run(Search *s, Wide limit, uint64_t rlimit) {
  Query *q = s->q;
  Words w = {.q = q, .arena = arena_open(), .wants_meaning = limit != 0};
  Z3_config config = Z3_mk_config();
  w.context = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(w.context, on_error);
  w.solver = Z3_mk_simple_solver(w.context);
  Z3_solver_inc_ref(w.context, w.solver);
  SmtResult r = SMT_UNKNOWN;
  if (assert_conditions(&w)) {
    if (limit) assert_bounds(&w, limit);
    dump(&w, s->options);
    r = ask(&w, rlimit);
    if (r == SMT_SAT && !read_witness(&w, s->arena, &s->witness)) r = SMT_UNKNOWN;
    s->spent += units(&w);
    s->checks++;
  }
  Z3_solver_dec_ref(w.context, w.solver);
  Z3_del_context(w.context);
  arena_close(w.arena);
  return r;
}
