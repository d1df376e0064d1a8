// Where is shared memory? Each block has memory of its own; a variable is a place in it, the same one in each block. What one kernel
// uses stands behind what several kernels, or functions that they call, use; dynamic memory stands behind all of it. Addresses of these
// variables occur in constant expressions, which are written out as instructions first.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <string.h>

enum { SPACE_SHARED = 3, OFFSETS_DEPTH = 32 };

typedef struct SharedVariable {
  LLVMValueRef global, owner; // owner: the one kernel that uses it, or NULL
  uint64_t offset;
  bool is_dynamic;
} SharedVariable;

typedef struct SharedPlan {
  Device *device;
  VEC(SharedVariable) variables;
} SharedPlan;

static bool is_kernel(const Device *device, LLVMValueRef function, uint32_t *which) {
  for (uint32_t i = 0; i < device->kernels.count; i++)
    if (strcmp(device->kernels.items[i].linked, value_text(function)) == 0) {
      *which = i;
      return true;
    }
  return false;
}

// Calls `seen` for each function that uses the value, also through constants.
static void users(LLVMValueRef value, LLVMValueRef *owner, bool *is_common) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) {
      users(user, owner, is_common);
      continue;
    }
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (*owner && *owner != function) *is_common = true;
    *owner = function;
  }
}

static uint64_t align_up(uint64_t offset, uint64_t to) {
  return (offset + to - 1) / to * to;
}

static uint64_t put_behind(const SharedPlan *plan, SharedVariable *variable, uint64_t end) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable->global);
  uint64_t alignment = LLVMGetAlignment(variable->global),
           least = LLVMABIAlignmentOfType(plan->device->layout, type);
  variable->offset = align_up(end, alignment > least ? alignment : least);
  return variable->offset + LLVMABISizeOfType(plan->device->layout, type);
}

static void collect(SharedPlan *plan) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(plan->device->module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != SPACE_SHARED) continue;
    SharedVariable variable = {.global = g, .is_dynamic = LLVMIsDeclaration(g)};
    bool is_common = false;
    uint32_t which;
    users(g, &variable.owner, &is_common);
    if (is_common || (variable.owner && !is_kernel(plan->device, variable.owner, &which)))
      variable.owner = NULL;
    vec_push(plan->device->arena, &plan->variables, variable);
  }
}

static void lay_out(SharedPlan *plan) {
  Device *device = plan->device;
  uint64_t common = 0;
  for (uint32_t i = 0; i < plan->variables.count; i++)
    if (!plan->variables.items[i].owner && !plan->variables.items[i].is_dynamic)
      common = put_behind(plan, &plan->variables.items[i], common);
  device->common_shared = common;
  for (uint32_t k = 0; k < device->kernels.count; k++) {
    LLVMValueRef kernel = LLVMGetNamedFunction(device->module, device->kernels.items[k].linked);
    uint64_t end = common;
    for (uint32_t i = 0; i < plan->variables.count; i++)
      if (plan->variables.items[i].owner == kernel && !plan->variables.items[i].is_dynamic)
        end = put_behind(plan, &plan->variables.items[i], end);
    vec_push(device->arena, &device->kernel_shared, end);
  }
}

static const SharedVariable *shared_of(const SharedPlan *plan, LLVMValueRef value) {
  for (uint32_t i = 0; i < plan->variables.count; i++)
    if (plan->variables.items[i].global == value) return &plan->variables.items[i];
  return NULL;
}

static bool mentions_shared(const SharedPlan *plan, LLVMValueRef constant, int depth) {
  if (depth > OFFSETS_DEPTH || !LLVMIsAConstant(constant)) return false;
  if (LLVMIsAGlobalVariable(constant)) return shared_of(plan, constant) != NULL;
  if (!LLVMIsAConstantExpr(constant) && !LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant) &&
      !LLVMIsAConstantVector(constant))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(constant); i++)
    if (mentions_shared(plan, LLVMGetOperand(constant, (unsigned)i), depth + 1)) return true;
  return false;
}

static LLVMValueRef address_of(const SharedPlan *plan, const SharedVariable *variable) {
  Device *device = plan->device;
  LLVMValueRef base = lane_pointer(device, variable->is_dynamic ? RT_FIELD_DYNAMIC : RT_FIELD_SHARED);
  LLVMValueRef offset = LLVMConstInt(device->i64, variable->offset, 0);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(device->builder, device->i8, base, &offset, 1, "shared");
  return LLVMBuildAddrSpaceCast(device->builder, address, LLVMTypeOf(variable->global), "shared");
}

static LLVMValueRef written_out(const SharedPlan *plan, LLVMValueRef constant);

static LLVMValueRef write_expression(const SharedPlan *plan, LLVMValueRef constant, LLVMValueRef *operands,
                                     unsigned count) {
  LLVMBuilderRef builder = plan->device->builder;
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  LLVMTypeRef type = LLVMTypeOf(constant);
  switch ((int)opcode) {
  case LLVMGetElementPtr:
    return LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(constant), operands[0], operands + 1, count - 1,
                         "at");
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMXor: return LLVMBuildBinOp(builder, opcode, operands[0], operands[1], "value");
  default: return LLVMBuildCast(builder, opcode, operands[0], type, "value");
  }
}

static LLVMValueRef write_aggregate(const SharedPlan *plan, LLVMValueRef constant, LLVMValueRef *operands,
                                    unsigned count) {
  LLVMBuilderRef builder = plan->device->builder;
  LLVMValueRef value = LLVMGetUndef(LLVMTypeOf(constant));
  bool is_vector = LLVMIsAConstantVector(constant) != NULL;
  for (unsigned i = 0; i < count; i++)
    value = is_vector ? LLVMBuildInsertElement(builder, value, operands[i],
                                               LLVMConstInt(plan->device->i32, i, 0), "value")
                      : LLVMBuildInsertValue(builder, value, operands[i], i, "value");
  return value;
}

static LLVMValueRef written_out(const SharedPlan *plan, LLVMValueRef constant) {
  const SharedVariable *variable = LLVMIsAGlobalVariable(constant) ? shared_of(plan, constant) : NULL;
  if (variable) return address_of(plan, variable);
  if (!mentions_shared(plan, constant, 0)) return constant;
  unsigned count = (unsigned)LLVMGetNumOperands(constant);
  LLVMValueRef *operands = arena_array(plan->device->arena, count + 1, LLVMValueRef);
  for (unsigned i = 0; i < count; i++)
    operands[i] = written_out(plan, LLVMGetOperand(constant, i));
  return LLVMIsAConstantExpr(constant) ? write_expression(plan, constant, operands, count)
                                       : write_aggregate(plan, constant, operands, count);
}

static void rewrite_instruction(const SharedPlan *plan, LLVMValueRef instruction) {
  bool is_phi = LLVMGetInstructionOpcode(instruction) == LLVMPHI;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, i);
    if (!operand || !mentions_shared(plan, operand, 0)) continue;
    LLVMValueRef before =
        is_phi ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, i)) : instruction;
    LLVMPositionBuilderBefore(plan->device->builder, before);
    LLVMSetOperand(instruction, i, written_out(plan, operand));
  }
}

// A phi has one value for each edge from a block; all edges of one block have to agree.
static void agree_on_edges(LLVMValueRef phi) {
  unsigned count = LLVMCountIncoming(phi);
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = i + 1; j < count; j++)
      if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, j))
        LLVMSetOperand(phi, j, LLVMGetOperand(phi, i));
}

static void rewrite(const SharedPlan *plan) {
  for (LLVMValueRef f = LLVMGetFirstFunction(plan->device->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        rewrite_instruction(plan, i);
        if (LLVMGetInstructionOpcode(i) == LLVMPHI) agree_on_edges(i);
      }
}

void shared_place(Device *device) {
  ASSERT(device && device->module);
  SharedPlan plan = {.device = device};
  collect(&plan);
  lay_out(&plan);
  rewrite(&plan);
  for (uint32_t i = 0; i < plan.variables.count; i++) {
    LLVMValueRef global = plan.variables.items[i].global;
    LLVMReplaceAllUsesWith(global, LLVMGetUndef(LLVMTypeOf(global))); // what is left are dead constants
    LLVMDeleteGlobal(global);
  }
}
