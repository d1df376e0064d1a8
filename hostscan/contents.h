// The door of hostscan/contents/: what is in memory that no store of the host put there: what the runtime says, what
// kernels and libraries left, what loops did to arrays of which no element is named.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_CONTENTS_H
#define HGRD_HOSTSCAN_CONTENTS_H

#include "hostscan/value.h"

// argument_sources.c
struct HostArguments { // where the values of the arguments stand
  HostFrame *frame;
  uint32_t inst; // the launch
  bool in_array; // their addresses are in the array at `array`; else they are the operands of the call
  ExprRef array;
  ExprRef stream; // of the launch; 0: not found
  // Stream whose earlier work is over when the kernel starts; 0: not found, or it starts early.
  ExprRef behind;
  bool is_early;   // it may start before the work in front of it in its stream is over
  uint32_t begins; // instruction that the launch begins with: its configuration
};
// Where the bytes of a parameter that is passed by value lie at the launch; 0: in registers, or not found.
ExprRef host_argument_address(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                              uint32_t param);
typedef struct HostSource { // of one parameter
  bool in_memory;
  ExprRef address;
  IrRef registers[2]; // at bytes 0 and 8
  uint32_t register_count;
} HostSource;
// The operands that make up one parameter; false if there are none: an empty class, or the stub is not seen.
bool host_source_in_operands(HostScan *scan, const HostArguments *from, const IrFunction *kernel,
                             uint32_t param, HostSource *source);
// Is it seen which operands of the launch make up which parameter?
bool host_operands_fit(HostScan *scan, const HostArguments *from, const IrFunction *kernel);
bool host_source_in_array(HostScan *scan, const HostArguments *from, uint32_t index, HostSource *source);
// What stands at the offset; 0: nothing.
ExprRef host_source_read(HostScan *scan, const HostArguments *from, const HostSource *source, uint32_t offset,
                         IrType type);

// launch_shape.c
// Grid, block and shared memory of a launch, and where its arguments are.
void host_launch_shape(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                       LaunchContext *launch, HostArguments *arguments);
// Of a call that makes a node of a graph: is it none of a kernel; the function in its parameters, 0: not found.
bool host_node_starts_nothing(HostScan *scan, HostFrame *frame, uint32_t inst);
ExprRef host_node_function(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind);

// handles.c
enum { HOST_FOREIGN_KERNEL = 1 }; // in place of an address: of a kernel that is in none of the files
// Does the call make a texture or a surface? Of what memory (an address); 0: that is not seen.
bool host_makes_texture(HostScan *scan, const IrInst *call);
ExprRef host_texture_memory(HostScan *scan, HostFrame *frame, uint32_t inst);

// lane.c
typedef struct LaneStore {
  uint32_t inst;
  ExprRef address; // of the start of the object
} LaneStore;
typedef struct LaneLaunch {
  HostScan *scan;
  HostFrame *frame;
  uint32_t inst; // in the frame
  HostCell cell; // the element
  const HostKernelUse *use;
  const IrFunction *kernel;
  LaunchContext shape; // grid and block
  HostArguments arguments;
  HostLoopPlace around;     // the launch is of any round of this loop; no frame: of the round in hand
  VEC(LaneStore) stores;    // that may write the element
  VEC(LaneStore) additions; // of a constant, atomic for the device, that may be to the element
  HostTargets written;      // objects that the kernel may write
  // For launches that the kernel makes itself: what it was given. Numbers of the thread are symbols then, and
  // what it loads is not known; frame, cell and arguments are not used. NULL: the thread wrote the element.
  const LaunchContext *given;
  // For threads of two launches side by side (launch_histograms.c): numbers of the thread, and of the iterations of
  // the loops around this block, are the same symbols in all such lanes, and unknown values are new symbols.
  bool is_probe;
  uint32_t site;
  HostCallKind kind;
} LaneLaunch;
typedef struct Lane {
  const LaneLaunch *launch;
  HostScan *scan;
  ExprPool *pool;
  const IrFunction *kernel;
  const Cfg *cfg;
  ExprRef *values;                       // by instruction; 0: not asked yet
  uint8_t *busy;                         // by instruction: being evaluated
  ExprRef *counts;                       // by loop: iteration number
  uint32_t *count_funcs;                 // the functions that give them
  ExprRef thread[3], block[3], whole[3]; // threadIdx, blockIdx, blockIdx * blockDim + threadIdx by axis
  IndexList funcs;                       // functions of the element that were made for it
  IndexList steady;         // functions in what it loaded, the same in all rounds of a loop around
  IndexList unknowns;       // those of which nothing is known
  uint32_t index_count;     // of numbers that say which thread it is,
  ExprRef index, index_end; // the last of them, and where it ends (64 bits; 0: nowhere)
  uint32_t index_axis;      // along which it counts
  uint32_t index_loop;      // grid-stride loop over it, CFG_NONE if none
  uint32_t stride_loop[3];  // of a probe: that goes through the grid along this axis, + 1; 0: none
  VEC(ExprRef) known;       // what holds of these functions
} Lane;
Lane *lane_make(const LaneLaunch *launch);
ExprRef lane_value(Lane *lane, IrRef ref); // never 0
// Facts that relate its numbers to each other; when all values have been asked for.
void lane_relate_numbers(Lane *lane);
// The numbers, of ranges from 0 on, that tell threads of the launch apart, and rounds of a grid-stride loop around the
// instruction; one thread, none.
typedef struct LaneNumbers {
  ExprRef items[6];
  uint32_t count;
} LaneNumbers;
void lane_numbers(Lane *lane, uint32_t inst, LaneNumbers *out);
typedef enum LanePlace { LANE_PLACE_UNKNOWN, LANE_PLACE_PRIVATE, LANE_PLACE_GLOBAL } LanePlace;
// The address as the thread computes it; without a lane: of the start of the object. PRIVATE: of the thread
// or the block.
LanePlace lane_place(const LaneLaunch *launch, Lane *lane, IrRef ref, ExprRef *address);
// The condition of the edge from `from` to `to`; 0 if nothing is known.
ExprRef lane_edge(Lane *lane, uint32_t from, uint32_t to);

// stream_order.c
// `value`, if all launches and copies that left something of it are over when the operation at `inst` begins, which is
// put into `stream` (0: not known); else 0.
ExprRef host_when_over(HostScan *scan, ExprRef value, HostFrame *frame, uint32_t inst, ExprRef stream);
// The values that the copy at `inst` stores have this function in them (HostKernelFill); `around`: in any round of that loop.
void host_note_copy(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t func, HostLoopPlace around);

// waits.c
// Is the first operation over when the one at `inst`, which is put into `stream` (0: not known), begins?
bool host_is_over(HostScan *scan, const HostKernelFill *first, HostFrame *frame, uint32_t inst,
                  ExprRef stream);
// Does the call at `inst`, which is made behind the first operation, wait for it, or let the stream wait?
bool host_waits_there(HostScan *scan, const HostKernelFill *first, HostFrame *frame, uint32_t inst,
                      ExprRef stream);

// launch_histograms.c
// For a launch whose arguments and contents have been read.
void host_histograms_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                          LaunchContext *launch);

// contents.def: the functions that answer a HostQuestion
#define HOST_CONTENTS(about, function) ExprRef function(HostScan *scan, const HostQuestion *question);
#include "hostscan/contents/contents.def"
#undef HOST_CONTENTS

#endif
