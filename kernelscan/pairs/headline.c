// For which of the distances at which a pair races is it told, so that a reader finds the mistake? What was
// shown comes before what needs contents of memory, or effects of calls, that nothing shows. Of those that
// are as sure, the widest: what mends it mends the narrower ones as well. But a race between blocks that
// needs larger contents than the race within a block is far-fetched (an index that leaves the part of memory
// that a block works on): that is asked of the solver, with all contents limited to what the narrower model
// needs. Soundness: only the order of telling is decided here; all distances are told, in notes of the first.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"

#include <stdlib.h>

static bool races_in(const PairState *state, int extent, bool is_same_value) {
  return state->states[extent] == EXTENT_RACE && state->races[extent].is_same_value == is_same_value;
}

int headline_widest(const PairState *state, bool is_same_value) {
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (races_in(state, e, is_same_value)) return e;
  return -1;
}

static int64_t largest_content(const Witness *witness) {
  int64_t most = 0;
  for (uint32_t i = 0; i < witness->memory.count; i++) {
    int64_t value = witness->memory.items[i].value, size = value == INT64_MIN ? INT64_MAX : llabs(value);
    if (size > most) most = size;
  }
  return most;
}

static bool is_content(const ExprPool *pool, ExprRef ref) {
  const ExprNode *node = expr_node(pool, ref);
  if (node->width < 8 || node->width > 64) return false;
  if (node->op == EXPR_SYM) return expr_sym_info(pool, (uint32_t)node->value)->kind == SYM_MEMORY;
  if (node->op != EXPR_APP) return false;
  const ExprFunc *func = expr_func_info(pool, (uint32_t)node->value);
  return func->kind == SYM_MEMORY && !func->is_float;
}

// Has the goal no answer in which all contents of memory are from 0 to `most`?
static bool needs_more(Scan *scan, const RaceFacts *race, int64_t most) {
  Goal goal = goal_copy(scan, &race->goal);
  const ExprSet *occurs = goal_occurrences(scan, &race->goal);
  ExprPool *pool = scan->pool;
  uint32_t known = goal.conditions.count;
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;) {
    if (!is_content(pool, ref)) continue;
    uint8_t width = expr_width(pool, ref);
    int64_t top = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
    ExprRef limit = expr_const(pool, width, most < top ? most : top);
    goal_add(scan, &goal, expr_binary(pool, EXPR_ULE, 0, ref, limit), GOAL_CONTEXT, 0);
  }
  if (goal.is_false) return true;
  if (goal.conditions.count == known) return false;
  Verdict verdict =
      goal_decide(scan, &goal, "a race between blocks with the contents of one in a block").verdict;
  return verdict == VERDICT_SAFE || verdict == VERDICT_DEAD;
}

// The race of two blocks, next to the one within a block.
static bool is_far_fetched(Scan *scan, const RaceFacts *wide, const RaceFacts *narrow) {
  if (!extent_is_between_blocks(wide->extent) || extent_is_between_blocks(narrow->extent)) return false;
  if (wide->replay != REPLAY_NEEDS_MEMORY || narrow->replay != REPLAY_NEEDS_MEMORY) return false;
  int64_t most = largest_content(&narrow->witness);
  return largest_content(&wide->witness) > most && needs_more(scan, wide, most);
}

static bool is_better(Scan *scan, const RaceFacts *narrow, const RaceFacts *headline) {
  if (race_is_sure(narrow) != race_is_sure(headline)) return race_is_sure(narrow);
  return is_far_fetched(scan, headline, narrow);
}

const RaceFacts *headline_of(Scan *scan, PairState *state, bool is_same_value) {
  RaceFacts *headline = NULL;
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (races_in(state, e, is_same_value) && (!headline || is_better(scan, &state->races[e], headline)))
      headline = &state->races[e];
  for (int e = 0; headline && e < EXTENT_COUNT; e++)
    if (races_in(state, e, is_same_value) && &state->races[e] != headline)
      headline->also[e] = &state->races[e];
  return headline;
}
