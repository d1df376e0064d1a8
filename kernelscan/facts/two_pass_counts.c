// What is a number that was drawn from a counter which starts at what the host put there, in global memory
// or, each block's own, in shared memory? Method: at the counter's element the array held its content before
// the launch (initial_contents.c), and all draws of the launch together add no more than was counted for that element
// (LaunchHistogram): a number drawn lies from the start on, and it and its amount end with the count. A counter
// in shared memory starts at what some thread of the block, a storer (reaching_stores.c), stored there. Soundness: only
// of what the thread drew itself (the caller says so in a condition), of words of 32 bits, in arrays to which
// the kernel does nothing but add (which is part of what a LaunchHistogram says); counters do not wrap (A1).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"

static ExprRef function_at(const Scan *scan, const LaunchHistogram *histogram, uint32_t func,
                           ExprRef offset) {
  ExprPool *pool = scan->pool;
  ExprRef element = offset;
  if (histogram->apart)
    element = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, offset, expr_const(pool, 64, histogram->apart));
  return expr_app(pool, func, 1, &element);
}

// `start`: what lay at `offset` of the array.
static ExprRef bounds(const Scan *scan, const DrawRange *draw, const LaunchHistogram *histogram,
                      ExprRef offset, ExprRef start) {
  ExprPool *pool = scan->pool;
  ExprRef leaf = expr_resize_signed(pool, draw->leaf, 64);
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_NSW, leaf, expr_resize_signed(pool, draw->amount, 64));
  ExprRef count = expr_resize_signed(pool, function_at(scan, histogram, histogram->func, offset), 64);
  start = expr_resize_signed(pool, start, 64);
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, start, leaf),
                  expr_binary(pool, EXPR_SLE, 0, end, expr_binary(pool, EXPR_ADD, EXPR_NSW, start, count)));
}

// The word lies in the array (A7), and somebody wrote what it held before (A12).
static ExprRef is_there(Scan *scan, const LaunchContent *content, ExprRef offset) {
  ExprPool *pool = scan->pool;
  ExprRef size = scan->launch->objects.items[content->object].size_bytes;
  ExprRef holds = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), offset);
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, offset, expr_const(pool, 64, content->bytes));
  if (size) holds = expr_and(pool, holds, expr_binary(pool, EXPR_SLE, 0, end, size));
  scan->result->assumptions |= ASSUME_IN_BOUNDS | ASSUME_NO_OVERFLOW;
  if (!content->is_written) return holds;
  scan->result->assumptions |= ASSUME_FILLED;
  return expr_and(pool, holds, initial_contents_at(scan, content, content->is_written, offset));
}

static void add(Scan *scan, Goal *goal, const LaunchContent *content, ExprRef was_drawn, ExprRef holds) {
  goal_add(scan, goal, expr_or(scan->pool, expr_not(scan->pool, was_drawn), holds), GOAL_FACT, content->fact);
}

// ---- counters of the block
static bool is_of_counter(const Scan *scan, const LaunchHistogram *histogram, const Obj *object) {
  if (!histogram->shared) return object->kind == OBJ_LAUNCH && histogram->object == object->index;
  return object->kind == OBJ_SHARED && object->index < scan->module->globals.count &&
         strcmp(scan->module->globals.items[object->index].name, histogram->shared) == 0;
}

static const Access *access_of(const Scan *scan, uint32_t inst) {
  const Access *found = NULL;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].inst == inst) found = &scan->accesses.items[a];
  return found;
}

static const Target *sole_target(const SymValue *address) {
  bool is_one = address->kind == SYM_POINTER && address->target_count == 1;
  return is_one && !address->targets[0].condition && !address->targets[0].key ? address->targets : NULL;
}

// Some thread of the block set the counter to what it read, before anybody drew.
static ExprRef bounds_from_starter(Scan *scan, const DrawRange *draw, const LaunchHistogram *histogram,
                                   const LaunchContent *content) {
  const Access *store = access_of(scan, histogram->setting);
  const IrInst *inst = &scan->fn->insts.items[histogram->setting];
  const IrInst *load = ir_inst(scan->fn, inst->ops[1]);
  Frame *storer = NULL;
  Instance made;
  ExprRef holds = store && load ? reaching_stores_by(draw->frame, store, &storer, &made) : 0;
  if (!holds) return 0;
  const Target *counter = sole_target(&made.address);
  SymValue source = frame_value(storer, load->ops[0]);
  const Target *element = sole_target(&source);
  ExprRef start = frame_word(storer, inst->ops[1], 32);
  if (!counter || !element || !start || counter->object != draw->counter) return 0;
  const Obj *array = &scan->objects.items[element->object];
  if (array->kind != OBJ_LAUNCH || array->index != histogram->object) return 0;
  holds = expr_and(scan->pool, holds, expr_eq(scan->pool, counter->offset, draw->offset));
  ExprRef block = function_at(scan, histogram, histogram->of_block, element->offset);
  ExprRef slot = function_at(scan, histogram, histogram->of_slot, element->offset);
  holds = expr_and(scan->pool, holds, expr_eq(scan->pool, block, storer->view->block_idx[0]));
  holds = expr_and(scan->pool, holds, expr_eq(scan->pool, slot, draw->offset));
  holds = expr_and(scan->pool, holds, is_there(scan, content, element->offset));
  return expr_and(scan->pool, holds, bounds(scan, draw, histogram, element->offset, start));
}

// Who set the counter that a draw's number was drawn from (two_pass_counts.c).
typedef struct Starter {
  ExprRef leaf;
  const Frame *frame;
  uint32_t setting; // the store
  ExprRef holds;    // what is known then; 0: nothing
} Starter;

// What is kept of a scan.
typedef struct Kept {
  VEC(Starter) starters; // by leaf, frame and store
} Kept;

// Asked once for each number.
static ExprRef started(Scan *scan, const DrawRange *draw, const LaunchHistogram *histogram,
                       const LaunchContent *content) {
  Kept *kept = SCAN_STATE_OF(scan, two_pass_counts, Kept);
  for (uint32_t i = 0; i < kept->starters.count; i++) {
    const Starter *known = &kept->starters.items[i];
    if (known->leaf == draw->leaf && known->frame == draw->frame && known->setting == histogram->setting)
      return known->holds;
  }
  Starter starter = {draw->leaf, draw->frame, histogram->setting,
                     bounds_from_starter(scan, draw, histogram, content)};
  vec_push(scan->arena, &kept->starters, starter);
  return starter.holds;
}

static void add_of_block(Scan *scan, Goal *goal, const DrawRange *draw, const LaunchHistogram *histogram,
                         ExprRef was_drawn) {
  for (uint32_t i = 0; i < scan->launch->contents.count; i++) {
    const LaunchContent *content = &scan->launch->contents.items[i];
    if (content->object != histogram->object || content->bytes != histogram->bytes ||
        !initial_contents_are_consistent(scan, content))
      continue;
    ExprRef holds = started(scan, draw, histogram, content);
    if (holds) add(scan, goal, content, was_drawn, holds);
    scan->result->assumptions |= ASSUME_FILLED;
  }
}

// ---- the question
void two_pass_counts_add(Scan *scan, Goal *goal, const DrawRange *draw, ExprRef was_drawn) {
  ASSERT(scan_has_expr(scan, draw->leaf));
  ASSERT(scan_has_expr(scan, was_drawn));
  const Obj *object = &scan->objects.items[draw->counter];
  bool is_start_told = false;
  for (uint32_t i = 0; i < scan->launch->histograms.count; i++) {
    const LaunchHistogram *histogram = &scan->launch->histograms.items[i];
    if (!is_of_counter(scan, histogram, object) || histogram->bytes != draw->bytes) continue;
    if (histogram->shared) add_of_block(scan, goal, draw, histogram, was_drawn);
    const LaunchContent *content =
        histogram->shared ? NULL : initial_contents_find(scan, object, histogram->bytes);
    if (!content || !initial_contents_are_consistent(scan, content)) continue;
    if (!is_start_told) add(scan, goal, content, was_drawn, is_there(scan, content, draw->offset));
    for (uint32_t c = 0; c < content->conditions.count && !is_start_told; c++)
      add(scan, goal, content, was_drawn,
          initial_contents_at(scan, content, content->conditions.items[c], draw->offset));
    is_start_told = true;
    ExprRef start = initial_contents_at(scan, content, content->value, draw->offset);
    add(scan, goal, content, was_drawn, bounds(scan, draw, histogram, draw->offset, start));
  }
}

bool two_pass_counts_tell(const Scan *scan, const DrawRange *draw) {
  ASSERT(scan_has_expr(scan, draw->leaf));
  const Obj *object = &scan->objects.items[draw->counter];
  bool tells = false;
  for (uint32_t i = 0; i < scan->launch->histograms.count; i++)
    tells |= is_of_counter(scan, &scan->launch->histograms.items[i], object);
  return tells && draw->is_own && draw->bytes == 4 && !scan->has_opaque;
}
