// Is an access made once, by whoever comes first, and released to all others by a flag? `if (atomicCAS(state, 0,
// 1) == 0) { fill; fence; flag up } else { wait for the flag; fence }`, then all use it. Method: a word that
// nobody sets free again has one winner; so the second thread of the question, which comes from an operation
// on the same word as the first one, has not won it, and all its other paths lead over a wait that only the
// winner ends, behind the access, or over tests of what the operation returned that only such a store of the winner
// passes. Soundness: that both operations, and that of whoever may end the wait, are on one word is asked of the
// solver; paths are those from the latest operation on, or from kernel entry where a thread has one word only, or of one round
// where it has one in each.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

typedef struct WonWord {
  const Direction *way;
  const LockSite *site;
  Target words[2]; // as the two threads have won it, or tried to
  Frame *asker;    // the second thread, or the leader of its block, which tries for all
  uint32_t
      from; // behind which operation on the word its paths are followed; CFG_NONE: from where the round begins
  uint32_t
      round; // the loop, in whose rounds it has one word each; CFG_NONE: it has one for good, its only round
  uint32_t until; // what the asker comes to then: the second access, or a barrier before it
  bool is_of_leader;
  Signal acquired; // the last one that was found to acquire the first access; no `read`: there is none
} WonWord;

// Who asks for the word before the second access: its thread, or its leader, before a barrier of the block. Where each
// thread has one word, it may have asked, or not, by then.
static bool find_asker(WonWord *won) {
  const Direction *way = won->way;
  Order *order = way->order;
  const Scan *scan = order->scan;
  uint32_t taken = won->site->access->inst, second = order_inst_of(way, way->second);
  won->asker = way->question->instances[way->second]->frame;
  won->until = second;
  won->from = taken;
  won->round = CFG_NONE;
  if (graph_dominates(scan, taken, second)) return true;
  bool is_by_leader = extent_is_between_blocks(way->question->extent) && order_only_leader(order, taken);
  for (uint32_t p = 1; p < scan->points.count && is_by_leader; p++) {
    const Point *point = &scan->points.items[p];
    if (!order_block_meets(scan, point) || !graph_dominates(scan, point->inst, second) ||
        graph_reaches(scan, point->inst, taken))
      continue;
    won->asker = order_leader_beside(order->scan, won->asker->view);
    won->until = point->inst;
    won->is_of_leader = true;
    if (!order_leader_avoids(order, taken, point->inst)) return true;
    break;
  }
  won->from = CFG_NONE;
  if (won->site->is_fixed) return true;
  won->round = order_loop_of_both(scan, taken, won->until, false);
  return won->round != CFG_NONE && order_address_stays_in_round(scan, won->site, won->until);
}

// The first thread has won the word, for good, and the second one has tried to.
static bool is_once(WonWord *won, uint32_t s) {
  const Direction *way = won->way;
  Order *order = way->order;
  Scan *scan = order->scan;
  const LockSite *site = won->site;
  uint32_t taken = site->access->inst;
  if (site->is_turn || site->is_shared || site->bits || site->is_released || site->is_opened ||
      !site->is_disciplined || operation_scope(scan, site->access) < way->needed ||
      !order_must_hold_at(order, s, order_inst_of(way, way->first)))
    return false;
  Frame *first = way->question->instances[way->first]->frame;
  if (!graph_dominates(scan, taken, order_inst_of(way, way->first)) || !find_asker(won) ||
      !order_one_target(first, site->access->address, &won->words[way->first]) ||
      !order_one_target(won->asker, site->access->address, &won->words[way->second]))
    return false;
  ExprRef same = order_one_word(first, &won->words[way->first], won->asker, &won->words[way->second]);
  Obligation one_word = {.known = way->question->goal,
                         .breach = expr_not(scan->pool, same),
                         .one = won->is_of_leader ? won->asker : NULL};
  return order_is_met(scan, &one_word, "have both asked for one word");
}

// Whoever makes the write, to the word that the second thread waits for, has won the same word as the first
// thread: it is that one.
static bool is_of_winner(const WonWord *won, uint32_t s, const Signal *signal, const Access *write) {
  const Direction *way = won->way;
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *writer = order->anyone, *first = order_frame_of(way, way->first);
  Target stored, awaited, taken;
  if (!order_must_hold_at(order, s, write->inst) ||
      !graph_dominates(scan, won->site->access->inst, write->inst) ||
      !order_one_target(writer, write->address, &stored) ||
      !order_one_target(writer, won->site->access->address, &taken) ||
      !order_one_target(won->asker, signal->read->address, &awaited))
    return false;
  ExprRef same = order_one_word(writer, &taken, first, &won->words[way->first]);
  Obligation by_winner = {.known = way->question->goal,
                          .breach = expr_not(scan->pool, same),
                          .context = order_one_word(writer, &stored, won->asker, &awaited),
                          .one = writer,
                          .two = won->is_of_leader ? won->asker : NULL};
  return order_is_met(scan, &by_winner, "has another one told");
}

// The first access comes before the write, which releases it: behind the operation that won no path leads back to it.
static bool comes_before(const WonWord *won, const Access *write) {
  const Direction *way = won->way;
  return order_is_released(way, write) &&
         !order_leads_to(way->order, write->inst, order_inst_of(way, way->first), won->site->access->inst);
}

// What is known of what one read returned: a wait, or all tests of the operation on the claimed word.
enum { LOOK_LIMIT = 4 };
typedef struct Look {
  uint32_t count;
  Signal tests[LOOK_LIMIT]; // of one read
} Look;

static Look look_of(const Signal *signal) {
  return (Look){.count = 1, .tests = {*signal}};
}

// It is looked at behind the operation from which the asker's paths are followed, or in the round, in which it looks
// at one word for one value.
static bool is_in_view(const WonWord *won, const Signal *signal) {
  Order *order = won->way->order;
  const Scan *scan = order->scan;
  uint32_t read = signal->read->inst;
  if (won->from == CFG_NONE && won->round == CFG_NONE) return order_awaits_one_value(order, signal);
  if (won->from == CFG_NONE)
    return order_is_one_in_round(scan, read, signal->read->address, won->round) &&
           (!signal->test.other || order_is_one_in_round(scan, read, signal->test.other, won->round));
  return signal->read == won->site->access ||
         (graph_dominates(scan, won->from, read) &&
          order_is_known(scan, signal->read->address, CFG_NONE, won->from, ORDER_DEPTH) &&
          (!signal->test.other ||
           order_is_known(scan, signal->test.other, CFG_NONE, won->from, ORDER_DEPTH)));
}

// The write may be what was read, as far as the tests say; so may be what the word holds at the start.
static bool may_have_read(const WonWord *won, const Look *look, const WordWrite *write) {
  const Direction *way = won->way;
  for (uint32_t t = 0; t < look->count; t++)
    if (write
            ? !order_may_end(way->order, &look->tests[t], write)
            : !order_is_met_at_start(way->order, &look->tests[t], won->asker, CFG_NONE, way->question->goal))
      return false;
  return true;
}

// Who has read this, since it did not win the word, knows of the first access.
static bool acquires(WonWord *won, uint32_t s, const Look *look) {
  const Direction *way = won->way;
  const Signal *signal = &look->tests[0];
  if (!is_in_view(won, signal) || !order_is_acquired(way, signal) || may_have_read(won, look, NULL))
    return false;
  bool is_set = false;
  for (WordRow row = {.word = order_word_of(way->order, signal)}; order_next_row(&row);) {
    if (!may_have_read(won, look, row.write)) continue;
    is_set = true;
    if (!is_of_winner(won, s, signal, row.access) || !comes_before(won, row.access)) return false;
  }
  if (is_set) won->acquired = *signal;
  return is_set;
}

// What the operation on the claimed word has returned to who takes the edge.
static Look look_at_result(const WonWord *won, uint32_t from, uint32_t to) {
  const LockSite *site = won->site;
  const Scan *scan = won->way->order->scan;
  uint32_t result = site->access->inst;
  Look look = {0};
  EdgeTest test;
  for (bool goes_on = true; goes_on && look.count < LOOK_LIMIT; goes_on = order_edge_above(scan, &from, &to))
    if (order_edge_test(scan, from, to, &test) && test.value == IR_REF(IR_REF_INST, result))
      look.tests[look.count++] = (Signal){.test = test,
                                          .tested = result,
                                          .from = from,
                                          .to = to,
                                          .read = site->access,
                                          .is_direct = true,
                                          .target = site->target,
                                          .is_fixed = site->is_fixed};
  return look;
}

// Those who did not win the word, and know nothing of the first access yet, take the edge. `waits`: signals that
// acquire it.
static bool is_taken(WonWord *won, uint32_t s, uint64_t waits, uint32_t from, uint32_t to) {
  const Order *order = won->way->order;
  EdgeTest test;
  if (won->is_of_leader && !order_is_feasible(order, CLASS_LEADER, from, to)) return false;
  if (!order_edge_test_in(order, -1, from, to, &test)) return true;
  if (order_test_of_site(order, won->site, &test) > 0) return false;
  for (uint32_t w = 0; w < order->signal_count; w++)
    if ((waits >> w & 1) && order_is_same_test(&order->signals[w].test, &test)) return false;
  Look look = look_at_result(won, from, to);
  return !look.count || look.tests[0].to != to || !acquires(won, s, &look);
}

// Does one of their paths lead from the operation on the word to the access?
static bool get_there(WonWord *won, uint32_t s, uint64_t waits) {
  const Scan *scan = won->way->order->scan;
  const Cfg *cfg = scan->cfg;
  uint8_t *ends = arena_array(scan->arena, cfg->succ_first[cfg->block_count] + 1, uint8_t);
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);)
    ends[e.at] = !is_taken(won, s, waits, e.from, e.to);
  uint32_t from = won->from;
  if (won->round != CFG_NONE) from = scan->fn->blocks.items[cfg->loops.items[won->round].header].first;
  GraphWalk walk = {.from = from,
                    .wanted = order_marks(scan, won->until),
                    .avoided = order_marks(scan, from),
                    .ends = ends};
  return (won->round != CFG_NONE && won->until == from) || graph_walk(won->way->order->scan, &walk);
}

static bool once_orders(const Direction *way, uint32_t s) {
  Order *order = way->order;
  WonWord won = {.way = way, .site = &order->locks[s]};
  if (!is_once(&won, s)) return false;
  uint64_t waits = 0;
  for (uint32_t w = 0; w < order->signal_count; w++) {
    const Signal *signal = &order->signals[w];
    bool is_wait = order_is_plain_wait(signal) && !signal->is_carried && signal->is_direct &&
                   (!won.is_of_leader || signal->is_of_block);
    Look look = look_of(signal);
    if (is_wait && acquires(&won, s, &look)) waits |= 1ull << w;
  }
  if (get_there(&won, s, waits) || !won.acquired.read) return false;
  way->answer->proof = order_proof_of(way, ORDER_RULE_ONCE, &won.acquired);
  return true;
}

OrderAnswer order_by_once(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  for (int first = 0; first < 2; first++) {
    OrderAnswer found = {0};
    Direction way = order_direction(order, question, first, &found);
    for (uint32_t s = 0; s < order->lock_count; s++)
      if (once_orders(&way, s)) return order_proved(order, question, found.proof);
  }
  return (OrderAnswer){0};
}
