// Which threads does a synchronisation point hold together? Method: by its scope, and, for a barrier of a
// part, by whether both threads of the question are in that part (Couple). Soundness: a point
// that is divergent, or whose part is not asked about, orders nobody.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/graph.h"

bool point_orders(const Point *point, Couple couple) {
  ASSERT(couple.extent <= EXTENT_NONE);
  return !point->is_divergent && point_would_order(point, couple);
}

bool point_would_order(const Point *point, Couple couple) {
  ASSERT(couple.extent <= EXTENT_NONE);
  Extent extent = couple.extent;
  bool is_wide = point->scope >= IR_SCOPE_BLOCK; // holds threads of several warps together
  if (point->cover)
    return (extent == EXTENT_INTRA_WARP || (is_wide && extent == EXTENT_INTRA_BLOCK)) &&
           (couple.covering >> (point->cover - 1) & 1);
  if (point->inst == CFG_NONE || point->scope == IR_SCOPE_DEVICE) return true;
  if (point->scope == IR_SCOPE_CLUSTER) return extent != EXTENT_INTER_BLOCK;
  if (point->scope == IR_SCOPE_BLOCK) return !extent_is_between_blocks(extent);
  return extent == EXTENT_INTRA_WARP;
}

bool point_is_of_all(const Point *point) {
  ASSERT(point->scope < IR_SCOPE_COUNT && point->cover <= COVER_LIMIT);
  return point->scope >= IR_SCOPE_BLOCK && !point->cover;
}

// What is kept of a scan.
typedef struct Kept {
  bool knows_divergent;
} Kept;

bool points_know_divergent(const Scan *scan) {
  ASSERT(scan->points.count); // after scan_collect
  return SCAN_STATE_OF(scan, points, Kept)->knows_divergent;
}

void points_set_divergent_known(Scan *scan) {
  ASSERT(scan->points.count && !points_know_divergent(scan)); // once
  SCAN_STATE_OF(scan, points, Kept)->knows_divergent = true;
}
