// Is an access made once, by whoever comes first, and told to all others by a flag? `if (atomicCAS(state, 0,
// 1) == 0) { fill; fence; flag up } else { wait for the flag; fence }`, then all use it. Method: a word that
// nobody sets free again has one winner; so the second thread of the question, which comes from an operation
// on the same word as the first one, has not won it, and all its other ways lead over a wait that only the
// winner ends, behind the access. Soundness: that both operations, and that of whoever may end the wait, are
// on one word is asked of the solver; ways are those from the latest operation on.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/kernel.h"

enum { CLAIM_DEPTH = 12 };

typedef struct WonWord {
  const Direction *way;
  const LockSite *site;
  Target words[2]; // as the two threads have claimed it, or tried to
  Frame *asker;    // the second thread, or the leader of its block, which tries for all
  uint32_t until;  // what the asker comes to then: the second access, or a barrier before it
  bool is_of_leader;
} WonWord;

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

// Made of values that the thread has had before it came to the instruction, which all ways pass.
static bool is_known_at(const Scan *scan, IrRef ref, uint32_t at, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || order_dominates(scan, ir_ref_index(ref), at)) return true;
  bool is_pure = (symeval_is_symbolic((IrOp)inst->op) && inst->op != IR_PHI) || inst->op == IR_PTRADD ||
                 inst->op == IR_SREG;
  if (!is_pure || depth == 0) return false;
  for (uint32_t o = 0; o < inst->op_count; o++)
    if (!is_known_at(scan, inst->ops[o], at, depth - 1)) return false;
  return true;
}

// Condition that the two are other words; false where they cannot be.
static ExprRef differ(Scan *scan, const Target *one, const Target *two) {
  ExprPool *pool = scan->pool;
  if (one->object != two->object) return expr_bool(pool, true);
  ExprRef other = expr_ne(pool, one->offset, two->offset);
  if (one->key && two->key) other = expr_or(pool, other, expr_ne(pool, one->key, two->key));
  return other;
}

static bool one_target(SymValue address, Target *target) {
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition) return false;
  *target = address.targets[0];
  return true;
}

// Who asks for the word before the second access: its thread, or its leader, before a barrier of the block.
static bool find_asker(WonWord *claim) {
  const Direction *way = claim->way;
  Order *order = way->order;
  const Scan *scan = order->scan;
  uint32_t taken = claim->site->access->inst, second = order_inst_of(way, way->second);
  claim->asker = way->question->instances[way->second]->frame;
  claim->until = second;
  if (order_dominates(scan, taken, second)) return true;
  if (!extent_is_between_blocks(way->question->extent) || !order_only_leader(order, taken)) return false;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders_all(scan, point, EXTENT_INTRA_BLOCK) || !order_leader_arrives(scan, point) ||
        !order_dominates(scan, point->inst, second) || order_reaches(scan, point->inst, taken) ||
        order_leader_avoids(order, taken, point->inst))
      continue;
    claim->asker = order_leader_beside(order->scan, claim->asker->view);
    claim->until = point->inst;
    claim->is_of_leader = true;
    return true;
  }
  return false;
}

// The first thread has won the word, for good, and the second one has tried to.
static bool is_claim(WonWord *claim, uint32_t s) {
  const Direction *way = claim->way;
  Order *order = way->order;
  Scan *scan = order->scan;
  const LockSite *site = claim->site;
  uint32_t taken = site->access->inst;
  if (site->is_token || site->is_shared || site->bits || site->is_released || site->is_opened ||
      !site->is_disciplined || order_scope_of(scan, site->access) < way->needed ||
      !order_must_hold_at(order, s, order_inst_of(way, way->first)))
    return false;
  Frame *first = way->question->instances[way->first]->frame;
  if (!order_dominates(scan, taken, order_inst_of(way, way->first)) || !find_asker(claim) ||
      !one_target(frame_value(first, site->access->address), &claim->words[way->first]) ||
      !one_target(frame_value(claim->asker, site->access->address), &claim->words[way->second]))
    return false;
  if (scan->objects.items[claim->words[0].object].kind == OBJ_SHARED &&
      extent_is_between_blocks(way->question->extent))
    return false;
  Goal goal = goal_copy(scan, way->question->goal);
  goal_add(scan, &goal, differ(scan, &claim->words[0], &claim->words[1]), GOAL_CONFLICT, 0);
  if (claim->is_of_leader) goal_add_view(scan, &goal, claim->asker->view);
  return order_cannot_hold(scan, &goal, "have both asked for one word");
}

// Whoever makes the write, to the word that the second thread waits for, has won the same word as the first
// thread: it is that one.
static bool is_of_winner(const WonWord *claim, uint32_t s, const Signal *signal, const Access *write) {
  const Direction *way = claim->way;
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *writer = order->anyone;
  Target stored, awaited, taken;
  if (!order_must_hold_at(order, s, write->inst) ||
      !order_dominates(scan, claim->site->access->inst, write->inst) ||
      !one_target(frame_value(writer, write->address), &stored) ||
      !one_target(frame_value(writer, claim->site->access->address), &taken) ||
      !one_target(frame_value(claim->asker, signal->read->address), &awaited))
    return false;
  Goal goal = goal_copy(scan, way->question->goal);
  goal_add(scan, &goal, expr_not(scan->pool, differ(scan, &stored, &awaited)), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, differ(scan, &taken, &claim->words[way->first]), GOAL_CONFLICT, 0);
  if (scan->objects.items[stored.object].kind == OBJ_SHARED)
    goal_add(scan, &goal, order_same_block(scan, claim->asker->view, writer->view), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, writer->view);
  if (claim->is_of_leader) goal_add_view(scan, &goal, claim->asker->view);
  return order_cannot_hold(scan, &goal, "has another one told");
}

// The first access comes before the write, which tells of it: behind the same claim no way leads back.
static bool comes_before(const WonWord *claim, const Access *write) {
  const Direction *way = claim->way;
  const Scan *scan = way->order->scan;
  uint8_t *wanted = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t),
          *avoided = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  wanted[order_inst_of(way, way->first)] = 1;
  avoided[claim->site->access->inst] = 1;
  OrderWalk walk = {.from = write->inst, .wanted = wanted, .avoided = avoided};
  return order_is_released(way, write) && !order_walks(way->order, &walk);
}

// Who has waited for this, since it did not win the word, knows of the first access.
static bool tells(const WonWord *claim, uint32_t s, const Signal *signal) {
  const Direction *way = claim->way;
  Order *order = way->order;
  const Scan *scan = order->scan;
  uint32_t taken = claim->site->access->inst;
  if (signal->is_ticket || signal->carrier || signal->voted || signal->is_carried || signal->change ||
      !signal->is_direct || (claim->is_of_leader && !signal->is_of_block) ||
      !order_dominates(scan, taken, signal->read->inst) ||
      !is_known_at(scan, signal->read->address, taken, CLAIM_DEPTH) ||
      (signal->test.other && !is_known_at(scan, signal->test.other, taken, CLAIM_DEPTH)) ||
      !order_is_acquired(way, signal) ||
      order_is_met_at_start(order, signal, claim->asker, CFG_NONE, way->question->goal))
    return false;
  bool is_set = false;
  const SyncWord *word = order_word_of(order, signal);
  for (uint32_t w = 0; w < word->count; w++) {
    const Access *write = word->writes[w].access;
    if (!order_may_end(order, signal, &word->writes[w])) continue;
    is_set = true;
    if (!is_of_winner(claim, s, signal, write) || !comes_before(claim, write)) return false;
  }
  return is_set;
}

typedef struct Losers {
  const Order *order;
  const LockSite *site;
  uint64_t told; // signals
  bool is_of_leader;
} Losers;

// Those who did not win the word, and know nothing of the first access yet, take the edge.
static bool is_taken(const Losers *losers, uint32_t from, uint32_t to) {
  const Order *order = losers->order;
  EdgeTest test;
  if (losers->is_of_leader && !order_is_feasible(order, CLASS_LEADER, from, to)) return false;
  if (!order_edge_test_in(order, -1, from, to, &test)) return true;
  if (order_test_of_site(order, losers->site, &test) > 0) return false;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const EdgeTest *passed = &order->signals[s].test;
    if ((losers->told >> s & 1) && passed->value == test.value && passed->pred == test.pred &&
        passed->other == test.other)
      return false;
  }
  return true;
}

// Does one of their ways lead from the operation on the word to the access?
static bool get_there(const Losers *losers, uint32_t access) {
  const Scan *scan = losers->order->scan;
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(scratch, cfg->block_count + 2, uint32_t), depth = 0;
  uint32_t taken = losers->site->access->inst, block = inst_at(scan, taken)->block, first = taken + 1;
  bool found = false;
  while (!found) {
    const IrBlock *info = &scan->fn->blocks.items[block];
    uint32_t end = info->first + info->count;
    found = first <= access && access < end && !(first <= taken && taken < access);
    bool goes_on = !(first <= taken && taken < end);
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1] && goes_on && !found; e++)
      if (!seen[cfg->succs[e]] && is_taken(losers, block, cfg->succs[e])) {
        seen[cfg->succs[e]] = 1;
        stack[depth++] = cfg->succs[e];
      }
    if (!depth) break;
    block = stack[--depth];
    first = scan->fn->blocks.items[block].first;
  }
  arena_close(scratch);
  return found;
}

static bool claim_orders(const Direction *way, uint32_t s) {
  Order *order = way->order;
  WonWord claim = {.way = way, .site = &order->locks[s]};
  if (!is_claim(&claim, s)) return false;
  Losers losers = {order, claim.site, 0, claim.is_of_leader};
  for (uint32_t w = 0; w < order->signal_count; w++)
    if (tells(&claim, s, &order->signals[w])) losers.told |= 1ull << w;
  if (!losers.told || get_there(&losers, claim.until)) return false;
  way->answer->proof = order_proof_of(way, ORDER_RULE_ONCE, &order->signals[__builtin_ctzll(losers.told)]);
  return true;
}

OrderAnswer order_by_claims(Order *order, const OrderQuestion *question) {
  for (int first = 0; first < 2; first++) {
    OrderAnswer found = {0};
    Direction way = {order, question, first, 1 - first, order_scope_needed(question->extent), &found, false};
    for (uint32_t s = 0; s < order->lock_count && order->signal_count; s++)
      if (claim_orders(&way, s)) return order_proved(order, question, found.proof);
  }
  return (OrderAnswer){0};
}
