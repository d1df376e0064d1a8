// What does one instruction of LLVM mean in the IR? Arithmetic is in lower_arith.c, addresses in lower_address.c;
// operations on vectors go element by element. Soundness: exact for pointers, memory and control flow. What has
// no counterpart is UNKNOWN with its name (may do anything) or, without effects, a PURE function of its
// operands.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"
#include "frontend/llvm_before.h"

#include <string.h>

// ---- element by element

static LLVMTypeRef scalar_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
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
    type = type_step_into(lower, type, indices[i], &offset);
  return emit_extract(lower, lower_value(lower, aggregate), offset, lower_type(lower, type));
}

static IrRef lower_insert_value(Lower *lower, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  const unsigned *indices = LLVMGetIndices(instruction);
  uint32_t offset = 0;
  LLVMTypeRef at = type;
  for (unsigned i = 0; i < LLVMGetNumIndices(instruction); i++)
    at = type_step_into(lower, at, indices[i], &offset);
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
#if HGRD_LLVM >= 20
  case LLVMAtomicRMWBinOpUSubCond:
  case LLVMAtomicRMWBinOpUSubSat:
#endif
#if HGRD_LLVM >= 21
  case LLVMAtomicRMWBinOpFMaximum:
  case LLVMAtomicRMWBinOpFMinimum:
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
  if (inst.owner) inst.member = class_first_member_flags(LLVMGetAllocatedType(instruction));
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
  ASSERT(lower->request && lower->function);
  ASSERT(instruction);
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
