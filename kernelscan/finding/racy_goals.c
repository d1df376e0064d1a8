// The goals that were answered with a race, kept for whoever looks for the fact that would refute them
// (mend.c). Method: a list, the first ones of a kernel. Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding.h"

enum { GOALS = 24 }; // racy goals that are looked at

void mend_keep(Scan *scan, const SrcLoc *one, const SrcLoc *two, const Goal *goal,
               const SolverAnswer *answer) {
  if (scan->without_mend || !goal || !answer || scan->racy.count >= GOALS) return;
  vec_push(scan->arena, &scan->racy, (RacyGoal){one, two, *goal, answer});
}
