// Which of several equal expressions is built? Local rewrite rules, applied when a node is made; operands are
// already simplified. Rules are equalities on w-bit words, except that NSW/NUW/ADDRESS flags may be dropped
// (a weaker promise) and never invented. Constants stand on the right; sums of a constant are merged.
// Soundness: exact. Checked against plain evaluation on random expressions in tests/unit/core_expr.c.
// SPDX-License-Identifier: Apache-2.0
#include "core/expr_internal.h"

#include "core/bug.h"

enum { EXACT = EXPR_NSW | EXPR_ADDRESS };

static const ExprNode *at(const ExprPool *pool, ExprRef ref) {
  return expr_node(pool, ref);
}
static bool is_const(const ExprPool *pool, ExprRef ref) {
  return at(pool, ref)->op == EXPR_CONST;
}
static bool is_value(const ExprPool *pool, ExprRef ref, int64_t value) {
  return at(pool, ref)->op == EXPR_CONST && at(pool, ref)->value == value;
}
static bool is_nonnegative(const ExprPool *pool, ExprRef ref) {
  return expr_ref_range(pool, ref).lo >= 0;
}

static ExprRef intern2(ExprPool *pool, ExprOp op, uint8_t width, uint8_t flags, ExprRef a, ExprRef b) {
  return expr_intern(pool, (ExprNode){.op = (uint8_t)op, .width = width, .flags = flags, .a = a, .b = b});
}

static unsigned trailing_zeros(const ExprPool *pool, ExprRef ref) {
  return at(pool, ref)->zeros;
}

// ---- arithmetic
// (x op c1) op c2 with op + or *; the merged node keeps what both promised.
static ExprRef merge_constant(ExprPool *pool, ExprOp op, uint8_t flags, ExprRef a, ExprRef b) {
  ExprNode inner = *at(pool, a);
  if (inner.op != op || !is_const(pool, inner.b)) return 0;
  bool both_exact = (flags & EXACT) && (inner.flags & EXACT);
  int64_t merged = 0;
  // The constants themselves may not wrap if the promise is to be kept.
  ExprEvalResult fits = expr_fold(op, EXPR_NSW, inner.width, inner.width, at(pool, inner.b)->value,
                                  at(pool, b)->value, &merged);
  if (both_exact && fits != EXPR_EVAL_OK) return 0;
  if (op == EXPR_MUL && !both_exact && (flags & EXACT || inner.flags & EXACT))
    return 0; // keep the promise that is there
  if (op == EXPR_ADD && !both_exact && (flags & EXACT || inner.flags & EXACT)) return 0;
  uint8_t kept = both_exact ? (uint8_t)((flags | inner.flags) & EXACT) : 0;
  if (fits != EXPR_EVAL_OK)
    merged = expr_signed_reading(
        (int64_t)((uint64_t)at(pool, inner.b)->value * (op == EXPR_MUL ? (uint64_t)at(pool, b)->value : 1u) +
                  (op == EXPR_ADD ? (uint64_t)at(pool, b)->value : 0u)),
        inner.width);
  return expr_binary(pool, op, kept, inner.a, expr_const(pool, inner.width, merged));
}

static ExprRef simplify_add(ExprPool *pool, uint8_t flags, ExprRef a, ExprRef b) {
  if (is_value(pool, b, 0)) return a;
  const ExprNode *x = at(pool, a), *y = at(pool, b);
  if (x->op == EXPR_SUB && x->b == b) return x->a; // (p - b) + b
  if (y->op == EXPR_SUB && y->b == a) return y->a;
  return is_const(pool, b) ? merge_constant(pool, EXPR_ADD, flags, a, b) : 0;
}

static ExprRef simplify_sub(ExprPool *pool, uint8_t flags, ExprRef a, ExprRef b) {
  const ExprNode *x = at(pool, a), *y = at(pool, b);
  if (a == b) return expr_const(pool, x->width, 0);
  if (x->op == EXPR_ADD && x->a == b) return x->b; // (b + p) - b
  if (x->op == EXPR_ADD && x->b == b) return x->a;
  if (y->op != EXPR_CONST) return 0;
  if (y->value == expr_width_range(y->width).lo) return 0; // its negation does not exist
  return expr_binary(pool, EXPR_ADD, flags & EXACT, a, expr_const(pool, y->width, -y->value));
}

static ExprRef simplify_mul(ExprPool *pool, uint8_t flags, ExprRef a, ExprRef b) {
  if (is_value(pool, b, 0)) return b;
  if (is_value(pool, b, 1)) return a;
  return is_const(pool, b) ? merge_constant(pool, EXPR_MUL, flags, a, b) : 0;
}

// One digit of a number is said in one way: x % 36 / 9 is x / 9 % 4, also where x is negative.
static ExprRef digit(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  ExprNode x = *at(pool, a);
  ExprOp rest = op == EXPR_SDIV ? EXPR_SREM : EXPR_UREM;
  if ((op != EXPR_SDIV && op != EXPR_UDIV) || x.op != rest || !is_const(pool, x.b) || !is_const(pool, b))
    return 0;
  int64_t below = at(pool, x.b)->value, unit = at(pool, b)->value;
  if (unit <= 1 || below <= unit || below % unit != 0) return 0;
  return expr_binary(pool, rest, 0, expr_binary(pool, op, 0, x.a, b),
                     expr_const(pool, x.width, below / unit));
}

static ExprRef simplify_division(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  const ExprNode *x = at(pool, a);
  bool quotient = op == EXPR_SDIV || op == EXPR_UDIV;
  if (is_value(pool, b, 1)) return quotient ? a : expr_const(pool, x->width, 0);
  if ((op == EXPR_UDIV || op == EXPR_UREM) && is_nonnegative(pool, a) && is_nonnegative(pool, b))
    return expr_binary(pool, quotient ? EXPR_SDIV : EXPR_SREM, 0, a, b);
  if (op == EXPR_SDIV && x->op == EXPR_MUL && (x->flags & EXACT) && x->b == b && is_const(pool, b) &&
      !is_value(pool, b, 0))
    return x->a;
  if (op == EXPR_SREM && x->op == EXPR_MUL && (x->flags & EXACT) && x->b == b && is_const(pool, b) &&
      !is_value(pool, b, 0))
    return expr_const(pool, x->width, 0);
  // 0 <= a < b: nothing is left to divide.
  ExprRange ra = expr_ref_range(pool, a), rb = expr_ref_range(pool, b);
  if ((op == EXPR_SDIV || op == EXPR_SREM) && ra.lo >= 0 && ra.hi < rb.lo)
    return quotient ? expr_const(pool, x->width, 0) : a;
  return digit(pool, op, a, b);
}

static ExprRef shift_left(ExprPool *pool, uint8_t flags, ExprRef a, ExprRef b) {
  uint8_t width = at(pool, a)->width;
  int64_t count = at(pool, b)->value;
  if (count < 0 || count >= width) return 0;
  if (count == 0) return a;
  bool sign_bit = count == width - 1; // the factor is negative in the signed reading: drop the promise
  return expr_binary(pool, EXPR_MUL, sign_bit ? 0 : flags & (EXACT | EXPR_NUW), a,
                     expr_const(pool, width, (int64_t)((uint64_t)1 << count)));
}

// lshr(low + high * 2^k, k) with 0 <= low < 2^k: the upper part of two packed halves, or of a choice of such.
static ExprRef unpack_upper(ExprPool *pool, ExprRef a, unsigned count) {
  ExprNode sum = *at(pool, a);
  if (sum.op == EXPR_CONST)
    return expr_const(pool, sum.width, (int64_t)(expr_unsigned_reading(sum.value, sum.width) >> count));
  if (sum.op == EXPR_ITE) {
    ExprRef one = unpack_upper(pool, sum.b, count), other = one ? unpack_upper(pool, sum.c, count) : 0;
    return other ? expr_ite(pool, sum.a, one, other) : 0;
  }
  ExprRef high = a;
  if (sum.op == EXPR_ADD) {
    bool a_is_high = trailing_zeros(pool, sum.a) >= count;
    ExprRef low = a_is_high ? sum.b : sum.a;
    high = a_is_high ? sum.a : sum.b;
    ExprRange range = expr_ref_range(pool, low);
    if (range.lo < 0 || count >= 63 || range.hi >= (int64_t)1 << count) return 0;
  }
  if (sum.op == EXPR_ADD && is_const(pool, high))
    return trailing_zeros(pool, high) >= count ? unpack_upper(pool, high, count) : 0;
  ExprNode product = *at(pool, high);
  if (product.op != EXPR_MUL || !is_value(pool, product.b, (int64_t)((uint64_t)1 << count))) return 0;
  uint8_t rest = (uint8_t)(sum.width - count);
  if (rest != 8 && rest != 16 && rest != 32) return 0;
  return expr_unary(pool, EXPR_ZEXT, sum.width, expr_unary(pool, EXPR_TRUNC, rest, product.a));
}

static ExprRef simplify_shift(ExprPool *pool, ExprOp op, uint8_t flags, ExprRef a, ExprRef b) {
  if (!is_const(pool, b))
    return op == EXPR_LSHR && is_nonnegative(pool, a) ? intern2(pool, EXPR_ASHR, at(pool, a)->width, 0, a, b)
                                                      : 0;
  int64_t count = at(pool, b)->value;
  if (count == 0) return a;
  if (op == EXPR_SHL) return shift_left(pool, flags, a, b);
  if (count < 0 || count >= at(pool, a)->width) return 0;
  if (op == EXPR_LSHR) {
    ExprRef upper = unpack_upper(pool, a, (unsigned)count);
    if (upper) return upper;
    if (is_nonnegative(pool, a)) return expr_binary(pool, EXPR_ASHR, 0, a, b);
  }
  if (op == EXPR_ASHR) {
    ExprNode x = *at(pool, a); // (x * 2^c) >> c where the product does not wrap
    if (x.op == EXPR_MUL && (x.flags & EXACT) && count < 62 && is_value(pool, x.b, (int64_t)1 << count))
      return x.a;
  }
  return 0;
}

// ---- bits and truth values
static bool is_negation(const ExprPool *pool, ExprRef a, ExprRef b) {
  const ExprNode *x = at(pool, a), *y = at(pool, b);
  if ((x->op == EXPR_NOT && x->a == b) || (y->op == EXPR_NOT && y->a == a)) return true;
  // !(p < q) is stored as q <= p
  if (x->op == EXPR_SLT && y->op == EXPR_SLE) return x->a == y->b && x->b == y->a;
  if (x->op == EXPR_SLE && y->op == EXPR_SLT) return x->a == y->b && x->b == y->a;
  if (x->op == EXPR_ULT && y->op == EXPR_ULE) return x->a == y->b && x->b == y->a;
  if (x->op == EXPR_ULE && y->op == EXPR_ULT) return x->a == y->b && x->b == y->a;
  return false;
}

static ExprRef simplify_logic(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  if (op == EXPR_XOR) {
    if (is_value(pool, b, 1)) return expr_not(pool, a);
    return is_negation(pool, a, b) ? expr_bool(pool, true) : 0;
  }
  bool unit = op == EXPR_AND;
  if (is_const(pool, b)) return is_value(pool, b, unit) ? a : b;
  if (is_negation(pool, a, b)) return expr_bool(pool, !unit);
  const ExprNode *x = at(pool, a), *y = at(pool, b);
  if ((x->op == op && (x->a == b || x->b == b))) return a;
  if ((y->op == op && (y->a == a || y->b == a))) return b;
  return 0;
}

static ExprRef simplify_bits(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  uint8_t width = at(pool, a)->width;
  if (a == b) return op == EXPR_XOR ? expr_const(pool, width, 0) : a;
  if (width == 1) return simplify_logic(pool, op, a, b);
  if (is_value(pool, b, 0)) return op == EXPR_AND ? b : a;
  if (is_value(pool, b, -1)) {
    if (op == EXPR_XOR) return expr_binary(pool, EXPR_SUB, EXPR_NSW, b, a); // ~a = -1 - a, which never wraps
    return op == EXPR_AND ? a : b;
  }
  ExprRange ra = expr_ref_range(pool, a);
  if (op == EXPR_AND && is_const(pool, b)) { // a mask that keeps all bits a can have
    int64_t mask = at(pool, b)->value;
    bool is_low_mask = mask > 0 && ((uint64_t)mask & ((uint64_t)mask + 1)) == 0;
    if (is_low_mask && ra.lo >= 0 && ra.hi <= mask) return a;
  }
  if (op != EXPR_AND) { // disjoint bits: a sum
    unsigned zeros_b = trailing_zeros(pool, b), zeros_a = trailing_zeros(pool, a);
    ExprRange rb = expr_ref_range(pool, b);
    if (zeros_b < 63 && ra.lo >= 0 && ra.hi < (int64_t)1 << zeros_b)
      return expr_binary(pool, EXPR_ADD, 0, a, b);
    if (zeros_a < 63 && rb.lo >= 0 && rb.hi < (int64_t)1 << zeros_a)
      return expr_binary(pool, EXPR_ADD, 0, a, b);
  }
  return 0;
}

// ---- comparisons
static bool is_extension(const ExprNode *node) {
  return node->op == EXPR_SEXT || node->op == EXPR_ZEXT;
}

// Both operands come from the same narrower width by the same extension, or one is a constant that fits it.
static bool narrow_operands(ExprPool *pool, ExprRef *a, ExprRef *b) {
  ExprNode x = *at(pool, *a), y = *at(pool, *b);
  if (is_extension(&x) && y.op == x.op && at(pool, x.a)->width == at(pool, y.a)->width) {
    *a = x.a;
    *b = y.a;
    return true;
  }
  if (!is_extension(&x) || y.op != EXPR_CONST || at(pool, x.a)->width == 1) return false;
  uint8_t from = at(pool, x.a)->width;
  ExprRange fits = expr_width_range(from);
  if (y.value < fits.lo || y.value > fits.hi || (x.op == EXPR_ZEXT && y.value < 0)) return false;
  *a = x.a;
  *b = expr_const(pool, from, y.value);
  return true;
}

// Sign extension keeps the order, but that of a truth value turns 0 < 1 into 0 > -1.
static bool is_signed_word(const ExprPool *pool, const ExprNode *node) {
  return node->op == EXPR_SEXT && at(pool, node->a)->width > 1;
}

static ExprRef eq_ite(ExprPool *pool, ExprRef a, ExprRef b) { // (c ? k1 : k2) == k
  ExprNode x = *at(pool, a);
  if (x.op != EXPR_ITE || !is_const(pool, b) || !is_const(pool, x.b) || !is_const(pool, x.c)) return 0;
  bool then_equal = x.b == b, else_equal = x.c == b;
  if (then_equal == else_equal) return expr_bool(pool, then_equal);
  return then_equal ? x.a : expr_not(pool, x.a);
}

// What a - b comes to: factors of terms, and a constant. Exact modulo 2^w.
enum { MOST_TERMS = 6, MOST_STEPS = 16 };
typedef struct Difference {
  uint64_t factors[MOST_TERMS], rest;
  ExprRef terms[MOST_TERMS];
  unsigned count, steps;
  unsigned zeros; // so many low bits are zero in all terms that found no place
} Difference;

static unsigned low_zeros(const ExprPool *pool, uint64_t factor, ExprRef term) {
  return factor ? (unsigned)__builtin_ctzll(factor) + trailing_zeros(pool, term) : 64;
}

static void add_term(const ExprPool *pool, Difference *sum, uint64_t factor, ExprRef term) {
  unsigned at_term = 0, zeros = low_zeros(pool, factor, term);
  while (at_term < sum->count && sum->terms[at_term] != term)
    at_term++;
  if (at_term == MOST_TERMS) {
    if (zeros < sum->zeros) sum->zeros = zeros;
    return;
  }
  if (at_term == sum->count) {
    sum->terms[sum->count++] = term;
    sum->factors[at_term] = 0;
  }
  sum->factors[at_term] += factor;
}

static void add_multiple(const ExprPool *pool, Difference *sum, uint64_t factor, ExprRef ref) {
  const ExprNode *node = at(pool, ref);
  bool is_product = node->op == EXPR_MUL && is_const(pool, node->b);
  if (node->op == EXPR_CONST) {
    sum->rest += factor * (uint64_t)node->value;
  } else if (sum->steps == MOST_STEPS || (!is_product && node->op != EXPR_ADD && node->op != EXPR_SUB)) {
    add_term(pool, sum, factor, ref);
  } else if (is_product) {
    sum->steps++;
    add_multiple(pool, sum, factor * (uint64_t)at(pool, node->b)->value, node->a);
  } else {
    sum->steps++;
    add_multiple(pool, sum, factor, node->a);
    add_multiple(pool, sum, node->op == EXPR_ADD ? factor : 0 - factor, node->b);
  }
}

// 24 * x + 8 is never 24 * y + 4, nor x ever 1 - x: the difference is not zero in the bits below what all of its
// terms leave zero.
static bool differ_in_low_bits(const ExprPool *pool, ExprRef a, ExprRef b) {
  Difference sum = {.zeros = at(pool, a)->width};
  add_multiple(pool, &sum, 1, a);
  add_multiple(pool, &sum, (uint64_t)-1, b);
  for (unsigned i = 0; i < sum.count; i++) {
    unsigned zeros = low_zeros(pool, sum.factors[i], sum.terms[i]);
    if (zeros < sum.zeros) sum.zeros = zeros;
  }
  if (sum.zeros == 0) return false;
  return (sum.rest << (64 - sum.zeros)) != 0;
}

// The low bits of what has no others, as `(uint32_t)(key >> 32)`: nothing is cut off. What they are cut out
// of; 0: something may be.
static ExprRef whole_of_low_bits(ExprPool *pool, ExprRef ref) {
  const ExprNode *node = at(pool, ref);
  if (node->op != EXPR_TRUNC || node->width >= 63) return 0;
  ExprRef whole = node->a;
  uint8_t width = node->width;
  ExprRange range = expr_ref_range(pool, whole);
  return range.lo >= 0 && range.hi < (int64_t)1 << width ? whole : 0;
}

static ExprRef simplify_eq(ExprPool *pool, ExprRef a, ExprRef b) {
  if (a == b) return expr_bool(pool, true);
  if (differ_in_low_bits(pool, a, b)) return expr_bool(pool, false);
  ExprRange ra = expr_ref_range(pool, a), rb = expr_ref_range(pool, b);
  if (ra.hi < rb.lo || rb.hi < ra.lo) return expr_bool(pool, false);
  ExprNode x = *at(pool, a), y = *at(pool, b);
  if (x.width == 1) {
    if (y.op == EXPR_CONST) return y.value ? a : expr_not(pool, a);
    return 0;
  }
  if (is_extension(&x) && at(pool, x.a)->width == 1 && y.op == EXPR_CONST) // a truth value stored in a word
    return y.value == 0 ? expr_not(pool, x.a) : x.a;
  ExprRef narrow_a = a, narrow_b = b;
  if (narrow_operands(pool, &narrow_a, &narrow_b)) return expr_eq(pool, narrow_a, narrow_b);
  ExprRef whole_a = whole_of_low_bits(pool, a), whole_b = whole_a ? whole_of_low_bits(pool, b) : 0;
  if (whole_b && at(pool, whole_a)->width == at(pool, whole_b)->width) return expr_eq(pool, whole_a, whole_b);
  if (y.op == EXPR_CONST && x.op == EXPR_ADD && is_const(pool, x.b)) { // x + c1 == c2, exact modulo 2^w
    int64_t shifted =
        expr_signed_reading((int64_t)((uint64_t)y.value - (uint64_t)at(pool, x.b)->value), x.width);
    return expr_eq(pool, x.a, expr_const(pool, x.width, shifted));
  }
  return eq_ite(pool, a, b);
}

static ExprRef simplify_compare(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  if (op == EXPR_EQ) return simplify_eq(pool, a, b);
  bool strict = op == EXPR_SLT || op == EXPR_ULT, is_signed = op == EXPR_SLT || op == EXPR_SLE;
  if (a == b) return expr_bool(pool, !strict);
  ExprRange ra = expr_ref_range(pool, a), rb = expr_ref_range(pool, b);
  if (!is_signed) {
    if (ra.lo >= 0 && rb.lo >= 0) return expr_binary(pool, strict ? EXPR_SLT : EXPR_SLE, 0, a, b);
    ExprRef narrow_a = a, narrow_b = b;
    if (narrow_operands(pool, &narrow_a, &narrow_b)) return expr_binary(pool, op, 0, narrow_a, narrow_b);
    return 0;
  }
  if (ra.hi < rb.lo || (!strict && ra.hi == rb.lo)) return expr_bool(pool, true);
  if (rb.hi < ra.lo || (strict && rb.hi == ra.lo)) return expr_bool(pool, false);
  ExprNode x = *at(pool, a), y = *at(pool, b);
  bool both_signed = x.op != EXPR_ZEXT && y.op != EXPR_ZEXT;
  ExprRef narrow_a = a, narrow_b = b;
  if (both_signed && is_signed_word(pool, &x) && narrow_operands(pool, &narrow_a, &narrow_b))
    return expr_binary(pool, op, 0, narrow_a, narrow_b);
  if (both_signed && is_signed_word(pool, &y) && x.op == EXPR_CONST &&
      narrow_operands(pool, &narrow_b, &narrow_a))
    return expr_binary(pool, op, 0, narrow_a, narrow_b);
  return 0;
}

// ---- entry points
static bool is_commutative(ExprOp op) {
  return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
         op == EXPR_EQ;
}

static bool is_compare(ExprOp op) {
  return op >= EXPR_EQ && op <= EXPR_ULE;
}

static ExprRef simplify_binary(ExprPool *pool, ExprOp op, uint8_t flags, ExprRef a, ExprRef b) {
  if (is_compare(op)) return simplify_compare(pool, op, a, b);
  if (op == EXPR_ADD) return simplify_add(pool, flags, a, b);
  if (op == EXPR_SUB) return simplify_sub(pool, flags, a, b);
  if (op == EXPR_MUL) return simplify_mul(pool, flags, a, b);
  if (op >= EXPR_SDIV && op <= EXPR_UREM) return simplify_division(pool, op, a, b);
  if (op >= EXPR_SHL && op <= EXPR_ASHR) return simplify_shift(pool, op, flags, a, b);
  return simplify_bits(pool, op, a, b);
}

ExprRef expr_binary(ExprPool *pool, ExprOp op, uint8_t flags, ExprRef a, ExprRef b) {
  ASSERT(op > EXPR_NONE && op < EXPR_OP_COUNT);
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_of(pool, b));
  uint8_t width = at(pool, a)->width;
  if (width != at(pool, b)->width) BUG("operands of width %u and %u", width, at(pool, b)->width);
  if (op != EXPR_ADD && op != EXPR_SUB && op != EXPR_MUL && op != EXPR_SHL) flags = 0;
  if (width == 1) flags = 0; // modulo 2 a - 1 is a + 1, but the one wraps where the other does not
  uint8_t result_width = is_compare(op) ? 1 : width;
  if (is_const(pool, a) && is_const(pool, b)) {
    int64_t value = 0;
    if (expr_fold(op, flags, result_width, width, at(pool, a)->value, at(pool, b)->value, &value) ==
        EXPR_EVAL_OK)
      return expr_const(pool, result_width, value);
  }
  if (is_commutative(op) && (is_const(pool, a) || (!is_const(pool, b) && a > b))) {
    ExprRef swap = a;
    a = b;
    b = swap;
  }
  ExprRef simpler = simplify_binary(pool, op, flags, a, b);
  return simpler ? simpler : intern2(pool, op, result_width, flags, a, b);
}

ExprRef expr_not(ExprPool *pool, ExprRef a) {
  ASSERT(expr_is_of(pool, a));
  ExprNode x = *at(pool, a);
  BUG_UNLESS(x.width == 1);
  if (x.op == EXPR_CONST) return expr_bool(pool, !x.value);
  if (x.op == EXPR_NOT) return x.a;
  if (x.op == EXPR_SLT) return expr_binary(pool, EXPR_SLE, 0, x.b, x.a);
  if (x.op == EXPR_SLE) return expr_binary(pool, EXPR_SLT, 0, x.b, x.a);
  if (x.op == EXPR_ULT) return expr_binary(pool, EXPR_ULE, 0, x.b, x.a);
  if (x.op == EXPR_ULE) return expr_binary(pool, EXPR_ULT, 0, x.b, x.a);
  return expr_intern(pool, (ExprNode){.op = EXPR_NOT, .width = 1, .a = a});
}

static ExprRef simplify_truncate(ExprPool *pool, uint8_t width, ExprRef a) {
  ExprNode x = *at(pool, a);
  if (is_extension(&x) || x.op == EXPR_TRUNC) {
    uint8_t from = at(pool, x.a)->width;
    if (from == width) return x.a;
    if (from > width) return expr_unary(pool, EXPR_TRUNC, width, x.a);
    return expr_unary(pool, (ExprOp)x.op, width, x.a);
  }
  if (x.op == EXPR_ADD) { // packed halves: a multiple of 2^width does not show
    if (trailing_zeros(pool, x.b) >= width) return expr_unary(pool, EXPR_TRUNC, width, x.a);
    if (trailing_zeros(pool, x.a) >= width) return expr_unary(pool, EXPR_TRUNC, width, x.b);
  }
  if (x.op == EXPR_AND && is_const(pool, x.b)) { // a mask that keeps the low bits
    uint64_t low = expr_unsigned_reading(-1, width);
    if (((uint64_t)at(pool, x.b)->value & low) == low) return expr_unary(pool, EXPR_TRUNC, width, x.a);
  }
  if (x.op == EXPR_ITE && is_const(pool, x.b) && is_const(pool, x.c))
    return expr_ite(pool, x.a, expr_unary(pool, EXPR_TRUNC, width, x.b),
                    expr_unary(pool, EXPR_TRUNC, width, x.c));
  return 0;
}

static ExprRef simplify_extend(ExprPool *pool, ExprOp op, uint8_t width, ExprRef a) {
  ExprNode x = *at(pool, a);
  if (x.width == 1) return 0;
  if (op == EXPR_ZEXT && is_nonnegative(pool, a)) return expr_unary(pool, EXPR_SEXT, width, a);
  if (x.op == op) return expr_unary(pool, op, width, x.a);
  if (x.op == EXPR_ZEXT && op == EXPR_SEXT && at(pool, x.a)->width < x.width)
    return expr_unary(pool, EXPR_ZEXT, width, x.a); // the sign bit of a zero-extended word is 0
  ExprRef whole = op == EXPR_ZEXT ? whole_of_low_bits(pool, a) : 0;
  if (whole) return expr_resize_unsigned(pool, whole, width);
  if (x.op == EXPR_ITE && is_const(pool, x.b) && is_const(pool, x.c))
    return expr_ite(pool, x.a, expr_unary(pool, op, width, x.b), expr_unary(pool, op, width, x.c));
  return 0;
}

ExprRef expr_unary(ExprPool *pool, ExprOp op, uint8_t width, ExprRef a) {
  ASSERT(op > EXPR_NONE && op < EXPR_OP_COUNT);
  ASSERT(expr_is_width(width));
  ASSERT(expr_is_of(pool, a));
  if (op == EXPR_NOT) return expr_not(pool, a);
  ExprNode x = *at(pool, a);
  if (x.width == width) return a;
  BUG_UNLESS(op == EXPR_TRUNC ? width < x.width : width > x.width);
  if (x.op == EXPR_CONST) {
    int64_t value = 0;
    if (expr_fold(op, 0, width, x.width, x.value, 0, &value) == EXPR_EVAL_OK)
      return expr_const(pool, width, value);
  }
  ExprRef simpler =
      op == EXPR_TRUNC ? simplify_truncate(pool, width, a) : simplify_extend(pool, op, width, a);
  return simpler ? simpler : expr_intern(pool, (ExprNode){.op = (uint8_t)op, .width = width, .a = a});
}

ExprRef expr_ite(ExprPool *pool, ExprRef condition, ExprRef then_value, ExprRef else_value) {
  ASSERT(expr_is_of(pool, condition));
  ASSERT(expr_is_of(pool, then_value));
  ASSERT(expr_is_of(pool, else_value));
  ExprNode c = *at(pool, condition);
  BUG_UNLESS(c.width == 1 && at(pool, then_value)->width == at(pool, else_value)->width);
  if (c.op == EXPR_CONST) return c.value ? then_value : else_value;
  if (then_value == else_value) return then_value;
  if (c.op == EXPR_NOT) return expr_ite(pool, c.a, else_value, then_value);
  if (at(pool, then_value)->width == 1) {
    if (is_const(pool, then_value))
      return is_value(pool, then_value, 1) ? expr_or(pool, condition, else_value)
                                           : expr_and(pool, expr_not(pool, condition), else_value);
    if (is_const(pool, else_value))
      return is_value(pool, else_value, 1) ? expr_or(pool, expr_not(pool, condition), then_value)
                                           : expr_and(pool, condition, then_value);
  }
  return expr_intern(pool, (ExprNode){.op = EXPR_ITE,
                                      .width = at(pool, then_value)->width,
                                      .a = condition,
                                      .b = then_value,
                                      .c = else_value});
}

ExprRef expr_and(ExprPool *pool, ExprRef a, ExprRef b) {
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_of(pool, b));
  return expr_binary(pool, EXPR_AND, 0, a, b);
}
ExprRef expr_or(ExprPool *pool, ExprRef a, ExprRef b) {
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_of(pool, b));
  return expr_binary(pool, EXPR_OR, 0, a, b);
}
ExprRef expr_eq(ExprPool *pool, ExprRef a, ExprRef b) {
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_of(pool, b));
  return expr_binary(pool, EXPR_EQ, 0, a, b);
}
ExprRef expr_ne(ExprPool *pool, ExprRef a, ExprRef b) {
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_of(pool, b));
  return expr_not(pool, expr_eq(pool, a, b));
}

ExprRef expr_resize_signed(ExprPool *pool, ExprRef a, uint8_t width) {
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_width(width));
  uint8_t from = expr_width(pool, a);
  return from == width ? a : expr_unary(pool, from > width ? EXPR_TRUNC : EXPR_SEXT, width, a);
}

ExprRef expr_resize_unsigned(ExprPool *pool, ExprRef a, uint8_t width) {
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_width(width));
  uint8_t from = expr_width(pool, a);
  return from == width ? a : expr_unary(pool, from > width ? EXPR_TRUNC : EXPR_ZEXT, width, a);
}
