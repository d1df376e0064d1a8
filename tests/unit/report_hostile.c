// Can anything that stands in source code break a report: names that end a line, move the cursor, turn text
// around, look like markup, are not UTF-8, or are very long?
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/check.h"
#include "tests/unit/report_sample.h"

#include <jansson.h>

static const char *const hostile_names[] = {
    "two\nlines: warning: forged [-Winter-block-race]",
    "\"quoted\" 'and' \\back\\",
    "<script>alert(1)</script>&amp;",
    "stray \xff\xfe bytes \xc0\xaf \xed\xa0\x80 and a cut \xe5\xad",
    "colour \x1b[31m bell \a del \x7f c1 \xc2\x9b",
    "turned \xe2\x80\xae around \xe2\x81\xa6",
    "brackets [link](1) ](2)",
    "%s %n %d",
    "",
};
enum { HOSTILE_COUNT = sizeof hostile_names / sizeof *hostile_names };

static const char *long_name(Arena *arena) {
  char *name = arena_alloc(arena, 301);
  memset(name, 'T', 300);
  memcpy(name, "kernel<", 7);
  name[299] = '>';
  return name;
}

static void add_hostile(Sample *s, const char *name) {
  KernelResult *result = sample_result(s, name, name, sample_loc(name, 3, 7, name), VERDICT_RACE);
  SrcLoc place = sample_loc(name[0] ? name : "x", 3, 7, name);
  Finding finding = sample_finding(result, RULE_INTER_BLOCK, name, sample_access(ACCESS_WRITE, place),
                                   sample_access(ACCESS_READ, place));
  finding.witness.address = name;
  finding.cause = name;
  finding.launch_loc = place;
  vec_push(s->arena, &finding.witness.values, (WitnessValue){name, INT64_MIN, place});
  vec_push(s->arena, &finding.notes, (FindingNote){place, name});
  Fact *fact = arena_new(s->arena, Fact);
  *fact = (Fact){.class = FACT_USER, .loc = place, .text = name};
  vec_push(s->arena, &finding.facts, fact);
  vec_push(s->arena, &result->findings, finding);
  vec_push(s->arena, &result->undecided, (UndecidedReason){.loc = place, .text = name});
  diag_report_detail(s->diags, DIAG_ERROR, &place, name, name);
}

static Sample *hostile_sample(Arena *arena) {
  Sample *s = sample_make(arena);
  for (int i = 0; i < HOSTILE_COUNT; i++)
    add_hostile(s, hostile_names[i]);
  add_hostile(s, long_name(arena));
  return s;
}

static const char *hostile_line(void *context, const char *file, uint32_t line) {
  (void)file;
  return line <= 50 ? context : NULL;
}

static bool is_printable_utf8(const char *text) {
  // jansson refuses strings that are not UTF-8, so it is the judge of that.
  json_t *string = json_string(text);
  bool is_good = string != NULL;
  json_decref(string);
  for (const char *p = text; *p; p++)
    is_good = is_good && ((unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t') && *p != 0x7f;
  return is_good && !strstr(text, "\xc2\x9b") && !strstr(text, "\xe2\x80\xae") &&
         !strstr(text, "\xe2\x81\xa6");
}

static void test_text(Arena *arena) {
  Sample *s = hostile_sample(arena);
  ReportInput input = sample_input(s);
  ReportOptions options = sample_options();
  for (int i = 0; i < HOSTILE_COUNT; i++) {
    StrBuf out = {.arena = arena};
    options.read_line = hostile_line;
    options.context = (void *)hostile_names[i];
    report_messages(s->diags, &options, arena, &out);
    strbuf_add(&out, sample_print(report_text, &input, &options, arena));
    CHECK(is_printable_utf8(strbuf_text(&out)));
    CHECK(!strstr(strbuf_text(&out), "\nlines: warning"));
  }
}

static json_t *parse_report(SampleWriter write, Arena *arena) {
  Sample *s = hostile_sample(arena);
  ReportInput input = sample_input(s);
  ReportOptions options = sample_options();
  json_error_t error;
  json_t *document = json_loads(sample_print(write, &input, &options, arena), JSON_REJECT_DUPLICATES, &error);
  CHECK(document != NULL);
  return document;
}

static void test_json(Arena *arena) {
  json_t *document = parse_report(report_json, arena);
  json_t *findings = json_object_get(document, "findings");
  CHECK(json_array_size(findings) == 4 + HOSTILE_COUNT + 1);
  uint32_t exact = 0;
  size_t i;
  json_t *finding;
  json_array_foreach(findings, i, finding) {
    const char *object = json_string_value(json_object_get(finding, "object"));
    CHECK(object && !strstr(object, "\xff"));
    for (int k = 0; object && k < HOSTILE_COUNT; k++)
      exact += hostile_names[k][0] && strcmp(object, hostile_names[k]) == 0;
  }
  CHECK(exact == HOSTILE_COUNT - 2); // all but the empty one and the one that is no UTF-8
  json_decref(document);
}

static void test_sarif(Arena *arena) {
  json_t *document = parse_report(report_sarif, arena);
  json_t *run = json_array_get(json_object_get(document, "runs"), 0);
  CHECK(json_array_size(json_object_get(run, "results")) ==
        5 + HOSTILE_COUNT + 1); // a suppressed one is marked
  size_t i;
  json_t *result;
  json_array_foreach(json_object_get(run, "results"), i, result) {
    json_t *location = json_array_get(json_object_get(result, "locations"), 0);
    json_t *artifact = json_object_get(json_object_get(location, "physicalLocation"), "artifactLocation");
    const char *uri = json_string_value(json_object_get(artifact, "uri"));
    CHECK(uri &&
          uri[strspn(uri,
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=@/%:")] ==
              0);
  }
  json_decref(document);
}

static uint32_t count_text(const char *text, const char *part) {
  uint32_t count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
    count++;
  return count;
}

// Markup: no name opens an element or an attribute, none brings a control character. What is in the page of a
// harmless sample may be there.
static void test_markup(Arena *arena) {
  static const SampleWriter writers[] = {report_html, report_junit};
  Sample *hostile = hostile_sample(arena), *plain = sample_make(arena);
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
    ReportInput input = sample_input(hostile), usual = sample_input(plain);
    ReportOptions options = sample_options();
    const char *text = sample_print(writers[i], &input, &options, arena);
    CHECK(is_printable_utf8(text));
    CHECK(!strstr(text, "<script") && strstr(text, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"));
    CHECK(!strstr(text, "\"quoted\"") && strstr(text, "&quot;quoted&quot; &#39;and&#39;"));
    CHECK(count_text(text, "<svg") <= count_text(text, "</svg>"));
    const char *before = sample_print(writers[i], &usual, &options, arena);
    CHECK(!strstr(before, "script&gt;"));
  }
}

static void test_gitlab(Arena *arena) {
  json_t *document = parse_report(report_gitlab, arena);
  CHECK(json_is_array(document) && json_array_size(document) >= 4 + HOSTILE_COUNT + 1);
  json_decref(document);
}

static void test_baseline(Arena *arena) {
  Sample *s = hostile_sample(arena);
  ReportInput input = sample_input(s);
  ReportOptions options = sample_options();
  uint32_t lines = 0;
  for (const char *p = sample_print(report_baseline, &input, &options, arena); *p; p++)
    lines += *p == '\n';
  CHECK(lines == 1 + 4 + HOSTILE_COUNT + 1);
}

int main(void) {
  Arena *arena = arena_open();
  test_text(arena);
  test_json(arena);
  test_sarif(arena);
  test_markup(arena);
  test_gitlab(arena);
  test_baseline(arena);
  arena_close(arena);
  return check_result();
}
