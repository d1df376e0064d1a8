// Which values say that a thread holds a lock? Often what an operation returned is not looked at on the spot:
// `bool got = atomicCAS(lock, 0, 1) == 0;` is kept in a variable, merged with what earlier tries gave, left
// in shared memory for the block, or handed to the other lanes by a shuffle, and tested later. Method: a
// status value is such a one, with the truth value that says yes; the data flow of order_lockset.c keeps for
// each one whether, at this place, "it says yes" implies "the lock is held". Soundness: where the value is
// known to say no, that holds as well; the write that gives the lock back, and another try, end it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- what is known of a value
// The status that the value is, for this lock; LOCK_LIMIT: none.
static uint32_t find_status(const Order *order, IrRef value, bool when, uint32_t s) {
  for (uint32_t r = 0; r < order->status_count; r++) {
    const LockStatus *status = &order->statuses[r];
    if (!status->store && IR_REF(IR_REF_INST, status->inst) == value && status->when == when &&
        status->site == s)
      return r;
  }
  return LOCK_LIMIT;
}

// What the value says of the lock, if its truth value is `when`: the status that it is, or LOCK_LIMIT; that its operation took it
// (BY_TEST); or nothing.
enum { BY_TEST = LOCK_LIMIT + 1 };
static uint32_t find_said(const Order *order, IrRef ref, bool when, uint32_t s) {
  EdgeTest test;
  if (!order_truth_test(order->scan, ref, when, &test)) return LOCK_LIMIT;
  if (order_test_of_site(order, &order->locks[s], &test) > 0) return BY_TEST;
  return order_is_truth_test(order->scan, &test) ? find_status(order, test.value, test.pred == IR_NE, s)
                                                 : LOCK_LIMIT;
}

// Does the value surely say no?
static bool denies(const Order *order, const LockFacts *facts, IrRef ref, bool when, uint32_t s) {
  int64_t value = 0;
  if (ir_const_value(order->scan->fn, ref, &value)) return (value != 0) != when;
  uint32_t r = find_said(order, ref, when, s);
  return r < LOCK_LIMIT && (facts->no >> r & 1);
}

// If the truth value of `ref` is `when`, the lock is held.
static bool implies(const Order *order, const LockFacts *facts, IrRef ref, bool when, uint32_t s) {
  if ((facts->held >> s & 1) || denies(order, facts, ref, when, s)) return true;
  uint32_t r = find_said(order, ref, when, s);
  return r == BY_TEST ? facts->pending >> s & 1 : r < LOCK_LIMIT && (facts->told >> r & 1);
}

static void set_told(LockFacts *facts, uint32_t r, bool told, bool denied) {
  uint64_t bit = 1ull << r;
  facts->told = told || denied ? facts->told | bit : facts->told & ~bit;
  facts->no = denied ? facts->no | bit : facts->no & ~bit;
}

// ---- along a path
static bool is_told_by(const Order *order, int class, const LockStatus *status, const LockFacts *facts) {
  const IrInst *inst = &order->scan->fn->insts.items[status->inst];
  uint32_t s = status->site;
  bool when = status->when;
  switch (status->kind) {
  case STATUS_NONE:
  case STATUS_MERGED: return false; // by the edge (order_merge_lock_status)
  case STATUS_CHOSEN:
    return (implies(order, facts, inst->ops[0], true, s) || implies(order, facts, inst->ops[1], when, s)) &&
           (implies(order, facts, inst->ops[0], false, s) || implies(order, facts, inst->ops[2], when, s));
  case STATUS_BOTH:
  case STATUS_EITHER: {
    bool one = implies(order, facts, inst->ops[0], when, s),
         two = implies(order, facts, inst->ops[1], when, s);
    return (status->kind == STATUS_BOTH) == when ? one || two : one && two;
  }
  // The first lane hands it to itself as well.
  case STATUS_HANDED: return class != CLASS_OTHERS && implies(order, facts, inst->ops[1], when, s);
  case STATUS_LOADED:
    for (uint32_t r = 0; r < order->status_count && class == CLASS_LEADER; r++)
      if (order->statuses[r].store && order->statuses[r].load == status->inst && order->statuses[r].site == s)
        return facts->told >> r & 1;
    return false;
  }
  return false;
}

void order_pass_lock_status(const Order *order, int class, uint32_t inst, LockFacts *facts) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_has_inst(order->scan, inst));
  for (uint32_t r = 0; r < order->status_count; r++) {
    const LockStatus *status = &order->statuses[r];
    const IrInst *info = &order->scan->fn->insts.items[inst];
    if (status->store && status->store->inst == inst)
      set_told(facts, r, implies(order, facts, info->ops[1], status->when, status->site), false);
    else if (!status->store && status->inst == inst && status->kind != STATUS_MERGED)
      set_told(facts, r, is_told_by(order, class, status, facts), false);
  }
}

void order_test_lock_status(const Order *order, const EdgeTest *test, LockFacts *facts) {
  ASSERT(test);
  if (!order->status_count || !order_is_truth_test(order->scan, test)) return;
  for (uint32_t r = 0; r < order->status_count; r++) {
    const LockStatus *status = &order->statuses[r];
    if (status->store || IR_REF(IR_REF_INST, status->inst) != test->value) continue;
    if (status->when != (test->pred == IR_NE))
      set_told(facts, r, true, true);
    else if (facts->told >> r & 1)
      facts->held |= 1ull << status->site;
  }
}

void order_merge_lock_status(const Order *order, uint32_t from, uint32_t to, LockFacts *facts) {
  ASSERT(scan_has_block(order->scan, from));
  ASSERT(scan_has_block(order->scan, to));
  const LockFacts before = *facts;
  for (uint32_t r = 0; r < order->status_count; r++) {
    const LockStatus *status = &order->statuses[r];
    const IrInst *phi = &order->scan->fn->insts.items[status->inst];
    if (status->store || status->kind != STATUS_MERGED || phi->block != to) continue;
    for (uint32_t o = 0; o < phi->op_count; o++)
      if (phi->blocks[o] == from)
        set_told(facts, r, implies(order, &before, phi->ops[o], status->when, status->site),
                 denies(order, &before, phi->ops[o], status->when, status->site));
  }
}

// ---- which values they are
// Does the value say something of the lock, directly or by another status?
static bool speaks_of(const Order *order, IrRef ref, bool when, uint32_t s) {
  return ir_ref_kind(ref) == IR_REF_INST && find_said(order, ref, when, s) != LOCK_LIMIT;
}

static const uint8_t receipt_kinds[IR_OP_COUNT] = {
    [IR_PHI] = STATUS_MERGED, [IR_SELECT] = STATUS_CHOSEN,  [IR_AND] = STATUS_BOTH,
    [IR_OR] = STATUS_EITHER,  [IR_SHUFFLE] = STATUS_HANDED, [IR_LOAD] = STATUS_LOADED,
};

static bool add(Order *order, LockStatus status) {
  if (!status.store) status.kind = (StatusKind)receipt_kinds[inst_at(order->scan, status.inst)->op];
  if (order->status_count == LOCK_LIMIT) return false; // fewer proofs
  order->statuses[order->status_count++] = status;
  return true;
}

static bool add_loaded(Order *order, uint32_t index, uint32_t s) {
  const Access *load = operation_access(order->scan, index);
  const Access *store =
      load && !operation_is_strong(order->scan, load) ? order_find_carrier(order, load, false) : NULL;
  const IrInst *inst = store ? &order->scan->fn->insts.items[store->inst] : NULL;
  if (!inst || !speaks_of(order, inst->ops[1], true, s)) return false;
  return add(order, (LockStatus){.inst = index, .when = true, .site = s}) &&
         add(order, (LockStatus){.store = store, .load = index, .when = true, .site = s});
}

// Made of constants on paths that say who holds the lock (`if (got) done = true;`), and looked at, or a truth value.
static bool is_mark(const Scan *scan, uint32_t index) {
  const IrInst *phi = &scan->fn->insts.items[index];
  int64_t value = 0;
  bool says_yes = false, is_looked_at = phi->type.bits == 1;
  for (uint32_t o = 0; o < phi->op_count && phi->op == IR_PHI && phi->type.kind == IR_INT; o++)
    says_yes |= ir_const_value(scan->fn, phi->ops[o], &value) && value != 0;
  EdgeTest test;
  for (OrderEdge e = {0}; says_yes && !is_looked_at && order_next_edge(scan->cfg, &e);)
    is_looked_at = order_edge_test(scan, e.from, e.to, &test) && test.value == IR_REF(IR_REF_INST, index) &&
                   order_is_truth_test(scan, &test);
  return says_yes && is_looked_at;
}

static bool add_value(Order *order, uint32_t index, bool when, uint32_t s) {
  const IrInst *inst = &order->scan->fn->insts.items[index];
  if (inst->type.kind != IR_INT || find_status(order, IR_REF(IR_REF_INST, index), when, s) < LOCK_LIMIT)
    return false;
  switch ((StatusKind)receipt_kinds[inst->op]) {
  case STATUS_MERGED:
  case STATUS_CHOSEN:
  case STATUS_BOTH:
  case STATUS_EITHER: break;
  case STATUS_HANDED:
    if (!order_is_of_first_lane(order->scan, index) || !speaks_of(order, inst->ops[1], when, s)) return false;
    return add(order, (LockStatus){.inst = index, .when = when, .site = s});
  case STATUS_LOADED: return when && order->scan->alike.is_broadcast[index] && add_loaded(order, index, s);
  case STATUS_NONE: return false;
  }
  if (inst->op == IR_AND && !when && inst->type.bits != 1) return false; // no bit that both have
  if (when && is_mark(order->scan, index))
    return add(order, (LockStatus){.inst = index, .when = true, .site = s});
  for (uint32_t o = 0; o < inst->op_count; o++)
    if (speaks_of(order, inst->ops[o], when, s))
      return add(order, (LockStatus){.inst = index, .when = when, .site = s});
  return false;
}

void order_find_lock_status(Order *order) {
  const Scan *scan = order->scan;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < scan->fn->insts.count; i++)
      for (uint32_t s = 0; s < order->lock_count; s++)
        if (scan->cfg->rpo_number[scan->fn->insts.items[i].block] != CFG_NONE && !order->locks[s].is_turn) {
          changed |= add_value(order, i, true, s);
          changed |= add_value(order, i, false, s);
        }
  }
}

bool order_is_lock_status(const Order *order, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  for (uint32_t r = 0; r < order->status_count; r++)
    if (!order->statuses[r].store && order->statuses[r].inst == inst) return true;
  return false;
}

// ---- what they say to a group
// Whoever makes the access has found that the value says yes.
static bool is_found(const Order *order, const LockStatus *status, const Access *access) {
  const Scan *scan = order->scan;
  for (uint32_t from = inst_at(scan, access->inst)->block, to; order_edge_above(scan, &from, &to);) {
    EdgeTest test;
    if (!order_edge_test(scan, from, to, &test) || !order_is_truth_test(scan, &test)) continue;
    if (test.value == IR_REF(IR_REF_INST, status->inst) && status->when == (test.pred == IR_NE)) return true;
  }
  return false;
}

// The thread has read it since the last barrier, so the leader left it there before.
static bool is_read_since(Order *order, uint32_t load, const Access *access) {
  for (OrderInterval i = {0}; order_next_interval(order, access, &i);)
    if (i.is_entry || order_leads_to(order, i.point->inst, access->inst, load)) return false;
  return true;
}

// All lanes have the same one: the warp has met since, and none has had another one meanwhile.
static bool is_of_this_round(Order *order, uint32_t shuffle, const Access *access) {
  for (OrderInterval i = {.is_of_warp = true}; order_next_interval(order, access, &i);)
    if (i.is_entry || i.nodes[node_of_inst(order->scan, shuffle)]) return false;
  return true;
}

uint64_t order_lock_status_at(Order *order, const Access *access) {
  ASSERT(scan_has_access(order->scan, access));
  uint64_t found = 0;
  for (uint32_t r = 0; r < order->status_count; r++) {
    const LockStatus *status = &order->statuses[r];
    if (status->store) {
      uint32_t load = find_status(order, IR_REF(IR_REF_INST, status->load), true, status->site);
      if (found >> load & 1) found |= 1ull << r; // which was added before it
      continue;
    }
    const IrInst *inst = &order->scan->fn->insts.items[status->inst];
    if ((inst->op != IR_LOAD && inst->op != IR_SHUFFLE) || !is_found(order, status, access)) continue;
    bool is_of_all = inst->op == IR_LOAD ? is_read_since(order, status->inst, access)
                                         : is_of_this_round(order, status->inst, access);
    if (is_of_all) found |= 1ull << r;
  }
  return found;
}
