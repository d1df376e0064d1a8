// How do the pages about the rules, which are Markdown, become HTML?
//
// Only the forms that our own pages use (report/explain.c): headings, paragraphs, lists with continued lines,
// fenced code, `code` and *emphasis*. The text is ours, and is escaped all the same.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"
#include "core/bug.h"

#include <string.h>

typedef struct Markdown {
  const HtmlWriter *writer;
  uint32_t level;
  enum { IN_NOTHING, IN_PARAGRAPH, IN_LIST, IN_CODE } state;
} Markdown;

// `code` and *emphasis* within one line; a mark without its partner is text.
static void put_inline(const HtmlWriter *w, const char *line) {
  while (*line) {
    size_t plain = strcspn(line, "`*");
    html_text(w, arena_strndup(w->arena, line, plain));
    line += plain;
    if (!*line) return;
    const char *close = strchr(line + 1, *line);
    if (close) {
      const char *tag = *line == '`' ? "code" : "em";
      strbuf_printf(w->out, "<%s>", tag);
      html_text(w, arena_strndup(w->arena, line + 1, (size_t)(close - line) - 1));
      strbuf_printf(w->out, "</%s>", tag);
    } else {
      html_text(w, arena_strndup(w->arena, line, 1));
    }
    line = close ? close + 1 : line + 1;
  }
}

static void leave(Markdown *m) {
  static const char *const ends[] = {
      [IN_NOTHING] = "", [IN_PARAGRAPH] = "</p>\n", [IN_LIST] = "</li></ul>\n", [IN_CODE] = "</pre>\n"};
  strbuf_add(m->writer->out, ends[m->state]);
  m->state = IN_NOTHING;
}

static void put_heading(Markdown *m, const char *line) {
  uint32_t depth = (uint32_t)strspn(line, "#"), level = m->level + depth - 1;
  leave(m);
  strbuf_printf(m->writer->out, "<h%u>", level > 6 ? 6 : level);
  put_inline(m->writer, line + depth + strspn(line + depth, " "));
  strbuf_printf(m->writer->out, "</h%u>\n", level > 6 ? 6 : level);
}

static void put_item(Markdown *m, const char *line) {
  strbuf_add(m->writer->out, m->state == IN_LIST ? "</li>\n" : "");
  if (m->state != IN_LIST) {
    leave(m);
    strbuf_add(m->writer->out, "<ul>");
  }
  m->state = IN_LIST;
  strbuf_add(m->writer->out, "<li>");
  put_inline(m->writer, line + 2);
}

static void put_line(Markdown *m, const char *line) {
  StrBuf *out = m->writer->out;
  if (str_starts_with(line, "```")) {
    bool was_code = m->state == IN_CODE;
    leave(m);
    if (was_code) return;
    strbuf_add(out, "<pre class=\"plain\" tabindex=\"0\">");
    m->state = IN_CODE;
  } else if (m->state == IN_CODE) {
    html_text(m->writer, line);
    strbuf_add(out, "\n");
  } else if (line[0] == '#') {
    put_heading(m, line);
  } else if (str_starts_with(line, "- ")) {
    put_item(m, line);
  } else if (line[0] == 0) {
    leave(m);
  } else {
    strbuf_add(out, m->state == IN_NOTHING ? "<p>" : " ");
    if (m->state == IN_NOTHING) m->state = IN_PARAGRAPH;
    put_inline(m->writer, line + strspn(line, " "));
  }
}

void html_put_markdown(const HtmlWriter *w, const char *text, uint32_t level) {
  ASSERT(text);
  Markdown m = {.writer = w, .level = level};
  while (*text) {
    size_t length = strcspn(text, "\n");
    put_line(&m, arena_strndup(w->arena, text, length));
    text += length + (text[length] == '\n');
  }
  leave(&m);
}
