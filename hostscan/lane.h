// One thread of a launch, of which it is not said which one: the one that stored to an element (lane.c), and
// the launch that it belongs to (contents_kernel.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_LANE_H
#define HGRD_HOSTSCAN_LANE_H

#include "hostscan/internal.h"

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
  VEC(LaneStore) stores;    // that may write the element
  VEC(LaneStore) additions; // of a constant, atomic for the device, that may be to the element
  VEC(ExprRef) written;     // objects that the kernel may write
  // For launches that the kernel makes itself: what it was given. Numbers of the thread are symbols then, and
  // what it loads is not known; frame, cell and arguments are not used. NULL: the thread wrote the element.
  const LaunchContext *given;
  // For threads of two launches side by side (tallies.c): numbers of the thread, and of the iterations of
  // the loops around this block, are the same symbols in all such lanes, and unknown values are new symbols.
  bool is_probe;
  uint32_t site;
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
  ExprRef thread[3], block[3], whole[3]; // threadIdx, blockIdx, blockIdx * blockDim + threadIdx by axis
  IndexList funcs;                       // functions of the element that were made for it
  IndexList unknowns;                    // those of which nothing is known
  uint32_t index_count;                  // of numbers that say which thread it is,
  ExprRef index, index_end;              // the last of them, and where it ends (64 bits; 0: nowhere)
  uint32_t index_loop;                   // grid-stride loop over it, CFG_NONE if none
  uint32_t stride_loop[3]; // of a probe: that goes through the grid along this axis, + 1; 0: none
  VEC(ExprRef) known;      // what holds of these functions
} Lane;

Lane *lane_make(const LaneLaunch *launch);
ExprRef lane_value(Lane *lane, IrRef ref); // never 0
// Facts that relate its numbers to each other; when all values have been asked for.
void lane_relate_numbers(Lane *lane);

typedef enum LanePlace { LANE_PLACE_UNKNOWN, LANE_PLACE_PRIVATE, LANE_PLACE_GLOBAL } LanePlace;
// The address as the thread computes it; without a lane: of the start of the object. PRIVATE: of the thread
// or the block.
LanePlace lane_place(const LaneLaunch *launch, Lane *lane, IrRef ref, ExprRef *address);
// The condition of the edge from `from` to `to`; 0 if nothing is known.
ExprRef lane_edge(Lane *lane, uint32_t from, uint32_t to);

// ---- contents_kernel.c
// Reads the launch and what its kernel writes; false if that is not understood, or does not meet the cell.
bool lane_open_launch(LaneLaunch *launch, HostCallKind kind);
// Conditions of the edges that dominate the block; true if who passes them surely comes there.
typedef VEC(ExprRef) LaneConditions;
bool lane_way_to(Lane *lane, uint32_t block, LaneConditions *conditions);

// ---- tallies.c
// What the element holds behind a launch that does nothing but add to it.
ExprRef host_tally(const LaneLaunch *launch, HostCallKind kind);

#endif
