// Which facts about products must linear arithmetic be told, so that it can refute an overlap? Schemas, each
// a function below with its statement and the idea of its proof; all are valid for all integers, so they can
// be added freely:
//
//   D  delinearisation of an equation by a stride        the main one: a[y*W + x] with x < W
//   P  order of the multiples of a stride                chunks, batches, symbolic block sizes
//   Q  order of squares        T  parity of x*x + x      packed triangles
//   X  quotients, remainders, xor, powers of two, functions;  links of named sums and choices to their
//   products
// (M, order and signs of single products, stands in products.c and is added on demand.)
// The choice of instances is heuristic and bounded; it decides what can be proved, never what is true.
// Soundness: every lemma is valid over the integers, given the definitions of the atoms; checked on random
// values in debug builds. A lemma that would be too large is left out.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

#include "core/bug.h"

enum {
  MAX_EQUATIONS = 120, // equations expanded by D for one difference
  MAX_VARIANTS = 12,   // choices expanded in a difference
  MAX_QUOTIENTS = 24,  // quotients of one stride in P
  MAX_PAIRS = 24,      // atoms of one kind (or applications of one function) that are related pairwise
  MAX_RELATED = 400,   // all of them together
  MAX_LEMMAS = 6000
};

static void lemma(Query *q, FormId form) {
  if (form == FORM_NONE || form == q->form_true || map_get(&q->lemma_seen, form)) return;
  if (q->lemmas.count >= MAX_LEMMAS) return;
  map_set(q->arena, &q->lemma_seen, form, 1);
  vec_push(q->arena, &q->lemmas, form);
}

// For those that are needed less often: asserted when a model violates them.
static void lazy_lemma(Query *q, FormId form) {
  if (form == FORM_NONE || form == q->form_true || map_get(&q->lemma_seen, form)) return;
  if (q->lazy_lemmas.count >= MAX_LEMMAS) return;
  map_set(q->arena, &q->lemma_seen, form, 1);
  vec_push(q->arena, &q->lazy_lemmas, form);
}

static bool list_has(const PolyList *list, const Poly *p) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i] == p) return true;
  return false;
}

static void list_add(Query *q, PolyList *list, const Poly *p) {
  if (p && !list_has(list, p)) vec_push(q->arena, list, p);
}

// ---- strides
static bool is_constant(const Poly *p) {
  return p->degree == 0;
}

// Every product of some of the atoms of m.
static void add_subproducts(Query *q, PolyList *out, MonoId mono) {
  Mono m = q->monos.items[mono];
  for (uint32_t set = 1; set < 1u << m.degree; set++) {
    MonoId product = 0;
    for (uint32_t i = 0; i < m.degree; i++)
      if (set >> i & 1) product = mono_mul(q, product, mono_of_atom(q, m.atoms[i]));
    list_add(q, out, poly_of_mono(q, product, 1));
  }
}

// A difference may be the positive one either way round.
static bool has_both_signs(const Poly *p) {
  bool up = false, down = false;
  for (uint32_t i = 0; i < p->count; i++) {
    up = up || p->terms[i].coef > 0;
    down = down || p->terms[i].coef < 0;
  }
  return up && down;
}

// The coefficient itself, and with its constant factor as well: bytes 4*W*y + 4*x + d are bounded by 4*W, not
// by W.
static void add_coefficient(Query *q, PolyList *out, const Poly *uniform) {
  Wide content;
  if (!uniform || is_constant(uniform)) return;
  const Poly *primitive = poly_primitive(q, uniform, &content);
  list_add(q, out, primitive);
  if (content != 1 && content != -1)
    list_add(q, out, poly_scale(q, primitive, content < 0 ? -content : content));
  if (has_both_signs(primitive)) list_add(q, out, poly_scale(q, primitive, content < 0 ? content : -content));
}

static void add_factors(Query *q, PolyList *out, const Poly *uniform) {
  for (uint32_t i = 0; uniform && i < uniform->count; i++)
    if (uniform->terms[i].mono) add_subproducts(q, out, uniform->terms[i].mono);
}

// The constant coefficients of p, if there are several: mixed radices such as 2304*y + 128*b + 8*t + 4*j,
// which linear arithmetic alone takes long to tell apart.
static void add_constants(Query *q, PolyList *out, const Poly *p) {
  PolyList constants = {0};
  Wide content;
  const Poly *primitive = poly_primitive(q, p, &content);
  for (uint32_t i = 0; i < primitive->count; i++) {
    Wide c = primitive->terms[i].coef;
    if (primitive->terms[i].mono && c != 1 && c != -1) list_add(q, &constants, poly_const(q, c < 0 ? -c : c));
  }
  for (uint32_t i = 0; constants.count >= 2 && i < constants.count; i++)
    list_add(q, out, poly_scale(q, constants.items[i], content < 0 ? -content : content));
}

// Candidates for strides of p: first the uniform coefficient of each private product. Returns their number;
// behind them stand all factors of their terms.
static uint32_t strides_of(Query *q, const Poly *p, PolyList *out) {
  PolyList coefficients = {0};
  VEC(MonoId) privates = {0};
  for (uint32_t i = 0; i < p->count; i++) {
    Mono m = q->monos.items[p->terms[i].mono];
    MonoId private = p->terms[i].mono == 0 ? 0 : m.private_part,
           uniform = p->terms[i].mono == 0 ? 0 : m.uniform_part;
    uint32_t at = 0;
    while (at < privates.count && privates.items[at] != private)
      at++;
    if (at == privates.count) {
      vec_push(q->arena, &privates, private);
      vec_push(q->arena, &coefficients, q->zero);
    }
    coefficients.items[at] = poly_add(q, coefficients.items[at], poly_of_mono(q, uniform, p->terms[i].coef));
  }
  for (uint32_t i = 0; i < coefficients.count; i++)
    add_coefficient(q, out, coefficients.items[i]);
  uint32_t natural = out->count;
  for (uint32_t i = 0; i < coefficients.count; i++)
    add_factors(q, out, coefficients.items[i]);
  return natural;
}

// ---- D: delinearisation
// Statement: G = c*e + f, G = 0, -c < f < c  ->  e = 0 and f = 0.
// Proof: c*e = -f and |f| < c, so c > 0 and c divides f; then f = 0, and e = 0.
// On the difference of two addresses no sign of its parts is needed, and common offsets cancel. Breadth first
// on e = 0 and f = 0, which gives nested strides in either order.
//
// Two passes: with the coefficients themselves as strides, asserted; with all their factors, on demand.
typedef struct Delinearisation {
  Map *seen; // by id of the equation, up to sign: passes in which it was expanded
  PolyList todo;
  bool is_lazy;
} Delinearisation;

// Statement: G = c*e + f, G = 0, c >= k >= 1  ->  e >= 1 implies -f >= k*e, and e <= -1 implies -f <= k*e.
// Proof: -f = c*e. For strides that only have a least width, with threads that are free to be in any row.
static void bound_multiple(Query *q, const Poly *g, const Poly *c, const Poly *e, const Poly *f, Wide k) {
  FormId differs = form_ne0(q, g), narrower = form_lt(q, c, poly_const(q, k));
  const Poly *sum = poly_add_scaled(q, f, e, k);
  lazy_lemma(q, FORM_OR_OF(q, differs, narrower, form_le0(q, e), form_le0(q, sum)));
  lazy_lemma(q, FORM_OR_OF(q, differs, narrower, form_le(q, q->zero, e), form_le(q, q->zero, sum)));
}

// The widths that the stride surely has: the least one of its range, and what it is a multiple of.
static void bound_multiples(Query *q, const Poly *g, const Poly *c, const Poly *e, const Poly *f) {
  Wide least = poly_range(q, c).lo, divisor;
  if (is_constant(c) || is_constant(e)) return;
  if (least > 1) bound_multiple(q, g, c, e, f, least);
  for (AtomId id = 1; id < q->atoms.count; id++) {
    const Atom *atom = &q->atoms.items[id];
    if (atom->kind == ATOM_QUOT && atom->a == c && poly_is_const(atom->b, &divisor) && divisor > 1)
      bound_multiple(q, g, c, e, f, divisor);
  }
}

static void delinearise_by(Query *q, Delinearisation *d, const Poly *g, const Poly *c) {
  const Poly *e, *f;
  poly_divide(q, g, c, &e, &f);
  if (!e || !f || e->count == 0) return;
  FormId low = form_le0(q, poly_add(q, f, c)), high = form_le(q, c, f);
  FormId both = FORM_AND_OF(q, form_eq0(q, e), form_eq0(q, f));
  (d->is_lazy ? lazy_lemma : lemma)(q, FORM_OR_OF(q, form_ne0(q, g), low, high, both));
  if (!d->is_lazy) bound_multiples(q, g, c, e, f);
  vec_push(q->arena, &d->todo, e);
  vec_push(q->arena, &d->todo, f);
}

static void delinearise_pass(Query *q, Map *seen, const Poly *start, bool is_lazy) {
  Delinearisation d = {.seen = seen, .is_lazy = is_lazy};
  uint32_t pass = is_lazy ? 2 : 1;
  vec_push(q->arena, &d.todo, start);
  for (uint32_t next = 0, expanded = 0; next < d.todo.count && expanded < MAX_EQUATIONS; next++) {
    Wide content;
    const Poly *g = d.todo.items[next], *key = poly_primitive(q, g, &content);
    if (g->count == 0 || is_constant(g)) continue;
    uint32_t passes = map_get(d.seen, key->id);
    if (passes & pass) continue;
    map_set(q->arena, d.seen, key->id, passes | pass);
    expanded++;
    PolyList strides = {0};
    uint32_t natural = strides_of(q, g, &strides);
    if (!is_lazy) {
      strides.count = natural;
      add_constants(q, &strides, g);
    }
    for (uint32_t i = 0; i < strides.count; i++)
      delinearise_by(q, &d, g, strides.items[i]);
  }
}

static void delinearise(Query *q, Map *seen, const Poly *start) {
  if (!start) return;
  delinearise_pass(q, seen, start, false);
  delinearise_pass(q, seen, start, true);
}

// The difference with dividends replaced by d*q + r, where a dividend stands in it as a plain atom: t - t%s,
// t/s*2*s + t%s.
static const Poly *expand_dividends(Query *q, const Poly *g) {
  uint32_t count = q->atoms.count;
  for (AtomId id = 1; id < count && g; id++) {
    Atom quot = q->atoms.items[id];
    AtomId dividend;
    if (quot.kind != ATOM_QUOT || is_constant(quot.b) || !poly_is_atom(q, quot.a, &dividend)) continue;
    if (!poly_has_atom(q, g, dividend)) continue;
    const Poly *sum = poly_add(q, poly_mul(q, quot.b, poly_of_atom(q, id)), poly_of_atom(q, quot.partner));
    g = poly_substitute(q, g, dividend, sum);
  }
  return g;
}

static AtomId find_choice(const Query *q, const Poly *g) {
  for (uint32_t i = 0; i < g->count; i++) {
    const Mono *m = &q->monos.items[g->terms[i].mono];
    for (uint32_t k = 0; k < m->degree; k++)
      if (q->atoms.items[m->atoms[k]].kind == ATOM_CHOICE) return m->atoms[k];
  }
  return 0;
}

// The difference under each case of the choices in it; the lemmas need no case, they speak of the
// polynomials.
static void add_variants(Query *q, PolyList *out, const Poly *g) {
  list_add(q, out, g);
  for (uint32_t next = 0; next < out->count && out->count < MAX_VARIANTS; next++) {
    AtomId choice = find_choice(q, out->items[next]);
    if (!choice) continue;
    Atom atom = q->atoms.items[choice];
    list_add(q, out, poly_substitute(q, out->items[next], choice, atom.a));
    list_add(q, out, poly_substitute(q, out->items[next], choice, atom.b));
  }
}

static void lemmas_d(Query *q, Map *seen) {
  PolyList starts = {0};
  for (uint32_t i = 0; i < q->conflicts.count; i++)
    add_variants(q, &starts, q->conflicts.items[i]);
  for (uint32_t i = 0; i < starts.count; i++) {
    delinearise(q, seen, starts.items[i]);
    delinearise(q, seen, expand_dividends(q, starts.items[i]));
  }
}

// ---- P: order of multiples
typedef struct StrideQuotients {
  const Poly *stride;
  PolyList quotients;
} StrideQuotients;

typedef VEC(StrideQuotients) StrideTable;

static void add_quotient(Query *q, StrideTable *table, const Poly *stride, const Poly *part) {
  const Poly *e, *f;
  Wide content;
  poly_divide(q, part, stride, &e, &f);
  if (!e || e->count == 0 || is_constant(e)) return;
  uint32_t at = 0;
  while (at < table->count && table->items[at].stride != stride)
    at++;
  if (at == table->count) vec_push(q->arena, table, (StrideQuotients){.stride = stride});
  if (table->items[at].quotients.count < MAX_QUOTIENTS)
    list_add(q, &table->items[at].quotients, poly_primitive(q, e, &content));
}

static const Poly *part_of(Query *q, const Poly *p, uint8_t owners) {
  const Poly *part = q->zero;
  for (uint32_t i = 0; i < p->count; i++)
    if (q->monos.items[p->terms[i].mono].owners == owners)
      part = poly_add(q, part, poly_of_mono(q, p->terms[i].mono, p->terms[i].coef));
  return part;
}

static void add_uniform_factors(Query *q, PolyList *out, const Poly *uniform) {
  for (uint32_t i = 0; i < uniform->count; i++) {
    Mono m = q->monos.items[uniform->terms[i].mono];
    for (uint32_t k = 0; m.degree >= 2 && k < m.degree; k++)
      list_add(q, out, poly_of_atom(q, m.atoms[k]));
  }
}

static void collect_quotients(Query *q, StrideTable *table, FormId form, Map *seen) {
  if (map_get(seen, form)) return;
  map_set(q->arena, seen, form, 1);
  Form f = q->forms.items[form];
  for (uint32_t i = 0; i < f.count; i++)
    collect_quotients(q, table, f.parts[i], seen);
  if (!f.poly || f.poly->degree < 2) return;
  PolyList strides = {0};
  strides_of(q, f.poly, &strides);
  for (uint8_t owners = 0; owners < 4; owners++) {
    const Poly *part = part_of(q, f.poly, owners);
    if (!part || part->count == 0) continue;
    PolyList here = {0};
    for (uint32_t i = 0; i < strides.count; i++)
      list_add(q, &here, strides.items[i]);
    if (owners == 0) add_uniform_factors(q, &here, part);
    for (uint32_t i = 0; i < here.count; i++)
      add_quotient(q, table, here.items[i], part);
  }
}

// Statement: c >= 0 and a < b  ->  c*a + c <= c*b.   Proof: b - a >= 1, times c.
static void order_of_multiples(Query *q, const Poly *c, const Poly *a, const Poly *b) {
  FormId negative = form_lt(q, c, q->zero), not_less = form_le(q, b, a);
  lazy_lemma(
      q, FORM_OR_OF(q, negative, not_less, form_le(q, poly_add(q, poly_mul(q, c, a), c), poly_mul(q, c, b))));
}

static void lemmas_p(Query *q, Map *delinearised) {
  StrideTable table = {0};
  Map seen = {0};
  for (uint32_t i = 0; i < q->conditions.count; i++)
    collect_quotients(q, &table, q->conditions.items[i].form, &seen);
  for (uint32_t i = 0; i < q->defs.count; i++)
    collect_quotients(q, &table, q->defs.items[i], &seen);
  for (uint32_t i = 0; i < table.count; i++) {
    StrideQuotients s = table.items[i];
    for (uint32_t j = 0; j < s.quotients.count; j++)
      for (uint32_t k = 0; k < s.quotients.count; k++)
        if (j != k) order_of_multiples(q, s.stride, s.quotients.items[j], s.quotients.items[k]);
    for (uint32_t j = 0; j < s.quotients.count; j++)
      for (uint32_t k = j + 1; k < s.quotients.count; k++) {
        const Poly *a = s.quotients.items[j], *b = s.quotients.items[k];
        if ((a->owners & 1 && b->owners & 2) || (a->owners & 2 && b->owners & 1))
          delinearise(q, delinearised, poly_sub(q, a, b));
      }
  }
}

// ---- X: opaque atoms
// Two divisions by the same d, rounding alike. Statements, for d >= 1, floor (towards zero: for a, b >= 0 of
// either sign):
//   r1 = r2 and |a1 - a2| < d -> a1 = a2     a1 - a2 is a multiple of d below d
//   r1 = r2 and q1 = q2 -> a1 = a2           a = d*q + r
//   a1 <= a2 -> q1 <= q2                     monotone
static void relate_divisions(Query *q, AtomId x, AtomId y) {
  Atom a = q->atoms.items[x], b = q->atoms.items[y];
  const Poly *q1 = poly_of_atom(q, x), *r1 = poly_of_atom(q, a.partner), *d = a.b;
  const Poly *q2 = poly_of_atom(q, y), *r2 = poly_of_atom(q, b.partner);
  const Poly *distance = poly_sub(q, a.a, b.a);
  FormId no_divisor = form_le0(q, d), rest_differs = form_ne(q, r1, r2), same = form_eq0(q, distance);
  FormId low = form_le0(q, poly_add(q, distance, d)), high = form_le(q, d, distance);
  lemma(q, FORM_OR_OF(q, no_divisor, rest_differs, low, high, same));
  lemma(q, FORM_OR_OF(q, no_divisor, rest_differs, form_ne(q, q1, q2), same));
  lemma(q, FORM_OR_OF(q, no_divisor, form_lt(q, b.a, a.a), form_le(q, q1, q2)));
  lemma(q, FORM_OR_OF(q, no_divisor, form_lt(q, a.a, b.a), form_le(q, q2, q1)));
}

static bool are_divisions_related(const Atom *a, const Atom *b) {
  return a->kind == ATOM_QUOT && b->kind == ATOM_QUOT && a->b == b->b && a->is_floor == b->is_floor &&
         !is_constant(a->b);
}

// Floor and truncation agree where the dividend is not negative.
static void relate_roundings(Query *q, AtomId x, AtomId y) {
  Atom a = q->atoms.items[x], b = q->atoms.items[y];
  FormId no_divisor = form_le0(q, a.b), negative = form_lt(q, a.a, q->zero);
  FormId same_q = form_eq(q, poly_of_atom(q, x), poly_of_atom(q, y));
  FormId same_r = form_eq(q, poly_of_atom(q, a.partner), poly_of_atom(q, b.partner));
  lemma(q, FORM_OR_OF(q, no_divisor, negative, FORM_AND_OF(q, same_q, same_r)));
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
    lemma(q, FORM_OR_OF(q, form_ne(q, v1, a2), form_eq(q, v2, a1)));
    lemma(q, FORM_OR_OF(q, form_ne(q, v2, a1), form_eq(q, v1, a2)));
    lemma(q, FORM_OR_OF(q, form_ne(q, v1, v2), form_eq(q, a1, a2)));
    lemma(q, FORM_OR_OF(q, form_ne(q, a1, a2), form_eq(q, poly_of_atom(q, x), poly_of_atom(q, y))));
  }
}

// a, b >= 0: the or is at most a + b (the and is not negative), and v = a&b = a says that b holds all bits of
// a.
static void lemmas_of_bitand(Query *q, AtomId id) {
  Atom s = q->atoms.items[id];
  const Poly *v = poly_of_atom(q, id);
  FormId a_negative = form_lt(q, s.a, q->zero), b_negative = form_lt(q, s.b, q->zero);
  // xor is at least the distance: a + b - 2v >= |a - b|, which is v <= a and v <= b.
  lemma(q, FORM_OR_OF(q, a_negative, b_negative, FORM_AND_OF(q, form_le(q, v, s.a), form_le(q, v, s.b))));
}

// Powers of two: k1 < k2 -> 2*p1 <= p2;  k1 = k2 -> p1 = p2;  k2 = k1 + 1 -> p2 = 2*p1.
static void relate_powers(Query *q, AtomId x, AtomId y) {
  const Poly *k1 = q->atoms.items[x].a, *k2 = q->atoms.items[y].a;
  const Poly *p1 = poly_of_atom(q, x), *p2 = poly_of_atom(q, y), *top = poly_const(q, 63);
  FormId outside = FORM_OR_OF(q, form_lt(q, k1, q->zero), form_lt(q, k2, q->zero), form_lt(q, top, k1),
                              form_lt(q, top, k2));
  FormId order = form_le(q, poly_scale(q, p1, 2), p2);
  lemma(q, FORM_OR_OF(q, outside, form_le(q, k2, k1), order));
  lemma(q, FORM_OR_OF(q, outside, form_ne(q, k1, k2), form_eq(q, p1, p2)));
  FormId step = form_ne(q, k2, poly_add_const(q, k1, 1));
  lemma(q, FORM_OR_OF(q, outside, step, form_eq(q, p2, poly_scale(q, p1, 2))));
}

// a1 = a2 -> v1 = v2.  With a = m*u + rest, for the same odd m and rest: v1 = v2 and |u1 - u2| < 2^w -> u1 =
// u2, since m has an inverse modulo 2^w.
static void relate_mixed(Query *q, AtomId x, AtomId y) {
  Atom s = q->atoms.items[x], t = q->atoms.items[y];
  if (s.width != t.width) return;
  FormId differs = form_ne(q, poly_of_atom(q, x), poly_of_atom(q, y));
  lemma(q, FORM_OR_OF(q, form_ne(q, s.a, t.a), form_eq(q, poly_of_atom(q, x), poly_of_atom(q, y))));
  Wide multiplier, other, rest = poly_constant_term(s.a);
  if (rest != poly_constant_term(t.a)) return;
  const Poly *u = poly_primitive(q, poly_add_const(q, s.a, -rest), &multiplier);
  const Poly *w = poly_primitive(q, poly_add_const(q, t.a, -rest), &other);
  if (!u || !w || multiplier != other || !(multiplier & 1)) return;
  const Poly *distance = poly_sub(q, u, w), *modulus = poly_const(q, (Wide)1 << s.width);
  FormId far = FORM_OR_OF(q, form_le(q, modulus, distance), form_le0(q, poly_add(q, distance, modulus)));
  lemma(q, FORM_OR_OF(q, differs, far, form_eq0(q, distance)));
}

// Equal arguments, equal results; for tables that the host knows to be injective or monotone, the converse or
// the order.
static void relate_functions(Query *q, AtomId x, AtomId y) {
  Atom f = q->atoms.items[x], g = q->atoms.items[y];
  if (f.index != g.index || f.arg_count != g.arg_count) return;
  const ExprFunc *info = expr_func_info(q->pool, f.index);
  const Poly *v = poly_of_atom(q, x), *w = poly_of_atom(q, y);
  VEC(FormId) differs = {0};
  for (uint32_t i = 0; i < f.arg_count; i++)
    vec_push(q->arena, &differs, form_ne(q, f.args[i], g.args[i]));
  vec_push(q->arena, &differs, form_eq(q, v, w));
  lemma(q, form_or(q, differs.count, differs.items));
  if (f.arg_count != 1) return;
  const Poly *a = f.args[0], *b = g.args[0];
  if (info->is_injective) lemma(q, FORM_OR_OF(q, form_ne(q, v, w), form_eq(q, a, b)));
  if (!info->is_monotone) return;
  lemma(q, FORM_OR_OF(q, form_lt(q, b, a), form_le(q, v, w)));
  lemma(q, FORM_OR_OF(q, form_lt(q, a, b), form_le(q, w, v)));
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
      if (distance && distance->degree >= 2) delinearise(q, seen, distance);
    }
}

static void relate(Query *q, AtomId x, AtomId y) {
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

// ---- products in use
static void collect_products(Query *q, FormId form, Map *seen, Map *found, MonoList *out) {
  if (map_get(seen, form)) return;
  map_set(q->arena, seen, form, 1);
  Form f = q->forms.items[form];
  for (uint32_t i = 0; i < f.count; i++)
    collect_products(q, f.parts[i], seen, found, out);
  for (uint32_t i = 0; f.poly && i < f.poly->count; i++) {
    MonoId m = f.poly->terms[i].mono;
    if (q->monos.items[m].degree < 2 || map_get(found, m)) continue;
    map_set(q->arena, found, m, 1);
    vec_push(q->arena, out, m);
  }
}

void lemma_products(Query *q, bool with_lemmas, MonoList *out) {
  ASSERT(out);
  Map seen = {0}, found = {0};
  out->count = 0;
  for (uint32_t i = 0; i < q->conditions.count; i++)
    collect_products(q, q->conditions.items[i].form, &seen, &found, out);
  for (uint32_t i = 0; i < q->defs.count; i++)
    collect_products(q, q->defs.items[i], &seen, &found, out);
  for (uint32_t i = 0; with_lemmas && i < q->lemmas.count; i++)
    collect_products(q, q->lemmas.items[i], &seen, &found, out);
}

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
      if (atom.kind == ATOM_NAME && r->owners == 0) lemma(q, form_eq(q, whole, poly_mul(q, r, atom.a)));
      if (atom.kind == ATOM_NAME) continue;
      lemma(q, FORM_OR_OF(q, atom.when_false, form_eq(q, whole, poly_mul(q, r, atom.a))));
      lemma(q, FORM_OR_OF(q, atom.when_true, form_eq(q, whole, poly_mul(q, r, atom.b))));
    }
  }
}

// ---- Q, T: squares
// Q: 0 <= i < j -> i*i + 2i + 1 <= j*j  (j >= i + 1);   i = j -> i*i = j*j;   i*i >= 0;
//    i < j and i + j <= 2u -> 2uj - 2ui - jj + ii - 2u + i + j >= 0   [= (j-i-1)(2u-i-j); the products i*j
//    cancel]
static void order_of_squares(Query *q, const Poly *i, const Poly *j, const MonoList *products) {
  const Poly *ii = poly_mul(q, i, i), *jj = poly_mul(q, j, j);
  FormId negative = form_lt(q, i, q->zero), not_less = form_le(q, j, i);
  const Poly *next = poly_add_const(q, poly_add_scaled(q, ii, i, 2), 1);
  lemma(q, FORM_OR_OF(q, negative, not_less, form_le(q, next, jj)));
  lemma(q, FORM_OR_OF(q, form_ne(q, i, j), form_eq(q, ii, jj)));
  for (uint32_t k = 0; k < products->count; k++) {
    MonoId rest;
    if (q->monos.items[products->items[k]].degree != 2) continue;
    if (!mono_divide(q, products->items[k], i->terms[0].mono, &rest) || q->monos.items[rest].owners) continue;
    const Poly *u2 = poly_of_mono(q, rest, 2), *sum = poly_add(q, i, j);
    const Poly *product = poly_mul(q, poly_add_const(q, poly_sub(q, j, i), -1), poly_sub(q, u2, sum));
    lemma(q, FORM_OR_OF(q, not_less, form_lt(q, u2, sum), form_le(q, q->zero, product)));
  }
}

static void lemmas_squares(Query *q) {
  MonoList products = {0};
  PolyList roots = {0};
  lemma_products(q, true, &products);
  for (uint32_t i = 0; i < products.count; i++) {
    Mono m = q->monos.items[products.items[i]];
    if (m.degree == 2 && m.atoms[0] == m.atoms[1] && roots.count < MAX_PAIRS) {
      list_add(q, &roots, poly_of_atom(q, m.atoms[0]));
      lemma(q, form_le(q, q->zero, poly_of_mono(q, products.items[i], 1)));
      atom_half(q, m.atoms[0]); // T: x*x + x is even
    }
  }
  for (uint32_t i = 0; i < roots.count; i++)
    for (uint32_t j = 0; j < roots.count; j++)
      if (i != j) order_of_squares(q, roots.items[i], roots.items[j], &products);
}

// ---- all
// Literals of a conflict that bound one difference from both sides: g + k <= 0 and -g + l <= 0 make g itself,
// or g minus a name for it that lies between the bounds, an equation to start from.
static void add_bounded(Query *q, const Poly *low, const Poly *high) {
  const Poly *sum = poly_add(q, low, high);
  Wide gap;
  if (!poly_is_const(sum, &gap) || gap > 0) return;
  if (gap == 0) {
    list_add(q, &q->conflicts, low);
    return;
  }
  const Poly *g = poly_add_const(q, low, -poly_constant_term(low));
  list_add(q, &q->conflicts, poly_sub(q, g, atom_name(q, g)));
}

static void collect_literals(Query *q, FormId form, PolyList *equations, PolyList *bounds) {
  Form f = q->forms.items[form];
  for (uint32_t i = 0; i < f.count; i++)
    collect_literals(q, f.parts[i], equations, bounds);
  if (f.kind == FORM_EQ) list_add(q, equations, f.poly);
  if (f.kind == FORM_LE) list_add(q, bounds, f.poly);
}

static void collect_conflicts(Query *q) {
  PolyList equations = {0}, bounds = {0};
  for (uint32_t i = 0; i < q->conditions.count; i++)
    if (q->conditions.items[i].part == GOAL_CONFLICT)
      collect_literals(q, q->conditions.items[i].form, &equations, &bounds);
  for (uint32_t i = 0; i < equations.count && i < MAX_PAIRS; i++)
    list_add(q, &q->conflicts, equations.items[i]);
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
        delinearise(q, seen, poly_sub(q, q->atoms.items[x].a, q->atoms.items[y].a));
      }
}

void lemma_generate(Query *q, bool expects_model) {
  Map delinearised = {0};
  if (!expects_model) {
    collect_conflicts(q);
    lemmas_d(q, &delinearised);
    lemmas_p(q, &delinearised);
    lemmas_names(q, &delinearised);
    lemmas_dividends(q, &delinearised);
  }
  lemmas_x(q);
  lemmas_links(q);
  lemmas_squares(q);
}
