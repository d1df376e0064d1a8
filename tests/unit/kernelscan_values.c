// What a thread computes, asked of text (kernelscan/value.h): how a variable of a loop changes, in which round a
// loop is left, between which bounds lies what is read. Each text has a twin, one edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways.h"

#include "tests/unit/kernel_text.h"

#include <setjmp.h>

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\nglobal $out shared size 1024 align 16\n"                          \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %s = sext i64 %t\n  %s4 = mul i64 %s, 4\n"                                       \
  "  %m = ptradd ptr.shared $tile, %s4\n  %low = and i32 %t, 7\n"

extern const ValueFacts ranges_facts;
static const ValueFacts *const suppliers[] = {&ranges_facts, NULL};

static Scan *scan_of(const char *body, Arena *arena) {
  Setting *setting = setting_of(HEAD, body, arena);
  setting->scan.start.suppliers = suppliers;
  setting_prepare(setting);
  return &setting->scan;
}

#define ROUNDS(start, update, test)                                                                          \
  "  br ^loop\n^loop:\n  %k = phi i32 [" start                                                               \
  ", ^entry], [%k1, ^loop]\n  store i32 %m, %k\n  %k1 = " update "\n  %more = icmp " test                    \
  "\n  condbr %more, ^loop, ^end\n^end:\n  ret\n"

// How the variable of the loop changes.
static InductionKind kind_of(const char *body) {
  Arena *arena = arena_open();
  Scan *scan = scan_of(body, arena);
  uint32_t phi = 0;
  while (phi < scan->fn->insts.count && scan->fn->insts.items[phi].op != IR_PHI)
    phi++;
  InductionKind kind = CHECK(phi < scan->fn->insts.count) ? loops_induction(scan, phi)->kind : INDUCTION_NONE;
  arena_close(arena);
  return kind;
}

static void test_inductions(void) {
  CHECK(kind_of(ROUNDS("0", "add i32 %k, 4", "slt i32 %k1, 99")) == INDUCTION_LINEAR);
  CHECK(kind_of(ROUNDS("%t", "sub i32 %k, %n", "sgt i32 %k1, 0")) == INDUCTION_LINEAR);
  CHECK(kind_of(ROUNDS("%t", "shl i32 %k, 1", "slt i32 %k1, 99")) == INDUCTION_SHIFT_LEFT);
  CHECK(kind_of(ROUNDS("%t", "lshr i32 %k, 1", "sgt i32 %k1, 0")) == INDUCTION_HALVING);
  CHECK(kind_of(ROUNDS("0", "sub i32 1, %k", "slt i32 %t, 9")) == INDUCTION_PERIODIC);
  CHECK(kind_of(ROUNDS("0", "xor i32 %k, %n", "slt i32 %t, 9")) == INDUCTION_PERIODIC);
  CHECK(kind_of(ROUNDS("%t", "mul i32 %k, %k", "slt i32 %k1, 99")) == INDUCTION_NONE);
  CHECK(kind_of(ROUNDS("0", "add i32 %k, %k", "slt i32 %k1, 99")) != INDUCTION_LINEAR);
}

// In how many rounds the one loop is left; 0: not known.
static uint32_t rounds_of(const char *body) {
  Arena *arena = arena_open();
  Scan *scan = scan_of(body, arena);
  uint32_t rounds = CHECK(scan->cfg->loops.count == 1) ? exits_rounds(scan, 0) : 0;
  arena_close(arena);
  return rounds;
}

static void test_exits(void) {
  CHECK(rounds_of(ROUNDS("512", "lshr i32 %k, 1", "sgt i32 %k1, 0")) == 10);
  CHECK(rounds_of(ROUNDS("256", "lshr i32 %k, 1", "sgt i32 %k1, 0")) == 9);
  CHECK(rounds_of(ROUNDS("0", "add i32 %k, 1", "slt i32 %k1, %n")) == 3);
  CHECK(rounds_of(ROUNDS("0", "add i32 %k, 1", "slt i32 %k1, %t")) == 0);
  CHECK(rounds_of(ROUNDS("%t", "add i32 %k, 1", "slt i32 %k1, %n")) == 0);
}

static ExprRef within(ExprPool *pool, ExprRef value) {
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, 0), value),
                  expr_binary(pool, EXPR_SLE, 0, value, expr_const(pool, 32, 7)));
}

// Is it known of what the last store writes that it is from 0 to 7?
static bool is_bounded(const char *body) {
  Arena *arena = arena_open();
  Scan *scan = scan_of(body, arena);
  const IrInst *store = &scan->fn->insts.items[vec_last(&scan->accesses).inst];
  Frame *frame = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  ExprRef value = CHECK(store->op == IR_STORE) ? frame_word(frame, store->ops[1], 32) : 0;
  int64_t lo = 0, hi = 0;
  if (CHECK(value != 0)) expr_range(scan->pool, value, &lo, &hi);
  bool is_inside = lo >= 0 && hi <= 7;
  for (uint32_t i = 0; i < scan->invariants.count; i++) {
    const Invariant *known = &scan->invariants.items[i];
    if (known->leaf == value && known->is_interval)
      is_inside |= known->condition == within(scan->pool, value);
  }
  arena_close(arena);
  return is_inside;
}

// An array of the thread's own holds what the thread stored there; at which place does not matter.
static void test_own_arrays(void) {
#define OWN(stored, at)                                                                                      \
  "  %a = alloca ptr size 256\n  %e = ptradd ptr %a, " at "\n  store i32 %e, " stored                        \
  "\n  %r = load i32 %a\n  store i32 %m, %r\n  ret\n"
  CHECK(is_bounded(OWN("%low", "%s4")));
  CHECK(!is_bounded(OWN("%t", "%s4")));
  CHECK(!is_bounded(OWN("%low", "%s"))); // at no multiple of its size: a read may see parts of two
}

// Shared memory holds what some thread of the block stored there.
static void test_shared_arrays(void) {
#define SHARED(stored, more)                                                                                 \
  "  store i32 %m, " stored "\n" more                                                                        \
  "  barrier sync block\n  %r = load i32 $tile\n  %o = ptradd ptr.shared $out, %s4\n"                        \
  "  store i32 %o, %r\n  ret\n"
  CHECK(is_bounded(SHARED("%low", "")));
  CHECK(!is_bounded(SHARED("%t", "")));
  CHECK(is_bounded(SHARED("%low", "  store i32 $tile, 6\n")));
  CHECK(!is_bounded(SHARED("%low", "  store i32 $tile, 9\n")));
  CHECK(!is_bounded(SHARED("%low", "  store i16 $tile, 6\n"))); // a part of a word
}

// ---- what is kept of a scan

static jmp_buf caught;
static void catch_bug(const char *file, int line, const char *message) {
  (void)file, (void)line, (void)message;
  longjmp(caught, 1);
}

// Is it a bug to ask in which round the loop is left, and how its variable changes?
static bool is_asked_too_early(const Scan *scan) {
  bug_set_hook(catch_bug);
  bool is_bug = setjmp(caught) != 0;
  if (!is_bug) (void)(exits_rounds(scan, 0) + loops_induction(scan, 0)->step_count);
  bug_set_hook(NULL);
  return is_bug;
}

static void test_kept_answers(void) {
  Arena *arena = arena_open();
  Setting *setting = setting_of(HEAD, ROUNDS("0", "add i32 %k, 1", "slt i32 %k1, 9"), arena);
  const Scan *scan = &setting->scan;
  CHECK(is_asked_too_early(scan)); // nothing is known yet, and that is no answer
  setting->scan.start.suppliers = suppliers;
  setting_prepare(setting);
  CHECK(!is_asked_too_early(scan));
  // Zero at first, then the same block of memory, for a scan that is not to be changed as well.
  setting->scan.states = arena_new(arena, ScanStates);
  uint64_t *kept = scan_state(scan, 0, 2 * sizeof *kept);
  CHECK(kept[0] == 0 && kept[1] == 0);
  kept[1] = 7;
  CHECK(scan_state(&setting->scan, 0, 2 * sizeof *kept) == kept && kept[1] == 7);
  arena_close(arena);
}

int main(void) {
  test_kept_answers();
  test_inductions();
  test_exits();
  test_own_arrays();
  test_shared_arrays();
  return check_result();
}
