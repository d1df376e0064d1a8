// Small helpers over jansson, shared by the JSON and the SARIF writer. Text from outside goes through
// json_text.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_REPORT_JSON_UTIL_H
#define HGRD_REPORT_JSON_UTIL_H

#include "report/internal.h"

#include <jansson.h>

// A string; bytes that are no UTF-8 are replaced. NULL gives "".
json_t *json_text(const char *text, Arena *arena);
// Out of memory inside jansson is ours as everywhere: the bug hook.
json_t *json_need(json_t *value);
void json_put(json_t *object, const char *key, json_t *value); // steals `value`
void json_push(json_t *array, json_t *value);                  // steals `value`

// A document written in pieces, so that only one finding at a time is held as a tree. Prints what jansson
// prints with an indent of two; keys are ours and need no escaping.
typedef struct JsonStream {
  ReportSink *sink;
  uint32_t depth;
  bool is_empty, after_key;
} JsonStream;
void json_stream_open(JsonStream *stream, char bracket);
void json_stream_close(JsonStream *stream, char bracket); // the outermost one ends the line
void json_stream_key(JsonStream *stream, const char *key);
void json_stream_value(JsonStream *stream, json_t *value); // steals `value`
void json_stream_member(JsonStream *stream, const char *key, json_t *value);

#endif
