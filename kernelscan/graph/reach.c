// Does control get from one instruction to another, over whatever ways, or within one round of a loop?
// Method: reachability in the graph of blocks; the set of each block is found once. Soundness: ways are
// over-approximated, conditions are not looked at.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/graph.h"

// What is kept of a scan. Asked for every pair of accesses that locks or flags may order, so each block's set is found
// once.
typedef struct Kept {
  uint64_t **reached; // by block: set of the blocks that ways from its end enter; NULL: not asked yet
} Kept;

static const uint64_t *reached_from(const Scan *scan, uint32_t block) {
  ASSERT(scan_has_block(scan, block));
  Kept *kept = SCAN_STATE_OF(scan, reach, Kept);
  if (!kept->reached) kept->reached = arena_array(scan->arena, scan->fn->blocks.count + 1, uint64_t *);
  if (kept->reached[block]) return kept->reached[block];
  const Cfg *cfg = scan->cfg;
  uint64_t *set = arena_array(scan->arena, cfg->block_count / 64 + 1, uint64_t);
  Arena *scratch = arena_open();
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
    const uint8_t *ways = cfg_reachable(cfg, cfg->succs[s], CFG_NONE, scratch);
    for (uint32_t b = 0; b < cfg->block_count; b++)
      set[b / 64] |= (uint64_t)ways[b] << (b % 64);
  }
  arena_close(scratch);
  return kept->reached[block] = set;
}

bool graph_reaches(const Scan *scan, uint32_t from, uint32_t to) {
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, to));
  uint32_t block = scan->fn->insts.items[from].block, other = scan->fn->insts.items[to].block;
  if (block == other && from < to) return true;
  return reached_from(scan, block)[other / 64] >> (other % 64) & 1;
}

bool graph_block_reaches(const Scan *scan, uint32_t from, uint32_t to, uint32_t avoided) {
  ASSERT(scan_has_block(scan, from));
  ASSERT(scan_has_block(scan, to));
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(scratch, cfg->block_count + 1, uint32_t), depth = 0;
  if (avoided != CFG_NONE) seen[avoided] = 1;
  stack[depth++] = from;
  bool found = false;
  while (depth && !found) {
    uint32_t at = stack[--depth];
    for (uint32_t s = cfg->succ_first[at]; s < cfg->succ_first[at + 1]; s++) {
      uint32_t next = cfg->succs[s];
      if (seen[next]) continue;
      seen[next] = 1;
      found |= next == to;
      stack[depth++] = next;
    }
  }
  arena_close(scratch);
  return found;
}

static GraphStep step_at(const Scan *scan, const GraphWalk *walk, uint32_t inst) {
  if (walk->visit) return walk->visit(scan, inst, walk->context);
  return walk->wanted[inst]                     ? GRAPH_FOUND
         : walk->avoided && walk->avoided[inst] ? GRAPH_STOPS
                                                : GRAPH_GOES_ON;
}

// Of one block; `*goes_on`: a way comes to its end.
static bool walk_block(const Scan *scan, const GraphWalk *walk, uint32_t block, uint32_t first,
                       bool *goes_on) {
  const IrBlock *info = &scan->fn->blocks.items[block];
  GraphStep step = GRAPH_GOES_ON;
  for (uint32_t i = first; i < info->first + info->count && step == GRAPH_GOES_ON; i++)
    step = step_at(scan, walk, i);
  *goes_on = step == GRAPH_GOES_ON;
  return step == GRAPH_FOUND;
}

bool graph_walk(const Scan *scan, const GraphWalk *walk) {
  ASSERT(!walk->visit == !!walk->wanted);
  ASSERT(walk->from == CFG_NONE ? scan_has_block(scan, walk->block) : scan_has_inst(scan, walk->from));
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(scratch, cfg->block_count + 1, uint32_t), depth = 0;
  uint32_t block = walk->from == CFG_NONE ? walk->block : scan->fn->insts.items[walk->from].block;
  uint32_t first = walk->from == CFG_NONE ? scan->fn->blocks.items[block].first : walk->from + 1;
  bool goes_on = false, found = walk_block(scan, walk, block, first, &goes_on);
  for (;;) {
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1] && goes_on; e++) {
      uint32_t to = cfg->succs[e];
      if (seen[to] || (walk->ends && walk->ends[e]) || (walk->only && !walk->only[e])) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
    if (!depth || found) break;
    block = stack[--depth];
    found = walk_block(scan, walk, block, scan->fn->blocks.items[block].first, &goes_on);
  }
  arena_close(scratch);
  return found;
}

bool graph_reaches_in_round(const Scan *scan, uint32_t loop, uint32_t from, uint32_t to) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, to));
  uint32_t start = scan->fn->insts.items[from].block, goal = scan->fn->insts.items[to].block;
  return (start == goal && from < to) ||
         graph_block_reaches(scan, start, goal, scan->cfg->loops.items[loop].header);
}

// Does control come from `from` round to the header of its loop, or out of that, without `block`?
static bool goes_by(const Scan *scan, uint32_t from, uint32_t block) {
  const Cfg *cfg = scan->cfg;
  uint32_t loop = cfg->loop_of[from], *stack = arena_array(scan->arena, cfg->block_count + 1, uint32_t),
           depth = 0;
  uint8_t *seen = arena_array(scan->arena, cfg->block_count + 1, uint8_t);
  stack[depth++] = from;
  while (depth) {
    uint32_t at = stack[--depth];
    bool is_end = cfg->succ_first[at] == cfg->succ_first[at + 1];
    if (is_end) return true;
    for (uint32_t s = cfg->succ_first[at]; s < cfg->succ_first[at + 1]; s++) {
      uint32_t to = cfg->succs[s];
      if (to == block || seen[to]) continue;
      bool leaves =
          loop != CFG_NONE && (!cfg_loop_contains(cfg, loop, to) || cfg->loops.items[loop].header == to);
      if (leaves) return true;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
  return false;
}

uint32_t graph_head_of(const Scan *scan, uint32_t block) {
  ASSERT(scan_has_block(scan, block));
  const Cfg *cfg = scan->cfg;
  uint32_t head = block;
  for (uint32_t at = cfg->idom[block], last = block; at != CFG_NONE && at != last;
       last = at, at = cfg->idom[at]) {
    uint32_t loop = cfg->loop_of[block];
    if (loop != CFG_NONE && !cfg_loop_contains(cfg, loop, at)) break;
    if (cfg->loop_of[at] != loop) continue; // in a loop on the way
    if (goes_by(scan, at, block)) break;
    head = at;
  }
  return head;
}

bool graph_dominates(const Scan *scan, uint32_t one, uint32_t two) {
  ASSERT(scan_has_inst(scan, one));
  ASSERT(scan_has_inst(scan, two));
  uint32_t block = scan->fn->insts.items[one].block, other = scan->fn->insts.items[two].block;
  return block == other ? one < two : cfg_dominates(scan->cfg, block, other);
}
