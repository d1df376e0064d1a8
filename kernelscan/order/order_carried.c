// Which strong read does a branch hang on where what was read is carried on first: in a variable over the
// rounds of a loop (`while (state != mine) state = *turn;`), or to a vote of the block in which only its
// leader's counts (`while (__syncthreads_and(state != mine)) ...`)? Method: of the values that meet in the
// variable, on paths that threads of the class can take, each one is a strong read, or a constant for which
// the solver rules the branch out; and of a vote that says "somebody", nobody but the leader can bring what
// it asks for. Soundness: a read counts only if none is made between the one whose value it is and the
// branch, so the value is what the latest one returned; several reads only if all acquire by themselves and
// are of one word.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

enum { WEB_LIMIT = 16 };

// The values that may meet in one, as threads of a class see them.
typedef struct Web {
  Order *order;
  int class;
  uint32_t phi_count, phis[WEB_LIMIT];
  uint32_t use_count;
  struct {
    uint32_t from, at; // instructions: where the value is made, and handed on
  } uses[WEB_LIMIT * 2];
  CarriedRead found;
  uint32_t other_count;
  EdgeTest others[WEB_LIMIT]; // values that are no reads, for which the test must not hold
} Web;

// May the test hold of a value that is no read, for a thread of the class? What it is compared with may
// change meanwhile, so one of the two has to be a constant.
static bool may_hold_of(Order *order, int class, const EdgeTest *test) {
  Scan *scan = order->scan;
  int64_t value = 0, other = 0;
  bool is_known = ir_const_value(scan->fn, test->value, &value),
       is_other_known = !test->other || ir_const_value(scan->fn, test->other, &other);
  if (!is_known && !is_other_known) return true;
  Frame *frame = order->classes[class];
  SymValue word = frame_value(frame, test->value);
  if (word.kind != SYM_WORD) return true;
  ExprRef holds = order_holds_of(test, word.word, frame);
  if (holds && expr_is_true(scan->pool, holds)) return true;
  Obligation never = {
      .breach = holds, .context = order_class_condition(scan, frame->view, class), .one = frame};
  return !holds || !order_is_met(scan, &never, "is it what the variable holds at first");
}

static bool add_read(Web *web, const EdgeTest *test) {
  const Scan *scan = web->order->scan;
  const Access *read = operation_access(scan, ir_ref_index(test->value));
  if (!read || !order_looks(scan, read)) return false;
  for (uint32_t r = 0; r < web->found.count; r++) {
    const EdgeTest *old = &web->found.tests[r];
    if (old->value == test->value) return old->pred == test->pred && old->other == test->other;
  }
  if (web->found.count == CARRIED_LIMIT) return false;
  web->found.tests[web->found.count++] = *test;
  return true;
}

static bool add_use(Web *web, uint32_t from, uint32_t at) {
  if (web->use_count == WEB_LIMIT * 2) return false;
  web->uses[web->use_count].from = from;
  web->uses[web->use_count++].at = at;
  return true;
}

static bool add_other(Web *web, const EdgeTest *test) {
  if (web->other_count == WEB_LIMIT) return false;
  web->others[web->other_count++] = *test;
  return true;
}

// Only what was read may make the test hold.
static bool holds_of_reads_only(const Web *web) {
  for (uint32_t i = 0; i < web->other_count; i++)
    if (may_hold_of(web->order, web->class, &web->others[i])) return false;
  return true;
}

static bool walk_value(Web *web, EdgeTest test, uint32_t use, int depth);

static bool walk_phi(Web *web, const IrInst *phi, const EdgeTest *test, int depth) {
  for (uint32_t i = 0; i < phi->op_count; i++) {
    EdgeTest part = {phi->ops[i], test->other, test->pred};
    if (order_is_feasible(web->order, web->class, phi->blocks[i], phi->block) &&
        !walk_value(web, part, order_last_of(web->order->scan, phi->blocks[i]), depth - 1))
      return false;
  }
  return true;
}

// Follows the value to where it comes from; it is handed on at `use`. false: not understood.
static bool walk_value(Web *web, EdgeTest test, uint32_t use, int depth) {
  const Scan *scan = web->order->scan;
  const IrInst *inst = ir_inst(scan->fn, test.value);
  if (!inst) return add_other(web, &test);
  uint32_t index = ir_ref_index(test.value);
  if (depth == 0 || !add_use(web, index, use)) return false;
  if (inst->op == IR_PHI) {
    for (uint32_t p = 0; p < web->phi_count; p++)
      if (web->phis[p] == index) return true;
    if (web->phi_count == WEB_LIMIT) return false;
    web->phis[web->phi_count++] = index;
    return walk_phi(web, inst, &test, depth);
  }
  EdgeTest inner;
  if (order_is_truth_test(scan, &test) && inst->type.kind == IR_INT &&
      (inst->op == IR_ICMP || inst->op == IR_ZEXT || inst->op == IR_TRUNC || inst->op == IR_XOR) &&
      order_truth_test(scan, test.value, test.pred == IR_NE, &inner) && inner.value != test.value)
    return walk_value(web, inner, use, depth - 1);
  return add_read(web, &test) || add_other(web, &test);
}

// From where a value was made to where it is handed on, is a read made, before the value is made again?
static bool is_read_between(const Web *web, uint32_t from, uint32_t at) {
  for (uint32_t r = 0; r < web->found.count; r++) {
    uint32_t read = ir_ref_index(web->found.tests[r].value);
    if (read != from && order_leads_to(web->order, from, read, from) &&
        order_leads_to(web->order, read, at, from))
      return true;
  }
  return false;
}

// All that meet are reads of one word, and what was read at last is what is looked at.
static bool is_of_latest(const Web *web) {
  Order *order = web->order;
  const Scan *scan = order->scan;
  const CarriedRead *found = &web->found;
  for (uint32_t u = 0; u < web->use_count; u++)
    if (is_read_between(web, web->uses[u].from, web->uses[u].at)) return false;
  const Access *first = operation_access(scan, ir_ref_index(found->tests[0].value));
  Target word;
  if (!order_one_target(order->anyone, first->address, &word)) return false;
  for (uint32_t r = 0; r < found->count; r++) {
    const Access *read = operation_access(scan, ir_ref_index(found->tests[r].value));
    if (found->count > 1 && (!order_acquires_always(scan, read->inst) || read->scope != first->scope ||
                             read->bytes != first->bytes))
      return false;
    if (!order_is_same_word(order, read, &word)) return false;
  }
  return order_lasts(scan, &word) != LASTS_NOT;
}

// The value is the same in all rounds of the loops around the block that the edge leaves.
static bool stays_within(const Order *order, IrRef ref, uint32_t block, uint32_t to) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  const IrInst *inst = ir_inst(scan->fn, ref);
  bool is_inside = false;
  for (uint32_t l = cfg->loop_of[block]; inst && l != CFG_NONE && !cfg_loop_contains(cfg, l, to);
       l = cfg->loops.items[l].parent)
    is_inside |= cfg_loop_contains(cfg, l, inst->block);
  if (!is_inside) return true;
  SymValue word = frame_value(order->anyone, ref);
  return word.kind == SYM_WORD && order_value_lasts(scan, word.word) != LASTS_NOT;
}

// What is awaited is the same where it is read and where it is looked at.
static bool awaits_one(const Web *web, uint32_t from, uint32_t to) {
  const Scan *scan = web->order->scan;
  for (uint32_t r = 0; r < web->found.count; r++) {
    const EdgeTest *test = &web->found.tests[r];
    uint32_t block = scan->fn->insts.items[ir_ref_index(test->value)].block;
    if (test->other && !(stays_within(web->order, test->other, block, to) &&
                         stays_within(web->order, test->other, from, to)))
      return false;
  }
  return true;
}

// Of several reads, one that each thread of the class surely makes stands for them all: CARRIED_LIMIT if none
// does.
static uint32_t choose_first(const Web *web, uint32_t from, uint32_t to) {
  const Order *order = web->order;
  const Scan *scan = order->scan;
  const CarriedRead *found = &web->found;
  if (found->count == 1) return 0;
  for (uint32_t r = 0; r < found->count; r++)
    if (order_loop_of_both(scan, ir_ref_index(found->tests[r].value), order_last_of(scan, to), false) !=
        order_loop_of_both(scan, ir_ref_index(found->tests[0].value), order_last_of(scan, to), false))
      return CARRIED_LIMIT;
  for (uint32_t r = 0; r < found->count && web->class == CLASS_LEADER; r++)
    if (!order_leader_avoids(order, ir_ref_index(found->tests[r].value), order_last_of(scan, from))) return r;
  return CARRIED_LIMIT;
}

// ---- votes
Vote order_read_vote(const Scan *scan, const EdgeTest *test, EdgeTest *brought) {
  ASSERT(test && brought);
  const IrInst *barrier = ir_inst(scan->fn, test->value);
  int64_t other = 0;
  if (!barrier || barrier->op != IR_BARRIER || barrier->scope != IR_SCOPE_BLOCK ||
      (test->other && !ir_const_value(scan->fn, test->other, &other)))
    return VOTE_NONE;
  bool is_and = barrier->imm == IR_BARRIER_REDUCE_AND,
       is_or = barrier->imm == IR_BARRIER_REDUCE_OR || barrier->imm == IR_BARRIER_REDUCE_COUNT;
  bool some = (other == 0 && (test->pred == IR_NE || test->pred == IR_SGT || test->pred == IR_UGT)) ||
              (other == 1 && (test->pred == IR_SGE || test->pred == IR_UGE)),
       none = (other == 0 && (test->pred == IR_EQ || test->pred == IR_SLE)) ||
              (other == 1 && (test->pred == IR_SLT || test->pred == IR_ULT));
  if (!(is_and || is_or) || !(some || none) || !order_truth_test(scan, barrier->ops[0], some, brought))
    return VOTE_NONE;
  return is_and == some ? VOTE_ALL : VOTE_SOMEBODY;
}

// A thread of the class brings only constants to the vote, which are not as they should be.
static bool never_brings(Order *order, int class, uint32_t barrier, const EdgeTest *brought) {
  if (!order->is_reached[class][order->scan->fn->insts.items[barrier].block]) return true;
  Web web = {.order = order, .class = class};
  return walk_value(&web, *brought, barrier, WEB_LIMIT) && !web.found.count && holds_of_reads_only(&web);
}

static bool follow_vote(Web *web, EdgeTest *test, uint32_t *use) {
  Order *order = web->order;
  EdgeTest brought;
  Vote vote = order_read_vote(order->scan, test, &brought);
  uint32_t barrier = ir_ref_index(test->value);
  if (vote == VOTE_NONE || !order_block_meets_at(order->scan, barrier)) return false;
  for (int class = 0; class < CLASS_COUNT && vote == VOTE_SOMEBODY; class ++)
    if (class == CLASS_LEADER ? web->class != class : !never_brings(order, class, barrier, &brought))
      return false;
  web->found.is_voted = true;
  if (!add_use(web, barrier, *use)) return false;
  *use = barrier;
  *test = brought;
  return true;
}

// ---- edges
static const CarriedRead *find_carried(Order *order, int class, uint32_t from, uint32_t to) {
  const Scan *scan = order->scan;
  Web web = {.order = order, .class = class};
  EdgeTest test;
  if (!order_edge_test_in(order, class, from, to, &test)) return NULL;
  const IrInst *inst = ir_inst(scan->fn, test.value);
  uint32_t use = order_last_of(scan, from);
  if (!inst || (inst->op != IR_PHI && inst->op != IR_BARRIER)) return NULL;
  if (inst->op == IR_BARRIER && !follow_vote(&web, &test, &use)) return NULL;
  if (!walk_value(&web, test, use, WEB_LIMIT) || !web.found.count || !is_of_latest(&web) ||
      !awaits_one(&web, from, to) || !holds_of_reads_only(&web))
    return NULL;
  web.found.first = choose_first(&web, from, to);
  return arena_copy(scan->arena, &web.found, sizeof web.found);
}

void order_find_carried(Order *order) {
  const Cfg *cfg = order->scan->cfg;
  uint32_t edges = cfg->succ_first[cfg->block_count];
  for (int class = 0; class < CLASS_COUNT; class ++) {
    order->carried[class] = arena_array(order->scan->arena, edges + 1, const CarriedRead *);
    for (OrderEdge e = {0}; order_next_edge(cfg, &e);)
      if (order->is_feasible[class][e.at])
        order->carried[class][e.at] = find_carried(order, class, e.from, e.to);
  }
}

const CarriedRead *order_carried(const Order *order, int class, uint32_t from, uint32_t to) {
  ASSERT(class >= 0 && class < CLASS_COUNT);
  ASSERT(scan_has_block(order->scan, from));
  ASSERT(scan_has_block(order->scan, to));
  uint32_t edge = order_edge_at(order->scan->cfg, from, to);
  return order->carried[class] && edge != CFG_NONE ? order->carried[class][edge] : NULL;
}
