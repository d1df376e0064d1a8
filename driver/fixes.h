// Changes of the text that mend findings, each checked by a run of its own on the changed text.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_FIXES_H
#define HGRD_DRIVER_FIXES_H

#include "driver/run.h"

// For each finding that the report shows, in its order. Sets run->is_interrupted if it was.
typedef struct FixList {
  uint32_t count;
  const ReportFix *items;
} FixList;
FixList fixes_suggest(Run *run, const Report *report, const regex_t *filter);

#endif
