// Which numbers may a variable hold that says which stage of a pipeline is meant, or how many are left? Constants are
// folded through arithmetic, choices and masks to intervals, joined where ways meet (Cousot and Cousot, "Abstract
// interpretation", POPL 1977), and given up where they grow. Soundness: the interval holds every value that there can
// be; what is not folded is unknown.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/async_walk.h"

enum { FOLD_WIDTH = 8 };

static const Fold fold_unknown = {FOLD_UNKNOWN, 0, 0};

Fold stage_number_of(const Scan *scan, const Fold *folds, IrRef ref) {
  int64_t value = 0;
  if (ir_ref_kind(ref) == IR_REF_INST) return folds[ir_ref_index(ref)];
  return ir_const_value(scan->fn, ref, &value) ? (Fold){FOLD_NUMBER, value, value} : fold_unknown;
}

// What either may be. A few stages are under way at a time: more than that is not followed.
static Fold meet(Fold a, Fold b) {
  if (a.state == FOLD_ANY) return b;
  if (b.state == FOLD_ANY) return a;
  if (a.state == FOLD_UNKNOWN || b.state == FOLD_UNKNOWN) return fold_unknown;
  Fold both = {FOLD_NUMBER, a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  return both.low == both.high || both.high == ALL_LEFT || both.high - both.low < FOLD_WIDTH ? both
                                                                                             : fold_unknown;
}

// "x -= x != 0", as cuda/pipeline counts the stages that are under way.
static bool is_down_to_zero(const Scan *scan, const IrInst *inst) {
  const IrInst *one = inst->op == IR_SUB ? ir_inst(scan->fn, inst->ops[1]) : NULL;
  const IrInst *test = one && one->op == IR_ZEXT ? ir_inst(scan->fn, one->ops[0]) : NULL;
  int64_t zero = 1;
  return test && test->op == IR_ICMP && test->pred == IR_NE && test->ops[0] == inst->ops[0] &&
         ir_const_value(scan->fn, test->ops[1], &zero) && zero == 0;
}

// "x & ALL_LEFT", where x is what is left or, with nothing under way, -1.
static Fold fold_mask(Fold a, Fold b) {
  if (a.state != FOLD_NUMBER || b.state != FOLD_NUMBER) return a.state != FOLD_NUMBER ? a : b;
  if (b.low != ALL_LEFT || b.high != ALL_LEFT || a.low < -1) return fold_unknown;
  if (a.low == -1) a.high = ALL_LEFT, a.low = a.low == a.high ? ALL_LEFT : 0;
  return a;
}

static Fold fold_phi(const Scan *scan, const Fold *folds, const IrInst *inst) {
  Fold result = {FOLD_ANY, 0, 0};
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (scan->cfg->rpo_number[inst->blocks[i]] != CFG_NONE)
      result = meet(result, stage_number_of(scan, folds, inst->ops[i]));
  return result;
}

static Fold fold_inst(const Scan *scan, const Fold *folds, const IrInst *inst) {
  if (inst->op == IR_PHI) return fold_phi(scan, folds, inst);
  bool is_sum = ir_inst_is(inst, IR_SUMS), is_cast = ir_inst_is(inst, IR_EXTENDS);
  if (!is_sum && !is_cast && inst->op != IR_AND) return fold_unknown;
  Fold a = stage_number_of(scan, folds, inst->ops[0]),
       b = is_cast ? a : stage_number_of(scan, folds, inst->ops[1]);
  if (inst->op == IR_AND) return fold_mask(a, b);
  if (a.state != FOLD_NUMBER) return a;
  if (is_down_to_zero(scan, inst)) {
    if (a.low < 0) return fold_unknown;
    return (Fold){FOLD_NUMBER, a.low ? a.low - 1 : 0, a.high ? a.high - 1 : 0};
  }
  if (b.state != FOLD_NUMBER) return b;
  Fold result = a;
  if (inst->op == IR_ADD) result.low += b.low, result.high += b.high;
  if (inst->op == IR_SUB) result.low -= b.high, result.high -= b.low;
  // Small numbers only: no width wraps at them.
  return result.low >= (is_cast ? 0 : -1000) && result.high <= 1000 ? result : fold_unknown;
}

Fold *stage_numbers_fold(const Scan *scan, Arena *scratch) {
  Fold *folds = arena_array(scratch, scan->fn->insts.count + 1, Fold);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
      Fold fold = meet(folds[i], fold_inst(scan, folds, &scan->fn->insts.items[i]));
      bool is_same = fold.state == folds[i].state && fold.low == folds[i].low && fold.high == folds[i].high;
      if (folds[i].state == FOLD_UNKNOWN || is_same) continue;
      folds[i] = fold;
      changed = true;
    }
  }
  return folds;
}

// A thread may make several pipelines, and has one order of its copies. A pipeline that is made waits for
// nothing.
bool stage_numbers_one_pipeline(const Scan *scan) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op != IR_ASYNCWAIT || !(inst->flags & IR_FLAG_OLDEST) || inst->op_count ||
        inst->imm != ALL_LEFT || scan->cfg->rpo_number[inst->block] == CFG_NONE)
      continue;
    if (scan->cfg->loop_of[inst->block] != CFG_NONE) return false;
    count++;
  }
  return count == 1;
}
