// What is told of a run? Races by rt/race_report.h, in the words of hgrd-check; here, what only the machine knows: threads that cannot go on,
// accesses outside of all objects, ends by __trap. A pair of places is told once in all launches and, through a file, in all
// schedules. On stderr, which is the program's too.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/memory_map.h"
#include "rt/race_report.h"
#include "rt/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_BYTES = 2048, GROUPS_MOST = 16, NEAR_SHARED = 1 << 20 };

// ---- threads and places

static void thread_text(RtThread by, char *text, size_t size) {
  uint32_t thread[3], block[3];
  coordinates(rt_machine.launch.block, by.thread, thread);
  coordinates(rt_machine.launch.grid, by.block, block);
  (void)snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u)", thread[0], thread[1], thread[2],
                 block[0], block[1], block[2]);
}

static const RtPlace nowhere = {"<unknown>", "", NULL, 0, 0};
static const RtPlace *some(const RtPlace *place) {
  return place ? place : &nowhere;
}

static void print_launch(void) {
  const RtLaunch *launch = &rt_machine.launch;
  if (launch->file)
    fprintf(stderr, "%s:%u: note: ", launch->file, launch->line);
  else
    fprintf(stderr, "hgrd-run: note: ");
  fprintf(stderr, "launched here: %s, grid (%u,%u,%u), block (%u,%u,%u), launch %llu of the run\n",
          launch->kernel, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
          launch->block[1], launch->block[2], (unsigned long long)launch->number);
}

static const char *schedule_text(char *text, size_t size) {
  const Settings *settings = &rt_machine.settings;
  if (settings->schedule == SCHEDULE_SEEDED)
    (void)snprintf(text, size, "%u", settings->seed);
  else
    (void)snprintf(text, size, "%s", settings->schedule == SCHEDULE_REVERSED ? "reversed" : "in-order");
  return text;
}

// ---- once

static bool is_in_file(const char *key) {
  char line[KEY_BYTES];
  FILE *file = rt_machine.settings.seen ? fopen(rt_machine.settings.seen, "r") : NULL;
  bool is_there = false;
  while (file && !is_there && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    is_there = strcmp(line, key) == 0;
  }
  if (file) (void)fclose(file);
  return is_there;
}

static void keep_in_file(const char *key) {
  FILE *file = rt_machine.settings.seen ? fopen(rt_machine.settings.seen, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s\n", key);
  (void)fclose(file);
}

// ---- findings

static void say(void *context, const char *text) {
  (void)context;
  if (rt_machine.is_silent) return;
  fflush(stdout);
  fputs(text, stderr);
}

bool told_open(void) {
  rt_machine.report = rt_report_open(say, NULL);
  return rt_machine.report != NULL;
}

static bool is_behind(const RtPlace *a, const RtPlace *b) {
  int files = strcmp(a->file, b->file);
  if (files != 0) return files > 0;
  return a->line != b->line ? a->line > b->line : a->column > b->column;
}

// The same pair in an earlier schedule: what it was told by does not matter.
static bool was_told_before(const RtRace *race) {
  char key[KEY_BYTES];
  const RtPlace *low = race->first.place, *high = race->second.place;
  if (is_behind(low, high)) low = race->second.place, high = race->first.place;
  (void)snprintf(key, sizeof key, "%s:%u:%u %s:%u:%u%s", low->file, low->line, low->column, high->file,
                 high->line, high->column, rt_race_is_of_one_value(race) ? " one value" : "");
  return is_in_file(key) || (keep_in_file(key), false);
}

void told_race(void *context, const RtRace *race) {
  RT_ASSERT(race);
  char schedule[48] = "--replay=";
  (void)context;
  rt_machine.is_silent = was_told_before(race);
  schedule_text(schedule + strlen(schedule), sizeof schedule - strlen(schedule));
  bool is_new = rt_report_race(rt_machine.report, &rt_machine.launch, rt_machine.kind->name, schedule, race);
  if (is_new && !rt_machine.is_silent) record_race(race, schedule + strlen("--replay="));
  rt_machine.is_silent = false;
}

// ---- threads that cannot go on

typedef struct StuckGroup {
  const char *what;
  uint32_t place, count;
  RtThread first;
} StuckGroup;

static const char *wait_text(const Thread *thread) {
  if (thread->wait == WAIT_GATE) return thread->gate->name;
  if (thread->wait == WAIT_OBJECT) return "a barrier object";
  if (thread->wait != WAIT_WARP) return "lanes of its warp";
  switch ((int)thread->op) {
  case WARP_SYNC: return "__syncwarp";
  case WARP_SHUFFLE:
  case WARP_SHUFFLE_UP:
  case WARP_SHUFFLE_DOWN:
  case WARP_SHUFFLE_XOR: return "a shuffle";
  default: return "a vote of its warp";
  }
}

static uint32_t add_to_groups(StuckGroup *groups, uint32_t count, const Thread *thread) {
  const char *what = wait_text(thread);
  for (uint32_t i = 0; i < count; i++)
    if (groups[i].place == thread->lane.place && strcmp(groups[i].what, what) == 0) {
      groups[i].count++;
      return count;
    }
  if (count == GROUPS_MOST) return count;
  groups[count] = (StuckGroup){what, thread->lane.place, 1, thread->id};
  return count + 1;
}

void told_stuck(void) {
  StuckGroup groups[GROUPS_MOST];
  uint32_t count = 0;
  char who[128];
  for (const Block *block = rt_machine.resident; block; block = block->next)
    for (uint32_t i = 0; i < block->count; i++)
      if (thread_state(&block->threads[i]) == THREAD_WAITING)
        count = add_to_groups(groups, count, &block->threads[i]);
  fflush(stdout);
  const RtPlace *at = some(count ? place_numbered(groups[0].place) : NULL);
  fprintf(stderr, "%s:%u:%u: warning: deadlock: no thread of '%s' can go on [-Wdeadlock]\n", at->file,
          at->line, at->column, rt_machine.launch.kernel);
  for (uint32_t i = 0; i < count; i++) {
    const RtPlace *place = some(place_numbered(groups[i].place));
    thread_text(groups[i].first, who, sizeof who);
    fprintf(stderr, "%s:%u:%u: note: %u thread%s wait%s here at %s, as %s\n", place->file, place->line,
            place->column, groups[i].count, groups[i].count == 1 ? "" : "s", groups[i].count == 1 ? "s" : "",
            groups[i].what, who);
  }
  print_launch();
  rt_machine.faults++;
}

// Named once for two places.
static bool was_divergent(uint32_t a, uint32_t b) {
  uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  for (uint32_t i = 0; i < rt_machine.divergent_count; i++)
    if (rt_machine.divergent[i] == pair) return true;
  if (rt_machine.divergent_count == DIVERGENT_MOST) return true;
  rt_machine.divergent[rt_machine.divergent_count++] = pair;
  return false;
}

void told_divergence(const Gate *gate, RtThread who) {
  RT_ASSERT(gate && gate->place && gate->other_place);
  char text[128], key[KEY_BYTES];
  const RtPlace *here = some(place_numbered(gate->other_place)), *there = some(place_numbered(gate->place));
  if (was_divergent(gate->place, gate->other_place)) return;
  rt_machine.faults++;
  (void)snprintf(key, sizeof key, "divergent %s:%u %s:%u", here->file, here->line, there->file, there->line);
  if (is_in_file(key)) return;
  keep_in_file(key);
  thread_text(gate->who[0], text, sizeof text);
  fflush(stdout);
  fprintf(stderr,
          "%s:%u:%u: warning: observed divergence: threads of one block of '%s' come to %s here and at %s:%u "
          "in the same turn [-Wbarrier-divergence]\n",
          here->file, here->line, here->column, rt_machine.launch.kernel, gate->name, there->file,
          there->line);
  fprintf(stderr, "%s:%u:%u: note: %s came here first\n", there->file, there->line, there->column, text);
  thread_text(who, text, sizeof text);
  fprintf(stderr, "hgrd-run: note: the last one to come was %s\n", text);
  print_launch();
}

static void print_fault(uint32_t number, const char *words) {
  const Thread *thread = rt_machine.current;
  const RtPlace *place = some(place_numbered(number ? number : thread->lane.place));
  char who[128];
  thread_text(thread->id, who, sizeof who);
  fflush(stdout);
  fprintf(stderr, "%s:%u:%u: error: %s of '%s' %s\n", place->file, place->line, place->column, who,
          rt_machine.launch.kernel, words);
  print_launch();
}

void told_fault(const char *what) {
  RT_ASSERT(what);
  print_fault(rt_machine.current->lane.last, what);
  rt_machine.faults++;
}

void told_stop(const char *what) {
  RT_ASSERT(what);
  print_fault(0, what);
}

void told_outside(const void *address, uint32_t bytes, bool is_write, uint32_t place) {
  char wrong[384], words[512];
  uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)rt_machine.current->block->shared);
  if (offset < NEAR_SHARED)
    (void)snprintf(wrong, sizeof wrong, "at byte %llu of the %llu bytes of shared memory of its block",
                   (unsigned long long)offset, (unsigned long long)rt_machine.shared_bytes);
  else if (!rt_memory_tell((uint64_t)(uintptr_t)address, bytes, wrong, sizeof wrong))
    (void)snprintf(wrong, sizeof wrong, "where no object is");
  (void)snprintf(words, sizeof words, "%s %u byte%s out of bounds: %s [-Wout-of-bounds]",
                 is_write ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", wrong);
  print_fault(place, words);
  rt_machine.faults++;
}

bool told_anything(void) {
  return rt_machine.faults || rt_report_counts(rt_machine.report)->races;
}

void told_at_end(void) {
  if (!rt_machine.kind || !rt_machine.launches || rt_machine.settings.is_again) return;
  rt_report_summary(rt_machine.report);
  if (!told_anything()) fprintf(stderr, "hgrd-run: nothing seen in this schedule, which is no proof\n");
}
