// Where do messages of the run go? Into a list, in order of arrival; others print it.
// Soundness: no bearing on verdicts; errors are counted, so none can be lost on the way to the exit status.
// SPDX-License-Identifier: Apache-2.0
#include "core/diag.h"

#include <string.h>

DiagSink *diag_sink_make(Arena *arena) {
  DiagSink *sink = arena_new(arena, DiagSink);
  sink->arena = arena;
  return sink;
}

// One place may be come to on several ways (a function called from two others): it is told of once.
static bool is_told(const DiagSink *sink, const Diag *diag) {
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const Diag *other = &sink->diags.items[i];
    if (other->severity == diag->severity && other->loc.line == diag->loc.line &&
        other->loc.column == diag->loc.column && other->loc.file == diag->loc.file &&
        strcmp(other->message, diag->message) == 0)
      return true;
  }
  return false;
}

void diag_report_detail(DiagSink *sink, DiagSeverity severity, const SrcLoc *loc, const char *message,
                        const char *detail) {
  Diag diag = {severity, loc ? *loc : (SrcLoc){0}, arena_strdup(sink->arena, message),
               detail ? arena_strdup(sink->arena, detail) : NULL};
  if (severity == DIAG_NOTE && diag.loc.line && !detail && is_told(sink, &diag)) return;
  vec_push(sink->arena, &sink->diags, diag);
  if (severity == DIAG_ERROR) sink->error_count++;
}

void diag_report(DiagSink *sink, DiagSeverity severity, const SrcLoc *loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(sink->arena, format, args);
  va_end(args);
  diag_report_detail(sink, severity, loc, message, NULL);
}
