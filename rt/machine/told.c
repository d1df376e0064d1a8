// How are findings of a run put into words? As hgrd-check puts them: place, two accesses, threads, blocks, the launch; then what is known
// only of a run: the schedule that it was seen in. Each pair of places is told once, in all launches and, through a file, in all
// schedules. On stderr, which is the program's too.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_BYTES = 2048, GROUPS_MOST = 16 };

struct Finding {
  char *key;
  Finding *next;
};

// ---- objects

static const char *plain_name(const char *mangled, char *text, size_t size) {
  extern char *__cxa_demangle(const char *, char *, size_t *, int *);
  int status;
  char *name = strncmp(mangled, "_Z", 2) == 0 ? __cxa_demangle(mangled, NULL, NULL, &status) : NULL;
  (void)snprintf(text, size, "%s", name ? name : mangled);
  free(name);
  return text;
}

void told_object(const void *address, char *text, size_t size) {
  const unsigned char *at = address;
  char name[256];
  for (const Block *block = rt_machine.resident; block; block = block->next) {
    uint64_t offset = (uint64_t)(at - block->shared);
    if (offset >= rt_machine.shared_bytes) continue;
    (void)snprintf(text, size, "byte %llu of the shared memory of its block", (unsigned long long)offset);
    return;
  }
  RtMemory object;
  if (!rt_memory_find((uint64_t)(uintptr_t)address, &object)) {
    (void)snprintf(text, size, "global memory");
    return;
  }
  unsigned long long offset = (unsigned long long)((uint64_t)(uintptr_t)address - object.address);
  if (object.kind == RT_MEMORY_VARIABLE)
    (void)snprintf(text, size, "'%s' (byte %llu)", plain_name(object.by, name, sizeof name), offset);
  else
    (void)snprintf(text, size, "byte %llu of %llu bytes from %s (object %llu of the run)", offset,
                   (unsigned long long)object.bytes, object.by, (unsigned long long)object.number);
}

// ---- threads and places

static void thread_text(RtThread by, char *text, size_t size) {
  uint32_t thread[3], block[3];
  coordinates(rt_machine.launch.block, by.thread, thread);
  coordinates(rt_machine.launch.grid, by.block, block);
  (void)snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u)", thread[0], thread[1], thread[2],
                 block[0], block[1], block[2]);
}

static const char *kind_text(const RtAccess *access) {
  switch (access->kind) {
  case RT_READ: return access->is_volatile ? "volatile read" : "read";
  case RT_WRITE: return access->is_volatile ? "volatile write" : "write";
  case RT_ATOMIC:
  case RT_ATOMIC_FAILED: return "atomic";
  }
  return "access";
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

// Was it told before, in this run or by one with another schedule?
static bool was_told(const char *key, bool *is_known) {
  for (const Finding *finding = rt_machine.findings; finding; finding = finding->next)
    if (strcmp(finding->key, key) == 0) return *is_known = true;
  Finding *made = malloc(sizeof *made);
  if (made && (made->key = strdup(key)) != NULL) {
    made->next = rt_machine.findings;
    rt_machine.findings = made;
  }
  *is_known = false;
  if (is_in_file(key)) return true;
  keep_in_file(key);
  return false;
}

// ---- findings

static const char *rule_of(const RtRace *race) {
  bool is_one_block = race->first.by.block == race->second.by.block;
  if (!is_one_block) return "inter-block-race";
  return race->first.by.thread / WARP == race->second.by.thread / WARP ? "intra-warp-race"
                                                                       : "intra-block-race";
}

static void print_race(const RtAccess *one, const RtAccess *other, const RtRace *race) {
  char object[512], a[128], b[128], schedule[32];
  const RtPlace *at = some(one->place), *there = some(other->place);
  told_object((const void *)(uintptr_t)one->address, object, sizeof object);
  thread_text(one->by, a, sizeof a), thread_text(other->by, b, sizeof b);
  fprintf(stderr, "%s:%u:%u: warning: %s of %s by %s races with %s at %s:%u by %s [-W%s]\n", at->file,
          at->line, at->column, kind_text(one), object, a, kind_text(other), there->file, there->line, b,
          rule_of(race));
  fprintf(stderr, "%s:%u:%u: note: the other access: %s%s%s\n", there->file, there->line, there->column,
          kind_text(other), there->path ? ", called from " : "", there->path ? there->path : "");
  if (race->why) fprintf(stderr, "%s:%u:%u: note: %s\n", at->file, at->line, at->column, race->why);
  print_launch();
  fprintf(stderr, "hgrd-run: note: seen by %s; --replay=%s runs this schedule again\n", rt_machine.kind->name,
          schedule_text(schedule, sizeof schedule));
}

void told_race(void *context, const RtRace *race) {
  (void)context;
  char key[KEY_BYTES];
  const RtPlace *a = some(race->first.place), *b = some(race->second.place);
  bool is_swapped =
      strcmp(a->file, b->file) > 0 ||
      (strcmp(a->file, b->file) == 0 && (a->line > b->line || (a->line == b->line && a->column > b->column)));
  const RtPlace *low = is_swapped ? b : a, *high = is_swapped ? a : b;
  bool is_known;
  (void)snprintf(key, sizeof key, "%s:%u:%u %s:%u:%u %s", low->file, low->line, low->column, high->file,
                 high->line, high->column, rt_machine.launch.kernel);
  bool is_old = was_told(key, &is_known);
  if (!is_known) rt_machine.races++;
  if (is_old) return;
  bool is_second_read = race->second.kind == RT_READ || race->second.kind == RT_ATOMIC_FAILED;
  fflush(stdout);
  if (is_second_read)
    print_race(&race->first, &race->second, race);
  else
    print_race(&race->second, &race->first, race);
}

// ---- threads that cannot go on

typedef struct StuckGroup {
  const char *what;
  uint32_t place, count;
  RtThread first;
} StuckGroup;

static const char *wait_text(const Thread *thread) {
  if (thread->wait == WAIT_GATE) return thread->gate->name;
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
      if (block->threads[i].state == THREAD_WAITING) count = add_to_groups(groups, count, &block->threads[i]);
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
  rt_machine.races++;
}

void told_fault(const char *what, const void *address) {
  const Thread *thread = rt_machine.current;
  const RtPlace *place = some(place_numbered(thread->last_place ? thread->last_place : thread->lane.place));
  char who[128];
  (void)address;
  thread_text(thread->id, who, sizeof who);
  fprintf(stderr, "%s:%u:%u: error: %s of '%s' %s, here or soon after\n", place->file, place->line,
          place->column, who, rt_machine.launch.kernel, what);
  print_launch();
}

void told_at_end(void) {
  if (!rt_machine.kind || !rt_machine.launches || rt_machine.settings.is_again) return;
  fprintf(stderr, "%llu launch%s watched by %s: ", (unsigned long long)rt_machine.launches,
          rt_machine.launches == 1 ? "" : "es", rt_machine.kind->name);
  if (rt_machine.races)
    fprintf(stderr, "%llu finding%s\n", (unsigned long long)rt_machine.races,
            rt_machine.races == 1 ? "" : "s");
  else
    fprintf(stderr, "no race seen, which is no proof\n");
}

// The host side keeps the map of objects itself (rt/memory.h).
void rt_memory_made(void *address, uint64_t bytes, const char *what) {
  (void)address, (void)bytes, (void)what;
}
void rt_memory_freed(void *address) {
  (void)address;
}
