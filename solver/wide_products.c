// Products of many unknown host values, as functions first: `b * h * w * 2 * kh * kw * dg` is how many
// elements there are, and mostly it does not matter how it comes about. Multiplied out, it meets other
// products in sums of degree five and more, which cost a hundred times what they cost with one unknown in its
// place. So the question is put with one unknown for each such product before it is put as it stands. Method:
// abstraction of multiplications as uninterpreted functions (Brady et al., "Learning conditional
// abstractions", FMCAD 2011), of products that are the same for all threads. Soundness: an unknown may have
// any value of its word, so the abstraction has more models: UNSAT is one of the question, and nothing else
// is taken from it.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"
#include "core/bug.h"

enum { MANY_UNKNOWNS = 4 };

typedef struct Naming {
  ExprPool *pool;
  Arena *arena;
  Map done; // by expression: what became of it
  uint32_t named;
} Naming;

// How many unknown factors? Counts no further than MANY_UNKNOWNS.
static uint32_t count_unknowns(const ExprPool *pool, ExprRef ref) {
  const ExprNode *n = expr_node(pool, ref);
  if (n->op == EXPR_CONST) return 0;
  if (n->op != EXPR_MUL) return 1;
  uint32_t a = count_unknowns(pool, n->a);
  return a >= MANY_UNKNOWNS ? a : a + count_unknowns(pool, n->b);
}

static bool is_wide_product(const ExprPool *pool, ExprRef ref) {
  const ExprNode *n = expr_node(pool, ref);
  return n->op == EXPR_MUL && n->owners == OWNER_UNIFORM && count_unknowns(pool, ref) >= MANY_UNKNOWNS;
}

static ExprRef rename_in(Naming *naming, ExprRef ref);

static ExprRef rename_parts(Naming *naming, ExprRef ref) {
  ExprPool *pool = naming->pool;
  ExprNode n = *expr_node(pool, ref);
  if (n.op == EXPR_CONST || n.op == EXPR_SYM) return ref;
  if (n.op == EXPR_APP) {
    ExprRef *args = arena_array(naming->arena, n.arg_count + 1, ExprRef);
    for (uint32_t i = 0; i < n.arg_count; i++)
      args[i] = rename_in(naming, expr_node(pool, ref)->args[i]);
    return expr_app(pool, (uint32_t)n.value, n.arg_count, args);
  }
  ExprRef a = n.a ? rename_in(naming, n.a) : 0, b = n.b ? rename_in(naming, n.b) : 0,
          c = n.c ? rename_in(naming, n.c) : 0;
  if (a == n.a && b == n.b && c == n.c) return ref;
  if (n.op == EXPR_ITE) return expr_ite(pool, a, b, c);
  return n.b ? expr_binary(pool, (ExprOp)n.op, n.flags, a, b) : expr_unary(pool, (ExprOp)n.op, n.width, a);
}

static ExprRef rename_in(Naming *naming, ExprRef ref) {
  uint32_t known = map_get(&naming->done, ref);
  if (known) return known;
  ExprRef result;
  if (is_wide_product(naming->pool, ref)) {
    ExprSym unknown = {.name = "a product", .width = expr_width(naming->pool, ref), .kind = SYM_UNKNOWN};
    result = expr_new_sym(naming->pool, unknown);
    naming->named++;
  } else
    result = rename_parts(naming, ref);
  map_set(naming->arena, &naming->done, ref, result);
  return result;
}

const GoalCondition *wide_products_named(ExprPool *pool, const GoalCondition *conditions, uint32_t count,
                                         Arena *arena) {
  ASSERT(conditions || !count);
  Naming naming = {.pool = pool, .arena = arena};
  GoalCondition *out = arena_array(arena, count + 1, GoalCondition);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = conditions[i];
    out[i].condition = rename_in(&naming, conditions[i].condition);
  }
  return naming.named ? out : NULL;
}
