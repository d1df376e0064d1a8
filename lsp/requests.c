// Which requests are there, and who answers them? The table is the server's (Server.requests), so that what is waited for
// can be answered by whoever sees it come.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"
#include "core/bug.h"

#include <string.h>

const Request *request_find(const Server *server, const char *method) {
  ASSERT(method);
  for (const Request *known = server->requests; known->method; known++)
    if (strcmp(known->method, method) == 0) return known;
  return NULL;
}

void request_answer(Server *server, const Request *known, const json_t *request) {
  server_answer(server, json_object_get(request, "id"),
                known->answer(server, json_object_get(request, "params")));
}

void document_answer_waiting(Server *server, Document *document) {
  json_t *waiting = document->waiting;
  document->waiting = js_need(json_array());
  for (size_t i = 0; i < json_array_size(waiting); i++) {
    const json_t *request = json_array_get(waiting, i);
    const Request *known = request_find(server, js_text(request, "method"));
    if (known) request_answer(server, known, request);
  }
  json_decref(waiting);
}
