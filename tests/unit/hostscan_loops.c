// What holds whenever the host launches, asked of text: the numbers of loops around the launch, and the tests on the
// way there. Each text has a twin, one edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/host_text.h"

// Is that said of the first launch of the text?
static bool is_said(const char *functions, const char *what) {
  Fixture f = fixture_open();
  HostScanResult *result = scan(&f, functions, (HostScanOptions){.has_main = true});
  bool is_found = false;
  if (result && CHECK(result->launches.count > 0)) is_found = strstr(shown(&f, result, 0), what) != NULL;
  arena_close(f.arena);
  return is_found;
}

#define MAIN(body) "func i32 &main(i32 %argc, ptr %argv) external {\n^entry:\n" body "}\n"

// A loop whose variable begins with `start`, and is what `update` says in the next round.
#define LOOP(start, test, update)                                                                            \
  MAIN("  br ^head\n^head:\n  %k = phi i32 [" start ", ^entry], [%k1, ^body] name \"k\"\n"                   \
       "  %more = icmp " test "\n  condbr %more, ^body, ^end\n^body:\n"                                      \
       "  call void launch(%argv, %k) @1\n  %k1 = " update " name \"k\"\n  br ^head\n^end:\n  ret 0:i32\n")

static void test_rounds(void) {
  const char *up = LOOP("2", "slt i32 %k, %argc", "add nsw i32 %k, 3");
  CHECK(is_said(up, "k = iteration(k) * 3 + 2"));
  CHECK(is_said(up, "[loop] k < argc"));
  const char *other = LOOP("2", "ne i32 %k, %argc", "add nsw i32 %k, 3");
  CHECK(is_said(other, "k = iteration(k) * 3 + 2"));
  CHECK(!is_said(other, "[loop] k < argc"));
  CHECK(is_said(LOOP("512", "sgt i32 %k, 0", "ashr i32 %k, 1"), "k = 512 >> iteration(k)"));
  CHECK(!is_said(LOOP("512", "sgt i32 %k, 0", "mul i32 %k, %argc"), "iteration(k)"));
}

// A variable that the body may change in another way has no form, but a bound.
static void test_changes(void) {
#define CHANGED(last)                                                                                        \
  MAIN("  br ^head\n^head:\n  %k = phi i32 [0, ^entry], [%k2, ^next] name \"k\"\n"                           \
       "  %more = icmp slt i32 %k, %argc\n  condbr %more, ^body, ^end\n^body:\n"                             \
       "  call void launch(%argv, %k) @1\n  %k1 = add nsw i32 %k, 1 name \"k\"\n"                            \
       "  %odd = icmp eq i32 %argc, 5\n  condbr %odd, ^more, ^next\n^more:\n"                                \
       "  %k3 = add nsw i32 %k1, " last " name \"k\"\n  br ^next\n"                                          \
       "^next:\n  %k2 = phi i32 [%k1, ^body], [%k3, ^more] name \"k\"\n  br ^head\n^end:\n  ret 0:i32\n")
  CHECK(is_said(CHANGED("0"), "k<<<iteration(k), "));
  CHECK(!is_said(CHANGED("7"), "k<<<iteration(k), "));
  CHECK(is_said(CHANGED("7"), "[loop] k <= iteration(k) * 8"));
  CHECK(!is_said(CHANGED("%argc"), "[loop] k <= iteration(k)"));
}

// What is tested on the way holds, on that side alone.
static void test_tests(void) {
#define TESTED(sides)                                                                                        \
  MAIN("  %c = icmp eq i32 %argc, 7\n  condbr %c, " sides "\n^go:\n  call void launch(%argv, %argc) @1\n"    \
       "  br ^end\n^end:\n  ret 0:i32\n")
  CHECK(is_said(TESTED("^go, ^end"), "argc == 7"));
  CHECK(!is_said(TESTED("^end, ^go"), "argc == 7"));
  CHECK(is_said(TESTED("^end, ^go"), "argc != 7"));
#define GIVEN_UP(call)                                                                                       \
  MAIN("  %c = icmp sle i32 %argc, 100\n  condbr %c, ^go, ^bad\n^bad:\n" call                                \
       "^go:\n  call void launch(%argv, %argc) @1\n  ret 0:i32\n")
  CHECK(is_said(GIVEN_UP("  ret 1:i32\n"), "argc <= 100"));
  CHECK(!is_said(GIVEN_UP("  br ^go\n"), "argc <= 100"));
}

int main(void) {
  test_rounds();
  test_changes();
  test_tests();
  return check_result();
}
