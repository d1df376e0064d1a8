// Does a run of the program show what is possible or undecided?
//
// The one place where what is analysed is executed, and only if it was asked for (--confirm). hgrd-run is started as a process of its own,
// builds the program in a private folder and runs it under several schedules; what it saw comes back as lines of JSON. A race that was
// seen makes its finding *observed*, or a new one of its kernel, which is racy then. What was not seen is said to be so.
//
// Soundness: nothing is ever proved by a run. A race that is seen in a kernel that is called race-free is a contradiction, and told as
// one (exit status 4).
// SPDX-License-Identifier: Apache-2.0
#include "driver/confirm.h"
#include "core/bug.h"
#include "core/process.h"
#include "driver/files.h"
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_REFUSED = 2, RUN_TOO_LONG = 124 };
#define SCHEDULES "4"
#define SECONDS "60" // of each

typedef VEC(const char *) Words;

// ---- is there anything to ask, and anything to run?

static bool is_open(const Finding *finding) {
  return finding_rule_is_race(finding->rule) && finding->certainty == CERTAINTY_POSSIBLE;
}

static bool has_questions(const Run *run) {
  bool has = false;
  for (uint32_t i = 0; i < run->tasks.count; i++) {
    const KernelResult *result = run->tasks.items[i].result;
    has |= result && result->undecided.count > 0;
    for (uint32_t f = 0; result && f < result->findings.count; f++)
      has |= is_open(&result->findings.items[f]);
  }
  return has;
}

static bool has_main(const Run *run) {
  for (uint32_t u = 0; u < run->program.units.count; u++) {
    const IrModule *host = run->program.units.items[u].host;
    for (uint32_t f = 0; host && f < host->functions.count; f++)
      if (strcmp(host->functions.items[f]->name, "main") == 0 && host->functions.items[f]->blocks.count > 0)
        return true;
  }
  return false;
}

// ---- running

// The program's arguments, at blanks.
static void add_arguments(const char *text, Arena *arena, Words *out) {
  for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
    size_t length = strcspn(at, " \t");
    vec_push(arena, out, arena_strndup(arena, at, length));
    at += length;
  }
}

static void add_command(const Run *run, const char *runner, const char *record, Words *out) {
  const Options *options = run->options;
  const char *const words[] = {runner, "--schedules=" SCHEDULES, "--timeout=" SECONDS,
                               arena_printf(run->arena, "--json=%s", record)};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    vec_push(run->arena, out, words[i]);
  if (options->arch) vec_push(run->arena, out, arena_printf(run->arena, "--arch=sm_%" PRIu32, options->arch));
  for (uint32_t i = 0; i < options->paths.count; i++)
    vec_push(run->arena, out, options->paths.items[i]);
  vec_push(run->arena, out, "--");
  for (uint32_t i = 0; i < options->flags.count; i++)
    vec_push(run->arena, out, options->flags.items[i]);
  vec_push(run->arena, out, "---");
  add_arguments(options->confirm, run->arena, out);
  vec_push(run->arena, out, NULL);
}

static void complain(const Run *run, const char *what, const char *detail) {
  diag_report_detail(run->sink, DIAG_WARNING, NULL, arena_printf(run->arena, "--confirm: %s", what), detail);
}

static bool run_program(const Run *run, const char *folder, Observations *out) {
  const char *runner = process_beside("hgrd-run", run->arena);
  const char *record = arena_printf(run->arena, "%s/seen", folder);
  StrBuf said = {.arena = run->arena};
  Words command = {0};
  if (!runner || access(runner, X_OK) != 0)
    return complain(run, "hgrd-run is not found beside hgrd-check: install it", ""), false;
  add_command(run, runner, record, &command);
  ProcessResult result = process_run(command.items, NULL, &said);
  size_t length = 0;
  const char *text = file_read(record, run->arena, &length);
  (void)unlink(record);
  if (result.start_error)
    return complain(run, "hgrd-run cannot be started", strerror(result.start_error)), false;
  if (!text) return complain(run, "the program cannot be built or run", strbuf_text(&said)), false;
  if (report_read_observations(text, length, run->arena, out)) return true;
  return complain(run, "what hgrd-run wrote is not understood: are the two of one version?", ""), false;
}

// ---- what was seen

static bool is_same_place(const SrcLoc *a, const SrcLoc *b) {
  return a->file && b->file && a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

// 0 as they are, 1 swapped, -1 others
static int order_of(const Finding *finding, const ObservedRace *race) {
  const FindingAccess *a = finding->accesses, *b = race->accesses;
  if (is_same_place(&a[0].loc, &b[0].loc) && is_same_place(&a[1].loc, &b[1].loc)) return 0;
  return is_same_place(&a[0].loc, &b[1].loc) && is_same_place(&a[1].loc, &b[0].loc) ? 1 : -1;
}

static WitnessThread thread_of(const Observation *seen, int which) {
  enum { WARP = 32 };
  WitnessThread thread = {0};
  memcpy(thread.block_idx, seen->block_idx[which], sizeof thread.block_idx);
  memcpy(thread.thread_idx, seen->thread_idx[which], sizeof thread.thread_idx);
  const int64_t *size = seen->block_dim, *at = thread.thread_idx;
  int64_t number = (at[2] * size[1] + at[1]) * size[0] + at[0];
  thread.warp = number / WARP;
  thread.lane = number % WARP;
  return thread;
}

// The threads are those of the run, no longer those of a model.
static void observe(const Run *run, Finding *finding, const ObservedRace *race, int order) {
  const Observation *seen = &race->seen;
  Witness witness = {.threads = {thread_of(seen, order), thread_of(seen, 1 - order)}};
  memcpy(witness.grid_dim, seen->grid_dim, sizeof witness.grid_dim);
  memcpy(witness.block_dim, seen->block_dim, sizeof witness.block_dim);
  finding->observed = seen;
  finding->certainty = CERTAINTY_OBSERVED;
  finding->witness = witness;
  finding->message = NULL;
  vec_push(run->arena, &finding->notes,
           (FindingNote){.loc = seen->launch_loc,
                         .text = arena_printf(run->arena,
                                              "observed in launch %" PRIu64
                                              " of a run: %s (%s, hgrd-run --replay=%s)",
                                              seen->launch, seen->text, seen->detector, seen->schedule)});
}

static FindingRule rule_of(const ObservedRace *race) {
  const Observation *seen = &race->seen;
  if (race->is_same_value) return RULE_SAME_VALUE;
  if (memcmp(seen->block_idx[0], seen->block_idx[1], sizeof seen->block_idx[0]) != 0) return RULE_INTER_BLOCK;
  return thread_of(seen, 0).warp == thread_of(seen, 1).warp ? RULE_INTRA_WARP : RULE_INTRA_BLOCK;
}

static void add_finding(const Run *run, KernelResult *result, const ObservedRace *race) {
  int lead = race->accesses[0].kind == ACCESS_READ; // a write is named first
  FindingRule rule = rule_of(race);
  Finding finding = {.rule = rule,
                     .level = finding_rule_info(rule)->level,
                     .cause = "",
                     .kernel = result->kernel,
                     .object = arena_printf(run->arena, "%s memory", race->space ? race->space : "global"),
                     .accesses = {race->accesses[lead], race->accesses[1 - lead]},
                     .launch = result->launch ? result->launch->description : NULL,
                     .launch_loc = race->seen.launch_loc,
                     .count = 1};
  observe(run, &finding, race, lead);
  vec_push(run->arena, &result->findings, finding);
}

static void contradict(Run *run, const KernelResult *result, const ObservedRace *race) {
  diag_report(run->sink, DIAG_ERROR, &race->accesses[0].loc,
              "kernel '%s' was proved race-free, and a run shows a race of this access with the one at line "
              "%" PRIu32 " (hgrd-run --replay=%s): please report this",
              result->kernel, race->accesses[1].loc.line, race->seen.schedule);
  run->is_contradicted = true;
}

static void take_race(Run *run, KernelResult *result, const ObservedRace *race) {
  bool is_known = false;
  for (uint32_t f = 0; f < result->findings.count; f++) {
    Finding *finding = &result->findings.items[f];
    int order = finding_rule_is_race(finding->rule) ? order_of(finding, race) : -1;
    if (order < 0) continue;
    is_known = true;
    if (is_open(finding)) observe(run, finding, race, order);
  }
  if (is_known) return;
  if (result->verdict == VERDICT_SAFE && !race->is_same_value) contradict(run, result, race);
  add_finding(run, result, race);
  if (!race->is_same_value) result->verdict = VERDICT_RACE;
}

static void say_not_seen(const Run *run, KernelResult *result, const Observations *seen) {
  const char *text =
      arena_printf(run->arena, "not seen in %" PRIu32 " runs of the program (--confirm), which is no proof",
                   seen->runs.count);
  for (uint32_t f = 0; f < result->findings.count; f++)
    if (is_open(&result->findings.items[f]))
      vec_push(run->arena, &result->findings.items[f].notes, (FindingNote){.text = text});
  if (result->verdict == VERDICT_UNKNOWN && result->undecided.count > 0)
    vec_push(run->arena, &result->undecided,
             (UndecidedReason){.loc = result->loc,
                               .text = arena_printf(run->arena,
                                                    "no race was seen in %" PRIu32
                                                    " runs of the program (--confirm), which is no proof",
                                                    seen->runs.count),
                               .is_of_budget = true});
}

static void tell_bad_ends(const Run *run, const Observations *seen) {
  for (uint32_t i = 0; i < seen->runs.count; i++) {
    const ObservedRun *one = &seen->runs.items[i];
    const char *how = one->signal ? arena_printf(run->arena, "was ended by signal %d", one->signal)
                      : one->status == RUN_TOO_LONG ? "took longer than " SECONDS " seconds"
                      : one->status == RUN_REFUSED  ? "ended with status 2"
                                                    : NULL;
    if (how)
      complain(
          run,
          arena_printf(run->arena, "the run '%s' %s: what comes behind was not seen", one->schedule, how),
          "");
  }
}

static void apply(Run *run, const Observations *seen) {
  for (uint32_t i = 0; i < run->tasks.count; i++) {
    const CheckTask *task = &run->tasks.items[i];
    if (!task->result) continue;
    KernelResult *result = arena_new(run->arena, KernelResult);
    *result = *task->result;
    result->findings.items = NULL;
    result->undecided.capacity = result->findings.capacity = result->findings.count =
        0; // those here are our own
    for (uint32_t f = 0; f < task->result->findings.count; f++)
      vec_push(run->arena, &result->findings, task->result->findings.items[f]);
    for (uint32_t r = 0; r < seen->races.count; r++)
      if (result->mangled && strcmp(result->mangled, seen->races.items[r].mangled) == 0)
        take_race(run, result, &seen->races.items[r]);
    say_not_seen(run, result, seen);
    run->tasks.items[i].result = result;
  }
}

void confirm_results(Run *run) {
  ASSERT(run && run->options);
  const char *base = getenv("TMPDIR");
  Observations seen = {0};
  for (uint32_t i = 0; i < run->tasks.count; i++)
    ASSERT(run->tasks.items[i].result);
  if (run->is_interrupted || !has_questions(run)) return;
  if (!has_main(run)) {
    complain(run, "no file defines main: there is nothing to run", "");
    return;
  }
  char *folder = arena_printf(run->arena, "%s/hgrd-confirm.XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) {
    complain(run, "no folder can be made for it: set TMPDIR", strerror(errno));
    return;
  }
  bool is_run = run_program(run, folder, &seen);
  (void)rmdir(folder);
  if (!is_run) return;
  apply(run, &seen);
  tell_bad_ends(run, &seen);
}
