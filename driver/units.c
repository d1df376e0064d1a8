// How does a file become a unit? As it becomes a part of a program (frontend/), up to where files are linked;
// what is kept is written beside its place first. With -MD the files that were read are written as a rule for
// make.
// SPDX-License-Identifier: Apache-2.0
#include "driver/units.h"

#include "driver/output.h"
#include "core/bug.h"

#include <string.h>

// FILE.cu in the folder where we run becomes FILE.hgrd, as with a compiler.
static const char *unit_path(const Options *options, Arena *arena) {
  const char *given = options->outputs.items[0].path, *source = options->paths.items[0];
  if (given) return given;
  const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
  return arena_printf(arena, "%.*s.hgrd", dot ? (int)(dot - name) : (int)strlen(name), name);
}

static const char *list_path(const Options *options, const char *unit, Arena *arena) {
  if (options->depend_file) return options->depend_file;
  const char *slash = strrchr(unit, '/'), *dot = strrchr(slash ? slash : unit, '.');
  return arena_printf(arena, "%.*s.d", dot ? (int)(dot - unit) : (int)strlen(unit), unit);
}

static void add_for_make(StrBuf *out, const char *path) {
  for (; *path; path++) {
    if (*path == ' ' || *path == '#') strbuf_add(out, "\\");
    if (*path == '$') strbuf_add(out, "$");
    strbuf_add_n(out, path, 1);
  }
}

static StrBuf rule_for_make(const char *unit, const FrontendPaths *read, Arena *arena) {
  StrBuf out = {.arena = arena};
  add_for_make(&out, unit);
  strbuf_add(&out, ":");
  for (uint32_t i = 0; i < read->count; i++) {
    strbuf_add(&out, " \\\n  ");
    add_for_make(&out, read->items[i]);
  }
  strbuf_add(&out, "\n");
  return out;
}

bool units_compile(const Options *options, const FrontendOptions *frontend, Arena *arena, DiagSink *sink) {
  ASSERT(options && frontend);
  ASSERT(arena && sink);
  StrBuf unit = {.arena = arena};
  FrontendPaths read = {0};
  const char *error, *path = unit_path(options, arena);
  if (!frontend_compile_unit(frontend, options->paths.items[0], arena, sink, &unit,
                             options->wants_depends ? &read : NULL))
    return false;
  bool is_written = output_text(path, &unit, arena, &error);
  if (is_written && options->wants_depends) {
    StrBuf rule = rule_for_make(path, &read, arena);
    is_written = output_text(list_path(options, path, arena), &rule, arena, &error);
  }
  if (!is_written) diag_report(sink, DIAG_ERROR, NULL, "%s", error);
  return is_written;
}
