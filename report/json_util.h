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
void json_print(json_t *document, StrBuf *out);                // steals `document`; keys keep their order

#endif
