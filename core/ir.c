// How is a module built and looked into? Everything lives in the module's arena and is referred to by index,
// so that analyses keep side tables. Properties of operations come from core/ir_ops.def alone. Constants are
// canonical (see canonical_bits) and there is one of each per function, so equal constants have equal
// references, found by a table (core/table.h).
// Soundness: nothing is decided here; wrong use is a bug, never a wrong answer.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir.h"
#include "core/bug.h"
#include "core/ir_text.h"

#include <string.h>

// ---- operations

// The flag names of ir_ops.def are short; here they get their meaning.
enum {
  READS = IR_READS,
  WRITES = IR_WRITES,
  ATOMIC = IR_ATOMIC,
  SYNCS = IR_SYNCS,
  NSWABLE = IR_NSWABLE,
  OPAQUE = IR_OPAQUE,
  SAME_OBJECT = IR_SAME_OBJECT,
  RESIZES = IR_RESIZES,
  EXTENDS = IR_EXTENDS,
  FORKS = IR_FORKS,
  COMMUTES = IR_COMMUTES,
  SUMS = IR_SUMS,
  DIVIDES = IR_DIVIDES,
  TO_INTEGER = IR_TO_INTEGER,
  CHOOSES = IR_CHOOSES,
  PIECE = IR_PIECE,
  SPANS = IR_SPANS,
  SCOPED = IR_SCOPED,
  ON_OBJECT = IR_ON_OBJECT,
  GROUPS = IR_GROUPS,
  LANES = IR_LANES,
  HALVES = IR_HALVES,
  MIRRORS = IR_MIRRORS,
  ASYNC = IR_ASYNC,
  COPIES = IR_COPIES,
  FOLDS = IR_FOLDS,
  CONDITIONAL = IR_CONDITIONAL,
  NAMED = IR_NAMED
};

const IrOpInfo ir_op_infos[IR_OP_COUNT] = {
    [IR_NONE] = {"none", NULL, "imm", IR_CLASS_VALUE, IR_STEP_NONE, IR_OPAQUE},
#define IR_OP(name, text, class, step, signature, imm, flags)                                                \
  [IR_##name] = {text, signature, imm, IR_CLASS_##class, IR_STEP_##step, flags},
#include "core/ir_ops.def"
#undef IR_OP
};

// ---- types

IrType ir_type_int(uint8_t bits) {
  return (IrType){.kind = IR_INT, .bits = bits, .bytes = (bits + 7u) / 8u};
}

IrType ir_type_float(uint8_t bits) {
  return (IrType){.kind = IR_FLOAT, .bits = bits, .bytes = (bits + 7u) / 8u};
}

IrType ir_type_ptr(uint8_t space) {
  return (IrType){.kind = IR_PTR, .bits = 64, .space = space, .bytes = 8};
}

IrType ir_type_bytes(uint32_t bytes) {
  return (IrType){.kind = IR_BYTES, .bytes = bytes};
}

IrType ir_type_void(void) {
  return (IrType){.kind = IR_VOID};
}

// ---- modules, functions, places

uint32_t ir_loc_add(IrModule *module, SrcLoc loc) {
  ASSERT(module->locs.count < UINT32_MAX);
  loc.file = loc.file ? str_intern(module->strings, loc.file) : NULL;
  loc.function = str_intern(module->strings, loc.function);
  if (module->locs.count > 1) { // neighbouring instructions mostly share their place
    const SrcLoc *last = &vec_last(&module->locs);
    if (last->file == loc.file && last->line == loc.line && last->column == loc.column &&
        last->function == loc.function && last->inlined_at == loc.inlined_at)
      return module->locs.count - 1;
  }
  vec_push(module->arena, &module->locs, loc);
  return module->locs.count - 1;
}

IrModule *ir_module_make(Arena *arena, StrTable *strings, const char *source, bool is_device) {
  ASSERT(arena && strings);
  IrModule *module = arena_new(arena, IrModule);
  module->arena = arena;
  module->strings = strings;
  module->source = source ? str_intern(strings, source) : NULL;
  module->is_device = is_device;
  vec_push(arena, &module->locs, (SrcLoc){.function = str_intern(strings, "")});
  return module;
}

IrFunction *ir_function_add(IrModule *module, const char *name, const char *display) {
  IrFunction *function = arena_new(module->arena, IrFunction);
  function->name = str_intern(module->strings, name);
  function->display = display ? str_intern(module->strings, display) : function->name;
  vec_push(module->arena, &module->functions, function);
  return function;
}

const IrFunction *ir_find_function(const IrModule *module, const char *name) {
  if (!name) return NULL;
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const IrFunction *function = module->functions.items[i];
    if (function->name == name || strcmp(function->name, name) == 0) return function;
  }
  return NULL;
}

const SrcLoc *ir_loc(const IrModule *module, uint32_t loc) {
  return &module->locs.items[loc < module->locs.count ? loc : 0];
}

// ---- constants

// INT: the signed reading of the low bits (truth values 0 and 1); FLOAT: the low bits, zero above them.
static int64_t canonical_bits(IrType type, int64_t bits) {
  unsigned width = type.bits;
  if ((type.kind != IR_INT && type.kind != IR_FLOAT) || width == 0 || width >= 64) return bits;
  uint64_t low = (uint64_t)bits & ((UINT64_C(1) << width) - 1);
  uint64_t sign = UINT64_C(1) << (width - 1);
  if (type.kind == IR_INT && width > 1 && (low & sign)) low |= ~(sign | (sign - 1));
  return (int64_t)low;
}

static uint32_t const_hash(const IrConst *constant) {
  uint64_t key[3] = {(uint64_t)constant->bits,
                     ((uint64_t)constant->type.kind << 40) | ((uint64_t)constant->type.bits << 48) |
                         ((uint64_t)constant->type.space << 56) | constant->type.bytes,
                     constant->is_undef};
  return (uint32_t)str_hash(key, sizeof key, 0);
}

static bool consts_equal(const IrConst *a, const IrConst *b) {
  return a->bits == b->bits && a->is_undef == b->is_undef && ir_types_equal(a->type, b->type);
}

IrRef ir_const_typed(IrModule *module, IrFunction *function, IrType type, int64_t bits, bool is_undef) {
  ASSERT(type.kind != IR_VOID);
  IrConst constant = {.type = type, .bits = is_undef ? 0 : canonical_bits(type, bits), .is_undef = is_undef};
  uint32_t hash = const_hash(&constant);
  TableLook look = table_look(&function->const_table, hash);
  for (uint32_t known; (known = table_next(&look)) != 0;)
    if (consts_equal(&function->consts.items[known - 1], &constant)) return IR_REF(IR_REF_CONST, known - 1);
  vec_push(module->arena, &function->consts, constant);
  table_add(module->arena, &function->const_table, hash, function->consts.count);
  return IR_REF(IR_REF_CONST, function->consts.count - 1);
}

IrRef ir_const_int(IrModule *module, IrFunction *function, uint8_t bits, int64_t value) {
  return ir_const_typed(module, function, ir_type_int(bits), value, false);
}

bool ir_const_value(const IrFunction *function, IrRef ref, int64_t *value) {
  ASSERT(value);
  if (ir_ref_kind(ref) != IR_REF_CONST) return false;
  const IrConst *constant = &function->consts.items[ir_ref_index(ref)];
  if (constant->type.kind != IR_INT || constant->is_undef) return false;
  *value = constant->bits;
  return true;
}

bool ir_is_null(const IrFunction *function, IrRef ref) {
  ASSERT(ir_ref_kind(ref) != IR_REF_CONST || ir_ref_index(ref) < function->consts.count);
  if (ir_ref_kind(ref) != IR_REF_CONST) return false;
  const IrConst *constant = &function->consts.items[ir_ref_index(ref)];
  return constant->type.kind == IR_PTR && !constant->is_undef && constant->bits == 0;
}

IrRef ir_address_base(const IrFunction *function, IrRef ref) {
  for (const IrInst *inst = ir_inst(function, ref); inst && ir_inst_is(inst, IR_SAME_OBJECT);
       inst = ir_inst(function, ref))
    ref = inst->ops[0];
  return ref;
}

IrRef ir_fixed_base(const IrFunction *function, IrRef ref, int64_t *offset) {
  ASSERT(offset);
  int64_t step = 0;
  *offset = 0;
  for (const IrInst *inst = ir_inst(function, ref); inst; inst = ir_inst(function, ref)) {
    if (inst->op != IR_BITCAST && (inst->op != IR_PTRADD || !ir_const_value(function, inst->ops[1], &step)))
      return ref;
    if (inst->op == IR_PTRADD && __builtin_add_overflow(*offset, step, offset)) return 0;
    ref = inst->ops[0];
  }
  return ref;
}

// ---- blocks and instructions

uint32_t ir_block_add(IrModule *module, IrFunction *function, const char *name) {
  IrBlock block = {.name = name ? str_intern(module->strings, name) : NULL, .first = function->insts.count};
  vec_push(module->arena, &function->blocks, block);
  return function->blocks.count - 1;
}

static const void *copy_array(Arena *arena, const void *from, size_t count, size_t size) {
  return from && count ? arena_copy(arena, from, count * size) : NULL;
}

IrRef ir_inst_add(IrModule *module, IrFunction *function, IrInst inst) {
  BUG_UNLESS(function->blocks.count > 0);
  BUG_UNLESS(function->insts.count < (1u << 28));
  Arena *arena = module->arena;
  size_t case_count = inst.op == IR_SWITCH && inst.block_count > 0 ? inst.block_count - 1u : 0;
  inst.block = function->blocks.count - 1;
  inst.ops = copy_array(arena, inst.ops, inst.op_count, sizeof *inst.ops);
  inst.blocks = copy_array(arena, inst.blocks, inst.block_count, sizeof *inst.blocks);
  inst.case_values = copy_array(arena, inst.case_values, case_count, sizeof *inst.case_values);
  inst.name = inst.name ? str_intern(module->strings, inst.name) : NULL;
  inst.owner = inst.owner ? str_intern(module->strings, inst.owner) : NULL;
  vec_push(arena, &function->insts, inst);
  vec_last(&function->blocks).count++;
  return IR_REF(IR_REF_INST, function->insts.count - 1);
}

const IrInst *ir_terminator(const IrFunction *function, uint32_t block) {
  ASSERT(block < function->blocks.count);
  const IrBlock *b = &function->blocks.items[block];
  return b->count ? &function->insts.items[b->first + b->count - 1] : NULL;
}

IrType ir_ref_type(const IrModule *module, const IrFunction *function, IrRef ref) {
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_NONE: break;
  case IR_REF_INST:
    if (index < function->insts.count) return function->insts.items[index].type;
    break;
  case IR_REF_CONST:
    if (index < function->consts.count) return function->consts.items[index].type;
    break;
  case IR_REF_PARAM:
    if (index < function->params.count) return function->params.items[index].type;
    break;
  case IR_REF_GLOBAL:
    if (index < module->globals.count) return ir_type_ptr(module->globals.items[index].space);
    break;
  case IR_REF_FUNC: return ir_type_ptr(IR_SPACE_GENERIC);
  }
  return ir_type_void();
}

IrPred ir_pred_opposite(IrPred pred) {
  ASSERT(pred > IR_PRED_NONE && pred < IR_PRED_COUNT);
  switch ((int)pred) {
  case IR_EQ: return IR_NE;
  case IR_NE: return IR_EQ;
  case IR_SLT: return IR_SGE;
  case IR_SGE: return IR_SLT;
  case IR_SGT: return IR_SLE;
  case IR_SLE: return IR_SGT;
  case IR_ULT: return IR_UGE;
  case IR_UGE: return IR_ULT;
  case IR_UGT: return IR_ULE;
  case IR_ULE: return IR_UGT;
  default: return IR_PRED_NONE; // comparisons of floats
  }
}

IrPred ir_pred_mirrored(IrPred pred) {
  ASSERT(pred > IR_PRED_NONE && pred < IR_PRED_COUNT);
  switch ((int)pred) {
  case IR_SLT: return IR_SGT;
  case IR_SGT: return IR_SLT;
  case IR_SLE: return IR_SGE;
  case IR_SGE: return IR_SLE;
  case IR_ULT: return IR_UGT;
  case IR_UGT: return IR_ULT;
  case IR_ULE: return IR_UGE;
  case IR_UGE: return IR_ULE;
  default: return pred; // symmetric
  }
}

static bool is_call_of(const IrModule *module, const IrInst *inst, const char *const *names) {
  if (inst->op != IR_CALL || !inst->name) return false;
  while (*names && strcmp(*names, inst->name) != 0)
    names++;
  const IrFunction *called = *names ? ir_find_function(module, inst->name) : NULL;
  return *names && (!called || called->is_declaration);
}

bool ir_is_mapa(const IrInst *inst) {
  return inst->op == IR_PURE && inst->op_count == 2 && inst->name && strstr(inst->name, "mapa") != NULL;
}

bool ir_is_heap_allocation(const IrModule *module, const IrInst *inst) {
  static const char *const names[] = {"malloc", "_Znwm", "_Znam", NULL};
  return inst->type.kind == IR_PTR && inst->op_count == 1 && is_call_of(module, inst, names);
}

bool ir_is_heap_release(const IrModule *module, const IrInst *inst) {
  static const char *const names[] = {"free", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm", NULL};
  return is_call_of(module, inst, names);
}
