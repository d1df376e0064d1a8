// How is Z3 asked? One incremental solver per question, in a context in the state of a new one (context.c),
// so that neither answers nor models depend on earlier questions. Every product of atoms is one integer
// constant, so that Z3 sees linear arithmetic only; its nonlinear arithmetic competes with our lemmas and
// loses. Work is limited by Z3's resource counter, not by the clock. Soundness: there are more models than
// the question has, so UNSAT is one of the question; models are not believed here. An error of Z3 reads as
// "unknown".
// SPDX-License-Identifier: Apache-2.0
#include "solver/context.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

enum {
  MANY_FACTORS = 4,      // of one product
  WIDE_COEFFICIENT = 16, // in bits, trailing zeros aside
  NO_CUTS = 5            // of arith.branch_cut_ratio: from here on, Z3 only branches
};

typedef struct Tagged {
  Z3_ast literal;
  uint32_t tag;
} Tagged;

struct Smt {
  Arena *arena;
  const Query *q;
  const SolverOptions *options;
  const char *name;
  SmtStore *store;
  Z3_context context;
  Z3_solver solver;
  Z3_model model;
  Z3_sort int_sort, bool_sort;
  Z3_ast zero;
  VEC(Z3_ast) kept;
  VEC(Z3_ast) monos, forms; // caches by id; NULL: not made yet
  VEC(Tagged) tagged;
  VEC(Z3_ast) assumptions;
  VEC(uint32_t) scopes; // number of tags at each push
  SmtStats stats;
  uint32_t units_before; // of earlier questions in the same context
};

// With reference counting by hand, ASTs survive pops. They are given back at the end.
static Z3_ast keep(Smt *s, Z3_ast ast) {
  if (!ast) return ast;
  Z3_inc_ref(s->context, ast);
  vec_push(s->arena, &s->kept, ast);
  return ast;
}

static void set_limits(Smt *s, uint64_t rlimit) {
  context_set(s->context, s->solver, "rlimit", rlimit > UINT32_MAX ? UINT32_MAX : (unsigned)rlimit);
}

void smt_seed(Smt *s, unsigned seed) {
  context_set(s->context, s->solver, "random_seed", seed);
}

// ---- terms
static char *wide_text(Arena *arena, Wide value) {
  char digits[48], *at = digits + sizeof digits - 1;
  bool negative = value < 0;
  *at = 0;
  do {
    int digit = (int)(value % 10);
    *--at = (char)('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value);
  return arena_printf(arena, "%s%s", negative ? "-" : "", at);
}

static Z3_ast numeral(Smt *s, Wide value) {
  if (value >= INT64_MIN && value <= INT64_MAX)
    return keep(s, Z3_mk_int64(s->context, (int64_t)value, s->int_sort));
  return keep(s, Z3_mk_numeral(s->context, wide_text(s->arena, value), s->int_sort));
}

static Z3_ast constant(Smt *s, const char *name, Z3_sort sort) {
  return keep(s, Z3_mk_const(s->context, Z3_mk_string_symbol(s->context, name), sort));
}

// Names say nothing, so that goals which differ in names only are one to Z3; the dump explains them.
static const char *mono_text(Smt *s, MonoId id) {
  return arena_printf(s->arena, "x%u", id);
}

static void explain_atom(Smt *s, AtomId id, StrBuf *out) {
  static const char *const kinds[] = {"?",      "symbol", "function", "quotient", "remainder",
                                      "wrap",   "mixed",  "choice",   "name",     "power of two",
                                      "bitand", "half",   "any"};
  const Atom *atom = &s->q->atoms.items[id];
  const char *name = "";
  if (atom->kind == ATOM_SYM) name = expr_sym_info(s->q->pool, atom->index)->name;
  if (atom->kind == ATOM_APP) name = expr_func_info(s->q->pool, atom->index)->name;
  strbuf_printf(out, "%s %s%s", kinds[atom->kind], name,
                atom->owners == 1   ? "@1"
                : atom->owners == 2 ? "@2"
                                    : "");
}

static void explain(Smt *s, StrBuf *out) {
  for (MonoId id = 1; id < s->monos.count; id++) {
    const Mono *m = &s->q->monos.items[id];
    if (!s->monos.items[id]) continue;
    strbuf_printf(out, "; x%u:", id);
    for (uint32_t i = 0; m->degree > 1 && i < m->degree; i++)
      strbuf_printf(out, "%s x%u", i ? " *" : "", mono_of_atom((Query *)s->q, m->atoms[i]));
    strbuf_add(out, " ");
    if (m->degree == 1) explain_atom(s, m->atoms[0], out);
    strbuf_add(out, "\n");
  }
}

static Z3_ast mono_term(Smt *s, MonoId id) {
  while (s->monos.count <= id)
    vec_push(s->arena, &s->monos, NULL);
  if (!s->monos.items[id]) s->monos.items[id] = constant(s, mono_text(s, id), s->int_sort);
  return s->monos.items[id];
}

// The part of p with positive (sign 1) or negative (sign -1) coefficients, both as a positive sum.
static Z3_ast half_sum(Smt *s, const Poly *p, int sign) {
  Z3_ast *terms = arena_array(s->arena, p->count + 1, Z3_ast);
  unsigned count = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    Wide coef = p->terms[i].coef * sign;
    if (coef <= 0) continue;
    Z3_ast factor[2] = {numeral(s, coef), NULL};
    if (p->terms[i].mono) factor[1] = mono_term(s, p->terms[i].mono);
    terms[count++] = !factor[1]  ? factor[0]
                     : coef == 1 ? factor[1]
                                 : keep(s, Z3_mk_mul(s->context, 2, factor));
  }
  if (count == 0) return s->zero;
  return count == 1 ? terms[0] : keep(s, Z3_mk_add(s->context, count, terms));
}

static Z3_ast form_term(Smt *s, FormId id);

static Z3_ast junction(Smt *s, const Form *f) {
  Z3_ast *parts = arena_array(s->arena, f->count, Z3_ast);
  for (uint32_t i = 0; i < f->count; i++)
    parts[i] = form_term(s, f->parts[i]);
  return keep(s, (f->kind == FORM_AND ? Z3_mk_and : Z3_mk_or)(s->context, f->count, parts));
}

static Z3_ast form_make(Smt *s, FormId id) {
  Form f = s->q->forms.items[id];
  Z3_ast left = f.poly ? half_sum(s, f.poly, 1) : NULL, right = f.poly ? half_sum(s, f.poly, -1) : NULL;
  switch ((FormKind)f.kind) {
  case FORM_TRUE: return keep(s, Z3_mk_true(s->context));
  case FORM_FALSE: return keep(s, Z3_mk_false(s->context));
  case FORM_LE: return keep(s, Z3_mk_le(s->context, left, right));
  case FORM_EQ: return keep(s, Z3_mk_eq(s->context, left, right));
  case FORM_NE: return keep(s, Z3_mk_not(s->context, keep(s, Z3_mk_eq(s->context, left, right))));
  case FORM_AND:
  case FORM_OR: return junction(s, &f);
  case FORM_NONE:
  case FORM_UNKNOWN: break;
  }
  return constant(s, arena_printf(s->arena, "unknown@%u", id), s->bool_sort);
}

static Z3_ast form_term(Smt *s, FormId id) {
  while (s->forms.count <= id)
    vec_push(s->arena, &s->forms, NULL);
  if (s->forms.items[id]) return s->forms.items[id];
  Z3_ast ast = form_make(s, id);
  s->forms.items[id] = ast;
  return ast;
}

// ---- opening
static void assert_ranges(Smt *s) {
  for (AtomId id = 1; id < s->q->atoms.count; id++) {
    const Atom *atom = &s->q->atoms.items[id];
    if (atom->kind != ATOM_SYM && atom->kind != ATOM_APP) continue;
    smt_assert_between(s, mono_of_atom((Query *)s->q, id), atom->asserted.lo, atom->asserted.hi);
  }
}

// A question takes less than Z3 can count.
static uint64_t read_rlimit(Smt *s) {
  return (uint32_t)(context_units(s->context, s->solver) - s->units_before);
}

// Cuts decide much, but where coefficients are wide, or products of many unknowns stand in one sum, their own
// coefficients grow to thousands of bits, and a unit that takes a microsecond elsewhere takes a hundred.
// Branching alone costs the same everywhere. Never met in the stored goals and tests, so there it changes
// nothing.
static bool grows_in_cuts(const Query *q) {
  for (uint32_t i = 1; i < q->polys.count; i++) { // [0] is none
    const Poly *p = q->polys.items[i];
    if (p->degree >= MANY_FACTORS) return true;
    for (uint32_t k = 0; k < p->count; k++)
      if (p->terms[k].mono && wide_bits(p->terms[k].coef) > WIDE_COEFFICIENT) return true;
  }
  return false;
}

Smt *smt_open(const Query *q, const SolverOptions *options, SmtStore *store, const char *name) {
  Arena *arena = arena_open();
  Smt *s = arena_new(arena, Smt);
  s->arena = arena;
  s->q = q;
  s->options = options;
  s->name = name;
  s->store = store;
  s->context = context_take(store);
  s->solver = Z3_mk_simple_solver(s->context);
  Z3_solver_inc_ref(s->context, s->solver);
  if (grows_in_cuts(q)) context_set(s->context, s->solver, "arith.branch_cut_ratio", NO_CUTS);
  s->int_sort = Z3_mk_int_sort(s->context);
  s->bool_sort = Z3_mk_bool_sort(s->context);
  keep(s, Z3_sort_to_ast(s->context, s->int_sort));
  keep(s, Z3_sort_to_ast(s->context, s->bool_sort));
  s->zero = numeral(s, 0);
  s->units_before = context_units(s->context, s->solver);
  assert_ranges(s);
  return s;
}

static void drop_model(Smt *s) {
  if (s->model) Z3_model_dec_ref(s->context, s->model);
  s->model = NULL;
}

void smt_close(Smt *s) {
  if (!s) return;
  drop_model(s);
  Z3_solver_dec_ref(s->context, s->solver);
  for (uint32_t i = s->kept.count; i-- > 0;)
    Z3_dec_ref(s->context, s->kept.items[i]);
  context_give(s->store, s->context);
  arena_close(s->arena);
}

// ---- asserting
static void assert_term(Smt *s, Z3_ast ast) {
  Z3_solver_assert(s->context, s->solver, ast);
}

void smt_assert(Smt *s, FormId form) {
  ASSERT(form_is_of(s->q, form) && form != FORM_NONE);
  if (form != s->q->form_true) assert_term(s, form_term(s, form));
}

void smt_assert_tagged(Smt *s, FormId form, uint32_t tag) {
  ASSERT(form_is_of(s->q, form) && form != FORM_NONE);
  if (form == s->q->form_true) return;
  Z3_ast literal = constant(s, arena_printf(s->arena, "fact@%u", tag), s->bool_sort);
  assert_term(s, keep(s, Z3_mk_implies(s->context, literal, form_term(s, form))));
  vec_push(s->arena, &s->tagged, (Tagged){literal, tag});
  vec_push(s->arena, &s->assumptions, literal);
}

void smt_assert_between(Smt *s, MonoId mono, Wide lo, Wide hi) {
  ASSERT(mono_is_of(s->q, mono));
  Z3_ast term = mono_term(s, mono);
  if (lo > -WIDE_INF) assert_term(s, keep(s, Z3_mk_le(s->context, numeral(s, lo), term)));
  if (hi < WIDE_INF) assert_term(s, keep(s, Z3_mk_le(s->context, term, numeral(s, hi))));
}

void smt_push(Smt *s) {
  Z3_solver_push(s->context, s->solver);
  vec_push(s->arena, &s->scopes, s->tagged.count);
}

void smt_pop(Smt *s) {
  ASSERT(s->scopes.count > 0); // one for each push
  drop_model(s);
  Z3_solver_pop(s->context, s->solver, 1);
  s->scopes.count--;
  s->tagged.count = s->assumptions.count = s->scopes.items[s->scopes.count]; // tags die with their scope
}

// ---- asking
static void dump(Smt *s, unsigned count, const Z3_ast *literals, Z3_lbool answer) {
  if (!s->options || !s->options->dump) return;
  StrBuf text = {.arena = s->arena};
  explain(s, &text);
  strbuf_add(&text, Z3_solver_to_string(s->context, s->solver));
  for (unsigned i = 0; i < count; i++) {
    const char *name = arena_strdup(s->arena, Z3_ast_to_string(s->context, literals[i]));
    const char *declaration = arena_printf(s->arena, "(declare-fun %s () Bool)\n", name);
    // What a literal stands for may have been simplified away.
    if (!strstr(strbuf_text(&text), declaration)) strbuf_add(&text, declaration);
    strbuf_printf(&text, "(assert %s)\n", name);
  }
  strbuf_printf(&text, "(check-sat)\n; answer: %s\n",
                answer == Z3_L_TRUE    ? "sat"
                : answer == Z3_L_FALSE ? "unsat"
                                       : "unknown, within its budget");
  s->options->dump(s->options->dump_context, s->name ? s->name : "", strbuf_text(&text));
}

SmtResult smt_check(Smt *s, uint64_t rlimit) {
  drop_model(s);
  set_limits(s, rlimit);
  Z3_lbool answer =
      s->assumptions.count
          ? Z3_solver_check_assumptions(s->context, s->solver, s->assumptions.count, s->assumptions.items)
          : Z3_solver_check(s->context, s->solver);
  dump(s, s->assumptions.count, s->assumptions.items, answer);
  s->stats.checks++;
  s->stats.rlimit = read_rlimit(s);
  if (Z3_get_error_code(s->context) != Z3_OK) return SMT_UNKNOWN;
  if (answer == Z3_L_TRUE) {
    s->model = Z3_solver_get_model(s->context, s->solver);
    if (!s->model) return SMT_UNKNOWN;
    Z3_model_inc_ref(s->context, s->model);
    return SMT_SAT;
  }
  return answer == Z3_L_FALSE ? SMT_UNSAT : SMT_UNKNOWN;
}

static bool parse_wide(const char *text, Wide *value) {
  bool negative = *text == '-';
  *value = 0;
  for (text += negative; *text; text++) {
    if (*text < '0' || *text > '9' || *value > WIDE_INF) return false;
    *value = *value * 10 + (*text - '0');
  }
  if (negative) *value = -*value;
  return *value<WIDE_INF && * value> - WIDE_INF;
}

static bool model_value(Smt *s, MonoId mono, Wide *value) {
  *value = 0;
  Z3_func_decl decl = Z3_get_app_decl(s->context, Z3_to_app(s->context, s->monos.items[mono]));
  Z3_ast ast = Z3_model_get_const_interp(s->context, s->model, decl);
  int64_t number;
  if (!ast) return true; // Z3 does not care
  if (Z3_get_numeral_int64(s->context, ast, &number)) {
    *value = number;
    return true;
  }
  return parse_wide(Z3_get_numeral_string(s->context, ast), value);
}

#define UNKNOWN_VALUE (2 * WIDE_INF)

// A product that Z3 has not heard of is what its factors make it.
static Wide exact_product(const Query *q, MonoId id, const Wide *mono_values) {
  const Mono *m = &q->monos.items[id];
  Wide product = 1;
  for (uint32_t i = 0; i < m->degree; i++) {
    Wide factor = mono_values[mono_of_atom((Query *)q, m->atoms[i])];
    if (m->degree == 1 || factor == UNKNOWN_VALUE) factor = 0;
    if (__builtin_mul_overflow(product, factor, &product)) return WIDE_INF;
  }
  return product > WIDE_INF ? WIDE_INF : product < -WIDE_INF ? -WIDE_INF : product;
}

bool smt_model(Smt *s, Arena *arena, Model *model) {
  const Query *q = s->q;
  bool fits = s->model != NULL;
  model->count = q->monos.count;
  model->values = arena_array(arena, model->count, Wide);
  Wide *mono_values = model->values;
  mono_values[0] = 1;
  for (MonoId id = 1; fits && id < q->monos.count; id++) {
    bool is_known = id < s->monos.count && s->monos.items[id];
    if (is_known) fits = model_value(s, id, &mono_values[id]);
    if (!is_known) mono_values[id] = UNKNOWN_VALUE;
  }
  for (MonoId id = 1; fits && id < model->count; id++)
    if (mono_values[id] == UNKNOWN_VALUE) mono_values[id] = exact_product(q, id, mono_values);
  return fits && Z3_get_error_code(s->context) == Z3_OK;
}

static int compare_tags(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

uint32_t smt_core(Smt *s, Arena *arena, const uint32_t **tags) {
  ASSERT(tags);
  uint32_t *out = arena_array(arena, s->tagged.count + 1, uint32_t), count = 0;
  *tags = out;
  if (s->tagged.count == 0) return 0;
  Z3_ast_vector core = Z3_solver_get_unsat_core(s->context, s->solver);
  Z3_ast_vector_inc_ref(s->context, core);
  for (unsigned i = 0, n = Z3_ast_vector_size(s->context, core); i < n; i++) {
    Z3_ast literal = Z3_ast_vector_get(s->context, core, i);
    for (uint32_t k = 0; k < s->tagged.count; k++)
      if (s->tagged.items[k].literal == literal) out[count++] = s->tagged.items[k].tag;
  }
  Z3_ast_vector_dec_ref(s->context, core);
  qsort(out, count, sizeof *out, compare_tags);
  return count;
}

// Checks under all tags below `first` and the given ones.
static SmtResult check_under(Smt *s, uint32_t first, const uint32_t *tags, uint32_t count, uint64_t rlimit) {
  Z3_ast *literals = arena_array(s->arena, s->tagged.count + 1, Z3_ast);
  unsigned n = 0;
  for (uint32_t i = 0; i < s->tagged.count; i++) {
    bool is_wanted = s->tagged.items[i].tag < first;
    for (uint32_t k = 0; k < count && !is_wanted; k++)
      is_wanted = s->tagged.items[i].tag == tags[k];
    if (is_wanted) literals[n++] = s->tagged.items[i].literal;
  }
  set_limits(s, rlimit);
  Z3_lbool answer = Z3_solver_check_assumptions(s->context, s->solver, n, literals);
  dump(s, n, literals, answer);
  s->stats.checks++;
  s->stats.rlimit = read_rlimit(s);
  if (Z3_get_error_code(s->context) != Z3_OK) return SMT_UNKNOWN;
  return answer == Z3_L_FALSE ? SMT_UNSAT : answer == Z3_L_TRUE ? SMT_SAT : SMT_UNKNOWN;
}

// Ends at the first check that runs out of its budget: the others would as well.
uint32_t smt_small_core(Smt *s, uint32_t first, uint64_t rlimit, Arena *arena, const uint32_t **tags) {
  ASSERT(tags);
  uint32_t count = smt_core(s, arena, tags);
  uint32_t *all = arena_copy(arena, *tags, (count + 1) * sizeof *all),
           *without = arena_array(arena, count + 1, uint32_t);
  SmtResult r = SMT_SAT;
  for (uint32_t i = 0; i < count && count > 1 && r != SMT_UNKNOWN;) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++)
      if (k != i) without[n++] = all[k];
    r = all[i] >= first ? check_under(s, first, without, n, rlimit) : SMT_SAT;
    if (r == SMT_UNSAT) {
      memcpy(all, without, n * sizeof *all);
      count = n;
    } else
      i++;
  }
  *tags = all;
  return count;
}

SmtStats smt_stats(const Smt *smt) {
  return smt->stats;
}
