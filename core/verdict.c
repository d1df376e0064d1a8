// How do answers combine? See the table in core/verdict.h.
// Soundness: unknown absorbs safe, so a part that was not decided is never hidden by one that was.
// SPDX-License-Identifier: Apache-2.0
#include "core/verdict.h"
#include "core/bug.h"

Verdict verdict_join(Verdict a, Verdict b) {
  ASSERT(a <= VERDICT_DEAD && b <= VERDICT_DEAD);
  if (a == VERDICT_RACE || b == VERDICT_RACE) return VERDICT_RACE;
  if (a == VERDICT_UNKNOWN || b == VERDICT_UNKNOWN) return VERDICT_UNKNOWN;
  if (a == VERDICT_DEAD) return b;
  return a;
}

const char *verdict_name(Verdict verdict) {
  ASSERT(verdict <= VERDICT_DEAD);
  switch (verdict) {
  case VERDICT_UNKNOWN: return "undecided";
  case VERDICT_SAFE: return "race-free";
  case VERDICT_RACE: return "racy";
  case VERDICT_DEAD: return "dead";
  }
  return "undecided";
}
