// The door of hostscan/invariants/: relations between members of a class that hold at each launch.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_INVARIANTS_H
#define HGRD_HOSTSCAN_INVARIANTS_H

#include "hostscan/scan.h"

// invariant.c
void host_invariants_add(HostScan *scan); // to all launches

#endif
