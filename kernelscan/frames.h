// The door of kernelscan/frames/: a thread that is looked at, and the iterations of loops in which it is.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FRAMES_H
#define HGRD_KERNELSCAN_FRAMES_H

#include "kernelscan/scan.h"

// Nodes that a thread can be at after leaving a point, split by the outermost loop around the point whose
// back edge was crossed on the way (phase 0: none).
typedef struct State {
  uint32_t node, phase;
  uint32_t pred_first, pred_count;
  uint32_t idom;
} State;

typedef struct StateEdge {
  uint32_t from;                 // state
  uint32_t from_block, to_block; // CFG edge; equal when it passes a barrier inside a block
  bool is_back;                  // goes against the order of a loop that does not change the phase
} StateEdge;

struct WayGraph {
  Scan *scan;
  const Point *point;
  Couple couple;        // whose barriers end the ways
  uint32_t loop_count;  // loops around the point
  uint32_t *loops;      // outermost first
  bool *goes_round;     // by phase: the crossed loop can be gone round again without a synchronisation point
  uint32_t *state_of;   // by node * (loop_count + 1) + phase: state + 1
  uint8_t *enters;      // by the same: the head of a loop that is come to anew, and not passed by
  VEC(State) states;    // in reverse post-order, [0] is the point
  VEC(StateEdge) edges; // grouped by target state
};

static inline uint32_t ways_key(const WayGraph *graph, uint32_t node, uint32_t phase) {
  return node * (graph->loop_count + 1) + phase;
}
static inline uint32_t ways_state(const WayGraph *graph, uint32_t node,
                                  uint32_t phase) { // CFG_NONE: not reachable
  if (phase > graph->loop_count) return CFG_NONE;
  return graph->state_of[ways_key(graph, node, phase)] - 1; // 0 - 1 is CFG_NONE
}

// frames.c
void view_number(Scan *scan, View *view);        // linear number, warp and lane, from threadIdx
ExprRef view_elected(Scan *scan, uint8_t owner); // the lane of some warp that is elected
// A thread of the question about two that are so far apart: the same thread whenever it is asked for.
View *view_make(Scan *scan, Extent extent, uint8_t owner, ExprRef shared_block_idx[3]);
// A thread that is no other one as far as anybody knows: of this block, or of a block of its own (NULL). Who
// means the same thread twice keeps the view.
View *view_fresh(Scan *scan, const ExprRef block_idx[3]);
const View *view_anyone(Scan *scan);            // one thread, for what is kept and holds of all of them
const View *view_of_ranges(Scan *scan);         // likewise; what it reads has any value (View.is_of_ranges)
View *view_beside(Scan *scan, const View *one); // another thread of its block, whoever that is
View *view_like(Scan *scan, const View *other); // likewise, with the same numbers until it gets others
// `iteration` and `before` by loop, 0 where the thread's own; copied.
Frame *frame_make(Scan *scan, const View *view, const ExprRef *iteration, const ExprRef *before);
// In other iterations of the same place and phase.
Frame *frame_like(const Frame *frame, const ExprRef *iteration, const ExprRef *before);
FramePage *frame_page(Frame *frame, uint32_t inst); // on which the instruction is; stays where it is
SymValue *frame_known(Frame *frame, uint32_t inst); // likewise; SYM_NONE: its value is not computed
// A frame in which the loop is in iteration `round`, and the loops inside in iterations of their own.
Frame *frame_of_round(Frame *frame, uint32_t loop, ExprRef round);
// The same for all threads of the frame's block, in each iteration.
bool frame_is_of_block(const Frame *frame, ExprRef value);

bool frame_is_block_idx(const Frame *frame, uint32_t sym); // an index of the frame's block
// The loop around the point whose back edge was crossed, gone round once or more often since.
bool frame_is_gone_round(const Frame *frame, uint32_t loop);
// Points stand in the loop, and the thread went round it without passing one.
bool frame_goes_by_points(const Frame *frame, uint32_t loop);

#endif
