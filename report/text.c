// How does a person read the result? In the form of compiler warnings, so that editors jump to it.
//
// Every message stands on one line `file:line:col: level: text`, which is what Vim, Emacs and VS Code's $gcc
// matcher look for; the first line of a report is complete without the rest. Source lines stand behind a `12
// | ` margin, as in gcc, so that no text in them can look like a message. Undecided kernels are notes: they
// must not look like races.
//
// Soundness: says nothing about verdicts that is not in the results.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

typedef struct Writer {
  const Report *report; // NULL while messages are written
  const ReportOptions *options;
  Arena *arena;
  StrBuf *out;
  bool use_color;
  bool is_quoted; // one finding in another report, which has to be whole
} Writer;

// ---- one line

typedef enum Style { STYLE_PLAIN, STYLE_PLACE, STYLE_NOTE, STYLE_WARNING, STYLE_ERROR, STYLE_CARET } Style;

static void put_styled(const Writer *w, Style style, const char *text) {
  static const char *const codes[] = {"", "\033[1m", "\033[1;36m", "\033[1;35m", "\033[1;31m", "\033[1;32m"};
  bool is_colored = w->use_color && style != STYLE_PLAIN;
  strbuf_add(w->out, is_colored ? codes[style] : "");
  strbuf_add(w->out, text);
  strbuf_add(w->out, is_colored ? "\033[0m" : "");
}

static Style level_style(FindingLevel level) {
  switch (level) {
  case LEVEL_ERROR: return STYLE_ERROR;
  case LEVEL_WARNING: return STYLE_WARNING;
  case LEVEL_NOTE: return STYLE_NOTE;
  case LEVEL_NONE: break;
  }
  return STYLE_PLAIN;
}

static void put_place(const Writer *w, const SrcLoc *loc) {
  if (!loc_known(loc)) {
    put_styled(w, STYLE_PLACE, "hgrd-check:");
    return;
  }
  const char *text = escape_visible(w->arena, loc->file);
  // A column makes no sense without a line; column 1 is what gcc prints when it has none.
  if (loc->line)
    text = arena_printf(w->arena, "%s:%" PRIu32 ":%" PRIu32, text, loc->line, loc->column ? loc->column : 1);
  put_styled(w, STYLE_PLACE, arena_printf(w->arena, "%s:", text));
}

// `text` has been escaped.
static void put_line(const Writer *w, const SrcLoc *loc, FindingLevel level, const char *text,
                     const char *tag) {
  put_place(w, loc);
  strbuf_add(w->out, " ");
  put_styled(w, level_style(level), arena_printf(w->arena, "%s:", level_word(level)));
  strbuf_printf(w->out, " %s", text);
  if (tag) {
    strbuf_add(w->out, " ");
    put_styled(w, level_style(level), arena_printf(w->arena, "[%s]", tag));
  }
  strbuf_add(w->out, "\n");
}

static void put_note(const Writer *w, const SrcLoc *loc, const char *text) {
  put_line(w, loc, LEVEL_NOTE, text, NULL);
}

// ---- source line with caret

enum { SOURCE_BYTES_BEFORE = 100, SOURCE_BYTES_SHOWN = 200 };

static bool is_continuation_byte(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

// Lines of generated code can be very long: shows a window around the column.
static uint32_t window_start(const char *line, uint32_t column) {
  if (column <= SOURCE_BYTES_BEFORE || strlen(line) <= SOURCE_BYTES_SHOWN) return 0;
  uint32_t start = column - SOURCE_BYTES_BEFORE;
  while (start > 0 && is_continuation_byte(line[start]))
    start--;
  return start;
}

// What stands below one character: a blank, a tilde or the caret for each column; tabs stay tabs.
static void add_mark(StrBuf *marks, const Extent *extent, uint32_t column, uint32_t columns) {
  char mark = column >= extent->start && column < extent->end ? '~' : ' ';
  for (uint32_t i = 0; i < columns; i++)
    strbuf_add_n(marks, i == 0 && column == extent->caret ? "^" : &mark, 1);
}

// Writes the text and, in `marks`, what has to stand below it up to the end of the extent.
static void put_source_text(const Writer *w, const char *line, uint32_t start, const Extent *extent,
                            StrBuf *marks) {
  uint32_t length;
  for (uint32_t at = start; line[at] && at - start < SOURCE_BYTES_SHOWN; at += length) {
    char escape[16];
    uint32_t code = utf8_next(line + at, &length);
    uint32_t columns = 0;
    if (code == '\t') {
      strbuf_add(w->out, "\t");
    } else if (escape_character(code, (unsigned char)line[at], escape)) {
      strbuf_add(w->out, escape);
      columns = (uint32_t)strlen(escape);
    } else {
      strbuf_add_n(w->out, line + at, length);
      columns = escape_columns(code);
    }
    uint32_t column = at + 1; // columns count bytes from 1
    if (column >= extent->end) continue;
    if (code == '\t' && column != extent->caret)
      strbuf_add(marks, "\t");
    else // a caret in the middle of a character stands at its beginning
      add_mark(marks, extent,
               column < extent->caret && column + length > extent->caret ? extent->caret : column, columns);
  }
}

static void put_source(const Writer *w, const SrcLoc *loc) {
  if (!w->options->read_line || !loc_known(loc) || loc->line == 0) return;
  const char *line = w->options->read_line(w->options->context, loc->file, loc->line);
  if (!line) return;
  size_t length = strcspn(line, "\r\n");
  line = arena_strndup(w->arena, line, length);
  uint32_t start = loc->column <= length ? window_start(line, loc->column) : 0;
  Extent extent = extent_of(line, loc->column);
  StrBuf marks = {.arena = w->arena};
  strbuf_printf(w->out, "%5" PRIu32 " | %s", loc->line, start ? "..." : "");
  put_source_text(w, line, start, &extent, &marks);
  strbuf_add(w->out, length - start > SOURCE_BYTES_SHOWN ? "...\n" : "\n");
  if (loc->column == 0 || loc->column > length + 1) return;
  if (loc->column == length + 1) strbuf_add(&marks, "^"); // where something is missing
  strbuf_printf(w->out, "      | %s", start ? "   " : "");
  const char *text = strbuf_text(&marks);
  size_t blanks = strspn(text, " \t");
  strbuf_add_n(w->out, text, blanks);
  put_styled(w, STYLE_CARET, text + blanks);
  strbuf_add(w->out, "\n");
}

// ---- notes of a finding

enum { CALLS_SHOWN = 2, VALUES_SHOWN = 6 }; // -v shows all

// The innermost calls, so that a finding fits on a screen.
static void put_inlining(const Writer *w, const SrcLoc *loc) {
  uint32_t count = 0, told = 0;
  for (const SrcLoc *at = loc; at->inlined_at; at = at->inlined_at)
    count++;
  bool is_cut = !w->options->is_verbose && count > CALLS_SHOWN + 1;
  for (; loc->inlined_at && !(is_cut && told == CALLS_SHOWN); loc = loc->inlined_at, told++) {
    const char *function = loc->function && loc->function[0] ? escape_visible(w->arena, loc->function) : "?";
    put_note(w, loc->inlined_at, arena_printf(w->arena, "in '%s', called here", function));
  }
  if (is_cut)
    put_note(w, loc->inlined_at,
             arena_printf(w->arena, "and %" PRIu32 " more calls up to the kernel; -v lists them",
                          count - CALLS_SHOWN));
}

static bool same_place(const SrcLoc *a, const SrcLoc *b) {
  for (; a && b; a = a->inlined_at, b = b->inlined_at)
    if (loc_compare(a, b) != 0) return false;
  return a == b;
}

static void put_second_access(const Writer *w, const Finding *finding) {
  const FindingAccess *first = &finding->accesses[0], *second = &finding->accesses[1];
  if (!has_second_access(finding)) return;
  if (same_place(&first->loc, &second->loc)) {
    if (first->kind != second->kind)
      put_note(
          w, &second->loc,
          arena_printf(w->arena, "the other access is the %s of the same place", access_word(second->kind)));
    return;
  }
  const char *text = !finding_rule_is_race(finding->rule)
                         ? second_place_text(finding->rule)
                         : arena_printf(w->arena, "the other access: %s", access_word(second->kind));
  put_note(w, &second->loc, text);
  put_source(w, &second->loc);
  put_inlining(w, &second->loc);
}

enum { LAUNCH_SHOWN = 160 }; // bytes; -v shows all

// A launch with many or long arguments: what fits on a line.
static const char *launch_text(const Writer *w, const char *launch) {
  const char *text = escape_visible(w->arena, launch);
  size_t length = strlen(text), end = LAUNCH_SHOWN;
  if (w->options->is_verbose || length <= LAUNCH_SHOWN) return text;
  while (end > 0 && is_continuation_byte(text[end]))
    end--;
  return arena_printf(w->arena, "%.*s ...", (int)end, text);
}

static void put_launch(const Writer *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const char *launch = launch_text(w, finding->launch);
  if (!loc_known(&finding->launch_loc)) {
    if (launch[0]) put_note(w, &group->result->loc, arena_printf(w->arena, "under launch: %s", launch));
    return;
  }
  put_note(w, &finding->launch_loc,
           launch[0] ? arena_printf(w->arena, "launched here: %s", launch) : "launched here");
  for (const SrcLoc *at = &finding->launch_loc; at->inlined_at; at = at->inlined_at) {
    const char *function = at->function && at->function[0] ? at->function : "?";
    put_note(w, at->inlined_at,
             arena_printf(w->arena, "in '%s', called here", escape_visible(w->arena, function)));
  }
  if (group->others.count)
    put_note(w, &finding->launch_loc,
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

static const char *values_text(const Writer *w, uint32_t count, const WitnessValue *values) {
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

static void put_values(const Writer *w, const SrcLoc *loc, const char *what, uint32_t count,
                       const WitnessValue *values) {
  if (count) put_note(w, loc, arena_printf(w->arena, "%s %s", what, values_text(w, count, values)));
}

static const char *witness_thread(const Writer *w, const Finding *finding, int index) {
  const WitnessThread *thread = &finding->witness.threads[index];
  return arena_printf(w->arena, "thread %s of block %s is lane %" PRId64 " of warp %" PRId64,
                      triple_text(w->arena, thread->thread_idx), triple_text(w->arena, thread->block_idx),
                      thread->lane, thread->warp);
}

static void put_iterations(const Writer *w, const SrcLoc *loc, const Witness *witness) {
  static const char *const threads[] = {"first thread with", "second thread with"};
  StrBuf text = {.arena = w->arena};
  for (int t = 0; t < 2; t++)
    if (witness->iterations[t].count)
      strbuf_printf(&text, "%s%s %s", text.length ? "; " : "witness: ", threads[t],
                    values_text(w, witness->iterations[t].count, witness->iterations[t].items));
  if (text.length) put_note(w, loc, strbuf_text(&text));
}

static void put_witness(const Writer *w, const Finding *finding) {
  const Witness *witness = &finding->witness;
  const SrcLoc *loc = &finding->accesses[0].loc;
  if (!has_witness(finding)) return;
  const char *address = "";
  if (witness->address && witness->address[0])
    address = arena_printf(w->arena, "; both at %s (byte %" PRId64 ")",
                           escape_visible(w->arena, witness->address), witness->offset);
  put_note(w, loc,
           arena_printf(w->arena, "%s: grid %s, block %s; %s; %s%s",
                        finding->observed ? "observed" : "witness", triple_text(w->arena, witness->grid_dim),
                        triple_text(w->arena, witness->block_dim), witness_thread(w, finding, 0),
                        witness_thread(w, finding, 1), address));
  put_values(w, loc, "witness: host values", witness->values.count, witness->values.items);
  put_iterations(w, loc, witness);
  const char *intervals = w->options->is_verbose ? intervals_text(w->arena, finding) : NULL;
  if (intervals) put_note(w, loc, arena_printf(w->arena, "witness: %s", intervals));
  bool is_definite = finding->certainty == CERTAINTY_DEFINITE; // it knows them from the host code
  put_values(w, loc, is_definite ? "witness: memory contents" : "possible race: it needs the memory contents",
             witness->memory.count, witness->memory.items);
}

static const char *fact_text(const Writer *w, const Fact *fact) {
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
static void put_facts(const Writer *w, const SrcLoc *fallback, uint32_t count, const Fact *const *facts,
                      const char *verb) {
  StrBuf rest = {.arena = w->arena};
  for (uint32_t i = 0; i < count; i++)
    if (loc_known(&facts[i]->loc))
      put_note(w, &facts[i]->loc, arena_printf(w->arena, "%s %s", verb, fact_text(w, facts[i])));
    else
      strbuf_printf(&rest, "%s %s", rest.length ? "," : verb, fact_text(w, facts[i]));
  if (rest.length) put_note(w, fallback, strbuf_text(&rest));
}

static void put_assumptions(const Writer *w, const SrcLoc *loc, unsigned assumptions) {
  StrBuf text = {.arena = w->arena};
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *id;
    if (assumptions >> bit & 1) {
      const char *words = assumption_words(bit, &id);
      strbuf_printf(&text, "%s %s [%s]", text.length ? ";" : "assuming that", words, id);
    }
  }
  if (text.length) put_note(w, loc, strbuf_text(&text));
}

// "rule missing-fence, memory model cuda: ...", which --explain says as well.
static bool is_rule_note(const Finding *finding, const char *text) {
  return finding->memory_rule && str_starts_with(text, "rule ") && str_ends_with(text, finding->memory_rule);
}

// The hint behind a rule that is not shown names where it is explained.
static const char *note_text(const Writer *w, const Finding *finding, const char *text) {
  bool is_open = !w->options->is_verbose && str_starts_with(text, "hint: ") && finding->cause &&
                 cause_find(finding->cause) && !cause_is_plain(finding->cause);
  return is_open ? arena_printf(w->arena, "%s (why: --explain=%s)", text, finding->cause) : text;
}

static void put_notes(const Writer *w, const Finding *finding) {
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    const FindingNote *note = &finding->notes.items[i];
    if (is_rule_note(finding, note->text) && !w->options->is_verbose) continue;
    put_note(w, loc_known(&note->loc) ? &note->loc : &finding->accesses[0].loc,
             escape_visible(w->arena, note_text(w, finding, note->text)));
  }
}

static const char *rule_tag(const Writer *w, const Finding *finding) {
  const FindingRuleInfo *info = finding_rule_info(finding->rule);
  return arena_printf(w->arena, finding->level == LEVEL_ERROR ? "-Werror=%s" : "-W%s", info->name);
}

enum { SYMPTOMS_SHOWN = 6 }; // of one mistake; -v shows each as a finding of its own

// The other findings of the same mistake, a line each.
static void put_symptoms(const Writer *w, const ReportGroup *group) {
  uint32_t count = group->symptoms.count, shown = count > SYMPTOMS_SHOWN + 1 ? SYMPTOMS_SHOWN : count;
  for (uint32_t i = 0; i < shown; i++) {
    const ReportGroup *symptom = group->symptoms.items[i];
    const Finding *finding = &symptom->finding;
    put_line(w, group_place(symptom), LEVEL_NOTE,
             arena_printf(w->arena, "the same mistake: %s", message_text(w->arena, finding)),
             rule_tag(w, finding));
  }
  if (shown < count)
    put_note(
        w, group_place(group),
        arena_printf(w->arena, "and %" PRIu32 " more of the same mistake; -v lists them", count - shown));
}

// The lines that change, behind the margin of quoted text.
static void put_diff(const Writer *w, const char *diff) {
  while (*diff) {
    size_t length = strcspn(diff, "\n");
    strbuf_printf(w->out, "      | %s\n", escape_visible(w->arena, arena_strndup(w->arena, diff, length)));
    diff += length + (diff[length] == '\n');
  }
}

// A change that mends several findings is shown at the first of them.
static void put_proved_fix(const Writer *w, const ReportGroup *group, const Fix *fix) {
  const ReportGroup *shown_at =
      w->is_quoted
          ? group
          : fix_told_at(w->report, group,
                        (FixTelling){.certain_first = true, .with_symptoms = w->options->is_verbose});
  const char *verb = fix->is_assumption ? "proved if the host guarantees it" : "proved fix",
             *title = escape_visible(w->arena, fix->title);
  if (shown_at == group) {
    put_note(w, group_place(group), arena_printf(w->arena, "%s: %s", verb, title));
    put_diff(w, fix->diff);
  } else {
    put_note(w, group_place(group),
             arena_printf(w->arena, "%s: %s, the change shown at %s", verb, title,
                          loc_text(w->arena, group_place(shown_at))));
  }
}

static void put_fix(const Writer *w, const ReportGroup *group) {
  const ReportFix *found = fix_of(w->report, group);
  if (!found) return;
  const SrcLoc *place = group_place(group);
  if (!found->fix && found->tried) {
    put_note(w, place,
             arena_printf(w->arena, "no fix: %" PRIu32 " change%s tried, none mends it without more",
                          found->tried, found->tried == 1 ? "" : "s"));
  } else if (!found->fix) {
    put_note(w, place, "no fix: no change of the text is known that could mend it");
  } else {
    put_proved_fix(w, group, found->fix);
  }
}

static void put_group(const Writer *w, const ReportGroup *group) {
  const Finding *finding = &group->finding;
  const SrcLoc *place = group_place(group);
  put_line(w, place, finding->level, message_text(w->arena, finding), rule_tag(w, finding));
  put_source(w, place);
  put_inlining(w, &finding->accesses[0].loc);
  put_second_access(w, finding);
  put_launch(w, group);
  put_witness(w, finding);
  if (w->options->is_verbose) put_facts(w, place, finding->facts.count, finding->facts.items, "respects");
  if (w->options->is_verbose) put_assumptions(w, place, finding->assumptions);
  put_notes(w, finding);
  if (finding->count > 1)
    put_note(w, place, arena_printf(w->arena, "and %" PRIu32 " more like this", finding->count - 1));
  put_fix(w, group);
}

// ---- kernels

static const char *kernel_text(const Writer *w, const KernelResult *result) {
  return escape_visible(w->arena, result->kernel ? result->kernel : result->mangled);
}

// The same of another instance of one template, which stands at the same place.
static bool is_of_instance(const UndecidedGroup *a, const UndecidedGroup *b) {
  return a->kernel != b->kernel && loc_known(&a->result->loc) && loc_compare(&a->loc, &b->loc) == 0 &&
         loc_compare(&a->result->loc, &b->result->loc) == 0 && strcmp(a->text, b->text) == 0;
}

// Kernels are sorted by place.
static bool is_at_place(const UndecidedGroup *a, const UndecidedGroup *b) {
  return loc_compare(&a->result->loc, &b->result->loc) == 0;
}

static bool is_told_before(const UndecidedGroups *reasons, uint32_t index) {
  const UndecidedGroup *items = reasons->items;
  for (uint32_t i = index; i > 0 && is_at_place(&items[i - 1], &items[index]); i--)
    if (is_of_instance(&items[i - 1], &items[index])) return true;
  return false;
}

static uint32_t more_instances(const UndecidedGroups *reasons, uint32_t index) {
  const UndecidedGroup *items = reasons->items;
  uint32_t count = 0;
  for (uint32_t i = index + 1; i < reasons->count && is_at_place(&items[i], &items[index]); i++)
    count += is_of_instance(&items[i], &items[index]);
  return count;
}

static void put_reason(const Writer *w, const UndecidedGroup *reason, uint32_t instances) {
  const char *format = reason->result->verdict == VERDICT_RACE ? "kernel '%s' is undecided besides: %s"
                                                               : "kernel '%s' is undecided: %s";
  StrBuf text = {.arena = w->arena};
  strbuf_add(&text, arena_printf(w->arena, format, kernel_text(w, reason->result),
                                 escape_visible(w->arena, reason->text)));
  if (reason->count > 1) strbuf_printf(&text, " (for %" PRIu32 " launches)", reason->count);
  if (instances) strbuf_printf(&text, " (and %" PRIu32 " more of this template; -v lists them)", instances);
  put_line(w, &reason->loc, LEVEL_NOTE, strbuf_text(&text), "undecided");
}

enum { REASONS_SHOWN = 4 }; // for one kernel; -v shows all

static void put_more_reasons(const Writer *w, const KernelResult *result, uint32_t count) {
  put_line(w, &result->loc, LEVEL_NOTE,
           arena_printf(w->arena, "kernel '%s' is undecided for %" PRIu32 " more reason%s; -v lists them",
                        kernel_text(w, result), count, count == 1 ? "" : "s"),
           "undecided");
}

static bool is_left_out(const Writer *w, uint32_t reason) {
  return !w->options->is_verbose && is_told_before(&w->report->undecided, reason);
}

// `first` is the first reason of a kernel; returns the first of the next kernel.
static uint32_t put_kernel_reasons(const Writer *w, const UndecidedGroups *reasons, uint32_t first) {
  uint32_t end = first + 1, count = 0;
  while (end < reasons->count && reasons->items[end].kernel == reasons->items[first].kernel)
    end++;
  for (uint32_t i = first; i < end; i++)
    count += !is_left_out(w, i);
  uint32_t shown = w->options->is_verbose || count <= REASONS_SHOWN + 1 ? count : REASONS_SHOWN, put = 0;
  for (uint32_t i = first; i < end && put < shown; i++) {
    if (is_left_out(w, i)) continue;
    put_reason(w, &reasons->items[i], w->options->is_verbose ? 0 : more_instances(reasons, i));
    put++;
  }
  if (shown < count) put_more_reasons(w, reasons->items[first].result, count - shown);
  return end;
}

static void put_undecided(const Writer *w) {
  const UndecidedGroups *reasons = &w->report->undecided;
  for (uint32_t i = 0; i < reasons->count;)
    i = put_kernel_reasons(w, reasons, i);
}

static const SrcLoc *launch_place(const KernelResult *result) {
  return result->launch && loc_known(&result->launch->loc) ? &result->launch->loc : &result->loc;
}

static bool is_dead_at(const KernelResult *result, const SrcLoc *place) {
  return result->verdict == VERDICT_DEAD && loc_compare(launch_place(result), place) == 0;
}

// Once for each place where it is launched, however many ways lead there; only in full if one of them is real.
static void put_dead(const Writer *w, const KernelSummary *kernel, uint32_t index) {
  const KernelResult *result = kernel->results.items[index];
  const SrcLoc *place = launch_place(result);
  uint32_t ways = 0;
  for (uint32_t r = 0; r < kernel->results.count; r++) {
    const KernelResult *other = kernel->results.items[r];
    bool is_dead = is_dead_at(other, place);
    bool is_real = other->verdict != VERDICT_DEAD && loc_compare(launch_place(other), place) == 0;
    if ((is_dead && r < index) || (is_real && !w->options->is_verbose)) return;
    ways += is_dead;
  }
  StrBuf text = {.arena = w->arena};
  strbuf_printf(&text,
                "kernel '%s' is never launched from here: the conditions on the way contradict each other",
                kernel_text(w, result));
  if (ways > 1) strbuf_printf(&text, " (for %" PRIu32 " launches)", ways);
  put_line(w, place, LEVEL_NOTE, strbuf_text(&text), "dead");
}

static void put_dead_accesses(const Writer *w, const KernelResult *result) {
  for (uint32_t i = 0; i < result->dead_accesses.count; i++)
    put_line(w, &result->dead_accesses.items[i], LEVEL_NOTE,
             arena_printf(w->arena, "no thread of kernel '%s' makes this access under %s",
                          kernel_text(w, result),
                          result->launch && result->launch->description
                              ? escape_visible(w->arena, result->launch->description)
                              : "this launch"),
             "dead");
}

static void put_remarks(const Writer *w, const KernelResult *result) {
  for (uint32_t i = 0; i < result->remarks.count; i++)
    put_note(w, &result->remarks.items[i].loc, escape_visible(w->arena, result->remarks.items[i].text));
}

static void put_proof(const Writer *w, const KernelResult *result) {
  StrBuf text = {.arena = w->arena};
  strbuf_printf(&text, "kernel '%s' is race-free", kernel_text(w, result));
  if (result->launch && result->launch->description)
    strbuf_printf(&text, " under %s", escape_visible(w->arena, result->launch->description));
  strbuf_printf(&text, " (%" PRIu32 " pair%s)", result->pairs, result->pairs == 1 ? "" : "s");
  put_note(w, &result->loc, strbuf_text(&text));
  put_facts(w, &result->loc, result->proof_facts.count, result->proof_facts.items, "the proof needs");
  put_assumptions(w, &result->loc, result->assumptions);
}

enum { PAIRS_SHOWN = 8 };

// Which rule orders which accesses, in all launches of the kernel.
static void put_ordered(const Writer *w, const KernelSummary *kernel) {
  for (uint32_t g = 0; g < kernel->ordered.count; g++) {
    const OrderedGroup *group = &kernel->ordered.items[g];
    const SrcLoc *at = &kernel->first->loc;
    const char *release = report_line_in(at, &group->release, w->arena),
               *acquire = report_line_in(at, &group->acquire, w->arena);
    StrBuf text = {.arena = w->arena};
    strbuf_printf(&text, "kernel '%s': ordered by %s", kernel_text(w, kernel->first),
                  order_rule_name(group->rule));
    if (release[0] && strcmp(release, acquire) != 0) strbuf_printf(&text, ", released at line %s", release);
    if (acquire[0])
      strbuf_printf(&text,
                    release[0] && strcmp(release, acquire) == 0 ? " at line %s" : ", acquired at line %s",
                    acquire);
    for (uint32_t i = 0; i < group->pairs.count && i < PAIRS_SHOWN; i++)
      strbuf_printf(&text, "%s%s with %s", i ? ", " : ": lines ",
                    report_line_in(at, &group->pairs.items[i].places[0], w->arena),
                    report_line_in(at, &group->pairs.items[i].places[1], w->arena));
    if (group->pairs.count > PAIRS_SHOWN)
      strbuf_printf(&text, " and %" PRIu32 " more", group->pairs.count - PAIRS_SHOWN);
    put_note(w, at, escape_visible(w->arena, strbuf_text(&text)));
  }
}

static void put_kernels(const Writer *w) {
  const KernelSummaries *kernels = &w->report->kernels;
  for (uint32_t i = 0; i < kernels->count; i++) {
    const KernelSummary *kernel = &kernels->items[i];
    for (uint32_t r = 0; r < kernel->results.count; r++) {
      const KernelResult *result = kernel->results.items[r];
      if (result->verdict == VERDICT_DEAD) put_dead(w, kernel, r);
      if (result->overflow)
        put_note(w, &result->loc,
                 arena_printf(w->arena, "kernel '%s': not shown to stay in its width [A1]: %s",
                              kernel_text(w, result), escape_visible(w->arena, result->overflow)));
      if (w->options->is_verbose) put_dead_accesses(w, result);
      if (w->options->is_verbose) put_remarks(w, result);
      if (result->verdict == VERDICT_SAFE && w->options->is_verbose) put_proof(w, result);
    }
    if (w->options->is_verbose) put_ordered(w, kernel);
  }
}

// The assumptions that go with the word race-free wherever it is read.
static void put_told(const Writer *w) {
  AssumptionTelling from = w->options->is_quiet ? TELL_ALWAYS : TELL_BESIDE;
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *id, *words = assumption_words(bit, &id);
    const char *kernels = assumption_telling(bit) >= from ? told_kernels(w->report, bit, w->arena) : NULL;
    if (kernels)
      put_note(w, &(SrcLoc){0}, arena_printf(w->arena, "race-free only if %s [%s]: %s", words, id, kernels));
  }
}

// A reader must know that no host code was taken into account for these verdicts.
static void put_any_launch(const Writer *w) {
  const KernelSummaries *kernels = &w->report->kernels;
  for (uint32_t i = 0; i < kernels->count; i++) {
    const KernelResult *result = kernels->items[i].first;
    if (result->launch && result->launch->is_any)
      put_note(
          w, &result->loc,
          arena_printf(w->arena, "no launch of kernel '%s' is visible: checked as %s", kernel_text(w, result),
                       result->launch->description ? escape_visible(w->arena, result->launch->description)
                                                   : "launched with any arguments"));
  }
}

// ---- summary

static void put_stale(const Writer *w) {
  for (uint32_t i = 0; i < w->report->stales.list.count; i++) {
    const ReportStale *stale = &w->report->stales.list.items[i];
    put_line(w, &stale->loc, LEVEL_NOTE, escape_visible(w->arena, stale->text), stale->kind);
  }
}

static void put_stats(const Writer *w) {
  const ReportStats *stats = &w->report->input->stats;
  if (stats->has_times)
    strbuf_printf(w->out,
                  "front end %.3f s, analysis %.3f s, peak memory %.1f MiB, %" PRIu64 " resource units\n",
                  stats->frontend_seconds, stats->analysis_seconds, (double)stats->peak_bytes / (1 << 20),
                  w->report->totals.resource_units);
}

static void put_summary(const Writer *w) {
  const ReportTotals *t = &w->report->totals;
  const ReportStats *stats = &w->report->input->stats;
  strbuf_printf(w->out, "%" PRIu32 " kernel%s: %" PRIu32 " race-free", t->kernels, t->kernels == 1 ? "" : "s",
                t->safe);
  if (t->provisional)
    strbuf_printf(w->out, " (%" PRIu32 " if what was left out does not matter)", t->provisional);
  strbuf_printf(w->out, ", %" PRIu32 " racy, %" PRIu32 " undecided", t->racy, t->undecided);
  if (t->dead) strbuf_printf(w->out, ", %" PRIu32 " dead", t->dead);
  strbuf_printf(w->out, " (%" PRIu32 " pair%s, %" PRIu32 " quer%s)", t->pairs, t->pairs == 1 ? "" : "s",
                t->queries, t->queries == 1 ? "y" : "ies");
  if (stats->shows_seconds || stats->has_times)
    strbuf_printf(w->out, " in %.1f s", stats->frontend_seconds + stats->analysis_seconds);
  strbuf_add(w->out, "\n");
  if (t->suppressed) strbuf_printf(w->out, "%" PRIu32 " suppressed\n", t->suppressed);
  if (t->known) strbuf_printf(w->out, "%" PRIu32 " known from the baseline\n", t->known);
}

void text_of_group(const Report *report, const ReportGroup *group, Arena *arena, StrBuf *out) {
  ASSERT(group);
  ASSERT(out);
  Writer w = {report, report->options, arena, out, false, true};
  put_group(&w, group);
}

static bool is_told(const Writer *w, const ReportGroup *group, Certainty certainty) {
  bool is_told_elsewhere = group->face && !w->options->is_verbose;
  return group_is_shown(group) && !is_told_elsewhere && group->finding.certainty == certainty;
}

// What is certain comes first. Findings are many, so each gives back what it took.
static void put_groups(const Writer *w, ReportSink *sink, Certainty certainty) {
  const ReportGroups *groups = &w->report->groups;
  for (uint32_t i = 0; i < groups->count; i++) {
    ArenaMark mark = arena_mark(w->arena);
    const ReportGroup *group = &groups->items[i];
    if (is_told(w, group, certainty)) {
      put_group(w, group);
      if (!w->options->is_verbose) put_symptoms(w, group);
    }
    arena_release(w->arena, mark);
    sink_offer(sink);
  }
}

void report_text(const Report *report, ReportSink *sink) {
  const ReportOptions *options = report->options;
  Arena *scratch = arena_open();
  Writer w = {report, options, scratch, &sink->text, options->use_color, false};
  put_groups(&w, sink, CERTAINTY_DEFINITE);
  put_groups(&w, sink, CERTAINTY_OBSERVED);
  put_groups(&w, sink, CERTAINTY_POSSIBLE);
  put_undecided(&w);
  if (!options->is_quiet) {
    put_kernels(&w);
    put_any_launch(&w);
    put_stale(&w);
  }
  put_told(&w);
  if (report->input->is_interrupted)
    put_note(&w, &(SrcLoc){0},
             report->input->is_out_of_time ? "out of time (--timeout): this report is incomplete"
                                           : "interrupted: this report is incomplete");
  if (!options->is_quiet) put_summary(&w);
  put_stats(&w);
  arena_close(scratch);
}

void report_messages(const DiagSink *diags, const ReportOptions *options, Arena *arena, StrBuf *out) {
  ASSERT(out);
  static const FindingLevel levels[] = {
      [DIAG_NOTE] = LEVEL_NOTE, [DIAG_WARNING] = LEVEL_WARNING, [DIAG_ERROR] = LEVEL_ERROR};
  Writer w = {NULL, options, arena, out, options->use_color, false};
  for (uint32_t i = 0; i < diags->diags.count; i++) {
    const Diag *diag = &diags->diags.items[i];
    if (diag->severity == DIAG_NOTE && options->is_quiet) continue;
    put_line(&w, &diag->loc, levels[diag->severity], escape_visible(arena, diag->message), NULL);
    for (const char *line = diag->detail; line && *line;) {
      size_t length = strcspn(line, "\n");
      strbuf_printf(out, "  %s\n", escape_visible(arena, arena_strndup(arena, line, length)));
      line += length + (line[length] == '\n');
    }
  }
}
