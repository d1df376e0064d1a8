// Is the JSON report one valid document with the members it promises, the same bytes each time, and are
// fingerprints what they are for: equal when lines move, different when the code differs?
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/check.h"
#include "tests/unit/report_sample.h"

#include <jansson.h>

static const char *print(SampleWriter write, Sample *s, ReportOptions options, Arena *arena) {
  ReportInput input = sample_input(s);
  return sample_print(write, &input, &options, arena);
}

static void test_golden(Arena *arena) {
  Sample *s = sample_make(arena);
  const char *json = print(report_json, s, sample_options(), arena);
  CHECK_TEXT(json, sample_golden(arena, "report_sample.json", json));
  CHECK_TEXT(json, print(report_json, sample_make(arena), sample_options(), arena));
  const char *sarif = print(report_sarif, s, sample_options(), arena);
  CHECK_TEXT(sarif, sample_golden(arena, "report_sample.sarif", sarif));
  const char *gitlab = print(report_gitlab, s, sample_options(), arena);
  CHECK_TEXT(gitlab, sample_golden(arena, "report_sample.gitlab.json", gitlab));
  const char *junit = print(report_junit, s, sample_options(), arena);
  CHECK_TEXT(junit, sample_golden(arena, "report_sample.junit.xml", junit));
  const char *html = print(report_html, s, sample_options(), arena);
  CHECK_TEXT(html, sample_golden(arena, "report_sample.html", html));
}

static void test_members(Arena *arena) {
  static const char *const members[] = {"tool",       "complete",    "files",    "kernels", "findings",
                                        "suppressed", "assumptions", "messages", "stale",   "stats"};
  json_t *document = json_loads(print(report_json, sample_make(arena), sample_options(), arena),
                                JSON_REJECT_DUPLICATES, NULL);
  CHECK(document != NULL);
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    CHECK(json_object_get(document, members[i]) != NULL);
  CHECK(json_array_size(json_object_get(document, "kernels")) == 8);
  CHECK(json_array_size(json_object_get(document, "findings")) == 4);
  CHECK(json_array_size(json_object_get(document, "suppressed")) == 1);
  json_t *seconds = json_object_get(json_object_get(document, "stats"), "frontend_seconds");
  CHECK(json_is_null(seconds)); // times only when asked for
  json_decref(document);
}

// ---- fingerprints

// The source of the sample, `shift` lines further down, and indented differently.
static const char *shifted_line(void *context, const char *file, uint32_t line) {
  static char text[200];
  uint32_t shift = *(const uint32_t *)context;
  if (line <= shift) return "";
  const char *original = sample_read_line(NULL, file, line - shift);
  if (!original) return NULL;
  snprintf(text, sizeof text, " \t%s", original);
  return text;
}

static void shift_sample(Sample *s, uint32_t shift) {
  for (uint32_t i = 0; i < s->results.count; i++) {
    KernelResult *result = (KernelResult *)s->results.items[i];
    result->loc.line += shift;
    for (uint32_t f = 0; f < result->findings.count; f++)
      for (int k = 0; k < 2; k++)
        result->findings.items[f].accesses[k].loc.line += shift,
            result->findings.items[f].accesses[k].loc.column += 2;
  }
}

static const char *fingerprints(Sample *s, ReportOptions options, Arena *arena) {
  json_t *document = json_loads(print(report_json, s, options, arena), 0, NULL);
  StrBuf all = {.arena = arena};
  size_t i;
  json_t *finding;
  json_array_foreach(json_object_get(document, "findings"), i, finding)
      strbuf_printf(&all, "%s\n", json_string_value(json_object_get(finding, "fingerprint")));
  json_decref(document);
  return strbuf_text(&all);
}

static void test_fingerprints(Arena *arena) {
  const char *before = fingerprints(sample_make(arena), sample_options(), arena);
  CHECK(strlen(before) == 4 * 35);
  Sample *moved = sample_make(arena);
  ReportOptions options = sample_options();
  uint32_t shift = 7;
  shift_sample(moved, shift);
  options.read_line = shifted_line;
  options.context = &shift;
  CHECK_TEXT(fingerprints(moved, options, arena), before);
  options.read_line = NULL; // other text, other fingerprints
  CHECK(strcmp(fingerprints(moved, options, arena), before) != 0);
}

static void test_equal_lines(Arena *arena) {
  Sample *s = sample_make(arena);
  KernelResult *result = sample_result(s, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_RACE);
  for (uint32_t line = 2; line < 4; line++) {
    FindingAccess access = sample_access(ACCESS_WRITE, sample_loc("z.cu", line, 1, "z"));
    vec_push(arena, &result->findings, sample_finding(result, RULE_INTER_BLOCK, "o", access, access));
  }
  const char *all = fingerprints(s, sample_options(), arena);
  CHECK(strlen(all) == 6 * 35);
  CHECK(strncmp(all + 4 * 35, all + 5 * 35, 33) == 0 && all[4 * 35 + 33] == '0' && all[5 * 35 + 33] == '1');
}

// A baseline in any of its three forms knows the findings that it was made from, and names what is gone.
static void check_baseline(const char *text, Arena *arena) {
  Sample *s = sample_make(arena);
  ReportOptions options = sample_options();
  ReportInput input = sample_input(s);
  const char *error = NULL;
  options.baseline = report_read_baseline("base", text, strlen(text), arena, &error);
  CHECK(options.baseline != NULL);
  CHECK(sample_merge(&input, &options, arena).count == 0 &&
        sample_totals(&input, &options, arena).known == 4);
  ((KernelResult *)input.results[5])->findings.count = 0; // both launches of the first one
  ((KernelResult *)input.results[6])->findings.count = 0;
  for (uint32_t i = 0; i < input.result_count; i++) {
    KernelResult *result = (KernelResult *)input.results[i];
    result->undecided.count = 0; // what is open would excuse what is gone
    if (result->verdict == VERDICT_UNKNOWN) result->verdict = VERDICT_SAFE;
  }
  CHECK(sample_totals(&input, &options, arena).known == 3);
  const char *report = sample_print(report_text, &input, &options, arena);
  CHECK(strstr(report, "inter-block-race in 'shift', k.cu is not found any more"));
  options.is_partial = true;
  CHECK(!strstr(sample_print(report_text, &input, &options, arena), "not found any more"));
}

static void test_baseline(Arena *arena) {
  check_baseline(print(report_baseline, sample_make(arena), sample_options(), arena), arena);
  check_baseline(print(report_json, sample_make(arena), sample_options(), arena), arena);
  check_baseline(print(report_sarif, sample_make(arena), sample_options(), arena), arena);
  const char *error = NULL, *foreign = "{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"other\"}}}]}";
  CHECK(!report_read_baseline("b", foreign, strlen(foreign), arena, &error) && strstr(error, "'other'"));
  CHECK(!report_read_baseline("b", "{", 1, arena, &error) && strstr(error, "b:1:"));
  CHECK(!report_read_baseline("b", "some text\n", 10, arena, &error) && strstr(error, "b:1:"));
}

// ---- rule pages

static void test_rule_pages(Arena *arena) {
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    const char *page = report_explain((FindingRule)rule);
    CHECK(strstr(page, info->id) && strstr(page, info->name));
    CHECK_TEXT(page, sample_golden(arena, arena_printf(arena, "../../docs/rules/%s.md", info->name), page));
    CHECK(report_find_rule(info->name) == (FindingRule)rule &&
          report_find_rule(info->id) == (FindingRule)rule);
  }
  CHECK(report_find_rule("") == RULE_NONE && report_find_rule("HGRD9999") == RULE_NONE);
  CHECK_TEXT(report_nearest_rule("intra-wrap-race"), "intra-warp-race");
  CHECK(!report_nearest_rule("foo") && !report_nearest_rule("") && !report_nearest_rule("missing-fense"));
  CHECK_TEXT(report_nearest_explained("mising-fence"), "missing-fence");
  CHECK_TEXT(report_nearest_explained("warp-mask"), "warp-mask");
  CHECK(report_distance("kitten", "sitting") == 3 && report_distance("", "abc") == 3);
  CHECK(report_distance("fromat", "format") == 1 && report_distance("ab", "ba") == 1);
  CHECK(report_slip("supress", "suppressions") < REPORT_NO_SLIP &&
        report_slip("sup", "strict") == REPORT_NO_SLIP);
}

int main(void) {
  Arena *arena = arena_open();
  test_golden(arena);
  test_members(arena);
  test_fingerprints(arena);
  test_equal_lines(arena);
  test_baseline(arena);
  test_rule_pages(arena);
  arena_close(arena);
  return check_result();
}
