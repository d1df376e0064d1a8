// Was a thread the last one to draw a number, so that all blocks have made their accesses before? Each block
// adds one to a counter behind its accesses, and the reader's block drew the number of blocks less one.
// Method: the condition under which the number is drawn, or handed on, against "another number" (solver).
// Soundness: nothing else may change the counter but who drew the last number, and numbers are drawn once by
// each block.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- tickets
// Condition that the edge is taken, or the value handed on is true, or as it should be, as some thread sees
// it.
static ExprRef ticket_condition(Frame *frame, const Signal *signal) {
  if (!signal->carrier && !signal->voted) return frame_edge_condition(frame, signal->from, signal->to);
  IrRef handed = signal->voted ? signal->voted : frame->scan->fn->insts.items[signal->carrier->inst].ops[1];
  SymValue value = frame_value(frame, handed);
  if (value.kind != SYM_WORD) return 0;
  ExprPool *pool = frame->scan->pool;
  if (signal->is_number || (signal->is_shuffled && signal->test.other)) {
    ExprRef other = frame_word(frame, signal->test.other, expr_width(pool, value.word));
    return other ? symeval_compare(pool, signal->test.pred, value.word, other) : 0;
  }
  ExprRef is_zero = expr_eq(pool, value.word, expr_const(pool, expr_width(pool, value.word), 0));
  return signal->is_shuffled && signal->test.pred == IR_EQ ? is_zero : expr_not(pool, is_zero);
}

ExprRef order_number_of_blocks(Scan *scan, uint8_t width) {
  ExprPool *pool = scan->pool;
  const ExprRef *grid = scan->launch->grid;
  ExprRef blocks =
      expr_binary(pool, EXPR_MUL, EXPR_NSW, grid[0], expr_binary(pool, EXPR_MUL, EXPR_NSW, grid[1], grid[2]));
  return expr_resize_signed(pool, blocks, width);
}

// The operation by which blocks draw: the one that returned the number, or the one that counts up what was
// read.
static const Access *find_draw(Order *order, const Signal *signal) {
  if (signal->is_ticket || signal->carrier) return signal->is_ticket ? signal->read : NULL;
  const SyncWord *word = order_word_of(order, signal);
  return word->rise ? word->rise->access : NULL;
}

// What all blocks add up to, but for `less` of them, in a width that holds it.
static ExprRef sum_of_blocks(Order *order, const Access *draw, uint8_t width, int64_t less) {
  ExprPool *pool = order->scan->pool;
  int64_t amount = order_amount(order->scan, draw);
  ExprRef blocks = order_number_of_blocks(order->scan, width);
  if (amount != 1) blocks = expr_binary(pool, EXPR_MUL, EXPR_NSW, blocks, expr_const(pool, width, amount));
  return less ? expr_binary(pool, EXPR_SUB, EXPR_NSW, blocks, expr_const(pool, width, less * amount))
              : blocks;
}

static uint8_t width_of_sum(const Scan *scan, const Access *draw, ExprRef number) {
  return order_amount(scan, draw) == 1 ? expr_width(scan->pool, number) : 64;
}

// What atomicInc draws last, before it begins anew; 0: not understood.
static ExprRef limit_of(Order *order, const IrInst *inst, ExprRef number) {
  return frame_word(order->anyone, inst->ops[1], expr_width(order->scan->pool, number));
}

// Condition that the number read does not say that all blocks have drawn theirs; 0: not understood.
static ExprRef is_early(Order *order, const Signal *signal, ExprRef number) {
  ExprPool *pool = order->scan->pool;
  const Access *draw = find_draw(order, signal);
  if (!draw) return 0;
  uint8_t width = width_of_sum(order->scan, draw, number);
  ExprRef last = sum_of_blocks(order, draw, width, signal->is_ticket); // or how many have drawn
  // Each block draws once, from zero on: there is no larger one.
  ExprRef smaller = expr_binary(pool, EXPR_ULT, 0, expr_resize_unsigned(pool, number, width), last);
  const IrInst *inst = inst_at(order->scan, signal->read->inst);
  if (!signal->is_ticket || inst->rmw != IR_RMW_INC) return smaller;
  ExprRef limit = limit_of(order, inst, number); // begins anew behind it
  return limit ? expr_or(pool, smaller, expr_binary(pool, EXPR_ULT, 0, limit, last)) : 0;
}

// The number read is larger than the last one.
static ExprRef is_late(Order *order, const Signal *signal, ExprRef number) {
  ExprPool *pool = order->scan->pool;
  uint8_t width = width_of_sum(order->scan, signal->read, number);
  ExprRef larger = expr_binary(pool, EXPR_ULE, 0, sum_of_blocks(order, signal->read, width, 0),
                               expr_resize_unsigned(pool, number, width));
  const IrInst *inst = inst_at(order->scan, signal->read->inst);
  if (inst->rmw != IR_RMW_INC) return larger;
  ExprRef limit = limit_of(order, inst, number);
  return limit ? expr_and(pool, larger, expr_binary(pool, EXPR_ULE, 0, number, limit)) : 0;
}

typedef ExprRef (*NumberCondition)(Order *order, const Signal *signal, ExprRef number);

// Can the number read be one of these where the signal is passed? SAFE: no.
static Verdict may_be_passed_with(Order *order, const Signal *signal, NumberCondition which) {
  Scan *scan = order->scan;
  // One of those who brought a true value to a barrier, whoever that is; or the leader, if all have.
  bool is_leaders = signal->is_of_all || signal->is_shuffled;
  Frame *frame = is_leaders ? order->classes[CLASS_LEADER] : order->anyone;
  ExprRef condition = ticket_condition(frame, signal);
  SymValue number = frame_value(frame, IR_REF(IR_REF_INST, signal->read->inst));
  if (!condition || number.kind != SYM_WORD) return VERDICT_UNKNOWN;
  ExprRef wrong = which(order, signal, number.word);
  if (!wrong) return VERDICT_UNKNOWN;
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, wrong, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return VERDICT_SAFE;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "have all blocks drawn");
  return order_is_refuted(scan, &answer) ? VERDICT_SAFE : answer.verdict;
}

// Does the signal always mean that all blocks have drawn? SAFE: yes.
static Verdict is_last_number(Order *order, const Signal *signal) {
  return may_be_passed_with(order, signal, is_early);
}

bool order_is_grid_word(Order *order, const Signal *signal) {
  Scan *scan = order->scan;
  return order_is_of_launch(scan->pool, signal->target.offset) && !signal->target.key &&
         scan->objects.items[signal->target.object].kind != OBJ_SHARED &&
         order_starts_at_zero(scan, &signal->target, signal->read->bytes);
}

bool order_is_grid_counter(Order *order, const Signal *signal, uint64_t lasts, const uint8_t *draws) {
  if (!order_is_grid_word(order, signal)) return false;
  const SyncWord *word = order_word_of(order, signal);
  for (uint32_t w = 0; w < word->count; w++) {
    uint32_t write = word->writes[w].access->inst;
    bool is_of_last = draws[write];
    for (uint32_t s = 0; s < order->signal_count && !is_of_last; s++)
      is_of_last = (lasts >> s & 1) && order_is_passed_at(order, s, write);
    if (!is_of_last) return false;
  }
  return true;
}

// The same with one draw, `draw`.
static bool is_grid_counter(Order *order, uint32_t s, const Access *draw) {
  const Signal *signal = &order->signals[s];
  return order_is_grid_counter(order, signal, (uint64_t)signal->is_ticket << s,
                               order_marks(order->scan, draw->inst));
}

static bool draws_once(const Order *order, const Access *draw) {
  WordWrite write = order_write(order, draw);
  return order_write_is(&write, WRITE_IS_ONCE) && write.scope >= IR_SCOPE_DEVICE;
}

bool order_by_ticket(const Direction *way, uint32_t s) {
  Order *order = way->order;
  const Scan *scan = order->scan;
  const Signal *signal = &order->signals[s];
  const Access *draw = signal->change ? NULL : find_draw(order, signal);
  uint32_t first = order_inst_of(way, way->first);
  if (!draw || !extent_is_between_blocks(way->question->extent) || !draws_once(order, draw)) return false;
  // The draw itself comes before what follows the last draw on the same word, fence or not.
  bool is_draw = first == draw->inst && signal->is_ticket;
  bool is_behind = order_is_behind_barrier(way, draw) ||
                   (order_only_leader(order, first) && !order_reaches(scan, draw->inst, first));
  if (!is_draw && (!is_behind || !order_is_acquired(way, signal) || !order_is_released(way, draw)))
    return false;
  if (!is_grid_counter(order, s, draw)) return false;
  Verdict last = is_last_number(order, signal);
  if (last == VERDICT_SAFE && order_only_leader(order, draw->inst)) return true;
  bool is_drawn = signal->test.other && order_find_root(scan, signal->test.other) != CFG_NONE;
  ExprRef draws = order_comes_to(order->classes[CLASS_LEADER], draw->inst);
  // It may wait for a turn of its own, or for as many as draw at all.
  if (last == VERDICT_UNKNOWN || is_drawn || !expr_is_true(scan->pool, draws)) return false;
  *way->answer =
      (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                    .cause = "incomplete-arrival",
                    .text = arena_printf(
                        scan->arena, "the number from line %u does not say that all blocks have drawn theirs",
                        order_line(scan, signal->read->inst))};
  return false;
}

bool order_is_last_number(Order *order, uint32_t s) {
  return is_last_number(order, &order->signals[s]) == VERDICT_SAFE;
}

bool order_is_no_later_number(Order *order, uint32_t s) {
  return may_be_passed_with(order, &order->signals[s], is_late) == VERDICT_SAFE;
}

// Both accesses are only made by the block that drew the last number; numbers are drawn once.
bool order_has_one_winner(Order *order, const OrderQuestion *question, uint32_t s) {
  const Signal *signal = &order->signals[s];
  if (!signal->is_ticket || signal->change || !extent_is_between_blocks(question->extent)) return false;
  for (int t = 0; t < 2; t++)
    if (!order_is_passed_at(order, s, question->instances[t]->access->inst)) return false;
  return draws_once(order, signal->read) && order_only_leader(order, signal->read->inst) &&
         is_grid_counter(order, s, signal->read) && is_last_number(order, signal) == VERDICT_SAFE;
}
