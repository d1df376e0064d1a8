// What does a rule mean, for someone who has just been warned?
//
// One Markdown page for each rule, docs/rules/NAME.md: what is wrong, the smallest program that shows it, how to
// mend it, and what the rule does not say.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <string.h>

typedef struct RulePage {
  const char *rule, *text;
} RulePage;

static const RulePage pages[] = {
#include "report/rule_pages.inc" // made of docs/rules/*.md (cmake/RulePages.cmake)
};

const char *report_explain(FindingRule rule) {
  const char *name = rule > RULE_NONE && rule < RULE_COUNT ? finding_rule_info(rule)->name : "";
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    if (strcmp(pages[i].rule, name) == 0) return pages[i].text;
  return "";
}

void report_explain_cause(const CauseInfo *cause, StrBuf *out) {
  ASSERT(out);
  strbuf_printf(out, "# %s (a cause of findings)\n\nWhat is wrong: %s.\n\n", cause->name, cause->wrong);
  const char *const *rule = cause->rule;
  bool is_one = strcmp(rule[MEMORY_MODEL_CUDA], rule[MEMORY_MODEL_PTX]) == 0 &&
                strcmp(rule[MEMORY_MODEL_CUDA], rule[MEMORY_MODEL_SCORD]) == 0;
  if (is_one) strbuf_printf(out, "The rule: %s.\n", rule[MEMORY_MODEL_CUDA]);
  for (int m = 0; m < MEMORY_MODEL_COUNT && !is_one; m++)
    strbuf_printf(out, "%s- `--memory-model=%s`: %s.\n", m ? "" : "The rule:\n\n",
                  memory_model_name((MemoryModel)m), rule[m]);
  strbuf_printf(out, "\nTo mend it: %s.\n", cause->mend);
  const CauseExample *example = cause_example(cause->name);
  if (example)
    strbuf_printf(
        out,
        "\nAn example, the mistake (-) and the mend (+), in blocks of 128 threads%s%s:\n\n```diff\n%s```\n",
        *example->options ? ", for " : "", example->options, example->text);
  strbuf_printf(out, "\ndocs/memory-model.md has what is recognised, with more examples.\n");
}

void report_explain_list(StrBuf *out) {
  ASSERT(out);
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    strbuf_printf(out, "rule   %s (%s): %s\n", info->name, info->id, info->help);
  }
  for (uint32_t i = 0; cause_at(i); i++)
    strbuf_printf(out, "cause  %s: %s\n", cause_at(i)->name, cause_at(i)->wrong);
}
