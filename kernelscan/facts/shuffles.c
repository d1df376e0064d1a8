// What did a lane get from another one by a shuffle? What the source lane put into the same shuffle, if the mask names that lane, there is one,
// and it comes there: what an absent lane gives is any value. Method: a third thread (third.c), of which is said that it is the source lane and that its
// operand is the value. The two must meet in it (together.c); where not all lanes of the warp come there, the source lane must, exactly, outside of
// loops.
// Soundness: over-approximates; where that is not shown, the value is any one.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"

int64_t shuffles_width(const Scan *scan, const IrInst *shuffle) {
  ASSERT(ir_has_inst(scan->fn, shuffle));
  int64_t width = 0;
  bool is_known =
      shuffle->name && shuffle->op_count == 4 && ir_const_value(scan->fn, shuffle->ops[3], &width);
  return is_known && width > 0 && width <= 32 && (width & (width - 1)) == 0 ? width : 0;
}

// ---- which shuffle
// That the source lane, too, comes to this shuffle for its exchange with the reader; 0: not known.
static ExprRef comes_as_well(Scan *scan, Frame *storer, uint32_t shuffle) {
  uint32_t block = scan->fn->insts.items[shuffle].block;
  if (together_is_open(scan) || !together_meets(scan, shuffle)) return 0;
  if (together_is_by_warp(scan, block)) return expr_bool(scan->pool, true);
  return scan->cfg->loop_of[block] == CFG_NONE ? third_comes_to(storer, block) : 0;
}

// ---- which lane
// The lane that is read, and whether there is one (else the thread reads its own value).
static ExprRef source_lane(Frame *frame, const IrInst *shuffle, ExprRef *is_there) {
  ExprPool *pool = frame->scan->pool;
  ExprRef lane = frame->view->lane, by = frame_word(frame, shuffle->ops[2], 32);
  int64_t distance = 0, within = shuffles_width(frame->scan, shuffle) - 1;
  ExprRef first = expr_binary(pool, EXPR_AND, 0, lane, expr_const(pool, 32, ~within)),
          last = expr_binary(pool, EXPR_OR, 0, lane, expr_const(pool, 32, within));
  *is_there = expr_bool(pool, true);
  if (!by) return 0;
  if (strcmp(shuffle->name, "idx") == 0)
    return expr_binary(pool, EXPR_OR, 0, first,
                       expr_binary(pool, EXPR_AND, 0, by, expr_const(pool, 32, within)));
  bool is_up = strcmp(shuffle->name, "up") == 0;
  if (!expr_is_const(pool, by, &distance) || distance < 0 || distance > 31) return 0;
  bool is_xor = strcmp(shuffle->name, "xor") == 0;
  ExprRef source = is_xor ? expr_binary(pool, EXPR_XOR, 0, lane, by)
                          : expr_binary(pool, is_up ? EXPR_SUB : EXPR_ADD, EXPR_NSW, lane, by);
  *is_there =
      is_up ? expr_binary(pool, EXPR_SLE, 0, first, source) : expr_binary(pool, EXPR_SLE, 0, source, last);
  return source;
}

ExprRef shuffles_has_lane(Scan *scan, const View *view, ExprRef lane) {
  ASSERT(view_is_made(view));
  ASSERT(scan_has_word(scan, lane, 32));
  ExprPool *pool = scan->pool;
  ExprRef threads = third_block_threads(scan);
  int64_t count = 0;
  if (expr_is_const(pool, threads, &count) && count % 32 == 0) return expr_bool(pool, true);
  ExprRef first = expr_binary(pool, EXPR_SUB, EXPR_NSW, view->linear, view->lane);
  ExprRef number = expr_resize_unsigned(pool, expr_binary(pool, EXPR_ADD, EXPR_NSW, first, lane), 64);
  return expr_binary(pool, EXPR_SLT, 0, number, threads);
}

ExprRef shuffles_source_comes(Frame *reader, uint32_t shuffle, ExprRef lane) {
  ASSERT(reader->view);
  ASSERT(scan_has_inst(reader->scan, shuffle));
  ASSERT(scan_has_word(reader->scan, lane, 32));
  Scan *scan = reader->scan;
  uint32_t block = scan->fn->insts.items[shuffle].block;
  if (together_is_open(scan)) return 0;
  ExprRef is_there = shuffles_has_lane(scan, reader->view, lane);
  if (together_is_by_warp(scan, block)) return is_there;
  if (scan->cfg->loop_of[block] != CFG_NONE || third_are_many(scan)) return 0;
  View *view = third_lane(scan, reader->view, lane);
  ExprRef comes = view ? third_comes_to(third_frame(reader, view, block, true), block) : 0;
  return comes ? expr_and(scan->pool, is_there, comes) : 0;
}

// The thread of the source lane: computed from the reader where that is one expression, else one of which its place is said.
static View *source_view(Scan *scan, const View *reader, ExprRef source, uint8_t owner) {
  View *view = third_lane(scan, reader, source);
  if (!view) return third_view(scan, reader, owner);
  view->owner = owner;
  if (view->elected) view->elected = view_elected(scan, owner);
  return view;
}

// Does the mask name the source lane, which is one of the warp's?
static ExprRef names_source(Scan *scan, ExprRef mask, ExprRef source) {
  int64_t lanes = 0;
  bool names_all = expr_is_const(scan->pool, mask, &lanes) && (uint32_t)lanes == UINT32_MAX;
  return names_all ? expr_bool(scan->pool, true) : goal_has_lane(scan, mask, source);
}

ExprRef shuffles_condition(Scan *scan, const ReachingValue *reaching, uint8_t owner) {
  ASSERT(owner == OWNER_THREAD1 || owner == OWNER_THREAD2);
  ExprPool *pool = scan->pool;
  const IrInst *shuffle = &scan->fn->insts.items[reaching->inst];
  const View *reader = reaching->frame->view;
  uint8_t width = expr_width(pool, reaching->leaf);
  ExprRef is_there = 0, source = source_lane(reaching->frame, shuffle, &is_there);
  ExprRef mask = frame_word(reaching->frame, shuffle->ops[0], 32);
  if (!source || !mask) return 0;
  View *view = source_view(scan, reader, source, owner);
  Frame *frame = third_frame(reaching->frame, view, shuffle->block, true); // who meets does so in one round
  ExprRef value = frame_word(frame, shuffle->ops[1], width),
          own = frame_word(reaching->frame, shuffle->ops[1], width),
          comes = comes_as_well(scan, frame, reaching->inst);
  if (!value || !own || !comes) return 0;
  ExprRef may_give =
      expr_and(pool, names_source(scan, mask, source), shuffles_has_lane(scan, reader, source));
  ExprRef place = expr_and(pool, expr_eq(pool, view->warp, reader->warp),
                           expr_and(pool, third_is_of_block(scan, view), expr_eq(pool, view->lane, source)));
  ExprRef is_value = expr_or(pool, expr_not(pool, comes), expr_eq(pool, reaching->leaf, value));
  ExprRef given = expr_and(pool, place, is_value);
  ExprRef is_from_other = expr_and(pool, is_there, expr_or(pool, expr_not(pool, may_give), given));
  return expr_or(pool, is_from_other,
                 expr_and(pool, expr_not(pool, is_there), expr_eq(pool, reaching->leaf, own)));
}
