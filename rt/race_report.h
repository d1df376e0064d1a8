// How does a person read what a detector saw? As the findings of hgrd-check: `file:line:col: warning: ...`, then notes. One finding
// for two places over all launches and schedules of a run, whichever came first; a summary at the end. Names and paths of the
// program are made visible (control characters, bytes that are not UTF-8, what reorders text on a screen).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_RACE_REPORT_H
#define HGRD_RT_RACE_REPORT_H

#include "rt/events.h"

typedef struct RtReport RtReport;

typedef struct RtReportCounts {
  uint64_t launches;
  uint64_t watched, left; // accesses: told to a detector, and not, as they were proved
  uint64_t races;         // pairs of places
  uint64_t same_values;   // of them those that have only written one value
  bool has_given_up;      // a detector had no memory: see RtDetectorKind
} RtReportCounts;

// `say` gets whole lines, one finding at a time. NULL: no memory.
RtReport *rt_report_open(void (*say)(void *context, const char *text), void *context);
// `schedule`: how one gets there again ("--replay=7"); NULL: in order. Returns whether it is a new one.
bool rt_report_race(RtReport *report, const RtLaunch *launch, const char *detector, const char *schedule,
                    const RtRace *race);
void rt_report_launch(RtReport *report, uint64_t watched, uint64_t left, bool has_given_up); // one has ended
const RtReportCounts *rt_report_counts(const RtReport *report);
void rt_report_summary(RtReport *report); // says one line
void rt_report_close(RtReport *report);

#endif
