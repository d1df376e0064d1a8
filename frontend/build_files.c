// Which files are meant, where none is named? All CUDA files of a compilation database, or all files of one target:
// CMake puts the objects of a target below CMakeFiles/NAME.dir/.
//
// Soundness: a target without files is an error, with the names of those that there are; never an empty program.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Without the folder that we run in, as a user would name the file.
static const char *path_from_here(const char *path, Arena *arena) {
  char *folder = getcwd(NULL, 0);
  size_t length = folder ? strlen(folder) : 0;
  bool is_below = folder && strncmp(path, folder, length) == 0 && path[length] == '/';
  free(folder);
  return arena_strdup(arena, is_below ? path + length + 1 : path);
}

static bool is_named_before(const BuildDatabase *database, uint32_t which) {
  for (uint32_t i = 0; i < which; i++)
    if (strcmp(database->entries.items[i].resolved, database->entries.items[which].resolved) == 0)
      return true;
  return false;
}

// The file that the option of that word names, in the same word or the next one; NULL: it is no such option.
static const char *output_of_option(const char *word, const char *next) {
  static const char *const names[] = {"--output-file", "--output", "-o"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (strcmp(word, names[i]) == 0) return next;
    if (i < 2 && str_starts_with(word, names[i]) && word[length] == '=') return word + length + 1;
  }
  bool is_glued = str_starts_with(word, "-o") && (strchr(word, '/') || str_ends_with(word, ".o"));
  return is_glued ? word + strlen("-o") : NULL; // other options of nvcc's begin with these letters, too
}

// What the entry makes, as it says itself or as its command says.
static const char *output_of(const BuildEntry *entry, const BuildCommand *command) {
  const char *output = NULL;
  if (entry->output) return entry->output;
  for (uint32_t i = 0; i < command->count; i++) {
    const char *named =
        output_of_option(command->args[i], i + 1 < command->count ? command->args[i + 1] : NULL);
    if (named) output = named;
  }
  return output;
}

// The target that an entry belongs to: CMake puts its objects below CMakeFiles/NAME.dir/. NULL: it is not
// known.
static const char *target_of(const BuildEntry *entry, const BuildCommand *command, Arena *arena) {
  static const char folder[] = "CMakeFiles/", end[] = ".dir/";
  const char *object = output_of(entry, command);
  const char *start = object ? strstr(object, folder) : NULL, *stop = start ? strstr(start, end) : NULL;
  if (!stop) return NULL;
  start += strlen(folder);
  return arena_strndup(arena, start, (size_t)(stop - start));
}

static void add_name_once(FrontendPaths *names, const char *name, Arena *arena) {
  for (uint32_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0) return;
  vec_push(arena, names, name);
}

enum { TARGETS_SHOWN = 12 };

static void report_no_files(const char *file, const char *target, const FrontendPaths *targets, Arena *arena,
                            DiagSink *sink) {
  StrBuf names = {.arena = arena};
  for (uint32_t i = 0; i < targets->count && i < TARGETS_SHOWN; i++)
    strbuf_printf(&names, "%s%s", i ? ", " : ": it has ", targets->items[i]);
  if (targets->count > TARGETS_SHOWN) strbuf_printf(&names, " and %u more", targets->count - TARGETS_SHOWN);
  if (target)
    diag_report(sink, DIAG_ERROR, NULL, "%s has no files of a target '%s'%s", file, target,
                strbuf_text(&names));
  else
    diag_report(sink, DIAG_ERROR, NULL, "%s names no CUDA files: name the files to check", file);
}

bool frontend_build_files(const char *build_path, const char *target, Arena *arena, DiagSink *sink,
                          FrontendPaths *out) {
  ASSERT(build_path);
  ASSERT(out);
  FrontendPaths targets = {0};
  BuildDatabase database;
  DiagSink *unheard = diag_sink_make(arena); // what is to be said of flags is said when they are used
  if (!build_database_read(build_path, arena, sink, &database)) return false;
  for (uint32_t i = 0; i < database.entries.count; i++) {
    const BuildEntry *entry = &database.entries.items[i];
    BuildCommand command = build_entry_command(entry, arena);
    CompileFlags flags = {0};
    command.roots = database.roots;
    build_command_flags(&command, arena, unheard, &flags);
    const char *own = target_of(entry, &command, arena);
    if (own) add_name_once(&targets, own, arena);
    bool is_wanted =
        target ? own && strcmp(own, target) == 0
               : file_language(&flags, entry->file) == LANGUAGE_CUDA && !is_named_before(&database, i);
    if (is_wanted) add_name_once(out, path_from_here(entry->resolved, arena), arena);
  }
  if (out->count == 0) report_no_files(database.file, target, &targets, arena, sink);
  return out->count > 0;
}
