// How was this file built? compile_commands.json is read through libclang's compilation database (JSON
// Compilation Database format, both its "command" and its "arguments" form); entries are found by the file
// they name, after links and relative paths are resolved. A command may be a line of shell: parts joined by
// && are separated, the part that names the file counts, and "cd", "env", compiler caches and variable
// settings in front are stepped over. Soundness: which flags are used decides what is analysed; a file that
// is not listed is said so.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // realpath
#define _XOPEN_SOURCE 700
#include "frontend/internal.h"

#include <clang-c/CXCompilationDatabase.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char database_name[] = "compile_commands.json";

// ---- paths ----------------------------------------------------------------------------------------------

const char *path_join(const char *directory, const char *path, Arena *arena) {
  if (!directory || path[0] == '/') return path;
  return arena_printf(arena, "%s/%s", directory, path);
}

// Without links and dots; the path itself if there is no such file.
static const char *path_resolved(const char *path, Arena *arena) {
  char *real = realpath(path, NULL);
  const char *copy = real ? arena_strdup(arena, real) : path;
  free(real);
  return copy;
}

// ---- reading --------------------------------------------------------------------------------------------

// libclang writes its complaints to the standard error stream itself: they are caught in a pipe.
typedef struct Silence {
  int saved, pipe_ends[2];
} Silence;

static Silence silence_start(void) {
  Silence silence = {-1, {-1, -1}};
  if (pipe(silence.pipe_ends) != 0) return silence;
  fcntl(silence.pipe_ends[0], F_SETFL, O_NONBLOCK);
  fcntl(silence.pipe_ends[1], F_SETFL, O_NONBLOCK);
  silence.saved = dup(STDERR_FILENO);
  dup2(silence.pipe_ends[1], STDERR_FILENO);
  return silence;
}

static const char *silence_stop(Silence *silence, Arena *arena) {
  char buffer[4096];
  StrBuf text = {.arena = arena};
  if (silence->saved < 0) return "";
  dup2(silence->saved, STDERR_FILENO);
  close(silence->saved);
  close(silence->pipe_ends[1]);
  for (ssize_t got; (got = read(silence->pipe_ends[0], buffer, sizeof buffer)) > 0;)
    strbuf_add_n(&text, buffer, (size_t)got);
  close(silence->pipe_ends[0]);
  return strbuf_text(&text);
}

static const char *take_string(CXString string, Arena *arena) {
  const char *text = clang_getCString(string);
  const char *copy = arena_strdup(arena, text ? text : "");
  clang_disposeString(string);
  return copy;
}

static BuildEntry read_entry(CXCompileCommand command, Arena *arena) {
  BuildEntry entry = {.directory = take_string(clang_CompileCommand_getDirectory(command), arena)};
  const char *file = take_string(clang_CompileCommand_getFilename(command), arena);
  entry.file = path_join(entry.directory, file, arena);
  entry.resolved = path_resolved(entry.file, arena);
  unsigned count = clang_CompileCommand_getNumArgs(command);
  for (unsigned i = 0; i < count; i++)
    vec_push(arena, &entry.args, take_string(clang_CompileCommand_getArg(command, i), arena));
  return entry;
}

static void read_entries(CXCompilationDatabase database, Arena *arena, BuildDatabase *out) {
  CXCompileCommands commands = clang_CompilationDatabase_getAllCompileCommands(database);
  if (!commands) return; // an empty list
  unsigned count = clang_CompileCommands_getSize(commands);
  for (unsigned i = 0; i < count; i++)
    vec_push(arena, &out->entries, read_entry(clang_CompileCommands_getCommand(commands, i), arena));
  clang_CompileCommands_dispose(commands);
}

// The folder may be given as the file in it.
static const char *database_folder(const char *path, Arena *arena) {
  size_t length = strlen(path), name = strlen(database_name);
  if (!str_ends_with(path, database_name)) return path;
  if (length == name) return ".";
  return path[length - name - 1] == '/' ? arena_strndup(arena, path, length - name - 1) : path;
}

bool build_database_read(const char *path, Arena *arena, DiagSink *sink, BuildDatabase *out) {
  const char *folder = database_folder(path, arena);
  const char *file = arena_printf(arena, "%s/%s", folder, database_name);
  *out = (BuildDatabase){.file = file};
  if (access(file, R_OK) != 0) {
    diag_report(sink, DIAG_ERROR, NULL,
                "%s: %s: configure the build with CMAKE_EXPORT_COMPILE_COMMANDS=ON or use bear", file,
                strerror(errno));
    return false;
  }
  CXCompilationDatabase_Error error = CXCompilationDatabase_NoError;
  Silence silence = silence_start();
  CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(folder, &error);
  const char *complaint = silence_stop(&silence, arena);
  if (error != CXCompilationDatabase_NoError || !database) {
    diag_report_detail(
        sink, DIAG_ERROR, NULL,
        arena_printf(arena, "%s is no compilation database that can be read: make it again", file),
        *complaint ? complaint : NULL);
    return false;
  }
  read_entries(database, arena, out);
  clang_CompilationDatabase_dispose(database);
  return true;
}

const BuildEntry *build_database_find(const BuildDatabase *database, const char *path, Arena *arena) {
  const char *resolved = path_resolved(path, arena);
  for (uint32_t i = 0; i < database->entries.count; i++)
    if (strcmp(database->entries.items[i].resolved, resolved) == 0) return &database->entries.items[i];
  return NULL;
}

// ---- the command ----------------------------------------------------------------------------------------

static bool is_joint(const char *word) {
  return strcmp(word, "&&") == 0 || strcmp(word, ";") == 0 || strcmp(word, "||") == 0;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_launcher(const char *word) {
  static const char *const names[] = {"env", "ccache", "sccache", "distcc", "icecc", "time", "nice", "exec"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(base_name(word), names[i]) == 0) return true;
  return false;
}

static bool is_setting(const char *word) { // NAME=value
  size_t length = strcspn(word, "=/-");
  return length > 0 && word[length] == '=';
}

// Does this part of the line name the file?
static bool names_file(const BuildEntry *entry, uint32_t first, uint32_t end, const char *directory,
                       Arena *arena) {
  for (uint32_t i = first; i < end; i++) {
    const char *word = entry->args.items[i];
    if (strcmp(base_name(word), base_name(entry->file)) != 0) continue;
    if (strcmp(path_resolved(path_join(directory, word, arena), arena), entry->resolved) == 0) return true;
  }
  return false;
}

static BuildCommand command_of(const BuildEntry *entry, uint32_t first, uint32_t end, const char *directory) {
  while (first < end && (is_launcher(entry->args.items[first]) || is_setting(entry->args.items[first])))
    first++;
  BuildCommand command = {.directory = directory, .count = end > first ? end - first - 1 : 0};
  command.compiler = first < end ? base_name(entry->args.items[first]) : "";
  command.args = entry->args.items + first + (first < end);
  return command;
}

BuildCommand build_entry_command(const BuildEntry *entry, Arena *arena) {
  const char *directory = entry->directory;
  BuildCommand chosen = {.compiler = "", .directory = directory};
  bool is_found = false;
  for (uint32_t first = 0; first < entry->args.count;) {
    uint32_t end = first;
    while (end < entry->args.count && !is_joint(entry->args.items[end]))
      end++;
    bool is_move = end - first == 2 && strcmp(entry->args.items[first], "cd") == 0;
    if (is_move) directory = path_join(directory, entry->args.items[first + 1], arena);
    bool fits = !is_move && names_file(entry, first, end, directory, arena);
    if (fits || (!is_found && !is_move && end > first)) chosen = command_of(entry, first, end, directory);
    is_found |= fits;
    first = end + 1;
  }
  return chosen;
}
