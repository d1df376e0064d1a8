// Shared by audit.c and start_words.c, which run small launches.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_WITNESS_SHAPES_H
#define HGRD_KERNELSCAN_WITNESS_SHAPES_H

#include "kernelscan/witness.h"

enum { SHAPE_COUNT = 6 };

// A model of the goal `of` in shape `which`, or in as much of that as there is room for; `goal` is then what
// it is a model of.
bool shapes_ask(Scan *scan, const Goal *of, uint32_t which, Goal *goal, SolverAnswer *answer);

#endif
