// In which order are pairs asked? The likely before the far-fetched. All pairs are found first, and taken by what they will
// take, the lowest first: two constants, then linear places, then places that hang on products and quotients of unknown
// words, by the size of what they hang on. Cheap ones are asked of lanes of a warp before threads of a block, and of these before
// blocks; dear ones the other way, as between blocks less hangs on what the block itself has put into memory. What a first look
// proves comes before all that takes longer. At last, when the kernel's budget is spent, what is left for small questions goes to the rest in the same order. So
// a race at a constant or simple place is not lost to the budget that other pairs use up. Method: the price of a question is
// estimated from its text, as the cost of circuits for its operations is (an addition is linear in the width of the words, a
// multiplication of two unknowns quadratic). Soundness: only the order in which pairs are asked hangs on it; what is not
// asked in the end is left undecided.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"

#include <stdlib.h>

enum {
  MOST_LATER = 1 << 14,
  PRICE_DEPTH = 64,
  MOST_PRICE = 1 << 18,
  PART_FOR_LOOKS = 4 // of the budget, that looks may take
};

// What one question waits with: all that its answer hangs on.
struct Later {
  Question question;
  Extent extent;
  const BundlePair *bundles; // of whose first members it is; NULL: it is about two accesses
  uint32_t order;
  bool *behind;
  uint32_t price;
};

static bool is_known_word(const ExprPool *pool, ExprRef ref) {
  return !ref || expr_node(pool, ref)->op == EXPR_CONST;
}

// By the width of the words, and squared where unknown words are multiplied or divided by.
static uint32_t price_of_step(const ExprPool *pool, const ExprNode *node) {
  bool multiplies = node->op == EXPR_MUL || node->op == EXPR_SDIV || node->op == EXPR_UDIV ||
                    node->op == EXPR_SREM || node->op == EXPR_UREM;
  if (node->op == EXPR_CONST) return 0;
  if (multiplies && !is_known_word(pool, node->a) && !is_known_word(pool, node->b))
    return (uint32_t)node->width * node->width;
  return node->width;
}

// Each part as often as it is used: so often it is lowered, at worst.
static uint32_t price_of(const ExprPool *pool, ExprRef ref, uint32_t sum, int depth) {
  if (!ref || sum >= MOST_PRICE) return sum;
  const ExprNode *node = expr_node(pool, ref);
  if (depth == 0) return MOST_PRICE;
  sum += price_of_step(pool, node);
  for (uint32_t i = 0; i < node->arg_count; i++)
    sum = price_of(pool, node->args[i], sum, depth - 1);
  sum = price_of(pool, node->a, sum, depth - 1);
  sum = price_of(pool, node->b, sum, depth - 1);
  return price_of(pool, node->c, sum, depth - 1);
}

// Of where the two meet: on the ways that lead there, much is said that does not matter to it.
static uint32_t price_of_question(const Question *question) {
  Scan *scan = question->pairs->scan;
  return price_of(scan->pool,
                  conflict_condition(scan, question->one, question->first, question->two, question->second),
                  0, PRICE_DEPTH);
}

static bool is_over(const Pairs *pairs) {
  return pairs->round == ROUND_REST ||
         (pairs->round == ROUND_WHOLE && !solver_is_low(pairs->scan->request->solver));
}

bool later_puts_off(const Question *question, Extent extent, const BundlePair *bundles) {
  ASSERT(scan_is_extent(extent));
  Pairs *pairs = question->pairs;
  if (is_over(pairs) || pairs->later.count >= MOST_LATER) return false;
  Later *later = arena_new(pairs->scan->arena, Later);
  *later = (Later){.question = *question,
                   .extent = extent,
                   .bundles = bundles,
                   .order = pairs->later.count,
                   .behind = pairs->behind,
                   .price = price_of_question(question)};
  vec_push(pairs->scan->arena, &pairs->later, later);
  return true;
}

enum { FEW_WORDS = 32 * 32 }; // a product of two unknown words

// Two numbers, a few linear words, and all others by the size of their price.
static uint32_t class_of(const Later *later) {
  uint32_t class = 1;
  for (uint32_t price = later->price; price >= FEW_WORDS; price /= 2)
    class ++;
  return later->price == 0 ? 0 : class;
}

static int by_price(const void *one, const void *two) {
  const Later *a = *(Later *const *)one, *b = *(Later *const *)two;
  if (class_of(a) != class_of(b)) return class_of(a) < class_of(b) ? -1 : 1;
  if (a->extent !=
      b->extent) { // the narrowest first; of dear ones the widest: what holds between blocks leaves less to memory
    bool is_cheap = class_of(a) <= 1;
    return (a->extent > b->extent) == is_cheap ? -1 : 1;
  }
  return a->order < b->order ? -1 : a->order > b->order;
}

static bool look(const Later *later) {
  return later->bundles ? bundles_look(later->bundles) : pairs_look(&later->question, later->extent);
}

// What is not proved stays, in its order.
static void look_at_all(Pairs *pairs, Later **all, uint32_t *count) {
  const Solver *solver = pairs->scan->request->solver;
  uint64_t least = solver_units_left(solver) - solver_units_left(solver) / PART_FOR_LOOKS;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++) {
    pairs->behind = all[i]->behind;
    if (solver_units_left(solver) < least || !look(all[i])) all[kept++] = all[i];
  }
  *count = kept;
}

static void ask_all(Pairs *pairs) {
  uint32_t count = pairs->later.count;
  Later **all = arena_copy(pairs->scan->arena, pairs->later.items, count * sizeof *all);
  pairs->later.count = 0;
  if (count) qsort(all, count, sizeof *all, by_price);
  if (pairs->round == ROUND_WHOLE) look_at_all(pairs, all, &count);
  for (uint32_t i = 0; i < count; i++) {
    pairs->behind = all[i]->behind;
    if (all[i]->bundles)
      bundles_ask(all[i]->bundles);
    else
      pairs_ask(&all[i]->question, all[i]->extent);
  }
  pairs->behind = NULL;
}

void later_ask(Pairs *pairs) {
  ASSERT(pairs->round == ROUND_COLLECT);
  for (pairs->round = ROUND_WHOLE; pairs->round <= ROUND_REST; pairs->round++)
    ask_all(pairs);
}
