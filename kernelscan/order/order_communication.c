// Can another thread synchronise with one behind its access at all? A thread releases by a strong write behind the access;
// another one acquires by a strong read of the same word, and may relay that by a further strong write. Method:
// closure over the strong accesses of the kernel, by "may touch the same word" and by control flow (which
// over-approximates barriers as well: what a thread hands to another one of its block at a barrier lies on a
// path through that barrier). Soundness: "no" is a proof that no chain of reads and writes leads from one
// access to the other; "yes" is no proof of anything.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

#include <string.h>

// Of two threads of one block, which go through its barriers together: may the one make the write before the
// other one reads? Between the same two barriers, or further on.
static bool may_come_first(Order *order, const Access *write, const Access *read) {
  const Scan *scan = order->scan;
  if (graph_reaches(scan, write->inst, read->inst)) return true;
  for (OrderInterval i = {0}; order_next_interval(order, write, &i);)
    if (i.nodes[read->node]) return true;
  return false;
}

// May the read see what the write stored? That does not hang on the pair that is asked about.
static bool may_pass(Order *order, uint32_t w, uint32_t r) {
  const Scan *scan = order->scan;
  if (!order->passes) order->passes = arena_array(scan->arena, scan->accesses.count + 1, uint8_t *);
  if (!order->passes[w]) order->passes[w] = arena_array(scan->arena, scan->accesses.count + 1, uint8_t);
  uint8_t *known = &order->passes[w][r];
  if (*known) return *known == 1;
  const Access *write = &scan->accesses.items[w], *read = &scan->accesses.items[r];
  bool may = order_may_share_word(order, write, read, false) &&
             (may_come_first(order, write, read) || order_may_share_word(order, write, read, true));
  *known = may ? 1 : 2;
  return may;
}

// Whatever may be released behind this instruction, by whoever comes there.
static void release_from(const Scan *scan, uint32_t inst, uint8_t *releases, uint32_t *work,
                         uint32_t *count) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    bool comes_later = write->inst == inst || graph_reaches(scan, inst, write->inst);
    if (releases[a] || !order_may_release(scan, write) || !comes_later) continue;
    releases[a] = 1;
    work[(*count)++] = a;
  }
}

const uint8_t *order_acquirers(Order *order, const Access *write) {
  ASSERT(scan_has_access(order->scan, write));
  const Scan *scan = order->scan;
  uint32_t accesses = scan->accesses.count, index = (uint32_t)(write - scan->accesses.items), count = 0;
  if (!order->acquirers) order->acquirers = arena_array(scan->arena, accesses + 1, uint8_t *);
  if (order->acquirers[index]) return order->acquirers[index];
  uint8_t *acquired = order->acquirers[index] = arena_array(scan->arena, accesses + 1, uint8_t);
  if (scan->has_opaque) return memset(acquired, 1, accesses);
  Arena *scratch = arena_open();
  uint8_t *releases = arena_array(scratch, accesses + 1, uint8_t);
  uint32_t *work = arena_array(scratch, accesses + 1, uint32_t);
  releases[index] = 1;
  work[count++] = index;
  for (uint32_t at = 0; at < count; at++)
    for (uint32_t r = 0; r < accesses; r++) {
      const Access *read = &scan->accesses.items[r];
      if (acquired[r] || !order_may_acquire(scan, read) || !may_pass(order, work[at], r)) continue;
      acquired[r] = 1;
      release_from(scan, read->inst, releases, work, &count);
    }
  arena_close(scratch);
  return acquired;
}

// ---- over a third thread
// Words of two scopes: the first thread releases to another one of its block, which releases to all blocks; or one that
// acquires of all releases to another one of the second thread's block.
enum { RELAY_LIMIT = 40 }; // strong accesses

typedef struct Relay {
  Order *order;
  bool is_acquired; // as if whoever reads acquired
  // By scope (of the block, of the device) and access: a read by which a third thread may know of the first one, a write
  // by which the second one may know of it.
  uint8_t *into[2], *out[2];
} Relay;

// Fences on some path make this half of an order, in that scope.
static bool is_whole(const Relay *relay, Half half, uint32_t access, const Access *operation, int is_wide) {
  const Scan *scan = relay->order->scan;
  uint32_t at = operation->inst;
  Gap gap = {
      .half = half, .access = access, .operation = at, .needed = is_wide ? IR_SCOPE_DEVICE : IR_SCOPE_BLOCK};
  bool releases = order_is_release(half);
  if (releases ? !order_may_release(scan, operation) || !graph_reaches(scan, access, at)
               : !order_may_acquire(scan, operation) || !graph_reaches(scan, at, access))
    return false;
  gap = order_gap_on_all_ways(scan, gap, couple_of(EXTENT_INTER_BLOCK), false);
  return gap.kind == GAP_NONE || (!releases && relay->is_acquired && gap.kind != GAP_SCOPE);
}

// A hop within a block is one to another thread.
static bool is_hop(const Relay *relay, uint32_t w, uint32_t r, int is_wide) {
  Order *order = relay->order;
  const Access *write = &order->scan->accesses.items[w], *read = &order->scan->accesses.items[r];
  if (!order_may_release(order->scan, write) || !order_may_acquire(order->scan, read) ||
      !may_pass(order, w, r))
    return false;
  bool is_one_thread = order_only_leader(order, write->inst) && order_only_leader(order, read->inst);
  return is_wide || (!is_one_thread && may_come_first(order, write, read));
}

static void find_hops(Relay *relay, uint32_t from, uint32_t to, int is_wide) {
  const Scan *scan = relay->order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    bool is_first = is_whole(relay, HALF_RELEASES, from, &scan->accesses.items[a], is_wide),
         is_last = is_whole(relay, HALF_ACQUIRES, to, &scan->accesses.items[a], is_wide);
    for (uint32_t b = 0; (is_first || is_last) && b < scan->accesses.count; b++) {
      relay->into[is_wide][b] |= is_first && is_hop(relay, a, b, is_wide);
      relay->out[is_wide][b] |= is_last && is_hop(relay, b, a, is_wide);
    }
  }
}

// The third thread makes the read, then the write, of another word; one of the two hops is wide.
static bool goes_over(const Relay *relay, uint32_t r, uint32_t w) {
  const Access *read = &relay->order->scan->accesses.items[r],
               *write = &relay->order->scan->accesses.items[w];
  bool any = false;
  for (int wide = 1; wide < 4 && !any; wide++)
    any = relay->into[wide & 1][r] && relay->out[wide >> 1][w] &&
          is_whole(relay, HALF_ACQUIRES, write->inst, read, wide & 1) &&
          is_whole(relay, HALF_RELEASES, read->inst, write, wide >> 1);
  return any && !may_pass(relay->order, w, r);
}

bool order_may_relay(Order *order, uint32_t from, uint32_t to, bool is_acquired) {
  ASSERT(scan_has_inst(order->scan, from));
  ASSERT(scan_has_inst(order->scan, to));
  const Scan *scan = order->scan;
  Relay relay = {.order = order, .is_acquired = is_acquired};
  uint32_t count = scan->accesses.count, strong = 0;
  for (uint32_t a = 0; a < count; a++)
    strong += operation_is_strong(scan, &scan->accesses.items[a]);
  Arena *scratch = arena_open();
  for (int is_wide = 0; is_wide < 2 && strong <= RELAY_LIMIT; is_wide++) {
    relay.into[is_wide] = arena_array(scratch, count + 1, uint8_t);
    relay.out[is_wide] = arena_array(scratch, count + 1, uint8_t);
    find_hops(&relay, from, to, is_wide);
  }
  bool may = false;
  for (uint32_t r = 0; r < count && strong <= RELAY_LIMIT; r++)
    for (uint32_t w = 0; w < count; w++)
      may |= goes_over(&relay, r, w);
  arena_close(scratch);
  return may;
}
