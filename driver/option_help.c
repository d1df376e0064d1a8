// How is an option told to a person, and to a shell? Help, and rows for the completions, both from the table.
//
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "driver/option_table.h"
#include "core/bug.h"
#include "report/report.h"

enum { HELP_COLUMN = 28 };

// `short_form` is another spelling with one letter, or NULL.
static void print_option(StrBuf *out, const OptionSpec *spec, const OptionSpec *short_form) {
  ASSERT(spec->help && (!short_form || !short_form->help));
  size_t start = out->length;
  strbuf_add(out, "  ");
  if (short_form) strbuf_printf(out, "-%s, ", short_form->name);
  const char *dashes = option_dashes(spec);
  strbuf_printf(out, "%s%s", dashes, spec->name);
  if (option_is_optional(spec))
    strbuf_printf(out, "[=%s", spec->argument + 1);
  else if (spec->argument)
    strbuf_printf(out, "%s%s", dashes[1] ? "=" : " ", spec->argument);
  if (out->length - start >= HELP_COLUMN) {
    strbuf_add(out, "\n");
    start = out->length;
  }
  strbuf_printf(out, "%*s%s", (int)(HELP_COLUMN - (out->length - start)), "", spec->help);
  if (spec->preset) strbuf_printf(out, " (default: %s)", spec->preset);
  strbuf_add(out, "\n");
}

static void print_rules(StrBuf *out) {
  strbuf_add(out, "\nRules, for -WRULE, -Wno-RULE, -Werror, -Werror=RULE, -Wno-error=RULE:\n");
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
    const FindingRuleInfo *info = finding_rule_info((FindingRule)rule);
    strbuf_printf(out, "  %s  %-20s %s\n", info->id, info->name, info->help);
  }
}

bool options_at(uint32_t index, OptionInfo *out) {
  ASSERT(out);
  uint32_t count = 0;
  while (OPTIONS[count].name)
    count++;
  if (index >= count) return false;
  const OptionSpec *spec = &OPTIONS[index];
  *out = (OptionInfo){.dashes = option_dashes(spec),
                      .name = spec->name,
                      .argument = spec->argument,
                      .help = spec->help,
                      .values = option_values(spec),
                      .explains = option_explains(spec)};
  return true;
}

void options_print_help(StrBuf *out) {
  ASSERT(out);
  strbuf_add(out, USAGE "\n");
  strbuf_add(
      out,
      "\nFinds data races in CUDA kernels while compiling. The files given make one program.\n\nOptions:\n");
  for (const OptionSpec *spec = OPTIONS; spec->name; spec++) {
    const OptionSpec *next = spec + 1;
    bool has_short = next->name && !next->help && next->name[1] == 0;
    if (spec->help) print_option(out, spec, has_short ? next : NULL);
  }
  strbuf_printf(out, "  %-26s%s\n", "-- FLAG...",
                "further flags for the compiler, as in -- -isystem include");
  print_rules(out);
  strbuf_add(out, "\nExit status: 0 clean, 1 findings, 2 usage or input, 3 undecided or left out and "
                  "--strict, 4 internal error,\n"
                  "130 interrupted.\n");
}
