// What does a number say that was read of a counter? Blocks count a word up, by drawing numbers of it or by
// additions; a thread that has passed a signal has seen a number that is awaited. Method: the test of the signal,
// or the truth value that was handed on, against "a number that comes before all have drawn" (solver). Soundness:
// the answers hold where each block's leader draws as often as is said, from zero on, and nothing else makes the
// word larger: order_is_grid_counter, and what the callers ask besides.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/proofs.h"

// ---- the word
const Access *order_find_draw(Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  if (signal->change || (signal->handed && !signal->is_ticket)) return NULL;
  const SyncWord *word = order_word_of(order, signal);
  const Access *draw = signal->is_ticket ? signal->read : word->rise ? word->rise->access : NULL;
  const WordWrite *row = draw ? order_write_at(word, draw->inst) : NULL;
  return row && order_write_is(row, WRITE_IS_ONCE) ? draw : NULL;
}

bool order_is_grid_word(Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  Scan *scan = order->scan;
  return proofs_is_of_launch(scan->pool, signal->target.offset) && !signal->target.key &&
         scan->objects.items[signal->target.object].kind != OBJ_SHARED &&
         start_values_are_zero(scan, &signal->target, signal->read->bytes);
}

bool order_is_grid_counter(Order *order, const Signal *signal, uint64_t lasts, const uint8_t *draws) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  if (!order_is_grid_word(order, signal)) return false;
  for (WordRow row = {.word = order_word_of(order, signal)}; order_next_row(&row);)
    if (!draws[row.access->inst] && !(order_signals_passed_at(order, row.access->inst) & lasts)) return false;
  return true;
}

// ---- the number
// Condition that what is tested, or was handed on, is as it should be, as some thread sees it; 0: not understood.
static ExprRef passes(Frame *frame, const Signal *signal) {
  ExprPool *pool = frame->scan->pool;
  if (!signal->handed && !signal->is_direct) return frame_edge_condition(frame, signal->from, signal->to);
  SymValue value = frame_value(frame, signal->handed ? signal->brought : signal->test.value);
  if (value.kind != SYM_WORD) return 0;
  bool is_number = !signal->handed || signal->is_number || signal->handed == HANDED_SHUFFLED;
  if (!is_number) return expr_ne(pool, value.word, expr_const(pool, expr_width(pool, value.word), 0));
  ExprRef holds = order_holds_of(&signal->test, value.word, frame);
  // What is handed on may be brought by who has not read the number itself.
  return holds && !signal->handed ? expr_and(pool, holds, order_comes_to(frame, signal->read->inst)) : holds;
}

static ExprRef times(ExprPool *pool, ExprRef value, ExprRef factor) {
  return expr_binary(pool, EXPR_MUL, EXPR_NSW, value, factor);
}

static ExprRef number_of_blocks(Scan *scan, uint8_t width) {
  const ExprRef *grid = scan->launch->grid;
  ExprRef blocks = times(scan->pool, grid[0], times(scan->pool, grid[1], grid[2]));
  return expr_resize_signed(scan->pool, blocks, width);
}

// What all blocks add up to, but for `less` of them.
static ExprRef sum_of_blocks(const Passing *passing, uint8_t width, int64_t less) {
  Scan *scan = passing->order->scan;
  ExprPool *pool = scan->pool;
  int64_t amount = order_amount(scan, passing->draw);
  ExprRef blocks = number_of_blocks(scan, width);
  if (passing->rounds) blocks = times(pool, blocks, passing->rounds);
  if (amount != 1) blocks = times(pool, blocks, expr_const(pool, width, amount));
  return less ? expr_binary(pool, EXPR_SUB, EXPR_NSW, blocks, expr_const(pool, width, less * amount))
              : blocks;
}

static uint8_t width_of_sum(const Passing *passing, ExprRef number) {
  const Scan *scan = passing->order->scan;
  return order_amount(scan, passing->draw) == 1 ? expr_width(scan->pool, number) : 64;
}

// What atomicInc draws last, before it begins anew; 0: not understood.
static ExprRef limit_of(const Passing *passing, ExprRef number) {
  const IrInst *inst = inst_at(passing->order->scan, passing->signal->read->inst);
  return frame_word(passing->order->anyone, inst->ops[1], expr_width(passing->order->scan->pool, number));
}

static bool begins_anew(const Passing *passing) {
  return passing->signal->is_ticket &&
         inst_at(passing->order->scan, passing->signal->read->inst)->rmw == IR_RMW_INC;
}

// Condition that the number read does not say that all blocks have drawn theirs; `is_late`: that it is larger than the last
// one; 0: not understood.
static ExprRef is_wrong(const Passing *passing, ExprRef number, bool is_late) {
  ExprPool *pool = passing->order->scan->pool;
  uint8_t width = width_of_sum(passing, number);
  ExprRef read = expr_resize_unsigned(pool, number, width),
          last =
              sum_of_blocks(passing, width, !is_late && passing->signal->is_ticket), // or how many have drawn
      // Each block draws once, from zero on: there is no larger one.
      wrong =
          is_late ? expr_binary(pool, EXPR_ULE, 0, last, read) : expr_binary(pool, EXPR_ULT, 0, read, last);
  if (!begins_anew(passing)) return wrong;
  ExprRef limit = limit_of(passing, number);
  if (!limit) return 0;
  return is_late ? expr_and(pool, wrong, expr_binary(pool, EXPR_ULE, 0, number, limit))
                 : expr_or(pool, wrong, expr_binary(pool, EXPR_ULT, 0, limit, last));
}

// Can the number read be a wrong one where the signal is passed? SAFE: no.
static Verdict may_be_passed_with(const Passing *passing, bool is_late) {
  Order *order = passing->order;
  Scan *scan = order->scan;
  const Signal *signal = passing->signal;
  // One of those who brought a true value to a barrier, whoever that is; or the leader, if all have.
  bool is_leaders = signal->handed == HANDED_ALL || signal->handed == HANDED_SHUFFLED;
  Frame *frame = is_leaders ? order->classes[CLASS_LEADER] : order->anyone;
  ExprRef condition = passes(frame, signal);
  SymValue number = frame_value(frame, IR_REF(IR_REF_INST, signal->read->inst));
  if (!condition || number.kind != SYM_WORD ||
      (passing->rounds && expr_width(scan->pool, passing->rounds) != expr_width(scan->pool, number.word)))
    return VERDICT_UNKNOWN;
  ExprRef wrong = is_wrong(passing, number.word, is_late);
  if (!wrong) return VERDICT_UNKNOWN;
  Goal goal = {0}; // the breach comes last: in this order the proof leans on nothing of overflow
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, wrong, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return VERDICT_SAFE;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "have all blocks drawn");
  return proofs_is_refuted(scan, &answer) ? VERDICT_SAFE : answer.verdict;
}

Verdict order_says_that_all_have_drawn(const Passing *passing) {
  return may_be_passed_with(passing, false);
}

bool order_says_that_none_has_drawn_again(const Passing *passing) {
  return may_be_passed_with(passing, true) == VERDICT_SAFE;
}
