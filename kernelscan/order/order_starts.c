// Does the word of a lock only ever hold its free value and the one that says it is taken? Then who finds
// that it was not taken has found it free (`while (atomicCAS(lock, 0, 1) == 1);`). Method: every write of the
// kernel that may touch the word stores one of the two constants, and so it holds one of them at the start
// (start_values.c; in shared memory: a thread of the block sets it up first). Soundness: what is not a constant, or
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

// ---- what it holds at the start
// Only threads of the block that makes the write use the words that it may be to.
static bool is_of_own_block(Order *order, const LockSite *site, const Access *write) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Target word;
  if (!order_plain_target(order->anyone_else, write, &word) || site->target.key || !write->is_natural ||
      write->bytes != site->access->bytes)
    return false;
  ExprRef same = order_same_block(scan, order->anyone->view, order->anyone_else->view);
  return order_never_of_two(order, expr_not(pool, same), expr_eq(pool, word.offset, site->target.offset),
                            "another block's lock");
}

bool order_sets_up(Order *order, const LockSite *site, const WordWrite *write) {
  ASSERT(scan_has_access(order->scan, site->access));
  return (order_word_of_lock(order, site)->is_of_block || is_of_own_block(order, site, write->access)) &&
         order_is_before_all(order, write->access, site->access);
}

// By a thread of the block, before anybody of it comes there; all that is stored before is one of the two, or neither.
static bool is_set_up(Order *order, const LockSite *site, TwoValues two, bool is_among) {
  bool is_set = false;
  for (WordRow row = {.word = order_word_of_lock(order, site)}; order_next_row(&row);) {
    int64_t value = 0;
    if (!order_is_before_all(order, row.access, site->access)) continue;
    if (!order_write_is(row.write, WRITE_FITS) || !order_leaves_constant(row.write, &value) ||
        is_one_of(two, value) != is_among)
      return false;
    is_set |= order_write_is(row.write, WRITE_REPLACES) &&
              order_is_made_for(order, row.write, &site->target, site->access->inst);
  }
  return is_set;
}

bool order_starts_with(Order *order, const LockSite *site, int64_t one, int64_t other, bool is_one_of) {
  ASSERT(scan_has_access(order->scan, site->access));
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  StartValue start;
  if (order_word_of_lock(order, site)->is_of_block)
    return is_set_up(order, site, (TwoValues){one, other}, is_one_of);
  if (!start_values_of(scan, &site->target, site->access->bytes, &start)) return false;
  uint8_t width = expr_width(pool, start.value);
  ExprRef either = expr_or(pool, expr_eq(pool, start.value, expr_const(pool, width, one)),
                           expr_eq(pool, start.value, expr_const(pool, width, other)));
  return order_never(order, is_one_of ? expr_not(pool, either) : either, start.known,
                     "what does the lock start with");
}

// ---- taken at the start
// A word that is handed on holds what says "taken" (1, or "not ready yet") until somebody's first store sets it free, and
// from then on those who take it give it back. Nobody can take the word before the only store that sets it free without
// holding it, and that is made once, by one thread of any two (solver); so it is made while nobody holds it.
bool order_starts_taken(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  return !site->is_turn && !site->bits && !site->is_shared &&
         order_starts_with(order, site, site->free_value, site->free_value, false);
}

bool order_opens(Order *order, const LockSite *site, const WordWrite *write) {
  ASSERT(scan_has_access(order->scan, site->access));
  return order_write_is(write, WRITE_IS_ONCE | WRITE_IS_TO_IT) && order_has_one_maker(order, write->access) &&
         order_starts_taken(order, site);
}

// ---- two values
bool order_is_binary(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  const Scan *scan = order->scan;
  TwoValues two = {site->free_value, site->taken};
  if (scan->has_opaque || !site->access->is_natural) return false;
  const SyncWord *word = order_word_of_lock(order, site);
  for (WordRow row = {.word = word}; order_next_row(&row);)
    if (!keeps_to(row.write, two)) return false;
  return order_starts_with(order, site, two.free_value, two.taken, true);
}
