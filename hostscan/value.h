// The door of hostscan/value/: the evaluator: what a name is, what lies in a cell of memory, when control comes
// somewhere, which round of a loop it is. Each of these asks the others.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_VALUE_H
#define HGRD_HOSTSCAN_VALUE_H

#include "hostscan/scan.h"

// value.c
ExprRef host_value(HostScan *scan, HostFrame *frame, IrRef ref); // never 0; 64 bits for pointers
// `bytes` (1, 2, 4 or 8) at `offset` of a word or an aggregate.
ExprRef host_value_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes);
// The functions that a call through a pointer may come to, by their addresses; false if it may be others.
bool host_called_functions(HostScan *scan, HostFrame *frame, uint32_t inst, HostTargets *targets);
// What visible code left in the volatile or atomic variable whose content at a load the symbol is; 0: it is none.
ExprRef host_as_stored(HostScan *scan, uint32_t sym);

// cells.c
typedef struct HostAccess { // a read just before instruction `inst` of the frame
  HostFrame *frame;
  uint32_t inst;
  ExprRef address;
  uint32_t bytes;
  uint8_t kind;  // IrTypeKind
  bool is_whole; // what the load instruction `inst` gives
  IrRef namer;   // address to name an unknown value by, 0: none
  IrRef origin;  // address in `frame` that `address` lies `behind` bytes behind, 0: none
  int64_t behind;
  bool is_at_end; // read at the end of the block of `inst` on the way to block `next` instead
  uint32_t next;
} HostAccess;
ExprRef host_load(HostScan *scan, HostAccess access); // what is read
// What is in memory, where somebody knows more than that it was written: each is a row of contents.def, and who asks
// knows none of them by name.
typedef enum HostAbout {
  HOST_ABOUT_WRITE,   // what the instruction left in the cell, which it may have written
  HOST_ABOUT_MAIN,    // what the variable holds when main starts
  HOST_ABOUT_LAUNCH,  // what the launch left in the element
  HOST_ABOUT_LIBRARY, // likewise a call of a library that wrote the span
  HOST_ABOUT_LOOP,    // what the element holds at the header of a loop that may write the array
  HOST_ABOUT_ORDER, // `before`, as the call of the runtime finds it; unknown where who left it need not be over
  HOST_ABOUT_COPY   // `before`, which the copy puts there, until it is known whether that is over
} HostAbout;
typedef struct HostSpan {
  ExprRef apart, length; // of the cell from the first byte that is written; bytes
} HostSpan;
typedef struct HostQuestion {
  HostAbout about;
  HostFrame *frame;
  uint32_t index; // instruction, loop, or number of the variable
  HostCell cell;
  HostCallKind kind; // of the launch
  HostSpan span;
  ExprRef before; // what the element held before the loop; the value that is asked about
} HostQuestion;
struct HostContents { // a row; 0: it is not known
  HostAbout about;
  ExprRef (*value)(HostScan *scan, const HostQuestion *question);
};
// At the end of `block`, on the way to `next` (CFG_NONE: out of the function).
ExprRef host_cell_at_end(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t next, HostCell cell);
enum { HOST_MEMORY_DEPTH = 1200 }; // of reads in each other
// What the cell of such a symbol held before that call; 0: it is none.
ExprRef host_before_doubt(HostScan *scan, uint32_t sym);
// What the instruction may have left in the cell; a symbol, if that is not known.
ExprRef host_after_write(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// A symbol for the cell at a place, always the same for the same (frame, place, cell).
typedef struct HostCellSymbol {
  HostFrame *frame;
  HostPlace place;
  uint32_t index; // block or instruction
  uint32_t loop;
} HostCellSymbol;
ExprRef host_cell_symbol(HostScan *scan, HostCellSymbol at, HostCell cell);
HostKey host_cell_key(const HostFrame *frame, HostPlace place, uint32_t index, HostCell cell);
// Just before the instruction.
ExprRef host_cell_before(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
bool host_is_uninitialised(HostScan *scan, ExprRef ref); // a symbol for memory that nobody wrote

// path_condition.c
// That control which is at the end of `from` takes the edge to `to`; true if nothing is known.
ExprRef host_edge_condition(HostScan *scan, HostFrame *frame, uint32_t from, uint32_t to);
bool host_leaves_loop(const Cfg *cfg, uint32_t above, uint32_t block); // from within one to behind it
// Condition to come from `dominator` to `block`; 0 if the region between is too large.
ExprRef host_reach_condition(HostScan *scan, HostFrame *frame, uint32_t dominator, uint32_t block);

// may_write.c
// What the instruction may write is, or may be, the cell; no value is looked for.
bool host_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
// The constant text that an argument points to; NULL if it is none.
const char *host_text_argument(HostScan *scan, HostFrame *frame, const IrInst *call, uint32_t index);
// Could a call of unknown code change the cell?
bool host_call_reaches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);
bool host_returns_twice(const HostScan *scan, const IrInst *call); // setjmp
// Has the call, or code that is not seen in front of it, got a pointer to the array (of the device, or by an allocation of the host's)?
bool host_is_handed_on(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);

// loop_copies.c
// A copy or a fill by the host that puts pointers into one array: where it begins, how many bytes, and the pointer that it
// puts into the element where it covers that; false: it is none, or not followed.
typedef struct HostCopied {
  ExprRef offset, value;
  uint32_t bytes;
} HostCopied;
bool host_copied_pointers(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell, HostCopied *out);

// allocate.c
uint32_t host_allocation(HostScan *scan, HostFrame *frame, uint32_t inst); // object of ALLOCATE*
typedef struct HostPitch {
  ExprRef pitch, width, height, depth; // bytes, rows; 64 bits; depth 0 for 2D
} HostPitch;
HostPitch host_pitch(HostScan *scan, HostFrame *frame, uint32_t inst); // of ALLOCATE_PITCH, ALLOCATE_3D
HostPitch host_image(HostScan *scan, HostFrame *frame, uint32_t inst); // of ALLOCATE_ARRAY; no pitch
typedef struct HostExtent { // a cudaExtent is argument `at` of a call that has `others` besides
  uint32_t at, others;
} HostExtent;
// Width (part 0), height or depth; 0 if it is not found.
ExprRef host_extent_part(HostScan *scan, HostFrame *frame, uint32_t inst, HostExtent extent, uint32_t part);
// The 64 bits so many bytes behind what argument `at` points to; 0 if that is no pointer.
ExprRef host_word_behind(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t at, uint32_t behind);

// loop_facts.c
// Is it `base` and something that is never negative, added without leaving the word?
bool host_is_at_least(HostScan *scan, ExprRef ref, ExprRef base);

// launched.c
typedef struct HostStart { // one kernel that the launch may start
  const char *kernel;
  ExprRef condition;
  const char *undecided;
} HostStart;
typedef VEC(HostStart) HostStarts;
// Those that the pointer is seen to be; false if it may be something else.
bool host_starts_add(HostScan *scan, ExprRef pointer, HostStarts *starts);
uint32_t host_launch_operand(HostCallKind kind, const IrInst *call); // that says what is launched
// The one kernel that it starts; NULL: not known, or one of several.
const IrFunction *host_launched_kernel(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind);

#endif
