// The tokens of a C++ text, line by line: for who asks about the text and not about its meaning.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_TOKENS_H
#define HGRD_CORE_TOKENS_H

#include "core/arena.h"
#include "core/vec.h"

#include <stdbool.h>

typedef struct SourceToken {
  const char *text; // a word or number, or one character; a literal in quotes is its quote
  uint32_t line, column;
} SourceToken;
typedef VEC(SourceToken) SourceTokens;

// Set `arena`, and hand over the lines in order: comments and directives may go on over several.
typedef struct SourceLexer {
  Arena *arena;
  SourceTokens tokens;
  bool in_comment, in_directive;
} SourceLexer;
void source_lex_line(SourceLexer *lexer, const char *text, uint32_t line);

bool source_is_word(char c);                                                     // of a name or number
bool source_token_is(const SourceTokens *tokens, uint32_t at, const char *text); // false behind the end
// Behind the round, square or curly bracket that closes the one at `at`; the count if none does.
uint32_t source_behind_bracket(const SourceTokens *tokens, uint32_t at);

#endif
