// HiRace: does this access race with any before it, by a state of constant size? (Jacobson, Burtscher, Gopalakrishnan, "HiRace:
// Accurate and Fast Source-Level Race Checking of GPU Programs", III.)
//
// The paper's rule. A word has a state, the last thread that touched it, and that thread's scalar clocks: how many block barriers
// and warp barriers it had come to. An access is a transition of a state machine by three labels: what it does (read, write,
// atomic), whether the thread has come to a block barrier or a warp barrier since (its clocks against those of the word), and what
// it is to the last thread (the same one, of its warp, of its block, of another block). READ, BREAD, GREAD stand for any number of
// reads of one thread, one block, several blocks; what is not unsynchronised any more stays a part of the state for those whom the
// barrier did not reach. RACE is never left. The paper prints the machine without barriers (figure 1) and with block barriers
// (figure 4) and says that the whole one has 25 states, which are not printed.
//
// Where this departs. The state is derived here from what it stands for, in 21 states: the newest group since the last barrier that
// reached it (a thread, lanes of a warp, warps of a block, blocks), what that group did, what its warp did since the last block
// barrier, and what its block did since the start. A word holds, beside the paper's 8 bytes, three places for the report. A barrier
// of a part counts as a warp barrier within one warp, else as a block barrier; one of the grid or a cluster begins words anew for
// who comes from it: those may hide a race, never make one up. A warp barrier of some lanes counts for each of them, as in the paper.
// Over-approximates (false alarms): fences, flags and locks order nothing, nor does it order an atomic
// operation that another one has seen its result. Under-approximates: scopes of atomics are all the
// device's; a word that has raced tells no second pair.
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/plain.h"

typedef enum Group { GROUP_NONE, GROUP_THREAD, GROUP_WARP, GROUP_BLOCK, GROUP_GRID, GROUP_RACE } Group;
typedef enum Sync { SYNC_NONE, SYNC_WARP, SYNC_BLOCK } Sync;
typedef enum Relation { RELATION_SELF, RELATION_WARP, RELATION_BLOCK, RELATION_GRID } Relation;
enum { DOES_READ = 1, DOES_ATOMIC = 2, DOES_WRITE = DOES_READ | DOES_ATOMIC }; // joined by `|`

typedef struct State {
  uint8_t group;
  uint8_t newest, warp, block; // what they did: the newest group, its warp since a block barrier, its block
} State;

typedef struct Cell {
  State state;
  uint32_t block_clock, warp_clock, grid_clock;
  Seen last, other, writer; // `other`: of a thread that is not the last one's; the two are for reports only
} Cell;

static const ShadowKind cells = {.cell_bytes = sizeof(Cell)};

static bool collide(uint8_t before, uint8_t now) {
  return before != now || now == DOES_WRITE;
}

static State next_outside(State old, uint8_t does) { // the word is seen by several blocks
  if (collide(old.block, does)) return (State){.group = GROUP_RACE};
  return (State){GROUP_GRID, does, does, does};
}

static State next_in_warp(State old, uint8_t does, Sync sync, Relation relation) {
  uint8_t warp = old.warp | does, block = old.block | does;
  if (sync == SYNC_WARP) return (State){GROUP_THREAD, does, warp, block};
  if (old.group == GROUP_THREAD && relation == RELATION_SELF)
    return (State){GROUP_THREAD, old.newest | does, warp, block};
  if (collide(old.newest, does)) return (State){.group = GROUP_RACE};
  return (State){GROUP_WARP, does, warp, block};
}

static State next_state(State old, uint8_t does, Sync sync, Relation relation) {
  if (old.group == GROUP_RACE) return old;
  if (old.group == GROUP_NONE) return (State){GROUP_THREAD, does, does, does};
  if (old.group == GROUP_GRID || relation == RELATION_GRID) return next_outside(old, does);
  if (sync == SYNC_BLOCK) return (State){GROUP_THREAD, does, does, old.block | does};
  if (old.group != GROUP_BLOCK && relation != RELATION_BLOCK) return next_in_warp(old, does, sync, relation);
  if (collide(old.warp, does)) return (State){.group = GROUP_RACE};
  return (State){GROUP_BLOCK, does, does, old.block};
}

static uint8_t does_of(const RtAccess *access) {
  return access_is_atomic(access) ? DOES_ATOMIC : access->kind == RT_WRITE ? DOES_WRITE : DOES_READ;
}

static Relation relation_of(RtThread a, RtThread b) {
  if (a.block != b.block) return RELATION_GRID;
  return is_same_thread(a, b) ? RELATION_SELF : is_same_warp(a, b) ? RELATION_WARP : RELATION_BLOCK;
}

// ---- whom to name: the state has forgotten all but the last one
static uint8_t did(const Seen *seen) {
  return seen->kind == RT_WRITE ? DOES_WRITE : seen->kind == RT_READ ? DOES_READ : DOES_ATOMIC;
}

static const Seen *partner(const Cell *cell, const RtAccess *access) {
  const Seen *candidates[] = {&cell->last, &cell->other, &cell->writer};
  const Seen *best = &cell->last;
  for (int i = 2; i >= 0; i--)
    if (candidates[i]->place && !is_same_thread(seen_by(candidates[i]), access->by)) best = candidates[i];
  for (int i = 2; i >= 0; i--)
    if (candidates[i]->place && !is_same_thread(seen_by(candidates[i]), access->by) &&
        collide(did(candidates[i]), does_of(access)))
      best = candidates[i];
  return best;
}

static const char *missing(const Cell *cell, const RtAccess *access) {
  switch (relation_of(seen_by(partner(cell, access)), access->by)) {
  case RELATION_GRID: return "no barrier holds threads of different blocks together";
  case RELATION_BLOCK: return "no block barrier between them";
  case RELATION_WARP:
  case RELATION_SELF: break;
  }
  return "no warp barrier between them";
}

static void visit_cell(void *context, void *memory, const ShadowPart *part) {
  const Visit *visit = context;
  Cell *cell = memory;
  const RtAccess *access = visit->access;
  const ThreadCounters *clock = &visit->block->threads[access->by.thread];
  if (clock->grid_barriers > cell->grid_clock) *cell = (Cell){0};
  Relation relation = relation_of(seen_by(&cell->last), access->by);
  Sync sync = clock->block_barriers > cell->block_clock ? SYNC_BLOCK
              : clock->warp_barriers > cell->warp_clock ? SYNC_WARP
                                                        : SYNC_NONE;
  State next = next_state(cell->state, does_of(access), sync, relation);
  if (next.group == GROUP_RACE && cell->state.group != GROUP_RACE)
    tell_race(&visit->detector->common, partner(cell, access), access, part, missing(cell, access));
  cell->state = next;
  cell->block_clock = clock->block_barriers;
  cell->warp_clock = clock->warp_barriers;
  cell->grid_clock = clock->grid_barriers;
  if (relation != RELATION_SELF) cell->other = cell->last;
  cell->last = seen_of(&visit->detector->common, access, part);
  if (access->kind != RT_READ || access_is_atomic(access)) cell->writer = cell->last;
}

static void on_access(RtDetector *detector, const RtAccess *access) {
  plain_access(detector, access, visit_cell);
}

static void on_barrier(RtDetector *detector, const RtBarrier *barrier) {
  bool is_of_warp =
      barrier->kind == RT_BARRIER_WARP || (barrier->kind == RT_BARRIER_PART && plain_is_within_warp(barrier));
  bool is_wide = barrier->kind == RT_BARRIER_GRID || barrier->kind == RT_BARRIER_CLUSTER;
  for (uint32_t i = 0; i < barrier->count; i++) {
    ThreadCounters *thread = plain_thread(detector, barrier->threads[i]);
    if (!thread) return;
    thread->warp_barriers++;
    thread->block_barriers += !is_of_warp;
    thread->grid_barriers += is_wide;
  }
}

static RtDetector *detector_open(const RtLaunch *launch, void (*told)(void *context, const RtRace *race),
                                 void *context) {
  return plain_open(&cells, launch, told, context);
}

const RtDetectorKind rt_hirace = {.name = "hirace",
                                  .paper = "Jacobson, Burtscher, Gopalakrishnan, \"HiRace\"",
                                  .open = detector_open,
                                  .block_begins = plain_block_begins,
                                  .block_ends = plain_block_ends,
                                  .access = on_access,
                                  .barrier = on_barrier,
                                  .bytes = plain_bytes,
                                  .has_given_up = plain_has_given_up,
                                  .close = plain_close};
