// Is a lane that executes a warp operation in the mask that it names for it? Else the operation has no
// meaning. Method: the lane's own bit in the mask is followed through the computation as two conditions,
// that it is certainly clear and that it is certainly set: in the result of a vote it is what the lane itself
// brought to it, in a number that is made of thread numbers and the launch it is computed; of all else
// (parameters, memory, numbers that lanes handed to each other) neither is known. A goal for one thread then
// asks for a lane whose bit is clear on a way to the operation of which all conditions are known, in the
// first round of the loops around it. Soundness: findings only; each is of a thread that comes there, under
// the contents of memory that it names as needed.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"

enum { OWN_DEPTH = 24 };

// ---- the lane's own bit

// Where one of these holds, the bit is so; where neither does, that is not known.
typedef struct OwnBit {
  ExprRef clear, set;
} OwnBit;

static OwnBit bit_where(ExprPool *pool, ExprRef set) {
  return (OwnBit){expr_not(pool, set), set};
}

static OwnBit bit_unknown(ExprPool *pool) {
  return (OwnBit){expr_bool(pool, false), expr_bool(pool, false)};
}

static OwnBit bit_where_true(Frame *frame, IrRef vote) {
  ExprPool *pool = frame->scan->pool;
  ExprRef truth = frame_truth(frame, vote);
  return truth && exact_speaks_of(frame->scan, truth, true) != SPEAKS_OF_UNKNOWN ? bit_where(pool, truth)
                                                                                 : bit_unknown(pool);
}

// In a group of lanes, and in what lanes with the same value name, each lane has its own bit.
static OwnBit bit_of_vote(Frame *frame, const IrInst *vote) {
  ExprPool *pool = frame->scan->pool;
  bool is_group = strcmp(vote->name, "activemask") == 0 || strcmp(vote->name, "match_any") == 0;
  if (is_group) return bit_where(pool, expr_bool(pool, true));
  return strcmp(vote->name, "ballot") == 0 && vote->op_count == 2 ? bit_where_true(frame, vote->ops[1])
                                                                  : bit_unknown(pool);
}

static OwnBit bit_of_word(Frame *frame, IrRef mask) {
  ExprPool *pool = frame->scan->pool;
  ExprRef word = frame_word(frame, mask, 32);
  if (!word || exact_speaks_of(frame->scan, word, false) != SPEAKS_OF_NOTHING_ELSE) return bit_unknown(pool);
  return bit_where(pool, goal_has_lane(frame->scan, word, frame->view->lane));
}

static OwnBit combine(ExprPool *pool, IrOp op, OwnBit a, OwnBit b) {
  ASSERT(op == IR_AND || op == IR_OR || op == IR_XOR);
  if (op == IR_AND) return (OwnBit){expr_or(pool, a.clear, b.clear), expr_and(pool, a.set, b.set)};
  if (op == IR_OR) return (OwnBit){expr_and(pool, a.clear, b.clear), expr_or(pool, a.set, b.set)};
  return (OwnBit){expr_or(pool, expr_and(pool, a.clear, b.clear), expr_and(pool, a.set, b.set)),
                  expr_or(pool, expr_and(pool, a.clear, b.set), expr_and(pool, a.set, b.clear))};
}

static OwnBit choose(ExprPool *pool, ExprRef when, OwnBit yes, OwnBit no) {
  ExprRef not = expr_not(pool, when);
  return (OwnBit){expr_or(pool, expr_and(pool, when, yes.clear), expr_and(pool, not, no.clear)),
                  expr_or(pool, expr_and(pool, when, yes.set), expr_and(pool, not, no.set))};
}

static OwnBit own_bit(Frame *frame, IrRef mask, int depth) {
  ExprPool *pool = frame->scan->pool;
  const IrInst *inst = ir_inst(frame->scan->fn, mask);
  if (!inst || depth == 0) return bit_of_word(frame, mask);
  if (inst->op == IR_VOTE) return bit_of_vote(frame, inst);
  if (inst->op == IR_AND || inst->op == IR_OR || inst->op == IR_XOR)
    return combine(pool, (IrOp)inst->op, own_bit(frame, inst->ops[0], depth - 1),
                   own_bit(frame, inst->ops[1], depth - 1));
  if (inst->op != IR_SELECT) return bit_of_word(frame, mask);
  ExprRef when = frame_truth(frame, inst->ops[0]);
  if (!when || exact_speaks_of(frame->scan, when, true) == SPEAKS_OF_UNKNOWN) return bit_unknown(pool);
  return choose(pool, when, own_bit(frame, inst->ops[1], depth - 1), own_bit(frame, inst->ops[2], depth - 1));
}

// ---- who executes it

static bool has_mask(const Scan *scan, const IrInst *inst) {
  int64_t value = 0;
  bool is_full = exact_names_lanes(scan, inst) && ir_const_value(scan->fn, inst->ops[0], &value) &&
                 (uint32_t)value == UINT32_MAX;
  return exact_names_lanes(scan, inst) && !is_full;
}

// The mask as this lane computes it, where that is a number; else what it is called.
static const char *mask_text(Frame *frame, IrRef mask, const ExprEnv *env) {
  Scan *scan = frame->scan;
  ExprRef word = frame_word(frame, mask, 32);
  int64_t value = 0;
  bool is_number = word && exact_speaks_of(scan, word, false) == SPEAKS_OF_NOTHING_ELSE &&
                   expr_eval(scan->pool, word, env, &value) == EXPR_EVAL_OK;
  return is_number ? arena_printf(scan->arena, "the mask 0x%08x", (unsigned)value) : "the mask";
}

static void check_mask(Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  Frame *frame = exact_frame(scan, view_fresh(scan, NULL), inst->block, (Round){inst->block, 0});
  ExprRef condition = exact_condition(frame, inst->block);
  if (!condition) return;
  ExprRef clear = own_bit(frame, inst->ops[0], OWN_DEPTH).clear;
  bool needs_memory = exact_speaks_of(scan, expr_and(scan->pool, condition, clear), true) == SPEAKS_OF_MEMORY;
  Goal goal = {0};
  goal_add(scan, &goal, clear, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return;
  SolverAnswer answer = goal_decide(scan, &goal, "a lane outside of the mask");
  ExprEnv env = model_env(&answer);
  int64_t lane = 0;
  if (answer.verdict != VERDICT_RACE || expr_eval(scan->pool, frame->view->lane, &env, &lane) != EXPR_EVAL_OK)
    return;
  const char *text = mask_text(frame, inst->ops[0], &env);
  const char *message =
      needs_memory ? "%s of this warp operation may leave out lane %lld, which executes it: that depends on "
                     "what memory holds"
                   : "%s of this warp operation leaves out lane %lld, which executes it";
  misuse_report(scan, &(Misuse){RULE_WARP_MASK, needs_memory ? CERTAINTY_POSSIBLE : CERTAINTY_DEFINITE,
                                "mask-without-caller", index, NULL,
                                arena_printf(scan->arena, message, text, (long long)lane)});
}

void misuse_masks(Scan *scan) {
  if (!scan->cfg->is_reducible) return;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (has_mask(scan, &scan->fn->insts.items[i])) check_mask(scan, i);
}
