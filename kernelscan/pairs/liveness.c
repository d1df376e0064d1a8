// Can each access happen at all? A question whose conditions contradict each other is no proof if one of its
// accesses never happens. Method: for each access that was part of such a question and of no other, one
// thread alone is asked for, on every way from every point. Soundness: an access that no thread makes is
// listed; one that control flow reaches and no way does leaves the kernel undecided.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/proofs.h"
#include "kernelscan/operations.h"

// Is there a thread for which this holds under the launch?
static Verdict ask_thread(Scan *scan, const View *view, ExprRef condition, const char *name) {
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return VERDICT_DEAD;
  SolverAnswer answer = goal_satisfiable(scan, &goal, name);
  if (answer.verdict != VERDICT_SAFE) return answer.verdict;
  pairs_keep_proof(scan, &answer);
  return VERDICT_DEAD;
}

static bool has_possible_way(Pairs *pairs, uint32_t access, const char *name) {
  for (uint32_t m = 0; m < pairs->meetings.count; m++) {
    Meeting *meeting = pairs->meetings.items[m];
    for (uint32_t phase = 0; phase <= meeting->graph->loop_count; phase++) {
      const Instance *instance = meeting_instance(meeting, 0, access, phase);
      if (instance && ask_thread(pairs->scan, meeting->views[0], instance->condition, name) != VERDICT_DEAD)
        return true;
    }
  }
  return false;
}

// No way to the access is possible. Either no thread gets there under this launch, which is told; or the ways
// contradict what the control flow says, and then nothing said about the access can be believed.
static void settle_liveness(Pairs *pairs, uint32_t access) {
  Scan *scan = pairs->scan;
  const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[access].inst];
  const SrcLoc *loc = ir_loc(scan->module, inst->loc);
  const char *name =
      arena_printf(scan->arena, "%s reaches line %u:%u", scan->fn->display, loc->line, loc->column);
  if (has_possible_way(pairs, access, name)) return;
  ExprRef shared_block[3] = {0};
  View *view = view_make(scan, EXTENT_INTER_BLOCK, OWNER_THREAD1, shared_block);
  Frame *frame = frame_make(scan, view, NULL, NULL);
  if (ask_thread(scan, view, meeting_block_condition(frame, inst->block), name) == VERDICT_DEAD) {
    vec_push(scan->arena, &scan->result->dead_accesses, *loc);
    return;
  }
  scan_undecided(scan, inst->loc, "the conditions of every way to this access contradict each other");
}

void pairs_settle_liveness(Pairs *pairs) {
  for (uint32_t a = 0; a < pairs->scan->accesses.count; a++)
    if (pairs->liveness[a] == LIVE_SUSPECT) settle_liveness(pairs, a);
}
