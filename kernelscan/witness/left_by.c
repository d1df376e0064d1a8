// On what does it hang what a launch leaves in a flag or counter? A run shows it for the sizes and contents of memory that
// it was made with. It may be taken for all runs only where nothing else decides it: not what is read from other arrays, not a
// number that the program is free to choose.
// Method: a slice backwards (Weiser 1981) from what may write the word: addresses, values, the branches on which it hangs that
// it is made (control dependence), and for what is read from shared or private memory all that writes that variable.
// Where the run had other sizes, the slice may hold no numbers larger than one, which sizes that were run need not reach.
// Soundness: over-approximates, flow-insensitive in memory; what is not understood counts as contents of memory. That a wait
// ends is not asked.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/witness/left_by.h"
#include "kernelscan/facts.h"

#include "core/cfg.h"

typedef enum AtKind { AT_WORD, AT_SHARED, AT_PRIVATE, AT_PARAM, AT_OTHER, AT_ANY } AtKind;

typedef struct At {
  AtKind kind;
  uint32_t which; // variable, instruction, or parameter
} At;

typedef struct Slice {
  const Scan *scan;
  const LaunchContext *launch;
  const IrFunction *fn;
  const Cfg *cfg;
  Arena *arena;
  ExprRef leaf;         // of the object on the host; 0: it is
  const char *variable; // this one of the device
  bool is_sampled;
  uint8_t *seen, *seen_block;
  VEC(uint32_t) work;
  LeftBy by;
} Slice;

// ---- where an address leads
static bool is_word_object(const Slice *slice, uint32_t number) {
  const LaunchObject *object = &slice->launch->objects.items[number];
  if (slice->variable) return object->kind == OBJECT_GLOBAL && strcmp(object->name, slice->variable) == 0;
  return object->leaf == slice->leaf;
}

static const ArgPiece *piece_at(const Slice *slice, uint32_t param, int64_t offset) {
  if (param >= slice->launch->args.count) return NULL;
  const LaunchArg *arg = &slice->launch->args.items[param];
  for (uint32_t p = 0; p < arg->pieces.count; p++)
    if (arg->pieces.items[p].offset == offset) return &arg->pieces.items[p];
  return NULL;
}

static At at_piece(const Slice *slice, const ArgPiece *piece) {
  if (!piece || piece->word || !piece->target_count) return (At){AT_ANY, 0};
  for (uint32_t t = 0; t < piece->target_count; t++)
    if (is_word_object(slice, piece->targets[t].object)) return (At){AT_WORD, 0};
  return (At){AT_OTHER, 0};
}

static At at_global(const Slice *slice, uint32_t index) {
  const IrGlobal *global = &slice->scan->module->globals.items[index];
  if (global->space == IR_SPACE_SHARED) return (At){AT_SHARED, index};
  bool is_word = slice->variable && strcmp(global->name, slice->variable) == 0;
  return (At){is_word ? AT_WORD : AT_OTHER, index};
}

static At at_address(const Slice *slice, IrRef ref) {
  const IrInst *inst = ir_inst(slice->fn, ref);
  for (; inst && (inst->op == IR_PTRADD || inst->op == IR_BITCAST); inst = ir_inst(slice->fn, ref))
    ref = inst->ops[0];
  uint32_t index = ir_ref_index(ref);
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) return at_global(slice, index);
  if (ir_ref_kind(ref) == IR_REF_PARAM)
    return slice->fn->params.items[index].byval_bytes ? (At){AT_PARAM, index}
                                                      : at_piece(slice, piece_at(slice, index, 0));
  if (inst && inst->op == IR_ALLOCA) return (At){AT_PRIVATE, index};
  if (!inst || inst->op != IR_LOAD) return (At){AT_ANY, 0};
  const IrInst *base = ir_inst(slice->fn, inst->ops[0]);
  int64_t at = 0;
  bool is_piece = !base || (base->op == IR_PTRADD && ir_const_value(slice->fn, base->ops[1], &at));
  IrRef from = base && is_piece ? base->ops[0] : inst->ops[0];
  if (!is_piece || ir_ref_kind(from) != IR_REF_PARAM) return (At){AT_ANY, 0};
  return at_piece(slice, piece_at(slice, ir_ref_index(from), at));
}

// ---- the slice
static void hang_on(Slice *slice, LeftOn on) {
  if (on > slice->by.on) slice->by.on = on;
}

static void add_inst(Slice *slice, uint32_t inst);

static void add_ref(Slice *slice, const IrInst *user, IrRef ref) {
  int64_t number = 0;
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_INST: add_inst(slice, index); return;
  case IR_REF_PARAM: {
    const ArgPiece *piece = piece_at(slice, index, 0);
    if (slice->fn->params.items[index].type.kind == IR_PTR) return; // what is read there is asked at the load
    bool is_fixed = piece && piece->word && expr_is_const(slice->scan->pool, piece->word, NULL);
    if (!is_fixed || slice->is_sampled) hang_on(slice, LEFT_ON_SIZE);
    return;
  }
  case IR_REF_CONST: {
    bool is_counted = ir_op_class((IrOp)user->op) == IR_CLASS_ARITH || user->op == IR_ICMP;
    if (is_counted && slice->is_sampled && ir_const_value(slice->fn, ref, &number) &&
        (number > 1 || number < -1))
      hang_on(slice, LEFT_ON_SIZE);
    return;
  }
  case IR_REF_NONE:
  case IR_REF_GLOBAL:
  case IR_REF_FUNC: return;
  }
}

// Whether control comes to the block.
static void add_block(Slice *slice, uint32_t block) {
  if (slice->seen_block[block]) return;
  slice->seen_block[block] = 1;
  CfgEdges edges = cfg_control_deps(slice->cfg, block, slice->arena);
  for (uint32_t e = 0; e < edges.count; e++)
    add_inst(slice, (uint32_t)(ir_terminator(slice->fn, edges.items[e].from) - slice->fn->insts.items));
}

static void add_inst(Slice *slice, uint32_t inst) {
  if (slice->seen[inst]) return;
  slice->seen[inst] = 1;
  vec_push(slice->arena, &slice->work, inst);
}

static bool may_be_at(At where, At asked) {
  return where.kind == AT_ANY ||
         (where.kind == asked.kind && (asked.kind == AT_WORD || where.which == asked.which));
}

static void add_writers(Slice *slice, At asked) {
  for (uint32_t i = 0; i < slice->fn->insts.count; i++) {
    const IrInst *inst = &slice->fn->insts.items[i];
    if (ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY && ir_inst_is(inst, IR_WRITES) &&
        may_be_at(at_address(slice, inst->ops[0]), asked))
      add_inst(slice, i);
  }
}

static void add_read(Slice *slice, const IrInst *inst) {
  At from = at_address(slice, inst->ops[0]);
  if (ir_inst_is(inst, IR_SPANS)) from.kind = AT_ANY;
  switch (from.kind) {
  case AT_WORD: slice->by.reads_word = true; return;
  case AT_SHARED:
  case AT_PRIVATE: add_writers(slice, from); return;
  case AT_PARAM: // of a struct that is passed by value
    hang_on(slice, LEFT_ON_SIZE);
    return;
  case AT_OTHER:
  case AT_ANY: hang_on(slice, LEFT_ON_CONTENTS); return;
  }
}

static void add_register(Slice *slice, const IrInst *inst) {
  bool is_known = inst->imm >= IR_SREG_TID_X && inst->imm <= IR_SREG_WARPID;
  if (!is_known) hang_on(slice, LEFT_ON_CONTENTS);
}

static bool is_opaque(const IrInst *inst) {
  return ir_op_class((IrOp)inst->op) == IR_CLASS_CALL || inst->op == IR_UNDEF || inst->op == IR_MBARRIER ||
         inst->op == IR_PIPELINE;
}

// Pointers themselves are no numbers that it hangs on: where they lead to is asked where they are used.
static void look_at(Slice *slice, uint32_t index) {
  const IrInst *inst = &slice->fn->insts.items[index];
  add_block(slice, inst->block);
  if (is_opaque(inst)) hang_on(slice, LEFT_ON_CONTENTS);
  if (inst->op == IR_SREG) add_register(slice, inst);
  if (ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY && ir_inst_is(inst, IR_READS) &&
      inst->type.kind != IR_PTR)
    add_read(slice, inst);
  for (uint32_t o = 0; o < inst->op_count; o++)
    add_ref(slice, inst, inst->ops[o]);
  for (uint32_t b = 0; b < inst->block_count && inst->op == IR_PHI; b++) {
    add_block(slice, inst->blocks[b]);
    add_inst(slice, (uint32_t)(ir_terminator(slice->fn, inst->blocks[b]) - slice->fn->insts.items));
  }
}

LeftBy left_by(const Scan *scan, const LaunchContext *launch, const Obj *object, bool is_sampled) {
  ASSERT(object > scan->objects.items && object < scan->objects.items + scan->objects.count);
  const IrFunction *fn = ir_find_function(scan->module, launch->kernel);
  if (!fn) return (LeftBy){LEFT_ON_CONTENTS, true};
  Arena *scratch = arena_open();
  Slice slice = {.scan = scan,
                 .launch = launch,
                 .fn = fn,
                 .cfg = cfg_make(fn, scratch),
                 .arena = scratch,
                 .is_sampled = is_sampled};
  slice.seen = arena_array(scratch, fn->insts.count + 1u, uint8_t);
  slice.seen_block = arena_array(scratch, fn->blocks.count + 1u, uint8_t);
  if (object->kind == OBJ_GLOBAL)
    slice.variable = scan->module->globals.items[object->index].name;
  else
    slice.leaf = scan->launch->objects.items[object->index].leaf;
  add_writers(&slice, (At){AT_WORD, 0});
  while (slice.work.count)
    look_at(&slice, slice.work.items[--slice.work.count]);
  arena_close(scratch);
  return slice.by;
}

bool left_by_fixed_sizes(const Scan *scan, const LaunchContext *launch) {
  bool is_fixed = true;
  for (int axis = 0; axis < 3; axis++)
    is_fixed &= expr_is_const(scan->pool, launch->grid[axis], NULL) &&
                expr_is_const(scan->pool, launch->block[axis], NULL);
  return is_fixed;
}
