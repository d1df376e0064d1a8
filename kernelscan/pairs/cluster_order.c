// May something that clusters have order two blocks? Method: where it is not known which blocks make up a
// cluster, a barrier, fence or atomic operation of a cluster between the two accesses may order them, unless
// they are too far apart to be of one (16 blocks at most, side by side). Soundness: nothing is proved by it;
// without an answer the pair is undecided.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

enum { CLUSTER_LIMIT = 16 }; // blocks, on a device that allows for the larger ones

static bool is_between(const Scan *scan, uint32_t a, uint32_t i, uint32_t b) {
  return (graph_reaches(scan, a, i) && graph_reaches(scan, i, b)) ||
         (graph_reaches(scan, b, i) && graph_reaches(scan, i, a));
}

// A barrier of a cluster between the two; or another operation of cluster scope by which one of them may tell
// or learn.
static const IrInst *what_may_order(const Scan *scan, uint32_t a, uint32_t b, bool with_barriers) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!clusters_is_operation(inst) || i == a || i == b) continue;
    bool is_near = graph_reaches(scan, a, i) || graph_reaches(scan, i, a) || graph_reaches(scan, b, i) ||
                   graph_reaches(scan, i, b);
    if (inst->op == IR_BARRIER ? with_barriers && is_between(scan, a, i, b) : is_near) return inst;
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

static bool has_cluster_scope(const Question *question) {
  return question->one->access->scope == IR_SCOPE_CLUSTER || question->two->access->scope == IR_SCOPE_CLUSTER;
}

const char *clusters_may_order(const Question *question, Extent extent, Goal *goal, SolverAnswer *answer,
                               const char *name) {
  ASSERT(scan_is_extent(extent));
  ASSERT(name);
  Scan *scan = question->meeting->scan;
  const View *views[2] = {question->one->frame->view, question->two->frame->view};
  if (extent != EXTENT_INTER_BLOCK || clusters_kind(scan) != CLUSTERS_UNKNOWN) return NULL;
  const IrInst *operation =
      what_may_order(scan, question->one->access->inst, question->two->access->inst, true);
  if (!operation && !has_cluster_scope(question)) return NULL;
  goal_add(scan, goal, are_far_apart(scan, views[0], views[1]), GOAL_EXTENT, 0);
  if (!goal->is_false)
    *answer = goal_decide(scan, goal, arena_printf(scan->arena, "%s, in two clusters", name));
  if (!goal->is_false && answer->verdict == VERDICT_RACE) return NULL;
  if (!operation) return "they may be in one cluster: which blocks make up a cluster is not known";
  return arena_printf(scan->arena,
                      "the %s of the cluster at line %u may order them: which blocks make up a cluster is "
                      "not known",
                      operation->op == IR_BARRIER ? "barrier" : "operation",
                      ir_loc(scan->module, operation->loc)->line);
}

const char *clusters_may_be_ordered(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  const Scan *scan = question->meeting->scan;
  if (extent != EXTENT_CLUSTER) return NULL;
  const IrInst *operation =
      what_may_order(scan, question->one->access->inst, question->two->access->inst, false);
  return operation ? arena_printf(scan->arena, "the operation of cluster scope at line %u may order them",
                                  ir_loc(scan->module, operation->loc)->line)
                   : NULL;
}
