// When are two goals the same question? When they differ only in the names of symbols and functions, in the
// numbering of expressions, and in the pool they live in. The key of a goal is its text with symbols,
// functions and shared expressions numbered by first appearance; two goals with equal keys have the same
// answer, up to that numbering. Soundness: the key holds everything that the solver looks at: operations,
// widths, flags, constants, ranges, owners, kinds, parts and tags.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

#include <string.h>

static void put(GoalKey *key, uint64_t value) {
  // Seven bits a byte: small numbers are common.
  do {
    uint8_t byte = (uint8_t)(value & 127) | (value > 127 ? 128 : 0);
    vec_push(key->arena, &key->bytes, byte);
    value >>= 7;
  } while (value);
}

static void put_expr(GoalKey *key, const ExprPool *pool, ExprRef ref);

static void put_symbol(GoalKey *key, const ExprPool *pool, uint32_t sym) {
  uint32_t number = map_get(&key->number_of_sym, sym);
  if (number) {
    put(key, number);
    return;
  }
  vec_push(key->arena, &key->syms, sym);
  map_set(key->arena, &key->number_of_sym, sym, key->syms.count);
  const ExprSym *info = expr_sym_info(pool, sym);
  put(key, key->syms.count);
  put(key, info->width | ((uint64_t)info->owner << 8) | ((uint64_t)info->kind << 16) |
               ((uint64_t)info->axis << 24));
  put(key, (uint64_t)info->lo);
  put(key, (uint64_t)info->hi);
  put(key, info->word != 0);
  if (info->word) put_expr(key, pool, info->word);
}

static void put_function(GoalKey *key, const ExprPool *pool, uint32_t func) {
  uint32_t number = map_get(&key->number_of_func, func);
  if (number) {
    put(key, number);
    return;
  }
  vec_push(key->arena, &key->funcs, func);
  map_set(key->arena, &key->number_of_func, func, key->funcs.count);
  const ExprFunc *info = expr_func_info(pool, func);
  put(key, key->funcs.count);
  put(key, info->width | ((uint64_t)info->kind << 8) | ((uint64_t)info->is_injective << 16) |
               ((uint64_t)info->is_monotone << 17));
  put(key, (uint64_t)info->lo);
  put(key, (uint64_t)info->hi);
}

// Operands before the node; a node that was written before is its number.
static void put_expr(GoalKey *key, const ExprPool *pool, ExprRef ref) {
  uint32_t number = map_get(&key->number_of_expr, ref);
  if (number) {
    put(key, 0);
    put(key, number);
    return;
  }
  ExprNode n = *expr_node(pool, ref);
  put(key, n.op);
  put(key, n.width | ((uint64_t)n.flags << 8));
  if (n.op == EXPR_SYM) put_symbol(key, pool, (uint32_t)n.value);
  if (n.op == EXPR_APP) put_function(key, pool, (uint32_t)n.value);
  if (n.op == EXPR_CONST) put(key, (uint64_t)n.value);
  if (n.a) put_expr(key, pool, n.a);
  if (n.b) put_expr(key, pool, n.b);
  if (n.c) put_expr(key, pool, n.c);
  put(key, n.arg_count);
  for (uint32_t i = 0; i < n.arg_count; i++)
    put_expr(key, pool, n.args[i]);
  vec_push(key->arena, &key->exprs, ref);
  map_set(key->arena, &key->number_of_expr, ref, key->exprs.count);
}

GoalKey goal_key_make(const ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                      uint32_t question, Arena *arena) {
  ASSERT(conditions || !count);
  GoalKey key = {.arena = arena};
  put(&key, question);
  put(&key, count);
  for (uint32_t i = 0; i < count; i++) {
    put(&key, (uint64_t)conditions[i].part);
    put(&key, conditions[i].part == GOAL_FACT ? conditions[i].tag : 0);
    put_expr(&key, pool, conditions[i].condition);
  }
  key.hash = str_hash(key.bytes.items, key.bytes.count, question);
  return key;
}

// Only values of what occurs in the goal.
void goal_key_add_base(GoalKey *key, const SolverBase *base) {
  if (!base) return;
  for (uint32_t i = 0; i < key->syms.count; i++) {
    uint32_t sym = key->syms.items[i];
    bool has = sym < base->answer->sym_count && base->has[sym];
    put(key, has);
    if (has) put(key, (uint64_t)base->answer->sym_values[sym]);
  }
  for (uint32_t i = 0; i < base->answer->func_value_count; i++) {
    const SolverFuncValue *point = &base->answer->func_values[i];
    uint32_t number = map_get(&key->number_of_func, point->func);
    if (!number) continue;
    put(key, number);
    for (uint32_t k = 0; k < point->arg_count; k++)
      put(key, (uint64_t)point->args[k]);
    put(key, (uint64_t)point->result);
  }
  key->hash = str_hash(key->bytes.items, key->bytes.count, key->hash);
}

void goal_key_add_number(GoalKey *key, uint64_t number) {
  put(key, number);
  key->hash = str_hash(key->bytes.items, key->bytes.count, key->hash);
}

bool goal_key_equal(const GoalKey *a, const GoalKey *b) {
  return a->hash == b->hash && a->bytes.count == b->bytes.count &&
         memcmp(a->bytes.items, b->bytes.items, a->bytes.count) == 0;
}
