// Did the author of the source say that this finding is meant to be?
//
// A comment `hgrd-suppress(rule): reason` covers the findings of that rule with an access on its line, or on
// the first line of code below when the comment has its line for itself. Several rules are separated by
// commas; a rule is given by name or id. For inlined code the lines of the calls count as well.
//
// Soundness: only what stands after `//` or `/*` counts, the rule must be named, and suppressed findings stay
// in the verdict, the totals and the JSON output.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"

#include <string.h>

enum { COMMENT_LINES_ABOVE = 8 };

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *text) {
  while (is_blank(*text))
    text++;
  return text;
}

static bool names_rule(const char *list, size_t length, FindingRule rule) {
  const FindingRuleInfo *info = finding_rule_info(rule);
  while (length > 0) {
    size_t skipped = strspn(list, " \t,");
    if (skipped >= length) return false;
    list += skipped, length -= skipped;
    size_t word = strcspn(list, " \t,)");
    word = word < length ? word : length;
    if ((word == strlen(info->name) && memcmp(list, info->name, word) == 0) ||
        (word == strlen(info->id) && memcmp(list, info->id, word) == 0))
      return true;
    list += word, length -= word;
  }
  return false;
}

static const char *reason_after(const char *text, Arena *arena) {
  text = skip_blanks(text);
  if (*text == ':') text = skip_blanks(text + 1);
  const char *end = strstr(text, "*/");
  size_t length = end ? (size_t)(end - text) : strlen(text);
  while (length > 0 && is_blank(text[length - 1]))
    length--;
  return length ? arena_strndup(arena, text, length) : "no reason given";
}

static const char *reason_in_line(const char *line, FindingRule rule, Arena *arena) {
  static const char keyword[] = "hgrd-suppress(";
  const char *slashes = strstr(line, "//"), *star = strstr(line, "/*");
  const char *comment = !slashes || (star && star < slashes) ? star : slashes;
  const char *at = comment ? strstr(comment, keyword) : NULL;
  if (!at) return NULL;
  const char *list = at + sizeof keyword - 1;
  const char *close = strchr(list, ')');
  if (!close || !names_rule(list, (size_t)(close - list), rule)) return NULL;
  return reason_after(close + 1, arena);
}

static bool is_comment_line(const char *line) {
  line = skip_blanks(line);
  return str_starts_with(line, "//") || str_starts_with(line, "/*") || *line == '*';
}

static const char *reason_at(const SrcLoc *loc, FindingRule rule, const ReportOptions *options,
                             Arena *arena) {
  for (uint32_t up = 0; up <= COMMENT_LINES_ABOVE && up < loc->line; up++) {
    const char *line = options->read_line(options->context, loc->file, loc->line - up);
    if (!line || (up > 0 && !is_comment_line(line))) return NULL;
    const char *reason = reason_in_line(line, rule, arena);
    if (reason) return reason;
  }
  return NULL;
}

const char *suppression_find(const Finding *finding, const ReportOptions *options, Arena *arena) {
  for (int i = 0; options->read_line && i < 2; i++)
    for (const SrcLoc *loc = &finding->accesses[i].loc; loc && loc_known(loc) && loc->line;
         loc = loc->inlined_at) {
      const char *reason = reason_at(loc, finding->rule, options, arena);
      if (reason) return reason;
    }
  return NULL;
}
