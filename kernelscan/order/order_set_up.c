// Is a word of shared memory surely set up? Where somebody comes to use it, a thread of his block has made the
// write to it. Method: who that is, and in which round of the loop around the write, is guessed: he himself, the
// first lane of his warp, the leader, thread 0, the one that the write's conditions name, or the thread and the
// round that follow from the address, if it is linear in both (`for (i = threadIdx.x; i < n; i += blockDim.x) flags[i] = 0`). The solver is asked whether that
// thread exists, comes there in that round, and names that word. Soundness: a guess is no more than that; that
// a later round is come to is asked of each one before it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/facts.h"

typedef struct SetUp {
  Order *order;
  const WordWrite *write;
  const Target *word; // in `anyone`
  uint32_t later;     // where it is used
  uint32_t block, loop;
} SetUp;

static bool is_sure(const SetUp *set_up, ExprRef made) {
  Order *order = set_up->order;
  return order_never(order, expr_not(order->scan->pool, made), order_comes_to(order->anyone, set_up->later),
                     "is it made where it is needed");
}

// ---- one thread, one round
// In the first round of all loops around the write, but in `round` of the innermost one.
static Frame *in_round(const SetUp *set_up, const View *view, ExprRef round) {
  Scan *scan = set_up->order->scan;
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  ExprRef *iteration = arena_array(scratch, cfg->loops.count + 1, ExprRef);
  for (uint32_t l = set_up->loop; l != CFG_NONE; l = cfg->loops.items[l].parent)
    iteration[l] = l == set_up->loop ? round : expr_const(scan->pool, 32, 0);
  Frame *frame = frame_make(scan, view, iteration, NULL);
  arena_close(scratch);
  return frame;
}

static Frame *in_first_round(const SetUp *set_up, const View *view) {
  return in_round(set_up, view, expr_const(set_up->order->scan->pool, 32, 0));
}

static bool find_target(const SetUp *set_up, Frame *frame, Target *target) {
  return order_one_target(frame, set_up->write->access->address, target);
}

static bool makes(const SetUp *set_up, Frame *frame) {
  Target target;
  ExprRef comes = frame_exact_condition(frame, 0, set_up->block);
  if (!comes || !find_target(set_up, frame, &target)) return false;
  ExprRef names = order_one_word(set_up->order->anyone, set_up->word, frame, &target);
  return is_sure(set_up, expr_and(set_up->order->scan->pool, comes, names));
}

// ---- guesses
// How far the word lies behind where the one frame writes, in steps from there to where the other one does; 0: not known.
static ExprRef steps_between(const SetUp *set_up, Frame *one, Frame *two) {
  ExprPool *pool = set_up->order->scan->pool;
  Target first, next;
  int64_t known = 0;
  if (!find_target(set_up, one, &first) || !find_target(set_up, two, &next)) return 0;
  ExprRef step = expr_binary(pool, EXPR_SUB, 0, next.offset, first.offset);
  if (expr_is_const(pool, step, &known) && known == 0) return 0;
  ExprRef distance = expr_binary(pool, EXPR_SUB, 0, set_up->word->offset, first.offset);
  return expr_resize_signed(pool, expr_binary(pool, EXPR_SDIV, 0, distance, step), 32);
}

// A use in the loop itself may come before a later round.
static ExprRef find_round(const SetUp *set_up, const View *view) {
  const Scan *scan = set_up->order->scan;
  ExprRef one = expr_const(scan->pool, 32, 1);
  if (set_up->loop == CFG_NONE ||
      cfg_loop_contains(scan->cfg, set_up->loop, inst_at(scan, set_up->later)->block))
    return 0;
  return steps_between(set_up, in_first_round(set_up, view), in_round(set_up, view, one));
}

// Condition that the thread goes on to the next round.
static ExprRef goes_round(const SetUp *set_up, Frame *frame) {
  const Cfg *cfg = frame->scan->cfg;
  ExprPool *pool = frame->scan->pool;
  uint32_t header = cfg->loops.items[set_up->loop].header;
  ExprRef goes = expr_bool(pool, false);
  for (uint32_t p = cfg->pred_first[header]; p < cfg->pred_first[header + 1]; p++) {
    uint32_t end = cfg->preds[p];
    if (!cfg_loop_contains(cfg, set_up->loop, end)) continue;
    ExprRef comes = frame_exact_condition(frame, header, end),
            back = frame_edge_condition(frame, end, header);
    if (!comes || !back) return 0;
    goes = expr_or(pool, goes, expr_and(pool, comes, back));
  }
  return goes;
}

static bool comes_to_round(const SetUp *set_up, const View *view, ExprRef round) {
  Scan *scan = set_up->order->scan;
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 32, 0),
          earlier = iteration_new(scan, set_up->loop, "an earlier round", view->owner, 0),
          goes = goes_round(set_up, in_round(set_up, view, earlier));
  return goes && is_sure(set_up, expr_binary(pool, EXPR_SLE, 0, zero, round)) &&
         is_sure(set_up, expr_or(pool, expr_binary(pool, EXPR_SLE, 0, round, earlier), goes));
}

// A thread of the block of `anyone`.
static bool is_made_by(const SetUp *set_up, const View *view) {
  if (makes(set_up, in_first_round(set_up, view))) return true;
  ExprRef round = find_round(set_up, view);
  return round && comes_to_round(set_up, view, round) && makes(set_up, in_round(set_up, view, round));
}

static View *thread_beside(const SetUp *set_up, const ExprRef number[3]) {
  const Order *order = set_up->order;
  return order_numbered_view(order->scan, order->anyone->view->block_idx, number);
}

// The block has a thread of this number, and it makes the write.
static bool is_made_by_number(const SetUp *set_up, const ExprRef number[3]) {
  const View *view = thread_beside(set_up, number);
  return is_sure(set_up, third_is_of_block(set_up->order->scan, view)) && is_made_by(set_up, view);
}

// The one that the conditions of the write name; the first lane of the warp, where the block is a row of threads.
static bool is_made_by_named(const SetUp *set_up) {
  Order *order = set_up->order;
  ExprRef number[3];
  return order_names_thread(order, order_comes_to(order->anyone, set_up->write->access->inst), number) &&
         is_made_by_number(set_up, number);
}

static bool is_made_by_first_lane(const SetUp *set_up) {
  const View *own = set_up->order->anyone->view;
  ExprRef x = expr_binary(set_up->order->scan->pool, EXPR_SUB, 0, own->thread_idx[0], own->lane);
  return is_made_by_number(set_up, (ExprRef[]){x, own->thread_idx[1], own->thread_idx[2]});
}

static bool is_made_by_linear(const SetUp *set_up) {
  ExprPool *pool = set_up->order->scan->pool;
  const ExprRef *own = set_up->order->anyone->view->thread_idx;
  const View *zero = thread_beside(set_up, (ExprRef[]){expr_const(pool, 32, 0), own[1], own[2]}),
             *one = thread_beside(set_up, (ExprRef[]){expr_const(pool, 32, 1), own[1], own[2]});
  ExprRef round = find_round(set_up, zero);
  if (!round) round = expr_const(pool, 32, 0);
  ExprRef x = steps_between(set_up, in_round(set_up, zero, round), in_round(set_up, one, round));
  return x && is_made_by_number(set_up, (ExprRef[]){x, own[1], own[2]});
}

bool order_is_made_for(Order *order, const WordWrite *write, const Target *word, uint32_t later) {
  ASSERT(scan_has_access(order->scan, write->access));
  ASSERT(scan_has_inst(order->scan, later));
  Scan *scan = order->scan;
  uint32_t block = inst_at(scan, write->access->inst)->block;
  SetUp set_up = {order, write, word, later, block, scan->cfg->loop_of[block]};
  ExprRef zero = expr_const(scan->pool, 32, 0);
  return is_made_by(&set_up, order->anyone->view) || is_made_by_number(&set_up, order->leader) ||
         is_made_by_number(&set_up, (ExprRef[]){zero, zero, zero}) || is_made_by_named(&set_up) ||
         is_made_by_first_lane(&set_up) || is_made_by_linear(&set_up);
}

bool order_may_be_made_for(Order *order, const WordWrite *write, Frame *user, const Target *word,
                           const Goal *known) {
  ASSERT(scan_has_access(order->scan, write->access));
  Scan *scan = order->scan;
  Target target;
  if (order_write_is(write, WRITE_IS_ONCE) && order_lasts(scan, word) == LASTS_IN_BLOCK) return false;
  if (!order_one_target(order->same_block, write->access->address, &target)) return true;
  Obligation none = {.known = known,
                     .breach = order_one_word(user, word, order->same_block, &target),
                     .context = order_comes_to(order->same_block, write->access->inst),
                     .one = order->same_block};
  return !order_is_met(scan, &none, "is this word set up by anybody");
}
