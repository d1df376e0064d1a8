// What is the text behind the edits, and where in it is what stood in the old one?
//
// Edits are in order and do not overlap, so that both are one walk along them. A place that an edit replaces
// becomes the start of what stands there now. Differences are told as runs of lines: common lines at both ends
// are passed over, and what is between is compared by the longest common sequence where that is small, else
// replaced as a whole.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"
#include "core/bug.h"

#include <string.h>

const char *fix_next_file(const Fix *fix, uint32_t *next) {
  ASSERT(next);
  if (*next >= fix->edits.count) return NULL;
  const char *file = fix->edits.items[*next].file;
  while (*next < fix->edits.count && strcmp(fix->edits.items[*next].file, file) == 0)
    ++*next;
  return file;
}

const char *fix_apply(const Fix *fix, const char *file, const char *text, size_t length, Arena *arena,
                      size_t *new_length) {
  ASSERT(file);
  ASSERT(text);
  StrBuf out = {.arena = arena};
  size_t at = 0;
  bool has_any = false;
  for (uint32_t i = 0; i < fix->edits.count; i++) {
    const FixEdit *edit = &fix->edits.items[i];
    if (strcmp(edit->file, file) != 0) continue;
    if (edit->start < at || edit->end > length) return NULL;
    strbuf_add_n(&out, text + at, edit->start - at);
    strbuf_add(&out, edit->text);
    at = edit->end;
    has_any = true;
  }
  strbuf_add_n(&out, text + at, length - at);
  *new_length = out.length;
  return has_any ? strbuf_text(&out) : NULL;
}

static void walk(const char *text, size_t length, uint32_t *line, uint32_t *column) {
  for (size_t i = 0; i < length; i++) {
    *column = text[i] == '\n' ? 1 : *column + 1;
    *line += text[i] == '\n';
  }
}

// Behind what was put in at the place itself: that stands before it now.
void fix_move(const Fix *fix, const char *file, const char *old_text, size_t old_length, uint32_t *line,
              uint32_t *column) {
  ASSERT(file);
  ASSERT(old_text);
  uint32_t new_line = 1, new_column = 1, old_line = 1, old_column = 1;
  size_t target = 0, at = 0;
  while (target < old_length && (old_line < *line || (old_line == *line && old_column < *column)))
    walk(old_text + target++, 1, &old_line, &old_column);
  for (uint32_t i = 0; i < fix->edits.count; i++) {
    const FixEdit *edit = &fix->edits.items[i];
    if (strcmp(edit->file, file) != 0 || edit->start > target) continue;
    walk(old_text + at, edit->start - at, &new_line, &new_column);
    at = edit->end;
    bool is_within = edit->start <= target && target < edit->end;
    if (is_within) {
      target = edit->end;
      break;
    }
    walk(edit->text, strlen(edit->text), &new_line, &new_column);
  }
  if (at < target) walk(old_text + at, target - at, &new_line, &new_column);
  *line = new_line;
  *column = new_column;
}

// ---- differences
enum { CONTEXT = 3, TABLE_MAX = 4 << 20 };

typedef struct Lines {
  VEC(const char *) at; // and one behind the last
} Lines;

static Lines lines_of(const char *text, Arena *arena) {
  Lines lines = {0};
  const char *end = text + strlen(text);
  while (text < end) {
    vec_push(arena, &lines.at, text);
    const char *stop = strchr(text, '\n');
    text = stop ? stop + 1 : end;
  }
  vec_push(arena, &lines.at, end);
  return lines;
}

static bool same_line(const Lines *a, uint32_t i, const Lines *b, uint32_t k) {
  size_t length = (size_t)(a->at.items[i + 1] - a->at.items[i]);
  return (size_t)(b->at.items[k + 1] - b->at.items[k]) == length &&
         memcmp(a->at.items[i], b->at.items[k], length) == 0;
}

typedef struct Diff {
  Lines old, new;
  bool *is_gone, *is_new; // by line
} Diff;

static void mark_all(bool *marks, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    marks[i] = true;
}

// Longest common sequence of the lines between `from` and the ends.
static void compare(Diff *diff, uint32_t from, uint32_t old_end, uint32_t new_end, Arena *arena) {
  uint32_t rows = old_end - from, columns = new_end - from, width = columns + 1;
  if ((uint64_t)(rows + 1) * width > TABLE_MAX) {
    mark_all(diff->is_gone, from, old_end);
    mark_all(diff->is_new, from, new_end);
    return;
  }
  uint32_t *table = arena_array(arena, (size_t)(rows + 1) * width, uint32_t);
  for (uint32_t i = rows; i-- > 0;)
    for (uint32_t k = columns; k-- > 0;) {
      uint32_t down = table[(i + 1) * width + k], right = table[i * width + k + 1];
      bool same = same_line(&diff->old, from + i, &diff->new, from + k);
      table[i * width + k] = same ? table[(i + 1) * width + k + 1] + 1 : down > right ? down : right;
    }
  uint32_t i = 0, k = 0;
  while (i < rows && k < columns) {
    if (same_line(&diff->old, from + i, &diff->new, from + k)) {
      i++, k++;
    } else if (table[(i + 1) * width + k] >= table[i * width + k + 1]) {
      diff->is_gone[from + i++] = true;
    } else {
      diff->is_new[from + k++] = true;
    }
  }
  mark_all(diff->is_gone, from + i, old_end);
  mark_all(diff->is_new, from + k, new_end);
}

static void add_line(StrBuf *out, char mark, const Lines *lines, uint32_t line) {
  const char *start = lines->at.items[line], *end = lines->at.items[line + 1];
  strbuf_add_n(out, &mark, 1);
  strbuf_add_n(out, start, (size_t)(end - start));
  if (end == start || end[-1] != '\n') strbuf_add(out, "\n\\ No newline at end of file\n");
}

static bool differs_at(const Diff *diff, uint32_t i, uint32_t k) {
  return (i + 1 < diff->old.at.count && diff->is_gone[i]) || (k + 1 < diff->new.at.count && diff->is_new[k]);
}

// Common lines up to the next change; `*is_last`: none follows.
static uint32_t common_run(const Diff *diff, uint32_t i, uint32_t k, bool *is_last) {
  uint32_t count = 0;
  while (i + count + 1 < diff->old.at.count && !differs_at(diff, i + count, k + count))
    count++;
  *is_last = i + count + 1 >= diff->old.at.count && !differs_at(diff, i + count, k + count);
  return count;
}

// A run of changes with what is around, from the lines `i` and `k` on; moves both behind it.
static void add_hunk(const Diff *diff, uint32_t *i, uint32_t *k, StrBuf *out) {
  StrBuf text = {.arena = out->arena};
  uint32_t lead = *i < CONTEXT ? *i : CONTEXT, old_start = *i - lead, new_start = *k - lead;
  for (uint32_t c = 0; c < lead; c++)
    add_line(&text, ' ', &diff->old, old_start + c);
  for (bool is_over = false; !is_over;) {
    while (*i + 1 < diff->old.at.count && diff->is_gone[*i])
      add_line(&text, '-', &diff->old, (*i)++);
    while (*k + 1 < diff->new.at.count && diff->is_new[*k])
      add_line(&text, '+', &diff->new, (*k)++);
    if (differs_at(diff, *i, *k)) continue;
    uint32_t common = common_run(diff, *i, *k, &is_over);
    is_over |= common > 2 * CONTEXT;
    if (is_over && common > CONTEXT) common = CONTEXT;
    for (uint32_t c = 0; c < common; c++, ++*i, ++*k)
      add_line(&text, ' ', &diff->old, *i);
  }
  uint32_t old_length = *i - old_start, new_length = *k - new_start;
  strbuf_printf(out, "@@ -%u,%u +%u,%u @@\n%s", old_start + (old_length > 0), old_length,
                new_start + (new_length > 0), new_length, strbuf_text(&text));
}

void fix_diff(const char *file, const char *old_text, const char *new_text, StrBuf *out) {
  ASSERT(file);
  ASSERT(old_text);
  ASSERT(new_text);
  ASSERT(out);
  Arena *scratch = arena_open();
  Diff diff = {.old = lines_of(old_text, scratch), .new = lines_of(new_text, scratch)};
  uint32_t old_count = diff.old.at.count - 1, new_count = diff.new.at.count - 1, from = 0;
  diff.is_gone = arena_array(scratch, old_count + 1u, bool);
  diff.is_new = arena_array(scratch, new_count + 1u, bool);
  while (from < old_count && from < new_count && same_line(&diff.old, from, &diff.new, from))
    from++;
  uint32_t old_end = old_count, new_end = new_count;
  while (old_end > from && new_end > from && same_line(&diff.old, old_end - 1, &diff.new, new_end - 1))
    old_end--, new_end--;
  compare(&diff, from, old_end, new_end, scratch);
  strbuf_printf(out, "--- %s\n+++ %s\n", file, file);
  for (uint32_t i = 0, k = 0; i < old_count || k < new_count;) {
    if (differs_at(&diff, i, k))
      add_hunk(&diff, &i, &k, out);
    else
      i++, k++;
  }
  arena_close(scratch);
}
