// Is one access made before the other because a thread waited for a flag? The reader has passed an edge on
// which a strong read returned a value that only writes behind the other access store. Method: release and
// acquire as fences on every path (Lustig et al., "PTX memory model", ASPLOS 2019); who stored the value is a
// third thread in the goal, which may itself have waited, or a thread of its block, before a barrier: who told that one is a
// fourth. In rounds of loops it is in some round, and has waited in that one; then the answer is the condition, on the rounds of
// the threads, under which the order is not known. Soundness: every write that may have stored the awaited value must be ordered
// behind the access; that flags and counters are not set when the kernel starts is an assumption.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- over a third thread
// Are the two in one block, whenever this goal holds?
static bool is_one_block(Scan *scan, const Goal *known, const View *one, const View *two) {
  ExprRef apart = expr_not(scan->pool, order_same_block(scan, one, two));
  return order_never_in(scan, known, apart, "one block");
}

enum { CHAIN_LIMIT = 3 };

// A thread that has passed a signal when it comes to `inst`.
typedef struct Acquirer {
  Frame *frame;
  uint32_t inst;
  const Goal *known;
  int depth;    // how many stand between it and the second thread
  ExprRef bits; // that are surely set when its wait is over; 0: it waits for the word as a whole
} Acquirer;

// A write that may synchronise with the acquirer's wait, and who makes it: a third thread.
typedef struct ReleaseEdge {
  const Direction *way;
  const Acquirer *acquirer;
  const Signal *signal; // that the acquirer has passed
  const Access *write;
  Frame *releaser;
  const Goal *known; // of the two
  Direction hop;     // `needed` between the two
} ReleaseEdge;

static bool all_release(const Direction *way, const Acquirer *acquirer, const Signal *signal);

static bool is_in_rounds(const Direction *way) {
  return way->loops[0] != CFG_NONE;
}

// Whose rounds the releaser makes; CFG_NONE: none.
static uint32_t loop_of(const ReleaseEdge *edge) {
  uint32_t at = edge->write->inst;
  return is_in_rounds(edge->way) ? order_loop_of_both(edge->way->order->scan, at, at, true) : CFG_NONE;
}

// The releaser has itself waited for what the acquirer waits for, at the same word. Of all that have, the first
// one synchronised with a store of another kind, which is asked as well; each later one by one before it.
static bool has_waited_alike(const ReleaseEdge *edge) {
  Scan *scan = edge->way->order->scan;
  const Access *read = edge->signal->read;
  Target one, two;
  if (edge->acquirer->bits || !order_plain_target(edge->acquirer->frame, read, &one) ||
      !order_plain_target(edge->releaser, read, &two) || one.object != two.object ||
      !order_acquires_by(scan, read->inst, edge->write->inst, edge->hop.needed))
    return false;
  return order_never_in(scan, edge->known, expr_ne(scan->pool, one.offset, two.offset),
                        "has it waited for another word");
}

// The releaser may have acquired it by this signal, as it stays what it is, and says no more than the word does; in rounds
// it has waited in the same one.
static bool may_acquire_by(const ReleaseEdge *edge, const Signal *acquired) {
  const Order *order = edge->way->order;
  const Scan *scan = order->scan;
  uint32_t loop = loop_of(edge), read = acquired->read->inst;
  bool is_alike = acquired == edge->signal && !is_in_rounds(edge->way);
  if (!acquired->is_fixed || acquired->is_ticket || acquired->handed ||
      (!is_alike && order_is_lock_word(order, acquired)) ||
      order_lacks_release(scan, read, edge->write->inst, edge->hop.needed, false))
    return false;
  return !is_in_rounds(edge->way) ||
         (order_is_plain_wait(acquired) && acquired->is_direct && !acquired->is_carried &&
          order_is_in_loop(scan, loop, read) && scan->cfg->loop_of[acquired->to] == loop &&
          (!acquired->test.other || order_is_one_in_round(scan, read, acquired->test.other, loop)));
}

// The releaser has itself passed the signal.
static bool has_acquired(const ReleaseEdge *edge, uint32_t s) {
  const Order *order = edge->way->order;
  const Signal *acquired = &order->signals[s];
  uint32_t at = edge->write->inst;
  const Acquirer next = {edge->releaser, at, edge->known, edge->acquirer->depth + 1, 0};
  bool is_alike = acquired == edge->signal && !is_in_rounds(edge->way);
  if (!order_is_passed_at(order, s, at) ||
      (is_in_rounds(edge->way) && !graph_dominates(order->scan, acquired->read->inst, at)) ||
      (!is_alike && next.depth == (is_in_rounds(edge->way) ? CHAIN_LIMIT - 1 : CHAIN_LIMIT)) ||
      order_is_met_at_start(edge->way->order, acquired, edge->releaser, at, edge->known))
    return false;
  return is_alike ? has_waited_alike(edge) : all_release(edge->way, &next, acquired);
}

// Each thread of the block of who comes to `by->inst`, in that round of the loop, has waited for a word of its own, before a
// barrier; the one for the first thread's block has acquired it by this signal.
static bool gatherer_has_acquired(const Direction *way, const Acquirer *by, const Signal *acquired,
                                  uint32_t loop) {
  Order *order = way->order;
  Scan *scan = order->scan;
  ExprRef round = loop == CFG_NONE ? 0 : frame_iteration(by->frame, loop);
  for (int axis = 0; axis < 3 && by->depth == 0; axis++) {
    ExprRef waits = 0;
    if (axis && expr_is_const(scan->pool, order_frame_of(way, way->first)->view->block_idx[axis], NULL))
      continue; // the grid has no such extent
    Frame *gatherer = order_gatherer(way, by->frame->view, axis, acquired, by->inst, loop, round, &waits);
    if (!gatherer) return false;
    if (order_never_in(scan, by->known, expr_not(scan->pool, waits),
                       "is there such a thread, and does it wait") &&
        !order_is_met_at_start(order, acquired, gatherer, CFG_NONE, by->known) &&
        all_release(way, &(Acquirer){gatherer, by->inst, by->known, by->depth + 1, 0}, acquired))
      return true;
  }
  return false;
}

// The releaser has acquired it from somebody else, itself or by a thread of its block: one block gathers, then releases to all.
static bool relays(const ReleaseEdge *edge) {
  const Order *order = edge->way->order;
  const Acquirer by = {edge->releaser, edge->write->inst, edge->known, edge->acquirer->depth, 0};
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *acquired = &order->signals[s];
    if (may_acquire_by(edge, acquired) &&
        (has_acquired(edge, s) ||
         (acquired != edge->signal && gatherer_has_acquired(edge->way, &by, acquired, loop_of(edge)))))
      return true;
  }
  return false;
}

// A flag for each pair of blocks: not the second thread, nor its leader, has waited for the first one's block, but
// another thread of its block, before a barrier.
ExprRef order_by_gatherer(const Direction *way, uint32_t s, OrderRule *rule) {
  ASSERT(way->first != way->second);
  const OrderQuestion *question = way->question;
  Order *order = way->order;
  const Instance *second = question->instances[way->second];
  const Acquirer by = {second->frame, second->access->inst, question->goal, 0, 0};
  const Signal *acquired = &order->signals[s];
  if (!extent_is_between_blocks(question->extent) || is_in_rounds(way) || !acquired->is_fixed ||
      !order_is_plain_wait(acquired) || order_is_lock_word(order, acquired) ||
      !order_is_acquired(way, acquired) || !gatherer_has_acquired(way, &by, acquired, CFG_NONE))
    return 0;
  *rule = ORDER_RULE_FLAG;
  return expr_bool(way->order->scan->pool, false);
}

// Wide enough in scope for the two, and acquired. What the second thread itself acquires was asked for its distance to the
// first one; who releases to it may be further away.
static bool is_received(const ReleaseEdge *edge) {
  const Scan *scan = edge->way->order->scan;
  uint32_t read = edge->signal->read->inst;
  // What a bit-or has released is relayed by those behind it, whoever makes them.
  const SyncWord *word = order_word_of(edge->way->order, edge->signal);
  return operation_scope(scan, edge->write) >= edge->hop.needed &&
         operation_scope(scan, edge->signal->read) >= edge->hop.needed &&
         (!edge->acquirer->bits || word->scope >= edge->hop.needed) &&
         (edge->acquirer->depth == 0 ? order_is_acquired(&edge->hop, edge->signal)
                                     : order_acquires_by(scan, read, edge->acquirer->inst, edge->hop.needed));
}

// Is there anything that the write could release, whoever makes it? Else it only does no harm if nobody makes
// it at all.
static bool may_tell(ReleaseEdge edge) {
  const Order *order = edge.way->order;
  edge.hop.needed = IR_SCOPE_BLOCK;
  bool may = order_is_released(&edge.hop, edge.write);
  for (uint32_t s = 0; s < order->signal_count && !may; s++)
    may = may_acquire_by(&edge, &order->signals[s]);
  return may && is_received(&edge);
}

// Condition that the write is not made by the first thread, or one of its block or warp, or does not release the first
// access by that.
static ExprRef first_leaves_open(const Direction *way, const Access *write, Frame *releaser) {
  uint32_t loop = way->loops[way->first];
  bool is_out = is_in_rounds(way) && !order_is_in_loop(way->order->scan, loop, write->inst);
  if (is_out || !order_is_released(way, write)) return expr_bool(way->order->scan->pool, true);
  return order_is_not_before(way, write, releaser, is_in_rounds(way) ? frame_iteration(releaser, loop) : 0);
}

static bool is_released_by_first(const Direction *way, const ReleaseEdge *edge) {
  Scan *scan = way->order->scan;
  ExprRef open = first_leaves_open(way, edge->write, edge->releaser);
  return !expr_is_true(scan->pool, open) && order_never_in(scan, edge->known, open, "who has told");
}

// Scopes and fences reach from block to block, wherever they reach within one.
static bool is_wide(const ReleaseEdge *edge) {
  const Order *order = edge->way->order;
  ReleaseEdge wide = *edge;
  wide.hop.needed = IR_SCOPE_DEVICE;
  bool is_wide = is_received(&wide) &&
                 order_is_released(&wide.hop, edge->write) == order_is_released(&edge->hop, edge->write);
  for (uint32_t s = 0; s < order->signal_count && is_wide; s++)
    is_wide = may_acquire_by(&wide, &order->signals[s]) == may_acquire_by(edge, &order->signals[s]);
  return is_wide;
}

// The writer has released the first access, or relays it, to the acquirer, as far as the two are away from each other.
static bool is_handed_on(ReleaseEdge edge) {
  const View *releaser = edge.releaser->view, *acquirer = edge.acquirer->frame->view;
  edge.hop.needed = IR_SCOPE_BLOCK;
  if (!is_received(&edge)) return false;
  if (is_wide(&edge) || !is_one_block(edge.way->order->scan, edge.known, releaser, acquirer))
    edge.hop.needed = IR_SCOPE_DEVICE;
  if (!is_received(&edge)) return false;
  bool is_asked = edge.acquirer->depth == 0 && edge.hop.needed >= edge.way->needed;
  return (!is_asked && is_released_by_first(&edge.hop, &edge)) || relays(&edge);
}

// In rounds the writers of two directions are two.
static Frame *releaser_at(const Direction *way, int depth) {
  bool is_other = is_in_rounds(way) && way->first == 1 && depth < 2;
  return way->order->strangers[is_other ? 1 - depth : depth];
}

// In rounds, where the second thread has waited: condition that who ended its wait does not know of the first access by a
// wait of its own. It is asked of what the first thread does before the round in which that one writes, then up to it.
static ExprRef relay_leaves_open(ReleaseEdge edge, ExprRef ended) {
  const Direction *way = edge.way;
  Scan *scan = way->order->scan;
  ExprPool *pool = scan->pool;
  uint32_t loop = way->loops[way->first];
  ExprRef open = expr_bool(pool, true);
  bool has_rounds = order_is_in_loop(scan, loop, order_inst_of(way, way->first));
  for (int is_same = 0; is_same <= has_rounds && loop_of(&edge) != CFG_NONE; is_same++) {
    Goal goal = goal_copy(scan, edge.known);
    ExprRef later = expr_bool(pool, false);
    if (has_rounds)
      later =
          expr_binary(pool, is_same ? EXPR_SLT : EXPR_SLE, 0, frame_iteration(edge.releaser, loop_of(&edge)),
                      frame_iteration(order_frame_of(way, way->first), loop));
    goal_add(scan, &goal, expr_and(pool, ended, expr_not(pool, later)), GOAL_CONFLICT, 0);
    goal_add_view(scan, &goal, edge.releaser->view);
    ReleaseEdge asked = edge;
    asked.known = &goal;
    if (!is_handed_on(asked)) break;
    open = later;
  }
  return open;
}

// In rounds: condition that the write, which ended the second thread's wait, does not tell it of the first access.
static ExprRef is_open_in_rounds(const ReleaseEdge *edge, ExprRef ended) {
  ExprPool *pool = edge->way->order->scan->pool;
  ExprRef open = first_leaves_open(edge->way, edge->write, edge->releaser);
  if (!expr_is_false(pool, open)) open = expr_and(pool, open, relay_leaves_open(*edge, ended));
  return expr_is_true(pool, open) ? open : expr_and(pool, ended, open);
}

// The write, if it can have ended the acquirer's wait, tells it of the first access.
static bool tells(const ReleaseEdge *edge, Goal *known) {
  Scan *scan = edge->way->order->scan;
  if (address_goals_is_long(scan, known) && !may_tell(*edge)) {
    SolverAnswer none = {0};
    return known->is_false ||
           (address_goals_exclude(scan, known, "does anybody tell", &none) && proofs_is_refuted(scan, &none));
  }
  if (proofs_cannot_hold(scan, known, "does anybody tell")) return true;
  // What the second thread waits for itself is acquired as far as the first one is away.
  return (edge->acquirer->depth == 0 && is_released_by_first(edge->way, edge)) || is_handed_on(*edge);
}

// The acquirer has taken the edge itself, not its leader.
static bool has_looked(const Direction *way, const Acquirer *acquirer, const Signal *signal) {
  const Scan *scan = way->order->scan;
  const Cfg *cfg = scan->cfg;
  bool is_only_way = cfg->pred_first[signal->to + 1] - cfg->pred_first[signal->to] == 1 &&
                     cfg_dominates(cfg, signal->to, inst_at(scan, acquirer->inst)->block);
  return is_only_way || (acquirer->depth == 0 && way->is_of_one);
}

// Condition that this write ends the acquirer's wait, and does not tell it of the first access; in rounds it is one for the
// second thread.
static ExprRef write_leaves_open(const Direction *way, const Acquirer *acquirer, const Signal *signal,
                                 const WordWrite *row) {
  Order *order = way->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  const Access *write = row->access;
  Frame *releaser = releaser_at(way, acquirer->depth);
  Target word, stored;
  if (!order_one_target(acquirer->frame, signal->read->address, &word) ||
      !order_one_target(releaser, write->address, &stored) || write->bytes != signal->read->bytes)
    return expr_bool(pool, true);
  if (word.object != stored.object) return expr_bool(pool, false);
  if (!operation_is_strong(scan, write)) return expr_bool(pool, true);
  ExprRef ended = order_one_word(acquirer->frame, &word, releaser, &stored),
          comes = order_comes_to(releaser, write->inst), yes = expr_bool(pool, true), value = yes;
  // What the thread itself would have stored there it has not.
  if (write == signal->read && order_has_failed(order, signal) && has_looked(way, acquirer, signal))
    ended =
        expr_and(pool, ended, expr_not(pool, order_same_thread(scan, acquirer->frame->view, releaser->view)));
  if (acquirer->bits) value = order_has_common_bit(pool, order_bits_set(releaser, write), acquirer->bits);
  if (is_in_rounds(way) && !acquirer->bits)
    value = order_is_ended_by(order, signal, acquirer->frame, releaser, row, way->loops[way->first]);
  ReleaseEdge edge = {way, acquirer, signal, write, releaser, acquirer->known, *way};
  if (is_in_rounds(way) && acquirer->depth == 0)
    return value ? is_open_in_rounds(&edge, expr_and(pool, value, expr_and(pool, ended, comes))) : yes;
  Goal goal = goal_copy(scan, acquirer->known);
  goal_add(scan, &goal, ended, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, comes, GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, releaser->view);
  if (value) goal_add(scan, &goal, value, GOAL_CONFLICT, 0);
  edge.known = &goal;
  return expr_bool(pool, !tells(&edge, &goal));
}

// Only the second thread itself makes the write, when its wait is over.
static bool is_own_and_later(const Direction *way, const Signal *signal, const Access *write) {
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *writer = order->strangers[0];
  if (graph_reaches(scan, write->inst, signal->read->inst)) return false;
  ExprRef same = order_same_thread(scan, order_frame_of(way, way->second)->view, writer->view);
  Obligation own = {.known = way->question->goal,
                    .breach = expr_not(scan->pool, same),
                    .context = order_comes_to(writer, write->inst),
                    .one = writer};
  return order_is_met(scan, &own, "who stores it later");
}

// Of bits, what was set before is still there, whatever has been written since.
static ExprRef writes_leave_open(const Direction *way, const Acquirer *acquirer, const Signal *signal) {
  ExprPool *pool = way->order->scan->pool;
  bool any = false, is_own = acquirer->depth == 0 && !acquirer->bits && !is_in_rounds(way);
  ExprRef open = expr_bool(pool, false);
  WordRow row = {.word = order_word_of(way->order, signal)};
  while (!expr_is_true(pool, open) &&
         (acquirer->bits ? order_next_row(&row) : order_next_end(way->order, signal, &row))) {
    any = true;
    if (!(is_own && is_own_and_later(way, signal, row.access)))
      open = expr_or(pool, open, write_leaves_open(way, acquirer, signal, row.write));
  }
  return any ? open : expr_bool(pool, true);
}

static bool each_releases(const Direction *way, const Acquirer *acquirer, const Signal *signal) {
  return expr_is_false(way->order->scan->pool, writes_leave_open(way, acquirer, signal));
}

// Bits in a word that nothing but bit-ors writes: where all of a mask are awaited, those of them are surely set that the
// first thread sets, by one operation or another; whoever sets one of these has to release.
static bool bits_release(const Direction *way, Acquirer acquirer, const Signal *signal) {
  Scan *scan = way->order->scan;
  ExprPool *pool = scan->pool;
  bool is_all;
  ExprRef mask = order_awaited_bits(way->order, signal, acquirer.frame, &is_all);
  WordRow row = {.word = order_word_of(way->order, signal)};
  if (!mask || row.word->scope < way->needed) return false;
  while (order_next_row(&row)) {
    ExprRef sets = order_bits_set(order_frame_of(way, way->first), row.access);
    if (is_all && !sets) continue;
    acquirer.bits = is_all ? expr_binary(pool, EXPR_AND, 0, sets, mask) : mask;
    ExprRef is_none = expr_eq(pool, acquirer.bits, expr_const(pool, expr_width(pool, mask), 0));
    if ((!is_all || order_never_in(scan, acquirer.known, is_none, "does it wait for this bit")) &&
        each_releases(way, &acquirer, signal))
      return true;
    if (!is_all) break;
  }
  return false;
}

static bool all_release(const Direction *way, const Acquirer *acquirer, const Signal *signal) {
  return each_releases(way, acquirer, signal) || bits_release(way, *acquirer, signal);
}

ExprRef order_flag_leaves_open(const Direction *way, const Signal *signal, Frame *waiting) {
  ASSERT(is_in_rounds(way));
  ExprPool *pool = way->order->scan->pool;
  const Acquirer acquirer = {waiting, order_inst_of(way, way->second), way->question->goal, 0, 0};
  ExprRef open = writes_leave_open(way, &acquirer, signal);
  if (expr_is_true(pool, open)) return open; // else at once, if nobody has stored anything
  return expr_or(pool, open, order_met_at_start(way->order, signal, waiting));
}

// The flag stays up after the first round, and nothing keeps the writer from going on: in a later round it
// overwrites while the reader, let through by the first, still reads.
static bool is_set_again(const Direction *way, const Signal *signal, const WordWrite *row) {
  const Order *order = way->order;
  Scan *scan = order->scan;
  const Access *write = row->access;
  const Instance *first = way->question->instances[way->first];
  int64_t stored = 0;
  if (!order_leaves_constant(row, &stored) || !order_may_satisfy(order, signal, row) ||
      !order_is_released(way, write))
    return false;
  for (WordRow other = {.word = order_word_of(way->order, signal)}; order_next_row(&other);)
    if (!order_may_satisfy(order, signal, other.write)) return false; // taken down in between
  if (order_gates(way->order, first->access->inst, order_couple(way->question))) return false;
  uint32_t loop = order_loop_of_both(scan, first->access->inst, write->inst, false);
  if (loop == CFG_NONE) return false;
  ExprRef later = expr_binary(scan->pool, EXPR_SLE, 0, expr_const(scan->pool, 32, 1),
                              frame_iteration(first->frame, loop));
  const SolverAnswer *model = order_model(scan, way->question, later, "in a later round");
  if (model)
    *way->answer = (OrderAnswer){
        .verdict = ORDER_UNPROTECTED,
        .cause = "flag-reused",
        .text = "the flag is still up from an earlier round: the wait no longer holds the reader back",
        .witness = model};
  return model != NULL;
}

ExprRef order_by_flag(const Direction *way, uint32_t s, OrderRule *rule) {
  ASSERT(way->first != way->second);
  Order *order = way->order;
  const Signal *signal = &order->signals[s];
  if (signal->is_ticket || order_is_lock_word(order, signal) || !order_is_acquired(way, signal) ||
      !order_word_stays(way, signal) ||
      (!way->is_after_start &&
       order_is_met_at_start(order, signal, order_frame_of(way, way->second),
                             way->is_of_one ? CFG_NONE : order_inst_of(way, way->second),
                             way->question->goal)))
    return 0;
  const Instance *second = way->question->instances[way->second];
  const Acquirer acquirer = {second->frame, second->access->inst, way->question->goal, 0, 0};
  *rule = bits_release(way, acquirer, signal) ? ORDER_RULE_BIT_FLAG : ORDER_RULE_FLAG;
  if (*rule == ORDER_RULE_BIT_FLAG || each_releases(way, &acquirer, signal))
    return expr_bool(order->scan->pool, false);
  WordRow row = {.word = order_word_of(order, signal)};
  while (order_next_end(order, signal, &row))
    if (is_set_again(way, signal, row.write)) break;
  return 0;
}
