// May a call that stays a call be passed over? A function that calls itself, or that a pointer leads to, is
// not entered. If neither it nor what it calls touches memory that other threads see, only its result is
// unknown. Method: for each function the parameters that it reads or writes through, directly or by its own
// calls, up to a fixed point; a call is passed over if it gets addresses of the caller's own variables for
// those. A call through a pointer may be of each function of the program whose address is taken and whose
// parameters fit. Soundness: barriers, votes, fences, atomic operations elsewhere than on such variables,
// other memory, and functions that are not seen forbid it; variables whose address a call gets are not
// followed elsewhere.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/kernel/kernel.h"
#include "core/bug.h"

enum { MAX_PARAMS = 32 };

typedef struct Callee {
  uint32_t touched; // parameters that are read or written through
  bool is_open;     // does more than that
} Callee;

// What is kept of a scan.
typedef struct Calls {
  const IrModule *module;
  Callee *callees; // by function of the module
  bool changed;
} Calls;

static uint32_t number_of(const IrModule *module, const IrFunction *fn) {
  uint32_t i = 0;
  while (module->functions.items[i] != fn)
    i++;
  return i;
}

static bool same_type(IrType a, IrType b) {
  return a.kind == b.kind && a.bits == b.bits && a.bytes == b.bytes;
}

// Could a pointer to the function be what is called?
static bool fits(const IrModule *module, const IrFunction *caller, const IrInst *call, const IrFunction *fn) {
  uint32_t args = call->op_count - 1; // the last operand is the pointer
  if (fn->is_kernel || fn->params.count != args || !same_type(fn->result, call->type)) return false;
  for (uint32_t i = 0; i < args; i++)
    if (!same_type(fn->params.items[i].type, ir_ref_type(module, caller, call->ops[i]))) return false;
  return true;
}

static bool has_address_taken(const IrModule *module, uint32_t number) {
  if (module->functions.items[number]->is_in_data) return true;
  for (uint32_t f = 0; f < module->functions.count; f++) {
    const IrFunction *fn = module->functions.items[f];
    for (uint32_t i = 0; i < fn->insts.count; i++)
      for (uint32_t o = 0; o < fn->insts.items[i].op_count; o++)
        if (fn->insts.items[i].ops[o] == IR_REF(IR_REF_FUNC, number)) return true;
  }
  return false;
}

// A place in memory as the function sees it: its own variable, what a parameter points to, or anything.
static void touch(Callee *callee, const IrModule *module, const IrFunction *fn, IrRef address) {
  for (const IrInst *inst = ir_inst(fn, address); inst && ir_inst_is(inst, IR_SAME_OBJECT);
       inst = ir_inst(fn, address))
    address = inst->ops[0];
  const IrInst *base = ir_inst(fn, address);
  if (base && base->op == IR_ALLOCA) return;
  bool is_param = ir_ref_kind(address) == IR_REF_PARAM && ir_ref_index(address) < MAX_PARAMS;
  if (is_param && fn->params.items[ir_ref_index(address)].byval_bytes) return;
  if (is_param) callee->touched |= 1u << ir_ref_index(address);
  bool is_constant = ir_ref_kind(address) == IR_REF_GLOBAL &&
                     module->globals.items[ir_ref_index(address)].space == IR_SPACE_CONSTANT;
  callee->is_open |= !is_param && !is_constant;
}

// What the called function touches through its parameters is what the caller gives it.
static void take_over(Callee *caller, const IrModule *module, const IrFunction *fn, const IrInst *call,
                      const Callee *called) {
  caller->is_open |= called->is_open;
  for (uint32_t p = 0; p < MAX_PARAMS && p < call->op_count; p++)
    if (called->touched >> p & 1) touch(caller, module, fn, call->ops[p]);
}

static void look_at_call(Calls *calls, Callee *callee, const IrFunction *fn, const IrInst *call) {
  const IrModule *module = calls->module;
  if (call->name) {
    const IrFunction *called = ir_find_function(module, call->name);
    if (strcmp(call->name, "llvm.assume") == 0) return;
    if (!called || called->is_declaration)
      callee->is_open = true;
    else
      take_over(callee, module, fn, call, &calls->callees[number_of(module, called)]);
    return;
  }
  bool has_any = false;
  for (uint32_t f = 0; f < module->functions.count; f++) {
    if (!fits(module, fn, call, module->functions.items[f]) || !has_address_taken(module, f)) continue;
    has_any = true;
    callee->is_open |= module->functions.items[f]->is_declaration;
    take_over(callee, module, fn, call, &calls->callees[f]);
  }
  callee->is_open |= !has_any;
}

static void look_at(Calls *calls, Callee *callee, const IrFunction *fn, const IrInst *inst) {
  IrOpClass class = ir_op_class((IrOp)inst->op);
  if (inst->op == IR_CALL)
    look_at_call(calls, callee, fn, inst);
  else if (class == IR_CLASS_SYNC || class == IR_CLASS_CALL)
    callee->is_open = true;
  else if (inst->op == IR_MEMCPY) {
    touch(callee, calls->module, fn, inst->ops[0]);
    touch(callee, calls->module, fn, inst->ops[1]);
  } else if (inst->op == IR_LOAD || inst->op == IR_STORE || inst->op == IR_MEMSET)
    touch(callee, calls->module, fn, inst->ops[0]);
  else if (class == IR_CLASS_MEMORY && inst->op != IR_ALLOCA)
    callee->is_open = true;
}

static void look_at_function(Calls *calls, uint32_t number) {
  const IrFunction *fn = calls->module->functions.items[number];
  Callee before = calls->callees[number], *callee = &calls->callees[number];
  callee->is_open |= fn->params.count > MAX_PARAMS;
  for (uint32_t i = 0; i < fn->insts.count && !callee->is_open; i++)
    look_at(calls, callee, fn, &fn->insts.items[i]);
  calls->changed |= before.touched != callee->touched || before.is_open != callee->is_open;
}

static Calls *calls_of(Scan *scan) {
  const IrModule *module = scan->module;
  Calls *calls = SCAN_STATE_OF(scan, opaque_calls, Calls);
  if (calls->callees) return calls;
  *calls = (Calls){.module = module, .changed = true};
  calls->callees = arena_array(scan->arena, module->functions.count + 1, Callee);
  while (calls->changed) {
    calls->changed = false;
    for (uint32_t f = 0; f < module->functions.count; f++)
      if (!module->functions.items[f]->is_kernel) look_at_function(calls, f);
  }
  return calls;
}

bool call_is_private(Scan *scan, const IrInst *call) {
  ASSERT(ir_has_inst(scan->fn, call));
  Callee at_call = {0};
  look_at_call(calls_of(scan), &at_call, scan->fn, call);
  return !at_call.is_open && !at_call.touched;
}

// ---- why it stays

// Does the function come to itself by calls of functions by their names?
static bool calls_itself(const IrModule *module, uint32_t number, Arena *arena) {
  const uint32_t count = module->functions.count;
  bool *is_met = arena_array(arena, count, bool);
  VEC(uint32_t) met = {0};
  vec_push(arena, &met, number);
  for (uint32_t m = 0; m < met.count; m++) {
    const IrFunction *fn = module->functions.items[met.items[m]];
    for (uint32_t i = 0; i < fn->insts.count; i++) {
      const IrInst *inst = &fn->insts.items[i];
      const IrFunction *called =
          inst->op == IR_CALL && inst->name ? ir_find_function(module, inst->name) : NULL;
      if (!called) continue;
      uint32_t next = number_of(module, called);
      if (next == number) return true;
      if (!is_met[next]) vec_push(arena, &met, next);
      is_met[next] = true;
    }
  }
  return false;
}

const char *call_stays_because(const Scan *scan, const IrFunction *called) {
  ASSERT(!called->is_declaration);
  uint32_t number = number_of(scan->module, called);
  if (calls_itself(scan->module, number, scan->arena)) return "it calls itself";
  if (has_address_taken(scan->module, number)) return "a pointer led to it";
  return "with all that it calls it is too large";
}
