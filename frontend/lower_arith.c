// What is arithmetic on LLVM's numbers in the IR? Mostly the same operation under the same name. Integers of odd
// widths are brought back to their zero-extended form after each operation; of wide ones, whole bytes are
// moved, and the rest is a function without effects. Soundness: exact for integers of up to 64 bits.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

// ---- integers of odd widths

static IrRef mask_to_width(Lower *lower, LLVMTypeRef type, IrRef value) {
  if (!int_is_odd(type)) return value;
  IrType ir_type = lower_type(lower, type);
  int64_t mask = (int64_t)((UINT64_C(1) << LLVMGetIntTypeWidth(type)) - 1);
  return emit_op(lower, IR_AND, ir_type, 2, (IrRef[]){value, emit_int(lower, ir_type.bits, mask)});
}

IrRef sign_extend_odd(Lower *lower, LLVMTypeRef type, IrRef value) {
  ASSERT(lower->request && lower->function);
  ASSERT(type);
  if (!int_is_odd(type)) return value;
  IrType ir_type = lower_type(lower, type);
  IrRef shift = emit_int(lower, ir_type.bits, ir_type.bits - LLVMGetIntTypeWidth(type));
  IrRef left = emit_op(lower, IR_SHL, ir_type, 2, (IrRef[]){value, shift});
  return emit_op(lower, IR_ASHR, ir_type, 2, (IrRef[]){left, shift});
}

static bool int_is_wide(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64;
}

// ---- arithmetic

IrOp binary_op(LLVMOpcode opcode) {
  switch ((unsigned)opcode) {
  case LLVMAdd: return IR_ADD;
  case LLVMSub: return IR_SUB;
  case LLVMMul: return IR_MUL;
  case LLVMSDiv: return IR_SDIV;
  case LLVMUDiv: return IR_UDIV;
  case LLVMSRem: return IR_SREM;
  case LLVMURem: return IR_UREM;
  case LLVMShl: return IR_SHL;
  case LLVMLShr: return IR_LSHR;
  case LLVMAShr: return IR_ASHR;
  case LLVMAnd: return IR_AND;
  case LLVMOr: return IR_OR;
  case LLVMXor: return IR_XOR;
  case LLVMFAdd: return IR_FADD;
  case LLVMFSub: return IR_FSUB;
  case LLVMFMul: return IR_FMUL;
  case LLVMFDiv: return IR_FDIV;
  case LLVMFRem: return IR_FREM;
  default: return IR_NONE;
  }
}

static uint8_t wrap_flags(LLVMValueRef instruction, LLVMTypeRef type) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool has_flags = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
  if (!has_flags || int_is_odd(type)) return 0;
  return (uint8_t)((LLVMGetNSW(instruction) ? IR_FLAG_NSW : 0) | (LLVMGetNUW(instruction) ? IR_FLAG_NUW : 0));
}

// Shifts of wide integers by whole bytes move bytes; the rest of wide arithmetic is a function without
// effects.
static IrRef wide_binary(Lower *lower, LLVMValueRef instruction, IrOp op, IrType type, const IrRef *ops) {
  LLVMValueRef amount = LLVMGetOperand(instruction, 1);
  uint64_t shift = 1;
  if ((op == IR_SHL || op == IR_LSHR) && LLVMIsAConstantInt(amount))
    shift = LLVMConstIntGetZExtValue(LLVMConstTrunc(amount, LLVMInt64TypeInContext(lower->context)));
  if (shift % 8 != 0 || shift / 8 >= type.bytes)
    return emit_pure(lower, arena_printf(lower->scratch, "%s.i%u", ir_op_name(op), type.bytes * 8), type, 2,
                     ops);
  uint32_t bytes = (uint32_t)(shift / 8);
  IrType kept = ir_type_bytes(type.bytes - bytes);
  IrRef zero = ir_const_typed(lower->ir, lower->function, type, 0, false);
  IrRef piece = emit_extract(lower, ops[0], op == IR_LSHR ? bytes : 0, kept);
  return emit_insert(lower, zero, piece, op == IR_LSHR ? 0 : bytes, type);
}

// ---- floating point

static bool has_fast_floats(LLVMValueRef instruction) {
  static const char mark[] = "denormal-fp-math-f32";
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  unsigned length = 0;
  LLVMAttributeRef set =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, mark, (unsigned)strlen(mark));
  return set && strncmp(LLVMGetStringAttributeValue(set, &length), "ieee", strlen("ieee")) != 0;
}

bool lower_is_approximate(LLVMValueRef instruction, bool is_root) {
  ASSERT(instruction);
  const unsigned rounds_otherwise =
      LLVMFastMathAllowReassoc | LLVMFastMathAllowReciprocal | LLVMFastMathApproxFunc;
  if (!LLVMIsAInstruction(instruction) || !LLVMCanValueUseFastMathFlags(instruction)) return false;
  if (LLVMGetFastMathFlags(instruction) & rounds_otherwise) return true;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool is_single = LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMFloatTypeKind;
  bool is_quotient = opcode == LLVMFDiv || opcode == LLVMFRem;
  return is_single && (is_root || is_quotient) && has_fast_floats(instruction);
}

static IrRef lower_binary(Lower *lower, LLVMValueRef instruction, LLVMTypeRef type, const IrRef *operands) {
  IrOp op = binary_op(LLVMGetInstructionOpcode(instruction));
  IrType ir_type = lower_type(lower, type);
  if (ir_type.kind == IR_BYTES) return wide_binary(lower, instruction, op, ir_type, operands);
  IrRef ops[2] = {operands[0], operands[1]};
  if (lower_is_approximate(instruction, false))
    return emit_pure(lower, arena_printf(lower->scratch, "approximate.%s", ir_op_name(op)), ir_type, 2, ops);
  bool is_signed = op == IR_SDIV || op == IR_SREM || op == IR_ASHR;
  if (is_signed) ops[0] = sign_extend_odd(lower, type, ops[0]);
  if (op == IR_SDIV || op == IR_SREM) ops[1] = sign_extend_odd(lower, type, ops[1]);
  IrInst inst = {.op = (uint8_t)op, .type = ir_type, .flags = wrap_flags(instruction, type)};
  return mask_to_width(lower, type, emit(lower, inst, 2, ops));
}

static IrPred int_pred(LLVMIntPredicate pred) {
  switch (pred) {
  case LLVMIntEQ: return IR_EQ;
  case LLVMIntNE: return IR_NE;
  case LLVMIntUGT: return IR_UGT;
  case LLVMIntUGE: return IR_UGE;
  case LLVMIntULT: return IR_ULT;
  case LLVMIntULE: return IR_ULE;
  case LLVMIntSGT: return IR_SGT;
  case LLVMIntSGE: return IR_SGE;
  case LLVMIntSLT: return IR_SLT;
  case LLVMIntSLE: return IR_SLE;
  }
  return IR_PRED_NONE;
}

static IrPred float_pred(LLVMRealPredicate pred) {
  switch (pred) {
  case LLVMRealPredicateFalse: return IR_FFALSE;
  case LLVMRealOEQ: return IR_FOEQ;
  case LLVMRealOGT: return IR_FOGT;
  case LLVMRealOGE: return IR_FOGE;
  case LLVMRealOLT: return IR_FOLT;
  case LLVMRealOLE: return IR_FOLE;
  case LLVMRealONE: return IR_FONE;
  case LLVMRealORD: return IR_FORD;
  case LLVMRealUNO: return IR_FUNO;
  case LLVMRealUEQ: return IR_FUEQ;
  case LLVMRealUGT: return IR_FUGT;
  case LLVMRealUGE: return IR_FUGE;
  case LLVMRealULT: return IR_FULT;
  case LLVMRealULE: return IR_FULE;
  case LLVMRealUNE: return IR_FUNE;
  case LLVMRealPredicateTrue: return IR_FTRUE;
  }
  return IR_PRED_NONE;
}

static bool is_strong_read(const Lower *lower, IrRef ref) {
  const IrInst *inst = ir_inst(lower->function, ref);
  return inst && ((inst->op == IR_LOAD && inst->order != IR_ORDER_PLAIN) || inst->op == IR_ATOMICRMW);
}

// A difference with what others tell by a strong read (`while (filled - *emptied >= 8);`): compare what was
// read, `*emptied <= filled - 8`. Exact for equality, and for signed order where neither difference overflows
// (A1).
static void read_apart(Lower *lower, IrPred *pred, IrRef ops[2]) {
  const IrInst *difference = ir_inst(lower->function, ops[0]);
  bool is_equality = *pred == IR_EQ || *pred == IR_NE,
       is_signed = *pred == IR_SLT || *pred == IR_SLE || *pred == IR_SGT || *pred == IR_SGE;
  if (!lower->request->is_device || !difference || difference->op != IR_SUB ||
      difference->type.kind != IR_INT || ir_ref_kind(ops[1]) != IR_REF_CONST ||
      !(is_equality || (is_signed && (difference->flags & IR_FLAG_NSW))))
    return;
  IrRef from = difference->ops[0], less = difference->ops[1];
  bool is_less_read = is_strong_read(lower, less), is_from_read = is_strong_read(lower, from);
  if (is_less_read == is_from_read || ir_ref_kind(is_less_read ? from : less) == IR_REF_CONST) return;
  IrInst other = {
      .op = is_less_read ? IR_SUB : IR_ADD, .type = difference->type, .flags = is_signed ? IR_FLAG_NSW : 0};
  IrRef constant = ops[1];
  ops[0] = is_less_read ? less : from;
  ops[1] = emit(lower, other, 2, (IrRef[]){is_less_read ? from : less, constant});
  if (is_less_read) *pred = ir_pred_mirrored(*pred);
}

static IrRef lower_compare(Lower *lower, LLVMValueRef instruction, LLVMTypeRef type, const IrRef *operands) {
  bool is_int = LLVMGetInstructionOpcode(instruction) == LLVMICmp;
  IrPred pred =
      is_int ? int_pred(LLVMGetICmpPredicate(instruction)) : float_pred(LLVMGetFCmpPredicate(instruction));
  IrRef ops[2] = {operands[0], operands[1]};
  if (lower_type(lower, type).kind == IR_BYTES)
    return emit_pure(lower, is_int ? "icmp.wide" : "fcmp.wide", ir_type_int(1), 2, ops);
  if (pred == IR_SLT || pred == IR_SLE || pred == IR_SGT || pred == IR_SGE)
    for (int i = 0; i < 2; i++)
      ops[i] = sign_extend_odd(lower, type, ops[i]);
  if (is_int && !int_is_odd(type)) read_apart(lower, &pred, ops);
  uint8_t op = is_int ? IR_ICMP : IR_FCMP;
  return emit(lower, (IrInst){.op = op, .pred = (uint8_t)pred, .type = ir_type_int(1)}, 2, ops);
}

// ---- casts

IrOp cast_op(LLVMOpcode opcode) {
  switch ((unsigned)opcode) {
  case LLVMTrunc: return IR_TRUNC;
  case LLVMZExt: return IR_ZEXT;
  case LLVMSExt: return IR_SEXT;
  case LLVMFPToUI: return IR_FPTOUI;
  case LLVMFPToSI: return IR_FPTOSI;
  case LLVMUIToFP: return IR_UITOFP;
  case LLVMSIToFP: return IR_SITOFP;
  case LLVMFPTrunc: return IR_FPTRUNC;
  case LLVMFPExt: return IR_FPEXT;
  case LLVMPtrToInt: return IR_PTRTOINT;
  case LLVMIntToPtr: return IR_INTTOPTR;
  case LLVMBitCast: return IR_BITCAST;
  case LLVMAddrSpaceCast: return IR_BITCAST;
  default: return IR_NONE;
  }
}

static IrRef cast_wide(Lower *lower, LLVMOpcode opcode, LLVMTypeRef from, LLVMTypeRef to, IrRef value) {
  IrType target = lower_type(lower, to);
  if (opcode == LLVMTrunc && int_is_wide(from) && target.kind == IR_INT && target.bits >= 8)
    return mask_to_width(lower, to, emit_extract(lower, value, 0, target));
  if (opcode == LLVMZExt && lower_type(lower, from).bits >= 8)
    return emit_insert(lower, ir_const_typed(lower->ir, lower->function, target, 0, false), value, 0, target);
  return emit_pure(lower, ir_op_name(cast_op(opcode)), target, 1, &value);
}

// The same bits as another type; sizes may differ where an element type was rounded up.
static IrRef cast_bits(Lower *lower, IrType from, IrType to, IrRef value) {
  if (from.bytes == to.bytes) return emit_op(lower, IR_BITCAST, to, 1, &value);
  uint32_t room = from.bytes > to.bytes ? from.bytes : to.bytes;
  IrType whole = ir_type_bytes(room);
  IrRef filled =
      emit_insert(lower, ir_const_typed(lower->ir, lower->function, whole, 0, false), value, 0, whole);
  return emit_extract(lower, filled, 0, to);
}

static bool has_bit_elements(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMGetElementType(type)) % 8 != 0;
}

IrRef lower_cast(Lower *lower, LLVMOpcode opcode, LLVMTypeRef from, LLVMTypeRef to, IrRef value) {
  ASSERT(lower->request && lower->function);
  ASSERT(from);
  ASSERT(to);
  IrType source = lower_type(lower, from), target = lower_type(lower, to);
  if (opcode == LLVMBitCast && (has_bit_elements(from) || has_bit_elements(to)))
    return emit_pure(lower, "bitcast.bits", target, 1, &value);
  if (opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast) return cast_bits(lower, source, target, value);
  if (source.kind == IR_BYTES || target.kind == IR_BYTES) return cast_wide(lower, opcode, from, to, value);
  bool is_signed = opcode == LLVMSExt || opcode == LLVMSIToFP;
  if (is_signed) value = sign_extend_odd(lower, from, value);
  bool is_same =
      (opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt) && source.bits == target.bits;
  if (!is_same) value = emit_op(lower, cast_op(opcode), target, 1, &value);
  return opcode == LLVMZExt ? value : mask_to_width(lower, to, value);
}

// ---- one element

IrRef lower_scalar(Lower *lower, LLVMValueRef instruction, LLVMTypeRef from, LLVMTypeRef to,
                   const IrRef *ops) {
  ASSERT(lower->request && lower->function);
  ASSERT(instruction);
  ASSERT(from);
  ASSERT(to);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (binary_op(opcode)) return lower_binary(lower, instruction, from, ops);
  if (opcode == LLVMZExt && LLVMGetNNeg(instruction)) opcode = LLVMSExt; // the same, and kinder to the solver
  if (cast_op(opcode)) return lower_cast(lower, opcode, from, to, ops[0]);
  if (opcode == LLVMICmp || opcode == LLVMFCmp) return lower_compare(lower, instruction, from, ops);
  IrType type = lower_type(lower, to);
  if (opcode == LLVMSelect) return emit_op(lower, IR_SELECT, type, 3, ops);
  if (opcode == LLVMFNeg && type.kind == IR_FLOAT) return emit_op(lower, IR_FNEG, type, 1, ops);
  return emit_pure(lower, "fneg.wide", type, 1, ops);
}
