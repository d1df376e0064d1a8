// How does text from outside become text in XML or HTML, and nothing else?
//
// Control characters, stray bytes and characters that turn text around become visible escapes first
// (escape.c), because XML 1.0 allows most of them in no form; then the five characters that mean something
// become entities. What comes out can stand in element content and in quoted attributes.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <string.h>

static void add_escaped(StrBuf *out, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '&'    ? "&amp;"
                         : *text == '<'  ? "&lt;"
                         : *text == '>'  ? "&gt;"
                         : *text == '"'  ? "&quot;"
                         : *text == '\'' ? "&#39;"
                                         : NULL;
    if (entity)
      strbuf_add(out, entity);
    else
      strbuf_add_n(out, text, 1);
  }
}

void markup_text(StrBuf *out, const char *text, Arena *scratch) {
  ASSERT(out);
  ASSERT(text);
  add_escaped(out, escape_visible(scratch, text));
}

void markup_lines(StrBuf *out, const char *text, Arena *scratch) {
  ASSERT(out);
  ASSERT(text);
  while (*text) {
    size_t length = strcspn(text, "\n\t");
    markup_text(out, arena_strndup(scratch, text, length), scratch);
    if (text[length]) strbuf_add_n(out, text + length, 1);
    text += length + (text[length] != 0);
  }
}
