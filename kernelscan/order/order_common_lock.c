// Does a lock keep two accesses apart? That both threads hold the same one is asked of the solver; which ones
// they hold is known from order_lockset.c. Soundness: a lock counts only if it is one (order_lock_discipline.c), and
// if fences of sufficient scope lie on every path from taking it to the access and from the access to giving
// it back (Kamath, George and Basu, "ScoRD", ISCA 2020).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// ---- the two accesses
typedef enum Strictness { WITH_FENCES, WITHOUT_FENCES, PERHAPS_HELD, STRICTNESS_COUNT } Strictness;

typedef struct LockQuestion {
  Order *order;
  const OrderQuestion *question;
  uint64_t must[2][CLASS_COUNT], may[2][CLASS_COUNT]; // by thread
  uint64_t own[2][CLASS_COUNT];                       // those of `may` that the thread itself may have taken
  MissingPart missing;                                // the first that was met
} LockQuestion;

// Whoever makes the access under this lock never gives it back afterwards: what is given back later has been
// taken anew.
static bool is_kept(const Order *order, uint32_t s, uint32_t inst) {
  const Scan *scan = order->scan;
  uint32_t count = scan->fn->insts.count;
  uint8_t *gives = order_marks(scan, CFG_NONE), *takes = order_marks(scan, CFG_NONE);
  for (uint32_t i = 0; i < count; i++) {
    takes[i] = order->takes[i] >> s & 1;
    gives[i] = !takes[i] && (order->may_end[i] >> s & 1);
  }
  GraphWalk walk = {.from = inst, .wanted = gives, .avoided = takes};
  return !gives[inst] && !graph_walk(order->scan, &walk);
}

// One of the two threads only ever gets it: nothing needs to be ordered.
static bool is_once(const LockQuestion *ask, uint32_t s) {
  const LockSite *site = &ask->order->locks[s];
  IrScope needed = operation_scope_needed(ask->question->extent);
  return !site->is_turn && operation_scope(ask->order->scan, site->access) >= needed &&
         is_kept(ask->order, s, ask->question->instances[0]->access->inst) &&
         is_kept(ask->order, s, ask->question->instances[1]->access->inst);
}

// Condition that the thread holds the lock, as far as that orders anything.
static ExprRef counts(LockQuestion *ask, int thread, int class, uint32_t s, Strictness strictness) {
  Order *order = ask->order;
  const LockSite *site = &order->locks[s];
  ExprPool *pool = order->scan->pool;
  const Instance *instance = ask->question->instances[thread];
  uint32_t inst = instance->access->inst;
  ExprRef holds = expr_bool(pool, false);
  if (strictness == PERHAPS_HELD) return expr_bool(pool, ask->may[thread][class] >> s & 1);
  if (!site->is_disciplined) return holds;
  if ((ask->must[thread][class] >> s & 1) && order_address_stays(order, site, inst))
    holds = expr_bool(pool, true);
  else if (ask->own[thread][class] >> s & 1)
    holds = expr_not(pool, order_has_not_taken(order, s, instance->frame, inst));
  if (expr_is_false(pool, holds) || strictness == WITHOUT_FENCES || is_once(ask, s)) return holds;
  Gap gap =
      order_gap_of_lock(order, class, site, ask->question->instances[thread]->access, ask->question->extent);
  if (!ask->missing.cause) ask->missing = order_name_gap(order->scan, gap);
  return gap.kind == GAP_NONE ? holds : expr_bool(pool, false);
}

// The word that the site is for, as the thread of the frame sees it; of several it has to see as many.
static bool word_of_site(Frame *frame, const LockSite *site, Target *word) {
  SymValue address = frame_value(frame, site->access->address);
  if (site->choices <= 1) return order_one_target(frame, site->access->address, word);
  if (address.kind != SYM_POINTER || address.target_count != site->choices) return false;
  *word = address.targets[site->choice];
  return word->object == site->target.object;
}

// Condition that the locks are not one word, or that two may hold it together.
static ExprRef locks_differ(LockQuestion *ask, const LockSite *one, const LockSite *two) {
  const Scan *scan = ask->order->scan;
  ExprPool *pool = scan->pool;
  const OrderQuestion *question = ask->question;
  const Obj *objects = scan->objects.items;
  Target a, b;
  ExprRef differ = expr_bool(pool, true);
  if (!word_of_site(question->instances[0]->frame, one, &a) ||
      !word_of_site(question->instances[1]->frame, two, &b))
    return differ;
  bool is_per_block = objects[a.object].kind == OBJ_SHARED && extent_is_between_blocks(question->extent);
  if (a.object != b.object || is_per_block || !a.key != !b.key) return differ;
  differ = expr_not(pool, expr_eq(pool, a.offset, b.offset));
  if (a.key && b.key) differ = expr_or(pool, differ, expr_not(pool, expr_eq(pool, a.key, b.key)));
  if (a.condition) differ = expr_or(pool, differ, expr_not(pool, a.condition));
  if (b.condition) differ = expr_or(pool, differ, expr_not(pool, b.condition));
  differ = expr_or(pool, differ,
                   order_may_both_hold(ask->order, one, question->instances[0]->frame, two,
                                       question->instances[1]->frame));
  return differ;
}

// Two lanes for both of which the first lane of their warp holds the lock are not kept apart by it.
static bool is_one_holder(const LockQuestion *ask, int one, int two, uint32_t s, uint32_t t) {
  const Order *order = ask->order;
  uint32_t block = order->scan->fn->insts.items[order->locks[s].access->inst].block;
  return !order->is_reached[CLASS_OTHERS][block] && ask->question->extent == EXTENT_INTRA_WARP && s == t &&
         !(ask->own[0][one] >> s & 1) && !(ask->own[1][two] >> t & 1);
}

// Condition that no lock that counts is held by both.
static ExprRef not_excluded(LockQuestion *ask, int one, int two, Strictness strictness) {
  ExprPool *pool = ask->order->scan->pool;
  ExprRef open = expr_bool(pool, true);
  for (uint32_t s = 0; s < ask->order->lock_count; s++) {
    ExprRef first = counts(ask, 0, one, s, strictness);
    for (uint32_t t = 0; t < ask->order->lock_count && !expr_is_false(pool, first); t++) {
      ExprRef second = counts(ask, 1, two, t, strictness);
      if (expr_is_false(pool, second) || is_one_holder(ask, one, two, s, t)) continue;
      ExprRef differ = locks_differ(ask, &ask->order->locks[s], &ask->order->locks[t]);
      open = expr_and(pool, open, expr_or(pool, expr_not(pool, expr_and(pool, first, second)), differ));
    }
  }
  return open;
}

static ExprRef open_condition(LockQuestion *ask, Strictness strictness) {
  Order *order = ask->order;
  ExprPool *pool = order->scan->pool;
  ExprRef open = expr_bool(pool, false), first = 0;
  bool is_same = true;
  for (ClassPair p = {0}; order_next_classes(order, ask->question, &p);) {
    ExprRef here = not_excluded(ask, p.of[0], p.of[1], strictness);
    ExprRef who = order_classes_condition(order->scan, ask->question, &p);
    open = expr_or(pool, open, expr_and(pool, who, here));
    is_same &= !first || first == here;
    first = here;
  }
  return is_same && first ? first : open; // who they are does not matter
}

// A model of its own is only there if something was added to the goal. `by_places`: of a long goal, what says which places
// are touched alone.
static SolverAnswer ask_open(LockQuestion *ask, Strictness strictness, bool by_places) {
  Scan *scan = ask->order->scan;
  ExprRef open = open_condition(ask, strictness);
  if (expr_is_false(scan->pool, open)) return (SolverAnswer){.verdict = VERDICT_SAFE};
  if (expr_is_true(scan->pool, open)) return (SolverAnswer){.verdict = VERDICT_RACE};
  Goal goal = goal_copy(scan, ask->question->goal);
  goal_add(scan, &goal, open, GOAL_CONFLICT, 0);
  const char *name = arena_printf(scan->arena, "%s, not under one lock", ask->question->name);
  SolverAnswer answer = {.verdict = VERDICT_UNKNOWN};
  if (!by_places)
    answer = goal_decide(scan, &goal, name);
  else if (goal.is_false || address_goals_are_apart(scan, &goal, false, name, &answer))
    answer.verdict = VERDICT_SAFE;
  if (answer.verdict == VERDICT_DEAD) answer.verdict = VERDICT_SAFE;
  proofs_is_refuted(scan, &answer);
  return answer;
}

static const SolverAnswer *keep_model(const LockQuestion *ask, const SolverAnswer *answer) {
  return answer->sym_values ? arena_copy(ask->order->scan->arena, answer, sizeof *answer) : NULL;
}

// Whoever makes the access holds a lock: the line where one is acquired; 0: not so.
static uint32_t line_of_lock(const LockQuestion *ask, int thread, bool *is_unset) {
  Order *order = ask->order;
  uint64_t disciplined = 0, held = 0;
  for (uint32_t s = 0; s < order->lock_count; s++)
    disciplined |= (uint64_t)(order->locks[s].is_disciplined && !order->locks[s].is_asked) << s;
  for (int c = -1; order_next_class(order, ask->question->instances[thread]->access->inst, &c);) {
    uint64_t of_class = ask->must[thread][c] & disciplined;
    if (!of_class) return 0;
    held |= of_class;
  }
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (held >> s & 1) {
      *is_unset |= !order_word_of_lock(order, &order->locks[s])->count_in_text && !order->scan->has_opaque;
      return operation_line(order->scan, order->locks[s].access->inst);
    }
  return 0;
}

// Do accesses elsewhere in the kernel touch the same object under a lock?
static bool object_is_locked_elsewhere(Order *order, uint32_t object) {
  const Scan *scan = order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    SymValue address = frame_value(order->anyone, access->address);
    for (uint32_t i = 0; i < address.target_count; i++)
      if (address.targets[i].object == object && access->kind != ACCESS_ATOMIC &&
          order_held_before(order, CLASS_LEADER, access->inst, true))
        return true;
  }
  return false;
}

static const char *first_broken(const LockQuestion *ask) {
  const Order *order = ask->order;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    uint64_t held = 0;
    for (int class = 0; class < CLASS_COUNT; class ++)
      held |= ask->may[0][class] | ask->may[1][class];
    const LockSite *site = &order->locks[s];
    if (!(held >> s & 1) || site->is_disciplined) continue;
    if (!site->breaking_inst) break;
    return arena_printf(
        order->scan->arena,
        "the word taken as a lock at line %u is also written at line %u, perhaps without holding it",
        operation_line(order->scan, site->access->inst), operation_line(order->scan, site->breaking_inst));
  }
  return "whether both threads hold one lock there depends on the way";
}

// Between lanes of one warp: the first lane holds a lock for all of them; the line where it takes it, or 0.
static uint32_t line_for_warp(const LockQuestion *ask) {
  Order *order = ask->order;
  if (ask->question->extent != EXTENT_INTRA_WARP) return 0;
  uint64_t held = UINT64_MAX;
  for (int t = 0; t < 2; t++)
    held &= order_held_at(order, ask->question->instances[t]->access, CLASS_OTHERS, EXTENT_INTER_BLOCK, true);
  for (uint32_t s = 0; s < order->lock_count; s++)
    if (held >> s & 1) return operation_line(order->scan, order->locks[s].access->inst);
  return 0;
}

static OrderAnswer answer_open(LockQuestion *ask, const SolverAnswer *model) {
  OrderAnswer answer = {.witness = keep_model(ask, model)};
  const Instance *const *instances = ask->question->instances;
  if (instances[0]->access->kind == ACCESS_ATOMIC || instances[1]->access->kind == ACCESS_ATOMIC)
    return answer; // the atomic operation says more
  bool is_unset = false;
  uint32_t one = line_of_lock(ask, 0, &is_unset), two = line_of_lock(ask, 1, &is_unset);
  Arena *arena = ask->order->scan->arena;
  if (is_unset) return answer; // no lock, whatever it looks like
  if (one && two) {
    answer.cause = "different-locks";
    answer.text = arena_printf(
        arena,
        one == two ? "both accesses are made under a lock acquired at line %u, but each under another one"
                   : "each access is made under a lock, acquired at line %u and at line %u, but not under "
                     "the same one",
        one, two);
  } else if (one || two) {
    uint32_t bare = instances[one ? 1 : 0]->access->inst;
    answer.cause = "unlocked-access";
    answer.text = arena_printf(
        arena, "one access is made under the lock acquired at line %u, the other one, at line %u, is not",
        one ? one : two, operation_line(ask->order->scan, bare));
  } else if ((one = line_for_warp(ask))) {
    answer.cause = "unlocked-access";
    answer.text =
        arena_printf(arena,
                     "the lock acquired at line %u is held by the first lane for its warp: it does not "
                     "guard the lanes of one warp from each other",
                     one);
  } else if (object_is_locked_elsewhere(ask->order, ask->question->targets[0]->object)) {
    answer.cause = "unlocked-access";
    answer.text = "other accesses to this memory are made under a lock, these two are not";
  }
  return answer;
}

static LockQuestion lock_question(Order *order, const OrderQuestion *question) {
  LockQuestion ask = {.order = order, .question = question};
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++) {
      const Access *access = question->instances[t]->access;
      ask.must[t][class] = order_held_at(order, access, class, question->extent, true);
      ask.may[t][class] = order_held_at(order, access, class, question->extent, false);
      ask.own[t][class] = order_held_before(order, class, access->inst, false);
    }
  return ask;
}

static OrderRule rule_of_lock(const LockSite *one, const LockSite *two) {
  if (one->is_shared || two->is_shared) return ORDER_RULE_READER_WRITER_LOCK;
  if (one->draw && two->draw) return ORDER_RULE_TICKET_LOCK;
  if (one->bits && two->bits && !one->is_released && !two->is_released) return ORDER_RULE_TEST_AND_SET;
  return one->is_turn || two->is_turn ? ORDER_RULE_TURN : ORDER_RULE_LOCK;
}

// Of the locks that both hold, the first one whose words may be one: given back by the one thread, taken by
// the other.
static OrderProof lock_proof(const LockQuestion *ask) {
  const Order *order = ask->order;
  OrderProof proof = {.rule = ORDER_RULE_LOCK};
  uint64_t held[2] = {0, 0};
  for (int t = 0; t < 2; t++)
    for (int class = 0; class < CLASS_COUNT; class ++)
      held[t] |= ask->must[t][class] ? ask->must[t][class] : ask->own[t][class];
  for (uint32_t i = 0; i < order->lock_count; i++)
    for (uint32_t j = 0; j < order->lock_count; j++) {
      const LockSite *one = &order->locks[i], *two = &order->locks[j];
      bool is_pair = (held[0] >> i & 1) && (held[1] >> j & 1) && one->target.object == two->target.object;
      if (!is_pair || (one->is_shared && two->is_shared) || (proof.acquire && i != j)) continue;
      proof = (OrderProof){.rule = rule_of_lock(one, two), .acquire = two->access->inst + 1};
      for (uint32_t n = 0; n < order->scan->fn->insts.count && !proof.release; n++)
        if (order->ends[n] >> i & 1) proof.release = n + 1;
      if (i == j) return proof;
    }
  return proof;
}

bool order_is_under_one_lock(Scan *scan, const OrderQuestion *question, OrderProof *proof) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  ASSERT(proof);
  Order *order = order_get(scan);
  if (!order->lock_count) return false;
  LockQuestion ask = lock_question(order, question);
  *proof = lock_proof(&ask);
  return ask_open(&ask, WITH_FENCES, true).verdict == VERDICT_SAFE;
}

OrderAnswer order_by_locks(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  if (!order->lock_count) return (OrderAnswer){0};
  LockQuestion ask = lock_question(order, question);
  SolverAnswer models[STRICTNESS_COUNT];
  for (int strictness = 0; strictness < STRICTNESS_COUNT; strictness++) {
    models[strictness] = ask_open(&ask, (Strictness)strictness, false);
    Verdict verdict = models[strictness].verdict;
    if (verdict == VERDICT_UNKNOWN)
      return (OrderAnswer){.text = "could not decide whether both threads hold the same lock"};
    if (verdict == VERDICT_RACE) continue;
    if (strictness == WITH_FENCES)
      return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = lock_proof(&ask)};
    if (strictness == PERHAPS_HELD) return (OrderAnswer){.text = first_broken(&ask)};
    return (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                         .cause = ask.missing.cause,
                         .text = ask.missing.text,
                         .witness = keep_model(&ask, &models[WITH_FENCES])};
  }
  return answer_open(&ask, &models[WITHOUT_FENCES]);
}
