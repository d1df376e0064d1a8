// What do malloc and new give in device code? Each call gives memory that no other call gives: two threads
// that use what they allocated themselves never meet there. Where thread 0 alone allocates and tells its
// block by shared memory (stored_pointers.c), the memory is one for each block, as shared memory is. Method: an
// object for each place of the text that allocates; a key keeps it out of whatever takes equal objects and
// offsets for one word of memory. Soundness: a pointer that comes back from other memory than that has no
// value, and its accesses are not understood; what a thread reads there is unknown; a call may give null.
// What one place gives in two rounds of a loop counts as one memory. Atomic and volatile accesses leave the
// kernel undecided, since threads could order each other by them. A release is no access that is looked for;
// where another thread may use the memory between the same two barriers, or it is not seen whose memory is
// released, the kernel is undecided: the bytes may be somebody else's at once. That a thread uses what it
// released itself is another mistake than a race.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

static SymValue heap_pointer(Frame *frame, uint32_t call) {
  Scan *scan = frame->scan;
  if (!allocations_is_allocation(scan, &scan->fn->insts.items[call])) return (SymValue){.kind = SYM_NONE};
  uint32_t object = allocations_object(scan, call);
  if (only_first_executes(frame->scan, scan->fn->insts.items[call].block))
    scan->objects.items[object].is_of_block = true;
  Target *target = arena_new(scan->arena, Target);
  *target = (Target){0, object, expr_const(scan->pool, 64, 0), expr_const(scan->pool, 64, 0)};
  return (SymValue){.kind = SYM_POINTER, .target_count = 1, .targets = target};
}

// ---- releases

// What is released may be the thread's own memory, the block's (`object`), or anybody's.
typedef enum Released { OWN, OF_BLOCK, ANY } Released;

static Released released_at(Frame *frame, const IrInst *release, uint32_t *object) {
  const Scan *scan = frame->scan;
  SymValue value = frame_value(frame, release->ops[0]);
  if (value.kind != SYM_POINTER) return ANY;
  Released found = OWN;
  for (uint32_t t = 0; t < value.target_count; t++) {
    uint32_t target = value.targets[t].object;
    ObjKind kind = scan->objects.items[target].kind;
    if (kind == OBJ_NULL) continue;
    if (kind != OBJ_HEAP || (found == OF_BLOCK && *object != target)) return ANY;
    if (!allocations_is_of_block(scan, target)) continue;
    *object = target;
    found = OF_BLOCK;
  }
  return found;
}

static bool may_use(const Scan *scan, uint32_t access, Released released, uint32_t object) {
  if (released == OF_BLOCK) return access_may_touch(scan, access, object);
  for (uint32_t o = 0; o < scan->objects.count; o++)
    if (scan->objects.items[o].kind == OBJ_HEAP && access_may_touch(scan, access, o)) return true;
  return false;
}

// May two threads be at the two instructions with nothing that orders them between?
static bool are_unordered(Frame *frame, Released released, uint32_t release, uint32_t other, bool is_loose) {
  Scan *scan = frame->scan;
  const IrInst *insts = scan->fn->insts.items;
  if (released == ANY || is_loose) return true;
  bool is_one_thread = only_first_executes(frame->scan, insts[release].block) &&
                       only_first_executes(frame->scan, insts[other].block);
  return !is_one_thread &&
         node_share_stretch(scan, EXTENT_INTRA_BLOCK, node_of_inst(scan, release), node_of_inst(scan, other));
}

static void check_release(Frame *frame, uint32_t release) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[release];
  uint32_t object = 0;
  Released released = released_at(frame, inst, &object);
  if (released == OWN) return;
  bool is_open = released == OF_BLOCK && are_unordered(frame, released, release, release, false);
  for (uint32_t a = 0; a < scan->accesses.count && !is_open; a++) {
    const Access *access = &scan->accesses.items[a];
    is_open = may_use(scan, a, released, object) &&
              are_unordered(frame, released, release, access->inst, access->is_async || access->is_loose);
  }
  if (is_open)
    scan_undecided(scan, inst->loc,
                   "memory that the kernel allocates is released here, maybe while other "
                   "threads use it");
}

void heap_check_releases(Scan *scan) {
  ASSERT(scan->reaches); // after objects_mark_written
  ExprRef shared_block[3] = {0};
  Frame *frame = NULL;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!ir_is_heap_release(scan->module, inst) || inst->op_count == 0 ||
        scan->cfg->rpo_number[inst->block] == CFG_NONE)
      continue;
    if (!frame)
      frame = frame_make(scan, view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD1, shared_block), NULL, NULL);
    check_release(frame, i);
  }
}

const ValueFacts heap_facts = {.value = heap_pointer};
