// In what interval does each word lie, and can its operation wrap? Interval arithmetic over the expression
// DAG, under two readings of the symbols: SHARP, their ranges cut by the conditions of the question that
// bound one symbol
// ("n >= 1", "x < w"), and SMALL, symbols of magnitude at most 64, dimensions and ids at most 8.
//
// When is w-bit arithmetic the integer operation?
//   1. if the sharp interval of the result fits w bits: always, nothing is assumed;
//   2. if it is marked NSW or ADDRESS: by assumption A1;
//   3. if w >= 32, the SMALL interval fits, and the values are open-ended (sizes, block numbers): A1 again.
// Otherwise it is exact modulo 2^w. Rule 3 leaves out what wraps in ordinary runs: narrow words, odd factors
// from 2^16 on (hash multipliers), expressions all of whose symbols have known, narrow ranges, and private
// words of 64 bits whose upper half has a use of its own (two counts in one word). Soundness: intervals
// over-approximate under A1 and the conditions of the question; no definition of an atom leans on them, since
// a value that is not used may lie outside of its interval.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum {
  SMALL_VALUE = 64,
  SMALL_DIMENSION = 8,
  SMALL_SHIFT = 8,
  NARROW = 4096,            // symbols with fewer values are known, not open-ended
  MIXING_FACTOR = 1 << 16,  // odd factors from here on mix bits
  MIXING_SUMMAND = 1 << 28, // and so do summands
  UPPER_PART = 31,          // bits from here on of a word of 64 are a part of their own
  SHARPEN_ROUNDS = 4
};

static Range width_of(const Query *q, ExprRef ref) {
  return range_of_width(expr_width(q->pool, ref));
}

static Range as_unsigned(Range a, uint8_t width) {
  Wide modulus = (Wide)1 << width;
  if (a.lo >= 0) return a;
  if (a.hi < 0) return (Range){a.lo + modulus, a.hi + modulus};
  return (Range){0, modulus - 1};
}

// Unsigned readings back to signed ones.
static Range as_signed(Range a, uint8_t width) {
  Range all = range_of_width(width);
  if (a.hi <= all.hi) return a;
  if (a.lo > all.hi) return (Range){a.lo - ((Wide)1 << width), a.hi - ((Wide)1 << width)};
  return all;
}

static Wide mask_above(Wide x) { // the least 2^k - 1 that is >= x
  Wide m = 0;
  while (m < x)
    m = m * 2 + 1;
  return m;
}

// Quotient towards zero, a of any sign, d >= 1.
static Range quotient(Range a, Range d) {
  if (d.lo < 1) d.lo = 1;
  if (d.hi < d.lo) d.hi = d.lo;
  return (Range){a.lo / (a.lo >= 0 ? d.hi : d.lo), a.hi / (a.hi >= 0 ? d.lo : d.hi)};
}

static Range signed_division(ExprOp op, Range a, Range d) {
  Wide largest = a.hi > -a.lo ? a.hi : -a.lo;
  if (op == EXPR_SDIV) return d.lo >= 0 ? quotient(a, d) : (Range){-largest, largest};
  Wide bound = (d.hi > -d.lo ? d.hi : -d.lo) - 1;
  if (bound < 0) bound = 0;
  Range r = {a.lo < 0 ? -bound : 0, a.hi > 0 ? bound : 0};
  return range_meet(r, (Range){a.lo < 0 ? a.lo : 0, a.hi > 0 ? a.hi : 0});
}

static Range unsigned_division(ExprOp op, Range a, Range d, uint8_t width) {
  a = as_unsigned(a, width);
  d = as_unsigned(d, width);
  if (op == EXPR_UDIV) return as_signed(quotient(a, d), width);
  Range r = {0, d.hi > 0 ? d.hi - 1 : 0};
  if (a.hi < r.hi) r.hi = a.hi;
  return as_signed(r, width);
}

static Range shift_right(ExprOp op, Range a, Range count, uint8_t width) {
  count = range_meet(count, (Range){0, width - 1});
  if (count.hi < count.lo) return range_of_width(width);
  if (op == EXPR_LSHR) a = as_unsigned(a, width);
  Range r = {a.lo >> (a.lo >= 0 ? count.hi : count.lo), a.hi >> (a.hi >= 0 ? count.lo : count.hi)};
  return op == EXPR_LSHR ? as_signed(r, width) : r;
}

static Range bit_operation(ExprOp op, Range a, Range b, uint8_t width) {
  Range all = range_of_width(width);
  if (op == EXPR_AND) {
    if (a.lo >= 0 && b.lo >= 0) return (Range){0, a.hi < b.hi ? a.hi : b.hi};
    if (a.lo >= 0) return (Range){0, a.hi};
    if (b.lo >= 0) return (Range){0, b.hi};
    return all;
  }
  if (a.lo >= 0 && b.lo >= 0) {
    Range r = {0, mask_above(a.hi > b.hi ? a.hi : b.hi)};
    if (op == EXPR_OR) r.lo = a.lo > b.lo ? a.lo : b.lo;
    if (a.hi + b.hi < r.hi) r.hi = a.hi + b.hi;
    return r;
  }
  if (op == EXPR_XOR && b.lo == -1 && b.hi == -1) return (Range){-1 - a.hi, -1 - a.lo};
  return all;
}

static Range shift_left(RangeMode mode, Range a, Range count, uint8_t width) {
  Wide most = mode == RANGE_SMALL && count.lo != count.hi ? SMALL_SHIFT : width - 1;
  count = range_meet(count, (Range){0, most});
  if (count.hi < count.lo) return range_of_width(width);
  return range_mul(a, (Range){(Wide)1 << count.lo, (Wide)1 << count.hi});
}

// The interval of ADD, SUB, MUL, SHL, TRUNC before reduction to the width.
static Range unwrapped(Query *q, RangeMode mode, ExprRef ref) {
  ExprNode n = *expr_node(q->pool, ref);
  Range a = range_of(q, mode, n.a), b = n.b ? range_of(q, mode, n.b) : a;
  if (n.op == EXPR_ADD) return range_add(a, b);
  if (n.op == EXPR_SUB) return range_add(a, (Range){-b.hi, -b.lo});
  if (n.op == EXPR_SHL) return shift_left(mode, a, b, n.width);
  if (n.op == EXPR_TRUNC) return a;
  Range r = range_mul(a, b);
  if (n.a == n.b && r.lo < 0) r.lo = 0;
  return r;
}

// ---- when is arithmetic plain
static bool is_known(Query *q, ExprRef ref) {
  uint32_t memo = map_get(&q->known_memo, ref);
  if (memo) return memo == 1;
  ExprNode n = *expr_node(q->pool, ref);
  bool known = n.op != EXPR_APP;
  if (n.op == EXPR_SYM) {
    Range r = range_of(q, RANGE_SHARP, ref);
    known = r.hi - r.lo <= NARROW;
    ExprRef word = expr_sym_info(q->pool, (uint32_t)n.value)->word;
    if (word) known = is_known(q, word);
  }
  known = known && (!n.a || is_known(q, n.a)) && (!n.b || is_known(q, n.b)) && (!n.c || is_known(q, n.c));
  map_set(q->arena, &q->known_memo, ref, known ? 1 : 2);
  return known;
}

// Constants as in hash functions: large odd factors, summands near the end of the range.
static bool is_mixing(const Query *q, const ExprNode *n) {
  int64_t c;
  if (n->op == EXPR_TRUNC || n->op == EXPR_SHL) return false;
  if (!expr_is_const(q->pool, n->b, &c) && !expr_is_const(q->pool, n->a, &c)) return false;
  if (n->op == EXPR_MUL) return c % 2 != 0 && (c >= MIXING_FACTOR || c <= -MIXING_FACTOR);
  return n->width == 32 && (c >= MIXING_SUMMAND || c <= -MIXING_SUMMAND);
}

bool range_is_plain(Query *q, ExprRef ref, bool *assumes) {
  ASSERT(expr_is_of(q->pool, ref));
  ExprNode n = *expr_node(q->pool, ref);
  Range all = range_of_width(n.width);
  *assumes = false;
  if (range_inside(unwrapped(q, RANGE_SHARP, ref), all)) return true;
  *assumes = true;
  if (n.op != EXPR_TRUNC && (n.flags & (EXPR_NSW | EXPR_ADDRESS))) return true;
  return n.width >= 32 && !is_mixing(q, &n) && !is_known(q, ref) &&
         range_inside(unwrapped(q, RANGE_SMALL, ref), all);
}

bool range_fits(Query *q, RangeMode mode, ExprRef ref) {
  ASSERT(expr_is_of(q->pool, ref));
  return range_inside(unwrapped(q, mode, ref), width_of(q, ref));
}

// ---- intervals
static Range small_part(Range r, Wide magnitude) {
  if (r.lo > magnitude) return (Range){r.lo, r.hi < r.lo + magnitude ? r.hi : r.lo + magnitude};
  if (r.hi < -magnitude) return (Range){r.lo > r.hi - magnitude ? r.lo : r.hi - magnitude, r.hi};
  return range_meet(r, (Range){-magnitude, magnitude});
}

// A flat index multiplies six of the dimensions and ids; these stay smaller, so that it counts as index
// arithmetic.
static Wide magnitude_of(const ExprSym *sym) {
  bool is_dimension = sym->kind == SYM_GRID_DIM || sym->kind == SYM_BLOCK_DIM || sym->kind == SYM_BLOCK_IDX ||
                      sym->kind == SYM_THREAD_IDX;
  return is_dimension ? SMALL_DIMENSION : SMALL_VALUE;
}

static Range arithmetic(Query *q, RangeMode mode, ExprRef ref) {
  Range all = width_of(q, ref), r = unwrapped(q, mode, ref);
  bool assumes;
  if (range_inside(r, all)) return r;
  if (!range_is_plain(q, ref, &assumes)) return all;
  r = range_meet(r, all);
  return r.lo <= r.hi ? r : all;
}

static Range function_range(const Query *q, RangeMode mode, const ExprNode *n) {
  const ExprFunc *f = expr_func_info(q->pool, (uint32_t)n->value);
  Range r = {f->lo, f->hi};
  bool is_small = mode == RANGE_SMALL && !map_get(&q->packed_functions, (uint64_t)n->value + 1);
  return is_small ? small_part(r, SMALL_VALUE) : r;
}

static bool has_packing(const Query *q, ExprRef ref, Map *known);

// What stands for a word is as small as that, lest more be taken not to wrap around than of the word itself.
static Range range_of_stand_in(Query *q, ExprRef word, Range r) {
  ASSERT(expr_is_of(q->pool, word));
  Map known = {0};
  if (has_packing(q, word, &known)) return r;
  Range small = range_meet(r, range_of(q, RANGE_SMALL, word));
  return small.lo <= small.hi ? small : r;
}

static Range symbol_range(Query *q, RangeMode mode, uint32_t sym) {
  if (mode != RANGE_SMALL) return q->sym_ranges[mode].items[sym];
  Range r = q->sym_ranges[RANGE_SHARP].items[sym];
  ExprRef word = expr_sym_info(q->pool, sym)->word;
  if (word) return range_of_stand_in(q, word, r);
  return map_get(&q->packed_syms, (uint64_t)sym + 1)
             ? r
             : small_part(r, magnitude_of(expr_sym_info(q->pool, sym)));
}

static Range compute(Query *q, RangeMode mode, ExprRef ref) {
  ExprNode n = *expr_node(q->pool, ref);
  Range a = {0, 0}, b = {0, 0};
  if (n.width == 1 && n.op != EXPR_SYM && n.op != EXPR_CONST) return (Range){0, 1};
  if (n.a) a = range_of(q, mode, n.a);
  if (n.b) b = range_of(q, mode, n.b);
  switch ((ExprOp)n.op) {
  case EXPR_CONST: return (Range){n.value, n.value};
  case EXPR_SYM: return symbol_range(q, mode, (uint32_t)n.value);
  case EXPR_APP: return function_range(q, mode, &n);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_SHL:
  case EXPR_TRUNC: return arithmetic(q, mode, ref);
  case EXPR_SDIV:
  case EXPR_SREM: return signed_division((ExprOp)n.op, a, b);
  case EXPR_UDIV:
  case EXPR_UREM: return unsigned_division((ExprOp)n.op, a, b, n.width);
  case EXPR_LSHR:
  case EXPR_ASHR: return shift_right((ExprOp)n.op, a, b, n.width);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR: return bit_operation((ExprOp)n.op, a, b, n.width);
  case EXPR_ZEXT: return as_unsigned(a, expr_width(q->pool, n.a));
  case EXPR_SEXT: return expr_width(q->pool, n.a) == 1 ? (Range){-1, 0} : a;
  case EXPR_ITE: return range_join(b, range_of(q, mode, n.c));
  case EXPR_NOT:
  case EXPR_EQ:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  return range_of_width(n.width);
}

Range range_of(Query *q, RangeMode mode, ExprRef ref) {
  ASSERT(expr_is_of(q->pool, ref));
  uint32_t memo = map_get(&q->range_memo[mode], ref);
  if (memo) return q->ranges.items[memo - 1];
  Range r = range_meet(compute(q, mode, ref), width_of(q, ref));
  uint32_t bound = mode == RANGE_SHARP || mode == RANGE_SMALL ? map_get(&q->bound_of, ref) : 0;
  if (bound) r = range_meet(r, q->bounds.items[bound - 1].range);
  if (r.lo > r.hi) r = width_of(q, ref); // the conditions contradict each other; any interval will do
  vec_push(q->arena, &q->ranges, r);
  map_set(q->arena, &q->range_memo[mode], ref, q->ranges.count);
  return r;
}

// ---- sharpening
static void forget(Query *q) {
  for (int mode = 0; mode < RANGE_MODE_COUNT; mode++)
    q->range_memo[mode] = (Map){0};
  q->known_memo = (Map){0};
  q->ranges.count = 0;
}

static bool restrict_count(Query *q, ExprRef ref, Range bound);

// A word of another shape: its own interval is cut, which decides signs and overflow where it is used.
static bool restrict_word(Query *q, ExprRef ref, Range bound) {
  Range r = range_of(q, RANGE_SHARP, ref), cut = range_meet(r, bound);
  if (cut.lo > cut.hi || (cut.lo == r.lo && cut.hi == r.hi)) return false;
  uint32_t known = map_get(&q->bound_of, ref);
  if (!known) {
    vec_push(q->arena, &q->bounds, (WordBound){.word = ref});
    known = q->bounds.count;
    map_set(q->arena, &q->bound_of, ref, known);
  }
  q->bounds.items[known - 1].range = cut;
  q->bounds.items[known - 1].condition = q->sharpened_by;
  return true;
}

// a / c for a number c > 0.
static bool is_quotient(Query *q, const ExprNode *n, int64_t *c) {
  bool is_unsigned = n->op == EXPR_UDIV || n->op == EXPR_LSHR;
  if (n->op != EXPR_SDIV && n->op != EXPR_ASHR && !is_unsigned) return false;
  if (!expr_is_const(q->pool, n->b, c) || *c < 0 || (is_unsigned && range_of(q, RANGE_SHARP, n->a).lo < 0))
    return false;
  if (n->op == EXPR_SDIV || n->op == EXPR_UDIV) return *c > 0;
  if (*c >= n->width || *c > 62) return false;
  *c = (int64_t)1 << *c;
  return true;
}

static bool is_symbol(const Query *q, ExprRef ref) {
  const ExprNode *n = expr_node(q->pool, ref);
  while (n->op == EXPR_TRUNC || n->op == EXPR_SEXT || n->op == EXPR_ZEXT)
    n = expr_node(q->pool, n->a);
  return n->op == EXPR_SYM;
}

// The widest that holds for rounding down and for rounding towards zero.
static Range dividend_of(Range quotient, Wide c) {
  Range a = {-WIDE_INF, WIDE_INF};
  if (quotient.lo > -WIDE_INF / c) a.lo = quotient.lo * c - (quotient.lo > 0 ? 0 : c - 1);
  if (quotient.hi < WIDE_INF / c) a.hi = quotient.hi * c + (c - 1);
  return a;
}

// ref lies in `bound`: what does that say of the one symbol in it? Looks through casts that keep the value
// and through constant summands of arithmetic that does not wrap.
static bool restrict_to(Query *q, ExprRef ref, Range bound) {
  ExprNode n = *expr_node(q->pool, ref);
  int64_t constant;
  bool assumes;
  if (n.op == EXPR_SYM) {
    Range *r = &q->sym_ranges[RANGE_SHARP].items[n.value], cut = range_meet(*r, bound);
    if (cut.lo > cut.hi || (cut.lo == r->lo && cut.hi == r->hi)) return false;
    *r = cut;
    return true;
  }
  if (n.op == EXPR_SEXT && expr_width(q->pool, n.a) > 1) return restrict_to(q, n.a, bound);
  if (n.op == EXPR_ZEXT && range_of(q, RANGE_SHARP, n.a).lo >= 0) return restrict_to(q, n.a, bound);
  if ((n.op == EXPR_ADD || n.op == EXPR_SUB) && expr_is_const(q->pool, n.b, &constant) &&
      range_is_plain(q, ref, &assumes)) {
    if (assumes) q->used_no_overflow = true;
    return restrict_to(q, n.a,
                       range_add(bound, n.op == EXPR_ADD ? (Range){-(Wide)constant, -(Wide)constant}
                                                         : (Range){constant, constant}));
  }
  if (n.op == EXPR_MUL && expr_is_const(q->pool, n.b, &constant) && constant > 0 &&
      range_is_plain(q, ref, &assumes)) {
    if (assumes) q->used_no_overflow = true;
    return restrict_to(q, n.a,
                       (Range){-wide_floor_div(-bound.lo, constant), wide_floor_div(bound.hi, constant)});
  }
  if (n.op == EXPR_SHL && restrict_count(q, ref, bound)) return true;
  if (n.op == EXPR_TRUNC && n.width > 1 && range_is_plain(q, ref, &assumes)) {
    if (assumes) q->used_no_overflow = true;
    if (restrict_to(q, n.a, bound)) return true;
  }
  bool changed = n.op != EXPR_CONST && restrict_word(q, ref, bound);
  if (is_quotient(q, &n, &constant) && is_symbol(q, n.a))
    changed |= restrict_to(q, n.a, dividend_of(bound, constant));
  return changed;
}

// c << k <= hi for a constant c >= 1: k is at most the logarithm of hi / c. So it is where only the sign
// could be wrong, and is not.
static bool restrict_count(Query *q, ExprRef ref, Range bound) {
  ExprNode n = *expr_node(q->pool, ref);
  int64_t base;
  bool assumes;
  if (!expr_is_const(q->pool, n.a, &base) || base < 1 || bound.hi < base) return false;
  bound = range_meet(bound, range_of(q, RANGE_SHARP, ref));
  if (bound.hi < base) return false;
  Range counts = range_meet(range_of(q, RANGE_SHARP, n.b), (Range){0, n.width - 1});
  bool loses_no_bit = bound.lo >= 0 && counts.lo <= counts.hi && (Wide)base << counts.hi >> n.width == 0;
  if (!loses_no_bit) {
    if (!range_is_plain(q, ref, &assumes)) return false;
    if (assumes) q->used_no_overflow = true;
  }
  Range count = {-WIDE_INF, 0};
  while (count.hi < 62 && ((Wide)base << (count.hi + 1)) <= bound.hi)
    count.hi++;
  return restrict_to(q, n.b, count);
}

static bool restrict_order(Query *q, ExprRef below, ExprRef above, int strict) {
  Range a = range_of(q, RANGE_SHARP, below), b = range_of(q, RANGE_SHARP, above);
  bool changed = restrict_to(q, below, (Range){-WIDE_INF, b.hi - strict});
  return restrict_to(q, above, (Range){a.lo + strict, WIDE_INF}) || changed;
}

// below <u above: with above >= 0 it says 0 <= below < above; without, above may read as negative.
static bool restrict_unsigned(Query *q, ExprRef below, ExprRef above, int strict) {
  if (range_of(q, RANGE_SHARP, above).lo < 0) return false;
  bool changed = restrict_to(q, below, (Range){0, WIDE_INF});
  return (range_of(q, RANGE_SHARP, below).lo >= 0 && restrict_order(q, below, above, strict)) || changed;
}

static bool restrict_equal(Query *q, ExprRef x, ExprRef y) {
  if (expr_width(q->pool, x) == 1) return false;
  bool changed = restrict_to(q, x, range_of(q, RANGE_SHARP, y));
  return restrict_to(q, y, range_of(q, RANGE_SHARP, x)) || changed;
}

// x != c cuts the interval of x where c is its end.
static bool restrict_apart(Query *q, ExprRef x, ExprRef constant) {
  int64_t c;
  if (expr_width(q->pool, x) == 1 || !expr_is_const(q->pool, constant, &c)) return false;
  Range r = range_of(q, RANGE_SHARP, x);
  if (r.lo == c) return restrict_to(q, x, (Range){r.lo + 1, WIDE_INF});
  return r.hi == c && restrict_to(q, x, (Range){-WIDE_INF, r.hi - 1});
}

static bool sharpen_counts(Query *q, ExprRef ref, Map *seen);
static bool sharpen_once(Query *q, const ExprNode *node, bool holds);

static bool sharpen(Query *q, ExprRef condition, bool holds) {
  ExprNode n = *expr_node(q->pool, condition);
  bool is_order =
      n.op == EXPR_EQ || n.op == EXPR_SLT || n.op == EXPR_SLE || n.op == EXPR_ULT || n.op == EXPR_ULE;
  Map seen = {0};
  if (is_order && q->sharpen_round == 0 && sharpen_counts(q, condition, &seen)) {
    sharpen_once(q, &n, holds);
    return true;
  }
  return sharpen_once(q, &n, holds);
}

static bool sharpen_once(Query *q, const ExprNode *node, bool holds) {
  ExprNode n = *node;
  switch ((ExprOp)n.op) {
  case EXPR_AND: {
    if (!holds) return false;
    bool changed = sharpen(q, n.a, true);
    return sharpen(q, n.b, true) || changed;
  }
  case EXPR_OR: {
    if (holds) return false;
    bool changed = sharpen(q, n.a, false);
    return sharpen(q, n.b, false) || changed;
  }
  case EXPR_NOT: return sharpen(q, n.a, !holds);
  case EXPR_EQ:
    if (holds) return restrict_equal(q, n.a, n.b);
    return restrict_apart(q, n.a, n.b) || restrict_apart(q, n.b, n.a);
  case EXPR_SLT: return holds ? restrict_order(q, n.a, n.b, 1) : restrict_order(q, n.b, n.a, 0);
  case EXPR_SLE: return holds ? restrict_order(q, n.a, n.b, 0) : restrict_order(q, n.b, n.a, 1);
  case EXPR_ULT: return holds ? restrict_unsigned(q, n.a, n.b, 1) : restrict_unsigned(q, n.b, n.a, 0);
  case EXPR_ULE: return holds ? restrict_unsigned(q, n.a, n.b, 0) : restrict_unsigned(q, n.b, n.a, 1);
  case EXPR_ARITHMETIC: // these restrict nothing
  case EXPR_XOR:
  case EXPR_ITE:
  case EXPR_RESIZES:
  case EXPR_LEAVES: break;
  }
  return false;
}

// A number of the host that is cut to fewer bits, of which nothing is lost, as A1 says, is one that these hold.
static bool restrict_cut(Query *q, ExprRef ref, const ExprNode *n) {
  bool assumes = false;
  const ExprNode *whole = expr_node(q->pool, n->a);
  if (n->op != EXPR_TRUNC || n->width == 1 || whole->op != EXPR_SYM || whole->owners != OWNER_UNIFORM)
    return false;
  if (!range_is_plain(q, ref, &assumes) || !assumes || !restrict_to(q, n->a, range_of_width(n->width)))
    return false;
  q->used_no_overflow = true;
  return true;
}

// What is evaluated whenever the condition is must have a meaning there: shift counts below the width.
static bool sharpen_counts(Query *q, ExprRef ref, Map *seen) {
  ExprNode n = *expr_node(q->pool, ref);
  if (n.op == EXPR_CONST || n.op == EXPR_SYM || map_get(seen, ref)) return false;
  map_set(q->arena, seen, ref, 1);
  bool is_logic = n.width == 1 && (n.op == EXPR_AND || n.op == EXPR_OR);
  if (is_logic || n.op == EXPR_APP) return false;
  bool changed = n.a && sharpen_counts(q, n.a, seen);
  if (n.op == EXPR_ITE) return changed;
  changed = restrict_cut(q, ref, &n) || changed;
  if (n.op == EXPR_SHL || n.op == EXPR_LSHR || n.op == EXPR_ASHR)
    changed = restrict_to(q, n.b, (Range){0, n.width - 1}) || changed;
  return (n.b && sharpen_counts(q, n.b, seen)) || changed;
}

// A host value that the program reads as unsigned is a size or count: taken to be below 2^(w-1), as A1 says.
static void assume_size(Query *q, ExprRef ref) {
  ExprNode n = *expr_node(q->pool, ref);
  bool assumes;
  if (n.op == EXPR_SEXT)
    n = *expr_node(q->pool, ref = n.a); // size_t rows = atoi(...), which is int of strtol
  if (n.op == EXPR_TRUNC && n.width > 1 && range_is_plain(q, ref, &assumes)) n = *expr_node(q->pool, n.a);
  if (n.op != EXPR_SYM) return;
  const ExprSym *sym = expr_sym_info(q->pool, (uint32_t)n.value);
  Range *r = &q->sym_ranges[RANGE_SHARP].items[n.value];
  if (sym->owner != OWNER_UNIFORM || sym->kind != SYM_HOST_VALUE || r->lo >= 0 || r->hi < 1) return;
  r->lo = 0;
  q->sym_is_size.items[n.value] = true;
  q->used_no_overflow = true;
}

static void assume_sizes(Query *q, ExprRef ref, Map *seen) {
  if (!ref || map_get(seen, ref)) return;
  map_set(q->arena, seen, ref, 1);
  ExprNode n = *expr_node(q->pool, ref);
  bool is_unsigned = n.op == EXPR_ULT || n.op == EXPR_ULE || n.op == EXPR_UDIV || n.op == EXPR_UREM ||
                     n.op == EXPR_ZEXT || n.op == EXPR_LSHR;
  if (is_unsigned) assume_size(q, n.a);
  if (is_unsigned && n.b) assume_size(q, n.b);
  assume_sizes(q, n.a, seen);
  assume_sizes(q, n.b, seen);
  assume_sizes(q, n.c, seen);
  for (uint32_t i = 0; i < n.arg_count; i++)
    assume_sizes(q, expr_node(q->pool, ref)->args[i], seen);
}

// ---- parts of words
static bool is_wide_constant(const Query *q, ExprRef ref) {
  int64_t c;
  const Wide least = (Wide)1 << UPPER_PART;
  return ref && expr_is_const(q->pool, ref, &c) && (c >= least || c <= -least);
}

// `n + (1 << 32)`, `n >> 32`: the upper half of a word of 64 bits is used by itself.
static bool is_packing(const Query *q, const ExprNode *n) {
  int64_t c;
  if (n->width != 64) return false;
  if (n->op == EXPR_SHL || n->op == EXPR_LSHR || n->op == EXPR_ASHR)
    return expr_is_const(q->pool, n->b, &c) && c >= UPPER_PART;
  return is_wide_constant(q, n->a) || is_wide_constant(q, n->b) || is_wide_constant(q, n->c);
}

// `known`: 1 + the answer, for what was asked before.
static bool has_packing(const Query *q, ExprRef ref, Map *known) {
  uint64_t before = ref ? map_get(known, ref) : 1;
  if (before) return before == 2;
  const ExprNode *n = expr_node(q->pool, ref);
  bool found = is_packing(q, n) || has_packing(q, n->a, known) || has_packing(q, n->b, known) ||
               has_packing(q, n->c, known);
  for (uint32_t i = 0; i < n->arg_count && !found; i++)
    found = has_packing(q, n->args[i], known);
  map_set(q->arena, known, ref, 1 + found);
  return found;
}

// The words of 64 bits that a thread read, or was given, are not taken for small numbers.
static void mark_packed(Query *q, ExprRef ref, Map *seen) {
  if (!ref || map_get(seen, ref)) return;
  map_set(q->arena, seen, ref, 1);
  const ExprNode *n = expr_node(q->pool, ref);
  bool is_private = n->op == EXPR_SYM && expr_sym_info(q->pool, (uint32_t)n->value)->owner != OWNER_UNIFORM;
  if (n->width == 64 && is_private) map_set(q->arena, &q->packed_syms, (uint64_t)n->value + 1, 1);
  if (n->width == 64 && n->op == EXPR_APP) map_set(q->arena, &q->packed_functions, (uint64_t)n->value + 1, 1);
  mark_packed(q, n->a, seen);
  mark_packed(q, n->b, seen);
  mark_packed(q, n->c, seen);
}

// So are those of a launch that are shifted themselves: two members of a struct that came in one register.
static void mark_halved(Query *q, ExprRef ref, Map *seen) {
  if (!ref || map_get(seen, ref)) return;
  map_set(q->arena, seen, ref, 1);
  ExprNode n = *expr_node(q->pool, ref);
  int64_t c;
  bool is_half = (n.op == EXPR_LSHR || n.op == EXPR_ASHR) && n.width == 64 &&
                 expr_is_const(q->pool, n.b, &c) && c >= UPPER_PART;
  ExprNode whole = is_half ? *expr_node(q->pool, n.a) : n;
  if (is_half && whole.op == EXPR_SYM) map_set(q->arena, &q->packed_syms, (uint64_t)whole.value + 1, 1);
  mark_halved(q, n.a, seen);
  mark_halved(q, n.b, seen);
  mark_halved(q, n.c, seen);
  for (uint32_t i = 0; i < n.arg_count; i++)
    mark_halved(q, expr_node(q->pool, ref)->args[i], seen);
}

typedef struct PackedSearch { // conditions share parts
  Map looked_at, known, marked;
} PackedSearch;

static void find_packed(Query *q, ExprRef condition, PackedSearch *search) {
  ExprNode n = *expr_node(q->pool, condition);
  if (map_get(&search->looked_at, condition)) return;
  map_set(q->arena, &search->looked_at, condition, 1);
  if (n.op == EXPR_AND || n.op == EXPR_OR || n.op == EXPR_NOT) {
    find_packed(q, n.a, search);
    if (n.b) find_packed(q, n.b, search);
    return;
  }
  if (has_packing(q, condition, &search->known)) mark_packed(q, condition, &search->marked);
}

void range_near(Query *q, Wide limit) {
  ASSERT(limit >= 0);
  q->range_memo[RANGE_NEAR] = (Map){0};
  q->sym_ranges[RANGE_NEAR].count = 0;
  for (uint32_t i = 0; i < q->sym_ranges[RANGE_SHARP].count; i++) {
    Range r = q->sym_ranges[RANGE_SHARP].items[i];
    Wide near = r.lo > 0 ? r.lo : r.hi < 0 ? r.hi : 0;
    vec_push(q->arena, &q->sym_ranges[RANGE_NEAR], range_meet(r, (Range){near - limit, near + limit}));
  }
}

void range_prepare(Query *q) {
  ASSERT(q->words.count == 0); // before anything is lowered
  for (uint32_t i = 0; i < expr_sym_count(q->pool); i++) {
    const ExprSym *sym = expr_sym_info(q->pool, i);
    vec_push(q->arena, &q->sym_ranges[RANGE_SHARP], (Range){sym->lo, sym->hi});
    vec_push(q->arena, &q->sym_is_size, false);
  }
  Map seen = {0}, looked_at = {0};
  PackedSearch packed = {0};
  for (uint32_t i = 0; i < q->conditions.count; i++) {
    find_packed(q, q->conditions.items[i].condition, &packed);
    mark_halved(q, q->conditions.items[i].condition, &looked_at);
  }
  forget(q);
  bool changed = true;
  for (int round = 0; round < SHARPEN_ROUNDS && changed; round++) {
    changed = false;
    q->sharpen_round = (uint32_t)round;
    for (uint32_t i = 0; i < q->conditions.count; i++) {
      q->sharpened_by = i;
      if (sharpen(q, q->conditions.items[i].condition, true)) {
        changed = q->conditions.items[i].is_sharpener = true;
        forget(q);
      }
    }
    if (round == 0 && q->assume_sizes)
      for (uint32_t i = 0; i < q->conditions.count; i++)
        assume_sizes(q, q->conditions.items[i].condition, &seen);
    forget(q);
  }
}
