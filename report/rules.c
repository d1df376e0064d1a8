// Which rule does a name mean, and which name was meant?
//
// Rules are found by name or id. For misspelt names the nearest one is offered, by the edit distance that
// counts two neighbours in the wrong order once (optimal string alignment), and only if that is near enough
// to be a slip of the finger: a quarter of what was typed, and one. A name that begins with what was typed is
// near as well.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <string.h>

enum { DISTANCE_TEXT_MAX = 63, BEGINNING_MIN = 3 }; // longer names are compared by their beginnings

FindingRule report_find_rule(const char *name) {
  ASSERT(name);
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    if (strcmp(info->name, name) == 0 || strcmp(info->id, name) == 0) return (FindingRule)rule;
  }
  return RULE_NONE;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

uint32_t report_distance(const char *a, const char *b) {
  ASSERT(a);
  ASSERT(b);
  uint32_t rows[3][DISTANCE_TEXT_MAX + 1];
  uint32_t *before = rows[0], *above = rows[1], *row = rows[2];
  uint32_t length = (uint32_t)strnlen(b, DISTANCE_TEXT_MAX);
  for (uint32_t k = 0; k <= length; k++)
    before[k] = above[k] = row[k] = k;
  for (uint32_t i = 1; a[i - 1] && i <= DISTANCE_TEXT_MAX; i++) {
    row[0] = i;
    for (uint32_t k = 1; k <= length; k++) {
      row[k] = least(above[k - 1] + (a[i - 1] != b[k - 1]), least(above[k], row[k - 1]) + 1);
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        row[k] = least(row[k], before[k - 2] + 1);
    }
    uint32_t *oldest = before;
    before = above, above = row, row = oldest;
  }
  return above[length];
}

uint32_t report_slip(const char *typed, const char *name) {
  ASSERT(typed);
  ASSERT(name);
  uint32_t length = (uint32_t)strlen(typed), far = report_distance(typed, name);
  if (far <= 1 + length / 4 && far < length) return far;
  // What was typed may end early, with a slip in it: "supress" of "suppressions".
  char beginning[DISTANCE_TEXT_MAX + 1] = {0};
  for (uint32_t end = length > 0 ? length - 1 : 0; end <= length + 1 && end < strlen(name); end++) {
    if (end < BEGINNING_MIN || end > DISTANCE_TEXT_MAX) continue;
    memcpy(beginning, name, end);
    beginning[end] = 0;
    far = report_distance(typed, beginning);
    if (far == 0 || (far == 1 && length >= 2 * BEGINNING_MIN)) return length + far; // behind what is whole
  }
  return REPORT_NO_SLIP;
}

const char *report_nearest_rule(const char *typed) {
  ASSERT(typed);
  const char *nearest = NULL;
  uint32_t least_far = REPORT_NO_SLIP;
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const char *name = finding_rule_info((FindingRule)rule)->name;
    uint32_t far = report_slip(typed, name);
    if (far < least_far) least_far = far, nearest = name;
  }
  return nearest;
}

const char *report_nearest_explained(const char *typed) {
  ASSERT(typed);
  const char *nearest = report_nearest_rule(typed);
  uint32_t least_far = nearest ? report_slip(typed, nearest) : REPORT_NO_SLIP;
  for (uint32_t i = 0; cause_at(i); i++) {
    uint32_t far = report_slip(typed, cause_at(i)->name);
    if (far < least_far) least_far = far, nearest = cause_at(i)->name;
  }
  return nearest;
}

const char *report_meant(const char *nearest, Arena *arena) {
  return nearest ? arena_printf(arena, "did you mean '%s'?", nearest) : "--explain lists all";
}

void report_uri(const char *path, StrBuf *out) {
  ASSERT(path);
  ASSERT(out);
  strbuf_add(out, escape_uri(out->arena, path));
}
