// Sets of expressions (expr_set.h). Method: a table of pages, each of EXPR_SET_PAGE bits; one that is looked for the next
// element passes by the pages that are not there.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/expr_set.h"

#include "core/bug.h"

#include <string.h>

static uint32_t pages_for(ExprRef last) {
  return last / EXPR_SET_PAGE + 1;
}

ExprSet expr_set_make(Arena *arena, const ExprPool *pool) {
  uint32_t count = pages_for(expr_count(pool));
  return (ExprSet){arena, arena_array(arena, count, uint64_t *), count};
}

ExprSet expr_set_copy(Arena *arena, const ExprSet *set) {
  ExprSet copy = {arena, arena_array(arena, set->page_count, uint64_t *), set->page_count};
  for (uint32_t p = 0; p < set->page_count; p++)
    if (set->pages[p]) copy.pages[p] = arena_copy(arena, set->pages[p], EXPR_SET_WORDS * sizeof(uint64_t));
  return copy;
}

static void make_room(ExprSet *set, ExprRef ref) {
  uint32_t wanted = pages_for(ref) + set->page_count / 4; // a pool grows by little at a time
  uint64_t **pages = arena_array(set->arena, wanted, uint64_t *);
  if (set->page_count) memcpy(pages, set->pages, set->page_count * sizeof *pages);
  set->pages = pages;
  set->page_count = wanted;
}

bool expr_set_is_new(ExprSet *set, ExprRef ref) {
  ASSERT(ref && set->arena);
  uint32_t page = ref / EXPR_SET_PAGE;
  if (page >= set->page_count) make_room(set, ref);
  if (!set->pages[page]) set->pages[page] = arena_array(set->arena, EXPR_SET_WORDS, uint64_t);
  uint64_t *word = &set->pages[page][ref % EXPR_SET_PAGE / 64], bit = UINT64_C(1) << ref % 64;
  bool is_new = !(*word & bit);
  *word |= bit;
  return is_new;
}

void expr_set_add_below(ExprSet *set, const ExprPool *pool, ExprRef ref) {
  ASSERT(!ref || expr_is_of(pool, ref));
  if (!ref || !expr_set_is_new(set, ref)) return;
  const ExprNode *node = expr_node(pool, ref);
  expr_set_add_below(set, pool, node->a);
  expr_set_add_below(set, pool, node->b);
  expr_set_add_below(set, pool, node->c);
  for (uint32_t i = 0; i < node->arg_count; i++)
    expr_set_add_below(set, pool, node->args[i]);
}

ExprRef expr_set_next(const ExprSet *set, ExprRef ref) {
  uint64_t above = ~UINT64_C(0) << (ref + 1) % 64; // of the first word, the bits that count
  for (uint32_t word = (ref + 1) / 64; word / EXPR_SET_WORDS < set->page_count; word++) {
    const uint64_t *page = set->pages[word / EXPR_SET_WORDS];
    uint64_t rest = page ? page[word % EXPR_SET_WORDS] & above : 0;
    if (rest) return word * 64 + (uint32_t)__builtin_ctzll(rest);
    if (!page) word |= EXPR_SET_WORDS - 1;
    above = ~UINT64_C(0);
  }
  return 0;
}
