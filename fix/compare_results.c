// Does a change mend a finding, by what the analysis says before and after it?
//
// Of the kernels that are compared: the finding's places, moved along the edits, are those of no finding of its
// rule any more; every finding that is there now was there before, at the moved places (one between
// blocks that is only possible may have been told in a note); no reason to be
// undecided is new, and none speaks of the places of the finding; nothing was left unasked for want of a
// budget; the same kernels are checked under as many launches, and no access and no launch is dead that was
// alive. Places are compared by lines, as findings are joined by lines.
//
// Soundness: "gone" has to come from a proof, so whatever is new counts against the change. What it cannot
// tell: whether the program still computes what it is meant to.
// SPDX-License-Identifier: Apache-2.0
#include "fix/fix.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

typedef struct Judge {
  const Fix *fix;
  const Finding *finding;
  const FixSources *old;
  const FixResults *before, *after;
  Arena *arena;
} Judge;

static bool same_text(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool is_edited(const Judge *judge, const char *file) {
  for (uint32_t i = 0; i < judge->fix->edits.count; i++)
    if (same_text(judge->fix->edits.items[i].file, file)) return true;
  return false;
}

// Of a place of the old text, in the new one.
static uint32_t moved_line(const Judge *judge, const SrcLoc *loc) {
  uint32_t line = loc->line, column = loc->column ? loc->column : 1;
  size_t length;
  if (!loc->file || !is_edited(judge, loc->file)) return line;
  const char *text = judge->old->read(judge->old->context, loc->file, &length);
  if (text) fix_move(judge->fix, loc->file, text, length, &line, &column);
  return line;
}

static bool is_moved_to(const Judge *judge, const SrcLoc *old, const SrcLoc *new) {
  return same_text(old->file, new->file) && moved_line(judge, old) == new->line;
}

static bool has_its_places(const Judge *judge, const Finding *old, const Finding *new) {
  const SrcLoc *a = &old->accesses[0].loc, *b = &old->accesses[1].loc;
  const SrcLoc *c = &new->accesses[0].loc, *d = &new->accesses[1].loc;
  if (!same_text(old->kernel, new->kernel)) return false;
  return (is_moved_to(judge, a, c) && is_moved_to(judge, b, d)) ||
         (is_moved_to(judge, a, d) && is_moved_to(judge, b, c));
}

static bool is_same_finding(const Judge *judge, const Finding *old, const Finding *new) {
  return old->rule == new->rule &&has_its_places(judge, old, new);
}

// Between blocks, which no barrier that a block needs would mend, and which the old one named in a note.
static bool is_in_note(const Judge *judge, const Finding *old, const Finding *new) {
  return new->rule == RULE_INTER_BLOCK && (old->also >> new->rule & 1) &&
         new->certainty == CERTAINTY_POSSIBLE &&has_its_places(judge, old, new);
}

static bool was_there(const Judge *judge, const Finding *new) {
  for (uint32_t i = 0; i < judge->before->count; i++) {
    const KernelResult *result = judge->before->items[i];
    for (uint32_t f = 0; f < result->findings.count; f++) {
      const Finding *old = &result->findings.items[f];
      bool is_told = is_same_finding(judge, old, new) || is_in_note(judge, old, new);
      if (is_told && same_text(old->object, new->object) && new->level <= old->level) return true;
    }
  }
  return false;
}

static bool has_new_finding(const Judge *judge, const char **why) {
  for (uint32_t i = 0; i < judge->after->count; i++) {
    const KernelResult *result = judge->after->items[i];
    for (uint32_t f = 0; f < result->findings.count; f++) {
      const Finding *new = &result->findings.items[f];
      const char *rule = finding_rule_info(new->rule)->name;
      *why = arena_printf(judge->arena, "%s:%u: the finding is still there (%s)", new->accesses[0].loc.file,
                          new->accesses[0].loc.line, rule);
      if (is_same_finding(judge, judge->finding, new)) return true;
      *why = arena_printf(judge->arena, "%s:%u: a new finding (%s)", new->accesses[0].loc.file,
                          new->accesses[0].loc.line, rule);
      if (!was_there(judge, new)) return true;
    }
  }
  return false;
}

// ---- what is undecided
// Lines are named in reasons: numbers do not count.
static bool same_reason(const char *a, const char *b) {
  while (*a && *b) {
    if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      a += strspn(a, "0123456789");
      b += strspn(b, "0123456789");
    } else if (*a++ != *b++) {
      return false;
    }
  }
  return *a == *b;
}

static uint32_t count_before(const Judge *judge, const KernelResult *of, const UndecidedReason *new) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < judge->before->count; i++) {
    const KernelResult *result = judge->before->items[i];
    for (uint32_t r = 0; r < result->undecided.count && same_text(result->mangled, of->mangled); r++) {
      const UndecidedReason *old = &result->undecided.items[r];
      count += same_reason(old->text, new->text) && is_moved_to(judge, &old->loc, &new->loc);
    }
  }
  return count;
}

static uint32_t count_after(const Judge *judge, const KernelResult *of, const UndecidedReason *new) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < judge->after->count; i++) {
    const KernelResult *result = judge->after->items[i];
    for (uint32_t r = 0; r < result->undecided.count && same_text(result->mangled, of->mangled); r++) {
      const UndecidedReason *other = &result->undecided.items[r];
      count += same_reason(other->text, new->text) && same_text(other->loc.file, new->loc.file) &&
               other->loc.line == new->loc.line;
    }
  }
  return count;
}

static bool is_of_finding(const Judge *judge, const UndecidedReason *reason) {
  return is_moved_to(judge, &judge->finding->accesses[0].loc, &reason->loc) ||
         is_moved_to(judge, &judge->finding->accesses[1].loc, &reason->loc);
}

static bool has_new_reason(const Judge *judge, const char **why) {
  for (uint32_t i = 0; i < judge->after->count; i++) {
    const KernelResult *result = judge->after->items[i];
    for (uint32_t r = 0; r < result->undecided.count; r++) {
      const UndecidedReason *reason = &result->undecided.items[r];
      bool is_new = count_after(judge, result, reason) > count_before(judge, result, reason);
      bool counts = is_new || reason->is_of_budget ||
                    (is_of_finding(judge, reason) && same_text(result->kernel, judge->finding->kernel));
      if (!counts) continue;
      *why = arena_printf(judge->arena, "%s:%u: undecided: %s", reason->loc.file ? reason->loc.file : "",
                          reason->loc.line, reason->text);
      return true;
    }
  }
  return false;
}

// ---- the same kernels, as alive
typedef struct Tally {
  uint32_t results, dead, dead_accesses, contradictions;
} Tally;

static Tally tally_of(const FixResults *results, const char *mangled) {
  Tally tally = {0};
  for (uint32_t i = 0; i < results->count; i++) {
    const KernelResult *result = results->items[i];
    if (!same_text(result->mangled, mangled)) continue;
    tally.results++;
    tally.dead += result->verdict == VERDICT_DEAD;
    tally.dead_accesses += result->dead_accesses.count;
    tally.contradictions += result->contradictions.count;
  }
  return tally;
}

static bool are_comparable(const Judge *judge, const char **why) {
  *why = "other kernels or launches are checked";
  if (judge->before->count != judge->after->count) return false;
  for (uint32_t i = 0; i < judge->after->count; i++) {
    const KernelResult *result = judge->after->items[i];
    Tally old = tally_of(judge->before, result->mangled), new = tally_of(judge->after, result->mangled);
    *why = arena_printf(judge->arena, "'%s' is checked under other launches", result->kernel);
    if (old.results != new.results) return false;
    *why = arena_printf(judge->arena, "in '%s' something is not reached any more", result->kernel);
    if (new.dead > old.dead || new.dead_accesses > old.dead_accesses) return false;
    *why = arena_printf(judge->arena, "a run contradicts the proof for '%s'", result->kernel);
    if (new.contradictions) return false;
  }
  return true;
}

bool fix_is_proved(const Fix *fix, const Finding *finding, const FixSources *old, const FixResults *before,
                   const FixResults *after, Arena *arena, const char **why) {
  ASSERT(why);
  const Judge judge = {fix, finding, old, before, after, arena};
  return are_comparable(&judge, why) && !has_new_finding(&judge, why) && !has_new_reason(&judge, why);
}
