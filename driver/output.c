// How does a report get from its writer to a file?
//
// Writers hand out text in pieces, which go to the file as they come, so that a long report needs no memory
// for the whole; the file takes its name when it is complete (driver/files.c).
//
// Soundness: no effect on verdicts; a report that could not be written makes the exit status 2.
// SPDX-License-Identifier: Apache-2.0
#include "driver/output.h"
#include "core/bug.h"
#include "driver/files.h"

#include <stdlib.h>
#include <unistd.h>

bool output_has_color(const Options *options, int fd) {
  ASSERT(options);
  ASSERT(fd >= 0);
  const char *no_color = getenv("NO_COLOR");
  if (options->color != COLOR_AUTO) return options->color == COLOR_ALWAYS;
  return !(no_color && no_color[0]) && isatty(fd);
}

static void add_piece(void *context, const char *text, size_t length) {
  file_writer_add(context, text, length);
}

static FileWriter *open_writer(const char *path, Arena *arena, const char **error) {
  return path ? file_writer_open(path, arena, error) : file_writer_stdout(arena);
}

bool output_write(const char *path, const Report *report, void (*write)(const Report *, ReportSink *),
                  Arena *arena, const char **error) {
  ASSERT(error);
  FileWriter *writer = open_writer(path, arena, error);
  if (!writer) return false;
  Arena *gathered = arena_open();
  ReportSink sink = {.text = {.arena = gathered}, .write = add_piece, .context = writer};
  write(report, &sink);
  report_flush(&sink);
  arena_close(gathered);
  return file_writer_close(writer, error);
}

bool output_text(const char *path, const StrBuf *text, Arena *arena, const char **error) {
  ASSERT(error);
  FileWriter *writer = open_writer(path, arena, error);
  if (!writer) return false;
  file_writer_add(writer, strbuf_text(text), text->length);
  return file_writer_close(writer, error);
}

bool output_report(const OutputRequest *request, const Report *report, Arena *arena, const char **error) {
  ASSERT(error);
  void (*write)(const Report *, ReportSink *) = report_text;
  switch (request->format) {
  case FORMAT_TEXT: write = report_text; break;
  case FORMAT_JSON: write = report_json; break;
  case FORMAT_SARIF: write = report_sarif; break;
  case FORMAT_HTML: write = report_html; break;
  case FORMAT_GITLAB: write = report_gitlab; break;
  case FORMAT_JUNIT: write = report_junit; break;
  case FORMAT_PART: break; // parts.c
  }
  return output_write(request->path, report, write, arena, error);
}
