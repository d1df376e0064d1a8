// Which facts about products must linear arithmetic be told, so that it can refute an overlap? Schemas, each
// a function below with its statement and the idea of its proof; all are valid for all integers, so they can
// be added freely:
//
//   D  delinearisation, P  order of multiples of a stride    lemma_strides.c
//   Q  order of squares        T  parity of x*x + x      lemma_squares.c
//   X  quotients, remainders, xor, powers of two, functions;  multiples of a divisor; links of named sums and choices to their products
// (M, order and signs of single products, stands in products.c and is added on demand.)
// The choice of instances is heuristic and bounded; it decides what can be proved, never what is true.
// Soundness: every lemma is valid over the integers, given the definitions of the atoms; checked on random
// values in debug builds. A lemma that would be too large is left out.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum {
  MAX_PAIRS = 24,   // atoms of one kind (or applications of one function) that are related pairwise
  MAX_RELATED = 400 // all of them together
};

// ---- X: opaque atoms
// Two divisions by the same d, rounding alike. Statements, for d >= 1, floor (towards zero: for a, b >= 0 of
// either sign):
//   r1 = r2 and |a1 - a2| < d -> a1 = a2     a1 - a2 is a multiple of d below d
//   r1 = r2 and q1 = q2 -> a1 = a2           a = d*q + r
//   a1 <= a2 -> q1 <= q2                     monotone
static void relate_divisions(Query *q, AtomId x, AtomId y) {
  ASSERT(q->atoms.items[x].kind == ATOM_QUOT && q->atoms.items[y].kind == ATOM_QUOT);
  Atom a = q->atoms.items[x], b = q->atoms.items[y];
  const Poly *q1 = poly_of_atom(q, x), *r1 = poly_of_atom(q, a.partner), *d = a.b;
  const Poly *q2 = poly_of_atom(q, y), *r2 = poly_of_atom(q, b.partner);
  const Poly *distance = poly_sub(q, a.a, b.a);
  FormId no_divisor = form_le0(q, d), rest_differs = form_ne(q, r1, r2), same = form_eq0(q, distance);
  FormId low = form_le0(q, poly_add(q, distance, d)), high = form_le(q, d, distance);
  lemma_add(q, FORM_OR_OF(q, no_divisor, rest_differs, low, high, same));
  lemma_add(q, FORM_OR_OF(q, no_divisor, rest_differs, form_ne(q, q1, q2), same));
  lemma_add(q, FORM_OR_OF(q, no_divisor, form_lt(q, b.a, a.a), form_le(q, q1, q2)));
  lemma_add(q, FORM_OR_OF(q, no_divisor, form_lt(q, a.a, b.a), form_le(q, q2, q1)));
}

static bool are_divisions_related(const Atom *a, const Atom *b) {
  return a->kind == ATOM_QUOT && b->kind == ATOM_QUOT && a->b == b->b && a->is_floor == b->is_floor &&
         !poly_is_const(a->b, NULL);
}

// Floor and truncation agree where the dividend is not negative.
static void relate_roundings(Query *q, AtomId x, AtomId y) {
  Atom a = q->atoms.items[x], b = q->atoms.items[y];
  FormId no_divisor = form_le0(q, a.b), negative = form_lt(q, a.a, q->zero);
  FormId same_q = form_eq(q, poly_of_atom(q, x), poly_of_atom(q, y));
  FormId same_r = form_eq(q, poly_of_atom(q, a.partner), poly_of_atom(q, b.partner));
  lemma_add(q, FORM_OR_OF(q, no_divisor, negative, FORM_AND_OF(q, same_q, same_r)));
}

// v = a ^ b = a + b - 2*(a&b), for the same b on both sides:
//   v1 = a2 -> v2 = a1   (x^b)^b = x;     v1 = v2 -> a1 = a2;     a >= 0, b >= 0 -> |a - b| <= v
static void relate_xors(Query *q, AtomId x, AtomId y) {
  Atom s = q->atoms.items[x], t = q->atoms.items[y];
  for (int side = 0; side < 4; side++) {
    const Poly *b = side & 1 ? s.a : s.b, *a1 = side & 1 ? s.b : s.a;
    const Poly *other = side & 2 ? t.a : t.b, *a2 = side & 2 ? t.b : t.a;
    if (b != other) continue;
    const Poly *v1 = poly_add_scaled(q, poly_add(q, a1, b), poly_of_atom(q, x), -2);
    const Poly *v2 = poly_add_scaled(q, poly_add(q, a2, b), poly_of_atom(q, y), -2);
    lemma_add(q, FORM_OR_OF(q, form_ne(q, v1, a2), form_eq(q, v2, a1)));
    lemma_add(q, FORM_OR_OF(q, form_ne(q, v2, a1), form_eq(q, v1, a2)));
    lemma_add(q, FORM_OR_OF(q, form_ne(q, v1, v2), form_eq(q, a1, a2)));
    lemma_add(q, FORM_OR_OF(q, form_ne(q, a1, a2), form_eq(q, poly_of_atom(q, x), poly_of_atom(q, y))));
  }
}

// a, b >= 0: the or is at most a + b (the and is not negative), and v = a&b = a says that b holds all bits of
// a.
static void lemmas_of_bitand(Query *q, AtomId id) {
  ASSERT(q->atoms.items[id].kind == ATOM_BITAND);
  Atom s = q->atoms.items[id];
  const Poly *v = poly_of_atom(q, id);
  FormId a_negative = form_lt(q, s.a, q->zero), b_negative = form_lt(q, s.b, q->zero);
  // xor is at least the distance: a + b - 2v >= |a - b|, which is v <= a and v <= b.
  lemma_add(q, FORM_OR_OF(q, a_negative, b_negative, FORM_AND_OF(q, form_le(q, v, s.a), form_le(q, v, s.b))));
}

// Powers of two: k1 < k2 -> 2*p1 <= p2;  k1 = k2 -> p1 = p2;  k2 = k1 + 1 -> p2 = 2*p1.
static void relate_powers(Query *q, AtomId x, AtomId y) {
  ASSERT(q->atoms.items[x].kind == ATOM_POW2 && q->atoms.items[y].kind == ATOM_POW2);
  const Poly *k1 = q->atoms.items[x].a, *k2 = q->atoms.items[y].a;
  const Poly *p1 = poly_of_atom(q, x), *p2 = poly_of_atom(q, y), *top = poly_const(q, 63);
  FormId outside = FORM_OR_OF(q, form_lt(q, k1, q->zero), form_lt(q, k2, q->zero), form_lt(q, top, k1),
                              form_lt(q, top, k2));
  FormId order = form_le(q, poly_scale(q, p1, 2), p2);
  lemma_add(q, FORM_OR_OF(q, outside, form_le(q, k2, k1), order));
  lemma_add(q, FORM_OR_OF(q, outside, form_ne(q, k1, k2), form_eq(q, p1, p2)));
  FormId step = form_ne(q, k2, poly_add_const(q, k1, 1));
  lemma_add(q, FORM_OR_OF(q, outside, step, form_eq(q, p2, poly_scale(q, p1, 2))));
}

// a1 = a2 -> v1 = v2.  With a = m*u + rest, for the same odd m and rest: v1 = v2 and |u1 - u2| < 2^w -> u1 =
// u2, since m has an inverse modulo 2^w.
static void relate_mixed(Query *q, AtomId x, AtomId y) {
  ASSERT(q->atoms.items[x].kind == ATOM_MIXED && q->atoms.items[y].kind == ATOM_MIXED);
  Atom s = q->atoms.items[x], t = q->atoms.items[y];
  if (s.width != t.width) return;
  FormId differs = form_ne(q, poly_of_atom(q, x), poly_of_atom(q, y));
  lemma_add(q, FORM_OR_OF(q, form_ne(q, s.a, t.a), form_eq(q, poly_of_atom(q, x), poly_of_atom(q, y))));
  Wide multiplier, other, rest = poly_constant_term(s.a);
  if (rest != poly_constant_term(t.a)) return;
  const Poly *u = poly_primitive(q, poly_add_const(q, s.a, -rest), &multiplier);
  const Poly *w = poly_primitive(q, poly_add_const(q, t.a, -rest), &other);
  if (!u || !w || multiplier != other || !(multiplier & 1)) return;
  const Poly *distance = poly_sub(q, u, w), *modulus = poly_const(q, (Wide)1 << s.width);
  FormId far = FORM_OR_OF(q, form_le(q, modulus, distance), form_le0(q, poly_add(q, distance, modulus)));
  lemma_add(q, FORM_OR_OF(q, differs, far, form_eq0(q, distance)));
}

// Equal arguments, equal results; for tables that the host knows to be injective or monotone, the converse or
// the order.
static void relate_functions(Query *q, AtomId x, AtomId y) {
  ASSERT(q->atoms.items[x].kind == ATOM_APP && q->atoms.items[y].kind == ATOM_APP);
  Atom f = q->atoms.items[x], g = q->atoms.items[y];
  if (f.index != g.index || f.arg_count != g.arg_count) return;
  const ExprFunc *info = expr_func_info(q->pool, f.index);
  const Poly *v = poly_of_atom(q, x), *w = poly_of_atom(q, y);
  VEC(FormId) differs = {0};
  for (uint32_t i = 0; i < f.arg_count; i++)
    vec_push(q->arena, &differs, form_ne(q, f.args[i], g.args[i]));
  vec_push(q->arena, &differs, form_eq(q, v, w));
  lemma_add(q, form_or(q, differs.count, differs.items));
  if (f.arg_count != 1) return;
  const Poly *a = f.args[0], *b = g.args[0];
  if (info->is_injective) lemma_add(q, FORM_OR_OF(q, form_ne(q, v, w), form_eq(q, a, b)));
  if (!info->is_monotone) return;
  lemma_add(q, FORM_OR_OF(q, form_lt(q, b, a), form_le(q, v, w)));
  lemma_add(q, FORM_OR_OF(q, form_lt(q, a, b), form_le(q, w, v)));
}

// Equal quotients and remainders make the dividends equal; what that says of their parts is a matter of
// strides.
static void lemmas_dividends(Query *q, Map *seen) {
  uint32_t count = q->atoms.count, pairs = 0;
  for (AtomId x = 1; x < count; x++)
    for (AtomId y = x + 1; y < count && pairs < MAX_PAIRS; y++) {
      Atom a = q->atoms.items[x], b = q->atoms.items[y];
      if (a.kind != ATOM_QUOT || b.kind != ATOM_QUOT || a.b != b.b || (a.a->owners | b.a->owners) != 3)
        continue;
      pairs++;
      const Poly *distance = poly_sub(q, a.a, b.a);
      if (distance && (distance->degree >= 2 || !poly_is_const(a.b, NULL)))
        lemma_part_dividends(q, seen, distance);
    }
}

static void relate(Query *q, AtomId x, AtomId y) {
  ASSERT(x != y && x < q->atoms.count && y < q->atoms.count);
  Atom a = q->atoms.items[x], b = q->atoms.items[y];
  if (a.kind != b.kind) return;
  if (a.kind == ATOM_APP) relate_functions(q, x, y);
  if (a.kind == ATOM_POW2) relate_powers(q, x, y);
  if (a.kind == ATOM_MIXED) relate_mixed(q, x, y);
  if (a.kind == ATOM_BITAND) relate_xors(q, x, y);
  if (a.kind != ATOM_QUOT) return;
  if (are_divisions_related(&a, &b)) relate_divisions(q, x, y);
  if (a.a == b.a && a.b == b.b && a.is_floor != b.is_floor) relate_roundings(q, x, y);
}

static void lemmas_x(Query *q) {
  uint32_t count = q->atoms.count;
  Map seen = {0}; // how many of a kind, or of a function
  VEC(AtomId) atoms = {0};
  for (AtomId id = 1; id < count; id++) {
    uint8_t kind = q->atoms.items[id].kind;
    bool is_related = kind == ATOM_APP || kind == ATOM_POW2 || kind == ATOM_BITAND || kind == ATOM_QUOT ||
                      kind == ATOM_MIXED;
    uint32_t sort = kind == ATOM_APP ? ATOM_OPAQUE + 1 + (uint32_t)q->atoms.items[id].index : kind;
    uint32_t number = is_related ? (uint32_t)map_get(&seen, sort) : MAX_PAIRS;
    if (number < MAX_PAIRS && atoms.count < MAX_RELATED) {
      map_set(q->arena, &seen, sort, number + 1);
      vec_push(q->arena, &atoms, id);
    }
    if (kind == ATOM_BITAND) lemmas_of_bitand(q, id);
  }
  for (uint32_t i = 0; i < atoms.count; i++)
    for (uint32_t j = i + 1; j < atoms.count; j++)
      relate(q, atoms.items[i], atoms.items[j]);
}

// ---- names, choices and multiples in products
// A name n of a sum, times r: n*r = sum*r.  A choice v, times r: c -> v*r = a*r, not c -> v*r = b*r.
static void lemmas_links(Query *q) {
  MonoList products = {0};
  lemma_products(q, true, &products);
  uint32_t count = q->atoms.count;
  for (AtomId id = 1; id < count; id++) {
    Atom atom = q->atoms.items[id];
    if (atom.kind != ATOM_NAME && atom.kind != ATOM_CHOICE) continue;
    for (uint32_t i = 0; i < products.count; i++) {
      MonoId rest;
      if (!mono_divide(q, products.items[i], mono_of_atom(q, id), &rest)) continue;
      const Poly *whole = poly_of_mono(q, products.items[i], 1), *r = poly_of_mono(q, rest, 1);
      if (atom.kind == ATOM_NAME && r->owners == 0) lemma_add(q, form_eq(q, whole, poly_mul(q, r, atom.a)));
      if (atom.kind == ATOM_NAME) continue;
      lemma_add(q, FORM_OR_OF(q, atom.when_false, form_eq(q, whole, poly_mul(q, r, atom.a))));
      lemma_add(q, FORM_OR_OF(q, atom.when_true, form_eq(q, whole, poly_mul(q, r, atom.b))));
    }
  }
}

// A quotient v = a / d and multiples of its divisor that occur. Statement, for a >= 0 and d >= 1:  a < u*d <-> v < u.
// Proof: v*d <= a < (v + 1)*d, so u*d <= a gives u < v + 1, and a < u*d gives v < u.
static void relate_multiple(Query *q, AtomId id, MonoId product) {
  Atom division = q->atoms.items[id];
  MonoId rest;
  if (!mono_divide(q, product, division.b->terms[0].mono, &rest) || rest == 0 || rest == mono_of_atom(q, id))
    return;
  const Poly *v = poly_of_atom(q, id), *u = poly_of_mono(q, rest, 1), *multiple = poly_of_mono(q, product, 1);
  FormId outside = FORM_OR_OF(q, form_lt(q, division.a, q->zero), form_le0(q, division.b));
  lemma_add(q, FORM_OR_OF(q, outside, form_le(q, multiple, division.a), form_lt(q, v, u)));
  lemma_add(q, FORM_OR_OF(q, outside, form_lt(q, division.a, multiple), form_le(q, u, v)));
}

static void lemmas_multiples(Query *q) {
  MonoList products = {0};
  lemma_products(q, false, &products);
  uint32_t count = q->atoms.count, pairs = 0;
  for (AtomId id = 1; id < count; id++) {
    const Atom *atom = &q->atoms.items[id];
    bool is_by_one = atom->kind == ATOM_QUOT && atom->b->count == 1 && atom->b->terms[0].mono &&
                     atom->b->terms[0].coef == 1;
    for (uint32_t i = 0; is_by_one && i < products.count && pairs < MAX_PAIRS; i++, pairs++)
      relate_multiple(q, id, products.items[i]);
  }
}

// ---- all
// Literals of a conflict that bound one difference from both sides: g + k <= 0 and -g + l <= 0 make g itself,
// or g minus a name for it that lies between the bounds, an equation to start from.
static void add_bounded(Query *q, const Poly *low, const Poly *high) {
  const Poly *sum = poly_add(q, low, high);
  Wide gap;
  if (!poly_is_const(sum, &gap) || gap > 0) return;
  if (gap == 0) {
    lemma_list_add(q, &q->conflicts, low);
    return;
  }
  const Poly *g = poly_add_const(q, low, -poly_constant_term(low));
  lemma_list_add(q, &q->conflicts, poly_sub(q, g, atom_name(q, g)));
}

static void collect_literals(Query *q, FormId form, PolyList *equations, PolyList *bounds) {
  ASSERT(form_is_of(q, form));
  Form f = q->forms.items[form];
  for (uint32_t i = 0; i < f.count; i++)
    collect_literals(q, f.parts[i], equations, bounds);
  if (f.kind == FORM_EQ) lemma_list_add(q, equations, f.poly);
  if (f.kind == FORM_LE) lemma_list_add(q, bounds, f.poly);
}

static void collect_conflicts(Query *q) {
  PolyList equations = {0}, bounds = {0};
  for (uint32_t i = 0; i < q->conditions.count; i++)
    if (q->conditions.items[i].part == GOAL_CONFLICT)
      collect_literals(q, q->conditions.items[i].form, &equations, &bounds);
  for (uint32_t i = 0; i < equations.count && i < MAX_PAIRS; i++)
    lemma_list_add(q, &q->conflicts, equations.items[i]);
  for (uint32_t i = 0; i < bounds.count && i < MAX_PAIRS; i++)
    for (uint32_t j = i + 1; j < bounds.count && j < MAX_PAIRS; j++)
      add_bounded(q, bounds.items[i], bounds.items[j]);
}

// Differences of named sums: what i*i = j*j says of i and j needs their parts.
static void lemmas_names(Query *q, Map *seen) {
  uint32_t count = q->atoms.count, pairs = 0;
  for (AtomId x = 1; x < count; x++)
    for (AtomId y = x + 1; y < count && pairs < MAX_PAIRS; y++)
      if (q->atoms.items[x].kind == ATOM_NAME && q->atoms.items[y].kind == ATOM_NAME) {
        pairs++;
        lemma_delinearise(q, seen, poly_sub(q, q->atoms.items[x].a, q->atoms.items[y].a));
      }
}

void lemma_generate(Query *q, bool expects_model) {
  ASSERT(q->failure == NULL); // lowered whole
  Map delinearised = {0};
  if (!expects_model) {
    collect_conflicts(q);
    lemmas_d(q, &delinearised);
    lemmas_p(q, &delinearised);
    lemmas_names(q, &delinearised);
    lemmas_dividends(q, &delinearised);
    lemmas_multiples(q);
  }
  lemmas_x(q);
  lemmas_links(q);
  lemmas_squares(q);
}
