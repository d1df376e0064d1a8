// Which sums are what they were taken apart from? Code splits an index into coordinates and puts it together
// again: k = x % m, j = (x - k) / m % n, i = (x - m*j - k) / (n*m), and then (i*n + j)*m + k, which is x. Two
// rewritings of polynomials, both by the definition of a remainder r = a rem d, q = a div d:
//
//   contraction        c*d*q + c*r  ->  c*a             when both stand in a sum with the same c
//   exact division     a' / d' = e, remainder 0         when a' = d'*e once each remainder r in a' is read as
//   a - d*q
// Statement: a = d*q + r for every d with a value of the division; an exact quotient is the same rounded
// either way, whatever the signs. Where d = 0 neither side has a meaning: such a run divides by zero. What
// was taken apart and is not put together again keeps its remainders: they are what the strides of an address
// are found by. Soundness: equalities over the integers; each one is checked on random values in debug
// builds.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MAX_STEPS = 16 };

// Both sides are equal wherever all the divisions have a value; `no_value` says where one has none.
static void note_identity(Query *q, FormId no_value, const Poly *before, const Poly *after) {
#ifdef HGRD_DEBUG_CHECKS
  FormId form = FORM_OR_OF(q, no_value, form_eq(q, before, after));
  if (form != FORM_NONE) vec_push(q->arena, &q->identities, form);
#else
  (void)q, (void)no_value, (void)before, (void)after;
#endif
}

static FormId has_no_value(Query *q, const Atom *division) {
  FormId no_divisor = division->is_floor ? form_le0(q, division->b) : form_eq0(q, division->b);
  return division->when_true ? FORM_OR_OF(q, division->when_true, no_divisor) : no_divisor;
}

// d*q + r for the remainder r: what it was taken from.
static const Poly *put_together(Query *q, AtomId remainder) {
  Atom r = q->atoms.items[remainder];
  return poly_add(q, poly_mul(q, r.b, poly_of_atom(q, r.partner)), poly_of_atom(q, remainder));
}

static Wide coefficient(const Poly *p, MonoId mono) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->terms[i].mono == mono) return p->terms[i].coef;
  return 0;
}

static bool has_terms(const Poly *p, const Poly *part) {
  for (uint32_t i = 0; i < part->count; i++)
    if (coefficient(p, part->terms[i].mono) != part->terms[i].coef) return false;
  return true;
}

// ---- contraction
// The term c*r of p, if r is the remainder: NULL unless c*d*q is there as well.
static const Poly *contract_term(Query *q, const Poly *p, Term term, AtomId remainder) {
  MonoId rest;
  if (!mono_divide(q, term.mono, mono_of_atom(q, remainder), &rest)) return NULL;
  const Poly *c = poly_of_mono(q, rest, term.coef), *parts = poly_mul(q, c, put_together(q, remainder));
  if (!parts || !has_terms(p, parts)) return NULL;
  Atom r = q->atoms.items[remainder];
  const Poly *out = poly_add(q, poly_sub(q, p, parts), poly_mul(q, c, r.a));
  if (out) note_identity(q, has_no_value(q, &r), p, out);
  return out;
}

static const Poly *contract_once(Query *q, const Poly *p) {
  ASSERT(p && poly_is_of(q, p));
  for (uint32_t i = 0; i < p->count; i++) {
    Mono m = q->monos.items[p->terms[i].mono];
    for (uint32_t k = 0; k < m.degree; k++) {
      if (q->atoms.items[m.atoms[k]].kind != ATOM_REM) continue;
      const Poly *out = contract_term(q, p, p->terms[i], m.atoms[k]);
      if (out) return out;
    }
  }
  return NULL;
}

const Poly *fold_sum(Query *q, const Poly *p) {
  ASSERT(poly_is_of(q, p));
  for (int step = 0; p && step < MAX_STEPS; step++) {
    const Poly *next = contract_once(q, p);
    if (!next) break;
    p = next;
  }
  return p;
}

// ---- exact division
// The remainder with the largest number: it may have been taken from a sum of earlier ones.
static AtomId last_remainder(const Query *q, const Poly *p) {
  AtomId last = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    const Mono *m = &q->monos.items[p->terms[i].mono];
    for (uint32_t k = 0; k < m->degree; k++)
      if (m->atoms[k] > last && q->atoms.items[m->atoms[k]].kind == ATOM_REM) last = m->atoms[k];
  }
  return last;
}

const Poly *fold_quotient(Query *q, const Poly *a, const Poly *d) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, d));
  const Poly *read = a;
  FormId no_value = q->form_false;
  for (int step = 0; step <= MAX_STEPS && read; step++) {
    const Poly *e, *f;
    poly_divide(q, read, d, &e, &f);
    if (e && f && f->count == 0) {
      note_identity(q, no_value, a, poly_mul(q, d, e));
      return e;
    }
    AtomId last = last_remainder(q, read);
    if (!last) return NULL;
    Atom r = q->atoms.items[last];
    no_value = FORM_OR_OF(q, no_value, has_no_value(q, &r));
    read = poly_substitute(q, read, last, poly_sub(q, r.a, poly_mul(q, r.b, poly_of_atom(q, r.partner))));
  }
  return NULL;
}
