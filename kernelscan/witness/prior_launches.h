// Shared by schedule_search.c, which runs a launch on what the launches before it have left in memory, and prior_launches.c,
// which runs those.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_PRIOR_LAUNCHES_H
#define HGRD_KERNELSCAN_WITNESS_PRIOR_LAUNCHES_H

#include "kernelscan/witness/replay.h"

typedef struct PriorLaunches PriorLaunches;

typedef struct PriorRequest {
  Scan *scan;
  const SolverAnswer *answer; // numbers of the host, of all launches
  const ReplayLaunch *launch; // that comes last: what the model says of its memory holds
  uint64_t seed;              // of the contents that nobody but the outside can know
  uint64_t step_limit;
  bool is_again; // the last launch is in a later round of a host loop: its first round comes before as well
  // Object of the interpreter in the last launch whose words, where nobody has said or written anything, hold
  // `taken`; 0: none.
  uint32_t taken_number, taken_bytes;
  int64_t taken;
  // What earlier launches fill has been written when it is read (A12), in rounds that are not run as well: where the
  // run has left a byte as it was, it is not known.
  bool is_filled;
  // Not those of the program's text have written these words before, but these launches, in this order; all of them were
  // made, whatever the model says of the ways there. The host has written nothing in between. 0: no such thing is asked.
  const LaunchContext *const *chain;
  uint32_t chain_count;
  bool is_small; // launches have few blocks and small numbers, whatever the host says: no run of the program
  // What the host code says that lies at an offset of an array when a launch before the last one begins; false: it says nothing of it.
  // NULL: only what the model's numbers make of it.
  bool (*host_says)(void *context, const LaunchContent *content, int64_t offset, int64_t *word);
  void *context; // of host_says
} PriorRequest;

// Has a kernel of the program filled an array of the launch before, so that there is something to run?
bool prior_exists(const Scan *scan);
// The launches before, too, are as the host says.
void prior_add_facts(Scan *scan, Goal *goal);
PriorLaunches *prior_open(const PriorRequest *request, Arena *arena);
// What an object of the last launch holds when that begins; false: a run does not show it.
bool prior_read(PriorLaunches *prior, uint32_t object, int64_t offset, uint32_t bytes, int64_t *word);
// Of a chain: the places, of words of so many bytes, that its launches have written there, one or more times each; false: a run does
// not show them all.
typedef struct PriorPlaces {
  VEC(int64_t) offsets;
} PriorPlaces;
bool prior_places_in_chain(PriorLaunches *prior, uint32_t object, uint32_t bytes, PriorPlaces *places);
// Of a chain: the number of its last launch that wrote there; chain_count: none of them did.
uint32_t prior_writer_in_chain(PriorLaunches *prior, uint32_t object, int64_t offset);
// Of the last launch, a number of the interpreter's object.
uint32_t prior_number(const ReplayLaunch *launch, const Obj *object);
// Who may have written there before the launch begins; NULL: nobody. What the object is called, is known to
// the launch or, of a variable, to the module.
const LaunchWriters *prior_writers(const Scan *scan, const Obj *object);
// Something that was asked for could not be shown.
bool prior_is_incomplete(const PriorLaunches *prior);
uint64_t prior_steps(const PriorLaunches *prior);

#endif
