// What does a load read from an array that the host filled? Method: what the launch says of any element of
// the array (LaunchContent) is said of the load's value, with its offset in place of the element; the facts
// are added to goals in which the value occurs. Soundness: only for memory that the kernel does not write,
// where a load is a function of its offset. That an element is written at all is known only where the load is
// executed (A12).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/internal.h"

const LaunchContent *contents_find(const Scan *scan, const Obj *object, uint32_t bytes) {
  for (uint32_t i = 0; i < scan->launch->contents.count; i++) {
    const LaunchContent *content = &scan->launch->contents.items[i];
    if (content->bytes != bytes) continue;
    if (object->kind == OBJ_LAUNCH && content->object && content->object == object->index) return content;
    if (object->kind == OBJ_GLOBAL && !content->object &&
        strcmp(content->global, scan->module->globals.items[object->index].name) == 0)
      return content;
  }
  return NULL;
}

ExprRef contents_at(const Scan *scan, const LaunchContent *content, ExprRef said, ExprRef offset) {
  uint32_t element = (uint32_t)expr_node(scan->pool, content->element)->value;
  ExprRef *map = arena_array(scan->arena, element + 1u, ExprRef);
  map[element] = offset;
  return expr_substitute(scan->pool, said, map, element + 1);
}

bool contents_are_told(const Scan *scan, const Obj *object, uint32_t bytes) {
  return contents_find(scan, object, bytes) != NULL;
}

// Is there an element at all for which everything that is said holds together? What contradicts itself would
// prove anything.
static bool is_consistent(Scan *scan, const LaunchContent *content) {
  uint32_t index = (uint32_t)(content - scan->launch->contents.items);
  while (scan->content_state.count <= index)
    vec_push(scan->arena, &scan->content_state, 0);
  if (!scan->content_state.items[index]) {
    Goal goal = {0};
    goal_add_launch(scan, &goal);
    if (content->is_written) goal_add(scan, &goal, content->is_written, GOAL_CONFLICT, 0);
    for (uint32_t i = 0; i < content->conditions.count; i++)
      goal_add(scan, &goal, content->conditions.items[i], GOAL_CONTEXT, 0);
    bool fails = goal.is_false || goal_satisfiable(scan, &goal, "contents").verdict == VERDICT_SAFE;
    scan->content_state.items[index] = fails ? 2 : 1;
  }
  return scan->content_state.items[index] == 1;
}

static bool is_noted(Scan *scan, ExprRef value) {
  while (scan->noted.count <= value)
    vec_push(scan->arena, &scan->noted, 0);
  bool was = scan->noted.items[value];
  scan->noted.items[value] = 1;
  return was;
}

// A load that is not executed may have any offset: what is said of elements says nothing of those before the
// array.
static ExprRef unless_before(Scan *scan, ExprRef offset, ExprRef condition) {
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, offset, &lo, &hi);
  if (lo >= 0) return condition;
  ExprRef zero = expr_const(scan->pool, expr_width(scan->pool, offset), 0);
  return expr_or(scan->pool, expr_binary(scan->pool, EXPR_SLT, 0, offset, zero), condition);
}

static void note(Scan *scan, const LaunchContent *content, ExprRef value, ExprRef condition) {
  if (expr_is_true(scan->pool, condition)) return;
  Invariant known = {.leaf = value, .condition = condition, .is_of_host = true, .tag = content->fact};
  vec_push(scan->arena, &scan->invariants, known);
}

void contents_note(Frame *frame, uint32_t load, const Target *target, ExprRef value) {
  Scan *scan = frame->scan;
  uint8_t width = expr_width(scan->pool, value);
  if (target->key || scan->fn->insts.items[load].type.kind != IR_INT) return;
  const LaunchContent *content = contents_find(scan, &scan->objects.items[target->object], width / 8);
  if (!content || is_noted(scan, value) || !is_consistent(scan, content)) return;
  if (content->is_of_threads) scan->result->assumptions |= ASSUME_NO_OVERFLOW;
  ExprRef known = contents_at(scan, content, content->value, target->offset);
  note(scan, content, value, unless_before(scan, target->offset, expr_eq(scan->pool, value, known)));
  for (uint32_t i = 0; i < content->conditions.count; i++) {
    ExprRef condition = contents_at(scan, content, content->conditions.items[i], target->offset);
    note(scan, content, value, unless_before(scan, target->offset, condition));
  }
  // In another round than the one in hand the load may not have been executed, whatever its guard says.
  if (!content->is_written || frame->is_shifted) return;
  ExprRef executed = frame_exact_condition(frame, 0, scan->fn->insts.items[load].block);
  if (!executed) return;
  ExprRef written = contents_at(scan, content, content->is_written, target->offset);
  ExprRef filled = expr_or(scan->pool, expr_not(scan->pool, executed), written);
  note(scan, content, value, unless_before(scan, target->offset, filled));
  scan->result->assumptions |= ASSUME_FILLED;
}
