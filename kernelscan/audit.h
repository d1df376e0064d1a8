// Shared by audit.c and those who say what was proved: pairs.c, kernelscan.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_AUDIT_H
#define HGRD_KERNELSCAN_AUDIT_H

#include "kernelscan/scan.h"

// Runs the kernel, and lists what contradicts the result in it; a verdict that is contradicted is none.
void audit_check(Scan *scan);

#endif
