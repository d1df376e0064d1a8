// Can this pair race, for this extent, on these ways? The goal is built and asked; a model is judged: locks, flags,
// counters, phases and copies may order the two accesses, one value may be written twice, and a run bears out what is
// left. Method: two-thread reduction (Betts et al., "GPUVerify", OOPSLA 2012). Soundness: each extent and each
// combination of ways is asked by itself, unless one goal that stands for more of them has been refuted; a race is only
// told for a model that the solver checked exactly and that replays; whatever else is left open leaves a reason.
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
  goal_add(scan, &goal,
           conflict_condition(scan, question->one, question->first, question->two, question->second),
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
    covers_add(scan, &goal, meeting_couple(question->meeting, asked), question->one->frame,
               question->two->frame);
  if (goal.is_false) return goal;
  goal_add_view(scan, &goal, question->meeting->views[0]);
  goal_add_view(scan, &goal, question->meeting->views[1]);
  const Instance *const pair[2] = {question->one, question->two};
  draw_pairs_add(scan, &goal, question->meeting->graph->couple.extent, pair, question->is_bundle);
  votes_add(scan, &goal, question->meeting->graph->couple.extent, question->one->frame, question->two->frame);
  goal_add_launch(scan, &goal);
  rounds_add(scan, &goal, question->one->frame);
  rounds_add(scan, &goal, question->two->frame);
  if (!question->is_bundle)
    votes_add_overtaken(scan, &goal, asked, question->one->frame, question->two->frame);
  conflict_add_bounds(scan, &goal, question->one, question->first);
  conflict_add_bounds(scan, &goal, question->two, question->second);
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
static SolverAnswer decide_apart(const Question *question, Goal *goal, Extent asked, const char *name,
                                 Refuted *proof) {
  Scan *scan = question->pairs->scan;
  SolverAnswer answer = {.verdict = VERDICT_UNKNOWN};
  bool is_apart = address_goals_are_apart_by_numbers(scan, goal, name, &answer);
  if (!is_apart && !address_goals_is_long(scan, goal)) answer = goal_look(scan, goal, false, name);
  if (is_apart || (answer.verdict == VERDICT_UNKNOWN &&
                   address_goals_are_apart(scan, goal, question->is_bundle, name, &answer))) {
    *proof = proofs_of(scan, goal);
    answer.verdict = VERDICT_DEAD;
    answer.is_refuted = true;
  } else if (answer.verdict == VERDICT_UNKNOWN)
    answer = question->is_bundle     ? goal_look(scan, goal, true, name)
             : asked == EXTENT_COUNT ? goal_decide_whole(scan, goal, name)
                                     : goal_decide(scan, goal, name);
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
bool pairs_is_settled(const PairState *state, Extent extent) {
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
  bool is_settled_by_proxies = sync_consider_proxies(question, &ordered);
  if (!is_settled_by_proxies) sync_consider_copies(question, &ordered);
  if (!is_settled_by_proxies) sync_consider_objects(question, extent, &ordered);
  if (!is_settled_by_proxies && ordered.verdict == ORDER_UNPROTECTED) {
    const char *by_cluster = clusters_may_be_ordered(question, extent);
    if (by_cluster)
      ordered = (OrderAnswer){.text = by_cluster};
    else
      sync_name_wrong_group(question, extent, &ordered);
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
  if (candidate_search_question(question, race)) {
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
  if (!was_open || state->states[extent] != EXTENT_RACE || pairs_is_settled(state, extent)) return;
  state->states[extent] = EXTENT_UNDECIDED;
  state->races[extent] = before;
}

// Under one lock, whether they can meet or not: a model of a long goal is dear. What goes on behind its
// instruction is not judged here.
static bool are_locked_apart(const Question *question, Extent extent, const Goal *goal, const char *name) {
  Scan *scan = question->pairs->scan;
  if (!address_goals_is_long(scan, goal)) return false;
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

static bool leans_on_given(const SolverAnswer *answer) {
  for (uint32_t i = 0; i < answer->core_count; i++)
    if (answer->core[i] == TAG_GIVEN) return true;
  return false;
}

// Conditions that contradict each other are no proof where one thread's alone do so: then what is said of the values that
// it reads cannot be believed, since it comes there.
static bool contradicts_itself(const Question *question, const Goal *goal, const SolverAnswer *answer,
                               const char *name) {
  Scan *scan = question->pairs->scan;
  if (answer->verdict != VERDICT_DEAD || answer->is_refuted || !leans_on_given(answer)) return false;
  for (int t = 0; t < 2; t++) {
    Goal one = {0};
    for (uint32_t i = 0; i < goal->conditions.count; i++) {
      const GoalCondition *known = &goal->conditions.items[i];
      bool is_of_other =
          expr_node(scan->pool, known->condition)->owners & (t ? OWNER_THREAD1 : OWNER_THREAD2);
      if (known->part != GOAL_CONFLICT && known->part != GOAL_EXTENT && !is_of_other)
        goal_add(scan, &one, known->condition, known->part, known->tag);
    }
    SolverAnswer alone = {.verdict = VERDICT_SAFE};
    if (!one.is_false)
      alone = goal_satisfiable(scan, &one, arena_printf(scan->arena, "%s, one of them", name));
    if (alone.verdict == VERDICT_SAFE) return true;
  }
  return false;
}

static bool has_unknown_offset(const Question *question) {
  const Scan *scan = question->pairs->scan;
  return unknown_offset_is_in(scan, question->first->offset) ||
         unknown_offset_is_in(scan, question->second->offset);
}

static void ask_one(const Question *question, PairState *state, Extent extent) {
  Scan *scan = question->pairs->scan;
  if (pairs_is_settled(state, extent) ||
      !pairs_can_race(question->pairs, state->a, state->b, meeting_couple(question->meeting, extent)))
    return;
  if (has_unknown_offset(question)) {
    leave_unknown(state, extent, "how a pointer goes through this memory is not understood");
    return;
  }
  Goal goal = build_goal(question, extent);
  Refuted proof = proofs_of(scan, &goal);
  const char *name = goal_name(question, extent);
  SolverAnswer answer = {.verdict = VERDICT_SAFE};
  bool is_open = !goal.is_false && !is_covered(question, &proof), is_believed = true;
  if (is_open && !are_locked_apart(question, extent, &goal, name)) {
    answer = decide_apart(question, &goal, extent, name, &proof);
    is_believed = !contradicts_itself(question, &goal, &answer, name);
    if (is_believed && (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD))
      proofs_keep(scan, proof);
  }
  if (!is_believed) {
    leave_unknown(state, extent, "what is known of a value that is read there contradicts the way to it");
    return;
  }
  if (answer.verdict == VERDICT_SAFE || answer.verdict == VERDICT_DEAD) {
    proofs_keep_leaning(scan, &answer);
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

static void ask_extent(const Question *question, PairState *state, Extent extent) {
  ask_one(question, state, extent);
  bool is_open = state->states[extent] == EXTENT_UNDECIDED && !state->is_spent[extent];
  if (pairs_is_settled(state, extent)) pairs_cut_behind_race(question->pairs->scan);
  if (is_open) pairs_cut_behind_open(question->pairs->scan);
}

// Without warp barriers, "two threads of a block" is one question; only if it has an answer are its parts
// asked.
static bool block_goal_is_safe(const Question *question) {
  Scan *scan = question->pairs->scan;
  Goal goal = build_goal(question, EXTENT_COUNT);
  if (goal.is_false) return true;
  Refuted proof = proofs_of(scan, &goal);
  if (is_covered(question, &proof)) return true;
  SolverAnswer answer =
      decide_apart(question, &goal, EXTENT_COUNT, goal_name(question, EXTENT_INTRA_BLOCK), &proof);
  if (answer.verdict != VERDICT_SAFE && answer.verdict != VERDICT_DEAD) return false;
  if (contradicts_itself(question, &goal, &answer, goal_name(question, EXTENT_INTRA_BLOCK))) return false;
  proofs_keep(scan, proof);
  proofs_keep_leaning(scan, &answer);
  return true;
}

// Without warp barriers, both extents of a block are one question.
static bool covers_block(const Pairs *pairs, Extent extent) {
  return extent == EXTENT_INTRA_BLOCK && !pairs->has_warp_points && pairs->scan->request->options.arch >= 70;
}

static PairState *state_of(const Question *question) {
  const Access *accesses = question->pairs->scan->accesses.items;
  return pairs_state_of(question->pairs, (uint32_t)(question->one->access - accesses),
                        (uint32_t)(question->two->access - accesses));
}

static bool are_plainly_apart(const Question *question) {
  Scan *scan = question->pairs->scan;
  return expr_is_false(
      scan->pool, conflict_condition(scan, question->one, question->first, question->two, question->second));
}

static bool is_proved_by(const Question *question, const SolverAnswer *answer) {
  if (answer->verdict == VERDICT_SAFE) return true;
  bool is_refuted = answer->is_refuted || (answer->verdict == VERDICT_DEAD && !question->is_bundle);
  return is_refuted && !leans_on_given(answer);
}

static bool look_proves(const Question *question, Extent asked, const char *name) {
  Scan *scan = question->pairs->scan;
  Goal goal = build_goal(question, asked);
  if (goal.is_false) return !question->is_bundle;
  Refuted proof = proofs_of(scan, &goal);
  if (is_covered(question, &proof)) return true;
  SolverAnswer answer = {.verdict = VERDICT_UNKNOWN};
  if (address_goals_are_apart_by_numbers(scan, &goal, name, &answer)) {
    proof = proofs_of(scan, &goal);
    answer.verdict = VERDICT_DEAD;
    answer.is_refuted = true;
  } else if (!address_goals_is_long(scan, &goal))
    answer = goal_look(scan, &goal, false, name);
  if (!is_proved_by(question, &answer)) return false;
  if (!question->is_bundle) note_liveness(question, answer.is_refuted ? VERDICT_DEAD : answer.verdict);
  proofs_keep(scan, proof);
  proofs_keep_leaning(scan, &answer);
  return true;
}

bool pairs_look(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Scan *scan = question->pairs->scan;
  if (has_unknown_offset(question)) return false;
  bool is_block = covers_block(question->pairs, extent);
  const char *name = goal_name(question, extent);
  if (question->is_bundle) name = arena_printf(scan->arena, "%s and others", name);
  if (!look_proves(question, is_block ? EXTENT_COUNT : extent, name)) return false;
  if (question->is_bundle) {
    scan->result->assumptions |= ASSUME_NO_OVERFLOW; // constants were taken out of sums
    return true;
  }
  PairState *state = state_of(question);
  for (Extent e = extent; e <= (is_block ? EXTENT_INTRA_WARP : extent); e++)
    if (state->states[e] == EXTENT_NOT_ASKED) state->states[e] = EXTENT_SAFE;
  return true;
}

bool pairs_bundles_apart(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Scan *scan = question->pairs->scan;
  if (are_plainly_apart(question)) return true;
  if (has_unknown_offset(question)) return false;
  Extent asked = covers_block(question->pairs, extent) ? EXTENT_COUNT : extent;
  Goal goal = build_goal(question, asked);
  if (goal.is_false) return false; // a contradiction is looked at for each pair by itself
  Refuted proof = proofs_of(scan, &goal);
  if (!is_covered(question, &proof)) {
    const char *name = arena_printf(scan->arena, "%s and others", goal_name(question, extent));
    SolverAnswer answer = decide_apart(question, &goal, asked, name, &proof);
    if (answer.verdict != VERDICT_SAFE && !answer.is_refuted) return false;
    proofs_keep(scan, proof);
    proofs_keep_leaning(scan, &answer);
  }
  scan->result->assumptions |= ASSUME_NO_OVERFLOW; // constants were taken out of sums
  return true;
}

static void leave_undecided(const Question *question, PairState *state, Extent first, Extent last) {
  for (Extent e = first; e <= last; e++) {
    if (pairs_is_settled(state, e) ||
        !pairs_can_race(question->pairs, state->a, state->b, meeting_couple(question->meeting, e)))
      continue;
    leave_spent(state, e);
  }
}

void pairs_ask(const Question *question, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Pairs *pairs = question->pairs;
  PairState *state = state_of(question);
  pairs_mark_met(pairs, state->a, state->b);
  if (!are_plainly_apart(question) && later_puts_off(question, extent, NULL)) return;
  if (solver_is_spent(pairs->scan->request->solver)) {
    leave_undecided(question, state, extent, covers_block(pairs, extent) ? EXTENT_INTRA_WARP : extent);
    return;
  }
  if (!covers_block(pairs, extent)) {
    ask_extent(question, state, extent);
    return;
  }
  if (pairs_is_settled(state, EXTENT_INTRA_BLOCK) && pairs_is_settled(state, EXTENT_INTRA_WARP)) return;
  if (block_goal_is_safe(question)) {
    for (int e = EXTENT_INTRA_BLOCK; e <= EXTENT_INTRA_WARP; e++)
      if (state->states[e] == EXTENT_NOT_ASKED) state->states[e] = EXTENT_SAFE;
    return;
  }
  ask_extent(question, state, EXTENT_INTRA_BLOCK);
  ask_extent(question, state, EXTENT_INTRA_WARP);
}

void pairs_ask_instances(Pairs *pairs, Meeting *meeting, const Instance *one, const Instance *two,
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
      if (conflict_same_object(scan, question.first, question.second, extent)) pairs_ask(&question, extent);
    }
  }
}
