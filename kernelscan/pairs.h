// The door of kernelscan/pairs/: which accesses are asked about, and what the answers come to.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PAIRS_H
#define HGRD_KERNELSCAN_PAIRS_H

#include "kernelscan/interval.h"

// pairs.c
// Asks about every two accesses that two threads may make between the same barriers, and tells what races.
void pairs_check(Scan *scan);

// own_copies.c
// Does a thread touch what its own asynchronous copy is still working on?
void own_copies_check(Scan *scan, const Instance *copy, const Instance *other);

// divergence.c
// Tells where threads may come to different barriers of the block, the cluster or the grid.
void divergence_check(Scan *scan);
void divergence_tell_leavings(Scan *scan); // of threads that count as arrived at a barrier
// A barrier of the warp for lanes that are not known, which some of them may go round: it is no point, and meets others all the same.
bool divergence_has_unknown_lanes(Scan *scan, uint32_t index);
void divergence_find(Scan *scan); // those of a warp or of a part: sets Point.is_divergent

#endif
