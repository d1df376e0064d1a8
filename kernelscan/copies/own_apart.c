// Is a thread's own asynchronous copy over when the thread makes an access, or do the two touch no common
// byte? Method: the copy and the access become one goal about one thread. Soundness: as in pairs.c; a copy of
// which it is not certain whether a wait covers it is asked of its phases as well.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/copies.h"
#include "kernelscan/phases.h"
#include "kernelscan/proofs.h"

static bool is_settled(Scan *scan, const SolverAnswer *answer) {
  if (answer->verdict == VERDICT_SAFE || answer->is_refuted) proofs_keep_leaning(scan, answer);
  return answer->verdict == VERDICT_SAFE || answer->verdict == VERDICT_DEAD;
}

// Never at a common byte, or the copy is over by then.
OwnAsked own_ask(Scan *scan, const Instance *copy, const Instance *other, const Target *targets[2]) {
  ASSERT(scan_has_access(scan, copy->access) && copy->frame);
  ASSERT(scan_has_access(scan, other->access) && other->frame);
  OwnAsked asked = {0};
  Goal *goal = &asked.goal;
  goal_add(scan, goal, conflict_condition(scan, copy, targets[0], other, targets[1]), GOAL_CONFLICT, 0);
  goal_add(scan, goal, copy->condition, GOAL_CONTEXT, 0);
  goal_add(scan, goal, other->condition, GOAL_CONTEXT, 0);
  goal_add_view(scan, goal, copy->frame->view);
  goal_add_launch(scan, goal);
  conflict_add_bounds(scan, goal, copy, targets[0]);
  conflict_add_bounds(scan, goal, other, targets[1]);
  asked.is_apart = goal->is_false;
  if (goal->is_false) return asked;
  const char *name = arena_printf(scan->arena, "%s, own copy", scan->fn->display);
  bool is_uncertain = copy->carried->is_uncertain;
  asked.answer = is_uncertain ? goal_decide_short(scan, goal, name) : goal_decide(scan, goal, name);
  asked.is_apart = is_settled(scan, &asked.answer);
  if (asked.is_apart || !is_uncertain) return asked;
  asked.is_apart = phases_order_own_copy(scan, copy, other, goal);
  if (asked.is_apart) return asked;
  asked.answer = goal_decide(scan, goal, name);
  asked.is_apart = is_settled(scan, &asked.answer);
  return asked;
}

bool own_concerns(Scan *scan, const Instance *copy, const Instance *other, uint32_t i, uint32_t j) {
  ASSERT(scan_has_access(scan, copy->access) && copy->frame);
  ASSERT(scan_has_access(scan, other->access) && other->frame);
  return copy->length && other->length &&
         conflict_same_object(scan, &copy->address.targets[i], &other->address.targets[j], EXTENT_INTRA_WARP);
}

bool own_apart_ask(Scan *scan, const Instance *copy, const Instance *other) {
  ASSERT(scan_has_access(scan, copy->access) && copy->frame);
  ASSERT(scan_has_access(scan, other->access) && other->frame);
  for (uint32_t i = 0; i < copy->address.target_count; i++)
    for (uint32_t j = 0; j < other->address.target_count; j++) {
      const Target *targets[2] = {&copy->address.targets[i], &other->address.targets[j]};
      if (own_concerns(scan, copy, other, i, j) && !own_ask(scan, copy, other, targets).is_apart)
        return false;
    }
  return true;
}
