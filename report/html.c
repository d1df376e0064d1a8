// How does a person read the result in a browser, without tools and without a network? As one HTML page.
//
// Findings stand file by file, each with its code, a picture of its witness and what it leans on; then what
// is undecided, all kernels, what is suppressed, messages, and the pages of the rules that occur. There are
// no scripts and nothing is loaded: the page forbids both by its content security policy.
//
// Soundness: everything from source code is escaped (markup.c); the page says what the text report says.
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

static void put(const HtmlWriter *w, const char *markup) {
  strbuf_add(w->out, markup);
}

void html_text(const HtmlWriter *w, const char *text) {
  ASSERT(w && w->out);
  ASSERT(text);
  markup_text(w->out, text ? text : "", w->arena);
}

static void put_count(const HtmlWriter *w, uint32_t count, const char *one, const char *many) {
  strbuf_printf(w->out, "%" PRIu32 " %s", count, count == 1 ? one : many);
}

static void put_place(const HtmlWriter *w, const SrcLoc *loc) {
  put(w, "<span class=\"place\">");
  html_text(w, loc_known(loc) ? loc_text(w->arena, loc) : "no place");
  put(w, "</span>");
}

// ---- a finding

static void put_term(const HtmlWriter *w, const char *term) {
  strbuf_printf(w->out, "<dt>%s</dt><dd>", term);
}

static void put_values(const HtmlWriter *w, const char *term, uint32_t count, const WitnessValue *values) {
  if (!count) return;
  put_term(w, term);
  for (uint32_t i = 0; i < count; i++) {
    put(w, i ? ", <code>" : "<code>");
    html_text(w, values[i].name);
    strbuf_printf(w->out, " = %" PRId64 "</code>", values[i].value);
  }
  put(w, "</dd>\n");
}

static void put_triple(const HtmlWriter *w, const char *term, const int64_t triple[3]) {
  put_term(w, term);
  strbuf_printf(w->out, "<code>%s</code></dd>\n", triple_text(w->arena, triple));
}

static void put_calls(const HtmlWriter *w, const char *term, const SrcLoc *loc) {
  if (!loc->inlined_at) return;
  put_term(w, term);
  for (; loc->inlined_at; loc = loc->inlined_at) {
    put(w, "<code>");
    html_text(w, loc->function && loc->function[0] ? loc->function : "?");
    put(w, "</code>, called at ");
    put_place(w, loc->inlined_at);
    put(w, loc->inlined_at->inlined_at ? "; " : "");
  }
  put(w, "</dd>\n");
}

static void put_launch(const HtmlWriter *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  if (!finding->launch || !finding->launch[0]) return;
  put_term(w, "launch");
  put(w, "<code>");
  html_text(w, finding->launch);
  put(w, "</code>");
  if (loc_known(&finding->launch_loc)) {
    put(w, " at ");
    put_place(w, &finding->launch_loc);
  }
  if (group->others.count) {
    put(w, ", and ");
    put_count(w, group->others.count, "more launch", "more launches");
  }
  put(w, "</dd>\n");
}

static void put_facts(const HtmlWriter *w, const Finding *finding) {
  if (!finding->facts.count) return;
  put_term(w, "respects");
  for (uint32_t i = 0; i < finding->facts.count; i++) {
    const Fact *fact = finding->facts.items[i];
    StrBuf printed = {.arena = w->arena};
    if (!(fact->text && fact->text[0]) && fact->condition && w->report->input->pool)
      expr_print(w->report->input->pool, fact->condition, true, &printed);
    put(w, i ? "<br><code>" : "<code>");
    html_text(w, fact->text && fact->text[0] ? fact->text : strbuf_text(&printed));
    strbuf_printf(w->out, "</code> (%s", fact_word(fact->class));
    if (loc_known(&fact->loc)) {
      put(w, ", ");
      put_place(w, &fact->loc);
    }
    put(w, ")");
  }
  put(w, "</dd>\n");
}

static void put_assumptions(const HtmlWriter *w, unsigned assumptions) {
  if (!assumptions) return;
  put_term(w, "assuming");
  bool is_first = true;
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *id;
    if (!(assumptions >> bit & 1)) continue;
    const char *words = assumption_words(bit, &id);
    strbuf_printf(w->out, "%s%s (%s)", is_first ? "" : "; ", words, id);
    is_first = false;
  }
  put(w, "</dd>\n");
}

static void put_details(const HtmlWriter *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const Witness *witness = &finding->witness;
  put(w, "<dl>\n");
  put_launch(w, group);
  if (has_witness(finding)) {
    put_triple(w, "grid", witness->grid_dim);
    put_triple(w, "block", witness->block_dim);
    put_values(w, "host values", witness->values.count, witness->values.items);
    put_values(w, "<span class=\"who a\">A</span> with", witness->iterations[0].count,
               witness->iterations[0].items);
    put_values(w, "<span class=\"who b\">B</span> with", witness->iterations[1].count,
               witness->iterations[1].items);
    put_values(w, finding->certainty != CERTAINTY_POSSIBLE ? "in memory" : "needs in memory",
               witness->memory.count, witness->memory.items);
    if (witness->address && witness->address[0]) {
      put_term(w, "both at");
      put(w, "<code>");
      html_text(w, witness->address);
      strbuf_printf(w->out, "</code>, byte %" PRId64 "</dd>\n", witness->offset);
    }
  }
  put_calls(w, "<span class=\"who a\">A</span> is in", &finding->accesses[0].loc);
  put_calls(w, "<span class=\"who b\">B</span> is in", &finding->accesses[1].loc);
  put_facts(w, finding);
  put_assumptions(w, finding->assumptions);
  put(w, "</dl>\n");
}

static void put_notes(const HtmlWriter *w, const Finding *finding) {
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    const FindingNote *note = &finding->notes.items[i];
    put(w, str_starts_with(note->text, "hint") ? "<p class=\"hint\">" : "<p>");
    html_text(w, note->text);
    if (loc_known(&note->loc)) {
      put(w, " ");
      put_place(w, &note->loc);
    }
    put(w, "</p>\n");
  }
  if (finding->count > 1)
    strbuf_printf(w->out, "<p>And %" PRIu32 " more like this.</p>\n", finding->count - 1);
}

// The change that mends this finding stands at another one.
static void put_fix_elsewhere(const HtmlWriter *w, const Fix *fix, const ReportGroup *shown_at) {
  uint32_t number = 1;
  for (const ReportGroup *group = w->report->groups.items; group < shown_at; group++)
    number += group_is_shown(group);
  put(w, fix->is_assumption ? "<p class=\"hint\">Proved if the host guarantees it: "
                            : "<p class=\"hint\">Proved fix: ");
  html_text(w, fix->title);
  strbuf_printf(w->out,
                ", the change shown at <a href=\"#finding-%" PRIu32 "\">finding %" PRIu32 "</a>.</p>\n",
                number, number);
}

static void put_fix(const HtmlWriter *w, const ReportGroup *group) {
  const ReportFix *found = fix_of(w->report, group);
  if (!found || !found->fix) return;
  const ReportGroup *shown_at = fix_told_at(w->report, group, (FixTelling){.with_symptoms = true});
  if (shown_at != group) {
    put_fix_elsewhere(w, found->fix, shown_at);
    return;
  }
  put(w, "<details class=\"fix\" open>\n<summary>");
  put(w, found->fix->is_assumption ? "Proved if the host guarantees it: " : "Proved fix: ");
  html_text(w, found->fix->title);
  put(w, "</summary>\n<pre class=\"plain\">");
  markup_lines(w->out, found->fix->diff, w->arena);
  put(w, "</pre>\n</details>\n");
}

static void put_tags(const HtmlWriter *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const FindingRuleInfo *rule = finding_rule_info(finding->rule);
  put(w, "<div class=\"facts\">");
  put_place(w, group_place(group));
  put(w, "<span>in kernel <code>");
  html_text(w, finding->kernel);
  strbuf_printf(w->out,
                "</code></span><a class=\"badge\" href=\"#rule-%s\">%s %s</a><span class=\"badge\">%s</span>",
                rule->name, rule->id, rule->name, certainty_word(finding->certainty));
  put(w, "</div>\n");
}

static void put_finding(const HtmlWriter *w, const ReportGroup *group, uint32_t number) {
  ASSERT(group->result && number >= 1);
  const Finding *finding = &group->finding;
  strbuf_printf(w->out,
                "<article class=\"card %s%s%s\" id=\"finding-%" PRIu32
                "\">\n<h3><a class=\"number\" href=\"#finding-%" PRIu32 "\">%" PRIu32
                "</a> <span class=\"word%s\">%s</span> ",
                level_word(finding->level), finding->certainty == CERTAINTY_POSSIBLE ? " possible" : "",
                group->face ? " symptom" : "", number, number, number,
                finding->level > LEVEL_NOTE ? " racy" : "", level_word(finding->level));
  html_text(w, message_text(w->arena, finding));
  put(w, "</h3>\n");
  put_tags(w, group);
  bool is_folded = html_is_folded(w, group);
  if (is_folded) put(w, "<details><summary>code, picture and witness</summary>\n");
  html_put_code(w, group);
  html_put_picture(w, group, number);
  html_put_time(w, group, number);
  put_details(w, group);
  put_notes(w, finding);
  put_fix(w, group);
  put(w, is_folded ? "</details></article>\n" : "</article>\n");
}

// ---- findings, file by file

static const char *file_of(const ReportGroup *group) {
  const SrcLoc *loc = group_place(group);
  return loc_known(loc) ? loc->file : "no file";
}

// The next group that is shown, from `at` on.
static uint32_t next_shown(const Report *report, uint32_t at) {
  while (at < report->groups.count && !group_is_shown(&report->groups.items[at]))
    at++;
  return at;
}

static void put_findings(const HtmlWriter *w, ReportSink *sink) {
  const char *file = NULL;
  uint32_t number = 0, files = 0;
  for (uint32_t i = next_shown(w->report, 0); i < w->report->groups.count; i = next_shown(w->report, i + 1)) {
    const ReportGroup *group = &w->report->groups.items[i];
    ArenaMark mark = arena_mark(w->arena);
    if (!file || strcmp(file, file_of(group)) != 0) {
      strbuf_printf(w->out, "%s<section id=\"file-%" PRIu32 "\">\n<h2>", file ? "</section>\n" : "", ++files);
      file = file_of(group);
      html_text(w, file);
      put(w, "</h2>\n");
    }
    put_finding(w, group, ++number);
    arena_release(w->arena, mark);
    sink_offer(sink);
  }
  if (file) put(w, "</section>\n");
}

static void put_contents(const HtmlWriter *w) {
  const char *file = NULL;
  uint32_t files = 0, count = 0;
  put(w, "<nav aria-label=\"Contents\"><ul>\n");
  for (uint32_t i = next_shown(w->report, 0); i < w->report->groups.count;) {
    file = file_of(&w->report->groups.items[i]);
    for (count = 0; i < w->report->groups.count && strcmp(file, file_of(&w->report->groups.items[i])) == 0;
         count++)
      i = next_shown(w->report, i + 1);
    strbuf_printf(w->out, "<li><a href=\"#file-%" PRIu32 "\">", ++files);
    html_text(w, file);
    put(w, "</a>: ");
    put_count(w, count, "finding", "findings");
    put(w, "</li>\n");
  }
  if (w->report->undecided.count) put(w, "<li><a href=\"#undecided\">Undecided kernels</a></li>\n");
  put(w, "<li><a href=\"#kernels\">All kernels</a></li>\n</ul>\n");
  html_put_index(w);
  put(w, "</nav>\n");
}

// ---- the rest of the page

static void put_undecided(const HtmlWriter *w) {
  const UndecidedGroups *reasons = &w->report->undecided;
  if (!reasons->count) return;
  put(w, "<section id=\"undecided\">\n<h2>Undecided kernels</h2>\n<p>Neither a proof nor a race was found. "
         "This is no "
         "pass: something below was not understood, or a proof was not found.</p>\n");
  for (uint32_t i = 0; i < reasons->count; i++) {
    const UndecidedGroup *reason = &reasons->items[i];
    if (i == 0 || reasons->items[i - 1].kernel != reason->kernel) {
      put(w, i ? "</ul></article>\n<article class=\"card\"><h3>" : "<article class=\"card\"><h3>");
      html_text(w, reason->result->kernel);
      put(w, "</h3>\n<ul class=\"notes\">\n");
    }
    put(w, "<li>");
    put_place(w, &reason->loc);
    put(w, ": ");
    html_text(w, reason->text);
    if (reason->count > 1) strbuf_printf(w->out, " (for %" PRIu32 " launches)", reason->count);
    put(w, "</li>\n");
  }
  put(w, "</ul></article>\n</section>\n");
}

static void put_kernel(const HtmlWriter *w, const KernelSummary *kernel) {
  static const char *const classes[] = {
      [VERDICT_UNKNOWN] = "open", [VERDICT_SAFE] = "safe", [VERDICT_RACE] = "racy", [VERDICT_DEAD] = ""};
  uint32_t finding = html_first_finding(w, kernel->first->kernel);
  put(w, "<tr><td><code>");
  if (finding) strbuf_printf(w->out, "<a href=\"#finding-%" PRIu32 "\">", finding);
  html_text(w, kernel->first->kernel);
  put(w, finding ? "</a></code></td><td>" : "</code></td><td>");
  put_place(w, &kernel->first->loc);
  strbuf_printf(w->out,
                "</td><td class=\"word %s\">%s</td><td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu32
                "</td><td class=\"n\">%" PRIu32 "</td></tr>\n",
                classes[kernel->verdict], verdict_name(kernel->verdict), kernel->results.count, kernel->pairs,
                kernel->proved);
}

// Race-free is said under assumptions, so they stand on the page.
static void put_leaning(const HtmlWriter *w) {
  unsigned used = 0;
  for (uint32_t i = 0; i < w->report->kernels.count; i++)
    used |= w->report->kernels.items[i].assumptions;
  if (!used) return;
  put(w, "<p>These verdicts lean on:</p>\n<ul class=\"notes\">\n");
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *id;
    if (!(used >> bit & 1)) continue;
    const char *words = assumption_words(bit, &id);
    strbuf_printf(w->out, "<li>%s (%s)</li>\n", words, id);
  }
  put(w, "</ul>\n");
}

static void put_remark(const HtmlWriter *w, const KernelResult *result, const char *text,
                       const char *detail) {
  put(w, "<li><code>");
  html_text(w, result->kernel);
  strbuf_printf(w->out, "</code> %s ", text);
  put(w, "<code>");
  html_text(w, detail);
  put(w, "</code></li>\n");
}

// Of a kernel that is race-free only if what was left out of the input does not matter.
static void put_provisional(const HtmlWriter *w, const KernelSummary *kernel) {
  if (!kernel_leans_on_gaps(kernel)) return;
  put(w, "<li><strong>");
  html_text(w, provisional_text(w->report, kernel, w->arena));
  put(w, "</strong></li>\n");
}

static void put_result_remarks(const HtmlWriter *w, const KernelResult *result, bool is_first) {
  const LaunchContext *launch = result->launch;
  const char *how = launch && launch->description ? launch->description : "this launch";
  if (is_first && launch && launch->is_any) put_remark(w, result, "has no visible launch: checked as", how);
  if (result->verdict == VERDICT_DEAD)
    put_remark(w, result, "is never launched, the conditions on the way contradict each other:", how);
  if (result->overflow)
    put_remark(w, result, "has arithmetic that was not shown to stay in its width (A1):", result->overflow);
  for (uint32_t i = 0; i < result->remarks.count; i++)
    put_remark(w, result, "is worth a remark:", result->remarks.items[i].text);
}

// What a reader must know of single kernels besides their verdicts.
static void put_remarks(const HtmlWriter *w) {
  StrBuf remarks = {.arena = w->arena};
  HtmlWriter inner = *w;
  inner.out = &remarks;
  for (uint32_t i = 0; i < w->report->kernels.count; i++) {
    const KernelSummary *kernel = &w->report->kernels.items[i];
    put_provisional(&inner, kernel);
    for (uint32_t r = 0; r < kernel->results.count; r++)
      put_result_remarks(&inner, kernel->results.items[r], r == 0);
  }
  if (remarks.length == 0) return; // an empty list would be none
  put(w, "<ul class=\"notes\">\n");
  put(w, strbuf_text(&remarks));
  put(w, "</ul>\n");
}

static void put_kernels(const HtmlWriter *w, ReportSink *sink) {
  put(w, "<section id=\"kernels\">\n<h2>All kernels</h2>\n");
  if (w->report->kernels.count == 0) put(w, "<p>No kernel was checked.</p>\n");
  if (w->report->kernels.count > 0) {
    put(w, "<table><thead><tr><th>kernel</th><th>place</th><th>verdict</th><th class=\"n\">launches</th><th "
           "class=\"n\">pairs</th><th class=\"n\">proved apart</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < w->report->kernels.count; i++) {
      ArenaMark mark = arena_mark(w->arena);
      put_kernel(w, &w->report->kernels.items[i]);
      arena_release(w->arena, mark);
      sink_offer(sink);
    }
    put(w, "</tbody></table>\n");
    put_remarks(w);
    put_leaning(w);
  }
  put(w, "</section>\n");
}

static void put_suppressed(const HtmlWriter *w) {
  const ReportTotals *totals = &w->report->totals;
  if (totals->suppressed + totals->known == 0) return;
  put(w, "<section id=\"suppressed\">\n<h2>Suppressed and known</h2>\n<ul class=\"notes\">\n");
  for (uint32_t i = 0; i < w->report->groups.count; i++) {
    const ReportGroup *group = &w->report->groups.items[i];
    if (group_is_shown(group)) continue;
    put(w, "<li>");
    put_place(w, group_place(group));
    put(w, ": ");
    html_text(w, message_text(w->arena, &group->finding));
    put(w, " (");
    html_text(w, group->suppressed ? group->reason : "in the baseline");
    put(w, ")</li>\n");
  }
  put(w, "</ul>\n</section>\n");
}

static void put_message(const HtmlWriter *w, const Diag *diag) {
  strbuf_printf(w->out, "<li><span class=\"word%s\">%s</span> ", diag->severity == DIAG_ERROR ? " racy" : "",
                severity_word(diag->severity));
  if (loc_known(&diag->loc)) put_place(w, &diag->loc);
  put(w, " ");
  html_text(w, diag->message);
  if (diag->detail && diag->detail[0]) {
    put(w, "<pre class=\"plain\" tabindex=\"0\">");
    markup_lines(w->out, diag->detail, w->arena);
    put(w, "</pre>");
  }
  put(w, "</li>\n");
}

static void put_messages(const HtmlWriter *w) {
  const DiagSink *diags = w->report->input->diags;
  const ReportStales *stales = &w->report->stales;
  if (!(diags && diags->diags.count) && !stales->list.count) return;
  put(w, "<section id=\"messages\">\n<h2>Messages of the run</h2>\n<ul class=\"notes\">\n");
  for (uint32_t i = 0; diags && i < diags->diags.count; i++)
    put_message(w, &diags->diags.items[i]);
  for (uint32_t i = 0; i < stales->list.count; i++)
    put_message(w, &(Diag){.severity = DIAG_NOTE,
                           .loc = stales->list.items[i].loc,
                           .message = stales->list.items[i].text});
  put(w, "</ul>\n</section>\n");
}

static void put_rules(const HtmlWriter *w) {
  bool is_used[RULE_COUNT] = {false}, any = false;
  for (uint32_t i = 0; i < w->report->groups.count; i++)
    if (group_is_shown(&w->report->groups.items[i]))
      is_used[w->report->groups.items[i].finding.rule] = any = true;
  if (!any) return;
  put(w, "<section id=\"rules\">\n<h2>The rules</h2>\n");
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    if (!is_used[rule]) continue;
    strbuf_printf(w->out, "<details id=\"rule-%s\" open><summary>%s %s</summary>\n", info->name, info->id,
                  info->name);
    const char *page = report_explain((FindingRule)rule),
               *body = strchr(page, '\n'); // the summary is its title
    html_put_markdown(w, body ? body : page, 2);
    put(w, "</details>\n");
  }
  put(w, "</section>\n");
}

static void put_total(const HtmlWriter *w, const char *class, uint32_t count, const char *what) {
  strbuf_printf(w->out, "<li class=\"%s\"><b>%" PRIu32 "</b><span>%s</span></li>\n", class, count, what);
}

static void put_head(const HtmlWriter *w) {
  const ReportTotals *t = &w->report->totals;
  uint32_t shown = t->errors + t->warnings + t->notes;
  put(w,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>Data races: ");
  put_count(w, shown, "finding", "findings");
  put(w, " in ");
  put_count(w, t->kernels, "kernel", "kernels");
  put(w, "</title>\n<style>\n");
  put(w, html_style());
  put(w, "</style>\n</head>\n<body>\n");
}

static void put_header(const HtmlWriter *w) {
  const ReportTotals *t = &w->report->totals;
  uint32_t shown = t->errors + t->warnings + t->notes;
  put(w, "<header>\n<h1>Data races in CUDA kernels</h1>\n<p class=\"lead\">");
  put_count(w, shown, "finding", "findings");
  put(w, " in ");
  put_count(w, w->report->input->file_count, "file", "files");
  put(w, ", by hgrd-check ");
  html_text(w, w->report->options->version ? w->report->options->version : "0");
  if (w->report->input->is_interrupted)
    put(w, w->report->input->is_out_of_time
               ? ". <strong>Out of time (--timeout): this report is incomplete.</strong>"
               : ". <strong>Interrupted: this report is incomplete.</strong>");
  put(w, "</p>\n<ul class=\"totals\">\n");
  put_total(w, "", t->kernels, t->kernels == 1 ? "kernel" : "kernels");
  put_total(w, t->racy ? "racy" : "", t->racy, "racy");
  put_total(w, t->undecided ? "open" : "", t->undecided, "undecided");
  put_total(w, t->safe ? "safe" : "", t->safe, "race-free");
  if (t->provisional) put_total(w, "open", t->provisional, "only if what was left out does not matter");
  if (t->dead) put_total(w, "", t->dead, "never launched");
  if (t->suppressed) put_total(w, "", t->suppressed, "suppressed");
  if (t->known) put_total(w, "", t->known, "in the baseline");
  put(w, "</ul>\n");
  put_contents(w);
  html_put_filters(w);
  put(w, "</header>\n");
}

void report_html(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  Arena *scratch = arena_open();
  HtmlWriter w = {report, scratch, &sink->text};
  put_head(&w);
  put_header(&w);
  put(&w, "<main>\n");
  put_findings(&w, sink);
  put_undecided(&w);
  put_kernels(&w, sink);
  put_suppressed(&w);
  put_messages(&w);
  put_rules(&w);
  put(&w, "</main>\n<footer><p>A report of hgrd-check. What an answer means and what it leans on: hgrd-check "
          "--explain RULE, and docs/soundness.md.</p></footer>\n</body>\n</html>\n");
  arena_close(scratch);
}
