// Which indices turn out to be numbers once calls are replaced by their bodies? `self.data[index + 2]` with an
// index that is a template's is a number that stands in memory until sroa has brought the function out of it, and
// sroa leaves a struct together as long as an index is not a number itself. Method: sums, products and
// extensions of numbers become numbers; where one of them was an index, sroa is worth another run. Other
// operations stay, since what simplifies them also merges choices (inline.c). Soundness: exact; an operation whose
// flags promise what does not hold has no value, and may have any.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

static bool is_folded(LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  bool is_sum = op == LLVMAdd || op == LLVMSub || op == LLVMMul,
       is_resized = op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc;
  if ((!is_sum && !is_resized) || !LLVMIsAConstantInt(LLVMGetOperand(inst, 0))) return false;
  return is_resized || LLVMIsAConstantInt(LLVMGetOperand(inst, 1));
}

// A builder makes no instruction of numbers.
static LLVMValueRef number_of(LLVMBuilderRef builder, LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  LLVMPositionBuilderBefore(builder, inst);
  if (LLVMIsACastInst(inst)) return LLVMBuildCast(builder, op, LLVMGetOperand(inst, 0), LLVMTypeOf(inst), "");
  return LLVMBuildBinOp(builder, op, LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1), "");
}

static bool is_index(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (LLVMIsAGetElementPtrInst(LLVMGetUser(use))) return true;
  return false;
}

static bool fold_in_block(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  bool is_known = false;
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next = NULL; inst; inst = next) {
    next = LLVMGetNextInstruction(inst);
    LLVMValueRef number = is_folded(inst) ? number_of(builder, inst) : NULL;
    if (!number || !LLVMIsAConstantInt(number)) continue;
    is_known |= is_index(inst);
    LLVMReplaceAllUsesWith(inst, number);
    LLVMInstructionEraseFromParent(inst);
  }
  return is_known;
}

bool constant_indices(LLVMModuleRef module) {
  ASSERT(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool is_known = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      is_known |= fold_in_block(builder, b);
  LLVMDisposeBuilder(builder);
  return is_known;
}
