// Under which conditions does a thread surely come somewhere, and do these speak of nothing but what is known of it?
// For findings about warp operations (masks.c, lanes.c), of which no run is made: a model of the conditions has to be a
// thread of the program. Method: the chain of dominators from the place up, link by link; each edge's condition counts
// only if it is made of numbers of the thread and the launch, and of memory that the kernel is given. Soundness: what is
// not understood makes the whole unknown (0), so that no finding is made of it. Loops around a place are in their
// first round, but for one whose round is said.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"

static Speaks speaks_of_node(const Scan *scan, const ExprNode *node, bool with_host) {
  const ExprPool *pool = scan->pool;
  if (node->op == EXPR_APP) // what the kernel does not write; other functions may be anything to the solver
    return expr_func_info(pool, (uint32_t)node->value)->kind == SYM_MEMORY ? SPEAKS_OF_MEMORY
                                                                           : SPEAKS_OF_UNKNOWN;
  if (node->op != EXPR_SYM) return SPEAKS_OF_NOTHING_ELSE;
  switch ((ExprSymKind)expr_sym_info(pool, (uint32_t)node->value)->kind) {
  case SYM_HOST_VALUE: return with_host ? SPEAKS_OF_NOTHING_ELSE : SPEAKS_OF_UNKNOWN;
  case SYM_ITERATION: // of a loop of the host, or of the kernel
    return with_host && node->value < scan->start.host_symbols ? SPEAKS_OF_NOTHING_ELSE : SPEAKS_OF_UNKNOWN;
  case SYM_MEMORY:
  case SYM_UNKNOWN: return SPEAKS_OF_UNKNOWN;
  case SYM_GRID_DIM:
  case SYM_BLOCK_DIM:
  case SYM_BLOCK_IDX:
  case SYM_THREAD_IDX: break;
  }
  return SPEAKS_OF_NOTHING_ELSE;
}

Speaks exact_speaks_of(const Scan *scan, ExprRef ref, bool with_host) {
  const ExprPool *pool = scan->pool;
  Arena *scratch = arena_open();
  ExprSet below = expr_set_make(scratch, pool);
  expr_set_add_below(&below, pool, ref);
  Speaks found = SPEAKS_OF_NOTHING_ELSE;
  for (ExprRef part = 0; (part = expr_set_next(&below, part)) != 0;) {
    Speaks of = speaks_of_node(scan, expr_node(pool, part), with_host);
    if (of > found) found = of;
  }
  arena_close(scratch);
  return found;
}

ExprRef exact_edge(Frame *frame, uint32_t from, uint32_t to) {
  ExprRef edge = frame_edge_condition(frame, from, to);
  return edge && exact_speaks_of(frame->scan, edge, true) != SPEAKS_OF_UNKNOWN ? edge : 0;
}

ExprRef exact_condition(Frame *frame, uint32_t block) {
  Scan *scan = frame->scan;
  const Cfg *cfg = scan->cfg;
  ExprRef condition = expr_bool(scan->pool, true);
  for (uint32_t at = block; at != 0; at = cfg->idom[at]) {
    uint32_t from = cfg->idom[at];
    if (from == CFG_NONE) return 0;
    if (cfg_post_dominates(cfg, at, from)) continue;
    if (cfg->pred_first[at + 1] - cfg->pred_first[at] != 1) return 0;
    ExprRef edge = exact_edge(frame, from, at);
    if (!edge) return 0;
    condition = expr_and(scan->pool, condition, edge);
  }
  return condition;
}

Frame *exact_frame(Scan *scan, const View *view, uint32_t block, Round round) {
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  const uint32_t blocks[2] = {block, round.block};
  for (int i = 0; i < 2; i++)
    for (uint32_t l = scan->cfg->loop_of[blocks[i]]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
      iteration[l] = expr_const(scan->pool, 32, 0);
  if (round.number) iteration[scan->cfg->loop_of[round.block]] = expr_const(scan->pool, 32, round.number);
  return frame_make(scan, view, iteration, NULL);
}

bool exact_names_lanes(const Scan *scan, const IrInst *inst) {
  bool is_of_warp =
      (inst->op == IR_BARRIER && inst->imm == IR_BARRIER_SYNC && inst->scope == IR_SCOPE_WARP) ||
      inst->op == IR_SHUFFLE || (inst->op == IR_VOTE && inst->op_count == 2);
  return is_of_warp && inst->op_count && scan->cfg->rpo_number[inst->block] != CFG_NONE;
}
