// The tokens of the IR's text form, for core/ir_read.c only. A token stays what it is until lex_next; take_
// and expect_ functions go on to the next token if it is what they name, and only expect_ ones complain if
// not.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_IR_LEX_H
#define HGRD_CORE_IR_LEX_H

#include "core/diag.h"
#include "core/str.h"

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_LINE, // end of a line
  TOKEN_WORD,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_REF, // sigil, then a name or a number
  TOKEN_SIGN // one character
} TokenKind;

typedef struct Token {
  TokenKind kind;
  char sign;        // SIGN, or the sigil of REF
  bool is_negative; // NUMBER
  bool is_position; // REF: %#2
  uint64_t number;  // NUMBER (magnitude), REF without a name
  const char *text; // WORD, STRING, REF with a name (interned); else NULL
  const char *at;   // where it starts
} Token;

typedef struct Lexer {
  StrTable *strings;
  Arena *scratch;
  DiagSink *sink;
  const char *file_name;
  const char *at; // behind the token; at the end of a line it stays in front of the line break
  const char *line_start;
  uint32_t line;
  bool has_failed;
  Token token;
} Lexer;

// Reports the first mistake only; always false.
bool lex_fail_at(Lexer *lexer, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define lex_fail_here(lexer, ...) lex_fail_at((lexer), (lexer)->token.at, __VA_ARGS__)

void lex_next(Lexer *lexer);
void lex_next_line(Lexer *lexer); // from the end of a line to the next token there is
void lex_go_to(Lexer *lexer, const char *at, uint32_t line); // `at` starts a line
// Straight from the text, for initial data.
void lex_skip_blanks(Lexer *lexer); // and a comment
bool lex_number(Lexer *lexer, uint64_t *number);
int lex_digit_value(char c, unsigned base); // -1 if c is no digit; capital digits are not written

bool lex_is_sign(const Lexer *lexer, char sign);
bool lex_is_ref(const Lexer *lexer, char sigil);
bool lex_is_word(const Lexer *lexer, const char *word);
bool lex_is_line_end(const Lexer *lexer); // or of the text
bool lex_take_sign(Lexer *lexer, char sign);
bool lex_take_word(Lexer *lexer, const char *word);
bool lex_expect_sign(Lexer *lexer, char sign);
bool lex_expect_line_end(Lexer *lexer);
bool lex_expect_number(Lexer *lexer, uint64_t limit, uint64_t *number);
bool lex_expect_u32(Lexer *lexer, uint32_t *number);
bool lex_expect_int64(Lexer *lexer, int64_t *value); // above INT64_MAX it is a bit pattern
bool lex_expect_string(Lexer *lexer, const char **text);
bool lex_expect_string_or_none(Lexer *lexer, const char **text);

#endif
