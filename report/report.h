// Findings to text, JSON and other formats. The only folder that includes jansson.h. Output depends on
// nothing but the results (no times unless asked, no addresses), is sorted by place, and everything from
// source code is escaped.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_H
#define HGRD_REPORT_H

#include "core/diag.h"
#include "core/finding.h"
#include "core/str.h"

typedef struct ReportStats {
  bool has_times; // the three below were measured and are wanted; otherwise they are not printed
  double frontend_seconds, analysis_seconds;
  uint64_t peak_bytes;
} ReportStats;

typedef struct ReportFile {
  const char *path;
  bool is_ok;     // compiled
  double seconds; // of clang; printed only with ReportStats.has_times
} ReportFile;

typedef struct ReportInput {
  const ExprPool *pool; // to print expressions of launches and facts
  uint32_t result_count;
  const KernelResult *const *results; // in a fixed order
  uint32_t file_count;
  const ReportFile *files;
  const DiagSink *diags; // messages of the run; may be NULL
  ReportStats stats;
  bool is_interrupted;
} ReportInput;

typedef struct ReportOptions {
  bool use_color;
  bool is_quiet;                   // no summary line
  bool is_verbose;                 // one note for each race-free kernel too: what the proof leans on
  FindingLevel levels[RULE_COUNT]; // after -W, -Wno-, -Werror=; LEVEL_NONE: rule is off
  const char *(*read_line)(void *context, const char *file,
                           uint32_t line); // source text for the caret, or NULL
  void *context;
  const char *version; // of the program; NULL: "0"
  const char
      *source_root; // file: URI, ending in '/', that relative paths start from, for SARIF; NULL: not told
  uint32_t baseline_count; // known findings, by fingerprint: counted, not shown
  const char *const *baseline;
} ReportOptions;

// One report for each (pair of places, object, rule): joins equal findings of several launches, sorts. The
// result lives in `arena`; findings whose rule is off are left out, and so are suppressed and known ones.
typedef struct FindingList {
  uint32_t count;
  const Finding *const *items;
} FindingList;
FindingList report_merge(const ReportInput *input, const ReportOptions *options, Arena *arena);

// What the exit status is made from. Kernels are counted once, with the verdicts of their launches joined.
typedef struct ReportTotals {
  uint32_t errors, warnings, notes; // findings shown, by level
  uint32_t suppressed, known;       // findings not shown: by a comment in the source, by the baseline
  uint32_t kernels, safe, racy, undecided, dead;
  uint32_t pairs, queries;
} ReportTotals;
ReportTotals report_totals(const ReportInput *input, const ReportOptions *options, Arena *arena);

void report_text(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);
void report_json(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);
void report_sarif(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);
// The messages of the run in text form; not part of report_text, so that they can go to another stream.
void report_messages(const DiagSink *diags, const ReportOptions *options, Arena *arena, StrBuf *out);
// A baseline: one line for each finding shown or known, `fingerprint rule kernel object`, sorted.
void report_baseline(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out);

// The page about a rule, as Markdown: what it means, a bad and a good example, how to mend it. docs/rules/
// holds the same text.
// A path as URI reference: relative paths stay relative, absolute ones become file: URIs.
void report_uri(const char *path, StrBuf *out);
const char *report_explain(FindingRule rule);
// By name ("inter-block-race") or id ("HGRD1001"); RULE_NONE if there is none.
FindingRule report_find_rule(const char *name);
// The rule whose name is nearest, for a hint.
FindingRule report_nearest_rule(const char *name);
// Edit distance (Levenshtein), for hints about spelling.
uint32_t report_distance(const char *a, const char *b);

#endif
