// Which ways can a thread of the question take, or its block, given what the question says of it? Waits that
// stand under a condition (`if (blockIdx.x > 0)`) have been passed where the condition holds. Method: edges
// whose condition speaks of numbers of the thread or block and of the launch only are ruled out where the
// solver refutes them together with the question; the data flow of signals is done again for what is left.
// Soundness: an edge is taken out only if the thread (or no thread of the block) cannot take it, at any time.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"

// The thread of the question, or no thread of its block, takes this edge, given what the question says of it.
static bool is_ruled_out(const OrderQuestion *question, int thread, bool is_of_one, uint32_t from,
                         uint32_t to) {
  Frame *frame = question->instances[thread]->frame;
  Scan *scan = frame->scan;
  ExprRef condition = frame_edge_condition(frame, from, to);
  if (!condition || expr_is_true(scan->pool, condition)) return false;
  if (!order_is_fixed(scan->pool, condition, is_of_one) ||
      models_satisfy(scan->pool, question->models, condition))
    return false;
  Goal goal = goal_copy(scan, question->goal);
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "a way of this thread");
  models_keep(question->models, &answer);
  return proofs_is_refuted(scan, &answer);
}

// What has been passed at the access does not hang on ways that do not lead there.
static bool leads_to_access(const OrderQuestion *question, int thread, uint32_t from) {
  const Scan *scan = question->instances[thread]->frame->scan;
  uint32_t block = scan->fn->insts.items[question->instances[thread]->access->inst].block;
  return from == block || graph_block_reaches(scan, from, block, CFG_NONE);
}

// The same analysis for the ways that the thread, or its block, can take: waits that stand under a condition
// (`if (blockIdx.x > 0)`) have been passed where the condition holds.
bool order_narrow_to_block(Order *order, const OrderQuestion *question, int thread, Order *narrowed) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  ASSERT(thread == 0 || thread == 1);
  *narrowed = *order;
  const Cfg *cfg = order->scan->cfg;
  uint32_t edges = cfg->succ_first[cfg->block_count];
  bool any = false;
  for (int class = 0; class < CLASS_COUNT; class ++)
    narrowed->is_feasible[class] = arena_copy(order->scan->arena, order->is_feasible[class], edges + 1);
  for (OrderEdge e = {0}; order_next_edge(cfg, &e);) {
    if (cfg->succ_first[e.from + 1] - cfg->succ_first[e.from] < 2 ||
        !leads_to_access(question, thread, e.to) ||
        !is_ruled_out(question, thread, narrowed->is_of_one, e.from, e.to))
      continue;
    any = true;
    for (int class = 0; class < CLASS_COUNT; class ++)
      narrowed->is_feasible[class][e.at] = 0;
  }
  for (int class = 0; class < CLASS_COUNT && any; class ++)
    order_flow_signals(narrowed, class);
  return any;
}
