// Verdicts that nobody has proved: does the audit (kernelscan/audit.h) find the run that shows them wrong?
// Each kernel is text, is said to be race-free, and has a twin, one edit away, that is.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/audit.h"
#include "kernelscan/pairs/pairs.h"

#include "tests/unit/kernel_text.h"

enum { STEPS = 200000 };

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\n"                                                                 \
  "func void &k(ptr.global %data, i32 %n) kernel {\n^entry:\n"                                               \
  "  %t = sreg tid.x i32\n  %b = sreg ctaid.x i32\n  %d = sreg ntid.x i32\n"                                 \
  "  %bd = mul i32 %b, %d\n  %i = add i32 %bd, %t\n  %x = sext i64 %i\n  %x4 = mul i64 %x, 4\n"              \
  "  %p = ptradd ptr.global %data, %x4\n  %s = sext i64 %t\n  %s4 = mul i64 %s, 4\n"                         \
  "  %m = ptradd ptr.shared $tile, %s4\n"

static void set_launch(Setting *setting, ExprPool *pool, Arena *arena) {
  LaunchContext *launch = &setting->launch;
  *launch = (LaunchContext){.kernel = "k", .description = "k<<<...>>>"};
  setting_launch(setting, pool, 2, 8);
  vec_push(arena, &launch->objects, (LaunchObject){0});
  vec_push(arena, &launch->objects, ((LaunchObject){.kind = OBJECT_UNKNOWN, .name = "data"}));
  PointerTarget *target = arena_new(arena, PointerTarget);
  *target = (PointerTarget){.object = 1, .offset = expr_const(pool, 64, 0)};
  LaunchArg pointer = {0};
  vec_push(arena, &pointer.pieces, ((ArgPiece){.bytes = 8, .target_count = 1, .targets = target}));
  vec_push(arena, &launch->args, pointer);
  setting_add_number(setting, pool, arena, 3);
}

// What pairs_check leaves behind, had it proved everything.
static void claim(Setting *setting, const char *body, Verdict verdict, Arena *arena) {
  ExprPool *pool = expr_pool_make(arena);
  set_launch(setting, pool, arena);
  setting_read(setting, HEAD, body, pool, arena);
  setting->request.options.audit_steps = STEPS;
  setting->result.verdict = verdict;
}

// Says `verdict` of the kernel; what is left of it behind the audit.
static Verdict audited(const char *body, Verdict verdict, bool excuse_all, uint32_t *contradictions) {
  Arena *arena = arena_open();
  Setting *setting = arena_new(arena, Setting);
  claim(setting, body, verdict, arena);
  Scan *scan = &setting->scan;
  for (uint32_t a = 0; excuse_all && a < scan->accesses.count; a++)
    for (uint32_t b = a; b < scan->accesses.count; b++)
      for (int e = 0; e < EXTENT_COUNT; e++)
        audit_excuse(scan, &scan->accesses.items[a], &scan->accesses.items[b], (Extent)e);
  audit_check(scan);
  Verdict left = setting->result.verdict;
  *contradictions = setting->result.contradictions.count;
  arena_close(arena);
  return left;
}

static bool stands(const char *body) {
  uint32_t contradictions = 0;
  Verdict left = audited(body, VERDICT_SAFE, false, &contradictions);
  CHECK((left == VERDICT_SAFE) == (contradictions == 0));
  CHECK(left == VERDICT_SAFE || left == VERDICT_UNKNOWN);
  return left == VERDICT_SAFE;
}

#define EXCHANGE(barrier)                                                                                    \
  "  store i32 %m, %t\n" barrier "  %o = xor i64 %s4, 4\n  %q = ptradd ptr.shared $tile, %o\n"               \
  "  %v = load i32 %q\n  store i32 %p, %v\n  ret\n"

static void test_verdicts(void) {
  CHECK(stands(EXCHANGE("  barrier sync block\n")));
  CHECK(!stands(EXCHANGE("")));
  CHECK(stands("  store i32 %p, 1\n  ret\n"));
  CHECK(!stands("  store i32 %data, %t\n  ret\n"));
}

// A loop of two rounds, with a barrier only at its beginning: the read of one round meets the write of the
// next.
#define ROUNDS(last)                                                                                         \
  "  br ^loop\n^loop:\n  %k = phi i32 [0, ^entry], [%k1, ^loop]\n  store i32 %m, %k\n  barrier sync block\n" \
  "  %o = xor i64 %s4, 4\n  %q = ptradd ptr.shared $tile, %o\n  %v = load i32 %q\n" last                     \
  "  %k1 = add i32 %k, 1\n  %more = icmp slt i32 %k1, %n\n  condbr %more, ^loop, ^end\n^end:\n  ret\n"

static void test_rounds(void) {
  CHECK(stands(ROUNDS("  barrier sync block\n")));
  CHECK(!stands(ROUNDS("")));
}

// Nothing is compared where nothing is claimed.
static void test_claims(void) {
  uint32_t contradictions = 0;
  CHECK(audited(EXCHANGE(""), VERDICT_RACE, false, &contradictions) == VERDICT_RACE && !contradictions);
  CHECK(audited(EXCHANGE(""), VERDICT_UNKNOWN, false, &contradictions) == VERDICT_UNKNOWN && !contradictions);
  CHECK(audited(EXCHANGE(""), VERDICT_SAFE, true, &contradictions) == VERDICT_SAFE && !contradictions);
}

int main(void) {
  test_verdicts();
  test_rounds();
  test_claims();
  return check_result();
}
