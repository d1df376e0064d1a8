// Are two accesses apart by where they are alone, whatever ways led the threads there? `stats[b].top` and
// `stats[b].count` are, and so are the same fields of two blocks, in a kernel whose ways fill pages. Method:
// of a goal at length only that is kept of the conditions which speaks of nothing but what the conflict speaks of and
// what is the same for all threads (of `k > 0 && key < a[k]`, the first half); many pairs share what is left. At a first look, those of them are enough
// that are not long themselves, and an abstraction of the goal: conditions on what is read that are digits of
// a place are any truth values, chosen sizes and sums of sizes any within the same bounds. A short goal is asked as it is at first, and so only where that takes more than a first look.
// Soundness: fewer conditions only weaken a proof, and so does what may have any value; those that are left
// can hold together (solver.h); whether the accesses can happen under all of them is asked at the end
// (liveness.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum {
  LONG_GOAL = 400,    // parts of conditions; below, asking twice costs more than it saves
  LEAST_WAYS = 60,    // parts; with fewer, a goal of places by numbers alone saves nothing
  MUCH_MORE = 4,      // so many times what is said of places
  LONG_CONDITION = 60 // parts of one condition; bounds of ids and tests against a size are shorter
};

typedef struct Leaves {
  const ExprPool *pool;
  ExprSet occurs; // below a condition of the conflict
  uint8_t *known; // by expression: 1 if all leaves are allowed, 2 if not
} Leaves;

bool address_goals_is_long(const Scan *scan, const Goal *goal) {
  uint32_t parts = 0;
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONTEXT)
      goal_count_parts(scan->pool, goal->conditions.items[i].condition, LONG_GOAL, &parts);
  return parts > LONG_GOAL;
}

static bool speaks_only_of_places(Leaves *leaves, ExprRef ref) {
  if (!ref || expr_set_has(&leaves->occurs, ref)) return true;
  if (leaves->known[ref]) return leaves->known[ref] == 1;
  const ExprNode *node = expr_node(leaves->pool, ref);
  bool is_leaf = node->op == EXPR_SYM || node->op == EXPR_APP;
  bool is_so = node->owners == OWNER_UNIFORM ||
               (!is_leaf && speaks_only_of_places(leaves, node->a) &&
                speaks_only_of_places(leaves, node->b) && speaks_only_of_places(leaves, node->c));
  leaves->known[ref] = is_so ? 1 : 2;
  return is_so;
}

enum { WEAKENED_DEPTH = 24 };

// What the condition says of places, whatever all else in it is: something that follows from it, or (`is_stronger`) that it follows from.
static ExprRef of_places(Leaves *leaves, ExprPool *pool, ExprRef ref, bool is_stronger, int depth) {
  if (speaks_only_of_places(leaves, ref)) return ref;
  ExprNode node = *expr_node(pool, ref);
  if (depth == 0 || (node.op != EXPR_AND && node.op != EXPR_OR && node.op != EXPR_NOT))
    return expr_bool(pool, !is_stronger);
  if (node.op == EXPR_NOT) return expr_not(pool, of_places(leaves, pool, node.a, !is_stronger, depth - 1));
  ExprRef a = of_places(leaves, pool, node.a, is_stronger, depth - 1),
          b = of_places(leaves, pool, node.b, is_stronger, depth - 1);
  return node.op == EXPR_AND ? expr_and(pool, a, b) : expr_or(pool, a, b);
}

// False: the goal speaks of nothing else.
static bool keep_places(Scan *scan, const Goal *goal, Leaves *leaves, Goal *places) {
  bool is_shorter = false;
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    GoalCondition condition = goal->conditions.items[i];
    if (condition.part != GOAL_CONFLICT && condition.part != GOAL_EXTENT)
      condition.condition = of_places(leaves, scan->pool, condition.condition, false, WEAKENED_DEPTH);
    is_shorter |= condition.condition != goal->conditions.items[i].condition;
    goal_add(scan, places, condition.condition, condition.part, condition.tag);
  }
  return is_shorter;
}

static bool cut_down(Scan *scan, const Goal *goal, Goal *places) {
  Arena *scratch = arena_open();
  uint32_t count = expr_count(scan->pool) + 1;
  Leaves leaves = {.pool = scan->pool,
                   .occurs = goal_conflict_places(scan, goal, scratch),
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
// of its own, so that nothing is told of what is read. What is the same for all threads and was
// chosen, `min(rest, 16)` or what the host read in one way or another, powers of two, and sums by which they multiply,
// `(n - from) * y`: each is a size of its own, within the same bounds.
typedef struct Abstraction {
  Scan *scan;
  uint8_t *seen, *reads; // by expression; `reads`: 1 if something is read below, 2 if not
  VEC(ExprRef) from, to;
} Abstraction;

static bool reads_below(Abstraction *all, ExprRef ref) {
  if (!ref) return false;
  if (all->reads[ref]) return all->reads[ref] == 1;
  const ExprNode *node = expr_node(all->scan->pool, ref);
  bool is_so = node->op == EXPR_APP || reads_below(all, node->a) || reads_below(all, node->b) ||
               reads_below(all, node->c);
  all->reads[ref] = is_so ? 1 : 2;
  return is_so;
}

static void abstract(Abstraction *all, ExprRef ref, ExprSym symbol) {
  vec_push(all->scan->arena, &all->from, ref);
  vec_push(all->scan->arena, &all->to, expr_new_sym(all->scan->pool, symbol));
}

// The smaller of a uniform value and a number, in the signed reading.
static bool is_cut_off(const ExprPool *pool, const ExprNode *node, int64_t *most) {
  if (node->op != EXPR_ITE || node->owners != OWNER_UNIFORM || node->width < 8) return false;
  const ExprNode *test = expr_node(pool, node->a);
  bool is_smaller =
      (test->op == EXPR_SLT || test->op == EXPR_SLE) && test->a == node->b && test->b == node->c;
  return is_smaller && (expr_is_const(pool, node->c, most) || expr_is_const(pool, node->b, most));
}

static bool chooses_below(const ExprPool *pool, ExprRef ref, int depth) {
  const ExprNode *node = expr_node(pool, ref);
  bool is_sum = node->op == EXPR_ADD || node->op == EXPR_SUB || node->op == EXPR_MUL;
  return node->op == EXPR_ITE ||
         (is_sum && depth > 0 &&
          (chooses_below(pool, node->a, depth - 1) || chooses_below(pool, node->b, depth - 1)));
}

// A sum that all threads multiply by, such as the width of what is left.
static void abstract_factor(Abstraction *all, ExprRef ref) {
  ExprPool *pool = all->scan->pool;
  ExprNode node = *expr_node(pool, ref);
  if (all->seen[ref] || node.owners != OWNER_UNIFORM || (node.op != EXPR_ADD && node.op != EXPR_SUB)) return;
  if (chooses_below(pool, ref, 6)) return; // what is chosen stands for itself, wherever it occurs
  all->seen[ref] = 1;
  ExprSym size = {.name = "size", .width = node.width, .kind = SYM_UNKNOWN};
  expr_range(pool, ref, &size.lo, &size.hi);
  abstract(all, ref, size);
}

// Alike for all threads, and how it comes about is of no matter to a place: a choice, and a power of two whose exponent a loop of the
// host has counted.
static bool is_own_size(const ExprPool *pool, const ExprNode *node) {
  if (node->owners != OWNER_UNIFORM || node->width < 8) return false;
  return node->op == EXPR_ITE || (node->op == EXPR_SHL && expr_is_const(pool, node->a, NULL));
}

static void find_abstracted(Abstraction *all, ExprRef ref) {
  if (!ref || all->seen[ref]) return;
  all->seen[ref] = 1;
  ExprPool *pool = all->scan->pool;
  ExprNode node = *expr_node(pool, ref);
  int64_t most = 0;
  if (is_own_size(pool, &node)) {
    ExprSym size = {.name = "size", .width = node.width, .kind = SYM_UNKNOWN};
    expr_range(pool, ref, &size.lo, &size.hi);
    if (is_cut_off(pool, &node, &most) && most < size.hi) size.hi = most;
    abstract(all, ref, size);
    return;
  }
  if (node.op == EXPR_MUL && node.owners != OWNER_UNIFORM) {
    abstract_factor(all, node.a);
    abstract_factor(all, node.b);
  }
  bool is_choice = node.op == EXPR_ZEXT || node.op == EXPR_SEXT || node.op == EXPR_ITE;
  bool has_one_owner = node.a && expr_node(pool, node.a)->owners != (OWNER_THREAD1 | OWNER_THREAD2);
  if (is_choice && has_one_owner && expr_width(pool, node.a) == 1 && reads_below(all, node.a)) {
    if (!all->seen[node.a]) {
      ExprSym bit = {
          .name = "bit", .width = 1, .owner = expr_node(pool, node.a)->owners, .kind = SYM_UNKNOWN};
      abstract(all, node.a, bit);
    }
    all->seen[node.a] = 1;
  } else {
    find_abstracted(all, node.a);
  }
  find_abstracted(all, node.b);
  find_abstracted(all, node.c);
}

static Goal abstracted(Scan *scan, const Goal *goal, bool *is_other) {
  uint32_t count = expr_count(scan->pool) + 1;
  Arena *scratch = arena_open();
  Abstraction all = {.scan = scan,
                     .seen = arena_array(scratch, count, uint8_t),
                     .reads = arena_array(scratch, count, uint8_t)};
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      find_abstracted(&all, goal->conditions.items[i].condition);
  arena_close(scratch);
  Goal whole = goal_copy(scan, goal);
  *is_other = all.from.count > 0;
  for (uint32_t i = 0; all.from.count && i < whole.conditions.count; i++) {
    ExprRef *condition = &whole.conditions.items[i].condition;
    *condition = expr_replace(scan->pool, *condition, all.from.items, all.to.items, all.from.count);
  }
  return whole;
}

// Neither long nor of anything read that the place does not hang on.
static bool is_plain(Abstraction *all, const ExprSet *occurs, ExprRef condition) {
  uint32_t parts = 0;
  goal_count_parts(all->scan->pool, condition, LONG_CONDITION, &parts);
  return parts <= LONG_CONDITION && (expr_set_has(occurs, condition) || !reads_below(all, condition));
}

static Goal plain_of(Scan *scan, const Goal *whole) {
  uint32_t count = expr_count(scan->pool) + 1;
  Arena *scratch = arena_open();
  Abstraction all = {.scan = scan, .reads = arena_array(scratch, count, uint8_t)};
  const ExprSet occurs = goal_conflict_places(scan, whole, scratch);
  Goal plain = {0};
  for (uint32_t i = 0; i < whole->conditions.count; i++) {
    const GoalCondition *condition = &whole->conditions.items[i];
    if (condition->part == GOAL_CONFLICT || condition->part == GOAL_EXTENT ||
        is_plain(&all, &occurs, condition->condition))
      vec_push(scan->arena, &plain.conditions, *condition);
  }
  arena_close(scratch);
  return plain;
}

static bool are_plainly_apart(Scan *scan, Goal *goal, bool has_long_goal, const char *name,
                              SolverAnswer *proof) {
  bool is_other = false;
  Goal whole = abstracted(scan, goal, &is_other);
  if (!is_other && !has_long_goal) return false;
  Goal plain = plain_of(scan, &whole);
  SolverAnswer answer = goal_look(scan, &plain, false, arena_printf(scan->arena, "%s, plainly", name));
  if (answer.verdict != VERDICT_SAFE) return false;
  *goal = plain;
  *proof = answer;
  return true;
}

// ---- before anything else: places that hang on numbers of threads and rounds alone, on ways that say much of what is read and computed

static uint32_t parts_of_ways(const Scan *scan, const Goal *goal, uint32_t most) {
  uint32_t parts = 0;
  for (uint32_t i = 0; i < goal->conditions.count && parts <= most; i++)
    if (goal->conditions.items[i].part == GOAL_CONTEXT)
      goal_count_parts(scan->pool, goal->conditions.items[i].condition, most, &parts);
  return parts;
}

static bool is_of_numbers(const Scan *scan, ExprRef ref, uint8_t *known) {
  if (!ref || known[ref]) return !ref || known[ref] == 1;
  const ExprNode *node = expr_node(scan->pool, ref);
  bool is_leaf = node->op == EXPR_SYM || node->op == EXPR_APP;
  bool is_so = node->owners == OWNER_UNIFORM;
  if (!is_so && node->op == EXPR_SYM) {
    uint8_t kind = expr_sym_info(scan->pool, (uint32_t)node->value)->kind;
    is_so = kind == SYM_THREAD_IDX || kind == SYM_BLOCK_IDX || kind == SYM_ITERATION;
  }
  if (!is_so && !is_leaf)
    is_so = is_of_numbers(scan, node->a, known) && is_of_numbers(scan, node->b, known) &&
            is_of_numbers(scan, node->c, known);
  known[ref] = is_so ? 1 : 2;
  return is_so;
}

static bool has_numbered_places(const Scan *scan, const Goal *goal) {
  Arena *scratch = arena_open();
  uint8_t *known = arena_array(scratch, expr_count(scan->pool) + 1, uint8_t);
  bool is_so = true;
  for (uint32_t i = 0; i < goal->conditions.count && is_so; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      is_so = is_of_numbers(scan, goal->conditions.items[i].condition, known);
  arena_close(scratch);
  return is_so;
}

bool address_goals_are_apart_by_numbers(Scan *scan, Goal *goal, const char *name, SolverAnswer *proof) {
  ASSERT(name);
  ASSERT(proof);
  Goal places = {0};
  if (address_goals_is_long(scan, goal)) return false; // looked at plainly first, which is as cheap
  if (parts_of_ways(scan, goal, LEAST_WAYS) <= LEAST_WAYS || !has_numbered_places(scan, goal) ||
      !cut_down(scan, goal, &places))
    return false;
  uint32_t most = 4 * LONG_GOAL;
  if (parts_of_ways(scan, goal, most) < MUCH_MORE * parts_of_ways(scan, &places, most)) return false;
  SolverAnswer answer = goal_look(scan, &places, false, name_of(scan, name));
  if (answer.verdict != VERDICT_SAFE) return false;
  *goal = places;
  *proof = answer;
  return true;
}

bool address_goals_are_apart(Scan *scan, Goal *goal, bool is_of_many, const char *name, SolverAnswer *proof) {
  ASSERT(name);
  ASSERT(proof);
  bool has_long_goal = address_goals_is_long(scan, goal);
  if (are_plainly_apart(scan, goal, has_long_goal, name, proof)) return true;
  Goal places = {0};
  if (!cut_down(scan, goal, &places)) return false;
  const char *own_name = name_of(scan, name);
  SolverAnswer answer = has_long_goal && !is_of_many
                            ? goal_decide(scan, &places, own_name)
                            : goal_look(scan, &places, has_long_goal && is_of_many, own_name);
  if (answer.verdict != VERDICT_SAFE) return false;
  *goal = places;
  *proof = answer;
  return true;
}

bool address_goals_exclude(Scan *scan, const Goal *goal, const char *name, SolverAnswer *proof) {
  ASSERT(name);
  ASSERT(proof);
  Goal places = {0};
  if (!address_goals_is_long(scan, goal) || !cut_down(scan, goal, &places)) return false;
  *proof = goal_satisfiable(scan, &places, name_of(scan, name));
  return proof->verdict == VERDICT_SAFE;
}
