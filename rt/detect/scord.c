// ScoRD: did the warp that touched the word last execute a fence of enough scope since, and were both accesses strong? (Kamath,
// George, Basu, "ScoRD: A Scoped Race Detector for GPUs", ISCA 2020, IV.A, tables III and IV.)
//
// The paper's rule. Warps are the threads of this detector: lanes of one warp are in program order. Each word keeps who touched it
// last (block, warp), the barriers its block and the fences its warp had come to, and flags: modified, used by several warps, by
// several blocks, by an atomic (of which scope), always by strong accesses (volatile, atomic); and the locks that were held. An
// access is race-free if it is the first one; if only this warp has touched the word; if only this block has, and a block barrier
// came since. A read of what is not modified needs no more. Else a race is: (a) same block, and the other warp has executed no
// fence since; (b) another block, and no fence of the device since; (c) one of the accesses is not strong; (d) an atomic of
// block scope and another block; (e, f) locks were held at one of the two, and none in common. Two atomics are held to (d) alone.
// Locks are inferred as in counters.h, of a warp, four at a time.
//
// Where this departs. (1) All words are kept, where the paper keeps one of sixteen in a cache. (2) The last writer is kept beside the
// last accessor, and reads are held against it (iGUARD's way): the paper has one entry, by which the second of two warps that
// read behind a fence races with the first one. (3) Behind a block barrier that separates a word from its last accessor the flags of
// several warps, of strong accesses and of atomics are taken back, as when the word is begun anew: else all that is used by
// two warps would have to be volatile for ever. (4) Shared memory is watched too. (5) No counter wraps, hashes have 32 bits. (6) A
// barrier of the grid or a cluster is a block barrier and a fence of the device, and begins words anew for who comes from it; one of a
// part counts as one of the block for who took part. (7) A failed compare-and-swap only reads.
// Over-approximates: plain accesses under a lock, or behind a fence and a flag, are told by (c). Under-approximates: within a warp
// nothing races; any fence of the other warp orders, flag or not; two accessors are remembered.
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/plain.h"

typedef struct Accessor {
  Seen seen;
  uint32_t barriers, grid_barriers, block_fences, device_fences;
  LockSet locks;
} Accessor;

typedef struct Cell {
  Accessor last, writer;
  bool is_valid, is_modified, is_atomic, is_block_scope, is_strong;
  bool is_device_shared, is_block_shared;
} Cell;

static const ShadowKind cells = {.cell_bytes = sizeof(Cell)};

static Accessor accessor_of(const Visit *visit, const ShadowPart *part) {
  RtThread by = visit->access->by;
  const ThreadCounters *thread = &visit->block->threads[by.thread];
  const WarpCounters *warp = &visit->block->warps[by.thread / WARP_LANES];
  return (Accessor){.seen = seen_of(&visit->detector->common, visit->access, part),
                    .barriers = thread->block_barriers,
                    .grid_barriers = thread->grid_barriers,
                    .block_fences = warp->block_fences,
                    .device_fences = warp->device_fences,
                    .locks = locks_held(&warp->locks)};
}

static bool has_fenced(const Visit *visit, const Accessor *md, bool device_only) {
  const BlockCounters *block = counters_find(&visit->detector->counters, md->seen.block);
  WarpCounters none = {0};
  const WarpCounters *warp = block ? &block->warps[md->seen.thread / WARP_LANES] : &none;
  return warp->device_fences != md->device_fences || (!device_only && warp->block_fences != md->block_fences);
}

static bool is_safe(const Cell *cell, const Accessor *md, const Accessor *now) {
  if (!cell->is_valid) return true;
  RtThread before = seen_by(&md->seen), by = seen_by(&now->seen);
  if (is_same_warp(before, by) && !cell->is_block_shared && !cell->is_device_shared) return true;
  return before.block == by.block && md->barriers != now->barriers && !cell->is_device_shared;
}

static bool holds_nothing_common(const Accessor *md, const Accessor *now) {
  bool has_any = !lockset_is_empty(&md->locks) || !lockset_is_empty(&now->locks);
  return has_any && !lockset_meets(&md->locks, &now->locks);
}

static const char *race_of(const Visit *visit, const Cell *cell, const Accessor *md, const Accessor *now) {
  const RtAccess *access = visit->access;
  if (is_same_warp(seen_by(&md->seen), access->by)) return NULL;
  bool is_same_block = md->seen.block == access->by.block;
  bool is_block_scope = cell->is_block_scope || access->scope == RT_SCOPE_BLOCK;
  bool is_atomic = access_is_atomic(access);
  if (cell->is_atomic && is_block_scope && !is_same_block && (is_atomic || cell->is_block_scope))
    return "an atomic operation of block scope does not reach the other block"; // (d)
  if (cell->is_atomic && is_atomic) return NULL;
  if (is_same_block && !has_fenced(visit, md, false))
    return "no block barrier and no fence between them";                                              // (a)
  if (!is_same_block && !has_fenced(visit, md, true)) return "no fence of device scope between them"; // (b)
  if (!cell->is_strong || !access_is_strong(access))
    return "a fence orders strong accesses only, and one of them is neither volatile nor atomic"; // (c)
  return holds_nothing_common(md, now) ? "no lock is held at both" : NULL;                        // (e), (f)
}

static void begin_anew(Cell *cell) {
  cell->is_block_shared = false;
  cell->is_strong = true;
  cell->is_atomic = cell->is_block_scope = false;
}

static void update(const Visit *visit, Cell *cell, const Accessor *now) {
  const RtAccess *access = visit->access;
  RtThread before = seen_by(&cell->last.seen);
  bool is_first = !cell->is_valid;
  if (!is_first && before.block != access->by.block)
    cell->is_device_shared = true;
  else if (!is_first && now->barriers != cell->last.barriers)
    begin_anew(cell);
  else if (!is_first && !is_same_warp(before, access->by))
    cell->is_block_shared = true;
  if (is_first) begin_anew(cell);
  cell->is_valid = true;
  cell->is_strong = cell->is_strong && access_is_strong(access);
  if (access_is_atomic(access)) {
    cell->is_atomic = true;
    cell->is_block_scope = access->scope == RT_SCOPE_BLOCK;
  }
  cell->last = *now;
  if (!access_is_write(access)) return;
  cell->is_modified = true;
  cell->writer = *now;
}

static void visit_cell(void *context, void *memory, const ShadowPart *part) {
  const Visit *visit = context;
  Cell *cell = memory;
  Accessor now = accessor_of(visit, part);
  if (cell->is_valid && now.grid_barriers > cell->last.grid_barriers) *cell = (Cell){0};
  bool is_write = access_is_write(visit->access);
  const Accessor *md = is_write ? &cell->last : &cell->writer;
  bool is_asked = is_write || cell->is_modified;
  if (is_asked && !is_safe(cell, md, &now)) {
    const char *why = race_of(visit, cell, md, &now);
    if (why) tell_race(&visit->detector->common, &md->seen, visit->access, part, why);
  }
  update(visit, cell, &now);
}

static void on_access(RtDetector *detector, const RtAccess *access) {
  plain_access(detector, access, visit_cell);
  if (!access->is_compare_swap && !access->is_exchange) return;
  WarpCounters *warp = plain_warp(detector, access->by);
  if (!warp) return;
  if (access->is_compare_swap && access->kind == RT_ATOMIC)
    locks_note(&warp->locks, access->address, access->scope, LOCKS_HELD);
  if (access->is_exchange) locks_give_back(&warp->locks, access->address, access->scope);
}

static void add_fence(WarpCounters *warp, RtScope scope) {
  if (scope <= RT_SCOPE_BLOCK)
    warp->block_fences++;
  else
    warp->device_fences++;
}

static void on_fence(RtDetector *detector, const RtFence *fence) {
  WarpCounters *warp = plain_warp(detector, fence->by);
  if (!warp) return;
  add_fence(warp, fence->scope);
  locks_activate(&warp->locks, fence->scope);
  plain_thread(detector, fence->by)->block_fences++; // the block has fences: it is kept when it ends
}

static void on_barrier(RtDetector *detector, const RtBarrier *barrier) {
  bool is_part = barrier->kind == RT_BARRIER_PART;
  if (barrier->kind == RT_BARRIER_WARP || (is_part && plain_is_within_warp(barrier))) return;
  bool is_wide = barrier->kind == RT_BARRIER_GRID || barrier->kind == RT_BARRIER_CLUSTER;
  for (uint32_t i = 0; i < barrier->count; i++) {
    ThreadCounters *thread = plain_thread(detector, barrier->threads[i]);
    WarpCounters *warp = plain_warp(detector, barrier->threads[i]);
    if (!thread || !warp) return;
    thread->block_barriers++; // of a part too: a missed race, rather than one that is none
    thread->grid_barriers += is_wide;
    if (is_wide) {
      add_fence(warp, RT_SCOPE_DEVICE);
      thread->device_fences++;
    }
  }
}

static RtDetector *detector_open(const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                                 void *context) {
  return plain_open(&cells, launch, told, context);
}

const RtDetectorKind rt_scord = {.name = "scord",
                                 .paper = "Kamath, George, Basu, \"ScoRD\", ISCA 2020",
                                 .open = detector_open,
                                 .block_begins = plain_block_begins,
                                 .block_ends = plain_block_ends,
                                 .access = on_access,
                                 .barrier = on_barrier,
                                 .fence = on_fence,
                                 .bytes = plain_bytes,
                                 .has_given_up = plain_has_given_up,
                                 .close = plain_close};
