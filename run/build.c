// How does a program become one that can be run? Each file is compiled for both sides by the front end, as hgrd-check reads it; host sides
// get marks at their launches and register kernels by the number of their file; device sides become one module; clang makes machine
// code of all of them and links it with libhgrdrt. Everything lies in a folder of the user's own until then.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef VEC(const char *) ArgList;

#define PROOF_SECONDS "60" // what is not proved by then is watched

typedef struct Building {
  const RunOptions *options;
  FrontendOptions frontend;
  Arena *arena;
  DiagSink *sink;
  const char *folder;
  const char *library, *names; // libhgrdrt.a, and what functions of CUDA it has
  Device device;
  ArgList objects;
  bool has_main;
} Building;

static bool find_library(Building *building) {
  building->library = process_part("libhgrdrt.a", R_OK, building->arena);
  building->names = process_part("libhgrdrt.names", R_OK, building->arena);
  if (building->library && building->names) return true;
  diag_report(building->sink, DIAG_ERROR, NULL,
              "libhgrdrt.a is not found beside hgrd-run or in ../lib/hgrd: install hgrd again");
  return false;
}

static bool write_text(Building *building, const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool is_good = file && fputs(text, file) >= 0;
  if (file && fclose(file) != 0) is_good = false;
  if (!is_good) diag_report(building->sink, DIAG_ERROR, NULL, "cannot write %s: %s", path, strerror(errno));
  return is_good;
}

static bool run_tool(Building *building, const ArgList *args, const char *what) {
  StrBuf said = {.arena = building->arena};
  ProcessResult result = process_run(args->items, NULL, &said);
  if (result.start_error) {
    diag_report(building->sink, DIAG_ERROR, NULL, "%s cannot be started: %s", args->items[0],
                strerror(result.start_error));
    return false;
  }
  if (result.status == 0) return true;
  diag_report_detail(building->sink, DIAG_ERROR, NULL, what, strbuf_text(&said));
  return false;
}

// Machine code of bitcode.
static bool make_object(Building *building, const char *bitcode, const char *object, const char *level) {
  ArgList args = {0};
  const char *const words[] = {frontend_clang(&building->frontend, building->arena),
                               "--no-default-config",
                               "-fno-crash-diagnostics",
                               "-w",
                               "-x",
                               "ir",
                               level,
                               "-fPIC",
                               "-c",
                               "-o",
                               object,
                               "--",
                               bitcode,
                               NULL};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    vec_push(building->arena, &args, words[i]);
  vec_push(building->arena, &building->objects, object);
  return run_tool(building, &args, "clang makes no machine code of it");
}

// The host side is as fast as the user asks for; -O2 where nothing is said, as it is much of the time of many programs.
static const char *host_level(const RunOptions *options) {
  const char *level = "-O2";
  for (uint32_t i = 0; i < options->flag_count; i++)
    if (str_starts_with(options->flags[i], "-O")) level = options->flags[i];
  return level;
}

static bool add_file(Building *building, uint32_t unit) {
  const char *path = building->options->files[unit];
  const char *mark = arena_printf(building->arena, "%s/unit%u", building->folder, unit);
  const char *bitcode = arena_printf(building->arena, "%s/host%u.bc", building->folder, unit);
  const char *object = arena_printf(building->arena, "%s/host%u.o", building->folder, unit);
  FrontendBitcode sides;
  if (!write_text(building, mark, arena_printf(building->arena, "hgrd-unit %u\n", unit))) return false;
  building->frontend.device_code = mark;
  if (!frontend_compile_bitcode(&building->frontend, path, building->arena, building->sink, &sides))
    return false;
  return host_prepare(&building->device, unit, &sides.host, path, bitcode, &building->has_main) &&
         (!sides.device.length || device_add(&building->device, unit, &sides.device, path)) &&
         make_object(building, bitcode, object, host_level(building->options));
}

static bool is_for_linker(const char *flag) {
  return str_starts_with(flag, "-l") || str_starts_with(flag, "-L") || str_starts_with(flag, "-Wl,") ||
         strcmp(flag, "-fopenmp") == 0 || strcmp(flag, "-pthread") == 0;
}

// What hgrd-check says of these files; NULL: nothing, and then everything is watched.
static const char *ask_for_proofs(Building *building) {
  const RunOptions *options = building->options;
  bool is_unwatched = options->detector && strcmp(options->detector, "none") == 0;
  if (options->watches_all || is_unwatched) return NULL;
  const char *checker = process_part("hgrd-check", R_OK, building->arena);
  const char *report = arena_printf(building->arena, "%s/proofs.json", building->folder);
  if (!checker) {
    diag_report(building->sink, DIAG_NOTE, NULL, "hgrd-check is not found beside hgrd-run: all is watched");
    return NULL;
  }
  ArgList args = {0};
  const char *const words[] = {checker,         "--config=off", "--exit-zero", "--timeout=" PROOF_SECONDS,
                               "--format=json", "-o",           report};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    vec_push(building->arena, &args, words[i]);
  if (options->arch)
    vec_push(building->arena, &args, arena_printf(building->arena, "--arch=sm_%u", options->arch));
  for (uint32_t i = 0; i < options->file_count; i++)
    vec_push(building->arena, &args, options->files[i]);
  vec_push(building->arena, &args, "--");
  for (uint32_t i = 0; i < options->flag_count; i++)
    if (!is_for_linker(options->flags[i])) vec_push(building->arena, &args, options->flags[i]);
  vec_push(building->arena, &args, NULL);
  StrBuf said = {.arena = building->arena};
  ProcessResult result = process_run(args.items, NULL, &said);
  if (result.status == 0) return report;
  diag_report_detail(building->sink, DIAG_NOTE, NULL, "hgrd-check gives no verdicts: all is watched",
                     strbuf_text(&said));
  return NULL;
}

static bool make_device(Building *building) {
  const char *bitcode = arena_printf(building->arena, "%s/device.bc", building->folder);
  const char *object = arena_printf(building->arena, "%s/device.o", building->folder);
  return library_read(&building->device, building->names) &&
         device_finish(&building->device, ask_for_proofs(building), bitcode) &&
         make_object(building, bitcode, object, "-O2");
}

// "undefined reference to `foo'": by name, each once.
static void report_undefined(Building *building, const char *said) {
  static const char sign[] = "undefined reference to `";
  StrTable *seen = str_table_make(building->arena);
  ArgList names = {0};
  for (const char *at = said; (at = strstr(at, sign)) != NULL;) {
    at += strlen(sign);
    const char *name = str_intern_n(seen, at, strcspn(at, "'\n"));
    bool is_known = false;
    for (uint32_t i = 0; i < names.count; i++)
      is_known = is_known || names.items[i] == name;
    if (is_known) continue;
    vec_push(building->arena, &names, name);
    bool is_cuda =
        str_starts_with(name, "cu") || str_starts_with(name, "__cuda") || str_starts_with(name, "nccl");
    bool is_library = str_starts_with(name, "__hgrd_");
    if (is_library)
      diag_report(building->sink, DIAG_ERROR, NULL,
                  "the host side calls algorithms of thrust, cub or another library, and hgrd-run does not "
                  "have them");
    else
      diag_report(building->sink, DIAG_ERROR, NULL,
                  is_cuda
                      ? "'%s' is called by the host side, and hgrd-run does not have it"
                      : "'%s' is called by the host side, and no file or library given has it: name them, "
                        "as with -lNAME",
                  name);
  }
  if (strstr(said, "-lomp")) {
    diag_report(building->sink, DIAG_ERROR, NULL,
                "-fopenmp wants LLVM's OpenMP library, and it is not there: install libomp-19-dev, or leave "
                "out -fopenmp and give -lgomp, for a host side that runs its loops one after another");
    return;
  }
  bool has_linker = !strstr(said, "unable to execute command") && !strstr(said, "invalid linker name");
  if (names.count == 0)
    diag_report_detail(building->sink, DIAG_ERROR, NULL,
                       has_linker ? "the program cannot be linked"
                                  : "clang finds no linker (ld): install binutils, or put it into PATH",
                       said);
}

static bool link_program(Building *building, const char *out) {
  ArgList args = {0};
  vec_push(building->arena, &args, frontend_clang(&building->frontend, building->arena));
  vec_push(building->arena, &args, "--no-default-config");
  vec_push(building->arena, &args, "-o");
  vec_push(building->arena, &args, out);
  for (uint32_t i = 0; i < building->objects.count; i++)
    vec_push(building->arena, &args, building->objects.items[i]);
  vec_push(building->arena, &args, building->library);
  for (uint32_t i = 0; i < building->options->flag_count; i++)
    if (is_for_linker(building->options->flags[i]))
      vec_push(building->arena, &args, building->options->flags[i]);
  const char *const last[] = {"-lm", "-lpthread", "-ldl", "-lstdc++", NULL};
  for (size_t i = 0; i < sizeof last / sizeof *last; i++)
    vec_push(building->arena, &args, last[i]);
  StrBuf said = {.arena = building->arena};
  ProcessResult result = process_run(args.items, NULL, &said);
  if (result.status == 0) return true;
  report_undefined(building, strbuf_text(&said));
  return false;
}

static bool build(Building *building, const char *out) {
  bool is_good = find_library(building);
  for (uint32_t i = 0; is_good && i < building->options->file_count; i++)
    is_good = add_file(building, i);
  if (is_good && !building->has_main) {
    diag_report(
        building->sink, DIAG_ERROR, NULL,
        "no file defines main, so there is nothing to run: name the file that does; hgrd-check needs none");
    return false;
  }
  return is_good && make_device(building) && link_program(building, out);
}

bool build_program(const RunOptions *options, const char *folder, const char *out, Arena *arena,
                   DiagSink *sink) {
  ASSERT(folder);
  ASSERT(out);
  Building building = {.options = options, .arena = arena, .sink = sink, .folder = folder};
  building.frontend = (FrontendOptions){.arch = options->arch,
                                        .flag_count = options->flag_count,
                                        .flags = options->flags,
                                        .is_verbose = options->is_verbose};
  device_open(&building.device, arena, sink, &building.frontend);
  bool is_built = build(&building, out);
  device_close(&building.device);
  return is_built && sink->error_count == 0;
}
