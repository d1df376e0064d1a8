// Where do messages of the run go? Into a list, in order of arrival; others print it.
// Soundness: no bearing on verdicts; errors are counted, so none can be lost on the way to the exit status.
// SPDX-License-Identifier: Apache-2.0
#include "core/diag.h"
#include "core/bug.h"

#include <string.h>

DiagSink *diag_sink_make(Arena *arena) {
  DiagSink *sink = arena_new(arena, DiagSink);
  sink->arena = arena;
  return sink;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

// One place may be come to on several ways (a function called from two others): it is told of once.
static bool is_told(const DiagSink *sink, const Diag *diag) {
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const Diag *other = &sink->diags.items[i];
    if (other->severity == diag->severity && other->loc.line == diag->loc.line &&
        other->loc.column == diag->loc.column && same_text(other->loc.file, diag->loc.file) &&
        strcmp(other->message, diag->message) == 0)
      return true;
  }
  return false;
}

void diag_report_detail(DiagSink *sink, DiagSeverity severity, const SrcLoc *loc, const char *message,
                        const char *detail) {
  ASSERT(message);
  diag_pass_on(
      sink,
      &(Diag){.severity = severity, .loc = loc ? *loc : (SrcLoc){0}, .message = message, .detail = detail});
}

void diag_pass_on(DiagSink *sink, const Diag *diag) {
  ASSERT(diag->message && diag->severity <= DIAG_ERROR);
  if (diag->is_gap && is_told(sink, diag)) return;
  if (diag->severity == DIAG_NOTE && diag->loc.line && !diag->detail && is_told(sink, diag)) return;
  Diag kept = *diag;
  kept.message = arena_strdup(sink->arena, diag->message);
  kept.detail = diag->detail ? arena_strdup(sink->arena, diag->detail) : NULL;
  vec_push(sink->arena, &sink->diags, kept);
  sink->error_count += diag->severity == DIAG_ERROR;
  sink->gap_count += diag->is_gap;
}

void diag_report_gap(DiagSink *sink, const SrcLoc *loc, const char *format, ...) {
  ASSERT(format);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(sink->arena, format, args);
  va_end(args);
  diag_pass_on(
      sink,
      &(Diag){.severity = DIAG_WARNING, .loc = loc ? *loc : (SrcLoc){0}, .message = message, .is_gap = true});
}

void diag_report(DiagSink *sink, DiagSeverity severity, const SrcLoc *loc, const char *format, ...) {
  ASSERT(format);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(sink->arena, format, args);
  va_end(args);
  diag_report_detail(sink, severity, loc, message, NULL);
}

void diags_code(Codec *codec, DiagSink *sink, uint32_t first) {
  ASSERT(first <= sink->diags.count);
  uint32_t count = codec_count(codec, codec->is_writing ? sink->diags.count - first : 0);
  for (uint32_t i = 0; i < count; i++) {
    Diag diag = codec->is_writing ? sink->diags.items[first + i] : (Diag){0};
    CODE_ENUM(codec, diag.severity, DIAG_ERROR + 1);
    codec_loc(codec, &diag.loc);
    CODE_NAME(codec, diag.message);
    CODE_TEXT(codec, diag.detail);
    CODE_BOOL(codec, diag.is_gap);
    if (!codec->is_writing && !codec->has_failed) diag_pass_on(sink, &diag);
  }
}
