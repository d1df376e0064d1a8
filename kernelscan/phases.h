// The door of kernelscan/phases/: for which phase of a barrier object an arrival is, and which one a wait
// awaits.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PHASES_H
#define HGRD_KERNELSCAN_PHASES_H

#include "kernelscan/query.h"
#include "kernelscan/interval.h"

// order_phases.c
// The conditions of the goal, about a copy and another access of one thread, cannot hold together: the copy
// is over by then.
bool order_own_copy_by_phases(Scan *scan, const Instance *copy, const Instance *other, const Goal *goal);

// phases_sites.c
// The first cp.async.mbarrier.arrive (without noinc) that each thread which makes the copy comes to behind it
// in the same round: then the copy completes on that object. CFG_NONE: none.
uint32_t phases_binding(const Scan *scan, uint32_t copy);
// The first block on the way to this one (in its loop) from which control always comes to it, in the same
// round.
uint32_t phases_head_of(const Scan *scan, uint32_t block);

// phases.c
// Is the copy, which completes on an object, over when its thread has passed the wait so many rounds of the
// loop later? CFG_NONE: in the same rounds of all loops around both.
bool phases_copy_is_over(Scan *scan, uint32_t copy, uint32_t wait, uint32_t loop, int64_t later);

#endif
