// What does one instruction of LLVM mean in the IR? Mostly the same operation under the same name. Address
// computations become multiplications, additions and one pointer addition, all marked as address arithmetic;
// operations on vectors go element by element; integers of odd widths are brought back to their zero-extended
// form after each operation. Soundness: exact for integers of up to 64 bits, pointers, memory and control
// flow. What has no counterpart is UNKNOWN with its name (may do anything) or, without effects, a PURE
// function of its operands.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "frontend/llvm_before.h"

#include <ctype.h>
#include <string.h>

// ---- integers of odd widths

static IrRef mask_to_width(Lower *lower, LLVMTypeRef type, IrRef value) {
  if (!int_is_odd(type)) return value;
  IrType ir_type = lower_type(lower, type);
  int64_t mask = (int64_t)((UINT64_C(1) << LLVMGetIntTypeWidth(type)) - 1);
  return emit_op(lower, IR_AND, ir_type, 2, (IrRef[]){value, emit_int(lower, ir_type.bits, mask)});
}

static IrRef sign_extend_odd(Lower *lower, LLVMTypeRef type, IrRef value) {
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

static IrRef lower_binary(Lower *lower, LLVMValueRef instruction, LLVMTypeRef type, const IrRef *operands) {
  IrOp op = binary_op(LLVMGetInstructionOpcode(instruction));
  IrType ir_type = lower_type(lower, type);
  if (ir_type.kind == IR_BYTES) return wide_binary(lower, instruction, op, ir_type, operands);
  IrRef ops[2] = {operands[0], operands[1]};
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

// ---- element by element

static LLVMTypeRef scalar_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static IrRef lower_scalar(Lower *lower, LLVMValueRef instruction, LLVMTypeRef from, LLVMTypeRef to,
                          const IrRef *ops) {
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

static IrRef lower_elements(Lower *lower, LLVMValueRef instruction) {
  LLVMTypeRef to = LLVMTypeOf(instruction);
  uint32_t operands = (uint32_t)LLVMGetNumOperands(instruction);
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(instruction, operands - 1));
  IrRef whole[3], ops[3];
  for (uint32_t k = 0; k < operands && k < 3; k++)
    whole[k] = lower_value(lower, LLVMGetOperand(instruction, k));
  if (LLVMGetTypeKind(to) != LLVMVectorTypeKind) return lower_scalar(lower, instruction, from, to, whole);
  IrType type = lower_type(lower, to);
  uint32_t step = vector_stride(lower, scalar_of(to));
  IrRef result = emit_undef(lower, type);
  for (uint32_t i = 0; i < LLVMGetVectorSize(to); i++) {
    for (uint32_t k = 0; k < operands && k < 3; k++) {
      LLVMTypeRef operand = LLVMTypeOf(LLVMGetOperand(instruction, k));
      uint32_t offset = i * vector_stride(lower, scalar_of(operand));
      bool is_vector = LLVMGetTypeKind(operand) == LLVMVectorTypeKind;
      ops[k] =
          is_vector ? emit_extract(lower, whole[k], offset, lower_type(lower, scalar_of(operand))) : whole[k];
    }
    IrRef element = lower_scalar(lower, instruction, scalar_of(from), scalar_of(to), ops);
    result = emit_insert(lower, result, element, i * step, type);
  }
  return result;
}

// A cast of the bits of a whole vector and a choice between two vectors are one operation.
static IrRef lower_plain(Lower *lower, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef to = LLVMTypeOf(instruction);
  LLVMTypeRef first = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  bool is_whole =
      opcode == LLVMBitCast || (opcode == LLVMSelect && LLVMGetTypeKind(first) != LLVMVectorTypeKind);
  if (!is_whole) return lower_elements(lower, instruction);
  IrRef ops[3];
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(instruction); k++)
    ops[k] = lower_value(lower, LLVMGetOperand(instruction, k));
  return lower_scalar(lower, instruction, first, to, ops);
}

// ---- parts of aggregates

static LLVMTypeRef step_into(const Lower *lower, LLVMTypeRef type, uint32_t index, uint32_t *offset) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    *offset += (uint32_t)LLVMOffsetOfElement(lower->layout, type, index);
    return LLVMStructGetTypeAtIndex(type, index);
  }
  LLVMTypeRef element = LLVMGetElementType(type);
  *offset += index * type_bytes(lower, element);
  return element;
}

static IrRef lower_extract_value(Lower *lower, LLVMValueRef instruction) {
  LLVMValueRef aggregate = LLVMGetOperand(instruction, 0);
  const unsigned *indices = LLVMGetIndices(instruction);
  unsigned count = LLVMGetNumIndices(instruction);
  LLVMTypeRef type = LLVMTypeOf(aggregate);
  bool is_pair =
      LLVMIsAAtomicCmpXchgInst(aggregate) ||
      (LLVMIsACallInst(aggregate) && strstr(value_name(LLVMGetCalledValue(aggregate)), ".with.overflow."));
  if (is_pair && count == 1) {
    uint32_t known;
    const PtrMap *map = indices[0] == 0 ? &lower->values : &lower->second_parts;
    if (ptr_map_get(map, aggregate, &known)) return known;
    vec_push(lower->scratch, &lower->pending, (Pending){aggregate, indices[0]});
    return IR_REF(REF_PENDING, lower->pending.count - 1);
  }
  uint32_t offset = 0;
  for (unsigned i = 0; i < count; i++)
    type = step_into(lower, type, indices[i], &offset);
  return emit_extract(lower, lower_value(lower, aggregate), offset, lower_type(lower, type));
}

static IrRef lower_insert_value(Lower *lower, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  const unsigned *indices = LLVMGetIndices(instruction);
  uint32_t offset = 0;
  LLVMTypeRef at = type;
  for (unsigned i = 0; i < LLVMGetNumIndices(instruction); i++)
    at = step_into(lower, at, indices[i], &offset);
  IrRef aggregate = lower_value(lower, LLVMGetOperand(instruction, 0));
  IrRef piece = lower_value(lower, LLVMGetOperand(instruction, 1));
  return emit_insert(lower, aggregate, piece, offset, lower_type(lower, type));
}

// Elements at an index that is not constant are functions without effects.
static IrRef lower_element(Lower *lower, LLVMValueRef instruction) {
  bool is_insert = LLVMGetInstructionOpcode(instruction) == LLVMInsertElement;
  LLVMValueRef index_value = LLVMGetOperand(instruction, is_insert ? 2 : 1);
  IrType type = lower_type(lower, LLVMTypeOf(instruction));
  LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  IrRef ops[3];
  for (unsigned k = 0; k < (is_insert ? 3u : 2u); k++)
    ops[k] = lower_value(lower, LLVMGetOperand(instruction, k));
  int64_t index;
  if (!constant_number(index_value, &index) || index < 0 || index >= LLVMGetVectorSize(vector))
    return emit_pure(lower, is_insert ? "insertelement" : "extractelement", type, is_insert ? 3 : 2, ops);
  uint32_t offset = (uint32_t)index * vector_stride(lower, LLVMGetElementType(vector));
  return is_insert ? emit_insert(lower, ops[0], ops[1], offset, type)
                   : emit_extract(lower, ops[0], offset, type);
}

static IrRef lower_shuffle_vector(Lower *lower, LLVMValueRef instruction) {
  LLVMTypeRef source = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  LLVMTypeRef element = LLVMGetElementType(source);
  IrType type = lower_type(lower, LLVMTypeOf(instruction)), piece = lower_type(lower, element);
  int size = (int)LLVMGetVectorSize(source);
  uint32_t step = vector_stride(lower, element);
  IrRef from[2] = {lower_value(lower, LLVMGetOperand(instruction, 0)),
                   lower_value(lower, LLVMGetOperand(instruction, 1))};
  IrRef result = emit_undef(lower, type);
  for (unsigned i = 0; i < LLVMGetNumMaskElements(instruction); i++) {
    int at = LLVMGetMaskValue(instruction, i);
    if (at < 0 || at >= 2 * size) continue;
    IrRef taken = emit_extract(lower, from[at / size], (uint32_t)(at % size) * step, piece);
    result = emit_insert(lower, result, taken, i * step, type);
  }
  return result;
}

// ---- addresses

typedef struct Offset {
  IrRef variable; // 0: none
  int64_t constant;
  LLVMTypeRef owner; // the innermost class that the way led into, NULL: none; it begins at
  int64_t start;
  LLVMTypeRef end; // type of what the address is that of
} Offset;

static uint8_t first_member_flags(LLVMTypeRef class) {
  bool is_number = LLVMCountStructElementTypes(class) > 0 &&
                   LLVMGetTypeKind(LLVMStructGetTypeAtIndex(class, 0)) == LLVMIntegerTypeKind;
  return is_number ? IR_FIRST_NUMBER : 0;
}

static IrRef emit_address_op(Lower *lower, IrOp op, IrRef a, IrRef b) {
  IrInst inst = {.op = (uint8_t)op, .type = ir_type_int(64), .flags = IR_FLAG_ADDRESS};
  return emit(lower, inst, b ? 2 : 1, (IrRef[]){a, b});
}

// Is member `field` of the class that array, and not the last one? An array at the end often has more room than
// it says, and all of a row of a matrix that comes before is in use as well.
static bool is_inner_member(LLVMTypeRef class, uint32_t field, LLVMTypeRef array) {
  if (LLVMGetTypeKind(class) != LLVMStructTypeKind) return false;
  return field + 1 < LLVMCountStructElementTypes(class) && LLVMStructGetTypeAtIndex(class, field) == array;
}

// Is the array a member of something, with other members behind it that an index out of it would lead to? Not
// asked of parts of an array: a row that is left for the next one is a habit of many programs. A first member
// stands at the address of its class.
static bool is_in_class(LLVMValueRef base, LLVMTypeRef array) {
  for (int depth = 0; depth < 4; depth++) {
    if (LLVMIsAGlobalVariable(base)) return is_inner_member(LLVMGlobalGetValueType(base), 0, array);
    if (LLVMIsAAllocaInst(base)) return is_inner_member(LLVMGetAllocatedType(base), 0, array);
    LLVMOpcode op = LLVMIsAConstantExpr(base) ? LLVMGetConstOpcode(base) : LLVMAddrSpaceCast;
    if (LLVMIsAGetElementPtrInst(base)) op = LLVMGetElementPtr;
    if (op == LLVMGetElementPtr) {
      int64_t field = 0;
      return LLVMGetNumOperands(base) == 3 && constant_number(LLVMGetOperand(base, 2), &field) &&
             is_inner_member(LLVMGetGEPSourceElementType(base), (uint32_t)field, array);
    }
    if (op != LLVMAddrSpaceCast || !(LLVMIsAAddrSpaceCastInst(base) || LLVMIsAConstantExpr(base)))
      return false;
    base = LLVMGetOperand(base, 0);
  }
  return false;
}

// How many elements a member of a class has whose element step `k` of the address names; 0: it is none, or
// not known. One element may stand for as many as there are.
static int64_t member_elements(LLVMValueRef gep, uint32_t k, LLVMTypeRef array, bool is_of_class) {
  if (LLVMGetTypeKind(array) != LLVMArrayTypeKind) return 0;
  uint64_t length = LLVMGetArrayLength2(array);
  bool is_member = is_of_class || (k == 2 && is_in_class(LLVMGetOperand(gep, 0), array));
  return is_member && length > 1 && length <= INT32_MAX ? (int64_t)length : 0;
}

// `elements`: of the array in which an access with that address stays (A7); 0: not known.
static void add_index(Lower *lower, Offset *offset, LLVMValueRef index, int64_t scale, int64_t elements) {
  int64_t number;
  if (constant_number(index, &number)) {
    offset->constant = (int64_t)((uint64_t)offset->constant + (uint64_t)number * (uint64_t)scale);
    return;
  }
  if (scale == 0) return;
  offset->owner = NULL; // the byte in it is not fixed
  LLVMTypeRef type = LLVMTypeOf(index);
  IrRef term = sign_extend_odd(lower, type, lower_value(lower, index));
  uint8_t bits = lower_type(lower, type).bits;
  if (bits < 64) term = emit_address_op(lower, IR_SEXT, term, 0);
  if (scale != 1 || elements) {
    IrInst product = {.op = IR_MUL, .type = ir_type_int(64), .flags = IR_FLAG_ADDRESS, .imm = elements};
    term = emit(lower, product, 2, (IrRef[]){term, emit_int(lower, 64, scale)});
  }
  offset->variable = offset->variable ? emit_address_op(lower, IR_ADD, offset->variable, term) : term;
}

static IrRef add_offset(Lower *lower, IrType type, IrRef base, Offset offset) {
  if (!offset.variable && offset.constant == 0) return base;
  IrRef constant = emit_int(lower, 64, offset.constant);
  IrRef sum = constant;
  if (offset.variable && offset.constant != 0)
    sum = emit_address_op(lower, IR_ADD, offset.variable, constant);
  if (offset.variable && offset.constant == 0) sum = offset.variable;
  IrInst inst = {.op = IR_PTRADD, .type = type, .flags = IR_FLAG_ADDRESS};
  inst.owner = offset.owner ? lower_class_name(lower, offset.owner) : NULL;
  if (inst.owner) {
    inst.imm = offset.constant - offset.start;
    inst.member = first_member_flags(offset.owner);
    if (offset.end && LLVMGetTypeKind(offset.end) == LLVMIntegerTypeKind) inst.member |= IR_MEMBER_NUMBER;
  }
  return emit(lower, inst, 2, (IrRef[]){base, sum});
}

IrRef lower_address(Lower *lower, LLVMValueRef gep) {
  uint32_t count = (uint32_t)LLVMGetNumOperands(gep);
  IrType type = lower_type(lower, LLVMTypeOf(gep));
  if (type.kind != IR_PTR) {
    IrRef *ops = arena_array(lower->scratch, count, IrRef);
    for (uint32_t k = 0; k < count; k++)
      ops[k] = lower_value(lower, LLVMGetOperand(gep, k));
    return emit_pure(lower, "getelementptr.vector", type, count, ops);
  }
  LLVMTypeRef at = LLVMGetGEPSourceElementType(gep);
  Offset offset = {0};
  bool is_of_class = false; // the step before went to a member, not the last one
  for (uint32_t k = 1; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k);
    int64_t number = 0;
    if (k == 1) {
      add_index(lower, &offset, index, type_bytes(lower, at), 0);
      is_of_class = false;
    } else if (LLVMGetTypeKind(at) == LLVMStructTypeKind) {
      constant_number(index, &number);
      uint32_t field = 0;
      offset.owner = at;
      offset.start = offset.constant;
      is_of_class = number + 1 < (int64_t)LLVMCountStructElementTypes(at);
      at = step_into(lower, at, (uint32_t)number, &field);
      offset.constant += field;
    } else {
      int64_t elements = lower->request->is_device ? member_elements(gep, k, at, is_of_class) : 0;
      at = LLVMGetElementType(at);
      add_index(lower, &offset, index, type_bytes(lower, at), elements);
      is_of_class = false;
    }
  }
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  offset.end = at;
  return add_offset(lower, type, lower_value(lower, base), offset);
}

// ---- memory

static IrOrder order_of(LLVMAtomicOrdering ordering) {
  switch (ordering) {
  case LLVMAtomicOrderingNotAtomic: return IR_ORDER_PLAIN;
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic: return IR_ORDER_RELAXED;
  case LLVMAtomicOrderingAcquire: return IR_ORDER_ACQUIRE;
  case LLVMAtomicOrderingRelease: return IR_ORDER_RELEASE;
  case LLVMAtomicOrderingAcquireRelease: return IR_ORDER_ACQ_REL;
  case LLVMAtomicOrderingSequentiallyConsistent: return IR_ORDER_SEQ_CST;
  }
  return IR_ORDER_PLAIN;
}

// NVPTX knows no scopes in LLVM 19: read-modify-write operations are device-wide, plain atomics system-wide.
static IrInst memory_inst(Lower *lower, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  IrInst inst = {0};
  LLVMAtomicOrdering ordering =
      opcode == LLVMAtomicCmpXchg ? LLVMGetCmpXchgSuccessOrdering(instruction) : LLVMGetOrdering(instruction);
  inst.order = (uint8_t)order_of(ordering);
  bool is_rmw = opcode == LLVMAtomicCmpXchg || opcode == LLVMAtomicRMW;
  if (inst.order != IR_ORDER_PLAIN) inst.scope = is_rmw ? IR_SCOPE_DEVICE : IR_SCOPE_SYSTEM;
  if (inst.order != IR_ORDER_PLAIN && LLVMIsAtomicSingleThread(instruction)) inst.scope = IR_SCOPE_THREAD;
  if (inst.order == IR_ORDER_PLAIN && opcode != LLVMFence && LLVMGetVolatile(instruction)) {
    inst.order = IR_ORDER_VOLATILE;
    inst.scope = IR_SCOPE_SYSTEM;
  }
  if (opcode == LLVMFence) return inst;
  LLVMValueRef address = LLVMGetOperand(instruction, opcode == LLVMStore ? 1 : 0);
  LLVMTypeRef type =
      LLVMTypeOf(opcode == LLVMLoad ? instruction : LLVMGetOperand(instruction, opcode == LLVMStore ? 0 : 1));
  uint32_t bytes = type_bytes(lower, type);
  inst.place = lower_access_place(lower, address, bytes);
  bool is_plain = opcode == LLVMLoad || opcode == LLVMStore;
  if (is_plain && bytes && LLVMGetAlignment(instruction) % bytes != 0) inst.flags = IR_FLAG_PACKED;
  return inst;
}

static IrRmw rmw_of(LLVMAtomicRMWBinOp op) {
  switch (op) {
  case LLVMAtomicRMWBinOpXchg: return IR_RMW_XCHG;
  case LLVMAtomicRMWBinOpAdd: return IR_RMW_ADD;
  case LLVMAtomicRMWBinOpSub: return IR_RMW_SUB;
  case LLVMAtomicRMWBinOpAnd: return IR_RMW_AND;
  case LLVMAtomicRMWBinOpOr: return IR_RMW_OR;
  case LLVMAtomicRMWBinOpXor: return IR_RMW_XOR;
  case LLVMAtomicRMWBinOpMax: return IR_RMW_MAX;
  case LLVMAtomicRMWBinOpMin: return IR_RMW_MIN;
  case LLVMAtomicRMWBinOpUMax: return IR_RMW_UMAX;
  case LLVMAtomicRMWBinOpUMin: return IR_RMW_UMIN;
  case LLVMAtomicRMWBinOpFAdd: return IR_RMW_FADD;
  case LLVMAtomicRMWBinOpFMax: return IR_RMW_FMAX;
  case LLVMAtomicRMWBinOpFMin: return IR_RMW_FMIN;
#if LLVM_VERSION_MAJOR >= 19
  case LLVMAtomicRMWBinOpUIncWrap: return IR_RMW_INC;
  case LLVMAtomicRMWBinOpUDecWrap: return IR_RMW_DEC;
#endif
  case LLVMAtomicRMWBinOpNand:
  case LLVMAtomicRMWBinOpFSub: return IR_RMW_NONE;
  }
  return IR_RMW_NONE;
}

static IrRef lower_rmw(Lower *lower, LLVMValueRef instruction) {
  if (has_nameless_operation(instruction)) return emit_unknown(lower, "atomicrmw", instruction);
  IrInst inst = memory_inst(lower, instruction);
  inst.op = IR_ATOMICRMW;
  inst.rmw = (uint8_t)rmw_of(LLVMGetAtomicRMWBinOp(instruction));
  inst.type = lower_type(lower, LLVMTypeOf(instruction));
  if (inst.rmw == IR_RMW_NONE) return emit_unknown(lower, "atomicrmw", instruction);
  IrRef ops[] = {lower_value(lower, LLVMGetOperand(instruction, 0)),
                 lower_value(lower, LLVMGetOperand(instruction, 1))};
  return emit(lower, inst, 2, ops);
}

static bool is_used_whole(LLVMValueRef pair) {
  for (LLVMUseRef use = LLVMGetFirstUse(pair); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAExtractValueInst(user) || LLVMGetNumIndices(user) != 1) return true;
  }
  return false;
}

// The result of LLVM is the pair (old value, whether it was the expected one).
static IrRef lower_cmpxchg(Lower *lower, LLVMValueRef instruction) {
  LLVMValueRef expected_value = LLVMGetOperand(instruction, 1);
  IrInst inst = memory_inst(lower, instruction);
  inst.op = IR_CMPXCHG;
  inst.type = lower_type(lower, LLVMTypeOf(expected_value));
  IrRef expected = lower_value(lower, expected_value);
  IrRef ops[] = {lower_value(lower, LLVMGetOperand(instruction, 0)), expected,
                 lower_value(lower, LLVMGetOperand(instruction, 2))};
  IrRef old = emit(lower, inst, 3, ops);
  if (is_used_whole(instruction)) {
    emit_unknown(lower, "cmpxchg pair", instruction);
  }
  ptr_map_put(&lower->second_parts, instruction, emit_icmp(lower, IR_EQ, old, expected));
  return old;
}

static IrRef lower_alloca(Lower *lower, LLVMValueRef instruction) {
  int64_t count = 1;
  if (!constant_number(LLVMGetOperand(instruction, 0), &count))
    return emit_unknown(lower, "alloca", instruction);
  int64_t bytes = (int64_t)type_bytes(lower, LLVMGetAllocatedType(instruction)) * count;
  IrInst inst = {.op = IR_ALLOCA, .type = lower_type(lower, LLVMTypeOf(instruction)), .imm = bytes};
  inst.owner = lower_class_name(lower, LLVMGetAllocatedType(instruction));
  if (inst.owner) inst.member = first_member_flags(LLVMGetAllocatedType(instruction));
  return emit(lower, inst, 0, NULL);
}

static IrRef lower_fence(Lower *lower, LLVMValueRef instruction) {
  IrInst inst = memory_inst(lower, instruction);
  inst.op = IR_FENCE;
  inst.type = ir_type_void();
  return emit(lower, inst, 0, NULL);
}

// ---- control

static uint32_t block_index(const Lower *lower, LLVMBasicBlockRef block) {
  uint32_t index = 0;
  BUG_UNLESS(ptr_map_get(&lower->blocks, block, &index));
  return index;
}

static void emit_jump(Lower *lower, IrOp op, uint32_t op_count, const IrRef *ops, uint32_t count,
                      const uint32_t *blocks, const int64_t *cases) {
  IrInst inst = {.op = (uint8_t)op, .block_count = (uint16_t)count, .blocks = blocks, .case_values = cases};
  emit(lower, inst, op_count, ops);
}

static void lower_branch(Lower *lower, LLVMValueRef instruction) {
  uint32_t blocks[2];
  unsigned count = LLVMGetNumSuccessors(instruction);
  for (unsigned i = 0; i < count && i < 2; i++)
    blocks[i] = block_index(lower, LLVMGetSuccessor(instruction, i));
  if (count == 1) {
    emit_jump(lower, IR_BR, 0, NULL, 1, blocks, NULL);
    return;
  }
  IrRef condition = lower_value(lower, LLVMGetCondition(instruction));
  emit_jump(lower, IR_CONDBR, 1, &condition, 2, blocks, NULL);
}

static int64_t case_number(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_plain = !int_is_odd(type) && LLVMGetIntTypeWidth(type) > 1;
  return is_plain ? LLVMConstIntGetSExtValue(value) : (int64_t)LLVMConstIntGetZExtValue(value);
}

static void lower_switch(Lower *lower, LLVMValueRef instruction) {
  uint32_t count = LLVMGetNumSuccessors(instruction);
  uint32_t *blocks = arena_array(lower->scratch, count, uint32_t);
  int64_t *cases = arena_array(lower->scratch, count, int64_t);
  for (uint32_t i = 0; i < count; i++) {
    blocks[i] = block_index(lower, LLVMGetSuccessor(instruction, i));
    if (i > 0) cases[i - 1] = case_number(LLVMGetOperand(instruction, 2 * i));
  }
  IrRef value = lower_value(lower, LLVMGetOperand(instruction, 0));
  emit_jump(lower, IR_SWITCH, 1, &value, count, blocks, cases);
}

static void lower_return(Lower *lower, LLVMValueRef instruction) {
  if (LLVMGetNumOperands(instruction) == 0) {
    emit_jump(lower, IR_RET, 0, NULL, 0, NULL, NULL);
    return;
  }
  IrRef value = lower_value(lower, LLVMGetOperand(instruction, 0));
  emit_jump(lower, IR_RET, 1, &value, 0, NULL, NULL);
}

static IrRef lower_phi(Lower *lower, LLVMValueRef phi) {
  uint32_t count = LLVMCountIncoming(phi), used = 0;
  IrRef *ops = arena_array(lower->scratch, count, IrRef);
  uint32_t *blocks = arena_array(lower->scratch, count, uint32_t);
  for (uint32_t i = 0; i < count; i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    if (!edge_is_lowered(lower, from, LLVMGetInstructionParent(phi))) continue;
    blocks[used] = block_index(lower, from);
    ops[used++] = lower_value(lower, LLVMGetIncomingValue(phi, i));
  }
  IrInst inst = {.op = IR_PHI,
                 .type = lower_type(lower, LLVMTypeOf(phi)),
                 .block_count = (uint16_t)used,
                 .blocks = blocks};
  return emit(lower, inst, used, ops);
}

static IrInst plain_access(Lower *lower, LLVMValueRef instruction) {
  IrInst inst = memory_inst(lower, instruction);
  inst.owner = lower_accessed_class(lower, instruction, &inst.imm);
  return inst;
}

static IrRef lower_result(Lower *lower, LLVMValueRef instruction) {
  IrRef address;
  switch ((unsigned)LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca: return lower_alloca(lower, instruction);
  case LLVMLoad:
    address = lower_value(lower, LLVMGetOperand(instruction, 0));
    return emit_load(lower, LLVMTypeOf(instruction), address, plain_access(lower, instruction));
  case LLVMGetElementPtr: return lower_address(lower, instruction);
  case LLVMAtomicRMW: return lower_rmw(lower, instruction);
  case LLVMAtomicCmpXchg: return lower_cmpxchg(lower, instruction);
  case LLVMPHI: return lower_phi(lower, instruction);
  case LLVMLandingPad: // what was thrown
    return emit_op(lower, IR_UNDEF, lower_type(lower, LLVMTypeOf(instruction)), 0, NULL);
  case LLVMExtractValue: return lower_extract_value(lower, instruction);
  case LLVMInsertValue: return lower_insert_value(lower, instruction);
  case LLVMExtractElement:
  case LLVMInsertElement: return lower_element(lower, instruction);
  case LLVMShuffleVector: return lower_shuffle_vector(lower, instruction);
  case LLVMFreeze:
    address = lower_value(lower, LLVMGetOperand(instruction, 0));
    return emit_op(lower, IR_BITCAST, lower_type(lower, LLVMTypeOf(instruction)), 1, &address);
  case LLVMAddrSpaceCast:
    address = lower_value(lower, LLVMGetOperand(instruction, 0));
    return emit_op(lower, IR_BITCAST, lower_type(lower, LLVMTypeOf(instruction)), 1, &address);
  default: break;
  }
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool is_plain = binary_op(opcode) || cast_op(opcode) || opcode == LLVMICmp || opcode == LLVMFCmp ||
                  opcode == LLVMSelect || opcode == LLVMFNeg;
  if (is_plain) return lower_plain(lower, instruction);
  return emit_unknown(lower, arena_printf(lower->scratch, "opcode %d", (int)opcode), instruction);
}

void lower_instruction(Lower *lower, LLVMValueRef instruction) {
  LLVMValueRef value;
  switch ((unsigned)LLVMGetInstructionOpcode(instruction)) {
  case LLVMRet: lower_return(lower, instruction); return;
  case LLVMBr: lower_branch(lower, instruction); return;
  case LLVMSwitch: lower_switch(lower, instruction); return;
  case LLVMResume: // an exception leaves the function
  case LLVMUnreachable: emit_jump(lower, IR_UNREACHABLE, 0, NULL, 0, NULL, NULL); return;
  case LLVMCall:
  case LLVMInvoke: lower_call(lower, instruction); return;
  case LLVMStore:
    value = LLVMGetOperand(instruction, 0);
    emit_store(lower, LLVMTypeOf(value), lower_value(lower, LLVMGetOperand(instruction, 1)),
               lower_value(lower, value), plain_access(lower, instruction));
    if (!lower->request->is_device) lower_array_indices(lower, LLVMGetOperand(instruction, 1));
    return;
  case LLVMFence: lower_fence(lower, instruction); return;
  default: break;
  }
  if (LLVMIsATerminatorInst(instruction)) { // indirect branches: anything may follow
    emit_unknown(lower, "indirect branch", instruction);
    emit_jump(lower, IR_UNREACHABLE, 0, NULL, 0, NULL, NULL);
    return;
  }
  lower_set(lower, instruction, lower_result(lower, instruction));
  if (!lower->request->is_device && LLVMIsALoadInst(instruction))
    lower_array_indices(lower, LLVMGetOperand(instruction, 0));
}
