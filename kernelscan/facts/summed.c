// What do sums that two threads made in the rounds of one loop say of each other? A rank is how often a test
// held (`for (j = 0; j < n; j++) r += a[j] < a[i] || a[j] == a[i] && j < i;`), the start of a thread's places
// is what those before it need (`for (k = 0; k < warp; k++) base += total[k];`). Method: the header phi of a
// loop grows by d(j) in round j, so behind x rounds it is its start and the sum of d(j) over j < x. Where the
// one thread's d(j) is at most the other's in each round, a round that the first one did not make being 0,
// the sums differ by no less than they do in any one round e: T1 + (d2(e) - d1(e)) <= T2. That no round gives
// the first thread more is asked of the solver, for a round of any number, under the condition D by which the
// one comes before the other: in round e, a number that the first thread's test compares the round's with
// (its own place), the other one adds more; for ranks this is transitivity of the order. Or it made fewer
// rounds: then e is the first round that it did not make, or the other's last one, and what is added there is
// at least 1, or as many as lanes voted for something in a ballot of the goal. Whether D holds, for two that
// are not one, is left to the goal itself.
// Soundness: each goal's own conditions but for the conflict are taken for granted in what is asked, and D; a
// value of a round is only spoken of where that round is made by its thread, so that nothing follows from
// reads that nobody makes. No point stands in the loop. Sums do not wrap (A1); where the code does not say so,
// what is added in a round is small.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/proofs.h"

enum { MOST_SUMS = 2, MOST_PLACES = 3, MOST_COUNTS = 2, SMALL = 1 << 16, INCREMENT_DEPTH = 12 };

// The value of a loop's header phi that has no closed form (summed.c).
typedef struct Summed {
  ExprRef leaf;
  uint32_t inst;
} Summed;

// What is kept of a scan.
typedef struct Kept {
  VEC(Summed) sums;  // by leaf
  VEC(ExprRef) told; // conditions that goals were given of them
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, summed, Kept);
}

static void summed_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ASSERT(scan_has_inst(scan, index));
  ASSERT(!leaf || scan_has_expr(scan, leaf));
  const IrInst *inst = &scan->fn->insts.items[index];
  uint32_t loop = inst->op == IR_PHI ? scan->cfg->loop_of[inst->block] : CFG_NONE;
  if (!leaf || loop == CFG_NONE || scan->cfg->loops.items[loop].header != inst->block ||
      symeval_width(inst->type) < 32 || inst->type.kind != IR_INT)
    return;
  Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->sums.count; i++)
    if (kept->sums.items[i].leaf == leaf) return;
  vec_push(scan->arena, &kept->sums, (Summed){leaf, index});
}

static bool holds_point(const Scan *scan, uint32_t loop) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (cfg_loop_contains(scan->cfg, loop, scan->points.items[p].block)) return true;
  return false;
}

// The value that comes round the loop, and the one that comes in; false: there are several.
static bool read_phi(const Scan *scan, uint32_t index, uint32_t loop, IrRef *start, IrRef *next) {
  const IrInst *phi = &scan->fn->insts.items[index];
  *start = *next = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (scan->cfg->rpo_number[phi->blocks[i]] == CFG_NONE) continue;
    IrRef *side = cfg_loop_contains(scan->cfg, loop, phi->blocks[i]) ? next : start;
    if (*side && *side != phi->ops[i]) return false;
    *side = phi->ops[i];
  }
  return *start && *next;
}

// ---- what a round adds

static bool is_part_of(Scan *scan, ExprRef part, ExprRef whole) {
  Arena *scratch = arena_open();
  ExprSet below = expr_set_make(scratch, scan->pool);
  expr_set_add_below(&below, scan->pool, whole);
  bool is_part = expr_set_has(&below, part);
  arena_close(scratch);
  return is_part;
}

static bool is_small(ExprPool *pool, ExprRef ref) {
  int64_t least = 0, most = 0;
  expr_range(pool, ref, &least, &most);
  return -SMALL <= least && most <= SMALL;
}

// next - leaf; 0: not understood.
static ExprRef increment(Scan *scan, ExprRef next, ExprRef leaf, int depth) {
  ExprPool *pool = scan->pool;
  ExprNode node = *expr_node(pool, next);
  if (next == leaf) return expr_const(pool, node.width, 0);
  if (depth == 0) return 0;
  if (node.op == EXPR_ITE && !is_part_of(scan, leaf, node.a)) {
    ExprRef yes = increment(scan, node.b, leaf, depth - 1), no = increment(scan, node.c, leaf, depth - 1);
    return yes && no ? expr_ite(pool, node.a, yes, no) : 0;
  }
  if (node.op != EXPR_ADD) return 0;
  bool is_left = is_part_of(scan, leaf, node.a);
  ExprRef sum = is_left ? node.a : node.b, more = is_left ? node.b : node.a;
  if (is_part_of(scan, leaf, more) || (!(node.flags & EXPR_NSW) && !is_small(pool, more))) return 0;
  ExprRef before = increment(scan, sum, leaf, depth - 1);
  return before ? expr_binary(pool, EXPR_ADD, EXPR_NSW, before, more) : 0;
}

// One sum as a thread of the pair makes it.
typedef struct Sum {
  Frame *frame;
  uint32_t loop, phi;
  IrRef next;
  uint8_t width;
  ExprRef start, value, rounds; // value: behind that many rounds
} Sum;

// What the thread adds in the round; 0: not understood.
static ExprRef added_in(const Sum *sum, ExprRef round) {
  Frame *at = frame_of_round(sum->frame, sum->loop, round);
  at->is_made_round = true;
  ExprRef before = frame_word(at, IR_REF(IR_REF_INST, sum->phi), sum->width);
  ExprRef next = frame_word(at, sum->next, sum->width);
  if (!before || !next) return 0;
  uint8_t op = expr_node(at->scan->pool, before)->op;
  return op == EXPR_SYM || op == EXPR_APP ? increment(at->scan, next, before, INCREMENT_DEPTH) : 0;
}

static bool read_sum(Frame *frame, uint32_t phi, Sum *sum) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[phi];
  IrRef start = 0;
  *sum = (Sum){.frame = frame, .phi = phi, .width = symeval_width(inst->type)};
  sum->loop = scan->cfg->loop_of[inst->block];
  if (holds_point(scan, sum->loop) || !read_phi(scan, phi, sum->loop, &start, &sum->next)) return false;
  sum->start = frame_word(frame, start, sum->width);
  sum->value = frame_word(frame, IR_REF(IR_REF_INST, phi), sum->width);
  sum->rounds = frame_iteration(frame, sum->loop);
  return sum->start && sum->value;
}

// ---- asking

// The goal without its conflict: what holds of two threads that come to their accesses.
typedef struct Basis {
  Scan *scan;
  const Goal *goal;
  Sum less, more; // the sum of the one that comes before, and the other's
  ExprRef round;  // of any number
} Basis;

static ExprRef less_than(ExprPool *pool, ExprRef a, ExprRef b) {
  return expr_binary(pool, EXPR_SLT, 0, a, b);
}

static ExprRef not_less(ExprPool *pool, ExprRef a, ExprRef b) {
  return expr_binary(pool, EXPR_SLE, 0, b, a);
}

// These cannot hold with what the goal says.
static bool cannot_hold(const Basis *basis, const ExprRef *conditions, uint32_t count, const char *name) {
  Scan *scan = basis->scan;
  Goal goal = {0};
  for (uint32_t i = 0; i < basis->goal->conditions.count; i++) {
    const GoalCondition *known = &basis->goal->conditions.items[i];
    if (known->part != GOAL_CONFLICT) goal_add(scan, &goal, known->condition, known->part, known->tag);
  }
  for (uint32_t i = 0; i < count; i++)
    goal_add(scan, &goal, conditions[i], GOAL_CONFLICT, 0);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, &goal, name);
  return proofs_is_refuted(scan, &answer);
}

// In no round does the first thread add more than the other one.
static bool adds_no_more(const Basis *basis, ExprRef before) {
  ExprPool *pool = basis->scan->pool;
  const Sum *one = &basis->less, *two = &basis->more;
  ExprRef less = added_in(one, basis->round), more = added_in(two, basis->round);
  if (!less || !more) return false;
  ExprRef zero = expr_const(pool, one->width, 0);
  ExprRef is_made = less_than(pool, basis->round, one->rounds),
          is_made_too = less_than(pool, basis->round, two->rounds);
  ExprRef is_not_made = not_less(pool, basis->round, one->rounds),
          is_not_made_too = not_less(pool, basis->round, two->rounds);
  ExprRef both[] = {before, is_made, is_made_too, less_than(pool, more, less)};
  ExprRef alone[] = {before, is_made, is_not_made_too, less_than(pool, zero, less)};
  ExprRef other[] = {before, is_not_made, is_made_too, less_than(pool, more, zero)};
  if (!cannot_hold(basis, both, 4, "a round adds more for who comes first")) return false;
  return one->rounds == two->rounds || (cannot_hold(basis, alone, 4, "a round of who comes first alone") &&
                                        cannot_hold(basis, other, 4, "a round that takes away"));
}

static void tell(const Basis *basis, Goal *goal, ExprRef condition) {
  basis->scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  vec_push(basis->scan->arena, &kept_of(basis->scan)->told, condition);
  goal_add(basis->scan, goal, condition, GOAL_CONTEXT, 0);
}

// The one comes before: then its sum and `more` are not above the other's.
static void add_order(const Basis *basis, Goal *goal, ExprRef before, ExprRef more) {
  ExprPool *pool = basis->scan->pool;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_NSW, basis->less.value, more);
  tell(basis, goal, expr_or(pool, expr_not(pool, before), not_less(pool, basis->more.value, end)));
}

// ---- ranks

// The other side of a comparison of the round's number, itself or made wider; 0: it is none.
static ExprRef compared_with(Scan *scan, ExprRef ref, ExprRef round) {
  ExprPool *pool = scan->pool;
  ExprNode node = *expr_node(pool, ref);
  bool is_comparison = node.op == EXPR_SLT || node.op == EXPR_SLE || node.op == EXPR_ULT ||
                       node.op == EXPR_ULE || node.op == EXPR_EQ;
  if (!is_comparison) return 0;
  for (int side = 0; side < 2; side++) {
    ExprRef number = side ? node.b : node.a, other = side ? node.a : node.b;
    if (number != round && number != expr_resize_signed(pool, round, expr_width(pool, number)) &&
        number != expr_resize_unsigned(pool, round, expr_width(pool, number)))
      continue;
    return is_part_of(scan, round, other) ? 0 : expr_resize_signed(pool, other, 32);
  }
  return 0;
}

// The thread makes that round.
static bool is_round_of(const Basis *basis, const Sum *sum, ExprRef round) {
  ExprPool *pool = basis->scan->pool;
  ExprRef is_outside =
      expr_or(pool, less_than(pool, round, expr_const(pool, 32, 0)), not_less(pool, round, sum->rounds));
  return cannot_hold(basis, &is_outside, 1, "a place that is no round");
}

// Rounds of the first thread whose number its test compares with the round's own.
static uint32_t find_places(const Basis *basis, ExprRef places[MOST_PLACES]) {
  Scan *scan = basis->scan;
  ExprRef less = added_in(&basis->less, basis->round);
  if (!less) return 0;
  uint32_t count = 0;
  ExprSet below = expr_set_make(scan->arena, scan->pool);
  expr_set_add_below(&below, scan->pool, less);
  for (ExprRef ref = 0; count < MOST_PLACES && (ref = expr_set_next(&below, ref)) != 0;) {
    ExprRef place = compared_with(scan, ref, basis->round);
    if (place && !expr_is_const(scan->pool, place, NULL) && is_round_of(basis, &basis->less, place))
      places[count++] = place;
  }
  return count;
}

static void add_ranks(const Basis *basis, Goal *goal, const ExprRef *places, uint32_t count) {
  ExprPool *pool = basis->scan->pool;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_round_of(basis, &basis->more, places[i])) continue;
    ExprRef less = added_in(&basis->less, places[i]), more = added_in(&basis->more, places[i]);
    if (!less || !more) continue;
    ExprRef before = less_than(pool, less, more);
    if (!adds_no_more(basis, before)) continue;
    add_order(basis, goal, before, expr_binary(pool, EXPR_SUB, EXPR_NSW, more, less));
    return;
  }
}

// ---- one thread's sum

// No round adds more than `most`, so all of them no more than as often as much; less where one of them adds less.
static void add_bounds(const Basis *basis, Goal *goal, const ExprRef *places, uint32_t count) {
  ExprPool *pool = basis->scan->pool;
  const Sum *sum = &basis->less;
  ExprRef added = added_in(sum, basis->round);
  int64_t least = 0, most = 0;
  if (!added) return;
  expr_range(pool, added, &least, &most);
  if (most < 0 || most > SMALL) return;
  ExprRef limit = expr_const(pool, 64, most), start = expr_resize_signed(pool, sum->start, 64);
  ExprRef value = expr_resize_signed(pool, sum->value, 64),
          rounds = expr_resize_signed(pool, sum->rounds, 64);
  ExprRef all = expr_binary(pool, EXPR_MUL, EXPR_NSW, rounds, limit),
          own = count ? added_in(sum, places[0]) : 0;
  if (own) {
    ExprRef rest = expr_binary(pool, EXPR_SUB, EXPR_NSW, limit, expr_resize_signed(pool, own, 64));
    all = expr_binary(pool, EXPR_SUB, EXPR_NSW, all, rest);
  }
  tell(basis, goal, not_less(pool, expr_binary(pool, EXPR_ADD, EXPR_NSW, start, all), value));
  if (least >= 0) tell(basis, goal, not_less(pool, value, start));
}

// ---- sums of those before

// How many lanes voted yes, in the goal.
static uint32_t find_counts(const Basis *basis, ExprRef counts[MOST_COUNTS]) {
  Scan *scan = basis->scan;
  FactLists *lists = fact_lists(scan);
  const ExprSet *occurs = goal_occurrences(scan, basis->goal);
  uint32_t count = 0, func = expr_func_named(scan->pool, "__popc", 32);
  for (uint32_t i = 0; i < lists->ballots.count && count < MOST_COUNTS; i++) {
    ExprRef leaf = lists->ballots.items[i].leaf;
    if (!expr_set_has(occurs, leaf) || expr_width(scan->pool, leaf) != 32) continue;
    ExprRef bits = expr_app(scan->pool, func, 1, &leaf);
    if (count == 0 || counts[count - 1] != bits) counts[count++] = bits;
  }
  return count;
}

static void add_fewer(const Basis *basis, Goal *goal) {
  ExprPool *pool = basis->scan->pool;
  const Sum *one = &basis->less, *two = &basis->more;
  if (one->rounds == two->rounds) return;
  ExprRef before = less_than(pool, one->rounds, two->rounds);
  ExprRef last = expr_binary(pool, EXPR_SUB, EXPR_NSW, two->rounds, expr_const(pool, 32, 1));
  ExprRef rounds[] = {one->rounds, last}, counts[MOST_COUNTS + 1];
  if (!adds_no_more(basis, before)) return;
  add_order(basis, goal, before, expr_const(pool, one->width, 0));
  uint32_t count = find_counts(basis, counts);
  counts[count++] = expr_const(pool, one->width, 1);
  for (int i = 0; i < 2; i++) {
    ExprRef more = added_in(two, rounds[i]);
    for (uint32_t c = 0; more && c < count; c++) {
      if (expr_width(pool, counts[c]) != one->width) continue;
      ExprRef fails[] = {before, less_than(pool, more, counts[c])};
      if (cannot_hold(basis, fails, 2, "what a round adds")) add_order(basis, goal, before, counts[c]);
    }
  }
}

static void add_sums(Scan *scan, Goal *goal, const Instance *const pair[2], uint32_t phi) {
  const Goal known = goal_copy(scan, goal);
  for (int side = 0; side < 2; side++) {
    Basis basis = {.scan = scan, .goal = &known};
    if (!read_sum(pair[side]->frame, phi, &basis.less) ||
        !read_sum(pair[1 - side]->frame, phi, &basis.more) || basis.less.start != basis.more.start ||
        basis.less.value == basis.more.value)
      return;
    basis.round = iteration_new(scan, basis.less.loop, "a round", OWNER_UNIFORM, 0);
    ExprRef places[MOST_PLACES];
    uint32_t count = find_places(&basis, places);
    add_bounds(&basis, goal, places, count);
    add_ranks(&basis, goal, places, count);
    add_fewer(&basis, goal);
  }
}

void summed_add(Scan *scan, Goal *goal, const Instance *const pair[2]) {
  ASSERT(scan_has_access(scan, pair[0]->access) && scan_has_access(scan, pair[1]->access));
  const Kept *kept = kept_of(scan);
  if (!kept->sums.count || goal->is_false) return;
  const ExprSet *occurs = goal_occurrences(scan, goal);
  uint32_t phis[MOST_SUMS], count = 0;
  for (uint32_t i = 0; i < kept->sums.count && count < MOST_SUMS; i++) {
    const Summed *sum = &kept->sums.items[i];
    bool is_listed = !expr_set_has(occurs, sum->leaf);
    for (uint32_t j = 0; j < count; j++)
      is_listed |= phis[j] == sum->inst;
    if (!is_listed) phis[count++] = sum->inst;
  }
  for (uint32_t i = 0; i < count; i++)
    add_sums(scan, goal, pair, phis[i]);
}

// What the sums are said to hang on says which places are touched.
static void summed_mark(Scan *scan, const Goal *goal, ExprSet *places) {
  const Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < goal->conditions.count; i++)
    for (uint32_t t = 0; t < kept->told.count; t++)
      if (goal->conditions.items[i].condition == kept->told.items[t])
        expr_set_add_below(places, scan->pool, kept->told.items[t]);
}

const ValueFacts summed_facts = {.note = summed_note, .mark = summed_mark};
