// Which bits of a word are a lock? `while (atomicOr(word, bit) & bit);` takes it, `atomicAnd(word, ~bit)`
// gives it back; many locks share a word. `if (atomicAnd(word, ~bit) & bit)` takes a bit out, for good. So do threads that raise a word with an atomic maximum, or lower it with a
// minimum: of those that store one value only the first is returned less. Method: the test behind the operation names
// what it stores; who gives bits back, and whether two threads hold one in common, or have stored one value, is asked
// of the same values. Soundness: a bit-or sets bits only, so nobody finds clear what another one holds, as long as
// bits are cleared by who holds just those; nothing but the same operation writes a word that is raised, or out of which bits are taken: of those that
// take out the same bits only the first finds any.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"

static ExprRef mask_in(Frame *frame, IrRef bits, const Access *access) {
  return frame_word(frame, bits, (uint8_t)(access->bytes * 8));
}

// One value, computed once or twice.
static bool is_same_mask(const Order *order, const Access *setter, IrRef sets, IrRef looked_at) {
  ExprRef mask = sets == looked_at ? 0 : mask_in(order->anyone, sets, setter);
  return sets == looked_at || (mask && mask == mask_in(order->anyone, looked_at, setter));
}

static const Access *find_update(const Scan *scan, IrRef ref, IrRmw rmw) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  bool is_it = inst && inst->op == IR_ATOMICRMW && inst->rmw == rmw;
  return is_it ? operation_access(scan, ir_ref_index(ref)) : NULL;
}

static IrRef operand_of(const Scan *scan, const Access *access) {
  return inst_at(scan, access->inst)->ops[1];
}

// The value whose complement this is; 0: it is none.
static ExprRef complement(const Order *order, IrRef ref, const Access *access) {
  const Scan *scan = order->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  int64_t value = 0;
  uint8_t width = (uint8_t)(access->bytes * 8);
  if (ir_const_value(scan->fn, ref, &value)) return expr_const(scan->pool, width, ~value);
  bool is_complement =
      inst && inst->op == IR_XOR && ir_const_value(scan->fn, inst->ops[1], &value) && value == -1;
  return is_complement ? mask_in(order->anyone, inst->ops[0], access) : 0;
}

// `old & bit`, where it sets just that, or clears it.
static const Access *find_masked(const Order *order, const IrInst *both, IrRmw rmw, IrRef *bits) {
  for (int o = 0; o < 2; o++) {
    const Access *setter = find_update(order->scan, both->ops[o], rmw);
    *bits = both->ops[1 - o];
    if (!setter) continue;
    IrRef operand = operand_of(order->scan, setter);
    ExprRef changed =
        rmw == IR_RMW_OR ? mask_in(order->anyone, operand, setter) : complement(order, operand, setter);
    if (changed && changed == mask_in(order->anyone, *bits, setter)) return setter;
  }
  return NULL;
}

// `old >> place & 1`, where it sets `1 << place`.
static const Access *find_shifted(const Order *order, const IrInst *both) {
  const Scan *scan = order->scan;
  const IrInst *shift = ir_inst(scan->fn, both->ops[0]);
  bool is_shift =
      shift && (shift->op == IR_LSHR || shift->op == IR_ASHR) && order_is_number(scan, both->ops[1], 1);
  const Access *setter = is_shift ? find_update(scan, shift->ops[0], IR_RMW_OR) : NULL;
  const IrInst *sets = setter ? ir_inst(scan->fn, operand_of(scan, setter)) : NULL;
  bool is_it = sets && sets->op == IR_SHL && order_is_number(scan, sets->ops[0], 1) &&
               is_same_mask(order, setter, sets->ops[1], shift->ops[1]);
  return is_it ? setter : NULL;
}

// Where the relation holds between what it returned and what it stores, the operation has changed the word.
static IrRmw rmw_of_change(IrPred pred) {
  switch ((int)pred) {
  case IR_SLT: return IR_RMW_MAX;
  case IR_ULT: return IR_RMW_UMAX;
  case IR_SGT: return IR_RMW_MIN;
  case IR_UGT: return IR_RMW_UMIN;
  default: return IR_RMW_NONE;
  }
}

const Access *order_find_mask(const Order *order, const EdgeTest *test, IrRef *bits) {
  ASSERT(test);
  const Scan *scan = order->scan;
  const IrInst *value = ir_inst(scan->fn, test->value);
  const Access *setter = NULL;
  if (!value) return NULL;
  bool is_with_zero = !test->other || order_is_number(scan, test->other, 0);
  if (value->op == IR_AND && (test->pred == IR_NE || test->pred == IR_EQ) && is_with_zero) {
    bool takes_out = test->pred == IR_NE;
    setter = find_masked(order, value, takes_out ? IR_RMW_AND : IR_RMW_OR, bits);
    if (setter || takes_out) return setter;
    setter = find_shifted(order, value);
  } else if (value->op == IR_ATOMICRMW && test->other && rmw_of_change(test->pred) == (IrRmw)value->rmw) {
    setter = find_update(scan, test->value, (IrRmw)value->rmw);
    if (setter && !is_same_mask(order, setter, value->ops[1], test->other)) setter = NULL;
  }
  if (setter) *bits = operand_of(scan, setter);
  return setter;
}

static bool is_update_of(const Scan *scan, const Access *access, IrRmw rmw) {
  return find_update(scan, IR_REF(IR_REF_INST, access->inst), rmw) != NULL;
}

bool order_is_of_bits(const Scan *scan, const LockSite *site) {
  ASSERT(scan_has_access(scan, site->access));
  return is_update_of(scan, site->access, IR_RMW_OR);
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
  ASSERT(scan_has_access(order->scan, write));
  ASSERT(scan_has_access(order->scan, site->access));
  return site->mask && order_is_of_bits(order->scan, site) && cleared_by(order, write) == site->mask;
}

bool order_spares_mask(Order *order, const Access *write, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, write));
  ASSERT(scan_has_access(order->scan, site->access));
  const Scan *scan = order->scan;
  if (is_update_of(scan, write, (IrRmw)inst_at(scan, site->access->inst)->rmw)) return true;
  int64_t cleared = 0, held = 0;
  bool is_and = order_is_of_bits(scan, site) && is_update_of(scan, write, IR_RMW_AND);
  ExprRef mask = is_and ? cleared_by(order, write) : 0;
  return mask && expr_is_const(scan->pool, mask, &cleared) && expr_is_const(scan->pool, site->mask, &held) &&
         !(cleared & held);
}

// 1 << number: the number; else 0. (Shifted by more than its width, it has no meaning.)
static ExprRef number_of_bit(const ExprPool *pool, ExprRef value) {
  const ExprNode node = *expr_node(pool, value);
  int64_t one = 0;
  return node.op == EXPR_SHL && expr_is_const(pool, node.a, &one) && one == 1 ? node.b : 0;
}

ExprRef order_has_common_bit(ExprPool *pool, ExprRef one, ExprRef two) {
  ASSERT(expr_is_of(pool, one));
  ASSERT(expr_is_of(pool, two));
  ExprRef a = number_of_bit(pool, one), b = number_of_bit(pool, two);
  ExprRef both = expr_binary(pool, EXPR_AND, 0, one, two);
  return a && b ? expr_eq(pool, a, b) : expr_ne(pool, both, expr_const(pool, expr_width(pool, both), 0));
}

ExprRef order_awaited_bits(Order *order, const Signal *signal, Frame *waiting, bool *is_all) {
  ASSERT(waiting->view);
  const Scan *scan = order->scan;
  uint8_t width = (uint8_t)(8 * signal->read->bytes);
  ExprRef other = order_awaited(&signal->test, signal->read->bytes, waiting);
  int64_t value = 0;
  *is_all = signal->test.pred == IR_EQ;
  bool is_zero = other && expr_is_const(scan->pool, other, &value) && value == 0;
  if (!other || signal->is_ticket || signal->carrier || *is_all == is_zero ||
      (!*is_all && signal->test.pred != IR_NE) ||
      !order_all_writes(order_word_of(order, signal), WRITE_ORS, IR_SCOPE_THREAD))
    return 0;
  if (signal->is_direct) return *is_all ? other : 0;
  const IrInst *test = ir_inst(scan->fn, signal->test.value);
  if (!test || test->op != IR_AND || test->type.bits != width) return 0;
  ExprRef mask = frame_word(waiting, test->ops[test->ops[0] == IR_REF(IR_REF_INST, signal->tested)], width);
  return *is_all && mask != other ? 0 : mask;
}

ExprRef order_bits_set(Frame *frame, const Access *write) {
  ASSERT(scan_has_access(frame->scan, write));
  return mask_in(frame, operand_of(frame->scan, write), write);
}

ExprRef order_masks_differ(const LockSite *one, Frame *first, const LockSite *two, Frame *second) {
  ASSERT(scan_has_access(first->scan, one->access));
  ASSERT(first->view);
  ASSERT(scan_has_access(first->scan, two->access));
  ASSERT(second->view);
  const Scan *scan = first->scan;
  ExprPool *pool = scan->pool;
  ExprRef a = mask_in(first, one->bits, one->access), b = mask_in(second, two->bits, two->access);
  if (!a || !b || one->access->bytes != two->access->bytes ||
      order_is_of_bits(scan, one) != order_is_of_bits(scan, two))
    return expr_bool(pool, true);
  return order_is_of_bits(scan, one) ? expr_not(pool, order_has_common_bit(pool, a, b)) : expr_ne(pool, a, b);
}
