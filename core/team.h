// Runs all threads of a launch (or of some of its blocks) together on concrete values, one instruction at a
// time, in one of many orders, and says which two accesses of different threads nothing has ordered. Method:
// interpretation in a sequentially consistent order, which every memory model allows; what has happened
// before what is kept in vector clocks: barriers, and fences with strong operations between them as in the
// C++ memory model, with scopes (Flanagan and Freund, "FastTrack", PLDI 2009; Batty et al., "Mathematizing
// C++ concurrency", POPL 2011). Soundness: what is told is a race of this run. A thread that comes to
// something that is not followed is left standing there, as if it were slow; the others go on. Where the
// models leave room (whose writes a fence releases, a shuffle), more is taken for ordered than need be.
// Pairs of strong accesses are told only if the scope of one does not hold the other one's thread (of
// volatile ones if asked for).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_TEAM_H
#define HGRD_CORE_TEAM_H

#include "core/cfg.h"
#include "core/interp.h"
#include "core/memory_model.h"

// Barriers that a thread has passed, by whom they wait for. Those with numbers, and objects in memory, are not
// among them.
typedef enum TeamReach { TEAM_LANES, TEAM_BLOCK, TEAM_GRID, TEAM_REACHES } TeamReach;
typedef struct TeamPassed {
  uint32_t count[TEAM_REACHES];
  uint32_t inst[TEAM_REACHES];    // the latest, if there was one
  uint32_t ordinal[TEAM_REACHES]; // of the latest: among all that the thread has passed
  uint32_t lanes;                 // for which lanes the latest of its kind waited
  uint32_t of_some;               // of those of lanes: that waited for a part of the warp
} TeamPassed;

typedef struct TeamRace {
  uint32_t inst[2]; // the two accesses, the one that this run made first before the other one
  bool is_write[2];
  uint32_t thread[2]; // index into TeamRequest.threads
  uint32_t object;
  int64_t offset;              // of the common bytes, about: of the word that holds them
  const TeamPassed *passed[2]; // before its access; NULL: none. Lives as long as the run
} TeamRace;

typedef struct TeamRequest {
  // `thread`, `access`, `sync`, `async`, `step_limit` and the switches are not looked at. `read` is asked for
  // the initial contents of memory; words that are first read by an atomic or volatile operation, and that it
  // does not know, are zero.
  InterpRequest base;
  uint32_t thread_count;
  const InterpThread *threads; // block by block, whole blocks, each by linear thread number
  bool is_whole_grid;          // they are all
  MemoryRules rules;           // by which fences count, and volatile accesses race
  bool tells_without_fence;    // what is written is released, fence or not
  bool reaches_all;            // all scopes are those of the device
  uint32_t
      schedule; // 0: in order; 1: in reverse order; others: mixed, each in its own way; from 10 on: by ranks
  bool in_step; // each thread in turn makes one access to memory, as lanes of a warp in lock step would
  // By block, and the graph that they are numbers of; NULL: lanes are on their own. Else lanes of a warp go
  // on together: who has come further in this order, or has gone round a loop more often, waits for the
  // others, and each knows what one of them knows. No two lanes of a warp race then.
  const uint32_t *warp_order;
  const Cfg *cfg;
  uint64_t step_limit;                               // of all threads together
  void (*race)(void *context, const TeamRace *race); // not more than once for two accesses in one run
  // Each write to memory that is no block's own, as it is made; NULL: a byte that is not known, or part of a
  // pointer, is in it. May be NULL.
  void (*wrote)(void *context, uint32_t object, int64_t offset, uint32_t bytes, const uint8_t *data);
  void *context;
  bool *left_standing; // is set if a thread did not come to its end; may be NULL
} TeamRequest;

uint64_t team_run(const TeamRequest *request, Arena *scratch); // returns the number of steps

#endif
