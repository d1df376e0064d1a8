// Which simpler integer expression is equal to this one? Three shapes that host code is full of and that
// the solver should not meet in the raw: block counts computed through floating point, sums of multiples
// from pointer arithmetic, and choices that peel off a special case.
// Method: matching. Sums are taken apart into constant factors of terms and put together again.
// Soundness: equal under the promises (NSW, ADDRESS) that the parts carry; divisions through floating
// point where the operands are so small that rounding cannot reach the next integer, another symbol
// elsewhere.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms/terms.h"
#include "core/bug.h"
#include "hostscan/names.h"

#include <string.h>

// ---- sums
enum { TERMS = 8 };

typedef struct Sum { // constant + factors[i] * terms[i], modulo 2^64
  uint64_t constant;
  uint32_t count;
  ExprRef terms[TERMS];
  uint64_t factors[TERMS];
  bool is_exact; // all parts carry a promise not to wrap
} Sum;

static bool add_term(Sum *sum, ExprRef term, uint64_t factor) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->terms[i] == term) {
      sum->factors[i] += factor;
      return true;
    }
  if (sum->count == TERMS) return false;
  sum->terms[sum->count] = term;
  sum->factors[sum->count++] = factor;
  return true;
}

static bool take_apart(HostScan *scan, ExprRef ref, uint64_t factor, uint32_t depth, Sum *sum) {
  ExprNode node = *expr_node(scan->pool, ref);
  int64_t value = 0;
  bool is_promised = (node.flags & (EXPR_NSW | EXPR_ADDRESS)) != 0;
  if (expr_is_const(scan->pool, ref, &value)) {
    sum->constant += factor * (uint64_t)value;
    return true;
  }
  if (depth == 0) return add_term(sum, ref, factor);
  if (node.op == EXPR_ADD || node.op == EXPR_SUB) {
    sum->is_exact &= is_promised;
    return take_apart(scan, node.a, factor, depth - 1, sum) &&
           take_apart(scan, node.b, node.op == EXPR_ADD ? factor : (uint64_t)0 - factor, depth - 1, sum);
  }
  if (node.op == EXPR_MUL && expr_is_const(scan->pool, node.b, &value)) {
    sum->is_exact &= is_promised;
    return take_apart(scan, node.a, factor * (uint64_t)value, depth - 1, sum);
  }
  // A narrower sum that must not wrap is the sum of its extended parts.
  ExprNode inner = node.op == EXPR_SEXT ? *expr_node(scan->pool, node.a) : node;
  if (node.op == EXPR_SEXT && (inner.flags & EXPR_NSW) && (inner.op == EXPR_ADD || inner.op == EXPR_SUB)) {
    ExprRef a = expr_unary(scan->pool, EXPR_SEXT, node.width, inner.a);
    ExprRef b = expr_unary(scan->pool, EXPR_SEXT, node.width, inner.b);
    return take_apart(scan, a, factor, depth - 1, sum) &&
           take_apart(scan, b, inner.op == EXPR_ADD ? factor : (uint64_t)0 - factor, depth - 1, sum);
  }
  if (node.op == EXPR_SEXT && (inner.flags & EXPR_NSW) && inner.op == EXPR_MUL &&
      expr_is_const(scan->pool, inner.b, &value)) {
    ExprRef a = expr_unary(scan->pool, EXPR_SEXT, node.width, inner.a);
    return take_apart(scan, a, factor * (uint64_t)value, depth - 1, sum);
  }
  return add_term(sum, ref, factor);
}

// Can no part of the sum leave 62 bits?
static bool is_small(HostScan *scan, const Sum *sum) {
  __int128 lowest = (int64_t)sum->constant, highest = (int64_t)sum->constant;
  for (uint32_t i = 0; i < sum->count; i++) {
    int64_t lo = 0, hi = 0, factor = (int64_t)sum->factors[i];
    expr_range(scan->pool, sum->terms[i], &lo, &hi);
    __int128 x = (__int128)lo * factor, y = (__int128)hi * factor;
    lowest += x < y ? x : y;
    highest += x < y ? y : x;
  }
  return lowest > -((__int128)1 << 62) && highest < (__int128)1 << 62;
}

static ExprRef put_together(HostScan *scan, const Sum *sum) {
  uint8_t flags = is_small(scan, sum) ? EXPR_NSW : sum->is_exact ? EXPR_ADDRESS : 0;
  ExprRef result = 0;
  for (uint32_t i = 0; i < sum->count; i++) {
    if (sum->factors[i] == 0) continue;
    ExprRef factor = expr_const(scan->pool, 64, (int64_t)sum->factors[i]);
    ExprRef term = expr_binary(scan->pool, EXPR_MUL, flags, sum->terms[i], factor);
    result = result ? expr_binary(scan->pool, EXPR_ADD, flags, result, term) : term;
  }
  ExprRef constant = expr_const(scan->pool, 64, (int64_t)sum->constant);
  return result ? expr_binary(scan->pool, EXPR_ADD, flags, result, constant) : constant;
}

ExprRef host_gather(HostScan *scan, ExprRef ref) {
  ASSERT(expr_is_of(scan->pool, ref));
  Sum sum = {.is_exact = true};
  if (expr_width(scan->pool, ref) != 64 || !take_apart(scan, ref, 1, 12, &sum)) return ref;
  return put_together(scan, &sum);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) { // Euclid
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

void host_residue(HostScan *scan, ExprRef ref, uint64_t *modulus, uint64_t *rest) {
  ASSERT(expr_is_of(scan->pool, ref));
  Sum sum = {.is_exact = true};
  uint64_t common = 0;
  *modulus = 1;
  *rest = 0;
  if (expr_width(scan->pool, ref) != 64 || !take_apart(scan, ref, 1, 12, &sum)) return;
  for (uint32_t i = 0; i < sum.count; i++)
    common = common_divisor(common, (int64_t)sum.factors[i] < 0 ? 0 - sum.factors[i] : sum.factors[i]);
  if (!sum.is_exact) common &= 0 - common; // what wraps round at 2^64 keeps the powers of two only
  *modulus = common;
  *rest = sum.constant;
  if (common == 0) return;
  int64_t low = (int64_t)sum.constant % (int64_t)common;
  *rest = (uint64_t)(low < 0 ? low + (int64_t)common : low);
}

// The word below extensions that keep the number `value`.
static ExprRef unextended(HostScan *scan, ExprRef ref, int64_t value) {
  ExprNode node = *expr_node(scan->pool, ref);
  if (node.op != EXPR_SEXT && node.op != EXPR_ZEXT) return ref;
  uint8_t width = expr_width(scan->pool, node.a);
  return value >= 0 && value < (int64_t)1 << (width - 1) ? unextended(scan, node.a, value) : ref;
}

ExprRef host_is_at(HostScan *scan, ExprRef offset, int64_t at) {
  ASSERT(host_has_word(scan, offset, 64));
  Sum sum = {.is_exact = true};
  bool is_plain = take_apart(scan, offset, 1, 12, &sum) && sum.is_exact && sum.count == 1;
  int64_t factor = is_plain ? (int64_t)sum.factors[0] : 0, distance = at - (int64_t)sum.constant;
  if (factor == 0 || distance % factor != 0)
    return expr_eq(scan->pool, offset, expr_const(scan->pool, 64, at));
  ExprRef index = unextended(scan, sum.terms[0], distance / factor);
  return expr_eq(scan->pool, index, expr_const(scan->pool, expr_width(scan->pool, index), distance / factor));
}

// ---- choices

// Does the condition fix a symbol to a constant? "n == 3", "n <= 0" unsigned, and these joined with
// others.
bool host_fixed_value(HostScan *scan, ExprRef condition, ExprRef *symbol, ExprRef *value) {
  ASSERT(host_has_word(scan, condition, 1));
  ExprNode node = *expr_node(scan->pool, condition);
  if (node.op == EXPR_AND)
    return host_fixed_value(scan, node.a, symbol, value) || host_fixed_value(scan, node.b, symbol, value);
  if (node.op != EXPR_EQ || !expr_is_const(scan->pool, node.b, NULL) || expr_width(scan->pool, node.b) == 1)
    return false;
  *symbol = node.a;
  *value = node.b;
  return true;
}

ExprRef host_choose(HostScan *scan, ExprRef condition, ExprRef a, ExprRef b) {
  ASSERT(host_has_word(scan, condition, 1));
  ASSERT(expr_is_of(scan->pool, a));
  ASSERT(expr_is_of(scan->pool, b));
  ExprRef symbol = 0, value = 0;
  if (host_fixed_value(scan, condition, &symbol, &value)) {
    ExprRef special = host_replace(scan, b, symbol, value);
    ExprRef wanted = host_replace(scan, a, symbol, value);
    if (expr_width(scan->pool, a) == 64) {
      special = host_gather(scan, special);
      wanted = host_gather(scan, wanted);
    }
    if (special == wanted) return b;
  }
  return expr_ite(scan->pool, condition, a, b);
}

// ---- division through floating point
static bool is_app(const HostScan *scan, ExprRef ref, const char *name, bool at_start, ExprNode *node) {
  *node = *expr_node(scan->pool, ref);
  if (node->op != EXPR_APP) return false;
  const char *known = expr_func_info(scan->pool, (uint32_t)node->value)->name;
  return at_start ? str_starts_with(known, name) : strstr(known, name) != NULL;
}

// The integer (64 bits) that was converted, or that a constant of this format stands for; 0 if none.
static ExprRef converted_integer(HostScan *scan, ExprRef ref) {
  ExprNode node;
  if (expr_is_const(scan->pool, ref, NULL)) {
    double value = 0;
    bool is_whole = symeval_float_value(scan->pool, ref, expr_width(scan->pool, ref), &value) && value >= 1 &&
                    value <= 1e6 && value == (double)(int64_t)value;
    return is_whole ? expr_const(scan->pool, 64, (int64_t)value) : 0;
  }
  if (!is_app(scan, ref, "sitofp", true, &node) && !is_app(scan, ref, "uitofp", true, &node)) {
    // a float that is widened first
    if (!is_app(scan, ref, "fpext", true, &node)) return 0;
    return converted_integer(scan, node.args[0]);
  }
  return node.arg_count == 1 && expr_width(scan->pool, node.args[0]) == 64 ? node.args[0] : 0;
}

// The largest dividend for which the quotient of this format is on the right side of each integer.
static int64_t exact_limit(HostScan *scan, uint8_t width, ExprRef divisor) {
  int64_t value = 0;
  bool is_power = expr_is_const(scan->pool, divisor, &value) && value > 0 && (value & (value - 1)) == 0;
  if (width == 64) return INT32_MAX;
  return is_power ? (int64_t)1 << 24 : (int64_t)1 << 11;
}

// (int)(a / b), (int)ceil(a / b), (int)floor(a / b)
ExprRef host_rounded_division(HostScan *scan, const HostFrame *frame, const IrInst *inst, ExprRef operand) {
  ASSERT(frame->function);
  ASSERT(ir_has_inst(frame->function->ir, inst));
  ASSERT(expr_is_of(scan->pool, operand));
  ExprNode node;
  ExprPool *pool = scan->pool;
  bool is_ceil = is_app(scan, operand, "ceil", false, &node);
  bool is_rounded = is_ceil || is_app(scan, operand, "floor", false, &node);
  if (is_rounded && node.arg_count != 1) return 0;
  if (is_rounded) operand = node.args[0];
  if (is_app(scan, operand, "fpext", true, &node)) operand = node.args[0]; // ceil((double)(a / b))
  if (!is_app(scan, operand, "fdiv", true, &node) || node.arg_count != 2) return 0;
  ExprRef a = converted_integer(scan, node.args[0]), b = converted_integer(scan, node.args[1]);
  uint8_t width = symeval_width(inst->type);
  if (!a || !b || width < 32) return 0;
  // In between, other values: as if it were computed in a way that is not understood.
  ExprRef zero = expr_const(pool, 64, 0), one = expr_const(pool, 64, 1);
  ExprRef most = expr_const(pool, 64, exact_limit(scan, node.width, b));
  ExprRef fits =
      expr_and(pool, expr_binary(pool, EXPR_SLE, 0, zero, a), expr_binary(pool, EXPR_SLE, 0, a, most));
  fits = expr_and(
      pool, fits,
      expr_and(pool, expr_binary(pool, EXPR_SLE, 0, one, b), expr_binary(pool, EXPR_SLE, 0, b, most)));
  ExprRef sum = is_ceil ? expr_binary(pool, EXPR_ADD, EXPR_NSW, a,
                                      expr_binary(pool, EXPR_ADD, EXPR_NSW, b, expr_const(pool, 64, -1)))
                        : a;
  ExprRef quotient = expr_resize_signed(pool, expr_binary(pool, EXPR_SDIV, 0, sum, b), width);
  ExprRef other = host_unknown(scan, (HostUnknown){.frame = (HostFrame *)frame,
                                                   .loop = frame->function->cfg->loop_of[inst->block],
                                                   .width = width,
                                                   .name = "quotient",
                                                   .loc = host_loc(scan, frame, inst)});
  return expr_ite(pool, fits, quotient, other);
}

ExprRef host_add_offset(HostScan *scan, ExprRef base, ExprRef offset) {
  ASSERT(expr_is_of(scan->pool, base));
  ASSERT(host_has_word(scan, offset, 64));
  return expr_binary(scan->pool, EXPR_ADD, EXPR_ADDRESS, base, offset);
}

// ---- signs
// Not negative, as it is made of numbers that are not: sums, products, quotients and parts of such, exact where their text says so. A
// count that is narrowed fits (A1); what was mixed before need not.
static bool is_natural(ExprPool *pool, ExprRef ref, int depth) {
  ExprNode node = *expr_node(pool, ref);
  int64_t lo = 0, hi = 0, by = 0;
  expr_range(pool, ref, &lo, &hi);
  if (lo >= 0) return true;
  if (depth == 0) return false;
  bool a = node.a && is_natural(pool, node.a, depth - 1), is_exact = node.flags & EXPR_NSW;
  bool is_number = node.b && expr_is_const(pool, node.b, &by) && by >= 0;
  if (node.op == EXPR_TRUNC) return a && node.width >= 32 && expr_node(pool, node.a)->op == EXPR_SYM;
  if (node.op == EXPR_SEXT || node.op == EXPR_ZEXT) return a;
  if (node.op == EXPR_SDIV || node.op == EXPR_SREM || node.op == EXPR_ASHR || node.op == EXPR_SHL)
    return a && is_number && (node.op != EXPR_SHL || is_exact);
  if (node.op == EXPR_ITE) return is_natural(pool, node.b, depth - 1) && is_natural(pool, node.c, depth - 1);
  is_exact |= node.op == EXPR_ADD && node.width == 64;
  return (node.op == EXPR_ADD || node.op == EXPR_MUL) && is_exact && a && is_natural(pool, node.b, depth - 1);
}

bool host_is_natural(ExprPool *pool, ExprRef ref) {
  enum { DEPTH = 8 };
  ASSERT(expr_is_of(pool, ref));
  return is_natural(pool, ref, DEPTH);
}
