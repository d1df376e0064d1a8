// Is this module what core/ir.h promises? Analyses rely on it without looking again, so it is asked after the
// front end and after reading text.
// Method: tables and blocks first (an instruction is only looked at where its block is sound), then each
// instruction against a signature, one line for each operation, plus what signatures cannot say; then, when a
// function has passed so far, phis against predecessors and definitions against uses on the dominator tree.
// Soundness: refuses everything that breaks an invariant; beyond that it is lenient (fields that mean nothing
// for an operation may hold anything in range). As in LLVM, uses in unreachable blocks need not be dominated.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_verify.h"
#include "core/bug.h"
#include "core/cfg.h"
#include "core/ir_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 20 };

// ---- errors

static bool report(Verifier *v, uint32_t loc, const char *where, const char *what) {
  if (v->error_count++ < MAX_ERRORS)
    diag_report(v->sink, DIAG_ERROR, ir_loc(v->module, loc), "broken IR: %s%s", where, what);
  return false;
}

// These report and are always false.
static bool fail_module(Verifier *v, uint32_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail_function(Verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail_block(Verifier *v, uint32_t block, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_module(Verifier *v, uint32_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(v->scratch, format, args);
  va_end(args);
  return report(v, loc, "", what);
}

// Names come from the user's file: printed as the text form prints them, with escapes.
static StrBuf describe_place(Verifier *v, uint32_t block) {
  StrBuf where = {.arena = v->scratch};
  strbuf_add(&where, "function ");
  ir_string_print(&where, v->function->name);
  strbuf_printf(&where, ", block %u", block);
  if (block >= v->function->blocks.count || !v->function->blocks.items[block].name) return where;
  strbuf_add(&where, " ");
  ir_string_print(&where, v->function->blocks.items[block].name);
  return where;
}

static bool fail_function(Verifier *v, const char *format, ...) {
  StrBuf where = {.arena = v->scratch};
  strbuf_add(&where, "function ");
  ir_string_print(&where, v->function->name);
  strbuf_add(&where, ": ");
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(v->scratch, format, args);
  va_end(args);
  return report(v, v->function->loc, strbuf_text(&where), what);
}

static bool fail_block(Verifier *v, uint32_t block, const char *format, ...) {
  StrBuf where = describe_place(v, block);
  strbuf_add(&where, ": ");
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(v->scratch, format, args);
  va_end(args);
  return report(v, v->function->loc, strbuf_text(&where), what);
}

bool verify_fail_inst(Verifier *v, uint32_t index, const char *format, ...) {
  const IrInst *inst = &v->function->insts.items[index];
  StrBuf where = describe_place(v, inst->block);
  strbuf_printf(&where, ", instruction %u (%s): ", index, ir_op_name((IrOp)inst->op));
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(v->scratch, format, args);
  va_end(args);
  return report(v, inst->loc, strbuf_text(&where), what);
}

const char *verify_type_text(Verifier *v, IrType type) {
  StrBuf buf = {.arena = v->scratch};
  ir_type_print(&buf, type);
  return strbuf_text(&buf);
}

// ---- types and constants

static bool is_space(uint8_t space) {
  return ir_words_get(&ir_space_words, space) != NULL;
}

bool verify_type_is_sound(IrType type) {
  switch ((IrTypeKind)type.kind) {
  case IR_VOID: return ir_types_equal(type, ir_type_void());
  case IR_INT:
    return (type.bits == 1 || type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64) &&
           ir_types_equal(type, ir_type_int(type.bits));
  case IR_FLOAT:
    return (type.bits == 16 || type.bits == 32 || type.bits == 64) &&
           ir_types_equal(type, ir_type_float(type.bits));
  case IR_PTR: return is_space(type.space) && ir_types_equal(type, ir_type_ptr(type.space));
  case IR_BYTES: return ir_types_equal(type, ir_type_bytes(type.bytes));
  }
  return false;
}

bool verify_const_is_sound(const IrConst *constant) {
  IrType type = constant->type;
  if (!verify_type_is_sound(type) || type.kind == IR_VOID) return false;
  if (type.kind == IR_BYTES) return constant->bits == 0;
  if (type.kind == IR_PTR || type.bits == 64) return true;
  if (type.kind == IR_FLOAT || type.bits == 1) return constant->bits >= 0 && constant->bits >> type.bits == 0;
  int64_t end = INT64_C(1) << (type.bits - 1);
  return constant->bits >= -end && constant->bits < end;
}

// ---- tables

static bool is_address_sound(const Verifier *v, const IrGlobal *global, uint32_t i) {
  const IrAddress *address = &global->addresses.items[i];
  uint64_t least = i ? address[-1].at + 8 : 0;
  uint32_t index = ir_ref_index(address->target);
  if (!global->data || address->at < least || global->bytes < 8 || address->at > global->bytes - 8)
    return false;
  if (ir_ref_kind(address->target) == IR_REF_FUNC) return index < v->module->functions.count;
  return ir_ref_kind(address->target) == IR_REF_GLOBAL && index < v->module->globals.count;
}

static bool verify_global(Verifier *v, const IrGlobal *global) {
  if (!is_space(global->space)) return fail_module(v, 0, "global in unknown address space %u", global->space);
  if (global->loc >= v->module->locs.count) return fail_module(v, 0, "global with a place out of range");
  if (global->is_dynamic_shared && (global->space != IR_SPACE_SHARED || global->bytes != 0))
    return fail_module(v, global->loc, "dynamic shared memory that is not shared or has a size");
  for (uint32_t i = 0; i < global->addresses.count; i++)
    if (!is_address_sound(v, global, i))
      return fail_module(v, global->loc, "initial data with an address out of range");
  return true;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool fail_name_twice(Verifier *v, const char *name) {
  StrBuf what = {.arena = v->scratch};
  strbuf_add(&what, "two functions named ");
  ir_string_print(&what, name);
  return report(v, 0, "", strbuf_text(&what));
}

// Calls name their callee, so two functions of one name would be ambiguous.
static bool verify_function_names(Verifier *v) {
  uint32_t count = v->module->functions.count;
  const char **names = arena_array(v->scratch, count + 1u, const char *);
  for (uint32_t i = 0; i < count; i++) {
    names[i] = v->module->functions.items[i]->name;
    if (!names[i] || !v->module->functions.items[i]->display)
      return fail_module(v, 0, "function %u without a name", i);
  }
  qsort(names, count, sizeof *names, compare_texts);
  for (uint32_t i = 1; i < count; i++)
    if (strcmp(names[i - 1], names[i]) == 0) return fail_name_twice(v, names[i]);
  return true;
}

static bool verify_function_tables(Verifier *v) {
  const IrFunction *f = v->function;
  if (f->loc >= v->module->locs.count) return fail_function(v, "place out of range");
  if (!verify_type_is_sound(f->result)) return fail_function(v, "unsound result type");
  for (uint32_t i = 0; i < f->params.count; i++) {
    IrType type = f->params.items[i].type;
    if (!verify_type_is_sound(type) || type.kind == IR_VOID)
      return fail_function(v, "unsound type of parameter %u", i);
    if (f->params.items[i].byval_bytes && type.kind != IR_PTR)
      return fail_function(v, "parameter %u by value is no pointer", i);
    if (f->params.items[i].is_result && type.kind != IR_PTR)
      return fail_function(v, "parameter %u for the result is no pointer", i);
  }
  for (uint32_t i = 0; i < f->consts.count; i++)
    if (!verify_const_is_sound(&f->consts.items[i]))
      return fail_function(v, "constant %u does not fit its type", i);
  return true;
}

// ---- blocks

// Phis, then others, then one terminator; all of them say that they are in this block.
static bool verify_block(Verifier *v, uint32_t b) {
  const IrFunction *f = v->function;
  const IrBlock *block = &f->blocks.items[b];
  bool good = true, is_past_phis = false;
  for (uint32_t i = 0; i < block->count; i++) {
    const IrInst *inst = &f->insts.items[block->first + i];
    bool is_last = i + 1 == block->count;
    if (inst->block != b)
      return fail_block(v, b, "instruction %u says block %u", block->first + i, inst->block);
    if (inst->op == IR_PHI && is_past_phis)
      good = verify_fail_inst(v, block->first + i, "behind other instructions");
    is_past_phis |= inst->op != IR_PHI;
    if ((ir_op_class((IrOp)inst->op) == IR_CLASS_TERM) != is_last)
      good = verify_fail_inst(v, block->first + i,
                              is_last ? "ends the block, but is no terminator" : "in mid-block");
    good &= verify_inst(v, block->first + i);
  }
  return good;
}

static bool verify_blocks(Verifier *v) {
  const IrFunction *f = v->function;
  uint32_t next = 0;
  if (f->is_declaration != (f->blocks.count == 0))
    return fail_function(v, "a declaration with blocks, or none and no declaration");
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    const IrBlock *block = &f->blocks.items[b];
    if (block->count == 0) return fail_block(v, b, "empty");
    if (block->first != next || block->count > f->insts.count - next)
      return fail_block(v, b, "its instructions do not follow those of the block before");
    next += block->count;
  }
  if (next != f->insts.count) return fail_function(v, "instructions in no block");
  bool good = true;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    good &= verify_block(v, b);
  return good;
}

// ---- what needs the graph

// Does the value exist whenever control stands before instruction `index`, or, for phis, at the end of
// `block`?
static bool is_defined(Verifier *v, IrRef ref, uint32_t block, uint32_t index) {
  if (ir_ref_kind(ref) != IR_REF_INST || v->cfg->rpo_number[block] == CFG_NONE) return true;
  uint32_t from = v->function->insts.items[ir_ref_index(ref)].block;
  return from == block ? ir_ref_index(ref) < index : cfg_dominates(v->cfg, from, block);
}

typedef struct Incoming {
  uint32_t block;
  IrRef value;
} Incoming;

static int compare_incoming(const void *a, const void *b) {
  const Incoming *x = a, *y = b;
  return (x->block > y->block) - (x->block < y->block);
}

// The blocks of a phi are the predecessors, as sets; a block that is named twice brings the same value.
static bool verify_phi(Verifier *v, uint32_t index, const IrInst *inst) {
  const Cfg *cfg = v->cfg;
  const uint32_t *preds = cfg->preds + cfg->pred_first[inst->block]; // in ascending order
  uint32_t pred_count = cfg->pred_first[inst->block + 1] - cfg->pred_first[inst->block], at = 0;
  if (inst->op_count != inst->block_count)
    return verify_fail_inst(v, index, "values and blocks differ in number");
  Incoming *in = arena_array(v->scratch, inst->op_count + 1u, Incoming);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    in[i] = (Incoming){inst->blocks[i], inst->ops[i]};
    if (!ir_types_equal(verify_operand_type(v, inst, i), inst->type))
      return verify_fail_inst(v, index, "operand %u has type %s", i,
                              verify_type_text(v, verify_operand_type(v, inst, i)));
    if (!is_defined(v, inst->ops[i], inst->blocks[i], UINT32_MAX))
      return verify_fail_inst(v, index, "operand %u does not reach the end of block %u", i, inst->blocks[i]);
  }
  qsort(in, inst->op_count, sizeof *in, compare_incoming);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    if (i > 0 && in[i].block == in[i - 1].block) {
      if (in[i].value != in[i - 1].value)
        return verify_fail_inst(v, index, "two values from block %u", in[i].block);
      continue;
    }
    if (at == pred_count || preds[at] != in[i].block)
      return verify_fail_inst(v, index, "block %u and the predecessors do not match", in[i].block);
    while (at < pred_count && preds[at] == in[i].block)
      at++;
  }
  return at == pred_count || verify_fail_inst(v, index, "no value from block %u", preds[at]);
}

static bool verify_uses(Verifier *v, uint32_t index) {
  const IrInst *inst = &v->function->insts.items[index];
  if (inst->op == IR_PHI) return verify_phi(v, index, inst);
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_defined(v, inst->ops[i], inst->block, index))
      return verify_fail_inst(v, index, "operand %u, instruction %u, is not defined on every way here", i,
                              ir_ref_index(inst->ops[i]));
  return true;
}

static bool verify_function(Verifier *v) {
  const IrFunction *f = v->function;
  if (!verify_function_tables(v) || !verify_blocks(v)) return false;
  if (f->blocks.count == 0) return true;
  v->cfg = cfg_make(f, v->scratch);
  if (v->cfg->pred_first[1] != 0) return fail_block(v, 0, "the entry has predecessors");
  bool good = true;
  for (uint32_t i = 0; i < f->insts.count; i++) {
    ArenaMark mark = arena_mark(v->scratch);
    good &= verify_uses(v, i);
    arena_release(v->scratch, mark);
  }
  return good;
}

static bool verify_module(Verifier *v) {
  const IrModule *module = v->module;
  bool good = true;
  if (module->locs.count == 0) {
    diag_report(v->sink, DIAG_ERROR, NULL, "broken IR: no unknown place");
    return false;
  }
  for (uint32_t i = 0; i < module->globals.count; i++)
    good &= verify_global(v, &module->globals.items[i]);
  if (!verify_function_names(v)) return false;
  for (uint32_t i = 0; i < module->functions.count; i++) {
    ArenaMark mark = arena_mark(v->scratch);
    v->function = module->functions.items[i];
    good &= verify_function(v);
    arena_release(v->scratch, mark);
  }
  return good;
}

bool ir_verify(const IrModule *module, DiagSink *sink) {
  ASSERT(module && sink);
  Verifier v = {.module = module, .sink = sink, .scratch = arena_open()};
  bool good = verify_module(&v);
  if (v.error_count > MAX_ERRORS)
    diag_report(sink, DIAG_ERROR, NULL, "broken IR: %u more errors", v.error_count - MAX_ERRORS);
  arena_close(v.scratch);
  return good;
}
