// How do code scanning services and SARIF viewers read the result? SARIF 2.1.0 (OASIS standard, 2020), one
// run.
//
// A finding is a result with its first access as location; the other access, launch, calls and facts are
// related locations, and the other access is linked from the message. The witness is a code flow with one
// thread flow for each of the two CUDA threads, with the witness's values as initial state. Undecided kernels
// are notifications of the invocation: they are not results. Columns are converted from bytes to code points,
// the nearest unit SARIF has.
//
// Soundness: results carry the level of the text report; suppressed and known ones are marked, not dropped.
// SPDX-License-Identifier: Apache-2.0
#include "report/json_util.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

typedef struct Writer {
  const Report *report;
  const ReportInput *input;
  const ReportOptions *options;
  Arena *arena;
} Writer;

static void put_text(const Writer *w, json_t *object, const char *key, const char *value) {
  json_put(object, key, json_text(value, w->arena));
}

static json_t *make_message(const Writer *w, const char *text) {
  json_t *object = json_need(json_object());
  put_text(w, object, "text", text);
  return object;
}

// ---- places

// Columns count bytes here and code points there.
static uint32_t code_point_column(const char *line, uint32_t column) {
  if (!line || column > strlen(line) + 1) return column;
  uint32_t points = 1, length;
  for (uint32_t at = 0; at + 1 < column && line[at]; at += length, points++)
    utf8_next(line + at, &length);
  return points;
}

static json_t *make_artifact_location(const Writer *w, const char *path) {
  json_t *object = json_need(json_object());
  put_text(w, object, "uri", escape_uri(w->arena, path));
  if (path[0] != '/' && w->options->source_root) put_text(w, object, "uriBaseId", "SRCROOT");
  return object;
}

static json_t *make_region(const Writer *w, const SrcLoc *loc) {
  json_t *region = json_need(json_object());
  json_put(region, "startLine", json_integer(loc->line));
  if (loc->column == 0) return region;
  const ReportOptions *options = w->options;
  const char *line = options->read_line ? options->read_line(options->context, loc->file, loc->line) : NULL;
  Extent extent = extent_of(line, loc->column);
  json_put(region, "startColumn", json_integer(code_point_column(line, extent.start)));
  json_put(region, "endColumn", json_integer(code_point_column(line, extent.end)));
  return region;
}

static json_t *make_physical(const Writer *w, const SrcLoc *loc) {
  json_t *object = json_need(json_object());
  json_put(object, "artifactLocation", make_artifact_location(w, loc->file));
  if (loc->line) json_put(object, "region", make_region(w, loc));
  return object;
}

// `text` NULL: no message; id 0: none.
static json_t *make_location(const Writer *w, const SrcLoc *loc, const char *text, uint32_t id) {
  json_t *object = json_need(json_object());
  if (id) json_put(object, "id", json_integer(id));
  if (loc_known(loc)) json_put(object, "physicalLocation", make_physical(w, loc));
  if (text) json_put(object, "message", make_message(w, text));
  return object;
}

static void put_logical(const Writer *w, json_t *location, const char *function) {
  if (!function || !function[0]) return;
  json_t *array = json_need(json_array()), *object = json_need(json_object());
  put_text(w, object, "fullyQualifiedName", function);
  put_text(w, object, "kind", "function");
  json_push(array, object);
  json_put(location, "logicalLocations", array);
}

// ---- message

enum { ID_OTHER_ACCESS = 1 };

// Brackets would be read as links where "](" follows: then all of them are escaped.
static void add_plain(StrBuf *out, const char *text, size_t length, bool escape) {
  for (size_t i = 0; i < length; i++) {
    if (escape && strchr("[]\\", text[i])) strbuf_add(out, "\\");
    strbuf_add_n(out, text + i, 1);
  }
}

// The message with the other access's place made a link: "... with read at [k.cu:31](1) by ...".
static const char *linked_message(const Writer *w, const Finding *finding) {
  const char *text = message_text(w->arena, finding), *place = loc_text(w->arena, &finding->accesses[1].loc);
  bool escape = strstr(text, "](") != NULL;
  StrBuf out = {.arena = w->arena};
  const char *at = has_second_access(finding) ? strstr(text, place) : NULL;
  add_plain(&out, text, at ? (size_t)(at - text) : strlen(text), escape);
  if (has_second_access(finding)) {
    strbuf_add(&out, at ? "[" : " (see the [");
    add_plain(&out, at ? place : "other place", at ? strlen(place) : strlen("other place"), true);
    strbuf_printf(&out, "](%d)%s", ID_OTHER_ACCESS, at ? "" : ")");
  }
  if (at) add_plain(&out, at + strlen(place), strlen(at + strlen(place)), escape);
  return strbuf_text(&out);
}

// ---- related locations

typedef struct Related {
  const Writer *writer;
  json_t *array;
  uint32_t next_id;
} Related;

static void add_related(Related *related, const SrcLoc *loc, const char *text) {
  if (loc_known(loc))
    json_push(related->array, make_location(related->writer, loc, text, related->next_id++));
}

static void add_inlining(Related *related, const SrcLoc *loc) {
  Arena *arena = related->writer->arena;
  for (; loc->inlined_at; loc = loc->inlined_at)
    add_related(related, loc->inlined_at,
                arena_printf(arena, "'%s' inlined here", escape_visible(arena, loc->function)));
}

static json_t *make_related(const Writer *w, const Finding *finding) {
  Related related = {w, json_need(json_array()), ID_OTHER_ACCESS};
  add_related(&related, &finding->accesses[1].loc,
              !finding_rule_is_race(finding->rule) ? second_place_text(finding->rule) : "the other access");
  related.next_id = ID_OTHER_ACCESS + 1; // the link's number is reserved
  add_inlining(&related, &finding->accesses[0].loc);
  add_inlining(&related, &finding->accesses[1].loc);
  add_related(&related, &finding->launch_loc, "launched here");
  for (uint32_t i = 0; i < finding->facts.count; i++) {
    const Fact *fact = finding->facts.items[i];
    add_related(&related, &fact->loc,
                arena_printf(w->arena, "respects %s [%s]", escape_visible(w->arena, fact->text),
                             fact_word(fact->class)));
  }
  for (uint32_t i = 0; i < finding->notes.count; i++)
    add_related(&related, &finding->notes.items[i].loc,
                escape_visible(w->arena, finding->notes.items[i].text));
  return related.array;
}

// ---- code flow

static void put_state(const Writer *w, json_t *state, const char *name, int64_t value) {
  json_put(state, escape_utf8(w->arena, name), make_message(w, arena_printf(w->arena, "%" PRId64, value)));
}

static void put_values(const Writer *w, json_t *state, uint32_t count, const WitnessValue *values) {
  for (uint32_t i = 0; i < count; i++)
    put_state(w, state, values[i].name ? values[i].name : "", values[i].value);
}

static void put_axes(const Writer *w, json_t *state, const char *name, const int64_t values[3]) {
  for (int axis = 0; axis < 3; axis++)
    put_state(w, state, arena_printf(w->arena, "%s.%c", name, 'x' + axis), values[axis]);
}

static json_t *make_state(const Writer *w, const Witness *witness, int thread) {
  json_t *state = json_need(json_object());
  put_axes(w, state, "gridDim", witness->grid_dim);
  put_axes(w, state, "blockDim", witness->block_dim);
  put_axes(w, state, "blockIdx", witness->threads[thread].block_idx);
  put_axes(w, state, "threadIdx", witness->threads[thread].thread_idx);
  put_values(w, state, witness->values.count, witness->values.items);
  put_values(w, state, witness->iterations[thread].count, witness->iterations[thread].items);
  put_values(w, state, witness->memory.count, witness->memory.items);
  return state;
}

static void add_step(const Writer *w, json_t *steps, const SrcLoc *loc, const char *text, uint32_t depth) {
  if (!loc_known(loc)) return;
  json_t *step = json_need(json_object());
  json_put(step, "location", make_location(w, loc, text, 0));
  json_put(step, "nestingLevel", json_integer(depth));
  json_push(steps, step);
}

// Outermost call first. Returns the depth of the access.
static uint32_t add_calls(const Writer *w, json_t *steps, const SrcLoc *loc) {
  if (!loc->inlined_at) return 1;
  uint32_t depth = add_calls(w, steps, loc->inlined_at);
  add_step(w, steps, loc->inlined_at,
           arena_printf(w->arena, "calls '%s'", escape_visible(w->arena, loc->function)), depth);
  return depth + 1;
}

static const char *access_text(const Writer *w, const Finding *finding, int thread) {
  if (finding->rule == RULE_BARRIER_DIVERGENCE) return thread == 0 ? "waits at the barrier" : "goes this way";
  if (!finding_rule_is_race(finding->rule)) return thread == 0 ? "here" : "this belongs to it";
  const char *address =
      finding->witness.address && finding->witness.address[0] ? finding->witness.address : finding->object;
  return arena_printf(w->arena, "%s of %s", access_word(finding->accesses[thread].kind),
                      escape_visible(w->arena, address));
}

static json_t *make_thread_flow(const Writer *w, const Finding *finding, int thread) {
  const WitnessThread *who = &finding->witness.threads[thread];
  const SrcLoc *loc = &finding->accesses[thread].loc;
  json_t *flow = json_need(json_object()), *steps = json_need(json_array());
  put_text(w, flow, "id",
           arena_printf(w->arena, "thread %s of block %s", triple_text(w->arena, who->thread_idx),
                        triple_text(w->arena, who->block_idx)));
  json_put(flow, "initialState", make_state(w, &finding->witness, thread));
  add_step(w, steps, &finding->launch_loc, "launch", 0);
  uint32_t depth = add_calls(w, steps, loc);
  add_step(w, steps, loc, access_text(w, finding, thread), depth);
  json_put(flow, "locations", steps);
  return flow;
}

static json_t *make_code_flows(const Writer *w, const Finding *finding) {
  json_t *flows = json_need(json_array()), *flow = json_need(json_object()),
         *threads = json_need(json_array());
  for (int thread = 0; thread < 2; thread++)
    if (loc_known(&finding->accesses[thread].loc)) // a thread flow must not be empty
      json_push(threads, make_thread_flow(w, finding, thread));
  json_put(flow, "threadFlows", threads);
  json_push(flows, flow);
  return flows;
}

// ---- results

static json_t *make_assumptions(unsigned assumptions) {
  json_t *array = json_need(json_array());
#define X(bit, id, telling, words)                                                                           \
  if (assumptions >> (bit)&1) json_push(array, json_string(id));
  ASSUMPTIONS(X)
#undef X
  return array;
}

static json_t *make_properties(const Writer *w, const Finding *finding) {
  json_t *object = json_need(json_object());
  put_text(w, object, "certainty", certainty_word(finding->certainty));
  put_text(w, object, "cause", finding->cause);
  if (finding->memory_model) put_text(w, object, "memoryModel", finding->memory_model);
  if (finding->memory_rule) put_text(w, object, "memoryRule", finding->memory_rule);
  put_text(w, object, "kernel", finding->kernel);
  put_text(w, object, "object", finding->object);
  put_text(w, object, "launch", finding->launch);
  put_text(w, object, "address", finding->witness.address);
  if (finding->mend) put_text(w, object, "missingFact", finding->mend);
  if (finding->observed) put_text(w, object, "schedule", finding->observed->schedule);
  if (finding->observed) put_text(w, object, "observed", finding->observed->text);
  json_put(object, "assumptions", make_assumptions(finding->assumptions));
  return object;
}

static json_t *make_suppressions(const ReportGroup *group, const Writer *w) {
  json_t *array = json_need(json_array()), *object = json_need(json_object());
  put_text(w, object, "kind", group->suppressed == SUPPRESSED_BY_COMMENT ? "inSource" : "external");
  put_text(w, object, "justification", group->reason);
  json_push(array, object);
  return array;
}

static json_t *make_result_locations(const Writer *w, const ReportGroup *group) {
  const SrcLoc *loc = &group->finding.accesses[0].loc;
  json_t *array = json_need(json_array());
  json_t *location = make_location(w, loc_known(loc) ? loc : &group->result->loc, NULL, 0);
  put_logical(w, location, group->finding.kernel);
  json_push(array, location);
  return array;
}

// ---- fixes
static uint32_t fix_column(const Writer *w, const char *file, uint32_t line, uint32_t column) {
  const ReportOptions *options = w->options;
  const char *text = options->read_line ? options->read_line(options->context, file, line) : NULL;
  return text ? code_point_column(text, column) : column;
}

static json_t *make_replacement(const Writer *w, const FixEdit *edit) {
  json_t *object = json_need(json_object()), *region = json_need(json_object()),
         *content = json_need(json_object());
  json_put(region, "startLine", json_integer(edit->start_line));
  json_put(region, "startColumn",
           json_integer(fix_column(w, edit->file, edit->start_line, edit->start_column)));
  json_put(region, "endLine", json_integer(edit->end_line));
  json_put(region, "endColumn", json_integer(fix_column(w, edit->file, edit->end_line, edit->end_column)));
  put_text(w, content, "text", edit->text);
  json_put(object, "deletedRegion", region);
  json_put(object, "insertedContent", content);
  return object;
}

// Edits of one file stand together.
static json_t *make_changes(const Writer *w, const Fix *fix) {
  json_t *changes = json_need(json_array()), *replacements = NULL;
  for (uint32_t i = 0; i < fix->edits.count; i++) {
    const FixEdit *edit = &fix->edits.items[i];
    if (i == 0 || strcmp(edit->file, fix->edits.items[i - 1].file) != 0) {
      json_t *change = json_need(json_object());
      replacements = json_need(json_array());
      json_put(change, "artifactLocation", make_artifact_location(w, edit->file));
      json_put(change, "replacements", replacements);
      json_push(changes, change);
    }
    json_push(replacements, make_replacement(w, edit));
  }
  return changes;
}

static json_t *make_fixes(const Writer *w, const Fix *fix) {
  json_t *fixes = json_need(json_array()), *object = json_need(json_object());
  json_put(object, "description", make_message(w, escape_visible(w->arena, fix->title)));
  json_put(object, "artifactChanges", make_changes(w, fix));
  json_push(fixes, object);
  return fixes;
}

static json_t *make_result(const Writer *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  json_t *object = json_need(json_object()), *prints = json_need(json_object());
  put_text(w, object, "ruleId", finding_rule_info(finding->rule)->id);
  json_put(object, "ruleIndex", json_integer((int)finding->rule - 1));
  put_text(w, object, "level", level_word(finding->level));
  json_put(object, "message", make_message(w, linked_message(w, finding)));
  json_put(object, "locations", make_result_locations(w, group));
  json_put(object, "relatedLocations", make_related(w, finding));
  if (has_witness(finding) && loc_known(&finding->accesses[0].loc))
    json_put(object, "codeFlows", make_code_flows(w, finding));
  put_text(w, prints, "hgrdFinding/v1", print_identity(&group->first_print, w->arena));
  put_text(w, prints, "hgrdFinding/v2", group_identity(group, w->arena));
  json_put(object, "partialFingerprints", prints);
  json_put(object, "occurrenceCount", json_integer(finding->count));
  if (group->suppressed) json_put(object, "suppressions", make_suppressions(group, w));
  if (w->options->baseline) put_text(w, object, "baselineState", group->is_known ? "unchanged" : "new");
  const ReportFix *found = fix_of(w->report, group);
  if (found && found->fix) json_put(object, "fixes", make_fixes(w, found->fix));
  json_put(object, "properties", make_properties(w, finding));
  return object;
}

static void put_results(const Writer *w, JsonStream *stream) {
  json_stream_key(stream, "results");
  json_stream_open(stream, '[');
  for (uint32_t i = 0; i < w->report->groups.count; i++) {
    ArenaMark mark = arena_mark(w->arena);
    json_stream_value(stream, make_result(w, &w->report->groups.items[i]));
    arena_release(w->arena, mark);
  }
  json_stream_close(stream, ']');
}

// ---- tool and run

// The weakness that a rule is an instance of, in the Common Weakness Enumeration.
static int rule_weakness(FindingRule rule) {
  if (rule == RULE_LOCK_MISUSE) return 667;      // improper locking
  return finding_rule_is_race(rule) ? 362 : 821; // race condition; incorrect synchronization
}

// "intra-block-race" as the standard wants names: "IntraBlockRace".
static const char *pascal_name(const Writer *w, const char *name) {
  char *out = arena_strdup(w->arena, name);
  size_t length = 0;
  for (bool is_first = true; *name; name++) {
    if (*name != '-') out[length++] = is_first ? (char)(*name - 'a' + 'A') : *name;
    is_first = *name == '-';
  }
  out[length] = 0;
  return out;
}

// "A sentence." from "a sentence".
static const char *sentence(const Writer *w, const char *text) {
  char *out = arena_printf(w->arena, "%s.", text);
  if (out[0] >= 'a' && out[0] <= 'z') out[0] = (char)(out[0] - 'a' + 'A');
  return out;
}

static json_t *make_rule_properties(const Writer *w, FindingRule rule) {
  json_t *properties = json_need(json_object()), *tags = json_need(json_array());
  put_text(w, properties, "precision", rule == RULE_SAME_VALUE ? "high" : "very-high");
  put_text(w, properties, "problem.severity",
           finding_rule_info(rule)->level == LEVEL_NOTE ? "recommendation" : "error");
  json_push(tags, json_string("concurrency"));
  json_push(tags, json_string("correctness"));
  json_push(tags, json_string("cuda"));
  json_push(tags, json_text(arena_printf(w->arena, "external/cwe/cwe-%d", rule_weakness(rule)), w->arena));
  json_put(properties, "tags", tags);
  return properties;
}

// The first paragraph of the page says in full what the rule is about.
static const char *full_description(const Writer *w, FindingRule rule) {
  const char *page = report_explain(rule), *start = strstr(page, "\n\n");
  const char *end = start ? strstr(start + 2, "\n\n") : NULL;
  if (!end) return sentence(w, finding_rule_info(rule)->help);
  char *text = arena_strndup(w->arena, start + 2, (size_t)(end - start) - 2);
  char *to = text; // plain text: without the marks of Markdown
  for (const char *at = text; *at; at++)
    if (!strchr("*`", *at)) *to++ = *at == '\n' ? ' ' : *at;
  *to = 0;
  return text;
}

// The page of the rule where somebody has published them, else the kind of weakness.
static const char *help_address(const Writer *w, FindingRule rule) {
  const char *site = w->options->docs_url;
  if (site) return arena_printf(w->arena, "%s/rules/%s.html", site, finding_rule_info(rule)->name);
  return arena_printf(w->arena, "https://cwe.mitre.org/data/definitions/%d.html", rule_weakness(rule));
}

static json_t *make_rule(const Writer *w, FindingRule rule) {
  const FindingRuleInfo *info = finding_rule_info(rule);
  json_t *object = json_need(json_object()), *help = json_need(json_object());
  json_t *configuration = json_need(json_object());
  put_text(w, object, "id", info->id);
  put_text(w, object, "name", pascal_name(w, info->name));
  json_put(object, "shortDescription", make_message(w, sentence(w, info->help)));
  json_put(object, "fullDescription", make_message(w, full_description(w, rule)));
  put_text(w, object, "helpUri", help_address(w, rule));
  put_text(w, help, "text", report_explain(rule));
  put_text(w, help, "markdown", report_explain(rule));
  json_put(object, "help", help);
  put_text(w, configuration, "level", level_word(info->level));
  json_put(object, "defaultConfiguration", configuration);
  json_put(object, "properties", make_rule_properties(w, rule));
  return object;
}

// What can be notified: X-list of id, description and what to do about it.
#define NOTIFICATIONS(X)                                                                                     \
  X("undecided", "A kernel could be proved neither race-free nor racy.",                                     \
    "The message names what was not understood or not proved. An undecided kernel is no pass.")              \
  X("provisional", "A kernel is race-free only if what was left out of the input does not matter.",          \
    "Name the folders of headers and the flags of the build, after -- or with -p.")                          \
  X("message", "A message about the run: input that does not compile, limits reached.",                      \
    "Errors mean that a part of the program was not checked.")                                               \
  X("stale-suppression", "A suppression that covers no finding, or names no rule.",                          \
    "Take the comment or the line out, so that it does not hide the next finding.")                          \
  X("stale-baseline", "A finding of the baseline that is not found any more.",                               \
    "Write the baseline anew with --write-baseline.")

static json_t *make_notification_kind(const Writer *w, const char *id, const char *text, const char *help) {
  json_t *object = json_need(json_object());
  put_text(w, object, "id", id);
  json_put(object, "shortDescription", make_message(w, text));
  json_put(object, "fullDescription", make_message(w, text));
  json_put(object, "help", make_message(w, help));
  return object;
}

static json_t *make_tool(const Writer *w) {
  json_t *tool = json_need(json_object()), *driver = json_need(json_object());
  json_t *rules = json_need(json_array()), *notifications = json_need(json_array());
  const char *version = w->options->version ? w->options->version : "0";
  put_text(w, driver, "name", "hgrd-check");
  put_text(w, driver, "version", version);
  put_text(w, driver, "semanticVersion", strchr(version, '.') ? version : "0.0.0");
  json_put(driver, "shortDescription", make_message(w, "Finds data races in CUDA kernels while compiling."));
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
    json_push(rules, make_rule(w, (FindingRule)rule));
  json_put(driver, "rules", rules);
#define X(name, text, help) json_push(notifications, make_notification_kind(w, name, text, help));
  NOTIFICATIONS(X)
#undef X
  json_put(driver, "notifications", notifications);
  json_put(tool, "driver", driver);
  return tool;
}

static json_t *make_notification(const Writer *w, const char *id, const SrcLoc *loc, const char *level,
                                 const char *text) {
  json_t *object = json_need(json_object()), *descriptor = json_need(json_object());
  put_text(w, descriptor, "id", id);
  json_put(object, "descriptor", descriptor);
  put_text(w, object, "level", level);
  json_put(object, "message", make_message(w, text));
  if (loc_known(loc)) {
    json_t *locations = json_need(json_array());
    json_push(locations, make_location(w, loc, NULL, 0));
    json_put(object, "locations", locations);
  }
  return object;
}

static void put_undecided(const Writer *w, JsonStream *stream) {
  const UndecidedGroups *reasons = &w->report->undecided;
  for (uint32_t i = 0; i < reasons->count; i++) {
    const char *text = arena_printf(w->arena, "kernel '%s' is undecided: %s",
                                    escape_visible(w->arena, reasons->items[i].result->kernel),
                                    escape_visible(w->arena, reasons->items[i].text));
    json_stream_value(stream, make_notification(w, "undecided", &reasons->items[i].loc, "note", text));
  }
}

static void put_provisional(const Writer *w, JsonStream *stream) {
  for (uint32_t i = 0; i < w->report->kernels.count; i++) {
    const KernelSummary *kernel = &w->report->kernels.items[i];
    if (!kernel_leans_on_gaps(kernel)) continue;
    const char *text = provisional_text(w->report, kernel, w->arena);
    json_stream_value(stream, make_notification(w, "provisional", &kernel->first->loc, "warning", text));
  }
}

static void put_stale(const Writer *w, JsonStream *stream) {
  for (uint32_t i = 0; i < w->report->stales.list.count; i++) {
    const ReportStale *stale = &w->report->stales.list.items[i];
    json_stream_value(stream, make_notification(w, stale->kind, &stale->loc, "note",
                                                escape_visible(w->arena, stale->text)));
  }
}

static void put_messages(const Writer *w, JsonStream *stream) {
  const DiagSink *diags = w->input->diags;
  for (uint32_t i = 0; diags && i < diags->diags.count; i++) {
    const Diag *diag = &diags->diags.items[i];
    json_stream_value(stream, make_notification(w, "message", &diag->loc, severity_word(diag->severity),
                                                escape_visible(w->arena, diag->message)));
  }
}

static void put_invocations(const Writer *w, JsonStream *stream) {
  const DiagSink *diags = w->input->diags;
  bool is_good = !w->input->is_interrupted && !(diags && diags->error_count);
  json_stream_key(stream, "invocations");
  json_stream_open(stream, '[');
  json_stream_open(stream, '{');
  json_stream_member(stream, "executionSuccessful", json_boolean(is_good));
  if (w->input->exit_status >= 0) json_stream_member(stream, "exitCode", json_integer(w->input->exit_status));
  json_stream_key(stream, "toolExecutionNotifications");
  json_stream_open(stream, '[');
  put_messages(w, stream);
  put_undecided(w, stream);
  put_provisional(w, stream);
  put_stale(w, stream);
  json_stream_close(stream, ']');
  json_stream_close(stream, '}');
  json_stream_close(stream, ']');
}

static json_t *make_artifacts(const Writer *w) {
  json_t *array = json_need(json_array());
  for (uint32_t i = 0; i < w->input->file_count; i++) {
    json_t *object = json_need(json_object());
    json_put(object, "location", make_artifact_location(w, w->input->files[i].path));
    json_put(object, "roles", json_pack("[s]", "analysisTarget"));
    json_push(array, object);
  }
  return array;
}

static json_t *make_bases(const Writer *w) {
  json_t *bases = json_need(json_object()), *root = json_need(json_object());
  if (w->options->source_root) put_text(w, root, "uri", w->options->source_root);
  json_put(root, "description", make_message(w, "the folder that hgrd-check was started in"));
  json_put(bases, "SRCROOT", root);
  return bases;
}

void report_sarif(const Report *report, ReportSink *sink) {
  ASSERT(report_is_prepared(report));
  Arena *scratch = arena_open();
  Writer w = {report, report->input, report->options, scratch};
  JsonStream stream = {.sink = sink};
  json_stream_open(&stream, '{');
  json_stream_member(&stream, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
  json_stream_member(&stream, "version", json_string("2.1.0"));
  json_stream_key(&stream, "runs");
  json_stream_open(&stream, '[');
  json_stream_open(&stream, '{');
  json_stream_member(&stream, "tool", make_tool(&w));
  put_invocations(&w, &stream);
  if (report->options->source_root) json_stream_member(&stream, "originalUriBaseIds", make_bases(&w));
  json_stream_member(&stream, "columnKind", json_string("unicodeCodePoints"));
  json_stream_member(&stream, "artifacts", make_artifacts(&w));
  put_results(&w, &stream);
  json_stream_close(&stream, '}');
  json_stream_close(&stream, ']');
  json_stream_close(&stream, '}');
  arena_close(scratch);
}
