// The door of kernelscan/ways/: how a thread gets from a synchronisation point to other places, under which
// conditions, and what holds of all threads that come there.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WAYS_H
#define HGRD_KERNELSCAN_WAYS_H

#include "kernelscan/value.h"

enum { STATE_REGION_LIMIT = 48 };

// The states between one and those that it dominates, with what is known of the ways there.
typedef struct StateRegion {
  const WayGraph *graph;
  Frame **frames; // by phase
  uint32_t from, count;
  uint32_t states[STATE_REGION_LIMIT];
  ExprRef conditions[STATE_REGION_LIMIT];
  bool is_exact;
} StateRegion;

// uniform.c
void uniform_compute(Scan *scan);              // finds scan->alike, once
bool uniform_ref(const Scan *scan, IrRef ref); // the same for all threads of a block in one iteration
// Do all threads of the block come there, or none? Not if a branch on which that depends tells them apart.
bool uniform_comes_to(Scan *scan, uint32_t block);
// The same, where `is_alike` may say of a branch that all threads it is about take it alike in each iteration.
typedef bool BranchTest(Scan *scan, CfgEdge edge, void *context);
bool uniform_comes_to_by(Scan *scan, uint32_t block, BranchTest *is_alike, void *context);
// May lanes of a warp, some at the one operation (a vote, a shuffle) and some at the other, take part in one? An operation waits for the next one
// of its kind and mode, with its mask, of each lane that the mask names, wherever in the text that one stands (PTX ISA, "shfl.sync", "vote.sync").
bool uniform_may_meet(const Scan *scan, const IrInst *one, const IrInst *two);

// entered.c
void entered_start(Scan *scan); // from here on it may be asked

// rounds.c
// What held in this round, if the thread is in a later one of the loop: it has gone round in it.
ExprRef rounds_overtaken(Frame *frame, uint32_t loop, ExprRef round);
// Adds what the earlier iterations of the frame's loops say, for those that occur in the goal.
void rounds_add(Scan *scan, Goal *goal, Frame *frame);

// way_conditions.c
// Condition that a thread in the state that the region begins with gets to this one; exact only if the region
// says so.
ExprRef ways_state_condition(StateRegion *region, uint32_t state);

// covers.c
// The value as C takes it for a condition; 0 if it is not understood.
ExprRef frame_truth(Frame *frame, IrRef ref);
// Adds which barriers of a part hold the two together: those of the couple, and no other one.
void covers_add(Scan *scan, Goal *goal, Couple couple, Frame *one, Frame *two);

// ways.c
// The ways of a thread from the point up to the next barriers that hold the couple.
WayGraph *ways_make(Scan *scan, const Point *point, Couple couple);

// only_first.c
// Thread 0 of the block is the only one that executes this block of the graph.
bool only_first_executes(Scan *scan, uint32_t block);

#endif
