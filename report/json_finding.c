// How does a program read one finding? Its accesses, its witness with both threads, what a run showed, the fact that is missing, fixes.
//
// Soundness: no effect on verdicts; members that are not known are absent (docs/schema/hgrd-1.json).
// SPDX-License-Identifier: Apache-2.0
#include "report/json_writer.h"
#include "core/bug.h"

static json_t *make_inlining(const JsonWriter *w, const SrcLoc *loc) {
  json_t *array = json_need(json_array());
  for (; loc->inlined_at; loc = loc->inlined_at) {
    json_t *object = json_need(json_object());
    writer_put_loc(w, object, loc->inlined_at);
    writer_put_text(w, object, "callee", loc->function);
    writer_put_text(w, object, "function", loc->inlined_at->function);
    json_push(array, object);
  }
  return array;
}

// The part of the line that is the access: columns in bytes, the last one exclusive.
static void put_range(const JsonWriter *w, json_t *object, const SrcLoc *loc) {
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

static json_t *make_access(const JsonWriter *w, const Finding *finding, int index) {
  ASSERT(index == 0 || index == 1);
  const FindingAccess *access = &finding->accesses[index];
  json_t *object = json_need(json_object());
  writer_put_loc(w, object, &access->loc);
  put_range(w, object, &access->loc);
  // A barrier is no access, but it stands where accesses stand.
  writer_put_text(w, object, "kind",
                  !finding_rule_is_race(finding->rule) ? "barrier" : access_id(access->kind));
  writer_put_text(w, object, "function", access->loc.function);
  json_put_number(object, "bytes", access->bytes);
  json_put(object, "inlinedAt", make_inlining(w, &access->loc));
  return object;
}

static json_t *make_accesses(const JsonWriter *w, const Finding *finding) {
  json_t *array = json_need(json_array());
  for (int i = 0; i < 2; i++)
    json_push(array, make_access(w, finding, i));
  return array;
}

static json_t *make_values(const JsonWriter *w, uint32_t count, const WitnessValue *items) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "name", items[i].name);
    json_put_number(object, "value", items[i].value);
    writer_put_loc(w, object, &items[i].loc);
    json_push(array, object);
  }
  return array;
}

static json_t *make_barriers(const JsonWriter *w, uint32_t count, const WitnessBarrier *items) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < count; i++) {
    json_t *object = json_need(json_object());
    writer_put_loc(w, object, &items[i].loc);
    writer_put_text(w, object, "scope", barrier_word(items[i].scope));
    json_put(object, "holdsBoth", json_boolean(items[i].holds_both));
    json_push(array, object);
  }
  return array;
}

static json_t *make_interval(const JsonWriter *w, const WitnessInterval *interval) {
  json_t *object = json_need(json_object());
  if (interval->is_run) json_put_number(object, "passed", interval->passed);
  json_put_number(object, "goesOnFor", interval->going_on);
  json_put(object, "before", make_barriers(w, interval->before.count, interval->before.items));
  json_put(object, "after", make_barriers(w, interval->after.count, interval->after.items));
  json_put(object, "whole", json_boolean(interval->is_whole));
  return object;
}

static json_t *make_witness_thread(const JsonWriter *w, const Witness *witness, int index) {
  ASSERT(index == 0 || index == 1);
  const WitnessThread *thread = &witness->threads[index];
  json_t *object = json_need(json_object());
  json_put(object, "block", json_triple(thread->block_idx));
  json_put(object, "thread", json_triple(thread->thread_idx));
  json_put_number(object, "warp", thread->warp);
  json_put_number(object, "lane", thread->lane);
  json_put(object, "iterations",
           make_values(w, witness->iterations[index].count, witness->iterations[index].items));
  if (thread->interval.is_known) json_put(object, "interval", make_interval(w, &thread->interval));
  return object;
}

static json_t *make_witness(const JsonWriter *w, const Finding *finding) {
  const Witness *found = &finding->witness;
  if (!has_witness(finding)) return json_null();
  json_t *object = json_need(json_object()), *threads = json_need(json_array());
  json_put(object, "grid", json_triple(found->grid_dim));
  json_put(object, "block", json_triple(found->block_dim));
  for (int i = 0; i < 2; i++)
    json_push(threads, make_witness_thread(w, found, i));
  json_put(object, "threads", threads);
  writer_put_text(w, object, "address", found->address);
  json_put_number(object, "offset", found->offset);
  json_put(object, "values", make_values(w, found->values.count, found->values.items));
  json_put(object, "memory", make_values(w, found->memory.count, found->memory.items));
  json_put(object, "replayed", json_boolean(found->is_replayed));
  return object;
}

// What a run of the program showed: the threads stand in the witness.
static json_t *make_observation(const JsonWriter *w, const Observation *seen) {
  json_t *object = json_need(json_object()), *launch = json_need(json_object());
  writer_put_text(w, object, "schedule", seen->schedule);
  writer_put_text(w, object, "detector", seen->detector);
  writer_put_text(w, object, "text", seen->text);
  writer_put_loc(w, launch, &seen->launch_loc);
  json_put_number(launch, "number", (int64_t)seen->launch);
  json_put(object, "launch", launch);
  return object;
}

static json_t *make_finding_launch(const JsonWriter *w, const ReportGroup *group) {
  json_t *object = json_need(json_object());
  writer_put_text(w, object, "text", group->finding.launch);
  writer_put_loc(w, object, &group->finding.launch_loc);
  json_put_number(object, "others", group->others.count);
  return object;
}

static json_t *make_notes(const JsonWriter *w, const Finding *finding) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    json_t *object = json_need(json_object());
    writer_put_text(w, object, "text", finding->notes.items[i].text);
    writer_put_loc(w, object, &finding->notes.items[i].loc);
    json_push(array, object);
  }
  return array;
}

// The host fact whose lack the finding is: null if none was found.
static json_t *make_missing_fact(const JsonWriter *w, const Finding *finding) {
  if (!finding->mend) return json_need(json_null());
  json_t *object = json_need(json_object());
  writer_put_text(w, object, "condition", finding->mend);
  if (finding->weaker_mend) writer_put_text(w, object, "weaker", finding->weaker_mend);
  writer_put_text(w, object, "enoughFor", finding->mends_kernel ? "kernel" : "finding");
  return object;
}

static json_t *make_edit(const JsonWriter *w, const FixEdit *edit) {
  json_t *object = json_need(json_object());
  writer_put_text(w, object, "file", edit->file);
  json_put_number(object, "startLine", edit->start_line);
  json_put_number(object, "startColumn", edit->start_column);
  json_put_number(object, "endLine", edit->end_line);
  json_put_number(object, "endColumn", edit->end_column);
  writer_put_text(w, object, "text", edit->text);
  return object;
}

// None, or the one that was proved.
static json_t *make_fixes(const JsonWriter *w, const ReportFix *found) {
  json_t *array = json_need(json_array());
  if (!found->fix) return array;
  json_t *object = json_need(json_object()), *edits = json_need(json_array());
  writer_put_text(w, object, "title", found->fix->title);
  json_put(object, "assumption", json_boolean(found->fix->is_assumption));
  for (uint32_t i = 0; i < found->fix->edits.count; i++)
    json_push(edits, make_edit(w, &found->fix->edits.items[i]));
  json_put(object, "edits", edits);
  writer_put_text(w, object, "diff", found->fix->diff);
  json_push(array, object);
  return array;
}

static json_t *make_finding(const JsonWriter *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const FindingRuleInfo *rule = finding_rule_info(finding->rule);
  json_t *object = json_need(json_object());
  writer_put_text(w, object, "ruleId", rule->id);
  writer_put_text(w, object, "rule", rule->name);
  writer_put_text(w, object, "level", level_word(finding->level));
  writer_put_text(w, object, "certainty", certainty_word(finding->certainty));
  writer_put_text(w, object, "cause", finding->cause);
  if (finding->memory_model) writer_put_text(w, object, "memoryModel", finding->memory_model);
  if (finding->memory_rule) writer_put_text(w, object, "memoryRule", finding->memory_rule);
  writer_put_text(w, object, "kernel", finding->kernel);
  writer_put_text(w, object, "object", finding->object);
  writer_put_text(w, object, "message", message_text(w->arena, finding));
  json_put(object, "accesses", make_accesses(w, finding));
  json_put(object, "witness", make_witness(w, finding));
  json_put(object, "launch", make_finding_launch(w, group));
  json_put(object, "facts", writer_facts(w, finding->facts.count, finding->facts.items));
  json_put(object, "missingFact", make_missing_fact(w, finding));
  json_put(object, "assumptions", json_assumption_ids(finding->assumptions));
  json_put(object, "notes", make_notes(w, finding));
  if (finding->observed) json_put(object, "observed", make_observation(w, finding->observed));
  const ReportFix *found = fix_of(w->report, group);
  if (found) json_put(object, "fixes", make_fixes(w, found));
  if (found) json_put_number(object, "fixesTried", found->tried);
  json_put_number(object, "count", finding->count);
  writer_put_text(w, object, "fingerprint", group_identity(group, w->arena));
  if (group->face) writer_put_text(w, object, "sameMistakeAs", group_identity(group->face, w->arena));
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
void writer_put_findings(const JsonWriter *w, JsonStream *stream, const char *key, bool shown) {
  ASSERT(w && stream);
  ASSERT(key);
  const ReportGroups *groups = &w->report->groups;
  json_stream_key(stream, key);
  json_stream_open(stream, '[');
  for (uint32_t i = 0; i < groups->count; i++) {
    const ReportGroup *group = &groups->items[i];
    if (group_is_shown(group) != shown) continue;
    ArenaMark mark = arena_mark(w->arena);
    json_t *object = make_finding(w, group);
    if (!shown) {
      writer_put_text(w, object, "suppression", group->suppressed ? group->reason : "in the baseline");
      writer_put_text(w, object, "suppressionKind", suppression_word(group));
    }
    json_stream_value(stream, object);
    arena_release(w->arena, mark);
  }
  json_stream_close(stream, ']');
}
