// How often does a loop go round inside of another? `for (...) for (int j = 0; j < w; j++) p += h` moves p on by
// w * h in each round of the outer loop. Method: a loop with one way out, which is tested in each round and
// compares a variable that goes by a number with a bound, takes its back edge as often as the variable fits in
// before the bound; if neither its start nor the bound change in the loop around, that is one number for all
// of its rounds (the trip count of compilers; Allen and Kennedy, "Optimizing Compilers for Modern
// Architectures", 2001). Soundness: exact, for a loop that ends and whose variable does not wrap: by A1 for
// numbers with a sign, by steps of one for those without.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"

// The same in every iteration: defined outside, or computed inside from nothing but such values.
static bool is_pure_of_outside(const Scan *scan, uint32_t loop, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || !cfg_loop_contains(scan->cfg, loop, inst->block)) return true;
  if (depth == 0) return false;
  if (inst->op == IR_SREG) return ir_is_fixed_register(inst);
  bool is_pure = symeval_is_symbolic((IrOp)inst->op) || inst->op == IR_PTRADD;
  // Parameters passed in a struct do not change, nor does what the kernel does not write.
  bool is_steady =
      inst->op == IR_LOAD && inst->order == IR_ORDER_PLAIN &&
      (object_is_in_parameter(scan, inst->ops[0]) || object_is_readonly_at(scan, ir_ref_index(ref)));
  if (!is_pure && !is_steady) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_pure_of_outside(scan, loop, inst->ops[i], depth - 1)) return false;
  return true;
}

bool nested_is_invariant(const Scan *scan, uint32_t loop, IrRef ref) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(scan_has_ref(scan, ref));
  return is_pure_of_outside(scan, loop, ref, 8);
}

bool nested_find_exit(const Scan *scan, uint32_t loop, LoopExit *exit) {
  ASSERT(scan_has_loop(scan, loop));
  const Cfg *cfg = scan->cfg;
  const CfgLoop *info = &cfg->loops.items[loop];
  exit->from = CFG_NONE;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
      if (cfg_loop_contains(cfg, loop, cfg->succs[s])) continue;
      if (exit->from != CFG_NONE) return false;
      exit->from = block;
    }
  }
  if (exit->from == CFG_NONE) return false;
  for (uint32_t i = 0; i < info->latches.count; i++)
    if (!cfg_dominates(cfg, exit->from, info->latches.items[i])) return false; // not tested in each round
  const IrInst *end = ir_terminator(scan->fn, exit->from);
  if (end->op != IR_CONDBR) return false;
  exit->condition = end->ops[0];
  exit->when_true = !cfg_loop_contains(cfg, loop, end->blocks[0]);
  return true;
}

// The variable that the test reads, at the start of the round or as the round has stepped it.
static uint32_t tested_variable(const Scan *scan, uint32_t loop, IrRef ref, int64_t *lead) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  *lead = 0;
  if (inst && ir_inst_is(inst, IR_SUMS) && ir_const_value(scan->fn, inst->ops[1], lead)) {
    *lead = expr_signed_reading(*lead, symeval_width(inst->type));
    if (inst->op == IR_SUB) *lead = -*lead;
    ref = inst->ops[0];
    inst = ir_inst(scan->fn, ref);
  }
  bool is_variable = inst && inst->op == IR_PHI && inst->block == scan->cfg->loops.items[loop].header;
  return is_variable ? ir_ref_index(ref) : CFG_NONE;
}

// Its one step, a number; 0: it is none.
static int64_t stride_of(const Scan *scan, const Induction *form, uint8_t width) {
  int64_t number = 0;
  bool is_one = form->kind == INDUCTION_LINEAR && form->step_count == 1 && !form->steps[0].nested_count &&
                !form->steps[0].merge;
  if (!is_one || !ir_const_value(scan->fn, form->steps[0].value, &number)) return 0;
  number = expr_signed_reading(number, width);
  return form->steps[0].is_negated ? -number : number;
}

static bool set_order(LoopCount *count, IrPred pred) {
  count->is_unsigned = pred == IR_ULT || pred == IR_ULE || pred == IR_UGT || pred == IR_UGE;
  count->is_equal = pred == IR_SLE || pred == IR_ULE || pred == IR_SGE || pred == IR_UGE;
  bool is_up = pred == IR_SLT || pred == IR_SLE || pred == IR_ULT || pred == IR_ULE;
  count->is_down = pred == IR_SGT || pred == IR_SGE || pred == IR_UGT || pred == IR_UGE;
  return is_up || count->is_down;
}

bool nested_count(const Scan *scan, uint32_t loop, LoopCount *count) {
  ASSERT(scan_has_loop(scan, loop));
  LoopExit exit;
  if (!nested_find_exit(scan, loop, &exit)) return false;
  const IrInst *test = ir_inst(scan->fn, exit.condition);
  if (!test || test->op != IR_ICMP) return false;
  uint32_t phi = tested_variable(scan, loop, test->ops[0], &count->lead);
  bool is_left = phi != CFG_NONE;
  if (!is_left) phi = tested_variable(scan, loop, test->ops[1], &count->lead);
  if (phi == CFG_NONE) return false;
  count->bound = test->ops[is_left];
  uint8_t width = symeval_width(scan->fn->insts.items[phi].type);
  const Induction *form = loops_induction(scan, phi);
  IrPred pred = is_left ? (IrPred)test->pred : ir_pred_mirrored((IrPred)test->pred);
  count->stride = stride_of(scan, form, width);
  count->start = form->start;
  if (!count->stride || width < 32 || width > 64 || !nested_is_invariant(scan, loop, count->bound) ||
      !set_order(count, exit.when_true ? ir_pred_opposite(pred) : pred) ||
      count->is_down != (count->stride < 0))
    return false;
  bool is_one = count->stride == 1 || count->stride == -1;
  bool cannot_wrap = form->flags & EXPR_NSW && !count->is_unsigned;
  // Without a sign only what is tested before it is stepped, by one, and stops short of the last number.
  return count->lead == 0 || count->lead == count->stride
             ? cannot_wrap || (is_one && !count->lead && !count->is_equal)
             : false;
}

bool nested_is_counted(const Scan *scan, uint32_t loop, uint32_t around) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(scan_has_loop(scan, around));
  LoopCount count = {0};
  return nested_count(scan, loop, &count) && nested_is_invariant(scan, around, count.start) &&
         nested_is_invariant(scan, around, count.bound);
}

static ExprRef wide(ExprPool *pool, const LoopCount *count, ExprRef word) {
  return count->is_unsigned ? expr_resize_unsigned(pool, word, 64) : expr_resize_signed(pool, word, 64);
}

ExprRef nested_rounds(ExprPool *pool, const LoopCount *count, ExprRef start, ExprRef bound) {
  ASSERT(expr_is_of(pool, start));
  ASSERT(expr_is_of(pool, bound));
  ExprRef first = wide(pool, count, start), last = wide(pool, count, bound);
  int64_t stride = count->is_down ? -count->stride : count->stride;
  int64_t lead = count->is_down ? -count->lead : count->lead;
  ExprRef distance =
      expr_binary(pool, EXPR_SUB, EXPR_NSW, count->is_down ? first : last, count->is_down ? last : first);
  ExprRef more = expr_const(pool, 64, stride - 1 - lead + count->is_equal);
  ExprRef sum = expr_binary(pool, EXPR_ADD, EXPR_NSW, distance, more), zero = expr_const(pool, 64, 0);
  ExprRef times = expr_binary(pool, EXPR_SDIV, 0, sum, expr_const(pool, 64, stride));
  return expr_ite(pool, expr_binary(pool, EXPR_SLT, 0, zero, sum), times, zero);
}
