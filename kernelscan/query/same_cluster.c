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
#include "kernelscan/query.h"

ExprRef clusters_is_same(Scan *scan, const View *one, const View *two) {
  ASSERT(view_is_made(one));
  ASSERT(view_is_made(two));
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
  ASSERT(one[0] >= 0 && one[1] >= 0 && one[2] >= 0 && two[0] >= 0 && two[1] >= 0 && two[2] >= 0);
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
  ASSERT(scan_has_word(scan, size[0], 32) && scan_has_word(scan, size[1], 32) &&
         scan_has_word(scan, size[2], 32));
  ExprRef plane = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, size[0], size[1]);
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, plane, size[2]);
}

ExprRef clusters_is_same_memory(Scan *scan, const View *one, const Target *first, const View *two,
                                const Target *second) {
  ASSERT(view_is_made(one));
  ASSERT(scan_has_object(scan, first->object) && scan_has_word(scan, first->offset, 64));
  ASSERT(view_is_made(two));
  ASSERT(scan_has_object(scan, second->object) && scan_has_word(scan, second->offset, 64));
  if (!first->key && !second->key) return expr_bool(scan->pool, !extent_is_between_blocks(one->extent));
  return expr_eq(scan->pool, first->key ? first->key : rank_of(scan, one),
                 second->key ? second->key : rank_of(scan, two));
}

// ---- what may order