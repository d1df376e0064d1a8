// The door of hostscan/launch/: a launch as it is read: what it starts, with which arguments, what these hold; how one
// says it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_LAUNCH_H
#define HGRD_HOSTSCAN_LAUNCH_H

#include "hostscan/scan.h"

// launch.c
// Adds one context for each kernel the launch may start.
void host_launch_read(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind);

// handed_kernels.c
// Adds one for each kernel, launched elsewhere, that code may start which is not seen.
void host_kernels_handed(HostScan *scan);

// children.c
// Adds a context for each launch that kernels of the launches so far make themselves.
void host_children_add(HostScan *scan);

#endif
