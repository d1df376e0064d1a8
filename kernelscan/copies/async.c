// How long does an asynchronous copy go on? It accesses memory at every point from its issue to the wait that
// covers it, barriers or not. Method: for each copy, depth-first search over control flow from its issue,
// with the number of groups that were committed after it and the rounds of loops gone through since, up to a
// wait that leaves fewer groups under way. The barriers met on the way are those at which the copy is still
// going on (carried_over), the accesses met are those that the same thread makes meanwhile (checked here).
// Counts of stages that go through variables are folded to intervals, joined where ways meet (Cousot and
// Cousot, "Abstract interpretation", POPL 1977), given up where they grow. Soundness: ways are
// over-approximated, so a copy that is not carried over a barrier is done before it; where a wait may or may
// not cover the copy, the copy goes on, but is no witness of a race.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/async_walk.h"
#include "kernelscan/barrier.h"
#include "kernelscan/kernel.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/phases.h"
#include "kernelscan/ways.h"

enum {
  GROUP_LIMIT = 15, // as many newer groups, or more
  GROUP_OPEN = 16,  // not committed yet
  GROUP_STATES = 17,
  STAGE_STATES = 10, // waits for the oldest stage that are still to come, as far as that is known, + 1
  ROUND_LIMIT = CARRIED_ROUNDS, // as many rounds, or more
  TURN_STATES = CARRIED_ROUNDS + 1,
  SAME_DEPTH = 8
};
// What is kept of a scan.
typedef struct Kept {
  VEC(Carried) meanwhile; // `point` is an access, which the copying thread may make while the copy goes on
  uint32_t questions;     // async_own.c
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, async, Kept);
}

// ---- the walk
// Which loop around the copy was gone round, and how often.
static void read_cross(const Walk *walk, uint32_t cross, uint32_t *loop, uint32_t *rounds) {
  *loop = cross ? walk->chain[(cross - 1) / ROUND_LIMIT] : CFG_NONE;
  *rounds = cross ? (cross - 1) % ROUND_LIMIT + 1 : 0;
}

static uint32_t cross_edge(const Walk *walk, uint32_t cross, uint32_t from, uint32_t to) {
  const Cfg *cfg = walk->scan->cfg;
  for (uint32_t i = 0; i < walk->chain_count; i++) {
    if (cfg->loops.items[walk->chain[i]].header != to || !cfg_loop_contains(cfg, walk->chain[i], from))
      continue;
    uint32_t at = cross ? (cross - 1) / ROUND_LIMIT : CHAIN_LIMIT;
    if (i < at) return 1 + i * ROUND_LIMIT;
    if (i > at) return cross;
    return (cross - 1) % ROUND_LIMIT + 1 < ROUND_LIMIT ? cross + 1 : cross;
  }
  return cross;
}

// The outermost loop around the block that is not around the copy.
static uint32_t entered_at(const Walk *walk, uint32_t block) {
  const Scan *scan = walk->scan;
  uint32_t entered = CFG_NONE, copy = scan->fn->insts.items[walk->copy->inst].block;
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    if (!cfg_loop_contains(scan->cfg, l, copy)) entered = l;
  return entered;
}

static uint32_t turns_after(const Walk *walk, const AsyncState *state, uint32_t to) {
  uint32_t entered = entered_at(walk, to);
  if (entered == CFG_NONE || entered != entered_at(walk, state->block)) return 0;
  bool goes_round = walk->scan->cfg->loops.items[entered].header == to;
  return goes_round && state->turns < CARRIED_ROUNDS ? state->turns + 1 : state->turns;
}

static bool is_in_counted(const Walk *walk, uint32_t block) {
  return walk->counted != CFG_NONE && cfg_loop_contains(walk->scan->cfg, walk->counted, block);
}

// Known until a loop around the copy is gone round.
static uint32_t left_after(const Walk *walk, const AsyncState *state, uint32_t to) {
  const Cfg *cfg = walk->scan->cfg;
  if (is_in_counted(walk, to)) return 0;
  if (is_in_counted(walk, state->block)) return state->turns + 1;
  for (uint32_t i = 0; i < walk->chain_count; i++)
    if (cfg->loops.items[walk->chain[i]].header == to) return 0;
  return state->left;
}

typedef enum Covering { COVERS_NOT, COVERS_PERHAPS, COVERS } Covering;

static Covering wait_covers(const Walk *walk, const IrInst *wait, uint32_t group) {
  const IrInst *copy = &walk->scan->fn->insts.items[walk->copy->inst];
  if (group == GROUP_OPEN || copy_is_bulk(wait) != copy_is_bulk(copy)) return COVERS_NOT;
  if ((wait->flags & IR_FLAG_SOURCES) && walk->copy->kind != ACCESS_READ) return COVERS_NOT;
  Fold left = {FOLD_NUMBER, wait->imm, wait->imm};
  if (wait->op_count > 0) left = stage_number_of(walk->scan, walk->folds, wait->ops[0]);
  if (left.state != FOLD_NUMBER || left.low < 0) return COVERS_PERHAPS;
  if (left.low > GROUP_LIMIT)
    return group == GROUP_LIMIT && left.low != ALL_LEFT ? COVERS_PERHAPS : COVERS_NOT;
  if (group < (uint64_t)left.low) return COVERS_NOT;
  return group >= (uint64_t)left.high ? COVERS : COVERS_PERHAPS;
}

// A stage that is committed behind others is done when these have been waited for, and then it itself: as
// many of them as there can be.
static uint32_t waits_to_come(const Walk *walk, const IrInst *commit) {
  if (!commit->op_count) return 0;
  Fold before = stage_number_of(walk->scan, walk->folds, commit->ops[0]);
  bool is_known = before.state == FOLD_NUMBER && before.low >= 0 && before.high + 2 < STAGE_STATES;
  return is_known ? (uint32_t)before.high + 1 : 0;
}

// The copy is behind a wait. Where the number of groups that it leaves may be one or another, the wait for
// the oldest stage is one of those that are to come for the stage of the copy.
static Covering passes_wait(const Walk *walk, const IrInst *wait, AsyncState *state) {
  Covering covering = wait_covers(walk, wait, state->group);
  if (!state->stage || covering == COVERS) return covering;
  if (!(wait->flags & IR_FLAG_OLDEST)) {
    if (!copy_is_bulk(wait)) state->stage = 0; // another number of stages is under way now
    return covering;
  }
  bool waits_for_nothing = !wait->op_count && wait->imm == ALL_LEFT;
  if (waits_for_nothing || !walk->has_one_pipeline) return covering;
  return --state->stage == 0 && covering != COVERS_NOT ? COVERS : covering;
}

static bool is_same(const Carried *a, const Carried *b) {
  return a->copy == b->copy && a->point == b->point && a->loop == b->loop && a->rounds == b->rounds &&
         a->turns == b->turns && a->left == b->left && a->left_turns == b->left_turns &&
         a->is_unseen == b->is_unseen;
}

static Carried describe(const Walk *walk, const AsyncState *state) {
  Carried found = {.copy = walk->copy,
                   .is_uncertain = state->is_uncertain,
                   .turns = state->turns,
                   .is_unseen = walk->is_write};
  found.entered = entered_at(walk, state->block);
  if (state->left) {
    found.left = walk->counted + 1;
    found.left_turns = state->left - 1;
  }
  read_cross(walk, state->cross, &found.loop, &found.rounds);
  return found;
}

static void note(Walk *walk, uint32_t inst, const AsyncState *state) {
  Scan *scan = walk->scan;
  CarriedOver *over = carried_over(scan);
  Carried found = describe(walk, state);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->inst != inst) continue;
    found.point = p;
    for (uint32_t i = 0; i < over->points.count; i++) {
      Carried *old = &over->points.items[i];
      if (!is_same(old, &found)) continue;
      old->is_uncertain &= found.is_uncertain;
      return;
    }
    vec_push(scan->arena, &over->points, found);
  }
}

// Where the thread arrives at a barrier object and the copy is still going on.
static void note_arrival(Walk *walk, uint32_t inst, const AsyncState *state) {
  Scan *scan = walk->scan;
  CarriedOver *over = carried_over(scan);
  Carried found = describe(walk, state);
  found.point = inst;
  found.left = found.left_turns = 0;
  for (uint32_t i = 0; i < over->arrivals.count; i++)
    if (is_same(&over->arrivals.items[i], &found)) return;
  vec_push(scan->arena, &over->arrivals, found);
}

static void note_own(Walk *walk, uint32_t inst, const AsyncState *state) {
  Scan *scan = walk->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->inst != inst || (access->kind == ACCESS_READ && walk->copy->kind == ACCESS_READ)) continue;
    if (walk->is_write && !proxies_is_bulk(scan, access)) continue;
    Carried found = describe(walk, state);
    found.point = a;
    if (!walk->is_write && !state->is_uncertain) vec_push(scan->arena, &kept_of(scan)->meanwhile, found);
    bool is_known = false;
    for (uint32_t i = 0; i < walk->own.count; i++) {
      Carried *old = &walk->own.items[i];
      if (!is_same(old, &found)) continue;
      old->is_uncertain &= found.is_uncertain;
      is_known = true;
    }
    if (!is_known) vec_push(walk->scratch, &walk->own, found);
  }
}

static void push(Walk *walk, AsyncState state) {
  uint64_t key = ((uint64_t)state.block * (1 + walk->chain_count * ROUND_LIMIT) + state.cross) * TURN_STATES +
                 state.turns;
  key = ((key * GROUP_STATES + state.group) * TIE_STATES + (uint32_t)state.tie) * STAGE_STATES + state.stage;
  key = (key * CHOSEN_STATES + state.chosen.now) * CHOSEN_STATES + state.chosen.before;
  key = (key * ELSEWHERE_STATES + state.chosen.elsewhere) * (TURN_STATES + 1) + state.left;
  key = key * 2 + state.is_uncertain;
  if (map_is_new(walk->scratch, &walk->seen, key)) vec_push(walk->scratch, &walk->stack, state);
}

static bool is_commit(const Walk *walk, const IrInst *inst) {
  const IrInst *copy = &walk->scan->fn->insts.items[walk->copy->inst];
  return inst->op == IR_ASYNCCOMMIT && copy_is_bulk(inst) == copy_is_bulk(copy) &&
         !operation_completes_on_object(walk->scan, copy);
}

// Barrier objects that are not followed, and shared pipelines, may wait for the copy.
static bool may_wait(const Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  const Meet *meet = arrivals_meet_of(scan, index);
  bool is_object =
      inst->op == IR_MBARRIER ||
      (inst->op == IR_PIPELINE && (inst->imm == IR_PIPELINE_WAIT || inst->imm == IR_PIPELINE_ACQUIRE));
  if (is_object) return !meet || meet->state != MEET_WHOLE;
  return ir_op_class((IrOp)inst->op) == IR_CLASS_CALL;
}

static bool may_wait_in_array(const Walk *walk, uint32_t index) {
  const Meet *meet = walk->array ? arrivals_meet_of(walk->scan, index) : NULL;
  return meet && meet->object == walk->array && operation_is_wait(&walk->scan->fn->insts.items[index]);
}

// A commit takes the thread's copies so far into the stage, whose wait they are done behind.
static bool passes_pipeline(const Scan *scan, const IrInst *inst, const IrInst *copy, AsyncState *state) {
  const Meets *meets = arrivals_all(scan);
  for (uint32_t i = 0; i < meets->count; i++)
    if (meets->items[i].object != meets->items[0].object) return false; // which one it is has to be plain
  if (copy_is_bulk(copy) || operation_completes_on_object(scan, copy)) return false;
  if (inst->imm == IR_PIPELINE_COMMIT && state->tie == TIE_NONE) state->tie = TIE_ARRIVED;
  return inst->imm == IR_PIPELINE_WAIT && state->tie == TIE_ARRIVED;
}

// The thread itself waits for the phase that the copy belongs to.
static bool is_awaited_by_phase(const Walk *walk, uint32_t index, const AsyncState *state) {
  uint32_t loop = CFG_NONE, rounds = 0;
  bool is_of_object = walk->bound != CFG_NONE || operation_is_of_object(walk->scan, walk->copy);
  if (walk->is_write || walk->object || !is_of_object ||
      !operation_is_wait(&walk->scan->fn->insts.items[index]))
    return false;
  uint32_t issued = walk->bound != CFG_NONE ? walk->bound : walk->copy->inst;
  read_cross(walk, state->cross, &loop, &rounds);
  return phases_copy_is_over(walk->scan, issued, index, loop, (int64_t)rounds);
}

// The operation on the barrier object takes the copy further: arrived behind it, waited for that. true: it is
// done.
static bool comes_further(const Walk *walk, uint32_t index, AsyncState *state) {
  const Scan *scan = walk->scan;
  const IrInst *inst = &scan->fn->insts.items[index], *copy = &scan->fn->insts.items[walk->copy->inst];
  const Meet *meet = arrivals_meet_of(scan, index);
  if (!meet || meet->state != MEET_WHOLE || inst->op == IR_BARRIER) return false;
  if (inst->op == IR_PIPELINE) return passes_pipeline(scan, inst, copy, state);
  bool may_bind = inst->imm == IR_MBARRIER_ARRIVE_COPIES && !copy_is_bulk(copy) &&
                  !operation_completes_on_object(scan, copy);
  if (may_bind && walk->object && walk->bound == index && state->tie == TIE_NONE) state->tie = TIE_OPEN;
  state->is_uncertain |= may_bind && !walk->object && !walk->array;
  if (walk->object && meet->object != walk->object) return false;
  if (state->tie == TIE_OPEN && operation_is_arrival(inst)) state->tie = TIE_ARRIVED;
  return state->tie == TIE_ARRIVED && operation_is_wait(inst);
}

// A write of the thread itself: done when a fence for bulk copies is passed. Behind a barrier, a fence is one
// of the thread that issues the copy, and whether that one is enough for what others wrote is not decided
// here.
static bool passes_write(Walk *walk, uint32_t index, AsyncState *state) {
  const IrInst *inst = &walk->scan->fn->insts.items[index];
  if (proxies_passes_fence(walk->scan, inst, walk->copy)) {
    if (state->tie == TIE_NONE) return true;
    state->is_uncertain = true;
  }
  if (inst->op == IR_BARRIER || operation_is_wait(inst)) {
    note(walk, index, state);
    state->tie = TIE_ARRIVED;
  }
  if (!state->is_uncertain && ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY) note_own(walk, index, state);
  return false;
}

// true: the copy is done.
static bool passes_copy(Walk *walk, uint32_t index, AsyncState *state) {
  const Scan *scan = walk->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  if (is_commit(walk, inst)) {
    if (state->group == GROUP_OPEN) state->stage = waits_to_come(walk, inst);
    state->group = state->group == GROUP_OPEN ? 0 : state->group + (state->group < GROUP_LIMIT);
  }
  if (inst->op == IR_ASYNCWAIT) {
    Covering covering = passes_wait(walk, inst, state);
    if (covering == COVERS) return true;
    state->is_uncertain |= covering == COVERS_PERHAPS;
  }
  if (comes_further(walk, index, state) || is_awaited_by_phase(walk, index, state)) return true;
  state->is_uncertain |= may_wait(scan, index) || may_wait_in_array(walk, index);
  if (inst->op == IR_BARRIER || operation_is_wait(inst)) note(walk, index, state);
  bool releases = inst->op == IR_PIPELINE && inst->imm == IR_PIPELINE_RELEASE,
       is_named =
           inst->op == IR_BARRIER && (inst->imm == IR_BARRIER_NAMED || inst->imm == IR_BARRIER_NAMED_ARRIVE);
  if (releases || is_named || (inst->op == IR_MBARRIER && operation_is_arrival(inst)))
    note_arrival(walk, index, state);
  if (ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY) note_own(walk, index, state);
  return false;
}

// ---- branches that go together
// Do both have one value for a thread, in one round of `loop`, whose innermost one it is (CFG_NONE: whenever
// they are computed)? By their text.
static bool is_same_value(const Scan *scan, uint32_t loop, IrRef a, IrRef b, int depth) {
  int64_t x = 0, y = 0;
  const IrInst *one = ir_inst(scan->fn, a), *two = ir_inst(scan->fn, b);
  if (a == b) {
    uint32_t at = one ? scan->cfg->loop_of[one->block] : CFG_NONE;
    bool is_kept = at == CFG_NONE || (loop != CFG_NONE &&
                                      cfg_loop_contains(scan->cfg, at, scan->cfg->loops.items[loop].header));
    if (is_kept || loop != CFG_NONE) return is_kept;
  }
  if (ir_const_value(scan->fn, a, &x) && ir_const_value(scan->fn, b, &y))
    return x == y &&
           ir_ref_type(scan->module, scan->fn, a).bits == ir_ref_type(scan->module, scan->fn, b).bits;
  if (!one || !two || !depth || one->op != two->op || one->pred != two->pred || one->imm != two->imm ||
      one->op_count != two->op_count || one->type.kind != two->type.kind || one->type.bits != two->type.bits)
    return false;
  bool is_sreg = ir_is_fixed_register(one);
  IrOpClass class = ir_op_class((IrOp)one->op);
  bool is_sum = class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST;
  if (!is_sreg && !is_sum) return false;
  for (uint32_t i = 0; i < one->op_count; i++)
    if (!is_same_value(scan, loop, one->ops[i], two->ops[i], depth - 1)) return false;
  return true;
}

static bool is_before_async(const Scan *scan, uint32_t branch) {
  for (uint32_t s = scan->cfg->succ_first[branch]; s < scan->cfg->succ_first[branch + 1]; s++) {
    const IrBlock *block = &scan->fn->blocks.items[scan->cfg->succs[s]];
    for (uint32_t i = block->first; i < block->first + block->count; i++)
      if (scan->fn->insts.items[i].op == IR_ASYNCWAIT) return true;
  }
  return false;
}

// In which round of the loop of the branches the copy was issued.
static IssuedIn issued_in(const Walk *walk, uint32_t cross) {
  uint32_t loop = CFG_NONE, rounds = 0, around = choices_loop(walk->choices);
  uint32_t copy = walk->scan->fn->insts.items[walk->copy->inst].block;
  if (around != CFG_NONE && !cfg_loop_contains(walk->scan->cfg, around, copy)) return ISSUED_EARLIER;
  read_cross(walk, cross, &loop, &rounds);
  if (loop == CFG_NONE) return ISSUED_NOW;
  if (loop == around) return rounds == 1 ? ISSUED_BEFORE : ISSUED_EARLIER;
  bool is_inner = around != CFG_NONE &&
                  cfg_loop_contains(walk->scan->cfg, around, walk->scan->cfg->loops.items[loop].header);
  return is_inner ? ISSUED_NOW : ISSUED_EARLIER;
}

// ---- branches that always go one way
// The way on which alone the block is come to from the branch; TAKEN_NONE: either.
static Taken way_to(const Cfg *cfg, const IrInst *end, uint32_t block) {
  if (end->op != IR_CONDBR || end->blocks[0] == end->blocks[1]) return TAKEN_NONE;
  for (int way = 0; way < 2; way++)
    if (cfg->pred_first[end->blocks[way] + 1] - cfg->pred_first[end->blocks[way]] == 1 &&
        cfg_dominates(cfg, end->blocks[way], block))
      return way ? TAKEN_FALSE : TAKEN_TRUE;
  return TAKEN_NONE;
}

// The way that a thread that issues the copy takes at a branch on its own number; asked where a wait stands
// behind it.
static Taken way_of_issuer(Walk *walk, uint32_t branch, uint32_t copy) {
  Scan *scan = walk->scan;
  const IrInst *end = ir_terminator(scan->fn, branch);
  if (end->op != IR_CONDBR || end->blocks[0] == end->blocks[1] || !is_before_async(scan, branch) ||
      !scan_is_same_each_time(scan, end->ops[0], SAME_DEPTH))
    return TAKEN_NONE;
  View *view = view_fresh(scan, NULL);
  Frame *frame = frame_make(scan, view, NULL, NULL);
  ExprRef holds = frame_truth(frame, end->ops[0]), issues = meeting_block_condition(frame, copy);
  for (int way = 0; holds && way < 2; way++) {
    Goal goal = {0};
    goal_add(scan, &goal, issues, GOAL_CONTEXT, 0);
    goal_add(scan, &goal, way ? holds : expr_not(scan->pool, holds), GOAL_CONFLICT, 0);
    goal_add_view(scan, &goal, view);
    goal_add_launch(scan, &goal);
    if (goal.is_false || goal_satisfiable(scan, &goal, "the way of whoever copies").verdict == VERDICT_SAFE)
      return way ? TAKEN_FALSE : TAKEN_TRUE;
  }
  return TAKEN_NONE;
}

// What was true of the thread where it issued the copy, as of its number, is true of it at all branches.
static void find_always(Walk *walk, uint32_t copy) {
  const Scan *scan = walk->scan;
  const Cfg *cfg = scan->cfg;
  walk->always = arena_array(walk->scratch, cfg->block_count + 1, uint8_t);
  for (uint32_t d = 0; d < cfg->block_count; d++) {
    if (cfg->rpo_number[d] == CFG_NONE) continue;
    const IrInst *before = ir_terminator(scan->fn, d);
    Taken taken = way_to(cfg, before, copy);
    for (uint32_t b = 0; taken != TAKEN_NONE && b < cfg->block_count; b++) {
      const IrInst *end = ir_terminator(scan->fn, b);
      if (cfg->rpo_number[b] != CFG_NONE && end->op == IR_CONDBR && end->blocks[0] != end->blocks[1] &&
          is_same_value(scan, CFG_NONE, before->ops[0], end->ops[0], SAME_DEPTH))
        walk->always[b] = (uint8_t)taken;
    }
  }
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (cfg->rpo_number[b] != CFG_NONE && !walk->always[b])
      walk->always[b] = (uint8_t)way_of_issuer(walk, b, copy);
}

static bool is_never_taken(const Walk *walk, uint32_t from, uint32_t to) {
  Taken taken = (Taken)walk->always[from];
  return taken != TAKEN_NONE &&
         ir_terminator(walk->scan->fn, from)->blocks[taken == TAKEN_TRUE ? 1 : 0] == to;
}

// Who leaves the kernel has arrived at the barriers of its block that are still to come, and waits for nothing: the copy goes on behind them. None is
// still to come of those to which all threads come equally often: the thread has passed each of them, and what it passed behind its copy was met on the way.
static void check_end(const Walk *walk, const AsyncState *state) {
  Scan *scan = walk->scan;
  const IrInst *copy = &scan->fn->insts.items[walk->copy->inst];
  const uint8_t *later = node_later(scan, scan->node_first[state->block + 1] - 1);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    bool is_of_block = point_orders(point, couple_of(EXTENT_INTRA_BLOCK)),
         is_over = cfg_dominates(scan->cfg, point->block, copy->block) &&
                   scan->cfg->loop_of[point->block] == CFG_NONE && point->inst < walk->copy->inst,
         is_later = is_of_block ? later[node_of_inst(scan, point->inst)] : !is_over;
    if (is_later && !uniform_comes_to(scan, point->block))
      scan_undecided(scan, copy->loc, "an asynchronous copy that goes on when its thread leaves the kernel");
  }
}

static void walk_block(Walk *walk, uint32_t first, AsyncState state) {
  const Cfg *cfg = walk->scan->cfg;
  const IrBlock *block = &walk->scan->fn->blocks.items[state.block];
  for (uint32_t i = first; i < block->first + block->count; i++)
    if (walk->is_write ? passes_write(walk, i, &state) : passes_copy(walk, i, &state)) return;
  bool is_end = cfg->succ_first[state.block] == cfg->succ_first[state.block + 1];
  if (is_end && !walk->is_write && !operation_is_of_object(walk->scan, walk->copy)) check_end(walk, &state);
  for (uint32_t s = cfg->succ_first[state.block]; s < cfg->succ_first[state.block + 1]; s++) {
    AsyncState next = state;
    next.block = cfg->succs[s];
    if (is_never_taken(walk, state.block, next.block)) continue;
    next.cross = cross_edge(walk, state.cross, state.block, next.block);
    next.turns = turns_after(walk, &state, next.block);
    next.left = left_after(walk, &state, next.block);
    if (walk->choices &&
        !choices_go(walk->choices, &next.chosen, state.block, next.block, issued_in(walk, state.cross)))
      continue;
    push(walk, next);
  }
}

static bool find_chain(Walk *walk, uint32_t block) {
  const Cfg *cfg = walk->scan->cfg;
  uint32_t depth = 0;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    depth++;
  if (depth > CHAIN_LIMIT) return false;
  walk->chain_count = depth;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    walk->chain[--depth] = l;
  return true;
}

// The loop not around the copy in which groups are committed or waited for, if there is one.
static uint32_t find_counted(const Walk *walk) {
  const Scan *scan = walk->scan;
  uint32_t counted = CFG_NONE;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool is_of_groups = ir_inst_is(inst, IR_GROUPS);
    if (!is_of_groups || scan->cfg->rpo_number[inst->block] == CFG_NONE ||
        !graph_reaches(scan, walk->copy->inst, i))
      continue;
    uint32_t loop = entered_at(walk, inst->block);
    if (loop == CFG_NONE || loop == counted) continue;
    if (counted != CFG_NONE) return CFG_NONE;
    counted = loop;
  }
  return counted;
}

static bool differ_by_left(const Carried *a, const Carried *b) {
  return a->copy == b->copy && a->point == b->point && a->loop == b->loop && a->rounds == b->rounds &&
         a->turns == b->turns && a->left == b->left && a->is_unseen == b->is_unseen &&
         a->is_uncertain == b->is_uncertain;
}

// A copy that goes on however often the loop was gone round: that says nothing. Returns how many stay.
static uint32_t drop_left(Carried *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t alike = 0, kept = i + 1;
    for (uint32_t j = 0; j < count && items[i].left; j++)
      alike += differ_by_left(&items[i], &items[j]);
    if (alike < TURN_STATES) continue;
    for (uint32_t j = i + 1; j < count; j++)
      if (!differ_by_left(&items[i], &items[j])) items[kept++] = items[j];
    items[i].left = items[i].left_turns = 0;
    count = kept;
  }
  return count;
}

static void walk_from(Scan *scan, const Access *access, const Fold *folds, bool is_write, CheckOwn *report) {
  CarriedOver *over = carried_over(scan);
  Arena *here = arena_open();
  Walk walk = {
      .scan = scan, .copy = access, .is_write = is_write, .folds = folds, .scratch = here, .report = report};
  walk.has_one_pipeline = stage_numbers_one_pipeline(scan);
  walk.questions = &kept_of(scan)->questions;
  uint32_t inst = access->inst, block = scan->fn->insts.items[inst].block;
  if (find_chain(&walk, block)) {
    walk.counted = find_counted(&walk);
    AsyncState state = {.block = block, .group = GROUP_OPEN};
    walk.choices = choices_find(scan, block);
    find_always(&walk, block);
    bool is_of_object = !is_write && operation_is_of_object(scan, access);
    const IrInst *insts = scan->fn->insts.items;
    walk.bound = is_write || is_of_object ? CFG_NONE : phases_binding(scan, inst);
    IrRef address = is_of_object ? insts[inst].ops[3] : walk.bound != CFG_NONE ? insts[walk.bound].ops[0] : 0;
    if (address) walk.object = async_object_of(scan, inst, address);
    if (address && !walk.object) walk.array = async_array_of(scan, address);
    if (is_of_object && walk.object)
      state.tie = async_is_announced(scan, inst, walk.object) ? TIE_ARRIVED : TIE_OPEN;
    state.is_uncertain = is_of_object && !walk.object && !walk.array;
    walk_block(&walk, inst + 1, state);
    while (walk.stack.count) {
      state = vec_last(&walk.stack);
      walk.stack.count--;
      walk_block(&walk, scan->fn->blocks.items[state.block].first, state);
    }
    over->points.count = drop_left(over->points.items, over->points.count);
    walk.own.count = drop_left(walk.own.items, walk.own.count);
    async_check_own(&walk);
  } else {
    scan_undecided(scan, scan->fn->insts.items[inst].loc, "an asynchronous copy in loops nested too deep");
  }
  arena_close(here);
}

void async_find(Scan *scan, CheckOwn *report) {
  ASSERT(report && scan->reaches);             // after objects_mark_written
  ASSERT(!carried_over(scan)->arrivals.count); // once
  bool has_copies = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    has_copies |= scan->accesses.items[a].is_async;
  if (!has_copies) return;
  Arena *scratch = arena_open();
  const Fold *folds = stage_numbers_fold(scan, scratch);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->is_async) walk_from(scan, access, folds, false, report);
    if (proxies_may_matter(scan, access)) walk_from(scan, access, folds, true, report);
  }
  arena_close(scratch);
}

bool async_is_carried(const Scan *scan, const Access *access, uint32_t point) {
  ASSERT(scan_has_access(scan, access));
  ASSERT(point < scan->points.count);
  CarriedOver *over = carried_over(scan);
  for (uint32_t i = 0; i < over->points.count; i++) {
    const Carried *carried = &over->points.items[i];
    if (carried->copy == access && carried->point == point && !carried->is_unseen) return true;
  }
  return false;
}

const char *async_not_awaited(Scan *scan, const Access *copy, const Access *access) {
  ASSERT(scan_has_access(scan, copy));
  ASSERT(scan_has_access(scan, access));
  const IrInst *insts = scan->fn->insts.items;
  uint32_t block = insts[access->inst].block;
  for (uint32_t l = scan->cfg->loop_of[insts[copy->inst].block]; l != CFG_NONE;
       l = scan->cfg->loops.items[l].parent)
    if (cfg_loop_contains(scan->cfg, l, block)) return NULL; // it may be about another round
  const Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->meanwhile.count; i++) {
    const Carried *known = &kept->meanwhile.items[i];
    if (known->copy == copy && access == &scan->accesses.items[known->point])
      return arena_printf(scan->arena, "no wait for the copy issued at line %u stands before line %u",
                          ir_loc(scan->module, insts[copy->inst].loc)->line,
                          ir_loc(scan->module, insts[access->inst].loc)->line);
  }
  return NULL;
}
