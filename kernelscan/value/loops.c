// How do the variables of a loop change from one iteration to the next? Closed forms of header phis as
// functions of the iteration number x = 0, 1, ...: start + x * step (which all ways through the round may add, or those that are taken in all
// rounds or in none: `if (is_inside) p += plane;`), start << (x * c), values that alternate
// with a small period or go round in a circle (cycles.c). Method: pattern match on the value that comes round
// the back edge (classical induction variables; Wolfe, "Beyond Induction Variables", PLDI 1992, for the
// periodic ones). Soundness: exact where a form is found (wrap flags are those of the update); no form means
// an unknown value. What the header holds below a bound before each round, and a round adds little to, never
// wraps (`for (short i = 0; i < 80; ...)`): by induction over the rounds, the bound and one step fit the
// width.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"

enum { WAYS_DEPTH = 6 /* merges behind each other */, SAME_DEPTH = 6 };

bool loops_split_phi(const Scan *scan, const IrInst *phi, uint32_t loop, IrRef *start, IrRef *next) {
  BUG_UNLESS(phi->op == IR_PHI);
  ASSERT(scan_has_loop(scan, loop));
  *start = *next = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    bool is_back = cfg_loop_contains(scan->cfg, loop, phi->blocks[i]);
    IrRef *slot = is_back ? next : start;
    if (*slot && *slot != phi->ops[i]) return false;
    *slot = phi->ops[i];
  }
  return *start && *next;
}

static uint8_t wrap_flags(const IrInst *inst) {
  return (uint8_t)((inst->flags & IR_FLAG_NSW ? EXPR_NSW : 0) | (inst->flags & IR_FLAG_NUW ? EXPR_NUW : 0));
}

static uint8_t width_of(const Scan *scan, IrRef ref) {
  return symeval_width(ir_ref_type(scan->module, scan->fn, ref));
}

// Casts on the way keep the low bits, and those are all that the phi keeps.
static bool is_wide_cast(const Scan *scan, const IrInst *inst, uint8_t width) {
  return ir_inst_is(inst, IR_RESIZES) && symeval_width(inst->type) >= width &&
         width_of(scan, inst->ops[0]) >= width;
}

static bool add_step(Induction *found, LoopStep step) {
  if (found->step_count == MAX_STEPS) return false;
  found->steps[found->step_count++] = step;
  return true;
}

// A variable of a loop inside, which adds to it in each of its rounds: what all of them add together. *at is
// what comes in.
static bool add_nested(const Scan *scan, uint32_t loop, Induction *found, IrRef *at) {
  uint32_t index = ir_ref_index(*at), inner = scan->cfg->loop_of[scan->fn->insts.items[index].block];
  const Induction *form = loops_induction(scan, index);
  bool is_inner = inner != loop && cfg_loop_contains(scan->cfg, loop, scan->cfg->loops.items[inner].header);
  if (!is_inner || form->kind != INDUCTION_LINEAR || !nested_is_counted(scan, inner, loop)) return false;
  for (uint8_t i = 0; i < form->step_count; i++) {
    LoopStep step = form->steps[i];
    if (step.merge || step.nested_count == MAX_NESTED || !nested_is_invariant(scan, loop, step.value))
      return false;
    for (uint8_t n = 0; n < step.nested_count; n++)
      if (!nested_is_counted(scan, step.nested[n], loop)) return false;
    step.nested[step.nested_count++] = inner;
    if (!add_step(found, step)) return false;
  }
  found->flags = form->flags & EXPR_ADDRESS ? EXPR_ADDRESS : found->flags & form->flags;
  *at = form->start;
  return true;
}

static bool is_header_phi(const Scan *scan, const IrInst *phi) {
  uint32_t loop = scan->cfg->loop_of[phi->block];
  return loop != CFG_NONE && scan->cfg->loops.items[loop].header == phi->block;
}

// One value, or the same made twice of the same: numbers, registers that do not change, and what is computed of them.
static bool is_same(const Scan *scan, IrRef one, IrRef two, int depth) {
  if (one == two) return true;
  int64_t a = 0, b = 0;
  if (ir_const_value(scan->fn, one, &a) && ir_const_value(scan->fn, two, &b))
    return a == b && width_of(scan, one) == width_of(scan, two);
  const IrInst *first = ir_inst(scan->fn, one), *second = ir_inst(scan->fn, two);
  if (!first || !second || depth == 0 || first->op != second->op || first->op_count != second->op_count ||
      width_of(scan, one) != width_of(scan, two))
    return false;
  if (ir_is_fixed_register(first)) return first->imm == second->imm;
  if (!ir_inst_is(first, IR_SUMS) && !ir_inst_is(first, IR_RESIZES) && first->op != IR_MUL) return false;
  for (uint32_t i = 0; i < first->op_count; i++)
    if (!is_same(scan, first->ops[i], second->ops[i], depth - 1)) return false;
  return true;
}

// The sum that is brought to a merge on all ways, as by `i += 4` in both branches of an if; NULL: there is no one sum.
// `*flags`: those that it has on all of them.
static const IrInst *sum_of_ways(const Scan *scan, const IrInst *inst, uint8_t *flags, int depth) {
  if (inst && (ir_inst_is(inst, IR_SUMS) || inst->op == IR_PTRADD)) {
    *flags &= wrap_flags(inst);
    return inst;
  }
  if (!inst || inst->op != IR_PHI || is_header_phi(scan, inst) || depth == 0) return NULL;
  const IrInst *one = NULL;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    if (scan->cfg->rpo_number[inst->blocks[i]] == CFG_NONE) continue;
    const IrInst *sum = sum_of_ways(scan, ir_inst(scan->fn, inst->ops[i]), flags, depth - 1);
    if (!one) one = sum;
    if (!sum || sum->op != one->op || !is_same(scan, sum->ops[0], one->ops[0], SAME_DEPTH) ||
        !is_same(scan, sum->ops[1], one->ops[1], SAME_DEPTH))
      return NULL;
  }
  return one;
}

// The two values that a phi merges; false: they are not two.
static bool two_values(const Scan *scan, const IrInst *phi, IrRef values[2]) {
  values[0] = values[1] = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    IrRef value = phi->ops[i];
    if (scan->cfg->rpo_number[phi->blocks[i]] == CFG_NONE || value == values[0] || value == values[1])
      continue;
    if (values[1]) return false;
    values[values[0] != 0] = value;
  }
  return values[1] != 0;
}

// Where a round goes one way, as all rounds of the thread do, it adds to the value that comes by the other; *at is that.
static bool add_parted(const Scan *scan, uint32_t loop, Induction *found, IrRef *at) {
  IrRef values[2];
  if (!two_values(scan, ir_inst(scan->fn, *at), values)) return false;
  for (int side = 0; side < 2; side++) {
    const IrInst *sum = ir_inst(scan->fn, values[side]);
    IrRef other = values[!side];
    if (!sum || (!ir_inst_is(sum, IR_SUMS) && sum->op != IR_PTRADD)) continue;
    bool is_right = sum->op == IR_ADD && sum->ops[1] == other;
    LoopStep step = {
        .value = sum->ops[!is_right], .is_negated = sum->op == IR_SUB, .merge = *at, .brought = values[side]};
    if (sum->ops[is_right] != other || !nested_is_invariant(scan, loop, step.value)) continue;
    if (!partings_are_alike(scan, loop, *at, step.brought) || !add_step(found, step)) return false;
    found->flags = sum->op == IR_PTRADD ? EXPR_ADDRESS : found->flags & wrap_flags(sum);
    *at = other;
    return true;
  }
  return false;
}

// The phi plus and minus values that the loop does not change, in words at least as wide as the phi:
// `i += 4`, `i += grid.size()` (which adds 64 bits to an int), `p += a + b`; and what loops inside add.
static bool match_sum(Scan *scan, uint32_t phi_index, uint32_t loop, IrRef start, IrRef next) {
  IrRef phi = IR_REF(IR_REF_INST, phi_index);
  uint8_t width = width_of(scan, phi);
  Induction found = {.kind = INDUCTION_LINEAR, .start = start, .update = ir_ref_index(next)};
  found.flags = EXPR_NSW | EXPR_NUW;
  for (IrRef at = next; at != phi;) {
    const IrInst *inst = ir_inst(scan->fn, at);
    if (!inst) return false;
    if (is_wide_cast(scan, inst, width)) {
      found.flags = 0;
      at = inst->ops[0];
      continue;
    }
    if (inst->op == IR_PHI && is_header_phi(scan, inst)) {
      if (!add_nested(scan, loop, &found, &at)) return false;
      continue;
    }
    if (inst->op == IR_PHI && add_parted(scan, loop, &found, &at)) continue;
    uint8_t flags = EXPR_NSW | EXPR_NUW;
    inst = sum_of_ways(scan, inst, &flags, WAYS_DEPTH);
    if (!inst) return false;
    bool is_right = inst->op == IR_ADD && nested_is_invariant(scan, loop, inst->ops[0]);
    LoopStep step = {.value = inst->ops[!is_right], .is_negated = inst->op == IR_SUB};
    if (!nested_is_invariant(scan, loop, step.value) || !add_step(&found, step)) return false;
    found.flags = inst->op == IR_PTRADD ? EXPR_ADDRESS : found.flags & flags;
    at = inst->ops[is_right];
  }
  if (found.step_count) value_forms(scan)->inductions[phi_index] = found;
  return found.step_count > 0;
}

// What becomes of a value that goes through the operation again and again; `constant`: the other operand, 0 if it is none.
static InductionKind kind_of_update(const IrInst *update, bool is_left, int64_t constant) {
  if (ir_inst_is(update, IR_HALVES)) {
    bool is_less = is_left && constant > (ir_inst_is(update, IR_DIVIDES) ? 1 : 0);
    return is_less ? INDUCTION_HALVING : INDUCTION_NONE;
  }
  if (ir_inst_is(update, IR_MIRRORS)) // x ^ c and c - x come back to x
    return update->op == IR_SUB && is_left ? INDUCTION_NONE : INDUCTION_PERIODIC;
  bool is_doubled = update->op == IR_SHL ? is_left && constant > 0 && constant < 8
                                         : update->op == IR_MUL && constant >= 2 && constant <= 128 &&
                                               !(constant & (constant - 1));
  return is_doubled ? INDUCTION_SHIFT_LEFT : INDUCTION_NONE;
}

static void match_update(Scan *scan, uint32_t phi_index, uint32_t loop, IrRef start, IrRef next) {
  const IrInst *update = ir_inst(scan->fn, next);
  if (!update || update->op_count != 2) return;
  IrRef phi = IR_REF(IR_REF_INST, phi_index);
  bool left = update->ops[0] == phi, right = update->ops[1] == phi;
  if (left == right) return;
  IrRef other = left ? update->ops[1] : update->ops[0];
  if (!nested_is_invariant(scan, loop, other)) return;
  Induction *form = &value_forms(scan)->inductions[phi_index];
  Induction found = {
      .start = start, .step = other, .update = ir_ref_index(next), .flags = wrap_flags(update)};
  int64_t constant = 0;
  bool is_const = ir_const_value(scan->fn, other, &constant);
  found.kind = kind_of_update(update, left, is_const ? constant : 0);
  if (found.kind == INDUCTION_NONE) return; // any other operation has no closed form here
  if (found.kind == INDUCTION_PERIODIC) {
    found.period = 2;
    found.mirror = next;
    found.starts[0] = start;
  }
  *form = found;
}

// Phis of one header that hand their values round in a ring: swap(in, out), rotating buffers.
static void match_rotation(Scan *scan, uint32_t phi_index, uint32_t loop) {
  Induction found = {.kind = INDUCTION_PERIODIC};
  uint32_t at = phi_index;
  for (uint32_t n = 0; n < 4; n++) {
    IrRef start, next;
    const IrInst *phi = &scan->fn->insts.items[at];
    if (phi->op != IR_PHI || phi->block != scan->cfg->loops.items[loop].header ||
        !loops_split_phi(scan, phi, loop, &start, &next))
      return;
    found.starts[n] = start;
    found.period = n + 1;
    if (ir_ref_kind(next) != IR_REF_INST) return;
    at = ir_ref_index(next);
    if (at != phi_index) continue;
    if (found.period > 1) value_forms(scan)->inductions[phi_index] = found;
    return;
  }
}

void loops_find_inductions(Scan *scan) {
  ASSERT(scan->reaches && !value_forms(scan)->inductions); // after objects_mark_written, once
  Induction *found = arena_array(scan->arena, scan->fn->insts.count + 1, Induction);
  value_forms(scan)->inductions = found;
  for (uint32_t l = scan->cfg->loops.count; l-- > 0;) { // inner loops first
    const IrBlock *header = &scan->fn->blocks.items[scan->cfg->loops.items[l].header];
    for (uint32_t i = header->first; i < header->first + header->count; i++) {
      const IrInst *phi = &scan->fn->insts.items[i];
      if (phi->op != IR_PHI) break;
      IrRef start, next;
      if (!loops_split_phi(scan, phi, l, &start, &next)) continue;
      if (match_sum(scan, i, l, start, next)) continue;
      match_update(scan, i, l, start, next);
      if (found[i].kind == INDUCTION_NONE) match_rotation(scan, i, l);
      if (found[i].kind == INDUCTION_NONE) cycles_match(scan, i, l, &found[i]);
    }
  }
}

// ---- steps that only some threads make
static ExprRef brings_from(Frame *frame, const Merge *merge, uint32_t block);

static ExprRef brings_by(Frame *frame, const Merge *merge, uint32_t from, uint32_t to) {
  uint8_t found = partings_behind(merge, from, to);
  return found == IS_OPEN ? brings_from(frame, merge, to) : expr_bool(frame->scan->pool, found == BRINGS);
}

// Whoever comes to the block, and round.
static ExprRef brings_from(Frame *frame, const Merge *merge, uint32_t block) {
  ExprPool *pool = frame->scan->pool;
  const IrInst *end = ir_terminator(merge->scan->fn, block);
  ExprRef ways[2] = {0}; // where the condition holds, and where it does not
  uint32_t count = 0;
  for (uint32_t i = 0; i < end->block_count; i++) {
    if (partings_behind(merge, block, end->blocks[i]) == NOTHING) continue;
    ways[count] = brings_by(frame, merge, block, end->blocks[i]);
    if (!ways[count++]) return 0;
  }
  if (count < 2) return ways[0];
  ExprRef condition = frame_word(frame, end->ops[0], 1);
  if (!condition) return 0;
  return expr_or(pool, expr_and(pool, condition, ways[0]),
                 expr_and(pool, expr_not(pool, condition), ways[1]));
}

ExprRef loops_step_is_made(Frame *frame, const LoopStep *step) {
  ASSERT(frame->view);
  ASSERT(step);
  Merge merge;
  if (!step->merge) return expr_bool(frame->scan->pool, true);
  return partings_open(frame->scan, step->merge, step->brought, &merge)
             ? brings_from(frame, &merge, merge.top)
             : 0;
}

// ---- sums in narrow words

static bool is_of_phi(const Scan *scan, IrRef ref, uint32_t phi) {
  for (const IrInst *inst = ir_inst(scan->fn, ref); inst && inst->op == IR_SEXT;
       inst = ir_inst(scan->fn, ref))
    ref = inst->ops[0];
  return ref == IR_REF(IR_REF_INST, phi);
}

// What the header asks of the phi before each round; IR_PRED_NONE: nothing.
static IrPred header_test(const Scan *scan, uint32_t phi, IrRef *bound) {
  const Cfg *cfg = scan->cfg;
  uint32_t header = scan->fn->insts.items[phi].block, loop = cfg->loop_of[header];
  const IrInst *last = ir_terminator(scan->fn, header);
  if (last->op != IR_CONDBR || loop == CFG_NONE) return IR_PRED_NONE;
  bool goes_in = cfg_loop_contains(cfg, loop, last->blocks[0]);
  const IrInst *test = ir_inst(scan->fn, last->ops[0]);
  if (goes_in == cfg_loop_contains(cfg, loop, last->blocks[1]) || !test || test->op != IR_ICMP)
    return IR_PRED_NONE;
  bool is_left = is_of_phi(scan, test->ops[0], phi);
  *bound = test->ops[is_left];
  if ((!is_left && !is_of_phi(scan, test->ops[1], phi)) || !nested_is_invariant(scan, loop, *bound))
    return IR_PRED_NONE;
  IrPred pred = is_left ? (IrPred)test->pred : ir_pred_mirrored((IrPred)test->pred);
  return goes_in ? pred : ir_pred_opposite(pred);
}

bool loops_stays_in_width(Frame *frame, uint32_t phi, ExprRef step, bool is_negated) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, phi));
  ASSERT(scan_has_expr(frame->scan, step));
  ExprPool *pool = frame->scan->pool;
  IrRef bound = 0;
  IrPred test = header_test(frame->scan, phi, &bound);
  uint8_t width = expr_width(pool, step);
  if (width > 32 || test == IR_PRED_NONE) return false;
  SymValue limit = frame_value(frame, bound);
  if (limit.kind != SYM_WORD) return false;
  int64_t least = 0, most = 0, lo = 0, hi = 0, half = (int64_t)1 << (width - 1);
  expr_range(pool, step, &least, &most);
  expr_range(pool, limit.word, &lo, &hi);
  if (is_negated) {
    int64_t low = -most;
    most = -least;
    least = low;
  }
  bool is_up = test == IR_SLT || test == IR_SLE, is_down = test == IR_SGT || test == IR_SGE,
       is_strict = test == IR_SLT || test == IR_SGT;
  if ((!is_up && !is_down) || hi > INT32_MAX || lo < INT32_MIN) return false;
  return is_up ? least >= 0 && hi - is_strict + most < half : most <= 0 && lo + is_strict + least >= -half;
}

// What holds of a value that is read in a round, whichever that is; of none where rounds are only spoken of (before the
// first).
static void note_in_round(Scan *scan, ExprRef leaf, ExprRef iteration, ExprRef holds) {
  ExprPool *pool = scan->pool;
  ExprRef is_none =
      expr_binary(pool, EXPR_SLT, 0, iteration, expr_const(pool, expr_width(pool, iteration), 0));
  holds = expr_or(pool, is_none, holds);
  for (uint32_t i = 0; invariants_say(scan, holds) && i < scan->invariants.count; i++)
    if (scan->invariants.items[i].leaf == leaf && scan->invariants.items[i].condition == holds) return;
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = leaf, .condition = holds});
}

// The sum in a wider word, of which the value is the low bits; in a round that the thread comes to, the sum
// is in the range of the narrow word. Rounds that are only spoken of (before the first, or behind the last)
// know no such thing.
ExprRef loops_narrow_sum(Frame *frame, ExprRef iteration, ExprRef start, ExprRef step, bool is_down) {
  ASSERT(frame->view);
  ASSERT(scan_has_word(frame->scan, iteration, 32));
  ASSERT(scan_has_expr(frame->scan, start));
  ASSERT(scan_has_expr(frame->scan, step));
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  uint8_t width = expr_width(pool, start);
  int64_t half = (int64_t)1 << (width - 1);
  ExprRef distance = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, iteration, 64),
                                 expr_resize_signed(pool, step, 64));
  ExprRef sum = expr_binary(pool, is_down ? EXPR_SUB : EXPR_ADD, EXPR_NSW,
                            expr_resize_signed(pool, start, 64), distance);
  ExprRef value = expr_unary(pool, EXPR_TRUNC, width, sum);
  if (frame->is_shifted || expr_is_const(pool, iteration, NULL)) return value;
  ExprRef holds = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, -half), sum),
                           expr_binary(pool, EXPR_SLT, 0, sum, expr_const(pool, 64, half)));
  note_in_round(scan, value, iteration, holds);
  return value;
}

bool loops_ends_below(Frame *frame, uint32_t phi, int64_t by) {
  ASSERT(scan_has_inst(frame->scan, phi));
  ASSERT(by > 0);
  const Scan *scan = frame->scan;
  IrRef bound = 0;
  IrPred test = header_test(scan, phi, &bound);
  if (test != IR_SLT && test != IR_SLE && test != IR_ULT && test != IR_ULE) return false;
  if (cfg_ways_out(scan->cfg, scan->cfg->loop_of[scan->fn->insts.items[phi].block]) == 1) return true;
  SymValue limit = frame_value(frame, bound);
  if (limit.kind != SYM_WORD) return false;
  int64_t lo = 0, hi = 0;
  uint8_t width = expr_width(scan->pool, limit.word);
  expr_range(scan->pool, limit.word, &lo, &hi);
  return (lo >= 0 || test == IR_SLT || test == IR_SLE) && by < width &&
         hi <= (INT64_MAX >> (64 - width)) >> by;
}

// `for (size = 2; size <= 1024; size <<= 1)`: a positive number is shifted on only where it is at most so much, and what
// becomes of it still fits, so it is left in a round that can be counted; without that the word might run empty.
void loops_note_shifts(Frame *frame, uint32_t phi, ExprRef iteration, ExprRef value, ExprRef start,
                       int64_t by) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, phi));
  ASSERT(scan_has_expr(frame->scan, value));
  ASSERT(by > 0);
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  IrRef bound = 0;
  IrPred test = header_test(scan, phi, &bound);
  bool is_strict = test == IR_SLT || test == IR_ULT, is_up = is_strict || test == IR_SLE || test == IR_ULE;
  uint8_t width = expr_width(pool, value);
  if (!is_up || width > 32 || frame->is_shifted || expr_is_const(pool, iteration, NULL)) return;
  SymValue limit = frame_value(frame, bound);
  if (limit.kind != SYM_WORD) return;
  int64_t least = 0, most = 0, lo = 0, hi = 0, rounds = 0;
  expr_range(pool, start, &least, &most);
  expr_range(pool, limit.word, &lo, &hi);
  hi -= is_strict;
  bool is_unsigned = test == IR_ULT || test == IR_ULE;
  if (least < 1 || (is_unsigned && lo < 0) || by >= width || hi > (((int64_t)1 << (width - 1)) - 1) >> by)
    return;
  for (int64_t number = least; number <= hi; number <<= by)
    rounds++;
  note_in_round(
      scan, value, iteration,
      expr_binary(pool, EXPR_SLE, 0, iteration, expr_const(pool, expr_width(pool, iteration), rounds)));
}
