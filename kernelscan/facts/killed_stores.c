// Has what one store left in shared memory been overwritten when a load reads it? An array is cleared by all
// threads, a barrier later each stores its own number, and behind the next barrier somebody reads. Method, on
// the graph of nodes: a LAST store ends its stretch at one barrier, the CLOSING one, which each reader passes
// behind it, once in each iteration of the loops around both; then whatever stands before the store's own
// stretch is overwritten where a thread has made the last store, unless it can come again between the closing
// barrier and the load. That a thread has made it is said of a WRITER, a thread that is computed from the
// address by division by the distances of neighbours along each axis, or is the one thread that comes to the store, or is the reader itself. Soundness: the
// conditions of the writer are those of its coming to the store, exactly, in the reader's iterations (of
// loops that all threads leave together); a writer computed wrongly makes another address, of which nothing
// follows.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/barrier.h"
#include "kernelscan/graph.h"
#include <stdlib.h>

// ---- the order of stores
static bool is_barrier_of_block(const Point *point) {
  return point->inst != CFG_NONE && point_orders(point, couple_of(EXTENT_INTRA_BLOCK));
}

// The one barrier to which all ways lead from the store, none of them round a loop; NULL: there is none.
static const Point *closing_point(Scan *scan, const Access *store) {
  const Cfg *cfg = scan->cfg;
  const uint8_t *stretch = node_reached_from(scan, store->node, true);
  const Point *closing = NULL;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!is_barrier_of_block(point) || !stretch[node_of_inst(scan, point->inst)]) continue;
    if (closing) return NULL;
    closing = point;
  }
  uint32_t block = scan->fn->insts.items[store->inst].block;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    for (uint32_t i = 0; i < cfg->loops.items[l].latches.count; i++)
      if (stretch[scan->node_first[cfg->loops.items[l].latches.items[i] + 1] - 1]) return NULL;
  return closing;
}

// Each thread passes the barrier once in each iteration of the loops around the store, which all threads
// leave together, and before the load.
static bool closes_for(const Scan *scan, const Point *closing, const Access *store, const Access *load) {
  const Cfg *cfg = scan->cfg;
  uint32_t loop = cfg->loop_of[scan->fn->insts.items[store->inst].block],
           load_block = scan->fn->insts.items[load->inst].block;
  if (cfg->loop_of[closing->block] != loop || !cfg_dominates(cfg, closing->block, load_block)) return false;
  if (closing->block == load_block && closing->inst > load->inst) return false;
  for (uint32_t l = loop; l != CFG_NONE; l = cfg->loops.items[l].parent) {
    const CfgLoop *around = &cfg->loops.items[l];
    if (scan->alike.exits_diverge[l] || !cfg_loop_contains(cfg, l, load_block)) return false;
    for (uint32_t i = 0; l == loop && i < around->latches.count; i++)
      if (!cfg_dominates(cfg, closing->block, around->latches.items[i])) return false;
  }
  return true;
}

// By node: on the ways on from here that do not pass the barrier at the end of `without`.
static const uint8_t *reached_without(Scan *scan, uint32_t node, uint32_t without) {
  NodeWalk walk = node_walk(scan);
  node_walk_visit(&walk, node);
  while (walk.depth) {
    uint32_t at = walk.stack[--walk.depth];
    if (at != without) node_walk_next(&walk, at);
  }
  return node_walk_end(&walk);
}

static bool is_beside(Scan *scan, const Access *one, const Access *two) {
  for (uint32_t p = 0; p < scan->points.count; p++) {
    if (!point_orders(&scan->points.items[p], couple_of(EXTENT_INTRA_BLOCK))) continue;
    const uint8_t *stretch = node_reached_from(scan, scan->points.items[p].node, true);
    if (stretch[one->node] && stretch[two->node]) return true;
  }
  return false;
}

// Between the closing barrier and the load, which no way leads round to the barrier again.
static bool comes_after(Scan *scan, const Access *earlier, const Point *closing, const Access *load) {
  uint32_t closing_node = node_of_inst(scan, closing->inst);
  const uint8_t *behind = reached_without(scan, closing->node, closing_node);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!is_barrier_of_block(point)) continue;
    if (point != closing && !behind[node_of_inst(scan, point->inst)]) continue;
    if (node_reached_from(scan, point->node, true)[earlier->node] &&
        reached_without(scan, point->node, closing_node)[load->node])
      return true;
  }
  return false;
}

const Point *killed_stores_closing(Scan *scan, const Access *store, const Access *load) {
  ASSERT(scan_has_access(scan, store));
  ASSERT(scan_has_access(scan, load));
  const Point *closing = closing_point(scan, store);
  return closing && closes_for(scan, closing, store, load) ? closing : NULL;
}

bool killed_stores_hide(Scan *scan, const Point *closing, const Access *store, const Access *load,
                        const Access *earlier) {
  ASSERT(scan_has_block(scan, closing->block));
  ASSERT(scan_has_access(scan, store));
  ASSERT(scan_has_access(scan, load));
  ASSERT(scan_has_access(scan, earlier));
  return store != earlier && !earlier->is_async && !earlier->is_loose && !is_beside(scan, store, earlier) &&
         !comes_after(scan, earlier, closing, load);
}

// ---- who wrote it
typedef struct Axis {
  int axis;
  int64_t distance; // of the addresses of neighbours
} Axis;

static ExprRef offset_of(Frame *reader, const Access *store, const View *view) {
  uint32_t block = reader->scan->fn->insts.items[store->inst].block;
  Instance instance = instance_in(third_frame(reader, view, block, true), store);
  return instance.address.kind == SYM_POINTER && instance.address.target_count == 1
             ? instance.address.targets[0].offset
             : 0;
}

static View *view_at(Scan *scan, const View *like, const ExprRef thread_idx[3]) {
  View *view = view_like(scan, like); // what it reads is its own
  memcpy(view->thread_idx, thread_idx, sizeof view->thread_idx);
  view_number(scan, view);
  return view;
}

// The axes that the address depends on, farthest neighbours first; false: it does so in another way.
static bool distances(Frame *reader, const Access *store, const View *like, ExprRef *origin, Axis axes[3],
                      int *count) {
  Scan *scan = reader->scan;
  ExprPool *pool = scan->pool;
  ExprRef none = expr_const(pool, 32, 0), at[3] = {none, none, none};
  *origin = offset_of(reader, store, view_at(scan, like, at));
  for (int axis = 0; axis < 3; axis++) {
    int64_t lo = 0, hi = 0, distance = 0;
    expr_range(pool, reader->view->thread_idx[axis], &lo, &hi);
    if (hi == 0) continue;
    at[axis] = expr_const(pool, 32, 1);
    ExprRef next = offset_of(reader, store, view_at(scan, like, at));
    at[axis] = none;
    if (!*origin || !next ||
        !expr_is_const(pool, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, next, *origin), &distance))
      return false;
    if (distance == 0 || distance == INT64_MIN) continue;
    int place = (*count)++;
    for (; place > 0 && llabs(axes[place - 1].distance) < llabs(distance); place--)
      axes[place] = axes[place - 1];
    axes[place] = (Axis){axis, distance};
  }
  return *count > 0;
}

// The one thread of a block that comes to the store at all; NULL: there are several, or it is not known.
static View *only_writer(Scan *scan, const Access *store, const View *like) {
  int64_t one = named_only_one(scan, scan->fn->insts.items[store->inst].block);
  ExprRef at[3];
  for (int axis = 0; axis < 3; axis++) {
    int64_t dim = 0;
    if (one < 0 || !expr_is_const(scan->pool, scan->launch->block[axis], &dim) || dim < 1) return NULL;
    at[axis] = expr_const(scan->pool, 32, one % dim);
    one /= dim;
  }
  return view_at(scan, like, at);
}

View *killed_stores_writer(Frame *reader, const Access *store, const View *like, ExprRef offset) {
  ASSERT(reader->view);
  ASSERT(scan_has_access(reader->scan, store));
  ASSERT(view_is_made(like));
  ASSERT(scan_has_word(reader->scan, offset, 64));
  Scan *scan = reader->scan;
  ExprPool *pool = scan->pool;
  ExprRef origin = 0, none = expr_const(pool, 32, 0), at[3] = {none, none, none};
  Axis axes[3];
  int count = 0;
  if (!distances(reader, store, like, &origin, axes, &count)) return only_writer(scan, store, like);
  ExprRef rest = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, offset, origin);
  for (int i = 0; i < count; i++) {
    ExprRef distance = expr_const(pool, 64, axes[i].distance);
    ExprRef number = expr_binary(pool, EXPR_SDIV, 0, rest, distance);
    at[axes[i].axis] = expr_resize_signed(pool, number, 32);
    rest = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, rest,
                       expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, number, distance));
  }
  return view_at(scan, like, at);
}
