// Which kernels of a file did the compiler never make? A template that nothing instantiates leaves nothing
// behind in a module, so the text is asked: tokens without comments, literals and directives; behind a head
// `template <...>`, `__global__` and attributes, the name in front of the parameters. It is told if no kernel
// of the program has that name.
//
// Under-approximation: definitions that macros write are not seen, nor those of headers, and an instance of
// another template of the same name hides one. Nothing is decided by it: what is told here has no verdict.
// SPDX-License-Identifier: Apache-2.0
#include "driver/templates.h"
#include "core/bug.h"

#include "core/tokens.h"

#include <string.h>

// ---- heads of templates

// Of a list of parameters of a template; within round brackets < compares.
static uint32_t behind_angle(const SourceTokens *tokens, uint32_t at) {
  ASSERT(at <= tokens->count);
  for (int depth = 0; at < tokens->count; at++) {
    if (source_token_is(tokens, at, "(")) at = source_behind_bracket(tokens, at);
    depth += source_token_is(tokens, at, "<");
    depth -= source_token_is(tokens, at, ">");
    if (depth <= 0) return at + 1;
  }
  return at;
}

// Of the declaration that goes on at `at`, behind __global__: the token that is its name, if it has a body.
static const SourceToken *name_of_definition(const SourceTokens *tokens, uint32_t at) {
  const SourceToken *name = NULL;
  for (; at < tokens->count; at++) {
    if (source_token_is(tokens, at, ";") || source_token_is(tokens, at, "}") ||
        source_token_is(tokens, at, "="))
      return NULL;
    if (source_token_is(tokens, at, "{")) return name;
    if (!source_token_is(tokens, at, "(")) continue;
    const SourceToken *before = &tokens->items[at - 1];
    bool is_attribute = !source_is_word(before->text[0]) || str_starts_with(before->text, "__");
    if (!is_attribute) name = before; // of several, such as MY_BOUNDS(256), the last
    at = source_behind_bracket(tokens, at) - 1;
  }
  return NULL;
}

static bool is_instance(const IrFunction *function, const char *name) {
  const char *display = function->display ? function->display : function->name;
  size_t end = strcspn(display, "<("), length = strlen(name);
  if (!function->is_kernel || end < length || memcmp(display + end - length, name, length) != 0) return false;
  return end == length || !source_is_word(display[end - length - 1]);
}

static bool is_made(uint32_t device_count, const IrModule *const *devices, const char *name) {
  for (uint32_t d = 0; d < device_count; d++)
    for (uint32_t i = 0; i < devices[d]->functions.count; i++)
      if (is_instance(devices[d]->functions.items[i], name)) return true;
  return false;
}

static SourceTokens tokens_of(const char *path, SourceCache *sources, Arena *arena) {
  SourceLexer lexer = {.arena = arena};
  uint32_t line = 1;
  for (const char *text; (text = source_cache_line(sources, path, line)) != NULL; line++)
    source_lex_line(&lexer, text, line);
  return lexer.tokens;
}

uint32_t templates_tell_unmade(const char *path, SourceCache *sources, uint32_t device_count,
                               const IrModule *const *devices, const regex_t *filter, Arena *arena,
                               DiagSink *sink) {
  ASSERT(path);
  ASSERT(devices);
  Arena *scratch = arena_open();
  SourceTokens tokens = tokens_of(path, sources, scratch);
  uint32_t told = 0;
  bool is_template = false;
  for (uint32_t i = 0; i < tokens.count; i++) {
    bool is_head = source_token_is(&tokens, i, "template") && source_token_is(&tokens, i + 1, "<");
    if (is_head) is_template = !source_token_is(&tokens, i + 2, ">"); // else: a specialisation, which is made
    if (is_head) i = behind_angle(&tokens, i + 1) - 1;
    if (i >= tokens.count) break;
    if (strpbrk(tokens.items[i].text, ";{}")) is_template = false;
    if (!is_template || !source_token_is(&tokens, i, "__global__")) continue;
    const SourceToken *name = name_of_definition(&tokens, i + 1);
    if (!name || is_made(device_count, devices, name->text)) continue;
    if (filter && regexec(filter, name->text, 0, NULL, 0) != 0) continue;
    SrcLoc at = {.file = arena_strdup(arena, path), .line = name->line, .column = name->column};
    diag_report(sink, DIAG_NOTE, &at, "kernel template '%s' is never instantiated: not checked", name->text);
    told++;
  }
  arena_close(scratch);
  return told;
}
