// Between which barriers does each thread of a witness make its access, in words?
//
// Soundness: no effect on verdicts. Said is what was seen when both threads were run with the witness's
// values, or what holds on all of their ways.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

const char *barrier_word(IrScope scope) {
  switch (scope) {
  case IR_SCOPE_THREAD: return "thread";
  case IR_SCOPE_WARP: return "warp";
  case IR_SCOPE_BLOCK: return "block";
  case IR_SCOPE_CLUSTER: return "cluster";
  case IR_SCOPE_DEVICE:
  case IR_SCOPE_SYSTEM: return "grid";
  case IR_SCOPE_COUNT: break;
  }
  return "block";
}

bool has_intervals(const Finding *finding) {
  const WitnessThread *threads = finding->witness.threads;
  return has_witness(finding) && threads[0].interval.is_known && threads[1].interval.is_known;
}

// ---- the barriers around an access

const WitnessBarrier *interval_common_before(const WitnessInterval *interval) {
  ASSERT(interval);
  return interval->before.count && interval->before.items[0].holds_both ? &interval->before.items[0] : NULL;
}

const WitnessBarrier *interval_own_before(const WitnessInterval *interval) {
  ASSERT(interval);
  bool is_own = interval->before.count && !vec_last(&interval->before).holds_both;
  return is_own ? &vec_last(&interval->before) : NULL;
}

const WitnessBarrier *interval_own_after(const WitnessInterval *interval) {
  ASSERT(interval);
  bool is_own = interval->after.count && !interval->after.items[0].holds_both;
  return is_own ? &interval->after.items[0] : NULL;
}

const WitnessBarrier *interval_common_after(const WitnessInterval *interval) {
  ASSERT(interval);
  bool is_common = interval->after.count && vec_last(&interval->after).holds_both;
  return is_common ? &vec_last(&interval->after) : NULL;
}

// ---- in words

// "block barrier at line 12"
const char *barrier_text(Arena *arena, const Finding *finding, const WitnessBarrier *barrier) {
  ASSERT(barrier != NULL);
  const char *line = report_line_in(&finding->accesses[0].loc, &barrier->loc, arena);
  if (!line[0]) return arena_printf(arena, "%s barrier", barrier_word(barrier->scope));
  return arena_printf(arena, "%s barrier at %s%s", barrier_word(barrier->scope),
                      strchr(line, ':') ? "" : "line ", line);
}

static const char *start_text(Arena *arena, const Finding *finding, const WitnessInterval *interval) {
  const WitnessBarrier *start = interval_common_before(interval);
  if (!start) return "the kernel's start";
  const char *text = barrier_text(arena, finding, start);
  return interval->passed <= 1
             ? arena_printf(arena, "the %s", text)
             : arena_printf(arena, "the %s (number %" PRIu32 " that holds both)", text, interval->passed);
}

static const char *end_text(Arena *arena, const Finding *finding, const WitnessInterval *interval) {
  const WitnessBarrier *end = interval_common_after(interval);
  if (end) return arena_printf(arena, "the %s", barrier_text(arena, finding, end));
  return interval->is_whole ? "the kernel's end" : "an end that is not known";
}

static const char *interval_text(Arena *arena, const Finding *finding, int thread) {
  const WitnessInterval *interval = &finding->witness.threads[thread].interval;
  const WitnessBarrier *before = interval_own_before(interval), *after = interval_own_after(interval);
  StrBuf text = {.arena = arena};
  strbuf_printf(&text, "between %s and %s", start_text(arena, finding, interval),
                end_text(arena, finding, interval));
  if (before)
    strbuf_printf(&text, ", behind a %s that does not hold the other", barrier_text(arena, finding, before));
  if (after)
    strbuf_printf(&text, ", before a %s that does not hold the other", barrier_text(arena, finding, after));
  if (interval->going_on)
    strbuf_printf(&text, ", and goes on behind %" PRIu32 " barrier%s", interval->going_on,
                  interval->going_on == 1 ? "" : "s");
  return strbuf_text(&text);
}

const char *intervals_text(Arena *arena, const Finding *finding) {
  if (!has_intervals(finding)) return NULL;
  const char *texts[] = {interval_text(arena, finding, 0), interval_text(arena, finding, 1)};
  if (strcmp(texts[0], texts[1]) == 0) return arena_printf(arena, "both access it %s", texts[0]);
  return arena_printf(arena, "first thread %s; second thread %s", texts[0], texts[1]);
}
