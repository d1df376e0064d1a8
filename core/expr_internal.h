// Shared by the files of the expression pool only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_EXPR_INTERNAL_H
#define HGRD_CORE_EXPR_INTERNAL_H

#include "core/expr.h"
#include "core/table.h"
#include "core/vec.h"

typedef __int128 Wide; // sums and products of two 64-bit values never wrap in it

typedef struct ExprRange {
  int64_t lo, hi;
} ExprRange;

// Nodes stay where they are made: a pool that grew as a whole would be there twice.
enum { EXPR_PAGE = 1024 };
typedef struct ExprPage {
  ExprNode nodes[EXPR_PAGE];
  ExprRange ranges[EXPR_PAGE]; // by node
  // Scratch, NULL until a walk comes to one of these nodes: most are of questions that were asked long ago.
  struct ExprEvalMemo *memo; // of expr_eval: value and result by node, valid where the stamp is current
  struct ExprWalkMemo *walk; // of the walks in expr.c, likewise: which nodes were seen, and what they became
} ExprPage;

struct ExprPool {
  Arena *arena;
  VEC(ExprPage *) pages; // by ref / EXPR_PAGE
  uint32_t count;        // of nodes; [0] is unused
  VEC(ExprSym) syms;
  VEC(ExprFunc) funcs;
  VEC(ExprName) names;
  VEC(ExprRef) named; // by name: whose it is
  Map name_of;        // from a ref to the number of its name + 1
  Table table;        // refs, by what they are
  Table func_table;   // functions (plus 1), by name and width
  uint32_t memo_stamp,
      memo_first; // of ExprPage.memo: a value is valid, also where it is one of the series that began with the first
  uint32_t walk_stamp;
};

typedef struct ExprWalkMemo {
  uint32_t stamp;
  ExprRef result;
} ExprWalkMemo;

typedef struct ExprEvalMemo {
  uint32_t stamp;
  ExprEvalResult result;
  int64_t value;
} ExprEvalMemo;

// The node itself, made unless it exists; no simplification.
ExprRef expr_intern(ExprPool *pool, ExprNode node);
ExprRange expr_width_range(uint8_t width);
ExprRange expr_node_range(const ExprPool *pool, const ExprNode *node);
static inline ExprRange expr_ref_range(const ExprPool *pool, ExprRef ref) {
  return pool->pages.items[ref / EXPR_PAGE]->ranges[ref % EXPR_PAGE];
}
static inline ExprEvalMemo *expr_memo(ExprPool *pool, ExprRef ref) {
  ExprPage *page = pool->pages.items[ref / EXPR_PAGE];
  if (!page->memo) page->memo = arena_array(pool->arena, EXPR_PAGE, ExprEvalMemo);
  return &page->memo[ref % EXPR_PAGE];
}
static inline ExprWalkMemo *expr_walk_memo(ExprPool *pool, ExprRef ref) {
  ExprPage *page = pool->pages.items[ref / EXPR_PAGE];
  if (!page->walk) page->walk = arena_array(pool->arena, EXPR_PAGE, ExprWalkMemo);
  return &page->walk[ref % EXPR_PAGE];
}
static inline const ExprNode *expr_at(const ExprPool *pool, ExprRef ref) {
  return &pool->pages.items[ref / EXPR_PAGE]->nodes[ref % EXPR_PAGE];
}

#endif
