// The door of kernelscan/pairs/: which accesses are asked about, and what the answers come to.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PAIRS_H
#define HGRD_KERNELSCAN_PAIRS_H

#include "kernelscan/query.h"
#include "kernelscan/interval.h"

typedef struct Question {
  Pairs *pairs;
  Meeting *meeting;
  const Instance *one, *two;
  const Target *first, *second;
  bool is_bundle; // the accesses stand for many
} Question;

// pairs.c
void pairs_check(Scan *scan);
// What the proof leaned on belongs to the kernel's result.
void pairs_keep_proof(Scan *scan, const SolverAnswer *answer);

// own_copies.c
// Does a thread touch what its own asynchronous copy is still working on?
void pairs_check_own(Scan *scan, const Instance *copy, const Instance *other);
// Proved to be apart, or the copy to be over; nothing is said if not.
bool pairs_own_apart(Scan *scan, const Instance *copy, const Instance *other);

// computed_before.c
bool computed_starts(const Scan *scan, uint32_t object);

// doubts.c
// Is there an answer to the goal in which calls without a body leave alone what they are not given? Then goal
// and answer are those from now on. Else what has to change for it, as a sentence; NULL if nothing.
const char *doubts_settle(Scan *scan, Goal *goal, SolverAnswer *answer, const char *name);

// clusters.c
// Why something that clusters have may order the two blocks; NULL: nothing does, and goal and answer are
// about blocks of two clusters where it is not known which blocks make up one. The other one: why an
// operation of cluster scope may order two blocks of one cluster; NULL: there is none, or they are of two.
const char *clusters_may_be_ordered(const Question *question, Extent extent);
const char *clusters_may_order(const Question *question, Extent extent, Goal *goal, SolverAnswer *answer,
                               const char *name);

#endif
