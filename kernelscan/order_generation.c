// Barriers of the grid in generations: each leader reads the generation, adds one to a counter and waits
// until the generation changes; the one that draws the last number sets the counter back, then changes the
// generation. Method: two signals are joined, the edge of the last number and that of the change; who has
// passed either has passed the barrier. Why: let all blocks have drawn once in generation e - 1. None draws
// again before the change that ends it, which is made behind the counter's reset, so numbers of generation e
// begin at 0 and are drawn by different blocks, each of which has read the generation behind that change:
// what it waits for is the next one, made by who drew the last number of e, when all have drawn. Soundness:
// each of these steps is a condition that is checked.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order.h"

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

static bool inst_dominates(const Scan *scan, uint32_t a, uint32_t b) {
  uint32_t block_a = inst_at(scan, a)->block, block_b = inst_at(scan, b)->block;
  return block_a == block_b ? a < b : cfg_dominates(scan->cfg, block_a, block_b);
}

// The strong read of the same word, before the draw, that the wait compares with.
static bool waits_for_change(Order *order, const Signal *last, const Signal *change) {
  const Scan *scan = order->scan;
  if (change->is_ticket || change->carrier || !change->is_direct || !change->is_fixed ||
      change->test.pred != IR_NE || ir_ref_kind(change->test.other) != IR_REF_INST)
    return false;
  const Access *before = order_access_of(scan, ir_ref_index(change->test.other));
  if (!before || !order_is_strong(scan, before) || inst_at(scan, before->inst)->op != IR_LOAD) return false;
  SymValue address = frame_value(order->anyone, before->address);
  uint32_t draw = last->read->inst;
  return address.kind == SYM_POINTER && address.target_count == 1 && !address.targets[0].condition &&
         address.targets[0].object == change->target.object &&
         address.targets[0].offset == change->target.offset && before->bytes == change->read->bytes &&
         inst_dominates(scan, before->inst, draw) && inst_dominates(scan, draw, change->read->inst) &&
         scan->cfg->loop_of[inst_at(scan, before->inst)->block] ==
             scan->cfg->loop_of[inst_at(scan, draw)->block];
}

void order_find_generations(Order *order) {
  uint32_t count = order->signal_count;
  for (uint32_t l = 0; l < count; l++)
    for (uint32_t c = 0; c < count && order->signal_count < LOCK_LIMIT; c++) {
      const Signal *last = &order->signals[l], *change = &order->signals[c];
      if (!last->is_ticket || last->carrier || !last->is_fixed || !waits_for_change(order, last, change))
        continue;
      Signal joined = *change;
      joined.read = last->read;
      joined.tested = last->read->inst;
      joined.target = last->target;
      joined.is_ticket = true;
      joined.is_of_block &= last->is_of_block;
      joined.last = l + 1;
      joined.change = c + 1;
      order->signals[order->signal_count++] = joined;
    }
}

// Does control, without passing `avoided` or waiting for the change, come from behind one instruction to the
// other?
static bool comes_to(const Order *order, uint32_t from, uint32_t to, const uint8_t *avoided,
                     const Signal *change) {
  OrderWalk walk = {.from = from, .avoided = avoided, .ends = {change}, .end_count = change != NULL};
  walk.wanted = arena_array(order->scan->arena, order->scan->fn->insts.count + 1, uint8_t);
  walk.wanted[to] = 1;
  return order_walks(order, &walk);
}

// Only who drew the last number changes the generation, behind a fence that publishes all that was done
// before.
static bool changes_are_of_last(Order *order, const Signal *signal, uint8_t *changes) {
  const Scan *scan = order->scan;
  const Signal *change = &order->signals[signal->change - 1];
  bool any = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || order_is_only_read(scan, write) ||
        !order_may_touch(order, write, &change->target, change->read->bytes))
      continue;
    if (!order_is_strong(scan, write) || order_scope_of(scan, write) < IR_SCOPE_DEVICE ||
        !order_is_passed_at(order, signal->last - 1, write->inst) ||
        order_lacks_fence(scan, signal->read->inst, write->inst, IR_SCOPE_DEVICE, SIDE_RELEASE))
      return false;
    changes[write->inst] = any = true;
  }
  return any;
}

// The counter is set back to 0 before the generation changes, if it is.
static bool resets_come_first(Order *order, const Signal *signal, const uint8_t *changes) {
  const Scan *scan = order->scan;
  uint8_t *draw = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  draw[signal->read->inst] = 1;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    int64_t value = 0;
    if (write->kind == ACCESS_READ || write == signal->read || order_is_only_read(scan, write) ||
        !order_may_touch(order, write, &signal->target, signal->read->bytes))
      continue;
    if (!order_stored_constant(scan, write, &value) || value != 0) return false;
    for (uint32_t i = 0; i < scan->fn->insts.count; i++)
      if (changes[i] && (comes_to(order, i, write->inst, draw, NULL) ||
                         order_lacks_fence(scan, write->inst, i, IR_SCOPE_DEVICE, SIDE_RELEASE)))
        return false;
  }
  return true;
}

bool order_is_generation(Order *order, const Signal *signal) {
  const Scan *scan = order->scan;
  const Signal *change = &order->signals[signal->change - 1];
  uint8_t *changes = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  uint32_t draw = signal->read->inst;
  return order_only_leader(order, draw) && order_scope_of(scan, signal->read) >= IR_SCOPE_DEVICE &&
         order_scope_of(scan, change->read) >= IR_SCOPE_DEVICE &&
         order_says_all_have_drawn(order, signal->last - 1, signal->read) &&
         changes_are_of_last(order, signal, changes) && resets_come_first(order, signal, changes) &&
         !comes_to(order, draw, draw, changes, change);
}
