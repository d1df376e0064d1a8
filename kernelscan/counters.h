// Words that the kernel counts on (counters.c), and words that all lanes of a warp read alike (warp_words.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_COUNTERS_H
#define HGRD_KERNELSCAN_COUNTERS_H

#include "kernelscan/internal.h"

// The write is to no word of the object that any thread adds to.
bool counters_is_beside(Scan *scan, const Access *access, uint32_t object);
// The leaf is the value of load `index`; notes that it is not negative, if it is read of such words.
void counters_note(Frame *frame, uint32_t index, ExprRef leaf);
// Can the access touch these bytes of another frame's thread? `pair`: what the two threads are to each other.
typedef enum Pairing { PAIR_ANY, PAIR_OF_WARP, PAIR_OF_TWO_WARPS, PAIR_OF_TWO_BLOCKS } Pairing;
typedef struct Place {
  Frame *frame;
  uint32_t inst; // that looks at it
  uint32_t bytes;
} Place;
bool counters_may_meet(Frame *writer, const Access *access, const Place *place, Pairing pairing,
                       const uint32_t *not_negative_in);
// All lanes of a warp that make the load in one round get one number.
bool warp_words_is_one(Scan *scan, uint32_t load);

// drawings.c: how far the numbers that the two threads drew can be from what their counters are set to; what
// occurs in the goal counts.
void drawings_add(Scan *scan, Goal *goal, const uint8_t *occurs, Extent extent,
                  const Instance *const pair[2]);

#endif
