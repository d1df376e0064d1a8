// Two accesses can touch a common byte between the same barriers: do locks, flags or counters keep them
// apart, is that ruled out, or is it open? Method: locks, then flags and counters; what is left is a race if
// nothing that a thread reads strongly decides whether the accesses are made (then both threads can be
// stopped just before them), or if on no path one of them is released and the other one acquired. Soundness:
// PROTECTED is proved; UNPROTECTED is said only where no order is possible or the missing part is named; all
// else is UNKNOWN.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/facts.h"
#include "kernelscan/operations.h"
#include "kernelscan/phases.h"

#include <string.h>

// ---- is any order possible
// A link by which the one access may come before the other: an operation behind the first that releases it, one before the
// second that may acquire that; and the relaxation that it takes, which is what each half lacks.
typedef struct Link {
  Gap release, acquire;
} Link;

typedef VEC(Gap) Gaps;

// By thread and class: what operations may be such halves; and whether what thread t does can come to the other one with
// a hop of block scope.
typedef struct Halves {
  Gaps release[2][CLASS_COUNT], acquire[2][CLASS_COUNT];
  bool is_relayed[2];
} Halves;

static uint32_t inst_of(const OrderQuestion *question, int thread) {
  return question->instances[thread]->access->inst;
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

static Gaps find_gaps(const Order *order, int class, Half half, uint32_t inst, Couple couple) {
  const Scan *scan = order->scan;
  bool releases = order_is_release(half);
  Gaps gaps = {0};
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *operation = &scan->accesses.items[a];
    uint32_t at = operation->inst;
    bool is_it = releases ? order_may_release(scan, operation) && is_in_reach(order, class, inst, at, couple)
                          : order_may_acquire(scan, operation) && operation_is_used(scan, at) &&
                                is_in_reach(order, class, at, inst, couple);
    if (!is_it) continue;
    bool is_of_one = releases && class == CLASS_LEADER && order_only_leader(order, at);
    Gap gap = {
        .half = half, .access = inst, .operation = at, .needed = operation_scope_needed(couple.extent)};
    vec_push(scan->arena, &gaps, order_gap_on_all_ways(scan, gap, couple, is_of_one));
  }
  return gaps;
}

static Halves find_halves(Order *order, const OrderQuestion *question) {
  Halves halves = {0};
  Couple couple = order_couple(question);
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++) {
      halves.release[t][class] = find_gaps(order, class, HALF_RELEASES, inst_of(question, t), couple);
      halves.acquire[t][class] = find_gaps(order, class, HALF_ACQUIRES, inst_of(question, t), couple);
    }
  return halves;
}

// Of an atomic operation and a plain access, or of a volatile word that no protocol guards, the operation
// itself is all that could release: that they are not both atomic says more.
static bool is_own_operation(const Scan *scan, const OrderQuestion *question, const Link *link) {
  bool any = false;
  for (int t = 0; t < 2; t++) {
    uint32_t own = inst_of(question, t);
    any |= operation_is_strong(scan, question->instances[t]->access) &&
           (own == link->release.operation || own == link->acquire.operation);
  }
  return any;
}

static int kind_of(const Link *link, bool is_larger) {
  int release = (int)link->release.kind, acquire = (int)link->acquire.kind;
  return (release < acquire) == is_larger ? release : acquire;
}

// Whether the one link takes a smaller relaxation: its larger gap is smaller, or else the other one; or neither operation is
// one of the accesses in question.
static bool takes_less(const Scan *scan, const OrderQuestion *question, const Link *one, const Link *two) {
  for (int larger = 1; larger >= 0; larger--)
    if (kind_of(one, larger) != kind_of(two, larger)) return kind_of(one, larger) > kind_of(two, larger);
  return kind_of(one, true) > GAP_OPERATION && is_own_operation(scan, question, two) &&
         !is_own_operation(scan, question, one);
}

static const Access *access_of(const Scan *scan, const Gap *gap) {
  return operation_access(scan, gap->operation);
}

// Of threads of these classes: the link that takes the smallest relaxation; GAP_OPERATION: there is none. `any_word`: as if
// whoever looks at one word acquired what is released by another one.
static Link smallest_link(Order *order, const OrderQuestion *question, const Halves *halves, int first,
                          const int classes[2], bool any_word) {
  const Scan *scan = order->scan;
  const Access *own = question->instances[first]->access;
  const uint8_t *of_own = order_may_release(scan, own) ? order_acquirers(order, own) : NULL;
  const Gaps *releases = &halves->release[first][classes[first]],
             *acquires = &halves->acquire[1 - first][classes[1 - first]];
  Link best = {0};
  for (uint32_t i = 0; i < releases->count; i++) {
    const uint8_t *acquirers = order_acquirers(order, access_of(scan, &releases->items[i]));
    for (uint32_t j = 0; j < acquires->count; j++) {
      Link link = {releases->items[i], acquires->items[j]};
      size_t read = (size_t)(access_of(scan, &link.acquire) - scan->accesses.items);
      bool is_linked = any_word || acquirers[read] || (of_own && of_own[read]);
      if (is_linked && takes_less(scan, question, &link, &best)) best = link;
    }
  }
  return best;
}

static bool is_whole(const Link *link) {
  return kind_of(link, true) == GAP_NONE;
}

static bool is_narrow(Gap gap) {
  return gap.kind == GAP_SCOPE || gap.kind == GAP_NARROW_FENCE;
}

// A part of block scope will do where a third thread hands on.
static void find_relays(Order *order, const OrderQuestion *question, Halves *halves) {
  for (int t = 0; t < 2 && extent_is_between_blocks(question->extent); t++) {
    bool any = false;
    for (ClassPair p = {0}; order_next_classes(order, question, &p);) {
      Link link = smallest_link(order, question, halves, t, p.of, false);
      any |= kind_of(&link, true) > GAP_OPERATION && (is_narrow(link.release) || is_narrow(link.acquire));
    }
    halves->is_relayed[t] =
        any && order_may_relay(order, inst_of(question, t), inst_of(question, 1 - t), false);
  }
}

static bool may_be_ordered(Order *order, const OrderQuestion *question, const Halves *halves,
                           const int classes[2]) {
  if (halves->is_relayed[0] || halves->is_relayed[1]) return true;
  Link one = smallest_link(order, question, halves, 0, classes, false),
       two = smallest_link(order, question, halves, 1, classes, false);
  return is_whole(&one) || is_whole(&two);
}

// Condition that the threads are of classes for which no order is possible.
static ExprRef unordered_classes(Order *order, const OrderQuestion *question, const Halves *halves) {
  Scan *scan = order->scan;
  ExprRef any = expr_bool(scan->pool, false);
  bool is_all = true;
  for (ClassPair p = {0}; order_next_classes(order, question, &p);) {
    bool may_be = may_be_ordered(order, question, halves, p.of);
    is_all &= !may_be;
    if (!may_be) any = expr_or(scan->pool, any, order_classes_condition(scan, question, &p));
  }
  return is_all ? expr_bool(scan->pool, true) : any;
}

// The relaxation that orders the one before the other. A third thread would hand on what the first one does, if both
// acquired what they read: that is less than to widen a scope.
static Link relaxed_link(Order *order, const OrderQuestion *question, const Halves *halves, int first,
                         const int classes[2]) {
  Link link = smallest_link(order, question, halves, first, classes, false);
  bool is_hop = extent_is_between_blocks(question->extent) && is_narrow(link.release) &&
                (link.acquire.kind == GAP_FENCE || link.acquire.kind == GAP_NARROW_FENCE);
  if (is_hop && order_may_relay(order, inst_of(question, first), inst_of(question, 1 - first), true)) {
    link.release.kind = GAP_NONE;
    link.acquire.kind = GAP_FENCE;
  }
  return link;
}

// Nobody of any class is ordered with anybody: the cause is the smallest relaxation that would order somebody.
static void name_cause(Order *order, const OrderQuestion *question, const Halves *halves,
                       OrderAnswer *answer) {
  const Scan *scan = order->scan;
  bool is_of_other_word = false;
  Link best = {0};
  for (ClassPair p = {0}; order_next_classes(order, question, &p);) {
    bool is_one_leader =
        !extent_is_between_blocks(question->extent) && p.of[0] == CLASS_LEADER && p.of[1] == CLASS_LEADER;
    if (is_one_leader || may_be_ordered(order, question, halves, p.of)) continue; // others are asked about
    for (int t = 0; t < 2; t++) {
      Link link = relaxed_link(order, question, halves, t, p.of),
           of_any = smallest_link(order, question, halves, t, p.of, true);
      is_of_other_word |= is_whole(&of_any);
      if (!is_own_operation(scan, question, &link) && takes_less(scan, question, &link, &best)) best = link;
    }
  }
  const Instance *const *sides = question->instances;
  // Of two atomic operations, the scope of their own says more.
  bool are_atomic = sides[0]->access->kind == ACCESS_ATOMIC && sides[1]->access->kind == ACCESS_ATOMIC;
  if (kind_of(&best, true) > GAP_OPERATION && !are_atomic) {
    MissingPart missing = order_name_gap(scan, order_larger_gap(best.release, best.acquire));
    answer->cause = missing.cause;
    answer->text = missing.text;
  }
  if (answer->cause || !is_of_other_word) return;
  answer->cause = "different-flags";
  answer->text =
      "the word that one thread sets behind its access is not the one that the other thread looks at";
}

static bool order_is_impossible(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  Scan *scan = order->scan;
  Halves halves = find_halves(order, question);
  find_relays(order, question, &halves);
  ExprRef condition = unordered_classes(order, question, &halves);
  if (expr_is_false(scan->pool, condition)) return false;
  if (expr_is_true(scan->pool, condition)) {
    name_cause(order, question, &halves, answer);
    return true;
  }
  answer->witness = order_model(scan, question, condition, "nobody tells");
  if (!answer->witness) return false;
  OrderAnswer named = {0};
  name_cause(order, question, &halves, &named);
  bool is_part = named.cause && strcmp(named.cause, "different-flags") != 0;
  answer->cause = is_part ? named.cause : "missing-barrier";
  answer->text =
      is_part ? named.text
              : "the thread that tells others about the access has not waited for the thread that makes it";
  return true;
}

static uint8_t gates_of(Order *order, const OrderQuestion *question, int thread) {
  return order_gates(order, inst_of(question, thread), order_couple(question));
}

// Neither thread has acquired anything before its access, in some model of the question.
static bool has_no_acquire(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  bool with_memory = (gates_of(order, question, 0) | gates_of(order, question, 1)) & TAINT_MEMORY &&
                     order_values_escape(order);
  const SolverAnswer *model =
      extent_is_between_blocks(question->extent) ? order_no_acquire(order, question, with_memory) : NULL;
  if (model)
    *answer = (OrderAnswer){
        .verdict = ORDER_UNPROTECTED,
        .text = "neither of the two threads has read anything before that could tell it of the other",
        .witness = model};
  return model != NULL;
}

// One of the two releases a word behind its access, and neither acquires anything before: as if a lock were
// given back that nobody has taken.
static void name_release(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  const Scan *scan = order->scan;
  Halves halves = find_halves(order, question);
  Gap release = {.operation = CFG_NONE};
  if (answer->cause || answer->text || !extent_is_between_blocks(question->extent)) return;
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++) {
      if (halves.acquire[t][class].count || operation_is_strong(scan, question->instances[t]->access)) return;
      const Gaps *gaps = &halves.release[t][class];
      for (uint32_t g = 0; g < gaps->count; g++)
        if (gaps->items[g].kind > release.kind) release = gaps->items[g];
    }
  if (release.kind != GAP_NONE) return;
  answer->cause = "nobody-acquires";
  answer->text = arena_printf(
      scan->arena,
      "the operation at line %u releases what was done before, as if a lock were given back there, "
      "but neither thread acquires anything before its access",
      operation_line(scan, release.operation));
}

static OrderAnswer conclude(Order *order, const OrderQuestion *question, OrderAnswer answer) {
  bool escapes = order_values_escape(order);
  uint8_t one = gates_of(order, question, 0), two = gates_of(order, question, 1), all = one | two;
  if ((all & TAINT_MEMORY) && escapes) all |= TAINT_STRONG;
  answer.verdict = ORDER_UNPROTECTED;
  if (!(all & TAINT_STRONG)) {
    name_release(order, question, &answer);
    return answer;
  }
  // Two results of atomics that reach both threads through memory: whether both can be so is not asked
  // anywhere.
  bool may_exclude = (one & two & TAINT_MEMORY) && escapes;
  if (!may_exclude && order_is_impossible(order, question, &answer)) return answer;
  if (has_no_acquire(order, question, &answer)) return answer;
  const char *unknown = start_values_unknown(order->scan);
  return (OrderAnswer){
      .text = unknown ? unknown
                      : "what the kernel reads in between may order them in a way that is not understood"};
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
    if (operation_is_only_read(order->scan, access) ||
        (gates_of(order, question, t) & (TAINT_LOCK | TAINT_STRONG)))
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
  if (phases_order(scan, question, &proof))
    return (OrderAnswer){.verdict = ORDER_PROTECTED, .is_of_copies = true, .proof = proof};
  if (named_order(scan, question, &proof)) return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = proof};
  Order *order = order_get(scan);
  bool is_possible =
      extent_is_between_blocks(question->extent) ? order->has_strong_global : order->has_strong_access;
  if (!is_possible) return (OrderAnswer){.verdict = ORDER_UNPROTECTED};
  if (is_protocol(order, question))
    return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = {.rule = ORDER_RULE_PROTOCOL_WORD}};
  OrderAnswer answer = order_by_pairs(order, question);
  if (answer.verdict != ORDER_UNKNOWN) return answer;
  bool may_be_locked = answer.text && !answer.cause;
  // Of words that nobody gives back locks say less than waits.
  OrderAnswer by_waits = {0};
  if (!may_be_locked || order_is_any_won(order)) by_waits = order_by_waits(order, question);
  if (by_waits.verdict == ORDER_PROTECTED) return by_waits;
  if (may_be_locked) {
    OrderAnswer without_acquire;
    return has_no_acquire(order, question, &without_acquire) ? without_acquire : answer;
  }
  if (by_waits.verdict != ORDER_UNKNOWN) return by_waits;
  return conclude(order, question, answer);
}
