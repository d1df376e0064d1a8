// Which numbers did atomic additions give to a thread? The old value that `atomicAdd(&counter, v)` returns is the start of a range
// [r, r + v); what the ranges of two threads say of each other is told in draw_pairs.c. Method: a draw is followed from the addition to who
// uses its number: through a phi all of whose values are draws at one counter (`for (i = atomicAdd(..); ..; i = atomicAdd(..))`), to the other
// threads of a block through a shared variable into which nothing but such draws is stored, to the other lanes of a warp by a shuffle.
// Soundness: a draw is noted only where counter and amount are those of the one who made the addition, as the thread that has the number sees
// them; how it came to that thread stands with it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/barrier.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/proofs.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

bool draw_ranges_is_addition(const IrInst *inst) {
  ASSERT(inst);
  return inst->op == IR_ATOMICRMW && (inst->rmw == IR_RMW_ADD || inst->rmw == IR_RMW_SUB);
}

// What is added; 0: not known.
ExprRef draw_ranges_amount(Frame *frame, const IrInst *inst) {
  ASSERT(draw_ranges_is_addition(inst));
  ExprPool *pool = frame->scan->pool;
  uint8_t width = symeval_width(inst->type);
  ExprRef amount = frame_word(frame, inst->ops[1], width);
  if (!amount || inst->rmw != IR_RMW_SUB) return amount;
  return expr_binary(pool, EXPR_SUB, EXPR_NSW, expr_const(pool, width, 0), amount);
}

// The atomic additions that a value may come from.
typedef struct Sources {
  uint32_t count;
  uint32_t items[DRAW_DEPTH]; // instructions
  bool is_carried;            // through a shared variable
  ExprRef only_if;            // it comes from them under this condition; 0: always
} Sources;

// Follows the value back to them; false if it may come from anywhere else.
static bool find_sources(Frame *frame, IrRef ref, int depth, Sources *sources);

bool draw_ranges_stores_into(const Scan *scan, const Access *access, uint32_t global) {
  ASSERT(access && global < scan->module->globals.count);
  IrRef address = object_address_base(scan, access->address);
  return access->kind != ACCESS_READ && ir_ref_kind(address) == IR_REF_GLOBAL &&
         ir_ref_index(address) == global;
}

static bool is_drawn_from(const Scan *scan, uint32_t global) {
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (draw_ranges_stores_into(scan, &scan->accesses.items[a], global) &&
        scan->fn->insts.items[scan->accesses.items[a].inst].op == IR_ATOMICRMW)
      return true;
  return false;
}

// All stores of the kernel into the variable store draws.
static bool find_stored(Frame *frame, const IrInst *load, uint32_t global, int depth, Sources *sources) {
  const Scan *scan = frame->scan;
  bool found = false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (!draw_ranges_stores_into(scan, access, global)) continue;
    const IrInst *store = &scan->fn->insts.items[access->inst];
    if (store->op != IR_STORE || access->bytes != load->type.bytes ||
        !find_sources(frame, store->ops[1], depth - 1, sources))
      return false;
    found = true;
  }
  return found;
}

// The stores that may reach the load do, but for those that are overwritten: the start of its room is kept where a block
// had the sum of a warp before.
static bool find_left(Frame *frame, const IrInst *load, int depth, Sources *sources) {
  Scan *scan = frame->scan;
  StoresLeft left;
  bool found = false, is_drawn[STORE_LIMIT];
  uint32_t inst = (uint32_t)(load - scan->fn->insts.items);
  if (frame->view->is_third || !reaching_stores_find(frame, inst, &left)) return false;
  for (uint32_t i = 0; i < left.count; i++) {
    Sources before = *sources;
    is_drawn[i] = find_sources(frame, scan->fn->insts.items[left.insts[i]].ops[1], depth - 1, sources);
    if (!is_drawn[i]) *sources = before;
    found |= is_drawn[i];
  }
  if (!found || sources->only_if) return false; // most variables hold nothing that was drawn
  reaching_stores_find_overwritten(frame, inst, &left);
  ExprRef all = expr_bool(scan->pool, true);
  for (uint32_t i = 0; i < left.count; i++) {
    if (is_drawn[i]) continue;
    if (!left.overwritten[i]) return false;
    all = expr_and(scan->pool, all, left.overwritten[i]);
  }
  sources->only_if = all;
  return true;
}

// What a shared variable holds when it is read.
static bool find_carried(Frame *frame, const IrInst *load, int depth, Sources *sources) {
  Scan *scan = frame->scan;
  IrRef base = object_address_base(scan, load->ops[0]);
  if (ir_ref_kind(base) != IR_REF_GLOBAL || load->order != IR_ORDER_PLAIN || scan->has_opaque) return false;
  uint32_t global = ir_ref_index(base);
  const IrGlobal *info = &scan->module->globals.items[global];
  if (info->space != IR_SPACE_SHARED || info->is_dynamic_shared) return false;
  if (is_drawn_from(scan, global)) { // it was a counter before
    bool was_carried = sources->is_carried;
    uint32_t store = counter_bounds_last_write(scan, (uint32_t)(load - scan->fn->insts.items));
    if (store == CFG_NONE) return false;
    bool found = find_sources(frame, scan->fn->insts.items[store].ops[1], depth - 1, sources);
    sources->is_carried = was_carried;
    return found;
  }
  Sources before = *sources;
  if (find_stored(frame, load, global, depth, sources)) return true;
  *sources = before;
  return find_left(frame, load, depth, sources);
}

static bool find_sources(Frame *frame, IrRef ref, int depth, Sources *sources) {
  const Scan *scan = frame->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || depth == 0) return false;
  if (draw_ranges_is_addition(inst)) {
    if (sources->count == DRAW_DEPTH) return false;
    sources->items[sources->count++] = ir_ref_index(ref);
    return true;
  }
  if (inst->op == IR_LOAD) {
    sources->is_carried = true;
    return find_carried(frame, inst, depth, sources);
  }
  if (inst->op != IR_PHI) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (inst->ops[i] != ref && !find_sources(frame, inst->ops[i], depth - 1, sources)) return false;
  return sources->count > 0;
}

// One thread of the block comes there: what the value is for it; 0: several, or not known.
static ExprRef as_the_one_sees_it(const Frame *frame, uint32_t block, ExprRef value) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  int64_t rest = named_only_one(scan, block);
  if (rest < 0) return 0;
  uint32_t count = 0;
  ExprRef own[3], numbers[3];
  for (int axis = 0; axis < 3; axis++) {
    int64_t dim = 1;
    if (!expr_is_const(pool, scan->launch->block[axis], &dim) || dim < 1) return 0;
    int64_t number = rest % dim;
    rest /= dim;
    if (expr_node(pool, frame->view->thread_idx[axis])->op != EXPR_SYM) continue;
    own[count] = frame->view->thread_idx[axis];
    numbers[count++] = expr_const(pool, 32, number);
  }
  return expr_replace(pool, value, own, numbers, count);
}

// One value for all of the block, made of the block's own and of what is read once for all of it.
bool draw_ranges_is_of_readings(Frame *frame, IrRef ref, int depth) {
  const Scan *scan = frame->scan;
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (draw_totals_is_reading(frame, ref)) return true;
  ExprRef value = inst ? 0 : frame_word(frame, ref, symeval_width(ir_ref_type(scan->module, scan->fn, ref)));
  if (!inst) return value && frame_is_of_block(frame, value);
  IrOpClass class = ir_op_class(inst->op);
  bool is_pure =
      class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST || inst->op == IR_SELECT;
  for (uint32_t i = 0; is_pure && i < inst->op_count; i++)
    is_pure = depth > 0 && draw_ranges_is_of_readings(frame, inst->ops[i], depth - 1);
  return is_pure;
}

// The counter and the amount of one addition, as this thread sees them. A draw that is not the addition's
// own result must name the same counter and amount for every thread of the block and iteration.
static bool describe(Frame *frame, uint32_t source, bool is_own, DrawRange *draw) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[source];
  SymValue address = frame_value(frame, inst->ops[0]);
  ExprRef amount = draw_ranges_amount(frame, inst);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition ||
      address.targets[0].key || !amount)
    return false;
  bool is_for_others = !is_own && !frame_is_of_block(frame, amount);
  ExprRef of_one = is_for_others ? as_the_one_sees_it(frame, inst->block, amount) : 0;
  if (of_one && frame_is_of_block(frame, of_one)) amount = of_one;
  bool is_block_amount =
      frame_is_of_block(frame, amount) || (draw_ranges_is_of_readings(frame, inst->ops[1], DRAW_DEPTH) &&
                                           scan->cfg->loop_of[inst->block] == CFG_NONE);
  if (!is_own && !(expr_is_const(scan->pool, address.targets[0].offset, NULL) && is_block_amount))
    return false;
  if (draw->counter && (draw->counter != address.targets[0].object ||
                        draw->offset != address.targets[0].offset || draw->amount != amount))
    return false;
  draw->counter = address.targets[0].object;
  draw->offset = address.targets[0].offset;
  draw->amount = amount;
  draw->scope = (IrScope)inst->scope;
  draw->bytes = inst->type.bytes;
  return true;
}

// ---- handed on within a warp
// The same for all lanes of a warp that made the same votes, in the rounds of the loops around the block.
static bool is_uniform_in_warp(Scan *scan, IrRef ref, uint32_t block, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || uniform_ref(scan, ref)) return true;
  if (votes_is_ballot(scan, inst))
    return !together_is_open(scan) && together_meets_all(scan, ir_ref_index(ref));
  if (depth == 0) return false;
  if (votes_is_broadcast(scan, inst) && together_hands_to_all(scan, ir_ref_index(ref)))
    return is_uniform_in_warp(scan, inst->ops[2], block, depth - 1);
  if (inst->op == IR_LOAD) {
    uint32_t loop = scan->cfg->loop_of[inst->block];
    return (loop == CFG_NONE || cfg_loop_contains(scan->cfg, loop, block)) &&
           warp_words_is_one(scan, ir_ref_index(ref));
  }
  if (!symeval_is_symbolic((IrOp)inst->op) && inst->op != IR_PTRADD) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_uniform_in_warp(scan, inst->ops[i], block, depth - 1)) return false;
  return true;
}

// The one addition whose result the value is, where it is one; CFG_NONE: none, or several.
static uint32_t addition_behind(const Scan *scan, IrRef value, bool *is_merged) {
  const IrInst *inst = ir_inst(scan->fn, value);
  *is_merged = inst && inst->op == IR_PHI;
  if (inst && draw_ranges_is_addition(inst)) return ir_ref_index(value);
  uint32_t found = CFG_NONE;
  for (uint32_t i = 0; *is_merged && i < inst->op_count; i++) {
    const IrInst *from = ir_inst(scan->fn, inst->ops[i]);
    if (!from || !draw_ranges_is_addition(from)) continue;
    if (found != CFG_NONE) return CFG_NONE;
    found = ir_ref_index(inst->ops[i]);
  }
  return found;
}

// One lane draws for its warp: all lanes know the start of a range that is the warp's own.
static bool note_handed(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  const IrInst *shuffle = &scan->fn->insts.items[index];
  bool is_merged = false;
  uint32_t addition = addition_behind(scan, shuffle->ops[1], &is_merged);
  if (addition == CFG_NONE || together_is_open(scan) || !together_meets_all(scan, index) ||
      !is_uniform_in_warp(scan, shuffle->ops[2], shuffle->block, 8))
    return false;
  const IrInst *inst = &scan->fn->insts.items[addition];
  if (!is_uniform_in_warp(scan, inst->ops[0], inst->block, 8)) return false;
  ExprRef amount = 0;
  int64_t from = 0;
  if (!is_uniform_in_warp(scan, inst->ops[1], inst->block, 8)) {
    bool is_of_known =
        is_merged && ir_const_value(scan->fn, shuffle->ops[2], &from) && from >= 0 && from < 32;
    amount = is_of_known ? groups_amount_of_lane(frame, addition, 32, from) : 0;
    if (!amount) return false;
  }
  ExprRef lane = frame_word(frame, shuffle->ops[2], 32);
  if (is_merged && !(lane && groups_lane_adds(frame, shuffle, addition, (GroupLane){.number = lane})))
    return false;
  DrawRange draw = {.leaf = leaf,
                    .owner = frame->view->owner,
                    .extent = frame->view->extent,
                    .frame = frame,
                    .source = addition,
                    .handed = index,
                    .is_of_warp = true};
  // A source outside the warp stands for another lane.
  ExprRef comes = lane ? shuffles_source_comes(frame, index, lane) : 0;
  if (!comes) return false;
  ExprPool *pool = scan->pool;
  draw.only_if = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, 0), lane),
                          expr_binary(pool, EXPR_SLT, 0, lane, expr_const(pool, 32, 32)));
  draw.only_if = expr_and(pool, draw.only_if, comes);
  if (!describe(frame, addition, true, &draw)) return false;
  if (amount) draw.amount = amount;
  vec_push(scan->arena, &fact_lists(scan)->draws, draw);
  return true;
}

// One counter for all that share the number: that of the block, or of the label that they named.
static bool is_address_of_group(Frame *frame, uint32_t shuffle, uint32_t addition) {
  const IrInst *inst = &frame->scan->fn->insts.items[addition];
  SymValue address = frame_value(frame, inst->ops[0]);
  return address.kind == SYM_POINTER && address.target_count == 1 &&
         (frame_is_of_block(frame, address.targets[0].offset) ||
          groups_label_decides_word(frame->scan, shuffle, inst->ops[0]));
}

// One lane draws for those that run together with it.
static void note_of_group(Frame *frame, uint32_t index, ExprRef leaf) {
  bool is_merged = false;
  DrawRange draw;
  uint32_t addition = addition_behind(frame->scan, frame->scan->fn->insts.items[index].ops[1], &is_merged);
  if (addition == CFG_NONE || !is_merged || !is_address_of_group(frame, index, addition)) return;
  if (!groups_note(frame, index, addition, leaf, &draw)) return;
  ExprRef amount = draw.amount; // what the lane that draws knows
  if (!describe(frame, addition, true, &draw)) return;
  if (amount) draw.amount = amount;
  vec_push(frame->scan->arena, &fact_lists(frame->scan)->draws, draw);
}

static void draw_ranges_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  FactLists *lists = fact_lists(scan);
  if (!leaf) return;
  for (uint32_t i = 0; i < lists->draws.count; i++)
    if (lists->draws.items[i].leaf == leaf && lists->draws.items[i].frame == frame) return;
  if (votes_is_broadcast(scan, &scan->fn->insts.items[index]) && note_handed(frame, index, leaf)) return;
  if (votes_is_from_lane(&scan->fn->insts.items[index])) {
    note_of_group(frame, index, leaf);
    return;
  }
  Sources sources = {0};
  if (!find_sources(frame, IR_REF(IR_REF_INST, index), DRAW_DEPTH, &sources) || !sources.count) return;
  DrawRange draw = {.leaf = leaf,
                    .owner = frame->view->owner,
                    .extent = frame->view->extent,
                    .frame = frame,
                    .source = sources.items[0],
                    .is_own = sources.count == 1 && sources.items[0] == index,
                    .is_carried = sources.is_carried,
                    .only_if = sources.only_if};
  for (uint32_t i = 0; i < sources.count; i++)
    if (!describe(frame, sources.items[i], draw.is_own, &draw)) return;
  vec_push(scan->arena, &lists->draws, draw);
}

const ValueFacts draw_ranges_facts = {.note = draw_ranges_note};
