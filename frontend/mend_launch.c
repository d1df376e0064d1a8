// Where in a source does a kernel launch from device code stand? clang 19 knows launches on the host alone;
// nvcc takes "child<<<grid, block>>>(p)" in kernels, too. The text of such a launch becomes a call,
// "__hgrd_device_launch<decltype(&child), &child>(grid, block)(p)", whose arguments are evaluated as before
// and whose effect nobody knows: a kernel that comes to it is undecided. The name of the child is handed on:
// it is launched with values that no host code shows. Soundness: what is not found in this plain form is left
// as it is, and does not compile.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool stands_at(const StrBuf *text, size_t at, const char *what) {
  size_t length = strlen(what);
  return at + length <= text->length && memcmp(text->text + at, what, length) == 0;
}

// Behind a string, a character or a comment that begins at `at`; `at` itself if there is none.
size_t mend_skip_quoted(const StrBuf *text, size_t at) {
  if (stands_at(text, at, "//") || stands_at(text, at, "/*")) {
    const char *end = text->text[at + 1] == '/' ? "\n" : "*/";
    for (at += 2; at < text->length && !stands_at(text, at, end); at++) {
    }
    return at + strlen(end);
  }
  char quote = text->text[at];
  if (quote != '"' && quote != '\'') return at;
  for (at++; at < text->length && text->text[at] != quote && text->text[at] != '\n'; at++)
    if (text->text[at] == '\\') at++;
  return at + 1;
}

// The bracket or mark that ends what begins at `at`, brackets within left out; the length of the text if
// there is none.
static size_t find_end(const StrBuf *text, size_t at, const char *end) {
  int depth = 0;
  while (at < text->length) {
    size_t next = mend_skip_quoted(text, at);
    if (next != at) {
      at = next;
      continue;
    }
    if (depth == 0 && stands_at(text, at, end)) return at;
    if (strchr("([{", text->text[at])) depth++;
    if (strchr(")]}", text->text[at]) && --depth < 0) return text->length;
    if (text->text[at] == ';') return text->length;
    at++;
  }
  return text->length;
}

// From "<<<" back to where "ns::child<int>" begins; `at` itself if that is not understood.
static size_t callee_start(const StrBuf *text, size_t at, size_t *name_end) {
  size_t i = at;
  while (i > 0 && isspace((unsigned char)text->text[i - 1]))
    i--;
  if (i > 0 && text->text[i - 1] == '>') {
    int depth = 0;
    do {
      i--;
      depth += text->text[i] == '>' ? 1 : text->text[i] == '<' ? -1 : 0;
      if (strchr(";{}\n", text->text[i])) return at;
    } while (i > 0 && depth > 0);
  }
  *name_end = i;
  while (i > 0 && (is_word(text->text[i - 1]) || text->text[i - 1] == ':'))
    i--;
  return i < *name_end ? i : at;
}

size_t mend_offset_of(const StrBuf *text, uint32_t line, uint32_t column) {
  size_t at = 0;
  for (uint32_t row = 1; row < line && at < text->length; at++)
    row += text->text[at] == '\n';
  return at + column - 1;
}

MendPlace mend_place_of(const StrBuf *text, size_t offset) {
  MendPlace place = {1, 1};
  for (size_t i = 0; i < offset; i++) {
    place.column = text->text[i] == '\n' ? 1 : place.column + 1;
    place.line += text->text[i] == '\n';
  }
  return place;
}

// From the place of the name or of "<<<" to the latter.
static size_t find_open(const StrBuf *text, size_t at) {
  while (at < text->length && (is_word(text->text[at]) || strchr(": \n\t", text->text[at])))
    at++;
  return at;
}

static size_t skip_space(const StrBuf *text, size_t at) {
  while (at < text->length && isspace((unsigned char)text->text[at]))
    at++;
  return at;
}

static bool describe(const StrBuf *text, size_t open, Arena *arena, MendLaunch *out) {
  size_t name_end = 0;
  if (!stands_at(text, open, "<<<")) return false;
  size_t start = callee_start(text, open, &name_end), close = find_end(text, open + 3, ">>>");
  size_t arguments = skip_space(text, close + 3);
  if (start == open || !stands_at(text, arguments, "(")) return false;
  size_t end = find_end(text, arguments + 1, ")"), name = name_end, callee_end = open;
  while (callee_end > start && isspace((unsigned char)text->text[callee_end - 1]))
    callee_end--;
  while (name > start && is_word(text->text[name - 1]))
    name--;
  if (name == name_end || end >= text->length) return false;
  *out = (MendLaunch){.kernel = arena_strndup(arena, text->text + name, name_end - name),
                      .callee = arena_strndup(arena, text->text + start, callee_end - start),
                      .start = mend_place_of(text, start),
                      .open = mend_place_of(text, open),
                      .close = mend_place_of(text, close),
                      .end = mend_place_of(text, end)};
  return !strchr(out->callee, '\n');
}

bool mend_launch_find(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, MendLaunch *out) {
  return describe(text, find_open(text, mend_offset_of(text, line, column)), arena, out);
}

// ---- launches in macros ---------------------------------------------------------------------------------

static size_t word_end(const StrBuf *text, size_t at) {
  while (at < text->length && is_word(text->text[at]))
    at++;
  return at;
}

static const char *word_at(const StrBuf *text, size_t at, Arena *arena) {
  return arena_strndup(arena, text->text + at, word_end(text, at) - at);
}

typedef struct Macro {
  size_t parameters, open; // behind its "(", and at "<<<"; the length of the text if there is none
} Macro;

static Macro find_macro(const StrBuf *text, const char *name) {
  for (size_t at = 0; at < text->length; at++) {
    if (text->text[at] != '#' || (at > 0 && text->text[at - 1] != '\n')) continue;
    size_t word = skip_space(text, at + 1);
    if (!stands_at(text, word, "define")) continue;
    word = skip_space(text, word + strlen("define"));
    size_t end = word_end(text, word);
    bool is_it = end - word == strlen(name) && memcmp(text->text + word, name, end - word) == 0;
    if (!is_it || !stands_at(text, end, "(")) continue;
    for (at = end; at < text->length && (text->text[at] != '\n' || text->text[at - 1] == '\\'); at++)
      if (stands_at(text, at, "<<<")) return (Macro){end + 1, at};
  }
  return (Macro){text->length, text->length};
}

// Where the call begins in whose arguments the place is; the place itself if it is in none.
static size_t caller_of(const StrBuf *text, size_t at) {
  int depth = 0;
  size_t i = at;
  while (i > 0 && depth <= 0) {
    i--;
    if (strchr(";{}", text->text[i])) return at;
    depth += text->text[i] == '(' ? 1 : text->text[i] == ')' ? -1 : 0;
  }
  while (i > 0 && isspace((unsigned char)text->text[i - 1]))
    i--;
  while (i > 0 && is_word(text->text[i - 1]))
    i--;
  return i;
}

// The argument of the call, from behind its "(", that stands for the parameter of that name.
static const char *argument_for(const StrBuf *text, size_t parameters, const char *name, size_t arguments,
                                Arena *arena) {
  for (;;) {
    size_t parameter = skip_space(text, parameters), end = find_end(text, arguments, ",");
    if (strcmp(word_at(text, parameter, arena), name) == 0) {
      size_t start = skip_space(text, arguments), template = start;
      while (template <text->length && (is_word(text->text[template]) || text->text[template] == ':'))
        template ++;
      while (template > start && is_word(text->text[template - 1]))
        template --;
      return word_at(text, template, arena);
    }
    parameters = skip_space(text, word_end(text, parameter));
    if (!stands_at(text, parameters, ",") || end >= text->length) return name; // it is none
    parameters++;
    arguments = end + 1;
  }
}

bool mend_launch_find_macro(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena,
                            MendLaunch *out) {
  size_t at = mend_offset_of(text, line, column);
  if (at >= text->length) return false;
  size_t call = at;
  Macro macro = find_macro(text, word_at(text, call, arena));
  if (macro.open == text->length) {
    call = caller_of(text, at);
    macro = find_macro(text, word_at(text, call, arena));
  }
  if (!describe(text, macro.open, arena, out)) return false;
  size_t arguments = skip_space(text, word_end(text, call));
  if (!stands_at(text, arguments, "(")) return false;
  out->kernel = argument_for(text, macro.parameters, out->kernel, arguments + 1, arena);
  return true;
}
