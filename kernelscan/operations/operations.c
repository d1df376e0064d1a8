// What is an instruction to those who order threads: a wait, an arrival, a strong access, one that only
// reads? Method: looked up in the instruction and its operands. Soundness: exact; a value that is no constant
// is no particular one.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/operations.h"

#include "core/memory_model.h"

bool operation_is_wait(const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  return (inst->op == IR_MBARRIER &&
          (inst->imm == IR_MBARRIER_WAIT || inst->imm == IR_MBARRIER_WAIT_PARITY)) ||
         (inst->op == IR_BARRIER && inst->imm == IR_BARRIER_AWAIT) ||
         (inst->op == IR_PIPELINE && inst->imm == IR_PIPELINE_WAIT);
}

bool operation_is_arrival(const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  return (inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_ARRIVE) ||
         (inst->op == IR_BARRIER && inst->imm == IR_BARRIER_ARRIVAL) ||
         (inst->op == IR_PIPELINE && inst->imm == IR_PIPELINE_COMMIT);
}

// To leave a barrier object is as to end.
bool operation_is_leaving(const IrInst *inst) {
  ASSERT(inst->op < IR_OP_COUNT);
  return inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_ARRIVE_DROP;
}

bool operation_completes_on_object(const Scan *scan, const IrInst *copy) {
  ASSERT(ir_has_inst(scan->fn, copy));
  return copy->op_count > 3 && ir_ref_type(scan->module, scan->fn, copy->ops[3]).kind == IR_PTR;
}

bool operation_is_of_object(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  return access->is_async && operation_completes_on_object(scan, &scan->fn->insts.items[access->inst]);
}

uint32_t operation_line(const Scan *scan, uint32_t inst) {
  ASSERT(scan_has_inst(scan, inst));
  return ir_loc(scan->module, scan->fn->insts.items[inst].loc)->line;
}

const Access *operation_access(const Scan *scan, uint32_t inst) {
  ASSERT(scan_has_inst(scan, inst));
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].inst == inst) return &scan->accesses.items[a];
  return NULL;
}

IrScope operation_scope_needed(Extent extent) {
  ASSERT(scan_is_extent(extent));
  return memory_scope_between(!extent_is_between_blocks(extent), extent == EXTENT_CLUSTER);
}

bool operation_is_strong(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  return memory_is_strong(inst) && access->is_natural && inst->op != IR_MBARRIER;
}

IrScope operation_scope(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  if (access->kind == ACCESS_ATOMIC) return access->scope;
  return operation_is_strong(scan, access) ? memory_scope(&scan->fn->insts.items[access->inst])
                                           : IR_SCOPE_THREAD;
}

static bool is_constant(const Scan *scan, IrRef ref, int64_t wanted) {
  int64_t value = 0;
  return ir_const_value(scan->fn, ref, &value) && value == wanted;
}

bool operation_is_only_read(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t expected = 0;
  if (inst->op == IR_CMPXCHG)
    return ir_const_value(scan->fn, inst->ops[1], &expected) && is_constant(scan, inst->ops[2], expected);
  if (inst->op == IR_LOAD) return true;
  if (inst->op != IR_ATOMICRMW) return access->kind == ACCESS_READ;
  bool keeps_with_zero =
      inst->rmw == IR_RMW_ADD || inst->rmw == IR_RMW_SUB || inst->rmw == IR_RMW_OR || inst->rmw == IR_RMW_XOR;
  return (keeps_with_zero && is_constant(scan, inst->ops[1], 0)) ||
         (inst->rmw == IR_RMW_AND && is_constant(scan, inst->ops[1], -1));
}

bool operation_stored_constant(const Scan *scan, const Access *access, int64_t *value) {
  ASSERT(scan_has_access(scan, access));
  ASSERT(value);
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  bool is_folded = inst->op == IR_ATOMICRMW && inst->rmw != IR_RMW_XCHG;
  IrRef stored = is_folded ? 0 : ir_stored_value(inst);
  return stored && ir_const_value(scan->fn, stored, value);
}

bool operation_is_used(const Scan *scan, uint32_t index) {
  ASSERT(scan_has_inst(scan, index));
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    for (uint32_t o = 0; o < scan->fn->insts.items[i].op_count; o++)
      if (scan->fn->insts.items[i].ops[o] == IR_REF(IR_REF_INST, index)) return true;
  return false;
}
