// Threads of a launch that run together (core/team.h), on small kernels written as text: what a run tells as
// a race, in several schedules. A race is seen as "0+4:wr", offset in the object DATA or TILE and what the
// two accesses do; each twin leaves out one part of what orders them.
// SPDX-License-Identifier: Apache-2.0
#include "core/team.h"

#include "tests/unit/check.h"

enum { FLAG = 1, DATA = 2, TILE = 10, FIRST_PRIVATE = 100, SCHEDULES = 6, STEP_LIMIT = 20000, TURN = 4000 };

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\n"                                                                 \
  "func void &k(ptr.global %flag, ptr.global %data) kernel {\n^entry:\n"                                     \
  "  %t = sreg tid.x i32\n  %b = sreg ctaid.x i32\n  %x = sext i64 %t\n  %x4 = mul i64 %x, 4\n"

typedef struct Trial {
  StrBuf races;
  TeamRequest request;
  uint64_t steps;
} Trial;

static void note_race(void *context, const TeamRace *race) {
  Trial *trial = context;
  CHECK(race->thread[0] != race->thread[1]);
  strbuf_printf(&trial->races, "%s%u+%lld:%c%c", trial->races.length ? " " : "", race->object,
                (long long)race->offset, race->is_write[0] ? 'w' : 'r', race->is_write[1] ? 'w' : 'r');
}

static const InterpPiece flag_piece = {0, 8, {.kind = INTERP_POINTER, .object = FLAG}};
static const InterpPiece data_piece = {0, 8, {.kind = INTERP_POINTER, .object = DATA}};
static const InterpArg args[] = {{1, &flag_piece}, {1, &data_piece}};
static const uint32_t global_objects[] = {TILE};

typedef struct Shape {
  uint32_t blocks, threads;
} Shape;

// Whether a race was told in any of the schedules; which of the two comes first may differ between them.
static bool is_racy(Shape shape, const char *body, void (*set)(TeamRequest *)) {
  Arena *arena = arena_open();
  DiagSink *sink = diag_sink_make(arena);
  StrBuf text = {.arena = arena};
  strbuf_printf(&text, "%s%s}\n", HEAD, body);
  IrModule *module = ir_read(arena, str_table_make(arena), "trial.ir", strbuf_text(&text), sink);
  bool is_good = CHECK(module != NULL) && CHECK(ir_verify(module, sink));
  for (uint32_t i = 0; i < sink->diags.count; i++)
    fprintf(stderr, "%u: %s\n", sink->diags.items[i].loc.line, sink->diags.items[i].message);
  bool found = false;
  uint32_t count = shape.blocks * shape.threads;
  InterpThread *threads = arena_array(arena, count + 1, InterpThread);
  for (uint32_t i = 0; i < count; i++)
    threads[i] = (InterpThread){.grid_dim = {shape.blocks, 1, 1},
                                .block_dim = {shape.threads, 1, 1},
                                .block_idx = {i / shape.threads, 0, 0},
                                .thread_idx = {i % shape.threads, 0, 0}};
  for (uint32_t s = 0; s < SCHEDULES && is_good; s++) {
    Trial trial = {.races = {.arena = arena}};
    trial.request = (TeamRequest){.base = {.module = module,
                                           .kernel = ir_find_function(module, "k"),
                                           .arg_count = 2,
                                           .args = args,
                                           .global_objects = global_objects,
                                           .first_private_object = FIRST_PRIVATE},
                                  .thread_count = count,
                                  .threads = threads,
                                  .is_whole_grid = true,
                                  .schedule = s,
                                  .step_limit = STEP_LIMIT,
                                  .race = note_race,
                                  .context = &trial};
    if (set) set(&trial.request);
    Arena *scratch = arena_open();
    trial.steps = team_run(&trial.request, scratch);
    arena_close(scratch);
    CHECK(trial.steps > 0 && trial.steps <= STEP_LIMIT + TURN * count);
    found |= trial.races.length > 0;
  }
  arena_close(arena);
  return found;
}

static const Shape TWO_BLOCKS = {2, 1}, TWO_WARPS = {1, 33}, TWO_LANES = {1, 2};

// ---- barriers
#define NEIGHBOUR(barrier)                                                                                   \
  "  %m = ptradd ptr.shared $tile, %x4\n  store i32 %m, 1\n" barrier "  %o = xor i64 %x4, 4\n"               \
  "  %n = ptradd ptr.shared $tile, %o\n  %v = load i32 %n\n  ret\n"

static void test_barriers(void) {
  CHECK(is_racy(TWO_LANES, NEIGHBOUR(""), NULL));
  CHECK(!is_racy(TWO_LANES, NEIGHBOUR("  barrier sync block\n"), NULL));
  CHECK(!is_racy(TWO_LANES, NEIGHBOUR("  barrier sync 3 warp\n"), NULL));
  // Each block has its own shared memory.
  CHECK(!is_racy(TWO_BLOCKS, NEIGHBOUR(""), NULL));
  CHECK(is_racy(TWO_BLOCKS, "  store i32 %data, 1\n  ret\n", NULL));
}

// ---- messages: thread 0 of the first block tells the last thread
#define MESSAGE(who, release, write, read, acquire)                                                          \
  "  %me = icmp eq i32 %" who ", 0\n  condbr %me, ^tell, ^look\n"                                            \
  "^tell:\n  store i32 %data, 42\n" release write "  ret\n"                                                  \
  "^look:\n  %last = icmp ne i32 %" who ", 0\n  br ^wait\n"                                                  \
  "^wait:\n" read "  %up = icmp ne i32 %f, 0\n  condbr %up, ^heard, ^wait\n"                                 \
  "^heard:\n" acquire "  %v = load i32 %data\n  ret\n"
#define FENCE "  fence seq_cst device\n"
#define NARROW "  fence seq_cst block\n"
#define SET "  %old = atomicrmw xchg i32 %flag, 1 relaxed device\n"
#define SET_NARROW "  %old = atomicrmw xchg i32 %flag, 1 relaxed block\n"
#define SET_RELEASE "  %old = atomicrmw xchg i32 %flag, 1 release device\n"
#define LOOK "  %f = atomicrmw add i32 %flag, 0 relaxed device\n"
#define LOOK_NARROW "  %f = atomicrmw add i32 %flag, 0 relaxed block\n"
#define LOOK_ACQUIRE "  %f = atomicrmw add i32 %flag, 0 acquire device\n"

static void hear(TeamRequest *request) {
  request->rules.reads_acquire = true;
}
static void tell(TeamRequest *request) {
  request->tells_without_fence = true;
}
static void reach(TeamRequest *request) {
  request->reaches_all = true;
}

static void test_messages(void) {
  CHECK(!is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, SET, LOOK, FENCE), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", "", SET, LOOK, FENCE), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, SET, LOOK, ""), NULL));
  CHECK(!is_racy(TWO_BLOCKS, MESSAGE("b", "", SET_RELEASE, LOOK_ACQUIRE, ""), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", "", SET_RELEASE, LOOK, ""), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", "", SET, LOOK_ACQUIRE, ""), NULL));
}

static void test_scopes(void) {
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", NARROW, SET, LOOK, FENCE), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, SET, LOOK, NARROW), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, SET_NARROW, LOOK, FENCE), NULL));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, SET, LOOK_NARROW, FENCE), NULL));
  CHECK(!is_racy(TWO_LANES, MESSAGE("t", NARROW, SET_NARROW, LOOK_NARROW, NARROW), NULL));
  CHECK(is_racy(TWO_LANES, MESSAGE("t", "", SET_NARROW, LOOK_NARROW, NARROW), NULL));
}

// The switches by which a cause is found.
static void test_switches(void) {
  CHECK(!is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, SET, LOOK, ""), hear));
  CHECK(is_racy(TWO_BLOCKS, MESSAGE("b", "", SET, LOOK, FENCE), hear));
  CHECK(!is_racy(TWO_BLOCKS, MESSAGE("b", "", SET, LOOK, FENCE), tell));
  CHECK(!is_racy(TWO_BLOCKS, MESSAGE("b", NARROW, SET_NARROW, LOOK_NARROW, NARROW), reach));
}

// A flag that nobody sets: who waits stays there, and the run ends.
static void test_waiting(void) {
  CHECK(!is_racy(TWO_BLOCKS, MESSAGE("b", FENCE, "", LOOK, FENCE), NULL));
}

// ---- locks
#define LOCKED(acquire, release)                                                                             \
  "  br ^try\n^try:\n  %c = cmpxchg i32 %flag, 0, 1 relaxed device\n"                                        \
  "  %free = icmp eq i32 %c, 0\n  condbr %free, ^in, ^try\n"                                                 \
  "^in:\n" acquire "  store i32 %data, %t\n" release                                                         \
  "  %o = atomicrmw xchg i32 %flag, 0 relaxed device\n  ret\n"

static void test_locks(void) {
  CHECK(!is_racy(TWO_BLOCKS, LOCKED(FENCE, FENCE), NULL));
  CHECK(is_racy(TWO_BLOCKS, LOCKED("", FENCE), NULL));
  CHECK(is_racy(TWO_BLOCKS, LOCKED(FENCE, ""), NULL));
  CHECK(!is_racy(TWO_WARPS, LOCKED(NARROW, NARROW), NULL));
  CHECK(is_racy(TWO_BLOCKS, LOCKED(NARROW, NARROW), NULL));
}

// ---- a third block that updates the word hands on what it was told with; one that stores does not
#define RELAY(relay)                                                                                         \
  "  switch i32 %b, ^look, 0 ^tell, 1 ^pass\n"                                                               \
  "^tell:\n  store i32 %data, 42\n" FENCE SET "  ret\n"                                                      \
  "^pass:\n" LOOK_PASS "  %is1 = icmp eq i32 %g, 1\n  condbr %is1, ^on, ^pass\n"                             \
  "^on:\n" relay "  ret\n"                                                                                   \
  "^look:\n" LOOK "  %up = icmp eq i32 %f, 2\n  condbr %up, ^heard, ^look\n"                                 \
  "^heard:\n" FENCE "  %v = load i32 %data\n  ret\n"
#define LOOK_PASS "  %g = atomicrmw add i32 %flag, 0 relaxed device\n"

static void test_relays(void) {
  const Shape three = {3, 1};
  CHECK(!is_racy(three, RELAY("  %p = atomicrmw xchg i32 %flag, 2 relaxed device\n"), NULL));
  CHECK(is_racy(three, RELAY("  store i32 %flag, 2 relaxed device\n"), NULL));
  CHECK(!is_racy(three, RELAY(FENCE "  store i32 %flag, 2 relaxed device\n"), NULL));
}

// ---- who counts last sets the counter back, here the last of two blocks, by a store or an update
#define LAST(draw, reset)                                                                                    \
  draw "  %mine = icmp eq i32 %d, 1\n  condbr %mine, ^last, ^end\n"                                          \
       "^last:\n" reset "  br ^end\n^end:\n  ret\n"
#define DRAW "  %d = atomicrmw add i32 %flag, 1 relaxed device\n"
#define DRAW_NARROW "  %d = atomicrmw add i32 %flag, 1 relaxed block\n"
#define RESET "  store i32 %flag, 0\n"

// The draws come before whoever has observed them, fences or not; what stands before them does not.
static void test_observation(void) {
  CHECK(!is_racy(TWO_BLOCKS, LAST(DRAW, RESET), NULL));
  CHECK(is_racy(TWO_BLOCKS, LAST(DRAW_NARROW, RESET), NULL));
  CHECK(is_racy(TWO_BLOCKS, DRAW RESET "  ret\n", NULL));
  CHECK(is_racy(TWO_BLOCKS, LAST("  store i32 %data, %b\n" DRAW, "  store i32 %data, 7\n"), NULL));
}

// ---- thread 0 tells thread 1 of its block, over a fence of the block; that one tells the other block
#define CHAIN(second, last)                                                                                  \
  "  condbr %first, ^mine, ^other\n"                                                                         \
  "^mine:\n  %is0 = icmp eq i32 %t, 0\n  condbr %is0, ^tell, ^pass\n"                                        \
  "^tell:\n  store i32 %data, 42\n" NARROW SET "  ret\n"                                                     \
  "^pass:\n" LOOK_PASS "  %is1 = icmp eq i32 %g, 1\n  condbr %is1, ^on, ^pass\n"                             \
  "^on:\n" second "  %p = atomicrmw xchg i32 %flag, 2 relaxed device\n  ret\n"                               \
  "^other:\n" LOOK "  %up = icmp eq i32 %f, 2\n  condbr %up, ^heard, ^other\n"                               \
  "^heard:\n" last "  %v = load i32 %data\n  ret\n"
#define FIRST_BLOCK "  %first = icmp eq i32 %b, 0\n"

// A step of block scope, then one of device scope over a thread of the same block, is an order of both,
// though the other block polls the same word in between.
static void test_chains(void) {
  const Shape two_of_two = {2, 2};
  CHECK(!is_racy(two_of_two, FIRST_BLOCK CHAIN(FENCE, FENCE), NULL));
  CHECK(is_racy(two_of_two, FIRST_BLOCK CHAIN(NARROW, FENCE), NULL));
  CHECK(is_racy(two_of_two, FIRST_BLOCK CHAIN("", FENCE), NULL));
}

// ---- thread 1 of the first block writes, thread 0 tells the second block behind a barrier
#define LEADER(early, late)                                                                                  \
  "  condbr %first, ^mine, ^other\n"                                                                         \
  "^mine:\n  %is0 = icmp eq i32 %t, 0\n  condbr %is0, ^meet, ^write\n"                                       \
  "^write:\n  store i32 %data, 42\n" early "  br ^meet\n"                                                    \
  "^meet:\n  barrier sync block\n  condbr %is0, ^tell, ^end\n"                                               \
  "^tell:\n" late SET "  ret\n^end:\n  ret\n"                                                                \
  "^other:\n" LOOK "  %up = icmp ne i32 %f, 0\n  condbr %up, ^heard, ^other\n"                               \
  "^heard:\n" FENCE "  %v = load i32 %data\n  ret\n"

static void use_ptx(TeamRequest *request) {
  request->rules = *memory_rules(MEMORY_MODEL_PTX);
}

// Whose fence counts where a barrier lies between the access and the flag.
static void test_models(void) {
  const Shape two_of_two = {2, 2};
  CHECK(is_racy(two_of_two, FIRST_BLOCK LEADER("", ""), NULL));
  CHECK(!is_racy(two_of_two, FIRST_BLOCK LEADER(FENCE, ""), NULL));
  CHECK(is_racy(two_of_two, FIRST_BLOCK LEADER(FENCE, ""), use_ptx));
  CHECK(!is_racy(two_of_two, FIRST_BLOCK LEADER("", FENCE), NULL));
  CHECK(!is_racy(two_of_two, FIRST_BLOCK LEADER("", FENCE), use_ptx));
}

// Who returns has come to the barriers behind that, with what it did.
#define LEAVES(barrier)                                                                                      \
  "  %m = ptradd ptr.shared $tile, %x4\n  store i32 %m, 1\n  %is0 = icmp eq i32 %t, 0\n"                     \
  "  condbr %is0, ^stay, ^end\n^end:\n  ret\n^stay:\n" barrier                                               \
  "  %n = ptradd ptr.shared $tile, 4\n  %v = load i32 %n\n  ret\n"

static void test_leaving(void) {
  CHECK(!is_racy(TWO_LANES, LEAVES("  barrier sync block\n"), NULL));
  CHECK(!is_racy(TWO_LANES, LEAVES("  barrier sync 3 warp\n"), NULL));
  CHECK(is_racy(TWO_LANES, LEAVES("  barrier sync 1 warp\n"), NULL));
  CHECK(is_racy(TWO_LANES, LEAVES(""), NULL));
}

int main(void) {
  test_leaving();
  test_observation();
  test_chains();
  test_models();
  test_barriers();
  test_messages();
  test_scopes();
  test_switches();
  test_waiting();
  test_locks();
  test_relays();
  return check_result();
}
