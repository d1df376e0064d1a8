// Shared by the files of hostscan/value/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_VALUE_VALUE_H
#define HGRD_HOSTSCAN_VALUE_VALUE_H

#include "hostscan/value.h"

// cells.c
// The first answer that is known, in the order of the table; else 0.
ExprRef host_ask(HostScan *scan, const HostQuestion *question);
ExprRef host_cell_at_start(HostScan *scan, HostFrame *frame, uint32_t block, HostCell cell);
// The value is of the cell after a call that may as well not have written it.
void host_note_doubt(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell, ExprRef value);

// loop.c
bool host_cell_varies(HostScan *scan, HostCell cell, const HostFrame *frame, uint32_t loop);
void host_loop_prepare(HostScan *scan, HostFrame *frame, uint32_t loop); // values of its phis
// May some instruction of the loop write the cell? No value is looked for.
bool host_loop_touches(HostScan *scan, HostLoopPlace place, HostCell cell);
ExprRef host_loop_cell(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell);

// form.c
void host_classify(HostScan *scan, HostFrame *frame, uint32_t loop);

// rounded.c
// The number is one of pointers, which are addresses if they are rounded; by itself it makes no object of what they point to.
void host_note_number_of(HostScan *scan, ExprRef pointer);
// What the instruction makes of an address: rounded down to a multiple of a power of two, or its low bits. 0: nothing of the kind.
ExprRef host_rounded_address(HostScan *scan, const IrInst *inst, const ExprRef *operands);

// path_condition.c
// Values that come in from `preds` of `block`: one expression, or 0 if it would be too large.
typedef struct HostWays {
  HostFrame *frame;
  uint32_t dominator, block; // all ways come from the dominator and end in the block
  uint32_t count;
  uint32_t preds[64];
  ExprRef values[64];
} HostWays;
ExprRef host_merge(HostScan *scan, const HostWays *ways);
// The predecessors of `block` for which `is_back` says whether the edge is a back edge; false if too many.
bool host_ways_in(HostFrame *frame, uint32_t block, bool is_back, HostWays *ways);

// effects.c
// What an instruction puts into the cell; 0: it leaves it as it is.
ExprRef host_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);

// may_write.c
enum { HOST_CALLEE_SIZE = 3000, HOST_LARGE_CALLEE_SIZE = 40000 }; // instructions, with all that it calls
// Is the instruction the one that makes the array of the element?
bool host_makes_array(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// Is one of the arguments (bit i of the mask, the last one for all behind) an address into the object of the cell?
bool host_is_given(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t mask, HostCell cell);
bool host_is_filled(HostScan *scan, HostFrame *frame, uint32_t inst,
                    HostCell cell); // by a call that writes from its first argument on
// Does a call of the runtime or a library write the cell, through its arguments or through what it was given before?
bool host_is_output(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// May a call of the function, which has a body, write the cell?
bool host_body_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee, HostCell cell);
// May the function, which the call through a pointer comes to, write the cell? In doubt it may.
bool host_writes_by_pointer(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee,
                            HostCell cell);
// The copy or fill of the runtime does not write the object of the cell: it writes memory of the other side.
bool host_is_beside_copy(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// Where a variable of the device lies, which a call names by its host address; 0: it is not seen which.
ExprRef host_address_of_variable(HostScan *scan, ExprRef name);

// whose_memory.c
typedef enum HostCopyTo { HOST_COPY_ANYWHERE, HOST_COPY_TO_HOST, HOST_COPY_TO_DEVICE } HostCopyTo;
// Is it a variable of both sides, which kernels know by its name?
bool host_is_managed(HostScan *scan, ExprRef leaf);
// Is the object memory that such a copy does not write?
bool host_is_on_other_side(HostScan *scan, ExprRef leaf, HostCopyTo to);

// meets.c
// No address lies where the program has a small number, by the rule about types that clang goes by as well.
bool host_is_no_place_for_handles(HostCell cell);

// launched.c
bool host_launch_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind, HostCell cell);

// loop_facts.c
// Of those that are pending when the loop's values have been classified.
void host_note_loop_facts(HostScan *scan, HostFrame *frame, uint32_t loop);

// initial_data.c
ExprRef host_initial_word(HostScan *scan, const IrGlobal *table, HostCell cell); // 0: not known

#endif
