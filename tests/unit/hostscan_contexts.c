// How many contexts does a launch get, and from where? Roots, call chains, their limit, recursion, launches
// that were inlined, kernels without a launch.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/hostscan.h"
#include "tests/unit/check.h"

typedef struct Fixture {
  Arena *arena;
  StrTable *strings;
  DiagSink *sink;
  const IrModule *device;
} Fixture;

static const char device_text[] =
    "module device \"p.cu\" arch 80\n"
    "loc @1 \"p.cu\":1:1 in \"k\"\n"
    "func void &k(ptr %a, i32 %n, ptr %s byval 16) kernel external max_threads 256 @1 {\n"
    "^entry:\n"
    "  %t0 = load i32 %s\n"
    "  %t1 = ptradd ptr %s, 8:i64\n"
    "  %t2 = load ptr %t1\n"
    "  %t3 = sreg tid.x i32\n"
    "  %t4 = sreg ctaid.x i32\n"
    "  ret\n"
    "}\n";

static const char stubs_text[] =
    "func void &__device_stub__k(ptr %a, i32 %n, i64 %s0, ptr %s1) external declare\n"
    "func i32 &__cudaPushCallConfiguration(i64 %a, i32 %b, i64 %c, i32 %d, i64 %e, ptr %f) external "
    "declare\n";

// A function that launches with its parameter.
static const char launcher_text[] =
    "func void &launch(ptr %a, i32 %n) {\n"
    "^entry:\n"
    "  %t0 = zext i64 %n\n"
    "  %t1 = or i64 %t0, 4294967296:i64\n"
    "  %t2 = call i32 __cudaPushCallConfiguration(%t1, 1, 4294967328:i64, 1, 64:i64, null:ptr)\n"
    "  %t3 = icmp ne i32 %t2, 0\n"
    "  condbr %t3, ^end, ^go\n"
    "^go:\n"
    "  call void __device_stub__k(%a, %n, %t0, %a) @5\n"
    "  br ^end\n"
    "^end:\n"
    "  ret\n"
    "}\n";

static Fixture fixture_open(void) {
  Fixture f = {.arena = arena_open()};
  f.strings = str_table_make(f.arena);
  f.sink = diag_sink_make(f.arena);
  f.device = ir_read(f.arena, f.strings, "device.ir", device_text, f.sink);
  return f;
}

static HostScanResult *scan(Fixture *f, const char *functions, HostScanOptions options) {
  const char *text = arena_printf(
      f->arena,
      "module host \"p.cu\"\nloc @1 \"p.cu\":10:1 in \"main\"\nloc @2 \"p.cu\":11:1 in \"main\"\n"
      "loc @3 \"p.cu\":12:1 in \"main\"\nloc @4 \"p.cu\":5:3 in \"launch\" at \"p.cu\":13:1 in \"main\"\n"
      "loc @5 \"p.cu\":5:3 in \"launch\"\n%s%s%s",
      launcher_text, functions, stubs_text);
  IrModule *module = ir_read(f->arena, f->strings, "host.ir", text, f->sink);
  if (!CHECK(module && f->device && ir_verify(module, f->sink))) {
    fprintf(stderr, "%u: %s\n", f->sink->diags.items[0].loc.line, f->sink->diags.items[0].message);
    return NULL;
  }
  return hostscan_run(module, 1, &f->device, &options, f->arena, f->sink);
}

static const char *shown(Fixture *f, const HostScanResult *result, uint32_t index) {
  StrBuf out = {.arena = f->arena};
  hostscan_print(result->pool, result->launches.items[index], &out);
  return strbuf_text(&out);
}

static void test_chains(void) {
  Fixture f = fixture_open();
  static const char callers[] = "func i32 &main(i32 %argc, ptr %argv) external {\n"
                                "^entry:\n"
                                "  call void launch(%argv, 7) @1\n"
                                "  call void launch(%argv, 8) @2\n"
                                "  call void launch(%argv, %argc) @3\n"
                                "  ret 0:i32\n"
                                "}\n";
  HostScanResult *result = scan(&f, callers, (HostScanOptions){.has_main = true});
  if (result && CHECK(result->launches.count == 3)) {
    CHECK(strstr(shown(&f, result, 0), "k<<<7, 32, 64>>>(argv, 7, {0: 7, 8: argv})") != NULL);
    CHECK(strstr(shown(&f, result, 1), "from p.cu:11") != NULL);
    CHECK(strstr(shown(&f, result, 2), "k<<<argc, 32, 64>>>") != NULL);
    CHECK(result->launches.items[0]->undecided.count == 0);
  }
  // Beyond the limit: one context that knows nothing of the callers.
  result = scan(&f, callers, (HostScanOptions){.has_main = true, .context_limit = 2});
  if (result && CHECK(result->launches.count == 3))
    CHECK(strstr(shown(&f, result, 2), "k<<<n, 32, 64>>>(a, n, {0: n, 8: a})") != NULL);
  arena_close(f.arena);
}

static void test_recursion(void) {
  Fixture f = fixture_open();
  HostScanResult *result = scan(&f,
                                "func void &again(ptr %a, i32 %n) {\n"
                                "^entry:\n"
                                "  call void launch(%a, %n) @1\n"
                                "  %t0 = sub i32 %n, 1\n"
                                "  %t1 = icmp sgt i32 %t0, 0\n"
                                "  condbr %t1, ^more, ^end\n"
                                "^more:\n"
                                "  call void again(%a, %t0) @2\n"
                                "  br ^end\n"
                                "^end:\n"
                                "  ret\n"
                                "}\n"
                                "func i32 &main(i32 %argc, ptr %argv) external {\n"
                                "^entry:\n"
                                "  call void again(%argv, 9) @3\n"
                                "  ret 0:i32\n"
                                "}\n",
                                (HostScanOptions){.has_main = true});
  if (result && CHECK(result->launches.count == 2)) {
    CHECK(strstr(shown(&f, result, 0), "k<<<9, 32, 64>>>") != NULL);
    CHECK(strstr(shown(&f, result, 1), "k<<<n, 32, 64>>>") != NULL);
  }
  arena_close(f.arena);
}

// The same launch once inlined in main and once in what is left of the function.
static void test_inlined(void) {
  Fixture f = fixture_open();
  static const char inlined[] =
      "func i32 &main(i32 %argc, ptr %argv) external {\n"
      "^entry:\n"
      "  %t2 = call i32 __cudaPushCallConfiguration(4294967299:i64, 1, 4294967328:i64, 1, 64:i64, null:ptr)\n"
      "  call void __device_stub__k(%argv, 3, 0:i64, %argv) @4\n"
      "  ret 0:i32\n"
      "}\n";
  HostScanResult *result = scan(&f, inlined, (HostScanOptions){.has_main = true});
  if (result && CHECK(result->launches.count == 1))
    CHECK(strstr(shown(&f, result, 0), "k<<<3, 32, 64>>>") != NULL);
  arena_close(f.arena);
}

static void test_any_launch(void) {
  Fixture f = fixture_open();
  ExprPool *pool = expr_pool_make(f.arena);
  HostScanOptions options = {.block_dim = {128, 1, 1}};
  const IrFunction *kernel = ir_find_function(f.device, "k");
  LaunchContext *launch = hostscan_any_launch(pool, f.device, kernel, &options, f.arena);
  int64_t value = 0;
  CHECK(launch->is_any && launch->args.count == 3);
  CHECK(expr_is_const(pool, launch->block[0], &value) && value == 128);
  CHECK(!expr_is_const(pool, launch->grid[0], &value));
  CHECK(launch->args.items[0].pieces.items[0].target_count == 1);
  CHECK(launch->args.items[2].pieces.count == 2);
  CHECK(launch->args.items[2].pieces.items[1].offset == 8 &&
        launch->args.items[2].pieces.items[1].target_count == 1);
  CHECK(launch->args.items[0].pieces.items[0].targets[0].object !=
        launch->args.items[2].pieces.items[1].targets[0].object);
  CHECK(expr_is_const(pool, launch->grid[1], &value) && value == 1); // the kernel never looks at it
  launch = hostscan_any_launch(pool, f.device, kernel, &(HostScanOptions){0}, f.arena);
  bool has_bounds = false;
  for (uint32_t i = 0; i < launch->facts.count; i++)
    has_bounds |= strcmp(launch->facts.items[i].text, "__launch_bounds__(256)") == 0;
  CHECK(has_bounds);
  arena_close(f.arena);
}

static void test_nothing(void) {
  Fixture f = fixture_open();
  HostScanOptions options = {0};
  HostScanResult *result = hostscan_run(NULL, 0, NULL, &options, f.arena, f.sink);
  CHECK(result->pool && result->launches.count == 0);
  arena_close(f.arena);
}

int main(void) {
  test_chains();
  test_recursion();
  test_inlined();
  test_any_launch();
  test_nothing();
  return check_result();
}
