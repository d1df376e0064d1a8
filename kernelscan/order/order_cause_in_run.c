// A run of the launch has shown a race, and says what would have ordered the two in that very run: a fence,
// if operations that happened to stand in between had been fences as well. Is it so in the text of the
// kernel? Method: paths between the access and strong operations of its thread or block. If both sides have
// all their fences, and what one thread has waited for is a counter by which the other one releases, then the
// wait was over too early. Soundness: this only chooses the words for a race that is one anyway.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

#include <string.h>

// Some operation that releases the access, or acquires before it, has no fence in between, on some path.
static bool lacks(const Scan *scan, uint32_t inst, OrderSide side, IrScope needed) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->inst == inst) continue;
    if (side == SIDE_RELEASE
            ? order_may_release(scan, access) && order_lacks_release(scan, inst, access->inst, needed, false)
            : order_may_acquire(scan, access) && operation_is_used(scan, access->inst) &&
                  !order_acquires_always(scan, access->inst) &&
                  order_lacks_fence(scan, access->inst, inst, needed, SIDE_ACQUIRE))
      return true;
  }
  return false;
}

// Who acquires something relays it without fences between, as a third thread may.
static bool lacks_relay(const Scan *scan, IrScope needed) {
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    for (uint32_t b = 0; b < scan->accesses.count; b++) {
      const Access *read = &scan->accesses.items[a], *write = &scan->accesses.items[b];
      bool acquires = order_may_acquire(scan, read) && operation_is_used(scan, read->inst);
      if (acquires && order_may_release(scan, write) && read != write &&
          graph_reaches(scan, read->inst, write->inst) &&
          !order_relays(scan, read->inst, write->inst, needed))
        return true;
    }
  return false;
}

static bool is_lacking(const Scan *scan, const Access *const accesses[2], IrScope needed, const char *cause) {
  bool is_release = strcmp(cause, "missing-fence") == 0,
       is_acquire = strcmp(cause, "missing-acquire-fence") == 0;
  if (!is_release && !is_acquire) return true;
  for (int t = 0; t < 2; t++)
    if (lacks(scan, accesses[t]->inst, is_release ? SIDE_RELEASE : SIDE_ACQUIRE, needed)) return true;
  return lacks_relay(scan, needed);
}

// The thread of the access counts itself in at the word of the signal behind it, or its leader does, behind a
// barrier.
static bool is_counted_in(Order *order, const Signal *signal, const Access *access) {
  const Scan *scan = order->scan;
  bool any = false;
  for (WordRow row = {.word = order_word_of(order, signal)}; order_next_row(&row);) {
    const Access *write = row.access;
    bool counts = row.write->kind == WRITE_ADD || row.write->kind == WRITE_WRAP;
    if (!counts) return false; // a flag: there may be another one that is meant
    any |= graph_reaches(scan, access->inst, write->inst) &&
           (!order_only_leader(order, write->inst) || order_only_leader(order, access->inst) ||
            !order_reaches_in(scan, access->inst, write->inst, couple_of(EXTENT_INTRA_BLOCK)));
  }
  return any;
}

static const Signal *find_early(Order *order, const Access *const accesses[2]) {
  for (int t = 0; t < 2; t++)
    for (uint32_t s = 0; s < order->signal_count; s++)
      if (order_is_passed_at(order, s, accesses[t]->inst) &&
          is_counted_in(order, &order->signals[s], accesses[1 - t]))
        return &order->signals[s];
  return NULL;
}

const char *order_cause_in_run(Scan *scan, const Access *const accesses[2], Extent extent, const char *cause,
                               const char **text) {
  ASSERT(scan_is_extent(extent));
  IrScope needed = operation_scope_needed(extent);
  *text = NULL;
  if (cause && is_lacking(scan, accesses, needed, cause)) return cause;
  Order *order = order_get(scan);
  const Signal *early = order->has_strong_access ? find_early(order, accesses) : NULL;
  if (!early) return NULL;
  for (int t = 0; t < 2; t++)
    if (lacks(scan, accesses[t]->inst, SIDE_RELEASE, needed)) return NULL;
  *text =
      arena_printf(scan->arena,
                   "in a run of the whole launch, the number that is awaited at line %u was reached before "
                   "the thread of the other access had counted up behind it",
                   operation_line(scan, early->read->inst));
  return "incomplete-arrival";
}
