// Shared by the files of kernelscan/copies/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_COPIES_COPIES_H
#define HGRD_KERNELSCAN_COPIES_COPIES_H

#include "kernelscan/copies.h"

enum { CHOSEN_STATES = 81, ELSEWHERE_STATES = 27 };

typedef struct Choices Choices;

typedef struct WaysTaken {
  uint8_t now, before; // in this round, and in the one before; 0: nothing is known
  uint8_t elsewhere;   // the last time
} WaysTaken;

typedef enum IssuedIn { ISSUED_NOW, ISSUED_BEFORE, ISSUED_EARLIER } IssuedIn; // in which round the copy was

// async.c
bool async_is_carried(const Scan *scan, const Access *access, uint32_t point);

// async_choices.c
Choices *choices_find(Scan *scan, uint32_t copy_block); // NULL: no branch decides
uint32_t choices_loop(const Choices *choices);          // CFG_NONE: none
// Goes over the edge; false: no thread does that which has gone these ways.
bool choices_go(Choices *choices, WaysTaken *chosen, uint32_t from, uint32_t to, IssuedIn issued);

// proxies.c
bool proxies_may_matter(Scan *scan, const Access *access); // a write to what a bulk copy may touch
bool copies_share_an_object(const Scan *scan, const Access *a, const Access *b); // perhaps

// own_apart.c
// Proved to be apart, or the copy to be over; nothing is said if not.
bool own_apart_ask(Scan *scan, const Instance *copy, const Instance *other);

#endif
