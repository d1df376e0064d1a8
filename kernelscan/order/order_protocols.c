// Which protocol orders the two, or keeps them apart? The one place where protocols are tried (protocols.def): as
// rows, which know nothing of each other. First those of the pair as a whole; then those of waits, for either
// direction. Method: a row of a wait gives the condition under which the order in its direction is not known; where a
// wait need not stand on all paths of the second thread, the condition that it came round it is part of that; paths on
// which it wins a word that the first thread has won for good (a lock that is never given back: `if (atomicCAS(state, 0, 1)
// == 0) { fill; fence; flag up } else { wait for the flag; fence }`) are none. One question to the solver joins the two directions. Soundness: whichever of the conditions are taken, they and the
// question are contradictory, so in each instance one of the two directions is ordered.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- rows
static OrderAnswer (*const of_pairs[])(Order *order, const OrderQuestion *question) = {
#define PAIR(function) function,
#define WAIT(function)
#define PASSED(function)
#include "kernelscan/order/protocols.def"
#undef PAIR
#undef WAIT
#undef PASSED
};

static const struct {
  ExprRef (*row)(const Direction *way, uint32_t s, OrderRule *rule);
  bool is_of_passed;
} of_waits[] = {
#define PAIR(function)
#define WAIT(function) {function, false},
#define PASSED(function) {function, true},
#include "kernelscan/order/protocols.def"
#undef PAIR
#undef WAIT
#undef PASSED
};

OrderAnswer order_by_pairs(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  OrderAnswer open = {0};
  for (size_t r = 0; r < sizeof of_pairs / sizeof *of_pairs && !open.verdict; r++) {
    OrderAnswer answer = of_pairs[r](order, question);
    if (answer.verdict || answer.text || answer.cause || answer.witness) open = answer;
  }
  return open;
}

// ---- both directions
// Where this holds the order in one direction is not known; else it is by that rule.
typedef struct Case {
  ExprRef open;
  OrderProof proof;
} Case;
typedef VEC(Case) Cases;

// Does the wait, which the second thread has passed, or has yet to be found to have, say something of the direction?
static bool find_case(const Direction *way, uint32_t s, bool is_passed, Case *found) {
  const Order *order = way->order;
  for (size_t r = 0; r < sizeof of_waits / sizeof *of_waits; r++) {
    OrderRule rule = ORDER_RULE_NONE;
    ExprRef open = of_waits[r].is_of_passed == is_passed ? of_waits[r].row(way, s, &rule) : 0;
    if (!open || expr_is_true(order->scan->pool, open)) continue;
    *found = (Case){open, order_proof_of(way, rule, &order->signals[s])};
    return true;
  }
  return false;
}

static bool excludes(Order *order, const OrderQuestion *question, ExprRef one, ExprRef two) {
  Scan *scan = order->scan;
  Obligation never = {.known = question->goal,
                      .breach = expr_and(scan->pool, one, two),
                      .one = order->strangers[0],
                      .two = order->strangers[1]};
  return order_is_met(scan, &never, arena_printf(scan->arena, "%s, in neither direction", question->name));
}

// One of the conditions of the one direction, and one of the other, never hold together; or one of them does not hold
// at all.
static OrderAnswer join(Order *order, const OrderQuestion *question, const Cases cases[2]) {
  const Case none = {.open = expr_bool(order->scan->pool, true)};
  for (uint32_t i = 0; i <= cases[0].count; i++)
    for (uint32_t j = 0; j <= cases[1].count; j++) {
      const Case *one = i ? &cases[0].items[i - 1] : &none, *two = j ? &cases[1].items[j - 1] : &none;
      if ((i || j) && excludes(order, question, one->open, two->open))
        return order_proved(order, question, i ? one->proof : two->proof);
    }
  return (OrderAnswer){0};
}

// ---- waits in rounds, or of others of the block
static void find_waits(Order *order, const OrderQuestion *question, const uint32_t loops[2], int first,
                       Cases *cases) {
  Direction way = order_direction(order, question, first, NULL);
  way.loops[0] = loops[0];
  way.loops[1] = loops[1];
  Case found;
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (find_case(&way, s, false, &found)) vec_push(order->scan->arena, &cases[first], found);
}

static OrderAnswer rounds_order(Order *order, const OrderQuestion *question) {
  OrderAnswer answer = {0};
  for (RoundLoops loops = {0}; !answer.verdict && order_next_rounds(order, question, &loops);) {
    Cases cases[2] = {{0}, {0}};
    for (int first = 0; first < 2; first++)
      find_waits(order, question, loops.of, first, cases);
    answer = join(order, question, cases);
  }
  return answer;
}

// ---- one wait that stands on all paths
static OrderAnswer one_wait_orders(const Direction *way) {
  Order *order = way->order;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    Case found;
    if (!order_is_passed_at(order, s, order_inst_of(way, way->second)) || !find_case(way, s, true, &found) ||
        !expr_is_false(order->scan->pool, found.open))
      continue;
    bool is_draw = found.proof.rule == ORDER_RULE_LAST_ARRIVAL && order_is_draw_of(way, &order->signals[s]);
    return is_draw ? order_proved_by_itself(found.proof) : order_proved(order, way->question, found.proof);
  }
  return (OrderAnswer){0};
}

// ---- one wait or another
// What the second thread itself, or its leader, has perhaps come past: waits that end for good, by which the two are ordered,
// unless the condition holds; locks that it does not take, where the first thread has won the word for good.
typedef struct Orders {
  uint64_t signals, won;
  Case any;
} Orders;

// Paths to the second access in one round of a loop (CFG_NONE: of none). `won`: the lock by which the first thread has won a
// word; LOCK_LIMIT: by none.
typedef struct Trail {
  const OrderQuestion *question;
  int first;
  uint32_t won, round;
  bool is_of_one; // of the second thread itself; else of the leader of its block
} Trail;

static bool is_one_in_round(const Order *order, const Access *read, IrRef ref, uint32_t round) {
  return !ref || order_is_one_in_round(order->scan, read->inst, ref, round);
}

// On such a path it waits for one value of one word.
static bool is_in_view(Order *order, const Trail *trail, const Signal *signal) {
  uint32_t second = trail->question->instances[1 - trail->first]->access->inst;
  if (!order_is_plain_wait(signal) || (!trail->is_of_one && !signal->is_of_block) ||
      !graph_reaches(order->scan, signal->read->inst, second))
    return false;
  return (trail->round == CFG_NONE && order_awaits_one_value(order, signal)) ||
         (is_one_in_round(order, signal->read, signal->read->address, trail->round) &&
          is_one_in_round(order, signal->read, signal->test.other, trail->round));
}

// Locks of the word that the first thread has won: nobody else takes them.
static void find_won(Order *order, const Trail *trail, Orders *orders) {
  Scan *scan = order->scan;
  const Instance *one = trail->question->instances[trail->first],
                 *two = trail->question->instances[1 - trail->first];
  bool may_be = trail->is_of_one || extent_is_between_blocks(trail->question->extent);
  Target won, asked;
  if (trail->won == LOCK_LIMIT || !may_be ||
      !order_has_won(order, trail->won, one->frame, one->access->inst, &won))
    return;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    const LockSite *site = &order->locks[s];
    bool stays = trail->is_of_one
                     ? (site->is_fixed && trail->round == CFG_NONE) ||
                           is_one_in_round(order, site->access, site->access->address, trail->round)
                     : site->is_of_block;
    if (!stays || !order_is_won_once(site) ||
        !order_is_same_target(&site->target, &order->locks[trail->won].target) ||
        operation_scope(scan, site->access) < operation_scope_needed(trail->question->extent) ||
        !order_one_target(two->frame, site->access->address, &asked))
      continue;
    ExprRef other = expr_not(scan->pool, order_one_word(one->frame, &won, two->frame, &asked));
    orders->any.open = expr_or(scan->pool, orders->any.open, other);
    orders->won |= 1ull << s;
  }
}

static Orders find_orders(Order *order, const Trail *trail) {
  Scan *scan = order->scan;
  Frame *frame = trail->question->instances[1 - trail->first]->frame;
  Orders orders = {.any.open = expr_bool(scan->pool, false)};
  for (uint32_t s = 0; s < order->signal_count; s++) {
    if (!is_in_view(order, trail, &order->signals[s])) continue;
    // What the path to the wait says of the block holds of all of its threads.
    ExprRef comes =
        order_fixed_parts(scan->pool, order_comes_to(frame, order->signals[s].read->inst), trail->is_of_one);
    Goal goal = goal_copy(scan, trail->question->goal);
    goal_add(scan, &goal, comes, GOAL_CONTEXT, 0);
    Models models = {0};
    OrderQuestion part = *trail->question;
    part.goal = &goal;
    part.models = &models;
    OrderAnswer unused = {0};
    Direction way = order_direction(order, &part, trail->first, &unused);
    way.is_of_one = trail->is_of_one;
    way.is_of_one_word = true;
    Case found;
    if (!find_case(&way, s, true, &found)) continue;
    if (!orders.signals) orders.any.proof = found.proof;
    orders.any.open = expr_or(scan->pool, orders.any.open, found.open);
    orders.signals |= 1ull << s;
  }
  if (orders.signals || trail->is_of_one) find_won(order, trail, &orders);
  return orders;
}

// Whichever of its paths the second thread has taken, it has waited for something that comes behind the first access,
// unless it has come round all of that; or it has won the word that the first thread has won.
static void find_detour(Order *order, Trail trail, Cases *cases) {
  Scan *scan = order->scan;
  const Instance *second = trail.question->instances[1 - trail.first];
  uint32_t inst = second->access->inst;
  if (trail.won < LOCK_LIMIT && !order->locks[trail.won].is_fixed)
    trail.round = order_loop_of_both(scan, order->locks[trail.won].access->inst, inst, false);
  Orders own = find_orders(order, &trail);
  trail.is_of_one = false;
  Orders of_leader = find_orders(order, &trail);
  if (!(own.signals | of_leader.signals)) return;
  Detour detour = {.order = order,
                   .frame = second->frame,
                   .class = -1,
                   .signals = own.signals,
                   .leaders_signals = of_leader.signals,
                   .won = own.won,
                   .leaders_won = of_leader.won,
                   .is_of_one = true,
                   .round = trail.round};
  ExprRef open = expr_or(scan->pool, own.any.open, of_leader.any.open), round = order_detour(&detour, inst);
  Case found = {expr_or(scan->pool, round, open), own.signals ? own.any.proof : of_leader.any.proof};
  if (trail.won < LOCK_LIMIT) found.proof.rule = ORDER_RULE_ONCE;
  if (!expr_is_true(scan->pool, found.open)) vec_push(scan->arena, cases, found);
}

static OrderAnswer detours_order(Order *order, const OrderQuestion *question) {
  Cases cases[2] = {{0}, {0}};
  for (int first = 0; first < 2; first++) {
    const Instance *one = question->instances[first];
    Trail trail = {.question = question, .first = first, .round = CFG_NONE, .is_of_one = true};
    Target word;
    for (trail.won = 0; trail.won < order->lock_count; trail.won++)
      if (order_has_won(order, trail.won, one->frame, one->access->inst, &word))
        find_detour(order, trail, &cases[first]);
    trail.won = LOCK_LIMIT;
    if (!cases[first].count) find_detour(order, trail, &cases[first]);
  }
  return join(order, question, cases);
}

// ---- what is missing
// All is there but that the flag is down when the kernel starts: the second thread has not waited, because it was up.
static void name_start(Order *order, const OrderQuestion *question, int first, OrderAnswer *answer) {
  Scan *scan = order->scan;
  Direction way = order_direction(order, question, first, &(OrderAnswer){0});
  way.is_after_start = true;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *signal = &order->signals[s];
    OrderRule rule;
    if (signal->is_ticket || !signal->is_direct || order_is_lock_word(order, signal) ||
        !order_awaits_one_value(order, signal) ||
        !order_is_passed_at(order, s, order_inst_of(&way, way.second)) || !order_by_flag(&way, s, &rule))
      continue;
    Frame *waiting = question->instances[way.second]->frame;
    ExprRef met = order_met_at_start(order, signal, waiting);
    const SolverAnswer *model = order_model(scan, question, met, "flag up at the start");
    if (!model) continue;
    bool is_set_up = order_is_set_up(order, signal);
    if (!is_set_up && order_may_be_set_up(order, signal, waiting, question->goal)) continue;
    const char *text = is_set_up
                           ? "the word that is waited for at line %u holds at the start what ends the wait"
                           : "the word in shared memory that is waited for at line %u has not been set up";
    *answer = (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                            .cause = is_set_up ? "flag-up-at-start" : "flag-not-set-up",
                            .text = arena_printf(scan->arena, text, operation_line(scan, signal->read->inst)),
                            .witness = model};
    return;
  }
}

// ---- all of them
static bool has_flags(const Order *order) {
  for (uint32_t s = 0; s < order->signal_count; s++)
    if (!order->signals[s].is_ticket) return true;
  return false;
}

OrderAnswer order_by_waits(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  OrderAnswer nearly = {0}, answer = rounds_order(order, question);
  for (int first = 0; first < 2 && !answer.verdict; first++) {
    Direction way = order_direction(order, question, first, &nearly);
    answer = one_wait_orders(&way);
  }
  if (!answer.verdict && has_flags(order) && (!nearly.cause || order_is_any_won(order)))
    answer = detours_order(order, question);
  if (answer.verdict) return answer;
  for (int first = 0; first < 2 && !nearly.cause; first++)
    name_start(order, question, first, &nearly);
  return nearly;
}
