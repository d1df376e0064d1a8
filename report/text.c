// How does a person read the result? In the form of compiler warnings, so that editors jump to it.
//
// Every message stands on one line `file:line:col: level: text`, which is what Vim, Emacs and VS Code's $gcc
// matcher look for (text_lines.c); the first line of a report is complete without the rest (text_finding.c).
// Findings come first, what is certain before what is possible; then kernels and a summary. Undecided kernels are
// notes: they must not look like races.
//
// Soundness: says nothing about verdicts that is not in the results.
// SPDX-License-Identifier: Apache-2.0
#include "report/text_lines.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

// ---- kernels

static const char *kernel_text(const TextWriter *w, const KernelResult *result) {
  return escape_visible(w->arena, result->kernel ? result->kernel : result->mangled);
}

// The same of another instance of one template, which stands at the same place.
static bool is_of_instance(const UndecidedGroup *a, const UndecidedGroup *b) {
  return a->kernel != b->kernel && loc_known(&a->result->loc) && loc_compare(&a->loc, &b->loc) == 0 &&
         loc_compare(&a->result->loc, &b->result->loc) == 0 && strcmp(a->text, b->text) == 0;
}

// Kernels are sorted by place.
static bool is_at_place(const UndecidedGroup *a, const UndecidedGroup *b) {
  return loc_compare(&a->result->loc, &b->result->loc) == 0;
}

static bool is_told_before(const UndecidedGroups *reasons, uint32_t index) {
  ASSERT(index < reasons->count);
  const UndecidedGroup *items = reasons->items;
  for (uint32_t i = index; i > 0 && is_at_place(&items[i - 1], &items[index]); i--)
    if (is_of_instance(&items[i - 1], &items[index])) return true;
  return false;
}

static uint32_t more_instances(const UndecidedGroups *reasons, uint32_t index) {
  ASSERT(index < reasons->count);
  const UndecidedGroup *items = reasons->items;
  uint32_t count = 0;
  for (uint32_t i = index + 1; i < reasons->count && is_at_place(&items[i], &items[index]); i++)
    count += is_of_instance(&items[i], &items[index]);
  return count;
}

static void put_reason(const TextWriter *w, const UndecidedGroup *reason, uint32_t instances) {
  const char *format = reason->result->verdict == VERDICT_RACE ? "kernel '%s' is undecided besides: %s"
                                                               : "kernel '%s' is undecided: %s";
  StrBuf text = {.arena = w->arena};
  strbuf_add(&text, arena_printf(w->arena, format, kernel_text(w, reason->result),
                                 escape_visible(w->arena, reason->text)));
  if (reason->count > 1) strbuf_printf(&text, " (for %" PRIu32 " launches)", reason->count);
  if (instances) strbuf_printf(&text, " (and %" PRIu32 " more of this template; -v lists them)", instances);
  text_put_line(w, &reason->loc, LEVEL_NOTE, strbuf_text(&text), "undecided");
}

enum { REASONS_SHOWN = 4 }; // for one kernel; -v shows all

static void put_more_reasons(const TextWriter *w, const KernelResult *result, uint32_t count) {
  text_put_line(w, &result->loc, LEVEL_NOTE,
                arena_printf(w->arena,
                             "kernel '%s' is undecided for %" PRIu32 " more reason%s; -v lists them",
                             kernel_text(w, result), count, count == 1 ? "" : "s"),
                "undecided");
}

static bool is_left_out(const TextWriter *w, uint32_t reason) {
  return !w->options->is_verbose && is_told_before(&w->report->undecided, reason);
}

// `first` is the first reason of a kernel; returns the first of the next kernel.
static uint32_t put_kernel_reasons(const TextWriter *w, const UndecidedGroups *reasons, uint32_t first) {
  ASSERT(first < reasons->count);
  uint32_t end = first + 1, count = 0;
  while (end < reasons->count && reasons->items[end].kernel == reasons->items[first].kernel)
    end++;
  for (uint32_t i = first; i < end; i++)
    count += !is_left_out(w, i);
  uint32_t shown = w->options->is_verbose || count <= REASONS_SHOWN + 1 ? count : REASONS_SHOWN, put = 0;
  for (uint32_t i = first; i < end && put < shown; i++) {
    if (is_left_out(w, i)) continue;
    put_reason(w, &reasons->items[i], w->options->is_verbose ? 0 : more_instances(reasons, i));
    put++;
  }
  if (shown < count) put_more_reasons(w, reasons->items[first].result, count - shown);
  return end;
}

static void put_undecided(const TextWriter *w) {
  const UndecidedGroups *reasons = &w->report->undecided;
  for (uint32_t i = 0; i < reasons->count;)
    i = put_kernel_reasons(w, reasons, i);
}

static const SrcLoc *launch_place(const KernelResult *result) {
  return result->launch && loc_known(&result->launch->loc) ? &result->launch->loc : &result->loc;
}

static bool is_dead_at(const KernelResult *result, const SrcLoc *place) {
  return result->verdict == VERDICT_DEAD && loc_compare(launch_place(result), place) == 0;
}

// Once for each place where it is launched, however many ways lead there; only in full if one of them is real.
static void put_dead(const TextWriter *w, const KernelSummary *kernel, uint32_t index) {
  ASSERT(index < kernel->results.count);
  const KernelResult *result = kernel->results.items[index];
  const SrcLoc *place = launch_place(result);
  uint32_t ways = 0;
  for (uint32_t r = 0; r < kernel->results.count; r++) {
    const KernelResult *other = kernel->results.items[r];
    bool is_dead = is_dead_at(other, place);
    bool is_real = other->verdict != VERDICT_DEAD && loc_compare(launch_place(other), place) == 0;
    if ((is_dead && r < index) || (is_real && !w->options->is_verbose)) return;
    ways += is_dead;
  }
  StrBuf text = {.arena = w->arena};
  strbuf_printf(&text,
                "kernel '%s' is never launched from here: the conditions on the way contradict each other",
                kernel_text(w, result));
  if (ways > 1) strbuf_printf(&text, " (for %" PRIu32 " launches)", ways);
  text_put_line(w, place, LEVEL_NOTE, strbuf_text(&text), "dead");
}

static void put_dead_accesses(const TextWriter *w, const KernelResult *result) {
  for (uint32_t i = 0; i < result->dead_accesses.count; i++)
    text_put_line(w, &result->dead_accesses.items[i], LEVEL_NOTE,
                  arena_printf(w->arena, "no thread of kernel '%s' makes this access under %s",
                               kernel_text(w, result),
                               result->launch && result->launch->description
                                   ? escape_visible(w->arena, result->launch->description)
                                   : "this launch"),
                  "dead");
}

static void put_remarks(const TextWriter *w, const KernelResult *result) {
  for (uint32_t i = 0; i < result->remarks.count; i++)
    text_put_note(w, &result->remarks.items[i].loc, escape_visible(w->arena, result->remarks.items[i].text));
}

static void put_proof(const TextWriter *w, const KernelResult *result) {
  StrBuf text = {.arena = w->arena};
  strbuf_printf(&text, "kernel '%s' is race-free", kernel_text(w, result));
  if (result->launch && result->launch->description)
    strbuf_printf(&text, " under %s", escape_visible(w->arena, result->launch->description));
  strbuf_printf(&text, " (%" PRIu32 " pair%s)", result->pairs, result->pairs == 1 ? "" : "s");
  text_put_note(w, &result->loc, strbuf_text(&text));
  text_put_facts(w, &result->loc, result->proof_facts.count, result->proof_facts.items, "the proof needs");
  text_put_assumptions(w, &result->loc, result->assumptions);
}

enum { PAIRS_SHOWN = 8 };

// Which rule orders which accesses, in all launches of the kernel.
static void put_ordered(const TextWriter *w, const KernelSummary *kernel) {
  for (uint32_t g = 0; g < kernel->ordered.count; g++) {
    const OrderedGroup *group = &kernel->ordered.items[g];
    const SrcLoc *at = &kernel->first->loc;
    const char *release = report_line_in(at, &group->release, w->arena),
               *acquire = report_line_in(at, &group->acquire, w->arena);
    StrBuf text = {.arena = w->arena};
    strbuf_printf(&text, "kernel '%s': ordered by %s", kernel_text(w, kernel->first),
                  order_rule_name(group->rule));
    if (release[0] && strcmp(release, acquire) != 0) strbuf_printf(&text, ", released at line %s", release);
    if (acquire[0])
      strbuf_printf(&text,
                    release[0] && strcmp(release, acquire) == 0 ? " at line %s" : ", acquired at line %s",
                    acquire);
    for (uint32_t i = 0; i < group->pairs.count && i < PAIRS_SHOWN; i++)
      strbuf_printf(&text, "%s%s with %s", i ? ", " : ": lines ",
                    report_line_in(at, &group->pairs.items[i].places[0], w->arena),
                    report_line_in(at, &group->pairs.items[i].places[1], w->arena));
    if (group->pairs.count > PAIRS_SHOWN)
      strbuf_printf(&text, " and %" PRIu32 " more", group->pairs.count - PAIRS_SHOWN);
    text_put_note(w, at, escape_visible(w->arena, strbuf_text(&text)));
  }
}

static void put_kernels(const TextWriter *w) {
  const KernelSummaries *kernels = &w->report->kernels;
  for (uint32_t i = 0; i < kernels->count; i++) {
    const KernelSummary *kernel = &kernels->items[i];
    for (uint32_t r = 0; r < kernel->results.count; r++) {
      const KernelResult *result = kernel->results.items[r];
      if (result->verdict == VERDICT_DEAD) put_dead(w, kernel, r);
      if (result->overflow)
        text_put_note(w, &result->loc,
                      arena_printf(w->arena, "kernel '%s': not shown to stay in its width [A1]: %s",
                                   kernel_text(w, result), escape_visible(w->arena, result->overflow)));
      if (w->options->is_verbose) put_dead_accesses(w, result);
      if (w->options->is_verbose) put_remarks(w, result);
      if (result->verdict == VERDICT_SAFE && w->options->is_verbose) put_proof(w, result);
    }
    if (w->options->is_verbose) put_ordered(w, kernel);
  }
}

// The assumptions that go with the word race-free wherever it is read.
static void put_told(const TextWriter *w) {
  AssumptionTelling from = w->options->is_quiet ? TELL_ALWAYS : TELL_BESIDE;
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *id, *words = assumption_words(bit, &id);
    const char *kernels = assumption_telling(bit) >= from ? told_kernels(w->report, bit, w->arena) : NULL;
    if (kernels)
      text_put_note(w, &(SrcLoc){0},
                    arena_printf(w->arena, "race-free only if %s [%s]: %s", words, id, kernels));
  }
}

// A reader must know that no host code was taken into account for these verdicts.
static void put_any_launch(const TextWriter *w) {
  const KernelSummaries *kernels = &w->report->kernels;
  for (uint32_t i = 0; i < kernels->count; i++) {
    const KernelResult *result = kernels->items[i].first;
    if (result->launch && result->launch->is_any)
      text_put_note(
          w, &result->loc,
          arena_printf(w->arena, "no launch of kernel '%s' is visible: checked as %s", kernel_text(w, result),
                       result->launch->description ? escape_visible(w->arena, result->launch->description)
                                                   : "launched with any arguments"));
  }
}

// ---- summary

static void put_stale(const TextWriter *w) {
  for (uint32_t i = 0; i < w->report->stales.list.count; i++) {
    const ReportStale *stale = &w->report->stales.list.items[i];
    text_put_line(w, &stale->loc, LEVEL_NOTE, escape_visible(w->arena, stale->text), stale->kind);
  }
}

static void put_stats(const TextWriter *w) {
  const ReportStats *stats = &w->report->input->stats;
  if (stats->has_times)
    strbuf_printf(w->out,
                  "front end %.3f s, analysis %.3f s, peak memory %.1f MiB, %" PRIu64 " resource units\n",
                  stats->frontend_seconds, stats->analysis_seconds, (double)stats->peak_bytes / (1 << 20),
                  w->report->totals.resource_units);
}

static void put_summary(const TextWriter *w) {
  const ReportTotals *t = &w->report->totals;
  const ReportStats *stats = &w->report->input->stats;
  strbuf_printf(w->out, "%" PRIu32 " kernel%s: %" PRIu32 " race-free", t->kernels, t->kernels == 1 ? "" : "s",
                t->safe);
  if (t->provisional)
    strbuf_printf(w->out, " (%" PRIu32 " if what was left out does not matter)", t->provisional);
  strbuf_printf(w->out, ", %" PRIu32 " racy, %" PRIu32 " undecided", t->racy, t->undecided);
  if (t->dead) strbuf_printf(w->out, ", %" PRIu32 " dead", t->dead);
  strbuf_printf(w->out, " (%" PRIu32 " pair%s, %" PRIu32 " quer%s)", t->pairs, t->pairs == 1 ? "" : "s",
                t->queries, t->queries == 1 ? "y" : "ies");
  if (stats->shows_seconds || stats->has_times)
    strbuf_printf(w->out, " in %.1f s", stats->frontend_seconds + stats->analysis_seconds);
  strbuf_add(w->out, "\n");
  if (t->suppressed) strbuf_printf(w->out, "%" PRIu32 " suppressed\n", t->suppressed);
  if (t->known) strbuf_printf(w->out, "%" PRIu32 " known from the baseline\n", t->known);
}

void text_of_group(const Report *report, const ReportGroup *group, Arena *arena, StrBuf *out) {
  ASSERT(group);
  ASSERT(out);
  TextWriter w = {report, report->options, arena, out, false, true};
  text_put_group(&w, group);
}

static bool is_told(const TextWriter *w, const ReportGroup *group, Certainty certainty) {
  bool is_told_elsewhere = group->face && !w->options->is_verbose;
  return group_is_shown(group) && !is_told_elsewhere && group->finding.certainty == certainty;
}

// What is certain comes first. Findings are many, so each gives back what it took.
static void put_groups(const TextWriter *w, ReportSink *sink, Certainty certainty) {
  const ReportGroups *groups = &w->report->groups;
  for (uint32_t i = 0; i < groups->count; i++) {
    ArenaMark mark = arena_mark(w->arena);
    const ReportGroup *group = &groups->items[i];
    if (is_told(w, group, certainty)) {
      text_put_group(w, group);
      if (!w->options->is_verbose) text_put_symptoms(w, group);
    }
    arena_release(w->arena, mark);
    sink_offer(sink);
  }
}

void report_text(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  const ReportOptions *options = report->options;
  Arena *scratch = arena_open();
  TextWriter w = {report, options, scratch, &sink->text, options->use_color, false};
  put_groups(&w, sink, CERTAINTY_DEFINITE);
  put_groups(&w, sink, CERTAINTY_OBSERVED);
  put_groups(&w, sink, CERTAINTY_POSSIBLE);
  put_undecided(&w);
  if (!options->is_quiet) {
    put_kernels(&w);
    put_any_launch(&w);
    put_stale(&w);
  }
  put_told(&w);
  if (report->input->is_interrupted)
    text_put_note(&w, &(SrcLoc){0},
                  report->input->is_out_of_time ? "out of time (--timeout): this report is incomplete"
                                                : "interrupted: this report is incomplete");
  if (!options->is_quiet) put_summary(&w);
  put_stats(&w);
  arena_close(scratch);
}

void report_messages(const DiagSink *diags, const ReportOptions *options, Arena *arena, StrBuf *out) {
  ASSERT(out);
  static const FindingLevel levels[] = {
      [DIAG_NOTE] = LEVEL_NOTE, [DIAG_WARNING] = LEVEL_WARNING, [DIAG_ERROR] = LEVEL_ERROR};
  TextWriter w = {NULL, options, arena, out, options->use_color, false};
  for (uint32_t i = 0; i < diags->diags.count; i++) {
    const Diag *diag = &diags->diags.items[i];
    if (diag->severity == DIAG_NOTE && options->is_quiet) continue;
    text_put_line(&w, &diag->loc, levels[diag->severity], escape_visible(arena, diag->message), NULL);
    for (const char *line = diag->detail; line && *line;) {
      size_t length = strcspn(line, "\n");
      strbuf_printf(out, "  %s\n", escape_visible(arena, arena_strndup(arena, line, length)));
      line += length + (line[length] == '\n');
    }
  }
}
