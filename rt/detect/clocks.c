// Vector clocks: has this access happened after each one of the word that it collides with? The reference for the other
// detectors, and the counterpart of the proofs: core/team_*.c has the same rules for runs of a few threads in an interpreter.
//
// The rule (Flanagan and Freund, "FastTrack", PLDI 2009; Batty et al., "Mathematizing C++ concurrency", POPL 2011; PTX ISA, "Memory
// Consistency Model"). A thread knows its own past; whoever takes part in a barrier of lanes, a part, a block, a cluster or the grid
// knows what all of them knew, with what their fences had released and what they had read and no fence had acquired yet (fences are
// cumulative). A fence that releases makes what the thread knows ready to be told, to its block or to all by its scope; a strong write
// (atomic, volatile) tells it through the word, an update goes on with what others have told there, any other write ends it. A
// strong read hears what was told, if the scopes of both reach, and a fence that acquires, or its own order, makes it known. A
// strong write comes before whoever has observed it. Two accesses race if they share a byte, one writes, not both are strong with scopes that
// hold both threads, and the later one's thread does not know the earlier one. A strong read sees data that was told, fence or not.
//
// Where it departs. From FastTrack: threads are too many for vectors by thread, so entries stand for groups (clock.h); epochs advance at
// releasing events alone. From the proofs: two volatile accesses never race here; a cluster's scope reaches all; a
// thread that has ended counts as arrived at barriers of its block or grid, at those of lanes only if it was named. From PTX: where models
// leave room (whose writes a fence releases behind a barrier) more is ordered than need be.
// Over-approximates (false alarms): a barrier object or an asynchronous copy counts as what the events tell of it. Under-approximates: one run
// in one order; of each word some race is told, not each pair.
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/history.h"

#include <stdlib.h>

// ---- blocks and threads
static void runner_drop(RtDetector *detector, Runner *runner) {
  clock_drop(&detector->space, runner->clock);
  for (int r = 0; r < REACH_COUNT; r++) {
    clock_drop(&detector->space, runner->released[r]);
    clock_drop(&detector->space, runner->heard[r]);
  }
}

static size_t block_bytes(const RtDetector *detector) {
  return sizeof(RunnerBlock) + detector->common.threads * sizeof(Runner);
}

static void block_drop(RtDetector *detector, RunnerBlock *block) {
  if (block == detector->blocks.ended) return;
  for (uint32_t i = 0; i < detector->common.threads; i++)
    runner_drop(detector, &block->threads[i]);
  detector->bytes -= block_bytes(detector);
  free(block);
}

static RunnerBlock *block_make(RtDetector *detector, uint32_t number) {
  RunnerBlock *block = calloc(1, block_bytes(detector));
  if (block && !rt_map_put(&detector->blocks.map, number, (uintptr_t)block)) {
    free(block);
    block = NULL;
  }
  if (!block) {
    detector->common.has_given_up = true;
    return NULL;
  }
  detector->bytes += block_bytes(detector);
  for (uint32_t i = 0; i < detector->common.threads; i++)
    block->threads[i].epoch = detector->now;
  return block;
}

static RunnerBlock *block_at(RtDetector *detector, uint32_t number) {
  RunnerBlock *block = rt_map_item(&detector->blocks.map, number);
  return block && block != detector->blocks.ended ? block : block_make(detector, number);
}

static Runner *runner_of(RtDetector *detector, RtThread by) {
  RunnerBlock *block = block_at(detector, by.block);
  return block ? &block->threads[by.thread] : NULL;
}

static void on_block_begin(RtDetector *detector, uint32_t block, uint64_t shared_address) {
  shadow_clear(&detector->shadow, shared_address, detector->common.launch.shared_bytes);
  block_at(detector, block);
}

static void on_block_end(RtDetector *detector, uint32_t number) {
  RunnerBlock *block = rt_map_item(&detector->blocks.map, number);
  if (!block || block == detector->blocks.ended) return;
  bool has_told = block->has_told;
  block_drop(detector, block);
  rt_map_remove(&detector->blocks.map, number);
  if (has_told && !rt_map_put(&detector->blocks.map, number, (uintptr_t)detector->blocks.ended))
    detector->common.has_given_up = true;
}

// ---- releasing and acquiring
static void take(RtDetector *detector, Clock **place, Clock *clock) { // `clock` is the caller's to give
  clock_drop(&detector->space, *place);
  *place = clock;
}

static void learn(RtDetector *detector, Runner *runner, Clock *clock) {
  Clock *joined = clock_join(&detector->space, runner->clock, clock);
  if (joined != runner->clock) runner->is_told = false;
  take(detector, &runner->clock, joined);
}

static uint8_t reach_of(RtScope scope) {
  return scope == RT_SCOPE_BLOCK ? REACH_BLOCK : REACH_ALL;
}

static void acquire(RtDetector *detector, Runner *runner, uint8_t reach) {
  for (uint8_t r = 0; r <= reach; r++) {
    if (!runner->heard[r]) continue;
    learn(detector, runner, runner->heard[r]);
    take(detector, &runner->heard[r], NULL);
  }
}

static uint32_t next_stamp(RtDetector *detector) {
  if (detector->now == UINT32_MAX) detector->common.has_given_up = true;
  return detector->now == UINT32_MAX ? detector->now : ++detector->now;
}

static void release(RtDetector *detector, Runner *runner, RtThread by, uint8_t reach) {
  if (runner->is_told && runner->told_to >= reach) return;
  runner->epoch = next_stamp(detector);
  ClockEntry own = {clock_key(CLOCK_THREAD, thread_number(&detector->common, by)), runner->epoch};
  Clock *now = clock_with(&detector->space, runner->clock, &own, 1);
  for (uint8_t r = 0; r <= reach; r++)
    take(detector, &runner->released[r], clock_keep(now));
  clock_drop(&detector->space, now);
  runner->is_told = true;
  runner->told_to = reach;
}

static bool order_acquires(RtOrder order) {
  return order == RT_ACQUIRE || order == RT_ACQ_REL || order == RT_SEQ_CST;
}

static bool order_releases(RtOrder order) {
  return order == RT_RELEASE || order == RT_ACQ_REL || order == RT_SEQ_CST;
}

static void on_fence(RtDetector *detector, const RtFence *fence) {
  Runner *runner = detector->common.has_given_up ? NULL : runner_of(detector, fence->by);
  if (!runner) return;
  if (order_acquires(fence->order)) acquire(detector, runner, reach_of(fence->scope));
  if (order_releases(fence->order)) release(detector, runner, fence->by, reach_of(fence->scope));
}

// ---- accesses
static void hear_clock(RtDetector *detector, Runner *runner, int reach, Clock *told, bool acquires) {
  if (acquires)
    learn(detector, runner, told);
  else
    take(detector, &runner->heard[reach], clock_join(&detector->space, runner->heard[reach], told));
}

// What its own block has released there, through whatever updates of others, and what was released to all.
static void hear(RtDetector *detector, Runner *runner, Sync *sync, const RtAccess *access) {
  bool acquires = order_acquires(access->order) && access->scope != RT_SCOPE_NONE;
  Clock **own = sync_told_in(detector, sync, access->by.block, false);
  if (own && *own) hear_clock(detector, runner, REACH_BLOCK, *own, acquires);
  if (sync->told && reach_of(access->scope) == REACH_ALL)
    hear_clock(detector, runner, REACH_ALL, sync->told, acquires);
}

static void forget_told(RtDetector *detector, Sync *sync) {
  take(detector, &sync->told, NULL);
  for (uint32_t i = 0; i < sync->told_in_count; i++)
    clock_drop(&detector->space, sync->told_in[i].clock);
  sync->told_in_count = 0;
}

static void tell_through(RtDetector *detector, Runner *runner, Sync *sync, const RtAccess *access) {
  if (access->kind != RT_ATOMIC) forget_told(detector, sync);
  if (!access_is_strong(access)) return;
  if (reach_of(access->scope) == REACH_ALL && runner->released[REACH_ALL]) {
    take(detector, &sync->told, clock_join(&detector->space, sync->told, runner->released[REACH_ALL]));
    block_at(detector, access->by.block)->has_told = true;
  }
  if (!runner->released[REACH_BLOCK]) return;
  Clock **own = sync_told_in(detector, sync, access->by.block, true);
  if (own) take(detector, own, clock_join(&detector->space, *own, runner->released[REACH_BLOCK]));
}

typedef struct Visit {
  RtDetector *detector;
  const RtAccess *access;
  Runner *runner;
} Visit;

static void visit_word(void *context, void *cell, const ShadowPart *part) {
  const Visit *visit = context;
  RtDetector *detector = visit->detector;
  const RtAccess *access = visit->access;
  Word *word = cell;
  bool is_write = access_is_write(access), is_strong = access_is_strong(access);
  bool is_update = access->kind == RT_ATOMIC || access->kind == RT_ATOMIC_FAILED;
  Sync *sync = is_strong ? word_sync(detector, word) : word->sync;
  if (is_strong && !sync) return;
  if (is_strong && (!is_write || is_update)) hear(detector, visit->runner, sync, access);
  Touch touch = touch_of(detector, access, visit->runner, part);
  if (is_strong && (!is_write || is_update)) sync_observe(detector, sync, &touch);
  if (is_write && sync) sync_write(detector, sync, &touch, is_update);
  word_touch(detector, word, access, visit->runner, touch, part);
  if (is_write && sync) tell_through(detector, visit->runner, sync, access);
}

static void on_access(RtDetector *detector, const RtAccess *access) {
  Runner *runner =
      access->space == RT_LOCAL || detector->common.has_given_up ? NULL : runner_of(detector, access->by);
  if (!runner) return;
  bool is_release =
      access_is_write(access) && access->scope != RT_SCOPE_NONE && order_releases(access->order);
  if (is_release) release(detector, runner, access->by, reach_of(access->scope));
  Visit visit = {detector, access, runner};
  if (!shadow_visit(&detector->shadow, access, visit_word, &visit)) detector->common.has_given_up = true;
  runner->is_told = false;
  if (detector->space.lacks_memory) detector->common.has_given_up = true;
}

// ---- barriers: who is there, as members, and as entries of the clock that they go on with
static bool has_room(RtDetector *detector, uint32_t members, uint32_t entries) {
  if (members > detector->member_capacity) {
    Runner **larger = realloc(detector->members, members * sizeof *larger);
    if (larger) detector->members = larger, detector->member_capacity = members;
  }
  if (entries > detector->entry_capacity) {
    ClockEntry *larger = realloc(detector->entries, entries * sizeof *larger);
    if (larger) detector->entries = larger, detector->entry_capacity = entries;
  }
  bool has = members <= detector->member_capacity && entries <= detector->entry_capacity;
  if (!has) detector->common.has_given_up = true;
  return has;
}

static bool add_member(RtDetector *detector, Runner *runner) {
  if (!has_room(detector,
                detector->member_count + 1 > detector->member_capacity ? detector->member_count * 2 + 64
                                                                       : detector->member_count + 1,
                0))
    return false;
  detector->members[detector->member_count++] = runner;
  return true;
}

static bool add_block(RtDetector *detector, uint32_t number) { // whoever has ended counts as arrived
  RunnerBlock *block = block_at(detector, number);
  for (uint32_t i = 0; block && i < detector->common.threads; i++)
    if (!add_member(detector, &block->threads[i])) return false;
  return block;
}

static int by_key(const void *a, const void *b) {
  uint64_t x = ((const ClockEntry *)a)->key, y = ((const ClockEntry *)b)->key;
  return x < y ? -1 : x > y;
}

static uint32_t unique(ClockEntry *entries, uint32_t count) {
  qsort(entries, count, sizeof *entries, by_key);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!kept || entries[kept - 1].key != entries[i].key) entries[kept++] = entries[i];
  return kept;
}

static uint32_t meet_blocks(RtDetector *detector, const RtBarrier *barrier) {
  if (!has_room(detector, 0, barrier->count)) return 0;
  for (uint32_t i = 0; i < barrier->count; i++)
    detector->entries[i] = (ClockEntry){clock_key(CLOCK_BLOCK, barrier->threads[i].block), 0};
  uint32_t count = unique(detector->entries, barrier->count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = (uint32_t)detector->entries[i].key;
    if (!add_block(detector, number)) return 0;
    if (count > 1) block_at(detector, number)->has_told = true;
  }
  return count;
}

static uint32_t meet_grid(RtDetector *detector) {
  if (!has_room(detector, 0, 1)) return 0;
  detector->entries[0] = (ClockEntry){clock_key(CLOCK_ALL, 0), 0};
  const RtMap *map = &detector->blocks.map;
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->table[i].value && map->table[i].value != (uintptr_t)detector->blocks.ended &&
        !add_block(detector, (uint32_t)map->table[i].key))
      return 0;
  return 1;
}

static uint32_t lanes_of_warp(const Common *common, uint64_t warp) {
  uint32_t first = (uint32_t)(warp % common->warps) * WARP_LANES;
  return common->threads - first < WARP_LANES ? common->threads - first : WARP_LANES;
}

// Whole warps as such, the others by thread.
static uint32_t meet_threads(RtDetector *detector, const RtBarrier *barrier) {
  const Common *common = &detector->common;
  if (!has_room(detector, 0, barrier->count)) return 0;
  ClockEntry *entries = detector->entries;
  for (uint32_t i = 0; i < barrier->count; i++) {
    Runner *runner = runner_of(detector, barrier->threads[i]);
    if (!runner || !add_member(detector, runner)) return 0;
    uint64_t warp = warp_number(common, barrier->threads[i]), lane = barrier->threads[i].thread % WARP_LANES;
    entries[i] = (ClockEntry){warp * WARP_LANES + lane, 0};
  }
  uint32_t count = unique(entries, barrier->count), kept = 0;
  for (uint32_t i = 0; i < count;) {
    uint64_t warp = entries[i].key / WARP_LANES;
    uint32_t behind = i;
    while (behind < count && entries[behind].key / WARP_LANES == warp)
      behind++;
    bool is_whole = behind - i == lanes_of_warp(common, warp);
    if (is_whole) entries[kept++] = (ClockEntry){clock_key(CLOCK_WARP, warp), 0};
    for (; !is_whole && i < behind; i++) {
      uint64_t lane = entries[i].key % WARP_LANES, block = warp / common->warps;
      uint64_t thread = block * common->threads + warp % common->warps * WARP_LANES + lane;
      entries[kept++] = (ClockEntry){clock_key(CLOCK_THREAD, thread), 0};
    }
    i = behind;
  }
  qsort(entries, kept, sizeof *entries, by_key);
  return kept;
}

static Clock *join_all(RtDetector *detector, size_t offset) { // of a clock at this offset of each member
  Clock *all = NULL;
  for (uint32_t i = 0; i < detector->member_count; i++) {
    Clock *one = *(Clock **)(void *)((char *)detector->members[i] + offset);
    if (!one || one == all) continue;
    take(detector, &all, clock_join(&detector->space, all, one));
  }
  return all;
}

static void share(RtDetector *detector, size_t offset, Clock *clock) {
  for (uint32_t i = 0; i < detector->member_count; i++)
    take(detector, (Clock **)(void *)((char *)detector->members[i] + offset), clock_keep(clock));
  clock_drop(&detector->space, clock);
}

// What fences have released, and what was read and waits for one, is everybody's behind the barrier.
static void share_fences(RtDetector *detector) {
  for (size_t r = 0; r < REACH_COUNT; r++) {
    size_t released = offsetof(Runner, released) + r * sizeof(Clock *);
    size_t heard = offsetof(Runner, heard) + r * sizeof(Clock *);
    share(detector, released, join_all(detector, released));
    share(detector, heard, join_all(detector, heard));
  }
}

static void on_barrier(RtDetector *detector, const RtBarrier *barrier) {
  if (detector->common.has_given_up || !barrier->count) return;
  detector->member_count = 0;
  uint32_t count = 0;
  switch (barrier->kind) {
  case RT_BARRIER_WARP:
  case RT_BARRIER_PART: count = meet_threads(detector, barrier); break;
  case RT_BARRIER_BLOCK:
  case RT_BARRIER_CLUSTER: count = meet_blocks(detector, barrier); break;
  case RT_BARRIER_GRID: count = meet_grid(detector); break;
  }
  if (!count) return;
  uint32_t now = next_stamp(detector);
  for (uint32_t i = 0; i < count; i++)
    detector->entries[i].stamp = now;
  Clock *all = join_all(detector, offsetof(Runner, clock));
  Clock *met = clock_with(&detector->space, all, detector->entries, count);
  clock_drop(&detector->space, all);
  share(detector, offsetof(Runner, clock), met);
  share_fences(detector);
  for (uint32_t i = 0; i < detector->member_count; i++) {
    detector->members[i]->epoch = now;
    detector->members[i]->is_told = false;
  }
  if (detector->space.lacks_memory) detector->common.has_given_up = true;
}

// ---- a launch
static bool is_too_large(const RtLaunch *launch) { // warps have 32 bits
  uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  return blocks > UINT32_MAX / WARP_LANES;
}

static RtDetector *detector_open(const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                                 void *context) {
  RtDetector *detector = calloc(1, sizeof *detector);
  RunnerBlock *ended = calloc(1, sizeof *ended);
  if (!detector || !ended) {
    free(detector);
    free(ended);
    return NULL;
  }
  common_open(&detector->common, launch, told, context);
  detector->common.has_given_up = is_too_large(launch);
  detector->space.common = &detector->common;
  detector->shadow.kind = &words_kind;
  detector->shadow.context = detector;
  detector->blocks.ended = ended;
  return detector;
}

static uint64_t bytes_held(const RtDetector *detector) {
  return sizeof *detector + detector->shadow.bytes + common_bytes(&detector->common) + detector->space.bytes +
         detector->bytes + rt_map_bytes(&detector->blocks.map) +
         detector->member_capacity * sizeof(Runner *) + detector->entry_capacity * sizeof(ClockEntry);
}

static bool has_given_up(const RtDetector *detector) {
  return detector->common.has_given_up;
}

static void detector_close(RtDetector *detector) {
  const RtMap *blocks = &detector->blocks.map;
  for (uint32_t i = 0; i < blocks->capacity; i++)
    if (blocks->table[i].value) block_drop(detector, (RunnerBlock *)(uintptr_t)blocks->table[i].value);
  rt_map_close(&detector->blocks.map);
  shadow_close(&detector->shadow);
  common_close(&detector->common);
  free(detector->blocks.ended);
  free(detector->members);
  free(detector->entries);
  free(detector);
}

const RtDetectorKind rt_clocks = {.name = "clocks",
                                  .paper = "Flanagan, Freund, \"FastTrack\", PLDI 2009; PTX ISA",
                                  .open = detector_open,
                                  .block_begins = on_block_begin,
                                  .block_ends = on_block_end,
                                  .access = on_access,
                                  .barrier = on_barrier,
                                  .fence = on_fence,
                                  .bytes = bytes_held,
                                  .has_given_up = has_given_up,
                                  .close = detector_close};
