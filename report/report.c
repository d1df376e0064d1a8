// What do all forms of a report share, and how does a long one leave without being held in memory?
//
// A report is prepared once: findings are joined and marked (merge.c, suppress.c, baseline.c), kernels are
// summed up (summary.c), totals counted. The writers then only read it, one finding at a time, and offer what
// they have written to the sink in between.
//
// Soundness: totals count every finding as shown, suppressed or known; nothing is counted twice or dropped.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

enum { SINK_BYTES = 64 * 1024 }; // less is not worth a call

void report_flush(ReportSink *sink) {
  ASSERT(sink->text.length == 0 || sink->text.text[sink->text.length] == 0);
  if (!sink->write || sink->text.length == 0) return;
  sink->write(sink->context, sink->text.text, sink->text.length);
  sink->text.length = 0;
  sink->text.text[0] = 0;
}

void sink_offer(ReportSink *sink) {
  ASSERT(sink);
  if (sink->text.length >= SINK_BYTES) report_flush(sink);
}

static void count_kernels(ReportTotals *totals, const KernelSummaries *kernels) {
  totals->kernels = kernels->count;
  for (uint32_t i = 0; i < kernels->count; i++) {
    const KernelSummary *kernel = &kernels->items[i];
    totals->safe += kernel->verdict == VERDICT_SAFE;
    totals->provisional += kernel->verdict == VERDICT_SAFE && kernel_leans_on_gaps(kernel);
    totals->racy += kernel->verdict == VERDICT_RACE;
    totals->undecided += kernel->verdict == VERDICT_UNKNOWN;
    totals->dead += kernel->verdict == VERDICT_DEAD;
    totals->pairs += kernel->pairs;
    totals->queries += kernel->queries;
    totals->resource_units += kernel->rlimit;
  }
}

static void count_group(ReportTotals *totals, const ReportGroup *group) {
  totals->suppressed += group->suppressed != SUPPRESSED_NOT;
  totals->known += group->suppressed == SUPPRESSED_NOT && group->is_known;
  if (!group_is_shown(group)) return;
  totals->errors += group->finding.level == LEVEL_ERROR;
  totals->warnings += group->finding.level == LEVEL_WARNING;
  totals->notes += group->finding.level == LEVEL_NOTE;
}

// A symptom's face is none itself, and has it among its own.
static bool has_flat_faces(const ReportGroups *groups) {
  for (uint32_t i = 0; i < groups->count; i++) {
    const ReportGroup *group = &groups->items[i], *face = group->face;
    bool is_listed = !face;
    for (uint32_t k = 0; face && k < face->symptoms.count; k++)
      is_listed |= face->symptoms.items[k] == group;
    if (!is_listed || (face && (face->face || face == group || group->symptoms.count))) return false;
  }
  return true;
}

const Report *report_prepare(const ReportInput *input, const ReportOptions *options, Arena *arena) {
  ASSERT(input && options && arena);
  Report *report = arena_new(arena, Report);
  report->input = input;
  report->options = options;
  report->groups = report_group(input, options, arena);
  suppress_groups(input, options, &report->groups, &report->stales, arena);
  baseline_compare(input, options, &report->groups, &report->stales, arena);
  report_mistakes(&report->groups, arena);
  ASSERT(has_flat_faces(&report->groups));
  report->kernels = report_kernels(input, arena);
  report->undecided = report_undecided(input, &report->kernels, arena);
  count_kernels(&report->totals, &report->kernels);
  for (uint32_t i = 0; i < report->groups.count; i++)
    count_group(&report->totals, &report->groups.items[i]);
  ASSERT(report_is_prepared(report));
  return report;
}

ReportTotals report_totals(const Report *report) {
  ASSERT(report_is_prepared(report));
  return report->totals;
}

FindingList report_findings(const Report *report, Arena *arena) {
  ASSERT(report_is_prepared(report));
  const Finding **items = arena_array(arena, report->groups.count + 1, const Finding *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->groups.count; i++)
    if (group_is_shown(&report->groups.items[i])) items[count++] = &report->groups.items[i].finding;
  return (FindingList){.count = count, .items = items};
}
