// What do malloc and new give in device code? Each call gives memory that no other call gives: two threads
// that use what they allocated themselves never meet there. Where thread 0 alone allocates and tells its
// block by shared memory (kept_pointers.c), the memory is one for each block, as shared memory is. Method: an
// object for each place of the text that allocates; a key keeps it out of whatever takes equal objects and
// offsets for one word of memory. Soundness: a pointer that comes back from other memory than that has no
// value, and its accesses are not understood; what a thread reads there is unknown; a call may give null.
// What one place gives in two rounds of a loop counts as one memory. Atomic and volatile accesses leave the
// kernel undecided, since threads could order each other by them. To release memory is no access to it: using
// it afterwards is another mistake than a race.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/internal.h"

bool heap_is_allocation(const Scan *scan, const IrInst *inst) {
  return ir_is_heap_allocation(scan->module, inst);
}

bool heap_is_call(const Scan *scan, const IrInst *inst) {
  return heap_is_allocation(scan, inst) || ir_is_heap_release(scan->module, inst);
}

uint32_t heap_object(Scan *scan, uint32_t call) {
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[call].loc);
  return object_find(scan, OBJ_HEAP, call,
                     arena_printf(scan->arena, "memory allocated at line %u", loc->line));
}

SymValue heap_pointer(Frame *frame, uint32_t call) {
  Scan *scan = frame->scan;
  uint32_t object = heap_object(scan, call);
  if (counts_only_first(frame, scan->fn->insts.items[call].block))
    scan->objects.items[object].is_of_block = true;
  Target *target = arena_new(scan->arena, Target);
  *target = (Target){0, object, expr_const(scan->pool, 64, 0), expr_const(scan->pool, 64, 0)};
  return (SymValue){.kind = SYM_POINTER, .target_count = 1, .targets = target};
}

bool heap_is_of_block(const Scan *scan, uint32_t object) {
  return scan->objects.items[object].kind == OBJ_HEAP && scan->objects.items[object].is_of_block;
}

void heap_check_access(Scan *scan, const Access *access, uint32_t object) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  if (scan->objects.items[object].kind != OBJ_HEAP) return;
  if (access->kind == ACCESS_ATOMIC || inst->order != IR_ORDER_PLAIN)
    scan_undecided(scan, inst->loc, "atomic or volatile access to memory that the kernel allocates");
}
