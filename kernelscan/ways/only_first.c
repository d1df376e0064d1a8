// Is thread 0 alone the one that executes a block of the graph? Method: that another thread comes there is
// asked of the solver, once for each block. Soundness: conditions that are not understood are dropped, so a
// yes is a proof.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways.h"

enum { NOT_ASKED, ONLY_FIRST, NOT_KNOWN };

// What is kept of a scan.
typedef struct Kept {
  uint8_t *only_first; // by block: thread 0 alone of any block (view_anyone) executes it
} Kept;

bool only_first_executes(Scan *scan, uint32_t block) {
  BUG_UNLESS(block < scan->fn->blocks.count);
  if (scan->cfg->idom[block] == block) return false;
  Kept *kept = SCAN_STATE_OF(scan, only_first, Kept);
  if (!kept->only_first) kept->only_first = arena_array(scan->arena, scan->fn->blocks.count, uint8_t);
  uint8_t *known = &kept->only_first[block];
  if (*known != NOT_ASKED) return *known == ONLY_FIRST;
  *known = NOT_KNOWN; // also while it is asked
  Frame *any = frame_make(scan, view_anyone(scan), NULL, NULL);
  ExprRef passes = frame_chain_condition(any, 0, block), is_first = expr_bool(scan->pool, true);
  for (int axis = 0; axis < 3; axis++)
    is_first = expr_and(scan->pool, is_first,
                        expr_eq(scan->pool, any->view->thread_idx[axis], expr_const(scan->pool, 32, 0)));
  Goal goal = {0};
  goal_add(scan, &goal, passes, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, is_first), GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, any->view);
  goal_add_launch(scan, &goal);
  bool is_alone =
      goal.is_false || goal_satisfiable(scan, &goal, "another thread than the first").verdict == VERDICT_SAFE;
  *known = is_alone ? ONLY_FIRST : NOT_KNOWN;
  return is_alone;
}
