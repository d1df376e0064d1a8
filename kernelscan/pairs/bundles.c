// How are thousands of pairs asked with a few questions? Accesses of one kind whose addresses differ by a
// constant form a bundle, and a bundle stands for its members like one access in a loop: base + lowest +
// stride * member, with a member number for each thread, under the conditions that all members share. If the
// question about two bundles is proved apart, all their pairs are; else the larger one is cut in half, down
// to single accesses, which are asked exactly. Those that no other one differs from by a constant are bundled
// where one factor of what is the same for all threads differs (`p[3 * n + i]`, `p[7 * n + i]`): the factor
// is lowest + stride * member. Method: divide and conquer over an abstraction (an interval with a stride;
// Balakrishnan and Reps, CC 2004) that is refined where it does not suffice. Soundness: a bundle has every
// address of its members and fewer conditions, so it over-approximates their pairs; races are only told of
// single accesses. Taking a constant out of a sign-extended sum leans on A1, as the solver does.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/operations.h"

#include <stdlib.h>

// One access on one way, through one of its targets, by the first thread or the second.
typedef struct Member {
  uint32_t access, phase, target;
  int64_t constants[2];
} Member;

typedef struct Bundle {
  uint32_t object;
  const Access *shape; // of all members: kind, width, scope, strength
  uint32_t phase;
  ExprRef key, bases[2];
  ExprRef factor;      // a symbol in the bases, which the constants of members stand for; 0: they are added
  bool is_single;      // nothing is known of its address but what it is
  VEC(Member) members; // by constant
} Bundle;

typedef struct Bundles {
  Pairs *pairs;
  Meeting *meeting;
  Extent extent;
  Arena *arena;
  VEC(Bundle) items;
  Table table;   // index into items + 1
  uint64_t *row; // of bits, one for each access: for mark_met
  size_t row_bytes;
  ExprRef factors[2]; // symbols of 32 and 64 bits; 0: not made yet
} Bundles;

// ---- base + constant
typedef struct Split {
  ExprRef base; // 0: nothing but the constant
  int64_t constant;
} Split;

enum { SPLIT_DEPTH = 24 };
#define SPLIT_MOST ((int64_t)1 << 40)

static Split whole(ExprRef ref) {
  return (Split){ref, 0};
}

static ExprRef part_or_zero(ExprPool *pool, ExprRef part, uint8_t width) {
  return part ? part : expr_const(pool, width, 0);
}

static Split split(ExprPool *pool, ExprRef ref, int depth);

static Split split_sum(ExprPool *pool, ExprRef ref, const ExprNode *node, int depth) {
  Split a = split(pool, node->a, depth - 1), b = split(pool, node->b, depth - 1);
  int64_t constant = node->op == EXPR_ADD ? a.constant + b.constant : a.constant - b.constant;
  if ((!a.constant && !b.constant) || constant > SPLIT_MOST || constant < -SPLIT_MOST) return whole(ref);
  if (!b.base) return (Split){a.base, constant};
  if (!a.base && node->op == EXPR_ADD) return (Split){b.base, constant};
  ExprRef base =
      expr_binary(pool, (ExprOp)node->op, node->flags, part_or_zero(pool, a.base, node->width), b.base);
  return (Split){base, constant};
}

static Split split_product(ExprPool *pool, ExprRef ref, const ExprNode *node, int depth) {
  int64_t factor = 0;
  bool is_left = expr_is_const(pool, node->a, &factor);
  if (!is_left && !expr_is_const(pool, node->b, &factor)) return whole(ref);
  Split other = split(pool, is_left ? node->b : node->a, depth - 1);
  int64_t constant = 0;
  if (!other.constant || __builtin_mul_overflow(other.constant, factor, &constant) || constant > SPLIT_MOST ||
      constant < -SPLIT_MOST)
    return whole(ref);
  if (!other.base) return (Split){0, constant};
  return (Split){expr_binary(pool, EXPR_MUL, node->flags, other.base, expr_const(pool, node->width, factor)),
                 constant};
}

// Only sums that do not wrap (nsw, or addresses) come apart: then the parts may be extended by themselves.
static Split split(ExprPool *pool, ExprRef ref, int depth) {
  const ExprNode node = *expr_node(pool, ref);
  if (node.op == EXPR_CONST) return (Split){0, node.value};
  if (depth == 0) return whole(ref);
  bool is_exact = node.flags & (EXPR_NSW | EXPR_ADDRESS);
  if (is_exact && (node.op == EXPR_ADD || node.op == EXPR_SUB)) return split_sum(pool, ref, &node, depth);
  if (is_exact && node.op == EXPR_MUL) return split_product(pool, ref, &node, depth);
  if (node.op == EXPR_SEXT) {
    Split inner = split(pool, node.a, depth - 1);
    if (!inner.constant) return whole(ref);
    return (Split){inner.base ? expr_resize_signed(pool, inner.base, node.width) : 0, inner.constant};
  }
  return whole(ref);
}

// ---- collecting
// All that decides whether two accesses can race at all, but their places.
static bool same_shape(const Pairs *pairs, const Access *a, const Access *b) {
  const Access *first = pairs->scan->accesses.items;
  bool is_beside = !pairs->behind || pairs->behind[a - first] == pairs->behind[b - first];
  return a->kind == b->kind && a->bytes == b->bytes && a->scope == b->scope && is_beside &&
         a->folds == b->folds && a->is_natural == b->is_natural && a->is_async == b->is_async &&
         operation_is_strong(pairs->scan, a) == operation_is_strong(pairs->scan, b);
}

static uint32_t bundle_hash(const Bundle *bundle) {
  uint64_t key[] = {bundle->object,   bundle->phase,       bundle->key,
                    bundle->bases[0], bundle->shape->kind, bundle->shape->bytes};
  return (uint32_t)str_hash(key, sizeof key, 1);
}

static bool same_bundle(const Pairs *pairs, const Bundle *a, const Bundle *b) {
  return !a->is_single && !b->is_single && a->object == b->object && a->phase == b->phase &&
         a->key == b->key && a->factor == b->factor && a->bases[0] == b->bases[0] &&
         a->bases[1] == b->bases[1] && same_shape(pairs, a->shape, b->shape);
}

static Bundle *find_bundle(Bundles *all, const Bundle *like) {
  uint32_t hash = bundle_hash(like);
  TableLook look = table_look(&all->table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0;)
    if (same_bundle(all->pairs, &all->items.items[number - 1], like)) return &all->items.items[number - 1];
  vec_push(all->arena, &all->items, *like);
  table_add(all->arena, &all->table, hash, all->items.count);
  return &vec_last(&all->items);
}

static Instance *member_instance(const Bundles *all, const Member *member, int thread) {
  return meeting_instance(all->meeting, thread, member->access, member->phase);
}

static const Target *member_target(const Bundles *all, const Member *member, int thread) {
  return &member_instance(all, member, thread)->address.targets[member->target];
}

static void add_member(Bundles *all, Member member) {
  ExprPool *pool = all->pairs->scan->pool;
  const Access *access = &all->pairs->scan->accesses.items[member.access];
  const Target *targets[2] = {member_target(all, &member, 0), member_target(all, &member, 1)};
  Bundle like = {.object = targets[0]->object,
                 .shape = access,
                 .phase = member.phase,
                 .key = targets[0]->key,
                 .is_single = !access->bytes};
  like.is_single |= targets[0]->key && all->pairs->scan->objects.items[like.object].kind == OBJ_SHARED;
  for (int t = 0; t < 2; t++) {
    Split parts = split(pool, targets[t]->offset, SPLIT_DEPTH);
    like.bases[t] = parts.base;
    member.constants[t] = parts.constant;
  }
  like.is_single |= member.constants[0] != member.constants[1];
  Bundle *bundle = find_bundle(all, &like); // once: it may make a new one
  vec_push(all->arena, &bundle->members, member);
}

static bool is_private(const Scan *scan, uint32_t object, Extent extent) {
  Target target = {.object = object};
  return !conflict_same_object(scan, &target, &target, extent);
}

static void collect_instance(Bundles *all, uint32_t access, uint32_t phase) {
  Instance *one = meeting_instance(all->meeting, 0, access, phase),
           *two = meeting_instance(all->meeting, 1, access, phase);
  if (!pairs_is_understood(all->pairs, one) || !pairs_is_understood(all->pairs, two)) return;
  for (uint32_t t = 0; t < one->address.target_count && t < two->address.target_count; t++)
    if (!is_private(all->pairs->scan, one->address.targets[t].object, all->extent))
      add_member(all, (Member){.access = access, .phase = phase, .target = t});
}

static bool is_here(const Bundles *all, uint32_t access, uint32_t phase) {
  return ways_state(all->meeting->graph, all->pairs->scan->accesses.items[access].node, phase) != CFG_NONE;
}

// Accesses that are reached from the point; reads only if something there may race with them.
static void collect(Bundles *all) {
  const Scan *scan = all->pairs->scan;
  bool any_write = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    for (uint32_t p = 0; p <= all->meeting->graph->loop_count; p++)
      any_write |= scan->accesses.items[a].kind != ACCESS_READ && is_here(all, a, p);
  for (uint32_t a = 0; any_write && a < scan->accesses.count; a++)
    for (uint32_t p = 0; p <= all->meeting->graph->loop_count; p++)
      if (is_here(all, a, p)) collect_instance(all, a, p);
}

// ---- factors
typedef struct Factored {
  ExprRef form; // with a symbol in place of the factor; 0: there is none
  ExprRef symbol;
  ExprRef term; // of a sum that is gone through, in which it was found
  int64_t factor;
} Factored;

static ExprRef factor_symbol(Bundles *all, uint8_t width) {
  ExprRef *symbol = &all->factors[width == 64];
  if (!*symbol)
    *symbol = expr_new_sym(all->pairs->scan->pool, (ExprSym){.name = "factor of a bundle",
                                                             .width = width,
                                                             .kind = SYM_ITERATION,
                                                             .hi = SPLIT_MOST >> 16});
  return *symbol;
}

// Of something that all threads have in common, but no plain number.
static bool is_common(const ExprPool *pool, ExprRef ref) {
  return !expr_is_const(pool, ref, NULL) && !expr_node(pool, ref)->owners;
}

enum { SUM_TERMS = 12 };

typedef struct Sum {
  ExprRef terms[SUM_TERMS]; // ascending
  uint32_t count;           // more than SUM_TERMS: too many
  uint8_t flags;            // of all additions
} Sum;

static void add_terms(const ExprPool *pool, ExprRef ref, Sum *sum) {
  const ExprNode *node = expr_node(pool, ref);
  if (sum->count > SUM_TERMS) return;
  if (node->op == EXPR_ADD) {
    sum->flags &= node->flags;
    add_terms(pool, node->a, sum);
    add_terms(pool, node->b, sum);
    return;
  }
  if (sum->count++ == SUM_TERMS) return;
  uint32_t at = sum->count - 1;
  for (; at > 0 && sum->terms[at - 1] > ref; at--)
    sum->terms[at] = sum->terms[at - 1];
  sum->terms[at] = ref;
}

static Factored factored(Bundles *all, ExprRef ref, int depth);

// The same sums in one order, whatever the factor, so that they are one form.
static Factored factored_sum(Bundles *all, ExprRef ref, int depth) {
  ExprPool *pool = all->pairs->scan->pool;
  Sum sum = {.flags = UINT8_MAX};
  Factored found = {0};
  ExprRef others = 0;
  add_terms(pool, ref, &sum);
  if (sum.count > SUM_TERMS) return found;
  for (uint32_t i = 0; i < sum.count; i++) {
    if (!found.form) found = factored(all, sum.terms[i], depth - 1);
    if (found.form && found.term == 0) {
      found.term = sum.terms[i];
      continue;
    }
    others = others ? expr_binary(pool, EXPR_ADD, sum.flags, others, sum.terms[i]) : sum.terms[i];
  }
  found.term = 0;
  if (found.form) found.form = expr_binary(pool, EXPR_ADD, sum.flags, others, found.form);
  return found;
}

// The first product of a constant and what is common.
static Factored factored(Bundles *all, ExprRef ref, int depth) {
  ExprPool *pool = all->pairs->scan->pool;
  const ExprNode node = *expr_node(pool, ref);
  Factored found = {0};
  if (depth == 0) return found;
  bool is_product = node.op == EXPR_MUL && (node.width == 32 || node.width == 64);
  if (is_product && expr_is_const(pool, node.b, &found.factor) && is_common(pool, node.a)) {
    if (found.factor < 0 || found.factor > SPLIT_MOST >> 16) return (Factored){0};
    found.symbol = factor_symbol(all, node.width);
    found.form = expr_binary(pool, EXPR_MUL, node.flags, node.a, found.symbol);
    return found;
  }
  if (node.op == EXPR_SEXT || node.op == EXPR_ZEXT) {
    found = factored(all, node.a, depth - 1);
    if (found.form)
      found.form = node.op == EXPR_SEXT ? expr_resize_signed(pool, found.form, node.width)
                                        : expr_resize_unsigned(pool, found.form, node.width);
    return found;
  }
  if (node.op == EXPR_ADD) return factored_sum(all, ref, depth);
  if (node.op != EXPR_SUB && node.op != EXPR_MUL) return found;
  found = factored(all, node.a, depth - 1);
  bool is_left = found.form != 0;
  if (!is_left) found = factored(all, node.b, depth - 1);
  if (found.form)
    found.form = expr_binary(pool, (ExprOp)node.op, node.flags, is_left ? found.form : node.a,
                             is_left ? node.b : found.form);
  return found;
}

static bool is_one_place(const Bundle *bundle) {
  for (uint32_t i = 1; i < bundle->members.count; i++)
    if (bundle->members.items[i].constants[0] != bundle->members.items[0].constants[0]) return false;
  return !bundle->is_single;
}

// Members that no constant tells apart from each other, and others only a factor.
static void bundle_by_factor(Bundles *all) {
  for (uint32_t i = 0, count = all->items.count; i < count; i++) {
    const Bundle old = all->items.items[i];
    Bundle like = old;
    int64_t factors[2] = {0};
    if (!is_one_place(&old)) continue;
    for (int t = 0; t < 2; t++) {
      Factored parts = factored(all, member_target(all, &old.members.items[0], t)->offset, SPLIT_DEPTH);
      like.bases[t] = parts.form;
      like.factor = parts.symbol;
      factors[t] = parts.factor;
    }
    if (!like.bases[0] || !like.bases[1] || factors[0] != factors[1]) continue;
    all->items.items[i].members.count = 0;
    memset(&like.members, 0, sizeof like.members);
    Bundle *bundle = find_bundle(all, &like);
    for (uint32_t m = 0; m < old.members.count; m++) {
      Member member = old.members.items[m];
      member.constants[0] = member.constants[1] = factors[0];
      vec_push(all->arena, &bundle->members, member);
    }
  }
}

static int by_constant(const void *one, const void *two) {
  const Member *a = one, *b = two;
  if (a->constants[0] != b->constants[0]) return a->constants[0] < b->constants[0] ? -1 : 1;
  if (a->access != b->access) return a->access < b->access ? -1 : 1;
  if (a->target != b->target) return a->target < b->target ? -1 : 1;
  return 0;
}

// ---- asking
typedef struct Range { // members [first, end) of a bundle
  const Bundle *bundle;
  uint32_t first, end;
} Range;

struct BundlePair {
  const Bundles *all;
  Range ranges[2];
};

typedef VEC(ExprRef) Conjuncts;

static void take_apart(Arena *arena, const ExprPool *pool, ExprRef condition, Conjuncts *into) {
  const ExprNode *node = expr_node(pool, condition);
  if (node->op == EXPR_AND) {
    take_apart(arena, pool, node->a, into);
    take_apart(arena, pool, node->b, into);
  } else {
    vec_push(arena, into, condition);
  }
}

static ExprRef member_condition(const Bundles *all, const Member *member, int thread) {
  const Target *target = member_target(all, member, thread);
  ExprRef condition = member_instance(all, member, thread)->condition;
  return target->condition ? expr_and(all->pairs->scan->pool, condition, target->condition) : condition;
}

// What holds for every member of the range.
static ExprRef common_condition(const Bundles *all, const Range *range, int thread) {
  ExprPool *pool = all->pairs->scan->pool;
  Arena *scratch = arena_open();
  Conjuncts common = {0};
  ExprRef last = member_condition(all, &range->bundle->members.items[range->first], thread);
  take_apart(scratch, pool, last, &common);
  for (uint32_t i = range->first + 1; i < range->end && common.count; i++) {
    ExprRef condition = member_condition(all, &range->bundle->members.items[i], thread);
    if (condition == last) continue;
    last = condition;
    Conjuncts own = {0};
    take_apart(scratch, pool, condition, &own);
    uint32_t kept = 0;
    for (uint32_t c = 0; c < common.count; c++) {
      bool holds = false;
      for (uint32_t o = 0; o < own.count; o++)
        holds |= own.items[o] == common.items[c];
      if (holds) common.items[kept++] = common.items[c];
    }
    common.count = kept;
  }
  ExprRef result = expr_bool(pool, true);
  for (uint32_t c = 0; c < common.count; c++)
    result = expr_and(pool, result, common.items[c]);
  arena_close(scratch);
  return result;
}

static int64_t common_stride(const Range *range) {
  int64_t stride = 0;
  for (uint32_t i = range->first + 1; i < range->end; i++)
    stride = common_divisor(stride, range->bundle->members.items[i].constants[0] -
                                        range->bundle->members.items[i - 1].constants[0]);
  return stride;
}

static ExprRef member_symbol(ExprPool *pool, int thread, uint8_t width, int64_t most) {
  return expr_new_sym(pool, (ExprSym){.name = "member of a bundle",
                                      .width = width,
                                      .owner = thread ? OWNER_THREAD2 : OWNER_THREAD1,
                                      .kind = SYM_ITERATION,
                                      .hi = most});
}

// The base, with lowest + stride * member for the factor.
static ExprRef range_product(const Bundles *all, const Range *range, int thread) {
  ExprPool *pool = all->pairs->scan->pool;
  const Bundle *bundle = range->bundle;
  int64_t low = bundle->members.items[range->first].constants[0],
          high = bundle->members.items[range->end - 1].constants[0], stride = common_stride(range);
  uint8_t width = expr_width(pool, bundle->factor);
  ExprRef factor = expr_const(pool, width, low);
  if (stride) {
    ExprRef member = member_symbol(pool, thread, width, (high - low) / stride);
    ExprRef way = expr_binary(pool, EXPR_MUL, EXPR_NSW, member, expr_const(pool, width, stride));
    factor = expr_binary(pool, EXPR_ADD, EXPR_NSW, factor, way);
  }
  return expr_replace(pool, bundle->bases[thread], &bundle->factor, &factor, 1);
}

// base + lowest + stride * member
static ExprRef range_offset(const Bundles *all, const Range *range, int thread) {
  ExprPool *pool = all->pairs->scan->pool;
  const Member *low = &range->bundle->members.items[range->first],
               *high = &range->bundle->members.items[range->end - 1];
  int64_t stride = common_stride(range);
  ExprRef offset = expr_const(pool, 64, low->constants[0]);
  if (range->bundle->bases[thread])
    offset = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, range->bundle->bases[thread], offset);
  if (!stride) return offset;
  ExprRef member = member_symbol(pool, thread, 64, (high->constants[0] - low->constants[0]) / stride);
  ExprRef way = expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, member, expr_const(pool, 64, stride));
  return expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, offset, way);
}

// By a question, or by no more than a look.
static bool ranges_apart(const Bundles *all, const Range ranges[2], bool is_look) {
  Instance instances[2];
  Target targets[2];
  for (int t = 0; t < 2; t++) {
    const Range *range = &ranges[t];
    const Member *first = &range->bundle->members.items[range->first];
    instances[t] = *member_instance(all, first, t);
    targets[t] = *member_target(all, first, t);
    if (range->end - range->first > 1) {
      instances[t].condition = common_condition(all, range, t);
      targets[t].condition = 0;
      targets[t].offset = range->bundle->factor ? range_product(all, range, t) : range_offset(all, range, t);
    }
  }
  Question question = {.pairs = all->pairs,
                       .meeting = all->meeting,
                       .one = &instances[0],
                       .two = &instances[1],
                       .first = &targets[0],
                       .second = &targets[1],
                       .is_bundle = true};
  return is_look ? pairs_look(&question, all->extent) : pairs_bundles_apart(&question, all->extent);
}

static void mark_met(const Bundles *all, const Range ranges[2]) {
  for (int t = 0; t < 2; t++) {
    memset(all->row, 0, all->row_bytes);
    for (uint32_t i = ranges[t].first; i < ranges[t].end; i++) {
      uint32_t access = ranges[t].bundle->members.items[i].access;
      all->row[access / 64] |= (uint64_t)1 << (access % 64);
    }
    const Range *other = &ranges[1 - t];
    for (uint32_t i = other->first; i < other->end; i++)
      pairs_mark_row(all->pairs, other->bundle->members.items[i].access, all->row);
  }
}

// The pair itself; the earlier access in the text is the first thread's.
static Question question_of(const Bundles *all, const Member *one, const Member *two) {
  bool is_swapped = one->access != two->access ? one->access > two->access : one->phase > two->phase;
  const Member *first = is_swapped ? two : one, *second = is_swapped ? one : two;
  return (Question){.pairs = all->pairs,
                    .meeting = all->meeting,
                    .one = member_instance(all, first, 0),
                    .two = member_instance(all, second, 1),
                    .first = member_target(all, first, 0),
                    .second = member_target(all, second, 1)};
}

static bool puts_off(const Bundles *all, const Range ranges[2], const Question *first) {
  if (all->pairs->round != ROUND_COLLECT) return false; // when the budget is spent, members wait one by one
  BundlePair *pair = arena_new(all->arena, BundlePair);
  *pair = (BundlePair){all, {ranges[0], ranges[1]}};
  return later_puts_off(first, all->extent, pair);
}

enum { ASK_SINGLY = 2 }; // as many pairs are asked one by one

static void ask_ranges(const Bundles *all, const Range ranges[2]) {
  const Range *one = &ranges[0], *two = &ranges[1];
  uint32_t counts[2] = {one->end - one->first, two->end - two->first};
  bool is_same = one->bundle == two->bundle && one->first == two->first;
  Question first =
      question_of(all, &one->bundle->members.items[one->first], &two->bundle->members.items[two->first]);
  if (counts[0] == 1 && counts[1] == 1) {
    pairs_ask(&first, all->extent);
    return;
  }
  if (puts_off(all, ranges, &first)) return;
  // When the budget is spent, half of the rest is kept for single pairs, the cheapest first (later.c).
  bool is_asked = (uint64_t)counts[0] * counts[1] > ASK_SINGLY &&
                  solver_has_half_a_rest(all->pairs->scan->request->solver);
  if (is_asked && ranges_apart(all, ranges, false)) {
    mark_met(all, ranges);
    return;
  }
  int cut = counts[0] >= counts[1] ? 0 : 1;
  uint32_t middle = ranges[cut].first + counts[cut] / 2;
  Range low = {ranges[cut].bundle, ranges[cut].first, middle}, high = {low.bundle, middle, ranges[cut].end};
  if (is_same) { // unordered pairs
    ask_ranges(all, (Range[]){low, low});
    ask_ranges(all, (Range[]){low, high});
    ask_ranges(all, (Range[]){high, high});
    return;
  }
  Range other = ranges[1 - cut];
  ask_ranges(all, cut == 0 ? (Range[]){low, other} : (Range[]){other, low});
  ask_ranges(all, cut == 0 ? (Range[]){high, other} : (Range[]){other, high});
}

static void ask_bundles(const Bundles *all, const Bundle *one, const Bundle *two) {
  const Access *a = one->shape, *b = two->shape;
  uint32_t first = (uint32_t)(a - all->pairs->scan->accesses.items),
           second = (uint32_t)(b - all->pairs->scan->accesses.items);
  if (!one->members.count || !two->members.count) return;
  if (one->object != two->object ||
      !pairs_can_race(all->pairs, first, second, meeting_couple(all->meeting, all->extent)))
    return;
  ask_ranges(all, (Range[]){{one, 0, one->members.count}, {two, 0, two->members.count}});
}

bool bundles_look(const BundlePair *bundles) {
  bool is_proved = ranges_apart(bundles->all, bundles->ranges, true);
  if (is_proved) mark_met(bundles->all, bundles->ranges);
  return is_proved;
}

void bundles_ask(const BundlePair *bundles) {
  ask_ranges(bundles->all, bundles->ranges);
}

void bundles_check(Pairs *pairs, Meeting *meeting, Extent extent) {
  ASSERT(scan_is_extent(extent));
  Arena *arena = pairs->scan->arena; // what is put off is asked when all meetings have come
  Bundles *all = arena_new(arena, Bundles);
  *all = (Bundles){.pairs = pairs, .meeting = meeting, .extent = extent, .arena = arena};
  all->row_bytes = (pairs->scan->accesses.count / 64 + 1) * sizeof(uint64_t);
  all->row = arena_array(arena, all->row_bytes / sizeof(uint64_t), uint64_t);
  collect(all);
  bundle_by_factor(all);
  for (uint32_t i = 0; i < all->items.count; i++) {
    Bundle *bundle = &all->items.items[i];
    qsort(bundle->members.items, bundle->members.count, sizeof(Member), by_constant);
  }
  for (uint32_t i = 0; i < all->items.count; i++)
    for (uint32_t j = i; j < all->items.count; j++)
      ask_bundles(all, &all->items.items[i], &all->items.items[j]);
}
