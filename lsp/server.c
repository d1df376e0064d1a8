// What does an editor say, and what is done about it?
//
// One thread and one loop: messages of the editor, reports of checks and the clock wake it, and nothing in it
// waits for anything else. Language Server Protocol 3.17. What is malformed is answered with an error and the
// next message is read; a message beyond the limit is passed over. Requests about a text whose check still
// runs wait for it, until it comes, the text changes or the editor cancels them.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"
#include "core/bug.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- the first and the last messages

static bool has_text(const json_t *array, const char *text) {
  for (size_t i = 0; i < json_array_size(array); i++) {
    const char *one = json_string_value(json_array_get(array, i));
    if (one && strcmp(one, text) == 0) return true;
  }
  return false;
}

static TextUnits units_for(const json_t *capabilities) {
  const json_t *offered = js_at(capabilities, "general", "positionEncodings", NULL);
  return has_text(offered, "utf-8") ? UNITS_UTF8 : UNITS_UTF16;
}

static Abilities abilities_of(const json_t *capabilities) {
  const json_t *published = js_at(capabilities, "textDocument", "publishDiagnostics", NULL);
  return (Abilities){
      .units = units_for(capabilities),
      .related = js_true(published, "relatedInformation"),
      .code_descriptions = js_true(published, "codeDescriptionSupport"),
      .progress = js_true(js_at(capabilities, "window", NULL), "workDoneProgress"),
      .configuration = js_true(js_at(capabilities, "workspace", NULL), "configuration"),
      .watched_files =
          js_true(js_at(capabilities, "workspace", "didChangeWatchedFiles", NULL), "dynamicRegistration"),
      .refreshes_lenses = js_true(js_at(capabilities, "workspace", "codeLens", NULL), "refreshSupport"),
      .literal_actions =
          js_at(capabilities, "textDocument", "codeAction", "codeActionLiteralSupport", NULL) != NULL,
      .versioned_edits = js_true(js_at(capabilities, "workspace", "workspaceEdit", NULL), "documentChanges")};
}

static json_t *capabilities(const Server *server) {
  const char *units = server->can.units == UNITS_UTF8 ? "utf-8" : "utf-16";
  json_t *sync = js_make("{s:b, s:i, s:{s:b}}", "openClose", 1, "change", 1, "save", "includeText", 1);
  return js_make("{s:s, s:o, s:b, s:{s:b}, s:b, s:b, s:{s:[s]}, s:{s:[s, s]}}", "positionEncoding", units,
                 "textDocumentSync", sync, "hoverProvider", 1, "codeLensProvider", "resolveProvider", 0,
                 "definitionProvider", 1, "referencesProvider", 1, "codeActionProvider", "codeActionKinds",
                 "quickfix", "executeCommandProvider", "commands", "hgrd.check", "hgrd.tell");
}

// The folder that the editor works in; its first one, if there are several.
static const char *folder_of(const Server *server, const json_t *params) {
  const json_t *first = json_array_get(js_at(params, "workspaceFolders", NULL), 0);
  const char *uris[] = {js_text(first, "uri"), js_text(params, "rootUri")};
  char here[4096];
  for (int i = 0; i < 2; i++) {
    const char *path = uri_path(uris[i], server->arena);
    if (path && access(path, X_OK) == 0) return path;
  }
  return arena_strdup(server->arena, getcwd(here, sizeof here) ? here : "/");
}

static const json_t *own_settings(const json_t *values) {
  const json_t *own = json_object_get(values, "hgrd");
  return own ? own : values;
}

static void initialize(Server *server, const json_t *id, const json_t *params) {
  if (server->phase != PHASE_NEW) {
    server_refuse(server, id, ERROR_INVALID_REQUEST, "the server is initialized already");
    return;
  }
  server->can = abilities_of(js_at(params, "capabilities", NULL));
  server->folder = folder_of(server, params);
  server->phase = PHASE_RUNNING;
  server_answer(server, id,
                js_make("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(server), "serverInfo", "name",
                        "hgrd-check", "version", server->options->version));
  settings_read(server, own_settings(js_at(params, "initializationOptions", NULL)));
}

static void ask_for_settings(Server *server) {
  if (server->can.configuration)
    server_ask(server, "workspace/configuration", js_make("{s:[{s:s}]}", "items", "section", "hgrd"),
               "settings");
}

static void initialized(Server *server) {
  ask_for_settings(server);
  if (!server->can.watched_files) return;
  static const char *const patterns[] = {"**/compile_commands.json", "**/*.{cuh,h,hpp,hh,inl}",
                                         "**/.hgrd-check"};
  json_t *watchers = js_need(json_array());
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    js_push(watchers, js_make("{s:s}", "globPattern", patterns[i]));
  server_ask(server, "client/registerCapability",
             js_make("{s:[{s:s, s:s, s:{s:o}}]}", "registrations", "id", "hgrd-files", "method",
                     "workspace/didChangeWatchedFiles", "registerOptions", "watchers", watchers),
             "");
}

static void shut_down(Server *server, const json_t *id) {
  checks_end(server);
  documents_close_all(server);
  server->phase = PHASE_SHUT_DOWN;
  server->was_shut_down = true;
  server_answer(server, id, json_null());
}

// ---- requests

static const Request requests[] = {
    {"textDocument/hover", answer_hover, true},
    {"textDocument/codeLens", answer_lenses, true},
    {"textDocument/definition", answer_definition, true},
    {"textDocument/references", answer_references, true},
    {"textDocument/codeAction", answer_actions, false},
    {NULL, NULL, false},
};

static void execute(Server *server, const json_t *id, const json_t *params) {
  const char *command = js_text(params, "command");
  const json_t *argument = json_array_get(js_at(params, "arguments", NULL), 0);
  const char *text = json_string_value(argument);
  if (strcmp(command, "hgrd.tell") == 0 && text) {
    server_show(server, TELL_INFO, "%s", text);
  } else if (strcmp(command, "hgrd.check") == 0) {
    documents_check_all(server);
  } else {
    server_refuse(server, id, ERROR_INVALID_PARAMS,
                  "no such command: there are hgrd.check and hgrd.tell TEXT");
    return;
  }
  server_answer(server, id, json_null());
}

static void take_request(Server *server, const char *method, const json_t *id, const json_t *request) {
  const json_t *params = json_object_get(request, "params");
  const Request *known = request_find(server, method);
  if (strcmp(method, "initialize") == 0) {
    initialize(server, id, params);
  } else if (server->phase == PHASE_NEW) {
    server_refuse(server, id, ERROR_NOT_INITIALIZED, "the first request has to be 'initialize'");
  } else if (server->phase == PHASE_SHUT_DOWN) {
    server_refuse(server, id, ERROR_INVALID_REQUEST, "the server is shut down: only 'exit' may follow");
  } else if (strcmp(method, "shutdown") == 0) {
    shut_down(server, id);
  } else if (strcmp(method, "workspace/executeCommand") == 0) {
    execute(server, id, params);
  } else if (known) {
    Document *document = document_find(server, js_text(js_at(params, "textDocument", NULL), "uri"));
    if (known->waits && document && document_is_pending(document))
      document_wait(document, request);
    else
      request_answer(server, known, request);
  } else {
    Arena *scratch = arena_open();
    server_refuse(server, id, ERROR_NO_METHOD, arena_printf(scratch, "no such request here: '%s'", method));
    arena_close(scratch);
  }
}

// ---- notifications and answers

static void change_settings(Server *server, const json_t *params) {
  const json_t *own = js_at(params, "settings", "hgrd", NULL);
  settings_read(server, own);
  if (server->can.configuration)
    ask_for_settings(server); // checks follow the answer
  else
    documents_check_all(server);
}

static void change_files(Server *server, const json_t *params) {
  (void)params;
  documents_check_all(server); // what none of it concerns comes out of the cache
}

static void cancel_request(Server *server, const json_t *params) {
  documents_cancel_request(server, json_object_get(params, "id"));
}

static void cancel_progress(Server *server, const json_t *params) {
  check_cancel_token(server, json_object_get(params, "token"));
}

static void take_notification(Server *server, const char *method, const json_t *params) {
  static const struct {
    const char *method;
    void (*act)(Server *server, const json_t *params);
  } notifications[] = {{"textDocument/didOpen", document_open},
                       {"textDocument/didChange", document_change},
                       {"textDocument/didSave", document_save},
                       {"textDocument/didClose", document_close},
                       {"workspace/didChangeConfiguration", change_settings},
                       {"workspace/didChangeWatchedFiles", change_files},
                       {"$/cancelRequest", cancel_request},
                       {"window/workDoneProgress/cancel", cancel_progress}};
  if (strcmp(method, "exit") == 0) server->is_ended = true;
  if (server->phase != PHASE_RUNNING) return;
  if (strcmp(method, "initialized") == 0) initialized(server);
  for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
    if (strcmp(notifications[i].method, method) == 0) notifications[i].act(server, params);
}

static void take_answer(Server *server, const char *id, const json_t *message) {
  json_t *asked = json_incref(json_object_get(server->asked, id));
  if (!asked) return;
  json_object_del(server->asked, id);
  const char *method = js_text(asked, "method");
  const json_t *error = json_object_get(message, "error");
  if (strcmp(method, "workspace/configuration") == 0 && !error) {
    settings_read(server, json_array_get(json_object_get(message, "result"), 0));
    documents_check_all(server);
  } else if (strcmp(method, "window/workDoneProgress/create") == 0) {
    check_progress_made(server, js_text(asked, "purpose"), !error);
  } else if (error) {
    server_log(server, TELL_WARNING, "the editor refused %s: %s", method, js_text(error, "message"));
  }
  json_decref(asked);
}

// ---- the stream

static bool is_id(const json_t *id) {
  return json_is_string(id) || json_is_integer(id);
}

static void take_message(Server *server, const char *text, size_t length) {
  json_error_t mistake;
  json_t *message = json_loadb(text, length, JSON_ALLOW_NUL, &mistake);
  const json_t *id = json_object_get(message, "id");
  const char *method = json_string_value(json_object_get(message, "method"));
  Arena *scratch = arena_open();
  if (!message)
    server_refuse(server, NULL, ERROR_PARSE,
                  arena_printf(scratch, "this is no JSON: %s (byte %d)", mistake.text, mistake.position));
  else if (method && is_id(id))
    take_request(server, method, id, message);
  else if (method && !id)
    take_notification(server, method, json_object_get(message, "params"));
  else if (!method && json_is_string(id) &&
           (json_object_get(message, "result") || json_object_get(message, "error")))
    take_answer(server, json_string_value(id), message);
  else
    server_refuse(server, is_id(id) ? id : NULL, ERROR_INVALID_REQUEST,
                  "this is no request, notification or answer: it has no 'method' that is a text, or an 'id' "
                  "of another "
                  "kind");
  arena_close(scratch);
  json_decref(message);
}

static void refuse_long(Server *server, uint64_t length) {
  Arena *scratch = arena_open();
  const char *text =
      arena_printf(scratch, "a message of %llu bytes was passed over: more than %d are not read",
                   (unsigned long long)length, MESSAGE_BYTES_MAX);
  server_refuse(server, NULL, ERROR_INVALID_REQUEST, text);
  if (server->phase == PHASE_RUNNING) server_show_once(server, TELL_ERROR, text);
  arena_close(scratch);
}

static void take_messages(Server *server) {
  const char *text;
  uint64_t length;
  while (!server->is_ended) {
    switch (inbox_next(&server->inbox, &text, &length)) {
    case INBOX_EMPTY: return;
    case INBOX_MESSAGE: take_message(server, text, (size_t)length); break;
    case INBOX_TOO_LONG: refuse_long(server, length); break;
    case INBOX_NO_HEADER:
      server_refuse(server, NULL, ERROR_PARSE,
                    "this is no header: 'Content-Length: N' and an empty line were expected");
      break;
    }
  }
}

// False once the editor is gone.
static bool read_input(Server *server) {
  char buffer[65536];
  ssize_t got = read(server->options->input, buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  inbox_add(&server->inbox, buffer, (size_t)got);
  take_messages(server);
  return true;
}

enum { DESCRIPTORS_MAX = 64 };

// One turn of the loop; false when it is over.
static bool serve(Server *server) {
  struct pollfd polls[DESCRIPTORS_MAX + 2];
  int ends[DESCRIPTORS_MAX];
  int patience = checks_advance(server);
  uint32_t count = checks_descriptors(server, DESCRIPTORS_MAX, ends);
  polls[0] = (struct pollfd){.fd = server->options->input, .events = POLLIN};
  polls[1] = (struct pollfd){.fd = outbox_is_empty(&server->outbox) ? -1 : server->options->output,
                             .events = POLLOUT};
  for (uint32_t i = 0; i < count; i++)
    polls[i + 2] = (struct pollfd){.fd = ends[i], .events = POLLIN};
  if (poll(polls, count + 2, patience) < 0) return errno == EINTR;
  if (polls[1].revents && !outbox_write(&server->outbox, server->options->output)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (polls[i + 2].revents) checks_read(server, ends[i]);
  if (polls[0].revents && !read_input(server)) return false;
  return !server->is_ended;
}

// What was answered before `exit` still goes out, if somebody reads it.
static void write_rest(Server *server) {
  while (!outbox_is_empty(&server->outbox)) {
    struct pollfd one = {.fd = server->options->output, .events = POLLOUT};
    if (poll(&one, 1, 1000) != 1 || !outbox_write(&server->outbox, server->options->output)) return;
  }
}

int lsp_run(const LspOptions *options) {
  ASSERT(options->program && options->version && options->input >= 0 && options->output >= 0);
  Arena *arena = arena_open();
  Server server = {.options = options,
                   .arena = arena,
                   .requests = requests,
                   .folder = "/",
                   .asked = js_need(json_object()),
                   .told = js_need(json_object())};
  settings_default(&server.settings);
  struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGPIPE, &ignored, &before);
  while (serve(&server))
    continue;
  write_rest(&server);
  checks_end(&server);
  documents_close_all(&server);
  sigaction(SIGPIPE, &before, NULL);
  inbox_close(&server.inbox);
  outbox_close(&server.outbox);
  json_decref(server.asked);
  json_decref(server.told);
  arena_close(server.settings.arena);
  arena_close(arena);
  return server.was_shut_down ? 0 : 1;
}
