// The state of one run of a launch: schedule_search.c makes it, run_contents.c says what its memory holds at the start.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_RUN_STATE_H
#define HGRD_KERNELSCAN_WITNESS_RUN_STATE_H

#include "core/team.h"
#include "kernelscan/witness/prior_launches.h"
#include "kernelscan/witness/schedule_search.h"

typedef struct Chosen {
  uint32_t object;
  int64_t offset, value;
  uint32_t bytes;
} Chosen;

typedef struct Given { // what the host puts into a word
  const LaunchContent *content;
  uint32_t tried; // in which launch: index into ScheduleSearches.launches
  int64_t offset, word;
  bool is_known;
} Given;

typedef struct Tried {
  uint64_t hash; // of the launch
  uint32_t next; // schedule that was not run yet
} Tried;

// What is kept of a scan.
typedef struct ScheduleSearches {
  VEC(Found) found;
  VEC(Tried) launches;
  VEC(Given) given;
  uint32_t larger, wider; // that were asked for
  uint64_t steps, wide_steps;
  bool is_asked;
  bool is_prior_unknown; // the launches before cannot be run
  bool was_prior_run;    // to their end, in some run of this launch
} ScheduleSearches;

struct ScheduleSearch {
  Scan *scan;
  ScheduleSearches *all;
  ReplayLaunch launch;
  uint32_t tried; // index into ScheduleSearches.launches
  uint32_t thread_count;
  InterpThread *threads;
  bool is_whole_grid, used_memory;
  bool may_choose;      // contents of memory
  bool is_wide;         // also of memory that the kernel writes
  bool has_prior;       // memory is as the launches before leave it
  bool is_audit;        // contents are of all kinds
  bool is_left;         // what the kernel writes, too, is as the launches before leave it
  bool is_again;        // those of the host loop's round before as well
  PriorLaunches *prior; // in the run under way
  const SolverAnswer *answer;
  uint32_t
      *choosable; // by number of the interpreter's object: the object + 1, 0: its contents are not chosen
  uint64_t random, seed;
  VEC(Chosen) chosen;
  Witness model;         // what the launch's model says
  const ExprSet *occurs; // the model gives them values
};

// run_contents.c
void run_contents_find_choosable(ScheduleSearch *run); // fills run->choosable
// TeamRequest: what the bytes hold, if nobody has written them in this run; keeps what was chosen.
bool run_contents_on_read(void *context, uint32_t object, int64_t offset, uint32_t bytes, InterpValue *value);
// What the host code says that lies at the offset, of this launch or of one before; false: nothing. context: the ScheduleSearch.
bool run_contents_host_says(void *context, const LaunchContent *content, int64_t offset, int64_t *word);
bool run_contents_is_inside(const ScheduleSearch *run, uint32_t number,
                            int64_t offset);                            // of the object that the host made
void run_contents_list_chosen(const ScheduleSearch *run, Found *found); // into found->memory

#endif
