// Which words do reports use for kinds, levels, places and threads, and what does a finding say in one
// sentence?
//
// One place for all formats, so that text, JSON and SARIF agree.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

const char *access_word(AccessKind kind) {
  switch (kind) {
  case ACCESS_READ: return "read";
  case ACCESS_WRITE: return "write";
  case ACCESS_ATOMIC: return "atomic access";
  }
  return "access";
}

// What stands before the object: "write to", "read of".
static const char *access_phrase(AccessKind kind) {
  switch (kind) {
  case ACCESS_READ: return "read of";
  case ACCESS_WRITE: return "write to";
  case ACCESS_ATOMIC: return "atomic access to";
  }
  return "access to";
}

const char *access_id(AccessKind kind) {
  return kind == ACCESS_ATOMIC ? "atomic" : access_word(kind);
}

const char *level_word(FindingLevel level) {
  switch (level) {
  case LEVEL_NONE: return "none";
  case LEVEL_NOTE: return "note";
  case LEVEL_WARNING: return "warning";
  case LEVEL_ERROR: return "error";
  }
  return "none";
}

const char *certainty_word(Certainty certainty) {
  switch (certainty) {
  case CERTAINTY_DEFINITE: return "definite";
  case CERTAINTY_POSSIBLE: return "possible";
  case CERTAINTY_OBSERVED: return "observed";
  }
  return "possible";
}

const char *fact_word(FactClass class) {
  switch (class) {
  case FACT_ASSERT: return "assert";
  case FACT_LAUNCH: return "launch";
  case FACT_RELATION: return "relation";
  case FACT_LOOP: return "loop";
  case FACT_ALLOCATION: return "allocation";
  case FACT_CONTENTS: return "contents";
  case FACT_HARDWARE: return "hardware";
  case FACT_USER: return "user";
  }
  return "fact";
}

const char *assumption_words(unsigned bit, const char **id) {
  ASSERT(id);
  switch (bit) {
#define X(number, name, telling, text)                                                                       \
  case number: *id = name; return text;
    ASSUMPTIONS(X)
#undef X
  default: *id = "A?"; return "";
  }
}

AssumptionTelling assumption_telling(unsigned bit) {
  ASSERT(bit < 32);
  switch (bit) {
#define X(number, name, telling, text)                                                                       \
  case number: return telling;
    ASSUMPTIONS(X)
#undef X
  default: return TELL_VERBOSE;
  }
}

const char *severity_word(DiagSeverity severity) {
  switch (severity) {
  case DIAG_NOTE: return "note";
  case DIAG_WARNING: return "warning";
  case DIAG_ERROR: return "error";
  }
  return "error";
}

bool loc_known(const SrcLoc *loc) {
  return loc->file && loc->file[0];
}

int loc_compare(const SrcLoc *a, const SrcLoc *b) {
  ASSERT(a && b);
  int order = strcmp(a->file ? a->file : "", b->file ? b->file : "");
  if (order != 0) return order;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

const char *loc_text(Arena *arena, const SrcLoc *loc) {
  if (!loc_known(loc)) return "";
  const char *file = escape_visible(arena, loc->file);
  return loc->line ? arena_printf(arena, "%s:%" PRIu32, file, loc->line) : file;
}

const char *triple_text(Arena *arena, const int64_t triple[3]) {
  ASSERT(triple[0] >= 0 && triple[1] >= 0 && triple[2] >= 0);
  return arena_printf(arena, "(%" PRId64 ",%" PRId64 ",%" PRId64 ")", triple[0], triple[1], triple[2]);
}

bool has_second_access(const Finding *finding) {
  return loc_known(&finding->accesses[1].loc);
}

bool has_witness(const Finding *finding) {
  return finding->witness.block_dim[0] > 0;
}

static const char *thread_text(Arena *arena, const Finding *finding, int thread) {
  if (!has_witness(finding)) return "";
  const WitnessThread *who = &finding->witness.threads[thread];
  return arena_printf(arena, " by thread %s of block %s", triple_text(arena, who->thread_idx),
                      triple_text(arena, who->block_idx));
}

const char *second_place_text(FindingRule rule) {
  ASSERT(!finding_rule_is_race(rule));
  if (rule == RULE_BARRIER_DIVERGENCE) return "the other thread goes this way";
  if (rule == RULE_LOCK_MISUSE) return "the lock is taken here";
  if (rule == RULE_ENDLESS_WAIT) return "it waits here";
  return "this belongs to it";
}

static const char *default_message(Arena *arena, const Finding *finding) {
  if (finding->rule == RULE_BARRIER_DIVERGENCE)
    return arena_printf(arena, "barrier in '%s' is not reached by all threads of its group",
                        finding->kernel ? finding->kernel : "");
  const FindingAccess *a = &finding->accesses[0], *b = &finding->accesses[1];
  return arena_printf(arena, "%s '%s'%s %s with %s at %s%s", access_phrase(a->kind),
                      finding->object ? finding->object : "", thread_text(arena, finding, 0),
                      finding->certainty != CERTAINTY_POSSIBLE ? "races" : "may race", access_word(b->kind),
                      loc_text(arena, &b->loc), thread_text(arena, finding, 1));
}

// The sentence has to say by itself that a race is only possible.
const char *message_text(Arena *arena, const Finding *finding) {
  ASSERT(finding && finding->certainty <= CERTAINTY_OBSERVED);
  const char *message =
      finding->message && finding->message[0] ? finding->message : default_message(arena, finding);
  bool is_told =
      finding->certainty != CERTAINTY_POSSIBLE || strstr(message, "may ") || strstr(message, "possibl");
  const char *what = finding->rule == RULE_BARRIER_DIVERGENCE ? "divergence" : "race";
  return escape_visible(arena, is_told ? message : arena_printf(arena, "possible %s: %s", what, message));
}
