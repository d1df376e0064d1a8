// Which structs that a kernel is given by value does it change? `void k(View v) { v.data += blockIdx.x *
// v.rows; .. }` writes into the thread's own copy of its argument. What the rest of the analysis reads there
// is what the launch gave, so such a kernel gets the copy that it means: a variable of its own, filled from
// the parameter at its start, which sroa takes apart. Method: all uses of the parameter's address, through
// what is computed from it; if one of them may write, or is not understood, all uses are of the copy.
// Soundness: exact, as far as LLVM's passes are.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <string.h>

enum { USE_DEPTH = 16 };

static bool is_copied_from(LLVMValueRef user, LLVMValueRef address) {
  if (!LLVMIsACallInst(user) || LLVMGetNumArgOperands(user) < 3) return false;
  LLVMValueRef callee = LLVMGetCalledValue(user);
  size_t length = 0;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  bool copies = strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0;
  return copies && LLVMGetOperand(user, 0) != address;
}

static bool only_reads(LLVMValueRef address, int depth) {
  if (depth == 0) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_address = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) ||
                      LLVMIsAAddrSpaceCastInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) || is_copied_from(user, address)) continue;
    if (!is_address || !only_reads(user, depth - 1)) return false;
  }
  return true;
}

static void give_copy(LLVMModuleRef module, LLVMValueRef kernel, LLVMValueRef param, LLVMTypeRef type) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));
  size_t length = 0;
  const char *name = LLVMGetValueName2(param, &length);
  LLVMPositionBuilderBefore(builder, first);
  LLVMValueRef copy = LLVMBuildAlloca(builder, type, name);
  unsigned alignment = LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(module), type);
  LLVMSetAlignment(copy, alignment);
  LLVMReplaceAllUsesWith(param, copy);
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
  LLVMBuildMemCpy(builder, copy, alignment, param, alignment,
                  LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(module)), bytes, 0));
  LLVMDisposeBuilder(builder);
}

bool own_params_copy(LLVMModuleRef module, LLVMValueRef kernel) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  bool changed = false;
  for (unsigned p = 0; !LLVMIsDeclaration(kernel) && p < LLVMCountParams(kernel); p++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(kernel, p + 1, kind);
    LLVMValueRef param = LLVMGetParam(kernel, p);
    if (!byval || only_reads(param, USE_DEPTH)) continue;
    give_copy(module, kernel, param, LLVMGetTypeAttributeValue(byval));
    changed = true;
  }
  return changed;
}
