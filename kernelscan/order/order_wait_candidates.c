// Which writes may have ended a wait? Those of a value that is awaited, to the word that is read, that have
// not certainly been overwritten before the wait begins: a protocol that is used again in a later part of the
// kernel sets its flags back between two barriers. Method: who wrote has overwritten the word himself on all
// paths to the barriers that begin the intervals of the wait. Soundness: "no" is a proof; the writer is a
// thread of the reader's block, which comes to that barrier as the whole block does.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"

bool order_may_satisfy(const Order *order, const Signal *signal, const WordWrite *write) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  int64_t stored = 0;
  return !signal->is_direct || !order_leaves_constant(write, &stored) ||
         order_passes_with(order, signal, stored);
}

// By instruction: after the write, its thread overwrites the same word there. NULL: nowhere.
static const uint8_t *find_replacements(Order *order, const Access *write) {
  const Scan *scan = order->scan;
  Target target;
  bool any = false;
  if (!order_one_target(order->anyone, write->address, &target) || order_lasts(scan, &target) == LASTS_NOT)
    return NULL;
  uint8_t *at = order_marks(scan, CFG_NONE);
  for (WordRow row = {.word = order_word(order, &target, write->bytes)}; order_next_row(&row);) {
    bool replaces = row.access != write && order_write_is(row.write, WRITE_REPLACES);
    at[row.access->inst] = replaces;
    any |= replaces;
  }
  return any ? at : NULL;
}

// Whoever made the write has overwritten it when the block comes to the barrier.
static bool is_replaced_at(const Order *order, const Access *write, const uint8_t *replaced,
                           const Point *point) {
  const Scan *scan = order->scan;
  if (!order_all_arrive(scan, point)) return false;
  return !graph_walk(
      order->scan,
      &(GraphWalk){.from = write->inst, .wanted = order_marks(scan, point->inst), .avoided = replaced});
}

static bool is_replaced(Order *order, const Signal *signal, const Access *write) {
  const uint8_t *replaced = signal->is_of_several ? NULL : find_replacements(order, write);
  if (!replaced) return false;
  for (OrderInterval i = {0}; order_next_interval(order, signal->read, &i);)
    if (i.nodes[write->node] || (!i.is_entry && !is_replaced_at(order, write, replaced, i.point)))
      return false;
  return !order_may_share_word(order, write, signal->read, true);
}

bool order_may_end(Order *order, const Signal *signal, const WordWrite *write) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  return order_may_satisfy(order, signal, write) && !is_replaced(order, signal, write->access);
}

bool order_next_end(Order *order, const Signal *signal, WordRow *row) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  while (order_next_row(row))
    if (order_may_end(order, signal, row->write)) return true;
  return false;
}

// ---- bits
// 1 << number: the number; else 0. (Shifted by more than its width, it has no meaning.)
static ExprRef number_of_bit(const ExprPool *pool, ExprRef value) {
  const ExprNode node = *expr_node(pool, value);
  int64_t one = 0;
  return node.op == EXPR_SHL && expr_is_const(pool, node.a, &one) && one == 1 ? node.b : 0;
}

ExprRef order_has_common_bit(ExprPool *pool, ExprRef one, ExprRef two) {
  ASSERT(expr_is_of(pool, one));
  ASSERT(expr_is_of(pool, two));
  ExprRef a = number_of_bit(pool, one), b = number_of_bit(pool, two);
  ExprRef both = expr_binary(pool, EXPR_AND, 0, one, two);
  return a && b ? expr_eq(pool, a, b) : expr_ne(pool, both, expr_const(pool, expr_width(pool, both), 0));
}

ExprRef order_awaited_bits(Order *order, const Signal *signal, Frame *waiting, bool *is_all) {
  ASSERT(waiting->view);
  const Scan *scan = order->scan;
  uint8_t width = (uint8_t)(8 * signal->read->bytes);
  ExprRef other = order_awaited(&signal->test, signal->read->bytes, waiting);
  int64_t value = 0;
  *is_all = signal->test.pred == IR_EQ;
  bool is_zero = other && expr_is_const(scan->pool, other, &value) && value == 0;
  if (!other || signal->is_ticket || signal->handed || *is_all == is_zero ||
      (!*is_all && signal->test.pred != IR_NE) ||
      !order_all_writes(order_word_of(order, signal), WRITE_ORS, IR_SCOPE_THREAD))
    return 0;
  if (signal->is_direct) return *is_all ? other : 0;
  const IrInst *test = ir_inst(scan->fn, signal->test.value);
  if (!test || test->op != IR_AND || test->type.bits != width) return 0;
  ExprRef mask = frame_word(waiting, test->ops[test->ops[0] == IR_REF(IR_REF_INST, signal->tested)], width);
  return *is_all && mask != other ? 0 : mask;
}

ExprRef order_bits_set(Frame *frame, const Access *write) {
  ASSERT(scan_has_access(frame->scan, write));
  return frame_word(frame, inst_at(frame->scan, write->inst)->ops[1], (uint8_t)(write->bytes * 8));
}

// ---- rounds
// Nobody but one thread writes the word, by this addition of one, once in each round of the loop.
static bool is_count_of_rounds(Order *order, const Signal *signal, const Access *write, uint32_t loop) {
  const Scan *scan = order->scan;
  Target target;
  const SyncWord *word = order_word_of(order, signal);
  return word->count == 1 && order_write_is(&word->writes[0], WRITE_DRAWS) && loop != CFG_NONE &&
         scan->cfg->loop_of[inst_at(scan, write->inst)->block] == loop &&
         order_one_target(order->anyone, write->address, &target) &&
         order_lasts(scan, &target) != LASTS_NOT && order_has_one_maker(order, write);
}

// What a thread has counted up in the rounds up to this one is not more than their number.
ExprRef order_is_ended_by(Order *order, const Signal *signal, Frame *waiting, Frame *writer,
                          const WordWrite *write, uint32_t loop) {
  ASSERT(waiting->view && writer->view);
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Target word;
  uint8_t width = (uint8_t)(signal->read->bytes * 8);
  ExprRef value = write->kind == WRITE_SET ? frame_word(writer, write->operand, width) : 0,
          other = order_awaited(&signal->test, signal->read->bytes, waiting);
  if (!other) return 0;
  if (value) return symeval_compare(pool, signal->test.pred, value, other);
  IrPred pred = signal->test.pred == IR_EQ ? IR_SGE : signal->test.pred;
  bool is_least = pred == IR_SGE || pred == IR_SGT || pred == IR_UGE || pred == IR_UGT;
  if (!is_least || signal->read->bytes != 4 || !is_count_of_rounds(order, signal, write->access, loop) ||
      !order_one_target(waiting, signal->read->address, &word) ||
      !start_values_are_zero(scan, &word, signal->read->bytes))
    return 0;
  ExprRef count =
      expr_binary(pool, EXPR_ADD, EXPR_NSW, frame_iteration(writer, loop), expr_const(pool, 32, 1));
  return symeval_compare(pool, pred, count, other);
}

// ---- set up
// A write of the word as a whole, and a barrier of the block behind it, before the wait. A compare-and-swap may leave
// what is there.
static bool sets_up(const Order *order, const WordWrite *write, const Signal *signal) {
  const Scan *scan = order->scan;
  if (!order_write_is(write, WRITE_FITS) || write->kind != WRITE_SET) return false;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point_orders(point, couple_of(EXTENT_INTRA_BLOCK)) &&
        graph_dominates(scan, point->inst, signal->tested) &&
        graph_reaches(scan, write->access->inst, point->inst))
      return true;
  }
  return false;
}

bool order_is_set_up(Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  WordRow row = {.word = order_word_of(order, signal)};
  bool is_set_up = !row.word->is_of_block;
  while (!is_set_up && order_next_row(&row))
    is_set_up = sets_up(order, row.write, signal) &&
                order_is_made_for(order, row.write, &signal->target, signal->read->inst);
  return is_set_up;
}

bool order_may_be_set_up(Order *order, const Signal *signal, Frame *waiting, const Goal *known) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  ASSERT(waiting->view);
  Target word;
  if (!order_one_target(waiting, signal->read->address, &word)) return true;
  for (WordRow row = {.word = order_word_of(order, signal)}; order_next_row(&row);)
    if (sets_up(order, row.write, signal) && order_may_be_made_for(order, row.write, waiting, &word, known))
      return true;
  return false;
}
