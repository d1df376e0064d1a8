// Are the flags of a build understood as its compiler would? Each file tests with #error that the macros and
// include paths of its entry in compile_commands.json arrived; notes are counted.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // mkdtemp
#include "frontend/frontend.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Build {
  Arena *arena;
  DiagSink *sink;
  Program program;
  char dir[64];
} Build;

static Build build_open(void) {
  Build build = {.arena = arena_open(), .dir = "/tmp/hgrd-test-XXXXXX"};
  build.sink = diag_sink_make(build.arena);
  CHECK(mkdtemp(build.dir) != NULL);
  return build;
}

static const char *in_dir(const Build *build, const char *name) {
  return arena_printf(build->arena, "%s/%s", build->dir, name);
}

static void put(const Build *build, const char *name, const char *text) {
  FILE *file = fopen(in_dir(build, name), "w");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

static bool load(Build *build, const char *name) {
  const char *path = in_dir(build, name);
  FrontendOptions options = {.build_path = build->dir};
  return frontend_load(&options, 1, &path, build->arena, str_table_make(build->arena), build->sink,
                       &build->program);
}

static bool says(const Build *build, const char *text) {
  for (uint32_t i = 0; i < build->sink->diags.count; i++)
    if (strstr(build->sink->diags.items[i].message, text)) return true;
  return false;
}

static void build_close(Build *build) {
  static const char *const names[] = {"compile_commands.json", "k.cu", "k.cpp", "flags.txt",
                                      "inc/value.h",           "inc"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    remove(in_dir(build, names[i]));
  CHECK(rmdir(build->dir) == 0);
  arena_close(build->arena);
}

static const char kernel[] =
    "#include \"value.h\"\n"
    "#if ONE != 1 || TWO != 2 || VALUE != 7 || __cplusplus != 201402L || THREE != 3\n#error flags\n#endif\n"
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 860\n#error arch\n#endif\n"
    "#ifdef GONE\n#error undefined\n#endif\n"
    "__global__ void k(int *p) { p[0] = 1; }\n";

// `command` is a JSON string with $ for the folder.
static void put_database(Build *build, const char *file, const char *command) {
  StrBuf text = {.arena = build->arena};
  strbuf_printf(&text, "[{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"", build->dir, file);
  for (const char *at = command; *at; at++) {
    if (*at == '$')
      strbuf_add(&text, build->dir);
    else
      strbuf_add_n(&text, at, 1);
  }
  strbuf_add(&text, "\"}]");
  put(build, "compile_commands.json", strbuf_text(&text));
}

static void check_command(const char *file, const char *command) {
  Build build = build_open();
  CHECK(mkdir(in_dir(&build, "inc"), 0700) == 0);
  put(&build, "inc/value.h", "#define VALUE 7\n");
  put(&build, "flags.txt", "-DTHREE=3\n  --define-macro 'GONE'");
  put(&build, file, kernel);
  put_database(&build, file, command);
  bool is_loaded = load(&build, file);
  if (!CHECK(is_loaded)) fprintf(stderr, "  for %s\n", command);
  for (uint32_t i = 0; !is_loaded && i < build.sink->diags.count; i++)
    fprintf(stderr, "  %s\n", build.sink->diags.items[i].message);
  CHECK(is_loaded && build.program.units.items[0].device && build.program.units.items[0].device->arch == 86);
  build_close(&build);
}

static void test_spellings(void) {
  check_command(
      "k.cu",
      "nvcc -Iinc -DONE=1,TWO=2 -DTHREE=3 -std=c++14 -arch=sm_86 -O3 -lineinfo -rdc=true -dc k.cu -o k.o");
  check_command(
      "k.cu",
      "/usr/local/cuda/bin/nvcc -I $/inc --define-macro=ONE=1 -D TWO=2 --options-file flags.txt -UGONE --std "
      "c++14 -gencode arch=compute_70,code=sm_70 --generate-code=arch=compute_86,code=[sm_86,compute_86] "
      "-Xcompiler -Wall,-fPIC -Xptxas -v --use_fast_math -MD -MT k.o -MF k.d -x cu -c k.cu -o k.o");
  check_command("k.cu", "nvcc -Xcompiler '-fPIC -Iinc -DONE=defined(__CUDACC_RDC__)' -rdc=true "
                        "-DTWO=1+defined(__CUDACC_DEBUG__) -G "
                        "-DTHREE=3 -std=c++14 -arch=sm_86 k.cu");
  check_command("k.cu", "nvcc -idirafter inc -DONE=1 -DTWO=2 -DTHREE=3 -std=c++14 -arch=sm_86 k.cu");
  check_command("k.cu",
                "cd $ && ccache nvcc -ccbin g++ --include-path inc -Xcompiler=-DONE=1 -DTWO=2 -DTHREE=3 -m64 "
                "--expt-relaxed-constexpr -std=c++14 -arch compute_86 k.cu && echo done");
  check_command(
      "k.cpp",
      "env LANG=C /bin/sh -ec \\\"cd inc && bash -c 'nvcc -x cu -isystem . -DONE=1 -DTWO=2 -DTHREE=3 "
      "-std=c++14 -arch=sm_86 -c ../k.cpp' name && echo done\\\" && true");
  check_command(
      "k.cu",
      "clang++ -x cuda --cuda-gpu-arch=sm_86 -Iinc -DONE=1 -DTWO=2 -DTHREE=3 -std=c++14 -O2 -c k.cu -o k.o");
}

static void test_notes_and_mistakes(void) {
  Build build = build_open();
  put(&build, "k.cu", "__global__ void k(int *p) { p[0] = 1; }\n");
  put_database(&build, "k.cu", "nvcc --strange-thing --strange-thing -Xcompiler -fplugin=x.so k.cu");
  CHECK(load(&build, "k.cu"));
  CHECK(build.sink->diags.count == 2 && says(&build, "'--strange-thing'") && says(&build, "'-fplugin=x.so'"));
  put_database(&build, "other.cu", "nvcc other.cu");
  CHECK(load(&build, "k.cu") && says(&build, "is not in"));
  put(&build, "compile_commands.json", "[{\"directory\": 3");
  CHECK(!load(&build, "k.cu") && says(&build, "is no compilation database"));
  put(&build, "compile_commands.json", "[]");
  CHECK(load(&build, "k.cu"));
  remove(in_dir(&build, "compile_commands.json"));
  CHECK(!load(&build, "k.cu") && says(&build, "CMAKE_EXPORT_COMPILE_COMMANDS"));
  build_close(&build);
}

int main(void) {
  test_spellings();
  test_notes_and_mistakes();
  return check_result();
}
