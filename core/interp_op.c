// What does one operation without memory or control give on concrete words and pointers? Integer arithmetic
// is that of expr_fold; pointers are (object, offset) and take part in what does not depend on where the
// object lies. Soundness: exact; where the place of an object in memory matters, the result is unknown. An
// operand that decides alone (x & 0, x * 0) decides even if the other is unknown.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

#include "core/expr.h"

static bool is_word(Value v) {
  return v.kind == VALUE_WORD;
}
static bool is_pointer(Value v) {
  return v.kind == VALUE_POINTER;
}
static bool is_somewhere(Value v) {
  return v.kind == VALUE_UNKNOWN && v.has_object;
}

// ---- integers
static const uint8_t fold_op[IR_OP_COUNT] = {
    [IR_ADD] = EXPR_ADD,   [IR_SUB] = EXPR_SUB,   [IR_MUL] = EXPR_MUL,   [IR_SDIV] = EXPR_SDIV,
    [IR_UDIV] = EXPR_UDIV, [IR_SREM] = EXPR_SREM, [IR_UREM] = EXPR_UREM, [IR_SHL] = EXPR_SHL,
    [IR_LSHR] = EXPR_LSHR, [IR_ASHR] = EXPR_ASHR, [IR_AND] = EXPR_AND,   [IR_OR] = EXPR_OR,
    [IR_XOR] = EXPR_XOR,   [IR_ZEXT] = EXPR_ZEXT, [IR_SEXT] = EXPR_SEXT, [IR_TRUNC] = EXPR_TRUNC,
};

// On words of one bit every wrap flag is dropped: front ends never mean it.
static uint8_t fold_flags(const IrInst *inst) {
  unsigned flags = inst->flags & IR_FLAG_NSW ? EXPR_NSW : 0;
  if (inst->flags & IR_FLAG_NUW) flags |= EXPR_NUW;
  return inst->type.bits == 1 ? 0 : (uint8_t)flags;
}

static bool integer_arith(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  int64_t word = 0;
  ExprEvalResult result = expr_fold((ExprOp)fold_op[inst->op], fold_flags(inst), inst->type.bits,
                                    inst->type.bits, v[0].word, v[1].word, &word);
  if (result != EXPR_EVAL_OK) return interp_stop(run, INTERP_UNDEFINED, NO_INST);
  *out = value_word(inst->type, word);
  return true;
}

// One operand is unknown: does the other decide?
static bool one_decides(const IrInst *inst, const Value *v, Value *out) {
  const Value *known = is_word(v[0]) ? &v[0] : &v[1];
  if (!is_word(*known)) return false;
  int64_t ones = inst->type.bits == 1 ? 1 : -1;
  bool decides =
      known->word == 0 ? inst->op == IR_AND || inst->op == IR_MUL : known->word == ones && inst->op == IR_OR;
  if (decides) *out = *known;
  return decides;
}

// ---- pointers
static Value somewhere(uint32_t object, Value offset) {
  return (Value){.kind = VALUE_UNKNOWN,
                 .cause = offset.kind == VALUE_UNKNOWN ? offset.cause : (uint8_t)CAUSE_UNSUPPORTED,
                 .has_object = true,
                 .object = object,
                 .source = offset.source};
}

static int64_t wrapping_add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t wrapping_sub(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a - (uint64_t)b);
}

Value interp_pointer_add(Interp *run, Value base, Value offset) {
  if (is_word(base) && is_word(offset))
    return value_word(ir_type_int(64), wrapping_add(base.word, offset.word));
  if (is_word(base)) { // an integer that holds a pointer came as the offset
    Value swap = base;
    base = offset;
    offset = swap;
  }
  if (is_pointer(base) && is_word(offset))
    return value_pointer(base.object, wrapping_add(base.word, offset.word));
  if (is_pointer(base) && offset.kind == VALUE_UNKNOWN && !offset.has_object)
    return somewhere(base.object, offset);
  if (is_somewhere(base) && !is_pointer(offset) && !is_somewhere(offset)) return base;
  Value both[] = {base, offset};
  return base.kind == VALUE_UNKNOWN || offset.kind == VALUE_UNKNOWN ? value_poisoned(run, 2, both)
                                                                    : value_opaque(run, 2, both);
}

static Value pointer_sub(Interp *run, const Value *v) {
  if (is_pointer(v[0]) && is_pointer(v[1]) && v[0].object == v[1].object)
    return value_word(ir_type_int(64), wrapping_sub(v[0].word, v[1].word));
  if (is_pointer(v[0]) && is_word(v[1]))
    return value_pointer(v[0].object, wrapping_sub(v[0].word, v[1].word));
  return value_opaque(run, 2, v);
}

static Value pointer_arith(Interp *run, const IrInst *inst, const Value *v) {
  if (inst->type.kind != IR_INT || (inst->type.bits != 64 && inst->type.bits != 32))
    return value_opaque(run, 2, v);
  // A number that is not known could be the distance to another object.
  if (inst->op == IR_ADD && (is_word(v[0]) || is_word(v[1]))) return interp_pointer_add(run, v[0], v[1]);
  if (v[0].kind == VALUE_UNKNOWN || v[1].kind == VALUE_UNKNOWN) return value_poisoned(run, 2, v);
  if (inst->op == IR_SUB) {
    Value out = pointer_sub(run, v);
    return is_word(out) ? value_word(inst->type, out.word) : out;
  }
  // Down to a multiple of what every object begins at.
  bool is_rounding =
      is_word(v[1]) && (v[1].word == -2 || v[1].word == -4 || v[1].word == -8 || v[1].word == -16);
  if (inst->op == IR_AND && is_pointer(v[0]) && is_rounding)
    return value_pointer(v[0].object, v[0].word & v[1].word);
  return value_opaque(run, 2, v);
}

bool interp_arith(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  ASSERT(ir_has_inst(run->function, inst));
  ASSERT(v);
  ASSERT(out);
  uint32_t count = inst->op_count;
  bool known = is_word(v[0]) && (count < 2 || is_word(v[1]));
  bool pointers =
      is_pointer(v[0]) || is_somewhere(v[0]) || (count > 1 && (is_pointer(v[1]) || is_somewhere(v[1])));
  int64_t word = 0;
  if (known && inst->type.kind == IR_INT && count == 2) return integer_arith(run, inst, v, out);
  if (inst->type.kind == IR_INT && count == 2 && one_decides(inst, v, out)) return true;
  if (known && inst->type.kind == IR_FLOAT) {
    bool is_usable =
        (inst->op == IR_FNEG || !run->request->floats_are_unknown) &&
        float_arith((IrOp)inst->op, inst->type.bits, v[0].word, count > 1 ? v[1].word : 0, &word);
    *out = is_usable ? value_word(inst->type, word) : value_opaque(run, count, v);
  } else if (pointers && count == 2) {
    *out = pointer_arith(run, inst, v);
  } else if (known ||
             inst->type.kind == IR_BYTES) { // arithmetic on whole vectors is not in the IR's repertoire
    *out = value_opaque(run, count, v);
  } else {
    *out = value_poisoned(run, count, v);
  }
  return true;
}

// ---- comparisons
static bool holds(int sign, IrPred signed_pred) {
  bool table[][3] = {{false, true, false}, {true, false, true},  {true, false, false},
                     {true, true, false},  {false, false, true}, {false, true, true}};
  return table[signed_pred - IR_EQ][sign + 1];
}

// A truth value is 0 or 1 here; as a signed number it is 0 or -1.
static bool words_compare(IrPred pred, uint8_t bits, int64_t a, int64_t b) {
  if (pred < IR_ULT) {
    if (bits == 1) a = -a, b = -b;
    return holds((a > b) - (a < b), pred);
  }
  uint64_t x = expr_unsigned_reading(a, bits), y = expr_unsigned_reading(b, bits);
  return holds((x > y) - (x < y), (IrPred)(pred - IR_ULT + IR_SLT));
}

// In one object the offsets compare; an object is never at null, and different objects are at different
// places.
static bool pointers_compare(IrPred pred, Value a, Value b, int64_t *out) {
  bool equality = pred == IR_EQ || pred == IR_NE;
  bool a_null = is_word(a) && a.word == 0, b_null = is_word(b) && b.word == 0;
  if (is_pointer(a) && is_pointer(b)) {
    if (a.object != b.object && !equality) return false;
    IrPred by_offset = pred >= IR_ULT ? (IrPred)(pred - IR_ULT + IR_SLT) : pred;
    *out = a.object == b.object ? words_compare(by_offset, 64, a.word, b.word) : pred == IR_NE;
    return true;
  }
  if ((a_null || b_null) && (equality || pred >= IR_ULT)) { // null is below every object
    *out = words_compare(pred, 64, a_null ? 0 : 1, b_null ? 0 : 1);
    return true;
  }
  return false;
}

bool interp_compare(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  ASSERT(ir_has_inst(run->function, inst));
  ASSERT(v);
  ASSERT(out);
  IrType type = ir_ref_type(run->module, run->function, inst->ops[0]);
  bool known = is_word(v[0]) && is_word(v[1]);
  bool has_pointer = is_pointer(v[0]) || is_pointer(v[1]) || is_somewhere(v[0]) || is_somewhere(v[1]);
  bool has_unknown = v[0].kind == VALUE_UNKNOWN || v[1].kind == VALUE_UNKNOWN;
  int64_t word = 0;
  if (inst->op == IR_ICMP && known)
    *out = value_word(inst->type, words_compare((IrPred)inst->pred, type.bits, v[0].word, v[1].word));
  else if (inst->op == IR_ICMP && has_pointer && pointers_compare((IrPred)inst->pred, v[0], v[1], &word))
    *out = value_word(inst->type, word);
  else if (inst->op == IR_FCMP && known &&
           float_compare((IrPred)inst->pred, type.bits, v[0].word, v[1].word, &word))
    *out = value_word(inst->type, word);
  else
    *out = has_unknown ? value_poisoned(run, 2, v) : value_opaque(run, 2, v);
  return true;
}

// ---- casts
static bool word_cast(Interp *run, const IrInst *inst, IrType from, Value v, Value *out) {
  int64_t word = v.word;
  IrOp op = (IrOp)inst->op;
  if (ir_inst_is(inst, IR_RESIZES)) {
    if (expr_fold((ExprOp)fold_op[op], 0, inst->type.bits, from.bits, v.word, 0, &word) != EXPR_EVAL_OK)
      return false;
  } else if (op == IR_PTRTOINT || op == IR_INTTOPTR) {
    word = (int64_t)expr_unsigned_reading(v.word, from.bits);
  } else if (op == IR_BITCAST) {
    if (inst->type.bits != from.bits) return false;
  } else {
    bool to_float = !ir_inst_is(inst, IR_TO_INTEGER);
    if ((to_float && run->request->floats_are_unknown) || !float_cast(op, from, inst->type, v.word, &word))
      return false;
  }
  *out = value_word(inst->type, word);
  return true;
}

// A pointer keeps its place through casts of 64 bits, and of 32 bits in shared memory.
static Value pointer_cast(Interp *run, const IrInst *inst, Value v) {
  bool is_exact = inst->op == IR_PTRTOINT || inst->op == IR_INTTOPTR || inst->op == IR_BITCAST ||
                  inst->op == IR_TRUNC || inst->op == IR_ZEXT;
  bool fits = inst->type.bits == 64 || (inst->type.bits == 32 && interp_is_shared(run, v.object));
  bool is_address = inst->type.kind == IR_INT || inst->type.kind == IR_PTR;
  return is_exact && fits && is_address ? v : value_opaque(run, 1, &v);
}

static bool bytes_cast(Interp *run, const IrInst *inst, IrType from, Value v, Value *out) {
  if (inst->op != IR_BITCAST || from.bytes != inst->type.bytes) return false;
  Cell *cells = memory_buffer(run, from.bytes);
  value_to_cells(run, v, from.bytes, cells);
  *out = value_from_cells(run, cells, inst->type);
  return true;
}

bool interp_cast(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  ASSERT(ir_has_inst(run->function, inst));
  ASSERT(v);
  ASSERT(out);
  IrType from = ir_ref_type(run->module, run->function, inst->ops[0]);
  bool has_bytes = from.kind == IR_BYTES || inst->type.kind == IR_BYTES;
  if (v[0].kind == VALUE_POINTER || is_somewhere(v[0])) {
    *out = has_bytes ? value_opaque(run, 1, v) : pointer_cast(run, inst, v[0]);
  } else if (v[0].kind == VALUE_UNKNOWN) {
    *out = value_poisoned(run, 1, v);
  } else if (!(has_bytes ? bytes_cast(run, inst, from, v[0], out) : word_cast(run, inst, from, v[0], out))) {
    *out = value_opaque(run, 1, v);
  }
  return true;
}

// ---- special registers
static int64_t linear_thread(const InterpThread *t) {
  return t->thread_idx[0] + t->block_dim[0] * (t->thread_idx[1] + t->block_dim[1] * t->thread_idx[2]);
}

uint32_t interp_lanes_of_warp(const Interp *run) {
  const InterpThread *t = &run->request->thread;
  int64_t first = linear_thread(t) / 32 * 32, threads = t->block_dim[0] * t->block_dim[1] * t->block_dim[2];
  return threads - first >= 32 ? UINT32_MAX : threads > first ? ((uint32_t)1 << (threads - first)) - 1 : 0;
}

// The numbering of warps is not promised by PTX, clocks are not known.
Value interp_special_register(Interp *run, const IrInst *inst) {
  ASSERT(ir_has_inst(run->function, inst));
  const InterpThread *t = &run->request->thread;
  const int64_t *axes[] = {t->thread_idx, t->block_dim, t->block_idx, t->grid_dim};
  if (inst->imm >= IR_SREG_TID_X && inst->imm <= IR_SREG_NCTAID_Z) {
    int64_t index = inst->imm - IR_SREG_TID_X;
    return value_word(inst->type, axes[index / 3][index % 3]);
  }
  bool is_cluster = inst->imm >= IR_SREG_CLUSTER_NCTAID_X && inst->imm <= IR_SREG_CLUSTER_NCTAID_Z;
  if (is_cluster && t->cluster_dim[0])
    return value_word(inst->type, t->cluster_dim[inst->imm - IR_SREG_CLUSTER_NCTAID_X]);
  if (inst->imm == IR_SREG_WARPSIZE) return value_word(inst->type, 32);
  if (inst->imm == IR_SREG_LANEID) return value_word(inst->type, linear_thread(t) % 32);
  if (inst->imm == IR_SREG_ELECTED) return value_word(inst->type, t->elected);
  return value_unknown(run, CAUSE_UNSUPPORTED);
}
