// Changes of the text that mend findings, each checked by a run of its own on the changed text.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_FIXES_H
#define HGRD_DRIVER_FIXES_H

#include "driver/run.h"

// For each finding that the report shows, in its order. Sets run->is_interrupted if it was.
typedef struct FixList {
  uint32_t count;
  const ReportFix *items;
} FixList;
FixList fixes_suggest(Run *run, const Report *report, const regex_t *filter);

// What becomes of the files if fixes are made one after the other, each proved on what the ones before it
// left.
typedef struct FixedFile {
  const char *file;
  const char *old, *new;
  size_t old_length, new_length;
} FixedFile;
typedef struct FixedFiles {
  VEC(FixedFile) files; // that differ
  Run *last;            // of the last text; the run itself if nothing was fixed
  struct FixChain *chain;
} FixedFiles;
// Those that are mere assumptions are left out.
FixedFiles fixes_make(Run *run, const ReportOptions *options, const regex_t *filter);
void fixes_close(FixedFiles *fixed); // `last` is gone then
// Each file as a whole, if all are what they were when they were checked and may be written; else none, with
// errors in the sink that say why.
bool fixes_write(const FixedFiles *fixed, DiagSink *sink, Arena *arena);
// A note for each, at its place in the text that it was made in.
void fixes_tell(const FixedFiles *fixed, const char *how, DiagSink *sink);
void fixes_diff(const FixedFiles *fixed, StrBuf *out);

#endif
