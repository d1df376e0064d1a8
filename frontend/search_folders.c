// In which folders does clang look for headers, for a given command? clang says so itself (-v), when it is asked to
// preprocess nothing; folders that it passes over because they are not there yet, or are twins of others, count too.
//
// Soundness: too many folders cost only time: what is new in one of them is noticed (inputs.c) though clang would
// not have looked there. A command that clang does not answer has no known folders, and nothing of it is kept.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/inputs.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

static bool includes_a_file(const char *arg) {
  return strcmp(arg, "-include") == 0 || strcmp(arg, "-include-pch") == 0;
}

// Of no text at all: what the command includes by itself, our declarations among them, would take longer to read
// than all else.
static const char *const *search_command(const char *const *compile, Arena *arena) {
  uint32_t count = 0, kept = 0;
  while (compile[count])
    count++;
  const char **out = arena_array(arena, count + 1u, const char *);
  for (uint32_t i = 0; i < count; i++)
    if (i + 1 < count && includes_a_file(compile[i]))
      i++;
    else
      out[kept++] = strcmp(compile[i], "-c") == 0           ? "-E"
                    : strcmp(compile[i], "-emit-llvm") == 0 ? "-v"
                    : i + 1 == count                        ? "/dev/null"
                                                            : compile[i];
  return out;
}

// Lines between the two heads, and the folders that are passed over because they are not there or are others'
// twins (yet).
static void read_folders(const char *text, Arena *arena, FrontendPaths *out) {
  static const char missing[] = "ignoring nonexistent directory \"",
                    twin[] = "ignoring duplicate directory \"";
  bool is_list = false;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    if (length > sizeof missing && str_starts_with(line, missing))
      vec_push(arena, out, arena_strndup(arena, line + sizeof missing - 1, length - sizeof missing));
    else if (length > sizeof twin && str_starts_with(line, twin))
      vec_push(arena, out, arena_strndup(arena, line + sizeof twin - 1, length - sizeof twin));
    else if (is_list && line[0] == ' ')
      vec_push(arena, out, arena_strndup(arena, line + 1, length - 1));
    else
      is_list = str_starts_with(line, "#include ");
    line += length + (line[length] == '\n');
  }
}

// Of two folders that are the same, clang may leave out the one and speak of the other: so those of the command
// count, too, whatever becomes of them.
static void add_given_folder(const char *const *arg, Arena *arena, FrontendPaths *out) {
  static const char *const options[] = {"--include-directory=", "-I", "-isystem", "-iquote", "-idirafter"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (!str_starts_with(*arg, options[i])) continue;
    const char *folder = *arg + strlen(options[i]);
    if (!*folder) folder = arg[1] && strcmp(arg[1], "-Xclang") == 0 ? arg[2] : arg[1];
    if (folder) vec_push(arena, out, arena_strdup(arena, folder));
  }
}

static void add_given_folders(const char *const *compile, Arena *arena, FrontendPaths *out) {
  for (const char *const *arg = compile; *arg; arg++)
    add_given_folder(arg, arena, out);
  for (const char *at = getenv("CPATH"); at && *at;) {
    size_t length = strcspn(at, ":");
    vec_push(arena, out, length ? arena_strndup(arena, at, length) : ".");
    at += length + (at[length] == ':');
  }
}

bool inputs_search_folders(const char *const *compile, Arena *arena, FrontendPaths *out) {
  ASSERT(compile);
  ASSERT(out);
  Process process = {.argv = search_command(compile, arena)};
  process.output.arena = process.errors.arena = arena;
  process_run_all(&process, 1, 1);
  if (process.start_error || process.exit_status != 0) return false;
  read_folders(strbuf_text(&process.errors), arena, out);
  add_given_folders(compile, arena, out);
  return out->count > 0;
}
