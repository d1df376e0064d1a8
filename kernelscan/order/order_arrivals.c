// Has everybody counted up whom a thread waits for, or who draws the number that it has drawn? Some threads, or all
// blocks, add a constant to a word when their part is done, and another one waits until it has counted them all
// (`while (atomicAdd(done, 0) < n);`), or draws the last number by its own addition (`atomicAdd(done, 1) == n - 1`).
// Method: those who are counted are either all blocks, by their leaders, where the number is shown to say so
// (order_counter_values.c); or those who may add, of whom a numbering (their block, thread, warp) gives each another number
// below the one that is waited for. Whoever is among them has added when the signal is passed. Soundness: who may add
// is over-approximated by the conditions on the path to the addition, so there may be fewer who do, and then the
// number is not reached; each adds at most once, and nothing else makes the word larger.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

typedef struct Count {
  Order *order;
  const Direction *way;
  const Signal *signal;
  const Access *draw;
  Target word;  // as the waiting thread sees it
  ExprRef many; // how many it waits for
  bool is_wide; // whoever may add as far as numbers of threads and of the launch say, whatever they read
} Count;

// Nothing but the draw makes the word larger; others may set it back to 0.
static bool is_counter(Order *order, const Signal *signal, const Access *draw) {
  const SyncWord *word = order_word_of(order, signal);
  return draw && order_all_writes(word, WRITE_COUNTS, IR_SCOPE_THREAD) && word->rise &&
         word->rise->access == draw;
}

// What is known of the number: by the signal itself, by a shuffle, or by what its leader has left in shared memory.
static bool find_comparison(const Scan *scan, const Signal *signal, EdgeTest *test) {
  *test = signal->test;
  if (!signal->handed) return signal->is_direct;
  return signal->is_number ||
         (signal->handed == HANDED_STORED && order_truth_test(scan, signal->brought, true, test) &&
          test->value == IR_REF(IR_REF_INST, signal->read->inst));
}

// How many the wait is for, or have drawn before with the thread itself; 0: not that kind of wait.
static ExprRef how_many(const Signal *signal, Frame *waiting) {
  ExprPool *pool = waiting->scan->pool;
  EdgeTest test;
  if (!find_comparison(waiting->scan, signal, &test)) return 0;
  ExprRef other = order_awaited(&test, signal->read->bytes, waiting);
  int64_t more = signal->is_ticket ? order_amount(waiting->scan, signal->read) : 0;
  switch ((int)test.pred) {
  case IR_EQ:
  case IR_SGE:
  case IR_UGE: break;
  case IR_SGT:
  case IR_UGT: more++; break;
  default: return 0;
  }
  uint8_t width = (uint8_t)(signal->read->bytes * 8);
  return other ? expr_binary(pool, EXPR_ADD, EXPR_NSW, other, expr_const(pool, width, more)) : 0;
}

// Condition that the thread of the frame has waited, before it adds, until the word held as many as are
// waited for: it is none of the first so many.
static ExprRef comes_later(const Count *count, Frame *frame) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const Order *order = count->order;
  ExprRef later = expr_bool(pool, false);
  Target word, seen;
  if (!order_plain_target(frame, count->draw, &word)) return later;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    uint32_t read = signal->read->inst;
    if (!order_is_plain_wait(signal) || signal->is_carried || !signal->is_direct || !signal->is_fixed ||
        signal->read->bytes != count->draw->bytes || graph_reaches(scan, count->draw->inst, read) ||
        !order_plain_target(frame, signal->read, &seen) || seen.object != word.object ||
        seen.offset != word.offset)
      continue;
    ExprRef many = how_many(signal, frame);
    if (!many || expr_width(pool, many) != expr_width(pool, count->many)) continue;
    ExprRef not_yet = order_has_not_waited(order, signal, frame, count->draw->inst, CFG_NONE, false),
            is_more = expr_binary(pool, EXPR_SLE, 0, count->many, many);
    later = expr_or(pool, later, expr_and(pool, expr_not(pool, not_yet), is_more));
  }
  return later;
}

// Condition that the thread of the frame may add to the word, as one of the first so many as are waited for;
// 0: not understood.
static ExprRef may_add(const Count *count, Frame *frame) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  Target target;
  if (!order_plain_target(frame, count->draw, &target) || target.object != count->word.object ||
      count->word.key)
    return 0;
  Frame *waiting = order_frame_of(count->way, count->way->second);
  ExprRef adds = order_comes_to(frame, count->draw->inst);
  adds = expr_and(pool, adds, order_one_word(waiting, &count->word, frame, &target));
  adds = expr_and(pool, adds, expr_not(pool, comes_later(count, frame)));
  return count->is_wide ? order_fixed_parts(pool, adds, true) : adds;
}

// Numberings of threads that may be one of those who add.
enum { NUMBERINGS = 9, FIRST_NUMBERS = 2 };

static ExprRef in_grid(ExprPool *pool, ExprRef block, ExprRef many, ExprRef number) {
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, expr_binary(pool, EXPR_MUL, EXPR_NSW, block, many), number);
}

static ExprRef how_many_add(const Count *count) {
  ExprPool *pool = count->way->order->scan->pool;
  int64_t amount = order_amount(count->way->order->scan, count->draw);
  if (amount == 1) return count->many;
  return expr_binary(pool, EXPR_UDIV, 0, count->many,
                     expr_const(pool, expr_width(pool, count->many), amount));
}

// What so many add up to, in a width that holds it.
static ExprRef added_by(const Count *count, ExprRef number) {
  ExprPool *pool = count->way->order->scan->pool;
  int64_t amount = order_amount(count->way->order->scan, count->draw);
  if (amount == 1) return number;
  return expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, number, 64),
                     expr_const(pool, 64, amount));
}

static ExprRef number_of(const Count *count, const View *view, int numbering) {
  Scan *scan = count->way->order->scan;
  ExprPool *pool = scan->pool;
  const ExprRef *block = scan->launch->block;
  ExprRef threads = expr_binary(pool, EXPR_MUL, EXPR_NSW, block[0],
                                expr_binary(pool, EXPR_MUL, EXPR_NSW, block[1], block[2]));
  ExprRef warps = expr_binary(pool, EXPR_ADD, EXPR_NSW, threads, expr_const(pool, 32, 31));
  warps = expr_binary(pool, EXPR_UDIV, 0, warps, expr_const(pool, 32, 32));
  // The last one: groups of blocks that stand side by side.
  const ExprRef numbers[NUMBERINGS] = {
      view->block_idx[0],
      view->block_idx[1],
      view->block_idx[2],
      view->linear,
      view->warp,
      view->lane,
      in_grid(pool, view->block_idx[0], threads, view->linear),
      in_grid(pool, view->block_idx[0], warps, view->warp),
      expr_binary(pool, EXPR_UREM, 0, view->block_idx[0], expr_resize_signed(pool, how_many_add(count), 32))};
  return expr_resize_signed(pool, numbers[numbering], expr_width(pool, count->many));
}

// Each of those who may add has a number of its own, from `first` on, below the one that is waited for.
static bool numbers_them(const Count *count, int numbering, int64_t first) {
  Scan *scan = count->way->order->scan;
  ExprPool *pool = scan->pool;
  Frame *one = count->way->order->strangers[0], *two = count->way->order->strangers[1];
  ExprRef adds = may_add(count, one), adds_too = may_add(count, two);
  if (!adds || !adds_too) return false;
  ExprRef number = number_of(count, one->view, numbering), other = number_of(count, two->view, numbering);
  ExprRef from = expr_const(pool, expr_width(pool, number), first);
  ExprRef added = added_by(count, number);
  ExprRef end =
      expr_binary(pool, EXPR_ADD, EXPR_NSW, expr_resize_signed(pool, count->many, expr_width(pool, added)),
                  added_by(count, from));
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, from, number),
                            expr_binary(pool, EXPR_SLT, 0, added, end));
  const Goal *known = count->way->question->goal;
  Obligation below = {.known = known, .breach = expr_not(pool, inside), .context = adds, .one = one};
  ExprRef both = expr_and(pool, expr_and(pool, adds, adds_too), expr_eq(pool, number, other));
  Obligation single = {.known = known,
                       .breach = expr_not(pool, order_same_thread(scan, one->view, two->view)),
                       .context = both,
                       .one = one,
                       .two = two};
  return order_is_met(scan, &below, "is it one of those that are counted") &&
         order_is_met(scan, &single, "are two counted with one number");
}

// Those who may add can be told apart by numbers, from the first of so many on.
static bool are_numbered(const Count *count, int64_t firsts) {
  for (int numbering = 0; numbering < NUMBERINGS; numbering++)
    for (int64_t first = 0; first < firsts; first++)
      if (numbers_them(count, numbering, first)) return true;
  return false;
}

// Of the warp of the first thread; another one for the other direction, as the two conditions are joined.
static Frame *first_lane(const Count *count) {
  return count->order->strangers[2 + count->way->first];
}

// Condition that whoever adds in the place of the first thread is none of those that are counted; 0: not known.
static ExprRef is_uncounted_by(const Count *count, Maker maker) {
  Order *order = count->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *first = order_frame_of(count->way, count->way->first), *lane = first_lane(count);
  bool is_of_block = maker == MAKER_OF_BLOCK, is_of_warp = maker == MAKER_OF_WARP;
  if (!order_place(count->way, count->draw, maker) ||
      (is_of_block && !order_only_leader(order, count->draw->inst)))
    return 0;
  ExprRef adds = may_add(count, is_of_block  ? order_leader_beside(scan, first->view)
                                : is_of_warp ? lane
                                             : first);
  if (!adds) return 0;
  ExprRef open = expr_not(pool, is_of_block ? expr_and(pool, adds, order->leader_exists) : adds),
          is_first = expr_and(pool, order_same_warp(scan, first->view, lane->view),
                              expr_eq(pool, lane->view->lane, expr_const(pool, 32, 0)));
  return is_of_warp ? expr_and(pool, is_first, open) : open;
}

// Condition that the first access is not made before its thread adds, nor before the leader of its block, or the first
// lane of its warp does, as one of those that are counted; false where it never holds.
static ExprRef leaves_open(const Count *count) {
  Order *order = count->order;
  ExprPool *pool = order->scan->pool;
  ExprRef open = expr_bool(pool, true);
  for (int maker = 0; maker < MAKER_COUNT && order_is_released(count->way, count->draw); maker++) {
    ExprRef here = is_uncounted_by(count, (Maker)maker);
    if (here) open = expr_and(pool, open, here);
  }
  const Obligation never = {.known = count->way->question->goal, .breach = open, .one = first_lane(count)};
  bool is_released =
      !expr_is_true(pool, open) && order_is_met(order->scan, &never, "does it add to the count");
  return is_released ? expr_bool(pool, false) : open;
}

// ---- all blocks
// One counter for the grid, that nobody changes but by this draw, or who has seen the last number of it.
static bool is_grid_counter(Order *order, uint32_t s, const Access *draw) {
  const Signal *signal = &order->signals[s];
  return operation_scope(order->scan, draw) >= IR_SCOPE_DEVICE &&
         order_is_grid_counter(order, signal, (uint64_t)signal->is_ticket << s,
                               order_marks(order->scan, draw->inst));
}

// Does the signal always mean that all blocks have drawn? SAFE: yes, if just their leaders draw.
static Verdict is_last_number(const Count *count) {
  return order_says_that_all_have_drawn(&(Passing){count->order, count->signal, count->draw, 0});
}

// A number is awaited that does not say so, but neither a turn of its own, nor as many as draw at all.
static void name_incomplete(const Count *count) {
  Order *order = count->order;
  const Scan *scan = order->scan;
  IrRef other = count->signal->test.other;
  bool is_drawn = other && order_find_root(scan, other) != CFG_NONE;
  ExprRef draws = order_comes_to(order->classes[CLASS_LEADER], count->draw->inst);
  if (is_drawn || !expr_is_true(scan->pool, draws)) return;
  *count->way->answer =
      (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                    .cause = "incomplete-arrival",
                    .text = arena_printf(
                        scan->arena, "the number from line %u does not say that all blocks have drawn theirs",
                        operation_line(scan, count->signal->read->inst))};
}

// The first access is made by a leader before it draws, or by its block before a barrier.
static bool is_before_draw(const Count *count) {
  const Direction *way = count->way;
  return order_is_released(way, count->draw) &&
         expr_is_false(way->order->scan->pool, order_is_not_before_leader(way, count->draw, 0));
}

static bool have_all_drawn(const Count *count, uint32_t s, bool is_draw) {
  Order *order = count->order;
  if (!extent_is_between_blocks(count->way->question->extent) || (!is_draw && !is_before_draw(count)) ||
      !is_grid_counter(order, s, count->draw))
    return false;
  Verdict last = is_last_number(count);
  if (last == VERDICT_SAFE && order_only_leader(order, count->draw->inst)) return true;
  if (last != VERDICT_UNKNOWN) name_incomplete(count);
  return false;
}

// ---- some threads
// Condition that the first thread, or its leader, is none of those who are counted. Of more threads that is asked only
// where the first one does not surely add, for what they read.
static ExprRef is_uncounted(Count *count) {
  ExprPool *pool = count->order->scan->pool;
  Frame *anyone = count->way->order->anyone;
  ExprRef open = leaves_open(count), narrow = may_add(count, anyone);
  count->is_wide = !expr_is_false(pool, open);
  if (count->is_wide && may_add(count, anyone) != narrow) open = leaves_open(count);
  // Else the other direction says no more: nobody waits before he adds.
  bool has_part = !count->signal->is_ticket && !expr_is_false(pool, comes_later(count, anyone));
  bool is_some = expr_is_false(pool, open) || (has_part && !expr_is_true(pool, open));
  return is_some && are_numbered(count, FIRST_NUMBERS) ? open : 0;
}

// How many are waited for, at which word, as who waits sees it.
static bool find_many(Count *count) {
  const Direction *way = count->way;
  const Signal *signal = count->signal;
  Frame *waiting = order_frame_of(way, way->second);
  if (signal->handed == HANDED_STORED) waiting = order_leader_beside(count->order->scan, waiting->view);
  count->many = how_many(signal, waiting);
  if (!is_counter(count->order, signal, count->draw) || !count->many ||
      !order_one_target(waiting, signal->read->address, &count->word) ||
      (signal->is_ticket && operation_scope(count->order->scan, count->draw) < way->needed))
    return false;
  return start_values_are_zero(count->order->scan, &count->word, signal->read->bytes) &&
         order_is_set_up(count->order, signal);
}

bool order_is_draw_of(const Direction *way, const Signal *signal) {
  return signal->is_ticket && order_inst_of(way, way->first) == signal->read->inst;
}

ExprRef order_by_arrivals(const Direction *way, uint32_t s, OrderRule *rule) {
  ASSERT(way->first != way->second);
  const Signal *signal = &way->order->signals[s];
  Count count = {
      .order = way->order, .way = way, .signal = signal, .draw = order_find_draw(way->order, signal)};
  bool is_draw = order_is_draw_of(way, signal);
  if (!count.draw || (!is_draw && !order_is_acquired(way, signal))) return 0;
  bool is_last = have_all_drawn(&count, s, is_draw);
  *rule = is_last ? ORDER_RULE_LAST_ARRIVAL : ORDER_RULE_COUNT;
  if (is_last) return expr_bool(way->order->scan->pool, false);
  return order_word_stays(way, signal) && find_many(&count) ? is_uncounted(&count) : 0;
}

// ---- who draws one number
// Only the block that drew the last number comes there.
static bool is_last_for_both(const OrderQuestion *question, uint32_t s, const Count *count) {
  return extent_is_between_blocks(question->extent) && order_only_leader(count->order, count->draw->inst) &&
         is_grid_counter(count->order, s, count->draw) && is_last_number(count) == VERDICT_SAFE;
}

// The word may be set back, but there are not more who draw than it takes to draw this number: each draws
// once, and who has drawn it has used up all draws. Where it is never set back each number is drawn once, and comes
// round only behind very many draws.
static bool is_drawn_once(const Count *count) {
  Order *order = count->order;
  if (order_word_of(order, count->signal)->count == 1 && order_amount(order->scan, count->draw) == 1)
    return true;
  return start_values_are_zero(order->scan, &count->word, count->draw->bytes) &&
         order_is_set_up(order, count->signal) && are_numbered(count, 1);
}

// Both have drawn the number that they compare it with, and it is one number of one word.
static bool is_one_number(const OrderQuestion *question, Count *count) {
  Order *order = count->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  const Signal *signal = count->signal;
  EdgeTest test;
  Target words[2];
  ExprRef numbers[2];
  bool is_of_one = signal->handed == HANDED_STORED
                       ? extent_is_between_blocks(question->extent)
                       : question->extent != EXTENT_INTRA_WARP && signal->is_of_warp;
  if ((signal->handed && !is_of_one) || !signal->is_fixed ||
      operation_scope(scan, count->draw) < operation_scope_needed(question->extent) ||
      !find_comparison(scan, signal, &test) || test.pred != IR_EQ || !is_counter(order, signal, count->draw))
    return false;
  for (int t = 0; t < 2; t++) {
    Frame *frame = question->instances[t]->frame;
    if (signal->handed == HANDED_STORED) frame = order_leader_beside(scan, frame->view);
    numbers[t] = how_many(signal, frame);
    if (!order_plain_target(frame, signal->read, &words[t]) || !numbers[t]) return false;
  }
  bool is_shared = scan->objects.items[words[0].object].kind == OBJ_SHARED;
  if (words[0].object != words[1].object || (is_shared && extent_is_between_blocks(question->extent)))
    return false;
  count->word = words[0];
  count->many = numbers[0];
  ExprRef same =
      expr_and(pool, expr_eq(pool, words[0].offset, words[1].offset), expr_eq(pool, numbers[0], numbers[1]));
  return is_drawn_once(count) &&
         order_never_in(scan, question->goal, expr_not(pool, same), "have two drawn one number");
}

static bool is_of_one_drawer(Order *order, const OrderQuestion *question, uint32_t s) {
  const Signal *signal = &order->signals[s];
  Direction way = order_direction(order, question, 0, NULL);
  Count count = {.order = order, .way = &way, .signal = signal, .draw = order_find_draw(order, signal)};
  if (!signal->is_ticket || !count.draw) return false;
  for (int t = 0; t < 2; t++)
    if (!order_is_passed_at(order, s, question->instances[t]->access->inst)) return false;
  return is_last_for_both(question, s, &count) || is_one_number(question, &count);
}

OrderAnswer order_by_one_drawer(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (is_of_one_drawer(order, question, s))
      return order_proved_by_itself(
          (OrderProof){.rule = ORDER_RULE_SINGLE_THREAD, .acquire = order->signals[s].read->inst + 1});
  return (OrderAnswer){0};
}
