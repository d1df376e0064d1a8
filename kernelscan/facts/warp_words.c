// Which words of memory do all lanes of a warp read alike? The counter of a warp's own queue, read behind the
// barrier of the warp, is one number for all its lanes, so what one lane draws for the warp, `base =
// atomicAdd(total, count[warp])`, is room for as many as each lane reads. Method: the lanes' addresses are
// asked to be one; nobody writes there between the same two barriers: not the warp itself between barriers of
// the warp, no other warp of the block between barriers of the block, no other block at all. Soundness: exact
// on the graph of nodes; two lanes are at one reading if they make it in the same round of the loops around
// it, which is for who asks to see to.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/proofs.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"

enum { NOT_ASKED = 0, IS_ONE, MAY_DIFFER };

// What is kept of a scan.
typedef struct Kept {
  uint8_t *words; // by load, of any warp, between its whole barriers; NULL until asked
} Kept;

typedef struct Pair {
  Frame *one, *two;
} Pair;

static Pair pair_of(Scan *scan, Extent extent) {
  bool is_of_two = extent_is_between_blocks(extent);
  ExprRef own_blocks[3] = {0};
  const View *one = is_of_two ? view_make(scan, extent, OWNER_THREAD1, own_blocks) : view_fresh(scan, NULL),
             *two = is_of_two ? view_make(scan, extent, OWNER_THREAD2, own_blocks) : view_beside(scan, one);
  return (Pair){frame_make(scan, one, NULL, NULL), frame_make(scan, two, NULL, NULL)};
}

// The lanes of a warp read at one place.
static bool is_one_place(Scan *scan, uint32_t load, uint32_t *object) {
  const IrInst *inst = &scan->fn->insts.items[load];
  Pair pair = pair_of(scan, EXTENT_INTRA_WARP);
  SymValue one = frame_value(pair.one, inst->ops[0]), two = frame_value(pair.two, inst->ops[0]);
  bool is_known = one.kind == SYM_POINTER && two.kind == SYM_POINTER && one.target_count == 1 &&
                  two.target_count == 1 && !one.targets[0].condition && !one.targets[0].key &&
                  !two.targets[0].condition && one.targets[0].object == two.targets[0].object;
  if (!is_known) return false;
  *object = one.targets[0].object;
  Goal goal = {0};
  goal_add(scan, &goal, expr_ne(scan->pool, one.targets[0].offset, two.targets[0].offset), GOAL_CONFLICT, 0);
  goal_add_extent(scan, &goal, EXTENT_INTRA_WARP, pair.one->view, pair.two->view);
  goal_add_view(scan, &goal, pair.one->view);
  goal_add_view(scan, &goal, pair.two->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "lanes of a warp that read different words");
  return proofs_is_refuted(scan, &answer);
}

// Nobody who is so far apart from the reader writes there while it may be read.
static bool is_left_alone(Scan *scan, Extent extent, uint32_t load, uint32_t object) {
  static const Pairing pairings[EXTENT_COUNT] = {[EXTENT_INTER_BLOCK] = PAIR_OF_TWO_BLOCKS,
                                                 [EXTENT_CLUSTER] = PAIR_OF_TWO_BLOCKS,
                                                 [EXTENT_INTRA_BLOCK] = PAIR_OF_TWO_WARPS,
                                                 [EXTENT_INTRA_WARP] = PAIR_OF_WARP};
  uint32_t node = node_of_inst(scan, load);
  Pair pair = pair_of(scan, extent);
  Place place = {pair.two, load, scan->fn->insts.items[load].type.bytes};
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !access_may_touch(scan, a, object)) continue;
    if (write->is_async || write->is_loose) return false;
    if (node_share_stretch(scan, extent, node, write->node) &&
        counter_words_may_meet(pair.one, write, &place, pairings[extent], NULL))
      return false;
  }
  return true;
}

static bool is_one(Scan *scan, uint32_t load) {
  const IrInst *inst = &scan->fn->insts.items[load];
  uint32_t object = 0;
  if (scan->has_opaque || inst->op != IR_LOAD || inst->order != IR_ORDER_PLAIN || inst->type.kind != IR_INT ||
      !is_one_place(scan, load, &object))
    return false;
  bool is_shared = scan->objects.items[object].kind == OBJ_SHARED;
  return is_left_alone(scan, EXTENT_INTRA_WARP, load, object) &&
         is_left_alone(scan, EXTENT_INTRA_BLOCK, load, object) &&
         (is_shared || is_left_alone(scan, EXTENT_INTER_BLOCK, load, object));
}

bool warp_words_is_one(Scan *scan, uint32_t load) {
  BUG_UNLESS(load < scan->fn->insts.count);
  if (!points_know_divergent(scan)) return false; // some lanes may go round a barrier of the warp
  Kept *kept = SCAN_STATE_OF(scan, warp_words, Kept);
  if (!kept->words) kept->words = arena_array(scan->arena, scan->fn->insts.count, uint8_t);
  if (kept->words[load] == NOT_ASKED) {
    kept->words[load] = MAY_DIFFER; // also while it is asked
    if (is_one(scan, load)) kept->words[load] = IS_ONE;
  }
  return kept->words[load] == IS_ONE;
}
