// Which value does a thread read at one place? Symbolic evaluation of SSA values in a frame, that is for one
// thread and given iteration numbers of the loops around: "most recent execution" is the instance that SSA
// dominance speaks of. Method: recursion over definitions with a memo; header phis by their closed form in
// the iteration number, or one step back where exactly one back edge lies between; other phis as if-then-else
// over the acyclic region between them and their dominator (gated SSA; Ottenstein, Ballance, MacCabe 1990).
// What has no form is a leaf: one symbol for each (instruction, thread, iterations of the loops around),
// shared by both threads only if it is uniform over their block. Soundness: exact, or an unconstrained leaf
// (over-approximation).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"
#include "kernelscan/kernel.h"

enum { REGION_LIMIT = 48, TARGET_LIMIT = 8 };

static Frame *frame_earlier(Frame *frame, uint32_t loop) {
  if (frame->earlier) return frame->earlier;
  Scan *scan = frame->scan;
  uint32_t loops = scan->cfg->loops.count;
  ExprRef *iteration = arena_array(scan->arena, loops + 1, ExprRef);
  // Outer loops as here; this loop one earlier; everything inside on its own.
  for (uint32_t l = loop; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    iteration[l] = l == loop ? frame->before[l] : frame_iteration(frame, l);
  frame->earlier = frame_make(scan, frame->view, iteration, NULL);
  // At the end of that round: no loop but these is under way.
  exits_fix(frame->earlier, exits_place(scan, frame->view->extent, scan->cfg->loops.items[loop].header));
  return frame->earlier;
}

static SymValue leaf(Frame *frame, uint32_t index) {
  return frame_leaf(frame, index, 0);
}

// ---- merging
static SymValue merge_pointers(Scan *scan, ExprRef condition, SymValue one, SymValue two) {
  if (one.kind != SYM_POINTER || two.kind != SYM_POINTER) return sym_value_opaque();
  if (one.target_count + two.target_count > TARGET_LIMIT) return sym_value_opaque();
  Target *targets = arena_array(scan->arena, one.target_count + two.target_count, Target);
  uint32_t count = 0;
  for (int side = 0; side < 2; side++) {
    SymValue from = side ? two : one;
    ExprRef holds = side ? expr_not(scan->pool, condition) : condition;
    for (uint32_t i = 0; i < from.target_count; i++) {
      Target target = from.targets[i];
      target.condition = target.condition ? expr_and(scan->pool, target.condition, holds) : holds;
      if (!expr_is_false(scan->pool, target.condition)) targets[count++] = target;
    }
  }
  // The same object on both sides: one target whose offset is chosen.
  if (one.target_count == 1 && two.target_count == 1 && one.targets[0].object == two.targets[0].object &&
      one.targets[0].key == two.targets[0].key && !one.targets[0].condition && !two.targets[0].condition) {
    targets[0] = one.targets[0];
    targets[0].offset = expr_ite(scan->pool, condition, one.targets[0].offset, two.targets[0].offset);
    count = 1;
  }
  return (SymValue){.kind = SYM_POINTER, .target_count = count, .targets = targets};
}

static SymValue merge(Frame *frame, ExprRef condition, SymValue one, SymValue two) {
  Scan *scan = frame->scan;
  if (expr_is_true(scan->pool, condition)) return one;
  if (expr_is_false(scan->pool, condition)) return two;
  if (one.kind == SYM_WORD && two.kind == SYM_WORD) {
    if (expr_width(scan->pool, one.word) != expr_width(scan->pool, two.word)) return sym_value_opaque();
    return sym_value_word(expr_ite(scan->pool, condition, one.word, two.word));
  }
  return merge_pointers(scan, condition, one, two);
}

// ---- conditions
static ExprRef switch_condition(Frame *frame, const IrInst *end, uint32_t to) {
  ExprPool *pool = frame->scan->pool;
  uint8_t width = symeval_width(ir_ref_type(frame->scan->module, frame->scan->fn, end->ops[0]));
  ExprRef value = frame_word(frame, end->ops[0], width);
  if (!value) return 0;
  ExprRef taken = expr_bool(pool, false), none = expr_bool(pool, true);
  for (uint32_t i = 1; i < end->block_count; i++) {
    ExprRef hit = expr_eq(pool, value, expr_const(pool, width, end->case_values[i - 1]));
    if (end->blocks[i] == to) taken = expr_or(pool, taken, hit);
    none = expr_and(pool, none, expr_not(pool, hit));
  }
  return end->blocks[0] == to ? expr_or(pool, taken, none) : taken;
}

ExprRef frame_edge_condition(Frame *frame, uint32_t from, uint32_t to) {
  ASSERT(frame->view);
  ASSERT(scan_has_block(frame->scan, from));
  ASSERT(scan_has_block(frame->scan, to));
  ExprPool *pool = frame->scan->pool;
  const IrInst *end = ir_terminator(frame->scan->fn, from);
  if (end->op == IR_SWITCH) return switch_condition(frame, end, to);
  if (end->op != IR_CONDBR || end->blocks[0] == end->blocks[1]) return expr_bool(pool, true);
  ExprRef condition = frame_word(frame, end->ops[0], 1);
  if (!condition) return 0;
  return end->blocks[0] == to ? condition : expr_not(pool, condition);
}

typedef struct Region {
  Frame *frame;
  uint32_t from;
  uint32_t count;
  uint32_t blocks[REGION_LIMIT];
  ExprRef conditions[REGION_LIMIT];
  bool is_exact;
} Region;

// Condition of being at `block`, coming from region->from, without back edges.
static ExprRef region_condition(Region *region, uint32_t block) {
  Frame *frame = region->frame;
  const Cfg *cfg = frame->scan->cfg;
  ExprPool *pool = frame->scan->pool;
  if (block == region->from) return expr_bool(pool, true);
  for (uint32_t i = 0; i < region->count; i++)
    if (region->blocks[i] == block) return region->conditions[i];
  if (region->count == REGION_LIMIT || !region->is_exact) {
    region->is_exact = false;
    return expr_bool(pool, true);
  }
  uint32_t slot = region->count++;
  region->blocks[slot] = block;
  region->conditions[slot] = expr_bool(pool, true); // only seen through a cycle, which is no region
  ExprRef any = expr_bool(pool, false);
  uint32_t previous = CFG_NONE;
  for (uint32_t p = cfg->pred_first[block]; p < cfg->pred_first[block + 1]; p++) {
    uint32_t pred = cfg->preds[p];
    if (pred == previous || cfg->rpo_number[pred] == CFG_NONE) continue;
    previous = pred;
    if (cfg_dominates(cfg, block, pred)) continue; // a back edge
    ExprRef before = region_condition(region, pred), edge = frame_edge_condition(frame, pred, block);
    if (!edge) {
      region->is_exact = false;
      return expr_bool(pool, true);
    }
    any = expr_or(pool, any, expr_and(pool, before, edge));
  }
  return region->conditions[slot] = any;
}

// All ways lead there, and none of them round a loop: that is no condition, whatever decides between them.
static bool is_sure(const Region *region, uint32_t to) {
  const Cfg *cfg = region->frame->scan->cfg;
  if (!cfg_post_dominates(cfg, to, region->from)) return false;
  for (uint32_t i = 0; i < region->count; i++)
    if (cfg->loop_of[region->blocks[i]] != cfg->loop_of[to]) return false;
  return cfg->loop_of[region->from] == cfg->loop_of[to];
}

// The condition of getting from region->from to the block that it dominates.
static ExprRef link_condition(Region *region, uint32_t to) {
  ExprRef condition = region_condition(region, to);
  return region->is_exact && is_sure(region, to) ? expr_bool(region->frame->scan->pool, true) : condition;
}

// What was found on the way is kept, unless it met a value that was being computed: the next one may find more.
enum WayKind { WAY_OF_EDGE, WAY_OF_REGION };

static uint64_t way_key(enum WayKind kind, uint32_t from, uint32_t to) {
  ASSERT(from <= INT32_MAX);
  return (uint64_t)from << 33 | (uint64_t)to << 1 | kind;
}

ExprRef frame_region_condition(Frame *frame, uint32_t from, uint32_t to) {
  ASSERT(frame->view);
  ASSERT(scan_has_block(frame->scan, from));
  ASSERT(scan_has_block(frame->scan, to));
  uint64_t key = way_key(WAY_OF_REGION, from, to);
  ExprRef condition = map_get(&frame->ways, key);
  if (condition) return condition;
  uint32_t cycles = frame->cycles;
  Region region = {.frame = frame, .from = from, .is_exact = true};
  condition = link_condition(&region, to);
  if (!region.is_exact) condition = expr_bool(frame->scan->pool, true);
  if (frame->cycles == cycles) map_set(frame->scan->arena, &frame->ways, key, condition);
  return condition;
}

ExprRef frame_exact_condition(Frame *frame, uint32_t from, uint32_t to) {
  ASSERT(frame->view);
  ASSERT(scan_has_block(frame->scan, from));
  ASSERT(scan_has_block(frame->scan, to));
  const Scan *scan = frame->scan;
  ExprRef condition = expr_bool(scan->pool, true);
  for (uint32_t at = to; at != from; at = scan->cfg->idom[at]) {
    if (at == 0 || scan->cfg->idom[at] == CFG_NONE) return 0;
    Region region = {.frame = frame, .from = scan->cfg->idom[at], .is_exact = true};
    ExprRef link = link_condition(&region, at);
    if (!region.is_exact) return 0;
    condition = expr_and(scan->pool, link, condition);
  }
  return condition;
}

ExprRef frame_chain_condition(Frame *frame, uint32_t from, uint32_t to) {
  ASSERT(frame->view);
  ASSERT(scan_has_block(frame->scan, from));
  ASSERT(scan_has_block(frame->scan, to));
  Scan *scan = frame->scan;
  ExprRef condition = expr_bool(scan->pool, true);
  for (uint32_t at = to; at != from && at != 0 && scan->cfg->idom[at] != CFG_NONE; at = scan->cfg->idom[at])
    condition = expr_and(scan->pool, frame_region_condition(frame, scan->cfg->idom[at], at), condition);
  return condition;
}

// ---- phis
// The condition of coming by the edge from where all ways to its end part; 0: not understood.
static ExprRef way_by_edge(Region *region, uint32_t from, uint32_t to) {
  Frame *frame = region->frame;
  ExprRef known = map_get(&frame->ways, way_key(WAY_OF_EDGE, from, to));
  if (known) return known;
  ExprRef before = region_condition(region, from), edge = frame_edge_condition(frame, from, to);
  return region->is_exact && edge ? expr_and(frame->scan->pool, before, edge) : 0;
}

static void keep_ways(Frame *frame, const IrInst *phi, const ExprRef *ways) {
  for (uint32_t i = 0; i < phi->op_count; i++)
    if (ways[i])
      map_set(frame->scan->arena, &frame->ways, way_key(WAY_OF_EDGE, phi->blocks[i], phi->block), ways[i]);
}

static SymValue merge_phi(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  const IrInst *phi = &scan->fn->insts.items[index];
  Region region = {.frame = frame, .from = scan->cfg->idom[phi->block], .is_exact = true};
  SymValue result = sym_value_opaque();
  ExprRef *ways = arena_array(scan->arena, phi->op_count + 1u, ExprRef);
  uint32_t cycles = frame->cycles;
  bool is_first = true;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (scan->cfg->rpo_number[phi->blocks[i]] == CFG_NONE) continue;
    SymValue value = frame_value(frame, phi->ops[i]);
    if (value.kind == SYM_OPAQUE) value = leaf(frame, index); // on this way alone: it was not set, say
    if (value.kind == SYM_OPAQUE) return value;
    ways[i] = way_by_edge(&region, phi->blocks[i], phi->block);
    if (!ways[i]) return leaf(frame, index);
    result = is_first ? value : merge(frame, ways[i], value, result);
    is_first = false;
  }
  if (frame->cycles == cycles) keep_ways(frame, phi, ways);
  return result.kind == SYM_OPAQUE ? leaf(frame, index) : result;
}

// How often the loop goes round; 0: not understood.
static ExprRef rounds_of(Frame *frame, uint32_t loop) {
  LoopCount count = {0};
  if (!nested_count(frame->scan, loop, &count)) return 0;
  SymValue start = frame_value(frame, count.start), bound = frame_value(frame, count.bound);
  if (start.kind != SYM_WORD || bound.kind != SYM_WORD) return 0;
  return nested_rounds(frame->scan->pool, &count, start.word, bound.word);
}

// As often as the loops inside go round.
static ExprRef step_of_nested(Frame *frame, const LoopStep *step, ExprRef term, uint8_t flags) {
  ExprPool *pool = frame->scan->pool;
  uint8_t width = expr_width(pool, term);
  for (uint8_t n = 0; term && n < step->nested_count; n++) {
    ExprRef rounds = rounds_of(frame, step->nested[n]);
    int64_t least = 0, most = INT64_MAX;
    if (rounds) expr_range(pool, rounds, &least, &most);
    bool fits = width == 64 || most <= INT32_MAX;
    term = rounds
               ? expr_binary(pool, EXPR_MUL, fits ? flags : 0, expr_resize_signed(pool, rounds, width), term)
               : 0;
  }
  return term;
}

// What one round adds, in the width of the variable; 0: not understood.
static ExprRef step_of(Frame *frame, const Induction *form, uint8_t width) {
  ExprPool *pool = frame->scan->pool;
  ExprRef sum = 0;
  for (uint32_t i = 0; i < form->step_count; i++) {
    SymValue step = frame_value(frame, form->steps[i].value);
    if (step.kind != SYM_WORD) return 0;
    ExprRef term =
        step_of_nested(frame, &form->steps[i], expr_resize_signed(pool, step.word, width), form->flags);
    if (!term) return 0;
    bool is_alone = form->step_count == 1;
    ExprRef is_made = is_alone ? expr_bool(pool, true) : loops_step_is_made(frame, &form->steps[i]);
    if (!is_made) return 0;
    term = expr_ite(pool, is_made, term, expr_const(pool, width, 0));
    if (form->steps[i].is_negated && !is_alone)
      term = expr_binary(pool, EXPR_SUB, 0, expr_const(pool, width, 0), term);
    sum = sum ? expr_binary(pool, EXPR_ADD, 0, sum, term) : term;
  }
  return sum;
}

static SymValue linear_phi(Frame *frame, const Induction *form, uint32_t index, ExprRef iteration) {
  Scan *scan = frame->scan;
  SymValue start = frame_value(frame, form->start);
  uint8_t width = start.kind == SYM_WORD ? expr_width(scan->pool, start.word) : 64;
  ExprPool *pool = scan->pool;
  ExprRef step = step_of(frame, form, width);
  // The one step that there is may be none: then it all stays as it was.
  ExprRef is_made =
      form->step_count == 1 ? loops_step_is_made(frame, &form->steps[0]) : expr_bool(pool, true);
  if (!step || !is_made) return leaf(frame, index);
  bool is_down = form->step_count == 1 && form->steps[0].is_negated;
  bool may_wrap = !(form->flags & EXPR_NSW) && start.kind == SYM_WORD;
  if (may_wrap && !form->steps[0].merge && loops_stays_in_width(frame, index, step, is_down))
    return sym_value_word(loops_narrow_sum(frame, iteration, start.word, step, is_down));
  ExprRef distance =
      expr_binary(pool, EXPR_MUL, form->flags, expr_resize_signed(pool, iteration, width), step);
  if (start.kind == SYM_WORD) {
    ExprRef moved = expr_binary(pool, is_down ? EXPR_SUB : EXPR_ADD, form->flags, start.word, distance);
    return sym_value_word(expr_ite(pool, is_made, moved, start.word));
  }
  if (start.kind != SYM_POINTER) return leaf(frame, index);
  Target *targets = arena_copy(scan->arena, start.targets, start.target_count * sizeof(Target));
  for (uint32_t i = 0; i < start.target_count; i++) {
    ExprRef moved = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, targets[i].offset, distance);
    targets[i].offset = expr_ite(pool, is_made, moved, targets[i].offset);
  }
  start.targets = targets;
  return start;
}

// Is it left before the number of shifts comes to the width? The program shifts by one bit at a time, as often as it likes.
static bool is_left_in_width(Frame *frame, const Induction *form, uint32_t index, ExprRef start,
                             ExprRef count, int64_t by) {
  ExprPool *pool = frame->scan->pool;
  int64_t lo = 0, hi = 0, least = 0, most = 0;
  expr_range(pool, count, &lo, &hi);
  expr_range(pool, start, &least, &most);
  bool is_exact = (form->flags & (EXPR_NSW | EXPR_NUW)) && (least > 0 || most < 0);
  if ((lo >= 0 && hi < expr_width(pool, start)) || is_exact || by <= 0) return true;
  return least > 0 && loops_ends_below(frame, index, by);
}

// start << (x * c), or nothing, once all bits have gone; promises nothing about wrap that the code does not, but that a loop up to a bound
// ends before the value does.
static SymValue shift_left_phi(Frame *frame, const Induction *form, uint32_t index, ExprRef iteration) {
  Scan *scan = frame->scan;
  int64_t constant = 0;
  SymValue start = frame_value(frame, form->start);
  if (start.kind != SYM_WORD || !ir_const_value(scan->fn, form->step, &constant)) return leaf(frame, index);
  const IrInst *update = &scan->fn->insts.items[form->update];
  if (update->op == IR_MUL) constant = __builtin_ctzll((uint64_t)constant);
  uint8_t width = expr_width(scan->pool, start.word);
  ExprRef count =
      expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(scan->pool, iteration, width),
                  expr_const(scan->pool, width, constant));
  ExprRef value = expr_binary(scan->pool, EXPR_SHL, form->flags, start.word, count);
  if (constant > 0) loops_note_shifts(frame, index, iteration, value, start.word, constant);
  if (is_left_in_width(frame, form, index, start.word, count, constant)) return sym_value_word(value);
  ExprRef is_any = expr_binary(scan->pool, EXPR_ULT, 0, count, expr_const(scan->pool, width, width));
  return sym_value_word(expr_ite(scan->pool, is_any, value, expr_const(scan->pool, width, 0)));
}

// A power of two by its form: 2^a, 2^a << k, and such a thing divided by a power of two (which may leave 0).
static bool is_power_of_two(const ExprPool *pool, ExprRef ref, int depth) {
  const ExprNode *node = expr_node(pool, ref);
  if (node->op == EXPR_CONST) return node->value > 0 && (node->value & (node->value - 1)) == 0;
  if (depth == 0) return false;
  if (node->op == EXPR_MUL || node->op == EXPR_SDIV || node->op == EXPR_UDIV)
    return is_power_of_two(pool, node->a, depth - 1) && is_power_of_two(pool, node->b, depth - 1);
  if (node->op == EXPR_SHL || node->op == EXPR_ASHR || node->op == EXPR_LSHR || node->op == EXPR_SEXT ||
      node->op == EXPR_ZEXT)
    return is_power_of_two(pool, node->a, depth - 1);
  return false;
}

static void add_invariant(Scan *scan, Invariant invariant) {
  if (invariants_say(scan, invariant.condition)) return;
  vec_push(scan->arena, &scan->invariants, invariant);
}

// As long as it is not zero, the halved power of two is one.
static void add_power_invariant(Scan *scan, ExprRef value) {
  ExprPool *pool = scan->pool;
  for (uint32_t i = 0; invariants_tell_of(scan, value) && i < scan->invariants.count; i++)
    if (scan->invariants.items[i].leaf == value && scan->invariants.items[i].when_not_zero) return;
  ExprNode node = *expr_node(pool, value);
  uint8_t width = node.width;
  ExprRef exponent;
  if (node.op == EXPR_APP) {
    uint32_t func = expr_new_func(
        pool, (ExprFunc){.name = "exponent", .width = width, .kind = SYM_UNKNOWN, .hi = width - 2});
    exponent = expr_app(pool, func, node.arg_count, node.args);
  } else {
    uint8_t owner = expr_sym_info(pool, (uint32_t)node.value)->owner;
    exponent = expr_new_sym(
        pool,
        (ExprSym){.name = "exponent", .width = width, .owner = owner, .kind = SYM_UNKNOWN, .hi = width - 2});
  }
  ExprRef power = expr_binary(pool, EXPR_SHL, 0, expr_const(pool, width, 1), exponent);
  add_invariant(scan,
                (Invariant){.leaf = value, .condition = expr_eq(pool, value, power), .when_not_zero = true});
}

static void add_halving_invariant(Frame *frame, ExprRef value, ExprRef start) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  uint8_t width = expr_width(pool, value);
  if (width != expr_width(pool, start)) return;
  ExprRef zero = expr_const(pool, width, 0);
  ExprRef between = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, zero, value),
                             expr_binary(pool, EXPR_SLE, 0, value, start));
  ExprRef holds = expr_or(pool, expr_binary(pool, EXPR_SLT, 0, start, zero), between);
  add_invariant(scan, (Invariant){.leaf = value, .condition = holds});
  if (width >= 8 && is_power_of_two(pool, start, 6)) add_power_invariant(scan, value);
}

// value == start >> (x * c) for start >= 0: exact, so that a model cannot choose steps that never come. A
// round before the first (kernelscan/ways/rounds.c asks for x - 1) is no round: nothing is said of it.
static void add_halving_form(Frame *frame, const Induction *form, ExprRef value, ExprRef start,
                             ExprRef iteration) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  int64_t constant = 0;
  uint8_t width = expr_width(pool, value);
  if (width != expr_width(pool, start) || width < 32 || !ir_const_value(scan->fn, form->step, &constant))
    return;
  IrOp op = (IrOp)scan->fn->insts.items[form->update].op;
  bool is_division = op == IR_SDIV || op == IR_UDIV;
  if (is_division && (constant <= 0 || (constant & (constant - 1)) != 0)) return;
  int64_t bits = is_division ? __builtin_ctzll((uint64_t)constant) : constant;
  ExprRef count = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(scan->pool, iteration, width),
                              expr_const(pool, width, bits));
  ExprRef limit = expr_const(pool, width, width), zero = expr_const(pool, width, 0);
  ExprRef shifted = expr_eq(pool, value, expr_binary(pool, EXPR_ASHR, 0, start, count));
  ExprRef early = expr_and(pool, expr_binary(pool, EXPR_SLT, 0, count, limit), shifted);
  ExprRef late = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, limit, count), expr_eq(pool, value, zero));
  ExprRef is_round =
      expr_binary(pool, EXPR_SLE, 0, expr_const(pool, expr_width(pool, iteration), 0), iteration);
  ExprRef free = expr_or(pool, expr_not(pool, is_round), expr_binary(pool, EXPR_SLT, 0, start, zero));
  ExprRef holds = expr_or(pool, free, expr_or(pool, early, late));
  add_invariant(scan, (Invariant){.leaf = value, .condition = holds, .is_lazy = true});
}

// A number in a round that is a number; 0: else.
static ExprRef halved_number(const Frame *frame, const Induction *form, ExprRef start, ExprRef iteration) {
  Scan *scan = frame->scan;
  int64_t number = 0, rounds = 0, constant = 0;
  if (!expr_is_const(scan->pool, start, &number) || !expr_is_const(scan->pool, iteration, &rounds) ||
      !ir_const_value(scan->fn, form->step, &constant) || number < 0 || rounds < 0 || constant < 1)
    return 0;
  IrOp op = (IrOp)scan->fn->insts.items[form->update].op;
  bool is_division = op == IR_SDIV || op == IR_UDIV;
  for (; rounds > 0 && number > 0; rounds--)
    number = is_division ? number / constant : constant < 63 ? number >> constant : 0;
  return expr_const(scan->pool, expr_width(scan->pool, start), number);
}

static SymValue halving_phi(Frame *frame, const Induction *form, uint32_t index, ExprRef iteration) {
  SymValue start = frame_value(frame, form->start);
  if (start.kind != SYM_WORD) return leaf(frame, index);
  ExprRef number = halved_number(frame, form, start.word, iteration);
  if (number) return sym_value_word(number);
  SymValue value = frame_leaf(frame, index, start.word);
  if (value.kind != SYM_WORD) return value;
  add_halving_form(frame, form, value.word, start.word, iteration);
  add_halving_invariant(frame, value.word, start.word);
  return value;
}

static SymValue mirror_value(Frame *frame, const Induction *form, SymValue start) {
  Scan *scan = frame->scan;
  SymValue other = frame_value(frame, form->step);
  if (start.kind != SYM_WORD || other.kind != SYM_WORD) return sym_value_opaque();
  const IrInst *update = ir_inst(scan->fn, form->mirror);
  if (update->op == IR_XOR)
    return sym_value_word(expr_binary(scan->pool, EXPR_XOR, 0, start.word, other.word));
  return sym_value_word(expr_binary(scan->pool, EXPR_SUB, form->flags, other.word, start.word));
}

static SymValue periodic_phi(Frame *frame, const Induction *form, uint32_t index, ExprRef iteration) {
  Scan *scan = frame->scan;
  ExprRef turn = expr_binary(scan->pool, EXPR_SREM, 0, iteration, expr_const(scan->pool, 32, form->period));
  SymValue result = sym_value_opaque();
  for (uint32_t n = form->period; n > 0; n--) {
    SymValue value =
        form->mirror ? frame_value(frame, form->starts[0]) : frame_value(frame, form->starts[n - 1]);
    if (form->mirror && n == 2) value = mirror_value(frame, form, value);
    if (value.kind == SYM_OPAQUE) return leaf(frame, index);
    ExprRef is_turn = expr_eq(scan->pool, turn, expr_const(scan->pool, 32, n - 1));
    result = n == form->period ? value : merge(frame, is_turn, value, result);
  }
  return result;
}

// The value that came round the back edge, read one iteration earlier.
static SymValue stepped_phi(Frame *frame, uint32_t loop, uint32_t index) {
  Scan *scan = frame->scan;
  const IrInst *phi = &scan->fn->insts.items[index];
  IrRef next = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (!cfg_loop_contains(scan->cfg, loop, phi->blocks[i])) continue;
    if (next && next != phi->ops[i]) return leaf(frame, index);
    next = phi->ops[i];
  }
  if (!next) return leaf(frame, index);
  SymValue value = frame_value(frame_earlier(frame, loop), next);
  return value.kind == SYM_OPAQUE ? leaf(frame, index) : value;
}

// In the first iteration a header phi is what comes in from outside.
static SymValue first_phi(Frame *frame, uint32_t loop, uint32_t index) {
  Scan *scan = frame->scan;
  const IrInst *phi = &scan->fn->insts.items[index];
  IrRef start = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (cfg_loop_contains(scan->cfg, loop, phi->blocks[i]) ||
        scan->cfg->rpo_number[phi->blocks[i]] == CFG_NONE)
      continue;
    if (start && start != phi->ops[i]) return leaf(frame, index);
    start = phi->ops[i];
  }
  SymValue value = start ? frame_value(frame, start) : sym_value_opaque();
  return value.kind == SYM_OPAQUE ? leaf(frame, index) : value;
}

enum { HEAVY_MERGE = 200 };

// More nodes than are left?
static bool is_heavy(const ExprPool *pool, ExprRef ref, int *left) {
  if (!ref) return false;
  if (--*left < 0) return true;
  const ExprNode *node = expr_node(pool, ref);
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (is_heavy(pool, node->args[i], left)) return true;
  return is_heavy(pool, node->a, left) || is_heavy(pool, node->b, left) || is_heavy(pool, node->c, left);
}

// Is it not seen which of the values that meet there it is, or by conditions that nobody could use?
static bool is_obscure_merge(Frame *frame, IrRef ref, SymValue value) {
  const IrInst *phi = ir_inst(frame->scan->fn, ref);
  int left = HEAVY_MERGE;
  if (!phi || phi->op != IR_PHI || value.kind != SYM_WORD) return false;
  SymValue unknown = leaf(frame, ir_ref_index(ref));
  return (unknown.kind == SYM_WORD && unknown.word == value.word) ||
         is_heavy(frame->scan->pool, value.word, &left);
}

// A variable that lags behind what the body computes (`last = j`): the start value in the first iteration,
// else what came round at the end of the one before. One step is enough where that value does not come from
// the variable itself.
static SymValue lagging_phi(Frame *frame, uint32_t loop, uint32_t index, ExprRef iteration) {
  Scan *scan = frame->scan;
  const IrInst *phi = &scan->fn->insts.items[index];
  bool is_number = phi->type.kind == IR_INT || phi->type.kind == IR_PTR;
  if (!is_number || frame->is_shifted) return web_phi(frame, loop, index);
  IrRef next = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (!cfg_loop_contains(scan->cfg, loop, phi->blocks[i])) continue;
    if (next && next != phi->ops[i]) return web_phi(frame, loop, index);
    next = phi->ops[i];
  }
  SymValue start = first_phi(frame, loop, index);
  if (!next || start.kind == SYM_OPAQUE) return web_phi(frame, loop, index);
  ExprRef one = expr_const(scan->pool, 32, 1);
  ExprRef before = expr_binary(scan->pool, EXPR_SUB, EXPR_NSW, iteration, one);
  Frame *shifted = frame_of_round(frame, loop, before);
  SymValue value = frame_value(shifted, next), handed_on;
  if (is_obscure_merge(shifted, next, value) && web_find(frame, loop, index, &handed_on)) return handed_on;
  SymValue merged = merge(frame, expr_eq(scan->pool, iteration, expr_const(scan->pool, 32, 0)), start, value);
  return merged.kind == SYM_OPAQUE ? leaf(frame, index) : merged;
}

static SymValue header_phi(Frame *frame, uint32_t loop, uint32_t index) {
  Scan *scan = frame->scan;
  const Induction *form = loops_induction(scan, index);
  ExprRef iteration = frame_iteration(frame, loop);
  int64_t number = -1;
  if (expr_is_const(scan->pool, iteration, &number) && number == 0) return first_phi(frame, loop, index);
  switch (form->kind) {
  case INDUCTION_LINEAR: return linear_phi(frame, form, index, iteration);
  case INDUCTION_SHIFT_LEFT: return shift_left_phi(frame, form, index, iteration);
  case INDUCTION_PERIODIC: return periodic_phi(frame, form, index, iteration);
  case INDUCTION_CYCLE: {
    uint8_t width = symeval_width(scan->fn->insts.items[index].type);
    return sym_value_word(cycles_value(scan, form, iteration, width));
  }
  case INDUCTION_HALVING:
    if (!frame->before[loop]) return halving_phi(frame, form, index, iteration);
    break;
  case INDUCTION_NONE: break;
  }
  if (frame->before[loop]) return stepped_phi(frame, loop, index);
  return lagging_phi(frame, loop, index, iteration);
}

static SymValue merged_value(Frame *frame, uint32_t index) {
  const IrInst *phi = &frame->scan->fn->insts.items[index];
  uint32_t loop = frame->scan->cfg->loop_of[phi->block];
  if (loop != CFG_NONE && frame->scan->cfg->loops.items[loop].header == phi->block)
    return header_phi(frame, loop, index);
  if (!frame->scan->cfg->is_reducible) return leaf(frame, index);
  return merge_phi(frame, index);
}

static SymValue phi_value(Frame *frame, uint32_t index) {
  SymValue value = merged_value(frame, index);
  bool is_pointer = frame->scan->fn->insts.items[index].type.kind == IR_PTR;
  return is_pointer && value.kind != SYM_POINTER ? unknown_offset_pointer(frame, index, value) : value;
}

// ---- memory

// What is kept of a scan.
typedef struct Kept {
  LoadFuncs functions;
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, eval, Kept);
}

const LoadFuncs *load_functions(const Scan *scan) {
  return &kept_of(scan)->functions;
}

static uint32_t load_func(Scan *scan, uint32_t object, uint8_t width, bool has_key, bool is_float) {
  uint32_t tag = width | (has_key ? 256u : 0u);
  LoadFuncs *functions = &kept_of(scan)->functions;
  for (uint32_t i = 0; i < functions->count; i++)
    if (functions->items[i].object == object && functions->items[i].bits == tag)
      return functions->items[i].func;
  const char *name = arena_printf(scan->arena, "%s[]", scan->objects.items[object].name);
  uint32_t func = expr_new_func(
      scan->pool, (ExprFunc){.name = name, .width = width, .kind = SYM_MEMORY, .is_float = is_float});
  vec_push(scan->arena, functions, (LoadFunc){object, tag, func});
  return func;
}

static SymValue load_from(Frame *frame, uint32_t index, const Target *target) {
  Scan *scan = frame->scan;
  const IrInst *load = &scan->fn->insts.items[index];
  int64_t offset = 0;
  const Obj *object = &scan->objects.items[target->object];
  if (object->kind == OBJ_PARAM && expr_is_const(scan->pool, target->offset, &offset)) {
    SymValue piece = object_param_piece(scan, object->index, offset, load->type);
    if (piece.kind != SYM_OPAQUE) return piece;
  }
  if (load->type.kind == IR_PTR && (object->kind == OBJ_LOCAL || object->kind == OBJ_SHARED))
    return stored_pointer(frame, index, target);
  bool is_pointer = load->type.kind == IR_PTR;
  bool is_kept =
      is_pointer ? object_keeps_pointers(scan, target->object) : object_is_readonly(scan, target->object);
  if (load->order != IR_ORDER_PLAIN || !is_kept) return sym_value_opaque();
  if (is_pointer) {
    TableKind table = table_kind(scan, target->object);
    if (table != TABLE_NONE) return table == TABLE_KNOWN ? table_pointer(scan, target) : sym_value_opaque();
    uint32_t pointee = object_find(scan, OBJ_LOADED, target->object, object->name);
    scan->objects.items[pointee].slot_object = target->object;
    if (target->key) return sym_value_opaque(); // pointers to pointers to pointers
    return table_held(scan, target, (Target){0, pointee, target->offset, expr_const(scan->pool, 64, 0)});
  }
  uint8_t width = symeval_width(load->type);
  if (!width) return sym_value_opaque();
  bool is_float = load->type.kind == IR_FLOAT;
  ExprRef number = is_float || load->type.bits >= 8 ? table_word(scan, target, load->type.bytes) : 0;
  for (const ValueFacts *const *s = scan->start.suppliers; is_float && !number && s && *s; s++)
    if ((*s)->number) number = (*s)->number(scan, target, load->type.bytes);
  if (number) return sym_value_word(number);
  ExprRef args[2] = {target->offset, target->key};
  ExprRef value = expr_app(scan->pool, load_func(scan, target->object, width, target->key != 0, is_float),
                           target->key ? 2 : 1, args);
  for (const ValueFacts *const *s = scan->start.suppliers; s && *s; s++)
    if ((*s)->note_read) (*s)->note_read(frame, index, target, value);
  return sym_value_word(value);
}

static SymValue load_value(Frame *frame, uint32_t index) {
  const IrInst *load = &frame->scan->fn->insts.items[index];
  SymValue address = frame_value(frame, load->ops[0]);
  if (address.kind != SYM_POINTER) return leaf(frame, index);
  SymValue result = sym_value_opaque();
  for (uint32_t i = address.target_count; i > 0; i--) {
    const Target *target = &address.targets[i - 1];
    if (frame->scan->objects.items[target->object].kind == OBJ_NULL) continue;
    SymValue value = load_from(frame, index, target);
    if (value.kind == SYM_OPAQUE) return leaf(frame, index);
    bool is_first = result.kind == SYM_OPAQUE;
    result = is_first || !target->condition ? value : merge(frame, target->condition, value, result);
  }
  return result.kind == SYM_OPAQUE ? leaf(frame, index) : result;
}

// ---- instructions
static SymValue sreg_value(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  int64_t sreg = scan->fn->insts.items[index].imm;
  const LaunchContext *launch = scan->launch;
  ExprRef word = 0;
  if (sreg >= IR_SREG_TID_X && sreg <= IR_SREG_TID_Z) word = frame->view->thread_idx[sreg - IR_SREG_TID_X];
  if (sreg >= IR_SREG_NTID_X && sreg <= IR_SREG_NTID_Z) word = launch->block[sreg - IR_SREG_NTID_X];
  if (sreg >= IR_SREG_CTAID_X && sreg <= IR_SREG_CTAID_Z)
    word = frame->view->block_idx[sreg - IR_SREG_CTAID_X];
  if (sreg >= IR_SREG_NCTAID_X && sreg <= IR_SREG_NCTAID_Z) word = launch->grid[sreg - IR_SREG_NCTAID_X];
  if (sreg >= IR_SREG_CLUSTER_NCTAID_X && sreg <= IR_SREG_CLUSTER_NCTAID_Z)
    word = launch->cluster[sreg - IR_SREG_CLUSTER_NCTAID_X]; // 0: not known
  if (sreg == IR_SREG_WARPSIZE) word = expr_const(scan->pool, 32, 32);
  if (sreg == IR_SREG_LANEID) word = frame->view->lane;
  if (sreg == IR_SREG_ELECTED) word = frame->view->elected;
  return word ? sym_value_word(word) : leaf(frame, index);
}

static SymValue ptradd_value(Frame *frame, const IrInst *inst) {
  Scan *scan = frame->scan;
  SymValue base = frame_value(frame, inst->ops[0]);
  ExprRef offset = frame_word(frame, inst->ops[1], 64);
  if (base.kind != SYM_POINTER || !offset) return sym_value_opaque();
  Target *targets = arena_copy(scan->arena, base.targets, base.target_count * sizeof(Target));
  for (uint32_t i = 0; i < base.target_count; i++)
    targets[i].offset = expr_binary(scan->pool, EXPR_ADD, EXPR_ADDRESS, targets[i].offset, offset);
  base.targets = targets;
  return base;
}

static SymValue select_value(Frame *frame, uint32_t index) {
  const IrInst *inst = &frame->scan->fn->insts.items[index];
  ExprRef condition = frame_word(frame, inst->ops[0], 1);
  if (!condition) return leaf(frame, index);
  SymValue merged =
      merge(frame, condition, frame_value(frame, inst->ops[1]), frame_value(frame, inst->ops[2]));
  return merged.kind == SYM_OPAQUE ? leaf(frame, index) : merged;
}

static bool is_pointer(const Scan *scan, IrRef ref) {
  return ir_ref_type(scan->module, scan->fn, ref).kind == IR_PTR;
}

enum { FEW_OPERANDS = 4 };

static SymValue pure_value(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  if (ir_is_mapa(inst)) {
    SymValue remote = clusters_mapped(frame, inst);
    if (remote.kind == SYM_POINTER) return remote;
    return inst->type.kind == IR_PTR ? remote : leaf(frame, index);
  }
  ExprRef few[FEW_OPERANDS] = {0}, *operands = inst->op_count <= FEW_OPERANDS
                                                   ? few
                                                   : arena_array(scan->arena, inst->op_count, ExprRef);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    SymValue value = frame_value(frame, inst->ops[i]);
    if (value.kind == SYM_POINTER && !is_pointer(scan, inst->ops[i])) { // a number made from a pointer
      SymValue result = inst->op == IR_ICMP ? address_compare(frame, inst) : address_arith(frame, inst);
      if (result.kind != SYM_OPAQUE) return result;
      value = leaf(frame, ir_ref_index(inst->ops[i]));
    }
    if (value.kind != SYM_WORD) return leaf(frame, index);
    operands[i] = value.word;
  }
  ExprRef word = symeval_inst(scan->pool, scan->module, scan->fn, inst, operands);
  return word ? sym_value_word(word) : leaf(frame, index);
}

// From a pointer to a number of its width and back: still that pointer.
static bool keeps_pointer(const Scan *scan, const IrInst *inst) {
  if (inst->op == IR_BITCAST) return is_pointer(scan, inst->ops[0]) || inst->type.kind == IR_PTR;
  if (inst->op == IR_PTRTOINT) return inst->type.bits == 64;
  return inst->op == IR_INTTOPTR && ir_ref_type(scan->module, scan->fn, inst->ops[0]).bits == 64;
}

static SymValue cast_value(Frame *frame, uint32_t index) {
  const IrInst *inst = &frame->scan->fn->insts.items[index];
  if (!keeps_pointer(frame->scan, inst)) return pure_value(frame, index);
  SymValue value = frame_value(frame, inst->ops[0]);
  if (inst->op == IR_BITCAST || value.kind == SYM_POINTER) return value;
  return pure_value(frame, index);
}

static SymValue supplied_value(Frame *frame, uint32_t index) {
  for (const ValueFacts *const *s = frame->scan->start.suppliers; s && *s; s++) {
    SymValue value = {.kind = SYM_NONE};
    if ((*s)->value) value = (*s)->value(frame, index);
    if (value.kind != SYM_NONE) return value;
  }
  return (SymValue){.kind = SYM_NONE};
}

static SymValue inst_value(Frame *frame, uint32_t index) {
  const IrInst *inst = &frame->scan->fn->insts.items[index];
  SymValue supplied = supplied_value(frame, index);
  if (supplied.kind != SYM_NONE) return supplied;
  switch (ir_op_class((IrOp)inst->op)) {
  case IR_CLASS_COMPARE:
    if (inst->op == IR_ICMP && is_pointer(frame->scan, inst->ops[0])) {
      SymValue value = address_compare(frame, inst);
      return value.kind == SYM_OPAQUE ? leaf(frame, index) : value;
    }
    return pure_value(frame, index);
  case IR_CLASS_ARITH: return pure_value(frame, index);
  case IR_CLASS_CAST: return cast_value(frame, index);
  case IR_CLASS_VALUE:
    if (inst->op == IR_PHI) return phi_value(frame, index);
    if (inst->op == IR_SELECT) return select_value(frame, index);
    if (inst->op == IR_PTRADD) return ptradd_value(frame, inst);
    if (inst->op == IR_SREG) return sreg_value(frame, index);
    if (inst->op == IR_PURE) return pure_value(frame, index);
    return leaf(frame, index);
  case IR_CLASS_MEMORY:
    if (inst->op == IR_LOAD) return load_value(frame, index);
    if (ir_inst_is(inst, IR_ATOMIC)) return leaf(frame, index);
    if (inst->op == IR_ALLOCA) {
      Target *target = arena_new(frame->scan->arena, Target);
      *target = (Target){0, object_find(frame->scan, OBJ_LOCAL, index, inst->name), 0,
                         expr_const(frame->scan->pool, 64, 0)};
      return (SymValue){.kind = SYM_POINTER, .target_count = 1, .targets = target};
    }
    return leaf(frame, index);
  case IR_CLASS_CALL: {
    SymValue value = leaf(frame, index);
    if (scan_text(frame->scan)->private_calls[index] && value.kind == SYM_WORD)
      unknown_offset_note(frame->scan, value.word);
    return value;
  }
  case IR_CLASS_SYNC:
  case IR_CLASS_TERM: return leaf(frame, index);
  }
  return leaf(frame, index);
}

static SymValue const_value(Scan *scan, const IrConst *constant) {
  if (constant->type.kind == IR_PTR && !constant->is_undef && constant->bits == 0) {
    Target *target = arena_new(scan->arena, Target);
    *target = (Target){0, object_find(scan, OBJ_NULL, 0, "a null pointer"), 0, expr_const(scan->pool, 64, 0)};
    return (SymValue){.kind = SYM_POINTER, .target_count = 1, .targets = target};
  }
  return sym_value_word(symeval_const(scan->pool, constant));
}

// What is kept of an instruction: a word, or places in objects.
static bool is_of_scan(const Scan *scan, const SymValue *value) {
  if (value->kind == SYM_WORD) return scan_has_expr(scan, value->word);
  for (uint32_t i = 0; value->kind == SYM_POINTER && i < value->target_count; i++) {
    const Target *target = &value->targets[i];
    if (!scan_has_object(scan, target->object) || !scan_has_word(scan, target->offset, 64)) return false;
    if (target->condition && !scan_has_word(scan, target->condition, 1)) return false;
  }
  return value->kind != SYM_NONE;
}

SymValue frame_value(Frame *frame, IrRef ref) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(frame->scan, ref));
  Scan *scan = frame->scan;
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_CONST: return const_value(scan, &scan->fn->consts.items[index]);
  case IR_REF_PARAM: return object_of_param(scan, index);
  case IR_REF_GLOBAL: return object_of_global(scan, index);
  case IR_REF_FUNC:
  case IR_REF_NONE: return sym_value_opaque();
  case IR_REF_INST: break;
  }
  FramePage *page = frame_page(frame, index);
  SymValue *known = &page->values[index % FRAME_PAGE];
  const uint32_t open = 1u << index % FRAME_PAGE;
  if (known->kind != SYM_NONE) return *known;
  if (page->open & open) { // a cycle without a form
    frame->cycles++;
    return leaf(frame, index);
  }
  page->open |= open;
  SymValue value = inst_value(frame, index);
  page->open &= ~open;
  for (const ValueFacts *const *s = frame->scan->start.suppliers; value.kind == SYM_WORD && s && *s; s++)
    if ((*s)->note_word) (*s)->note_word(frame, index, value.word);
  ASSERT(is_of_scan(frame->scan, &value));
  return *known = value;
}

ExprRef frame_word(Frame *frame, IrRef ref, uint8_t width) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(frame->scan, ref));
  ASSERT(expr_is_width(width));
  SymValue value = frame_value(frame, ref);
  if (value.kind != SYM_WORD || expr_width(frame->scan->pool, value.word) != width) return 0;
  return value.word;
}
