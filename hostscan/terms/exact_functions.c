// Which integer expression is equal to what the host computes by functions of bits, or through floating point without ever leaving the integers?
// `1 << (32 - __builtin_clz(n - 1))`, `(int)(float)n`, `(int)fmax(n, 5)`. Method: the counts of zeros case by case of the highest (lowest) bit,
// the number of bits and the turned bytes by the usual sums of masked parts. A floating-point value is taken apart down to converted integers
// and constants; each operation on the way is exact for integers that are small enough, which is a condition of the form: beyond, the value is
// the function that it was. Soundness: exact on words (the count of zeros of no bit is the width, or has no meaning); IEEE arithmetic is
// exact where the result is an integer of at most 2^24 (float), 2^53 (double).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms.h"
#include "core/bug.h"
#include "core/symeval.h"

#include <math.h>
#include <string.h>

static ExprRef word(ExprPool *pool, ExprRef like, uint64_t value) {
  return expr_const(pool, expr_width(pool, like), (int64_t)value);
}

static ExprRef binary(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  return expr_binary(pool, op, 0, a, b);
}

// ---- functions of bits
// How many zeros lie above the highest bit.
static ExprRef zeros_above(ExprPool *pool, ExprRef x) {
  uint32_t width = expr_width(pool, x);
  ExprRef count =
      expr_ite(pool, expr_eq(pool, x, word(pool, x, 0)), word(pool, x, width), word(pool, x, width - 1));
  for (uint32_t bit = 1; bit < width; bit++) {
    ExprRef is_there = binary(pool, EXPR_ULE, word(pool, x, (uint64_t)1 << bit), x);
    count = expr_ite(pool, is_there, word(pool, x, width - 1 - bit), count);
  }
  return count;
}

static ExprRef zeros_below(ExprPool *pool, ExprRef x) {
  uint32_t width = expr_width(pool, x);
  ExprRef count = word(pool, x, width);
  for (uint32_t bit = width; bit-- > 0;) {
    uint64_t below = bit == 63 ? UINT64_MAX : ((uint64_t)2 << bit) - 1;
    ExprRef is_zero = expr_eq(pool, binary(pool, EXPR_AND, x, word(pool, x, below)), word(pool, x, 0));
    count = expr_ite(pool, is_zero, count, word(pool, x, bit));
  }
  return count;
}

// Neighbouring parts of `bits` bits, added up.
static ExprRef add_parts(ExprPool *pool, ExprRef x, uint32_t bits) {
  uint64_t mask = 0;
  for (uint32_t at = 0; at < 64; at += 2 * bits)
    mask |= (((uint64_t)1 << bits) - 1) << at;
  ExprRef low = word(pool, x, mask), moved = binary(pool, EXPR_LSHR, x, word(pool, x, bits));
  return binary(pool, EXPR_ADD, binary(pool, EXPR_AND, x, low), binary(pool, EXPR_AND, moved, low));
}

static ExprRef bits_set(ExprPool *pool, ExprRef x) {
  for (uint32_t bits = 1; bits < expr_width(pool, x); bits *= 2)
    x = add_parts(pool, x, bits);
  return x;
}

static ExprRef turned_bytes(ExprPool *pool, ExprRef x) {
  uint32_t width = expr_width(pool, x);
  ExprRef result = word(pool, x, 0);
  for (uint32_t at = 0; at < width; at += 8) {
    ExprRef byte = binary(pool, EXPR_AND, binary(pool, EXPR_LSHR, x, word(pool, x, at)), word(pool, x, 0xff));
    result = binary(pool, EXPR_OR, result, binary(pool, EXPR_SHL, byte, word(pool, x, width - 8 - at)));
  }
  return result;
}

static ExprRef function_of_bits(ExprPool *pool, const char *name, ExprRef x) {
  static const struct {
    const char *start;
    ExprRef (*form)(ExprPool *, ExprRef);
  } forms[] = {{"llvm.ctlz.", zeros_above},
               {"llvm.cttz.", zeros_below},
               {"llvm.ctpop.", bits_set},
               {"llvm.bswap.", turned_bytes}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (str_starts_with(name, forms[i].start)) return forms[i].form(pool, x);
  return 0;
}

// ---- integers in floating point
typedef struct Whole { // a floating-point value that is this integer (64 bits) where `holds`
  ExprRef number, holds;
  int64_t most; // no less than its size, where it holds
} Whole;

static int64_t exact_limit(uint8_t bits) {
  return (int64_t)1 << (bits == 32 ? 24 : 53);
}

static ExprRef is_within(ExprPool *pool, ExprRef number, int64_t most) {
  int64_t lo = 0, hi = 0;
  expr_range(pool, number, &lo, &hi);
  ExprRef is_least =
      lo >= -most ? expr_bool(pool, true) : binary(pool, EXPR_SLE, expr_const(pool, 64, -most), number);
  ExprRef is_most =
      hi <= most ? expr_bool(pool, true) : binary(pool, EXPR_SLE, number, expr_const(pool, 64, most));
  return expr_and(pool, is_least, is_most);
}

// The number itself, where it is small enough for the format.
static Whole bounded(ExprPool *pool, Whole whole, uint8_t bits) {
  int64_t limit = exact_limit(bits), lo = 0, hi = 0;
  expr_range(pool, whole.number, &lo, &hi);
  int64_t size = lo == INT64_MIN ? INT64_MAX : -lo > hi ? -lo : hi;
  if (size < whole.most) whole.most = size;
  if (whole.most > limit) {
    whole.holds = expr_and(pool, whole.holds, is_within(pool, whole.number, limit));
    whole.most = limit;
  }
  return whole;
}

static bool constant_whole(ExprPool *pool, ExprRef ref, Whole *out) {
  double value = 0;
  if (!symeval_float_value(pool, ref, expr_width(pool, ref), &value)) return false;
  if (fabs(value) > (double)exact_limit(32) || value != trunc(value)) return false;
  *out = (Whole){expr_const(pool, 64, (int64_t)value), expr_bool(pool, true), (int64_t)fabs(value)};
  return true;
}

static bool is_rounding(const char *name) {
  static const char *const names[] = {"ceil", "floor", "trunc", "round", "rint", "nearbyint", "roundeven"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (symeval_is_function(name, names[i])) return true;
  return false;
}

static bool whole_of(ExprPool *pool, ExprRef ref, uint32_t depth, Whole *out);

// The promise not to wrap round at 64 bits, whatever the numbers are.
static uint8_t promise(ExprPool *pool, ExprOp op, ExprRef a, ExprRef b) {
  int64_t lo = 0, hi = 0, by_lo = 0, by_hi = 0;
  int64_t most = op == EXPR_MUL ? INT32_MAX : INT64_MAX / 2;
  expr_range(pool, a, &lo, &hi);
  expr_range(pool, b, &by_lo, &by_hi);
  bool is_small = lo >= -most - 1 && hi <= most && by_lo >= -most - 1 && by_hi <= most;
  return is_small ? EXPR_NSW : 0;
}

// Sums, differences and products: exact if they are no larger than the format's integers. Where the operands hold, nothing wraps round at 64 bits.
static bool whole_of_two(ExprPool *pool, const ExprNode *node, const char *name, uint32_t depth, Whole *out) {
  Whole a, b;
  if (!whole_of(pool, node->args[0], depth, &a) || !whole_of(pool, node->args[1], depth, &b)) return false;
  bool is_max = symeval_is_function(name, "fmax") || symeval_is_function(name, "maxnum");
  bool is_min = symeval_is_function(name, "fmin") || symeval_is_function(name, "minnum");
  Whole both = {.holds = expr_and(pool, a.holds, b.holds), .most = a.most > b.most ? a.most : b.most};
  if (is_max || is_min) {
    ExprRef is_less = binary(pool, EXPR_SLT, a.number, b.number);
    both.number = expr_ite(pool, is_less, is_max ? b.number : a.number, is_max ? a.number : b.number);
    *out = both;
    return true;
  }
  __int128 most = (__int128)a.most + b.most;
  ExprOp op = str_starts_with(name, "fadd") ? EXPR_ADD : str_starts_with(name, "fsub") ? EXPR_SUB : EXPR_NONE;
  if (str_starts_with(name, "fmul")) {
    op = EXPR_MUL;
    most = (__int128)a.most * b.most;
  }
  if (op == EXPR_NONE || most > INT64_MAX) return false;
  both.number = expr_binary(pool, op, promise(pool, op, a.number, b.number), a.number, b.number);
  both.most = (int64_t)most;
  *out = bounded(pool, both, node->width);
  return true;
}

static bool whole_of(ExprPool *pool, ExprRef ref, uint32_t depth, Whole *out) {
  const ExprNode node = *expr_node(pool, ref);
  if ((node.width != 32 && node.width != 64) || depth == 0) return false;
  if (node.op == EXPR_CONST) return constant_whole(pool, ref, out);
  if (node.op != EXPR_APP) return false;
  const char *name = expr_func_info(pool, (uint32_t)node.value)->name;
  if (node.arg_count == 2) return whole_of_two(pool, &node, name, depth - 1, out);
  if (node.arg_count != 1) return false;
  if (strcmp(name, "sitofp64") == 0) {
    *out = bounded(pool, (Whole){node.args[0], expr_bool(pool, true), INT64_MAX}, node.width);
    return true;
  }
  if (!whole_of(pool, node.args[0], depth - 1, out)) return false;
  if (strcmp(name, "fptrunc64") == 0) *out = bounded(pool, *out, node.width);
  if (strcmp(name, "fpext32") == 0 || strcmp(name, "fptrunc64") == 0 || is_rounding(name)) return true;
  if (!symeval_is_function(name, "fabs")) return false;
  ExprRef zero = expr_const(pool, 64, 0);
  out->number = expr_ite(pool, binary(pool, EXPR_SLT, out->number, zero),
                         binary(pool, EXPR_SUB, zero, out->number), out->number);
  return true;
}

static ExprRef converted(ExprPool *pool, ExprRef value, bool is_signed, ExprRef operand) {
  enum { DEPTH = 6 };
  Whole whole;
  uint8_t width = expr_width(pool, value);
  if (width < 32 || !whole_of(pool, operand, DEPTH, &whole)) return 0;
  if (width == 32) whole.holds = expr_and(pool, whole.holds, is_within(pool, whole.number, INT32_MAX));
  if (!is_signed)
    whole.holds = expr_and(pool, whole.holds, binary(pool, EXPR_SLE, expr_const(pool, 64, 0), whole.number));
  return expr_ite(pool, whole.holds, expr_resize_signed(pool, whole.number, width), value);
}

ExprRef host_exact_function(HostScan *scan, ExprRef value) {
  if (!value) return 0;
  ASSERT(expr_is_of(scan->pool, value));
  const ExprNode node = *expr_node(scan->pool, value);
  if (node.op != EXPR_APP || !node.arg_count) return value;
  const char *name = expr_func_info(scan->pool, (uint32_t)node.value)->name;
  ExprRef form = 0;
  if (str_starts_with(name, "fptosi") || str_starts_with(name, "fptoui"))
    form = converted(scan->pool, value, name[4] == 's', node.args[0]);
  else if (node.width >= 8 && expr_width(scan->pool, node.args[0]) == node.width)
    form = function_of_bits(scan->pool, name, node.args[0]);
  return form && host_weight(scan, form) <= HOST_HEAVY ? form : value;
}
