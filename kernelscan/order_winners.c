// Do two threads exclude each other because both claim the same bit? Of two atomic ors on one word, one comes
// first, and the other one is returned all bits that the first one set. (Compare-and-swap and exchange
// without a release are locks that are never given back: order_locks.c.) Soundness: only if nothing but such
// operations writes the word. SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order.h"

static bool is_or(const Scan *scan, const Access *access) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  return inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_OR && access->is_natural;
}

static bool only_ors_touch(Order *order, const Access *claim) {
  const Scan *scan = order->scan;
  SymValue address = frame_value(order->anyone, claim->address);
  if (scan->has_opaque || address.kind != SYM_POINTER || address.target_count != 1) return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    bool is_fine = write->kind == ACCESS_READ || (is_or(scan, write) && write->bytes == claim->bytes);
    if (is_fine || !order_may_touch(order, write, &address.targets[0], claim->bytes)) continue;
    bool is_shared = scan->objects.items[address.targets[0].object].kind == OBJ_SHARED;
    if (!is_shared || !order_is_before_all(order, write, claim)) return false;
  }
  return true;
}

// The value that the operation returned to this thread, if the goal speaks of it.
static ExprRef result_in(const Frame *frame, uint32_t inst, const uint8_t *occurs, uint32_t known) {
  const SymValue *value = &frame->values[inst];
  return value->kind == SYM_WORD && value->word <= known && occurs[value->word] ? value->word : 0;
}

static bool add_pair(const OrderQuestion *question, Scan *scan, Goal *goal, const Access *claim,
                     Frame *frames[2], const ExprRef results[2]) {
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[claim->inst];
  SymValue p = frame_value(frames[0], claim->address), q = frame_value(frames[1], claim->address);
  uint8_t width = expr_width(pool, results[0]);
  ExprRef v = frame_word(frames[0], inst->ops[1], width), w = frame_word(frames[1], inst->ops[1], width);
  if (p.target_count != 1 || q.target_count != 1 || p.targets[0].object != q.targets[0].object || !v || !w)
    return false;
  bool is_per_block = scan->objects.items[p.targets[0].object].kind == OBJ_SHARED;
  if (p.targets[0].key || (is_per_block && question->extent == EXTENT_INTER_BLOCK)) return false;
  ExprRef apart = expr_not(pool, expr_eq(pool, p.targets[0].offset, q.targets[0].offset));
  ExprRef first = expr_eq(pool, expr_binary(pool, EXPR_AND, 0, results[1], v), v);
  ExprRef second = expr_eq(pool, expr_binary(pool, EXPR_AND, 0, results[0], w), w);
  goal_add(scan, goal, expr_or(pool, apart, expr_or(pool, first, second)), GOAL_CONTEXT, 0);
  return true;
}

static bool add_claims_of(Order *order, const OrderQuestion *question, const Access *claim, Goal *goal) {
  Scan *scan = order->scan;
  const Meeting *meeting = question->meeting;
  const uint8_t *occurs = goal_occurrences(scan, question->goal);
  uint32_t known = expr_count(scan->pool);
  bool added = false;
  for (uint32_t i = 0; i <= meeting->graph->loop_count; i++)
    for (uint32_t j = 0; j <= meeting->graph->loop_count; j++) {
      Frame *frames[2] = {meeting->frames[0][i], meeting->frames[1][j]};
      ExprRef results[2] = {result_in(frames[0], claim->inst, occurs, known),
                            result_in(frames[1], claim->inst, occurs, known)};
      if (results[0] && results[1]) added |= add_pair(question, scan, goal, claim, frames, results);
    }
  return added;
}

bool order_excludes_winners(Order *order, const OrderQuestion *question) {
  Scan *scan = order->scan;
  Goal goal = order_copy_goal(scan, question->goal);
  bool added = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *claim = &scan->accesses.items[a];
    if (is_or(scan, claim) && claim->scope >= order_scope_needed(question->extent) &&
        only_ors_touch(order, claim))
      added |= add_claims_of(order, question, claim, &goal);
  }
  if (!added) return false;
  const char *name = arena_printf(scan->arena, "%s, one bit has one winner", question->name);
  return goal.is_false || goal_satisfiable(scan, &goal, name).verdict == VERDICT_SAFE;
}
