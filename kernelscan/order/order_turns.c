// Does a word say whose turn it is? Threads that wait until a word has a value, work, and then store the next
// one hold it like a lock, without taking it: `while (turn != me);`, a flag that the one raises and the other one
// takes down, or a number that each draws from another counter (ticket lock; Mellor-Crummey and Scott, TOCS
// 1991). Method: the edge behind such a wait is a lock site of order_lock_discipline.c whose word is passed on by any
// write. Why: only who holds the word writes it, so it stays as it is while somebody holds it; who else comes
// past a wait meanwhile has read the same value, which only one thread waits for, or one stored before; that
// one was passed on by its only reader itself, who by coherence reads it no more. Soundness: every write of the
// word must be strong and made by a thread that certainly holds it, and two threads that wait for values that
// can be equal must be the same thread: by what the values are, or as each number is drawn once, the counter
// being only ever counted up by one. What the word holds at the start does not matter.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"

// The value, which the word is to equal, is a number drawn from a counter.
static const Access *find_draw(const Scan *scan, const EdgeTest *test, IrRef value) {
  bool is_equal = test->pred == IR_EQ && test->other && ir_inst(scan->fn, value);
  const Access *draw = is_equal ? operation_access(scan, ir_ref_index(value)) : NULL;
  return draw && order_amount(scan, draw) == 1 ? draw : NULL;
}

// The edge leaves a loop that waits for a value of the word.
static bool is_wait(const Scan *scan, uint32_t from, uint32_t to, const EdgeTest *test) {
  uint32_t loop = scan->cfg->loop_of[from];
  const IrInst *read = ir_inst(scan->fn, test->value);
  bool compares = test->pred == IR_EQ || test->pred == IR_NE;
  return compares && read && loop != CFG_NONE && cfg_loop_contains(scan->cfg, loop, read->block) &&
         !cfg_loop_contains(scan->cfg, loop, to);
}

// `looked_at`: the side of the test that is read of the word.
static void add_turn(Order *order, const EdgeTest *test, IrRef looked_at, const Access *draw) {
  const Scan *scan = order->scan;
  const Access *read = operation_access(scan, ir_ref_index(looked_at));
  if (!read || !order_looks(scan, read) || !read->is_natural) return;
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (order->locks[s].is_turn && order_is_same_test(&order->locks[s].awaited, test)) return;
  LockSite site = {.access = read, .is_turn = true, .is_released = true, .awaited = *test, .draw = draw};
  if (order_one_target(order->anyone, read->address, &site.target)) order_add_lock(order, site);
}

// Where the edge leaves a loop, what was read before in it, or before it.
static void add_carried_turns(Order *order, uint32_t from, uint32_t to) {
  uint32_t loop = order->scan->cfg->loop_of[from];
  if (loop == CFG_NONE || cfg_loop_contains(order->scan->cfg, loop, to)) return;
  for (int class = 0; class < CLASS_COUNT; class ++) {
    const CarriedRead *carried = order_carried(order, class, from, to);
    for (uint32_t r = 0; carried && r < carried->count; r++)
      if (carried->tests[r].pred == IR_EQ || carried->tests[r].pred == IR_NE)
        add_turn(order, &carried->tests[r], carried->tests[r].value, NULL);
  }
}

void order_find_turns(Order *order) {
  const Scan *scan = order->scan;
  for (OrderEdge e = {0}; order_next_edge(scan->cfg, &e);) {
    EdgeTest test;
    if (!order_edge_test(scan, e.from, e.to, &test)) continue;
    const Access *draw = find_draw(scan, &test, test.other),
                 *drawn_first = find_draw(scan, &test, test.value);
    if (draw || is_wait(scan, e.from, e.to, &test))
      add_turn(order, &test, test.value, draw);
    else if (drawn_first)
      add_turn(order, &test, test.other, drawn_first);
    add_carried_turns(order, e.from, e.to);
  }
}

// Condition that some value ends both waits; 0: not understood.
static ExprRef meet_in_value(ExprPool *pool, const LockSite *one, ExprRef a, const LockSite *two, ExprRef b) {
  if (!a || !b) return 0;
  bool is_one = one->awaited.pred == IR_EQ, is_other = two->awaited.pred == IR_EQ;
  if (!is_one && !is_other) return expr_bool(pool, true);
  return is_one && is_other ? expr_eq(pool, a, b) : expr_ne(pool, a, b);
}

// Two threads that wait for drawn numbers at one word have drawn them from one counter, where no number is
// drawn twice. The address of the counter stays what it was when the number was drawn.
static bool are_numbers_apart(Order *order, const LockSite *one, const LockSite *two, ExprRef same_turn) {
  Scan *scan = order->scan;
  Target p, q;
  if (!order_plain_target(order->anyone, one->draw, &p) ||
      !order_plain_target(order->anyone_else, two->draw, &q) || order_lasts(scan, &p) == LASTS_NOT ||
      !one->is_fixed || one->draw->bytes != two->draw->bytes ||
      !order_all_writes(order_word(order, &p, one->draw->bytes), WRITE_DRAWS, IR_SCOPE_BLOCK))
    return false;
  ExprRef one_counter = order_one_word(order->anyone, &p, order->anyone_else, &q);
  return order_never_of_two(order, expr_not(scan->pool, one_counter), same_turn,
                            "do two draw from two counters");
}

// Two threads that come past these waits of one word at values that can be equal are the same thread.
static bool have_one_reader(Order *order, const LockSite *one, const LockSite *two) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *first = order->anyone, *second = order->anyone_else;
  Target p, q;
  if (!order_one_target(first, one->access->address, &p) ||
      !order_one_target(second, two->access->address, &q))
    return false;
  if (p.object != q.object) return true;
  ExprRef same_turn = order_one_word(first, &p, second, &q);
  if (one->draw && two->draw) return are_numbers_apart(order, one, two, same_turn);
  ExprRef meet = meet_in_value(pool, one, order_awaited(&one->awaited, one->access->bytes, first), two,
                               order_awaited(&two->awaited, two->access->bytes, second));
  if (!meet) return false;
  ExprRef both = expr_and(pool, order_comes_to(first, one->access->inst),
                          order_comes_to(second, two->access->inst)),
          other = expr_not(pool, order_same_thread(scan, first->view, second->view));
  return order_never_of_two(order, expr_and(pool, meet, other), expr_and(pool, same_turn, both),
                            "do two wait for one turn");
}

bool order_is_turn(Order *order, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, site->access));
  for (WordRow row = {.word = order_word_of_lock(order, site)}; order_next_row(&row);) {
    bool sets_up = row.word->is_of_block && order_is_before_all(order, row.access, site->access);
    if (!sets_up && !order_write_is(row.write, WRITE_IS_STRONG | WRITE_FITS)) return false;
  }
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *other = &order->locks[s];
    if (!order_may_touch(order, other->access, &site->target, site->access->bytes)) continue;
    if (!other->is_turn || other->access->bytes != site->access->bytes ||
        !have_one_reader(order, site, other))
      return false;
  }
  return true;
}
