// How are messages read and made without a test after every call?
//
// What comes from outside may lack any member or have it of any type: readers give what stands for "not
// there", and json_get functions of jansson take NULL. What is made here is whole or not there.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/json_values.h"
#include "core/arena.h"
#include "core/bug.h"
#include "lsp/columns.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

const json_t *js_at(const json_t *value, ...) {
  va_list keys;
  va_start(keys, value);
  for (const char *key; value && (key = va_arg(keys, const char *)) != NULL;)
    value = json_object_get(value, key);
  va_end(keys);
  return value;
}

const char *js_text(const json_t *object, const char *key) {
  ASSERT(key);
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

json_int_t js_number(const json_t *object, const char *key, json_int_t otherwise) {
  ASSERT(key);
  const json_t *value = json_object_get(object, key);
  return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

json_int_t js_uinteger(const json_t *object, const char *key, json_int_t otherwise) {
  ASSERT(key);
  json_int_t value = js_number(object, key, -1);
  return value >= 0 && value <= INT32_MAX ? value : otherwise;
}

bool js_true(const json_t *object, const char *key) {
  ASSERT(key);
  return json_is_true(json_object_get(object, key));
}

json_t *js_need(json_t *value) {
  if (!value) BUG("cannot make a JSON value");
  return value;
}

json_t *js_make(const char *format, ...) {
  ASSERT(format);
  va_list values;
  va_start(values, format);
  json_t *made = json_vpack_ex(NULL, 0, format, values);
  va_end(values);
  return js_need(made);
}

void js_put(json_t *object, const char *key, json_t *value) {
  ASSERT(key);
  if (json_object_set_new(object, key, js_need(value)) != 0) BUG("cannot add a JSON member");
}

void js_push(json_t *array, json_t *value) {
  if (json_array_append_new(array, js_need(value)) != 0) BUG("cannot add a JSON element");
}

json_t *js_string(const char *text, size_t length) {
  ASSERT(text);
  Arena *scratch = arena_open();
  StrBuf clean = {.arena = scratch};
  text_replace_bad(text, length, &clean);
  json_t *made = js_need(json_stringn(strbuf_text(&clean), clean.length));
  arena_close(scratch);
  return made;
}
