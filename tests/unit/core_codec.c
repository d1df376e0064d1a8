// What was written reads back to the same bytes; what was cut off or altered is refused or reads to something
// well formed, and never to more memory than the bytes can ask for.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_codec.h"
#include "core/launch_codec.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

static void check_numbers(Arena *arena) {
  static const int64_t values[] = {0, 1, -1, 63, 64, -64, 127, 128, INT64_MAX, INT64_MIN, 1 << 20};
  Codec out = codec_writer(arena);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    (void)codec_number(&out, codec_fold(values[i]));
  (void)codec_text(&out, "a");
  (void)codec_text(&out, NULL);
  (void)codec_text(&out, "b");
  (void)codec_text(&out, "a");
  Codec in = codec_reader(arena, NULL, out.out.text, out.out.length);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    CHECK(codec_unfold(codec_number(&in, 0)) == values[i]);
  const char *first = codec_text(&in, NULL);
  CHECK(strcmp(first, "a") == 0 && codec_text(&in, NULL) == NULL);
  CHECK(strcmp(codec_text(&in, NULL), "b") == 0 && codec_text(&in, NULL) == first);
  CHECK(codec_is_whole(&in));
  (void)codec_number(&in, 0);
  CHECK(!codec_is_whole(&in));
}

// n * 4 bytes, a fact, a writer that names itself, calls within calls.
static LaunchContext *make_launch(ExprPool *pool, Arena *arena) {
  static SrcLoc outer = {"a.cu", 9, 2, "main", NULL};
  SrcLoc inner = {"a.cu", 3, 1, "helper", &outer};
  LaunchContext *launch = arena_new(arena, LaunchContext);
  ExprRef unused = expr_new_sym(pool, (ExprSym){.name = "unused", .width = 32});
  ExprRef n = expr_new_sym(pool, (ExprSym){.name = "n", .width = 32, .lo = 1, .hi = 100, .loc = inner});
  ExprRef wide = expr_resize_signed(pool, n, 64);
  uint32_t func = expr_new_func(pool, (ExprFunc){.name = "idx[]", .width = 32, .kind = SYM_MEMORY});
  CHECK(unused);
  launch->kernel = "k";
  launch->description = "k<<<n, 32>>>(p)";
  launch->loc = inner;
  for (int i = 0; i < 3; i++) {
    launch->grid[i] = n;
    launch->block[i] = expr_const(pool, 32, 32);
  }
  LaunchObject object = {.kind = OBJECT_ALLOCATION,
                         .name = "p",
                         .size_bytes = expr_binary(pool, EXPR_MUL, EXPR_NSW, wide, expr_const(pool, 64, 4)),
                         .leaf = expr_app(pool, func, 1, &n)};
  vec_push(arena, &object.writers, (LaunchWriter){.launch = launch, .is_earlier = true});
  vec_push(arena, &launch->objects, (LaunchObject){0});
  vec_push(arena, &launch->objects, object);
  vec_push(
      arena, &launch->facts,
      (Fact){.condition = expr_eq(pool, n, expr_const(pool, 32, 7)), .class = FACT_ASSERT, .text = "n == 7"});
  return launch;
}

static Codec write_launch(const ExprPool *pool, LaunchContext *launch, Arena *arena) {
  Codec out = codec_writer(arena);
  launches_write(&out, pool, (LaunchList){1, &launch});
  return out;
}

static void check_launch(Arena *arena) {
  ExprPool *pool = expr_pool_make(arena), *read;
  LaunchContext *launch = make_launch(pool, arena);
  Codec out = write_launch(pool, launch, arena);
  LaunchList list;
  Codec in = codec_reader(arena, NULL, out.out.text, out.out.length);
  CHECK(launches_read(&in, &read, &list) && codec_is_whole(&in) && list.count == 1);
  const LaunchContext *copy = list.items[0];
  CHECK(copy->objects.items[1].writers.items[0].launch == copy);
  CHECK(expr_sym_count(read) == 1 && expr_func_count(read) == 1); // nothing that it does not speak of
  CHECK(strcmp(copy->loc.inlined_at->function, "main") == 0);
  Codec again = write_launch(read, (LaunchContext *)copy, arena);
  CHECK(again.out.length == out.out.length && memcmp(again.out.text, out.out.text, out.out.length) == 0);
  // Whatever else the program has, the bytes are the same.
  ExprPool *larger = expr_pool_make(arena);
  (void)expr_new_sym(larger, (ExprSym){.name = "first", .width = 16});
  Codec of_larger = write_launch(larger, make_launch(larger, arena), arena);
  CHECK(of_larger.out.length == out.out.length &&
        memcmp(of_larger.out.text, out.out.text, out.out.length) == 0);
}

// Cut anywhere, it fails; altered anywhere, it fails or is a launch that can be written.
static void check_damage(void) {
  Arena *arena = arena_open();
  ExprPool *pool = expr_pool_make(arena), *read;
  Codec out = write_launch(pool, make_launch(pool, arena), arena);
  LaunchList list;
  for (size_t length = 0; length < out.out.length; length++) {
    Codec in = codec_reader(arena, NULL, out.out.text, length);
    bool is_read = launches_read(&in, &read, &list);
    CHECK(!is_read || !codec_is_whole(&in));
  }
  for (size_t at = 0; at < out.out.length; at++)
    for (int bit = 0; bit < 8; bit++) {
      Arena *scratch = arena_open();
      char *bytes = arena_copy(scratch, out.out.text, out.out.length);
      bytes[at] = (char)(bytes[at] ^ 1 << bit);
      Codec in = codec_reader(scratch, NULL, bytes, out.out.length);
      if (launches_read(&in, &read, &list) && codec_is_whole(&in) && list.count)
        CHECK(write_launch(read, list.items[0], scratch).out.length > 0);
      CHECK(arena_bytes(scratch) < (size_t)4 << 20);
      arena_close(scratch);
    }
  arena_close(arena);
}

static void check_kernel_result(Arena *arena) {
  ExprPool *pool = expr_pool_make(arena);
  LaunchContext *launch = make_launch(pool, arena);
  KernelResult result = {
      .kernel = "k", .mangled = "_Z1kv", .verdict = VERDICT_RACE, .pairs = 3, .rlimit = 1 << 30};
  Finding finding = {.rule = RULE_INTRA_WARP, .message = "m", .kernel = "k", .object = "p"};
  WitnessInterval *interval = &finding.witness.threads[1].interval;
  interval->is_known = interval->is_run = true;
  interval->passed = 3;
  vec_push(arena, &interval->before, ((WitnessBarrier){{.file = "k.cu", .line = 7}, IR_SCOPE_BLOCK, true}));
  vec_push(arena, &finding.facts, &launch->facts.items[0]);
  vec_push(arena, &finding.facts, &launch->dimensions[2]);
  vec_push(arena, &result.findings, finding);
  Codec out = codec_writer(arena);
  result_code(&out, launch, &result);
  KernelResult read = {0};
  Codec in = codec_reader(arena, NULL, out.out.text, out.out.length);
  result_code(&in, launch, &read);
  CHECK(codec_is_whole(&in) && read.launch == launch && read.verdict == VERDICT_RACE &&
        read.rlimit == 1 << 30);
  CHECK(read.findings.items[0].facts.items[0] == &launch->facts.items[0]);
  CHECK(read.findings.items[0].facts.items[1] == &launch->dimensions[2]);
  const WitnessInterval *copy = &read.findings.items[0].witness.threads[1].interval;
  CHECK(copy->is_known && copy->is_run && !copy->is_whole && copy->passed == 3 && !copy->after.count);
  CHECK(copy->before.items[0].loc.line == 7 && copy->before.items[0].scope == IR_SCOPE_BLOCK);
  CHECK(copy->before.items[0].holds_both);
  LaunchContext none = {0}; // a fact that is not there
  in = codec_reader(arena, NULL, out.out.text, out.out.length);
  result_code(&in, &none, &read);
  CHECK(in.has_failed || read.findings.items[0].facts.items[0] == &none.dimensions[0]);
}

static char *read_file(const char *path, Arena *arena) {
  FILE *file = fopen(path, "r");
  char *text = arena_alloc(arena, 1 << 20);
  CHECK(file && fread(text, 1, (1 << 20) - 1, file) > 0);
  if (file) fclose(file);
  return text;
}

static void check_module(const char *path, Arena *arena) {
  StrTable *strings = str_table_make(arena);
  DiagSink *sink = diag_sink_make(arena);
  IrModule *module = ir_read(arena, strings, path, read_file(path, arena), sink);
  if (!CHECK(module)) return;
  Codec out = codec_writer(arena), again = codec_writer(arena);
  (void)ir_code(&out, module);
  Codec in = codec_reader(arena, strings, out.out.text, out.out.length);
  IrModule *copy = ir_code(&in, NULL);
  if (!CHECK(copy && codec_is_whole(&in) && ir_verify(copy, sink))) return;
  (void)ir_code(&again, copy);
  CHECK(again.out.length == out.out.length && memcmp(again.out.text, out.out.text, out.out.length) == 0);
  StrBuf a = {.arena = arena}, b = {.arena = arena};
  ir_print(module, &a);
  ir_print(copy, &b);
  CHECK_TEXT(strbuf_text(&b), strbuf_text(&a));
  for (size_t length = 0; length < out.out.length; length += 1 + length / 16) {
    in = codec_reader(arena, strings, out.out.text, length);
    copy = ir_code(&in, NULL);
    CHECK(!copy || !codec_is_whole(&in));
  }
}

static void check_modules(Arena *arena) {
  check_module(HGRD_TESTS_DIR "/ir/every_operation.ir", arena);
  check_module(HGRD_TESTS_DIR "/ir/saxpy.ir", arena);
  check_module(HGRD_TESTS_DIR "/ir/reverse.ir", arena);
}

int main(void) {
  Arena *arena = arena_open();
  check_numbers(arena);
  check_launch(arena);
  check_damage();
  check_kernel_result(arena);
  check_modules(arena);
  arena_close(arena);
  return check_result();
}
