// How many contexts does a launch get, and from where? Roots, call chains, their limit, recursion, launches
// that were inlined, kernels without a launch.
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/host_text.h"

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
