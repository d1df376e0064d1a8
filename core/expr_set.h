// Which expressions of a pool belong together? A set of them, in pages of bits that are made where something is put: what a
// goal is made of is little beside the pool, which holds what all goals of a kernel are made of. What was not put
// there is not in it, also what the pool has got since.
// Soundness: a plain container; it decides nothing.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_EXPR_SET_H
#define HGRD_CORE_EXPR_SET_H

#include "core/expr.h"

enum { EXPR_SET_WORDS = 8, EXPR_SET_PAGE = 64 * EXPR_SET_WORDS };

typedef struct ExprSet {
  Arena *arena;
  uint64_t **pages; // by ref / EXPR_SET_PAGE; NULL: none of these is in it
  uint32_t page_count;
} ExprSet;

ExprSet expr_set_make(Arena *arena,
                      const ExprPool *pool); // empty; on the arena, with room for what the pool has now
ExprSet expr_set_copy(Arena *arena, const ExprSet *set);
// Puts it there; false if it has been there.
bool expr_set_is_new(ExprSet *set, ExprRef ref);
// Puts it there with all that it is made of; of 0, nothing. What is there already has its parts there, too.
void expr_set_add_below(ExprSet *set, const ExprPool *pool, ExprRef ref);
// The next one: `for (ExprRef ref = 0; (ref = expr_set_next(set, ref)) != 0;)`.
ExprRef expr_set_next(const ExprSet *set, ExprRef ref);

static inline bool expr_set_has(const ExprSet *set, ExprRef ref) {
  uint32_t page = ref / EXPR_SET_PAGE;
  if (page >= set->page_count || !set->pages[page]) return false;
  return set->pages[page][ref % EXPR_SET_PAGE / 64] >> ref % 64 & 1;
}

#endif
