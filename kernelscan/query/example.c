// Do two threads meet in one run that the host may make? Where all sizes are unknown, places are products of unknowns, and a witness
// is as hard to find as a proof. Method: the host's numbers get the values that the launch's facts were shown to allow, once for a
// launch, so that products become multiples; what remains open are threads and rounds. Where contents decide, it would find witnesses
// in any, so it is asked of words only (digits.c). Under-approximation: a witness is one of the goal, as the values are added to it; that
// there is none says nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

bool example_goal(Scan *scan, const Goal *goal, const SolverBase *base, Goal *made) {
  ASSERT(made);
  if (!base || goal->is_false) return false;
  Arena *scratch = arena_open();
  ExprSet occurs = expr_set_make(scratch, scan->pool);
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    expr_set_add_below(&occurs, scan->pool, goal->conditions.items[i].condition);
  Rewriting r = {.scan = scan, .memo = arena_array(scratch, expr_count(scan->pool) + 1, ExprRef)};
  bool is_any = false;
  for (ExprRef ref = 0; (ref = expr_set_next(&occurs, ref)) != 0;) {
    ExprNode node = *expr_node(scan->pool, ref);
    if (node.op != EXPR_SYM || node.owners != OWNER_UNIFORM) continue;
    uint32_t sym = (uint32_t)node.value;
    if (sym >= base->answer->sym_count || !base->has[sym]) continue;
    r.memo[ref] = expr_const(scan->pool, node.width, base->answer->sym_values[sym]);
    goal_add(scan, made, expr_eq(scan->pool, ref, r.memo[ref]), GOAL_CONTEXT, 0);
    is_any = true;
  }
  if (is_any) mixed_rewrite_goal(&r, goal, made);
  arena_close(scratch);
  return is_any && !made->is_false;
}
