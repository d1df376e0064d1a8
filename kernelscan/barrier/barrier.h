// Shared by the files of kernelscan/barrier/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_BARRIER_BARRIER_H
#define HGRD_KERNELSCAN_BARRIER_BARRIER_H

#include "kernelscan/barrier.h"

// arrivals_tiles.c
// As many threads as a tile has, each of which has an object of its own; 0: not known.
uint32_t arrivals_find_tiles(Scan *scan, const uint32_t *uses, uint32_t count);
bool arrivals_add_tile_point(Scan *scan, uint32_t wait, uint32_t threads);
bool arrivals_is_set_up_by(Scan *scan, uint32_t init, uint32_t use); // may be, by some thread of the block

#endif
