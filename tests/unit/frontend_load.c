// Does loading say what is wrong in one message each, take several files as one program, keep dangerous flags
// from clang, and leave nothing behind? Files go through frontend_load in a folder of their own.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // mkdtemp, setenv
#include "frontend/frontend.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Bench {
  Arena *arena;
  DiagSink *sink;
  Program program;
  char dir[64];
  uint32_t count;
  const char *paths[8];
  FrontendOptions options;
} Bench;

static Bench bench_open(void) {
  Bench bench = {.arena = arena_open(), .dir = "/tmp/hgrd-test-XXXXXX"};
  bench.sink = diag_sink_make(bench.arena);
  CHECK(mkdtemp(bench.dir) != NULL);
  return bench;
}

static void bench_add(Bench *bench, const char *name, const char *text) {
  const char *path = arena_printf(bench->arena, "%s/%s", bench->dir, name);
  FILE *file = fopen(path, "w");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
  bench->paths[bench->count++] = path;
}

static bool bench_load(Bench *bench) {
  return frontend_load(&bench->options, bench->count, bench->paths, bench->arena,
                       str_table_make(bench->arena), bench->sink, &bench->program);
}

static void bench_close(Bench *bench) {
  for (uint32_t i = 0; i < bench->count; i++)
    unlink(bench->paths[i]);
  CHECK(rmdir(bench->dir) == 0); // empty: nothing was left behind
  arena_close(bench->arena);
}

static bool says(const Bench *bench, const char *text) {
  for (uint32_t i = 0; i < bench->sink->diags.count; i++)
    if (strstr(bench->sink->diags.items[i].message, text)) return true;
  return false;
}

// ---- mistakes

static void test_does_not_compile(void) {
  Bench bench = bench_open();
  bench_add(&bench, "bad.cu", "__global__ void k(int *p) { p[0] = missing; }\n");
  CHECK(!bench_load(&bench) && bench.sink->error_count == 1);
  CHECK(says(&bench, "bad.cu does not compile: use of undeclared identifier 'missing'"));
  CHECK(bench.sink->diags.items[0].detail && strstr(bench.sink->diags.items[0].detail, "bad.cu:1:36"));
  bench_close(&bench);
}

static void test_bad_paths(void) {
  Bench bench = bench_open();
  const char *paths[] = {"/nonexistent/k.cu", bench.dir};
  bool is_loaded = frontend_load(&bench.options, 2, paths, bench.arena, str_table_make(bench.arena),
                                 bench.sink, &bench.program);
  CHECK(!is_loaded && bench.sink->error_count == 2);
  CHECK(says(&bench, "No such file") && says(&bench, "is a folder"));
  bench_close(&bench);
}

static void test_clang_missing(void) {
  Bench bench = bench_open();
  bench_add(&bench, "k.cu", "__global__ void k() {}\n");
  bench.options.clang = "/nonexistent/clang";
  CHECK(!bench_load(&bench) && bench.sink->error_count == 1);
  CHECK(says(&bench, "cannot run '/nonexistent/clang'") && says(&bench, "HGRD_CLANG"));
  bench_close(&bench);
}

static void test_clang_too_old(void) {
  Bench bench = bench_open();
  const char *clang = arena_printf(bench.arena, "%s/clang", bench.dir);
  bench_add(&bench, "clang",
            "#!/bin/sh\n[ \"$1\" = --version ] && echo 'clang version 14.0.6' && exit 0\nexit 1\n");
  CHECK(chmod(clang, 0700) == 0);
  bench.options.clang = clang;
  bench.count = 0;
  bench_add(&bench, "k.cu", "__global__ void k() {}\n");
  CHECK(!bench_load(&bench) && bench.sink->error_count == 1);
  CHECK(says(&bench, "is clang 14, but clang 19 is needed"));
  unlink(clang);
  bench_close(&bench);
}

static void test_declarations_missing(void) {
  Bench bench = bench_open();
  bench_add(&bench, "k.cu", "__global__ void k() {}\n");
  bench.options.resource_dir = "/nonexistent/cuda";
  CHECK(!bench_load(&bench) && says(&bench, "declarations"));
  bench_close(&bench);
}

static void test_empty_file(void) {
  Bench bench = bench_open();
  bench_add(&bench, "empty.cu", "");
  CHECK(bench_load(&bench) && bench.sink->error_count == 0);
  CHECK(!bench.program.has_main && bench.program.units.count == 1 && bench.program.units.items[0].device);
  bench_close(&bench);
}

// ---- flags

static void test_flags(void) {
  static const char *const flags[] = {"-DWIDTH=7",     "-DNDEBUG", "-fplugin=/tmp/evil.so",
                                      "-Xclang",       "-load",    "@args",
                                      "-B/tmp/binary", "-O3",      "-std=c++14"};
  Bench bench = bench_open();
  bench_add(&bench, "k.cu",
            "#include <cassert>\n#if __cplusplus != 201402L\n#error the standard is lost\n#endif\n"
            "__global__ void k(int *p) { p[WIDTH] = 1; }\n"
            "void run(int *p, int n) { assert(n); k<<<1, n>>>(p); }\n");
  bench.options.flags = flags;
  bench.options.flag_count = sizeof flags / sizeof *flags;
  CHECK(bench_load(&bench));
  CHECK(says(&bench, "-fplugin=/tmp/evil.so") && says(&bench, "-Xclang -load") && says(&bench, "@args"));
  CHECK(says(&bench, "-B/tmp/binary") && !says(&bench, "-O3") && bench.sink->error_count == 0);
  const IrModule *host = bench.program.units.items[0].host;
  CHECK(host && ir_find_function(host, "__assert_fail")); // -DNDEBUG does not take the fact away
  bench_close(&bench);
}

// ---- programs of several files

static bool calls(const IrFunction *function, const char *name) {
  for (uint32_t i = 0; function && i < function->insts.count; i++)
    if (function->insts.items[i].op == IR_CALL && function->insts.items[i].name &&
        strcmp(function->insts.items[i].name, name) == 0)
      return true;
  return false;
}

static void test_two_files(void) {
  Bench bench = bench_open();
  bench_add(&bench, "main.cpp",
            "#include <cassert>\nvoid run(int *p, int n);\n"
            "int main(int n, char **) { assert(n > 5); int x; run(&x, n); }\n");
  bench_add(&bench, "run.cu",
            "__global__ void k(int *p, int n) { p[n] = n; }\n"
            "void run(int *p, int n) { k<<<1, n>>>(p, n); }\n");
  CHECK(bench_load(&bench) && bench.program.has_main);
  if (CHECK(bench.program.units.count == 2)) {
    const IrModule *host = bench.program.units.items[0].host;
    CHECK(host && !bench.program.units.items[1].host && bench.program.units.items[1].device);
    CHECK(!bench.program.units.items[0].device);
    CHECK(host && calls(ir_find_function(host, "main"), "__device_stub___Z1kPii"));
  }
  bench_close(&bench);
}

static void test_two_programs(void) {
  static const char text[] = "static __global__ void k(int *p) { p[0] = threadIdx.x; }\n"
                             "__global__ void same(int *p) { p[0] = threadIdx.x; }\n"
                             "int main() { int *p; cudaMalloc(&p, 4); k<<<1, 2>>>(p); same<<<1, 2>>>(p); }\n";
  Bench bench = bench_open();
  bench_add(&bench, "one.cu", text);
  bench_add(&bench, "two.cu", text);
  CHECK(bench_load(&bench) && bench.sink->error_count == 0);
  const IrModule *host = bench.program.units.items[0].host;
  const IrModule *second = bench.program.units.count == 2 ? bench.program.units.items[1].device : NULL;
  if (CHECK(host && second)) {
    const IrFunction *other = ir_find_function(host, "main.unit2");
    CHECK(ir_find_function(host, "main") && other);
    CHECK_TEXT(other ? other->display : NULL, "main");
    CHECK(calls(other, "__device_stub___Z4samePi.unit2") && ir_find_function(second, "_Z4samePi.unit2"));
    CHECK(calls(other, "__device_stub___ZL1kPi.unit2") && ir_find_function(second, "_ZL1kPi.unit2"));
    const IrFunction *kernel = ir_find_function(second, "_Z4samePi.unit2");
    CHECK(kernel && kernel->is_kernel && strcmp(kernel->display, "same") == 0);
  }
  bench_close(&bench);
}

static void test_host_fails_alone(void) {
  Bench bench = bench_open();
  bench_add(&bench, "k.cu",
            "__global__ void k(int *p) { p[0] = 1; }\n#ifndef __CUDA_ARCH__\n#error host\n#endif\n");
  bench.options.keep_going_host = true;
  CHECK(bench_load(&bench) && bench.sink->error_count == 0 && says(&bench, "k.cu does not compile"));
  CHECK(bench.program.units.items[0].device && !bench.program.units.items[0].host);
  bench_close(&bench);
}

static void test_missing_header(void) {
  Bench bench = bench_open();
  bench_add(&bench, "k.cu",
            "#include <third/party.h>\n#include <other.h>\n__global__ void k(int *p) { p[0] = 1; }\n");
  CHECK(bench_load(&bench) && bench.sink->error_count == 0);
  CHECK(says(&bench, "'third/party.h' is not found") && says(&bench, "'other.h' is not found"));
  bench.count = 0;
  bench_add(&bench, "n.cu", "#include <third/party.h>\n__global__ void k(THIRD *p) { p[0] = 1; }\n");
  CHECK(!bench_load(&bench) && says(&bench, "'third/party.h' file not found"));
  unlink(bench.paths[0]);
  bench.count = 0;
  bench_add(&bench, "o.cu", "#include \"../../own.h\"\n__global__ void k() {}\n");
  CHECK(bench_load(&bench) && says(&bench, "'../../own.h' is not found"));
  unlink(bench.paths[0]);
  unlink(arena_printf(bench.arena, "%s/k.cu", bench.dir));
  bench_close(&bench);
}

// With the headers of an installed toolkit, if there is one.
static void test_toolkit(void) {
  static const char toolkit[] = "/usr/local/cuda";
  Bench bench = bench_open();
  bench_add(&bench, "k.cu",
            "#include <cooperative_groups.h>\n"
            "__global__ void k(int *p) { atomicAdd(p, 1); cooperative_groups::this_grid().sync(); }\n");
  bench.options.cuda_path = access("/usr/local/cuda/include/cuda_runtime.h", R_OK) == 0 ? toolkit : NULL;
  CHECK(bench_load(&bench));
  const IrModule *device = bench.program.units.items[0].device;
  const IrFunction *kernel = device ? ir_find_function(device, "_Z1kPi") : NULL;
  uint32_t barriers = 0, atomics = 0;
  for (uint32_t i = 0; kernel && i < kernel->insts.count; i++) {
    const IrInst *inst = &kernel->insts.items[i];
    barriers += inst->op == IR_BARRIER && inst->scope == IR_SCOPE_DEVICE;
    atomics += inst->op == IR_ATOMICRMW && inst->order == IR_ORDER_RELAXED;
  }
  CHECK(barriers == 1 && atomics == 1);
  bench.options.cuda_path = bench.dir;
  CHECK(!bench_load(&bench) && says(&bench, "no CUDA toolkit in"));
  bench_close(&bench);
}

int main(void) {
  test_does_not_compile();
  test_bad_paths();
  test_clang_missing();
  test_clang_too_old();
  test_declarations_missing();
  test_empty_file();
  test_flags();
  test_two_files();
  test_two_programs();
  test_host_fails_alone();
  test_missing_header();
  test_toolkit();
  return check_result();
}
