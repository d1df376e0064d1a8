// Which characters of a source line are the access?
//
// The analysis knows one column: the compiler's, which for a store is that of the assignment operator and for
// a load where the expression starts. The rest is read off the line: from an operator to the left, over a
// primary expression with its subscripts and members; from a name to the right, over the same. Brackets are
// balanced within the line; text in quotes is not looked into.
//
// Soundness: no effect on verdicts. Where the guess fails, the extent is the one character at the column.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <string.h>

static bool is_word(char c) {
  unsigned char byte = (unsigned char)c;
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         byte == '_' || byte >= 0x80;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The place behind the bracket that closes the one at `at`; `at` itself if none does.
static uint32_t skip_brackets(const char *line, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; line[i]; i++) {
    depth += strchr("([{", line[i]) ? 1 : strchr(")]}", line[i]) ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return at;
}

// The place of the bracket that opens the one before `end`; `end` if none does.
static uint32_t skip_brackets_back(const char *line, uint32_t end) {
  int depth = 0;
  for (uint32_t i = end; i > 0; i--) {
    depth += strchr(")]}", line[i - 1]) ? 1 : strchr("([{", line[i - 1]) ? -1 : 0;
    if (depth == 0) return i - 1;
  }
  return end;
}

static uint32_t skip_word(const char *line, uint32_t at) {
  while (is_word(line[at]))
    at++;
  return at;
}

// Behind a name with its calls, subscripts and members: `tile[ty][tx].x`, `f(a, b)`.
static uint32_t expression_end(const char *line, uint32_t at) {
  at = skip_word(line, at);
  for (;;) {
    uint32_t next = at;
    if (line[at] == '[' || line[at] == '(')
      next = skip_brackets(line, at);
    else if (line[at] == '.' && is_word(line[at + 1]))
      next = skip_word(line, at + 1);
    else if (((line[at] == '-' && line[at + 1] == '>') || (line[at] == ':' && line[at + 1] == ':')) &&
             is_word(line[at + 2]))
      next = skip_word(line, at + 2);
    if (next == at) return at;
    at = next;
  }
}

// Where the expression that ends before `end` begins.
static uint32_t expression_start(const char *line, uint32_t end) {
  uint32_t at = end;
  for (;;) {
    uint32_t next = at;
    bool may_close = at == end || !is_word(line[at]); // `(float)x`: the cast is none of it
    if (may_close && at > 0 && (line[at - 1] == ']' || line[at - 1] == ')'))
      next = skip_brackets_back(line, at);
    else if (at > 0 && is_word(line[at - 1]))
      while (next > 0 && is_word(line[next - 1]))
        next--;
    else if (at < end && at > 0 && line[at - 1] == '.')
      next = at - 1;
    else if (at < end && at > 1 &&
             ((line[at - 2] == '-' && line[at - 1] == '>') || (line[at - 2] == ':' && line[at - 1] == ':')))
      next = at - 2;
    if (next == at) break;
    at = next;
  }
  while (at < end && at > 0 && line[at - 1] == '*')
    at--;
  return at;
}

// Length of the assignment operator at `at`; 0: there is none.
static uint32_t operator_length(const char *line, uint32_t at) {
  static const char *const operators[] = {
      "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "="};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strncmp(line + at, operators[i], strlen(operators[i])) == 0 &&
        !(strcmp(operators[i], "=") == 0 && line[at + 1] == '='))
      return (uint32_t)strlen(operators[i]);
  return 0;
}

static Extent operator_extent(const char *line, uint32_t at, uint32_t length) {
  uint32_t end = at;
  while (end > 0 && is_blank(line[end - 1]))
    end--;
  uint32_t start = expression_start(line, end);
  bool is_prefix = start == end; // ++i
  return (Extent){(is_prefix ? at : start) + 1, at + 1,
                  (is_prefix ? expression_end(line, at + length) : at + length) + 1};
}

static Extent find_extent(const char *line, uint32_t column) {
  Extent one = {column, column, column + 1};
  if (!line || column == 0 || column > strlen(line)) return one;
  uint32_t at = column - 1, length = operator_length(line, at);
  if (length) return operator_extent(line, at, length);
  uint32_t name = at;
  while (line[name] == '*' || line[name] == '&')
    name++;
  if (!is_word(line[name]) && line[name] != '(') return one;
  uint32_t end = expression_end(line, name);
  return end > at ? (Extent){column, column, end + 1} : one;
}

Extent extent_of(const char *line, uint32_t column) {
  Extent found = find_extent(line, column);
  ASSERT(found.start <= found.caret && found.caret < found.end);
  return found;
}
