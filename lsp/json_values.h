// Small helpers over jansson: reading what may be anything, making what must be whole.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_LSP_JSON_VALUES_H
#define HGRD_LSP_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>

// What lies at the end of a path of members, as in js_at(message, "params", "textDocument", NULL); NULL if
// anything on the way is missing or no object.
const json_t *js_at(const json_t *value, ...) __attribute__((sentinel));
// A member, or what stands for one that is missing or of another type.
const char *js_text(const json_t *object, const char *key); // ""
json_int_t js_number(const json_t *object, const char *key, json_int_t otherwise);
// A member that the protocol calls `uinteger`, from 0 to 2^31 - 1; `otherwise` for anything else.
json_int_t js_uinteger(const json_t *object, const char *key, json_int_t otherwise);
bool js_true(const json_t *object, const char *key);

// jansson returns NULL for lack of memory only, as everything that goes in is UTF-8: that goes to the bug
// hook.
json_t *js_need(json_t *value);
json_t *js_make(const char *format, ...);                    // json_pack
void js_put(json_t *object, const char *key, json_t *value); // steals `value`
void js_push(json_t *array, json_t *value);                  // steals `value`
// A string of any bytes; those that are no UTF-8 are replaced.
json_t *js_string(const char *text, size_t length);

#endif
