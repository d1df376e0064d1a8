// What the analyses of locks, flags and counters ask of the control flow: what is known on an edge, whether a
// fence lies on every way, which edges the leading thread of a block can take. Method: depth-first search
// over blocks; edges ruled out by constants (leader) or by the solver (others). Soundness: ways are
// over-approximated, so "every way has a fence" is a proof; ways through barriers go on as another thread of
// the block.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/kernel.h"

enum { EDGE_QUESTION_LIMIT = 64 };

const MemoryRules *order_rules(const Scan *scan) {
  return memory_rules(scan->request->options.memory_model);
}

static bool is_constant(const Scan *scan, IrRef ref, int64_t wanted) {
  int64_t value = 0;
  return ir_const_value(scan->fn, ref, &value) && value == wanted;
}

// ---- what holds on an edge
// Widened truth values are the truth value; the value behind the casts.
static IrRef strip_casts(const Scan *scan, IrRef ref) {
  for (const IrInst *inst = ir_inst(scan->fn, ref); inst; inst = ir_inst(scan->fn, ref)) {
    bool widens_bool = (inst->op == IR_ZEXT || inst->op == IR_SEXT) &&
                       ir_ref_type(scan->module, scan->fn, inst->ops[0]).bits == 1;
    const IrInst *inner = inst->op == IR_TRUNC ? ir_inst(scan->fn, inst->ops[0]) : NULL;
    bool narrows_bool = inner && inst->type.bits == 1 &&
                        (inner->op == IR_ZEXT || inner->op == IR_LOAD || inner->op == IR_PHI);
    if (!widens_bool && !narrows_bool) return ref;
    ref = inst->ops[0];
  }
  return ref;
}

// Is it what a strong read returned, or made of that by additions of constants?
static bool comes_from_read(const Scan *scan, IrRef ref) {
  for (int depth = 0; depth < 16; depth++) {
    const IrInst *inst = ir_inst(scan->fn, ref);
    if (!inst) return false;
    bool is_strong = inst->op == IR_LOAD && inst->order != IR_ORDER_PLAIN;
    if (is_strong || inst->op == IR_ATOMICRMW || inst->op == IR_CMPXCHG) return true;
    bool is_sum = inst->op == IR_ADD || inst->op == IR_SUB || inst->op == IR_AND,
         is_cast = inst->op == IR_ZEXT || inst->op == IR_SEXT || inst->op == IR_TRUNC;
    if (!is_cast && !(is_sum && ir_ref_kind(inst->ops[1]) == IR_REF_CONST)) return false;
    ref = inst->ops[0];
  }
  return false;
}

bool order_truth_test(const Scan *scan, IrRef truth, bool holds, EdgeTest *test) {
  IrRef condition = strip_casts(scan, truth);
  for (;;) {
    const IrInst *inst = ir_inst(scan->fn, condition);
    if (!inst) return false;
    bool is_bool = ir_ref_type(scan->module, scan->fn, condition).bits == 1;
    if (inst->op == IR_XOR && is_bool &&
        (is_constant(scan, inst->ops[1], 1) || is_constant(scan, inst->ops[1], -1))) {
      holds = !holds;
      condition = strip_casts(scan, inst->ops[0]);
      continue;
    }
    if (inst->op != IR_ICMP) break;
    IrRef inner = strip_casts(scan, inst->ops[0]);
    bool of_bool = ir_ref_type(scan->module, scan->fn, inner).bits == 1;
    if (!of_bool || !is_constant(scan, inst->ops[1], 0) || (inst->pred != IR_EQ && inst->pred != IR_NE)) {
      bool is_left_const = ir_ref_kind(inst->ops[0]) == IR_REF_CONST ||
                           (!comes_from_read(scan, inst->ops[0]) && comes_from_read(scan, inst->ops[1]));
      IrPred pred = holds ? (IrPred)inst->pred : ir_pred_opposite((IrPred)inst->pred);
      *test = is_left_const ? (EdgeTest){inst->ops[1], inst->ops[0], ir_pred_mirrored(pred)}
                            : (EdgeTest){inst->ops[0], inst->ops[1], pred};
      return pred != IR_PRED_NONE;
    }
    if (inst->pred == IR_EQ) holds = !holds;
    condition = inner;
  }
  // A truth value that was read or computed elsewhere: not 0, or 0 (no other).
  *test = (EdgeTest){condition, 0, holds ? IR_NE : IR_EQ};
  return true;
}

bool order_edge_test(const Scan *scan, uint32_t from, uint32_t to, EdgeTest *test) {
  const IrInst *end = ir_terminator(scan->fn, from);
  if (!end || end->op != IR_CONDBR || end->blocks[0] == end->blocks[1]) return false;
  return order_truth_test(scan, end->ops[0], end->blocks[0] == to, test);
}

bool order_is_feasible(const Order *order, int class, uint32_t from, uint32_t to) {
  const Cfg *cfg = order->scan->cfg;
  if (cfg->rpo_number[from] == CFG_NONE) return false;
  for (uint32_t s = cfg->succ_first[from]; s < cfg->succ_first[from + 1] && class >= 0; s++)
    if (cfg->succs[s] == to && order->is_feasible[class][s]) return true;
  return class < 0;
}

bool order_edge_test_in(const Order *order, int class, uint32_t from, uint32_t to, EdgeTest *test) {
  const Scan *scan = order->scan;
  if (!order_edge_test(scan, from, to, test)) return false;
  // `b > 0 && x`: where ways meet, the value is known on those that have not looked at x.
  for (int depth = 0; depth < 4; depth++) {
    const IrInst *phi = ir_inst(scan->fn, test->value);
    if (!phi || phi->op != IR_PHI || phi->block != from || test->other) return true;
    bool holds = test->pred == IR_NE;
    IrRef looked_at = 0;
    for (uint32_t i = 0; i < phi->op_count; i++) {
      int64_t known = 0;
      bool is_known = ir_const_value(scan->fn, phi->ops[i], &known);
      if (is_known && (known != 0) != holds) continue;
      if (!order_is_feasible(order, class, phi->blocks[i], from) || (is_known && class < 0)) continue;
      if (is_known || (looked_at && looked_at != phi->ops[i])) return true;
      looked_at = phi->ops[i];
    }
    if (!looked_at || !order_truth_test(scan, looked_at, holds, test)) return looked_at == 0;
  }
  return true;
}

bool order_merged_test(const Scan *scan, uint32_t before, uint32_t from, uint32_t to, EdgeTest *test,
                       bool *is_taken) {
  if (!order_edge_test(scan, from, to, test) || test->other) return false;
  const IrInst *phi = ir_inst(scan->fn, test->value);
  bool holds = test->pred == IR_NE;
  for (uint32_t i = 0; phi && phi->op == IR_PHI && phi->block == from && i < phi->op_count; i++) {
    int64_t known = 0;
    if (phi->blocks[i] != before) continue;
    if (!ir_const_value(scan->fn, phi->ops[i], &known))
      return order_truth_test(scan, phi->ops[i], holds, test);
    *is_taken = (known != 0) == holds;
    return false;
  }
  return false;
}

// ---- ways and fences
typedef struct FenceSearch {
  const Scan *scan;
  uint32_t to;
  IrScope scope;
  OrderSide side;
  Extent extent;    // ways end at its barriers; EXTENT_COUNT: they do not
  bool wants_fence; // looks for a way with a fence, not for one without
  bool is_of_one;   // ways of one thread: barriers hand nothing over
  bool to_releases; // `to` has release order: as if a fence stood right before it
  uint8_t *seen;    // by block * FENCE_STATES + state
  uint32_t *stack, depth;
} FenceSearch;

bool order_separates(const Scan *scan, uint32_t barrier, Extent extent) {
  if (extent == EXTENT_COUNT) return false;
  for (uint32_t p = 0; p < scan->points.count; p++)
    if (scan->points.items[p].inst == barrier && point_orders(scan, &scan->points.items[p], extent))
      return true;
  return false;
}

static bool is_met(const FenceSearch *search, FenceState state) {
  bool is_fenced = state == FENCE_SEEN || (search->to_releases && state == FENCE_NOT_SEEN);
  return is_fenced == search->wants_fence;
}

IrScope order_fences(const Scan *scan, uint32_t inst) {
  const IrInst *info = &scan->fn->insts.items[inst];
  bool is_fence = memory_is_fence(info, SIDE_ACQUIRE) || order_is_barrier(scan, inst);
  return is_fence ? (IrScope)info->scope : IR_SCOPE_THREAD;
}

// Walks the rest of a block; true if the goal is met without a fence.
static bool search_block(FenceSearch *search, uint32_t block, uint32_t first, FenceState state) {
  const Scan *scan = search->scan;
  const IrBlock *info = &scan->fn->blocks.items[block];
  uint32_t end = info->first + info->count;
  // Most blocks have nothing that orders; this walk is gone for every pair of accesses.
  if (!scan->may_order[block]) {
    if (search->to >= first && search->to < end && is_met(search, state)) return true;
    first = end;
  }
  for (uint32_t i = first; i < end; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (i == search->to && is_met(search, state)) return true;
    bool is_barrier = order_is_barrier(scan, i);
    if (is_barrier && order_separates(scan, i, search->extent)) return false;
    bool orders = (memory_is_fence(inst, search->side) || is_barrier) && inst->scope >= search->scope;
    if (orders && state == FENCE_NOT_SEEN) state = FENCE_SEEN;
    bool hands_on = is_barrier && inst->scope >= IR_SCOPE_BLOCK && !orders && !search->is_of_one;
    if (hands_on) state = memory_behind_barrier(order_rules(scan), search->side, state);
  }
  for (uint32_t s = scan->cfg->succ_first[block]; s < scan->cfg->succ_first[block + 1]; s++) {
    uint32_t key = scan->cfg->succs[s] * FENCE_STATES + state;
    if (search->seen[key]) continue;
    search->seen[key] = 1;
    search->stack[search->depth++] = key;
  }
  return false;
}

static bool search_ways(FenceSearch *search, uint32_t from) {
  const Scan *scan = search->scan;
  Arena *scratch = arena_open();
  size_t keys = (size_t)scan->cfg->block_count * FENCE_STATES + 1;
  search->seen = arena_array(scratch, keys, uint8_t);
  search->stack = arena_array(scratch, keys, uint32_t);
  bool found = search_block(search, scan->fn->insts.items[from].block, from + 1, FENCE_NOT_SEEN);
  while (search->depth && !found) {
    uint32_t key = search->stack[--search->depth], block = key / FENCE_STATES;
    found =
        search_block(search, block, scan->fn->blocks.items[block].first, (FenceState)(key % FENCE_STATES));
  }
  arena_close(scratch);
  return found;
}

bool order_lacks_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope scope, OrderSide side) {
  FenceSearch search = {.scan = scan, .to = to, .scope = scope, .side = side, .extent = EXTENT_COUNT};
  return search_ways(&search, from);
}

bool order_acquires(const Scan *scan, uint32_t read) {
  return memory_acquires(&scan->fn->insts.items[read], false);
}

bool order_acquires_always(const Scan *scan, uint32_t read) {
  return memory_acquires(&scan->fn->insts.items[read], true);
}

bool order_hands_on(const Scan *scan, uint32_t read, uint32_t write, IrScope scope) {
  bool acquires = order_acquires(scan, read), releases = order_releases(scan, write);
  if (acquires && releases) return true;
  OrderSide open = acquires ? SIDE_RELEASE : releases ? SIDE_ACQUIRE : SIDE_BOTH;
  return !order_lacks_fence(scan, read, write, scope, open);
}

bool order_releases(const Scan *scan, uint32_t write) {
  return memory_releases(&scan->fn->insts.items[write]);
}

bool order_lacks_release(const Scan *scan, uint32_t from, uint32_t write, IrScope scope, bool is_of_one) {
  bool is_of_all = is_of_one || order_rules(scan)->release != FENCE_BESIDE_ACCESS;
  if (order_releases(scan, write) && is_of_all) return false;
  FenceSearch search = {.scan = scan,
                        .to = write,
                        .scope = scope,
                        .side = SIDE_RELEASE,
                        .extent = EXTENT_COUNT,
                        .is_of_one = is_of_one,
                        .to_releases = order_releases(scan, write)};
  return search_ways(&search, from);
}

bool order_may_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope scope, OrderSide side,
                     Extent extent, bool is_of_one) {
  FenceSearch search = {.scan = scan,
                        .to = to,
                        .scope = scope,
                        .side = side,
                        .extent = extent,
                        .wants_fence = true,
                        .is_of_one = is_of_one,
                        .to_releases = side == SIDE_RELEASE && order_releases(scan, to) &&
                                       order_scope_of(scan, order_access_of(scan, to)) >= scope};
  return search_ways(&search, from);
}

uint32_t order_narrow_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope needed) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op == IR_FENCE && inst->scope < needed && order_reaches(scan, from, i) &&
        order_reaches(scan, i, to))
      return i;
  }
  return CFG_NONE;
}

const char *order_narrow_words(const Scan *scan, uint32_t inst, IrScope needed) {
  if (needed <= IR_SCOPE_BLOCK)
    return "a scope of its own thread only; the other access is in another thread";
  bool is_of_cluster = inst != CFG_NONE && scan->fn->insts.items[inst].scope == IR_SCOPE_CLUSTER;
  return is_of_cluster ? "cluster scope; the other access may be in another cluster"
                       : "block scope; the other access is in another block";
}

bool order_reaches_in(const Scan *scan, uint32_t from, uint32_t to, Extent extent) {
  FenceSearch search = {.scan = scan, .to = to, .scope = IR_SCOPE_COUNT, .extent = extent};
  return search_ways(&search, from);
}

// Nodes between the point and the next barriers of the whole group that the extent lies in.
static const uint8_t *interval_of(Order *order, uint32_t point, Extent extent, uint8_t **known) {
  Scan *scan = order->scan;
  if (!point_orders_all(scan, &scan->points.items[point], extent)) return NULL;
  if (known[point]) return known[point];
  WayGraph *graph = ways_of_all(scan, &scan->points.items[point], extent);
  uint8_t *nodes = arena_array(scan->arena, scan->nodes.count + 1, uint8_t);
  for (uint32_t s = 0; s < graph->states.count; s++)
    nodes[graph->states.items[s].node] = 1;
  return known[point] = nodes;
}

const uint8_t *order_interval(Order *order, uint32_t point) {
  return interval_of(order, point, EXTENT_INTRA_BLOCK, order->intervals);
}

const uint8_t *order_warp_interval(Order *order, uint32_t point) {
  return interval_of(order, point, EXTENT_INTRA_WARP, order->warp_intervals);
}

bool order_is_before_all(Order *order, const Access *write, const Access *later) {
  for (uint32_t p = 0; p < order->scan->points.count; p++) {
    const uint8_t *nodes = order_interval(order, p);
    if (!nodes) continue;
    if (p == 0 ? nodes[later->node] : nodes[write->node]) return false;
  }
  return true;
}

static bool is_edge_of(const Order *order, const OrderWalk *walk, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < walk->end_count; i++)
    if (order_is_edge_of(order, CLASS_LEADER, from, to, walk->ends[i])) return true;
  return false;
}

bool order_walks(const Order *order, const OrderWalk *walk) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(scratch, cfg->block_count + 2, uint32_t), depth = 0;
  bool found = false;
  for (uint32_t block = scan->fn->insts.items[walk->from].block, first = walk->from + 1;;) {
    const IrBlock *info = &scan->fn->blocks.items[block];
    bool goes_on = true;
    for (uint32_t i = first; i < info->first + info->count && goes_on && !found; i++) {
      found = walk->wanted[i];
      goes_on = !walk->avoided || !walk->avoided[i];
    }
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1] && goes_on && !found; e++) {
      if ((walk->is_of_leader && !order->is_feasible[CLASS_LEADER][e]) || seen[cfg->succs[e]] ||
          is_edge_of(order, walk, block, cfg->succs[e]))
        continue;
      seen[cfg->succs[e]] = 1;
      stack[depth++] = cfg->succs[e];
    }
    if (!depth || found) break;
    block = stack[--depth];
    first = scan->fn->blocks.items[block].first;
  }
  arena_close(scratch);
  return found;
}

// No thread can go round the barrier to its end.
bool order_all_arrive(const Scan *scan, const Point *point) {
  for (uint32_t b = 0; b < scan->cfg->block_count; b++) {
    const IrInst *end = ir_terminator(scan->fn, b);
    if (!end || (end->op != IR_CONDBR && end->op != IR_SWITCH) || scan->cfg->rpo_number[b] == CFG_NONE)
      continue;
    if (uniform_ref(scan, end->ops[0]) || cfg_post_dominates(scan->cfg, point->block, b)) continue;
    if (order_block_reaches(scan, b, point->block, scan->cfg->ipdom[b])) return false;
  }
  return true;
}

bool order_leader_arrives(const Scan *scan, const Point *point) {
  return order_has_leader(scan->order, point) && order_all_arrive(scan, point);
}

// ---- classes of threads
ExprRef order_block_condition(Frame *frame, uint32_t block) {
  const Cfg *cfg = frame->scan->cfg;
  ExprRef condition = expr_bool(frame->scan->pool, true);
  for (uint32_t at = block; at != 0 && cfg->idom[at] != CFG_NONE; at = cfg->idom[at])
    condition = expr_and(frame->scan->pool, frame_region_condition(frame, cfg->idom[at], at), condition);
  return condition;
}

ExprRef order_class_condition(Scan *scan, const View *view, int class) {
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 32, 0), is_leader = expr_bool(pool, true);
  for (int axis = 0; axis < 3; axis++)
    is_leader = expr_and(pool, is_leader, expr_eq(pool, view->thread_idx[axis], scan->order->leader[axis]));
  if (class == CLASS_LEADER) return is_leader;
  ExprRef is_first = expr_eq(pool, view->lane, zero);
  if (class == CLASS_OTHERS) return expr_and(pool, expr_not(pool, is_first), expr_not(pool, is_leader));
  return expr_and(pool, is_first, expr_not(pool, is_leader));
}

typedef struct SymSearch {
  const ExprPool *pool;
  bool has_thread_idx, has_contents;
} SymSearch;

static void visit_sym(void *context, uint32_t sym) {
  SymSearch *search = context;
  unsigned kind = expr_sym_info(search->pool, sym)->kind;
  search->has_thread_idx |= kind == SYM_THREAD_IDX;
  search->has_contents |= kind == SYM_MEMORY || kind == SYM_UNKNOWN;
}

// The parts of a condition that tell threads of a block apart by their numbers.
static ExprRef parts_of_class(ExprPool *pool, ExprRef condition) {
  const ExprNode node = *expr_node(pool, condition);
  if (node.op == EXPR_AND) return expr_and(pool, parts_of_class(pool, node.a), parts_of_class(pool, node.b));
  SymSearch search = {.pool = pool};
  expr_each_sym(pool, condition, visit_sym, &search);
  return search.has_thread_idx && !search.has_contents ? condition : expr_bool(pool, true);
}

static bool others_may_take(Order *order, int class, ExprRef whole, uint32_t *questions) {
  Scan *scan = order->scan;
  ExprRef condition = parts_of_class(scan->pool, whole);
  const View *view = order->classes[class]->view;
  ExprRef of_class = expr_and(scan->pool, condition, order_class_condition(scan, view, class));
  if (expr_is_true(scan->pool, condition) ||
      order_holds_in_model(scan->pool, &order->models[class], of_class) || ++*questions > EDGE_QUESTION_LIMIT)
    return true;
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, order_class_condition(scan, view, class), GOAL_EXTENT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  if (!order_speaks_of_host(scan->pool, condition)) goal = order_lean_goal(scan, &goal);
  SolverAnswer answer = goal_satisfiable(scan, &goal, "who takes this branch");
  order_keep_model(&order->models[class], &answer);
  return !order_is_refuted(scan, &answer);
}

static bool may_take(Order *order, int class, uint32_t from, uint32_t to, uint32_t *questions) {
  Scan *scan = order->scan;
  Frame *frame = order->classes[class];
  ExprRef edge = frame_edge_condition(frame, from, to);
  if (!edge || expr_is_true(scan->pool, edge)) return true;
  ExprRef condition = expr_and(scan->pool, order_block_condition(frame, from), edge);
  if (expr_is_false(scan->pool, condition)) return false;
  return class == CLASS_LEADER || others_may_take(order, class, condition, questions);
}

// Blocks of one thread have nobody but a leader.
static bool is_nobody(Order *order, int class) {
  Scan *scan = order->scan;
  const View *view = order->classes[class]->view;
  ExprRef of_class = order_class_condition(scan, view, class);
  if (expr_is_false(scan->pool, of_class)) return true;
  if (scan->launch->is_any) return false;
  Goal goal = {0};
  goal_add(scan, &goal, of_class, GOAL_EXTENT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "are there such threads");
  order_keep_model(&order->models[class], &answer);
  return order_is_refuted(scan, &answer);
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
  View *view = view_fresh(scan, NULL);
  if (leader) order_make_leader(leader, view);
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
  if (scan->order) return scan->order;
  BUG_UNLESS(scan->knows_divergent);
  Order *order = arena_new(scan->arena, Order);
  order->scan = scan;
  scan->order = order;
  order->intervals = arena_array(scan->arena, scan->points.count + 1, uint8_t *);
  order->warp_intervals = arena_array(scan->arena, scan->points.count + 1, uint8_t *);
  order->anyone = make_frame(scan, NULL);
  order->anyone_else = make_frame(scan, NULL);
  order->strangers[0] = order->anyone;
  order->strangers[1] = order->anyone_else;
  order->strangers[2] = make_frame(scan, NULL);
  order->mate = make_frame(scan, NULL);
  order_choose_leader(order);
  for (int class = 0; class < CLASS_COUNT; class ++)
    order->classes[class] = make_frame(scan, class == CLASS_LEADER ? order : NULL);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    order->has_strong_access |= order_is_strong(scan, &scan->accesses.items[a]);
    order->has_strong_global |= order_is_strong(scan, &scan->accesses.items[a]) && is_seen_by_blocks(scan, a);
  }
  if (!order->has_strong_access) return order;
  for (int class = 0; class < CLASS_COUNT; class ++)
    find_class_edges(order, class);
  order_find_carried(order);
  order_find_locks(order);
  order_find_signals(order);
  return order;
}

ExprRef order_same_block(Scan *scan, const View *one, const View *two) {
  ExprRef same = expr_bool(scan->pool, true);
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(scan->pool, same, expr_eq(scan->pool, one->block_idx[axis], two->block_idx[axis]));
  return same;
}
