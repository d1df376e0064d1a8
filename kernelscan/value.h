// The door of kernelscan/value/: what a thread computes, as an expression of its place, its iterations and
// what it reads.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_VALUE_H
#define HGRD_KERNELSCAN_VALUE_H

#include "kernelscan/query.h"

// How the header phi of a loop changes from one iteration to the next.
typedef enum InductionKind {
  INDUCTION_NONE,
  INDUCTION_LINEAR,
  INDUCTION_SHIFT_LEFT,
  INDUCTION_HALVING,
  INDUCTION_PERIODIC,
  INDUCTION_CYCLE
} InductionKind;

enum { MAX_STEPS = 4, MAX_NESTED = 3 };

// What is added to a variable in each round of a loop: a value that the loop does not change, as often as the
// loops `nested` in it go round (their numbers multiply).
typedef struct LoopStep {
  IrRef value; // at least as wide as the variable
  bool is_negated;
  uint8_t nested_count;
  uint32_t nested[MAX_NESTED];
} LoopStep;

typedef struct Induction {
  InductionKind kind;
  IrRef start;
  IrRef step;    // SHIFT_LEFT, HALVING: the constant; PERIODIC: the other operand
  uint8_t flags; // of the update
  uint8_t step_count;
  LoopStep steps[MAX_STEPS]; // LINEAR: what is added in each round
  uint32_t period;           // PERIODIC: value = starts[iteration % period]
  IrRef starts[4];
  IrRef mirror;         // PERIODIC of `c - x` or `x ^ c`: the instruction giving the second value
  uint32_t update;      // instruction of the update
  const int64_t *cycle; // CYCLE: value = cycle[iteration % period]
} Induction;

// The value of an instruction that has no closed form, in one iteration of the loops around it.
typedef struct Leaf {
  uint32_t inst, company, thread; // of the view that it was read in; thread 0: one for the whole company
  uint32_t count;                 // loops around the instruction
  const ExprRef *iterations;
  ExprRef value;
} Leaf;

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

enum { STATE_REGION_LIMIT = 48 };

// The states between one and those that it dominates, with what is known of the ways there.
typedef struct StateRegion {
  const WayGraph *graph;
  Frame **frames; // by phase
  uint32_t from, count;
  uint32_t states[STATE_REGION_LIMIT];
  ExprRef conditions[STATE_REGION_LIMIT];
  bool is_exact;
} StateRegion;

// The values that enter a web of phis, as one thread reads them (webs.c).
typedef struct Origin {
  uint32_t count;
  const void *readings;
} Origin;

// loops.c
void loops_find_inductions(Scan *scan);

// uniform.c
void uniform_compute(Scan *scan);
bool uniform_ref(const Scan *scan, IrRef ref);
// Do all threads of the block come there, or none? Not if a branch on which that depends tells them apart.
bool uniform_comes_to(Scan *scan, uint32_t block);
// The same, where `is_alike` may say of a branch that all threads it is about take it alike in each iteration.
typedef bool BranchTest(Scan *scan, CfgEdge edge, void *context);
bool uniform_comes_to_by(Scan *scan, uint32_t block, BranchTest *is_alike, void *context);

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
// A frame in which the loop is in iteration `round`, and the loops inside in iterations of their own.
Frame *frame_of_round(Frame *frame, uint32_t loop, ExprRef round);
// The same for all threads of the frame's block, in each iteration.
bool frame_is_of_block(const Frame *frame, ExprRef value);

// eval.c
SymValue frame_value(Frame *frame, IrRef ref);
ExprRef frame_word(Frame *frame, IrRef ref, uint8_t width); // 0 if it is no word
ExprRef frame_edge_condition(Frame *frame, uint32_t from_block,
                             uint32_t to_block); // width 1; 0: not understood
// Condition under which control that is at block `from` gets to `to` (from dominates to), back edges not
// taken.
ExprRef frame_region_condition(Frame *frame, uint32_t from, uint32_t to);
// Condition that control that is at block `from`, a dominator of `to`, gets to `to`, in the frame's
// iterations; 0 if it is not known exactly: for what holds because a thread surely gets there.
ExprRef frame_exact_condition(Frame *frame, uint32_t from, uint32_t to);
// The same along the dominators from `to` up to `from`, link by link: a link that is not understood is left
// out.
ExprRef frame_chain_condition(Frame *frame, uint32_t from, uint32_t to);

// leaves.c
ExprRef frame_iteration(Frame *frame, uint32_t loop);
// A new symbol for the number of an iteration.
const char *iteration_name(Scan *scan, uint32_t loop); // "iteration of the loop at line 15"
ExprRef iteration_new(Scan *scan, uint32_t loop, const char *name, uint8_t owner, int64_t lo);
uint32_t loop_line(const Scan *scan, uint32_t loop);
// The value of an instruction without a closed form. `origin` tells apart values that started from different
// things (0: none).
SymValue frame_leaf(Frame *frame, uint32_t inst, ExprRef origin);
bool frame_leaf_is_shared(const Frame *frame, uint32_t inst);

// exits.c
void exits_start(Scan *scan); // nothing is known of any loop
void exits_find(Scan *scan);
// The innermost loop around the block whose last iteration is known: all places in one loop, and in none of
// the others, read the same. CFG_NONE: in none.
uint32_t exits_place(const Scan *scan, Extent extent, uint32_t block);
// The thread is at that place: other loops whose last iteration is known are in that one, as far as the frame
// does not say otherwise.
void exits_fix(Frame *frame, uint32_t place);
// The same at the end of the frame's way, for loops around the point as well (is_at_end); `frame` itself if
// that says nothing more.
Frame *exits_at_end(Frame *frame, uint32_t place);

// entered.c
void entered_start(Scan *scan); // from here on it may be asked

// rounds.c
// What the earlier iterations of the frame's loops say, for those that occur in the goal.
void goal_add_rounds(Scan *scan, Goal *goal, Frame *frame);

// wander.c
// Does the offset come from such a pointer, or such a value? Then no race is told of it.
bool wander_is_in(const Scan *scan, ExprRef offset);

// webs.c
int64_t common_divisor(int64_t a, int64_t b); // the greatest one; of 0 and b: |b|

// way_conditions.c
// Condition that a thread in the state that the region begins with gets to this one; exact only if the region
// says so.
ExprRef ways_state_condition(StateRegion *region, uint32_t state);

// covers.c
// The value as C takes it for a condition; 0 if it is not understood.
ExprRef frame_truth(Frame *frame, IrRef ref);
void goal_add_covers(Scan *scan, Goal *goal, Couple couple, Frame *one, Frame *two);

// ways.c
WayGraph *ways_make(Scan *scan, const Point *point, Couple couple);
static inline uint32_t ways_key(const WayGraph *graph, uint32_t node, uint32_t phase) {
  return node * (graph->loop_count + 1) + phase;
}
static inline uint32_t ways_state(const WayGraph *graph, uint32_t node,
                                  uint32_t phase) { // CFG_NONE: not reachable
  if (phase > graph->loop_count) return CFG_NONE;
  return graph->state_of[ways_key(graph, node, phase)] - 1; // 0 - 1 is CFG_NONE
}

// only_first.c
// Thread 0 of the block is the only one that executes this block of the graph.
bool counts_only_first(Scan *scan, uint32_t block);

// bytes.c
bool bytes_add(Frame *frame, ExprRef *sum, IrRef length); // false: not understood
bool bytes_are_all(Frame *frame, ExprRef sum, IrRef announced);

#endif
