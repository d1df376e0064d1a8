// Is one instruction what core/ir.h promises of its operation? Method: against a signature, one line for each
// operation (core/ir_ops.def), plus what signatures cannot say; tables and blocks have been looked at (ir_verify.c).
// Soundness: as ir_verify.c: lenient only in fields that mean nothing for the operation.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir_verify.h"
#include "core/bug.h"
#include "core/ir_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

IrType verify_operand_type(Verifier *v, const IrInst *inst, uint32_t place) {
  return ir_ref_type(v->module, v->function, inst->ops[place]);
}

static bool check_signature(Verifier *v, uint32_t index, const IrInst *inst) {
  const char *signature = ir_op_info((IrOp)inst->op)->signature;
  if (!fits(signature[0], inst->type, inst->type, inst->type))
    return verify_fail_inst(v, index, "unexpected result type %s", verify_type_text(v, inst->type));
  size_t wanted = strlen(signature) - 2;
  bool is_open = wanted > 0 && signature[wanted + 1] == '*';
  if (!is_open && inst->op_count != wanted)
    return verify_fail_inst(v, index, "%u operands instead of %zu", inst->op_count, wanted);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    IrType type = verify_operand_type(v, inst, i);
    if (!fits(is_open ? 'v' : signature[2 + i], type, inst->type, verify_operand_type(v, inst, 0)))
      return verify_fail_inst(v, index, "operand %u has type %s", i, verify_type_text(v, type));
  }
  return true;
}

// ---- what signatures cannot say

static bool check_cast(Verifier *v, uint32_t index, const IrInst *inst) {
  IrType from = verify_operand_type(v, inst, 0), to = inst->type;
  bool good = true;
  if (inst->op == IR_TRUNC || inst->op == IR_FPTRUNC) good = to.bits < from.bits;
  if (inst->op == IR_ZEXT || inst->op == IR_SEXT || inst->op == IR_FPEXT) good = to.bits > from.bits;
  if (inst->op == IR_BITCAST) good = to.bytes == from.bytes;
  return good ||
         verify_fail_inst(v, index, "from %s to %s", verify_type_text(v, from), verify_type_text(v, to));
}

static bool check_compare(Verifier *v, uint32_t index, const IrInst *inst) {
  bool good = inst->op == IR_ICMP ? inst->pred >= IR_EQ && inst->pred <= IR_UGE
                                  : inst->pred >= IR_FFALSE && inst->pred <= IR_FTRUE;
  return good || verify_fail_inst(v, index, "predicate %u is not one of this operation", inst->pred);
}

static bool check_value(Verifier *v, uint32_t index, const IrInst *inst) {
  if (ir_inst_is(inst, IR_PIECE)) {
    IrType whole = verify_operand_type(v, inst, 0);
    IrType piece = inst->op == IR_EXTRACT ? inst->type : verify_operand_type(v, inst, 1);
    if (inst->imm < 0 || inst->imm > whole.bytes || piece.bytes > whole.bytes - inst->imm)
      return verify_fail_inst(v, index, "%u bytes at %" PRId64 " of %u", piece.bytes, inst->imm, whole.bytes);
  }
  if (inst->op == IR_SREG && (inst->imm <= IR_SREG_NONE || inst->imm >= IR_SREG_COUNT))
    return verify_fail_inst(v, index, "unknown special register %" PRId64, inst->imm);
  if (inst->op == IR_PURE && !inst->name) return verify_fail_inst(v, index, "no name");
  return true;
}

static bool check_rmw_range(Verifier *v, uint32_t index, const IrInst *inst) {
  return (inst->rmw > IR_RMW_NONE && inst->rmw < IR_RMW_COUNT) ||
         verify_fail_inst(v, index, "unknown atomic operation %u", inst->rmw);
}

static bool check_rmw(Verifier *v, uint32_t index, const IrInst *inst) {
  IrType operand = verify_operand_type(v, inst, 1);
  if (!check_rmw_range(v, index, inst)) return false;
  bool is_float = inst->rmw >= IR_RMW_FADD; // also two halves at once, as bytes
  bool good = inst->rmw == IR_RMW_XCHG ||
              (is_float ? operand.kind == IR_FLOAT || operand.kind == IR_BYTES : operand.kind == IR_INT);
  if (!good) return verify_fail_inst(v, index, "operand 1 has type %s", verify_type_text(v, operand));
  if (inst->type.kind != IR_VOID && !ir_types_equal(inst->type, operand))
    return verify_fail_inst(v, index, "unexpected result type %s", verify_type_text(v, inst->type));
  return true;
}

// Only what completes on a barrier object can come out of registers.
static bool has_object(Verifier *v, const IrInst *inst) {
  return inst->op_count == 4 && verify_operand_type(v, inst, 3).kind == IR_PTR;
}

static bool check_folds(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->imm != 2 && inst->imm != 4 && inst->imm != 8)
    return verify_fail_inst(v, index, "elements of %" PRId64 " bytes", inst->imm);
  return check_rmw_range(v, index, inst);
}

static bool check_async_copy(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op_count < 3 || inst->op_count > 4)
    return verify_fail_inst(v, index, "%u operands instead of 3", inst->op_count);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    uint8_t kind = verify_operand_type(v, inst, i).kind;
    bool is_value = i == 1 && kind != IR_VOID && has_object(v, inst); // else an address, or a number
    bool good = is_value || (kind == IR_PTR && i != 2) || (kind == IR_INT && i > 1);
    if (!good)
      return verify_fail_inst(v, index, "operand %u has type %s", i,
                              verify_type_text(v, verify_operand_type(v, inst, i)));
  }
  return !ir_inst_is(inst, IR_FOLDS) || check_folds(v, index, inst);
}

static bool check_memory(Verifier *v, uint32_t index, const IrInst *inst) {
  if (ir_inst_is(inst, IR_ASYNC)) return check_async_copy(v, index, inst);
  if (inst->op == IR_ATOMICRMW) return check_rmw(v, index, inst);
  if (inst->op == IR_ALLOCA && inst->imm < 0) return verify_fail_inst(v, index, "negative size");
  return true;
}

// How many operands a barrier has, which scopes it knows, and whether something comes back.
static bool check_barrier(Verifier *v, uint32_t index, const IrInst *inst) {
  uint32_t least = 0, most = 0;
  bool has_result = false, is_warp = inst->scope == IR_SCOPE_WARP, is_block = inst->scope == IR_SCOPE_BLOCK;
  bool good = true;
  if (inst->imm < 0 || inst->imm >= IR_BARRIER_KIND_COUNT)
    return verify_fail_inst(v, index, "unknown kind of barrier %" PRId64, inst->imm);
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
  if (!good) return verify_fail_inst(v, index, "unexpected scope %u", inst->scope);
  if (inst->op_count < least || inst->op_count > most)
    return verify_fail_inst(v, index, "unexpected number of operands %u", inst->op_count);
  if (has_result ? inst->type.kind != IR_INT : inst->type.kind != IR_VOID)
    return verify_fail_inst(v, index, "unexpected result type %s", verify_type_text(v, inst->type));
  for (uint32_t i = 0; i < inst->op_count && inst->imm != IR_BARRIER_COALESCED; i++)
    if (verify_operand_type(v, inst, i).kind != IR_INT)
      return verify_fail_inst(v, index, "operand %u is no integer", i);
  int64_t lanes;
  if (inst->imm == IR_BARRIER_TILE && !ir_const_value(v->function, inst->ops[0], &lanes))
    return verify_fail_inst(v, index, "the size of the tile is not constant");
  return true;
}

// An address, then the number that the kind says, if any.
static bool check_object(Verifier *v, uint32_t index, const IrInst *inst, bool has_number) {
  uint32_t wanted = has_number ? 2 : 1;
  if (inst->op_count != wanted)
    return verify_fail_inst(v, index, "%u operands instead of %u", inst->op_count, wanted);
  if (verify_operand_type(v, inst, 0).kind != IR_PTR)
    return verify_fail_inst(v, index, "operand 0 is no pointer");
  if (has_number && verify_operand_type(v, inst, 1).kind != IR_INT)
    return verify_fail_inst(v, index, "operand 1 is no integer");
  return true;
}

static bool check_mbarrier(Verifier *v, uint32_t index, const IrInst *inst) {
  bool has_number = true, has_token = false, is_test = false;
  if (inst->imm < 0 || inst->imm >= IR_MBARRIER_KIND_COUNT)
    return verify_fail_inst(v, index, "unknown kind of mbarrier %" PRId64, inst->imm);
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
    return verify_fail_inst(v, index, "unexpected result type %s", verify_type_text(v, inst->type));
  return check_object(v, index, inst, has_number);
}

static bool check_pipeline(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->imm < 0 || inst->imm >= IR_PIPELINE_KIND_COUNT)
    return verify_fail_inst(v, index, "unknown kind of pipeline %" PRId64, inst->imm);
  if (inst->imm == IR_PIPELINE_INIT && (inst->op_count == 3 || inst->op_count == 4)) {
    IrInst without = *inst;
    without.op_count = 2;
    bool are_numbers = verify_operand_type(v, inst, 2).kind == IR_INT &&
                       verify_operand_type(v, inst, inst->op_count - 1u).kind == IR_INT;
    return are_numbers ? check_object(v, index, &without, true)
                       : verify_fail_inst(v, index, "the role, or the tile, is no number");
  }
  return check_object(v, index, inst, inst->imm == IR_PIPELINE_INIT);
}

static bool check_async_wait(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->imm < 0) return verify_fail_inst(v, index, "negative number of groups");
  if (inst->op_count > 1) return verify_fail_inst(v, index, "%u operands", inst->op_count);
  if (inst->op_count && (inst->imm || verify_operand_type(v, inst, 0).kind != IR_INT))
    return verify_fail_inst(v, index, "operand 0 is no integer, or the number is said twice");
  return true;
}

static bool check_sync(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op == IR_BARRIER) return check_barrier(v, index, inst);
  if (inst->op == IR_MBARRIER) return check_mbarrier(v, index, inst);
  if (inst->op == IR_PIPELINE) return check_pipeline(v, index, inst);
  if (inst->op == IR_ASYNCWAIT) return check_async_wait(v, index, inst);
  if (inst->op == IR_ASYNCCOMMIT &&
      (inst->op_count > 1 || (inst->op_count && verify_operand_type(v, inst, 0).kind != IR_INT)))
    return verify_fail_inst(v, index, "more than one operand, or no integer");
  if (inst->op == IR_VOTE && !inst->name) return verify_fail_inst(v, index, "no name");
  return true;
}

static bool check_call(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op != IR_CALL || inst->name) return true;
  if (inst->op_count == 0 || verify_operand_type(v, inst, inst->op_count - 1u).kind != IR_PTR)
    return verify_fail_inst(v, index, "neither a name nor a pointer to what is called");
  return true;
}

static int compare_values(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool check_cases(Verifier *v, uint32_t index, const IrInst *inst) {
  uint32_t count = inst->block_count - 1u;
  if (count == 0) return true;
  if (!inst->case_values) return verify_fail_inst(v, index, "no case values");
  ArenaMark mark = arena_mark(v->scratch);
  int64_t *values = arena_copy(v->scratch, inst->case_values, count * sizeof *values);
  bool good = true;
  qsort(values, count, sizeof *values, compare_values);
  for (uint32_t i = 0; i < count && good; i++) {
    IrConst constant = {.type = verify_operand_type(v, inst, 0), .bits = values[i]};
    if (!verify_const_is_sound(&constant))
      good = verify_fail_inst(v, index, "case value %" PRId64 " does not fit", values[i]);
    else if (i > 0 && values[i - 1] == values[i])
      good = verify_fail_inst(v, index, "case value %" PRId64 " occurs twice", values[i]);
  }
  if (good) arena_release(v->scratch, mark);
  return good;
}

static bool check_terminator(Verifier *v, uint32_t index, const IrInst *inst) {
  uint32_t wanted = inst->op == IR_BR ? 1 : inst->op == IR_CONDBR ? 2 : 0;
  if (inst->op == IR_SWITCH ? inst->block_count == 0 : inst->block_count != wanted)
    return verify_fail_inst(v, index, "%u targets", inst->block_count);
  if (inst->op == IR_SWITCH) return check_cases(v, index, inst);
  if (inst->op != IR_RET) return true;
  IrType result = v->function->result,
         type = inst->op_count ? verify_operand_type(v, inst, 0) : ir_type_void();
  if (inst->op_count > 1 || !ir_types_equal(type, result))
    return verify_fail_inst(v, index, "returns %s instead of %s", verify_type_text(v, type),
                            verify_type_text(v, result));
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

// On which operations a flag may stand (core/ir_flags.def).
static const unsigned ops_of_flag[IR_FLAG_COUNT] = {
#define IR_FLAG(enumerator, text, of) of,
#include "core/ir_flags.def"
#undef IR_FLAG
};

static bool check_ranges(Verifier *v, uint32_t index, const IrInst *inst) {
  if (inst->op <= IR_NONE || inst->op >= IR_OP_COUNT) return verify_fail_inst(v, index, "unknown operation");
  if (inst->loc >= v->module->locs.count) return verify_fail_inst(v, index, "place out of range");
  if (!verify_type_is_sound(inst->type)) return verify_fail_inst(v, index, "unsound type");
  if (inst->flags >> IR_FLAG_COUNT) return verify_fail_inst(v, index, "unknown flags %u", inst->flags);
  for (unsigned bit = 0; bit < IR_FLAG_COUNT; bit++)
    if ((inst->flags & 1u << bit) && ops_of_flag[bit] && !ir_inst_is(inst, ops_of_flag[bit]))
      return verify_fail_inst(v, index, "flag '%s' on what it says nothing of", ir_flag_words.words[bit]);
  if (inst->pred >= IR_PRED_COUNT) return verify_fail_inst(v, index, "unknown predicate %u", inst->pred);
  if (inst->rmw >= IR_RMW_COUNT) return verify_fail_inst(v, index, "unknown atomic operation %u", inst->rmw);
  if (inst->order >= IR_ORDER_COUNT) return verify_fail_inst(v, index, "unknown order %u", inst->order);
  if (inst->scope >= IR_SCOPE_COUNT) return verify_fail_inst(v, index, "unknown scope %u", inst->scope);
  if ((inst->op_count && !inst->ops) || (inst->block_count && !inst->blocks))
    return verify_fail_inst(v, index, "operands without a list");
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
    if (!is_ref_sound(v, inst->ops[i])) return verify_fail_inst(v, index, "operand %u is not defined", i);
  for (uint32_t i = 0; i < inst->block_count; i++)
    if (inst->blocks[i] >= v->function->blocks.count) return verify_fail_inst(v, index, "block out of range");
  bool has_targets = ir_op_class((IrOp)inst->op) == IR_CLASS_TERM || inst->op == IR_PHI;
  if (inst->block_count && !has_targets) return verify_fail_inst(v, index, "blocks where there are none");
  return true;
}

bool verify_inst(Verifier *v, uint32_t index) {
  const IrInst *inst = &v->function->insts.items[index];
  return check_ranges(v, index, inst) && check_refs(v, index, inst) && check_signature(v, index, inst) &&
         check_details(v, index, inst);
}
