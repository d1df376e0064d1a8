// Which protocol orders the two, or keeps them apart? The one place where protocols are tried (protocols.def): as
// rows, which know nothing of each other. First those of the pair as a whole; then those of waits, for either
// direction; where one wait or another stands on each way of the second thread, the cases are joined by one
// question to the solver. Method: the condition that a thread has come to its access round all waits that order
// the two is contradictory with the question. Soundness: an order is said if one row proves it, or all cases
// are.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- rows
typedef enum RowKind { ROW_PAIR, ROW_SINGLE, ROW_WAITS, ROW_WAIT } RowKind;

typedef struct Row {
  RowKind kind;
  OrderAnswer (*decides)(Order *order, const OrderQuestion *question);        // PAIR, WAITS
  bool (*is_single)(Order *order, const OrderQuestion *question, uint32_t s); // SINGLE
  OrderRule (*orders)(const Direction *way, uint32_t s);                      // WAIT
} Row;

static const Row rows[] = {
#define PAIR(function) {.kind = ROW_PAIR, .decides = function},
#define SINGLE(function) {.kind = ROW_SINGLE, .is_single = function},
#define WAITS(function) {.kind = ROW_WAITS, .decides = function},
#define WAIT(function) {.kind = ROW_WAIT, .orders = function},
#include "kernelscan/order/protocols.def"
#undef PAIR
#undef SINGLE
#undef WAITS
#undef WAIT
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// What the first row of the kind says that decides; else what the last one says that is open.
static OrderAnswer by_rows(RowKind kind, Order *order, const OrderQuestion *question) {
  OrderAnswer open = {0};
  for (int r = 0; r < ROW_COUNT && !open.verdict; r++) {
    if (rows[r].kind != kind) continue;
    OrderAnswer answer = rows[r].decides(order, question);
    if (answer.verdict || answer.text || answer.cause || answer.witness) open = answer;
  }
  return open;
}

static bool is_of_one_thread(Order *order, const OrderQuestion *question, uint32_t s) {
  for (int r = 0; r < ROW_COUNT; r++)
    if (rows[r].kind == ROW_SINGLE && rows[r].is_single(order, question, s)) return true;
  return false;
}

// The rule by which this wait orders the two.
static OrderRule wait_orders(const Direction *way, uint32_t s) {
  OrderRule rule = ORDER_RULE_NONE;
  for (int r = 0; r < ROW_COUNT && !rule; r++)
    if (rows[r].kind == ROW_WAIT) rule = rows[r].orders(way, s);
  return rule;
}

// ---- one wait or another
// Can control that came to the block `from` over `before` go on to `to` without passing one of the signals? A
// truth value that is merged there (`a == 0 && b == 0`) is the one that comes from `before`.
static bool goes_on(const Order *order, int class, uint64_t signals, uint32_t before, uint32_t from,
                    uint32_t to) {
  EdgeTest test;
  bool is_taken = true, is_merged = order_merged_test(order->scan, before, from, to, &test, &is_taken);
  for (uint32_t s = 0; s < order->signal_count && is_taken; s++) {
    const Signal *signal = &order->signals[s];
    bool is_it = is_merged && order_is_same_test(&signal->test, &test);
    if ((signals >> s & 1) && (is_it || order_is_edge_of(order, class, from, to, signal))) return false;
  }
  return is_taken;
}

// The condition that a thread has come somewhere, from kernel entry, without passing one of the signals.
typedef struct Detour {
  const Order *order;
  Frame *frame;     // of the thread
  int class;        // whose edges it takes; -1: of any
  uint64_t signals; // for good: whoever has passed one knows what it tells
  ExprRef *over;    // by position in cfg->succs
} Detour;

static bool may_go_on(const Detour *detour, uint32_t before, uint32_t from, uint32_t edge) {
  const Order *order = detour->order;
  uint32_t to = order->scan->cfg->succs[edge];
  for (int class = 0; class < CLASS_COUNT; class ++)
    if ((detour->class < 0 || class == detour->class) && order->is_feasible[class][edge] &&
        goes_on(order, class, detour->signals, before, from, to))
      return true;
  return false;
}

// That it has come to the block, and may go on over the edge (CFG_NONE: wherever). Round a loop nothing is
// learned that is fixed while the thread runs: it comes back as it came in.
static ExprRef comes_to(const Detour *detour, uint32_t block, uint32_t edge, bool with_rounds) {
  const Cfg *cfg = detour->order->scan->cfg;
  ExprPool *pool = detour->order->scan->pool;
  ExprRef comes = expr_bool(pool, false);
  if (block == 0 && (edge == CFG_NONE || may_go_on(detour, CFG_NONE, block, edge)))
    return expr_bool(pool, true);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++) {
      if (cfg->succs[e] != block || cfg->rpo_number[b] == CFG_NONE ||
          (edge != CFG_NONE && !may_go_on(detour, b, block, edge)))
        continue;
      bool is_round = cfg->rpo_number[b] >= cfg->rpo_number[block];
      if (is_round && !with_rounds) continue;
      if (is_round && !cfg_dominates(cfg, block, b)) return expr_bool(pool, true);
      comes = expr_or(pool, comes, is_round ? comes_to(detour, block, CFG_NONE, false) : detour->over[e]);
    }
  return comes;
}

static ExprRef detour_to(Detour *detour, uint32_t block) {
  Scan *scan = detour->order->scan;
  const Cfg *cfg = scan->cfg;
  detour->over = arena_array(scan->arena, cfg->succ_first[cfg->block_count] + 1, ExprRef);
  for (uint32_t n = 0; n < cfg->rpo_count; n++) {
    uint32_t from = cfg->rpo[n];
    for (uint32_t e = cfg->succ_first[from]; e < cfg->succ_first[from + 1]; e++) {
      ExprRef taken = frame_edge_condition(detour->frame, from, cfg->succs[e]);
      taken = taken ? order_fixed_parts(scan->pool, taken, true) : expr_bool(scan->pool, true);
      detour->over[e] = expr_and(scan->pool, comes_to(detour, from, e, true), taken);
    }
  }
  return comes_to(detour, block, CFG_NONE, true);
}

// Of the waits that end for good, those that order the two where the second thread, or the leader of its
// block, comes to them; `rule`: by which the first one does.
static uint64_t find_ordering(Order *order, const OrderQuestion *question, int first, OrderProof *proof) {
  Scan *scan = order->scan;
  Frame *frame = question->instances[1 - first]->frame;
  uint32_t second = question->instances[1 - first]->access->inst;
  uint64_t orders = 0;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    uint32_t read = signal->read->inst;
    if (!order_is_plain_wait(signal) || (order->is_of_one ? !signal->is_fixed : !signal->is_of_block) ||
        !order_awaits_one_value(order, signal) || !order_reaches(scan, read, second))
      continue;
    ExprRef comes = order_comes_to(frame, read);
    Goal goal = goal_copy(scan, question->goal);
    if (order->is_of_one) goal_add(scan, &goal, order_fixed_parts(scan->pool, comes, true), GOAL_CONTEXT, 0);
    Models models = {0};
    OrderQuestion part = *question;
    part.goal = &goal;
    part.models = &models;
    OrderAnswer unused = {0};
    Direction way = order_direction(order, &part, first, &unused);
    OrderRule rule = wait_orders(&way, s);
    if (!rule) continue;
    if (!orders) *proof = order_proof_of(&way, rule, signal);
    orders |= 1ull << s;
  }
  return orders;
}

// Condition that neither the second thread has passed one of the waits that order the two, nor its leader,
// before a barrier of the block.
static ExprRef leaves_open(Order *order, const OrderQuestion *question, int first, Goal *goal,
                           OrderProof *proof) {
  Scan *scan = order->scan;
  const Instance *second = question->instances[1 - first];
  uint32_t block = scan->fn->insts.items[second->access->inst].block;
  Order own = *order;
  own.is_of_one = true;
  Detour detour = {&own, second->frame, -1, find_ordering(&own, question, first, proof), NULL};
  ExprRef open = detour.signals ? detour_to(&detour, block) : expr_bool(scan->pool, true);
  if (expr_is_false(scan->pool, open)) return open;
  OrderProof by_leader = {0};
  uint64_t signals = find_ordering(order, question, first, &by_leader);
  if (!signals) return open;
  if (!detour.signals) *proof = by_leader;
  Frame *leader = order_leader_beside(scan, second->frame->view);
  Detour of_leader = {order, leader, CLASS_LEADER, signals, NULL};
  goal_add_view(scan, goal, leader->view);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (order_dominates(scan, point->inst, second->access->inst) && order_block_meets(scan, point))
      open = expr_and(scan->pool, open, detour_to(&of_leader, point->block));
  }
  return open;
}

// Whichever of its ways the second thread has taken, it has waited for something that comes behind the first
// access.
static OrderAnswer waits_order_ways(Order *order, const OrderQuestion *question, int first) {
  OrderProof proof = {0};
  Scan *scan = order->scan;
  Goal goal = goal_copy(scan, question->goal);
  ExprRef open = leaves_open(order, question, first, &goal, &proof);
  if (expr_is_true(scan->pool, open)) return (OrderAnswer){0};
  goal_add(scan, &goal, open, GOAL_CONFLICT, 0);
  const char *name = arena_printf(scan->arena, "%s, round all waits", question->name);
  return order_cannot_hold(scan, &goal, name) ? order_proved(order, question, proof) : (OrderAnswer){0};
}

// A model in which the second thread has not waited, because the flag was up when the kernel started.
static bool finds_it_up(Direction *way, const Signal *signal, SolverAnswer *model) {
  Order *order = way->order;
  Scan *scan = order->scan;
  const OrderQuestion *question = way->question;
  ExprRef met = order_met_at_start(order, signal, question->instances[way->second]->frame);
  Goal goal = goal_copy(scan, question->goal);
  goal_add(scan, &goal, met, GOAL_CONFLICT, 0);
  *model = goal_decide(scan, &goal, arena_printf(scan->arena, "%s, flag up at the start", question->name));
  return model->verdict == VERDICT_RACE;
}

// All is there but that the flag is down when the kernel starts.
static void name_start(Order *order, const OrderQuestion *question, int first, OrderAnswer *answer) {
  const Scan *scan = order->scan;
  Direction way = order_direction(order, question, first, &(OrderAnswer){0});
  way.is_after_start = true;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    SolverAnswer model;
    if (signal->is_ticket || !signal->is_direct || order_is_lock_word(order, signal) ||
        !order_awaits_one_value(order, signal) ||
        !order_is_passed_at(order, s, order_inst_of(&way, way.second)) || !order_by_flag(&way, s) ||
        !finds_it_up(&way, signal, &model))
      continue;
    bool is_set_up = order_is_set_up(order, signal);
    Frame *waiting = question->instances[way.second]->frame;
    if (!is_set_up && order_may_be_set_up(order, signal, waiting, question->goal)) continue;
    const char *text = is_set_up
                           ? "the word that is waited for at line %u holds at the start what ends the wait"
                           : "the word in shared memory that is waited for at line %u has not been set up";
    *answer = (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                            .cause = is_set_up ? "flag-up-at-start" : "flag-not-set-up",
                            .text = arena_printf(scan->arena, text, order_line(scan, signal->read->inst)),
                            .witness = arena_copy(scan->arena, &model, sizeof model)};
    return;
  }
}

// ---- all of them
static bool has_flags(const Order *order) {
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (!order->signals[s].is_ticket) return true;
  return false;
}

// The second thread has passed a wait behind the first access.
static OrderAnswer one_wait_orders(const Direction *way) {
  Order *order = way->order;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    uint32_t read = order->signals[s].read->inst;
    if (!order_is_passed_at(order, s, order_inst_of(way, way->second))) continue;
    OrderRule rule = wait_orders(way, s);
    if (!rule) continue;
    OrderProof proof = order_proof_of(way, rule, &order->signals[s]);
    // A draw comes before what follows the last draw on the same word, fence or not.
    bool is_draw = rule == ORDER_RULE_LAST_ARRIVAL && order->signals[s].is_ticket;
    return is_draw && order_inst_of(way, way->first) == read ? order_proved_by_itself(proof)
                                                             : order_proved(order, way->question, proof);
  }
  return (OrderAnswer){0};
}

OrderAnswer order_by_waits(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  OrderAnswer nearly = {0};
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (is_of_one_thread(order, question, s))
      return order_proved_by_itself(
          (OrderProof){.rule = ORDER_RULE_SINGLE_THREAD, .acquire = order->signals[s].read->inst + 1});
  OrderAnswer answer = by_rows(ROW_WAITS, order, question);
  for (int first = 0; first < 2 && !answer.verdict; first++) {
    Direction way = order_direction(order, question, first, &nearly);
    answer = one_wait_orders(&way);
  }
  for (int first = 0; first < 2 && !answer.verdict && !nearly.cause && has_flags(order); first++)
    answer = waits_order_ways(order, question, first);
  if (answer.verdict) return answer;
  for (int first = 0; first < 2 && !nearly.cause; first++)
    name_start(order, question, first, &nearly);
  return nearly;
}

OrderAnswer order_by_pairs(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  return by_rows(ROW_PAIR, order, question);
}
