// Do all lanes come to a barrier of their warp, and does an answer of the solver satisfy a condition, asked of text
// (kernelscan/pairs.h, kernelscan/models.h)? Each text has a twin, one edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/models.h"

#include "tests/unit/kernel_text.h"

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\n"                                                                 \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %b = sreg ctaid.x i32\n  %w = lshr i32 %t, 5\n"

// The first barrier of the text: does it keep nobody together?
static bool is_divergent(const char *body) {
  Arena *arena = arena_open();
  Setting *setting = setting_of(HEAD, body, arena);
  Solver *solver = setting_open_solver(setting);
  setting_prepare(setting);
  bool is_any = CHECK(setting->scan.points.count > 1) && setting->scan.points.items[1].is_divergent;
  solver_close(solver);
  arena_close(arena);
  return is_any;
}

#define WARP "  barrier sync -1 warp\n"
#define UNDER(who)                                                                                           \
  "  %c = icmp slt i32 " who ", 1\n  condbr %c, ^then, ^end\n^then:\n" WARP "  br ^end\n^end:\n" WARP        \
  "  ret\n"

static void test_branches(void) {
  CHECK(!is_divergent(WARP "  ret\n"));
  CHECK(!is_divergent(UNDER("%n")));
  CHECK(!is_divergent(UNDER("%b")));
  CHECK(!is_divergent(UNDER("%w"))); // whole warps
  CHECK(is_divergent(UNDER("%t")));
  // Who goes round it to the end counts as arrived.
  CHECK(!is_divergent("  %c = icmp slt i32 %t, 1\n  condbr %c, ^then, ^end\n^then:\n" WARP
                      "  br ^end\n^end:\n  ret\n"));
}

// Lanes that go round a loop less often than others come to fewer barriers.
static void test_rounds(void) {
#define LOOP(bound)                                                                                          \
  "  br ^loop\n^loop:\n  %k = phi i32 [0, ^entry], [%k1, ^loop]\n" WARP "  %k1 = add nsw i32 %k, 1\n"        \
  "  %more = icmp slt i32 %k1, " bound "\n  condbr %more, ^loop, ^end\n^end:\n" WARP "  ret\n"
  CHECK(!is_divergent(LOOP("%n")));
  CHECK(!is_divergent(LOOP("%w")));
  CHECK(is_divergent(LOOP("%t")));
}

static SolverAnswer answer_of(Verdict verdict, int64_t *values, uint32_t count) {
  return (SolverAnswer){.verdict = verdict, .sym_values = values, .sym_count = count};
}

// What holds in one of the models that are kept need not be asked; a proof is no model, and the oldest one goes.
static void test_models(void) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena);
  ExprRef x =
      expr_new_sym(pool, (ExprSym){.name = "x", .width = 32, .lo = 0, .hi = 100, .kind = SYM_HOST_VALUE});
  int64_t three[] = {3}, four[] = {4};
  ExprRef is_three = expr_eq(pool, x, expr_const(pool, 32, 3)),
          is_four = expr_eq(pool, x, expr_const(pool, 32, 4));
  SolverAnswer model = answer_of(VERDICT_RACE, three, 1), proof = answer_of(VERDICT_SAFE, four, 1),
               other = answer_of(VERDICT_RACE, four, 1);
  Models models = {0};
  models_keep(&models, &proof);
  CHECK(!models_satisfy(pool, &models, is_four));
  models_keep(&models, &model);
  CHECK(models_satisfy(pool, &models, is_three) && !models_satisfy(pool, &models, is_four));
  for (uint32_t i = 0; i + 1 < MODEL_LIMIT; i++)
    models_keep(&models, &other);
  CHECK(models_satisfy(pool, &models, is_three) && models_satisfy(pool, &models, is_four));
  models_keep(&models, &other);
  CHECK(!models_satisfy(pool, &models, is_three));
  arena_close(arena);
}

int main(void) {
  test_branches();
  test_rounds();
  test_models();
  return check_result();
}
