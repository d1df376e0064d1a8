// Sets of expressions against a plain list of truth values: what was put is found, and found once, nothing else is, also
// where the pool has grown since the set was made; a set with all that an expression is made of; copies.
// SPDX-License-Identifier: Apache-2.0
#include "core/expr_set.h"

#include "tests/unit/check.h"

#include <string.h>

enum { MOST = 6000 };

// Does the set hold those refs, and give them one after the other?
static bool is_same(const ExprSet *set, const bool *wanted, uint32_t count) {
  bool is_right = true;
  for (ExprRef ref = 1; ref < count; ref++)
    is_right &= expr_set_has(set, ref) == wanted[ref];
  ExprRef last = 0, at = 1;
  for (ExprRef ref = 0; (ref = expr_set_next(set, ref)) != 0; last = ref, at++) {
    for (; at < ref; at++)
      is_right &= !wanted[at];
    is_right &= ref > last && ref < count && wanted[ref];
  }
  for (; at < count; at++)
    is_right &= !wanted[at];
  return is_right && !expr_set_has(set, 0);
}

// The set is made of a pool with nothing in it, and grows with refs that come in any order, `most` apart at most.
static void check_random(uint64_t seed, uint32_t most) {
  Arena *arena = arena_open();
  ExprSet set = expr_set_make(arena, expr_pool_make(arena));
  bool *wanted = arena_array(arena, MOST, bool);
  bool is_right = is_same(&set, wanted, MOST);
  for (int step = 0; step < 300; step++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    ExprRef ref = 1 + (uint32_t)(seed >> 33) % (most - 1);
    is_right &= expr_set_is_new(&set, ref) == !wanted[ref];
    wanted[ref] = true;
  }
  ExprSet copy = expr_set_copy(arena, &set);
  CHECK(is_right && is_same(&set, wanted, MOST) && is_same(&copy, wanted, MOST));
  ExprRef absent = 1;
  while (wanted[absent])
    absent++;
  CHECK(expr_set_is_new(&set, absent) && expr_set_has(&set, absent) && !expr_set_has(&copy, absent));
  arena_close(arena);
}

// The first and the last of each word and page.
static void check_edges(void) {
  Arena *arena = arena_open();
  ExprSet set = expr_set_make(arena, expr_pool_make(arena));
  bool *wanted = arena_array(arena, MOST, bool);
  for (ExprRef edge = 64; edge < MOST - 1; edge *= 2)
    for (ExprRef ref = edge - 1; ref <= edge + 1; ref++) {
      expr_set_is_new(&set, ref);
      wanted[ref] = true;
    }
  CHECK(is_same(&set, wanted, MOST));
  arena_close(arena);
}

static void check_below(void) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  ExprRef a = expr_new_sym(pool, (ExprSym){.name = "a", .width = 32}),
          b = expr_new_sym(pool, (ExprSym){.name = "b", .width = 32}),
          other = expr_new_sym(pool, (ExprSym){.name = "other", .width = 32});
  uint32_t func = expr_func_named(pool, "f", 32);
  ExprRef args[] = {a, b}, app = expr_app(pool, func, 2, args),
          sum = expr_binary(pool, EXPR_ADD, 0, app, expr_const(pool, 32, 7));
  ExprSet set = expr_set_make(arena, pool);
  expr_set_add_below(&set, pool, 0);
  CHECK(expr_set_next(&set, 0) == 0);
  expr_set_add_below(&set, pool, sum);
  uint32_t count = 0;
  for (ExprRef ref = 0; (ref = expr_set_next(&set, ref)) != 0;)
    count++;
  CHECK(count == 5 && expr_set_has(&set, a) && expr_set_has(&set, b) && expr_set_has(&set, app));
  CHECK(expr_set_has(&set, sum) && expr_set_has(&set, expr_const(pool, 32, 7)) && !expr_set_has(&set, other));
  arena_close(arena);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    check_random(seed, 100);
    check_random(seed, MOST);
  }
  check_edges();
  check_below();
  return check_result();
}
