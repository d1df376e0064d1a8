// What does one thread of a kernel do on concrete values: which accesses, where, after how many barriers?
// Direct interpretation of the IR from the entry, one instruction at a time; unknown values poison what is
// computed from them.
// Soundness: exact up to the point where it stops; whatever would need another thread, the contents of memory
// or a construct that is not modelled makes a value unknown, and an unknown value that decides the way or a
// place stops it.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

#include <string.h>

bool interp_stop(Interp *run, InterpStop stop, uint32_t source) {
  run->is_stopped = true;
  run->stop = stop;
  run->source = source;
  return false;
}

static bool stop_on_unknown(Interp *run, Value v) {
  return interp_stop(
      run, v.kind == VALUE_UNKNOWN && v.cause == CAUSE_MEMORY ? INTERP_NEEDS_MEMORY : INTERP_UNSUPPORTED,
      v.kind == VALUE_UNKNOWN ? v.source : NO_INST);
}

bool interp_is_shared(const Interp *run, uint32_t object) {
  for (uint32_t i = 0; run->request->global_objects && i < run->module->globals.count; i++)
    if (run->request->global_objects[i] == object && run->module->globals.items[i].space == IR_SPACE_SHARED)
      return true;
  return false;
}

// ---- operands
static Value constant(const Interp *run, const IrConst *c) {
  if (c->is_undef) return value_unknown(run, CAUSE_MEMORY);
  if (c->type.kind == IR_BYTES) return (Value){.kind = VALUE_BYTES};
  return value_word(c->type, c->bits);
}

Value interp_operand(Interp *run, IrRef ref) {
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_INST: return run->results[index];
  case IR_REF_CONST: return constant(run, &run->function->consts.items[index]);
  case IR_REF_PARAM: return run->params[index];
  case IR_REF_GLOBAL:
    if (run->request->global_objects) return value_pointer(run->request->global_objects[index], 0);
    return value_unknown(run, CAUSE_UNSUPPORTED);
  case IR_REF_FUNC:
  case IR_REF_NONE: break;
  }
  return value_unknown(run, CAUSE_UNSUPPORTED);
}

// An aggregate is copied: the instruction that made it may run again while this copy lives.
static Value keep(Interp *run, Cell **slot, IrType type, Value v) {
  if (v.kind != VALUE_BYTES || !v.cells) return v;
  if (!*slot) *slot = arena_array(run->arena, type.bytes ? type.bytes : 1, Cell);
  memmove(*slot, v.cells, type.bytes * sizeof **slot);
  v.cells = *slot;
  return v;
}

// Words are kept in the signed reading of their type, aggregates have none.
static bool is_value_of(IrType type, const Value *v) {
  if (v->kind == VALUE_BYTES) return type.kind == IR_BYTES;
  return v->kind != VALUE_WORD || type.kind == IR_VOID || v->word == value_word(type, v->word).word;
}

static void set_result(Interp *run, uint32_t index, Value v) {
  ASSERT(is_value_of(run->function->insts.items[index].type, &v));
  run->results[index] = keep(run, &run->slots[index], run->function->insts.items[index].type, v);
}

// ---- parameters
static void gather_pieces(const InterpArg *arg, uint32_t bytes, Cell *cells) {
  for (uint32_t i = 0; arg && i < arg->piece_count; i++) {
    const InterpPiece *piece = &arg->pieces[i];
    if (piece->offset < bytes && piece->bytes <= bytes - piece->offset)
      value_given_to_cells(piece->value, piece->bytes, cells + piece->offset);
  }
}

static void set_param(Interp *run, uint32_t index) {
  const IrParam *param = &run->function->params.items[index];
  const InterpArg *arg = index < run->request->arg_count ? &run->request->args[index] : NULL;
  uint32_t bytes = param->byval_bytes ? param->byval_bytes : param->type.bytes;
  Cell *cells = arena_array(run->arena, bytes ? bytes : 1, Cell);
  for (uint32_t i = 0; i < bytes; i++)
    cells[i] = (Cell){.kind = CELL_UNKNOWN, .object = NO_INST};
  gather_pieces(arg, bytes, cells);
  if (!param->byval_bytes) {
    run->params[index] = value_from_cells(run, cells, param->type);
    return;
  }
  uint32_t object = memory_add_private(run, bytes);
  memory_write(run, object, 0, bytes, cells);
  run->params[index] = value_pointer(object, 0);
}

// ---- values
static Value select_value(Interp *run, const IrInst *inst, const Value *v) {
  if (v[0].kind == VALUE_WORD && ir_ref_type(run->module, run->function, inst->ops[0]).kind == IR_INT)
    return v[0].word ? v[1] : v[2];
  if (value_same(v[1], v[2])) return v[1];
  if (v[1].kind == VALUE_POINTER && v[2].kind == VALUE_POINTER && v[1].object == v[2].object)
    return interp_pointer_add(run, value_pointer(v[1].object, 0), value_poisoned(run, 1, v));
  return v[0].kind == VALUE_UNKNOWN ? value_poisoned(run, 3, v) : value_opaque(run, 3, v);
}

static Value extract(Interp *run, const IrInst *inst, const Value *v) {
  uint32_t whole = ir_ref_type(run->module, run->function, inst->ops[0]).bytes, piece = inst->type.bytes;
  if (inst->imm < 0 || inst->imm > whole || piece > whole - inst->imm) return value_opaque(run, 1, v);
  Cell *cells = memory_buffer(run, whole);
  value_to_cells(run, v[0], whole, cells);
  return value_from_cells(run, cells + inst->imm, inst->type);
}

static Value insert(Interp *run, const IrInst *inst, const Value *v) {
  uint32_t whole = inst->type.bytes, piece = ir_ref_type(run->module, run->function, inst->ops[1]).bytes;
  if (inst->imm < 0 || inst->imm > whole || piece > whole - inst->imm) return value_opaque(run, 2, v);
  Cell *cells = memory_buffer(run, whole);
  value_to_cells(run, v[0], whole, cells);
  value_to_cells(run, v[1], piece, cells + inst->imm);
  return value_from_cells(run, cells, inst->type);
}

enum { PURE_MOST = 3 };

// (address, rank): that place in the shared memory of another block.
static Value mapped(Interp *run, const IrInst *inst) {
  const InterpRequest *request = run->request;
  Value address = interp_operand(run, inst->ops[0]), rank = interp_operand(run, inst->ops[1]);
  if (!request->cluster_stride || address.kind != VALUE_POINTER || rank.kind != VALUE_WORD || rank.word < 0 ||
      rank.word >= request->cluster_blocks || !interp_is_shared(run, address.object))
    return value_unknown(run, CAUSE_UNSUPPORTED);
  return value_pointer(address.object + ((uint32_t)rank.word + 1) * request->cluster_stride, address.word);
}

static Value pure(Interp *run, const IrInst *inst) {
  if (ir_is_mapa(inst)) return mapped(run, inst);
  if (run->request->chooses_any && inst->type.kind == IR_INT && inst->name &&
      str_starts_with(inst->name, "__hgrd_pure_any_"))
    return value_word(inst->type, 0);
  Value v[PURE_MOST];
  IrType types[PURE_MOST];
  int64_t words[PURE_MOST], word = 0;
  bool is_known = inst->op_count <= PURE_MOST, is_float = inst->type.kind == IR_FLOAT;
  Value out = value_unknown(run, CAUSE_UNSUPPORTED);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    Value operand = interp_operand(run, inst->ops[i]);
    value_lose(run, operand);
    if (operand.kind == VALUE_UNKNOWN && (is_known || operand.cause == CAUSE_UNSUPPORTED)) out = operand;
    if (operand.kind != VALUE_WORD) is_known = false;
    if (i >= PURE_MOST) continue;
    v[i] = operand;
    types[i] = ir_ref_type(run->module, run->function, inst->ops[i]);
    words[i] = v[i].word;
  }
  if (is_known && !(is_float && run->request->floats_are_unknown) &&
      pure_call(inst->name, inst->type, inst->op_count, types, words, &word))
    return value_word(inst->type, word);
  out.has_object = false;
  return out;
}

// ---- other code
// It may
// write whatever it can reach, and it may synchronise.
// Memory of the thread's own, as large as it is told; too large a size is no matter.
static Value allocate(Interp *run, const IrInst *inst) {
  Value size = interp_operand(run, inst->ops[0]);
  bool is_known = size.kind == VALUE_WORD && size.word >= 0;
  return value_pointer(memory_add_private(run, is_known ? (uint64_t)size.word : UINT32_MAX), 0);
}

static Value opaque_call(Interp *run, const IrInst *inst) {
  if (ir_is_heap_allocation(run->request->module, inst)) return allocate(run, inst);
  for (uint32_t i = 0; i < inst->op_count; i++)
    value_lose(run, interp_operand(run, inst->ops[i]));
  if (inst->flags & IR_FLAG_READONLY) return value_unknown(run, CAUSE_UNSUPPORTED);
  const uint8_t *private_calls = run->request->private_calls;
  if (private_calls && private_calls[run->inst]) {
    memory_forget_escaped(run, CAUSE_UNSUPPORTED);
    return value_unknown(run, CAUSE_UNSUPPORTED);
  }
  memory_forget_reachable(run, CAUSE_UNSUPPORTED);
  run->after_opaque = true;
  return value_unknown(run, CAUSE_UNSUPPORTED);
}

// What other lanes hold; a pointer that is handed over may come back.
static Value other_lanes(Interp *run, const IrInst *inst) {
  for (uint32_t i = 0; i < inst->op_count; i++)
    value_lose(run, interp_operand(run, inst->ops[i]));
  return value_unknown(run, CAUSE_MEMORY);
}

// ---- barriers

// Barrier objects and pipelines: what comes back depends on the other threads. Who waits for whom is not
// followed.
static bool meet_at_object(Interp *run, const IrInst *inst, Value *out) {
  if (inst->op == IR_MBARRIER && !interp_object_access(run, interp_operand(run, inst->ops[0]))) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    value_lose(run, interp_operand(run, inst->ops[i]));
  *out = value_unknown(run, CAUSE_MEMORY);
  bool is_pipeline = inst->op == IR_PIPELINE;
  bool arrives = inst->imm == (is_pipeline ? (int64_t)IR_PIPELINE_COMMIT : (int64_t)IR_MBARRIER_ARRIVE);
  bool waits = is_pipeline ? inst->imm == IR_PIPELINE_WAIT
                           : inst->imm == IR_MBARRIER_WAIT || inst->imm == IR_MBARRIER_WAIT_PARITY;
  InterpSync sync = {.inst = run->inst,
                     .kind = arrives ? IR_BARRIER_ARRIVAL : IR_BARRIER_AWAIT,
                     .scope = is_pipeline ? IR_SCOPE_BLOCK : inst->scope,
                     .is_partial = true};
  if ((!waits && !arrives) || !run->request->sync || run->request->sync(run->request->context, &sync))
    return true;
  return interp_stop(run, INTERP_DONE, NO_INST);
}

// A warp barrier counts as whole if its mask covers every lane that the warp has, a named one if it names
// every thread.
static bool covers_whole_group(const Interp *run, const IrInst *inst, const Value *v) {
  const int64_t *dim = run->request->thread.block_dim;
  const Value *count = inst->imm == IR_BARRIER_NAMED ? &v[1] : &v[0];
  uint32_t operands = inst->imm == IR_BARRIER_NAMED ? 2 : 1;
  if (inst->imm == IR_BARRIER_COALESCED || inst->imm == IR_BARRIER_AWAIT) return false;
  if (inst->imm == IR_BARRIER_SYNC && inst->scope != IR_SCOPE_WARP) return true;
  if (inst->imm != IR_BARRIER_SYNC && inst->imm != IR_BARRIER_NAMED && inst->imm != IR_BARRIER_TILE)
    return true;
  if (inst->op_count < operands) return true; // no mask, no count: all
  if (count->kind != VALUE_WORD) return false;
  if (inst->imm == IR_BARRIER_TILE) return count->word >= 32;
  if (inst->imm == IR_BARRIER_NAMED) return count->word >= dim[0] * dim[1] * dim[2];
  uint32_t lanes = interp_lanes_of_warp(run);
  return ((uint32_t)(uint64_t)count->word & lanes) == lanes;
}

static void count_barrier(Interp *run, IrScope scope, bool is_partial) {
  if (is_partial) {
    run->barriers_partial++;
    return;
  }
  if (scope >= IR_SCOPE_DEVICE) run->barriers_grid++;
  if (scope >= IR_SCOPE_BLOCK) run->barriers_block++; // a cluster barrier is one as well
  run->barriers_warp++;
}

static bool barrier(Interp *run, const IrInst *inst, const Value *v, Value *out) {
  *out = value_unknown(run, CAUSE_MEMORY); // a reduction depends on the other threads
  if (inst->imm == IR_BARRIER_NAMED_ARRIVE || inst->imm == IR_BARRIER_ARRIVAL) return true;
  bool has_group = inst->op_count > 0 && v[0].kind == VALUE_WORD &&
                   (inst->imm == IR_BARRIER_NAMED || inst->imm == IR_BARRIER_TILE ||
                    (inst->imm == IR_BARRIER_SYNC && inst->scope == IR_SCOPE_WARP));
  InterpSync sync = {.inst = run->inst,
                     .kind = (uint8_t)inst->imm,
                     .scope = inst->scope,
                     .is_partial = !covers_whole_group(run, inst, v),
                     .group_known = has_group,
                     .group = has_group ? v[0].word : 0};
  count_barrier(run, (IrScope)inst->scope, sync.is_partial);
  if (!run->request->sync || run->request->sync(run->request->context, &sync)) return true;
  return interp_stop(run, INTERP_DONE, NO_INST);
}

// ---- control
static bool go_to(Interp *run, uint32_t block) {
  run->next_block = block;
  return true;
}

// Which way it goes is not known: on where the ways meet again.
static bool pass_by(Interp *run, Value condition) {
  const InterpJoin *join = run->request->joins ? &run->request->joins[run->block] : NULL;
  if (!join || join->block == UINT32_MAX) return stop_on_unknown(run, condition);
  bool is_lost = condition.kind == VALUE_UNKNOWN;
  Value lost = is_lost ? condition : value_unknown(run, CAUSE_UNSUPPORTED);
  lost.has_object = false;
  for (uint32_t i = 0; i < run->function->insts.count; i++)
    if (join->between[run->function->insts.items[i].block]) run->results[i] = lost;
  memory_forget_all(run, (Cause)lost.cause);
  run->is_passing = true;
  return go_to(run, join->block);
}

static bool branch_on(Interp *run, const IrInst *inst, const Value *v) {
  if (v[0].kind != VALUE_WORD) return pass_by(run, v[0]);
  return go_to(run, inst->blocks[v[0].word ? 0 : 1]);
}

static bool switch_on(Interp *run, const IrInst *inst, const Value *v) {
  if (v[0].kind != VALUE_WORD) return pass_by(run, v[0]);
  IrType type = ir_ref_type(run->module, run->function, inst->ops[0]);
  for (uint32_t i = 1; i < inst->block_count; i++)
    if (value_word(type, inst->case_values[i - 1]).word == v[0].word) return go_to(run, inst->blocks[i]);
  return go_to(run, inst->blocks[0]);
}

static void tell_of_copies(Interp *run, const IrInst *inst, const Value *v) {
  if (!run->request->async) return;
  bool is_known = inst->op_count == 0 || v[0].kind == VALUE_WORD;
  int64_t number = inst->op_count ? v[0].word : inst->imm;
  run->request->async(run->request->context, run->inst, is_known ? number : -1);
}

// ---- one instruction
// false: the run is over. Terminators set next_block.
static bool execute(Interp *run, const IrInst *inst, Value *out) {
  Value v[3] = {{0}, {0}, {0}};
  for (uint32_t i = 0; i < inst->op_count && i < 3; i++)
    v[i] = interp_operand(run, inst->ops[i]);
  switch (ir_op_step((IrOp)inst->op)) {
  case IR_STEP_ARITH: return interp_arith(run, inst, v, out);
  case IR_STEP_COMPARE: return interp_compare(run, inst, v, out);
  case IR_STEP_CAST: return interp_cast(run, inst, v, out);
  case IR_STEP_SELECT: *out = select_value(run, inst, v); return true;
  case IR_STEP_PTRADD: *out = interp_pointer_add(run, v[0], v[1]); return true;
  case IR_STEP_EXTRACT: *out = extract(run, inst, v); return true;
  case IR_STEP_INSERT: *out = insert(run, inst, v); return true;
  case IR_STEP_PURE: *out = pure(run, inst); return true;
  case IR_STEP_SREG: *out = interp_special_register(run, inst); return true;
  case IR_STEP_ACCESS: return interp_access(run, inst, v, out);
  case IR_STEP_BARRIER: return barrier(run, inst, v, out);
  case IR_STEP_COPIES: tell_of_copies(run, inst, v); return true;
  case IR_STEP_FENCE: return true;
  case IR_STEP_UNDEF: *out = value_unknown(run, CAUSE_MEMORY); return true;
  case IR_STEP_OBJECT: return meet_at_object(run, inst, out);
  case IR_STEP_LANES: *out = other_lanes(run, inst); return true;
  case IR_STEP_CALL: *out = opaque_call(run, inst); return true;
  case IR_STEP_BR: return go_to(run, inst->blocks[0]);
  case IR_STEP_CONDBR: return branch_on(run, inst, v);
  case IR_STEP_SWITCH: return switch_on(run, inst, v);
  case IR_STEP_RET: return interp_stop(run, INTERP_DONE, NO_INST);
  case IR_STEP_UNREACHABLE: return interp_stop(run, INTERP_UNDEFINED, NO_INST);
  case IR_STEP_PHI: // taken when the block is entered
  case IR_STEP_NONE: break;
  }
  return interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
}

static bool step(Interp *run, uint32_t index) {
  run->inst = index;
  if (run->steps >= run->request->step_limit) return interp_stop(run, INTERP_STEP_LIMIT, NO_INST);
  run->steps++;
  return true;
}

// The phis of a block that the thread comes to by ways that are not known; which of their values was lost,
// the branch says.
static void enter_unknown(Interp *run, const IrBlock *block, uint32_t *first_after) {
  const IrFunction *function = run->function;
  uint32_t end = block->first;
  for (; end < block->first + block->count && function->insts.items[end].op == IR_PHI; end++)
    run->results[end] = value_unknown(run, CAUSE_MEMORY);
  *first_after = end;
  run->is_passing = false;
}

// All phis of a block take their values at once.
static bool enter(Interp *run, uint32_t from, const IrBlock *block, uint32_t *first_after) {
  const IrFunction *function = run->function;
  uint32_t end = block->first;
  while (end < block->first + block->count && function->insts.items[end].op == IR_PHI)
    end++;
  *first_after = end;
  for (uint32_t i = block->first; i < end; i++) {
    const IrInst *phi = &function->insts.items[i];
    uint32_t edge = 0;
    if (!step(run, i)) return false;
    while (edge < phi->block_count && phi->blocks[edge] != from)
      edge++;
    if (edge >= phi->op_count) return interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
    run->phi_values[i - block->first] =
        keep(run, &run->phi_slots[i], phi->type, interp_operand(run, phi->ops[edge]));
  }
  for (uint32_t i = block->first; i < end; i++)
    set_result(run, i, run->phi_values[i - block->first]);
  return true;
}

static void enter_block(Interp *run, uint32_t from, uint32_t number) {
  run->next_block = UINT32_MAX;
  run->block = number;
  if (number >= run->function->blocks.count) {
    interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
    return;
  }
  if (run->request->edge) run->request->edge(run->request->context, from, number);
  const IrBlock *block = &run->function->blocks.items[number];
  if (run->is_passing)
    enter_unknown(run, block, &run->at);
  else
    enter(run, from, block, &run->at);
}

static void go_on(Interp *run) {
  const IrBlock *block = &run->function->blocks.items[run->block];
  if (!run->is_stopped && ++run->at >= block->first + block->count)
    enter_block(run, run->block, run->next_block);
}

void interp_next(Interp *run) {
  uint32_t index = run->at;
  Value out = {0};
  if (!step(run, index) || !execute(run, &run->function->insts.items[index], &out)) return;
  set_result(run, index, out);
  go_on(run);
}

void interp_pass(Interp *run, Value result) {
  uint32_t index = run->at;
  if (!step(run, index)) return;
  set_result(run, index, result);
  go_on(run);
}

static void make_tables(Interp *run) {
  const IrFunction *function = run->function;
  uint32_t insts = function->insts.count + 1;
  run->results = arena_array(run->arena, insts, Value);
  run->slots = arena_array(run->arena, insts, Cell *);
  run->phi_values = arena_array(run->arena, insts, Value);
  run->phi_slots = arena_array(run->arena, insts, Cell *);
  run->params = arena_array(run->arena, function->params.count + 1, Value);
  run->inst = NO_INST;
  for (uint32_t i = 0; i < function->params.count; i++)
    set_param(run, i);
}

static void tell_end(const Interp *run, InterpEnd *end) {
  bool has_source =
      run->source != NO_INST && (run->stop == INTERP_NEEDS_MEMORY || run->stop == INTERP_UNSUPPORTED);
  *end = (InterpEnd){.inst = run->inst,
                     .has_source = has_source,
                     .source = has_source ? run->source : 0,
                     .steps = run->steps,
                     .barriers_block = run->barriers_block,
                     .barriers_grid = run->barriers_grid,
                     .barriers_warp = run->barriers_warp,
                     .barriers_partial = run->barriers_partial};
}

void interp_begin(Interp *run) {
  make_tables(run);
  if (run->function->blocks.count > 0)
    enter_block(run, UINT32_MAX, 0);
  else
    interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
}

InterpStop interp_run(const InterpRequest *request, Arena *scratch) {
  ArenaMark mark = arena_mark(scratch);
  Interp run = {.request = request,
                .module = request->module,
                .function = request->kernel,
                .arena = scratch,
                .inst = NO_INST,
                .source = NO_INST,
                .stop = INTERP_UNSUPPORTED};
  interp_begin(&run);
  while (!run.is_stopped)
    interp_next(&run);
  if (request->end) tell_end(&run, request->end);
  arena_release(scratch, mark);
  return run.stop;
}
