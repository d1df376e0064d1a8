// A loop that fills stages ahead of the loop around it,
//   for (done = next = 0; done < n; done++) {
//     for (; next < n && next < done + stages; next++) { ...; commit; }
//     wait; ...; release;
//   }
// goes round `stages` times in the first round of the outer loop and at most once in each later one, since
// both variables go by the same step: behind the inner loop either next >= done + stages, or it was ended by
// a bound that stays. (A part of the threads may go by the inner loop, if what decides is the same in all
// rounds: these threads never come to the copies.) So the first round of the outer loop is written out with
// as many copies of the inner body, and one copy is left in the rest of it, where `next` is `done` plus a
// constant. A loop of its own with as many rounds as its constants say, which commits or gives back stages,
// is written out as well. Method: blocks are copied along the edges (block_copies.c). Soundness: each way
// through the copies is a way through the loops with the same values; what is not of this shape stays as it
// is. Sums that bound the loop are taken not to overflow, and what is compared without a sign not to be
// negative (A1).
// SPDX-License-Identifier: Apache-2.0
#include "core/cfg.h"
#include "frontend/block_copies.h"
#include "frontend/lower.h"

#include <string.h>

enum { MOST_STAGES = 8, PURE_DEPTH = 8 };

typedef struct Stepping { // a variable of the inner loop, and of the loop around it
  uint32_t inner, outer;  // its phis; outer: CFG_NONE without a loop around
  int64_t inner_step, outer_step;
  IrRef start;
} Stepping;

typedef struct Shape {
  IrModule *module;
  const IrFunction *fn;
  const Cfg *cfg;
  uint32_t inner, outer; // loops; outer: CFG_NONE
  uint32_t test;         // the comparison that ends the inner loop after so many rounds
  int64_t rounds;        // of the inner loop in the first round of the outer one
  Stepping next;         // what it counts
  Arena *scratch;
} Shape;

static const IrInst *inst_at(const Shape *shape, uint32_t inst) {
  return &shape->fn->insts.items[inst];
}

static bool is_in(const Shape *shape, uint32_t loop, IrRef ref) {
  const IrInst *inst = ir_inst(shape->fn, ref);
  return inst && cfg_loop_contains(shape->cfg, loop, inst->block);
}

// ---- a loop that some threads run, in each round of the loop around it
// One value in all rounds of the outer loop.
static bool stays(const Shape *shape, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(shape->fn, ref);
  if (!inst || !is_in(shape, shape->outer, ref)) return true;
  IrOpClass class = ir_op_class((IrOp)inst->op);
  bool is_sreg = inst->op == IR_SREG && inst->imm != IR_SREG_CLOCK && inst->imm != IR_SREG_OTHER;
  if (depth == 0 ||
      (!is_sreg && class != IR_CLASS_ARITH && class != IR_CLASS_COMPARE && class != IR_CLASS_CAST))
    return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!stays(shape, inst->ops[i], depth - 1)) return false;
  return true;
}

static uint32_t ways_inside(const Shape *shape, uint32_t block) {
  const Cfg *cfg = shape->cfg;
  uint32_t count = 0;
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
    count += cfg_loop_contains(cfg, shape->outer, cfg->succs[s]) ? 1 : 0;
  return count;
}

static bool has_one_way_in(const Shape *shape, uint32_t block) {
  const Cfg *cfg = shape->cfg;
  uint32_t count = 0;
  for (uint32_t p = cfg->pred_first[block]; p < cfg->pred_first[block + 1]; p++)
    count +=
        cfg->rpo_number[cfg->preds[p]] != CFG_NONE && !(cfg->loops.items[shape->inner].header == block &&
                                                        cfg_loop_contains(cfg, shape->inner, cfg->preds[p]));
  return count == 1;
}

// Each round that is gone through comes to the inner loop, or none does: what decides on the way is the same
// in all rounds.
static bool is_run_alike(const Shape *shape) {
  const Cfg *cfg = shape->cfg;
  uint32_t header = cfg->loops.items[shape->outer].header;
  for (uint32_t at = cfg->loops.items[shape->inner].header; at != header; at = cfg->idom[at]) {
    uint32_t block = cfg->idom[at];
    const IrInst *end = ir_terminator(shape->fn, block);
    if (cfg->loop_of[block] != shape->outer) return false; // a loop on the way
    if (ways_inside(shape, block) < 2 || cfg_post_dominates(cfg, at, block)) continue;
    if (end->op != IR_CONDBR || !stays(shape, end->ops[0], PURE_DEPTH) || !has_one_way_in(shape, at))
      return false;
  }
  return true;
}

// Does control come from the inner loop to the block, in the same round of the outer one?
static bool comes_from_inner(const Shape *shape, uint32_t block, Arena *scratch) {
  const Cfg *cfg = shape->cfg;
  uint32_t *work = arena_array(scratch, cfg->block_count + 1, uint32_t), count = 0;
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  work[count++] = block;
  seen[block] = 1;
  while (count) {
    uint32_t at = work[--count];
    if (cfg_loop_contains(cfg, shape->inner, at)) return true;
    if (cfg->loops.items[shape->outer].header == at) continue;
    for (uint32_t p = cfg->pred_first[at]; p < cfg->pred_first[at + 1]; p++) {
      if (seen[cfg->preds[p]]) continue;
      seen[cfg->preds[p]] = 1;
      work[count++] = cfg->preds[p];
    }
  }
  return false;
}

// What comes round is the phi of the inner loop, or that of the outer one on ways that go by the inner loop.
static bool comes_round(const Shape *shape, IrRef again, IrRef inner, IrRef outer, int depth) {
  const IrInst *meet = ir_inst(shape->fn, again);
  if (again == inner) return true;
  if (!meet || depth == 0 || meet->op != IR_PHI || shape->cfg->loop_of[meet->block] != shape->outer ||
      shape->cfg->loops.items[shape->outer].header == meet->block)
    return false;
  for (uint32_t i = 0; i < meet->op_count; i++)
    if (meet->ops[i] == outer ? comes_from_inner(shape, meet->blocks[i], shape->scratch)
                              : !comes_round(shape, meet->ops[i], inner, outer, depth - 1))
      return false;
  return true;
}

// ---- variables
// ref == base + constant; a constant alone has no base.
static void split(const Shape *shape, IrRef ref, IrRef *base, int64_t *constant) {
  *base = ref;
  *constant = 0;
  for (int depth = 0; depth < PURE_DEPTH; depth++) {
    int64_t value = 0;
    const IrInst *inst = ir_inst(shape->fn, *base);
    if (ir_const_value(shape->fn, *base, &value)) {
      *base = 0;
      *constant += value;
      return;
    }
    if (!inst || !ir_inst_is(inst, IR_SUMS)) return;
    bool is_left = inst->op == IR_ADD && ir_const_value(shape->fn, inst->ops[0], &value);
    if (!is_left && !ir_const_value(shape->fn, inst->ops[1], &value)) return;
    *base = inst->ops[is_left ? 1 : 0];
    *constant += inst->op == IR_SUB ? -value : value;
  }
}

// The one value that comes into the header from outside of the loop, and the one that comes round; false:
// more.
static bool ways_in(const Shape *shape, uint32_t loop, const IrInst *phi, IrRef *start, IrRef *again) {
  *start = *again = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    IrRef *to = cfg_loop_contains(shape->cfg, loop, phi->blocks[i]) ? again : start;
    if (*to && *to != phi->ops[i]) return false;
    *to = phi->ops[i];
  }
  return *start && *again;
}

static bool is_phi_of(const Shape *shape, uint32_t loop, IrRef ref) {
  const IrInst *inst = ir_inst(shape->fn, ref);
  return inst && inst->op == IR_PHI && inst->block == shape->cfg->loops.items[loop].header;
}

// A phi at the header that goes by constant steps.
static bool read_stepping(const Shape *shape, uint32_t phi, Stepping *stepping) {
  IrRef start = 0, again = 0, base = 0;
  const IrInst *inner = inst_at(shape, phi);
  *stepping = (Stepping){.inner = phi, .outer = CFG_NONE};
  if (!ways_in(shape, shape->inner, inner, &start, &again)) return false;
  split(shape, again, &base, &stepping->inner_step);
  if (base != IR_REF(IR_REF_INST, phi)) return false;
  stepping->start = start;
  if (shape->outer == CFG_NONE) return true;
  if (!is_phi_of(shape, shape->outer, start)) return false;
  stepping->outer = ir_ref_index(start);
  if (!ways_in(shape, shape->outer, inst_at(shape, stepping->outer), &stepping->start, &again)) return false;
  split(shape, again, &base, &stepping->outer_step);
  if (base == IR_REF(IR_REF_INST, phi)) return true;
  stepping->outer_step = 0;
  return comes_round(shape, again, IR_REF(IR_REF_INST, phi), start, PURE_DEPTH) && is_run_alike(shape);
}

// A variable of the outer loop alone, which goes by constant steps.
static bool read_outer(const Shape *shape, IrRef ref, IrRef *start, int64_t *step) {
  IrRef again = 0, base = 0;
  if (!is_phi_of(shape, shape->outer, ref) ||
      !ways_in(shape, shape->outer, ir_inst(shape->fn, ref), start, &again))
    return false;
  split(shape, again, &base, step);
  return base == ref && *step;
}

// a - b, if that is a number.
static bool distance(const Shape *shape, IrRef a, IrRef b, int64_t *result) {
  IrRef base_a = 0, base_b = 0;
  int64_t x = 0, y = 0;
  split(shape, a, &base_a, &x);
  split(shape, b, &base_b, &y);
  *result = x - y;
  return base_a == base_b;
}

// a < b or a <= b, whichever way it is written.
static bool as_less(const IrInst *inst, IrRef *low, IrRef *high, bool *or_equal) {
  if (inst->op != IR_ICMP) return false;
  IrPred pred = (IrPred)inst->pred;
  bool is_less = pred == IR_SLT || pred == IR_ULT || pred == IR_SLE || pred == IR_ULE,
       is_greater = pred == IR_SGT || pred == IR_UGT || pred == IR_SGE || pred == IR_UGE;
  *or_equal = pred == IR_SLE || pred == IR_ULE || pred == IR_SGE || pred == IR_UGE;
  *low = inst->ops[is_less ? 0 : 1];
  *high = inst->ops[is_less ? 1 : 0];
  return is_less || is_greater;
}

// ref == cast(base) + constant, where the cast is one of a variable to a wider word.
static void split_cast(const Shape *shape, IrRef ref, IrRef *base, int64_t *constant, IrOp *cast) {
  int64_t inside = 0;
  split(shape, ref, base, constant);
  const IrInst *inst = *base ? ir_inst(shape->fn, *base) : NULL;
  *cast = IR_PHI; // none
  if (!inst || !ir_inst_is(inst, IR_EXTENDS)) return;
  *cast = (IrOp)inst->op;
  split(shape, inst->ops[0], base, &inside);
  *constant += inside;
}

// Is this the comparison of `next` with what runs ahead of the outer variable? How many rounds does it allow
// at first?
static bool read_test(Shape *shape, uint32_t test) {
  IrRef low = 0, high = 0, ahead = 0, start = 0;
  bool or_equal = false;
  int64_t reach = 0, gap = 0, step = 0;
  if (!as_less(inst_at(shape, test), &low, &high, &or_equal)) return false;
  IrOp cast = IR_PHI, cast_ahead = IR_PHI;
  int64_t own = 0;
  split_cast(shape, low, &low, &own, &cast);
  split_cast(shape, high, &ahead, &reach, &cast_ahead);
  if (!low || !is_phi_of(shape, shape->inner, low) ||
      !read_stepping(shape, ir_ref_index(low), &shape->next) || (ahead && cast != cast_ahead))
    return false;
  reach -= own;
  if (shape->outer == CFG_NONE) {
    if (ahead || !distance(shape, shape->next.start, high, &gap)) return false;
    gap += reach; // the start
    if (ir_inst(shape->fn, shape->next.start)) return false;
  } else if (!ahead || !read_outer(shape, ahead, &start, &step) || step != shape->next.inner_step ||
             shape->next.outer_step || !distance(shape, shape->next.start, start, &gap)) {
    return false;
  }
  int64_t below = 0; // a negative number is a large one where it becomes one without a sign
  if (cast == IR_SEXT && ir_const_value(shape->fn, shape->next.start, &below) && below < 0) return false;
  int64_t d = shape->next.inner_step, room = reach - gap + (or_equal ? 1 : 0);
  if (d <= 0 || room <= 0 || room > d * MOST_STAGES) return false;
  shape->test = test;
  shape->rounds = (room + d - 1) / d;
  return true;
}

// ---- what else ends the inner loop
static bool is_pure(const IrInst *inst) {
  IrOpClass class = ir_op_class((IrOp)inst->op);
  return inst->op == IR_PHI || class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST;
}

// A condition that, once it has ended the loop, ends it in all later rounds: a bound for `next` from above
// that stays, the test itself, or these taken together.
static bool ends_for_good(const Shape *shape, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(shape->fn, ref);
  IrRef low = 0, high = 0;
  bool or_equal = false;
  uint32_t around = shape->outer == CFG_NONE ? shape->inner : shape->outer;
  int64_t constant = 0;
  if (ir_const_value(shape->fn, ref, &constant)) return constant == 0;
  if (!inst || depth == 0 || !is_in(shape, shape->inner, ref)) return false;
  if (ir_ref_index(ref) == shape->test) return true;
  if (inst->op == IR_PHI || inst->op == IR_AND) {
    if (inst->op == IR_PHI && inst->block == shape->cfg->loops.items[shape->inner].header) return false;
    for (uint32_t i = 0; i < inst->op_count; i++)
      if (!ends_for_good(shape, inst->ops[i], depth - 1)) return false;
    return true;
  }
  return as_less(inst, &low, &high, &or_equal) && low == IR_REF(IR_REF_INST, shape->next.inner) &&
         !is_in(shape, around, high);
}

// From the header to every exit there is nothing but conditions of this kind.
static bool decides_first(const Shape *shape, Arena *scratch) {
  const Cfg *cfg = shape->cfg;
  uint32_t header = cfg->loops.items[shape->inner].header,
           *work = arena_array(scratch, cfg->block_count + 1, uint32_t), count = 0;
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  for (uint32_t b = 0; b < cfg->block_count; b++) {
    if (cfg->rpo_number[b] == CFG_NONE || !cfg_loop_contains(cfg, shape->inner, b)) continue;
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1]; s++)
      if (!cfg_loop_contains(cfg, shape->inner, cfg->succs[s]) && !seen[b]) {
        seen[b] = 1;
        work[count++] = b;
      }
  }
  for (uint32_t w = 0; w < count; w++) {
    const IrBlock *block = &shape->fn->blocks.items[work[w]];
    const IrInst *end = ir_terminator(shape->fn, work[w]);
    for (uint32_t i = block->first; i + 1 < block->first + block->count; i++)
      if (!is_pure(inst_at(shape, i))) return false;
    if (end->op != IR_BR && (end->op != IR_CONDBR || !ends_for_good(shape, end->ops[0], PURE_DEPTH) ||
                             !cfg_loop_contains(cfg, shape->inner, end->blocks[0])))
      return false; // goes on where the condition holds
    for (uint32_t p = cfg->pred_first[work[w]]; work[w] != header && p < cfg->pred_first[work[w] + 1]; p++) {
      if (seen[cfg->preds[p]]) continue;
      seen[cfg->preds[p]] = 1;
      work[count++] = cfg->preds[p];
    }
  }
  return count > 0;
}

static bool counts_stages(const Shape *shape) {
  bool is_found = false;
  for (uint32_t i = 0; i < shape->fn->insts.count; i++) {
    const IrInst *inst = inst_at(shape, i);
    bool is_of_pipeline =
             inst->op == IR_PIPELINE && (inst->imm == IR_PIPELINE_COMMIT || inst->imm == IR_PIPELINE_RELEASE),
         is_of_thread =
             inst->op == IR_ASYNCCOMMIT || (inst->op == IR_ASYNCWAIT && (inst->flags & IR_FLAG_OLDEST));
    is_found |= (is_of_pipeline || is_of_thread) && shape->cfg->loop_of[inst->block] == shape->inner;
  }
  return is_found;
}

// ---- writing it out
// In later rounds of the outer loop, where the body is executed, the variable is another one and a constant.
static void add_known(const Shape *shape, BlockCopies *copies, uint32_t phi) {
  Stepping of;
  if (!read_stepping(shape, phi, &of)) return;
  int64_t each = of.inner_step + of.outer_step, ahead = of.inner_step * (shape->rounds - 1), start = 0;
  if (each == 0) {
    if (ir_const_value(shape->fn, of.start, &start)) block_copies_replace(copies, phi, 0, start + ahead);
    return;
  }
  uint32_t header = shape->cfg->loops.items[shape->outer].header;
  const IrBlock *block = &shape->fn->blocks.items[header];
  for (uint32_t i = block->first; i < block->first + block->count && inst_at(shape, i)->op == IR_PHI; i++) {
    IrRef ref = IR_REF(IR_REF_INST, i), begin = 0;
    int64_t step = 0, gap = 0;
    if (!ir_types_equal(inst_at(shape, i)->type, inst_at(shape, phi)->type) ||
        !read_outer(shape, ref, &begin, &step) || step != each || !distance(shape, of.start, begin, &gap))
      continue;
    block_copies_replace(copies, phi, ref, gap + ahead);
    return;
  }
}

static bool write_out(const Shape *shape, IrFunction *fn, Arena *scratch) {
  BlockCopies copies = {.module = shape->module,
                        .fn = shape->fn,
                        .cfg = shape->cfg,
                        .inner = shape->inner,
                        .outer = shape->outer,
                        .test = shape->test,
                        .rounds = (uint32_t)shape->rounds,
                        .scratch = scratch};
  const IrBlock *header = &shape->fn->blocks.items[shape->cfg->loops.items[shape->inner].header];
  for (uint32_t i = header->first; shape->outer != CFG_NONE && i < header->first + header->count; i++)
    if (inst_at(shape, i)->op == IR_PHI) add_known(shape, &copies, i);
  return block_copies_make(&copies, fn);
}

static bool settle_one(IrModule *module, IrFunction *fn, Arena *scratch) {
  const Cfg *cfg = cfg_make(fn, scratch);
  if (!cfg->is_reducible) return false;
  for (uint32_t l = 0; l < cfg->loops.count; l++) {
    Shape shape = {.module = module, .fn = fn, .cfg = cfg, .inner = l, .scratch = scratch};
    if (!counts_stages(&shape)) continue;
    for (uint32_t i = 0; i < fn->insts.count; i++) {
      if (fn->insts.items[i].op != IR_ICMP || cfg->loop_of[fn->insts.items[i].block] != l) continue;
      for (int is_alone = 0; is_alone < 2; is_alone++) {
        shape.outer = is_alone ? CFG_NONE : cfg->loops.items[l].parent;
        if (!is_alone && shape.outer == CFG_NONE) continue;
        if (read_test(&shape, i) && decides_first(&shape, scratch) && write_out(&shape, fn, scratch))
          return true;
      }
    }
  }
  return false;
}

void stage_loops_settle(IrModule *module, IrFunction *fn) {
  bool has_commit = false;
  for (uint32_t i = 0; i < fn->insts.count; i++)
    has_commit |= fn->insts.items[i].op == IR_ASYNCCOMMIT || fn->insts.items[i].op == IR_PIPELINE;
  for (int times = 0; has_commit && times < 4; times++) {
    Arena *scratch = arena_open();
    bool is_written = settle_one(module, fn, scratch);
    arena_close(scratch);
    if (!is_written) return;
  }
}
