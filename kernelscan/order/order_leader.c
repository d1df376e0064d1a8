// Which thread of a block acts for it? Most often thread (0,0,0); else the one that the conditions of the
// strong operations name: `threadIdx.x == 5`, `threadIdx.x == blockDim.x - 1`. Method: the equations of a
// thread number with a value of the launch under which strong operations stand; with one such value and no
// zero among them it is the leader's number along its axis. Soundness: any thread will do as the leader, as
// long as the analysis of classes sees it as such; that a block has one is asked where that matters.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/facts.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

typedef struct Naming {
  Order *order;
  ExprRef named[3]; // by axis; 0: nobody
  bool is_open;     // zero, or several values
} Naming;

static void note_equation(Naming *naming, ExprRef number, ExprRef value) {
  const ExprPool *pool = naming->order->scan->pool;
  const View *view = naming->order->anyone->view;
  for (int axis = 0; axis < 3; axis++) {
    if (number != view->thread_idx[axis] || expr_is_const(pool, number, NULL) ||
        !proofs_is_of_launch(pool, value))
      continue;
    int64_t known = 0;
    bool is_zero = expr_is_const(pool, value, &known) && known == 0;
    naming->is_open |= is_zero || (naming->named[axis] && naming->named[axis] != value);
    naming->named[axis] = value;
  }
}

static void note_condition(Naming *naming, ExprRef condition) {
  const ExprNode node = *expr_node(naming->order->scan->pool, condition);
  if (node.op == EXPR_AND) {
    note_condition(naming, node.a);
    note_condition(naming, node.b);
  } else if (node.op == EXPR_EQ) {
    note_equation(naming, node.a, node.b);
    note_equation(naming, node.b, node.a);
  }
}

bool order_names_thread(Order *order, ExprRef condition, ExprRef number[3]) {
  ASSERT(scan_has_expr(order->scan, condition));
  Naming naming = {.order = order};
  note_condition(&naming, condition);
  for (int axis = 0; axis < 3; axis++)
    number[axis] = naming.named[axis] ? naming.named[axis] : expr_const(order->scan->pool, 32, 0);
  return !naming.is_open && (naming.named[0] || naming.named[1] || naming.named[2]);
}

void order_choose_leader(Order *order) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Naming naming = {.order = order};
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (operation_is_strong(scan, access))
      note_condition(&naming, order_comes_to(order->anyone, access->inst));
  }
  order->leader_exists = expr_bool(pool, true);
  for (int axis = 0; axis < 3; axis++) {
    ExprRef zero = expr_const(pool, 32, 0), named = naming.is_open ? 0 : naming.named[axis];
    order->leader[axis] = named ? named : zero;
    if (!named) continue;
    ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, zero, named),
                              expr_binary(pool, EXPR_SLT, 0, named, scan->launch->block[axis]));
    order->leader_exists = expr_and(pool, order->leader_exists, inside);
  }
}

View *order_numbered_view(Scan *scan, const ExprRef *block, const ExprRef number[3]) {
  View *view = view_fresh(scan, block);
  memcpy(view->thread_idx, number, sizeof view->thread_idx);
  view_number(scan, view);
  return view;
}

// Whoever comes to the point has a leader in his block.
static bool has_leader(Order *order, const Point *point) {
  Scan *scan = order->scan;
  if (expr_is_true(scan->pool, order->leader_exists)) return true;
  uint32_t p = (uint32_t)(point - scan->points.items);
  if (!order->leader_known) order->leader_known = arena_array(scan->arena, scan->points.count + 1, uint8_t);
  if (order->leader_known[p]) return order->leader_known[p] == 1;
  bool has = order_never(order, expr_not(scan->pool, order->leader_exists),
                         meeting_block_condition(order->anyone, point->block),
                         "has the block a thread of this number");
  order->leader_known[p] = has ? 1 : 2;
  return has;
}

// One for each: what a thread reads is its own.
Frame *order_thread_beside(Scan *scan, const View *view, const ExprRef number[3], uint32_t loop,
                           ExprRef round) {
  ASSERT(view_is_made(view));
  Order *order = order_made(scan);
  for (uint32_t i = 0; i < order->beside.count; i++) {
    const ThreadBeside *known = &order->beside.items[i];
    const View *own = known->frame->view;
    if (known->loop == loop && known->round == round &&
        memcmp(own->block_idx, view->block_idx, sizeof own->block_idx) == 0 &&
        memcmp(own->thread_idx, number, sizeof own->thread_idx) == 0)
      return known->frame;
  }
  Frame *frame = frame_make(scan, order_numbered_view(scan, view->block_idx, number), NULL, NULL);
  if (loop != CFG_NONE) frame = frame_of_round(frame, loop, round);
  vec_push(scan->arena, &order->beside, ((ThreadBeside){frame, loop, round}));
  return frame;
}

Frame *order_leader_beside(Scan *scan, const View *view) {
  return order_thread_beside(scan, view, order_made(scan)->leader, CFG_NONE, 0);
}

// ---- at a barrier
// No thread can go round the barrier to its end.
bool order_all_arrive(const Scan *scan, const Point *point) {
  ASSERT(scan_has_block(scan, point->block));
  for (uint32_t b = 0; b < scan->cfg->block_count; b++) {
    const IrInst *end = ir_terminator(scan->fn, b);
    if (!end || !ir_inst_is(end, IR_FORKS) || scan->cfg->rpo_number[b] == CFG_NONE) continue;
    if (uniform_ref(scan, end->ops[0]) || cfg_post_dominates(scan->cfg, point->block, b)) continue;
    if (graph_block_reaches(scan, b, point->block, scan->cfg->ipdom[b])) return false;
  }
  return true;
}

bool order_leader_arrives(const Scan *scan, const Point *point) {
  ASSERT(scan_has_block(scan, point->block));
  return has_leader(order_made(scan), point) && order_all_arrive(scan, point);
}

bool order_block_meets(const Scan *scan, const Point *point) {
  return point_orders(point, couple_of(EXTENT_INTRA_BLOCK)) && order_leader_arrives(scan, point);
}

bool order_warp_meets(Scan *scan, const Point *point) {
  return point_orders(point, couple_of(EXTENT_INTRA_WARP)) && together_hands_to_all(scan, point->inst);
}

bool order_is_of_first_lane(Scan *scan, uint32_t shuffle) {
  ASSERT(scan_has_inst(scan, shuffle));
  const IrInst *inst = inst_at(scan, shuffle);
  return votes_is_broadcast(scan, inst) && order_is_number(scan, inst->ops[2], 0) &&
         together_hands_to_all(scan, shuffle);
}

bool order_block_meets_at(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == inst && order_block_meets(scan, &scan->points.items[p])) return true;
  return false;
}
