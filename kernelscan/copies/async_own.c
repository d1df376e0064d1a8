// What does the thread that issued a copy itself access while the copy goes on? Accesses that come between the issue
// and the wait are of the same thread, so no barrier is between: they race with the copy if they touch its bytes.
// Method: of each access that the walk (async.c) has met, one goal: the same thread, the same way, a common byte.
// Soundness: the walk over-approximates which accesses come in between; a model is a race only if it replays.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/async_walk.h"
#include "kernelscan/operations.h"

// Of one kernel, in instructions that are looked at: each question keeps the values of two frames, some 500 bytes for an instruction.
enum { WEIGHT_LIMIT = 1000000 };

// ---- the same thread
typedef enum Asking { ASK_ALL_ROUNDS, ASK_ALL_TURNS, ASK_REPORT } Asking;

// The least and the most of those that are asked together; CARRIED_ROUNDS: so many, or more.
typedef struct Span {
  uint32_t least, most;
} Span;

static Span span_with(Span span, uint32_t number) {
  return (Span){number < span.least ? number : span.least, number > span.most ? number : span.most};
}

static ExprRef is_within(ExprPool *pool, ExprRef number, Span span) {
  ExprRef least = expr_const(pool, 32, span.least), most = expr_const(pool, 32, span.most);
  ExprRef within = expr_binary(pool, EXPR_SLE, 0, least, number);
  return span.most < CARRIED_ROUNDS ? expr_and(pool, within, expr_binary(pool, EXPR_SLE, 0, number, most))
                                    : within;
}

// true: the copy does not meet the access. ASK_ALL_TURNS: in whichever of these turns of a loop entered since it is;
// ASK_ALL_ROUNDS: and in whichever later round of the loop around both. ASK_REPORT: what may meet in its own turn is told.
static bool check_own(Walk *walk, const Carried *carried, Asking asking, Span turns) {
  Scan *scan = walk->scan;
  ++*walk->questions;
  const Access *other = &scan->accesses.items[carried->point];
  ExprRef condition = 0;
  View *view = view_fresh(scan, NULL);
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  if (asking == ASK_REPORT && carried->entered != CFG_NONE && carried->turns < CARRIED_ROUNDS)
    iteration[carried->entered] = expr_const(scan->pool, 32, carried->turns);
  Carried asked = *carried;
  asked.or_more = asking == ASK_ALL_ROUNDS;
  if (asked.or_more) asked.rounds = 1;
  Frame *now = frame_make(scan, view, iteration, NULL), *then = carried_frame(now, &asked, &condition);
  if (asking == ASK_REPORT && carried->left)
    condition = expr_and(scan->pool, condition, carried_turns(now, carried->left - 1, carried->left_turns));
  Instance one = instance_in(then, walk->copy), two = instance_in(now, other);
  one.condition = expr_and(scan->pool, one.condition, condition);
  one.carried = carried;
  if (asking == ASK_REPORT) {
    walk->report(scan, &one, &two);
    return false;
  }
  if (carried->entered != CFG_NONE)
    one.condition = expr_and(scan->pool, one.condition,
                             is_within(scan->pool, frame_iteration(now, carried->entered), turns));
  return own_apart_ask(scan, &one, &two);
}

static bool is_of_same(const Carried *a, const Carried *b) {
  return a->point == b->point && a->loop == b->loop && a->is_unseen == b->is_unseen &&
         a->is_uncertain == b->is_uncertain;
}

static bool differ_by_turns(const Carried *a, const Carried *b) {
  return is_of_same(a, b) && a->rounds == b->rounds;
}

static bool differ_by_rounds(const Carried *a, const Carried *b) {
  return is_of_same(a, b) && a->loop != CFG_NONE;
}

typedef struct Own {
  Walk *walk;
  uint8_t *is_done;
} Own;

// Those that are left of one kind, if there are several: asked together.
static bool ask_together(const Own *own, uint32_t first, bool is_alike(const Carried *, const Carried *),
                         Asking asking) {
  const Walk *walk = own->walk;
  const Carried *items = walk->own.items;
  uint32_t alike = 0;
  Span turns = {CARRIED_ROUNDS, 0};
  for (uint32_t j = 0; j < walk->own.count; j++) {
    if (!is_alike(&items[first], &items[j])) continue;
    alike += !own->is_done[j];
    turns = span_with(turns, items[j].turns);
  }
  if (alike < 2 || !check_own(own->walk, &items[first], asking, turns)) return false;
  for (uint32_t j = 0; j < walk->own.count; j++)
    own->is_done[j] |= is_alike(&items[first], &items[j]);
  return true;
}

// Several questions about one access: is there one answer to all?
void async_check_own(Walk *walk) {
  Scan *scan = walk->scan;
  const IrInst *insts = scan->fn->insts.items;
  uint32_t count = walk->own.count;
  const Carried *items = walk->own.items;
  Own own = {walk, arena_array(walk->scratch, count + 1, uint8_t)};
  for (uint32_t i = 0; i < count; i++) {
    const Access *other = &scan->accesses.items[items[i].point];
    if ((uint64_t)*walk->questions * scan->fn->insts.count >= WEIGHT_LIMIT) {
      scan_undecided(scan, insts[walk->copy->inst].loc,
                     "too many accesses are made by the thread itself while its asynchronous copies go on");
      return;
    }
    uint32_t all = 0;
    for (uint32_t j = 0; j < count; j++)
      all += items[j].point == items[i].point;
    if (own.is_done[i] || !copies_share_an_object(scan, walk->copy, other)) continue;
    if (all > 1 && exclusive_blocks(scan, insts[walk->copy->inst].block, insts[other->inst].block)) {
      for (uint32_t j = i; j < count; j++)
        own.is_done[j] |= items[j].point == items[i].point;
      continue;
    }
    if (ask_together(&own, i, differ_by_rounds, ASK_ALL_ROUNDS) ||
        ask_together(&own, i, differ_by_turns, ASK_ALL_TURNS))
      continue;
    for (uint32_t j = i; j < count; j++) {
      if (own.is_done[j] || !differ_by_turns(&items[i], &items[j])) continue;
      own.is_done[j] = 1;
      check_own(walk, &items[j], ASK_REPORT, (Span){items[j].turns, items[j].turns});
    }
  }
}
