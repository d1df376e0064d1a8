// Are the definitions and lemmas of this question true? Random integers for symbols and function values,
// exact values for every other atom; then each formula is evaluated. Only in builds with HGRD_DEBUG_CHECKS.
// An atom without a defined value (a quotient by zero, 2^-1) gets a random one: definitions must allow any
// there. Soundness: finds mistakes in schemas, proves nothing.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

#ifdef HGRD_DEBUG_CHECKS
#include "core/bug.h"

enum { TRIALS = 30 };

typedef struct Random {
  uint64_t state;
} Random;

static uint64_t next(Random *r) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return r->state;
}

static Wide pick(Random *r, Range range) {
  static const uint32_t spans[] = {2, 3, 5, 9, 33, 1000, 70000};
  Wide span = spans[next(r) % 7];
  Wide middle = range.lo > 0 ? range.lo : range.hi < 0 ? range.hi : 0;
  Wide value = middle + (Wide)(next(r) % (uint64_t)(2 * span + 1)) - (next(r) % 3 ? 0 : span);
  if (next(r) % 40 == 0) value = next(r) % 2 ? range.lo : range.hi;
  return value < range.lo ? range.lo : value > range.hi ? range.hi : value;
}

static Wide app_value(const Query *q, const Atom *atom, const Wide *mono_values) {
  uint64_t hash = atom->index + 1;
  const ExprFunc *f = expr_func_info(q->pool, atom->index);
  if (atom->arg_count == 1 && (f->is_injective || f->is_monotone))
    return poly_value(q, atom->args[0], mono_values);
  for (uint32_t i = 0; i < atom->arg_count; i++)
    hash = hash * 31 + (uint64_t)poly_value(q, atom->args[i], mono_values) * 7;
  return (Wide)(hash % 5);
}

// False if a product is out of reach.
static bool fill_products(const Query *q, const Wide *atom_values, Wide *mono_values, uint32_t count) {
  bool fits = true;
  for (MonoId id = 0; id < count; id++) {
    const Mono *m = &q->monos.items[id];
    mono_values[id] = 1;
    for (uint32_t k = 0; k < m->degree; k++)
      if (__builtin_mul_overflow(mono_values[id], atom_values[m->atoms[k]], &mono_values[id]))
        mono_values[id] = WIDE_INF * 2;
    fits = fits && mono_values[id] < WIDE_INF && mono_values[id] > -WIDE_INF;
  }
  return fits;
}

static void fill_atom(const Query *q, Random *random, AtomId id, Wide *atom_values, Wide *mono_values) {
  const Atom *atom = &q->atoms.items[id];
  Wide value;
  if (atom->kind == ATOM_SYM)
    value = pick(random, atom->asserted);
  else if (atom->kind == ATOM_APP)
    value = app_value(q, atom, mono_values);
  else if (atom->kind == ATOM_CHOICE)
    value = poly_value(q, form_holds(q, atom->when_true, mono_values) ? atom->a : atom->b, mono_values);
  else if (!atom_evaluate(q, id, atom_values, &value))
    value = pick(random, (Range){-WIDE_INF, WIDE_INF});
  atom_values[id] = value;
}

static void require(const Query *q, FormId form, const Wide *mono_values, const char *what) {
  if (!form_holds(q, form, mono_values)) BUG("a %s of the solver does not hold (formula %u)", what, form);
}

static bool has_unknown(const Query *q) {
  for (uint32_t i = 0; i < q->forms.count; i++)
    if (q->forms.items[i].kind == FORM_UNKNOWN) return true;
  return false;
}

// Products whose factors have no value of their own may be named as violated; their lemmas must be true all
// the same.
static void check_products(Query *q, const ProductTable *table, const Wide *atom_values, Wide *mono_values,
                           uint32_t count) {
  Model model = {mono_values, count};
  FormList named = {0};
  product_violated(q, table, &model, 10, &named);
  product_tangents(q, table, &model, 10, &named);
  Wide *all_values = arena_array(q->arena, q->monos.count, Wide);
  if (!fill_products(q, atom_values, all_values, q->monos.count)) return;
  for (uint32_t i = 0; i < named.count; i++)
    require(q, named.items[i], all_values, "lemma on products");
}

void lemma_check_random(Query *q) {
  Random random = {88172645463325252ull};
  ProductTable table = {0};
  if (has_unknown(q)) return; // choices on free truth values have no value
  product_collect(q, &table);
  Wide *atom_values = arena_array(q->arena, q->atoms.count, Wide);
  uint32_t count = q->monos.count;
  Wide *mono_values = arena_array(q->arena, count, Wide);
  for (int trial = 0; trial < TRIALS; trial++) {
    for (AtomId id = 1; id < q->atoms.count; id++) {
      fill_products(q, atom_values, mono_values, count);
      fill_atom(q, &random, id, atom_values, mono_values);
    }
    if (!fill_products(q, atom_values, mono_values, count)) continue;
    for (uint32_t i = 0; i < q->defs.count; i++)
      require(q, q->defs.items[i], mono_values, "definition");
    for (uint32_t i = 0; i < q->identities.count; i++)
      require(q, q->identities.items[i], mono_values, "rewriting");
    for (uint32_t i = 0; i < q->lemmas.count; i++)
      require(q, q->lemmas.items[i], mono_values, "lemma");
    for (uint32_t i = 0; i < q->lazy_lemmas.count; i++)
      require(q, q->lazy_lemmas.items[i], mono_values, "lazy lemma");
    check_products(q, &table, atom_values, mono_values, count);
  }
}
#endif
