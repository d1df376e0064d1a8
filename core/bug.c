// What happens on an internal error? One hook for the process, set once by the driver or a test before
// threads start. Soundness: a bug ends the run with its own exit status; it never becomes a verdict.
// SPDX-License-Identifier: Apache-2.0
#include "core/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void report_and_abort(const char *file, int line, const char *message) {
  fprintf(stderr, "hgrd: internal error at %s:%d: %s\n", file, line, message);
  abort();
}

// The one process-wide variable: set before threads start, read-only afterwards.
static BugHook current_hook = report_and_abort;

void bug_set_hook(BugHook hook) {
  current_hook = hook ? hook : report_and_abort;
}

void bug_raise(const char *file, int line, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  current_hook(file, line, message);
  abort(); // a hook must not return
}
