// Findings to text, JSON, SARIF, HTML and other formats. The only folder that includes jansson.h. Output
// depends on nothing but the results (no times unless asked, no addresses), is sorted by place, and
// everything from source code is escaped.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_H
#define HGRD_REPORT_H

#include "core/diag.h"
#include "core/finding.h"
#include "core/fix.h"
#include "core/str.h"

// Version of docs/schema/hgrd-1.json, which the JSON form names and follows.
enum { REPORT_JSON_SCHEMA = 1 };

typedef struct ReportStats {
  bool has_times;     // the four below were measured and are wanted; otherwise they are not printed
  bool shows_seconds; // but their sum stands in the summary line of the text, because a person looks at it
  double frontend_seconds, analysis_seconds;
  double frontend_processor_seconds; // ours since the start, and those of the compilers
  uint64_t peak_bytes;
} ReportStats;

typedef struct ReportFile {
  const char *path;
  bool is_ok;       // compiled
  double seconds;   // of clang; printed only with ReportStats.has_times
  const char *name; // as findings name it: without the folder that we run in; NULL: `path`
} ReportFile;

// What was found out about mending a finding that the report shows.
typedef struct ReportFix {
  const Finding *finding; // one of report_findings
  const Fix *fix;         // NULL: none was proved
  uint32_t tried;
} ReportFix;

typedef struct ReportInput {
  const ExprPool *pool; // to print expressions of launches and facts
  uint32_t result_count;
  const KernelResult *const *results; // in a fixed order
  uint32_t file_count;
  const ReportFile *files;
  const DiagSink *diags; // messages of the run; may be NULL
  ReportStats stats;
  bool is_interrupted;
  bool is_out_of_time;    // besides: by the clock
  uint32_t fix_count;     // may be filled in behind report_prepare, as they are for its findings
  const ReportFix *fixes; // NULL: they were not looked for
  int exit_status;        // that the run will end with, for SARIF; negative: not told
} ReportInput;

// Findings known from an earlier run, and findings that a file says are meant to be. Both are read here.
typedef struct ReportBaseline ReportBaseline;
typedef struct ReportSuppressions ReportSuppressions;

typedef struct ReportOptions {
  bool use_color;
  bool is_quiet;                   // no summary line
  bool is_verbose;                 // one note for each race-free kernel too: what the proof leans on
  bool is_partial;                 // not every kernel was asked for: what matches nothing is not called stale
  FindingLevel levels[RULE_COUNT]; // after -W, -Wno-, -Werror=; LEVEL_NONE: rule is off
  const char *(*read_line)(void *context, const char *file,
                           uint32_t line); // source text for the caret, or NULL
  void *context;
  const char *version;  // of the program; NULL: "0"
  const char *solver;   // name and version, which verdicts hang on too; NULL: not told
  const char *docs_url; // of the documentation site, without a slash at its end; NULL: none is named
  const char
      *source_root; // file: URI, ending in '/', that relative paths start from, for SARIF; NULL: not told
  const ReportBaseline *baseline;         // known findings are counted, not shown; NULL: none
  const ReportSuppressions *suppressions; // of a file; comments in the source count besides; NULL: none
} ReportOptions;

// Text of a baseline: a report of ours in JSON or SARIF, or the lines of report_baseline. NULL if it is none
// of these, with the reason and the mend in `*error`.
const ReportBaseline *report_read_baseline(const char *path, const char *text, size_t length, Arena *arena,
                                           const char **error);
// Text of a suppression file: one suppression a line, `RULE PATH-GLOB KERNEL-GLOB REASON`. NULL on a line
// that is not understood. `before` (may be NULL) is what an earlier file said; both count.
const ReportSuppressions *report_read_suppressions(const char *path, const char *text,
                                                   const ReportSuppressions *before, Arena *arena,
                                                   const char **error);

// What hgrd-run --json wrote: the races that it saw, and how its runs ended. `accesses` in the order of the run.
typedef struct ObservedRace {
  const char *kernel, *mangled, *space;
  FindingAccess accesses[2];
  bool is_same_value;
  Observation seen;
} ObservedRace;
typedef struct ObservedRun {
  const char *schedule;
  int status, signal;
} ObservedRun;
typedef struct Observations {
  VEC(ObservedRace) races;
  VEC(ObservedRun) runs;
} Observations;
// False: a line is not understood.
MUST_USE bool report_read_observations(const char *text, size_t length, Arena *arena, Observations *out);

// What all formats share, made once: findings joined, sorted, suppressed and compared with the baseline;
// kernels with the verdicts of their launches joined. Input and options are kept by reference.
typedef struct Report Report;
const Report *report_prepare(const ReportInput *input, const ReportOptions *options, Arena *arena);

// One report for each (pair of places, object, rule): joins equal findings of several launches, sorts. The
// result lives in `arena`; findings whose rule is off are left out, and so are suppressed and known ones.
typedef struct FindingList {
  uint32_t count;
  const Finding *const *items;
} FindingList;
FindingList report_findings(const Report *report, Arena *arena);

// What the exit status is made from. Kernels are counted once, with the verdicts of their launches joined.
typedef struct ReportTotals {
  uint32_t errors, warnings, notes; // findings shown, by level
  uint32_t suppressed, known;       // findings not shown: said to be meant so; in the baseline
  uint32_t kernels, safe, racy, undecided, dead;
  uint32_t provisional; // of `safe`: if what was left out of the input does not matter
  uint32_t pairs, queries;
  uint64_t resource_units; // that the solver spent on the queries
} ReportTotals;
ReportTotals report_totals(const Report *report);

// Where a report goes. It is written in pieces, so that a long one needs no memory for the whole: when
// `write` is set, text leaves from time to time, and report_flush hands out the rest; else all of it gathers
// in `text`, whose arena the caller sets.
typedef struct ReportSink {
  StrBuf text;
  void (*write)(void *context, const char *text, size_t length);
  void *context;
} ReportSink;
void report_flush(ReportSink *sink);

void report_text(const Report *report, ReportSink *sink);
void report_json(const Report *report, ReportSink *sink);   // docs/schema/hgrd-1.json
void report_sarif(const Report *report, ReportSink *sink);  // SARIF 2.1.0, one run
void report_html(const Report *report, ReportSink *sink);   // one page that needs nothing else
void report_gitlab(const Report *report, ReportSink *sink); // GitLab's code quality report
void report_junit(const Report *report, ReportSink *sink);  // one test case for each kernel
// A baseline: one line for each finding shown or known, sorted.
void report_baseline(const Report *report, ReportSink *sink);
// The messages of the run in text form; not part of report_text, so that they can go to another stream.
void report_messages(const DiagSink *diags, const ReportOptions *options, Arena *arena, StrBuf *out);

// A path as URI reference: relative paths stay relative, absolute ones become file: URIs.
void report_uri(const char *path, StrBuf *out);
// The page about a rule, as Markdown: what it means, a bad and a good example, how to mend it. docs/rules/
// holds the same text.
const char *report_explain(FindingRule rule);
// The page about a cause: what is wrong, the rule under each memory model, how to mend it.
void report_explain_cause(const CauseInfo *cause, StrBuf *out);
void report_explain_list(StrBuf *out); // all names that can be explained: rules with their ids, then causes
// By name ("inter-block-race") or id ("HGRD1001"); RULE_NONE if there is none.
FindingRule report_find_rule(const char *name);
// Edit distance, for hints about spelling: letters changed, left out, put in, or swapped with a neighbour.
uint32_t report_distance(const char *a, const char *b);
// The smaller, the likelier is it that the name was meant; REPORT_NO_SLIP: it was not.
enum { REPORT_NO_SLIP = UINT32_MAX >> 1 };
uint32_t report_slip(const char *typed, const char *name);
// The rule, or the rule or cause, that was meant; NULL if none is near.
const char *report_nearest_rule(const char *typed);
const char *report_nearest_explained(const char *typed);
// "did you mean 'x'?", or where all of them are listed.
const char *report_meant(const char *nearest, Arena *arena);

#endif
