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
  HostLoopPlace around;     // the launch is of any round of this loop; no frame: of the round in hand
  VEC(LaneStore) stores;    // that may write the element
  VEC(LaneStore) additions; // of a constant, atomic for the device, that may be to the element
  HostTargets written;      // objects that the kernel may write
  // For launches that the kernel makes itself: what it was given. Numbers of the thread are symbols then, and
  // what it loads is not known; frame, cell and arguments are not used. NULL: the thread wrote the element.
  const LaunchContext *given;
  // For threads of two launches side by side (tallies.c): numbers of the thread, and of the iterations of
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
  uint32_t index_loop;      // grid-stride loop over it, CFG_NONE if none
  uint32_t stride_loop[3];  // of a probe: that goes through the grid along this axis, + 1; 0: none
  VEC(ExprRef) known;       // what holds of these functions
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
// Reads the launch and what its kernel writes; false if that is not understood, or does not meet the cell (a
// cell without a base is none).
bool lane_open_launch(LaneLaunch *launch, HostCallKind kind);
// Conditions of the edges that dominate the block, and those among them that not all pass who come to the
// edge; true if who passes them surely comes there.
typedef VEC(ExprRef) LaneConditions;
bool lane_way_to(Lane *lane, uint32_t block, LaneConditions *conditions, LaneConditions *needed);

// ---- tallies.c
// What the element holds behind a launch that does nothing but add to it.
ExprRef host_tally(const LaneLaunch *launch);

enum { LANE_SITES = 4 };
typedef struct LaneProbe { // a store or an addition, as some thread of the launch makes it
  LaneLaunch launch;
  Lane *lane;
  ExprRef offset;             // in the array, or in a variable in shared memory
  int64_t amount;             // of an addition
  LaneConditions way, needed; // what holds on the way to it; what not all pass who come to it
  bool is_exact;              // who passes what is needed makes it, in each iteration that it lets through
  uint32_t depth;
  ExprRef rounds[HOST_LANE_ROUNDS]; // by loop around it, from within: the condition at its header; 0: unknown
} LaneProbe;
typedef struct LaneProbes {
  uint32_t count;
  LaneProbe *items[LANE_SITES];
} LaneProbes;
bool lane_probe_read(LaneProbe *probe, uint32_t inst); // whose launch is set; false if it is not understood
ExprRef lane_shared_offset(Lane *lane, IrRef address); // in its variable
// Whenever a thread does what `drawn` is, the same thread of the other launch has done what `counted` is.
bool lane_probe_passes(const LaneProbe *drawn, const LaneProbe *counted);
// Each addition of the one has one of the other that is no smaller, at a place `apart` bytes before its own.
bool lane_probes_follow(HostScan *scan, const LaneProbes *drawn, const LaneProbes *counted, int64_t *apart);
bool lane_has_same_shape(const LaneLaunch *one, const LaneLaunch *other);

// ---- tallies_block.c
typedef struct LaneCount { // a store that may be of a count that a block made in shared memory
  Lane *lane;
  uint32_t inst;
  ExprRef offset;
  const LaneConditions *way;
  bool is_exact;
  ExprRef value, covers; // what it stores; the elements that are stored so, each by one thread
} LaneCount;
bool lane_count(LaneCount *store); // false: it is not, or its value and the elements are not known
// What is known of counters in shared memory that start at an array (`found` names it) that was made of what
// the tally counted.
void lane_tallies_of_blocks(const LaneLaunch *drawing, const HostTally *tally, LaunchTally found,
                            LaunchContext *launch);

#endif
