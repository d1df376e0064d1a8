// Is a word a lock that threads take by counting it up? `if (atomicAdd(lock, 1) == 0)`: whoever is returned 0 holds it.
// Either only its holder writes it otherwise (`atomicExch(lock, 0)`, `atomicSub(lock, 1)`), or whoever has counted it up,
// holder or not, counts it down again. Method: a lock site of order_locks.c, whose word additions of one never set free.
// Why, of the first kind: from one write that is no such addition to the next one the word only rises, so one thread at
// most is returned 0; it is larger from then on, until that thread itself writes it. What it holds at the start does not
// matter. Of the second kind: the word is the number of additions that have not been undone, zero at the start, and the
// holder's own is one of them until it counts down. So it is with readers that count themselves in by one, and a writer that
// goes from 0 to a large number, which it takes off again: who is returned less than that counts in while nobody writes,
// and who finds 0 writes while nobody reads. The two do not mix: who stores 0 forgets those who have still to count
// down. Soundness: nothing else writes the word, and every operation on it is of a scope that holds the two threads
// (order_gaps.c); on every path to a subtraction stands an addition that has not been undone, in its thread; that so many
// additions follow each other that the word comes round is left out, as with all counters.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

const Access *order_find_counted(Order *order, const EdgeTest *test) {
  ASSERT(test);
  const Scan *scan = order->scan;
  const IrInst *inst = ir_inst(scan->fn, test->value);
  const Access *access = inst ? operation_access(scan, ir_ref_index(test->value)) : NULL;
  Target word;
  if (!access || test->pred != IR_EQ || (test->other && !order_is_number(scan, test->other, 0)) ||
      !access->is_natural || !order_one_target(order->anyone, access->address, &word))
    return NULL;
  WordRow row = {order_word(order, &word, access->bytes), .is_in_text = true};
  const WordWrite *own = order_write_at(row.word, access->inst);
  if (!own || !order_write_is(own, WRITE_DRAWS)) return NULL;
  while (order_next_row(&row))
    if (!order_write_is(row.write, WRITE_DRAWS)) return access; // else it is never given back
  return NULL;
}

// What it takes to undo what was done at this site: the addition, or what a writer has found to be so.
static bool is_undone_by(const Order *order, uint32_t s, int class, const WordWrite *write) {
  const Scan *scan = order->scan;
  const LockSite *taken = &order->locks[s];
  const IrInst *inst = inst_at(scan, taken->access->inst);
  if (inst->op != IR_CMPXCHG)
    return order_counts_out(write) && (order_unspent_before(order, class, write->access->inst) >> s & 1) &&
           graph_dominates(scan, taken->access->inst, write->access->inst);
  int64_t left = 0;
  return write->kind == WRITE_ADD && write->is_constant && ir_const_value(scan->fn, inst->ops[2], &left) &&
         (inst->type.bits > 32 ? write->constant == -left : (uint32_t)write->constant == (uint32_t)-left) &&
         (order_held_before(order, class, write->access->inst, true) >> s & 1);
}

// Whoever makes the write has counted the word up, and has not undone that.
static bool has_counted_in(const Order *order, const WordWrite *row) {
  const Access *write = row->access;
  for (int c = -1; order_next_class(order, write->inst, &c);) {
    bool has = false;
    for (uint32_t s = 0; s < order->lock_count && !has; s++) {
      const LockSite *taken = &order->locks[s];
      has = taken->is_counted && taken->is_disciplined && is_undone_by(order, s, c, row) &&
            order_is_same_word(order, write, &taken->target) &&
            order_address_stays(order, taken, write->inst);
    }
    if (!has) return false;
  }
  return true;
}

bool order_all_count_out(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  if (!site->is_counted || !order_starts_with(order, site, 0, 0, true)) return false;
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    int64_t value = 0;
    bool sets_up =
        order_sets_up(order, site, row.write) && order_leaves_constant(row.write, &value) && value == 0;
    bool undoes = order_write_is(row.write, WRITE_FITS) && has_counted_in(order, row.write);
    if (!sets_up && !undoes && !order_counts_in(order, row.write)) return false;
  }
  return true;
}
