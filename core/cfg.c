// What surrounds a block: who comes before, who dominates it, which loops is it in?
// Dominators: Semi-NCA (Georgiadis, Tarjan, Werneck, "Finding Dominators in Practice", 2006), on a numbered
// graph so that the same code serves post-dominators (edges reversed, one virtual exit behind all exits). The
// simpler iteration of Cooper, Harvey and Kennedy took seconds on an irreducible ladder of 20,000 blocks.
// Loops: for each header, inner ones first, a backward walk from its latches that steps over loops found
// before, so that each block is visited once for the loop that directly holds it. Reducible: every retreating
// edge of the depth-first search is a back edge (Hecht and Ullman 1974).
// Invariant: a tree's enter/leave numbers nest, so that ancestry is two comparisons.
// Soundness: exact, no approximation; what is not reachable dominates nothing and is dominated by nothing.
// Blocks that reach no exit are post-dominated by themselves alone; control dependence gives them an end.
// SPDX-License-Identifier: Apache-2.0
#include "core/cfg.h"
#include "core/bug.h"

#include <string.h>

// A graph over 0 .. count-1 with both directions at hand, as ranges in flat arrays.
typedef struct Graph {
  uint32_t count;
  uint32_t *succ_first, *succs;
  uint32_t *pred_first, *preds;
} Graph;

// What a depth-first search from `root` found.
typedef struct Order {
  uint32_t *nodes; // in reverse post-order
  uint32_t count;
  uint32_t *number;                 // position in nodes; CFG_NONE if not reached
  uint32_t *pre_nodes, *pre_number; // the same in pre-order
  uint32_t *pre_parent;             // by position in pre-order: the position from where it was reached first
} Order;

// ---- graphs

static uint32_t *fill_new(Arena *arena, uint32_t count, uint32_t value) {
  uint32_t *array = arena_array(arena, count + 1u, uint32_t);
  for (uint32_t i = 0; i <= count; i++)
    array[i] = value;
  return array;
}

// Fills preds from succs: count, sum up, place. The order of preds follows that of their sources.
static void graph_add_preds(Graph *graph, Arena *arena) {
  uint32_t n = graph->count, edge_count = graph->succ_first[n];
  graph->pred_first = arena_array(arena, n + 1u, uint32_t);
  graph->preds = arena_array(arena, edge_count + 1u, uint32_t);
  for (uint32_t e = 0; e < edge_count; e++)
    graph->pred_first[graph->succs[e]]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= n; i++) {
    uint32_t here = graph->pred_first[i];
    graph->pred_first[i] = sum;
    sum += here;
  }
  uint32_t *next = arena_copy(arena, graph->pred_first, (n + 1u) * sizeof *next);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t e = graph->succ_first[i]; e < graph->succ_first[i + 1]; e++)
      graph->preds[next[graph->succs[e]]++] = i;
}

static Graph graph_of_function(const IrFunction *function, Arena *arena) {
  Graph graph = {.count = function->blocks.count};
  graph.succ_first = arena_array(arena, graph.count + 1u, uint32_t);
  for (uint32_t b = 0; b < graph.count; b++) {
    const IrInst *last = ir_terminator(function, b);
    graph.succ_first[b + 1] = graph.succ_first[b] + (last ? last->block_count : 0);
  }
  graph.succs = arena_array(arena, graph.succ_first[graph.count] + 1u, uint32_t);
  for (uint32_t b = 0; b < graph.count; b++) {
    const IrInst *last = ir_terminator(function, b);
    for (uint32_t i = 0; last && i < last->block_count; i++) {
      BUG_UNLESS(last->blocks[i] < graph.count);
      graph.succs[graph.succ_first[b] + i] = last->blocks[i];
    }
  }
  graph_add_preds(&graph, arena);
  return graph;
}

// Iterative, since functions may be one long chain. Successors are taken last first: then the first one (the
// "then" side, the loop body) comes early in reverse post-order, which reads like the source.
static Order graph_order(const Graph *graph, uint32_t root, Arena *arena) {
  uint32_t n = graph->count, depth = 0, seen = 0, place = n;
  Order order = {.nodes = fill_new(arena, n, 0), .number = fill_new(arena, n, CFG_NONE)};
  order.pre_nodes = fill_new(arena, n, 0);
  order.pre_number = fill_new(arena, n, CFG_NONE);
  order.pre_parent = fill_new(arena, n, 0);
  uint32_t *stack = fill_new(arena, n, 0), *left = fill_new(arena, n, 0); // successors not yet taken
  for (uint32_t node = root;;) {
    if (order.pre_number[node] == CFG_NONE) { // going down
      order.pre_parent[seen] = depth ? order.pre_number[stack[depth - 1]] : 0;
      order.pre_nodes[order.pre_number[node] = seen++] = node;
      left[node] = graph->succ_first[node + 1] - graph->succ_first[node];
      stack[depth++] = node;
    }
    for (node = stack[depth - 1]; left[node] == 0 && depth > 0;) { // done, going up
      order.nodes[--place] = node;
      if (--depth > 0) node = stack[depth - 1];
    }
    if (depth == 0) break;
    node = graph->succs[graph->succ_first[node] + --left[node]];
  }
  order.nodes += place;
  order.count = seen;
  for (uint32_t i = 0; i < seen; i++)
    order.number[order.nodes[i]] = i;
  return order;
}

// ---- dominator trees

// Semi-dominators over the depth-first tree; everything is a position in its pre-order.
typedef struct SemiNca {
  uint32_t *parent; // towards the root, shortened as we go
  uint32_t *label;  // the node of least semi-dominator on the way that was shortened
  uint32_t *semi;
  uint32_t *stack;
} SemiNca;

// The node with the least semi-dominator on the tree path from `node` up to, not including, the nodes before
// `linked`.
static uint32_t evaluate(SemiNca *s, uint32_t node, uint32_t linked) {
  uint32_t depth = 0;
  while (s->parent[node] >= linked) {
    s->stack[depth++] = node;
    node = s->parent[node];
  }
  uint32_t above = node;
  while (depth > 0) {
    node = s->stack[--depth];
    s->parent[node] = s->parent[above];
    if (s->semi[s->label[above]] < s->semi[s->label[node]]) s->label[node] = s->label[above];
    above = node;
  }
  return s->label[node];
}

static void find_semi_dominators(SemiNca *s, const Graph *graph, const Order *order) {
  for (uint32_t i = order->count; i-- > 1;) {
    uint32_t node = order->pre_nodes[i];
    s->semi[i] = s->parent[i];
    for (uint32_t e = graph->pred_first[node]; e < graph->pred_first[node + 1]; e++) {
      uint32_t pred = order->pre_number[graph->preds[e]];
      if (pred == CFG_NONE) continue;
      uint32_t semi = s->semi[evaluate(s, pred, i + 1)];
      if (semi < s->semi[i]) s->semi[i] = semi;
    }
  }
}

// Immediate dominators by node; the root is its own; CFG_NONE for what the root does not reach.
static uint32_t *dominators_find(const Graph *graph, const Order *order, Arena *arena) {
  uint32_t n = order->count;
  SemiNca s = {.label = fill_new(arena, n, 0), .semi = fill_new(arena, n, 0), .stack = fill_new(arena, n, 0)};
  s.parent = arena_copy(arena, order->pre_parent, n * sizeof *s.parent);
  for (uint32_t i = 0; i < n; i++)
    s.label[i] = s.semi[i] = i;
  find_semi_dominators(&s, graph, order);
  uint32_t *above = arena_copy(arena, order->pre_parent, n * sizeof *above);
  uint32_t *idom = fill_new(arena, graph->count, CFG_NONE);
  for (uint32_t i = 0; i < n; i++) {
    while (above[i] > s.semi[i])
      above[i] = above[above[i]];
    idom[order->pre_nodes[i]] = order->pre_nodes[above[i]];
  }
  return idom;
}

// Numbers the tree in pre-order from 1 so that a subtree is a range. Works through reverse post-order, in
// which a parent stands before its children: first sizes from the leaves up, then starts from the root down.
static void tree_number(const Order *order, const uint32_t *idom, uint32_t count, Arena *arena,
                        uint32_t **enter, uint32_t **leave) {
  uint32_t *size = fill_new(arena, count, 1), *next = fill_new(arena, count, 0);
  *enter = fill_new(arena, count, 0);
  *leave = fill_new(arena, count, 0);
  for (uint32_t i = order->count; i-- > 1;)
    size[idom[order->nodes[i]]] += size[order->nodes[i]];
  for (uint32_t i = 0; i < order->count; i++) {
    uint32_t node = order->nodes[i], start = i == 0 ? 1 : next[idom[node]];
    if (i > 0) next[idom[node]] += size[node];
    (*enter)[node] = start;
    (*leave)[node] = start + size[node] - 1;
    next[node] = start + 1;
  }
}

static bool tree_is_ancestor(const uint32_t *enter, const uint32_t *leave, uint32_t a, uint32_t b) {
  return enter[a] != 0 && enter[a] <= enter[b] && enter[b] <= leave[a];
}

// ---- post-dominators

static bool is_reachable(const Cfg *cfg, uint32_t block) {
  return cfg->rpo_number[block] != CFG_NONE;
}

// The reachable part with its edges turned round; one more node stands for the end, behind all blocks of
// `ends`.
static Graph graph_reversed(const Cfg *cfg, const bool *ends, Arena *arena) {
  uint32_t n = cfg->block_count, edge_count = cfg->succ_first[n];
  Graph graph = {.count = n + 1};
  graph.succ_first = arena_array(arena, n + 2u, uint32_t);
  graph.succs = arena_array(arena, edge_count + n + 1u, uint32_t);
  uint32_t at = 0;
  for (uint32_t b = 0; b < n; b++) {
    for (uint32_t e = cfg->pred_first[b]; e < cfg->pred_first[b + 1]; e++)
      if (is_reachable(cfg, cfg->preds[e])) graph.succs[at++] = cfg->preds[e];
    graph.succ_first[b + 1] = at;
  }
  for (uint32_t b = 0; b < n; b++)
    if (ends[b]) graph.succs[at++] = b;
  graph.succ_first[n + 1] = at;
  graph_add_preds(&graph, arena);
  return graph;
}

// Marks what reaches `block` backwards; `stack` has room for all blocks.
static void mark_backwards(const Cfg *cfg, uint32_t block, bool *seen, uint32_t *stack) {
  uint32_t depth = 0;
  if (!seen[block]) stack[depth++] = block;
  seen[block] = true;
  while (depth > 0) {
    uint32_t node = stack[--depth];
    for (uint32_t e = cfg->pred_first[node]; e < cfg->pred_first[node + 1]; e++) {
      uint32_t pred = cfg->preds[e];
      if (seen[pred] || !is_reachable(cfg, pred)) continue;
      seen[pred] = true;
      stack[depth++] = pred;
    }
  }
}

// Adds to `ends` one block of each region that reaches none of them: the last one in reverse post-order,
// which is as far behind as one gets before going round again. Returns whether there was one. `without`:
// blocks that are left out.
static bool add_endless_ends(const Cfg *cfg, bool *ends, Arena *arena) {
  bool *seen = arena_array(arena, cfg->block_count + 1u, bool), found = false;
  uint32_t *stack = arena_array(arena, cfg->block_count + 1u, uint32_t);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (ends[b]) mark_backwards(cfg, b, seen, stack);
  for (uint32_t i = cfg->rpo_count; i-- > 0;) {
    uint32_t block = cfg->rpo[i];
    if (seen[block]) continue;
    ends[block] = found = true;
    mark_backwards(cfg, block, seen, stack);
  }
  return found;
}

static uint32_t *post_dominators_find(const Cfg *cfg, const bool *ends, Arena *arena, uint32_t **enter,
                                      uint32_t **leave) {
  Graph graph = graph_reversed(cfg, ends, arena);
  Order order = graph_order(&graph, cfg->block_count, arena);
  uint32_t *ipdom = dominators_find(&graph, &order, arena);
  tree_number(&order, ipdom, graph.count, arena, enter, leave);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (ipdom[b] == cfg->block_count) ipdom[b] = CFG_NONE; // only the end itself
  return ipdom;
}

// Blocks from which all ways end at an `unreachable`: a thread that is there has stopped the launch (a failed
// assert, a trap), or cannot be there. A loop is none: it may be gone round for ever.
static bool *find_doomed(const Cfg *cfg, Arena *arena) {
  bool *doomed = arena_array(arena, cfg->block_count + 1u, bool);
  for (uint32_t i = cfg->rpo_count; i-- > 0;) {
    uint32_t block = cfg->rpo[i], first = cfg->succ_first[block], end = cfg->succ_first[block + 1];
    doomed[block] = first < end || ir_terminator(cfg->function, block)->op == IR_UNREACHABLE;
    for (uint32_t e = first; e < end; e++)
      doomed[block] &= doomed[cfg->succs[e]];
  }
  return doomed;
}

// Without the ways on which the launch is stopped, if all others lead to an end: what has no other end keeps
// it.
static void find_staying(Cfg *cfg, const bool *ends, Arena *arena) {
  bool *staying = arena_array(arena, cfg->block_count + 1u, bool);
  bool *seen = arena_array(arena, cfg->block_count + 1u, bool);
  uint32_t *stack = arena_array(arena, cfg->block_count + 1u, uint32_t);
  cfg->is_doomed = find_doomed(cfg, arena);
  cfg->staying_enter = cfg->control_enter;
  cfg->staying_leave = cfg->control_leave;
  for (uint32_t b = 0; b < cfg->block_count; b++) {
    staying[b] = ends[b] && !cfg->is_doomed[b];
    if (staying[b]) mark_backwards(cfg, b, seen, stack);
  }
  bool is_any = false, is_endless = false;
  for (uint32_t b = 0; b < cfg->block_count; b++) {
    is_any |= cfg->is_doomed[b];
    is_endless |= is_reachable(cfg, b) && !cfg->is_doomed[b] && !seen[b];
  }
  if (is_endless) cfg->is_doomed = arena_array(arena, cfg->block_count + 1u, bool);
  if (is_any && !is_endless)
    post_dominators_find(cfg, staying, arena, &cfg->staying_enter, &cfg->staying_leave);
}

static void find_post_dominators(Cfg *cfg, Arena *arena) {
  bool *ends = arena_array(arena, cfg->block_count + 1u, bool);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    ends[b] = is_reachable(cfg, b) && cfg->succ_first[b] == cfg->succ_first[b + 1];
  cfg->ipdom = post_dominators_find(cfg, ends, arena, &cfg->pdom_enter, &cfg->pdom_leave);
  cfg->control_enter = cfg->pdom_enter;
  cfg->control_leave = cfg->pdom_leave;
  if (add_endless_ends(cfg, ends, arena))
    post_dominators_find(cfg, ends, arena, &cfg->control_enter, &cfg->control_leave);
  find_staying(cfg, ends, arena);
}

// ---- loops

typedef struct LoopFinder {
  Cfg *cfg;
  Arena *arena;
  uint32_t *top;   // by loop: some loop around it, itself if outermost so far (union-find)
  uint32_t *stack; // blocks still to visit; each is pushed once for each edge at most
  uint32_t depth;
} LoopFinder;

static uint32_t outermost(LoopFinder *finder, uint32_t loop) {
  uint32_t *top = finder->top;
  while (top[loop] != loop)
    loop = top[loop] = top[top[loop]];
  return loop;
}

static void push_preds(LoopFinder *finder, uint32_t block) {
  const Cfg *cfg = finder->cfg;
  for (uint32_t e = cfg->pred_first[block]; e < cfg->pred_first[block + 1]; e++)
    if (is_reachable(cfg, cfg->preds[e])) finder->stack[finder->depth++] = cfg->preds[e];
}

// Everything that reaches the latches without passing the header belongs to the loop; an inner loop found
// before is taken in as a whole and left through its header.
static void collect_body(LoopFinder *finder, uint32_t loop) {
  Cfg *cfg = finder->cfg;
  while (finder->depth > 0) {
    uint32_t block = finder->stack[--finder->depth], inner = cfg->loop_of[block];
    if (inner == CFG_NONE) {
      cfg->loop_of[block] = loop;
      push_preds(finder, block);
      continue;
    }
    inner = outermost(finder, inner);
    if (inner == loop) continue;
    finder->top[inner] = loop;
    cfg->loops.items[inner].parent = loop;
    push_preds(finder, cfg->loops.items[inner].header);
  }
}

static void find_loop_at(LoopFinder *finder, uint32_t header) {
  Cfg *cfg = finder->cfg;
  CfgLoop loop = {.header = header, .parent = CFG_NONE};
  uint32_t index = cfg->loops.count, previous = CFG_NONE;
  for (uint32_t e = cfg->pred_first[header]; e < cfg->pred_first[header + 1]; e++) {
    uint32_t latch = cfg->preds[e];
    if (!cfg_dominates(cfg, header, latch)) continue;
    finder->stack[finder->depth++] = latch;
    if (latch != previous)
      vec_push(finder->arena, &loop.latches, latch); // preds are in order of their sources
    previous = latch;
  }
  if (loop.latches.count == 0) return;
  vec_push(finder->arena, &cfg->loops, loop);
  finder->top[index] = index;
  cfg->loop_of[header] = index;
  collect_body(finder, index);
}

// Found from the inside out; turned round so that parents come first.
static void turn_loops_round(Cfg *cfg) {
  uint32_t count = cfg->loops.count;
  for (uint32_t i = 0; i < count / 2; i++) {
    CfgLoop other = cfg->loops.items[i];
    cfg->loops.items[i] = cfg->loops.items[count - 1 - i];
    cfg->loops.items[count - 1 - i] = other;
  }
  for (uint32_t i = 0; i < count; i++) {
    CfgLoop *loop = &cfg->loops.items[i];
    if (loop->parent != CFG_NONE) loop->parent = count - 1 - loop->parent;
    loop->depth = loop->parent == CFG_NONE ? 1 : cfg->loops.items[loop->parent].depth + 1;
  }
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (cfg->loop_of[b] != CFG_NONE) cfg->loop_of[b] = count - 1 - cfg->loop_of[b];
}

static void list_loop_blocks(Cfg *cfg, Arena *arena) {
  for (uint32_t i = 0; i < cfg->loops.count; i++)
    vec_push(arena, &cfg->loops.items[i].blocks, cfg->loops.items[i].header);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t l = cfg->loop_of[b]; l != CFG_NONE; l = cfg->loops.items[l].parent)
      if (cfg->loops.items[l].header != b) vec_push(arena, &cfg->loops.items[l].blocks, b);
}

static void find_loops(Cfg *cfg, Arena *arena) {
  LoopFinder finder = {.cfg = cfg, .arena = arena};
  finder.top = arena_array(arena, cfg->block_count + 1u, uint32_t);
  finder.stack = arena_array(arena, 2u * cfg->succ_first[cfg->block_count] + 1u, uint32_t);
  cfg->loop_of = fill_new(arena, cfg->block_count, CFG_NONE);
  for (uint32_t i = cfg->rpo_count; i-- > 0;)
    find_loop_at(&finder, cfg->rpo[i]);
  turn_loops_round(cfg);
  list_loop_blocks(cfg, arena);
}

static bool find_is_reducible(const Cfg *cfg) {
  for (uint32_t i = 0; i < cfg->rpo_count; i++) {
    uint32_t block = cfg->rpo[i];
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++) {
      uint32_t succ = cfg->succs[e];
      if (cfg->rpo_number[succ] <= i && !cfg_dominates(cfg, succ, block)) return false;
    }
  }
  return true;
}

// ---- the interface

// Whoever is reachable has a dominator with a lower number, but for the entry, which is its own.
static bool are_dominators_sound(const Cfg *cfg) {
  for (uint32_t i = 1; i < cfg->rpo_count; i++) {
    uint32_t above = cfg->idom[cfg->rpo[i]];
    if (above >= cfg->block_count || cfg->rpo_number[above] >= i) return false;
  }
  return cfg->rpo[0] == 0 && cfg->idom[0] == 0;
}

// Parents stand before their loops and hold them; the header dominates all blocks and has a way back.
static bool are_loops_sound(const Cfg *cfg) {
  for (uint32_t l = 0; l < cfg->loops.count; l++) {
    const CfgLoop *loop = &cfg->loops.items[l];
    bool is_inner = loop->parent != CFG_NONE;
    if (is_inner && (loop->parent >= l || cfg->loops.items[loop->parent].depth + 1 != loop->depth))
      return false;
    if (!loop->latches.count || loop->blocks.items[0] != loop->header) return false;
    for (uint32_t i = 0; i < loop->blocks.count; i++)
      if (!cfg_dominates(cfg, loop->header, loop->blocks.items[i])) return false;
  }
  return true;
}

Cfg *cfg_make(const IrFunction *function, Arena *arena) {
  Graph graph = graph_of_function(function, arena);
  Cfg *cfg = arena_new(arena, Cfg);
  cfg->function = function;
  cfg->block_count = graph.count;
  cfg->succ_first = graph.succ_first;
  cfg->succs = graph.succs;
  cfg->pred_first = graph.pred_first;
  cfg->preds = graph.preds;
  cfg->is_reducible = true;
  if (graph.count == 0) return cfg;
  Order order = graph_order(&graph, 0, arena);
  cfg->rpo = order.nodes;
  cfg->rpo_count = order.count;
  cfg->rpo_number = order.number;
  cfg->idom = dominators_find(&graph, &order, arena);
  tree_number(&order, cfg->idom, graph.count, arena, &cfg->dom_enter, &cfg->dom_leave);
  find_post_dominators(cfg, arena);
  find_loops(cfg, arena);
  cfg->is_reducible = find_is_reducible(cfg);
  ASSERT(are_dominators_sound(cfg));
  ASSERT(are_loops_sound(cfg));
  return cfg;
}

uint8_t *cfg_reachable(const Cfg *cfg, uint32_t start, uint32_t avoid, Arena *arena) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(start < cfg->block_count);
  uint8_t *seen = arena_array(arena, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(arena, cfg->block_count + 1, uint32_t), depth = 0;
  if (start != avoid) {
    seen[start] = 1;
    stack[depth++] = start;
  }
  while (depth) {
    uint32_t block = stack[--depth];
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
      uint32_t to = cfg->succs[s];
      if (to == avoid || seen[to]) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
  return seen;
}

bool cfg_dominates(const Cfg *cfg, uint32_t a, uint32_t b) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(a < cfg->block_count);
  ASSERT(b < cfg->block_count);
  return tree_is_ancestor(cfg->dom_enter, cfg->dom_leave, a, b);
}

bool cfg_post_dominates(const Cfg *cfg, uint32_t a, uint32_t b) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(a < cfg->block_count);
  ASSERT(b < cfg->block_count);
  return (a == b && is_reachable(cfg, a)) || tree_is_ancestor(cfg->pdom_enter, cfg->pdom_leave, a, b);
}

// The first time a way comes to `to`, it comes from a block that `to` does not dominate; if that can only be
// `from`, over its one edge, then whoever needs `to` needs the edge.
bool cfg_edge_dominates(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(from < cfg->block_count);
  ASSERT(block < cfg->block_count);
  if (!cfg_dominates(cfg, to, block)) return false;
  uint32_t edges = 0;
  for (uint32_t e = cfg->pred_first[to]; e < cfg->pred_first[to + 1]; e++) {
    uint32_t pred = cfg->preds[e];
    if (!is_reachable(cfg, pred) || cfg_dominates(cfg, to, pred)) continue;
    if (pred != from) return false;
    edges++;
  }
  return edges == 1;
}

bool cfg_loop_contains(const Cfg *cfg, uint32_t loop, uint32_t block) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(loop < cfg->loops.count);
  ASSERT(block < cfg->block_count);
  uint32_t at = cfg->loop_of[block];
  while (at != CFG_NONE && at != loop)
    at = cfg->loops.items[at].parent;
  return at != CFG_NONE;
}

uint32_t cfg_ways_out(const Cfg *cfg, uint32_t loop) {
  ASSERT(loop < cfg->loops.count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < cfg->loops.items[loop].blocks.count; i++) {
    uint32_t block = cfg->loops.items[loop].blocks.items[i];
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
      count += !cfg_loop_contains(cfg, loop, cfg->succs[e]);
  }
  return count;
}

// In the tree with ends for endless regions: does every way from b to an end pass a? Ways on which the launch
// is stopped do not count, but for those who are on one.
static bool controls_all_ways(const Cfg *cfg, uint32_t a, uint32_t b) {
  return cfg->is_doomed[a] ? tree_is_ancestor(cfg->control_enter, cfg->control_leave, a, b)
                           : tree_is_ancestor(cfg->staying_enter, cfg->staying_leave, a, b);
}

CfgEdges cfg_control_deps(const Cfg *cfg, uint32_t block, Arena *arena) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(block < cfg->block_count || !cfg->block_count); // a declaration has no blocks
  CfgEdges edges = {0};
  for (uint32_t from = 0; from < cfg->block_count; from++) {
    bool is_stopped = is_reachable(cfg, from) && cfg->is_doomed[from] && !cfg->is_doomed[block];
    if (!is_reachable(cfg, from) || is_stopped || (from != block && controls_all_ways(cfg, block, from)))
      continue;
    uint32_t first = cfg->succ_first[from], start = edges.count;
    for (uint32_t e = first; e < cfg->succ_first[from + 1]; e++) {
      uint32_t to = cfg->succs[e];
      bool is_new = controls_all_ways(cfg, block, to);
      for (uint32_t i = start; i < edges.count && is_new; i++)
        is_new = edges.items[i].to != to;
      if (is_new) vec_push(arena, &edges, (CfgEdge){from, to});
    }
  }
  return edges;
}

CfgEdges cfg_all_control_deps(const Cfg *cfg, uint32_t block, Arena *arena) {
  ASSERT(cfg->block_count == cfg->function->blocks.count);
  ASSERT(block < cfg->block_count);
  CfgEdges all = {0};
  VEC(uint32_t) work = {0};
  uint8_t *is_asked = arena_array(arena, cfg->block_count, uint8_t);
  vec_push(arena, &work, block);
  for (uint32_t w = 0; w < work.count; w++) {
    CfgEdges edges = cfg_control_deps(cfg, work.items[w], arena);
    for (uint32_t e = 0; e < edges.count; e++) {
      vec_push(arena, &all, edges.items[e]);
      if (!is_asked[edges.items[e].from]) vec_push(arena, &work, edges.items[e].from);
      is_asked[edges.items[e].from] = 1;
    }
  }
  return all;
}
