// Which barrier object does a thread use, if not all threads of its block use one? `bar[threadIdx.x / 64]`,
// one for each tile of a block: an object set up for as many arrivals as a tile has threads. Method: the
// number of arrivals that all of them are set up for, N, gives the tiles, thread numbers divided by N; the
// solver is asked whether two threads of one block come to one object just if they are of one tile, at all
// places where it is used. Then what arrivals.c says of the block holds of each tile by itself: only its
// threads arrive there, each once in a phase. Waits have to be come to by all threads of a tile alike, so
// that they are one point. Soundness: objects that change from round to round are not followed here
// (phases.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/barrier/barrier.h"
#include "kernelscan/interval.h"
#include "kernelscan/kernel.h"
#include "kernelscan/operations.h"

typedef struct Tiles {
  Scan *scan;
  View *views[2]; // two threads of one block
  Frame *frames[2];
  ExprRef is_one_tile;
} Tiles;

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

static void make_views(Tiles *tiles, Scan *scan) {
  ExprRef block_idx[3] = {0};
  tiles->scan = scan;
  for (int t = 0; t < 2; t++) {
    tiles->views[t] = view_make(scan, EXTENT_INTRA_BLOCK, t ? OWNER_THREAD2 : OWNER_THREAD1, block_idx);
    tiles->frames[t] = frame_make(scan, tiles->views[t], NULL, NULL);
  }
}

static bool never(Tiles *tiles, ExprRef condition, const char *name) {
  Scan *scan = tiles->scan;
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONFLICT, 0);
  for (int t = 0; t < 2; t++)
    goal_add_view(scan, &goal, tiles->views[t]);
  goal_add_launch(scan, &goal);
  return goal.is_false || goal_satisfiable(scan, &goal, name).verdict == VERDICT_SAFE;
}

static ExprRef offset_of(Tiles *tiles, int thread, uint32_t inst) {
  SymValue address = frame_value(tiles->frames[thread], inst_at(tiles->scan, inst)->ops[0]);
  bool is_known = address.kind == SYM_POINTER && address.target_count == 1 && !address.targets[0].condition;
  return is_known ? address.targets[0].offset : 0;
}

bool arrivals_is_set_up_by(Scan *scan, uint32_t init, uint32_t use) {
  ASSERT(scan_has_inst(scan, init));
  ASSERT(scan_has_inst(scan, use));
  Tiles tiles;
  make_views(&tiles, scan);
  ExprRef one = offset_of(&tiles, 0, init), other = offset_of(&tiles, 1, use);
  if (!one || !other) return true;
  ExprRef there = meeting_block_condition(tiles.frames[0], inst_at(scan, init)->block),
          used = meeting_block_condition(tiles.frames[1], inst_at(scan, use)->block);
  ExprRef both = expr_and(scan->pool, there, used);
  return !never(&tiles, expr_and(scan->pool, both, expr_eq(scan->pool, one, other)),
                "the barrier object that is used is set up");
}

static bool is_set_up(const IrInst *inst) {
  return (inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_INIT) ||
         (inst->op == IR_PIPELINE && inst->imm == IR_PIPELINE_INIT);
}

static bool is_use(const IrInst *inst) {
  return !is_set_up(inst) && !(inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_INVALIDATE);
}

// The one number of threads that all objects are for; 0: not known.
static int64_t threads_of_tile(Tiles *tiles, const uint32_t *uses, uint32_t count) {
  Scan *scan = tiles->scan;
  int64_t threads = 0, found = 0;
  for (uint32_t i = 0; i < count; i++) {
    const IrInst *inst = inst_at(scan, uses[i]);
    if (!is_set_up(inst)) continue;
    uint32_t at = inst->op == IR_MBARRIER ? 1 : 3;
    if (at >= inst->op_count) return 0;
    ExprRef number = frame_word(tiles->frames[0], inst->ops[at], 32);
    if (!number || !expr_is_const(scan->pool, number, &found) || found < 1 || found > 1024) return 0;
    if (threads && found != threads) return 0;
    threads = found;
  }
  return threads;
}

static void divide(Tiles *tiles, int64_t threads) {
  ExprPool *pool = tiles->scan->pool;
  ExprRef by = expr_const(pool, 32, threads);
  tiles->is_one_tile = expr_eq(pool, expr_binary(pool, EXPR_SDIV, 0, tiles->views[0]->linear, by),
                               expr_binary(pool, EXPR_SDIV, 0, tiles->views[1]->linear, by));
}

// Two threads come to one object, at any two places, just if they are of one tile.
static bool is_one_object_each(Tiles *tiles, const uint32_t *uses, uint32_t count) {
  ExprPool *pool = tiles->scan->pool;
  ExprRef first = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_use(inst_at(tiles->scan, uses[i]))) continue;
    ExprRef one = offset_of(tiles, 0, uses[i]), other = offset_of(tiles, 1, uses[i]);
    if (!one || !other) return false;
    if (!first) first = one;
    ExprRef is_one = expr_eq(pool, first, other);
    ExprRef differs = expr_or(pool, expr_and(pool, is_one, expr_not(pool, tiles->is_one_tile)),
                              expr_and(pool, tiles->is_one_tile, expr_not(pool, is_one)));
    if (!never(tiles, differs, "a barrier object for each tile")) return false;
  }
  return first != 0;
}

static bool is_taken_together(Tiles *tiles, uint32_t branch) {
  Scan *scan = tiles->scan;
  const IrInst *end = ir_terminator(scan->fn, branch);
  if (end->op == IR_BR || uniform_ref(scan, end->ops[0])) return true;
  ExprRef one = end->op == IR_CONDBR ? frame_truth(tiles->frames[0], end->ops[0]) : 0,
          other = end->op == IR_CONDBR ? frame_truth(tiles->frames[1], end->ops[0]) : 0;
  if (!one || !other || scan->cfg->loop_of[branch] != CFG_NONE) return false;
  ExprRef parts = expr_and(scan->pool, tiles->is_one_tile, expr_ne(scan->pool, one, other));
  return never(tiles, parts, "a branch between the threads of a tile");
}

// All threads of a tile take the same way at each branch that decides whether the wait is come to.
static bool is_reached_together(Tiles *tiles, uint32_t wait) {
  Scan *scan = tiles->scan;
  const Cfg *cfg = scan->cfg;
  for (uint32_t l = cfg->loop_of[inst_at(scan, wait)->block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    if (scan->alike.exits_diverge[l]) return false;
  CfgEdges deps = cfg_all_control_deps(cfg, inst_at(scan, wait)->block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++)
    if (!is_taken_together(tiles, deps.items[d].from)) return false;
  return true;
}

uint32_t arrivals_find_tiles(Scan *scan, const uint32_t *uses, uint32_t count) {
  Tiles tiles;
  make_views(&tiles, scan);
  int64_t threads = threads_of_tile(&tiles, uses, count);
  if (!threads) return 0;
  divide(&tiles, threads);
  if (!is_one_object_each(&tiles, uses, count)) return 0;
  for (uint32_t i = 0; i < count; i++)
    if (operation_is_wait(inst_at(scan, uses[i])) && !is_reached_together(&tiles, uses[i])) return 0;
  return (uint32_t)threads;
}

bool arrivals_add_tile_point(Scan *scan, uint32_t wait, uint32_t threads) {
  ASSERT(scan_has_inst(scan, wait));
  bool is_of_block = threads > 32 || 32 % threads != 0;
  Point point = {.inst = wait,
                 .node = scan_node_behind(scan, wait),
                 .block = inst_at(scan, wait)->block,
                 .scope = is_of_block ? IR_SCOPE_BLOCK : IR_SCOPE_WARP};
  if (threads != 32) {
    point.cover =
        scan_add_cover(scan, (Cover){.kind = COVER_TILE, .value = threads, .is_of_block = is_of_block});
    if (!point.cover) return false;
  }
  vec_push(scan->arena, &scan->points, point);
  return true;
}
