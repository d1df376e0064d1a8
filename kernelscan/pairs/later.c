// Which pairs are asked last? When the kernel's budget is spent, what is left for small questions goes to the
// likely before the far-fetched: the pairs that were not asked yet wait until all have come, and are then
// taken by what they will take, the lowest first: two constants, then linear places, then places that hang on
// products and quotients of unknown words. So a race at a constant place is not lost to the budget that other
// pairs have used up. Method: the price of a question is estimated from its text, as the cost of circuits for
// its operations is (an addition is linear in the width of the words, a multiplication of two unknowns
// quadratic). Soundness: only the order in which pairs are asked hangs on it; what is not asked in the end is
// left undecided.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"

#include <stdlib.h>

enum { MOST_LATER = 4096, PRICE_DEPTH = 64, MOST_PRICE = 1 << 24 };

// What one question waits with: all that its answer hangs on.
struct Later {
  Question question;
  Extent extent;
  uint32_t order;
  bool *behind;
  uint32_t price, ways_price;
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

// Where the two meet comes first: on the ways that lead there, much is said that does not matter to it.
static void put_prices(const Question *question, Later *later) {
  Scan *scan = question->pairs->scan;
  ExprRef conflict =
      conflict_condition(scan, question->one, question->first, question->two, question->second);
  later->price = price_of(scan->pool, conflict, 0, PRICE_DEPTH);
  later->ways_price = price_of(scan->pool, question->one->condition, 0, PRICE_DEPTH);
  later->ways_price = price_of(scan->pool, question->two->condition, later->ways_price, PRICE_DEPTH);
}

bool later_puts_off(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Pairs *pairs = question->pairs;
  if (pairs->is_last_round || pairs->later.count >= MOST_LATER) return false;
  if (!solver_is_low(pairs->scan->request->solver)) return false;
  Later *later = arena_new(pairs->scan->arena, Later);
  *later =
      (Later){.question = *question, .extent = extent, .order = pairs->later.count, .behind = pairs->behind};
  put_prices(question, later);
  vec_push(pairs->scan->arena, &pairs->later, later);
  return true;
}

static int by_price(const void *one, const void *two) {
  const Later *a = *(Later *const *)one, *b = *(Later *const *)two;
  if (a->price != b->price) return a->price < b->price ? -1 : 1;
  if (a->extent != b->extent) return a->extent > b->extent ? -1 : 1; // the narrowest first
  if (a->ways_price != b->ways_price) return a->ways_price < b->ways_price ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

void later_ask(Pairs *pairs) {
  pairs->is_last_round = true;
  if (pairs->later.count) qsort(pairs->later.items, pairs->later.count, sizeof(Later *), by_price);
  for (uint32_t i = 0; i < pairs->later.count; i++) {
    const Later *later = pairs->later.items[i];
    pairs->behind = later->behind;
    pairs_ask(&later->question, later->extent);
  }
  pairs->behind = NULL;
}
