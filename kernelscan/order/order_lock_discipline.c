// Which words are locks, which operations take them, and which writes give them back? An operation is a
// candidate where a compare-and-swap, an exchange, or a maximum that raises the word, is tested for having
// returned the free value, or leaves what it returned for a later test (order_lock_status.c). Method: what each
// instruction takes, ends and may end; who holds what by that (order_lockset.c); then candidates are dropped,
// and the others asked again, until every one that is left is given back by its holders alone. Soundness: a lock
// counts only if every write of the kernel that may store its free value is made by who holds it, sets it up
// before anybody takes it, or opens it once.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- which operations take locks
// The lock that the operation takes, if it does by this test.
static bool find_permission(const Order *order, const EdgeTest *test, const WordWrite *write,
                            LockSite *site) {
  const Scan *scan = order->scan;
  const IrInst *inst = inst_at(scan, write->access->inst);
  int64_t other = 0;
  bool is_raw = test->value == IR_REF(IR_REF_INST, write->access->inst),
       is_equal = test->pred == IR_EQ && (!test->other || ir_const_value(scan->fn, test->other, &other));
  switch (write->kind) {
  case WRITE_OR:
  case WRITE_AND: site->bits = is_raw ? 0 : write->operand; return site->bits != 0;
  case WRITE_EXTREME:
    site->free_value = other;
    if (!is_equal && test->other) site->bits = write->operand;
    return is_raw && (is_equal || site->bits);
  case WRITE_SWAP:
    site->is_shared = !ir_const_value(scan->fn, inst->ops[1], &site->free_value);
    if (site->is_shared) return is_raw && order_is_reader(scan, inst);
    break;
  case WRITE_SET:
    site->free_value = other; // an exchange of 0 takes a flag down
    if (inst->op != IR_ATOMICRMW) return false;
    break;
  case WRITE_ADD:
  case WRITE_WRAP:
  case WRITE_OTHER: return false;
  }
  // Where it is known what it is not, it may be known what it is: of two values.
  site->is_binary = !is_equal && test->pred != IR_EQ;
  site->taken = write->constant;
  return is_raw && (is_equal || (site->is_binary && write->is_constant));
}

// `is_whole`: it is one word, as `site.target` says.
static void add_site(Order *order, LockSite site, bool is_whole) {
  SymValue address = frame_value(order->anyone, site.access->address);
  bool may_choose = !site.bits && !site.is_shared && !site.is_binary && !site.is_counted;
  LockSite *known = NULL;
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (order->locks[s].access == site.access && !known) known = &order->locks[s];
  if (known && site.is_binary && known->free_value == site.free_value) {
    known->is_binary = true;
    known->taken = site.taken;
  }
  if (known || address.kind != SYM_POINTER) return;
  // One of several words, as a condition says (`c ? a : b`): where that holds, what is held is this one.
  for (uint32_t i = 0; i < address.target_count && (may_choose || is_whole); i++) {
    if (may_choose) site.target = address.targets[i];
    site.choice = may_choose ? i : 0;
    site.choices = may_choose ? address.target_count : 0;
    order_add_lock(order, site);
  }
}

// Where this holds, the operation took the lock. `is_kept`: what it returned is not looked at there.
static void find_site(Order *order, const EdgeTest *test, bool is_kept) {
  const Access *access = order_looked_at(order->scan, test->value, LOOK_DEPTH);
  if (!access || !access->is_natural || access->bytes > 8) return;
  const WordWrite write = order_write(order, access);
  LockSite site = {.access = access};
  bool is_counter = write.kind == WRITE_ADD && !is_kept && test->value == IR_REF(IR_REF_INST, access->inst);
  if (!(is_counter ? order_find_counter(order, test, &site) : find_permission(order, test, &write, &site)) ||
      order_says(order, &site, test) <= 0)
    return;
  bool is_whole = order_one_target(order->anyone, access->address, &site.target);
  if (site.bits && is_whole) site.mask = frame_word(order->anyone, site.bits, (uint8_t)(access->bytes * 8));
  if (!(site.bits || site.is_shared || site.is_counted) && order_may_free(order, &write, &site)) return;
  if (!site.is_binary || (is_whole && order_is_binary(order, &site))) add_site(order, site, is_whole);
}

// What an operation returned is merged with other values, or handed on, as it is: the lock is held if that is
// zero.
static void find_kept_site(Order *order, const IrInst *user) {
  if (user->op != IR_PHI && user->op != IR_SELECT && user->op != IR_STORE && user->op != IR_SHUFFLE) return;
  for (uint32_t o = 0; o < user->op_count; o++)
    find_site(order, &(EdgeTest){user->ops[o], 0, IR_EQ}, true);
}

// Looked at on an edge, or kept for later.
static void find_sites(Order *order) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  EdgeTest test;
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);)
    if (order_edge_test_in(order, -1, e.from, e.to, &test)) find_site(order, &test, false);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (cfg->rpo_number[inst->block] == CFG_NONE) continue;
    find_kept_site(order, inst);
    for (int holds = 0; holds < 2; holds++)
      if (inst->op == IR_ICMP && order_truth_test(scan, IR_REF(IR_REF_INST, i), holds, &test))
        find_site(order, &test, false);
  }
  order_join_writers(order);
}

// ---- what the writes do to them
// Never makes a taken lock free.
static bool never_frees(Order *order, const WordWrite *write, const LockSite *site) {
  if (site->is_turn) return false;
  if (site->is_counted) return order_counts_in(order, write);
  return order_is_readers(order, write->access, site->is_shared) ||
         (!site->is_shared && !order_may_free(order, write, site));
}

// What one thread takes there, and what it writes here, are never one word.
static bool is_another_word(Order *order, const LockSite *taken, const Access *write) {
  Target word;
  if (!taken->is_fixed || !order_plain_target(order->anyone, write, &word) ||
      word.object != taken->target.object || taken->target.key)
    return false;
  return order_never(order, expr_eq(order->scan->pool, word.offset, taken->target.offset),
                     order_comes_to(order->anyone, write->inst), "is it the lock that this thread has taken");
}

static void find_effects(Order *order) {
  Scan *scan = order->scan;
  uint32_t count = scan->fn->insts.count + 1;
  order->takes = arena_array(scan->arena, count, uint64_t);
  order->ends = arena_array(scan->arena, count, uint64_t);
  order->may_end = arena_array(scan->arena, count, uint64_t);
  order->own_end = arena_array(scan->arena, count, uint64_t);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (ir_op_class((IrOp)scan->fn->insts.items[i].op) == IR_CLASS_CALL)
      order->may_end[i] = order->own_end[i] = UINT64_MAX;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    order->takes[site->access->inst] |= 1ull << s;
    order->turns |= (uint64_t)site->is_turn << s;
    for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
      const Access *access = row.access;
      if (access == site->access || never_frees(order, row.write, site)) continue;
      if (order_write_is(row.write, WRITE_IS_TO_IT)) order->ends[access->inst] |= 1ull << s;
      order->may_end[access->inst] |= 1ull << s;
      if (!is_another_word(order, site, access)) order->own_end[access->inst] |= 1ull << s;
    }
  }
}

// ---- is it a lock at all
// The write to this word gives back what is taken at this site, if that is held, and a lock. It is enough that the word written is
// held, whichever of the array it is.
static bool gives_back(Order *order, const WordWrite *row, const Target *word, const LockSite *site,
                       const LockSite *taken, bool has_readers) {
  const Access *write = row->access;
  return taken->is_disciplined && taken->is_turn == site->is_turn && taken->is_counted == site->is_counted &&
         // Readers count themselves out, and nobody else does.
         taken->is_shared == (has_readers && order_counts_out(row)) &&
         (site->is_turn || taken->free_value == site->free_value) && !taken->bits == !site->bits &&
         (!taken->bits || order_clears_mask(order, write, taken)) &&
         order_is_same_target(word, &taken->target);
}

// On all paths to the write, or whoever comes there has taken it on one of them.
static bool is_freed_by_holder(Order *order, const LockSite *site, const WordWrite *row, const Target *word) {
  uint32_t write = row->access->inst;
  bool has_readers = false, is_sure = true;
  uint64_t held = 0, stays = 0;
  ExprRef not_taken = expr_bool(order->scan->pool, true);
  for (uint32_t s = 0; s < order->lock_count; s++)
    has_readers |= order->locks[s].is_shared;
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (gives_back(order, row, word, site, &order->locks[s], has_readers)) {
      held |= 1ull << s;
      stays |= (uint64_t)order_address_stays(order, &order->locks[s], write) << s;
    }
  for (int c = -1; order_next_class(order, write, &c);)
    is_sure &= (order_held_before(order, c, write, true) & held & stays) != 0;
  for (uint32_t s = 0; s < order->lock_count && !is_sure; s++)
    if (held >> s & 1)
      not_taken = expr_and(order->scan->pool, not_taken, order_has_not_taken(order, s, order->anyone, write));
  return is_sure || (!expr_is_true(order->scan->pool, not_taken) &&
                     order_never(order, not_taken, order_comes_to(order->anyone, write),
                                 "is it given back by who has not taken it"));
}

// Whichever of the words it is to that may be the lock's.
static bool are_freed_by_holder(Order *order, const LockSite *site, const WordWrite *row) {
  SymValue address = frame_value(order->anyone, row->access->address);
  bool are_held = address.kind == SYM_POINTER && order_write_is(row, WRITE_FITS);
  for (uint32_t i = 0; are_held && i < address.target_count; i++)
    are_held = address.targets[i].object != site->target.object ||
               is_freed_by_holder(order, site, row, &address.targets[i]);
  return are_held;
}

static void check_discipline(Order *order, LockSite *site) {
  const Scan *scan = order->scan;
  site->is_opened = false;
  uint64_t bit = 1ull << (site - order->locks);
  bool is_undone = order_all_count_out(order, site),
       is_lock = !scan->has_opaque && !order->has_too_many_locks &&
                 (is_undone || !order_mixes_readers(order, site));
  for (WordRow row = {order_word_of_lock(order, site), .is_in_text = true}; order_next_row(&row);) {
    const Access *write = row.access;
    if (!(order->may_end[write->inst] & bit) || order_sets_up(order, site, row.write)) continue;
    site->is_released = true;
    if (is_undone || are_freed_by_holder(order, site, row.write)) continue;
    bool opens = !site->is_opened && !site->is_counted &&
                 order_write_is(row.write, WRITE_FITS | WRITE_IS_STRONG) &&
                 order_opens(order, site, row.write);
    site->is_opened |= opens;
    if (opens) continue;
    is_lock = false;
    site->breaking_inst = write->inst;
  }
  site->is_disciplined = is_lock;
}

// Two lanes of one warp read the same address.
static bool is_of_warp(Order *order, const LockSite *site) {
  if (site->is_of_block) return true;
  if (!site->is_fixed) // in the same round, of which order_address_stays knows
    return !site->target.key && !site->target.condition && uniform_ref(order->scan, site->access->address);
  return order_is_word_of_warp(order, site->access, 0);
}

// Who holds what turns out to be no lock gives nothing back by its writes: to be asked again as long as any are
// dropped.
static void keep_locks(Order *order) {
  for (uint32_t s = 0; s < order->lock_count; s++)
    order->locks[s].is_disciplined = true;
  for (bool is_first = true, changed = true; changed; is_first = false) {
    changed = false;
    for (uint32_t s = 0; s < order->lock_count; s++) {
      LockSite *site = &order->locks[s];
      if (!site->is_disciplined) continue;
      check_discipline(order, site);
      if (is_first && site->is_turn)
        site->is_disciplined = site->is_disciplined && order_is_turn(order, site);
      changed |= !site->is_disciplined;
      bool is_none = !site->is_disciplined && (site->is_turn || site->is_counted); // a flag, a counter
      order->dropped |= (uint64_t)is_none << s;
    }
  }
}

void order_find_locks(Order *order) {
  order_make_permissions(order);
  find_sites(order);
  order_find_turns(order);
  order_find_asked(order);
  if (!order->lock_count) return;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    LockSite *site = &order->locks[s];
    Target word = site->target;
    word.condition = 0;
    Lasting lasting = order_lasts(order->scan, &word),
            of_parts[] = {site->bits ? order_value_lasts(order->scan, site->mask) : LASTS_IN_BLOCK,
                          site->target.condition ? order_value_lasts(order->scan, site->target.condition)
                                                 : LASTS_IN_BLOCK};
    for (int i = 0; i < 2; i++)
      if (of_parts[i] < lasting) lasting = of_parts[i];
    site->is_fixed = lasting != LASTS_NOT;
    site->is_of_block = lasting == LASTS_IN_BLOCK;
    bool is_mask_of_all = !site->bits || expr_is_const(order->scan->pool, site->mask, NULL);
    site->is_of_warp = is_mask_of_all ? is_of_warp(order, site) : site->is_of_block;
  }
  find_effects(order);
  order_find_lock_status(order);
  order_flow_locks(order);
  keep_locks(order);
  order_keep_asked(order);
}

// ---- misuse
bool order_holds_word(const Order *order, const Access *access, uint32_t *held) {
  ASSERT(scan_has_access(order->scan, access));
  const LockSite *own = order_site_of(order, access);
  bool any = false;
  for (int c = -1; order_next_class(order, access->inst, &c);) {
    uint64_t locks = order_held_before(order, c, access->inst, true);
    bool holds = false;
    for (uint32_t s = 0; s < order->lock_count; s++) {
      const LockSite *site = &order->locks[s];
      if (!(locks >> s & 1) || !site->is_fixed || site->target.condition ||
          site->mask != (own ? own->mask : 0) || !order_is_same_word(order, access, &site->target))
        continue;
      holds = true;
      *held = site->access->inst;
    }
    if (!holds) return false;
    any = true;
  }
  return any;
}

bool order_gives_back(const Order *order, const LockSite *site, uint32_t inst) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(scan_has_inst(order->scan, inst));
  return order->ends[inst] >> (site - order->locks) & 1;
}

bool order_may_hold(Order *order, const LockSite *site, const Access *write) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(scan_has_access(order->scan, write));
  const Scan *scan = order->scan;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    if (!order_may_touch(order, order->locks[s].access, &site->target, site->access->bytes)) continue;
    bool is_other = is_another_word(order, &order->locks[s], write);
    for (int class = 0; class < CLASS_COUNT; class ++) {
      if (!is_other && (order_held_before(order, class, write->inst, false) >> s & 1)) return true;
      for (uint32_t i = 0; i < scan->fn->insts.count; i++) // handed on at a barrier
        if (arrivals_is_barrier(scan, i) && (order_held_before(order, class, i, false) >> s & 1)) return true;
    }
  }
  bool is_shared = scan->objects.items[site->target.object].kind == OBJ_SHARED;
  return is_shared && order_is_before_all(order, write, site->access); // sets it up
}
