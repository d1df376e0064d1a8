// Can two threads touch one byte, asked of text: goals of one pair of accesses (kernelscan/interval.h and query.h), at
// each distance. Each text has a twin, one edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"

#include "tests/unit/kernel_text.h"

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $data global size 4096 align 16\nglobal $tile shared size 1024 align 16\n"                         \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %b = sreg ctaid.x i32\n  %d = sreg ntid.x i32\n  %bd = mul nsw i32 %b, %d\n"     \
  "  %i = add nsw i32 %bd, %t\n"

// Does the last access of one thread touch what that of another one touches, both having come in at the kernel's entry?
static bool can_meet(const char *body, Extent extent) {
  Arena *arena = arena_open();
  Setting *setting = setting_of(HEAD, body, arena);
  Scan *scan = &setting->scan;
  Solver *solver = setting_open_solver(setting);
  setting_prepare(setting);
  ExprRef own_blocks[3] = {0};
  const View *one = view_make(scan, extent, OWNER_THREAD1, own_blocks),
             *two = view_make(scan, extent, OWNER_THREAD2, own_blocks);
  Meeting *meeting = meeting_make(scan, &scan->points.items[0], couple_of(extent), one, two);
  uint32_t last = scan->accesses.count - 1;
  const Instance *a = meeting_instance(meeting, 0, last, 0), *b = meeting_instance(meeting, 1, last, 0);
  Verdict verdict = VERDICT_UNKNOWN;
  if (CHECK(a && b) && CHECK(a->address.target_count == 1 && b->address.target_count == 1)) {
    Goal goal = {0};
    const Target *first = &a->address.targets[0], *second = &b->address.targets[0];
    goal_add(scan, &goal, conflict_condition(scan, a, first, b, second), GOAL_CONFLICT, 0);
    goal_add(scan, &goal, a->condition, GOAL_CONTEXT, 0);
    goal_add(scan, &goal, b->condition, GOAL_CONTEXT, 0);
    goal_add_extent(scan, &goal, extent, one, two);
    goal_add_view(scan, &goal, one);
    goal_add_view(scan, &goal, two);
    goal_add_launch(scan, &goal);
    rounds_add(scan, &goal, a->frame);
    rounds_add(scan, &goal, b->frame);
    verdict = goal.is_false ? VERDICT_SAFE : goal_decide(scan, &goal, "a pair").verdict;
  }
  solver_close(solver);
  arena_close(arena);
  CHECK(verdict != VERDICT_UNKNOWN);
  return verdict == VERDICT_RACE; // DEAD: the two conditions exclude each other
}

#define AT(index)                                                                                            \
  "  %x = sext i64 " index "\n  %x4 = mul i64 %x, 4\n  %p = ptradd ptr.global $data, %x4\n"                  \
  "  store i32 %p, %t\n"

static void test_places(void) {
  const char *own = AT("%i") "  ret\n", *of_block = AT("%t") "  ret\n";
  CHECK(!can_meet(own, EXTENT_INTER_BLOCK));
  CHECK(!can_meet(own, EXTENT_INTRA_BLOCK));
  CHECK(can_meet(of_block, EXTENT_INTER_BLOCK));
  CHECK(!can_meet(of_block, EXTENT_INTRA_BLOCK));
}

#define HALF "  %h = lshr i32 %i, 1\n"
#define WARPED "  %h = and i32 %t, 31\n"

static void test_distances(void) {
  CHECK(can_meet(HALF AT("%h") "  ret\n", EXTENT_INTRA_WARP));
  CHECK(!can_meet(HALF AT("%h") "  ret\n", EXTENT_INTRA_BLOCK)); // two of one pair are in one warp
  CHECK(can_meet(WARPED AT("%h") "  ret\n", EXTENT_INTRA_BLOCK));
  CHECK(!can_meet(WARPED AT("%h") "  ret\n", EXTENT_INTRA_WARP));
}

// Who comes there is part of the goal.
static void test_conditions(void) {
#define ONLY(who)                                                                                            \
  "  %c = icmp " who "\n  condbr %c, ^then, ^end\n^then:\n" AT("%n") "  br ^end\n^end:\n  ret\n"
  CHECK(!can_meet(ONLY("eq i32 %t, 5"), EXTENT_INTRA_WARP));
  CHECK(can_meet(ONLY("ne i32 %t, 5"), EXTENT_INTRA_WARP));
  CHECK(can_meet(ONLY("eq i32 %t, 5"), EXTENT_INTER_BLOCK));
  CHECK(!can_meet(ONLY("eq i32 %i, 5"), EXTENT_INTER_BLOCK));
}

// The rounds of a loop are numbers of each thread.
static void test_rounds(void) {
#define STRIDED(step)                                                                                        \
  "  br ^loop\n^loop:\n  %k = phi i32 [%t, ^entry], [%k1, ^loop]\n" AT(                                      \
      "%k") "  %k1 = add nsw i32 %k, " step                                                                  \
            "\n  %more = icmp slt i32 %k1, 1000\n  condbr %more, ^loop, ^end\n^end:\n  ret\n"
  CHECK(!can_meet(STRIDED("%d"), EXTENT_INTRA_BLOCK));
  CHECK(can_meet(STRIDED("1"), EXTENT_INTRA_BLOCK));
}

int main(void) {
  test_places();
  test_distances();
  test_conditions();
  test_rounds();
  return check_result();
}
