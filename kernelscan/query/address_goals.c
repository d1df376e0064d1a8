// Are two accesses apart by where they are alone, whatever ways led the threads there? `stats[b].top` and
// `stats[b].count` are, and so are the same fields of two blocks, in a kernel whose ways fill pages. Method:
// of a goal at length only the conditions are kept that speak of nothing but what the conflict speaks of and
// what is the same for all threads; many pairs share what is left. At a first look, those of them are enough
// that are not long themselves, and conditions on what is read that are digits of a place are any truth
// values. A short goal is asked as it is at first, and so only where that takes more than a first look.
// Soundness: fewer conditions only weaken a proof, and so does what may have any value; those that are left
// can hold together (solver.h); whether the accesses can happen under all of them is asked at the end
// (liveness.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum {
  LONG_GOAL = 400,    // parts of conditions; below, asking twice costs more than it saves
  LONG_CONDITION = 60 // parts of one condition; bounds of ids and tests against a size are shorter
};

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

// ---- at a first look, of a goal at length

// Truth values that are digits of a place and hang on what is read, `(key > pivot) * n`: each is taken for one
// of its own, so that nothing is told of what is read.
typedef struct Bits {
  Scan *scan;
  uint8_t *seen, *reads; // by expression; `reads`: 1 if something is read below, 2 if not
  VEC(ExprRef) from, to;
} Bits;

static bool reads_below(Bits *bits, ExprRef ref) {
  if (!ref) return false;
  if (bits->reads[ref]) return bits->reads[ref] == 1;
  const ExprNode *node = expr_node(bits->scan->pool, ref);
  bool is_so = node->op == EXPR_APP || reads_below(bits, node->a) || reads_below(bits, node->b) ||
               reads_below(bits, node->c);
  bits->reads[ref] = is_so ? 1 : 2;
  return is_so;
}

static void find_bits(Bits *bits, ExprRef ref) {
  if (!ref || bits->seen[ref]) return;
  bits->seen[ref] = 1;
  ExprPool *pool = bits->scan->pool;
  ExprNode node = *expr_node(pool, ref);
  bool is_choice = node.op == EXPR_ZEXT || node.op == EXPR_SEXT || node.op == EXPR_ITE;
  bool has_one_owner = node.a && expr_node(pool, node.a)->owners != (OWNER_THREAD1 | OWNER_THREAD2);
  if (is_choice && has_one_owner && expr_width(pool, node.a) == 1 && reads_below(bits, node.a)) {
    if (!bits->seen[node.a]) {
      ExprSym bit = {
          .name = "bit", .width = 1, .owner = expr_node(pool, node.a)->owners, .kind = SYM_UNKNOWN};
      vec_push(bits->scan->arena, &bits->from, node.a);
      vec_push(bits->scan->arena, &bits->to, expr_new_sym(pool, bit));
    }
    bits->seen[node.a] = 1;
  } else {
    find_bits(bits, node.a);
  }
  find_bits(bits, node.b);
  find_bits(bits, node.c);
}

static Goal with_bits(Scan *scan, const Goal *goal) {
  uint32_t count = expr_count(scan->pool) + 1;
  Arena *scratch = arena_open();
  Bits bits = {.scan = scan,
               .seen = arena_array(scratch, count, uint8_t),
               .reads = arena_array(scratch, count, uint8_t)};
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      find_bits(&bits, goal->conditions.items[i].condition);
  arena_close(scratch);
  Goal whole = goal_copy(scan, goal);
  for (uint32_t i = 0; bits.from.count && i < whole.conditions.count; i++) {
    ExprRef *condition = &whole.conditions.items[i].condition;
    *condition = expr_replace(scan->pool, *condition, bits.from.items, bits.to.items, bits.from.count);
  }
  return whole;
}

// Neither long nor of anything read that the place does not hang on.
static bool is_plain(Bits *bits, const uint8_t *occurs, ExprRef condition) {
  uint32_t parts = 0;
  goal_count_parts(bits->scan->pool, condition, LONG_CONDITION, &parts);
  return parts <= LONG_CONDITION && (occurs[condition] || !reads_below(bits, condition));
}

static Goal plain_of(Scan *scan, const Goal *whole) {
  uint32_t count = expr_count(scan->pool) + 1;
  Arena *scratch = arena_open();
  Bits bits = {.scan = scan, .reads = arena_array(scratch, count, uint8_t)};
  uint8_t *occurs = arena_array(scratch, count, uint8_t);
  Goal plain = {0};
  for (uint32_t i = 0; i < whole->conditions.count; i++)
    if (whole->conditions.items[i].part == GOAL_CONFLICT)
      goal_mark_below(scan->pool, whole->conditions.items[i].condition, occurs);
  for (uint32_t i = 0; i < whole->conditions.count; i++) {
    const GoalCondition *condition = &whole->conditions.items[i];
    if (condition->part == GOAL_CONFLICT || condition->part == GOAL_EXTENT ||
        is_plain(&bits, occurs, condition->condition))
      vec_push(scan->arena, &plain.conditions, *condition);
  }
  arena_close(scratch);
  return plain;
}

static bool are_plainly_apart(Scan *scan, Goal *goal, const char *name, SolverAnswer *proof) {
  Goal whole = with_bits(scan, goal), plain = plain_of(scan, &whole);
  SolverAnswer answer = goal_look(scan, &plain, false, arena_printf(scan->arena, "%s, plainly", name));
  if (answer.verdict != VERDICT_SAFE) return false;
  *goal = plain;
  *proof = answer;
  return true;
}

bool places_are_apart(Scan *scan, Goal *goal, const char *name, SolverAnswer *proof) {
  ASSERT(name);
  ASSERT(proof);
  bool has_long_goal = places_goal_is_long(scan, goal);
  if (has_long_goal && are_plainly_apart(scan, goal, name, proof)) return true;
  Goal places = {0};
  if (!cut_down(scan, goal, &places)) return false;
  const char *own_name = name_of(scan, name);
  SolverAnswer answer =
      has_long_goal ? goal_decide(scan, &places, own_name) : goal_look(scan, &places, false, own_name);
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
