// Where can a thread be, after it left a synchronisation point, before it passes another one of the same
// extent? Method: reachability over nodes in the graph without the extent's other synchronisation points,
// rooted at the point (PITFALLS-style cases: back edges, bypassed barriers). States are split by which loop
// around the point was gone round, so that iteration numbers and conditions can be told apart before and
// after. Dominators of that graph give the conditions that hold on every way (Cooper, Harvey, Kennedy 2001,
// as in core/cfg.c). Soundness: exact on the graph; conditions are added by others and only restrict.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"
#include "kernelscan/graph.h"

static bool orders_in(const WayGraph *graph, const Point *point) {
  return graph->couple.ends_at_divergent ? point_would_order(point, graph->couple)
                                         : point_orders(point, graph->couple);
}

// One instruction may be a barrier of each part of the block: any of them that holds both threads.
static bool passes_point(const WayGraph *graph, uint32_t inst) {
  const Scan *scan = graph->scan;
  for (uint32_t i = 0; i < scan->points.count; i++)
    if (scan->points.items[i].inst == inst && orders_in(graph, &scan->points.items[i])) return true;
  return false;
}

static void find_loops(WayGraph *graph) {
  Scan *scan = graph->scan;
  uint32_t innermost = graph->point->inst == CFG_NONE ? CFG_NONE : scan->cfg->loop_of[graph->point->block];
  uint32_t depth = 0;
  for (uint32_t l = innermost; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    depth++;
  graph->loop_count = depth;
  graph->loops = arena_array(scan->arena, depth + 1, uint32_t);
  graph->goes_round = arena_array(scan->arena, depth + 1, bool);
  for (uint32_t l = innermost; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    graph->loops[--depth] = l;
}

// The phase after the CFG edge from -> to: crossing the back edge of an outer loop starts the inner ones
// anew.
static uint32_t next_phase(const WayGraph *graph, uint32_t phase, uint32_t from, uint32_t to) {
  const Cfg *cfg = graph->scan->cfg;
  for (uint32_t i = 0; i < graph->loop_count; i++) {
    const CfgLoop *loop = &cfg->loops.items[graph->loops[i]];
    if (loop->header != to || !cfg_loop_contains(cfg, graph->loops[i], from)) continue;
    return phase == 0 || i + 1 < phase ? i + 1 : phase;
  }
  return phase;
}

typedef struct Successor {
  uint32_t node, phase, from_block, to_block;
} Successor;

// At most one successor inside the block, or those of the terminator.
static uint32_t successors(const WayGraph *graph, uint32_t node, uint32_t phase, Successor *out,
                           uint32_t limit) {
  const Scan *scan = graph->scan;
  const Node *here = &scan->nodes.items[node];
  const Cfg *cfg = scan->cfg;
  uint32_t last = scan->node_first[here->block + 1] - 1;
  if (node != last) { // the node ends with a barrier
    if (passes_point(graph, here->end - 1)) return 0;
    out[0] = (Successor){node + 1, phase, here->block, here->block};
    return 1;
  }
  uint32_t count = 0;
  bool enters = graph->enters[ways_key(graph, node, phase)];
  for (uint32_t s = cfg->succ_first[here->block]; s < cfg->succ_first[here->block + 1] && count < limit;
       s++) {
    uint32_t to = cfg->succs[s];
    bool repeated = enters && !cfg_loop_contains(cfg, cfg->loop_of[here->block], to);
    for (uint32_t i = 0; i < count; i++)
      repeated |= out[i].to_block == to;
    if (!repeated)
      out[count++] =
          (Successor){scan->node_first[to], next_phase(graph, phase, here->block, to), here->block, to};
  }
  return count;
}

typedef struct Visit {
  uint32_t node, phase, next;
} Visit;

static uint32_t successor_limit(const Scan *scan) {
  uint32_t most = 2;
  for (uint32_t b = 0; b < scan->cfg->block_count; b++) {
    uint32_t count = scan->cfg->succ_first[b + 1] - scan->cfg->succ_first[b];
    if (count > most) most = count;
  }
  return most;
}

// Depth-first search from the point; fills states in reverse post-order.
static void number_states(WayGraph *graph, Arena *scratch) {
  Scan *scan = graph->scan;
  uint32_t keys = scan->nodes.count * (graph->loop_count + 1), limit = successor_limit(scan);
  uint8_t *seen = arena_array(scratch, keys, uint8_t);
  Successor *next = arena_array(scratch, limit, Successor);
  VEC(Visit) stack = {0};
  VEC(State) finished = {0};
  vec_push(scratch, &stack, (Visit){graph->point->node, 0, 0});
  seen[ways_key(graph, graph->point->node, 0)] = 1;
  while (stack.count) {
    Visit *top = &vec_last(&stack);
    uint32_t count = successors(graph, top->node, top->phase, next, limit);
    if (top->next == count) {
      vec_push(scratch, &finished, (State){.node = top->node, .phase = top->phase});
      stack.count--;
      continue;
    }
    Successor to = next[top->next++];
    uint32_t key = ways_key(graph, to.node, to.phase);
    if (seen[key]) continue;
    seen[key] = 1;
    vec_push(scratch, &stack, (Visit){to.node, to.phase, 0});
  }
  for (uint32_t i = finished.count; i > 0; i--) {
    vec_push(scan->arena, &graph->states, finished.items[i - 1]);
    graph->state_of[ways_key(graph, finished.items[i - 1].node, finished.items[i - 1].phase)] =
        graph->states.count;
  }
}

static void collect_edges(WayGraph *graph, Arena *scratch) {
  Scan *scan = graph->scan;
  uint32_t limit = successor_limit(scan);
  Successor *next = arena_array(scratch, limit, Successor);
  typedef struct Flat {
    uint32_t target;
    StateEdge edge;
  } Flat;
  VEC(Flat) flat = {0};
  for (uint32_t s = 0; s < graph->states.count; s++) {
    const State *state = &graph->states.items[s];
    uint32_t count = successors(graph, state->node, state->phase, next, limit);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t target = ways_state(graph, next[i].node, next[i].phase);
      vec_push(scratch, &flat, (Flat){target, {s, next[i].from_block, next[i].to_block, target <= s}});
      graph->states.items[target].pred_count++;
    }
  }
  uint32_t total = 0;
  for (uint32_t s = 0; s < graph->states.count; s++) {
    graph->states.items[s].pred_first = total;
    total += graph->states.items[s].pred_count;
    graph->states.items[s].pred_count = 0;
  }
  for (uint32_t i = 0; i < total; i++)
    vec_push(scan->arena, &graph->edges, (StateEdge){0});
  for (uint32_t i = 0; i < flat.count; i++) {
    State *target = &graph->states.items[flat.items[i].target];
    graph->edges.items[target->pred_first + target->pred_count++] = flat.items[i].edge;
  }
}

uint32_t ways_common_dominator(const WayGraph *graph, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b)
      a = graph->states.items[a].idom;
    while (b > a)
      b = graph->states.items[b].idom;
  }
  return a;
}

static void compute_dominators(WayGraph *graph) {
  for (uint32_t s = 0; s < graph->states.count; s++)
    graph->states.items[s].idom = CFG_NONE;
  graph->states.items[0].idom = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 1; s < graph->states.count; s++) {
      State *state = &graph->states.items[s];
      uint32_t dominator = CFG_NONE;
      for (uint32_t e = 0; e < state->pred_count; e++) {
        uint32_t from = graph->edges.items[state->pred_first + e].from;
        if (graph->states.items[from].idom == CFG_NONE) continue;
        dominator = dominator == CFG_NONE ? from : ways_common_dominator(graph, dominator, from);
      }
      changed |= dominator != state->idom;
      state->idom = dominator;
    }
  }
}

// Can the header of the loop of this phase be reached again from itself without leaving the phase?
static bool goes_round(const WayGraph *graph, uint32_t phase) {
  const Scan *scan = graph->scan;
  uint32_t header = scan->cfg->loops.items[graph->loops[phase - 1]].header;
  uint32_t start = ways_state(graph, scan->node_first[header], phase);
  if (start == CFG_NONE) return false;
  const State *state = &graph->states.items[start];
  for (uint32_t e = 0; e < state->pred_count; e++) {
    const StateEdge *edge = &graph->edges.items[state->pred_first + e];
    if (graph->states.items[edge->from].phase == phase) return true; // came round within the phase
  }
  return false;
}

// The state is the head of a loop, come to from outside alone, and every thread goes round that loop. (Where
// a barrier stands in the head itself, some come to the end of it from there.)
static bool is_entry(const WayGraph *graph, uint32_t index) {
  Scan *scan = graph->scan;
  const State *state = &graph->states.items[index];
  uint32_t block = scan->nodes.items[state->node].block, loop = scan->cfg->loop_of[block];
  if (index == 0 || loop == CFG_NONE || scan->cfg->loops.items[loop].header != block ||
      scan->node_first[block + 1] - scan->node_first[block] != 1)
    return false;
  for (uint32_t e = 0; e < state->pred_count; e++)
    if (cfg_loop_contains(scan->cfg, loop, graph->edges.items[state->pred_first + e].from_block))
      return false;
  return entered_surely(scan, loop);
}

static bool find_entries(WayGraph *graph) {
  bool found = false;
  for (uint32_t s = 0; s < graph->states.count; s++) {
    uint8_t *enters =
        &graph->enters[ways_key(graph, graph->states.items[s].node, graph->states.items[s].phase)];
    if (*enters || !is_entry(graph, s)) continue;
    found = true;
    *enters = 1;
  }
  return found;
}

// Each way around a loop that is taken out may show that another loop is only come to from outside.
static void find_ways(WayGraph *graph) {
  size_t keys = (size_t)graph->scan->nodes.count * (graph->loop_count + 1) + 1;
  Arena *scratch = arena_open();
  do {
    memset(graph->state_of, 0, keys * sizeof *graph->state_of);
    graph->states.count = graph->edges.count = 0;
    number_states(graph, scratch);
    collect_edges(graph, scratch);
  } while (find_entries(graph));
  arena_close(scratch);
}

WayGraph *ways_make(Scan *scan, const Point *point, Couple couple) {
  ASSERT(scan_has_block(scan, point->block));
  BUG_UNLESS(couple.extent < EXTENT_COUNT && couple.covering < 1u << COVER_LIMIT);
  WayGraph *graph = arena_new(scan->arena, WayGraph);
  graph->scan = scan;
  graph->point = point;
  graph->couple = couple;
  find_loops(graph);
  graph->state_of =
      arena_array(scan->arena, (size_t)scan->nodes.count * (graph->loop_count + 1) + 1, uint32_t);
  graph->enters = arena_array(scan->arena, (size_t)scan->nodes.count * (graph->loop_count + 1) + 1, uint8_t);
  find_ways(graph);
  compute_dominators(graph);
  for (uint32_t phase = 1; phase <= graph->loop_count; phase++)
    graph->goes_round[phase] = goes_round(graph, phase);
  return graph;
}
