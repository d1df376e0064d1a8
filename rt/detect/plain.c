// What the detectors of the papers have in common (plain.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/plain.h"
#include "rt/contract.h"

#include <stdlib.h>

RtDetector *plain_open(const ShadowKind *cells, const RtLaunch *launch,
                       void (*told)(void *context, const RtRace *race), void *context) {
  RT_ASSERT(cells && cells->cell_bytes);
  RT_ASSERT(launch);
  RT_ASSERT(told);
  RtDetector *detector = calloc(1, sizeof *detector);
  if (!detector) return NULL;
  common_open(&detector->common, launch, told, context);
  detector->shadow.kind = cells;
  return detector;
}

void plain_access(RtDetector *detector, const RtAccess *access,
                  void (*visit)(void *context, void *cell, const ShadowPart *part)) {
  RT_ASSERT(detector && visit);
  RT_ASSERT(access && access->bytes);
  if (access->space == RT_LOCAL || detector->common.has_given_up) return;
  BlockCounters *block = counters_of(&detector->counters, &detector->common, access->by.block);
  if (!block) return;
  Visit context = {detector, access, block};
  if (!shadow_visit(&detector->shadow, access, visit, &context)) detector->common.has_given_up = true;
}

bool plain_is_within_warp(const RtBarrier *barrier) {
  RT_ASSERT(barrier && barrier->count > 0);
  for (uint32_t i = 1; i < barrier->count; i++)
    if (!is_same_warp(barrier->threads[0], barrier->threads[i])) return false;
  return true;
}

ThreadCounters *plain_thread(RtDetector *detector, RtThread thread) {
  RT_ASSERT(detector);
  RT_ASSERT(thread.thread < detector->common.threads);
  BlockCounters *block = counters_of(&detector->counters, &detector->common, thread.block);
  return block ? &block->threads[thread.thread] : NULL;
}

WarpCounters *plain_warp(RtDetector *detector, RtThread thread) {
  RT_ASSERT(detector);
  RT_ASSERT(thread.thread < detector->common.threads);
  BlockCounters *block = counters_of(&detector->counters, &detector->common, thread.block);
  return block ? &block->warps[thread.thread / WARP_LANES] : NULL;
}

void plain_block_begins(RtDetector *detector, uint32_t block, uint64_t shared_address) {
  (void)block;
  shadow_clear(&detector->shadow, shared_address, detector->common.launch.shared_bytes);
}

void plain_block_ends(RtDetector *detector, uint32_t block) {
  RT_ASSERT(detector);
  counters_end(&detector->counters, &detector->common, block);
}

uint64_t plain_bytes(const RtDetector *detector) {
  RT_ASSERT(detector);
  return sizeof *detector + detector->shadow.bytes + common_bytes(&detector->common) +
         counters_bytes(&detector->counters, &detector->common);
}

bool plain_has_given_up(const RtDetector *detector) {
  RT_ASSERT(detector);
  return detector->common.has_given_up;
}

void plain_close(RtDetector *detector) {
  shadow_close(&detector->shadow);
  counters_close(&detector->counters);
  common_close(&detector->common);
  free(detector);
}
