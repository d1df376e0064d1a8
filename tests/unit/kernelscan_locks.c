// What orders two threads besides barriers, asked of text (kernelscan/order.h): which locks are held at an access,
// who may write a word, what a thread knows behind a wait. Each text has a twin, one edit away, with the other answer.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/order/words.h"

#include "tests/unit/kernel_text.h"

#define DATA                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $lock global size 4 align 4 = { 00000000 }\nglobal $total global size 4 align 4\n"                 \
  "global $flags global size 1024 align 4\n"
#define HEAD                                                                                                 \
  DATA "func void &k(i32 %n) kernel {\n^entry:\n"                                                            \
       "  %t = sreg tid.x i32\n  %b = sreg ctaid.x i32\n  %s = sext i64 %t\n  %s4 = mul i64 %s, 4\n"         \
       "  %first = icmp eq i32 %t, 0\n  condbr %first, ^begin, ^end\n^begin:\n"

typedef struct Trial {
  Arena *arena;
  Solver *solver;
  Order *order;
  uint32_t last; // the last plain store
} Trial;

static Trial trial_open_under(const char *head, const char *body) {
  Trial trial = {.arena = arena_open()};
  Setting *setting = setting_of(head, body, trial.arena);
  trial.solver = setting_open_solver(setting);
  setting_prepare(setting);
  trial.order = order_get(&setting->scan);
  for (uint32_t i = 0; i < setting->scan.fn->insts.count; i++)
    if (setting->scan.fn->insts.items[i].op == IR_STORE) trial.last = i;
  return trial;
}

static Trial trial_open(const char *body) {
  return trial_open_under(HEAD, body);
}

static void trial_close(Trial *trial) {
  solver_close(trial->solver);
  arena_close(trial->arena);
}

// Is a lock certainly held at the last store, whose word is a lock's?
static bool is_held(const char *body) {
  Trial trial = trial_open(body);
  bool holds = false;
  for (uint32_t lock = 0; lock < trial.order->lock_count; lock++)
    holds |= trial.order->locks[lock].is_disciplined && order_must_hold_at(trial.order, lock, trial.last);
  trial_close(&trial);
  return holds;
}

#define LOCKED(otherwise, before, after)                                                                     \
  "  br ^try\n^try:\n  %old = cmpxchg i32 $lock, 0, 1 relaxed device\n  %busy = icmp ne i32 %old, 0\n"       \
  "  condbr %busy, " otherwise ", ^go\n^go:\n  fence seq_cst device\n" before "  store i32 $total, %t\n"     \
  "  fence seq_cst device\n" after "  br ^end\n^end:\n  ret\n"
#define FREE "  %was = atomicrmw xchg i32 $lock, 0 relaxed device\n"

static void test_locks(void) {
  CHECK(is_held(LOCKED("^try", "", FREE)));
  CHECK(!is_held(LOCKED("^go", "", FREE)));  // whoever finds it taken goes on all the same
  CHECK(is_held(LOCKED("^end", "", FREE)));  // and who leaves does no harm
  CHECK(!is_held(LOCKED("^try", FREE, ""))); // given back before
}

// Somebody who does not hold it sets the word free.
static void test_discipline(void) {
#define STRANGER(word)                                                                                       \
  "  %x = icmp eq i32 %b, 3\n  condbr %x, ^stranger, ^take\n^stranger:\n"                                    \
  "  %got = atomicrmw xchg i32 " word ", 0 relaxed device\n  br ^end\n^take:\n"                              \
  "  br ^try\n^try:\n  %old = cmpxchg i32 $lock, 0, 1 relaxed device\n  %busy = icmp ne i32 %old, 0\n"       \
  "  condbr %busy, ^try, ^go\n^go:\n  fence seq_cst device\n  store i32 $total, %t\n"                        \
  "  fence seq_cst device\n" FREE "  br ^end\n^end:\n  ret\n"
  CHECK(is_held(STRANGER("$flags")));
  CHECK(!is_held(STRANGER("$lock")));
}

// The first lane of each warp takes it, and gives it back; between two barriers of the warp it is held for all of its lanes.
#define WARP_HEAD                                                                                            \
  DATA "func void &k(i32 %n) kernel {\n^entry:\n"                                                            \
       "  %t = sreg tid.x i32\n  %lane = and i32 %t, 31\n  %first = icmp eq i32 %lane, 0\n"
#define WARP_LOCKED(fence, met, left)                                                                        \
  "  condbr %first, ^try, ^met\n^try:\n  %old = cmpxchg i32 $lock, 0, 1 relaxed device\n"                    \
  "  %busy = icmp ne i32 %old, 0\n  condbr %busy, ^try, ^go\n^go:\n" fence "  br ^met\n^met:\n" met          \
  "  store i32 $total, %t\n" left "  condbr %first, ^free, ^end\n^free:\n  fence seq_cst device\n" FREE      \
  "  br ^end\n^end:\n  ret\n"

// By the lane that makes the last store, which is none of the first ones, towards threads of that extent?
static bool is_held_for_lane(const char *body, Extent extent) {
  Trial trial = trial_open_under(WARP_HEAD, body);
  const Scan *scan = trial.order->scan;
  const Access *store = NULL;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].inst == trial.last) store = &scan->accesses.items[a];
  bool is_held = CHECK(store && trial.order->lock_count == 1) &&
                 order_is_held_fenced(trial.order, 0, store, CLASS_OTHERS, extent);
  trial_close(&trial);
  return is_held;
}

static void test_warps(void) {
#define FENCE "  fence seq_cst device\n"
#define SYNC "  barrier sync -1 warp\n"
  CHECK(is_held_for_lane(WARP_LOCKED(FENCE, SYNC, SYNC), EXTENT_INTRA_BLOCK));
  CHECK(is_held_for_lane(WARP_LOCKED(FENCE, SYNC, SYNC), EXTENT_INTER_BLOCK));
  CHECK(!is_held_for_lane(WARP_LOCKED(FENCE, SYNC, SYNC),
                          EXTENT_INTRA_WARP)); // its lanes hold one lock together
  CHECK(!is_held_for_lane(WARP_LOCKED(FENCE, "", SYNC), EXTENT_INTRA_BLOCK));
  CHECK(!is_held_for_lane(WARP_LOCKED(FENCE, SYNC, ""), EXTENT_INTRA_BLOCK));
  CHECK(!is_held_for_lane(WARP_LOCKED("", SYNC, SYNC), EXTENT_INTRA_BLOCK)); // no fence behind the lock
}

// How many writes the word of the lock has, and whether the last of them sets the constant `value`.
static uint32_t writes_of(const char *body, WriteKind kind, int64_t value) {
  Trial trial = trial_open(body);
  uint32_t count = 0;
  if (CHECK(trial.order->lock_count == 1)) {
    const SyncWord *word = order_word(trial.order, &trial.order->locks[0].target, 4);
    const WordWrite *last = word->count ? &word->writes[word->count - 1] : NULL;
    count = word->count;
    CHECK(last && last->kind == kind && last->is_constant && last->constant == value);
    CHECK(word == order_word(trial.order, &trial.order->locks[0].target, 4)); // kept
  }
  trial_close(&trial);
  return count;
}

static void test_words(void) {
  CHECK(writes_of(LOCKED("^try", "", FREE), WRITE_SET, 0) == 2);
  CHECK(writes_of(LOCKED("^try", "", FREE "  store i32 $flags, 5\n"), WRITE_SET, 0) == 2);
  CHECK(writes_of(LOCKED("^try", "", FREE "  store i32 $lock, 5\n"), WRITE_SET, 5) == 3);
  CHECK(writes_of(LOCKED("^try", "", "  %was = atomicrmw add i32 $lock, -1 relaxed device\n"), WRITE_ADD,
                  -1) == 2);
}

// Behind the wait, does a thread know that the flag was set?
static bool has_waited(const char *body) {
  Trial trial = trial_open(body);
  const Order *order = trial.order;
  bool knows = false;
  uint32_t block = order->scan->fn->insts.items[trial.last].block;
  for (uint32_t s = 0; order->passed[CLASS_LEADER] && s < order->signal_count; s++)
    knows |= order->signals[s].test.pred == IR_NE && (order->passed[CLASS_LEADER][block] >> s & 1);
  trial_close(&trial);
  return knows;
}

static void test_waits(void) {
#define WAIT(otherwise)                                                                                      \
  "  br ^try\n^try:\n  %v = atomicrmw add i32 $lock, 0 relaxed device\n  %wait = icmp eq i32 %v, 0\n"        \
  "  condbr %wait, " otherwise ", ^go\n^go:\n  fence seq_cst device\n  store i32 $total, %t\n"               \
  "  br ^end\n^end:\n  ret\n"
  CHECK(has_waited(WAIT("^try")));
  CHECK(!has_waited(WAIT("^go"))); // looked at, not waited for
}

int main(void) {
  test_locks();
  test_discipline();
  test_warps();
  test_words();
  test_waits();
  return check_result();
}
