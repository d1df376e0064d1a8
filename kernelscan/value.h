// The door of kernelscan/value/: what a thread computes, as an expression of its place, its iterations and
// what it reads.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_VALUE_H
#define HGRD_KERNELSCAN_VALUE_H

#include "kernelscan/frames.h"
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
  // A phi of the loop, and one of its values: the step is made where the phi has that, in all rounds or in none (partings.c); 0: in all.
  IrRef merge, brought;
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

typedef VEC(Leaf) Leaves;

// What `object` holds at an offset, of so many bits: a function.
typedef struct LoadFunc {
  uint32_t object, bits, func; // bits + 256: by a key as well
} LoadFunc;

typedef VEC(LoadFunc) LoadFuncs;

// Closed forms. Not a function of loops.c, as those that it calls ask as well.
typedef struct ValueForms {
  Induction *inductions; // by instruction; NULL before loops_find_inductions
} ValueForms;

static inline ValueForms *value_forms(const Scan *scan) {
  return SCAN_STATE_OF(scan, value, ValueForms);
}

static inline const Induction *loops_induction(const Scan *scan, uint32_t inst) {
  const ValueForms *forms = value_forms(scan);
  BUG_UNLESS(forms->inductions && inst < scan->fn->insts.count);
  return &forms->inductions[inst];
}

// loops.c
void loops_find_inductions(Scan *scan); // of all loops, once, before values are asked for

// eval.c
const LoadFuncs *load_functions(const Scan *scan);          // those made so far
SymValue frame_value(Frame *frame, IrRef ref);              // what the frame's thread reads
ExprRef frame_word(Frame *frame, IrRef ref, uint8_t width); // 0 if it is no word
ExprRef frame_edge_condition(Frame *frame, uint32_t from_block,
                             uint32_t to_block); // width 1; 0: not understood
// Condition under which control that is at block `from` gets to `to` (from dominates to), back edges not
// taken.
ExprRef frame_region_condition(Frame *frame, uint32_t from, uint32_t to);
// Condition that control that is at block `from`, a dominator of `to`, gets to `to`, in the frame's
// iterations; 0 if it is not known exactly: for what holds because a thread surely gets there.
ExprRef frame_exact_condition(Frame *frame, uint32_t from, uint32_t to);
// As frame_region_condition, along the dominators from `to` up to `from`, link by link: a link that is not understood is left
// out.
ExprRef frame_chain_condition(Frame *frame, uint32_t from, uint32_t to);

// leaves.c
ExprRef frame_iteration(Frame *frame, uint32_t loop);  // in which the frame's thread is, from 0; width 32
const char *iteration_name(Scan *scan, uint32_t loop); // "iteration of the loop at line 15"
// A new symbol for the number of an iteration, at least `lo`.
ExprRef iteration_new(Scan *scan, uint32_t loop, const char *name, uint8_t owner, int64_t lo);
uint32_t loop_line(const Scan *scan, uint32_t loop);
// The value of an instruction without a closed form. `origin` tells apart values that started from different
// things (0: none).
SymValue frame_leaf(Frame *frame, uint32_t inst, ExprRef origin);
bool frame_leaf_is_shared(const Frame *frame, uint32_t inst); // one leaf for both threads of the question
const Leaves *
leaves_all(const Scan *scan);           // by instruction, company, thread, and iterations of the loops around
void leaves_add(Scan *scan, Leaf leaf); // one that is found by looking through them all only

// exits.c
void exits_start(Scan *scan); // nothing is known of any loop
void exits_find(Scan *scan);  // after exits_start, once
// The number of the iteration in which the loop is left + 1; 0: not known. After exits_start.
uint32_t exits_rounds(const Scan *scan, uint32_t loop);
// The innermost loop around the block whose last iteration is known: all places in one loop, and in none of
// the others, read the same. CFG_NONE: in none.
uint32_t exits_place(const Scan *scan, Extent extent, uint32_t block);
// The thread is at that place: other loops whose last iteration is known are in that one, as far as the frame
// does not say otherwise.
void exits_fix(Frame *frame, uint32_t place);
// The same at the end of the frame's way, for loops around the point as well (is_at_end); `frame` itself if
// that says nothing more.
Frame *exits_at_end(Frame *frame, uint32_t place);

// unknown_offset.c
// Does the offset come from such a pointer, or such a value? Then no race is told of it.
bool unknown_offset_is_in(const Scan *scan, ExprRef offset);

// webs.c
int64_t common_divisor(int64_t a, int64_t b); // the greatest one; of 0 and b: |b|

// bytes.c
bool bytes_add(Frame *frame, ExprRef *sum, IrRef length);       // false: not understood
bool bytes_are_all(Frame *frame, ExprRef sum, IrRef announced); // sum 0: not understood

#endif
