// Which loads of shared memory, or of a word of global memory that belongs to the block (own_words.c), give
// one value to all threads of a block that read one address between the same two barriers? Those whose object
// nothing writes there. Method: for each block-wide point, the states
// of its way graph in which the load is made against those in which the object may be written; a pair of
// states does not count if a uniform branch that both threads pass once sends them different ways, nor does a
// write of other bytes of the variable (the next member of a struct). Soundness:
// an under-approximation, coinductive with uniform.c: both start from "all are" and only take back, so that
// what is left holds by induction over the steps of the two threads since their last common barrier.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

typedef struct Interval {
  WayGraph *graph;
  uint8_t **reaching; // by state: from which states it can be reached; NULL until asked
} Interval;

enum { MEETING_LIMIT = 100000 }; // pairs of states looked at; beyond, they count as meeting

// What is kept of a scan.
typedef struct Stability {
  Interval *intervals; // by point; graph NULL where the point does not order a block
  uint32_t looked_at;
} Stability;

static Stability *stability_of(Scan *scan) {
  return SCAN_STATE_OF(scan, stable, Stability);
}

static const uint8_t *states_reaching(Scan *scan, Interval *interval, uint32_t state) {
  if (interval->reaching[state]) return interval->reaching[state];
  const WayGraph *graph = interval->graph;
  uint8_t *seen = arena_array(scan->arena, graph->states.count, uint8_t);
  uint32_t *stack = arena_array(scan->arena, graph->states.count, uint32_t), depth = 0;
  seen[state] = 1;
  stack[depth++] = state;
  while (depth) {
    const State *at = &graph->states.items[stack[--depth]];
    for (uint32_t e = at->pred_first; e < at->pred_first + at->pred_count; e++) {
      uint32_t from = graph->edges.items[e].from;
      if (seen[from]) continue;
      seen[from] = 1;
      stack[depth++] = from;
    }
  }
  return interval->reaching[state] = seen;
}

static bool is_successor(const WayGraph *graph, uint32_t from, uint32_t to) {
  const State *target = &graph->states.items[to];
  for (uint32_t e = target->pred_first; e < target->pred_first + target->pred_count; e++)
    if (graph->edges.items[e].from == from) return true;
  return false;
}

// Both threads pass this state once, at the same instance, and go on the same way.
static bool is_common_turn(Scan *scan, Interval *interval, uint32_t state) {
  const WayGraph *graph = interval->graph;
  const State *at = &graph->states.items[state];
  uint32_t block = scan->nodes.items[at->node].block;
  if (at->node != scan->node_first[block + 1] - 1 || graph->goes_round[at->phase]) return false;
  const IrInst *end = ir_terminator(scan->fn, block);
  if (!ir_inst_is(end, IR_FORKS) || !uniform_ref(scan, end->ops[0])) return false;
  const uint8_t *to_turn = states_reaching(scan, interval, state);
  for (uint32_t t = 0; t < graph->states.count; t++)
    if (to_turn[t] && is_successor(graph, state, t)) return false; // it may come round
  return true;
}

// After the turn, can one thread get to `a` and the other to `b` on the same edge?
static bool one_edge_leads_to_both(Scan *scan, Interval *interval, uint32_t turn, uint32_t a, uint32_t b) {
  const WayGraph *graph = interval->graph;
  const uint8_t *to_a = states_reaching(scan, interval, a), *to_b = states_reaching(scan, interval, b);
  for (uint32_t t = 0; t < graph->states.count; t++)
    if (to_a[t] && to_b[t] && is_successor(graph, turn, t)) return true;
  return false;
}

// Can two threads be in these two states, both after the same instance of the point?
static bool states_meet(Scan *scan, Interval *interval, uint32_t a, uint32_t b) {
  if (stability_of(scan)->looked_at++ >= MEETING_LIMIT) return true;
  for (uint32_t turn = ways_common_dominator(interval->graph, a, b);;
       turn = interval->graph->states.items[turn].idom) {
    if (turn != a && turn != b && is_common_turn(scan, interval, turn) &&
        !one_edge_leads_to_both(scan, interval, turn, a, b))
      return false;
    if (turn == 0) return true;
  }
}

static bool nodes_meet(Scan *scan, Interval *interval, uint32_t one, uint32_t two) {
  for (uint32_t p = 0; p <= interval->graph->loop_count; p++) {
    uint32_t a = ways_state(interval->graph, one, p);
    for (uint32_t q = 0; a != CFG_NONE && q <= interval->graph->loop_count; q++) {
      uint32_t b = ways_state(interval->graph, two, q);
      if (b != CFG_NONE && states_meet(scan, interval, a, b)) return true;
    }
  }
  return false;
}

bool stable_may_write(const Scan *scan, uint32_t access, uint32_t load) {
  ASSERT(access < scan->accesses.count);
  ASSERT(scan_has_inst(scan, load));
  const Access *write = &scan->accesses.items[access];
  return !operation_is_only_read(scan, write) &&
         access_may_touch(scan, access, scan->reaches[load].objects[0]) &&
         !access_is_apart(scan, &scan->accesses.items[load], write);
}

static bool comes_to(const Interval *interval, uint32_t node) {
  for (uint32_t p = 0; interval->graph && p <= interval->graph->loop_count; p++)
    if (ways_state(interval->graph, node, p) != CFG_NONE) return true;
  return false;
}

// An asynchronous copy may go on behind any barrier, as may what is between its halves.
static bool is_written_later(const Scan *scan, uint32_t load) {
  for (uint32_t w = 0; w < scan->accesses.count; w++)
    if ((scan->accesses.items[w].is_async || scan->accesses.items[w].is_loose) &&
        stable_may_write(scan, w, load))
      return true;
  return false;
}

static bool is_stable(Scan *scan, uint32_t load) {
  uint32_t node = scan->accesses.items[load].node;
  if (is_written_later(scan, load)) return false;
  for (uint32_t p = 0; p < scan->points.count; p++) {
    Interval *interval = &stability_of(scan)->intervals[p];
    if (!comes_to(interval, node)) continue;
    for (uint32_t w = 0; w < scan->accesses.count; w++)
      if (stable_may_write(scan, w, load) && nodes_meet(scan, interval, node, scan->accesses.items[w].node))
        return false;
  }
  return true;
}

// A load, or an atomic operation that only looks.
static bool is_candidate(const Scan *scan, uint32_t access) {
  const Reach *reach = &scan->reaches[access];
  const Access *read = &scan->accesses.items[access];
  IrOp op = (IrOp)scan->fn->insts.items[read->inst].op;
  bool reads = op == IR_LOAD || (op == IR_ATOMICRMW && operation_is_only_read(scan, read));
  if (!reads || scan->has_opaque || read->is_loose || !reach->is_complete || reach->count != 1) return false;
  return scan->objects.items[reach->objects[0]].kind == OBJ_SHARED || own_word_of_block(scan, access);
}

void stable_start(Scan *scan) {
  scan->alike.is_broadcast = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  bool any = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    scan->alike.is_broadcast[scan->accesses.items[a].inst] = is_candidate(scan, a);
    any |= is_candidate(scan, a);
  }
  Stability *stability = stability_of(scan);
  *stability = (Stability){0}; // there may be more barriers than when it was asked first
  stability->intervals = arena_array(scan->arena, scan->points.count + 1, Interval);
  for (uint32_t p = 0; any && p < scan->points.count; p++) {
    if (!point_orders(&scan->points.items[p], couple_of(EXTENT_INTRA_BLOCK))) continue;
    Interval *interval = &stability->intervals[p];
    interval->graph = ways_make(scan, &scan->points.items[p], couple_of(EXTENT_INTRA_BLOCK));
    interval->reaching = arena_array(scan->arena, interval->graph->states.count, uint8_t *);
  }
}

bool stable_take_back(Scan *scan) {
  bool changed = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    uint32_t inst = scan->accesses.items[a].inst;
    if (!scan->alike.is_broadcast[inst] || !is_candidate(scan, a) || is_stable(scan, a)) continue;
    scan->alike.is_broadcast[inst] = 0;
    changed = true;
  }
  return changed;
}
