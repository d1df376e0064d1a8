// Where in the text of a source is what a correction looks for? Places and offsets, words, and brackets,
// which are stepped over together with strings, characters and comments. Soundness: text alone is looked at,
// before the preprocessor; what is not found in a plain form is not corrected.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

bool fixup_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

bool fixup_stands_at(const StrBuf *text, size_t at, const char *what) {
  ASSERT(what);
  size_t length = strlen(what);
  return at + length <= text->length && memcmp(text->text + at, what, length) == 0;
}

bool fixup_is_word_at(const StrBuf *text, size_t at, const char *word) {
  ASSERT(word);
  size_t end = at + strlen(word);
  return fixup_stands_at(text, at, word) && !(at > 0 && fixup_is_word(text->text[at - 1])) &&
         !(end < text->length && fixup_is_word(text->text[end]));
}

size_t fixup_skip_space(const StrBuf *text, size_t at) {
  while (at < text->length && isspace((unsigned char)text->text[at]))
    at++;
  return at;
}

size_t fixup_skip_quoted(const StrBuf *text, size_t at) {
  if (fixup_stands_at(text, at, "//") || fixup_stands_at(text, at, "/*")) {
    const char *end = text->text[at + 1] == '/' ? "\n" : "*/";
    for (at += 2; at < text->length && !fixup_stands_at(text, at, end); at++) {
    }
    return at + strlen(end);
  }
  char quote = text->text[at];
  if (quote != '"' && quote != '\'') return at;
  for (at++; at < text->length && text->text[at] != quote && text->text[at] != '\n'; at++)
    if (text->text[at] == '\\') at++;
  return at + 1;
}

// Behind a character or something quoted; `*depth` counts brackets of the kinds given.
static size_t step(const StrBuf *text, size_t at, const char *open, const char *close, int *depth) {
  size_t next = fixup_skip_quoted(text, at);
  if (next != at) return next;
  if (strchr(open, text->text[at])) ++*depth;
  if (strchr(close, text->text[at])) --*depth;
  return at + 1;
}

size_t fixup_find_end(const StrBuf *text, size_t at, const char *end) {
  ASSERT(end);
  int depth = 0;
  while (at < text->length && depth >= 0) {
    if (depth == 0 && fixup_stands_at(text, at, end)) return at;
    if (text->text[at] == ';') break;
    at = step(text, at, "([{", ")]}", &depth);
  }
  return text->length;
}

size_t fixup_matching_brace(const StrBuf *text, size_t at) {
  int depth = 0;
  while (at < text->length) {
    size_t next = step(text, at, "{", "}", &depth);
    if (depth == 0) return at;
    at = next;
  }
  return text->length;
}

size_t fixup_offset_of(const StrBuf *text, uint32_t line, uint32_t column) {
  ASSERT(line > 0);
  size_t at = 0;
  for (uint32_t row = 1; row < line && at < text->length; at++)
    row += text->text[at] == '\n';
  return at + column - 1;
}

FixupPlace fixup_place_of(const StrBuf *text, size_t offset) {
  FixupPlace place = {1, 1};
  for (size_t i = 0; i < offset; i++) {
    place.column = text->text[i] == '\n' ? 1 : place.column + 1;
    place.line += text->text[i] == '\n';
  }
  return place;
}
