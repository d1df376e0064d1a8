// Which part of a source can be left out because it needs a header that is not there? A function of the host
// keeps its declaration and loses its body; another declaration of the outermost level goes as a whole, up to
// its ";" or "}". Blanks and the ends of lines stay, so that every other line is where it was. What belongs
// to the device is never left out. Where the names of the header can have stand-ins (fixup_stand_ins.c), nothing is left
// out. Soundness: the caller says that something is left out, takes no caller for
// the only one, and checks every kernel for any launch.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

typedef struct Item { // one declaration: from `start` to `end`, its body, if it has one, from `body`
  size_t start, body, end;
} Item;

static bool is_blank_or_end(const StrBuf *text, size_t at) {
  return at >= text->length || isspace((unsigned char)text->text[at]);
}

// Behind a line of the preprocessor.
static size_t skip_directive(const StrBuf *text, size_t at) {
  while (at < text->length && (text->text[at] != '\n' || text->text[at - 1] == '\\'))
    at++;
  return at;
}

static bool has_word(const StrBuf *text, size_t start, size_t end, const char *word) {
  size_t length = strlen(word);
  for (size_t at = start; at + length <= end; at++)
    if (memcmp(text->text + at, word, length) == 0) return true;
  return false;
}

// "namespace x {" and "extern "C" {" hold declarations of the outermost level.
static bool is_transparent(const StrBuf *text, size_t start, size_t brace) {
  if (has_word(text, start, brace, "(") || has_word(text, start, brace, "=")) return false;
  return has_word(text, start, brace, "namespace") || has_word(text, start, brace, "extern");
}

// Class definitions and initialisers end with the ";" behind their "}".
static size_t end_of_item(const StrBuf *text, size_t start, size_t brace, size_t close) {
  bool is_function = has_word(text, start, brace, "(") && !has_word(text, start, brace, "=");
  size_t at = close + 1;
  while (!is_function && at < text->length && text->text[at] != ';' && text->text[at] != '\n')
    at++;
  bool is_ended = !is_function && at < text->length && text->text[at] == ';';
  return is_ended ? at + 1 : close + 1;
}

// The declaration that holds `place`, which is in the middle of the text.
static bool find_item(const StrBuf *text, size_t place, Item *item) {
  size_t at = 0;
  *item = (Item){0};
  while (at < text->length) {
    size_t next = fixup_skip_quoted(text, at);
    char c = text->text[at];
    if (next != at) {
      at = next;
    } else if (c == '#') {
      at = skip_directive(text, at);
      if (at <= place) item->start = at;
    } else if (c == '{' && !is_transparent(text, item->start, at)) {
      size_t close = fixup_matching_brace(text, at);
      item->body = at;
      if (close >= text->length) return false;
      item->end = at = end_of_item(text, item->start, item->body, close);
      if (at > place) return true;
      *item = (Item){.start = at};
    } else if (c == ';' || c == '{' || c == '}') {
      item->end = ++at;
      if (at > place) return c == ';';
      *item = (Item){.start = at};
    } else {
      at++;
    }
  }
  return false;
}

static bool is_of_the_device(const StrBuf *text, const Item *item) {
  static const char *const words[] = {"__global__", "__device__", "__constant__", "__shared__",
                                      "__managed__"};
  bool is_function = item->body && has_word(text, item->start, item->body, "(");
  size_t end = is_function ? item->body : item->end;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (has_word(text, item->start, end, words[i])) return true;
  return false;
}

bool fixup_is_of_device(const StrBuf *text, size_t at) {
  Item item;
  return !find_item(text, at, &item) || is_of_the_device(text, &item);
}

bool fixup_device_mentions(const StrBuf *text, const char *word) {
  size_t length = strlen(word);
  for (size_t at = 0; at + length <= text->length; at++) {
    Item item;
    if (fixup_is_word_at(text, at, word) && find_item(text, at, &item) && is_of_the_device(text, &item))
      return true;
  }
  return false;
}

// "int f(int n) {": what can stand as a declaration once the body is gone.
static bool is_plain_function(const StrBuf *text, const Item *item) {
  size_t at = item->body;
  while (at > item->start && isspace((unsigned char)text->text[at - 1]))
    at--;
  return at > item->start && text->text[at - 1] == ')' && !has_word(text, item->start, at, "=") &&
         !has_word(text, item->start, at, "auto") && !has_word(text, item->start, at, ") :") &&
         !has_word(text, item->start, at, "):");
}

bool fixup_leave_out(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t place = fixup_offset_of(text, line, column);
  Item item;
  if (place >= text->length || !find_item(text, place, &item) || is_of_the_device(text, &item)) return false;
  bool keeps_head = item.body && place > item.body && is_plain_function(text, &item);
  size_t start = keeps_head ? item.body : item.start;
  while (start < item.end && is_blank_or_end(text, start))
    start++;
  if (start >= item.end) return false;
  char *put = arena_alloc(arena, item.end - start + 2);
  size_t used = 0;
  if (keeps_head) put[used++] = ';';
  for (size_t i = start; i < item.end; i++)
    if (text->text[i] == '\n') put[used++] = '\n';
  *out = (FixupCut){.start = fixup_place_of(text, start),
                    .cut = arena_strndup(arena, text->text + start, item.end - start),
                    .put = put};
  return true;
}
