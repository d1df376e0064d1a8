// Which mistakes in the synchronisation itself does the kernel make? Method: each row of misuse.def in turn.
// Soundness: findings only.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"
#include "kernelscan/graph.h"

void misuse_check(Scan *scan) {
  ASSERT(scan->reaches && points_know_divergent(scan)); // after divergence_find
#define MISUSE(check) misuse_##check(scan);
#include "kernelscan/finding/misuse.def"
#undef MISUSE
}
