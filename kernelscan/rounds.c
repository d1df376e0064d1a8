// What held in the rounds of a loop before the one in hand? A thread in iteration x > 0 has gone round in
// iteration x - 1: it took the edges on every way from the header to the back edge. So a loop that ends at
// `i >= n` ends at the first such i, and a value that lags behind (`last = i`) is in range. Method: the
// conditions of the dominator chain from the header to the back edges, read in a frame one iteration earlier.
// Rounds in which a thread went by the barriers of a loop, since the point, also took the ways by them; that
// is said of the first few and of the last: a barrier in every second round ends the stretch after two.
// Soundness: necessary conditions only, bound to the frame that they were read in; given to the solver as
// facts that it may use.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/internal.h"

enum { FIRST_ROUNDS = 3 };

static bool is_gone_round(const Frame *frame, uint32_t loop) {
  return frame->rounds_since && frame->round_loop == loop;
}

// All rounds of a loop that does not hold the point came after it, and so did all but the first of one that
// is gone round behind it; so an inner loop that cannot be gone round without passing a point was in its
// first iteration in each of them.
static bool stays_in_first(const Frame *frame, uint32_t loop, uint32_t inner) {
  return frame->is_entered_only && frame->is_entered_only[inner] &&
         (!frame->is_around[loop] || is_gone_round(frame, loop));
}

Frame *frame_of_round(Frame *frame, uint32_t loop, ExprRef round) {
  Scan *scan = frame->scan;
  uint32_t loops = scan->cfg->loops.count;
  ExprRef *iteration = arena_copy(scan->arena, frame->iteration, (loops + 1) * sizeof(ExprRef));
  ExprRef *before = arena_copy(scan->arena, frame->before, (loops + 1) * sizeof(ExprRef));
  for (uint32_t l = 0; l < loops; l++) {
    if (!cfg_loop_contains(scan->cfg, loop, scan->cfg->loops.items[l].header)) continue;
    iteration[l] = l == loop ? round : stays_in_first(frame, loop, l) ? expr_const(scan->pool, 32, 0) : 0;
    before[l] = 0;
  }
  Frame *made = frame_make(scan, frame->view, iteration, before);
  made->is_shifted = true;
  made->is_entered_only = frame->is_entered_only;
  made->is_around = frame->is_around;
  made->graph = frame->graph;
  made->phase = frame->phase;
  made->rounds_since = frame->rounds_since;
  made->round_loop = frame->round_loop;
  return made;
}

// The block that all back edges come through.
static uint32_t common_latch(const Scan *scan, uint32_t loop) {
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[loop].header, latch = CFG_NONE;
  for (uint32_t p = cfg->pred_first[header]; p < cfg->pred_first[header + 1]; p++) {
    uint32_t from = cfg->preds[p];
    if (cfg->rpo_number[from] == CFG_NONE || !cfg_loop_contains(cfg, loop, from)) continue;
    if (latch == CFG_NONE) latch = from;
    while (!cfg_dominates(cfg, latch, from))
      latch = cfg->idom[latch];
  }
  return latch;
}

// Conditions under which the loop is gone round in the iteration of this frame.
static ExprRef round_condition(Frame *at, uint32_t loop) {
  Scan *scan = at->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[loop].header, latch = common_latch(scan, loop);
  if (latch == CFG_NONE) return expr_bool(scan->pool, true);
  ExprRef condition = frame_chain_condition(at, header, latch);
  ExprRef edge = frame_edge_condition(at, latch, header); // true where the latch is not the end of the round
  bool is_edge = false;
  for (uint32_t s = cfg->succ_first[latch]; s < cfg->succ_first[latch + 1]; s++)
    is_edge |= cfg->succs[s] == header;
  return edge && is_edge ? expr_and(scan->pool, condition, edge) : condition;
}

// Points stand in the loop, and the thread went round it without passing one.
static bool passes_by_points(const Frame *frame, uint32_t loop) {
  const Scan *scan = frame->scan;
  if (!frame->graph || (frame->is_around[loop] && !is_gone_round(frame, loop))) return false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (point_orders(scan, &scan->points.items[p], frame->graph->extent) &&
        cfg_loop_contains(scan->cfg, loop, scan->points.items[p].block))
      return true;
  return false;
}

// The first rounds without a point: a barrier that stands in every second or third of them ends the stretch.
static ExprRef first_rounds(Frame *frame, uint32_t loop, ExprRef iteration) {
  ExprPool *pool = frame->scan->pool;
  ExprRef all = expr_bool(pool, true), first = expr_const(pool, 32, 0);
  if (is_gone_round(frame, loop)) {
    ExprRef one = expr_const(pool, 32, 1);
    first = expr_binary(pool, EXPR_ADD, EXPR_NSW,
                        expr_binary(pool, EXPR_SUB, EXPR_NSW, iteration, frame->rounds_since), one);
  }
  for (int64_t j = 0; j < FIRST_ROUNDS; j++) {
    ExprRef round = expr_binary(pool, EXPR_ADD, EXPR_NSW, first, expr_const(pool, 32, j));
    ExprRef is_later = expr_binary(pool, EXPR_SLE, 0, iteration, round);
    ExprRef held = meeting_round_condition(frame_of_round(frame, loop, round), loop);
    all = expr_and(pool, all, expr_or(pool, is_later, held));
  }
  return all;
}

static ExprRef progress_of(Frame *frame, uint32_t loop) {
  if (frame->progress[loop]) return frame->progress[loop];
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  ExprRef iteration = frame->iteration[loop];
  frame->progress[loop] = expr_bool(pool, true);
  if (expr_is_const(pool, iteration, NULL)) return frame->progress[loop];
  ExprRef earlier = expr_binary(pool, EXPR_SUB, EXPR_NSW, iteration, expr_const(pool, 32, 1));
  Frame *before = frame_of_round(frame, loop, earlier);
  bool passes_by = passes_by_points(frame, loop);
  ExprRef held = round_condition(before, loop);
  if (passes_by) held = expr_and(pool, held, meeting_round_condition(before, loop));
  // The round before is the one with the point if the loop was gone round once.
  ExprRef is_first = is_gone_round(frame, loop) ? expr_eq(pool, frame->rounds_since, expr_const(pool, 32, 1))
                                                : expr_eq(pool, iteration, expr_const(pool, 32, 0));
  ExprRef progress = expr_or(pool, is_first, held);
  if (passes_by) progress = expr_and(pool, progress, first_rounds(frame, loop, iteration));
  return frame->progress[loop] = progress;
}

void goal_add_rounds(Scan *scan, Goal *goal, Frame *frame) {
  uint32_t loops = scan->cfg->loops.count;
  if (!loops) return;
  uint8_t *added = arena_array(scan->arena, loops, uint8_t);
  for (bool changed = true; changed;) {
    changed = false;
    const uint8_t *occurs = goal_occurrences(scan, goal);
    uint32_t known = expr_count(scan->pool);
    for (uint32_t l = 0; l < loops; l++) {
      ExprRef iteration = frame->iteration[l];
      if (added[l] || !iteration || iteration > known || !occurs[iteration]) continue;
      added[l] = 1;
      uint32_t count = goal->conditions.count;
      goal_add(scan, goal, progress_of(frame, l), GOAL_FACT, TAG_BOUNDS);
      changed |= goal->conditions.count > count;
    }
  }
}
