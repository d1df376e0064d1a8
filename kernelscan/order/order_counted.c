// Is a word a count of those who hold it? `if (atomicAdd(lock, 1) == 0)`: whoever is returned 0 holds it alone. Either only
// its holder writes it otherwise (`atomicExch(lock, 0)`, `atomicSub(lock, 1)`), or whoever has counted it up, holder or not,
// counts it down again. Readers count themselves in by one, where they find less than a writer leaves
// (`atomicAdd(lock, 1) < WRITER`), or what is not negative (`atomicCAS(lock, n, n + 1) == n` behind `n >= 0`), and out again by
// one; a writer goes from 0 to a large or a negative number, and back. Method: lock sites of order_lock_discipline.c, those of readers
// shared. Why, of the first kind: from one write that is no addition of one to the next one the word only rises, so one thread
// at most is returned 0; it is larger from then on, until that thread itself writes it. What it holds at the start does not
// matter. Of all others: the word is the sum of what has been added and not undone, zero at the start, and the holder's own is
// part of it until he takes it off. So nobody counts in while somebody writes, and nobody writes while somebody reads. The
// first kind and readers do not mix: who stores 0 forgets those who have still to count down. Soundness: nothing else
// writes the word, and every operation on it is of a scope that holds the two threads (order_missing_parts.c); on every path to a
// subtraction stands an addition that has not been undone, in its thread; that so many additions follow each other that the
// word comes round is left out, as with all counters.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- readers and writers
static const int64_t half = 1ll << 31;

bool order_counts_out(const WordWrite *write) {
  return write->kind == WRITE_ADD && write->is_constant && write->constant == -1;
}

// The lock that this operation takes, if it is one of readers (or of a writer).
bool order_is_readers(const Order *order, const Access *access, bool or_writer) {
  ASSERT(scan_has_access(order->scan, access));
  const LockSite *site = order_site_of(order, access);
  return site && (site->is_shared || (or_writer && order_is_writer(order->scan, site)));
}

bool order_mixes_readers(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  bool has_readers = false, has_others = false;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *other = &order->locks[s];
    if (!order_may_touch(order, other->access, &site->target, site->access->bytes)) continue;
    has_readers |= other->is_shared;
    has_others |= !other->is_shared && !order_is_writer(order->scan, other);
  }
  return has_readers && has_others;
}

// What a writer leaves, who finds nobody there, as a number without a sign: so far from where the word comes round that readers
// do not get there. 0: it is none.
static int64_t left_by_writer(const Scan *scan, const WordWrite *write) {
  const IrInst *inst = inst_at(scan, write->access->inst);
  bool goes_up = write->kind == WRITE_SWAP && order_write_is(write, WRITE_FITS) &&
                 order_is_number(scan, inst->ops[1], 0) && write->is_constant;
  int64_t left = goes_up && write->access->bytes == 4 ? (uint32_t)write->constant : write->constant;
  return goes_up && left > 0 && left <= (write->access->bytes == 4 ? half + READERS_END : READERS_END) ? left
                                                                                                       : 0;
}

// By an addition: what all writers leave is no less than that; 0: there are none, or some leave negative numbers and others
// do not.
static int64_t least_of_writers(const Scan *scan, const SyncWord *word) {
  int64_t least = 0, most = 0;
  for (WordRow row = {word, .is_in_text = true}; order_next_row(&row);) {
    int64_t left = left_by_writer(scan, row.write);
    if (left && (!least || left < least)) least = left;
    if (left > most) most = left;
  }
  return least <= READERS_END && most > READERS_END ? 0 : least;
}

bool order_find_counter(Order *order, const EdgeTest *test, LockSite *site) {
  ASSERT(test);
  ASSERT(scan_has_access(order->scan, site->access));
  Target word;
  if (!order_one_target(order->anyone, site->access->address, &word)) return false;
  const SyncWord *table = order_word(order, &word, site->access->bytes);
  const WordWrite *own = order_write_at(table, site->access->inst);
  bool is_given_back = false;
  for (WordRow row = {table, .is_in_text = true}; order_next_row(&row);)
    is_given_back |= !order_write_is(row.write, WRITE_DRAWS);
  if (!own || !order_write_is(own, WRITE_DRAWS)) return false;
  site->is_counted = true;
  if (test->pred == IR_EQ) return is_given_back;
  site->is_shared = true;
  site->taken = least_of_writers(order->scan, table);
  return site->taken != 0;
}

bool order_is_reader(const Scan *scan, const IrInst *swap) {
  const IrInst *more = ir_inst(scan->fn, swap->ops[2]);
  return ir_ref_kind(swap->ops[1]) == IR_REF_INST && more && more->op == IR_ADD &&
         more->ops[0] == swap->ops[1] && order_is_number(scan, more->ops[1], 1);
}

void order_join_writers(Order *order) {
  for (uint32_t r = 0; r < order->lock_count; r++)
    for (uint32_t w = 0; w < order->lock_count; w++) {
      const LockSite *reader = &order->locks[r], *writer = &order->locks[w];
      if (!reader->is_counted || !reader->is_shared || writer->is_shared) continue;
      const WordWrite *row = order_write_at(order_word_of_lock(order, reader), writer->access->inst);
      order->locks[w].is_counted |= row && left_by_writer(order->scan, row) >= reader->taken;
    }
}

bool order_counts_in(const Order *order, const WordWrite *write) {
  const LockSite *site = order_site_of(order, write->access);
  return order_write_is(write, WRITE_FITS) &&
         (order_write_is(write, WRITE_DRAWS) || (site && site->is_counted));
}

// ---- is it undone
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
