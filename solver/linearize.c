// What does a machine word mean over the integers? Each w-bit expression becomes a polynomial over atoms
// whose value is the integer of its signed reading; each truth value becomes a formula, once for each
// polarity.
//
//   + - * <<   the integer operation where range.c says that it is plain, else reduced modulo 2^w (atom_wrap)
//   trunc      likewise;  zext(a) = a >= 0 ? a : a + 2^w;  sext(a) = a
//   >>, lshr, & constants, | ^ constants     floor division and remainder by powers of two (exact on negatives)
//   a|b = a + b - (a&b),  a^b = a + b - 2(a&b);  a & (s-1) is a floor remainder if s is a power of two
//   udiv urem <u <=u   on the unsigned readings;  sdiv srem towards zero
//   ite        an atom with two defining cases
// What all conditions of a question come to, and in which order, is in lower_query.c.
// Soundness: exact under A1 (reported by used_no_overflow) and the conditions of the question. What
// is too large is an opaque atom or an UNKNOWN truth value: more models, never fewer.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MAX_DEPTH = 4000, MAX_ATOMS = 4000, MAX_FORMS = 60000 };

static const Poly *word_node(Query *q, ExprRef ref, const ExprNode *n);

bool word_is_nonnegative(Query *q, ExprRef ref, const Poly *p) {
  ASSERT(expr_is_of(q->pool, ref));
  ASSERT(poly_is_of(q, p));
  return range_of(q, RANGE_SHARP, ref).lo >= 0 || poly_range(q, p).lo >= 0;
}

static bool too_large(Query *q) {
  if (q->failure) return true;
  if (q->depth > MAX_DEPTH) q->failure = "an expression is nested too deeply";
  if (q->atoms.count > MAX_ATOMS || q->forms.count > MAX_FORMS) q->failure = "the conditions are too large";
  return q->failure != NULL;
}

static const Poly *or_opaque(Query *q, ExprRef ref, const Poly *p) {
  return p ? p : atom_opaque(q, expr_node(q->pool, ref)->owners);
}

// ---- parts of words
static const Poly *unsigned_of(Query *q, ExprRef ref, const Poly *p) {
  if (word_is_nonnegative(q, ref, p)) return p;
  const Poly *shifted = poly_add_const(q, p, (Wide)1 << expr_width(q->pool, ref));
  if (!shifted) return NULL;
  if (range_of(q, RANGE_SHARP, ref).hi < 0) return shifted;
  return atom_choice(q, form_le(q, q->zero, p), form_lt(q, p, q->zero), p, shifted);
}

// An unsigned reading that may be 2^(w-1) or more, back to the signed one.
static const Poly *signed_of(Query *q, ExprRef ref, const Poly *p) {
  if (!p) return NULL;
  Wide half = (Wide)1 << (expr_width(q->pool, ref) - 1);
  if (poly_range(q, p).hi < half || range_of(q, RANGE_SHARP, ref).lo >= 0) return p;
  const Poly *limit = poly_const(q, half);
  return atom_choice(q, form_lt(q, p, limit), form_le(q, limit, p), p, poly_add_const(q, p, -2 * half));
}

static const Poly *plain_or_wrapped(Query *q, ExprRef ref, const Poly *p) {
  ASSERT(expr_is_of(q->pool, ref) && poly_is_of(q, p));
  bool assumes;
  if (!p) return NULL;
  if (!range_is_plain(q, ref, &assumes)) return atom_wrap(q, p, expr_width(q->pool, ref));
  if (assumes && !range_inside(poly_range(q, p), range_of_width(expr_width(q->pool, ref))))
    q->used_no_overflow = true;
  return p;
}

// Products of private sums stay small if each private sum has one name: (16*b + t) * (16*b + t + 1) = n*n +
// n.
static const Poly *name_private(Query *q, const Poly *p) {
  const Poly *private = q->zero;
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->count; i++)
    if (q->monos.items[p->terms[i].mono].owners) {
      private = poly_add(q, private, poly_of_mono(q, p->terms[i].mono, p->terms[i].coef));
      count++;
    }
  if (count <= 1) return p;
  Wide content;
  const Poly *primitive = poly_primitive(q, private, &content);
  return poly_add_scaled(q, poly_sub(q, p, private), atom_name(q, primitive), content);
}

// A product of sums, `rows * (cols - 2)`, is spread over its terms, and what its factors say of its sign is no fact about any of
// these. Statement: a, b >= 1 -> a*b >= a, a*b >= b;  a >= 1, b <= 0 -> a*b <= b.
static void note_signs(Query *q, const Poly *a, const Poly *b, const Poly *both) {
  FormId a_not_above = form_le0(q, a), b_not_above = form_le0(q, b);
  lemma_add(
      q, FORM_OR_OF(q, a_not_above, b_not_above, FORM_AND_OF(q, form_le(q, a, both), form_le(q, b, both))));
  lemma_add(q, FORM_OR_OF(q, a_not_above, form_lt(q, q->zero, b), form_le(q, both, b)));
  lemma_add(q, FORM_OR_OF(q, b_not_above, form_lt(q, q->zero, a), form_le(q, both, a)));
}

static const Poly *product(Query *q, const Poly *a, const Poly *b) {
  if (a->owners && b->owners) {
    a = name_private(q, a);
    b = name_private(q, b);
  }
  const Poly *both = poly_mul(q, a, b);
  bool has_sum = a->count > 1 || b->count > 1;
  if (both && has_sum && !both->owners && !poly_is_const(a, NULL) && !poly_is_const(b, NULL))
    note_signs(q, a, b, both);
  return both;
}

static void add_meaning(Query *q, FormId form) {
  if (form != FORM_NONE && form != q->form_true) vec_push(q->arena, &q->meanings, form);
}

static const Poly *division(Query *q, ExprRef ref, const ExprNode *n, const Poly *a, const Poly *d) {
  add_meaning(q, form_ne0(q, d));
  bool is_unsigned = n->op == EXPR_UDIV || n->op == EXPR_UREM;
  bool wants_quotient = n->op == EXPR_UDIV || n->op == EXPR_SDIV;
  bool is_floor = is_unsigned || (word_is_nonnegative(q, n->a, a) && word_is_nonnegative(q, n->b, d));
  Wide c;
  if (is_unsigned) {
    a = unsigned_of(q, n->a, a);
    d = unsigned_of(q, n->b, d);
  }
  if (!a || !d || (poly_is_const(d, &c) && c == 0)) return NULL;
  const Poly *quotient, *remainder;
  atom_divide(q, a, d, is_floor, &quotient, &remainder);
  const Poly *result = wants_quotient ? quotient : remainder;
  return is_unsigned ? signed_of(q, ref, result) : result;
}

FormId lower_count_in_width(Query *q, const Poly *count, uint8_t width) {
  ASSERT(poly_is_of(q, count));
  ASSERT(expr_is_width(width));
  return FORM_AND_OF(q, form_le(q, q->zero, count), form_lt(q, count, poly_const(q, width)));
}

// The exponent of a product of powers of two, 2^m * 2^i * 2^j; NULL if it is none.
static const Poly *exponent_of(Query *q, const Poly *a) {
  if (a->count != 1 || a->terms[0].coef <= 0 || (a->terms[0].coef & (a->terms[0].coef - 1))) return NULL;
  Wide m = 0;
  while ((Wide)1 << m < a->terms[0].coef)
    m++;
  const Poly *sum = poly_const(q, m);
  Mono mono = q->monos.items[a->terms[0].mono];
  for (uint32_t i = 0; i < mono.degree; i++) {
    Atom power = q->atoms.items[mono.atoms[i]];
    if (power.kind != ATOM_POW2) return NULL;
    sum = poly_add(q, sum, power.a);
  }
  return sum;
}

// 2^m >> k is the power of two 2^(m-k) as long as k <= m, which is so where the result is known not to be 0.
static const Poly *shifted_power(Query *q, ExprRef ref, const Poly *a, const Poly *count) {
  const Poly *limit = exponent_of(q, a), *exponent = poly_sub(q, limit, count);
  if (!limit || !exponent) return NULL;
  Range result = range_of(q, RANGE_SHARP, ref);
  if (result.lo > 0 || result.hi < 0 || poly_range(q, exponent).lo >= 0) return atom_pow2(q, exponent);
  return atom_choice(q, form_le(q, count, limit), form_lt(q, limit, count), atom_pow2(q, exponent), q->zero);
}

static const Poly *shift_right(Query *q, ExprRef ref, const ExprNode *n, const Poly *a, const Poly *count) {
  add_meaning(q, lower_count_in_width(q, count, n->width));
  if (n->op == EXPR_LSHR) a = unsigned_of(q, n->a, a);
  if (!a) return NULL;
  Wide k;
  bool is_const = poly_is_const(count, &k);
  if (is_const && (k < 0 || k >= n->width)) return NULL;
  const Poly *power = is_const ? NULL : shifted_power(q, ref, a, count);
  if (power) return n->op == EXPR_LSHR ? signed_of(q, ref, power) : power; // 128 >>u 0 reads as -128
  const Poly *quotient, *remainder, *divisor = is_const ? poly_const(q, (Wide)1 << k) : atom_pow2(q, count);
  atom_divide(q, a, divisor, true, &quotient, &remainder);
  return n->op == EXPR_LSHR ? signed_of(q, ref, quotient) : quotient;
}

// ---- bits
// a & mask for mask >= 0: each run of ones from bit `low` of length `length` contributes (floor(a / 2^low)
// mod 2^length) * 2^low. Exact for negative a, since floor division reads the infinite two's complement.
const Poly *lower_mask(Query *q, const Poly *a, Wide mask) {
  ASSERT(poly_is_of(q, a));
  if (mask < 0) return poly_sub(q, a, lower_mask(q, a, -1 - mask));
  const Poly *sum = q->zero;
  for (Wide low = 0; mask >> low;) {
    if (!((mask >> low) & 1)) {
      low++;
      continue;
    }
    Wide high = low;
    while ((mask >> high) & 1)
      high++;
    const Poly *quotient, *remainder, *unused;
    atom_divide(q, a, poly_const(q, (Wide)1 << low), true, &quotient, &unused);
    if (!quotient) return NULL;
    atom_divide(q, quotient, poly_const(q, (Wide)1 << (high - low)), true, &unused, &remainder);
    sum = poly_add_scaled(q, sum, remainder, (Wide)1 << low);
    low = high;
  }
  return sum;
}

static bool is_power_of_two(const Query *q, const Poly *p) {
  if (p->count != 1 || p->terms[0].coef <= 0 || (p->terms[0].coef & (p->terms[0].coef - 1))) return false;
  const Mono *m = &q->monos.items[p->terms[0].mono];
  for (uint32_t i = 0; i < m->degree; i++) {
    const Atom *atom = &q->atoms.items[m->atoms[i]];
    bool is_power =
        atom->kind == ATOM_POW2 || (atom->kind == ATOM_SYM && map_get(&q->power_of_two, atom->index));
    if (!is_power) return false;
  }
  return true;
}

// All set bits of the multiple of 2^k lie above those of a value in [0, 2^k).
static bool are_disjoint(const Query *q, const Poly *a, const Poly *b) {
  Wide g = 0;
  for (uint32_t i = 0; i < a->count; i++)
    g = wide_gcd(g, a->terms[i].coef);
  if (g == 0) return true;
  Wide low_bit = g & -g;
  Range r = poly_range(q, b);
  return r.lo >= 0 && r.hi < low_bit;
}

static const Poly *bit_and(Query *q, const Poly *a, const Poly *b) {
  Wide c;
  if (!a || !b) return NULL;
  if (poly_is_const(a, &c)) return lower_mask(q, b, c);
  if (poly_is_const(b, &c)) return lower_mask(q, a, c);
  if (are_disjoint(q, a, b) || are_disjoint(q, b, a)) return q->zero;
  const Poly *quotient, *remainder;
  for (int swap = 0; swap < 2; swap++) {
    const Poly *x = swap ? b : a, *modulus = poly_add_const(q, swap ? a : b, 1);
    if (!modulus || !is_power_of_two(q, modulus)) continue;
    atom_divide(q, x, modulus, true, &quotient, &remainder);
    return remainder;
  }
  return atom_bitand(q, a, b);
}

static const Poly *bit_operation(Query *q, const ExprNode *n, const Poly *a, const Poly *b) {
  const Poly *both = bit_and(q, a, b);
  if (n->op == EXPR_AND) return both;
  return poly_add_scaled(q, poly_add(q, a, b), both, n->op == EXPR_OR ? -1 : -2);
}

// ---- words
static const Poly *word_of_bool(Query *q, ExprRef ref) {
  return atom_choice(q, lower_bool(q, ref, true), lower_bool(q, ref, false), q->one, q->zero);
}

static const Poly *word_symbol(Query *q, uint32_t sym) {
  ExprRef definition = map_get(&q->definition_of, sym);
  return definition ? lower_word(q, definition) : poly_of_atom(q, atom_sym(q, sym));
}

static const Poly *word_app(Query *q, ExprRef ref) {
  ASSERT(expr_node(q->pool, ref)->op == EXPR_APP);
  ExprNode n = *expr_node(q->pool, ref);
  if (q->flat_functions && !q->in_truth && n.width > 1)
    return poly_const(q, witness_flat_value(q->pool, (uint32_t)n.value));
  const Poly **args = arena_array(q->arena, n.arg_count + 1, const Poly *);
  q->in_truth += n.width == 1;
  for (uint32_t i = 0; i < n.arg_count; i++)
    args[i] = lower_word(q, expr_node(q->pool, ref)->args[i]);
  q->in_truth -= n.width == 1;
  return atom_app(q, ref, n.arg_count, args);
}

static const Poly *word_extend(Query *q, const ExprNode *n, const Poly *a) {
  bool from_bool = expr_width(q->pool, n->a) == 1;
  if (n->op == EXPR_ZEXT) return from_bool ? a : unsigned_of(q, n->a, a);
  return from_bool ? poly_scale(q, a, -1) : a;
}

static const Poly *word_trunc(Query *q, ExprRef ref, const Poly *a) {
  ASSERT(expr_node(q->pool, ref)->op == EXPR_TRUNC);
  if (expr_width(q->pool, ref) > 1) return plain_or_wrapped(q, ref, a);
  const Poly *quotient, *remainder;
  atom_divide(q, a, poly_const(q, 2), true, &quotient, &remainder);
  return remainder;
}

static const Poly *word_node(Query *q, ExprRef ref, const ExprNode *n) {
  bool is_leaf = n->op == EXPR_SYM || n->op == EXPR_CONST || n->op == EXPR_APP || n->op == EXPR_ITE;
  const Poly *a = !is_leaf && n->a ? lower_word(q, n->a) : NULL,
             *b = !is_leaf && n->b ? lower_word(q, n->b) : NULL;
  switch ((ExprOp)n->op) {
  case EXPR_CONST: return poly_const(q, n->value);
  case EXPR_SYM: return word_symbol(q, (uint32_t)n->value);
  case EXPR_APP: return word_app(q, ref);
  case EXPR_ADD: return fold_sum(q, plain_or_wrapped(q, ref, poly_add(q, a, b)));
  case EXPR_SUB: return fold_sum(q, plain_or_wrapped(q, ref, poly_sub(q, a, b)));
  case EXPR_MUL: return plain_or_wrapped(q, ref, product(q, a, b));
  case EXPR_SHL:
    add_meaning(q, lower_count_in_width(q, b, n->width));
    return plain_or_wrapped(q, ref, product(q, a, atom_pow2(q, b)));
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM: return division(q, ref, n, a, b);
  case EXPR_LSHR:
  case EXPR_ASHR: return shift_right(q, ref, n, a, b);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR: return bit_operation(q, n, a, b);
  case EXPR_ZEXT:
  case EXPR_SEXT: return word_extend(q, n, a);
  case EXPR_TRUNC: return word_trunc(q, ref, a);
  case EXPR_ITE:
    return atom_choice(q, lower_bool(q, n->a, true), lower_bool(q, n->a, false), lower_word(q, n->b),
                       lower_word(q, n->c));
  case EXPR_NOT:
  case EXPR_EQ:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  return NULL;
}

static bool is_bool_operation(const ExprNode *n) {
  return n->width == 1 && n->op != EXPR_SYM && n->op != EXPR_APP && n->op != EXPR_CONST &&
         n->op != EXPR_TRUNC;
}

const Poly *lower_word(Query *q, ExprRef ref) {
  ASSERT(expr_is_of(q->pool, ref));
  uint32_t memo = map_get(&q->word_memo, ref);
  if (memo) return q->words.items[memo - 1];
  if (too_large(q)) return q->zero;
  ExprNode n = *expr_node(q->pool, ref);
  q->depth++;
  const Poly *p = is_bool_operation(&n) ? word_of_bool(q, ref) : word_node(q, ref, &n);
  q->depth--;
  p = or_opaque(q, ref, p);
  vec_push(q->arena, &q->words, p);
  map_set(q->arena, &q->word_memo, ref, q->words.count);
  return p;
}

// ---- truth values
// Steps that give equal results for equal operands only: bijections of words, widening, multiplying by the
// same constant without overflow. True if x and y both end in one, and are its operands now.
static bool peel(Query *q, ExprRef *x, ExprRef *y) {
  if (bijection_peel(q, x, y)) return true;
  ExprNode a = *expr_node(q->pool, *x), b = *expr_node(q->pool, *y);
  int64_t factor;
  if (a.op != b.op || a.width != b.width) return false;
  if (a.op == EXPR_ZEXT || a.op == EXPR_SEXT) {
    if (expr_width(q->pool, a.a) != expr_width(q->pool, b.a) || expr_width(q->pool, a.a) == 1) return false;
  } else {
    bool assumes[2];
    if (a.op != EXPR_MUL || a.b != b.b || !expr_is_const(q->pool, a.b, &factor) || factor == 0) return false;
    if (!range_is_plain(q, *x, &assumes[0]) || !range_is_plain(q, *y, &assumes[1])) return false;
    if (assumes[0] || assumes[1]) q->used_no_overflow = true;
  }
  *x = a.a;
  *y = b.a;
  return true;
}

static FormId equality(Query *q, const ExprNode *n, bool polarity) {
  ASSERT(n->op == EXPR_EQ || expr_width(q->pool, n->a) == 1); // of truth values: they differ, or are added
  if (expr_width(q->pool, n->a) == 1) {
    FormId both = FORM_AND_OF(q, lower_bool(q, n->a, true), lower_bool(q, n->b, polarity));
    FormId none = FORM_AND_OF(q, lower_bool(q, n->a, false), lower_bool(q, n->b, !polarity));
    return FORM_OR_OF(q, both, none);
  }
  ExprRef left = n->a, right = n->b;
  while (peel(q, &left, &right)) {
  }
  const Poly *a = lower_word(q, left), *b = lower_word(q, right);
  return polarity ? form_eq(q, a, b) : form_ne(q, a, b);
}

static FormId signed_order(Query *q, const Poly *a, const Poly *b, bool strict) {
  return strict ? form_lt(q, a, b) : form_le(q, a, b);
}

// a <u b splits on the signs: negative readings are the large numbers.
static FormId unsigned_order(Query *q, ExprRef left, ExprRef right, bool strict) {
  ASSERT(expr_width(q->pool, left) == expr_width(q->pool, right));
  const Poly *a = lower_word(q, left), *b = lower_word(q, right);
  FormId order = form_or_unknown(q, signed_order(q, a, b, strict));
  bool a_up = word_is_nonnegative(q, left, a), b_up = word_is_nonnegative(q, right, b);
  if (a_up && b_up) return order;
  FormId a_large = form_lt(q, a, q->zero), b_large = form_lt(q, b, q->zero);
  FormId a_small = form_le(q, q->zero, a), b_small = form_le(q, q->zero, b);
  if (b_up) return FORM_AND_OF(q, a_small, order);
  if (a_up) return FORM_OR_OF(q, b_large, order);
  FormId across = FORM_AND_OF(q, a_small, b_large);
  FormId low = FORM_AND_OF(q, a_small, b_small, order), high = FORM_AND_OF(q, a_large, b_large, order);
  return FORM_OR_OF(q, across, low, high);
}

static FormId ordering(Query *q, const ExprNode *n, bool polarity) {
  bool strict = n->op == EXPR_SLT || n->op == EXPR_ULT;
  ExprRef left = polarity ? n->a : n->b, right = polarity ? n->b : n->a;
  if (!polarity) strict = !strict;
  if (n->op == EXPR_ULT || n->op == EXPR_ULE) return unsigned_order(q, left, right, strict);
  return signed_order(q, lower_word(q, left), lower_word(q, right), strict);
}

static FormId bool_ite(Query *q, const ExprNode *n, bool polarity) {
  FormId first = FORM_AND_OF(q, lower_bool(q, n->a, true), lower_bool(q, n->b, polarity));
  FormId second = FORM_AND_OF(q, lower_bool(q, n->a, false), lower_bool(q, n->c, polarity));
  return FORM_OR_OF(q, first, second);
}

static FormId bool_node(Query *q, ExprRef ref, bool polarity) {
  ASSERT(expr_width(q->pool, ref) == 1);
  ExprNode n = *expr_node(q->pool, ref);
  switch ((ExprOp)n.op) {
  case EXPR_CONST: return (n.value != 0) == polarity ? q->form_true : q->form_false;
  case EXPR_NOT: return lower_bool(q, n.a, !polarity);
  case EXPR_AND:
  case EXPR_OR: {
    FormId parts[2] = {lower_bool(q, n.a, polarity), lower_bool(q, n.b, polarity)};
    return (n.op == EXPR_AND) == polarity ? form_and(q, 2, parts) : form_or(q, 2, parts);
  }
  case EXPR_EQ: return equality(q, &n, polarity);
  case EXPR_XOR: return equality(q, &n, !polarity);
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE: return ordering(q, &n, polarity);
  case EXPR_ITE: return bool_ite(q, &n, polarity);
  case EXPR_SYM:
  case EXPR_APP:
  case EXPR_TRUNC: {
    const Poly *p = lower_word(q, ref); // 0 or 1
    return polarity ? form_le(q, q->one, p) : form_le0(q, p);
  }
  // LLVM's arithmetic on i1; the conditions of branches never are of this shape.
  case EXPR_ADD:
  case EXPR_SUB: return equality(q, &n, !polarity);
  case EXPR_MUL:
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  return form_unknown(q);
}

FormId lower_bool(Query *q, ExprRef ref, bool polarity) {
  ASSERT(expr_is_of(q->pool, ref));
  uint64_t key = (uint64_t)ref * 2 + polarity;
  FormId memo = map_get(&q->bool_memo, key);
  if (memo) return memo;
  if (too_large(q)) return form_unknown(q);
  q->depth++;
  FormId form = form_or_unknown(q, bool_node(q, ref, polarity));
  q->depth--;
  map_set(q->arena, &q->bool_memo, key, form);
  return form;
}
