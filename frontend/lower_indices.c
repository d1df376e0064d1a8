// Which index of an array does an access in host code use? `plan.steps[i]` is an access only if i is one of
// its elements: an array with a declared length has its next member, or another object, behind it. Method:
// the address of a load or store is followed through its computations; for each index into an array type of
// two elements or more that is no constant, a call says what holds, behind the access. The host scan reads it
// like an assume. Soundness: accesses stay inside their objects, and in their arrays (A7). Arrays of one
// element are left out: older programs mean "as many as there are" by them.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

enum { ADDRESS_DEPTH = 8, BITS = 64 };

static void say_inside(Lower *lower, LLVMValueRef index, uint64_t length) {
  LLVMTypeRef type = LLVMTypeOf(index);
  if (LLVMIsAConstant(index) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return;
  IrRef number = lower_value(lower, index);
  unsigned bits = LLVMGetIntTypeWidth(type);
  if (bits != 32 && bits != BITS) return;
  if (bits < BITS)
    number = emit(lower, (IrInst){.op = IR_SEXT, .type = ir_type_int(BITS)}, 1, (IrRef[]){number});
  IrRef inside = emit_icmp(lower, IR_ULT, number, emit_int(lower, BITS, (int64_t)length));
  emit(lower, (IrInst){.op = IR_CALL, .flags = IR_FLAG_READONLY, .name = HGRD_IN_ARRAY}, 1, &inside);
}

static void say_steps(Lower *lower, LLVMValueRef gep) {
  LLVMTypeRef at = LLVMGetGEPSourceElementType(gep);
  for (unsigned k = 2; k < (unsigned)LLVMGetNumOperands(gep); k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k);
    if (LLVMGetTypeKind(at) == LLVMStructTypeKind) {
      at = LLVMStructGetTypeAtIndex(at, (unsigned)LLVMConstIntGetZExtValue(index));
      continue;
    }
    bool is_array = LLVMGetTypeKind(at) == LLVMArrayTypeKind;
    uint64_t length = is_array ? LLVMGetArrayLength2(at) : 0;
    if (length > 1 && length <= INT32_MAX) say_inside(lower, index, length);
    at = LLVMGetElementType(at);
  }
}

void lower_array_indices(Lower *lower, LLVMValueRef address) {
  ASSERT(lower->request && lower->function);
  ASSERT(address);
  for (int depth = 0; depth < ADDRESS_DEPTH && LLVMIsAGetElementPtrInst(address); depth++) {
    if (LLVMGetTypeKind(LLVMTypeOf(address)) != LLVMPointerTypeKind) return;
    say_steps(lower, address);
    address = LLVMGetOperand(address, 0);
  }
}
