// Flags in bits of one word: who is done sets a bit of its own with an atomic or; another one waits until
// that bit, or all bits, are set. Method: the wait ends only if some bit of the mask (of all that are waited
// for: of those that the first thread sets) is set; that nobody else sets one of these is asked of the
// solver. An atomic or hands on what earlier ones have released. Soundness: only if nothing but such
// operations writes the word, which is zero at the start.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"

typedef struct Bits {
  const Direction *way;
  const Signal *signal;
  ExprRef mask; // of the second thread's wait
  bool is_all;  // all bits of the mask are waited for, not just one
} Bits;

static ExprRef masked(ExprPool *pool, ExprRef value, ExprRef mask) {
  return expr_binary(pool, EXPR_AND, 0, value, mask);
}

static ExprRef is_none(ExprPool *pool, ExprRef value) {
  return expr_eq(pool, value, expr_const(pool, expr_width(pool, value), 0));
}

// `x & mask` is not 0, or is the mask; or x is the mask.
static bool find_mask(Bits *bits) {
  const Signal *signal = bits->signal;
  Scan *scan = bits->way->order->scan;
  Frame *waiting = order_frame_of(bits->way, bits->way->second);
  uint8_t width = (uint8_t)(8 * signal->read->bytes);
  ExprRef other = order_awaited(&signal->test, signal->read->bytes, waiting);
  int64_t value = 0;
  bool is_zero = other && expr_is_const(scan->pool, other, &value) && value == 0;
  bits->is_all = signal->test.pred == IR_EQ;
  if (!other || signal->is_ticket || signal->carrier || (!bits->is_all && signal->test.pred != IR_NE))
    return false;
  if (bits->is_all == is_zero) return false;
  bits->mask = other;
  if (signal->is_direct) return bits->is_all;
  const IrInst *test = ir_inst(scan->fn, signal->test.value);
  if (!test || test->op != IR_AND || test->type.bits != width) return false;
  int which = test->ops[0] == IR_REF(IR_REF_INST, signal->tested) ? 1 : 0;
  if (test->ops[1 - which] != IR_REF(IR_REF_INST, signal->tested)) return false;
  ExprRef mask = frame_word(waiting, test->ops[which], width);
  if (!mask || (bits->is_all && mask != other)) return false;
  bits->mask = mask;
  return true;
}

// The bits that the operation sets, in this thread; 0: they change while it runs (or from thread to thread).
static ExprRef bits_set(Frame *frame, const Access *write, bool by_block) {
  const Scan *scan = frame->scan;
  ExprRef set = frame_word(frame, inst_at(scan, write->inst)->ops[1], (uint8_t)(8 * write->bytes));
  Lasting wanted = by_block ? LASTS_IN_BLOCK : LASTS_IN_THREAD;
  return set && order_value_lasts(scan, set) >= wanted ? set : 0;
}

typedef enum Except { EXCEPT_NOBODY, EXCEPT_THREAD, EXCEPT_BLOCK } Except;

// May somebody, except the first thread or its block, set one of the bits with this operation?
static bool may_set(const Bits *bits, const Access *write, ExprRef wanted, Except except) {
  const Direction *way = bits->way;
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *writer = order->strangers[0];
  Frame *waiting = order_frame_of(way, way->second);
  const View *first = order_frame_of(way, way->first)->view;
  Target word, stored;
  ExprRef set = frame_word(writer, inst_at(scan, write->inst)->ops[1], (uint8_t)(8 * write->bytes));
  if (!set || !order_one_target(waiting, bits->signal->read->address, &word) ||
      !order_one_target(writer, write->address, &stored))
    return true;
  ExprRef sets = expr_and(scan->pool, order_one_word(waiting, &word, writer, &stored),
                          order_comes_to(writer, write->inst));
  ExprRef same = except == EXCEPT_BLOCK    ? order_same_block(scan, first, writer->view)
                 : except == EXCEPT_THREAD ? order_same_thread(scan, first, writer->view)
                                           : expr_bool(scan->pool, false);
  Obligation nobody = {.known = way->question->goal,
                       .breach = order_has_common_bit(scan->pool, set, wanted),
                       .context = expr_and(scan->pool, sets, expr_not(scan->pool, same)),
                       .one = writer};
  return !order_is_met(scan, &nobody, "who else sets this bit");
}

// The first thread, or its block, has certainly done this operation when the wait is over.
static bool is_done_by(const Bits *bits, const Access *write, bool by_block) {
  const Direction *way = bits->way;
  Order *order = way->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *first = order_frame_of(way, way->first);
  ExprRef wanted = bits->mask;
  if (bits->is_all) {
    ExprRef set = bits_set(first, write, by_block);
    if (!set) return false;
    wanted = masked(pool, set, bits->mask);
    Obligation waits = {.known = way->question->goal, .breach = is_none(pool, wanted)};
    if (!order_is_met(scan, &waits, "does it wait for this bit")) return false;
  }
  for (WordRow row = {.word = order_word_of(order, bits->signal)}; order_next_row(&row);) { // all are ors
    const Access *other = row.access;
    bool is_behind = order_is_released(way, other) &&
                     (by_block ? order_is_behind_barrier(way, other, false)
                               : !graph_reaches(scan, other->inst, order_inst_of(way, way->first)));
    if (may_set(bits, other, wanted, by_block ? EXCEPT_BLOCK : EXCEPT_THREAD)) return false;
    if (!is_behind && may_set(bits, other, wanted, EXCEPT_NOBODY)) return false;
  }
  return true;
}

ExprRef order_by_bits(const Direction *way, uint32_t s, OrderRule *rule) {
  ASSERT(way->first != way->second);
  Order *order = way->order;
  const Signal *signal = &order->signals[s];
  Bits bits = {.way = way, .signal = signal};
  const SyncWord *word = order_word_of(order, signal);
  if (!order_word_stays(way, signal) || !order_is_acquired(way, signal) || !find_mask(&bits) ||
      !order_all_writes(word, WRITE_ORS, way->needed) ||
      !start_values_are_zero(order->scan, &signal->target, signal->read->bytes) ||
      !order_is_set_up(order, signal))
    return 0;
  for (WordRow row = {.word = word}; order_next_row(&row);)
    if (is_done_by(&bits, row.access, false) || is_done_by(&bits, row.access, true)) {
      *rule = ORDER_RULE_BIT_FLAG;
      return expr_bool(order->scan->pool, false);
    }
  return 0;
}
