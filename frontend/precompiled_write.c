// How are the bundled declarations precompiled? `hgrd-check --precompile`, which the build and the installation call, has
// clang write one header for the host and one for an architecture, beside the declarations (of a source tree:
// into the build folder), and a record of where the declarations lay. Soundness: precompiled.c says when they are used.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool cannot_write(DiagSink *sink, const char *path) {
  diag_report(sink, DIAG_ERROR, NULL,
              "cannot write %s: %s: run this as the user who installed hgrd, or do without", path,
              strerror(errno));
  return false;
}

static bool write_place(const char *folder, const char *cuda_dir, Arena *arena, DiagSink *sink) {
  const char *path = precompiled_record(folder, arena);
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
    const char *out = precompiled_name(folder, flags, clang_known_arch(tools, flags), i == 1, arena);
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
  const char *folder = precompiled_place(tools.cuda_dir, arena);
  if (tools.toolkit || !precompiled_name(folder, &flags, 0, false, arena)) {
    diag_report(sink, DIAG_ERROR, NULL,
                "--precompile is for the bundled declarations: it takes --arch and -- -std= alone");
    return false;
  }
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return cannot_write(sink, folder);
  return write_place(folder, tools.cuda_dir, arena, sink) && precompile(&tools, &flags, folder, arena, sink);
}
