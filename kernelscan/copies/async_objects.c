// On which barrier object does an asynchronous copy complete, and does a phase of that wait for all its bytes? Method: the
// object by its address (barrier/arrivals.c); the bytes that are announced, added up beside those that the copies bring,
// where both are said at one place. Soundness: an object is named only if it is followed as a barrier of the whole block and knows
// of the bytes of all bulk copies; else the copy goes on, and the kernel says why.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/async_walk.h"
#include "kernelscan/barrier.h"
#include "kernelscan/operations.h"

bool async_may_be_of_object(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  if (operation_is_of_object(scan, access)) return true;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_ARRIVE_COPIES)
      return access->is_async && !copy_is_bulk(&scan->fn->insts.items[access->inst]);
  }
  return false;
}

// The bytes that are to come are said where the copies are issued: as many as these copies bring, all of them
// on the same ways.
static bool expects_its_bytes(Scan *scan, uint32_t expect) {
  const IrInst *insts = scan->fn->insts.items;
  uint32_t at = insts[expect].block;
  Frame *frame = arrivals_frame(scan);
  ExprRef sum = 0;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    bool is_copy = ir_inst_is(&insts[i], IR_ASYNC) && copy_is_bulk(&insts[i]) &&
                   operation_completes_on_object(scan, &insts[i]);
    if (!is_copy || scan->cfg->rpo_number[insts[i].block] == CFG_NONE) continue;
    bool is_beside = cfg_dominates(scan->cfg, at, insts[i].block) &&
                     cfg_post_dominates(scan->cfg, insts[i].block, at) &&
                     scan->cfg->loop_of[at] == scan->cfg->loop_of[insts[i].block];
    if (!is_beside || !bytes_add(frame, &sum, insts[i].ops[2])) return false;
  }
  return bytes_are_all(frame, sum, insts[expect].ops[1]);
}

// Does the object know of all bytes of the bulk copies? One place says so, for all of them.
static bool bytes_are_known(Scan *scan, uint32_t object) {
  const Meets *meets = arrivals_all(scan);
  uint32_t places = 0;
  for (uint32_t i = 0; i < meets->count; i++) {
    const Meet *meet = &meets->items[i];
    const IrInst *inst = &scan->fn->insts.items[meet->inst];
    if (inst->op != IR_MBARRIER || inst->imm != IR_MBARRIER_EXPECT) continue;
    if (meet->object != object || ++places > 1 || !expects_its_bytes(scan, meet->inst)) return false;
  }
  return places == 1;
}

uint32_t async_told_object(Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  const IrInst *copy = &scan->fn->insts.items[access->inst];
  if (!operation_is_of_object(scan, access) || !copy_is_bulk(copy)) return 0;
  uint32_t object = arrivals_object(scan, arrivals_frame(scan), copy->ops[3]);
  return object && bytes_are_known(scan, object) ? object : 0;
}

// More is announced than the only copy brings, in the same breath.
static bool is_short(const Scan *scan, uint32_t copy, uint32_t expect, int64_t expected) {
  const IrInst *insts = scan->fn->insts.items;
  uint32_t copies = 0;
  int64_t bytes = 0;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    copies += ir_inst_is(&insts[i], IR_ASYNC) || ir_op_class((IrOp)insts[i].op) == IR_CLASS_CALL ||
              (insts[i].op == IR_MBARRIER && insts[i].imm == IR_MBARRIER_COMPLETE);
  return copies == 1 && insts[copy].block == insts[expect].block &&
         ir_const_value(scan->fn, insts[copy].ops[2], &bytes) && bytes < expected;
}

// Why it is not known when the phase of the object ends.
static void say_bytes(Scan *scan, uint32_t copy, uint32_t object) {
  const Meets *meets = arrivals_all(scan);
  const IrInst *insts = scan->fn->insts.items;
  int64_t expected = 0, bytes = 0;
  uint32_t places = 0, line = 0, expect = 0;
  for (uint32_t i = 0; i < meets->count; i++) {
    const Meet *meet = &meets->items[i];
    const IrInst *inst = &insts[meet->inst];
    if (inst->op != IR_MBARRIER || inst->imm != IR_MBARRIER_EXPECT || meet->object != object) continue;
    places += ir_const_value(scan->fn, inst->ops[1], &expected) ? 1 : 2;
    line = ir_loc(scan->module, inst->loc)->line;
    expect = meet->inst;
  }
  if (places == 0)
    scan_undecided(
        scan, insts[copy].loc,
        "the bytes of this copy are announced to its barrier object nowhere (expect_tx): a phase of "
        "the object does not wait for it");
  else if (places == 1 && ir_const_value(scan->fn, insts[copy].ops[2], &bytes) && bytes > expected)
    scan_undecided(scan, insts[copy].loc,
                   "the barrier object of this copy expects %lld bytes (line %u), which is not what the copy "
                   "brings (%lld): its phase may end while bytes are under way, or never",
                   (long long)expected, line, (long long)bytes);
  else if (places == 1 && is_short(scan, copy, expect, expected))
    scan_undecided(scan, insts[copy].loc,
                   "the barrier object of this copy expects %lld bytes (line %u), more than the copy brings "
                   "(%lld): its phase never ends",
                   (long long)expected, line, (long long)bytes);
}

// Is it the object that is waited for, of several in one array?
static bool is_at(Frame *frame, IrRef address_ref, ExprRef word) {
  SymValue address = frame_value(frame, address_ref);
  return address.kind == SYM_POINTER && address.target_count == 1 && address.targets[0].offset == word;
}

uint32_t async_object_of(Scan *scan, uint32_t inst, IrRef address) {
  ASSERT(scan_has_inst(scan, inst));
  ASSERT(ir_ref_is_of(scan->module, scan->fn, address));
  const Meets *meets = arrivals_all(scan);
  const IrInst *copy = &scan->fn->insts.items[inst];
  Frame *frame = arrivals_frame(scan);
  uint32_t object = arrivals_object(scan, frame, address);
  bool is_followed = false;
  for (uint32_t i = 0; object && i < meets->count; i++) {
    const Meet *meet = &meets->items[i];
    if (meet->object == object)
      is_followed = meet->state == MEET_WHOLE && meet->is_single && is_at(frame, address, meet->word);
  }
  bool is_told = !object || !copy_is_bulk(copy) || bytes_are_known(scan, object);
  if (!is_told) say_bytes(scan, inst, object);
  return is_followed && is_told ? object : 0;
}

bool async_is_announced(Scan *scan, uint32_t copy, uint32_t object) {
  ASSERT(scan_has_inst(scan, copy));
  const IrInst *insts = scan->fn->insts.items;
  bool has_arrived = false;
  for (uint32_t i = copy; copy_is_bulk(&insts[copy]) && i-- > 0 && insts[i].block == insts[copy].block;) {
    const Meet *meet = arrivals_meet_of(scan, i);
    if (!meet || meet->object != object) continue;
    if (operation_is_wait(&insts[i])) return false;
    if (insts[i].op == IR_MBARRIER && insts[i].imm == IR_MBARRIER_EXPECT) return has_arrived;
    has_arrived |= operation_is_arrival(&insts[i]);
  }
  return false;
}

uint32_t async_array_of(Scan *scan, IrRef address) {
  ASSERT(ir_ref_is_of(scan->module, scan->fn, address));
  const Meets *meets = arrivals_all(scan);
  uint32_t object = arrivals_object(scan, arrivals_frame(scan), address);
  for (uint32_t i = 0; object && i < meets->count; i++)
    if (meets->items[i].object == object)
      return meets->items[i].state == MEET_WHOLE && !meets->items[i].is_single ? object : 0;
  return 0;
}
