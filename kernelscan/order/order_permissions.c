// Who may hold a word at the same time? A lock is a permission: a condition on what an operation finds in the word, under
// which it takes the lock. `atomicCAS(lock, 0, 1)` finds 0, `atomicOr(word, bit)` finds the bit clear, `atomicAnd(word,
// ~bit)` finds it set, and a maximum finds less: both have changed the word; readers find a word that no writer has
// left. Method: all that is asked of locks is asked of that condition, for any content of the word (solver). A test takes
// the lock if it holds of no other content; a write frees a taken word if it makes a content so of one that is not; two
// locks exclude each other if the one's operation leaves no content that the other one finds. Why that is enough (Owicki and
// Gries, 1976): who took the lock has left a content that nobody else finds so, and every write keeps that, but for those of
// who holds it (order_lock_discipline.c). Soundness: what a write leaves is exact, or any content. Where the word is known to hold no
// more than some contents, that is proved of all that writes it (order_starts.c, order_counted.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/operations.h"
#include "kernelscan/proofs.h"

typedef struct KnownTest {
  const LockSite *site;
  EdgeTest test;
  int says;
} KnownTest;

struct Permissions {
  ExprRef any_word[9]; // by bytes
  VEC(KnownTest) tests;
};

void order_make_permissions(Order *order) {
  order->permissions = arena_new(order->scan->arena, Permissions);
}

static Permissions *kept_of(const Order *order) {
  BUG_UNLESS(order->permissions);
  return order->permissions;
}

// Whatever is in a word of this width.
static ExprRef any_word(const Order *order, const Access *access) {
  ExprRef *word = &kept_of(order)->any_word[access->bytes];
  const ExprSym any = {
      .name = "what is in the word", .width = (uint8_t)(access->bytes * 8), .kind = SYM_HOST_VALUE};
  if (!*word) *word = expr_new_sym(order->scan->pool, any);
  return *word;
}

// ---- what operations find, and leave
// Without a sign, said with one: what the solver takes for granted of numbers without a sign (A1) need not hold of a word.
static ExprRef is_below(ExprPool *pool, ExprRef a, ExprRef b) {
  ExprRef zero = expr_const(pool, expr_width(pool, a), 0), is_less = expr_binary(pool, EXPR_SLT, 0, a, b),
          are_far[2] = {expr_binary(pool, EXPR_SLT, 0, a, zero), expr_binary(pool, EXPR_SLT, 0, b, zero)};
  ExprRef is_far = expr_and(pool, expr_not(pool, are_far[0]), are_far[1]);
  return expr_ite(pool, expr_eq(pool, are_far[0], are_far[1]), is_less, is_far);
}

static ExprRef compare(ExprPool *pool, IrPred pred, ExprRef a, ExprRef b) {
  switch ((int)pred) {
  case IR_ULT: return is_below(pool, a, b);
  case IR_UGT: return is_below(pool, b, a);
  case IR_ULE: return expr_not(pool, is_below(pool, b, a));
  case IR_UGE: return expr_not(pool, is_below(pool, a, b));
  default: return symeval_compare(pool, pred, a, b);
  }
}

static ExprRef extreme(ExprPool *pool, IrRmw rmw, ExprRef word, ExprRef operand) {
  bool is_signed = rmw == IR_RMW_MAX || rmw == IR_RMW_MIN, is_max = rmw == IR_RMW_MAX || rmw == IR_RMW_UMAX;
  ExprRef is_less = compare(pool, is_signed ? IR_SLT : IR_ULT, word, operand);
  return is_max ? expr_ite(pool, is_less, operand, word) : expr_ite(pool, is_less, word, operand);
}

// By a compare-and-swap that finds what it expects; 0: anything.
static ExprRef left_by(const WordWrite *write, Frame *frame, ExprRef word) {
  ExprPool *pool = frame->scan->pool;
  uint8_t width = expr_width(pool, word);
  ExprRef operand = write->operand       ? frame_word(frame, write->operand, width)
                    : write->is_constant ? expr_const(pool, width, write->constant)
                                         : 0;
  if (!operand) return 0;
  switch (write->kind) {
  case WRITE_SET:
  case WRITE_SWAP: return operand;
  case WRITE_ADD: return expr_binary(pool, EXPR_ADD, 0, word, operand);
  case WRITE_OR: return expr_binary(pool, EXPR_OR, 0, word, operand);
  case WRITE_AND: return expr_binary(pool, EXPR_AND, 0, word, operand);
  case WRITE_EXTREME:
    return extreme(pool, (IrRmw)inst_at(frame->scan, write->access->inst)->rmw, word, operand);
  case WRITE_WRAP:
  case WRITE_OTHER: break;
  }
  return 0;
}

bool order_is_of_bits(const Scan *scan, const LockSite *site) {
  ASSERT(scan_has_access(scan, site->access));
  const IrInst *inst = inst_at(scan, site->access->inst);
  return inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_OR;
}

// Condition that who finds this takes the lock; 0: not understood.
static ExprRef is_free(const Order *order, const LockSite *site, Frame *frame, ExprRef word) {
  ExprPool *pool = order->scan->pool;
  uint8_t width = expr_width(pool, word);
  ExprRef zero = expr_const(pool, width, 0);
  if (site->is_shared)
    return site->is_counted ? is_below(pool, word, expr_const(pool, width, site->taken))
                            : expr_binary(pool, EXPR_SLE, 0, zero, word);
  if (!site->bits) return expr_eq(pool, word, expr_const(pool, width, site->free_value));
  ExprRef bits = frame_word(frame, site->bits, width);
  if (!bits) return 0;
  if (order_is_of_bits(order->scan, site))
    return expr_eq(pool, expr_binary(pool, EXPR_AND, 0, word, bits), zero);
  const WordWrite write = order_write(order, site->access);
  ExprRef left = left_by(&write, frame, word);
  return left ? expr_ne(pool, word, left) : 0; // it has changed the word
}

// What is known of the word at all, where the operation is made.
static ExprRef is_possible(const Order *order, const LockSite *site, ExprRef word) {
  ExprPool *pool = order->scan->pool;
  uint8_t width = expr_width(pool, word);
  ExprRef is_negative = expr_binary(pool, EXPR_SLT, 0, word, expr_const(pool, width, 0));
  if (site->is_binary)
    return expr_or(pool, expr_eq(pool, word, expr_const(pool, width, site->free_value)),
                   expr_eq(pool, word, expr_const(pool, width, site->taken)));
  if (!site->is_shared) return expr_bool(pool, true);
  if (!site->is_counted) return order_comes_to(order->anyone, site->access->inst); // having looked at it
  return site->taken <= READERS_END ? expr_not(pool, is_negative) : expr_bool(pool, true);
}

// ---- what is asked of them
// Whatever is in a word: nothing is taken for granted of numbers. Of constants no launch is needed for it.
static bool is_never(const Order *order, ExprRef breach, ExprRef context, bool with_threads) {
  Scan *scan = order->scan;
  Goal goal = {0};
  goal_add(scan, &goal, breach, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, context, GOAL_CONTEXT, 0);
  if (with_threads) {
    goal_add_view(scan, &goal, order->anyone->view);
    goal_add_view(scan, &goal, order->anyone_else->view);
    goal_add_launch(scan, &goal);
  }
  if (goal.is_false) return true;
  SolverAnswer answer = goal_refute(scan, &goal, "what is found in the word");
  return !answer.used_no_overflow && proofs_is_refuted(scan, &answer);
}

// `word >> place & 1` asks what `word & 1 << place` does: said as the operation sets it, which is easier than for any place.
static ExprRef with_masks(ExprPool *pool, ExprRef holds, ExprRef word, ExprRef bits) {
  const ExprNode set = *expr_node(pool, bits);
  uint8_t width = expr_width(pool, word);
  int64_t one = 0, lo = 0, hi = 0;
  if (set.op != EXPR_SHL || !expr_is_const(pool, set.a, &one) || one != 1) return holds;
  expr_range(pool, set.b, &lo, &hi);
  if (lo < 0 || hi >= width) return holds;
  ExprRef zero = expr_const(pool, width, 0), from[2],
          to = expr_eq(pool, expr_binary(pool, EXPR_AND, 0, word, bits), zero), both[2] = {to, to};
  const ExprOp shifts[2] = {EXPR_LSHR, EXPR_ASHR};
  for (int i = 0; i < 2; i++) {
    ExprRef shifted = expr_binary(pool, shifts[i], 0, word, set.b);
    from[i] = expr_eq(pool, expr_binary(pool, EXPR_AND, 0, shifted, expr_const(pool, width, 1)), zero);
  }
  return expr_replace(pool, holds, from, both, 2);
}

int order_says(const Order *order, const LockSite *site, const EdgeTest *test) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(test);
  ExprPool *pool = order->scan->pool;
  ExprRef word = any_word(order, site->access), free = is_free(order, site, order->anyone, word),
          found = frame_word(order->anyone, IR_REF(IR_REF_INST, site->access->inst), expr_width(pool, word));
  SymValue value = frame_value(order->anyone, test->value);
  if (!found || expr_node(pool, found)->op != EXPR_SYM || !free || value.kind != SYM_WORD) return 0;
  uint8_t width = expr_width(pool, value.word);
  ExprRef other = test->other ? frame_word(order->anyone, test->other, width) : expr_const(pool, width, 0),
          holds = other ? compare(pool, test->pred, value.word, other) : 0;
  if (!holds) return 0;
  ExprRef of_word = expr_replace(pool, holds, &found, &word, 1), possible = is_possible(order, site, word);
  if (of_word == holds) return 0;
  ExprRef bits = site->bits ? frame_word(order->anyone, site->bits, expr_width(pool, word)) : 0;
  if (bits) of_word = with_masks(pool, of_word, word, bits);
  bool takes = is_never(order, expr_and(pool, of_word, expr_not(pool, free)), possible, false);
  // A test that never holds says nothing.
  if (takes && expr_is_true(pool, possible)) return 1;
  return takes - is_never(order, expr_and(pool, of_word, free), possible, false);
}

const Access *order_looked_at(const Scan *scan, IrRef ref, int depth) {
  ASSERT(scan_has_ref(scan, ref));
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || depth == 0) return NULL;
  if (inst->op == IR_ATOMICRMW || inst->op == IR_CMPXCHG) return operation_access(scan, ir_ref_index(ref));
  if (inst->op != IR_AND && inst->op != IR_LSHR && inst->op != IR_ASHR) return NULL;
  const Access *access = order_looked_at(scan, inst->ops[0], depth - 1);
  return access ? access : order_looked_at(scan, inst->ops[1], depth - 1);
}

int order_test_of_site(const Order *order, const LockSite *site, const EdgeTest *test) {
  ASSERT(scan_has_access(order->scan, site->access));
  ASSERT(test);
  if (site->is_turn || test->pred == IR_PRED_NONE) return 0;
  if (site->is_asked ? test->value != IR_REF(IR_REF_INST, site->access->inst)
                     : order_looked_at(order->scan, test->value, LOOK_DEPTH) != site->access)
    return 0;
  Permissions *kept = kept_of(order);
  for (uint32_t t = 0; t < kept->tests.count; t++)
    if (kept->tests.items[t].site == site && order_is_same_test(&kept->tests.items[t].test, test))
      return kept->tests.items[t].says;
  const KnownTest known = {site, *test, order_says(order, site, test)};
  vec_push(order->scan->arena, &kept->tests, known);
  return known.says;
}

// May the number be another one by wrapping, which is not undefined? That it does not is an assumption about places (A1), and none about what
// is stored there.
static bool may_wrap(const ExprPool *pool, ExprRef number, uint32_t depth) {
  const ExprNode *node = expr_node(pool, number);
  bool is_leaf = node->op == EXPR_CONST || node->op == EXPR_SYM || node->op == EXPR_APP;
  if (is_leaf || depth == 0) return !is_leaf;
  bool can_grow =
      node->op == EXPR_ADD || node->op == EXPR_SUB || node->op == EXPR_MUL || node->op == EXPR_SHL;
  if (can_grow && !(node->flags & (EXPR_NSW | EXPR_NUW))) return true;
  ExprRef parts[] = {node->a, node->b, node->c};
  for (int i = 0; i < 3; i++)
    if (parts[i] && may_wrap(pool, parts[i], depth - 1)) return true;
  return false;
}

bool order_may_free(Order *order, const WordWrite *write, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, write->access));
  ASSERT(scan_has_access(order->scan, site->access));
  ExprPool *pool = order->scan->pool;
  Frame *writer = site->bits ? order->anyone_else : order->anyone;
  ExprRef word = any_word(order, site->access), left = left_by(write, writer, word),
          was_free = is_free(order, site, order->anyone, word);
  if (!left || !was_free || write->access->bytes != site->access->bytes || !write->access->is_natural)
    return true;
  // Its own operation must not leave it so, whatever it finds.
  ExprRef frees = is_free(order, site, order->anyone, left),
          taken = write->access == site->access ? expr_bool(pool, true) : expr_not(pool, was_free);
  if (expr_is_true(pool, frees) || expr_is_false(pool, frees)) return expr_is_true(pool, frees);
  if (write->is_constant && !site->bits) return !is_never(order, frees, taken, false);
  if (!may_wrap(pool, left, 8)) taken = expr_and(pool, taken, order_comes_to(writer, write->access->inst));
  return write->kind == WRITE_SET || write->kind == WRITE_SWAP
             ? !order_never(order, frees, taken, "does it set the lock free")
             : !is_never(order, frees, taken, true);
}

bool order_is_writer(const Scan *scan, const LockSite *site) {
  ASSERT(scan_has_access(scan, site->access));
  const IrInst *inst = inst_at(scan, site->access->inst);
  int64_t stored = 0;
  if (site->is_counted && inst->op == IR_CMPXCHG) return true;
  return !site->is_turn && !site->bits && !site->is_shared && inst->op == IR_CMPXCHG &&
         site->free_value == 0 && ir_const_value(scan->fn, inst->ops[2], &stored) && stored < 0;
}

ExprRef order_may_both_hold(const Order *order, const LockSite *one, Frame *first, const LockSite *two,
                            Frame *second) {
  ASSERT(first->view && second->view);
  const Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  ExprRef yes = expr_bool(pool, true);
  if (one->is_turn || two->is_turn) return expr_bool(pool, one->is_turn != two->is_turn);
  if (one->is_shared || two->is_shared)
    return expr_bool(pool,
                     one->is_shared == two->is_shared || !order_is_writer(scan, one->is_shared ? two : one));
  if (!one->bits && !two->bits) return expr_bool(pool, one->free_value != two->free_value);
  bool is_alike = one->bits && two->bits && one->access->bytes == two->access->bytes &&
                  order_is_of_bits(scan, one) == order_is_of_bits(scan, two);
  uint8_t width = (uint8_t)(one->access->bytes * 8);
  ExprRef a = is_alike ? frame_word(first, one->bits, width) : 0,
          b = is_alike ? frame_word(second, two->bits, width) : 0;
  if (!a || !b) return yes;
  return order_is_of_bits(scan, one) ? expr_not(pool, order_has_common_bit(pool, a, b)) : expr_ne(pool, a, b);
}

// ---- bits that are given back
bool order_clears_mask(Order *order, const Access *write, const LockSite *site) {
  ASSERT(scan_has_access(order->scan, write));
  ASSERT(scan_has_access(order->scan, site->access));
  ExprPool *pool = order->scan->pool;
  const IrInst *inst = inst_at(order->scan, write->inst);
  if (!site->mask || !order_is_of_bits(order->scan, site) || inst->op != IR_ATOMICRMW) return false;
  uint8_t width = expr_width(pool, site->mask);
  ExprRef others = expr_binary(pool, EXPR_XOR, 0, site->mask, expr_const(pool, width, -1));
  switch ((int)inst->rmw) {
  case IR_RMW_AND: return frame_word(order->anyone, inst->ops[1], width) == others;
  case IR_RMW_XOR: // if all of them are set
  case IR_RMW_SUB: return frame_word(order->anyone, inst->ops[1], width) == site->mask;
  default: return false;
  }
}
