// Is it the user's own mistake that a file does not compile? Where clang fails, the file is tried again with
// other headers and as nvcc sees it (compile.c), which takes longer than everything else. A bracket that is
// missing is missing there as well: if all that clang complains of stands in the user's text and is of
// grammar, or of a name that none of the other headers have, the first complaint is told at once. So it is
// where a header is missing that no toolkit has, and what is wrong with an empty one in its place is of that
// kind. Soundness: no bearing on verdicts; what may be mended by other headers is tried, where this is in
// doubt.
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // d_type
#include "frontend/internal.h"
#include "core/bug.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

enum { NAME_LIMIT = 8, DEPTH_LIMIT = 8, HEADER_LIMIT = 16 << 20 };

typedef struct Lacking { // names that are not declared, or not as they are used
  uint32_t count;
  const char *items[NAME_LIMIT];
  const char *header; // that is not found: clang goes no further
  bool is_last;       // the last error was of one
  const char *source;
} Lacking;

// What stands wrong whatever is declared.
static bool is_of_grammar(const char *error) {
  static const char *const begins[] = {"expected ",
                                       "extraneous ",
                                       "missing terminating ",
                                       "unterminated ",
                                       "an attribute list cannot appear here",
                                       "too few arguments to function call",
                                       "too many arguments to function call"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (str_starts_with(error, begins[i])) return true;
  return false;
}

// Is there a word of the compiler's, "__maxnreg__", in the line that others may have a meaning for?
static bool has_special_word(const char *line) {
  static const char *const known[] = {"__global__",   "__device__",        "__host__",     "__shared__",
                                      "__constant__", "__launch_bounds__", "__restrict__", "__forceinline__",
                                      "__noinline__", "__syncthreads",     "__syncwarp"};
  for (const char *at = line; (at = strstr(at, "__")) != NULL;) {
    size_t length = 0;
    bool is_known = at > line && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
      length++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      is_known |= strlen(known[i]) == length && memcmp(known[i], at, length) == 0;
    if (!is_known) return true;
    at += length;
  }
  return false;
}

static bool takes_quoted(const char *name, Lacking *lacking, Arena *arena) {
  if (lacking->count == NAME_LIMIT) return false;
  size_t length = strcspn(name, "'\n");
  if (length == 0 || name[length] != '\'') return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)name[i]) && name[i] != '_') return false;
  // No header declares a name of one letter but the imaginary one's.
  if (length > 1 || name[0] == 'I') lacking->items[lacking->count++] = arena_strndup(arena, name, length);
  return true;
}

static bool takes_name(const char *error, const char *begin, Lacking *lacking, Arena *arena) {
  return str_starts_with(error, begin) && takes_quoted(error + strlen(begin), lacking, arena);
}

// A class that is defined here is defined nowhere else.
static bool is_defined_here(const char *class_name, const char *source, Arena *arena) {
  static const char *const keys[] = {"struct", "class", "union"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    for (const char *at = source, *what = arena_printf(arena, "%s %.*s", keys[i],
                                                       (int)strcspn(class_name, "'"), class_name);
         (at = strstr(at, what)) != NULL; at++) {
      const char *behind = at + strlen(what) + strspn(at + strlen(what), " \n\t");
      if (*behind == '{' || *behind == ':') return true;
    }
  return false;
}

// "no member named 'x' in 'S'": who else declares S?
static bool takes_owner(const char *error, Lacking *lacking, Arena *arena) {
  static const char between[] = "' in '";
  const char *owner = str_starts_with(error, "no member named '") ? strstr(error, between) : NULL;
  return owner && (is_defined_here(owner + strlen(between), lacking->source, arena) ||
                   takes_quoted(owner + strlen(between), lacking, arena));
}

// Of the word that was meant, wherever that is declared.
static bool is_suggestion(const char *note, const Lacking *lacking) {
  return lacking->is_last && note[0] == '\'' && strstr(note, "' declared here") != NULL;
}

// "'library.h' file not found": the first one. If a second one is missing where that is replaced, other headers
// are tried.
static bool takes_header(const char *error, Lacking *lacking, Arena *arena) {
  bool is_quoted = error[0] == '\'' && !lacking->header;
  const char *end = is_quoted ? strstr(error, "' file not found") : NULL;
  if (end) lacking->header = arena_strndup(arena, error + 1, (size_t)(end - error) - 1);
  return end != NULL;
}

static bool is_of_names(const char *error, Lacking *lacking, Arena *arena) {
  return takes_name(error, "use of undeclared identifier '", lacking, arena) ||
         takes_name(error, "unknown type name '", lacking, arena) ||
         takes_name(error, "no matching function for call to '", lacking, arena) ||
         takes_owner(error, lacking, arena) || takes_header(error, lacking, arena);
}

// False if something in it may be mended otherwise. A note at a declaration of ours, or in a macro of ours,
// says that it may be.
static bool is_own_complaint(const Toolchain *tools, const char *line, Lacking *lacking, Arena *arena) {
  bool is_users, is_error;
  const char *text = clang_complaint(tools, line, &is_error, &is_users, arena);
  if (!text) return !has_special_word(line); // the source, and what leads there
  if (!is_error) return is_users || is_suggestion(text, lacking);
  lacking->is_last = is_of_names(text, lacking, arena);
  return is_users && (lacking->is_last || is_of_grammar(text));
}

static bool find_lacking(const Toolchain *tools, const Process *process, const char *path, Lacking *lacking,
                         Arena *arena) {
  size_t length;
  const char *source = source_text(tools, path, HEADER_LIMIT, arena, &length);
  if (process->start_error || process->exit_status <= 0 || !source || strstr(source, "__NVCC__"))
    return false;
  lacking->source = source;
  for (const char *line = strbuf_text(&process->errors); *line;) {
    size_t end = strcspn(line, "\n");
    const char *one = arena_strndup(arena, line, end);
    if (!is_own_complaint(tools, one, lacking, arena)) return false;
    line += end + (line[end] == '\n');
  }
  return process->errors.length > 0;
}

// ---- other headers
static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
    bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'),
         ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
    if (begins && ends) return true;
  }
  return false;
}

static bool file_has_one(const char *path, const Lacking *lacking) {
  Arena *scratch = arena_open();
  size_t length;
  const char *text = regular_file_text(path, HEADER_LIMIT, scratch, &length);
  bool found = false;
  for (uint32_t i = 0; text && i < lacking->count && !found; i++)
    found = has_word(text, lacking->items[i]);
  arena_close(scratch);
  return found;
}

static bool folder_has_one(const char *folder, const Lacking *lacking, int depth, Arena *arena) {
  DIR *dir = opendir(folder);
  bool found = false;
  if (!dir) return true; // who knows
  for (struct dirent *entry; !found && (entry = readdir(dir)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
    if (entry->d_type == DT_REG)
      found = file_has_one(path, lacking);
    else
      found =
          entry->d_type != DT_DIR || depth == DEPTH_LIMIT || folder_has_one(path, lacking, depth + 1, arena);
  }
  closedir(dir);
  return found;
}

static bool toolkit_has_header(const char *toolkit, const char *name, Arena *arena) {
  return access(arena_printf(arena, "%s/include/%s", toolkit, name), F_OK) == 0 ||
         access(arena_printf(arena, "%s/include/cccl/%s", toolkit, name), F_OK) == 0;
}

static bool toolkit_has_one(const Toolchain *tools, const Lacking *lacking, Arena *arena) {
  Toolchain other;
  if (!toolchain_other_headers(tools, &other)) return false;
  trail_note_folder(tools->trail, arena_printf(arena, "%s/include", other.toolkit));
  trail_note_folder(tools->trail, arena_printf(arena, "%s/include/cccl", other.toolkit));
  if (lacking->header && toolkit_has_header(other.toolkit, lacking->header, arena)) return true;
  return lacking->count > 0 &&
         folder_has_one(arena_printf(arena, "%s/include", other.toolkit), lacking, 0, arena);
}

bool errors_are_own(const Toolchain *tools, const Process *process, const Process *mended, const char *path,
                    Arena *arena) {
  ASSERT(path);
  Lacking lacking = {0};
  if (!find_lacking(tools, process, path, &lacking, arena)) return false;
  if (lacking.header && !(mended && find_lacking(tools, mended, path, &lacking, arena))) return false;
  if (lacking.count == 0 && !lacking.header) return true;
  return !tools->toolkit && !toolkit_has_one(tools, &lacking, arena); // ours are searched by trying them
}
