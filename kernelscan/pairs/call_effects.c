// Does an answer need that a call without a body has changed a variable that it was not given? A function
// whose text is not there may have kept an address that it, or another one, was given before; that it did is
// a guess. Method: the question is asked again with each such variable as it was before the call. Soundness:
// decides only how sure a race is and which values its witness has; proofs never take a variable for
// unchanged.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"

static bool has_changed(const Scan *scan, const LaunchDoubt *doubt, const ExprEnv *env) {
  int64_t value = 0, before = 0;
  return expr_eval(scan->pool, doubt->value, env, &value) == EXPR_EVAL_OK &&
         expr_eval(scan->pool, doubt->before, env, &before) == EXPR_EVAL_OK && value != before;
}

static const char *sentence(Scan *scan, const LaunchDoubt *doubt) {
  if (doubt->text) return doubt->text;
  return arena_printf(
      scan->arena,
      "only if %s at %s:%u changes '%s', which it is not given there but may know the address "
      "of",
      doubt->call, doubt->loc.file ? doubt->loc.file : "?", doubt->loc.line, doubt->name);
}

const char *call_effects_in_answer(Scan *scan, const SolverAnswer *answer) {
  ExprEnv env = model_env(answer);
  for (uint32_t i = 0; i < scan->launch->doubts.count; i++)
    if (has_changed(scan, &scan->launch->doubts.items[i], &env))
      return sentence(scan, &scan->launch->doubts.items[i]);
  return NULL;
}

// Says of all variables that have a say in the goal that they are as before. The first of them; NULL: none.
static const LaunchDoubt *add_unchanged(Scan *scan, Goal *goal) {
  const LaunchDoubt *first = NULL;
  uint8_t *is_added = arena_array(scan->arena, scan->launch->doubts.count + 1, uint8_t);
  for (bool is_new = true; is_new;) {
    const uint8_t *occurs = goal_occurrences(scan, goal);
    is_new = false;
    for (uint32_t i = 0; i < scan->launch->doubts.count; i++) {
      const LaunchDoubt *doubt = &scan->launch->doubts.items[i];
      if (is_added[i] || !occurs[doubt->value]) continue;
      is_added[i] = is_new = true;
      if (!first) first = doubt;
      goal_add(scan, goal, expr_eq(scan->pool, doubt->value, doubt->before), GOAL_CONTEXT, 0);
    }
  }
  return first;
}

const char *call_effects_settle(Scan *scan, Goal *goal, SolverAnswer *answer, const char *name) {
  ASSERT(name);
  if (!scan->launch->doubts.count) return NULL;
  Goal unchanged = goal_copy(scan, goal);
  const LaunchDoubt *first = add_unchanged(scan, &unchanged);
  if (!first) return NULL;
  const char *own_name = arena_printf(scan->arena, "%s, with variables as before calls", name);
  SolverAnswer again = {.verdict = VERDICT_SAFE};
  if (!unchanged.is_false) again = goal_decide(scan, &unchanged, own_name);
  if (again.verdict == VERDICT_RACE) {
    *goal = unchanged;
    *answer = again;
    return NULL;
  }
  const char *text = call_effects_in_answer(scan, answer);
  return text ? text : sentence(scan, first);
}
