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
#include "kernelscan/ways.h"

enum { OWN_DEPTH = 24 };

// What does a condition speak of, besides the thread's numbers, the launch and values of the host?
typedef enum Speaks { SPEAKS_OF_NOTHING_ELSE, SPEAKS_OF_MEMORY, SPEAKS_OF_UNKNOWN } Speaks;

static Speaks speaks_of_node(const Scan *scan, const ExprNode *node, bool with_host) {
  const ExprPool *pool = scan->pool;
  if (node->op == EXPR_APP) // what the kernel does not write; other functions may be anything to the solver
    return expr_func_info(pool, (uint32_t)node->value)->kind == SYM_MEMORY ? SPEAKS_OF_MEMORY
                                                                           : SPEAKS_OF_UNKNOWN;
  if (node->op != EXPR_SYM) return SPEAKS_OF_NOTHING_ELSE;
  switch ((ExprSymKind)expr_sym_info(pool, (uint32_t)node->value)->kind) {
  case SYM_HOST_VALUE: return with_host ? SPEAKS_OF_NOTHING_ELSE : SPEAKS_OF_UNKNOWN;
  case SYM_ITERATION: // of a loop of the host, or of the kernel
    return with_host && node->value < scan->start.host_symbols ? SPEAKS_OF_NOTHING_ELSE : SPEAKS_OF_UNKNOWN;
  case SYM_MEMORY:
  case SYM_UNKNOWN: return SPEAKS_OF_UNKNOWN;
  case SYM_GRID_DIM:
  case SYM_BLOCK_DIM:
  case SYM_BLOCK_IDX:
  case SYM_THREAD_IDX: break;
  }
  return SPEAKS_OF_NOTHING_ELSE;
}

static Speaks speaks_of(const Scan *scan, ExprRef ref, bool with_host) {
  const ExprPool *pool = scan->pool;
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, expr_count(pool) + 1, uint8_t);
  goal_mark_below(pool, ref, seen);
  Speaks found = SPEAKS_OF_NOTHING_ELSE;
  for (ExprRef r = 1; r <= ref; r++) { // parts come before what is made of them
    Speaks of = seen[r] ? speaks_of_node(scan, expr_node(pool, r), with_host) : SPEAKS_OF_NOTHING_ELSE;
    if (of > found) found = of;
  }
  arena_close(scratch);
  return found;
}

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
  return truth && speaks_of(frame->scan, truth, true) != SPEAKS_OF_UNKNOWN ? bit_where(pool, truth)
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
  if (!word || speaks_of(frame->scan, word, false) != SPEAKS_OF_NOTHING_ELSE) return bit_unknown(pool);
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
  if (!when || speaks_of(frame->scan, when, true) == SPEAKS_OF_UNKNOWN) return bit_unknown(pool);
  return choose(pool, when, own_bit(frame, inst->ops[1], depth - 1), own_bit(frame, inst->ops[2], depth - 1));
}

// ---- who executes it

// The conditions on the way to the block, if all of them are known.
static ExprRef exact_condition(Frame *frame, uint32_t block) {
  Scan *scan = frame->scan;
  const Cfg *cfg = scan->cfg;
  ExprRef condition = expr_bool(scan->pool, true);
  for (uint32_t at = block; at != 0; at = cfg->idom[at]) {
    uint32_t from = cfg->idom[at];
    if (from == CFG_NONE) return 0;
    if (cfg_post_dominates(cfg, at, from)) continue;
    if (cfg->pred_first[at + 1] - cfg->pred_first[at] != 1) return 0;
    ExprRef edge = frame_edge_condition(frame, from, at);
    if (!edge || speaks_of(scan, edge, true) == SPEAKS_OF_UNKNOWN) return 0;
    condition = expr_and(scan->pool, condition, edge);
  }
  return condition;
}

// A thread that is in the first round of the loops around the block.
static Frame *frame_at(Scan *scan, uint32_t block) {
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    iteration[l] = expr_const(scan->pool, 32, 0);
  return frame_make(scan, view_fresh(scan, NULL), iteration, NULL);
}

static bool has_mask(const Scan *scan, const IrInst *inst) {
  bool names_lanes =
      (inst->op == IR_BARRIER && inst->imm == IR_BARRIER_SYNC && inst->scope == IR_SCOPE_WARP) ||
      inst->op == IR_SHUFFLE || (inst->op == IR_VOTE && inst->op_count == 2);
  int64_t value = 0;
  bool is_full = names_lanes && inst->op_count && ir_const_value(scan->fn, inst->ops[0], &value) &&
                 (uint32_t)value == UINT32_MAX;
  return names_lanes && inst->op_count && !is_full && scan->cfg->rpo_number[inst->block] != CFG_NONE;
}

// The mask as this lane computes it, where that is a number; else what it is called.
static const char *mask_text(Frame *frame, IrRef mask, const ExprEnv *env) {
  Scan *scan = frame->scan;
  ExprRef word = frame_word(frame, mask, 32);
  int64_t value = 0;
  bool is_number = word && speaks_of(scan, word, false) == SPEAKS_OF_NOTHING_ELSE &&
                   expr_eval(scan->pool, word, env, &value) == EXPR_EVAL_OK;
  return is_number ? arena_printf(scan->arena, "the mask 0x%08x", (unsigned)value) : "the mask";
}

static void check_mask(Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  Frame *frame = frame_at(scan, inst->block);
  ExprRef condition = exact_condition(frame, inst->block);
  if (!condition) return;
  ExprRef clear = own_bit(frame, inst->ops[0], OWN_DEPTH).clear;
  bool needs_memory = speaks_of(scan, expr_and(scan->pool, condition, clear), true) == SPEAKS_OF_MEMORY;
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
