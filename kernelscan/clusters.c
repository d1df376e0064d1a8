// May a barrier of a cluster order accesses of two blocks? Which blocks make up a cluster is not known, but a
// cluster has 16 blocks at most, side by side: two blocks that are 16 or more apart are of two clusters, and
// no barrier of a cluster orders them. Method: where such a barrier lies between the two accesses, only
// blocks that far apart count for a race; without one the pair is undecided. Soundness: findings only,
// nothing is proved by it; inside of a block a cluster's barrier is one of the block (arrivals.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs.h"

enum { CLUSTER_LIMIT = 16 }; // blocks, on a device that allows for the larger ones

static const IrInst *barrier_between(const Scan *scan, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op != IR_BARRIER || inst->scope != IR_SCOPE_CLUSTER) continue;
    if ((order_reaches(scan, a, i) && order_reaches(scan, i, b)) ||
        (order_reaches(scan, b, i) && order_reaches(scan, i, a)))
      return inst;
  }
  return NULL;
}

static ExprRef are_far_apart(Scan *scan, const View *one, const View *two) {
  ExprPool *pool = scan->pool;
  ExprRef any = expr_bool(pool, false), most = expr_const(pool, 32, CLUSTER_LIMIT);
  for (int axis = 0; axis < 3; axis++) {
    ExprRef a = one->block_idx[axis], b = two->block_idx[axis];
    ExprRef before = expr_binary(pool, EXPR_SLE, 0, expr_binary(pool, EXPR_ADD, EXPR_NSW, a, most), b);
    ExprRef behind = expr_binary(pool, EXPR_SLE, 0, expr_binary(pool, EXPR_ADD, EXPR_NSW, b, most), a);
    any = expr_or(pool, any, expr_or(pool, before, behind));
  }
  return any;
}

const char *clusters_may_order(const Question *question, Goal *goal, SolverAnswer *answer, const char *name) {
  Scan *scan = question->pairs->scan;
  const View *views[2] = {question->one->frame->view, question->two->frame->view};
  const IrInst *barrier = barrier_between(scan, question->one->access->inst, question->two->access->inst);
  if (!barrier) return NULL;
  goal_add(scan, goal, are_far_apart(scan, views[0], views[1]), GOAL_EXTENT, 0);
  if (!goal->is_false)
    *answer = goal_decide(scan, goal, arena_printf(scan->arena, "%s, in two clusters", name));
  if (!goal->is_false && answer->verdict == VERDICT_RACE) return NULL;
  return arena_printf(
      scan->arena,
      "the barrier of the cluster at line %u may order them: which blocks make up a cluster is "
      "not known",
      ir_loc(scan->module, barrier->loc)->line);
}
