// The table of all options (option_table.c), for those who walk it: the parser (options.c) and --help (option_help.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_OPTION_TABLE_H
#define HGRD_DRIVER_OPTION_TABLE_H

#include "driver/options.h"

#define USAGE "usage: hgrd-check [OPTION...] FILE... [-- FLAG...]"

// One command line while it is read; with a project file it is read twice.
typedef struct Parser {
  Arena *arena;
  Options *options;
  const char *error;            // the last mistake; NULL: none
  const char *early_output;     // -o in front of the --format that it belongs to
  bool all_errors;              // -Werror
  bool has_list;                // --files-from
  bool never_error[RULE_COUNT]; // -Wno-error=rule
} Parser;

typedef struct OptionSpec {
  const char *name;     // without dashes; one letter: a short option
  const char *argument; // NULL: takes none; in brackets: may be left out; small letters: only behind '='
  const char *preset;   // NULL: none worth telling
  const char *help;     // NULL: another spelling, not in --help
  bool (*set)(Parser *parser, const char *value);
} OptionSpec;

// Another spelling stands right behind the option it means; a row without a name ends the table.
extern const OptionSpec OPTIONS[];

const char *option_dashes(const OptionSpec *spec); // "--", or "-"
bool option_is_optional(const OptionSpec *spec);   // its argument may be left out
const char *const *
option_values(const OptionSpec *spec);        // the words it may have, up to a NULL; NULL: not a choice
bool option_explains(const OptionSpec *spec); // its argument is a rule or a cause
const char *option_unknown_rule(Parser *parser, const char *option, const char *name, const char *nearest);

static inline bool fail(Parser *parser, const char *message) {
  parser->error = message;
  return false;
}

#endif
