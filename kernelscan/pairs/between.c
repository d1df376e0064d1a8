// Between which barriers do the two accesses of a question stand, where running its threads has not told?
// Method: both threads set out together from the question's point, and get to their accesses without another
// one that holds both; from there, all ways on are followed to the next such barriers. Soundness: no effect on
// verdicts. Said is only what holds on every way: a barrier behind an access is named if no way on misses it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/graph.h"

static WitnessBarrier barrier_at(const Scan *scan, uint32_t inst, IrScope scope) {
  return (WitnessBarrier){*ir_loc(scan->module, scan->fn->insts.items[inst].loc), scope, true};
}

// The barrier at the node's end that holds the couple together; or NULL.
static const Point *point_behind(const Scan *scan, const Node *node, Couple couple) {
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (node->end > node->first && point->inst == node->end - 1 && point_orders(point, couple)) return point;
  }
  return NULL;
}

static bool ends_kernel(const Scan *scan, const Node *node) {
  const IrInst *last = &scan->fn->insts.items[node->end - 1];
  return node->end > node->first && last->op == IR_RET;
}

static void fill_after(Scan *scan, const Access *access, Couple couple, WitnessInterval *interval) {
  const uint8_t *stretch = node_stretch(scan, access->node, couple);
  const Point *next = NULL;
  bool may_end = false, is_one = true;
  for (uint32_t n = 0; n < scan->nodes.count; n++) {
    if (!stretch[n]) continue;
    const Point *point = point_behind(scan, &scan->nodes.items[n], couple);
    is_one &= !point || !next || point->inst == next->inst;
    if (point) next = point;
    may_end |= !point && ends_kernel(scan, &scan->nodes.items[n]);
  }
  if (next && (!is_one || may_end)) return;
  interval->is_whole = true;
  if (next) vec_push(scan->arena, &interval->after, barrier_at(scan, next->inst, next->scope));
}

void between_fill(const Question *question, RaceFacts *race) {
  Scan *scan = question->pairs->scan;
  const Point *point = question->meeting->graph->point;
  bool is_told = race->witness.threads[0].interval.is_known;
  if (is_told || question->is_bundle || question->one->carried || question->two->carried) return;
  for (int t = 0; t < 2; t++) {
    WitnessInterval *interval = &race->witness.threads[t].interval;
    *interval = (WitnessInterval){.is_known = true};
    if (point->inst != CFG_NONE)
      vec_push(scan->arena, &interval->before, barrier_at(scan, point->inst, point->scope));
    fill_after(scan, race->accesses[t], meeting_couple(question->meeting, race->extent), interval);
  }
}

void between_fill_after(Scan *scan, Couple couple, RaceFacts *race) {
  ASSERT(couple.extent <= EXTENT_NONE);
  for (int t = 0; t < 2; t++) {
    WitnessInterval *interval = &race->witness.threads[t].interval;
    bool is_open = interval->is_known && !interval->is_whole && interval->after.count == 0;
    if (is_open && !race->accesses[t]->is_async) fill_after(scan, race->accesses[t], couple, interval);
  }
}
