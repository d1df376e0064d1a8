// Which rule does a name mean?
//
// Rules are found by name or id; for misspelt names the nearest one by edit distance (Levenshtein 1966) is
// offered.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"

#include <string.h>

enum { DISTANCE_TEXT_MAX = 63 }; // longer names are compared by their beginnings

FindingRule report_find_rule(const char *name) {
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
  uint32_t row[DISTANCE_TEXT_MAX + 1];
  uint32_t length = (uint32_t)strnlen(b, DISTANCE_TEXT_MAX);
  for (uint32_t k = 0; k <= length; k++)
    row[k] = k;
  for (uint32_t i = 0; a[i] && i < DISTANCE_TEXT_MAX; i++) {
    uint32_t diagonal = row[0]; // of the row above
    row[0] = i + 1;
    for (uint32_t k = 1; k <= length; k++) {
      uint32_t changed = diagonal + (a[i] != b[k - 1]);
      diagonal = row[k];
      row[k] = least(changed, least(row[k], row[k - 1]) + 1);
    }
  }
  return row[length];
}

FindingRule report_nearest_rule(const char *name) {
  FindingRule nearest = RULE_INTER_BLOCK;
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
    if (report_distance(finding_rule_info((FindingRule)rule)->name, name) <
        report_distance(finding_rule_info(nearest)->name, name))
      nearest = (FindingRule)rule;
  return nearest;
}

void report_uri(const char *path, StrBuf *out) {
  strbuf_add(out, escape_uri(out->arena, path));
}
