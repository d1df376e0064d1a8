// How are JSON values made without a test after every call?
//
// jansson returns NULL for lack of memory and for text that is not UTF-8. The latter is replaced beforehand,
// so NULL is always the former, and goes to the bug hook.
//
// Soundness: a document is complete or not there.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

json_t *json_need(json_t *value) {
  if (!value) BUG("cannot make a JSON value");
  return value;
}

json_t *json_text(const char *text, Arena *arena) {
  return json_need(json_string(escape_utf8(arena, text)));
}

void json_put(json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, json_need(value)) != 0) BUG("cannot add a JSON member");
}

void json_push(json_t *array, json_t *value) {
  if (json_array_append_new(array, json_need(value)) != 0) BUG("cannot add a JSON element");
}

static int add_chunk(const char *chunk, size_t length, void *out) {
  strbuf_add_n(out, chunk, length);
  return 0;
}

void json_print(json_t *document, StrBuf *out) {
  if (json_dump_callback(document, add_chunk, out, JSON_INDENT(2)) != 0) BUG("cannot print a JSON document");
  strbuf_add(out, "\n");
  json_decref(document);
}
