// Shared by the files of kernelscan/ways/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WAYS_WAYS_H
#define HGRD_KERNELSCAN_WAYS_WAYS_H

#include "kernelscan/ways.h"

// stable.c
void stable_start(Scan *scan);
bool stable_take_back(Scan *scan);
// May the access change what the load, of one object, reads?
bool stable_may_write(const Scan *scan, uint32_t access, uint32_t load);

// final_words.c: says which loads read what nobody writes any more, once is_broadcast is known
void final_words_find(Scan *scan);

// own_words.c
bool own_word_of_block(const Scan *scan, uint32_t access); // no other block writes the word

// entered.c
// Every thread that comes to the loop goes round it at least once.
bool entered_surely(Scan *scan, uint32_t loop);

// ways.c
uint32_t ways_common_dominator(const WayGraph *graph, uint32_t a, uint32_t b); // of two states

// way_conditions.c
// Condition that the thread goes round the loop, in the frame's iteration, without passing a point of its
// graph.
ExprRef meeting_round_condition(Frame *at, uint32_t loop);

#endif
