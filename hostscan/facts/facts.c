// Which conditions hold whenever a launch happens? The five classes of the HGRD paper (section 4), each
// with its place.
// Method: up the dominator tree from the launch, and from the call in each caller. A condition counts if
// its branch edge dominates (not its block); where only several edges together lead on, their disjunction.
// Calls that dominate give what holds after them: sizes of allocations, assumes, and the facts at the end
// of a callee with a body. For loops that are over, also what held when the last iteration but one ended.
// In the end only facts that share symbols with the launch, directly or through others, are kept.
// Soundness: every fact holds at each launch from this chain, given that asserts hold (A3), and that a
// product that is the size of an allocation, or that a launch covers, has positive factors (A6). Dropping facts is always sound.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts/facts.h"
#include "core/bug.h"
#include "core/finding.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// ---- instructions
static void collect_up(HostScan *scan, HostFrame *frame, uint32_t inst, IndexList *out);

static void append(HostScan *scan, IndexList *to, const IndexList *from) {
  for (uint32_t i = 0; i < from->count; i++)
    vec_push(scan->arena, to, from->items[i]);
}

// What is known after a call of a function with a body.
static void add_callee(const HostFactPlace *c, uint32_t inst) {
  HostFunction *callee = NULL;
  (void)host_call(c->scan, &c->frame->function->ir->insts.items[inst], &callee);
  if (host_is_library(callee->ir->display)) return; // about its own inside
  HostFrame *child = host_frame_child(c->scan, c->frame, inst);
  if (!child || child->function->returns.count != 1) return;
  const IrFunction *ir = child->function->ir;
  const IrInst *ret = ir_terminator(ir, child->function->returns.items[0]);
  collect_up(c->scan, child, (uint32_t)(ret - ir->insts.items), c->list);
}

static void add_sizes(const HostFactPlace *c, uint32_t index, SrcLoc loc) {
  HostConditions said = {0};
  host_sizes_say(c->scan, c->frame, index, &said);
  for (uint32_t i = 0; i < said.count; i++)
    host_fact_add(c, said.items[i], FACT_ALLOCATION, loc);
}

// That an access was in its array is no check of the program's.
static FactClass class_of_assume(const IrInst *inst) {
  return strcmp(inst->name, "__hgrd_in_array") == 0 ? FACT_RELATION : FACT_ASSERT;
}

static void add_instruction(const HostFactPlace *c, uint32_t index) {
  const IrInst *inst = &c->frame->function->ir->insts.items[index];
  HostCallKind kind = inst->op == IR_CALL ? host_call(c->scan, inst, NULL)->kind : CALL_QUIET;
  SrcLoc loc = host_loc(c->scan, c->frame, inst);
  if (kind == CALL_DEFINED)
    add_callee(c, index);
  else if (kind != CALL_ASSUME)
    add_sizes(c, index, loc);
  else if (inst->op_count > 0)
    host_fact_add(c, host_value(c->scan, c->frame, inst->ops[0]), class_of_assume(inst), loc);
}

// Facts are made once for each (frame, place) and listed for every launch below. A place is an instruction,
// or (behind them) the step into a block.
static IndexList *list_at(HostScan *scan, HostFrame *frame, uint32_t place, bool *is_new) {
  const IrFunction *ir = frame->function->ir;
  if (!frame->fact_lists)
    frame->fact_lists = arena_array(scan->arena, ir->insts.count + ir->blocks.count, IndexList *);
  IndexList **list = &frame->fact_lists[place];
  *is_new = !*list;
  if (!*list) *list = arena_new(scan->arena, IndexList);
  return *list;
}

const IndexList *host_facts_of_call(HostScan *scan, HostFrame *frame, uint32_t inst) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  bool is_new = false;
  IndexList *list = list_at(scan, frame, inst, &is_new);
  HostFactPlace place = {scan, list, frame, CFG_NONE, CFG_NONE};
  if (is_new) add_instruction(&place, inst);
  return list;
}

uint32_t host_facts_limit(const HostFrame *frame, uint32_t block, uint32_t next) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, block));
  const HostFunction *function = frame->function;
  HostCallEnd end = {CFG_NONE, CFG_NONE};
  bool may_throw = host_way_of_call(function->ir, block, &end) &&
                   !host_edges_dominate(function->cfg, block, end.normal, next);
  return may_throw ? end.call : UINT32_MAX; // an exception of it may have led there
}

static void list_block(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t limit, IndexList *out) {
  const HostFunction *function = frame->function;
  for (uint32_t i = function->fact_first[block + 1]; i-- > function->fact_first[block];)
    if (function->facts[i] < limit) append(scan, out, host_facts_of_call(scan, frame, function->facts[i]));
}

// ---- edges
static bool stops(const IrFunction *ir, uint32_t block) {
  return ir_terminator(ir, block)->op == IR_UNREACHABLE;
}

static FactClass class_of_branch(const HostFrame *frame, uint32_t block) {
  const Cfg *cfg = frame->function->cfg;
  const IrInst *last = ir_terminator(frame->function->ir, block);
  for (uint32_t loop = cfg->loop_of[block]; loop != CFG_NONE; loop = cfg->loops.items[loop].parent) {
    bool stays = false, leaves = false;
    for (uint32_t i = 0; i < last->block_count; i++) {
      bool inside = cfg_loop_contains(cfg, loop, last->blocks[i]);
      stays |= inside;
      leaves |= !inside && !stops(frame->function->ir, last->blocks[i]);
    }
    if (stays && leaves) return FACT_LOOP;
  }
  return FACT_ASSERT;
}

// The place of a branch is that of its condition: the branch itself may have none, or that of a whole
// statement.
static SrcLoc branch_loc(HostScan *scan, const HostFrame *frame, uint32_t block) {
  const IrInst *last = ir_terminator(frame->function->ir, block);
  const IrInst *condition = last->op_count ? ir_inst(frame->function->ir, last->ops[0]) : NULL;
  bool has_place = ir_loc(scan->module, last->loc)->line != 0;
  return host_loc(scan, frame, has_place || !condition ? last : condition);
}

// The condition under which control went from `above`, its immediate dominator, to `block`; 0 if nothing
// is known.
static ExprRef step_condition(HostScan *scan, HostFrame *frame, uint32_t above, uint32_t block) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t first = cfg->succ_first[above], end = cfg->succ_first[above + 1];
  if (end - first < 2) return 0;
  for (uint32_t e = first; e < end; e++)
    if (host_edges_dominate(cfg, above, cfg->succs[e], block))
      return host_edge_condition(scan, frame, above, cfg->succs[e]);
  if (cfg_post_dominates(cfg, block, above) && !host_leaves_loop(cfg, above, block)) return 0;
  return host_reach_condition(scan, frame, above, block);
}

// ---- loops that are over

// What had to hold to go round once more held at iteration k - 1, if there was one.
static void add_last_round(HostFactPlace place, uint32_t loop) {
  HostScan *scan = place.scan;
  HostFrame *frame = place.frame;
  const Cfg *cfg = frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[loop];
  ExprRef count = frame->loops[loop].count;
  if (!count || info->latches.count != 1) return;
  uint8_t width = expr_width(scan->pool, count);
  ExprRef before = expr_binary(scan->pool, EXPR_ADD, EXPR_NSW, count, expr_const(scan->pool, width, -1));
  ExprRef is_first = expr_eq(scan->pool, count, expr_const(scan->pool, width, 0));
  place.loop = loop;
  for (uint32_t at = info->latches.items[0]; at != info->header; at = cfg->idom[at]) {
    uint32_t above = cfg->idom[at];
    ExprRef condition = step_condition(scan, frame, above, at);
    if (!condition) continue;
    condition = host_settle(scan, condition);
    if (!host_depends_only_on_count(scan, condition, frame, loop)) continue;
    condition = host_at_iteration(scan, condition, count, before);
    host_fact_add(&place, expr_or(scan->pool, is_first, condition), FACT_LOOP,
                  branch_loc(scan, frame, above));
  }
}

// ---- loops that go on
// Does whoever goes round take one and the same edge of the header?
static bool has_one_way_on(const Cfg *cfg, uint32_t loop) {
  uint32_t header = cfg->loops.items[loop].header, inside = 0;
  for (uint32_t e = cfg->succ_first[header]; e < cfg->succ_first[header + 1]; e++)
    inside += cfg_loop_contains(cfg, loop, cfg->succs[e]);
  return inside == 1;
}

// `for (; at != end; ++at)`: each round has begun with another number than the end. So where the way to the end was a multiple of
// the step, and not negative, the end is still ahead.
static void add_end_ahead(const HostFactPlace *place, uint32_t loop, ExprRef condition, SrcLoc loc) {
  HostScan *scan = place->scan;
  ExprPool *pool = scan->pool;
  ExprRef count = place->frame->loops[loop].count, start = 0, zero = expr_const(pool, 64, 0);
  ExprNode differ = *expr_node(pool, host_settle(scan, condition));
  ExprNode same = differ.op == EXPR_NOT ? *expr_node(pool, differ.a) : differ;
  int64_t stride = 0;
  if (!count || differ.op != EXPR_NOT || same.op != EXPR_EQ || expr_width(pool, same.a) < 32) return;
  ExprRef way = expr_binary(pool, EXPR_SUB, EXPR_NSW, expr_resize_signed(pool, same.b, 64),
                            expr_resize_signed(pool, same.a, 64));
  way = host_gather(scan, way);
  if (!host_split_affine(scan, way, count, &start, &stride)) return;
  if (stride > 0) {
    way = host_gather(scan, expr_binary(pool, EXPR_SUB, EXPR_NSW, zero, way));
    start = host_gather(scan, expr_binary(pool, EXPR_SUB, EXPR_NSW, zero, start));
    stride = -stride;
  }
  uint64_t modulus = 0, rest = 0, step = (uint64_t)-stride;
  host_residue(scan, start, &modulus, &rest);
  if (step > INT32_MAX || modulus % step || rest % step || host_varies_in(scan, start, place->frame, loop))
    return;
  ExprRef is_behind = expr_binary(pool, EXPR_SLT, 0, start, zero);
  host_fact_add(place, expr_or(pool, is_behind, expr_binary(pool, EXPR_SLT, 0, zero, way)), FACT_LOOP, loc);
}

// ---- the way up
const IndexList *host_facts_of_step(HostScan *scan, HostFrame *frame, uint32_t block) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, block));
  const Cfg *cfg = frame->function->cfg;
  uint32_t above = cfg->idom[block];
  bool is_new = false;
  IndexList *list = list_at(scan, frame, frame->function->ir->insts.count + block, &is_new);
  if (is_new) {
    HostFactPlace place = {scan, list, frame, above, CFG_NONE};
    ExprRef condition = step_condition(scan, frame, above, block);
    uint32_t loop = cfg->loop_of[above];
    if (condition) {
      SrcLoc loc = branch_loc(scan, frame, above);
      host_fact_add(&place, condition, class_of_branch(frame, above), loc);
      if (loop != CFG_NONE && cfg->loops.items[loop].header == above && cfg_loop_contains(cfg, loop, block) &&
          has_one_way_on(cfg, loop))
        add_end_ahead(&place, loop, condition, loc);
    }
    for (; loop != CFG_NONE && !cfg_loop_contains(cfg, loop, block); loop = cfg->loops.items[loop].parent)
      add_last_round(place, loop);
  }
  return list;
}

static void collect_up(HostScan *scan, HostFrame *frame, uint32_t inst, IndexList *out) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t block = frame->function->ir->insts.items[inst].block;
  if (cfg->rpo_number[block] == CFG_NONE) return;
  frame->seen_from = block;
  list_block(scan, frame, block, inst, out);
  for (; cfg->idom[block] != block; block = cfg->idom[block]) {
    append(scan, out, host_facts_of_step(scan, frame, block));
    uint32_t above = cfg->idom[block];
    list_block(scan, frame, above, host_facts_limit(frame, above, block), out);
  }
}

// A call through a pointer came to this frame only if the pointer was this one.
const IndexList *host_facts_of_frame(HostScan *scan, HostFrame *frame) {
  ASSERT(frame->function);
  if (!frame->condition_facts) {
    frame->condition_facts = arena_new(scan->arena, IndexList);
    HostFactPlace place = {scan, frame->condition_facts, frame->parent, CFG_NONE, CFG_NONE};
    const IrInst *call = &frame->parent->function->ir->insts.items[frame->call];
    host_fact_add(&place, frame->condition, FACT_ASSERT, host_loc(scan, frame->parent, call));
  }
  return frame->condition_facts;
}

void host_facts_at(HostScan *scan, HostFrame *frame, uint32_t inst, IndexList *out) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  uint32_t seen_from = frame->seen_from;
  collect_up(scan, frame, inst, out);
  frame->seen_from = seen_from;
}

// ---- the machine
static void add_launch_fact(ExprPool *pool, Arena *arena, LaunchContext *launch, ExprRef condition,
                            Fact fact) {
  if (expr_is_true(pool, condition)) return;
  fact.condition = condition;
  if (!fact.text) fact.text = host_text(pool, arena, condition);
  vec_push(arena, &launch->facts, fact);
}

static void limit_dimension(ExprPool *pool, Arena *arena, LaunchContext *launch, bool is_grid,
                            uint32_t axis) {
  static const int64_t most_grid[3] = {INT32_MAX, 65535, 65535}, most_block[3] = {1024, 1024, 64};
  ExprRef dim = is_grid ? launch->grid[axis] : launch->block[axis];
  const char *name = arena_printf(arena, "%s.%c", is_grid ? "gridDim" : "blockDim", "xyz"[axis]);
  int64_t most = is_grid ? most_grid[axis] : most_block[axis];
  Fact set = {.class = FACT_LAUNCH, .loc = launch->loc}, limit = {.class = FACT_HARDWARE};
  set.text = arena_printf(arena, "%s = %s > 0", name, host_text(pool, arena, dim));
  limit.text = arena_printf(arena, "%s <= %lld", name, (long long)most);
  ExprRef one = expr_const(pool, 32, 1), top = expr_const(pool, 32, most);
  add_launch_fact(pool, arena, launch, expr_binary(pool, EXPR_SLE, 0, one, dim), set);
  add_launch_fact(pool, arena, launch, expr_binary(pool, EXPR_SLE, 0, dim, top), limit);
  HostConditions said = {0};
  host_sizes_say_count(pool, arena, dim, &said);
  for (uint32_t i = 0; i < said.count; i++)
    add_launch_fact(pool, arena, launch, said.items[i], (Fact){.class = FACT_ALLOCATION, .loc = launch->loc});
}

void host_facts_hardware(ExprPool *pool, Arena *arena, LaunchContext *launch, uint32_t max_threads) {
  ASSERT(launch);
  for (uint32_t axis = 0; axis < 3; axis++)
    limit_dimension(pool, arena, launch, true, axis);
  for (uint32_t axis = 0; axis < 3; axis++)
    limit_dimension(pool, arena, launch, false, axis);
  ExprRef threads = expr_binary(pool, EXPR_MUL, EXPR_NSW, launch->block[0], launch->block[1]);
  threads = expr_binary(pool, EXPR_MUL, EXPR_NSW, threads, launch->block[2]);
  Fact limit = {.class = FACT_HARDWARE, .text = "blockDim.x * blockDim.y * blockDim.z <= 1024"};
  ExprRef most = expr_const(pool, 32, 1024);
  add_launch_fact(pool, arena, launch, expr_binary(pool, EXPR_SLE, 0, threads, most), limit);
  if (!max_threads) return;
  Fact bounds = {.class = FACT_LAUNCH, .loc = launch->loc};
  bounds.text = arena_printf(arena, "__launch_bounds__(%u)", max_threads);
  most = expr_const(pool, 32, max_threads);
  add_launch_fact(pool, arena, launch, expr_binary(pool, EXPR_SLE, 0, threads, most), bounds);
}
