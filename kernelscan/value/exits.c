// In which iteration is a loop left? Where a thread is behind a loop, what it reads of the loop's variables
// is what they were in the last iteration. Method: a loop that tests in each round, at one place, a value
// made of nothing but numbers that are known (constants, the launch's dimensions and parameters, what an
// earlier such loop left) is stepped through, up to a limit; so `for (d = 512; d > 0; d /= 2) offset *= 2`
// leaves offset with one number. Any other loop that all threads of a block leave together, by divergence
// analysis, is left by two of them in one iteration, if the loops around it are in one. Soundness: exact for
// a loop that was gone through; of one that a thread went round nothing is read, and a loop with another way
// out (or one that ends the thread) is not stepped through, so that what its rounds are said to have
// fulfilled is no more than their number.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"

enum { ROUND_LIMIT = 64, VARIABLE_LIMIT = 8, SLICE_LIMIT = 48, TRIP_DEPTH = 4 };

// Walks through one loop.
typedef struct Trip {
  Scan *scan;
  uint32_t loop, depth;
  uint32_t variable_count;
  uint32_t variables[VARIABLE_LIMIT]; // header phis
  ExprRef now[VARIABLE_LIMIT];
  uint32_t made_count; // instructions whose value in this round is known
  uint32_t made[SLICE_LIMIT];
  ExprRef values[SLICE_LIMIT];
} Trip;

static ExprRef number_of(Trip *trip, IrRef ref, int depth);

// ---- numbers

// What comes in from outside, or what comes round; 0: several.
static IrRef value_from(const Trip *trip, const IrInst *phi, bool is_round) {
  IrRef found = 0;
  for (uint32_t i = 0; i < phi->op_count; i++) {
    if (trip->scan->cfg->rpo_number[phi->blocks[i]] == CFG_NONE ||
        cfg_loop_contains(trip->scan->cfg, trip->loop, phi->blocks[i]) != is_round)
      continue;
    if (found && found != phi->ops[i]) return 0;
    found = phi->ops[i];
  }
  return found;
}

static ExprRef number_only(const Trip *trip, ExprRef word) {
  return word && expr_is_const(trip->scan->pool, word, NULL) ? word : 0;
}

static ExprRef dimension(const Scan *scan, int64_t sreg) {
  if (sreg == IR_SREG_WARPSIZE) return expr_const(scan->pool, 32, 32);
  if (sreg >= IR_SREG_NTID_X && sreg <= IR_SREG_NTID_Z) return scan->launch->block[sreg - IR_SREG_NTID_X];
  if (sreg >= IR_SREG_NCTAID_X && sreg <= IR_SREG_NCTAID_Z)
    return scan->launch->grid[sreg - IR_SREG_NCTAID_X];
  if (sreg >= IR_SREG_CLUSTER_NCTAID_X && sreg <= IR_SREG_CLUSTER_NCTAID_Z)
    return scan->launch->cluster[sreg - IR_SREG_CLUSTER_NCTAID_X];
  return 0;
}

static ExprRef pure_number(Trip *trip, const IrInst *inst, int depth) {
  ExprRef operands[4];
  if (inst->op_count > 4) return 0;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    operands[i] = number_of(trip, inst->ops[i], depth - 1);
    if (!operands[i]) return 0;
  }
  const Scan *scan = trip->scan;
  return number_only(trip, symeval_inst(scan->pool, scan->module, scan->fn, inst, operands));
}

// The outermost loop around the block that is not around this one: it was left before.
static uint32_t loop_left_before(const Trip *trip, uint32_t block) {
  const Cfg *cfg = trip->scan->cfg;
  uint32_t found = CFG_NONE, header = cfg->loops.items[trip->loop].header;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    if (!cfg_loop_contains(cfg, l, header)) found = l;
  return found;
}

static ExprRef step_through(Scan *scan, uint32_t loop, IrRef wanted, uint32_t depth, uint32_t *rounds);

// How far the address lies behind its base.
static bool constant_offset(const Scan *scan, IrRef address, int64_t *offset) {
  *offset = 0;
  for (const IrInst *inst = ir_inst(scan->fn, address); inst && ir_inst_is(inst, IR_SAME_OBJECT);
       inst = ir_inst(scan->fn, address)) {
    int64_t by = 0;
    if (inst->op == IR_PTRADD && !ir_const_value(scan->fn, inst->ops[1], &by)) return false;
    *offset += by;
    address = inst->ops[0];
  }
  return true;
}

static ExprRef inst_number(Trip *trip, uint32_t index, int depth) {
  const Scan *scan = trip->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  for (uint32_t i = 0; i < trip->variable_count; i++)
    if (trip->variables[i] == index) return trip->now[i];
  uint32_t left = loop_left_before(trip, inst->block);
  uint32_t rounds = 0;
  if (left != CFG_NONE && !cfg_loop_contains(scan->cfg, trip->loop, inst->block))
    return step_through(trip->scan, left, IR_REF(IR_REF_INST, index), trip->depth + 1, &rounds);
  if (inst->op == IR_SREG) return number_only(trip, dimension(scan, inst->imm));
  if (inst->op == IR_LOAD && inst->order == IR_ORDER_PLAIN && object_is_in_parameter(scan, inst->ops[0])) {
    int64_t offset = 0;
    uint32_t param = ir_ref_index(object_address_base(scan, inst->ops[0]));
    if (!constant_offset(scan, inst->ops[0], &offset)) return 0;
    return number_only(trip, object_param_piece(trip->scan, param, offset, inst->type).word);
  }
  return symeval_is_symbolic((IrOp)inst->op) ? pure_number(trip, inst, depth) : 0;
}

// 0: it is not known, or no number.
static ExprRef number_of(Trip *trip, IrRef ref, int depth) {
  Scan *scan = trip->scan;
  uint32_t index = ir_ref_index(ref);
  if (depth == 0) return 0;
  if (ir_ref_kind(ref) == IR_REF_CONST) {
    ExprRef word = symeval_const(scan->pool, &scan->fn->consts.items[index]);
    return number_only(trip, word);
  }
  if (ir_ref_kind(ref) == IR_REF_PARAM) {
    const IrParam *param = &scan->fn->params.items[index];
    if (param->type.kind != IR_INT || param->byval_bytes) return 0;
    return number_only(trip, object_param_piece(scan, index, 0, param->type).word);
  }
  if (ir_ref_kind(ref) != IR_REF_INST) return 0;
  for (uint32_t i = 0; i < trip->made_count; i++)
    if (trip->made[i] == index) return trip->values[i];
  if (trip->made_count == SLICE_LIMIT) return 0;
  ExprRef value = inst_number(trip, index, depth);
  if (trip->made_count == SLICE_LIMIT) return 0;
  trip->made[trip->made_count] = index;
  trip->values[trip->made_count++] = value;
  return value;
}

// ---- rounds

// The header phis that the value is made of, in any round.
static bool gather(Trip *trip, IrRef ref, int depth) {
  const Scan *scan = trip->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || !cfg_loop_contains(scan->cfg, trip->loop, inst->block)) return true;
  if (depth == 0) return false;
  if (inst->op == IR_PHI) {
    for (uint32_t i = 0; i < trip->variable_count; i++)
      if (trip->variables[i] == ir_ref_index(ref)) return true;
    if (inst->block != scan->cfg->loops.items[trip->loop].header || inst->type.kind != IR_INT ||
        trip->variable_count == VARIABLE_LIMIT)
      return false;
    trip->variables[trip->variable_count++] = ir_ref_index(ref);
    IrRef next = value_from(trip, inst, true);
    return next && gather(trip, next, depth - 1);
  }
  if (inst->op == IR_SREG) return true;
  if (!symeval_is_symbolic((IrOp)inst->op)) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!gather(trip, inst->ops[i], depth - 1)) return false;
  return true;
}

// The variables of the first round, or of the one after this.
static bool go_on(Trip *trip, bool is_round) {
  ExprRef next[VARIABLE_LIMIT];
  uint32_t count = trip->variable_count;
  if (!is_round) trip->variable_count = 0; // not yet
  for (uint32_t i = 0; i < count; i++) {
    const IrInst *phi = &trip->scan->fn->insts.items[trip->variables[i]];
    IrRef value = value_from(trip, phi, is_round);
    next[i] = value ? number_of(trip, value, 16) : 0;
    if (!next[i]) return false;
  }
  trip->variable_count = count;
  memcpy(trip->now, next, count * sizeof *next);
  trip->made_count = 0;
  return true;
}

// The value of `wanted` (0: none) in the round in which the loop is left, and how many came before it. 0: not
// known.
static ExprRef step_through(Scan *scan, uint32_t loop, IrRef wanted, uint32_t depth, uint32_t *rounds) {
  Trip *trip = arena_new(scan->arena, Trip);
  *trip = (Trip){.scan = scan, .loop = loop, .depth = depth};
  LoopExit exit;
  if (depth > TRIP_DEPTH || !nested_find_exit(scan, loop, &exit) || !gather(trip, exit.condition, 16) ||
      (wanted && !gather(trip, wanted, 16)) || !go_on(trip, false))
    return 0;
  for (*rounds = 0; *rounds < ROUND_LIMIT; ++*rounds) {
    ExprRef test = number_of(trip, exit.condition, 16);
    if (!test) return 0;
    if (expr_is_true(scan->pool, test) == exit.when_true) return wanted ? number_of(trip, wanted, 16) : test;
    if (!go_on(trip, true)) return 0;
  }
  return 0;
}

// ---- frames behind loops

// What is kept of a scan: set once, by exits_find, and read by frames made later only.
typedef struct Kept {
  uint32_t *last_rounds; // by loop: number of the iteration in which it is left + 1; 0: not known
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, exits, Kept);
}

uint32_t exits_rounds(const Scan *scan, uint32_t loop) {
  const Kept *kept = kept_of(scan);
  BUG_UNLESS(kept->last_rounds && loop < scan->cfg->loops.count); // exits_start
  return kept->last_rounds[loop];
}

void exits_start(Scan *scan) {
  ASSERT(!kept_of(scan)->last_rounds); // once
  kept_of(scan)->last_rounds = arena_array(scan->arena, scan->cfg->loops.count + 1, uint32_t);
}

void exits_find(Scan *scan) {
  Kept *kept = kept_of(scan);
  BUG_UNLESS(kept->last_rounds); // exits_start
  uint32_t loops = scan->cfg->loops.count;
  for (uint32_t l = 0; l < loops; l++) {
    uint32_t rounds = 0;
    if (step_through(scan, l, 0, 0, &rounds)) kept->last_rounds[l] = rounds + 1;
  }
}

static bool is_known(const Scan *scan, Extent extent, uint32_t loop) {
  return exits_rounds(scan, loop) || (!extent_is_between_blocks(extent) && !scan->alike.exits_diverge[loop]);
}

uint32_t exits_place(const Scan *scan, Extent extent, uint32_t block) {
  ASSERT(extent <= EXTENT_NONE);
  BUG_UNLESS(block < scan->cfg->block_count);
  uint32_t place = scan->cfg->loop_of[block];
  while (place != CFG_NONE && !is_known(scan, extent, place))
    place = scan->cfg->loops.items[place].parent;
  return place;
}

static void compare_owner(void *context, uint32_t sym) {
  struct {
    const ExprPool *pool;
    bool is_private;
  } *found = context;
  found->is_private |= expr_sym_info(found->pool, sym)->owner != OWNER_UNIFORM;
}

static bool is_shared_by_block(const Scan *scan, ExprRef iteration) {
  struct {
    const ExprPool *pool;
    bool is_private;
  } found = {scan->pool, false};
  expr_each_sym(scan->pool, iteration, compare_owner, &found);
  return !found.is_private;
}

static bool is_inside(const Scan *scan, uint32_t loop, uint32_t place) {
  return place != CFG_NONE && cfg_loop_contains(scan->cfg, loop, scan->cfg->loops.items[place].header);
}

// The thread may have come through the loop since the point, by the loop's own points. Conditions of rounds
// without these (rounds.c) are said of a symbol.
static bool is_passed_on_way(const Frame *frame, uint32_t loop) {
  const Scan *scan = frame->scan;
  uint32_t header = scan->node_first[scan->cfg->loops.items[loop].header];
  return frame->graph && frame_goes_by_points(frame, loop) &&
         ways_state(frame->graph, header, frame->phase) != CFG_NONE;
}

void exits_fix(Frame *frame, uint32_t place) {
  ASSERT(frame->view);
  BUG_UNLESS(place == CFG_NONE || place < frame->scan->cfg->loops.count);
  const Scan *scan = frame->scan;
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++) {
    const CfgLoop *loop = &scan->cfg->loops.items[l];
    if (frame->iteration[l] || is_inside(scan, l, place) || !is_known(scan, frame->view->extent, l)) continue;
    uint32_t rounds = exits_rounds(scan, l);
    if (rounds && !is_passed_on_way(frame, l)) {
      frame->iteration[l] = expr_const(scan->pool, 32, rounds - 1);
      continue;
    }
    bool is_together = true;
    for (uint32_t p = loop->parent; p != CFG_NONE; p = scan->cfg->loops.items[p].parent)
      is_together &= frame->iteration[p] && is_shared_by_block(scan, frame->iteration[p]);
    if (is_together) frame->iteration[l] = frame_last_iteration(frame, l);
  }
}

// Is the frame's iteration of the loop that of the visit in which the thread left the point? A loop inside
// the one whose back edge was crossed since is come to anew, if at all: its number is of a visit that may lie
// ahead.
static bool is_visit_of_point(const Frame *frame, uint32_t loop) {
  const WayGraph *graph = frame->graph;
  uint32_t depth = 0; // among the loops around the point
  while (depth < graph->loop_count && graph->loops[depth] != loop)
    depth++;
  return depth < graph->loop_count && (frame->phase == 0 || depth < frame->phase);
}

// On the way itself these loops are in more than one iteration, so their frames say nothing of that.
Frame *exits_at_end(Frame *frame, uint32_t place) {
  ASSERT(frame->view);
  Scan *scan = frame->scan;
  Frame *made = NULL;
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++) {
    bool is_left = frame->iteration[l] && is_visit_of_point(frame, l) && !is_inside(scan, l, place);
    uint32_t rounds = exits_rounds(scan, l);
    if (!rounds || !is_left || is_passed_on_way(frame, l)) continue;
    ExprRef last = expr_const(scan->pool, 32, rounds - 1);
    if (frame->iteration[l] == last) continue;
    if (!made) {
      made = frame_like(frame, frame->iteration, frame->before);
      made->is_at_end = expr_bool(scan->pool, true);
    }
    made->is_at_end = expr_and(scan->pool, made->is_at_end, expr_eq(scan->pool, frame->iteration[l], last));
    made->iteration[l] = last;
    if (made->before[l]) made->before[l] = expr_const(scan->pool, 32, (int64_t)rounds - 2);
  }
  return made ? made : frame;
}
