// Can the conditions not hold together, and what did the refutation lean on? Method: asked first of those
// that say nothing of the host's values, which are fewer and say the same of threads and blocks. Soundness:
// what each refutation leaned on is listed with the kernel's proof.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/proofs.h"

static void keep_fact(Scan *scan, uint32_t index) {
  KernelResult *result = scan->result;
  const Fact *fact = &scan->launch->facts.items[index];
  if (fact->class == FACT_ASSERT) result->assumptions |= ASSUME_ASSERTS;
  if (fact->class == FACT_ALLOCATION) result->assumptions |= ASSUME_POSITIVE_FACTORS;
  for (uint32_t f = 0; f < result->proof_facts.count; f++)
    if (result->proof_facts.items[f] == fact) return;
  vec_push(scan->arena, &result->proof_facts, fact);
  for (uint32_t i = 0; i < normal_facts_of(scan)[index].need_count; i++)
    keep_fact(scan, normal_facts_of(scan)[index].needs[i]);
}

void proofs_keep_leaning(Scan *scan, const SolverAnswer *answer) {
  ASSERT(answer->verdict != VERDICT_RACE); // of a refutation
  KernelResult *result = scan->result;
  if (answer->used_no_overflow) result->assumptions |= ASSUME_NO_OVERFLOW;
  if (answer->overflow_at && !result->overflow) {
    StrBuf text = {.arena = scan->arena};
    expr_print(scan->pool, answer->overflow_at, true, &text);
    result->overflow = arena_printf(scan->arena, "%s, in %u bits", strbuf_text(&text),
                                    (unsigned)expr_width(scan->pool, answer->overflow_at));
  }
  for (uint32_t i = 0; i < answer->core_count; i++) {
    if (answer->core[i] == TAG_GIVEN)
      result->assumptions |= ASSUME_FILLED;
    else if (answer->core[i] != TAG_BOUNDS)
      keep_fact(scan, answer->core[i]); // A7 is listed for every kernel
  }
}

enum { OF_HOST = 1u << SYM_HOST_VALUE | 1u << SYM_GRID_DIM | 1u << SYM_BLOCK_DIM };

bool proofs_speaks_of_host(const ExprPool *pool, ExprRef condition) {
  ASSERT(expr_is_of(pool, condition));
  return expr_sym_kinds(pool, condition) & OF_HOST;
}

bool proofs_is_of_launch(const ExprPool *pool, ExprRef value) {
  ASSERT(expr_is_of(pool, value));
  return !(expr_sym_kinds(pool, value) & ~(unsigned)OF_HOST);
}

Goal proofs_lean_goal(Scan *scan, const Goal *goal) {
  Goal lean = {.is_false = goal->is_false};
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *condition = &goal->conditions.items[i];
    if (condition->part != GOAL_FACT && !proofs_speaks_of_host(scan->pool, condition->condition))
      vec_push(scan->arena, &lean.conditions, *condition);
  }
  return lean;
}

bool proofs_is_refuted(Scan *scan, const SolverAnswer *answer) {
  ASSERT(!answer->is_refuted || answer->verdict == VERDICT_UNKNOWN);
  if (answer->verdict == VERDICT_SAFE || answer->is_refuted) proofs_keep_leaning(scan, answer);
  return answer->verdict == VERDICT_SAFE;
}

bool proofs_cannot_hold(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  if (goal->is_false) return true;
  SolverAnswer answer = {.verdict = VERDICT_UNKNOWN};
  if (address_goals_exclude(scan, goal, name, &answer)) return proofs_is_refuted(scan, &answer);
  Goal lean = proofs_lean_goal(scan, goal);
  bool is_leaner = lean.conditions.count < goal->conditions.count;
  if (is_leaner) answer = goal_refute(scan, &lean, name);
  if (answer.verdict != VERDICT_SAFE) answer = goal_refute(scan, goal, name);
  return proofs_is_refuted(scan, &answer);
}
