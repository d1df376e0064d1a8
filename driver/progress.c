// Is it still at work, and how far?
//
// The line is written over itself with a carriage return and cleared before anything else is printed, so that
// nothing of it stays on the screen. Without a terminal on standard error nothing is written at all.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "driver/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { NAME_BYTES = 48 }; // the line must not wrap, or it could not be cleared

Progress progress_make(const Options *options) {
  bool is_wanted = options->paths.count > 1 && !options->is_quiet && options->dump == DUMP_NONE;
  return (Progress){.is_shown = is_wanted && isatty(STDERR_FILENO)};
}

void progress_compiling(const Progress *progress, uint32_t files) {
  if (progress->is_shown) fprintf(stderr, "\r\033[Kcompiling %" PRIu32 " files ...", files);
}

void progress_checked(const Progress *progress, uint32_t done, uint32_t count, const char *kernel) {
  if (!progress->is_shown) return;
  char name[NAME_BYTES + 1];
  int length = 0;
  for (; kernel && kernel[length] && length < NAME_BYTES; length++)
    name[length] = kernel[length] >= ' ' && kernel[length] <= '~' ? kernel[length] : '?';
  name[length] = 0;
  fprintf(stderr, "\r\033[Kchecked %" PRIu32 " of %" PRIu32 ": %s", done, count, name);
  fflush(stderr);
}

void progress_clear(const Progress *progress) {
  if (progress->is_shown) fputs("\r\033[K", stderr);
}
