// The door of kernelscan/facts/: what else is known of a value that has no closed form.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FACTS_H
#define HGRD_KERNELSCAN_FACTS_H

#include "kernelscan/interval.h"

// What a word holds when the kernel starts: `value`, where `known` holds; for proofs that lean on A11.
typedef struct StartValue {
  ExprRef value, known;
} StartValue;

// A word of flags or counters, and what proofs take it to hold at the start.
typedef struct StartWord {
  uint32_t object, bytes;
  ExprRef offset, value;
  bool is_least;
} StartWord;

// initial_contents.c
// What the host code says of elements of this size, or NULL.
const LaunchContent *initial_contents_find(const Scan *scan, const Obj *object, uint32_t bytes);
// What it held before the first round of a host loop, where that is known and no more.
const LaunchContent *initial_contents_begun(const Scan *scan, const Obj *object, uint32_t bytes);
// What is said of any element in `said`, for the element at the offset.
ExprRef initial_contents_at(const Scan *scan, const LaunchContent *content, ExprRef said, ExprRef offset);
// Adds that the value is what the element at the offset holds when the kernel starts.
void initial_contents_add_given(Scan *scan, Goal *goal, const LaunchContent *content, ExprRef value,
                                ExprRef offset);
// Does the host code say what elements of this size hold?
bool initial_contents_are_told(const Scan *scan, const Obj *object, uint32_t bytes);

// draw_pairs.c
// What the numbers drawn by the two say of each other; accesses that stand for many others are no places.
void draw_pairs_add(Scan *scan, Goal *goal, Extent extent, const Instance *const pair[2],
                    bool stands_for_many);

// third.c
// The third thread's numbers may be computed from an address (killed_stores.c), and the thread before the first
// is none: the condition that there is such a thread in the block.
ExprRef third_is_of_block(Scan *scan, const View *view);

// heap.c
// Undecided where memory may be released while another thread uses it.
void heap_check_releases(Scan *scan);

// locals.c
// The constant variable that the array of the thread's own (its alloca) is filled from, as a whole and by
// nothing else: its object; 0: there is none.
uint32_t locals_only_table(Scan *scan, uint32_t array);

// prefix.c
void prefix_find(Scan *scan); // sums of prefixes in shared memory, by the proof that they are

// votes.c
bool votes_is_broadcast(const Scan *scan, const IrInst *inst); // from one lane, to all
// What ballots that occur in the goal say of the lanes and their ranks.
void votes_add(Scan *scan, Goal *goal, Extent extent, const Frame *first, const Frame *second);

// What the votes of a round say, in which the one is, to the other, who has gone round in it.
void votes_add_overtaken(Scan *scan, Goal *goal, Extent extent, Frame *first, Frame *second);

// together.c
// Do all lanes of a warp come there, or none, in each iteration of the loops around it? Asks the solver last.
bool together_is_by_warp(Scan *scan, uint32_t block);
// Do lanes of a warp that come to the vote or shuffle in one iteration of each loop around it meet in it, and none of them one of that kind elsewhere
// in the text? A question that is asked while it is answered: no.
bool together_meets(Scan *scan, uint32_t operation);
// Does the operation, a shuffle say, hold all lanes of the warp together: they come there together, and meet in it?
bool together_hands_to_all(Scan *scan, uint32_t operation);

// summed.c
// What sums that the two made in rounds of one loop say of each other.
void summed_add(Scan *scan, Goal *goal, const Instance *const pair[2]);

// start_values.c
// What a proof may take the word to hold when the kernel starts; false: nothing. It is noted that the proof leans on it.
bool start_values_of(Scan *scan, const Target *word, uint32_t bytes, StartValue *start);
// For who proves nothing by it; false also where it is shared memory.
bool start_values_look(Scan *scan, const Target *word, uint32_t bytes, StartValue *start);
bool start_values_are_zero(Scan *scan, const Target *word, uint32_t bytes);
// For a reader: the first word that a proof wanted to be zero and that the host code has set to something else, or
// to what is not known, with who has; NULL: there was none.
const char *start_values_unknown(const Scan *scan);
const StartWord *start_values_noted(const Scan *scan, uint32_t *count); // that proofs lean on
// Initial data of a variable at this place; false: there are none.
bool start_values_in_data(const Scan *scan, const Obj *object, int64_t at, uint32_t bytes, int64_t *value);

#endif
