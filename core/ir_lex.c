// What does the IR's text consist of? Tokens, one at a time, for core/ir_read.c.
// Invariant: never reads past the terminating zero; after a mistake every token is the end, so that callers
// stop.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_lex.h"
#include "core/bug.h"
#include "core/ir_text.h"

#include <inttypes.h>
#include <string.h>

// ---- mistakes

// Reports the first mistake only; always false.
bool lex_fail_at(Lexer *lexer, const char *at, const char *format, ...) {
  ASSERT(format);
  if (lexer->has_failed) return false;
  lexer->has_failed = true;
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(lexer->scratch, format, args);
  va_end(args);
  SrcLoc loc = {.file = str_intern(lexer->strings, lexer->file_name),
                .line = lexer->line,
                .column = (uint32_t)(at - lexer->line_start) + 1,
                .function = ""};
  diag_report(lexer->sink, DIAG_ERROR, &loc, "%s", message);
  return false;
}

// ---- tokens

// -1 if c is no digit; capital digits are not written.
int lex_digit_value(char c, unsigned base) {
  int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
  return (unsigned)value < base ? value : -1;
}

void lex_skip_blanks(Lexer *lexer) {
  while (*lexer->at == ' ' || *lexer->at == '\t' || *lexer->at == '\r')
    lexer->at++;
  if (lexer->at[0] == '/' && lexer->at[1] == '/')
    while (*lexer->at && *lexer->at != '\n')
      lexer->at++;
}

bool lex_number(Lexer *lexer, uint64_t *number) {
  ASSERT(number);
  unsigned base = lexer->at[0] == '0' && lexer->at[1] == 'x' ? 16 : 10;
  if (base == 16) lexer->at += 2;
  if (lex_digit_value(*lexer->at, base) < 0) return lex_fail_at(lexer, lexer->at, "expected a digit");
  *number = 0;
  for (int digit; (digit = lex_digit_value(*lexer->at, base)) >= 0; lexer->at++) {
    if (*number > (UINT64_MAX - (unsigned)digit) / base)
      return lex_fail_at(lexer, lexer->at, "the number is too large");
    *number = *number * base + (unsigned)digit;
  }
  if (ir_name_char(*lexer->at, true)) return lex_fail_at(lexer, lexer->at, "a letter in a number");
  return true;
}

static const char *lex_name(Lexer *lexer) {
  const char *start = lexer->at;
  while (ir_name_char(*lexer->at, lexer->at == start))
    lexer->at++;
  return str_intern_n(lexer->strings, start, (size_t)(lexer->at - start));
}

// One character of a string behind a backslash.
static bool lex_escape(Lexer *lexer, char *c) {
  char kind = *lexer->at;
  if (kind == 'x') {
    int high = lex_digit_value(lexer->at[1], 16), low = high < 0 ? -1 : lex_digit_value(lexer->at[2], 16);
    if (low < 0 || high * 16 + low == 0)
      return lex_fail_at(lexer, lexer->at, "expected two hexadecimal digits, not 00");
    *c = (char)(high * 16 + low);
    lexer->at += 3;
    return true;
  }
  if (kind != 'n' && kind != '"' && kind != '\\')
    return lex_fail_at(lexer, lexer->at, "unknown escape in a string");
  *c = kind == 'n' ? '\n' : kind;
  lexer->at++;
  return true;
}

static bool lex_string(Lexer *lexer) {
  const char *start = lexer->at++;
  size_t length = 0, room = 0;
  while (lexer->at[room] && lexer->at[room] != '\n' && lexer->at[room] != '"')
    room += lexer->at[room] == '\\' && lexer->at[room + 1] ? 2 : 1;
  ArenaMark mark = arena_mark(lexer->scratch);
  char *text = arena_alloc(lexer->scratch, room + 1);
  while (*lexer->at != '"') {
    if (*lexer->at == 0 || *lexer->at == '\n')
      return lex_fail_at(lexer, start, "the string does not end on this line");
    if (*lexer->at != '\\')
      text[length++] = *lexer->at++;
    else if (lexer->at++, !lex_escape(lexer, &text[length++]))
      return false;
  }
  lexer->at++;
  lexer->token.kind = TOKEN_STRING;
  lexer->token.text = str_intern_n(lexer->strings, text, length);
  arena_release(lexer->scratch, mark);
  return true;
}

static bool lex_ref(Lexer *lexer) {
  lexer->token.kind = TOKEN_REF;
  lexer->token.sign = *lexer->at++;
  if (lexer->token.sign == '%' && *lexer->at == '#') {
    lexer->token.is_position = true;
    lexer->at++;
  }
  if (!lexer->token.is_position && ir_name_char(*lexer->at, true)) {
    lexer->token.text = lex_name(lexer);
    return true;
  }
  return lex_number(lexer, &lexer->token.number);
}

// Reads the next token; after a mistake the token is END, so that nothing goes on.
void lex_next(Lexer *lexer) {
  lex_skip_blanks(lexer);
  lexer->token = (Token){.kind = TOKEN_END, .at = lexer->at};
  char c = *lexer->at;
  bool good = true;
  if (lexer->has_failed || c == 0) return;
  if (c == '\n') {
    lexer->token.kind = TOKEN_LINE;
    return; // the line is left by next_line, so that mistakes at its end are reported on it
  }
  if (ir_name_char(c, true)) {
    lexer->token.kind = TOKEN_WORD;
    lexer->token.text = lex_name(lexer);
  } else if (lex_digit_value(c, 10) >= 0 || c == '-') {
    lexer->token.kind = TOKEN_NUMBER;
    lexer->token.is_negative = c == '-';
    lexer->at += c == '-';
    good = lex_number(lexer, &lexer->token.number);
  } else if (c == '"') {
    good = lex_string(lexer);
  } else if (strchr("%^$&@", c)) {
    good = lex_ref(lexer);
  } else if (strchr("()[]{},:=", c)) {
    lexer->token.kind = TOKEN_SIGN;
    lexer->token.sign = c;
    lexer->at++;
  } else {
    good = lex_fail_at(lexer, lexer->at, "unexpected character");
  }
  if (!good) lexer->token.kind = TOKEN_END;
}

// From the end of a line to the first token of the next line that has one.
void lex_next_line(Lexer *lexer) {
  while (lexer->token.kind == TOKEN_LINE) {
    lexer->line_start = ++lexer->at;
    lexer->line++;
    lex_next(lexer);
  }
}

void lex_go_to(Lexer *lexer, const char *at, uint32_t line) {
  lexer->at = lexer->line_start = at;
  lexer->line = line;
  lex_next(lexer);
  lex_next_line(lexer);
}

bool lex_is_sign(const Lexer *lexer, char sign) {
  return lexer->token.kind == TOKEN_SIGN && lexer->token.sign == sign;
}
bool lex_is_ref(const Lexer *lexer, char sigil) {
  return lexer->token.kind == TOKEN_REF && lexer->token.sign == sigil;
}
bool lex_is_word(const Lexer *lexer, const char *word) {
  ASSERT(word);
  return lexer->token.kind == TOKEN_WORD && strcmp(lexer->token.text, word) == 0;
}
bool lex_is_line_end(const Lexer *lexer) {
  return lexer->token.kind == TOKEN_LINE || lexer->token.kind == TOKEN_END;
}

bool lex_take_sign(Lexer *lexer, char sign) {
  if (!lex_is_sign(lexer, sign)) return false;
  lex_next(lexer);
  return true;
}

bool lex_take_word(Lexer *lexer, const char *word) {
  ASSERT(word);
  if (!lex_is_word(lexer, word)) return false;
  lex_next(lexer);
  return true;
}

bool lex_expect_sign(Lexer *lexer, char sign) {
  return lex_take_sign(lexer, sign) || lex_fail_here(lexer, "expected '%c'", sign);
}

bool lex_expect_line_end(Lexer *lexer) {
  if (!lex_is_line_end(lexer)) return lex_fail_here(lexer, "expected the end of the line");
  lex_next_line(lexer);
  return !lexer->has_failed;
}

bool lex_expect_number(Lexer *lexer, uint64_t limit, uint64_t *number) {
  ASSERT(number);
  if (lexer->token.kind != TOKEN_NUMBER || lexer->token.is_negative)
    return lex_fail_here(lexer, "expected a number");
  if (lexer->token.number > limit) return lex_fail_here(lexer, "the number is above %" PRIu64, limit);
  *number = lexer->token.number;
  lex_next(lexer);
  return true;
}

bool lex_expect_u32(Lexer *lexer, uint32_t *number) {
  ASSERT(number);
  uint64_t wide = 0;
  bool good = lex_expect_number(lexer, UINT32_MAX, &wide);
  *number = (uint32_t)wide;
  return good;
}

bool lex_expect_string(Lexer *lexer, const char **text) {
  if (lexer->token.kind != TOKEN_STRING) return lex_fail_here(lexer, "expected a string");
  *text = lexer->token.text;
  lex_next(lexer);
  return true;
}

bool lex_expect_string_or_none(Lexer *lexer, const char **text) {
  *text = NULL;
  return lex_take_word(lexer, "none") || lex_expect_string(lexer, text);
}

// A number with a sign; above INT64_MAX it is a bit pattern.
bool lex_expect_int64(Lexer *lexer, int64_t *value) {
  ASSERT(value);
  if (lexer->token.kind != TOKEN_NUMBER) return lex_fail_here(lexer, "expected a number");
  if (lexer->token.is_negative && lexer->token.number > UINT64_C(1) << 63)
    return lex_fail_here(lexer, "the number is too small");
  *value = (int64_t)(lexer->token.is_negative ? 0 - lexer->token.number : lexer->token.number);
  lex_next(lexer);
  return true;
}
