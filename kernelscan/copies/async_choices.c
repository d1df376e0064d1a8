// Which ways can a thread take, in one round of a loop and the one before it, at the branches that decide
// about its groups of asynchronous copies (`if (more) { copy; commit; } ... if (!more) wait for all; else
// leave one;`)? And which after those that it went last at such branches elsewhere (`for (i < 2) if (i < n) {
// copy; commit; }`)? Method: the ways taken are kept while control flow is walked (async.c); the solver is
// asked whether the conditions of these ways, of the two rounds, and of the issue of the copy (or of one way
// elsewhere), contradict each other. Soundness: all of them are necessary for the way, and a way elsewhere is
// that of some round; what is not understood, or not asked, is possible.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/copies/copies.h"

enum { BRANCH_LIMIT = 4, ELSEWHERE_LIMIT = 3, WAYS = 3, ASKED_LIMIT = 200 };

typedef struct Asked {
  uint32_t key;
  bool is_possible;
} Asked;

struct Choices {
  Scan *scan;
  uint32_t loop; // CFG_NONE: the branches are in none
  uint32_t copy; // block
  uint32_t branches[BRANCH_LIMIT], count;
  uint32_t elsewhere[ELSEWHERE_LIMIT], elsewhere_count; // in other loops, or in none
  View *view;
  Frame *frames[2]; // of a round, and of the one before
  VEC(Asked) asked;
};

static const IrInst *end_of(const Scan *scan, uint32_t block) {
  return ir_terminator(scan->fn, block);
}

static bool is_in(const Scan *scan, uint32_t loop, uint32_t block) {
  return loop == CFG_NONE || cfg_loop_contains(scan->cfg, loop, block);
}

// ---- the branches
// A commit or a wait in the same loop stands behind one edge of the branch alone.
static bool decides(const Scan *scan, uint32_t branch) {
  const Cfg *cfg = scan->cfg;
  const IrInst *end = end_of(scan, branch);
  uint32_t loop = cfg->loop_of[branch];
  if (cfg->rpo_number[branch] == CFG_NONE || end->op != IR_CONDBR || end->blocks[0] == end->blocks[1])
    return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!ir_inst_is(inst, IR_GROUPS) || !is_in(scan, loop, inst->block) ||
        cfg->rpo_number[inst->block] == CFG_NONE)
      continue;
    for (int way = 0; way < 2; way++) {
      uint32_t to = end->blocks[way];
      if (cfg->pred_first[to + 1] - cfg->pred_first[to] == 1 && cfg_dominates(cfg, to, inst->block))
        return true;
    }
  }
  return false;
}

static bool may_leave(const Scan *scan, uint32_t loop, uint32_t branch) {
  const IrInst *end = end_of(scan, branch);
  return !is_in(scan, loop, end->blocks[0]) || !is_in(scan, loop, end->blocks[1]);
}

static bool find_branches(Choices *choices, uint32_t loop) {
  const Scan *scan = choices->scan;
  choices->loop = loop;
  choices->count = 0;
  for (uint32_t b = 0; b < scan->cfg->block_count && choices->count < BRANCH_LIMIT; b++)
    if (scan->cfg->loop_of[b] == loop && decides(scan, b) && !may_leave(scan, loop, b))
      choices->branches[choices->count++] = b;
  return choices->count > 0;
}

static void find_elsewhere(Choices *choices) {
  const Scan *scan = choices->scan;
  const Cfg *cfg = scan->cfg;
  for (uint32_t b = 0; b < cfg->block_count && choices->elsewhere_count < ELSEWHERE_LIMIT; b++) {
    uint32_t loop = cfg->loop_of[b];
    bool is_around = loop != CFG_NONE && choices->loop != CFG_NONE &&
                     cfg_loop_contains(cfg, loop, cfg->loops.items[choices->loop].header);
    if (loop != choices->loop && !is_around && decides(scan, b))
      choices->elsewhere[choices->elsewhere_count++] = b;
  }
}

// The innermost loop around the copy with such branches, or another one.
static bool find_loop(Choices *choices) {
  const Scan *scan = choices->scan;
  for (uint32_t l = scan->cfg->loop_of[choices->copy]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    if (find_branches(choices, l)) return true;
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    if (find_branches(choices, l)) return true;
  return find_branches(choices, CFG_NONE);
}

Choices *choices_find(Scan *scan, uint32_t copy_block) {
  Choices *choices = arena_new(scan->arena, Choices);
  choices->scan = scan;
  choices->copy = copy_block;
  if (!find_loop(choices)) return NULL;
  find_elsewhere(choices);
  choices->view = view_fresh(scan, NULL);
  Frame *now = frame_make(scan, choices->view, NULL, NULL);
  choices->frames[0] = choices->frames[1] = now;
  if (choices->loop == CFG_NONE) return choices;
  ExprRef before = expr_binary(scan->pool, EXPR_SUB, EXPR_NSW, frame_iteration(now, choices->loop),
                               expr_const(scan->pool, 32, 1));
  choices->frames[1] = frame_of_round(now, choices->loop, before);
  return choices;
}

uint32_t choices_loop(const Choices *choices) {
  return choices->loop;
}

// ---- ways
static uint32_t digit(uint32_t ways, uint32_t branch) {
  while (branch--)
    ways /= WAYS;
  return ways % WAYS;
}

static uint8_t with_digit(uint32_t ways, uint32_t branch, uint32_t way) {
  uint32_t unit = 1, old = digit(ways, branch);
  while (branch--)
    unit *= WAYS;
  return (uint8_t)(ways - old * unit + way * unit);
}

// What is true of a thread that went this way at the branch in the round of the frame.
static void add_way(const Choices *choices, Goal *goal, Frame *frame, uint32_t branch, uint32_t way) {
  Scan *scan = choices->scan;
  if (!way) return;
  ExprRef holds = frame_truth(frame, end_of(scan, branch)->ops[0]);
  if (holds) goal_add(scan, goal, way == 1 ? holds : expr_not(scan->pool, holds), GOAL_CONFLICT, 0);
  goal_add(scan, goal, meeting_block_condition(frame, branch), GOAL_CONFLICT, 0);
}

static void add_ways(const Choices *choices, Goal *goal, Frame *frame, uint32_t ways) {
  for (uint32_t i = 0; i < choices->count; i++)
    add_way(choices, goal, frame, choices->branches[i], digit(ways, i));
}

// `elsewhere`: only the way taken at that branch, in whatever round of its loop that was; else the issue of
// the copy.
static bool ask(const Choices *choices, WaysTaken chosen, IssuedIn issued, uint32_t elsewhere) {
  Scan *scan = choices->scan;
  Goal goal = {0};
  add_ways(choices, &goal, choices->frames[0], chosen.now);
  bool is_here = elsewhere == CFG_NONE;
  if (!is_here)
    add_way(choices, &goal, choices->frames[0], choices->elsewhere[elsewhere],
            digit(chosen.elsewhere, elsewhere));
  if (chosen.before || (is_here && issued == ISSUED_BEFORE)) {
    ExprRef round = frame_iteration(choices->frames[0], choices->loop);
    goal_add(scan, &goal, expr_binary(scan->pool, EXPR_SLE, 0, expr_const(scan->pool, 32, 1), round),
             GOAL_CONFLICT, 0);
    add_ways(choices, &goal, choices->frames[1], chosen.before);
  }
  if (is_here && issued != ISSUED_EARLIER)
    goal_add(scan, &goal, meeting_block_condition(choices->frames[issued == ISSUED_BEFORE], choices->copy),
             GOAL_CONFLICT, 0);
  if (goal.is_false) return false;
  goal_add_view(scan, &goal, choices->view);
  goal_add_launch(scan, &goal);
  return !goal.is_false &&
         goal_satisfiable(scan, &goal, "ways of a thread that copies").verdict != VERDICT_SAFE;
}

static bool is_possible(Choices *choices, WaysTaken chosen, IssuedIn issued) {
  uint32_t key = (chosen.now * CHOSEN_STATES + chosen.before) * ELSEWHERE_STATES + chosen.elsewhere;
  key = key * 3 + (uint32_t)issued;
  for (uint32_t i = 0; i < choices->asked.count; i++)
    if (choices->asked.items[i].key == key) return choices->asked.items[i].is_possible;
  if (choices->asked.count >= ASKED_LIMIT) return true;
  Asked asked = {key, ask(choices, chosen, issued, CFG_NONE)};
  for (uint32_t i = 0; i < choices->elsewhere_count && asked.is_possible; i++)
    if (digit(chosen.elsewhere, i)) asked.is_possible = ask(choices, chosen, issued, i);
  vec_push(choices->scan->arena, &choices->asked, asked);
  return asked.is_possible;
}

static uint32_t way_of(const Choices *choices, uint32_t from, uint32_t to) {
  return end_of(choices->scan, from)->blocks[0] == to ? 1 : 2;
}

// What was done elsewhere counts until a loop around it is gone round.
static void go_elsewhere(const Choices *choices, WaysTaken *taken, uint32_t from, uint32_t to) {
  const Cfg *cfg = choices->scan->cfg;
  for (uint32_t i = 0; i < choices->elsewhere_count; i++) {
    uint32_t branch = choices->elsewhere[i];
    if (branch == from) taken->elsewhere = with_digit(taken->elsewhere, i, way_of(choices, from, to));
    for (uint32_t l = cfg->loop_of[branch]; l != CFG_NONE; l = cfg->loops.items[l].parent)
      if (l != cfg->loop_of[branch] && cfg->loops.items[l].header == to)
        taken->elsewhere = with_digit(taken->elsewhere, i, 0);
  }
}

static bool go_here(Choices *choices, WaysTaken *taken, uint32_t from, uint32_t to, IssuedIn issued) {
  for (uint32_t i = 0; i < choices->count; i++) {
    if (choices->branches[i] != from) continue;
    uint32_t way = way_of(choices, from, to), known = digit(taken->now, i);
    if (known) return known == way;
    taken->now = with_digit(taken->now, i, way);
    return is_possible(choices, *taken, issued);
  }
  return true;
}

bool choices_go(Choices *choices, WaysTaken *taken, uint32_t from, uint32_t to, IssuedIn issued) {
  const Cfg *cfg = choices->scan->cfg;
  uint32_t loop = choices->loop;
  if (!go_here(choices, taken, from, to, issued)) return false;
  go_elsewhere(choices, taken, from, to);
  if (loop == CFG_NONE) return true;
  bool was_inside = cfg_loop_contains(cfg, loop, from);
  if (cfg->loops.items[loop].header == to) {
    taken->before = was_inside ? taken->now : 0;
    taken->now = 0;
  }
  if (!cfg_loop_contains(cfg, loop, to)) taken->now = taken->before = 0;
  return true;
}
