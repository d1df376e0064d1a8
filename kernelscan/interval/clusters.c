// Which blocks make up a cluster, and what follows from it? Where the size of the clusters is known, two
// blocks are of one if they are in the same place of the grid counted in clusters; a barrier of a cluster is
// a point for the questions about such two blocks, and for those about one block (EXTENT_CLUSTER, ways.c), an
// operation of cluster scope is wide enough there, and blocks of two clusters are asked for by themselves.
// Where the size is not known, a cluster has 16 blocks at most, side by side: two blocks that are 16 or more
// apart are of two. Method: where a barrier, fence or atomic operation of a cluster may order the two
// accesses, only blocks that far apart count for a race; without one the pair is undecided. Soundness: exact
// with a size that is known; without one nothing is proved by it, and inside of a block a cluster's barrier
// is one of the block.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"
#include "kernelscan/kernel.h"
#include "kernelscan/order.h"
#include "kernelscan/pairs.h"
#include "kernelscan/query.h"
#include "kernelscan/value.h"

enum { CLUSTER_LIMIT = 16 }; // blocks, on a device that allows for the larger ones

static bool is_of_cluster(const IrInst *inst) {
  bool has_scope = inst->op == IR_BARRIER || inst->op == IR_FENCE || inst->op == IR_MBARRIER ||
                   inst->op == IR_LOAD || inst->op == IR_STORE || inst->op == IR_ATOMICRMW ||
                   inst->op == IR_CMPXCHG;
  return has_scope && inst->scope == IR_SCOPE_CLUSTER;
}

void clusters_find(Scan *scan) {
  const ExprRef *size = scan->launch->cluster;
  bool is_single = true, is_any = false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    is_any |= is_of_cluster(&scan->fn->insts.items[i]);
    scan->has_mapa |= ir_is_mapa(&scan->fn->insts.items[i]);
  }
  for (int axis = 0; axis < 3; axis++) {
    int64_t blocks = 0;
    is_single &= size[axis] && expr_is_const(scan->pool, size[axis], &blocks) && blocks == 1;
  }
  scan->clusters = !is_any && !scan->has_mapa ? CLUSTERS_NONE
                   : !size[0]                 ? CLUSTERS_UNKNOWN
                   : is_single                ? CLUSTERS_SINGLE
                                              : CLUSTERS_KNOWN;
}

IrScope clusters_point_scope(const Scan *scan, IrScope scope) {
  if (scope == IR_SCOPE_SYSTEM) return IR_SCOPE_DEVICE;
  return scope == IR_SCOPE_CLUSTER && scan->clusters != CLUSTERS_KNOWN ? IR_SCOPE_BLOCK : scope;
}

ExprRef clusters_is_same(Scan *scan, const View *one, const View *two) {
  ExprPool *pool = scan->pool;
  ExprRef same = expr_bool(pool, true);
  for (int axis = 0; axis < 3; axis++) {
    ExprRef size = scan->launch->cluster[axis];
    same = expr_and(pool, same,
                    expr_eq(pool, expr_binary(pool, EXPR_SDIV, 0, one->block_idx[axis], size),
                            expr_binary(pool, EXPR_SDIV, 0, two->block_idx[axis], size)));
  }
  return same;
}

bool clusters_are_same(const int64_t *cluster, const int64_t *one, const int64_t *two) {
  for (int axis = 0; axis < 3; axis++)
    if (cluster[axis] <= 0 || one[axis] / cluster[axis] != two[axis] / cluster[axis]) return false;
  return true;
}

// ---- shared memory of other blocks
// x + size.x * (y + size.y * z) of the block's index in its cluster, as the hardware numbers them.
static ExprRef rank_of(Scan *scan, const View *view) {
  ExprPool *pool = scan->pool;
  ExprRef rank = expr_const(pool, 32, 0);
  for (int axis = 2; axis >= 0; axis--) {
    ExprRef size = scan->launch->cluster[axis];
    ExprRef at = expr_binary(pool, EXPR_UREM, 0, view->block_idx[axis], size);
    rank = expr_binary(pool, EXPR_ADD, EXPR_NSW, at, expr_binary(pool, EXPR_MUL, EXPR_NSW, size, rank));
  }
  return rank;
}

ExprRef clusters_size(Scan *scan) {
  const ExprRef *size = scan->launch->cluster;
  ExprRef plane = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, size[0], size[1]);
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, plane, size[2]);
}

SymValue clusters_mapped(Frame *frame, const IrInst *inst) {
  Scan *scan = frame->scan;
  SymValue own = frame_value(frame, inst->ops[0]);
  ExprRef rank = frame_word(frame, inst->ops[1], 32);
  if (own.kind != SYM_POINTER || !rank || scan->clusters < CLUSTERS_SINGLE) return sym_value_opaque();
  Target *targets = arena_copy(scan->arena, own.targets, own.target_count * sizeof(Target));
  for (uint32_t i = 0; i < own.target_count; i++) {
    if (scan->objects.items[targets[i].object].kind != OBJ_SHARED) return sym_value_opaque();
    targets[i].key = rank;
  }
  own.targets = targets;
  return own;
}

ExprRef clusters_is_same_memory(Scan *scan, const View *one, const Target *first, const View *two,
                                const Target *second) {
  if (!first->key && !second->key) return expr_bool(scan->pool, !extent_is_between_blocks(one->extent));
  return expr_eq(scan->pool, first->key ? first->key : rank_of(scan, one),
                 second->key ? second->key : rank_of(scan, two));
}

// ---- what may order
static bool is_between(const Scan *scan, uint32_t a, uint32_t i, uint32_t b) {
  return (order_reaches(scan, a, i) && order_reaches(scan, i, b)) ||
         (order_reaches(scan, b, i) && order_reaches(scan, i, a));
}

// A barrier of a cluster between the two; or another operation of cluster scope by which one of them may tell
// or learn.
static const IrInst *what_may_order(const Scan *scan, uint32_t a, uint32_t b, bool with_barriers) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!is_of_cluster(inst) || i == a || i == b) continue;
    bool is_near = order_reaches(scan, a, i) || order_reaches(scan, i, a) || order_reaches(scan, b, i) ||
                   order_reaches(scan, i, b);
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
  Scan *scan = question->meeting->scan;
  const View *views[2] = {question->one->frame->view, question->two->frame->view};
  if (extent != EXTENT_INTER_BLOCK || scan->clusters != CLUSTERS_UNKNOWN) return NULL;
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
  const Scan *scan = question->meeting->scan;
  if (extent != EXTENT_CLUSTER) return NULL;
  const IrInst *operation =
      what_may_order(scan, question->one->access->inst, question->two->access->inst, false);
  return operation ? arena_printf(scan->arena, "the operation of cluster scope at line %u may order them",
                                  ir_loc(scan->module, operation->loc)->line)
                   : NULL;
}
