// Which race-free kernels lean on an assumption that a reader has to know at once, and what was left out of
// the input?
//
// One line for each such assumption, with the kernels, however many there are.
//
// Soundness: a kernel that never launches (dead) leans on what was seen as one that is race-free does.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

enum { NAMES_SHOWN = 6 };

bool kernel_leans_on(const KernelSummary *kernel, unsigned bit) {
  ASSERT(bit < 32 && kernel->results.count > 0);
  bool is_settled = kernel->verdict == VERDICT_SAFE || kernel->verdict == VERDICT_DEAD;
  return is_settled && (kernel->assumptions >> bit & 1);
}

bool kernel_leans_on_gaps(const KernelSummary *kernel) {
  ASSERT(kernel->results.count > 0);
  for (unsigned bit = 0; bit < 32; bit++)
    if (assumption_telling(bit) == TELL_ALWAYS && kernel_leans_on(kernel, bit)) return true;
  return false;
}

const char *told_kernels(const Report *report, unsigned bit, Arena *arena) {
  ASSERT(bit < 32);
  StrBuf names = {.arena = arena};
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->kernels.count; i++) {
    const KernelResult *first = report->kernels.items[i].first;
    if (!kernel_leans_on(&report->kernels.items[i], bit)) continue;
    const char *name = escape_visible(arena, first->kernel ? first->kernel : first->mangled);
    if (count < NAMES_SHOWN) strbuf_printf(&names, "%s'%s'", count ? ", " : "", name);
    count++;
  }
  if (count > NAMES_SHOWN) strbuf_printf(&names, " and %" PRIu32 " more", count - NAMES_SHOWN);
  return count ? strbuf_text(&names) : NULL;
}

// A file that does not compile is left out as well.
static bool is_gap(const Diag *diag) {
  return diag->is_gap || diag->severity == DIAG_ERROR;
}

const Diag *report_gap(const Report *report, uint32_t *next) {
  ASSERT(*next <= report->input->diags->diags.count);
  const DiagSink *diags = report->input->diags;
  for (; diags && *next < diags->diags.count; ++*next)
    if (is_gap(&diags->diags.items[*next])) return &diags->diags.items[(*next)++];
  return NULL;
}

// "k.cu:1: 'config.h' is not found ... (and 2 more)"
static const char *gaps_text(const Report *report, Arena *arena) {
  uint32_t next = 0, more = 0;
  const Diag *first = report_gap(report, &next);
  while (report_gap(report, &next))
    more++;
  StrBuf text = {.arena = arena};
  if (!first) return "";
  strbuf_printf(&text, "%s%s%s", loc_text(arena, &first->loc), loc_known(&first->loc) ? ": " : "",
                escape_visible(arena, first->message));
  if (more) strbuf_printf(&text, " (and %" PRIu32 " more)", more);
  return strbuf_text(&text);
}

const char *provisional_text(const Report *report, const KernelSummary *kernel, Arena *arena) {
  ASSERT(report && kernel && arena);
  const char *name = kernel->first->kernel ? kernel->first->kernel : kernel->first->mangled;
  return arena_printf(arena, "kernel '%s' is %s only if what was left out of the input does not matter: %s",
                      escape_visible(arena, name),
                      kernel->verdict == VERDICT_DEAD ? "never launched" : "race-free",
                      gaps_text(report, arena));
}

const ReportFix *fix_of(const Report *report, const ReportGroup *group) {
  ASSERT(group);
  for (uint32_t i = 0; i < report->input->fix_count; i++)
    if (report->input->fixes[i].finding == &group->finding) return &report->input->fixes[i];
  return NULL;
}

// `certain_first`: what is only possible comes behind all that is definite.
static bool comes_before(const ReportGroup *a, const ReportGroup *b, bool certain_first) {
  if (certain_first && a->finding.certainty != b->finding.certainty)
    return a->finding.certainty == CERTAINTY_DEFINITE || b->finding.certainty == CERTAINTY_POSSIBLE;
  return a < b; // they lie in one array, in the order of the report
}

const ReportGroup *fix_told_at(const Report *report, const ReportGroup *group, FixTelling telling) {
  ASSERT(group);
  const ReportFix *fix = fix_of(report, group);
  const ReportGroup *first = group;
  for (uint32_t i = 0; i < report->input->fix_count && fix && fix->fix; i++) {
    const ReportFix *known = &report->input->fixes[i];
    if (!known->fix || strcmp(known->fix->diff, fix->fix->diff) != 0) continue;
    for (uint32_t g = 0; g < report->groups.count; g++) {
      const ReportGroup *other = &report->groups.items[g];
      bool is_shown = group_is_shown(other) && (telling.with_symptoms || !other->face);
      bool is_it = &other->finding == known->finding && is_shown;
      if (is_it && comes_before(other, first, telling.certain_first)) first = other;
    }
  }
  return first;
}
