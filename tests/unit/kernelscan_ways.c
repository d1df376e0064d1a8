// Answers of two doors, asked of text: whom does a barrier hold together and how far does a stretch go
// (kernelscan/graph.h), and what is one value for all threads of a block (kernelscan/ways.h)? Each text has a twin, one
// edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/graph.h"
#include "kernelscan/ways.h"

#include "tests/unit/kernel_text.h"

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\nglobal $table global size 64 align 4\n"                           \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %b = sreg ctaid.x i32\n  %s = sext i64 %t\n  %s4 = mul i64 %s, 4\n"              \
  "  %m = ptradd ptr.shared $tile, %s4\n"

// Can a thread be at the last access with no barrier passed that holds the couple?
static bool comes_to_last(const char *body, Couple couple) {
  Arena *arena = arena_open();
  Scan *scan = &setting_of(HEAD, body, arena)->scan;
  const Access *last = &vec_last(&scan->accesses);
  bool comes = node_stretch(scan, scan->points.items[0].node, couple)[last->node];
  arena_close(arena);
  return comes;
}

// Is the value that is stored last one for all threads of the block?
static bool is_uniform_among(int64_t threads, const char *body) {
  Arena *arena = arena_open();
  Setting *setting = setting_of(HEAD, body, arena);
  Scan *scan = &setting->scan;
  setting_launch(setting, scan->pool, 4, threads);
  loops_find_inductions(scan);
  uniform_compute(scan);
  const IrInst *store = &scan->fn->insts.items[vec_last(&scan->accesses).inst];
  bool is_one = CHECK(store->op == IR_STORE) && uniform_ref(scan, store->ops[1]);
  arena_close(arena);
  return is_one;
}

static bool is_uniform(const char *body) {
  return is_uniform_among(64, body);
}

#define BEHIND(barrier) "  store i32 %m, 1\n" barrier "  store i32 %m, 2\n  ret\n"

static void test_couples(void) {
  const Couple in_block = couple_of(EXTENT_INTRA_BLOCK), between = couple_of(EXTENT_INTER_BLOCK),
               in_warp = couple_of(EXTENT_INTRA_WARP);
  CHECK(comes_to_last(BEHIND(""), in_block));
  CHECK(!comes_to_last(BEHIND("  barrier sync block\n"), in_block));
  CHECK(!comes_to_last(BEHIND("  barrier sync block\n"), in_warp));
  CHECK(comes_to_last(BEHIND("  barrier sync block\n"), between));
  CHECK(!comes_to_last(BEHIND("  barrier sync -1 warp\n"), in_warp));
  CHECK(comes_to_last(BEHIND("  barrier sync -1 warp\n"), in_block));
  // A barrier of a cluster holds all blocks of it, and no two of the grid.
  CHECK(!comes_to_last(BEHIND("  barrier sync cluster\n"), in_block));
  CHECK(comes_to_last(BEHIND("  barrier sync cluster\n"), between));
}

// A barrier of a part holds those of whom the question says so.
static void test_parts(void) {
  Couple held = {.extent = EXTENT_INTRA_WARP, .covering = 1};
  CHECK(!comes_to_last(BEHIND("  barrier tile 8 warp\n"), held));
  CHECK(comes_to_last(BEHIND("  barrier tile 8 warp\n"), couple_of(EXTENT_INTRA_WARP)));
  held.extent = EXTENT_INTRA_BLOCK; // of two warps: none of their threads are in one tile of eight
  CHECK(comes_to_last(BEHIND("  barrier tile 8 warp\n"), held));
}

// Each time round, the barrier is behind the access.
static void test_back_edges(void) {
#define ROUND(first, last)                                                                                   \
  "  br ^loop\n^loop:\n  %k = phi i32 [0, ^entry], [%k1, ^loop]\n" first "  store i32 %m, %k\n" last         \
  "  %k1 = add i32 %k, 1\n  %more = icmp slt i32 %k1, %n\n  condbr %more, ^loop, ^end\n^end:\n  ret\n"
  const Couple couple = couple_of(EXTENT_INTRA_BLOCK);
  CHECK(comes_to_last(ROUND("", "  barrier sync block\n"), couple));
  CHECK(!comes_to_last(ROUND("  barrier sync block\n", ""), couple));
}

static void test_values(void) {
  CHECK(is_uniform("  %v = add i32 %n, %b\n  store i32 %m, %v\n  ret\n"));
  CHECK(!is_uniform("  %v = add i32 %n, %t\n  store i32 %m, %v\n  ret\n"));
}

// What an operation gives by itself: to each thread something of its own, or the same to all of a block.
static void test_operations(void) {
#define GIVEN(type, value) "  %v = " value "\n  store " type " %m, %v\n  ret\n"
  CHECK(is_uniform(GIVEN("i32", "load i32 $table")));
  CHECK(!is_uniform(
      GIVEN("i32", "cmpxchg i32 $table, 0, 1 relaxed device"))); // one of them finds what was there before
  CHECK(!is_uniform(GIVEN("i32", "atomicrmw add i32 $table, 0 relaxed device")));
  CHECK(is_uniform(GIVEN("ptr", "ptradd ptr.global $table, 4")));
  CHECK(!is_uniform(GIVEN("ptr", "alloca ptr size 16"))); // each has its own
  CHECK(is_uniform(GIVEN("i32", "sreg ntid.x i32")));
  CHECK(!is_uniform(GIVEN("i32", "sreg laneid i32")));
  CHECK(!is_uniform(GIVEN("i32", "undef i32")));
#define COUNTED(barrier) "  %c = icmp slt i32 %t, %n\n  %v = barrier " barrier "\n  store i32 %m, %v\n  ret\n"
  CHECK(is_uniform(COUNTED("count i32 %c block")));
}

// A vote of all lanes is one for the block where that has no other warp, and all come to it.
static void test_votes(void) {
#define VOTE "  %c = icmp slt i32 %t, %n\n  %v = vote i32 ballot(-1, %c)\n  store i32 %m, %v\n  ret\n"
#define VOTE_OF_SOME                                                                                         \
  "  %c = icmp slt i32 %t, %n\n  condbr %c, ^then, ^end\n^then:\n  %v = vote i32 ballot(-1, %c)\n"           \
  "  store i32 %m, %v\n  br ^end\n^end:\n  ret\n"
  CHECK(is_uniform_among(32, VOTE));
  CHECK(!is_uniform_among(64, VOTE));
  CHECK(!is_uniform_among(32, VOTE_OF_SOME));
}

// What merges behind a branch depends on who took which side.
static void test_merges(void) {
#define MERGE(by)                                                                                            \
  "  %c = icmp slt i32 " by ", 7\n  condbr %c, ^then, ^end\n^then:\n  br ^end\n"                             \
  "^end:\n  %v = phi i32 [1, ^entry], [2, ^then]\n  store i32 %m, %v\n  ret\n"
  CHECK(is_uniform(MERGE("%n")));
  CHECK(!is_uniform(MERGE("%t")));
}

// What is left of a loop that threads leave in different rounds is not one value, though in each round it is.
static void test_loops(void) {
#define LOOP(bound)                                                                                          \
  "  br ^loop\n^loop:\n  %k = phi i32 [0, ^entry], [%k1, ^loop]\n  %k1 = add i32 %k, 1\n"                    \
  "  %more = icmp slt i32 %k1, " bound "\n  condbr %more, ^loop, ^end\n^end:\n"                              \
  "  %v = add i32 %k, 0\n  store i32 %m, %v\n  ret\n"
  CHECK(is_uniform(LOOP("%n")));
  CHECK(!is_uniform(LOOP("%t")));
}

// A word that thread 0 has written is one value behind a barrier, as long as nobody writes it there.
static void test_shared_words(void) {
#define SHARED(barrier, later)                                                                               \
  "  %c = icmp eq i32 %t, 0\n  condbr %c, ^set, ^join\n^set:\n  store i32 $tile, %n\n  br "                  \
  "^join\n^join:\n" barrier "  %v = load i32 $tile\n" later                                                  \
  "  %o = ptradd ptr.shared %m, 512\n  store i32 %o, %v\n  ret\n"
  CHECK(is_uniform(SHARED("  barrier sync block\n", "  barrier sync block\n")));
  CHECK(!is_uniform(SHARED("", "  barrier sync block\n")));
  CHECK(!is_uniform(SHARED("  barrier sync block\n", "")));
}

int main(void) {
  test_couples();
  test_parts();
  test_back_edges();
  test_values();
  test_operations();
  test_votes();
  test_merges();
  test_loops();
  test_shared_words();
  return check_result();
}
