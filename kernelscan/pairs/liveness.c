// Can each access happen at all, and inside of its object, as all questions take for granted (A7)? A question whose
// conditions contradict each other is no proof if one of its accesses never happens, or if what is taken for granted of
// it cannot be. Method: for each access that was part of such a question and of no other, one thread alone is asked for,
// on every way from every point, and then for one that is inside. Where all questions about an access were settled
// without the solver, the second is seen from intervals. Soundness: an access that no thread makes is listed; one that
// control flow reaches and no way does leaves the kernel undecided, and so does one that is never inside. One that is
// inside for some threads counts as inside for all.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/proofs.h"
#include "kernelscan/operations.h"

// Is there a thread for which this holds under the launch? Only that there is none says anything, so it is no more than a look.
static Verdict ask_thread(Scan *scan, const View *view, ExprRef condition, const char *name) {
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return VERDICT_DEAD;
  SolverAnswer answer = goal_refute(scan, &goal, name);
  if (answer.verdict != VERDICT_SAFE) return answer.verdict;
  proofs_keep_leaning(scan, &answer);
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

// ---- outside of its object
// By the interval of the place.
static bool is_beyond(const Scan *scan, const Instance *instance, const Target *target) {
  int64_t lo = 0, hi = 0, least = 0, length = 0, size = 0;
  ExprRef bytes = conflict_object_size(scan, target->object);
  if (!bytes) return false;
  expr_range(scan->pool, target->offset, &lo, &hi);
  expr_range(scan->pool, bytes, &least, &size);
  if (!expr_is_const(scan->pool, instance->length, &length)) length = 1;
  return hi < 0 || (lo >= 0 && size >= 0 && lo > size - length);
}

// Under the conditions of the launch and the way; without asking, only what is plainly so.
static bool is_outside(Scan *scan, const View *view, const Instance *instance, const Target *target,
                       bool may_ask, const char *name) {
  Goal goal = {0};
  conflict_add_bounds(scan, &goal, instance, target);
  if (goal.is_false || is_beyond(scan, instance, target)) return true;
  if (!may_ask) return false;
  goal_add(scan, &goal, instance->condition, GOAL_CONTEXT, 0);
  if (target->condition) goal_add(scan, &goal, target->condition, GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  return goal.is_false || goal_refute(scan, &goal, name).verdict == VERDICT_SAFE;
}

static bool is_never_inside(Pairs *pairs, uint32_t access, bool may_ask, const char *name) {
  Scan *scan = pairs->scan;
  bool is_found = false;
  for (uint32_t m = 0; m < pairs->meetings.count; m++) {
    Meeting *meeting = pairs->meetings.items[m];
    for (uint32_t phase = 0; phase <= meeting->graph->loop_count; phase++) {
      const Instance *instance = meeting_instance(meeting, 0, access, phase);
      for (uint32_t t = 0; instance && t < instance->address.target_count; t++) {
        const Target *target = &instance->address.targets[t];
        if (!is_outside(scan, meeting->views[0], instance, target, may_ask, name)) return false;
        is_found = true;
      }
    }
  }
  return is_found;
}

static const char *reach_name(const Pairs *pairs, uint32_t access) {
  const Scan *scan = pairs->scan;
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[access].inst].loc);
  return arena_printf(scan->arena, "%s reaches line %u:%u", scan->fn->display, loc->line, loc->column);
}

static void tell_outside(Pairs *pairs, uint32_t access) {
  scan_undecided(
      pairs->scan, pairs->scan->fn->insts.items[pairs->scan->accesses.items[access].inst].loc,
      "this access is outside of its object whenever it is made, so nothing is known of what it touches");
}

// No question about it has come to the solver.
static void settle_untold(Pairs *pairs, uint32_t access) {
  bool is_asked = false;
  for (uint32_t i = 0; i < pairs->states.count && !is_asked; i++)
    is_asked = pairs->states.items[i].a == access || pairs->states.items[i].b == access;
  const char *name = is_asked ? reach_name(pairs, access) : NULL;
  if (is_asked && is_never_inside(pairs, access, false, name) && has_possible_way(pairs, access, name))
    tell_outside(pairs, access);
}

// ---- at all
// No way to the access is possible. Either no thread gets there under this launch, which is told; or the ways
// contradict what the control flow says, and then nothing said about the access can be believed.
static void settle_liveness(Pairs *pairs, uint32_t access) {
  Scan *scan = pairs->scan;
  const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[access].inst];
  const SrcLoc *loc = ir_loc(scan->module, inst->loc);
  const char *name = reach_name(pairs, access);
  if (has_possible_way(pairs, access, name)) {
    if (is_never_inside(pairs, access, true, name)) tell_outside(pairs, access);
    return;
  }
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
  for (uint32_t a = 0; a < pairs->scan->accesses.count; a++) {
    if (pairs->liveness[a] == LIVE_SUSPECT) settle_liveness(pairs, a);
    if (pairs->liveness[a] == LIVE_NOT_ASKED) settle_untold(pairs, a);
  }
}
