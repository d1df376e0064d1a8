// The door of kernelscan/phases/: for which phase of a barrier object an arrival is, and which one a wait
// awaits.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PHASES_H
#define HGRD_KERNELSCAN_PHASES_H

#include "kernelscan/interval.h"
#include "kernelscan/barrier.h"

// phases_order.c
// The conditions of the goal, about a copy and another access of one thread, cannot hold together: the copy
// is over by then.
bool phases_order_own_copy(Scan *scan, const Instance *copy, const Instance *other, const Goal *goal);
// Does a barrier object order the two, at which a part of the block arrives?
bool phases_order(Scan *scan, const OrderQuestion *question, OrderProof *proof);

// phases_sites.c
// The first cp.async.mbarrier.arrive (without noinc) that each thread which makes the copy comes to behind it
// in the same round: then the copy completes on that object. CFG_NONE: none.
uint32_t phases_binding(const Scan *scan, uint32_t copy);

// phases.c
// Is the copy, which completes on an object, over when its thread has passed the wait so many rounds of the
// loop later? CFG_NONE: in the same rounds of all loops around both.
bool phases_copy_is_over(Scan *scan, uint32_t copy, uint32_t wait, uint32_t loop, int64_t later);

// named_order.c
// Does a barrier with a number order the two?
bool named_order(Scan *scan, const OrderQuestion *question, OrderProof *proof);
// A barrier with a number that is no synchronisation point, but may lie between the two instructions: the one
// comes to it, the other has waited there; NULL: none.
const Named *named_between(const Scan *scan, const uint32_t at[2]);

#endif
