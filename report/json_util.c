// How are JSON values made without a test after every call?
//
// jansson returns NULL for lack of memory and for text that is not UTF-8. The latter is replaced beforehand,
// so NULL is always the former, and goes to the bug hook.
//
// Soundness: a document is complete or not there.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

#include <string.h>

json_t *json_need(json_t *value) {
  if (!value) BUG("cannot make a JSON value");
  return value;
}

json_t *json_text(const char *text, Arena *arena) {
  ASSERT(arena); // no text: an empty one
  return json_need(json_string(escape_utf8(arena, text)));
}

void json_put(json_t *object, const char *key, json_t *value) {
  ASSERT(key);
  if (json_object_set_new(object, key, json_need(value)) != 0) BUG("cannot add a JSON member");
}

void json_push(json_t *array, json_t *value) {
  ASSERT(json_is_array(array));
  if (json_array_append_new(array, json_need(value)) != 0) BUG("cannot add a JSON element");
}

// ---- a document in pieces

enum { INDENT = 2 };

static void start_line(JsonStream *stream) {
  strbuf_printf(&stream->sink->text, "\n%*s", (int)(stream->depth * INDENT), "");
}

static void start_item(JsonStream *stream) {
  if (stream->depth > 0 && !stream->after_key) {
    strbuf_add(&stream->sink->text, stream->is_empty ? "" : ",");
    start_line(stream);
  }
  stream->after_key = stream->is_empty = false;
}

void json_stream_open(JsonStream *stream, char bracket) {
  ASSERT(bracket == '[' || bracket == '{');
  start_item(stream);
  strbuf_add_n(&stream->sink->text, &bracket, 1);
  stream->depth++;
  stream->is_empty = true;
}

void json_stream_close(JsonStream *stream, char bracket) {
  ASSERT(bracket == ']' || bracket == '}');
  stream->depth--;
  if (!stream->is_empty) start_line(stream);
  strbuf_add_n(&stream->sink->text, &bracket, 1);
  stream->is_empty = false;
  if (stream->depth == 0) strbuf_add(&stream->sink->text, "\n");
}

void json_stream_key(JsonStream *stream, const char *key) {
  ASSERT(key);
  start_item(stream);
  strbuf_printf(&stream->sink->text, "\"%s\": ", key);
  stream->after_key = true;
}

// Line breaks stand between tokens only: inside strings they are escaped.
static int add_chunk(const char *chunk, size_t length, void *context) {
  JsonStream *stream = context;
  for (size_t done = 0; done < length;) {
    const char *stop = memchr(chunk + done, '\n', length - done);
    size_t piece = stop ? (size_t)(stop - chunk) - done : length - done;
    strbuf_add_n(&stream->sink->text, chunk + done, piece);
    if (stop) start_line(stream);
    done += piece + (stop != NULL);
  }
  return 0;
}

void json_stream_value(JsonStream *stream, json_t *value) {
  ASSERT(stream);
  start_item(stream);
  if (json_dump_callback(value, add_chunk, stream, JSON_INDENT(INDENT) | JSON_ENCODE_ANY) != 0)
    BUG("cannot print a JSON value");
  json_decref(value);
  sink_offer(stream->sink);
}

void json_stream_member(JsonStream *stream, const char *key, json_t *value) {
  ASSERT(key);
  json_stream_key(stream, key);
  json_stream_value(stream, value);
}
