// Which findings does a project want silenced without touching the source, for third-party code say?
//
// A text file with one suppression a line: `RULE PATH-GLOB KERNEL-GLOB REASON`, separated by blanks; RULE is
// a name, an id or `*`; `#` starts a comment line. Globs are those of fnmatch, where `*` also matches `/`;
// `?` stands for a blank. A path glob that does not begin with `/` may match from any folder on.
//
// Soundness: a line without a reason, or with a rule that does not exist, is an error and nothing is checked.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <fnmatch.h>
#include <string.h>

static const char *next_word(char **text) {
  char *word = *text + strspn(*text, " \t");
  *text = word + strcspn(word, " \t");
  if (**text) *(*text)++ = 0;
  return word;
}

static const char *line_error(const char *path, uint32_t line, const char *what, Arena *arena) {
  return arena_printf(arena, "%s:%u: %s; a line reads RULE PATH-GLOB KERNEL-GLOB REASON", path, line, what);
}

static bool read_line_of_file(FileSuppression *out, char *text, Arena *arena, const char **error) {
  out->rule_name = next_word(&text);
  out->path_glob = next_word(&text);
  out->kernel_glob = next_word(&text);
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r", text[length - 1]))
    text[--length] = 0;
  out->reason = text;
  out->rule = strcmp(out->rule_name, "*") == 0 ? RULE_NONE : report_find_rule(out->rule_name);
  if (out->rule == RULE_NONE && strcmp(out->rule_name, "*") != 0) {
    const char *what = arena_printf(arena, "unknown rule '%s'; %s", out->rule_name,
                                    report_meant(report_nearest_rule(out->rule_name), arena));
    *error = line_error(out->path, out->line, what, arena);
    return false;
  }
  if (out->reason[0]) return true;
  *error = line_error(out->path, out->line, "the reason is missing", arena);
  return false;
}

const ReportSuppressions *report_read_suppressions(const char *path, const char *text,
                                                   const ReportSuppressions *before, Arena *arena,
                                                   const char **error) {
  ASSERT(path);
  ASSERT(text);
  ASSERT(error);
  ReportSuppressions *all = arena_new(arena, ReportSuppressions);
  for (uint32_t i = 0; before && i < before->list.count; i++)
    vec_push(arena, &all->list, before->list.items[i]);
  for (uint32_t number = 1; *text; number++) {
    size_t length = strcspn(text, "\n");
    char *line = arena_strndup(arena, text, length);
    text += length + (text[length] == '\n');
    if (line[strspn(line, " \t\r")] == 0 || line[strspn(line, " \t")] == '#') continue;
    FileSuppression read = {.path = path, .line = number};
    if (!read_line_of_file(&read, line, arena, error)) return NULL;
    vec_push(arena, &all->list, read);
  }
  return all;
}

static bool path_matches(const char *glob, const char *path) {
  if (fnmatch(glob, path, 0) == 0) return true;
  for (const char *slash = glob[0] == '/' ? NULL : strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
    if (fnmatch(glob, slash + 1, 0) == 0) return true;
  return false;
}

static bool any_place_matches(const char *glob, const ReportGroup *group) {
  if (loc_known(&group->result->loc) && path_matches(glob, group->result->loc.file)) return true;
  for (int i = 0; i < 2; i++)
    for (const SrcLoc *loc = &group->finding.accesses[i].loc; loc && loc_known(loc); loc = loc->inlined_at)
      if (path_matches(glob, loc->file)) return true;
  return false;
}

bool file_suppression_covers(const FileSuppression *suppression, const ReportGroup *group) {
  ASSERT(group);
  if (suppression->rule != RULE_NONE && suppression->rule != group->finding.rule) return false;
  const char *kernel = group->finding.kernel ? group->finding.kernel : "";
  return fnmatch(suppression->kernel_glob, kernel, 0) == 0 &&
         any_place_matches(suppression->path_glob, group);
}
