// What the files of this room share: escaping, joined findings, kernel summaries, words for enumerators.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_INTERNAL_H
#define HGRD_REPORT_INTERNAL_H

#include "report/report.h"

// ---- escape.c: text from outside
// The next code point of NUL-terminated `text` (not at its end); `*length` bytes long. Anything that is not
// strict UTF-8 (stray bytes, overlong forms, surrogates) gives UTF8_INVALID and length 1.
#define UTF8_INVALID UINT32_MAX
uint32_t utf8_next(const char *text, uint32_t *length);
// For a terminal: control characters, bytes that are no UTF-8 and characters that reorder text become visible
// escapes. Line breaks too, so that one message stays one line. NULL gives "".
const char *escape_visible(Arena *arena, const char *text);
// The same for one character; false: print it as it is. `out` has room for 16 bytes.
bool escape_character(uint32_t code, unsigned char byte, char *out);
uint32_t escape_columns(uint32_t code); // columns a terminal needs for a printable character
// For JSON: bytes that are no UTF-8 become U+FFFD, all else is kept (the encoder escapes what JSON asks for).
const char *escape_utf8(Arena *arena, const char *text);
// A path as URI reference (RFC 3986): relative paths stay relative, absolute ones become file: URIs.
const char *escape_uri(Arena *arena, const char *path);

// ---- wording.c
const char *assumption_words(unsigned bit, const char **id); // "" and "A?" if there is none
AssumptionTelling assumption_telling(unsigned bit);
const char *access_word(AccessKind kind); // "read", "write", "atomic access"
const char *access_id(AccessKind kind);   // "read", "write", "atomic"
const char *level_word(FindingLevel level);
const char *certainty_word(Certainty certainty);
const char *fact_word(FactClass class);
const char *severity_word(DiagSeverity severity);
int loc_compare(const SrcLoc *a, const SrcLoc *b); // file, line, column
bool loc_known(const SrcLoc *loc);
const char *loc_text(Arena *arena, const SrcLoc *loc);          // "k.cu:31", escaped; "" if unknown
const char *triple_text(Arena *arena, const int64_t triple[3]); // "(0,1,2)"
const char *message_text(Arena *arena,
                         const Finding *finding); // the sentence, made up if there is none; escaped
bool has_second_access(const Finding *finding);   // barrier divergence may have only one place
// What stands at the second place of a finding that is no race.
const char *second_place_text(FindingRule rule);
bool has_witness(const Finding *finding); // dimensions are filled in

// ---- merge.c
typedef enum SuppressionKind { SUPPRESSED_NOT, SUPPRESSED_BY_COMMENT, SUPPRESSED_BY_FILE } SuppressionKind;

typedef struct ReportPrint {
  char hex[33];
  uint32_t occurrence; // 0, 1 ... among groups with this fingerprint
} ReportPrint;

// Findings that agree in rule, object, kernel (its place: instances of a template are one) and pair of
// places.
typedef struct ReportGroup {
  Finding finding;            // the most telling one, with its level after the options; count is the sum
  const KernelResult *result; // where that one comes from
  VEC(const KernelResult *) others; // further results that show it
  ReportPrint print, first_print;   // of version 2, and of version 1, for earlier baselines
  SuppressionKind suppressed;
  const char *reason;                       // given with the suppression
  bool is_known;                            // in the baseline
  const struct ReportGroup *face;           // of the mistake that this is one symptom of; NULL: it is its own
  VEC(const struct ReportGroup *) symptoms; // of a face: the others, in the order in which they are told
} ReportGroup;

typedef struct ReportGroups {
  uint32_t count;
  ReportGroup *items; // sorted by place, rule, object, second place
} ReportGroups;
ReportGroups report_group(const ReportInput *input, const ReportOptions *options, Arena *arena);
bool group_is_shown(const ReportGroup *group);
// Where the report stands: the first access, else the kernel.
const SrcLoc *group_place(const ReportGroup *group);

// ---- fingerprint.c
void report_fingerprints(ReportGroups *groups, const ReportOptions *options, Arena *arena);
// Fingerprint with its occurrence: "0123...ef:0".
const char *group_identity(const ReportGroup *group, Arena *arena);
const char *print_identity(const ReportPrint *print, Arena *arena);

// ---- summary.c
// One kernel with all its launches.
typedef struct KernelSummary {
  const KernelResult *first;
  VEC(const KernelResult *) results; // in the order of the input
  Verdict verdict;                   // joined
  uint32_t pairs, proved, queries;
  uint64_t rlimit;
  unsigned assumptions;
  VEC(OrderedGroup) ordered; // of all launches, sorted
} KernelSummary;
typedef struct KernelSummaries {
  uint32_t count;
  KernelSummary *items; // sorted by place, then name
} KernelSummaries;
// A place of a kernel's text: "12" in the file of the kernel, else "sync.h:12"; "" if it is not known.
const char *report_line_in(const SrcLoc *kernel, const SrcLoc *place, Arena *arena);
KernelSummaries report_kernels(const ReportInput *input, Arena *arena);

typedef struct UndecidedGroup {
  uint32_t kernel;            // index in KernelSummaries
  const KernelResult *result; // the first that has it
  SrcLoc loc;
  const char *text;
  uint32_t count; // launches that have it
} UndecidedGroup;
typedef struct UndecidedGroups {
  uint32_t count;
  UndecidedGroup *items;
} UndecidedGroups;
// Reasons why kernels are undecided, each once, kernel by kernel; one that gives none gets one made up.
UndecidedGroups report_undecided(const ReportInput *input, const KernelSummaries *kernels, Arena *arena);

// A suppression or a line of the baseline that nothing needs any more, or that names no rule.
typedef struct ReportStale {
  const char *kind; // "stale-suppression", "stale-baseline"
  SrcLoc loc;
  const char *text; // one sentence; not escaped
} ReportStale;
typedef struct ReportStales {
  VEC(ReportStale) list;
} ReportStales;

struct Report {
  const ReportInput *input;
  const ReportOptions *options;
  ReportGroups groups;
  KernelSummaries kernels;
  UndecidedGroups undecided;
  ReportStales stales;
  ReportTotals totals;
};
// Made by report_prepare, and counted.
static inline bool report_is_prepared(const Report *report) {
  const ReportTotals *totals = &report->totals;
  uint32_t judged = totals->safe + totals->racy + totals->undecided + totals->dead;
  return report->input && report->options && totals->kernels == report->kernels.count &&
         judged == totals->kernels;
}

// ---- mistakes.c
// Fills in the faces of mistakes and their symptoms. After suppression and baseline: only what is shown
// counts.
void report_mistakes(ReportGroups *groups, Arena *arena);

// ---- assumption_notes.c
// Is the kernel race-free (or dead) under an assumption? Under one that stands for input that was not there?
bool kernel_leans_on(const KernelSummary *kernel, unsigned bit);
bool kernel_leans_on_gaps(const KernelSummary *kernel);
// "'step', 'sum' and 3 more": those that lean on it; NULL: none.
const char *told_kernels(const Report *report, unsigned bit, Arena *arena);
// What was left out of the input, one after the other: `*next` begins with 0; NULL at the end.
const Diag *report_gap(const Report *report, uint32_t *next);
// The sentence of a kernel that leans on that, with the first thing that was left out.
const char *provisional_text(const Report *report, const KernelSummary *kernel, Arena *arena);

// ---- report.c
// Called between findings: hands out what has gathered when it is enough to be worth it.
void sink_offer(ReportSink *sink);

// ---- suppress.c
// Marks the groups that a comment in the source or the suppression file covers; what covers none is stale.
void suppress_groups(const ReportInput *input, const ReportOptions *options, ReportGroups *groups,
                     ReportStales *stales, Arena *arena);
// As findings name it.
static inline const char *file_name_of(const ReportFile *file) {
  return file->name ? file->name : file->path;
}
// Has nothing in this file been missed, so that a suppression in it that covers nothing is stale?
bool file_is_decided(const ReportInput *input, const char *file);

// ---- suppress_file.c
typedef struct FileSuppression {
  const char *path; // of the suppression file
  uint32_t line;
  FindingRule rule; // RULE_NONE: any
  const char *rule_name, *path_glob, *kernel_glob, *reason;
} FileSuppression;
struct ReportSuppressions {
  VEC(FileSuppression) list;
};
bool file_suppression_covers(const FileSuppression *suppression, const ReportGroup *group);

// ---- baseline.c
// Marks the groups that the baseline knows; entries of files of this run that no finding has are stale.
void baseline_compare(const ReportInput *input, const ReportOptions *options, ReportGroups *groups,
                      ReportStales *stales, Arena *arena);

// ---- extent.c
// The part of a source line that an access at `column` is about; all in bytes from 1, `end` is exclusive.
typedef struct Extent {
  uint32_t start, caret, end;
} Extent;
Extent extent_of(const char *line, uint32_t column);

// ---- barrier_interval.c
const char *barrier_word(IrScope scope);    // of whom it waits for: "warp", "block", "grid"
bool has_intervals(const Finding *finding); // else nothing is known of when the two make their accesses
// "both access it between ...": of each thread, the barriers around its access; NULL: not known.
const char *intervals_text(Arena *arena, const Finding *finding);
// "block barrier at line 12".
const char *barrier_text(Arena *arena, const Finding *finding, const WitnessBarrier *barrier);
// The nearest barriers around the access that hold both threads, and nearer ones that do not; NULL: none.
const WitnessBarrier *interval_common_before(const WitnessInterval *interval);
const WitnessBarrier *interval_own_before(const WitnessInterval *interval);
const WitnessBarrier *interval_own_after(const WitnessInterval *interval);
const WitnessBarrier *interval_common_after(const WitnessInterval *interval);

// ---- markup.c
// For XML and HTML, as content or in a quoted attribute. `scratch` holds what is made on the way.
void markup_text(StrBuf *out, const char *text, Arena *scratch);  // one line
void markup_lines(StrBuf *out, const char *text, Arena *scratch); // line breaks and tabs are kept

// ---- assumption_notes.c, too
// What was found out about mending it; NULL: that was not asked for.
const ReportFix *fix_of(const Report *report, const ReportGroup *group);
// One change may mend many findings: the one of them that a report tells first, which may be `group` itself.
typedef struct FixTelling {
  bool certain_first; // what is definite comes before all that is possible
  bool with_symptoms; // every finding is told in full, not only the faces of mistakes
} FixTelling;
const ReportGroup *fix_told_at(const Report *report, const ReportGroup *group, FixTelling telling);

// ---- text.c
// One finding with its notes, as it stands in the text report, for other formats that quote it.
void text_of_group(const Report *report, const ReportGroup *group, Arena *arena, StrBuf *out);

#endif
