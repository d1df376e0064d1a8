// Does the word of a lock only ever hold its free value and the one that says it is taken? Then who finds
// that it was not taken has found it free (`while (atomicCAS(lock, 0, 1) == 1);`). Method: every write of the
// kernel that may touch the word stores one of the two constants, and so it holds one of them at the start
// (order_start.c; in shared memory: the leader sets it up first). Soundness: what is not a constant, or
// another width, says no.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"

typedef struct TwoValues {
  int64_t free_value, taken;
} TwoValues;

static bool is_one_of(TwoValues two, int64_t value) {
  return value == two.free_value || value == two.taken;
}

static bool keeps_to(const WordWrite *write, TwoValues two) {
  int64_t value = 0;
  return order_write_is(write, WRITE_FITS) && order_leaves_constant(write, &value) && is_one_of(two, value);
}

// By the leader, on all its ways to the lock, before anybody of the block comes there.
static bool is_set_up(Order *order, const LockSite *site, const SyncWord *word, TwoValues two) {
  bool is_set = false;
  for (WordRow row = {.word = word}; order_next_row(&row);) {
    if (!order_is_before_all(order, row.access, site->access)) continue;
    if (!keeps_to(row.write, two)) return false;
    is_set |= order_write_is(row.write, WRITE_IS_TO_IT) &&
              !order_leader_avoids(order, row.access->inst, site->access->inst);
  }
  return is_set;
}

bool order_starts_with(Order *order, const LockSite *site, int64_t one, int64_t another) {
  ASSERT(scan_has_access(order->scan, site->access));
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  const TwoValues two = {one, another};
  const SyncWord *word = order_word_of_lock(order, site);
  OrderStart start;
  if (word->is_of_block) return is_set_up(order, site, word, two);
  if (!order_start_value(scan, &site->target, site->access->bytes, &start)) return false;
  uint8_t width = expr_width(pool, start.value);
  ExprRef other = expr_and(pool, expr_ne(pool, start.value, expr_const(pool, width, two.free_value)),
                           expr_ne(pool, start.value, expr_const(pool, width, two.taken)));
  Obligation one_of_two = {.breach = other, .context = start.known, .one = order->anyone};
  return order_is_met(scan, &one_of_two, "does the lock start with another value");
}

bool order_is_binary(Order *order, const LockSite *site, int64_t taken) {
  ASSERT(scan_has_access(order->scan, site->access));
  const Scan *scan = order->scan;
  TwoValues two = {site->free_value, taken};
  if (scan->has_opaque || !site->access->is_natural) return false;
  const SyncWord *word = order_word_of_lock(order, site);
  for (WordRow row = {.word = word}; order_next_row(&row);)
    if (!keeps_to(row.write, two)) return false;
  return order_starts_with(order, site, two.free_value, two.taken);
}

int order_tell_apart(const Scan *scan, const EdgeTest *test, const Access *access, int64_t free_value,
                     int64_t taken) {
  ASSERT(test);
  ASSERT(scan_has_access(scan, access));
  int64_t other = 0;
  if (test->pred == IR_PRED_NONE || test->value != IR_REF(IR_REF_INST, access->inst) ||
      (test->other && !ir_const_value(scan->fn, test->other, &other)))
    return 0;
  return order_compares_words(test->pred, free_value, other) - order_compares_words(test->pred, taken, other);
}
