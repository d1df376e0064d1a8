// How was this file built? Entries of compile_commands.json (build_json.c reads it) are found by the file
// they name, after links and relative paths are resolved. A command may be a line of shell: parts joined by
// && are separated, the part that names the file counts, and "cd", "env", compiler caches and variable
// settings in front are stepped over; "sh -c SCRIPT" is its script. Soundness: which flags are used decides
// what is analysed; a file that is not listed is said so.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // realpath
#define _XOPEN_SOURCE 700
#include "frontend/internal.h"
#include "core/bug.h"
#include "core/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATABASE_LIMIT ((size_t)256 << 20)
enum { SHELL_LIMIT = 4 }; // one in another
static const char database_name[] = "compile_commands.json";

// ---- paths

// Without links and dots; the path itself if there is no such file.
static const char *path_resolved(const char *path, Arena *arena) {
  char *real = realpath(path, NULL);
  const char *copy = real ? arena_strdup(arena, real) : path;
  free(real);
  return copy;
}

static const char *path_folder(const char *path, Arena *arena) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

bool path_is_within(const char *path, const char *folder, Arena *arena) {
  ASSERT(path);
  ASSERT(folder);
  const char *resolved = path_resolved(path, arena);
  size_t length = strlen(folder);
  return strncmp(resolved, folder, length) == 0 && (resolved[length] == '/' || folder[length - 1] == '/');
}

// ---- reading

// Text of a regular file, up to a limit; NULL with errno otherwise.
const char *regular_file_text(const char *path, size_t limit, Arena *arena, size_t *length) {
  ASSERT(path);
  ASSERT(length);
  StrBuf text = {.arena = arena};
  struct stat info;
  char buffer[65536];
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return NULL;
  bool is_regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  ssize_t got = is_regular ? 1 : -1;
  if (!is_regular) errno = EINVAL;
  while (got > 0 && text.length <= limit)
    if ((got = read(file, buffer, sizeof buffer)) > 0) strbuf_add_n(&text, buffer, (size_t)got);
  int reason = text.length > limit ? EFBIG : got < 0 ? errno : 0;
  close(file);
  errno = reason;
  *length = text.length;
  return reason ? NULL : strbuf_text(&text);
}

// The folder may be given as the file in it.
static const char *database_folder(const char *path, Arena *arena) {
  size_t length = strlen(path), name = strlen(database_name);
  if (!str_ends_with(path, database_name)) return path;
  if (length == name) return ".";
  return path[length - name - 1] == '/' ? arena_strndup(arena, path, length - name - 1) : path;
}

bool build_database_read(const char *path, Arena *arena, DiagSink *sink, BuildDatabase *out) {
  ASSERT(path);
  ASSERT(out);
  const char *folder = database_folder(path, arena), *mistake = NULL;
  const char *file = arena_printf(arena, "%s/%s", folder, database_name);
  size_t length = 0;
  *out = (BuildDatabase){.file = file};
  const char *text = regular_file_text(file, DATABASE_LIMIT, arena, &length);
  if (!text) {
    diag_report(sink, DIAG_ERROR, NULL,
                "%s: %s: configure the build with CMAKE_EXPORT_COMPILE_COMMANDS=ON or use bear", file,
                errno == EINVAL ? "Not a regular file" : strerror(errno));
    return false;
  }
  if (!build_json_read(text, length, arena, out, &mistake)) {
    diag_report(sink, DIAG_ERROR, NULL, "%s:%s: this is no compilation database: make it again", file,
                mistake);
    return false;
  }
  out->roots[0] = path_resolved(folder, arena);
  out->roots[1] = path_folder(path_resolved(file, arena), arena);
  for (uint32_t i = 0; i < out->entries.count; i++) {
    BuildEntry *entry = &out->entries.items[i];
    entry->file = path_join(entry->directory, entry->file, arena);
    entry->resolved = path_resolved(entry->file, arena);
  }
  return true;
}

const BuildEntry *build_database_find(const BuildDatabase *database, const char *path, Arena *arena) {
  ASSERT(path);
  const char *resolved = path_resolved(path, arena);
  for (uint32_t i = 0; i < database->entries.count; i++)
    if (strcmp(database->entries.items[i].resolved, resolved) == 0) return &database->entries.items[i];
  return NULL;
}

// ---- the command

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

static bool is_shell(const char *word) {
  static const char *const names[] = {"sh", "bash", "dash", "zsh", "ksh"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(base_name(word), names[i]) == 0) return true;
  return false;
}

static bool takes_script(const char *option) { // -c, -ec
  return option[0] == '-' && option[1] != '-' && strchr(option, 'c');
}

// The words of the script in place of "sh -c SCRIPT"; false if there is none.
static bool open_shell(BuildEntry *entry, Arena *arena) {
  BuildEntry out = {0};
  bool is_begin = true, is_opened = false;
  uint32_t count = entry->args.count, begin = 0; // of the command, in `out`
  for (uint32_t i = 0; i < count; i++) {
    const char *word = entry->args.items[i];
    if (is_begin && is_shell(word) && i + 2 < count && takes_script(entry->args.items[i + 1])) {
      out.args.count = begin; // without what launches the shell
      build_split_command(&out, entry->args.items[i + 2], arena);
      while (i + 1 < count && !is_joint(entry->args.items[i + 1])) // what is left are the script's arguments
        i++;
      is_opened = true;
      continue;
    }
    is_begin = is_joint(word) || (is_begin && (is_launcher(word) || is_setting(word)));
    vec_push(arena, &out.args, word);
    if (is_joint(word)) begin = out.args.count;
  }
  entry->args.items = out.args.items;
  entry->args.count = out.args.count;
  entry->args.capacity = out.args.capacity;
  return is_opened;
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

BuildCommand build_entry_command(const BuildEntry *given, Arena *arena) {
  BuildEntry opened = *given;
  const BuildEntry *entry = &opened;
  for (int i = 0; i < SHELL_LIMIT && open_shell(&opened, arena); i++)
    continue;
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
