// Where does a reader of many findings begin? Behind the list of files, findings are listed by kernel and by
// cause, each as its number; and three boxes hide what is only possible, what is a note, and what is another
// symptom of a mistake. There are no scripts: the boxes stand before the findings and style sheets do the
// rest.
//
// Soundness: what is hidden is counted in the head all the same, and nothing is hidden at first.
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"
#include "core/bug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Listed {
  const char *key;
  uint32_t number; // of the finding
} Listed;

static int compare_listed(const void *left, const void *right) {
  const Listed *a = left, *b = right;
  int order = strcmp(a->key, b->key);
  return order ? order : (a->number > b->number) - (a->number < b->number);
}

static const char *kernel_of(const ReportGroup *group) {
  return group->finding.kernel ? group->finding.kernel : "";
}

static const char *cause_of(const ReportGroup *group) {
  const char *cause = group->finding.cause;
  return cause && cause[0] ? cause : finding_rule_info(group->finding.rule)->name;
}

static uint32_t list(const HtmlWriter *w, const char *(*key)(const ReportGroup *group), Listed *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->report->groups.count; i++)
    if (group_is_shown(&w->report->groups.items[i])) {
      out[count] = (Listed){key(&w->report->groups.items[i]), count + 1};
      count++;
    }
  if (count) qsort(out, count, sizeof *out, compare_listed);
  return count;
}

static void put_list(const HtmlWriter *w, const char *title, const char *(*key)(const ReportGroup *group)) {
  Listed *listed = arena_array(w->arena, w->report->groups.count + 1u, Listed);
  uint32_t count = list(w, key, listed);
  strbuf_printf(w->out, "<details><summary>Findings by %s</summary><ul class=\"index\">\n", title);
  for (uint32_t i = 0; i < count; i++) {
    bool is_first = i == 0 || strcmp(listed[i - 1].key, listed[i].key) != 0;
    if (is_first) {
      strbuf_add(w->out, i ? "</li>\n<li><code>" : "<li><code>");
      html_text(w, listed[i].key);
      strbuf_add(w->out, "</code>:");
    }
    strbuf_printf(w->out, " <a href=\"#finding-%" PRIu32 "\">%" PRIu32 "</a>", listed[i].number,
                  listed[i].number);
  }
  strbuf_add(w->out, "</li>\n</ul></details>\n");
}

uint32_t html_first_finding(const HtmlWriter *w, const char *kernel) {
  ASSERT(w && w->report);
  ASSERT(kernel);
  uint32_t number = 0;
  for (uint32_t i = 0; i < w->report->groups.count; i++) {
    const ReportGroup *group = &w->report->groups.items[i];
    if (!group_is_shown(group)) continue;
    number++;
    if (strcmp(kernel_of(group), kernel ? kernel : "") == 0) return number;
  }
  return 0;
}

static uint32_t count_shown(const HtmlWriter *w) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->report->groups.count; i++)
    count += group_is_shown(&w->report->groups.items[i]);
  return count;
}

void html_put_index(const HtmlWriter *w) {
  ASSERT(w && w->report);
  if (count_shown(w) < 2) return;
  put_list(w, "kernel", kernel_of);
  put_list(w, "cause", cause_of);
}

void html_put_filters(const HtmlWriter *w) {
  static const char *const filters[][2] = {
      {"possible", "possible races"}, {"note", "notes"}, {"symptom", "further symptoms of a mistake"}};
  if (count_shown(w) < 2) return;
  strbuf_add(w->out, "<p>\n");
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    strbuf_printf(
        w->out,
        "<input type=\"checkbox\" class=\"filter\" id=\"hide-%s\"><label for=\"hide-%s\">hide %s</label>\n",
        filters[i][0], filters[i][0], filters[i][1]);
  strbuf_add(w->out, "</p>\n");
}

// With many findings, those that are not the first of their mistake are folded.
bool html_is_folded(const HtmlWriter *w, const ReportGroup *group) {
  ASSERT(group);
  enum { MANY = 12 };
  return group->face != NULL && count_shown(w) > MANY;
}
