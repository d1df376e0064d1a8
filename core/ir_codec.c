// How does a module outlive the process? Every member of every table, in order. Constants keep their numbers,
// since instructions name them; the hash table over them is made again by who adds one.
//
// Soundness: what was read is the module that was written, or fails (codec.h); that operands and blocks are
// in range is asked of ir_verify.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_codec.h"

static void code_type(Codec *codec, IrType *type) {
  CODE_ENUM(codec, type->kind, IR_BYTES + 1);
  CODE_ENUM(codec, type->bits, 256);
  CODE_ENUM(codec, type->space, 256);
  CODE_NUMBER(codec, type->bytes);
}

// ---- functions
static void code_param(Codec *codec, IrParam *param) {
  CODE_TEXT(codec, param->name);
  code_type(codec, &param->type);
  CODE_NUMBER(codec, param->byval_bytes);
  CODE_BOOL(codec, param->is_restrict);
  CODE_BOOL(codec, param->is_result);
  CODE_BOOL(codec, param->is_unsigned);
  CODE_TEXT(codec, param->halves[0]);
  CODE_TEXT(codec, param->halves[1]);
}

static const uint32_t *code_words(Codec *codec, const uint32_t *words, uint32_t count) {
  uint32_t *made = codec->is_writing || count == 0 ? NULL : arena_array(codec->arena, count, uint32_t);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t word = made ? 0 : words[i];
    CODE_ENUM(codec, word, (uint64_t)UINT32_MAX + 1);
    if (made) made[i] = word;
  }
  return made ? made : codec->is_writing ? words : NULL;
}

static const int64_t *code_case_values(Codec *codec, const int64_t *values, uint32_t count) {
  int64_t *made = codec->is_writing ? NULL : arena_array(codec->arena, count, int64_t);
  for (uint32_t i = 0; i < count; i++) {
    int64_t value = made ? 0 : values[i];
    CODE_NUMBER(codec, value);
    if (made) made[i] = value;
  }
  return made ? made : values;
}

static void code_operands(Codec *codec, IrInst *inst) {
  CODE_ENUM(codec, inst->op_count, UINT16_MAX + 1);
  CODE_ENUM(codec, inst->block_count, UINT16_MAX + 1);
  uint64_t left = codec->is_writing ? UINT64_MAX : (uint64_t)(codec->end - codec->at);
  codec_expect(codec, (uint64_t)inst->op_count + inst->block_count <= left);
  if (codec->has_failed) inst->op_count = inst->block_count = 0;
  const uint32_t *ops = code_words(codec, inst->ops, inst->op_count);
  const uint32_t *blocks = code_words(codec, inst->blocks, inst->block_count);
  bool has_cases = inst->case_values != NULL;
  CODE_BOOL(codec, has_cases);
  const int64_t *cases = NULL;
  if (has_cases)
    cases = code_case_values(codec, inst->case_values, inst->block_count ? inst->block_count - 1u : 0);
  if (codec->is_writing) return;
  inst->ops = ops;
  inst->blocks = blocks;
  inst->case_values = cases;
}

static void code_inst(Codec *codec, IrInst *inst) {
  CODE_ENUM(codec, inst->op, IR_OP_COUNT);
  CODE_ENUM(codec, inst->pred, IR_PRED_COUNT);
  CODE_ENUM(codec, inst->rmw, IR_RMW_COUNT);
  CODE_ENUM(codec, inst->order, IR_ORDER_COUNT);
  CODE_ENUM(codec, inst->scope, IR_SCOPE_COUNT);
  CODE_ENUM(codec, inst->flags, UINT16_MAX + 1);
  CODE_ENUM(codec, inst->member, 256);
  CODE_NUMBER(codec, inst->block);
  CODE_NUMBER(codec, inst->loc);
  code_type(codec, &inst->type);
  CODE_NUMBER(codec, inst->imm);
  code_operands(codec, inst);
  CODE_TEXT(codec, inst->name);
  CODE_TEXT(codec, inst->place);
  CODE_TEXT(codec, inst->owner);
}

static void code_head(Codec *codec, IrFunction *function) {
  CODE_TEXT(codec, function->name);
  CODE_TEXT(codec, function->display);
  CODE_NUMBER(codec, function->loc);
  CODE_BOOL(codec, function->is_kernel);
  CODE_BOOL(codec, function->is_of_library);
  CODE_BOOL(codec, function->is_of_program);
  CODE_BOOL(codec, function->is_launched_by_device);
  CODE_BOOL(codec, function->is_external);
  CODE_BOOL(codec, function->is_in_data);
  CODE_BOOL(codec, function->is_declaration);
  CODE_BOOL(codec, function->takes_const);
  CODE_BOOL(codec, function->returns_twice);
  CODE_NUMBER(codec, function->max_threads);
  CODE_NUMBER(codec, function->min_blocks);
  for (int i = 0; i < 3; i++)
    CODE_NUMBER(codec, function->cluster[i]);
  code_type(codec, &function->result);
}

static void code_body(Codec *codec, IrFunction *function) {
  CODE_ITEMS(codec, &function->blocks);
  for (uint32_t i = 0; i < function->blocks.count; i++) {
    IrBlock *block = &function->blocks.items[i];
    CODE_TEXT(codec, block->name);
    CODE_NUMBER(codec, block->first);
    CODE_NUMBER(codec, block->count);
  }
  CODE_ITEMS(codec, &function->consts);
  for (uint32_t i = 0; i < function->consts.count; i++) {
    IrConst *constant = &function->consts.items[i];
    code_type(codec, &constant->type);
    CODE_NUMBER(codec, constant->bits);
    CODE_BOOL(codec, constant->is_undef);
  }
  CODE_ITEMS(codec, &function->insts);
  for (uint32_t i = 0; i < function->insts.count; i++)
    code_inst(codec, &function->insts.items[i]);
}

static void code_function(Codec *codec, IrFunction *function) {
  code_head(codec, function);
  CODE_ITEMS(codec, &function->folded_launches);
  for (uint32_t i = 0; i < function->folded_launches.count; i++)
    CODE_NUMBER(codec, function->folded_launches.items[i]);
  CODE_ITEMS(codec, &function->params);
  for (uint32_t i = 0; i < function->params.count; i++)
    code_param(codec, &function->params.items[i]);
  code_body(codec, function);
}

// ---- globals, classes, places
static void code_data(Codec *codec, IrGlobal *global) {
  bool has_data = global->data != NULL;
  CODE_BOOL(codec, has_data);
  size_t length = (size_t)global->bytes;
  const void *data = has_data ? codec_bytes(codec, global->data, &length) : NULL;
  codec_expect(codec, !has_data || length == global->bytes);
  if (!codec->is_writing) global->data = data ? arena_copy(codec->arena, data, length) : NULL;
  CODE_ITEMS(codec, &global->addresses);
  for (uint32_t i = 0; i < global->addresses.count; i++) {
    IrAddress *address = &global->addresses.items[i];
    CODE_NUMBER(codec, address->at);
    CODE_NUMBER(codec, address->target);
    CODE_NUMBER(codec, address->offset);
  }
}

static void code_global(Codec *codec, IrGlobal *global) {
  CODE_TEXT(codec, global->name);
  CODE_TEXT(codec, global->display);
  CODE_ENUM(codec, global->space, 256);
  CODE_BOOL(codec, global->is_constant);
  CODE_BOOL(codec, global->is_dynamic_shared);
  CODE_BOOL(codec, global->is_external);
  CODE_BOOL(codec, global->is_managed);
  CODE_BOOL(codec, global->is_static);
  CODE_NUMBER(codec, global->bytes);
  CODE_NUMBER(codec, global->align);
  CODE_NUMBER(codec, global->loc);
  code_data(codec, global);
  CODE_TEXT(codec, global->owner);
  CODE_NUMBER(codec, global->owner_bytes);
}

static void code_class(Codec *codec, IrClass *class) {
  CODE_TEXT(codec, class->name);
  CODE_TEXT(codec, class->unseen);
  CODE_BOOL(codec, class->constructs);
  CODE_ITEMS(codec, &class->hidden);
  for (uint32_t i = 0; i < class->hidden.count; i++) {
    CODE_NUMBER(codec, class->hidden.items[i].at);
    CODE_NUMBER(codec, class->hidden.items[i].bytes);
  }
}

static void code_tables(Codec *codec, IrModule *module) {
  CODE_ITEMS(codec, &module->locs);
  for (uint32_t i = 0; i < module->locs.count; i++)
    codec_loc(codec, &module->locs.items[i]);
  CODE_ITEMS(codec, &module->globals);
  for (uint32_t i = 0; i < module->globals.count; i++)
    code_global(codec, &module->globals.items[i]);
  CODE_ITEMS(codec, &module->classes);
  for (uint32_t i = 0; i < module->classes.count; i++)
    code_class(codec, &module->classes.items[i]);
}

IrModule *ir_code(Codec *codec, const IrModule *module) {
  IrModule *made = codec->is_writing ? NULL : arena_new(codec->arena, IrModule);
  IrModule copy = module ? *module : (IrModule){.arena = codec->arena, .strings = codec->strings};
  CODE_TEXT(codec, copy.source);
  CODE_BOOL(codec, copy.is_device);
  CODE_NUMBER(codec, copy.arch);
  code_tables(codec, &copy);
  CODE_ITEMS(codec, &copy.functions);
  for (uint32_t i = 0; i < copy.functions.count; i++) {
    if (!codec->is_writing) copy.functions.items[i] = arena_new(codec->arena, IrFunction);
    code_function(codec, copy.functions.items[i]);
  }
  if (codec->is_writing) return (IrModule *)module;
  if (codec->has_failed) return NULL;
  *made = copy;
  return made;
}
