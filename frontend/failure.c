// What does it mean when clang fails? One line names the cause and the mend; what clang wrote stands below
// it, with errors in the user's own files before those in headers of the system, of a toolkit or of ours,
// which often only follow from them. Of a file that lies outside the build and is no source by its name, as
// in
// "-include /etc/passwd", only the place is told: whoever wrote the build need not be who may read the file.
// Soundness: nothing else that clang wrote is left out.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_CLANG = HGRD_LLVM };

// The major version that `clang --version` prints; 0 if it cannot be told.
static unsigned ask_version(const Toolchain *tools, Arena *arena) {
  const char *version = clang_ask_version(tools->clang, arena);
  return version ? (unsigned)strtoul(version, NULL, 10) : 0;
}

static const char *first_error(const char *text, Arena *arena) {
  const char *at = strstr(text, "error: ");
  if (!at) return "";
  at += strlen("error: ");
  return arena_strndup(arena, at, strcspn(at, "\n"));
}

// ---- whose errors

static size_t line_length(const char *line) {
  size_t length = strcspn(line, "\n");
  return length + (line[length] == '\n');
}

static bool leads_to_another(const char *line) {
  return str_starts_with(line, "In file included from ") || str_starts_with(line, "                 from ");
}

// Where the path ends in "PATH:LINE:COLUMN: error: ..."; NULL if the line is something else.
static const char *end_of_path(const char *line) {
  const char *end = line + line_length(line), *mark = strstr(line, ": error: ");
  if (!mark || mark >= end) mark = strstr(line, ": fatal error: ");
  if (!mark || mark >= end) return NULL;
  for (int colons = 0; mark > line && colons < 2; colons += *mark == ':')
    mark--;
  return mark > line ? mark : NULL;
}

static bool is_users_error(const Toolchain *tools, const char *line, Arena *arena) {
  const char *end = end_of_path(line);
  return end && !path_is_system(tools, arena_strndup(arena, line, (size_t)(end - line)));
}

const char *clang_complaint(const Toolchain *tools, const char *line, bool *is_error, bool *is_users,
                            Arena *arena) {
  ASSERT(line);
  static const char *const marks[] = {": note: ", ": error: ", ": fatal error: "};
  *is_users = false;
  *is_error = true;
  if (str_starts_with(line, "error: ") || str_starts_with(line, "fatal error: "))
    return strchr(line, ' ') + 1;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *mark = strstr(line, marks[i]), *end = mark;
    if (!mark) continue;
    for (int colons = 0; end > line && colons < 2; colons += *end == ':')
      end--;
    *is_error = i > 0;
    *is_users = end > line && !path_is_system(tools, arena_strndup(arena, line, (size_t)(end - line)));
    return mark + strlen(marks[i]);
  }
  return NULL;
}

// Where the path ends in "PATH:LINE:COLUMN: error: ...", or of another kind; NULL if the line begins
// otherwise.
static const char *end_of_place(const char *line) {
  static const char *const kinds[] = {": error: ", ": fatal error: ", ": warning: ", ": note: "};
  const char *end = line + line_length(line);
  for (const char *at = line; *line != ' ' && (at = memchr(at, ':', (size_t)(end - at))) != NULL; at++) {
    size_t row = strspn(at + 1, "0123456789"), column = 0;
    if (row && at[1 + row] == ':') column = strspn(at + 2 + row, "0123456789");
    for (size_t i = 0; column && i < sizeof kinds / sizeof *kinds; i++)
      if (str_starts_with(at + 2 + row + column, kinds[i])) return at;
  }
  return NULL;
}

static bool has_name_of_source(const char *path) {
  static const char *const endings[] = {".h",   ".hh",  ".hpp", ".hxx", ".h++", ".cuh", ".cu",  ".c",
                                        ".cc",  ".cpp", ".cxx", ".c++", ".inl", ".inc", ".ipp", ".ii",
                                        ".tpp", ".tcc", ".txx", ".def", ".i",   ".in",  ".impl"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (str_ends_with(path, endings[i])) return true;
  return false;
}

// Neither below where we run nor in a folder of the build, and no source.
static bool is_not_to_show(const Toolchain *tools, const char *path, Arena *arena) {
  if (path_is_system(tools, path) || has_name_of_source(path) || path[0] == '<') return false;
  for (int i = 0; i < 2; i++) {
    if (tools->current_dirs[i] && path_is_within(path, tools->current_dirs[i], arena)) return false;
    if (tools->build_dirs && path_is_within(path, tools->build_dirs[i], arena)) return false;
  }
  return true;
}

// The first place in the complaint that is not to be shown; NULL if there is none.
static const char *hidden_place(const Toolchain *tools, const char *text, size_t length, Arena *arena) {
  for (const char *line = text; line < text + length; line += line_length(line)) {
    const char *end = end_of_place(line);
    if (end && is_not_to_show(tools, arena_strndup(arena, line, (size_t)(end - line)), arena)) return line;
  }
  return NULL;
}

static void add_complaint(const Toolchain *tools, const char *text, size_t length, Arena *arena,
                          StrBuf *out) {
  const char *hidden = hidden_place(tools, text, length, arena);
  if (!hidden) {
    strbuf_add_n(out, text, length);
    return;
  }
  size_t path = (size_t)(end_of_place(hidden) - hidden), place = path + strspn(hidden + path, ":0123456789");
  strbuf_printf(out, "%.*s error: not shown, since %.*s lies outside the build and is no source\n",
                (int)place, hidden, (int)path, hidden);
}

// From a complaint, or what leads to it, to the next one. `is_users`: the complaint is about the user's text.
static size_t complaint_length(const Toolchain *tools, const char *text, bool *is_users, Arena *arena) {
  const char *at = text;
  *is_users = false;
  while (*at && leads_to_another(at))
    at += line_length(at);
  *is_users = is_users_error(tools, at, arena);
  at += line_length(at);
  for (;;) {
    const char *next = at;
    while (*next && leads_to_another(next))
      next += line_length(next);
    if (!*next || end_of_path(next)) return (size_t)(at - text);
    at = next + line_length(next);
  }
}

// "2 errors generated when compiling for sm_80.", at the end of the text; or there.
static const char *count_of_errors(const char *text) {
  const char *last = text + strlen(text);
  while (last > text && (last[-1] != '\n' || !*last))
    last--;
  return *last >= '0' && *last <= '9' && strstr(last, " generated") ? last : text + strlen(text);
}

// The user's own errors first; of these, spellings that nvcc takes, and that would be corrected, last.
static const char *sorted_errors(const Toolchain *tools, const char *text, Arena *arena) {
  StrBuf own = {.arena = arena}, spelled = {.arena = arena}, others = {.arena = arena};
  bool is_users;
  const char *count = count_of_errors(text);
  text = arena_strndup(arena, text, (size_t)(count - text));
  while (*text) {
    size_t length = complaint_length(tools, text, &is_users, arena);
    bool is_spelled = is_users && fixup_is_of_spelling(text, length);
    add_complaint(tools, text, length, arena, is_spelled ? &spelled : is_users ? &own : &others);
    text += length;
  }
  strbuf_add(&own, strbuf_text(&spelled));
  strbuf_add(&own, strbuf_text(&others));
  strbuf_add(&own, count);
  return strbuf_text(&own);
}

bool clang_blames_user(const Toolchain *tools, const Process *process, Arena *arena) {
  for (const char *line = strbuf_text(&process->errors); *line; line += line_length(line))
    if (is_users_error(tools, line, arena)) return true;
  return false;
}

// ---- what is said

// Words of CUDA that are unknown: the file was not read as CUDA.
static const char *remedy_for(const char *cause) {
  static const char *const words[] = {"'__global__'", "'__device__'", "'__host__'", "'__shared__'"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(cause, words[i]) && str_starts_with(cause, "unknown type name"))
      return "its ending is one of C++: pass '-- -x cuda' if it is CUDA";
  return "correct it, or pass the flags of your build after -- or with -p";
}

void clang_report_failure(const Toolchain *tools, const Process *process, const char *path,
                          DiagSeverity severity, Arena *arena, DiagSink *sink) {
  ASSERT(path);
  if (process->start_error == E2BIG) {
    diag_report(
        sink, DIAG_ERROR, NULL,
        "%s: the flags of its build are longer than the system takes on a command line: leave out what "
        "it does not need",
        path);
    return;
  }
  if (process->start_error) {
    diag_report(sink, DIAG_ERROR, NULL,
                "cannot run '%s' (%s): install clang %d or set HGRD_CLANG to its path", process->argv[0],
                strerror(process->start_error), OLDEST_CLANG);
    return;
  }
  const char *text = strbuf_text(&process->errors);
  bool has_dump = strstr(text, "PLEASE submit a bug report") != NULL,
       has_crashed = process->exit_status > 128 && has_dump;
  if (process->exit_status < 0 || has_crashed) {
    int number = has_crashed ? process->exit_status - 128 : process->signal;
    const char *cause = strstr(text, "out of memory") ? "too much memory"
                        : number == SIGXCPU           ? "too much time"
                        : has_crashed                 ? "a fault of clang"
                                                      : "too much time or memory, or a fault of clang";
    diag_report_detail(sink, severity, NULL,
                       arena_printf(arena, "clang was stopped by signal %d on %s: %s; make the file smaller",
                                    number, path, cause),
                       has_dump ? "" : process->errors.text);
    return;
  }
  unsigned version = ask_version(tools, arena);
  if (version > 0 && version < OLDEST_CLANG) {
    diag_report(sink, DIAG_ERROR, NULL,
                "'%s' is clang %u, but clang %d is needed: install it or set HGRD_CLANG to its path",
                tools->clang, version, OLDEST_CLANG);
    return;
  }
  if (version == 0 && !*text) {
    diag_report(
        sink, DIAG_ERROR, NULL,
        "'%s' fails without a word and tells no version, so it is no clang: set HGRD_CLANG to the path "
        "of clang %d",
        tools->clang, OLDEST_CLANG);
    return;
  }
  text = sorted_errors(tools, text, arena);
  const char *cause = first_error(text, arena);
  diag_report_detail(
      sink, severity, NULL,
      arena_printf(arena, "%s does not compile: %s%s%s", path, cause, *cause ? "; " : "", remedy_for(cause)),
      text);
}
