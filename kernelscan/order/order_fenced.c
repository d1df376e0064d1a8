// What keeps a lock from ordering an access with those of other holders? Scopes and fences, of who takes it, who gives it
// back, and who hands it on. Method: fences on every way from taking the lock to the access and from the access to giving
// it back (Kamath, George and Basu, "ScoRD", ISCA 2020). Soundness: "nothing" is a proof.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

#include <string.h>

// A part of the way from the one instruction to the other that needs a fence, and has none, or a narrow one;
// `pattern` says which part, of the lock at line %u.
static Deficit fence_deficit(const Scan *scan, IrScope needed, const char *missing, uint32_t from,
                             uint32_t to, const char *pattern) {
  uint32_t fence = order_narrow_fence(scan, from, to, needed);
  uint32_t lock = strcmp(missing, "missing-fence") == 0 ? to : from;
  const char *where = arena_printf(scan->arena, "%s at line %u", pattern, order_line(scan, lock));
  if (fence != CFG_NONE)
    return (Deficit){"insufficient-scope-fence",
                     arena_printf(scan->arena, "%s; the fence between it and the access, at line %u, has %s",
                                  where, order_line(scan, fence), order_narrow_words(scan, fence, needed))};
  return (Deficit){missing,
                   arena_printf(scan->arena, "%s; no fence stands between it and the access", where)};
}

static Deficit release_deficit(const Order *order, int class, const Access *release, uint32_t inst,
                               IrScope needed) {
  const Scan *scan = order->scan;
  IrScope scope = order_scope_of(scan, release);
  if (scope == IR_SCOPE_THREAD)
    return (Deficit){"plain-release",
                     arena_printf(scan->arena, "the lock is given back by a plain store at line %u",
                                  order_line(scan, release->inst))};
  if (scope < needed)
    return (Deficit){"insufficient-scope-lock",
                     arena_printf(scan->arena, "lock given back at line %u with %s",
                                  order_line(scan, release->inst),
                                  order_narrow_words(scan, release->inst, needed))};
  bool is_of_one = class == CLASS_LEADER && order_only_leader(order, release->inst);
  if (release->inst != inst && order_lacks_release(scan, inst, release->inst, needed, is_of_one))
    return fence_deficit(scan, needed, "missing-fence", inst, release->inst, "lock given back");
  return (Deficit){0};
}

// A third holder that gives the lock back by a store, not by an update of the word, passes on what it has
// heard only with a fence of its own.
static Deficit relay_deficit(const Order *order, const LockSite *site, IrScope needed) {
  const Scan *scan = order->scan;
  uint64_t bit = 1ull << (site - order->locks);
  for (WordRow row = {order_word_of_lock(order_made(scan), site), .is_in_text = true};
       order_next_row(&row);) {
    const Access *write = row.access;
    const IrInst *inst = &scan->fn->insts.items[write->inst];
    if (inst->op != IR_STORE || !(order->may_end[write->inst] & bit)) continue;
    uint64_t held = 0;
    for (int class = 0; class < CLASS_COUNT; class ++)
      held |= order_held_before(order, class, write->inst, true);
    for (uint32_t s = 0; s < order->lock_count; s++) {
      uint32_t take = order->locks[s].access->inst;
      if (!(held >> s & 1) || !order_is_same_word(order, write, &order->locks[s].target)) continue;
      if (!order_hands_on(scan, take, write->inst, needed))
        return fence_deficit(scan, needed, "missing-fence", take, write->inst,
                             "lock passed on by a third thread");
    }
  }
  return (Deficit){0};
}

// What keeps the lock from ordering this access with those of other holders; no cause: nothing.
Deficit order_find_deficit(Order *order, int class, const LockSite *site, const Access *access,
                           Extent extent) {
  const Scan *scan = order->scan;
  IrScope needed = order_scope_needed(extent);
  uint32_t inst = access->inst;
  const Access *take = site->draw && order_scope_of(scan, site->draw) < needed ? site->draw : site->access;
  if (order_scope_of(scan, take) < needed)
    return (Deficit){site->is_released ? "insufficient-scope-lock" : "insufficient-scope-atomic",
                     arena_printf(scan->arena, "lock acquired at line %u with %s",
                                  order_line(scan, take->inst),
                                  order_narrow_words(scan, take->inst, needed))};
  if (!site->is_released) return (Deficit){0}; // nobody else ever gets it: nothing needs to be ordered
  if (!order_acquires(scan, site->access->inst) &&
      order_lacks_fence(scan, site->access->inst, inst, needed, SIDE_ACQUIRE) &&
      !order_is_held_fenced(order, (uint32_t)(site - order->locks), access, class, extent))
    return fence_deficit(scan, needed, "missing-acquire-fence", site->access->inst, inst, "lock acquired");
  uint64_t bit = 1ull << (site - order->locks);
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    const Access *release = row.access;
    if (!(order->may_end[release->inst] & bit) ||
        (release->inst != inst && !order_reaches(scan, inst, release->inst)))
      continue;
    Deficit deficit = release_deficit(order, class, release, inst, needed);
    if (deficit.cause) return deficit;
  }
  return relay_deficit(order, site, needed);
}

bool order_lock_orders(Order *order, uint32_t s, const Access *access, Extent extent) {
  uint32_t block = inst_at(order->scan, access->inst)->block;
  for (int class = 0; class < CLASS_COUNT; class ++)
    if (order->is_reached[class][block] &&
        order_find_deficit(order, class, &order->locks[s], access, extent).cause)
      return false;
  return true;
}
