// iGUARD: was there a barrier, a fence of enough scope, or a common lock between this access and the last one of the word? (Kamath
// and Basu, "iGUARD: In-GPU Advanced Race Detection", SOSP 2021, section 6 and table 2.)
//
// The paper's rule. Each word keeps its last accessor and its last writer: who it was, and how many barriers of its block and its
// warp and fences of both scopes it had come to; flags say whether the word was written, accessed by atomics (of which scope), by
// several warps, by several blocks. A read is held against the last writer, a write or atomic (which counts as a write) against
// the last accessor `md`. It is race-free if one of P1 to P6 holds: the first access; nothing was written; the same thread,
// and no other warp before; the same warp, and a warp barrier since; the same block, and a block barrier since; both atomic and
// of enough scope. Else the first of these that holds is the race: R1 an atomic of block scope in another block; R2, R3, R4 within
// a warp, a block, the device: md's thread has come to no fence (of enough scope) since its access; R5 locks were held, but
// none in common. If none holds, there is no race. Locks: a compare-and-swap, activated by a fence, ended by an exchange of the
// same word and scope; of a warp, until two of its lanes hold some at a time: then of each thread.
//
// Where this departs. (1) Lanes on their own: P4's "the accessors are in the active mask" never holds, as the threads of this run
// do not go in lock step; what lanes of one warp do in one instruction may be told, where the paper trusts to lock step. (2) A
// failed compare-and-swap is a read and notes no lock; lanes that use locks at a time are seen by the entry of another lane. (3)
// Behind a barrier that separates a word from its last accessor (P4, P5) the flag of several warps is taken back:
// else every word that two warps had used before a barrier would be told when one thread reads and writes it behind it. (4)
// Shared memory is watched too. (5) Counters do not wrap, hashes of locks have 32 bits. (6) A barrier of the grid or a cluster
// counts as block barrier and fence of the device of each thread, one of a part as a fence of the block, or as warp barrier. (7)
// The scope of this atomic counts in P6 and R1, not only that of the one before. (8) No race is told of a thread with itself, which R3 would
// do where others have touched the word before.
// Over-approximates: a fence of the block's other threads behind a barrier does not count (R4). Under-approximates: any fence
// behind an access orders it, flag or not; only two accessors are remembered ("Finite-history litmus test", HiRace, listing 3).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/plain.h"

enum { LOCK_ENTRIES = 3 };

typedef struct Accessor {
  Seen seen;
  uint32_t block_barriers, warp_barriers, block_fences, device_fences;
} Accessor;

typedef struct Cell {
  Accessor last, writer;
  LockSet locks; // of the last accessor
  LockSet writer_locks;
  bool is_valid, is_modified, is_atomic, is_block_scope;
  bool is_device_shared, is_block_shared;
} Cell;

static const ShadowKind cells = {.cell_bytes = sizeof(Cell)};

static LockTable *locks_of(BlockCounters *block, uint32_t thread) {
  WarpCounters *warp = &block->warps[thread / WARP_LANES];
  return warp->locks_by_thread ? &block->threads[thread].locks : &warp->locks;
}

static Accessor accessor_of(const Visit *visit, const ShadowPart *part) {
  const ThreadCounters *now = &visit->block->threads[visit->access->by.thread];
  return (Accessor){.seen = seen_of(&visit->detector->common, visit->access, part),
                    .block_barriers = now->block_barriers,
                    .warp_barriers = now->warp_barriers,
                    .block_fences = now->block_fences,
                    .device_fences = now->device_fences};
}

// Of the thread that made the access, as its counters stand now.
static bool has_fenced(const Visit *visit, const Accessor *md, bool device_only) {
  const BlockCounters *block = counters_find(&visit->detector->counters, md->seen.block);
  ThreadCounters none = {0};
  const ThreadCounters *now = block ? &block->threads[md->seen.thread] : &none;
  return now->device_fences != md->device_fences || (!device_only && now->block_fences != md->block_fences);
}

static bool is_safe(const Visit *visit, const Cell *cell, const Accessor *md) {
  const RtAccess *access = visit->access;
  const ThreadCounters *now = &visit->block->threads[access->by.thread];
  RtThread before = seen_by(&md->seen);
  if (!cell->is_valid) return true;                                // P1
  if (!cell->is_modified && !access_is_write(access)) return true; // P2
  bool is_alone = !cell->is_device_shared && !cell->is_block_shared;
  if (is_alone && is_same_thread(before, access->by)) return true; // P3
  if (is_alone && is_same_warp(before, access->by) && md->warp_barriers != now->warp_barriers)
    return true; // P4
  if (!cell->is_device_shared && before.block == access->by.block &&
      md->block_barriers != now->block_barriers)
    return true; // P5
  return cell->is_atomic && access_is_atomic(access) &&
         (before.block == access->by.block ||
          (!cell->is_block_scope && access->scope != RT_SCOPE_BLOCK)); // P6
}

static const char *race_of(const Visit *visit, const Cell *cell, const Accessor *md, const LockSet *md_locks,
                           const LockSet *locks) {
  const RtAccess *access = visit->access;
  RtThread before = seen_by(&md->seen);
  bool is_same_block = before.block == access->by.block;
  if (is_same_thread(before, access->by)) return NULL;
  bool is_scoped_here = access->scope == RT_SCOPE_BLOCK && cell->is_atomic;
  if (cell->is_atomic && (cell->is_block_scope || is_scoped_here) && cell->writer.seen.place &&
      cell->writer.seen.block != access->by.block)
    return "an atomic operation of block scope does not reach the other block"; // R1
  if (is_same_warp(before, access->by) && !has_fenced(visit, md, false) && !cell->is_device_shared &&
      !cell->is_block_shared)
    return "no warp barrier and no fence between them"; // R2
  if (is_same_block && !has_fenced(visit, md, false) && !cell->is_device_shared)
    return "no block barrier and no fence between them";                                              // R3
  if (!is_same_block && !has_fenced(visit, md, true)) return "no fence of device scope between them"; // R4
  if ((!lockset_is_empty(md_locks) || !lockset_is_empty(locks)) && !lockset_meets(md_locks, locks))
    return "no lock is held at both"; // R5
  return NULL;
}

static void update(const Visit *visit, Cell *cell, const Accessor *now, const LockSet *locks) {
  const RtAccess *access = visit->access;
  RtThread before = seen_by(&cell->last.seen);
  if (cell->is_valid && before.block != access->by.block) {
    cell->is_device_shared = true;
  } else if (cell->is_valid) {
    bool is_behind_barrier = now->block_barriers != cell->last.block_barriers;
    if (is_behind_barrier)
      cell->is_block_shared = false;
    else if (!is_same_warp(before, access->by))
      cell->is_block_shared = true;
  }
  cell->is_valid = true;
  cell->last = *now;
  cell->locks = *locks;
  if (access_is_atomic(access)) {
    cell->is_atomic = true;
    cell->is_block_scope = access->scope == RT_SCOPE_BLOCK;
  }
  if (!access_is_write(access)) return;
  cell->is_modified = true;
  cell->writer = *now;
  cell->writer_locks = *locks;
}

static void visit_cell(void *context, void *memory, const ShadowPart *part) {
  const Visit *visit = context;
  Cell *cell = memory;
  bool stores = access_is_write(visit->access);
  const Accessor *md = stores ? &cell->last : &cell->writer;
  const LockSet *md_locks = stores ? &cell->locks : &cell->writer_locks;
  LockSet locks = locks_held(locks_of(visit->block, visit->access->by.thread));
  if (!is_safe(visit, cell, md)) {
    const char *why = race_of(visit, cell, md, md_locks, &locks);
    if (why) tell_race(&visit->detector->common, &md->seen, visit->access, part, why);
  }
  Accessor now = accessor_of(visit, part);
  update(visit, cell, &now, &locks);
}

// ---- locks
static void note_lock(RtDetector *detector, const RtAccess *access) {
  BlockCounters *block = counters_of(&detector->counters, &detector->common, access->by.block);
  if (!block) return;
  WarpCounters *warp = &block->warps[access->by.thread / WARP_LANES];
  bool is_of_another = warp->lock_owner && warp->lock_owner != access->by.thread % WARP_LANES + 1;
  if (!warp->locks_by_thread && is_of_another && locks_has_valid(&warp->locks)) {
    uint32_t first = access->by.thread / WARP_LANES * WARP_LANES;
    block->threads[first + warp->lock_owner - 1].locks = warp->locks;
    warp->locks_by_thread = true;
  }
  if (access->kind != RT_ATOMIC) return;
  locks_note(locks_of(block, access->by.thread), access->address, access->scope, LOCK_ENTRIES);
  warp->lock_owner = access->by.thread % WARP_LANES + 1;
}

static void on_access(RtDetector *detector, const RtAccess *access) {
  plain_access(detector, access, visit_cell);
  if (access->is_compare_swap) note_lock(detector, access);
  if (!access->is_exchange) return;
  BlockCounters *block = counters_of(&detector->counters, &detector->common, access->by.block);
  if (block) locks_give_back(locks_of(block, access->by.thread), access->address, access->scope);
}

static void on_fence(RtDetector *detector, const RtFence *fence) {
  BlockCounters *block = counters_of(&detector->counters, &detector->common, fence->by.block);
  if (!block) return;
  ThreadCounters *thread = &block->threads[fence->by.thread];
  if (fence->scope <= RT_SCOPE_BLOCK)
    thread->block_fences++;
  else
    thread->device_fences++;
  locks_activate(locks_of(block, fence->by.thread), fence->scope);
}

static void on_barrier(RtDetector *detector, const RtBarrier *barrier) {
  bool is_part = barrier->kind == RT_BARRIER_PART;
  bool is_of_warp = barrier->kind == RT_BARRIER_WARP || (is_part && plain_is_within_warp(barrier));
  bool is_wide = barrier->kind == RT_BARRIER_GRID || barrier->kind == RT_BARRIER_CLUSTER;
  for (uint32_t i = 0; i < barrier->count; i++) {
    ThreadCounters *thread = plain_thread(detector, barrier->threads[i]);
    if (!thread) return;
    thread->warp_barriers += !is_part || is_of_warp;
    thread->block_barriers += !is_part && !is_of_warp;
    thread->block_fences += is_part && !is_of_warp;
    thread->device_fences += is_wide;
  }
}

static RtDetector *detector_open(const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                                 void *context) {
  return plain_open(&cells, launch, told, context);
}

const RtDetectorKind rt_iguard = {.name = "iguard",
                                  .paper = "Kamath, Basu, \"iGUARD\", SOSP 2021",
                                  .open = detector_open,
                                  .block_begins = plain_block_begins,
                                  .block_ends = plain_block_ends,
                                  .access = on_access,
                                  .barrier = on_barrier,
                                  .fence = on_fence,
                                  .bytes = plain_bytes,
                                  .has_given_up = plain_has_given_up,
                                  .close = plain_close};
