// Do all threads of a block reach the same barriers, and all lanes of a warp, or of a part of it, theirs? For
// each branch that decides whether a barrier is
// reached, can two threads that start together at the same point decide differently, while the one that goes
// round the barrier runs on? Method: control dependence (Ferrante, Ottenstein, Warren 1987); branches that
// are uniform by divergence analysis are dismissed, others become goals in which both threads stand at the
// branch, in the same iteration of loops that cannot be gone round without a barrier, in any of others.
// Soundness: a thread that exits counts as arrived (a remark; below sm_70 it does not). A branch that is not
// proved uniform leaves the kernel undecided; only a model over launch parameters and ids whose two threads,
// run one after the other, come to different barriers (replay_barriers.c) is reported as a finding. A barrier
// of a warp or of a part that some of its lanes may go round is divergent, unless who goes round it comes to
// no barrier any more: it keeps nobody together (pairs.c says what it orders still), so the others are asked
// again without it, until no more are found. Of barriers of a cluster or the grid the same is asked about
// threads of two blocks: where blocks may come to different ones, or in different rounds, the kernel is
// undecided. A barrier of the grid counts blocks, and waits without end for one that has left: thread 0 arrives
// for its block (CUDA's cooperative groups), so it is asked whether that one may have left where another block
// comes to the barrier. It is told where two threads show it, whatever memory holds; where it is not refuted the
// kernel is undecided.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/facts.h"
#include "kernelscan/finding.h"
#include "kernelscan/kernel.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

static bool block_has_work(const Scan *scan, uint32_t block) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[a].inst];
    if (inst->block == block && !operation_is_leaving(inst)) return true;
  }
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].block == block) return true;
  return false;
}

// The barriers that keep the threads together whom the barrier in question holds.
typedef struct Holding {
  Scan *scan;
  Couple couple;      // the threads
  bool is_of_all;     // any of the block; else what holds the couple
  Meeting **meetings; // by point, behind which two such threads can be together
} Holding;

static bool holds(const Holding *holding, const Point *point) {
  return holding->is_of_all ? point_is_of_all(point)
                            : point->inst != CFG_NONE && point_orders(point, holding->couple);
}

static bool has_barrier(const Holding *holding, uint32_t block) {
  const Scan *scan = holding->scan;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->block == block &&
        (holds(holding, point) || (!holding->is_of_all && point_would_order(point, holding->couple))))
      return true;
  }
  return false;
}

// Taking another edge than `toward` at the branch, does the thread go round the barrier and run on: come to a
// barrier, be it this one in another round, or to work that the others do after it?
static bool runs_on(const Holding *holding, const Point *barrier, uint32_t branch, uint32_t toward) {
  Scan *scan = holding->scan;
  const Cfg *cfg = scan->cfg;
  uint8_t *after = cfg_reachable(cfg, barrier->block, CFG_NONE, scan->arena);
  for (uint32_t s = cfg->succ_first[branch]; s < cfg->succ_first[branch + 1]; s++) {
    if (cfg->succs[s] == toward) continue;
    if (cfg_reachable(cfg, cfg->succs[s], CFG_NONE, scan->arena)[barrier->block]) return true;
    uint8_t *round = cfg_reachable(cfg, cfg->succs[s], barrier->block, scan->arena);
    for (uint32_t b = 0; b < cfg->block_count; b++)
      if (round[b] &&
          (has_barrier(holding, b) || (holding->is_of_all && after[b] && block_has_work(scan, b))))
        return true;
  }
  return false;
}

typedef enum BranchAnswer { BRANCH_UNIFORM, BRANCH_DIVERGENT, BRANCH_UNDECIDED } BranchAnswer;

// It waits for all threads of the block, of whom those that have returned count as arrived from sm_70 on.
// What a barrier object or a barrier with a number of threads expects, is said.
static bool waits_for_returned(const Scan *scan, const Point *barrier) {
  const IrInst *inst = &scan->fn->insts.items[barrier->inst];
  return inst->op == IR_BARRIER && inst->imm == IR_BARRIER_SYNC;
}

// One finding for a barrier is enough, where its threads are all that went wrong.
static bool is_told(const Scan *scan, const Point *barrier) {
  const SrcLoc *at = ir_loc(scan->module, scan->fn->insts.items[barrier->inst].loc);
  for (uint32_t i = 0; i < scan->result->findings.count; i++) {
    const Finding *finding = &scan->result->findings.items[i];
    const SrcLoc *place = &finding->accesses[0].loc;
    if (finding->rule == RULE_BARRIER_DIVERGENCE && place->file == at->file && place->line == at->line &&
        place->column == at->column)
      return true;
  }
  return false;
}

// A branch on a way from a point, in one of its states.
typedef struct Fork {
  Meeting *meeting;
  uint32_t state, phase;
  const BarrierFork *at;
} Fork;

// At a barrier of the grid.
static ExprRef arrives_for_block(const Scan *scan, const View *thread) {
  return expr_eq(scan->pool, thread->linear, expr_const(scan->pool, 32, 0));
}

static Goal branch_goal(const Holding *holding, const Fork *fork, bool *is_understood) {
  Scan *scan = holding->scan;
  Meeting *meeting = fork->meeting;
  Goal goal = {0};
  ExprRef takes[2];
  Frame *frames[2];
  for (int t = 0; t < 2; t++) {
    goal_add(scan, &goal, meeting_condition(meeting, t, fork->state, fork->at->branch), GOAL_CONTEXT, 0);
    goal_add_view(scan, &goal, meeting->views[t]);
    frames[t] = meeting_frame(meeting, t, fork->phase, fork->at->branch);
    takes[t] = frame_edge_condition(frames[t], fork->at->branch, fork->at->toward);
    if (takes[t]) continue;
    *is_understood = false;
    return goal;
  }
  goal_add(scan, &goal, takes[0], GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, takes[1]), GOAL_CONFLICT, 0);
  if (fork->at->is_leaving && !holding->is_of_all)
    goal_add(scan, &goal, arrives_for_block(scan, meeting->views[1]), GOAL_CONTEXT, 0);
  goal_add_extent(scan, &goal, holding->is_of_all ? EXTENT_NONE : holding->couple.extent, meeting->views[0],
                  meeting->views[1]);
  if (!holding->is_of_all) covers_add(scan, &goal, holding->couple, frames[0], frames[1]);
  goal_add_launch(scan, &goal);
  for (int t = 0; t < 2; t++)
    rounds_add(scan, &goal, frames[t]);
  return goal;
}

static BranchAnswer ask_at(const Holding *holding, const Point *barrier, const Fork *fork) {
  Scan *scan = holding->scan;
  Meeting *meeting = fork->meeting;
  if (fork->state == CFG_NONE) return BRANCH_UNIFORM;
  bool is_understood = true;
  Goal goal = branch_goal(holding, fork, &is_understood);
  if (!is_understood) return BRANCH_UNDECIDED;
  const IrInst *end = ir_terminator(scan->fn, fork->at->branch);
  const char *name = arena_printf(scan->arena, "%s divergence at line %u", scan->fn->display,
                                  ir_loc(scan->module, end->loc)->line);
  SolverAnswer answer = goal_decide(scan, &goal, name);
  if (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD) return BRANCH_UNIFORM;
  if (answer.verdict != VERDICT_RACE || (!holding->is_of_all && !fork->at->is_leaving))
    return BRANCH_UNDECIDED;
  const char *doubt = call_effects_settle(scan, &goal, &answer, name);
  ReplayQuery query = {.couple = holding->couple,
                       .answer = &answer,
                       .views = {meeting->views[0], meeting->views[1]},
                       .goal = &goal};
  Parting parting = replay_parts_at_barrier(scan, &query, fork->at);
  parting.doubt = doubt;
  if (parting.kind == PARTING_NOT_SHOWN ||
      (parting.kind == PARTING_BY_LEAVING && (is_told(scan, barrier) || !waits_for_returned(scan, barrier))))
    return BRANCH_UNDECIDED;
  finding_report_divergence(scan, fork->at, &query, &parting);
  if (parting.kind == PARTING_BY_LEAVING) return BRANCH_UNDECIDED;
  return parting.used_memory || doubt ? BRANCH_UNDECIDED : BRANCH_DIVERGENT;
}

static BranchAnswer ask_fork(const Holding *holding, const Point *barrier, const BarrierFork *at) {
  const Scan *scan = holding->scan;
  BranchAnswer worst = BRANCH_UNIFORM;
  uint32_t node = scan->node_first[at->branch + 1] - 1;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    Meeting *meeting = holding->meetings[p];
    if (!meeting || (at->is_leaving && is_told(scan, barrier))) continue;
    for (uint32_t phase = 0; phase <= meeting->graph->loop_count; phase++) {
      Fork fork = {meeting, ways_state(meeting->graph, node, phase), phase, at};
      BranchAnswer answer = ask_at(holding, barrier, &fork);
      if (answer == BRANCH_DIVERGENT) return answer;
      if (answer == BRANCH_UNDECIDED) worst = answer;
    }
  }
  return worst;
}

static BranchAnswer ask_branch(const Holding *holding, const Point *barrier, CfgEdge edge) {
  BarrierFork at = {barrier->inst, edge.from, edge.to, false};
  return ask_fork(holding, barrier, &at);
}

static bool branch_is_uniform(const Holding *holding, uint32_t branch) {
  const Scan *scan = holding->scan;
  const IrInst *end = ir_terminator(scan->fn, branch);
  if (end->op == IR_BR) return true; // of an endless loop, which control dependence gives an end
  for (uint32_t l = scan->cfg->loop_of[branch]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent) {
    if (!scan->alike.exits_diverge[l]) continue;
    // Threads may be in different iterations here, unless a barrier in the loop keeps them together (asked
    // for itself).
    bool has_point = false;
    for (uint32_t p = 1; p < scan->points.count; p++)
      has_point |= holds(holding, &scan->points.items[p]) &&
                   cfg_loop_contains(scan->cfg, l, scan->points.items[p].block);
    if (!has_point) return false;
  }
  return uniform_ref(scan, end->ops[0]);
}

static void remark_on_exit(Scan *scan, const Point *barrier, uint32_t branch) {
  const IrInst *at = &scan->fn->insts.items[barrier->inst], *end = ir_terminator(scan->fn, branch);
  UndecidedReason remark = {.loc = *ir_loc(scan->module, at->loc)};
  remark.text = arena_printf(
      scan->arena,
      "threads that leave kernel '%s' by the branch at line %u do not come to this barrier: they "
      "count as arrived (sm_70 and later)",
      scan->fn->display, ir_loc(scan->module, end->loc)->line);
  for (uint32_t i = 0; i < scan->result->remarks.count; i++)
    if (strcmp(scan->result->remarks.items[i].text, remark.text) == 0 &&
        scan->result->remarks.items[i].loc.line == remark.loc.line)
      return;
  vec_push(scan->arena, &scan->result->remarks, remark);
}

// What is kept of a scan.
typedef struct Kept {
  VEC(BarrierFork) leavings; // who goes round the barrier there comes to none any more
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, divergence, Kept);
}

static void check_barrier(const Holding *holding, Point *barrier) {
  Scan *scan = holding->scan;
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[barrier->inst].loc);
  CfgEdges deps = cfg_all_control_deps(scan->cfg, barrier->block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++) {
    CfgEdge edge = deps.items[d];
    if (branch_is_uniform(holding, edge.from)) continue;
    bool exits = !runs_on(holding, barrier, edge.from, edge.to);
    if (exits && scan->request->options.arch >= 70) {
      vec_push(scan->arena, &kept_of(scan)->leavings,
               ((BarrierFork){barrier->inst, edge.from, edge.to, true}));
      continue;
    }
    BranchAnswer answer = ask_branch(holding, barrier, edge);
    const IrInst *end = ir_terminator(scan->fn, edge.from);
    if (answer == BRANCH_UNIFORM || (exits && answer == BRANCH_UNDECIDED)) continue;
    scan_undecided(scan, scan->fn->insts.items[barrier->inst].loc,
                   answer == BRANCH_DIVERGENT
                       ? "the barrier at line %u is not reached by all threads of the block (branch at "
                         "line %u), so what it orders is open"
                       : "whether all threads of the block reach the barrier at line %u depends on the "
                         "branch at line %u, which was not proved uniform",
                   loc->line, ir_loc(scan->module, end->loc)->line);
    if (answer == BRANCH_DIVERGENT) return;
  }
}

static Holding make_holding(Scan *scan, Couple couple, bool is_of_all) {
  ExprRef shared_block[3] = {0};
  View *one = view_make(scan, couple.extent, OWNER_THREAD1, shared_block);
  View *two = view_make(scan, couple.extent, OWNER_THREAD2, shared_block);
  Holding holding = {.scan = scan, .couple = couple, .is_of_all = is_of_all};
  holding.meetings = arena_array(scan->arena, scan->points.count, Meeting *);
  for (uint32_t p = 0; p < scan->points.count; p++)
    if (point_orders(&scan->points.items[p], couple))
      holding.meetings[p] = meeting_make(scan, &scan->points.items[p], couple, one, two);
  return holding;
}

// Threads that have left: no mistake from sm_70 on, so they are asked about with what the budget has left.
void divergence_tell_leavings(Scan *scan) {
  ASSERT(points_know_divergent(scan)); // after divergence_find
  const Kept *kept = kept_of(scan);
  if (!kept->leavings.count) return;
  Holding holding = make_holding(scan, couple_of(EXTENT_INTRA_BLOCK), true);
  for (uint32_t i = 0; i < kept->leavings.count; i++) {
    const BarrierFork *fork = &kept->leavings.items[i];
    for (uint32_t p = 1; p < scan->points.count; p++) {
      const Point *barrier = &scan->points.items[p];
      if (barrier->inst != fork->barrier || is_told(scan, barrier)) continue;
      if (waits_for_returned(scan, barrier)) (void)ask_fork(&holding, barrier, fork);
      if (!is_told(scan, barrier)) remark_on_exit(scan, barrier, fork->branch);
    }
  }
}

// ---- between blocks
// Does the branch go the same way in any two threads of the extent, in each round of the loops around it?
static bool is_same_in_each_round(const Holding *holding, CfgEdge edge) {
  Scan *scan = holding->scan;
  const View *const *views = holding->meetings[0]->views; // of kernel entry
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef), takes[2];
  for (uint32_t l = scan->cfg->loop_of[edge.from]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    iteration[l] = iteration_new(scan, l, "round", OWNER_UNIFORM, 0);
  Goal goal = {0};
  for (int t = 0; t < 2; t++) {
    takes[t] = frame_edge_condition(frame_make(scan, views[t], iteration, NULL), edge.from, edge.to);
    if (!takes[t]) return false;
    goal_add_view(scan, &goal, views[t]);
  }
  goal_add(scan, &goal, takes[0], GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, takes[1]), GOAL_CONFLICT, 0);
  goal_add_extent(scan, &goal, holding->couple.extent, views[0], views[1]);
  goal_add_launch(scan, &goal);
  return goal.is_false || goal_satisfiable(scan, &goal, "a branch in one round").verdict == VERDICT_SAFE;
}

static bool leaves_grid(const Holding *holding, const Point *barrier, CfgEdge edge) {
  return barrier->scope == IR_SCOPE_DEVICE && !runs_on(holding, barrier, edge.from, edge.to);
}

// Blocks that come to other barriers than each other, or to one barrier in other rounds, meet there all the
// same: what the barriers order then is not followed.
static void check_between_blocks(const Holding *holding, const Point *barrier) {
  Scan *scan = holding->scan;
  uint32_t loc = scan->fn->insts.items[barrier->inst].loc;
  CfgEdges deps = cfg_all_control_deps(scan->cfg, barrier->block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++) {
    CfgEdge edge = deps.items[d];
    const IrInst *end = ir_terminator(scan->fn, edge.from);
    if (end->op == IR_BR || leaves_grid(holding, barrier, edge) || is_same_in_each_round(holding, edge) ||
        ask_branch(holding, barrier, edge) == BRANCH_UNIFORM)
      continue;
    scan_undecided(scan, loc,
                   "whether all blocks of %s come to the barrier at line %u depends on the branch at "
                   "line %u, which was not proved to be the same for all of them",
                   barrier->scope == IR_SCOPE_CLUSTER ? "a cluster" : "the grid",
                   ir_loc(scan->module, loc)->line, ir_loc(scan->module, end->loc)->line);
  }
}

// May the two accesses be made between the same two barriers that hold the couple?
static bool may_meet(const Holding *holding, uint32_t one, uint32_t other) {
  const Scan *scan = holding->scan;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Meeting *meeting = holding->meetings[p];
    bool comes[2] = {false, false};
    for (uint32_t phase = 0; meeting && phase <= meeting->graph->loop_count; phase++) {
      comes[0] |= ways_state(meeting->graph, scan->accesses.items[one].node, phase) != CFG_NONE;
      comes[1] |= ways_state(meeting->graph, scan->accesses.items[other].node, phase) != CFG_NONE;
    }
    if (comes[0] && comes[1]) return true;
  }
  return false;
}

// Memory that is one for all blocks; each has a heap of its own, as far as is known.
static bool is_of_grid(const Scan *scan, const Reach *reach) {
  for (uint32_t i = 0; i < reach->count; i++) {
    Target target = {.object = reach->objects[i]};
    if (!conflict_same_object(scan, &target, &target, EXTENT_INTER_BLOCK)) return false;
  }
  return reach->is_complete && reach->count;
}

static bool may_share(const Scan *scan, const Reach *one, const Reach *two) {
  return !two->is_complete || conflict_share_object(scan, one, two, EXTENT_INTER_BLOCK);
}

// Global memory that nobody writes between the barriers between which it is read gives all threads of the grid one value.
static bool is_still(const Holding *holding, uint32_t load) {
  const Scan *scan = holding->scan;
  const Access *all = scan->accesses.items;
  bool is_found = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    if (all[a].inst != load) continue;
    is_found = true;
    if (all[a].kind != ACCESS_READ || !is_of_grid(scan, &scan->reaches[a])) return false;
    for (uint32_t w = 0; w < scan->accesses.count; w++)
      if (all[w].kind != ACCESS_READ && may_share(scan, &scan->reaches[a], &scan->reaches[w]) &&
          may_meet(holding, a, w))
        return false;
  }
  return is_found;
}

static bool is_of_launch(IrSreg sreg) {
  return (sreg >= IR_SREG_NTID_X && sreg <= IR_SREG_NTID_Z) ||
         (sreg >= IR_SREG_NCTAID_X && sreg <= IR_SREG_NCTAID_Z);
}

enum { ALIKE_DEPTH = 24 };

typedef struct Asked {
  IrRef ref;
  const struct Asked *outer;
  uint32_t depth;
} Asked;

static bool is_alike(const Holding *holding, uint32_t branch, IrRef ref, const Asked *outer);

// May the branch of the block decide by which way control comes to the phi? What lies in a loop inside decides anew in each round.
static bool is_alike_there(const Holding *holding, uint32_t branch, const IrInst *phi, uint32_t block,
                           const Asked *outer) {
  const Scan *scan = holding->scan;
  const IrInst *end = ir_terminator(scan->fn, block);
  if (end->block_count < 2) return true;
  return scan->cfg->loop_of[block] == scan->cfg->loop_of[phi->block] &&
         is_alike(holding, branch, end->ops[0], outer);
}

// Do all come to the phi by one way? What decides stands behind the last block by which all ways lead; or, for the head of a loop around the
// branch, whose variables were alike in the round before, in the loop, if there are several ways back.
static bool comes_alike(const Holding *holding, uint32_t branch, const IrInst *phi, const Asked *outer) {
  const Scan *scan = holding->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t loop = cfg->loop_of[phi->block], top = cfg->idom[phi->block], ways = 0;
  bool is_head = loop != CFG_NONE && cfg->loops.items[loop].header == phi->block;
  if (is_head && !cfg_loop_contains(cfg, loop, branch)) return false;
  for (uint32_t i = 0; i < phi->block_count; i++)
    ways += !is_head || cfg_loop_contains(cfg, loop, phi->blocks[i]);
  for (uint32_t i = 0; i < phi->block_count && ways > 1; i++) {
    if (is_head && !cfg_loop_contains(cfg, loop, phi->blocks[i])) continue;
    if (!is_alike_there(holding, branch, phi, phi->blocks[i], outer)) return false;
    CfgEdges deps = cfg_all_control_deps(cfg, phi->blocks[i], scan->arena);
    for (uint32_t d = 0; d < deps.count; d++) {
      uint32_t from = deps.items[d].from;
      bool decides = is_head ? cfg_loop_contains(cfg, loop, from) : cfg_dominates(cfg, top, from);
      if (decides && !is_alike_there(holding, branch, phi, from, outer)) return false;
    }
  }
  return true;
}

// Is the value one for all threads of the grid that come to the branch behind the same barriers, if they went the same way so far? By induction
// over the rounds of the loops around it.
static bool is_alike(const Holding *holding, uint32_t branch, IrRef ref, const Asked *outer) {
  const Scan *scan = holding->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  Asked here = {ref, outer, outer ? outer->depth + 1 : 0};
  for (const Asked *asked = outer; asked; asked = asked->outer)
    if (asked->ref == ref) return true;
  if (!inst) return true; // a constant, or what the launch gives to all
  if (here.depth >= ALIKE_DEPTH || ir_inst_is(inst, IR_ATOMIC | IR_OPAQUE | IR_LANES)) return false;
  if (inst->op == IR_SREG) return is_of_launch((IrSreg)inst->imm);
  if (inst->op == IR_PHI && !comes_alike(holding, branch, inst, &here)) return false;
  if (inst->op == IR_LOAD ? !is_still(holding, (uint32_t)(inst - scan->fn->insts.items))
                          : ir_op_class((IrOp)inst->op) > IR_CLASS_VALUE)
    return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_alike(holding, branch, inst->ops[i], &here)) return false;
  return true;
}

// A block that comes to no barrier any more lets those of its cluster go on, and keeps those of the grid waiting.
static void tell_left_blocks(const Holding *holding, const Point *barrier) {
  Scan *scan = holding->scan;
  CfgEdges deps = cfg_all_control_deps(scan->cfg, barrier->block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++) {
    CfgEdge edge = deps.items[d];
    BarrierFork fork = {barrier->inst, edge.from, edge.to, true};
    const IrInst *end = ir_terminator(scan->fn, edge.from);
    if (end->op == IR_BR || !leaves_grid(holding, barrier, edge)) continue;
    uint32_t known = scan->result->findings.count;
    BranchAnswer answer = ask_fork(holding, barrier, &fork);
    bool is_shown = scan->result->findings.count > known;
    if (is_shown || (answer != BRANCH_UNIFORM && !is_same_in_each_round(holding, edge) &&
                     !is_alike(holding, edge.from, end->ops[0], NULL)))
      scan_undecided(
          scan, scan->fn->insts.items[barrier->inst].loc,
          is_shown
              ? "the barrier of the grid at line %u waits for blocks that have left by the branch at line %u"
              : "the barrier of the grid at line %u waits without end if a block has left by the branch at "
                "line "
                "%u, which was not proved to be the same for all of them",
          ir_loc(scan->module, scan->fn->insts.items[barrier->inst].loc)->line,
          ir_loc(scan->module, end->loc)->line);
  }
}

static void check_scope(Scan *scan, IrScope scope, Extent extent) {
  bool is_any = false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    is_any |= scan->points.items[p].scope == scope;
  if (!is_any) return;
  Holding holding = make_holding(scan, couple_of(extent), false);
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].scope == scope) {
      check_between_blocks(&holding, &scan->points.items[p]);
      tell_left_blocks(&holding, &scan->points.items[p]);
    }
}

void divergence_check(Scan *scan) {
  ASSERT(scan->reaches && !points_know_divergent(scan)); // before divergence_find
  bool has_block_barrier = false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    has_block_barrier |= point_is_of_all(&scan->points.items[p]);
  if (!has_block_barrier) return;
  Holding holding = make_holding(scan, couple_of(EXTENT_INTRA_BLOCK), true);
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (point_is_of_all(&scan->points.items[p])) check_barrier(&holding, &scan->points.items[p]);
  check_scope(scan, IR_SCOPE_CLUSTER, EXTENT_CLUSTER);
  check_scope(scan, IR_SCOPE_DEVICE, EXTENT_INTER_BLOCK);
}

// ---- barriers of a part
// Nodes that a thread may come to behind divergent barriers, out of step with others.
static const uint8_t *find_out_of_step(Scan *scan, Couple couple) {
  uint8_t *nodes = arena_array(scan->arena, scan->nodes.count + 1, uint8_t);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point->is_divergent || !point_would_order(point, couple)) continue;
    const uint8_t *stretch = node_stretch(scan, point->node, couple);
    for (uint32_t n = 0; n < scan->nodes.count; n++)
      nodes[n] |= stretch[n];
  }
  return nodes;
}

// Two threads whom the barrier holds together part at the branch: does it matter? Not if the one that goes
// round it comes to no barrier any more and was in step until then: all it does comes before its end.
static bool matters(const Holding *holding, const uint8_t *out_of_step, const Point *barrier, CfgEdge edge) {
  return out_of_step[holding->scan->node_first[edge.from + 1] - 1] ||
         runs_on(holding, barrier, edge.from, edge.to);
}

static bool may_part(const Holding *holding, const uint8_t *out_of_step, const Point *barrier) {
  Scan *scan = holding->scan;
  bool is_of_warp = holding->couple.extent == EXTENT_INTRA_WARP;
  CfgEdges deps = cfg_all_control_deps(scan->cfg, barrier->block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++) {
    CfgEdge edge = deps.items[d];
    if (!branch_is_uniform(holding, edge.from) && matters(holding, out_of_step, barrier, edge) &&
        ask_branch(holding, barrier, edge) != BRANCH_UNIFORM)
      return !is_of_warp || !together_is_by_warp(scan, barrier->block); // by what the warp has voted
  }
  return false;
}

// true: there are more parted ones than before.
static bool find_divergent(Scan *scan, Couple couple) {
  bool is_any = false, has_part = false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    has_part |= !point_is_of_all(&scan->points.items[p]) && point_orders(&scan->points.items[p], couple);
  if (!has_part) return false;
  Holding holding = make_holding(scan, couple, false);
  const uint8_t *out_of_step = find_out_of_step(scan, couple);
  bool *parts = arena_array(scan->arena, scan->points.count, bool);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    parts[p] =
        !point_is_of_all(point) && point_orders(point, couple) && may_part(&holding, out_of_step, point);
    is_any |= parts[p];
  }
  for (uint32_t p = 1; p < scan->points.count; p++)
    scan->points.items[p].is_divergent |= parts[p];
  return is_any;
}

// All lanes of the warp, where no part is named.
static Cover cover_of(const Scan *scan, const Point *point) {
  return point->cover ? scan_text(scan)->covers.items[point->cover - 1]
                      : (Cover){.kind = COVER_MASK, .value = UINT32_MAX};
}

// May an arrival at the one meet one at the other? Not if the two name other threads.
static bool may_join(const Scan *scan, const Point *one, const Point *two) {
  const Cover a = cover_of(scan, one), b = cover_of(scan, two);
  if (one->cover == two->cover || a.kind == COVER_NUMBER || b.kind == COVER_NUMBER) return true;
  if (a.kind == COVER_RANGE || b.kind == COVER_RANGE) return false; // barriers of other numbers
  bool are_alike = a.kind == b.kind && (a.kind == COVER_TILE || a.kind == COVER_MASK);
  return !are_alike || a.predicate || b.predicate || a.value == b.value;
}

bool divergence_has_unknown_lanes(Scan *scan, uint32_t index) {
  ASSERT(scan_has_inst(scan, index));
  const IrInst *inst = &scan->fn->insts.items[index];
  if (inst->op != IR_BARRIER || inst->scope != IR_SCOPE_WARP ||
      scan->cfg->rpo_number[inst->block] == CFG_NONE)
    return false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == index) return false;
  return !uniform_comes_to(scan, inst->block);
}

static bool is_behind_unknown(Scan *scan, const Point *point) {
  bool is_found = false;
  CoverKind kind = cover_of(scan, point).kind;
  if (kind == COVER_RANGE || kind == COVER_NUMBER) return false; // a barrier with a number
  for (uint32_t i = 0; i < scan->fn->insts.count && !is_found; i++)
    is_found = divergence_has_unknown_lanes(scan, i) && graph_reaches(scan, i, point->inst);
  return is_found;
}

// The lanes are those of a vote's answer, and may have got that of another vote.
static bool is_of_other_votes(Scan *scan, const Point *point) {
  const Cover cover = cover_of(scan, point);
  if (cover.kind != COVER_BALLOT && cover.kind != COVER_MATCH) return false;
  const IrInst *inst = &scan->fn->insts.items[point->inst];
  return inst->op_count > 0 && ir_ref_kind(inst->ops[0]) == IR_REF_INST &&
         !together_meets(scan, ir_ref_index(inst->ops[0]));
}

// A barrier behind one to which not all threads come that it holds together: who went round that one meets here whoever is still there.
static bool spread_divergent(Scan *scan) {
  bool is_any = false;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    Point *point = &scan->points.items[p];
    if (!point->is_divergent && !point_is_of_all(point) && point->inst != CFG_NONE &&
        is_behind_unknown(scan, point))
      point->is_divergent = is_any = true;
    for (uint32_t q = 1; q < scan->points.count && !point->is_divergent && !point_is_of_all(point); q++) {
      const Point *before = &scan->points.items[q];
      point->is_divergent = before->is_divergent && !point_is_of_all(before) &&
                            may_join(scan, before, point) && graph_reaches(scan, before->inst, point->inst);
      is_any |= point->is_divergent;
    }
  }
  return is_any;
}

void divergence_find(Scan *scan) {
  ASSERT(!points_know_divergent(scan)); // once
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].cover && is_of_other_votes(scan, &scan->points.items[p]))
      scan_cover_nobody(scan, scan->points.items[p].cover);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t covering = 0; covering < 1u << scan_text(scan)->covers.count; covering++) {
      if (scan_covers_block(scan, covering))
        changed |= find_divergent(scan, (Couple){.extent = EXTENT_INTRA_BLOCK, .covering = covering});
      changed |= find_divergent(scan, (Couple){.extent = EXTENT_INTRA_WARP, .covering = covering});
    }
    changed |= spread_divergent(scan);
  }
  points_set_divergent_known(scan);
}
