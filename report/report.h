// Findings to text, JSON and other formats. The only folder that includes jansson.h. Output depends on nothing but the
// results (no times unless asked, no addresses), is sorted by place, and everything from source code is escaped.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_H
#define HGRD_REPORT_H

#include "core/diag.h"
#include "core/finding.h"
#include "core/str.h"

typedef struct ReportStats {
  double frontend_seconds, analysis_seconds;
  uint64_t peak_bytes;
} ReportStats;

typedef struct ReportFile {
  const char *path;
  bool is_ok;          // compiled
  double seconds;      // of clang
} ReportFile;

typedef struct ReportInput {
  const ExprPool *pool; // to print expressions of launches and facts
  uint32_t result_count;
  const KernelResult *const *results; // in a fixed order
  uint32_t file_count;
  const ReportFile *files;
  const DiagSink *diags; // messages of the run
  ReportStats stats;
  bool is_interrupted;
} ReportInput;

typedef struct ReportOptions {
  bool use_color;
  bool is_quiet;                         // no summary line
  FindingLevel levels[RULE_COUNT];       // after -W, -Wno-, -Werror=; LEVEL_NONE: rule is off
  const char *(*read_line)(void *context, const char *file, uint32_t line); // source text for the caret, or NULL
  void *context;
} ReportOptions;

// One report for each (pair of places, object, rule): joins equal findings of several launches, sorts. The result
// lives in `arena`; findings whose rule is off are left out.
typedef struct FindingList {
  uint32_t count;
  const Finding *const *items;
} FindingList;
FindingList report_merge(const ReportInput *input, const ReportOptions *options, Arena *arena);

void report_text(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);
void report_json(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);
void report_sarif(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);

#endif
