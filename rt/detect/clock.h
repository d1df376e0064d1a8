// What does a thread know of the others? A vector clock over the threads of a grid, kept short by the shape of the launch: an
// entry may stand for all threads, a block, a warp or one thread, and the largest one that holds a thread counts for it (Eizenberg
// et al., "BARRACUDA", PLDI 2017; Peng, Grover, Devietti, "CURD", PLDI 2018). A barrier of a block is one entry, of the grid
// another one. Entries are numbers of releasing events, counted for the whole launch; an access with epoch `e` (its thread's
// latest releasing event before it) is known to who has more than `e` for that thread. Clocks are shared, counted and never changed.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_CLOCK_H
#define HGRD_RT_DETECT_CLOCK_H

#include "rt/detect/common.h"

typedef enum ClockLevel { CLOCK_ALL, CLOCK_BLOCK, CLOCK_WARP, CLOCK_THREAD } ClockLevel;

typedef struct ClockEntry {
  uint64_t key; // level, then the number of the block, warp or thread in the grid
  uint32_t stamp;
} ClockEntry;

typedef struct Clock Clock; // NULL: knows nothing

typedef struct ClockSpace { // of one launch
  const Common *common;
  uint64_t bytes;
  bool lacks_memory;
} ClockSpace;

uint64_t clock_key(ClockLevel level, uint64_t number);
Clock *clock_keep(Clock *clock); // one more owner
void clock_drop(ClockSpace *space, Clock *clock);
// Both give a clock that is the caller's, and leave the ones given alone.
Clock *clock_join(ClockSpace *space, Clock *a, Clock *b);
Clock *clock_with(ClockSpace *space, Clock *clock, const ClockEntry *entries,
                  uint32_t count); // sorted by key
uint32_t clock_of_warp(const ClockSpace *space, const Clock *clock,
                       uint64_t warp);                         // by the levels above the thread
uint32_t clock_of_thread(const Clock *clock, uint64_t thread); // by its own entry alone
bool clock_names_threads(const Clock *clock);                  // has any such entry

#endif
