// What is a thread of the launch, when it is told from others? The conditions of the parts that stand above:
// that a thread comes to a block of the kernel, is a leader, a first lane or another one, is the same as
// another thread, or in the same block; which parts of a condition hold for good, or for a whole block.
// Method: conditions of the dominating branches; the symbols that a value is made of. Soundness: the condition
// of a block is over-approximated (what is not understood of a branch is left out).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"

// ---- conditions
ExprRef order_block_condition(Frame *frame, uint32_t block) {
  const Cfg *cfg = frame->scan->cfg;
  ExprRef condition = expr_bool(frame->scan->pool, true);
  for (uint32_t at = block; at != 0 && cfg->idom[at] != CFG_NONE; at = cfg->idom[at])
    condition = expr_and(frame->scan->pool, frame_region_condition(frame, cfg->idom[at], at), condition);
  return condition;
}

ExprRef order_class_condition(Scan *scan, const View *view, int class) {
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 32, 0), is_leader = expr_bool(pool, true);
  for (int axis = 0; axis < 3; axis++)
    is_leader = expr_and(pool, is_leader, expr_eq(pool, view->thread_idx[axis], scan->order->leader[axis]));
  if (class == CLASS_LEADER) return is_leader;
  ExprRef is_first = expr_eq(pool, view->lane, zero);
  if (class == CLASS_OTHERS) return expr_and(pool, expr_not(pool, is_first), expr_not(pool, is_leader));
  return expr_and(pool, is_first, expr_not(pool, is_leader));
}

ExprRef order_same_block(Scan *scan, const View *one, const View *two) {
  ExprRef same = expr_bool(scan->pool, true);
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(scan->pool, same, expr_eq(scan->pool, one->block_idx[axis], two->block_idx[axis]));
  return same;
}

bool order_is_feasible(const Order *order, int class, uint32_t from, uint32_t to) {
  const Cfg *cfg = order->scan->cfg;
  if (cfg->rpo_number[from] == CFG_NONE) return false;
  for (uint32_t s = cfg->succ_first[from]; s < cfg->succ_first[from + 1] && class >= 0; s++)
    if (cfg->succs[s] == to && order->is_feasible[class][s]) return true;
  return class < 0;
}

ExprRef order_same_thread(Scan *scan, const View *one, const View *two) {
  ExprRef same = order_same_block(scan, one, two);
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(scan->pool, same, expr_eq(scan->pool, one->thread_idx[axis], two->thread_idx[axis]));
  return same;
}

bool order_only_leader(const Order *order, uint32_t inst) {
  uint32_t block = order->scan->fn->insts.items[inst].block;
  for (int class = 0; class < CLASS_COUNT; class ++)
    if (class != CLASS_LEADER && order->is_reached[class][block]) return false;
  return true;
}

// ---- what a value is made of
typedef struct FixedSearch {
  const ExprPool *pool;
  bool is_fixed, is_of_block;
} FixedSearch;

static void visit_symbol(void *context, uint32_t sym) {
  FixedSearch *search = context;
  unsigned kind = expr_sym_info(search->pool, sym)->kind;
  if (kind == SYM_ITERATION || kind == SYM_MEMORY || kind == SYM_UNKNOWN) search->is_fixed = false;
  if (kind == SYM_THREAD_IDX) search->is_of_block = false;
}

void order_classify_address(const Scan *scan, const Target *target, bool *is_fixed, bool *is_of_block) {
  FixedSearch search = {scan->pool, true, true};
  expr_each_sym(search.pool, target->offset, visit_symbol, &search);
  if (target->key) expr_each_sym(search.pool, target->key, visit_symbol, &search);
  *is_fixed = search.is_fixed && !target->condition;
  *is_of_block = *is_fixed && search.is_of_block;
}

typedef struct Fixed {
  const ExprPool *pool;
  bool with_thread; // may speak of the thread's number
  bool holds;
} Fixed;

static void visit_fixed(void *context, uint32_t sym) {
  Fixed *search = context;
  unsigned kind = expr_sym_info(search->pool, sym)->kind;
  bool is_of_block =
      kind == SYM_HOST_VALUE || kind == SYM_GRID_DIM || kind == SYM_BLOCK_DIM || kind == SYM_BLOCK_IDX;
  search->holds &= is_of_block || (search->with_thread && kind == SYM_THREAD_IDX);
}

ExprRef order_fixed_parts(ExprPool *pool, ExprRef condition, bool with_thread) {
  const ExprNode node = *expr_node(pool, condition);
  if (node.op == EXPR_AND)
    return expr_and(pool, order_fixed_parts(pool, node.a, with_thread),
                    order_fixed_parts(pool, node.b, with_thread));
  Fixed search = {pool, with_thread, true};
  expr_each_sym(pool, condition, visit_fixed, &search);
  return search.holds ? condition : expr_bool(pool, true);
}
