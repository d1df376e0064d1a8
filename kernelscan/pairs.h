// The door of kernelscan/pairs/: which accesses are asked about, and what the answers come to.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PAIRS_H
#define HGRD_KERNELSCAN_PAIRS_H

#include "kernelscan/interval.h"

// pairs.c
void pairs_check(Scan *scan);

// own_copies.c
// Does a thread touch what its own asynchronous copy is still working on?
void pairs_check_own(Scan *scan, const Instance *copy, const Instance *other);

// divergence.c
void barriers_check(Scan *scan);
void barriers_tell_leavings(Scan *scan); // of threads that count as arrived at a barrier
// A barrier of the warp for lanes that are not known, which some of them may go round: it is no point, and meets others all the same.
bool barriers_is_of_unknown_lanes(Scan *scan, uint32_t index);
void barriers_find_divergent(Scan *scan); // those of a warp or of a part: sets Point.is_divergent

#endif
