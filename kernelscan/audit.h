// Shared by audit.c and those who say what was proved: pairs.c, kernelscan.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_AUDIT_H
#define HGRD_KERNELSCAN_AUDIT_H

#include "kernelscan/witness.h"

// All three do nothing unless the request asks for an audit.
// The two accesses can meet, and were proved to be ordered all the same: runs of the model are to bear it
// out.
void audit_note_ordered(Scan *scan, const ReplayQuery *query);
// Nothing is claimed of the two in this extent: open, racy, or a race that is not told as one.
void audit_excuse(Scan *scan, const Access *one, const Access *two, Extent extent);
// Runs the kernel, and lists what contradicts the result in it; a verdict that is contradicted is none.
void audit_check(Scan *scan);

#endif
