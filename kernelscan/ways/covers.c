// Which barriers of a part hold both threads? Method: what the mask, the tile, the vote or the range of each
// such barrier says of the two lanes, in the iterations in which they come there. Soundness: a barrier of
// which that is not understood adds nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways.h"
#include "kernelscan/kernel.h"

ExprRef frame_truth(Frame *frame, IrRef ref) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(frame->scan, ref));
  ExprPool *pool = frame->scan->pool;
  SymValue value = frame_value(frame, ref);
  if (value.kind != SYM_WORD) return 0;
  uint8_t width = expr_width(pool, value.word);
  return width == 1 ? value.word : expr_ne(pool, value.word, expr_const(pool, width, 0));
}

static ExprRef is_in_range(Scan *scan, const View *view, const Cover *cover) {
  ExprPool *pool = scan->pool;
  ExprRef low = expr_const(pool, 32, cover->value), end = expr_const(pool, 32, cover->end);
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, low, view->linear),
                  expr_binary(pool, EXPR_SLT, 0, view->linear, end));
}

// Each thread's mask names the other.
static ExprRef masks_cover_both(Scan *scan, const Cover *cover, Frame *one, Frame *two) {
  ExprRef a = frame_word(one, cover->predicate, 32), b = frame_word(two, cover->predicate, 32);
  if (!a || !b) return 0;
  return expr_and(scan->pool, goal_has_lane(scan, a, two->view->lane),
                  goal_has_lane(scan, b, one->view->lane));
}

// Tiles of a number of lanes that is given: both threads have to have the same one.
static ExprRef is_in_given_tile(Scan *scan, const Cover *cover, Frame *one, Frame *two) {
  ExprPool *pool = scan->pool;
  ExprRef a = frame_word(one, cover->predicate, 32), b = frame_word(two, cover->predicate, 32);
  if (!a || !b) return 0;
  ExprRef is_one = expr_eq(pool, expr_binary(pool, EXPR_SDIV, 0, one->view->lane, a),
                           expr_binary(pool, EXPR_SDIV, 0, two->view->lane, b));
  ExprRef is_size = expr_binary(pool, EXPR_SLT, 0, expr_const(pool, 32, 0), a);
  return expr_and(pool, expr_and(pool, is_size, expr_eq(pool, a, b)), is_one);
}

// Each value is a barrier of its own, of all threads in the range that have it.
static ExprRef have_one_value(Scan *scan, const Cover *cover, Frame *one, Frame *two) {
  SymValue a = frame_value(one, cover->predicate), b = frame_value(two, cover->predicate);
  return a.kind == SYM_WORD && b.kind == SYM_WORD ? expr_eq(scan->pool, a.word, b.word) : 0;
}

static ExprRef are_in_range(Scan *scan, const Cover *cover, Frame *one, Frame *two) {
  return expr_and(scan->pool, is_in_range(scan, one->view, cover), is_in_range(scan, two->view, cover));
}

static ExprRef covers_both(Scan *scan, const Cover *cover, Frame *one, Frame *two) {
  ExprPool *pool = scan->pool;
  if (cover->kind == COVER_TILE && cover->predicate) return is_in_given_tile(scan, cover, one, two);
  if (cover->kind == COVER_TILE) {
    ExprRef lanes = expr_const(pool, 32, cover->value);
    const View *first = one->view, *second = two->view;
    ExprRef at = cover->is_of_block ? first->linear : first->lane,
            with = cover->is_of_block ? second->linear : second->lane;
    return expr_eq(pool, expr_binary(pool, EXPR_SDIV, 0, at, lanes),
                   expr_binary(pool, EXPR_SDIV, 0, with, lanes));
  }
  if (cover->kind == COVER_RANGE) return are_in_range(scan, cover, one, two);
  if (cover->kind == COVER_MASK)
    return expr_and(pool, goal_lane_in_mask(scan, one->view->lane, cover->value),
                    goal_lane_in_mask(scan, two->view->lane, cover->value));
  if (cover->kind == COVER_COMPUTED) return masks_cover_both(scan, cover, one, two);
  if (cover->kind == COVER_MATCH) return have_one_value(scan, cover, one, two);
  if (cover->kind == COVER_NUMBER) {
    ExprRef is_same = have_one_value(scan, cover, one, two);
    return is_same ? expr_and(pool, are_in_range(scan, cover, one, two), is_same) : 0;
  }
  ExprRef first = frame_truth(one, cover->predicate), second = frame_truth(two, cover->predicate);
  return first && second ? expr_and(pool, first, second) : 0;
}

void covers_add(Scan *scan, Goal *goal, Couple couple, Frame *one, Frame *two) {
  ASSERT(couple.extent <= EXTENT_NONE);
  ASSERT(one->view);
  ASSERT(two->view);
  for (uint32_t i = 0; i < scan_text(scan)->covers.count; i++) {
    bool is_asked = couple.extent == EXTENT_INTRA_WARP || scan_text(scan)->covers.items[i].is_of_block;
    ExprRef both = is_asked ? covers_both(scan, &scan_text(scan)->covers.items[i], one, two) : 0;
    if (!both) continue;
    bool is_covering = couple.covering >> i & 1;
    goal_add(scan, goal, is_covering ? both : expr_not(scan->pool, both), GOAL_EXTENT, 0);
  }
}
