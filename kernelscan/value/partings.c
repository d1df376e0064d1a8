// Which of its values does a merge in a loop have? `if (is_inside) p += plane;` moves p on in all rounds of a thread, or in
// none, if the loop does not change the condition. Method: by block of the region between the merge and its immediate dominator, which values
// can still come (control dependence; Ferrante, Ottenstein, Warren, "The Program Dependence Graph", TOPLAS 1987). Branches from which both
// can decide; others, such as those within `if (is_inside) { ... }`, have no say. Soundness: exact. The deciding branches are
// passed at most once in a round, and the loop does not change what they test; ways that leave the loop bring nothing round.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"

enum { IS_SEEN = 4, IS_UNDER_WAY = 8, IS_CIRCULAR = 16 }; // the last: of the phi's own block

static uint8_t behind(const Merge *merge, uint32_t block);

// By the edge.
uint8_t partings_behind(const Merge *merge, uint32_t from, uint32_t to) {
  ASSERT(merge->seen);
  if (to != merge->phi->block)
    return cfg_loop_contains(merge->scan->cfg, merge->loop, to) ? behind(merge, to) : NOTHING;
  uint8_t found = NOTHING;
  for (uint32_t i = 0; i < merge->phi->op_count; i++)
    if (merge->phi->blocks[i] == from) found |= merge->phi->ops[i] == merge->value ? BRINGS : BRINGS_NOT;
  return found;
}

static uint8_t behind(const Merge *merge, uint32_t block) {
  const Cfg *cfg = merge->scan->cfg;
  uint32_t inner = cfg->loop_of[block];
  bool is_head = inner != CFG_NONE && cfg->loops.items[inner].header == block;
  // Round a loop inside: all is found from its head. Other circles have none.
  if (merge->seen[block] & IS_UNDER_WAY && !is_head) merge->seen[merge->phi->block] |= IS_CIRCULAR;
  if (merge->seen[block] & IS_SEEN) return merge->seen[block] & IS_OPEN;
  merge->seen[block] = IS_SEEN | IS_UNDER_WAY;
  const IrInst *end = ir_terminator(merge->scan->fn, block);
  for (uint32_t i = 0; i < end->block_count; i++)
    merge->seen[block] |= partings_behind(merge, block, end->blocks[i]);
  merge->seen[block] &= (uint8_t)~IS_UNDER_WAY;
  return merge->seen[block] & IS_OPEN;
}

bool partings_open(const Scan *scan, IrRef phi, IrRef value, Merge *merge) {
  ASSERT(scan_has_ref(scan, phi));
  ASSERT(merge);
  const IrInst *inst = ir_inst(scan->fn, phi);
  uint32_t loop = inst ? scan->cfg->loop_of[inst->block] : CFG_NONE;
  if (loop == CFG_NONE || inst->op != IR_PHI || scan->cfg->loops.items[loop].header == inst->block)
    return false;
  *merge = (Merge){scan, inst, value, loop, scan->cfg->idom[inst->block], NULL};
  if (merge->top == CFG_NONE || !cfg_loop_contains(scan->cfg, loop, merge->top)) return false;
  merge->seen = arena_array(scan->arena, scan->fn->blocks.count + 1, uint8_t);
  (void)behind(merge, merge->top);
  return !(merge->seen[inst->block] & IS_CIRCULAR);
}

// A block from which both may come: it goes on in one way, or in one that the loop does not change.
static bool is_decided_alike(const Merge *merge, uint32_t block) {
  const Scan *scan = merge->scan;
  const IrInst *end = ir_terminator(scan->fn, block);
  uint32_t ways = 0;
  for (uint32_t i = 0; i < end->block_count; i++)
    ways += partings_behind(merge, block, end->blocks[i]) != NOTHING;
  if (scan->cfg->loop_of[block] != merge->loop) return false; // in a loop inside
  return ways < 2 || (end->op == IR_CONDBR && nested_is_invariant(scan, merge->loop, end->ops[0]));
}

bool partings_are_alike(const Scan *scan, uint32_t loop, IrRef phi, IrRef value) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(scan_has_ref(scan, phi));
  Merge merge;
  if (!partings_open(scan, phi, value, &merge) || merge.loop != loop) return false;
  for (uint32_t b = 0; b < scan->fn->blocks.count; b++)
    if ((merge.seen[b] & IS_OPEN) == IS_OPEN && !is_decided_alike(&merge, b)) return false;
  return true;
}
