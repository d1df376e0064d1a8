// Messages that are not findings: bad input, notes of the front end, limits reached. Modules report; only
// report/ and driver/ print. Order of arrival is kept per sink; each unit has its own sink, merged in a fixed
// order.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_DIAG_H
#define HGRD_CORE_DIAG_H

#include "core/arena.h"
#include "core/codec.h"
#include "core/srcloc.h"
#include "core/vec.h"
#include <stdbool.h>

typedef enum DiagSeverity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagSeverity;

typedef struct Diag {
  DiagSeverity severity;
  SrcLoc loc;          // loc.file NULL: about the run, not a place
  const char *message; // one line, names the cause and the mend
  const char *detail;  // further lines shown as they are (clang's own output), or NULL
  bool is_gap;         // a part of the input was not there or is left out: what is said of kernels leans on
                       // its having no bearing on them (A14)
} Diag;

typedef struct DiagSink {
  Arena *arena;
  VEC(Diag) diags;
  uint32_t error_count, gap_count;
} DiagSink;

DiagSink *diag_sink_make(Arena *arena);
// loc may be NULL.
void diag_report(DiagSink *sink, DiagSeverity severity, const SrcLoc *loc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A warning that a part of the input was not there; one for each message and place.
void diag_report_gap(DiagSink *sink, const SrcLoc *loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The message again, as it is.
void diag_pass_on(DiagSink *sink, const Diag *diag);
void diag_report_detail(DiagSink *sink, DiagSeverity severity, const SrcLoc *loc, const char *message,
                        const char *detail);
// Messages of the sink from `first` on, as bytes and back; what is read is passed on to it.
void diags_code(Codec *codec, DiagSink *sink, uint32_t first);

#endif
