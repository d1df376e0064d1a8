// A counter that a block sets anew between barriers: do two numbers drawn from it belong to one period?
// Method: the periods of a block are cut by its barriers. A reset never stands between the same two barriers
// as a drawing (no point from which both are reached without another), and none stands behind a barrier that
// a thread passes between its drawing and the access that uses the number. (A reset that no drawing can
// follow cuts no periods that are drawn from; it matters only to who reads the counter.) Two threads that
// make their accesses between the same two barriers then drew after the same reset: else the one that drew
// first passed through the stretch with the other reset on its way to the access. The number is the one drawn
// in the iteration, of all loops around both, in which the access is made. Two lanes of one warp may go by
// the points of their warp, if no thread of another warp makes a reset at the counter of theirs. Soundness:
// exact on the graph of nodes; whatever may reset counts.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/proofs.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"

// All nodes from which there is a way to this one that does not lead through `without`, in one iteration of
// the loops around both.
static const uint8_t *reaching(Scan *scan, uint32_t node, uint32_t without) {
  const Cfg *cfg = scan->cfg;
  uint32_t one = scan->nodes.items[node].block, other = scan->nodes.items[without].block;
  NodeWalk walk = node_walk(scan);
  node_walk_visit(&walk, node);
  while (walk.depth) {
    uint32_t at = walk.stack[--walk.depth], block = scan->nodes.items[at].block;
    if (at == without) continue;
    if (at != scan->node_first[block]) {
      node_walk_visit(&walk, at - 1);
      continue;
    }
    for (uint32_t p = cfg->pred_first[block]; p < cfg->pred_first[block + 1]; p++) {
      uint32_t from = cfg->preds[p], loop = cfg->loop_of[block];
      bool is_header = loop != CFG_NONE && cfg->loops.items[loop].header == block;
      bool is_next_round = is_header && cfg_loop_contains(cfg, loop, from) &&
                           cfg_loop_contains(cfg, loop, one) && cfg_loop_contains(cfg, loop, other);
      if (cfg->rpo_number[from] != CFG_NONE && !is_next_round)
        node_walk_visit(&walk, scan->node_first[from + 1] - 1);
    }
  }
  return node_walk_end(&walk);
}

static bool is_drawing(const IrInst *inst) {
  return inst->op == IR_ATOMICRMW && (inst->rmw == IR_RMW_ADD || inst->rmw == IR_RMW_SUB);
}

// By node: some thread may be there when another one is at this node, or later. Who is at the node may leave
// the kernel behind it, so the ways are those from the barriers before it.
static const uint8_t *reached_by_others(Scan *scan, Extent extent, uint32_t node) {
  uint8_t *reached = arena_array(scan->arena, scan->nodes.count + 1, uint8_t);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple_of(extent)) || !node_stretch(scan, point->node, couple_of(extent))[node])
      continue;
    const uint8_t *ways = node_reached_from(scan, point->node, false);
    for (uint32_t n = 0; n < scan->nodes.count; n++)
      reached[n] |= ways[n];
  }
  return reached;
}

// Can any thread draw from the counter after the reset, or between the same barriers?
static bool is_drawn_from_after(Scan *scan, Extent extent, uint32_t object, uint32_t reset_node) {
  const uint8_t *later = reached_by_others(scan, extent, reset_node);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = &scan->fn->insts.items[access->inst];
    if (is_drawing(inst) && later[access->node] && access_may_touch(scan, a, object)) return true;
  }
  return false;
}

// Neither between the same two barriers as the drawing, nor in a stretch between it and the access.
static bool is_apart(Scan *scan, Extent extent, uint32_t object, uint32_t reset, uint32_t drawing,
                     uint32_t access, bool is_reading) {
  uint32_t reset_node = node_of_inst(scan, reset), draw_node = node_of_inst(scan, drawing),
           access_node = node_of_inst(scan, access);
  if (access_node == draw_node && access < drawing) return false; // it used an earlier number
  // After a reset that no drawing follows, all that were drawn are of the period before; not so what is read.
  bool is_followed = is_reading || is_drawn_from_after(scan, extent, object, reset_node);
  const uint8_t *before_access = reaching(scan, access_node, draw_node);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple_of(extent))) continue;
    const uint8_t *stretch = node_stretch(scan, point->node, couple_of(extent));
    if (!stretch[reset_node]) continue;
    if (stretch[draw_node]) return false;
    bool is_between = is_followed && point->inst != CFG_NONE && access_node != draw_node &&
                      node_reached_from(scan, draw_node, false)[point->node] && before_access[point->node];
    if (is_between) return false;
  }
  return true;
}

// Any write that is no addition or subtraction, and may be to a counter in the object.
bool resets_may_reset(Scan *scan, const Access *access, uint32_t object) {
  ASSERT(scan_has_access(scan, access));
  ASSERT(scan_has_object(scan, object));
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  if (access->kind == ACCESS_READ || is_drawing(inst)) return false;
  return access_may_touch(scan, (uint32_t)(access - scan->accesses.items), object) &&
         !counter_words_is_beside(scan, access, object);
}

// Thread 0 reads, and then writes: `n = atomicAdd(total, n)`. Nobody else does either, and nobody twice.
bool resets_is_behind_reading(const Frame *frame, const Access *write, uint32_t reading) {
  ASSERT(frame->view);
  ASSERT(scan_has_access(frame->scan, write));
  ASSERT(scan_has_inst(frame->scan, reading));
  const Scan *scan = frame->scan;
  uint32_t block = scan->fn->insts.items[reading].block;
  return scan->fn->insts.items[write->inst].op == IR_STORE && !write->is_async &&
         scan->fn->insts.items[write->inst].block == block && write->inst > reading &&
         scan->cfg->loop_of[block] == CFG_NONE && only_first_executes(frame->scan, block);
}

bool resets_are_apart(Scan *scan, uint32_t object, uint32_t drawing, uint32_t access, const Frame *reader) {
  ASSERT(scan_has_object(scan, object));
  ASSERT(scan_has_inst(scan, drawing));
  ASSERT(scan_has_inst(scan, access));
  ASSERT(!reader || reader->view);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *reset = &scan->accesses.items[a];
    if (!resets_may_reset(scan, reset, object) || (reader && resets_is_behind_reading(reader, reset, access)))
      continue;
    if (reset->is_async ||
        !is_apart(scan, EXTENT_INTRA_BLOCK, object, reset->inst, drawing, access, reader != NULL))
      return false;
  }
  return true;
}

// May a thread of another warp make the reset where the one that draws does?
static bool may_be_by_other_warp(Scan *scan, const Access *reset, uint32_t object, uint32_t drawing) {
  ExprPool *pool = scan->pool;
  const IrInst *addition = &scan->fn->insts.items[drawing];
  ExprRef shared_block[3] = {0};
  const View *one = view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD1, shared_block),
             *two = view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD2, shared_block);
  Frame *setter = frame_make(scan, one, NULL, NULL), *drawer = frame_make(scan, two, NULL, NULL);
  Instance set = instance_in(setter, reset);
  SymValue drawn = frame_value(drawer, addition->ops[0]);
  if (set.address.kind != SYM_POINTER || set.address.target_count != 1 || !reset->bytes ||
      drawn.kind != SYM_POINTER || drawn.target_count != 1 || drawn.targets[0].object != object)
    return true;
  if (set.address.targets[0].object != object) return false;
  ExprRef at = set.address.targets[0].offset, counter = drawn.targets[0].offset;
  Goal goal = {0};
  goal_add(scan, &goal, goal_overlap(pool, at, reset->bytes, counter, addition->type.bytes), GOAL_CONFLICT,
           0);
  goal_add(scan, &goal, set.condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, meeting_block_condition(drawer, addition->block), GOAL_CONTEXT, 0);
  goal_add_extent(scan, &goal, EXTENT_INTRA_BLOCK, one, two);
  goal_add_view(scan, &goal, one);
  goal_add_view(scan, &goal, two);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return false;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "a warp that sets the counter of another");
  return !proofs_is_refuted(scan, &answer);
}

bool resets_are_apart_in_warp(Scan *scan, uint32_t object, uint32_t drawing, uint32_t access) {
  ASSERT(scan_has_object(scan, object));
  ASSERT(scan_has_inst(scan, drawing));
  ASSERT(scan_has_inst(scan, access));
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *reset = &scan->accesses.items[a];
    if (!resets_may_reset(scan, reset, object)) continue;
    if (reset->is_async || reset->is_loose ||
        !is_apart(scan, EXTENT_INTRA_WARP, object, reset->inst, drawing, access, false) ||
        may_be_by_other_warp(scan, reset, object, drawing))
      return false;
  }
  return true;
}

// The only thread that reads has written before: its own store is over.
static bool is_own_before(Scan *scan, const Access *write, uint32_t reading) {
  const Cfg *cfg = scan->cfg;
  const IrInst *insts = scan->fn->insts.items;
  uint32_t from = insts[write->inst].block, to = insts[reading].block;
  return !write->is_async && !write->is_loose && cfg->loop_of[from] == CFG_NONE &&
         cfg->loop_of[to] == CFG_NONE && graph_dominates(scan, write->inst, reading) &&
         only_first_executes(scan, from) && only_first_executes(scan, to);
}

// Can any thread write the object between the same barriers? Not counted: what the only reader has written before; with a
// reader, what stands behind the reading.
static bool is_written_beside(Scan *scan, uint32_t object, uint32_t reading, const Frame *reader) {
  uint32_t node = node_of_inst(scan, reading);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple_of(EXTENT_INTRA_BLOCK))) continue;
    const uint8_t *stretch = node_reached_from(scan, point->node, true);
    for (uint32_t a = 0; stretch[node] && a < scan->accesses.count; a++)
      if (scan->accesses.items[a].kind != ACCESS_READ && stretch[scan->accesses.items[a].node] &&
          access_may_touch(scan, a, object) &&
          !counter_words_is_beside(scan, &scan->accesses.items[a], object) &&
          !is_own_before(scan, &scan->accesses.items[a], reading) &&
          !(reader && resets_is_behind_reading(reader, &scan->accesses.items[a], reading)))
        return true;
  }
  return false;
}

// Every addition to the object is over when the reading is made, by whichever thread of the block, and
// nothing writes it between the same barriers, but who has read it alone.
bool resets_is_behind_all(const Frame *frame, uint32_t object, uint32_t reading) {
  ASSERT(frame->view);
  ASSERT(scan_has_object(frame->scan, object));
  ASSERT(scan_has_inst(frame->scan, reading));
  Scan *scan = frame->scan;
  // The reading's own node counts as well.
  return !is_drawn_from_after(scan, EXTENT_INTRA_BLOCK, object, node_of_inst(scan, reading)) &&
         !is_written_beside(scan, object, reading, frame);
}

// Nothing writes the object when the reading has been made, nor between the same barriers.
bool resets_is_final(Scan *scan, uint32_t object, uint32_t reading) {
  ASSERT(scan_has_object(scan, object));
  ASSERT(scan_has_inst(scan, reading));
  uint32_t node = node_of_inst(scan, reading);
  const uint8_t *later = reached_by_others(scan, EXTENT_INTRA_BLOCK, node);
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].kind != ACCESS_READ && later[scan->accesses.items[a].node] &&
        access_may_touch(scan, a, object) &&
        !counter_words_is_beside(scan, &scan->accesses.items[a], object) &&
        !is_own_before(scan, &scan->accesses.items[a], reading))
      return false;
  return !is_written_beside(scan, object, reading, NULL);
}
