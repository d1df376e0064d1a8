// Vector clocks with entries for groups (clock.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/clock.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

struct Clock {
  uint32_t owners, count;
  ClockEntry entries[]; // by key
};

enum { LEVEL_SHIFT = 60 };

uint64_t clock_key(ClockLevel level, uint64_t number) {
  RT_ASSERT(level <= CLOCK_THREAD);
  RT_ASSERT(number < UINT64_C(1) << LEVEL_SHIFT);
  return (uint64_t)level << LEVEL_SHIFT | number;
}

static size_t size_of(uint32_t count) {
  return sizeof(Clock) + count * sizeof(ClockEntry);
}

static Clock *clock_make(ClockSpace *space, uint32_t room) {
  Clock *clock = malloc(size_of(room));
  if (!clock) {
    space->lacks_memory = true;
    return NULL;
  }
  *clock = (Clock){.owners = 1};
  return clock;
}

static Clock *clock_made(ClockSpace *space, Clock *clock, uint32_t room) { // gives back what it did not need
  Clock *fitted = clock->count < room ? realloc(clock, size_of(clock->count)) : NULL;
  if (!fitted) fitted = clock;
  space->bytes += size_of(fitted->count);
  return fitted;
}

Clock *clock_keep(Clock *clock) {
  if (clock) clock->owners++;
  return clock;
}

void clock_drop(ClockSpace *space, Clock *clock) {
  RT_ASSERT(space);
  if (!clock || --clock->owners) return;
  space->bytes -= size_of(clock->count);
  free(clock);
}

static uint32_t stamp_of(const Clock *clock, uint64_t key) {
  uint32_t low = 0, high = clock ? clock->count : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (clock->entries[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return clock && low < clock->count && clock->entries[low].key == key ? clock->entries[low].stamp : 0;
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static uint32_t stamp_of_all(const Clock *clock) {
  return clock && clock->count && !clock->entries[0].key ? clock->entries[0].stamp : 0;
}

static uint32_t stamp_of_block(const Clock *clock, uint64_t block) {
  return larger(stamp_of_all(clock), stamp_of(clock, clock_key(CLOCK_BLOCK, block)));
}

uint32_t clock_of_warp(const ClockSpace *space, const Clock *clock, uint64_t warp) {
  RT_ASSERT(space && space->common);
  if (!clock) return 0;
  return larger(stamp_of_block(clock, warp / space->common->warps),
                stamp_of(clock, clock_key(CLOCK_WARP, warp)));
}

uint32_t clock_of_thread(const Clock *clock, uint64_t thread) {
  return stamp_of(clock, clock_key(CLOCK_THREAD, thread));
}

bool clock_names_threads(const Clock *clock) { // entries of threads stand last
  return clock && clock->count && clock->entries[clock->count - 1].key >= clock_key(CLOCK_THREAD, 0);
}

// What larger groups of this clock say of the threads that the entry stands for.
static uint32_t stamp_above(const ClockSpace *space, const Clock *clock, uint64_t key) {
  uint64_t number = key & (((uint64_t)1 << LEVEL_SHIFT) - 1);
  const Common *common = space->common;
  switch ((ClockLevel)(key >> LEVEL_SHIFT)) {
  case CLOCK_ALL: break;
  case CLOCK_BLOCK: return stamp_of_all(clock);
  case CLOCK_WARP: return stamp_of_block(clock, number / common->warps);
  case CLOCK_THREAD: {
    uint64_t block = number / common->threads, lane = number % common->threads;
    return clock_of_warp(space, clock, block * common->warps + lane / WARP_LANES);
  }
  }
  return 0;
}

static bool holds(const ClockSpace *space, const Clock *clock, const Clock *other) {
  for (uint32_t i = 0; i < other->count; i++) {
    const ClockEntry *entry = &other->entries[i];
    if (stamp_of(clock, entry->key) < entry->stamp && stamp_above(space, clock, entry->key) < entry->stamp)
      return false;
  }
  return true;
}

// Entries come by key, larger groups first: what a larger one already says is left out.
static void add(const ClockSpace *space, Clock *clock, ClockEntry entry) {
  if (stamp_above(space, clock, entry.key) < entry.stamp) clock->entries[clock->count++] = entry;
}

Clock *clock_join(ClockSpace *space, Clock *a, Clock *b) {
  RT_ASSERT(space && space->common);
  if (!a || a == b) return clock_keep(b);
  if (!b || holds(space, a, b)) return clock_keep(a);
  if (holds(space, b, a)) return clock_keep(b);
  return clock_with(space, a, b->entries, b->count);
}

Clock *clock_with(ClockSpace *space, Clock *clock, const ClockEntry *entries, uint32_t count) {
  RT_ASSERT(space && space->common);
  RT_ASSERT(count == 0 || entries);
  uint32_t room = count + (clock ? clock->count : 0), i = 0, k = 0;
  Clock *joined = clock_make(space, room);
  if (!joined) return clock_keep(clock);
  while ((clock && i < clock->count) || k < count) {
    bool has_old = clock && i < clock->count, has_new = k < count;
    uint64_t old_key = has_old ? clock->entries[i].key : UINT64_MAX;
    uint64_t new_key = has_new ? entries[k].key : UINT64_MAX;
    ClockEntry entry = old_key < new_key ? clock->entries[i] : entries[k];
    if (old_key == new_key) entry.stamp = larger(entry.stamp, clock->entries[i].stamp);
    i += old_key <= new_key;
    k += new_key <= old_key;
    add(space, joined, entry);
  }
  return clock_made(space, joined, room);
}
