// Is one access made before the other because a thread waited for a flag, or was the last one to draw a
// number? Flags: the reader has passed an edge on which a strong read returned a value that only writes
// behind the other access store. Tickets: each block adds one to a counter behind its accesses, and the
// reader's block drew the number of blocks less one. Method: must-passed forward data flow, handed on by the
// leader at block barriers; release and acquire as fences on every way (Lustig et al., "PTX memory model",
// ASPLOS 2019); who stored the value is a third thread in the goal. Soundness: every write that may have
// stored the awaited value must be ordered behind the access; that flags and counters are not set when the
// kernel starts is an assumption.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order.h"

static bool compare(IrPred pred, int64_t a, int64_t b) {
  switch ((int)pred) {
  case IR_EQ: return a == b;
  case IR_NE: return a != b;
  case IR_SLT: return a < b;
  case IR_SLE: return a <= b;
  case IR_SGT: return a > b;
  case IR_SGE: return a >= b;
  case IR_ULT: return (uint64_t)a < (uint64_t)b;
  case IR_ULE: return (uint64_t)a <= (uint64_t)b;
  case IR_UGT: return (uint64_t)a > (uint64_t)b;
  case IR_UGE: return (uint64_t)a >= (uint64_t)b;
  default: return true;
  }
}

// ---- what is waited for
// -------------------------------------------------------------------------------------------------
// The strong read that a compared value comes from, through additions and casts.
static uint32_t find_root(const Scan *scan, IrRef ref) {
  for (int depth = 0; depth < 16; depth++) {
    const IrInst *inst = ir_inst(scan->fn, ref);
    if (!inst) return CFG_NONE;
    const Access *access = order_access_of(scan, ir_ref_index(ref));
    if (access && inst->op != IR_STORE && inst->op != IR_MEMCPY) return ir_ref_index(ref);
    bool passes = inst->op == IR_ADD || inst->op == IR_SUB || inst->op == IR_ZEXT || inst->op == IR_SEXT ||
                  inst->op == IR_TRUNC || inst->op == IR_AND;
    if (!passes) return CFG_NONE;
    ref = inst->op_count > 1 && !ir_inst(scan->fn, inst->ops[0]) ? inst->ops[1] : inst->ops[0];
  }
  return CFG_NONE;
}

bool order_is_counting(const Scan *scan, const Access *access) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t amount = 0;
  if (inst->op != IR_ATOMICRMW || !access->is_natural) return false;
  return inst->rmw == IR_RMW_INC ||
         (inst->rmw == IR_RMW_ADD && ir_const_value(scan->fn, inst->ops[1], &amount) && amount == 1);
}

// Can the leader come from kernel entry to `to` without executing `avoided`?
static bool leader_avoids(Order *order, uint32_t avoided, uint32_t to) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  uint8_t *seen = arena_array(scan->arena, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(scan->arena, cfg->block_count + 1, uint32_t), depth = 1;
  seen[0] = 1;
  while (depth) {
    uint32_t block = stack[--depth];
    const IrBlock *info = &scan->fn->blocks.items[block];
    bool stops = false;
    for (uint32_t i = info->first; i < info->first + info->count && !stops; i++) {
      if (i == to) return true;
      stops = i == avoided;
    }
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1] && !stops; s++) {
      if (!order->is_feasible[CLASS_LEADER][s] || seen[cfg->succs[s]]) continue;
      seen[cfg->succs[s]] = 1;
      stack[depth++] = cfg->succs[s];
    }
  }
  return false;
}

bool order_only_leader(const Order *order, uint32_t inst) {
  uint32_t block = order->scan->fn->insts.items[inst].block;
  for (int class = 0; class < CLASS_COUNT; class ++)
    if (class != CLASS_LEADER && order->is_reached[class][block]) return false;
  return true;
}

// A truth value that the leader stores in shared memory and all read behind a barrier: the store.
static const Access *find_carrier(Order *order, const Access *load) {
  const Scan *scan = order->scan;
  SymValue address = frame_value(order->anyone, load->address);
  if (!scan->is_broadcast[load->inst] || address.kind != SYM_POINTER || address.target_count != 1)
    return NULL;
  const Access *store = NULL;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !order_may_touch(order, write, &address.targets[0], load->bytes))
      continue;
    int64_t value = 0;
    if (order_stored_constant(scan, write, &value) && value == 0) continue; // says no
    if (store || scan->fn->insts.items[write->inst].op != IR_STORE || write->bytes != load->bytes)
      return NULL;
    store = write;
  }
  if (!store || !order_only_leader(order, store->inst)) return NULL;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const uint8_t *nodes = order_interval(order, p);
    if (!nodes || !nodes[load->node]) continue;
    const Point *point = &scan->points.items[p];
    if (p == 0 || !order_leader_arrives(scan, point) || leader_avoids(order, store->inst, point->inst))
      return NULL;
  }
  return store;
}

static void add_signal(Order *order, Signal signal) {
  for (uint32_t i = 0; i < order->signal_count; i++) {
    const Signal *old = &order->signals[i];
    if (old->tested == signal.tested && old->test.pred == signal.test.pred &&
        old->test.other == signal.test.other)
      return;
  }
  SymValue address = frame_value(order->anyone, signal.read->address);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition) return;
  if (!signal.read->is_natural || order->signal_count == LOCK_LIMIT) return; // fewer proofs
  signal.target = address.targets[0];
  order_classify_address(order->scan, &signal.target, &signal.is_fixed, &signal.is_of_block);
  order->signals[order->signal_count++] = signal;
}

// A flag that is taken down as it is read: what this stores ends nobody's wait.
static bool takes_down(const Scan *scan, const Signal *signal) {
  int64_t stored = 0, other = 0;
  const IrInst *read = &scan->fn->insts.items[signal->read->inst];
  bool replaces = (read->op == IR_ATOMICRMW && read->rmw == IR_RMW_XCHG) || read->op == IR_CMPXCHG;
  return replaces && signal->is_direct && order_stored_constant(scan, signal->read, &stored) &&
         (!signal->test.other || ir_const_value(scan->fn, signal->test.other, &other)) &&
         !compare(signal->test.pred, stored, other);
}

static void find_signal(Order *order, uint32_t from, uint32_t to) {
  const Scan *scan = order->scan;
  EdgeTest test;
  if (!order_edge_test_in(order, -1, from, to, &test)) return;
  uint32_t root = find_root(scan, test.value);
  if (root == CFG_NONE) return;
  const Access *read = order_access_of(scan, root);
  Signal signal = {.test = test, .tested = root, .from = from, .to = to, .read = read};
  signal.is_direct = test.value == IR_REF(IR_REF_INST, root);
  if (!order_is_strong(scan, read)) { // a truth value that was handed on
    if (test.pred != IR_NE || scan->fn->insts.items[root].order != IR_ORDER_PLAIN) return;
    signal.carrier = find_carrier(order, read);
    if (!signal.carrier) return;
    const IrInst *store = &scan->fn->insts.items[signal.carrier->inst];
    IrRef stored = store->ops[1];
    for (const IrInst *inst = ir_inst(scan->fn, stored); inst && (inst->op == IR_ZEXT || inst->op == IR_ICMP);
         inst = ir_inst(scan->fn, stored)) {
      stored = inst->ops[0];
      if (inst->op == IR_ICMP) break;
    }
    root = find_root(scan, stored);
    if (root == CFG_NONE) return;
    signal.read = order_access_of(scan, root);
  }
  signal.is_ticket = order_is_counting(scan, signal.read);
  bool only_looks = order_is_only_read(scan, signal.read) || takes_down(scan, &signal);
  if (signal.is_ticket || (!signal.carrier && only_looks)) add_signal(order, signal);
}

// ---- data flow
// ---------------------------------------------------------------------------------------------------------
static uint64_t passed_before(const Order *order, int class, uint32_t inst);

// Signals whose word is the same for all threads of the block: what the leader waited for, all waited for.
static uint64_t words_of_block(const Order *order) {
  uint64_t words = 0;
  for (uint32_t s = 0; s < order->signal_count; s++)
    words |= (uint64_t)order->signals[s].is_of_block << s;
  return words;
}

static uint64_t pass_inst(const Order *order, int class, uint32_t inst, uint64_t passed) {
  const Scan *scan = order->scan;
  if (ir_op_flags((IrOp)scan->fn->insts.items[inst].op) & IR_READS)
    for (uint32_t s = 0; s < order->signal_count; s++)
      if (order->signals[s].read->inst == inst || order->signals[s].tested == inst) passed &= ~(1ull << s);
  if (!order_is_barrier(scan, inst) || class == CLASS_LEADER || order->is_of_one) return passed;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->inst == inst && !point->cover && point_orders(scan, point, EXTENT_INTRA_BLOCK) &&
        order_leader_arrives(order->scan, point))
      passed |= passed_before(order, CLASS_LEADER, inst) & words_of_block(order);
  }
  return passed;
}

static uint64_t passed_before(const Order *order, int class, uint32_t inst) {
  const Scan *scan = order->scan;
  uint32_t block = scan->fn->insts.items[inst].block;
  if (!order->is_reached[class][block]) return 0;
  uint64_t passed = order->passed[class][block];
  for (uint32_t i = scan->fn->blocks.items[block].first; i < inst; i++)
    passed = pass_inst(order, class, i, passed);
  return passed;
}

static uint64_t pass_edge(const Order *order, int class, uint32_t from, uint32_t to, uint64_t passed) {
  EdgeTest test;
  if (!order_edge_test_in(order, class, from, to, &test)) return passed;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    const Signal *either = signal->last ? &order->signals[signal->last - 1] : signal;
    bool is_it = signal->test.value == test.value && signal->test.pred == test.pred &&
                 signal->test.other == test.other,
         is_either = either->test.value == test.value && either->test.pred == test.pred &&
                     either->test.other == test.other;
    if (is_it || is_either) passed |= 1ull << s;
  }
  return passed;
}

void order_flow_signals(Order *order, int class) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  order->passed[class] = arena_array(scan->arena, cfg->block_count + 1, uint64_t);
  for (uint32_t b = 1; b < cfg->block_count; b++)
    order->passed[class][b] = UINT64_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < cfg->rpo_count; n++) {
      uint32_t block = cfg->rpo[n];
      if (!order->is_reached[class][block]) continue;
      const IrBlock *info = &scan->fn->blocks.items[block];
      uint64_t passed = passed_before(order, class, info->first + info->count - 1);
      for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
        if (!order->is_feasible[class][s]) continue;
        uint64_t *into = &order->passed[class][cfg->succs[s]];
        uint64_t merged = *into & pass_edge(order, class, block, cfg->succs[s], passed);
        changed |= merged != *into;
        *into = merged;
      }
    }
  }
}

void order_find_signals(Order *order) {
  const Cfg *cfg = order->scan->cfg;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1]; s++)
      if (cfg->rpo_number[b] != CFG_NONE) find_signal(order, b, cfg->succs[s]);
  if (!order->signal_count) return;
  order_find_generations(order);
  for (int class = 0; class < CLASS_COUNT; class ++) // the leader first: others hear from it
    order_flow_signals(order, class);
}

// Whoever makes the access has passed the signal.
bool order_is_passed_at(const Order *order, uint32_t s, uint32_t inst) {
  for (int class = 0; class < CLASS_COUNT; class ++)
    if (order->is_reached[class][order->scan->fn->insts.items[inst].block] &&
        !(passed_before(order, class, inst) >> s & 1))
      return false;
  return true;
}

// ---- release and acquire
// ----------------------------------------------------------------------------------------------
static uint32_t inst_of(const Direction *way, int which) {
  return way->question->instances[which]->access->inst;
}

// A fence between the strong read and the access; a volatile access sees what a device-wide flag announces.
bool order_is_acquired(const Direction *way, const Signal *signal) {
  const Scan *scan = way->order->scan;
  const IrInst *read = &scan->fn->insts.items[signal->read->inst];
  if (order_scope_of(scan, signal->read) < way->needed) return false;
  // In ScoRD's model fences are the writer's; who reads strongly sees what they have made visible.
  if (scan->request->options.memory_model == MEMORY_MODEL_SCORD) return true;
  if (read->order == IR_ORDER_ACQUIRE || read->order >= IR_ORDER_ACQ_REL) return true;
  const Access *access = way->question->instances[way->second]->access;
  if (scan->request->options.memory_model == MEMORY_MODEL_CUDA && order_is_strong(scan, access)) return true;
  return !order_lacks_fence(scan, signal->read->inst, access->inst, way->needed, SIDE_ACQUIRE);
}

bool order_is_released(const Direction *way, const Access *write) {
  const Scan *scan = way->order->scan;
  if (!order_is_strong(scan, write) || order_scope_of(scan, write) < way->needed) return false;
  return scan->fn->insts.items[write->inst].order >= IR_ORDER_RELEASE ||
         !order_lacks_fence(scan, inst_of(way, way->first), write->inst, way->needed, SIDE_RELEASE);
}

// In one block, the first access is always made before a barrier, and the write behind it.
static bool is_behind_barrier(const Direction *way, const Access *write) {
  const Scan *scan = way->order->scan;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const uint8_t *nodes = order_interval(way->order, p);
    if (!nodes || !nodes[write->node]) continue;
    if (p == 0 || order_reaches(scan, scan->points.items[p].inst, inst_of(way, way->first))) return false;
  }
  return true;
}

// ---- flags
// -------------------------------------------------------------------------------------------------------------
// May the write store a value that ends the wait?
static bool may_satisfy(const Scan *scan, const Signal *signal, const Access *write) {
  int64_t stored = 0, other = 0;
  if (order_is_only_read(scan, write)) return false;
  if (!signal->is_direct || !order_stored_constant(scan, write, &stored)) return true;
  if (signal->test.other && !ir_const_value(scan->fn, signal->test.other, &other)) return true;
  return compare(signal->test.pred, stored, other);
}

ExprRef order_same_thread(Scan *scan, const View *one, const View *two) {
  ExprRef same = order_same_block(scan, one, two);
  for (int axis = 0; axis < 3; axis++)
    same = expr_and(scan->pool, same, expr_eq(scan->pool, one->thread_idx[axis], two->thread_idx[axis]));
  return same;
}

// Could some third thread, other than those whose write comes behind the access, have stored the awaited
// value?
static bool stranger_may_write(const Direction *way, const Signal *signal, const Access *write,
                               bool by_block) {
  Order *order = way->order;
  Scan *scan = order->scan;
  const Instance *first = way->question->instances[way->first],
                 *second = way->question->instances[way->second];
  SymValue word = frame_value(second->frame, signal->read->address),
           stored = frame_value(order->anyone, write->address);
  if (word.target_count != 1 || stored.target_count != 1 || write->bytes != signal->read->bytes) return true;
  const Target *p = &word.targets[0], *q = &stored.targets[0];
  if (p->object != q->object) return false;
  const View *writer = order->anyone->view;
  Goal goal = order_copy_goal(scan, way->question->goal);
  goal_add(scan, &goal, expr_eq(scan->pool, p->offset, q->offset), GOAL_CONTEXT, 0);
  if (p->key && q->key) goal_add(scan, &goal, expr_eq(scan->pool, p->key, q->key), GOAL_CONTEXT, 0);
  if (scan->objects.items[p->object].kind == OBJ_SHARED)
    goal_add(scan, &goal, order_same_block(scan, second->frame->view, writer), GOAL_CONTEXT, 0);
  uint32_t block = scan->fn->insts.items[write->inst].block;
  goal_add(scan, &goal, order_block_condition(order->anyone, block), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, writer);
  ExprRef known = by_block ? order_same_block(scan, first->frame->view, writer)
                           : order_same_thread(scan, first->frame->view, writer);
  goal_add(scan, &goal, expr_not(scan->pool, known), GOAL_CONFLICT, 0);
  const char *name = arena_printf(scan->arena, "%s, flag set by another", way->question->name);
  return !order_cannot_hold(scan, &goal, name);
}

// The wait ends at once if the flag was never set.
static bool is_met_by_zero(Order *order, const Signal *signal) {
  Scan *scan = order->scan;
  int64_t other = 0;
  if (!signal->is_direct) return true;
  if (!signal->test.other || ir_const_value(scan->fn, signal->test.other, &other))
    return compare(signal->test.pred, 0, other);
  uint8_t width = (uint8_t)(signal->read->bytes * 8);
  ExprRef awaited = frame_word(order->anyone, signal->test.other, width);
  ExprRef ends =
      awaited ? order_compares(scan->pool, signal->test.pred, expr_const(scan->pool, width, 0), awaited) : 0;
  if (!ends) return true;
  Goal goal = {0};
  goal_add(scan, &goal, ends, GOAL_CONFLICT, 0);
  goal_add(scan, &goal, order_block_condition(order->anyone, scan->fn->insts.items[signal->read->inst].block),
           GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, order->anyone->view);
  goal_add_launch(scan, &goal);
  return !order_cannot_hold(scan, &goal, "does it wait for zero");
}

// ---- over a third thread
// Are the two in one block, whenever this goal holds?
static bool is_one_block(Scan *scan, const Goal *known, const View *one, const View *two) {
  Goal goal = order_copy_goal(scan, known);
  goal_add(scan, &goal, expr_not(scan->pool, order_same_block(scan, one, two)), GOAL_CONFLICT, 0);
  return order_cannot_hold(scan, &goal, "one block");
}

enum { CHAIN_LIMIT = 3 };

// Somebody who waits for a signal, and then comes to `inst`.
typedef struct Listener {
  const Signal *signal;
  Frame *frame;
  uint32_t inst;
  const Goal *known;
  int depth; // how many stand between it and the second thread
} Listener;

static bool all_tell(const Direction *way, const Listener *listener);

// Who tells the listener has heard it from somebody else: it has itself passed a signal.
static bool passes_on(const Direction *way, const Listener *listener, const Access *write, Frame *teller,
                      const Goal *known, IrScope needed) {
  const Order *order = way->order;
  const Scan *scan = order->scan;
  const IrInst *told = &scan->fn->insts.items[write->inst];
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *heard = &order->signals[s];
    if (heard == listener->signal || !heard->is_fixed || heard->is_ticket || heard->carrier ||
        !order_is_passed_at(order, s, write->inst) || is_met_by_zero(way->order, heard))
      continue;
    bool releases = told->order >= IR_ORDER_RELEASE ||
                    !order_lacks_fence(scan, heard->read->inst, write->inst, needed, SIDE_RELEASE);
    Listener next = {heard, teller, write->inst, known, listener->depth + 1};
    if (releases && next.depth < CHAIN_LIMIT && all_tell(way, &next)) return true;
  }
  return false;
}

static bool acquires(const Scan *scan, const Listener *listener, IrScope needed) {
  const IrInst *read = &scan->fn->insts.items[listener->signal->read->inst];
  if (listener->depth == 0 || scan->request->options.memory_model == MEMORY_MODEL_SCORD)
    return true; // asked before
  return read->order == IR_ORDER_ACQUIRE || read->order >= IR_ORDER_ACQ_REL ||
         !order_lacks_fence(scan, listener->signal->read->inst, listener->inst, needed, SIDE_ACQUIRE);
}

// If this write ends the listener's wait, does the listener know of the first access?
static bool tells(const Direction *way, const Listener *listener, const Access *write) {
  Order *order = way->order;
  Scan *scan = order->scan;
  Frame *teller = order->strangers[listener->depth];
  const View *first = way->question->instances[way->first]->frame->view;
  SymValue word = frame_value(listener->frame, listener->signal->read->address),
           stored = frame_value(teller, write->address);
  if (word.target_count != 1 || stored.target_count != 1 || !order_is_strong(scan, write)) return false;
  Goal goal = order_copy_goal(scan, listener->known);
  goal_add(scan, &goal, expr_eq(scan->pool, word.targets[0].offset, stored.targets[0].offset), GOAL_CONTEXT,
           0);
  goal_add(scan, &goal, order_block_condition(teller, scan->fn->insts.items[write->inst].block), GOAL_CONTEXT,
           0);
  goal_add_view(scan, &goal, teller->view);
  if (order_cannot_hold(scan, &goal, "does anybody tell")) return true;
  IrScope needed =
      is_one_block(scan, &goal, teller->view, listener->frame->view) ? IR_SCOPE_BLOCK : IR_SCOPE_DEVICE;
  if (order_scope_of(scan, write) < needed || order_scope_of(scan, listener->signal->read) < needed ||
      !acquires(scan, listener, needed))
    return false;
  Direction hop = *way;
  hop.needed = needed;
  if (order_is_released(&hop, write) && !order_reaches(scan, write->inst, inst_of(way, way->first))) {
    Goal other = order_copy_goal(scan, &goal);
    goal_add(scan, &other, expr_not(scan->pool, order_same_thread(scan, first, teller->view)), GOAL_CONFLICT,
             0);
    if (order_cannot_hold(scan, &other, "who has told")) return true;
  }
  return passes_on(way, listener, write, teller, &goal, needed);
}

static bool all_tell(const Direction *way, const Listener *listener) {
  Order *order = way->order;
  const Signal *signal = listener->signal;
  bool any = false;
  for (uint32_t a = 0; a < order->scan->accesses.count; a++) {
    const Access *write = &order->scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !may_satisfy(order->scan, signal, write) ||
        !order_may_touch(order, write, &signal->target, signal->read->bytes))
      continue;
    any = true;
    if (!tells(way, listener, write)) return false;
  }
  return any;
}

// Only the second thread itself makes the write, when its wait is over.
static bool is_own_and_later(const Direction *way, const Signal *signal, const Access *write) {
  Order *order = way->order;
  Scan *scan = order->scan;
  if (order_reaches(scan, write->inst, signal->read->inst)) return false;
  Frame *writer = order->strangers[0];
  Goal goal = order_copy_goal(scan, way->question->goal);
  goal_add(scan, &goal, order_block_condition(writer, scan->fn->insts.items[write->inst].block), GOAL_CONTEXT,
           0);
  goal_add_view(scan, &goal, writer->view);
  const View *second = way->question->instances[way->second]->frame->view;
  goal_add(scan, &goal, expr_not(scan->pool, order_same_thread(scan, second, writer->view)), GOAL_CONFLICT,
           0);
  goal = order_lean_goal(scan, &goal);
  return goal.is_false || goal_satisfiable(scan, &goal, "who stores it later").verdict == VERDICT_SAFE;
}

static bool write_is_ordered(const Direction *way, const Signal *signal, const Access *write) {
  const Instance *second = way->question->instances[way->second];
  Listener listener = {signal, second->frame, second->access->inst, way->question->goal, 0};
  if (is_own_and_later(way, signal, write) || tells(way, &listener, write)) return true;
  if (!order_is_released(way, write)) return false;
  if (is_behind_barrier(way, write)) return !stranger_may_write(way, signal, write, true);
  bool comes_later = !order_reaches(way->order->scan, write->inst, inst_of(way, way->first));
  return comes_later && !stranger_may_write(way, signal, write, false);
}

static bool address_stays(const Direction *way, const Signal *signal) {
  const Scan *scan = way->order->scan;
  uint32_t read = signal->read->inst, second = inst_of(way, way->second);
  uint32_t a = scan->fn->insts.items[read].block, b = scan->fn->insts.items[second].block;
  if (a == b ? read < second : cfg_dominates(scan->cfg, a, b)) return true;
  return way->order->is_of_one ? signal->is_fixed : signal->is_of_block; // perhaps the leader has waited
}

// The flag stays up after the first round, and nothing keeps the writer from going on: in a later round it
// overwrites while the reader, let through by the first, still reads.
static bool is_set_again(const Direction *way, const Signal *signal, const Access *write) {
  const Order *order = way->order;
  Scan *scan = order->scan;
  const Instance *first = way->question->instances[way->first];
  int64_t stored = 0;
  if (!order_stored_constant(scan, write, &stored) || !may_satisfy(scan, signal, write) ||
      !order_is_released(way, write))
    return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *other = &scan->accesses.items[a];
    if (other->kind != ACCESS_READ && !may_satisfy(scan, signal, other) && !order_is_only_read(scan, other) &&
        order_may_touch(way->order, other, &signal->target, signal->read->bytes))
      return false; // taken down in between
  }
  if (order_waits(way->order, first->access->inst, way->question->extent)) return false;
  uint32_t block = scan->fn->insts.items[first->access->inst].block;
  uint32_t loop = scan->cfg->loop_of[block];
  while (loop != CFG_NONE && !cfg_loop_contains(scan->cfg, loop, scan->fn->insts.items[write->inst].block))
    loop = scan->cfg->loops.items[loop].parent;
  if (loop == CFG_NONE) return false;
  Goal goal = order_copy_goal(scan, way->question->goal);
  ExprRef later = expr_binary(scan->pool, EXPR_SLE, 0, expr_const(scan->pool, 32, 1),
                              frame_iteration(first->frame, loop));
  goal_add(scan, &goal, later, GOAL_CONTEXT, 0);
  SolverAnswer model =
      goal_decide(scan, &goal, arena_printf(scan->arena, "%s, in a later round", way->question->name));
  if (model.verdict != VERDICT_RACE) return false;
  *way->answer =
      (OrderAnswer){ORDER_UNPROTECTED, "flag-reused",
                    "the flag is still up from an earlier round: the wait no longer holds the reader back",
                    arena_copy(scan->arena, &model, sizeof model)};
  return true;
}

static bool flag_orders(const Direction *way, const Signal *signal) {
  Order *order = way->order;
  const Scan *scan = order->scan;
  if (!order_is_acquired(way, signal) || !address_stays(way, signal) || is_met_by_zero(order, signal))
    return false;
  bool is_set = false, is_ordered = true;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !may_satisfy(scan, signal, write) ||
        !order_may_touch(order, write, &signal->target, signal->read->bytes))
      continue;
    is_set = true;
    if (write_is_ordered(way, signal, write)) continue;
    is_ordered = false;
    if (is_set_again(way, signal, write)) return false;
  }
  return is_set && is_ordered;
}

// ---- tickets
// -----------------------------------------------------------------------------------------------------------
// Condition that the edge is taken, or the value handed on is true, as some thread sees it.
static ExprRef ticket_condition(Frame *frame, const Signal *signal) {
  if (!signal->carrier) return frame_edge_condition(frame, signal->from, signal->to);
  const IrInst *store = &frame->scan->fn->insts.items[signal->carrier->inst];
  SymValue value = frame_value(frame, store->ops[1]);
  if (value.kind != SYM_WORD) return 0;
  ExprPool *pool = frame->scan->pool;
  return expr_not(pool, expr_eq(pool, value.word, expr_const(pool, expr_width(pool, value.word), 0)));
}

ExprRef order_number_of_blocks(Scan *scan, uint8_t width) {
  ExprPool *pool = scan->pool;
  const ExprRef *grid = scan->launch->grid;
  ExprRef blocks =
      expr_binary(pool, EXPR_MUL, EXPR_NSW, grid[0], expr_binary(pool, EXPR_MUL, EXPR_NSW, grid[1], grid[2]));
  return expr_resize_signed(pool, blocks, width);
}

// Condition that the number read does not say that all blocks have drawn theirs; 0: not understood.
static ExprRef is_early(Order *order, const Signal *signal, ExprRef number) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  uint8_t width = expr_width(pool, number);
  ExprRef blocks = order_number_of_blocks(scan, width);
  if (!signal->is_ticket) return expr_binary(pool, EXPR_ULT, 0, number, blocks); // how many have drawn
  ExprRef last = expr_binary(pool, EXPR_SUB, EXPR_NSW, blocks, expr_const(pool, width, 1));
  ExprRef differs = expr_ne(pool, number, last);
  const IrInst *inst = &scan->fn->insts.items[signal->read->inst];
  if (inst->rmw != IR_RMW_INC) return differs;
  ExprRef limit = frame_word(order->anyone, inst->ops[1], width); // begins anew behind it
  return limit ? expr_or(pool, differs, expr_binary(pool, EXPR_ULT, 0, limit, last)) : 0;
}

// Does the signal always mean that all blocks have drawn? SAFE: yes.
static Verdict is_last_number(Order *order, const Signal *signal) {
  Scan *scan = order->scan;
  Frame *frame = order->anyone;
  ExprRef condition = ticket_condition(frame, signal);
  SymValue number = frame_value(frame, IR_REF(IR_REF_INST, signal->read->inst));
  if (!condition || number.kind != SYM_WORD) return VERDICT_UNKNOWN;
  ExprRef early = is_early(order, signal, number.word);
  if (!early) return VERDICT_UNKNOWN;
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, early, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return VERDICT_SAFE;
  return goal_satisfiable(scan, &goal, "have all blocks drawn").verdict;
}

static void visit_for_grid(void *context, uint32_t sym) {
  struct {
    const ExprPool *pool;
    bool is_same;
  } *search = context;
  unsigned kind = expr_sym_info(search->pool, sym)->kind;
  if (kind != SYM_HOST_VALUE && kind != SYM_GRID_DIM && kind != SYM_BLOCK_DIM) search->is_same = false;
}

// One counter for the grid, that nothing else changes but who drew the last number; `draw` adds to it.
static bool is_grid_counter(Order *order, uint32_t s, const Access *draw) {
  const Scan *scan = order->scan;
  const Signal *signal = &order->signals[s];
  struct {
    const ExprPool *pool;
    bool is_same;
  } search = {scan->pool, true};
  expr_each_sym(scan->pool, signal->target.offset, visit_for_grid, &search);
  if (!search.is_same || signal->target.key || scan->objects.items[signal->target.object].kind == OBJ_SHARED)
    return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || write == draw || order_is_only_read(scan, write) ||
        !order_may_touch(order, write, &signal->target, signal->read->bytes))
      continue;
    if (!signal->is_ticket || !order_is_passed_at(order, s, write->inst)) return false;
  }
  return true;
}

// The operation by which blocks draw: the one that returned the number, or the one that counts up what was
// read.
static const Access *find_draw(Order *order, const Signal *signal) {
  const Scan *scan = order->scan;
  const Access *draw = signal->is_ticket ? signal->read : NULL;
  for (uint32_t a = 0; a < scan->accesses.count && !signal->is_ticket && !signal->carrier; a++) {
    const Access *write = &scan->accesses.items[a];
    bool counts_up = order_is_counting(scan, write) && scan->fn->insts.items[write->inst].rmw == IR_RMW_ADD;
    if (!counts_up || !order_may_touch(order, write, &signal->target, signal->read->bytes)) continue;
    if (draw) return NULL;
    draw = write;
  }
  return draw;
}

static bool draws_once(const Order *order, const Access *draw) {
  const Scan *scan = order->scan;
  return scan->cfg->loop_of[scan->fn->insts.items[draw->inst].block] == CFG_NONE &&
         order_scope_of(scan, draw) >= IR_SCOPE_DEVICE;
}

static bool ticket_orders(const Direction *way, uint32_t s) {
  Order *order = way->order;
  const Scan *scan = order->scan;
  const Signal *signal = &order->signals[s];
  const Access *draw = signal->change ? NULL : find_draw(order, signal);
  uint32_t first = inst_of(way, way->first);
  if (!draw || way->question->extent != EXTENT_INTER_BLOCK || !draws_once(order, draw)) return false;
  // The draw itself comes before what follows the last draw on the same word, fence or not.
  bool is_draw = first == draw->inst && signal->is_ticket;
  bool is_behind = is_behind_barrier(way, draw) ||
                   (order_only_leader(order, first) && !order_reaches(scan, draw->inst, first));
  if (!is_draw && (!is_behind || !order_is_acquired(way, signal) || !order_is_released(way, draw)))
    return false;
  if (!is_grid_counter(order, s, draw)) return false;
  Verdict last = is_last_number(order, signal);
  if (last == VERDICT_SAFE && order_only_leader(order, draw->inst)) return true;
  bool is_drawn = signal->test.other && find_root(scan, signal->test.other) != CFG_NONE;
  ExprRef draws =
      order_block_condition(order->classes[CLASS_LEADER], scan->fn->insts.items[draw->inst].block);
  // It may wait for a turn of its own, or for as many as draw at all.
  if (last == VERDICT_UNKNOWN || is_drawn || !expr_is_true(scan->pool, draws)) return false;
  *way->answer =
      (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                    .cause = "incomplete-arrival",
                    .text = arena_printf(
                        scan->arena, "the number from line %u does not say that all blocks have drawn theirs",
                        order_line(scan, signal->read->inst))};
  return false;
}

bool order_says_all_have_drawn(Order *order, uint32_t s, const Access *draw) {
  return is_grid_counter(order, s, draw) && is_last_number(order, &order->signals[s]) == VERDICT_SAFE;
}

// Both accesses are only made by the block that drew the last number; numbers are drawn once.
static bool one_winner(Order *order, const OrderQuestion *question, uint32_t s) {
  const Signal *signal = &order->signals[s];
  if (!signal->is_ticket || signal->change || question->extent != EXTENT_INTER_BLOCK) return false;
  for (int t = 0; t < 2; t++)
    if (!order_is_passed_at(order, s, question->instances[t]->access->inst)) return false;
  return draws_once(order, signal->read) && order_only_leader(order, signal->read->inst) &&
         is_grid_counter(order, s, signal->read) && is_last_number(order, signal) == VERDICT_SAFE;
}

bool order_is_signal_word(Order *order, const Access *access) {
  const Cfg *cfg = order->scan->cfg;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    uint32_t loop = cfg->loop_of[signal->from];
    bool waits = loop != CFG_NONE && !cfg_loop_contains(cfg, loop, signal->to) && !signal->carrier;
    if (waits && order_may_touch(order, access, &signal->target, signal->read->bytes)) return true;
  }
  return false;
}

static OrderAnswer proved(const Order *order, const OrderQuestion *question) {
  const Scan *scan = order->scan;
  bool is_strong = order_is_strong(scan, question->instances[0]->access) &&
                   order_is_strong(scan, question->instances[1]->access);
  if (scan->request->options.memory_model == MEMORY_MODEL_SCORD && !is_strong)
    return (OrderAnswer){
        .verdict = ORDER_UNPROTECTED,
        .cause = "weak-access",
        .text = "fences order volatile and atomic accesses only, in the model of ScoRD; one of these "
                "is a plain one"};
  scan->result->assumptions |= ASSUME_FLAGS_CLEAR;
  return (OrderAnswer){.verdict = ORDER_PROTECTED};
}

// ---- cut in parts
// ----------------------------------------------------------------------------------------------------
enum { PART_LIMIT = 2, PART_SIGNALS = 8 };

// Is the first access made before the second one, whichever of the waits on its ways the second thread has
// passed? The question is cut by whether it comes to one of the waits.
static bool flags_order_in_parts(Order *order, const OrderQuestion *question, int first, int depth) {
  Scan *scan = order->scan;
  Order narrowed;
  OrderAnswer unused = {0};
  if (question->goal->is_false) return true;
  bool is_narrower = order_narrow_to_thread(order, question, 1 - first, &narrowed);
  Direction way = {&narrowed, question, first, 1 - first, order_scope_needed(question->extent), &unused};
  uint32_t second = inst_of(&way, 1 - first);
  for (uint32_t s = 0; s < order->signal_count && is_narrower; s++)
    if (!order->signals[s].is_ticket && order_is_passed_at(&narrowed, s, second) &&
        flag_orders(&way, &narrowed.signals[s]))
      return true;
  for (uint32_t s = 0; s < order->signal_count && depth < PART_LIMIT; s++) {
    const Signal *signal = &order->signals[s];
    uint32_t read = signal->read->inst;
    if (signal->is_ticket || signal->carrier || !signal->is_fixed ||
        order_is_passed_at(&narrowed, s, second) || !order_reaches(scan, read, second))
      continue;
    ExprRef comes =
        order_block_condition(question->instances[1 - first]->frame, scan->fn->insts.items[read].block);
    comes = order_fixed_parts(scan->pool, comes, true);
    if (expr_is_true(scan->pool, comes)) continue;
    bool all = true;
    for (int half = 0; half < 2 && all; half++) {
      Goal goal = order_copy_goal(scan, question->goal);
      goal_add(scan, &goal, half ? expr_not(scan->pool, comes) : comes, GOAL_CONTEXT, 0);
      OrderModels models = {0};
      OrderQuestion part = *question;
      part.goal = &goal;
      part.models = &models;
      SolverAnswer any = {.verdict = VERDICT_SAFE};
      if (!goal.is_false) any = goal_satisfiable(scan, &goal, "a part of the question");
      order_keep_model(&models, &any);
      all = any.verdict == VERDICT_SAFE || flags_order_in_parts(order, &part, first, depth + 1);
    }
    if (all) return true;
  }
  return false;
}

static bool has_flags(const Order *order) {
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (!order->signals[s].is_ticket) return true;
  return false;
}

static bool flags_order_in_block(Order *order, const OrderQuestion *question, OrderAnswer *answer) {
  for (int first = 0; first < 2 && has_flags(order); first++) {
    Order narrowed;
    if (!order_narrow_to_block(order, question, 1 - first, &narrowed)) continue;
    Direction way = {&narrowed, question, first, 1 - first, order_scope_needed(question->extent), answer};
    for (uint32_t s = 0; s < order->signal_count; s++)
      if (!order->signals[s].is_ticket && order_is_passed_at(&narrowed, s, inst_of(&way, way.second)) &&
          flag_orders(&way, &narrowed.signals[s]))
        return true;
  }
  return false;
}

OrderAnswer order_by_signals(Order *order, const OrderQuestion *question) {
  OrderAnswer answer = {0};
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (one_winner(order, question, s)) return proved(order, question);
  if (!answer.cause && order_by_rounds(order, question)) return proved(order, question);
  for (int first = 0; first < 2; first++) {
    Direction way = {order, question, first, 1 - first, order_scope_needed(question->extent), &answer};
    for (uint32_t s = 0; s < order->signal_count; s++) {
      if (!order_is_passed_at(order, s, inst_of(&way, way.second))) continue;
      bool orders =
          (!order->signals[s].is_ticket && flag_orders(&way, &order->signals[s])) || ticket_orders(&way, s);
      if (orders) return proved(order, question);
    }
  }
  OrderAnswer unused = {0};
  if (!answer.cause && flags_order_in_block(order, question, &unused)) return proved(order, question);
  for (int first = 0; first < 2 && !answer.cause && has_flags(order) && order->signal_count <= PART_SIGNALS;
       first++)
    if (flags_order_in_parts(order, question, first, 0)) return proved(order, question);
  return answer;
}
