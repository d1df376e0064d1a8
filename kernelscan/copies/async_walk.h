// The walk of one asynchronous copy: async.c goes it, async_own.c asks about what it met, async_objects.c what it completes on, stage_numbers.c counts stages.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_COPIES_ASYNC_WALK_H
#define HGRD_KERNELSCAN_COPIES_ASYNC_WALK_H

#include "kernelscan/copies/copies.h"

enum {
  CHAIN_LIMIT = 8,
  ALL_LEFT = 0x7fffffff // what a wait leaves for which no stage is counted
};

typedef enum FoldState { FOLD_ANY, FOLD_NUMBER, FOLD_UNKNOWN } FoldState;
typedef struct Fold {
  FoldState state;
  int64_t low, high; // FOLD_NUMBER: some number from here to there
} Fold;

// How far the copy has come with the barrier object that is to say that it is done.
typedef enum Tie { TIE_NONE, TIE_OPEN, TIE_ARRIVED, TIE_STATES } Tie;

// Which way a thread takes at a branch.
typedef enum Taken { TAKEN_NONE, TAKEN_TRUE, TAKEN_FALSE } Taken;

typedef struct AsyncState {
  uint32_t block, cross, group;
  WaysTaken chosen;  // at walk->choices
  Tie tie;           // to walk->object
  uint32_t stage;    // 0: not known, or not committed; else as many waits for the oldest stage are to come
  uint32_t turns;    // of the outermost loop that is around here and was not around the copy
  uint32_t left;     // walk->counted was left since, after as many turns + 1; 0: not known
  bool is_uncertain; // a wait was passed that may have covered the copy
} AsyncState;

typedef struct Walk {
  CheckOwn *report; // of what the thread does while its copy goes on
  Scan *scan;
  const Access *copy;
  bool is_write; // no copy: a write that bulk copies do not see before a fence between the two ways to memory
  uint32_t object; // that holds the barrier on which the copy completes; 0: not known, or none
  uint32_t array;  // or of several such, each of which is a barrier of the block; 0: likewise
  uint32_t bound;  // behind that instruction; CFG_NONE: from its issue on, or none
  const Fold *folds;
  bool has_one_pipeline;                    // of the thread itself
  uint32_t chain[CHAIN_LIMIT], chain_count; // loops around the copy, outermost first
  Choices *choices;                         // branches that decide about commits and waits; NULL: none
  uint8_t *always;                          // by block: the way that the thread takes at its end each time
  uint32_t counted; // a loop with waits that is not around the copy; CFG_NONE: none, or several
  Map seen;         // states
  VEC(AsyncState) stack;
  VEC(Carried) own;    // accesses of the same thread while the copy goes on
  uint32_t *questions; // about such accesses, asked so far for all copies of the kernel
  Arena *scratch;
} Walk;

static inline bool copy_is_bulk(const IrInst *inst) { // or a commit or a wait for bulk copies
  return inst->flags & IR_FLAG_BULK;
}

// async_objects.c
// The barrier object on which the copy completes, if that is followed and surely waits for it; else 0, and why.
uint32_t async_object_of(Scan *scan, uint32_t inst, IrRef address);
// Has the thread announced its bytes to that object and arrived there just before the copy? Then the phase that it arrived for
// does not end before the copy does.
bool async_is_announced(Scan *scan, uint32_t copy, uint32_t object);
// One of several barrier objects in an array for which each thread waits itself, if for any: which one is for
// phases/ to say. 0: not so.
uint32_t async_array_of(Scan *scan, IrRef address);
// stage_numbers.c
Fold *stage_numbers_fold(const Scan *scan, Arena *scratch); // by instruction
Fold stage_number_of(const Scan *scan, const Fold *folds, IrRef ref);
bool stage_numbers_one_pipeline(const Scan *scan); // has each thread one at most?
// async_own.c
// Reports those of the accesses that the same thread makes meanwhile that may touch a byte of the copy.
void async_check_own(Walk *walk);

#endif
