// What is a thread of the launch, when it is told from others? The conditions of the parts that stand above:
// that a thread comes to a block of the kernel, is a leader, a first lane or another one, is the same as
// another thread, or in the same block; which parts of a condition hold for good, or for a whole block.
// Method: conditions of the dominating branches; the symbols that a value is made of. Soundness: the condition
// of a block is over-approximated (what is not understood of a branch is left out).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"

// ---- conditions
static ExprRef same_numbers(ExprPool *pool, ExprRef same, const ExprRef one[3], const ExprRef two[3]) {
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(pool, same, expr_eq(pool, one[axis], two[axis]));
  return same;
}

ExprRef order_class_condition(Scan *scan, const View *view, int class) {
  ASSERT(view_is_made(view));
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 32, 0),
          is_leader = same_numbers(pool, expr_bool(pool, true), view->thread_idx, order_made(scan)->leader);
  if (class == CLASS_LEADER) return is_leader;
  ExprRef is_first = expr_eq(pool, view->lane, zero);
  if (class == CLASS_OTHERS) return expr_and(pool, expr_not(pool, is_first), expr_not(pool, is_leader));
  return expr_and(pool, is_first, expr_not(pool, is_leader));
}

bool order_next_classes(const Order *order, const OrderQuestion *question, ClassPair *pair) {
  while (pair->next < CLASS_COUNT * CLASS_COUNT) {
    pair->of[0] = pair->next / CLASS_COUNT;
    pair->of[1] = pair->next++ % CLASS_COUNT;
    bool is_reached = true;
    for (int t = 0; t < 2; t++)
      is_reached &=
          order->is_reached[pair->of[t]][inst_at(order->scan, question->instances[t]->access->inst)->block];
    if (is_reached) return true;
  }
  return false;
}

ExprRef order_classes_condition(Scan *scan, const OrderQuestion *question, const ClassPair *pair) {
  return expr_and(scan->pool, order_class_condition(scan, question->instances[0]->frame->view, pair->of[0]),
                  order_class_condition(scan, question->instances[1]->frame->view, pair->of[1]));
}

ExprRef order_same_block(Scan *scan, const View *one, const View *two) {
  ASSERT(view_is_made(one) && view_is_made(two));
  return same_numbers(scan->pool, expr_bool(scan->pool, true), one->block_idx, two->block_idx);
}

ExprRef order_same_warp(Scan *scan, const View *one, const View *two) {
  return expr_and(scan->pool, order_same_block(scan, one, two), expr_eq(scan->pool, one->warp, two->warp));
}

ExprRef order_same_thread(Scan *scan, const View *one, const View *two) {
  return same_numbers(scan->pool, order_same_block(scan, one, two), one->thread_idx, two->thread_idx);
}

bool order_only_leader(const Order *order, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  for (int c = -1; order_next_class(order, inst, &c);)
    if (c != CLASS_LEADER) return false;
  return true;
}

ExprRef order_comes_to(Frame *frame, uint32_t inst) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, inst));
  return meeting_block_condition(frame, frame->scan->fn->insts.items[inst].block);
}

// ---- what a value is made of
enum { CHANGING_SYMBOLS = 1u << SYM_ITERATION | 1u << SYM_MEMORY | 1u << SYM_UNKNOWN }; // while a thread runs

static Lasting lasting_of(unsigned kinds) {
  if (kinds & CHANGING_SYMBOLS) return LASTS_NOT;
  return kinds & 1u << SYM_THREAD_IDX ? LASTS_IN_THREAD : LASTS_IN_BLOCK;
}

Lasting order_value_lasts(const Scan *scan, ExprRef value) {
  ASSERT(scan_has_expr(scan, value));
  return lasting_of(expr_sym_kinds(scan->pool, value));
}

bool order_is_known(const Scan *scan, IrRef ref, uint32_t loop, uint32_t at, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || (at == CFG_NONE ? !cfg_loop_contains(scan->cfg, loop, inst->block)
                               : graph_dominates(scan, ir_ref_index(ref), at)))
    return true;
  bool is_pure = (symeval_is_symbolic((IrOp)inst->op) && inst->op != IR_PHI) || inst->op == IR_PTRADD ||
                 ir_is_fixed_register(inst);
  if (!is_pure || depth == 0) return false;
  for (uint32_t o = 0; o < inst->op_count; o++)
    if (!order_is_known(scan, inst->ops[o], loop, at, depth - 1)) return false;
  return true;
}

bool order_is_one_in_round(const Scan *scan, uint32_t inst, IrRef ref, uint32_t loop) {
  ASSERT(scan_has_inst(scan, inst) && scan_has_ref(scan, ref));
  for (uint32_t l = scan->cfg->loop_of[inst_at(scan, inst)->block]; l != loop;
       l = scan->cfg->loops.items[l].parent)
    if (l == CFG_NONE || !order_is_known(scan, ref, l, CFG_NONE, ORDER_DEPTH)) return false;
  return true;
}

Lasting order_lasts(const Scan *scan, const Target *target) {
  ASSERT(scan_has_object(scan, target->object) && scan_has_word(scan, target->offset, 64));
  if (target->condition) return LASTS_NOT;
  unsigned of_key = target->key ? expr_sym_kinds(scan->pool, target->key) : 0;
  return lasting_of(expr_sym_kinds(scan->pool, target->offset) | of_key);
}

// A round of the loop that all threads are in: whatever hangs on it is the same for them.
static Frame *in_round_of(Frame *frame, uint32_t loop) {
  if (loop == CFG_NONE) return frame;
  const ExprSym all = {.name = "a round of all", .width = 32, .kind = SYM_HOST_VALUE, .hi = INT32_MAX - 1};
  Frame *around = in_round_of(frame, frame->scan->cfg->loops.items[loop].parent);
  return frame_of_round(around, loop, expr_new_sym(frame->scan->pool, all));
}

Frame *order_in_rounds(const Order *order, uint32_t block) {
  ASSERT(scan_has_block(order->scan, block));
  return in_round_of(order->anyone, order->scan->cfg->loop_of[block]);
}

bool order_lasts_in_round(const Order *order, const Signal *signal, Lasting *lasting) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t round = cfg->loop_of[signal->to];
  unsigned kinds = expr_sym_kinds(scan->pool, signal->target.offset);
  if (round == CFG_NONE || cfg->loops.items[round].parent != CFG_NONE || signal->target.key ||
      !cfg_loop_contains(cfg, round, signal->from) ||
      !order_is_one_in_round(scan, signal->read->inst, signal->read->address, round))
    return false;
  Target word;
  *lasting = lasting_of(kinds & ~(1u << SYM_ITERATION));
  return *lasting != LASTS_NOT &&
         order_one_target(order_in_rounds(order, signal->to), signal->read->address, &word) &&
         !(expr_sym_kinds(scan->pool, word.offset) & 1u << SYM_ITERATION);
}

ExprRef order_parts(ExprPool *pool, ExprRef condition, unsigned with, unsigned without) {
  ASSERT(expr_is_of(pool, condition));
  const ExprNode node = *expr_node(pool, condition);
  if (node.op == EXPR_AND)
    return expr_and(pool, order_parts(pool, node.a, with, without), order_parts(pool, node.b, with, without));
  unsigned kinds = expr_sym_kinds(pool, condition);
  return (kinds & with) == with && !(kinds & without) ? condition : expr_bool(pool, true);
}

ExprRef order_fixed_parts(ExprPool *pool, ExprRef condition, bool with_thread) {
  return order_parts(pool, condition, 0, CHANGING_SYMBOLS | (with_thread ? 0 : 1u << SYM_THREAD_IDX));
}

// ---- words and obligations
bool order_one_target(Frame *frame, IrRef address, Target *target) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(frame->scan, address));
  ASSERT(target);
  SymValue value = frame_value(frame, address);
  if (value.kind != SYM_POINTER || value.target_count != 1) return false;
  *target = value.targets[0];
  return !target->condition;
}

ExprRef order_one_word(Frame *one, const Target *p, Frame *two, const Target *q) {
  ASSERT(one->view);
  ASSERT(scan_has_object(one->scan, p->object) && scan_has_word(one->scan, p->offset, 64));
  ASSERT(two->view);
  ASSERT(scan_has_object(one->scan, q->object) && scan_has_word(one->scan, q->offset, 64));
  Scan *scan = one->scan;
  ExprPool *pool = scan->pool;
  if (p->object != q->object) return expr_bool(pool, false);
  ExprRef same = expr_eq(pool, p->offset, q->offset);
  if (p->key && q->key) same = expr_and(pool, same, expr_eq(pool, p->key, q->key));
  if (scan->objects.items[p->object].kind != OBJ_SHARED) return same;
  return expr_and(pool, same, order_same_block(scan, one->view, two->view));
}

bool order_plain_target(Frame *frame, const Access *access, Target *target) {
  return order_one_target(frame, access->address, target) && !target->key;
}

ExprRef order_name_one_word(Frame *one, const Access *p, Frame *two, const Access *q) {
  Target a, b;
  bool are_known = order_plain_target(one, p, &a) && order_plain_target(two, q, &b);
  return are_known ? order_one_word(one, &a, two, &b) : 0;
}

bool order_is_met(Scan *scan, const Obligation *obligation, const char *name) {
  ASSERT(name);
  Goal goal = {0};
  if (obligation->known) goal = goal_copy(scan, obligation->known);
  goal_add(scan, &goal, obligation->breach, GOAL_CONFLICT, 0);
  if (obligation->context) goal_add(scan, &goal, obligation->context, GOAL_CONTEXT, 0);
  if (obligation->one) goal_add_view(scan, &goal, obligation->one->view);
  if (obligation->two) goal_add_view(scan, &goal, obligation->two->view);
  if (!obligation->known) goal_add_launch(scan, &goal);
  return proofs_cannot_hold(scan, &goal, name);
}

bool order_never(const Order *order, ExprRef breach, ExprRef context, const char *name) {
  return order_is_met(order->scan, &(Obligation){.breach = breach, .context = context, .one = order->anyone},
                      name);
}

bool order_never_of_two(const Order *order, ExprRef breach, ExprRef context, const char *name) {
  const Obligation never = {
      .breach = breach, .context = context, .one = order->anyone, .two = order->anyone_else};
  return order_is_met(order->scan, &never, name);
}

bool order_never_in(Scan *scan, const Goal *known, ExprRef breach, const char *name) {
  return order_is_met(scan, &(Obligation){.known = known, .breach = breach}, name);
}

const SolverAnswer *order_model(Scan *scan, const OrderQuestion *question, ExprRef holds, const char *what) {
  Goal goal = goal_copy(scan, question->goal);
  goal_add(scan, &goal, holds, GOAL_CONFLICT, 0);
  SolverAnswer model = goal_decide(scan, &goal, arena_printf(scan->arena, "%s, %s", question->name, what));
  return model.verdict == VERDICT_RACE ? arena_copy(scan->arena, &model, sizeof model) : NULL;
}

bool order_is_word_of_warp(Order *order, const Access *access, IrRef value) {
  ASSERT(scan_has_access(order->scan, access));
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *one = order->anyone, *two = order->anyone_else;
  uint8_t width = (uint8_t)(access->bytes * 8);
  ExprRef values[2] = {value ? frame_word(one, value, width) : 0, value ? frame_word(two, value, width) : 0};
  ExprRef same = order_name_one_word(one, access, two, access);
  if (!same || (value && (!values[0] || !values[1]))) return false;
  ExprRef differ = expr_not(pool, same);
  if (value) differ = expr_or(pool, differ, expr_ne(pool, values[0], values[1]));
  return order_never_of_two(order, differ, order_same_warp(scan, one->view, two->view),
                            "one word for each warp");
}

bool order_has_one_maker(Order *order, const Access *write) {
  ASSERT(scan_has_access(order->scan, write));
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *one = order->anyone, *two = order->anyone_else;
  ExprRef same = order_name_one_word(one, write, two, write),
          both = expr_and(pool, order_comes_to(one, write->inst), order_comes_to(two, write->inst)),
          other = expr_not(pool, order_same_thread(scan, one->view, two->view));
  return same && order_never_of_two(order, other, expr_and(pool, same, both), "do two write one word");
}
