// Which stores reach a load, asked of text: those in an array of the thread's own, what a thread of the block left in
// shared memory, and what was overwritten by then (kernelscan/facts/). Each text has a twin, one edit away, with the other
// answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

#include "tests/unit/kernel_text.h"

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\nglobal $out shared size 1024 align 16\n"                          \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %s = sext i64 %t\n  %s4 = mul i64 %s, 4\n"                                       \
  "  %m = ptradd ptr.shared $tile, %s4\n  %o = ptradd ptr.shared $out, %s4\n  %twice = add nsw i32 %t, %t\n"

#define VALUE_FACTS(supplier) extern const ValueFacts supplier##_facts;
#include "kernelscan/value_facts.def"
#undef VALUE_FACTS
static const ValueFacts *const suppliers[] = {
#define VALUE_FACTS(supplier) &supplier##_facts,
#include "kernelscan/value_facts.def"
#undef VALUE_FACTS
    NULL};

static Setting *prepared(const char *body, Arena *arena) {
  Setting *setting = setting_of(HEAD, body, arena);
  setting->scan.start.suppliers = suppliers;
  setting_prepare(setting);
  return setting;
}

static const Access *access_of(const Scan *scan, uint32_t op, uint32_t which) {
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->fn->insts.items[scan->accesses.items[a].inst].op == op && which-- == 0)
      return &scan->accesses.items[a];
  return NULL;
}

// How many stores reach the only load of an array of the thread's own; 0: not known.
static uint32_t reaching(const char *body) {
  Arena *arena = arena_open();
  Scan *scan = &prepared(body, arena)->scan;
  uint32_t load = 0;
  while (load < scan->fn->insts.count && scan->fn->insts.items[load].op != IR_LOAD)
    load++;
  LocalStores stores = {0};
  Frame *frame = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  bool is_known =
      CHECK(load < scan->fn->insts.count) && locals_stores(frame, &scan->fn->insts.items[load], &stores);
  arena_close(arena);
  return is_known ? stores.count : 0;
}

static void test_own(void) {
#define OWN(between)                                                                                         \
  "  %a = alloca ptr size 256\n  %e = ptradd ptr %a, %s4\n  store i32 %e, %t\n" between                      \
  "  %r = load i32 %a\n  store i32 %m, %r\n  ret\n"
  CHECK(reaching(OWN("")) == 1);
  CHECK(reaching(OWN("  store i32 %a, 7\n")) == 2);
  CHECK(reaching(OWN("  store i16 %a, 7\n")) == 0);    // a part of a word
  CHECK(reaching(OWN("  store ptr $out, %a\n")) == 0); // others may write there
}

// Is the first store closed by a barrier that every reader passes before the load?
static bool is_closed(const char *body) {
  Arena *arena = arena_open();
  Scan *scan = &prepared(body, arena)->scan;
  const Access *store = access_of(scan, IR_STORE, 0), *load = access_of(scan, IR_LOAD, 0);
  bool is_found = CHECK(store && load) && killed_stores_closing(scan, store, load) != NULL;
  arena_close(arena);
  return is_found;
}

static void test_closing(void) {
#define READ(between) "  store i32 %m, %t\n" between "  %r = load i32 %m\n  store i32 %o, %r\n  ret\n"
#define SOME(then) "  %c = icmp eq i32 %n, 5\n  condbr %c, ^then, ^on\n^then:\n" then "  br ^on\n^on:\n"
  CHECK(is_closed(READ("  barrier sync block\n")));
  CHECK(!is_closed(READ("")));
  CHECK(is_closed(READ(SOME("") "  barrier sync block\n")));
  CHECK(!is_closed(READ(SOME("  barrier sync block\n")))); // some come to the load without it
}

// In each round of a loop, which all threads leave together, the barrier stands between the two.
static void test_closing_in_rounds(void) {
#define ROUNDS(bound, inside, behind)                                                                        \
  "  br ^loop\n^loop:\n  %k = phi i32 [0, ^entry], [%k1, ^loop]\n" inside                                    \
  "  %k1 = add i32 %k, 1\n  %more = icmp slt i32 %k1, " bound                                                \
  "\n  condbr %more, ^loop, ^end\n^end:\n" behind "  ret\n"
#define STORE "  store i32 %m, %t\n"
#define SYNC "  barrier sync block\n"
#define LOAD "  %r = load i32 %m\n  store i32 %o, %r\n"
  CHECK(is_closed(ROUNDS("%n", STORE SYNC LOAD SYNC, "")));
  CHECK(!is_closed(ROUNDS("%t", STORE SYNC LOAD SYNC, ""))); // in another round than others
  CHECK(!is_closed(ROUNDS("%n", LOAD SYNC STORE SYNC, ""))); // the load is in front of the barrier
  CHECK(!is_closed(ROUNDS("%n", STORE SYNC, LOAD)));         // behind the loop: in which round was it?
  CHECK(!is_closed(ROUNDS("%n", STORE, SYNC LOAD)));         // the barrier is
  CHECK(!is_closed(STORE ROUNDS("%n", SYNC, LOAD)));         // how often is it passed?
}

// May what the thread 5 loads, and stores behind that, be the number?
static bool may_read(const char *body, int64_t number) {
  Arena *arena = arena_open();
  Setting *setting = prepared(body, arena);
  Scan *scan = &setting->scan;
  ExprPool *pool = scan->pool;
  Solver *solver = setting_open_solver(setting);
  const IrInst *store = &scan->fn->insts.items[vec_last(&scan->accesses).inst];
  const View *view = view_fresh(scan, NULL);
  Frame *frame = frame_make(scan, view, NULL, NULL);
  ExprRef value = frame_word(frame, store->ops[1], 32);
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(pool, value, expr_const(pool, 32, number)), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_eq(pool, view->thread_idx[0], expr_const(pool, 32, 5)), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  Verdict verdict = goal.is_false ? VERDICT_SAFE : goal_decide(scan, &goal, "what is read").verdict;
  solver_close(solver);
  arena_close(arena);
  CHECK(verdict == VERDICT_SAFE || verdict == VERDICT_RACE);
  return verdict == VERDICT_RACE;
}

static void test_shared(void) {
#define LEFT(stored)                                                                                         \
  "  store i32 %m, " stored "\n  barrier sync block\n  %r = load i32 %m\n  store i32 %o, %r\n  ret\n"
  CHECK(may_read(LEFT("%twice"), 10));
  CHECK(!may_read(LEFT("%twice"), 5));
  CHECK(may_read(LEFT("%t"), 5));
#define OVER(first, barrier) "  store i32 %m, " first "\n" barrier LEFT("%twice")
  CHECK(!may_read(OVER("0", "  barrier sync block\n"), 0));
  CHECK(!may_read(OVER("7", "  barrier sync block\n"), 7));
#define ELSEWHERE                                                                                            \
  "  store i32 %m, 7\n  barrier sync block\n  store i32 %o, %twice\n  barrier sync block\n"                  \
  "  %r = load i32 %m\n  store i32 %o, %r\n  ret\n"
  CHECK(may_read(ELSEWHERE, 7));
}

int main(void) {
  test_own();
  test_closing();
  test_closing_in_rounds();
  test_shared();
  return check_result();
}
