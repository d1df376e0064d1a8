// A block draws room for all that its threads drew: each thread takes a number from a counter in shared
// memory, one of them reads the total behind a barrier and adds it to the list's own counter, and all places
// are below that total. For an addition of v that gave r, and a reading of the counter that comes after it: r
// + v <= what is read. Method: paths in the graph cut at barriers. The reading is one value for all threads
// of the block (nothing writes the counter between its barriers, but perhaps thread 0 when it has read it
// alone), is made once, never before an addition, never between the same two barriers as one, and no reset
// stands with the addition or between the two. Soundness: the counter is changed by additions of amounts that
// are not negative and by nothing else in between, so it only grows until it is read; that it does not wrap
// is A1.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

bool draw_totals_is_reading(const Frame *frame, IrRef ref) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(frame->scan, ref));
  const Scan *scan = frame->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  return inst && inst->op == IR_LOAD && inst->order == IR_ORDER_PLAIN && inst->type.kind == IR_INT &&
         scan->cfg->loop_of[inst->block] == CFG_NONE &&
         (uniform_ref(scan, ref) || only_first_executes(frame->scan, inst->block));
}

// The one cell that both are of.
static bool reads_counter(Frame *frame, const IrInst *load, const DrawRange *drawn) {
  SymValue address = frame_value(frame, load->ops[0]);
  return address.kind == SYM_POINTER && address.target_count == 1 && !address.targets[0].condition &&
         !address.targets[0].key && address.targets[0].object == drawn->counter &&
         address.targets[0].offset == drawn->offset && load->type.bytes == drawn->bytes;
}

// r + v <= total for what this thread drew, if the total was read behind all additions.
void draw_totals_add(Scan *scan, Goal *goal, const DrawRange *drawn, const DrawRange *range) {
  ASSERT(scan_has_expr(scan, drawn->leaf));
  ASSERT(scan_has_expr(scan, range->leaf));
  ExprPool *pool = scan->pool;
  const IrInst *addition = &scan->fn->insts.items[range->source];
  if (drawn->frame != range->frame || !drawn->is_own || drawn->is_unsigned || range->is_unsigned) return;
  if (scan->objects.items[drawn->counter].kind != OBJ_SHARED || drawn->scope < IR_SCOPE_BLOCK) return;
  if (!draw_totals_is_reading(range->frame, addition->ops[1])) return;
  uint32_t reading = ir_ref_index(addition->ops[1]);
  if (!reads_counter(range->frame, &scan->fn->insts.items[reading], drawn)) return;
  if (!resets_is_behind_all(range->frame, drawn->counter, reading) ||
      !resets_are_apart(scan, drawn->counter, drawn->source, reading, range->frame))
    return;
  if (expr_width(pool, drawn->leaf) != expr_width(pool, range->amount)) return;
  // Who has not drawn says nothing of the total, which may be 0.
  uint32_t block = scan->fn->insts.items[drawn->source].block;
  ExprRef has_drawn =
      scan->cfg->loop_of[block] == CFG_NONE ? frame_exact_condition(drawn->frame, 0, block) : 0;
  if (!has_drawn) return;
  scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_NSW, drawn->leaf, drawn->amount);
  ExprRef below = expr_binary(pool, EXPR_SLE, 0, end, range->amount);
  goal_add(scan, goal, expr_or(pool, expr_not(pool, has_drawn), below), GOAL_CONTEXT, 0);
}

// Another reading of the counter, behind all additions and with nothing written behind either, gives the same
// number.
static void add_other_reading(Scan *scan, Goal *goal, const DrawRange *range, uint32_t reading,
                              uint32_t other) {
  const IrInst *load = &scan->fn->insts.items[other];
  DrawRange counter = *range;
  SymValue address = frame_value(range->frame, scan->fn->insts.items[reading].ops[0]);
  if (address.kind != SYM_POINTER || address.target_count != 1) return;
  counter.counter = address.targets[0].object;
  counter.offset = address.targets[0].offset;
  counter.bytes = scan->fn->insts.items[reading].type.bytes;
  ExprRef total = frame_word(range->frame, IR_REF(IR_REF_INST, reading), symeval_width(load->type));
  ExprRef again = frame_word(range->frame, IR_REF(IR_REF_INST, other), symeval_width(load->type));
  if (!total || !again || !reads_counter(range->frame, load, &counter)) return;
  if (resets_is_final(scan, counter.counter, reading) && resets_is_final(scan, counter.counter, other))
    goal_add(scan, goal, expr_eq(scan->pool, total, again), GOAL_CONTEXT, 0);
}

void draw_totals_add_readings(Scan *scan, Goal *goal, const DrawRange *range) {
  ASSERT(scan_has_expr(scan, range->leaf));
  const IrInst *addition = &scan->fn->insts.items[range->source];
  if (!draw_totals_is_reading(range->frame, addition->ops[1])) return;
  uint32_t reading = ir_ref_index(addition->ops[1]);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[a].inst];
    if (inst->op == IR_LOAD && inst->order == IR_ORDER_PLAIN && inst->type.kind == IR_INT &&
        scan->accesses.items[a].inst != reading)
      add_other_reading(scan, goal, range, reading, scan->accesses.items[a].inst);
  }
}
