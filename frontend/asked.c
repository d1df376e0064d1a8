// Of which headers does a text ask whether they are there? `__has_include` of one that is not leaves no trace in
// what clang lists, so that the names have to be taken from the text: all of them, compiled or not, but those in
// lines that cannot ask (no directive, `#ifdef`, behind `defined`). A macro that hands its parameter on to the
// question is a question of its own, and its word is given back, to be looked for in all files. Where a name is
// made otherwise (by a macro's text, from parts) it cannot be told, and that is said.
//
// Soundness: names are too many rather than too few; words of names in `<...>` that pass through a macro are given
// back, as they may be macros themselves. Not seen: a question's word that is pasted together by `##`.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memmem
#include "frontend/inputs.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\f' || *at == '\v')
    at++;
  return at;
}

static const char *skip_blanks_and_comments(const char *at) {
  for (;;) {
    at = skip_blanks(at);
    const char *end = str_starts_with(at, "/*") ? strstr(at + 2, "*/") : NULL;
    if (!end) return at;
    at = end + 2;
  }
}

static bool is_part_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static const char *skip_word(const char *at) {
  while (is_part_of_word(*at))
    at++;
  return at;
}

static bool is_word(const char *at, const char *word) {
  return str_starts_with(at, word) && !is_part_of_word(at[strlen(word)]);
}

// Behind the end of the line that the backslash at `at` takes away; NULL if it takes none.
static const char *behind_splice(const char *at) {
  at = skip_blanks(at + 1);
  if (*at == '\r') return at[1] == '\n' ? at + 2 : at + 1;
  return *at == '\n' ? at + 1 : NULL;
}

const char *asked_lines(const char *text, Arena *arena) {
  ASSERT(text);
  const char *at = strchr(text, '\\');
  if (!at) return text;
  char *joined = arena_array(arena, strlen(text) + 1, char), *out = joined;
  for (; at; at = strchr(text, '\\')) {
    const char *behind = behind_splice(at);
    size_t length = (size_t)(at - text) + (behind ? 0 : 1);
    memcpy(out, text, length);
    out += length;
    text = behind ? behind : at + 1;
  }
  memcpy(out, text, strlen(text) + 1);
  return joined;
}

const char *asked_header(const char *at, const char **end) {
  ASSERT(at);
  ASSERT(end);
  at = skip_blanks_and_comments(at);
  if (*at != '"' && *at != '<') return NULL;
  char close = *at == '<' ? '>' : '"';
  for (*end = ++at; **end != close; ++*end)
    if (!**end || **end == '\n' || **end == '\r') return NULL;
  return *end > at ? at : NULL;
}

const char *asked_directive(const char *line) {
  ASSERT(line);
  return *line == '#' ? skip_blanks_and_comments(line + 1) : NULL;
}

const char *asked_defined(const char *line, const char **end) {
  ASSERT(line);
  ASSERT(end);
  const char *at = asked_directive(line);
  if (!at || !is_word(at, "define")) return NULL;
  at = skip_blanks_and_comments(at + strlen("define"));
  *end = skip_word(at);
  return *end > at ? at : NULL;
}

// ---- lines that ask for nothing
static bool has_between(const char *start, const char *end, const char *what) {
  return memmem(start, (size_t)(end - start), what, strlen(what)) != NULL;
}

// Behind the name or string that starts at `at`; NULL where its end may be another one than it seems.
static const char *skip_quoted(const char *line, const char *at) {
  const char *end = at + 1 + strcspn(at + 1, *at == '<' ? ">\"'\n" : "\"\\\n");
  bool is_raw = at > line && is_part_of_word(at[-1]) && *at == '"';
  return *end == (*at == '<' ? '>' : '"') && !is_raw ? end + 1 : NULL;
}

static bool is_behind_comment(const char *line, const char *at) {
  while (line < at) {
    const char *sign = line + strcspn(line, "\"'</");
    if (sign >= at || *sign == '\'') return false;
    if (str_starts_with(sign, "//")) return true;
    line = *sign != '/' ? skip_quoted(line, sign) : skip_blanks_and_comments(sign);
    if (!line) return false;
    if (line == sign) line++;
  }
  return false;
}

static bool is_any_of(const char *at, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_word(at, words[i])) return true;
  return false;
}

// `defined X`, `defined(X)`, `#define X`.
static bool is_name_only(const char *line, const char *at) {
  while (at > line && isspace((unsigned char)at[-1]))
    at--;
  if (at > line && at[-1] == '(') at--;
  while (at > line && isspace((unsigned char)at[-1]))
    at--;
  while (at > line && is_part_of_word(at[-1]))
    at--;
  return is_word(at, "defined") || is_word(at, "define");
}

static bool asks_for_nothing(const char *line, const char *at) {
  static const char *const plain[] = {"ifdef", "ifndef", "elifdef", "elifndef", "undef",
                                      "endif", "else",   "error",   "warning"};
  const char *directive = asked_directive(line), *close = strstr(line, "*/"), *open = strstr(line, "/*");
  // A directive may go on behind a comment of many lines.
  if (close && close < at && (!directive || !open || open > close)) return false;
  if (!has_between(line, at, "#") && !has_between(line, at, "%:") && !has_between(line, at, "?\?="))
    return true;
  return is_behind_comment(line, at) || is_name_only(line, at) ||
         (directive && is_any_of(directive, plain, sizeof plain / sizeof *plain));
}

// ---- questions
static const char *start_of_line(const char *text, const char *at) {
  while (at > text && at[-1] != '\n')
    at--;
  return skip_blanks(at);
}

static bool has_word(const char *start, const char *end, const char *word, size_t length) {
  for (const char *at = start; at < end; at = skip_word(at)) {
    while (at < end && !is_part_of_word(*at))
      at++;
    if ((size_t)(skip_word(at) - at) == length && strncmp(at, word, length) == 0) return at < end;
  }
  return false;
}

// The parameters of the macro that the line defines: from behind "(" to ")"; NULL if it has none.
static const char *parameters(const char *line, const char **end) {
  const char *behind, *name = asked_defined(line, &behind);
  if (!name || *behind != '(') return NULL;
  *end = behind + strcspn(behind, ")\n");
  return **end == ')' ? behind + 1 : NULL;
}

// `#define NAME(.., x, ..) .. question(x)`, the arguments at `at`.
static bool add_handed_on(const char *line, const char *at, Arena *arena, Asked *out) {
  const char *end, *start = parameters(line, &end);
  const char *word = skip_blanks_and_comments(at), *behind = skip_word(word);
  size_t length = (size_t)(behind - word);
  if (!start || length == 0 || at < end || *skip_blanks_and_comments(behind) != ')') return false;
  bool is_rest = is_word(word, "__VA_ARGS__") && has_between(start, end, "...");
  if (!is_rest && !has_word(start, end, word, length)) return false;
  const char *name_end, *name = asked_defined(line, &name_end);
  vec_push(arena, &out->words, arena_strndup(arena, name, (size_t)(name_end - name)));
  return true;
}

// What stands in <...> in the text or the arguments of a macro is read word by word.
static void add_spelled(const char *line, const char *at, const char *end, Arena *arena, Asked *out) {
  const char *last, *first = parameters(line, &last);
  while (at < end) {
    const char *behind = skip_word(at);
    size_t length = (size_t)(behind - at);
    if (length > 0) vec_push(arena, &out->spelled, arena_strndup(arena, at, length));
    if (length > 0 && first && has_word(first, last, at, length)) out->is_untold = true;
    at = length > 0 ? behind : at + 1;
  }
}

static bool is_read_whole(const char *line, bool is_macro) {
  static const char *const direct[] = {"if", "elif"};
  const char *directive = asked_directive(line);
  return !is_macro && directive && is_any_of(directive, direct, 2);
}

static void add_question(const char *line, const char *at, bool is_macro, Arena *arena, Asked *out) {
  const char *end, *name = asked_header(at, &end);
  if (name) vec_push(arena, &out->names, arena_strndup(arena, name, (size_t)(end - name)));
  if (name && name[-1] == '<' && !is_read_whole(line, is_macro)) add_spelled(line, name, end, arena, out);
  if (!name && !add_handed_on(line, at, arena, out)) out->is_untold = true;
}

void asked_names(const char *text, const char *word, bool is_macro, Arena *arena, Asked *out) {
  ASSERT(text);
  ASSERT(word);
  ASSERT(out);
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL;) {
    const char *start = at;
    at += length;
    if ((start > text && is_part_of_word(start[-1])) || is_part_of_word(*at)) continue;
    const char *line = start_of_line(text, start), *open = skip_blanks_and_comments(at);
    bool is_open = *open == '(', is_idle = line <= start && asks_for_nothing(line, start);
    const char *end;
    if (is_open && is_idle && !asked_header(open + 1, &end)) continue;
    if (is_open)
      add_question(line, open + 1, is_macro, arena, out);
    else if (!is_idle)
      out->is_untold = true;
  }
}
