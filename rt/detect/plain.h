// A detector that is a map of cells and counters of synchronisation, as those of HiRace, ScoRD, iGUARD and LDetector are: what is
// the same for all of them. `clocks` is of another make.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_PLAIN_H
#define HGRD_RT_DETECT_PLAIN_H

#include "rt/detect/counters.h"

struct RtDetector {
  Common common;
  Counters counters;
  Shadow shadow;
};

typedef struct Visit { // context of a visit to cells
  RtDetector *detector;
  const RtAccess *access;
  BlockCounters *block; // the accessing thread's
} Visit;

RtDetector *plain_open(const ShadowKind *cells, const RtLaunch *launch,
                       void (*told)(void *context, const RtRace *race), void *context);
void plain_access(RtDetector *detector, const RtAccess *access,
                  void (*visit)(void *context, void *cell, const ShadowPart *part));
bool plain_is_within_warp(const RtBarrier *barrier);                 // all who took part are of one warp
ThreadCounters *plain_thread(RtDetector *detector, RtThread thread); // NULL: no memory
WarpCounters *plain_warp(RtDetector *detector, RtThread thread);
void plain_block_begins(RtDetector *detector, uint32_t block, uint64_t shared_address);
void plain_block_ends(RtDetector *detector, uint32_t block);
uint64_t plain_bytes(const RtDetector *detector);
bool plain_has_given_up(const RtDetector *detector);
void plain_close(RtDetector *detector);

#endif
