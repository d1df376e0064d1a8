// Is one access made before the other because a thread waited for a flag? The reader has passed an edge on
// which a strong read returned a value that only writes behind the other access store. Method: release and
// acquire as fences on every path (Lustig et al., "PTX memory model", ASPLOS 2019); who stored the value is a
// third thread in the goal. Soundness: every write that may have stored the awaited value must be ordered
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
  IrScope needed;    // between the two
} ReleaseEdge;

static bool all_release(const Direction *way, const Acquirer *acquirer, const Signal *signal);

// The releaser has itself waited for what the acquirer waits for, at the same word. Of all that have, the first
// one synchronised with a store of another kind, which is asked as well; each later one by one before it.
static bool has_waited_alike(const ReleaseEdge *edge) {
  Scan *scan = edge->way->order->scan;
  const Access *read = edge->signal->read;
  Target one, two;
  if (edge->acquirer->bits || !order_plain_target(edge->acquirer->frame, read, &one) ||
      !order_plain_target(edge->releaser, read, &two) || one.object != two.object ||
      !order_acquires_by(scan, read->inst, edge->write->inst, edge->needed))
    return false;
  return order_never_in(scan, edge->known, expr_ne(scan->pool, one.offset, two.offset),
                        "has it waited for another word");
}

// Who releases by `signal` may have acquired it by this one, as it stays what it is, and says no more than the word does.
static bool may_acquire_by(const Direction *way, const Signal *signal, const Signal *acquired) {
  return acquired->is_fixed && !acquired->is_ticket && !acquired->carrier &&
         (acquired == signal || !order_is_lock_word(way->order, acquired));
}

// The releaser has itself passed the signal.
static bool has_acquired(const ReleaseEdge *edge, uint32_t s) {
  const Order *order = edge->way->order;
  const Signal *acquired = &order->signals[s];
  uint32_t at = edge->write->inst;
  const Acquirer next = {edge->releaser, at, edge->known, edge->acquirer->depth + 1, 0};
  if (!order_is_passed_at(order, s, at) ||
      order_is_met_at_start(edge->way->order, acquired, edge->releaser, at, edge->known))
    return false;
  return acquired == edge->signal ? has_waited_alike(edge)
                                  : next.depth < CHAIN_LIMIT && all_release(edge->way, &next, acquired);
}

// Each thread of the block of who comes to `by->inst` has waited for a word of its own, before a barrier; the one for
// the first thread's block has acquired it by this signal.
static bool mate_has_acquired(const Direction *way, const Acquirer *by, const Signal *acquired) {
  Order *order = way->order;
  Scan *scan = order->scan;
  for (int axis = 0; axis < 3 && by->depth == 0; axis++) {
    ExprRef waits = 0;
    Frame *mate = order_gatherer(way, by->frame->view, axis, acquired, by->inst, CFG_NONE, 0, &waits);
    if (!mate) return false;
    if (order_never_in(scan, by->known, expr_not(scan->pool, waits),
                       "is there such a thread, and does it wait") &&
        !order_is_met_at_start(order, acquired, mate, CFG_NONE, by->known) &&
        all_release(way, &(Acquirer){mate, by->inst, by->known, by->depth + 1, 0}, acquired))
      return true;
  }
  return false;
}

// The releaser has acquired it from somebody else, itself or by a thread of its block: one block gathers, then releases to all.
static bool relays(const ReleaseEdge *edge) {
  const Direction *way = edge->way;
  const Order *order = way->order;
  const Scan *scan = order->scan;
  uint32_t at = edge->write->inst;
  const Acquirer by = {edge->releaser, at, edge->known, edge->acquirer->depth, 0};
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *acquired = &order->signals[s];
    if (may_acquire_by(way, edge->signal, acquired) &&
        !order_lacks_release(scan, acquired->read->inst, at, edge->needed, false) &&
        (has_acquired(edge, s) || (acquired != edge->signal && mate_has_acquired(way, &by, acquired))))
      return true;
  }
  return false;
}

// A flag for each pair of blocks: not the second thread, nor its leader, has waited for the first one's block, but
// another thread of its block, before a barrier.
ExprRef order_by_mate(const Direction *way, uint32_t s, OrderRule *rule) {
  ASSERT(way->first != way->second);
  const OrderQuestion *question = way->question;
  Order *order = way->order;
  const Instance *second = question->instances[way->second];
  const Acquirer by = {second->frame, second->access->inst, question->goal, 0, 0};
  const Signal *acquired = &order->signals[s];
  if (!extent_is_between_blocks(question->extent) || way->loops[0] != CFG_NONE || !acquired->is_fixed ||
      !order_is_plain_wait(acquired) || order_is_lock_word(order, acquired) ||
      !order_is_acquired(way, acquired) || !mate_has_acquired(way, &by, acquired))
    return 0;
  *rule = ORDER_RULE_FLAG;
  return expr_bool(way->order->scan->pool, false);
}

// What the second thread itself acquires was asked for its distance to the first one; who releases to it may be
// further away.
static bool acquires(const ReleaseEdge *edge) {
  const Scan *scan = edge->way->order->scan;
  uint32_t read = edge->signal->read->inst;
  if (edge->acquirer->depth == 0) {
    Direction hop = *edge->way;
    hop.needed = edge->needed;
    return order_is_acquired(&hop, edge->signal);
  }
  return order_acquires_by(scan, read, edge->acquirer->inst, edge->needed);
}

// Wide enough in scope for the two, and acquired.
static bool is_received(const ReleaseEdge *edge) {
  const Scan *scan = edge->way->order->scan;
  // What a bit-or has released is relayed by those behind it, whoever makes them.
  const SyncWord *word = order_word_of(edge->way->order, edge->signal);
  return operation_scope(scan, edge->write) >= edge->needed &&
         operation_scope(scan, edge->signal->read) >= edge->needed &&
         (!edge->acquirer->bits || word->scope >= edge->needed) && acquires(edge);
}

// Is there anything that the write could release, whoever makes it? Else it only does no harm if nobody makes
// it at all.
static bool may_relay(ReleaseEdge edge) {
  const Direction *way = edge.way;
  const Order *order = way->order;
  const Scan *scan = order->scan;
  Direction hop = *way;
  edge.needed = hop.needed = IR_SCOPE_BLOCK;
  if (!is_received(&edge)) return false;
  uint32_t at = edge.write->inst;
  if (order_is_released(&hop, edge.write) && !graph_reaches(scan, at, order_inst_of(way, way->first)))
    return true;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *acquired = &order->signals[s];
    bool is_passed =
        order_is_passed_at(order, s, at) || (acquired != edge.signal && edge.acquirer->depth == 0 &&
                                             order_is_left_by_signal_only(scan, acquired, CFG_NONE));
    if (is_passed && may_acquire_by(way, edge.signal, acquired)) return true;
  }
  return false;
}

// Only the first thread makes the write, or one of its block or warp, and releases its access by that.
static bool is_released_by_first(const Direction *way, const Access *write, const Frame *releaser,
                                 const Goal *known) {
  if (!order_is_released(way, write)) return false;
  ExprRef open = order_is_not_before(way, write, releaser->view, 0);
  return !expr_is_true(way->order->scan->pool, open) &&
         order_never_in(way->order->scan, known, open, "who has told");
}

// If this write ends the acquirer's wait, does it release the first access?
static bool releases(const Direction *way, const Acquirer *acquirer, const Signal *signal,
                     const Access *write) {
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *releaser = order->strangers[acquirer->depth];
  Target word, stored;
  if (!operation_is_strong(scan, write) || write->bytes != signal->read->bytes ||
      !order_one_target(acquirer->frame, signal->read->address, &word) ||
      !order_one_target(releaser, write->address, &stored))
    return false;
  Goal goal = goal_copy(scan, acquirer->known);
  goal_add(scan, &goal, order_one_word(acquirer->frame, &word, releaser, &stored), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, order_comes_to(releaser, write->inst), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, releaser->view);
  ExprRef sets = acquirer->bits ? order_bits_set(releaser, write) : 0;
  if (sets) goal_add(scan, &goal, order_has_common_bit(scan->pool, sets, acquirer->bits), GOAL_CONFLICT, 0);
  ReleaseEdge edge = {way, acquirer, signal, write, releaser, &goal, way->needed};
  if (address_goals_is_long(scan, &goal) && !may_relay(edge)) {
    SolverAnswer none = {0};
    return goal.is_false ||
           (address_goals_exclude(scan, &goal, "does anybody tell", &none) && proofs_is_refuted(scan, &none));
  }
  if (proofs_cannot_hold(scan, &goal, "does anybody tell")) return true;
  // What the second thread waits for itself is acquired as far as the first one is away.
  if (acquirer->depth == 0 && is_released_by_first(way, write, releaser, &goal)) return true;
  bool is_near = is_one_block(scan, &goal, releaser->view, acquirer->frame->view);
  edge.needed = is_near ? IR_SCOPE_BLOCK : IR_SCOPE_DEVICE;
  if (!is_received(&edge)) return false;
  Direction hop = *way;
  hop.needed = edge.needed;
  bool is_asked = acquirer->depth == 0 && hop.needed == way->needed;
  return (!is_asked && is_released_by_first(&hop, write, releaser, &goal)) || relays(&edge);
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
static bool each_releases(const Direction *way, const Acquirer *acquirer, const Signal *signal) {
  bool any = false, is_own = acquirer->depth == 0 && !acquirer->bits;
  WordRow row = {.word = order_word_of(way->order, signal)};
  while (acquirer->bits ? order_next_row(&row) : order_next_end(way->order, signal, &row)) {
    any = true;
    if (!(is_own && is_own_and_later(way, signal, row.access)) &&
        !releases(way, acquirer, signal, row.access))
      return false;
  }
  return any;
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

// The flag stays up after the first round, and nothing keeps the writer from going on: in a later round it
// overwrites while the reader, let through by the first, still reads.
static bool is_set_again(const Direction *way, const Signal *signal, const WordWrite *row) {
  const Order *order = way->order;
  Scan *scan = order->scan;
  const Access *write = row->access;
  const Instance *first = way->question->instances[way->first];
  int64_t stored = 0;
  if (!order_leaves_constant(row, &stored) || !order_may_satisfy(scan, signal, row) ||
      !order_is_released(way, write))
    return false;
  for (WordRow other = {.word = order_word_of(way->order, signal)}; order_next_row(&other);)
    if (!order_may_satisfy(scan, signal, other.write)) return false; // taken down in between
  if (order_gates(way->order, first->access->inst, order_couple(way->question))) return false;
  uint32_t loop = order_loop_of_both(scan, first->access->inst, write->inst, false);
  if (loop == CFG_NONE) return false;
  Goal goal = goal_copy(scan, way->question->goal);
  ExprRef later = expr_binary(scan->pool, EXPR_SLE, 0, expr_const(scan->pool, 32, 1),
                              frame_iteration(first->frame, loop));
  goal_add(scan, &goal, later, GOAL_CONTEXT, 0);
  SolverAnswer model =
      goal_decide(scan, &goal, arena_printf(scan->arena, "%s, in a later round", way->question->name));
  if (model.verdict != VERDICT_RACE) return false;
  *way->answer = (OrderAnswer){
      .verdict = ORDER_UNPROTECTED,
      .cause = "flag-reused",
      .text = "the flag is still up from an earlier round: the wait no longer holds the reader back",
      .witness = arena_copy(scan->arena, &model, sizeof model)};
  return true;
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
