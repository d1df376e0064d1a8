// Of which words and signs does a text consist? Comments, blanks and directives of the preprocessor are left
// out; a literal in quotes is one token without what is in it.
//
// Under-approximation: raw strings and digraphs are not known, and a literal ends with its line.
// SPDX-License-Identifier: Apache-2.0
#include "core/tokens.h"
#include "core/bug.h"

#include "core/str.h"

#include <ctype.h>
#include <string.h>

bool source_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// Behind the literal that begins at `at`; one that does not end on the line ends with it.
static const char *skip_literal(const char *at) {
  char quote = *at++;
  while (*at && *at != quote)
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

// A quote within a word separates digits: 1'000.
static bool is_literal(const char *text, const char *at) {
  return *at == '"' || (*at == '\'' && (at == text || !source_is_word(at[-1])));
}

static const char *skip_comment(SourceLexer *lexer, const char *at) {
  const char *end = strstr(at, "*/");
  lexer->in_comment = !end;
  return end ? end + 2 : at + strlen(at);
}

static const char *take_token(SourceLexer *lexer, const char *text, const char *at, uint32_t line) {
  const char *start = at;
  size_t length = 1;
  if (is_literal(text, at)) {
    at = skip_literal(at);
  } else {
    while (source_is_word(*at) && (source_is_word(at[length]) || at[length] == '\''))
      length++;
    at += length;
  }
  if (!lexer->in_directive && !isspace((unsigned char)*start))
    vec_push(lexer->arena, &lexer->tokens,
             (SourceToken){arena_strndup(lexer->arena, start, length), line, (uint32_t)(start - text) + 1});
  return at;
}

void source_lex_line(SourceLexer *lexer, const char *text, uint32_t line) {
  ASSERT(text);
  const char *at = text, *first = text + strspn(text, " \t");
  lexer->in_directive = lexer->in_directive || (!lexer->in_comment && *first == '#');
  while (*at) {
    if (lexer->in_comment) {
      at = skip_comment(lexer, at);
    } else if (at[0] == '/' && at[1] == '*') {
      lexer->in_comment = true;
      at += 2;
    } else if (at[0] == '/' && at[1] == '/') {
      break;
    } else {
      at = take_token(lexer, text, at, line);
    }
  }
  lexer->in_directive = lexer->in_directive && str_ends_with(text, "\\");
}

bool source_token_is(const SourceTokens *tokens, uint32_t at, const char *text) {
  ASSERT(text);
  return at < tokens->count && strcmp(tokens->items[at].text, text) == 0;
}

uint32_t source_behind_bracket(const SourceTokens *tokens, uint32_t at) {
  ASSERT(at < tokens->count);
  int depth = 0;
  for (; at < tokens->count; at++) {
    char c = tokens->items[at].text[0];
    depth += strchr("([{", c) ? 1 : strchr(")]}", c) ? -1 : 0;
    if (depth <= 0) return at + 1;
  }
  return at;
}
