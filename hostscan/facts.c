// Which conditions hold whenever a launch happens? The five classes of the HGRD paper (section 4), each
// with its place.
// Method: up the dominator tree from the launch, and from the call in each caller. A condition counts if
// its branch edge dominates (not its block); where only several edges together lead on, their disjunction.
// Calls that dominate give what holds after them: sizes of allocations, assumes, and the facts at the end
// of a callee with a body. For loops that are over, also what held when the last iteration but one ended.
// In the end only facts that share symbols with the launch, directly or through others, are kept.
// Soundness: every fact holds at each launch from this chain, given that asserts hold (A3), and that a
// product that is the size of an allocation has positive factors (A6). Dropping facts is always sound.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/internal.h"

#include <string.h>

const char *host_text(const ExprPool *pool, Arena *arena, ExprRef ref) {
  StrBuf text = {.arena = arena};
  expr_print(pool, ref, true, &text);
  return strbuf_text(&text);
}

typedef struct Candidate {
  Fact fact;
  // About a loop that is over: speaks of the launch only if the launch has values of that loop. NULL: not so.
  const HostFrame *frame;
  uint32_t loop;
} Candidate;

typedef struct Collector {
  HostScan *scan;
  VEC(Candidate) facts;
  HostMap seen; // conditions
  uint32_t depth;
  const HostFrame *over_frame; // for candidates that are added
  uint32_t over_loop;
} Collector;

static void add_fact(Collector *c, ExprRef condition, FactClass class, SrcLoc loc) {
  condition = host_settle(c->scan, condition);
  ExprNode node = *expr_node(c->scan->pool, condition);
  if (expr_is_true(c->scan->pool, condition)) return;
  if (node.op == EXPR_AND) {
    add_fact(c, node.a, class, loc);
    add_fact(c, node.b, class, loc);
    return;
  }
  HostKey key = {{condition}};
  if (host_map_get(&c->seen, key)) return;
  host_map_put(&c->seen, key, 1);
  Fact fact = {.condition = condition, .class = class, .loc = loc};
  vec_push(c->scan->arena, &c->facts, (Candidate){fact, c->over_frame, c->over_loop});
}

// ---- sizes --------------------------------------------------------------------------------------
static void add_positive(Collector *c, ExprRef ref, SrcLoc loc) {
  ExprRef zero = expr_const(c->scan->pool, expr_width(c->scan->pool, ref), 0);
  add_fact(c, expr_binary(c->scan->pool, EXPR_SLT, 0, zero, ref), FACT_ALLOCATION, loc);
}

// A positive product has positive factors (A6); of a zero-extended word only "not zero" is known.
static void add_positive_factors(Collector *c, ExprRef size, SrcLoc loc) {
  ExprNode node = *expr_node(c->scan->pool, size);
  if (node.op == EXPR_CONST) return;
  if (node.op == EXPR_MUL) {
    add_positive_factors(c, node.a, loc);
    add_positive_factors(c, node.b, loc);
  } else if (node.op == EXPR_SEXT) {
    add_positive_factors(c, node.a, loc);
  } else if (node.op == EXPR_ZEXT) {
    ExprRef zero = expr_const(c->scan->pool, expr_width(c->scan->pool, node.a), 0);
    add_fact(c, expr_ne(c->scan->pool, node.a, zero), FACT_ALLOCATION, loc);
  } else {
    add_positive(c, size, loc);
  }
}

static void add_size(Collector *c, ExprRef size, SrcLoc loc) {
  if (size) add_positive_factors(c, host_settle(c->scan, size), loc);
}

static void add_allocation(Collector *c, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  SrcLoc loc = host_loc(c->scan, frame, &frame->function->ir->insts.items[inst]);
  uint32_t object = host_allocation(c->scan, frame, inst);
  if (kind == CALL_ALLOCATE) {
    add_size(c, c->scan->objects.items[object].size_bytes, loc);
    return;
  }
  HostPitch made = host_pitch(c->scan, frame, inst);
  add_size(c, made.width, loc);
  add_size(c, made.height, loc);
  add_size(c, made.depth, loc);
}

// ---- instructions -------------------------------------------------------------------------------
static void collect_up(Collector *c, HostFrame *frame, uint32_t inst);

enum { CALLEE_DEPTH = 6 };

static void add_callee(Collector *c, HostFrame *frame, uint32_t inst) {
  if (c->depth >= CALLEE_DEPTH) return;
  HostFrame *child = host_frame_child(c->scan, frame, inst);
  if (!child || child->function->returns.count != 1) return;
  const IrFunction *ir = child->function->ir;
  const IrInst *ret = ir_terminator(ir, child->function->returns.items[0]);
  c->depth++;
  collect_up(c, child, (uint32_t)(ret - ir->insts.items));
  c->depth--;
}

static void add_instruction(Collector *c, HostFrame *frame, uint32_t index) {
  const IrInst *inst = &frame->function->ir->insts.items[index];
  HostCallKind kind = host_call(c->scan, inst, NULL)->kind;
  if (kind == CALL_DEFINED)
    add_callee(c, frame, index);
  else if (kind == CALL_ASSUME && inst->op_count > 0)
    add_fact(c, host_value(c->scan, frame, inst->ops[0]), FACT_ASSERT, host_loc(c->scan, frame, inst));
  else if (kind != CALL_ASSUME)
    add_allocation(c, frame, index, kind);
}

static void add_block(Collector *c, HostFrame *frame, uint32_t block, uint32_t limit) {
  const HostFunction *function = frame->function;
  for (uint32_t i = function->fact_first[block]; i < function->fact_first[block + 1]; i++)
    if (function->facts[i] < limit) add_instruction(c, frame, function->facts[i]);
}

// ---- edges --------------------------------------------------------------------------------------
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

// Does every way to `block` pass an edge from `from` to `to`? Several equal edges (cases of a switch)
// count together.
static bool edges_dominate(const Cfg *cfg, uint32_t from, uint32_t to, uint32_t block) {
  if (!cfg_dominates(cfg, to, block)) return false;
  for (uint32_t e = cfg->pred_first[to]; e < cfg->pred_first[to + 1]; e++) {
    uint32_t pred = cfg->preds[e];
    if (pred != from && cfg->rpo_number[pred] != CFG_NONE && !cfg_dominates(cfg, to, pred)) return false;
  }
  return from != to;
}

// The condition under which control went from `above`, its immediate dominator, to `block`; 0 if nothing
// is known.
static ExprRef step_condition(HostScan *scan, HostFrame *frame, uint32_t above, uint32_t block) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t first = cfg->succ_first[above], end = cfg->succ_first[above + 1];
  if (end - first < 2) return 0;
  for (uint32_t e = first; e < end; e++)
    if (edges_dominate(cfg, above, cfg->succs[e], block))
      return host_edge_condition(scan, frame, above, cfg->succs[e]);
  if (cfg_post_dominates(cfg, block, above)) return 0;
  return host_reach_condition(scan, frame, above, block);
}

// ---- loops that are over ------------------------------------------------------------------------

// What had to hold to go round once more held at iteration k - 1, if there was one.
static void add_last_round(Collector *c, HostFrame *frame, uint32_t loop) {
  HostScan *scan = c->scan;
  const Cfg *cfg = frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[loop];
  ExprRef count = frame->loops[loop].count;
  if (!count || info->latches.count != 1) return;
  uint8_t width = expr_width(scan->pool, count);
  ExprRef before = expr_binary(scan->pool, EXPR_ADD, EXPR_NSW, count, expr_const(scan->pool, width, -1));
  ExprRef is_first = expr_eq(scan->pool, count, expr_const(scan->pool, width, 0));
  for (uint32_t at = info->latches.items[0]; at != info->header; at = cfg->idom[at]) {
    uint32_t above = cfg->idom[at];
    ExprRef condition = step_condition(scan, frame, above, at);
    if (!condition) continue;
    condition = host_settle(scan, condition);
    if (!host_depends_only_on_count(scan, condition, frame, loop)) continue;
    condition = host_at_iteration(scan, condition, count, before);
    add_fact(c, expr_or(scan->pool, is_first, condition), FACT_LOOP, branch_loc(scan, frame, above));
  }
}

// The outermost loop around `above` that is over at `below`.
static uint32_t finished_loop(const Cfg *cfg, uint32_t above, uint32_t below) {
  uint32_t found = CFG_NONE, loop = cfg->loop_of[above];
  for (; loop != CFG_NONE && !cfg_loop_contains(cfg, loop, below); loop = cfg->loops.items[loop].parent)
    found = loop;
  return found;
}

static void add_finished_loops(Collector *c, HostFrame *frame, uint32_t above, uint32_t below) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t loop = cfg->loop_of[above];
  for (; loop != CFG_NONE && !cfg_loop_contains(cfg, loop, below); loop = cfg->loops.items[loop].parent)
    add_last_round(c, frame, loop);
}

// ---- the way up ---------------------------------------------------------------------------------
static void collect_up(Collector *c, HostFrame *frame, uint32_t inst) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t block = frame->function->ir->insts.items[inst].block;
  if (cfg->rpo_number[block] == CFG_NONE) return;
  uint32_t start = block;
  add_block(c, frame, block, inst);
  while (cfg->idom[block] != block) {
    uint32_t above = cfg->idom[block], over = finished_loop(cfg, above, start);
    c->over_frame = over == CFG_NONE ? NULL : frame;
    c->over_loop = over;
    ExprRef condition = step_condition(c->scan, frame, above, block);
    if (condition) add_fact(c, condition, class_of_branch(frame, above), branch_loc(c->scan, frame, above));
    add_finished_loops(c, frame, above, block);
    c->over_frame = NULL;
    add_block(c, frame, above, UINT32_MAX);
    block = above;
  }
}

// ---- relevance ----------------------------------------------------------------------------------
typedef struct Marks {
  const HostScan *scan;
  uint8_t *marked;
  uint32_t count;
  // Of the last expression looked at:
  const Candidate *candidate;
  bool any; // has a marked symbol (of the loop of the candidate)
  uint32_t syms;
} Marks;

static void mark_sym(void *context, uint32_t sym) {
  Marks *marks = context;
  if (sym < marks->count) marks->marked[sym] = 1;
}

static void test_sym(void *context, uint32_t sym) {
  Marks *marks = context;
  const Candidate *candidate = marks->candidate;
  marks->syms++;
  if (sym >= marks->count || !marks->marked[sym]) return;
  marks->any |= !candidate->frame || host_sym_varies(marks->scan, sym, candidate->frame, candidate->loop);
}

static void mark(const ExprPool *pool, Marks *marks, ExprRef ref) {
  if (ref) expr_each_sym(pool, ref, mark_sym, marks);
}

static void mark_launch(const ExprPool *pool, Marks *marks, const LaunchContext *launch) {
  for (uint32_t i = 0; i < 3; i++) {
    mark(pool, marks, launch->grid[i]);
    mark(pool, marks, launch->block[i]);
  }
  mark(pool, marks, launch->shared_bytes);
  for (uint32_t i = 1; i < launch->objects.count; i++)
    mark(pool, marks, launch->objects.items[i].size_bytes);
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      mark(pool, marks, piece->word);
      for (uint32_t t = 0; t < piece->target_count; t++) {
        mark(pool, marks, piece->targets[t].condition);
        mark(pool, marks, piece->targets[t].offset);
      }
    }
}

static bool is_relevant(const ExprPool *pool, Marks *marks, const Candidate *candidate) {
  marks->candidate = candidate;
  marks->any = false;
  marks->syms = 0;
  expr_each_sym(pool, candidate->fact.condition, test_sym, marks);
  return marks->any || marks->syms == 0; // without symbols: a contradiction
}

static void keep_relevant(Collector *c, LaunchContext *launch) {
  HostScan *scan = c->scan;
  Marks marks = {.scan = scan, .count = expr_sym_count(scan->pool)};
  marks.marked = arena_array(scan->arena, marks.count + 1u, uint8_t);
  uint8_t *kept = arena_array(scan->arena, c->facts.count + 1u, uint8_t);
  mark_launch(scan->pool, &marks, launch);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < c->facts.count; i++) {
      if (kept[i] || !is_relevant(scan->pool, &marks, &c->facts.items[i])) continue;
      kept[i] = changed = true;
      mark(scan->pool, &marks, c->facts.items[i].fact.condition);
    }
  }
  for (uint32_t i = c->facts.count; i-- > 0;) { // they were found from the launch upwards
    if (!kept[i]) continue;
    Fact fact = c->facts.items[i].fact;
    fact.text = host_text(scan->pool, scan->arena, fact.condition);
    vec_push(scan->arena, &launch->facts, fact);
  }
}

void host_facts_collect(HostScan *scan, HostFrame *frame, uint32_t inst, LaunchContext *launch) {
  Collector collector = {.scan = scan, .seen = {.arena = scan->arena}};
  for (; frame; inst = frame->call, frame = frame->parent)
    collect_up(&collector, frame, inst);
  for (uint32_t i = 0; i < scan->side_facts.count; i++)
    add_fact(&collector, scan->side_facts.items[i].condition, scan->side_facts.items[i].class,
             scan->side_facts.items[i].loc);
  keep_relevant(&collector, launch);
}

// ---- the machine --------------------------------------------------------------------------------
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
}

void host_facts_hardware(ExprPool *pool, Arena *arena, LaunchContext *launch, uint32_t max_threads) {
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
