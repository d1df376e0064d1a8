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
  ExprSet seen;
  ExprRef words[2];      // by thread; 0: none yet
  uint32_t divisions[2]; // so many are taken of it
  bool is_other;         // some are of another word, or by one of a thread's, or words are packed
  bool is_of_places;     // what is divided and made of digits itself is a matter of the place, no word
} Digits;

// What a quotient of remainders, widened or not, is taken of in the end.
static ExprRef word_below(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  while (expr_is_division(node) || node->op == EXPR_SEXT || node->op == EXPR_ZEXT) {
    ref = node->a;
    node = expr_node(pool, ref);
  }
  return ref;
}

// Half of a product of digits. A share of a range is a word that has divisions, too, so that is looked for first.
static bool is_of_digits(const Digits *d, ExprRef ref, ExprSet *visited) {
  if (!ref || !expr_set_is_new(visited, ref)) return false;
  const ExprNode *node = expr_node(d->pool, ref);
  if (expr_is_division(node) && node->owners != OWNER_UNIFORM) return true;
  bool is_so = is_of_digits(d, node->a, visited) || is_of_digits(d, node->b, visited) ||
               is_of_digits(d, node->c, visited);
  for (uint32_t i = 0; i < node->arg_count && !is_so; i++)
    is_so = is_of_digits(d, node->args[i], visited);
  return is_so;
}

static bool is_word_of_digits(const Digits *d, ExprRef word) {
  Arena *scratch = arena_open();
  ExprSet visited = expr_set_make(scratch, d->pool);
  bool is_so = is_of_digits(d, word, &visited);
  arena_close(scratch);
  return is_so;
}

static void note_division(Digits *d, const ExprNode *node) {
  int thread = node->owners == OWNER_THREAD2;
  ExprRef word = word_below(d->pool, node->a);
  if (d->is_of_places && is_word_of_digits(d, word)) return;
  d->is_other |= node->owners != OWNER_THREAD1 && node->owners != OWNER_THREAD2;
  d->is_other |= expr_node(d->pool, node->b)->owners != OWNER_UNIFORM;
  d->is_other |= d->words[thread] && d->words[thread] != word;
  d->words[thread] = word;
  expr_set_is_new(&d->seen, word); // what it is made of, shares of a range among others, is another matter
  d->divisions[thread]++;
}

// Halves of a word of 64 bits, which the solver has to see where it takes anything not to wrap around.
static bool is_packing(const ExprNode *node) {
  bool is_shift = node->op == EXPR_SHL || node->op == EXPR_LSHR || node->op == EXPR_ASHR;
  bool is_large = node->op == EXPR_CONST && (node->value > INT32_MAX || node->value < INT32_MIN);
  return node->width == 64 && (is_shift || is_large);
}

static void find_divisions(Digits *d, ExprRef ref) {
  if (!ref || d->is_other || !expr_set_is_new(&d->seen, ref)) return;
  const ExprNode *node = expr_node(d->pool, ref);
  d->is_other |= is_packing(node);
  if (expr_is_division(node) && node->owners != OWNER_UNIFORM) note_division(d, node);
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

static bool find_words_once(const Scan *scan, const Goal *goal, Digits *d) {
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      find_divisions(d, goal->conditions.items[i].condition);
  if (d->is_other || d->divisions[0] < LEAST_DIVISIONS || d->divisions[1] < LEAST_DIVISIONS) return false;
  return !is_leaf(scan->pool, d->words[0]) && !is_leaf(scan->pool, d->words[1]) &&
         expr_width(scan->pool, d->words[0]) == expr_width(scan->pool, d->words[1]);
}

static bool find_words(const Scan *scan, const Goal *goal, Arena *scratch, Digits *d) {
  for (int i = 0; i < 2; i++) {
    *d = (Digits){.pool = scan->pool, .seen = expr_set_make(scratch, scan->pool), .is_of_places = i == 1};
    if (find_words_once(scan, goal, d)) return true;
  }
  return false;
}

typedef struct Spoken {
  const ExprPool *pool;
  const ExprSet *places;
  uint8_t *known; // by ref: 1 yes, 2 no, 0 not known yet
} Spoken;

// Of what a thread has, does it speak of anything that the places are made of?
static bool speaks_of(const Spoken *of, ExprRef ref) {
  if (!ref || of->known[ref]) return ref && of->known[ref] == 1;
  const ExprNode *node = expr_node(of->pool, ref);
  bool is_so = is_leaf(of->pool, ref) && expr_set_has(of->places, ref) && node->owners != OWNER_UNIFORM;
  for (uint32_t i = 0; i < node->arg_count && !is_so; i++)
    is_so = speaks_of(of, node->args[i]);
  is_so = is_so || speaks_of(of, node->a) || speaks_of(of, node->b) || speaks_of(of, node->c);
  of->known[ref] = is_so ? 1 : 2;
  return is_so;
}

// A multiple of a word stays one: vectors of elements begin at places of their own.
static ExprRef stand_in(Scan *scan, ExprRef word) {
  const ExprNode node = *expr_node(scan->pool, word);
  bool is_multiple = node.op == EXPR_MUL && expr_is_const(scan->pool, node.b, NULL);
  if (!is_multiple) return mixed_unknown_for(scan, word);
  return expr_binary(scan->pool, EXPR_MUL, node.flags, mixed_unknown_for(scan, node.a), node.b);
}

static void ask_of_words(Scan *scan, const Goal *goal, const Digits *d, Goal *words, Arena *scratch) {
  uint32_t before = expr_count(scan->pool);
  Rewriting r = {.scan = scan, .memo = arena_array(scratch, before + 1, ExprRef)};
  for (int t = 0; t < 2; t++)
    r.memo[d->words[t]] = stand_in(scan, d->words[t]);
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONFLICT)
      goal_add(scan, words, mixed_rewrite(&r, goal->conditions.items[i].condition), GOAL_CONFLICT, 0);
  goal_add(scan, words, expr_ne(scan->pool, r.memo[d->words[0]], r.memo[d->words[1]]), GOAL_CONFLICT, 0);
  ExprRef *others = arena_array(scratch, goal->conditions.count + 1, ExprRef);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *known = &goal->conditions.items[i];
    if (known->part != GOAL_CONFLICT && known->tag != TAG_BOUNDS)
      others[i] = mixed_rewrite(&r, known->condition);
  }
  uint32_t count = expr_count(scan->pool) + 1;
  ExprSet places = expr_set_make(scratch, scan->pool);
  for (uint32_t i = 0; i < words->conditions.count; i++)
    expr_set_add_below(&places, scan->pool, words->conditions.items[i].condition);
  const Spoken of = {scan->pool, &places, arena_array(scratch, count, uint8_t)};
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *known = &goal->conditions.items[i];
    if (others[i] && (expr_node(scan->pool, others[i])->owners == OWNER_UNIFORM || speaks_of(&of, others[i])))
      goal_add(scan, words, others[i], known->part, known->tag);
  }
}

static void ask_for_same(Scan *scan, const Goal *goal, const Digits *d, Goal *same) {
  goal_add(scan, same, expr_eq(scan->pool, d->words[0], d->words[1]), GOAL_CONFLICT, 0);
  goal_add_known(scan, same, goal);
}

bool digits_split(Scan *scan, const Goal *goal, Goal *words, Goal *same, DigitWords *of) {
  ASSERT(words && same && of);
  Arena *scratch = arena_open();
  Digits d;
  bool is_split = !goal->is_false && find_words(scan, goal, scratch, &d);
  if (is_split) {
    ask_of_words(scan, goal, &d, words, scratch);
    ask_for_same(scan, goal, &d, same);
    for (int t = 0; t < 2; t++) {
      of->words[t] = d.words[t];
      of->unknowns[t] = stand_in(scan, d.words[t]);
    }
  }
  arena_close(scratch);
  return is_split;
}

static bool has_only(const ExprPool *pool, const ExprSet *leaves, ExprSet *seen, ExprRef ref) {
  if (!ref || !expr_set_is_new(seen, ref)) return true;
  const ExprNode *node = expr_node(pool, ref);
  if (node->op == EXPR_CONST) return true;
  if (is_leaf(pool, ref)) return expr_set_has(leaves, ref);
  return has_only(pool, leaves, seen, node->a) && has_only(pool, leaves, seen, node->b) &&
         has_only(pool, leaves, seen, node->c);
}

void digits_below_zero(Scan *scan, const Goal *goal, ExprRef word, Goal *made) {
  ASSERT(made);
  Arena *scratch = arena_open();
  ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, word), 0);
  goal_add(scan, made, expr_binary(scan->pool, EXPR_SLT, 0, word, zero), GOAL_CONFLICT, 0);
  ExprSet leaves = expr_set_make(scratch, scan->pool);
  expr_set_add_below(&leaves, scan->pool, word);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *known = &goal->conditions.items[i];
    ExprSet seen = expr_set_make(scratch, scan->pool);
    if (known->part != GOAL_CONFLICT && known->tag != TAG_BOUNDS &&
        has_only(scan->pool, &leaves, &seen, known->condition))
      goal_add(scan, made, known->condition, known->part, known->tag);
  }
  arena_close(scratch);
}

bool digits_as_found(Scan *scan, const Goal *goal, const DigitWords *of, const ExprEnv *found, Goal *made) {
  ASSERT(of && found && made);
  Arena *scratch = arena_open();
  ExprRef values[2];
  bool is_made = true;
  for (int t = 0; t < 2 && is_made; t++) {
    int64_t value = 0;
    is_made = expr_eval(scan->pool, of->unknowns[t], found, &value) == EXPR_EVAL_OK;
    values[t] = expr_const(scan->pool, expr_width(scan->pool, of->words[t]), value);
    goal_add(scan, made, expr_eq(scan->pool, of->words[t], values[t]), GOAL_CONFLICT, 0);
  }
  if (is_made) {
    Rewriting r = {.scan = scan, .memo = arena_array(scratch, expr_count(scan->pool) + 1, ExprRef)};
    for (int t = 0; t < 2; t++)
      r.memo[of->words[t]] = values[t];
    mixed_rewrite_goal(&r, goal, made);
  }
  arena_close(scratch);
  return is_made && !made->is_false;
}
