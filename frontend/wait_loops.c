// Loops that try again until the phase of a barrier object is complete (`while (!bar.try_wait(token));`) are
// waits. Method: a block that tests, does nothing else that could be seen, and whose branch leads back to it
// over empty blocks until the test holds. The test becomes a wait, the branch goes on. Soundness: what the
// loop does besides is nothing; behind it the test holds.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

enum { EMPTY_LIMIT = 8, DEPTH_LIMIT = 8 };

// The truth value if the test's result is `holds`; -1: not known.
static int truth(const IrFunction *fn, IrRef ref, uint32_t test, int holds, int depth) {
  int64_t value = 0;
  if (ref == IR_REF(IR_REF_INST, test)) return holds;
  if (ir_const_value(fn, ref, &value)) return value >= -1 && value <= 1 ? value != 0 : -1;
  const IrInst *inst = ir_inst(fn, ref);
  if (!inst || depth == DEPTH_LIMIT) return -1;
  if (inst->op == IR_SELECT) { // selp.b32 of inline PTX
    int choice = truth(fn, inst->ops[0], test, holds, depth + 1);
    return choice < 0 ? -1 : truth(fn, inst->ops[choice ? 1 : 2], test, holds, depth + 1);
  }
  bool is_cast = inst->op == IR_ZEXT || inst->op == IR_SEXT || inst->op == IR_TRUNC;
  bool is_test = inst->op == IR_ICMP && (inst->pred == IR_EQ || inst->pred == IR_NE);
  if (!is_cast && !is_test && inst->op != IR_XOR) return -1;
  int a = truth(fn, inst->ops[0], test, holds, depth + 1);
  if (is_cast || a < 0) return a;
  int b = truth(fn, inst->ops[1], test, holds, depth + 1);
  if (b < 0) return -1;
  return inst->op == IR_XOR || inst->pred == IR_NE ? a != b : a == b;
}

static bool is_seen(const IrInst *inst) {
  IrOpClass class = ir_op_class((IrOp)inst->op);
  if (class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST) return false;
  return inst->op != IR_SELECT && inst->op != IR_INSERT && inst->op != IR_EXTRACT && inst->op != IR_PTRADD &&
         inst->op != IR_UNDEF;
}

static bool leads_back(const IrFunction *fn, uint32_t from, uint32_t to) {
  for (int steps = 0; from != to; steps++) {
    const IrBlock *block = &fn->blocks.items[from];
    if (block->count != 1 || steps == EMPTY_LIMIT || fn->insts.items[block->first].op != IR_BR) return false;
    from = fn->insts.items[block->first].blocks[0];
  }
  return true;
}

// The test of the block, if it does nothing else; UINT32_MAX: none.
static uint32_t only_test(const IrFunction *fn, const IrBlock *block) {
  uint32_t test = UINT32_MAX;
  for (uint32_t i = block->first; i + 1 < block->first + block->count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    bool is_test =
        inst->op == IR_MBARRIER && (inst->imm == IR_MBARRIER_TEST || inst->imm == IR_MBARRIER_TEST_PARITY);
    if (is_test && test == UINT32_MAX)
      test = i;
    else if (is_seen(inst))
      return UINT32_MAX;
  }
  return test;
}

static void become_wait(IrModule *module, IrFunction *fn, uint32_t test, uint32_t end, uint32_t exit,
                        Arena *arena) {
  IrRef yes = ir_const_int(module, fn, 1, 1);
  for (uint32_t i = 0; i < fn->insts.count; i++)
    for (uint32_t o = 0; o < fn->insts.items[i].op_count; o++)
      if (fn->insts.items[i].ops[o] == IR_REF(IR_REF_INST, test)) ((IrRef *)fn->insts.items[i].ops)[o] = yes;
  IrInst *wait = &fn->insts.items[test];
  wait->imm = wait->imm == IR_MBARRIER_TEST ? IR_MBARRIER_WAIT : IR_MBARRIER_WAIT_PARITY;
  wait->type = (IrType){.kind = IR_VOID};
  wait->name = NULL;
  IrInst *branch = &fn->insts.items[end];
  uint32_t *target = arena_array(arena, 1, uint32_t);
  *target = exit;
  *branch = (IrInst){.op = IR_BR,
                     .block = branch->block,
                     .loc = branch->loc,
                     .type = branch->type,
                     .block_count = 1,
                     .blocks = target};
}

void wait_loops_settle(IrModule *module, IrFunction *fn, Arena *arena) {
  for (uint32_t b = 0; b < fn->blocks.count; b++) {
    const IrBlock *block = &fn->blocks.items[b];
    uint32_t test = only_test(fn, block), end = block->first + block->count - 1;
    if (test == UINT32_MAX || fn->insts.items[end].op != IR_CONDBR) continue;
    const IrInst *branch = &fn->insts.items[end];
    int if_done = truth(fn, branch->ops[0], test, 1, 0), if_not = truth(fn, branch->ops[0], test, 0, 0);
    if (if_done < 0 || if_not < 0 || if_done == if_not) continue;
    uint32_t exit = branch->blocks[if_done ? 0 : 1], again = branch->blocks[if_done ? 1 : 0];
    if (exit != b && leads_back(fn, again, b) && !leads_back(fn, exit, b))
      become_wait(module, fn, test, end, exit, arena);
  }
}
