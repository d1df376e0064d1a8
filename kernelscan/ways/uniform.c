// Which values are the same for all threads of a block that execute them in the same iteration?
// Method: divergence analysis as a fixed point over data and sync dependence (Karrenberg and Hack, CC 2012;
// Rosemann, Moll and Hack, POPL 2021): a value is divergent if an operand is, if it merges ways of a
// divergent branch, or if it leaves a loop that threads leave at different times. Soundness: "uniform"
// under-approximates. Loads count as uniform only from memory that the kernel does not write, or that nothing
// writes between the same two barriers (stable.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"
#include "kernelscan/kernel.h"
#include "kernelscan/memory.h"

bool uniform_ref(const Scan *scan, IrRef ref) {
  ASSERT(scan_has_ref(scan, ref));
  return ir_ref_kind(ref) != IR_REF_INST || scan->alike.is_uniform[ir_ref_index(ref)];
}

static bool sreg_is_uniform(int64_t sreg) {
  return (sreg >= IR_SREG_NTID_X && sreg <= IR_SREG_CLUSTER_NCTAID_Z) || sreg == IR_SREG_WARPSIZE;
}

// A value that leaves a loop which threads leave in different iterations (temporal divergence).
static bool leaves_divergent_loop(const Scan *scan, IrRef ref, uint32_t user_block) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst) return false;
  const Cfg *cfg = scan->cfg;
  for (uint32_t l = cfg->loop_of[inst->block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    if (!cfg_loop_contains(cfg, l, user_block) && scan->alike.exits_diverge[l]) return true;
  return false;
}

static bool operands_uniform(const Scan *scan, const IrInst *inst) {
  for (uint32_t i = 0; i < inst->op_count; i++) {
    uint32_t place = inst->op == IR_PHI ? inst->blocks[i] : inst->block;
    if (!uniform_ref(scan, inst->ops[i]) || leaves_divergent_loop(scan, inst->ops[i], place)) return false;
    if (inst->op == IR_PHI && leaves_divergent_loop(scan, inst->ops[i], inst->block) &&
        !cfg_dominates(scan->cfg, inst->block, place))
      return false;
  }
  return true;
}

static bool load_is_uniform(const Scan *scan, const IrInst *inst) {
  uint32_t index = (uint32_t)(inst - scan->fn->insts.items);
  if (!operands_uniform(scan, inst)) return false;
  if (scan->alike.is_broadcast[index]) return true;
  if (inst->order != IR_ORDER_PLAIN) return false;
  bool is_parameter = object_is_in_parameter(scan, inst->ops[0]);
  return is_parameter || object_is_readonly_at(scan, index);
}

static bool block_is_one_warp(const Scan *scan) {
  int64_t most = 1;
  for (int axis = 0; axis < 3; axis++) {
    int64_t lo = 0, hi = 0;
    expr_range(scan->pool, scan->launch->block[axis], &lo, &hi);
    if (lo < 1 || hi > 32) return false;
    most *= hi;
  }
  return most <= 32;
}

static bool is_come_to_in_step(Scan *scan, uint32_t block) {
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    if (scan->alike.exits_diverge[l]) return false;
  return uniform_comes_to(scan, block);
}

static bool may_have_one_mask(const Scan *scan, const IrInst *one, const IrInst *two) {
  int64_t first = 0, second = 0;
  bool are_known =
      ir_const_value(scan->fn, one->ops[0], &first) && ir_const_value(scan->fn, two->ops[0], &second);
  return !are_known || (uint32_t)first == (uint32_t)second;
}

bool uniform_may_meet(const Scan *scan, const IrInst *one, const IrInst *two) {
  ASSERT(ir_has_inst(scan->fn, one));
  ASSERT(ir_has_inst(scan->fn, two));
  return one->op == two->op && one->op_count > 0 && two->op_count > 0 && one->name && two->name &&
         strcmp(one->name, two->name) == 0 && scan->cfg->rpo_number[one->block] != CFG_NONE &&
         may_have_one_mask(scan, one, two);
}

// The answer of a whole warp, where the block is no more than that and all its threads come to the vote in
// the same iterations, and to each that they could be at instead: so it is one vote that they make there.
static bool vote_is_uniform(Scan *scan, const IrInst *inst) {
  if (!scan_is_warp_vote(scan, inst) || !block_is_one_warp(scan)) return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *other = &scan->fn->insts.items[i];
    if ((other == inst || uniform_may_meet(scan, other, inst)) && !is_come_to_in_step(scan, other->block))
      return false;
  }
  return true;
}

static bool access_is_uniform(Scan *scan, const IrInst *inst) {
  if (inst->op == IR_LOAD) return load_is_uniform(scan, inst);
  if (inst->op == IR_ATOMICRMW)
    return scan->alike.is_broadcast[inst - scan->fn->insts.items] && operands_uniform(scan, inst);
  return inst->type.kind == IR_VOID && operands_uniform(scan, inst); // what gives nothing back
}

static bool inst_is_uniform(Scan *scan, const IrInst *inst) {
  switch (ir_op_step((IrOp)inst->op)) {
  case IR_STEP_SREG: return sreg_is_uniform(inst->imm);
  case IR_STEP_ACCESS: return access_is_uniform(scan, inst);
  case IR_STEP_BARRIER: return inst->scope >= IR_SCOPE_BLOCK; // a reduction gives the same to all
  case IR_STEP_OBJECT:
  case IR_STEP_CALL:
  case IR_STEP_UNDEF: return false;
  case IR_STEP_LANES: return inst->op == IR_VOTE && vote_is_uniform(scan, inst);
  case IR_STEP_NONE:
  case IR_STEP_ARITH: // pure operations, and those without a result
  case IR_STEP_COMPARE:
  case IR_STEP_CAST:
  case IR_STEP_SELECT:
  case IR_STEP_PHI:
  case IR_STEP_PTRADD:
  case IR_STEP_EXTRACT:
  case IR_STEP_INSERT:
  case IR_STEP_PURE:
  case IR_STEP_COPIES:
  case IR_STEP_FENCE:
  case IR_STEP_BR:
  case IR_STEP_CONDBR:
  case IR_STEP_SWITCH:
  case IR_STEP_RET:
  case IR_STEP_UNREACHABLE: return operands_uniform(scan, inst);
  }
  return false;
}

static bool branch_is_divergent(const Scan *scan, uint32_t block) {
  const IrInst *end = ir_terminator(scan->fn, block);
  return end && ir_inst_is(end, IR_FORKS) && !operands_uniform(scan, end);
}

enum { LABEL_NONE = 0 };

// Hands a label on to a block; two different labels make it a join, which goes on with a label of its own.
static bool receive_label(uint32_t *labels, uint8_t *is_join, uint32_t block, uint32_t label,
                          uint32_t own_label) {
  if (labels[block] == label || (is_join[block] && labels[block] == own_label)) return false;
  if (labels[block] == LABEL_NONE) {
    labels[block] = label;
  } else {
    is_join[block] = 1;
    labels[block] = own_label;
  }
  return true;
}

static bool leaves_loop(const Cfg *cfg, uint32_t loop, uint32_t block) {
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
    if (!cfg_loop_contains(cfg, loop, cfg->succs[s])) return true;
  return false;
}

// Loops around the branch that are left at the branch, or at a place that only one of its sides may reach.
static void mark_divergent_exits(Scan *scan, uint32_t branch, const uint32_t *labels) {
  const Cfg *cfg = scan->cfg;
  for (uint32_t l = cfg->loop_of[branch]; l != CFG_NONE; l = cfg->loops.items[l].parent) {
    const CfgLoop *loop = &cfg->loops.items[l];
    for (uint32_t i = 0; i < loop->blocks.count; i++) {
      uint32_t block = loop->blocks.items[i];
      bool one_sided = block == branch || (labels[block] != LABEL_NONE && block != cfg->ipdom[branch]);
      if (one_sided && leaves_loop(cfg, l, block)) scan->alike.exits_diverge[l] = 1;
    }
  }
}

// Blocks where ways of a divergent branch meet. Labels flow forward; at headers of loops around the branch
// they stop, because the next iteration is another instance.
static void spread_from_branch(Scan *scan, uint32_t branch, uint8_t *is_join) {
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  uint32_t *labels = arena_array(scratch, cfg->block_count, uint32_t);
  uint8_t *joins = arena_array(scratch, cfg->block_count, uint8_t);
  for (uint32_t s = cfg->succ_first[branch]; s < cfg->succ_first[branch + 1]; s++)
    receive_label(labels, joins, cfg->succs[s], s + 1, cfg->succs[s] + 1000000000u);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < cfg->rpo_count; n++) {
      uint32_t block = cfg->rpo[n];
      if (labels[block] == LABEL_NONE || block == branch || block == cfg->ipdom[branch]) continue;
      if (cfg_dominates(cfg, block, branch)) continue; // a header around the branch
      for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
        changed |= receive_label(labels, joins, cfg->succs[s], labels[block], cfg->succs[s] + 1000000000u);
    }
  }
  for (uint32_t b = 0; b < cfg->block_count; b++)
    is_join[b] |= joins[b];
  mark_divergent_exits(scan, branch, labels);
  arena_close(scratch);
}

// Takes back what is not uniform while loads that are said to be stable are.
static void take_back(Scan *scan, uint8_t *spread, uint8_t *is_join) {
  const IrFunction *fn = scan->fn;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < fn->insts.count; i++) {
      const IrInst *inst = &fn->insts.items[i];
      if (!scan->alike.is_uniform[i]) continue;
      if (inst_is_uniform(scan, inst) && !(inst->op == IR_PHI && is_join[inst->block])) continue;
      scan->alike.is_uniform[i] = 0;
      changed = true;
    }
    for (uint32_t b = 0; b < fn->blocks.count; b++) {
      if (spread[b] || scan->cfg->rpo_number[b] == CFG_NONE || !branch_is_divergent(scan, b)) continue;
      spread[b] = 1;
      spread_from_branch(scan, b, is_join);
      changed = true;
    }
  }
}

void uniform_compute(Scan *scan) {
  ASSERT(scan->reaches && value_forms(scan)->inductions); // after loops_find_inductions
  const IrFunction *fn = scan->fn;
  Arena *arena = scan->arena;
  scan->alike.is_uniform = arena_array(arena, fn->insts.count + 1, uint8_t);
  scan->alike.exits_diverge = arena_array(arena, scan->cfg->loops.count + 1, uint8_t);
  uint8_t *spread = arena_array(arena, fn->blocks.count + 1, uint8_t),
          *is_join = arena_array(arena, fn->blocks.count + 1, uint8_t);
  for (uint32_t i = 0; i < fn->insts.count; i++)
    scan->alike.is_uniform[i] = 1;
  stable_start(scan);
  do
    take_back(scan, spread, is_join);
  while (stable_take_back(scan));
  final_words_find(scan);
}

bool uniform_comes_to_by(Scan *scan, uint32_t block, BranchTest *is_alike, void *context) {
  ASSERT(scan_has_block(scan, block));
  CfgEdges edges = cfg_all_control_deps(scan->cfg, block, scan->arena);
  for (uint32_t e = 0; e < edges.count; e++) {
    const IrInst *end = ir_terminator(scan->fn, edges.items[e].from);
    bool is_uniform = end && end->op_count && uniform_ref(scan, end->ops[0]);
    if (!is_uniform && !(is_alike && is_alike(scan, edges.items[e], context))) return false;
  }
  return true;
}

bool uniform_comes_to(Scan *scan, uint32_t block) {
  ASSERT(scan_has_block(scan, block));
  return uniform_comes_to_by(scan, block, NULL, NULL);
}
