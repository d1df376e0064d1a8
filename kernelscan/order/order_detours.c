// Under which condition has a thread come somewhere without having acquired something on its path: round the edges on which
// it passes one of some waits, or takes a lock? Method: forward over the paths from kernel entry, the conditions of their
// edges; at a barrier of the block its leader has come round as well. Soundness: over-approximated. Only what is acquired for
// good counts, and round a loop nothing is acquired that is fixed while the thread runs: it comes back as it came in. Of the
// conditions of edges in loops only such parts count; others are of the one time that the thread comes there.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"

// The lock is taken there, by who does not try again: outside of the loops around the operation; within the round, if
// one is spoken of.
static bool takes_for_good(const Detour *detour, uint32_t from, uint32_t to) {
  const Cfg *cfg = detour->order->scan->cfg;
  uint32_t tried = inst_at(detour->order->scan, detour->site->access->inst)->block;
  for (uint32_t l = cfg->loop_of[from]; l != detour->round; l = cfg->loops.items[l].parent)
    if (l == CFG_NONE || !cfg_loop_contains(cfg, l, tried) || cfg_loop_contains(cfg, l, to)) return false;
  return true;
}

// By a lock of which a path that takes it is none of those in question.
static bool takes_lock(const Detour *detour, uint32_t from, uint32_t to, const EdgeTest *merged) {
  const Order *order = detour->order;
  EdgeTest test;
  if (!merged && !order_edge_test(order->scan, from, to, &test)) return false;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    bool counts = detour->won >> s & 1 || (site == detour->site && takes_for_good(detour, from, to));
    if (counts && order_test_of_site(order, site, merged ? merged : &test) > 0) return true;
  }
  return false;
}

// Can control that came to the block `from` over `before` go on to `to`? A truth value that is merged there
// (`a == 0 && b == 0`) is the one that comes from `before`.
static bool goes_on(const Detour *detour, int class, uint32_t before, uint32_t from, uint32_t to) {
  const Order *order = detour->order;
  EdgeTest test;
  bool is_taken = true, is_merged = order_merged_test(order->scan, before, from, to, &test, &is_taken);
  if (!is_taken || takes_lock(detour, from, to, is_merged ? &test : NULL)) return false;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    bool is_it = is_merged && !signal->before_count && order_is_same_test(&signal->test, &test);
    if (!(detour->signals >> s & 1)) continue;
    if (is_it || order_is_edge_of(order, class, from, to, signal, !detour->is_of_one)) return false;
  }
  return true;
}

static bool may_go_on(const Detour *detour, uint32_t before, uint32_t from, uint32_t edge) {
  const Order *order = detour->order;
  for (int class = 0; class < CLASS_COUNT; class ++)
    if ((detour->class < 0 || class == detour->class) && order->is_feasible[class][edge] &&
        goes_on(detour, class, before, from, order->scan->cfg->succs[edge]))
      return true;
  return false;
}

// Paths that lead somewhere, and the conditions under which they are taken.
typedef struct Paths {
  const Detour *detour;
  ExprRef *over;                 // by position in cfg->succs
  const struct Paths *of_leader; // NULL: nobody acquires of another
} Paths;

static uint32_t first_block(const Detour *detour) {
  return detour->round == CFG_NONE ? 0 : detour->order->scan->cfg->loops.items[detour->round].header;
}

// That it has come to the block, and may go on over the edge (CFG_NONE: wherever).
static ExprRef comes_to(const Paths *paths, uint32_t block, uint32_t edge, bool with_rounds) {
  const Cfg *cfg = paths->detour->order->scan->cfg;
  ExprPool *pool = paths->detour->order->scan->pool;
  ExprRef comes = expr_bool(pool, false);
  if (block == first_block(paths->detour))
    return expr_bool(pool, edge == CFG_NONE || may_go_on(paths->detour, CFG_NONE, block, edge));
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);) {
    if (e.to != block || (edge != CFG_NONE && !may_go_on(paths->detour, e.from, block, edge))) continue;
    bool is_round = cfg->rpo_number[e.from] >= cfg->rpo_number[block];
    if (is_round && !with_rounds) continue;
    if (is_round && !cfg_dominates(cfg, block, e.from)) return expr_bool(pool, true);
    comes = expr_or(pool, comes, is_round ? comes_to(paths, block, CFG_NONE, false) : paths->over[e.at]);
  }
  return comes;
}

// At the barriers of the block that stand in this one, before the instruction `end`, its leader has come round as well.
static ExprRef leader_comes(const Paths *paths, uint32_t block, uint32_t end) {
  const Scan *scan = paths->detour->order->scan;
  ExprRef comes = expr_bool(scan->pool, true);
  for (uint32_t p = 1; paths->of_leader && p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->block == block && point->inst < end && order_block_meets(scan, point))
      comes = expr_and(scan->pool, comes, comes_to(paths->of_leader, block, CFG_NONE, true));
  }
  return comes;
}

// What is known of who takes the edge.
static ExprRef condition_of(const Detour *detour, uint32_t from, uint32_t to) {
  const Scan *scan = detour->order->scan;
  ExprRef taken = frame_edge_condition(detour->frame, from, to);
  if (!taken) return expr_bool(scan->pool, true);
  return scan->cfg->loop_of[from] == detour->round ? taken : order_fixed_parts(scan->pool, taken, true);
}

static void follow(Paths *paths) {
  const Scan *scan = paths->detour->order->scan;
  const Cfg *cfg = scan->cfg;
  paths->over = arena_array(scan->arena, cfg->succ_first[cfg->block_count] + 1, ExprRef);
  for (uint32_t n = 0; n < cfg->rpo_count; n++) {
    uint32_t from = cfg->rpo[n];
    ExprRef acquired = leader_comes(paths, from, UINT32_MAX);
    for (uint32_t e = cfg->succ_first[from]; e < cfg->succ_first[from + 1]; e++)
      paths->over[e] = expr_and(scan->pool, expr_and(scan->pool, comes_to(paths, from, e, true), acquired),
                                condition_of(paths->detour, from, cfg->succs[e]));
  }
}

ExprRef order_detour(const Detour *detour, uint32_t inst) {
  ASSERT(scan_has_inst(detour->order->scan, inst));
  Scan *scan = detour->order->scan;
  Detour leader = {.order = detour->order,
                   .class = CLASS_LEADER,
                   .signals = detour->leaders_signals,
                   .won = detour->leaders_won,
                   .round = detour->round};
  Paths paths_of_leader = {.detour = &leader}, paths = {.detour = detour};
  if (leader.signals | leader.won) {
    leader.frame = order_leader_beside(scan, detour->frame->view);
    if (leader.round != CFG_NONE) // in which it comes to the barriers that all come to
      leader.frame = frame_of_round(leader.frame, leader.round, frame_iteration(detour->frame, leader.round));
    follow(&paths_of_leader);
    paths.of_leader = &paths_of_leader;
  }
  follow(&paths);
  uint32_t block = inst_at(scan, inst)->block;
  return expr_and(scan->pool, comes_to(&paths, block, CFG_NONE, true), leader_comes(&paths, block, inst));
}

ExprRef order_has_not_waited(const Order *order, const Signal *signal, Frame *frame, uint32_t inst,
                             uint32_t round, bool by_itself) {
  uint32_t s = (uint32_t)(signal - order->signals);
  const Detour detour = {.order = order,
                         .frame = frame,
                         .class = -1,
                         .signals = 1ull << s,
                         .leaders_signals = (uint64_t)(signal->is_of_block && !by_itself) << s,
                         .is_of_one = by_itself,
                         .round = round};
  bool is_passed = !by_itself && order_is_passed_at(order, s, inst);
  return is_passed ? expr_bool(order->scan->pool, false) : order_detour(&detour, inst);
}

// ---- locks
bool order_address_stays_in_round(const Scan *scan, const LockSite *site, uint32_t inst) {
  const Access *taken = site->access;
  return !site->is_turn && !site->bits &&
         order_is_one_in_round(scan, taken->inst, taken->address,
                               order_loop_of_both(scan, taken->inst, inst, false));
}

// In one round.
static bool leads_to(const Detour *detour, uint32_t from, uint32_t to) {
  return order_leads_to(detour->order, from, to,
                        detour->order->scan->fn->blocks.items[first_block(detour)].first);
}

// From where it was taken, a path that may give it back leads to the instruction; or the instruction comes first.
static bool may_be_over(const Detour *detour, uint32_t s, uint32_t inst) {
  const Order *order = detour->order;
  uint32_t taken = detour->site->access->inst;
  if (leads_to(detour, inst, taken)) return true;
  for (uint32_t i = 0; i < order->scan->fn->insts.count; i++)
    if ((order->own_end[i] >> s & 1) && leads_to(detour, taken, i) && leads_to(detour, i, inst)) return true;
  return false;
}

ExprRef order_has_not_taken(const Order *order, uint32_t s, Frame *frame, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  BUG_UNLESS(s < order->lock_count);
  const LockSite *site = &order->locks[s];
  uint32_t round = order_loop_of_both(order->scan, site->access->inst, inst, false);
  bool stays = site->is_fixed || order_address_stays_in_round(order->scan, site, inst);
  Detour detour = {.order = order, .frame = frame, .class = -1, .site = site, .round = round};
  if (site->is_turn || site->is_asked || (order->dropped >> s & 1) || !stays || may_be_over(&detour, s, inst))
    return expr_bool(order->scan->pool, true);
  return order_detour(&detour, inst);
}
