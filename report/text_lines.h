// The report for people, in three files: lines (text_lines.c), one finding (text_finding.c), and the whole (text.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_TEXT_LINES_H
#define HGRD_REPORT_TEXT_LINES_H

#include "report/internal.h"

typedef struct TextWriter {
  const Report *report; // NULL while messages are written
  const ReportOptions *options;
  Arena *arena;
  StrBuf *out;
  bool use_color;
  bool is_quoted; // one finding in another report, which has to be whole
} TextWriter;

// ---- text_lines.c: `text` has been escaped
void text_put_line(const TextWriter *w, const SrcLoc *loc, FindingLevel level, const char *text,
                   const char *tag); // tag: in brackets, or NULL
void text_put_note(const TextWriter *w, const SrcLoc *loc, const char *text);
void text_put_source(const TextWriter *w, const SrcLoc *loc); // with a caret; nothing if it cannot be read
bool is_continuation_byte(char c);                            // of a character of UTF-8, not its first

// ---- text_finding.c
void text_put_group(const TextWriter *w, const ReportGroup *group);
void text_put_symptoms(const TextWriter *w, const ReportGroup *group); // further findings of the same cause
void text_put_facts(const TextWriter *w, const SrcLoc *fallback, uint32_t count, const Fact *const *facts,
                    const char *verb);
void text_put_assumptions(const TextWriter *w, const SrcLoc *loc, unsigned assumptions);

#endif
