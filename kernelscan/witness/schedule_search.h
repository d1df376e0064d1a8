// Shared by schedule_search.c, which runs a launch as a whole, and audit.c, which compares proofs with such runs.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_SCHEDULE_SEARCH_H
#define HGRD_KERNELSCAN_WITNESS_SCHEDULE_SEARCH_H

#include "kernelscan/witness/replay.h"

enum { SEARCH_SCHEDULES = 17 };

typedef struct ScheduleSearch ScheduleSearch;

// A race that a run has shown.
typedef struct Found {
  uint32_t inst[2]; // the one that the run made first before the other one
  bool is_write[2];
  Extent extent;
  WitnessThread threads[2];
  int64_t grid[3], block[3], offset;
  VEC(WitnessValue) memory; // contents that were chosen
  VEC(WitnessValue) values; // that the host gives, in that run
  bool used_memory;
  bool is_wide;      // flags and counters began with chosen numbers
  bool has_prior;    // the launches before were run
  const char *cause; // NULL: not asked, or nothing to say
} Found;

// What memory holds at the start of a run, where the host does not say: what the kernel only reads holds what
// the launches before have left in it, or chosen numbers of several kinds; what it writes as well, besides
// ...
typedef enum Start {
  START_CLEAR,  // ... zeros, in the words of flags and counters
  START_CHOSEN, // ... chosen numbers
  START_LEFT,   // ... what the launches before have left in it, if those are in view, else as START_CLEAR
  START_AGAIN   // ... likewise, in a later round of a host loop
} Start;

// The launch of the answer, a model of the goal. NULL: it is not known, or too large.
ScheduleSearch *schedule_search_open(Scan *scan, const Goal *goal, const SolverAnswer *answer, Start start);
uint64_t schedule_search_hash(const ScheduleSearch *run);             // of the launch
uint64_t schedule_search_run(ScheduleSearch *run, uint32_t schedule); // steps taken, about
uint32_t schedule_search_found_count(const ScheduleSearch *run);      // in all of its runs
const Found *schedule_search_found(const ScheduleSearch *run, uint32_t index);
bool schedule_search_is_left(const ScheduleSearch *run); // START_LEFT, START_AGAIN
void schedule_search_fill_witness(Scan *scan, const Found *found, int first, Witness *witness);
const ReplayLaunch *schedule_search_launch(const ScheduleSearch *run);

#endif
