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
