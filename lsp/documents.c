// Which texts does the editor hold, and what is known of each?
//
// Every text that the server sees gets an edition, a number that never comes again; whatever was found out
// about an older one is dropped the moment a newer one comes, so that nothing stale can be shown. A header's
// text bears on every file that may include it: all reports go with it, those of files that it has no bearing
// on come back out of the cache. Texts are taken whole with every change (TextDocumentSyncKind.Full): a
// server that applies edits can lose step with its editor.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "lsp/internal.h"
#include "core/bug.h"
#include "core/path.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- which

Document *document_find(const Server *server, const char *uri) {
  ASSERT(uri);
  for (uint32_t i = 0; i < server->documents.count; i++)
    if (strcmp(server->documents.items[i]->uri, uri) == 0) return server->documents.items[i];
  return NULL;
}

Document *document_of_path(const Server *server, const char *path) {
  ASSERT(path);
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    if (document->path && strcmp(document->path, path) == 0) return document;
  }
  return NULL;
}

static bool has_ending(const char *path, const char *const *endings) {
  for (int i = 0; path && endings[i]; i++)
    if (str_ends_with(path, endings[i])) return true;
  return false;
}

bool document_is_unit(const Document *document) {
  static const char *const endings[] = {".cu", NULL};
  return has_ending(document->path, endings);
}

static bool is_host_source(const Document *document) {
  static const char *const endings[] = {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".c", NULL};
  return has_ending(document->path, endings);
}

static bool has_word(const Document *document, const char *word) {
  return memmem(document->text, document->length, word, strlen(word)) != NULL;
}

static bool is_path_of(const Server *server, const Document *document, const char *path) {
  Arena *scratch = arena_open();
  bool is_same = document->path && strcmp(path_plain(server->folder, path, scratch), document->path) == 0;
  arena_close(scratch);
  return is_same;
}

// Does a report of another file speak of kernels in this one? Then it is checked there.
static bool is_covered(const Server *server, const Document *header) {
  for (uint32_t i = 0; i < server->documents.count; i++) {
    const Document *other = server->documents.items[i];
    const json_t *kernels = other != header ? json_object_get(other->report, "kernels") : NULL;
    for (size_t k = 0; k < json_array_size(kernels); k++)
      if (is_path_of(server, header, js_text(json_array_get(kernels, k), "file"))) return true;
  }
  return false;
}

bool document_is_checked(const Server *server, const Document *document) {
  if (!document->path || access(document->path, R_OK) != 0) return false;
  if (document_is_unit(document)) return true;
  return !is_host_source(document) && has_word(document, "__global__") && !is_covered(server, document);
}

bool document_is_fresh(const Document *document) {
  return document->report != NULL;
}

bool document_is_pending(const Document *document) {
  return !document->report && (document->due > 0 || document->check);
}

// ---- what is known

void document_forget_report(Document *document) {
  ASSERT(document->arena != NULL);
  json_decref(document->report);
  document->report = NULL;
}

// Nothing of it is true any more of what the editor holds.
static void outdate(Server *server, Document *document, double due) {
  document_forget_report(document);
  if (document->check) check_cancel(server, document->check);
  document->due = due;
  document->wants_fixes = false;
}

static bool bears_on_others(const Server *server, const Document *document) {
  bool is_named = false;
  for (uint32_t i = 0; i < server->settings.program_files.count; i++)
    is_named |= is_path_of(server, document, server->settings.program_files.items[i]);
  return is_named || (document->path && !document_is_unit(document) && !is_host_source(document));
}

// What hangs on the text of `document` is to be found out again.
static void outdate_all(Server *server, Document *document, double due) {
  bool is_of_others = bears_on_others(server, document);
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *other = server->documents.items[i];
    if (other != document && !is_of_others) continue;
    document_refuse_waiting(server, other, ERROR_CONTENT_MODIFIED, "the text was changed");
    outdate(server, other, document_is_checked(server, other) ? due : 0);
  }
}

void documents_check_all(Server *server) {
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    outdate(server, document, document_is_checked(server, document) ? server_now() : 0);
  }
}

static void drop_diagnostics(Server *server, Document *document) {
  json_t *files = document->diagnostics;
  document->diagnostics = js_need(json_object());
  findings_publish(server, files);
  json_decref(files);
}

void documents_cover_headers(Server *server) {
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    if (document_is_unit(document) || !document->report || document_is_checked(server, document)) continue;
    outdate(server, document, 0);
    drop_diagnostics(server, document);
  }
}

// Headers that are covered no longer are checked by themselves again.
static void uncover_headers(Server *server) {
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    bool is_idle = !document->report && !document_is_pending(document);
    if (!document_is_unit(document) && is_idle && document_is_checked(server, document))
      document->due = server_now();
  }
}

int document_text_file(Document *document) {
  ASSERT(document->path != NULL);
  if (document->text_file >= 0) return document->text_file;
  int file = memfd_create("hgrd-text", MFD_CLOEXEC);
  for (size_t done = 0; file >= 0 && done < document->length;) {
    ssize_t put = write(file, document->text + done, document->length - done);
    if (put <= 0) {
      close(file);
      file = -1;
    }
    done += put > 0 ? (size_t)put : 0;
  }
  return document->text_file = file;
}

// ---- what the editor says

static void set_text(Server *server, Document *document, const json_t *text) {
  arena_close(document->text_arena);
  if (document->text_file >= 0) close(document->text_file);
  document->text_arena = arena_open();
  document->length = json_string_length(text);
  document->text = arena_copy(document->text_arena, json_string_value(text), document->length + 1);
  document->text_file = -1;
  document->edition = ++server->editions;
}

static const json_t *document_of(const json_t *params) {
  return js_at(params, "textDocument", NULL);
}

static void drop(Server *server, Document *document) {
  document_refuse_waiting(server, document, ERROR_CONTENT_MODIFIED, "the document was closed");
  outdate(server, document, 0);
  if (document->text_file >= 0) close(document->text_file);
  json_decref(document->waiting);
  json_decref(document->diagnostics);
  arena_close(document->text_arena);
  arena_close(document->arena);
}

static Document *make(Server *server, const char *uri) {
  Arena *arena = arena_open();
  Document *document = arena_new(arena, Document);
  *document = (Document){.arena = arena,
                         .uri = arena_strdup(arena, uri),
                         .path = uri_path(uri, arena),
                         .text_file = -1,
                         .diagnostics = js_need(json_object()),
                         .waiting = js_need(json_array())};
  vec_push(server->arena, &server->documents, document);
  return document;
}

void document_open(Server *server, const json_t *params) {
  const json_t *opened = document_of(params), *text = js_at(opened, "text", NULL);
  const char *uri = js_text(opened, "uri");
  if (!uri[0] || !json_is_string(text)) {
    server_log(server, TELL_WARNING, "textDocument/didOpen names no document with a text");
    return;
  }
  Document *document = document_find(server, uri);
  if (!document) document = make(server, uri);
  set_text(server, document, text);
  document->version = js_number(opened, "version", 0);
  document->is_saved = true;
  if (!document->path)
    server_log(server, TELL_INFO, "%s is no file of this machine: it is not checked", uri);
  else if (access(document->path, R_OK) != 0)
    server_log(server, TELL_INFO, "%s is not on the disk: it is checked once it is saved", document->path);
  outdate_all(server, document, server_now());
}

void document_change(Server *server, const json_t *params) {
  const json_t *changes = js_at(params, "contentChanges", NULL);
  const json_t *last = json_array_get(changes, json_array_size(changes) - 1),
               *text = js_at(last, "text", NULL);
  Document *document = document_find(server, js_text(document_of(params), "uri"));
  if (!document || !json_is_string(text) || js_at(last, "range", NULL)) {
    server_log(server, TELL_WARNING, "textDocument/didChange: %s",
               document ? "whole texts are asked for, and this is none" : "the document is not open");
    return;
  }
  set_text(server, document, text);
  document->version = js_number(document_of(params), "version", document->version + 1);
  document->is_saved = false;
  double pause = server->settings.delay_milliseconds * 1e-3;
  outdate_all(server, document, server_now() + pause);
  if (server->settings.check_on == CHECK_ON_SAVE)
    for (uint32_t i = 0; i < server->documents.count; i++)
      if (!server->documents.items[i]->is_saved) server->documents.items[i]->due = 0;
}

// A check that is under way, or a look for fixes, stands for nothing if the database is another one by now.
static void check_if_not_known(Server *server, Document *document) {
  bool has_news = check_has_new_database(server, document);
  if (!has_news && (document->check || document_is_fresh(document))) return;
  if (document->check) check_cancel(server, document->check);
  document->due = server_now();
}

// Where the text was checked already, as it was typed, there is nothing more to do.
void document_save(Server *server, const json_t *params) {
  Document *document = document_find(server, js_text(document_of(params), "uri"));
  const json_t *text = js_at(params, "text", NULL);
  if (!document) return;
  bool is_new =
      json_is_string(text) && (json_string_length(text) != document->length ||
                               memcmp(json_string_value(text), document->text, document->length) != 0);
  if (is_new) set_text(server, document, text);
  document->is_saved = true;
  if (is_new) outdate_all(server, document, server_now());
  bool is_of_others = bears_on_others(server, document);
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *other = server->documents.items[i];
    bool is_meant = other == document || is_of_others;
    if (is_meant && document_is_checked(server, other)) check_if_not_known(server, other);
  }
}

void document_close(Server *server, const json_t *params) {
  const char *uri = js_text(document_of(params), "uri");
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    if (strcmp(document->uri, uri) != 0) continue;
    bool is_of_others = bears_on_others(server, document) && !document->is_saved;
    json_t *files = json_incref(document->diagnostics);
    for (uint32_t k = i + 1; k < server->documents.count; k++)
      server->documents.items[k - 1] = server->documents.items[k];
    server->documents.count--;
    drop(server, document);
    findings_publish(server, files);
    json_decref(files);
    if (is_of_others) documents_check_all(server); // the text of the disk counts again
    uncover_headers(server);
    return;
  }
}

void documents_close_all(Server *server) {
  for (uint32_t i = 0; i < server->documents.count; i++)
    drop(server, server->documents.items[i]);
  server->documents.count = 0;
}

// ---- requests that wait for a report

void document_wait(Document *document, const json_t *request) {
  js_push(document->waiting, json_deep_copy(request));
}

void document_refuse_waiting(Server *server, Document *document, int code, const char *why) {
  ASSERT(why);
  for (size_t i = 0; i < json_array_size(document->waiting); i++)
    server_refuse(server, json_object_get(json_array_get(document->waiting, i), "id"), code, why);
  json_array_clear(document->waiting);
}

bool documents_cancel_request(Server *server, const json_t *id) {
  for (uint32_t d = 0; d < server->documents.count; d++) {
    json_t *waiting = server->documents.items[d]->waiting;
    for (size_t i = 0; i < json_array_size(waiting); i++) {
      if (!json_equal(json_object_get(json_array_get(waiting, i), "id"), id)) continue;
      server_refuse(server, id, ERROR_CANCELLED, "cancelled");
      json_array_remove(waiting, i);
      return true;
    }
  }
  return false;
}
