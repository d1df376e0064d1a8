// Where do places come from that are drawn or hashed? `j = next(state) % (i + 1)`, `slot = hash(key) & 1023`: how
// the bits were mixed says nothing of where two threads meet, but costs the solver more than all the rest. What
// matters is that the remainder is below what it is divided by. Method: words that exclusive or, or a product
// with a large number, has mixed are any words, one unknown for each, where they are divided or cut with a mask;
// so the goal is asked first. Soundness: over-approximation, since an unknown can be all that the word can be;
// so a refutation is one of the goal, and anything else is not used.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

enum { MIXED_DEPTH = 8, LARGE_FACTOR = 1 << 16 };

typedef struct MixedWord {
  ExprRef word, unknown;
} MixedWord;

// What is kept of a scan.
typedef struct MixedWords {
  VEC(MixedWord) list;
} MixedWords;

static bool is_large(const ExprPool *pool, ExprRef ref) {
  int64_t value = 0;
  return expr_is_const(pool, ref, &value) && (value >= LARGE_FACTOR || value <= -LARGE_FACTOR);
}

static bool is_mixed(const ExprPool *pool, ExprRef ref, int depth) {
  if (!ref || depth == 0) return false;
  const ExprNode *node = expr_node(pool, ref);
  bool is_leaf = node->op == EXPR_SYM || node->op == EXPR_APP || node->op == EXPR_CONST || node->width == 1;
  if (is_leaf) return false;
  bool is_step = (node->op == EXPR_XOR && !expr_is_const(pool, node->b, NULL)) ||
                 (node->op == EXPR_MUL && is_large(pool, node->b));
  return is_step || is_mixed(pool, node->a, depth - 1) || is_mixed(pool, node->b, depth - 1) ||
         is_mixed(pool, node->c, depth - 1);
}

ExprRef mixed_unknown_for(Scan *scan, ExprRef word) {
  ASSERT(expr_is_of(scan->pool, word));
  MixedWords *mixed = SCAN_STATE_OF(scan, mixed, MixedWords);
  for (uint32_t i = 0; i < mixed->list.count; i++)
    if (mixed->list.items[i].word == word) return mixed->list.items[i].unknown;
  ExprNode node = *expr_node(scan->pool, word);
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, word, &lo, &hi);
  ExprRef unknown = expr_new_sym(scan->pool, (ExprSym){.name = "mixed word",
                                                       .width = node.width,
                                                       .owner = node.owners,
                                                       .kind = SYM_UNKNOWN,
                                                       .word = word,
                                                       .lo = lo,
                                                       .hi = hi});
  vec_push(scan->arena, &mixed->list, (MixedWord){word, unknown});
  return unknown;
}

static bool is_of_one(const ExprNode *node) {
  return node->owners == OWNER_UNIFORM || node->owners == OWNER_THREAD1 || node->owners == OWNER_THREAD2;
}

// Of which only what is left matters: a remainder, or the bits of a mask.
static bool is_cut(const ExprPool *pool, const ExprNode *node) {
  bool is_rest = node->op == EXPR_UREM || node->op == EXPR_SREM ||
                 (node->op == EXPR_AND && node->width > 1 && expr_is_const(pool, node->b, NULL));
  return is_rest && is_of_one(expr_node(pool, node->a)) && is_mixed(pool, node->a, MIXED_DEPTH);
}

static ExprRef rewrite_app(Rewriting *r, ExprRef ref, const ExprNode *node) {
  ExprRef *args = arena_array(r->scan->arena, node->arg_count + 1u, ExprRef);
  bool is_same = true;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    ExprRef arg = expr_node(r->scan->pool, ref)->args[i];
    args[i] = mixed_rewrite(r, arg);
    is_same &= args[i] == arg;
  }
  return is_same ? ref : expr_app(r->scan->pool, (uint32_t)node->value, node->arg_count, args);
}

static ExprRef rewrite_anew(Rewriting *r, ExprRef ref) {
  ExprPool *pool = r->scan->pool;
  ExprNode node = *expr_node(pool, ref);
  if (node.op == EXPR_SYM || node.op == EXPR_CONST) return ref;
  if (node.op == EXPR_APP) return rewrite_app(r, ref, &node);
  bool cut = r->cuts_mixed && is_cut(pool, &node);
  r->is_any |= cut;
  ExprRef a = cut ? mixed_unknown_for(r->scan, node.a) : mixed_rewrite(r, node.a),
          b = mixed_rewrite(r, node.b), c = mixed_rewrite(r, node.c);
  if (a == node.a && b == node.b && c == node.c) return ref;
  if (node.op == EXPR_ITE) return expr_ite(pool, a, b, c);
  if (node.op == EXPR_NOT) return expr_not(pool, a);
  return b ? expr_binary(pool, (ExprOp)node.op, node.flags, a, b)
           : expr_unary(pool, (ExprOp)node.op, node.width, a);
}

ExprRef mixed_rewrite(Rewriting *r, ExprRef ref) {
  ASSERT(!ref || expr_is_of(r->scan->pool, ref));
  if (!ref) return 0;
  if (!r->memo[ref]) r->memo[ref] = rewrite_anew(r, ref);
  return r->memo[ref];
}

void mixed_rewrite_goal(Rewriting *r, const Goal *goal, Goal *made) {
  ASSERT(made);
  for (uint32_t i = 0; i < goal->conditions.count; i++) {
    const GoalCondition *known = &goal->conditions.items[i];
    goal_add(r->scan, made, mixed_rewrite(r, known->condition), known->part, known->tag);
  }
}

bool mixed_forget(Scan *scan, const Goal *goal, Goal *made) {
  ASSERT(made);
  Arena *scratch = arena_open();
  Rewriting r = {
      .scan = scan, .memo = arena_array(scratch, expr_count(scan->pool) + 1, ExprRef), .cuts_mixed = true};
  *made = (Goal){.is_false = goal->is_false};
  mixed_rewrite_goal(&r, goal, made);
  arena_close(scratch);
  return r.is_any;
}
