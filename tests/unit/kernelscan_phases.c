// For which phase of a barrier object is an arrival, and which one does a wait await, asked of text
// (kernelscan/phases.h): thread 0 fills a word in each round, thread 32 takes it. Each text has a twin, one edit away,
// with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"

#include "tests/unit/kernel_text.h"

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $full shared size 8 align 8\nglobal $empty shared size 8 align 8\n"                                \
  "global $word shared size 4 align 4\nglobal $out global size 4096 align 4\n"                               \
  "func void &k(i32 %n) kernel {\n^entry:\n"                                                                 \
  "  %t = sreg tid.x i32\n  %first = icmp eq i32 %t, 0\n  %other = icmp eq i32 %t, 32\n"                     \
  "  condbr %first, ^set, ^start\n"

// `set` the objects up; the one fills, with what it does before that, the other takes.
#define RING(set, before, fill, take)                                                                        \
  "^set:\n" set "  br ^start\n^start:\n  barrier sync block\n  condbr %first, ^ones, ^others\n"              \
  "^ones:\n  br ^filling\n^filling:\n  %i = phi i32 [0, ^ones], [%i1, ^filled]\n"                            \
  "  %begun = icmp sgt i32 %i, 0\n  condbr %begun, ^later, ^fill\n^later:\n"                                 \
  "  %last = sub nsw i32 %i, 1\n  %odd = and i32 %last, 1\n" before "  br ^fill\n^fill:\n" fill              \
  "  br ^filled\n^filled:\n  %i1 = add nsw i32 %i, 1\n  %on = icmp slt i32 %i1, 100\n"                       \
  "  condbr %on, ^filling, ^end\n"                                                                           \
  "^others:\n  condbr %other, ^begin, ^end\n^begin:\n  br ^taking\n^taking:\n"                               \
  "  %j = phi i32 [0, ^begin], [%j1, ^taking]\n  %uneven = and i32 %j, 1\n  %even = xor i32 %uneven, "       \
  "1\n" take                                                                                                 \
  "  %j1 = add nsw i32 %j, 1\n  %go = icmp slt i32 %j1, 100\n  condbr %go, ^taking, ^end\n^end:\n  ret\n"
#define INIT(expected) "  mbarrier init $full, " expected "\n  mbarrier init $empty, 1\n"
#define BEFORE(parity) "  mbarrier wait_parity $empty, " parity " acquire block\n"
#define FILL "  store i32 $word, %i\n  mbarrier arrive $full, 1 release block\n"
#define TAKE(parity)                                                                                         \
  "  mbarrier wait_parity $full, " parity " acquire block\n  %v = load i32 $word\n"                          \
  "  store i32 $out, %v\n  mbarrier arrive $empty, 1 release block\n"

typedef struct Asked {
  bool is_followed;      // all objects are
  uint32_t waits, shift; // waits whose phase is known; how many phases that of thread 0 is behind its round
} Asked;

static Asked ask(const char *body) {
  Asked asked = {0};
  Arena *arena = arena_open();
  Setting *setting = setting_of(HEAD, body, arena);
  Solver *solver = setting_open_solver(setting);
  setting_prepare(setting);
  const Phases *phases = phases_get(&setting->scan);
  asked.is_followed = phases != NULL && phases->channels.count > 0;
  for (uint32_t c = 0; phases && c < phases->channels.count; c++)
    asked.is_followed &= !phases->channels.items[c].is_broken;
  for (uint32_t e = 0; asked.is_followed && e < phases->events.count; e++) {
    const Event *event = &phases->events.items[e];
    if (event->kind != EVENT_WAIT || !event->is_valid) continue;
    asked.waits++;
    if (event->first > 0) asked.shift = (uint32_t)-event->form.shift;
  }
  solver_close(solver);
  arena_close(arena);
  return asked;
}

static void test_ring(void) {
  Asked asked = ask(RING(INIT("1"), BEFORE("%odd"), FILL, TAKE("%uneven")));
  CHECK(asked.is_followed && asked.waits == 2 && asked.shift == 1);
}

// The parity of the round itself is that of a phase that nobody ends.
static void test_parities(void) {
  Asked asked = ask(RING(INIT("1"), BEFORE("%odd"), FILL, TAKE("%even")));
  CHECK(asked.waits < 2);
}

// Two arrivals are expected, and one comes.
static void test_counts(void) {
  Asked asked = ask(RING(INIT("2"), BEFORE("%odd"), FILL, TAKE("%uneven")));
  CHECK(asked.waits < 2);
}

// Nobody waits before the word is filled anew: thread 0 may be two phases ahead, where parities are the same again.
static void test_one_way(void) {
#define SEE                                                                                                  \
  "  mbarrier wait_parity $full, %uneven acquire block\n  %v = load i32 $word\n  store i32 $out, %v\n"
  Asked asked = ask(RING("  mbarrier init $full, 1\n", "", FILL, SEE));
  CHECK(asked.waits == 0);
}

int main(void) {
  test_ring();
  test_parities();
  test_counts();
  test_one_way();
  return check_result();
}
