// How does one line of the report for people look? `file:line:col: level: text`, and the source line below it
// behind a `12 | ` margin, with a caret, as in gcc, so that no text in it can look like a message.
//
// Soundness: no bearing on verdicts; all text from outside is escaped, and a source line is cut to what a screen holds.
// SPDX-License-Identifier: Apache-2.0
#include "report/text_lines.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

// ---- one line

typedef enum Style { STYLE_PLAIN, STYLE_PLACE, STYLE_NOTE, STYLE_WARNING, STYLE_ERROR, STYLE_CARET } Style;

static void put_styled(const TextWriter *w, Style style, const char *text) {
  static const char *const codes[] = {"", "\033[1m", "\033[1;36m", "\033[1;35m", "\033[1;31m", "\033[1;32m"};
  bool is_colored = w->use_color && style != STYLE_PLAIN;
  strbuf_add(w->out, is_colored ? codes[style] : "");
  strbuf_add(w->out, text);
  strbuf_add(w->out, is_colored ? "\033[0m" : "");
}

static Style level_style(FindingLevel level) {
  switch (level) {
  case LEVEL_ERROR: return STYLE_ERROR;
  case LEVEL_WARNING: return STYLE_WARNING;
  case LEVEL_NOTE: return STYLE_NOTE;
  case LEVEL_NONE: break;
  }
  return STYLE_PLAIN;
}

static void put_place(const TextWriter *w, const SrcLoc *loc) {
  if (!loc_known(loc)) {
    put_styled(w, STYLE_PLACE, "hgrd-check:");
    return;
  }
  const char *text = escape_visible(w->arena, loc->file);
  // A column makes no sense without a line; column 1 is what gcc prints when it has none.
  if (loc->line)
    text = arena_printf(w->arena, "%s:%" PRIu32 ":%" PRIu32, text, loc->line, loc->column ? loc->column : 1);
  put_styled(w, STYLE_PLACE, arena_printf(w->arena, "%s:", text));
}

// `text` has been escaped.
void text_put_line(const TextWriter *w, const SrcLoc *loc, FindingLevel level, const char *text,
                   const char *tag) {
  ASSERT(level != LEVEL_NONE && text);
  put_place(w, loc);
  strbuf_add(w->out, " ");
  put_styled(w, level_style(level), arena_printf(w->arena, "%s:", level_word(level)));
  strbuf_printf(w->out, " %s", text);
  if (tag) {
    strbuf_add(w->out, " ");
    put_styled(w, level_style(level), arena_printf(w->arena, "[%s]", tag));
  }
  strbuf_add(w->out, "\n");
}

void text_put_note(const TextWriter *w, const SrcLoc *loc, const char *text) {
  ASSERT(w && w->out);
  ASSERT(text);
  text_put_line(w, loc, LEVEL_NOTE, text, NULL);
}

// ---- source line with caret

enum { SOURCE_BYTES_BEFORE = 100, SOURCE_BYTES_SHOWN = 200 };

bool is_continuation_byte(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

// Lines of generated code can be very long: shows a window around the column.
static uint32_t window_start(const char *line, uint32_t column) {
  ASSERT(column <= strlen(line));
  if (column <= SOURCE_BYTES_BEFORE || strlen(line) <= SOURCE_BYTES_SHOWN) return 0;
  uint32_t start = column - SOURCE_BYTES_BEFORE;
  while (start > 0 && is_continuation_byte(line[start]))
    start--;
  return start;
}

// What stands below one character: a blank, a tilde or the caret for each column; tabs stay tabs.
static void add_mark(StrBuf *marks, const Extent *extent, uint32_t column, uint32_t columns) {
  char mark = column >= extent->start && column < extent->end ? '~' : ' ';
  for (uint32_t i = 0; i < columns; i++)
    strbuf_add_n(marks, i == 0 && column == extent->caret ? "^" : &mark, 1);
}

// Writes the text and, in `marks`, what has to stand below it up to the end of the extent.
static void put_source_text(const TextWriter *w, const char *line, uint32_t start, const Extent *extent,
                            StrBuf *marks) {
  ASSERT(start <= strlen(line)); // a byte that begins a character
  uint32_t length;
  for (uint32_t at = start; line[at] && at - start < SOURCE_BYTES_SHOWN; at += length) {
    char escape[16];
    uint32_t code = utf8_next(line + at, &length);
    uint32_t columns = 0;
    if (code == '\t') {
      strbuf_add(w->out, "\t");
    } else if (escape_character(code, (unsigned char)line[at], escape)) {
      strbuf_add(w->out, escape);
      columns = (uint32_t)strlen(escape);
    } else {
      strbuf_add_n(w->out, line + at, length);
      columns = escape_columns(code);
    }
    uint32_t column = at + 1; // columns count bytes from 1
    if (column >= extent->end) continue;
    if (code == '\t' && column != extent->caret)
      strbuf_add(marks, "\t");
    else // a caret in the middle of a character stands at its beginning
      add_mark(marks, extent,
               column < extent->caret && column + length > extent->caret ? extent->caret : column, columns);
  }
}

void text_put_source(const TextWriter *w, const SrcLoc *loc) {
  ASSERT(w && w->report);
  if (!w->options->read_line || !loc_known(loc) || loc->line == 0) return;
  const char *line = w->options->read_line(w->options->context, loc->file, loc->line);
  if (!line) return;
  size_t length = strcspn(line, "\r\n");
  line = arena_strndup(w->arena, line, length);
  uint32_t start = loc->column <= length ? window_start(line, loc->column) : 0;
  Extent extent = extent_of(line, loc->column);
  StrBuf marks = {.arena = w->arena};
  strbuf_printf(w->out, "%5" PRIu32 " | %s", loc->line, start ? "..." : "");
  put_source_text(w, line, start, &extent, &marks);
  strbuf_add(w->out, length - start > SOURCE_BYTES_SHOWN ? "...\n" : "\n");
  if (loc->column == 0 || loc->column > length + 1) return;
  if (loc->column == length + 1) strbuf_add(&marks, "^"); // where something is missing
  strbuf_printf(w->out, "      | %s", start ? "   " : "");
  const char *text = strbuf_text(&marks);
  size_t blanks = strspn(text, " \t");
  strbuf_add_n(w->out, text, blanks);
  put_styled(w, STYLE_CARET, text + blanks);
  strbuf_add(w->out, "\n");
}
