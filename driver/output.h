// Reports on their way out: which writer, to which file, with colours or not.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_OUTPUT_H
#define HGRD_DRIVER_OUTPUT_H

#include "driver/options.h"
#include "report/report.h"

// On a terminal, unless NO_COLOR is set or the options say otherwise.
bool output_has_color(const Options *options, int fd);
// False: the file, or standard output, is as it was or incomplete on a stream, and *error says why.
bool output_report(const OutputRequest *request, const Report *report, Arena *arena, const char **error);
bool output_write(const char *path, const Report *report, void (*write)(const Report *, ReportSink *),
                  Arena *arena, const char **error);
bool output_text(const char *path, const StrBuf *text, Arena *arena, const char **error);

#endif
