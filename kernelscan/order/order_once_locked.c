// Is a word claimed by who finds it down under a lock, and raises it before the lock is given back? `lock; if (!done) {
// fill; done = 1; } unlock;`: double-checked set-up. Method: the look is a lock site of order_lock_discipline.c that nobody sets
// free, and so a word that is won once (order_is_won_once). Why: of two threads that look under one lock, the second one takes the lock
// behind the first one's release, and so reads what that one has stored, or something later; nobody stores the value
// again that says "down". Soundness: the lock is one, with all its fences, whoever looks holds it, on every path from
// the look that finds the word down to where the lock is given back the word is raised, and who names one word has one
// lock (solver).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- looks
static bool shares_word(Order *order, const Target *word, uint32_t bytes) {
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (order_may_touch(order, order->locks[s].access, word, bytes)) return true;
  return false;
}

static bool is_behind_lock(const Order *order, uint32_t inst) {
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (!order->locks[s].is_turn && graph_dominates(order->scan, order->locks[s].access->inst, inst))
      return true;
  return false;
}

static void add_look(Order *order, const EdgeTest *test) {
  const Scan *scan = order->scan;
  int64_t down = 0;
  const Access *look =
      ir_inst(scan->fn, test->value) ? operation_access(scan, ir_ref_index(test->value)) : NULL;
  if (!look || test->pred != IR_EQ || (test->other && !ir_const_value(scan->fn, test->other, &down)) ||
      !order_looks(scan, look) || !look->is_natural || !is_behind_lock(order, look->inst))
    return;
  LockSite site = {.access = look, .free_value = down, .is_asked = true};
  if (order_one_target(order->anyone, look->address, &site.target) &&
      !shares_word(order, &site.target, look->bytes))
    order_add_lock(order, site);
}

void order_find_asked(Order *order) {
  EdgeTest test;
  for (OrderEdge e = {0}; order->lock_count && order_next_edge(order->scan->cfg, &e);)
    if (order_edge_test(order->scan, e.from, e.to, &test)) add_look(order, &test);
}

// ---- are they won once
// Who has found the word down raises it before the lock is given back; the marks say where.
static bool is_raised(Order *order, const LockSite *site, uint32_t lock, uint8_t *raises) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  uint8_t *gives = order_marks(scan, CFG_NONE),
          *ends = arena_array(scan->arena, cfg->succ_first[cfg->block_count] + 1, uint8_t);
  for (WordRow row = {.word = order_word_of_lock(order, site)}; order_next_row(&row);)
    raises[row.access->inst] =
        order_write_is(row.write, WRITE_IS_STRONG | WRITE_REPLACES) && row.write->is_constant;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    gives[i] = (order->may_end[i] | order->takes[i]) >> lock & 1;
  // In a next round it may be another word that is raised.
  for (uint32_t l = cfg->loop_of[inst_at(scan, site->access->inst)->block]; l != CFG_NONE && !site->is_fixed;
       l = cfg->loops.items[l].parent)
    gives[scan->fn->blocks.items[cfg->loops.items[l].header].first] = 1;
  EdgeTest test;
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);)
    ends[e.at] = order_edge_test(scan, e.from, e.to, &test) && order_test_of_site(order, site, &test) < 0;
  return !graph_walk(
      order->scan,
      &(GraphWalk){.from = site->access->inst, .wanted = gives, .avoided = raises, .ends = ends});
}

// Two threads that name one word look at it under one lock.
static bool has_one_lock(Order *order, const LockSite *site, const LockSite *lock) {
  Frame *one = order->anyone, *two = order->anyone_else;
  ExprRef one_word = order_name_one_word(one, site->access, two, site->access),
          one_lock = order_name_one_word(one, lock->access, two, lock->access);
  return order_address_stays(order, lock, site->access->inst) && one_word && one_lock &&
         order_never_of_two(order, expr_not(order->scan->pool, one_lock), one_word,
                            "have two looked under two locks");
}

static bool is_under(Order *order, const LockSite *site, uint32_t lock) {
  const LockSite *held = &order->locks[lock];
  const Scan *scan = order->scan;
  Extent extent =
      scan->objects.items[site->target.object].kind == OBJ_SHARED ? EXTENT_INTRA_BLOCK : EXTENT_INTER_BLOCK;
  uint8_t *raises = order_marks(scan, CFG_NONE);
  if (held->is_turn || held->is_shared || held->bits || held->is_asked || !held->is_disciplined ||
      !order_must_hold_at(order, lock, site->access->inst) || !is_raised(order, site, lock, raises) ||
      !order_lock_orders(order, lock, site->access, extent))
    return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const Access *raise = raises[i] ? operation_access(scan, i) : NULL;
    if (raise && (operation_scope(scan, raise) < operation_scope_needed(extent) ||
                  (order_must_hold_at(order, lock, i) && !order_lock_orders(order, lock, raise, extent))))
      return false;
  }
  return has_one_lock(order, site, held);
}

void order_keep_asked(Order *order) {
  for (uint32_t s = 0; s < order->lock_count; s++) {
    LockSite *site = &order->locks[s];
    bool is_once = false;
    for (uint32_t lock = 0; lock < order->lock_count && site->is_asked && !is_once; lock++)
      is_once = site->is_disciplined && !site->is_released && is_under(order, site, lock);
    if (!site->is_asked || is_once) continue;
    site->is_disciplined = false;
    order->dropped |= 1ull << s;
  }
}
