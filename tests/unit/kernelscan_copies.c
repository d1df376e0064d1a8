// How long does an asynchronous copy go on, asked of text (kernelscan/copies.h): over which barriers, and what does the
// thread that issued it touch meanwhile? Each text has a twin, one edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies.h"

#include "tests/unit/kernel_text.h"

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 4096 align 16\nglobal $data global size 65536 align 16\n"                        \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %s = sext i64 %t\n  %s4 = mul i64 %s, 4\n"                                       \
  "  %m = ptradd ptr.shared $tile, %s4\n  %g = ptradd ptr.global $data, %s4\n"
#define COPY "  asynccopy %m, %g, 4\n"
#define COMMIT "  asynccommit\n"
#define WAIT(pending) "  asyncwait pending " pending "\n"
#define BARRIER "  barrier sync block\n"
#define END "  ret\n"

typedef struct Asked {
  uint32_t carried, certain; // barriers over which the copy goes on, and of them those where that is certain
  uint32_t own;              // accesses of the thread itself that may meet its copy
} Asked;

static uint32_t *own_count; // of the text that is being asked about

static void count_own(Scan *scan, const Instance *copy, const Instance *other) {
  (void)scan, (void)copy, (void)other;
  ++*own_count;
}

static Asked ask(const char *body) {
  Asked asked = {0};
  Arena *arena = arena_open();
  Setting *setting = setting_of(HEAD, body, arena);
  Scan *scan = &setting->scan;
  Solver *solver = setting_open_solver(setting);
  setting_prepare(setting);
  own_count = &asked.own;
  async_find(scan, count_own);
  const CarriedOver *over = carried_over(scan);
  for (uint32_t i = 0; i < over->points.count; i++) {
    // A copy reads and writes; plain writes go on until a fence for bulk copies.
    if (over->points.items[i].is_unseen || over->points.items[i].copy->kind != ACCESS_WRITE) continue;
    asked.carried++;
    asked.certain += !over->points.items[i].is_uncertain;
  }
  solver_close(solver);
  arena_close(arena);
  return asked;
}

static void test_waits(void) {
  CHECK(ask(COPY COMMIT WAIT("0") BARRIER END).carried == 0);
  CHECK(ask(COPY COMMIT BARRIER WAIT("0") END).carried == 1);
  CHECK(ask(COPY COMMIT BARRIER WAIT("0") BARRIER END).carried == 1); // not over the second one
  Asked newest = ask(COPY COMMIT WAIT("1") BARRIER END);              // nothing waits for the newest group
  CHECK(newest.carried == 1 && newest.certain == 1);
  CHECK(ask(COPY COMMIT COMMIT WAIT("1") BARRIER END).carried == 0);
  CHECK(ask(COPY WAIT("0") BARRIER END).carried == 1); // in no group, so nobody waits for it
}

// A wait on one of two ways covers the copy only there.
static void test_ways(void) {
#define SOME(who, then)                                                                                      \
  COPY COMMIT "  %c = icmp slt i32 " who ", 7\n  condbr %c, ^then, ^end\n^then:\n" then                      \
              "  br ^end\n^end:\n" BARRIER END
  CHECK(ask(SOME("%t", WAIT("0"))).carried == 1);
  CHECK(ask(SOME("%n", WAIT("0"))).carried == 0); // which is 3: all go that way
}

// Double buffering: in each round the copy of the round before is awaited.
static void test_rounds(void) {
#define ROUNDS(pending)                                                                                      \
  COPY COMMIT "  br ^loop\n^loop:\n  %k = phi i32 [0, ^entry], [%k1, ^loop]\n" COMMIT WAIT(pending) BARRIER  \
      "  %k1 = add nsw i32 %k, 1\n  %more = icmp slt i32 %k1, 10\n  condbr %more, ^loop, ^end\n"             \
      "^end:\n" END
  CHECK(ask(ROUNDS("1")).carried == 0);
  CHECK(ask(ROUNDS("2")).carried == 1); // over the barrier of the first round, not over later ones
}

// How many stages may be under way stands in a variable.
static void test_numbers(void) {
#define NUMBER(low)                                                                                          \
  COPY COMMIT "  %c = icmp slt i32 %n, 7\n  condbr %c, ^then, ^end\n^then:\n  br ^end\n^end:\n"              \
              "  %left = phi i32 [0, ^entry], [" low ", ^then]\n  asyncwait %left pending 0\n" BARRIER END
  CHECK(ask(NUMBER("0")).carried == 0);
  Asked open = ask(NUMBER("1"));
  CHECK(open.carried == 1 && open.certain == 0);
}

static void test_own(void) {
#define READ "  %v = load i32 %m\n  store i32 %g, %v\n"
  CHECK(ask(COPY COMMIT WAIT("0") READ END).own == 0);
  CHECK(ask(COPY COMMIT READ WAIT("0") END).own > 0);
}

int main(void) {
  test_waits();
  test_ways();
  test_rounds();
  test_numbers();
  test_own();
  return check_result();
}
