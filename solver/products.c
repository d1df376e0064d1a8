// Which simple facts about products does a model of the linear abstraction violate? Schema M and tangents,
// added on demand, as in incremental linearisation (Cimatti, Griggio, Irfan, Roveri, Sebastiani, "Incremental
// Linearization for Satisfiability and Verification Modulo Nonlinear Arithmetic and Transcendental
// Functions", 2018):
//
//   sign       x >= 0, y >= 0 -> xy >= 0 (and the other signs);  x = 0 -> xy = 0;  x, y >= 1 -> xy >= x, xy
//   >= y order      c >= 0, x < y -> cx + c <= cy;   c < 0, x < y -> cy <= cx + c;   x = y -> cx = cy peers
//   x1 = x2, y1 = y2 -> x1*y1 = x2*y2 tangents   at values a, b:  x = a -> xy = a*y;  y = b -> xy = b*x;
//   (x-a)(y-b) has the sign of its factors
//   bits       at a value m of one operand: b = m -> a & b = mask(a, m), by floor divisions;  k = n -> 2^k =
//   2^n
// Soundness: every lemma is valid over the integers; which ones are added decides only what can be proved.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MAX_PRODUCTS = 200, MAX_PAIRS = 8000, MAX_RUNS = 6, MAX_TIER = 7, PRIORITIES = 4 };

// ---- pairs
static MonoId common_factor(Query *q, MonoId a, MonoId b) {
  Mono x = q->monos.items[a], y = q->monos.items[b];
  MonoId common = 0;
  for (uint32_t i = 0, j = 0; i < x.degree && j < y.degree;) {
    if (x.atoms[i] == y.atoms[j]) {
      common = mono_mul(q, common, mono_of_atom(q, x.atoms[i]));
      i++, j++;
    } else if (x.atoms[i] < y.atoms[j])
      i++;
    else
      j++;
  }
  return common;
}

static void pair_add(Query *q, ProductTable *table, MonoId a, MonoId b, uint8_t tier) {
  ProductPair p = {
      .a = a, .b = b, .common = common_factor(q, a, b), .priority = (uint8_t)(tier * PRIORITIES)};
  Mono ma = q->monos.items[a], mb = q->monos.items[b];
  bool across = (ma.owners | mb.owners) != 0 && ma.owners != mb.owners;
  if (p.common == 0) {
    if (ma.degree != 2 || mb.degree != 2 || !across || (ma.owners | mb.owners) != 3) return;
    vec_push(q->arena, &table->pairs, p);
    return;
  }
  if (!mono_divide(q, a, p.common, &p.x) || !mono_divide(q, b, p.common, &p.y) || !p.x || !p.y) return;
  uint32_t dx = q->monos.items[p.x].degree, dy = q->monos.items[p.y].degree;
  p.priority += dx > 1 && dy > 1 ? 3 : dx == 1 && dy == 1 ? (across ? 0 : 1) : 2;
  vec_push(q->arena, &table->pairs, p);
}

// Products of the conditions first, then those of lemmas by their age: early lemmas speak of the whole
// addresses, late ones of parts of parts.
static uint8_t tier_of(const ProductTable *table, uint32_t index) {
  uint32_t tier = 0;
  for (uint32_t bound = table->base_count; bound <= index && tier < MAX_TIER;
       bound += table->base_count / 2 + 4)
    tier++;
  return (uint8_t)tier;
}

void product_collect(Query *q, ProductTable *table) {
  MonoList base = {0};
  table->pairs.count = 0;
  lemma_products(q, false, &base);
  lemma_products(q, true, &table->products);
  table->base_count = base.count;
  if (table->products.count > MAX_PRODUCTS) table->products.count = MAX_PRODUCTS;
  for (uint32_t j = 1; j < table->products.count; j++)
    for (uint32_t i = 0; i < j && table->pairs.count < MAX_PAIRS; i++)
      pair_add(q, table, table->products.items[i], table->products.items[j], tier_of(table, j));
}

// ---- violations
typedef struct Violations {
  Query *q;
  const Model *model;
  uint32_t most;
  FormList *out;
} Violations;

static void add(Violations *v, FormId form) {
  if (form != FORM_NONE && form != v->q->form_true) vec_push(v->q->arena, v->out, form);
}

static Wide value(const Violations *v, MonoId mono) {
  if (mono == 0) return 1;
  return mono < v->model->count ? v->model->values[mono] : 0;
}

static bool poly_is_valued(const Poly *p, const Model *model) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->terms[i].mono >= model->count) return false;
  return true;
}

static const Poly *poly(const Violations *v, MonoId mono) {
  return poly_of_mono(v->q, mono, 1);
}

static void check_signs(Violations *v, MonoId m, MonoId mx, MonoId my) {
  Query *q = v->q;
  Wide p = value(v, m), x = value(v, mx), y = value(v, my);
  const Poly *P = poly(v, m), *X = poly(v, mx), *Y = poly(v, my), *zero = q->zero;
  FormId x_neg = form_lt(q, X, zero), y_neg = form_lt(q, Y, zero), x_pos = form_lt(q, zero, X),
         y_pos = form_lt(q, zero, Y);
  if (x == 0 && p != 0) add(v, FORM_OR_OF(q, form_ne0(q, X), form_eq0(q, P)));
  if (y == 0 && p != 0) add(v, FORM_OR_OF(q, form_ne0(q, Y), form_eq0(q, P)));
  if (x >= 0 && y >= 0 && p < 0) add(v, FORM_OR_OF(q, x_neg, y_neg, form_le(q, zero, P)));
  if (x <= 0 && y <= 0 && p < 0) add(v, FORM_OR_OF(q, x_pos, y_pos, form_le(q, zero, P)));
  if (x >= 0 && y <= 0 && p > 0) add(v, FORM_OR_OF(q, x_neg, y_pos, form_le0(q, P)));
  if (x <= 0 && y >= 0 && p > 0) add(v, FORM_OR_OF(q, x_pos, y_neg, form_le0(q, P)));
  if (x >= 1 && y >= 1 && (p < x || p < y))
    add(v, FORM_OR_OF(q, form_le0(q, X), form_le0(q, Y), FORM_AND_OF(q, form_le(q, X, P), form_le(q, Y, P))));
}

static void check_order(Violations *v, MonoId mc, MonoId mx, MonoId my, MonoId ma, MonoId mb) {
  Query *q = v->q;
  Wide c = value(v, mc), x = value(v, mx), y = value(v, my), a = value(v, ma), b = value(v, mb);
  if (x > y || (x < y && ((c >= 0 && a + c <= b) || (c < 0 && b <= a + c))) || (x == y && a == b)) return;
  const Poly *C = poly(v, mc), *X = poly(v, mx), *Y = poly(v, my), *A = poly(v, ma), *B = poly(v, mb);
  if (x == y)
    add(v, FORM_OR_OF(q, form_ne(q, X, Y), form_eq(q, A, B)));
  else if (c >= 0)
    add(v, FORM_OR_OF(q, form_lt(q, C, q->zero), form_le(q, Y, X), form_le(q, poly_add(q, A, C), B)));
  else
    add(v, FORM_OR_OF(q, form_le(q, q->zero, C), form_le(q, Y, X), form_le(q, B, poly_add(q, A, C))));
}

static void check_peers(Violations *v, const ProductPair *p) {
  Query *q = v->q;
  Mono a = q->monos.items[p->a], b = q->monos.items[p->b];
  for (int swap = 0; swap < 2; swap++) {
    MonoId x1 = mono_of_atom(q, a.atoms[0]), y1 = mono_of_atom(q, a.atoms[1]);
    MonoId x2 = mono_of_atom(q, b.atoms[swap]), y2 = mono_of_atom(q, b.atoms[!swap]);
    if (value(v, x1) != value(v, x2) || value(v, y1) != value(v, y2) || value(v, p->a) == value(v, p->b))
      continue;
    FormId x_differs = form_ne(q, poly(v, x1), poly(v, x2)), y_differs = form_ne(q, poly(v, y1), poly(v, y2));
    add(v, FORM_OR_OF(q, x_differs, y_differs, form_eq(q, poly(v, p->a), poly(v, p->b))));
  }
}

static void check_products(Violations *v, const ProductTable *table) {
  Query *q = v->q;
  for (uint32_t i = 0; i < table->products.count && v->out->count < v->most; i++) {
    MonoId m = table->products.items[i], first = mono_of_atom(q, q->monos.items[m].atoms[0]), rest;
    if (mono_divide(q, m, first, &rest)) check_signs(v, m, first, rest);
  }
}

void product_violated(Query *q, const ProductTable *table, const Model *model, uint32_t most, FormList *out) {
  ASSERT(out);
  Violations v = {q, model, out->count + most, out};
  check_products(&v, table);
  for (uint8_t priority = 0; priority < (MAX_TIER + 1) * PRIORITIES; priority++)
    for (uint32_t i = 0; i < table->pairs.count && out->count < v.most; i++) {
      const ProductPair *p = &table->pairs.items[i];
      if (p->priority != priority) continue;
      if (p->common == 0)
        check_peers(&v, p);
      else {
        check_order(&v, p->common, p->x, p->y, p->a, p->b);
        check_order(&v, p->common, p->y, p->x, p->b, p->a);
      }
    }
}

// ---- tangents
static void add_tangent(Violations *v, MonoId m, MonoId mx, MonoId my) {
  Query *q = v->q;
  Wide a = value(v, mx), b = value(v, my), p = value(v, m), exact;
  if (__builtin_mul_overflow(a, b, &exact) || exact == p) return;
  const Poly *P = poly(v, m), *X = poly(v, mx), *Y = poly(v, my);
  const Poly *A = poly_const(q, a), *B = poly_const(q, b);
  add(v, FORM_OR_OF(q, form_ne(q, X, A), form_eq(q, P, poly_scale(q, Y, a))));
  add(v, FORM_OR_OF(q, form_ne(q, Y, B), form_eq(q, P, poly_scale(q, X, b))));
  const Poly *plane = poly_add_const(q, poly_add(q, poly_scale(q, X, b), poly_scale(q, Y, a)), -exact);
  FormId x_less = form_lt(q, X, A), x_more = form_lt(q, A, X), y_less = form_lt(q, Y, B),
         y_more = form_lt(q, B, Y);
  if (p > exact) { // (x-a)(y-b) <= 0 where the signs differ
    add(v, FORM_OR_OF(q, x_more, y_less, form_le(q, P, plane)));
    add(v, FORM_OR_OF(q, x_less, y_more, form_le(q, P, plane)));
  } else {
    add(v, FORM_OR_OF(q, x_less, y_less, form_le(q, plane, P)));
    add(v, FORM_OR_OF(q, x_more, y_more, form_le(q, plane, P)));
  }
}

void product_tangents(Query *q, const ProductTable *table, const Model *model, uint32_t most, FormList *out) {
  ASSERT(out);
  Violations v = {q, model, out->count + most, out};
  for (uint32_t i = 0; i < table->products.count && out->count < v.most; i++) {
    MonoId m = table->products.items[i], first = mono_of_atom(q, q->monos.items[m].atoms[0]), rest;
    if (mono_divide(q, m, first, &rest)) add_tangent(&v, m, first, rest);
  }
}

// ---- bits
// Runs of ones: so many divisions the mask costs.
static uint32_t count_runs(Wide mask) {
  uint32_t runs = 0;
  if (mask < 0) mask = -1 - mask;
  for (; mask; mask >>= 1)
    runs += (mask & 1) && !(mask & 2);
  return runs;
}

static void point_of_bitand(Violations *v, AtomId id) {
  Query *q = v->q;
  Atom atom = q->atoms.items[id];
  Wide a = poly_value(q, atom.a, v->model->values), b = poly_value(q, atom.b, v->model->values);
  if ((a & b) == value(v, mono_of_atom(q, id))) return;
  bool a_uniform = atom.a->owners == 0, b_uniform = atom.b->owners == 0;
  uint32_t runs_a = count_runs(a), runs_b = count_runs(b);
  bool fix_b = a_uniform == b_uniform ? runs_b <= runs_a : b_uniform;
  const Poly *fixed = fix_b ? atom.b : atom.a, *other = fix_b ? atom.a : atom.b;
  if ((fix_b ? runs_b : runs_a) > MAX_RUNS) { // too many pieces: this one point only
    FormId here = FORM_OR_OF(q, form_ne(q, atom.a, poly_const(q, a)), form_ne(q, atom.b, poly_const(q, b)));
    add(v, FORM_OR_OF(q, here, form_eq(q, poly_of_atom(q, id), poly_const(q, a & b))));
    return;
  }
  const Poly *mask = lower_mask(q, other, fix_b ? b : a);
  FormId differs = form_ne(q, fixed, poly_const(q, fix_b ? b : a));
  add(v, FORM_OR_OF(q, differs, form_eq(q, poly_of_atom(q, id), mask)));
}

static void point_of_power(Violations *v, AtomId id) {
  Query *q = v->q;
  const Poly *exponent = q->atoms.items[id].a;
  Wide k = poly_value(q, exponent, v->model->values);
  if (k < 0 || k > 63 || value(v, mono_of_atom(q, id)) == (Wide)1 << k) return;
  add(v, FORM_OR_OF(q, form_ne(q, exponent, poly_const(q, k)),
                    form_eq(q, poly_of_atom(q, id), poly_const(q, (Wide)1 << k))));
}

static void point_of_mixed(Violations *v, AtomId id) {
  Query *q = v->q;
  Atom atom = q->atoms.items[id];
  Wide a = poly_value(q, atom.a, v->model->values), word = wide_wrapped(a, atom.width);
  if (word == value(v, mono_of_atom(q, id))) return;
  add(v, FORM_OR_OF(q, form_ne(q, atom.a, poly_const(q, a)),
                    form_eq(q, poly_of_atom(q, id), poly_const(q, word))));
}

void product_bits(Query *q, const Model *model, uint32_t most, FormList *out) {
  ASSERT(out);
  Violations v = {q, model, out->count + most, out};
  uint32_t count = q->atoms.count;
  for (AtomId id = 1; id < count && out->count < v.most; id++) {
    Atom atom = q->atoms.items[id];
    if (mono_of_atom(q, id) >= model->count || (atom.a && !poly_is_valued(atom.a, model))) continue;
    if (atom.kind == ATOM_BITAND && poly_is_valued(atom.b, model)) point_of_bitand(&v, id);
    if (atom.kind == ATOM_POW2) point_of_power(&v, id);
    if (atom.kind == ATOM_MIXED) point_of_mixed(&v, id);
  }
}

// ---- lazy lemmas
void product_lazy(Query *q, const Model *model, uint32_t most, FormList *out) {
  ASSERT(out);
  for (uint32_t i = 0, found = 0; i < q->lazy_lemmas.count && found < most; i++) {
    FormId lemma = q->lazy_lemmas.items[i];
    if (map_get(&q->lemma_used, lemma) || form_holds(q, lemma, model->values)) continue;
    map_set(q->arena, &q->lemma_used, lemma, 1);
    vec_push(q->arena, out, lemma);
    found++;
  }
}
