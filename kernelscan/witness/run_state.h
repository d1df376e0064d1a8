// The state of one run of a launch: rehearsal.c makes it, run_contents.c says what its memory holds at the start.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_RUN_STATE_H
#define HGRD_KERNELSCAN_WITNESS_RUN_STATE_H

#include "core/team.h"
#include "kernelscan/witness/past.h"
#include "kernelscan/witness/rehearsal.h"

typedef struct Chosen {
  uint32_t object;
  int64_t offset, value;
  uint32_t bytes;
} Chosen;

typedef struct Given { // what the host puts into a word
  const LaunchContent *content;
  uint32_t tried; // in which launch: index into Rehearsals.launches
  int64_t offset, word;
  bool is_known;
} Given;

typedef struct Tried {
  uint64_t hash; // of the launch
  uint32_t next; // schedule that was not run yet
} Tried;

// What is kept of a scan.
typedef struct Rehearsals {
  VEC(Found) found;
  VEC(Tried) launches;
  VEC(Given) given;
  uint32_t larger, wider; // that were asked for
  uint64_t steps, wide_steps;
  bool is_asked;
  bool is_past_unknown; // the launches before cannot be run
} Rehearsals;

struct Rehearsal {
  Scan *scan;
  Rehearsals *all;
  ReplayLaunch launch;
  uint32_t tried; // index into Rehearsals.launches
  uint32_t thread_count;
  InterpThread *threads;
  bool is_whole_grid, used_memory;
  bool may_choose; // contents of memory
  bool is_wide;    // also of memory that the kernel writes
  bool has_past;   // memory is as the launches before leave it
  bool is_audit;   // contents are of all kinds
  bool is_left;    // what the kernel writes, too, is as the launches before leave it
  bool is_again;   // those of the host loop's round before as well
  Past *past;      // in the run under way
  const SolverAnswer *answer;
  uint32_t
      *choosable; // by number of the interpreter's object: the object + 1, 0: its contents are not chosen
  uint64_t random, seed;
  VEC(Chosen) chosen;
  Witness model;         // what the launch's model says
  const uint8_t *occurs; // by expression, below occurs_count: the model gives it a value
  uint32_t occurs_count;
};

// run_contents.c
void contents_find_choosable(Rehearsal *run); // fills run->choosable
// TeamRequest: what the bytes hold, if nobody has written them in this run; keeps what was chosen.
bool contents_on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value);
bool contents_is_inside(const Rehearsal *run, uint32_t number,
                        int64_t offset);                       // of the object that the host made
void contents_list_chosen(const Rehearsal *run, Found *found); // into found->memory

#endif
