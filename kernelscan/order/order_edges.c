// What is known on an edge of the control flow? The test that a branch makes, looked through casts and merged
// truth values, and the strong read that a compared value comes from. Method: pattern matching on the branch's
// condition. Soundness: a test is only given where it holds whenever the edge is taken.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"

// Widened truth values are the truth value; the value behind the casts.
static IrRef strip_casts(const Scan *scan, IrRef ref) {
  for (const IrInst *inst = ir_inst(scan->fn, ref); inst; inst = ir_inst(scan->fn, ref)) {
    bool widens_bool =
        ir_inst_is(inst, IR_EXTENDS) && ir_ref_type(scan->module, scan->fn, inst->ops[0]).bits == 1;
    const IrInst *inner = inst->op == IR_TRUNC ? ir_inst(scan->fn, inst->ops[0]) : NULL;
    bool narrows_bool = inner && inst->type.bits == 1 &&
                        (inner->op == IR_ZEXT || inner->op == IR_LOAD || inner->op == IR_PHI);
    if (!widens_bool && !narrows_bool) return ref;
    ref = inst->ops[0];
  }
  return ref;
}

static bool comes_from_read(const Scan *scan, IrRef ref) {
  uint32_t root = order_find_root(scan, ref);
  return root != CFG_NONE && operation_is_strong(scan, operation_access(scan, root));
}

// What a vote of the warp says of what its own lane has brought: that nobody has a true value, or everybody; 0: it says nothing.
static IrRef brought_by_lane(const Scan *scan, IrRef vote, bool holds) {
  const IrInst *inst = ir_inst(scan->fn, vote);
  if (!inst || inst->op != IR_VOTE) return 0;
  bool is_all = strcmp(inst->name, "all") == 0;
  bool is_any = strcmp(inst->name, "any") == 0 || strcmp(inst->name, "ballot") == 0;
  return (holds ? is_all : is_any) ? inst->ops[1] : 0;
}

bool order_truth_test(const Scan *scan, IrRef truth, bool holds, EdgeTest *test) {
  ASSERT(scan_has_ref(scan, truth));
  ASSERT(test);
  IrRef condition = strip_casts(scan, truth);
  for (;;) {
    const IrInst *inst = ir_inst(scan->fn, condition);
    if (!inst) return false;
    bool is_bool = ir_ref_type(scan->module, scan->fn, condition).bits == 1;
    if (inst->op == IR_XOR && is_bool &&
        (order_is_number(scan, inst->ops[1], 1) || order_is_number(scan, inst->ops[1], -1))) {
      holds = !holds;
      condition = strip_casts(scan, inst->ops[0]);
      continue;
    }
    if (inst->op != IR_ICMP) break;
    IrRef inner = strip_casts(scan, inst->ops[0]);
    bool of_bool = ir_ref_type(scan->module, scan->fn, inner).bits == 1;
    IrRef brought = order_is_number(scan, inst->ops[1], 0) && (inst->pred == IR_EQ || inst->pred == IR_NE)
                        ? brought_by_lane(scan, inner, (inst->pred == IR_NE) == holds)
                        : 0;
    if (brought) {
      holds = (inst->pred == IR_NE) == holds;
      condition = strip_casts(scan, brought);
      continue;
    }
    if (!of_bool || !order_is_number(scan, inst->ops[1], 0) || (inst->pred != IR_EQ && inst->pred != IR_NE)) {
      bool is_left_const = ir_ref_kind(inst->ops[0]) == IR_REF_CONST ||
                           (!comes_from_read(scan, inst->ops[0]) && comes_from_read(scan, inst->ops[1]));
      IrPred pred = holds ? (IrPred)inst->pred : ir_pred_opposite((IrPred)inst->pred);
      *test = is_left_const ? (EdgeTest){inst->ops[1], inst->ops[0], ir_pred_mirrored(pred)}
                            : (EdgeTest){inst->ops[0], inst->ops[1], pred};
      return pred != IR_PRED_NONE;
    }
    if (inst->pred == IR_EQ) holds = !holds;
    condition = inner;
  }
  // A truth value that was read or computed elsewhere: not 0, or 0 (no other).
  *test = (EdgeTest){condition, 0, holds ? IR_NE : IR_EQ};
  return true;
}

bool order_edge_test(const Scan *scan, uint32_t from, uint32_t to, EdgeTest *test) {
  ASSERT(scan_has_block(scan, from));
  ASSERT(scan_has_block(scan, to));
  ASSERT(test);
  const IrInst *end = ir_terminator(scan->fn, from);
  if (!end || end->op != IR_CONDBR || end->blocks[0] == end->blocks[1]) return false;
  return order_truth_test(scan, end->ops[0], end->blocks[0] == to, test);
}

bool order_edge_test_in(const Order *order, int class, uint32_t from, uint32_t to, EdgeTest *test) {
  ASSERT(class >= -1 && class < CLASS_COUNT);
  ASSERT(scan_has_block(order->scan, from));
  ASSERT(scan_has_block(order->scan, to));
  ASSERT(test);
  const Scan *scan = order->scan;
  if (!order_edge_test(scan, from, to, test)) return false;
  // `b > 0 && x`: where paths meet, the value is known on those that have not looked at x.
  for (int depth = 0; depth < 4; depth++) {
    const IrInst *phi = ir_inst(scan->fn, test->value);
    if (!phi || phi->op != IR_PHI || phi->block != from || test->other) return true;
    bool holds = test->pred == IR_NE;
    IrRef looked_at = 0;
    for (uint32_t i = 0; i < phi->op_count; i++) {
      int64_t known = 0;
      bool is_known = ir_const_value(scan->fn, phi->ops[i], &known);
      if (is_known && (known != 0) != holds) continue;
      if (!order_is_feasible(order, class, phi->blocks[i], from) || (is_known && class < 0)) continue;
      if (is_known || (looked_at && looked_at != phi->ops[i])) return true;
      looked_at = phi->ops[i];
    }
    if (!looked_at || !order_truth_test(scan, looked_at, holds, test)) return looked_at == 0;
  }
  return true;
}

bool order_merged_test(const Scan *scan, uint32_t before, uint32_t from, uint32_t to, EdgeTest *test,
                       bool *is_taken) {
  ASSERT(test);
  if (!order_edge_test(scan, from, to, test) || test->other) return false;
  const IrInst *phi = ir_inst(scan->fn, test->value);
  bool holds = test->pred == IR_NE;
  for (uint32_t i = 0; phi && phi->op == IR_PHI && phi->block == from && i < phi->op_count; i++) {
    int64_t known = 0;
    if (phi->blocks[i] != before) continue;
    if (!ir_const_value(scan->fn, phi->ops[i], &known))
      return order_truth_test(scan, phi->ops[i], holds, test);
    *is_taken = (known != 0) == holds;
    return false;
  }
  return false;
}

uint32_t order_find_root(const Scan *scan, IrRef ref) {
  ASSERT(scan_has_ref(scan, ref));
  for (int depth = 0; depth < 16; depth++) {
    const IrInst *inst = ir_inst(scan->fn, ref);
    if (!inst) return CFG_NONE;
    const Access *access = operation_access(scan, ir_ref_index(ref));
    if (access && inst->op != IR_STORE && inst->op != IR_MEMCPY) return ir_ref_index(ref);
    bool passes = ir_inst_is(inst, IR_SUMS | IR_RESIZES) || inst->op == IR_AND;
    if (!passes) return CFG_NONE;
    ref = inst->op_count > 1 && !ir_inst(scan->fn, inst->ops[0]) ? inst->ops[1] : inst->ops[0];
  }
  return CFG_NONE;
}

bool order_next_edge(const Cfg *cfg, OrderEdge *edge) {
  while (edge->next < cfg->succ_first[cfg->block_count]) {
    while (edge->next >= cfg->succ_first[edge->from + 1])
      edge->from++;
    edge->at = edge->next++;
    edge->to = cfg->succs[edge->at];
    if (cfg->rpo_number[edge->from] != CFG_NONE) return true;
  }
  return false;
}

uint32_t order_edge_at(const Cfg *cfg, uint32_t from, uint32_t to) {
  for (uint32_t s = cfg->succ_first[from]; s < cfg->succ_first[from + 1]; s++)
    if (cfg->succs[s] == to) return s;
  return CFG_NONE;
}

bool order_is_feasible(const Order *order, int class, uint32_t from, uint32_t to) {
  ASSERT(class >= -1 && class < CLASS_COUNT);
  ASSERT(scan_has_block(order->scan, from));
  ASSERT(scan_has_block(order->scan, to));
  uint32_t edge = order_edge_at(order->scan->cfg, from, to);
  if (order->scan->cfg->rpo_number[from] == CFG_NONE) return false;
  return class < 0 || (edge != CFG_NONE && order->is_feasible[class][edge]);
}

bool order_next_exit(const Cfg *cfg, uint32_t loop, OrderEdge *edge) {
  while (loop != CFG_NONE && order_next_edge(cfg, edge))
    if (cfg_loop_contains(cfg, loop, edge->from) && !cfg_loop_contains(cfg, loop, edge->to)) return true;
  return false;
}

bool order_edge_above(const Scan *scan, uint32_t *from, uint32_t *to) {
  const Cfg *cfg = scan->cfg;
  for (*to = *from; *to != 0 && cfg->idom[*to] != CFG_NONE; *to = cfg->idom[*to]) {
    if (cfg->pred_first[*to + 1] - cfg->pred_first[*to] != 1) continue;
    *from = cfg->preds[cfg->pred_first[*to]];
    return true;
  }
  return false;
}

bool order_is_truth_test(const Scan *scan, const EdgeTest *test) {
  ASSERT(test);
  return (test->pred == IR_EQ || test->pred == IR_NE) &&
         (!test->other || order_is_number(scan, test->other, 0));
}

bool order_is_same_test(const EdgeTest *one, const EdgeTest *two) {
  return one->value == two->value && one->pred == two->pred && one->other == two->other;
}

ExprRef order_awaited(const EdgeTest *test, uint32_t bytes, Frame *frame) {
  ASSERT(test);
  ASSERT(frame->view);
  uint8_t width = (uint8_t)(bytes * 8);
  return test->other ? frame_word(frame, test->other, width) : expr_const(frame->scan->pool, width, 0);
}

ExprRef order_holds_of(const EdgeTest *test, ExprRef value, Frame *frame) {
  ExprPool *pool = frame->scan->pool;
  uint8_t width = expr_width(pool, value);
  ExprRef other = test->other ? frame_word(frame, test->other, width) : expr_const(pool, width, 0);
  return other ? symeval_compare(pool, test->pred, value, other) : 0;
}
