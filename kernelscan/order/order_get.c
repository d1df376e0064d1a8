// What is found once for a kernel, before any pair is asked about: its leader, which paths threads of each class
// can take, what is carried on from strong reads, locks, waits, and who has passed which. Method: edges ruled
// out by constants (leader) or by the solver (others); then the parts, each of which reads those before it.
// Soundness: an edge is taken out only if no thread of the class takes it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/operations.h"
#include "kernelscan/graph.h"

enum { EDGE_QUESTION_LIMIT = 64 };

// ---- paths of a class

// No thread of the class is one for which the condition holds.
static bool is_for_nobody(Order *order, int class, ExprRef condition, bool is_lean, const char *name) {
  Scan *scan = order->scan;
  const View *view = order->classes[class]->view;
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, order_class_condition(scan, view, class), GOAL_EXTENT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return true;
  if (is_lean) goal = proofs_lean_goal(scan, &goal);
  SolverAnswer answer = goal_satisfiable(scan, &goal, name);
  models_keep(&order->models[class], &answer);
  return proofs_is_refuted(scan, &answer);
}

static bool others_may_take(Order *order, int class, ExprRef whole, uint32_t *questions) {
  ExprPool *pool = order->scan->pool;
  // What tells threads of a block apart by their numbers.
  ExprRef condition = order_parts(pool, whole, 1u << SYM_THREAD_IDX, 1u << SYM_MEMORY | 1u << SYM_UNKNOWN);
  ExprRef of_class =
      expr_and(pool, condition, order_class_condition(order->scan, order->classes[class]->view, class));
  return expr_is_true(pool, condition) || models_satisfy(pool, &order->models[class], of_class) ||
         ++*questions > EDGE_QUESTION_LIMIT ||
         !is_for_nobody(order, class, condition, !proofs_speaks_of_host(pool, condition),
                        "who takes this branch");
}

static bool may_take(Order *order, int class, uint32_t from, uint32_t to, uint32_t *questions) {
  Scan *scan = order->scan;
  Frame *frame = order->classes[class];
  ExprRef edge = frame_edge_condition(frame, from, to);
  if (!edge || expr_is_true(scan->pool, edge)) return true;
  ExprRef condition = expr_and(scan->pool, meeting_block_condition(frame, from), edge);
  if (expr_is_false(scan->pool, condition)) return false;
  return class == CLASS_LEADER || others_may_take(order, class, condition, questions);
}

// Blocks of one thread have nobody but a leader.
static bool is_nobody(Order *order, int class) {
  Scan *scan = order->scan;
  if (expr_is_false(scan->pool, order_class_condition(scan, order->classes[class]->view, class))) return true;
  return !scan->launch->is_any &&
         is_for_nobody(order, class, expr_bool(scan->pool, true), false, "are there such threads");
}

static void find_class_edges(Order *order, int class) {
  Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t questions = 0;
  order->is_feasible[class] = arena_array(scan->arena, cfg->succ_first[cfg->block_count] + 1, uint8_t);
  order->is_reached[class] = arena_array(scan->arena, cfg->block_count + 1, uint8_t);
  if (class != CLASS_LEADER && is_nobody(order, class)) return;
  uint32_t *stack = arena_array(scan->arena, cfg->block_count + 1, uint32_t), depth = 0;
  order->is_reached[class][0] = 1;
  stack[depth++] = 0;
  while (depth) {
    uint32_t block = stack[--depth];
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
      uint32_t to = cfg->succs[s];
      if (!may_take(order, class, block, to, &questions)) continue;
      order->is_feasible[class][s] = 1;
      if (order->is_reached[class][to]) continue;
      order->is_reached[class][to] = 1;
      stack[depth++] = to;
    }
  }
}

// A thread that is in no question.
static Frame *make_frame(Scan *scan, const Order *leader) {
  const View *view = leader ? order_numbered_view(scan, NULL, leader->leader) : view_fresh(scan, NULL);
  return frame_make(scan, view, NULL, NULL);
}

static bool is_seen_by_blocks(const Scan *scan, uint32_t access) {
  const Reach *reach = &scan->reaches[access];
  for (uint32_t i = 0; i < reach->count; i++) {
    ObjKind kind = scan->objects.items[reach->objects[i]].kind;
    if (kind != OBJ_SHARED && kind != OBJ_LOCAL) return true;
  }
  return !reach->is_complete;
}

Order *order_get(Scan *scan) {
  Order *order = SCAN_STATE_OF(scan, order, Order);
  if (order->scan) return order;
  BUG_UNLESS(points_know_divergent(scan));
  order->scan = scan;
  order->intervals = arena_array(scan->arena, scan->points.count + 1, uint8_t *);
  order->warp_intervals = arena_array(scan->arena, scan->points.count + 1, uint8_t *);
  for (size_t i = 0; i < sizeof order->strangers / sizeof *order->strangers; i++)
    order->strangers[i] = make_frame(scan, NULL);
  order->anyone = order->strangers[0];
  order->anyone_else = order->strangers[1];
  order->same_block = make_frame(scan, NULL);
  order_choose_leader(order);
  for (int class = 0; class < CLASS_COUNT; class ++)
    order->classes[class] = make_frame(scan, class == CLASS_LEADER ? order : NULL);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    order->has_strong_access |= operation_is_strong(scan, &scan->accesses.items[a]);
    order->has_strong_global |=
        operation_is_strong(scan, &scan->accesses.items[a]) && is_seen_by_blocks(scan, a);
  }
  if (!order->has_strong_access) return order;
  for (int class = 0; class < CLASS_COUNT; class ++)
    find_class_edges(order, class);
  order_find_carried(order);
  order_find_locks(order);
  order_find_signals(order);
  if (!order->signal_count) return order;
  order_find_generations(order);
  for (int class = 0; class < CLASS_COUNT; class ++) // the leader first: others acquire of it
    order_flow_signals(order, class);
  return order;
}
