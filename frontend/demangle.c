// How does a user read a mangled name? With the C++ run-time library's demangler, whose text is then cut into
// the qualified name, with and without template arguments, and the arguments. Suffixes of LLVM (".17") are
// cut off first. Soundness: names are for people and for the table of recognised functions, which asks where
// the text stands too.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// From the C++ run-time library; it has no C header.
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static bool opens(char c) {
  return c == '(' || c == '<' || c == '{' || c == '[';
}
static bool closes(char c) {
  return c == ')' || c == '>' || c == '}' || c == ']';
}

// The end of "operator<<" and its like, whose signs are not brackets; NULL if no operator name starts here.
static const char *skip_operator(const char *start, const char *at) {
  if (!str_starts_with(at, "operator") || (at > start && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
    return NULL;
  at += strlen("operator");
  if (isalnum((unsigned char)*at) || *at == '_') return NULL;
  if (str_starts_with(at, "()")) return at + 2;
  while (*at && strchr("<>=!+-*/%^&|~,[]", *at))
    at++;
  return at;
}

typedef struct NameParts {
  const char *name; // after the return type
  const char *base; // last component
  const char *open; // the parenthesis of the arguments, or the end
} NameParts;

// One walk with a bracket depth: spaces at depth 0 end a return type, "::" at depth 0 a scope.
static NameParts find_parts(const char *text) {
  NameParts parts = {text, text, NULL};
  int depth = 0;
  for (const char *at = text; *at; at++) {
    const char *after = depth == 0 ? skip_operator(text, at) : NULL;
    if (after) {
      while (*after == ' ') // conversion operators: "operator int"
        while (*after && *after != '(')
          after++;
      at = after - 1;
      continue;
    }
    // "(anonymous namespace)" and "k(int)::local" are scopes, not arguments
    if (depth == 0 && *at == '(' && !str_starts_with(at, "(anonymous")) parts.open = at;
    if (opens(*at)) depth++;
    if (closes(*at) && depth > 0) depth--;
    if (depth > 0) continue;
    if (*at == ' ' && !parts.open) parts.name = parts.base = at + 1;
    if (str_starts_with(at, "::")) {
      parts.base = at + 2;
      parts.open = NULL;
    }
  }
  if (!parts.open) parts.open = text + strlen(text);
  return parts;
}

// Without template arguments and without the inline namespaces of libraries (__v1, __4, __1).
static char *strip_templates(Arena *arena, const char *from, const char *end) {
  char *out = arena_strndup(arena, from, (size_t)(end - from));
  size_t length = 0;
  int depth = 0;
  for (const char *at = from; at < end; at++) {
    const char *after = depth == 0 ? skip_operator(from, at) : NULL;
    for (; after && at < after && at < end; at++)
      out[length++] = *at;
    if (at >= end) break;
    if (*at == '<') depth++;
    if (depth == 0) out[length++] = *at;
    if (*at == '>' && depth > 0) depth--;
  }
  out[length] = '\0';
  return out;
}

static const char *arguments_of(Arena *arena, const char *open) {
  if (*open != '(') return "";
  const char *close = strrchr(open, ')');
  return close && close > open ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : "";
}

// The suffix that LLVM puts on a copy of a name: from the first '.' of a mangled name.
static char *without_suffix(const char *mangled, Arena *arena) {
  const char *dot = str_starts_with(mangled, "_Z") ? strchr(mangled, '.') : NULL;
  return dot ? arena_strndup(arena, mangled, (size_t)(dot - mangled)) : arena_strdup(arena, mangled);
}

Demangled demangle(const char *mangled, Arena *arena) {
  ASSERT(mangled);
  char *plain = without_suffix(mangled, arena);
  int status = -1;
  char *text = str_starts_with(plain, "_Z") ? __cxa_demangle(plain, NULL, NULL, &status) : NULL;
  if (!text || status != 0) {
    free(text);
    char *dot = strstr(plain, ".unit"); // see unique_names in frontend.c
    if (dot) *dot = '\0';
    return (Demangled){plain, plain, plain, ""};
  }
  char *copy = arena_strdup(arena, text);
  free(text);
  NameParts parts = find_parts(copy);
  Demangled out;
  out.display = arena_strndup(arena, parts.name, (size_t)(parts.open - parts.name));
  out.qualified = strip_templates(arena, parts.name, parts.open);
  out.base = strip_templates(arena, parts.base, parts.open);
  out.arguments = arguments_of(arena, parts.open);
  return out;
}

static const char stub_mark[] = "__device_stub__";

// The length before the mark is found from the demangled name: digits of an enclosing namespace ("ns1") may
// stand directly before it.
const char *stub_kernel_name(const char *name, Arena *arena) {
  ASSERT(name);
  const char *mark = strstr(name, stub_mark);
  if (!mark) return NULL;
  const char *rest = mark + strlen(stub_mark);
  if (mark == name) return arena_strdup(arena, rest); // extern "C"
  Demangled parts = demangle(name, arena);
  if (!str_starts_with(parts.base, stub_mark)) return NULL;
  const char *length = arena_printf(arena, "%zu", strlen(parts.base));
  const char *digits = mark - strlen(length);
  if (digits < name || strncmp(digits, length, strlen(length)) != 0) return NULL;
  return arena_printf(arena, "%.*s%zu%s", (int)(digits - name), name, strlen(parts.base) - strlen(stub_mark),
                      rest);
}
