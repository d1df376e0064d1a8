// Which fence is enough for whom, on which side, at which scope and order? One table for what is proved and
// for what is run (PTX ISA, "Memory Consistency Model"; Lustig et al., "A Formal Analysis of the NVIDIA PTX
// Memory Consistency Model", ASPLOS 2019; Kamath et al., "ScoRD", ISCA 2020). Soundness: both sides read the
// same lines, so a proof cannot lean on a fence that a run would not count; docs/memory-model.md decides.
// SPDX-License-Identifier: Apache-2.0
#include "core/memory_model.h"
#include "core/bug.h"

const MemoryRules *memory_rules(MemoryModel model) {
  ASSERT(model <= MEMORY_MODEL_SCORD);
  static const MemoryRules rules[MEMORY_MODEL_COUNT] = {
      [MEMORY_MODEL_CUDA] = {FENCE_OF_ANYBODY, FENCE_OF_ANYBODY, false, true, true, false},
      [MEMORY_MODEL_PTX] = {FENCE_BESIDE_FLAG, FENCE_BESIDE_FLAG, false, false, false, false},
      [MEMORY_MODEL_SCORD] = {FENCE_BESIDE_ACCESS, FENCE_OF_NOBODY, true, true, false, true}};
  return &rules[model];
}

// Releasing, the access comes before the barrier and the flag behind it; acquiring, the other way round.
FenceState memory_behind_barrier(const MemoryRules *rules, MemorySide side, FenceState state) {
  ASSERT(side <= SIDE_BOTH && state < FENCE_STATES);
  FenceOwner owner = side == SIDE_ACQUIRE ? rules->acquire : rules->release;
  bool is_first = side == SIDE_ACQUIRE ? owner == FENCE_BESIDE_FLAG : owner == FENCE_BESIDE_ACCESS;
  if (owner == FENCE_OF_ANYBODY || owner == FENCE_OF_NOBODY) return state;
  if (!is_first) return FENCE_NOT_SEEN;
  return state == FENCE_SEEN ? FENCE_SEEN : FENCE_TOO_LATE;
}

bool memory_is_fence(const IrInst *inst, MemorySide side) {
  ASSERT(side <= SIDE_BOTH);
  if (inst->op != IR_FENCE) return false;
  bool acquires = ir_order_acquires(inst->order), releases = ir_order_releases(inst->order);
  switch (side) {
  case SIDE_RELEASE: return releases;
  case SIDE_ACQUIRE: return acquires;
  case SIDE_BOTH: break;
  }
  return acquires && releases;
}

// Loads and stores of cuda::atomic, too.
static bool is_atomic(const IrInst *inst) {
  bool has_order = inst->order != IR_ORDER_PLAIN && inst->order != IR_ORDER_VOLATILE;
  return has_order || (ir_op_flags((IrOp)inst->op) & IR_ATOMIC) != 0;
}

bool memory_is_strong(const IrInst *inst) {
  ASSERT(inst->order < IR_ORDER_COUNT);
  if (inst->op == IR_MBARRIER) return inst->imm != IR_MBARRIER_INIT && inst->imm != IR_MBARRIER_INVALIDATE;
  return inst->order != IR_ORDER_PLAIN || is_atomic(inst);
}

bool memory_is_volatile(const IrInst *inst) {
  ASSERT(inst->order < IR_ORDER_COUNT);
  return inst->order == IR_ORDER_VOLATILE && !is_atomic(inst);
}

bool memory_acquires(const IrInst *inst, bool may_fail) {
  ASSERT(inst->order < IR_ORDER_COUNT);
  bool is_weaker = may_fail && inst->op == IR_CMPXCHG && (inst->flags & IR_FLAG_WEAK_FAILURE);
  return ir_order_acquires(inst->order) && !is_weaker;
}

bool memory_releases(const IrInst *inst) {
  ASSERT(inst->order < IR_ORDER_COUNT);
  return ir_order_releases(inst->order);
}

IrScope memory_scope(const IrInst *inst) {
  ASSERT(inst->scope < IR_SCOPE_COUNT);
  if (is_atomic(inst)) return (IrScope)inst->scope;
  return memory_is_strong(inst) ? IR_SCOPE_SYSTEM : IR_SCOPE_THREAD;
}

IrScope memory_scope_between(bool is_same_block, bool is_same_cluster) {
  return is_same_block ? IR_SCOPE_BLOCK : is_same_cluster ? IR_SCOPE_CLUSTER : IR_SCOPE_DEVICE;
}
