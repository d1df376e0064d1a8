// Do all threads of a block reach the same barriers? For each branch that decides whether a barrier is
// reached, can two threads that start together at the same point decide differently, while the one that goes
// round the barrier runs on? Method: control dependence (Ferrante, Ottenstein, Warren 1987); branches that
// are uniform by divergence analysis are dismissed, others become goals in which both threads stand at the
// branch, in the same iteration of loops that cannot be gone round without a barrier, in any of others.
// Soundness: a thread that exits counts as arrived (a remark; below sm_70 it does not). A branch that is not
// proved uniform leaves the kernel undecided; only a model over launch parameters and ids whose two threads,
// run one after the other, come to different barriers (replay_barriers.c) is reported as a finding.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/internal.h"

// To leave a barrier object is as to end.
bool barriers_is_leaving(const IrInst *inst) {
  return inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_ARRIVE_DROP;
}

static bool block_has_work(const Scan *scan, uint32_t block) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[a].inst];
    if (inst->block == block && !barriers_is_leaving(inst)) return true;
  }
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].block == block) return true;
  return false;
}

bool point_is_of_all(const Point *point) {
  return point->scope >= IR_SCOPE_BLOCK && !point->cover;
}

static bool has_barrier(const Scan *scan, uint32_t block) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].block == block && point_is_of_all(&scan->points.items[p])) return true;
  return false;
}

// Taking another edge than `toward` at the branch, does the thread go round the barrier and run on: come to a
// barrier, or to work that the others do after it?
static bool runs_on(Scan *scan, const Point *barrier, uint32_t branch, uint32_t toward) {
  const Cfg *cfg = scan->cfg;
  uint8_t *after = cfg_reachable(cfg, barrier->block, CFG_NONE, scan->arena);
  for (uint32_t s = cfg->succ_first[branch]; s < cfg->succ_first[branch + 1]; s++) {
    if (cfg->succs[s] == toward) continue;
    uint8_t *round = cfg_reachable(cfg, cfg->succs[s], barrier->block, scan->arena);
    for (uint32_t b = 0; b < cfg->block_count; b++)
      if (round[b] && (has_barrier(scan, b) || (after[b] && block_has_work(scan, b)))) return true;
  }
  return false;
}

typedef enum BranchAnswer { BRANCH_UNIFORM, BRANCH_DIVERGENT, BRANCH_UNDECIDED } BranchAnswer;

static bool needs_memory(Scan *scan, const Goal *goal) {
  const uint8_t *occurs = goal_occurrences(scan, goal);
  for (ExprRef ref = 1; ref <= expr_count(scan->pool); ref++) {
    if (!occurs[ref]) continue;
    const ExprNode *node = expr_node(scan->pool, ref);
    unsigned kind = node->op == EXPR_SYM   ? expr_sym_info(scan->pool, (uint32_t)node->value)->kind
                    : node->op == EXPR_APP ? expr_func_info(scan->pool, (uint32_t)node->value)->kind
                                           : SYM_HOST_VALUE;
    if (kind == SYM_MEMORY || kind == SYM_UNKNOWN) return true;
  }
  return false;
}

static Goal branch_goal(Scan *scan, Meeting *meeting, uint32_t state, uint32_t phase, uint32_t branch,
                        uint32_t toward, bool *is_understood) {
  Goal goal = {0};
  ExprRef takes[2];
  Frame *frames[2];
  for (int t = 0; t < 2; t++) {
    goal_add(scan, &goal, meeting_condition(meeting, t, state, branch), GOAL_CONTEXT, 0);
    goal_add_view(scan, &goal, meeting->views[t]);
    frames[t] = meeting_frame(meeting, t, phase, branch);
    takes[t] = frame_edge_condition(frames[t], branch, toward);
    if (takes[t]) continue;
    *is_understood = false;
    return goal;
  }
  goal_add(scan, &goal, takes[0], GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, takes[1]), GOAL_CONFLICT, 0);
  goal_add_extent(scan, &goal, EXTENT_COUNT, meeting->views[0], meeting->views[1]);
  goal_add_launch(scan, &goal);
  for (int t = 0; t < 2; t++)
    goal_add_rounds(scan, &goal, frames[t]);
  return goal;
}

static BranchAnswer ask_at(Scan *scan, Meeting *meeting, const Point *barrier, uint32_t phase,
                           uint32_t branch, uint32_t toward) {
  uint32_t node = scan->node_first[branch + 1] - 1;
  uint32_t state = ways_state(meeting->graph, node, phase);
  if (state == CFG_NONE) return BRANCH_UNIFORM;
  bool is_understood = true;
  Goal goal = branch_goal(scan, meeting, state, phase, branch, toward, &is_understood);
  if (!is_understood) return BRANCH_UNDECIDED;
  const IrInst *end = ir_terminator(scan->fn, branch);
  const char *name = arena_printf(scan->arena, "%s divergence at line %u", scan->fn->display,
                                  ir_loc(scan->module, end->loc)->line);
  SolverAnswer answer = goal_decide(scan, &goal, name);
  if (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD) return BRANCH_UNIFORM;
  if (answer.verdict != VERDICT_RACE || needs_memory(scan, &goal)) return BRANCH_UNDECIDED;
  ReplayQuery query = {.extent = EXTENT_INTRA_BLOCK,
                       .answer = &answer,
                       .views = {meeting->views[0], meeting->views[1]},
                       .goal = &goal};
  if (!replay_parts_at_barrier(scan, &query)) return BRANCH_UNDECIDED;
  report_divergence(scan, barrier, (uint32_t)(end - scan->fn->insts.items), &query);
  return BRANCH_DIVERGENT;
}

static BranchAnswer ask_branch(Scan *scan, Meeting **meetings, const Point *barrier, uint32_t branch,
                               uint32_t toward) {
  BranchAnswer worst = BRANCH_UNIFORM;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    if (!meetings[p]) continue;
    for (uint32_t phase = 0; phase <= meetings[p]->graph->loop_count; phase++) {
      BranchAnswer answer = ask_at(scan, meetings[p], barrier, phase, branch, toward);
      if (answer == BRANCH_DIVERGENT) return answer;
      if (answer == BRANCH_UNDECIDED) worst = answer;
    }
  }
  return worst;
}

static bool branch_is_uniform(const Scan *scan, uint32_t branch) {
  const IrInst *end = ir_terminator(scan->fn, branch);
  if (end->op == IR_BR) return true; // of an endless loop, which control dependence gives an end
  for (uint32_t l = scan->cfg->loop_of[branch]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent) {
    if (!scan->exits_diverge[l]) continue;
    // Threads may be in different iterations here, unless a barrier in the loop keeps them together (asked
    // for itself).
    bool has_point = false;
    for (uint32_t p = 1; p < scan->points.count; p++)
      has_point |= point_is_of_all(&scan->points.items[p]) &&
                   cfg_loop_contains(scan->cfg, l, scan->points.items[p].block);
    if (!has_point) return false;
  }
  return uniform_ref(scan, end->ops[0]);
}

static void remark_on_exit(Scan *scan, const Point *barrier, uint32_t branch) {
  const IrInst *at = &scan->fn->insts.items[barrier->inst], *end = ir_terminator(scan->fn, branch);
  UndecidedReason remark = {*ir_loc(scan->module, at->loc), NULL};
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

static void check_barrier(Scan *scan, Meeting **meetings, Point *barrier) {
  uint8_t *asked = arena_array(scan->arena, scan->cfg->block_count + 1, uint8_t);
  VEC(uint32_t) work = {0};
  vec_push(scan->arena, &work, barrier->block);
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[barrier->inst].loc);
  for (uint32_t w = 0; w < work.count; w++) {
    CfgEdges deps = cfg_control_deps(scan->cfg, work.items[w], scan->arena);
    for (uint32_t d = 0; d < deps.count; d++) {
      CfgEdge edge = deps.items[d];
      if (!asked[edge.from]) vec_push(scan->arena, &work, edge.from);
      asked[edge.from] = 1;
      if (branch_is_uniform(scan, edge.from)) continue;
      bool exits = !runs_on(scan, barrier, edge.from, edge.to);
      if (exits && scan->request->options.arch >= 70) {
        remark_on_exit(scan, barrier, edge.from);
        continue;
      }
      BranchAnswer answer = ask_branch(scan, meetings, barrier, edge.from, edge.to);
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
}

void barriers_check(Scan *scan) {
  bool has_block_barrier = false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    has_block_barrier |= point_is_of_all(&scan->points.items[p]);
  if (!has_block_barrier) return;
  ExprRef shared_block[3] = {0};
  View *one = view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD1, shared_block);
  View *two = view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD2, shared_block);
  Meeting **meetings = arena_array(scan->arena, scan->points.count, Meeting *);
  for (uint32_t p = 0; p < scan->points.count; p++)
    if (point_orders(scan, &scan->points.items[p], EXTENT_INTRA_BLOCK))
      meetings[p] = meeting_make(scan, &scan->points.items[p], EXTENT_INTRA_BLOCK, one, two);
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (point_is_of_all(&scan->points.items[p])) check_barrier(scan, meetings, &scan->points.items[p]);
}
