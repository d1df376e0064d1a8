// From a finding to changes of the text that may mend it, and from results before and after such a change to
// whether it does. Nothing is checked or written here: who asks has the analysis (driver/fixes.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FIX_FIX_H
#define HGRD_FIX_FIX_H

#include "core/finding.h"
#include "core/fix.h"
#include "core/str.h"

// Texts of files by the names that reports give them.
typedef struct FixSources {
  const char *(*read)(void *context, const char *file, size_t *length); // NULL: not to be edited
  void *context;
} FixSources;

// How many changes are tried for one finding.
enum { FIX_CANDIDATES_MAX = 16 };

// Changes to try, in this order: what holds fewer threads together first, then what stands nearest. Empty:
// nothing is known that could mend such a finding. Without diffs.
typedef struct FixCandidates {
  VEC(Fix) list;
} FixCandidates;
FixCandidates fix_candidates(const Finding *finding, const FixSources *sources, Arena *arena);

// The text with the edits of the file; NULL if it has none of it.
const char *fix_apply(const Fix *fix, const char *file, const char *text, size_t length, Arena *arena,
                      size_t *new_length);
// Where a place of the old text is in the new one.
void fix_move(const Fix *fix, const char *file, const char *old_text, size_t old_length, uint32_t *line,
              uint32_t *column);
// Each file of the fix once: the next name behind `*next` edits, which begins with 0; NULL at the end.
const char *fix_next_file(const Fix *fix, uint32_t *next);

typedef struct FixResults {
  uint32_t count;
  const KernelResult *const *items;
} FixResults;
// Is the finding gone, and nothing new there? `before` and `after`: results of the same kernels, all launches.
// False with the reason, for a log.
bool fix_is_proved(const Fix *fix, const Finding *finding, const FixSources *old, const FixResults *before,
                   const FixResults *after, Arena *arena, const char **why);

// Lines that differ, with three lines around, as `diff -u` prints them.
void fix_diff(const char *file, const char *old_text, const char *new_text, StrBuf *out);

#endif
