// Does text that nobody wrote on purpose break the report: random source lines under every column, comments
// in pieces, baselines and suppression files with bytes changed?
//
// A fixed generator, so that every run is the same. Under the sanitizers this looks for reads outside a line.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "tests/unit/check.h"
#include "tests/unit/report_sample.h"

typedef struct Random {
  uint64_t state;
} Random;

static uint32_t next(Random *random, uint32_t below) {
  random->state = random->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random->state >> 33) % below;
}

static char *random_line(Random *random, Arena *arena) {
  static const char *const pieces[] = {"a",
                                       "b1",
                                       "_",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       ".",
                                       "->",
                                       "::",
                                       "=",
                                       "==",
                                       "+=",
                                       "++",
                                       "*",
                                       "&",
                                       " ",
                                       "\t",
                                       "//",
                                       "/*",
                                       "*/",
                                       "\"",
                                       "'",
                                       "\\",
                                       "\xc3\xa9",
                                       "\xff",
                                       "\xe5\xad",
                                       ",",
                                       "<<=",
                                       "{",
                                       "}",
                                       ";",
                                       "hgrd-suppress(",
                                       "intra-warp-race",
                                       "HGRD1001",
                                       ")",
                                       ":",
                                       "\x1b",
                                       "<b>"};
  StrBuf out = {.arena = arena};
  for (uint32_t left = next(random, 14); left > 0; left--)
    strbuf_add(&out, pieces[next(random, sizeof pieces / sizeof *pieces)]);
  return arena_strdup(arena, strbuf_text(&out));
}

static void test_extents(Random *random, Arena *arena) {
  uint32_t bad = 0;
  for (int round = 0; round < 5000; round++) {
    ArenaMark mark = arena_mark(arena);
    char *line = random_line(random, arena);
    uint32_t length = (uint32_t)strlen(line);
    for (uint32_t column = 0; column <= length + 2; column++) {
      Extent extent = extent_of(line, column);
      bool is_inside = column == 0 || column > length || (extent.start >= 1 && extent.end <= length + 1);
      bad += !(extent.caret == column && extent.start <= column && extent.end > column && is_inside);
    }
    arena_release(arena, mark);
  }
  CHECK(bad == 0);
}

typedef struct Lines {
  char *lines[40];
} Lines;

static const char *random_source(void *context, const char *file, uint32_t line) {
  (void)file;
  const Lines *lines = context;
  return line >= 1 && line <= 40 ? lines->lines[line - 1] : NULL;
}

// Whatever stands in the source: findings are neither lost nor made.
static void test_sources(Random *random) {
  static const SampleWriter writers[] = {report_text, report_json,  report_sarif,
                                         report_html, report_junit, report_gitlab};
  for (int round = 0; round < 60; round++) {
    Arena *arena = arena_open();
    Sample *s = sample_make(arena);
    ReportInput input = sample_input(s);
    ReportOptions options = sample_options();
    Lines lines;
    for (int i = 0; i < 40; i++)
      lines.lines[i] = random_line(random, arena);
    options.read_line = random_source;
    options.context = &lines;
    const Report *report = report_prepare(&input, &options, arena);
    ReportTotals totals = report_totals(report);
    CHECK(totals.warnings + totals.notes + totals.suppressed == 5);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
      ReportSink sink = {.text = {.arena = arena}};
      writers[i](report, &sink);
      CHECK(sink.text.length > 0 && !strchr(sink.text.text, '\x1b'));
    }
    arena_close(arena);
  }
}

static void change_bytes(Random *random, char *text, size_t length) {
  static const char bytes[] = "\n\t {}[]\":,0a\\\x80\xff";
  for (uint32_t changes = 1 + next(random, 4); changes > 0; changes--)
    text[next(random, (uint32_t)length)] = bytes[next(random, sizeof bytes)]; // the NUL among them
}

static void test_baselines(Random *random) {
  static const SampleWriter writers[] = {report_baseline, report_json, report_sarif};
  for (int round = 0; round < 150; round++) {
    Arena *arena = arena_open();
    Sample *s = sample_make(arena);
    ReportInput input = sample_input(s);
    ReportOptions options = sample_options();
    const char *whole = sample_print(writers[round % 3], &input, &options, arena), *error = NULL;
    char *text = arena_strdup(arena, whole);
    size_t length = strlen(text);
    change_bytes(random, text, length);
    options.baseline = report_read_baseline("base", text, length, arena, &error);
    CHECK((options.baseline != NULL) != (error != NULL));
    CHECK(sample_totals(&input, &options, arena).known <= 4);
    arena_close(arena);
  }
}

static void test_suppression_files(Random *random) {
  static const char lines[] = "# ours\ninter-block-race *.cu * meant\nHGRD1003 src/* k[ab]* why\n* * * all\n";
  for (int round = 0; round < 500; round++) {
    Arena *arena = arena_open();
    Sample *s = sample_make(arena);
    ReportInput input = sample_input(s);
    ReportOptions options = sample_options();
    char *text = arena_strdup(arena, lines);
    const char *error = NULL;
    change_bytes(random, text, sizeof lines - 1);
    options.suppressions = report_read_suppressions("file", text, NULL, arena, &error);
    CHECK((options.suppressions != NULL) != (error != NULL));
    ReportTotals totals = sample_totals(&input, &options, arena);
    CHECK(totals.warnings + totals.notes + totals.suppressed == 5);
    arena_close(arena);
  }
}

int main(void) {
  Random random = {.state = 20};
  Arena *arena = arena_open();
  test_extents(&random, arena);
  arena_close(arena);
  test_sources(&random);
  test_baselines(&random);
  test_suppression_files(&random);
  return check_result();
}
