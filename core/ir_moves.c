// May an instruction write the bits of an address? Pointers, words of eight bytes, and copies of memory may hold one. A shorter word, or a
// float, only if it is moved: loaded and stored as it is, or in parts, as by code that copies a struct word by word.
// So may a shorter word that is made of an address that became a number, as by code that stores a pointer in two halves.
// Method: the stored value backwards through casts, parts, choices and exchanges between lanes, to a load; through all that
// computes with words, to an address, but for a distance of two of them, and a remainder by a small power of two.
// Soundness: under-approximates by three rules that docs/soundness.md lists: a short word that is computed (by arithmetic, from numbers that
// the kernel is given, or from an address in many steps) is no part of an address; a member of a class that is written by its name is of the type that it is declared with
// (C++ has no access to an object by another type); and what lies behind a pointer that was itself read from memory is no table of
// pointers for those who write short words there.
// SPDX-License-Identifier: Apache-2.0
#include "core/ir.h"
#include "core/bug.h"

#include <string.h>

enum { DEPTH_LIMIT = 6, ADDRESS_DEPTH = 8, SMALL_REMAINDERS = 4096 };

typedef bool ValueTest(const IrFunction *function, IrRef value, int depth);
static bool is_moved(const IrFunction *function, IrRef value, int depth);
static bool is_of_address(const IrFunction *function, IrRef value, int depth);

// One of the operands from `first` on.
static bool some_operand(const IrFunction *function, IrRef value, uint32_t first, int depth,
                         ValueTest *is_so) {
  const IrInst *inst = ir_inst(function, value);
  for (uint32_t i = first; i < inst->op_count; i++)
    if (inst->ops[i] != value && is_so(function, inst->ops[i], depth)) return true;
  return false;
}

static bool is_moved(const IrFunction *function, IrRef value, int depth) {
  const IrInst *inst = ir_inst(function, value);
  if (!inst) return false; // a constant, a number that is given
  if (depth == 0) return true;
  switch (ir_op_step((IrOp)inst->op)) {
  case IR_STEP_ACCESS: return ir_inst_is(inst, IR_READS);
  case IR_STEP_CAST: // the same bits, or some of them; what is converted to or from a float, or has a sign, is computed
    return (inst->op == IR_TRUNC || inst->op == IR_ZEXT || inst->op == IR_BITCAST) &&
           is_moved(function, inst->ops[0], depth - 1);
  case IR_STEP_ARITH: return inst->op == IR_LSHR && is_moved(function, inst->ops[0], depth - 1);
  case IR_STEP_EXTRACT: return is_moved(function, inst->ops[0], depth - 1);
  case IR_STEP_LANES: return inst->op == IR_SHUFFLE && is_moved(function, inst->ops[1], depth - 1);
  case IR_STEP_SELECT: return some_operand(function, value, 1, depth - 1, is_moved);
  case IR_STEP_INSERT:
  case IR_STEP_PHI: return some_operand(function, value, 0, depth - 1, is_moved);
  case IR_STEP_NONE:
  case IR_STEP_COMPARE:
  case IR_STEP_PTRADD:
  case IR_STEP_PURE:
  case IR_STEP_UNDEF:
  case IR_STEP_SREG:
  case IR_STEP_COPIES:
  case IR_STEP_BARRIER:
  case IR_STEP_OBJECT:
  case IR_STEP_FENCE:
  case IR_STEP_CALL: // what it may write is asked of the call
  case IR_STEP_BR:
  case IR_STEP_CONDBR:
  case IR_STEP_SWITCH:
  case IR_STEP_RET:
  case IR_STEP_UNREACHABLE: return false;
  }
  return true;
}

// Where an object begins within a page, and the like.
static bool is_small_remainder(const IrFunction *function, const IrInst *both) {
  int64_t mask = 0;
  for (int o = 0; o < 2; o++)
    if (ir_const_value(function, both->ops[o], &mask) && mask >= 0 && mask < SMALL_REMAINDERS) return true;
  return false;
}

static bool arith_is_of_address(const IrFunction *function, IrRef value, int depth) {
  const IrInst *inst = ir_inst(function, value);
  bool is_one = some_operand(function, value, 0, depth, is_of_address);
  if (inst->op == IR_SUB) return is_one && !is_of_address(function, inst->ops[1], depth);
  if (inst->op == IR_AND) return is_one && !is_small_remainder(function, inst);
  return is_one && inst->op != IR_UREM && inst->op != IR_SREM;
}

// Is it made of the bits of an address that became a number?
static bool is_of_address(const IrFunction *function, IrRef value, int depth) {
  const IrInst *inst = ir_inst(function, value);
  if (!inst || depth == 0) return false;
  if (inst->op == IR_PTRTOINT) return true;
  IrStep step = ir_op_step((IrOp)inst->op);
  if (step == IR_STEP_ARITH) return arith_is_of_address(function, value, depth - 1);
  if (step == IR_STEP_SELECT) return some_operand(function, value, 1, depth - 1, is_of_address);
  bool passes_on = step == IR_STEP_CAST || step == IR_STEP_EXTRACT || step == IR_STEP_INSERT ||
                   step == IR_STEP_PHI || step == IR_STEP_PURE || inst->op == IR_SHUFFLE;
  return passes_on && some_operand(function, value, 0, depth - 1, is_of_address);
}

// Is the pointer one of those that the kernel is given as values?
static bool is_of_by_value(const IrFunction *function, IrRef slot) {
  for (const IrInst *at = ir_inst(function, slot); at && at->op == IR_PTRADD; at = ir_inst(function, slot))
    slot = at->ops[0];
  return ir_ref_kind(slot) == IR_REF_PARAM && function->params.items[ir_ref_index(slot)].byval_bytes > 0;
}

// May the address belong to what the kernel is given by itself, or to a variable? Else it was read from memory, or is the
// thread's own.
static bool is_given(const IrFunction *function, IrRef address, int depth) {
  const IrInst *inst = ir_inst(function, address);
  if (!inst) return true;
  if (depth == 0) return true;
  if (ir_inst_is(inst, IR_SAME_OBJECT)) return is_given(function, inst->ops[0], depth - 1);
  if (inst->op == IR_ALLOCA) return false;
  if (inst->op == IR_LOAD) return is_of_by_value(function, inst->ops[0]);
  if (inst->op != IR_SELECT && inst->op != IR_PHI) return true; // made of numbers, or by a call
  for (uint32_t i = inst->op == IR_SELECT; i < inst->op_count; i++)
    if (inst->ops[i] != address && is_given(function, inst->ops[i], depth - 1)) return true;
  return false;
}

// "x[...].count", but not "x->numbers[...]" or "words[...]".
static bool is_named_member(const char *place) {
  const char *index = place ? strrchr(place, ']') : NULL, *last = index ? index : place;
  return last && (strchr(last, '.') || strstr(last, "->"));
}

bool ir_may_write_address(const IrModule *module, const IrFunction *function, const IrInst *write) {
  ASSERT(ir_has_inst(function, write));
  IrRef value = ir_stored_value(write);
  if (!value) return true;
  IrType type = ir_ref_type(module, function, value);
  if (type.kind == IR_PTR || (type.kind != IR_FLOAT && type.bytes >= 8)) return true;
  if (is_named_member(write->place)) return false;
  if (write->op == IR_ATOMICRMW && write->rmw != IR_RMW_XCHG) return false;
  return is_given(function, write->ops[0], DEPTH_LIMIT) &&
         (is_moved(function, value, DEPTH_LIMIT) || is_of_address(function, value, ADDRESS_DEPTH));
}
