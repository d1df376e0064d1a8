// Which variables of a loop go round in a circle? `stage = stage + 1 == N ? 0 : stage + 1`, and the phase
// that is flipped whenever the stage comes back to 0. Method: a header phi that starts with a number and
// whose next value hangs on itself, on other such phis and on constants only is computed for the first
// rounds; as soon as all of these together have the values that they began with, everything repeats itself.
// Soundness: the computation is exact; what hangs on anything else has no form here.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"

enum { ROUND_LIMIT = 64, PHI_LIMIT = 6, DEPTH_LIMIT = 12, WALK_LIMIT = 12 };

typedef struct Circle {
  const Scan *scan;
  uint32_t loop, count;
  uint32_t phis[PHI_LIMIT];
  IrRef nexts[PHI_LIMIT];
  int64_t starts[PHI_LIMIT], now[PHI_LIMIT];
} Circle;

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

static bool split(const Circle *circle, const IrInst *phi, int64_t *start, IrRef *next) {
  IrRef first = 0;
  *next = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    bool is_back = cfg_loop_contains(circle->scan->cfg, circle->loop, phi->blocks[i]);
    IrRef *slot = is_back ? next : &first;
    if (*slot && *slot != phi->ops[i]) return false;
    *slot = phi->ops[i];
  }
  if (!first || !*next || phi->type.kind != IR_INT || !ir_const_value(circle->scan->fn, first, start))
    return false;
  *start = expr_signed_reading(*start, symeval_width(phi->type));
  return true;
}

static bool add_phi(Circle *circle, uint32_t phi) {
  if (circle->count == PHI_LIMIT) return false;
  uint32_t slot = circle->count++;
  circle->phis[slot] = phi;
  if (!split(circle, inst_at(circle->scan, phi), &circle->starts[slot], &circle->nexts[slot])) return false;
  return true;
}

// ---- values
static bool value_of(Circle *circle, IrRef ref, int depth, int64_t *value);

static bool pair_of(Circle *circle, const IrInst *inst, int depth, int64_t *a, int64_t *b) {
  return value_of(circle, inst->ops[0], depth, a) && value_of(circle, inst->ops[1], depth, b);
}

static bool fold(ExprOp op, const IrInst *inst, int64_t a, int64_t b, uint8_t from, int64_t *value) {
  return expr_fold(op, 0, symeval_width(inst->type), from, a, b, value) == EXPR_EVAL_OK;
}

static bool compares(IrPred pred, int64_t a, int64_t b, uint8_t width, int64_t *value) {
  uint64_t u = expr_unsigned_reading(a, width), v = expr_unsigned_reading(b, width);
  switch ((int)pred) {
  case IR_EQ: *value = a == b; return true;
  case IR_NE: *value = a != b; return true;
  case IR_SLT: *value = a < b; return true;
  case IR_SLE: *value = a <= b; return true;
  case IR_SGT: *value = a > b; return true;
  case IR_SGE: *value = a >= b; return true;
  case IR_ULT: *value = u < v; return true;
  case IR_ULE: *value = u <= v; return true;
  case IR_UGT: *value = u > v; return true;
  case IR_UGE: *value = u >= v; return true;
  default: return false; // of floating point
  }
}

// Which way does control come to the block, from its dominator?
static bool phi_of(Circle *circle, const IrInst *phi, int depth, int64_t *value) {
  const Scan *scan = circle->scan;
  uint32_t from = scan->cfg->idom[phi->block];
  for (int steps = 0; steps < WALK_LIMIT && from != CFG_NONE; steps++) {
    const IrInst *end = ir_terminator(scan->fn, from);
    uint32_t to = CFG_NONE;
    int64_t taken = 0;
    if (end->op == IR_BR) to = end->blocks[0];
    if (end->op == IR_CONDBR && value_of(circle, end->ops[0], depth, &taken)) to = end->blocks[taken ? 0 : 1];
    if (to == CFG_NONE) return false;
    for (uint32_t i = 0; to == phi->block && i < phi->op_count; i++)
      if (phi->blocks[i] == from) return value_of(circle, phi->ops[i], depth, value);
    if (to == phi->block || scan->cfg->loop_of[to] != circle->loop ||
        to == scan->cfg->loops.items[circle->loop].header)
      return false;
    from = to;
  }
  return false;
}

static bool inst_value(Circle *circle, const IrInst *inst, int depth, int64_t *value) {
  const Scan *scan = circle->scan;
  int64_t a = 0, b = 0;
  uint8_t from = inst->op_count ? symeval_width(ir_ref_type(scan->module, scan->fn, inst->ops[0])) : 0;
  ExprOp op = symeval_word_op((IrOp)inst->op);
  if (inst->op == IR_PHI) return phi_of(circle, inst, depth, value);
  if (inst->op == IR_SELECT)
    return value_of(circle, inst->ops[0], depth, &a) && value_of(circle, inst->ops[a ? 1 : 2], depth, value);
  if (ir_inst_is(inst, IR_RESIZES))
    return value_of(circle, inst->ops[0], depth, &a) && fold(op, inst, a, 0, from, value);
  if (inst->op == IR_ICMP)
    return pair_of(circle, inst, depth, &a, &b) && compares((IrPred)inst->pred, a, b, from, value);
  bool is_word = op != EXPR_NONE && inst->op_count == 2; // else it hangs on something that is no number here
  return is_word && pair_of(circle, inst, depth, &a, &b) && fold(op, inst, a, b, from, value);
}

static bool value_of(Circle *circle, IrRef ref, int depth, int64_t *value) {
  const Scan *scan = circle->scan;
  if (ir_ref_kind(ref) != IR_REF_INST) {
    if (!ir_const_value(scan->fn, ref, value)) return false;
    *value = expr_signed_reading(*value, symeval_width(ir_ref_type(scan->module, scan->fn, ref)));
    return true;
  }
  uint32_t index = ir_ref_index(ref);
  const IrInst *inst = inst_at(scan, index);
  if (depth == DEPTH_LIMIT || !cfg_loop_contains(scan->cfg, circle->loop, inst->block)) return false;
  if (inst->op == IR_PHI && inst->block == scan->cfg->loops.items[circle->loop].header) {
    for (uint32_t i = 0; i < circle->count; i++) {
      if (circle->phis[i] != index) continue;
      *value = circle->now[i];
      return true;
    }
    // A further one belongs to the circle: it is added, and everything begins anew.
    add_phi(circle, index);
    return false;
  }
  return inst_value(circle, inst, depth + 1, value);
}

// ---- rounds
static bool step(Circle *circle) {
  int64_t next[PHI_LIMIT];
  for (uint32_t i = 0; i < circle->count; i++)
    if (!value_of(circle, circle->nexts[i], 0, &next[i])) return false;
  memcpy(circle->now, next, circle->count * sizeof *next);
  return true;
}

static bool is_closed(const Circle *circle) {
  return memcmp(circle->now, circle->starts, circle->count * sizeof *circle->now) == 0;
}

// The values of the first phi until all have come round; 0: they do not.
static uint32_t go_round(Circle *circle, int64_t *values) {
  memcpy(circle->now, circle->starts, sizeof circle->starts);
  for (uint32_t round = 0; round < ROUND_LIMIT; round++) {
    values[round] = circle->now[0];
    if (!step(circle)) return 0;
    if (is_closed(circle)) return round + 1;
  }
  return 0;
}

bool cycles_match(Scan *scan, uint32_t phi, uint32_t loop, Induction *form) {
  ASSERT(scan_has_inst(scan, phi));
  ASSERT(scan_has_loop(scan, loop));
  Circle circle = {.scan = scan, .loop = loop};
  int64_t values[ROUND_LIMIT];
  if (!add_phi(&circle, phi)) return false;
  uint32_t period = 0;
  for (uint32_t known = 0; !period && known != circle.count && circle.nexts[circle.count - 1];) {
    known = circle.count;
    period = go_round(&circle, values);
  }
  if (period < 2) return false;
  *form = (Induction){.kind = INDUCTION_CYCLE, .period = period};
  form->cycle = arena_copy(scan->arena, values, period * sizeof *values);
  return true;
}

// ---- the value in a round
// (x + rotation) mod period.
static bool is_counting(const Induction *form) {
  for (uint32_t i = 0; i < form->period; i++)
    if (form->cycle[i] != (form->cycle[0] + i) % form->period || form->cycle[0] < 0) return false;
  return true;
}

// One of two values in turn, each for half of the period: in which round does it change first?
static uint32_t halves_at(const Induction *form) {
  uint32_t half = form->period / 2, at = 0;
  if (form->period % 2) return 0;
  for (uint32_t i = 1; i <= half && !at; i++)
    if (form->cycle[i] != form->cycle[0]) at = i;
  for (uint32_t i = 0; i < form->period && at; i++) {
    bool is_other = (i + half - at) / half % 2 == 1;
    if (form->cycle[i] != (is_other ? form->cycle[at] : form->cycle[0])) at = 0;
  }
  return at;
}

ExprRef cycles_value(Scan *scan, const Induction *form, ExprRef iteration, uint8_t width) {
  ASSERT(scan_has_word(scan, iteration, 32));
  ASSERT(expr_is_width(width));
  ExprPool *pool = scan->pool;
  ExprRef period = expr_const(pool, 32, form->period);
  if (is_counting(form)) {
    ExprRef at = expr_binary(pool, EXPR_ADD, EXPR_NSW, iteration, expr_const(pool, 32, form->cycle[0]));
    return expr_resize_signed(pool, expr_binary(pool, EXPR_SREM, 0, at, period), width);
  }
  uint32_t half = form->period / 2, change = halves_at(form);
  if (change) {
    ExprRef at = expr_binary(pool, EXPR_ADD, EXPR_NSW, iteration, expr_const(pool, 32, half - change));
    ExprRef turn = expr_binary(pool, EXPR_SDIV, 0, at, expr_const(pool, 32, half));
    ExprRef is_other = expr_eq(pool, expr_binary(pool, EXPR_SREM, 0, turn, expr_const(pool, 32, 2)),
                               expr_const(pool, 32, 1));
    return expr_ite(pool, is_other, expr_const(pool, width, form->cycle[change]),
                    expr_const(pool, width, form->cycle[0]));
  }
  ExprRef turn = expr_binary(pool, EXPR_SREM, 0, iteration, period),
          value = expr_const(pool, width, form->cycle[form->period - 1]);
  for (uint32_t i = form->period - 1; i > 0; i--)
    value = expr_ite(pool, expr_eq(pool, turn, expr_const(pool, 32, i - 1)),
                     expr_const(pool, width, form->cycle[i - 1]), value);
  return value;
}
