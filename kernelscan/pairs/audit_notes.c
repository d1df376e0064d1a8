// What was said of two accesses, for those who compare proofs with runs (audit.c): nothing is claimed of the
// two, or they can meet and were proved to be ordered all the same. Method: lists, asked for by the request.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"

enum { ORDERED_LIMIT = 48 };

Audit *audit_of(const Scan *scan) {
  if (!scan->request->options.audit_steps || scan->start.without_mend) return NULL;
  return SCAN_STATE_OF(scan, audit_notes, Audit);
}

PairOf audit_pair_of(const uint32_t inst[2], const bool is_write[2], Extent extent) {
  ASSERT(scan_is_extent(extent));
  int first = inst[0] > inst[1] || (inst[0] == inst[1] && is_write[1]);
  return (PairOf){{inst[first], inst[1 - first]}, {is_write[first], is_write[1 - first]}, extent};
}

static PairOf pair_of_accesses(const Access *one, const Access *two, Extent extent) {
  uint32_t inst[2] = {one->inst, two->inst};
  bool is_write[2] = {one->kind != ACCESS_READ, two->kind != ACCESS_READ};
  return audit_pair_of(inst, is_write, extent);
}

bool audit_same_pair(const PairOf *a, const PairOf *b) {
  return a->inst[0] == b->inst[0] && a->inst[1] == b->inst[1] && a->extent == b->extent;
}

bool audit_is_excused(const Audit *audit, const PairOf *pair) {
  for (uint32_t i = 0; i < audit->excused.count; i++)
    if (audit_same_pair(&audit->excused.items[i], pair)) return true;
  return false;
}

bool audit_is_ordered(const Audit *audit, const PairOf *pair) {
  for (uint32_t i = 0; i < audit->ordered.count; i++)
    if (audit_same_pair(&audit->ordered.items[i].pair, pair)) return true;
  return false;
}

void audit_excuse(Scan *scan, const Access *one, const Access *two, Extent extent) {
  ASSERT(scan_has_access(scan, one));
  ASSERT(scan_has_access(scan, two));
  ASSERT(scan_is_extent(extent));
  Audit *audit = audit_of(scan);
  PairOf pair = pair_of_accesses(one, two, extent);
  if (audit && !audit_is_excused(audit, &pair)) vec_push(scan->arena, &audit->excused, pair);
}

void audit_note_ordered(Scan *scan, const ReplayQuery *query) {
  Audit *audit = audit_of(scan);
  if (!audit || audit->ordered.count >= ORDERED_LIMIT) return;
  Ordered ordered = {pair_of_accesses(query->accesses[0], query->accesses[1], query->couple.extent), *query};
  if (audit_is_ordered(audit, &ordered.pair)) return;
  Goal *goal = arena_new(scan->arena, Goal);
  *goal = goal_copy(scan, query->goal);
  ordered.query.goal = goal;
  ordered.query.answer = arena_copy(scan->arena, query->answer, sizeof *query->answer);
  vec_push(scan->arena, &audit->ordered, ordered);
}
