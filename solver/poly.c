// How are sums of products of integer atoms written, so that equal ones are one pointer? A polynomial is a
// list of (monomial, coefficient) in graded lexicographic order, interned; monomials are sorted lists of
// atoms, interned. Division by one polynomial is the usual multivariate one with remainder (Cox, Little,
// O'Shea, "Ideals, Varieties, and Algorithms", 2.3), with exact coefficients only. Soundness: exact over the
// integers. What grows too large (terms, degree, coefficients) becomes NULL, and whoever asked has to do
// without it.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <string.h>

enum { MAX_TERMS = 256, MAX_DEGREE = 8 };
static const Wide max_coef = (Wide)1 << 100;

Wide wide_gcd(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    Wide t = a % b;
    a = b;
    b = t;
  }
  return a;
}

Wide wide_floor_div(Wide a, Wide b) {
  ASSERT(b >= 1);
  Wide q = a / b;
  return a % b < 0 ? q - 1 : q;
}

uint32_t wide_bits(Wide coef) {
  uint32_t bits = 0;
  if (coef < 0) coef = -coef;
  for (; coef && !(coef & 1);)
    coef >>= 1;
  for (; coef; coef >>= 1)
    bits++;
  return bits;
}

Wide wide_wrapped(Wide a, uint8_t width) {
  ASSERT(expr_is_width(width));
  Wide modulus = (Wide)1 << width;
  return a - modulus * wide_floor_div(a + modulus / 2, modulus);
}

// ---- intervals
static Wide clamp(Wide x) {
  return x > WIDE_INF ? WIDE_INF : x < -WIDE_INF ? -WIDE_INF : x;
}

static Wide saturating_mul(Wide a, Wide b) {
  Wide product;
  if (!__builtin_mul_overflow(a, b, &product)) return clamp(product);
  return (a < 0) == (b < 0) ? WIDE_INF : -WIDE_INF;
}

Range range_add(Range a, Range b) {
  ASSERT(a.lo <= a.hi);
  ASSERT(b.lo <= b.hi);
  return (Range){clamp(a.lo + b.lo), clamp(a.hi + b.hi)};
}

Range range_mul(Range a, Range b) {
  ASSERT(a.lo <= a.hi);
  ASSERT(b.lo <= b.hi);
  Wide p[4] = {saturating_mul(a.lo, b.lo), saturating_mul(a.lo, b.hi), saturating_mul(a.hi, b.lo),
               saturating_mul(a.hi, b.hi)};
  Range r = {p[0], p[0]};
  for (int i = 1; i < 4; i++) {
    if (p[i] < r.lo) r.lo = p[i];
    if (p[i] > r.hi) r.hi = p[i];
  }
  return r;
}

Range range_meet(Range a, Range b) {
  return (Range){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

Range range_join(Range a, Range b) {
  ASSERT(a.lo <= a.hi);
  ASSERT(b.lo <= b.hi);
  return (Range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

Range range_of_width(uint8_t width) {
  ASSERT(width >= 1 && width <= 64);
  if (width == 1) return (Range){0, 1};
  Wide half = (Wide)1 << (width - 1);
  return (Range){-half, half - 1};
}

bool range_inside(Range inner, Range outer) {
  ASSERT(inner.lo <= inner.hi);
  ASSERT(outer.lo <= outer.hi);
  return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

// ---- monomials
// By words, as it is asked for every sum: 0x9e37... is 2^64 by the golden ratio, and the high half goes down.
static uint64_t hash_with(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static bool are_ascending(const AtomId *atoms, uint32_t degree) {
  for (uint32_t i = 1; i < degree; i++)
    if (atoms[i - 1] > atoms[i]) return false;
  return true;
}

static MonoId mono_find(Query *q, const AtomId *atoms, uint32_t degree) {
  ASSERT(degree <= MAX_DEGREE && are_ascending(atoms, degree)); // so that equal products are one
  if (degree == 0) return 0;
  uint64_t hash = 1;
  for (uint32_t i = 0; i < degree; i++)
    hash = hash_with(hash, atoms[i]);
  uint32_t id;
  TableLook look = table_look(&q->mono_table, (uint32_t)hash);
  while ((id = table_next(&look)) != 0) {
    const Mono *m = &q->monos.items[id];
    if (m->degree == degree && memcmp(m->atoms, atoms, degree * sizeof *atoms) == 0) return id;
  }
  Mono mono = {.degree = degree, .atoms = arena_copy(q->arena, atoms, degree * sizeof *atoms)};
  AtomId part[2][MAX_DEGREE];
  uint32_t count[2] = {0, 0};
  for (uint32_t i = 0; i < degree; i++) {
    uint8_t owners = q->atoms.items[atoms[i]].owners;
    mono.owners |= owners;
    part[owners != 0][count[owners != 0]++] = atoms[i];
  }
  id = q->monos.count;
  mono.uniform_part = mono.private_part = id;
  vec_push(q->arena, &q->monos, mono);
  table_add(q->arena, &q->mono_table, (uint32_t)hash, id);
  if (count[0] != degree) {
    MonoId uniform = mono_find(q, part[0], count[0]);
    q->monos.items[id].uniform_part = uniform;
  }
  if (count[1] != degree) {
    MonoId private = mono_find(q, part[1], count[1]);
    q->monos.items[id].private_part = private;
  }
  return id;
}

MonoId mono_of_atom(Query *q, AtomId atom) {
  ASSERT(atom < q->atoms.count);
  return mono_find(q, &atom, 1);
}

MonoId mono_mul(Query *q, MonoId a, MonoId b) {
  ASSERT(mono_is_of(q, a) && mono_is_of(q, b));
  if (a == 0) return b;
  if (b == 0) return a;
  Mono x = q->monos.items[a], y = q->monos.items[b];
  if (x.degree + y.degree > MAX_DEGREE) return UINT32_MAX;
  AtomId atoms[MAX_DEGREE];
  uint32_t i = 0, j = 0, n = 0;
  while (i < x.degree || j < y.degree)
    atoms[n++] = j == y.degree || (i < x.degree && x.atoms[i] <= y.atoms[j]) ? x.atoms[i++] : y.atoms[j++];
  return mono_find(q, atoms, n);
}

bool mono_divide(Query *q, MonoId a, MonoId b, MonoId *quotient) {
  ASSERT(mono_is_of(q, a) && mono_is_of(q, b));
  Mono x = q->monos.items[a], y = q->monos.items[b];
  if (y.degree > x.degree) return false;
  AtomId atoms[MAX_DEGREE];
  uint32_t n = 0, j = 0;
  for (uint32_t i = 0; i < x.degree; i++) {
    if (j < y.degree && x.atoms[i] == y.atoms[j])
      j++;
    else
      atoms[n++] = x.atoms[i];
  }
  if (j < y.degree) return false;
  *quotient = mono_find(q, atoms, n);
  return true;
}

int mono_compare(const Query *q, MonoId a, MonoId b) {
  ASSERT(mono_is_of(q, a) && mono_is_of(q, b));
  if (a == b) return 0;
  const Mono *x = &q->monos.items[a], *y = &q->monos.items[b];
  if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
  for (uint32_t i = 0; i < x->degree; i++)
    if (x->atoms[i] != y->atoms[i]) return x->atoms[i] < y->atoms[i] ? -1 : 1;
  return 0;
}

// ---- polynomials
// In descending order, each monomial once, with a factor: so that equal polynomials are one.
static bool are_canonical(const Query *q, const Term *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (terms[i].coef == 0 || (i > 0 && mono_compare(q, terms[i - 1].mono, terms[i].mono) <= 0)) return false;
  return true;
}

static const Poly *poly_intern(Query *q, const Term *terms, uint32_t count) {
  if (count > MAX_TERMS) return NULL;
  ASSERT(are_canonical(q, terms, count));
  uint64_t hash = 7;
  for (uint32_t i = 0; i < count; i++)
    hash = hash_with(hash_with(hash_with(hash, terms[i].mono), (uint64_t)terms[i].coef),
                     (uint64_t)(terms[i].coef >> 64));
  uint32_t id;
  TableLook look = table_look(&q->poly_table, (uint32_t)hash);
  while ((id = table_next(&look)) != 0) {
    const Poly *p = q->polys.items[id];
    uint32_t i = 0;
    while (p->count == count && i < count && p->terms[i].mono == terms[i].mono &&
           p->terms[i].coef == terms[i].coef)
      i++;
    if (p->count == count && i == count) return p;
  }
  Poly *p = arena_new(q->arena, Poly);
  p->id = q->polys.count;
  p->count = count;
  p->terms = arena_copy(q->arena, terms, count * sizeof *terms);
  for (uint32_t i = 0; i < count; i++) {
    const Mono *m = &q->monos.items[terms[i].mono];
    p->owners |= m->owners;
    if (m->degree > p->degree) p->degree = m->degree;
  }
  vec_push(q->arena, &q->polys, p);
  table_add(q->arena, &q->poly_table, (uint32_t)hash, p->id);
  return p;
}

// Both lists are sorted; a + factor * b stands in q->terms. False: a coefficient is too large.
static bool merge_terms(Query *q, const Term *a, uint32_t count, const Poly *b, Wide factor) {
  q->terms.count = 0;
  uint32_t i = 0, j = 0;
  while (i < count || j < b->count) {
    int order = i == count ? -1 : j == b->count ? 1 : mono_compare(q, a[i].mono, b->terms[j].mono);
    Term t = order >= 0 ? a[i++] : (Term){b->terms[j].mono, 0};
    Wide extra = 0;
    if (order <= 0 && __builtin_mul_overflow(factor, b->terms[j++].coef, &extra)) return false;
    if (__builtin_add_overflow(t.coef, extra, &t.coef)) return false;
    if (t.coef > max_coef || t.coef < -max_coef) return false;
    if (t.coef != 0) vec_push(q->arena, &q->terms, t);
  }
  return true;
}

static const Poly *merge(Query *q, const Poly *a, const Poly *b, Wide factor) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  bool fits = merge_terms(q, a->terms, a->count, b, factor);
  return fits ? poly_intern(q, q->terms.items, q->terms.count) : NULL;
}

const Poly *poly_const(Query *q, Wide value) {
  if (value > max_coef || value < -max_coef) return NULL;
  Term t = {0, value};
  return poly_intern(q, &t, value != 0);
}

const Poly *poly_of_mono(Query *q, MonoId mono, Wide coef) {
  ASSERT(mono_is_of(q, mono));
  Term t = {mono, coef};
  return poly_intern(q, &t, coef != 0);
}

const Poly *poly_of_atom(Query *q, AtomId atom) {
  ASSERT(atom < q->atoms.count);
  return poly_of_mono(q, mono_of_atom(q, atom), 1);
}

const Poly *poly_add_scaled(Query *q, const Poly *a, const Poly *b, Wide factor) {
  return a && b ? merge(q, a, b, factor) : NULL;
}

const Poly *poly_add(Query *q, const Poly *a, const Poly *b) {
  return poly_add_scaled(q, a, b, 1);
}

const Poly *poly_sub(Query *q, const Poly *a, const Poly *b) {
  return poly_add_scaled(q, a, b, -1);
}

const Poly *poly_add_const(Query *q, const Poly *a, Wide value) {
  ASSERT(poly_is_of(q, a));
  return poly_add(q, a, poly_const(q, value));
}

const Poly *poly_scale(Query *q, const Poly *a, Wide factor) {
  ASSERT(poly_is_of(q, a));
  return poly_add_scaled(q, q->zero, a, factor);
}

const Poly *poly_of_terms(Query *q, const Term *terms, uint32_t count) {
  ASSERT(terms || count == 0);
  const Poly *sum = q->zero;
  for (uint32_t i = 0; i < count; i++)
    sum = poly_add(q, sum, poly_of_mono(q, terms[i].mono, terms[i].coef));
  return sum;
}

static const Poly *mul_term(Query *q, const Poly *a, Term by) {
  const Poly *sum = q->zero;
  Term *terms = arena_array(q->arena, a->count, Term);
  bool in_order = true;
  for (uint32_t i = 0; i < a->count; i++) {
    terms[i].mono = mono_mul(q, a->terms[i].mono, by.mono);
    if (terms[i].mono == UINT32_MAX) return NULL;
    if (__builtin_mul_overflow(a->terms[i].coef, by.coef, &terms[i].coef)) return NULL;
    if (terms[i].coef > max_coef || terms[i].coef < -max_coef) return NULL;
    in_order = in_order && (i == 0 || mono_compare(q, terms[i - 1].mono, terms[i].mono) > 0);
  }
  sum = in_order ? poly_intern(q, terms, a->count) : poly_of_terms(q, terms, a->count);
  return sum;
}

const Poly *poly_mul(Query *q, const Poly *a, const Poly *b) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  if (!a || !b || a->count * b->count > 4 * MAX_TERMS) return NULL;
  const Poly *sum = q->zero;
  for (uint32_t i = 0; i < b->count && sum; i++)
    sum = poly_add(q, sum, mul_term(q, a, b->terms[i]));
  return sum;
}

// What is left of a dividend, as plain terms: of those in between, no polynomial is made.
typedef struct Rest {
  const Term *terms;
  uint32_t count;
} Rest;

static bool divides_head(Query *q, Rest rest, Term lead, Term *by) {
  by->mono = 0;
  by->coef = rest.terms[0].coef / lead.coef;
  return rest.terms[0].coef % lead.coef == 0 && mono_divide(q, rest.terms[0].mono, lead.mono, &by->mono);
}

// False: too large.
static bool take_multiple(Query *q, Rest *rest, const Poly *multiple) {
  if (!multiple || !merge_terms(q, rest->terms, rest->count, multiple, -1)) return false;
  if (q->terms.count > MAX_TERMS) return false;
  rest->count = q->terms.count;
  rest->terms = arena_copy(q->arena, q->terms.items, rest->count * sizeof *rest->terms);
  return true;
}

void poly_divide(Query *q, const Poly *a, const Poly *divisor, const Poly **quotient,
                 const Poly **remainder) {
  ASSERT(quotient);
  ASSERT(remainder);
  *quotient = *remainder = NULL;
  if (!a) return;
  const Poly *e = q->zero;
  Rest rest = {a->terms, a->count};
  VEC(Term) left = {0};
  while (rest.count) {
    Term by;
    if (divides_head(q, rest, divisor->terms[0], &by)) {
      e = poly_add(q, e, poly_of_mono(q, by.mono, by.coef));
      if (!e || !take_multiple(q, &rest, mul_term(q, divisor, by))) return;
    } else {
      vec_push(q->arena, &left, *rest.terms);
      rest.terms++;
      rest.count--;
    }
  }
  *remainder = left.count == a->count ? a : poly_intern(q, left.items, left.count);
  *quotient = *remainder ? e : NULL;
}

const Poly *poly_primitive(Query *q, const Poly *a, Wide *content) {
  ASSERT(poly_is_of(q, a));
  *content = 0;
  if (!a || a->count == 0) return a;
  Wide g = 0;
  for (uint32_t i = 0; i < a->count; i++)
    g = wide_gcd(g, a->terms[i].coef);
  if (a->terms[0].coef < 0) g = -g;
  *content = g;
  if (g == 1) return a;
  Term *terms = arena_array(q->arena, a->count, Term);
  for (uint32_t i = 0; i < a->count; i++)
    terms[i] = (Term){a->terms[i].mono, a->terms[i].coef / g};
  return poly_intern(q, terms, a->count);
}

const Poly *poly_substitute(Query *q, const Poly *a, AtomId atom, const Poly *by) {
  ASSERT(atom < q->atoms.count);
  MonoId single = mono_of_atom(q, atom);
  const Poly *sum = q->zero;
  for (uint32_t i = 0; a && i < a->count && sum; i++) {
    const Poly *term = poly_of_mono(q, 0, a->terms[i].coef);
    MonoId rest = a->terms[i].mono, next;
    for (; mono_divide(q, rest, single, &next); rest = next)
      term = poly_mul(q, term, by);
    sum = poly_add(q, sum, poly_mul(q, term, poly_of_mono(q, rest, 1)));
  }
  return a ? sum : NULL;
}

bool poly_is_const(const Poly *a, Wide *value) {
  if (!a || a->degree > 0) return false;
  if (value) *value = a->count ? a->terms[0].coef : 0;
  return true;
}

bool poly_is_atom(const Query *q, const Poly *a, AtomId *atom) {
  if (!a || a->count != 1 || a->degree != 1 || a->terms[0].coef != 1) return false;
  *atom = q->monos.items[a->terms[0].mono].atoms[0];
  return true;
}

bool poly_has_atom(const Query *q, const Poly *a, AtomId atom) {
  ASSERT(atom < q->atoms.count);
  for (uint32_t i = 0; a && i < a->count; i++) {
    const Mono *m = &q->monos.items[a->terms[i].mono];
    for (uint32_t k = 0; k < m->degree; k++)
      if (m->atoms[k] == atom) return true;
  }
  return false;
}

Wide poly_constant_term(const Poly *a) {
  if (a->count == 0 || a->terms[a->count - 1].mono != 0) return 0;
  return a->terms[a->count - 1].coef;
}

static Range mono_range(const Query *q, MonoId mono) {
  ASSERT(mono_is_of(q, mono));
  const Mono *m = &q->monos.items[mono];
  Range r = {1, 1};
  for (uint32_t i = 0; i < m->degree;) {
    uint32_t n = 1;
    while (i + n < m->degree && m->atoms[i + n] == m->atoms[i])
      n++;
    Range one = q->atoms.items[m->atoms[i]].range, power = one;
    for (uint32_t k = 1; k < n; k++)
      power = range_mul(power, one);
    if (n % 2 == 0 && power.lo < 0) power.lo = 0;
    r = range_mul(r, power);
    i += n;
  }
  return r;
}

Range poly_range(const Query *q, const Poly *a) {
  ASSERT(poly_is_of(q, a));
  Range r = {0, 0};
  for (uint32_t i = 0; i < a->count; i++)
    r = range_add(r, range_mul(mono_range(q, a->terms[i].mono), (Range){a->terms[i].coef, a->terms[i].coef}));
  return r;
}

// ---- the empty question
Query *query_make(Arena *arena, ExprPool *pool) {
  Query *q = arena_new(arena, Query);
  q->arena = arena;
  q->pool = pool;
  q->assume_sizes = true;
  vec_push(arena, &q->atoms, (Atom){0});
  vec_push(arena, &q->monos, (Mono){0});
  vec_push(arena, &q->polys, NULL);
  vec_push(arena, &q->forms, (Form){0});
  q->zero = poly_const(q, 0);
  q->one = poly_const(q, 1);
  vec_push(arena, &q->forms, (Form){.kind = FORM_TRUE});
  q->form_true = 1;
  vec_push(arena, &q->forms, (Form){.kind = FORM_FALSE});
  q->form_false = 2;
  return q;
}
