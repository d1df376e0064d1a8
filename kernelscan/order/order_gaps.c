// What is missing where one thread's access would come before another one's? An order goes by an operation that tells of
// the first access (or gives a lock back behind it), and one that learns before the second (or takes the lock): each
// half may lack the scope of its operation, a fence between it and the access, or the scope of that fence. Method:
// fences on the ways between the two (Kamath, George and Basu, "ScoRD", ISCA 2020), from the largest gap to none;
// where several operations will do, the smallest gap counts: what would have to be otherwise. Soundness: a gap on some
// way of locks, so "none" is a proof; a gap on all ways where it is asked if any order is possible, so that "none" is
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
  bool acquires = !releases && (order_acquires(scan, half.operation) || order_rules(scan)->reads_acquire);
  half.kind =
      scope_of(scan, &half) < half.needed ? GAP_SCOPE
      : acquires || order_may_fence(scan, from_of(&half), to_of(&half), half.needed, side, couple, is_of_one)
          ? GAP_NONE
      : order_may_fence(scan, from_of(&half), to_of(&half), IR_SCOPE_BLOCK, side, couple, is_of_one)
          ? GAP_NARROW_FENCE
          : GAP_FENCE;
  return half;
}

Gap order_gap_on_some_way(const Scan *scan, Gap half, bool is_of_one) {
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
