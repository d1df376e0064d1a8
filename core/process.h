// Runs another program and waits for it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_PROCESS_H
#define HGRD_CORE_PROCESS_H

#include "core/str.h"

typedef struct ProcessResult {
  int status;      // of exit, or -1
  int signal;      // that ended it, or 0
  int start_error; // errno, or 0
} ProcessResult;

// `environment` NULL: ours. `output` takes both of its streams, as far as PROCESS_OUTPUT_MOST, and then it has nothing to read; NULL: the
// three streams are ours.
enum { PROCESS_OUTPUT_MOST = 1 << 20 };
ProcessResult process_run(const char *const *argv, const char *const *environment, StrBuf *output);

// A file in the folder that this program lies in, or with "../" in front above it; NULL: that folder is not known. Whether it is there
// is not asked.
const char *process_beside(const char *name, Arena *arena);
// A part of this program, found by access(2) with `mode`: beside it, where it is built, or in ../lib/hgrd, where it is installed. NULL: not there.
const char *process_part(const char *name, int mode, Arena *arena);

#endif
