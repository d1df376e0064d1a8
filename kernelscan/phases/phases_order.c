// Do barrier objects at which a part of the block arrives order two accesses? Method: the first access comes
// before the arrival of its thread (or of one that it has met at a barrier in between) for a phase, and the
// second thread has waited for that phase or a later one of the same object. Which phase an arrival is for,
// and which one a wait awaits, is known by the rounds of their loops (phases.c); that for all rounds of the
// two threads in which they touch a common byte one of the two directions holds is asked of the solver.
// A copy that completes on the object is over with the phase itself. Soundness: each condition is sufficient
// for an order; the question with all of them denied has to be contradictory.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

typedef struct Side {
  Phases *phases;
  const OrderQuestion *question;
  const Instance *first, *second;
} Side;

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

// ---- numbers of a round
static ExprRef plus(ExprPool *pool, ExprRef a, int64_t b) {
  return b ? expr_binary(pool, EXPR_ADD, EXPR_NSW, a, expr_const(pool, 32, b)) : a;
}

// A round: one of a loop, and so many behind it.
typedef struct Round {
  ExprRef base; // not negative
  int64_t more;
} Round;

// base % n and base / n are the only unknowns, whatever is added to the round.
static ExprRef goes_over(ExprPool *pool, ExprRef base, int64_t n, int64_t more) {
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, base, expr_const(pool, 32, n));
  return expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, n - more), rest);
}

static ExprRef place_in(ExprPool *pool, const Channel *channel, const Form *form, Round round) {
  int64_t n = channel->period, more = form->rotation + round.more, base = 0;
  if (expr_is_const(pool, round.base, &base))
    return expr_const(pool, 32, phases_place(channel, form, base + round.more));
  more -= phases_floor(more, n) * n;
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, round.base, expr_const(pool, 32, n));
  if (!more) return rest;
  return expr_ite(pool, goes_over(pool, round.base, n, more), plus(pool, rest, more - n),
                  plus(pool, rest, more));
}

static ExprRef phase_in(ExprPool *pool, const Channel *channel, const Form *form, Round round) {
  int64_t n = channel->period, more = form->turn + round.more, base = 0;
  if (expr_is_const(pool, round.base, &base))
    return expr_const(pool, 32, phases_phase(channel, form, base + round.more));
  int64_t whole = phases_floor(more, n);
  more -= whole * n;
  ExprRef turn =
      plus(pool, expr_binary(pool, EXPR_SDIV, 0, round.base, expr_const(pool, 32, n)), form->shift + whole);
  if (!more) return turn;
  return expr_ite(pool, goes_over(pool, round.base, n, more), plus(pool, turn, 1), turn);
}

static ExprRef round_in(ExprPool *pool, Round round) {
  return plus(pool, round.base, round.more);
}

static bool is_in_loop(const Scan *scan, uint32_t loop, uint32_t inst) {
  return loop != CFG_NONE && cfg_loop_contains(scan->cfg, loop, inst_at(scan, inst)->block);
}

// Behind a loop that is left from its header, a thread is in the round in which it left.
static bool is_at_loop(const Scan *scan, uint32_t loop, uint32_t inst) {
  return is_in_loop(scan, loop, inst) || (loop != CFG_NONE && phases_is_behind_loop(scan, loop, inst));
}

// ---- the arrival comes behind the first access
// Rounds that the copy may still go on for behind its own, where its thread comes to the arrival; -1: without
// end.
static int64_t lag_of(const Scan *scan, const Access *copy, const Event *arrival) {
  CarriedOver *over = carried_over(scan);
  int64_t lag = graph_reaches_in_round(scan, arrival->loop, arrival->inst, copy->inst) ? 1 : 0;
  for (uint32_t i = 0; i < over->arrivals.count; i++) {
    const Carried *seen = &over->arrivals.items[i];
    if (seen->copy != copy || seen->point != arrival->inst) continue;
    if (seen->rounds >= CARRIED_ROUNDS || (seen->rounds && seen->loop != arrival->loop)) return -1;
    if (lag <= (int64_t)seen->rounds) lag = (int64_t)seen->rounds + 1;
  }
  return lag;
}

// A copy that an arrival for the thread's copies is for.
static bool is_taken_along(const Side *side, bool is_copy) {
  return is_copy && !(inst_at(side->phases->scan, side->first->access->inst)->flags & IR_FLAG_BULK);
}

// Condition that the arrival at this place with a number up to this one may come `lag` rounds later, or in
// one of the rounds in which the other places have their turn.
static ExprRef comes_in_later_round(const Side *side, const Event *arrival, int64_t lag, ExprRef place,
                                    ExprRef phase) {
  ExprPool *pool = side->phases->scan->pool;
  const Channel *channel = &side->phases->channels.items[arrival->channel];
  ExprRef any = expr_bool(pool, false);
  for (int64_t later = lag; later < lag + channel->period; later++) {
    Round round = {frame_iteration(side->first->frame, arrival->loop), later};
    ExprRef holds =
        expr_and(pool, expr_eq(pool, place_in(pool, channel, &arrival->form, round), place),
                 expr_binary(pool, EXPR_SLE, 0, phase_in(pool, channel, &arrival->form, round), phase));
    if (arrival->first)
      holds = expr_and(
          pool, holds,
          expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, arrival->first), round_in(pool, round)));
    any = expr_or(pool, any, holds);
  }
  return any;
}

// Condition that the arrival with the number that is waited for, made by the thread of `from`, comes behind
// the instruction `from`, as far as this instruction makes it.
static ExprRef arrives_behind(const Side *side, const Event *arrival, uint32_t from, bool is_copy,
                              ExprRef place, ExprRef phase) {
  Phases *phases = side->phases;
  Scan *scan = phases->scan;
  CarriedOver *over = carried_over(scan);
  ExprPool *pool = scan->pool;
  const Channel *channel = &phases->channels.items[arrival->channel];
  ExprRef yes = expr_bool(pool, true), no = expr_bool(pool, false);
  if (is_in_loop(scan, arrival->loop, from) ||
      (from == side->first->access->inst && is_at_loop(scan, arrival->loop, from))) {
    int64_t lag = is_copy && !(arrival->takes_copies && is_taken_along(side, is_copy))
                      ? lag_of(scan, side->first->access, arrival)
                  : graph_reaches_in_round(scan, arrival->loop, arrival->inst, from) ? 1
                                                                                     : 0;
    if (phases_exclude(phases, arrival->inst, from)) return yes;
    if (lag < 0 || (arrival->only_copies && !is_taken_along(side, is_copy))) return no;
    return comes_in_later_round(side, arrival, lag, place, phase);
  }
  if (is_copy) {
    for (uint32_t i = 0; i < over->arrivals.count; i++)
      if (over->arrivals.items[i].copy == side->first->access &&
          over->arrivals.items[i].point == arrival->inst && !arrival->only_copies)
        return no;
  }
  if (!graph_reaches(scan, arrival->inst, from))
    return arrival->only_copies && !is_taken_along(side, is_copy) &&
                   !phases_exclude(phases, arrival->inst, from)
               ? no
               : yes;
  if (phases_exclude(phases, arrival->inst, from)) return yes;
  if (arrival->trips < 0) return no;
  ExprRef all = yes; // it came before: the one that is waited for is a later one at this place
  for (int64_t k = arrival->first; k < arrival->trips; k++) {
    ExprRef number = expr_const(pool, 32, phases_phase(channel, &arrival->form, k)),
            at = expr_const(pool, 32, phases_place(channel, &arrival->form, k));
    all = expr_and(pool, all,
                   expr_or(pool, expr_ne(pool, at, place), expr_binary(pool, EXPR_SLT, 0, number, phase)));
  }
  return all;
}

static ExprRef all_arrive_behind(const Side *side, uint32_t channel, uint32_t from, bool is_copy,
                                 ExprRef place, ExprRef phase) {
  Phases *phases = side->phases;
  ExprRef all = expr_bool(phases->scan->pool, true);
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *arrival = &phases->events.items[i];
    if (arrival->kind != EVENT_ARRIVAL || arrival->channel != channel) continue;
    all = expr_and(phases->scan->pool, all, arrives_behind(side, arrival, from, is_copy, place, phase));
  }
  return all;
}

// Members of the channel, or threads that one of those meets at a barrier of its warp or block.
static ExprRef takes_part(const Side *side, const Channel *channel, IrScope met) {
  Scan *scan = side->phases->scan;
  uint8_t *members = arena_array(scan->arena, (size_t)named_threads(scan) + 1, uint8_t);
  bool is_elected = channel->is_elected && met == IR_SCOPE_THREAD;
  int64_t group = is_elected || met == IR_SCOPE_WARP ? 32 : met == IR_SCOPE_THREAD ? 1 : named_threads(scan);
  for (int64_t t = 0; t < named_threads(scan); t++)
    for (int64_t u = t / group * group; u < (t / group + 1) * group && u < named_threads(scan); u++)
      members[t] |= channel->members[u];
  const View *view = side->first->frame->view;
  ExprRef takes = named_membership(scan, view, members);
  return is_elected ? expr_and(scan->pool, takes, expr_eq(scan->pool, view->lane, view->elected)) : takes;
}

// A barrier that the first thread comes to behind its access, in the same round, before the arrivals in the
// loop.
static bool hands_over(const Side *side, const Point *point, uint32_t channel) {
  Phases *phases = side->phases;
  const Scan *scan = phases->scan;
  uint32_t first = side->first->access->inst, loop = scan->cfg->loop_of[point->block];
  if (point->inst == CFG_NONE || point->cover || point->is_divergent || point->scope > IR_SCOPE_BLOCK ||
      !arrivals_is_barrier(scan, point->inst) || operation_is_wait(inst_at(scan, point->inst)))
    return false;
  bool is_inside = loop == CFG_NONE || is_in_loop(scan, loop, first);
  bool comes_behind = inst_at(scan, first)->block == point->block
                          ? first < point->inst
                          : cfg_post_dominates(scan->cfg, point->block, inst_at(scan, first)->block);
  bool may_be_before = loop == CFG_NONE ? graph_reaches(scan, point->inst, first)
                                        : graph_reaches_in_round(scan, loop, point->inst, first);
  if (!is_inside || !comes_behind || may_be_before) return false;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *arrival = &phases->events.items[i];
    if (arrival->kind != EVENT_ARRIVAL || arrival->channel != channel) continue;
    if (phases_exclude(phases, arrival->inst, point->inst)) continue;
    if (is_in_loop(scan, arrival->loop, point->inst) && arrival->loop != loop) return false;
    if (graph_reaches(scan, point->inst, arrival->inst) &&
        !phases_dominates(scan, point->inst, arrival->inst))
      return false;
  }
  return true;
}

// ---- what the second thread has waited for
// The copy completes on an object of the channel: it is over with the phase of the arrival beside it.
static ExprRef completes_with(const Side *side, const Event *copy, ExprRef place, ExprRef phase) {
  ExprPool *pool = side->phases->scan->pool;
  const Channel *channel = &side->phases->channels.items[copy->channel];
  Round round = {
      copy->loop == CFG_NONE ? expr_const(pool, 32, 0) : frame_iteration(side->first->frame, copy->loop), 0};
  return expr_and(pool, expr_eq(pool, place_in(pool, channel, &copy->form, round), place),
                  expr_binary(pool, EXPR_SLE, 0, phase_in(pool, channel, &copy->form, round), phase));
}

static const Event *event_of_copy(const Phases *phases, uint32_t inst) {
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *event = &phases->events.items[i];
    if (event->inst == inst && (event->kind == EVENT_BYTES || event->kind == EVENT_COPY)) return event;
  }
  return NULL;
}

// Condition that the phase of this place says to whoever has waited for it that the first access is made.
static ExprRef is_told(const Side *side, uint32_t channel, ExprRef place, ExprRef phase) {
  Phases *phases = side->phases;
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  const Access *first = side->first->access;
  const Channel *of = &phases->channels.items[channel];
  if (first->is_async && operation_is_of_object(scan, first)) {
    const Event *copy = event_of_copy(phases, first->inst);
    return copy && copy->channel == channel && copy->beside ? completes_with(side, copy, place, phase)
                                                            : expr_bool(pool, false);
  }
  ExprRef told = expr_and(pool, takes_part(side, of, IR_SCOPE_THREAD),
                          all_arrive_behind(side, channel, first->inst, first->is_async, place, phase));
  uint32_t binding = first->is_async ? phases_binding(scan, first->inst) : CFG_NONE;
  const Event *bound = binding != CFG_NONE ? event_of_copy(phases, binding) : NULL;
  if (bound && bound->channel == channel && bound->beside)
    told = expr_or(pool, told, completes_with(side, bound, place, phase));
  for (uint32_t p = 1; p < scan->points.count && !first->is_async; p++) {
    const Point *point = &scan->points.items[p];
    if (!hands_over(side, point, channel)) continue;
    told = expr_or(pool, told,
                   expr_and(pool, takes_part(side, of, point->scope),
                            all_arrive_behind(side, channel, point->inst, false, place, phase)));
  }
  return told;
}

static ExprRef known_by(const Side *side, const Event *wait, Round round) {
  ExprPool *pool = side->phases->scan->pool;
  const Channel *channel = &side->phases->channels.items[wait->channel];
  ExprRef phase = phase_in(pool, channel, &wait->form, round);
  ExprRef at = round_in(pool, round),
          is_late = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, wait->first), at),
          is_phase = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, 0), phase);
  if (wait->last)
    is_late = expr_and(pool, is_late, expr_binary(pool, EXPR_SLT, 0, at, expr_const(pool, 32, wait->last)));
  return expr_and(pool, expr_and(pool, is_late, is_phase),
                  is_told(side, wait->channel, place_in(pool, channel, &wait->form, round), phase));
}

// Condition that the second thread, by this wait, knows of the first access.
static ExprRef knows_by(const Side *side, const Event *wait) {
  Scan *scan = side->phases->scan;
  ExprPool *pool = scan->pool;
  uint32_t second = side->second->access->inst;
  const Channel *channel = &side->phases->channels.items[wait->channel];
  ExprRef any = expr_bool(pool, false);
  if (wait->loop == CFG_NONE)
    return phases_is_made_before(side->phases, wait->place, second)
               ? known_by(side, wait, (Round){expr_const(pool, 32, 0), 0})
               : any;
  if (!is_at_loop(scan, wait->loop, second)) return any;
  ExprRef round = frame_iteration(side->second->frame, wait->loop);
  for (int64_t back = 0; back <= channel->period; back++)
    if (phases_is_passed(side->phases, wait, second, back))
      any = expr_or(pool, any, known_by(side, wait, (Round){round, -back}));
  return any;
}

static ExprRef knows(const Side *side) {
  ExprPool *pool = side->phases->scan->pool;
  ExprRef any = expr_bool(pool, false);
  for (uint32_t i = 0; i < side->phases->knowledge.count; i++) {
    const Event *wait = &side->phases->knowledge.items[i];
    if (!side->phases->channels.items[wait->channel].is_broken && !wait->only_in_time)
      any = expr_or(pool, any, knows_by(side, wait));
  }
  return any;
}

// The first wait that may tell the second thread, and an arrival at its object behind the first access.
static void name_phase(const Side *side, OrderProof *proof) {
  const Phases *phases = side->phases;
  const Scan *scan = phases->scan;
  uint32_t first = side->first->access->inst;
  for (uint32_t i = 0; i < phases->knowledge.count && !proof->rule; i++) {
    const Event *wait = &phases->knowledge.items[i];
    if (phases->channels.items[wait->channel].is_broken || wait->only_in_time ||
        expr_is_false(scan->pool, knows_by(side, wait)))
      continue;
    bool is_named = phases->channels.items[wait->channel].is_named;
    *proof = (OrderProof){.rule = is_named ? ORDER_RULE_NAMED_BARRIER : ORDER_RULE_PHASE,
                          .acquire = wait->inst + 1};
    for (uint32_t e = 0; e < phases->events.count && !proof->release; e++) {
      const Event *event = &phases->events.items[e];
      if (event->channel == wait->channel && event->kind != EVENT_WAIT &&
          (event->inst == first || graph_reaches(scan, first, event->inst)))
        proof->release = event->inst + 1;
    }
  }
}

bool phases_order(Scan *scan, const OrderQuestion *question, OrderProof *proof) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  ASSERT(proof);
  if (extent_is_between_blocks(question->extent) || (!arrivals_all(scan)->count && !named_all(scan)->count))
    return false;
  const Instance *const *sides = question->instances;
  Phases *phases = phases_get(scan);
  if (!phases || sides[0]->access->is_of_object || sides[1]->access->is_of_object) return false;
  Side forth = {phases, question, sides[0], sides[1]}, back = {phases, question, sides[1], sides[0]};
  bool is_loose =
      (sides[0]->carried && sides[0]->carried->arrival) || (sides[1]->carried && sides[1]->carried->arrival);
  ExprRef ordered =
      is_loose ? expr_bool(scan->pool, false) : expr_or(scan->pool, knows(&forth), knows(&back));
  if (expr_is_false(scan->pool, ordered)) return false;
  Goal goal = goal_copy(scan, question->goal);
  goal_add(scan, &goal, expr_not(scan->pool, ordered), GOAL_CONFLICT, 0);
  if (!proofs_cannot_hold(scan, &goal, arena_printf(scan->arena, "%s, in which phases", question->name)))
    return false;
  name_phase(&forth, proof);
  name_phase(&back, proof);
  return true;
}

bool phases_order_own_copy(Scan *scan, const Instance *copy, const Instance *other, const Goal *goal) {
  ASSERT(scan_has_access(scan, copy->access) && copy->frame);
  ASSERT(scan_has_access(scan, other->access) && other->frame);
  if (!arrivals_all(scan)->count && !named_all(scan)->count) return false;
  Phases *phases = phases_get(scan);
  if (!phases || other->access->is_of_object) return false;
  Side side = {phases, NULL, copy, other};
  ExprRef ordered = knows(&side);
  if (expr_is_false(scan->pool, ordered)) return false;
  Goal denied = goal_copy(scan, goal);
  goal_add(scan, &denied, expr_not(scan->pool, ordered), GOAL_CONFLICT, 0);
  return proofs_cannot_hold(scan, &denied, "own copy, in which phases");
}
