// The threads of a launch, of which it is not said which ones: what they store, add and count.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_CONTENTS_LANE_H
#define HGRD_HOSTSCAN_CONTENTS_LANE_H

#include "hostscan/contents/contents.h"

// ---- launch_writes.c
enum { LANE_STORES = 4 }; // of one launch to one array, and as many additions, are looked at
// Reads the launch and what its kernel writes; false if that is not understood, or does not meet the cell (a
// cell without a base is none).
bool lane_open_launch(LaneLaunch *launch, HostCallKind kind);

// Conditions of the edges that dominate the block, and those among them that not all pass who come to the
// edge; true if who passes them surely comes there.
typedef VEC(ExprRef) LaneConditions;
bool lane_way_to(Lane *lane, uint32_t block, LaneConditions *conditions, LaneConditions *needed);

// ---- launch_histograms.c
// What the launch counts, as a function of the element, one for each launch, array and store: by its additions (`store` is CFG_NONE), or what its
// blocks have counted in shared memory and put there by this store.
uint32_t lane_histogram(const LaneLaunch *launch, uint32_t store);
// What the element holds behind a launch that does nothing but add to it.
ExprRef host_histogram(const LaneLaunch *launch, ExprRef before);
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

// ---- block_histograms.c
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
// the histogram counted.
void lane_histograms_of_blocks(const LaneLaunch *drawing, const HostHistogram *histogram,
                               LaunchHistogram found, LaunchContext *launch);

#endif
