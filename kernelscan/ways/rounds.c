// What held in the rounds of a loop before the one in hand? A thread in iteration x > 0 has gone round in
// iteration x - 1: it took the edges on every way from the header to the back edge. So a loop that ends at
// `i >= n` ends at the first such i, and a value that lags behind (`last = i`) is in range. Method: the
// conditions of the dominator chain from the header to the back edges, read in a frame one iteration earlier.
// Rounds in which a thread went by the barriers of a loop, since the point, also took the ways by them; that
// is said of the first few and of the last: a barrier in every second round ends the stretch after two.
// Soundness: necessary conditions only, bound to the frame that they were read in; given to the solver as
// facts that it may use.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"

enum { FIRST_ROUNDS = 3 };

// The block that all back edges come through.
static uint32_t common_latch(const Scan *scan, uint32_t loop) {
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[loop].header, latch = CFG_NONE;
  for (uint32_t p = cfg->pred_first[header]; p < cfg->pred_first[header + 1]; p++) {
    uint32_t from = cfg->preds[p];
    if (cfg->rpo_number[from] == CFG_NONE || !cfg_loop_contains(cfg, loop, from)) continue;
    if (latch == CFG_NONE) latch = from;
    while (!cfg_dominates(cfg, latch, from))
      latch = cfg->idom[latch];
  }
  return latch;
}

// Conditions under which the loop is gone round in the iteration of this frame.
static ExprRef round_condition(Frame *at, uint32_t loop) {
  Scan *scan = at->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[loop].header, latch = common_latch(scan, loop);
  if (latch == CFG_NONE) return expr_bool(scan->pool, true);
  ExprRef condition = frame_chain_condition(at, header, latch);
  ExprRef edge = frame_edge_condition(at, latch, header); // true where the latch is not the end of the round
  bool is_edge = false;
  for (uint32_t s = cfg->succ_first[latch]; s < cfg->succ_first[latch + 1]; s++)
    is_edge |= cfg->succs[s] == header;
  return edge && is_edge ? expr_and(scan->pool, condition, edge) : condition;
}

// The number of the first round since the point.
static ExprRef first_since(Frame *frame, uint32_t loop) {
  ExprPool *pool = frame->scan->pool;
  if (!frame_is_gone_round(frame, loop)) return expr_const(pool, 32, 0);
  ExprRef before = expr_binary(pool, EXPR_SUB, EXPR_NSW, frame->iteration[loop], frame->rounds_since);
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, before, expr_const(pool, 32, 1));
}

// The first rounds without a point: a barrier that stands in every second or third of them ends the stretch.
static ExprRef first_rounds(Frame *frame, uint32_t loop, ExprRef iteration) {
  ExprPool *pool = frame->scan->pool;
  ExprRef all = expr_bool(pool, true), first = first_since(frame, loop);
  for (int64_t j = 0; j < FIRST_ROUNDS; j++) {
    ExprRef round = expr_binary(pool, EXPR_ADD, EXPR_NSW, first, expr_const(pool, 32, j));
    ExprRef is_later = expr_binary(pool, EXPR_SLE, 0, iteration, round);
    ExprRef held = meeting_round_condition(frame_of_round(frame, loop, round), loop);
    all = expr_and(pool, all, expr_or(pool, is_later, held));
  }
  return all;
}

ExprRef rounds_overtaken(Frame *frame, uint32_t loop, ExprRef round) {
  ASSERT(scan_has_loop(frame->scan, loop));
  ASSERT(frame->iteration[loop]);
  ExprPool *pool = frame->scan->pool;
  Frame *then = frame_of_round(frame, loop, round);
  ExprRef held = round_condition(then, loop);
  if (frame_goes_by_points(frame, loop)) {
    ExprRef is_earlier = expr_binary(pool, EXPR_SLT, 0, round, first_since(frame, loop));
    held = expr_and(pool, held, expr_or(pool, is_earlier, meeting_round_condition(then, loop)));
  }
  return expr_or(pool, expr_binary(pool, EXPR_SLE, 0, frame->iteration[loop], round), held);
}

// ---- steps of one

typedef struct Search {
  uint32_t sym;
  bool found;
} Search;

static void compare_sym(void *context, uint32_t sym) {
  Search *search = context;
  search->found |= sym == search->sym;
}

static bool mentions(const ExprPool *pool, ExprRef ref, ExprRef symbol) {
  Search search = {(uint32_t)expr_node(pool, symbol)->value, false};
  expr_each_sym(pool, ref, compare_sym, &search);
  return search.found;
}

// The factor of the symbol in a sum that has it once, at most as -symbol or +symbol, and cannot wrap.
static bool unit_factor(const ExprPool *pool, ExprRef ref, ExprRef symbol, int64_t sign, int64_t *factor) {
  ExprNode node = *expr_node(pool, ref);
  bool is_exact = (node.flags & (EXPR_NSW | EXPR_ADDRESS)) != 0;
  if (ref == symbol) {
    *factor += sign;
    return true;
  }
  if (node.op == EXPR_CONST || !mentions(pool, ref, symbol)) return true;
  if (node.op == EXPR_SEXT) return unit_factor(pool, node.a, symbol, sign, factor);
  if ((node.op != EXPR_ADD && node.op != EXPR_SUB) || !is_exact) return false;
  return unit_factor(pool, node.a, symbol, sign, factor) &&
         unit_factor(pool, node.b, symbol, node.op == EXPR_SUB ? -sign : sign, factor);
}

// What counts the rounds: the iteration, or what it is one more than. first: its value where the round before
// was the first one.
typedef struct Counter {
  ExprRef symbol;
  int64_t first;
} Counter;

static bool find_counter(const ExprPool *pool, ExprRef iteration, Counter *counter) {
  const ExprNode *node = expr_node(pool, iteration);
  int64_t more = 0;
  *counter = (Counter){iteration, 1};
  if (node->op == EXPR_SYM) return true;
  if (node->op != EXPR_ADD || !expr_is_const(pool, node->b, &more) || more != 1) return false;
  *counter = (Counter){node->a, 0};
  return expr_node(pool, node->a)->op == EXPR_SYM;
}

static ExprRef in_first(Scan *scan, ExprRef ref, const Counter *counter) {
  ExprRef first = expr_const(scan->pool, expr_width(scan->pool, counter->symbol), counter->first);
  return expr_replace(scan->pool, ref, &counter->symbol, &first, 1);
}

// `held` held in the round before the iteration, and in all before that. What went by steps of one and never
// met a bound has not gone past it: it began behind it, or is still before it.
static ExprRef never_met(Scan *scan, ExprRef held, const Counter *counter) {
  ExprPool *pool = scan->pool;
  ExprRef iteration = counter->symbol;
  ExprNode node = *expr_node(pool, held);
  if (!mentions(pool, held, iteration)) return held;
  if (node.op == EXPR_AND && node.width == 1)
    return expr_and(pool, never_met(scan, node.a, counter), never_met(scan, node.b, counter));
  if (node.op == EXPR_OR && node.width == 1) {
    bool a = mentions(pool, node.a, iteration), b = mentions(pool, node.b, iteration);
    if (a && b) return held;
    return expr_or(pool, a ? never_met(scan, node.a, counter) : node.a,
                   b ? never_met(scan, node.b, counter) : node.b);
  }
  ExprNode equal = node.op == EXPR_NOT ? *expr_node(pool, node.a) : node;
  int64_t factor = 0;
  if (node.op != EXPR_NOT || equal.op != EXPR_EQ || !unit_factor(pool, equal.a, iteration, 1, &factor) ||
      !unit_factor(pool, equal.b, iteration, -1, &factor) || (factor != 1 && factor != -1))
    return held;
  ExprRef rising = factor > 0 ? equal.a : equal.b, bound = factor > 0 ? equal.b : equal.a;
  ExprRef first = in_first(scan, rising, counter), last = in_first(scan, bound, counter);
  return expr_or(pool, expr_binary(pool, EXPR_SLT, 0, last, first),
                 expr_binary(pool, EXPR_SLT, 0, rising, bound));
}

// Only if nothing but the number of the iteration tells one round from another.
static ExprRef held_in_all(Frame *frame, uint32_t loop, ExprRef held) {
  Scan *scan = frame->scan;
  Counter counter;
  if (!find_counter(scan->pool, frame->iteration[loop], &counter)) return held;
  ExprRef first = round_condition(frame_of_round(frame, loop, expr_const(scan->pool, 32, 0)), loop);
  return first == in_first(scan, held, &counter) ? never_met(scan, held, &counter) : held;
}

static ExprRef progress_of(Frame *frame, uint32_t loop) {
  if (frame->progress[loop]) return frame->progress[loop];
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  ExprRef iteration = frame->iteration[loop];
  frame->progress[loop] = expr_bool(pool, true);
  if (expr_is_const(pool, iteration, NULL)) return frame->progress[loop];
  ExprRef earlier = expr_binary(pool, EXPR_SUB, EXPR_NSW, iteration, expr_const(pool, 32, 1));
  Frame *before = frame_of_round(frame, loop, earlier);
  bool passes_by = frame_goes_by_points(frame, loop);
  ExprRef held = held_in_all(frame, loop, round_condition(before, loop));
  if (passes_by) held = expr_and(pool, held, meeting_round_condition(before, loop));
  // The round before is the one with the point if the loop was gone round once.
  ExprRef is_first = frame_is_gone_round(frame, loop)
                         ? expr_eq(pool, frame->rounds_since, expr_const(pool, 32, 1))
                         : expr_eq(pool, iteration, expr_const(pool, 32, 0));
  ExprRef progress = expr_or(pool, is_first, held);
  if (passes_by) progress = expr_and(pool, progress, first_rounds(frame, loop, iteration));
  return frame->progress[loop] = progress;
}

void rounds_add(Scan *scan, Goal *goal, Frame *frame) {
  ASSERT(frame->view);
  uint32_t loops = scan->cfg->loops.count;
  if (!loops) return;
  uint8_t *added = arena_array(scan->arena, loops, uint8_t);
  for (bool changed = true; changed;) {
    changed = false;
    const ExprSet *occurs = goal_occurrences(scan, goal);
    for (uint32_t l = 0; l < loops; l++) {
      ExprRef iteration = frame->iteration[l];
      if (added[l] || !iteration || !expr_set_has(occurs, iteration)) continue;
      added[l] = 1;
      uint32_t count = goal->conditions.count;
      goal_add(scan, goal, progress_of(frame, l), GOAL_FACT, TAG_BOUNDS);
      changed |= goal->conditions.count > count;
    }
  }
}
