// The door of hostscan/facts/: what holds whenever control is somewhere, and which of that says something of a launch.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_FACTS_H
#define HGRD_HOSTSCAN_FACTS_H

#include "hostscan/scan.h"

// facts.c
// What held when control was at the instruction, as far as its own function says (indices of scan->facts).
void host_facts_at(HostScan *scan, HostFrame *frame, uint32_t inst, IndexList *out);
// Limits of the machine and of __launch_bounds__ (max_threads, 0: none).
void host_facts_hardware(ExprPool *pool, Arena *arena, LaunchContext *launch, uint32_t max_threads);

// clusters.c
void host_clusters_set(ExprPool *pool, LaunchContext *launch, const uint32_t *size); // NULL: of one block
void host_clusters_forget(LaunchContext *launch);
// What the kernel itself says of the size, and what follows from a size that is known.
void host_clusters_of_kernel(ExprPool *pool, Arena *arena, LaunchContext *launch, const IrFunction *kernel);
// Both again, behind all that the host says.
void host_clusters_settle(HostScan *scan, LaunchContext *launch, const IrFunction *kernel);

// relevant.c
// Adds to the launch those facts that hold at its place and say something of its values.
void host_facts_collect(HostScan *scan, HostFrame *frame, uint32_t inst, LaunchContext *launch);

#endif
