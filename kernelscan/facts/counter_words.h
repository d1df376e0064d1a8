// Words that the kernel counts on (counter_words.c), and words that all lanes of a warp read alike (warp_words.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FACTS_COUNTER_WORDS_H
#define HGRD_KERNELSCAN_FACTS_COUNTER_WORDS_H

#include "kernelscan/facts/facts.h"

// Any two threads that may use the object, also one and the same: of one block, if that is in shared memory.
typedef struct CounterThreads {
  Frame *one, *two;
} CounterThreads;
CounterThreads counter_words_threads(Scan *scan, uint32_t object);
// The write is to no word of the object that any thread adds to.
bool counter_words_is_beside(Scan *scan, const Access *access, uint32_t object);
// Can the access touch these bytes of another frame's thread? `pair`: what the two threads are to each other.
typedef enum Pairing { PAIR_ANY, PAIR_OF_WARP, PAIR_OF_TWO_WARPS, PAIR_OF_TWO_BLOCKS } Pairing;
typedef struct Place {
  Frame *frame;
  uint32_t inst; // that looks at it
  uint32_t bytes;
} Place;
bool counter_words_may_meet(Frame *writer, const Access *access, const Place *place, Pairing pairing,
                            const uint32_t *not_negative_in);
// All lanes of a warp that make the load in one round get one number.
bool warp_words_is_one(Scan *scan, uint32_t load);

// ---- histograms.c
// What holds of a number that was drawn from an element of such an array; 0: it was not.
ExprRef histograms_below_count(Scan *scan, const DrawRange *draw);
// What holds of a number that was drawn from a counter that starts at the sum of such counts; 0: it was not.
ExprRef histograms_between_sums(Scan *scan, const DrawRange *draw);
// The value is the final count of an element: what the sums of the counts are; NULL: it is something else.
const PrefixSum *histograms_count_of(Frame *frame, IrRef value, ExprRef *element);
// ---- two_pass_counts.c
// Is anything known of how far the numbers drawn from this counter go?
bool two_pass_counts_tell(const Scan *scan, const DrawRange *draw);
// Adds it to the goal; `was_drawn`: the condition under which the draw's thread drew.
void two_pass_counts_add(Scan *scan, Goal *goal, const DrawRange *draw, ExprRef was_drawn);
// ---- draw_bounds.c
// How far the numbers that the two threads drew can be from what their counters are set to; what occurs in
// the goal counts.
void draw_bounds_add(Scan *scan, Goal *goal, const ExprSet *occurs, Extent extent,
                     const Instance *const pair[2]);

#endif
