// Do two threads exclude each other because both claim the same bit, or the same rise of a word? Of two
// atomic ors on one word, one comes first, and the other one is returned all bits that the first one set. Of
// two atomic maxima (minima) with one value, the second is returned that value or more (less), so that only
// the first was returned less (more). (Compare-and-swap and exchange without a release are locks that are
// never given back: order_locks.c.) Soundness: only if nothing but the same operation writes the word.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"

static bool is_limit(IrRmw rmw) {
  return rmw == IR_RMW_MAX || rmw == IR_RMW_MIN || rmw == IR_RMW_UMAX || rmw == IR_RMW_UMIN;
}

static bool is_claim(const Scan *scan, const Access *access) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  return inst->op == IR_ATOMICRMW && access->is_natural &&
         (inst->rmw == IR_RMW_OR || is_limit((IrRmw)inst->rmw));
}

// Only such operations touch the word, all of one kind.
static bool only_claims_touch(Order *order, const Access *claim) {
  const Scan *scan = order->scan;
  IrRmw rmw = (IrRmw)scan->fn->insts.items[claim->inst].rmw;
  Target target;
  if (scan->has_opaque || !order_one_target(order->anyone, claim->address, &target)) return false;
  const SyncWord *word = order_word(order, &target, claim->bytes);
  for (uint32_t w = 0; w < word->count; w++) {
    const Access *write = word->writes[w].access;
    bool is_alike =
        is_claim(scan, write) && word->writes[w].fits && (IrRmw)scan->fn->insts.items[write->inst].rmw == rmw;
    if (!is_alike && (!word->is_of_block || !order_is_before_all(order, write, claim))) return false;
  }
  return true;
}

// The value that the operation returned to this thread, if the goal speaks of it.
static ExprRef result_in(const Frame *frame, uint32_t inst, const uint8_t *occurs, uint32_t known) {
  const SymValue *value = &frame->values[inst];
  return value->kind == SYM_WORD && value->word <= known && occurs[value->word] ? value->word : 0;
}

static ExprRef is_clear(ExprPool *pool, ExprRef result, ExprRef bits) {
  return expr_eq(pool, expr_binary(pool, EXPR_AND, 0, result, bits),
                 expr_const(pool, expr_width(pool, bits), 0));
}

static bool has_condition(const Goal *goal, ExprRef condition) {
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    if (goal->conditions.items[i].condition == condition) return true;
  return false;
}

// The goal says that the thread found its bits clear: `(result & bits) == 0`, or `(result >> place & 1) ==
// 0`.
static bool found_clear(ExprPool *pool, const Goal *goal, ExprRef result, ExprRef bits) {
  if (has_condition(goal, is_clear(pool, result, bits))) return true;
  const ExprNode shift = *expr_node(pool, bits);
  int64_t one = 0;
  if (shift.op != EXPR_SHL || !expr_is_const(pool, shift.a, &one) || one != 1) return false;
  uint8_t width = expr_width(pool, bits);
  const ExprOp downs[] = {EXPR_LSHR, EXPR_ASHR};
  for (int i = 0; i < 2; i++)
    if (has_condition(goal, is_clear(pool, expr_binary(pool, downs[i], 0, result, shift.b),
                                     expr_const(pool, width, 1))))
      return true;
  return false;
}

// Condition that the two sets of bits are not the same single bit, or 0: they may be no bit at all.
static ExprRef bits_differ(ExprPool *pool, ExprRef v, ExprRef w) {
  const ExprNode a = *expr_node(pool, v), b = *expr_node(pool, w);
  int64_t bits = 0;
  if (v == w && expr_is_const(pool, v, &bits) && bits != 0) return expr_bool(pool, false);
  bool is_shift = a.op == EXPR_SHL && b.op == EXPR_SHL && a.a == b.a;
  if (!is_shift || !expr_is_const(pool, a.a, &bits) || bits != 1) return 0;
  return expr_ne(pool, a.b, b.b);
}

// That the operation has not changed the word, which held the result.
static ExprRef has_lost(ExprPool *pool, IrRmw rmw, ExprRef result, ExprRef value) {
  bool is_unsigned = rmw == IR_RMW_UMAX || rmw == IR_RMW_UMIN,
       is_max = rmw == IR_RMW_MAX || rmw == IR_RMW_UMAX;
  return expr_binary(pool, is_unsigned ? EXPR_ULE : EXPR_SLE, 0, is_max ? value : result,
                     is_max ? result : value);
}

// Condition under which both threads may have won; 0: nothing that is known.
static ExprRef both_may_win(Scan *scan, const OrderQuestion *question, IrRmw rmw, const ExprRef results[2],
                            const ExprRef values[2]) {
  ExprPool *pool = scan->pool;
  if (is_limit(rmw)) {
    ExprRef lost =
        expr_or(pool, has_lost(pool, rmw, results[0], values[0]), has_lost(pool, rmw, results[1], values[1]));
    return expr_or(pool, lost, expr_ne(pool, values[0], values[1]));
  }
  if (!found_clear(pool, question->goal, results[0], values[0]) ||
      !found_clear(pool, question->goal, results[1], values[1]))
    return 0;
  return bits_differ(pool, values[0], values[1]);
}

// Both threads found their bit clear; can it have been another bit, or another word?
static bool is_one_bit(const OrderQuestion *question, Scan *scan, const Access *claim, Frame *frames[2],
                       const ExprRef results[2]) {
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[claim->inst];
  Target p, q;
  uint8_t width = expr_width(pool, results[0]);
  ExprRef v = frame_word(frames[0], inst->ops[1], width), w = frame_word(frames[1], inst->ops[1], width);
  if (!order_one_target(frames[0], claim->address, &p) || !order_one_target(frames[1], claim->address, &q) ||
      p.object != q.object || !v || !w)
    return false;
  bool is_per_block = scan->objects.items[p.object].kind == OBJ_SHARED;
  if (p.key || (is_per_block && extent_is_between_blocks(question->extent))) return false;
  ExprRef differ = both_may_win(scan, question, (IrRmw)inst->rmw, results, (ExprRef[]){v, w});
  if (!differ) return false;
  Obligation one = {.known = question->goal,
                    .breach = expr_or(pool, differ, expr_ne(pool, p.offset, q.offset))};
  return order_is_met(scan, &one, arena_printf(scan->arena, "%s, another bit", question->name));
}

static uint32_t place_of(const Scan *scan, const OrderQuestion *question, int thread) {
  return scan->fn->insts.items[question->instances[thread]->access->inst].block;
}

static bool has_one_winner(Order *order, const OrderQuestion *question, const Access *claim) {
  Scan *scan = order->scan;
  Meeting *meeting = question->meeting;
  const uint8_t *occurs = goal_occurrences(scan, question->goal);
  uint32_t known = expr_count(scan->pool);
  for (uint32_t i = 0; i <= meeting->graph->loop_count; i++)
    for (uint32_t j = 0; j <= meeting->graph->loop_count; j++) {
      Frame *frames[2] = {meeting_frame(meeting, 0, i, place_of(scan, question, 0)),
                          meeting_frame(meeting, 1, j, place_of(scan, question, 1))};
      ExprRef results[2] = {result_in(frames[0], claim->inst, occurs, known),
                            result_in(frames[1], claim->inst, occurs, known)};
      if (results[0] && results[1] && is_one_bit(question, scan, claim, frames, results)) return true;
    }
  return false;
}

OrderAnswer order_by_winners(Order *order, const OrderQuestion *question) {
  const Scan *scan = order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *claim = &scan->accesses.items[a];
    if (is_claim(scan, claim) && claim->scope >= order_scope_needed(question->extent) &&
        only_claims_touch(order, claim) && has_one_winner(order, question, claim))
      return order_proved_by_itself(
          (OrderProof){.rule = ORDER_RULE_TEST_AND_SET, .acquire = claim->inst + 1});
  }
  return (OrderAnswer){0};
}
