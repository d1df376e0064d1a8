// The door of kernelscan/witness/: runs of the kernel that bear out a race, or a start value.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_H
#define HGRD_KERNELSCAN_WITNESS_H

#include "kernelscan/query.h"
#include "kernelscan/barrier.h"

typedef enum ReplayResult {
  REPLAY_CONFIRMED,
  REPLAY_NEEDS_MEMORY, // it happens if memory that the kernel is given holds what is shown
  REPLAY_NOT_SHOWN,    // it hangs on contents of memory that the kernel itself computes
  REPLAY_DIFFERS,
  REPLAY_IMPOSSIBLE
} ReplayResult;

typedef struct ReplayQuery {
  const Access *accesses[2];
  Couple couple;
  const SolverAnswer *answer;
  const View *views[2];
  ExprRef offsets[2];     // of the two accesses, in bytes
  const Goal *goal;       // the conditions that the model satisfies: which values are worth showing
  uint32_t *undefined_at; // NULL, or by thread: the instruction without a meaning at which it stopped, else
                          // CFG_NONE
  bool is_of_order;       // the model holds more than the goal: which threads they are matters
} ReplayQuery;

typedef enum PartingKind {
  PARTING_NOT_SHOWN,
  PARTING_BY_LEAVING, // one of the two has merely ended where the other one waits
  PARTING_BLOCK_LEFT, // so has one that arrives for its block, at a barrier of the grid
  PARTING_SHOWN
} PartingKind;

typedef struct Parting {
  PartingKind kind;
  bool used_memory;         // contents that the model has chosen
  const char *doubt;        // RaceFacts
  bool is_of_other_threads; // of the same launch than those of the model:
  WitnessThread threads[2]; // the first one comes to the barrier
} Parting;

typedef struct RaceFacts {
  const Access *accesses[2];
  uint32_t object;
  Extent extent;
  ReplayResult replay;
  Witness witness;
  bool is_computed_here; // it hangs on what the kernel puts into an array that the host has filled
  bool is_same_value;
  bool is_open;                    // nothing is known to order the two, nor that nothing does
  const char *cause, *explanation; // what locks or flags lack; NULL: nothing to say
  const char *doubt;               // a call that has to change something for that, as a sentence; NULL: none
  const struct RaceFacts *also[EXTENT_COUNT]; // of the same pair, told in notes of this one; NULL: none
  const SolverAnswer *answer;
  Goal goal; // that the answer is a model of
} RaceFacts;

// Was it shown without anything that may not be? Whether the launch itself is ever made is another question.
static inline bool race_is_sure(const RaceFacts *race) {
  return race->replay == REPLAY_CONFIRMED && !race->doubt;
}

// replay.c
// Fills the witness (launch, threads, address) from the model; on a difference searches the same launch for
// two other threads that do collide.
ReplayResult replay_check(Scan *scan, const ReplayQuery *query, Witness *witness);

// model_witness.c
// Launch, threads and values from a model, without running anything.
void witness_from_model(Scan *scan, const ReplayQuery *query, Witness *witness);

// replay_barriers.c
// Do the two threads of the answer, or others of their block, come to different barriers?
Parting replay_parts_at_barrier(Scan *scan, const ReplayQuery *query, const BarrierFork *fork);

// start_words.c
typedef void ReportRace(Scan *scan, const RaceFacts *race);
// Lists what is assumed of the words that proofs lean on (start_values_noted); leaves the kernel undecided, or reports a
// race, where runs speak against it.
void start_words_check(Scan *scan, ReportRace *report);

// schedule_search.c
// Runs the whole launch of the model: CONFIRMED or NEEDS_MEMORY if the two accesses race there, with threads
// and address put into the witness, and the cause if it is known; DIFFERS if that was not seen. A query
// without a goal only looks at what was found before.
ReplayResult schedule_search_find(Scan *scan, const ReplayQuery *query, Witness *witness, const char **cause);
// The same in runs on chosen contents of all memory that the kernel is given: what it computes itself comes
// out of them, what kernels before it have computed out of runs of those, or it may be anything, if they
// cannot be run. NEEDS_MEMORY, with the witness, if the two accesses race in one of them; else NOT_SHOWN.
ReplayResult schedule_search_confirm(Scan *scan, const ReplayQuery *query, Witness *witness);
bool schedule_search_runs_prior(const Scan *scan); // were the kernels before run for that?

// prior_launches.c
// The array, if the device wrote it before in ways that are not followed; else NULL.
const LaunchObject *prior_computed_object(const Scan *scan, const Obj *object);
// Has a kernel before put starts into counters that this one only draws from?
bool prior_computes_starts(const Scan *scan, uint32_t object);

#endif
