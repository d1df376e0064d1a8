// What can be done about a finding, as an edit of the text?
//
// A fix that the report has was proved where it was made: it is offered as it is. The fact whose lack the
// finding is (`missingFact`) was tried, too: as an assert at the start of the kernel, in the kernel's own
// words, it holds for every launch. That a finding is meant is said by a comment above its line, whose reason
// the user has to write. Each edit names the version of the text that it is for, so that an editor refuses it
// on any other.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"

#include <ctype.h>
#include <string.h>

typedef struct Offer {
  Server *server;
  Arena *arena;
  Sources *sources;
  const Document *document;
  const json_t *report;
  json_int_t first, last; // lines that are asked about, from 1
  json_t *actions;
} Offer;

// ---- edits

// Edits of several files: from URI to a list.
static void add_edit(const Offer *offer, json_t *files, const char *path, json_t *range, const char *text) {
  const char *uri = sources_uri(offer->sources, path);
  if (!json_object_get(files, uri)) js_put(files, uri, js_need(json_array()));
  js_push(json_object_get(files, uri),
          js_make("{s:o, s:o}", "range", range, "newText", js_string(text, strlen(text))));
}

static json_t *workspace_edit(const Offer *offer, json_t *files) {
  if (!offer->server->can.versioned_edits) return js_make("{s:o}", "changes", files);
  json_t *changes = js_need(json_array());
  for (void *at = json_object_iter(files); at; at = json_object_iter_next(files, at)) {
    const Document *document = document_find(offer->server, json_object_iter_key(at));
    json_t *version = document ? json_integer(document->version) : json_null();
    js_push(changes, js_make("{s:{s:s, s:o}, s:O}", "textDocument", "uri", json_object_iter_key(at),
                             "version", version, "edits", json_object_iter_value(at)));
  }
  json_decref(files);
  return js_make("{s:o}", "documentChanges", changes);
}

static void add_action(const Offer *offer, const char *title, json_t *files, bool is_preferred) {
  json_t *action = js_make("{s:o, s:s, s:o}", "title", js_string(title, strlen(title)), "kind", "quickfix",
                           "edit", workspace_edit(offer, files));
  if (is_preferred) js_put(action, "isPreferred", json_true());
  for (size_t i = 0; i < json_array_size(offer->actions); i++)
    if (json_equal(json_array_get(offer->actions, i), action)) {
      json_decref(action);
      return;
    }
  js_push(offer->actions, action);
}

static json_t *point(const Offer *offer, const char *path, json_int_t line, size_t byte) {
  return sources_range(offer->sources, path, line, byte, byte);
}

static const char *indent_of(const Offer *offer, const char *path, json_int_t line) {
  TextLine text = sources_line(offer->sources, path, line);
  size_t length = 0;
  while (length < text.length && (text.text[length] == ' ' || text.text[length] == '\t'))
    length++;
  return arena_strndup(offer->arena, text.text, length);
}

// ---- the fixes of the report

static json_t *range_of_edit(const Offer *offer, const json_t *edit) {
  const char *path = js_text(edit, "file");
  json_int_t rows[] = {js_number(edit, "startLine", 0), js_number(edit, "endLine", 0)};
  json_int_t columns[] = {js_number(edit, "startColumn", 0), js_number(edit, "endColumn", 0)};
  if (!path[0] || rows[0] < 1 || rows[1] < rows[0] || columns[0] < 1 || columns[1] < 1) return NULL;
  json_t *ends[2];
  for (int i = 0; i < 2; i++) {
    json_t *range = point(offer, path, rows[i], (size_t)columns[i] - 1);
    ends[i] = js_need(json_incref(json_object_get(range, "start")));
    json_decref(range);
  }
  return js_make("{s:o, s:o}", "start", ends[0], "end", ends[1]);
}

static void offer_fix(const Offer *offer, const json_t *fix) {
  const json_t *edits = json_object_get(fix, "edits");
  json_t *files = js_need(json_object());
  bool is_whole = json_array_size(edits) > 0;
  for (size_t i = 0; i < json_array_size(edits); i++) {
    const json_t *edit = json_array_get(edits, i);
    json_t *range = range_of_edit(offer, edit);
    if (range)
      add_edit(offer, files, js_text(edit, "file"), range, js_text(edit, "text"));
    else
      is_whole = false;
  }
  if (is_whole)
    add_action(offer, arena_printf(offer->arena, "hgrd: %s", js_text(fix, "title")), files, true);
  else
    json_decref(files);
}

// ---- a fact

// An expression of the kernel's own names, not a description.
static bool is_expression(const char *text) {
  static const char allowed[] = "_.<>=!&|+-*/%()[]: ";
  bool has_relation = strpbrk(text, "<>=%") != NULL;
  for (const char *at = text; *at; at++) {
    bool is_word = isalnum((unsigned char)*at) || *at == '_';
    bool parts_words =
        *at == ' ' && at > text && isalpha((unsigned char)at[1]) && isalnum((unsigned char)at[-1]);
    if ((!is_word && !strchr(allowed, *at)) || parts_words) return false;
  }
  return has_relation;
}

typedef struct Cursor {
  json_int_t line;
  size_t byte;
} Cursor;

// Behind the `{` of the function whose name stands in the line: the first one outside of brackets and
// comments; false if a `;` comes first.
static bool find_body(const Offer *offer, const char *path, json_int_t line, Cursor *body) {
  enum { LINES = 64 };
  int depth = 0;
  bool is_comment = false;
  for (json_int_t row = line; row < line + LINES; row++) {
    TextLine text = sources_line(offer->sources, path, row);
    for (size_t i = 0; i < text.length; i++) {
      bool has_next = i + 1 < text.length;
      char c = text.text[i], next = has_next ? text.text[i + 1] : ' ';
      if (is_comment) {
        is_comment = !(c == '*' && next == '/');
        i += !is_comment;
        continue;
      }
      if (c == '/' && next == '/') break;
      is_comment = c == '/' && next == '*';
      depth += (c == '(') - (c == ')');
      if (depth == 0 && c == ';') return false;
      *body = (Cursor){row, i + 1};
      if (depth == 0 && c == '{') return true;
    }
  }
  return false;
}

static bool has_assert_header(const Offer *offer, const char *path, json_int_t *first_include) {
  size_t count = 0;
  *first_include = 1;
  const Document *document = document_of_path(offer->server, sources_path(offer->sources, path));
  if (!document) return true; // who knows: the edit says only what is asked for
  for (size_t i = 0; i < document->length; i++)
    count += document->text[i] == '\n';
  for (json_int_t row = (json_int_t)count + 1; row >= 1; row--) {
    TextLine line = sources_line(offer->sources, path, row);
    const char *text = arena_strndup(offer->arena, line.text, line.length), *at = text + strspn(text, " \t");
    if (*at != '#' || !str_starts_with(at + 1 + strspn(at + 1, " \t"), "include")) continue;
    if (strstr(at, "<cassert>") || strstr(at, "<assert.h>")) return true;
    *first_include = row;
  }
  return false;
}

static void offer_assert(const Offer *offer, const json_t *kernel, const char *condition) {
  const char *path = js_text(kernel, "file");
  Cursor body;
  json_int_t include;
  if (!is_expression(condition) || !find_body(offer, path, js_number(kernel, "line", 0), &body)) return;
  json_t *files = js_need(json_object());
  const char *indent = indent_of(offer, path, body.line);
  if (!has_assert_header(offer, path, &include))
    add_edit(offer, files, path, point(offer, path, include, 0), "#include <cassert>\n");
  add_edit(offer, files, path, point(offer, path, body.line, body.byte),
           arena_printf(offer->arena, "\n%s  assert(%s);", indent, condition));
  add_action(offer, arena_printf(offer->arena, "hgrd: assert that %s", condition), files, false);
}

static const json_t *kernel_of(const Offer *offer, const json_t *finding) {
  const json_t *kernels = json_object_get(offer->report, "kernels");
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    const json_t *kernel = json_array_get(kernels, i);
    if (strcmp(js_text(kernel, "name"), js_text(finding, "kernel")) == 0 && place_is_known(kernel))
      return kernel;
  }
  return NULL;
}

static void offer_fact(const Offer *offer, const json_t *finding) {
  const json_t *fact = json_object_get(finding, "missingFact"), *kernel = kernel_of(offer, finding);
  if (!kernel || !json_is_object(fact)) return;
  if (js_text(fact, "weaker")[0]) offer_assert(offer, kernel, js_text(fact, "weaker"));
  offer_assert(offer, kernel, js_text(fact, "condition"));
}

// ---- it is meant

static void offer_suppression(const Offer *offer, const json_t *finding, const json_t *access) {
  const char *path = js_text(access, "file"), *rule = js_text(finding, "rule");
  json_int_t line = js_number(access, "line", 1);
  json_t *files = js_need(json_object());
  add_edit(offer, files, path, point(offer, path, line, 0),
           arena_printf(offer->arena, "%s// hgrd-suppress(%s): TODO: say why this is meant\n",
                        indent_of(offer, path, line), rule));
  add_action(offer, arena_printf(offer->arena, "hgrd: this is meant: suppress %s here, with a reason", rule),
             files, false);
}

// ---- all of them

static const json_t *access_asked_for(const Offer *offer, const json_t *finding) {
  const json_t *accesses = json_object_get(finding, "accesses");
  for (size_t i = 0; i < json_array_size(accesses); i++) {
    const json_t *access = json_array_get(accesses, i);
    json_int_t line = js_number(access, "line", 0);
    if (place_is_known(access) && line >= offer->first && line <= offer->last && offer->document->path &&
        strcmp(sources_path(offer->sources, js_text(access, "file")), offer->document->path) == 0)
      return access;
  }
  return NULL;
}

static void offer_for(const Offer *offer, const json_t *finding) {
  const json_t *access = access_asked_for(offer, finding), *fixes = json_object_get(finding, "fixes");
  if (!access) return;
  for (size_t i = 0; i < json_array_size(fixes); i++)
    offer_fix(offer, json_array_get(fixes, i));
  offer_fact(offer, finding);
  offer_suppression(offer, finding, access);
}

static bool wants_fixes(const json_t *context) {
  const json_t *only = json_object_get(context, "only");
  if (!json_is_array(only)) return true;
  for (size_t i = 0; i < json_array_size(only); i++) {
    const char *kind = json_string_value(json_array_get(only, i));
    if (kind && (strcmp(kind, "quickfix") == 0 || kind[0] == '\0')) return true;
  }
  return false;
}

json_t *answer_actions(Server *server, const json_t *params) {
  const json_t *range = json_object_get(params, "range");
  Arena *arena = arena_open();
  Offer offer = {.server = server,
                 .arena = arena,
                 .sources = sources_open(server, arena),
                 .document = document_find(server, js_text(js_at(params, "textDocument", NULL), "uri")),
                 .first = js_uinteger(js_at(range, "start", NULL), "line", -2) + 1,
                 .last = js_uinteger(js_at(range, "end", NULL), "line", -2) + 1,
                 .actions = js_need(json_array())};
  bool is_wanted =
      offer.document && server->can.literal_actions && wants_fixes(js_at(params, "context", NULL));
  for (uint32_t d = 0; is_wanted && d < server->documents.count; d++) {
    offer.report = server->documents.items[d]->report;
    const json_t *findings = json_object_get(offer.report, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++)
      offer_for(&offer, json_array_get(findings, i));
  }
  arena_close(arena);
  return offer.actions;
}
