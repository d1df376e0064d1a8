// What does an address computation of LLVM come to in the IR? Multiplications, additions and one pointer
// addition, all marked as address arithmetic (A1). An index into an array that is a member of a class, and not
// its last one, carries how many elements the array has (A7); an address whose byte in a class is fixed says
// which class, and where in it. Soundness: exact for addresses of one pointer; a vector of addresses is a
// function of its operands.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

typedef struct Offset {
  IrRef variable; // 0: none
  int64_t constant;
  LLVMTypeRef owner; // the innermost class that the way led into, NULL: none; it begins at
  int64_t start;
  LLVMTypeRef end; // type of what the address is that of
} Offset;

uint8_t class_first_member_flags(LLVMTypeRef class) {
  ASSERT(class);
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
static bool is_in_class(const Lower *lower, LLVMValueRef base, LLVMTypeRef array) {
  for (int depth = 0; depth < 4; depth++) {
    if (LLVMIsAGlobalVariable(base)) return is_inner_member(LLVMGlobalGetValueType(base), 0, array);
    LLVMTypeRef passed = LLVMIsAArgument(base) ? lower_byval_type(lower, base) : NULL;
    if (passed) return is_inner_member(passed, 0, array);
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
static int64_t member_elements(const Lower *lower, LLVMValueRef gep, uint32_t k, LLVMTypeRef array,
                               bool is_of_class) {
  if (LLVMGetTypeKind(array) != LLVMArrayTypeKind) return 0;
  uint64_t length = LLVMGetArrayLength2(array);
  bool is_member = is_of_class || (k == 2 && is_in_class(lower, LLVMGetOperand(gep, 0), array));
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
    inst.member = class_first_member_flags(offset.owner);
    if (offset.end && LLVMGetTypeKind(offset.end) == LLVMIntegerTypeKind) inst.member |= IR_MEMBER_NUMBER;
  }
  return emit(lower, inst, 2, (IrRef[]){base, sum});
}

IrRef lower_address(Lower *lower, LLVMValueRef gep) {
  ASSERT(lower->request && lower->function);
  ASSERT(gep);
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
      at = type_step_into(lower, at, (uint32_t)number, &field);
      offset.constant += field;
    } else {
      int64_t elements = lower->request->is_device ? member_elements(lower, gep, k, at, is_of_class) : 0;
      at = LLVMGetElementType(at);
      add_index(lower, &offset, index, type_bytes(lower, at), elements);
      is_of_class = false;
    }
  }
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  offset.end = at;
  return add_offset(lower, type, lower_value(lower, base), offset);
}
