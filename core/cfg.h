// Facts about a control-flow graph that both scanners need: predecessors, order, dominators, post-dominators,
// control dependence, loops. Dominators by Semi-NCA; natural loops from back edges (an edge whose target
// dominates its source). Unreachable blocks have no number and dominate nothing.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_CFG_H
#define HGRD_CORE_CFG_H

#include "core/ir.h"

#define CFG_NONE UINT32_MAX

typedef struct CfgLoop {
  uint32_t header;
  uint32_t parent;       // index of the enclosing loop, CFG_NONE for an outermost one
  uint32_t depth;        // 1 for an outermost loop
  VEC(uint32_t) blocks;  // all blocks, the header first, ascending
  VEC(uint32_t) latches; // sources of back edges
} CfgLoop;

typedef struct Cfg {
  const IrFunction *function;
  uint32_t block_count;
  uint32_t *succ_first, *succs; // successors of b: succs[succ_first[b] .. succ_first[b+1])
  uint32_t *pred_first, *preds; // an edge that occurs twice (switch) is listed twice
  uint32_t *rpo;                // reachable blocks in reverse post-order; rpo_count of them
  uint32_t rpo_count;
  uint32_t *rpo_number; // by block; CFG_NONE if unreachable
  uint32_t *idom;       // by block; the entry is its own; CFG_NONE if unreachable
  uint32_t *ipdom; // immediate post-dominator; CFG_NONE for exits, blocks whose ways end at different exits
                   // and share no block, blocks that reach no exit, unreachable ones
  VEC(CfgLoop) loops; // parents before children
  uint32_t *loop_of;  // by block: innermost loop or CFG_NONE
  bool is_reducible;  // false: some cycle has no single header and is not in `loops`
  // For questions in constant time: numbers on entering and leaving a block of each tree, 0 if it is not in
  // it.
  uint32_t *dom_enter, *dom_leave;
  uint32_t *pdom_enter, *pdom_leave;
  // The same for the post-dominator tree in which endless regions have an end too (see cfg_control_deps).
  uint32_t *control_enter, *control_leave;
  // The same without the blocks from which all ways end at an `unreachable` (is_doomed).
  uint32_t *staying_enter, *staying_leave;
  bool *is_doomed;
} Cfg;

typedef struct CfgEdge {
  uint32_t from, to;
} CfgEdge;
typedef VEC(CfgEdge) CfgEdges;

// An exit is a reachable block without successors (ret, unreachable). The function must be well formed; a
// declaration has no blocks. Everything lives in `arena`.
Cfg *cfg_make(const IrFunction *function, Arena *arena);
bool cfg_dominates(const Cfg *cfg, uint32_t a, uint32_t b); // a == b counts; false if one is unreachable
// Every way from b to an exit passes a. a == b counts; otherwise false if b reaches no exit or is
// unreachable.
bool cfg_post_dominates(const Cfg *cfg, uint32_t a, uint32_t b);
// Does the edge dominate `block`: does every way from the entry to block pass this edge? (An edge, not its
// target.) False for an edge that occurs twice: that it is taken says nothing about the condition.
bool cfg_edge_dominates(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block);
// By block: 1 if some way leads there from `start` that does not pass `avoid` (CFG_NONE: nothing is avoided).
// `start` counts, unless it is avoided.
uint8_t *cfg_reachable(const Cfg *cfg, uint32_t start, uint32_t avoid, Arena *arena);
bool cfg_loop_contains(const Cfg *cfg, uint32_t loop, uint32_t block); // blocks of inner loops count
uint32_t cfg_ways_out(const Cfg *cfg, uint32_t loop);                  // edges that leave it
// The edges on which `block` is control dependent (Ferrante, Ottenstein, Warren 1987): who takes the edge
// comes to the block for certain, who stands at its source need not. Each edge once, in order of (from,
// position of `to`). Here a region that reaches no exit counts as ending at its last block, so that blocks in
// and beside endless loops have their dependences too; "for certain" then means: unless it goes round for
// ever, or stops the launch (is_doomed): a branch to a failed assert decides about no block besides.
CfgEdges cfg_control_deps(const Cfg *cfg, uint32_t block, Arena *arena);
// All edges on which it hangs whether, and how often, control comes to the block: those, then those on which the
// branches at their sources depend, and so on. Each branch's dependences once; an edge may be among those of
// several.
CfgEdges cfg_all_control_deps(const Cfg *cfg, uint32_t block, Arena *arena);

#endif
