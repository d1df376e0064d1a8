// Which bits of a word are a lock? `while (atomicOr(word, bit) & bit);` takes it, `atomicAnd(word, ~bit)`
// gives it back; many locks share a word. Method: the test behind the operation names the bits that it found
// clear; who gives bits back, and whether two threads hold one in common, is asked of the same values.
// Soundness: a bit-or sets bits only, so nobody finds clear what another one holds, as long as bits are
// cleared by who holds just those.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"

static ExprRef mask_in(Frame *frame, IrRef bits, const Access *access) {
  return frame_word(frame, bits, (uint8_t)(access->bytes * 8));
}

// The operation sets what is looked at: one value, computed once or twice.
static bool is_same_mask(const Order *order, const Access *setter, IrRef sets, IrRef looked_at) {
  if (sets == looked_at) return true;
  ExprRef one = mask_in(order->anyone, sets, setter), two = mask_in(order->anyone, looked_at, setter);
  return one && one == two;
}

static const IrInst *find_or(const Scan *scan, IrRef ref) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  return inst && inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_OR ? inst : NULL;
}

const Access *order_find_mask(const Order *order, const EdgeTest *test, IrRef *bits) {
  const Scan *scan = order->scan;
  const IrInst *both = ir_inst(scan->fn, test->value);
  int64_t zero = 0;
  if (!both || both->op != IR_AND || (test->other && (!ir_const_value(scan->fn, test->other, &zero) || zero)))
    return NULL;
  for (int o = 0; o < 2; o++) {
    const IrInst *sets = find_or(scan, both->ops[o]);
    const Access *setter = sets ? order_access_of(scan, ir_ref_index(both->ops[o])) : NULL;
    if (!setter || !is_same_mask(order, setter, sets->ops[1], both->ops[1 - o])) continue;
    *bits = sets->ops[1];
    return setter;
  }
  return NULL;
}

// The value whose complement this is; 0: it is none.
static ExprRef complement(Order *order, IrRef ref, const Access *access) {
  const Scan *scan = order->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  int64_t value = 0;
  uint8_t width = (uint8_t)(access->bytes * 8);
  if (ir_const_value(scan->fn, ref, &value)) return expr_const(scan->pool, width, ~value);
  bool is_complement =
      inst && inst->op == IR_XOR && ir_const_value(scan->fn, inst->ops[1], &value) && value == -1;
  return is_complement ? mask_in(order->anyone, inst->ops[0], access) : 0;
}

static ExprRef cleared_by(Order *order, const Access *write) {
  const IrInst *inst = &order->scan->fn->insts.items[write->inst];
  if (inst->op != IR_ATOMICRMW) return 0;
  switch ((int)inst->rmw) {
  case IR_RMW_AND: return complement(order, inst->ops[1], write);
  case IR_RMW_XOR:
  case IR_RMW_SUB: return mask_in(order->anyone, inst->ops[1], write); // if all of them are set
  default: return 0;
  }
}

bool order_clears_mask(Order *order, const Access *write, const LockSite *site) {
  return site->mask && cleared_by(order, write) == site->mask;
}

bool order_spares_mask(Order *order, const Access *write, const LockSite *site) {
  const Scan *scan = order->scan;
  const IrInst *inst = &scan->fn->insts.items[write->inst];
  if (inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_OR) return true;
  int64_t cleared = 0, held = 0;
  bool is_and = inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_AND;
  ExprRef mask = is_and ? cleared_by(order, write) : 0;
  return mask && expr_is_const(scan->pool, mask, &cleared) && expr_is_const(scan->pool, site->mask, &held) &&
         !(cleared & held);
}

ExprRef order_masks_differ(const LockSite *one, Frame *first, const LockSite *two, Frame *second) {
  ExprPool *pool = first->scan->pool;
  if (!one->bits && !two->bits) return expr_bool(pool, false);
  ExprRef a = one->bits ? mask_in(first, one->bits, one->access) : 0,
          b = two->bits ? mask_in(second, two->bits, two->access) : 0;
  if (!a || !b) return expr_bool(pool, true);
  if (a == b) return expr_eq(pool, a, expr_const(pool, expr_width(pool, a), 0));
  return expr_eq(pool, expr_binary(pool, EXPR_AND, 0, a, b), expr_const(pool, expr_width(pool, a), 0));
}
