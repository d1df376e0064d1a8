// Which calls give or take back memory in device code, and what is the object of one? Method: an object for
// each place of the text that allocates (facts/heap.c says what that means). Soundness: atomic and volatile
// accesses leave the kernel undecided, since threads could order each other by them.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/memory/memory.h"
#include "kernelscan/operations.h"

bool allocations_is_allocation(const Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  return ir_is_heap_allocation(scan->module, inst);
}

bool allocations_is_call(const Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  return allocations_is_allocation(scan, inst) || ir_is_heap_release(scan->module, inst);
}

uint32_t allocations_object(Scan *scan, uint32_t call) {
  ASSERT(scan_has_inst(scan, call) && allocations_is_allocation(scan, &scan->fn->insts.items[call]));
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[call].loc);
  return object_find(scan, OBJ_HEAP, call,
                     arena_printf(scan->arena, "memory allocated at line %u", loc->line));
}

bool allocations_is_of_block(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  return scan->objects.items[object].kind == OBJ_HEAP && scan->objects.items[object].is_of_block;
}

void allocations_check_access(Scan *scan, const Access *access, uint32_t object) {
  ASSERT(scan_has_access(scan, access));
  ASSERT(scan_has_object(scan, object));
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  if (scan->objects.items[object].kind != OBJ_HEAP) return;
  if (access->kind == ACCESS_ATOMIC || inst->order != IR_ORDER_PLAIN)
    scan_undecided(scan, inst->loc, "atomic or volatile access to memory that the kernel allocates");
}
