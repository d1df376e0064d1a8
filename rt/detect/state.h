// What the detectors keep for the process: pages of shadow memory that no launch uses. A launch after the other asks for the same ones, and pages that
// the system has to find first cost more than all that a detector does with them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_STATE_H
#define HGRD_RT_DETECT_STATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct FreePage { // lies in the page itself
  struct FreePage *next;
  size_t bytes;
} FreePage;
extern FreePage *detect_free_pages; // all of one size: a run has one detector

#endif
