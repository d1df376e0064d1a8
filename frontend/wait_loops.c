// Loops that try again until the phase of a barrier object is complete (`while (!bar.try_wait(token));`) are
// waits. Method: a block that tests, does nothing else that could be seen, and whose branch leads back to it
// over empty blocks until the test holds, or a header before it that looks at what the last test gave
// (`bool done = false; while (!done) done = bar.try_wait(token);`). The test becomes a wait, the branch goes
// on. Soundness: what the loop does besides is nothing; behind it the test holds.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"

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
  bool is_cast = ir_inst_is(inst, IR_RESIZES);
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

// ---- loops with the branch before the test
// The header's only phi, if the header does nothing but look at it; NULL: it does more.
static IrInst *only_phi(IrFunction *fn, const IrBlock *header) {
  IrInst *phi = &fn->insts.items[header->first];
  if (header->count < 2 || phi->op != IR_PHI) return NULL;
  for (uint32_t i = header->first + 1; i + 1 < header->first + header->count; i++)
    if (is_seen(&fn->insts.items[i])) return NULL;
  return fn->insts.items[header->first + header->count - 1].op == IR_CONDBR ? phi : NULL;
}

static bool is_used_outside(const IrFunction *fn, const IrBlock *block) {
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    if (i >= block->first && i < block->first + block->count) continue;
    for (uint32_t o = 0; o < inst->op_count; o++) {
      uint32_t of = ir_ref_kind(inst->ops[o]) == IR_REF_INST ? ir_ref_index(inst->ops[o]) : UINT32_MAX;
      if (of >= block->first && of < block->first + block->count) return true;
    }
  }
  return false;
}

// Where the header goes on if the phi has this truth value; UINT32_MAX: not known.
static uint32_t goes_to(const IrFunction *fn, const IrBlock *header, int value) {
  const IrInst *branch = &fn->insts.items[header->first + header->count - 1];
  int way = value < 0 ? -1 : truth(fn, branch->ops[0], header->first, value, 0);
  return way < 0 ? UINT32_MAX : branch->blocks[way ? 0 : 1];
}

// Control comes to the header from outside, then to the test, and then out if that holds: at most once to
// each when the test waits.
static uint32_t exit_of_header(const IrFunction *fn, uint32_t at, uint32_t number, uint32_t test) {
  const IrBlock *header = &fn->blocks.items[number];
  const IrInst *phi = &fn->insts.items[header->first];
  uint32_t exit = UINT32_MAX, entries = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (phi->blocks[i] != at) {
      if (goes_to(fn, header, truth(fn, phi->ops[i], UINT32_MAX, -1, 0)) != at) return UINT32_MAX;
      entries++;
      continue;
    }
    exit = goes_to(fn, header, truth(fn, phi->ops[i], test, 1, 0));
    if (goes_to(fn, header, truth(fn, phi->ops[i], test, 0, 0)) != at) return UINT32_MAX;
  }
  return entries && exit != at && exit != number ? exit : UINT32_MAX;
}

static void leave_from(IrFunction *fn, uint32_t number, uint32_t at, uint32_t exit, Arena *arena) {
  const IrBlock *header = &fn->blocks.items[number], *out = &fn->blocks.items[exit];
  IrInst *phi = &fn->insts.items[header->first],
         *branch = &fn->insts.items[header->first + header->count - 1];
  IrRef *ops = arena_array(arena, phi->op_count + 1, IrRef);
  uint32_t *blocks = arena_array(arena, phi->op_count + 1, uint32_t), count = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (phi->blocks[i] == at) continue;
    ops[count] = phi->ops[i];
    blocks[count++] = phi->blocks[i];
  }
  phi->ops = ops;
  phi->blocks = blocks;
  phi->op_count = phi->block_count = (uint16_t)count;
  for (uint32_t i = out->first; i < out->first + out->count; i++)
    for (uint32_t p = 0; fn->insts.items[i].op == IR_PHI && p < fn->insts.items[i].block_count; p++)
      if (fn->insts.items[i].blocks[p] == number) ((uint32_t *)fn->insts.items[i].blocks)[p] = at;
  uint32_t *target = arena_array(arena, 1, uint32_t);
  *target = at;
  *branch = (IrInst){.op = IR_BR,
                     .block = branch->block,
                     .loc = branch->loc,
                     .type = branch->type,
                     .block_count = 1,
                     .blocks = target};
}

static void settle_headed(IrModule *module, IrFunction *fn, uint32_t b, uint32_t test, Arena *arena) {
  uint32_t end = fn->blocks.items[b].first + fn->blocks.items[b].count - 1,
           header = fn->insts.items[end].blocks[0];
  if (header == b || !only_phi(fn, &fn->blocks.items[header]) ||
      is_used_outside(fn, &fn->blocks.items[header]))
    return;
  uint32_t exit = exit_of_header(fn, b, header, test);
  if (exit == UINT32_MAX) return;
  leave_from(fn, header, b, exit, arena);
  become_wait(module, fn, test, end, exit, arena);
}

void wait_loops_settle(IrModule *module, IrFunction *fn, Arena *arena) {
  for (uint32_t b = 0; b < fn->blocks.count; b++) {
    const IrBlock *block = &fn->blocks.items[b];
    uint32_t test = only_test(fn, block), end = block->first + block->count - 1;
    if (test != UINT32_MAX && fn->insts.items[end].op == IR_BR) settle_headed(module, fn, b, test, arena);
    if (test == UINT32_MAX || fn->insts.items[end].op != IR_CONDBR) continue;
    const IrInst *branch = &fn->insts.items[end];
    int if_done = truth(fn, branch->ops[0], test, 1, 0), if_not = truth(fn, branch->ops[0], test, 0, 0);
    if (if_done < 0 || if_not < 0 || if_done == if_not) continue;
    uint32_t exit = branch->blocks[if_done ? 0 : 1], again = branch->blocks[if_done ? 1 : 0];
    if (exit != b && leads_back(fn, again, b) && !leads_back(fn, exit, b))
      become_wait(module, fn, test, end, exit, arena);
  }
}
