// What do paths through the kernel pass? Fences of sufficient scope on every path or on some, barriers that begin
// and end an interval, instructions that a thread comes to without others. Method: depth-first search over
// blocks. Soundness: paths are over-approximated, so "every path has a fence" is a proof; paths through barriers go
// on as another thread of the block.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/kernel.h"

const MemoryRules *order_memory_rules(const Scan *scan) {
  ASSERT(scan->request->options.memory_model <= MEMORY_MODEL_SCORD);
  return memory_rules(scan->request->options.memory_model);
}

uint32_t order_loop_of_both(const Scan *scan, uint32_t one, uint32_t two, bool is_outermost) {
  ASSERT(scan_has_inst(scan, one) && scan_has_inst(scan, two));
  const Cfg *cfg = scan->cfg;
  uint32_t found = CFG_NONE, block = inst_at(scan, two)->block;
  for (uint32_t l = cfg->loop_of[inst_at(scan, one)->block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    if (cfg_loop_contains(cfg, l, block) && (is_outermost || found == CFG_NONE)) found = l;
  return found;
}

// ---- operations
bool order_may_release(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  return operation_is_strong(scan, access) && !operation_is_only_read(scan, access);
}

bool order_may_acquire(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  return operation_is_strong(scan, access) && inst_at(scan, access->inst)->op != IR_STORE;
}

bool order_looks(const Scan *scan, const Access *access) {
  return order_may_acquire(scan, access) && operation_is_only_read(scan, access);
}

// ---- paths and fences
typedef struct FenceSearch {
  const Scan *scan;
  uint32_t to;
  IrScope scope;
  OrderSide side;
  Couple couple;               // paths end at its barriers; EXTENT_COUNT: they do not
  bool wants_fence;            // looks for a path with a fence, not for one without
  bool is_of_one;              // paths of one thread: barriers hand nothing over
  bool to_releases;            // `to` has release order: as if a fence stood right before it
  bool has_left[FENCE_STATES]; // a path has been followed on from the end of the kernel
  uint8_t *seen;               // by block * FENCE_STATES + state
  uint32_t *stack, depth;
} FenceSearch;

bool order_separates(const Scan *scan, uint32_t barrier, Couple couple) {
  ASSERT(couple.extent <= EXTENT_NONE);
  if (couple.extent == EXTENT_COUNT) return false;
  for (uint32_t p = 0; p < scan->points.count; p++)
    if (scan->points.items[p].inst == barrier && point_orders(&scan->points.items[p], couple)) return true;
  return false;
}

static bool is_met(const FenceSearch *search, FenceState state) {
  bool is_fenced = state == FENCE_SEEN || (search->to_releases && state == FENCE_NOT_SEEN);
  return is_fenced == search->wants_fence;
}

IrScope order_fences(const Scan *scan, uint32_t inst) {
  ASSERT(scan_has_inst(scan, inst));
  const IrInst *info = &scan->fn->insts.items[inst];
  bool is_fence = memory_is_fence(info, SIDE_ACQUIRE) || arrivals_is_barrier(scan, inst);
  return is_fence ? (IrScope)info->scope : IR_SCOPE_THREAD;
}

static bool search_block(FenceSearch *search, uint32_t block, uint32_t first, FenceState state);

// A barrier of the block, or of a part of it that the path to the end has not passed for sure.
static bool may_be_behind(const Scan *scan, const Point *point, const uint8_t *later, uint32_t end) {
  if (point_orders(point, couple_of(EXTENT_INTRA_BLOCK))) return later[node_of_inst(scan, point->inst)];
  return !cfg_dominates(scan->cfg, point->block, end) || scan->cfg->loop_of[point->block] != CFG_NONE;
}

// Who has left the kernel has arrived at the barriers of its block that are still to come: another thread goes on there. The arrival of who is gone
// releases to the block, and to nobody else.
static bool search_behind_end(FenceSearch *search, uint32_t end, FenceState state) {
  const Scan *scan = search->scan;
  if (search->is_of_one || search->has_left[state]) return false;
  search->has_left[state] = true;
  const uint8_t *later = node_later(scan, scan->node_first[end + 1] - 1);
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!may_be_behind(scan, point, later, end) || order_separates(scan, point->inst, search->couple))
      continue;
    FenceState behind = memory_behind_barrier(order_memory_rules(scan), search->side, state);
    if (search_block(search, point->block, point->inst + 1, behind)) return true;
  }
  return false;
}

// Walks the rest of a block; true if the goal is met without a fence.
static bool search_block(FenceSearch *search, uint32_t block, uint32_t first, FenceState state) {
  const Scan *scan = search->scan;
  const IrBlock *info = &scan->fn->blocks.items[block];
  uint32_t end = info->first + info->count;
  // Most blocks have nothing that orders; this walk is gone for every pair of accesses.
  if (!scan_text(scan)->may_order[block]) {
    if (search->to >= first && search->to < end && is_met(search, state)) return true;
    first = end;
  }
  for (uint32_t i = first; i < end; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (i == search->to && is_met(search, state)) return true;
    bool is_barrier = arrivals_is_barrier(scan, i);
    if (is_barrier && order_separates(scan, i, search->couple)) return false;
    bool orders = (memory_is_fence(inst, search->side) || is_barrier) && inst->scope >= search->scope;
    if (orders && state == FENCE_NOT_SEEN) state = FENCE_SEEN;
    bool hands_on = is_barrier && inst->scope >= IR_SCOPE_BLOCK && !orders && !search->is_of_one;
    if (hands_on) state = memory_behind_barrier(order_memory_rules(scan), search->side, state);
  }
  for (uint32_t s = scan->cfg->succ_first[block]; s < scan->cfg->succ_first[block + 1]; s++) {
    uint32_t key = scan->cfg->succs[s] * FENCE_STATES + state;
    if (search->seen[key]) continue;
    search->seen[key] = 1;
    search->stack[search->depth++] = key;
  }
  bool is_end = scan->cfg->succ_first[block] == scan->cfg->succ_first[block + 1];
  return is_end && search->side == SIDE_RELEASE && search_behind_end(search, block, state);
}

static bool search_paths(FenceSearch *search, uint32_t from) {
  const Scan *scan = search->scan;
  Arena *scratch = arena_open();
  size_t keys = (size_t)scan->cfg->block_count * FENCE_STATES + 1;
  search->seen = arena_array(scratch, keys, uint8_t);
  search->stack = arena_array(scratch, keys, uint32_t);
  bool found = search_block(search, scan->fn->insts.items[from].block, from + 1, FENCE_NOT_SEEN);
  while (search->depth && !found) {
    uint32_t key = search->stack[--search->depth], block = key / FENCE_STATES;
    found =
        search_block(search, block, scan->fn->blocks.items[block].first, (FenceState)(key % FENCE_STATES));
  }
  arena_close(scratch);
  return found;
}

bool order_lacks_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope scope, OrderSide side) {
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, to));
  FenceSearch search = {
      .scan = scan, .to = to, .scope = scope, .side = side, .couple = couple_of(EXTENT_COUNT)};
  return search_paths(&search, from);
}

bool order_acquires(const Scan *scan, uint32_t read) {
  ASSERT(scan_has_inst(scan, read));
  return memory_acquires(&scan->fn->insts.items[read], false);
}

bool order_acquires_always(const Scan *scan, uint32_t read) {
  ASSERT(scan_has_inst(scan, read));
  return memory_acquires(&scan->fn->insts.items[read], true);
}

bool order_acquires_by(const Scan *scan, uint32_t read, uint32_t to, IrScope scope) {
  // In ScoRD's model fences are the writer's; who reads strongly sees what they have made visible.
  return order_memory_rules(scan)->reads_acquire || order_acquires_always(scan, read) ||
         !order_lacks_fence(scan, read, to, scope, SIDE_ACQUIRE);
}

bool order_relays(const Scan *scan, uint32_t read, uint32_t write, IrScope scope) {
  ASSERT(scan_has_inst(scan, read));
  ASSERT(scan_has_inst(scan, write));
  bool acquires = order_acquires(scan, read), releases = order_releases(scan, write);
  if (acquires && releases) return true;
  OrderSide open = acquires ? SIDE_RELEASE : releases ? SIDE_ACQUIRE : SIDE_BOTH;
  return !order_lacks_fence(scan, read, write, scope, open);
}

bool order_releases(const Scan *scan, uint32_t write) {
  ASSERT(scan_has_inst(scan, write));
  return memory_releases(&scan->fn->insts.items[write]);
}

bool order_lacks_release(const Scan *scan, uint32_t from, uint32_t write, IrScope scope, bool is_of_one) {
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, write));
  bool is_of_all = is_of_one || order_memory_rules(scan)->release != FENCE_BESIDE_ACCESS;
  if (order_releases(scan, write) && is_of_all) return false;
  FenceSearch search = {.scan = scan,
                        .to = write,
                        .scope = scope,
                        .side = SIDE_RELEASE,
                        .couple = couple_of(EXTENT_COUNT),
                        .is_of_one = is_of_one,
                        .to_releases = order_releases(scan, write)};
  return search_paths(&search, from);
}

bool order_may_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope scope, OrderSide side,
                     Couple couple, bool is_of_one) {
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, to));
  ASSERT(couple.extent <= EXTENT_NONE);
  FenceSearch search = {.scan = scan,
                        .to = to,
                        .scope = scope,
                        .side = side,
                        .couple = couple,
                        .wants_fence = true,
                        .is_of_one = is_of_one,
                        .to_releases = side == SIDE_RELEASE && order_releases(scan, to) &&
                                       operation_scope(scan, operation_access(scan, to)) >= scope};
  return search_paths(&search, from);
}

uint32_t order_narrow_fence(const Scan *scan, uint32_t from, uint32_t to, IrScope needed) {
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, to));
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (inst->op == IR_FENCE && inst->scope < needed && graph_reaches(scan, from, i) &&
        graph_reaches(scan, i, to))
      return i;
  }
  return CFG_NONE;
}

const char *order_narrow_words(const Scan *scan, uint32_t inst, IrScope needed) {
  ASSERT(inst == CFG_NONE || scan_has_inst(scan, inst));
  if (needed <= IR_SCOPE_BLOCK)
    return "a scope of its own thread only; the other access is in another thread";
  bool is_of_cluster = inst != CFG_NONE && scan->fn->insts.items[inst].scope == IR_SCOPE_CLUSTER;
  return is_of_cluster ? "cluster scope; the other access may be in another cluster"
                       : "block scope; the other access is in another block";
}

bool order_reaches_in(const Scan *scan, uint32_t from, uint32_t to, Couple couple) {
  ASSERT(scan_has_inst(scan, from));
  ASSERT(scan_has_inst(scan, to));
  ASSERT(couple.extent <= EXTENT_NONE);
  FenceSearch search = {.scan = scan, .to = to, .scope = IR_SCOPE_COUNT, .couple = couple};
  return search_paths(&search, from);
}

// Nodes between the point and the next barriers of the whole group that the extent lies in.
static const uint8_t *interval_of(Order *order, uint32_t point, Extent extent, uint8_t **known) {
  Scan *scan = order->scan;
  if (!point_orders(&scan->points.items[point], couple_of(extent))) return NULL;
  if (known[point]) return known[point];
  WayGraph *graph = ways_make(scan, &scan->points.items[point], couple_of(extent));
  uint8_t *nodes = arena_array(scan->arena, scan->nodes.count + 1, uint8_t);
  for (uint32_t s = 0; s < graph->states.count; s++)
    nodes[graph->states.items[s].node] = 1;
  return known[point] = nodes;
}

bool order_next_interval(Order *order, const Access *access, OrderInterval *interval) {
  ASSERT(scan_has_access(order->scan, access));
  const Scan *scan = order->scan;
  while (interval->next < scan->points.count) {
    uint32_t p = interval->next++;
    interval->nodes = interval->is_of_warp ? interval_of(order, p, EXTENT_INTRA_WARP, order->warp_intervals)
                                           : interval_of(order, p, EXTENT_INTRA_BLOCK, order->intervals);
    if (!interval->nodes || !interval->nodes[access->node]) continue;
    interval->point = &scan->points.items[p];
    interval->is_entry = p == 0;
    return true;
  }
  return false;
}

bool order_is_before_all(Order *order, const Access *write, const Access *later) {
  ASSERT(scan_has_access(order->scan, write));
  ASSERT(scan_has_access(order->scan, later));
  for (OrderInterval i = {0}; order_next_interval(order, later, &i);)
    if (i.is_entry) return false;
  for (OrderInterval i = {0}; order_next_interval(order, write, &i);)
    if (!i.is_entry) return false;
  return true;
}

uint8_t *order_marks(const Scan *scan, uint32_t inst) {
  ASSERT(inst == CFG_NONE || scan_has_inst(scan, inst));
  uint8_t *marks = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  if (inst != CFG_NONE) marks[inst] = 1;
  return marks;
}

bool order_leads_to(const Order *order, uint32_t from, uint32_t to, uint32_t avoided) {
  ASSERT(scan_has_inst(order->scan, from) && scan_has_inst(order->scan, to) &&
         scan_has_inst(order->scan, avoided));
  Arena *scratch = arena_open();
  uint8_t *ends[2];
  for (int i = 0; i < 2; i++)
    ends[i] = arena_array(scratch, order->scan->fn->insts.count + 1, uint8_t);
  ends[0][to] = ends[1][avoided] = 1;
  bool leads = graph_walk(order->scan, &(GraphWalk){.from = from, .wanted = ends[0], .avoided = ends[1]});
  arena_close(scratch);
  return leads;
}

bool order_leader_avoids(const Order *order, uint32_t avoided, uint32_t to) {
  const Scan *scan = order->scan;
  return graph_walk(order->scan, &(GraphWalk){.from = CFG_NONE,
                                              .wanted = order_marks(scan, to),
                                              .avoided = order_marks(scan, avoided),
                                              .only = order->is_feasible[CLASS_LEADER]});
}
