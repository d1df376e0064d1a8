// How does GitLab show the findings at the changed lines of a merge request? As a code quality report: an
// array of places with a description, a severity and a fingerprint.
//
// GitLab wants paths relative to the root of the repository, so the command has to run there. Undecided
// kernels are listed as information, because there is no other place for them and they are no pass; so are
// kernels that are race-free only if what was left out of the input does not matter.
//
// Soundness: what is suppressed or in the baseline is left out, as in the text report.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

static const char *severity_of(const Finding *finding) {
  if (finding->level == LEVEL_NOTE) return "info";
  if (finding->level == LEVEL_ERROR) return "critical";
  return finding->certainty != CERTAINTY_POSSIBLE ? "major" : "minor";
}

static const char *plain_path(const char *path) {
  while (path[0] == '.' && path[1] == '/')
    path += 2 + strspn(path + 2, "/");
  return path;
}

static json_t *make_location(const SrcLoc *loc, Arena *arena) {
  json_t *location = json_need(json_object()), *lines = json_need(json_object());
  // A place is required; what has none is about the run and stands at its beginning.
  json_put(location, "path", json_text(loc_known(loc) ? plain_path(loc->file) : ".", arena));
  json_put(lines, "begin", json_integer(loc_known(loc) && loc->line ? loc->line : 1));
  json_put(location, "lines", lines);
  return location;
}

static json_t *make_entry(const char *text, const char *check, const char *fingerprint, const char *severity,
                          Arena *arena) {
  json_t *object = json_need(json_object());
  json_put(object, "description", json_text(text, arena));
  json_put(object, "check_name", json_text(check, arena));
  json_put(object, "fingerprint", json_text(fingerprint, arena));
  json_put(object, "severity", json_text(severity, arena));
  return object;
}

// GitLab shows the description alone; other readers of this form (Code Climate's) have a place for more.
static json_t *make_content(const Fix *fix, Arena *arena) {
  json_t *content = json_need(json_object());
  const char *text = arena_printf(arena, "%s: %s\n\n```diff\n%s```\n",
                                  fix->is_assumption ? "Proved if the host guarantees it" : "Proved fix",
                                  escape_visible(arena, fix->title), fix->diff);
  json_put(content, "body", json_text(text, arena));
  return content;
}

static json_t *make_finding(const Report *report, const ReportGroup *group, Arena *arena) {
  json_t *object =
      make_entry(message_text(arena, &group->finding), finding_rule_info(group->finding.rule)->name,
                 group_identity(group, arena), severity_of(&group->finding), arena);
  json_put(object, "location", make_location(group_place(group), arena));
  const ReportFix *found = fix_of(report, group);
  if (found && found->fix) json_put(object, "content", make_content(found->fix, arena));
  return object;
}

static json_t *make_undecided(const UndecidedGroup *reason, uint32_t index, Arena *arena) {
  ASSERT(reason->text && reason->result);
  const char *kernel = reason->result->kernel ? reason->result->kernel : "";
  const char *text = arena_printf(arena, "kernel '%s' is undecided: %s", escape_visible(arena, kernel),
                                  escape_visible(arena, reason->text));
  uint64_t hash = str_hash(text, strlen(text), index); // equal texts at several places need several names
  json_t *object = make_entry(text, "undecided", arena_printf(arena, "%016" PRIx64, hash), "info", arena);
  json_put(object, "location", make_location(&reason->loc, arena));
  return object;
}

static json_t *make_provisional(const Report *report, const KernelSummary *kernel, Arena *arena) {
  const char *text = provisional_text(report, kernel, arena);
  uint64_t hash = str_hash(text, strlen(text), kernel->first->loc.line);
  json_t *object = make_entry(text, "provisional", arena_printf(arena, "%016" PRIx64, hash), "info", arena);
  json_put(object, "location", make_location(&kernel->first->loc, arena));
  return object;
}

void report_gitlab(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  Arena *scratch = arena_open();
  JsonStream stream = {.sink = sink};
  json_stream_open(&stream, '[');
  for (uint32_t i = 0; i < report->groups.count; i++) {
    ArenaMark mark = arena_mark(scratch);
    if (group_is_shown(&report->groups.items[i]))
      json_stream_value(&stream, make_finding(report, &report->groups.items[i], scratch));
    arena_release(scratch, mark);
  }
  const UndecidedGroups *reasons = &report->undecided;
  uint32_t copies = 0;
  for (uint32_t i = 0; i < reasons->count; i++) {
    const UndecidedGroup *before = i ? &reasons->items[i - 1] : NULL;
    bool is_copy = before && before->kernel == reasons->items[i].kernel &&
                   strcmp(before->text, reasons->items[i].text) == 0;
    copies = is_copy ? copies + 1 : 0;
    json_stream_value(&stream, make_undecided(&reasons->items[i], copies, scratch));
  }
  for (uint32_t i = 0; i < report->kernels.count; i++)
    if (kernel_leans_on_gaps(&report->kernels.items[i]))
      json_stream_value(&stream, make_provisional(report, &report->kernels.items[i], scratch));
  json_stream_close(&stream, ']');
  arena_close(scratch);
}
