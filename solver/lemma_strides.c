// Which facts about multiples of a stride must linear arithmetic be told?
//
//   D  delinearisation of an equation by a stride        the main one: a[y*W + x] with x < W
//   P  order of the multiples of a stride                chunks, batches, symbolic block sizes
//
// A stride is a product of uniform factors that occurs in the difference of the two addresses. D says of an
// equation q*W + r == 0 with -W < r < W that q and r are 0, and its bounded variants; P orders the quotients of
// one stride, and with them their multiples. Both are stated at their functions with the idea of their proofs.
// The choice of strides and equations is heuristic and bounded; it decides what can be proved, never what is true.
// Soundness: as lemma.c: valid over the integers, checked on random values in debug builds.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum {
  MAX_EQUATIONS = 120, // equations expanded by D for one difference
  MAX_VARIANTS = 12,   // choices expanded in a difference
  MAX_SIZES = 2,       // of these, those of the launch
  MAX_QUOTIENTS = 24   // quotients of one stride in P
};

// ---- strides
// Every product of some of the atoms of m.
static void add_subproducts(Query *q, PolyList *out, MonoId mono) {
  ASSERT(mono_is_of(q, mono));
  Mono m = q->monos.items[mono];
  for (uint32_t set = 1; set < 1u << m.degree; set++) {
    MonoId product = 0;
    for (uint32_t i = 0; i < m.degree; i++)
      if (set >> i & 1) product = mono_mul(q, product, mono_of_atom(q, m.atoms[i]));
    lemma_list_add(q, out, poly_of_mono(q, product, 1));
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
  if (!uniform || poly_is_const(uniform, NULL)) return;
  const Poly *primitive = poly_primitive(q, uniform, &content);
  lemma_list_add(q, out, primitive);
  if (content != 1 && content != -1)
    lemma_list_add(q, out, poly_scale(q, primitive, content < 0 ? -content : content));
  if (has_both_signs(primitive))
    lemma_list_add(q, out, poly_scale(q, primitive, content < 0 ? content : -content));
}

static void add_factors(Query *q, PolyList *out, const Poly *uniform) {
  for (uint32_t i = 0; uniform && i < uniform->count; i++)
    if (uniform->terms[i].mono) add_subproducts(q, out, uniform->terms[i].mono);
}

// Is a remainder among the factors? That goes on in other equations.
static bool has_remainder(const Query *q, MonoId mono) {
  const Mono *m = &q->monos.items[mono];
  for (uint32_t k = 0; k < m->degree; k++)
    if (q->atoms.items[m->atoms[k]].kind == ATOM_REM) return true;
  return false;
}

// The constant coefficients of p, if there are several: mixed radices such as 2304*y + 128*b + 8*t + 4*j,
// which linear arithmetic alone takes long to tell apart; or one of a remainder: 2500*(x % n) + t, and any of two dividends.
static void add_constants(Query *q, PolyList *out, const Poly *p, bool is_of_dividends) {
  PolyList constants = {0};
  Wide content;
  const Poly *primitive = poly_primitive(q, p, &content);
  bool is_of_remainder = is_of_dividends;
  for (uint32_t i = 0; i < primitive->count; i++) {
    Wide c = primitive->terms[i].coef;
    MonoId mono = primitive->terms[i].mono;
    if (!mono || c == 1 || c == -1) continue;
    lemma_list_add(q, &constants, poly_const(q, c < 0 ? -c : c));
    is_of_remainder |= has_remainder(q, mono);
  }
  if (constants.count == 1 && !is_of_remainder) return;
  for (uint32_t i = 0; i < constants.count; i++)
    lemma_list_add(q, out, poly_scale(q, constants.items[i], content < 0 ? -content : content));
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
  bool is_lazy, is_of_dividends;
} Delinearisation;

// Statement: G = c*e + f, G = 0, c >= k >= 1  ->  e >= 1 implies -f >= k*e, and e <= -1 implies -f <= k*e.
// Proof: -f = c*e. For strides that only have a least width, with threads that are free to be in any row.
static void bound_multiple(Query *q, const Poly *g, const Poly *c, const Poly *e, const Poly *f, Wide k) {
  ASSERT(k >= 1);
  FormId differs = form_ne0(q, g), narrower = form_lt(q, c, poly_const(q, k));
  const Poly *sum = poly_add_scaled(q, f, e, k);
  lemma_add_lazy(q, FORM_OR_OF(q, differs, narrower, form_le0(q, e), form_le0(q, sum)));
  lemma_add_lazy(q, FORM_OR_OF(q, differs, narrower, form_le(q, q->zero, e), form_le(q, q->zero, sum)));
}

// The widths that the stride surely has: the least one of its range, and what it is a multiple of.
static void bound_multiples(Query *q, const Poly *g, const Poly *c, const Poly *e, const Poly *f) {
  Wide least = poly_range(q, c).lo, divisor;
  if (poly_is_const(c, NULL) || poly_is_const(e, NULL)) return;
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
  (d->is_lazy ? lemma_add_lazy : lemma_add)(q, FORM_OR_OF(q, form_ne0(q, g), low, high, both));
  if (!d->is_lazy) bound_multiples(q, g, c, e, f);
  vec_push(q->arena, &d->todo, e);
  vec_push(q->arena, &d->todo, f);
}

static void delinearise_pass(Query *q, Map *seen, const Poly *start, bool is_lazy, bool is_of_dividends) {
  Delinearisation d = {.seen = seen, .is_lazy = is_lazy, .is_of_dividends = is_of_dividends};
  uint32_t pass = is_lazy ? 2 : 1;
  vec_push(q->arena, &d.todo, start);
  for (uint32_t next = 0, expanded = 0; next < d.todo.count && expanded < MAX_EQUATIONS; next++) {
    Wide content;
    const Poly *g = d.todo.items[next], *key = poly_primitive(q, g, &content);
    if (g->count == 0 || poly_is_const(g, NULL)) continue;
    uint32_t passes = map_get(d.seen, key->id);
    if (passes & pass) continue;
    map_set(q->arena, d.seen, key->id, passes | pass);
    expanded++;
    PolyList strides = {0};
    uint32_t natural = strides_of(q, g, &strides);
    if (!is_lazy) {
      strides.count = natural;
      add_constants(q, &strides, g, d.is_of_dividends);
    }
    for (uint32_t i = 0; i < strides.count; i++)
      delinearise_by(q, &d, g, strides.items[i]);
  }
}

void lemma_delinearise(Query *q, Map *seen, const Poly *start) {
  ASSERT(poly_is_of(q, start));
  if (!start) return;
  delinearise_pass(q, seen, start, false, false);
  delinearise_pass(q, seen, start, true, false);
}

void lemma_part_dividends(Query *q, Map *seen, const Poly *distance) {
  ASSERT(poly_is_of(q, distance));
  if (!distance) return;
  delinearise_pass(q, seen, distance, false, true);
  delinearise_pass(q, seen, distance, true, true);
}

// The difference with dividends replaced by d*q + r, where a dividend stands in it as a plain atom: t - t%s,
// t/s*2*s + t%s.
static const Poly *expand_dividends(Query *q, const Poly *g) {
  uint32_t count = q->atoms.count;
  for (AtomId id = 1; id < count && g; id++) {
    Atom quot = q->atoms.items[id];
    AtomId dividend;
    if (quot.kind != ATOM_QUOT || poly_is_const(quot.b, NULL) || !poly_is_atom(q, quot.a, &dividend))
      continue;
    if (!poly_has_atom(q, g, dividend)) continue;
    const Poly *sum = poly_add(q, poly_mul(q, quot.b, poly_of_atom(q, id)), poly_of_atom(q, quot.partner));
    g = poly_substitute(q, g, dividend, sum);
  }
  return g;
}

// The same terms but for whose the symbols are, as far as coefficients tell.
static bool looks_like(const Poly *a, const Poly *b) {
  if (a->count != b->count || a->degree != 1 || b->degree != 1) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t here = 0, there = 0;
    for (uint32_t k = 0; k < a->count; k++) {
      here += a->terms[k].coef == a->terms[i].coef;
      there += b->terms[k].coef == a->terms[i].coef;
    }
    if (here != there) return false;
  }
  return true;
}

static const Poly *part_of(Query *q, const Poly *p, uint8_t owners);

// The division of the other thread whose dividend looks like the number, but for what is the same for both: the number with that; NULL: none.
static const Poly *find_twin(Query *q, const Poly *number, uint8_t other, AtomId *division) {
  for (AtomId id = 1; id < q->atoms.count; id++) {
    const Atom *atom = &q->atoms.items[id];
    if (atom->kind != ATOM_QUOT || poly_is_const(atom->b, NULL) || atom->b->owners ||
        atom->a->owners != other)
      continue;
    const Poly *own = part_of(q, atom->a, other), *common = part_of(q, atom->a, 0);
    if (!own || !common || !looks_like(number, own)) continue;
    *division = id;
    return poly_add(q, number, common);
  }
  return NULL;
}

// One thread's number stands there as it is, where the other thread has taken its own apart: d*q2 + r2 for it, beside d*q1 of the other.
static const Poly *divide_alike(Query *q, const Poly *g) {
  for (uint8_t owner = 1; owner <= 2 && g; owner++) {
    Wide content;
    AtomId division;
    const Poly *part = part_of(q, g, owner), *quotient, *rest;
    if (!part || part->count == 0) continue;
    const Poly *twin = find_twin(q, poly_primitive(q, part, &content), 3 - owner, &division);
    if (!twin) continue;
    const Poly *d = q->atoms.items[division].b;
    atom_divide(q, twin, d, q->atoms.items[division].is_floor, &quotient, &rest);
    const Poly *sum = quotient && rest ? poly_add(q, poly_mul(q, d, quotient), rest) : NULL;
    const Poly *apart = sum ? poly_sub(q, sum, twin) : NULL;
    g = apart ? poly_add_scaled(q, g, apart, content) : NULL;
  }
  return g;
}

// Which choices of the difference are sizes of the launch, alike for both threads?
static uint32_t count_sizes(const Query *q, const Poly *g) {
  VEC(AtomId) found = {0};
  for (uint32_t i = 0; i < g->count; i++) {
    const Mono *m = &q->monos.items[g->terms[i].mono];
    for (uint32_t k = 0; k < m->degree; k++) {
      const Atom *atom = &q->atoms.items[m->atoms[k]];
      bool is_new = atom->kind == ATOM_CHOICE && atom->owners == 0;
      for (uint32_t f = 0; f < found.count && is_new; f++)
        is_new = found.items[f] != m->atoms[k];
      if (is_new) vec_push(q->arena, &found, m->atoms[k]);
    }
  }
  return found.count;
}

static AtomId find_choice(const Query *q, const Poly *g, bool with_sizes) {
  for (uint32_t i = 0; i < g->count; i++) {
    const Mono *m = &q->monos.items[g->terms[i].mono];
    for (uint32_t k = 0; k < m->degree; k++) {
      const Atom *atom = &q->atoms.items[m->atoms[k]];
      if (atom->kind == ATOM_CHOICE && (with_sizes || atom->owners)) return m->atoms[k];
    }
  }
  return 0;
}

// The difference under each case of the choices in it; the lemmas need no case, they speak of the
// polynomials. Of many sizes (`n ? n : 5`) the cases are too many, and each size is as good as a symbol.
static void add_variants(Query *q, PolyList *out, const Poly *g) {
  bool with_sizes = count_sizes(q, g) <= MAX_SIZES;
  lemma_list_add(q, out, g);
  for (uint32_t next = 0; next < out->count && out->count < MAX_VARIANTS; next++) {
    AtomId choice = find_choice(q, out->items[next], with_sizes);
    if (!choice) continue;
    Atom atom = q->atoms.items[choice];
    lemma_list_add(q, out, poly_substitute(q, out->items[next], choice, atom.a));
    lemma_list_add(q, out, poly_substitute(q, out->items[next], choice, atom.b));
  }
}

void lemmas_d(Query *q, Map *seen) {
  PolyList starts = {0};
  for (uint32_t i = 0; i < q->conflicts.count; i++)
    add_variants(q, &starts, q->conflicts.items[i]);
  for (uint32_t i = 0; i < starts.count; i++) {
    lemma_delinearise(q, seen, starts.items[i]);
    lemma_delinearise(q, seen, expand_dividends(q, starts.items[i]));
    lemma_delinearise(q, seen, divide_alike(q, starts.items[i]));
  }
}

// ---- P: order of multiples
typedef struct StrideQuotients {
  const Poly *stride;
  PolyList quotients;
} StrideQuotients;

typedef VEC(StrideQuotients) StrideTable;

static void add_quotient(Query *q, StrideTable *table, const Poly *stride, const Poly *part) {
  ASSERT(stride && !poly_is_const(stride, NULL));
  const Poly *e, *f;
  Wide content;
  poly_divide(q, part, stride, &e, &f);
  if (!e || e->count == 0 || poly_is_const(e, NULL)) return;
  uint32_t at = 0;
  while (at < table->count && table->items[at].stride != stride)
    at++;
  if (at == table->count) vec_push(q->arena, table, (StrideQuotients){.stride = stride});
  if (table->items[at].quotients.count < MAX_QUOTIENTS)
    lemma_list_add(q, &table->items[at].quotients, poly_primitive(q, e, &content));
}

static const Poly *part_of(Query *q, const Poly *p, uint8_t owners) {
  ASSERT(owners <= 3);
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
      lemma_list_add(q, out, poly_of_atom(q, m.atoms[k]));
  }
}

static void collect_quotients(Query *q, StrideTable *table, FormId form, Map *seen) {
  ASSERT(form_is_of(q, form));
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
      lemma_list_add(q, &here, strides.items[i]);
    if (owners == 0) add_uniform_factors(q, &here, part);
    for (uint32_t i = 0; i < here.count; i++)
      add_quotient(q, table, here.items[i], part);
  }
}

// Statement: c >= 0 and a < b  ->  c*a + c <= c*b.   Proof: b - a >= 1, times c.
static void order_of_multiples(Query *q, const Poly *c, const Poly *a, const Poly *b) {
  FormId negative = form_lt(q, c, q->zero), not_less = form_le(q, b, a);
  lemma_add_lazy(
      q, FORM_OR_OF(q, negative, not_less, form_le(q, poly_add(q, poly_mul(q, c, a), c), poly_mul(q, c, b))));
}

void lemmas_p(Query *q, Map *delinearised) {
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
          lemma_delinearise(q, delinearised, poly_sub(q, a, b));
      }
  }
}
