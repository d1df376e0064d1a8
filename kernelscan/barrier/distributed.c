// Is shared memory of another block there when a thread accesses it, and are all ways known in which such
// accesses order threads? Of the accesses themselves pairs.c asks as of all others, by the rank of the block
// whose memory it is (same_cluster.c). Method: an access lies behind a barrier of the cluster, on all ways from
// kernel entry, so that the other block has started; and on all ways to the end an arrival at such a barrier
// lies behind it, so that the other block, which comes to the same barriers (divergence.c), waits there before
// it ends. Soundness: an access of which that is not seen, and what is done to barrier objects or by
// asynchronous copies in other blocks, leave a reason; so do strong operations on such memory where a result
// of one is used, as by a flag or a lock. What other blocks write into a block's shared memory is unknown to
// all that reads there: such a write counts as one to anywhere (points_to.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/barrier.h"
#include "kernelscan/graph.h"
#include "kernelscan/value.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

// In doubt it does: the address is not understood, or not in all rounds.
static bool is_remote(Scan *scan, const Access *access) {
  SymValue address = frame_value(arrivals_frame(scan), access->address);
  bool is_any = address.kind != SYM_POINTER;
  for (uint32_t i = 0; i < address.target_count; i++)
    is_any |= address.targets[i].key && scan->objects.items[address.targets[i].object].kind == OBJ_SHARED;
  return is_any;
}

static bool is_touching_shared(const Scan *scan, uint32_t access) {
  for (uint32_t o = 0; o < scan->objects.count; o++)
    if (scan->objects.items[o].kind == OBJ_SHARED && access_may_touch(scan, access, o)) return true;
  return false;
}

// Somebody may learn from an operation on shared memory what another block has done.
static bool may_be_learned(Scan *scan) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const IrInst *inst = inst_at(scan, scan->accesses.items[a].inst);
    bool is_strong = inst->order != IR_ORDER_PLAIN && inst->op != IR_STORE && inst->op != IR_MBARRIER;
    if (is_strong && is_touching_shared(scan, a) && operation_is_used(scan, scan->accesses.items[a].inst))
      return true;
  }
  return false;
}

// A barrier that all threads of the cluster have to come to before it lets anybody go.
static bool ends_stay(const Scan *scan, uint32_t index) {
  const IrInst *inst = inst_at(scan, index);
  if (inst->op != IR_BARRIER || inst->scope < IR_SCOPE_CLUSTER || inst->order == IR_ORDER_RELAXED)
    return false;
  return inst->imm == IR_BARRIER_SYNC || inst->imm == IR_BARRIER_ARRIVAL;
}

static bool is_passed(const Scan *scan, uint32_t index) {
  const IrInst *inst = inst_at(scan, index);
  return inst->op == IR_BARRIER && inst->scope >= IR_SCOPE_CLUSTER &&
         (inst->imm == IR_BARRIER_SYNC || inst->imm == IR_BARRIER_AWAIT);
}

typedef struct Coming {
  uint32_t to;
  bool (*stops)(const Scan *scan, uint32_t inst);
} Coming;

static GraphStep visit(const Scan *scan, uint32_t inst, void *context) {
  const Coming *coming = context;
  bool is_there = coming->to == CFG_NONE ? inst_at(scan, inst)->op == IR_RET : inst == coming->to;
  return is_there ? GRAPH_FOUND : coming->stops(scan, inst) ? GRAPH_STOPS : GRAPH_GOES_ON;
}

// Does control come from behind `from` (CFG_NONE: from kernel entry) to `to` (CFG_NONE: to an end of the
// kernel) without passing an instruction that stops?
static bool comes_to(const Scan *scan, uint32_t from, uint32_t to,
                     bool (*stops)(const Scan *scan, uint32_t inst)) {
  return graph_walk(scan, &(GraphWalk){.from = from, .visit = visit, .context = &(Coming){to, stops}});
}

// Whoever arrives at the barrier of the cluster waits there before the end.
static bool all_wait(const Scan *scan) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = inst_at(scan, i);
    bool is_arrival = ends_stay(scan, i) && inst->imm == IR_BARRIER_ARRIVAL;
    if (!is_arrival || scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    const Meet *meet = arrivals_meet_of(scan, i);
    if (!meet || meet->state != MEET_WHOLE || comes_to(scan, i, CFG_NONE, is_passed)) return false;
  }
  return true;
}

// Is there a block in the cluster that the access may name?
static void check_rank(Scan *scan, const Access *access) {
  Frame *frame = arrivals_frame(scan);
  SymValue address = frame_value(frame, access->address);
  for (uint32_t i = 0; i < address.target_count; i++) {
    ExprRef rank = address.targets[i].key;
    if (!rank || scan->objects.items[address.targets[i].object].kind != OBJ_SHARED) continue;
    Goal goal = {0};
    goal_add(scan, &goal, expr_binary(scan->pool, EXPR_ULT, 0, rank, clusters_size(scan)), GOAL_CONFLICT, 0);
    goal_add_view(scan, &goal, frame->view);
    goal_add_launch(scan, &goal);
    if (goal.is_false || goal_satisfiable(scan, &goal, "a block of that rank").verdict == VERDICT_SAFE)
      scan_undecided(scan, inst_at(scan, access->inst)->loc,
                     "no block of the cluster has the rank of the one whose shared memory this access is to");
  }
}

static void check_stay(Scan *scan, const Access *access) {
  uint32_t loc = inst_at(scan, access->inst)->loc;
  if (scan->cfg->rpo_number[inst_at(scan, access->inst)->block] == CFG_NONE) return;
  if (comes_to(scan, CFG_NONE, access->inst, is_passed))
    scan_undecided(
        scan, loc,
        "this access to shared memory of another block is not behind a barrier of the cluster: that "
        "block may not have started");
  if (!all_wait(scan) || comes_to(scan, access->inst, CFG_NONE, ends_stay))
    scan_undecided(
        scan, loc,
        "no barrier of the cluster follows this access to shared memory of another block: that block may "
        "have ended before");
}

// What is kept of a scan.
typedef struct Kept {
  bool may_signal;
} Kept;

bool distributed_may_signal(const Scan *scan) {
  ASSERT(!SCAN_STATE_OF(scan, distributed, Kept)->may_signal || clusters_has_mapa(scan));
  return SCAN_STATE_OF(scan, distributed, Kept)->may_signal;
}

void distributed_check(Scan *scan) {
  ASSERT(scan->reaches &&
         !SCAN_STATE_OF(scan, distributed, Kept)->may_signal); // after objects_mark_written, once
  if (!clusters_has_mapa(scan)) return;
  bool is_strong = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const IrInst *inst = inst_at(scan, access->inst);
    if (!is_remote(scan, access)) continue;
    is_strong |= inst->order != IR_ORDER_PLAIN;
    if (access->is_of_object)
      scan_undecided(scan, inst->loc, "a barrier object in shared memory of another block is not followed");
    else if (access->is_async)
      scan_undecided(scan, inst->loc,
                     "an asynchronous copy to or from shared memory of another block is not followed");
    else if (clusters_kind(scan) >= CLUSTERS_SINGLE) {
      check_rank(scan, access);
      check_stay(scan, access);
    }
  }
  SCAN_STATE_OF(scan, distributed, Kept)->may_signal = is_strong && may_be_learned(scan);
}
