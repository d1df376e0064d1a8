// Which findings are shown, as what, and which of them are one report?
//
// A race in a device function called from a loop over launches would be found many times; a reader mends it
// once. So findings that agree in rule, object, kernel and the pair of places (in either order) become one
// group. Its face is the most telling finding: highest level, definite before observed before possible, first in the input.
// Everything is sorted with the input's order as last key, so that the output is a function of the input
// alone.
//
// Soundness: a group counts all findings it stands for; none is dropped but by an option, a comment in the
// source or a baseline, and those are counted too.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  const Finding *finding;
  const KernelResult *result;
  const SrcLoc *low, *high; // the two places in order
  FindingLevel level;
  uint32_t index;
} Entry;

typedef struct Entries {
  VEC(Entry) list;
} Entries;

// The producer may raise a finding above its rule's default level, or lower it; the options must not undo
// that.
static FindingLevel effective_level(const Finding *finding, const ReportOptions *options) {
  FindingLevel wanted = options->levels[finding->rule], own = finding->level;
  FindingLevel usual = finding_rule_info(finding->rule)->level;
  if (wanted == LEVEL_NONE || own == LEVEL_NONE || own == usual) return wanted;
  if (own > usual) return own > wanted ? own : wanted;
  return own < wanted ? own : wanted;
}

static int compare_text(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "");
}

static int compare_number(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

// Zero: the same report.
static int compare_key(const Entry *a, const Entry *b) {
  int order = compare_number(a->finding->rule, b->finding->rule);
  order = order ? order : loc_compare(a->low, b->low);
  order = order ? order : loc_compare(a->high, b->high);
  order = order ? order : loc_compare(&a->result->loc, &b->result->loc);
  // A kernel without a place is told apart by its name.
  if (order == 0 && !loc_known(&a->result->loc)) order = compare_text(a->finding->kernel, b->finding->kernel);
  return order ? order : compare_text(a->finding->object, b->finding->object);
}

static uint64_t certainty_rank(const Finding *finding) {
  return finding->certainty == CERTAINTY_DEFINITE ? 0 : finding->certainty == CERTAINTY_OBSERVED ? 1 : 2;
}

static int compare_entries(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  int order = compare_key(a, b);
  order = order ? order : compare_number(b->level, a->level);
  order = order ? order : compare_number(certainty_rank(a->finding), certainty_rank(b->finding));
  return order ? order : compare_number(a->index, b->index);
}

static void add_entry(Entries *entries, const KernelResult *result, const Finding *finding,
                      const ReportOptions *options, Arena *arena) {
  FindingLevel level = effective_level(finding, options);
  if (level == LEVEL_NONE) return;
  const SrcLoc *a = &finding->accesses[0].loc, *b = &finding->accesses[1].loc;
  bool swapped = loc_compare(a, b) > 0;
  vec_push(arena, &entries->list,
           (Entry){.finding = finding,
                   .result = result,
                   .low = swapped ? b : a,
                   .high = swapped ? a : b,
                   .level = level,
                   .index = entries->list.count});
}

static Entries collect(const ReportInput *input, const ReportOptions *options, Arena *arena) {
  Entries entries = {0};
  for (uint32_t i = 0; i < input->result_count; i++) {
    const KernelResult *result = input->results[i];
    for (uint32_t f = 0; f < result->findings.count; f++)
      add_entry(&entries, result, &result->findings.items[f], options, arena);
  }
  return entries;
}

static uint32_t finding_weight(const Finding *finding) {
  return finding->count ? finding->count : 1;
}

static ReportGroup open_group(const Entry *entry) {
  ReportGroup group = {.finding = *entry->finding, .result = entry->result};
  group.finding.level = entry->level;
  group.finding.count = finding_weight(entry->finding);
  return group;
}

static void join_group(ReportGroup *group, const Entry *entry, Arena *arena) {
  group->finding.count += finding_weight(entry->finding);
  bool is_new = entry->result != group->result;
  for (uint32_t i = 0; i < group->others.count; i++)
    is_new = is_new && group->others.items[i] != entry->result;
  if (is_new) vec_push(arena, &group->others, entry->result);
}

static int compare_groups(const void *left, const void *right) {
  const ReportGroup *a = left, *b = right;
  int order = loc_compare(&a->finding.accesses[0].loc, &b->finding.accesses[0].loc);
  order = order ? order : compare_number(a->finding.rule, b->finding.rule);
  order = order ? order : compare_text(a->finding.object, b->finding.object);
  order = order ? order : loc_compare(&a->finding.accesses[1].loc, &b->finding.accesses[1].loc);
  order = order ? order : loc_compare(&a->result->loc, &b->result->loc);
  return order ? order : compare_text(a->finding.kernel, b->finding.kernel);
}

const SrcLoc *group_place(const ReportGroup *group) {
  ASSERT(group);
  const SrcLoc *loc = &group->finding.accesses[0].loc;
  return loc_known(loc) ? loc : &group->result->loc;
}

// ---- the list

bool group_is_shown(const ReportGroup *group) {
  ASSERT(group);
  return group->suppressed == SUPPRESSED_NOT && !group->is_known;
}

ReportGroups report_group(const ReportInput *input, const ReportOptions *options, Arena *arena) {
  ASSERT(input && options && arena);
  Entries entries = collect(input, options, arena);
  ReportGroups groups = {0};
  if (entries.list.count == 0) return groups;
  qsort(entries.list.items, entries.list.count, sizeof(Entry), compare_entries);
  groups.items = arena_array(arena, entries.list.count, ReportGroup);
  for (uint32_t i = 0; i < entries.list.count; i++) {
    const Entry *entry = &entries.list.items[i];
    if (i > 0 && compare_key(entry - 1, entry) == 0)
      join_group(&groups.items[groups.count - 1], entry, arena);
    else
      groups.items[groups.count++] = open_group(entry);
  }
  qsort(groups.items, groups.count, sizeof(ReportGroup), compare_groups);
  report_fingerprints(&groups, options, arena);
  return groups;
}
