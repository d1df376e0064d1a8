// Which edges does control take in a function of the host? What its graph says by itself, or the call that a block ends
// with.
// Method: dominance over the reachable blocks (core/cfg.h).
// Soundness: exact on the graph.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/syntax.h"

uint32_t host_argument_count(const IrInst *call) {
  ASSERT(ir_op_class((IrOp)call->op) == IR_CLASS_CALL);
  return call->name ? call->op_count : call->op_count ? call->op_count - 1u : 0;
}

bool host_is_back_edge(const Cfg *cfg, uint32_t from, uint32_t to) {
  ASSERT(from < cfg->block_count && to < cfg->block_count);
  return cfg_dominates(cfg, to, from);
}

// The front end ends such a block with a branch on an `undef` of its own, right behind the call.
bool host_way_of_call(const IrFunction *ir, uint32_t block, HostCallEnd *end) {
  ASSERT(block < ir->blocks.count && end);
  const IrInst *last = ir_terminator(ir, block);
  const IrInst *way = last->op == IR_CONDBR ? ir_inst(ir, last->ops[0]) : NULL;
  if (!way || way->op != IR_UNDEF || way == ir->insts.items) return false;
  const IrInst *call = way - 1;
  if (call->op != IR_CALL || call->block != block) return false;
  *end = (HostCallEnd){(uint32_t)(call - ir->insts.items), last->blocks[0]};
  return last->blocks[0] != last->blocks[1];
}

bool host_edges_dominate(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block) {
  ASSERT(from < cfg->block_count && to < cfg->block_count && block < cfg->block_count);
  if (!cfg_dominates(cfg, to, block)) return false;
  for (uint32_t e = cfg->pred_first[to]; e < cfg->pred_first[to + 1]; e++) {
    uint32_t pred = cfg->preds[e];
    if (pred != from && cfg->rpo_number[pred] != CFG_NONE && !cfg_dominates(cfg, to, pred)) return false;
  }
  return from != to;
}

uint32_t host_sole_pred(const Cfg *cfg, uint32_t block) {
  ASSERT(block < cfg->block_count);
  uint32_t sole = CFG_NONE;
  for (uint32_t e = cfg->pred_first[block]; e < cfg->pred_first[block + 1]; e++) {
    uint32_t pred = cfg->preds[e];
    if (cfg->rpo_number[pred] == CFG_NONE || pred == sole) continue;
    if (sole != CFG_NONE) return CFG_NONE;
    sole = pred;
  }
  return sole;
}
