// Does a lane that a warp operation names not come to it, though it goes on? Whoever executes the operation waits for
// each lane of its mask that has not left the kernel ("all non-exited threads named in mask must execute a corresponding
// intrinsic with the same mask"), so it has no meaning then. Method: for each branch that decides about the operation and
// is not the same for all (control dependence), and each other way out of it, a goal for two lanes of one warp: one is on
// the way to the operation, names the other one, and that one takes the other way on to a place of work behind the
// operation, or to where it waits for others. On that way it comes to no operation that the first could be joined with;
// where it may do so later (in the next round of a loop), it has to wait for the whole block before. All
// conditions have to be known (exact.c), in one of the first rounds of the loop around. Operations that both may have made
// before must have been made by both. A lane that only leaves the kernel counts as come, as at other barriers.
// Soundness: findings only; whether such an operation hands on or orders anything is asked where it is used
// (together.c, divergence.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

enum { PLACES_TRIED = 6, ROUNDS_TRIED = 4 };

// A way round the operation.
typedef struct Bypass {
  uint32_t operation;
  uint32_t branch, away; // blocks: the lane goes from the one to the other
  uint32_t toward;       // block: the one that executes it goes there
  uint32_t round;        // of the loop around the branch
  uint8_t *reached;      // by block: from there on, before anything that the operation could be joined with
  bool may_come_back;    // to such an operation
  const uint8_t *behind; // by block: behind the operation
} Bypass;

static bool is_of_lanes(const Scan *scan, const IrInst *inst) {
  bool is_tile = inst->op == IR_BARRIER && inst->imm == IR_BARRIER_TILE && inst->scope == IR_SCOPE_WARP;
  return exact_names_lanes(scan, inst) || (is_tile && scan->cfg->rpo_number[inst->block] != CFG_NONE);
}

// ---- with what may it be joined?
static bool is_warp_barrier(const IrInst *inst) {
  return inst->op == IR_BARRIER && inst->scope == IR_SCOPE_WARP;
}

static bool may_join(const Scan *scan, const IrInst *one, const IrInst *two) {
  return (is_warp_barrier(one) && is_warp_barrier(two)) || uniform_may_meet(scan, one, two);
}

// Two lanes, one at the operation and one at the branch, have both made it once, or neither has.
static bool is_made_by_both(Scan *scan, uint32_t other, const Bypass *bypass) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[other].block, at = scan->fn->insts.items[bypass->operation].block;
  if (!graph_reaches(scan, other, bypass->operation) &&
      !graph_block_reaches(scan, block, bypass->branch, CFG_NONE))
    return true;
  if (uniform_comes_to(scan, block)) return true;
  if (block == bypass->branch || !cfg_dominates(cfg, block, bypass->branch) || !cfg_dominates(cfg, block, at))
    return false;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    if (!cfg_loop_contains(cfg, l, bypass->branch) || !cfg_loop_contains(cfg, l, at)) return false;
  return true;
}

// By block: it holds an operation that this one could be joined with, or this one.
static const uint8_t *find_joins(Scan *scan, uint32_t operation) {
  const IrInst *insts = scan->fn->insts.items;
  uint8_t *joins = arena_array(scan->arena, scan->cfg->block_count + 1, uint8_t);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    joins[insts[i].block] |= i == operation || may_join(scan, &insts[i], &insts[operation]);
  return joins;
}

static void follow_away(Scan *scan, const uint8_t *joins, Bypass *bypass) {
  const Cfg *cfg = scan->cfg;
  VEC(uint32_t) work = {0};
  bypass->reached = arena_array(scan->arena, cfg->block_count + 1, uint8_t);
  vec_push(scan->arena, &work, bypass->away);
  while (work.count) {
    uint32_t block = work.items[--work.count];
    bypass->may_come_back |= joins[block];
    if (bypass->reached[block] || joins[block]) continue;
    bypass->reached[block] = 1;
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
      vec_push(scan->arena, &work, cfg->succs[s]);
  }
}

static bool has_begun_alike(Scan *scan, const Bypass *bypass) {
  const IrInst *insts = scan->fn->insts.items;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (i != bypass->operation && scan->cfg->rpo_number[insts[i].block] != CFG_NONE &&
        may_join(scan, &insts[i], &insts[bypass->operation]) && !is_made_by_both(scan, i, bypass))
      return false;
  return true;
}

// ---- whom does it name?

// That the lane of `one` names that of `two`; 0: not known.
static ExprRef names(Frame *one, const View *two, const IrInst *inst) {
  Scan *scan = one->scan;
  ExprPool *pool = scan->pool;
  int64_t size = 0;
  if (inst->imm == IR_BARRIER_TILE && inst->op == IR_BARRIER) {
    if (!inst->op_count || !ir_const_value(scan->fn, inst->ops[0], &size) || size < 1 || size > 32) return 0;
    ExprRef lanes = expr_const(pool, 32, size);
    return expr_eq(pool, expr_binary(pool, EXPR_UDIV, 0, one->view->lane, lanes),
                   expr_binary(pool, EXPR_UDIV, 0, two->lane, lanes));
  }
  ExprRef mask = frame_word(one, inst->ops[0], 32);
  return mask && exact_speaks_of(scan, mask, false) == SPEAKS_OF_NOTHING_ELSE
             ? goal_has_lane(scan, mask, two->lane)
             : 0;
}

// ---- where does the lane go instead?

// The first operation of the block for which the lane waits, or (behind the operation) that others see; CFG_NONE: none.
// Who may come back is kept from it by a barrier that the other one has to come to as well.
static uint32_t place_in(const Scan *scan, const Bypass *bypass, uint32_t block) {
  const IrBlock *all = &scan->fn->blocks.items[block];
  if (bypass->may_come_back && !cfg_dominates(scan->cfg, bypass->branch, block)) return CFG_NONE;
  for (uint32_t i = all->first; i < all->first + all->count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool waits_for_all =
        inst->op == IR_BARRIER && inst->imm == IR_BARRIER_SYNC && inst->scope >= IR_SCOPE_BLOCK;
    if (waits_for_all) return i;
    if (bypass->may_come_back) continue;
    if (inst->op == IR_BARRIER || exact_names_lanes(scan, inst)) return i;
    if (!bypass->behind[block] || operation_is_leaving(inst)) continue;
    for (uint32_t a = 0; a < scan->accesses.count; a++)
      if (scan->accesses.items[a].inst == i) return i;
  }
  return CFG_NONE;
}

typedef struct Missing {
  const Bypass *bypass;
  ExprRef comes, goes; // the one gets to the operation and names the other, that one takes the way round
  View *one, *two;
} Missing;

static SolverAnswer ask(Scan *scan, const Missing *missing, ExprRef place, bool *is_possible) {
  Goal goal = {0};
  SolverAnswer refuted = {.verdict = VERDICT_SAFE};
  ExprRef all = expr_and(scan->pool, expr_and(scan->pool, missing->comes, missing->goes), place);
  *is_possible = exact_speaks_of(scan, all, true) == SPEAKS_OF_MEMORY;
  goal_add(scan, &goal, missing->comes, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, missing->goes, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, place, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, missing->one);
  goal_add_view(scan, &goal, missing->two);
  goal_add_extent(scan, &goal, EXTENT_INTRA_WARP, missing->one, missing->two);
  goal_add_launch(scan, &goal);
  return goal.is_false ? refuted : goal_decide(scan, &goal, "a lane that does not come");
}

static const char *place_text(const Scan *scan, uint32_t place) {
  const IrInst *inst = &scan->fn->insts.items[place];
  if (inst->op == IR_BARRIER) return "waits at the barrier";
  return exact_names_lanes(scan, inst) ? "waits at the operation" : "does what stands";
}

static bool tell(Scan *scan, const Missing *missing, uint32_t place, const SolverAnswer *answer,
                 bool is_possible) {
  ExprEnv env = model_env(answer);
  int64_t one = 0, two = 0;
  if (expr_eval(scan->pool, missing->one->lane, &env, &one) != EXPR_EVAL_OK ||
      expr_eval(scan->pool, missing->two->lane, &env, &two) != EXPR_EVAL_OK)
    return false;
  const IrInst *branch = ir_terminator(scan->fn, missing->bypass->branch);
  const SrcLoc *at = ir_loc(scan->module, scan->fn->insts.items[place].loc);
  const char *message = arena_printf(
      scan->arena,
      "lane %lld executes this warp operation, which names lane %lld: that one %s another way at line %u, %s "
      "at line %u, and %s%s",
      (long long)one, (long long)two, is_possible ? "may take" : "takes",
      ir_loc(scan->module, branch->loc)->line, place_text(scan, place), at->line,
      missing->bypass->may_come_back ? "does not come to it before" : "never comes to it",
      is_possible ? " (that depends on what memory holds)" : "");
  misuse_report(scan,
                &(Misuse){RULE_BARRIER_DIVERGENCE, is_possible ? CERTAINTY_POSSIBLE : CERTAINTY_DEFINITE,
                          "named-lane-missing", missing->bypass->operation, at, message});
  return true;
}

// The lane has come to the branch in this round, and gone on toward the operation in those before; 0: not known.
static ExprRef comes_to_branch(Scan *scan, const View *lane, const Bypass *bypass) {
  Frame *frame = exact_frame(scan, lane, bypass->branch, (Round){bypass->branch, bypass->round});
  ExprRef condition = exact_condition(frame, bypass->branch);
  for (uint32_t r = 0; r < bypass->round && condition; r++) {
    Frame *before = exact_frame(scan, lane, bypass->branch, (Round){bypass->branch, r});
    ExprRef stays = exact_edge(before, bypass->branch, bypass->toward);
    condition = stays ? expr_and(scan->pool, condition, stays) : 0;
  }
  return condition;
}

// ... and goes there from the branch.
static ExprRef goes_on(Scan *scan, const View *lane, const Bypass *bypass, uint32_t to) {
  ExprRef there = comes_to_branch(scan, lane, bypass);
  Frame *frame = exact_frame(scan, lane, bypass->branch, (Round){bypass->branch, bypass->round});
  ExprRef edge = there ? exact_edge(frame, bypass->branch, to) : 0;
  return edge ? expr_and(scan->pool, there, edge) : 0;
}

// All lanes that are in a round of the loop around the branch execute the operation in each round of it.
static bool is_in_each_round(const Scan *scan, const Bypass *bypass) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[bypass->operation].block, l = cfg->loop_of[block];
  if (l == CFG_NONE || cfg->loop_of[bypass->branch] != l) return false;
  for (uint32_t i = 0; i < cfg->loops.items[l].latches.count; i++)
    if (!cfg_dominates(cfg, block, cfg->loops.items[l].latches.items[i])) return false;
  return true;
}

// The branch is behind the operation, which is executed next in the round that the branch begins.
static bool is_in_next_round(const Scan *scan, const Bypass *bypass) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[bypass->operation].block;
  if (!is_in_each_round(scan, bypass)) return false;
  uint32_t header = cfg->loops.items[cfg->loop_of[block]].header;
  return bypass->toward == header && cfg_post_dominates(cfg, block, header);
}

// In this round.
static bool check_bypass(Scan *scan, const Bypass *bypass, bool is_next) {
  const IrInst *inst = &scan->fn->insts.items[bypass->operation];
  ExprRef shared_block[3] = {0};
  Missing missing = {.bypass = bypass,
                     .one = view_make(scan, EXTENT_INTRA_WARP, OWNER_THREAD1, shared_block),
                     .two = view_make(scan, EXTENT_INTRA_WARP, OWNER_THREAD2, shared_block)};
  Round round = {bypass->branch, bypass->round + is_next};
  Frame *one = exact_frame(scan, missing.one, inst->block, round);
  ExprRef comes = goes_on(scan, missing.one, bypass, bypass->toward),
          there = is_next ? comes : exact_condition(one, inst->block), named = names(one, missing.two, inst);
  missing.goes = goes_on(scan, missing.two, bypass, bypass->away);
  if (!comes || !there || !named || !missing.goes) return false;
  missing.comes = expr_and(scan->pool, expr_and(scan->pool, comes, there), named);
  bool is_possible = false;
  if (ask(scan, &missing, expr_bool(scan->pool, true), &is_possible).verdict != VERDICT_RACE) return false;
  uint32_t tried = 0;
  for (uint32_t i = 0; i < scan->cfg->rpo_count && tried < PLACES_TRIED; i++) {
    uint32_t block = scan->cfg->rpo[i],
             place = bypass->reached[block] ? place_in(scan, bypass, block) : CFG_NONE;
    if (place == CFG_NONE) continue;
    Frame *two = exact_frame(scan, missing.two, block, (Round){bypass->branch, bypass->round});
    ExprRef gets_there = exact_condition(two, block);
    if (!gets_there) continue;
    tried++;
    SolverAnswer answer = ask(scan, &missing, gets_there, &is_possible);
    if (answer.verdict == VERDICT_RACE && tell(scan, &missing, place, &answer, is_possible)) return true;
  }
  return false;
}

static bool check_rounds(Scan *scan, Bypass *bypass) {
  bool is_before = cfg_dominates(scan->cfg, bypass->branch, scan->fn->insts.items[bypass->operation].block);
  if (!is_before && !is_in_next_round(scan, bypass)) return false;
  uint32_t rounds = is_in_each_round(scan, bypass) ? ROUNDS_TRIED : 1;
  for (bypass->round = 0; bypass->round < rounds; bypass->round++)
    if (check_bypass(scan, bypass, !is_before)) return true;
  return false;
}

static bool check_branch(Scan *scan, uint32_t operation, const uint8_t *joins, CfgEdge edge) {
  const Cfg *cfg = scan->cfg;
  const IrInst *inst = &scan->fn->insts.items[operation], *end = ir_terminator(scan->fn, edge.from);
  if (!ir_inst_is(end, IR_FORKS) || uniform_ref(scan, end->ops[0]) || cfg->is_doomed[inst->block])
    return false;
  bool is_told = false;
  for (uint32_t s = cfg->succ_first[edge.from]; s < cfg->succ_first[edge.from + 1] && !is_told; s++) {
    uint32_t away = cfg->succs[s];
    Bypass bypass = {.operation = operation, .branch = edge.from, .away = away, .toward = edge.to};
    if (away == edge.to || cfg->is_doomed[away] || !has_begun_alike(scan, &bypass)) continue;
    follow_away(scan, joins, &bypass);
    bypass.behind = cfg_reachable(cfg, inst->block, CFG_NONE, scan->arena);
    is_told = check_rounds(scan, &bypass);
  }
  return is_told;
}

void misuse_lanes(Scan *scan) {
  if (!scan->cfg->is_reducible || scan->request->options.arch < 70) return; // there lanes run in lock step
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!is_of_lanes(scan, inst) || uniform_comes_to(scan, inst->block)) continue;
    CfgEdges deps = cfg_all_control_deps(scan->cfg, inst->block, scan->arena);
    const uint8_t *joins = find_joins(scan, i);
    bool is_told = false;
    for (uint32_t d = 0; d < deps.count && !is_told; d++)
      is_told = check_branch(scan, i, joins, deps.items[d]);
  }
}
