// Can clang begin where our declarations end? Reading them takes most of the time of a small file; clang can
// keep what it made of them (a precompiled header) and load of it only what the file names. `hgrd-check
// --precompile`, which the build and the installation call, writes one for the host and one for an
// architecture, beside the declarations (of a source tree: into the build folder). A run uses them if its
// flags cannot change what the declarations mean; clang itself compares its own version, language and target,
// and the time and size of every header, and where it refuses, the declarations are read as text (compile.c).
// Soundness: the same declarations either way; a macro of the user comes after them instead of before, so
// that those are told apart that they may look at.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACE_LIMIT = 4096 };
static const char preset_standard[] = "c++17";

// ---- which one

static const char *folder_for(const char *cuda_dir, Arena *arena) {
  if (places_source_declarations && strcmp(cuda_dir, places_source_declarations) == 0)
    return places_source_precompiled;
  return arena_printf(arena, "%s/precompiled", cuda_dir);
}

static const char *place_file(const char *folder, Arena *arena) {
  return arena_printf(arena, "%s/place", folder);
}

// What was precompiled names its headers by whole paths: a tree that was moved since has none.
const char *precompiled_folder(const char *cuda_dir, Arena *arena) {
  const char *folder = folder_for(cuda_dir, arena);
  size_t length;
  const char *place = regular_file_text(place_file(folder, arena), PLACE_LIMIT, arena, &length);
  return place && strcmp(place, cuda_dir) == 0 ? folder : NULL;
}

static const char *standard_of(const CompileFlags *flags) {
  const char *standard = preset_standard;
  for (uint32_t i = 0; i < flags->args.count; i++) {
    const char *arg = flags->args.items[i];
    if (str_starts_with(arg, "-std=")) standard = arg + strlen("-std=");
    if (str_starts_with(arg, "--std=")) standard = arg + strlen("--std=");
  }
  bool is_name = standard[strspn(standard, "abcdefghijklmnopqrstuvwxyz0123456789+")] == '\0';
  return is_name && standard[0] ? standard : NULL;
}

// The macros that headers of the system and ours ask for begin with an underscore or with our name.
static bool may_change_declarations(const char *macro) {
  return macro[0] == '_' || macro[0] == '\0' || str_starts_with(macro, "HGRD_");
}

// Of the flags that come this far, those that only add to what follows the declarations.
static bool flags_are_harmless(const CompileFlags *flags) {
  static const char *const with_value[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include"};
  for (uint32_t i = 0; i < flags->args.count; i++) {
    const char *arg = flags->args.items[i], *next = i + 1 < flags->args.count ? flags->args.items[i + 1] : "";
    bool is_known = str_starts_with(arg, "-std=") || str_starts_with(arg, "--std=");
    for (size_t k = 0; k < sizeof with_value / sizeof *with_value && !is_known; k++) {
      is_known = str_starts_with(arg, with_value[k]) && !str_starts_with(arg, "-include-");
      if (strcmp(arg, with_value[k]) == 0) i++;
    }
    if (str_starts_with(arg, "-D") || str_starts_with(arg, "-U")) {
      is_known = !may_change_declarations(arg[2] ? arg + 2 : next);
      if (!arg[2]) i++;
    }
    if (!is_known) return false;
  }
  return true;
}

static const char *name_of(const char *folder, const char *standard, uint32_t arch, bool is_device,
                           Arena *arena) {
  return is_device ? arena_printf(arena, "%s/device-%s-sm_%u.pch", folder, standard, arch)
                   : arena_printf(arena, "%s/host-%s.pch", folder, standard);
}

const char *precompiled_file(const Toolchain *tools, const CompileFlags *flags, bool is_device,
                             Arena *arena) {
  bool is_plain = !tools->toolkit && !tools->is_nvcc && !tools->has_c_library;
  const char *standard = is_plain && tools->precompiled ? standard_of(flags) : NULL;
  if (!standard || !flags_are_harmless(flags)) return NULL;
  const char *path = name_of(tools->precompiled, standard, clang_known_arch(tools, flags), is_device, arena);
  return access(path, R_OK) == 0 ? path : NULL;
}

bool precompiled_is_refused(const Process *process) {
  const char *errors = strbuf_text(&process->errors);
  return process->exit_status > 0 && (strstr(errors, "PCH") || strstr(errors, "precompiled"));
}

// ---- making them

static bool cannot_write(DiagSink *sink, const char *path) {
  diag_report(sink, DIAG_ERROR, NULL,
              "cannot write %s: %s: run this as the user who installed hgrd, or do without", path,
              strerror(errno));
  return false;
}

static bool write_place(const char *folder, const char *cuda_dir, Arena *arena, DiagSink *sink) {
  const char *path = place_file(folder, arena);
  FILE *file = fopen(path, "w");
  if (!file) return cannot_write(sink, path);
  bool is_written = fputs(cuda_dir, file) >= 0;
  is_written = fclose(file) == 0 && is_written;
  return is_written || cannot_write(sink, path);
}

static bool precompile(const Toolchain *tools, const CompileFlags *flags, const char *folder, Arena *arena,
                       DiagSink *sink) {
  const char *header = arena_printf(arena, "%s/hgrd_cuda_prefix.h", tools->cuda_dir);
  Process sides[2] = {{0}, {0}};
  for (int i = 0; i < 2; i++) {
    const char *out = name_of(folder, standard_of(flags), clang_known_arch(tools, flags), i == 1, arena);
    sides[i].argv = clang_precompile_command(tools, flags, header, out, i == 1, arena);
    sides[i].output.arena = sides[i].errors.arena = arena;
  }
  process_run_all(sides, 2, 2);
  for (int i = 0; i < 2; i++) {
    if (sides[i].start_error == 0 && sides[i].exit_status == 0) continue;
    clang_report_failure(tools, &sides[i], header, DIAG_ERROR, arena, sink);
    return false;
  }
  return true;
}

bool frontend_precompile(const FrontendOptions *options, Arena *arena, DiagSink *sink) {
  Toolchain tools;
  CompileFlags flags = {0};
  if (!toolchain_find(options, arena, sink, &tools)) return false;
  flags_filter(options->flag_count, options->flags, arena, sink, &flags);
  if (tools.toolkit || !standard_of(&flags) || !flags_are_harmless(&flags)) {
    diag_report(sink, DIAG_ERROR, NULL,
                "--precompile is for the bundled declarations: it takes --arch and -- -std= alone");
    return false;
  }
  const char *folder = folder_for(tools.cuda_dir, arena);
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return cannot_write(sink, folder);
  return write_place(folder, tools.cuda_dir, arena, sink) && precompile(&tools, &flags, folder, arena, sink);
}
