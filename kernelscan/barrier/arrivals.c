// Which barriers that come in two halves (arrive here, wait there) are barriers of the whole block? Those
// that are objects in shared memory (cuda::barrier, mbarrier) and those of a cluster or grid. Method: an
// object counts as one if it is set up for as many arrivals as the block has threads, before anybody uses it;
// if each thread arrives with one, and waits for just that phase before it arrives again. By induction over
// the phases each phase then takes one arrival of each thread, so its wait is a synchronisation point;
// accesses between the two halves go on behind it (carried_over). That all threads come to the same waits is
// asked by divergence.c, that the set-up comes before the first arrival by pairs.c: the operations are accesses
// to the object. Soundness: an object that is not followed orders nothing, and what it may order is
// undecided; one that surely lets threads pass too early is called so (its first phase is the witness).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/barrier/barrier.h"
#include "kernelscan/graph.h"
#include "kernelscan/interval.h"
#include "kernelscan/kernel.h"
#include "kernelscan/operations.h"

typedef struct Group { // operations on one object
  Scan *scan;
  Frame *frame; // of any thread
  uint32_t object;
  VEC(uint32_t) uses; // instructions
  const char *open;   // why it is not followed, or NULL
  uint32_t reasons;   // why it is not followed: how many were found
  uint32_t endless;   // the set-up by which it expects more arrivals than the block has threads
  uint32_t tile;      // threads that share one of several objects (arrivals_tiles.c); 0: the block has one
  const char *early;  // why it lets threads pass too early, or NULL
  bool is_kept;       // nothing else is done to its memory
} Group;

// What is kept of a scan.
typedef struct Kept {
  Meets meets;
  Frame *frame; // of a fresh thread; NULL until asked
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, arrivals, Kept);
}

const Meets *arrivals_all(const Scan *scan) {
  ASSERT(scan->points.count); // after scan_collect
  return &kept_of(scan)->meets;
}

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}
static uint32_t line_of(const Scan *scan, uint32_t inst) {
  return ir_loc(scan->module, inst_at(scan, inst)->loc)->line;
}

const Meet *arrivals_meet_of(const Scan *scan, uint32_t inst) {
  ASSERT(scan_has_inst(scan, inst));
  Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->meets.count; i++)
    if (kept->meets.items[i].inst == inst) return &kept->meets.items[i];
  return NULL;
}

// ---- ways
static bool dominates(const Scan *scan, uint32_t a, uint32_t b) {
  uint32_t block_a = inst_at(scan, a)->block, block_b = inst_at(scan, b)->block;
  return block_a == block_b ? a < b : cfg_dominates(scan->cfg, block_a, block_b);
}

static uint32_t loop_at(const Scan *scan, uint32_t inst) {
  return scan->cfg->loop_of[inst_at(scan, inst)->block];
}

typedef struct Spread {
  uint8_t *seen;        // by instruction
  const uint8_t *stops; // likewise; NULL: none does
} Spread;

static GraphStep visit(const Scan *scan, uint32_t inst, void *context) {
  (void)scan;
  const Spread *spread = context;
  spread->seen[inst] = 1;
  return spread->stops && spread->stops[inst] ? GRAPH_STOPS : GRAPH_GOES_ON;
}

// Marks the instructions that control comes to from behind `from`, not going on behind those that `stops`
// marks. Forwards only.
static uint8_t *spread_from(const Scan *scan, uint32_t from, const uint8_t *stops) {
  Spread spread = {arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t), stops};
  (void)graph_walk(scan, &(GraphWalk){.from = from, .visit = visit, .context = &spread});
  return spread.seen;
}

static bool is_whole_point(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->inst == inst && !point->cover && point->scope >= IR_SCOPE_BLOCK) return true;
  }
  return false;
}

static uint8_t *whole_points(const Scan *scan) {
  uint8_t *marks = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (is_whole_point(scan, scan->points.items[p].inst)) marks[scan->points.items[p].inst] = 1;
  return marks;
}

bool arrivals_is_last(const Scan *scan, uint32_t quit) {
  ASSERT(scan_has_inst(scan, quit));
  const uint8_t *seen = spread_from(scan, quit, NULL);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (seen[i] && inst_at(scan, i)->op == IR_PIPELINE) return false;
  return true;
}

// ---- the object
static void leave_open(Group *group, const char *format, uint32_t line) {
  group->reasons++;
  if (!group->open) group->open = arena_printf(group->scan->arena, format, line);
}

static ExprRef offset_of(const Group *group, uint32_t inst) {
  SymValue address = frame_value(group->frame, inst_at(group->scan, inst)->ops[0]);
  return address.targets[0].offset;
}

static ExprRef threads_of_block(Scan *scan) {
  const ExprRef *block = scan->launch->block;
  ExprRef rest = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, block[1], block[2]);
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, block[0], rest);
}

static bool cannot_hold(Group *group, ExprRef condition, const char *name) {
  Scan *scan = group->scan;
  Goal goal = {0};
  goal_add(scan, &goal, condition, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, group->frame->view);
  goal_add_launch(scan, &goal);
  return goal.is_false || goal_satisfiable(scan, &goal, name).verdict == VERDICT_SAFE;
}

static void check_count(Group *group, uint32_t inst) {
  Scan *scan = group->scan;
  ExprRef count = frame_word(group->frame, inst_at(scan, inst)->ops[1], 32), all = threads_of_block(scan);
  if (count && cannot_hold(group, expr_ne(scan->pool, count, all), "all threads of the block are expected"))
    return;
  if (count &&
      cannot_hold(group, expr_binary(scan->pool, EXPR_SLE, 0, all, count), "fewer threads are expected"))
    group->early =
        arena_printf(scan->arena,
                     "the barrier object that is set up at line %u expects fewer arrivals than the block "
                     "has threads: it does not wait for all of them",
                     line_of(scan, inst));
  else if (count &&
           cannot_hold(group, expr_binary(scan->pool, EXPR_SLE, 0, count, all), "more are expected")) {
    group->endless = inst;
    leave_open(
        group,
        "the barrier object that is set up at line %u expects more arrivals than the block has threads: "
        "if each thread arrives once, nobody comes past its wait",
        line_of(scan, inst));
  } else
    leave_open(
        group,
        "that the barrier object which is set up at line %u expects each thread of the block was not proved",
        line_of(scan, inst));
}

// Of several objects in one array, it is this one.
static void check_is_set_up(Group *group, uint32_t use) {
  Scan *scan = group->scan;
  bool may_be = false, is_any = false;
  for (uint32_t i = 0; i < group->uses.count && !may_be; i++) {
    uint32_t init = group->uses.items[i];
    if (inst_at(scan, init)->imm != IR_MBARRIER_INIT) continue;
    is_any = true;
    may_be = offset_of(group, init) == offset_of(group, use) || arrivals_is_set_up_by(scan, init, use);
  }
  if (is_any && !may_be)
    leave_open(group, "nobody sets up the barrier object that is used at line %u", line_of(scan, use));
}

// Nobody uses the object before it is set up for good.
static void check_set_up(Group *group) {
  const Scan *scan = group->scan;
  bool is_set_up = false;
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t use = group->uses.items[i];
    IrMbarrierKind kind = (IrMbarrierKind)inst_at(scan, use)->imm;
    bool ends = kind == IR_MBARRIER_INVALIDATE;
    if (kind == IR_MBARRIER_INIT && !group->tile) check_count(group, use);
    is_set_up |= kind == IR_MBARRIER_INIT;
    if (kind == IR_MBARRIER_INIT || ends) continue;
    check_is_set_up(group, use);
    const uint8_t *seen = spread_from(scan, use, NULL);
    for (uint32_t j = 0; j < group->uses.count; j++)
      if (seen[group->uses.items[j]] && inst_at(scan, group->uses.items[j])->imm == IR_MBARRIER_INIT)
        leave_open(group, "the barrier object is set up again at line %u",
                   line_of(scan, group->uses.items[j]));
  }
  if (!is_set_up) leave_open(group, "where the barrier object is set up is not known", 0);
}

// Plain accesses to the object's memory, while it is one, would make it something else.
static void check_memory(Group *group) {
  Scan *scan = group->scan;
  ExprPool *pool = scan->pool;
  // Who writes there may be another thread than who uses the object, in another round.
  Frame *other = frame_make(scan, view_beside(scan, group->frame->view), NULL, NULL);
  for (uint32_t a = 0; a < scan->accesses.count && !group->open; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || write->is_of_object) continue;
    SymValue address = frame_value(other, write->address);
    ExprRef there = meeting_block_condition(other, inst_at(scan, write->inst)->block);
    bool is_known = address.kind == SYM_POINTER && write->bytes;
    for (uint32_t t = 0; t < address.target_count; t++) {
      const Target *target = &address.targets[t];
      if (target->object != group->object) continue;
      for (uint32_t u = 0; is_known && u < group->uses.count; u++) {
        ExprRef word = offset_of(group, group->uses.items[u]);
        ExprRef use = meeting_block_condition(group->frame, inst_at(scan, group->uses.items[u])->block);
        ExprRef meet = goal_overlap(pool, target->offset, write->bytes, word, 8);
        is_known = cannot_hold(group, expr_and(pool, expr_and(pool, there, use), meet),
                               "a write to the barrier object");
      }
      if (!is_known)
        leave_open(group, "the write at line %u may be to the memory of the barrier object",
                   line_of(scan, write->inst));
    }
    if (address.kind != SYM_POINTER)
      leave_open(group, "the write at line %u may be to the memory of the barrier object",
                 line_of(scan, write->inst));
  }
}

// ---- arrival and wait
static bool is_one(const Scan *scan, IrRef ref) {
  int64_t value = 0;
  return ir_const_value(scan->fn, ref, &value) && value == 1;
}

static bool is_same_object(const Group *group, uint32_t a, uint32_t b) {
  const Scan *scan = group->scan;
  IrRef p = inst_at(scan, a)->ops[0], q = inst_at(scan, b)->ops[0];
  if (p == q) return ir_ref_kind(p) != IR_REF_INST || dominates(scan, ir_ref_index(p), a);
  return offset_of(group, a) == offset_of(group, b);
}

// The arrivals that a wait is for: one, or one of several on different ways.
enum { ARRIVAL_LIMIT = 4 };
typedef struct Arrivals {
  uint32_t count, items[ARRIVAL_LIMIT];
} Arrivals;

static bool is_arrival_before(const Group *group, uint32_t arrival, uint32_t wait) {
  const Scan *scan = group->scan;
  return operation_is_arrival(inst_at(scan, arrival)) && loop_at(scan, arrival) == loop_at(scan, wait) &&
         (inst_at(scan, wait)->op != IR_MBARRIER || is_same_object(group, arrival, wait));
}

static bool is_in_group(const Group *group, uint32_t inst) {
  for (uint32_t i = 0; i < group->uses.count; i++)
    if (group->uses.items[i] == inst) return true;
  return false;
}

// By the token; through a phi where ways meet.
static Arrivals arrivals_of_token(const Group *group, uint32_t wait) {
  const Scan *scan = group->scan;
  IrRef token = inst_at(scan, wait)->ops[1];
  const IrInst *inst = ir_inst(scan->fn, token);
  Arrivals found = {0};
  bool is_phi = inst && inst->op == IR_PHI;
  if (!inst || (is_phi && loop_at(scan, ir_ref_index(token)) != loop_at(scan, wait))) return found;
  for (uint32_t i = 0; i < (is_phi ? inst->op_count : 1u); i++) {
    IrRef ref = is_phi ? inst->ops[i] : token;
    bool is_known = ir_ref_kind(ref) == IR_REF_INST && found.count < ARRIVAL_LIMIT;
    uint32_t arrival = is_known ? ir_ref_index(ref) : 0;
    // A phi at the head of a loop would bring in what an earlier round arrived for.
    bool is_earlier = is_known && is_phi && !dominates(scan, arrival, ir_ref_index(token)) &&
                      cfg_dominates(scan->cfg, inst->block, inst_at(scan, arrival)->block);
    if (!is_known || is_earlier || !is_in_group(group, arrival) || !is_arrival_before(group, arrival, wait))
      return (Arrivals){0};
    found.items[found.count++] = arrival;
  }
  return found;
}

static Arrivals arrivals_of(const Group *group, uint32_t wait) {
  const Scan *scan = group->scan;
  const IrInst *inst = inst_at(scan, wait);
  if (inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_WAIT) return arrivals_of_token(group, wait);
  Arrivals last = {0};
  for (uint32_t i = 0; i < group->uses.count; i++) { // the last one before it
    uint32_t arrival = group->uses.items[i];
    if (!is_arrival_before(group, arrival, wait) || !dominates(scan, arrival, wait)) continue;
    if (!last.count || dominates(scan, last.items[0], arrival)) last = (Arrivals){1, {arrival}};
  }
  return last;
}

static bool belongs_to(const Group *group, uint32_t wait, uint32_t arrival) {
  Arrivals known = arrivals_of(group, wait);
  for (uint32_t i = 0; i < known.count; i++)
    if (known.items[i] == arrival) return true;
  return false;
}

// How many arrivals the thread has made before this one, if that is told by the iteration of its loop; 0: not
// known.
static ExprRef phase_of(const Group *group, uint32_t arrival) {
  const Scan *scan = group->scan;
  ExprPool *pool = scan->pool;
  const Cfg *cfg = scan->cfg;
  uint32_t loop = loop_at(scan, arrival), before = 0, in_loop = 0, place = 0;
  if (loop != CFG_NONE && cfg->loops.items[loop].parent != CFG_NONE) return 0;
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t other = group->uses.items[i];
    if (!operation_is_arrival(inst_at(scan, other))) continue;
    const uint8_t *seen = spread_from(scan, other, NULL);
    if (!seen[arrival] && other != arrival) continue; // comes later
    bool is_inside = loop != CFG_NONE && loop_at(scan, other) == loop;
    uint32_t head = loop == CFG_NONE ? arrival : scan->fn->blocks.items[cfg->loops.items[loop].header].first;
    if (!is_inside) {
      if (other == arrival) continue;
      if (loop_at(scan, other) != CFG_NONE || !dominates(scan, other, head)) return 0;
      before++;
      continue;
    }
    for (uint32_t p = cfg->pred_first[cfg->loops.items[loop].header];
         p < cfg->pred_first[cfg->loops.items[loop].header + 1]; p++)
      if (cfg_loop_contains(cfg, loop, cfg->preds[p]) &&
          !cfg_dominates(cfg, inst_at(scan, other)->block, cfg->preds[p]))
        return 0; // not in each round
    in_loop++;
    place += other != arrival && dominates(scan, other, arrival);
  }
  ExprRef phase = expr_const(pool, 32, before + place);
  if (loop == CFG_NONE) return phase;
  ExprRef rounds = expr_binary(pool, EXPR_MUL, EXPR_NSW, frame_iteration(group->frame, loop),
                               expr_const(pool, 32, in_loop));
  return expr_binary(pool, EXPR_ADD, EXPR_NSW, phase, rounds);
}

static bool has_fixed_offset(const Group *group, uint32_t inst) {
  int64_t value = 0;
  return expr_is_const(group->scan->pool, offset_of(group, inst), &value);
}

static bool all_offsets_are_fixed(const Group *group) {
  for (uint32_t i = 0; i < group->uses.count; i++)
    if (!has_fixed_offset(group, group->uses.items[i])) return false;
  return true;
}

// Is the parity that of the phase in which the thread has arrived?
static void check_parity(Group *group, uint32_t wait, uint32_t arrival) {
  Scan *scan = group->scan;
  ExprPool *pool = scan->pool;
  ExprRef parity = frame_word(group->frame, inst_at(scan, wait)->ops[1], 32),
          phase = all_offsets_are_fixed(group) ? phase_of(group, arrival) : 0;
  if (!parity || !phase) {
    leave_open(group, "which phase is waited for at line %u is not known", line_of(scan, wait));
    return;
  }
  ExprRef one = expr_const(pool, 32, 1);
  ExprRef differs =
      expr_ne(pool, expr_binary(pool, EXPR_AND, 0, parity, one), expr_binary(pool, EXPR_AND, 0, phase, one));
  if (cannot_hold(group, differs, "the parity of another phase")) return;
  if (cannot_hold(group, expr_not(pool, differs), "the parity of this phase"))
    group->early = arena_printf(scan->arena, "the wait at line %u is for the phase before, which is over",
                                line_of(scan, wait));
  else
    leave_open(group, "which phase is waited for at line %u is not known", line_of(scan, wait));
}

// By instruction: the waits for this arrival.
static const uint8_t *waits_of(const Group *group, uint32_t arrival) {
  const Scan *scan = group->scan;
  uint8_t *waits = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t wait = group->uses.items[i];
    waits[wait] = operation_is_wait(inst_at(scan, wait)) && belongs_to(group, wait, arrival);
  }
  return waits;
}

static bool is_private(const Scan *scan, uint32_t access) {
  const Reach *reach = &scan->reaches[access];
  if (!reach->is_complete) return false;
  for (uint32_t i = 0; i < reach->count; i++)
    if (scan->objects.items[reach->objects[i]].kind != OBJ_LOCAL) return false;
  return true;
}

static bool is_drop(const IrInst *inst) {
  return inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_ARRIVE_DROP;
}

// arrive_and_drop: the last arrival of the thread, which no later phase expects. What it did before is
// ordered as before any arrival; it does nothing behind it that others could see.
static void check_drop(Group *group, uint32_t drop) {
  const Scan *scan = group->scan;
  if (!is_one(scan, inst_at(scan, drop)->ops[1]))
    leave_open(group, "the arrival at line %u counts for several", line_of(scan, drop));
  const uint8_t *seen = spread_from(scan, drop, NULL);
  for (uint32_t i = 0; i < group->uses.count; i++)
    if (seen[group->uses.items[i]])
      leave_open(group, "the thread that has left the barrier object uses it again at line %u",
                 line_of(scan, group->uses.items[i]));
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->is_async)
      leave_open(group, "asynchronous copies of a thread that leaves a barrier object, line %u",
                 line_of(scan, access->inst));
    if (seen[access->inst] && !is_private(scan, a))
      leave_open(group, "the access at line %u is made by a thread that has left the barrier object",
                 line_of(scan, access->inst));
  }
}

// Before it arrives again, the thread has waited.
static void check_arrival(Group *group, uint32_t arrival) {
  const Scan *scan = group->scan;
  const IrInst *inst = inst_at(scan, arrival);
  if (inst->op == IR_MBARRIER && !is_one(scan, inst->ops[1]))
    leave_open(group, "the arrival at line %u counts for several", line_of(scan, arrival));
  const uint8_t *seen = spread_from(scan, arrival, waits_of(group, arrival));
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t other = group->uses.items[i];
    if (seen[other] && (operation_is_arrival(inst_at(scan, other)) || is_drop(inst_at(scan, other))))
      leave_open(group, "a thread may arrive again before it has waited for its arrival at line %u",
                 line_of(scan, arrival));
  }
}

// A phase that is over does not hold anybody back again.
static void check_wait(Group *group, uint32_t wait, const Arrivals *arrivals) {
  const Scan *scan = group->scan;
  uint8_t *stops = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  for (uint32_t i = 0; i < arrivals->count; i++)
    stops[arrivals->items[i]] = 1;
  const uint8_t *seen = spread_from(scan, wait, stops);
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t other = group->uses.items[i];
    if (seen[other] && operation_is_wait(inst_at(scan, other)) &&
        belongs_to(group, other, arrivals->items[0]))
      leave_open(group, "the phase that is waited for at line %u may be over already", line_of(scan, other));
  }
}

static bool orders_nothing(const IrInst *inst) {
  if (inst->op == IR_BARRIER) return inst->order == IR_ORDER_RELAXED; // barrier.cluster.arrive.relaxed
  if (inst->op != IR_MBARRIER) return false;
  if (operation_is_arrival(inst)) return inst->order < IR_ORDER_RELEASE;
  return inst->order != IR_ORDER_ACQUIRE && inst->order < IR_ORDER_ACQ_REL;
}

// Does every thread of the block come here equally often?
static bool is_for_all(const Scan *scan, uint32_t inst) {
  CfgEdges deps = cfg_all_control_deps(scan->cfg, inst_at(scan, inst)->block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++) {
    const IrInst *end = ir_terminator(scan->fn, deps.items[d].from);
    if (end->op != IR_BR && !uniform_ref(scan, end->ops[0])) return false;
  }
  return true;
}

// All threads of the block hand over stages, and take each one before they hand over the next.
static void check_pipeline(Group *group) {
  Scan *scan = group->scan;
  for (uint32_t i = 0; i < group->uses.count; i++) {
    const IrInst *inst = inst_at(scan, group->uses.items[i]);
    bool is_half = inst->imm == IR_PIPELINE_COMMIT || inst->imm == IR_PIPELINE_WAIT;
    bool is_of_tile = inst->imm == IR_PIPELINE_INIT && inst->op_count > 3;
    if ((inst->imm == IR_PIPELINE_QUIT && !arrivals_is_last(scan, group->uses.items[i])) ||
        (is_of_tile && !group->tile) || !is_for_all(scan, group->uses.items[i]))
      leave_open(group, "who takes part in the pipeline, at line %u, is not followed",
                 line_of(scan, group->uses.items[i]));
    if (is_half && loop_at(scan, group->uses.items[i]) != CFG_NONE &&
        scan->alike.exits_diverge[loop_at(scan, group->uses.items[i])])
      leave_open(group, "how often line %u is executed may differ between threads",
                 line_of(scan, group->uses.items[i]));
  }
}

static void check_pipeline_memory(Group *group) {
  Scan *scan = group->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Reach *reach = &scan->reaches[a];
    bool may_touch = !reach->is_complete;
    for (uint32_t i = 0; i < reach->count; i++)
      may_touch |= reach->objects[i] == group->object;
    if (may_touch && scan->accesses.items[a].kind != ACCESS_READ)
      leave_open(group, "the write at line %u may be to the memory of the pipeline",
                 line_of(scan, scan->accesses.items[a].inst));
  }
}

static void check_use(Group *group, uint32_t use) {
  const Scan *scan = group->scan;
  const IrInst *inst = inst_at(scan, use);
  if (inst->op != IR_BARRIER && !group->tile && !uniform_ref(scan, inst->ops[0]))
    leave_open(group, "which barrier object this is, at line %u, may differ between threads",
               line_of(scan, use));
  if ((operation_is_arrival(inst) || operation_is_wait(inst)) && orders_nothing(inst))
    leave_open(group, "the operation on the barrier object at line %u orders nothing", line_of(scan, use));
  if (is_drop(inst)) {
    if (inst->order < IR_ORDER_RELEASE)
      leave_open(group, "the operation on the barrier object at line %u orders nothing", line_of(scan, use));
    check_drop(group, use);
  } else if (operation_is_arrival(inst)) {
    check_arrival(group, use);
  } else if (operation_is_wait(inst)) {
    Arrivals arrivals = arrivals_of(group, use);
    if (!arrivals.count)
      leave_open(group, "the arrival that belongs to the wait at line %u is not found", line_of(scan, use));
    else if (inst->op == IR_MBARRIER && inst->imm == IR_MBARRIER_WAIT_PARITY)
      check_parity(group, use, arrivals.items[0]);
    if (arrivals.count) check_wait(group, use, &arrivals);
  } else if (inst->op == IR_MBARRIER && inst->imm != IR_MBARRIER_INIT &&
             inst->imm != IR_MBARRIER_INVALIDATE && inst->imm != IR_MBARRIER_EXPECT &&
             inst->imm != IR_MBARRIER_ARRIVE_COPIES) {
    leave_open(group, "what happens to the barrier object at line %u is not followed", line_of(scan, use));
  }
}

// ---- what is done between the two halves
// From which instructions does control come to the wait without another barrier in between?
static bool leads_to(const Scan *scan, uint32_t inst, uint32_t wait, uint8_t *points) {
  points[wait] = 1;
  return spread_from(scan, inst, points)[wait];
}

// Something that threads tell each other things by, besides barriers.
static bool has_strong_access(const Scan *scan) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const IrInst *inst = inst_at(scan, scan->accesses.items[a].inst);
    if (inst->op != IR_MBARRIER && inst->order != IR_ORDER_PLAIN) return true;
  }
  return false;
}

// Flags and locks that are handled between arrival and wait are seen by others at another time than the
// barrier's.
static void find_loose(Group *group, uint32_t wait, uint32_t arrival, bool is_kept) {
  Scan *scan = group->scan;
  uint8_t *stops = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t), *points = whole_points(scan);
  stops[wait] = 1;
  const uint8_t *between = spread_from(scan, arrival, stops);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    Access *access = &scan->accesses.items[a];
    if (!between[access->inst] || access->is_of_object || access->is_async || is_private(scan, a) ||
        !leads_to(scan, access->inst, wait, points))
      continue;
    uint32_t loop = loop_at(scan, access->inst);
    if (loop != CFG_NONE && !cfg_loop_contains(scan->cfg, loop, inst_at(scan, wait)->block))
      leave_open(group, "the access at line %u is made in a loop between arrival and wait",
                 line_of(scan, access->inst));
    if (has_strong_access(scan))
      leave_open(group, "the access at line %u is made between arrival and wait, in a kernel with atomics",
                 line_of(scan, access->inst));
    if (!is_kept) continue;
    access->is_loose = true;
    for (uint32_t p = 1; p < scan->points.count; p++)
      if (scan->points.items[p].inst == wait)
        vec_push(
            scan->arena, &carried_over(scan)->points,
            (Carried){
                .copy = access, .point = p, .loop = CFG_NONE, .entered = CFG_NONE, .arrival = arrival + 1});
  }
}

// What a thread does behind an arrival whose wait does not follow on all ways to its end is behind no barrier
// at all.
static void check_open_ends(Group *group, uint32_t arrival) {
  const Scan *scan = group->scan;
  const uint8_t *stops = waits_of(group, arrival), *behind = spread_from(scan, arrival, stops);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    uint32_t inst = scan->accesses.items[a].inst;
    if (!behind[inst] || scan->accesses.items[a].is_of_object || is_private(scan, a)) continue;
    const uint8_t *rest = spread_from(scan, inst, stops);
    for (uint32_t b = 0; b < scan->cfg->block_count; b++) {
      uint32_t end = scan->fn->blocks.items[b].first + scan->fn->blocks.items[b].count - 1;
      if (!rest[end] || inst_at(scan, end)->op != IR_RET) continue;
      leave_open(group, "the access at line %u is made behind an arrival without the wait that belongs to it",
                 line_of(scan, inst));
      return;
    }
  }
}

static void find_all_loose(Group *group, bool is_kept) {
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t wait = group->uses.items[i];
    if (!operation_is_wait(inst_at(group->scan, wait))) continue;
    Arrivals arrivals = arrivals_of(group, wait);
    for (uint32_t a = 0; a < arrivals.count; a++)
      find_loose(group, wait, arrivals.items[a], is_kept);
  }
}

// ---- all of them
static void add_point(Scan *scan, uint32_t wait) {
  const IrInst *inst = inst_at(scan, wait);
  IrScope scope = inst->op == IR_BARRIER ? clusters_point_scope(scan, (IrScope)inst->scope) : IR_SCOPE_BLOCK;
  if (scope == IR_SCOPE_DEVICE) scan_grid_barrier(scan, inst);
  vec_push(scan->arena, &scan->points,
           (Point){.inst = wait, .node = scan_node_behind(scan, wait), .block = inst->block, .scope = scope});
}

// Where the one object is that a thread uses; 0: there may be several.
static ExprRef single_word(const Group *group) {
  ExprRef word = 0;
  for (uint32_t i = 0; group->object && i < group->uses.count; i++) {
    uint32_t use = group->uses.items[i];
    bool sets_up = inst_at(group->scan, use)->imm == IR_MBARRIER_INIT; // of a pipeline as well
    if (group->tile && sets_up) continue;
    if (word && offset_of(group, use) != word) return 0;
    word = offset_of(group, use);
  }
  return word;
}

static void conclude(Group *group) {
  Scan *scan = group->scan;
  Kept *kept = kept_of(scan);
  MeetState state = group->open ? MEET_OPEN : group->early ? MEET_EARLY : MEET_WHOLE;
  ExprRef word = single_word(group);
  bool is_of_warp = group->tile && 32 % group->tile == 0;
  for (uint32_t i = 0; i < group->uses.count; i++) {
    uint32_t use = group->uses.items[i];
    // When a stage is free again is not followed.
    bool is_half = operation_is_wait(inst_at(scan, use)) || operation_is_arrival(inst_at(scan, use));
    if (inst_at(scan, use)->op == IR_PIPELINE && !is_half && state == MEET_WHOLE) {
      vec_push(scan->arena, &kept->meets,
               (Meet){.inst = use,
                      .object = group->object,
                      .is_kept = true,
                      .is_of_warp = is_of_warp,
                      .text = "when a stage of the pipeline is free again is not followed"});
      continue;
    }
    vec_push(scan->arena, &kept->meets,
             (Meet){.inst = use,
                    .object = group->object,
                    .is_single = word != 0,
                    .word = word,
                    .state = state,
                    .is_kept = group->is_kept,
                    .is_of_warp = is_of_warp,
                    .endless = group->reasons == 1 ? group->endless : 0,
                    .text = group->open ? group->open : group->early});
    if (state != MEET_WHOLE || !operation_is_wait(inst_at(scan, use))) continue;
    if (group->tile)
      arrivals_add_tile_point(scan, use, group->tile);
    else
      add_point(scan, use);
  }
  if (state == MEET_WHOLE) find_all_loose(group, true);
}

static void check_group(Group *group) {
  Scan *scan = group->scan;
  bool is_pipeline = inst_at(scan, group->uses.items[0])->op == IR_PIPELINE,
       is_object = group->object != 0 && !is_pipeline;
  bool differs = false;
  for (uint32_t i = 0; i < group->uses.count; i++) {
    const IrInst *inst = inst_at(scan, group->uses.items[i]);
    differs |= inst->op != IR_BARRIER && !uniform_ref(scan, inst->ops[0]);
  }
  if (differs) group->tile = arrivals_find_tiles(scan, group->uses.items, group->uses.count);
  if (is_object) check_set_up(group);
  if (is_pipeline) check_pipeline(group);
  for (uint32_t i = 0; i < group->uses.count; i++)
    check_use(group, group->uses.items[i]);
  for (uint32_t i = 0; i < group->uses.count; i++)
    if (operation_is_arrival(inst_at(scan, group->uses.items[i])) && group->early &&
        !is_for_all(scan, group->uses.items[i]))
      leave_open(group, "who arrives at line %u is not followed", line_of(scan, group->uses.items[i]));
  Group memory = *group;
  memory.open = NULL;
  if (is_object) check_memory(&memory);
  if (is_pipeline) check_pipeline_memory(&memory);
  group->is_kept = !memory.open;
  if (memory.open) group->endless = 0;
  if (!group->open) group->open = memory.open;
  if (!group->open) find_all_loose(group, false);
  for (uint32_t i = 0; i < group->uses.count && !group->open; i++)
    if (operation_is_arrival(inst_at(scan, group->uses.items[i])))
      check_open_ends(group, group->uses.items[i]);
  conclude(group);
}

Frame *arrivals_frame(Scan *scan) {
  Kept *kept = kept_of(scan);
  if (!kept->frame) kept->frame = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  ASSERT(view_is_made(kept->frame->view) && kept->frame->scan == scan);
  return kept->frame;
}

uint32_t arrivals_object(const Scan *scan, Frame *frame, IrRef address_ref) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(scan, address_ref));
  SymValue address = frame_value(frame, address_ref);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition ||
      address.targets[0].key)
    return 0;
  return scan->objects.items[address.targets[0].object].kind == OBJ_SHARED ? address.targets[0].object : 0;
}

static bool is_operation(const Scan *scan, uint32_t index) {
  const IrInst *inst = inst_at(scan, index);
  bool is_half = inst->op == IR_BARRIER && (inst->imm == IR_BARRIER_ARRIVAL || inst->imm == IR_BARRIER_AWAIT);
  return (ir_inst_is(inst, IR_ON_OBJECT) || is_half) && scan->cfg->rpo_number[inst->block] != CFG_NONE;
}

static bool is_of_group(const Scan *scan, Frame *frame, uint32_t inst, uint32_t first, uint32_t object) {
  const IrInst *one = inst_at(scan, inst), *other = inst_at(scan, first);
  if (one->op != other->op) return false;
  return one->op == IR_BARRIER ? one->scope == other->scope
                               : arrivals_object(scan, frame, one->ops[0]) == object;
}

void arrivals_find(Scan *scan) {
  ASSERT(scan->cfg->is_reducible && scan->alike.is_uniform); // after uniform_compute
  ASSERT(!kept_of(scan)->meets.count);                       // once
  Frame *frame = NULL;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!is_operation(scan, i) || arrivals_meet_of(scan, i)) continue;
    if (!frame) frame = arrivals_frame(scan);
    Group group = {.scan = scan, .frame = frame};
    bool is_object = inst_at(scan, i)->op != IR_BARRIER;
    if (is_object) group.object = arrivals_object(scan, frame, inst_at(scan, i)->ops[0]);
    for (uint32_t j = i; j < scan->fn->insts.count; j++)
      if (is_operation(scan, j) && is_of_group(scan, frame, j, i, group.object))
        vec_push(scan->arena, &group.uses, j);
    if (is_object && !group.object) {
      leave_open(&group, "which barrier object this is, at line %u, is not known", line_of(scan, i));
      conclude(&group);
    } else {
      check_group(&group);
    }
  }
}

bool arrivals_is_barrier(const Scan *scan, uint32_t inst) {
  ASSERT(scan_has_inst(scan, inst));
  const Meet *meet = arrivals_meet_of(scan, inst);
  if (meet) return meet->state == MEET_WHOLE && operation_is_wait(&scan->fn->insts.items[inst]);
  return scan->fn->insts.items[inst].op == IR_BARRIER;
}
