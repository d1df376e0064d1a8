// What do the lanes know that happened to run together? __activemask() and __match_any_sync() give every lane
// of a group one mask, which names just the lanes of that group, and these came by together. One lane of the
// group, the lowest, the highest, or that of a rank that all of them compute alike, draws room for all from a
// counter and hands the start round with a shuffle of that mask: ranges of two groups do not overlap, and
// within one group the start and the mask are the same (warp-aggregated atomics; Adinetz, "CUDA Pro Tip",
// 2014). Which lanes make up a group is not known, so nothing is said of that. Method: a shuffle whose mask
// is such a value, and whose source lane is found from it, hands on the one addition that its source makes
// (asked of the solver); the amount is the number of bits of the mask, or a constant. The draw carries the
// mask: draw_ranges.c says that two threads either have equal starts and equal masks or ranges that do not
// overlap, votes.c that lanes with equal masks have different ranks. A ballot of the whole warp is such a
// mask for the lanes that voted yes. The lanes of a tile smaller than a warp are such a group as well, whose
// mask is computed: there any lane of a known rank may draw, any amount that all of the tile know, or that
// hangs on nothing but the number of the thread that draws, such as the last lane's sum of a scan. The
// counter is one for the block, or one for each label of __match_any_sync: lanes of one label then have one
// address, which is asked as well.
// Soundness: mask, addition and shuffle are of one iteration of the same loops, and all that got the mask
// come to the shuffle, so that all lanes of a group speak of one addition.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/proofs.h"
#include "kernelscan/ways.h"

enum { PART_DEPTH = 8, AMOUNT_DEPTH = 4, SOURCE_DEPTH = 4 };

bool groups_is_mask(const IrInst *inst) {
  return inst->op == IR_VOTE && inst->name &&
         (strcmp(inst->name, "activemask") == 0 || strcmp(inst->name, "match_any") == 0);
}

static bool is_function(const ExprPool *pool, ExprRef ref, const char *name, ExprRef mask, uint32_t args) {
  const ExprNode *node = expr_node(pool, ref);
  return node->op == EXPR_APP && node->arg_count == args && node->args[0] == mask &&
         strcmp(expr_func_info(pool, (uint32_t)node->value)->name, name) == 0;
}

typedef enum End { END_NONE, END_LOWEST, END_HIGHEST, END_RANKED } End;

// Which lane of the mask: its rank, for all but the lowest and those that are not known.
typedef struct Source {
  End end;
  ExprRef rank;
} Source;

// Is the lane the lowest of the mask, or the highest?
static End end_of_mask(const ExprPool *pool, ExprRef lane, ExprRef mask) {
  const ExprNode *node = expr_node(pool, lane);
  int64_t first = -1, second = -1;
  if (is_function(pool, lane, "__fns", mask, 3) && expr_is_const(pool, node->args[1], &first) &&
      expr_is_const(pool, node->args[2], &second))
    return first == 0 && second == 1 ? END_LOWEST : END_NONE;
  if (node->op == EXPR_ADD && expr_is_const(pool, node->b, &second) && second == -1 &&
      is_function(pool, node->a, "__ffs", mask, 1))
    return END_LOWEST;
  if (node->op != EXPR_SUB) return END_NONE;
  if (expr_is_const(pool, node->b, &second) && second == 1 && is_function(pool, node->a, "__ffs", mask, 1))
    return END_LOWEST;
  if (expr_is_const(pool, node->a, &first) && first == 31 && is_function(pool, node->b, "__clz", mask, 1))
    return END_HIGHEST;
  return END_NONE;
}

static IrRef mask_in(const Scan *scan, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  IrRef found = IR_REF_NONE;
  if (inst && groups_is_mask(inst)) return ref;
  for (uint32_t i = 0; inst && depth > 0 && !found && i < inst->op_count; i++)
    found = mask_in(scan, inst->ops[i], depth - 1);
  return found;
}

// The mask of the group that a shuffle hands on in: its own, or, where all lanes of the warp come to it together, the one that each finds the
// lane by that hands on to it.
static IrRef mask_of(Scan *scan, uint32_t shuffle) {
  const IrInst *inst = &scan->fn->insts.items[shuffle];
  IrRef found = votes_is_broadcast(scan, inst) && together_meets_all(scan, shuffle)
                    ? mask_in(scan, inst->ops[2], SOURCE_DEPTH)
                    : IR_REF_NONE;
  return found ? found : inst->ops[0];
}

// In the same round of the same loops, so that a lane's values belong together.
static bool is_of_one_round(const Scan *scan, uint32_t one, uint32_t two) {
  const IrInst *insts = scan->fn->insts.items;
  return scan->cfg->loop_of[insts[one].block] == scan->cfg->loop_of[insts[two].block];
}

// Is the vote's answer yes only for lanes for which the condition holds?
static bool yes_implies(Frame *frame, const IrInst *ballot, ExprRef condition) {
  Scan *scan = frame->scan;
  ExprRef yes = frame_truth(frame, ballot->ops[1]);
  if (!yes) return false;
  Goal goal = {0};
  goal_add(scan, &goal, yes, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, condition), GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  return goal.is_false ||
         goal_satisfiable(scan, &goal, "a lane that voted yes does not come by").verdict == VERDICT_SAFE;
}

static Frame *frame_of_lane(Scan *scan, ExprOwner owner, ExprRef *block_idx) {
  Frame *frame = frame_make(scan, view_make(scan, EXTENT_INTRA_WARP, owner, block_idx), NULL, NULL);
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    frame->iteration[l] = iteration_new(scan, l, "a round of the lane", owner, 0);
  return frame;
}

// Do lanes that named the same label take the same way from there, whatever rounds they are in?
static bool label_decides(Scan *scan, const IrInst *match, uint32_t to) {
  if (strcmp(match->name, "match_any") != 0) return false;
  ExprRef block_idx[3] = {0}, ways[2];
  SymValue labels[2];
  Frame *frames[2] = {frame_of_lane(scan, OWNER_THREAD1, block_idx),
                      frame_of_lane(scan, OWNER_THREAD2, block_idx)};
  for (int t = 0; t < 2; t++) {
    labels[t] = frame_value(frames[t], match->ops[1]);
    ways[t] = frame_exact_condition(frames[t], match->block, to);
    if (labels[t].kind != SYM_WORD || !ways[t]) return false;
  }
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(scan->pool, labels[0].word, labels[1].word), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, ways[0], GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, ways[1]), GOAL_CONFLICT, 0);
  for (int t = 0; t < 2; t++)
    goal_add_view(scan, &goal, frames[t]->view);
  goal_add_extent(scan, &goal, EXTENT_INTRA_WARP, frames[0]->view, frames[1]->view);
  goal_add_launch(scan, &goal);
  return goal.is_false ||
         goal_satisfiable(scan, &goal, "lanes of one label on two ways").verdict == VERDICT_SAFE;
}

bool groups_label_decides_word(Scan *scan, uint32_t shuffle, IrRef address) {
  ASSERT(scan_has_inst(scan, shuffle));
  ASSERT(scan_has_ref(scan, address));
  const IrInst *match = ir_inst(scan->fn, mask_of(scan, shuffle));
  if (!match || !groups_is_mask(match) || strcmp(match->name, "match_any") != 0) return false;
  ExprRef block_idx[3] = {0};
  SymValue labels[2], values[2];
  Frame *frames[2] = {frame_of_lane(scan, OWNER_THREAD1, block_idx),
                      frame_of_lane(scan, OWNER_THREAD2, block_idx)};
  for (int t = 0; t < 2; t++) {
    labels[t] = frame_value(frames[t], match->ops[1]);
    values[t] = frame_value(frames[t], address);
    if (labels[t].kind != SYM_WORD || values[t].kind != SYM_POINTER || values[t].target_count != 1)
      return false;
  }
  const Target *one = &values[0].targets[0], *two = &values[1].targets[0];
  if (one->condition || two->condition || one->object != two->object || one->key != two->key) return false;
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(scan->pool, labels[0].word, labels[1].word), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, expr_eq(scan->pool, one->offset, two->offset)), GOAL_CONFLICT,
           0);
  for (int t = 0; t < 2; t++)
    goal_add_view(scan, &goal, frames[t]->view);
  goal_add_extent(scan, &goal, EXTENT_INTRA_WARP, frames[0]->view, frames[1]->view);
  goal_add_launch(scan, &goal);
  return goal.is_false ||
         goal_satisfiable(scan, &goal, "lanes of one label draw from two counters").verdict == VERDICT_SAFE;
}

// Do all lanes that are in the mask come to the shuffle?
static bool come_all(Frame *frame, uint32_t mask, uint32_t shuffle) {
  const IrInst *insts = frame->scan->fn->insts.items;
  if (insts[mask].block == insts[shuffle].block) return true;
  if (!cfg_dominates(frame->scan->cfg, insts[mask].block, insts[shuffle].block)) return false;
  ExprRef condition = frame_exact_condition(frame, insts[mask].block, insts[shuffle].block);
  if (!condition) return false;
  if (expr_is_true(frame->scan->pool, condition)) return true;
  return votes_is_ballot(frame->scan, &insts[mask])
             ? yes_implies(frame, &insts[mask], condition)
             : label_decides(frame->scan, &insts[mask], insts[shuffle].block);
}

// Have all lanes that the mask names got it at this place of the text? A vote joins whoever comes to one of its kind, but for one that those
// alone make who came by together.
static bool is_of_group_alone(Frame *frame, uint32_t mask) {
  const IrInst *inst = &frame->scan->fn->insts.items[mask];
  if (together_is_open(frame->scan)) return false;
  if (strcmp(inst->name, "activemask") == 0) return true;
  const IrInst *outer = inst->op_count > 0 ? ir_inst(frame->scan->fn, inst->ops[0]) : NULL;
  uint32_t outer_index = outer ? ir_ref_index(inst->ops[0]) : CFG_NONE;
  if (outer && groups_is_mask(outer) && is_of_group_alone(frame, outer_index) &&
      come_all(frame, outer_index, mask))
    return true;
  return together_meets_all(frame->scan, mask);
}

// Is the shuffle the next one with that mask that its lanes come to? No other one stands between, but for those that all of them make.
static bool is_next_after(const Scan *scan, uint32_t mask, uint32_t shuffle) {
  const Cfg *cfg = scan->cfg;
  const IrInst *insts = scan->fn->insts.items;
  uint32_t loop = cfg->loop_of[insts[shuffle].block];
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (i == shuffle || !uniform_may_meet(scan, &insts[i], &insts[shuffle])) continue;
    bool is_between = loop == CFG_NONE ? graph_reaches(scan, mask, i) && graph_reaches(scan, i, shuffle)
                                       : graph_reaches_in_round(scan, loop, mask, i) &&
                                             graph_reaches_in_round(scan, loop, i, shuffle);
    bool is_by_all = graph_dominates(scan, mask, i) && graph_dominates(scan, i, shuffle) &&
                     cfg->loop_of[insts[i].block] == loop;
    if (is_between && !is_by_all) return false;
  }
  return true;
}

// Is the value one for all lanes of the mask's group, in one round? Lanes may come by together in different
// rounds, so what is the same for the block counts outside of loops only.
static bool is_one_in_group(Frame *frame, IrRef mask, IrRef ref, int depth) {
  const Scan *scan = frame->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (ref == mask) return true;
  if (!inst) return uniform_ref(scan, ref);
  if (depth == 0 || !is_of_one_round(scan, ir_ref_index(ref), ir_ref_index(mask))) return false;
  if (uniform_ref(scan, ref) && scan->cfg->loop_of[inst->block] == CFG_NONE) return true;
  if (votes_is_from_lane(inst))
    return inst->ops[0] == mask && come_all(frame, ir_ref_index(mask), ir_ref_index(ref)) &&
           is_next_after(scan, ir_ref_index(mask), ir_ref_index(ref)) &&
           is_one_in_group(frame, mask, inst->ops[2], depth - 1);
  if (!symeval_is_symbolic((IrOp)inst->op)) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_one_in_group(frame, mask, inst->ops[i], depth - 1)) return false;
  return true;
}

// The source lane of the shuffle: `__fns(mask, 0, rank + 1)` is the lane of that rank.
static Source source_of(Frame *frame, const IrInst *shuffle, IrRef mask, ExprRef source) {
  const Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *inst = ir_inst(scan->fn, shuffle->ops[2]);
  ExprRef members = frame_word(frame, mask, 32);
  int64_t first = -1;
  Source found = {.end = end_of_mask(pool, source, members)};
  if (found.end != END_NONE || !is_function(pool, source, "__fns", members, 3)) return found;
  const ExprNode *node = expr_node(pool, source);
  if (!expr_is_const(pool, node->args[1], &first) || first || expr_width(pool, node->args[2]) != 32 ||
      !inst || !is_one_in_group(frame, mask, shuffle->ops[2], PART_DEPTH))
    return found;
  found.rank = expr_binary(pool, EXPR_SUB, 0, node->args[2], expr_const(pool, 32, 1));
  found.end = END_RANKED;
  return found;
}

bool groups_lane_adds(Frame *frame, const IrInst *shuffle, uint32_t addition, GroupLane lane) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  uint32_t block = scan->fn->insts.items[addition].block, from = scan->cfg->idom[block];
  if (block == shuffle->block)
    return false; // then every lane adds, and the source lane as well: not the idiom
  if (from == CFG_NONE || scan->cfg->idom[shuffle->block] == CFG_NONE) return false;
  while (!cfg_dominates(scan->cfg, from, shuffle->block)) // all come there, the lane that adds and the others
    from = scan->cfg->idom[from];
  ExprRef adds = frame_exact_condition(frame, from, block);
  if (!adds) return false;
  Goal goal = {0};
  goal_add(scan, &goal, expr_eq(pool, frame->view->lane, lane.number), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(pool, adds), GOAL_CONFLICT, 0);
  if (lane.rank) votes_add_rank(scan, &goal, frame, lane.mask, lane.rank);
  goal_add_view(scan, &goal, frame->view);
  votes_add(scan, &goal, EXTENT_INTRA_WARP, frame, frame); // of one lane, whatever it is asked with
  goal_add_launch(scan, &goal);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "the lane that hands on does not add");
  return proofs_is_refuted(scan, &answer);
}

// The width of the parts of a warp, each of which shares out what one of its lanes has: tiles smaller than a
// warp. 0: it is no such shuffle.
static int64_t part_width(const Scan *scan, const IrInst *inst) {
  int64_t width = 0;
  bool is_known = votes_is_from_lane(inst) && ir_const_value(scan->fn, inst->ops[3], &width);
  return is_known && width >= 2 && width < 32 && (width & (width - 1)) == 0 ? width : 0;
}

// Is the value the same for all lanes of a part, in one round?
static bool is_one_in_part(const Scan *scan, IrRef ref, int64_t width, uint32_t addition, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst) return uniform_ref(scan, ref);
  if (!is_of_one_round(scan, ir_ref_index(ref), addition)) return false;
  if (uniform_ref(scan, ref)) return true;
  if (depth == 0) return false;
  if (part_width(scan, inst) == width) return uniform_ref(scan, inst->ops[2]);
  if (!symeval_is_symbolic((IrOp)inst->op) || inst->op == IR_PHI) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_one_in_part(scan, inst->ops[i], width, addition, depth - 1)) return false;
  return true;
}

// Does the mask name all lanes of the lane's own part, and so come by with all of them?
static bool names_part(Frame *frame, const IrInst *shuffle, ExprRef first, int64_t width) {
  ExprPool *pool = frame->scan->pool;
  ExprRef mask = frame_word(frame, shuffle->ops[0], 32);
  if (!mask) return false;
  ExprRef part = expr_binary(pool, EXPR_SHL, 0, expr_const(pool, 32, ((int64_t)1 << width) - 1), first);
  Goal goal = {0};
  goal_add(frame->scan, &goal,
           expr_not(pool, expr_eq(pool, expr_binary(pool, EXPR_AND, 0, mask, part), part)), GOAL_CONFLICT, 0);
  goal_add_view(frame->scan, &goal, frame->view);
  goal_add_launch(frame->scan, &goal);
  return goal.is_false ||
         goal_satisfiable(frame->scan, &goal, "a mask leaves out a lane of the tile").verdict == VERDICT_SAFE;
}

// ---- an amount that only the lane that draws knows
typedef struct Seen {
  const Frame *frame;
  bool holds;
} Seen;

// What hangs on nothing but the block and the thread's number is known of any other thread as well.
static void visit_number(void *context, uint32_t sym) {
  Seen *seen = context;
  const View *view = seen->frame->view;
  ExprRef ref = expr_sym(seen->frame->scan->pool, sym);
  bool is_index = ref == view->thread_idx[0] || ref == view->block_idx[0] || ref == view->block_idx[1] ||
                  ref == view->block_idx[2];
  const ExprSym *info = expr_sym_info(seen->frame->scan->pool, sym);
  seen->holds &= is_index || (info->owner == OWNER_UNIFORM && info->kind != SYM_ITERATION);
}

// In place of the thread's own number, that of another lane. 0: it hangs on more than that.
static ExprRef of_other_lane(Frame *frame, ExprRef value, ExprRef lane_number) {
  Scan *scan = frame->scan;
  Seen seen = {frame, true};
  ExprRef own = frame->view->thread_idx[0];
  expr_each_sym(scan->pool, value, visit_number, &seen);
  if (!seen.holds || expr_node(scan->pool, own)->op != EXPR_SYM) return 0;
  return expr_replace(scan->pool, value, &own, &lane_number, 1);
}

// Does it hang on sums of prefixes alone, and not on what the thread adds to them?
static bool is_of_sums(const Scan *scan, ExprRef amount) {
  FactLists *lists = fact_lists(scan);
  const ExprNode *node = expr_node(scan->pool, amount);
  if (node->op == EXPR_APP) {
    for (uint32_t s = 0; s < lists->sums.count; s++)
      if (lists->sums.items[s]->func == (uint32_t)node->value) return true;
    return false;
  }
  if (node->op == EXPR_CONST) return true;
  bool is_linear = node->op == EXPR_ADD || node->op == EXPR_SUB || node->op == EXPR_MUL ||
                   node->op == EXPR_SEXT || node->op == EXPR_ZEXT || node->op == EXPR_TRUNC;
  return is_linear && is_of_sums(scan, node->a) && (!node->b || is_of_sums(scan, node->b));
}

ExprRef groups_amount_of_lane(Frame *frame, uint32_t addition, int64_t width, int64_t lane) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, addition));
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[addition];
  int64_t size = 0;
  for (int axis = 1; axis < 3; axis++)
    if (!expr_is_const(pool, scan->launch->block[axis], &size) || size != 1) return 0;
  ExprRef amount = inst->rmw == IR_RMW_ADD ? frame_word(frame, inst->ops[1], symeval_width(inst->type)) : 0;
  if (!amount) return 0;
  ExprRef wide = expr_const(pool, 32, width), own = frame->view->thread_idx[0];
  ExprRef first = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_binary(pool, EXPR_UDIV, 0, own, wide), wide);
  ExprRef number = expr_binary(pool, EXPR_ADD, EXPR_NSW, first, expr_const(pool, 32, lane));
  ExprRef found = of_other_lane(frame, amount, number);
  if (!found || is_of_sums(scan, amount)) return found;
  ExprSet below = expr_set_make(scan->arena, pool);
  expr_set_add_below(&below, pool, amount);
  for (uint32_t i = 0, count = scan->invariants.count; i < count; i++) {
    Invariant told = scan->invariants.items[i]; // of what the lane that draws reads
    if (!told.leaf || !expr_set_has(&below, told.leaf)) continue;
    ExprRef leaf = of_other_lane(frame, told.leaf, number),
            holds = of_other_lane(frame, told.condition, number);
    if (leaf && holds)
      vec_push(scan->arena, &scan->invariants, ((Invariant){.leaf = leaf, .condition = holds}));
  }
  return found;
}

// One lane of each tile draws for it.
static bool note_part(Frame *frame, uint32_t index, uint32_t addition, ExprRef leaf, DrawRange *draw) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *shuffle = &scan->fn->insts.items[index];
  int64_t width = part_width(scan, shuffle), lane = 0;
  if (!width || !ir_const_value(scan->fn, shuffle->ops[2], &lane) || lane < 0 || lane >= width ||
      !is_of_one_round(scan, addition, index))
    return false;
  ExprRef amount = 0;
  if (!is_one_in_part(scan, scan->fn->insts.items[addition].ops[1], width, addition, PART_DEPTH)) {
    amount = groups_amount_of_lane(frame, addition, width, lane);
    if (!amount) return false;
  }
  ExprRef first = expr_binary(pool, EXPR_AND, 0, frame->view->lane, expr_const(pool, 32, 32 - width));
  if (!names_part(frame, shuffle, first, width)) return false;
  ExprRef source = expr_binary(pool, EXPR_ADD, 0, first, expr_const(pool, 32, lane));
  ExprRef comes = together_meets_all(scan, index) ? shuffles_source_comes(frame, index, source) : 0;
  if (!comes || !groups_lane_adds(frame, shuffle, addition, (GroupLane){.number = source})) return false;
  *draw = (DrawRange){.leaf = leaf,
                      .only_if = comes,
                      .owner = frame->view->owner,
                      .extent = frame->view->extent,
                      .frame = frame,
                      .source = addition,
                      .handed = index,
                      .amount = amount,
                      .mask = first};
  return true;
}

// Does the number hang on how many lanes the mask names, and on nothing else?
static bool follows_from(const ExprPool *pool, ExprRef amount, ExprRef members, int depth) {
  if (expr_is_const(pool, amount, NULL) || is_function(pool, amount, "__popc", members, 1)) return true;
  const ExprNode *node = expr_node(pool, amount);
  bool is_product = node->op == EXPR_MUL || node->op == EXPR_SHL || node->op == EXPR_ADD;
  return is_product && depth > 0 && follows_from(pool, node->a, members, depth - 1) &&
         follows_from(pool, node->b, members, depth - 1);
}

bool groups_counts_lanes(Scan *scan, uint32_t addition, uint32_t *vote) {
  ASSERT(scan_has_inst(scan, addition));
  const IrInst *insts = scan->fn->insts.items, *add = &insts[addition];
  const IrInst *count = ir_inst(scan->fn, add->ops[1]);
  const IrInst *mask = count && count->op == IR_PURE && count->name && count->op_count == 1 &&
                               strcmp(count->name, "__popc") == 0
                           ? ir_inst(scan->fn, count->ops[0])
                           : NULL;
  if (!mask || add->rmw != IR_RMW_ADD || (!groups_is_mask(mask) && !votes_is_ballot(scan, mask)))
    return false;
  *vote = ir_ref_index(count->ops[0]);
  if (!is_of_one_round(scan, *vote, addition) || !cfg_dominates(scan->cfg, mask->block, add->block))
    return false;
  ExprRef block_idx[3] = {0}, members[2];
  Frame *frames[2] = {frame_of_lane(scan, OWNER_THREAD1, block_idx),
                      frame_of_lane(scan, OWNER_THREAD2, block_idx)};
  if (!is_of_group_alone(frames[0], *vote)) return false;
  Goal goal = {0};
  for (int t = 0; t < 2; t++) {
    members[t] = frame_word(frames[t], count->ops[0], 32);
    ExprRef adds = members[t] ? frame_exact_condition(frames[t], mask->block, add->block) : 0;
    if (!adds) return false;
    goal_add(scan, &goal, adds, GOAL_CONFLICT, 0);
    goal_add_view(scan, &goal, frames[t]->view);
  }
  goal_add(scan, &goal, expr_eq(scan->pool, members[0], members[1]), GOAL_CONTEXT, 0);
  goal_add_extent(scan, &goal, EXTENT_INTRA_WARP, frames[0]->view, frames[1]->view);
  goal_add_launch(scan, &goal);
  votes_add(scan, &goal, EXTENT_INTRA_WARP, frames[0], frames[1]);
  return goal.is_false ||
         goal_satisfiable(scan, &goal, "two lanes of a group draw for it").verdict == VERDICT_SAFE;
}

bool groups_note(Frame *frame, uint32_t index, uint32_t addition, ExprRef leaf, DrawRange *draw) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, index));
  ASSERT(scan_has_inst(frame->scan, addition));
  ASSERT(scan_has_expr(frame->scan, leaf));
  Scan *scan = frame->scan;
  const IrInst *shuffle = &scan->fn->insts.items[index];
  if (note_part(frame, index, addition, leaf, draw)) return true;
  int64_t width = 0;
  bool is_whole = ir_const_value(scan->fn, shuffle->ops[3], &width) && width == 32;
  IrRef mask_ref = mask_of(scan, index);
  const IrInst *mask = ir_inst(scan->fn, mask_ref);
  if (!is_whole || !mask || (!groups_is_mask(mask) && !votes_is_ballot(scan, mask))) return false;
  uint32_t mask_index = ir_ref_index(mask_ref);
  if (!is_of_group_alone(frame, mask_index) || !is_of_one_round(scan, mask_index, index) ||
      !is_of_one_round(scan, addition, index) || !come_all(frame, mask_index, index) ||
      !is_next_after(scan, mask_index, index))
    return false;
  ExprRef members = frame_word(frame, mask_ref, 32), source = frame_word(frame, shuffle->ops[2], 32);
  ExprRef amount = frame_word(frame, scan->fn->insts.items[addition].ops[1], 32);
  if (!members || !source || !amount) return false;
  bool is_known = follows_from(scan->pool, amount, members, AMOUNT_DEPTH);
  Source lane = source_of(frame, shuffle, mask_ref, source);
  if (lane.end == END_LOWEST) lane.rank = expr_const(scan->pool, 32, 0);
  if (!is_known || lane.end == END_NONE ||
      !groups_lane_adds(frame, shuffle, addition, (GroupLane){source, mask_ref, lane.rank}))
    return false;
  *draw = (DrawRange){.leaf = leaf,
                      .owner = frame->view->owner,
                      .extent = frame->view->extent,
                      .frame = frame,
                      .source = addition,
                      .handed = index,
                      .mask = members};
  return true;
}
