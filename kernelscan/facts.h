// The door of kernelscan/facts/: what else is known of a value that has no closed form.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FACTS_H
#define HGRD_KERNELSCAN_FACTS_H

#include "kernelscan/query.h"
#include "kernelscan/interval.h"

// A value that another thread of the block may have given, by shared memory or a shuffle (givers.c).
typedef struct Gift {
  ExprRef leaf;
  uint32_t inst;
  Frame *frame; // of the thread that reads it
  bool is_made; // what is known stands among the invariants
} Gift;

// contents.c
// `value` is what the load with this index reads at the target.
void contents_note(Frame *frame, uint32_t load, const Target *target, ExprRef value);
// The constant that the host put there; 0: it is not known to be one.
ExprRef contents_number(Scan *scan, const Target *target, uint32_t bytes);
// What the host code says of elements of this size, or NULL; `said` of it, for the element at the offset.
const LaunchContent *contents_find(const Scan *scan, const Obj *object, uint32_t bytes);
// What it held before the first round of a host loop, where that is known and no more.
const LaunchContent *contents_begun(const Scan *scan, const Obj *object, uint32_t bytes);
ExprRef contents_at(const Scan *scan, const LaunchContent *content, ExprRef said, ExprRef offset);
// Adds that the value is what the element at the offset holds when the kernel starts.
void contents_add_given(Scan *scan, Goal *goal, const LaunchContent *content, ExprRef value, ExprRef offset);
// Does the host code say what elements of this size hold?
bool contents_are_told(const Scan *scan, const Obj *object, uint32_t bytes);

// floats.c
void floats_add(Scan *scan, Goal *goal);

// claims.c
// The leaf is the value of instruction `index`; notes it if it is a claim.
void claims_note(Frame *frame, uint32_t index, ExprRef leaf);
// What the numbers drawn by the two say of each other; accesses that stand for many others are no places.
void claims_add(Scan *scan, Goal *goal, Extent extent, const Instance *const pair[2], bool stands_for_many);

// counts.c
// The leaf is the value of instruction `index`; notes its bounds if that reads a counter.
void counts_note(Frame *frame, uint32_t index, ExprRef leaf);
// Thread 0 of the block is the only one that executes this block of the graph.
bool counts_only_first(Scan *scan, uint32_t block);
// The store into shared memory that the load reads, whichever thread of the block loads: thread 0 makes it
// before a barrier that the load stands behind, and no other write comes later; CFG_NONE: not known.
uint32_t counts_last_write(Scan *scan, uint32_t load);

// prefix.c
void prefix_find(Scan *scan);
// The load's value where it is a sum of a prefix; kind SYM_NONE where it is not known to be one.
SymValue prefix_load(Frame *frame, uint32_t index);
// What sums that occur in the goal say of each other.
void prefix_add(Scan *scan, Goal *goal);

// blocksums.c
// The value where it is a sum over threads of the block; kind SYM_NONE where it is not known to be one.
SymValue blocksums_value(Frame *frame, uint32_t index);

// votes.c
// The leaf is the value of instruction `index`; notes it if it is a ballot or a shuffle of a whole warp.
void votes_note(Frame *frame, uint32_t index, ExprRef leaf);
bool votes_is_broadcast(const Scan *scan, const IrInst *inst); // from one lane, to all
// What ballots that occur in the goal say of the lanes and their ranks.
void goal_add_votes(Scan *scan, Goal *goal, Extent extent, const Frame *first, const Frame *second);

// butterfly.c
// Keeps the value among the ballots, if it is one for lanes of the warp after a butterfly.
void butterfly_note(Frame *frame, uint32_t index, ExprRef value);

// shared_range.c
// The leaf is the value of instruction `index`: if it was read from shared memory, adds its interval.
void shared_range_note(Frame *frame, uint32_t index, ExprRef leaf);

// givers.c
// The leaf is the value of instruction `index`; notes it if that may come from another thread.
void givers_note(Frame *frame, uint32_t index, ExprRef leaf);
// Adds what is known of those that occur, by ref up to `known`, to the invariants.
void givers_make(Scan *scan, const uint8_t *occurs, uint32_t known);
// Are both loads by one thread, of one place?
bool givers_read_one_place(const Gift *a, const Gift *b);
// The leaf is the value of load `index`; notes that it is not negative, if it is read of such words.
void counters_note(Frame *frame, uint32_t index, ExprRef leaf);

// counting.c
// The value of the merge at a loop's head where that is a sum of final counts; 0: it is not.
ExprRef counting_sum(Frame *frame, uint32_t index);
// The leaf is the value of instruction `index`; notes what it is, if that is a final count.
void counting_note(Frame *frame, uint32_t index, ExprRef leaf);

#endif
