// What keeps a lock from ordering an access with those of other holders? Scopes and fences, of who takes it, who gives it
// back, and who hands it on. Method: the gaps (order_gaps.c) on every way from taking the lock to the access and from the
// access to giving it back. Soundness: "none" is a proof.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

static Gap gap_behind(const Order *order, int class, const Access *release, uint32_t inst, IrScope needed) {
  bool is_of_one = class == CLASS_LEADER && order_only_leader(order, release->inst);
  Gap half = {.half = HALF_GIVES_BACK, .access = inst, .operation = release->inst, .needed = needed};
  return order_gap_on_some_way(order->scan, half, is_of_one);
}

// A third holder that gives the lock back by a store, not by an update of the word, passes on what it has
// heard only with a fence of its own.
static Gap gap_of_relay(Order *order, const LockSite *site, IrScope needed) {
  const Scan *scan = order->scan;
  uint64_t bit = 1ull << (site - order->locks);
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    const Access *write = row.access;
    if (inst_at(scan, write->inst)->op != IR_STORE || !(order->may_end[write->inst] & bit)) continue;
    uint64_t held = 0;
    for (int class = 0; class < CLASS_COUNT; class ++)
      held |= order_held_before(order, class, write->inst, true);
    for (uint32_t s = 0; s < order->lock_count; s++) {
      uint32_t take = order->locks[s].access->inst;
      if ((held >> s & 1) && order_is_same_word(order, write, &order->locks[s].target) &&
          !order_relays(scan, take, write->inst, needed))
        return (Gap){GAP_NARROW_FENCE, HALF_RELAYS, take, write->inst, needed};
    }
  }
  return (Gap){.kind = GAP_NONE};
}

Gap order_gap_of_lock(Order *order, int class, const LockSite *site, const Access *access, Extent extent) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(scan_is_extent(extent));
  const Scan *scan = order->scan;
  IrScope needed = operation_scope_needed(extent);
  const Access *take = site->draw && operation_scope(scan, site->draw) < needed ? site->draw : site->access;
  Gap before = {GAP_SCOPE, site->is_released ? HALF_TAKES : HALF_TAKES_ONCE, access->inst, take->inst,
                needed};
  if (operation_scope(scan, take) < needed) return before;
  if (!site->is_released) return (Gap){.kind = GAP_NONE}; // nobody else ever gets it
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true};
       site->is_counted && order_next_row(&row);) {
    before.half = order_write_is(row.write, WRITE_DRAWS) ? HALF_TAKES : HALF_GIVES_BACK;
    before.operation = row.access->inst;
    if (row.write->scope < needed && !order_sets_up(order, site, row.write))
      return before; // none may be lost
  }
  before = (Gap){GAP_SCOPE, HALF_TAKES, access->inst, take->inst, needed};
  before = order_gap_on_some_way(scan, before, false);
  if (before.kind != GAP_NONE &&
      !order_is_held_fenced(order, (uint32_t)(site - order->locks), access, class, extent))
    return before;
  uint64_t bit = 1ull << (site - order->locks);
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    uint32_t release = row.access->inst;
    if (!(order->may_end[release] & bit) ||
        (release != access->inst && !graph_reaches(scan, access->inst, release)))
      continue;
    Gap behind = gap_behind(order, class, row.access, access->inst, needed);
    if (behind.kind != GAP_NONE) return behind;
  }
  return gap_of_relay(order, site, needed);
}

bool order_lock_orders(Order *order, uint32_t s, const Access *access, Extent extent) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(scan_is_extent(extent));
  uint32_t block = inst_at(order->scan, access->inst)->block;
  for (int class = 0; class < CLASS_COUNT; class ++)
    if (order->is_reached[class][block] &&
        order_gap_of_lock(order, class, &order->locks[s], access, extent).kind != GAP_NONE)
      return false;
  return true;
}
