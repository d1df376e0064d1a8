// Which findings are there today, so that tomorrow only new ones are shown, and which of them are gone?
//
// A baseline is an earlier report of ours, as JSON or SARIF, or a text file with one finding a line,
// `fingerprint rule file kernel object`, separated by tabs and sorted, so that it merges well under version
// control. The fingerprint decides (fingerprint.c); of several findings with one fingerprint, those are the
// known ones that have the object of an entry, then as many as entries are left. Entries of version 1 count
// as they did. Rule, file and kernel are there to name what is gone.
//
// Soundness: suppressed findings are left out, they are suppressed anyhow; known ones are kept. An entry is
// called stale only if its file was checked in this run and nothing of it is undecided.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

typedef struct BaselineEntry {
  const char *identity;                      // fingerprint:occurrence
  const char *rule, *file, *kernel, *object; // "" if the baseline does not say
  uint32_t line;                             // of the baseline; 0: not a text file
} BaselineEntry;

struct ReportBaseline {
  const char *path;
  VEC(BaselineEntry) entries; // sorted by identity
};

static int compare_entries(const void *left, const void *right) {
  const BaselineEntry *a = left, *b = right;
  int order = strcmp(a->identity, b->identity);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

// ---- writing

static int compare_lines(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *baseline_line(const ReportGroup *group, Arena *arena) {
  const Finding *finding = &group->finding;
  return arena_printf(arena, "%s\t%s\t%s\t%s\t%s\n", group_identity(group, arena),
                      finding_rule_info(finding->rule)->name, escape_visible(arena, group_place(group)->file),
                      escape_visible(arena, finding->kernel), escape_visible(arena, finding->object));
}

void report_baseline(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  const ReportGroups *groups = &report->groups;
  Arena *arena = arena_open();
  const char **lines = arena_array(arena, groups->count + 1, const char *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < groups->count; i++)
    if (groups->items[i].suppressed == SUPPRESSED_NOT)
      lines[count++] = baseline_line(&groups->items[i], arena);
  if (count > 0) qsort(lines, count, sizeof *lines, compare_lines);
  strbuf_add(&sink->text, "# Findings that hgrd-check --baseline does not show: fingerprint (version 2), "
                          "rule, file, kernel, object\n");
  for (uint32_t i = 0; i < count; i++) {
    strbuf_add(&sink->text, lines[i]);
    sink_offer(sink);
  }
  arena_close(arena);
}

// ---- reading lines

static bool is_identity(const char *text) {
  size_t digits = strspn(text, "0123456789abcdef");
  return digits == 32 && text[32] == ':' && text[33] && strspn(text + 33, "0123456789") == strlen(text + 33);
}

// The next field; the earliest baselines separate by blanks and do not name the file.
static const char *next_field(char **text, const char *separators) {
  char *field = *text;
  *text += strcspn(field, separators);
  if (**text) *(*text)++ = 0;
  return field;
}

static bool read_lines(ReportBaseline *baseline, const char *text, Arena *arena, const char **error) {
  for (uint32_t number = 1; *text; number++) {
    size_t length = strcspn(text, "\n");
    char *line = arena_strndup(arena, text, length);
    text += length + (text[length] == '\n');
    line[strcspn(line, "\r")] = 0;
    if (line[0] == '#' || line[strspn(line, " \t")] == 0) continue;
    const char *separators = strchr(line, '\t') ? "\t" : " ";
    BaselineEntry entry = {.line = number, .file = "", .kernel = "", .object = ""};
    entry.identity = next_field(&line, separators);
    entry.rule = next_field(&line, separators);
    if (separators[0] == '\t') {
      entry.file = next_field(&line, "\t");
      entry.kernel = next_field(&line, "\t");
      entry.object = next_field(&line, "\t");
    }
    if (!is_identity(entry.identity)) {
      *error =
          arena_printf(arena,
                       "%s:%u: this is no line of a baseline; give a report of hgrd-check in JSON or SARIF, "
                       "or what --write-baseline wrote",
                       baseline->path, number);
      return false;
    }
    vec_push(arena, &baseline->entries, entry);
  }
  return true;
}

// ---- reading JSON and SARIF

static const char *text_at(json_t *object, const char *key, Arena *arena) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? arena_strdup(arena, text) : "";
}

static void add_json_findings(ReportBaseline *baseline, json_t *findings, Arena *arena) {
  size_t i;
  json_t *finding;
  json_array_foreach(findings, i, finding) {
    json_t *access = json_array_get(json_object_get(finding, "accesses"), 0);
    BaselineEntry entry = {.identity = text_at(finding, "fingerprint", arena),
                           .rule = text_at(finding, "rule", arena),
                           .file = text_at(access, "file", arena),
                           .kernel = text_at(finding, "kernel", arena),
                           .object = text_at(finding, "object", arena)};
    // What is suppressed in the source is not known from a baseline.
    const char *kind = json_string_value(json_object_get(finding, "suppressionKind"));
    if (is_identity(entry.identity) && (!kind || strcmp(kind, "baseline") == 0))
      vec_push(arena, &baseline->entries, entry);
  }
}

static void add_sarif_results(ReportBaseline *baseline, json_t *results, Arena *arena) {
  size_t i;
  json_t *result;
  json_array_foreach(results, i, result) {
    json_t *place =
        json_object_get(json_array_get(json_object_get(result, "locations"), 0), "physicalLocation");
    FindingRule rule = report_find_rule(text_at(result, "ruleId", arena));
    json_t *prints = json_object_get(result, "partialFingerprints");
    bool is_second = json_object_get(prints, "hgrdFinding/v2") != NULL;
    BaselineEntry entry = {.identity =
                               text_at(prints, is_second ? "hgrdFinding/v2" : "hgrdFinding/v1", arena),
                           .rule = rule == RULE_NONE ? "" : finding_rule_info(rule)->name,
                           .file = text_at(json_object_get(place, "artifactLocation"), "uri", arena),
                           .kernel = text_at(json_object_get(result, "properties"), "kernel", arena),
                           .object = text_at(json_object_get(result, "properties"), "object", arena)};
    if (is_identity(entry.identity) && json_array_size(json_object_get(result, "suppressions")) == 0 &&
        strcmp(text_at(result, "baselineState", arena), "absent") != 0)
      vec_push(arena, &baseline->entries, entry);
  }
}

static bool is_ours(const char *name) {
  return name && strcmp(name, "hgrd-check") == 0;
}

static bool read_document(ReportBaseline *baseline, json_t *document, Arena *arena, const char **error) {
  json_t *run = json_array_get(json_object_get(document, "runs"), 0);
  json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
  const char *json_tool = json_string_value(json_object_get(json_object_get(document, "tool"), "name"));
  const char *sarif_tool = json_string_value(json_object_get(driver, "name"));
  if (is_ours(json_tool)) {
    add_json_findings(baseline, json_object_get(document, "findings"), arena);
    add_json_findings(baseline, json_object_get(document, "suppressed"), arena);
    return true;
  }
  if (is_ours(sarif_tool)) {
    add_sarif_results(baseline, json_object_get(run, "results"), arena);
    return true;
  }
  const char *other = json_tool ? json_tool : sarif_tool;
  *error =
      other ? arena_printf(arena, "the baseline '%s' is a report of '%s', not of hgrd-check", baseline->path,
                           escape_visible(arena, other))
            : arena_printf(arena, "the baseline '%s' is JSON, but no report of hgrd-check", baseline->path);
  return false;
}

static bool read_json(ReportBaseline *baseline, const char *text, size_t length, Arena *arena,
                      const char **error) {
  json_error_t where;
  json_t *document = json_loadb(text, length, 0, &where);
  if (!document) {
    *error = arena_printf(arena, "%s:%d:%d: this baseline is no valid JSON: %s", baseline->path, where.line,
                          where.column, escape_visible(arena, where.text));
    return false;
  }
  bool is_read = read_document(baseline, document, arena, error);
  json_decref(document);
  return is_read;
}

const ReportBaseline *report_read_baseline(const char *path, const char *text, size_t length, Arena *arena,
                                           const char **error) {
  ASSERT(path);
  ASSERT(text);
  ASSERT(error);
  ReportBaseline *baseline = arena_new(arena, ReportBaseline);
  baseline->path = path;
  bool is_json = text[strspn(text, " \t\r\n")] == '{' || text[strspn(text, " \t\r\n")] == '[';
  bool is_read =
      is_json ? read_json(baseline, text, length, arena, error) : read_lines(baseline, text, arena, error);
  if (is_read && baseline->entries.count > 0)
    qsort(baseline->entries.items, baseline->entries.count, sizeof(BaselineEntry), compare_entries);
  return is_read ? baseline : NULL;
}

// ---- comparing

static bool file_was_checked(const ReportInput *input, const char *file, Arena *arena) {
  bool is_seen = false;
  for (uint32_t i = 0; i < input->file_count && !is_seen; i++)
    is_seen = input->files[i].is_ok && (strcmp(file_name_of(&input->files[i]), file) == 0 ||
                                        strcmp(escape_uri(arena, file_name_of(&input->files[i])), file) == 0);
  return is_seen && file_is_decided(input, file);
}

static const char *stale_text(const BaselineEntry *entry, Arena *arena) {
  return arena_printf(arena, "%s in '%s'%s%s is not found any more: write the baseline anew (%s)",
                      entry->rule[0] ? entry->rule : "a finding", entry->kernel, entry->file[0] ? ", " : "",
                      entry->file, entry->identity);
}

static void name_stale(const ReportInput *input, const ReportOptions *options, const bool *is_used,
                       ReportStales *stales, Arena *arena) {
  const ReportBaseline *baseline = options->baseline;
  for (uint32_t i = 0; i < baseline->entries.count; i++) {
    const BaselineEntry *entry = &baseline->entries.items[i];
    FindingRule rule = report_find_rule(entry->rule);
    bool is_off = rule != RULE_NONE && options->levels[rule] == LEVEL_NONE;
    if (is_used[i] || is_off || !file_was_checked(input, entry->file, arena)) continue;
    SrcLoc loc = {.file = baseline->path, .line = entry->line, .column = entry->line ? 1 : 0};
    vec_push(arena, &stales->list, (ReportStale){"stale-baseline", loc, stale_text(entry, arena)});
  }
}

typedef struct Comparing {
  const ReportBaseline *baseline;
  bool *is_used; // by entry
  Arena *arena;
} Comparing;

// The first entry that is not smaller.
static uint32_t find_entry(const ReportBaseline *baseline, const char *identity) {
  uint32_t low = 0, high = baseline->entries.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strcmp(baseline->entries.items[middle].identity, identity) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void find_first_version(Comparing *all, ReportGroup *group) {
  const char *identity = print_identity(&group->first_print, all->arena);
  uint32_t at = find_entry(all->baseline, identity);
  for (; at < all->baseline->entries.count; at++) {
    if (strcmp(all->baseline->entries.items[at].identity, identity) != 0) return;
    group->is_known = all->is_used[at] = true;
  }
}

// Takes an entry of the finding's fingerprint that is still free; with its object, if that is asked for. A
// finding that stands in the baseline twice, as in two lists put together, takes both.
static void take_entry(Comparing *all, ReportGroup *group, bool of_object) {
  const char *object = escape_visible(all->arena, group->finding.object);
  const char *taken = NULL;
  for (uint32_t at = find_entry(all->baseline, group->print.hex); at < all->baseline->entries.count; at++) {
    const BaselineEntry *entry = &all->baseline->entries.items[at];
    if (!str_starts_with(entry->identity, group->print.hex)) return;
    bool fits = !of_object || strcmp(entry->object, object) == 0;
    if (all->is_used[at] || !fits || (taken && strcmp(taken, entry->identity) != 0)) continue;
    taken = entry->identity;
    group->is_known = all->is_used[at] = true;
  }
}

void baseline_compare(const ReportInput *input, const ReportOptions *options, ReportGroups *groups,
                      ReportStales *stales, Arena *arena) {
  ASSERT(groups->count == 0 || groups->items);
  const ReportBaseline *baseline = options->baseline;
  if (!baseline || baseline->entries.count == 0) return;
  Comparing all = {
      .baseline = baseline, .is_used = arena_array(arena, baseline->entries.count, bool), .arena = arena};
  for (uint32_t i = 0; i < groups->count; i++)
    find_first_version(&all, &groups->items[i]);
  for (uint32_t i = 0; i < groups->count; i++)
    if (!groups->items[i].is_known) take_entry(&all, &groups->items[i], true);
  for (uint32_t i = 0; i < groups->count; i++)
    if (!groups->items[i].is_known) take_entry(&all, &groups->items[i], false);
  for (uint32_t i = 0; i < groups->count; i++) // what is known by another entry makes its own no stale one
    if (groups->items[i].is_known) take_entry(&all, &groups->items[i], true);
  if (!options->is_partial) name_stale(input, options, all.is_used, stales, arena);
}
