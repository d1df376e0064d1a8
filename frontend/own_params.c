// Which structs that a kernel is given by value does it change? `void k(View v) { v.data += blockIdx.x *
// v.rows; .. }` writes into the thread's own copy of its argument. What the rest of the analysis reads there
// is what the launch gave, so such a kernel gets the copy that it means: a variable of its own, filled from
// the parameter at its start, which sroa takes apart. Method: all uses of the parameter's address, through
// what is computed from it; if one of them may write, or is not understood, all uses are of the copy.
// The other way round, a device function that takes the struct by value reads a copy of it, which is left out
// if nobody writes it or the parameter: what is read there is the same for all threads. Soundness: exact, as
// far as LLVM's passes are; what is read of a copy before it is filled is undefined.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

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

static LLVMValueRef base_of(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
         LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  return address;
}

static bool only_reads(LLVMValueRef address, int depth);

// Where in a struct does an address stand? At `count` indices; 0: anywhere.
typedef struct Held {
  const unsigned *indices;
  unsigned count;
} Held;

static Held held_by(LLVMValueRef insertion) {
  return (Held){LLVMGetIndices(insertion), LLVMGetNumIndices(insertion)};
}

static bool is_elsewhere(LLVMValueRef extraction, Held held) {
  const unsigned *indices = LLVMGetIndices(extraction);
  unsigned count = LLVMGetNumIndices(extraction);
  for (unsigned i = 0; i < count && i < held.count; i++)
    if (indices[i] != held.indices[i]) return true;
  return false;
}

// A struct that an address stands in, as what `m[i]` gives of a matrix m, row and strides: only looked into, and only read over the address.
static bool only_reads_over(LLVMValueRef holder, Held held, int depth) {
  if (depth == 0) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(holder); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(user));
    bool holds = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind, is_inside = false;
    if (LLVMIsAExtractValueInst(user)) {
      if (is_elsewhere(user, held)) continue;
      if (!holds && (kind != LLVMPointerTypeKind || !only_reads(user, depth - 1))) return false;
    } else if (LLVMIsAInsertValueInst(user))
      is_inside = LLVMGetOperand(user, 0) == holder;
    else
      return false;
    if (holds && !only_reads_over(user, is_inside ? held : (Held){0}, depth - 1)) return false;
  }
  return true;
}

static bool only_reads(LLVMValueRef address, int depth) {
  if (depth == 0) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_address = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) ||
                      LLVMIsAAddrSpaceCastInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) || is_copied_from(user, address)) continue;
    if (LLVMIsAInsertValueInst(user) && only_reads_over(user, held_by(user), depth - 1)) continue;
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
  ASSERT(module);
  ASSERT(kernel);
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

// ---- copies that stay as they are
static bool is_named(LLVMValueRef call, const char *prefix) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

// All of the variable, by one copy of a parameter: that one.
static LLVMValueRef filled_from(LLVMValueRef user, LLVMValueRef variable, uint64_t bytes) {
  bool copies = is_named(user, "llvm.memcpy.") || is_named(user, "llvm.memmove.");
  if (!copies || LLVMGetOperand(user, 0) != variable || LLVMGetOperand(user, 1) == variable) return NULL;
  LLVMValueRef length = LLVMGetOperand(user, 2), is_volatile = LLVMGetOperand(user, 3);
  bool is_whole = LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) == bytes &&
                  LLVMIsAConstantInt(is_volatile) && LLVMConstIntGetZExtValue(is_volatile) == 0;
  LLVMValueRef source = LLVMGetOperand(user, 1);
  return is_whole && LLVMIsAArgument(source) ? source : NULL;
}

// Addresses in it are only compared with each other.
static bool is_compared_alone(LLVMValueRef address, LLVMValueRef variable, int depth) {
  if (depth == 0) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user)) return false;
    bool is_test = LLVMIsAICmpInst(user) != NULL;
    if (is_test &&
        (base_of(LLVMGetOperand(user, 0)) != variable || base_of(LLVMGetOperand(user, 1)) != variable))
      return false;
    if (base_of(user) == variable && !is_compared_alone(user, variable, depth - 1)) return false;
  }
  return true;
}

// The parameter of which the variable is a copy that nobody changes; NULL: none.
static LLVMValueRef copy_of(LLVMModuleRef module, LLVMValueRef variable) {
  LLVMValueRef count = LLVMGetOperand(variable, 0), source = NULL;
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(variable));
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1) return NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), from = filled_from(user, variable, bytes);
    if (from && source && from != source) return NULL;
    if (from) source = from;
    if (from || is_named(user, "llvm.lifetime.") || LLVMIsALoadInst(user) || is_copied_from(user, variable))
      continue;
    bool is_address =
        LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user);
    if (!is_address || !only_reads(user, USE_DEPTH)) return NULL;
  }
  bool is_same = source && LLVMTypeOf(source) == LLVMTypeOf(variable) && only_reads(source, USE_DEPTH);
  return is_same && is_compared_alone(variable, variable, USE_DEPTH) ? source : NULL;
}

static void leave_out(LLVMValueRef variable, LLVMValueRef source) {
  LLVMUseRef next = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    bool goes =
        is_named(user, "llvm.lifetime.") || (LLVMIsACallInst(user) && LLVMGetOperand(user, 0) == variable);
    if (goes) LLVMInstructionEraseFromParent(user);
  }
  LLVMReplaceAllUsesWith(variable, source);
  LLVMInstructionEraseFromParent(variable);
}

static bool is_struct_by_value(LLVMValueRef kernel, LLVMValueRef param) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned p = 0; p < LLVMCountParams(kernel); p++)
    if (LLVMGetParam(kernel, p) == param) return LLVMGetEnumAttributeAtIndex(kernel, p + 1, kind) != NULL;
  return false;
}

static bool leave_one_out(LLVMModuleRef module, LLVMValueRef kernel) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
    LLVMValueRef source = LLVMIsAAllocaInst(i) ? copy_of(module, i) : NULL;
    if (!source || !is_struct_by_value(kernel, source)) continue;
    leave_out(i, source);
    return true;
  }
  return false;
}

bool own_params_share(LLVMModuleRef module, LLVMValueRef kernel) {
  ASSERT(module);
  ASSERT(kernel);
  bool changed = false;
  while (!LLVMIsDeclaration(kernel) && leave_one_out(module, kernel))
    changed = true;
  return changed;
}
