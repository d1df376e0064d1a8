// Under which condition does a thread get from one state of a graph of ways to another? Method: a disjunction
// over the edges of the acyclic region between a state and one that dominates it, each state's once.
// Soundness: an edge that is not understood is taken for possible; a region that is too large says nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"

// Values on an edge are those of the phase in which its source is executed; phases in between are not
// followed.
static ExprRef edge_condition(StateRegion *region, const StateEdge *edge) {
  const Scan *scan = region->graph->scan;
  const State *from = &region->graph->states.items[edge->from];
  const IrBlock *block = &scan->fn->blocks.items[edge->from_block];
  if (edge->from_block == edge->to_block && scan->nodes.items[from->node].end != block->first + block->count)
    return expr_bool(scan->pool, true); // past a barrier that is no point of this extent
  ExprRef condition = frame_edge_condition(region->frames[from->phase], edge->from_block, edge->to_block);
  return condition ? condition : expr_bool(scan->pool, true);
}

ExprRef ways_state_condition(StateRegion *region, uint32_t state) {
  BUG_UNLESS(state < region->graph->states.count);
  const WayGraph *graph = region->graph;
  ExprPool *pool = graph->scan->pool;
  if (state == region->from) return expr_bool(pool, true);
  for (uint32_t i = 0; i < region->count; i++)
    if (region->states[i] == state) return region->conditions[i];
  if (region->count == STATE_REGION_LIMIT) region->is_exact = false;
  if (!region->is_exact) return expr_bool(pool, true);
  uint32_t slot = region->count++;
  region->states[slot] = state;
  region->conditions[slot] = expr_bool(pool, true);
  ExprRef any = expr_bool(pool, false);
  const State *info = &graph->states.items[state];
  for (uint32_t e = 0; e < info->pred_count; e++) {
    const StateEdge *edge = &graph->edges.items[info->pred_first + e];
    if (edge->is_back) continue;
    any = expr_or(pool, any,
                  expr_and(pool, ways_state_condition(region, edge->from), edge_condition(region, edge)));
  }
  return region->conditions[slot] = any;
}

ExprRef meeting_round_condition(Frame *at, uint32_t loop) {
  ASSERT(at->view);
  ASSERT(scan_has_loop(at->scan, loop));
  const WayGraph *graph = at->graph;
  Scan *scan = at->scan;
  uint32_t header = ways_state(graph, scan->node_first[scan->cfg->loops.items[loop].header], at->phase);
  if (header == CFG_NONE) return expr_bool(scan->pool, true);
  Frame **frames = arena_array(scan->arena, graph->loop_count + 1, Frame *);
  for (uint32_t p = 0; p <= graph->loop_count; p++)
    frames[p] = at;
  StateRegion region = {.graph = graph, .frames = frames, .from = header, .is_exact = true};
  ExprRef any = expr_bool(scan->pool, false);
  const State *info = &graph->states.items[header];
  for (uint32_t e = info->pred_first; e < info->pred_first + info->pred_count; e++) {
    const StateEdge *edge = &graph->edges.items[e];
    if (graph->states.items[edge->from].phase != at->phase ||
        !cfg_loop_contains(scan->cfg, loop, edge->from_block))
      continue;
    any = expr_or(
        scan->pool, any,
        expr_and(scan->pool, ways_state_condition(&region, edge->from), edge_condition(&region, edge)));
  }
  return region.is_exact ? any : expr_bool(scan->pool, true);
}
