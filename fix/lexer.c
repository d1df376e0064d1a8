// Which words and brackets does a source consist of, and where are its lines?
//
// A lexer as far as statements need one: words (numbers are words), quoted text, single marks. Comments and
// directives are no tokens. Of `#if ... #else ... #endif` the first branch counts (of `#if 0` the second), so
// that brackets are balanced where the program's are, whatever is defined.
//
// Soundness: no effect on verdicts: a change that was put in a wrong place is checked like any other.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

enum { CONDITIONS_MAX = 64 };

typedef struct Lexer {
  Source *source;
  Arena *arena;
  uint32_t at;
  bool is_skipped[CONDITIONS_MAX]; // by nesting of #if
  uint32_t depth, skipped;         // how many of them are
  VEC(uint32_t) open;              // brackets
} Lexer;

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static char look(const Lexer *lexer, uint32_t ahead) {
  uint32_t at = lexer->at + ahead;
  return at < lexer->source->length ? lexer->source->text[at] : '\0';
}

static void skip_line(Lexer *lexer) {
  while (lexer->at < lexer->source->length && look(lexer, 0) != '\n')
    lexer->at += look(lexer, 0) == '\\' && look(lexer, 1) == '\n' ? 2 : 1;
}

static bool skip_comment(Lexer *lexer) {
  if (look(lexer, 0) != '/') return false;
  if (look(lexer, 1) == '/') {
    skip_line(lexer);
    return true;
  }
  if (look(lexer, 1) != '*') return false;
  const char *end = strstr(lexer->source->text + lexer->at + 2, "*/");
  lexer->at = end ? (uint32_t)(end + 2 - lexer->source->text) : lexer->source->length;
  return true;
}

static void enter_condition(Lexer *lexer, bool is_skipped) {
  if (lexer->depth < CONDITIONS_MAX) lexer->is_skipped[lexer->depth] = is_skipped;
  lexer->depth++;
  lexer->skipped += is_skipped && lexer->depth <= CONDITIONS_MAX;
}

static void leave_condition(Lexer *lexer) {
  if (lexer->depth == 0) return;
  lexer->depth--;
  lexer->skipped -= lexer->depth < CONDITIONS_MAX && lexer->is_skipped[lexer->depth];
}

// At the word behind '#'. The other branch of one that counts does not, and the other way round.
static void note_directive(Lexer *lexer) {
  const char *word = lexer->source->text + lexer->at;
  if (str_starts_with(word, "if")) {
    enter_condition(lexer, strncmp(word, "if 0", 4) == 0);
  } else if (str_starts_with(word, "el") && lexer->depth) {
    bool was_skipped = lexer->depth <= CONDITIONS_MAX && lexer->is_skipped[lexer->depth - 1];
    bool is_first = was_skipped && strncmp(word, "else", 4) == 0;
    leave_condition(lexer);
    enter_condition(lexer, !is_first);
  } else if (str_starts_with(word, "endif")) {
    leave_condition(lexer);
  }
}

static void add_token(Lexer *lexer, uint32_t start, TokenKind kind) {
  uint32_t index = lexer->source->tokens.count;
  if (lexer->skipped) return;
  vec_push(lexer->arena, &lexer->source->tokens, (Token){start, lexer->at, index, kind});
  char c = lexer->source->text[start];
  if (kind != TOKEN_MARK) return;
  if (strchr("([{", c)) vec_push(lexer->arena, &lexer->open, index);
  if (!strchr(")]}", c) || lexer->open.count == 0) return;
  uint32_t mate = vec_last(&lexer->open);
  char opened = lexer->source->text[lexer->source->tokens.items[mate].start];
  if (opened != (c == ')' ? '(' : c == ']' ? '[' : '{')) return;
  lexer->open.count--;
  lexer->source->tokens.items[mate].mate = index;
  lexer->source->tokens.items[index].mate = mate;
}

static void read_quoted(Lexer *lexer, char quote) {
  for (lexer->at++; lexer->at < lexer->source->length && look(lexer, 0) != quote && look(lexer, 0) != '\n';)
    lexer->at += look(lexer, 0) == '\\' ? 2 : 1;
  lexer->at = lexer->at < lexer->source->length ? lexer->at + 1 : lexer->source->length;
}

// R"mark( ... )mark"
static bool read_raw(Lexer *lexer) {
  if (look(lexer, 0) != 'R' || look(lexer, 1) != '"') return false;
  const char *text = lexer->source->text + lexer->at + 2;
  size_t mark = strcspn(text, "(");
  char *close = arena_printf(lexer->arena, ")%.*s\"", (int)mark, text);
  const char *end = strstr(text, close);
  lexer->at = end ? (uint32_t)(end + strlen(close) - lexer->source->text) : lexer->source->length;
  return true;
}

static void read_token(Lexer *lexer) {
  uint32_t start = lexer->at;
  char c = look(lexer, 0);
  if (read_raw(lexer)) {
    add_token(lexer, start, TOKEN_QUOTED);
  } else if (c == '"' || (c == '\'' && !(start && isdigit((unsigned char)lexer->source->text[start - 1])))) {
    read_quoted(lexer, c);
    add_token(lexer, start, TOKEN_QUOTED);
  } else if (is_word(c)) {
    while (is_word(look(lexer, 0)))
      lexer->at++;
    add_token(lexer, start, TOKEN_WORD);
  } else {
    lexer->at++;
    add_token(lexer, start, TOKEN_MARK);
  }
}

static void read_tokens(Lexer *lexer) {
  bool is_line_start = true;
  while (lexer->at < lexer->source->length) {
    char c = look(lexer, 0);
    if (c == '\n') is_line_start = true;
    if (isspace((unsigned char)c)) {
      lexer->at++;
    } else if (skip_comment(lexer)) {
      continue;
    } else if (c == '#' && is_line_start) {
      do
        lexer->at++;
      while (look(lexer, 0) == ' ' || look(lexer, 0) == '\t');
      note_directive(lexer);
      skip_line(lexer);
    } else {
      is_line_start = false;
      read_token(lexer);
    }
  }
}

Source *source_read(const char *file, const char *text, size_t length, Arena *arena) {
  ASSERT(file);
  ASSERT(text);
  if (length >= UINT32_MAX || strlen(text) != length)
    return NULL; // a NUL ends it for some and not for others
  Source *source = arena_new(arena, Source);
  *source = (Source){.file = arena_strdup(arena, file), .text = text, .length = (uint32_t)length};
  vec_push(arena, &source->lines, 0);
  for (uint32_t i = 0; i < source->length; i++)
    if (text[i] == '\n') vec_push(arena, &source->lines, i + 1);
  Lexer lexer = {.source = source, .arena = arena};
  read_tokens(&lexer);
  source_find_statements(source, arena);
  return source;
}

bool token_is(const Source *source, uint32_t token, const char *text) {
  ASSERT(text);
  if (token >= source->tokens.count) return false;
  const Token *at = &source->tokens.items[token];
  size_t length = strlen(text);
  return at->end - at->start == length && memcmp(source->text + at->start, text, length) == 0;
}

uint32_t source_offset(const Source *source, uint32_t line, uint32_t column) {
  ASSERT(line > 0);
  if (line == 0 || line > source->lines.count) return UINT32_MAX;
  uint32_t at = source->lines.items[line - 1] + (column ? column - 1 : 0);
  return at < source->length ? at : UINT32_MAX;
}

uint32_t source_line(const Source *source, uint32_t offset) {
  ASSERT(offset <= source->length && source->lines.count > 0);
  uint32_t low = 0, high = source->lines.count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines.items[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

uint32_t line_start(const Source *source, uint32_t offset) {
  ASSERT(offset <= source->length);
  return source->lines.items[source_line(source, offset) - 1];
}

uint32_t line_end(const Source *source, uint32_t offset) {
  ASSERT(offset <= source->length);
  while (offset < source->length && source->text[offset] != '\n')
    offset++;
  return offset;
}

bool starts_line(const Source *source, uint32_t offset) {
  ASSERT(offset <= source->length);
  for (uint32_t i = line_start(source, offset); i < offset; i++)
    if (source->text[i] != ' ' && source->text[i] != '\t') return false;
  return true;
}

bool ends_line(const Source *source, uint32_t offset) {
  ASSERT(offset <= source->length);
  const char *at = source->text + offset;
  at += strspn(at, " \t\r");
  if (*at == '\n' || *at == '\0' || str_starts_with(at, "//")) return true;
  if (!str_starts_with(at, "/*")) return false;
  const char *end = strstr(at, "*/");
  return end && !memchr(at, '\n', (size_t)(end - at)) &&
         ends_line(source, (uint32_t)(end + 2 - source->text));
}

const char *text_between(const Source *source, uint32_t start, uint32_t end, Arena *arena) {
  return arena_strndup(arena, source->text + start, end - start);
}
