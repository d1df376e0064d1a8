// Which lemmas were found so far, and which products occur in them? What the schemas (lemma.c, lemma_strides.c,
// lemma_squares.c) share: each lemma once, and no more than a bounded number. Soundness: leaving one out decides what can be
// proved, never what is true.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MAX_LEMMAS = 6000 };

void lemma_add(Query *q, FormId form) {
  ASSERT(form_is_of(q, form));
  if (form == FORM_NONE || form == q->form_true || map_get(&q->lemma_seen, form)) return;
  if (q->lemmas.count >= MAX_LEMMAS) return;
  map_set(q->arena, &q->lemma_seen, form, 1);
  vec_push(q->arena, &q->lemmas, form);
}

// For those that are needed less often: asserted when a model violates them.
void lemma_add_lazy(Query *q, FormId form) {
  ASSERT(form_is_of(q, form));
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

void lemma_list_add(Query *q, PolyList *list, const Poly *p) {
  ASSERT(poly_is_of(q, p));
  if (p && !list_has(list, p)) vec_push(q->arena, list, p);
}

// ---- products in use
static void collect_products(Query *q, FormId form, Map *seen, Map *found, MonoList *out) {
  ASSERT(form_is_of(q, form));
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
