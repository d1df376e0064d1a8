// What a detector saw, in words (rt/race_report.h). Two findings are one if their places are, in either order, and both or neither have
// written one value; a pair that is told as a note because it wrote one value is told again when it writes two.
// SPDX-License-Identifier: Apache-2.0
#include "rt/race_report.h"
#include "rt/detect/text_buffer.h"
#include "rt/contract.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reported {
  const RtPlace *places[2];
  bool is_write[2], is_same_value;
} Reported;

struct RtReport {
  void (*say)(void *context, const char *text);
  void *context;
  Reported *items;
  uint32_t count, capacity;
  RtReportCounts counts;
};

RtReport *rt_report_open(void (*say)(void *context, const char *text), void *context) {
  RT_ASSERT(say);
  RtReport *report = calloc(1, sizeof *report);
  if (!report) return NULL;
  report->say = say;
  report->context = context;
  return report;
}

void rt_report_close(RtReport *report) {
  free(report->items);
  free(report);
}

const RtReportCounts *rt_report_counts(const RtReport *report) {
  RT_ASSERT(report);
  return &report->counts;
}

void rt_report_launch(RtReport *report, uint64_t watched, uint64_t left, bool has_given_up) {
  RT_ASSERT(report);
  report->counts.launches++;
  report->counts.watched += watched;
  report->counts.left += left;
  report->counts.has_given_up |= has_given_up;
}

// ---- once
static bool is_same_text(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_place(const RtPlace *a, const RtPlace *b) {
  return a == b || (a->line == b->line && a->column == b->column && is_same_text(a->file, b->file) &&
                    is_same_text(a->path, b->path));
}

static bool is_write(const RtAccess *access) {
  return access->kind == RT_WRITE || access->kind == RT_ATOMIC;
}

static bool is_pair(const Reported *a, const Reported *b, int swapped) {
  for (int i = 0; i < 2; i++)
    if (!is_same_place(a->places[i], b->places[i ^ swapped]) || a->is_write[i] != b->is_write[i ^ swapped])
      return false;
  return a->is_same_value == b->is_same_value;
}

static bool is_reported(const RtReport *report, const Reported *pair) {
  for (uint32_t i = 0; i < report->count; i++)
    if (is_pair(&report->items[i], pair, 0) || is_pair(&report->items[i], pair, 1)) return true;
  return false;
}

static bool note(RtReport *report, const Reported *pair) {
  if (report->count == report->capacity) {
    uint32_t wanted = report->capacity ? report->capacity * 2 : 16;
    Reported *larger = realloc(report->items, wanted * sizeof *larger);
    if (!larger) return false; // said, and perhaps once more
    report->items = larger;
    report->capacity = wanted;
  }
  report->items[report->count++] = *pair;
  return true;
}

// ---- words
static const char *word_of(const RtAccess *access) {
  switch (access->kind) {
  case RT_READ: return "read";
  case RT_WRITE: return "write";
  case RT_ATOMIC:
  case RT_ATOMIC_FAILED: break;
  }
  return "atomic operation";
}

static const char *rule_of(const RtRace *race, bool is_same_value) {
  if (is_same_value) return "same-value-write";
  if (race->first.by.block != race->second.by.block) return "inter-block-race";
  return race->first.by.thread / 32 == race->second.by.thread / 32 ? "intra-warp-race" : "intra-block-race";
}

static void put_index(Text *text, const char *what, uint32_t linear, const uint32_t *dims) {
  uint32_t x = dims[0] ? dims[0] : 1, y = dims[1] ? dims[1] : 1;
  text_printf(text, "%s (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", what, linear % x, linear / x % y,
              linear / x / y);
}

static void put_thread(Text *text, RtThread by, const RtLaunch *launch) {
  put_index(text, "thread", by.thread, launch->block);
  put_index(text, " of block", by.block, launch->grid);
}

static void begin_line(Text *text, const RtPlace *place, const char *level) {
  if (place->file && place->line) {
    text_add_visible(text, place->file);
    text_printf(text, ":%" PRIu32 ":%" PRIu32, place->line, place->column ? place->column : 1);
  } else {
    text_add(text, "hgrd-run");
  }
  text_printf(text, ": %s: ", level);
}

static void put_path(Text *text, const RtPlace *place) {
  if (!place->path || !*place->path) return;
  begin_line(text, place, "note");
  text_add(text, "reached by the calls ");
  text_add_visible(text, place->path);
  text_add(text, "\n");
}

static void put_value(Text *text, const void *bytes, uint32_t count) {
  uint64_t value = 0;
  memcpy(&value, bytes, count < sizeof value ? count : sizeof value);
  text_printf(text, "%" PRIu64, value);
  if (value > 9) text_printf(text, " (0x%" PRIx64 ")", value);
}

static const char *space_of(const RtAccess *access) {
  return access->space == RT_SHARED ? "shared" : access->space == RT_GLOBAL ? "global" : "local";
}

static void put_values(Text *text, const RtRace *race, bool is_same_value) {
  const RtAccess *first = &race->first, *second = &race->second;
  uint32_t bytes = second->bytes;
  if (is_same_value) {
    text_add(text, ", and both leave ");
    put_value(text, second->after, bytes);
    return;
  }
  if (first->after && is_write(first)) {
    text_add(text, "; it leaves ");
    put_value(text, first->after, first->bytes);
  }
  if (!second->before) return;
  text_add(text, "; then the other one finds ");
  put_value(text, second->before, bytes);
  if (!second->after || !is_write(second)) return;
  text_add(text, " and leaves ");
  put_value(text, second->after, bytes);
}

static void put_seen(Text *text, const RtRace *race, const char *detector, const char *schedule,
                     bool is_same_value) {
  begin_line(text, race->first.place, "note");
  text_printf(text, "observed: this %s comes first in this run, at %" PRIu32 " byte%s of %s memory",
              word_of(&race->first), race->second.bytes, race->second.bytes == 1 ? "" : "s",
              space_of(&race->second));
  put_values(text, race, is_same_value);
  text_printf(text, "; %s (%s", race->why ? race->why : "nothing orders them", detector);
  if (schedule) {
    text_add(text, ", ");
    text_add_visible(text, schedule);
  }
  text_add(text, ")\n");
}

static void put_launch(Text *text, const RtLaunch *launch) {
  RtPlace place = {.file = launch->file, .line = launch->line};
  begin_line(text, &place, "note");
  text_add(text, "launched here: ");
  text_add_visible(text, launch->kernel);
  const uint32_t *g = launch->grid, *b = launch->block;
  text_printf(text,
              " with grid (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
              g[0], g[1], g[2], b[0], b[1], b[2]);
  text_printf(text, ", launch %" PRIu64 " of the run\n", launch->number);
}

bool rt_race_is_of_one_value(const RtRace *race) {
  RT_ASSERT(race);
  const RtAccess *first = &race->first, *second = &race->second;
  return first->kind == RT_WRITE && second->kind == RT_WRITE && first->bytes == second->bytes &&
         first->after && second->after && !memcmp(first->after, second->after, second->bytes);
}

bool rt_report_race(RtReport *report, const RtLaunch *launch, const char *detector, const char *schedule,
                    const RtRace *race) {
  RT_ASSERT(report && launch);
  RT_ASSERT(race && race->first.place && race->second.place);
  bool is_same_value = rt_race_is_of_one_value(race);
  Reported pair = {{race->first.place, race->second.place},
                   {is_write(&race->first), is_write(&race->second)},
                   is_same_value};
  if (is_reported(report, &pair)) return false;
  note(report, &pair);
  report->counts.races += !is_same_value;
  report->counts.same_values += is_same_value;
  bool leads_second = !pair.is_write[0]; // a write is named first
  const RtAccess *lead = leads_second ? &race->second : &race->first;
  const RtAccess *other = leads_second ? &race->first : &race->second;
  bool is_same_line =
      lead->place->line == other->place->line && is_same_text(lead->place->file, other->place->file);
  Text text = {0};
  begin_line(&text, lead->place, is_same_value ? "note" : "warning");
  text_printf(&text, "observed race: %s by ", word_of(lead));
  put_thread(&text, lead->by, launch);
  text_printf(&text, " races with %s%s by ", word_of(other), is_same_line ? " on the same line" : "");
  put_thread(&text, other->by, launch);
  text_printf(&text, " [-W%s]\n", rule_of(race, is_same_value));
  put_path(&text, lead->place);
  if (!is_same_place(lead->place, other->place)) {
    begin_line(&text, other->place, "note");
    text_printf(&text, "the other access: %s\n", word_of(other));
    put_path(&text, other->place);
  }
  put_launch(&text, launch);
  put_seen(&text, race, detector, schedule, is_same_value);
  if (text.items) report->say(report->context, text.items);
  text_close(&text);
  return true;
}

void rt_report_summary(RtReport *report) {
  RT_ASSERT(report);
  const RtReportCounts *counts = &report->counts;
  Text text = {0};
  text_printf(&text, "hgrd-run: %" PRIu64 " launch%s, %" PRIu64 " access%s watched", counts->launches,
              counts->launches == 1 ? "" : "es", counts->watched, counts->watched == 1 ? "" : "es");
  if (counts->left)
    text_printf(&text, ", %" PRIu64 " (%.1f %%) not, as they are proved", counts->left,
                100.0 * (double)counts->left / (double)(counts->left + counts->watched));
  text_printf(&text, ": %" PRIu64 " race%s observed", counts->races, counts->races == 1 ? "" : "s");
  if (counts->same_values) text_printf(&text, ", %" PRIu64 " of one value", counts->same_values);
  if (counts->has_given_up) text_add(&text, "; a detector had no memory, and has not watched all of them");
  text_add(&text, "\n");
  if (text.items) report->say(report->context, text.items);
  text_close(&text);
}
