// Which loops are gone round at least once by every thread that comes to them? `for (j = k / 2; j > 0; j /=
// 2)` with 2 <= k <= 256 around it has no way from its head past its body, so a barrier in the body is passed
// in each round of the loop around it. Method: the exits of the loop's head, read in its first iteration in a
// frame of any iterations around it, cannot be taken under the conditions on the way there and the facts of
// the launch. Soundness: those are necessary conditions; only a proof removes a way.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"
#include "kernelscan/proofs.h"

enum { NOT_ASKED, ENTERED, MAY_BE_PASSED };

// Condition that a thread which comes to the loop leaves it at once; 0: not understood.
static ExprRef leaves_at_once(Frame *first, uint32_t loop) {
  const Scan *scan = first->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[loop].header;
  ExprRef leaves = expr_bool(scan->pool, false);
  for (uint32_t s = cfg->succ_first[header]; s < cfg->succ_first[header + 1]; s++) {
    if (cfg_loop_contains(cfg, loop, cfg->succs[s])) continue;
    ExprRef edge = frame_edge_condition(first, header, cfg->succs[s]);
    if (!edge) return 0;
    leaves = expr_or(scan->pool, leaves, edge);
  }
  return leaves;
}

static bool is_entered(Scan *scan, uint32_t loop) {
  ExprRef block_idx[3] = {0}, *iterations = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  iterations[loop] = expr_const(scan->pool, 32, 0);
  View *view = view_make(scan, EXTENT_INTER_BLOCK, OWNER_THREAD1, block_idx);
  Frame *first = frame_make(scan, view, iterations, NULL);
  ExprRef leaves = leaves_at_once(first, loop);
  if (!leaves) return false;
  Goal goal = {0};
  goal_add(scan, &goal, leaves, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, frame_chain_condition(first, 0, scan->cfg->loops.items[loop].header), GOAL_CONTEXT,
           0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  rounds_add(scan, &goal, first);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(
      scan, &goal, arena_printf(scan->arena, "the loop at line %u is passed by", loop_line(scan, loop)));
  if (answer.verdict != VERDICT_SAFE) return false;
  proofs_keep_leaning(scan, &answer);
  return true;
}

// What is kept of a scan.
typedef struct Kept {
  uint8_t *entered; // by loop, for any thread; NULL: not to be asked yet (entered_start)
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, entered, Kept);
}

bool entered_surely(Scan *scan, uint32_t loop) {
  BUG_UNLESS(loop < scan->cfg->loops.count);
  if (!kept_of(scan)->entered) return false;
  uint8_t *known = &kept_of(scan)->entered[loop];
  if (*known == NOT_ASKED) {
    *known = MAY_BE_PASSED; // also while it is asked
    if (is_entered(scan, loop)) *known = ENTERED;
  }
  return *known == ENTERED;
}

void entered_start(Scan *scan) {
  ASSERT(!kept_of(scan)->entered); // once
  kept_of(scan)->entered = arena_array(scan->arena, scan->cfg->loops.count + 1, uint8_t);
}
