// Which reads decide whether, or when, an instruction is executed, and does what strong reads return get to
// others by ways that are not followed? Method: a forward closure over the operands of each value; branches that
// control comes from. Soundness: over-approximated: a kind of read that is not named decides nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- what decides whether an access is made
// It tells no more than that nobody holds the lock: a flag that was up, or a number that was stored before, may tell
// who was there.
static bool is_lock_site(const Order *order, uint32_t inst) {
  bool is_site = false;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    if (site->access->inst != inst || site->is_turn) continue;
    is_site = site->is_disciplined && !site->is_opened && !site->is_asked && !site->is_counted &&
              (!site->bits || order_is_of_bits(order->scan, site));
    if (!is_site) return false;
  }
  return is_site;
}

static uint8_t taint_of_access(const Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  if (ir_inst_is(inst, IR_ATOMIC)) return TAINT_STRONG;
  if (inst->op != IR_LOAD) return 0;
  // Nothing writes it between two barriers: what it tells was known at the barrier.
  if (scan->alike.is_broadcast[index]) return TAINT_MEMORY;
  if (inst->order != IR_ORDER_PLAIN) return TAINT_STRONG;
  return (inst->flags & IR_FLAG_READONLY) || object_is_readonly_at(scan, index) ? 0 : TAINT_MEMORY;
}

static uint8_t own_taint(const Order *order, uint32_t index) {
  if (is_lock_site(order, index)) return TAINT_LOCK;
  switch (ir_op_step((IrOp)order->scan->fn->insts.items[index].op)) {
  case IR_STEP_ACCESS: return taint_of_access(order->scan, index);
  case IR_STEP_BARRIER:
  case IR_STEP_OBJECT:
  case IR_STEP_LANES:
  case IR_STEP_CALL: return TAINT_MEMORY;
  case IR_STEPS_COMPUTED: // what its operands are
  case IR_STEP_COPIES:
  case IR_STEP_FENCE:
  case IR_STEP_BR:
  case IR_STEP_CONDBR:
  case IR_STEP_SWITCH:
  case IR_STEP_RET:
  case IR_STEP_UNREACHABLE: return 0;
  }
  return TAINT_MEMORY;
}

bool order_reads_memory(const Order *order, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  return own_taint(order, inst) == TAINT_MEMORY && operation_is_used(order->scan, inst);
}

// Does the value of the instruction say what the analysis of locks knows of its operands?
static bool keeps_status(const Order *order, uint32_t index) {
  const IrInst *inst = &order->scan->fn->insts.items[index];
  const EdgeTest is_zero = {IR_REF(IR_REF_INST, index), 0, IR_EQ};
  if (inst->op == IR_ICMP || ir_inst_is(inst, IR_RESIZES)) return true;
  if (inst->op == IR_XOR) return ir_ref_kind(inst->ops[1]) == IR_REF_CONST;
  if (order_is_lock_status(order, index)) return true;
  for (uint32_t s = 0; s < order->lock_count && inst->op == IR_AND; s++)
    if (order_test_of_site(order, &order->locks[s], &is_zero)) return true;
  return false;
}

// On which kinds of reads each instruction's value depends.
static const uint8_t *find_taints(Order *order) {
  if (order->taints) return order->taints;
  const IrFunction *fn = order->scan->fn;
  uint8_t *taints = arena_array(order->scan->arena, fn->insts.count + 1, uint8_t);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < fn->insts.count; i++) {
      const IrInst *inst = &fn->insts.items[i];
      uint8_t taint = (uint8_t)(taints[i] | own_taint(order, i));
      for (uint32_t o = 0; o < inst->op_count && !(inst->op == IR_LOAD || is_lock_site(order, i)); o++)
        if (ir_ref_kind(inst->ops[o]) == IR_REF_INST) taint |= taints[ir_ref_index(inst->ops[o])];
      bool is_value = !(ir_op_flags((IrOp)inst->op) & (IR_READS | IR_WRITES));
      if ((taint & TAINT_LOCK) && is_value && !keeps_status(order, i)) taint |= TAINT_STRONG;
      changed |= taint != taints[i];
      taints[i] = taint;
    }
  }
  return order->taints = taints;
}

static bool leaves_a_loop(const Scan *scan, uint32_t block) {
  uint32_t loop = scan->cfg->loop_of[block]; // who leaves one around it leaves this one as well
  for (OrderEdge e = {0}; order_next_exit(scan->cfg, loop, &e);)
    if (e.from == block) return true;
  return false;
}

static bool block_reaches(const Scan *scan, uint32_t from, uint32_t inst, Couple couple) {
  return order_reaches_in(scan, order_last_of(scan, from), inst, couple);
}

// Can one block of the grid execute both, by whichever of its threads?
static bool share_a_block(Order *order, uint32_t one, uint32_t two) {
  Scan *scan = order->scan;
  ExprRef come = order_fixed_parts(scan->pool,
                                   expr_and(scan->pool, meeting_block_condition(order->anyone, one),
                                            meeting_block_condition(order->anyone_else, two)),
                                   true),
          same = order_same_block(scan, order->anyone->view, order->anyone_else->view);
  return expr_is_true(scan->pool, come) || !order_never_of_two(order, come, same, "in one block");
}

static bool is_of_lock_word(const Order *order, const EdgeTest *test) {
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (!order->locks[s].is_turn && (test->value == IR_REF(IR_REF_INST, order->locks[s].access->inst) ||
                                     order_test_of_site(order, &order->locks[s], test)))
      return true;
  return false;
}

// Who does not get a lock, or looks at its word for something else, knows that others were there before: so
// the instruction is made on a path on which the lock is not taken.
static bool is_for_losers(const Order *order, uint32_t block, uint32_t inst) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t to = scan->fn->insts.items[inst].block;
  for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++) {
    EdgeTest test;
    bool wins = false, is_test = order_edge_test(scan, block, cfg->succs[e], &test);
    for (uint32_t s = 0; s < order->lock_count && is_test; s++)
      wins |= order_test_of_site(order, &order->locks[s], &test) > 0;
    if (is_test && !wins && is_of_lock_word(order, &test) &&
        (cfg->succs[e] == to || graph_block_reaches(scan, cfg->succs[e], to, block)))
      return true;
  }
  return false;
}

// The kinds of reads that decide whether or when the instruction is executed, since the last barrier of the
// extent.
static uint8_t find_gates(Order *order, uint32_t inst, Couple couple) {
  const uint8_t *taints = find_taints(order);
  const Scan *scan = order->scan;
  uint8_t kinds = 0;
  for (uint32_t b = 0; b < scan->cfg->block_count; b++) {
    const IrInst *end = ir_terminator(scan->fn, b);
    if (!end || !ir_inst_is(end, IR_FORKS) || scan->cfg->rpo_number[b] == CFG_NONE) continue;
    uint8_t taint = ir_ref_kind(end->ops[0]) == IR_REF_INST ? taints[ir_ref_index(end->ops[0])] : 0;
    if ((taint | kinds) == kinds || !block_reaches(scan, b, inst, couple)) continue;
    if (cfg_post_dominates(scan->cfg, scan->fn->insts.items[inst].block, b) && !leaves_a_loop(scan, b))
      continue;
    if (!share_a_block(order, b, scan->fn->insts.items[inst].block)) continue;
    bool loses = (taint & TAINT_LOCK) && !(kinds & TAINT_STRONG) && is_for_losers(order, b, inst);
    kinds |= loses ? taint | TAINT_STRONG : taint;
  }
  return kinds;
}

uint8_t order_gates(Order *order, uint32_t inst, Couple couple) {
  ASSERT(scan_has_inst(order->scan, inst));
  ASSERT(couple.extent <= EXTENT_NONE);
  BUG_UNLESS(couple.covering < 1u << COVER_LIMIT);
  uint8_t **known = &order->gates[couple.extent][couple.covering];
  if (!*known) *known = arena_array(order->scan->arena, order->scan->fn->insts.count + 1, uint8_t);
  if (!(*known)[inst]) (*known)[inst] = (uint8_t)(find_gates(order, inst, couple) + 1);
  return (uint8_t)((*known)[inst] - 1);
}

static bool is_same_word(Order *order, IrRef one, IrRef two) {
  Target p, q;
  if (one == two) return true;
  if (!order_one_target(order->anyone, one, &p) || !order_one_target(order->anyone, two, &q)) return false;
  return order_is_same_target(&p, &q);
}

// Has the value, as far as strong reads say what it is, come from the word that is exchanged, in its round of
// the loops that look for it?
static bool is_of_word(Order *order, uint32_t exchange, IrRef value, uint8_t *seen) {
  const Scan *scan = order->scan;
  const IrInst *insts = scan->fn->insts.items;
  uint32_t index = ir_ref_index(value);
  IrRef word = insts[exchange].ops[0];
  if (ir_ref_kind(value) != IR_REF_INST || seen[index]) return true;
  seen[index] = 1;
  if (!(find_taints(order)[index] & (TAINT_LOCK | TAINT_STRONG))) return true;
  const IrInst *inst = &insts[index];
  if (own_taint(order, index) & (TAINT_LOCK | TAINT_STRONG)) return is_same_word(order, inst->ops[0], word);
  uint32_t loop = scan->cfg->loop_of[inst->block];
  bool is_next = inst->op == IR_PHI && loop != CFG_NONE && scan->cfg->loops.items[loop].header == inst->block;
  if (is_next && ir_ref_kind(word) == IR_REF_INST &&
      cfg_loop_contains(scan->cfg, loop, insts[ir_ref_index(word)].block))
    return false; // another word in each round
  for (uint32_t o = 0; o < inst->op_count; o++)
    if (!is_of_word(order, exchange, inst->ops[o], seen)) return false;
  return true;
}

// An exchange that is tried until it succeeds, of what was found for what it becomes by that: no more is
// handed on than by an atomic operation that does the same.
static bool is_tried(Order *order, uint32_t index) {
  const IrInst *inst = &order->scan->fn->insts.items[index];
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, order->scan->fn->insts.count + 1, uint8_t);
  bool is_tried = inst->op == IR_CMPXCHG && !is_lock_site(order, index) &&
                  is_of_word(order, index, inst->ops[1], seen) &&
                  is_of_word(order, index, inst->ops[2], seen);
  arena_close(scratch);
  return is_tried;
}

// Is what a strong read returned handed on through plain memory, or lane by lane? As a value, or as a
// constant that is stored where it was looked at.
static bool find_escape(Order *order) {
  const Scan *scan = order->scan;
  const uint8_t *taints = find_taints(order);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool puts_word = ir_inst_is(inst, IR_WRITES) && !ir_inst_is(inst, IR_SPANS);
    bool hands_on = puts_word || inst->op == IR_BARRIER || ir_inst_is(inst, IR_LANES);
    if (!hands_on || scan->cfg->rpo_number[inst->block] == CFG_NONE || is_tried(order, i)) continue;
    for (uint32_t o = inst->op == IR_STORE ? 1 : 0; o < inst->op_count; o++)
      if (ir_ref_kind(inst->ops[o]) == IR_REF_INST &&
          (taints[ir_ref_index(inst->ops[o])] & (TAINT_LOCK | TAINT_STRONG)))
        return true;
    bool is_constant = inst->op == IR_STORE && ir_ref_kind(inst->ops[1]) == IR_REF_CONST;
    if (is_constant && (order_gates(order, i, couple_of(EXTENT_COUNT)) & (TAINT_LOCK | TAINT_STRONG)))
      return true;
  }
  return false;
}

bool order_values_escape(Order *order) {
  if (!order->escapes) order->escapes = find_escape(order) ? 2 : 1;
  return order->escapes == 2;
}
