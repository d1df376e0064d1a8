// Does a word say whose turn it is? Threads that wait until a word has a value, work, and then store the next
// one hold it like a lock, without taking it: `while (turn != me);`, or a flag that the one raises and the
// other one takes down. Method: the edge behind such a wait is a lock site of order_locks.c whose word is
// passed on by any write. Why: only who holds the word writes it, so it stays as it is while somebody holds
// it; who else comes past a wait meanwhile has read the same value, which only one thread waits for, or one
// stored before; that one was passed on by its only reader itself, who by coherence reads it no more.
// Soundness: every write of the word must be strong and made by a thread that certainly holds it, and two
// threads that wait for values that can be equal must be the same thread; what the word holds at the start
// does not matter.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/kernel.h"

// The edge leaves a loop that waits for a value of the word.
static bool is_wait(const Scan *scan, uint32_t from, uint32_t to, const EdgeTest *test) {
  uint32_t loop = scan->cfg->loop_of[from];
  const IrInst *read = ir_inst(scan->fn, test->value);
  bool compares = test->pred == IR_EQ || test->pred == IR_NE;
  return compares && read && loop != CFG_NONE && cfg_loop_contains(scan->cfg, loop, read->block) &&
         !cfg_loop_contains(scan->cfg, loop, to);
}

static void add_token(Order *order, const EdgeTest *test) {
  const Scan *scan = order->scan;
  const Access *read = order_access_of(scan, ir_ref_index(test->value));
  if (!read || !order_is_strong(scan, read) || !read->is_natural || order->lock_count == LOCK_LIMIT ||
      (read->kind != ACCESS_READ && !order_is_only_read(scan, read)))
    return;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const EdgeTest *old = &order->locks[s].awaited;
    if (order->locks[s].is_token && old->value == test->value && old->pred == test->pred &&
        old->other == test->other)
      return;
  }
  SymValue address = frame_value(order->anyone, read->address);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition) return;
  order->locks[order->lock_count++] = (LockSite){
      .access = read, .target = address.targets[0], .is_token = true, .is_released = true, .awaited = *test};
}

// Where the edge leaves a loop, what was read before in it, or before it.
static void add_carried_tokens(Order *order, uint32_t from, uint32_t to) {
  uint32_t loop = order->scan->cfg->loop_of[from];
  if (loop == CFG_NONE || cfg_loop_contains(order->scan->cfg, loop, to)) return;
  for (int class = 0; class < CLASS_COUNT; class ++) {
    const CarriedRead *carried = order_carried(order, class, from, to);
    for (uint32_t r = 0; carried && r < carried->count; r++)
      if (carried->tests[r].pred == IR_EQ || carried->tests[r].pred == IR_NE)
        add_token(order, &carried->tests[r]);
  }
}

void order_find_tokens(Order *order) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1]; s++) {
      EdgeTest test;
      if (cfg->rpo_number[b] == CFG_NONE || !order_edge_test(scan, b, cfg->succs[s], &test)) continue;
      if (is_wait(scan, b, cfg->succs[s], &test)) add_token(order, &test);
      add_carried_tokens(order, b, cfg->succs[s]);
    }
}

static ExprRef awaited(const LockSite *site, Frame *frame) {
  uint8_t width = (uint8_t)(site->access->bytes * 8);
  return site->awaited.other ? frame_word(frame, site->awaited.other, width)
                             : expr_const(frame->scan->pool, width, 0);
}

// Condition that some value ends both waits; 0: not understood.
static ExprRef meet_in_value(ExprPool *pool, const LockSite *one, ExprRef a, const LockSite *two, ExprRef b) {
  if (!a || !b) return 0;
  bool is_one = one->awaited.pred == IR_EQ, is_other = two->awaited.pred == IR_EQ;
  if (!is_one && !is_other) return expr_bool(pool, true);
  return is_one && is_other ? expr_eq(pool, a, b) : expr_ne(pool, a, b);
}

// Two threads that come past these waits of one word at values that can be equal are the same thread.
static bool have_one_reader(Order *order, const LockSite *one, const LockSite *two) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *first = order->anyone, *second = order->anyone_else;
  SymValue p = frame_value(first, one->access->address), q = frame_value(second, two->access->address);
  if (p.target_count != 1 || q.target_count != 1 || q.targets[0].condition) return false;
  if (p.targets[0].object != q.targets[0].object) return true;
  ExprRef meet = meet_in_value(pool, one, awaited(one, first), two, awaited(two, second));
  if (!meet) return false;
  Goal goal = {0};
  const IrInst *insts = scan->fn->insts.items;
  goal_add(scan, &goal, meet, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, expr_eq(pool, p.targets[0].offset, q.targets[0].offset), GOAL_CONTEXT, 0);
  if (p.targets[0].key && q.targets[0].key)
    goal_add(scan, &goal, expr_eq(pool, p.targets[0].key, q.targets[0].key), GOAL_CONTEXT, 0);
  if (scan->objects.items[p.targets[0].object].kind == OBJ_SHARED)
    goal_add(scan, &goal, order_same_block(scan, first->view, second->view), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, order_block_condition(first, insts[one->access->inst].block), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, order_block_condition(second, insts[two->access->inst].block), GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(pool, order_same_thread(scan, first->view, second->view)), GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, first->view);
  goal_add_view(scan, &goal, second->view);
  goal_add_launch(scan, &goal);
  return order_cannot_hold(scan, &goal, "do two wait for one turn");
}

bool order_is_token(Order *order, const LockSite *site) {
  const SyncWord *word = order_word(order, &site->target, site->access->bytes);
  for (uint32_t w = 0; w < word->count; w++) {
    const WordWrite *write = &word->writes[w];
    bool sets_up = word->is_of_block && order_is_before_all(order, write->access, site->access);
    if (!sets_up && (!write->is_strong || !write->fits)) return false;
  }
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *other = &order->locks[s];
    if (!order_may_touch(order, other->access, &site->target, site->access->bytes)) continue;
    if (!other->is_token || other->access->bytes != site->access->bytes ||
        !have_one_reader(order, site, other))
      return false;
  }
  return true;
}
