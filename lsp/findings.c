// How does a report become diagnostics?
//
// A finding stands at its first access; the other one, the calls that lead to either, the launch, the witness
// and the notes are its related information, or lines of its message where the editor shows none. A kernel
// that is undecided stands at its name. What clang says of a file that does not compile stands where clang
// says it. A file may get diagnostics from the checks of several documents (a kernel in a header): all are
// published together, each finding once.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"
#include "core/bug.h"
#include "core/path.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };
enum { TAG_UNNECESSARY = 1, SOURCE_BYTES_MAX = 64 << 20, CLANG_ERRORS_MAX = 20 };

// ---- sources

typedef struct SourceFile {
  const char *path; // plain
  TextLines lines;
} SourceFile;

struct Sources {
  const Server *server;
  Arena *arena;
  VEC(SourceFile) files;
};

Sources *sources_open(const Server *server, Arena *arena) {
  Sources *sources = arena_new(arena, Sources);
  *sources = (Sources){.server = server, .arena = arena};
  return sources;
}

const char *sources_path(const Sources *sources, const char *path) {
  ASSERT(path);
  return path_plain(sources->server->folder, path, sources->arena);
}

const char *sources_uri(const Sources *sources, const char *path) {
  ASSERT(path);
  const char *plain = sources_path(sources, path);
  const Document *document = document_of_path(sources->server, plain);
  return document ? document->uri : path_uri(plain, sources->arena);
}

// "" if it cannot be read: places are then the columns of the report.
static const char *read_file(const char *path, Arena *arena, size_t *length) {
  StrBuf text = {.arena = arena};
  struct stat info;
  char buffer[65536];
  ssize_t got = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_readable = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  while (is_readable && text.length < SOURCE_BYTES_MAX && (got = read(file, buffer, sizeof buffer)) > 0)
    strbuf_add_n(&text, buffer, (size_t)got);
  if (file >= 0) close(file);
  *length = text.length;
  return strbuf_text(&text);
}

static const SourceFile *source_file(Sources *sources, const char *path) {
  const char *plain = sources_path(sources, path);
  for (uint32_t i = 0; i < sources->files.count; i++)
    if (strcmp(sources->files.items[i].path, plain) == 0) return &sources->files.items[i];
  const Document *document = document_of_path(sources->server, plain);
  size_t length = document ? document->length : 0;
  const char *text = document ? document->text : read_file(plain, sources->arena, &length);
  SourceFile file = {.path = plain};
  text_split(text, length, sources->arena, &file.lines);
  vec_push(sources->arena, &sources->files, file);
  return &vec_last(&sources->files);
}

TextLine sources_line(Sources *sources, const char *path, json_int_t line) {
  ASSERT(path);
  const SourceFile *file = source_file(sources, path);
  if (line < 1 || line > (json_int_t)file->lines.lines.count) return (TextLine){"", 0};
  return file->lines.lines.items[line - 1];
}

json_t *sources_range(Sources *sources, const char *path, json_int_t line, size_t first, size_t end) {
  ASSERT(path);
  TextLine text = sources_line(sources, path, line);
  TextUnits units = sources->server->can.units;
  json_int_t row = line > 0 ? line - 1 : 0;
  return js_make("{s:{s:I, s:I}, s:{s:I, s:I}}", "start", "line", row, "character",
                 (json_int_t)text_units(text, first, units), "end", "line", row, "character",
                 (json_int_t)text_units(text, end, units));
}

bool place_is_known(const json_t *place) {
  return js_text(place, "file")[0] && js_number(place, "line", 0) > 0;
}

static size_t column_of(const json_t *place, size_t index, size_t otherwise) {
  const json_t *range = json_object_get(place, "range");
  json_int_t column = json_is_array(range) ? json_integer_value(json_array_get(range, index)) : 0;
  return column > 0 ? (size_t)column - 1 : otherwise;
}

static bool is_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

json_t *place_range(Sources *sources, const json_t *place) {
  const char *path = js_text(place, "file");
  json_int_t row = js_number(place, "line", 1), column = js_number(place, "column", 0);
  TextLine line = sources_line(sources, path, row);
  size_t first = 0;
  while (first < line.length && (line.text[first] == ' ' || line.text[first] == '\t'))
    first++;
  size_t end = line.length;
  if (column > 0 && (size_t)column <= line.length) {
    first = end = (size_t)column - 1;
    while (end < line.length && is_of_word(line.text[end]))
      end++;
    if (end == first) end++;
  }
  first = column_of(place, 0, first);
  return sources_range(sources, path, row, first, column_of(place, 1, end));
}

json_t *place_location(Sources *sources, const json_t *place) {
  return js_make("{s:s, s:o}", "uri", sources_uri(sources, js_text(place, "file")), "range",
                 place_range(sources, place));
}

// The name without template arguments and scopes, where it stands in the line as a word.
json_t *kernel_range(Sources *sources, const json_t *kernel) {
  const char *name = js_text(kernel, "name"), *path = js_text(kernel, "file");
  json_int_t row = js_number(kernel, "line", 1);
  TextLine line = sources_line(sources, path, row);
  size_t end = strcspn(name, "<("), start = end;
  while (start > 0 && is_of_word(name[start - 1]))
    start--;
  size_t length = end - start;
  for (size_t at = 0; length > 0 && at + length <= line.length; at++) {
    bool is_whole = (at == 0 || !is_of_word(line.text[at - 1])) &&
                    (at + length == line.length || !is_of_word(line.text[at + length]));
    if (is_whole && memcmp(line.text + at, name + start, length) == 0)
      return sources_range(sources, path, row, at, at + length);
  }
  return place_range(sources, kernel);
}

// ---- findings

typedef struct Writer {
  Server *server;
  Sources *sources;
  const json_t *report;
  Document *document;
  json_t *files; // from URI to diagnostics
} Writer;

typedef struct Related {
  Writer *writer;
  const json_t *anchor; // the place of what has none
  json_t *list;
  StrBuf text; // the same as lines of the message
} Related;

static void add_related(Related *related, const json_t *place, const char *text) {
  Sources *sources = related->writer->sources;
  bool is_placed = place_is_known(place);
  const json_t *where = is_placed ? place : related->anchor;
  js_push(related->list, js_make("{s:o, s:o}", "location", place_location(sources, where), "message",
                                 js_string(text, strlen(text))));
  strbuf_printf(&related->text, "\n%s", text);
  if (is_placed)
    strbuf_printf(&related->text, " (%s:%lld)", js_text(place, "file"),
                  (long long)js_number(place, "line", 0));
}

static void add_inlining(Related *related, const json_t *access) {
  const json_t *calls = json_object_get(access, "inlinedAt");
  for (size_t i = 0; i < json_array_size(calls); i++) {
    const json_t *call = json_array_get(calls, i);
    add_related(
        related, call,
        arena_printf(related->writer->sources->arena, "'%s' is called here", js_text(call, "callee")));
  }
}

static void add_triple(StrBuf *out, const json_t *values) {
  strbuf_printf(out, "(%lld,%lld,%lld)", (long long)json_integer_value(json_array_get(values, 0)),
                (long long)json_integer_value(json_array_get(values, 1)),
                (long long)json_integer_value(json_array_get(values, 2)));
}

static void add_values(StrBuf *out, const char *lead, const json_t *values) {
  for (size_t i = 0; i < json_array_size(values); i++) {
    const json_t *value = json_array_get(values, i);
    strbuf_printf(out, "%s%s = %lld", i ? ", " : lead, js_text(value, "name"),
                  (long long)js_number(value, "value", 0));
  }
}

const char *finding_witness(const json_t *finding, Arena *arena) {
  const json_t *witness = json_object_get(finding, "witness"), *threads = json_object_get(witness, "threads");
  StrBuf out = {.arena = arena};
  if (!json_is_object(witness)) return "";
  strbuf_add(&out, "witness: grid ");
  add_triple(&out, json_object_get(witness, "grid"));
  strbuf_add(&out, ", block ");
  add_triple(&out, json_object_get(witness, "block"));
  for (size_t i = 0; i < json_array_size(threads); i++) {
    const json_t *thread = json_array_get(threads, i);
    strbuf_add(&out, i ? " and thread " : "; thread ");
    add_triple(&out, json_object_get(thread, "thread"));
    strbuf_add(&out, " of block ");
    add_triple(&out, json_object_get(thread, "block"));
    add_values(&out, " with ", json_object_get(thread, "iterations"));
  }
  if (js_text(witness, "address")[0]) strbuf_printf(&out, " both at %s", js_text(witness, "address"));
  add_values(&out, "; host values ", json_object_get(witness, "values"));
  add_values(&out, "; in memory ", json_object_get(witness, "memory"));
  return strbuf_text(&out);
}

static void add_missing_fact(Related *related, const json_t *finding) {
  const json_t *fact = json_object_get(finding, "missingFact");
  const char *weaker = js_text(fact, "weaker");
  if (!json_is_object(fact)) return;
  add_related(related, json_object_get(finding, "launch"),
              arena_printf(related->writer->sources->arena, "would be race-free if %s%s%s%s",
                           js_text(fact, "condition"), weaker[0] ? " (" : "", weaker,
                           weaker[0] ? " is enough)" : ""));
}

static void add_all_related(Related *related, const json_t *finding) {
  Arena *arena = related->writer->sources->arena;
  const json_t *accesses = json_object_get(finding, "accesses"), *notes = json_object_get(finding, "notes");
  const json_t *other = json_array_get(accesses, 1), *launch = json_object_get(finding, "launch");
  add_inlining(related, related->anchor);
  if (place_is_known(other))
    add_related(related, other, arena_printf(arena, "the other access: %s", js_text(other, "kind")));
  add_inlining(related, other);
  if (place_is_known(launch))
    add_related(related, launch, arena_printf(arena, "launched here: %s", js_text(launch, "text")));
  const char *witness = finding_witness(finding, arena);
  if (witness[0]) add_related(related, NULL, witness);
  add_missing_fact(related, finding);
  for (size_t i = 0; i < json_array_size(notes); i++)
    add_related(related, json_array_get(notes, i), js_text(json_array_get(notes, i), "text"));
}

static json_t *diagnostics_of(Writer *writer, const char *path) {
  const char *uri = sources_uri(writer->sources, path);
  json_t *array = json_object_get(writer->files, uri);
  if (array) return array;
  js_put(writer->files, uri, js_need(json_array()));
  return json_object_get(writer->files, uri);
}

static json_t *add_diagnostic(Writer *writer, const char *path, json_t *range, int severity,
                              const char *message) {
  json_t *made = js_make("{s:o, s:i, s:s, s:o}", "range", range, "severity", severity, "source", "hgrd",
                         "message", js_string(message, strlen(message)));
  js_push(diagnostics_of(writer, path), made);
  return made;
}

static void attach_related(Writer *writer, json_t *diagnostic, Related *related) {
  const char *message = js_text(diagnostic, "message");
  if (writer->server->can.related) {
    js_put(diagnostic, "relatedInformation", related->list);
    return;
  }
  json_decref(related->list);
  const char *whole = arena_printf(writer->sources->arena, "%s%s", message, strbuf_text(&related->text));
  js_put(diagnostic, "message", js_string(whole, strlen(whole)));
}

static Related related_of(Writer *writer, const json_t *anchor) {
  return (Related){.writer = writer,
                   .anchor = anchor,
                   .list = js_need(json_array()),
                   .text.arena = writer->sources->arena};
}

static int severity_of(const char *level) {
  if (strcmp(level, "error") == 0) return SEVERITY_ERROR;
  return strcmp(level, "warning") == 0 ? SEVERITY_WARNING : SEVERITY_INFORMATION;
}

static const char *docs_url(const Server *server) {
  for (uint32_t i = 0; i < server->settings.arguments.count; i++)
    if (str_starts_with(server->settings.arguments.items[i], "--docs-url="))
      return server->settings.arguments.items[i] + strlen("--docs-url=");
  return NULL;
}

static void add_code(Writer *writer, json_t *diagnostic, const json_t *finding) {
  const char *url = docs_url(writer->server), *rule = js_text(finding, "rule");
  js_put(diagnostic, "code", js_string(rule, strlen(rule)));
  if (url && writer->server->can.code_descriptions)
    js_put(diagnostic, "codeDescription",
           js_make("{s:s}", "href", arena_printf(writer->sources->arena, "%s/rules/%s.html", url, rule)));
}

static void add_finding(Writer *writer, const json_t *finding) {
  const json_t *first = json_array_get(json_object_get(finding, "accesses"), 0);
  if (!place_is_known(first)) first = json_object_get(finding, "launch");
  if (!place_is_known(first)) return; // the kernel's verdict tells of it
  bool is_sure = strcmp(js_text(finding, "certainty"), "possible") != 0;
  const char *message =
      arena_printf(writer->sources->arena, "%s%s", is_sure ? "" : "possible: ", js_text(finding, "message"));
  json_t *made = add_diagnostic(writer, js_text(first, "file"), place_range(writer->sources, first),
                                severity_of(js_text(finding, "level")), message);
  Related related = related_of(writer, first);
  add_code(writer, made, finding);
  add_all_related(&related, finding);
  attach_related(writer, made, &related);
  js_put(made, "data", js_make("{s:s}", "fingerprint", js_text(finding, "fingerprint")));
}

// ---- what else a report tells

static void add_undecided(Writer *writer, const json_t *kernel) {
  const json_t *reasons = json_object_get(kernel, "undecided");
  Arena *arena = writer->sources->arena;
  size_t count = json_array_size(reasons);
  if (strcmp(js_text(kernel, "verdict"), "undecided") != 0 || !place_is_known(kernel)) return;
  const char *why = js_text(json_array_get(reasons, 0), "reason");
  const char *more = count > 1 ? arena_printf(arena, " (and %zu more)", count - 1) : "";
  json_t *made = add_diagnostic(
      writer, js_text(kernel, "file"), kernel_range(writer->sources, kernel),
      writer->server->settings.undecided_severity,
      arena_printf(arena, "kernel '%s' is undecided: %s%s", js_text(kernel, "name"), why, more));
  Related related = related_of(writer, kernel);
  js_put(made, "code", js_make("s", "undecided"));
  for (size_t i = 0; i < count; i++)
    add_related(&related, json_array_get(reasons, i), js_text(json_array_get(reasons, i), "reason"));
  attach_related(writer, made, &related);
}

// "PATH:LINE:COLUMN: error: TEXT", as clang writes. The end of the line is that of `line`.
static bool add_clang_error(Writer *writer, const char *line) {
  static const char *const marks[] = {": error: ", ": fatal error: "};
  const char *mark = NULL, *text = NULL;
  for (size_t i = 0; i < 2 && !mark; i++)
    if ((mark = strstr(line, marks[i])) != NULL) text = mark + strlen(marks[i]);
  const char *at = mark;
  for (int colons = 0; at && at > line && colons < 2; colons += *at == ':')
    at--;
  if (!mark || at == line || *at != ':') return false;
  char *end;
  long row = strtol(at + 1, &end, 10), column = *end == ':' ? strtol(end + 1, NULL, 10) : 0;
  if (row < 1 || column < 1) return false;
  Arena *arena = writer->sources->arena;
  const char *path = arena_strndup(arena, line, (size_t)(at - line));
  json_t *place = js_make("{s:o, s:i, s:i}", "file", js_string(path, strlen(path)), "line", (int)row,
                          "column", (int)column);
  json_t *made = add_diagnostic(writer, path, place_range(writer->sources, place), SEVERITY_ERROR, text);
  js_put(made, "code", js_make("s", "does-not-compile"));
  json_decref(place);
  return true;
}

static uint32_t add_clang_errors(Writer *writer, const char *detail) {
  uint32_t count = 0;
  for (const char *line = detail; *line && count < CLANG_ERRORS_MAX;) {
    size_t length = strcspn(line, "\n");
    count += add_clang_error(writer, arena_strndup(writer->sources->arena, line, length));
    line += length + (line[length] != '\0');
  }
  return count;
}

// A header that does not compile by itself is none of a mistake: it is for others to include.
static void add_message(Writer *writer, const json_t *message) {
  const char *severity = js_text(message, "severity"), *text = js_text(message, "message");
  bool is_error = strcmp(severity, "error") == 0, is_told = is_error || strcmp(severity, "warning") == 0;
  if (!is_told || !document_is_unit(writer->document)) {
    server_log(writer->server, TELL_LOG, "%s: %s: %s", writer->document->path, severity, text);
    return;
  }
  if (is_error && add_clang_errors(writer, js_text(message, "detail"))) return;
  bool is_placed = place_is_known(message);
  const char *path = is_placed ? js_text(message, "file") : writer->document->path;
  json_t *range =
      is_placed ? place_range(writer->sources, message) : sources_range(writer->sources, path, 1, 0, 0);
  json_t *made = add_diagnostic(writer, path, range, is_error ? SEVERITY_ERROR : SEVERITY_WARNING, text);
  js_put(made, "code", js_make("s", "run"));
}

static void add_stale(Writer *writer, const json_t *stale) {
  if (!place_is_known(stale)) return;
  json_t *made = add_diagnostic(writer, js_text(stale, "file"), place_range(writer->sources, stale),
                                SEVERITY_HINT, js_text(stale, "message"));
  js_put(made, "code", js_make("s", "stale"));
  js_put(made, "tags", js_make("[i]", TAG_UNNECESSARY));
}

static void add_each(Writer *writer, const char *key, void (*add)(Writer *writer, const json_t *item)) {
  const json_t *items = json_object_get(writer->report, key);
  for (size_t i = 0; i < json_array_size(items); i++)
    add(writer, json_array_get(items, i));
}

json_t *findings_diagnostics(Server *server, Document *document, Sources *sources) {
  Writer writer = {server, sources, document->report, document, js_need(json_object())};
  add_each(&writer, "findings", add_finding);
  if (server->settings.undecided_severity) add_each(&writer, "kernels", add_undecided);
  add_each(&writer, "messages", add_message);
  add_each(&writer, "stale", add_stale);
  return writer.files;
}

// ---- publishing

// The same finding, or word for word the same.
static bool is_same(const json_t *a, const json_t *b) {
  const char *one = js_text(json_object_get(a, "data"), "fingerprint");
  const char *other = js_text(json_object_get(b, "data"), "fingerprint");
  return one[0] ? strcmp(one, other) == 0 : json_equal(a, b);
}

static bool is_in(const json_t *array, const json_t *diagnostic) {
  for (size_t i = 0; i < json_array_size(array); i++)
    if (is_same(json_array_get(array, i), diagnostic)) return true;
  return false;
}

static void publish_file(Server *server, const char *uri) {
  json_t *all = js_need(json_array());
  for (uint32_t d = 0; d < server->documents.count; d++) {
    json_t *some = json_object_get(server->documents.items[d]->diagnostics, uri);
    for (size_t i = 0; i < json_array_size(some); i++)
      if (!is_in(all, json_array_get(some, i))) js_push(all, json_incref(json_array_get(some, i)));
  }
  json_t *params = js_make("{s:s, s:o}", "uri", uri, "diagnostics", all);
  const Document *document = document_find(server, uri);
  if (document) js_put(params, "version", json_integer(document->version));
  server_notify(server, "textDocument/publishDiagnostics", params);
}

void findings_publish(Server *server, json_t *files) {
  for (void *at = json_object_iter(files); at; at = json_object_iter_next(files, at))
    publish_file(server, json_object_iter_key(at));
}
