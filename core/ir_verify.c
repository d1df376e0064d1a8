// Is this module what core/ir.h promises? Analyses rely on it without looking again, so it is asked after the
// front end and after reading text.
// Method: tables and blocks first (an instruction is only looked at where its block is sound), then each
// instruction against a signature, one line for each operation, plus what signatures cannot say; then, when a
// function has passed so far, phis against predecessors and definitions against uses on the dominator tree.
// Soundness: refuses everything that breaks an invariant; beyond that it is lenient (fields that mean nothing
// for an operation may hold anything in range). As in LLVM, uses in unreachable blocks need not be dominated.
// SPDX-License-Identifier: Apache-2.0
#include "core/cfg.h"
#include "core/ir_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 20 };

typedef struct Verifier {
  const IrModule *module;
  DiagSink *sink;
  Arena *scratch;
  uint32_t error_count;
  const IrFunction *function;
  const Cfg *cfg;
} Verifier;

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
static bool fail_inst(Verifier *v, uint32_t index, const char *format, ...)
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

static bool fail_inst(Verifier *v, uint32_t index, const char *format, ...) {
  const IrInst *inst = &v->function->insts.items[index];
  StrBuf where = describe_place(v, inst->block);
  strbuf_printf(&where, ", instruction %u (%s): ", index, ir_op_name((IrOp)inst->op));
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(v->scratch, format, args);
  va_end(args);
  return report(v, inst->loc, strbuf_text(&where), what);
}

static const char *type_text(Verifier *v, IrType type) {
  StrBuf buf = {.arena = v->scratch};
  ir_type_print(&buf, type);
  return strbuf_text(&buf);
}

// ---- types and constants

static bool is_space(uint8_t space) {
  return ir_words_get(&ir_space_words, space) != NULL;
}

static bool is_type_sound(IrType type) {
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

static bool is_const_sound(const IrConst *constant) {
  IrType type = constant->type;
  if (!is_type_sound(type) || type.kind == IR_VOID) return false;
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
  if (!is_type_sound(f->result)) return fail_function(v, "unsound result type");
  for (uint32_t i = 0; i < f->params.count; i++) {
    IrType type = f->params.items[i].type;
    if (!is_type_sound(type) || type.kind == IR_VOID)
      return fail_function(v, "unsound type of parameter %u", i);
    if (f->params.items[i].byval_bytes && type.kind != IR_PTR)
      return fail_function(v, "parameter %u by value is no pointer", i);
  }
  for (uint32_t i = 0; i < f->consts.count; i++)
    if (!is_const_sound(&f->consts.items[i])) return fail_function(v, "constant %u does not fit its type", i);
  return true;
}

// ---- signatures

// Does the type fit a letter of core/ir_ops.def?
static bool fits(char wanted, IrType type, IrType result, IrType first) {
  switch (wanted) {
  case 'i': return type.kind == IR_INT;
  case '1': return type.kind == IR_INT && type.bits == 1;
  case '8': return type.kind == IR_INT && type.bits == 8;
  case '6': return type.kind == IR_INT && type.bits == 64;
  case 'f': return type.kind == IR_FLOAT;
  case 'p': return type.kind == IR_PTR;
  case 'a': return type.kind == IR_BYTES;
  case 'w': return type.kind == IR_INT || type.kind == IR_PTR;
  case 'v': return type.kind != IR_VOID;
  case '-': return type.kind == IR_VOID;
  case 'T': return ir_types_equal(type, result);
  case 'S': return ir_types_equal(type, first);
  default: return true; // '?'
  }
}

static IrType operand_type(Verifier *v, const IrInst *inst, uint32_t place) {
  return ir_ref_type(v->module, v->function, inst->ops[place]);
}

static bool check_signature(Verifier *v, uint32_t index, const IrInst *inst) {
  const char *signature = ir_op_info((IrOp)inst->op)->signature;
  if (!fits(signature[0], inst->type, inst->type, inst->type))
    return fail_inst(v, index, "unexpected result type %s", type_text(v, inst->type));
  size_t wanted = strlen(signature) - 2;
  bool is_open = wanted > 0 && signature[wanted + 1] == '*';
  if (!is_open && inst->op_count != wanted)
    return fail_inst(v, index, "%u operands instead of %zu", inst->op_count, wanted);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    IrType type = operand_type(v, inst, i);
    if (!fits(is_open ? 'v' : signature[2 + i], type, inst->type, operand_type(v, inst, 0)))
      return fail_inst(v, index, "operand %u has type %s", i, type_text(v, type));
  }
  return true;
}

// ---- what signatures cannot say

static bool check_cast(Verifier *v, uint32_t index, const IrInst *inst) {
  IrType from = operand_type(v, inst, 0), to = inst->type;
  bool good = true;
  if (inst->op == IR_TRUNC || inst->op == IR_FPTRUNC) good = to.bits < from.bits;
  if (inst->op == IR_ZEXT || inst->op == IR_SEXT || inst->op == IR_FPEXT) good = to.bits > from.bits;
  if (inst->op == IR_BITCAST) good = to.bytes == from.bytes;
  return good || fail_inst(v, index, "from %s to %s", type_text(v, from), type_text(v, to));
}

static bool check_compare(Verifier *v, uint32_t index, const IrInst *inst) {
  bool good = inst->op == IR_ICMP ? inst->pred >= IR_EQ && inst->pred <= IR_UGE
                                  : inst->pred >= IR_FFALSE && inst->pred <= IR_FTRUE;
  return good || fail_inst(v, index, "predicate %u is not one of this operation", inst->pred);
}

static bool check_value(Verifier *v, uint32_t index, const IrInst *inst) {
  if (ir_inst_is(inst, IR_PIECE)) {
    IrType whole = operand_type(v, inst, 0);
    IrType piece = inst->op == IR_EXTRACT ? inst->type : operand_type(v, inst, 1);
    if (inst->imm < 0 || inst->imm > whole.bytes || piece.bytes > whole.bytes - inst->imm)
      return fail_inst(v, index, "%u bytes at %" PRId64 " of %u", piece.bytes, inst->imm, whole.bytes);
  }
  if (inst->op == IR_SREG && (inst->imm <= IR_SREG_NONE || inst->imm >= IR_SREG_COUNT))
    return fail_inst(v, index, "unknown special register %" PRId64, inst->imm);
  if (inst->op == IR_PURE && !inst->name) return fail_inst(v, index, "no name");
  return true;
}

static bool check_rmw(Verifier *v, uint32_t index, const IrInst *inst) {
  IrType operand = operand_type(v, inst, 1);
  if (inst->rmw <= IR_RMW_NONE || inst->rmw >= IR_RMW_COUNT)
    return fail_inst(v, index, "unknown atomic operation %u", inst->rmw);
  bool is_float = inst->rmw >= IR_RMW_FADD; // also two halves at once, as bytes
  bool good = inst->rmw == IR_RMW_XCHG ||
              (is_float ? operand.kind == IR_FLOAT || operand.kind == IR_BYTES : operand.kind == IR_INT);
  if (!good) return fail_inst(v, index, "operand 1 has type %s", type_text(v, operand));
  if (inst->type.kind != IR_VOID && !ir_types_equal(inst->type, operand))
    return fail_inst(v, index, "unexpected result type %s", type_text(v, inst->type));
  return true;
}

static bool check_async_copy(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op_count < 3 || inst->op_count > 4)
    return fail_inst(v, index, "%u operands instead of 3", inst->op_count);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    uint8_t kind = operand_type(v, inst, i).kind;
    bool good = i < 2 ? kind == IR_PTR : kind == IR_INT || (i == 3 && kind == IR_PTR);
    if (!good)
      return fail_inst(v, index, "operand %u has type %s", i, type_text(v, operand_type(v, inst, i)));
  }
  return true;
}

static bool check_memory(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op == IR_ASYNCCOPY) return check_async_copy(v, index, inst);
  if (inst->op == IR_ATOMICRMW) return check_rmw(v, index, inst);
  if (inst->op == IR_ALLOCA && inst->imm < 0) return fail_inst(v, index, "negative size");
  return true;
}

// How many operands a barrier has, which scopes it knows, and whether something comes back.
static bool check_barrier(Verifier *v, uint32_t index, const IrInst *inst) {
  uint32_t least = 0, most = 0;
  bool has_result = false, is_warp = inst->scope == IR_SCOPE_WARP, is_block = inst->scope == IR_SCOPE_BLOCK;
  bool good = true;
  if (inst->imm < 0 || inst->imm >= IR_BARRIER_KIND_COUNT)
    return fail_inst(v, index, "unknown kind of barrier %" PRId64, inst->imm);
  switch ((IrBarrierKind)inst->imm) {
  case IR_BARRIER_SYNC:
    least = most = is_warp ? 1 : 0;
    good = inst->scope >= IR_SCOPE_WARP && inst->scope <= IR_SCOPE_DEVICE;
    break;
  case IR_BARRIER_REDUCE_COUNT:
  case IR_BARRIER_REDUCE_AND:
  case IR_BARRIER_REDUCE_OR: least = most = 1, has_result = true, good = is_block; break;
  case IR_BARRIER_NAMED: least = 1, most = 2, good = is_block; break;
  case IR_BARRIER_NAMED_ARRIVE: least = most = 2, good = is_block; break;
  case IR_BARRIER_TILE: least = most = 1, good = is_warp; break;
  case IR_BARRIER_COALESCED: most = UINT16_MAX, good = is_warp; break;
  case IR_BARRIER_ARRIVAL:
  case IR_BARRIER_AWAIT: good = inst->scope >= IR_SCOPE_BLOCK && inst->scope <= IR_SCOPE_DEVICE; break;
  case IR_BARRIER_KIND_COUNT: break;
  }
  if (!good) return fail_inst(v, index, "unexpected scope %u", inst->scope);
  if (inst->op_count < least || inst->op_count > most)
    return fail_inst(v, index, "unexpected number of operands %u", inst->op_count);
  if (has_result ? inst->type.kind != IR_INT : inst->type.kind != IR_VOID)
    return fail_inst(v, index, "unexpected result type %s", type_text(v, inst->type));
  for (uint32_t i = 0; i < inst->op_count && inst->imm != IR_BARRIER_COALESCED; i++)
    if (operand_type(v, inst, i).kind != IR_INT) return fail_inst(v, index, "operand %u is no integer", i);
  int64_t lanes;
  if (inst->imm == IR_BARRIER_TILE && !ir_const_value(v->function, inst->ops[0], &lanes))
    return fail_inst(v, index, "the size of the tile is not constant");
  return true;
}

// An address, then the number that the kind says, if any.
static bool check_object(Verifier *v, uint32_t index, const IrInst *inst, bool has_number) {
  uint32_t wanted = has_number ? 2 : 1;
  if (inst->op_count != wanted)
    return fail_inst(v, index, "%u operands instead of %u", inst->op_count, wanted);
  if (operand_type(v, inst, 0).kind != IR_PTR) return fail_inst(v, index, "operand 0 is no pointer");
  if (has_number && operand_type(v, inst, 1).kind != IR_INT)
    return fail_inst(v, index, "operand 1 is no integer");
  return true;
}

static bool check_mbarrier(Verifier *v, uint32_t index, const IrInst *inst) {
  bool has_number = true, has_token = false, is_test = false;
  if (inst->imm < 0 || inst->imm >= IR_MBARRIER_KIND_COUNT)
    return fail_inst(v, index, "unknown kind of mbarrier %" PRId64, inst->imm);
  switch ((IrMbarrierKind)inst->imm) {
  case IR_MBARRIER_INIT:
  case IR_MBARRIER_EXPECT:
  case IR_MBARRIER_COMPLETE:
  case IR_MBARRIER_WAIT:
  case IR_MBARRIER_WAIT_PARITY: break;
  case IR_MBARRIER_ARRIVE:
  case IR_MBARRIER_ARRIVE_DROP: has_token = true; break;
  case IR_MBARRIER_TEST:
  case IR_MBARRIER_TEST_PARITY: is_test = true; break;
  case IR_MBARRIER_INVALIDATE:
  case IR_MBARRIER_ARRIVE_COPIES:
  case IR_MBARRIER_ARRIVE_COPIES_COUNTED: has_number = false; break;
  case IR_MBARRIER_KIND_COUNT: return false;
  }
  bool is_void = inst->type.kind == IR_VOID, is_truth = inst->type.kind == IR_INT && inst->type.bits == 1;
  bool is_token = inst->type.kind == IR_INT && inst->type.bits == 64;
  if (is_test ? !is_truth : has_token ? !is_void && !is_token : !is_void)
    return fail_inst(v, index, "unexpected result type %s", type_text(v, inst->type));
  return check_object(v, index, inst, has_number);
}

static bool check_pipeline(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->imm < 0 || inst->imm >= IR_PIPELINE_KIND_COUNT)
    return fail_inst(v, index, "unknown kind of pipeline %" PRId64, inst->imm);
  if (inst->imm == IR_PIPELINE_INIT && (inst->op_count == 3 || inst->op_count == 4)) {
    IrInst without = *inst;
    without.op_count = 2;
    bool are_numbers =
        operand_type(v, inst, 2).kind == IR_INT && operand_type(v, inst, inst->op_count - 1u).kind == IR_INT;
    return are_numbers ? check_object(v, index, &without, true)
                       : fail_inst(v, index, "the role, or the tile, is no number");
  }
  return check_object(v, index, inst, inst->imm == IR_PIPELINE_INIT);
}

static bool check_async_wait(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->imm < 0) return fail_inst(v, index, "negative number of groups");
  if (inst->op_count > 1) return fail_inst(v, index, "%u operands", inst->op_count);
  if (inst->op_count && (inst->imm || operand_type(v, inst, 0).kind != IR_INT))
    return fail_inst(v, index, "operand 0 is no integer, or the number is said twice");
  return true;
}

static bool check_sync(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op == IR_BARRIER) return check_barrier(v, index, inst);
  if (inst->op == IR_MBARRIER) return check_mbarrier(v, index, inst);
  if (inst->op == IR_PIPELINE) return check_pipeline(v, index, inst);
  if (inst->op == IR_ASYNCWAIT) return check_async_wait(v, index, inst);
  if (inst->op == IR_ASYNCCOMMIT &&
      (inst->op_count > 1 || (inst->op_count && operand_type(v, inst, 0).kind != IR_INT)))
    return fail_inst(v, index, "more than one operand, or no integer");
  if (inst->op == IR_VOTE && !inst->name) return fail_inst(v, index, "no name");
  return true;
}

static bool check_call(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op != IR_CALL || inst->name) return true;
  if (inst->op_count == 0 || operand_type(v, inst, inst->op_count - 1u).kind != IR_PTR)
    return fail_inst(v, index, "neither a name nor a pointer to what is called");
  return true;
}

static int compare_values(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool check_cases(Verifier *v, uint32_t index, const IrInst *inst) {
  uint32_t count = inst->block_count - 1u;
  if (count == 0) return true;
  if (!inst->case_values) return fail_inst(v, index, "no case values");
  ArenaMark mark = arena_mark(v->scratch);
  int64_t *values = arena_copy(v->scratch, inst->case_values, count * sizeof *values);
  bool good = true;
  qsort(values, count, sizeof *values, compare_values);
  for (uint32_t i = 0; i < count && good; i++) {
    IrConst constant = {.type = operand_type(v, inst, 0), .bits = values[i]};
    if (!is_const_sound(&constant))
      good = fail_inst(v, index, "case value %" PRId64 " does not fit", values[i]);
    else if (i > 0 && values[i - 1] == values[i])
      good = fail_inst(v, index, "case value %" PRId64 " occurs twice", values[i]);
  }
  if (good) arena_release(v->scratch, mark);
  return good;
}

static bool check_terminator(Verifier *v, uint32_t index, const IrInst *inst) {
  uint32_t wanted = inst->op == IR_BR ? 1 : inst->op == IR_CONDBR ? 2 : 0;
  if (inst->op == IR_SWITCH ? inst->block_count == 0 : inst->block_count != wanted)
    return fail_inst(v, index, "%u targets", inst->block_count);
  if (inst->op == IR_SWITCH) return check_cases(v, index, inst);
  if (inst->op != IR_RET) return true;
  IrType result = v->function->result, type = inst->op_count ? operand_type(v, inst, 0) : ir_type_void();
  if (inst->op_count > 1 || !ir_types_equal(type, result))
    return fail_inst(v, index, "returns %s instead of %s", type_text(v, type), type_text(v, result));
  return true;
}

static bool check_details(Verifier *v, uint32_t index, const IrInst *inst) {
  switch (ir_op_class((IrOp)inst->op)) {
  case IR_CLASS_ARITH: return true;
  case IR_CLASS_COMPARE: return check_compare(v, index, inst);
  case IR_CLASS_CAST: return check_cast(v, index, inst);
  case IR_CLASS_VALUE: return check_value(v, index, inst);
  case IR_CLASS_MEMORY: return check_memory(v, index, inst);
  case IR_CLASS_SYNC: return check_sync(v, index, inst);
  case IR_CLASS_CALL: return check_call(v, index, inst);
  case IR_CLASS_TERM: return check_terminator(v, index, inst);
  }
  return true;
}

// ---- instructions

static bool check_ranges(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op <= IR_NONE || inst->op >= IR_OP_COUNT) return fail_inst(v, index, "unknown operation");
  if (inst->loc >= v->module->locs.count) return fail_inst(v, index, "place out of range");
  if (!is_type_sound(inst->type)) return fail_inst(v, index, "unsound type");
  if (inst->flags & IR_FLAG_PACKED && inst->op != IR_LOAD && inst->op != IR_STORE)
    return fail_inst(v, index, "flag 'packed' on what is no load or store");
  if ((inst->flags & IR_FLAG_WEAK_FAILURE) && inst->op != IR_CMPXCHG)
    return fail_inst(v, index, "flag 'weak_failure' on what is no compare-and-swap");
  if ((inst->flags & IR_FLAG_PART) && inst->op != IR_ASYNCCOPY)
    return fail_inst(v, index, "flag 'part' on what is no asynchronous copy");
  if (inst->flags >> ir_flag_words.count) return fail_inst(v, index, "unknown flags %u", inst->flags);
  if (inst->pred >= IR_PRED_COUNT) return fail_inst(v, index, "unknown predicate %u", inst->pred);
  if (inst->rmw >= IR_RMW_COUNT) return fail_inst(v, index, "unknown atomic operation %u", inst->rmw);
  if (inst->order >= IR_ORDER_COUNT) return fail_inst(v, index, "unknown order %u", inst->order);
  if (inst->scope >= IR_SCOPE_COUNT) return fail_inst(v, index, "unknown scope %u", inst->scope);
  if ((inst->op_count && !inst->ops) || (inst->block_count && !inst->blocks))
    return fail_inst(v, index, "operands without a list");
  return true;
}

static bool is_ref_sound(Verifier *v, IrRef ref) {
  const IrFunction *f = v->function;
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_NONE: return false;
  case IR_REF_INST: return index < f->insts.count && f->insts.items[index].type.kind != IR_VOID;
  case IR_REF_CONST: return index < f->consts.count;
  case IR_REF_PARAM: return index < f->params.count;
  case IR_REF_GLOBAL: return index < v->module->globals.count;
  case IR_REF_FUNC: return index < v->module->functions.count;
  }
  return false;
}

static bool check_refs(Verifier *v, uint32_t index, const IrInst *inst) {
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_ref_sound(v, inst->ops[i])) return fail_inst(v, index, "operand %u is not defined", i);
  for (uint32_t i = 0; i < inst->block_count; i++)
    if (inst->blocks[i] >= v->function->blocks.count) return fail_inst(v, index, "block out of range");
  bool has_targets = ir_op_class((IrOp)inst->op) == IR_CLASS_TERM || inst->op == IR_PHI;
  if (inst->block_count && !has_targets) return fail_inst(v, index, "blocks where there are none");
  return true;
}

static bool verify_inst(Verifier *v, uint32_t index) {
  const IrInst *inst = &v->function->insts.items[index];
  return check_ranges(v, index, inst) && check_refs(v, index, inst) && check_signature(v, index, inst) &&
         check_details(v, index, inst);
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
      good = fail_inst(v, block->first + i, "behind other instructions");
    is_past_phis |= inst->op != IR_PHI;
    if ((ir_op_class((IrOp)inst->op) == IR_CLASS_TERM) != is_last)
      good =
          fail_inst(v, block->first + i, is_last ? "ends the block, but is no terminator" : "in mid-block");
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
  if (inst->op_count != inst->block_count) return fail_inst(v, index, "values and blocks differ in number");
  Incoming *in = arena_array(v->scratch, inst->op_count + 1u, Incoming);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    in[i] = (Incoming){inst->blocks[i], inst->ops[i]};
    if (!ir_types_equal(operand_type(v, inst, i), inst->type))
      return fail_inst(v, index, "operand %u has type %s", i, type_text(v, operand_type(v, inst, i)));
    if (!is_defined(v, inst->ops[i], inst->blocks[i], UINT32_MAX))
      return fail_inst(v, index, "operand %u does not reach the end of block %u", i, inst->blocks[i]);
  }
  qsort(in, inst->op_count, sizeof *in, compare_incoming);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    if (i > 0 && in[i].block == in[i - 1].block) {
      if (in[i].value != in[i - 1].value) return fail_inst(v, index, "two values from block %u", in[i].block);
      continue;
    }
    if (at == pred_count || preds[at] != in[i].block)
      return fail_inst(v, index, "block %u and the predecessors do not match", in[i].block);
    while (at < pred_count && preds[at] == in[i].block)
      at++;
  }
  return at == pred_count || fail_inst(v, index, "no value from block %u", preds[at]);
}

static bool verify_uses(Verifier *v, uint32_t index) {
  const IrInst *inst = &v->function->insts.items[index];
  if (inst->op == IR_PHI) return verify_phi(v, index, inst);
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_defined(v, inst->ops[i], inst->block, index))
      return fail_inst(v, index, "operand %u, instruction %u, is not defined on every way here", i,
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
  Verifier v = {.module = module, .sink = sink, .scratch = arena_open()};
  bool good = verify_module(&v);
  if (v.error_count > MAX_ERRORS)
    diag_report(sink, DIAG_ERROR, NULL, "broken IR: %u more errors", v.error_count - MAX_ERRORS);
  arena_close(v.scratch);
  return good;
}
