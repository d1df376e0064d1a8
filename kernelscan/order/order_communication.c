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
enum { RELAY_LIMIT = 40 };

typedef struct Relay {
  Order *order;
  bool has_too_many; // strong accesses
  uint32_t count;
  uint32_t items[RELAY_LIMIT]; // strong accesses
  bool shares[RELAY_LIMIT][RELAY_LIMIT];
  IrScope releases[RELAY_LIMIT][RELAY_LIMIT], acquires[RELAY_LIMIT][RELAY_LIMIT];
  IrScope released[RELAY_LIMIT], acquired[RELAY_LIMIT]; // from the first access, to the second one
} Relay;

static bool find_strong(Relay *relay) {
  const Scan *scan = relay->order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (!operation_is_strong(scan, access)) continue;
    if (relay->count == RELAY_LIMIT) return false;
    relay->items[relay->count++] = a;
  }
  return true;
}

// The widest scope in which fences on a path, or none where `needs_none`, let the operation pass on what is done on the
// other side of it; THREAD: none.
static IrScope widest(const Scan *scan, const Access *operation, uint32_t from, uint32_t to, OrderSide side,
                      bool needs_none) {
  const Couple couple = couple_of(EXTENT_INTER_BLOCK);
  IrScope scope = graph_reaches(scan, from, to) ? operation_scope(scan, operation) : IR_SCOPE_THREAD;
  for (IrScope wide = IR_SCOPE_DEVICE; wide >= IR_SCOPE_BLOCK;
       wide = wide > IR_SCOPE_BLOCK ? IR_SCOPE_BLOCK : IR_SCOPE_THREAD)
    if (scope >= wide && (needs_none || order_may_fence(scan, from, to, wide, side, couple, false)))
      return wide;
  return IR_SCOPE_THREAD;
}

// In which scope does the write release what was done at `from`?
static IrScope release_scope(const Scan *scan, uint32_t from, const Access *write) {
  return order_may_release(scan, write) ? widest(scan, write, from, write->inst, SIDE_RELEASE, false)
                                        : IR_SCOPE_THREAD;
}

static IrScope acquire_scope(const Scan *scan, const Access *read, uint32_t to, bool is_acquired) {
  bool needs_none = is_acquired || order_acquires(scan, read->inst) || order_rules(scan)->reads_acquire;
  return order_may_acquire(scan, read) ? widest(scan, read, read->inst, to, SIDE_ACQUIRE, needs_none)
                                       : IR_SCOPE_THREAD;
}

static IrScope narrower(IrScope a, IrScope b) {
  return a < b ? a : b;
}

// A hop within a block is one to another thread.
static bool is_hop_in_block(const Relay *relay, uint32_t write, uint32_t read) {
  const Access *accesses = relay->order->scan->accesses.items;
  const Access *one = &accesses[relay->items[write]], *two = &accesses[relay->items[read]];
  bool is_one_thread =
      order_only_leader(relay->order, one->inst) && order_only_leader(relay->order, two->inst);
  return !is_one_thread && may_come_first(relay->order, one, two);
}

// The write `p`, read by `r`, which goes on to the write `w`, read by `q`.
static bool goes_over(const Relay *relay, uint32_t p, uint32_t r, uint32_t w, uint32_t q) {
  if (!relay->shares[w][q] || relay->shares[w][r]) return false;
  IrScope one = narrower(relay->released[p], relay->acquires[r][w]),
          two = narrower(relay->releases[r][w], relay->acquired[q]);
  if (one < IR_SCOPE_BLOCK || two < IR_SCOPE_BLOCK || (one < IR_SCOPE_DEVICE && two < IR_SCOPE_DEVICE))
    return false;
  return (one >= IR_SCOPE_DEVICE || is_hop_in_block(relay, p, r)) &&
         (two >= IR_SCOPE_DEVICE || is_hop_in_block(relay, w, q));
}

// What is the same for all pairs of accesses.
static Relay *relay_get(Order *order, bool is_acquired) {
  const Scan *scan = order->scan;
  if (order->relays[is_acquired]) return order->relays[is_acquired];
  Relay *relay = order->relays[is_acquired] = arena_new(scan->arena, Relay);
  relay->order = order;
  relay->has_too_many = !find_strong(relay);
  for (uint32_t a = 0; a < relay->count && !relay->has_too_many; a++) {
    const Access *access = &scan->accesses.items[relay->items[a]];
    for (uint32_t b = 0; b < relay->count; b++) {
      const Access *other = &scan->accesses.items[relay->items[b]];
      relay->shares[a][b] = order_may_release(scan, access) && order_may_acquire(scan, other) &&
                            may_pass(order, relay->items[a], relay->items[b]);
      relay->releases[a][b] = release_scope(scan, access->inst, other);
      relay->acquires[a][b] = acquire_scope(scan, access, other->inst, is_acquired);
    }
  }
  return relay;
}

bool order_may_relay(Order *order, uint32_t from, uint32_t to, bool is_acquired) {
  ASSERT(scan_has_inst(order->scan, from));
  ASSERT(scan_has_inst(order->scan, to));
  const Scan *scan = order->scan;
  Relay *relay = relay_get(order, is_acquired);
  if (relay->has_too_many) return false;
  for (uint32_t a = 0; a < relay->count; a++) {
    const Access *access = &scan->accesses.items[relay->items[a]];
    relay->released[a] = release_scope(scan, from, access);
    relay->acquired[a] = acquire_scope(scan, access, to, is_acquired);
  }
  for (uint32_t p = 0; p < relay->count; p++)
    for (uint32_t r = 0; r < relay->count && relay->released[p] >= IR_SCOPE_BLOCK; r++)
      for (uint32_t w = 0; w < relay->count && relay->shares[p][r]; w++)
        for (uint32_t q = 0; q < relay->count; q++)
          if (goes_over(relay, p, r, w, q)) return true;
  return false;
}
