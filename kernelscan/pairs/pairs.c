// Which two accesses can race? For each extent and each synchronisation point of it, every pair of accesses
// that threads can reach from there without another such point, on every combination of ways, becomes a goal:
// both get there, in two different threads of the extent, and touch a common byte. Method: two-thread
// reduction over barrier intervals (Betts et al., "GPUVerify", OOPSLA 2012; Li and Gopalakrishnan, "PUG", FSE
// 2010), with the meeting relation computed on the graph cut at synchronisation points. Soundness: all pairs
// of understood accesses are asked, or dismissed by an exact test; what is not understood leaves a reason. A
// race is only reported for a model that the solver checked exactly and that replays.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/copies.h"
#include "kernelscan/facts.h"
#include "kernelscan/finding.h"
#include "kernelscan/proofs.h"
#include "kernelscan/kernel.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/order.h"
#include "kernelscan/phases.h"

#include <string.h>

static uint32_t met_words(const Scan *scan) { // of a row
  return scan->accesses.count / 64 + 1;
}

static PairState *pair_state(Pairs *pairs, uint32_t a, uint32_t b) {
  Arena *arena = pairs->scan->arena;
  uint32_t hash = a * 2654435761u + b;
  TableLook look = table_look(&pairs->table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    PairState *state = &pairs->states.items[number - 1];
    if (state->a == a && state->b == b) return state;
  }
  vec_push(arena, &pairs->states, (PairState){.a = a, .b = b});
  table_add(arena, &pairs->table, hash, pairs->states.count);
  return &vec_last(&pairs->states);
}

// ---- exact tests before the solver
static bool scope_holds_both(IrScope scope, Extent extent) {
  return scope >= order_scope_needed(extent);
}

// Atomics of sufficient scope on the same whole word do not race; aligned words of one size overlap only if
// equal.
static bool both_atomic(const Access *a, const Access *b, Extent extent) {
  return a->kind == ACCESS_ATOMIC && b->kind == ACCESS_ATOMIC && a->bytes == b->bytes && a->is_natural &&
         b->is_natural && scope_holds_both(a->scope, extent) && scope_holds_both(b->scope, extent);
}

// In PTX's model volatile is relaxed with system scope: such a pair is morally strong.
static bool both_strong(const Scan *scan, const Access *a, const Access *b, Extent extent) {
  if (order_rules(scan)->volatile_races || a->bytes != b->bytes) return false;
  return order_is_strong(scan, a) && order_is_strong(scan, b) &&
         scope_holds_both(order_scope_of(scan, a), extent) &&
         scope_holds_both(order_scope_of(scan, b), extent);
}

bool pairs_both_strong(const Scan *scan, const Access *a, const Access *b, Extent extent) {
  ASSERT(scan_has_access(scan, a));
  ASSERT(scan_has_access(scan, b));
  ASSERT(scan_is_extent(extent));
  return both_atomic(a, b, extent) || both_strong(scan, a, b, extent);
}

bool pairs_can_race(const Pairs *pairs, uint32_t a, uint32_t b, Couple couple) {
  ASSERT(couple.extent <= EXTENT_NONE);
  const Access *one = &pairs->scan->accesses.items[a], *two = &pairs->scan->accesses.items[b];
  if (pairs->behind && (pairs->behind[a] && pairs->behind[b]) == couple.ends_at_divergent) return false;
  if (one->kind == ACCESS_READ && two->kind == ACCESS_READ) return false;
  if (pairs_both_strong(pairs->scan, one, two, couple.extent)) return false;
  bool lock_step = couple.extent == EXTENT_INTRA_WARP && pairs->scan->request->options.arch < 70;
  return !lock_step || !lockstep_orders(pairs->scan, one, two);
}

// ---- asking
// A pair whose conditions contradict each other is apart because the two ways exclude each other, or because
// one of the accesses cannot happen at all, which is no proof of anything: that is asked once, at the end.
static void note_liveness(const Question *question, Verdict verdict) {
  Pairs *pairs = question->pairs;
  const Access *accesses[2] = {question->one->access, question->two->access};
  for (int t = 0; t < 2; t++) {
    Liveness *known = &pairs->liveness[accesses[t] - pairs->scan->accesses.items];
    if (verdict == VERDICT_SAFE || verdict == VERDICT_RACE) *known = LIVE;
    if (verdict == VERDICT_DEAD && *known == LIVE_NOT_ASKED) *known = LIVE_SUSPECT;
  }
}

static Goal build_goal(const Question *question, Extent asked) {
  Scan *scan = question->pairs->scan;
  Goal goal = {0};
  goal_add(scan, &goal, pairs_conflict(scan, question->one, question->first, question->two, question->second),
           GOAL_CONFLICT, 0);
  if (goal.is_false) return goal;
  goal_add(scan, &goal, question->one->condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, question->two->condition, GOAL_CONTEXT, 0);
  if (goal.is_false && !question->is_bundle) note_liveness(question, VERDICT_DEAD);
  const View *const *views = question->meeting->views;
  goal_add_extent(scan, &goal, asked, views[0], views[1]);
  if (asked == EXTENT_INTER_BLOCK && clusters_kind(scan) == CLUSTERS_KNOWN)
    goal_add(scan, &goal, expr_not(scan->pool, clusters_is_same(scan, views[0], views[1])), GOAL_EXTENT, 0);
  if (asked == EXTENT_INTRA_WARP || asked == EXTENT_INTRA_BLOCK)
    goal_add_covers(scan, &goal, meeting_couple(question->meeting, asked), question->one->frame,
                    question->two->frame);
  if (goal.is_false) return goal;
  goal_add_view(scan, &goal, question->meeting->views[0]);
  goal_add_view(scan, &goal, question->meeting->views[1]);
  const Instance *const pair[2] = {question->one, question->two};
  claims_add(scan, &goal, question->meeting->graph->couple.extent, pair, question->is_bundle);
  goal_add_votes(scan, &goal, question->meeting->graph->couple.extent, question->one->frame,
                 question->two->frame);
  goal_add_launch(scan, &goal);
  goal_add_rounds(scan, &goal, question->one->frame);
  goal_add_rounds(scan, &goal, question->two->frame);
  pairs_add_bounds(scan, &goal, question->one, question->first);
  pairs_add_bounds(scan, &goal, question->two, question->second);
  if (!question->is_bundle) summed_add(scan, &goal, pair);
  return goal;
}

// Refuted with fewer conditions: whether each access can happen under its own is asked at the end.
static bool is_covered(const Question *question, const Refuted *proof) {
  if (!proofs_cover(question->pairs->scan, proof)) return false;
  if (!question->is_bundle) note_liveness(question, VERDICT_DEAD);
  return true;
}

// Apart by where they are alone, or by all that is known. The first says nothing of whether they happen. What
// little decides is decided first.
static SolverAnswer decide_apart(const Question *question, Goal *goal, const char *name, Refuted *proof) {
  Scan *scan = question->pairs->scan;
  SolverAnswer answer = {.verdict = VERDICT_UNKNOWN};
  if (!places_goal_is_long(scan, goal)) answer = goal_look(scan, goal, false, name);
  if (answer.verdict == VERDICT_UNKNOWN && places_are_apart(scan, goal, name, &answer)) {
    *proof = proofs_of(scan, goal);
    answer.verdict = VERDICT_DEAD;
    answer.is_refuted = true;
  } else if (answer.verdict == VERDICT_UNKNOWN)
    answer = question->is_bundle ? goal_look(scan, goal, true, name) : goal_decide(scan, goal, name);
  if (!question->is_bundle) note_liveness(question, answer.verdict);
  return answer;
}

static const char *goal_name(const Question *question, Extent extent) {
  Scan *scan = question->pairs->scan;
  const SrcLoc *a = ir_loc(scan->module, scan->fn->insts.items[question->one->access->inst].loc);
  const SrcLoc *b = ir_loc(scan->module, scan->fn->insts.items[question->two->access->inst].loc);
  return arena_printf(scan->arena, "%s %s line %u:%u with line %u:%u", scan->fn->display, extent_name(extent),
                      a->line, a->column, b->line, b->column);
}

// Barrier objects and shared pipelines that are not followed: the halves by which a thread says that it has
// come, and by which it waits.
static bool says_at_object(const IrInst *inst) {
  if (inst->op == IR_PIPELINE) return inst->imm != IR_PIPELINE_ACQUIRE && inst->imm != IR_PIPELINE_WAIT;
  if (inst->op == IR_BARRIER) return arrivals_is_arrival(inst);
  return inst->op == IR_MBARRIER && inst->imm != IR_MBARRIER_INIT &&
         (inst->imm < IR_MBARRIER_TEST || inst->imm > IR_MBARRIER_WAIT_PARITY);
}

static bool waits_at_object(const IrInst *inst) {
  if (inst->op == IR_PIPELINE)
    return inst->imm == IR_PIPELINE_INIT || inst->imm == IR_PIPELINE_ACQUIRE || inst->imm == IR_PIPELINE_WAIT;
  if (inst->op == IR_BARRIER) return arrivals_is_wait(inst);
  return inst->op == IR_MBARRIER && inst->imm >= IR_MBARRIER_TEST && inst->imm <= IR_MBARRIER_WAIT_PARITY;
}

// May one thread have said so behind its access, and the other one have waited for that before its own? A
// copy that the object waits for says so itself.
static bool may_meet_at_object(const Question *question, Extent extent, MeetState state, const char **text) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  uint32_t told[2] = {async_told_object(scan, question->one->access),
                      async_told_object(scan, question->two->access)};
  bool says[2] = {false, false}, waits[2] = {false, false};
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool is_wide = inst->scope >= order_scope_needed(extent) || !extent_is_between_blocks(extent);
    const Meet *meet = arrivals_meet_of(scan, i);
    bool is_open = inst->op == IR_PIPELINE && state == MEET_OPEN;
    if (!(meet ? meet->state == state : is_open) || !is_wide) continue;
    if (meet && meet->is_of_warp && extent != EXTENT_INTRA_WARP) continue;
    if (meet && meet->text) *text = meet->text;
    for (int t = 0; t < 2; t++) {
      says[t] |= (told[t] && meet && meet->object == told[t]) ||
                 (says_at_object(inst) && order_reaches(scan, sides[t]->access->inst, i));
      waits[t] |= waits_at_object(inst) && order_reaches(scan, i, sides[t]->access->inst);
    }
  }
  return (says[0] && waits[1]) || (says[1] && waits[0]);
}

static bool is_point(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == inst) return true;
  return false;
}

// A barrier between the two that holds other threads together than these.
static const IrInst *narrow_barrier(const Question *question, Extent extent) {
  const Scan *scan = question->pairs->scan;
  Couple couple = meeting_couple(question->meeting, extent);
  uint32_t a = question->one->access->inst, b = question->two->access->inst;
  bool has_grid_barrier = scan->launch->is_cooperative;
  for (uint32_t p = 1; p < scan->points.count; p++)
    has_grid_barrier |= scan->points.items[p].scope == IR_SCOPE_DEVICE;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!order_is_barrier(scan, i) || scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    bool may_be_meant =
        inst->scope == IR_SCOPE_CLUSTER || (has_grid_barrier && inst->scope < IR_SCOPE_DEVICE);
    if (extent_is_between_blocks(extent) && !may_be_meant) continue;
    bool is_between = (order_reaches_in(scan, a, i, couple) && order_reaches_in(scan, i, b, couple)) ||
                      (order_reaches_in(scan, b, i, couple) && order_reaches_in(scan, i, a, couple));
    if (is_between && !order_separates(scan, i, couple)) return inst;
  }
  return NULL;
}

static void name_wrong_group(const Question *question, Extent extent, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const IrInst *barrier = ordered->cause ? NULL : narrow_barrier(question, extent);
  if (!barrier || question->one->access->inst == question->two->access->inst) return;
  static const char *const groups[] = {"the threads of one block", "the lanes of one warp",
                                       "a part of the lanes or threads", "the blocks of one cluster"};
  bool is_part = barrier->imm != IR_BARRIER_SYNC || barrier->op_count > 0;
  const char *group = groups[barrier->scope == IR_SCOPE_CLUSTER                                ? 3
                             : barrier->scope >= IR_SCOPE_BLOCK && !is_part                    ? 0
                             : extent == EXTENT_INTRA_BLOCK && barrier->imm == IR_BARRIER_SYNC ? 1
                                                                                               : 2];
  ordered->cause = "wrong-group";
  ordered->text = arena_printf(scan->arena, "the barrier at line %u between the two holds only %s together",
                               ir_loc(scan->module, barrier->loc)->line, group);
}

// Made between the two halves of a barrier: others may be behind it already.
static void say_loose(const Question *question, const Carried *carried, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const IrInst *insts = scan->fn->insts.items;
  if (ordered->verdict == ORDER_PROTECTED)
    *ordered =
        (OrderAnswer){.text = "what is done between arrival and wait, and what orders it, is not understood"};
  if (ordered->verdict != ORDER_UNPROTECTED) return;
  ordered->cause = "behind-arrival";
  ordered->text =
      arena_printf(scan->arena,
                   "the thread has already arrived at line %u: others may pass the barrier, whose wait is at "
                   "line %u, before it makes the access",
                   ir_loc(scan->module, insts[carried->arrival - 1].loc)->line,
                   ir_loc(scan->module, insts[scan->points.items[carried->point].inst].loc)->line);
}

// A write that bulk copies do not see yet, whatever orders the two; false: the question is about something
// else.
static bool consider_proxies(const Question *question, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  for (int t = 0; t < 2; t++) {
    const Carried *carried = sides[t]->carried;
    if (!carried || !carried->is_unseen) continue;
    const char *text = proxies_text(scan, carried->copy, sides[1 - t]->access);
    bool is_open = carried->is_uncertain || proxies_fences_itself(scan, carried, sides[1 - t]->access);
    *ordered = is_open
                   ? (OrderAnswer){.text = "the fence.proxy.async between the two is made by the thread that "
                                           "issues the bulk copy, not by the one that wrote"}
                   : (OrderAnswer){ORDER_UNPROTECTED, .cause = "missing-proxy-fence", .text = text};
    return true;
  }
  if (ordered->verdict != ORDER_PROTECTED) return false;
  bool is_sure = false;
  const char *text = proxies_between(scan, sides[0]->access, sides[1]->access, &is_sure);
  if (!text) return false;
  *ordered = is_sure ? (OrderAnswer){ORDER_UNPROTECTED, .cause = "missing-proxy-fence", .text = text}
                     : (OrderAnswer){.text = text};
  return true;
}

// What flags and locks say of an access, they say of the place where it stands: a copy goes on behind it.
static void consider_copies(const Question *question, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  if (ordered->is_of_copies) return;
  for (int t = 0; t < 2; t++) {
    if (sides[t]->carried && sides[t]->carried->arrival) say_loose(question, sides[t]->carried, ordered);
    if (!sides[t]->access->is_async) continue;
    if (ordered->verdict == ORDER_PROTECTED)
      *ordered = (OrderAnswer){.text = "an asynchronous copy, and what orders it, is not understood"};
    const Carried *carried = sides[t]->carried;
    if (!carried) {
      const char *text = async_not_awaited(scan, sides[t]->access, sides[1 - t]->access);
      if (text && ordered->verdict == ORDER_UNPROTECTED && !ordered->cause)
        *ordered = (OrderAnswer){ORDER_UNPROTECTED, .cause = "missing-async-wait", .text = text};
      continue;
    }
    const IrInst *insts = scan->fn->insts.items;
    uint32_t issued = ir_loc(scan->module, insts[carried->copy->inst].loc)->line,
             barrier = ir_loc(scan->module, insts[scan->points.items[carried->point].inst].loc)->line;
    if (carried->is_uncertain) {
      const char *what = async_is_of_object(scan, carried->copy) ? "a barrier object that is not followed"
                                                                 : "the number of groups that a wait leaves";
      *ordered = (OrderAnswer){
          .text = arena_printf(scan->arena,
                               "whether the copy issued at line %u is done before the barrier at "
                               "line %u hangs on %s",
                               issued, barrier, what)};
      return;
    }
    ordered->cause = "missing-async-wait";
    ordered->text =
        arena_printf(scan->arena,
                     "the copy issued at line %u may still be going on behind the barrier at line %u: "
                     "no wait covers it before",
                     issued, barrier);
  }
}

// A warp barrier between the two whose mask is not understood; what activemask returns is taken for nobody.
static const IrInst *unknown_mask(const Question *question, Extent extent) {
  const Scan *scan = question->pairs->scan;
  uint32_t a = question->one->access->inst, b = question->two->access->inst;
  for (uint32_t i = 0; i < scan->fn->insts.count && extent == EXTENT_INTRA_WARP; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool has_mask = inst->op == IR_BARRIER && inst->imm == IR_BARRIER_SYNC && inst->scope == IR_SCOPE_WARP &&
                    inst->op_count;
    if (!has_mask || scan->cfg->rpo_number[inst->block] == CFG_NONE || is_point(scan, i)) continue;
    const IrInst *vote = ir_inst(scan->fn, inst->ops[0]);
    if (vote && vote->op == IR_VOTE && vote->name && strcmp(vote->name, "activemask") == 0) continue;
    if ((order_reaches(scan, a, i) && order_reaches(scan, i, b)) ||
        (order_reaches(scan, b, i) && order_reaches(scan, i, a)))
      return inst;
  }
  return NULL;
}

// A barrier between the two that some go round of those that it holds together.
static const IrInst *divergent_barrier(const Question *question, Extent extent) {
  const Scan *scan = question->pairs->scan;
  Couple couple = meeting_couple(question->meeting, extent);
  uint32_t a = question->one->access->inst, b = question->two->access->inst;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point->is_divergent || !point_would_order(point, couple)) continue;
    if ((order_reaches(scan, a, point->inst) && order_reaches(scan, point->inst, b)) ||
        (order_reaches(scan, b, point->inst) && order_reaches(scan, point->inst, a)))
      return &scan->fn->insts.items[point->inst];
  }
  return NULL;
}

// A copy that completes on a barrier object, and an access behind it with no way back: only the wait for that
// phase could order them, whatever other barriers there are.
static void name_missing_phase(const Question *question, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  for (int t = 0; t < 2 && !ordered->cause && !ordered->text; t++) {
    uint32_t copy = sides[t]->access->inst, other = sides[1 - t]->access->inst;
    if (!async_is_of_object(scan, sides[t]->access) || !order_reaches(scan, copy, other) ||
        order_reaches(scan, other, copy))
      continue;
    ordered->cause = "missing-async-wait";
    ordered->text =
        arena_printf(scan->arena,
                     "the copy issued at line %u is done with the phase of its barrier object that "
                     "waits for it, and nothing shows a wait for that phase before the other access",
                     ir_loc(scan->module, scan->fn->insts.items[copy].loc)->line);
  }
}

// What barrier objects say that are no barriers of the whole block.
static void consider_objects(const Question *question, Extent extent, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const char *text = NULL;
  if (ordered->verdict != ORDER_UNPROTECTED) return;
  const IrInst *unknown = unknown_mask(question, extent);
  if (unknown) {
    *ordered =
        (OrderAnswer){.text = arena_printf(
                          scan->arena, "the warp barrier at line %u, whose mask is not known, may order them",
                          ir_loc(scan->module, unknown->loc)->line)};
    return;
  }
  const IrInst *divergent = divergent_barrier(question, extent);
  if (divergent) {
    *ordered =
        (OrderAnswer){.text = arena_printf(
                          scan->arena,
                          "the barrier at line %u may order them, but not all threads that it holds together "
                          "were proved to come to it",
                          ir_loc(scan->module, divergent->loc)->line)};
    return;
  }
  uint32_t at[2] = {question->one->access->inst, question->two->access->inst};
  const Named *named = extent_is_between_blocks(extent) ? NULL : order_named_between(scan, at);
  if (named) {
    *ordered = (OrderAnswer){
        .text = arena_printf(scan->arena, "the barrier with a number at line %u may order them",
                             ir_loc(scan->module, scan->fn->insts.items[named->inst].loc)->line)};
    return;
  }
  if (may_meet_at_object(question, extent, MEET_OPEN, &text)) {
    *ordered = (OrderAnswer){.text = text ? arena_printf(scan->arena, "a barrier may order them; %s", text)
                                          : "a pipeline that the block shares may order them"};
  } else if (!ordered->cause && may_meet_at_object(question, extent, MEET_EARLY, &text)) {
    ordered->cause = "incomplete-arrival";
    ordered->text = text;
  } else {
    name_missing_phase(question, ordered);
  }
}

void pairs_leave_open(PairState *state, Extent extent, const char *reason) {
  ASSERT(scan_is_extent(extent));
  state->states[extent] = EXTENT_UNDECIDED;
  state->is_spent[extent] = false;
  if (reason) state->reasons[extent] = reason;
  if (!state->reasons[extent])
    state->reasons[extent] = "nothing shows what orders them, and no run that they race";
}

static OrderQuestion order_question(const Question *question, Extent extent, const Goal *goal,
                                    const char *name) {
  return (OrderQuestion){.meeting = question->meeting,
                         .instances = {question->one, question->two},
                         .targets = {question->first, question->second},
                         .extent = extent,
                         .goal = goal,
                         .name = name};
}

// A race that was shown. That two writes put down the same was shown of the instances asked so far only:
// others may differ.
static bool is_settled(const PairState *state, Extent extent) {
  return state->states[extent] == EXTENT_RACE && !state->races[extent].is_same_value;
}

// Nothing is known of these instances, whatever was found of others.
static void leave_unknown(PairState *state, Extent extent, const char *reason) {
  if (state->races[extent].is_same_value) state->races[extent] = (RaceFacts){0};
  pairs_leave_open(state, extent, reason);
}

// Nothing is left to ask with; another reason says more.
static void leave_spent(PairState *state, Extent extent) {
  if (state->states[extent] == EXTENT_UNDECIDED && !state->is_spent[extent]) return;
  leave_unknown(state, extent, "the budget of the kernel is spent");
  state->is_spent[extent] = true;
}

static void note_for_audit(const Question *question, Extent extent, const Goal *goal,
                           const SolverAnswer *answer, bool is_exempt) {
  Scan *scan = question->pairs->scan;
  ReplayQuery query = {.accesses = {question->one->access, question->two->access},
                       .couple = meeting_couple(question->meeting, extent),
                       .answer = answer,
                       .views = {question->meeting->views[0], question->meeting->views[1]},
                       .goal = goal};
  if (is_exempt)
    audit_excuse(scan, query.accesses[0], query.accesses[1], extent);
  else
    audit_note_ordered(scan, &query);
}

// The accesses can touch a common byte between two barriers: a race, unless a lock, a flag or a counter
// orders them.
static void judge_candidate(const Question *question, PairState *state, Extent extent, const Goal *goal,
                            SolverAnswer answer, const char *name) {
  Models models = {0};
  models_keep(&models, &answer);
  OrderQuestion order = order_question(question, extent, goal, name);
  order.models = &models;
  OrderAnswer ordered = {.text =
                             "operations on shared memory of another block of the cluster may order them"};
  if (!distributed_may_signal(question->pairs->scan)) ordered = order_decide(question->pairs->scan, &order);
  bool is_settled_by_proxies = consider_proxies(question, &ordered);
  if (!is_settled_by_proxies) consider_copies(question, &ordered);
  if (!is_settled_by_proxies) consider_objects(question, extent, &ordered);
  if (!is_settled_by_proxies && ordered.verdict == ORDER_UNPROTECTED) {
    const char *by_cluster = clusters_may_be_ordered(question, extent);
    if (by_cluster)
      ordered = (OrderAnswer){.text = by_cluster};
    else
      name_wrong_group(question, extent, &ordered);
  }
  if (ordered.verdict == ORDER_PROTECTED) {
    note_for_audit(question, extent, goal, &answer, ordered.proof.rule == ORDER_RULE_PROTOCOL_WORD);
    ordered_keep(question->pairs->scan, state->a, state->b, ordered.proof);
    if (state->states[extent] == EXTENT_NOT_ASKED) state->states[extent] = EXTENT_SAFE;
    return;
  }
  candidate_check(question, state, extent, goal, ordered.witness ? ordered.witness : &answer,
                  ordered.witness != NULL, name);
  RaceFacts *race = &state->races[extent];
  race->cause = ordered.cause;
  race->explanation = ordered.text;
  // Who lacks which fence is known there: what the kernel computes decides no more than who comes first.
  if (race->replay == REPLAY_NOT_SHOWN && !race->is_computed_here && ordered.verdict == ORDER_UNPROTECTED &&
      ordered.cause) {
    race->replay = REPLAY_NEEDS_MEMORY;
    race->is_open = false;
    state->states[extent] = EXTENT_RACE;
  }
  if (race->is_open) return;
  bool is_shown = ordered.verdict == ORDER_UNPROTECTED && state->states[extent] == EXTENT_RACE;
  if (is_shown || race->is_same_value) return;
  if (candidate_rehearse_question(question, race)) {
    state->states[extent] = EXTENT_RACE;
    return;
  }
  race->is_open = true;
  pairs_leave_open(state, extent, ordered.verdict == ORDER_UNPROTECTED ? NULL : ordered.text);
}

// The same value here does not settle what other instances were left open for.
static void settle_candidate(const Question *question, PairState *state, Extent extent, const Goal *goal,
                             SolverAnswer answer, const char *name) {
  bool was_open = state->states[extent] == EXTENT_UNDECIDED;
  RaceFacts before = state->races[extent];
  judge_candidate(question, state, extent, goal, answer, name);
  if (!was_open || state->states[extent] != EXTENT_RACE || is_settled(state, extent)) return;
  state->states[extent] = EXTENT_UNDECIDED;
  state->races[extent] = before;
}

// Under one lock, whether they can meet or not: a model of a long goal is dear. What goes on behind its
// instruction is not judged here.
static bool are_locked_apart(const Question *question, Extent extent, const Goal *goal, const char *name) {
  Scan *scan = question->pairs->scan;
  if (!places_goal_is_long(scan, goal)) return false;
  const Instance *sides[2] = {question->one, question->two};
  for (int t = 0; t < 2; t++)
    if (sides[t]->carried || sides[t]->access->is_async || proxies_is_bulk(scan, sides[t]->access))
      return false;
  OrderQuestion order = order_question(question, extent, goal, name);
  OrderProof proof = {0};
  if (!order_is_under_one_lock(scan, &order, &proof)) return false;
  ordered_keep(scan, (uint32_t)(question->one->access - scan->accesses.items),
               (uint32_t)(question->two->access - scan->accesses.items), proof);
  note_liveness(question, VERDICT_DEAD);
  return true;
}

static void ask_one(const Question *question, PairState *state, Extent extent) {
  Scan *scan = question->pairs->scan;
  if (is_settled(state, extent) ||
      !pairs_can_race(question->pairs, state->a, state->b, meeting_couple(question->meeting, extent)))
    return;
  if (wander_is_in(scan, question->first->offset) || wander_is_in(scan, question->second->offset)) {
    leave_unknown(state, extent, "how a pointer goes through this memory is not understood");
    return;
  }
  Goal goal = build_goal(question, extent);
  Refuted proof = proofs_of(scan, &goal);
  const char *name = goal_name(question, extent);
  SolverAnswer answer = {.verdict = VERDICT_SAFE};
  bool is_open = !goal.is_false && !is_covered(question, &proof);
  if (is_open && !are_locked_apart(question, extent, &goal, name)) {
    answer = decide_apart(question, &goal, name, &proof);
    if (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD) proofs_keep(scan, proof);
  }
  if (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD) {
    if (answer.verdict == VERDICT_SAFE || answer.is_refuted) pairs_keep_proof(scan, &answer);
    if (state->states[extent] == EXTENT_NOT_ASKED) state->states[extent] = EXTENT_SAFE;
    return;
  }
  if (answer.verdict == VERDICT_RACE) {
    const char *reason =
        extent_is_between_blocks(extent) ? clusters_may_order(question, extent, &goal, &answer, name) : NULL;
    if (reason)
      leave_unknown(state, extent, reason);
    else
      settle_candidate(question, state, extent, &goal, answer, name);
    return;
  }
  if (answer.is_spent)
    leave_spent(state, extent);
  else
    leave_unknown(state, extent, answer.reason ? answer.reason : "the solver gave up");
}

// Once a race is told, or a pair stays open that no budget mends, the kernel is not race-free whatever is
// proved of the others: what is left is for races. Half of a budget finds those that all of it does. Where
// nothing but open pairs has come so far, an eighth says whether a race comes at all.
enum { PART_FOR_RACES = 2, PART_BEHIND_OPEN = 8 };

static void ask_extent(const Question *question, PairState *state, Extent extent) {
  ask_one(question, state, extent);
  bool is_open = state->states[extent] == EXTENT_UNDECIDED && !state->is_spent[extent];
  Solver *solver = question->pairs->scan->request->solver;
  if (is_settled(state, extent)) solver_cut_pool(solver, PART_FOR_RACES);
  if (is_open) solver_cut_pool(solver, PART_BEHIND_OPEN);
}

// Without warp barriers, "two threads of a block" is one question; only if it has an answer are its parts
// asked.
static bool block_goal_is_safe(const Question *question) {
  Scan *scan = question->pairs->scan;
  Goal goal = build_goal(question, EXTENT_COUNT);
  if (goal.is_false) return true;
  Refuted proof = proofs_of(scan, &goal);
  if (is_covered(question, &proof)) return true;
  SolverAnswer answer = decide_apart(question, &goal, goal_name(question, EXTENT_INTRA_BLOCK), &proof);
  if (answer.verdict != VERDICT_SAFE && answer.verdict != VERDICT_DEAD) return false;
  proofs_keep(scan, proof);
  if (answer.verdict == VERDICT_SAFE || answer.is_refuted) pairs_keep_proof(scan, &answer);
  return true;
}

// Without warp barriers, both extents of a block are one question.
static bool covers_block(const Pairs *pairs, Extent extent) {
  return extent == EXTENT_INTRA_BLOCK && !pairs->has_warp_points && pairs->scan->request->options.arch >= 70;
}

bool pairs_bundles_apart(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Scan *scan = question->pairs->scan;
  if (expr_is_false(scan->pool,
                    pairs_conflict(scan, question->one, question->first, question->two, question->second)))
    return true;
  if (wander_is_in(scan, question->first->offset) || wander_is_in(scan, question->second->offset))
    return false;
  Extent asked = covers_block(question->pairs, extent) ? EXTENT_COUNT : extent;
  Goal goal = build_goal(question, asked);
  if (goal.is_false) return false; // a contradiction is looked at for each pair by itself
  Refuted proof = proofs_of(scan, &goal);
  if (!is_covered(question, &proof)) {
    const char *name = arena_printf(scan->arena, "%s and others", goal_name(question, extent));
    SolverAnswer answer = decide_apart(question, &goal, name, &proof);
    if (answer.verdict != VERDICT_SAFE && !answer.is_refuted) return false;
    proofs_keep(scan, proof);
    pairs_keep_proof(scan, &answer);
  }
  scan->result->assumptions |= ASSUME_NO_OVERFLOW; // constants were taken out of sums
  return true;
}

static uint64_t *met_row(const Pairs *pairs, uint32_t access) {
  return pairs->met + (uint64_t)access * met_words(pairs->scan);
}

void pairs_mark_met(Pairs *pairs, uint32_t a, uint32_t b) {
  met_row(pairs, a)[b / 64] |= (uint64_t)1 << (b % 64);
  met_row(pairs, b)[a / 64] |= (uint64_t)1 << (a % 64);
}

void pairs_mark_row(Pairs *pairs, uint32_t access, const uint64_t *others) {
  ASSERT(access < pairs->scan->accesses.count);
  uint64_t *row = met_row(pairs, access);
  for (uint32_t w = 0; w < met_words(pairs->scan); w++)
    row[w] |= others[w];
}

static void leave_undecided(const Question *question, PairState *state, Extent first, Extent last) {
  for (Extent e = first; e <= last; e++) {
    if (is_settled(state, e) ||
        !pairs_can_race(question->pairs, state->a, state->b, meeting_couple(question->meeting, e)))
      continue;
    leave_spent(state, e);
  }
}

void pairs_ask(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Pairs *pairs = question->pairs;
  uint32_t a = (uint32_t)(question->one->access - pairs->scan->accesses.items);
  uint32_t b = (uint32_t)(question->two->access - pairs->scan->accesses.items);
  PairState *state = pair_state(pairs, a, b);
  pairs_mark_met(pairs, a, b);
  if (later_puts_off(question, extent)) return;
  if (solver_is_spent(pairs->scan->request->solver)) {
    leave_undecided(question, state, extent, covers_block(pairs, extent) ? EXTENT_INTRA_WARP : extent);
    return;
  }
  if (!covers_block(pairs, extent)) {
    ask_extent(question, state, extent);
    return;
  }
  if (is_settled(state, EXTENT_INTRA_BLOCK) && is_settled(state, EXTENT_INTRA_WARP)) return;
  if (block_goal_is_safe(question)) {
    for (int e = EXTENT_INTRA_BLOCK; e <= EXTENT_INTRA_WARP; e++)
      if (state->states[e] == EXTENT_NOT_ASKED) state->states[e] = EXTENT_SAFE;
    return;
  }
  ask_extent(question, state, EXTENT_INTRA_BLOCK);
  ask_extent(question, state, EXTENT_INTRA_WARP);
}

static void ask_instances(Pairs *pairs, Meeting *meeting, const Instance *one, const Instance *two,
                          Extent extent) {
  Scan *scan = pairs->scan;
  for (uint32_t i = 0; i < one->address.target_count; i++) {
    for (uint32_t j = 0; j < two->address.target_count; j++) {
      Question question = {.pairs = pairs,
                           .meeting = meeting,
                           .one = one,
                           .two = two,
                           .first = &one->address.targets[i],
                           .second = &two->address.targets[j]};
      if (pairs_same_object(scan, question.first, question.second, extent)) pairs_ask(&question, extent);
    }
  }
}

enum { ADDRESS_DEPTH = 8 };

// Does the address come from one of the block's own shared memory that was mapped to another block?
static bool is_of_another_block(const IrFunction *fn, IrRef address, int depth) {
  const IrInst *inst = ir_inst(fn, address);
  if (!inst || depth <= 0) return false;
  if (ir_is_mapa(inst)) return true;
  bool is_step = inst->op == IR_PTRADD || inst->op == IR_PURE || inst->op == IR_ADD || inst->op == IR_PHI ||
                 inst->op == IR_SELECT || inst->op == IR_ZEXT || inst->op == IR_INTTOPTR;
  for (uint32_t i = 0; is_step && i < inst->op_count; i++)
    if (is_of_another_block(fn, inst->ops[i], depth - 1)) return true;
  return false;
}

bool pairs_is_understood(Pairs *pairs, const Instance *instance) {
  ASSERT(scan_has_access(pairs->scan, instance->access) && instance->frame);
  if (instance->address.kind == SYM_POINTER && instance->length) return true;
  Scan *scan = pairs->scan;
  uint32_t index = (uint32_t)(instance->access - scan->accesses.items);
  const IrInst *inst = &scan->fn->insts.items[instance->access->inst];
  if (!pairs->address_reported[index])
    scan_undecided(scan, inst->loc,
                   inst->op_count && is_of_another_block(scan->fn, inst->ops[0], ADDRESS_DEPTH)
                       ? "this access is to shared memory of another block of the cluster (map_shared_rank, "
                         "mapa), and which block or place that is, is not understood"
                       : "the address of this access is not understood");
  pairs->address_reported[index] = true;
  return false;
}

// A copy that still goes on at the point, against what another thread does behind it. (Of two copies that go
// on there, one was issued while the other one was going on.)
static void ask_carried(Pairs *pairs, Meeting *meeting, uint32_t c, uint32_t a, uint32_t b, Extent extent) {
  Scan *scan = pairs->scan;
  const Carried *carried = &carried_over(scan)->points.items[c];
  uint32_t copy = (uint32_t)(carried->copy - scan->accesses.items);
  if (meeting->graph->point != &scan->points.items[carried->point] || (copy != a && copy != b)) return;
  int thread = copy == a ? 0 : 1;
  if (carried->is_unseen && !proxies_is_bulk(scan, &scan->accesses.items[copy == a ? b : a])) return;
  Instance *one = meeting_carried(meeting, thread, c);
  if (!pairs_is_understood(pairs, one)) return;
  for (uint32_t p = 0; p <= meeting->graph->loop_count; p++) {
    Instance *two = meeting_instance(meeting, 1 - thread, copy == a ? b : a, p);
    if (!two || !pairs_is_understood(pairs, two)) continue;
    if (thread == 0)
      ask_instances(pairs, meeting, one, two, extent);
    else
      ask_instances(pairs, meeting, two, one, extent);
  }
}

static void ask_all_carried(Pairs *pairs, Meeting *meeting, uint32_t a, uint32_t b, Extent extent) {
  for (uint32_t c = 0; c < carried_over(pairs->scan)->points.count; c++)
    ask_carried(pairs, meeting, c, a, b, extent);
}

static void ask_pair(Pairs *pairs, Meeting *meeting, uint32_t a, uint32_t b, Extent extent) {
  uint32_t phases = meeting->graph->loop_count + 1;
  for (uint32_t p = 0; p < phases; p++) {
    Instance *one = meeting_instance(meeting, 0, a, p);
    if (!one || !pairs_is_understood(pairs, one)) continue;
    for (uint32_t q = a == b ? p : 0; q < phases; q++) {
      Instance *two = meeting_instance(meeting, 1, b, q);
      if (two && pairs_is_understood(pairs, two)) ask_instances(pairs, meeting, one, two, extent);
    }
  }
}

static bool extent_is_possible(const Scan *scan, Extent extent) {
  const LaunchContext *launch = scan->launch;
  const ExprRef *dims = extent == EXTENT_INTER_BLOCK ? launch->grid
                        : extent == EXTENT_CLUSTER   ? launch->cluster
                                                     : launch->block;
  int64_t value = 0;
  for (int axis = 0; axis < 3; axis++)
    if (!expr_is_const(scan->pool, dims[axis], &value) || value != 1) return true;
  return false;
}

static void check_couple(Pairs *pairs, Couple couple) {
  Scan *scan = pairs->scan;
  Extent extent = couple.extent;
  if (!extent_is_possible(scan, extent)) return;
  ExprRef shared_block[3] = {0};
  View *one = view_make(scan, extent, OWNER_THREAD1, shared_block),
       *two = view_make(scan, extent, OWNER_THREAD2, shared_block);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple)) continue;
    Meeting *meeting = meeting_make(scan, point, couple, one, two);
    vec_push(scan->arena, &pairs->meetings, meeting);
    // In lock step, what is ordered depends on the pair.
    bool is_lock_step = extent == EXTENT_INTRA_WARP && scan->request->options.arch < 70;
    if (!is_lock_step) bundles_check(pairs, meeting, extent);
    for (uint32_t a = 0; (is_lock_step || carried_over(scan)->points.count) && a < scan->accesses.count;
         a++) {
      for (uint32_t b = a; b < scan->accesses.count; b++) {
        if (!pairs_can_race(pairs, a, b, couple)) continue;
        if (is_lock_step) ask_pair(pairs, meeting, a, b, extent);
        ask_all_carried(pairs, meeting, a, b, extent);
      }
    }
  }
}

// ---- barriers that some go round
// Which accesses can be made by a thread that has passed a divergent barrier since the last one that surely
// held it together with the other one? false: there is no such barrier.
// Behind barriers that are no points, as it is not known for whom they are.
static void find_behind_unknown(Pairs *pairs) {
  Scan *scan = pairs->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!barriers_is_of_unknown_lanes(scan, i)) continue;
    for (uint32_t a = 0; a < scan->accesses.count; a++)
      pairs->behind[a] |= order_reaches(scan, i, scan->accesses.items[a].inst);
  }
}

static bool find_behind(Pairs *pairs, Couple couple) {
  Scan *scan = pairs->scan;
  CarriedOver *over = carried_over(scan);
  bool is_any = false, is_all = false;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point->is_divergent || !point_would_order(point, couple)) continue;
    if (!is_any) pairs->behind = arena_array(scan->arena, scan->accesses.count + 1, bool);
    is_any = true;
    const uint8_t *stretch = node_stretch(scan, point->node, couple);
    for (uint32_t a = 0; a < scan->accesses.count; a++)
      pairs->behind[a] |= stretch[scan->accesses.items[a].node] != 0;
    // What goes on at the barrier is not ordered by it.
    for (uint32_t c = 0; c < over->points.count; c++)
      is_all |= over->points.items[c].point == p;
  }
  if (is_any) find_behind_unknown(pairs);
  for (uint32_t a = 0; is_all && a < scan->accesses.count; a++)
    pairs->behind[a] = true;
  return is_any;
}

// Who arrives at a divergent barrier waits for an arrival of the other one at whatever barrier that comes to
// next, or for its end: what that one does before its first arrival comes before what this one does behind.
// Of what both do behind divergent barriers nothing is known. So pairs of which one is made before all of
// them are asked as if they ordered, the others as if they did not.
static void check_group(Pairs *pairs, Couple couple) {
  if (!find_behind(pairs, couple)) {
    check_couple(pairs, couple);
    return;
  }
  Couple ended = couple;
  ended.ends_at_divergent = true;
  check_couple(pairs, ended);
  check_couple(pairs, couple);
  pairs->behind = NULL;
}

// ---- results
static void dump_pair(const Scan *scan, const PairState *state) {
  StrBuf *out = scan->request->options.dump_pairs;
  static const char *const answers[] = {"race-free", "race-free", "race", "undecided"};
  const SrcLoc *one = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[state->a].inst].loc);
  const SrcLoc *two = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[state->b].inst].loc);
  strbuf_printf(out, "pair in %s: line %u:%u with line %u:%u\n", scan->fn->display, one->line, one->column,
                two->line, two->column);
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (e != EXTENT_CLUSTER || clusters_kind(scan) == CLUSTERS_KNOWN)
      strbuf_printf(out, "  %-12s %s\n", extent_name((Extent)e), answers[state->states[e]]);
}

static bool is_same_place(const SrcLoc *a, const SrcLoc *b) {
  bool is_same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
  return is_same_file && a->line == b->line && a->column == b->column;
}

static void keep_open(Scan *scan, uint32_t access) {
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[access].inst].loc);
  for (uint32_t i = 0; i < scan->result->open_accesses.count; i++)
    if (is_same_place(&scan->result->open_accesses.items[i], loc)) return;
  vec_push(scan->arena, &scan->result->open_accesses, *loc);
}

static void conclude_pair(Pairs *pairs, PairState *state) {
  Scan *scan = pairs->scan;
  candidate_look_at_runs(scan, state);
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (state->states[e] == EXTENT_RACE || state->states[e] == EXTENT_UNDECIDED)
      audit_excuse(scan, &scan->accesses.items[state->a], &scan->accesses.items[state->b], (Extent)e);
  int widest = headline_widest(state, false), same = headline_widest(state, true);
  int open = -1;
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (state->states[e] == EXTENT_UNDECIDED && (open < 0 || state->is_spent[open] || !state->is_spent[e]))
      open = e;
  const IrInst *one = &scan->fn->insts.items[scan->accesses.items[state->a].inst];
  const IrInst *two = &scan->fn->insts.items[scan->accesses.items[state->b].inst];
  if (same >= 0 && (widest < 0 || same < widest)) report_race(scan, headline_of(scan, state, true));
  if (widest >= 0) {
    report_race(scan, headline_of(scan, state, false));
    for (int e = widest; e < EXTENT_COUNT; e++)
      if (is_settled(state, (Extent)e) && state->races[e].answer)
        mend_keep(scan, ir_loc(scan->module, one->loc), ir_loc(scan->module, two->loc), &state->races[e].goal,
                  state->races[e].answer);
  }
  if (open >= 0)
    scan_leave_open(scan, one->loc, state->is_spent[open],
                    "could not decide whether this access races with the one at line %u: %s",
                    ir_loc(scan->module, two->loc)->line, state->reasons[open]);
  if (widest < 0 && same < 0 && open < 0) return;
  scan->result->proved--;
  keep_open(scan, state->a);
  keep_open(scan, state->b);
}

static bool have_met(const Pairs *pairs, uint32_t a, uint32_t b) {
  return met_row(pairs, a)[b / 64] >> (b % 64) & 1;
}

// Unordered pairs; one access in two threads counts too.
static void count_pairs(Pairs *pairs) {
  uint32_t count = pairs->scan->accesses.count;
  uint64_t bits = 0;
  for (uint32_t a = 0; a < count; a++) {
    bits += have_met(pairs, a, a);
    for (uint32_t w = 0; w < met_words(pairs->scan); w++)
      bits += (uint64_t)__builtin_popcountll(met_row(pairs, a)[w]);
  }
  pairs->scan->result->pairs = pairs->scan->result->proved = (uint32_t)(bits / 2);
}

static void dump_pairs(Pairs *pairs) {
  uint32_t count = pairs->scan->accesses.count;
  for (uint32_t a = 0; pairs->scan->request->options.dump_pairs && a < count; a++)
    for (uint32_t b = a; b < count; b++)
      if (have_met(pairs, a, b)) dump_pair(pairs->scan, pair_state(pairs, a, b));
}

void pairs_check(Scan *scan) {
  const KernelText *text = scan_text(scan);
  Pairs pairs = {.scan = scan};
  pairs.met = arena_array(scan->arena, (uint64_t)scan->accesses.count * met_words(scan) + 1, uint64_t);
  pairs.address_reported = arena_array(scan->arena, scan->accesses.count + 1, bool);
  pairs.liveness = arena_array(scan->arena, scan->accesses.count + 1, Liveness);
  for (uint32_t p = 0; p < scan->points.count; p++)
    pairs.has_warp_points |= scan->points.items[p].scope == IR_SCOPE_WARP;
  uint32_t of_block = 0;
  for (uint32_t i = 0; i < text->covers.count; i++)
    of_block |= (uint32_t)text->covers.items[i].is_of_block << i;
  pairs.has_warp_points |= of_block != 0;
  if (scan->result->undecided.count) solver_cut_pool(scan->request->solver, PART_BEHIND_OPEN);
  check_couple(&pairs, couple_of(EXTENT_INTER_BLOCK));
  if (clusters_kind(scan) == CLUSTERS_KNOWN) check_couple(&pairs, couple_of(EXTENT_CLUSTER));
  for (uint32_t covering = 0; covering < 1u << text->covers.count; covering++) {
    if (!scan_covers_block(scan, covering)) continue; // those of a warp hold nobody together here
    check_group(&pairs, (Couple){.extent = EXTENT_INTRA_BLOCK, .covering = covering});
  }
  bool is_separate = pairs.has_warp_points || scan->request->options.arch < 70;
  // Which partial barriers hold the two lanes splits the question: in each part, those that do count.
  for (uint32_t covering = 0; is_separate && covering < 1u << text->covers.count; covering++)
    check_group(&pairs, (Couple){.extent = EXTENT_INTRA_WARP, .covering = covering});
  later_ask(&pairs);
  pairs_settle_liveness(&pairs);
  count_pairs(&pairs);
  dump_pairs(&pairs);
  for (uint32_t i = 0; i < pairs.states.count; i++)
    conclude_pair(&pairs, &pairs.states.items[i]);
  ordered_conclude(&pairs);
}
