// What is there of an order in one direction: is the first access released by a write, the second one acquired
// behind a wait, is the wait for a word that nobody sets before? What all protocols ask of their two accesses.
// Method: release and acquire as fences on every path (Lustig et al., "PTX memory model", ASPLOS 2019); who makes a write
// is the first thread, one with which it meets at a barrier, or who has won the same word for good.
// Soundness: each "yes" is a proof; that flags and counters are not set when the kernel starts is an assumption
// where their start is not seen.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- release and acquire
Direction order_direction(Order *order, const OrderQuestion *question, int first, OrderAnswer *answer) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  ASSERT(first == 0 || first == 1);
  return (Direction){.order = order,
                     .question = question,
                     .first = first,
                     .second = 1 - first,
                     .needed = operation_scope_needed(question->extent),
                     .answer = answer,
                     .loops = {CFG_NONE, CFG_NONE}};
}

Frame *order_frame_of(const Direction *way, int which) {
  ASSERT(way->first != way->second);
  ASSERT(which == 0 || which == 1);
  return way->question->instances[which]->frame;
}

uint32_t order_inst_of(const Direction *way, int which) {
  ASSERT(way->first != way->second);
  ASSERT(which == 0 || which == 1);
  return way->question->instances[which]->access->inst;
}

// A fence between the strong read and the access; a volatile access sees what a device-wide flag announces.
bool order_is_acquired(const Direction *way, const Signal *signal) {
  ASSERT(way->first != way->second);
  ASSERT(scan_has_block(way->order->scan, signal->from) && scan_has_block(way->order->scan, signal->to));
  const Scan *scan = way->order->scan;
  if (operation_scope(scan, signal->read) < way->needed) return false;
  const Access *access = way->question->instances[way->second]->access;
  return (order_memory_rules(scan)->volatile_sees && operation_is_strong(scan, access)) ||
         order_acquires_by(scan, signal->read->inst, access->inst, way->needed);
}

bool order_is_released(const Direction *way, const Access *write) {
  ASSERT(way->first != way->second);
  ASSERT(scan_has_access(way->order->scan, write));
  const Scan *scan = way->order->scan;
  if (!operation_is_strong(scan, write) || operation_scope(scan, write) < way->needed) return false;
  return !order_lacks_release(scan, order_inst_of(way, way->first), write->inst, way->needed, false);
}

// ---- before the write
// From there, in the same round if the first access is made in one.
static bool leads_to_first(const Direction *way, uint32_t from) {
  const Scan *scan = way->order->scan;
  uint32_t first = order_inst_of(way, way->first), loop = way->loops[way->first];
  return order_is_in_loop(scan, loop, first) ? graph_reaches_in_round(scan, loop, from, first)
                                             : graph_reaches(scan, from, first);
}

// A barrier of the block, or of the warp, stands before the write on all paths, in each round of its own.
static Place place_behind_barrier(const Direction *way, const Access *write, Maker maker, Place behind) {
  Order *order = way->order;
  const Scan *scan = order->scan;
  uint32_t loop = way->loops[way->first];
  bool is_of_warp = maker == MAKER_OF_WARP;
  Place place = PLACE_SAME_ROUND;
  if (is_of_warp && order_memory_rules(scan)->release != FENCE_OF_ANYBODY) return PLACE_NOT;
  for (OrderInterval i = {.is_of_warp = is_of_warp}; order_next_interval(order, write, &i);) {
    if (i.is_entry || (is_of_warp && !order_warp_meets(order->scan, i.point))) return PLACE_NOT;
    uint32_t point = i.point->inst;
    if (order_is_in_loop(scan, loop, write->inst) && !order_is_in_loop(scan, loop, point)) return PLACE_NOT;
    if (leads_to_first(way, point)) place = behind;
    if (place == PLACE_NOT) return place;
  }
  return place;
}

Place order_place(const Direction *way, const Access *write, Maker maker) {
  ASSERT(way->first != way->second);
  ASSERT(scan_has_access(way->order->scan, write));
  bool is_in_rounds =
      order_is_in_loop(way->order->scan, way->loops[way->first], order_inst_of(way, way->first));
  Place behind = is_in_rounds ? PLACE_EARLIER_ROUNDS : PLACE_NOT;
  if (maker != MAKER_ITSELF) return place_behind_barrier(way, write, maker, behind);
  return leads_to_first(way, write->inst) ? behind : PLACE_SAME_ROUND;
}

// Condition that the place is not before the write in that round.
static ExprRef is_outside(const Direction *way, Place place, ExprRef round) {
  ExprPool *pool = way->order->scan->pool;
  uint32_t loop = way->loops[way->first];
  if (place == PLACE_NOT) return expr_bool(pool, true);
  if (!order_is_in_loop(way->order->scan, loop, order_inst_of(way, way->first)))
    return expr_bool(pool, false);
  ExprRef mine = frame_iteration(order_frame_of(way, way->first), loop);
  return expr_binary(pool, place == PLACE_SAME_ROUND ? EXPR_SLT : EXPR_SLE, 0, round, mine);
}

// Condition that the two have not won one word for good by these operations, so that they would be one thread, and it one
// operation: the first access lies behind it, and no path leads back to that from the write but over the operation.
static ExprRef have_won_two(const Direction *way, uint32_t s, uint32_t t, const Access *write,
                            Frame *writer) {
  Order *order = way->order;
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *frame = order_frame_of(way, way->first);
  uint32_t first = order_inst_of(way, way->first);
  const Access *one = order->locks[s].access, *two = order->locks[t].access;
  Target p, q;
  if (!order_has_won(order, s, frame, first, &p) || !order_has_won(order, t, writer, write->inst, &q) ||
      (one == two && order_leads_to(order, write->inst, first, one->inst)))
    return expr_bool(pool, true);
  ExprRef same = order_one_word(frame, &p, writer, &q);
  if (operation_scope(scan, one) < IR_SCOPE_DEVICE || operation_scope(scan, two) < IR_SCOPE_DEVICE)
    same = expr_and(pool, same, order_same_block(scan, frame->view, writer->view));
  return expr_not(pool, same);
}

ExprRef order_is_not_before(const Direction *way, const Access *write, Frame *writer, ExprRef round) {
  Scan *scan = way->order->scan;
  ExprPool *pool = scan->pool;
  const View *first = order_frame_of(way, way->first)->view;
  const ExprRef is_of[MAKER_COUNT] = {order_same_block(scan, first, writer->view),
                                      order_same_warp(scan, first, writer->view),
                                      order_same_thread(scan, first, writer->view)};
  ExprRef open = expr_bool(pool, true);
  for (uint32_t s = 0; s < way->order->lock_count; s++)
    for (uint32_t t = 0; t < way->order->lock_count; t++)
      open = expr_and(pool, open, have_won_two(way, s, t, write, writer));
  Place best = PLACE_NOT; // of those among whom the further ones are
  for (int maker = 0; maker < MAKER_COUNT && best != PLACE_SAME_ROUND; maker++) {
    Place place = order_place(way, write, (Maker)maker);
    if (place <= best) continue;
    best = place;
    open = expr_and(pool, open, expr_or(pool, expr_not(pool, is_of[maker]), is_outside(way, place, round)));
  }
  return open;
}

ExprRef order_is_not_before_leader(const Direction *way, const Access *write, ExprRef round) {
  ExprRef open = is_outside(way, order_place(way, write, MAKER_OF_BLOCK), round);
  if (!order_only_leader(way->order, order_inst_of(way, way->first))) return open;
  return expr_and(way->order->scan->pool, open,
                  is_outside(way, order_place(way, write, MAKER_ITSELF), round));
}

// ---- the wait
bool order_is_plain_wait(const Signal *signal) {
  return !signal->is_ticket && !signal->handed && !signal->change;
}

// Whoever waits for the signal has done so before its block comes to the barrier, which stands before the instruction, in
// the same round.
static bool is_waited_before(const Scan *scan, const Signal *signal, const Point *point, uint32_t inst,
                             uint32_t round) {
  uint32_t read = signal->read->inst;
  return graph_dominates(scan, point->inst, inst) && scan->cfg->loop_of[point->block] == round &&
         point_orders(point, couple_of(EXTENT_INTRA_BLOCK)) && order_all_arrive(scan, point) &&
         !(round == CFG_NONE ? graph_reaches(scan, point->inst, read)
                             : graph_reaches_in_round(scan, round, point->inst, read));
}

Frame *order_gatherer(const Direction *way, const View *beside, int axis, const Signal *signal, uint32_t inst,
                      uint32_t loop, ExprRef round, ExprRef *waits) {
  ASSERT(scan_has_inst(way->order->scan, inst));
  Scan *scan = way->order->scan;
  ExprRef zero = expr_const(scan->pool, 32, 0),
          number = order_frame_of(way, way->first)->view->block_idx[axis];
  uint32_t p = signal->is_direct && !signal->is_carried ? 1 : scan->points.count;
  while (p < scan->points.count && !is_waited_before(scan, signal, &scan->points.items[p], inst, loop))
    p++;
  if (p == scan->points.count) return NULL;
  Frame *frame = order_thread_beside(scan, beside, (ExprRef[]){number, zero, zero}, loop, round);
  ExprRef waits_not = order_has_not_waited(way->order, signal, frame, scan->points.items[p].inst, loop, true);
  *waits = expr_and(scan->pool, expr_not(scan->pool, waits_not),
                    expr_binary(scan->pool, EXPR_SLT, 0, number, scan->launch->block[0]));
  return frame;
}

bool order_word_stays(const Direction *way, const Signal *signal) {
  ASSERT(way->first != way->second);
  ASSERT(scan_has_block(way->order->scan, signal->from) && scan_has_block(way->order->scan, signal->to));
  const Scan *scan = way->order->scan;
  if (way->is_of_one_word || graph_dominates(scan, signal->read->inst, order_inst_of(way, way->second)))
    return true;
  bool is_shared = way->is_of_one || signal->is_of_warp; // perhaps a first lane has waited, or the leader
  return is_shared && signal->is_fixed;
}

bool order_is_lock_word(const Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  for (uint32_t i = 0; i < order->lock_count; i++) {
    const LockSite *site = &order->locks[i];
    if (site->access == signal->read && !site->is_turn && !site->is_asked && site->is_disciplined)
      return !site->is_opened && site->is_released;
  }
  return false;
}

// ---- the word at the start
// Whoever waits has stored to the very word before: it reads nothing older than that.
static bool has_stored_before(Order *order, const Signal *signal) {
  const Scan *scan = order->scan;
  if (!signal->is_fixed) return false;
  for (WordRow row = {.word = order_word_of(order, signal)}; order_next_row(&row);)
    if (order_write_is(row.write, WRITE_IS_STRONG | WRITE_REPLACES) &&
        graph_dominates(scan, row.access->inst, signal->read->inst))
      return true;
  return false;
}

ExprRef order_met_at_start(Order *order, const Signal *signal, Frame *waiting) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  ASSERT(waiting->view);
  ExprPool *pool = order->scan->pool;
  Target word;
  StartValue start;
  bool is_all;
  ExprRef bits = order_awaited_bits(order, signal, waiting, &is_all);
  if (!bits && has_stored_before(order, signal)) return expr_bool(pool, false);
  if (!(signal->is_direct || bits) || !order_one_target(waiting, signal->read->address, &word) ||
      !order_is_set_up(order, signal) || !start_values_of(order->scan, &word, signal->read->bytes, &start))
    return expr_bool(pool, true);
  ExprRef ends =
      bits ? order_has_common_bit(pool, start.value, bits) : order_passes_of(signal, start.value, waiting);
  return ends ? expr_and(pool, ends, start.known) : expr_bool(pool, true);
}

// The leader may have waited for the whole block: of who comes to the read only what says of the block and
// the launch holds of the thread then.
static ExprRef reads_there(const Order *order, const Signal *signal, Frame *waiting, uint32_t later) {
  Scan *scan = order->scan;
  ExprRef comes = order_comes_to(waiting, signal->read->inst);
  bool is_own = later == CFG_NONE || graph_dominates(scan, signal->read->inst, later);
  return is_own ? comes : order_fixed_parts(scan->pool, comes, false);
}

bool order_is_met_at_start(Order *order, const Signal *signal, Frame *waiting, uint32_t later,
                           const Goal *known) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  ASSERT(waiting->view);
  Scan *scan = order->scan;
  ExprRef met = order_met_at_start(order, signal, waiting);
  if (expr_is_true(scan->pool, met) || expr_is_false(scan->pool, met)) return expr_is_true(scan->pool, met);
  // What is carried was read in a round before the one that is known.
  Obligation down = {.known = known,
                     .breach = met,
                     .context = signal->is_carried ? 0 : reads_there(order, signal, waiting, later)};
  return !order_is_met(scan, &down, "is it what the word holds at the start");
}

// In another round of a loop the thread may have waited for another value, which the flag does not hold at
// first.
bool order_awaits_one_value(Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  if (!signal->test.other) return signal->is_fixed;
  ExprRef awaited = order_awaited(&signal->test, signal->read->bytes, order->anyone);
  return awaited && signal->is_fixed && order_value_lasts(order->scan, awaited) != LASTS_NOT;
}

// ---- the proof
// Nothing that fences release is needed for it.
OrderAnswer order_proved_by_itself(OrderProof proof) {
  return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = proof};
}

OrderProof order_proof_of(const Direction *way, OrderRule rule, const Signal *signal) {
  ASSERT(way->first != way->second);
  ASSERT(scan_has_block(way->order->scan, signal->from) && scan_has_block(way->order->scan, signal->to));
  const Scan *scan = way->order->scan;
  OrderProof proof = {rule, 0, signal->read->inst + 1};
  if (signal->is_ticket) proof.release = proof.acquire; // the draw is both
  if (signal->is_ticket) return proof;
  for (WordRow row = {.word = order_word_of(way->order, signal)}; order_next_end(way->order, signal, &row);) {
    uint32_t first = order_inst_of(way, way->first), write = row.access->inst;
    bool is_behind = first == write || graph_reaches(scan, first, write);
    if (proof.release && !is_behind) continue;
    proof.release = write + 1;
    if (is_behind) break;
  }
  return proof;
}

OrderAnswer order_proved(const Order *order, const OrderQuestion *question, OrderProof proof) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  const Scan *scan = order->scan;
  bool is_strong = operation_is_strong(scan, question->instances[0]->access) &&
                   operation_is_strong(scan, question->instances[1]->access);
  if (order_memory_rules(scan)->wants_strong && !is_strong)
    return (OrderAnswer){
        .verdict = ORDER_UNPROTECTED,
        .cause = "weak-access",
        .text = "fences order volatile and atomic accesses only, in the model of ScoRD; one of these "
                "is a plain one"};
  return order_proved_by_itself(proof);
}
