// Is a lock taken at the start, and opened by one thread that has not taken it? A word that is handed on is
// often used so: it holds what says "taken" (1, or "not ready yet") until somebody's first store sets it
// free, and from then on those who take it give it back. Method: what the word holds at the start
// (start_values.c, or the set-up in shared memory), and who makes the store, asked of the solver for two
// threads. Soundness: nobody can take the word before the only store that sets it free without holding it,
// and that is made once; so it is made while nobody holds it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"

bool order_starts_taken(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  return !site->is_turn && !site->bits && !site->is_shared &&
         order_starts_with(order, site, site->free_value, site->free_value, false);
}

bool order_opens(Order *order, const LockSite *site, const Access *write) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(scan_has_access(order->scan, write));
  const WordWrite row = order_write(order, write);
  return order_is_same_word(order, write, &site->target) && order_write_is(&row, WRITE_IS_ONCE) &&
         order_has_one_maker(order, write) && order_starts_taken(order, site);
}
