// Which kernels of a file did the compiler never make? A template that nothing instantiates leaves nothing
// behind in a module, so the text is asked: tokens without comments, literals and directives; behind a head
// `template <...>`, `__global__` and attributes, the name in front of the parameters. It is told if no kernel
// of the program has that name.
//
// Under-approximation: definitions that macros write are not seen, nor those of headers, and an instance of
// another template of the same name hides one. Nothing is decided by it: what is told here has no verdict.
// SPDX-License-Identifier: Apache-2.0
#include "driver/templates.h"

#include <ctype.h>
#include <string.h>

typedef struct Token {
  const char *text; // a word, or one character
  uint32_t line;
  uint32_t column;
} Token;
typedef VEC(Token) Tokens;

typedef struct Lexer {
  Arena *arena;
  Tokens tokens;
  bool in_comment, in_directive;
} Lexer;

// ---- tokens
// -----------------------------------------------------------------------------------------------------

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// Behind the literal that begins at `at`; one that does not end on the line ends with it.
static const char *skip_literal(const char *at) {
  char quote = *at++;
  while (*at && *at != quote)
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

static void lex_line(Lexer *lexer, const char *text, uint32_t line) {
  const char *at = text, *start = text + strspn(text, " \t");
  lexer->in_directive = lexer->in_directive || (!lexer->in_comment && *start == '#');
  while (*at) {
    if (lexer->in_comment) {
      const char *end = strstr(at, "*/");
      lexer->in_comment = !end;
      at = end ? end + 2 : at + strlen(at);
    } else if (at[0] == '/' && at[1] == '*') {
      lexer->in_comment = true;
      at += 2;
    } else if (at[0] == '/' && at[1] == '/') {
      break;
    } else if (*at == '"' || (*at == '\'' && (at == text || !is_word(at[-1])))) {
      at = skip_literal(at);
    } else {
      size_t length = 1;
      while (is_word(*at) && is_word(at[length]))
        length++;
      if (!lexer->in_directive && !isspace((unsigned char)*at))
        vec_push(lexer->arena, &lexer->tokens,
                 (Token){arena_strndup(lexer->arena, at, length), line, (uint32_t)(at - text) + 1});
      at += length;
    }
  }
  lexer->in_directive = lexer->in_directive && str_ends_with(text, "\\");
}

// ---- heads of templates
// -----------------------------------------------------------------------------------------

static bool is_token(const Tokens *tokens, uint32_t at, const char *text) {
  return at < tokens->count && strcmp(tokens->items[at].text, text) == 0;
}

// The one behind the bracket that closes the one at `at`; the end if none does.
static uint32_t behind_round(const Tokens *tokens, uint32_t at) {
  for (int depth = 0; at < tokens->count; at++) {
    depth += is_token(tokens, at, "(");
    depth -= is_token(tokens, at, ")");
    if (depth <= 0) return at + 1;
  }
  return at;
}

// Of a list of parameters of a template; within round brackets < compares.
static uint32_t behind_angle(const Tokens *tokens, uint32_t at) {
  for (int depth = 0; at < tokens->count; at++) {
    if (is_token(tokens, at, "(")) at = behind_round(tokens, at);
    depth += is_token(tokens, at, "<");
    depth -= is_token(tokens, at, ">");
    if (depth <= 0) return at + 1;
  }
  return at;
}

// Of the declaration that goes on at `at`, behind __global__: the token that is its name, if it has a body.
static const Token *name_of_definition(const Tokens *tokens, uint32_t at) {
  const Token *name = NULL;
  for (; at < tokens->count; at++) {
    if (is_token(tokens, at, ";") || is_token(tokens, at, "}") || is_token(tokens, at, "=")) return NULL;
    if (is_token(tokens, at, "{")) return name;
    if (!is_token(tokens, at, "(")) continue;
    const Token *before = &tokens->items[at - 1];
    bool is_attribute = !is_word(before->text[0]) || str_starts_with(before->text, "__");
    if (!is_attribute) name = before; // of several, such as MY_BOUNDS(256), the last
    at = behind_round(tokens, at) - 1;
  }
  return NULL;
}

static bool is_instance(const IrFunction *function, const char *name) {
  const char *display = function->display ? function->display : function->name;
  size_t end = strcspn(display, "<("), length = strlen(name);
  if (!function->is_kernel || end < length || memcmp(display + end - length, name, length) != 0) return false;
  return end == length || !is_word(display[end - length - 1]);
}

static bool is_made(uint32_t device_count, const IrModule *const *devices, const char *name) {
  for (uint32_t d = 0; d < device_count; d++)
    for (uint32_t i = 0; i < devices[d]->functions.count; i++)
      if (is_instance(devices[d]->functions.items[i], name)) return true;
  return false;
}

static Tokens tokens_of(const char *path, SourceCache *sources, Arena *arena) {
  Lexer lexer = {.arena = arena};
  uint32_t line = 1;
  for (const char *text; (text = source_cache_line(sources, path, line)) != NULL; line++)
    lex_line(&lexer, text, line);
  return lexer.tokens;
}

uint32_t templates_tell_unmade(const char *path, SourceCache *sources, uint32_t device_count,
                               const IrModule *const *devices, const regex_t *filter, Arena *arena,
                               DiagSink *sink) {
  Arena *scratch = arena_open();
  Tokens tokens = tokens_of(path, sources, scratch);
  uint32_t told = 0;
  bool is_template = false;
  for (uint32_t i = 0; i < tokens.count; i++) {
    bool is_head = is_token(&tokens, i, "template") && is_token(&tokens, i + 1, "<");
    if (is_head) is_template = !is_token(&tokens, i + 2, ">"); // else: a specialisation, which is made
    if (is_head) i = behind_angle(&tokens, i + 1) - 1;
    if (i >= tokens.count) break;
    if (strpbrk(tokens.items[i].text, ";{}")) is_template = false;
    if (!is_template || !is_token(&tokens, i, "__global__")) continue;
    const Token *name = name_of_definition(&tokens, i + 1);
    if (!name || is_made(device_count, devices, name->text)) continue;
    if (filter && regexec(filter, name->text, 0, NULL, 0) != 0) continue;
    SrcLoc at = {.file = arena_strdup(arena, path), .line = name->line, .column = name->column};
    diag_report(sink, DIAG_NOTE, &at, "kernel template '%s' is never instantiated: not checked", name->text);
    told++;
  }
  arena_close(scratch);
  return told;
}
