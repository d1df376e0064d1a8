// Which findings are meant to be, by a comment at the code or by a suppression file, and which of those are
// not needed any more?
//
// A comment `hgrd-suppress(rule): reason` covers the findings of that rule with an access on its line, or on
// the first line of code below when the comment has its line for itself; a comment that covers the head of a
// kernel covers the kernel. Several rules are separated by commas; a rule is given by name or id. For inlined
// code the lines of the calls count as well. All comments of the files that the report speaks of are read,
// once: one that covers no finding is named, so that it does not hide tomorrow's race.
//
// Soundness: only what stands after `//` or `/*` counts, the rule must be named, and suppressed findings stay
// in the verdict, the totals and the JSON output. A comment is called stale only if nothing was left
// undecided that it may be there for.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

enum { COMMENT_LINES = 8, HEAD_LINES = 8 };
static const char KEYWORD[] = "hgrd-suppress(";

// One rule of one comment.
typedef struct Comment {
  uint32_t line, column;
  uint32_t covers; // the line of code
  FindingRule rule;
  const char *rule_name, *reason;
  bool is_used;
} Comment;

typedef struct CommentFile {
  const char *path;
  VEC(Comment) comments;
} CommentFile;

typedef struct Comments {
  const ReportOptions *options;
  Arena *arena;
  VEC(CommentFile) files;
} Comments;

// ---- reading comments

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *text) {
  while (is_blank(*text))
    text++;
  return text;
}

static const char *skip_quoted(const char *text) {
  char quote = *text++;
  for (; *text && *text != quote; text++)
    if (*text == '\\' && text[1]) text++;
  return *text ? text + 1 : text;
}

// Where the comment on this line begins, the whole line if it seems to be inside one; NULL: there is none.
static const char *comment_on(const char *line) {
  const char *at = skip_blanks(line);
  if (*at == '*') return at;
  while (*at) {
    if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) return at;
    // A digit separator is no quote.
    bool is_quote = *at == '"' || (*at == '\'' && !(at > line && at[-1] >= '0' && at[-1] <= '9'));
    at = is_quote ? skip_quoted(at) : at + 1;
  }
  return NULL;
}

static bool is_comment_line(const char *line) {
  return comment_on(line) == skip_blanks(line) && *skip_blanks(line);
}

static const char *reason_after(const char *text, Arena *arena) {
  text = skip_blanks(text);
  if (*text == ':') text = skip_blanks(text + 1);
  const char *end = strstr(text, "*/");
  size_t length = end ? (size_t)(end - text) : strlen(text);
  while (length > 0 && is_blank(text[length - 1]))
    length--;
  return length ? arena_strndup(arena, text, length) : "no reason given";
}

static const char *line_of(const Comments *all, const char *file, uint32_t line) {
  return all->options->read_line(all->options->context, file, line);
}

static uint32_t covered_line(const Comments *all, const char *file, uint32_t line) {
  const char *text = line_of(all, file, line);
  for (uint32_t down = 0; down < COMMENT_LINES && text && is_comment_line(text); down++)
    text = line_of(all, file, ++line);
  return line;
}

static void add_rules(Comments *all, CommentFile *file, Comment comment, const char *list, const char *end) {
  while (list < end) {
    list += strspn(list, " \t,");
    size_t length = strcspn(list, " \t,)");
    if (list >= end || length == 0) return;
    comment.rule_name = arena_strndup(all->arena, list, length);
    comment.rule = report_find_rule(comment.rule_name);
    vec_push(all->arena, &file->comments, comment);
    list += length;
  }
}

static void read_comment(Comments *all, CommentFile *file, uint32_t number, const char *line) {
  ASSERT(number >= 1);
  const char *comment = strstr(line, KEYWORD) ? comment_on(line) : NULL;
  const char *at = comment ? strstr(comment, KEYWORD) : NULL;
  const char *list = at ? at + sizeof KEYWORD - 1 : NULL, *close = list ? strchr(list, ')') : NULL;
  if (!close) return;
  // The cache may give its memory to other lines while the covered one is looked for.
  const char *copy = arena_strdup(all->arena, line);
  Comment found = {.line = number,
                   .column = (uint32_t)(at - line) + 1,
                   .reason = reason_after(copy + (close + 1 - line), all->arena)};
  size_t first = (size_t)(list - line), last = (size_t)(close - line);
  found.covers = covered_line(all, file->path, number);
  add_rules(all, file, found, copy + first, copy + last);
}

static CommentFile *comments_of(Comments *all, const char *path) {
  for (uint32_t i = 0; i < all->files.count; i++)
    if (strcmp(all->files.items[i].path, path) == 0) return &all->files.items[i];
  CommentFile file = {.path = path};
  const char *line;
  for (uint32_t number = 1; (line = line_of(all, path, number)) != NULL; number++)
    read_comment(all, &file, number, line);
  vec_push(all->arena, &all->files, file);
  return &vec_last(&all->files);
}

// ---- what they cover

static const char *find_in_lines(Comments *all, const char *path, uint32_t first, uint32_t last,
                                 FindingRule rule) {
  CommentFile *file = comments_of(all, path);
  const char *reason = NULL;
  for (uint32_t i = 0; i < file->comments.count; i++) {
    Comment *comment = &file->comments.items[i];
    if (comment->rule != rule || comment->covers < first || comment->covers > last) continue;
    comment->is_used = true;
    reason = reason ? reason : comment->reason;
  }
  return reason;
}

static const char *find_at_accesses(Comments *all, const Finding *finding) {
  const char *reason = NULL;
  for (int i = 0; i < 2; i++)
    for (const SrcLoc *loc = &finding->accesses[i].loc; loc && loc_known(loc) && loc->line;
         loc = loc->inlined_at) {
      const char *found = find_in_lines(all, loc->file, loc->line, loc->line, finding->rule);
      reason = reason ? reason : found;
    }
  return reason;
}

// The declaration that the kernel's name stands in may have begun some lines above: `template <...>`.
static uint32_t head_start(const Comments *all, const SrcLoc *loc) {
  uint32_t line = loc->line;
  for (uint32_t up = 0; up < HEAD_LINES && line > 1; up++, line--) {
    const char *text = line_of(all, loc->file, line - 1);
    const char *last = text ? text + strlen(text) : NULL;
    while (last && last > text && is_blank(last[-1]))
      last--;
    if (!last || last == text || strchr(";{}", last[-1]) || *skip_blanks(text) == '#' || comment_on(text))
      break;
  }
  return line;
}

static const char *find_at_kernel(Comments *all, const ReportGroup *group) {
  const SrcLoc *loc = &group->result->loc;
  if (!loc_known(loc) || loc->line == 0) return NULL;
  return find_in_lines(all, loc->file, head_start(all, loc), loc->line, group->finding.rule);
}

static void suppress_by_comment(Comments *all, ReportGroup *group) {
  const char *here = find_at_accesses(all, &group->finding), *kernel = find_at_kernel(all, group);
  if (!here && !kernel) return;
  group->suppressed = SUPPRESSED_BY_COMMENT;
  group->reason = here ? here : kernel;
}

static void suppress_by_file(const ReportSuppressions *file, bool *is_used, ReportGroup *group) {
  for (uint32_t i = 0; file && i < file->list.count; i++) {
    if (!file_suppression_covers(&file->list.items[i], group)) continue;
    is_used[i] = true;
    if (group->suppressed != SUPPRESSED_NOT) continue;
    group->suppressed = SUPPRESSED_BY_FILE;
    group->reason = file->list.items[i].reason;
  }
}

// ---- what is not needed any more

static bool is_input(const ReportInput *input, const char *file) {
  for (uint32_t i = 0; i < input->file_count; i++)
    if (strcmp(file_name_of(&input->files[i]), file) == 0) return true;
  return false;
}

bool file_is_decided(const ReportInput *input, const char *file) {
  ASSERT(file);
  if (input->is_interrupted || (input->diags && input->diags->error_count > 0)) return false;
  bool is_own = is_input(input, file); // else: a header, which any kernel may include
  for (uint32_t i = 0; i < input->result_count; i++) {
    const KernelResult *result = input->results[i];
    bool is_open = result->verdict == VERDICT_UNKNOWN || result->undecided.count > 0;
    if (is_open && (!is_own || (loc_known(&result->loc) && strcmp(result->loc.file, file) == 0)))
      return false;
  }
  return true;
}

static void add_stale(Comments *all, ReportStales *stales, const CommentFile *file, const Comment *comment) {
  const char *text =
      comment->rule == RULE_NONE
          ? arena_printf(all->arena, "this suppression names no rule: '%s'; %s", comment->rule_name,
                         report_meant(report_nearest_rule(comment->rule_name), all->arena))
          : arena_printf(all->arena, "no finding of %s is left for this suppression: take it out",
                         finding_rule_info(comment->rule)->name);
  SrcLoc loc = {.file = file->path, .line = comment->line, .column = comment->column};
  vec_push(all->arena, &stales->list, (ReportStale){"stale-suppression", loc, text});
}

static int compare_paths(const void *left, const void *right) {
  return strcmp(((const CommentFile *)left)->path, ((const CommentFile *)right)->path);
}

static void find_stale_comments(Comments *all, const ReportInput *input, ReportStales *stales) {
  for (uint32_t i = 0; i < input->file_count; i++)
    if (input->files[i].is_ok) comments_of(all, file_name_of(&input->files[i]));
  for (uint32_t i = 0; i < input->result_count; i++)
    if (loc_known(&input->results[i]->loc)) comments_of(all, input->results[i]->loc.file);
  if (all->files.count > 0) qsort(all->files.items, all->files.count, sizeof(CommentFile), compare_paths);
  for (uint32_t i = 0; i < all->files.count; i++) {
    const CommentFile *file = &all->files.items[i];
    bool is_known =
        !all->options->is_partial && file->comments.count > 0 && file_is_decided(input, file->path);
    for (uint32_t k = 0; k < file->comments.count; k++) {
      const Comment *comment = &file->comments.items[k];
      bool is_off = comment->rule != RULE_NONE && all->options->levels[comment->rule] == LEVEL_NONE;
      if (comment->rule == RULE_NONE || (is_known && !comment->is_used && !is_off))
        add_stale(all, stales, file, comment);
    }
  }
}

static void find_stale_lines(const Comments *all, const ReportInput *input, const bool *is_used,
                             ReportStales *stales) {
  const ReportSuppressions *file = all->options->suppressions;
  bool is_whole = !all->options->is_partial && !input->is_interrupted;
  for (uint32_t i = 0; i < input->result_count; i++)
    is_whole =
        is_whole && file_is_decided(input, input->results[i]->loc.file ? input->results[i]->loc.file : "");
  for (uint32_t i = 0; file && is_whole && i < file->list.count; i++) {
    const FileSuppression *line = &file->list.items[i];
    SrcLoc loc = {.file = line->path, .line = line->line, .column = 1};
    if (is_used[i] || (line->rule != RULE_NONE && all->options->levels[line->rule] == LEVEL_NONE)) continue;
    vec_push(all->arena, &stales->list,
             (ReportStale){"stale-suppression", loc,
                           arena_printf(all->arena,
                                        "no finding is left for this suppression (%s %s %s): take it out",
                                        line->rule_name, line->path_glob, line->kernel_glob)});
  }
}

void suppress_groups(const ReportInput *input, const ReportOptions *options, ReportGroups *groups,
                     ReportStales *stales, Arena *arena) {
  ASSERT(input && options);
  ASSERT(groups && stales);
  Comments all = {.options = options, .arena = arena};
  uint32_t lines = options->suppressions ? options->suppressions->list.count : 0;
  bool *is_used = arena_array(arena, lines + 1, bool);
  for (uint32_t i = 0; i < groups->count; i++) {
    if (options->read_line) suppress_by_comment(&all, &groups->items[i]);
    suppress_by_file(options->suppressions, is_used, &groups->items[i]);
  }
  if (options->read_line) find_stale_comments(&all, input, stales);
  find_stale_lines(&all, input, is_used, stales);
}
