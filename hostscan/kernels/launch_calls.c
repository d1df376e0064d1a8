// Which calls are launches? `k<<<...>>>` is a push of the configuration and a call of the stub, perhaps through a pointer.
// Method: the push is the nearest one up the dominator tree; a call through a pointer is a launch if a push that no stub
// uses comes before it.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/kernels.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"

enum { PUSH_BLOCKS = 64 };

// Is the launch on the side of the branch behind the push where the push went well?
static bool leads_to(const HostFunction *function, uint32_t push, uint32_t launch) {
  const IrFunction *ir = function->ir;
  const IrInst *last = ir_terminator(ir, ir->insts.items[push].block);
  const IrInst *test = last->op == IR_CONDBR ? ir_inst(ir, last->ops[0]) : NULL;
  if (!test || test->op != IR_ICMP || test->ops[0] != IR_REF(IR_REF_INST, push)) return true;
  uint32_t good = last->blocks[test->pred == IR_EQ ? 0 : 1];
  return cfg_edge_dominates(function->cfg, ir->insts.items[push].block, good, ir->insts.items[launch].block);
}

// The push whose configuration a stub call uses; NULL if another launch took it, or none is near.
const IrInst *host_find_push(HostScan *scan, HostFunction *function, uint32_t launch) {
  ASSERT(host_function_has_inst(function, launch));
  const IrFunction *ir = host_function_open(scan, function)->ir;
  const Cfg *cfg = function->cfg;
  uint32_t block = ir->insts.items[launch].block, end = launch;
  if (cfg->rpo_number[block] == CFG_NONE) return NULL;
  for (uint32_t steps = 0; steps < PUSH_BLOCKS; steps++) {
    for (uint32_t i = end; i-- > ir->blocks.items[block].first;) {
      const IrInst *inst = &ir->insts.items[i];
      if (inst->op != IR_CALL) continue;
      HostCallKind kind = host_call(scan, inst, NULL)->kind;
      if (kind == CALL_PUSH) return leads_to(function, i, launch) ? inst : NULL;
      if (kind == CALL_STUB) return NULL;
    }
    if (cfg->idom[block] == block) return NULL;
    block = cfg->idom[block];
    end = ir->blocks.items[block].first + ir->blocks.items[block].count;
  }
  return NULL;
}

// Is there a stub behind the call that uses the same configuration? Then the call gives it an argument:
// k<<<grid, block>>>(f()).
static bool stub_follows(HostScan *scan, HostFunction *function, uint32_t index, const IrInst *push) {
  const IrFunction *ir = function->ir;
  uint32_t block = ir->insts.items[index].block;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    if (inst->op != IR_CALL || host_call(scan, inst, NULL)->kind != CALL_STUB) continue;
    bool is_behind = inst->block == block ? i > index : cfg_dominates(function->cfg, block, inst->block);
    if (is_behind && host_find_push(scan, function, i) == push) return true;
  }
  return false;
}

bool host_is_launch(HostScan *scan, HostFunction *function, uint32_t index, HostCallKind *kind) {
  ASSERT(host_function_has_inst(function, index));
  const IrInst *inst = &function->ir->insts.items[index];
  *kind = host_call(scan, inst, NULL)->kind;
  if (host_call_is_launch(*kind)) return true;
  if (host_callee_name(scan, inst) || !function->has_launch || inst->type.kind != IR_VOID) return false;
  const IrInst *push = host_find_push(scan, function, index);
  if (!push || stub_follows(scan, function, index, push)) return false;
  *kind = CALL_STUB;
  return true;
}
