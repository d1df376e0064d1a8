// Which spelling do nvcc and its host compiler take, and clang does not, although it means something plain?
// Operands of assembly without a comma between them, member templates without "template", arrays of
// variable length that begin as zeros, and launches with blanks in their brackets, or with a
// dimension in braces. Soundness: the text that
// is put there means what the other compilers make of the first one; another form is left as it is.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

// In `"r"(a) "l"(b)`, with the place at the second string.
bool fixup_missing_comma(const StrBuf *text, uint32_t line, uint32_t column, FixupCut *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t at = fixup_offset_of(text, line, column), before = at;
  if (!fixup_stands_at(text, at, "\"")) return false;
  while (before > 0 && isspace((unsigned char)text->text[before - 1]))
    before--;
  size_t behind = fixup_skip_space(text, fixup_skip_quoted(text, at));
  if (before == 0 || text->text[before - 1] != ')' || !fixup_stands_at(text, behind, "(")) return false;
  *out = (FixupCut){.start = {line, column}, .cut = "\"", .put = ", \""};
  return true;
}

// Behind "<...>" at `at`; the place itself if that is not closed on the way to a ";" or brace.
static size_t skip_angles(const StrBuf *text, size_t at) {
  int depth = 0;
  for (size_t i = at; i < text->length && !strchr(";{}", text->text[i]); i++) {
    depth += text->text[i] == '<' ? 1 : text->text[i] == '>' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return at;
}

// In `cast<A, B>::to<n>(x)` that depends on template parameters, with the place at `cast`: "template" before
// `to`.
bool fixup_missing_template(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t at = fixup_offset_of(text, line, column);
  while (at < text->length && (fixup_is_word(text->text[at]) || text->text[at] == ':'))
    at++;
  size_t behind = fixup_stands_at(text, at, "<") ? skip_angles(text, at) : at, name = behind + strlen("::");
  if (behind == at || !fixup_stands_at(text, behind, "::")) return false;
  size_t end = name;
  while (end < text->length && fixup_is_word(text->text[end]))
    end++;
  const char *word = arena_strndup(arena, text->text + name, end - name);
  if (end == name || !fixup_stands_at(text, end, "<") || strcmp(word, "template") == 0) return false;
  *out = (FixupCut){
      .start = fixup_place_of(text, name), .cut = word, .put = arena_printf(arena, "template %s", word)};
  return true;
}

// In `int a[n] = {0};`, with the place in the brackets.
bool fixup_zeroed_array(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t at = fixup_offset_of(text, line, column), open = at;
  if (at >= text->length) return false;
  while (open > 0 && !strchr("[];{}", text->text[open]))
    open--;
  size_t name_end = open;
  while (name_end > 0 && isspace((unsigned char)text->text[name_end - 1]))
    name_end--;
  size_t name = name_end;
  while (name > 0 && fixup_is_word(text->text[name - 1]))
    name--;
  if (text->text[open] != '[' || name == name_end) return false;
  size_t equals = fixup_skip_space(text, fixup_find_end(text, open + 1, "]") + 1);
  size_t brace = fixup_stands_at(text, equals, "=") ? fixup_skip_space(text, equals + 1) : equals;
  if (!fixup_stands_at(text, brace, "{")) return false;
  size_t value = fixup_skip_space(text, brace + 1);
  size_t close = fixup_skip_space(text, value + fixup_stands_at(text, value, "0"));
  if (!fixup_stands_at(text, close, "}") || !fixup_stands_at(text, fixup_skip_space(text, close + 1), ";"))
    return false;
  const char *array = arena_strndup(arena, text->text + name, name_end - name);
  *out = (FixupCut){.start = fixup_place_of(text, equals),
                    .cut = arena_strndup(arena, text->text + equals, close + 1 - equals),
                    .put = arena_printf(arena, "; __builtin_memset(%s, 0, sizeof(%s))", array, array)};
  return true;
}

// In `kernel << <grid, block >> > (a)`, as an editor formats it, with the place at the bracket that stands
// alone.
bool fixup_parted_launch(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t at = fixup_offset_of(text, line, column), before = at;
  if (at >= text->length || (text->text[at] != '<' && text->text[at] != '>')) return false;
  while (before > 0 && (text->text[before - 1] == ' ' || text->text[before - 1] == '\t'))
    before--;
  const char *whole = text->text[at] == '<' ? "<<<" : ">>>";
  bool is_pair = before >= 2 && before < at && memcmp(text->text + before - 2, whole, 2) == 0;
  if (!is_pair || (before > 2 && text->text[before - 3] == whole[0])) return false;
  size_t start = before - 2;
  *out = (FixupCut){.start = fixup_place_of(text, start),
                    .cut = arena_strndup(arena, text->text + start, at + 1 - start),
                    .put = arena_printf(arena, "%*s%s", (int)(at - before), "", whole)};
  return true;
}

// In `kernel<<<blocks, {x, y, 1}, 0, stream>>>(a)`, with the place at the brace: a dim3, as one of the first
// two.
bool fixup_braced_dimension(const StrBuf *text, uint32_t line, uint32_t column, FixupCut *out) {
  ASSERT(line > 0);
  ASSERT(out);
  size_t at = fixup_offset_of(text, line, column), before = at;
  int depth = 0, commas = 0;
  if (!fixup_stands_at(text, at, "{")) return false;
  for (; before > 0 && !strchr(";", text->text[before - 1]); before--) {
    const char *end = text->text + before;
    depth += strchr(")}]", end[-1]) ? 1 : strchr("({[", end[-1]) ? -1 : 0;
    if (depth < 0) return false;
    commas += depth == 0 && end[-1] == ',';
    if (before >= 3 && depth == 0 && memcmp(end - 3, "<<<", 3) == 0) break;
  }
  if (before < 3 || memcmp(text->text + before - 3, "<<<", 3) != 0 || commas > 1) return false;
  *out = (FixupCut){.start = {line, column}, .cut = "{", .put = "dim3{"};
  return true;
}
