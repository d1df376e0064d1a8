// The goals that were answered with a race, kept for whoever looks for the fact that would refute them
// (missing_fact.c). Method: a list, the first ones of a kernel. Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding.h"

enum { GOALS = 24 }; // racy goals that are looked at

// What is kept of a scan.
typedef struct Kept {
  VEC(RacyGoal) goals; // the first ones
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, racy_goals, Kept);
}

const RacyGoal *racy_goals_kept(const Scan *scan, uint32_t *count) {
  ASSERT(kept_of(scan)->goals.count <= GOALS);
  *count = kept_of(scan)->goals.count;
  return kept_of(scan)->goals.items;
}

void racy_goals_keep(Scan *scan, const SrcLoc *one, const SrcLoc *two, const Goal *goal,
                     const SolverAnswer *answer) {
  ASSERT(one && two);
  ASSERT(!answer || answer->verdict != VERDICT_SAFE); // what was refuted is no racy goal
  Kept *kept = kept_of(scan);
  if (scan->start.without_mend || !goal || !answer || kept->goals.count >= GOALS) return;
  vec_push(scan->arena, &kept->goals, (RacyGoal){one, two, *goal, answer});
}
