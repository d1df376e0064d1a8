// What is the value of an expression, or its range? Machine arithmetic modulo 2^w on signed readings.
// Soundness: exact; what has no meaning in the program (wrap of NSW/NUW/ADDRESS arithmetic, division by zero,
// large shift counts) is told apart from a value, so that no witness can lean on it. Ranges over-approximate.
// SPDX-License-Identifier: Apache-2.0
#include "core/expr_internal.h"

#include "core/bug.h"

#include <string.h>

int64_t expr_signed_reading(int64_t value, uint8_t width) {
  ASSERT(width >= 1 && width <= 64);
  if (width >= 64) return value;
  uint64_t bits = (uint64_t)value & (((uint64_t)1 << width) - 1);
  if (width == 1) return (int64_t)bits;
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (int64_t)((bits ^ sign) - sign);
}

uint64_t expr_unsigned_reading(int64_t value, uint8_t width) {
  ASSERT(width >= 1 && width <= 64);
  return width >= 64 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << width) - 1);
}

static ExprEvalResult fold_sum(ExprOp op, uint8_t flags, uint8_t width, int64_t a, int64_t b,
                               int64_t *value) {
  Wide exact = op == EXPR_ADD ? (Wide)a + b : op == EXPR_SUB ? (Wide)a - b : (Wide)a * b;
  *value = expr_signed_reading((int64_t)(uint64_t)exact, width);
  if ((flags & (EXPR_NSW | EXPR_ADDRESS)) && exact != *value) return EXPR_EVAL_OVERFLOW;
  if (flags & EXPR_NUW) {
    Wide ua = (Wide)expr_unsigned_reading(a, width), ub = (Wide)expr_unsigned_reading(b, width);
    // A product of two 64-bit unsigned numbers fits 128 bits unsigned; compare through that.
    unsigned __int128 product = (unsigned __int128)ua * (unsigned __int128)ub;
    unsigned __int128 limit = (unsigned __int128)1 << width;
    if (op == EXPR_SUB ? ua < ub : op == EXPR_ADD ? (unsigned __int128)(ua + ub) >= limit : product >= limit)
      return EXPR_EVAL_OVERFLOW;
  }
  return EXPR_EVAL_OK;
}

static ExprEvalResult fold_division(ExprOp op, uint8_t width, int64_t a, int64_t b, int64_t *value) {
  if (b == 0) return EXPR_EVAL_UNDEFINED;
  uint64_t ua = expr_unsigned_reading(a, width), ub = expr_unsigned_reading(b, width);
  if (op == EXPR_UDIV || op == EXPR_UREM) {
    *value = expr_signed_reading((int64_t)(op == EXPR_UDIV ? ua / ub : ua % ub), width);
    return EXPR_EVAL_OK;
  }
  Wide quotient = (Wide)a / b;
  if (expr_signed_reading((int64_t)(uint64_t)quotient, width) != quotient)
    return EXPR_EVAL_UNDEFINED; // INT_MIN / -1
  *value = op == EXPR_SDIV ? (int64_t)quotient : (int64_t)((Wide)a % b);
  return EXPR_EVAL_OK;
}

static ExprEvalResult fold_shift(ExprOp op, uint8_t flags, uint8_t width, int64_t a, int64_t b,
                                 int64_t *value) {
  if (expr_unsigned_reading(b, width) >= width) return EXPR_EVAL_UNDEFINED;
  if (op == EXPR_ASHR) {
    *value = a >> b;
    return EXPR_EVAL_OK;
  }
  uint64_t bits = expr_unsigned_reading(a, width);
  *value = expr_signed_reading((int64_t)(op == EXPR_SHL ? bits << b : bits >> b), width);
  if (op == EXPR_LSHR) return EXPR_EVAL_OK;
  if ((flags & (EXPR_NSW | EXPR_ADDRESS)) && (*value >> b) != a) return EXPR_EVAL_OVERFLOW;
  if ((flags & EXPR_NUW) && (expr_unsigned_reading(*value, width) >> b) != bits) return EXPR_EVAL_OVERFLOW;
  return EXPR_EVAL_OK;
}

ExprEvalResult expr_fold(ExprOp op, uint8_t flags, uint8_t width, uint8_t from_width, int64_t a, int64_t b,
                         int64_t *value) {
  ASSERT(op > EXPR_NONE && op < EXPR_OP_COUNT);
  ASSERT(expr_is_width(width));
  ASSERT(value);
  uint64_t ua = expr_unsigned_reading(a, from_width), ub = expr_unsigned_reading(b, from_width);
  switch (op) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL: return fold_sum(op, flags, width, a, b, value);
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM: return fold_division(op, width, a, b, value);
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR: return fold_shift(op, flags, width, a, b, value);
  case EXPR_AND: *value = a & b; return EXPR_EVAL_OK;
  case EXPR_OR: *value = a | b; return EXPR_EVAL_OK;
  case EXPR_XOR: *value = a ^ b; return EXPR_EVAL_OK;
  case EXPR_NOT: *value = !a; return EXPR_EVAL_OK;
  case EXPR_ZEXT: *value = expr_signed_reading((int64_t)ua, width); return EXPR_EVAL_OK;
  case EXPR_SEXT: *value = from_width == 1 ? expr_signed_reading(-a, width) : a; return EXPR_EVAL_OK;
  case EXPR_TRUNC: *value = expr_signed_reading(a, width); return EXPR_EVAL_OK;
  case EXPR_EQ: *value = a == b; return EXPR_EVAL_OK;
  case EXPR_SLT: *value = a < b; return EXPR_EVAL_OK;
  case EXPR_SLE: *value = a <= b; return EXPR_EVAL_OK;
  case EXPR_ULT: *value = ua < ub; return EXPR_EVAL_OK;
  case EXPR_ULE: *value = ua <= ub; return EXPR_EVAL_OK;
  case EXPR_NONE:
  case EXPR_CONST:
  case EXPR_SYM:
  case EXPR_APP:
  case EXPR_ITE:
  case EXPR_OP_COUNT: break;
  }
  BUG("cannot fold operation %d", (int)op);
}

// ---- evaluation of a DAG
static ExprEvalResult eval(ExprPool *pool, ExprRef ref, const ExprEnv *env, int64_t *value);

static ExprEvalResult eval_app(ExprPool *pool, const ExprNode *node, const ExprEnv *env, int64_t *value) {
  int64_t fixed[8], *args = fixed;
  Arena *scratch = NULL;
  if (node->arg_count > 8) {
    scratch = arena_open();
    args = arena_array(scratch, node->arg_count, int64_t);
  }
  ExprEvalResult result = EXPR_EVAL_OK;
  for (uint32_t i = 0; i < node->arg_count && result == EXPR_EVAL_OK; i++)
    result = eval(pool, node->args[i], env, &args[i]);
  if (result == EXPR_EVAL_OK &&
      (!env->app || !env->app(env->context, (uint32_t)node->value, node->arg_count, args, value)))
    result = EXPR_EVAL_UNKNOWN;
  arena_close(scratch);
  return result;
}

// Truth values: an operand that decides alone is enough, so the other may be meaningless.
static ExprEvalResult eval_logic(ExprPool *pool, const ExprNode *node, const ExprEnv *env, int64_t *value) {
  int64_t a = 0, b = 0, decides = node->op == EXPR_OR;
  ExprEvalResult first = eval(pool, node->a, env, &a);
  if (first == EXPR_EVAL_OK && a == decides) {
    *value = decides;
    return EXPR_EVAL_OK;
  }
  ExprEvalResult second = eval(pool, node->b, env, &b);
  if (second == EXPR_EVAL_OK && b == decides) {
    *value = decides;
    return EXPR_EVAL_OK;
  }
  *value = !decides;
  return first != EXPR_EVAL_OK ? first : second;
}

static ExprEvalResult eval_node(ExprPool *pool, const ExprNode *node, const ExprEnv *env, int64_t *value) {
  if (node->op == EXPR_CONST) {
    *value = node->value;
    return EXPR_EVAL_OK;
  }
  if (node->op == EXPR_SYM) {
    if ((uint64_t)node->value >= env->sym_count) return EXPR_EVAL_UNKNOWN;
    *value = env->sym_values[node->value];
    return EXPR_EVAL_OK;
  }
  if (node->op == EXPR_APP) return eval_app(pool, node, env, value);
  if (node->width == 1 && (node->op == EXPR_AND || node->op == EXPR_OR))
    return eval_logic(pool, node, env, value);
  int64_t a = 0, b = 0;
  ExprEvalResult result = eval(pool, node->a, env, &a);
  if (result != EXPR_EVAL_OK) return result;
  if (node->op == EXPR_ITE) return eval(pool, a ? node->b : node->c, env, value);
  if (node->b) result = eval(pool, node->b, env, &b);
  if (result != EXPR_EVAL_OK) return result;
  return expr_fold((ExprOp)node->op, node->flags, node->width, expr_at(pool, node->a)->width, a, b, value);
}

static ExprEvalResult eval(ExprPool *pool, ExprRef ref, const ExprEnv *env, int64_t *value) {
  ExprEvalMemo *memo = expr_memo(pool, ref);
  bool is_known =
      memo->stamp == pool->memo_stamp || (memo->stamp >= pool->memo_first && memo->result == EXPR_EVAL_OK);
  if (!is_known) {
    int64_t result_value = 0;
    ExprEvalResult result = eval_node(pool, expr_at(pool, ref), env, &result_value);
    *memo = (ExprEvalMemo){pool->memo_stamp, result, result_value};
  }
  *value = memo->value;
  return memo->result;
}

// A new stamp.
static void open_memo(ExprPool *pool) {
  if (++pool->memo_stamp != 0) return;
  for (uint32_t p = 0; p < pool->pages.count; p++) // wrapped: forget all
    if (pool->pages.items[p]->memo) memset(pool->pages.items[p]->memo, 0, EXPR_PAGE * sizeof(ExprEvalMemo));
  pool->memo_stamp = 1;
}

ExprEvalResult expr_eval_next(const ExprPool *pool, ExprRef ref, const ExprEnv *env, ExprSeries *series,
                              int64_t *value) {
  ASSERT(expr_is_of(pool, ref));
  ASSERT(value && series);
  ExprPool *scratch = (ExprPool *)pool; // the memo is scratch, not state
  open_memo(scratch);
  // Whatever else was evaluated in between had a stamp, and may have left its values.
  bool goes_on = series->first && series->last + 1 == scratch->memo_stamp;
  scratch->memo_first = goes_on ? series->first : scratch->memo_stamp;
  *series = (ExprSeries){scratch->memo_first, scratch->memo_stamp};
  return eval(scratch, ref, env, value);
}

ExprEvalResult expr_eval(const ExprPool *pool, ExprRef ref, const ExprEnv *env, int64_t *value) {
  ExprSeries alone = {0};
  return expr_eval_next(pool, ref, env, &alone, value);
}

// ---- ranges
static ExprRange range_fit(Wide lo, Wide hi, uint8_t width, bool may_not_wrap) {
  ExprRange full = expr_width_range(width);
  if (lo >= full.lo && hi <= full.hi) return (ExprRange){(int64_t)lo, (int64_t)hi};
  if (!may_not_wrap) return full;
  if (lo < full.lo) lo = full.lo;
  if (hi > full.hi) hi = full.hi;
  return lo > hi ? full : (ExprRange){(int64_t)lo, (int64_t)hi};
}

static ExprRange range_sum(const ExprNode *node, ExprRange a, ExprRange b) {
  bool exact = node->flags & (EXPR_NSW | EXPR_ADDRESS);
  if (node->op == EXPR_ADD) return range_fit((Wide)a.lo + b.lo, (Wide)a.hi + b.hi, node->width, exact);
  if (node->op == EXPR_SUB) return range_fit((Wide)a.lo - b.hi, (Wide)a.hi - b.lo, node->width, exact);
  Wide products[] = {(Wide)a.lo * b.lo, (Wide)a.lo * b.hi, (Wide)a.hi * b.lo, (Wide)a.hi * b.hi};
  Wide lo = products[0], hi = products[0];
  for (int i = 1; i < 4; i++) {
    if (products[i] < lo) lo = products[i];
    if (products[i] > hi) hi = products[i];
  }
  return range_fit(lo, hi, node->width, exact);
}

// All bits below the highest one of x set; x >= 0.
static int64_t bits_below(int64_t x) {
  uint64_t mask = (uint64_t)x;
  for (unsigned shift = 1; shift < 64; shift *= 2)
    mask |= mask >> shift;
  return (int64_t)mask;
}

static ExprRange range_bits(const ExprNode *node, ExprRange a, ExprRange b) {
  ExprRange full = expr_width_range(node->width);
  if (node->op == EXPR_AND) {
    if (a.lo >= 0 && b.lo >= 0) return (ExprRange){0, a.hi < b.hi ? a.hi : b.hi};
    if (a.lo >= 0) return (ExprRange){0, a.hi};
    if (b.lo >= 0) return (ExprRange){0, b.hi};
    return full;
  }
  if (a.lo < 0 || b.lo < 0) return full;
  int64_t top = bits_below(a.hi > b.hi ? a.hi : b.hi);
  return (ExprRange){node->op == EXPR_OR ? (a.lo > b.lo ? a.lo : b.lo) : 0, top};
}

static ExprRange range_division(const ExprNode *node, ExprRange a, ExprRange b) {
  ExprRange full = expr_width_range(node->width);
  bool is_signed = node->op == EXPR_SDIV || node->op == EXPR_SREM;
  if (!is_signed && a.lo < 0) return full;
  if (!is_signed && b.lo < 0) return (ExprRange){0, a.hi}; // by a large number, perhaps
  if (node->op == EXPR_SREM || node->op == EXPR_UREM) {
    if (b.lo < 0) return a.lo >= 0 ? (ExprRange){0, a.hi} : full;
    int64_t most = b.hi > 0 ? b.hi - 1 : 0;
    int64_t hi = a.hi < 0 ? 0 : a.hi < most ? a.hi : most, lo = a.lo >= 0 ? 0 : a.lo > -most ? a.lo : -most;
    return (ExprRange){lo, hi};
  }
  if (b.lo < 0) return full;
  int64_t least = b.lo > 0 ? b.lo : 1, most = b.hi > 0 ? b.hi : 1;
  return (ExprRange){a.lo >= 0 ? a.lo / most : a.lo / least, a.hi >= 0 ? a.hi / least : a.hi / most};
}

static ExprRange range_shift(const ExprNode *node, ExprRange a, ExprRange b) {
  ExprRange full = expr_width_range(node->width);
  if (b.lo < 0 || b.hi >= node->width) return node->op != EXPR_SHL && a.lo >= 0 ? (ExprRange){0, a.hi} : full;
  if (node->op == EXPR_SHL) {
    Wide factor = (Wide)1 << b.hi;
    return range_fit(a.lo < 0 ? a.lo * factor : (Wide)a.lo << b.lo,
                     a.hi < 0 ? (Wide)a.hi * ((Wide)1 << b.lo) : a.hi * factor, node->width,
                     node->flags & (EXPR_NSW | EXPR_ADDRESS));
  }
  if (node->op == EXPR_LSHR && a.lo < 0) {
    if (b.lo == 0) return full;
    return (ExprRange){0, (int64_t)(expr_unsigned_reading(-1, node->width) >> b.lo)};
  }
  return (ExprRange){a.lo < 0 ? a.lo >> b.lo : a.lo >> b.hi, a.hi < 0 ? a.hi >> b.hi : a.hi >> b.lo};
}

static ExprRange range_cast(const ExprPool *pool, const ExprNode *node, ExprRange a) {
  uint8_t from = expr_at(pool, node->a)->width;
  if (node->op == EXPR_SEXT) return from == 1 ? (ExprRange){-a.hi, -a.lo} : a;
  if (node->op == EXPR_ZEXT) {
    if (a.lo >= 0) return a;
    return (ExprRange){0, (int64_t)expr_unsigned_reading(-1, from)};
  }
  return range_fit(a.lo, a.hi, node->width, false);
}

ExprRange expr_node_range(const ExprPool *pool, const ExprNode *node) {
  ExprRange none = {0, 0};
  ExprRange a = node->a ? expr_ref_range(pool, node->a) : none,
            b = node->b ? expr_ref_range(pool, node->b) : none;
  switch ((ExprOp)node->op) {
  case EXPR_CONST: return (ExprRange){node->value, node->value};
  case EXPR_SYM: return (ExprRange){pool->syms.items[node->value].lo, pool->syms.items[node->value].hi};
  case EXPR_APP: return (ExprRange){pool->funcs.items[node->value].lo, pool->funcs.items[node->value].hi};
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL: return range_sum(node, a, b);
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_UDIV:
  case EXPR_UREM: return range_division(node, a, b);
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR: return range_shift(node, a, b);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR: return range_bits(node, a, b);
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC: return range_cast(pool, node, a);
  case EXPR_ITE: {
    ExprRange c = expr_ref_range(pool, node->c);
    return (ExprRange){b.lo < c.lo ? b.lo : c.lo, b.hi > c.hi ? b.hi : c.hi};
  }
  case EXPR_NOT:
  case EXPR_EQ:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_ULT:
  case EXPR_ULE: return (ExprRange){0, 1};
  case EXPR_NONE:
  case EXPR_OP_COUNT: break;
  }
  BUG("no range for operation %d", (int)node->op);
}
