// Which nodes come after one another? Steps of the walks over the graph of nodes, in which each node and each
// of its ways on is looked at once; what ends a way is the walk's own affair.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/graph.h"

uint32_t node_of_inst(const Scan *scan, uint32_t inst) {
  BUG_UNLESS(inst < scan->fn->insts.count);
  uint32_t node = scan->node_first[scan->fn->insts.items[inst].block];
  while (scan->nodes.items[node].end <= inst)
    node++;
  return node;
}

NodeWalk node_walk(const Scan *scan) {
  ASSERT(scan->nodes.count); // after scan_collect
  Arena *scratch = arena_open();
  return (NodeWalk){.scan = scan,
                    .scratch = scratch,
                    .seen = arena_array(scan->arena, scan->nodes.count + 1, uint8_t),
                    .stack = arena_array(scratch, scan->nodes.count + 1, uint32_t)};
}

const uint8_t *node_walk_end(NodeWalk *walk) {
  ASSERT(walk->scratch);
  arena_close(walk->scratch);
  *walk = (NodeWalk){.scan = walk->scan, .seen = walk->seen};
  return walk->seen;
}

void node_walk_visit(NodeWalk *walk, uint32_t node) {
  ASSERT(scan_has_node(walk->scan, node));
  if (walk->seen[node]) return;
  walk->seen[node] = 1;
  walk->stack[walk->depth++] = node;
}

void node_walk_next(NodeWalk *walk, uint32_t node) {
  ASSERT(scan_has_node(walk->scan, node));
  const Scan *scan = walk->scan;
  uint32_t block = scan->nodes.items[node].block;
  if (node != scan->node_first[block + 1] - 1) {
    node_walk_visit(walk, node + 1);
    return;
  }
  for (uint32_t s = scan->cfg->succ_first[block]; s < scan->cfg->succ_first[block + 1]; s++)
    node_walk_visit(walk, scan->node_first[scan->cfg->succs[s]]);
}

// With a barrier that orders threads that are apart by the extent. One instruction may be a barrier of each
// part of the block.
static bool ends_stretch(const Scan *scan, uint32_t node, Couple couple) {
  const Node *at = &scan->nodes.items[node];
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (at->end > at->first && scan->points.items[p].inst == at->end - 1 &&
        point_orders(&scan->points.items[p], couple))
      return true;
  return false;
}

// What is kept of a scan, each by node; NULL: not asked yet. What ends at barriers is kept since it is known which not all come to.
typedef struct Kept {
  const uint8_t **reached, **stretches, **later;
} Kept;

static const uint8_t **place_of(const Scan *scan, const uint8_t ***rows, uint32_t node) {
  if (!*rows) *rows = arena_array(scan->arena, scan->nodes.count, const uint8_t *);
  return &(*rows)[node];
}

// Up to the barriers that hold the couple together; NULL: past all.
static const uint8_t *walk_from(const Scan *scan, uint32_t node, const Couple *couple) {
  NodeWalk walk = node_walk(scan);
  node_walk_visit(&walk, node);
  while (walk.depth) {
    uint32_t at = walk.stack[--walk.depth];
    if (!couple || !ends_stretch(scan, at, *couple)) node_walk_next(&walk, at);
  }
  return node_walk_end(&walk);
}

const uint8_t *node_reached_from(const Scan *scan, uint32_t node, bool stops) {
  BUG_UNLESS(node < scan->nodes.count);
  const Couple block = couple_of(EXTENT_INTRA_BLOCK), *until = stops ? &block : NULL;
  if (stops && !points_know_divergent(scan)) return walk_from(scan, node, until);
  Kept *kept = SCAN_STATE_OF(scan, nodes, Kept);
  const uint8_t **known = place_of(scan, stops ? &kept->stretches : &kept->reached, node);
  if (!*known) *known = walk_from(scan, node, until);
  return *known;
}

bool node_may_leave(const Scan *scan, uint32_t node) {
  ASSERT(scan_has_node(scan, node));
  const uint8_t *stretch = node_reached_from(scan, node, true);
  for (uint32_t n = 0; n < scan->nodes.count; n++) {
    uint32_t block = scan->nodes.items[n].block;
    bool is_last = n + 1 == scan->node_first[block + 1];
    if (stretch[n] && is_last && !ends_stretch(scan, n, couple_of(EXTENT_INTRA_BLOCK)) &&
        scan->cfg->succ_first[block] == scan->cfg->succ_first[block + 1])
      return true;
  }
  return false;
}

static const uint8_t *find_later(const Scan *scan, uint32_t node) {
  const uint8_t *ways = node_reached_from(scan, node, false);
  if (!node_may_leave(scan, node)) return ways;
  uint8_t *later = arena_copy(scan->arena, ways, scan->nodes.count);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple_of(EXTENT_INTRA_BLOCK)) ||
        !node_reached_from(scan, point->node, true)[node])
      continue;
    const uint8_t *others = node_reached_from(scan, point->node, false);
    for (uint32_t n = 0; n < scan->nodes.count; n++)
      later[n] |= others[n];
  }
  return later;
}

const uint8_t *node_later(const Scan *scan, uint32_t node) {
  ASSERT(scan_has_node(scan, node));
  if (!points_know_divergent(scan)) return find_later(scan, node);
  const uint8_t **known = place_of(scan, &SCAN_STATE_OF(scan, nodes, Kept)->later, node);
  if (!*known) *known = find_later(scan, node);
  return *known;
}

const uint8_t *node_stretch(const Scan *scan, uint32_t node, Couple couple) {
  ASSERT(couple.extent <= EXTENT_NONE);
  BUG_UNLESS(node < scan->nodes.count);
  return walk_from(scan, node, &couple);
}

bool node_share_stretch(const Scan *scan, Extent extent, uint32_t one, uint32_t other) {
  ASSERT(scan_is_extent(extent));
  for (uint32_t p = 0; p < scan->points.count; p++) {
    if (!point_orders(&scan->points.items[p], couple_of(extent))) continue;
    const uint8_t *stretch = node_stretch(scan, scan->points.items[p].node, couple_of(extent));
    if (stretch[one] && stretch[other]) return true;
  }
  return false;
}
