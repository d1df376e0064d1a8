// Do lanes of a warp hold one value after a butterfly? `v += __shfl_xor_sync(~0u, v, d)` for d = 16, 8, 4, 2,
// 1 leaves the same sum in all lanes, to the last bit, for floats as well: lanes i and i ^ d each combine the
// two values that they had, by an operation that does not care which comes first. Method: a step with the
// distance d makes equal what lanes hold that differ in the bit d of their numbers only; what was equal for
// other bits stays so, as the lanes that are read then hold equal values, too. So the bits of all steps are
// gathered: along a chain of steps, and over the rounds of a loop with known distances that the value leaves
// behind. A sum that may swallow a product (`v = x * y; v += ..`, nvcc's -fmad) is no step: each lane rounds its own
// product once, and that of the other lane twice. Soundness: what is read back from memory is taken for no product; a shuffle
// with the full mask is executed by all lanes of the warp together (else the
// program has no meaning), in one iteration of the loops around it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

enum { CHAIN_LIMIT = 16, ROUND_LIMIT = 32, ALL_LANES = 31 };

static bool gives_the_same(IrRef a, IrRef b, IrRef c, IrRef d) {
  return (a == c && b == d) || (a == d && b == c);
}

// The two operands of an operation whose order does not matter.
static bool read_operation(const Scan *scan, const IrInst *inst, IrRef operands[2]) {
  static const char *const names[] = {"fmax", "fmaxf", "fmin", "fminf"};
  bool commutes = ir_inst_is(inst, IR_COMMUTES);
  for (size_t i = 0; inst->op == IR_PURE && i < sizeof names / sizeof *names; i++)
    commutes |= inst->op_count == 2 && strcmp(inst->name, names[i]) == 0;
  if (commutes) {
    operands[0] = inst->ops[0];
    operands[1] = inst->ops[1];
    return true;
  }
  const IrInst *test = inst->op == IR_SELECT ? ir_inst(scan->fn, inst->ops[0]) : NULL;
  if (!test || test->op != IR_ICMP || test->pred == IR_EQ || test->pred == IR_NE ||
      !gives_the_same(test->ops[0], test->ops[1], inst->ops[1], inst->ops[2]))
    return false; // the larger or the smaller of two integers
  operands[0] = inst->ops[1];
  operands[1] = inst->ops[2];
  return true;
}

// What `inst` combines with what another lane has of it; 0: it is no such step.
static IrRef read_step(const Scan *scan, const IrInst *inst, const IrInst **shuffle) {
  IrRef operands[2];
  if (!read_operation(scan, inst, operands)) return 0;
  for (int side = 0; side < 2; side++) {
    const IrInst *other = ir_inst(scan->fn, operands[1 - side]);
    int64_t mask = 0, width = 0;
    if (!other || other->op != IR_SHUFFLE || !other->name || strcmp(other->name, "xor") != 0 ||
        other->op_count != 4 || other->ops[1] != operands[side] ||
        !ir_const_value(scan->fn, other->ops[0], &mask) || (uint32_t)mask != UINT32_MAX ||
        !ir_const_value(scan->fn, other->ops[3], &width) || (width != 32 && width != 31))
      continue;
    *shuffle = other;
    return operands[side];
  }
  return 0;
}

static bool is_by_all(Scan *scan, const IrInst *shuffle) {
  return together_is_by_warp(scan, shuffle->block) &&
         together_meets(scan, (uint32_t)(shuffle - scan->fn->insts.items));
}

static bool is_header_phi(const Scan *scan, const IrInst *inst) {
  uint32_t loop = scan->cfg->loop_of[inst->block];
  return inst->op == IR_PHI && loop != CFG_NONE && scan->cfg->loops.items[loop].header == inst->block &&
         inst->op_count == 2;
}

// The bit of the distance, if it is one.
static uint32_t bit_of(Frame *frame, const IrInst *shuffle) {
  ExprRef by = frame_word(frame, shuffle->ops[2], 32);
  int64_t distance = 0;
  bool is_bit = by && expr_is_const(frame->scan->pool, by, &distance) && distance > 0 &&
                distance <= ALL_LANES && (distance & (distance - 1)) == 0;
  return is_bit ? (uint32_t)distance : 0;
}

// The last step that made a value: of what, and by which shuffle; in each round of the loop, or (CFG_NONE) once.
typedef struct Step {
  IrRef before;
  const IrInst *shuffle;
  uint32_t loop;
} Step;

// May the operand of a sum be a product that is rounded together with it?
static bool may_be_product(const Scan *scan, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || inst->op == IR_LOAD || inst->op == IR_SHUFFLE) return false;
  if (inst->op == IR_FMUL || depth == 0) return true;
  bool hands_on =
      inst->op == IR_FNEG || ir_inst_is(inst, IR_CHOOSES) || ir_op_class((IrOp)inst->op) == IR_CLASS_CAST;
  for (uint32_t i = inst->op == IR_SELECT; hands_on && i < inst->op_count; i++)
    if (may_be_product(scan, inst->ops[i], depth - 1)) return true;
  return false;
}

enum { PRODUCT_DEPTH = 8 };

static bool is_rounded_once(const Scan *scan, const IrInst *step, IrRef before) {
  return step->op != IR_FADD || !may_be_product(scan, before, PRODUCT_DEPTH);
}

static bool find_loop_step(const Scan *scan, const IrInst *phi, Step *step) {
  step->loop = scan->cfg->loop_of[phi->block];
  int side = cfg_loop_contains(scan->cfg, step->loop, phi->blocks[0]) ? 0 : 1;
  const IrInst *next = ir_inst(scan->fn, phi->ops[side]);
  step->before = phi->ops[1 - side];
  return next && ir_inst(scan->fn, read_step(scan, next, &step->shuffle)) == phi &&
         is_rounded_once(scan, next, step->before) && scan->cfg->loop_of[next->block] == step->loop &&
         scan->cfg->loop_of[step->shuffle->block] == step->loop;
}

static bool find_step(const Scan *scan, IrRef ref, Step *step) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst) return false;
  if (is_header_phi(scan, inst)) return find_loop_step(scan, inst, step);
  step->loop = CFG_NONE;
  step->before = read_step(scan, inst, &step->shuffle);
  return step->before != 0 && is_rounded_once(scan, inst, step->before);
}

// The distances of the rounds before the iteration that the frame is in; false: it is not known which one that is.
static bool add_rounds(Frame *frame, const Step *step, uint32_t *lanes) {
  Scan *scan = frame->scan;
  ExprRef now = frame->iteration[step->loop];
  int64_t rounds = 0;
  if (!now || !expr_is_const(scan->pool, now, &rounds) || rounds > ROUND_LIMIT) return false;
  ExprRef *iteration =
      arena_copy(scan->arena, frame->iteration, (scan->cfg->loops.count + 1) * sizeof(ExprRef));
  for (int64_t round = 0; round < rounds; round++) {
    iteration[step->loop] = expr_const(scan->pool, 32, round);
    *lanes |= bit_of(frame_make(scan, frame->view, iteration, NULL), step->shuffle);
  }
  return true;
}

// The bits of the lane's number that do not matter to the value.
static uint32_t lanes_of(Frame *frame, IrRef ref) {
  Step step = {0};
  uint32_t lanes = 0;
  for (int depth = 0; depth < CHAIN_LIMIT && find_step(frame->scan, ref, &step); depth++) {
    if (step.loop == CFG_NONE)
      lanes |= bit_of(frame, step.shuffle);
    else if (!add_rounds(frame, &step, &lanes))
      break;
    ref = step.before;
  }
  return lanes;
}

static void butterfly_note(Frame *frame, uint32_t index, ExprRef value) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[index], *shuffle = NULL;
  if (!value || frame->view->is_third || (!is_header_phi(scan, inst) && !read_step(scan, inst, &shuffle)))
    return;
  uint32_t lanes = lanes_of(frame, IR_REF(IR_REF_INST, index));
  ASSERT(lanes <= ALL_LANES);
  if (lanes) vec_push(scan->arena, &fact_lists(scan)->ballots, (Ballot){value, index, frame, lanes});
}

// What a lane is given that is not there, or stands elsewhere, is any value.
static bool are_made_by_all(Scan *scan, IrRef ref) {
  Step step = {0};
  for (int depth = 0; depth < CHAIN_LIMIT && find_step(scan, ref, &step); depth++) {
    if (!is_by_all(scan, step.shuffle)) return false;
    ref = step.before;
  }
  return true;
}

ExprRef butterfly_is_common(Scan *scan, const Ballot *one, const Ballot *two) {
  ExprPool *pool = scan->pool;
  if (one->lanes != two->lanes) return expr_bool(pool, false);
  if (!are_made_by_all(scan, IR_REF(IR_REF_INST, one->inst))) return expr_bool(pool, false);
  ExprRef others = expr_const(pool, 32, ~one->lanes & ALL_LANES);
  ExprRef is_whole = shuffles_has_lane(scan, one->frame->view, expr_const(pool, 32, ALL_LANES));
  return expr_and(pool, is_whole,
                  expr_eq(pool, expr_binary(pool, EXPR_AND, 0, one->frame->view->lane, others),
                          expr_binary(pool, EXPR_AND, 0, two->frame->view->lane, others)));
}

const ValueFacts butterfly_facts = {.note_word = butterfly_note};
