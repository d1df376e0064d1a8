// LDetector: do two warps change one byte between two barriers, and does what is read depend on who was first? (Li, Hu, Chen,
// Brock, Luo, Zhang, Ding, "LD: Low-Overhead GPU Race Detection Without Access Monitoring", ACM TACO 14(1), 2017, section 4.)
//
// The paper's rule. The code between two barriers is run twice, each warp on a private copy of memory. First pass: a byte that
// differs from what stood there at the start was written by that warp; two warps that changed one byte race. Second pass: each
// warp sees what all others have changed; if it writes something else now, it has read what another one wrote. A value that is put
// back to what it was is not seen (ABA); atomics and locks are not handled; lanes of a warp race only within one instruction.
//
// Where this departs. Nothing is run twice: the events tell the values. What stood in a byte when the interval began is kept with the
// word, and by which warp it was read and changed since. Two warps that have changed a byte race (the value that the first one
// left there may be the same: the report says so). A read races with a change by another warp if it would have found something else in
// the other order: the paper asks, further, whether what the reader writes differs by it. Two lanes of a warp race if they
// write different values at one place of the source; lock step is not known. An interval lasts for two threads of a block to the next
// block barrier, for others to the next barrier of the grid or cluster. Strong accesses, and what a thread does while it holds
// lock (a compare-and-swap has found zero, and nothing was written there since) are not watched, as the paper handles neither.
// Over-approximates: fences and flags order nothing. Under-approximates: the paper's ABA; the latest two readers and the latest two
// writers of a word are remembered.
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/plain.h"

enum { KEPT = 2 };

typedef struct Mark {
  Seen seen; // `after`: what it left, or read, there
  uint32_t block_barriers, grid_barriers;
} Mark;

typedef struct Cell {
  Mark latest;
  Mark writers[KEPT], readers[KEPT];      // the newest first, of two warps
  uint32_t at_grid_start, at_block_start; // of the intervals that the latest access is in
} Cell;

static const ShadowKind cells = {.cell_bytes = sizeof(Cell)};

static uint32_t differing_bytes(uint32_t a, uint32_t b) { // a mask
  uint32_t mask = 0, both = a ^ b;
  for (uint32_t i = 0; i < 4; i++)
    if (both >> 8 * i & 0xff) mask |= 0xffu << 8 * i;
  return mask;
}

static bool is_same_interval(const Mark *a, const Mark *b) {
  if (a->grid_barriers != b->grid_barriers) return false;
  return a->seen.block != b->seen.block || a->block_barriers == b->block_barriers;
}

// What stood there when the interval began that holds both.
static uint32_t start_of(const Cell *cell, const Mark *before, const Mark *now) {
  return before->seen.block == now->seen.block ? cell->at_block_start : cell->at_grid_start;
}

static bool change_both(const Cell *cell, const Mark *before, const Mark *now) {
  uint32_t start = start_of(cell, before, now);
  return (differing_bytes(before->seen.after, start) & differing_bytes(now->seen.after, start)) != 0;
}

static bool race_with_writer(const Cell *cell, const Mark *writer, const Mark *now) {
  if (!writer->seen.place || !is_same_interval(writer, now)) return false;
  RtThread before = seen_by(&writer->seen), by = seen_by(&now->seen);
  bool is_write = now->seen.kind == RT_WRITE;
  if (is_same_warp(before, by))
    return is_write && !is_same_thread(before, by) && writer->seen.place == now->seen.place &&
           writer->seen.after != now->seen.after;
  if (is_write) return change_both(cell, writer, now);
  return now->seen.after != start_of(cell, writer, now);
}

static bool race_with_reader(const Mark *reader, const Mark *now) {
  if (!reader->seen.place || !is_same_interval(reader, now)) return false;
  return !is_same_warp(seen_by(&reader->seen), seen_by(&now->seen)) && reader->seen.after != now->seen.after;
}

static void keep(Mark *marks, const Mark *now) {
  if (!is_same_warp(seen_by(&marks[0].seen), seen_by(&now->seen))) marks[1] = marks[0];
  marks[0] = *now;
}

static void begin_intervals(Cell *cell, const Mark *now, uint32_t value) {
  const Mark *latest = &cell->latest;
  bool is_first = !latest->seen.place;
  if (is_first || latest->grid_barriers != now->grid_barriers) cell->at_grid_start = value;
  if (is_first || latest->grid_barriers != now->grid_barriers || latest->seen.block != now->seen.block ||
      latest->block_barriers != now->block_barriers)
    cell->at_block_start = value;
  cell->latest = *now;
}

static void visit_cell(void *context, void *memory, const ShadowPart *part) {
  const Visit *visit = context;
  Cell *cell = memory;
  const RtAccess *access = visit->access;
  Common *common = &visit->detector->common;
  const ThreadCounters *clock = &visit->block->threads[access->by.thread];
  Mark now = {seen_of(common, access, part), clock->block_barriers, clock->grid_barriers};
  begin_intervals(cell, &now, bytes_at(access->before, part));
  bool is_write = access->kind == RT_WRITE;
  for (int i = 0; i < KEPT; i++) {
    if (race_with_writer(cell, &cell->writers[i], &now))
      tell_race(common, &cell->writers[i].seen, access, part,
                is_write ? "both change it, and no barrier is between"
                         : "what is read depends on who was first");
    if (is_write && race_with_reader(&cell->readers[i], &now))
      tell_race(common, &cell->readers[i].seen, access, part, "what is read depends on who was first");
  }
  keep(is_write ? cell->writers : cell->readers, &now);
}

// Zero became something else: a lock, and not the loop by which an atomic operation of another kind is made.
static bool takes_lock(const RtAccess *access) {
  bool swaps = access->is_compare_swap && access->kind == RT_ATOMIC && access->before;
  const unsigned char *before = access->before;
  for (uint32_t i = 0; swaps && i < access->bytes; i++)
    if (before[i]) return false;
  return swaps;
}

static void on_access(RtDetector *detector, const RtAccess *access) {
  ThreadCounters *thread = plain_thread(detector, access->by);
  if (!thread) return;
  if (access_is_write(access)) locks_forget(&thread->locks, access->address);
  if (takes_lock(access)) locks_note(&thread->locks, access->address, access->scope, LOCKS_HELD);
  if (!access_is_strong(access) && !locks_has_valid(&thread->locks))
    plain_access(detector, access, visit_cell);
}

static void on_barrier(RtDetector *detector, const RtBarrier *barrier) {
  bool is_part = barrier->kind == RT_BARRIER_PART;
  if (barrier->kind == RT_BARRIER_WARP || (is_part && plain_is_within_warp(barrier))) return;
  bool is_wide = barrier->kind == RT_BARRIER_GRID || barrier->kind == RT_BARRIER_CLUSTER;
  for (uint32_t i = 0; i < barrier->count; i++) {
    ThreadCounters *thread = plain_thread(detector, barrier->threads[i]);
    if (!thread) return;
    thread->block_barriers++;
    thread->grid_barriers += is_wide;
  }
}

static RtDetector *detector_open(const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                                 void *context) {
  return plain_open(&cells, launch, told, context);
}

const RtDetectorKind rt_values = {.name = "values",
                                  .paper = "Li et al., \"LD: Low-Overhead GPU Race Detection\", TACO 2017",
                                  .open = detector_open,
                                  .block_begins = plain_block_begins,
                                  .block_ends = plain_block_ends,
                                  .access = on_access,
                                  .barrier = on_barrier,
                                  .bytes = plain_bytes,
                                  .has_given_up = plain_has_given_up,
                                  .close = plain_close};
