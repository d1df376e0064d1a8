// Does an answer need that a call without a body has changed a variable that it was not given, or that a number which the program computes
// is what nobody has shown it to be? A function whose text is not there may have kept an address that it, or another one, was given before;
// that it did is a guess, and so is what a loop comes to that is not followed.
// Method: the question is asked again with each such variable as it was before the call. Of a number that the program computes it is asked
// whether the threads race whatever it is: the model's values hold for all else, and another model is looked for where the first one's
// threads do not meet (a grid of one block), a few times (as in counterexample-guided quantifier instantiation).
// Soundness: decides only how sure a race is and which values its witness has; proofs never take a variable for
// unchanged.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"

static bool has_changed(const Scan *scan, const LaunchDoubt *doubt, const ExprEnv *env) {
  int64_t value = 0, before = 0;
  if (expr_eval(scan->pool, doubt->value, env, &value) != EXPR_EVAL_OK) return false;
  if (!doubt->before) return true;
  return expr_eval(scan->pool, doubt->before, env, &before) == EXPR_EVAL_OK && value != before;
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

// ---- variables that may be as before

static bool is_computed(const Scan *scan, ExprRef value) {
  for (uint32_t i = 0; i < scan->launch->doubts.count; i++)
    if (scan->launch->doubts.items[i].value == value && !scan->launch->doubts.items[i].before) return true;
  return false;
}

// Says of all variables that have a say in the goal that they are as before, or of those that are no numbers which the program computes.
// The first of them; NULL: none.
static const LaunchDoubt *add_unchanged(Scan *scan, Goal *goal, bool with_computed) {
  const LaunchDoubt *first = NULL;
  uint8_t *is_added = arena_array(scan->arena, scan->launch->doubts.count + 1, uint8_t);
  for (bool is_new = true; is_new;) {
    const ExprSet *occurs = goal_occurrences(scan, goal);
    is_new = false;
    for (uint32_t i = 0; i < scan->launch->doubts.count; i++) {
      const LaunchDoubt *doubt = &scan->launch->doubts.items[i];
      if (is_added[i] || !doubt->before || !expr_set_has(occurs, doubt->value)) continue;
      if (!with_computed && is_computed(scan, doubt->value)) continue;
      is_added[i] = is_new = true;
      if (!first) first = doubt;
      goal_add(scan, goal, expr_eq(scan->pool, doubt->value, doubt->before), GOAL_CONTEXT, 0);
    }
  }
  return first;
}

static const char *settle_unchanged(Scan *scan, Goal *goal, SolverAnswer *answer, const char *name) {
  Goal unchanged = goal_copy(scan, goal);
  const LaunchDoubt *first = add_unchanged(scan, &unchanged, true);
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

// ---- numbers that the program computes

typedef struct Computed {
  Scan *scan;
  const Goal *goal;
  const char *name;
  VEC(ExprRef) numbers;  // such numbers: symbols, or what functions give that stand for some
  VEC(ExprRef) from, to; // of the walk: what the values of a model say
} Computed;

// What does not hang on such numbers has its value in the model; false: it has none.
static bool find_values(Computed *all, const uint8_t *hangs, ExprRef ref, const ExprEnv *env, uint8_t *seen) {
  int64_t value = 0;
  if (!ref || seen[ref]) return true;
  seen[ref] = 1;
  const ExprNode node = *expr_node(all->scan->pool, ref);
  if (node.op == EXPR_CONST) return true;
  if (!hangs[ref]) {
    if (expr_eval(all->scan->pool, ref, env, &value) != EXPR_EVAL_OK) return false;
    vec_push(all->scan->arena, &all->from, ref);
    vec_push(all->scan->arena, &all->to, expr_const(all->scan->pool, node.width, value));
    return true;
  }
  bool has_values = find_values(all, hangs, node.a, env, seen) &&
                    find_values(all, hangs, node.b, env, seen) && find_values(all, hangs, node.c, env, seen);
  for (uint32_t i = 0; i < node.arg_count && has_values; i++)
    has_values = find_values(all, hangs, node.args[i], env, seen);
  return has_values;
}

static bool is_number(const Computed *all, ExprRef ref) {
  for (uint32_t i = 0; i < all->numbers.count; i++)
    if (all->numbers.items[i] == ref) return true;
  return false;
}

static bool mark_hanging(const Computed *all, ExprRef ref, uint8_t *hangs, uint8_t *seen) {
  if (!ref) return false;
  if (seen[ref]) return hangs[ref];
  seen[ref] = 1;
  const ExprNode *node = expr_node(all->scan->pool, ref);
  bool does = is_number(all, ref);
  does |= mark_hanging(all, node->a, hangs, seen);
  does |= mark_hanging(all, node->b, hangs, seen);
  does |= mark_hanging(all, node->c, hangs, seen);
  for (uint32_t i = 0; i < node->arg_count; i++)
    does |= mark_hanging(all, node->args[i], hangs, seen);
  hangs[ref] = does;
  return does;
}

// Facts hold of all numbers that the program may come to.
static bool is_fact(const GoalCondition *condition) {
  return condition->part == GOAL_FACT;
}

// Reads the conditions with the model's values for all but such numbers; false: some have none.
static bool read_model(Computed *all, const SolverAnswer *model) {
  Arena *scratch = arena_open();
  uint32_t count = expr_count(all->scan->pool) + 1;
  uint8_t *hangs = arena_array(scratch, count, uint8_t), *seen = arena_array(scratch, count, uint8_t);
  ExprEnv env = model_env(model);
  bool has_values = true;
  for (uint32_t i = 0; i < all->goal->conditions.count; i++)
    (void)mark_hanging(all, all->goal->conditions.items[i].condition, hangs, seen);
  memset(seen, 0, count);
  all->from.count = all->to.count = 0;
  for (uint32_t i = 0; i < all->goal->conditions.count && has_values; i++)
    has_values = find_values(all, hangs, all->goal->conditions.items[i].condition, &env, seen);
  arena_close(scratch);
  return has_values;
}

static ExprRef under_model(const Computed *all, ExprRef condition) {
  return expr_replace(all->scan->pool, condition, all->from.items, all->to.items, all->from.count);
}

// That the two threads stay inside of an object (A7) says nothing of the numbers that the host may come to: with others it is they who leave it.
static bool is_of_threads(const Scan *scan, const GoalCondition *fact) {
  bool hangs_on_them = expr_node(scan->pool, fact->condition)->owners & (OWNER_THREAD1 | OWNER_THREAD2);
  return fact->tag == TAG_BOUNDS && hangs_on_them;
}

static void add_facts(const Computed *all, Goal *out) {
  for (uint32_t i = 0; i < all->goal->conditions.count; i++) {
    const GoalCondition *known = &all->goal->conditions.items[i];
    if (is_fact(known) && !is_of_threads(all->scan, known))
      goal_add(all->scan, out, under_model(all, known->condition), GOAL_FACT, known->tag);
  }
}

// The model's two threads do not meet.
static void add_no_meeting(const Computed *all, Goal *out) {
  ExprRef meet = expr_bool(all->scan->pool, true);
  for (uint32_t i = 0; i < all->goal->conditions.count; i++) {
    const GoalCondition *known = &all->goal->conditions.items[i];
    if (!is_fact(known)) meet = expr_and(all->scan->pool, meet, under_model(all, known->condition));
  }
  goal_add(all->scan, out, expr_not(all->scan->pool, meet), GOAL_CONFLICT, 0);
}

static void add_value(Scan *scan, Goal *goal, ExprRef what, const SolverAnswer *model) {
  ExprEnv env = model_env(model);
  int64_t value = 0;
  if (expr_eval(scan->pool, what, &env, &value) != EXPR_EVAL_OK) return;
  ExprRef constant = expr_const(scan->pool, expr_width(scan->pool, what), value);
  goal_add(scan, goal, expr_eq(scan->pool, what, constant), GOAL_CONTEXT, 0);
}

// Other threads that meet where the numbers are those of `numbers`; what the program is given is that of `first`.
static SolverAnswer meet_with(const Computed *all, const SolverAnswer *first, const SolverAnswer *numbers) {
  Scan *scan = all->scan;
  Goal again = goal_copy(scan, all->goal);
  const ExprSet *occurs = goal_occurrences(scan, all->goal);
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;) {
    const ExprNode *node = expr_node(scan->pool, ref);
    bool is_own = is_number(all, ref);
    bool is_given =
        node->op == EXPR_SYM && expr_sym_info(scan->pool, (uint32_t)node->value)->kind == SYM_HOST_VALUE;
    if (is_own || is_given) add_value(scan, &again, ref, is_own ? numbers : first);
  }
  if (again.is_false) return (SolverAnswer){.verdict = VERDICT_SAFE};
  return goal_decide(scan, &again, all->name);
}

enum { MODELS_TRIED = 3 };

static bool race_whatever_they_are(Computed *all, const SolverAnswer *first) {
  Goal apart = {0};
  SolverAnswer model = *first;
  for (int i = 0; i < MODELS_TRIED; i++) {
    if (!read_model(all, &model)) return false;
    if (i == 0) add_facts(all, &apart);
    add_no_meeting(all, &apart);
    Goal question = goal_copy(all->scan, &apart);
    SolverAnswer other = {.verdict = VERDICT_SAFE};
    if (!apart.is_false) other = goal_decide(all->scan, &question, all->name);
    if (other.verdict == VERDICT_SAFE || other.verdict == VERDICT_DEAD) return true;
    if (other.verdict != VERDICT_RACE) return false;
    model = meet_with(all, first, &other);
    if (model.verdict != VERDICT_RACE) return false;
  }
  return false;
}

static const char *settle_computed(Scan *scan, const Goal *goal, const SolverAnswer *answer,
                                   const char *name) {
  const LaunchDoubt *first = NULL;
  const ExprSet *occurs = goal_occurrences(scan, goal);
  Computed all = {.scan = scan, .goal = goal};
  for (uint32_t i = 0; i < scan->launch->doubts.count; i++) {
    const LaunchDoubt *doubt = &scan->launch->doubts.items[i];
    if (doubt->before || !expr_set_has(occurs, doubt->value)) continue;
    if (!first) first = doubt;
    vec_push(scan->arena, &all.numbers, doubt->value);
  }
  if (!first) return NULL;
  all.name = arena_printf(scan->arena, "%s, whatever the host computes", name);
  return race_whatever_they_are(&all, answer) ? NULL : sentence(scan, first);
}

const char *call_effects_settle(Scan *scan, Goal *goal, SolverAnswer *answer, const char *name) {
  ASSERT(name);
  if (!scan->launch->doubts.count) return NULL;
  Goal bare = goal_copy(scan, goal);
  const char *doubt = settle_unchanged(scan, goal, answer, name);
  if (doubt) return doubt;
  (void)add_unchanged(scan, &bare, false);
  return settle_computed(scan, &bare, answer, name);
}
