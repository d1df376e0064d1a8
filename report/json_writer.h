// What the files of the JSON document share: whom they write for, and the members that stand in many places of it.
// json.c writes the document, json_finding.c its findings.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_JSON_WRITER_H
#define HGRD_REPORT_JSON_WRITER_H

#include "report/json_util.h"

typedef struct JsonWriter {
  const Report *report;
  const ReportInput *input;
  const ReportOptions *options;
  Arena *arena;
} JsonWriter;

// ---- json_writer.c
json_t *writer_text(const JsonWriter *w, const char *value); // no text: an empty one
void writer_put_text(const JsonWriter *w, json_t *object, const char *key, const char *value);
void json_put_number(json_t *object, const char *key, int64_t value);
void writer_put_loc(const JsonWriter *w, json_t *object, const SrcLoc *loc); // nothing, if it is not known
json_t *json_triple(const int64_t values[3]);
json_t *writer_facts(const JsonWriter *w, uint32_t count, const Fact *const *items);
json_t *json_assumption_ids(unsigned assumptions);

// ---- json_finding.c: those that are shown, or those that are not
void writer_put_findings(const JsonWriter *w, JsonStream *stream, const char *key, bool shown);

#endif
