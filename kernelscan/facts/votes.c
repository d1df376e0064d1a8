// What do the lanes of a warp know of a ballot, and of a value that one lane handed to all? The result of
// __ballot_sync with the full mask is one number for all lanes of a warp that made the same vote, and each
// lane's bit in it is the lane's own predicate. The bits below a lane, counted, are its rank among those that
// voted yes: for lanes i < j of one vote, rank(i) + yes(i) <= rank(j) <= rank(i) + yes(i) + (j - i - 1). That
// makes `out[base + rank]` places of the lanes' own (stream compaction within a warp; Billeter, Olsson,
// Assarsson, HPG 2009). A shuffle from one and the same lane gives all of them one value. Method: ballots and
// shuffles that occur in a goal are paired by instruction, under the condition that the iterations of the
// loops around it agree; ranks are recognised as __popc(ballot & ((1 << lane) - 1)), with or without the lane's
// own bit, counted or compared with none. So are __any_sync and __all_sync: one answer for all lanes of the vote,
// which says something of each lane's own predicate, and those that join the numbers of all lanes
// (__reduce_*_sync). __match_any_sync gives the lanes that named one label one mask, with each one's bit in it.
// Soundness: lanes that come to a vote in equal iterations of the loops around it are of one, if they meet in it
// (together.c); so do the lanes that a mask made of thread numbers names (a tile's), which is each time the same.
// Others say nothing here. A shuffle gives what one lane put in if that lane is there, and comes (shuffles.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/kernel.h"

enum { MASK_DEPTH = 12 };

// By all lanes of the warp together.
static bool is_by_all(const Scan *scan, const IrInst *inst) {
  int64_t mask = 0;
  return ir_const_value(scan->fn, inst->ops[0], &mask) && (uint32_t)mask == UINT32_MAX;
}

bool votes_is_ballot(const Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  return inst->op == IR_VOTE && strcmp(inst->name, "ballot") == 0 && inst->op_count == 2 &&
         is_by_all(scan, inst);
}

static bool is_named(const IrInst *inst, const char *name) {
  return inst->op == IR_VOTE && strcmp(inst->name, name) == 0 && inst->op_count == 2;
}

// By the lanes of a mask that is made of thread numbers alone, such as a tile's: each time the same ones.
static bool is_by_part(const Scan *scan, const IrInst *inst) {
  return inst->op == IR_VOTE && inst->name && inst->op_count == 2 && !is_by_all(scan, inst) &&
         scan_is_same_each_time(scan, inst->ops[0], MASK_DEPTH);
}

// One answer for all lanes that make the vote: whether any, or each, of them said yes; a sum, a maximum.
static bool is_question(const Scan *scan, const IrInst *inst) {
  return (scan_is_warp_vote(scan, inst) || is_by_part(scan, inst)) && !is_named(inst, "ballot") &&
         !is_named(inst, "match_any");
}

bool votes_is_from_lane(const IrInst *inst) {
  return inst->op == IR_SHUFFLE && inst->name && strcmp(inst->name, "idx") == 0 && inst->op_count == 4;
}

bool votes_is_broadcast(const Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  int64_t width = 0;
  return votes_is_from_lane(inst) && is_by_all(scan, inst) &&
         ir_const_value(scan->fn, inst->ops[3], &width) && width == 32;
}

static void votes_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  FactLists *lists = fact_lists(scan);
  const IrInst *inst = &scan->fn->insts.items[index];
  bool is_vote = scan_is_warp_vote(scan, inst) || groups_is_mask(inst) || is_by_part(scan, inst);
  if (!leaf || (!is_vote && !votes_is_broadcast(scan, inst))) return;
  for (uint32_t i = 0; i < lists->ballots.count; i++)
    if (lists->ballots.items[i].leaf == leaf && lists->ballots.items[i].frame == frame) return;
  vec_push(scan->arena, &lists->ballots, (Ballot){.leaf = leaf, .inst = index, .frame = frame});
}

// A count of bits that the goal speaks of.
typedef struct Count {
  ExprRef value;
  ExprRef lane; // counts the bits below this lane; 0: all bits
  ExprRef bits; // those that are counted
} Count;

typedef VEC(Count) Counts;

// A ballot, and 1 if the lane voted yes, 0 if not.
typedef struct Voted {
  ExprRef ballot, yes;
} Voted;

// ---- as words of 32 bits
static ExprRef plus(ExprPool *pool, ExprRef a, ExprRef b) {
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, a, b);
}
static ExprRef minus(ExprPool *pool, ExprRef a, ExprRef b) {
  return expr_binary(pool, EXPR_SUB, EXPR_NSW, a, b);
}
static ExprRef number(ExprPool *pool, int64_t value) {
  return expr_const(pool, 32, value);
}
static ExprRef at_most(ExprPool *pool, ExprRef a, ExprRef b) {
  return expr_binary(pool, EXPR_SLE, 0, a, b);
}
static ExprRef implies(ExprPool *pool, ExprRef a, ExprRef b) {
  return expr_or(pool, expr_not(pool, a), b);
}

// x, of x - 1; 0: it is no such number.
static ExprRef one_more(const ExprPool *pool, const ExprNode *node) {
  int64_t one = 0;
  bool is_less_one = (node->op == EXPR_SUB && expr_is_const(pool, node->b, &one) && one == 1) ||
                     (node->op == EXPR_ADD && expr_is_const(pool, node->b, &one) && one == -1);
  return is_less_one ? node->a : 0;
}

// lane, of start << lane; 0: it is no such number.
static ExprRef shifted_by(const ExprPool *pool, ExprRef ref, int64_t start) {
  const ExprNode *node = expr_node(pool, ref);
  int64_t what = 0;
  bool is_it = node->op == EXPR_SHL && expr_is_const(pool, node->a, &what) && what == start;
  return is_it ? node->b : 0;
}

// (1 << lane) - 1, ~(-1 << lane)
static ExprRef lane_below(const ExprPool *pool, ExprRef mask) {
  const ExprNode *node = expr_node(pool, mask);
  int64_t all = 0;
  ExprRef power = one_more(pool, node);
  if (power) return shifted_by(pool, power, 1);
  bool is_turned = node->op == EXPR_XOR && expr_is_const(pool, node->b, &all) && all == -1;
  return is_turned ? shifted_by(pool, node->a, -1) : 0;
}

// The lane and those below it: the mask of those below, or its own bit; `(2 << lane) - 1`.
static ExprRef lane_up_to(const ExprPool *pool, ExprRef mask) {
  const ExprNode *node = expr_node(pool, mask);
  ExprRef power = one_more(pool, node);
  if (power) return shifted_by(pool, power, 2);
  for (int side = 0; side < 2 && (node->op == EXPR_OR || node->op == EXPR_XOR); side++) {
    ExprRef lane = lane_below(pool, side ? node->b : node->a);
    if (lane && shifted_by(pool, side ? node->a : node->b, 1) == lane) return lane;
  }
  return 0;
}

// What the goal says of words, and which ones occur in it.
typedef struct Asked {
  Goal *goal;
  const ExprSet *occurs;
  VEC(ExprRef) ands; // that occur: parts of a ballot are among them
} Asked;

static Asked asked_of(Scan *scan, Goal *goal) {
  Asked asked = {.goal = goal, .occurs = goal_occurrences(scan, goal)};
  for (ExprRef ref = 0; (ref = expr_set_next(asked.occurs, ref)) != 0;)
    if (expr_node(scan->pool, ref)->op == EXPR_AND) vec_push(scan->arena, &asked.ands, ref);
  return asked;
}

static bool occurs_in(const Asked *asked, ExprRef ref) {
  return expr_set_has(asked->occurs, ref);
}

static ExprRef bits_in(ExprPool *pool, ExprRef bits) {
  return expr_app(pool, expr_func_named(pool, "__popc", 32), 1, &bits);
}

// There are none of these bits.
static ExprRef none_of(ExprPool *pool, ExprRef bits) {
  return expr_eq(pool, bits, number(pool, 0));
}

// Are these bits of the ballot that are counted, or compared with none? yes: whether the lane's own one is set;
// 0: not known.
static bool match_count(ExprPool *pool, const Asked *asked, ExprRef ref, const Voted *vote, Count *count) {
  if (expr_width(pool, ref) != 32) return false;
  ExprNode node = *expr_node(pool, ref);
  bool is_part = node.op == EXPR_AND && (node.a == vote->ballot || node.b == vote->ballot);
  if (ref != vote->ballot && !is_part) return false;
  *count = (Count){.value = bits_in(pool, ref), .bits = ref};
  bool is_counted = occurs_in(asked, count->value);
  if (ref == vote->ballot) return is_counted;
  ExprRef others = node.a == vote->ballot ? node.b : node.a;
  if (!is_counted && !occurs_in(asked, none_of(pool, ref))) return false;
  count->lane = lane_below(pool, others);
  if (count->lane) return true;
  count->lane = vote->yes ? lane_up_to(pool, others) : 0;
  if (count->lane) count->value = minus(pool, count->value, vote->yes); // used for the lane itself
  return count->lane != 0;
}

static Counts find_counts(Scan *scan, const Asked *asked, Voted vote) {
  Counts counts = {0};
  Count count;
  if (occurs_in(asked, vote.ballot) && match_count(scan->pool, asked, vote.ballot, &vote, &count))
    vec_push(scan->arena, &counts, count);
  for (uint32_t i = 0; i < asked->ands.count; i++)
    if (asked->ands.items[i] != vote.ballot &&
        match_count(scan->pool, asked, asked->ands.items[i], &vote, &count))
      vec_push(scan->arena, &counts, count);
  return counts;
}

// 1 if the lane voted yes; 0 if that is not understood. In the mask of its group each lane has its own bit.
static ExprRef yes_of(Scan *scan, const Ballot *ballot) {
  ExprPool *pool = scan->pool;
  if (groups_is_mask(&scan->fn->insts.items[ballot->inst])) return number(pool, 1);
  ExprRef truth = frame_truth(ballot->frame, scan->fn->insts.items[ballot->inst].ops[1]);
  return truth ? expr_ite(pool, truth, number(pool, 1), number(pool, 0)) : 0;
}

static void add_own(Scan *scan, const Asked *asked, const Ballot *ballot, const Counts *counts, ExprRef yes) {
  ExprPool *pool = scan->pool;
  Goal *goal = asked->goal;
  ExprRef lane = ballot->frame->view->lane, zero = number(pool, 0), total = bits_in(pool, ballot->leaf);
  for (uint32_t i = 0; i < counts->count; i++) {
    const Count *count = &counts->items[i];
    goal_add(scan, goal, expr_and(pool, at_most(pool, yes, total), at_most(pool, total, number(pool, 32))),
             GOAL_CONTEXT, 0);
    if (!count->lane) continue;
    if (occurs_in(asked, none_of(pool, count->bits)))
      goal_add(scan, goal,
               expr_eq(pool, none_of(pool, count->bits), none_of(pool, bits_in(pool, count->bits))),
               GOAL_CONTEXT, 0);
    ExprRef with_own = plus(pool, count->value, yes), above = minus(pool, number(pool, 31), lane);
    ExprRef holds = expr_and(pool, at_most(pool, zero, count->value), at_most(pool, count->value, lane));
    holds = expr_and(pool, holds, at_most(pool, with_own, total));
    holds = expr_and(pool, holds, at_most(pool, total, plus(pool, with_own, above)));
    goal_add(scan, goal, implies(pool, expr_eq(pool, count->lane, lane), holds), GOAL_CONTEXT, 0);
  }
}

// rank(low) + yes(low) <= rank(high) <= rank(low) + yes(low) + (high - low - 1)
static ExprRef ordered(ExprPool *pool, ExprRef low, ExprRef low_rank, ExprRef low_yes, ExprRef high,
                       ExprRef high_rank) {
  ExprRef with_own = plus(pool, low_rank, low_yes);
  ExprRef between = minus(pool, minus(pool, high, low), number(pool, 1));
  ExprRef holds = expr_and(pool, at_most(pool, with_own, high_rank),
                           at_most(pool, high_rank, plus(pool, with_own, between)));
  return implies(pool, expr_binary(pool, EXPR_SLT, 0, low, high), holds);
}

// The two threads are of those that one mask names.
static ExprRef same_mask(Scan *scan, const Ballot *one, const Ballot *two) {
  const IrInst *inst = &scan->fn->insts.items[one->inst];
  if (!is_by_part(scan, inst)) return expr_bool(scan->pool, true);
  ExprRef first = frame_word(one->frame, inst->ops[0], 32), second = frame_word(two->frame, inst->ops[0], 32);
  return first && second ? expr_eq(scan->pool, first, second) : expr_bool(scan->pool, false);
}

// The two threads are lanes of one warp and speak of the same vote.
static ExprRef same_vote(Scan *scan, const Ballot *one, const Ballot *two) {
  ExprPool *pool = scan->pool;
  if (!together_meets(scan, one->inst)) return expr_bool(pool, false);
  ExprRef same = expr_eq(pool, one->frame->view->warp, two->frame->view->warp);
  same = expr_and(pool, same, same_mask(scan, one, two));
  uint32_t block = scan->fn->insts.items[one->inst].block;
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    same =
        expr_and(pool, same, expr_eq(pool, frame_iteration(one->frame, l), frame_iteration(two->frame, l)));
  return same;
}

// The lanes of a whole warp, or of a part, that named one label (bit by bit, floats as well) have one mask.
static ExprRef same_label(Scan *scan, const Ballot *one, const Ballot *two) {
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[one->inst];
  if (!is_named(inst, "match_any") || (!is_by_all(scan, inst) && !is_by_part(scan, inst)))
    return expr_bool(pool, false);
  SymValue first = frame_value(one->frame, inst->ops[1]), second = frame_value(two->frame, inst->ops[1]);
  if (first.kind != SYM_WORD || second.kind != SYM_WORD) return expr_bool(pool, false);
  return expr_and(pool, same_vote(scan, one, two), expr_eq(pool, first.word, second.word));
}

static void add_ballots(Scan *scan, Goal *goal, const Ballot *ballots[2], const Counts counts[2],
                        const ExprRef yes[2]) {
  ExprPool *pool = scan->pool;
  bool is_of_group = groups_is_mask(&scan->fn->insts.items[ballots[0]->inst]);
  ExprRef same =
      is_of_group ? same_label(scan, ballots[0], ballots[1]) : same_vote(scan, ballots[0], ballots[1]);
  ExprRef lanes[2] = {ballots[0]->frame->view->lane, ballots[1]->frame->view->lane};
  goal_add(scan, goal, implies(pool, same, expr_eq(pool, ballots[0]->leaf, ballots[1]->leaf)), GOAL_CONTEXT,
           0);
  // Each lane's own bit is in its word: equal words have the ranks of one, of whichever votes they are.
  same = expr_eq(pool, ballots[0]->leaf, ballots[1]->leaf);
  for (uint32_t i = 0; i < counts[0].count; i++) {
    for (uint32_t j = 0; j < counts[1].count; j++) {
      const Count *a = &counts[0].items[i], *b = &counts[1].items[j];
      ExprRef totals = expr_eq(pool, bits_in(pool, ballots[0]->leaf), bits_in(pool, ballots[1]->leaf));
      goal_add(scan, goal, implies(pool, same, totals), GOAL_CONTEXT, 0);
      if (!a->lane || !b->lane) continue;
      ExprRef own = expr_and(pool, expr_eq(pool, a->lane, lanes[0]), expr_eq(pool, b->lane, lanes[1]));
      ExprRef both = expr_and(pool, ordered(pool, lanes[0], a->value, yes[0], lanes[1], b->value),
                              ordered(pool, lanes[1], b->value, yes[1], lanes[0], a->value));
      goal_add(scan, goal, implies(pool, expr_and(pool, same, own), both), GOAL_CONTEXT, 0);
    }
  }
}

// From one lane to all.
static void add_shuffles(Scan *scan, Goal *goal, const Ballot *one, const Ballot *two) {
  ExprPool *pool = scan->pool;
  IrRef source = scan->fn->insts.items[one->inst].ops[2];
  ExprRef first = frame_word(one->frame, source, 32), second = frame_word(two->frame, source, 32);
  if (!first || !second) return;
  ExprRef comes = shuffles_source_comes(one->frame, one->inst, first);
  if (!comes) return;
  ExprRef same =
      expr_and(pool, expr_and(pool, same_vote(scan, one, two), comes), expr_eq(pool, first, second));
  goal_add(scan, goal, implies(pool, same, expr_eq(pool, one->leaf, two->leaf)), GOAL_CONTEXT, 0);
}

static void add_pair(Scan *scan, const Asked *asked, const Ballot *one, const Ballot *two) {
  if (one->lanes || two->lanes) {
    ExprRef same = expr_and(scan->pool, same_vote(scan, one, two), butterfly_is_common(scan, one, two));
    goal_add(scan, asked->goal, implies(scan->pool, same, expr_eq(scan->pool, one->leaf, two->leaf)),
             GOAL_CONTEXT, 0);
    return;
  }
  if (scan->fn->insts.items[one->inst].op == IR_SHUFFLE) {
    add_shuffles(scan, asked->goal, one, two);
    return;
  }
  if (is_question(scan, &scan->fn->insts.items[one->inst])) {
    goal_add(scan, asked->goal,
             implies(scan->pool, same_vote(scan, one, two), expr_eq(scan->pool, one->leaf, two->leaf)),
             GOAL_CONTEXT, 0);
    return;
  }
  ExprRef yes[2] = {yes_of(scan, one), yes_of(scan, two)};
  if (!yes[0] || !yes[1]) return;
  Counts counts[2] = {find_counts(scan, asked, (Voted){one->leaf, yes[0]}),
                      find_counts(scan, asked, (Voted){two->leaf, yes[1]})};
  add_ballots(scan, asked->goal, (const Ballot *[]){one, two}, counts, yes);
}

// Is it `ballot >> lane & 1`, or `ballot & 1 << lane`? The lane, else 0.
static ExprRef tested_lane(const ExprPool *pool, ExprRef ref, ExprRef ballot) {
  const ExprNode *node = expr_node(pool, ref);
  int64_t one = 0;
  if (node->op != EXPR_AND) return 0;
  for (int side = 0; side < 2; side++) {
    ExprRef a = side ? node->b : node->a, b = side ? node->a : node->b;
    const ExprNode *shift = expr_node(pool, a);
    bool is_down = (shift->op == EXPR_LSHR || shift->op == EXPR_ASHR) && shift->a == ballot;
    if (is_down && expr_is_const(pool, b, &one) && one == 1) return shift->b;
    if (b == ballot && shift->op == EXPR_SHL && expr_is_const(pool, shift->a, &one) && one == 1)
      return shift->b;
  }
  return 0;
}

// A lane's own bit is its own vote.
static void add_tested(Scan *scan, const Asked *asked, const Ballot *ballot, ExprRef yes, ExprRef ref) {
  ExprPool *pool = scan->pool;
  ExprRef lane = tested_lane(pool, ref, ballot->leaf), zero = number(pool, 0);
  if (!lane || expr_width(pool, ref) != 32) return;
  ExprRef is_own = expr_eq(pool, lane, ballot->frame->view->lane);
  ExprRef agrees = expr_eq(pool, expr_eq(pool, ref, zero), expr_eq(pool, yes, zero));
  goal_add(scan, asked->goal, implies(pool, is_own, agrees), GOAL_CONTEXT, 0);
}

// Is it the function's value of the ballot itself?
static bool is_of_ballot(const ExprPool *pool, ExprRef ref, const char *function, ExprRef ballot) {
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_APP && node->arg_count == 1 && node->args[0] == ballot &&
         expr_width(pool, ref) == 32 &&
         strcmp(expr_func_info(pool, (uint32_t)node->value)->name, function) == 0;
}

// The lowest bit that is set (__ffs, which counts from 1) is not above one's own, and the highest (__clz) not below it,
// if that is set; where it is one's own, that is set.
static void add_outermost(Scan *scan, const Asked *asked, const Ballot *ballot, ExprRef yes, ExprRef ref) {
  ExprPool *pool = scan->pool;
  bool is_lowest = is_of_ballot(pool, ref, "__ffs", ballot->leaf);
  if (!is_lowest && !is_of_ballot(pool, ref, "__clz", ballot->leaf)) return;
  ExprRef voted = expr_not(pool, expr_eq(pool, yes, number(pool, 0))), lane = ballot->frame->view->lane;
  ExprRef own = is_lowest ? plus(pool, lane, number(pool, 1)) : minus(pool, number(pool, 31), lane);
  ExprRef holds = expr_and(pool, at_most(pool, number(pool, is_lowest), ref), at_most(pool, ref, own));
  holds = expr_and(pool, implies(pool, voted, holds), implies(pool, expr_eq(pool, ref, own), voted));
  goal_add(scan, asked->goal, holds, GOAL_CONTEXT, 0);
}

// If nobody said yes, the lane did not; if all did, so did the lane.
static void add_answer(Scan *scan, const Asked *asked, const Ballot *one) {
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[one->inst];
  if (!is_named(inst, "any") && !is_named(inst, "all")) return;
  ExprRef yes = yes_of(scan, one), nobody = expr_eq(pool, one->leaf, number(pool, 0));
  if (!yes) return;
  ExprRef no = expr_eq(pool, yes, number(pool, 0));
  bool is_any = is_named(inst, "any");
  goal_add(scan, asked->goal, is_any ? implies(pool, nobody, no) : implies(pool, no, nobody), GOAL_CONTEXT,
           0);
}

static void add_single(Scan *scan, const Asked *asked, const Ballot *one) {
  const IrInst *inst = &scan->fn->insts.items[one->inst];
  if (inst->op != IR_VOTE) return;
  if (is_question(scan, inst)) {
    add_answer(scan, asked, one);
    return;
  }
  ExprRef yes = yes_of(scan, one);
  if (!yes) return;
  Counts counts = find_counts(scan, asked, (Voted){one->leaf, yes});
  add_own(scan, asked, one, &counts, yes);
  for (ExprRef ref = 0; (ref = expr_set_next(asked->occurs, ref)) != 0;) {
    add_outermost(scan, asked, one, yes, ref);
    add_tested(scan, asked, one, yes, ref);
  }
}

void votes_add_rank(Scan *scan, Goal *goal, Frame *frame, IrRef mask, ExprRef rank) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(scan, mask));
  ASSERT(scan_has_expr(scan, rank));
  ExprPool *pool = scan->pool;
  ExprRef members = frame_word(frame, mask, 32), lane = frame->view->lane;
  if (!members) return;
  Asked asked = asked_of(scan, goal);
  Counts counts = find_counts(scan, &asked, (Voted){.ballot = members});
  for (uint32_t i = 0; i < counts.count; i++)
    if (counts.items[i].lane)
      goal_add(scan, goal,
               implies(pool, expr_eq(pool, counts.items[i].lane, lane),
                       expr_eq(pool, counts.items[i].value, rank)),
               GOAL_CONTEXT, 0);
}

void votes_add(Scan *scan, Goal *goal, Extent extent, const Frame *first, const Frame *second) {
  ASSERT(scan_is_extent(extent));
  ASSERT(first->view);
  ASSERT(second->view);
  FactLists *lists = fact_lists(scan);
  uint32_t count = lists->ballots.count;
  if (!count) return;
  Asked asked = asked_of(scan, goal);
  for (uint32_t i = 0; i < count; i++) {
    const Ballot one = lists->ballots.items[i];
    if (!occurs_in(&asked, one.leaf) || (one.frame != first && one.frame != second)) continue;
    add_single(scan, &asked, &one);
    for (uint32_t j = 0; j < count && one.frame == first && !extent_is_between_blocks(extent); j++) {
      const Ballot two = lists->ballots.items[j];
      if (two.inst == one.inst && two.frame == second && two.frame != first && occurs_in(&asked, two.leaf))
        add_pair(scan, &asked, &one, &two);
    }
  }
}

// ---- rounds of the other one
static bool has_vote_in(const Scan *scan, const FactLists *lists, uint32_t loop) {
  for (uint32_t i = 0; i < lists->ballots.count; i++)
    if (cfg_loop_contains(scan->cfg, loop, scan->fn->insts.items[lists->ballots.items[i].inst].block))
      return true;
  return false;
}

static void add_rounds_of(Scan *scan, Goal *goal, const FactLists *lists, const Frame *one, Frame *other) {
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++) {
    ExprRef round = one->iteration[l], own = other->iteration[l];
    if (!round || !own || round == own || !has_vote_in(scan, lists, l)) continue;
    goal_add(scan, goal, rounds_overtaken(other, l, round), GOAL_FACT, TAG_BOUNDS);
  }
}

void votes_add_overtaken(Scan *scan, Goal *goal, Extent extent, Frame *first, Frame *second) {
  ASSERT(extent <= EXTENT_COUNT);
  ASSERT(first->view && second->view && first->view != second->view);
  FactLists *lists = fact_lists(scan);
  if (extent != EXTENT_INTRA_WARP || !lists->ballots.count) return;
  add_rounds_of(scan, goal, lists, first, second);
  add_rounds_of(scan, goal, lists, second, first);
  Asked asked = asked_of(scan, goal);
  uint32_t count = lists->ballots.count;
  for (uint32_t i = 0; i < count; i++) {
    const Ballot one = lists->ballots.items[i];
    if (!occurs_in(&asked, one.leaf) || (one.frame != first && one.frame != second)) continue;
    const Frame *other = one.frame == first ? second : first;
    for (uint32_t j = 0; j < count; j++) {
      const Ballot two = lists->ballots.items[j];
      if (two.inst == one.inst && two.frame->view == other->view && two.frame != other &&
          occurs_in(&asked, two.leaf))
        add_pair(scan, &asked, &one, &two);
    }
  }
}

const ValueFacts votes_facts = {.note = votes_note};
