// What is asked of the solver: host facts, ranges of the threads' ids, and conditions; conjunctions taken
// apart, so that cores are small. Facts about leaves are added for those that occur. Soundness: every
// condition holds for the two threads of the question, so leaving one out only weakens a proof.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

const char *extent_name(Extent extent) {
  ASSERT(scan_is_extent(extent));
  static const char *const names[EXTENT_COUNT] = {"inter-block", "intra-cluster", "intra-block",
                                                  "intra-warp"};
  return names[extent];
}

void goal_add(Scan *scan, Goal *goal, ExprRef condition, GoalPart part, uint32_t tag) {
  BUG_UNLESS(expr_width(scan->pool, condition) == 1);
  if (expr_is_true(scan->pool, condition)) return;
  if (expr_is_false(scan->pool, condition)) goal->is_false = true;
  ExprNode node = *expr_node(scan->pool, condition);
  if (node.op == EXPR_AND) {
    goal_add(scan, goal, node.a, part, tag);
    goal_add(scan, goal, node.b, part, tag);
    return;
  }
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].condition == condition) return;
  vec_push(scan->arena, &goal->conditions, (GoalCondition){condition, part, tag});
}

void goal_add_known(Scan *scan, Goal *goal, const Goal *from) {
  ASSERT(goal && from);
  for (uint32_t i = 0; i < from->conditions.count; i++) {
    const GoalCondition *known = &from->conditions.items[i];
    if (known->part != GOAL_CONFLICT && known->tag != TAG_BOUNDS)
      goal_add(scan, goal, known->condition, known->part, known->tag);
  }
}

Goal goal_copy(Scan *scan, const Goal *goal) {
  Goal copy = {.is_false = goal->is_false};
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    vec_push(scan->arena, &copy.conditions, goal->conditions.items[i]);
  return copy;
}

ExprRef goal_overlap(ExprPool *pool, ExprRef one, uint32_t one_bytes, ExprRef two, uint32_t two_bytes) {
  ASSERT(expr_is_of(pool, one));
  ASSERT(expr_is_of(pool, two));
  ExprRef end_one = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, one, expr_const(pool, 64, one_bytes));
  ExprRef end_two = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, two, expr_const(pool, 64, two_bytes));
  return expr_and(pool, expr_binary(pool, EXPR_SLT, 0, one, end_two),
                  expr_binary(pool, EXPR_SLT, 0, two, end_one));
}

void goal_add_launch(Scan *scan, Goal *goal) {
  for (uint32_t i = 0; i < scan->launch->facts.count; i++)
    goal_add(scan, goal, normal_facts_of(scan)[i].condition, GOAL_FACT, i);
}

void goal_add_view(Scan *scan, Goal *goal, const View *view) {
  ASSERT(view_is_made(view));
  ExprPool *pool = scan->pool;
  for (int axis = 0; axis < 3; axis++) {
    goal_add(scan, goal, expr_binary(pool, EXPR_SLT, 0, view->thread_idx[axis], scan->launch->block[axis]),
             GOAL_CONTEXT, 0);
    goal_add(scan, goal, expr_binary(pool, EXPR_SLT, 0, view->block_idx[axis], scan->launch->grid[axis]),
             GOAL_CONTEXT, 0);
  }
}

static ExprRef same_triple(Scan *scan, const ExprRef *one, const ExprRef *two) {
  ExprRef same = expr_bool(scan->pool, true);
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(scan->pool, same, expr_eq(scan->pool, one[axis], two[axis]));
  return same;
}

void goal_add_extent(Scan *scan, Goal *goal, Extent extent, const View *one, const View *two) {
  ASSERT(view_is_made(one));
  ASSERT(view_is_made(two));
  BUG_UNLESS(extent <= EXTENT_NONE && one != two);
  ExprPool *pool = scan->pool;
  ExprRef same_warp = expr_eq(pool, one->warp, two->warp);
  if (extent_is_between_blocks(extent)) {
    goal_add(scan, goal, expr_not(pool, same_triple(scan, one->block_idx, two->block_idx)), GOAL_EXTENT, 0);
    if (extent == EXTENT_CLUSTER) goal_add(scan, goal, clusters_is_same(scan, one, two), GOAL_EXTENT, 0);
    return;
  }
  goal_add(scan, goal, expr_not(pool, same_triple(scan, one->thread_idx, two->thread_idx)), GOAL_EXTENT, 0);
  if (extent == EXTENT_INTRA_BLOCK) goal_add(scan, goal, expr_not(pool, same_warp), GOAL_EXTENT, 0);
  if (extent == EXTENT_INTRA_WARP) goal_add(scan, goal, same_warp, GOAL_EXTENT, 0);
  if (extent == EXTENT_INTRA_WARP && one->elected && two->elected)
    goal_add(scan, goal, expr_eq(pool, one->elected, two->elected), GOAL_EXTENT, 0);
}

// ---- partial warp barriers
// Lanes of a constant mask, as runs of ones.
ExprRef goal_lane_in_mask(Scan *scan, ExprRef lane, uint32_t mask) {
  BUG_UNLESS(expr_width(scan->pool, lane) == 32);
  ExprPool *pool = scan->pool;
  ExprRef any = expr_bool(pool, false);
  for (uint32_t lo = 0; lo < 32;) {
    uint32_t hi = lo;
    while (hi < 32 && (mask >> hi & 1))
      hi++;
    if (hi > lo) {
      ExprRef from = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, lo), lane);
      any = expr_or(pool, any,
                    expr_and(pool, from, expr_binary(pool, EXPR_SLT, 0, lane, expr_const(pool, 32, hi))));
    }
    lo = hi + 1;
  }
  return any;
}

ExprRef goal_has_lane(Scan *scan, ExprRef mask, ExprRef lane) {
  BUG_UNLESS(expr_width(scan->pool, mask) == 32 && expr_width(scan->pool, lane) == 32);
  ExprPool *pool = scan->pool;
  ExprRef bit =
      expr_binary(pool, EXPR_AND, 0, expr_binary(pool, EXPR_LSHR, 0, mask, lane), expr_const(pool, 32, 1));
  return expr_ne(pool, bit, expr_const(pool, 32, 0));
}

// A question that was asked, and its answer.
typedef struct AskedGoal {
  uint64_t hash;
  uint32_t count;
  Manner manner;
  const GoalCondition *conditions;
  SolverAnswer answer;
} AskedGoal;

// Of the goal that was looked at last: what its conditions are made of. Some that look at it add nothing.
typedef struct Occurrences {
  uint32_t count; // of conditions
  const GoalCondition *conditions;
  const ExprSet *seen; // NULL: none was looked at
} Occurrences;

// What is kept of a scan.
typedef struct Kept {
  VEC(AskedGoal) asked; // by conditions with their parts and tags, and what is asked of them
  Occurrences occurrences;
  const SolverBase *base; // values that the launch's facts allow; NULL: not known, or no facts
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, goal, Kept);
}

// ---- facts about leaves that occur
// Has the goal the conditions that were looked at last, and maybe more?
static bool goes_on(const Occurrences *last, const Goal *goal) {
  if (!last->seen || last->count > goal->conditions.count) return false;
  for (uint32_t i = 0; i < last->count; i++)
    if (last->conditions[i].condition != goal->conditions.items[i].condition) return false;
  return true;
}

const ExprSet *goal_occurrences(Scan *scan, const Goal *goal) {
  ASSERT(goal);
  Occurrences *last = &kept_of(scan)->occurrences;
  bool is_more = goes_on(last, goal);
  if (is_more && last->count == goal->conditions.count) return last->seen;
  ExprSet *seen = arena_new(scan->arena, ExprSet);
  *seen = is_more ? expr_set_copy(scan->arena, last->seen) : expr_set_make(scan->arena, scan->pool);
  for (uint32_t i = is_more ? last->count : 0; i < goal->conditions.count; i++)
    expr_set_add_below(seen, scan->pool, goal->conditions.items[i].condition);
  const GoalCondition *conditions =
      arena_copy(scan->arena, goal->conditions.items, goal->conditions.count * sizeof(GoalCondition));
  *last = (Occurrences){goal->conditions.count, conditions, seen};
  return seen;
}

// Does a condition of the goal say that the value is not zero, in one of the forms that a loop's test has?
static bool is_not_zero(const Scan *scan, const Goal *goal, ExprRef value) {
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, expr_width(pool, value), 0);
  ExprRef forms[] = {expr_binary(pool, EXPR_SLT, 0, zero, value), expr_binary(pool, EXPR_ULT, 0, zero, value),
                     expr_ne(pool, value, zero)};
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    for (uint32_t f = 0; f < 3; f++)
      if (goal->conditions.items[i].condition == forms[f]) return true;
  return false;
}

// What is said to be the same as a value that says which place is touched, or another one: who begins a run
// of equal keys has another key than the one before.
static void mark_compared(const ExprPool *pool, ExprRef ref, const ExprSet *places, ExprSet *visited,
                          ExprSet *seen) {
  if (!ref || !expr_set_is_new(visited, ref)) return;
  const ExprNode *node = expr_node(pool, ref);
  if (node->op == EXPR_EQ && !expr_is_const(pool, node->a, NULL) && !expr_is_const(pool, node->b, NULL)) {
    if (expr_set_has(places, node->a)) expr_set_add_below(seen, pool, node->b);
    if (expr_set_has(places, node->b)) expr_set_add_below(seen, pool, node->a);
  }
  if (expr_width(pool, ref) != 1) return;
  mark_compared(pool, node->a, places, visited, seen);
  mark_compared(pool, node->b, places, visited, seen);
  mark_compared(pool, node->c, places, visited, seen);
}

ExprSet goal_conflict_places(const Scan *scan, const Goal *goal, Arena *arena) {
  ASSERT(goal && arena);
  ExprSet places = expr_set_make(arena, scan->pool);
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      expr_set_add_below(&places, scan->pool, goal->conditions.items[i].condition);
  return places;
}

// Where the two touch one place: all that it is made of, and what that is compared with on the way there.
static ExprSet conflict_occurrences(Scan *scan, const Goal *goal, Arena *arena) {
  ExprSet places = goal_conflict_places(scan, goal, arena), visited = expr_set_make(arena, scan->pool);
  for (const ValueFacts *const *s = scan->start.suppliers; s && *s; s++)
    if ((*s)->mark) (*s)->mark(scan, goal, &places);
  ExprSet seen = expr_set_copy(arena, &places);
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONTEXT)
      mark_compared(scan->pool, goal->conditions.items[i].condition, &places, &visited, &seen);
  return seen;
}

typedef enum Given {
  GIVEN_PLACES, // what threads were given matters where it says which places they touch: elsewhere it is data most often
  GIVEN_ALL
} Given;

// Also through other invariants: `says` is what says where the two touch one place.
static void add_known(Scan *scan, Goal *goal, const ExprSet *places, ExprSet *says) {
  for (bool changed = true; changed;) {
    changed = false;
    const ExprSet *seen = goal_occurrences(scan, goal);
    VEC(Invariant) wanted = {0};
    for (uint32_t i = 0; i < scan->invariants.count; i++) {
      const Invariant *invariant = &scan->invariants.items[i];
      bool is_gift = invariant->tag == TAG_GIVEN && !invariant->is_of_host;
      bool has_say = invariant->is_interval ? expr_set_has(says, invariant->leaf)
                                            : places && expr_set_has(places, invariant->leaf);
      if (is_gift && !has_say) continue;
      if (expr_set_has(seen, invariant->leaf) && !expr_set_has(seen, invariant->condition) &&
          (!invariant->when_not_zero || is_not_zero(scan, goal, invariant->leaf)))
        vec_push(scan->arena, &wanted, *invariant);
    }
    for (uint32_t i = 0; i < wanted.count; i++) {
      uint32_t count = goal->conditions.count;
      const Invariant *fact = &wanted.items[i];
      bool is_fact = fact->is_lazy || fact->is_of_host;
      if (expr_set_has(says, fact->leaf)) expr_set_add_below(says, scan->pool, fact->condition);
      goal_add(scan, goal, fact->condition, is_fact ? GOAL_FACT : GOAL_CONTEXT,
               fact->is_of_host || fact->tag ? fact->tag : TAG_BOUNDS);
      changed |= goal->conditions.count > count;
    }
  }
}

static void add_invariants(Scan *scan, Goal *goal, Given given) {
  Arena *scratch = arena_open();
  ExprSet of_conflict;
  const ExprSet *places = NULL;
  for (const ValueFacts *const *s = scan->start.suppliers; !places && s && *s; s++) {
    if (!(*s)->may_make || !(*s)->may_make(scan)) continue;
    if (given != GIVEN_ALL) of_conflict = conflict_occurrences(scan, goal, scratch);
    places = given == GIVEN_ALL ? goal_occurrences(scan, goal) : &of_conflict;
  }
  for (const ValueFacts *const *s = scan->start.suppliers; places && s && *s; s++)
    if ((*s)->make) (*s)->make(scan, places);
  ExprSet says = goal_conflict_places(scan, goal, scratch);
  if (scan->invariants.count) add_known(scan, goal, places, &says);
  arena_close(scratch);
}

// ---- asking

static void dump_goal(const Scan *scan, const Goal *goal, const char *name) {
  StrBuf *out = scan->request->options.dump_goals;
  if (!out) return;
  strbuf_printf(out, "goal %s\n", name);
  static const char *const parts[] = {"fact", "context", "extent", "conflict"};
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    strbuf_printf(out, "  %-8s ", parts[goal->conditions.items[i].part]);
    expr_print(scan->pool, goal->conditions.items[i].condition, false, out);
    strbuf_add(out, "\n");
  }
}

static double clock_ms(const Scan *scan) {
  const KernelScanOptions *options = &scan->request->options;
  return options->dump_goals && options->clock_ms ? options->clock_ms() : 0;
}

// What was kept from before costs nothing now, whatever was spent on it then.
static void dump_answer(const Scan *scan, const SolverAnswer *answer, double start_ms) {
  const KernelScanOptions *options = &scan->request->options;
  if (!options->dump_goals) return;
  strbuf_printf(options->dump_goals, "  => %s%s%s; %llu units", verdict_name(answer->verdict),
                answer->reason ? ": " : "", answer->reason ? answer->reason : "",
                (unsigned long long)answer->rlimit);
  if (options->clock_ms)
    strbuf_printf(options->dump_goals, ", %.1f ms%s", options->clock_ms() - start_ms,
                  answer->from_cache ? ", asked before" : "");
  strbuf_add(options->dump_goals, "\n");
}

// A proof for many pairs at once saves theirs, but who fails to find it has all of them still to ask.
enum { FIRST_LOOK_UNITS = 80000, LOOK_FOR_MANY_UNITS = 4 * FIRST_LOOK_UNITS };

static uint64_t units_of(Manner manner) {
  return manner.is_of_many ? LOOK_FOR_MANY_UNITS : manner.is_first_look ? FIRST_LOOK_UNITS : 0;
}

static uint64_t hash_of(const Goal *goal, Manner manner) {
  uint64_t hash = manner.only_satisfiable + 2u * manner.is_first_look + 4u * manner.is_of_many;
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *condition = &goal->conditions.items[i];
    uint32_t words[] = {condition->condition, (uint32_t)condition->part, condition->tag};
    hash = str_hash(words, sizeof words, hash);
  }
  return hash;
}

void goal_set_base(Scan *scan, const SolverBase *base) {
  ASSERT(!base || (base->has && base->answer->verdict == VERDICT_RACE));
  kept_of(scan)->base = base;
}

// The same conditions in the same order, asked for the same thing.
static const AskedGoal *find_asked(const Scan *scan, const Goal *goal, Manner manner) {
  const Kept *kept = kept_of(scan);
  uint64_t hash = hash_of(goal, manner);
  for (uint32_t i = 0; i < kept->asked.count; i++) {
    const AskedGoal *asked = &kept->asked.items[i];
    if (asked->hash != hash || asked->count != goal->conditions.count ||
        asked->manner.only_satisfiable != manner.only_satisfiable ||
        asked->manner.is_first_look != manner.is_first_look || asked->manner.is_of_many != manner.is_of_many)
      continue;
    bool same = true;
    for (uint32_t c = 0; c < asked->count; c++) {
      const GoalCondition *a = &asked->conditions[c], *b = &goal->conditions.items[c];
      same &= a->condition == b->condition && a->part == b->part && a->tag == b->tag;
    }
    if (same) return asked;
  }
  return NULL;
}

// Is the model of a part of the conditions one of all of them?
static bool is_model_of(const Scan *scan, const SolverAnswer *answer, const Goal *goal) {
  if (answer->verdict != VERDICT_RACE || !answer->sym_values) return false;
  ExprEnv env = model_env(answer);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    int64_t holds = 0;
    if (expr_eval(scan->pool, goal->conditions.items[i].condition, &env, &holds) != EXPR_EVAL_OK || !holds)
      return false;
  }
  return true;
}

// On the scan's arena.
static SolverAnswer without_values(Scan *scan, const SolverAnswer *answer) {
  SolverAnswer copy = *answer;
  copy.sym_count = copy.func_value_count = 0;
  copy.sym_values = NULL;
  copy.func_values = NULL;
  copy.core = answer->core_count
                  ? arena_copy(scan->arena, answer->core, answer->core_count * sizeof *answer->core)
                  : NULL;
  copy.reason = answer->reason ? arena_strdup(scan->arena, answer->reason) : NULL;
  return copy;
}

static SolverAnswer ask_solver(Scan *scan, const Goal *question, const char *name, Manner manner) {
  SolverGoal asked = {.pool = scan->pool,
                      .condition_count = question->conditions.count,
                      .conditions = question->conditions.items,
                      .name = name,
                      .base = kept_of(scan)->base,
                      .rlimit = units_of(manner),
                      .has_parts = manner.has_parts};
  dump_goal(scan, question, name);
  double start_ms = clock_ms(scan);
  uint64_t paid = solver_units_paid(scan->request->solver);
  // Nobody reads the values of those that only a proof is of use to: they would be as many as there are symbols.
  bool has_values = !manner.only_satisfiable || !manner.is_first_look;
  Arena *arena = has_values ? scan->arena : arena_open();
  SolverAnswer answer = manner.only_satisfiable ? solver_satisfiable(scan->request->solver, &asked, arena)
                                                : solver_decide(scan->request->solver, &asked, arena);
  if (!has_values) answer = without_values(scan, &answer);
  if (!has_values) arena_close(arena);
  scan->result->queries++;
  scan->result->rlimit += solver_units_paid(scan->request->solver) - paid;
  dump_answer(scan, &answer, start_ms);
  return answer;
}

// Only a refutation counts.
static SolverAnswer without_mixing(Scan *scan, const Goal *question, const char *name, Manner manner) {
  Goal simpler = {0};
  if (manner.only_satisfiable || !mixed_forget(scan, question, &simpler)) return (SolverAnswer){0};
  if (simpler.is_false) return (SolverAnswer){.verdict = VERDICT_SAFE};
  SolverAnswer answer = ask_solver(scan, &simpler, arena_printf(scan->arena, "%s, mixed words unknown", name),
                                   (Manner){.is_first_look = true});
  return answer.verdict == VERDICT_SAFE ? answer : (SolverAnswer){0};
}

static bool is_refuted(const SolverAnswer *answer) {
  return answer->verdict == VERDICT_SAFE || answer->verdict == VERDICT_DEAD || answer->is_refuted;
}

// A proof that needs the other one, too.
static void merge(Scan *scan, SolverAnswer *answer, const SolverAnswer *other) {
  uint32_t count = answer->core_count + other->core_count;
  uint32_t *core = arena_array(scan->arena, count + 1, uint32_t);
  for (uint32_t i = 0; i < count; i++)
    core[i] = i < answer->core_count ? answer->core[i] : other->core[i - answer->core_count];
  answer->core = core;
  answer->core_count = count;
  answer->used_no_overflow |= other->used_no_overflow;
  if (!answer->overflow_at) answer->overflow_at = other->overflow_at;
}

// Places of words that are not the same meet: do they for threads that have these two words?
static bool as_found(Scan *scan, const Goal *question, const char *name, const DigitWords *of,
                     const SolverAnswer *found, SolverAnswer *answer) {
  Goal made = {0}, here = {0};
  if (found->verdict != VERDICT_RACE) return false;
  const ExprEnv model = model_env(found);
  if (!digits_as_found(scan, question, of, &model, &made)) return false;
  bool is_here = example_goal(scan, &made, kept_of(scan)->base, &here);
  *answer = ask_solver(scan, is_here ? &here : &made, arena_printf(scan->arena, "%s, words as found", name),
                       (Manner){.is_first_look = true});
  return answer->verdict == VERDICT_RACE;
}

// With its digits in the place of a word.
static SolverAnswer by_radices(Scan *scan, const Goal *words, const ExprRef unknowns[2], const char *name) {
  Goal doubts = {0}, digits = {0};
  Manner look = {.is_first_look = true};
  SolverAnswer sure = {.verdict = VERDICT_SAFE}, apart = {.verdict = VERDICT_SAFE};
  if (!radices_apart(scan, words, unknowns, &doubts, &digits)) return (SolverAnswer){0};
  if (!doubts.is_false)
    sure = ask_solver(scan, &doubts, arena_printf(scan->arena, "%s, words that have digits", name), look);
  if (!is_refuted(&sure)) return (SolverAnswer){0};
  if (!digits.is_false)
    apart = ask_solver(scan, &digits, arena_printf(scan->arena, "%s, digits apart", name), look);
  if (!is_refuted(&apart)) return (SolverAnswer){0};
  merge(scan, &apart, &sure);
  return apart;
}

// A word that cannot be below zero, as sizes of the launch are not in it, is none as an unknown either. What that leans on.
static SolverAnswer say_signs(Scan *scan, const Goal *question, const char *name, const DigitWords *of,
                              Goal *words) {
  SolverAnswer sure = {.verdict = VERDICT_SAFE};
  for (int t = 0; t < 2; t++) {
    ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, of->words[t]), 0);
    Goal negative = {0};
    digits_below_zero(scan, question, of->words[t], &negative);
    if (negative.is_false) continue; // by its text alone, which the unknown has as well
    SolverAnswer answer =
        ask_solver(scan, &negative, arena_printf(scan->arena, "%s, a word below zero", name),
                   (Manner){.is_first_look = true});
    if (!is_refuted(&answer)) break; // the other thread's is made alike
    goal_add(scan, words, expr_binary(scan->pool, EXPR_SLE, 0, zero, of->unknowns[t]), GOAL_CONTEXT, 0);
    merge(scan, &sure, &answer);
  }
  return sure;
}

// By the words that the places are digits of; false: they are not. Only a refutation counts, or a model.
static bool by_digits(Scan *scan, const Goal *question, const char *name, Manner manner,
                      SolverAnswer *answer) {
  Goal words = {0}, same = {0};
  DigitWords of;
  if (manner.only_satisfiable || !digits_split(scan, question, &words, &same, &of)) return false;
  Manner look = {.is_first_look = true};
  SolverAnswer apart = {.verdict = VERDICT_SAFE}, one = {.verdict = VERDICT_SAFE};
  const SolverAnswer signs = say_signs(scan, question, name, &of, &words);
  if (!words.is_false)
    apart = ask_solver(scan, &words, arena_printf(scan->arena, "%s, words of digits", name), look);
  if (as_found(scan, question, name, &of, &apart, answer)) return true;
  if (!is_refuted(&apart) && apart.verdict != VERDICT_RACE)
    apart = by_radices(scan, &words, of.unknowns, name);
  if (apart.verdict != VERDICT_SAFE && !apart.is_refuted) {
    *answer = (SolverAnswer){0};
    return true;
  }
  if (!same.is_false)
    one = ask_solver(scan, &same, arena_printf(scan->arena, "%s, one word for both", name), look);
  if (!is_refuted(&one)) return true;
  *answer = one;
  if (one.verdict != VERDICT_DEAD) {
    merge(scan, answer, &apart);
    merge(scan, answer, &signs);
  }
  return true;
}

// `part`: what was answered to some of the conditions, or NULL.
static SolverAnswer ask(Scan *scan, Goal *goal, const char *name, Manner manner, const SolverAnswer *part) {
  if (goal->is_false) return (SolverAnswer){.verdict = VERDICT_SAFE};
  add_invariants(scan, goal, GIVEN_PLACES);
  for (const ValueFacts *const *s = scan->start.suppliers; s && *s; s++)
    if ((*s)->add) (*s)->add(scan, goal);
  uint64_t used = 0;
  Goal question = fact_substitution_read(scan, goal, &used);
  const AskedGoal *before = find_asked(scan, &question, manner);
  if (before) return before->answer;
  if (part && is_model_of(scan, part, &question)) return *part;
  SolverAnswer answer = {0};
  if (!by_digits(scan, &question, name, manner, &answer))
    answer = without_mixing(scan, &question, name, manner);
  if (!is_refuted(&answer) && answer.verdict != VERDICT_RACE)
    answer = ask_solver(scan, &question, name, manner);
  if (used && (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD || answer.is_refuted))
    fact_substitution_add_core(scan, used, &answer);
  const GoalCondition *conditions =
      arena_copy(scan->arena, question.conditions.items, question.conditions.count * sizeof(GoalCondition));
  vec_push(scan->arena, &kept_of(scan)->asked,
           (AskedGoal){hash_of(&question, manner), question.conditions.count, manner, conditions, answer});
  return answer;
}

enum { HEAVY = 600 };

// Adds as many as the condition is made of, each as often as it is used; stops when there are more than
// HEAVY.
void goal_count_parts(const ExprPool *pool, ExprRef ref, uint32_t most, uint32_t *count) {
  ASSERT(!ref || expr_is_of(pool, ref));
  if (!ref || ++*count > most) return;
  const ExprNode *node = expr_node(pool, ref);
  if (node->op == EXPR_APP) {
    for (uint32_t i = 0; i < node->arg_count; i++)
      goal_count_parts(pool, node->args[i], most, count);
    return;
  }
  goal_count_parts(pool, node->a, most, count);
  goal_count_parts(pool, node->b, most, count);
  goal_count_parts(pool, node->c, most, count);
}

// Without what the ways of the threads say at length: most often that does not matter to where they meet.
static bool make_leaner(Scan *scan, const Goal *goal, Goal *lean) {
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *condition = &goal->conditions.items[i];
    uint32_t parts = 0;
    if (condition->part == GOAL_CONTEXT) goal_count_parts(scan->pool, condition->condition, HEAVY, &parts);
    if (parts <= HEAVY) vec_push(scan->arena, &lean->conditions, *condition);
  }
  return lean->conditions.count < goal->conditions.count;
}

// Two threads that meet by values which nobody has given them do not: they are asked about again with all that is known of
// what they were given, tests on their ways included.
static SolverAnswer decide_again(Scan *scan, Goal *goal, SolverAnswer answer, const char *name,
                                 Manner manner) {
  Goal told = goal_copy(scan, goal);
  add_invariants(scan, &told, GIVEN_ALL);
  for (const ValueFacts *const *s = scan->start.suppliers; s && *s; s++)
    if ((*s)->add_heavy) (*s)->add_heavy(scan, &told);
  if (told.conditions.count == goal->conditions.count) return answer;
  SolverAnswer again =
      ask(scan, &told, arena_printf(scan->arena, "%s, with all that is known", name), manner, &answer);
  if (again.verdict == VERDICT_UNKNOWN && !again.is_refuted) return answer;
  *goal = told;
  return again;
}

// Refuted, and whether the rest can hold was not found out: if it cannot, the answer were DEAD, which asks
// for more than SAFE does (liveness.c).
static SolverAnswer decide(Scan *scan, Goal *goal, const char *name, Manner manner) {
  ASSERT(name);
  Goal lean = {0};
  SolverAnswer answer = {0};
  if (!goal->is_false && make_leaner(scan, goal, &lean))
    answer = ask(scan, &lean, arena_printf(scan->arena, "%s, with short conditions", name), manner, NULL);
  if (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD) return answer;
  const SolverAnswer part = answer;
  answer = ask(scan, goal, name, manner, &part);
  if (answer.verdict == VERDICT_RACE && !manner.is_of_many && !manner.is_for_run)
    answer = decide_again(scan, goal, answer, name, manner);
  if (answer.verdict == VERDICT_UNKNOWN && answer.is_refuted) answer.verdict = VERDICT_DEAD;
  return answer;
}

SolverAnswer goal_decide(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  return decide(scan, goal, name, (Manner){0});
}

SolverAnswer goal_decide_whole(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  return decide(scan, goal, name, (Manner){.has_parts = true});
}

SolverAnswer goal_decide_for_run(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  return decide(scan, goal, name, (Manner){.is_for_run = true});
}

SolverAnswer goal_look(Scan *scan, Goal *goal, bool is_of_many, const char *name) {
  ASSERT(name);
  return decide(scan, goal, name, (Manner){.is_first_look = true, .is_of_many = is_of_many});
}

SolverAnswer goal_decide_short(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  Goal lean = {0};
  if (goal->is_false || !make_leaner(scan, goal, &lean)) return goal_decide(scan, goal, name);
  return ask(scan, &lean, arena_printf(scan->arena, "%s, with short conditions", name), (Manner){0}, NULL);
}

SolverAnswer goal_refute(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  return ask(scan, goal, name, (Manner){.only_satisfiable = true, .is_first_look = true}, NULL);
}

SolverAnswer goal_satisfiable(Scan *scan, Goal *goal, const char *name) {
  ASSERT(name);
  return ask(scan, goal, name, (Manner){.only_satisfiable = true}, NULL);
}
