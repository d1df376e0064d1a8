// Which reads would LLVM's passes leave out, because nothing is done with what they read? `int v = tile[t];`
// with no use of v is an access of the program, and races as any other. sroa takes out what only fills a
// variable that nobody reads, instsimplify what computes something unused, and both go on to the operands.
// Method: before the passes, each read of memory that is not a local variable's for certain is handed to a
// call of a function that nobody knows; afterwards the calls are taken out again. Over-approximation: a
// compiler may leave such reads out of the program. Under-approximation: a struct copied as a whole into one
// that nobody reads, or only parts of; an address that
// is read and not used, which may be that of a variable that is to be taken apart.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

static const char KEEPER[] = "hgrd.keep";

static LLVMTypeRef keeper_type(LLVMModuleRef module) {
  LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
  return LLVMFunctionType(nothing, NULL, 0, true);
}

static bool is_of_variable(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
         LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address) != NULL;
}

static bool is_number(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind) kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind != LLVMPointerTypeKind && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind;
}

static bool is_kept(LLVMValueRef inst) {
  return LLVMIsALoadInst(inst) && is_number(inst) && !is_of_variable(LLVMGetOperand(inst, 0));
}

// In front of what follows the read.
static void keep(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef keeper, LLVMValueRef read) {
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(read));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(read));
  LLVMBuildCall2(builder, keeper_type(module), keeper, &read, 1, "");
}

void reads_keep(LLVMModuleRef module) {
  ASSERT(module);
  LLVMValueRef keeper = LLVMAddFunction(module, KEEPER, keeper_type(module));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (is_kept(i)) keep(builder, module, keeper, i);
  LLVMDisposeBuilder(builder);
}

void reads_release(LLVMModuleRef module) {
  ASSERT(module);
  LLVMValueRef keeper = LLVMGetNamedFunction(module, KEEPER);
  if (!keeper) return; // no function was left that reads
  for (LLVMUseRef use = LLVMGetFirstUse(keeper); use; use = LLVMGetFirstUse(keeper))
    LLVMInstructionEraseFromParent(LLVMGetUser(use));
  LLVMDeleteFunction(keeper);
}
