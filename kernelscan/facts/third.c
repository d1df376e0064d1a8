// Who is a third thread of a question, one that a value of the two comes from? A view of a thread of the same block with numbers of its own, of which
// is said what holds of any thread; its frames, and that it surely comes to a place. Method: fresh symbols (view_like); exact conditions along the
// dominators. Soundness: whatever is said of it has to be said with third_is_of_block, else it may be no thread.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"

// So many there may always be, and more where the kernel is small: the values of each one's frames take memory by the instructions there are.
enum { COUNT_LIMIT = 128, WEIGHT_LIMIT = 1000000 };

// What is kept of a scan.
typedef struct Kept {
  uint32_t count; // threads that were made
} Kept;

bool third_are_many(const Scan *scan) {
  uint32_t count = SCAN_STATE_OF(scan, third, Kept)->count;
  return count >= COUNT_LIMIT && (uint64_t)count * scan->fn->insts.count >= WEIGHT_LIMIT;
}

void third_count(Scan *scan) {
  SCAN_STATE_OF(scan, third, Kept)->count++;
}

ExprRef third_block_threads(Scan *scan) {
  ExprPool *pool = scan->pool;
  ExprRef count = expr_const(pool, 64, 1);
  for (int axis = 0; axis < 3; axis++) {
    int64_t size = 0;
    ExprRef dim = expr_resize_unsigned(pool, scan->launch->block[axis], 64);
    if (!expr_is_const(pool, dim, &size) || size != 1)
      count = expr_binary(pool, EXPR_MUL, EXPR_NSW, count, dim);
  }
  return count;
}

static ExprRef number_of(Scan *scan, const char *name, uint8_t owner, int64_t hi) {
  return expr_new_sym(
      scan->pool,
      (ExprSym){.name = name, .width = 32, .owner = owner, .kind = SYM_UNKNOWN, .lo = 0, .hi = hi});
}

View *third_view(Scan *scan, const View *reader, uint8_t owner) {
  ASSERT(view_is_made(reader));
  ASSERT(owner <= OWNER_THREAD2);
  static const char *const names[3] = {"threadIdx.x of the writer", "threadIdx.y of the writer",
                                       "threadIdx.z of the writer"};
  View *view = view_like(scan, reader);
  view->owner = owner;
  view->is_third = true;
  third_count(scan);
  for (int axis = 0; axis < 3; axis++) {
    int64_t lo = 0, hi = 0;
    expr_range(scan->pool, reader->thread_idx[axis], &lo, &hi);
    if (hi > 0) view->thread_idx[axis] = number_of(scan, names[axis], owner, hi);
  }
  view_number(scan, view);
  if (view->elected) view->elected = view_elected(scan, owner);
  return view;
}

View *third_lane(Scan *scan, const View *reader, ExprRef lane) {
  ASSERT(view_is_made(reader));
  ASSERT(scan_has_word(scan, lane, 32));
  ExprPool *pool = scan->pool;
  for (int axis = 1; axis < 3; axis++) {
    int64_t size = 0;
    if (!expr_is_const(pool, scan->launch->block[axis], &size) || size != 1) return NULL;
  }
  View *view = view_like(scan, reader);
  view->is_third = true;
  third_count(scan);
  ExprRef first = expr_binary(pool, EXPR_SUB, EXPR_NSW, reader->linear, reader->lane);
  view->thread_idx[0] = expr_binary(pool, EXPR_ADD, EXPR_NSW, first, lane);
  view_number(scan, view);
  return view;
}

ExprRef third_is_of_block(Scan *scan, const View *view) {
  ASSERT(view_is_made(view));
  ExprPool *pool = scan->pool;
  ExprRef inside = expr_bool(pool, true), first = expr_const(pool, 32, 0);
  for (int axis = 0; axis < 3; axis++) {
    ExprRef number = view->thread_idx[axis];
    inside = expr_and(pool, inside, expr_binary(pool, EXPR_SLE, 0, first, number));
    inside = expr_and(pool, inside, expr_binary(pool, EXPR_SLT, 0, number, scan->launch->block[axis]));
  }
  return inside;
}

Frame *third_frame(Frame *reader, const View *view, uint32_t block, bool is_together) {
  ASSERT(reader->view);
  ASSERT(view_is_made(view));
  ASSERT(scan_has_block(reader->scan, block));
  Scan *scan = reader->scan;
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent)
    iteration[l] = is_together ? frame_iteration(reader, l)
                               : number_of(scan, "iteration of the writer", view->owner, INT32_MAX - 1);
  Frame *frame = frame_make(scan, view, iteration, NULL);
  exits_fix(frame, exits_place(scan, view->extent, block));
  return frame;
}

ExprRef third_comes_to(Frame *frame, uint32_t block) {
  ASSERT(frame->view);
  ASSERT(scan_has_block(frame->scan, block));
  const Cfg *cfg = frame->scan->cfg;
  ExprRef condition = expr_bool(frame->scan->pool, true);
  for (uint32_t at = block; at != 0; at = cfg->idom[at]) {
    if (cfg->idom[at] == CFG_NONE) return 0;
    if (cfg_post_dominates(cfg, at, cfg->idom[at])) continue;
    ExprRef link = frame_exact_condition(frame, cfg->idom[at], at);
    if (!link) return 0;
    condition = expr_and(frame->scan->pool, link, condition);
  }
  return condition;
}
