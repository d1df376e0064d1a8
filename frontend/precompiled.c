// Can clang begin where our declarations end? Reading them takes most of the time of a small file; clang can
// keep what it made of them (a precompiled header) and load of it only what the file names. precompiled_write.c writes
// one for the host and one for an architecture. A run uses them if its
// flags cannot change what the declarations mean; clang itself compares its own version, language and target,
// and the time and size of every header, and where it refuses, the declarations are read as text (compile.c).
// Soundness: the same declarations either way; a macro of the user comes after them instead of before, so
// that those are told apart that they may look at.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>
#include <unistd.h>

enum { PLACE_LIMIT = 4096 };
static const char preset_standard[] = "c++17";

// ---- which one

const char *precompiled_place(const char *cuda_dir, Arena *arena) {
  ASSERT(cuda_dir);
  if (places_source_declarations && strcmp(cuda_dir, places_source_declarations) == 0)
    return places_source_precompiled;
  return arena_printf(arena, "%s/precompiled", cuda_dir);
}

const char *precompiled_record(const char *folder, Arena *arena) {
  ASSERT(folder);
  return arena_printf(arena, "%s/place", folder);
}

// What was precompiled names its headers by whole paths: a tree that was moved since has none.
const char *precompiled_folder(const char *cuda_dir, Arena *arena) {
  ASSERT(cuda_dir);
  const char *folder = precompiled_place(cuda_dir, arena);
  size_t length;
  const char *place = regular_file_text(precompiled_record(folder, arena), PLACE_LIMIT, arena, &length);
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

// The macros that headers of the system and ours ask for begin with an underscore or with our name, but for one.
static bool may_change_declarations(const char *macro) {
  return macro[0] == '_' || macro[0] == '\0' || str_starts_with(macro, "HGRD_") ||
         str_starts_with(macro, "CUDA_API_PER_THREAD_DEFAULT_STREAM");
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

const char *precompiled_name(const char *folder, const CompileFlags *flags, uint32_t arch, bool is_device,
                             Arena *arena) {
  ASSERT(folder);
  const char *standard = standard_of(flags);
  if (!standard || !flags_are_harmless(flags)) return NULL;
  return is_device ? arena_printf(arena, "%s/device-%s-sm_%u.pch", folder, standard, arch)
                   : arena_printf(arena, "%s/host-%s.pch", folder, standard);
}

const char *precompiled_file(const Toolchain *tools, const CompileFlags *flags, bool is_device,
                             Arena *arena) {
  if (tools->toolkit || tools->is_nvcc || !tools->precompiled) return NULL;
  const char *path =
      precompiled_name(tools->precompiled, flags, clang_known_arch(tools, flags), is_device, arena);
  return path && access(path, R_OK) == 0 ? path : NULL;
}

bool precompiled_is_refused(const Process *process) {
  const char *errors = strbuf_text(&process->errors);
  return process->exit_status > 0 && (strstr(errors, "PCH") || strstr(errors, "precompiled"));
}
