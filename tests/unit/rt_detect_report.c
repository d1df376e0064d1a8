// What a detector saw, as a person reads it: the words, once for two places, escapes, the summary.
// SPDX-License-Identifier: Apache-2.0
#include "rt/race_report.h"
#include "check.h"

#include <stdlib.h>

typedef struct Said {
  char text[8192];
} Said;

static void say(void *context, const char *text) {
  Said *said = context;
  size_t length = strlen(said->text);
  snprintf(said->text + length, sizeof said->text - length, "%s", text);
}

static const RtPlace write_place = {.file = "a.cu", .function = "k", .line = 17, .column = 18};
static const RtPlace read_place = {.file = "a.cu", .function = "k", .line = 17, .column = 21};
static const RtLaunch launch = {.kernel = "block_sums",
                                .file = "a.cu",
                                .line = 32,
                                .grid = {4096, 1, 1},
                                .block = {32, 8, 1},
                                .number = 3};

static RtRace race_of(const uint32_t *left, const uint32_t *found) {
  return (RtRace){.first = {.by = {0, 33},
                            .place = &write_place,
                            .bytes = 4,
                            .space = RT_SHARED,
                            .kind = RT_WRITE,
                            .after = left},
                  .second = {.by = {0, 0},
                             .place = &read_place,
                             .bytes = 4,
                             .space = RT_SHARED,
                             .kind = RT_READ,
                             .before = found,
                             .after = found},
                  .why = "no block barrier between them"};
}

static void test_words(void) {
  Said said = {""};
  RtReport *report = rt_report_open(say, &said);
  uint32_t left = 7;
  RtRace race = race_of(&left, &left);
  CHECK(rt_report_race(report, &launch, "clocks", NULL, &race));
  CHECK_TEXT(
      said.text,
      "a.cu:17:18: warning: observed race: write by thread (1,1,0) of block (0,0,0) races with read on the "
      "same line by "
      "thread (0,0,0) of block (0,0,0) [-Wintra-block-race]\n"
      "a.cu:17:21: note: the other access: read\n"
      "a.cu:32:1: note: launched here: block_sums with grid (4096,1,1), block (32,8,1), launch 3 of the run\n"
      "a.cu:17:18: note: observed: this write comes first in this run, at 4 bytes of shared memory; it "
      "leaves 7; then the "
      "other one finds 7; no block barrier between them (clocks)\n");
  rt_report_close(report);
}

static void test_once(void) {
  Said said = {""};
  RtReport *report = rt_report_open(say, &said);
  uint32_t left = 7, other = 8;
  RtRace race = race_of(&left, &left), swapped = race;
  swapped.first = race.second;
  swapped.second = race.first;
  CHECK(rt_report_race(report, &launch, "clocks", NULL, &race));
  CHECK(!rt_report_race(report, &launch, "clocks", "--replay=7", &race));
  CHECK(!rt_report_race(report, &launch, "clocks", "--replay=8", &swapped));
  RtPlace copy = read_place; // another launch's table: the place counts, not where it is kept
  race.second.place = &copy;
  CHECK(!rt_report_race(report, &launch, "clocks", NULL, &race));
  copy.column++;
  CHECK(rt_report_race(report, &launch, "clocks", NULL, &race));
  race.second.kind = RT_WRITE;
  race.second.after = &left;
  said.text[0] = '\0';
  CHECK(rt_report_race(report, &launch, "clocks", NULL, &race)); // the same value: a note
  CHECK(strstr(said.text, "note: observed race") && strstr(said.text, "[-Wsame-value-write]"));
  CHECK(strstr(said.text, "both leave 7"));
  race.second.after = &other;
  said.text[0] = '\0';
  CHECK(rt_report_race(report, &launch, "clocks", "--replay=9", &race)); // two values: no note any more
  CHECK(strstr(said.text, "warning: observed race") && strstr(said.text, "and leaves 8; ") &&
        strstr(said.text, "--replay=9"));
  CHECK(rt_report_counts(report)->races == 3 && rt_report_counts(report)->same_values == 1);
  rt_report_close(report);
}

static void test_extents(void) {
  Said said = {""};
  RtReport *report = rt_report_open(say, &said);
  uint32_t left = 7;
  RtRace race = race_of(&left, &left);
  race.second.by = (RtThread){5, 33};
  rt_report_race(report, &launch, "iguard", NULL, &race);
  CHECK(strstr(said.text, "thread (1,1,0) of block (5,0,0) [-Winter-block-race]"));
  RtPlace elsewhere = {.file = "b.cu", .line = 17, .path = "f <- g"};
  race.second.place = &elsewhere;
  race.second.by = (RtThread){0, 34};
  said.text[0] = '\0';
  rt_report_race(report, &launch, "iguard", NULL, &race);
  CHECK(strstr(said.text, "races with read by thread (2,1,0) of block (0,0,0) [-Wintra-warp-race]"));
  CHECK(strstr(said.text,
               "b.cu:17:1: note: the other access: read\nb.cu:17:1: note: reached by the calls f <- g\n"));
  rt_report_close(report);
}

// Names are the program's: no name makes a line of its own, moves the cursor or turns the text round.
static void test_escapes(void) {
  Said said = {""};
  RtReport *report = rt_report_open(say, &said);
  RtPlace bad = {.file = "a\n.cu: error: x\x1b[2J\xff", .line = 1, .column = 2};
  RtLaunch other = launch;
  other.kernel = "k\xe2\x80\xae<int>\t\xc3\xa9";
  uint32_t left = 1;
  RtRace race = race_of(&left, &left);
  race.first.place = &bad;
  rt_report_race(report, &other, "clocks", "s\n", &race);
  CHECK(strstr(said.text, "a\\n.cu: error: x\\x1b[2J\\xff:1:2: warning: "));
  CHECK(strstr(said.text, "launched here: k<U+202E><int>\\t\xc3\xa9 with"));
  CHECK(strstr(said.text, "(clocks, s\\n)\n"));
  int lines = 0;
  for (const char *at = said.text; *at; at++)
    lines += *at == '\n';
  CHECK(lines == 4);
  rt_report_close(report);
}

static void test_summary(void) {
  Said said = {""};
  RtReport *report = rt_report_open(say, &said);
  rt_report_launch(report, 1, 0, false);
  rt_report_summary(report);
  CHECK_TEXT(said.text, "hgrd-run: 1 launch, 1 access watched: 0 races observed\n");
  said.text[0] = '\0';
  uint32_t left = 1;
  RtRace race = race_of(&left, &left);
  rt_report_race(report, &launch, "clocks", NULL, &race);
  rt_report_launch(report, 10, 5, true);
  said.text[0] = '\0';
  rt_report_summary(report);
  CHECK_TEXT(said.text,
             "hgrd-run: 2 launches, 11 accesses watched, 5 (31.2 %) not, as they are proved: 1 race "
             "observed; a detector had no memory, "
             "and has not watched all of them\n");
  rt_report_close(report);
}

static void test_unknown(void) { // what has no place is told without one
  Said said = {""};
  RtReport *report = rt_report_open(say, &said);
  RtPlace nowhere = {0};
  RtLaunch bare = {.kernel = NULL, .grid = {1, 0, 0}, .block = {64, 0, 0}, .number = 1};
  RtRace race = {.first = {.by = {0, 1}, .place = &nowhere, .bytes = 1, .kind = RT_ATOMIC},
                 .second = {.by = {0, 2}, .place = &nowhere, .bytes = 1, .kind = RT_WRITE}};
  CHECK(rt_report_race(report, &bare, "clocks", NULL, &race));
  CHECK(strstr(said.text, "hgrd-run: warning: observed race: atomic operation by thread (1,0,0)"));
  CHECK(strstr(said.text, "launched here: ? with grid (1,0,0)"));
  CHECK(strstr(said.text, "at 1 byte of global memory; nothing orders them (clocks)"));
  rt_report_close(report);
}

int main(void) {
  test_words();
  test_once();
  test_extents();
  test_escapes();
  test_summary();
  test_unknown();
  return check_result();
}
