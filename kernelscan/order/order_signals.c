// What do threads wait for, and who has waited for it? A signal is an edge on which a strong read returned a
// value that was awaited, or a counter the last number. Method: must-passed forward data flow; at barriers of
// the block the leader hands on what it knows, as it does by a truth value in shared memory. Soundness: a
// signal counts as passed only where every path of the thread, or of its leader, has passed it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- what is waited for

const Access *order_find_carrier(Order *order, const Access *load, bool is_number) {
  ASSERT(scan_has_access(order->scan, load));
  const Scan *scan = order->scan;
  Target target;
  if (!scan->alike.is_broadcast[load->inst] || !order_one_target(order->anyone, load->address, &target))
    return NULL;
  const Access *store = NULL;
  for (WordRow row = {.word = order_word(order, &target, load->bytes)}; order_next_row(&row);) {
    int64_t value = 0;
    if (!is_number && order_leaves_constant(row.write, &value) && value == 0) continue; // says no
    bool is_store = inst_at(scan, row.access->inst)->op == IR_STORE;
    if (store || !is_store || row.access->bytes != load->bytes) return NULL;
    store = row.access;
  }
  if (!store || !order_only_leader(order, store->inst)) return NULL;
  for (OrderInterval i = {0}; order_next_interval(order, load, &i);)
    if (i.is_entry || !order_leader_arrives(scan, i.point) ||
        order_leader_avoids(order, store->inst, i.point->inst))
      return NULL;
  return store;
}

// May the value differ between threads of one block, or lanes of one warp, by more than their numbers? Behind other loops than those around
// them it may: how often they have gone round those is their own.
static bool is_of_its_own(Frame *frame, IrRef ref, bool in_warp) {
  int64_t value = 0;
  const Scan *scan = frame->scan;
  if (!ref || ir_const_value(scan->fn, ref, &value)) return false;
  SymValue word = frame_value(frame, ref);
  unsigned own = 1u << SYM_UNKNOWN | 1u << SYM_MEMORY | 1u << SYM_ITERATION;
  if (!in_warp) own |= 1u << SYM_THREAD_IDX;
  return word.kind != SYM_WORD || (expr_sym_kinds(scan->pool, word.word) & own);
}

// Is what is awaited the same for all threads of the block, or lanes of the warp (the value, and what is made of the word
// before it is compared), so that the others may take the leader's wait for one of theirs?
static bool awaits_alike(Order *order, const Signal *signal, bool in_warp) {
  const Scan *scan = order->scan;
  Frame *in_rounds = order_in_rounds(order, signal->to);
  if (is_of_its_own(in_rounds, signal->test.other, in_warp)) return false;
  IrRef ref = signal->test.value;
  for (int depth = 0; depth < 16 && ir_ref_index(ref) != signal->tested; depth++) {
    const IrInst *inst = ir_inst(scan->fn, ref);
    if (!inst) return false;
    uint32_t next = inst->op_count > 1 && !ir_inst(scan->fn, inst->ops[0]) ? 1 : 0;
    for (uint32_t o = 0; o < inst->op_count; o++)
      if (o != next && is_of_its_own(in_rounds, inst->ops[o], false)) return false;
    ref = inst->ops[next];
  }
  return true;
}

const SyncWord *order_word_of(Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  return order_word(order, &signal->target, signal->read->bytes);
}

static void add_signal(Order *order, Signal signal) {
  for (uint32_t i = 0; i < order->signal_count; i++) {
    const Signal *old = &order->signals[i];
    bool is_of_edge = old->before_count || signal.before_count;
    if (old->tested == signal.tested && old->test.pred == signal.test.pred && !is_of_edge &&
        old->test.other == signal.test.other && old->is_of_several == signal.is_of_several)
      return;
  }
  if (!order_one_target(order->anyone, signal.read->address, &signal.target) || !signal.read->is_natural ||
      order->signal_count == LOCK_LIMIT)
    return; // fewer proofs
  Lasting lasting = order_lasts(order->scan, &signal.target);
  signal.is_fixed = lasting >= LASTS_IN_THREAD;
  if (!signal.is_fixed) signal.is_of_round = order_lasts_in_round(order, &signal, &lasting);
  signal.is_of_block = lasting == LASTS_IN_BLOCK && awaits_alike(order, &signal, false);
  signal.is_of_warp = signal.is_of_block || (signal.is_fixed && awaits_alike(order, &signal, true) &&
                                             order_is_word_of_warp(order, signal.read, signal.test.other));
  order->signals[order->signal_count++] = signal;
}

ExprRef order_passes_of(const Signal *signal, ExprRef found, Frame *waiting) {
  ExprRef passes = order_holds_of(&signal->test, found, waiting);
  for (uint32_t i = 0; i < signal->before_count && passes; i++) {
    ExprRef holds = order_holds_of(&signal->before[i], found, waiting);
    if (holds) passes = expr_and(waiting->scan->pool, passes, holds);
  }
  return passes;
}

bool order_passes_with(const Order *order, const Signal *signal, int64_t found) {
  ExprPool *pool = order->scan->pool;
  ExprRef passes =
      order_passes_of(signal, expr_const(pool, (uint8_t)(signal->read->bytes * 8), found), order->anyone);
  return !passes || !expr_is_false(pool, passes);
}

// A flag that is taken down as it is read: what this stores ends nobody's wait.
static bool takes_down(const Order *order, const Signal *signal) {
  int64_t stored = 0;
  const IrInst *read = inst_at(order->scan, signal->read->inst);
  bool replaces = (read->op == IR_ATOMICRMW && read->rmw == IR_RMW_XCHG) || read->op == IR_CMPXCHG;
  return replaces && signal->is_direct && operation_stored_constant(order->scan, signal->read, &stored) &&
         !order_passes_with(order, signal, stored);
}

// Who takes the edge has found something else than it would have replaced: so it has looked, and no more.
bool order_has_failed(const Order *order, const Signal *signal) {
  const Scan *scan = order->scan;
  const IrInst *read = inst_at(scan, signal->read->inst);
  int64_t expected = 0;
  return read->op == IR_CMPXCHG && signal->is_direct && ir_const_value(scan->fn, read->ops[1], &expected) &&
         scan->cfg->loop_of[read->block] == CFG_NONE && !order_passes_with(order, signal, expected);
}

// The constants that the same value was compared with on the way to the edge.
static void find_tests_before(const Scan *scan, Signal *signal) {
  uint32_t from = signal->from, to;
  while (signal->before_count < sizeof signal->before / sizeof *signal->before &&
         order_edge_above(scan, &from, &to)) {
    EdgeTest test;
    int64_t other = 0;
    if (order_edge_test(scan, from, to, &test) && test.value == signal->test.value &&
        (!test.other || ir_const_value(scan->fn, test.other, &other)))
      signal->before[signal->before_count++] = test;
  }
}

// Where the test holds, the value is not zero.
static bool is_truth(const Scan *scan, const EdgeTest *test) {
  return test->pred == IR_NE && order_is_truth_test(scan, test);
}

// The strong read that a truth value speaks of.
static uint32_t root_of_truth(const Scan *scan, IrRef truth) {
  EdgeTest test;
  return order_truth_test(scan, truth, true, &test) ? order_find_root(scan, test.value) : CFG_NONE;
}

// The only draw of leaders, or of first lanes, before the instruction; NULL: none, or several.
static const Access *find_draw_of_class(const Order *order, uint32_t before, int class) {
  const Scan *scan = order->scan;
  const Access *found = NULL;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *draw = &scan->accesses.items[a];
    uint32_t block = inst_at(scan, draw->inst)->block;
    bool is_of_class = class == CLASS_LEADER ? order_only_leader(order, draw->inst)
                                             : !order->is_reached[CLASS_OTHERS][block];
    if (!order_amount(scan, draw) || !is_of_class || !graph_reaches(scan, draw->inst, before)) continue;
    if (found) return NULL;
    found = draw;
  }
  return found;
}

// A truth value that all threads bring to a barrier of the block, which says whether one, or all of them,
// have brought a true one: only the leader draws (`__syncthreads_or(is_last)`).
static void find_vote(Order *order, uint32_t from, uint32_t to, const EdgeTest *test) {
  const Scan *scan = order->scan;
  uint32_t tested = ir_ref_index(test->value);
  EdgeTest brought;
  Vote vote = order_read_vote(scan, test, &brought);
  if (vote == VOTE_NONE || !is_truth(scan, test) || !order_block_meets_at(scan, tested)) return;
  Signal signal = {.test = *test,
                   .tested = tested,
                   .from = from,
                   .to = to,
                   .handed = vote == VOTE_ALL ? HANDED_ALL : HANDED_ANY,
                   .brought = inst_at(scan, tested)->ops[0],
                   .handed_by = tested};
  // The value is made of the leader's where paths meet.
  signal.read = find_draw_of_class(order, tested, CLASS_LEADER);
  signal.is_ticket = true;
  if (signal.read) add_signal(order, signal);
}

// The first lane, which may be the leader, hands on what it brings, once.
static bool is_handed_by_first_lane(const Order *order, const IrInst *shuffle) {
  Scan *scan = order->scan;
  for (int axis = 0; axis < 3; axis++)
    if (order->leader[axis] != expr_const(scan->pool, 32, 0)) return false;
  return scan->cfg->loop_of[shuffle->block] == CFG_NONE &&
         order_is_of_first_lane(scan, (uint32_t)(shuffle - scan->fn->insts.items));
}

// All lanes meet behind the shuffle, before the block ends: what the leader has acquired, they have.
static bool meets_behind(const Scan *scan, uint32_t shuffle, uint32_t block) {
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point_orders(point, couple_of(EXTENT_INTRA_WARP)) && graph_dominates(scan, shuffle, point->inst) &&
        graph_dominates(scan, point->inst, order_last_of(scan, block)))
      return true;
  }
  return false;
}

typedef struct Reads {
  const ExprPool *pool;
  uint32_t only; // what is read, if it is one symbol
  uint32_t count;
} Reads;

static void visit_read(void *context, uint32_t sym) {
  Reads *reads = context;
  unsigned kind = expr_sym_info(reads->pool, sym)->kind;
  if (kind != SYM_MEMORY && kind != SYM_UNKNOWN && kind != SYM_ITERATION) return;
  reads->only = sym;
  reads->count++;
}

// What the thread brings is made of the number that it drew, and of nothing else that is read.
static bool is_made_of_number(const Order *order, Frame *frame, IrRef brought, const Access *draw) {
  SymValue value = frame_value(frame, brought), number = frame_value(frame, IR_REF(IR_REF_INST, draw->inst));
  if (value.kind != SYM_WORD || number.kind != SYM_WORD) return false;
  Reads brought_from = {.pool = order->scan->pool}, drawn = brought_from;
  expr_each_sym(order->scan->pool, value.word, visit_read, &brought_from);
  expr_each_sym(order->scan->pool, number.word, visit_read, &drawn);
  return brought_from.count == 1 && drawn.count == 1 && brought_from.only == drawn.only;
}

// First lanes bring the very number that they drew.
static bool is_number_of_first_lanes(Order *order, IrRef brought, const Access *draw) {
  ExprPool *pool = order->scan->pool;
  SymValue value = frame_value(order->anyone, brought),
           number = frame_value(order->anyone, IR_REF(IR_REF_INST, draw->inst));
  if (value.kind != SYM_WORD || number.kind != SYM_WORD ||
      expr_width(pool, value.word) != expr_width(pool, number.word))
    return false;
  return order_never(order, expr_ne(pool, value.word, number.word),
                     expr_eq(pool, order->anyone->view->lane, expr_const(pool, 32, 0)),
                     "is it the number that was drawn");
}

// `count = __shfl_sync(~0u, count, 0); __syncwarp(); if (count == last)`: the number of the first lane, or what the
// leader makes of it, handed on to its warp. Without the barrier only that lane itself has made the draw.
static void find_shuffled(Order *order, uint32_t from, uint32_t to, const EdgeTest *test) {
  const Scan *scan = order->scan;
  const IrInst *shuffle = ir_inst(scan->fn, test->value);
  if (!shuffle || !is_handed_by_first_lane(order, shuffle)) return;
  uint32_t tested = ir_ref_index(test->value);
  bool is_acquired =
      meets_behind(scan, tested, from) && order_memory_rules(scan)->acquire == FENCE_OF_ANYBODY;
  Signal signal = {.test = *test,
                   .tested = tested,
                   .from = from,
                   .to = to,
                   .is_ticket = true,
                   .handed = HANDED_SHUFFLED,
                   .brought = shuffle->ops[1],
                   .handed_by = tested,
                   .is_own = !is_acquired};
  bool is_of_leader = !order->is_reached[CLASS_FIRST_LANES][shuffle->block];
  signal.read = find_draw_of_class(order, tested, is_of_leader ? CLASS_LEADER : CLASS_FIRST_LANES);
  if (!signal.read || is_of_its_own(order->anyone, test->other, false)) return;
  signal.is_number = is_number_of_first_lanes(order, signal.brought, signal.read);
  Frame *leader = order->classes[CLASS_LEADER];
  if (signal.is_number || (is_of_leader && is_made_of_number(order, leader, signal.brought, signal.read)))
    add_signal(order, signal);
}

// The strong read whose truth value, or number, the leader has left in shared memory for all to look at;
// CFG_NONE: there is none.
static uint32_t find_handed_on(Order *order, const Access *load, Signal *signal) {
  const Scan *scan = order->scan;
  if (scan->fn->insts.items[load->inst].order != IR_ORDER_PLAIN) return CFG_NONE;
  signal->is_number = !is_truth(scan, &signal->test);
  if (signal->is_number &&
      (!signal->is_direct || !signal->test.other || is_of_its_own(order->anyone, signal->test.other, false)))
    return CFG_NONE;
  const Access *carrier = order_find_carrier(order, load, signal->is_number);
  if (!carrier) return CFG_NONE;
  signal->handed = HANDED_STORED;
  signal->handed_by = carrier->inst;
  signal->brought = inst_at(scan, carrier->inst)->ops[1];
  if (!signal->is_number) return root_of_truth(scan, signal->brought);
  uint32_t root = order_find_root(scan, signal->brought);
  return signal->brought == IR_REF(IR_REF_INST, root) ? root : CFG_NONE;
}

// What was read is looked at later, or by a vote.
static void find_carried(Order *order, int class, uint32_t from, uint32_t to) {
  const CarriedRead *carried = order_carried(order, class, from, to);
  if (!carried || carried->first == CARRIED_LIMIT) return;
  const EdgeTest *test = &carried->tests[carried->first];
  uint32_t read = ir_ref_index(test->value);
  add_signal(order, (Signal){.test = *test,
                             .tested = read,
                             .from = from,
                             .to = to,
                             .read = operation_access(order->scan, read),
                             .is_direct = true,
                             .is_carried = true,
                             .is_of_several = carried->count > 1});
}

static bool add_test(Order *order, uint32_t from, uint32_t to, const EdgeTest *test) {
  const Scan *scan = order->scan;
  uint32_t root = order_find_root(scan, test->value);
  if (root == CFG_NONE) return false;
  const Access *read = operation_access(scan, root);
  Signal signal = {.test = *test, .tested = root, .from = from, .to = to, .read = read};
  signal.is_direct = test->value == IR_REF(IR_REF_INST, root);
  if (!operation_is_strong(scan, read)) {
    root = find_handed_on(order, read, &signal);
    if (root == CFG_NONE) return true;
    signal.read = operation_access(scan, root);
  }
  signal.is_ticket = order_amount(scan, signal.read) != 0;
  if (inst_at(scan, root)->op == IR_CMPXCHG && signal.is_direct) find_tests_before(scan, &signal);
  bool only_looks = operation_is_only_read(scan, signal.read) || takes_down(order, &signal) ||
                    order_has_failed(order, &signal);
  if (signal.is_ticket || (!signal.handed && only_looks)) add_signal(order, signal);
  return true;
}

// One wait or another (`while (a == 0 && b == 0);`): which of them ends it hangs on the path to the branch.
static void find_merged(Order *order, uint32_t from, uint32_t to) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  for (uint32_t p = cfg->pred_first[from]; p < cfg->pred_first[from + 1]; p++) {
    EdgeTest test;
    bool is_taken = true;
    if (!order_merged_test(scan, cfg->preds[p], from, to, &test, &is_taken)) continue;
    uint32_t root = order_find_root(scan, test.value);
    const Access *read = root == CFG_NONE ? NULL : operation_access(scan, root);
    if (read && order_looks(scan, read)) add_test(order, from, to, &test);
  }
}

static void find_signal(Order *order, uint32_t from, uint32_t to) {
  EdgeTest test;
  if (!order_edge_test_in(order, -1, from, to, &test) || add_test(order, from, to, &test)) return;
  find_vote(order, from, to, &test);
  find_shuffled(order, from, to, &test);
  find_merged(order, from, to);
  for (int class = 0; class < CLASS_COUNT; class ++)
    find_carried(order, class, from, to);
}

// ---- data flow
static uint64_t passed_before(const Order *order, int class, uint32_t inst);

// Signals whose word is the same for all threads of the block, or lanes of a warp: what one has waited for, all have. Of a number that a first
// lane has drawn its warp knows by a shuffle alone.
static uint64_t words_of(const Order *order, bool in_warp) {
  uint64_t words = 0;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    bool is_one = in_warp ? signal->is_of_warp && !signal->is_ticket : signal->is_of_block;
    words |= (uint64_t)is_one << s;
  }
  return words;
}

// What the first lane of whatever warp knows, if it comes there: the leader, or another one.
static uint64_t first_lanes_know(const Order *order, uint32_t inst) {
  uint64_t known = UINT64_MAX;
  bool any = false;
  for (int c = -1; order_next_class(order, inst, &c) && c <= CLASS_FIRST_LANES; any = true)
    known &= passed_before(order, c, inst);
  return any ? known : 0;
}

static uint64_t pass_inst(const Order *order, int class, uint32_t inst, uint64_t passed) {
  const Scan *scan = order->scan;
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (order->signals[s].read->inst == inst || order->signals[s].tested == inst) passed &= ~(1ull << s);
  if (!arrivals_is_barrier(scan, inst) || class == CLASS_LEADER) return passed;
  if (order_block_meets_at(scan, inst))
    passed |= passed_before(order, CLASS_LEADER, inst) & words_of(order, false);
  if (class == CLASS_OTHERS && order->warps_meet[inst])
    passed |= first_lanes_know(order, inst) & words_of(order, true);
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

static bool is_carried_over(const CarriedRead *carried, const Signal *signal) {
  return carried && carried->first < CARRIED_LIMIT && signal->is_of_several == (carried->count > 1) &&
         order_is_same_test(&signal->test, &carried->tests[carried->first]);
}

bool order_is_edge_of(const Order *order, int class, uint32_t from, uint32_t to, const Signal *signal,
                      bool by_vote) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_has_block(order->scan, from));
  ASSERT(scan_has_block(order->scan, to));
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  EdgeTest test;
  const Signal *last = signal->last ? &order->signals[signal->last - 1] : NULL;
  if (last && order_is_edge_of(order, class, from, to, last, by_vote)) return true;
  if (signal->is_own && class == CLASS_OTHERS) return false;
  if (signal->before_count && (from != signal->from || to != signal->to)) return false;
  if (!signal->is_of_several && order_edge_test_in(order, class, from, to, &test) &&
      order_is_same_test(&signal->test, &test))
    return true;
  const CarriedRead *of_leader = by_vote ? order_carried(order, CLASS_LEADER, from, to) : NULL;
  return is_carried_over(order_carried(order, class, from, to), signal) ||
         (signal->is_of_block && of_leader && of_leader->is_voted && is_carried_over(of_leader, signal));
}

static uint64_t pass_edge(const Order *order, int class, uint32_t from, uint32_t to, uint64_t passed) {
  for (uint32_t s = 0; s < order->signal_count; s++)
    passed |= (uint64_t)order_is_edge_of(order, class, from, to, &order->signals[s], true) << s;
  return passed;
}

void order_flow_signals(Order *order, int class) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
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
      uint64_t passed = passed_before(order, class, order_last_of(scan, block));
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
  Scan *scan = order->scan;
  order->warps_meet = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  for (OrderEdge e = {0}; order_next_edge(scan->cfg, &e);)
    find_signal(order, e.from, e.to);
  bool are_asked = words_of(order, true) && order_memory_rules(scan)->acquire == FENCE_OF_ANYBODY;
  for (uint32_t p = 1; p < scan->points.count && are_asked; p++)
    order->warps_meet[scan->points.items[p].inst] = order_warp_meets(scan, &scan->points.items[p]);
}

void order_mark_edges(const Order *order, const Signal *signal, uint8_t *edges) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  for (OrderEdge e = {0}; order_next_edge(order->scan->cfg, &e);)
    edges[e.at] |= order_is_edge_of(order, CLASS_LEADER, e.from, e.to, signal, true);
}

uint64_t order_signals_passed_at(const Order *order, uint32_t inst) {
  ASSERT(scan_has_inst(order->scan, inst));
  uint64_t passed = UINT64_MAX;
  for (int c = -1; order_next_class(order, inst, &c);)
    passed &= passed_before(order, c, inst);
  return passed;
}

// Does the value depend on what this instruction read, by arithmetic alone? CFG_NONE: on any strong read.
static bool is_made_from(const Scan *scan, IrRef ref, uint32_t read, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || depth == 0) return false;
  if (ir_ref_index(ref) == read) return true;
  const Access *access = read == CFG_NONE ? operation_access(scan, ir_ref_index(ref)) : NULL;
  if (access && operation_is_strong(scan, access)) return true;
  if (ir_op_flags((IrOp)inst->op) & (IR_READS | IR_WRITES)) return false;
  // Where paths meet, of some strong read on each of them.
  bool wants_all = inst->op == IR_PHI && read == CFG_NONE;
  for (uint32_t o = 0; o < inst->op_count; o++)
    if (is_made_from(scan, inst->ops[o], read, depth - 1) != wants_all) return !wants_all;
  return wants_all;
}

// What is looked at there is made of what this read returned; CFG_NONE: what strong reads returned, or did before.
static bool hangs_on(const Order *order, const OrderEdge *edge, uint32_t read) {
  const IrInst *end = ir_terminator(order->scan->fn, edge->from);
  bool is_carried = false;
  for (int class = 0; class < CLASS_COUNT && read == CFG_NONE; class ++)
    is_carried |= order->carried[class][edge->at] != NULL;
  return end && end->op == IR_CONDBR && (is_carried || is_made_from(order->scan, end->ops[0], read, 8));
}

// Only what strong reads return ends the loop: it waits. Work that goes on until somebody raises a flag, or
// to its end, does not.
static bool is_wait_loop(const Order *order, uint32_t loop) {
  for (OrderEdge e = {0}; order_next_exit(order->scan->cfg, loop, &e);)
    if (!hangs_on(order, &e, CFG_NONE)) return false;
  return true;
}

// Does the next round look where this one was told to? Such a loop walks along a list, it does not wait. `is_next`: what
// is looked at is handed on to the next round.
static bool goes_where_it_read(const Scan *scan, uint32_t loop, IrRef ref, bool is_next, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || depth == 0 || !cfg_loop_contains(scan->cfg, loop, inst->block)) return false;
  const Access *access = operation_access(scan, ir_ref_index(ref));
  if (access) return operation_is_strong(scan, access);
  bool is_phi = inst->op == IR_PHI;
  for (uint32_t o = 0; o < inst->op_count && !(is_phi && is_next); o++)
    if (goes_where_it_read(scan, loop, inst->ops[o], is_phi || is_next, depth - 1)) return true;
  return false;
}

// A loop goes on until what this strong read returns is as it should be, in whatever way that is asked.
static bool ends_a_wait(const Order *order, const Access *read) {
  const Cfg *cfg = order->scan->cfg;
  uint32_t loop = cfg->loop_of[inst_at(order->scan, read->inst)->block];
  for (OrderEdge e = {0}; order_next_exit(cfg, loop, &e);)
    if (cfg->loop_of[e.from] == loop && hangs_on(order, &e, read->inst))
      return is_wait_loop(order, loop) && !goes_where_it_read(order->scan, loop, read->address, false, 9);
  return false;
}

// A fence that whoever makes the access has passed before; or that whoever takes the edge passes behind it.
static bool has_fence_before(const Scan *scan, uint32_t inst) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (inst_at(scan, i)->op == IR_FENCE && i != inst && graph_dominates(scan, i, inst)) return true;
  return false;
}

static bool has_fence_behind(const Scan *scan, const Signal *signal) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *fence = &scan->fn->insts.items[i];
    if (fence->op == IR_FENCE && cfg_dominates(scan->cfg, signal->to, fence->block) &&
        !cfg_dominates(scan->cfg, signal->to, signal->from))
      return true;
  }
  return false;
}

// A flag that is looked at once, not waited for: part of a protocol if it is set behind a fence, and a fence
// stands behind the look that finds it up.
static bool is_tested_flag(Order *order, const Signal *signal) {
  const Scan *scan = order->scan;
  if (signal->is_ticket || signal->handed) return false;
  if (!order_acquires_always(scan, signal->read->inst) && !has_fence_behind(scan, signal)) return false;
  WordRow row = {.word = order_word_of(order, signal)};
  while (order_next_row(&row))
    if (!order_releases(scan, row.access->inst) && !has_fence_before(scan, row.access->inst)) return false;
  return row.word->count > 0;
}

bool order_is_signal_word(Order *order, const Access *access) {
  ASSERT(scan_has_access(order->scan, access));
  const Scan *scan = order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *read = &scan->accesses.items[a];
    if (order_looks(scan, read) && ends_a_wait(order, read) &&
        frame_value(order->anyone, read->address).kind == SYM_POINTER &&
        order_may_share_word(order, access, read, false))
      return true;
  }
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    if (is_tested_flag(order, signal) && order_may_touch(order, access, &signal->target, signal->read->bytes))
      return true;
  }
  return false;
}
