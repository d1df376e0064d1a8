// Do flags order two accesses that are made in rounds? A flag that carries the number of the round: in round
// k a block stores what only rounds from k on store, and waits until its neighbour's word shows at least as
// much. A counter that each block counts up once in a round, waited for until all blocks have: a barrier of
// the grid in rounds. Method: for each direction, the condition under which the first access may not be known
// to be made when the second one is: the wait that the second thread has passed, in the round in hand or the
// one before, may have been ended by a store that does not come behind the first access (order_flags.c).
// Soundness: the two conditions together with the question are contradictory, so in each instance one of the
// two directions is ordered. That flags are zero at the start is an assumption.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// The loop of who makes the first access, and releases; of who waits.
static uint32_t releaser_loop(const Direction *way) {
  return way->loops[way->first];
}

static uint32_t waiter_loop(const Direction *way) {
  return way->loops[way->second];
}

// Condition that the second thread, as the frame has it, has come there without having passed the signal: since the
// begin of the kernel, or, where the wait stands in its loop, in that round.
static ExprRef comes_round(const Direction *way, uint32_t s, Frame *frame, uint32_t inst) {
  const Order *order = way->order;
  const Scan *scan = order->scan;
  const Signal *signal = &order->signals[s];
  bool is_inside = order_is_in_loop(scan, waiter_loop(way), signal->read->inst);
  if (order_is_passed_at(order, s, inst)) return expr_bool(scan->pool, false);
  if (is_inside && (scan->cfg->loop_of[signal->to] != waiter_loop(way) ||
                    (signal->test.other &&
                     !order_is_one_in_round(scan, signal->read->inst, signal->test.other, waiter_loop(way)))))
    return expr_bool(scan->pool, true); // of one round many words may be said
  ExprRef condition =
      order_has_not_waited(order, signal, frame, inst, is_inside ? waiter_loop(way) : CFG_NONE, false);
  bool is_read = expr_sym_kinds(scan->pool, condition) & (1u << SYM_MEMORY | 1u << SYM_UNKNOWN);
  return is_read ? expr_bool(scan->pool, true) : condition; // by what is read, other waits say more
}

// The same of a whole round.
static ExprRef goes_round(const Direction *way, uint32_t s, Frame *frame) {
  const Scan *scan = way->order->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[waiter_loop(way)].header;
  ExprRef goes = expr_bool(scan->pool, false);
  for (uint32_t p = cfg->pred_first[header]; p < cfg->pred_first[header + 1]; p++) {
    uint32_t from = cfg->preds[p];
    if (cfg->rpo_number[from] == CFG_NONE || !cfg_loop_contains(cfg, waiter_loop(way), from)) continue;
    goes = expr_or(scan->pool, goes, comes_round(way, s, frame, order_last_of(scan, from)));
  }
  return goes;
}

// ---- counters
enum { PERIOD_LIMIT = 4 };

// The same word only comes again after so many rounds of the loop; 0: never; or it is not known.
static bool comes_again(const Order *order, const Signal *signal, uint32_t period) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *one = order->anyone, *two = order->anyone_else;
  uint32_t loop = scan->cfg->loop_of[signal->to];
  ExprRef is_one = order_name_one_word(one, signal->read, two, signal->read);
  ExprRef rounds[2] = {frame_iteration(one, loop), frame_iteration(two, loop)},
          zero = expr_const(pool, 32, 0);
  for (int t = 0; t < 2 && period; t++)
    rounds[t] = expr_binary(pool, EXPR_UREM, 0, rounds[t], expr_const(pool, 32, period));
  for (int t = 0; t < 2 && is_one; t++)
    is_one =
        expr_and(pool, is_one, expr_binary(pool, EXPR_SLE, 0, zero, frame_iteration(t ? two : one, loop)));
  return is_one && order_never_of_two(order, expr_ne(pool, rounds[0], rounds[1]), is_one,
                                      "in which rounds is it one word");
}

// A word that leaders count up by one, or a row of words.
typedef struct Counter {
  const SyncWord *word;
  uint32_t period; // the same word comes again after so many rounds: 1: there is one; 0: never
} Counter;

// One word for each round, or some in turn, that hold zero at the start.
static bool find_period(Order *order, const Signal *signal, Counter *counter) {
  static const uint32_t periods[] = {0, 2, 3, 4};
  Scan *scan = order->scan;
  unsigned launch = 1u << SYM_HOST_VALUE | 1u << SYM_GRID_DIM | 1u << SYM_BLOCK_DIM | 1u << SYM_ITERATION;
  counter->period = 1;
  if (!signal->is_of_round) return order_is_grid_word(order, signal);
  bool is_of_grid =
      !(expr_sym_kinds(scan->pool, signal->target.offset) & ~launch) && !counter->word->is_of_block;
  if (!is_of_grid || !order_all_writes(counter->word, WRITE_IS_TO_IT, IR_SCOPE_DEVICE) ||
      !start_values_are_zero(scan, &signal->target, signal->read->bytes))
    return false;
  for (size_t p = 0; p < sizeof periods / sizeof *periods && counter->period == 1; p++)
    if (comes_again(order, signal, periods[p])) counter->period = periods[p];
  return counter->period != 1;
}

// The word of the signal, if all that writes it are additions of one by leaders.
static bool find_counter(Order *order, const Signal *signal, Counter *counter) {
  counter->word = order_word_of(order, signal);
  return order_all_writes(counter->word, WRITE_DRAWS | WRITE_BY_LEADERS, IR_SCOPE_DEVICE) &&
         find_period(order, signal, counter);
}

// How many times a leader has drawn at most when it has made this draw in this round of the loop; 0: not
// known.
static ExprRef number_of(const Scan *scan, uint32_t loop, const Counter *counter, const Access *draw,
                         ExprRef round) {
  ExprPool *pool = scan->pool;
  uint32_t before = 0, in_loop = 0, place = 1;
  for (WordRow row = {.word = counter->word}; order_next_row(&row);) {
    uint32_t other = row.access->inst;
    if (order_is_in_loop(scan, loop, other)) {
      if (scan->cfg->loop_of[inst_at(scan, other)->block] != loop ||
          !order_is_in_loop(scan, loop, draw->inst))
        return 0;
      in_loop++;
      place += other != draw->inst && graph_reaches_in_round(scan, loop, other, draw->inst);
    } else if (scan->cfg->loop_of[inst_at(scan, other)->block] != CFG_NONE) {
      return 0;
    } else {
      before += other != draw->inst && graph_reaches(scan, other, draw->inst);
    }
  }
  bool is_one = counter->period == 1;
  if (!is_one && (before || in_loop != 1)) return 0;
  if (counter->period > 1)
    round = expr_binary(pool, EXPR_UDIV, 0, round, expr_const(pool, 32, counter->period));
  ExprRef number = expr_const(pool, 32, before + place);
  if (!counter->period || loop == CFG_NONE || !order_is_in_loop(scan, loop, draw->inst)) return number;
  ExprRef rounds = expr_binary(pool, EXPR_MUL, EXPR_NSW, round, expr_const(pool, 32, in_loop));
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, number, rounds);
}

// The draw that the wait is for: the last one before it.
static const Access *draw_before(const Scan *scan, uint32_t loop, const Counter *counter,
                                 const Signal *signal) {
  const Access *last = NULL;
  for (WordRow row = {.word = counter->word}; order_next_row(&row);) {
    const Access *draw = row.access;
    bool is_beside = (loop != CFG_NONE && order_is_in_loop(scan, loop, draw->inst)) ==
                     order_is_in_loop(scan, loop, signal->read->inst);
    if (is_beside && graph_dominates(scan, draw->inst, signal->read->inst) &&
        (!last || graph_dominates(scan, last->inst, draw->inst)))
      last = draw;
  }
  return last;
}

// The wait ends only if all blocks have drawn as often as this leader has.
static bool waits_for_all(Order *order, uint32_t loop, const Counter *counter, const Signal *signal,
                          const Access *draw) {
  ExprRef round = loop == CFG_NONE ? 0 : frame_iteration(order->anyone, loop),
          times = number_of(order->scan, loop, counter, draw, round);
  return times && order_says_that_all_have_drawn(&(Passing){order, signal, draw, times}) == VERDICT_SAFE;
}

// From the draw, does a leader come to a draw again without having waited for all?
static bool draws_again(Order *order, uint32_t loop, const Counter *counter, const Access *draw) {
  const Scan *scan = order->scan;
  GraphWalk walk = {
      .from = draw->inst, .wanted = order_marks(scan, CFG_NONE), .only = order->is_feasible[CLASS_LEADER]};
  walk.ends = arena_array(scan->arena, scan->cfg->succ_first[scan->cfg->block_count] + 1, uint8_t);
  for (WordRow row = {.word = counter->word}; order_next_row(&row);)
    walk.wanted[row.access->inst] = 1;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    bool is_same = signal->is_direct && !signal->handed && !signal->is_ticket &&
                   order_word_of(order, signal) == counter->word;
    if (is_same && draw_before(scan, loop, counter, signal) == draw &&
        waits_for_all(order, loop, counter, signal, draw))
      order_mark_edges(order, signal, walk.ends);
  }
  return graph_walk(order->scan, &walk);
}

static bool is_barrier_of_rounds(Order *order, uint32_t loop, const Counter *counter) {
  for (WordRow row = {.word = counter->word}; order_next_row(&row);)
    if (draws_again(order, loop, counter, row.access)) return false;
  return true;
}

// Generations are rounds: each block draws once in each.
static ExprRef generation_leaves_open(const Direction *way, const Signal *signal, ExprRef round) {
  Order *order = way->order;
  bool is_whole =
      order_is_released(way, signal->read) && order_is_generation(order, signal) &&
      (!order_is_in_loop(order->scan, releaser_loop(way), signal->read->inst) ||
       order->scan->cfg->loop_of[inst_at(order->scan, signal->read->inst)->block] == releaser_loop(way));
  return is_whole ? order_is_not_before_leader(way, signal->read, round) : expr_bool(order->scan->pool, true);
}

// All blocks have made the draw of this wait, in the same round.
static ExprRef counter_leaves_open(const Direction *way, const Signal *signal, ExprRef round) {
  Order *order = way->order;
  ExprRef yes = expr_bool(order->scan->pool, true);
  if (!extent_is_between_blocks(way->question->extent) || way->loops[0] != way->loops[1]) return yes;
  if (signal->change) return generation_leaves_open(way, signal, round);
  uint32_t loop = releaser_loop(way);
  Counter counter;
  if (!find_counter(order, signal, &counter)) return yes;
  const Access *draw = draw_before(order->scan, loop, &counter, signal);
  bool is_of_loop = counter.period == 1 || order->scan->cfg->loop_of[signal->to] == loop;
  if (!draw || !is_of_loop || !order_is_released(way, draw) || !is_barrier_of_rounds(order, loop, &counter) ||
      !waits_for_all(order, loop, &counter, signal, draw))
    return yes;
  return order_is_not_before_leader(way, draw, round);
}

// ---- one direction
static ExprRef leaves_open(const Direction *way, uint32_t s) {
  Order *order = way->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  const Signal *signal = &order->signals[s];
  const Instance *second = way->question->instances[way->second];
  uint32_t inst = second->access->inst;
  if (signal->handed || !signal->is_direct || !(signal->is_fixed || signal->is_of_round)) return 0;
  if (signal->change ? !order_is_acquired(way, &order->signals[signal->last - 1]) ||
                           !order_is_acquired(way, &order->signals[signal->change - 1])
                     : signal->is_ticket || !order_is_acquired(way, signal))
    return 0;
  if (!order_is_in_loop(scan, waiter_loop(way), signal->read->inst)) {
    ExprRef round_it = signal->is_fixed ? comes_round(way, s, second->frame, inst) : 0;
    return round_it && !expr_is_true(pool, round_it)
               ? expr_or(pool, round_it, counter_leaves_open(way, signal, expr_const(pool, 32, 0)))
               : 0;
  }
  bool is_of_loop = signal->is_fixed || scan->cfg->loop_of[signal->to] == waiter_loop(way);
  if (!is_of_loop || !order_is_in_loop(scan, waiter_loop(way), inst)) return 0;
  ExprRef round = frame_iteration(second->frame, waiter_loop(way)), one = expr_const(pool, 32, 1),
          is_first = expr_bool(pool, false);
  bool is_in_round = graph_reaches_in_round(scan, waiter_loop(way), signal->read->inst, inst);
  if (!is_in_round) { // in the one before
    is_first = expr_binary(pool, EXPR_SLT, 0, round, one);
    round = expr_binary(pool, EXPR_SUB, EXPR_NSW, round, one);
  }
  Frame *waiting = frame_of_round(second->frame, waiter_loop(way), round);
  ExprRef round_it = is_in_round ? comes_round(way, s, second->frame, inst) : goes_round(way, s, waiting);
  if (expr_is_true(pool, round_it)) return 0;
  ExprRef open = signal->change ? expr_bool(pool, true) : order_flag_leaves_open(way, signal, waiting);
  if (expr_is_true(pool, open)) open = counter_leaves_open(way, signal, round);
  return expr_or(pool, expr_or(pool, is_first, round_it), open);
}

ExprRef order_by_round(const Direction *way, uint32_t s, OrderRule *rule) {
  ASSERT(way->first != way->second);
  const Signal *signal = &way->order->signals[s];
  ExprRef open = leaves_open(way, s);
  Counter counter;
  if (open && !expr_is_true(way->order->scan->pool, open))
    *rule = signal->change                               ? ORDER_RULE_GENERATION
            : find_counter(way->order, signal, &counter) ? ORDER_RULE_COUNT
                                                         : ORDER_RULE_FLAG_PER_ROUND;
  return open;
}

// ---- which loops
// Threads wait there: in the loop, which the wait itself does not leave, as its own makes no rounds; CFG_NONE: outside of all.
static bool waits_in(const Order *order, uint32_t loop) {
  const Cfg *cfg = order->scan->cfg;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    if (loop == CFG_NONE ? (!signal->is_ticket || signal->change) && cfg->loop_of[signal->to] == CFG_NONE
                         : order_is_in_loop(order->scan, loop, signal->read->inst) &&
                               cfg_loop_contains(cfg, loop, signal->to))
      return true;
  }
  return false;
}

// No loop; each outermost one; at last one who fills and one who empties, each in a loop of his own.
bool order_next_rounds(const Order *order, const OrderQuestion *question, RoundLoops *loops) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  const Cfg *cfg = order->scan->cfg;
  while (loops->next < cfg->loops.count + 2) {
    uint32_t at = loops->next++, *of = loops->of;
    bool is_of_two = at == cfg->loops.count + 1;
    for (int t = 0; t < 2; t++) {
      uint32_t inst = question->instances[t]->access->inst;
      of[t] = at == 0 ? CFG_NONE : is_of_two ? order_loop_of_both(order->scan, inst, inst, true) : at - 1;
    }
    bool is_none = is_of_two && (of[0] == of[1] || of[0] == CFG_NONE || of[1] == CFG_NONE),
         is_inner = at != 0 && !is_of_two && cfg->loops.items[at - 1].parent != CFG_NONE;
    if (!is_none && !is_inner && (waits_in(order, of[0]) || waits_in(order, of[1]))) return true;
  }
  return false;
}
