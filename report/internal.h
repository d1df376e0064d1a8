// What the files of this room share: escaping, joined findings, kernel summaries, words for enumerators.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_INTERNAL_H
#define HGRD_REPORT_INTERNAL_H

#include "report/report.h"

// ---- escape.c: text from outside
// -------------------------------------------------------------------------------- The next code point of
// NUL-terminated `text` (not at its end); `*length` bytes long. Anything that is not strict UTF-8 (stray
// bytes, overlong forms, surrogates) gives UTF8_INVALID and length 1.
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

// ---- words.c
// -----------------------------------------------------------------------------------------------------
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
bool has_witness(const Finding *finding);         // dimensions are filled in

// ---- merge.c
// -----------------------------------------------------------------------------------------------------
// Findings that agree in rule, object, kernel (its place: instances of a template are one) and pair of
// places.
typedef struct ReportGroup {
  Finding finding;            // the most telling one, with its level after the options; count is the sum
  const KernelResult *result; // where that one comes from
  VEC(const KernelResult *) others; // further results that show it
  char fingerprint[33];             // hex; survives line shifts
  uint32_t occurrence;              // 0, 1 ... among groups with this fingerprint
  const char *suppression;          // reason given in the source, NULL: not suppressed
  bool is_known;                    // in the baseline
} ReportGroup;

typedef struct ReportGroups {
  uint32_t count;
  ReportGroup *items; // sorted by place, rule, object, second place
} ReportGroups;
ReportGroups report_group(const ReportInput *input, const ReportOptions *options, Arena *arena);
bool group_is_shown(const ReportGroup *group);
// Fingerprint with its occurrence: "0123...ef:0".
const char *group_identity(const ReportGroup *group, Arena *arena);

// One kernel with all its launches.
typedef struct KernelSummary {
  const KernelResult *first;
  VEC(const KernelResult *) results; // in the order of the input
  Verdict verdict;                   // joined
  uint32_t pairs, proved, queries;
  unsigned assumptions;
} KernelSummary;
typedef struct KernelSummaries {
  uint32_t count;
  KernelSummary *items; // sorted by place, then name
} KernelSummaries;
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
// Reasons why kernels are undecided, each once; a kernel that gives none gets one made up.
UndecidedGroups report_undecided(const ReportInput *input, Arena *arena);

// ---- suppress.c
// -------------------------------------------------------------------------------------------------- The
// reason of a `hgrd-suppress(rule)` comment that covers the finding, NULL if there is none.
const char *suppression_find(const Finding *finding, const ReportOptions *options, Arena *arena);

#endif
