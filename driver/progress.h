// One line on a terminal that says how far a run over several files has come, and is gone at the end.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_PROGRESS_H
#define HGRD_DRIVER_PROGRESS_H

#include "driver/options.h"

typedef struct Progress {
  bool is_possible; // standard error is a terminal, not quiet, no dump
  bool is_shown;    // and there is more than a little to do
} Progress;

Progress progress_make(const Options *options);
void progress_compiling(const Progress *progress, uint32_t done, uint32_t files);
void progress_expect(Progress *progress, uint32_t kernels); // many of them are worth a line, even of one file
// `kernel` is the one just checked, of `count`.
void progress_checked(const Progress *progress, uint32_t done, uint32_t count, const char *kernel);
void progress_clear(const Progress *progress);

#endif
