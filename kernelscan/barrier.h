// The door of kernelscan/barrier/: who takes part in a barrier, and in its halves.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_BARRIER_H
#define HGRD_KERNELSCAN_BARRIER_H

#include "kernelscan/scan.h"

// Of whom an operation on a barrier object lets threads wait; Meet.state says it in full.
typedef enum MeetState { MEET_OPEN, MEET_EARLY, MEET_WHOLE } MeetState;

// An operation on a barrier object, or a half of a barrier (arrivals.c).
typedef struct Meet {
  uint32_t inst, object;
  bool is_single; // all operations on the object are on one word
  ExprRef word;   // is_single: its offset, as the first thread sees it
  MeetState
      state; // WHOLE: of all threads of the block, or of its tile; EARLY: surely lets threads pass too early
  const char *text; // OPEN, EARLY: why
  bool is_kept;     // OPEN: nothing else is done to the memory of the object
  bool is_of_warp;  // only lanes of one warp share it
  uint32_t endless; // OPEN: the set-up by which it expects more arrivals than can come; 0: not seen
} Meet;

enum { NAMED_NUMBERS = 16 }; // barriers with a number that a block has

// bar.sync and bar.arrive with a number: the threads that take part.
typedef struct Named {
  uint32_t inst;
  int64_t number, count;
  bool waits;
  uint8_t *members; // by thread of the block: may execute it; NULL if not known
  uint32_t member_count;
  ExprRef computed; // the number comes from the thread's: one entry for each value; 0: it does not
  // It is another one in other rounds of the loop: one entry for each that is seen in the first rounds.
  bool is_in_turn;
} Named;

typedef VEC(Meet) Meets;
typedef VEC(Named) NamedBarriers;

// A barrier, and a branch that leads there only by the edge to `toward`.
typedef struct BarrierFork {
  uint32_t barrier;        // instruction
  uint32_t branch, toward; // blocks
  bool is_leaving; // by the other edges a thread comes to no barrier and no work of the others any more
} BarrierFork;

// arrivals.c
void arrivals_find(Scan *scan); // all of these; those that are whole become synchronisation points
const Meets *arrivals_all(const Scan *scan);                   // after arrivals_find
const Meet *arrivals_meet_of(const Scan *scan, uint32_t inst); // NULL: it is no operation on such a barrier
Frame *arrivals_frame(Scan *scan); // one thread, in any round: Meet.word is as it sees it
// The shared variable that holds the barrier object at this address; 0: not known.
uint32_t arrivals_object(const Scan *scan, Frame *frame, IrRef address);
// Nothing is done to a pipeline behind it: to leave it there withholds no arrival from anybody.
bool arrivals_is_last(const Scan *scan, uint32_t quit);
bool arrivals_is_barrier(const Scan *scan, uint32_t inst); // of any kind, objects that are followed as well

// named.c
void named_find(Scan *scan);                      // all barriers with a number
const NamedBarriers *named_all(const Scan *scan); // after named_find
int64_t named_threads(const Scan *scan);          // named_count_threads, if that was asked before; else 0
int64_t named_count_threads(Scan *scan);          // of a block; 0: not known, or too many
// Which threads of a block may come to the basic block; false: not known.
bool named_may_execute(Scan *scan, uint32_t block, uint8_t *members);
// The number within its block of the one thread that may come there; -1: several, or not known.
int64_t named_only_one(Scan *scan, uint32_t block);
// Which may, if this lane of each warp is the elected one.
bool named_may_execute_if(Scan *scan, uint32_t block, int64_t elected, uint8_t *members);
// Which threads of a block have this value there, outside of loops; false: not known.
bool named_where(Scan *scan, IrRef ref, int64_t value, uint8_t *members);
// Condition that the view's thread is one of these.
ExprRef named_membership(Scan *scan, const View *view, const uint8_t *members);

// distributed.c
// Leaves undecided what is done to shared memory of other blocks and not followed.
void distributed_check(Scan *scan);
bool distributed_may_signal(const Scan *scan); // operations on memory of other blocks may order threads

#endif
