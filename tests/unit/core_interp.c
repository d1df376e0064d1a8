// The interpreter of one thread, on small kernels written as text. What it does is seen as a trace of
// accesses: "r1+8:4" reads 4 bytes at offset 8 of object 1, "w" writes, "@b/g/w/p" counts the barriers passed
// if there were any. A value is made visible by reading at that offset.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp.h"

#include "tests/unit/check.h"

enum { OUT = 1, DATA = 2, TILE = 10, FIRST_PRIVATE = 100 };

typedef struct Trial {
  Arena *arena;
  IrModule *module;
  InterpRequest request;
  InterpEnd end;
  InterpStop stop;
  StrBuf trace;
  uint32_t stop_after; // accesses; 0: never
  uint32_t accesses;
  uint32_t partial_syncs;
} Trial;

static bool trace_access(void *context, const InterpAccess *access) {
  Trial *trial = context;
  strbuf_printf(&trial->trace, "%s%s%u%+lld:%u", trial->trace.length ? " " : "", access->is_write ? "w" : "r",
                access->object, (long long)access->offset, access->bytes);
  if (access->barriers_warp || access->barriers_partial)
    strbuf_printf(&trial->trace, "@%u/%u/%u/%u", access->barriers_block, access->barriers_grid,
                  access->barriers_warp, access->barriers_partial);
  if (access->after_opaque) strbuf_add(&trial->trace, "?");
  return ++trial->accesses != trial->stop_after;
}

static bool trace_sync(void *context, const InterpSync *sync) {
  Trial *trial = context;
  trial->partial_syncs += sync->is_partial;
  return true;
}

// DATA holds the 32-bit numbers 7, 107, 207 ... and, from offset 800 on, pointers to OUT + 16.
static bool known_data(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value) {
  (void)context;
  if (object != DATA || offset < 0) return false;
  if (offset >= 800 && bytes == 8) *value = (InterpValue){.kind = INTERP_POINTER, .object = OUT, .word = 16};
  if (offset < 800 && bytes == 4) *value = (InterpValue){.kind = INTERP_WORD, .word = offset / 4 * 100 + 7};
  return true;
}

static const InterpPiece out_piece = {0, 8, {.kind = INTERP_POINTER, .object = OUT}};
static const InterpPiece data_piece = {0, 8, {.kind = INTERP_POINTER, .object = DATA}};
static const InterpPiece n_piece = {0, 4, {.kind = INTERP_WORD, .word = 5}};
static const InterpPiece struct_pieces[] = {{0, 4, {.kind = INTERP_WORD, .word = -2}},
                                            {8, 8, {.kind = INTERP_POINTER, .object = DATA, .word = 24}},
                                            {16, 8, {.kind = INTERP_UNKNOWN}}};
static const InterpArg default_args[] = {
    {1, &out_piece}, {1, &data_piece}, {1, &n_piece}, {3, struct_pieces}};
static const uint32_t global_objects[] = {TILE, TILE + 1, TILE + 2};

#define HEAD                                                                                                 \
  "module device \"t.cu\" arch 80\n"                                                                         \
  "global $tile shared size 1024 align 16\n"                                                                 \
  "global $table constant size 8 align 4 const = { 0100000002000080 }\n"                                     \
  "global $counter global size 4 align 4 = { 00000000 }\n"                                                   \
  "func void &k(ptr.global %out, ptr.global %data, i32 %n, ptr %s byval 24) kernel {\n^entry:\n"

static Trial *make_trial(const char *body) {
  Arena *arena = arena_open();
  Trial *trial = arena_new(arena, Trial);
  trial->arena = arena;
  trial->trace.arena = arena;
  StrBuf text = {.arena = arena};
  DiagSink *sink = diag_sink_make(arena);
  strbuf_printf(&text, "%s%s}\n", HEAD, body);
  trial->module = ir_read(arena, str_table_make(arena), "trial.ir", strbuf_text(&text), sink);
  bool is_good = CHECK(trial->module != NULL) && CHECK(ir_verify(trial->module, sink));
  for (uint32_t i = 0; i < sink->diags.count; i++)
    fprintf(stderr, "%u: %s\n%s", sink->diags.items[i].loc.line, sink->diags.items[i].message,
            is_good ? "" : body);
  if (!trial->module) return NULL;
  trial->request = (InterpRequest){.module = trial->module,
                                   .kernel = ir_find_function(trial->module, "k"),
                                   .thread = {.grid_dim = {4, 3, 2},
                                              .block_dim = {33, 2, 1},
                                              .block_idx = {3, 2, 1},
                                              .thread_idx = {7, 1, 0}},
                                   .arg_count = 4,
                                   .args = default_args,
                                   .global_objects = global_objects,
                                   .first_private_object = FIRST_PRIVATE,
                                   .step_limit = 10000,
                                   .access = trace_access,
                                   .sync = trace_sync,
                                   .context = trial,
                                   .end = &trial->end};
  return trial;
}

static void run(Trial *trial) {
  Arena *scratch = arena_open();
  size_t before = arena_bytes(scratch);
  trial->stop = interp_run(&trial->request, scratch);
  CHECK(arena_bytes(scratch) == before);
  arena_close(scratch);
}

static void check_trial(Trial *trial, InterpStop stop, const char *trace, int line) {
  if (!trial) return;
  run(trial);
  if (!CHECK(trial->stop == stop))
    fprintf(stderr, "  line %d: stopped with %d at %u\n", line, trial->stop, trial->end.inst);
  if (!CHECK_TEXT(strbuf_text(&trial->trace), trace)) fprintf(stderr, "  line %d\n", line);
  arena_close(trial->arena);
}

#define EXPECT(stop, trace, body) check_trial(make_trial(body), stop, trace, __LINE__)
#define EXPECT_WITH(setting, stop, trace, body)                                                              \
  do {                                                                                                       \
    Trial *trial_made = make_trial(body);                                                                    \
    if (trial_made) {                                                                                        \
      InterpRequest *request = &trial_made->request;                                                         \
      setting;                                                                                               \
    }                                                                                                        \
    check_trial(trial_made, stop, trace, __LINE__);                                                          \
  } while (0)

// Shows the value %name of the given width as an offset into OUT.
#define SHOW32(name)                                                                                         \
  "  %" name ".x = sext i64 %" name "\n  %" name ".p = ptradd ptr.global %out, %" name ".x\n"                \
  "  %" name ".l = load i8 %" name ".p\n"
#define SHOW64(name)                                                                                         \
  "  %" name ".p = ptradd ptr.global %out, %" name "\n  %" name ".l = load i8 %" name ".p\n"
#define SHOW1(name)                                                                                          \
  "  %" name ".x = zext i64 %" name "\n  %" name ".p = ptradd ptr.global %out, %" name ".x\n"                \
  "  %" name ".l = load i8 %" name ".p\n"

static void test_control(void) {
  // A loop that sums 0 .. n-1, two phis.
  EXPECT(INTERP_DONE, "r1+10:1",
         "  br ^head\n^head:\n"
         "  %i = phi i32 [0, ^entry], [%i1, ^body]\n  %sum = phi i32 [0, ^entry], [%sum1, ^body]\n"
         "  %c = icmp slt i32 %i, %n\n  condbr %c, ^body, ^exit\n"
         "^body:\n  %sum1 = add nsw i32 %sum, %i\n  %i1 = add nsw i32 %i, 1\n  br ^head\n"
         "^exit:\n" SHOW32("sum") "  ret\n");
  // Phis of a block change places at once.
  EXPECT(INTERP_DONE, "r1+11:1",
         "  br ^head\n^head:\n"
         "  %i = phi i32 [0, ^entry], [%i1, ^head]\n  %a = phi i32 [11, ^entry], [%b, ^head]\n"
         "  %b = phi i32 [22, ^entry], [%a, ^head]\n"
         "  %i1 = add i32 %i, 1\n  %c = icmp slt i32 %i1, %n\n  condbr %c, ^head, ^exit\n"
         "^exit:\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_DONE, "r1+2:1",
         "  switch i32 %n, ^other, -5 ^one, 5 ^two\n^other:\n  br ^end\n^one:\n  br ^end\n^two:\n  br ^end\n"
         "^end:\n  %v = phi i32 [0, ^other], [1, ^one], [2, ^two]\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_DONE, "r1+9:1",
         "  %m = sub i32 0, %n\n  switch i32 %m, ^other, 5 ^one\n^other:\n  br ^end\n^one:\n  br ^end\n"
         "^end:\n  %v = phi i32 [9, ^other], [1, ^one]\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_STEP_LIMIT, "", "  br ^head\n^head:\n  br ^head\n");
  EXPECT(INTERP_UNDEFINED, "", "  unreachable\n");
}

static void test_arithmetic_without_meaning(void) {
  EXPECT(INTERP_UNDEFINED, "", "  %z = sub i32 %n, 5\n  %q = sdiv i32 %n, %z\n  ret\n");
  EXPECT(INTERP_UNDEFINED, "", "  %a = add nsw i32 %n, 2147483647\n  ret\n");
  EXPECT(INTERP_DONE, "r1-2147483644:1", "  %a = add i32 %n, 2147483647\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_UNDEFINED, "", "  %a = sub nuw i32 %n, 6\n  ret\n");
  EXPECT(INTERP_DONE, "r1-1:1", "  %a = sub nsw i32 %n, 6\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_UNDEFINED, "", "  %c = add i32 %n, 27\n  %a = shl i32 1, %c\n  ret\n");
}

static void test_registers(void) {
  EXPECT(INTERP_DONE, "r1+7:1 r1+1:1 r1+33:1 r1+2:1 r1+3:1 r1+4:1 r1+32:1 r1+8:1",
         "  %a = sreg tid.x i32\n" SHOW32("a") "  %b = sreg tid.y i32\n" SHOW32(
             "b") "  %c = sreg ntid.x "
                  "i32\n" SHOW32(
                      "c") "  %d "
                           "= "
                           "sreg "
                           "ctaid."
                           "y "
                           "i32"
                           "\n" SHOW32("d") "  %e = sreg nctaid.y i32\n" SHOW32(
                               "e") "  %f = sreg nctaid.x i32\n" SHOW32("f") "  %g = sreg warpsize "
                                                                             "i32\n" SHOW32(
                                                                                 "g") "  %h = "
                                                                                      "sreg "
                                                                                      "laneid "
                                                                                      "i32"
                                                                                      "\n" SHOW32(
                                                                                          "h") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "", "  %a = sreg clock i32\n" SHOW32("a") "  ret\n");
}

static void test_private_memory(void) {
  // Bytes are put together little-endian, and a store replaces its own bytes only.
  EXPECT(INTERP_DONE, "r1+16909060:1 r1+16909317:1 r1+258:1",
         "  %m = alloca ptr size 8\n  store i32 %m, 16909060\n  %a = load i32 %m\n" SHOW32(
             "a") "  %m1 = ptradd ptr %m, 0\n  store i16 %m1, 5\n  %h = ptradd ptr %m, 1\n  store i8 %h, 0\n"
                  "  %b = load i32 %m\n" // 0x01020005
                  "  %b2 = sub i32 %b, 0\n  %b3 = or i32 %b2, 0\n"
                  "  %cc = xor i32 %b3, 1024\n" SHOW32("cc") "  %t = ptradd ptr %m, 2\n  %d = load i16 %t\n  "
                                                             "%d2 = zext i32 %d\n" SHOW32("d2") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %m = alloca ptr size 8\n  %a = load i32 %m\n" SHOW32("a") "  ret\n");
  // Partly written is not known; a pointer is known as a whole only.
  EXPECT(INTERP_NEEDS_MEMORY, "",
         "  %m = alloca ptr size 8\n  store i16 %m, 1\n  %a = load i32 %m\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_DONE, "r2+12:4",
         "  %m = alloca ptr size 16\n  %q = ptradd ptr.global %data, 12\n  %m3 = ptradd ptr %m, 3\n"
         "  store ptr.global %m3, %q\n  %r = load ptr.global %m3\n  %x = load i32 %r\n  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %m = alloca ptr size 16\n  store ptr.global %m, %data\n  store i8 %m, 0\n"
         "  %r = load ptr.global %m\n  %x = load i32 %r\n  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "", // halves of two pointers
         "  %m = alloca ptr size 16\n  %f = ptradd ptr %m, 8\n  store ptr.global %m, %data\n  store "
         "ptr.global %f, %data\n"
         "  %g = ptradd ptr %m, 4\n  %r = load ptr.global %g\n  %x = load i32 %r\n  ret\n");
  EXPECT(INTERP_UNDEFINED, "",
         "  %m = alloca ptr size 8\n  %e = ptradd ptr %m, 5\n  %a = load i32 %e\n  ret\n");
  EXPECT(INTERP_UNDEFINED, "",
         "  %m = alloca ptr size 8\n  %e = ptradd ptr %m, -1\n  store i8 %e, 1\n  ret\n");
  // Across pages of the memory map.
  EXPECT(
      INTERP_DONE, "r1+77:1",
      "  %m = alloca ptr size 100\n  %e = ptradd ptr %m, 61\n  store i64 %e, 77\n  %a = load i64 %e\n" SHOW64(
          "a") "  ret\n");
  // Each execution of an alloca makes an object of its own.
  EXPECT(INTERP_NEEDS_MEMORY, "",
         "  br ^head\n^head:\n  %i = phi i32 [0, ^entry], [1, ^next]\n  %m = alloca ptr size 4\n"
         "  %c = icmp eq i32 %i, 1\n  condbr %c, ^exit, ^next\n^next:\n  store i32 %m, 1\n  br ^head\n"
         "^exit:\n  %a = load i32 %m\n" SHOW32("a") "  ret\n");
}

static void test_unknown_places_in_private_memory(void) {
  // An unknown index into a private array stops nothing, but the array is not known afterwards; others are.
  EXPECT(INTERP_DONE, "r2+0:4 r1+3:1",
         "  %m = alloca ptr size 16\n  %o = alloca ptr size 4\n  store i32 %o, 3\n  %u = load i32 %data\n"
         "  %x = zext i64 %u\n  %e = ptradd ptr %m, %x\n  store i8 %e, 1\n  %w = load i8 %e\n"
         "  %v = load i32 %o\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "r2+0:4",
         "  %m = alloca ptr size 16\n  store i32 %m, 3\n  %u = load i32 %data\n"
         "  %x = zext i64 %u\n  %e = ptradd ptr %m, %x\n  store i8 %e, 1\n"
         "  %v = load i32 %m\n" SHOW32("v") "  ret\n");
}

static void test_parameters(void) {
  EXPECT(INTERP_DONE, "r1-2:1 r2+24:4",
         "  %a = load i32 %s\n" SHOW32(
             "a") "  %f = ptradd ptr %s, 8\n  %p = load ptr %f\n  %x = load i32 %p\n  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %f = ptradd ptr %s, 16\n  %a = load i64 %f\n" SHOW64("a") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %f = ptradd ptr %s, 4\n  %a = load i32 %f\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_UNDEFINED, "", "  %f = ptradd ptr %s, 24\n  %a = load i8 %f\n  ret\n");
  EXPECT_WITH(request->arg_count = 2, INTERP_NEEDS_MEMORY, "", SHOW32("n") "  ret\n");
}

static void test_other_memory(void) {
  EXPECT(INTERP_NEEDS_MEMORY, "r2+0:4", "  %a = load i32 %data\n" SHOW32("a") "  ret\n");
  EXPECT_WITH(request->read = known_data, INTERP_DONE, "r2+8:4 r1+207:1",
              "  %e = ptradd ptr.global %data, 8\n  %a = load i32 %e\n" SHOW32("a") "  ret\n");
  EXPECT_WITH(request->read = known_data, INTERP_DONE, "r2+800:8 r1+16:1",
              "  %e = ptradd ptr.global %data, 800\n  %p = load ptr %e\n  %a = load i8 %p\n  ret\n");
  // What the thread wrote may have been overwritten by another, and is not what the context knows.
  static const char write_read[] = "  store i32 %data, 4\n  %a = load i32 %data\n" SHOW32("a") "  ret\n";
  EXPECT(INTERP_NEEDS_MEMORY, "w2+0:4 r2+0:4", write_read);
  EXPECT_WITH(request->read = known_data, INTERP_NEEDS_MEMORY, "w2+0:4 r2+0:4", write_read);
  EXPECT_WITH(request->own_writes_stand = true, INTERP_DONE, "w2+0:4 r2+0:4 r1+4:1", write_read);
  EXPECT(INTERP_DONE, "r11+4:4 r1-2147483646:1",
         "  %e = ptradd ptr.constant $table, 4\n  %a = load i32 %e\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "r12+0:4", "  %a = load i32 $counter\n" SHOW32("a") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "w12+0:4",
         "  %a = atomicrmw add i32 $counter, 1 relaxed device\n" SHOW32("a") "  ret\n");
  EXPECT_WITH(
      request->own_writes_stand = true, INTERP_NEEDS_MEMORY, "w2+0:4 w2+0:4 r2+0:4",
      "  store i32 %data, 4\n  %o = cmpxchg i32 %data, 4, 5 relaxed device\n  %a = load i32 %data\n" SHOW32(
          "a") "  ret\n");
}

static void test_unknown_accesses(void) {
  static const char indirect[] =
      "  %u = load i32 %data\n  %x = zext i64 %u\n  %e = ptradd ptr.global %out, %x\n"
      "  store i8 %e, 1\n  store i8 %out, 2\n  ret\n";
  EXPECT(INTERP_NEEDS_MEMORY, "r2+0:4", indirect);
  EXPECT_WITH(request->passes_unknown_accesses = true, INTERP_DONE, "r2+0:4 w1+0:1", indirect);
  // What is not shown below is unknown.
  // The store may have changed what the context knew of that object, and of no other.
  EXPECT_WITH((request->passes_unknown_accesses = true, request->read = known_data), INTERP_DONE,
              "r2+1:1 r2+0:4",
              "  %d1 = ptradd ptr.global %data, 1\n  %u = load i8 %d1\n  %x = zext i64 %u\n  %e = ptradd "
              "ptr.global %data, %x\n"
              "  store i8 %e, 1\n  %a = load i32 %data\n" SHOW32("a") "  ret\n");
  EXPECT_WITH((request->passes_unknown_accesses = true, request->read = known_data), INTERP_DONE,
              "r12+0:4 r2+0:4 r1+7:1",
              "  %u = load i32 $counter\n  %x = zext i64 %u\n  %e = ptradd ptr.global %out, %x\n"
              "  store i8 %e, 1\n  %a = load i32 %data\n" SHOW32("a") "  ret\n");
  // A store through a pointer of unknown origin reaches private memory only if its address got out.
  static const char unknown_pointer[] =
      "  %m = alloca ptr size 4\n  store i32 %m, 6\n  %o = alloca ptr size 4\n  store i32 %o, 8\n"
      "  store ptr %out, %o\n  %p = load ptr %data\n  store i32 %p, 1\n";
  StrBuf kept = {.arena = arena_open()}, lost = kept;
  strbuf_printf(&kept, "%s  %%v = load i32 %%m\n%s  ret\n", unknown_pointer, SHOW32("v"));
  strbuf_printf(&lost, "%s  %%v = load i32 %%o\n%s  ret\n", unknown_pointer, SHOW32("v"));
  EXPECT_WITH(request->passes_unknown_accesses = true, INTERP_DONE, "w1+0:8 r2+0:8 r1+6:1",
              strbuf_text(&kept));
  EXPECT_WITH(request->passes_unknown_accesses = true, INTERP_DONE, "w1+0:8 r2+0:8", strbuf_text(&lost));
  // It has got out even if its trace is gone.
  EXPECT_WITH(request->passes_unknown_accesses = true, INTERP_DONE, "w1+0:8 r1+0:8 w1+0:8",
              "  %o = alloca ptr size 4\n  store i32 %o, 8\n  store ptr %out, %o\n  %p = load ptr %out\n"
              "  store i64 %out, 0\n  store i32 %p, 1\n  %v = load i32 %o\n" SHOW32("v") "  ret\n");
  arena_close(kept.arena);
}

static void test_pointers(void) {
  EXPECT(
      INTERP_DONE, "r1+12:1",
      "  %i = ptrtoint i64 %out\n  %j = add i64 %i, 12\n  %p = inttoptr ptr %j\n  %a = load i8 %p\n  ret\n");
  EXPECT(INTERP_DONE, "r1+40:1",
         "  %q = ptradd ptr.global %out, 40\n  %i = ptrtoint i64 %out\n  %j = ptrtoint i64 %q\n  %d = sub "
         "i64 %j, %i\n" SHOW64("d") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "", "  %i = ptrtoint i64 %out\n  %j = and i64 %i, 15\n" SHOW64("j") "  ret\n");
  EXPECT(INTERP_DONE, "r1+0:1 r1+1:1 r1+1:1",
         "  %a = icmp eq ptr.global %out, %data\n" SHOW1(
             "a") "  %b = icmp ne ptr.global %out, null:ptr.global\n" SHOW1("b") "  %q = ptradd ptr.global "
                                                                                 "%out, 4\n  %c = icmp ult "
                                                                                 "ptr.global %out, "
                                                                                 "%q\n" SHOW1("c") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "", "  %a = icmp ult ptr.global %out, %data\n" SHOW1("a") "  ret\n");
  EXPECT(INTERP_UNDEFINED, "", "  %a = load i8 null:ptr\n  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "", "  %p = inttoptr ptr 4096:i64\n  %a = load i8 %p\n  ret\n");
  EXPECT(INTERP_DONE, "r2+0:1",
         "  %c = icmp eq i32 %n, 6\n  %p = select ptr.global %c, %out, %data\n  %a = load i8 %p\n  ret\n");
  // Addresses of shared memory fit 32 bits; others do not.
  EXPECT(INTERP_DONE, "w10+20:4",
         "  %i = ptrtoint i32 $tile\n  %j = add i32 %i, 20\n  %m = alloca ptr size 4\n  store i32 %m, %j\n  "
         "%k = load i32 %m\n"
         "  %x = zext i64 %k\n  %p = inttoptr ptr.shared %x\n  store i32 %p, 1\n  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %i = ptrtoint i32 %out\n  %x = zext i64 %i\n  %p = inttoptr ptr %x\n  %a = load i8 %p\n  ret\n");
}

static void test_unknown_values(void) {
  // Zero decides a product and a conjunction; the branch is not known otherwise.
  EXPECT(INTERP_DONE, "r2+0:4 r1+0:1 r1+0:1",
         "  %u = load i32 %data\n  %a = mul i32 %u, 0\n" SHOW32(
             "a") "  %b = icmp eq i32 %u, 3\n  %c = and i1 false, %b\n" SHOW1("c") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "r2+0:4",
         "  %u = load i32 %data\n  %b = icmp eq i32 %u, 3\n  condbr %b, ^t, ^f\n^t:\n  ret\n^f:\n  ret\n");
  EXPECT(
      INTERP_DONE, "r2+0:4 r1+5:1",
      "  %u = load i32 %data\n  %b = icmp eq i32 %u, 3\n  %v = select i32 %b, %n, 5\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %v = add i32 %n, undef\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %v = shuffle i32 idx(-1, %n, 0, 31)\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %v = vote i32 ballot(-1, true)\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "", "  %v = call i32 mystery(%n)\n" SHOW32("v") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "r2+0:4",
         "  %u = load i32 %data\n  %v = call i32 mystery()\n  %w = add i32 %u, %v\n" SHOW32("w") "  ret\n");
}

// The ways of a branch on something unknown meet again in ^end: what is computed between is unknown there,
// other values are not.
static void test_joins(void) {
  static const uint8_t between[] = {0, 1, 1, 0};
  static const InterpJoin joins[] = {
      {3, between}, {UINT32_MAX, NULL}, {UINT32_MAX, NULL}, {UINT32_MAX, NULL}};
#define FORK                                                                                                 \
  "  %m = alloca ptr size 4\n  store i32 %m, 3\n  %u = load i32 %data\n  %b = icmp eq i32 %u, 3\n"           \
  "  condbr %b, ^t, ^f\n^t:\n  %a = add i32 %n, 1\n  store i32 %m, %a\n  br ^end\n^f:\n  br ^end\n^end:\n"   \
  "  %v = phi i32 [%a, ^t], [1, ^f]\n"
  EXPECT(INTERP_NEEDS_MEMORY, "r2+0:4", FORK SHOW32("n") "  ret\n");
  EXPECT_WITH(request->joins = joins, INTERP_DONE, "r2+0:4 r1+5:1", FORK SHOW32("n") "  ret\n");
  EXPECT_WITH(request->joins = joins, INTERP_NEEDS_MEMORY, "r2+0:4", FORK SHOW32("v") "  ret\n");
  EXPECT_WITH(request->joins = joins, INTERP_NEEDS_MEMORY, "r2+0:4",
              FORK "  %w = load i32 %m\n" SHOW32("w") "  ret\n");
#undef FORK
}

static void test_source_of_unknown(void) {
  Trial *trial = make_trial("  %u = load i32 %data\n  %a = add i32 %u, 1\n  %b = icmp eq i32 %a, 3\n"
                            "  condbr %b, ^t, ^f\n^t:\n  ret\n^f:\n  ret\n");
  if (!trial) return;
  run(trial);
  CHECK(trial->stop == INTERP_NEEDS_MEMORY && trial->end.inst == 3 && trial->end.has_source &&
        trial->end.source == 0);
  CHECK(trial->end.steps == 4);
  arena_close(trial->arena);
}

static void test_calls(void) {
  // A call may write what it can reach, and may synchronise; a read-only one does neither.
  static const char call[] =
      "  %m = alloca ptr size 4\n  %o = alloca ptr size 4\n  store i32 %m, 3\n  store i32 %o, 4\n";
  StrBuf reached = {.arena = arena_open()}, unreached = reached, reading = reached, nested = reached;
  strbuf_printf(&reached, "%s  call void f(%%m)\n  %%v = load i32 %%m\n%s  ret\n", call, SHOW32("v"));
  strbuf_printf(&unreached, "%s  call void f(%%m)\n  %%v = load i32 %%o\n%s  ret\n", call, SHOW32("v"));
  strbuf_printf(&reading, "%s  call readonly void f(%%m)\n  %%v = load i32 %%m\n%s  ret\n", call,
                SHOW32("v"));
  strbuf_printf(&nested,
                "%s  %%h = alloca ptr size 8\n  store ptr %%h, %%o\n  call void f(%%h)\n  %%v = load i32 "
                "%%o\n%s  ret\n",
                call, SHOW32("v"));
  EXPECT(INTERP_UNSUPPORTED, "", strbuf_text(&reached));
  EXPECT(INTERP_DONE, "r1+4:1?", strbuf_text(&unreached));
  EXPECT(INTERP_DONE, "r1+3:1", strbuf_text(&reading));
  EXPECT(INTERP_UNSUPPORTED, "", strbuf_text(&nested));
  // What only an object out of reach points to is out of reach.
  EXPECT(INTERP_DONE, "r1+4:1?",
         "  %m = alloca ptr size 4\n  %o = alloca ptr size 4\n  %h = alloca ptr size 8\n  store i32 %o, 4\n"
         "  store ptr %h, %o\n  call void f(%m)\n  %v = load i32 %o\n" SHOW32("v") "  ret\n");
  arena_close(reached.arena);
}

static void test_blocks_of_memory(void) {
  EXPECT(INTERP_DONE, "r2+4:12 w1+0:12", "  %e = ptradd ptr.global %data, 4\n  memcpy %out, %e, 12\n  ret\n");
  EXPECT(INTERP_DONE, "", "  memcpy %out, %data, 0\n  memset %out, 1, 0\n  ret\n");
  EXPECT(INTERP_DONE, "w1+0:300", "  memset %out, 0, 300\n  ret\n");
  EXPECT(
      INTERP_DONE, "r1+16843009:1 r1-1:1",
      "  %m = alloca ptr size 80\n  memset %m, 1, 80\n  %e = ptradd ptr %m, 70\n  %a = load i32 %e\n" SHOW32(
          "a") "  memset %m, -1, 40\n  %b = load i64 %m\n" SHOW64("b") "  ret\n");
  // A struct with a pointer travels; the source may overlap the destination.
  EXPECT(INTERP_DONE, "r2+24:1 r1-2:1",
         "  %m = alloca ptr size 40\n  memcpy %m, %s, 24\n  %f = ptradd ptr %m, 8\n  memcpy %f, %m, 24\n"
         "  %g = ptradd ptr %m, 16\n  %p = load ptr %g\n  %x = load i8 %p\n  %a = load i32 %f\n" SHOW32(
             "a") "  ret\n");
  EXPECT(INTERP_UNDEFINED, "", "  %m = alloca ptr size 40\n  memset %m, 0, 41\n  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "r2+0:8", "  %u = load i64 %data\n  memset %out, 0, %u\n  ret\n");
  EXPECT(INTERP_DONE, "r2+0:16 w10+0:16",
         "  asynccopy $tile, %data, 16\n  asynccommit\n  asyncwait pending 0\n  ret\n");
  EXPECT_WITH(request->read = known_data, INTERP_DONE, "r2+12:4 r1+307:1",
              "  %e = ptradd ptr.global %data, 12\n  %m = alloca ptr size 4\n  memcpy %m, %e, 4\n  %a = load "
              "i32 %m\n" SHOW32("a") "  ret\n");
  // Much more than is followed byte by byte.
  EXPECT(INTERP_NEEDS_MEMORY, "w1+0:100000000",
         "  %m = alloca ptr size 100000000\n  memset %m, 0, 100000000\n  memset %out, 0, 100000000\n  %a = "
         "load i32 %m\n" SHOW32("a") "  ret\n");
}

static void test_aggregates(void) {
  EXPECT(INTERP_DONE, "r1+5:1 r1+9:1",
         "  %v = insert bytes[8] zero, %n at 4\n  %w = insert bytes[8] %v, 9:i32 at 0\n  %a = extract i32 %w "
         "at 4\n" SHOW32("a") "  %b = extract i32 %w at 0\n" SHOW32("b") "  ret\n");
  EXPECT(INTERP_DONE, "r1+21474836489:1",
         "  %v = insert bytes[8] undef, %n at 4\n  %w = insert bytes[8] %v, 9:i32 at 0\n  %a = bitcast i64 "
         "%w\n" SHOW64("a") "  ret\n");
  EXPECT(INTERP_DONE, "r2+3:1",
         "  %q = ptradd ptr.global %data, 3\n  %v = insert bytes[16] undef, %q at 8\n  %m = alloca ptr size "
         "16\n  store bytes[16] %m, %v\n"
         "  %w = load bytes[16] %m\n  %p = extract ptr.global %w at 8\n  %a = load i8 %p\n  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "",
         "  %v = insert bytes[8] undef, %n at 4\n  %b = extract i32 %v at 0\n" SHOW32("b") "  ret\n");
  // Aggregates change places in phis like words do.
  EXPECT(
      INTERP_DONE, "r1+1:1",
      "  %x = insert bytes[8] zero, 1:i32 at 0\n  %y = insert bytes[8] zero, 2:i32 at 0\n  br ^head\n^head:\n"
      "  %i = phi i32 [0, ^entry], [%i1, ^head]\n  %a = phi bytes[8] [%x, ^entry], [%b, ^head]\n"
      "  %b = phi bytes[8] [%y, ^entry], [%a, ^head]\n"
      "  %i1 = add i32 %i, 1\n  %c = icmp slt i32 %i1, %n\n  condbr %c, ^head, ^exit\n"
      "^exit:\n  %r = extract i32 %a at 0\n" SHOW32("r") "  ret\n");
  // A value from the round before is not changed by this round's.
  EXPECT(INTERP_DONE, "r1+3:1",
         "  br ^head\n^head:\n  %i = phi i32 [0, ^entry], [%i1, ^head]\n  %old = phi bytes[8] [zero, "
         "^entry], [%new, ^head]\n"
         "  %new = insert bytes[8] %old, %i at 0\n  %i1 = add i32 %i, 1\n  %c = icmp slt i32 %i1, %n\n  "
         "condbr %c, ^head, ^exit\n"
         "^exit:\n  %r = extract i32 %old at 0\n" SHOW32("r") "  ret\n");
}

static void test_barriers(void) {
  // The block has 66 threads, the thread is in the middle one of three warps (lanes 0 to 31).
  EXPECT(INTERP_DONE, "w1+0:1 w1+0:1@1/0/1/0 w1+0:1@2/1/2/0 w1+0:1@2/1/3/0 w1+0:1@2/1/3/1 w1+0:1@2/1/3/2",
         "  store i8 %out, 0\n  barrier sync block\n  store i8 %out, 0\n  barrier sync device\n  store i8 "
         "%out, 0\n"
         "  barrier sync -1 warp\n  store i8 %out, 0\n  barrier sync 1 warp\n  store i8 %out, 0\n  barrier "
         "coalesced warp\n"
         "  store i8 %out, 0\n  ret\n");
  EXPECT(INTERP_DONE, "w1+0:1@0/0/1/1",
         "  barrier tile 32 warp\n  barrier tile 16 warp\n  store i8 %out, 0\n  ret\n");
  EXPECT(INTERP_DONE, "w1+0:1@1/0/1/1",
         "  barrier named 1, 96 block\n  barrier named 2, 64 block\n  barrier arrive 3, 64 block\n  store i8 "
         "%out, 0\n  ret\n");
  EXPECT(INTERP_NEEDS_MEMORY, "", "  %v = barrier count i32 true block\n" SHOW32("v") "  ret\n");
  // The last warp has lanes 0 and 1 only: a mask of them is whole.
  Trial *trial = make_trial("  barrier sync 3 warp\n  store i8 %out, 0\n  ret\n");
  if (trial)
    trial->request.thread = (InterpThread){{1, 1, 1}, {33, 2, 1}, {0, 0, 0}, {32, 1, 0}, {1, 1, 1}, 0};
  check_trial(trial, INTERP_DONE, "w1+0:1@0/0/1/0", __LINE__);
}

static void test_functions(void) {
  EXPECT(INTERP_DONE, "r1+3:1 r1+4:1 r1+29:1",
         "  %a = pure f32 sqrtf(0x41100000:f32)\n  %ai = fptosi i32 %a\n" SHOW32(
             "ai") "  %b = pure f64 "
                   "llvm.floor.f64("
                   "0x4013333333333333:f64)"
                   "\n  %bi = fptosi i32 "
                   "%b\n" SHOW32("bi") "  %c = pure "
                                       "i32 "
                                       "__clz(%n)"
                                       "\n" SHOW32("c") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %a = pure f32 enigma(0x41100000:f32)\n  %ai = fptosi i32 %a\n" SHOW32("ai") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %a = pure f32 __expf(0x00000000:f32)\n  %ai = fptosi i32 %a\n" SHOW32("ai") "  ret\n");
  EXPECT_WITH(
      request->floats_are_unknown = true, INTERP_UNSUPPORTED, "",
      "  %f = sitofp f32 %n\n  %h = fmul f32 %f, 0x3f000000\n  %i = fptosi i32 %h\n" SHOW32("i") "  ret\n");
  EXPECT(
      INTERP_DONE, "r1+2:1",
      "  %f = sitofp f32 %n\n  %h = fmul f32 %f, 0x3f000000\n  %i = fptosi i32 %h\n" SHOW32("i") "  ret\n");
  // Sixteen bits are half or bfloat: 1.0 + 1.0 differs, the sign of a number does not.
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %a = fadd f16 0x3c00, 0x3c00\n  %b = bitcast i16 %a\n  %c = sext i64 %b\n" SHOW64("c") "  ret\n");
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %a = fcmp foeq f16 0x7c01, 0x7c01\n" SHOW1("a") "  ret\n"); // a NaN in one
  EXPECT(INTERP_DONE, "r1+1:1", "  %a = fcmp folt f16 0xbc00, 0x3c00\n" SHOW1("a") "  ret\n");
}

typedef struct PureCase {
  const char *name;
  const char *type; // of operands and result
  uint32_t count;
  int64_t args[3], result;
} PureCase;

static int64_t bits_of(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static void check_pure(const PureCase *c) {
  StrBuf body = {.arena = arena_open()}, trace = body;
  bool is_float = c->type[0] == 'f';
  strbuf_printf(&body, "  %%v = pure %s %s(", c->type, c->name);
  for (uint32_t i = 0; i < c->count; i++) {
    if (is_float)
      strbuf_printf(&body, "%s0x%08x:f32", i ? ", " : "", (unsigned)(uint32_t)c->args[i]);
    else
      strbuf_printf(&body, "%s%lld:%s", i ? ", " : "", (long long)c->args[i], c->type);
  }
  strbuf_printf(&body, ")\n%s%s  ret\n", is_float ? "  %w = bitcast i32 %v\n" : "  %w = add i32 %v, 0\n",
                SHOW32("w"));
  strbuf_printf(&trace, "r1%+lld:1", (long long)c->result);
  EXPECT(INTERP_DONE, strbuf_text(&trace), strbuf_text(&body));
  arena_close(body.arena);
}

static void test_pure_functions(void) {
  const PureCase cases[] = {
      {"__popc", "i32", 1, {0xf1}, 5},
      {"llvm.ctpop.i32", "i32", 1, {-1}, 32},
      {"llvm.ctlz.i32", "i32", 1, {1}, 31},
      {"llvm.cttz.i32", "i32", 1, {8}, 3},
      {"__clz", "i32", 1, {0}, 32},
      {"__ffs", "i32", 1, {0}, 0},
      {"__ffs", "i32", 1, {12}, 3},
      {"__brev", "i32", 1, {6}, 0x60000000},
      {"llvm.bswap.i32", "i32", 1, {0x01020304}, 0x04030201},
      {"abs", "i32", 1, {-9}, 9},
      {"llvm.smin.i32", "i32", 2, {-9, 3}, -9},
      {"llvm.smax.i32", "i32", 2, {-9, 3}, 3},
      {"llvm.umin.i32", "i32", 2, {-9, 3}, 3},
      {"llvm.umax.i32", "i32", 2, {-9, 3}, -9},
      {"__umulhi", "i32", 2, {-1, -1}, -2},
      {"__mulhi", "i32", 2, {-1, 7}, -1},
      {"llvm.fshl.i32", "i32", 3, {0x12345678, 0x11223344, 36}, 0x23456781},
      {"llvm.fshr.i32", "i32", 3, {0x12345678, 0x11223344, 4}, (int32_t)0x81122334},
      {"llvm.fshl.i32", "i32", 3, {5, 6, 32}, 5},
      {"__fns", "i32", 3, {0x92, 0, 1}, 1},
      {"__fns", "i32", 3, {0x92, 0, 3}, 7},
      {"__fns", "i32", 3, {0x92, 0, 4}, -1},
      {"__fns", "i32", 3, {0x92, 4, 1}, 4},
      {"__fns", "i32", 3, {0x92, 6, -2}, 1},
      {"__fns", "i32", 3, {0x92, 4, 0}, 4},
      {"__fns", "i32", 3, {0x92, 5, 0}, -1},
      {"llvm.fabs.f32", "f32", 1, {bits_of(-2.5f)}, bits_of(2.5f)},
      {"sqrtf", "f32", 1, {bits_of(2.0f)}, bits_of(1.41421356f)},
      {"__nv_floorf", "f32", 1, {bits_of(-2.5f)}, bits_of(-3.0f)},
      {"ceilf", "f32", 1, {bits_of(2.1f)}, bits_of(3.0f)},
      {"fminf", "f32", 2, {bits_of(2.0f), bits_of(-1.0f)}, bits_of(-1.0f)},
      {"llvm.maxnum.f32", "f32", 2, {bits_of(2.0f), bits_of(-1.0f)}, bits_of(2.0f)},
      {"fmodf", "f32", 2, {bits_of(7.5f), bits_of(2.0f)}, bits_of(1.5f)},
      {"powf", "f32", 2, {bits_of(2.0f), bits_of(10.0f)}, bits_of(1024.0f)},
      {"rsqrtf", "f32", 1, {bits_of(4.0f)}, bits_of(0.5f)},
      {"fmaf", "f32", 3, {bits_of(3.0f), bits_of(4.0f), bits_of(5.0f)}, bits_of(17.0f)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_pure(&cases[i]);
  // The second result of a function that has several is another function.
  EXPECT(INTERP_UNSUPPORTED, "",
         "  %a = pure f32 fabsf.1(0x41100000:f32)\n  %i = fptosi i32 %a\n" SHOW32("i") "  ret\n");
}

// Random writes and reads of one private object, against an array of bytes.
static void test_random_private_memory(void) {
  enum { SIZE = 150, OPERATIONS = 400 };
  uint64_t state = 3;
  for (int round = 0; round < 20; round++) {
    uint8_t model[SIZE] = {0};
    StrBuf body = {.arena = arena_open()}, trace = body;
    strbuf_printf(&body, "  %%m = alloca ptr size %d\n  memset %%m, 0, %d\n", SIZE, SIZE);
    for (int i = 0; i < OPERATIONS; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      uint64_t r = state >> 24;
      unsigned bytes = 1u << (r % 4), at = (unsigned)(r >> 2) % (SIZE - 8), kind = (unsigned)(r >> 12) % 8;
      unsigned other = (unsigned)(r >> 15) % (SIZE - 40), length = (unsigned)(r >> 23) % 40;
      int64_t word = (int64_t)(state * 31);
      uint64_t read = 0;
      if (bytes < 8) word = (int64_t)((uint64_t)word & (((uint64_t)1 << (8 * bytes - 1)) - 1));
      strbuf_printf(&body, "  %%e%d = ptradd ptr %%m, %u\n", i, at);
      if (kind < 3) {
        strbuf_printf(&body, "  store i%u %%e%d, %lld\n", 8 * bytes, i, (long long)word);
        memcpy(model + at, &word, bytes);
      } else if (kind == 3) {
        if (length > SIZE - at) length = SIZE - at;
        strbuf_printf(&body, "  %%f%d = ptradd ptr %%m, %u\n  memcpy %%e%d, %%f%d, %u\n", i, other, i, i,
                      length);
        memmove(model + at, model + other, length);
      } else if (kind == 4) {
        if (length > SIZE - at) length = SIZE - at;
        strbuf_printf(&body, "  memset %%e%d, %d, %u\n", i, (int)(word & 127), length);
        memset(model + at, (int)(word & 127), length);
      } else {
        memcpy(&read, model + at, bytes);
        int64_t value = bytes == 8   ? (int64_t)read
                        : bytes == 4 ? (int32_t)read
                        : bytes == 2 ? (int16_t)read
                                     : (int8_t)read;
        strbuf_printf(&body, "  %%v%d = load i%u %%e%d\n", i, 8 * bytes, i);
        if (bytes < 8)
          strbuf_printf(&body, "  %%x%d = sext i64 %%v%d\n", i, i);
        else
          strbuf_printf(&body, "  %%x%d = add i64 %%v%d, 0\n", i, i);
        strbuf_printf(&body, "  %%p%d = ptradd ptr.global %%out, %%x%d\n  %%l%d = load i8 %%p%d\n", i, i, i,
                      i);
        strbuf_printf(&trace, "%sr1%+lld:1", trace.length ? " " : "", (long long)value);
      }
    }
    strbuf_add(&body, "  ret\n");
    EXPECT(INTERP_DONE, strbuf_text(&trace), strbuf_text(&body));
    arena_close(body.arena);
  }
}

static void test_stopping(void) {
  Trial *trial = make_trial("  store i8 %out, 0\n  store i8 %out, 1\n  store i8 %out, 2\n  ret\n");
  if (!trial) return;
  trial->stop_after = 2;
  run(trial);
  CHECK(trial->stop == INTERP_DONE && trial->accesses == 2 && trial->end.inst == 1);
  arena_close(trial->arena);
}

int main(void) {
  test_control();
  test_arithmetic_without_meaning();
  test_registers();
  test_private_memory();
  test_unknown_places_in_private_memory();
  test_parameters();
  test_other_memory();
  test_unknown_accesses();
  test_pointers();
  test_unknown_values();
  test_joins();
  test_source_of_unknown();
  test_calls();
  test_blocks_of_memory();
  test_aggregates();
  test_barriers();
  test_functions();
  test_pure_functions();
  test_random_private_memory();
  test_stopping();
  return check_result();
}
