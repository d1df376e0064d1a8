// What is a number that was drawn from a counter in global memory, which starts at what the host put there?
// Method: at the counter's element the array held its content before the launch (contents.c), and all draws
// of the launch together add no more than was counted for that element (LaunchTally): a number drawn lies
// from the start on, and it and its amount end with the count. Soundness: only of what the thread drew itself
// (the caller says so in a condition), of words of 32 bits, in arrays to which the kernel does nothing but
// add (which is part of what a LaunchTally says); counters do not wrap (A1).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/counters.h"

static ExprRef function_at(const Scan *scan, const LaunchTally *tally, ExprRef offset) {
  ExprPool *pool = scan->pool;
  ExprRef element = offset;
  if (tally->apart)
    element = expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, offset, expr_const(pool, 64, tally->apart));
  return expr_app(pool, tally->func, 1, &element);
}

static ExprRef bounds(const Scan *scan, const Claim *claim, const LaunchTally *tally, ExprRef start) {
  ExprPool *pool = scan->pool;
  ExprRef leaf = expr_resize_signed(pool, claim->leaf, 64);
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_NSW, leaf, expr_resize_signed(pool, claim->amount, 64));
  ExprRef count = expr_resize_signed(pool, function_at(scan, tally, claim->offset), 64);
  start = expr_resize_signed(pool, start, 64);
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, start, leaf),
                  expr_binary(pool, EXPR_SLE, 0, end, expr_binary(pool, EXPR_ADD, EXPR_NSW, start, count)));
}

// The word lies in the array (A7), and somebody wrote what it held before (A12).
static ExprRef is_there(Scan *scan, const LaunchContent *content, const Claim *claim, const Obj *object) {
  ExprPool *pool = scan->pool;
  ExprRef size = scan->launch->objects.items[object->index].size_bytes;
  ExprRef holds = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), claim->offset);
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, claim->offset, expr_const(pool, 64, claim->bytes));
  if (size) holds = expr_and(pool, holds, expr_binary(pool, EXPR_SLE, 0, end, size));
  scan->result->assumptions |= ASSUME_IN_BOUNDS | ASSUME_NO_OVERFLOW;
  if (!content->is_written) return holds;
  scan->result->assumptions |= ASSUME_FILLED;
  return expr_and(pool, holds, contents_at(scan, content, content->is_written, claim->offset));
}

static void add(Scan *scan, Goal *goal, const LaunchContent *content, ExprRef was_drawn, ExprRef holds) {
  goal_add(scan, goal, expr_or(scan->pool, expr_not(scan->pool, was_drawn), holds), GOAL_FACT, content->fact);
}

void tallies_add(Scan *scan, Goal *goal, const Claim *claim, ExprRef was_drawn) {
  const Obj *object = &scan->objects.items[claim->counter];
  bool is_start_told = false;
  for (uint32_t i = 0; i < scan->launch->tallies.count; i++) {
    const LaunchTally *tally = &scan->launch->tallies.items[i];
    const LaunchContent *content = contents_find(scan, object, tally->bytes);
    if (tally->object != object->index || tally->bytes != claim->bytes || !content ||
        !contents_are_consistent(scan, content))
      continue;
    if (!is_start_told) add(scan, goal, content, was_drawn, is_there(scan, content, claim, object));
    for (uint32_t c = 0; c < content->conditions.count && !is_start_told; c++)
      add(scan, goal, content, was_drawn,
          contents_at(scan, content, content->conditions.items[c], claim->offset));
    is_start_told = true;
    ExprRef start = contents_at(scan, content, content->value, claim->offset);
    add(scan, goal, content, was_drawn, bounds(scan, claim, tally, start));
  }
}

bool tallies_tell(const Scan *scan, const Claim *claim) {
  const Obj *object = &scan->objects.items[claim->counter];
  bool tells = false;
  for (uint32_t i = 0; i < scan->launch->tallies.count; i++)
    tells |= object->kind == OBJ_LAUNCH && scan->launch->tallies.items[i].object == object->index;
  return tells && claim->is_own && claim->bytes == 4 && !scan->has_opaque;
}
