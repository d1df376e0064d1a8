// Is a word a lock that several readers hold together, or one writer alone? Readers add one and see what was there
// before (order_counted.c says why that does; a number below zero is a large one without a sign), or count themselves in where the word is not negative
// (`atomicCAS(lock, n, n + 1) == n` behind `n >= 0`) and out again by one; then a writer goes from 0 to a negative number,
// and back. Method: both are lock sites of order_locks.c, the readers' ones shared. Soundness: while somebody writes the
// word is negative, so nobody counts in; while somebody reads it is not 0, so nobody writes; that holds only if nothing
// else changes the word, which is asked of every write.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"

// Whoever comes to the block has found that the value is not negative.
static bool is_known_not_negative(const Scan *scan, IrRef value, uint32_t block) {
  for (uint32_t from = block, to; order_edge_above(scan, &from, &to);) {
    EdgeTest test;
    if (!order_edge_test(scan, from, to, &test) || test.value != value || !test.other) continue;
    if ((test.pred == IR_SGE && order_is_number(scan, test.other, 0)) ||
        (test.pred == IR_SGT && order_is_number(scan, test.other, -1)))
      return true;
  }
  return false;
}

const Access *order_find_reader(const Scan *scan, const EdgeTest *test) {
  ASSERT(test);
  const IrInst *inst = ir_inst(scan->fn, test->value);
  if (!inst || inst->op != IR_CMPXCHG || !test->other || test->other != inst->ops[1] ||
      ir_ref_kind(inst->ops[1]) != IR_REF_INST)
    return NULL;
  const IrInst *more = ir_inst(scan->fn, inst->ops[2]);
  if (!more || more->op != IR_ADD || more->ops[0] != inst->ops[1] ||
      !order_is_number(scan, more->ops[1], 1) || !is_known_not_negative(scan, inst->ops[1], inst->block))
    return NULL;
  return operation_access(scan, ir_ref_index(test->value));
}

bool order_is_writer(const Scan *scan, const LockSite *site) {
  ASSERT(scan_has_access(scan, site->access));
  const IrInst *inst = inst_at(scan, site->access->inst);
  int64_t stored = 0;
  if (site->is_counted && inst->op == IR_CMPXCHG) return true;
  return !site->is_turn && !site->bits && !site->is_shared && inst->op == IR_CMPXCHG &&
         site->free_value == 0 && ir_const_value(scan->fn, inst->ops[2], &stored) && stored < 0;
}

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

// ---- by additions
enum { FAR = 1 << 30 }; // so many readers do not come in
static const int64_t half = 1ll << 31;

// Where this holds, the number that an addition returned is below `limit`, as a number without a sign; if it is compared
// as one with a sign (`is_signed`), only where the word is no negative number.
static bool is_below(const Scan *scan, const EdgeTest *test, int64_t *limit, bool *is_signed) {
  bool is_less = test->pred == IR_SLT || test->pred == IR_ULT,
       is_at_most = test->pred == IR_SLE || test->pred == IR_ULE;
  *is_signed = test->pred == IR_SLT || test->pred == IR_SLE;
  int64_t other = 0;
  if (test->other && !ir_const_value(scan->fn, test->other, &other)) return false;
  bool is_positive = (test->pred == IR_SGE && other == 0) || (test->pred == IR_SGT && other == -1);
  *limit = is_positive ? half : other + is_at_most;
  return is_positive || ((is_less || is_at_most) && *limit > 0);
}

int order_test_of_counted(const Order *order, const LockSite *site, const EdgeTest *test) {
  ASSERT(test);
  const EdgeTest opposite = {test->value, test->other, ir_pred_opposite(test->pred)};
  int64_t limit = 0;
  bool is_signed;
  if (test->value != IR_REF(IR_REF_INST, site->access->inst)) return 0;
  if (is_below(order->scan, test, &limit, &is_signed))
    return limit <= site->taken && (!is_signed || site->taken <= FAR);
  return is_below(order->scan, &opposite, &limit, &is_signed) && limit >= site->taken ? -1 : 0;
}

// What a writer leaves, who finds nobody there, as a number without a sign: so far from where the word comes round that readers
// do not get there. 0: it is none.
static int64_t left_by_writer(const Scan *scan, const WordWrite *write) {
  const IrInst *inst = inst_at(scan, write->access->inst);
  bool goes_up = write->kind == WRITE_SWAP && order_write_is(write, WRITE_FITS) &&
                 order_is_number(scan, inst->ops[1], 0) && write->is_constant;
  int64_t left = goes_up && write->access->bytes == 4 ? (uint32_t)write->constant : write->constant;
  return goes_up && left > 0 && left <= (write->access->bytes == 4 ? half + FAR : FAR) ? left : 0;
}

int64_t order_find_counted_reader(Order *order, const EdgeTest *test, const Access **access) {
  ASSERT(test);
  const Scan *scan = order->scan;
  const IrInst *inst = ir_inst(scan->fn, test->value);
  int64_t limit = 0, least = 0, most = 0;
  bool is_signed;
  Target word;
  *access = inst ? operation_access(scan, ir_ref_index(test->value)) : NULL;
  if (!*access || !is_below(scan, test, &limit, &is_signed) || order_amount(scan, *access) != 1 ||
      !order_one_target(order->anyone, (*access)->address, &word))
    return 0;
  for (WordRow row = {order_word(order, &word, (*access)->bytes), .is_in_text = true};
       order_next_row(&row);) {
    int64_t left = left_by_writer(scan, row.write);
    if (left && (!least || left < least)) least = left;
    if (left > most) most = left;
  }
  // All writers stay below zero, or none does.
  bool is_apart = most <= FAR || (least > FAR && !is_signed);
  return limit <= least && is_apart ? least : 0;
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
