// What is already told of a leaf? Each value of each frame asks before it tells anything, so that looking at all that was told
// would take a time that grows with the square. Method: an index of Scan.invariants, made longer when it is asked; they are
// added to by whoever knows something, and none is taken out. Soundness: a plain index; it decides nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/query/query.h"

#include "core/table.h"

// What is kept of a scan.
typedef struct Kept {
  uint32_t count; // of invariants that the index has
  Map leaves, conditions;
} Kept;

static const Kept *index_of(Scan *scan) {
  Kept *kept = SCAN_STATE_OF(scan, invariant_index, Kept);
  ASSERT(kept->count <= scan->invariants.count);
  for (; kept->count < scan->invariants.count; kept->count++) {
    const Invariant *invariant = &scan->invariants.items[kept->count];
    map_set(scan->arena, &kept->leaves, invariant->leaf, 1);
    map_set(scan->arena, &kept->conditions, invariant->condition, 1);
  }
  return kept;
}

bool invariants_tell_of(Scan *scan, ExprRef leaf) {
  ASSERT(scan_has_expr(scan, leaf));
  return map_get(&index_of(scan)->leaves, leaf) != 0;
}

bool invariants_say(Scan *scan, ExprRef condition) {
  ASSERT(scan_has_word(scan, condition, 1));
  return map_get(&index_of(scan)->conditions, condition) != 0;
}
