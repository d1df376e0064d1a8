// Facts about a control-flow graph that both scanners need: predecessors, order, dominators, post-dominators,
// loops. Dominators by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); natural loops
// from back edges (an edge whose target dominates its source). Unreachable blocks have no number and dominate
// nothing. SPDX-License-Identifier: Apache-2.0
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
  uint32_t *ipdom;      // immediate post-dominator; CFG_NONE for exits and blocks that reach none
  VEC(CfgLoop) loops;   // parents before children
  uint32_t *loop_of;    // by block: innermost loop or CFG_NONE
  bool is_reducible;
} Cfg;

Cfg *cfg_make(const IrFunction *function, Arena *arena);
bool cfg_dominates(const Cfg *cfg, uint32_t a, uint32_t b);      // a == b counts
bool cfg_post_dominates(const Cfg *cfg, uint32_t a, uint32_t b); // every way from b to an exit passes a
// Does the edge dominate `block`: does every way from the entry to block pass this edge? (An edge, not its
// target.)
bool cfg_edge_dominates(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block);
bool cfg_loop_contains(const Cfg *cfg, uint32_t loop, uint32_t block);

#endif
