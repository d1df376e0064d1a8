// Is a lock taken at the start, and opened by one thread that has not taken it? A word that is handed on is
// often used so: it holds what says "taken" (1, or "not ready yet") until somebody's first store sets it
// free, and from then on those who take it give it back. Method: what the word holds at the start
// (order_start.c, or the set-up in shared memory), and who makes the store, asked of the solver for two
// threads. Soundness: nobody can take the word before the only store that sets it free without holding it,
// and that is made once; so it is made while nobody holds it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"

// In shared memory: all stores that come before all others say "taken", and one is to this word.
static bool is_set_up_taken(Order *order, const LockSite *site) {
  bool any = false;
  for (WordRow row = {.word = order_word_of_lock(order, site)}; order_next_row(&row);) {
    int64_t stored = 0;
    if (!order_is_before_all(order, row.access, site->access)) continue;
    if (!order_leaves_constant(row.write, &stored) || stored == site->free_value ||
        !order_write_is(row.write, WRITE_FITS))
      return false;
    any |= order_write_is(row.write, WRITE_IS_TO_IT);
  }
  return any;
}

bool order_starts_taken(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  OrderStart start;
  if (site->is_token || site->bits || site->is_shared) return false;
  if (scan->objects.items[site->target.object].kind == OBJ_SHARED) return is_set_up_taken(order, site);
  if (!order_start_value(scan, &site->target, site->access->bytes, &start)) return false;
  ExprRef free = expr_const(pool, expr_width(pool, start.value), site->free_value);
  Obligation taken = {
      .breach = expr_eq(pool, start.value, free), .context = start.known, .one = order->anyone};
  return order_is_met(scan, &taken, "is the lock free at the start");
}

bool order_opens(Order *order, const LockSite *site, const Access *write) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(scan_has_access(order->scan, write));
  const WordWrite row = order_write(order, write);
  return order_is_same_word(order, write, &site->target) && order_write_is(&row, WRITE_IS_ONCE) &&
         order_has_one_maker(order, write) && order_starts_taken(order, site);
}
