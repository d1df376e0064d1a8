// Is one access made before the other because a thread waited for a flag? The reader has passed an edge on
// which a strong read returned a value that only writes behind the other access store. Method: release and
// acquire as fences on every way (Lustig et al., "PTX memory model", ASPLOS 2019); who stored the value is a
// third thread in the goal. Soundness: every write that may have stored the awaited value must be ordered
// behind the access; that flags and counters are not set when the kernel starts is an assumption.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/kernel.h"

// ---- release and acquire
uint32_t order_inst_of(const Direction *way, int which) {
  return way->question->instances[which]->access->inst;
}

// A fence between the strong read and the access; a volatile access sees what a device-wide flag announces.
bool order_is_acquired(const Direction *way, const Signal *signal) {
  const Scan *scan = way->order->scan;
  if (order_scope_of(scan, signal->read) < way->needed) return false;
  // In ScoRD's model fences are the writer's; who reads strongly sees what they have made visible.
  if (order_rules(scan)->reads_acquire) return true;
  if (order_acquires_always(scan, signal->read->inst)) return true;
  const Access *access = way->question->instances[way->second]->access;
  if (order_rules(scan)->volatile_sees && order_is_strong(scan, access)) return true;
  return !order_lacks_fence(scan, signal->read->inst, access->inst, way->needed, SIDE_ACQUIRE);
}

bool order_is_released(const Direction *way, const Access *write) {
  const Scan *scan = way->order->scan;
  if (!order_is_strong(scan, write) || order_scope_of(scan, write) < way->needed) return false;
  return !order_lacks_release(scan, order_inst_of(way, way->first), write->inst, way->needed, false);
}

// In one block, the first access is always made before a barrier, and the write behind it.
bool order_is_behind_barrier(const Direction *way, const Access *write) {
  const Scan *scan = way->order->scan;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const uint8_t *nodes = order_interval(way->order, p);
    if (!nodes || !nodes[write->node]) continue;
    if (p == 0 || order_reaches(scan, scan->points.items[p].inst, order_inst_of(way, way->first)))
      return false;
  }
  return true;
}

// ---- flags
ExprRef order_same_thread(Scan *scan, const View *one, const View *two) {
  ExprRef same = order_same_block(scan, one, two);
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(scan->pool, same, expr_eq(scan->pool, one->thread_idx[axis], two->thread_idx[axis]));
  return same;
}

// Could some third thread, other than those whose write comes behind the access, have stored the awaited
// value?
static bool stranger_may_write(const Direction *way, const Signal *signal, const Access *write,
                               bool by_block) {
  Order *order = way->order;
  Scan *scan = order->scan;
  const Instance *first = way->question->instances[way->first],
                 *second = way->question->instances[way->second];
  SymValue word = frame_value(second->frame, signal->read->address),
           stored = frame_value(order->anyone, write->address);
  if (word.target_count != 1 || stored.target_count != 1 || write->bytes != signal->read->bytes) return true;
  const Target *p = &word.targets[0], *q = &stored.targets[0];
  if (p->object != q->object) return false;
  const View *writer = order->anyone->view;
  Goal goal = goal_copy(scan, way->question->goal);
  goal_add(scan, &goal, expr_eq(scan->pool, p->offset, q->offset), GOAL_CONTEXT, 0);
  if (p->key && q->key) goal_add(scan, &goal, expr_eq(scan->pool, p->key, q->key), GOAL_CONTEXT, 0);
  if (scan->objects.items[p->object].kind == OBJ_SHARED)
    goal_add(scan, &goal, order_same_block(scan, second->frame->view, writer), GOAL_CONTEXT, 0);
  uint32_t block = scan->fn->insts.items[write->inst].block;
  goal_add(scan, &goal, order_block_condition(order->anyone, block), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, writer);
  ExprRef known = by_block ? order_same_block(scan, first->frame->view, writer)
                           : order_same_thread(scan, first->frame->view, writer);
  goal_add(scan, &goal, expr_not(scan->pool, known), GOAL_CONFLICT, 0);
  const char *name = arena_printf(scan->arena, "%s, flag set by another", way->question->name);
  return !order_cannot_hold(scan, &goal, name);
}

// Whoever waits has stored to the very word before: it reads nothing older than that.
static bool has_stored_before(Order *order, const Signal *signal) {
  const Scan *scan = order->scan;
  if (!signal->is_fixed) return false;
  const SyncWord *word = order_word_of(order, signal);
  for (uint32_t w = 0; w < word->count; w++) {
    const WordWrite *write = &word->writes[w];
    if (write->is_strong && write->fits && write->is_to_it && write->kind != WRITE_SWAP &&
        order_dominates(scan, write->access->inst, signal->read->inst))
      return true;
  }
  return false;
}

// Condition that the wait ends at once, though nobody has set the flag.
static ExprRef met_at_start(Order *order, const Signal *signal, Frame *waiting) {
  ExprPool *pool = order->scan->pool;
  uint8_t width = (uint8_t)(signal->read->bytes * 8);
  SymValue word = frame_value(waiting, signal->read->address);
  OrderStart start;
  if (has_stored_before(order, signal)) return expr_bool(pool, false);
  if (!signal->is_direct || word.target_count != 1 || !order_is_set_up(order, signal) ||
      !order_start_value(order->scan, &word.targets[0], signal->read->bytes, &start))
    return expr_bool(pool, true);
  ExprRef awaited =
      signal->test.other ? frame_word(waiting, signal->test.other, width) : expr_const(pool, width, 0);
  ExprRef ends = awaited ? symeval_compare(pool, signal->test.pred, start.value, awaited) : 0;
  return ends ? expr_and(pool, ends, start.known) : expr_bool(pool, true);
}

// The leader may have waited for the whole block: of who comes to the read only what says of the block and
// the launch holds of the thread then.
static ExprRef reads_there(const Order *order, const Signal *signal, Frame *waiting, uint32_t later) {
  Scan *scan = order->scan;
  ExprRef comes = order_block_condition(waiting, scan->fn->insts.items[signal->read->inst].block);
  bool is_own = later == CFG_NONE || order->is_of_one || order_dominates(scan, signal->read->inst, later);
  return is_own ? comes : order_fixed_parts(scan->pool, comes, false);
}

bool order_is_met_at_start(Order *order, const Signal *signal, Frame *waiting, uint32_t later,
                           const Goal *known) {
  Scan *scan = order->scan;
  ExprRef met = met_at_start(order, signal, waiting);
  if (expr_is_true(scan->pool, met) || expr_is_false(scan->pool, met)) return expr_is_true(scan->pool, met);
  Goal goal = goal_copy(scan, known);
  goal_add(scan, &goal, met, GOAL_CONFLICT, 0);
  if (!signal->is_carried) // else it was read in a round before the one that is known
    goal_add(scan, &goal, reads_there(order, signal, waiting, later), GOAL_CONTEXT, 0);
  return !order_cannot_hold(scan, &goal, "is it what the word holds at the start");
}

// ---- over a third thread
// Are the two in one block, whenever this goal holds?
static bool is_one_block(Scan *scan, const Goal *known, const View *one, const View *two) {
  Goal goal = goal_copy(scan, known);
  goal_add(scan, &goal, expr_not(scan->pool, order_same_block(scan, one, two)), GOAL_CONFLICT, 0);
  return order_cannot_hold(scan, &goal, "one block");
}

enum { CHAIN_LIMIT = 3 };

// Somebody who waits for a signal, and then comes to `inst`.
typedef struct Listener {
  const Signal *signal;
  Frame *frame;
  uint32_t inst;
  const Goal *known;
  int depth; // how many stand between it and the second thread
} Listener;

static bool all_tell(const Direction *way, const Listener *listener);

// Somebody holds the word then: locks say more of it (order_locks.c).
static bool is_lock_word(const Order *order, const Signal *signal) {
  for (uint32_t i = 0; i < order->lock_count; i++) {
    const LockSite *site = &order->locks[i];
    if (site->access == signal->read && !site->is_token && site->is_disciplined) return !site->is_opened;
  }
  return false;
}

// The teller has itself waited for what the listener waits for, at the same word. Of all that have, the first
// one was told by a store of another kind, which is asked as well; each later one by one before it.
static bool has_waited_alike(const Direction *way, const Listener *listener, const Access *write,
                             Frame *teller, const Goal *known, IrScope needed) {
  Scan *scan = way->order->scan;
  const Signal *signal = listener->signal;
  uint32_t read = signal->read->inst;
  SymValue one = frame_value(listener->frame, signal->read->address),
           two = frame_value(teller, signal->read->address);
  if (one.target_count != 1 || two.target_count != 1 || one.targets[0].key || two.targets[0].key ||
      one.targets[0].object != two.targets[0].object ||
      (!order_rules(scan)->reads_acquire && !order_acquires_always(scan, read) &&
       order_lacks_fence(scan, read, write->inst, needed, SIDE_ACQUIRE)))
    return false;
  Goal goal = goal_copy(scan, known);
  ExprRef differ = expr_ne(scan->pool, one.targets[0].offset, two.targets[0].offset);
  goal_add(scan, &goal, differ, GOAL_CONFLICT, 0);
  return order_cannot_hold(scan, &goal, "has it waited for another word");
}

// Who tells the listener has heard it from somebody else: it has itself passed a signal.
static bool passes_on(const Direction *way, const Listener *listener, const Access *write, Frame *teller,
                      const Goal *known, IrScope needed) {
  const Scan *scan = way->order->scan;
  // The direction's own analysis may know the ways of the second thread only, not those of who tells it.
  const Order *order = scan->order;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *heard = &order->signals[s];
    if (!heard->is_fixed || (heard != listener->signal && is_lock_word(scan->order, heard)) ||
        heard->is_ticket || heard->carrier || !order_is_passed_at(order, s, write->inst) ||
        order_is_met_at_start(way->order, heard, teller, write->inst, known))
      continue;
    bool releases = !order_lacks_release(scan, heard->read->inst, write->inst, needed, false);
    if (heard == listener->signal) {
      if (releases && has_waited_alike(way, listener, write, teller, known, needed)) return true;
      continue;
    }
    Listener next = {heard, teller, write->inst, known, listener->depth + 1};
    if (releases && next.depth < CHAIN_LIMIT && all_tell(way, &next)) return true;
  }
  return false;
}

// ---- over a barrier of the third thread's block
bool order_is_left_by_signal_only(const Scan *scan, const Signal *signal) {
  const Cfg *cfg = scan->cfg;
  uint32_t loop = cfg->loop_of[scan->fn->insts.items[signal->read->inst].block];
  if (loop == CFG_NONE || cfg->loops.items[loop].parent != CFG_NONE || !signal->is_direct ||
      signal->is_carried)
    return false;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1] && cfg_loop_contains(cfg, loop, b); e++)
      if (!cfg_loop_contains(cfg, loop, cfg->succs[e]) && (b != signal->from || cfg->succs[e] != signal->to))
        return false;
  return true;
}

// Whoever waits for the signal has done so before its block comes to the barrier, which stands before the
// write.
static bool is_heard_before(const Scan *scan, const Signal *signal, const Point *point, const Access *write) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[write->inst].block;
  bool stands_before =
      point->block == block ? point->inst < write->inst : cfg_dominates(cfg, point->block, block);
  return stands_before && !point->cover && cfg->loop_of[point->block] == CFG_NONE &&
         point_orders(scan, point, EXTENT_INTRA_BLOCK) && order_all_arrive(scan, point) &&
         !order_reaches(scan, point->inst, signal->read->inst);
}

// A thread of the teller's block, with the first thread's block number as its own number, is there, and comes
// to the wait: `known` says so of `order->mate` afterwards.
static bool has_mate(const Direction *way, const Signal *signal, const Frame *teller, Goal *known) {
  Order *order = way->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  const View *mate = order->mate->view, *first = way->question->instances[way->first]->frame->view;
  ExprRef number = first->block_idx[0], zero = expr_const(pool, 32, 0);
  ExprRef waits = frame_exact_condition(order->mate, 0, scan->fn->insts.items[signal->read->inst].block);
  if (!waits) return false;
  Goal none = goal_copy(scan, known);
  goal_add(scan, &none, expr_binary(pool, EXPR_SLE, 0, scan->launch->block[0], number), GOAL_CONFLICT, 0);
  if (!order_cannot_hold(scan, &none, "is there such a thread")) return false;
  goal_add(scan, known, order_same_block(scan, mate, teller->view), GOAL_CONTEXT, 0);
  for (int axis = 0; axis < 3; axis++)
    goal_add(scan, known, expr_eq(pool, mate->thread_idx[axis], axis ? zero : number), GOAL_CONTEXT, 0);
  goal_add_view(scan, known, mate);
  Goal without = goal_copy(scan, known);
  goal_add(scan, &without, expr_not(pool, waits), GOAL_CONFLICT, 0);
  return order_cannot_hold(scan, &without, "does it wait");
}

// Each thread of the teller's block has waited for a word of its own, before a barrier (one block gathers,
// then tells all).
static bool mate_passes_on(const Direction *way, const Listener *listener, const Access *write, Frame *teller,
                           const Goal *known, IrScope needed) {
  Order *order = way->order;
  Scan *scan = order->scan;
  if (listener->depth > 0) return false; // the mate stands for one thread
  for (uint32_t s = 0; s < scan->order->signal_count; s++) {
    const Signal *heard = &scan->order->signals[s];
    if (heard == listener->signal || !heard->is_fixed || heard->is_ticket || heard->carrier ||
        is_lock_word(scan->order, heard) || !order_is_left_by_signal_only(scan, heard) ||
        order_lacks_release(scan, heard->read->inst, write->inst, needed, false))
      continue;
    bool is_before = false;
    for (uint32_t p = 1; p < scan->points.count && !is_before; p++)
      is_before = is_heard_before(scan, heard, &scan->points.items[p], write);
    Goal goal = goal_copy(scan, known);
    if (!is_before || !has_mate(way, heard, teller, &goal) ||
        order_is_met_at_start(order, heard, order->mate, CFG_NONE, &goal))
      continue;
    if (all_tell(way, &(Listener){heard, order->mate, write->inst, &goal, listener->depth + 1})) return true;
  }
  return false;
}

// What the second thread itself acquires was asked for its distance to the first one; who tells it may be
// further away.
static bool acquires(const Direction *way, const Listener *listener, IrScope needed) {
  const Scan *scan = way->order->scan;
  if (listener->depth == 0) {
    Direction hop = *way;
    hop.needed = needed;
    return order_is_acquired(&hop, listener->signal);
  }
  if (order_rules(scan)->reads_acquire) return true;
  return order_acquires_always(scan, listener->signal->read->inst) ||
         !order_lacks_fence(scan, listener->signal->read->inst, listener->inst, needed, SIDE_ACQUIRE);
}

// Is there anything that the write could hand on, whoever makes it? Else it only does no harm if nobody makes
// it at all.
static bool may_hand_on(const Direction *way, const Listener *listener, const Access *write) {
  const Scan *scan = way->order->scan;
  const Order *order = scan->order;
  if (order_scope_of(scan, write) < IR_SCOPE_BLOCK ||
      order_scope_of(scan, listener->signal->read) < IR_SCOPE_BLOCK ||
      !acquires(way, listener, IR_SCOPE_BLOCK))
    return false;
  Direction hop = *way;
  hop.needed = IR_SCOPE_BLOCK;
  if (order_is_released(&hop, write) && !order_reaches(scan, write->inst, order_inst_of(way, way->first)))
    return true;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *heard = &order->signals[s];
    bool is_lock = heard != listener->signal && is_lock_word(order, heard);
    bool is_passed =
        order_is_passed_at(order, s, write->inst) ||
        (heard != listener->signal && listener->depth == 0 && order_is_left_by_signal_only(scan, heard));
    if (heard->is_fixed && !is_lock && !heard->is_ticket && !heard->carrier && is_passed) return true;
  }
  return false;
}

// If this write ends the listener's wait, does the listener know of the first access?
static bool tells(const Direction *way, const Listener *listener, const Access *write) {
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *teller = order->strangers[listener->depth];
  const View *first = way->question->instances[way->first]->frame->view;
  SymValue word = frame_value(listener->frame, listener->signal->read->address),
           stored = frame_value(teller, write->address);
  if (word.target_count != 1 || stored.target_count != 1 || !order_is_strong(scan, write)) return false;
  Goal goal = goal_copy(scan, listener->known);
  goal_add(scan, &goal, expr_eq(scan->pool, word.targets[0].offset, stored.targets[0].offset), GOAL_CONFLICT,
           0);
  goal_add(scan, &goal, order_block_condition(teller, scan->fn->insts.items[write->inst].block), GOAL_CONTEXT,
           0);
  goal_add_view(scan, &goal, teller->view);
  if (places_goal_is_long(scan, &goal) && !may_hand_on(way, listener, write)) {
    SolverAnswer none = {0};
    return goal.is_false ||
           (places_exclude(scan, &goal, "does anybody tell", &none) && order_is_refuted(scan, &none));
  }
  if (order_cannot_hold(scan, &goal, "does anybody tell")) return true;
  IrScope needed =
      is_one_block(scan, &goal, teller->view, listener->frame->view) ? IR_SCOPE_BLOCK : IR_SCOPE_DEVICE;
  if (order_scope_of(scan, write) < needed || order_scope_of(scan, listener->signal->read) < needed ||
      !acquires(way, listener, needed))
    return false;
  Direction hop = *way;
  hop.needed = needed;
  if (order_is_released(&hop, write) && !order_reaches(scan, write->inst, order_inst_of(way, way->first))) {
    Goal other = goal_copy(scan, &goal);
    ExprRef is_it = order_is_behind_barrier(&hop, write) ? order_same_block(scan, first, teller->view)
                                                         : order_same_thread(scan, first, teller->view);
    goal_add(scan, &other, expr_not(scan->pool, is_it), GOAL_CONFLICT, 0);
    if (order_cannot_hold(scan, &other, "who has told")) return true;
  }
  return passes_on(way, listener, write, teller, &goal, needed) ||
         mate_passes_on(way, listener, write, teller, &goal, needed);
}

static bool all_tell(const Direction *way, const Listener *listener) {
  const SyncWord *word = order_word_of(way->order, listener->signal);
  bool any = false;
  for (uint32_t w = 0; w < word->count; w++) {
    if (!order_may_end(way->order, listener->signal, &word->writes[w])) continue;
    any = true;
    if (!tells(way, listener, word->writes[w].access)) return false;
  }
  return any;
}

// Only the second thread itself makes the write, when its wait is over.
static bool is_own_and_later(const Direction *way, const Signal *signal, const Access *write) {
  Order *order = way->order;
  Scan *scan = order->scan;
  if (order_reaches(scan, write->inst, signal->read->inst)) return false;
  Frame *writer = order->strangers[0];
  Goal goal = goal_copy(scan, way->question->goal);
  goal_add(scan, &goal, order_block_condition(writer, scan->fn->insts.items[write->inst].block), GOAL_CONTEXT,
           0);
  goal_add_view(scan, &goal, writer->view);
  const View *second = way->question->instances[way->second]->frame->view;
  goal_add(scan, &goal, expr_not(scan->pool, order_same_thread(scan, second, writer->view)), GOAL_CONFLICT,
           0);
  return order_cannot_hold(scan, &goal, "who stores it later");
}

static bool write_is_ordered(const Direction *way, const Signal *signal, const Access *write) {
  const Instance *second = way->question->instances[way->second];
  Listener listener = {signal, second->frame, second->access->inst, way->question->goal, 0};
  if (is_own_and_later(way, signal, write) || tells(way, &listener, write)) return true;
  if (!order_is_released(way, write)) return false;
  if (order_is_behind_barrier(way, write)) return !stranger_may_write(way, signal, write, true);
  bool comes_later = !order_reaches(way->order->scan, write->inst, order_inst_of(way, way->first));
  return comes_later && !stranger_may_write(way, signal, write, false);
}

bool order_word_stays(const Direction *way, const Signal *signal) {
  const Scan *scan = way->order->scan;
  uint32_t read = signal->read->inst, second = order_inst_of(way, way->second);
  uint32_t a = scan->fn->insts.items[read].block, b = scan->fn->insts.items[second].block;
  if (a == b ? read < second : cfg_dominates(scan->cfg, a, b)) return true;
  return way->order->is_of_one ? signal->is_fixed : signal->is_of_block; // perhaps the leader has waited
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
  const SyncWord *word = order_word_of(way->order, signal);
  for (uint32_t w = 0; w < word->count; w++)
    if (!order_may_satisfy(scan, signal, &word->writes[w])) return false; // taken down in between
  if (order_waits(way->order, first->access->inst, way->question->extent)) return false;
  uint32_t block = scan->fn->insts.items[first->access->inst].block;
  uint32_t loop = scan->cfg->loop_of[block];
  while (loop != CFG_NONE && !cfg_loop_contains(scan->cfg, loop, scan->fn->insts.items[write->inst].block))
    loop = scan->cfg->loops.items[loop].parent;
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

static bool flag_orders(const Direction *way, const Signal *signal) {
  Order *order = way->order;
  if (is_lock_word(order->scan->order, signal) || !order_is_acquired(way, signal) ||
      !order_word_stays(way, signal) ||
      (!way->is_after_start &&
       order_is_met_at_start(order, signal, way->question->instances[way->second]->frame,
                             order_inst_of(way, way->second), way->question->goal)))
    return false;
  bool is_set = false, is_ordered = true;
  const SyncWord *word = order_word_of(order, signal);
  for (uint32_t w = 0; w < word->count; w++) {
    const WordWrite *write = &word->writes[w];
    if (!order_may_end(order, signal, write)) continue;
    is_set = true;
    if (write_is_ordered(way, signal, write->access)) continue;
    is_ordered = false;
    if (is_set_again(way, signal, write)) return false;
  }
  return is_set && is_ordered;
}

// Nothing that is told by fences is needed for it.
static OrderAnswer proved_by_itself(OrderProof proof) {
  return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = proof};
}

OrderProof order_proof_of(const Direction *way, OrderRule rule, const Signal *signal) {
  const Scan *scan = way->order->scan;
  OrderProof proof = {rule, 0, signal->read->inst + 1};
  if (signal->is_ticket) proof.release = proof.acquire; // the draw is both
  if (signal->is_ticket) return proof;
  const SyncWord *word = order_word_of(way->order, signal);
  for (uint32_t w = 0; w < word->count; w++) {
    uint32_t first = order_inst_of(way, way->first), write = word->writes[w].access->inst;
    bool is_behind = first == write || order_reaches(scan, first, write);
    if ((proof.release && !is_behind) || !order_may_end(way->order, signal, &word->writes[w])) continue;
    proof.release = write + 1;
    if (is_behind) break;
  }
  return proof;
}

OrderAnswer order_proved(const Order *order, const OrderQuestion *question, OrderProof proof) {
  const Scan *scan = order->scan;
  bool is_strong = order_is_strong(scan, question->instances[0]->access) &&
                   order_is_strong(scan, question->instances[1]->access);
  if (order_rules(scan)->wants_strong && !is_strong)
    return (OrderAnswer){
        .verdict = ORDER_UNPROTECTED,
        .cause = "weak-access",
        .text = "fences order volatile and atomic accesses only, in the model of ScoRD; one of these "
                "is a plain one"};
  return proved_by_itself(proof);
}

static bool has_flags(const Order *order) {
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (!order->signals[s].is_ticket) return true;
  return false;
}

// What the word counts, or which of its bits are set, says so.
static OrderRule number_orders(const Direction *way, const Signal *signal) {
  if (!order_word_stays(way, signal)) return ORDER_RULE_NONE;
  if (order_by_count(way, signal)) return ORDER_RULE_COUNT;
  return order_by_bits(way, signal) ? ORDER_RULE_BIT_FLAG : ORDER_RULE_NONE;
}

// ---- one wait or another
// Can control that came to the block `from` over `before` go on to `to` without passing one of the signals? A
// truth value that is merged there (`a == 0 && b == 0`) is the one that comes from `before`.
static bool goes_on(const Order *order, int class, uint64_t signals, uint32_t before, uint32_t from,
                    uint32_t to) {
  EdgeTest test;
  bool is_taken = true, is_merged = order_merged_test(order->scan, before, from, to, &test, &is_taken);
  for (uint32_t s = 0; s < order->signal_count && is_taken; s++) {
    const Signal *signal = &order->signals[s];
    bool is_it = is_merged && signal->test.value == test.value && signal->test.pred == test.pred &&
                 signal->test.other == test.other;
    if ((signals >> s & 1) && (is_it || order_is_edge_of(order, class, from, to, signal))) return false;
  }
  return is_taken;
}

// In another round of a loop the thread may have waited for another value, which the flag does not hold at
// first.
static bool awaits_one_value(Order *order, const Signal *signal) {
  bool is_fixed = true, is_of_block = true;
  ExprRef awaited = 0;
  if (signal->test.other)
    awaited = frame_word(order->anyone, signal->test.other, (uint8_t)(signal->read->bytes * 8));
  if (awaited) order_classify_address(order->scan, &(Target){.offset = awaited}, &is_fixed, &is_of_block);
  return is_fixed && signal->is_fixed && (awaited || !signal->test.other);
}

// The condition that a thread has come somewhere, from kernel entry, without passing one of the signals.
typedef struct Detour {
  const Order *order;
  Frame *frame;     // of the thread
  int class;        // whose edges it takes; -1: of any
  uint64_t signals; // for good: whoever has passed one knows what it tells
  ExprRef *over;    // by position in cfg->succs
} Detour;

static bool may_go_on(const Detour *detour, uint32_t before, uint32_t from, uint32_t edge) {
  const Order *order = detour->order;
  uint32_t to = order->scan->cfg->succs[edge];
  for (int class = 0; class < CLASS_COUNT; class ++)
    if ((detour->class < 0 || class == detour->class) && order->is_feasible[class][edge] &&
        goes_on(order, class, detour->signals, before, from, to))
      return true;
  return false;
}

// That it has come to the block, and may go on over the edge (CFG_NONE: wherever). Round a loop nothing is
// learned that is fixed while the thread runs: it comes back as it came in.
static ExprRef comes_to(const Detour *detour, uint32_t block, uint32_t edge, bool with_rounds) {
  const Cfg *cfg = detour->order->scan->cfg;
  ExprPool *pool = detour->order->scan->pool;
  ExprRef comes = expr_bool(pool, false);
  if (block == 0 && (edge == CFG_NONE || may_go_on(detour, CFG_NONE, block, edge)))
    return expr_bool(pool, true);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++) {
      if (cfg->succs[e] != block || cfg->rpo_number[b] == CFG_NONE ||
          (edge != CFG_NONE && !may_go_on(detour, b, block, edge)))
        continue;
      bool is_round = cfg->rpo_number[b] >= cfg->rpo_number[block];
      if (is_round && !with_rounds) continue;
      if (is_round && !cfg_dominates(cfg, block, b)) return expr_bool(pool, true);
      comes = expr_or(pool, comes, is_round ? comes_to(detour, block, CFG_NONE, false) : detour->over[e]);
    }
  return comes;
}

static ExprRef detour_to(Detour *detour, uint32_t block) {
  Scan *scan = detour->order->scan;
  const Cfg *cfg = scan->cfg;
  detour->over = arena_array(scan->arena, cfg->succ_first[cfg->block_count] + 1, ExprRef);
  for (uint32_t n = 0; n < cfg->rpo_count; n++) {
    uint32_t from = cfg->rpo[n];
    for (uint32_t e = cfg->succ_first[from]; e < cfg->succ_first[from + 1]; e++) {
      ExprRef taken = frame_edge_condition(detour->frame, from, cfg->succs[e]);
      taken = taken ? order_fixed_parts(scan->pool, taken, true) : expr_bool(scan->pool, true);
      detour->over[e] = expr_and(scan->pool, comes_to(detour, from, e, true), taken);
    }
  }
  return comes_to(detour, block, CFG_NONE, true);
}

// Of the waits that end for good, those that order the two where the second thread, or the leader of its
// block, comes to them; `rule`: by which the first one does.
static uint64_t find_ordering(Order *order, const OrderQuestion *question, int first, OrderProof *proof) {
  Scan *scan = order->scan;
  Frame *frame = question->instances[1 - first]->frame;
  uint32_t second = question->instances[1 - first]->access->inst;
  uint64_t orders = 0;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    uint32_t read = signal->read->inst;
    if (signal->is_ticket || signal->carrier || signal->voted || signal->change ||
        (order->is_of_one ? !signal->is_fixed : !signal->is_of_block) || !awaits_one_value(order, signal) ||
        !order_reaches(scan, read, second))
      continue;
    ExprRef comes = order_block_condition(frame, scan->fn->insts.items[read].block);
    Goal goal = goal_copy(scan, question->goal);
    if (order->is_of_one) goal_add(scan, &goal, order_fixed_parts(scan->pool, comes, true), GOAL_CONTEXT, 0);
    OrderModels models = {0};
    OrderQuestion part = *question;
    part.goal = &goal;
    part.models = &models;
    OrderAnswer unused = {0};
    Direction way = {order, &part, first, 1 - first, order_scope_needed(question->extent), &unused, false};
    OrderRule rule = flag_orders(&way, signal) ? ORDER_RULE_FLAG : number_orders(&way, signal);
    if (!rule) continue;
    if (!orders) *proof = order_proof_of(&way, rule, signal);
    orders |= 1ull << s;
  }
  return orders;
}

// Condition that neither the second thread has passed one of the waits that order the two, nor its leader,
// before a barrier of the block.
static ExprRef leaves_open(Order *order, const OrderQuestion *question, int first, Goal *goal,
                           OrderProof *proof) {
  Scan *scan = order->scan;
  const Instance *second = question->instances[1 - first];
  uint32_t block = scan->fn->insts.items[second->access->inst].block;
  Order own = *order;
  own.is_of_one = true;
  Detour detour = {&own, second->frame, -1, find_ordering(&own, question, first, proof), NULL};
  ExprRef open = detour.signals ? detour_to(&detour, block) : expr_bool(scan->pool, true);
  if (expr_is_false(scan->pool, open)) return open;
  OrderProof by_leader = {0};
  uint64_t signals = find_ordering(order, question, first, &by_leader);
  if (!signals) return open;
  if (!detour.signals) *proof = by_leader;
  Frame *leader = order_leader_beside(scan, second->frame->view);
  Detour of_leader = {order, leader, CLASS_LEADER, signals, NULL};
  goal_add_view(scan, goal, leader->view);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (order_dominates(scan, point->inst, second->access->inst) &&
        point_orders_all(scan, point, EXTENT_INTRA_BLOCK) && order_leader_arrives(scan, point))
      open = expr_and(scan->pool, open, detour_to(&of_leader, point->block));
  }
  return open;
}

// Whichever of its ways the second thread has taken, it has waited for something that comes behind the first
// access.
static bool flags_order_ways(Order *order, const OrderQuestion *question, int first, OrderProof *proof) {
  Scan *scan = order->scan;
  Goal goal = goal_copy(scan, question->goal);
  ExprRef open = leaves_open(order, question, first, &goal, proof);
  if (expr_is_true(scan->pool, open)) return false;
  goal_add(scan, &goal, open, GOAL_CONFLICT, 0);
  return order_cannot_hold(scan, &goal, arena_printf(scan->arena, "%s, round all waits", question->name));
}

// A model in which the second thread has not waited, because the flag was up when the kernel started.
static bool finds_it_up(Direction *way, const Signal *signal, SolverAnswer *model) {
  Order *order = way->order;
  Scan *scan = order->scan;
  const OrderQuestion *question = way->question;
  ExprRef met = met_at_start(order, signal, question->instances[way->second]->frame);
  Goal goal = goal_copy(scan, question->goal);
  goal_add(scan, &goal, met, GOAL_CONFLICT, 0);
  *model = goal_decide(scan, &goal, arena_printf(scan->arena, "%s, flag up at the start", question->name));
  return model->verdict == VERDICT_RACE;
}

// All is there but that the flag is down when the kernel starts.
static void name_start(Order *order, const OrderQuestion *question, int first, OrderAnswer *answer) {
  const Scan *scan = order->scan;
  Direction way = {.order = order,
                   .question = question,
                   .first = first,
                   .second = 1 - first,
                   .needed = order_scope_needed(question->extent),
                   .answer = &(OrderAnswer){0},
                   .is_after_start = true};
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    SolverAnswer model;
    if (signal->is_ticket || !signal->is_direct || is_lock_word(order, signal) ||
        !awaits_one_value(order, signal) || !order_is_passed_at(order, s, order_inst_of(&way, way.second)) ||
        !flag_orders(&way, signal) || !finds_it_up(&way, signal, &model))
      continue;
    bool is_set_up = order_is_set_up(order, signal);
    const char *text = is_set_up
                           ? "the word that is waited for at line %u holds at the start what ends the wait"
                           : "the word in shared memory that is waited for at line %u has not been set up";
    *answer = (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                            .cause = is_set_up ? "flag-up-at-start" : "flag-not-set-up",
                            .text = arena_printf(scan->arena, text, order_line(scan, signal->read->inst)),
                            .witness = arena_copy(scan->arena, &model, sizeof model)};
    return;
  }
}

// The rule by which the signal orders the two, other than by fences alone: as a flag, a draw, a count, bits.
static OrderRule signal_orders(const Direction *way, uint32_t s) {
  const Signal *signal = &way->order->signals[s];
  if (!signal->is_ticket && flag_orders(way, signal)) return ORDER_RULE_FLAG;
  return order_by_ticket(way, s) ? ORDER_RULE_LAST_ARRIVAL : number_orders(way, signal);
}

OrderAnswer order_by_signals(Order *order, const OrderQuestion *question) {
  OrderAnswer answer = {0};
  OrderProof proof = {0};
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (order_has_one_winner(order, question, s) || order_excludes_drawers(order, question, s))
      return proved_by_itself(
          (OrderProof){.rule = ORDER_RULE_SINGLE_THREAD, .acquire = order->signals[s].read->inst + 1});
  if (order_by_rounds(order, question, &proof)) return order_proved(order, question, proof);
  if (order_by_reset(order, question, &proof)) return proved_by_itself(proof);
  for (int first = 0; first < 2; first++) {
    Direction way = {order, question, first, 1 - first, order_scope_needed(question->extent), &answer, false};
    for (uint32_t s = 0; s < order->signal_count; s++) {
      if (!order_is_passed_at(order, s, order_inst_of(&way, way.second))) continue;
      if (order_by_own_draw(&way, s))
        return proved_by_itself(order_proof_of(&way, ORDER_RULE_LAST_ARRIVAL, &order->signals[s]));
      OrderRule rule = signal_orders(&way, s);
      if (rule) return order_proved(order, question, order_proof_of(&way, rule, &order->signals[s]));
    }
  }
  if (order_by_counts(order, question, &proof)) return order_proved(order, question, proof);
  for (int first = 0; first < 2 && !answer.cause && has_flags(order); first++)
    if (flags_order_ways(order, question, first, &proof)) return order_proved(order, question, proof);
  for (int first = 0; first < 2 && !answer.cause; first++)
    name_start(order, question, first, &answer);
  return answer;
}
