// Do two threads that touch the place of the same digits have the same number? `x[n % 6][n / 6 % 24]`, with n made of
// numbers of threads, rounds and shares: whether digits say all of a number has nothing to do with how threads come
// to theirs, and the solver finds neither in both at once. Method: interpolation at the word that all quotients and
// remainders of a thread's place are taken of. Either the two words differ, and then the places do, whatever the words
// are otherwise; or they are the same, and then it is asked how the threads could have it, without any division.
// Soundness: the two cases are all there are; in the first the words are unknowns, in the second what was said of the
// places is left out: both are over-approximations, so refutations of both are one of the goal, and anything else is not
// used. That accesses stay inside of their objects (A7) is left out of both: all that the first takes for granted, the second
// does, too, so whether that can hold is asked there. The intervals of the unknowns take for granted that nothing overflows (A1).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum { LEAST_DIVISIONS = 2 }; // of a thread's place: of one by itself, the solver knows what there is to know

typedef struct Digits {
  const ExprPool *pool;
  uint8_t *seen;
  ExprRef words[2];      // by thread; 0: none yet
  uint32_t divisions[2]; // so many are taken of it
  bool is_other;         // some are of another word, or by one of a thread's, or words are packed
} Digits;

static bool is_division(const ExprNode *node) {
  return node->op >= EXPR_SDIV && node->op <= EXPR_UREM;
}

// What a quotient of remainders, widened or not, is taken of in the end.
static ExprRef word_below(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  while (is_division(node) || node->op == EXPR_SEXT || node->op == EXPR_ZEXT) {
    ref = node->a;
    node = expr_node(pool, ref);
  }
  return ref;
}

static void note_division(Digits *d, const ExprNode *node) {
  int thread = node->owners == OWNER_THREAD2;
  ExprRef word = word_below(d->pool, node->a);
  d->is_other |= node->owners != OWNER_THREAD1 && node->owners != OWNER_THREAD2;
  d->is_other |= expr_node(d->pool, node->b)->owners != OWNER_UNIFORM;
  d->is_other |= d->words[thread] && d->words[thread] != word;
  d->words[thread] = word;
  d->seen[word] = 1; // what it is made of, shares of a range among others, is another matter
  d->divisions[thread]++;
}

// Halves of a word of 64 bits, which the solver has to see where it takes anything not to wrap around.
static bool is_packing(const ExprNode *node) {
  bool is_shift = node->op == EXPR_SHL || node->op == EXPR_LSHR || node->op == EXPR_ASHR;
  bool is_large = node->op == EXPR_CONST && (node->value > INT32_MAX || node->value < INT32_MIN);
  return node->width == 64 && (is_shift || is_large);
}

static void find_divisions(Digits *d, ExprRef ref) {
  if (!ref || d->is_other || d->seen[ref]) return;
  d->seen[ref] = 1;
  const ExprNode *node = expr_node(d->pool, ref);
  d->is_other |= is_packing(node);
  if (is_division(node) && node->owners != OWNER_UNIFORM) note_division(d, node);
  find_divisions(d, node->a);
  find_divisions(d, node->b);
  find_divisions(d, node->c);
  for (uint32_t i = 0; i < node->arg_count; i++)
    find_divisions(d, node->args[i]);
}

static bool is_leaf(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_SYM || node->op == EXPR_CONST || node->op == EXPR_APP;
}

static bool find_words(const Scan *scan, const Goal *goal, Digits *d) {
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      find_divisions(d, goal->conditions.items[i].condition);
  if (d->is_other || d->divisions[0] < LEAST_DIVISIONS || d->divisions[1] < LEAST_DIVISIONS) return false;
  return !is_leaf(scan->pool, d->words[0]) && !is_leaf(scan->pool, d->words[1]) &&
         expr_width(scan->pool, d->words[0]) == expr_width(scan->pool, d->words[1]);
}

// Of what a thread has, does it speak of anything that the places are made of?
static bool speaks_of(const ExprPool *pool, ExprRef ref, const uint8_t *places, uint32_t count) {
  if (!ref) return false;
  const ExprNode *node = expr_node(pool, ref);
  if (node->owners == OWNER_UNIFORM) return false;
  if (is_leaf(pool, ref) && ref < count && places[ref]) return true;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (speaks_of(pool, node->args[i], places, count)) return true;
  return speaks_of(pool, node->a, places, count) || speaks_of(pool, node->b, places, count) ||
         speaks_of(pool, node->c, places, count);
}

static void ask_of_words(Scan *scan, const Goal *goal, const Digits *d, Goal *words, Arena *scratch) {
  uint32_t before = expr_count(scan->pool);
  Rewriting r = {.scan = scan, .memo = arena_array(scratch, before + 1, ExprRef)};
  for (int t = 0; t < 2; t++)
    r.memo[d->words[t]] = mixed_unknown_for(scan, d->words[t]);
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      goal_add(scan, words, mixed_rewrite(&r, goal->conditions.items[i].condition), GOAL_CONFLICT, 0);
  goal_add(scan, words, expr_ne(scan->pool, r.memo[d->words[0]], r.memo[d->words[1]]), GOAL_CONFLICT, 0);
  uint32_t count = expr_count(scan->pool) + 1;
  uint8_t *places = arena_array(scratch, count, uint8_t);
  for (uint32_t i = 0; i < words->conditions.count; i++)
    goal_mark_below(scan->pool, words->conditions.items[i].condition, places);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *known = &goal->conditions.items[i];
    if (known->part == GOAL_CONFLICT || known->tag == TAG_BOUNDS) continue;
    ExprRef condition = mixed_rewrite(&r, known->condition);
    if (expr_node(scan->pool, condition)->owners == OWNER_UNIFORM ||
        speaks_of(scan->pool, condition, places, count))
      goal_add(scan, words, condition, known->part, known->tag);
  }
}

static void ask_for_same(Scan *scan, const Goal *goal, const Digits *d, Goal *same) {
  goal_add(scan, same, expr_eq(scan->pool, d->words[0], d->words[1]), GOAL_CONFLICT, 0);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *known = &goal->conditions.items[i];
    if (known->part != GOAL_CONFLICT && known->tag != TAG_BOUNDS)
      goal_add(scan, same, known->condition, known->part, known->tag);
  }
}

bool digits_split(Scan *scan, const Goal *goal, Goal *words, Goal *same) {
  ASSERT(words && same);
  Arena *scratch = arena_open();
  Digits d = {.pool = scan->pool, .seen = arena_array(scratch, expr_count(scan->pool) + 1, uint8_t)};
  bool is_split = !goal->is_false && find_words(scan, goal, &d);
  if (is_split) {
    ask_of_words(scan, goal, &d, words, scratch);
    ask_for_same(scan, goal, &d, same);
  }
  arena_close(scratch);
  return is_split;
}
