// Is there a witness of small size? Bounds on the symbols; then the factors of products are fixed to their
// values in a model of the linear abstraction. That makes every product linear, so the next model is exact
// but for overflow and bit operations. If the fixed values do not work, the unsat core says which of them,
// and these are not tried again.
//
// A witness is then shrunk: one symbol after the other is set to its smallest value, as long as a witness
// remains. Soundness: finds witnesses only. The formulas added in a scope are lemmas, or fall with the scope.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MAX_SHRINKS = 16, FIX_TAG = 1 << 30 };
static const uint64_t small_limit = 200000, shrink_limit = 60000, bound_limit = 300000;

// ---- cover of the products
static uint32_t open_factors(const Search *s, MonoId mono, AtomId *one) {
  ASSERT(mono_is_of(s->q, mono));
  const Mono *m = &s->q->monos.items[mono];
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->degree; i++)
    if (!map_get(&s->is_covered, m->atoms[i])) {
      count++;
      *one = m->atoms[i];
    }
  return count;
}

// How many products an atom would open; squares count more, since only fixing their root helps.
static uint32_t weight(const Search *s, const MonoList *products, AtomId atom) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < products->count; i++) {
    const Mono *m = &s->q->monos.items[products->items[i]];
    uint32_t times = 0;
    AtomId one;
    for (uint32_t k = 0; k < m->degree; k++)
      times += m->atoms[k] == atom;
    if (times && open_factors(s, products->items[i], &one) >= 2) sum += times == 1 ? 1 : 5;
  }
  return sum;
}

static void find_cover(Search *s) {
  MonoList products = {0};
  lemma_products(s->q, false, &products);
  for (;;) {
    AtomId best = 0;
    uint32_t best_weight = 0;
    for (AtomId id = 1; id < s->q->atoms.count; id++) {
      if (map_get(&s->is_covered, id)) continue;
      uint32_t w = weight(s, &products, id);
      if (w && s->q->atoms.items[id].owners == 0) w += 1u << 20; // sizes before thread numbers
      if (w > best_weight) {
        best = id;
        best_weight = w;
      }
    }
    if (!best) return;
    vec_push(s->q->arena, &s->cover, best);
    map_set(s->q->arena, &s->is_covered, best, 1);
  }
}

void concrete_prepare(Search *s) {
  find_cover(s);
}

// ---- bounds
// The part of a range next to zero (from one on, if that is possible) that is `size` wide.
static Range window(Range r, Wide lowest, Wide size) {
  if (r.lo > lowest) return (Range){r.lo, r.lo + size < r.hi ? r.lo + size : r.hi};
  if (r.hi < lowest) return (Range){r.hi - size > r.lo ? r.hi - size : r.lo, r.hi};
  return (Range){lowest, lowest + size < r.hi ? lowest + size : r.hi};
}

static Range cover_window(const Search *s, AtomId factor, Wide limit) {
  const Atom *atom = &s->q->atoms.items[factor];
  return window(atom->asserted, atom->owners == 0 ? 1 : 0, limit);
}

static void bound_cover(Search *s, Wide limit) {
  for (uint32_t i = 0; i < s->cover.count; i++) {
    Range r = cover_window(s, s->cover.items[i], limit);
    smt_assert_between(s->smt, mono_of_atom(s->q, s->cover.items[i]), r.lo, r.hi);
  }
}

static void bound_symbols(Search *s, Wide limit) {
  for (AtomId id = 1; id < s->q->atoms.count; id++) {
    const Atom *atom = &s->q->atoms.items[id];
    if (atom->kind != ATOM_SYM && atom->kind != ATOM_APP) continue;
    Range r = window(atom->asserted, -limit, 2 * limit);
    smt_assert_between(s->smt, mono_of_atom(s->q, id), r.lo, r.hi);
  }
}

// ---- fixing
typedef struct Fixing { // polynomials and their values in the model; tag FIX_TAG + index
  VEC(const Poly *) polys;
  VEC(FormId) differs;
} Fixing;

static void assert_form(Search *s, FormId form) {
  if (form != FORM_NONE) smt_assert(s->smt, form);
}

static void fix(Search *s, Fixing *f, const Poly *p, Wide value) {
  for (uint32_t i = 0; i < f->polys.count; i++)
    if (f->polys.items[i] == p) return;
  const Poly *constant = poly_const(s->q, value);
  FormId equal = form_eq(s->q, p, constant), differs = form_ne(s->q, p, constant);
  if (equal == FORM_NONE || differs == FORM_NONE) return;
  smt_assert_tagged(s->smt, equal, FIX_TAG + f->polys.count);
  vec_push(s->q->arena, &f->polys, p);
  vec_push(s->q->arena, &f->differs, differs);
}

// x = c -> x*y = c*y, for all fixed factors at once; valid, whatever is fixed.
static void link_product(Search *s, const Model *model, MonoId product) {
  ASSERT(mono_is_of(s->q, product));
  Query *q = s->q;
  Mono m = q->monos.items[product];
  AtomId one = 0;
  FormList parts = {0};
  Wide factor = 1;
  if (open_factors(s, product, &one) > 1) return;
  for (uint32_t k = 0; k < m.degree; k++) {
    if (m.atoms[k] == one) continue;
    MonoId single = mono_of_atom(q, m.atoms[k]);
    Wide value = model->values[single];
    if (__builtin_mul_overflow(factor, value, &factor)) return;
    vec_push(q->arena, &parts, form_ne(q, poly_of_mono(q, single, 1), poly_const(q, value)));
  }
  const Poly *rest = one ? poly_of_atom(q, one) : q->one;
  vec_push(q->arena, &parts, form_eq(q, poly_of_mono(q, product, 1), poly_scale(q, rest, factor)));
  assert_form(s, form_or(q, parts.count, parts.items));
}

// With the cover fixed to its model values, each product is a number times at most one atom.
static void fix_cover(Search *s, Fixing *f, const Model *model) {
  for (uint32_t i = 0; i < s->cover.count; i++) {
    MonoId m = mono_of_atom(s->q, s->cover.items[i]);
    fix(s, f, poly_of_mono(s->q, m, 1), model->values[m]);
  }
  for (uint32_t i = 0; i < s->table.products.count; i++)
    link_product(s, model, s->table.products.items[i]);
}

// The fixed values that do not go together: those of the core, or all if there is none to ask for.
static FormId refuted(Search *s, const Fixing *f, SmtResult r) {
  FormList parts = {0};
  const uint32_t *tags;
  if (r != SMT_UNSAT) return form_or(s->q, f->differs.count, f->differs.items);
  uint64_t before = smt_stats(s->smt).rlimit;
  uint32_t count = smt_small_core(s->smt, FIX_TAG, shrink_limit, s->q->arena, &tags);
  s->spent += smt_stats(s->smt).rlimit - before;
  for (uint32_t i = 0; i < count; i++)
    if (tags[i] >= FIX_TAG) vec_push(s->q->arena, &parts, f->differs.items[tags[i] - FIX_TAG]);
  return form_or(s->q, parts.count, parts.items);
}

// ---- shrinking
static bool shrink_one(Search *s, MonoId m, Wide lo, Wide hi) {
  ASSERT(mono_is_of(s->q, m) && lo <= hi);
  Model before = s->model;
  smt_push(s->smt);
  smt_assert_between(s->smt, m, lo, hi);
  if (search_check(s, s->smt, shrink_limit) == SMT_SAT && search_accept(s)) return true;
  smt_pop(s->smt);
  s->model = before;
  return false;
}

// One symbol to its smallest value, or to three more at most. Returns how many scopes were opened.
static uint32_t shrink_symbol(Search *s, AtomId id, const ExprSym *sym, uint32_t *tries) {
  MonoId m = mono_of_atom(s->q, id);
  Wide value = s->model.values[m], target = witness_target(sym);
  if (value != target && ++*tries && shrink_one(s, m, target, target)) return 1;
  uint32_t scopes = value > target + 3 && ++*tries && shrink_one(s, m, target, target + 3);
  value = s->model.values[m];
  smt_push(s->smt); // it shall not grow again
  smt_assert_between(s->smt, m, value < target ? value : target, value < target ? target : value);
  return scopes + 1;
}

// Within a scope whose models are exact, from a model that is a witness.
static void shrink(Search *s) {
  uint32_t tries = 0, scopes = 0;
  for (int order = 0; order < 32; order++)
    for (AtomId id = 1; id < s->q->atoms.count; id++) {
      const Atom *atom = &s->q->atoms.items[id];
      if (atom->kind != ATOM_SYM || tries >= MAX_SHRINKS) continue;
      const ExprSym *sym = expr_sym_info(s->q->pool, atom->index);
      if (witness_order(sym) == order) scopes += shrink_symbol(s, id, sym, &tries);
    }
  for (; scopes; scopes--)
    smt_pop(s->smt);
}

// ---- trying
// One model within the bounds, and one with its values fixed. UNKNOWN: *refuted_form excludes what was tried.
static SmtResult try_once(Search *s, FormId *refuted_form) {
  SmtResult r = search_check(s, s->smt, small_limit);
  *refuted_form = FORM_NONE;
  if (r != SMT_SAT) return r;
  Model model = s->model;
  bool found = search_accept(s);
  Fixing fixing = {0};
  smt_push(s->smt);
  fix_cover(s, &fixing, &model);
  if (!found && fixing.polys.count) {
    r = search_check(s, s->smt, small_limit);
    found = r == SMT_SAT && search_accept(s);
  }
  if (found && s->options->prefer_small) shrink(s);
  if (!found) *refuted_form = refuted(s, &fixing, r);
  smt_pop(s->smt);
  s->model = model;
  return found ? SMT_SAT : SMT_UNKNOWN;
}

// All factors at the upper ends of their bounds: what asks for a product of some size is found there,
// whatever factors a linear model makes of it. Needs a model for the rest.
static bool try_largest(Search *s, Wide limit) {
  Model before = s->model, largest = before;
  Fixing fixing = {0};
  largest.values = arena_copy(s->q->arena, before.values, before.count * sizeof *before.values);
  for (uint32_t i = 0; i < s->cover.count; i++) {
    MonoId factor = mono_of_atom(s->q, s->cover.items[i]);
    if (factor >= before.count) return false;
    largest.values[factor] = cover_window(s, s->cover.items[i], limit).hi;
  }
  smt_push(s->smt);
  fix_cover(s, &fixing, &largest);
  bool found = fixing.polys.count && search_check(s, s->smt, small_limit) == SMT_SAT && search_accept(s);
  if (found && s->options->prefer_small) shrink(s);
  smt_pop(s->smt);
  s->model = before;
  return found;
}

SmtResult concrete_try(Search *s, Wide limit, Wide others, uint32_t tries) {
  ASSERT(limit >= 0 && others >= 0);
  SmtResult r = SMT_UNKNOWN;
  uint64_t start = s->spent;
  smt_push(s->smt);
  if (limit) bound_cover(s, limit);
  if (others) bound_symbols(s, others);
  for (uint32_t i = 0; i < s->q->meanings.count; i++)
    smt_assert(s->smt, s->q->meanings.items[i]);
  for (uint32_t i = 0; i < tries && r == SMT_UNKNOWN && s->spent - start < bound_limit; i++) {
    FormId refuted_form;
    r = try_once(s, &refuted_form);
    if (r != SMT_UNKNOWN || refuted_form == FORM_NONE) break;
    if (refuted_form == s->q->form_false) r = SMT_UNSAT; // whatever is fixed, the bounds exclude it
    if (i == 0 && limit && r == SMT_UNKNOWN && try_largest(s, limit)) r = SMT_SAT;
    smt_assert(s->smt, refuted_form);
    search_learn(s, false);
  }
  smt_pop(s->smt);
  return r;
}
