// Shared by rehearsal.c, which runs a launch as a whole, and audit.c, which compares proofs with such runs.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_REHEARSAL_H
#define HGRD_KERNELSCAN_WITNESS_REHEARSAL_H

#include "kernelscan/witness/replay.h"

enum { REHEARSAL_SCHEDULES = 17 };

typedef struct Rehearsal Rehearsal;

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
  bool has_past;     // the launches before were run
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
Rehearsal *rehearsal_open(Scan *scan, const Goal *goal, const SolverAnswer *answer, Start start);
uint64_t rehearsal_hash(const Rehearsal *run);             // of the launch
uint64_t rehearsal_run(Rehearsal *run, uint32_t schedule); // steps taken, about
uint32_t rehearsal_found_count(const Rehearsal *run);      // in all of its runs
const Found *rehearsal_found(const Rehearsal *run, uint32_t index);
bool rehearsal_is_left(const Rehearsal *run); // START_LEFT, START_AGAIN
void rehearsal_fill_witness(Scan *scan, const Found *found, int first, Witness *witness);
const ReplayLaunch *rehearsal_launch(const Rehearsal *run);

#endif
