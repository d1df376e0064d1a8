// How does a program read the result? As one JSON document, described by docs/schema/hgrd-1.json.
//
// Members are only ever added within one schema version. Places are members file, line, column (absent when
// unknown); text is what stands in the source, with bytes that are no UTF-8 replaced. Times appear only when
// they were asked for, so that equal results give equal bytes.
//
// Soundness: every kernel is listed with its verdict; one that is not decided lists reasons.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"

typedef struct Writer {
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
// ---------------------------------------------------------------------------------------

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
#define X(bit, id, words)                                                                                    \
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
static json_t *make_assumptions(const Writer *w, const ReportGroups *groups) {
  unsigned used = 0;
  for (uint32_t i = 0; i < w->input->result_count; i++)
    used |= w->input->results[i]->assumptions;
  for (uint32_t i = 0; i < groups->count; i++)
    used |= groups->items[i].finding.assumptions;
  json_t *array = json_need(json_array());
#define X(bit, id, words)                                                                                    \
  if (used >> (bit)&1) push_assumption(array, id, words);
  ASSUMPTIONS(X)
#undef X
  return array;
}

// ---- kernels
// -----------------------------------------------------------------------------------------------------

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

// Accesses that no thread gets to under this launch.
static json_t *make_dead_accesses(const Writer *w, const KernelResult *result) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < result->dead_accesses.count; i++) {
    json_t *object = json_need(json_object());
    put_loc(w, object, &result->dead_accesses.items[i]);
    json_push(array, object);
  }
  return array;
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
  json_put(object, "undecided", make_undecided(w, result));
  json_put(object, "deadAccesses", make_dead_accesses(w, result));
  return object;
}

static json_t *make_reasons(const Writer *w, const UndecidedGroups *reasons, uint32_t index) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < reasons->count; i++) {
    if (reasons->items[i].kernel != index) continue;
    json_t *object = json_need(json_object());
    put_text(w, object, "reason", reasons->items[i].text);
    put_loc(w, object, &reasons->items[i].loc);
    put_number(object, "launches", reasons->items[i].count);
    json_push(array, object);
  }
  return array;
}

static json_t *make_kernel(const Writer *w, const UndecidedGroups *reasons, const KernelSummaries *kernels,
                           uint32_t index) {
  const KernelSummary *summary = &kernels->items[index];
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
  json_put(object, "undecided", make_reasons(w, reasons, index));
  return object;
}

static json_t *make_kernels(const Writer *w) {
  KernelSummaries summaries = report_kernels(w->input, w->arena);
  UndecidedGroups reasons = report_undecided(w->input, w->arena);
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < summaries.count; i++)
    json_push(array, make_kernel(w, &reasons, &summaries, i));
  return array;
}

// ---- findings
// ----------------------------------------------------------------------------------------------------

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

static json_t *make_access(const Writer *w, const Finding *finding, int index) {
  const FindingAccess *access = &finding->accesses[index];
  json_t *object = json_need(json_object());
  put_loc(w, object, &access->loc);
  // A barrier is no access, but it stands where accesses stand.
  put_text(w, object, "kind", finding->rule == RULE_BARRIER_DIVERGENCE ? "barrier" : access_id(access->kind));
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

static json_t *make_witness_thread(const Writer *w, const Witness *witness, int index) {
  const WitnessThread *thread = &witness->threads[index];
  json_t *object = json_need(json_object());
  json_put(object, "block", make_triple(thread->block_idx));
  json_put(object, "thread", make_triple(thread->thread_idx));
  put_number(object, "warp", thread->warp);
  put_number(object, "lane", thread->lane);
  json_put(object, "iterations",
           make_values(w, witness->iterations[index].count, witness->iterations[index].items));
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

static json_t *make_finding(const Writer *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const FindingRuleInfo *rule = finding_rule_info(finding->rule);
  json_t *object = json_need(json_object());
  put_text(w, object, "ruleId", rule->id);
  put_text(w, object, "rule", rule->name);
  put_text(w, object, "level", level_word(finding->level));
  put_text(w, object, "certainty", certainty_word(finding->certainty));
  put_text(w, object, "cause", finding->cause);
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
  put_number(object, "count", finding->count);
  put_text(w, object, "fingerprint", group_identity(group, w->arena));
  return object;
}

// Shown findings and others apart, so that a reader of `findings` need not know about suppression.
static json_t *make_findings(const Writer *w, const ReportGroups *groups, bool shown) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < groups->count; i++) {
    const ReportGroup *group = &groups->items[i];
    if (group_is_shown(group) != shown) continue;
    json_t *object = make_finding(w, group);
    if (!shown)
      put_text(w, object, "suppression", group->suppression ? group->suppression : "in the baseline");
    json_push(array, object);
  }
  return array;
}

// ---- the document
// ------------------------------------------------------------------------------------------------

static json_t *make_tool(const Writer *w) {
  json_t *object = json_need(json_object());
  put_text(w, object, "name", "hgrd-check");
  put_text(w, object, "version", w->options->version ? w->options->version : "0");
  put_number(object, "schema", 1);
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

static json_t *make_stats(const Writer *w) {
  ReportTotals totals = report_totals(w->input, w->options, w->arena);
  json_t *object = json_need(json_object());
  put_seconds(w, object, "frontend_seconds", w->input->stats.frontend_seconds);
  put_seconds(w, object, "analysis_seconds", w->input->stats.analysis_seconds);
  json_put(object, "peak_bytes",
           w->input->stats.has_times ? json_integer((json_int_t)w->input->stats.peak_bytes) : json_null());
  put_number(object, "kernels", totals.kernels);
  put_number(object, "race_free", totals.safe);
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

void report_json(const ReportInput *input, const ReportOptions *options, Arena *arena, StrBuf *out) {
  Writer w = {input, options, arena};
  ReportGroups groups = report_group(input, options, arena);
  json_t *document = json_need(json_object());
  json_put(document, "tool", make_tool(&w));
  json_put(document, "complete", json_boolean(!input->is_interrupted));
  json_put(document, "files", make_files(&w));
  json_put(document, "kernels", make_kernels(&w));
  json_put(document, "findings", make_findings(&w, &groups, true));
  json_put(document, "suppressed", make_findings(&w, &groups, false));
  json_put(document, "assumptions", make_assumptions(&w, &groups));
  json_put(document, "messages", make_messages(&w));
  json_put(document, "stats", make_stats(&w));
  json_print(document, out);
}
