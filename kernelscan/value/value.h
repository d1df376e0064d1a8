// Shared by the files of kernelscan/value/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_VALUE_VALUE_H
#define HGRD_KERNELSCAN_VALUE_VALUE_H

#include "kernelscan/value.h"

// loops.c
// The one value that enters from outside, and the one that comes round; false if there are several.
bool loops_split_phi(const Scan *scan, const IrInst *phi, uint32_t loop, IrRef *start, IrRef *next);
// A sum that goes by `step` (or by less) in each round: can it not wrap in any round that a thread comes to?
bool loops_stays_in_width(Frame *frame, uint32_t phi, ExprRef step, bool is_negated);
// Its value, if so.
ExprRef loops_narrow_sum(Frame *frame, ExprRef iteration, ExprRef start, ExprRef step, bool is_down);

// Is the step made at all? 0: not understood.
ExprRef loops_step_is_made(Frame *frame, const LoopStep *step);

// Does a positive number that is shifted left by so many bits in each round leave the loop before its bits have gone, as it only goes on
// below a bound? Where that is the only way out, it never ends otherwise.
bool loops_ends_below(Frame *frame, uint32_t phi, int64_t by);

// A positive number that is shifted left by so many bits in each round while it is below a bound: in which rounds can it be?
void loops_note_shifts(Frame *frame, uint32_t phi, ExprRef iteration, ExprRef value, ExprRef start,
                       int64_t by);

// partings.c
enum { NOTHING = 0, BRINGS = 1, BRINGS_NOT = 2, IS_OPEN = BRINGS | BRINGS_NOT };
typedef struct Merge {
  const Scan *scan;
  const IrInst *phi;  // in a loop, not at its head
  IrRef value;        // one of those that it merges
  uint32_t loop, top; // all that come to the phi come from that block
  uint8_t *seen;      // by block: which values can still come
} Merge;
bool partings_open(const Scan *scan, IrRef phi, IrRef value, Merge *merge); // false: it is no such phi
// Which values can come to it by the edge: that one, others, both, or none, as it leaves the loop.
uint8_t partings_behind(const Merge *merge, uint32_t from, uint32_t to);
// Does the phi in the loop have that one of its values in all of a thread's rounds, or in none?
bool partings_are_alike(const Scan *scan, uint32_t loop, IrRef phi, IrRef value);

// cycles.c
bool cycles_match(Scan *scan, uint32_t phi, uint32_t loop, Induction *form);
ExprRef cycles_value(Scan *scan, const Induction *form, ExprRef iteration, uint8_t width);

// nested.c
// The same in every iteration: defined outside, or computed inside from nothing but such values.
bool nested_is_invariant(const Scan *scan, uint32_t loop, IrRef ref);
// The one way out of a loop, which is tested in each round.
typedef struct LoopExit {
  uint32_t from; // block
  IrRef condition;
  bool when_true; // the loop is left where the condition holds
} LoopExit;
bool nested_find_exit(const Scan *scan, uint32_t loop, LoopExit *exit);
// Rounds go on while start + lead < bound, <= if is_equal; > and >= if is_down. The start goes by the stride.
typedef struct LoopCount {
  IrRef start, bound;
  int64_t stride, lead;
  bool is_down, is_equal, is_unsigned;
} LoopCount;
// false: the number of rounds has no such form.
bool nested_count(const Scan *scan, uint32_t loop, LoopCount *count);
// The same number in each round of the loop around it?
bool nested_is_counted(const Scan *scan, uint32_t loop, uint32_t around);
// How often its back edge is taken, 64 bits.
ExprRef nested_rounds(ExprPool *pool, const LoopCount *count, ExprRef start, ExprRef bound);

// leaves.c
// An iteration of the loop before `iteration`, of the thread's own (or of all, if shared).
ExprRef frame_round(Frame *frame, uint32_t loop, ExprRef iteration, bool is_shared);
// The number of the loop's last iteration, one for all threads of the block.
ExprRef frame_last_iteration(Frame *frame, uint32_t loop);

// unknown_offset.c
// The pointer that the merge gives if nothing but the leaf `unknown` is known of it.
SymValue unknown_offset_pointer(Frame *frame, uint32_t inst, SymValue unknown);
// Nothing is known of the value: it is what a call returned that is seen but not entered.
void unknown_offset_note(Scan *scan, ExprRef value);
bool unknown_offset_may_be_in(const Scan *scan, ExprRef offset); // false: it surely is not

// webs.c
// The value of a variable of the loop: a leaf, of which is noted what may enter it.
SymValue web_phi(Frame *frame, uint32_t loop, uint32_t inst);
// Likewise; false: nothing is known of where its values come from.
bool web_find(Frame *frame, uint32_t loop, uint32_t inst, SymValue *value);

// addresses.c
SymValue address_arith(Frame *frame, const IrInst *inst); // an operand is a pointer
SymValue address_compare(Frame *frame, const IrInst *inst);
// A place in the shared memory of the block with that rank; OPAQUE: not understood.
SymValue clusters_mapped(Frame *frame, const IrInst *inst);

// stored_pointers.c
// The pointer that is loaded from an array of the thread's own, or from shared memory; OPAQUE: not known.
SymValue stored_pointer(Frame *frame, uint32_t load, const Target *place);

#endif
