// How does a program read the result? As one JSON document, described by docs/schema/hgrd-1.json.
//
// Members are only ever added within one schema version. Places are members file, line, column (absent when
// unknown); text is what stands in the source, with bytes that are no UTF-8 replaced. Times appear only when
// they were asked for, so that equal results give equal bytes.
//
// Soundness: every kernel is listed with its verdict; one that is not decided lists reasons.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_writer.h"
#include "core/bug.h"

// ---- assumptions
static void push_assumption(json_t *array, const char *id, const char *words) {
  json_t *object = json_need(json_object());
  json_put(object, "id", json_string(id));
  json_put(object, "text", json_string(words));
  json_push(array, object);
}

// Those that anything in this document refers to.
static json_t *make_assumptions(const JsonWriter *w) {
  const ReportGroups *groups = &w->report->groups;
  unsigned used = 0;
  for (uint32_t i = 0; i < w->input->result_count; i++)
    used |= w->input->results[i]->assumptions;
  for (uint32_t i = 0; i < groups->count; i++)
    used |= groups->items[i].finding.assumptions;
  json_t *array = json_need(json_array());
#define X(bit, id, telling, words)                                                                           \
  if (used >> (bit)&1) push_assumption(array, id, words);
  ASSUMPTIONS(X)
#undef X
  return array;
}

// ---- kernels

// Sentences with their places; `key`: what the sentence is called.
static json_t *make_sentences(const JsonWriter *w, const char *key, uint32_t count,
                              const UndecidedReason *sentences) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    writer_put_text(w, object, key, sentences[i].text);
    writer_put_loc(w, object, &sentences[i].loc);
    json_push(array, object);
  }
  return array;
}

static json_t *make_places(const JsonWriter *w, uint32_t count, const SrcLoc *places) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    writer_put_loc(w, object, &places[i]);
    json_push(array, object);
  }
  return array;
}

// Are all pairs judged, and did nothing go wrong that the judgement of others may lean on? A barrier that some go round, or a lock that is
// not given back, is such a thing.
static bool knows_open_accesses(const KernelResult *result) {
  bool is_known = result->undecided.count == 0 && result->contradictions.count == 0 &&
                  (result->verdict == VERDICT_SAFE || result->verdict == VERDICT_RACE);
  for (uint32_t i = 0; i < result->findings.count; i++)
    is_known = is_known && finding_rule_is_race(result->findings.items[i].rule);
  return is_known;
}

static void put_dimensions(const JsonWriter *w, json_t *object, const LaunchContext *launch) {
  json_t *grid = json_need(json_array()), *block = json_need(json_array());
  for (int i = 0; i < 3; i++) {
    StrBuf printed[2] = {{.arena = w->arena}, {.arena = w->arena}};
    if (w->input->pool && launch->grid[i]) expr_print(w->input->pool, launch->grid[i], true, &printed[0]);
    if (w->input->pool && launch->block[i]) expr_print(w->input->pool, launch->block[i], true, &printed[1]);
    json_push(grid, writer_text(w, strbuf_text(&printed[0])));
    json_push(block, writer_text(w, strbuf_text(&printed[1])));
  }
  json_put(object, "grid", grid);
  json_put(object, "block", block);
}

static json_t *make_launch(const JsonWriter *w, const KernelResult *result) {
  json_t *object = json_need(json_object());
  const LaunchContext *context = result->launch;
  writer_put_text(w, object, "text", context ? context->description : NULL);
  if (context) {
    writer_put_loc(w, object, &context->loc);
    put_dimensions(w, object, context);
    json_put(object, "any", json_boolean(context->is_any));
    json_put(object, "cooperative", json_boolean(context->is_cooperative));
  }
  writer_put_text(w, object, "verdict", verdict_name(result->verdict));
  json_put_number(object, "pairs", result->pairs);
  json_put_number(object, "proved", result->proved);
  json_put_number(object, "queries", result->queries);
  json_put(object, "facts", writer_facts(w, result->proof_facts.count, result->proof_facts.items));
  json_put(object, "assumptions", json_assumption_ids(result->assumptions));
  if (result->overflow) writer_put_text(w, object, "overflow", result->overflow);
  json_put(object, "undecided",
           make_sentences(w, "reason", result->undecided.count, result->undecided.items));
  if (result->remarks.count)
    json_put(object, "remarks", make_sentences(w, "text", result->remarks.count, result->remarks.items));
  json_put(object, "deadAccesses", make_places(w, result->dead_accesses.count, result->dead_accesses.items));
  if (knows_open_accesses(result))
    json_put(object, "openAccesses",
             make_places(w, result->open_accesses.count, result->open_accesses.items));
  return object;
}

// Reasons stand kernel by kernel: `*next` is the first of this kernel, and then that of the next one.
static json_t *make_reasons(const JsonWriter *w, uint32_t index, uint32_t *next) {
  ASSERT(index < w->report->kernels.count && *next <= w->report->undecided.count);
  json_t *array = json_need(json_array());
  const UndecidedGroups *reasons = &w->report->undecided;
  for (; *next < reasons->count && reasons->items[*next].kernel == index; ++*next) {
    const UndecidedGroup *reason = &reasons->items[*next];
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "reason", reason->text);
    writer_put_loc(w, object, &reason->loc);
    json_put_number(object, "launches", reason->count);
    json_push(array, object);
  }
  return array;
}

enum { PAIRS_SHOWN = 16 };

// A place of a kernel by its line, as "FILE:LINE" where it is in another file.
static void put_line_in(const JsonWriter *w, json_t *object, const char *key, const SrcLoc *kernel,
                        const SrcLoc *place) {
  const char *line = report_line_in(kernel, place, w->arena);
  if (line[0]) writer_put_text(w, object, key, line);
}

// By which rule pairs of accesses are ordered: few lines stand for many pairs.
static json_t *make_ordered(const JsonWriter *w, const KernelSummary *summary) {
  json_t *array = json_need(json_array());
  for (uint32_t g = 0; g < summary->ordered.count; g++) {
    const OrderedGroup *group = &summary->ordered.items[g];
    const SrcLoc *kernel = &summary->first->loc;
    json_t *object = json_need(json_object()), *pairs = json_need(json_array());
    writer_put_text(w, object, "rule", order_rule_name(group->rule));
    put_line_in(w, object, "release", kernel, &group->release);
    put_line_in(w, object, "acquire", kernel, &group->acquire);
    json_put_number(object, "count", group->pairs.count);
    for (uint32_t i = 0; i < group->pairs.count && i < PAIRS_SHOWN; i++) {
      const SrcLoc *places = group->pairs.items[i].places;
      const char *one = report_line_in(kernel, &places[0], w->arena);
      json_push(pairs, writer_text(w, arena_printf(w->arena, "%s %s", one[0] ? one : "?",
                                                   report_line_in(kernel, &places[1], w->arena))));
    }
    json_put(object, "pairs", pairs);
    json_push(array, object);
  }
  return array;
}

static json_t *make_kernel(const JsonWriter *w, uint32_t index, uint32_t *next_reason) {
  ASSERT(index < w->report->kernels.count);
  const KernelSummary *summary = &w->report->kernels.items[index];
  json_t *object = json_need(json_object()), *launches = json_need(json_array());
  writer_put_text(w, object, "name", summary->first->kernel);
  writer_put_text(w, object, "mangled", summary->first->mangled);
  writer_put_loc(w, object, &summary->first->loc);
  writer_put_text(w, object, "verdict", verdict_name(summary->verdict));
  json_put_number(object, "pairs", summary->pairs);
  json_put_number(object, "proved", summary->proved);
  json_put_number(object, "queries", summary->queries);
  for (uint32_t i = 0; i < summary->results.count; i++)
    json_push(launches, make_launch(w, summary->results.items[i]));
  json_put(object, "launches", launches);
  json_put(object, "assumptions", json_assumption_ids(summary->assumptions));
  json_put(object, "provisional", json_boolean(kernel_leans_on_gaps(summary)));
  json_put(object, "ordered", make_ordered(w, summary));
  json_put(object, "undecided", make_reasons(w, index, next_reason));
  return object;
}

static void put_kernels(const JsonWriter *w, JsonStream *stream) {
  uint32_t next_reason = 0;
  json_stream_key(stream, "kernels");
  json_stream_open(stream, '[');
  for (uint32_t i = 0; i < w->report->kernels.count; i++) {
    ArenaMark mark = arena_mark(w->arena);
    json_stream_value(stream, make_kernel(w, i, &next_reason));
    arena_release(w->arena, mark);
  }
  json_stream_close(stream, ']');
}

// ---- the document

static json_t *make_tool(const JsonWriter *w) {
  json_t *object = json_need(json_object());
  writer_put_text(w, object, "name", "hgrd-check");
  writer_put_text(w, object, "version", w->options->version ? w->options->version : "0");
  json_put_number(object, "schema", REPORT_JSON_SCHEMA);
  if (w->options->solver) writer_put_text(w, object, "solver", w->options->solver);
  return object;
}

static void put_seconds(const JsonWriter *w, json_t *object, const char *key, double seconds) {
  json_put(object, key, w->input->stats.has_times ? json_real(seconds) : json_null());
}

static json_t *make_files(const JsonWriter *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < w->input->file_count; i++) {
    const ReportFile *file = &w->input->files[i];
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "path", file->path);
    json_put(object, "ok", json_boolean(file->is_ok));
    put_seconds(w, object, "seconds", file->seconds);
    json_push(array, object);
  }
  return array;
}

static json_t *make_messages(const JsonWriter *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; w->input->diags && i < w->input->diags->diags.count; i++) {
    const Diag *diag = &w->input->diags->diags.items[i];
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "severity", severity_word(diag->severity));
    writer_put_text(w, object, "message", diag->message);
    writer_put_loc(w, object, &diag->loc);
    if (diag->detail) writer_put_text(w, object, "detail", diag->detail);
    json_push(array, object);
  }
  return array;
}

static json_t *make_left_out(const JsonWriter *w) {
  json_t *array = json_need(json_array());
  uint32_t next = 0;
  for (const Diag *gap; (gap = report_gap(w->report, &next)) != NULL;) {
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "message", gap->message);
    writer_put_loc(w, object, &gap->loc);
    json_push(array, object);
  }
  return array;
}

// Everything that was named was there and has been checked.
static bool is_complete(const JsonWriter *w) {
  uint32_t next = 0;
  return !w->input->is_interrupted && !report_gap(w->report, &next);
}

static json_t *make_stale(const JsonWriter *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < w->report->stales.list.count; i++) {
    const ReportStale *stale = &w->report->stales.list.items[i];
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "kind", stale->kind);
    writer_put_text(w, object, "message", stale->text);
    writer_put_loc(w, object, &stale->loc);
    json_push(array, object);
  }
  return array;
}

static json_t *make_stats(const JsonWriter *w) {
  ReportTotals totals = w->report->totals;
  json_t *object = json_need(json_object());
  put_seconds(w, object, "frontend_seconds", w->input->stats.frontend_seconds);
  put_seconds(w, object, "frontend_processor_seconds", w->input->stats.frontend_processor_seconds);
  put_seconds(w, object, "analysis_seconds", w->input->stats.analysis_seconds);
  json_put(object, "peak_bytes",
           w->input->stats.has_times ? json_integer((json_int_t)w->input->stats.peak_bytes) : json_null());
  json_put(object, "resource_units",
           w->input->stats.has_times ? json_integer((json_int_t)totals.resource_units) : json_null());
  json_put_number(object, "kernels", totals.kernels);
  json_put_number(object, "race_free", totals.safe);
  json_put_number(object, "provisional", totals.provisional);
  json_put_number(object, "racy", totals.racy);
  json_put_number(object, "undecided", totals.undecided);
  json_put_number(object, "dead", totals.dead);
  json_put_number(object, "pairs", totals.pairs);
  json_put_number(object, "queries", totals.queries);
  json_put_number(object, "errors", totals.errors);
  json_put_number(object, "warnings", totals.warnings);
  json_put_number(object, "notes", totals.notes);
  json_put_number(object, "suppressed", totals.suppressed);
  json_put_number(object, "known", totals.known);
  return object;
}

void report_json(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  Arena *scratch = arena_open();
  JsonWriter w = {report, report->input, report->options, scratch};
  JsonStream stream = {.sink = sink};
  json_stream_open(&stream, '{');
  json_stream_member(&stream, "tool", make_tool(&w));
  json_stream_member(&stream, "complete", json_boolean(is_complete(&w)));
  json_stream_member(&stream, "files", make_files(&w));
  put_kernels(&w, &stream);
  writer_put_findings(&w, &stream, "findings", true);
  writer_put_findings(&w, &stream, "suppressed", false);
  json_stream_member(&stream, "assumptions", make_assumptions(&w));
  json_stream_member(&stream, "leftOut", make_left_out(&w));
  json_stream_member(&stream, "messages", make_messages(&w));
  json_stream_member(&stream, "stale", make_stale(&w));
  json_stream_member(&stream, "stats", make_stats(&w));
  json_stream_close(&stream, '}');
  arena_close(scratch);
}
