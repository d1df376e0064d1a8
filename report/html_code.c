// What does the code around a finding look like, with both accesses in it?
//
// Some lines around each access, in one piece when the two are near each other, in two otherwise. What an
// access is about (extent.c) is marked with its thread's letter; where both are the same text, with both.
//
// Soundness: no effect on verdicts; a source that cannot be read leaves the excerpt out.
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

enum { CONTEXT_LINES = 3, GAP_LINES = 8, LINE_BYTES = 400 };

typedef struct Spot {
  const SrcLoc *loc; // NULL: this thread has no place of its own
  Extent extent;
} Spot;

static const char *source_line(const HtmlWriter *w, const char *file, uint32_t line) {
  const ReportOptions *options = w->report->options;
  const char *text = options->read_line ? options->read_line(options->context, file, line) : NULL;
  return text ? arena_strndup(w->arena, text, strcspn(text, "\r\n")) : NULL;
}

static bool is_in(const Spot *spot, const char *file, uint32_t line) {
  return spot->loc && spot->loc->line == line && strcmp(spot->loc->file, file) == 0;
}

// One piece of a line between two borders of marks.
static void put_piece(const HtmlWriter *w, const char *line, uint32_t from, uint32_t to,
                      const bool marked[2]) {
  const char *text = arena_strndup(w->arena, line + from, to - from);
  bool is_marked = marked[0] || marked[1];
  if (is_marked)
    strbuf_printf(w->out, "<mark class=\"%s\">", marked[0] && marked[1] ? "a b" : marked[0] ? "a" : "b");
  markup_lines(w->out, text, w->arena);
  if (is_marked) strbuf_add(w->out, "</mark>");
}

static void put_letter(const HtmlWriter *w, int who) {
  strbuf_add(w->out, who == 0 ? "<span class=\"who a\" title=\"thread A\">A</span>"
                              : "<span class=\"who b\" title=\"thread B\">B</span>");
}

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high) {
  return value < low ? low : value > high ? high : value;
}

static void put_marked(const HtmlWriter *w, const char *line, const Spot spots[2], const bool here[2]) {
  uint32_t length = (uint32_t)strlen(line), first = 0, last = length;
  if (length > LINE_BYTES) { // generated code: a window around the first mark
    uint32_t column = here[0] ? spots[0].extent.start : here[1] ? spots[1].extent.start : 1;
    first = column > LINE_BYTES / 2 ? clamp(column - LINE_BYTES / 2, 0, length) : 0;
    while (first > 0 && ((unsigned char)line[first] & 0xc0) == 0x80)
      first--;
    last = clamp(first + LINE_BYTES, 0, length);
    while (last < length && ((unsigned char)line[last] & 0xc0) == 0x80)
      last++;
  }
  if (first > 0) strbuf_add(w->out, "\xe2\x80\xa6");
  for (uint32_t at = first; at < last;) {
    uint32_t next = last;
    bool marked[2] = {false, false};
    for (int k = 0; k < 2; k++) {
      if (!here[k]) continue;
      uint32_t start = clamp(spots[k].extent.start - 1, first, last),
               end = clamp(spots[k].extent.end - 1, first, last);
      if (at == start && start < end) put_letter(w, k);
      marked[k] = at >= start && at < end;
      if (at < start && start < next) next = start;
      if (at >= start && at < end && end < next) next = end;
    }
    put_piece(w, line, at, next, marked);
    at = next;
  }
  if (last < length) strbuf_add(w->out, "\xe2\x80\xa6");
}

static void put_row(const HtmlWriter *w, const char *file, uint32_t number, const Spot spots[2]) {
  ASSERT(number >= 1); // lines count from 1
  const char *line = source_line(w, file, number);
  if (!line) return;
  bool here[2] = {is_in(&spots[0], file, number), is_in(&spots[1], file, number)};
  strbuf_printf(w->out, "<span class=\"row%s\"><span class=\"no\">%" PRIu32 "</span>",
                here[0] || here[1] ? " hit" : "", number);
  put_marked(w, line, spots, here);
  strbuf_add(w->out, "\n</span>");
}

static void put_excerpt(const HtmlWriter *w, const char *file, uint32_t first, uint32_t last,
                        const Spot spots[2], bool is_named) {
  ASSERT(first >= 1);
  if (!source_line(w, file, last > CONTEXT_LINES ? last - CONTEXT_LINES : last)) return;
  if (is_named) {
    strbuf_add(w->out, "<div class=\"place\">");
    html_text(w, file);
    strbuf_add(w->out, "</div>\n");
  }
  strbuf_add(w->out, "<pre tabindex=\"0\">");
  for (uint32_t line = first; line <= last; line++)
    put_row(w, file, line, spots);
  strbuf_add(w->out, "</pre>\n");
}

static Spot make_spot(const HtmlWriter *w, const SrcLoc *loc) {
  Spot spot = {0};
  if (!loc_known(loc) || loc->line == 0) return spot;
  spot.loc = loc;
  spot.extent = extent_of(source_line(w, loc->file, loc->line), loc->column ? loc->column : 1);
  return spot;
}

static uint32_t before(uint32_t line) {
  return line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;
}

void html_put_code(const HtmlWriter *w, const ReportGroup *group) {
  ASSERT(group);
  const Finding *finding = &group->finding;
  Spot spots[2] = {make_spot(w, group_place(group)), make_spot(w, &finding->accesses[1].loc)};
  const SrcLoc *a = spots[0].loc, *b = spots[1].loc;
  if (!a && !b) return;
  bool is_one_file = a && b && strcmp(a->file, b->file) == 0;
  uint32_t low = is_one_file && b->line < a->line ? b->line : a ? a->line : b->line;
  uint32_t high = is_one_file && b->line > a->line ? b->line : a ? a->line : b->line;
  if (is_one_file && high - low <= GAP_LINES + 2 * CONTEXT_LINES) {
    put_excerpt(w, a->file, before(low), high + CONTEXT_LINES, spots, false);
    return;
  }
  if (a) put_excerpt(w, a->file, before(a->line), a->line + CONTEXT_LINES, spots, b != NULL);
  if (b) put_excerpt(w, b->file, before(b->line), b->line + CONTEXT_LINES, spots, true);
}
