// Which facts about squares must linear arithmetic be told?
//
//   Q  order of squares, and of rows that grow or shrink by one        packed triangles
//   T  parity of x*x + x
//
// Rows that grow or shrink by one begin at places that are squares in their number: i*(i+1)/2, i*n - i*(i+1)/2, i*(2*n-i-1)/2.
// That one row ends before a later one begins is the sign of a product of two differences, whose mixed products cancel:
//
//   (j-i-1) * (w+i+j)  =  jj - ii - i - j + w*(j-i-1)
//
// w is read off the places: in a conflict, doubled where a half is in it, the number of a row stands as s*(ii + l*i), and w is
// l + 1 or l - 1 (without and with the row's own number in the column). Statements at the functions, with their proofs.
// The choice of w is heuristic and bounded; it decides what can be proved, never what is true.
// Soundness: as lemma.c: valid over the integers for every w, checked on random values in debug builds.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum {
  MAX_ROOTS = 24,  // atoms whose squares occur
  MAX_WIDTHS = 8,  // numbers w
  MAX_HALVES = 8,  // quotients of one conflict
  MAX_DIVISOR = 64 // by which these are
};

// ---- the numbers w
// A quotient by a constant c is read as its dividend, all else times c. What it leaves is dropped: w is a guess.
static const Poly *without_quotients(Query *q, const Poly *p) {
  uint32_t halves = 0;
  for (uint32_t i = 0; p && i < p->count && halves < MAX_HALVES; i++) {
    Term term = p->terms[i];
    const Mono *m = &q->monos.items[term.mono];
    Wide divisor;
    if (m->degree != 1 || q->atoms.items[m->atoms[0]].kind != ATOM_QUOT) continue;
    Atom quotient = q->atoms.items[m->atoms[0]];
    if (!poly_is_const(quotient.b, &divisor) || divisor < 2 || divisor > MAX_DIVISOR) continue;
    const Poly *rest = poly_sub(q, p, poly_of_mono(q, term.mono, term.coef));
    p = poly_add_scaled(q, poly_scale(q, rest, divisor), quotient.a, term.coef);
    halves++;
    i = UINT32_MAX; // from the first term again
  }
  return p;
}

// What stands before the root in p: terms that hold it once, beside what is the same for both threads. A root that is a
// name stands there also as the sum that it names.
static const Poly *before_root(Query *q, const Poly *p, AtomId root) {
  const Poly *out = q->zero, *rest = p;
  if (q->atoms.items[root].kind == ATOM_NAME) {
    const Poly *times;
    poly_divide(q, p, q->atoms.items[root].a, &times, &rest);
    if (!times || !rest || times->owners) return NULL;
    out = times;
  }
  for (uint32_t i = 0; out && i < rest->count; i++) {
    MonoId once, twice;
    if (!mono_divide(q, rest->terms[i].mono, mono_of_atom(q, root), &once)) continue;
    if (mono_divide(q, once, mono_of_atom(q, root), &twice)) continue;
    if (q->monos.items[once].owners) return NULL;
    out = poly_add(q, out, poly_of_mono(q, once, rest->terms[i].coef));
  }
  return out;
}

static Wide before_square(const Query *q, const Poly *p, MonoId square) {
  ASSERT(poly_is_of(q, p) && mono_is_of(q, square));
  for (uint32_t i = 0; i < p->count; i++)
    if (p->terms[i].mono == square) return p->terms[i].coef;
  return 0;
}

// l of s*(ii + l*i), if it is whole.
static const Poly *linear_part(Query *q, const Poly *p, AtomId root) {
  MonoId single = mono_of_atom(q, root);
  Wide s = before_square(q, p, mono_mul(q, single, single)), content;
  const Poly *l = s ? before_root(q, p, root) : NULL;
  if (!l || l->count == 0) return l;
  const Poly *primitive = poly_primitive(q, l, &content);
  return content % s == 0 ? poly_scale(q, primitive, content / s) : NULL;
}

static void collect_widths(Query *q, const PolyList *roots, PolyList *widths) {
  lemma_list_add(q, widths, q->zero);
  for (uint32_t c = 0; c < q->conflicts.count; c++) {
    const Poly *p = without_quotients(q, q->conflicts.items[c]);
    for (uint32_t r = 0; p && r < roots->count; r++) {
      const Poly *l = linear_part(q, p, q->monos.items[roots->items[r]->terms[0].mono].atoms[0]);
      for (Wide side = -1; l && side <= 1 && widths->count < MAX_WIDTHS; side += 2)
        lemma_list_add(q, widths, poly_add_const(q, l, side));
    }
  }
}

// ---- Q, T
// i < j and w+i+j >= 0 -> (j-i-1)(w+i+j) >= 0;  i < j and w+i+j <= 0 -> (j-i-1)(w+i+j) <= 0.
// Proof: j-i-1 >= 0.
static void order_of_rows(Query *q, const Poly *i, const Poly *j, const Poly *w) {
  const Poly *sum = poly_add(q, w, poly_add(q, i, j));
  const Poly *product = poly_mul(q, poly_add_const(q, poly_sub(q, j, i), -1), sum);
  FormId not_less = form_le(q, j, i);
  lemma_add(q, FORM_OR_OF(q, not_less, form_lt(q, sum, q->zero), form_le(q, q->zero, product)));
  lemma_add(q, FORM_OR_OF(q, not_less, form_lt(q, q->zero, sum), form_le0(q, product)));
}

// i = j -> i*i = j*j
static void relate_squares(Query *q, const Poly *i, const Poly *j, const PolyList *widths) {
  lemma_add(q, FORM_OR_OF(q, form_ne(q, i, j), form_eq(q, poly_mul(q, i, i), poly_mul(q, j, j))));
  for (uint32_t k = 0; k < widths->count; k++)
    order_of_rows(q, i, j, widths->items[k]);
}

// A name n of a sum: n*w = sum*w.
static void link_name(Query *q, const Poly *root, const PolyList *widths) {
  Atom atom = q->atoms.items[q->monos.items[root->terms[0].mono].atoms[0]];
  for (uint32_t k = 0; atom.kind == ATOM_NAME && k < widths->count; k++)
    if (widths->items[k]->degree)
      lemma_add(q, form_eq(q, poly_mul(q, root, widths->items[k]), poly_mul(q, atom.a, widths->items[k])));
}

void lemmas_squares(Query *q) {
  MonoList products = {0};
  PolyList roots = {0}, widths = {0};
  lemma_products(q, true, &products);
  for (uint32_t i = 0; i < products.count; i++) {
    Mono m = q->monos.items[products.items[i]];
    if (m.degree == 2 && m.atoms[0] == m.atoms[1] && roots.count < MAX_ROOTS) {
      lemma_list_add(q, &roots, poly_of_atom(q, m.atoms[0]));
      lemma_add(q, form_le(q, q->zero, poly_of_mono(q, products.items[i], 1)));
      atom_half(q, m.atoms[0]); // T: x*x + x is even
    }
  }
  if (roots.count) collect_widths(q, &roots, &widths);
  for (uint32_t i = 0; i < roots.count; i++)
    link_name(q, roots.items[i], &widths);
  for (uint32_t i = 0; i < roots.count; i++)
    for (uint32_t j = 0; j < roots.count; j++)
      if (i != j) relate_squares(q, roots.items[i], roots.items[j], &widths);
}
