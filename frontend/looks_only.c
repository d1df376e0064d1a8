// Does a function of the host only look? A comparison that is given to a sort may be any code of the program: if it writes to no
// memory but its own variables, and calls nothing that does, the sort leaves the same elements in another order. Method: its
// instructions as clang wrote them, before anything is put in line; calls are followed. Soundness: under-approximates. A store
// through an address that was loaded, a call of what is not seen and is no mathematics, or through a pointer, an atomic operation:
// it may write.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>

enum { FUNCTION_LIMIT = 48, ADDRESS_DEPTH = 16 };

typedef struct Looking {
  uint32_t count;
  LLVMValueRef seen[FUNCTION_LIMIT];
} Looking;

static bool is_own_variable(LLVMValueRef address) {
  for (int depth = 0; depth < ADDRESS_DEPTH; depth++) {
    if (LLVMIsAAllocaInst(address)) return true;
    if (!LLVMIsAGetElementPtrInst(address) && !LLVMIsABitCastInst(address)) return false;
    address = LLVMGetOperand(address, 0);
  }
  return false;
}

static bool is_known_to_look(const char *name) {
  static const char *const names[] = {"strcmp", "strncmp", "strlen", "memcmp"};
  static const char *const intrinsics[] = {"llvm.dbg.",  "llvm.lifetime.", "llvm.assume", "llvm.expect",
                                           "llvm.fabs.", "llvm.smax.",     "llvm.smin.",  "llvm.umax.",
                                           "llvm.umin.", "llvm.abs."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
    if (str_starts_with(name, intrinsics[i])) return true;
  return recognise_is_pure_math(name);
}

static bool writes_where_told(const char *name) {
  return str_starts_with(name, "llvm.memcpy.") || str_starts_with(name, "llvm.memmove.") ||
         str_starts_with(name, "llvm.memset.");
}

static bool function_looks(Looking *looking, LLVMValueRef function);

static bool call_looks(Looking *looking, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return false;
  if (!LLVMIsDeclaration(callee)) return function_looks(looking, callee);
  const char *name = value_name(callee);
  return writes_where_told(name) ? is_own_variable(LLVMGetOperand(call, 0)) : is_known_to_look(name);
}

static bool inst_looks(Looking *looking, LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  if (op == LLVMStore) return !LLVMGetVolatile(inst) && is_own_variable(LLVMGetOperand(inst, 1));
  if (op == LLVMLoad) return !LLVMGetVolatile(inst);
  if (op == LLVMCall || op == LLVMInvoke) return call_looks(looking, inst);
  return op != LLVMAtomicRMW && op != LLVMAtomicCmpXchg && op != LLVMFence && op != LLVMVAArg &&
         op != LLVMCallBr;
}

static bool function_looks(Looking *looking, LLVMValueRef function) {
  for (uint32_t i = 0; i < looking->count; i++)
    if (looking->seen[i] == function) return true; // asked for, here or above
  if (looking->count == FUNCTION_LIMIT) return false;
  looking->seen[looking->count++] = function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (!inst_looks(looking, i)) return false;
  return true;
}

bool function_only_looks(LLVMValueRef function) {
  ASSERT(LLVMIsAFunction(function));
  Looking looking = {0};
  return !LLVMIsDeclaration(function) && function_looks(&looking, function);
}
