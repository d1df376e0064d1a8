// How does a program read the result? As one JSON document, described by docs/schema/hgrd-1.json.
//
// Members are only ever added within one schema version. Places are members file, line, column (absent when
// unknown); text is what stands in the source, with bytes that are no UTF-8 replaced. Times appear only when
// they were asked for, so that equal results give equal bytes.
//
// Soundness: every kernel is listed with its verdict; one that is not decided lists reasons.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

typedef struct Writer {
  const Report *report;
  const ReportInput *input;
  const ReportOptions *options;
  Arena *arena;
} Writer;

static json_t *text(const Writer *w, const char *value) {
  return json_text(value, w->arena);
}

static void put_text(const Writer *w, json_t *object, const char *key, const char *value) {
  json_put(object, key, text(w, value));
}

static void put_number(json_t *object, const char *key, int64_t value) {
  json_put(object, key, json_integer((json_int_t)value));
}

static void put_loc(const Writer *w, json_t *object, const SrcLoc *loc) {
  if (!loc_known(loc)) return;
  put_text(w, object, "file", loc->file);
  if (loc->line) put_number(object, "line", loc->line);
  if (loc->line && loc->column) put_number(object, "column", loc->column);
}

static json_t *make_triple(const int64_t values[3]) {
  json_t *array = json_need(json_array());
  for (int i = 0; i < 3; i++)
    json_push(array, json_integer((json_int_t)values[i]));
  return array;
}

// ---- facts and assumptions

static json_t *make_fact(const Writer *w, const Fact *fact) {
  json_t *object = json_need(json_object());
  StrBuf printed = {.arena = w->arena};
  if (!(fact->text && fact->text[0]) && fact->condition && w->input->pool)
    expr_print(w->input->pool, fact->condition, true, &printed);
  put_text(w, object, "text", fact->text && fact->text[0] ? fact->text : strbuf_text(&printed));
  put_text(w, object, "class", fact_word(fact->class));
  put_loc(w, object, &fact->loc);
  return object;
}

static json_t *make_facts(const Writer *w, uint32_t count, const Fact *const *items) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++)
    json_push(array, make_fact(w, items[i]));
  return array;
}

static json_t *make_assumption_ids(unsigned assumptions) {
  json_t *array = json_need(json_array());
#define X(bit, id, telling, words)                                                                           \
  if (assumptions >> (bit)&1) json_push(array, json_string(id));
  ASSUMPTIONS(X)
#undef X
  return array;
}

static void push_assumption(json_t *array, const char *id, const char *words) {
  json_t *object = json_need(json_object());
  json_put(object, "id", json_string(id));
  json_put(object, "text", json_string(words));
  json_push(array, object);
}

// Those that anything in this document refers to.
static json_t *make_assumptions(const Writer *w) {
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

static json_t *make_undecided(const Writer *w, const KernelResult *result) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < result->undecided.count; i++) {
    json_t *object = json_need(json_object());
    put_text(w, object, "reason", result->undecided.items[i].text);
    put_loc(w, object, &result->undecided.items[i].loc);
    json_push(array, object);
  }
  return array;
}

static json_t *make_places(const Writer *w, uint32_t count, const SrcLoc *places) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    put_loc(w, object, &places[i]);
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

static void put_dimensions(const Writer *w, json_t *object, const LaunchContext *launch) {
  json_t *grid = json_need(json_array()), *block = json_need(json_array());
  for (int i = 0; i < 3; i++) {
    StrBuf printed[2] = {{.arena = w->arena}, {.arena = w->arena}};
    if (w->input->pool && launch->grid[i]) expr_print(w->input->pool, launch->grid[i], true, &printed[0]);
    if (w->input->pool && launch->block[i]) expr_print(w->input->pool, launch->block[i], true, &printed[1]);
    json_push(grid, text(w, strbuf_text(&printed[0])));
    json_push(block, text(w, strbuf_text(&printed[1])));
  }
  json_put(object, "grid", grid);
  json_put(object, "block", block);
}

static json_t *make_launch(const Writer *w, const KernelResult *result) {
  json_t *object = json_need(json_object());
  const LaunchContext *context = result->launch;
  put_text(w, object, "text", context ? context->description : NULL);
  if (context) {
    put_loc(w, object, &context->loc);
    put_dimensions(w, object, context);
    json_put(object, "any", json_boolean(context->is_any));
    json_put(object, "cooperative", json_boolean(context->is_cooperative));
  }
  put_text(w, object, "verdict", verdict_name(result->verdict));
  put_number(object, "pairs", result->pairs);
  put_number(object, "proved", result->proved);
  put_number(object, "queries", result->queries);
  json_put(object, "facts", make_facts(w, result->proof_facts.count, result->proof_facts.items));
  json_put(object, "assumptions", make_assumption_ids(result->assumptions));
  if (result->overflow) put_text(w, object, "overflow", result->overflow);
  json_put(object, "undecided", make_undecided(w, result));
  json_put(object, "deadAccesses", make_places(w, result->dead_accesses.count, result->dead_accesses.items));
  if (knows_open_accesses(result))
    json_put(object, "openAccesses",
             make_places(w, result->open_accesses.count, result->open_accesses.items));
  return object;
}

// Reasons stand kernel by kernel: `*next` is the first of this kernel, and then that of the next one.
static json_t *make_reasons(const Writer *w, uint32_t index, uint32_t *next) {
  ASSERT(index < w->report->kernels.count && *next <= w->report->undecided.count);
  json_t *array = json_need(json_array());
  const UndecidedGroups *reasons = &w->report->undecided;
  for (; *next < reasons->count && reasons->items[*next].kernel == index; ++*next) {
    const UndecidedGroup *reason = &reasons->items[*next];
    json_t *object = json_need(json_object());
    put_text(w, object, "reason", reason->text);
    put_loc(w, object, &reason->loc);
    put_number(object, "launches", reason->count);
    json_push(array, object);
  }
  return array;
}

enum { PAIRS_SHOWN = 16 };

// A place of a kernel by its line, as "FILE:LINE" where it is in another file.
static void put_line_in(const Writer *w, json_t *object, const char *key, const SrcLoc *kernel,
                        const SrcLoc *place) {
  const char *line = report_line_in(kernel, place, w->arena);
  if (line[0]) put_text(w, object, key, line);
}

// By which rule pairs of accesses are ordered: few lines stand for many pairs.
static json_t *make_ordered(const Writer *w, const KernelSummary *summary) {
  json_t *array = json_need(json_array());
  for (uint32_t g = 0; g < summary->ordered.count; g++) {
    const OrderedGroup *group = &summary->ordered.items[g];
    const SrcLoc *kernel = &summary->first->loc;
    json_t *object = json_need(json_object()), *pairs = json_need(json_array());
    put_text(w, object, "rule", order_rule_name(group->rule));
    put_line_in(w, object, "release", kernel, &group->release);
    put_line_in(w, object, "acquire", kernel, &group->acquire);
    put_number(object, "count", group->pairs.count);
    for (uint32_t i = 0; i < group->pairs.count && i < PAIRS_SHOWN; i++) {
      const SrcLoc *places = group->pairs.items[i].places;
      const char *one = report_line_in(kernel, &places[0], w->arena);
      json_push(pairs, text(w, arena_printf(w->arena, "%s %s", one[0] ? one : "?",
                                            report_line_in(kernel, &places[1], w->arena))));
    }
    json_put(object, "pairs", pairs);
    json_push(array, object);
  }
  return array;
}

static json_t *make_kernel(const Writer *w, uint32_t index, uint32_t *next_reason) {
  ASSERT(index < w->report->kernels.count);
  const KernelSummary *summary = &w->report->kernels.items[index];
  json_t *object = json_need(json_object()), *launches = json_need(json_array());
  put_text(w, object, "name", summary->first->kernel);
  put_text(w, object, "mangled", summary->first->mangled);
  put_loc(w, object, &summary->first->loc);
  put_text(w, object, "verdict", verdict_name(summary->verdict));
  put_number(object, "pairs", summary->pairs);
  put_number(object, "proved", summary->proved);
  put_number(object, "queries", summary->queries);
  for (uint32_t i = 0; i < summary->results.count; i++)
    json_push(launches, make_launch(w, summary->results.items[i]));
  json_put(object, "launches", launches);
  json_put(object, "assumptions", make_assumption_ids(summary->assumptions));
  json_put(object, "provisional", json_boolean(kernel_leans_on_gaps(summary)));
  json_put(object, "ordered", make_ordered(w, summary));
  json_put(object, "undecided", make_reasons(w, index, next_reason));
  return object;
}

static void put_kernels(const Writer *w, JsonStream *stream) {
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

// ---- findings

static json_t *make_inlining(const Writer *w, const SrcLoc *loc) {
  json_t *array = json_need(json_array());
  for (; loc->inlined_at; loc = loc->inlined_at) {
    json_t *object = json_need(json_object());
    put_loc(w, object, loc->inlined_at);
    put_text(w, object, "callee", loc->function);
    put_text(w, object, "function", loc->inlined_at->function);
    json_push(array, object);
  }
  return array;
}

// The part of the line that is the access: columns in bytes, the last one exclusive.
static void put_range(const Writer *w, json_t *object, const SrcLoc *loc) {
  const ReportOptions *options = w->options;
  bool is_known = options->read_line && loc_known(loc) && loc->line && loc->column;
  const char *line = is_known ? options->read_line(options->context, loc->file, loc->line) : NULL;
  if (!line) return;
  Extent extent = extent_of(line, loc->column);
  json_t *range = json_need(json_array());
  json_push(range, json_integer(extent.start));
  json_push(range, json_integer(extent.end));
  json_put(object, "range", range);
}

static json_t *make_access(const Writer *w, const Finding *finding, int index) {
  ASSERT(index == 0 || index == 1);
  const FindingAccess *access = &finding->accesses[index];
  json_t *object = json_need(json_object());
  put_loc(w, object, &access->loc);
  put_range(w, object, &access->loc);
  // A barrier is no access, but it stands where accesses stand.
  put_text(w, object, "kind", !finding_rule_is_race(finding->rule) ? "barrier" : access_id(access->kind));
  put_text(w, object, "function", access->loc.function);
  put_number(object, "bytes", access->bytes);
  json_put(object, "inlinedAt", make_inlining(w, &access->loc));
  return object;
}

static json_t *make_accesses(const Writer *w, const Finding *finding) {
  json_t *array = json_need(json_array());
  for (int i = 0; i < 2; i++)
    json_push(array, make_access(w, finding, i));
  return array;
}

static json_t *make_values(const Writer *w, uint32_t count, const WitnessValue *items) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    put_text(w, object, "name", items[i].name);
    put_number(object, "value", items[i].value);
    put_loc(w, object, &items[i].loc);
    json_push(array, object);
  }
  return array;
}

static json_t *make_barriers(const Writer *w, uint32_t count, const WitnessBarrier *items) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    put_loc(w, object, &items[i].loc);
    put_text(w, object, "scope", barrier_word(items[i].scope));
    json_put(object, "holdsBoth", json_boolean(items[i].holds_both));
    json_push(array, object);
  }
  return array;
}

static json_t *make_interval(const Writer *w, const WitnessInterval *interval) {
  json_t *object = json_need(json_object());
  if (interval->is_run) put_number(object, "passed", interval->passed);
  put_number(object, "goesOnFor", interval->going_on);
  json_put(object, "before", make_barriers(w, interval->before.count, interval->before.items));
  json_put(object, "after", make_barriers(w, interval->after.count, interval->after.items));
  json_put(object, "whole", json_boolean(interval->is_whole));
  return object;
}

static json_t *make_witness_thread(const Writer *w, const Witness *witness, int index) {
  ASSERT(index == 0 || index == 1);
  const WitnessThread *thread = &witness->threads[index];
  json_t *object = json_need(json_object());
  json_put(object, "block", make_triple(thread->block_idx));
  json_put(object, "thread", make_triple(thread->thread_idx));
  put_number(object, "warp", thread->warp);
  put_number(object, "lane", thread->lane);
  json_put(object, "iterations",
           make_values(w, witness->iterations[index].count, witness->iterations[index].items));
  if (thread->interval.is_known) json_put(object, "interval", make_interval(w, &thread->interval));
  return object;
}

static json_t *make_witness(const Writer *w, const Finding *finding) {
  const Witness *found = &finding->witness;
  if (!has_witness(finding)) return json_null();
  json_t *object = json_need(json_object()), *threads = json_need(json_array());
  json_put(object, "grid", make_triple(found->grid_dim));
  json_put(object, "block", make_triple(found->block_dim));
  for (int i = 0; i < 2; i++)
    json_push(threads, make_witness_thread(w, found, i));
  json_put(object, "threads", threads);
  put_text(w, object, "address", found->address);
  put_number(object, "offset", found->offset);
  json_put(object, "values", make_values(w, found->values.count, found->values.items));
  json_put(object, "memory", make_values(w, found->memory.count, found->memory.items));
  json_put(object, "replayed", json_boolean(found->is_replayed));
  return object;
}

// What a run of the program showed: the threads stand in the witness.
static json_t *make_observation(const Writer *w, const Observation *seen) {
  json_t *object = json_need(json_object()), *launch = json_need(json_object());
  put_text(w, object, "schedule", seen->schedule);
  put_text(w, object, "detector", seen->detector);
  put_text(w, object, "text", seen->text);
  put_loc(w, launch, &seen->launch_loc);
  put_number(launch, "number", (int64_t)seen->launch);
  json_put(object, "launch", launch);
  return object;
}

static json_t *make_finding_launch(const Writer *w, const ReportGroup *group) {
  json_t *object = json_need(json_object());
  put_text(w, object, "text", group->finding.launch);
  put_loc(w, object, &group->finding.launch_loc);
  put_number(object, "others", group->others.count);
  return object;
}

static json_t *make_notes(const Writer *w, const Finding *finding) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    json_t *object = json_need(json_object());
    put_text(w, object, "text", finding->notes.items[i].text);
    put_loc(w, object, &finding->notes.items[i].loc);
    json_push(array, object);
  }
  return array;
}

// The host fact whose lack the finding is: null if none was found.
static json_t *make_missing_fact(const Writer *w, const Finding *finding) {
  if (!finding->mend) return json_need(json_null());
  json_t *object = json_need(json_object());
  put_text(w, object, "condition", finding->mend);
  if (finding->weaker_mend) put_text(w, object, "weaker", finding->weaker_mend);
  put_text(w, object, "enoughFor", finding->mends_kernel ? "kernel" : "finding");
  return object;
}

static json_t *make_edit(const Writer *w, const FixEdit *edit) {
  json_t *object = json_need(json_object());
  put_text(w, object, "file", edit->file);
  put_number(object, "startLine", edit->start_line);
  put_number(object, "startColumn", edit->start_column);
  put_number(object, "endLine", edit->end_line);
  put_number(object, "endColumn", edit->end_column);
  put_text(w, object, "text", edit->text);
  return object;
}

// None, or the one that was proved.
static json_t *make_fixes(const Writer *w, const ReportFix *found) {
  json_t *array = json_need(json_array());
  if (!found->fix) return array;
  json_t *object = json_need(json_object()), *edits = json_need(json_array());
  put_text(w, object, "title", found->fix->title);
  json_put(object, "assumption", json_boolean(found->fix->is_assumption));
  for (uint32_t i = 0; i < found->fix->edits.count; i++)
    json_push(edits, make_edit(w, &found->fix->edits.items[i]));
  json_put(object, "edits", edits);
  put_text(w, object, "diff", found->fix->diff);
  json_push(array, object);
  return array;
}

static json_t *make_finding(const Writer *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const FindingRuleInfo *rule = finding_rule_info(finding->rule);
  json_t *object = json_need(json_object());
  put_text(w, object, "ruleId", rule->id);
  put_text(w, object, "rule", rule->name);
  put_text(w, object, "level", level_word(finding->level));
  put_text(w, object, "certainty", certainty_word(finding->certainty));
  put_text(w, object, "cause", finding->cause);
  if (finding->memory_model) put_text(w, object, "memoryModel", finding->memory_model);
  if (finding->memory_rule) put_text(w, object, "memoryRule", finding->memory_rule);
  put_text(w, object, "kernel", finding->kernel);
  put_text(w, object, "object", finding->object);
  put_text(w, object, "message", message_text(w->arena, finding));
  json_put(object, "accesses", make_accesses(w, finding));
  json_put(object, "witness", make_witness(w, finding));
  json_put(object, "launch", make_finding_launch(w, group));
  json_put(object, "facts", make_facts(w, finding->facts.count, finding->facts.items));
  json_put(object, "missingFact", make_missing_fact(w, finding));
  json_put(object, "assumptions", make_assumption_ids(finding->assumptions));
  json_put(object, "notes", make_notes(w, finding));
  if (finding->observed) json_put(object, "observed", make_observation(w, finding->observed));
  const ReportFix *found = fix_of(w->report, group);
  if (found) json_put(object, "fixes", make_fixes(w, found));
  if (found) put_number(object, "fixesTried", found->tried);
  put_number(object, "count", finding->count);
  put_text(w, object, "fingerprint", group_identity(group, w->arena));
  if (group->face) put_text(w, object, "sameMistakeAs", group_identity(group->face, w->arena));
  return object;
}

static const char *suppression_word(const ReportGroup *group) {
  switch (group->suppressed) {
  case SUPPRESSED_BY_COMMENT: return "comment";
  case SUPPRESSED_BY_FILE: return "file";
  case SUPPRESSED_NOT: break;
  }
  return "baseline";
}

// Shown findings and others apart, so that a reader of `findings` need not know about suppression.
static void put_findings(const Writer *w, JsonStream *stream, const char *key, bool shown) {
  const ReportGroups *groups = &w->report->groups;
  json_stream_key(stream, key);
  json_stream_open(stream, '[');
  for (uint32_t i = 0; i < groups->count; i++) {
    const ReportGroup *group = &groups->items[i];
    if (group_is_shown(group) != shown) continue;
    ArenaMark mark = arena_mark(w->arena);
    json_t *object = make_finding(w, group);
    if (!shown) {
      put_text(w, object, "suppression", group->suppressed ? group->reason : "in the baseline");
      put_text(w, object, "suppressionKind", suppression_word(group));
    }
    json_stream_value(stream, object);
    arena_release(w->arena, mark);
  }
  json_stream_close(stream, ']');
}

// ---- the document

static json_t *make_tool(const Writer *w) {
  json_t *object = json_need(json_object());
  put_text(w, object, "name", "hgrd-check");
  put_text(w, object, "version", w->options->version ? w->options->version : "0");
  put_number(object, "schema", REPORT_JSON_SCHEMA);
  if (w->options->solver) put_text(w, object, "solver", w->options->solver);
  return object;
}

static void put_seconds(const Writer *w, json_t *object, const char *key, double seconds) {
  json_put(object, key, w->input->stats.has_times ? json_real(seconds) : json_null());
}

static json_t *make_files(const Writer *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < w->input->file_count; i++) {
    const ReportFile *file = &w->input->files[i];
    json_t *object = json_need(json_object());
    put_text(w, object, "path", file->path);
    json_put(object, "ok", json_boolean(file->is_ok));
    put_seconds(w, object, "seconds", file->seconds);
    json_push(array, object);
  }
  return array;
}

static json_t *make_messages(const Writer *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; w->input->diags && i < w->input->diags->diags.count; i++) {
    const Diag *diag = &w->input->diags->diags.items[i];
    json_t *object = json_need(json_object());
    put_text(w, object, "severity", severity_word(diag->severity));
    put_text(w, object, "message", diag->message);
    put_loc(w, object, &diag->loc);
    if (diag->detail) put_text(w, object, "detail", diag->detail);
    json_push(array, object);
  }
  return array;
}

static json_t *make_left_out(const Writer *w) {
  json_t *array = json_need(json_array());
  uint32_t next = 0;
  for (const Diag *gap; (gap = report_gap(w->report, &next)) != NULL;) {
    json_t *object = json_need(json_object());
    put_text(w, object, "message", gap->message);
    put_loc(w, object, &gap->loc);
    json_push(array, object);
  }
  return array;
}

// Everything that was named was there and has been checked.
static bool is_complete(const Writer *w) {
  uint32_t next = 0;
  return !w->input->is_interrupted && !report_gap(w->report, &next);
}

static json_t *make_stale(const Writer *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < w->report->stales.list.count; i++) {
    const ReportStale *stale = &w->report->stales.list.items[i];
    json_t *object = json_need(json_object());
    put_text(w, object, "kind", stale->kind);
    put_text(w, object, "message", stale->text);
    put_loc(w, object, &stale->loc);
    json_push(array, object);
  }
  return array;
}

static json_t *make_stats(const Writer *w) {
  ReportTotals totals = w->report->totals;
  json_t *object = json_need(json_object());
  put_seconds(w, object, "frontend_seconds", w->input->stats.frontend_seconds);
  put_seconds(w, object, "frontend_processor_seconds", w->input->stats.frontend_processor_seconds);
  put_seconds(w, object, "analysis_seconds", w->input->stats.analysis_seconds);
  json_put(object, "peak_bytes",
           w->input->stats.has_times ? json_integer((json_int_t)w->input->stats.peak_bytes) : json_null());
  json_put(object, "resource_units",
           w->input->stats.has_times ? json_integer((json_int_t)totals.resource_units) : json_null());
  put_number(object, "kernels", totals.kernels);
  put_number(object, "race_free", totals.safe);
  put_number(object, "provisional", totals.provisional);
  put_number(object, "racy", totals.racy);
  put_number(object, "undecided", totals.undecided);
  put_number(object, "dead", totals.dead);
  put_number(object, "pairs", totals.pairs);
  put_number(object, "queries", totals.queries);
  put_number(object, "errors", totals.errors);
  put_number(object, "warnings", totals.warnings);
  put_number(object, "notes", totals.notes);
  put_number(object, "suppressed", totals.suppressed);
  put_number(object, "known", totals.known);
  return object;
}

void report_json(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  Arena *scratch = arena_open();
  Writer w = {report, report->input, report->options, scratch};
  JsonStream stream = {.sink = sink};
  json_stream_open(&stream, '{');
  json_stream_member(&stream, "tool", make_tool(&w));
  json_stream_member(&stream, "complete", json_boolean(is_complete(&w)));
  json_stream_member(&stream, "files", make_files(&w));
  put_kernels(&w, &stream);
  put_findings(&w, &stream, "findings", true);
  put_findings(&w, &stream, "suppressed", false);
  json_stream_member(&stream, "assumptions", make_assumptions(&w));
  json_stream_member(&stream, "leftOut", make_left_out(&w));
  json_stream_member(&stream, "messages", make_messages(&w));
  json_stream_member(&stream, "stale", make_stale(&w));
  json_stream_member(&stream, "stats", make_stats(&w));
  json_stream_close(&stream, '}');
  arena_close(scratch);
}
