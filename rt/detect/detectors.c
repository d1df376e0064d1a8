// Which detectors are there? The table of rt/detectors.def.
// SPDX-License-Identifier: Apache-2.0
#include "rt/events.h"
#include "rt/contract.h"

#include <string.h>

#define DETECTOR(name) extern const RtDetectorKind rt_##name;
#include "rt/detectors.def"
#undef DETECTOR

const RtDetectorKind *const rt_detectors[] = {
#define DETECTOR(name) &rt_##name,
#include "rt/detectors.def"
#undef DETECTOR
    NULL};

const RtDetectorKind *rt_detector_named(const char *name) {
  RT_ASSERT(name);
  for (const RtDetectorKind *const *kind = rt_detectors; *kind; kind++)
    if (!strcmp((*kind)->name, name)) return *kind;
  return NULL;
}
