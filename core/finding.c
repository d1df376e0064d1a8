// The rules and what is fixed about them.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/finding.h"

#include "core/bug.h"

static const FindingRuleInfo rules[RULE_COUNT] = {
#define X(rule, id, name, level, help) [rule] = {id, name, help, level},
    FINDING_RULES(X)
#undef X
};

const FindingRuleInfo *finding_rule_info(FindingRule rule) {
  if (rule <= RULE_NONE || rule >= RULE_COUNT) BUG("no such rule: %d", (int)rule);
  return &rules[rule];
}

bool finding_rule_is_race(FindingRule rule) {
  ASSERT(rule > RULE_NONE && rule < RULE_COUNT);
  switch (rule) {
  case RULE_INTER_BLOCK:
  case RULE_INTRA_BLOCK:
  case RULE_INTRA_WARP:
  case RULE_SAME_VALUE: return true;
  case RULE_BARRIER_DIVERGENCE:
  case RULE_GRID_BARRIER:
  case RULE_LOCK_MISUSE:
  case RULE_WARP_MASK:
  case RULE_ENDLESS_WAIT:
  case RULE_NONE:
  case RULE_COUNT: break;
  }
  return false;
}
