// Is the model of a question a race? Both threads are interpreted with it (replay.c). If one of them gets
// into arithmetic that has no meaning, a sum that overflows on its way to the access, the question is asked
// again without such values: it did not speak of that sum. Soundness: whatever comes of it, only a model that
// replays is told as a definite race. One that needs contents of memory which the device computes is told if
// a run of the launch shows it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/copies.h"
#include "kernelscan/facts.h"
#include "kernelscan/memory.h"
#include "kernelscan/order.h"

enum { REPAIR_LIMIT = 4 };

// What must hold for the instruction to have a meaning, as the frame's thread executes it; 0: nothing that
// can be said.
static ExprRef has_meaning(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[index];
  uint8_t width = symeval_width(inst->type);
  if (inst->op_count != 2 || width < 8) return 0;
  ExprRef a = frame_word(frame, inst->ops[0], width), b = frame_word(frame, inst->ops[1], width);
  if (!a || !b) return 0;
  if (ir_op_class((IrOp)inst->op) != IR_CLASS_ARITH) return 0;
  bool divides = ir_inst_is(inst, IR_DIVIDES);
  if (divides) return expr_ne(pool, b, expr_const(pool, width, 0));
  ExprOp op = inst->op == IR_ADD   ? EXPR_ADD
              : inst->op == IR_SUB ? EXPR_SUB
              : inst->op == IR_MUL ? EXPR_MUL
                                   : EXPR_NONE;
  if (op == EXPR_NONE || width > 32) return 0;
  ExprRef wide =
      expr_binary(pool, op, EXPR_NSW, expr_resize_signed(pool, a, 64), expr_resize_signed(pool, b, 64));
  int64_t most = ((int64_t)1 << (width - 1)) - 1;
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, -most - 1), wide),
                  expr_binary(pool, EXPR_SLE, 0, wide, expr_const(pool, 64, most)));
}

// Another model, in which the two instructions that had no meaning have one.
static bool ask_again(const Question *question, Goal *goal, const uint32_t *undefined_at,
                      SolverAnswer *answer, const char *name) {
  Scan *scan = question->pairs->scan;
  Frame *frames[2] = {question->one->frame, question->two->frame};
  uint32_t before = goal->conditions.count;
  for (int side = 0; side < 2; side++)
    for (int t = 0; t < 2 && undefined_at[side] != CFG_NONE; t++) {
      ExprRef condition = has_meaning(frames[t], undefined_at[side]);
      if (condition) goal_add(scan, goal, condition, GOAL_CONTEXT, 0);
    }
  if (goal->is_false || goal->conditions.count == before) return false;
  *answer = goal_decide(scan, goal, arena_printf(scan->arena, "%s, without overflow on the way", name));
  return answer->verdict == VERDICT_RACE;
}

static ReplayQuery query_of(const Question *question, const RaceFacts *race) {
  return (ReplayQuery){.accesses = {question->one->access, question->two->access},
                       .couple = meeting_couple(question->meeting, race->extent),
                       .answer = race->answer,
                       .views = {question->meeting->views[0], question->meeting->views[1]},
                       .offsets = {question->first->offset, question->second->offset},
                       .goal = &race->goal};
}

static void replay(const Question *question, RaceFacts *race, uint32_t *undefined_at, bool is_of_order) {
  Scan *scan = question->pairs->scan;
  ReplayQuery query = query_of(question, race);
  query.undefined_at = undefined_at;
  query.is_of_order = is_of_order;
  bool is_wanted = !scan->request->options.without_replay;
  race->replay = is_wanted ? replay_check(scan, &query, &race->witness) : REPLAY_IMPOSSIBLE;
}

static const char *missing_text(const char *cause) {
  static const struct {
    const char *cause, *text;
  } texts[] = {
      {"missing-acquire-fence", "in a run of the whole launch, no fence stands between the operation that "
                                "learns from other threads and the access"},
      {"missing-fence", "in a run of the whole launch, no fence stands between the access and the operation "
                        "that tells other threads"},
      {"missing-async-wait", "in a run of the whole launch, the thread makes the other access without having "
                             "waited for the copy, and for the phase or stage that it belongs to"},
      {"missing-barrier", "in a run of the whole launch, the copy begins while nothing says that the other "
                          "thread is done with that place"}};
  if (!cause) return "in a run of the whole launch nothing that its threads did orders the two";
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i].cause, cause) == 0) return texts[i].text;
  return "in a run of the whole launch, what passes the word from thread to thread is one of block scope";
}

bool candidate_search_schedules(Scan *scan, const ReplayQuery *query, RaceFacts *race) {
  if (scan->request->options.without_replay) return false;
  const char *cause = NULL;
  ReplayResult result = schedule_search_find(scan, query, &race->witness, &cause);
  if (result == REPLAY_DIFFERS) return false;
  race->replay = result;
  between_fill_after(scan, query->couple, race);
  if (race->cause) return true;
  const char *text = NULL;
  race->cause = order_cause_in_run(scan, query->accesses, query->couple.extent, cause, &text);
  race->explanation = text ? text : missing_text(race->cause);
  for (int t = 0; t < 2; t++) { // whichever came first in that run
    const Access *copy = race->accesses[t];
    text = copy->is_async ? async_not_awaited(scan, copy, race->accesses[1 - t]) : NULL;
    if (!text) continue;
    race->cause = "missing-async-wait";
    race->explanation = text;
  }
  return true;
}

bool candidate_search_question(const Question *question, RaceFacts *race) {
  ReplayQuery query = query_of(question, race);
  return candidate_search_schedules(question->pairs->scan, &query, race);
}

// A pair that was not asked about, since the budget was spent: both touch the object. Whether two stores put
// the same value there was not asked, either.
static bool is_told_unasked(const Scan *scan, const PairState *state, RaceFacts *race) {
  const Access *one = &scan->accesses.items[state->a], *two = &scan->accesses.items[state->b];
  if (one->kind == ACCESS_WRITE && two->kind == ACCESS_WRITE) return false;
  *race = (RaceFacts){.accesses = {one, two}, .extent = race->extent};
  for (uint32_t o = 0; o < scan->objects.count; o++) {
    race->object = o;
    if (access_may_touch(scan, state->a, o) && access_may_touch(scan, state->b, o)) return true;
  }
  return false;
}

void candidate_look_at_runs(Scan *scan, PairState *state) {
  for (int e = 0; e < EXTENT_COUNT; e++) {
    RaceFacts *race = &state->races[e];
    RaceFacts unasked = {.extent = (Extent)e};
    if (state->states[e] != EXTENT_UNDECIDED) continue;
    if (!race->accesses[0] && is_told_unasked(scan, state, &unasked))
      race = &unasked;
    else if (!race->is_open)
      continue;
    ReplayQuery query = {.accesses = {race->accesses[0], race->accesses[1]}, .couple = couple_of((Extent)e)};
    if (!candidate_search_schedules(scan, &query, race)) continue;
    state->races[e] = *race;
    state->states[e] = EXTENT_RACE;
  }
}

// What the kernel computes decides whether the two threads meet: only a run can show it.
static ReplayResult confirm(const Question *question, RaceFacts *race) {
  ReplayQuery query = query_of(question, race);
  ReplayResult result = schedule_search_confirm(question->pairs->scan, &query, &race->witness);
  between_fill_after(question->pairs->scan, query.couple, race);
  return result;
}

// There is a model, but nothing shows that what it says of memory can be.
static void leave_open(PairState *state, RaceFacts *race, const char *reason) {
  race->is_open = true;
  pairs_leave_open(state, race->extent, reason);
}

static const char *not_shown_text(Scan *scan, const LaunchObject *computed, const char *here) {
  const char *unknown = start_values_unknown(scan);
  if (unknown) return unknown;
  if (here)
    return arena_printf(
        scan->arena, "whether two threads meet hangs on what the kernel puts into '%s', and no run shows it",
        here);
  if (!computed)
    return "whether two threads meet hangs on what the kernel puts into shared memory, and no run shows it";
  const char *runs = schedule_search_runs_prior(scan) ? ", and no run of both shows it" : "";
  return arena_printf(scan->arena, "whether two threads meet hangs on what '%s' holds, which %s computes%s",
                      computed->name, computed->computed_by, runs);
}

void candidate_check(const Question *question, PairState *state, Extent extent, const Goal *goal,
                     const SolverAnswer *answer, bool is_of_order, const char *name) {
  ASSERT(scan_is_extent(extent));
  ASSERT(name);
  Scan *scan = question->pairs->scan;
  RaceFacts *race = &state->races[extent];
  SolverAnswer *kept = arena_copy(scan->arena, answer, sizeof *answer);
  *race = (RaceFacts){.accesses = {question->one->access, question->two->access},
                      .object = question->first->object,
                      .extent = extent,
                      .answer = kept,
                      .goal = *goal};
  race->is_same_value = same_value_is_proved(question, goal, name);
  race->doubt =
      is_of_order ? call_effects_in_answer(scan, kept) : call_effects_settle(scan, &race->goal, kept, name);
  uint32_t undefined_at[2] = {CFG_NONE, CFG_NONE};
  replay(question, race, undefined_at, is_of_order);
  Goal repaired = goal_copy(scan, &race->goal);
  for (int round = 0; round < REPAIR_LIMIT && race->replay == REPLAY_DIFFERS && !is_of_order; round++) {
    SolverAnswer *again = arena_new(scan->arena, SolverAnswer);
    if (!ask_again(question, &repaired, undefined_at, again, name)) break;
    race->answer = again;
    race->goal = repaired;
    replay(question, race, undefined_at, is_of_order);
  }
  state->states[extent] = EXTENT_RACE;
  // Branches on the way that hang on shared memory, but that neither place nor coming there does: they lead there anyway.
  if (race->replay == REPLAY_NOT_SHOWN && !computed_here_is_spoken_of(scan, &race->goal))
    race->replay = REPLAY_NEEDS_MEMORY;
  between_fill(question, race);
  // What may be in memory matters to a race alone, not to who puts down the same.
  bool needs_memory = race->replay == REPLAY_NEEDS_MEMORY && !race->is_same_value;
  const LaunchObject *computed = needs_memory ? computed_before(question, &race->goal) : NULL;
  const char *here = needs_memory && !computed ? computed_here(question, &race->goal, name) : NULL;
  race->is_computed_here = here != NULL;
  if (here && candidate_search_question(question, race)) return;
  bool is_of_block = needs_memory && !computed && !here && computed_here_in_block(question, &race->goal);
  if (computed || here || is_of_block || race->replay == REPLAY_NOT_SHOWN)
    race->replay = confirm(question, race);
  if (race->replay == REPLAY_NOT_SHOWN) leave_open(state, race, not_shown_text(scan, computed, here));
  if (race->replay != REPLAY_DIFFERS) return;
  pairs_leave_open(state, extent, "a candidate race did not replay on concrete values");
}
