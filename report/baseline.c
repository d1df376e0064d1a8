// Which findings are there today, so that tomorrow only new ones are shown?
//
// A text file with one finding a line, `fingerprint rule kernel object`, sorted by fingerprint, so that it
// merges well under version control. Only the fingerprint is read back; the rest is for people.
//
// Soundness: suppressed findings are left out, they are suppressed anyhow; known ones are kept.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_lines(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *baseline_line(const ReportGroup *group, Arena *arena) {
  const Finding *finding = &group->finding;
  return arena_printf(arena, "%s %s %s %s\n", group_identity(group, arena),
                      finding_rule_info(finding->rule)->name, escape_visible(arena, finding->kernel),
                      escape_visible(arena, finding->object));
}

void report_baseline(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out) {
  ReportGroups groups = report_group(input, options, arena);
  const char **lines = arena_array(arena, groups.count + 1, const char *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < groups.count; i++)
    if (!groups.items[i].suppression) lines[count++] = baseline_line(&groups.items[i], arena);
  if (count > 0) qsort(lines, count, sizeof *lines, compare_lines);
  strbuf_add(out, "# Findings that hgrd-check --baseline does not show: fingerprint rule kernel object\n");
  for (uint32_t i = 0; i < count; i++)
    strbuf_add(out, lines[i]);
}
