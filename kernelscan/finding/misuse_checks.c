// Which mistakes in the synchronisation itself does the kernel make? Method: each row of misuse.def in turn.
// Soundness: findings only.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"

void misuse_check(Scan *scan) {
#define MISUSE(check) misuse_##check(scan);
#include "kernelscan/finding/misuse.def"
#undef MISUSE
}
