// What is an operation that is no polynomial? An atom, a fresh integer, with its definition as formulas:
//
//   quotient, remainder   d >= 1  ->  a = d*q + r  and  0 <= r < d  (floor; C's division splits on the sign)
//   wrap                  -2^(w-1) <= a - 2^w*t < 2^(w-1)            (a reduced to w bits is a - 2^w*t)
//   choice                c -> v = a,  not c -> v = b
//   power of two          0 <= k <= 63  ->  1 <= p, k < p
//   bitwise and           a >= 0 -> 0 <= v <= a;  b >= 0 -> 0 <= v <= b;  v <= a or a >= 0 > b ...
//   half                  x*x + x = 2*h
//
// A product divisor makes a chain: a/(b*c) = (a/b)/c and a%(b*c) = a%b + b*((a/b)%c), so that x/W/H and
// x/(W*H) meet; and chains in another order end in one quotient, (a/c)/b = (a/b)/c. Soundness: every definition can be fulfilled for all integer values of its inputs, also for
// those of operations whose result is not used; so a definition never excludes an execution.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum {
  MAX_POW2 = 63,
  MIXING_BITS = 8,     // of a multiplier that is wide
  MIXING_WRAPS = 1024, // and so often it may wrap around at least
  MAX_BOUNDS = 32,     // of dividends by products
  MAX_DIVISIONS = 200  // from here on, chains in other orders stay by themselves
};
static const Range unbounded = {-WIDE_INF, WIDE_INF};

static void define(Query *q, FormId form) {
  if (form != FORM_NONE && form != q->form_true) vec_push(q->arena, &q->defs, form);
}

// ---- interning
static uint64_t atom_hash(const Atom *a) {
  uint64_t parts[] = {a->kind | ((uint64_t)a->width << 8) | ((uint64_t)a->is_floor << 16) |
                          ((uint64_t)a->index << 32),
                      ((uint64_t)(a->a ? a->a->id : 0) << 32) | (a->b ? a->b->id : 0),
                      ((uint64_t)a->when_true << 32) | a->partner};
  uint64_t hash = str_hash(parts, sizeof parts, 5);
  for (uint32_t i = 0; i < a->arg_count; i++)
    hash = str_hash(&a->args[i]->id, sizeof a->args[i]->id, hash);
  return hash;
}

static bool atom_equal(const Atom *x, const Atom *y) {
  if (x->kind != y->kind || x->width != y->width || x->is_floor != y->is_floor || x->index != y->index ||
      x->a != y->a || x->b != y->b || x->when_true != y->when_true || x->when_false != y->when_false ||
      x->arg_count != y->arg_count || x->partner != y->partner)
    return false;
  for (uint32_t i = 0; i < x->arg_count; i++)
    if (x->args[i] != y->args[i]) return false;
  return true;
}

static AtomId atom_find(const Query *q, const Atom *atom) {
  uint64_t hash = atom_hash(atom);
  AtomId id;
  TableLook look = table_look(&q->atom_table, (uint32_t)hash);
  while ((id = table_next(&look)) != 0)
    if (atom_equal(&q->atoms.items[id], atom)) return id;
  return 0;
}

static AtomId atom_add(Query *q, Atom atom) {
  AtomId id = q->atoms.count;
  if (atom.a) atom.owners |= atom.a->owners;
  if (atom.b) atom.owners |= atom.b->owners;
  for (uint32_t i = 0; i < atom.arg_count; i++)
    atom.owners |= atom.args[i]->owners;
  if (atom.kind != ATOM_SYM && atom.kind != ATOM_APP) atom.asserted = unbounded;
  if (atom.kind != ATOM_OPAQUE) table_add(q->arena, &q->atom_table, (uint32_t)atom_hash(&atom), id);
  vec_push(q->arena, &q->atoms, atom);
  return id;
}

AtomId atom_sym(Query *q, uint32_t sym) {
  ASSERT(sym < expr_sym_count(q->pool));
  Atom atom = {.kind = ATOM_SYM, .index = sym};
  AtomId id = atom_find(q, &atom);
  if (id) return id;
  const ExprSym *info = expr_sym_info(q->pool, sym);
  atom.owners = info->owner == OWNER_THREAD1 ? 1 : info->owner == OWNER_THREAD2 ? 2 : 0;
  atom.range = atom.asserted = q->sym_ranges[RANGE_SHARP].items[sym];
  return atom_add(q, atom);
}

const Poly *atom_app(Query *q, ExprRef ref, uint32_t count, const Poly *const *args) {
  ASSERT(args);
  ASSERT(expr_is_of(q->pool, ref));
  uint32_t func = (uint32_t)expr_node(q->pool, ref)->value;
  Atom atom = {.kind = ATOM_APP, .index = func, .arg_count = count, .args = args, .ref = ref};
  AtomId id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  const ExprFunc *info = expr_func_info(q->pool, func);
  atom.range = atom.asserted = (Range){info->lo, info->hi};
  if (info->width == 1) atom.range = atom.asserted = (Range){0, 1};
  vec_push(q->arena, &q->apps, ref);
  return poly_of_atom(q, atom_add(q, atom));
}

const Poly *atom_opaque(Query *q, uint8_t owners) {
  ASSERT(owners <= 3);
  return poly_of_atom(q, atom_add(q, (Atom){.kind = ATOM_OPAQUE, .owners = owners, .range = unbounded}));
}

const Poly *atom_name(Query *q, const Poly *a) {
  ASSERT(poly_is_of(q, a));
  AtomId id;
  if (poly_is_atom(q, a, &id)) return a;
  Atom atom = {.kind = ATOM_NAME, .a = a};
  id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  atom.range = poly_range(q, a);
  const Poly *v = poly_of_atom(q, atom_add(q, atom));
  define(q, form_eq(q, v, a));
  return v;
}

// ---- division
// `no_value`: besides, where neither has any meaning.
static void define_floor(Query *q, const Poly *a, const Poly *d, FormId no_value, const Poly *quot,
                         const Poly *rem) {
  ASSERT(a && d && quot && rem);
  FormId no_divisor = FORM_OR_OF(q, no_value, form_le0(q, d));
  FormId sum = form_eq(q, a, poly_add(q, poly_mul(q, d, quot), rem));
  define(q, FORM_OR_OF(q, no_divisor, sum));
  define(q, FORM_OR_OF(q, no_divisor, FORM_AND_OF(q, form_le(q, q->zero, rem), form_lt(q, rem, d))));
  FormId is_negative = form_lt(q, a, q->zero);
  FormId small = FORM_AND_OF(q, form_le(q, q->zero, quot), form_le(q, quot, a));
  define(q, FORM_OR_OF(q, no_divisor, is_negative, small));
}

static void define_truncating(Query *q, const Poly *a, const Poly *d, FormId no_value, const Poly *quot,
                              const Poly *rem) {
  ASSERT(a && d && quot && rem);
  const Poly *minus_d = poly_scale(q, d, -1);
  FormId is_negative = form_lt(q, a, q->zero), is_positive = form_lt(q, q->zero, a);
  FormId no_divisor = FORM_OR_OF(q, no_value, form_eq0(q, d));
  FormId not_above = FORM_OR_OF(q, no_value, form_le0(q, d)),
         not_below = FORM_OR_OF(q, no_value, form_le(q, q->zero, d));
  FormId sum = form_eq(q, a, poly_add(q, poly_mul(q, d, quot), rem));
  define(q, FORM_OR_OF(q, no_divisor, sum));
  FormId up = form_le(q, q->zero, rem), down = form_le0(q, rem);
  define(q, FORM_OR_OF(q, no_divisor, is_negative, up));
  define(q, FORM_OR_OF(q, no_divisor, is_positive, down));
  FormId below_d = FORM_AND_OF(q, form_lt(q, rem, d), form_lt(q, minus_d, rem));
  FormId below_minus_d = FORM_AND_OF(q, form_lt(q, rem, minus_d), form_lt(q, d, rem));
  define(q, FORM_OR_OF(q, not_above, below_d));
  define(q, FORM_OR_OF(q, not_below, below_minus_d));
  FormId toward_up = FORM_AND_OF(q, form_le(q, q->zero, quot), form_le(q, quot, a));
  FormId toward_down = FORM_AND_OF(q, form_le0(q, quot), form_le(q, a, quot));
  define(q, FORM_OR_OF(q, not_above, is_negative, toward_up));
  define(q, FORM_OR_OF(q, not_above, is_positive, toward_down));
}

static Range quotient_range(Range a, Range d) {
  if (d.lo < 1) d.lo = 1;
  if (d.hi < d.lo) return unbounded;
  Range r = {a.lo >= 0 ? a.lo / d.hi : wide_floor_div(a.lo, d.lo), a.hi >= 0 ? a.hi / d.lo : 0};
  return r;
}

static Range remainder_range(Range a, Range d, bool is_floor) {
  if (is_floor && d.hi < 1) return unbounded;
  Wide most = d.hi > -d.lo ? d.hi : -d.lo;
  return (Range){is_floor || a.lo >= 0 ? 0 : 1 - most, most - 1};
}

static void divide_plain(Query *q, const Poly *a, const Poly *d, bool is_floor, const Poly **quotient,
                         const Poly **remainder) {
  Atom quot = {.kind = ATOM_QUOT, .is_floor = is_floor, .a = a, .b = d};
  Atom rem = {.kind = ATOM_REM, .is_floor = is_floor, .a = a, .b = d};
  AtomId id = atom_find(q, &quot);
  Range ra = poly_range(q, a), rd = poly_range(q, d);
  if (id) {
    *quotient = poly_of_atom(q, id);
    *remainder = poly_of_atom(q, q->atoms.items[id].partner);
    return;
  }
  quot.range = is_floor || rd.lo >= 0 ? quotient_range(ra, rd) : unbounded;
  if (!is_floor && quot.range.lo < 0) quot.range.hi = quot.range.hi > 0 ? quot.range.hi : 0;
  rem.range = remainder_range(ra, rd, is_floor);
  id = atom_add(q, quot);
  AtomId rem_id = atom_add(q, rem);
  q->atoms.items[id].partner = rem_id;
  q->atoms.items[rem_id].partner = id;
  *quotient = poly_of_atom(q, id);
  *remainder = poly_of_atom(q, rem_id);
  (is_floor ? define_floor : define_truncating)(q, a, d, q->form_false, *quotient, *remainder);
}

// The longest divisor b already used on this dividend with d = b * c, if any.
static const NestedDivision *nested_find(Query *q, const Poly *a, const Poly *d, bool is_floor,
                                         const Poly **rest) {
  const NestedDivision *best = NULL;
  for (uint32_t i = 0; i < q->divisions.count; i++) {
    const NestedDivision *n = &q->divisions.items[i];
    Term t = d->terms[0], s = n->divisor->terms[0];
    MonoId mono;
    if (n->dividend != a || n->is_floor != is_floor || t.coef % s.coef != 0) continue;
    if (!mono_divide(q, t.mono, s.mono, &mono)) continue;
    if (best && best->divisor->degree > n->divisor->degree) continue;
    best = n;
    *rest = poly_of_mono(q, mono, t.coef / s.coef);
  }
  return best;
}

// The shortest constant divisor already used on this dividend that is a true multiple of d, if any.
static const NestedDivision *multiple_find(const Query *q, const Poly *a, Wide d, bool is_floor) {
  const NestedDivision *best = NULL;
  for (uint32_t i = 0; i < q->divisions.count; i++) {
    const NestedDivision *n = &q->divisions.items[i];
    Wide multiple;
    if (n->dividend != a || n->is_floor != is_floor || !poly_is_const(n->divisor, &multiple)) continue;
    if (multiple <= d || multiple % d != 0) continue;
    if (!best || multiple < best->divisor->terms[0].coef) best = n;
  }
  return best;
}

// For what comes later in the chain. Where the larger divisor came first, as in x/(H*W), then x/W%H, the
// chain is closed by equalities: x/(c*d) = (x/d)/c and x%(c*d) = x%d + d*((x/d)%c).
static void remember_division(Query *q, NestedDivision division) {
  Wide d;
  bool is_const = poly_is_const(division.divisor, &d) && d > 0;
  const NestedDivision *found = is_const ? multiple_find(q, division.dividend, d, division.is_floor) : NULL;
  NestedDivision multiple = found ? *found : division;
  vec_push(q->arena, &q->divisions, division);
  if (!found) return;
  const Poly *quotient, *remainder, *c = poly_const(q, multiple.divisor->terms[0].coef / d);
  atom_divide(q, division.quotient, c, division.is_floor, &quotient, &remainder);
  define(q, form_eq(q, multiple.quotient, quotient));
  define(q, form_eq(q, multiple.remainder, poly_add(q, division.remainder, poly_scale(q, remainder, d))));
}

// a is x/b, and x was divided by b*d, over another chain or at once: the quotient of that, which is a/d. Statement: (x/b)/d = x/(b*d), for
// b, d >= 1 rounded down, for all that are not zero towards zero.
static const Poly *quotient_of_product(Query *q, const Poly *a, const Poly *d, bool is_floor,
                                       FormId *no_value) {
  for (uint32_t i = 0; i < q->divisions.count; i++) {
    NestedDivision first = q->divisions.items[i];
    const Poly *product = NULL;
    if (first.quotient == a && first.is_floor == is_floor) product = poly_mul(q, first.divisor, d);
    for (uint32_t k = 0; product && k < q->divisions.count; k++) {
      const NestedDivision *n = &q->divisions.items[k];
      AtomId atom;
      bool is_it = n->dividend == first.dividend && n->divisor == product && n->is_floor == is_floor;
      if (!is_it || !poly_is_atom(q, n->quotient, &atom)) continue;
      *no_value = is_floor ? form_le0(q, first.divisor) : form_eq0(q, first.divisor);
      return n->quotient;
    }
  }
  return NULL;
}

// The division of a quotient divides what that is of by a product, which other chains may come to.
static void remember_products(Query *q, NestedDivision second) {
  for (uint32_t i = 0, count = q->divisions.count; i < count && count < MAX_DIVISIONS; i++) {
    NestedDivision first = q->divisions.items[i];
    if (first.quotient != second.dividend || first.is_floor != second.is_floor) continue;
    const Poly *product = poly_mul(q, first.divisor, second.divisor);
    const Poly *remainder = poly_add(q, first.remainder, poly_mul(q, first.divisor, second.remainder));
    if (!product || !remainder || poly_is_const(product, NULL)) continue; // of numbers: remember_division
    NestedDivision whole = {first.dividend, product, second.quotient, remainder, first.is_floor};
    vec_push(q->arena, &q->divisions, whole);
  }
}

// With the quotient of another chain. Where a is a quotient by what no division has a value for, so has this one none.
static void divide_by_known(Query *q, const Poly *a, const Poly *d, bool is_floor, FormId no_value,
                            const Poly *quotient, const Poly **remainder) {
  Atom rem = {.kind = ATOM_REM, .is_floor = is_floor, .a = a, .b = d, .when_true = no_value};
  rem.range = remainder_range(poly_range(q, a), poly_range(q, d), is_floor);
  AtomId id = atom_add(q, rem);
  (void)poly_is_atom(q, quotient, &q->atoms.items[id].partner);
  *remainder = poly_of_atom(q, id);
  (is_floor ? define_floor : define_truncating)(q, a, d, no_value, quotient, *remainder);
}

static void divide_nested(Query *q, const Poly *a, const Poly *d, bool is_floor, const Poly **quotient,
                          const Poly **remainder) {
  const Poly *c = NULL;
  FormId no_value = q->form_false;
  const NestedDivision *found = nested_find(q, a, d, is_floor, &c);
  if (found && found->divisor == d) {
    *quotient = found->quotient;
    *remainder = found->remainder;
    return;
  }
  if (found) {
    NestedDivision outer = *found;
    const Poly *inner;
    atom_divide(q, outer.quotient, c, is_floor, quotient, &inner);
    *remainder = poly_add(q, outer.remainder, poly_mul(q, outer.divisor, inner));
    if (!*remainder) divide_plain(q, a, d, is_floor, quotient, remainder);
  } else if ((*quotient = quotient_of_product(q, a, d, is_floor, &no_value)) != NULL)
    divide_by_known(q, a, d, is_floor, no_value, *quotient, remainder);
  else
    divide_plain(q, a, d, is_floor, quotient, remainder);
  NestedDivision division = {a, d, *quotient, *remainder, is_floor};
  remember_division(q, division);
  remember_products(q, division);
}

// a = d*e + f  ->  floor(a/d) = e + floor(f/d); towards zero only where f vanishes. The chain of a goes on
// from there.
static bool divide_split(Query *q, const Poly *a, const Poly *d, bool is_floor, bool may_nest,
                         const Poly **quotient, const Poly **remainder) {
  const Poly *e, *f;
  poly_divide(q, a, d, &e, &f);
  if (!e || !f || e->count == 0 || (!is_floor && f->count != 0)) return false;
  atom_divide(q, f, d, is_floor, quotient, remainder);
  const Poly *sum = poly_add(q, e, *quotient);
  if (!sum) return false;
  *quotient = sum;
  if (may_nest) remember_division(q, (NestedDivision){a, d, sum, *remainder, is_floor});
  return true;
}

static void divide(Query *q, const Poly *a, const Poly *d, bool is_floor, const Poly **quotient,
                   const Poly **remainder) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, d));
  Wide c = 0;
  bool is_const = poly_is_const(d, &c);
  if (is_const && c < 0 && !is_floor) { // a / -c = -(a / c), same remainder
    atom_divide(q, a, poly_const(q, -c), is_floor, quotient, remainder);
    *quotient = poly_scale(q, *quotient, -1);
    return;
  }
  Range ra = poly_range(q, a), rd = poly_range(q, d);
  if ((is_const && c == 1) || (ra.lo >= 0 && rd.lo >= 1 && ra.hi < rd.lo)) {
    *quotient = is_const && c == 1 ? a : q->zero;
    *remainder = is_const && c == 1 ? q->zero : a;
    return;
  }
  const Poly *exact = d->count && (!is_const || c >= 1) ? fold_quotient(q, a, d) : NULL;
  if (exact) {
    *quotient = exact;
    *remainder = q->zero;
    return;
  }
  bool may_nest = d->count == 1 && d->terms[0].coef > 0 && (rd.lo >= 0 || !is_floor);
  if ((is_const && c >= 1) || d->count == 1)
    if (divide_split(q, a, d, is_floor, may_nest, quotient, remainder)) return;
  (may_nest ? divide_nested : divide_plain)(q, a, d, is_floor, quotient, remainder);
}

// ---- bounds by products
// x < a*b*c bounds x/a by b*c and x/a/b by c, so that x/a/b % c is x/a/b. Statement: |x| < |d*e| -> |x/d| <
// |e|, and x/d = 0 where |x| < |d|; floor: for x >= 0 (and d >= 1).   Proof: |d| * |x/d| <= |x|.
void atom_bound_dividend(Query *q, const Poly *low, const Poly *high, uint32_t condition) {
  ASSERT(poly_is_of(q, low) && poly_is_of(q, high));
  ASSERT(condition < q->conditions.count);
  if (!low || !high || high->degree == 0 || q->dividend_bounds.count == MAX_BOUNDS) return;
  for (uint32_t i = 0; i < q->dividend_bounds.count; i++)
    if (q->dividend_bounds.items[i].low == low && q->dividend_bounds.items[i].high == high) return;
  vec_push(q->arena, &q->dividend_bounds, (DividendBound){low, high, condition});
}

// The other factor of the i-th bound, if it bounds the dividend by a multiple of d.
static const Poly *other_factor(Query *q, uint32_t i, const Poly *a, const Poly *d) {
  ASSERT(i < q->dividend_bounds.count);
  const Poly *e, *rest;
  if (q->dividend_bounds.items[i].low != a) return NULL;
  poly_divide(q, q->dividend_bounds.items[i].high, d, &e, &rest);
  return e && rest && rest->count == 0 && e->count > 0 ? e : NULL;
}

static bool is_below_divisor(Query *q, const Poly *a, const Poly *d) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, d));
  for (uint32_t i = 0; i < q->dividend_bounds.count; i++) {
    Wide factor;
    const Poly *e = other_factor(q, i, a, d);
    if (!e || !poly_is_const(e, &factor) || (factor != 1 && factor != -1)) continue;
    q->conditions.items[q->dividend_bounds.items[i].condition].is_sharpener = true;
    return true;
  }
  return false;
}

// x < 4*d, so x/d < 4. Statement: d >= 1, 0 <= a < c*d -> a/d < c, for a number c (by an unknown: lemmas_multiples).
static void bound_by_number(Query *q, const Poly *a, const Poly *d, const Poly *quotient, const Poly *c) {
  FormId outside = FORM_OR_OF(q, form_le0(q, d), form_lt(q, a, q->zero), form_le(q, poly_mul(q, c, d), a));
  lemma_add(q, FORM_OR_OF(q, outside, form_lt(q, quotient, c)));
}

static bool is_quotient(const Query *q, const Poly *quotient, const Poly *a, const Poly *d) {
  AtomId id;
  if (!poly_is_atom(q, quotient, &id)) return false;
  const Atom *atom = &q->atoms.items[id];
  return atom->kind == ATOM_QUOT && atom->a == a && atom->b == d;
}

static void bound_quotient(Query *q, const Poly *a, const Poly *d, const Poly *quotient) {
  for (uint32_t i = 0; i < q->dividend_bounds.count; i++) {
    const Poly *c = other_factor(q, i, a, d);
    if (c && poly_is_const(c, NULL) && !poly_is_const(d, NULL) && is_quotient(q, quotient, a, d))
      bound_by_number(q, a, d, quotient, c);
    atom_bound_dividend(q, quotient, c, q->dividend_bounds.items[i].condition);
  }
}

void atom_divide(Query *q, const Poly *a, const Poly *d, bool is_floor, const Poly **quotient,
                 const Poly **remainder) {
  ASSERT(quotient);
  ASSERT(remainder);
  bool is_bounded = q->dividend_bounds.count > 0 && (!is_floor || poly_range(q, a).lo >= 0);
  if (is_bounded && is_below_divisor(q, a, d)) {
    *quotient = q->zero;
    *remainder = a;
    return;
  }
  divide(q, a, d, is_floor, quotient, remainder);
  if (is_bounded) bound_quotient(q, a, d, *quotient);
}

// ---- wrap, choice, bits
// Coefficients modulo 2^w, in the signed reading: the same word.
static const Poly *reduce_coefficients(Query *q, const Poly *a, uint8_t width) {
  Wide modulus = (Wide)1 << width, half = modulus / 2;
  Term *terms = arena_array(q->arena, a->count + 1, Term);
  for (uint32_t i = 0; i < a->count; i++) {
    Wide c = a->terms[i].coef + half;
    terms[i] = (Term){a->terms[i].mono, c - modulus * wide_floor_div(c, modulus) - half};
  }
  return poly_of_terms(q, terms, a->count);
}

// Hashes and random numbers multiply unknown words by wide constants and keep the low bits. Linear arithmetic
// learns next to nothing from the definition of such a wrap, and pays for it with huge numbers in its cuts.
static bool is_mixing(const Query *q, const Poly *a, uint8_t width) {
  ASSERT(expr_is_width(width));
  Range r = poly_range(q, a);
  bool is_wide = false;
  for (uint32_t i = 0; i < a->count; i++)
    is_wide = is_wide || (a->terms[i].mono && wide_bits(a->terms[i].coef) > MIXING_BITS);
  return is_wide && (r.hi - r.lo) >> width >= MIXING_WRAPS;
}

// Taken as a function first: of it is known that it gives a word, and (lemma.c, products.c) that equal values
// have equal results, that an odd multiplier loses nothing, and what it gives for the values that come up.
static const Poly *atom_mixed(Query *q, const Poly *a, uint8_t width) {
  ASSERT(expr_is_width(width) && poly_is_of(q, a));
  Atom atom = {.kind = ATOM_MIXED, .width = width, .a = a, .range = range_of_width(width)};
  AtomId id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  const Poly *value = poly_of_atom(q, atom_add(q, atom));
  define(q, form_le(q, poly_const(q, atom.range.lo), value));
  define(q, form_le(q, value, poly_const(q, atom.range.hi)));
  return value;
}

const Poly *atom_wrap(Query *q, const Poly *a, uint8_t width) {
  ASSERT(expr_is_width(width));
  const Poly *reduced = reduce_coefficients(q, a, width);
  Range all = range_of_width(width);
  if (range_inside(poly_range(q, reduced), all)) return reduced;
  if (is_mixing(q, reduced, width)) return atom_mixed(q, reduced, width);
  Atom atom = {.kind = ATOM_WRAP, .width = width, .a = reduced, .range = unbounded};
  AtomId id = atom_find(q, &atom);
  bool is_new = id == 0;
  if (is_new) id = atom_add(q, atom);
  const Poly *value = poly_add_scaled(q, reduced, poly_of_atom(q, id), -((Wide)1 << width));
  if (is_new) {
    define(q, form_le(q, poly_const(q, all.lo), value));
    define(q, form_le(q, value, poly_const(q, all.hi)));
  }
  return value;
}

const Poly *atom_choice(Query *q, FormId when_true, FormId when_false, const Poly *a, const Poly *b) {
  ASSERT(form_is_of(q, when_true) && form_is_of(q, when_false));
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  if (a == b || when_true == q->form_true) return a;
  if (when_true == q->form_false) return b;
  Atom atom = {.kind = ATOM_CHOICE, .a = a, .b = b, .when_true = when_true, .when_false = when_false};
  AtomId id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  atom.owners = q->forms.items[when_true].owners;
  atom.range = range_join(poly_range(q, a), poly_range(q, b));
  const Poly *v = poly_of_atom(q, atom_add(q, atom));
  define(q, FORM_OR_OF(q, when_false, form_eq(q, v, a)));
  define(q, FORM_OR_OF(q, when_true, form_eq(q, v, b)));
  return v;
}

const Poly *atom_pow2(Query *q, const Poly *exponent) {
  ASSERT(poly_is_of(q, exponent));
  Wide k;
  if (poly_is_const(exponent, &k))
    return k >= 0 && k <= MAX_POW2 ? poly_const(q, (Wide)1 << k) : atom_opaque(q, 0);
  Atom atom = {.kind = ATOM_POW2, .a = exponent};
  AtomId id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  Range r = range_meet(poly_range(q, exponent), (Range){0, MAX_POW2});
  atom.range = r.lo <= r.hi ? (Range){(Wide)1 << r.lo, (Wide)1 << r.hi} : unbounded;
  const Poly *p = poly_of_atom(q, atom_add(q, atom));
  FormId below = form_lt(q, exponent, q->zero), above = form_lt(q, poly_const(q, MAX_POW2), exponent);
  define(q, FORM_OR_OF(q, below, above, FORM_AND_OF(q, form_le(q, q->one, p), form_lt(q, exponent, p))));
  for (Wide i = r.lo; i <= r.hi && i < r.lo + 8; i++) // the first values exactly
    define(q,
           FORM_OR_OF(q, form_ne(q, exponent, poly_const(q, i)), form_eq(q, p, poly_const(q, (Wide)1 << i))));
  return p;
}

const Poly *atom_bitand(Query *q, const Poly *a, const Poly *b) {
  ASSERT(poly_is_of(q, a));
  ASSERT(poly_is_of(q, b));
  if (a == b) return a;
  if (a->id > b->id) {
    const Poly *t = a;
    a = b;
    b = t;
  }
  Atom atom = {.kind = ATOM_BITAND, .a = a, .b = b};
  AtomId id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  Range ra = poly_range(q, a), rb = poly_range(q, b);
  atom.range = unbounded;
  if (ra.lo >= 0) atom.range = range_meet(atom.range, (Range){0, ra.hi});
  if (rb.lo >= 0) atom.range = range_meet(atom.range, (Range){0, rb.hi});
  const Poly *v = poly_of_atom(q, atom_add(q, atom));
  FormId a_negative = form_lt(q, a, q->zero), b_negative = form_lt(q, b, q->zero);
  define(q, FORM_OR_OF(q, a_negative, FORM_AND_OF(q, form_le(q, q->zero, v), form_le(q, v, a))));
  define(q, FORM_OR_OF(q, b_negative, FORM_AND_OF(q, form_le(q, q->zero, v), form_le(q, v, b))));
  FormId both = FORM_AND_OF(q, form_lt(q, v, q->zero), form_le(q, v, a), form_le(q, v, b));
  define(q, FORM_OR_OF(q, form_le(q, q->zero, a), form_le(q, q->zero, b), both));
  return v;
}

const Poly *atom_half(Query *q, AtomId of) {
  ASSERT(of < q->atoms.count);
  Atom atom = {.kind = ATOM_HALF, .partner = of, .range = unbounded, .owners = q->atoms.items[of].owners};
  AtomId id = atom_find(q, &atom);
  if (id) return poly_of_atom(q, id);
  const Poly *h = poly_of_atom(q, atom_add(q, atom)), *x = poly_of_atom(q, of);
  define(q, form_eq(q, poly_add(q, poly_mul(q, x, x), x), poly_scale(q, h, 2)));
  return h;
}

// ---- evaluation
static bool value_of(const Query *q, const Poly *p, const Wide *atom_values, Wide *value) {
  *value = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    const Mono *m = &q->monos.items[p->terms[i].mono];
    Wide product = p->terms[i].coef;
    for (uint32_t k = 0; k < m->degree; k++)
      if (__builtin_mul_overflow(product, atom_values[m->atoms[k]], &product)) return false;
    if (__builtin_add_overflow(*value, product, value)) return false;
  }
  return *value<WIDE_INF && * value> - WIDE_INF;
}

static bool evaluate_division(const Atom *atom, Wide a, Wide d, Wide *value) {
  if (d == 0 || (atom->is_floor && d < 1)) return false;
  Wide quot = atom->is_floor ? wide_floor_div(a, d) : a / d;
  *value = atom->kind == ATOM_QUOT ? quot : a - d * quot;
  return true;
}

bool atom_evaluate(const Query *q, AtomId id, const Wide *atom_values, Wide *value) {
  ASSERT(value);
  ASSERT(id < q->atoms.count);
  const Atom *atom = &q->atoms.items[id];
  Wide a = 0, b = 0;
  if (atom->a && !value_of(q, atom->a, atom_values, &a)) return false;
  if (atom->b && !value_of(q, atom->b, atom_values, &b)) return false;
  switch ((AtomKind)atom->kind) {
  case ATOM_QUOT:
  case ATOM_REM: return evaluate_division(atom, a, b, value);
  case ATOM_WRAP:
    *value = wide_floor_div(a + ((Wide)1 << (atom->width - 1)), (Wide)1 << atom->width);
    return true;
  case ATOM_MIXED: *value = wide_wrapped(a, atom->width); return true;
  case ATOM_NAME: *value = a; return true;
  case ATOM_POW2:
    if (a < 0 || a > MAX_POW2) return false;
    *value = (Wide)1 << a;
    return true;
  case ATOM_BITAND: *value = a & b; return true;
  case ATOM_HALF:
    a = atom_values[atom->partner];
    *value = (a * a + a) / 2;
    return true;
  case ATOM_CHOICE: // by its condition, which the caller knows
  case ATOM_NONE:
  case ATOM_SYM:
  case ATOM_APP:
  case ATOM_OPAQUE: break;
  }
  return false;
}
