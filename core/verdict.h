// The answer to one question. Zero is "unknown", so that skipped, forgotten or zeroed work can never read as
// safe.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_VERDICT_H
#define HGRD_CORE_VERDICT_H

typedef enum Verdict {
  VERDICT_UNKNOWN = 0, // not decided: not asked, budget spent, or a construct that is not modelled
  VERDICT_SAFE,        // proved: no race
  VERDICT_RACE,        // a witness was found (and, for definite races, replayed)
  VERDICT_DEAD // the assumptions contradict each other: the launch or access cannot happen; not a proof
} Verdict;

#define MUST_USE __attribute__((warn_unused_result))

// The verdict of two parts together: a race anywhere is a race, else unknown anywhere is unknown, else safe;
// dead joins with x to x.
MUST_USE Verdict verdict_join(Verdict a, Verdict b);
const char *verdict_name(Verdict verdict); // "undecided", "race-free", "racy", "dead"

#endif
