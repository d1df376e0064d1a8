// How does a build server that only knows tests show the result? As JUnit XML: one suite for each file, one
// test case for each kernel.
//
// A kernel with a shown warning or error fails; one that is undecided is skipped, so that it counts as no
// pass, and so is one that is race-free only if what was left out of the input does not matter; the rest
// passes. A file that does not compile is a case with an error. What is suppressed or in the baseline does
// not fail a case, but is told in its output.
//
// Soundness: a case passes only if its kernel is race-free, dead (which is said), or every finding of it is
// a note, suppressed or known.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

typedef struct Case {
  VEC(uint32_t) groups;  // of findings, in the order of the report
  uint32_t first_reason; // index into the undecided groups
  uint32_t reason_count;
  uint32_t failures; // shown findings that are no notes
  bool is_provisional;
} Case;

typedef struct Writer {
  const Report *report;
  Arena *arena; // given back after each case
  StrBuf *out;
  Case *cases; // one for each kernel of the report
} Writer;

// ---- what belongs to which kernel

static bool shows(const KernelSummary *kernel, const KernelResult *result) {
  for (uint32_t i = 0; i < kernel->results.count; i++)
    if (kernel->results.items[i] == result) return true;
  return false;
}

// Kernels are sorted by place, so those at the place of a finding's kernel are found by bisection.
static uint32_t first_kernel_at(const KernelSummaries *kernels, const SrcLoc *loc) {
  uint32_t low = 0, high = kernels->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (loc_compare(&kernels->items[middle].first->loc, loc) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_group(Case *cases, const KernelSummaries *kernels, const ReportGroup *group, uint32_t index,
                      Arena *arena) {
  const SrcLoc *loc = &group->result->loc;
  for (uint32_t k = first_kernel_at(kernels, loc);
       k < kernels->count && loc_compare(&kernels->items[k].first->loc, loc) == 0; k++) {
    bool is_here = shows(&kernels->items[k], group->result);
    for (uint32_t o = 0; o < group->others.count && !is_here; o++)
      is_here = shows(&kernels->items[k], group->others.items[o]);
    if (!is_here) continue;
    vec_push(arena, &cases[k].groups, index);
    cases[k].failures += group_is_shown(group) && group->finding.level > LEVEL_NOTE;
  }
}

static Case *make_cases(const Report *report, Arena *arena) {
  Case *cases = arena_array(arena, report->kernels.count + 1, Case);
  for (uint32_t i = 0; i < report->groups.count; i++)
    add_group(cases, &report->kernels, &report->groups.items[i], i, arena);
  for (uint32_t i = 0; i < report->kernels.count; i++)
    cases[i].is_provisional = kernel_leans_on_gaps(&report->kernels.items[i]);
  for (uint32_t i = 0; i < report->undecided.count; i++) {
    Case *one = &cases[report->undecided.items[i].kernel];
    if (one->reason_count++ == 0) one->first_reason = i;
  }
  return cases;
}

// ---- one case

static void put_attribute(const Writer *w, const char *name, const char *value) {
  strbuf_printf(w->out, " %s=\"", name);
  markup_text(w->out, value, w->arena);
  strbuf_add(w->out, "\"");
}

static void put_body(const Writer *w, const char *text) {
  markup_lines(w->out, text, w->arena);
}

static void put_failure(const Writer *w, const Case *one) {
  StrBuf body = {.arena = w->arena};
  const Finding *first = NULL;
  for (uint32_t i = 0; i < one->groups.count; i++) {
    const ReportGroup *group = &w->report->groups.items[one->groups.items[i]];
    if (!group_is_shown(group) || group->finding.level <= LEVEL_NOTE) continue;
    first = first ? first : &group->finding;
    text_of_group(w->report, group, w->arena, &body);
  }
  strbuf_add(w->out, "      <failure");
  put_attribute(w, "message", message_text(w->arena, first));
  put_attribute(w, "type", finding_rule_info(first->rule)->name);
  strbuf_add(w->out, ">");
  put_body(w, strbuf_text(&body));
  strbuf_add(w->out, "</failure>\n");
}

static void put_skipped(const Writer *w, const Case *one) {
  const UndecidedGroup *reasons = w->report->undecided.items + one->first_reason;
  const char *more =
      one->reason_count > 1 ? arena_printf(w->arena, " (and %" PRIu32 " more)", one->reason_count - 1) : "";
  strbuf_add(w->out, "      <skipped");
  put_attribute(w, "message", arena_printf(w->arena, "undecided: %s%s", reasons[0].text, more));
  strbuf_add(w->out, "/>\n");
}

static void put_provisional(const Writer *w, const KernelSummary *kernel) {
  strbuf_add(w->out, "      <skipped");
  put_attribute(w, "message", provisional_text(w->report, kernel, w->arena));
  strbuf_add(w->out, "/>\n");
}

static void put_output(const Writer *w, const KernelSummary *kernel, const Case *one) {
  StrBuf text = {.arena = w->arena};
  for (uint32_t i = 0; i < one->reason_count; i++) {
    const UndecidedGroup *reason = &w->report->undecided.items[one->first_reason + i];
    strbuf_printf(&text, "undecided: %s%s%s\n", loc_text(w->arena, &reason->loc),
                  loc_known(&reason->loc) ? ": " : "", escape_visible(w->arena, reason->text));
  }
  for (uint32_t i = 0; i < one->groups.count; i++) {
    const ReportGroup *group = &w->report->groups.items[one->groups.items[i]];
    if (group_is_shown(group) && group->finding.level > LEVEL_NOTE) continue;
    strbuf_printf(&text, "%s: %s: %s\n",
                  group->suppressed ? "suppressed"
                  : group->is_known ? "in the baseline"
                                    : "note",
                  loc_text(w->arena, group_place(group)), message_text(w->arena, &group->finding));
  }
  if (kernel->verdict == VERDICT_DEAD)
    strbuf_add(&text, "never launched from here: the conditions on the way contradict each other\n");
  if (text.length == 0) return;
  strbuf_add(w->out, "      <system-out>");
  put_body(w, strbuf_text(&text));
  strbuf_add(w->out, "</system-out>\n");
}

static const char *kernel_file(const KernelSummary *kernel) {
  return loc_known(&kernel->first->loc) ? kernel->first->loc.file : "unknown file";
}

static void put_case(const Writer *w, uint32_t index) {
  const KernelSummary *kernel = &w->report->kernels.items[index];
  const Case *one = &w->cases[index];
  strbuf_add(w->out, "    <testcase");
  put_attribute(w, "name", kernel->first->kernel ? kernel->first->kernel : kernel->first->mangled);
  put_attribute(w, "classname", kernel_file(kernel));
  strbuf_add(w->out, " time=\"0\">\n");
  if (one->failures)
    put_failure(w, one);
  else if (one->reason_count)
    put_skipped(w, one);
  else if (one->is_provisional)
    put_provisional(w, kernel);
  put_output(w, kernel, one);
  strbuf_add(w->out, "    </testcase>\n");
}

// ---- suites

typedef struct Counts {
  uint32_t tests, failures, errors, skipped;
} Counts;

static void put_counts(const Writer *w, const Counts *counts) {
  strbuf_printf(w->out,
                " tests=\"%" PRIu32 "\" failures=\"%" PRIu32 "\" errors=\"%" PRIu32 "\" skipped=\"%" PRIu32
                "\" time=\"0\">\n",
                counts->tests, counts->failures, counts->errors, counts->skipped);
}

static void count_case(Counts *counts, const Case *one) {
  counts->tests++;
  counts->failures += one->failures > 0;
  counts->skipped += one->failures == 0 && (one->reason_count > 0 || one->is_provisional);
}

// Kernels of one file stand together. Returns the first of the next file.
static uint32_t put_suite(const Writer *w, uint32_t first, ReportSink *sink) {
  const KernelSummaries *kernels = &w->report->kernels;
  const char *file = kernel_file(&kernels->items[first]);
  Counts counts = {0};
  uint32_t end = first;
  for (; end < kernels->count && strcmp(kernel_file(&kernels->items[end]), file) == 0; end++)
    count_case(&counts, &w->cases[end]);
  strbuf_add(w->out, "  <testsuite");
  put_attribute(w, "name", file);
  put_counts(w, &counts);
  for (uint32_t i = first; i < end; i++) {
    ArenaMark mark = arena_mark(w->arena);
    put_case(w, i);
    arena_release(w->arena, mark);
    sink_offer(sink);
  }
  strbuf_add(w->out, "  </testsuite>\n");
  return end;
}

static bool is_about(const Diag *diag, const ReportFile *file) {
  return diag->severity == DIAG_ERROR && (!loc_known(&diag->loc) || strcmp(diag->loc.file, file->path) == 0 ||
                                          strstr(diag->message, file->path));
}

static void put_broken_file(const Writer *w, const ReportFile *file) {
  const DiagSink *diags = w->report->input->diags;
  const Diag *why = NULL;
  for (uint32_t i = 0; diags && i < diags->diags.count && !why; i++)
    if (is_about(&diags->diags.items[i], file)) why = &diags->diags.items[i];
  strbuf_add(w->out, "  <testsuite");
  put_attribute(w, "name", file->path);
  put_counts(w, &(Counts){.tests = 1, .errors = 1});
  strbuf_add(w->out, "    <testcase name=\"compile\"");
  put_attribute(w, "classname", file->path);
  strbuf_add(w->out, " time=\"0\">\n      <error");
  put_attribute(w, "message", why ? why->message : "this file was not checked");
  strbuf_add(w->out, " type=\"input\">");
  put_body(w, why && why->detail ? why->detail : "");
  strbuf_add(w->out, "</error>\n    </testcase>\n  </testsuite>\n");
}

static Counts count_all(const Report *report, const Case *cases) {
  Counts counts = {0};
  for (uint32_t i = 0; i < report->kernels.count; i++)
    count_case(&counts, &cases[i]);
  for (uint32_t i = 0; i < report->input->file_count; i++)
    counts.errors += !report->input->files[i].is_ok;
  counts.tests += counts.errors;
  return counts;
}

void report_junit(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  Arena *scratch = arena_open(), *kept = arena_open();
  Writer w = {report, scratch, &sink->text, make_cases(report, kept)};
  Counts all = count_all(report, w.cases);
  strbuf_add(&sink->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hgrd-check\"");
  put_counts(&w, &all);
  for (uint32_t i = 0; i < report->input->file_count; i++)
    if (!report->input->files[i].is_ok) put_broken_file(&w, &report->input->files[i]);
  for (uint32_t i = 0; i < report->kernels.count;)
    i = put_suite(&w, i, sink);
  strbuf_add(&sink->text, "</testsuites>\n");
  arena_close(scratch);
  arena_close(kept);
}
