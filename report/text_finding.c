// How is one finding told to a person? Its line with the caret, then notes: the other access, the launch, the
// witness, what it leans on, a fix. What a reader needs fits on a screen; -v shows all.
//
// Soundness: says nothing about verdicts that is not in the results.
// SPDX-License-Identifier: Apache-2.0
#include "report/text_lines.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

// ---- notes of a finding

enum { CALLS_SHOWN = 2, VALUES_SHOWN = 6 }; // -v shows all

// The innermost calls, so that a finding fits on a screen.
static void put_inlining(const TextWriter *w, const SrcLoc *loc) {
  uint32_t count = 0, told = 0;
  for (const SrcLoc *at = loc; at->inlined_at; at = at->inlined_at)
    count++;
  bool is_cut = !w->options->is_verbose && count > CALLS_SHOWN + 1;
  for (; loc->inlined_at && !(is_cut && told == CALLS_SHOWN); loc = loc->inlined_at, told++) {
    const char *function = loc->function && loc->function[0] ? escape_visible(w->arena, loc->function) : "?";
    text_put_note(w, loc->inlined_at, arena_printf(w->arena, "in '%s', called here", function));
  }
  if (is_cut)
    text_put_note(w, loc->inlined_at,
                  arena_printf(w->arena, "and %" PRIu32 " more calls up to the kernel; -v lists them",
                               count - CALLS_SHOWN));
}

static bool same_place(const SrcLoc *a, const SrcLoc *b) {
  for (; a && b; a = a->inlined_at, b = b->inlined_at)
    if (loc_compare(a, b) != 0) return false;
  return a == b;
}

static void put_second_access(const TextWriter *w, const Finding *finding) {
  const FindingAccess *first = &finding->accesses[0], *second = &finding->accesses[1];
  if (!has_second_access(finding)) return;
  if (same_place(&first->loc, &second->loc)) {
    if (first->kind != second->kind)
      text_put_note(
          w, &second->loc,
          arena_printf(w->arena, "the other access is the %s of the same place", access_word(second->kind)));
    return;
  }
  const char *text = !finding_rule_is_race(finding->rule)
                         ? second_place_text(finding->rule)
                         : arena_printf(w->arena, "the other access: %s", access_word(second->kind));
  text_put_note(w, &second->loc, text);
  text_put_source(w, &second->loc);
  put_inlining(w, &second->loc);
}

enum { LAUNCH_SHOWN = 160 }; // bytes; -v shows all

// A launch with many or long arguments: what fits on a line.
static const char *launch_text(const TextWriter *w, const char *launch) {
  const char *text = escape_visible(w->arena, launch);
  size_t length = strlen(text), end = LAUNCH_SHOWN;
  if (w->options->is_verbose || length <= LAUNCH_SHOWN) return text;
  while (end > 0 && is_continuation_byte(text[end]))
    end--;
  return arena_printf(w->arena, "%.*s ...", (int)end, text);
}

static void put_launch(const TextWriter *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const char *launch = launch_text(w, finding->launch);
  if (!loc_known(&finding->launch_loc)) {
    if (launch[0]) text_put_note(w, &group->result->loc, arena_printf(w->arena, "under launch: %s", launch));
    return;
  }
  text_put_note(w, &finding->launch_loc,
                launch[0] ? arena_printf(w->arena, "launched here: %s", launch) : "launched here");
  for (const SrcLoc *at = &finding->launch_loc; at->inlined_at; at = at->inlined_at) {
    const char *function = at->function && at->function[0] ? at->function : "?";
    text_put_note(w, at->inlined_at,
                  arena_printf(w->arena, "in '%s', called here", escape_visible(w->arena, function)));
  }
  if (group->others.count)
    text_put_note(w, &finding->launch_loc,
                  arena_printf(w->arena, "and under %" PRIu32 " more launch%s", group->others.count,
                               group->others.count == 1 ? "" : "es"));
}

// Two host values may have one name and one value: a reader needs them once.
static bool is_repeated(const WitnessValue *values, uint32_t index) {
  for (uint32_t i = 0; i < index; i++)
    if (values[i].value == values[index].value && values[i].name && values[index].name &&
        strcmp(values[i].name, values[index].name) == 0)
      return true;
  return false;
}

static const char *values_text(const TextWriter *w, uint32_t count, const WitnessValue *values) {
  StrBuf text = {.arena = w->arena};
  uint32_t told = 0, more = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (is_repeated(values, i)) continue;
    if (told < VALUES_SHOWN || w->options->is_verbose)
      strbuf_printf(&text, "%s%s = %" PRId64, told++ ? ", " : "", escape_visible(w->arena, values[i].name),
                    values[i].value);
    else
      more++;
  }
  if (more) strbuf_printf(&text, " and %" PRIu32 " more; -v lists them", more);
  return strbuf_text(&text);
}

static void put_values(const TextWriter *w, const SrcLoc *loc, const char *what, uint32_t count,
                       const WitnessValue *values) {
  if (count) text_put_note(w, loc, arena_printf(w->arena, "%s %s", what, values_text(w, count, values)));
}

static const char *witness_thread(const TextWriter *w, const Finding *finding, int index) {
  ASSERT(index == 0 || index == 1);
  const WitnessThread *thread = &finding->witness.threads[index];
  return arena_printf(w->arena, "thread %s of block %s is lane %" PRId64 " of warp %" PRId64,
                      triple_text(w->arena, thread->thread_idx), triple_text(w->arena, thread->block_idx),
                      thread->lane, thread->warp);
}

static void put_iterations(const TextWriter *w, const SrcLoc *loc, const Witness *witness) {
  static const char *const threads[] = {"first thread with", "second thread with"};
  StrBuf text = {.arena = w->arena};
  for (int t = 0; t < 2; t++)
    if (witness->iterations[t].count)
      strbuf_printf(&text, "%s%s %s", text.length ? "; " : "witness: ", threads[t],
                    values_text(w, witness->iterations[t].count, witness->iterations[t].items));
  if (text.length) text_put_note(w, loc, strbuf_text(&text));
}

static void put_witness(const TextWriter *w, const Finding *finding) {
  const Witness *witness = &finding->witness;
  const SrcLoc *loc = &finding->accesses[0].loc;
  if (!has_witness(finding)) return;
  const char *address = "";
  if (witness->address && witness->address[0])
    address = arena_printf(w->arena, "; both at %s (byte %" PRId64 ")",
                           escape_visible(w->arena, witness->address), witness->offset);
  text_put_note(
      w, loc,
      arena_printf(w->arena, "%s: grid %s, block %s; %s; %s%s", finding->observed ? "observed" : "witness",
                   triple_text(w->arena, witness->grid_dim), triple_text(w->arena, witness->block_dim),
                   witness_thread(w, finding, 0), witness_thread(w, finding, 1), address));
  put_values(w, loc, "witness: host values", witness->values.count, witness->values.items);
  put_iterations(w, loc, witness);
  const char *intervals = w->options->is_verbose ? intervals_text(w->arena, finding) : NULL;
  if (intervals) text_put_note(w, loc, arena_printf(w->arena, "witness: %s", intervals));
  bool is_definite = finding->certainty == CERTAINTY_DEFINITE; // it knows them from the host code
  put_values(w, loc, is_definite ? "witness: memory contents" : "possible race: it needs the memory contents",
             witness->memory.count, witness->memory.items);
}

static const char *fact_text(const TextWriter *w, const Fact *fact) {
  StrBuf text = {.arena = w->arena};
  if (fact->text && fact->text[0])
    strbuf_add(&text, escape_visible(w->arena, fact->text));
  else if (fact->condition && w->report->input->pool)
    expr_print(w->report->input->pool, fact->condition, true, &text);
  if (loc_known(&fact->loc)) strbuf_printf(&text, ", from %s", loc_text(w->arena, &fact->loc));
  strbuf_printf(&text, " [%s]", fact_word(fact->class));
  return strbuf_text(&text);
}

// Facts without a place, such as dimensions from the command line, share one line.
void text_put_facts(const TextWriter *w, const SrcLoc *fallback, uint32_t count, const Fact *const *facts,
                    const char *verb) {
  ASSERT(count == 0 || (facts && verb));
  StrBuf rest = {.arena = w->arena};
  for (uint32_t i = 0; i < count; i++)
    if (loc_known(&facts[i]->loc))
      text_put_note(w, &facts[i]->loc, arena_printf(w->arena, "%s %s", verb, fact_text(w, facts[i])));
    else
      strbuf_printf(&rest, "%s %s", rest.length ? "," : verb, fact_text(w, facts[i]));
  if (rest.length) text_put_note(w, fallback, strbuf_text(&rest));
}

void text_put_assumptions(const TextWriter *w, const SrcLoc *loc, unsigned assumptions) {
  StrBuf text = {.arena = w->arena};
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *id;
    if (assumptions >> bit & 1) {
      const char *words = assumption_words(bit, &id);
      strbuf_printf(&text, "%s %s [%s]", text.length ? ";" : "assuming that", words, id);
    }
  }
  if (text.length) text_put_note(w, loc, strbuf_text(&text));
}

// "rule missing-fence, memory model cuda: ...", which --explain says as well.
static bool is_rule_note(const Finding *finding, const char *text) {
  return finding->memory_rule && str_starts_with(text, "rule ") && str_ends_with(text, finding->memory_rule);
}

// The hint behind a rule that is not shown names where it is explained.
static const char *note_text(const TextWriter *w, const Finding *finding, const char *text) {
  bool is_open = !w->options->is_verbose && str_starts_with(text, "hint: ") && finding->cause &&
                 cause_find(finding->cause) && !cause_is_plain(finding->cause);
  return is_open ? arena_printf(w->arena, "%s (why: --explain=%s)", text, finding->cause) : text;
}

static void put_notes(const TextWriter *w, const Finding *finding) {
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    const FindingNote *note = &finding->notes.items[i];
    if (is_rule_note(finding, note->text) && !w->options->is_verbose) continue;
    text_put_note(w, loc_known(&note->loc) ? &note->loc : &finding->accesses[0].loc,
                  escape_visible(w->arena, note_text(w, finding, note->text)));
  }
}

static const char *rule_tag(const TextWriter *w, const Finding *finding) {
  const FindingRuleInfo *info = finding_rule_info(finding->rule);
  return arena_printf(w->arena, finding->level == LEVEL_ERROR ? "-Werror=%s" : "-W%s", info->name);
}

enum { SYMPTOMS_SHOWN = 6 }; // of one mistake; -v shows each as a finding of its own

// The other findings of the same mistake, a line each.
void text_put_symptoms(const TextWriter *w, const ReportGroup *group) {
  ASSERT(group->symptoms.count == 0 || !group->face); // a face is no symptom itself
  uint32_t count = group->symptoms.count, shown = count > SYMPTOMS_SHOWN + 1 ? SYMPTOMS_SHOWN : count;
  for (uint32_t i = 0; i < shown; i++) {
    const ReportGroup *symptom = group->symptoms.items[i];
    const Finding *finding = &symptom->finding;
    text_put_line(w, group_place(symptom), LEVEL_NOTE,
                  arena_printf(w->arena, "the same mistake: %s", message_text(w->arena, finding)),
                  rule_tag(w, finding));
  }
  if (shown < count)
    text_put_note(
        w, group_place(group),
        arena_printf(w->arena, "and %" PRIu32 " more of the same mistake; -v lists them", count - shown));
}

// The lines that change, behind the margin of quoted text.
static void put_diff(const TextWriter *w, const char *diff) {
  while (*diff) {
    size_t length = strcspn(diff, "\n");
    strbuf_printf(w->out, "      | %s\n", escape_visible(w->arena, arena_strndup(w->arena, diff, length)));
    diff += length + (diff[length] == '\n');
  }
}

// A change that mends several findings is shown at the first of them.
static void put_proved_fix(const TextWriter *w, const ReportGroup *group, const Fix *fix) {
  const ReportGroup *shown_at =
      w->is_quoted
          ? group
          : fix_told_at(w->report, group,
                        (FixTelling){.certain_first = true, .with_symptoms = w->options->is_verbose});
  const char *verb = fix->is_assumption ? "proved if the host guarantees it" : "proved fix",
             *title = escape_visible(w->arena, fix->title);
  if (shown_at == group) {
    text_put_note(w, group_place(group), arena_printf(w->arena, "%s: %s", verb, title));
    put_diff(w, fix->diff);
  } else {
    text_put_note(w, group_place(group),
                  arena_printf(w->arena, "%s: %s, the change shown at %s", verb, title,
                               loc_text(w->arena, group_place(shown_at))));
  }
}

static void put_fix(const TextWriter *w, const ReportGroup *group) {
  const ReportFix *found = fix_of(w->report, group);
  if (!found) return;
  const SrcLoc *place = group_place(group);
  if (!found->fix && found->tried) {
    text_put_note(w, place,
                  arena_printf(w->arena, "no fix: %" PRIu32 " change%s tried, none mends it without more",
                               found->tried, found->tried == 1 ? "" : "s"));
  } else if (!found->fix) {
    text_put_note(w, place, "no fix: no change of the text is known that could mend it");
  } else {
    put_proved_fix(w, group, found->fix);
  }
}

void text_put_group(const TextWriter *w, const ReportGroup *group) {
  ASSERT(group->result && group->finding.rule > RULE_NONE && group->finding.rule < RULE_COUNT);
  const Finding *finding = &group->finding;
  const SrcLoc *place = group_place(group);
  text_put_line(w, place, finding->level, message_text(w->arena, finding), rule_tag(w, finding));
  text_put_source(w, place);
  put_inlining(w, &finding->accesses[0].loc);
  put_second_access(w, finding);
  put_launch(w, group);
  put_witness(w, finding);
  if (w->options->is_verbose)
    text_put_facts(w, place, finding->facts.count, finding->facts.items, "respects");
  if (w->options->is_verbose) text_put_assumptions(w, place, finding->assumptions);
  put_notes(w, finding);
  if (finding->count > 1)
    text_put_note(w, place, arena_printf(w->arena, "and %" PRIu32 " more like this", finding->count - 1));
  put_fix(w, group);
}
