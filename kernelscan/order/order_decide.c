// Two accesses can touch a common byte between the same barriers: do locks, flags or counters keep them
// apart, is that ruled out, or is it open? Method: locks, then flags and counters; what is left is a race if
// nothing that a thread reads strongly decides whether the accesses are made (then both threads can be
// stopped just before them), or if on no way one of them is released and the other one acquired. Soundness:
// PROTECTED is proved; UNPROTECTED is said only where no order is possible or the missing part is named; all
// else is UNKNOWN.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/operations.h"
#include "kernelscan/phases.h"

#include <string.h>

// ---- is any order possible
// Of two gaps that are as large, one whose operation is not among the accesses in question is named.
static void take_smaller(Gap *best, Gap gap, const uint32_t own[2]) {
  bool is_own = best->operation == own[0] || best->operation == own[1];
  if (gap.kind > best->kind || (gap.kind == best->kind && is_own)) *best = gap;
}

// Can one thread of the class execute both, or hand over to another thread at a barrier in between?
static bool is_in_reach(const Order *order, int class, uint32_t from, uint32_t to, Couple couple) {
  const Scan *scan = order->scan;
  const IrInst *insts = scan->fn->insts.items;
  if (!order_reaches_in(scan, from, to, couple)) return false;
  if (order->is_reached[class][insts[from].block] && order->is_reached[class][insts[to].block]) return true;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (arrivals_is_barrier(scan, i) && !order_separates(scan, i, couple) &&
        order_reaches_in(scan, from, i, couple) && order_reaches_in(scan, i, to, couple))
      return true;
  return false;
}

// The smallest gap in one half of an order, for threads of the class: an operation behind the access that tells others
// of it, or one before it that learns of others; one of those that may hear of the other access (`heard`).
static Gap smallest_gap(const Order *order, int class, Half half, const uint32_t own[2], Couple couple,
                        const uint8_t *heard) {
  const Scan *scan = order->scan;
  uint32_t inst = own[0];
  bool releases = order_is_release(half);
  Gap best = {.half = half, .operation = CFG_NONE};
  for (uint32_t a = 0; a < scan->accesses.count && best.kind < GAP_NONE; a++) {
    const Access *operation = &scan->accesses.items[a];
    uint32_t at = operation->inst;
    bool is_it = releases ? order_may_release(scan, operation) && is_in_reach(order, class, inst, at, couple)
                          : heard[a] && order_may_acquire(scan, operation) && operation_is_used(scan, at) &&
                                is_in_reach(order, class, at, inst, couple);
    if (!is_it) continue;
    bool is_of_one = releases && class == CLASS_LEADER && order_only_leader(order, at);
    Gap gap = {
        .half = half, .access = inst, .operation = at, .needed = operation_scope_needed(couple.extent)};
    take_smaller(&best, order_gap_on_all_ways(scan, gap, couple, is_of_one), own);
  }
  return best;
}

// By thread and class: what is missing of a release behind its access, and of an acquire before it; and whether
// what thread t tells can come to the other one at all, over words that both sides name.
typedef struct Parts {
  Gap release[2][CLASS_COUNT], acquire[2][CLASS_COUNT];
  bool is_linked[2];
  bool is_relayed[2]; // with a hop of block scope
} Parts;

static Parts find_parts(Order *order, const OrderQuestion *question) {
  Parts parts = {0};
  Couple couple = order_couple(question);
  uint32_t insts[2] = {question->instances[0]->access->inst, question->instances[1]->access->inst};
  uint8_t *heard = arena_array(order->scan->arena, order->scan->accesses.count + 1, uint8_t);
  for (int t = 0; t < 2; t++) {
    parts.is_linked[t] = order_may_communicate(order, insts[t], insts[1 - t], heard);
    // What looks at words that nobody tells by is named as such.
    if (!parts.is_linked[t]) memset(heard, 1, order->scan->accesses.count);
    for (int class = 0; class < CLASS_COUNT; class ++) {
      const uint32_t sides[2][2] = {{insts[t], insts[1 - t]}, {insts[1 - t], insts[t]}};
      parts.release[t][class] = smallest_gap(order, class, HALF_RELEASES, sides[0], couple, NULL);
      parts.acquire[1 - t][class] = smallest_gap(order, class, HALF_ACQUIRES, sides[1], couple, heard);
    }
  }
  return parts;
}

static bool is_narrow(Gap gap) {
  return gap.kind == GAP_SCOPE || gap.kind == GAP_NARROW_FENCE;
}

// A part of block scope will do where a third thread hands on.
static void find_relays(Order *order, const OrderQuestion *question, Parts *parts) {
  uint32_t insts[2] = {question->instances[0]->access->inst, question->instances[1]->access->inst};
  bool any = false;
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++)
      any |= is_narrow(parts->release[t][class]) || is_narrow(parts->acquire[t][class]);
  for (int t = 0; t < 2 && any && extent_is_between_blocks(question->extent); t++)
    parts->is_relayed[t] = parts->is_linked[t] && order_may_relay(order, insts[t], insts[1 - t], false);
}

static bool may_be_ordered(const Parts *parts, int one, int two) {
  return parts->is_relayed[0] || parts->is_relayed[1] ||
         (parts->is_linked[0] && parts->release[0][one].kind == GAP_NONE &&
          parts->acquire[1][two].kind == GAP_NONE) ||
         (parts->is_linked[1] && parts->release[1][two].kind == GAP_NONE &&
          parts->acquire[0][one].kind == GAP_NONE);
}

static bool is_class_of(const Order *order, const OrderQuestion *question, int thread, int class) {
  uint32_t inst = question->instances[thread]->access->inst;
  return order->is_reached[class][order->scan->fn->insts.items[inst].block];
}

// Condition that the threads are of classes for which no order is possible.
static ExprRef unordered_classes(Order *order, const OrderQuestion *question, const Parts *parts) {
  Scan *scan = order->scan;
  ExprRef any = expr_bool(scan->pool, false);
  bool is_all = true;
  for (int one = 0; one < CLASS_COUNT; one++)
    for (int two = 0; two < CLASS_COUNT; two++) {
      if (!is_class_of(order, question, 0, one) || !is_class_of(order, question, 1, two)) continue;
      is_all &= !may_be_ordered(parts, one, two);
      if (may_be_ordered(parts, one, two)) continue;
      ExprRef first = order_class_condition(scan, question->instances[0]->frame->view, one),
              second = order_class_condition(scan, question->instances[1]->frame->view, two);
      any = expr_or(scan->pool, any, expr_and(scan->pool, first, second));
    }
  return is_all ? expr_bool(scan->pool, true) : any;
}

// A third thread would hand on what the first one does, if both acquired what they read.
static bool relays_but_hears_not(Order *order, const OrderQuestion *question, int t) {
  uint32_t insts[2] = {question->instances[0]->access->inst, question->instances[1]->access->inst};
  return order_may_relay(order, insts[t], insts[1 - t], true);
}

// Of an atomic operation and a plain access, or of a volatile word that no protocol guards, the operation
// itself is all that could tell: that they are not both atomic says more.
static bool is_own_operation(const Scan *scan, const OrderQuestion *question, Gap release, Gap acquire) {
  bool any = false;
  for (int t = 0; t < 2; t++) {
    const Access *access = question->instances[t]->access;
    any |= operation_is_strong(scan, access) &&
           (access->inst == release.operation || access->inst == acquire.operation);
  }
  return any;
}

// Nobody of any class is ordered with anybody: which part is missing where most is there?
static void name_cause(Order *order, const OrderQuestion *question, const Parts *parts, OrderAnswer *answer) {
  const Scan *scan = order->scan;
  bool is_whole = false;
  for (int t = 0; t < 2; t++)
    for (int one = 0; one < CLASS_COUNT; one++)
      for (int two = 0; two < CLASS_COUNT; two++) {
        if (!is_class_of(order, question, t, one) || !is_class_of(order, question, 1 - t, two)) continue;
        Gap release = parts->release[t][one], acquire = parts->acquire[1 - t][two];
        bool is_pair = t ? may_be_ordered(parts, two, one) : may_be_ordered(parts, one, two);
        bool is_one_leader = !extent_is_between_blocks(question->extent) && one == CLASS_LEADER && two == one;
        if (is_pair || is_one_leader) continue; // the others are what is asked about
        is_whole |= release.kind == GAP_NONE && acquire.kind == GAP_NONE;
        if (!parts->is_linked[t] || answer->cause) continue;
        bool is_narrow_hop = extent_is_between_blocks(question->extent) && is_narrow(release) &&
                             (acquire.kind == GAP_FENCE || acquire.kind == GAP_NARROW_FENCE);
        if (is_narrow_hop && relays_but_hears_not(order, question, t)) {
          release.kind = GAP_NONE;
          acquire.kind = GAP_FENCE;
        }
        if (is_own_operation(scan, question, release, acquire) || release.kind == GAP_OPERATION ||
            acquire.kind == GAP_OPERATION)
          continue;
        MissingPart missing = order_name_gap(scan, order_larger_gap(release, acquire));
        answer->cause = missing.cause;
        answer->text = missing.text;
      }
  const Instance *const *sides = question->instances;
  // Of two atomic operations, the scope of their own says more.
  if (sides[0]->access->kind == ACCESS_ATOMIC && sides[1]->access->kind == ACCESS_ATOMIC)
    answer->cause = answer->text = NULL;
  if (answer->cause || !is_whole) return;
  answer->cause = "different-flags";
  answer->text =
      "the word that one thread sets behind its access is not the one that the other thread looks at";
}

static bool order_is_impossible(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  Scan *scan = order->scan;
  Parts parts = find_parts(order, question);
  find_relays(order, question, &parts);
  ExprRef condition = unordered_classes(order, question, &parts);
  if (expr_is_false(scan->pool, condition)) return false;
  if (expr_is_true(scan->pool, condition)) {
    name_cause(order, question, &parts, answer);
    return true;
  }
  Goal goal = goal_copy(scan, question->goal);
  goal_add(scan, &goal, condition, GOAL_CONFLICT, 0);
  SolverAnswer model =
      goal_decide(scan, &goal, arena_printf(scan->arena, "%s, nobody tells", question->name));
  if (model.verdict != VERDICT_RACE) return false;
  answer->witness = arena_copy(scan->arena, &model, sizeof model);
  OrderAnswer named = {0};
  name_cause(order, question, &parts, &named);
  bool is_part = named.cause && strcmp(named.cause, "different-flags") != 0;
  answer->cause = is_part ? named.cause : "missing-barrier";
  answer->text =
      is_part ? named.text
              : "the thread that tells others about the access has not waited for the thread that makes it";
  return true;
}

// Neither thread has learned anything before its access, in some model of the question.
static bool has_no_acquire(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  uint8_t all = 0;
  SolverAnswer model;
  for (int t = 0; t < 2; t++)
    all |= order_gates(order, question->instances[t]->access->inst, order_couple(question));
  bool with_memory = (all & TAINT_MEMORY) && order_values_escape(order);
  if (!extent_is_between_blocks(question->extent) ||
      !order_has_no_acquire(order, question, with_memory, &model))
    return false;
  *answer = (OrderAnswer){
      .verdict = ORDER_UNPROTECTED,
      .text = "neither of the two threads has read anything before that could tell it of the other",
      .witness = arena_copy(order->scan->arena, &model, sizeof model)};
  return true;
}

// One of the two releases a word behind its access, and neither acquires anything before: as if a lock were
// given back that nobody has taken.
static void name_release(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  Parts parts = find_parts(order, question);
  Gap release = {.operation = CFG_NONE};
  const uint32_t own[2] = {question->instances[0]->access->inst, question->instances[1]->access->inst};
  if (answer->cause || answer->text || !extent_is_between_blocks(question->extent)) return;
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++) {
      if (parts.acquire[t][class].kind != GAP_OPERATION ||
          operation_is_strong(order->scan, question->instances[t]->access))
        return;
      take_smaller(&release, parts.release[t][class], own);
    }
  if (release.kind != GAP_NONE) return;
  answer->cause = "nobody-acquires";
  answer->text = arena_printf(
      order->scan->arena,
      "the operation at line %u releases what was done before, as if a lock were given back there, "
      "but neither thread acquires anything before its access",
      operation_line(order->scan, release.operation));
}

static OrderAnswer conclude(Order *order, const OrderQuestion *question, OrderAnswer answer) {
  bool escapes = order_values_escape(order);
  uint8_t all = 0, carried = TAINT_MEMORY;
  for (int t = 0; t < 2; t++) {
    uint8_t gates = order_gates(order, question->instances[t]->access->inst, order_couple(question));
    carried &= gates;
    all |= gates;
  }
  if ((all & TAINT_MEMORY) && escapes) all |= TAINT_STRONG;
  answer.verdict = ORDER_UNPROTECTED;
  if (!(all & TAINT_STRONG)) {
    name_release(order, question, &answer);
    return answer;
  }
  // Two results of atomics that reach both threads through memory: whether both can be so is not asked
  // anywhere.
  bool may_exclude = carried && escapes;
  if (!may_exclude && order_is_impossible(order, question, &answer)) return answer;
  if (has_no_acquire(order, question, &answer)) return answer;
  return (OrderAnswer){.text =
                           "what the kernel reads in between may order them in a way that is not understood"};
}

// Only who drew one certain number comes to the block: one thread in each round of a counter.
static bool is_for_one_number(const Scan *scan, uint32_t block) {
  for (uint32_t from = block, to; order_edge_above(scan, &from, &to);) {
    EdgeTest test;
    if (!order_edge_test(scan, from, to, &test) || test.pred != IR_EQ) continue;
    uint32_t root = order_find_root(scan, test.value);
    const Access *draw = root == CFG_NONE ? NULL : operation_access(scan, root);
    if (draw && order_amount(scan, draw) == 1) return true;
  }
  return false;
}

// The store stands behind a wait for a certain value of the word: a turn that is passed on.
static bool is_in_turn(Order *order, const Access *write) {
  const IrInst *insts = order->scan->fn->insts.items;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    if (site->is_turn && site->awaited.pred == IR_EQ &&
        cfg_dominates(order->scan->cfg, insts[site->access->inst].block, insts[write->inst].block) &&
        order_may_touch(order, write, &site->target, site->access->bytes))
      return true;
  }
  return false;
}

// Two stores of two threads to one word, of different values, and neither numbers that were drawn nor waits
// for a turn say who: of two counts, or two flags, one may be lost.
static bool is_lost_update(Order *order, const OrderQuestion *question) {
  const Access *sides[2] = {question->instances[0]->access, question->instances[1]->access};
  const Scan *scan = order->scan;
  int64_t values[2];
  bool is_same = true, is_given = true;
  for (int t = 0; t < 2; t++) {
    const IrInst *store = &scan->fn->insts.items[sides[t]->inst];
    if (sides[t]->kind != ACCESS_WRITE || store->op != IR_STORE) return false;
    is_same &= operation_stored_constant(scan, sides[t], &values[t]);
    is_given &= is_for_one_number(scan, store->block) || is_in_turn(order, sides[t]);
  }
  return !is_given && (!is_same || values[0] != values[1]);
}

// Two threads write the word, and neither has waited for anything before: no protocol says which comes first.
static bool has_no_acquire_before_write(Order *order, const OrderQuestion *question) {
  for (int t = 0; t < 2; t++) {
    const Access *access = question->instances[t]->access;
    if (access->kind == ACCESS_READ || operation_is_only_read(order->scan, access) ||
        (order_gates(order, access->inst, order_couple(question)) & (TAINT_LOCK | TAINT_STRONG)))
      return false;
  }
  return true;
}

// Operations on the word of a lock, or on a flag that is waited for: strong, of one width, of sufficient
// scope.
static bool is_protocol(Order *order, const OrderQuestion *question) {
  const Access *one = question->instances[0]->access, *two = question->instances[1]->access;
  IrScope needed = operation_scope_needed(question->extent);
  const Scan *scan = order->scan;
  if (!operation_is_strong(scan, one) || !operation_is_strong(scan, two) || one->bytes != two->bytes)
    return false;
  if (operation_scope(scan, one) < needed || operation_scope(scan, two) < needed) return false;
  if (order_is_signal_word(order, one) && order_is_signal_word(order, two))
    return !is_lost_update(order, question) && !has_no_acquire_before_write(order, question);
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    if (site->is_released && (!(site->is_turn || site->is_counted) || site->is_disciplined) &&
        order_may_touch(order, one, &site->target, site->access->bytes) &&
        order_may_touch(order, two, &site->target, site->access->bytes))
      return true;
  }
  return false;
}

OrderAnswer order_decide(Scan *scan, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  OrderProof proof = {0};
  if (order_by_phases(scan, question, &proof))
    return (OrderAnswer){.verdict = ORDER_PROTECTED, .is_of_copies = true, .proof = proof};
  if (order_by_named(scan, question, &proof))
    return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = proof};
  Order *order = order_get(scan);
  bool is_possible =
      extent_is_between_blocks(question->extent) ? order->has_strong_global : order->has_strong_access;
  if (!is_possible) return (OrderAnswer){.verdict = ORDER_UNPROTECTED};
  if (is_protocol(order, question))
    return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = {.rule = ORDER_RULE_PROTOCOL_WORD}};
  OrderAnswer answer = order_by_pairs(order, question);
  if (answer.verdict != ORDER_UNKNOWN) return answer;
  if (answer.text && !answer.cause) {
    OrderAnswer without_acquire;
    return has_no_acquire(order, question, &without_acquire) ? without_acquire : answer;
  }
  OrderAnswer by_waits = order_by_waits(order, question);
  if (by_waits.verdict != ORDER_UNKNOWN) return by_waits;
  return conclude(order, question, answer);
}
