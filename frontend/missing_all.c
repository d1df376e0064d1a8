// Which headers are not there, all at once? clang stops at the first; asked what a file includes (-M -MG), it
// goes on and lists those that it does not find by the names that the text has for them. Where each is named
// is looked for in the user's files of the same list. Soundness: a header is taken for missing only if no
// file of its name is there; which file names it decides the place that is told, and around which folder it
// is looked for.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>
#include <unistd.h>

enum { SOURCE_LIMIT = 16 << 20 };

// Where the line that begins here includes the name: at its quote. NULL: it does not.
static const char *included_name(const char *line, const char *name) {
  size_t length = strlen(name);
  line += strspn(line, " \t");
  if (*line++ != '#') return NULL;
  line += strspn(line, " \t");
  if (!str_starts_with(line, "include")) return NULL;
  line += strlen("include");
  line += strspn(line, " \t");
  bool is_whole = (*line == '"' || *line == '<') && strncmp(line + 1, name, length) == 0 &&
                  (line[1 + length] == '"' || line[1 + length] == '>');
  return is_whole ? line : NULL;
}

static bool find_in(const Toolchain *tools, const char *path, const char *name, Arena *arena,
                    MissingHeader *out) {
  size_t length;
  const char *text = source_text(tools, path, SOURCE_LIMIT, arena, &length);
  uint32_t row = 1;
  for (const char *line = text; line && *line; row++) {
    const char *quote = included_name(line, name);
    if (quote) {
      *out = (MissingHeader){
          .name = name, .includer = path, .line = row, .column = (uint32_t)(quote - line) + 1};
      return true;
    }
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  return false;
}

// The first of the user's files in the list that includes it.
static bool find_includer(const Toolchain *tools, const char *list, const char *name, Arena *arena,
                          MissingHeader *out) {
  const char *at = list;
  for (const char *path; (path = part_list_next(&at, arena)) != NULL;)
    if (!path_is_system(tools, path) && access(path, R_OK) == 0 && find_in(tools, path, name, arena, out))
      return true;
  return false;
}

bool missing_headers_next(const Toolchain *tools, const char *list, const char **at, Arena *arena,
                          MissingHeader *out) {
  ASSERT(list);
  ASSERT(at);
  ASSERT(out);
  for (const char *name; (name = part_list_next(at, arena)) != NULL;) {
    bool is_target = name[strlen(name) - 1] == ':';
    if (is_target || access(name, F_OK) == 0 || !find_includer(tools, list, name, arena, out)) continue;
    missing_header_complete(out);
    if (missing_header_is_plain(out)) return true;
  }
  return false;
}
