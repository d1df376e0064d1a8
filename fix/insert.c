// How does a statement get into a text so that it stands where it is meant to, and looks as if it had always
// been there?
//
// On a line of its own, indented as its neighbour, where the neighbour begins or ends its line; else beside it.
// The one statement of an if or a loop gets braces. A pragma stays with the loop that it is about.
//
// Soundness: no effect on verdicts; what the compiler does not take is not offered.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"
#include "core/bug.h"

#include <string.h>

static void place_of(const Source *source, uint32_t offset, uint32_t *line, uint32_t *column) {
  *line = source_line(source, offset);
  *column = offset - source->lines.items[*line - 1] + 1;
}

// Edits stay in order; of two at one place the one that was made first comes first.
void edit_replace(Fix *fix, const Source *source, uint32_t start, uint32_t end, const char *text,
                  Arena *arena) {
  ASSERT(text);
  FixEdit edit = {.file = source->file, .start = start, .end = end, .text = text};
  place_of(source, start, &edit.start_line, &edit.start_column);
  place_of(source, end, &edit.end_line, &edit.end_column);
  vec_push(arena, &fix->edits, edit);
  for (uint32_t i = fix->edits.count - 1; i > 0; i--) {
    FixEdit *one = &fix->edits.items[i - 1], *two = &fix->edits.items[i];
    int order = strcmp(one->file, two->file);
    if (order < 0 || (order == 0 && one->start <= two->start)) break;
    FixEdit kept = *one;
    *one = *two;
    *two = kept;
  }
}

static void insert(Fix *fix, const Source *source, uint32_t at, const char *text, Arena *arena) {
  edit_replace(fix, source, at, at, text, arena);
}

static const char *indent_at(const Source *source, uint32_t offset, Arena *arena) {
  uint32_t start = line_start(source, offset), end = start;
  while (source->text[end] == ' ' || source->text[end] == '\t')
    end++;
  return text_between(source, start, end, arena);
}

int statement_words(const char *statement) {
  ASSERT(statement);
  int length = (int)strlen(statement);
  return length && statement[length - 1] == ';' ? length - 1 : length;
}

const char *indent_of(const Source *source, uint32_t node, Arena *arena) {
  return indent_at(source, node_start(source, node), arena);
}

static const char *line_feed(const Source *source) {
  const char *first = strchr(source->text, '\n');
  return first && first > source->text && first[-1] == '\r' ? "\r\n" : "\n";
}

static const char *own_line(const Source *source, uint32_t beside, const char *statement, Arena *arena) {
  return arena_printf(arena, "%s%s%s", indent_at(source, beside, arena), statement, line_feed(source));
}

// The line of the offset, or of the first of the pragmas before it.
static uint32_t before_pragmas(const Source *source, uint32_t offset) {
  uint32_t start = line_start(source, offset);
  while (start > 0) {
    uint32_t previous = line_start(source, start - 1);
    const char *text = source->text + previous;
    if (!str_starts_with(text + strspn(text, " \t"), "#pragma")) break;
    start = previous;
  }
  return start;
}

static void put_in_braces(Fix *fix, const Source *source, uint32_t node, const char *before,
                          const char *behind, Arena *arena) {
  insert(fix, source, node_start(source, node), arena_printf(arena, "{ %s%s", before, *before ? " " : ""),
         arena);
  insert(fix, source, node_end(source, node), arena_printf(arena, " %s%s}", behind, *behind ? " " : ""),
         arena);
}

void edit_before(Fix *fix, const Source *source, uint32_t node, const char *statement, Arena *arena) {
  ASSERT(statement);
  uint32_t start = node_start(source, node);
  if (source->nodes.items[node].is_sole)
    put_in_braces(fix, source, node, statement, "", arena);
  else if (starts_line(source, start))
    insert(fix, source, before_pragmas(source, start), own_line(source, start, statement, arena), arena);
  else
    insert(fix, source, start, arena_printf(arena, "%s ", statement), arena);
}

void edit_behind(Fix *fix, const Source *source, uint32_t node, const char *statement, Arena *arena) {
  ASSERT(statement);
  uint32_t end = node_end(source, node), stop = line_end(source, end);
  if (source->nodes.items[node].is_sole)
    put_in_braces(fix, source, node, "", statement, arena);
  else if (ends_line(source, end) && stop < source->length)
    insert(fix, source, stop + 1, own_line(source, node_start(source, node), statement, arena), arena);
  else
    insert(fix, source, end, arena_printf(arena, " %s", statement), arena);
}

// In braces where an else of somebody else's follows.
void edit_guard(Fix *fix, const Source *source, uint32_t node, const char *condition, Arena *arena) {
  ASSERT(condition);
  const char *guard = arena_printf(arena, "if (%s)", condition);
  if (source->nodes.items[node].is_sole)
    put_in_braces(fix, source, node, guard, "", arena);
  else
    insert(fix, source, node_start(source, node), arena_printf(arena, "%s ", guard), arena);
}

static uint32_t last_in(const Source *source, uint32_t block) {
  uint32_t last = NO_NODE;
  for (uint32_t i = block + 1; i < source->nodes.count; i++)
    if (source->nodes.items[i].parent == block) last = i;
  return last;
}

void edit_at_end_of(Fix *fix, const Source *source, uint32_t loop, const char *statement, Arena *arena) {
  ASSERT(statement);
  uint32_t body = node_body(source, loop);
  bool is_block = body != NO_NODE && source->nodes.items[body].kind == NODE_BLOCK;
  uint32_t last = is_block ? last_in(source, body) : body;
  if (last != NO_NODE) edit_behind(fix, source, last, statement, arena);
}

void edit_at_start_of(Fix *fix, const Source *source, uint32_t loop, const char *statement, Arena *arena) {
  ASSERT(statement);
  uint32_t body = node_body(source, loop);
  bool is_block = body != NO_NODE && source->nodes.items[body].kind == NODE_BLOCK;
  uint32_t first = is_block ? node_body(source, body) : body;
  if (first != NO_NODE) edit_before(fix, source, first, statement, arena);
}

// With its line, if it has that for itself.
void edit_remove(Fix *fix, const Source *source, uint32_t node, Arena *arena) {
  ASSERT(node < source->nodes.count);
  uint32_t start = node_start(source, node), end = node_end(source, node), stop = line_end(source, end);
  bool is_alone = starts_line(source, start) && ends_line(source, end) && stop < source->length;
  if (source->nodes.items[node].is_sole)
    edit_replace(fix, source, start, end, ";", arena);
  else if (is_alone)
    edit_replace(fix, source, line_start(source, start), stop + 1, "", arena);
  else
    edit_replace(fix, source, start, end, "", arena);
}
