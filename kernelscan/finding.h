// The door of kernelscan/finding/: how a race or a misuse is put into words.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FINDING_H
#define HGRD_KERNELSCAN_FINDING_H

#include "kernelscan/witness.h"

typedef struct RacyGoal {
  const SrcLoc *one, *two; // the accesses
  Goal goal;
  const SolverAnswer *answer;
} RacyGoal;

// misuse_checks.c
void misuse_check(Scan *scan); // all checks of misuse.def

// race_finding.c
// Adds a finding to the kernel's result, with what the run or the model shows of it.
void finding_report_race(Scan *scan, const RaceFacts *race);
void finding_report_divergence(Scan *scan, const BarrierFork *fork, const ReplayQuery *query,
                               const Parting *parting);

// racy_goals.c
// Keeps a goal that has an answer, the first ones of a kernel, for who looks for what would refute them all (missing_fact.c).
void racy_goals_keep(Scan *scan, const SrcLoc *one, const SrcLoc *two, const Goal *goal,
                     const SolverAnswer *answer);
const RacyGoal *racy_goals_kept(const Scan *scan, uint32_t *count);

#endif
