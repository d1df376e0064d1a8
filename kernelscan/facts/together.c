// Do all threads of a block, or all lanes of a warp, come to a place together, though branches on which that
// depends have conditions of the threads' own? And do lanes that come to an operation of a warp (a vote, a shuffle) meet in it? `for (p = threadIdx.x; p < 256; p += 256)` is gone round once
// by each of 256 threads, and a loop that goes by what a whole warp has voted as often by each of its lanes.
// Method: where divergence analysis (uniform.c) does not answer, the solver is asked whether two such threads,
// in the same iteration of each loop around the branch, can take different edges. By induction over the steps
// of the threads they then take the same ones: what a branch hangs on was computed before it, so that it may
// be taken for granted that earlier ones were taken alike, which is what the votes in its condition need.
// Lanes meet in an operation of a warp only if they have made as many before of those that it could be joined with, wherever in the text these stand
// (uniform_may_meet): that is asked of each that control leads from to this one. Where a branch on which that hangs goes by the vote itself (a loop in
// a loop that ends by a vote), the lanes are taken to meet in earlier votes as they are taken to have gone together, in the same induction. Soundness: under; all branches that were taken for granted while one of them was asked stand or fall
// together.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/proofs.h"

enum { NOT_ASKED, ASKED, ALIKE, APART, GRANTED };

// What is kept of a scan.
typedef struct Together {
  uint8_t *states[2];     // of a block, of a warp: by the branch's basic block
  VEC(uint32_t) asked[2]; // branches that are taken for granted
  uint32_t depth[2];
  uint8_t
      *meets; // by instruction; ASKED: an answer is under way; GRANTED: and was taken for granted meanwhile
  uint32_t meeting; // answers that are under way
  uint32_t refused; // branches, so far
} Together;

static Together *together_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, together, Together);
}

static uint8_t *states_of(Scan *scan, Extent extent, int *kind) {
  *kind = extent == EXTENT_INTRA_WARP;
  uint8_t **states = &together_of(scan)->states[*kind];
  if (!*states) *states = arena_array(scan->arena, scan->cfg->block_count, uint8_t);
  return *states;
}

// Two threads of the extent at the branch, in one iteration of each loop around it.
static Frame *frame_at(Scan *scan, Extent extent, uint8_t owner, ExprRef *block_idx,
                       const ExprRef *iterations) {
  ExprRef *own = arena_copy(scan->arena, iterations, (scan->cfg->loops.count + 1) * sizeof *iterations);
  return frame_make(scan, view_make(scan, extent, owner, block_idx), own, NULL);
}

static ExprRef *shared_iterations(Scan *scan, uint32_t branch) {
  ExprRef *iterations = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  for (uint32_t l = scan->cfg->loop_of[branch]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    iterations[l] = expr_new_sym(scan->pool, (ExprSym){.name = "a round of both",
                                                       .width = 32,
                                                       .owner = OWNER_UNIFORM,
                                                       .kind = SYM_ITERATION,
                                                       .hi = INT32_MAX});
  return iterations;
}

static bool is_taken_alike(Scan *scan, Extent extent, CfgEdge edge) {
  const IrInst *end = ir_terminator(scan->fn, edge.from);
  if (!end || end->op != IR_CONDBR) return false;
  ExprRef block_idx[3] = {0}, *iterations = shared_iterations(scan, edge.from), takes[2];
  Goal goal = {0};
  Frame *frames[2];
  for (int t = 0; t < 2; t++) {
    frames[t] = frame_at(scan, extent, t ? OWNER_THREAD2 : OWNER_THREAD1, block_idx, iterations);
    takes[t] = frame_edge_condition(frames[t], edge.from, edge.to);
    if (!takes[t]) return false;
    goal_add(scan, &goal, frame_chain_condition(frames[t], 0, edge.from), GOAL_CONTEXT, 0);
    goal_add_view(scan, &goal, frames[t]->view);
  }
  goal_add(scan, &goal, takes[0], GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, takes[1]), GOAL_CONFLICT, 0);
  Extent any = extent == EXTENT_INTRA_WARP ? extent : EXTENT_NONE; // of one warp or of two
  goal_add_extent(scan, &goal, any, frames[0]->view, frames[1]->view);
  goal_add_launch(scan, &goal);
  for (int t = 0; t < 2; t++)
    rounds_add(scan, &goal, frames[t]);
  votes_add(scan, &goal, extent, frames[0], frames[1]);
  if (goal.is_false) return true;
  uint32_t line = ir_loc(scan->module, end->loc)->line;
  SolverAnswer answer =
      goal_look(scan, &goal, false, arena_printf(scan->arena, "taken alike at line %u", line));
  if (answer.verdict != VERDICT_SAFE) return false;
  proofs_keep_leaning(scan, &answer);
  return true;
}

// All that was taken for granted stands, or none of it.
static void settle(Together *together, int kind, uint8_t state) {
  together->refused += state == APART && together->asked[kind].count > 0;
  for (uint32_t i = 0; i < together->asked[kind].count; i++)
    together->states[kind][together->asked[kind].items[i]] = state;
  together->asked[kind].count = 0;
}

static bool ask(Scan *scan, Extent extent, CfgEdge edge) {
  int kind = 0;
  uint8_t *states = states_of(scan, extent, &kind);
  if (states[edge.from] == APART) return false;
  if (states[edge.from] != NOT_ASKED) return true;
  Together *together = together_of(scan);
  states[edge.from] = ASKED;
  vec_push(scan->arena, &together->asked[kind], edge.from);
  together->depth[kind]++;
  bool is_alike = is_taken_alike(scan, extent, edge) && states[edge.from] != APART;
  together->depth[kind]--;
  if (!is_alike) settle(together, kind, APART);
  if (is_alike && together->depth[kind] == 0 && !together->meeting) settle(together, kind, ALIKE);
  return is_alike;
}

static bool is_asked_alike(Scan *scan, CfgEdge edge, void *context) {
  return ask(scan, *(const Extent *)context, edge);
}

bool together_comes_to(Scan *scan, Extent extent, uint32_t block) {
  ASSERT(scan_is_extent(extent));
  ASSERT(scan_has_block(scan, block));
  return uniform_comes_to_by(scan, block, is_asked_alike, &extent);
}

// ---- operations of a warp
bool together_is_by_warp(Scan *scan, uint32_t block) {
  ASSERT(scan_has_block(scan, block));
  return uniform_comes_to(scan, block) || together_comes_to(scan, EXTENT_INTRA_WARP, block);
}

// Which lanes come there in a round is not asked, but that whoever is in that round of the loops around it has come there as often: each
// way round a loop passes it, or the loop within that holds it, and loops within others are left by all in one round.
static bool is_once_in_each_round(Scan *scan, uint32_t block) {
  const Cfg *cfg = scan->cfg;
  bool is_come_to = uniform_comes_to(scan, block);
  uint32_t passed = block;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent) {
    const CfgLoop *loop = &cfg->loops.items[l];
    for (uint32_t i = 0; i < loop->latches.count; i++)
      if (!is_come_to && !cfg_dominates(cfg, passed, loop->latches.items[i])) return false;
    if (loop->parent != CFG_NONE && scan->alike.exits_diverge[l]) return false;
    passed = loop->header;
  }
  return true;
}

// Lanes at the operation, in one round of the loops around it, have made the other one equally often.
static bool is_made_as_often(Scan *scan, uint32_t other, uint32_t operation) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[other].block, loop = cfg->loop_of[block];
  if (!graph_reaches(scan, other, operation)) return true;
  bool is_around = loop == CFG_NONE || cfg_loop_contains(cfg, loop, scan->fn->insts.items[operation].block);
  bool is_before = graph_dominates(scan, other, operation),
       is_behind = loop != CFG_NONE && !graph_reaches_in_round(scan, loop, other, operation);
  if (is_around && (is_before || is_behind) && is_once_in_each_round(scan, block)) return true;
  return together_is_by_warp(scan, block);
}

static bool find_meets(Scan *scan, uint32_t operation) {
  const IrInst *inst = &scan->fn->insts.items[operation];
  if (!is_once_in_each_round(scan, inst->block) && !together_is_by_warp(scan, inst->block)) return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (i != operation && uniform_may_meet(scan, &scan->fn->insts.items[i], inst) &&
        !is_made_as_often(scan, i, operation))
      return false;
  return true;
}

bool together_is_open(const Scan *scan) {
  const Together *together = together_of(scan);
  return together->depth[0] || together->depth[1];
}

static void settle_all(Together *together, uint8_t state) {
  settle(together, 0, state);
  settle(together, 1, state);
}

// While branches are taken for granted, so is what hangs on them: that is kept for nobody. What a branch of a loop goes by may be the answer of
// a vote in it: that lanes meet in the vote is taken for granted like earlier branches, on which alone it hangs, and stands or falls with them.
bool together_meets(Scan *scan, uint32_t operation) {
  ASSERT(scan_has_inst(scan, operation));
  Together *together = together_of(scan);
  if (!together->meets) together->meets = arena_array(scan->arena, scan->fn->insts.count, uint8_t);
  uint8_t *state = &together->meets[operation];
  if (*state == ASKED && together_is_open(scan)) *state = GRANTED;
  if (*state != NOT_ASKED) return *state == ALIKE || *state == GRANTED;
  *state = ASKED;
  uint32_t refused = together->refused;
  together->meeting++;
  bool is_met = find_meets(scan, operation) && together->refused == refused;
  together->meeting--;
  bool is_settled = !together_is_open(scan) && !together->meeting;
  if (!is_met && *state == GRANTED) settle_all(together, APART);
  if (is_settled) settle_all(together, ALIKE);
  *state = is_met && !is_settled ? NOT_ASKED : is_met ? ALIKE : APART;
  return is_met;
}

bool together_hands_to_all(Scan *scan, uint32_t operation) {
  ASSERT(scan_has_inst(scan, operation));
  return !together_is_open(scan) && together_is_by_warp(scan, scan->fn->insts.items[operation].block) &&
         together_meets_all(scan, operation);
}

bool together_meets_all(Scan *scan, uint32_t operation) {
  ASSERT(scan_has_inst(scan, operation));
  const IrInst *insts = scan->fn->insts.items;
  if (!together_meets(scan, operation)) return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (i != operation && uniform_may_meet(scan, &insts[i], &insts[operation]) &&
        !graph_reaches(scan, i, operation) && !graph_dominates(scan, operation, i) &&
        !together_is_by_warp(scan, insts[i].block) && !together_is_by_warp(scan, insts[operation].block))
      return false;
  return true;
}
