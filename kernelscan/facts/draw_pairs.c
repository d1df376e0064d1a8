// What do the numbers that two threads drew say of each other? The ranges of two draws from one counter (draw_ranges.c) do not overlap, if
// the kernel changes the counter by additions of values that are not negative, and by nothing else; in shared memory it may be set anew
// where barriers keep that apart (resets.c). Soundness: a draw is only used between the threads for which it is distinct: one that came
// through shared memory only between blocks; a counter in shared memory only within one block. Wrap of the counter is assumed away (A1) if
// it takes many additions; large amounts have to be few enough. A word of 64 bits to which more than fits 32 is added may be two counters,
// neither of which wraps.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/barrier.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/proofs.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

enum { FEW_ADDITIONS = 1 << 16, BLOCK_THREADS_MAX = 1024 };

// ---- how a counter counts
// The most that a number made of numbers of bits can be, such as twice as many as there are lanes; -1: not
// known.
static int64_t most_of_counts(const ExprPool *pool, ExprRef ref, int depth) {
  const ExprNode *node = expr_node(pool, ref);
  int64_t value = 0;
  if (expr_is_const(pool, ref, &value)) return value >= 0 && value <= 1 << 16 ? value : -1;
  if (node->op == EXPR_APP)
    return strcmp(expr_func_info(pool, (uint32_t)node->value)->name, "__popc") == 0 ? 32 : -1;
  if (depth == 0 || (node->op != EXPR_MUL && node->op != EXPR_ADD)) return -1;
  int64_t a = most_of_counts(pool, node->a, depth - 1), b = most_of_counts(pool, node->b, depth - 1);
  if (a < 0 || b < 0) return -1;
  int64_t most = node->op == EXPR_MUL ? a * b : a + b;
  return most <= 1 << 24 ? most : -1;
}

static bool is_not_negative(Scan *scan, Frame *frame, uint32_t inst, ExprRef amount) {
  int64_t lo = 0, hi = 0;
  if (expr_width(scan->pool, amount) >= 32 && most_of_counts(scan->pool, amount, DRAW_DEPTH) >= 0)
    return true;
  expr_range(scan->pool, amount, &lo, &hi);
  if (lo >= 0) return true;
  Goal goal = {0};
  ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, amount), 0);
  goal_add(scan, &goal, expr_binary(scan->pool, EXPR_SLT, 0, amount, zero), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, meeting_block_condition(frame, scan->fn->insts.items[inst].block), GOAL_CONTEXT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  SolverAnswer answer = goal_satisfiable(scan, &goal, "an addition of a negative amount");
  return proofs_is_refuted(scan, &answer);
}

// Does the kernel compare the amount as an unsigned number? Then it is one, whatever its highest bit, and it
// is the counter's unsigned reading that is taken not to wrap (A1).
static bool is_read_as_unsigned(Scan *scan, Frame *frame, ExprRef amount) {
  uint8_t width = expr_width(scan->pool, amount);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool is_unsigned = inst->op == IR_ICMP && (inst->pred == IR_ULT || inst->pred == IR_ULE ||
                                               inst->pred == IR_UGT || inst->pred == IR_UGE);
    if (!is_unsigned || symeval_width(ir_ref_type(scan->module, scan->fn, inst->ops[0])) != width) continue;
    for (int o = 0; o < 2; o++)
      if (frame_word(frame, inst->ops[o], width) == amount) return true;
  }
  return false;
}

enum { COUNTS_UP = 1, COUNTS_NOT, COUNTS_BETWEEN_RESETS, COUNTS_DOWN, COUNTS_DOWN_BETWEEN_RESETS };

static bool goes_down(uint8_t state) {
  return state == COUNTS_DOWN || state == COUNTS_DOWN_BETWEEN_RESETS;
}

// Another place of the object that the counter is in, for all threads: `results[0]` counts, `results[1]` is
// data.
static bool is_beside(const Scan *scan, const DrawRange *draw, const Target *target, uint32_t bytes) {
  int64_t counter = 0, other = 0;
  return bytes && expr_is_const(scan->pool, draw->offset, &counter) &&
         expr_is_const(scan->pool, target->offset, &other) &&
         (other + bytes <= counter || counter + draw->bytes <= other);
}

// `list[1 + atomicAdd(&list[0], 1)] = v`: with numbers that are not negative, which they are if the counter
// starts at zero (A11) and counts up, the write does not touch the counter.
static bool is_behind_counter(Scan *scan, const DrawRange *draw, const Access *access) {
  FactLists *lists = fact_lists(scan);
  ExprPool *pool = scan->pool;
  Target counter = {0, draw->counter, 0, draw->offset};
  if (!access->bytes || scan->objects.items[draw->counter].kind == OBJ_SHARED ||
      !expr_is_const(pool, draw->offset, NULL) || !start_values_are_not_negative(scan, &counter, draw->bytes))
    return false;
  Frame *any = frame_make(scan, draw->frame->view, NULL, NULL);
  Instance write = instance_in(any, access);
  if (write.address.kind != SYM_POINTER || write.address.target_count != 1 || write.address.targets[0].key)
    return false;
  ExprRef at = write.address.targets[0].offset;
  Goal goal = {0};
  goal_add(scan, &goal, goal_overlap(pool, at, access->bytes, draw->offset, draw->bytes), GOAL_CONFLICT, 0);
  goal_add(scan, &goal, write.condition, GOAL_CONTEXT, 0);
  for (uint32_t c = 0; c < lists->draws.count; c++) {
    const DrawRange *drawn = &lists->draws.items[c];
    if (drawn->frame != any || drawn->counter != draw->counter || drawn->offset != draw->offset) continue;
    ExprRef zero = expr_const(pool, expr_width(pool, drawn->leaf), 0);
    goal_add(scan, &goal, expr_binary(pool, EXPR_SLE, 0, zero, drawn->leaf), GOAL_CONTEXT, 0);
  }
  goal_add_view(scan, &goal, any->view);
  goal_add_launch(scan, &goal);
  SolverAnswer answer = goal_satisfiable(scan, &goal, "a write to the counter of its own list");
  return proofs_is_refuted(scan, &answer);
}

// At most so many threads share the counter.
static uint64_t sharers(const Scan *scan, const DrawRange *draw) {
  bool is_of_block = scan->objects.items[draw->counter].kind == OBJ_SHARED;
  uint64_t blocks = 1, threads = 1;
  for (int axis = 0; axis < 3; axis++) {
    int64_t grid = INT32_MAX, block = BLOCK_THREADS_MAX; // where they are not known
    (void)expr_is_const(scan->pool, scan->launch->grid[axis], &grid);
    (void)expr_is_const(scan->pool, scan->launch->block[axis], &block);
    blocks = is_of_block || blocks > UINT32_MAX ? blocks : blocks * (uint64_t)grid;
    threads *= (uint64_t)block;
  }
  return blocks * (threads < BLOCK_THREADS_MAX ? threads : BLOCK_THREADS_MAX);
}

static bool are_few(const Scan *scan, const DrawRange *draw, const Access *access, int64_t amount,
                    int64_t all) {
  uint64_t times = (uint64_t)(all / amount);
  bool is_in_loop = scan->cfg->loop_of[scan->fn->insts.items[access->inst].block] != CFG_NONE;
  return times < FEW_ADDITIONS && (is_in_loop || sharers(scan, draw) > times);
}

// Does the counter come round if a few threads add, or, of 64 bits, its lower half, which may be what is read? That it
// does not is assumed (A1) where it takes many, or where the amount is not known; `atomicAdd(&n, 1u << 24)` has to be
// shown to be made seldom enough.
static bool may_come_round(const Scan *scan, const DrawRange *draw, const Access *access, ExprRef amount) {
  int64_t least = 0, most = 0;
  expr_range(scan->pool, amount, &least, &most);
  bool is_const = least == most;
  if (most < 0) least = most == INT64_MIN ? INT64_MAX : -most;
  if (least <= 0) return false;
  uint8_t width = expr_width(scan->pool, amount);
  if (width < 64) return are_few(scan, draw, access, least, ((int64_t)1 << (width - 1)) - 1);
  int64_t low = is_const ? (int64_t)(uint32_t)least : most <= UINT32_MAX ? least : 0;
  return are_few(scan, draw, access, least, INT64_MAX) ||
         (low > 0 && are_few(scan, draw, access, low, INT32_MAX));
}

// Whoever makes an addition, in whichever round: what is known of the draw's own rounds does not hold for all.
static Frame *frame_there(Scan *scan, const View *view, const IrInst *inst) {
  Frame *frame = frame_make(scan, view, NULL, NULL);
  exits_fix(frame, exits_place(scan, view->extent, inst->block));
  return frame;
}

// Which way one addition goes.
typedef struct Ways {
  bool up, down; // so far all additions do
} Ways;

// Of two threads of one block other things are known than of two of any blocks.
static bool add_way(Scan *scan, DrawRange *draw, const Access *access, Ways *ways) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  ExprPool *pool = scan->pool;
  if (!draw_ranges_is_addition(inst) || access->bytes != draw->bytes) return false;
  ExprRef shared_block[3] = {0};
  const View *of_block = view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD1, shared_block);
  Frame *any[2] = {frame_there(scan, draw->frame->view, inst), frame_there(scan, of_block, inst)};
  ExprRef amounts[2] = {draw_ranges_amount(any[0], inst), draw_ranges_amount(any[1], inst)};
  for (int v = 0; v < 2; v++) {
    if (!amounts[v] || may_come_round(scan, draw, access, amounts[v])) return false;
    if (!is_not_negative(scan, any[v], access->inst, amounts[v])) continue;
    ExprRef half = expr_resize_signed(pool, amounts[v], 32);
    draw->has_halves = draw->has_halves && is_not_negative(scan, any[v], access->inst, half);
    ways->down = false;
    return ways->up;
  }
  draw->has_halves = false;
  if (inst->rmw == IR_RMW_ADD && is_read_as_unsigned(scan, any[0], amounts[0])) {
    draw->is_unsigned = true;
    ways->down = false;
    return ways->up;
  }
  ways->up = false;
  ExprRef zero = expr_const(pool, expr_width(pool, amounts[0]), 0),
          taken = expr_binary(pool, EXPR_SUB, EXPR_NSW, zero, amounts[0]);
  return ways->down && is_not_negative(scan, any[0], access->inst, taken);
}

// All writes of the kernel to the counter's object are additions of one width of amounts that are not
// negative, or all of amounts that are not positive, but for resets.
static uint8_t how_it_counts(Scan *scan, DrawRange *draw) {
  if (scan->has_opaque) return COUNTS_NOT;
  Frame *any = frame_make(scan, draw->frame->view, NULL, NULL);
  uint8_t how = COUNTS_UP;
  Ways ways = {true, true};
  draw->has_halves = expr_width(scan->pool, draw->amount) == 64;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->kind == ACCESS_READ) continue;
    SymValue address = frame_value(any, access->address);
    bool touches = address.kind != SYM_POINTER;
    for (uint32_t i = 0; i < address.target_count; i++)
      touches |= address.targets[i].object == draw->counter &&
                 !is_beside(scan, draw, &address.targets[i], access->bytes);
    if (!touches || counter_words_is_beside(scan, access, draw->counter)) continue;
    if (!draw_ranges_is_addition(&scan->fn->insts.items[access->inst]) &&
        is_behind_counter(scan, draw, access)) {
      draw->leans_on_start = true;
      continue;
    }
    if (resets_may_reset(scan, access, draw->counter)) {
      how = COUNTS_BETWEEN_RESETS;
      continue;
    }
    if (!add_way(scan, draw, access, &ways)) return COUNTS_NOT;
  }
  if (ways.up) return draw->leans_on_start && (how != COUNTS_UP || draw->is_unsigned) ? COUNTS_NOT : how;
  if (draw->leans_on_start) return COUNTS_NOT;
  return how == COUNTS_UP ? COUNTS_DOWN : COUNTS_DOWN_BETWEEN_RESETS;
}

static uint8_t how_counted(Scan *scan, uint32_t index) {
  FactLists *lists = fact_lists(scan);
  DrawRange draw = lists->draws.items[index];
  if (draw.state) return draw.state;
  draw.state = how_it_counts(scan, &draw); // may note further draws
  lists->draws.items[index].state = draw.state;
  lists->draws.items[index].is_unsigned = draw.is_unsigned;
  lists->draws.items[index].has_halves = draw.has_halves;
  lists->draws.items[index].leans_on_start = draw.leans_on_start;
  return draw.state;
}

// Between threads of one block, a counter in shared memory may be set anew where barriers keep that apart
// from the access that uses the number (NULL: from any).
static bool counts_one_way(Scan *scan, uint32_t index, const Access *access) {
  uint8_t state = how_counted(scan, index);
  const DrawRange draw = fact_lists(scan)->draws.items[index];
  if (state != COUNTS_BETWEEN_RESETS && state != COUNTS_DOWN_BETWEEN_RESETS) return state != COUNTS_NOT;
  bool is_of_block =
      scan->objects.items[draw.counter].kind == OBJ_SHARED && !extent_is_between_blocks(draw.extent);
  // A copy goes on behind the barriers that come next.
  if (!access || access->is_async || !is_of_block || !(draw.is_own || draw.mask)) return false;
  return resets_are_apart(scan, draw.counter, draw.source, access->inst, NULL) ||
         (draw.is_own && draw.extent == EXTENT_INTRA_WARP &&
          resets_are_apart_in_warp(scan, draw.counter, draw.source, access->inst));
}

// The end of the draw's range, and whether it is at or below the start of the other's; in the reading in
// which the counter does not wrap.
static ExprRef end_of(ExprPool *pool, const DrawRange *draw, bool is_unsigned) {
  if (!is_unsigned) return expr_binary(pool, EXPR_ADD, EXPR_NSW, draw->leaf, draw->amount);
  if (expr_width(pool, draw->leaf) == 64)
    return expr_binary(pool, EXPR_ADD, EXPR_NUW, draw->leaf, draw->amount);
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, expr_resize_unsigned(pool, draw->leaf, 64),
                     expr_resize_unsigned(pool, draw->amount, 64));
}

static ExprRef is_below(ExprPool *pool, const DrawRange *one, const DrawRange *two, bool is_unsigned) {
  ExprRef end = end_of(pool, one, is_unsigned), start = two->leaf;
  if (goes_down(one->state)) return expr_binary(pool, EXPR_SLE, 0, start, end);
  if (!is_unsigned) return expr_binary(pool, EXPR_SLE, 0, end, start);
  return expr_binary(pool, EXPR_ULE, 0, end, expr_resize_unsigned(pool, start, 64));
}

// No counter of 32 bits comes round to 0.
static void add_no_wrap(Scan *scan, Goal *goal, const DrawRange *draw) {
  ExprPool *pool = scan->pool;
  if (expr_width(pool, draw->leaf) > 32) return;
  int64_t most = ((int64_t)1 << expr_width(pool, draw->leaf)) - 1;
  goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, end_of(pool, draw, true), expr_const(pool, 64, most)),
           GOAL_CONTEXT, 0);
}

// Two counts in one word, `atomicAdd(&n, 1ull << 32 | kept)`: the lower one by itself.
static ExprRef lower_halves_apart(Scan *scan, const DrawRange *one, const DrawRange *two) {
  ExprPool *pool = scan->pool;
  DrawRange halves[2] = {*one, *two};
  for (int i = 0; i < 2; i++) {
    halves[i].leaf = expr_resize_signed(pool, halves[i].leaf, 32);
    halves[i].amount = expr_resize_signed(pool, halves[i].amount, 32);
  }
  scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  return expr_or(pool, is_below(pool, &halves[0], &halves[1], false),
                 is_below(pool, &halves[1], &halves[0], false));
}

static bool is_of_halves(const Scan *scan, const DrawRange *draw) {
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, draw->amount, &lo, &hi);
  return draw->has_halves && (lo < 0 || hi > UINT32_MAX);
}

// Two instructions draw twice, whoever shares what they draw.
static bool may_be_one_draw(const DrawRange *one, const DrawRange *two) {
  bool are_single =
      (one->is_own || one->is_of_warp || one->mask) && (two->is_own || two->is_of_warp || two->mask);
  return !are_single || one->source == two->source;
}

// r1 + v1 <= r2 or r2 + v2 <= r1, whenever both additions were at one address.
static void add_pair(Scan *scan, Goal *goal, const DrawRange *one, const DrawRange *two) {
  ExprPool *pool = scan->pool;
  bool is_unsigned = one->is_unsigned || two->is_unsigned;
  ExprRef first = is_below(pool, one, two, is_unsigned), second = is_below(pool, two, one, is_unsigned);
  if (expr_width(pool, one->leaf) <= 32) scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  if (is_unsigned) {
    add_no_wrap(scan, goal, one);
    add_no_wrap(scan, goal, two);
  }
  ExprRef apart = expr_not(pool, expr_eq(pool, one->offset, two->offset));
  bool may_share = !extent_is_between_blocks(one->extent) && may_be_one_draw(one, two);
  if ((one->is_of_warp || two->is_of_warp) && may_share) // lanes of a warp share it
    apart = expr_or(pool, apart, expr_eq(pool, one->frame->view->warp, two->frame->view->warp));
  if ((one->mask || two->mask) && may_share) { // lanes of one group share it
    ExprRef same = expr_eq(pool, one->frame->view->warp, two->frame->view->warp);
    if (one->mask && two->mask) same = expr_and(pool, same, expr_eq(pool, one->mask, two->mask));
    apart = expr_or(pool, apart, expr_and(pool, same, expr_eq(pool, one->leaf, two->leaf)));
  }
  if (one->only_if) apart = expr_or(pool, apart, expr_not(pool, one->only_if));
  if (two->only_if) apart = expr_or(pool, apart, expr_not(pool, two->only_if));
  goal_add(scan, goal, expr_or(pool, apart, expr_or(pool, first, second)), GOAL_CONTEXT, 0);
  if (is_of_halves(scan, one) && is_of_halves(scan, two))
    goal_add(scan, goal, expr_or(pool, apart, lower_halves_apart(scan, one, two)), GOAL_CONTEXT, 0);
}

static bool are_distinct(const Scan *scan, const DrawRange *one, const DrawRange *two, Extent extent) {
  if (one->counter != two->counter || one->leaf == two->leaf || one->bytes != two->bytes) return false;
  bool between_blocks = extent_is_between_blocks(extent);
  if ((one->is_carried || two->is_carried) && !between_blocks) return false;
  if (scan->objects.items[one->counter].kind == OBJ_SHARED && between_blocks)
    return false; // one counter in each block
  IrScope needed = operation_scope_needed(extent);
  return one->scope >= needed && two->scope >= needed;
}

// Nothing is ever stored into the shared variable that is read but this value.
static bool hands_on(const Scan *scan, const IrInst *load, IrRef value) {
  IrRef base = object_address_base(scan, load->ops[0]);
  if (ir_ref_kind(base) != IR_REF_GLOBAL || load->order != IR_ORDER_PLAIN || scan->has_opaque) return false;
  const IrGlobal *global = &scan->module->globals.items[ir_ref_index(base)];
  if (global->space != IR_SPACE_SHARED || global->is_dynamic_shared) return false;
  bool is_stored = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (!draw_ranges_stores_into(scan, access, ir_ref_index(base))) continue;
    const IrInst *store = &scan->fn->insts.items[access->inst];
    is_stored = store->op == IR_STORE && store->ops[1] == value && access->bytes == load->type.bytes;
    if (!is_stored) return false;
  }
  return is_stored;
}

// The number that the range was drawn for stands beside its start: `kept = n; base = atomicAdd(&count, n)`.
static void add_handed_amount(Scan *scan, Goal *goal, const DrawRange *range) {
  IrRef amount = scan->fn->insts.items[range->source].ops[1];
  if (!ir_inst(scan->fn, amount) || !draw_ranges_is_of_readings(range->frame, amount, DRAW_DEPTH)) return;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    uint32_t at = scan->accesses.items[a].inst;
    const IrInst *load = &scan->fn->insts.items[at];
    if (load->op != IR_LOAD || load->type.kind != IR_INT || !hands_on(scan, load, amount)) continue;
    ExprRef word = frame_word(range->frame, IR_REF(IR_REF_INST, at), expr_width(scan->pool, range->amount));
    if (word) goal_add(scan, goal, expr_eq(scan->pool, word, range->amount), GOAL_CONTEXT, 0);
  }
}

// What the threads drew from a counter of their block lies below the total that the block draws for.
static void add_totals(Scan *scan, Goal *goal, const ExprSet *occurs, const DrawRange *range) {
  FactLists *lists = fact_lists(scan);
  for (uint32_t i = 0, count = lists->draws.count; i < count && range->is_carried && !goes_down(range->state);
       i++) {
    const DrawRange drawn = lists->draws.items[i];
    if (drawn.frame == range->frame && drawn.leaf && expr_set_has(occurs, drawn.leaf) &&
        how_counted(scan, i) != COUNTS_NOT && !goes_down(how_counted(scan, i)))
      draw_totals_add(scan, goal, &drawn, range);
  }
  if (!range->is_carried || goes_down(range->state)) return;
  draw_totals_add_readings(scan, goal, range);
  add_handed_amount(scan, goal, range);
}

static bool is_at(const Instance *instance, uint32_t object) {
  for (uint32_t t = 0; t < instance->address.target_count; t++)
    if (instance->address.targets[t].object == object) return true;
  return false;
}

// Shared memory is read only where it has been written (A12): if each write that may be to the counter sets
// it to a constant that is not negative, or adds to it, it is not negative.
static bool is_set_from_zero_up(Scan *scan, const DrawRange *draw) {
  bool is_set = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    int64_t value = 0;
    if (!resets_may_reset(scan, access, draw->counter)) continue;
    if (inst->op != IR_STORE || access->is_async || access->is_loose || access->bytes != draw->bytes ||
        !ir_const_value(scan->fn, inst->ops[1], &value) || (int32_t)value < 0)
      return false;
    is_set = true;
  }
  if (is_set) scan->result->assumptions |= ASSUME_FILLED;
  return is_set;
}

// What a thread draws itself from one of several counters is not negative, if it starts so and counts up.
static bool is_from_zero_up(Scan *scan, const DrawRange *draw, uint8_t state) {
  bool is_word = expr_width(scan->pool, draw->leaf) == 32 && draw->bytes == 4;
  bool is_single = draw->is_own || draw->mask;
  if (!is_single || draw->is_unsigned || !is_word || scan->has_opaque) return false;
  if (scan->objects.items[draw->counter].kind == OBJ_SHARED)
    return (state == COUNTS_UP || state == COUNTS_BETWEEN_RESETS) && is_set_from_zero_up(scan, draw);
  Target counter = {0, draw->counter, 0, draw->offset};
  return state == COUNTS_UP && start_values_are_not_negative(scan, &counter, draw->bytes);
}

// Numbers from a counter that stands in the list they are places of are not negative.
static void add_starts(Scan *scan, Goal *goal, const ExprSet *occurs, const Instance *const pair[2]) {
  FactLists *lists = fact_lists(scan);
  ExprPool *pool = scan->pool;
  for (uint32_t i = 0, count = lists->draws.count; i < count; i++) {
    DrawRange draw = lists->draws.items[i];
    bool is_of_pair = draw.frame == pair[0]->frame || draw.frame == pair[1]->frame;
    if (!is_of_pair || !expr_set_has(occurs, draw.leaf)) continue;
    bool is_in_list = is_at(pair[0], draw.counter) && is_at(pair[1], draw.counter);
    bool is_of_several = (draw.is_own || draw.mask) && !expr_is_const(pool, draw.offset, NULL);
    if (!is_in_list && !is_of_several) continue;
    uint8_t state = how_counted(scan, i);
    draw = lists->draws.items[i];
    if (is_in_list && draw.leans_on_start && state == COUNTS_UP)
      scan->result->assumptions |= ASSUME_FLAGS_CLEAR;
    else if (!is_from_zero_up(scan, &draw, state))
      continue;
    ExprRef zero = expr_const(pool, expr_width(pool, draw.leaf), 0);
    goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, zero, draw.leaf), GOAL_CONTEXT, 0);
  }
}

void draw_pairs_add(Scan *scan, Goal *goal, Extent extent, const Instance *const pair[2],
                    bool stands_for_many) {
  ASSERT(scan_is_extent(extent));
  FactLists *lists = fact_lists(scan);
  uint32_t count = lists->draws.count;
  if (!count) return;
  const ExprSet *occurs = goal_occurrences(scan, goal);
  add_starts(scan, goal, occurs, pair);
  if (!stands_for_many) draw_bounds_add(scan, goal, occurs, extent, pair);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < count; j++) {
      DrawRange one = lists->draws.items[i], two = lists->draws.items[j];
      // What a draw says of its counter was read in its own frame.
      if (one.frame != pair[0]->frame || two.frame != pair[1]->frame) continue;
      if (!expr_set_has(occurs, one.leaf) || !expr_set_has(occurs, two.leaf) ||
          !are_distinct(scan, &one, &two, extent))
        continue;
      if (!counts_one_way(scan, i, stands_for_many ? NULL : pair[0]->access) ||
          !counts_one_way(scan, j, stands_for_many ? NULL : pair[1]->access))
        continue;
      one = lists->draws.items[i]; // whether it is unsigned, and goes down, is known now
      two = lists->draws.items[j];
      if (goes_down(one.state) != goes_down(two.state)) continue;
      add_pair(scan, goal, &one, &two);
      add_totals(scan, goal, occurs, &one);
      add_totals(scan, goal, occurs, &two);
    }
  }
}
