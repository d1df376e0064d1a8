// Which small launches stand for all that the facts of the host allow, when runs are to bear something out?
// Method: a few shapes, as limits of the dimensions and of the numbers that are given; the solver looks for a
// launch within as many of these limits as the facts leave room for. Soundness: proves nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/witness/shapes.h"

// Limits of the first axis of grid and block, of their other axes, and of each number that is given; most 0:
// none.
typedef struct Shape {
  int64_t grid[2], block[2], other, number[2];
} Shape;

static const Shape SHAPES[] = {{{2, 4}, {2, 64}, 2, {2, 5}},    {{1, 3}, {33, 128}, 2, {5, 40}},
                               {{3, 9}, {1, 32}, 1, {1, 3}},    {{1, 2}, {64, 256}, 1, {30, 200}},
                               {{2, 5}, {4, 48}, 4, {9, 1000}}, {{2, 6}, {2, 96}, 3, {0, 1}}};
_Static_assert(sizeof SHAPES / sizeof *SHAPES == SHAPE_COUNT, "one row each");

static void add_range(Scan *scan, Goal *goal, ExprRef word, const int64_t range[2]) {
  if (!word || !range[1]) return;
  ExprPool *pool = scan->pool;
  uint8_t width = expr_width(pool, word);
  ExprRef low = expr_const(pool, width, range[0]), high = expr_const(pool, width, range[1]);
  goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, low, word), GOAL_CONTEXT, 0);
  goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, word, high), GOAL_CONTEXT, 0);
}

static void add_dimensions(Scan *scan, Goal *goal, const Shape *shape, int which) {
  const int64_t other[2] = {1, shape->other};
  for (int axis = 0; axis < 3; axis++) {
    if (which & 1) add_range(scan, goal, scan->launch->grid[axis], axis ? other : shape->grid);
    if (which & 2) add_range(scan, goal, scan->launch->block[axis], axis ? other : shape->block);
  }
}

static void add_numbers(Scan *scan, Goal *goal, const Shape *shape) {
  for (uint32_t a = 0; a < scan->launch->args.count; a++) {
    const LaunchArg *arg = &scan->launch->args.items[a];
    ExprRef word = arg->pieces.count == 1 ? arg->pieces.items[0].word : 0;
    if (word && expr_width(scan->pool, word) >= 16) add_range(scan, goal, word, shape->number);
  }
}

enum { WITH_GRID = 1, WITH_BLOCK = 2, WITH_NUMBERS = 4 };

bool shapes_ask(Scan *scan, const Goal *of, uint32_t which, Goal *goal, SolverAnswer *answer) {
  const Shape *shape = &SHAPES[which];
  static const int parts[] = {WITH_GRID | WITH_BLOCK | WITH_NUMBERS, WITH_GRID | WITH_BLOCK, WITH_BLOCK,
                              WITH_GRID, 0};
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *goal = goal_copy(scan, of);
    add_dimensions(scan, goal, shape, parts[i]);
    if (parts[i] & WITH_NUMBERS) add_numbers(scan, goal, shape);
    if (goal->is_false) continue;
    *answer = goal_satisfiable(scan, goal, "for a run");
    if (answer->verdict == VERDICT_RACE) return true;
  }
  return false;
}
