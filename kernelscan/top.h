// Of what stands beside the sub-rooms of kernelscan: what they still call by name.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_TOP_H
#define HGRD_KERNELSCAN_TOP_H

#include "kernelscan/query.h"

// dump_sync.c
void dump_sync(Scan *scan); // if --dump=sync asks for it

// mend.c
// Keeps a goal that has an answer; then looks for what would refute them all.
void mend_keep(Scan *scan, const SrcLoc *one, const SrcLoc *two, const Goal *goal,
               const SolverAnswer *answer);
void mend_search(Scan *scan);

// kernelscan.c
bool launch_dimension_matters(const Scan *scan, int index); // of LaunchContext.dimensions
// Has the dimension any extent although the kernel, of which no launch is seen, never looks along it?
bool launch_extent_is_free(const Scan *scan, int index);
// Without looking for missing facts.
KernelResult *kernelscan_check_plain(const KernelScanRequest *request, Arena *arena);

#endif
