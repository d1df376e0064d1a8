// What the rules are called by which two accesses are ordered.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/order_rule.h"

#include "core/bug.h"

typedef struct Words {
  const char *name, *help;
} Words;

static const Words words[ORDER_RULE_END] = {
#define X(rule, name, help) [rule] = {name, help},
    ORDER_RULES(X)
#undef X
};

static const Words *words_of(OrderRule rule) {
  if (rule <= ORDER_RULE_NONE || rule >= ORDER_RULE_END) BUG("no such rule of order: %d", (int)rule);
  return &words[rule];
}

const char *order_rule_name(OrderRule rule) {
  return words_of(rule)->name;
}

const char *order_rule_help(OrderRule rule) {
  return words_of(rule)->help;
}
