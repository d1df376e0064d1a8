// How are conditions over polynomials written? Negation normal form with the literals p <= 0, p = 0, p /= 0,
// interned, divided by the common factor of the coefficients and rounded (all products are integers).
// Negation is never needed: whoever makes a formula makes both polarities. Soundness: exact. A literal whose
// polynomial is too large is NONE, which makes a formula built of it NONE; lemmas that are NONE are dropped,
// conditions that are NONE become UNKNOWN, a free truth value.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <string.h>

static uint8_t owners_of(const Query *q, const Form *form) {
  uint8_t owners = form->poly ? form->poly->owners : 0;
  for (uint32_t i = 0; i < form->count; i++)
    owners |= q->forms.items[form->parts[i]].owners;
  return owners;
}

static FormId form_intern(Query *q, Form form) {
  uint64_t head[2] = {form.kind | ((uint64_t)form.count << 8), form.poly ? form.poly->id : 0};
  uint64_t hash = str_hash(head, sizeof head, 3);
  if (form.count) hash = str_hash(form.parts, form.count * sizeof *form.parts, hash);
  uint32_t id;
  TableLook look = table_look(&q->form_table, (uint32_t)hash);
  while ((id = table_next(&look)) != 0) {
    const Form *f = &q->forms.items[id];
    if (f->kind == form.kind && f->poly == form.poly && f->count == form.count &&
        (form.count == 0 || memcmp(f->parts, form.parts, form.count * sizeof *form.parts) == 0))
      return id;
  }
  if (form.count) form.parts = arena_copy(q->arena, form.parts, form.count * sizeof *form.parts);
  form.owners = owners_of(q, &form);
  id = q->forms.count;
  vec_push(q->arena, &q->forms, form);
  table_add(q->arena, &q->form_table, (uint32_t)hash, id);
  return id;
}

FormId form_unknown(Query *q) {
  // Two UNKNOWNs must not be one: the condition and its negation would then exclude each other.
  vec_push(q->arena, &q->forms, (Form){.kind = FORM_UNKNOWN, .owners = 3});
  return q->forms.count - 1;
}

FormId form_or_unknown(Query *q, FormId form) {
  ASSERT(form_is_of(q, form));
  return form == FORM_NONE ? form_unknown(q) : form;
}

// Splits p into g * rest + constant, where rest has coprime coefficients and no constant.
static const Poly *split_constant(Query *q, const Poly *p, Wide *g, Wide *constant) {
  *constant = poly_constant_term(p);
  const Poly *rest = poly_primitive(q, poly_add_const(q, p, -*constant), g);
  if (rest && *g < 0) {
    *g = -*g;
    rest = poly_scale(q, rest, -1);
  }
  return rest;
}

FormId form_le0(Query *q, const Poly *p) {
  ASSERT(poly_is_of(q, p));
  if (!p) return FORM_NONE;
  Wide constant, g;
  if (poly_is_const(p, &constant)) return constant <= 0 ? q->form_true : q->form_false;
  const Poly *rest = split_constant(q, p, &g, &constant);
  if (!rest) return FORM_NONE;
  p = poly_add_const(q, rest, -wide_floor_div(-constant, g)); // rest <= floor(-constant / g)
  return p ? form_intern(q, (Form){.kind = FORM_LE, .poly = p}) : FORM_NONE;
}

static FormId form_zero_test(Query *q, const Poly *p, FormKind kind) {
  ASSERT(kind == FORM_EQ || kind == FORM_NE);
  if (!p) return FORM_NONE;
  Wide constant, g;
  FormId never = kind == FORM_EQ ? q->form_false : q->form_true;
  if (poly_is_const(p, &constant))
    return constant == 0 ? (kind == FORM_EQ ? q->form_true : q->form_false) : never;
  const Poly *rest = split_constant(q, p, &g, &constant);
  if (constant % g != 0) return never;
  p = poly_add_const(q, rest, constant / g);
  if (p && p->terms[0].coef < 0) p = poly_scale(q, p, -1);
  return p ? form_intern(q, (Form){.kind = (uint8_t)kind, .poly = p}) : FORM_NONE;
}

FormId form_eq0(Query *q, const Poly *p) {
  ASSERT(poly_is_of(q, p));
  return form_zero_test(q, p, FORM_EQ);
}
FormId form_ne0(Query *q, const Poly *p) {
  ASSERT(poly_is_of(q, p));
  return form_zero_test(q, p, FORM_NE);
}
FormId form_le(Query *q, const Poly *a, const Poly *b) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  return form_le0(q, poly_sub(q, a, b));
}
FormId form_lt(Query *q, const Poly *a, const Poly *b) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  return form_le0(q, poly_add_const(q, poly_sub(q, a, b), 1));
}
FormId form_eq(Query *q, const Poly *a, const Poly *b) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  return form_eq0(q, poly_sub(q, a, b));
}
FormId form_ne(Query *q, const Poly *a, const Poly *b) {
  ASSERT(poly_is_of(q, a) && poly_is_of(q, b));
  return form_ne0(q, poly_sub(q, a, b));
}

// `decides` is the part that alone makes the result (FALSE for and), `neutral` the one that can be left out.
static FormId form_join(Query *q, FormKind kind, uint32_t count, const FormId *parts) {
  ASSERT(kind == FORM_AND || kind == FORM_OR);
  FormId decides = kind == FORM_AND ? q->form_false : q->form_true;
  FormId neutral = kind == FORM_AND ? q->form_true : q->form_false;
  VEC(FormId) kept = {0};
  bool is_none = false;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i] == decides) return decides;
    if (parts[i] == FORM_NONE) is_none = true;
    if (parts[i] == neutral || is_none) continue;
    const Form *f = &q->forms.items[parts[i]];
    bool is_same = f->kind == kind;
    uint32_t n = is_same ? f->count : 1;
    const FormId *from = is_same ? f->parts : &parts[i];
    for (uint32_t k = 0; k < n; k++) {
      bool is_known = false;
      for (uint32_t j = 0; j < kept.count && !is_known; j++)
        is_known = kept.items[j] == from[k];
      if (!is_known) vec_push(q->arena, &kept, from[k]);
    }
  }
  if (is_none) return FORM_NONE;
  if (kept.count == 0) return neutral;
  if (kept.count == 1) return kept.items[0];
  return form_intern(q, (Form){.kind = (uint8_t)kind, .count = kept.count, .parts = kept.items});
}

FormId form_and(Query *q, uint32_t count, const FormId *parts) {
  ASSERT(forms_are_of(q, count, parts));
  return form_join(q, FORM_AND, count, parts);
}
FormId form_or(Query *q, uint32_t count, const FormId *parts) {
  ASSERT(forms_are_of(q, count, parts));
  return form_join(q, FORM_OR, count, parts);
}

Wide poly_value(const Query *q, const Poly *p, const Wide *mono_values) {
  ASSERT(p && poly_is_of(q, p));
  (void)q;
  Wide sum = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    Wide product, m = p->terms[i].mono ? mono_values[p->terms[i].mono] : 1;
    if (__builtin_mul_overflow(p->terms[i].coef, m, &product)) return WIDE_INF * 2;
    if (__builtin_add_overflow(sum, product, &sum)) return WIDE_INF * 2;
  }
  return sum;
}

bool form_holds(const Query *q, FormId form, const Wide *mono_values) {
  ASSERT(form_is_of(q, form) && form != FORM_NONE);
  const Form *f = &q->forms.items[form];
  Wide value = f->poly ? poly_value(q, f->poly, mono_values) : 0;
  if (f->poly && (value > WIDE_INF || value < -WIDE_INF)) return true;
  switch ((FormKind)f->kind) {
  case FORM_NONE:
  case FORM_TRUE:
  case FORM_UNKNOWN: return true;
  case FORM_FALSE: return false;
  case FORM_LE: return value <= 0;
  case FORM_EQ: return value == 0;
  case FORM_NE: return value != 0;
  case FORM_AND:
    for (uint32_t i = 0; i < f->count; i++)
      if (!form_holds(q, f->parts[i], mono_values)) return false;
    return true;
  case FORM_OR:
    for (uint32_t i = 0; i < f->count; i++)
      if (form_holds(q, f->parts[i], mono_values)) return true;
    return false;
  }
  return true;
}
