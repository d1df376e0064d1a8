// What is said to the editor? Notifications, requests of our own, answers and refusals, in JSON-RPC 2.0; what is logged
// and what is shown. Nothing waits: messages go to the outbox.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double server_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void server_send(Server *server, json_t *message) {
  char *text = json_dumps(message, JSON_COMPACT);
  js_need(text ? message : NULL);
  outbox_add(&server->outbox, text, strlen(text));
  free(text); // jansson's
  json_decref(message);
}

void server_notify(Server *server, const char *method, json_t *params) {
  ASSERT(method);
  server_send(server, js_make("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

void server_ask(Server *server, const char *method, json_t *params, const char *purpose) {
  ASSERT(method);
  ASSERT(purpose);
  Arena *scratch = arena_open();
  const char *id = arena_printf(scratch, "hgrd-%u", ++server->next_id);
  json_t *message = js_make("{s:s, s:s, s:s}", "jsonrpc", "2.0", "id", id, "method", method);
  if (params) js_put(message, "params", params);
  js_put(server->asked, id, js_make("{s:s, s:s}", "method", method, "purpose", purpose));
  server_send(server, message);
  arena_close(scratch);
}

static json_t *copy_of_id(const json_t *id) {
  return id ? js_need(json_deep_copy(id)) : json_null();
}

void server_answer(Server *server, const json_t *id, json_t *result) {
  server_send(server, js_make("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", copy_of_id(id), "result", result));
}

void server_refuse(Server *server, const json_t *id, int code, const char *message) {
  ASSERT(message);
  server_send(server, js_make("{s:s, s:o, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", copy_of_id(id), "error",
                              "code", code, "message", js_string(message, strlen(message))));
}

static void tell(Server *server, const char *method, Loudness loudness, const char *text) {
  server_notify(server, method,
                js_make("{s:i, s:o}", "type", (int)loudness, "message", js_string(text, strlen(text))));
}

void server_log(Server *server, Loudness loudness, const char *format, ...) {
  ASSERT(format);
  Arena *scratch = arena_open();
  va_list values;
  va_start(values, format);
  tell(server, "window/logMessage", loudness, arena_vprintf(scratch, format, values));
  va_end(values);
  arena_close(scratch);
}

void server_show(Server *server, Loudness loudness, const char *format, ...) {
  ASSERT(format);
  Arena *scratch = arena_open();
  va_list values;
  va_start(values, format);
  tell(server, "window/showMessage", loudness, arena_vprintf(scratch, format, values));
  va_end(values);
  arena_close(scratch);
}

void server_show_once(Server *server, Loudness loudness, const char *text) {
  ASSERT(text);
  if (json_object_get(server->told, text)) return;
  js_put(server->told, text, json_true());
  server_show(server, loudness, "%s", text);
}
