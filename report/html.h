// What the files of the HTML report share.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_HTML_H
#define HGRD_REPORT_HTML_H

#include "report/internal.h"

typedef struct HtmlWriter {
  const Report *report;
  Arena *arena; // given back after each finding
  StrBuf *out;
} HtmlWriter;

void html_text(const HtmlWriter *w, const char *text); // escaped; the rest is written with strbuf_add

// html_style.c: the style sheet, without the element around it.
const char *html_style(void);
// html_code.c: the source around both accesses, with what they are about marked.
void html_put_code(const HtmlWriter *w, const ReportGroup *group);
// html_picture.c: the witness as a picture; nothing if there is none.
void html_put_picture(const HtmlWriter *w, const ReportGroup *group, uint32_t number);
// html_time.c: between which barriers both accesses stand; nothing if that is not known.
void html_put_time(const HtmlWriter *w, const ReportGroup *group, uint32_t number);
// html_markdown.c: the few forms of Markdown that our own pages use; `level` is that of the first heading.
void html_put_markdown(const HtmlWriter *w, const char *text, uint32_t level);

// ---- html_index.c
void html_put_index(const HtmlWriter *w);                             // findings by kernel and by cause
void html_put_filters(const HtmlWriter *w);                           // boxes that hide kinds of findings
uint32_t html_first_finding(const HtmlWriter *w, const char *kernel); // its number; 0: it has none
bool html_is_folded(const HtmlWriter *w, const ReportGroup *group);

#endif
