// Of what stands beside the sub-rooms of kernelscan: what they still call by name.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_TOP_H
#define HGRD_KERNELSCAN_TOP_H

#include "kernelscan/scan.h"

// dump_sync.c
void dump_sync(Scan *scan); // if --dump=sync asks for it

// missing_fact.c
// Is there one fact of the launch under which nothing that was told is left? Notes it with the findings.
void missing_fact_search(Scan *scan);

// kernelscan.c
// kernelscan_check without looking for missing facts.
KernelResult *kernelscan_check_plain(const KernelScanRequest *request, Arena *arena);

#endif
