// Are two accesses apart by where they are alone, whatever ways led the threads there? `stats[b].top` and
// `stats[b].count` are, and so are the same fields of two blocks, in a kernel whose ways fill pages. Method:
// of a goal at length only the conditions are kept that speak of nothing but what the conflict speaks of and
// what is the same for all threads; many pairs share what is left. A short goal is asked as it is at first,
// and so only where that takes more than a first look. Soundness: fewer conditions only weaken a proof, and
// those that are left can hold together (solver.h); whether the accesses can happen under all of them is
// asked at the end (liveness.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum { LONG_GOAL = 400 }; // parts of conditions; below, asking twice costs more than it saves

typedef struct Leaves {
  const ExprPool *pool;
  uint8_t *occurs; // by expression: below a condition of the conflict
  uint8_t *known;  // by expression: 1 if all leaves are allowed, 2 if not
} Leaves;

bool places_goal_is_long(const Scan *scan, const Goal *goal) {
  uint32_t parts = 0;
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONTEXT)
      goal_count_parts(scan->pool, goal->conditions.items[i].condition, LONG_GOAL, &parts);
  return parts > LONG_GOAL;
}

static bool speaks_only_of_places(Leaves *leaves, ExprRef ref) {
  if (!ref || leaves->occurs[ref]) return true;
  if (leaves->known[ref]) return leaves->known[ref] == 1;
  const ExprNode *node = expr_node(leaves->pool, ref);
  bool is_leaf = node->op == EXPR_SYM || node->op == EXPR_APP;
  bool is_so = node->owners == OWNER_UNIFORM ||
               (!is_leaf && speaks_only_of_places(leaves, node->a) &&
                speaks_only_of_places(leaves, node->b) && speaks_only_of_places(leaves, node->c));
  leaves->known[ref] = is_so ? 1 : 2;
  return is_so;
}

// False: the goal speaks of nothing else.
static bool keep_places(Scan *scan, const Goal *goal, Leaves *leaves, Goal *places) {
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      goal_mark_below(scan->pool, goal->conditions.items[i].condition, leaves->occurs);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *condition = &goal->conditions.items[i];
    if (condition->part == GOAL_CONFLICT || condition->part == GOAL_EXTENT ||
        speaks_only_of_places(leaves, condition->condition))
      vec_push(scan->arena, &places->conditions, *condition);
  }
  return places->conditions.count < goal->conditions.count;
}

static bool cut_down(Scan *scan, const Goal *goal, Goal *places) {
  Arena *scratch = arena_open();
  uint32_t count = expr_count(scan->pool) + 1;
  Leaves leaves = {.pool = scan->pool,
                   .occurs = arena_array(scratch, count, uint8_t),
                   .known = arena_array(scratch, count, uint8_t)};
  bool is_shorter = keep_places(scan, goal, &leaves, places);
  arena_close(scratch);
  return is_shorter;
}

static const char *name_of(Scan *scan, const char *name) {
  return arena_printf(scan->arena, "%s, places alone", name);
}

bool places_are_apart(Scan *scan, Goal *goal, const char *name, SolverAnswer *proof) {
  ASSERT(name);
  ASSERT(proof);
  Goal places = {0};
  if (!cut_down(scan, goal, &places)) return false;
  const char *own_name = name_of(scan, name);
  SolverAnswer answer = places_goal_is_long(scan, goal) ? goal_decide(scan, &places, own_name)
                                                        : goal_look(scan, &places, false, own_name);
  if (answer.verdict != VERDICT_SAFE) return false;
  *goal = places;
  *proof = answer;
  return true;
}

bool places_exclude(Scan *scan, const Goal *goal, const char *name, SolverAnswer *proof) {
  ASSERT(name);
  ASSERT(proof);
  Goal places = {0};
  if (!places_goal_is_long(scan, goal) || !cut_down(scan, goal, &places)) return false;
  *proof = goal_satisfiable(scan, &places, name_of(scan, name));
  return proof->verdict == VERDICT_SAFE;
}
