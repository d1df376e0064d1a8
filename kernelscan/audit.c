// Do runs bear out what was proved? Method: a kernel that is race-free is run (schedule_search.c) under small
// launches that its facts allow, of several shapes and with several sizes of the numbers that it is given, on
// contents of several kinds, in many orders of its threads; a kernel that is undecided is run for those pairs
// that were proved to be ordered by locks, flags or counters. A race that a run shows, of two accesses that
// were proved apart, is a mistake in the proof or in the runner: it is listed, and the verdict withdrawn. Of
// a racy kernel nothing is compared: what orders the rest may itself race there. Soundness: only takes
// verdicts away. Assumptions hold in the runs as well: accesses outside of objects (A7) are not told,
// pointers do not overlap (A2), launches whose arrays hold what was counted in others are left out, and where
// a proof takes flags or what is read for set up (A11, A12), memory that the kernel writes begins with zeros,
// or, if that is asked for, as launches in view have left it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/audit.h"
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/witness/prior_launches.h"
#include "kernelscan/witness/schedule_search.h"
#include "kernelscan/witness/shapes.h"

enum {
  RUNS_LIMIT = 24, // launches
  TOLD_LIMIT = 4,
  GOAL_UNITS = 400000,
  ALL_UNITS = 8000000
};

// ---- which launches
typedef struct Runs {
  VEC(ScheduleSearch *) items;
} Runs;

static void add_run(Scan *scan, Runs *runs, const Goal *goal, const SolverAnswer *answer, Start start) {
  ScheduleSearch *run =
      runs->items.count < RUNS_LIMIT ? schedule_search_open(scan, goal, answer, start) : NULL;
  for (uint32_t i = 0; i < runs->items.count && run; i++)
    if (schedule_search_hash(runs->items.items[i]) == schedule_search_hash(run)) run = NULL;
  if (run) vec_push(scan->arena, &runs->items, run);
}

// Memory that the kernel writes may hold anything at the start, unless the proof leans on what it holds; what
// launches in view leave in it, it does hold, whatever the proof leans on.
static void add_starts(Scan *scan, Runs *runs, const Goal *goal, const SolverAnswer *answer) {
  bool leans = scan->result->assumptions & (ASSUME_FLAGS_CLEAR | ASSUME_LEFT | ASSUME_FILLED);
  if (!leans) add_run(scan, runs, goal, answer, START_CHOSEN);
  if (prior_exists(scan) && (!leans || scan->request->options.audit_flags))
    add_run(scan, runs, goal, answer, START_LEFT);
}

static void add_shapes(Scan *scan, Runs *runs, const Goal *of, uint32_t count, bool is_safe) {
  for (uint32_t s = 0; s < count; s++) {
    Goal goal;
    SolverAnswer answer;
    if (!shapes_ask(scan, of, s, &goal, &answer)) return;
    add_run(scan, runs, &goal, &answer, START_CLEAR);
    if (is_safe) add_starts(scan, runs, &goal, &answer);
  }
}

// ---- what is compared
// Was this proved not to happen?
static bool is_refuted(const Scan *scan, const PairOf *pair) {
  const Audit *audit = audit_of(scan);
  if (audit_is_excused(audit, pair)) return false;
  return scan->result->verdict == VERDICT_SAFE || audit_is_ordered(audit, pair);
}

static void add_triple(StrBuf *out, const int64_t *triple) {
  strbuf_printf(out, "(%lld,%lld,%lld)", (long long)triple[0], (long long)triple[1], (long long)triple[2]);
}

static void add_numbers_of(Scan *scan, const ReplayLaunch *launch, StrBuf *out) {
  for (uint32_t a = 0; a < scan->launch->args.count; a++) {
    const InterpArg *arg = &launch->args[a];
    bool is_word = arg->piece_count == 1 && arg->pieces[0].value.kind == INTERP_WORD;
    if (is_word) strbuf_printf(out, ", argument %u = %lld", a + 1, (long long)arg->pieces[0].value.word);
  }
}

static const char *kind_of(const Scan *scan, const Found *found, int side) {
  bool is_atomic = ir_op_flags((IrOp)scan->fn->insts.items[found->inst[side]].op) & IR_ATOMIC;
  return is_atomic ? "atomic" : found->is_write[side] ? "write" : "read";
}

static const char *text_of(Scan *scan, const ScheduleSearch *run, const Found *found, uint32_t schedule) {
  StrBuf out = {.arena = scan->arena};
  const IrInst *insts = scan->fn->insts.items;
  const SrcLoc *loc[2] = {ir_loc(scan->module, insts[found->inst[0]].loc),
                          ir_loc(scan->module, insts[found->inst[1]].loc)};
  strbuf_printf(
      &out,
      "audit: a run of kernel '%s' shows a race (%s) that was proved impossible, of the %s here and the "
      "%s at line %u:%u; launch ",
      scan->fn->display, extent_name(found->extent), kind_of(scan, found, 0), kind_of(scan, found, 1),
      loc[1]->line, loc[1]->column);
  add_triple(&out, found->grid);
  strbuf_add(&out, " x ");
  add_triple(&out, found->block);
  add_numbers_of(scan, schedule_search_launch(run), &out);
  for (int t = 0; t < 2; t++) {
    strbuf_add(&out, t ? " and " : ", threads ");
    add_triple(&out, found->threads[t].block_idx);
    add_triple(&out, found->threads[t].thread_idx);
  }
  strbuf_printf(&out, ", byte %lld, schedule %u%s%s", (long long)found->offset, schedule,
                found->is_wide ? ", all contents chosen" : "",
                schedule_search_is_left(run) ? ", behind the launches before it" : "");
  for (uint32_t i = 0; i < found->memory.count; i++)
    strbuf_printf(&out, "%s%s = %lld", i ? ", " : "; memory ", found->memory.items[i].name,
                  (long long)found->memory.items[i].value);
  return strbuf_text(&out);
}

static void compare(Scan *scan, const ScheduleSearch *run, const Found *found, uint32_t schedule) {
  Audit *audit = audit_of(scan);
  PairOf pair = audit_pair_of(found->inst, found->is_write, found->extent);
  if (!is_refuted(scan, &pair) || audit->told.count >= TOLD_LIMIT) return;
  for (uint32_t i = 0; i < audit->told.count; i++)
    if (audit_same_pair(&audit->told.items[i], &pair)) return;
  vec_push(scan->arena, &audit->told, pair);
  SrcLoc loc = *ir_loc(scan->module, scan->fn->insts.items[found->inst[0]].loc);
  vec_push(scan->arena, &scan->result->contradictions,
           ((UndecidedReason){.loc = loc, .text = text_of(scan, run, found, schedule)}));
}

// ---- running
static uint64_t run_once(Scan *scan, ScheduleSearch *run, uint32_t schedule) {
  uint32_t before = schedule_search_found_count(run);
  uint64_t steps = schedule_search_run(run, schedule);
  for (uint32_t i = before; i < schedule_search_found_count(run); i++)
    compare(scan, run, schedule_search_found(run, i), schedule);
  return steps;
}

// Each launch in one order, then in another one: a budget that is soon spent has seen all of them.
static void run_all(Scan *scan, const Runs *runs) {
  static const uint32_t order[SEARCH_SCHEDULES] = {2, 5, 1, 10, 6, 3, 11, 16, 0, 7, 12, 4, 13, 8, 14, 9, 15};
  uint64_t left = scan->request->options.audit_steps;
  for (uint32_t s = 0; s < SEARCH_SCHEDULES; s++)
    for (uint32_t i = 0; i < runs->items.count; i++) {
      uint64_t steps = run_once(scan, runs->items.items[i], order[s]);
      if (steps >= left) return;
      left -= steps;
    }
}

static void make_runs(Scan *scan, Runs *runs) {
  Goal goal = {0};
  bool is_safe = scan->result->verdict == VERDICT_SAFE;
  goal_add_launch(scan, &goal);
  if (prior_exists(scan)) prior_add_facts(scan, &goal);
  if (is_safe && !goal.is_false) add_shapes(scan, runs, &goal, SHAPE_COUNT, true);
  for (uint32_t i = 0; i < audit_of(scan)->ordered.count; i++) {
    const Ordered *ordered = &audit_of(scan)->ordered.items[i];
    if (audit_is_excused(audit_of(scan), &ordered->pair)) continue;
    add_run(scan, runs, ordered->query.goal, ordered->query.answer, START_CLEAR);
    add_shapes(scan, runs, ordered->query.goal, 2, false);
  }
}

static void withdraw(Scan *scan) {
  KernelResult *result = scan->result;
  if (!result->contradictions.count || result->verdict != VERDICT_SAFE) return;
  result->verdict = VERDICT_UNKNOWN;
  vec_push(
      scan->arena, &result->undecided,
      ((UndecidedReason){.loc = result->contradictions.items[0].loc,
                         .text = "a run contradicts the proof: a mistake of hgrd-check, please report it"}));
}

// With a solver of its own, and without a trace in the result: what is asked here proves nothing.
void audit_check(Scan *scan) {
  ASSERT(scan->result->verdict != VERDICT_DEAD); // of a launch that can be
  bool is_claimed = scan->result->verdict == VERDICT_SAFE || scan->result->verdict == VERDICT_UNKNOWN;
  if (!audit_of(scan) || !is_claimed || !scan->accesses.count) return;
  if (scan->launch->histograms.count)
    return; // what was counted and what counts do not go together in a made-up run
  if (scan->result->verdict != VERDICT_SAFE && !audit_of(scan)->ordered.count) return;
  const KernelScanRequest *own = scan->request;
  KernelScanRequest request = *own;
  KernelResult before = *scan->result;
  SolverOptions options = {.rlimit = GOAL_UNITS, .prefer_small = true};
  request.solver = solver_open(&options);
  solver_start_pool(request.solver, ALL_UNITS);
  request.options.dump_goals = NULL;
  scan->request = &request;
  Runs runs = {0};
  make_runs(scan, &runs);
  run_all(scan, &runs);
  scan->request = own;
  solver_close(request.solver);
  before.contradictions = scan->result->contradictions;
  *scan->result = before;
  withdraw(scan);
}
