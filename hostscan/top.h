// What stands above all sub-rooms of the host scan: the walk over the program, and what is added to all launches at its end.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_TOP_H
#define HGRD_HOSTSCAN_TOP_H

#include "hostscan/scan.h"

void host_computed_add(HostScan *scan); // to the objects of all launches: who else wrote them before

#endif
