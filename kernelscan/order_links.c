// Can word of an access get to another thread at all? A thread tells by a strong write behind the access;
// another one learns by a strong read of the same word, and may tell on by a further strong write. Method:
// closure over the strong accesses of the kernel, by "may touch the same word" and by control flow (which
// over-approximates barriers as well: what a thread hands to another one of its block at a barrier lies on a
// way through that barrier). Soundness: "no" is a proof that no chain of reads and writes leads from one
// access to the other; "yes" is no proof of anything.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order.h"

static bool tells(const Scan *scan, const Access *access) {
  return access->kind != ACCESS_READ && order_is_strong(scan, access) && !order_is_only_read(scan, access);
}

static bool learns(const Scan *scan, const Access *access) {
  return order_is_strong(scan, access) && scan->fn->insts.items[access->inst].op != IR_STORE;
}

// May the two operations be on one word?
static bool may_share_word(Order *order, const Access *write, const Access *read) {
  SymValue address = frame_value(order->anyone, read->address);
  if (address.kind != SYM_POINTER) return true;
  for (uint32_t i = 0; i < address.target_count; i++)
    if (order_may_touch(order, write, &address.targets[i], read->bytes)) return true;
  return false;
}

typedef struct Spread {
  Order *order;
  uint8_t *state; // by access: 1 told by, 2 known at
  uint32_t *work, count;
} Spread;

// Whatever is told behind this instruction.
static void tell_from(Spread *spread, uint32_t inst) {
  const Scan *scan = spread->order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    bool comes_later = write->inst == inst || order_reaches(scan, inst, write->inst);
    if ((spread->state[a] & 1) || !tells(scan, write) || !comes_later) continue;
    spread->state[a] |= 1;
    spread->work[spread->count++] = a;
  }
}

bool order_may_tell(Order *order, uint32_t from, uint32_t to) {
  const Scan *scan = order->scan;
  Arena *scratch = arena_open();
  Spread spread = {.order = order,
                   .state = arena_array(scratch, scan->accesses.count + 1, uint8_t),
                   .work = arena_array(scratch, scan->accesses.count + 1, uint32_t)};
  bool found = scan->has_opaque;
  tell_from(&spread, from);
  for (uint32_t at = 0; at < spread.count && !found; at++)
    for (uint32_t r = 0; r < scan->accesses.count && !found; r++) {
      const Access *read = &scan->accesses.items[r];
      if ((spread.state[r] & 2) || !learns(scan, read) ||
          !may_share_word(order, &scan->accesses.items[spread.work[at]], read))
        continue;
      spread.state[r] |= 2;
      found = read->inst == to || order_reaches(scan, read->inst, to);
      tell_from(&spread, read->inst);
    }
  arena_close(scratch);
  return found;
}
