// Which functions can a call through a pointer reach? `f = k ? add : sub; f(x)` and calls through tables of
// constants: the pointer goes back, through choices and merges, to functions with names. The call becomes a
// call of a new function that is given the number of the function, and calls it by name in a switch; the
// number is made where the pointer is made, by the same choices. It is inlined as any other. Soundness:
// exact. A pointer that goes back to anything else, or to functions of another type, stays as it is. A null
// pointer stands for the first function: a call of it is undefined.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>

enum { MOST_FUNCTIONS = 32, MOST_VALUES = 64, MOST_INDICES = 4 };

typedef struct Choice {
  LLVMModuleRef module;
  LLVMTypeRef type; // of the functions
  LLVMValueRef functions[MOST_FUNCTIONS];
  uint32_t function_count;
  // Pointers that were looked at, and their numbers once these are made.
  LLVMValueRef values[MOST_VALUES], numbers[MOST_VALUES];
  uint32_t value_count;
} Choice;

static bool collect(Choice *c, LLVMValueRef value);

static LLVMTypeRef number_type(const Choice *c) {
  return LLVMInt64TypeInContext(LLVMGetModuleContext(c->module));
}

static bool is_nothing(LLVMValueRef value) {
  return LLVMIsNull(value) || LLVMIsUndef(value) || LLVMIsPoison(value);
}

static LLVMValueRef number_of_function(const Choice *c, LLVMValueRef function) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < c->function_count; i++)
    if (c->functions[i] == function) number = i;
  return LLVMConstInt(number_type(c), number, false);
}

static bool collect_function(Choice *c, LLVMValueRef function) {
  if (LLVMGlobalGetValueType(function) != c->type) return false;
  for (uint32_t i = 0; i < c->function_count; i++)
    if (c->functions[i] == function) return true;
  if (c->function_count == MOST_FUNCTIONS) return false;
  c->functions[c->function_count++] = function;
  return true;
}

// ---- tables
static LLVMValueRef place_without_casts(LLVMValueRef place) {
  while (LLVMIsAAddrSpaceCastInst(place) ||
         (LLVMIsAConstantExpr(place) && LLVMGetConstOpcode(place) == LLVMAddrSpaceCast))
    place = LLVMGetOperand(place, 0);
  return place;
}

static bool is_place_in(LLVMValueRef place) {
  return LLVMIsAGetElementPtrInst(place) ||
         (LLVMIsAConstantExpr(place) && LLVMGetConstOpcode(place) == LLVMGetElementPtr);
}

static LLVMValueRef constant_data(LLVMValueRef place) {
  bool is_known = LLVMIsAGlobalVariable(place) && LLVMIsGlobalConstant(place) && !LLVMIsDeclaration(place);
  return is_known ? place : NULL;
}

static bool only_loads(LLVMValueRef place) {
  for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use))
    if (!LLVMIsALoadInst(LLVMGetUser(use))) return false;
  return true;
}

// A variable of the thread that is only copied from constant data, as a whole, and read: that data.
static LLVMValueRef copied_data(LLVMValueRef variable) {
  LLVMValueRef data = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    size_t length = 0;
    const char *name = LLVMIsACallInst(user) ? LLVMGetValueName2(LLVMGetCalledValue(user), &length) : "";
    if (LLVMIsALoadInst(user) || (LLVMIsAGetElementPtrInst(user) && only_loads(user)) ||
        strncmp(name, "llvm.lifetime.", 14) == 0)
      continue;
    if (data || strncmp(name, "llvm.memcpy.", 12) != 0 || LLVMGetOperand(user, 0) != variable) return NULL;
    data = constant_data(place_without_casts(LLVMGetOperand(user, 1)));
    if (!data || LLVMGlobalGetValueType(data) != LLVMGetAllocatedType(variable)) return NULL;
  }
  return data;
}

// The constant data that the load reads from, or NULL.
static LLVMValueRef data_of(LLVMValueRef load) {
  LLVMValueRef place = place_without_casts(LLVMGetOperand(load, 0));
  if (is_place_in(place)) {
    if (LLVMGetNumIndices(place) > MOST_INDICES) return NULL;
    place = place_without_casts(LLVMGetOperand(place, 0));
  }
  return LLVMIsAAllocaInst(place) ? copied_data(place) : constant_data(place);
}

// At which byte of the data, if that is a constant?
static bool constant_offset(const Choice *c, LLVMValueRef load, uint64_t *offset) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
  LLVMValueRef place = place_without_casts(LLVMGetOperand(load, 0));
  *offset = 0;
  if (!is_place_in(place)) return true;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(place);
  for (unsigned i = 0; i < LLVMGetNumIndices(place); i++) {
    LLVMValueRef index = LLVMGetOperand(place, i + 1);
    if (!LLVMIsAConstantInt(index)) return false;
    uint64_t number = LLVMConstIntGetZExtValue(index);
    if (i > 0 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *offset += LLVMOffsetOfElement(layout, type, (unsigned)number);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
      continue;
    }
    if (i > 0 && LLVMGetTypeKind(type) != LLVMArrayTypeKind) return false;
    if (i > 0) type = LLVMGetElementType(type);
    *offset += number * LLVMABISizeOfType(layout, type);
  }
  return true;
}

// The pointer that stands at this byte of the data, or NULL.
static LLVMValueRef pointer_at(const Choice *c, LLVMValueRef data, uint64_t offset) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
  LLVMValueRef value = LLVMGetInitializer(data);
  while (value && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (offset >= LLVMABISizeOfType(layout, type)) return NULL;
    uint64_t at = 0, start = 0;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      at = LLVMElementAtOffset(layout, type, offset);
      start = LLVMOffsetOfElement(layout, type, (unsigned)at);
    } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
      uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetElementType(type));
      if (bytes == 0) return NULL;
      at = offset / bytes;
      start = at * bytes;
    } else {
      return NULL;
    }
    value = LLVMGetAggregateElement(value, (unsigned)at);
    offset -= start;
  }
  return value && offset == 0 ? place_without_casts(value) : NULL;
}

// A row of pointers, read at any place.
static LLVMValueRef table_of(LLVMValueRef load) {
  LLVMValueRef data = data_of(load);
  LLVMTypeRef type = data ? LLVMGlobalGetValueType(data) : NULL;
  bool is_row = type && LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
                LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind;
  return is_row && LLVMGetArrayLength2(type) <= MOST_FUNCTIONS ? data : NULL;
}

// The only pointer that the load can read, or NULL.
static LLVMValueRef known_pointer(const Choice *c, LLVMValueRef load) {
  uint64_t offset = 0;
  LLVMValueRef data = data_of(load);
  return data && constant_offset(c, load, &offset) ? pointer_at(c, data, offset) : NULL;
}

static bool collect_table(Choice *c, LLVMValueRef load) {
  if (LLVMGetVolatile(load)) return false;
  LLVMValueRef known = known_pointer(c, load);
  if (known) return collect(c, known);
  LLVMValueRef table = table_of(load), data = table ? LLVMGetInitializer(table) : NULL;
  if (!table) return false;
  unsigned count = (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(table));
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(data, i);
    if (!element || !collect(c, place_without_casts(element))) return false;
  }
  return true;
}

// A table of numbers with the same layout, read at the same place.
static LLVMValueRef number_from_table(const Choice *c, LLVMValueRef load, LLVMBuilderRef builder) {
  LLVMValueRef table = table_of(load), data = LLVMGetInitializer(table);
  unsigned count = (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(table));
  LLVMValueRef elements[MOST_FUNCTIONS];
  for (unsigned i = 0; i < count; i++)
    elements[i] = number_of_function(c, place_without_casts(LLVMGetAggregateElement(data, i)));
  LLVMValueRef all = LLVMConstArray2(number_type(c), elements, count);
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(table));
  LLVMValueRef numbers = LLVMAddGlobalInAddressSpace(c->module, LLVMTypeOf(all), "hgrd.numbers", space);
  LLVMSetInitializer(numbers, all);
  LLVMSetGlobalConstant(numbers, true);
  LLVMSetLinkage(numbers, LLVMInternalLinkage);
  LLVMPositionBuilderBefore(builder, load);
  LLVMValueRef place = place_without_casts(LLVMGetOperand(load, 0)), base = numbers;
  if (is_place_in(place)) {
    LLVMTypeRef wanted = LLVMTypeOf(LLVMGetOperand(place, 0));
    if (LLVMTypeOf(numbers) != wanted) base = LLVMBuildAddrSpaceCast(builder, numbers, wanted, "");
    LLVMValueRef indices[MOST_INDICES];
    unsigned index_count = LLVMGetNumIndices(place);
    for (unsigned i = 0; i < index_count; i++)
      indices[i] = LLVMGetOperand(place, i + 1);
    LLVMTypeRef source = LLVMGetGEPSourceElementType(place);
    base = LLVMBuildGEP2(builder, source, base, indices, index_count, "");
  }
  return LLVMBuildLoad2(builder, number_type(c), base, "");
}

// ---- where the pointer comes from
static bool collect(Choice *c, LLVMValueRef value) {
  if (LLVMIsAFunction(value)) return collect_function(c, value);
  if (is_nothing(value)) return true;
  for (uint32_t i = 0; i < c->value_count; i++)
    if (c->values[i] == value) return true;
  if (c->value_count == MOST_VALUES) return false;
  c->numbers[c->value_count] = NULL;
  c->values[c->value_count++] = value;
  if (LLVMIsASelectInst(value))
    return collect(c, LLVMGetOperand(value, 1)) && collect(c, LLVMGetOperand(value, 2));
  if (LLVMIsALoadInst(value)) return collect_table(c, value);
  if (!LLVMIsAPHINode(value)) return false;
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
    if (!collect(c, LLVMGetIncomingValue(value, i))) return false;
  return true;
}

static LLVMValueRef number_of(Choice *c, LLVMValueRef value, LLVMBuilderRef builder);

static void fill_phi(Choice *c, LLVMValueRef phi, LLVMValueRef number, LLVMBuilderRef builder) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef incoming = number_of(c, LLVMGetIncomingValue(phi, i), builder);
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMAddIncoming(number, &incoming, &block, 1);
  }
}

static LLVMValueRef number_of(Choice *c, LLVMValueRef value, LLVMBuilderRef builder) {
  if (LLVMIsAFunction(value) || is_nothing(value)) return number_of_function(c, value);
  uint32_t at = 0;
  while (c->values[at] != value)
    at++;
  if (c->numbers[at]) return c->numbers[at];
  if (LLVMIsAPHINode(value)) {
    LLVMPositionBuilderBefore(builder, value);
    c->numbers[at] = LLVMBuildPhi(builder, number_type(c), "");
    fill_phi(c, value, c->numbers[at], builder);
  } else if (LLVMIsASelectInst(value)) {
    LLVMValueRef yes = number_of(c, LLVMGetOperand(value, 1), builder);
    LLVMValueRef no = number_of(c, LLVMGetOperand(value, 2), builder);
    LLVMPositionBuilderBefore(builder, value);
    c->numbers[at] = LLVMBuildSelect(builder, LLVMGetOperand(value, 0), yes, no, "");
  } else {
    LLVMValueRef known = known_pointer(c, value);
    c->numbers[at] = known ? number_of(c, known, builder) : number_from_table(c, value, builder);
  }
  return c->numbers[at];
}

// ---- the call
enum { MOST_ARGUMENTS = 32 };

// A function that takes the number, and then what the functions take.
static LLVMValueRef make_chooser(const Choice *c, LLVMTypeRef *type, LLVMBuilderRef builder) {
  LLVMContextRef context = LLVMGetModuleContext(c->module);
  LLVMTypeRef types[MOST_ARGUMENTS + 1], result = LLVMGetReturnType(c->type);
  unsigned count = LLVMCountParamTypes(c->type);
  types[0] = number_type(c);
  LLVMGetParamTypes(c->type, types + 1);
  *type = LLVMFunctionType(result, types, count + 1, false);
  LLVMValueRef chooser = LLVMAddFunction(c->module, "hgrd.chosen", *type);
  LLVMSetLinkage(chooser, LLVMInternalLinkage);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, chooser, ""), first = NULL;
  LLVMValueRef args[MOST_ARGUMENTS], choice = NULL;
  for (unsigned i = 0; i < count; i++)
    args[i] = LLVMGetParam(chooser, i + 1);
  for (uint32_t i = 0; i < c->function_count; i++) {
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(context, chooser, "");
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMValueRef value = LLVMBuildCall2(builder, c->type, c->functions[i], args, count, "");
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
      LLVMBuildRetVoid(builder);
    else
      LLVMBuildRet(builder, value);
    LLVMPositionBuilderAtEnd(builder, entry);
    if (!first)
      first = block;
    else if (!choice)
      choice = LLVMBuildSwitch(builder, LLVMGetParam(chooser, 0), first, c->function_count - 1);
    if (choice) LLVMAddCase(choice, LLVMConstInt(number_type(c), i, false), block);
  }
  if (!choice) LLVMBuildBr(builder, first);
  return chooser;
}

static void replace(Choice *c, LLVMValueRef call) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(c->module));
  LLVMValueRef args[MOST_ARGUMENTS + 1];
  unsigned count = LLVMCountParamTypes(c->type);
  args[0] = number_of(c, LLVMGetCalledValue(call), builder);
  for (unsigned i = 0; i < count; i++)
    args[i + 1] = LLVMGetOperand(call, i);
  LLVMTypeRef type;
  LLVMValueRef chooser = make_chooser(c, &type, builder);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef chosen = LLVMBuildCall2(builder, type, chooser, args, count + 1, "");
  LLVMInstructionSetDebugLoc(chosen, LLVMInstructionGetDebugLoc(call));
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(call, chosen);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

static bool is_indirect(LLVMValueRef inst) {
  if (!LLVMIsACallInst(inst)) return false;
  LLVMValueRef callee = LLVMGetCalledValue(inst);
  return LLVMIsASelectInst(callee) || LLVMIsAPHINode(callee) || LLVMIsALoadInst(callee);
}

bool chosen_calls_expand(LLVMModuleRef module) {
  ASSERT(module);
  bool changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!is_indirect(i)) continue;
        Choice c = {.module = module, .type = LLVMGetCalledFunctionType(i)};
        if (LLVMIsFunctionVarArg(c.type) || LLVMCountParamTypes(c.type) > MOST_ARGUMENTS ||
            !collect(&c, LLVMGetCalledValue(i)) || !c.function_count)
          continue;
        replace(&c, i);
        changed = true;
      }
  return changed;
}
