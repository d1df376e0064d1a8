// Where in a source does a kernel launch from device code stand? clang 19 knows launches on the host alone;
// nvcc takes "child<<<grid, block>>>(p)" in kernels, too. The text of such a launch becomes a call,
// "__hgrd_device_launch<decltype(&child), &child>(grid, block)(p)", whose arguments are evaluated as before
// and whose effect nobody knows: a kernel that comes to it is undecided. The name of the child is handed on:
// it is launched with values that no host code shows. Soundness: what is not found in this plain form is left
// as it is, and does not compile.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

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
  while (i > 0 && (fixup_is_word(text->text[i - 1]) || text->text[i - 1] == ':'))
    i--;
  return i < *name_end ? i : at;
}

// From the place of the name or of "<<<" to the latter.
static size_t find_open(const StrBuf *text, size_t at) {
  while (at < text->length && (fixup_is_word(text->text[at]) || strchr(": \n\t", text->text[at])))
    at++;
  return at;
}

static bool describe(const StrBuf *text, size_t open, Arena *arena, FixupLaunch *out) {
  size_t name_end = 0;
  if (!fixup_stands_at(text, open, "<<<")) return false;
  size_t start = callee_start(text, open, &name_end), close = fixup_find_end(text, open + 3, ">>>");
  size_t arguments = fixup_skip_space(text, close + 3);
  if (start == open || !fixup_stands_at(text, arguments, "(")) return false;
  size_t end = fixup_find_end(text, arguments + 1, ")"), name = name_end, callee_end = open;
  while (callee_end > start && isspace((unsigned char)text->text[callee_end - 1]))
    callee_end--;
  while (name > start && fixup_is_word(text->text[name - 1]))
    name--;
  if (name == name_end || end >= text->length) return false;
  *out = (FixupLaunch){.kernel = arena_strndup(arena, text->text + name, name_end - name),
                       .callee = arena_strndup(arena, text->text + start, callee_end - start),
                       .start = fixup_place_of(text, start),
                       .open = fixup_place_of(text, open),
                       .close = fixup_place_of(text, close),
                       .end = fixup_place_of(text, end),
                       .arguments = arguments + 1};
  return !strchr(out->callee, '\n');
}

bool fixup_launch_find(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupLaunch *out) {
  ASSERT(line > 0);
  ASSERT(out);
  return describe(text, find_open(text, fixup_offset_of(text, line, column)), arena, out);
}

// ---- launches in macros

static size_t word_end(const StrBuf *text, size_t at) {
  while (at < text->length && fixup_is_word(text->text[at]))
    at++;
  return at;
}

static const char *word_at(const StrBuf *text, size_t at, Arena *arena) {
  return arena_strndup(arena, text->text + at, word_end(text, at) - at);
}

typedef struct Macro {
  size_t parameters, body, end; // behind its "(", behind the ")" and at the end of the line
  size_t open;                  // at "<<<"; `end` if there is none
} Macro;

static size_t definition_end(const StrBuf *text, size_t at) {
  while (at < text->length && (text->text[at] != '\n' || text->text[at - 1] == '\\'))
    at++;
  return at;
}

// The definition with parameters of that name.
static bool find_macro(const StrBuf *text, const char *name, Macro *out) {
  for (size_t at = 0; at < text->length; at++) {
    if (text->text[at] != '#' || (at > 0 && text->text[at - 1] != '\n')) continue;
    size_t word = fixup_skip_space(text, at + 1);
    if (!fixup_stands_at(text, word, "define")) continue;
    word = fixup_skip_space(text, word + strlen("define"));
    size_t end = word_end(text, word);
    bool is_it = end - word == strlen(name) && memcmp(text->text + word, name, end - word) == 0;
    if (!is_it || !fixup_stands_at(text, end, "(")) continue;
    *out = (Macro){.parameters = end + 1, .end = definition_end(text, end)};
    out->body = fixup_find_end(text, end + 1, ")");
    for (out->open = out->body; out->open < out->end; out->open++)
      if (fixup_stands_at(text, out->open, "<<<")) return true;
    return true;
  }
  return false;
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
  while (i > 0 && fixup_is_word(text->text[i - 1]))
    i--;
  return i;
}

// The argument of the call, from behind its "(", that stands for the macro's parameter of that name.
static const char *argument_for(const StrBuf *macros, size_t parameters, const char *name, const StrBuf *text,
                                size_t arguments, Arena *arena) {
  for (;;) {
    size_t parameter = fixup_skip_space(macros, parameters), end = fixup_find_end(text, arguments, ",");
    if (strcmp(word_at(macros, parameter, arena), name) == 0) {
      size_t start = fixup_skip_space(text, arguments), kernel = start;
      while (kernel < text->length && (fixup_is_word(text->text[kernel]) || text->text[kernel] == ':'))
        kernel++;
      while (kernel > start && fixup_is_word(text->text[kernel - 1]))
        kernel--;
      return word_at(text, kernel, arena);
    }
    parameters = fixup_skip_space(macros, word_end(macros, parameter));
    if (!fixup_stands_at(macros, parameters, ",") || end >= text->length) return name; // it is none
    parameters++;
    arguments = end + 1;
  }
}

enum { MACRO_DEPTH = 4 };

// The launch that the call at the place comes to, maybe by macros in the text of macros: in `macros`, where
// it is to be changed. Those on the way may stand where the call stands, too.
static bool find_in_call(const StrBuf *macros, const StrBuf *text, size_t call, int depth, Arena *arena,
                         FixupLaunch *out) {
  const StrBuf *places[] = {macros, text};
  const char *name = word_at(text, call, arena);
  size_t arguments = fixup_skip_space(text, word_end(text, call));
  bool is_call = *name && fixup_stands_at(text, arguments, "(");
  for (int i = 0; is_call && i < (macros == text ? 1 : 2); i++) {
    Macro macro;
    if (!find_macro(places[i], name, &macro)) continue;
    bool is_found = macro.open < macro.end && i == 0 && describe(macros, macro.open, arena, out);
    for (size_t at = macro.body; !is_found && depth > 0 && at < macro.end; at++) {
      bool begins = fixup_is_word(places[i]->text[at]) && !fixup_is_word(places[i]->text[at - 1]);
      is_found = begins && find_in_call(macros, places[i], at, depth - 1, arena, out);
    }
    if (!is_found) continue;
    out->kernel = argument_for(places[i], macro.parameters, out->kernel, text, arguments + 1, arena);
    out->arguments = arguments + 1;
    vec_push(arena, &out->macros, name);
    return true;
  }
  return false;
}

bool fixup_launch_find_macro(const StrBuf *macros, const StrBuf *text, uint32_t line, uint32_t column,
                             Arena *arena, FixupLaunch *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t at = fixup_offset_of(text, line, column);
  if (at >= text->length) return false;
  return find_in_call(macros, text, at, MACRO_DEPTH, arena, out) ||
         find_in_call(macros, text, caller_of(text, at), MACRO_DEPTH, arena, out);
}

bool fixup_launch_next_call(const StrBuf *text, const char *name, size_t *at) {
  ASSERT(name);
  for (; *at < text->length; *at = word_end(text, *at) + 1) {
    size_t end = word_end(text, *at), open = fixup_skip_space(text, end);
    bool is_it = end - *at == strlen(name) && fixup_stands_at(text, *at, name);
    if (!is_it || !fixup_stands_at(text, open, "(")) continue;
    *at = open + 1;
    return true;
  }
  return false;
}

bool fixup_launch_next_null(const StrBuf *text, size_t *at) {
  for (;;) {
    size_t start = fixup_skip_space(text, *at), end = word_end(text, start);
    size_t behind = fixup_skip_space(text, end), comma = fixup_find_end(text, start, ",");
    bool is_whole = fixup_stands_at(text, behind, ",") || fixup_stands_at(text, behind, ")");
    if (is_whole && end - start == strlen("NULL") && fixup_stands_at(text, start, "NULL")) {
      *at = start;
      return true;
    }
    if (comma >= text->length) return false;
    *at = comma + 1;
  }
}
