// Under which condition does a thread hold a lock that it takes on some of its ways only? `if (c) lock; ...; if (c) unlock;`,
// or one lock or another (`if (c) lock a; else lock b;`). Method: the lock is taken outside of loops, or in a loop that
// only who has taken it leaves, so a thread has taken it if it has come there, which is a condition on its values
// (eval.c: one that is exact). Why: it comes there once, before the place that is asked of, to which no way leads from
// there over anything that may give the lock back. Soundness: a condition that is not known exactly is none; what a
// thread holds for others of its block or warp is not asked.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"

static bool is_taken_on(const Order *order, const LockSite *site, uint32_t from, uint32_t to) {
  EdgeTest test;
  return order_edge_test(order->scan, from, to, &test) && order_test_of_site(order, site, &test) > 0;
}

// Nobody leaves the loop but over edges on which the lock is taken.
static bool is_left_by_holder(const Order *order, const LockSite *site, uint32_t loop) {
  const Cfg *cfg = order->scan->cfg;
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);)
    if (cfg_loop_contains(cfg, loop, e.from) && !cfg_loop_contains(cfg, loop, e.to) &&
        !is_taken_on(order, site, e.from, e.to))
      return false;
  return true;
}

// From where it was taken, a way that may give it back leads to the instruction; or the instruction comes first.
static bool may_be_over(const Order *order, uint32_t s, uint32_t inst) {
  const Scan *scan = order->scan;
  uint32_t taken = order->locks[s].access->inst;
  if (order_reaches(scan, inst, taken)) return true;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if ((order->own_end[i] >> s & 1) && order_reaches(scan, taken, i) && order_reaches(scan, i, inst))
      return true;
  return false;
}

ExprRef order_has_taken(const Order *order, uint32_t s, Frame *frame, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  BUG_UNLESS(s < order->lock_count);
  const LockSite *site = &order->locks[s];
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  ExprPool *pool = scan->pool;
  ExprRef has = expr_bool(pool, false);
  uint32_t loop = cfg->loop_of[inst_at(scan, site->access->inst)->block];
  if (site->is_token || site->is_asked || (order->dropped >> s & 1) || may_be_over(order, s, inst))
    return has;
  if (loop != CFG_NONE) {
    bool is_outermost = cfg->loops.items[loop].parent == CFG_NONE;
    ExprRef comes = is_outermost && is_left_by_holder(order, site, loop)
                        ? frame_exact_condition(frame, 0, cfg->loops.items[loop].header)
                        : 0;
    return comes ? comes : has;
  }
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);) {
    if (cfg->loop_of[e.from] != CFG_NONE || !is_taken_on(order, site, e.from, e.to)) continue;
    ExprRef comes = frame_exact_condition(frame, 0, e.from), edge = frame_edge_condition(frame, e.from, e.to);
    if (comes && edge) has = expr_or(pool, has, expr_and(pool, comes, edge));
  }
  return has;
}
