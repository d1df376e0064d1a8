// Is it still at work, and how far?
//
// The line is written over itself with a carriage return and cleared before anything else is printed, so that
// nothing of it stays on the screen. Without a terminal on standard error nothing is written at all.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "driver/progress.h"
#include "core/bug.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { MANY_KERNELS = 8 };
enum { NAME_BYTES = 48 }; // the line must not wrap, or it could not be cleared

Progress progress_make(const Options *options) {
  bool is_many = options->paths.count > 1 || (options->paths.count == 0 && options->build_path);
  bool is_possible = !options->is_quiet && options->dump == DUMP_NONE && isatty(STDERR_FILENO);
  return (Progress){is_possible, is_possible && is_many};
}

void progress_compiling(const Progress *progress, uint32_t done, uint32_t files) {
  ASSERT(done <= files);
  if (!progress->is_shown) return;
  fprintf(stderr, "\r\033[Kcompiled %" PRIu32 " of %" PRIu32 " files ...", done, files);
  fflush(stderr);
}

void progress_expect(Progress *progress, uint32_t kernels) {
  ASSERT(progress);
  progress->is_shown |= progress->is_possible && kernels >= MANY_KERNELS;
}

void progress_checked(const Progress *progress, uint32_t done, uint32_t count, const char *kernel) {
  ASSERT(done <= count);
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
  ASSERT(progress);
  if (progress->is_shown) fputs("\r\033[K", stderr);
}
