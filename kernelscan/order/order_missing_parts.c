// What is missing where one thread's access would come before another one's? An order goes by an operation that releases
// the first access (or gives a lock back behind it), and one that acquires before the second (or takes the lock): each
// half may lack the scope of its operation, a fence between it and the access, or the scope of that fence. Method:
// fences on the paths between the two (Kamath, George and Basu, "ScoRD", ISCA 2020), from the largest gap to none;
// where several operations will do, the smallest gap counts: what would have to be otherwise. Soundness: a gap on some
// path of locks, of who takes it, who gives it back, and who hands it on, so "none" is a proof; a gap on all paths where it is asked if any order is possible, so that "none" is
// none.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- which one
static IrScope scope_of(const Scan *scan, const Gap *gap) {
  return operation_scope(scan, operation_access(scan, gap->operation));
}

static uint32_t from_of(const Gap *gap) {
  return order_is_release(gap->half) ? gap->access : gap->operation;
}

static uint32_t to_of(const Gap *gap) {
  return order_is_release(gap->half) ? gap->operation : gap->access;
}

Gap order_gap_on_all_ways(const Scan *scan, Gap half, Couple couple, bool is_of_one) {
  ASSERT(couple.extent <= EXTENT_NONE);
  bool releases = order_is_release(half.half);
  OrderSide side = releases ? SIDE_RELEASE : SIDE_ACQUIRE;
  // In ScoRD's model who reads strongly needs no fence.
  bool acquires =
      !releases && (order_acquires(scan, half.operation) || order_memory_rules(scan)->reads_acquire);
  half.kind =
      scope_of(scan, &half) < half.needed ? GAP_SCOPE
      : acquires || order_may_fence(scan, from_of(&half), to_of(&half), half.needed, side, couple, is_of_one)
          ? GAP_NONE
      : order_may_fence(scan, from_of(&half), to_of(&half), IR_SCOPE_BLOCK, side, couple, is_of_one)
          ? GAP_NARROW_FENCE
          : GAP_FENCE;
  return half;
}

static Gap gap_on_some_way(const Scan *scan, Gap half, bool is_of_one) {
  bool lacks = order_is_release(half.half)
                   ? half.access != half.operation &&
                         order_lacks_release(scan, half.access, half.operation, half.needed, is_of_one)
                   : !order_acquires(scan, half.operation) &&
                         order_lacks_fence(scan, half.operation, half.access, half.needed, SIDE_ACQUIRE);
  half.kind = scope_of(scan, &half) < half.needed ? GAP_SCOPE : lacks ? GAP_NARROW_FENCE : GAP_NONE;
  return half;
}

Gap order_larger_gap(Gap release, Gap acquire) {
  if (release.kind == GAP_SCOPE || acquire.kind == GAP_NONE) return release;
  return acquire.kind == GAP_SCOPE || release.kind == GAP_NONE ? acquire : release;
}

// ---- in words
static const char *verb_of(Half half) {
  switch (half) {
  case HALF_RELEASES: return "tells others";
  case HALF_GIVES_BACK: return "gives the lock back";
  case HALF_RELAYS: return "hands the lock on";
  case HALF_ACQUIRES: return "learns of others";
  case HALF_TAKES: return "takes the lock";
  case HALF_TAKES_ONCE: return "takes the word";
  }
  BUG("no half of an order");
}

static MissingPart name_scope(const Scan *scan, const Gap *gap) {
  uint32_t line = operation_line(scan, gap->operation);
  if (gap->half == HALF_GIVES_BACK && scope_of(scan, gap) == IR_SCOPE_THREAD)
    return (MissingPart){
        "plain-release",
        arena_printf(scan->arena, "the lock is given back by a plain store at line %u", line)};
  bool is_of_lock = gap->half != HALF_RELEASES && gap->half != HALF_ACQUIRES && gap->half != HALF_TAKES_ONCE;
  const char *link = gap->half == HALF_RELEASES ? "of" : order_is_release(gap->half) ? "behind" : "before";
  return (MissingPart){is_of_lock ? "insufficient-scope-lock" : "insufficient-scope-atomic",
                       arena_printf(scan->arena,
                                    "the operation at line %u, which %s %s the access at line %u, has %s",
                                    line, verb_of(gap->half), link, operation_line(scan, gap->access),
                                    order_narrow_words(scan, gap->operation, gap->needed))};
}

// "the access at line 7 and the operation at line 9 that tells others of it"
static const char *between(const Scan *scan, const Gap *gap) {
  const char *operation = arena_printf(scan->arena, "the operation at line %u that %s%s",
                                       operation_line(scan, gap->operation), verb_of(gap->half),
                                       gap->half == HALF_RELEASES ? " of it" : ""),
             *access = arena_printf(scan->arena,
                                    gap->half == HALF_RELAYS
                                        ? "the operation at line %u that takes the lock in a third thread"
                                        : "the access at line %u",
                                    operation_line(scan, gap->access));
  bool releases = order_is_release(gap->half);
  return arena_printf(scan->arena, "%s and %s", releases ? access : operation, releases ? operation : access);
}

MissingPart order_name_gap(const Scan *scan, Gap gap) {
  if (gap.kind == GAP_NONE || gap.kind == GAP_OPERATION) return (MissingPart){0};
  if (gap.kind == GAP_SCOPE) return name_scope(scan, &gap);
  uint32_t fence = gap.kind == GAP_NARROW_FENCE
                       ? order_narrow_fence(scan, from_of(&gap), to_of(&gap), gap.needed)
                       : CFG_NONE; // barriers count as fences of block scope
  if (fence != CFG_NONE)
    return (MissingPart){"insufficient-scope-fence",
                         arena_printf(scan->arena, "the fence at line %u, between %s, has %s",
                                      operation_line(scan, fence), between(scan, &gap),
                                      order_narrow_words(scan, fence, gap.needed))};
  return (MissingPart){order_is_release(gap.half) ? "missing-fence" : "missing-acquire-fence",
                       arena_printf(scan->arena, "no fence stands between %s", between(scan, &gap))};
}

// ---- of a lock
// A third holder that gives the lock back by a store, not by an update of the word, relays what it has
// acquired only with a fence of its own.
static Gap gap_of_relay(Order *order, const LockSite *site, IrScope needed) {
  const Scan *scan = order->scan;
  uint64_t bit = 1ull << (site - order->locks);
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    const Access *write = row.access;
    if (inst_at(scan, write->inst)->op != IR_STORE || !(order->may_end[write->inst] & bit)) continue;
    uint64_t held = 0;
    for (int c = -1; order_next_class(order, write->inst, &c);)
      held |= order_held_before(order, c, write->inst, true);
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
    Half half = order_write_is(row.write, WRITE_DRAWS) ? HALF_TAKES : HALF_GIVES_BACK;
    if (row.write->scope < needed && !order_sets_up(order, site, row.write)) // none may be lost
      return (Gap){GAP_SCOPE, half, access->inst, row.access->inst, needed};
  }
  before = gap_on_some_way(scan, before, false);
  if (before.kind != GAP_NONE &&
      !order_is_held_fenced(order, (uint32_t)(site - order->locks), access, class, extent))
    return before;
  uint64_t bit = 1ull << (site - order->locks);
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    uint32_t release = row.access->inst;
    if (!(order->may_end[release] & bit) ||
        (release != access->inst && !graph_reaches(scan, access->inst, release)))
      continue;
    Gap behind = {.half = HALF_GIVES_BACK, .access = access->inst, .operation = release, .needed = needed};
    behind = gap_on_some_way(scan, behind, class == CLASS_LEADER && order_only_leader(order, release));
    if (behind.kind != GAP_NONE) return behind;
  }
  return gap_of_relay(order, site, needed);
}

bool order_lock_orders(Order *order, uint32_t s, const Access *access, Extent extent) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(scan_is_extent(extent));
  for (int c = -1; order_next_class(order, access->inst, &c);)
    if (order_gap_of_lock(order, c, &order->locks[s], access, extent).kind != GAP_NONE) return false;
  return true;
}
