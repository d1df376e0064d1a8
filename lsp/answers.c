// What does an editor ask of a place, and what is known there?
//
// Answers come from the reports of the texts as they are, of all documents that have one: a kernel of a
// header is known from the file that includes it. A place is a kernel's name, a launch, or an access of a
// finding.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"
#include "core/bug.h"

#include <string.h>

typedef struct Question {
  Server *server;
  Arena *arena;
  Sources *sources;
  const char *path; // NULL: a document that is none of ours
  json_int_t line;  // from 1
  json_int_t character;
} Question;

static Question question_of(Server *server, const json_t *params) {
  Arena *arena = arena_open();
  const json_t *position = json_object_get(params, "position");
  const Document *document = document_find(server, js_text(js_at(params, "textDocument", NULL), "uri"));
  return (Question){.server = server,
                    .arena = arena,
                    .sources = sources_open(server, arena),
                    .path = document ? document->path : NULL,
                    .line = js_uinteger(position, "line", -2) + 1,
                    .character = js_uinteger(position, "character", -1)};
}

static bool is_own_file(const Question *question, const json_t *place) {
  const char *file = js_text(place, "file");
  return question->path && file[0] && strcmp(sources_path(question->sources, file), question->path) == 0;
}

static bool is_within(const Question *question, const json_t *range) {
  json_int_t line = question->line - 1;
  return js_number(js_at(range, "start", NULL), "line", -1) == line &&
         js_number(js_at(range, "start", NULL), "character", 0) <= question->character &&
         question->character <= js_number(js_at(range, "end", NULL), "character", -1);
}

static bool is_at(const Question *question, const json_t *place, json_t *range) {
  bool is_here = is_own_file(question, place) && is_within(question, range);
  json_decref(range);
  return is_here;
}

static bool is_access_here(const Question *question, const json_t *access) {
  return place_is_known(access) && is_at(question, access, place_range(question->sources, access));
}

// ---- in words

// "3 launches", or that none is in view.
static const char *launches_in_words(const json_t *kernel, Arena *arena) {
  const json_t *launches = json_object_get(kernel, "launches");
  size_t seen = 0, any = 0;
  for (size_t i = 0; i < json_array_size(launches); i++)
    *(js_true(json_array_get(launches, i), "any") ? &any : &seen) += 1;
  if (seen == 0) return any ? "any launch" : "no launch";
  return arena_printf(arena, "%zu launch%s%s", seen, seen == 1 ? "" : "es", any ? " and any other" : "");
}

const char *kernel_headline(const json_t *kernel, Arena *arena) {
  ASSERT(json_is_object(kernel));
  const char *verdict = js_text(kernel, "verdict"), *launches = launches_in_words(kernel, arena);
  const json_t *reasons = json_object_get(kernel, "undecided");
  size_t count = json_array_size(reasons);
  if (strcmp(verdict, "undecided") == 0 && count > 0)
    return arena_printf(arena, "undecided: %s%s", js_text(json_array_get(reasons, 0), "reason"),
                        count > 1 ? arena_printf(arena, " (and %zu more)", count - 1) : "");
  if (strcmp(verdict, "dead") == 0) return "dead: no thread gets to its accesses";
  return arena_printf(arena, "%s under %s%s", verdict, launches,
                      js_true(kernel, "provisional") ? ", if what was not there does not matter" : "");
}

static const char *assumption_text(const json_t *report, const char *id) {
  const json_t *all = json_object_get(report, "assumptions");
  for (size_t i = 0; i < json_array_size(all); i++)
    if (strcmp(js_text(json_array_get(all, i), "id"), id) == 0)
      return js_text(json_array_get(all, i), "text");
  return "";
}

// As code in Markdown, whatever is in it.
static void add_code(StrBuf *out, const char *text) {
  const char *fence = strchr(text, '`') ? "``" : "`";
  strbuf_printf(out, "%s%s%s%s%s", fence, fence[1] ? " " : "", text, fence[1] ? " " : "", fence);
}

// What may stand in the source is not to be read as Markdown.
static void add_plain(StrBuf *out, const char *text) {
  for (; *text; text++) {
    if (strchr("\\`*_{}[]<>#+!|~", *text)) strbuf_add(out, "\\");
    strbuf_add_n(out, text, 1);
  }
}

static void add_place(StrBuf *out, const json_t *kernel, const json_t *place) {
  if (!place_is_known(place)) return;
  bool is_same = strcmp(js_text(place, "file"), js_text(kernel, "file")) == 0;
  strbuf_add(out, is_same ? " (line " : " (");
  if (!is_same) add_plain(out, js_text(place, "file"));
  strbuf_printf(out, "%s%lld)", is_same ? "" : ":", (long long)js_number(place, "line", 0));
}

static void add_launch(StrBuf *out, const json_t *kernel, const json_t *launch) {
  const json_t *facts = json_object_get(launch, "facts");
  strbuf_add(out, "- ");
  add_code(out, js_text(launch, "text"));
  if (js_true(launch, "any")) strbuf_add(out, " (no launch is in view: any)");
  add_place(out, kernel, launch);
  strbuf_printf(out, ": **%s**, %lld of %lld pairs of accesses proved\n", js_text(launch, "verdict"),
                (long long)js_number(launch, "proved", 0), (long long)js_number(launch, "pairs", 0));
  for (size_t i = 0; i < json_array_size(facts); i++) {
    const json_t *fact = json_array_get(facts, i);
    strbuf_add(out, "  - fact ");
    add_code(out, js_text(fact, "text"));
    add_place(out, kernel, fact);
    strbuf_add(out, "\n");
  }
}

const char *kernel_in_words(const json_t *report, const json_t *kernel, Arena *arena) {
  ASSERT(json_is_object(report));
  ASSERT(json_is_object(kernel));
  StrBuf out = {.arena = arena};
  const json_t *launches = json_object_get(kernel, "launches"),
               *reasons = json_object_get(kernel, "undecided");
  const json_t *assumptions = json_object_get(kernel, "assumptions");
  strbuf_add(&out, "**hgrd** ");
  add_code(&out, js_text(kernel, "name"));
  strbuf_add(&out, ": ");
  add_plain(&out, kernel_headline(kernel, arena));
  strbuf_add(&out, "\n\n");
  for (size_t i = 0; i < json_array_size(launches); i++)
    add_launch(&out, kernel, json_array_get(launches, i));
  if (json_array_size(reasons)) strbuf_add(&out, "\nUndecided, because\n\n");
  for (size_t i = 0; i < json_array_size(reasons); i++) {
    strbuf_add(&out, "- ");
    add_plain(&out, js_text(json_array_get(reasons, i), "reason"));
    add_place(&out, kernel, json_array_get(reasons, i));
    strbuf_add(&out, "\n");
  }
  if (json_array_size(assumptions)) strbuf_add(&out, "\nTaken for granted\n\n");
  for (size_t i = 0; i < json_array_size(assumptions); i++) {
    const char *id = json_string_value(json_array_get(assumptions, i));
    strbuf_printf(&out, "- %s: ", id ? id : "");
    add_plain(&out, assumption_text(report, id ? id : ""));
    strbuf_add(&out, "\n");
  }
  return strbuf_text(&out);
}

static const char *finding_in_words(const json_t *finding, Arena *arena) {
  StrBuf out = {.arena = arena};
  strbuf_add(&out, "**hgrd** ");
  add_plain(&out, js_text(finding, "message"));
  strbuf_printf(&out, " [%s]\n\n", js_text(finding, "rule"));
  add_plain(&out, finding_witness(finding, arena));
  return strbuf_text(&out);
}

// ---- hover

static bool is_launch_here(const Question *question, const json_t *kernel) {
  const json_t *launches = json_object_get(kernel, "launches");
  for (size_t i = 0; i < json_array_size(launches); i++) {
    const json_t *launch = json_array_get(launches, i);
    if (place_is_known(launch) && is_at(question, launch, place_range(question->sources, launch)))
      return true;
  }
  return false;
}

static bool is_kernel_here(const Question *question, const json_t *kernel) {
  return place_is_known(kernel) && (is_at(question, kernel, kernel_range(question->sources, kernel)) ||
                                    is_launch_here(question, kernel));
}

static const char *words_of_kernels(const Question *question, const json_t *report) {
  const json_t *kernels = json_object_get(report, "kernels");
  StrBuf out = {.arena = question->arena};
  for (size_t i = 0; i < json_array_size(kernels); i++)
    if (is_kernel_here(question, json_array_get(kernels, i)))
      strbuf_printf(&out, "%s%s", out.length ? "\n---\n\n" : "",
                    kernel_in_words(report, json_array_get(kernels, i), question->arena));
  return strbuf_text(&out);
}

static const char *words_of_findings(const Question *question, const json_t *report) {
  const json_t *findings = json_object_get(report, "findings");
  StrBuf out = {.arena = question->arena};
  for (size_t i = 0; i < json_array_size(findings); i++) {
    const json_t *accesses = json_object_get(json_array_get(findings, i), "accesses");
    if (is_access_here(question, json_array_get(accesses, 0)) ||
        is_access_here(question, json_array_get(accesses, 1)))
      strbuf_printf(&out, "%s%s", out.length ? "\n\n" : "",
                    finding_in_words(json_array_get(findings, i), question->arena));
  }
  return strbuf_text(&out);
}

json_t *answer_hover(Server *server, const json_t *params) {
  Question question = question_of(server, params);
  const char *words = "";
  for (uint32_t i = 0; i < server->documents.count && !words[0]; i++) {
    const json_t *report = server->documents.items[i]->report;
    words = words_of_kernels(&question, report);
    if (!words[0]) words = words_of_findings(&question, report);
  }
  json_t *answer = words[0] ? js_make("{s:{s:s, s:o}}", "contents", "kind", "markdown", "value",
                                      js_string(words, strlen(words)))
                            : json_null();
  arena_close(question.arena);
  return answer;
}

// ---- code lenses

static json_t *lens_of(const Question *question, const json_t *report, const json_t *kernel) {
  const char *title = kernel_headline(kernel, question->arena);
  const char *words = kernel_in_words(report, kernel, question->arena);
  const char *name = js_text(kernel, "name");
  if (strchr(name, '<')) title = arena_printf(question->arena, "%s: %s", strchr(name, '<'), title);
  return js_make("{s:o, s:{s:o, s:s, s:[o]}}", "range", kernel_range(question->sources, kernel), "command",
                 "title", js_string(title, strlen(title)), "command", "hgrd.tell", "arguments",
                 js_string(words, strlen(words)));
}

static bool has_equal(const json_t *array, const json_t *value) {
  for (size_t i = 0; i < json_array_size(array); i++)
    if (json_equal(json_array_get(array, i), value)) return true;
  return false;
}

json_t *answer_lenses(Server *server, const json_t *params) {
  Question question = question_of(server, params);
  json_t *lenses = js_need(json_array());
  for (uint32_t d = 0; d < server->documents.count && server->settings.wants_lenses; d++) {
    const json_t *report = server->documents.items[d]->report, *kernels = json_object_get(report, "kernels");
    for (size_t i = 0; i < json_array_size(kernels); i++) {
      const json_t *kernel = json_array_get(kernels, i);
      if (!place_is_known(kernel) || !is_own_file(&question, kernel)) continue;
      json_t *lens = lens_of(&question, report, kernel);
      if (has_equal(lenses, lens))
        json_decref(lens);
      else
        js_push(lenses, lens);
    }
  }
  arena_close(question.arena);
  return lenses;
}

// ---- from an access to the other one

// Adds where the other access lies, of each finding with one here; with the own place, too, if that is
// wanted.
static void add_others(const Question *question, const json_t *report, bool with_own, json_t *out) {
  const json_t *findings = json_object_get(report, "findings");
  for (size_t i = 0; i < json_array_size(findings); i++) {
    const json_t *accesses = json_object_get(json_array_get(findings, i), "accesses");
    for (size_t k = 0; k < 2; k++) {
      const json_t *here = json_array_get(accesses, k), *other = json_array_get(accesses, 1 - k);
      if (!is_access_here(question, here) || !place_is_known(other)) continue;
      json_t *places[] = {place_location(question->sources, other),
                          with_own ? place_location(question->sources, here) : NULL};
      for (int p = 0; p < 2; p++) {
        if (places[p] && !has_equal(out, places[p])) js_push(out, json_incref(places[p]));
        json_decref(places[p]);
      }
    }
  }
}

static json_t *others_of(Server *server, const json_t *params, bool with_own) {
  Question question = question_of(server, params);
  json_t *places = js_need(json_array());
  for (uint32_t i = 0; i < server->documents.count; i++)
    add_others(&question, server->documents.items[i]->report, with_own, places);
  arena_close(question.arena);
  return places;
}

json_t *answer_definition(Server *server, const json_t *params) {
  return others_of(server, params, false);
}

json_t *answer_references(Server *server, const json_t *params) {
  return others_of(server, params, js_true(json_object_get(params, "context"), "includeDeclaration"));
}
