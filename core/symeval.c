// Which expression does an IR instruction compute from the expressions of its operands? Integer operations
// map one to one; the predicates that core/expr.h does not have are swapped or negated; truth values are
// words of one bit with the readings 0 and 1, so signed comparison of them is turned round. Floating-point
// operations are pure functions of bits, named after operation and operand width ("fadd32"), in one canonical
// form: operands of commutative ones are ordered, comparisons reduce to oeq, olt, ole, one, uno, conversions
// of integers to that of their 64-bit value. Soundness: exact on integers. Functions of floating point are
// equal for equal operands, and nothing else is known of them but where all are constants (symeval_floats.c); 16-bit operands count as one format (half and
// bfloat are not told apart in the IR).
// SPDX-License-Identifier: Apache-2.0
#include "core/symeval.h"

#include "core/bug.h"
#include "core/symeval_internal.h"

#include <stdio.h>
#include <string.h>

typedef struct Site {
  ExprPool *pool;
  const IrInst *inst;
  const ExprRef *operands;
  IrType from; // type of the first operand
} Site;

uint8_t symeval_width(IrType type) {
  ASSERT(type.kind != IR_INT || expr_is_width(type.bits));
  if (type.kind == IR_INT || type.kind == IR_FLOAT) return type.bits;
  return type.kind == IR_PTR ? 64 : 0;
}

ExprRef symeval_const(ExprPool *pool, const IrConst *constant) {
  if (constant->is_undef || (constant->type.kind != IR_INT && constant->type.kind != IR_FLOAT)) return 0;
  return expr_const(pool, constant->type.bits, constant->bits);
}

// ---- integers
static const uint8_t integer_op[IR_OP_COUNT] = {
    [IR_ADD] = EXPR_ADD,   [IR_SUB] = EXPR_SUB,   [IR_MUL] = EXPR_MUL,   [IR_SDIV] = EXPR_SDIV,
    [IR_UDIV] = EXPR_UDIV, [IR_SREM] = EXPR_SREM, [IR_UREM] = EXPR_UREM, [IR_SHL] = EXPR_SHL,
    [IR_LSHR] = EXPR_LSHR, [IR_ASHR] = EXPR_ASHR, [IR_AND] = EXPR_AND,   [IR_OR] = EXPR_OR,
    [IR_XOR] = EXPR_XOR,
};

ExprOp symeval_word_op(IrOp op) {
  ASSERT(op < IR_OP_COUNT);
  static const uint8_t resizing_op[IR_OP_COUNT] = {
      [IR_TRUNC] = EXPR_TRUNC, [IR_ZEXT] = EXPR_ZEXT, [IR_SEXT] = EXPR_SEXT};
  return (ExprOp)(integer_op[op] ? integer_op[op] : resizing_op[op]);
}

// Modulo 2: a sum is xor, a product is and; dividing or shifting by the one allowed operand changes nothing.
// An operation without a row is not understood.
typedef enum TruthArith {
  TRUTH_NONE = 0,
  TRUTH_XOR,
  TRUTH_AND,
  TRUTH_OR,
  TRUTH_FALSE,
  TRUTH_FIRST
} TruthArith;
static const uint8_t truth_ariths[IR_OP_COUNT] = {
    [IR_ADD] = TRUTH_XOR,    [IR_SUB] = TRUTH_XOR,    [IR_XOR] = TRUTH_XOR,    [IR_MUL] = TRUTH_AND,
    [IR_AND] = TRUTH_AND,    [IR_OR] = TRUTH_OR,      [IR_SREM] = TRUTH_FALSE, [IR_UREM] = TRUTH_FALSE,
    [IR_SDIV] = TRUTH_FIRST, [IR_UDIV] = TRUTH_FIRST, [IR_SHL] = TRUTH_FIRST,  [IR_LSHR] = TRUTH_FIRST,
    [IR_ASHR] = TRUTH_FIRST,
};

static ExprRef truth_arith(const Site *s) {
  ExprRef a = s->operands[0], b = s->operands[1];
  switch ((TruthArith)truth_ariths[s->inst->op]) {
  case TRUTH_NONE: return 0;
  case TRUTH_XOR: return expr_binary(s->pool, EXPR_XOR, 0, a, b);
  case TRUTH_AND: return expr_and(s->pool, a, b);
  case TRUTH_OR: return expr_or(s->pool, a, b);
  case TRUTH_FALSE: return expr_bool(s->pool, false);
  case TRUTH_FIRST: return a;
  }
  return 0;
}

static uint8_t wrap_flags(const IrInst *inst) {
  unsigned flags = inst->flags & IR_FLAG_NSW ? EXPR_NSW : 0;
  if (inst->flags & IR_FLAG_NUW) flags |= EXPR_NUW;
  if (inst->flags & IR_FLAG_ADDRESS) flags |= EXPR_ADDRESS;
  return ir_op_flags((IrOp)inst->op) & IR_NSWABLE ? (uint8_t)flags : 0;
}

ExprRef symeval_compare(ExprPool *pool, IrPred pred, ExprRef a, ExprRef b) {
  ASSERT(pred > IR_PRED_NONE && pred < IR_PRED_COUNT);
  ASSERT(expr_is_of(pool, a));
  ASSERT(expr_is_of(pool, b));
  switch ((int)pred) {
  case IR_EQ: return expr_eq(pool, a, b);
  case IR_NE: return expr_ne(pool, a, b);
  case IR_SLT: return expr_binary(pool, EXPR_SLT, 0, a, b);
  case IR_SLE: return expr_binary(pool, EXPR_SLE, 0, a, b);
  case IR_SGT: return expr_binary(pool, EXPR_SLT, 0, b, a);
  case IR_SGE: return expr_binary(pool, EXPR_SLE, 0, b, a);
  case IR_ULT: return expr_binary(pool, EXPR_ULT, 0, a, b);
  case IR_ULE: return expr_binary(pool, EXPR_ULE, 0, a, b);
  case IR_UGT: return expr_binary(pool, EXPR_ULT, 0, b, a);
  case IR_UGE: return expr_binary(pool, EXPR_ULE, 0, b, a);
  default: return 0;
  }
}

static ExprRef compare_words(const Site *s) {
  bool is_turned =
      s->from.bits == 1 && s->inst->pred >= IR_SLT && s->inst->pred <= IR_SGE; // true is -1 when signed
  ExprRef a = s->operands[is_turned ? 1 : 0], b = s->operands[is_turned ? 0 : 1];
  return symeval_compare(s->pool, (IrPred)s->inst->pred, a, b);
}

// ---- pure functions
static ExprRef apply_named(const Site *s, const char *name, uint8_t width, uint32_t count,
                           const ExprRef *args) {
  return expr_app(s->pool, expr_func_named(s->pool, name, width), count, args);
}

// The function `name` over operands of the first operand's width.
static ExprRef apply_float(const Site *s, const char *name, uint8_t width, uint32_t count,
                           const ExprRef *args) {
  char full[40];
  ExprRef folded = symeval_fold_floats(s->pool, name, s->from.bits, width, count, args);
  if (folded) return folded;
  snprintf(full, sizeof full, "%s%u", name, s->from.bits);
  return apply_named(s, full, width, count, args);
}

static ExprRef apply_ordered(const Site *s, const char *name, uint8_t width, ExprRef a, ExprRef b) {
  ExprRef args[] = {a < b ? a : b, a < b ? b : a};
  return apply_float(s, name, width, 2, args);
}

static ExprRef float_arith(const Site *s) {
  uint8_t width = s->inst->type.bits;
  ExprRef a = s->operands[0];
  if (s->inst->op == IR_FNEG) // turns the sign bit, in every format
    return expr_binary(s->pool, EXPR_XOR, 0, a,
                       expr_const(s->pool, width, (int64_t)((uint64_t)1 << (width - 1))));
  const char *name = ir_op_name((IrOp)s->inst->op); // a function by the operation's own name
  return ir_inst_is(s->inst, IR_COMMUTES) ? apply_ordered(s, name, width, a, s->operands[1])
                                          : apply_float(s, name, width, 2, s->operands);
}

static ExprRef less(const Site *s, const char *name, ExprRef a, ExprRef b) {
  ExprRef args[] = {a, b};
  return apply_float(s, name, 1, 2, args);
}

// Unordered predicates are the negations of ordered ones: ult is not (a >= b).
static ExprRef compare_floats(const Site *s) {
  ExprRef a = s->operands[0], b = s->operands[1];
  switch (s->inst->pred) {
  case IR_FFALSE: return expr_bool(s->pool, false);
  case IR_FTRUE: return expr_bool(s->pool, true);
  case IR_FOEQ: return apply_ordered(s, "fcmp_oeq", 1, a, b);
  case IR_FUNE: return expr_not(s->pool, apply_ordered(s, "fcmp_oeq", 1, a, b));
  case IR_FONE: return apply_ordered(s, "fcmp_one", 1, a, b);
  case IR_FUEQ: return expr_not(s->pool, apply_ordered(s, "fcmp_one", 1, a, b));
  case IR_FUNO: return apply_ordered(s, "fcmp_uno", 1, a, b);
  case IR_FORD: return expr_not(s->pool, apply_ordered(s, "fcmp_uno", 1, a, b));
  case IR_FOLT: return less(s, "fcmp_olt", a, b);
  case IR_FOGT: return less(s, "fcmp_olt", b, a);
  case IR_FOLE: return less(s, "fcmp_ole", a, b);
  case IR_FOGE: return less(s, "fcmp_ole", b, a);
  case IR_FUGE: return expr_not(s->pool, less(s, "fcmp_olt", a, b));
  case IR_FULE: return expr_not(s->pool, less(s, "fcmp_olt", b, a));
  case IR_FUGT: return expr_not(s->pool, less(s, "fcmp_ole", a, b));
  case IR_FULT: return expr_not(s->pool, less(s, "fcmp_ole", b, a));
  default: return 0;
  }
}

// ---- casts
// The
// result depends on the number alone, not on the type that held it.
static ExprRef int_to_float(const Site *s, bool is_signed) {
  uint8_t width = s->inst->type.bits;
  if (!is_signed && s->from.bits == 64) {
    ExprRef known = symeval_fold_integer(s->pool, false, width, s->operands[0]);
    return known ? known : apply_named(s, "uitofp64", width, 1, s->operands);
  }
  ExprRef number = is_signed ? expr_resize_signed(s->pool, s->operands[0], 64)
                             : expr_resize_unsigned(s->pool, s->operands[0], 64);
  ExprRef known = symeval_fold_integer(s->pool, true, width, number);
  return known ? known : apply_named(s, "sitofp64", width, 1, &number);
}

static ExprRef cast(const Site *s) {
  uint8_t width = symeval_width(s->inst->type);
  ExprRef a = s->operands[0];
  IrOp op = (IrOp)s->inst->op;
  if (ir_op_flags(op) & IR_RESIZES) return expr_unary(s->pool, symeval_word_op(op), width, a);
  if (op == IR_PTRTOINT || op == IR_INTTOPTR) return expr_resize_unsigned(s->pool, a, width);
  if (op == IR_BITCAST) return expr_width(s->pool, a) == width ? a : 0;
  if (op == IR_SITOFP || op == IR_UITOFP) return int_to_float(s, op == IR_SITOFP);
  // Of floating-point numbers, to another format or to an integer: a function by the operation's own name.
  return s->from.kind == IR_FLOAT ? apply_float(s, ir_op_name(op), width, 1, s->operands) : 0;
}

// ---- named functions
static bool is_intrinsic(const char *name, const char *intrinsic) {
  size_t length = strlen(intrinsic);
  return strncmp(name, intrinsic, length) == 0 && (name[length] == '.' || name[length] == '\0');
}

static ExprRef choose(const Site *s, ExprOp compare, bool want_less) {
  ExprRef a = s->operands[0], b = s->operands[1];
  ExprRef is_less = expr_binary(s->pool, compare, 0, a, b);
  return want_less ? expr_ite(s->pool, is_less, a, b) : expr_ite(s->pool, is_less, b, a);
}

// Integer functions with an exact expression; 0 for all others.
static ExprRef integer_function(const Site *s, const char *name, uint8_t width) {
  if (s->inst->op_count < 1 || width <= 1) return 0;
  if (is_intrinsic(name, "llvm.abs") || is_intrinsic(name, "abs") || is_intrinsic(name, "labs")) {
    ExprRef a = s->operands[0], zero = expr_const(s->pool, width, 0);
    ExprRef negated = expr_binary(s->pool, EXPR_SUB, 0, zero, a);
    return expr_ite(s->pool, expr_binary(s->pool, EXPR_SLT, 0, a, zero), negated, a);
  }
  if (s->inst->op_count != 2) return 0;
  if (is_intrinsic(name, "llvm.smin")) return choose(s, EXPR_SLT, true);
  if (is_intrinsic(name, "llvm.smax")) return choose(s, EXPR_SLT, false);
  if (is_intrinsic(name, "llvm.umin")) return choose(s, EXPR_ULT, true);
  if (is_intrinsic(name, "llvm.umax")) return choose(s, EXPR_ULT, false);
  return 0;
}

// Does the name alone say which function it is? Not if operands have other widths than the result, or imm
// counts.
static bool is_plain(const IrModule *module, const IrFunction *function, const IrInst *inst) {
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (symeval_width(ir_ref_type(module, function, inst->ops[i])) != symeval_width(inst->type)) return false;
  return inst->imm == 0;
}

// The same name over other widths or with another imm is another function.
static ExprRef pure_named(const Site *s, const IrModule *module, const IrFunction *function,
                          const char *name) {
  const IrInst *inst = s->inst;
  uint8_t width = symeval_width(inst->type);
  if (is_plain(module, function, inst)) return apply_named(s, name, width, inst->op_count, s->operands);
  StrBuf full = {.arena = arena_open()};
  strbuf_add(&full, name);
  for (uint32_t i = 0; i < inst->op_count; i++)
    strbuf_printf(&full, ".%u", symeval_width(ir_ref_type(module, function, inst->ops[i])));
  if (inst->imm) strbuf_printf(&full, "#%lld", (long long)inst->imm);
  ExprRef result = apply_named(s, strbuf_text(&full), width, inst->op_count, s->operands);
  arena_close(full.arena);
  return result;
}

static ExprRef pure(const Site *s, const IrModule *module, const IrFunction *function) {
  const IrInst *inst = s->inst;
  if (!inst->name) return 0;
  bool is_integer = inst->type.kind == IR_INT && s->from.kind == IR_INT && s->from.bits == inst->type.bits;
  ExprRef known = is_integer ? integer_function(s, inst->name, inst->type.bits) : 0;
  if (inst->type.kind == IR_FLOAT && is_plain(module, function, inst))
    known = symeval_fold_function(s->pool, inst->name, inst->type.bits, inst->op_count, s->operands);
  return known ? known : pure_named(s, module, function, inst->name);
}

// ---- entry point
static bool has_words(const Site *s, const IrModule *module, const IrFunction *function) {
  if (symeval_width(s->inst->type) == 0) return false;
  for (uint32_t i = 0; i < s->inst->op_count; i++) {
    uint8_t width = symeval_width(ir_ref_type(module, function, s->inst->ops[i]));
    if (s->operands[i] == 0 || width == 0) return false;
    BUG_UNLESS(expr_width(s->pool, s->operands[i]) == width);
  }
  return true;
}

bool symeval_is_symbolic(IrOp op) {
  ASSERT(op > IR_NONE && op < IR_OP_COUNT);
  IrOpClass class = ir_op_class(op);
  return class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST || op == IR_SELECT ||
         op == IR_PURE;
}

// `__brev(x) >> 24`: the first bits of x in the opposite order. More of them are left to an opaque function.
static ExprRef first_bits_reversed(const Site *s) {
  enum { BIT_LIMIT = 12 };
  ExprPool *pool = s->pool;
  ExprNode node = *expr_node(pool, s->operands[0]);
  int64_t distance = 0;
  if (node.op != EXPR_APP || node.arg_count != 1 || !expr_is_const(pool, s->operands[1], &distance)) return 0;
  const char *name = expr_func_info(pool, (uint32_t)node.value)->name;
  uint8_t width = node.width;
  bool is_reversal =
      is_intrinsic(name, "llvm.bitreverse") || is_intrinsic(name, "__brev") || is_intrinsic(name, "__brevll");
  if (!is_reversal || distance < width - BIT_LIMIT || distance >= width) return 0;
  ExprRef word = node.args[0], sum = expr_const(pool, width, 0), one = expr_const(pool, width, 1);
  if (expr_width(pool, word) != width) return 0;
  for (int64_t bit = 0; bit < width - distance; bit++) {
    ExprRef moved = expr_binary(pool, EXPR_LSHR, 0, word, expr_const(pool, width, bit));
    ExprRef place = expr_const(pool, width, (int64_t)1 << (width - distance - 1 - bit));
    ExprRef value = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_binary(pool, EXPR_AND, 0, moved, one), place);
    sum = expr_binary(pool, EXPR_ADD, EXPR_NSW, sum, value);
  }
  return sum;
}

// `31 - __clz(x)`, `0x80000000u >> __clz(x)`: what hangs on the highest bit of a small x, case by case.
static ExprRef by_highest_bit(const Site *s) {
  enum { BIT_LIMIT = 12 };
  ExprPool *pool = s->pool;
  ExprNode node = *expr_node(pool, s->operands[1]);
  if (node.op != EXPR_APP || node.width != 32 || node.arg_count != 1 ||
      !expr_is_const(pool, s->operands[0], NULL) ||
      !is_intrinsic(expr_func_info(pool, (uint32_t)node.value)->name, "__clz"))
    return 0;
  ExprRef word = node.args[0];
  int64_t lo = 0, hi = 0;
  expr_range(pool, word, &lo, &hi);
  if (expr_width(pool, word) != 32 || lo < 0 || hi >= 1 << BIT_LIMIT) return 0;
  ExprOp op = (ExprOp)integer_op[s->inst->op];
  ExprRef value = 0;
  if (lo == 0) value = expr_binary(pool, op, wrap_flags(s->inst), s->operands[0], s->operands[1]); // no bit
  for (int64_t bit = 0; (int64_t)1 << bit <= hi; bit++) {
    if (lo >= (int64_t)2 << bit) continue;
    ExprRef here = expr_binary(pool, op, wrap_flags(s->inst), s->operands[0], expr_const(pool, 32, 31 - bit));
    ExprRef is_here = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, (int64_t)1 << bit), word);
    value = value ? expr_ite(pool, is_here, here, value) : here;
  }
  return value;
}

static ExprRef value_of(ExprPool *pool, const IrModule *module, const IrFunction *function,
                        const IrInst *inst, const ExprRef *operands) {
  IrOp op = (IrOp)inst->op;
  Site s = {.pool = pool, .inst = inst, .operands = operands};
  if (!symeval_is_symbolic(op) || !has_words(&s, module, function)) return 0;
  if (inst->op_count > 0) s.from = ir_ref_type(module, function, inst->ops[0]);
  if (op == IR_SELECT) return expr_ite(pool, operands[0], operands[1], operands[2]);
  if (op == IR_PURE) return pure(&s, module, function);
  if (op == IR_ICMP) return compare_words(&s);
  if (op == IR_FCMP) return compare_floats(&s);
  if (ir_op_class(op) == IR_CLASS_CAST) return cast(&s);
  if (inst->type.kind == IR_FLOAT) return float_arith(&s);
  if (integer_op[op] == 0) return 0;
  if (inst->type.bits == 1) return truth_arith(&s);
  ExprRef reversed = op == IR_LSHR ? first_bits_reversed(&s) : 0;
  if (reversed) return reversed;
  ExprRef by_bit = op == IR_LSHR || op == IR_SUB ? by_highest_bit(&s) : 0;
  if (by_bit) return by_bit;
  return expr_binary(pool, (ExprOp)integer_op[op], wrap_flags(inst), operands[0], operands[1]);
}

ExprRef symeval_inst(ExprPool *pool, const IrModule *module, const IrFunction *function, const IrInst *inst,
                     const ExprRef *operands) {
  ExprRef value = value_of(pool, module, function, inst, operands);
  ASSERT(!value || expr_width(pool, value) == symeval_width(inst->type));
  return value;
}
