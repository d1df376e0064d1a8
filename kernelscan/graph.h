// The door of kernelscan/graph/: how control gets from one place of the kernel to another: stretches between
// barriers, and whom a barrier holds together.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_GRAPH_H
#define HGRD_KERNELSCAN_GRAPH_H

#include "kernelscan/scan.h"

typedef struct NodeWalk {
  const Scan *scan;
  Arena *scratch;  // until its end
  uint8_t *seen;   // by node: a way leads to its start
  uint32_t *stack; // nodes whose ways on are still to be followed
  uint32_t depth;
} NodeWalk;

// nodes.c
uint32_t node_of_inst(const Scan *scan, uint32_t inst); // the stretch of its block that it stands in
NodeWalk node_walk(const Scan *scan);                   // has seen nothing yet
void node_walk_visit(NodeWalk *walk, uint32_t node);
void node_walk_next(NodeWalk *walk, uint32_t node); // visits what comes after the node
const uint8_t *node_walk_end(NodeWalk *walk);       // what it has seen, by node
// By node: all on the ways on from here; with `stops`, up to the next barriers of the block.
const uint8_t *node_reached_from(const Scan *scan, uint32_t node, bool stops);
// The same up to the barriers that hold the couple together.
const uint8_t *node_stretch(const Scan *scan, uint32_t node, Couple couple);
// Does a way lead on from here to the end of the kernel, past no barrier of the block?
bool node_may_leave(const Scan *scan, uint32_t node);
// By node: where this thread may come to from here, or another one of its block behind a barrier that counts this one as arrived because it has
// left the kernel.
const uint8_t *node_later(const Scan *scan, uint32_t node);
// Can both be between the same two barriers that hold threads together which are apart by the extent?
bool node_share_stretch(const Scan *scan, Extent extent, uint32_t one, uint32_t other);

// points.c
// Does the barrier hold the couple together? What is said of more threads than two, or is kept, is asked of any
// couple that is so far apart (couple_of).
bool point_orders(const Point *point, Couple couple);
bool point_would_order(const Point *point, Couple couple); // if all came that it holds
// Barriers of a part of the block are for those who come to them.
bool point_is_of_all(const Point *point);

// Is it known which barriers not all come to (divergence_find)? Before, Point.is_divergent says nothing.
bool points_know_divergent(const Scan *scan);
void points_set_divergent_known(Scan *scan);

// reach.c
// The first block on the way to this one (in its loop) from which control always comes to it, in the same
// round.
uint32_t graph_head_of(const Scan *scan, uint32_t block);
bool graph_reaches(const Scan *scan, uint32_t from, uint32_t to); // by at least one step
// Does control get from one to the other within one round of the loop?
bool graph_reaches_in_round(const Scan *scan, uint32_t loop, uint32_t from, uint32_t to);
// Does control get from one block to the other by at least one step, and not through the block `avoided` (CFG_NONE: none)?
bool graph_block_reaches(const Scan *scan, uint32_t from, uint32_t to, uint32_t avoided);
// A walk over the ways on from behind an instruction, each of which is visited once: does one come to what is wanted?
typedef enum GraphStep { GRAPH_GOES_ON, GRAPH_STOPS, GRAPH_FOUND } GraphStep;
typedef struct GraphWalk {
  uint32_t from; // CFG_NONE: from the begin of the block
  uint32_t block;
  uint8_t *wanted;        // by instruction
  const uint8_t *avoided; // by instruction: no way goes on behind it; NULL: none
  uint8_t *ends;          // by position in cfg->succs: nor over this edge; NULL: none
  const uint8_t *only;    // likewise: over these alone; NULL: all
  GraphStep (*visit)(const Scan *scan, uint32_t inst,
                     void *context); // in place of the marks of instructions, or NULL
  void *context;
} GraphWalk;
bool graph_walk(const Scan *scan, const GraphWalk *walk);
// Every way to the second instruction has passed the first, which is another one.
bool graph_dominates(const Scan *scan, uint32_t one, uint32_t two);

#endif
