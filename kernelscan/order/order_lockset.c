// Which locks does a thread hold at a place, by itself or because another one of its block or warp holds
// them? Method: lockset (Savage et al., "Eraser", TOCS 1997) as forward data flow over the paths of a class of
// threads: what is held on all paths (must), on some (may). Possession begins on the edge where the operation
// is known to have returned the free value; a lock that the leader holds between two barriers is held by the
// block towards other blocks, one that the first lanes hold between two warp barriers by their warps; below
// sm_70 by their warps wherever all lanes come, since these come in step.
// Soundness: must is under-approximated, may over-approximated.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- one path
static void forget(const Order *order, uint64_t sites, LockFacts *facts) {
  facts->held &= ~sites;
  facts->pending &= ~sites;
  facts->unspent &= ~sites;
  for (uint32_t r = 0; sites && r < order->status_count; r++)
    if (sites >> order->statuses[r].site & 1) facts->told &= ~(1ull << r) | facts->no;
}

static void pass_inst(const Order *order, int class, uint32_t inst, bool is_must, LockSet *set) {
  uint64_t takes = order->takes[inst];
  uint64_t ends = takes | (is_must ? order->own_end[inst] : order->ends[inst]);
  bool acquires = takes && order_acquires(order->scan, inst);
  for (int k = 0; k < FENCED_COUNT; k++) {
    LockFacts *facts = &set->facts[k];
    forget(order, ends, facts);
    if (k == FENCED_NOT || acquires) {
      facts->pending |= takes;
      facts->unspent |= takes;
    }
    if (!is_must) facts->held |= takes & ~order->turns; // what it returned may be looked at in whatever way
    if (is_must) order_pass_lock_status(order, class, inst, facts);
  }
  IrScope fence = order_fences(order->scan, inst);
  if (fence >= IR_SCOPE_BLOCK) set->facts[FENCED_BLOCK] = set->facts[FENCED_NOT];
  if (fence >= IR_SCOPE_DEVICE) set->facts[FENCED_DEVICE] = set->facts[FENCED_NOT];
}

static void pass_turn_edge(const Order *order, const EdgeTest *test, uint64_t pending, LockFacts *facts) {
  for (uint32_t s = 0; s < order->lock_count; s++) {
    if (order->locks[s].is_turn && order_is_same_test(&order->locks[s].awaited, test))
      facts->held |= pending & 1ull << s;
  }
}

// What one of these reads returned, the latest one that was made. If there is only one, it has been made.
static void pass_carried(const Order *order, const CarriedRead *carried, bool is_must, LockFacts *facts) {
  uint64_t pending = is_must && carried->count == 1 ? facts->unspent : facts->pending;
  for (uint32_t r = 0; r < carried->count; r++)
    pass_turn_edge(order, &carried->tests[r], pending, facts);
}

// `pending` says of a path: the lock is held if the operation returned the free value. That is so as well
// where it is known to have returned another one.
static void pass_test(const Order *order, const EdgeTest *test, bool is_must, LockFacts *facts) {
  pass_turn_edge(order, test, facts->pending, facts);
  for (uint32_t s = 0; s < order->lock_count; s++) {
    uint64_t bit = 1ull << s;
    int outcome = order_test_of_site(order, &order->locks[s], test);
    if (outcome > 0) facts->held |= facts->pending & bit;
    if (outcome >= 0) continue;
    facts->held &= ~bit;
    facts->pending = is_must ? facts->pending | bit : facts->pending & ~bit;
  }
  if (is_must) order_test_lock_status(order, test, facts);
}

static void pass_edge(const Order *order, int class, uint32_t from, uint32_t to, bool is_must, LockSet *set) {
  EdgeTest test, merged;
  bool is_test = order_edge_test_in(order, class, from, to, &test);
  const CarriedRead *carried = order_carried(order, class, from, to);
  bool is_merged = is_must && order_edge_test(order->scan, from, to, &merged) && merged.value != test.value;
  for (int k = 0; k < FENCED_COUNT; k++) {
    if (is_test) pass_test(order, &test, is_must, &set->facts[k]);
    if (carried) pass_carried(order, carried, is_must, &set->facts[k]);
    if (is_merged) order_test_lock_status(order, &merged, &set->facts[k]); // where paths have met
    if (is_must) order_merge_lock_status(order, from, to, &set->facts[k]);
  }
}

static bool merge_facts(LockFacts *into, LockFacts from, bool is_must) {
  LockFacts old = *into;
  into->held = is_must ? into->held & from.held : into->held | from.held;
  into->pending = is_must ? into->pending & from.pending : into->pending | from.pending;
  into->unspent &= from.unspent;
  into->told &= from.told;
  into->no &= from.no;
  return old.held != into->held || old.pending != into->pending || old.unspent != into->unspent ||
         old.told != into->told || old.no != into->no;
}

static bool merge_into(LockSet *into, const LockSet *from, bool is_must) {
  bool changed = false;
  for (int k = 0; k < FENCED_COUNT; k++)
    changed |= merge_facts(&into->facts[k], from->facts[k], is_must);
  return changed;
}

// ---- all paths
static bool flow_through(Order *order, int class, uint32_t block, LockSet *sets, bool is_must) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  LockSet set = sets[block];
  bool changed = false;
  const IrBlock *info = &scan->fn->blocks.items[block];
  for (uint32_t i = info->first; i < info->first + info->count; i++)
    pass_inst(order, class, i, is_must, &set);
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
    LockSet on_edge = set;
    if (!order->is_feasible[class][s]) continue;
    pass_edge(order, class, block, cfg->succs[s], is_must, &on_edge);
    changed |= merge_into(&sets[cfg->succs[s]], &on_edge, is_must);
  }
  return changed;
}

static LockSet *flow(Order *order, int class, bool is_must) {
  const Cfg *cfg = order->scan->cfg;
  const LockFacts all = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
  LockSet *sets = arena_array(order->scan->arena, cfg->block_count + 1, LockSet);
  for (uint32_t b = 1; b < cfg->block_count && is_must; b++)
    sets[b] = (LockSet){{all, all, all}};
  for (int k = 0; k < FENCED_COUNT; k++)
    sets[0].facts[k].unspent = UINT64_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < cfg->rpo_count; n++)
      if (order->is_reached[class][cfg->rpo[n]])
        changed |= flow_through(order, class, cfg->rpo[n], sets, is_must);
  }
  return sets;
}

void order_flow_locks(Order *order) {
  for (int class = 0; class < CLASS_COUNT; class ++) {
    order->must[class] = flow(order, class, true);
    order->may[class] = flow(order, class, false);
  }
}

static LockFacts facts_before(const Order *order, int class, uint32_t inst, bool is_must, LockFence fence) {
  uint32_t block = order->scan->fn->insts.items[inst].block;
  if (!order->is_reached[class][block]) return (LockFacts){0};
  LockSet set = is_must ? order->must[class][block] : order->may[class][block];
  for (uint32_t i = order->scan->fn->blocks.items[block].first; i < inst; i++)
    pass_inst(order, class, i, is_must, &set);
  set.facts[fence].held &= ~order->dropped;
  return set.facts[fence];
}

uint64_t order_held_before(const Order *order, int class, uint32_t inst, bool is_must) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_has_inst(order->scan, inst));
  return facts_before(order, class, inst, is_must, FENCED_NOT).held;
}

uint64_t order_unspent_before(const Order *order, int class, uint32_t inst) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_has_inst(order->scan, inst));
  return facts_before(order, class, inst, true, FENCED_NOT).unspent;
}

bool order_must_hold_at(const Order *order, uint32_t lock, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  BUG_UNLESS(lock < order->lock_count);
  bool any = false;
  for (int c = -1; order_next_class(order, inst, &c); any = true)
    if (!(order_held_before(order, c, inst, true) >> lock & 1)) return false;
  return any;
}

// ---- of which word
// Nobody goes into a next round with the lock: who holds it at the instruction has taken it in the same round
// of all loops around the two.
static bool is_taken_in_round(const Order *order, const LockSite *site, uint32_t inst) {
  const Cfg *cfg = order->scan->cfg;
  uint64_t bit = 1ull << (site - order->locks);
  if (!order_address_stays_in_round(order->scan, site, inst)) return false;
  for (uint32_t l = order_loop_of_both(order->scan, site->access->inst, inst, false); l != CFG_NONE;
       l = cfg->loops.items[l].parent)
    for (int class = 0; class < CLASS_COUNT; class ++) {
      const LockFacts *facts = &order->may[class][cfg->loops.items[l].header].facts[FENCED_NOT];
      if ((facts->held | facts->pending) & bit) return false;
    }
  return true;
}

bool order_address_stays(const Order *order, const LockSite *site, uint32_t inst) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(scan_has_inst(order->scan, inst));
  return site->is_fixed || graph_dominates(order->scan, site->access->inst, inst) ||
         is_taken_in_round(order, site, inst);
}

bool order_has_won(const Order *order, uint32_t s, Frame *frame, uint32_t inst, Target *word) {
  ASSERT(scan_has_inst(order->scan, inst));
  BUG_UNLESS(s < order->lock_count);
  const LockSite *site = &order->locks[s];
  return order_is_won_once(site) && graph_dominates(order->scan, site->access->inst, inst) &&
         order_must_hold_at(order, s, inst) && order_one_target(frame, site->access->address, word);
}

// ---- held by another thread
typedef enum Holding { HOLDS_NOT, HOLDS_PERHAPS, HOLDS } Holding;

// `assumed`: statuses that say yes to all threads of the group.
typedef struct HeldBy {
  Order *order;
  uint32_t site;
  LockFence fence;
  uint64_t assumed;
} HeldBy;

static uint64_t held_as_told(const HeldBy *by, int class, uint32_t inst) {
  LockFacts facts = facts_before(by->order, class, inst, true, by->fence);
  for (uint32_t r = 0; r < by->order->status_count; r++)
    if (facts.told & by->assumed & 1ull << r) facts.held |= 1ull << by->order->statuses[r].site;
  return facts.held;
}

// Does a thread of the class hold the lock from the begin of the node to its end?
static Holding held_in_node(const HeldBy *by, int class, const Node *node) {
  const Order *order = by->order;
  Holding worst = HOLDS;
  uint64_t bit = 1ull << by->site;
  for (int is_must = 0; is_must < 2; is_must++) {
    uint64_t held =
        is_must ? held_as_told(by, class, node->first) : order_held_before(order, class, node->first, false);
    for (uint32_t i = node->first; i < node->end; i++)
      held &= ~(order->takes[i] | (is_must ? order->may_end[i] : order->ends[i]));
    if (held & bit) continue;
    if (!is_must) return HOLDS_NOT;
    worst = HOLDS_PERHAPS;
  }
  return worst;
}

// All the time between the barriers around the access: held by the leader between barriers of the block, by the first
// lanes between those of the warp.
static Holding held_between(const HeldBy *by, const Access *access, bool is_of_warp) {
  Order *order = by->order;
  const Scan *scan = order->scan;
  Holding worst = HOLDS;
  bool any = false;
  for (OrderInterval i = {.is_of_warp = is_of_warp}; order_next_interval(order, access, &i);) {
    any = true;
    if (is_of_warp && i.is_entry) return HOLDS_NOT;
    if (!i.is_entry && worst == HOLDS && !order_leader_arrives(scan, i.point)) worst = HOLDS_PERHAPS;
    for (uint32_t n = 0; n < scan->nodes.count; n++)
      for (int class = CLASS_LEADER; class <= (is_of_warp ? CLASS_FIRST_LANES : CLASS_LEADER); class ++) {
        const Node *node = &scan->nodes.items[n];
        if (!i.nodes[n] || !order->is_reached[class][node->block]) continue;
        Holding here = held_in_node(by, class, node);
        if (here < worst) worst = here;
      }
  }
  return any ? worst : HOLDS_PERHAPS;
}

// What its leader holds, the whole block holds towards other blocks.
static Holding held_by_block(const HeldBy *by, const Access *access) {
  Holding held = held_between(by, access, false);
  return held == HOLDS && !by->order->locks[by->site].is_of_block ? HOLDS_PERHAPS : held;
}

// What its first lane holds, each warp holds towards other warps. Only where a fence of any lane does for the warp.
static bool held_by_warp(const HeldBy *by, const Access *access) {
  return by->order->locks[by->site].is_of_warp &&
         order_memory_rules(by->order->scan)->release == FENCE_OF_ANYBODY &&
         held_between(by, access, true) == HOLDS;
}

// ---- in step, below sm_70
// Both kinds of first lanes hold the lock there, or where the path that the others take leaves theirs.
static bool first_lanes_hold(const HeldBy *by, uint32_t inst) {
  const Order *order = by->order;
  const Scan *scan = order->scan;
  for (int class = CLASS_LEADER; class <= CLASS_FIRST_LANES; class ++) {
    uint32_t at = inst, block = scan->fn->insts.items[inst].block;
    while (!order->is_reached[class][block]) {
      block = scan->cfg->idom[block];
      if (block == CFG_NONE) return false;
      at = order_last_of(scan, block);
    }
    if (!(held_as_told(by, class, at) >> by->site & 1)) return false;
  }
  return true;
}

// Some place that dominates the access, to which all lanes of a warp come together or none, and where the
// first one holds the lock.
static bool meets_holder(const HeldBy *by, uint32_t block) {
  const Order *order = by->order;
  Scan *scan = order->scan;
  for (; block != CFG_NONE; block = block == 0 ? CFG_NONE : scan->cfg->idom[block])
    if (order->is_reached[CLASS_LEADER][block] && order->is_reached[CLASS_FIRST_LANES][block] &&
        first_lanes_hold(by, scan->fn->blocks.items[block].first) && uniform_comes_to(scan, block))
      return true;
  return false;
}

// May a branch lead one lane to where the lock is taken, or given back, while others make the access?
static bool is_parted_from_any(const HeldBy *by, const uint64_t *where, const Access *access) {
  Scan *scan = by->order->scan;
  const IrInst *insts = scan->fn->insts.items;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if ((where[i] >> by->site & 1) && lockstep_parts(scan, insts[i].block, insts[access->inst].block))
      return true;
  return false;
}

// Lanes go in step: what the first one holds where they meet, it holds for all of them until it gives it
// back, as long as no branch leads it to where the lock is taken or given back while others make the access.
static bool held_in_step(const HeldBy *by, const Access *access) {
  Order *order = by->order;
  Scan *scan = order->scan;
  const IrInst *insts = scan->fn->insts.items;
  const LockSite *site = &order->locks[by->site];
  if (scan->request->options.arch >= 70 || order_memory_rules(scan)->release != FENCE_OF_ANYBODY ||
      !(site->is_of_warp || uniform_ref(scan, site->access->address)) || access->is_async ||
      order->is_reached[CLASS_OTHERS][insts[site->access->inst].block] || !first_lanes_hold(by, access->inst))
    return false;
  return !is_parted_from_any(by, order->takes, access) && !is_parted_from_any(by, order->may_end, access) &&
         meets_holder(by, insts[access->inst].block);
}

// Perhaps the first lane, which goes in step with them, holds it: nothing lets it give the lock back first.
static bool may_be_held_in_step(const HeldBy *by, const Access *access) {
  const Order *order = by->order;
  const Scan *scan = order->scan;
  uint32_t block = scan->fn->insts.items[access->inst].block;
  bool is_reached = false, holds = false;
  if (scan->request->options.arch >= 70) return false;
  for (int class = CLASS_LEADER; class <= CLASS_FIRST_LANES; class ++) {
    is_reached |= order->is_reached[class][block];
    holds |= order_held_before(order, class, access->inst, false) >> by->site & 1;
  }
  if (is_reached) return holds;
  return graph_reaches(scan, order->locks[by->site].access->inst, access->inst) &&
         !is_parted_from_any(by, order->may_end, access);
}

static bool held_for_warp(const HeldBy *by, const Access *access) {
  return held_by_warp(by, access) || held_in_step(by, access);
}

// Could another thread than the leader have taken it and handed it on at a barrier of any kind?
static bool is_handed_on_otherwise(const Order *order, uint32_t s, const Access *access) {
  const Scan *scan = order->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!arrivals_is_barrier(scan, i) || scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    for (int class = 0; class < CLASS_COUNT; class ++) {
      bool is_known = class == CLASS_LEADER && inst->scope >= IR_SCOPE_BLOCK; // held_by_block answers
      if (is_known || !order->is_reached[class][inst->block]) continue;
      if ((order_held_before(order, class, i, false) >> s & 1) && graph_reaches(scan, i, access->inst))
        return true;
    }
  }
  return false;
}

uint64_t order_held_at(Order *order, const Access *access, int class, Extent extent, bool is_must) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_is_extent(extent));
  uint64_t held = order_held_before(order, class, access->inst, is_must);
  uint64_t assumed = order_lock_status_at(order, access);
  for (uint32_t s = 0; s < order->lock_count; s++) {
    uint64_t bit = 1ull << s;
    HeldBy by = {order, s, FENCED_NOT, assumed};
    Holding by_block = extent_is_between_blocks(extent) ? held_by_block(&by, access) : HOLDS_NOT;
    if (by_block == HOLDS || (!is_must && by_block == HOLDS_PERHAPS)) held |= bit;
    if (extent != EXTENT_INTRA_WARP && !(held & bit) && held_for_warp(&by, access)) held |= bit;
    if (!is_must && (is_handed_on_otherwise(order, s, access) || may_be_held_in_step(&by, access)))
      held |= bit;
  }
  return held;
}

bool order_is_held_fenced(Order *order, uint32_t s, const Access *access, int class, Extent extent) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_is_extent(extent));
  HeldBy by = {order, s, operation_scope_needed(extent) == IR_SCOPE_BLOCK ? FENCED_BLOCK : FENCED_DEVICE,
               order_lock_status_at(order, access)};
  if (facts_before(order, class, access->inst, true, by.fence).held >> s & 1) return true;
  if (extent_is_between_blocks(extent) && held_by_block(&by, access) == HOLDS) return true;
  return extent != EXTENT_INTRA_WARP && held_for_warp(&by, access);
}
