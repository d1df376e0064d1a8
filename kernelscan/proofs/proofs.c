// Does an earlier proof cover this question? A goal is a conjunction; if a part of it was refuted already, so
// is all of it. Reads and writes of one place under more and more conditions ask much the same of the solver:
// the question with the fewest conditions answers for the others. Method: sets of conditions, kept sorted,
// each with a word of bits that dismisses most comparisons. Soundness: conditions are compared as they are,
// hash-consed and all of one launch; whether the larger goal could hold without its conflict is not known
// from that, so its accesses are asked for by themselves at the end (liveness.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/proofs.h"

#include <stdlib.h>

static int by_number(const void *one, const void *two) {
  ExprRef a = *(const ExprRef *)one, b = *(const ExprRef *)two;
  return a < b ? -1 : a > b;
}

Refuted proofs_of(Scan *scan, const Goal *goal) {
  uint32_t count = goal->conditions.count;
  ExprRef *conditions = arena_array(scan->arena, count + 1, ExprRef);
  Refuted proof = {.count = count, .conditions = conditions};
  for (uint32_t i = 0; i < count; i++) {
    conditions[i] = goal->conditions.items[i].condition;
    ASSERT(scan_has_word(scan, conditions[i], 1));
    proof.bits |= (uint64_t)1 << (conditions[i] * 2654435761u >> 26);
  }
  qsort(conditions, count, sizeof *conditions, by_number);
  return proof;
}

static bool is_sorted(const Refuted *proof) {
  for (uint32_t i = 1; i < proof->count; i++)
    if (proof->conditions[i - 1] > proof->conditions[i]) return false;
  return true;
}

static bool is_part(const Refuted *part, const Refuted *whole) {
  if (part->count > whole->count || (part->bits & ~whole->bits)) return false;
  uint32_t at = 0;
  for (uint32_t i = 0; i < part->count; i++) {
    while (at < whole->count && whole->conditions[at] < part->conditions[i])
      at++;
    if (at == whole->count || whole->conditions[at] != part->conditions[i]) return false;
  }
  return true;
}

// What is kept of a scan.
typedef struct Kept {
  VEC(Refuted) proofs;
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, proofs, Kept);
}

bool proofs_cover(const Scan *scan, const Refuted *goal) {
  ASSERT(is_sorted(goal));
  const Kept *kept = kept_of(scan);
  for (uint32_t i = kept->proofs.count; i > 0; i--)
    if (is_part(&kept->proofs.items[i - 1], goal)) return true;
  return false;
}

void proofs_keep(Scan *scan, Refuted proof) {
  ASSERT(is_sorted(&proof));
  vec_push(scan->arena, &kept_of(scan)->proofs, proof);
}
