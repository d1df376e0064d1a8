// What do sums of prefixes in shared memory hold? Each thread stores a number that is not negative, say a
// flag; then a loop of rounds with doubled distance d adds to each element the one d places before (Hillis
// and Steele, CACM 1986). Method: an inductive claim, proved by the solver from the loop's body as it stands:
// with P(x) the sum of the first x numbers of the block, element j holds P(j + 1) - P(max(0, j + 1 - d)) at
// the head of the loop. It does for d = 1; a round makes it so for 2d; and the loop ends with d at or above
// the number of elements. Loads behind the loop are then P(j + 1), and P grows by what a thread itself stored
// at its own place: kept elements have ranks of their own. Soundness: all writes of the variable are the two
// stores; that no load of it races with them is asked for as for any pair, so that a load in a round sees
// what the rounds before left. What is not proved stays an unknown value.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/memory.h"
#include "kernelscan/kernel.h"

enum { MAX_SUMMAND = 1 << 20, MAX_THREADS = 1024, MAX_DISTANCE = 1 << 28 };

// ---- the shape
// The two stores: one before all loops, one in the loop.
static bool find_stores(const Scan *scan, PrefixSum *sum) {
  sum->init = sum->step = CFG_NONE;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->kind == ACCESS_READ || !access_may_touch(scan, a, sum->object)) continue;
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    if (inst->op != IR_STORE || inst->order != IR_ORDER_PLAIN || access->bytes != 4) return false;
    uint32_t *slot = scan->cfg->loop_of[inst->block] == CFG_NONE ? &sum->init : &sum->step;
    if (*slot != CFG_NONE) return false;
    *slot = access->inst;
  }
  return sum->init != CFG_NONE && sum->step != CFG_NONE;
}

// One loop, not inside another, that all threads leave together, at its head.
static bool is_plain_loop(const Scan *scan, uint32_t loop) {
  const Cfg *cfg = scan->cfg;
  const CfgLoop *info = &cfg->loops.items[loop];
  if (info->parent != CFG_NONE || scan->alike.exits_diverge[loop]) return false;
  for (uint32_t n = 0; n < cfg->rpo_count; n++) {
    uint32_t block = cfg->rpo[n];
    if (!cfg_loop_contains(cfg, loop, block) || block == info->header) continue;
    if (cfg->loop_of[block] != loop) return false;
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
      if (!cfg_loop_contains(cfg, loop, cfg->succs[s])) return false;
  }
  return true;
}

// The distance: 1, 2, 4 ...
static uint32_t find_distance(const Scan *scan, uint32_t loop) {
  const IrBlock *header = &scan->fn->blocks.items[scan->cfg->loops.items[loop].header];
  for (uint32_t i = header->first; i < header->first + header->count; i++) {
    const IrInst *phi = &scan->fn->insts.items[i];
    const Induction *form = loops_induction(scan, i);
    int64_t start = 0, factor = 0;
    if (phi->op != IR_PHI) break;
    if (form->kind != INDUCTION_SHIFT_LEFT || symeval_width(phi->type) != 32) continue;
    bool is_known =
        ir_const_value(scan->fn, form->start, &start) && ir_const_value(scan->fn, form->step, &factor);
    bool is_mul = scan->fn->insts.items[form->update].op == IR_MUL;
    if (is_known && start == 1 && factor == (is_mul ? 2 : 1)) return i;
  }
  return CFG_NONE;
}

// Loads in the loop come before the store of their round.
static bool loads_come_first(const Scan *scan, const PrefixSum *sum) {
  uint32_t store_block = scan->fn->insts.items[sum->step].block;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    uint32_t block = scan->fn->insts.items[access->inst].block;
    if (access->kind != ACCESS_READ || !access_may_touch(scan, a, sum->object) ||
        !cfg_loop_contains(scan->cfg, sum->loop, block))
      continue;
    bool is_before = block == store_block ? access->inst < sum->step
                                          : scan->cfg->rpo_number[block] < scan->cfg->rpo_number[store_block];
    if (!is_before || access->is_async) return false;
  }
  return true;
}

static bool has_shape(Scan *scan, PrefixSum *sum) {
  if (!find_stores(scan, sum)) return false;
  sum->loop = scan->cfg->loop_of[scan->fn->insts.items[sum->step].block];
  if (!is_plain_loop(scan, sum->loop)) return false;
  sum->phi = find_distance(scan, sum->loop);
  uint32_t header = scan->cfg->loops.items[sum->loop].header;
  return sum->phi != CFG_NONE && loads_come_first(scan, sum) &&
         cfg_dominates(scan->cfg, scan->fn->insts.items[sum->init].block, header);
}

// ---- the sums
static ExprRef sum_below(const Frame *frame, const PrefixSum *sum, ExprRef count) {
  const View *view = frame->view;
  ExprRef args[4] = {count, view->block_idx[0], view->block_idx[1], view->block_idx[2]};
  return expr_app(frame->scan->pool, sum->func, 4, args);
}

static ExprRef at_least_zero(ExprPool *pool, ExprRef value) {
  ExprRef zero = expr_const(pool, 64, 0);
  return expr_ite(pool, expr_binary(pool, EXPR_SLT, 0, value, zero), zero, value);
}

// What element `index` holds when the distance is `distance` (both 64 bits).
static ExprRef content(const Frame *frame, const PrefixSum *sum, ExprRef index, ExprRef distance) {
  ExprPool *pool = frame->scan->pool;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, index, expr_const(pool, 64, 1));
  ExprRef start = at_least_zero(pool, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, end, distance));
  return expr_binary(pool, EXPR_SUB, 0, sum_below(frame, sum, end), sum_below(frame, sum, start));
}

// The element at this address; 0: none, or not understood.
static ExprRef element_of(Frame *frame, const PrefixSum *sum, IrRef address) {
  SymValue value = frame_value(frame, address);
  if (value.kind != SYM_POINTER || value.target_count != 1 || value.targets[0].condition ||
      value.targets[0].key || value.targets[0].object != sum->object)
    return 0;
  ExprPool *pool = frame->scan->pool;
  const ExprNode *node = expr_node(pool, value.targets[0].offset);
  int64_t bytes = 0;
  if (node->op == EXPR_MUL && expr_is_const(pool, node->b, &bytes) && bytes == 4) return node->a;
  return expr_binary(pool, EXPR_SDIV, 0, value.targets[0].offset, expr_const(pool, 64, 4));
}

static ExprRef own_place(const Frame *frame) {
  return expr_resize_signed(frame->scan->pool, frame->view->thread_idx[0], 64);
}

// ---- the proof
typedef struct Proof {
  Scan *scan;
  PrefixSum *sum;
  const View *view;
} Proof;

static bool refuted(const Proof *proof, ExprRef one, ExprRef two, const char *name) {
  Goal goal = {0};
  goal_add(proof->scan, &goal, one, GOAL_CONTEXT, 0);
  goal_add(proof->scan, &goal, two, GOAL_CONFLICT, 0);
  goal_add_view(proof->scan, &goal, proof->view);
  goal_add_launch(proof->scan, &goal);
  return goal.is_false || goal_satisfiable(proof->scan, &goal, name).verdict == VERDICT_SAFE;
}

static Frame *frame_at_distance(const Proof *proof, ExprRef distance) {
  Frame *frame = frame_make(proof->scan, proof->view, NULL, NULL);
  *frame_known(frame, proof->sum->phi) = sym_value_word(distance);
  frame->sum = proof->sum;
  frame->distance = expr_resize_signed(proof->scan->pool, distance, 64);
  return frame;
}

// Each thread has stored the count of its own element (histograms.c): the sums are those of the counts.
static bool is_sum_of_counts(const Proof *proof, Frame *frame, IrRef stored) {
  ExprRef element = 0;
  const PrefixSum *counts = histograms_count_of(frame, stored, &element);
  if (!counts || element != own_place(frame)) return false;
  proof->sum->most = counts->most;
  proof->sum->func = counts->func;
  return true;
}

static bool is_sum_of_small(const Proof *proof, ExprRef stored) {
  Scan *scan = proof->scan;
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, stored, &lo, &hi);
  if (lo < 0 || hi > MAX_SUMMAND) return false;
  proof->sum->most = hi;
  proof->sum->func = expr_new_func(
      scan->pool,
      (ExprFunc){.name = arena_printf(scan->arena, "sum of %s", scan->objects.items[proof->sum->object].name),
                 .width = 32,
                 .kind = SYM_UNKNOWN,
                 .hi = hi * MAX_THREADS + 1});
  return true;
}

// All threads store a number that is not negative at their own place, and come to the loop.
static bool start_holds(const Proof *proof) {
  Scan *scan = proof->scan;
  ExprPool *pool = scan->pool;
  Frame *frame = frame_make(scan, proof->view, NULL, NULL);
  const IrInst *store = &scan->fn->insts.items[proof->sum->init];
  ExprRef place = element_of(frame, proof->sum, store->ops[0]), value = frame_word(frame, store->ops[1], 32);
  if (!place || !value) return false;
  uint32_t header = scan->cfg->loops.items[proof->sum->loop].header;
  ExprRef stores = frame_exact_condition(frame, 0, store->block),
          comes = frame_exact_condition(frame, 0, header);
  if (!stores || !comes || !expr_is_true(pool, stores) || !expr_is_true(pool, comes)) return false;
  if (!is_sum_of_counts(proof, frame, store->ops[1]) && !is_sum_of_small(proof, value)) return false;
  return refuted(proof, expr_bool(pool, true), expr_ne(pool, place, own_place(frame)),
                 "a thread starts with another element than its own");
}

static bool step_holds(const Proof *proof) {
  Scan *scan = proof->scan;
  ExprPool *pool = scan->pool;
  ExprRef distance = expr_new_sym(
      pool, (ExprSym){.name = "distance", .width = 32, .kind = SYM_UNKNOWN, .lo = 1, .hi = INT32_MAX});
  Frame *frame = frame_at_distance(proof, distance);
  const IrInst *store = &scan->fn->insts.items[proof->sum->step];
  uint32_t header = scan->cfg->loops.items[proof->sum->loop].header, inside = CFG_NONE;
  for (uint32_t s = scan->cfg->succ_first[header]; s < scan->cfg->succ_first[header + 1]; s++)
    if (cfg_loop_contains(scan->cfg, proof->sum->loop, scan->cfg->succs[s])) inside = scan->cfg->succs[s];
  ExprRef place = element_of(frame, proof->sum, store->ops[0]), value = frame_word(frame, store->ops[1], 32);
  ExprRef goes_on = inside == CFG_NONE ? 0 : frame_edge_condition(frame, header, inside);
  // In each round, by each thread.
  bool is_always = goes_on && frame_exact_condition(frame, header, store->block) == goes_on;
  for (uint32_t p = scan->cfg->pred_first[header]; p < scan->cfg->pred_first[header + 1]; p++)
    is_always &= !cfg_loop_contains(scan->cfg, proof->sum->loop, scan->cfg->preds[p]) ||
                 cfg_dominates(scan->cfg, store->block, scan->cfg->preds[p]);
  if (!place || !value || !is_always) return false;
  ExprRef twice = expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, frame->distance, expr_const(pool, 64, 2));
  ExprRef far = expr_binary(pool, EXPR_SLT, 0, expr_const(pool, 32, MAX_DISTANCE), distance);
  return refuted(proof, goes_on, far, "the distance of a sum of prefixes leaves its width") &&
         refuted(proof, goes_on, expr_ne(pool, place, own_place(frame)),
                 "a thread adds to another element") &&
         refuted(proof, goes_on, expr_ne(pool, value, content(frame, proof->sum, own_place(frame), twice)),
                 "a round of a sum of prefixes gives something else");
}

static bool end_holds(const Proof *proof) {
  Scan *scan = proof->scan;
  ExprPool *pool = scan->pool;
  ExprRef exponent =
      expr_new_sym(pool, (ExprSym){.name = "round", .width = 32, .kind = SYM_UNKNOWN, .lo = 0, .hi = 30});
  Frame *frame =
      frame_at_distance(proof, expr_binary(pool, EXPR_SHL, EXPR_NSW, expr_const(pool, 32, 1), exponent));
  uint32_t header = scan->cfg->loops.items[proof->sum->loop].header, outside = CFG_NONE;
  for (uint32_t s = scan->cfg->succ_first[header]; s < scan->cfg->succ_first[header + 1]; s++)
    if (!cfg_loop_contains(scan->cfg, proof->sum->loop, scan->cfg->succs[s])) outside = scan->cfg->succs[s];
  ExprRef ends = outside == CFG_NONE ? 0 : frame_edge_condition(frame, header, outside);
  ExprRef threads = expr_resize_signed(pool, scan->launch->block[0], 64);
  return ends && refuted(proof, ends, expr_binary(pool, EXPR_SLT, 0, frame->distance, threads),
                         "a sum of prefixes ends too soon");
}

static bool is_flat(const Scan *scan) {
  int64_t y = 0, z = 0;
  return expr_is_const(scan->pool, scan->launch->block[1], &y) && y == 1 &&
         expr_is_const(scan->pool, scan->launch->block[2], &z) && z == 1;
}

void prefix_find(Scan *scan) {
  ASSERT(scan->reaches && scan->alike.is_uniform); // after uniform_compute
  if (scan->has_opaque || scan_text(scan)->has_named_barrier || !is_flat(scan)) return;
  for (uint32_t o = 1; o < scan->objects.count; o++) {
    if (scan->objects.items[o].kind != OBJ_SHARED || scan->objects.items[o].is_volatile) continue;
    PrefixSum *sum = arena_new(scan->arena, PrefixSum);
    sum->object = o;
    ExprRef shared_block[3] = {0};
    Proof proof = {scan, sum, NULL};
    if (!has_shape(scan, sum)) continue;
    proof.view = view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD1, shared_block);
    if (start_holds(&proof) && step_holds(&proof) && end_holds(&proof))
      vec_push(scan->arena, &fact_lists(scan)->sums, sum);
  }
}

// ---- its use
// A thread's own element is the sum before it and what the thread stored there.
static void note_own(Frame *frame, const PrefixSum *sum, ExprRef element, ExprRef value) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  ExprRef stored = frame_word(frame, scan->fn->insts.items[sum->init].ops[1], 32), place = own_place(frame);
  if (!stored) return;
  ExprRef grown = expr_binary(pool, EXPR_ADD, EXPR_NSW, sum_below(frame, sum, place), stored);
  ExprRef condition = expr_or(pool, expr_ne(pool, element, place), expr_eq(pool, value, grown));
  if (invariants_say(scan, condition)) return;
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = value, .condition = condition});
}

// Elements behind those of the block's threads hold anything.
static SymValue if_in_block(Frame *frame, uint32_t index, ExprRef element, ExprRef value) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  ExprRef threads = expr_resize_signed(pool, scan->launch->block[0], 64);
  ExprRef is_inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), element),
                               expr_binary(pool, EXPR_SLT, 0, element, threads));
  if (expr_is_true(pool, is_inside)) return sym_value_word(value);
  SymValue other = frame_leaf(frame, index, 0);
  return sym_value_word(expr_ite(pool, is_inside, value, other.word));
}

static SymValue prefix_load(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  FactLists *lists = fact_lists(scan);
  const IrInst *load = &scan->fn->insts.items[index];
  SymValue none = {.kind = SYM_NONE};
  if (load->op != IR_LOAD || symeval_width(load->type) != 32 || load->order != IR_ORDER_PLAIN) return none;
  if (frame->sum && cfg_loop_contains(scan->cfg, frame->sum->loop, load->block)) {
    ExprRef element = element_of(frame, frame->sum, load->ops[0]);
    if (!element) return none;
    return if_in_block(frame, index, element, content(frame, frame->sum, element, frame->distance));
  }
  for (uint32_t s = 0; s < lists->sums.count; s++) {
    const PrefixSum *sum = lists->sums.items[s];
    if (!sum->object || cfg_loop_contains(scan->cfg, sum->loop, load->block) ||
        !cfg_dominates(scan->cfg, scan->cfg->loops.items[sum->loop].header, load->block))
      continue;
    ExprRef element = element_of(frame, sum, load->ops[0]);
    if (!element) continue;
    ExprRef one = expr_const(scan->pool, 64, 1);
    ExprRef value = sum_below(frame, sum, expr_binary(scan->pool, EXPR_ADD, EXPR_ADDRESS, element, one));
    note_own(frame, sum, element, value);
    return if_in_block(frame, index, element, value);
  }
  return none;
}

static const PrefixSum *sum_of(const Scan *scan, ExprRef ref) {
  FactLists *lists = fact_lists(scan);
  const ExprNode *node = expr_node(scan->pool, ref);
  for (uint32_t s = 0; s < lists->sums.count && node->op == EXPR_APP; s++)
    if (lists->sums.items[s]->func == (uint32_t)node->value) return lists->sums.items[s];
  return NULL;
}

enum { ROW_ARGS = 4 }; // the number of elements, and the block; then rounds of loops

// Each thread is in a round of its own, which may be the same.
static ExprRef is_same_round(ExprPool *pool, ExprRef one, ExprRef two) {
  const ExprNode *a = expr_node(pool, one), *b = expr_node(pool, two);
  bool may_be = a->op == EXPR_SYM && b->op == EXPR_SYM && a->owners && b->owners && a->owners != b->owners;
  return may_be ? expr_eq(pool, one, two) : expr_bool(pool, one == two);
}

// That both are of one block, and of the same rounds of loops, as far as that is worth asking.
static ExprRef is_same_row(ExprPool *pool, const ExprNode *one, const ExprNode *two) {
  ExprRef same = expr_bool(pool, one->value == two->value && one->arg_count == two->arg_count);
  for (uint32_t a = 1; a < one->arg_count && !expr_is_false(pool, same); a++)
    same = expr_and(pool, same,
                    a < ROW_ARGS ? expr_bool(pool, one->args[a] == two->args[a])
                                 : is_same_round(pool, one->args[a], two->args[a]));
  return same;
}

// In the same row low <= high implies 0 <= P(high) - P(low) <= most * (high - low); with low = 0, P(low) is
// 0.
static void add_growth(Scan *scan, Goal *goal, const PrefixSum *sum, ExprRef same_row, ExprRef low,
                       ExprRef high) {
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 64, 0);
  ExprRef from = low ? expr_node(pool, low)->args[0] : zero, to = expr_node(pool, high)->args[0];
  ExprRef before = low ? expr_resize_signed(pool, low, 64) : zero;
  ExprRef grown = expr_binary(pool, EXPR_SUB, EXPR_NSW, expr_resize_signed(pool, high, 64), before);
  ExprRef most = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_binary(pool, EXPR_SUB, EXPR_NSW, to, from),
                             expr_const(pool, 64, sum->most));
  ExprRef holds = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, zero, grown),
                           expr_binary(pool, EXPR_SLE, 0, grown, most));
  ExprRef is_out = expr_or(pool, expr_not(pool, same_row), expr_binary(pool, EXPR_SLT, 0, to, from));
  goal_add(scan, goal, expr_or(pool, is_out, holds), GOAL_CONTEXT, 0);
}

static void prefix_add(Scan *scan, Goal *goal) {
  if (!fact_lists(scan)->sums.count) return;
  const ExprSet *occurs = goal_occurrences(scan, goal);
  VEC(ExprRef) found = {0};
  for (ExprRef ref = 0; (ref = expr_set_next(occurs, ref)) != 0;)
    if (sum_of(scan, ref)) vec_push(scan->arena, &found, ref);
  for (uint32_t i = 0; i < found.count; i++) {
    const PrefixSum *sum = sum_of(scan, found.items[i]);
    add_growth(scan, goal, sum, expr_bool(scan->pool, true), 0, found.items[i]);
    for (uint32_t j = 0; j < found.count; j++) {
      const ExprNode one = *expr_node(scan->pool, found.items[i]),
                     two = *expr_node(scan->pool, found.items[j]);
      ExprRef same_row = is_same_row(scan->pool, &one, &two);
      if (i != j && !expr_is_false(scan->pool, same_row))
        add_growth(scan, goal, sum, same_row, found.items[i], found.items[j]);
    }
  }
}

// Which of the threads have a place hangs on the numbers that are summed up: where a place is a sum, what the
// ways there read is told of as well (`if (flag[t]) out[sum[t]] = ...`).
static void prefix_mark(Scan *scan, const Goal *goal, ExprSet *places) {
  bool is_sum = false;
  for (ExprRef ref = 0; !is_sum && (ref = expr_set_next(places, ref)) != 0;)
    is_sum = sum_of(scan, ref);
  for (uint32_t i = 0; is_sum && i < goal->conditions.count; i++)
    if (goal->conditions.items[i].part == GOAL_CONTEXT)
      expr_set_add_below(places, scan->pool, goal->conditions.items[i].condition);
}

const ValueFacts prefix_facts = {.value = prefix_load, .mark = prefix_mark, .add = prefix_add};
