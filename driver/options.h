// The command line: one table (driver/option_table.c) generates the parser, --help and the manual's list.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_OPTIONS_H
#define HGRD_DRIVER_OPTIONS_H

#include "kernelscan/kernelscan.h"
#include "core/finding.h"
#include "core/str.h"
#include <stdbool.h>

typedef enum OutputFormat {
  FORMAT_TEXT,
  FORMAT_JSON,
  FORMAT_SARIF,
  FORMAT_HTML,
  FORMAT_GITLAB,
  FORMAT_JUNIT,
  FORMAT_PART // of a run in parts
} OutputFormat;

// One report: several can be written in one run, at most one of them to standard output.
typedef struct OutputRequest {
  OutputFormat format;
  const char *path; // NULL: standard output
} OutputRequest;

typedef enum DumpStage {
  DUMP_NONE,
  DUMP_IR,
  DUMP_HOST,
  DUMP_KERNEL,
  DUMP_SYNC,
  DUMP_PAIRS,
  DUMP_GOALS,
  DUMP_SMT
} DumpStage;
typedef enum FixMode { FIX_OFF, FIX_SUGGEST, FIX_WRITE, FIX_DRY_RUN } FixMode;
typedef enum ColorMode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef enum ExitStatus {
  STATUS_CLEAN = 0,
  STATUS_FINDINGS = 1,
  STATUS_INPUT = 2, // usage, or a file that cannot be read or compiled
  STATUS_UNDECIDED = 3,
  STATUS_INTERNAL = 4,
  STATUS_INTERRUPTED = 130
} ExitStatus;

// What the command line asks for besides, or instead of, an analysis.
typedef enum OptionsAction {
  ACTION_CHECK,
  ACTION_HELP,
  ACTION_VERSION,
  ACTION_EXPLAIN,
  ACTION_LIST,
  ACTION_COMPLETION,
  ACTION_DUMP_CONFIG,
  ACTION_PRECOMPILE,
  ACTION_COMPILE, // to a unit
  ACTION_CACHE_STATS,
  ACTION_MERGE,
  ACTION_LSP
} OptionsAction;

typedef enum CompletionShell { SHELL_BASH, SHELL_ZSH, SHELL_FISH } CompletionShell;

typedef struct ProjectSuppression {
  const char *file, *text;
  uint32_t line;
} ProjectSuppression;

typedef struct Options {
  OptionsAction action;
  DumpStage dump;
  ColorMode color;
  VEC(OutputRequest) outputs; // at least one
  const char *kernel_regex;
  const char *cuda_path, *build_path;
  const char *docs_url; // of the documentation site, without a slash at its end; or NULL
  const char *baseline, *write_baseline;
  const char *cache;  // folder, "off", or NULL: as usual
  uint64_t cache_mib; // 0: as usual
  bool wants_cache_stats;
  uint32_t shard, shard_count;       // from 1; 0: the whole run
  bool wants_depends;                // -MD
  const char *depend_file;           // -MF, or NULL
  int64_t grid_dim[3], block_dim[3]; // 0: not given
  uint32_t arch;                     // 80 for sm_80; 0: not given
  uint32_t workers;                  // 0: one for each core
  uint32_t timeout;                  // seconds; 0: none
  bool is_strict, exit_zero, is_quiet, is_verbose, wants_stats;
  bool warn_same_value;
  bool warn_leaving; // -Wbarrier-divergence was given
  bool check_overflow;
  MemoryModel memory_model;
  FixMode fix;
  const char *confirm; // arguments of the program that is to be executed; NULL: it is not
  bool audit_flags;
  uint64_t audit_steps;            // KernelScanOptions
  FindingLevel levels[RULE_COUNT]; // after all -W options
  CompletionShell shell;           // ACTION_COMPLETION
  FindingRule explain;             // ACTION_EXPLAIN
  const CauseInfo *explained;      // instead of a rule; or NULL
  const char *project;             // file of the project that was read, or NULL
  const char *project_choice;      // --config: a file, "off", or NULL: the nearest
  bool dumps_config;
  VEC(ProjectSuppression) project_suppressions;
  const char *target;             // of the build: its files are checked; or NULL
  VEC(const char *) suppressions; // files
  VEC(const char *) remaps;       // FILE=TEXT
  const char *assumed_name;       // as given
  const char *stdin_name;         // the path that stands for standard input; NULL: it is not read
  VEC(const char *) paths;
  VEC(const char *) flags; // after --
} Options;

// Strings point into `arguments` or `arena`. On a mistake: false and one line that names it and the mend in
// `*error`.
bool options_parse(int count, char *const *arguments, Arena *arena, Options *options, const char **error);
void options_print_help(StrBuf *out);

// One option of the table, for completion.
typedef struct OptionInfo {
  const char *dashes, *name;
  const char *argument;      // "FILE", "on|off", "[RULE]" (may be left out); NULL: none
  const char *help;          // NULL: another spelling of the option before it
  const char *const *values; // that the argument may have, with NULL at the end; NULL: `argument` says it
  bool explains;             // its argument is a rule or a cause
} OptionInfo;
bool options_at(uint32_t index, OptionInfo *out); // false: there are no more

// "16", "16,16", "[16,16,1]" or "(16,16)", all positive; what is not given is 1.
bool options_read_triple(const char *text, int64_t triple[3]);
// Can a block of the machine have these dimensions?
bool options_fit_block(const int64_t block[3]);

#endif
