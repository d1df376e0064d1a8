// Which variables of the program keep what they hold? Method: each use of a variable's address in the module,
// through casts and sums, is a read, a direct write, or something behind which the address may be anywhere.
// Without the last, no pointer found elsewhere points to the variable; if only constructors of variables
// write it, which run before main, it is a constant for all else. Soundness: only in a program whose main is
// among the files, so that no other file uses the variable (A5); nor of one that other files can name if the program
// calls functions that are left out: neither in the files nor declared by headers of the system.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/program/program.h"
#include "hostscan/syntax.h"
#include "core/bug.h"

#include <string.h>

// SET: by a constructor of variables. BY_HOST: other than by its name, as the runtime's functions for
// variables of the device take it. LATER: by a call that works later, as part of a graph for one
enum { USE_SET = 1, USE_WRITE = 2, USE_ANYHOW = 4, USE_BY_HOST = 8, USE_LATER = 16 };

static uint32_t root_of(IrRef ref, const uint32_t *roots) {
  IrRefKind kind = ir_ref_kind(ref);
  if (kind == IR_REF_GLOBAL) return ir_ref_index(ref) + 1;
  return kind == IR_REF_INST ? roots[ir_ref_index(ref)] : 0;
}

// Calls of libraries that keep no pointer they are given.
static bool keeps_nothing(HostCallKind kind) {
  return kind == CALL_QUIET || kind == CALL_WRITES || kind == CALL_WRITES_FAR || kind == CALL_STOPS ||
         kind == CALL_ALLOCATE || kind == CALL_ALLOCATE_PITCH || kind == CALL_COPY ||
         kind == CALL_COPY_LINEAR || kind == CALL_COPY_ROWS || kind == CALL_FILL || kind == CALL_COPY_PLAIN;
}

static bool takes_name(HostScan *scan, const IrInst *inst) {
  const char *name = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
  return name && (strstr(name, "Symbol") || strstr(name, "cudaRegister"));
}

static uint8_t use_of(HostScan *scan, const HostFunction *function, const IrInst *inst, uint32_t operand) {
  uint8_t write = function->is_constructor ? USE_SET : USE_WRITE;
  if (inst->op == IR_LOAD || inst->op == IR_ICMP) return 0;
  if (ir_inst_is(inst, IR_SAME_OBJECT) && operand == 0) return 0;
  if (inst->op == IR_MEMCPY && operand == 1) return 0;
  if (ir_inst_writes_there(inst) && operand == 0) return write;
  HostFunction *callee = NULL;
  HostCallKind kind = inst->op == IR_CALL ? host_call(scan, inst, &callee)->kind : CALL_QUIET;
  const char *name = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
  if (inst->op == IR_CALL && keeps_nothing(kind) && !callee && !host_call_hands_back(name, inst, operand))
    return host_call_works_later(name, kind) ? write | USE_LATER : write;
  return USE_ANYHOW;
}

// roots: by instruction, the variable that its result points into, + 1; blocks stand in any order.
static void note_uses(HostScan *scan, const HostFunction *function, uint32_t *roots) {
  const IrFunction *ir = function->ir;
  memset(roots, 0, sizeof *roots * ir->insts.count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < ir->insts.count; i++) {
      const IrInst *inst = &ir->insts.items[i];
      if (!ir_inst_is(inst, IR_SAME_OBJECT)) continue;
      uint32_t root = root_of(inst->ops[0], roots);
      changed |= root != roots[i];
      roots[i] = root;
    }
  }
  for (uint32_t i = 0; i < ir->insts.count; i++)
    for (uint32_t k = 0; k < ir->insts.items[i].op_count; k++) {
      uint32_t root = root_of(ir->insts.items[i].ops[k], roots);
      uint8_t use = root ? use_of(scan, function, &ir->insts.items[i], k) : 0;
      if (use && !takes_name(scan, &ir->insts.items[i])) use |= USE_BY_HOST;
      if (use) scan->global_uses[root - 1] |= use;
    }
}

// One pass over the module.
static void find_uses(HostScan *scan) {
  const IrModule *module = scan->module;
  uint32_t longest = 0;
  scan->global_uses = arena_array(scan->arena, module->globals.count + 1u, uint8_t);
  for (uint32_t f = 0; f < module->functions.count; f++)
    if (module->functions.items[f]->insts.count > longest) longest = module->functions.items[f]->insts.count;
  uint32_t *roots = arena_array(scan->arena, longest + 1u, uint32_t);
  for (uint32_t f = 0; f < module->functions.count; f++)
    if (!scan->functions[f].is_generated) note_uses(scan, &scan->functions[f], roots);
  for (uint32_t g = 0; g < module->globals.count; g++)
    for (uint32_t i = 0; i < module->globals.items[g].addresses.count; i++) {
      IrRef target = module->globals.items[g].addresses.items[i].target;
      if (ir_ref_kind(target) == IR_REF_GLOBAL)
        scan->global_uses[ir_ref_index(target)] |= USE_ANYHOW | USE_BY_HOST;
    }
}

bool host_has_files_left_out(HostScan *scan) {
  ASSERT(scan->module);
  if (scan->has_files_left_out != TRI_UNKNOWN) return scan->has_files_left_out == TRI_YES;
  bool has = !scan->options || !scan->options->has_main;
  for (uint32_t i = 0; i < scan->module->functions.count && !has; i++) {
    const IrFunction *function = scan->module->functions.items[i];
    has = function->is_of_program || (function->is_declaration && !function->is_of_library &&
                                      host_call_by_name(function->name)->kind == CALL_UNKNOWN);
  }
  scan->has_files_left_out = has ? TRI_YES : TRI_NO;
  return has;
}

static bool is_used_only_so(HostScan *scan, uint32_t index, uint8_t uses) {
  if (!scan->global_uses) find_uses(scan);
  if (scan->module->globals.items[index].is_managed) return false; // kernels write it by its name
  return !scan->module->globals.items[index].is_external &&
         !(scan->global_uses[index] & ~(uses | USE_BY_HOST | USE_LATER));
}

static bool has_only(HostScan *scan, uint32_t index, uint8_t uses) {
  if (!scan->options || !scan->options->has_main) return false; // other files may write it
  if (!scan->module->globals.items[index].is_static && host_has_files_left_out(scan)) return false;
  return is_used_only_so(scan, index, uses);
}

bool host_is_constant_global(HostScan *scan, uint32_t index) {
  ASSERT(index < scan->module->globals.count);
  return scan->module->globals.items[index].is_constant || has_only(scan, index, 0);
}

// A function of the system's headers, which is given none of the program: it calls nothing of files left out.
static bool is_by_itself(HostScan *scan, const IrInst *call) {
  if (call->op != IR_CALL || !call->name) return false;
  const IrFunction *callee = host_function_named(scan, 0, call->name);
  if (!callee || !callee->is_declaration || !callee->is_of_library) return false;
  for (uint32_t i = 0; i < call->op_count; i++)
    if (ir_ref_kind(call->ops[i]) == IR_REF_FUNC) return false;
  return true;
}

bool host_is_settled_global(HostScan *scan, const HostFrame *frame, const IrInst *by, uint32_t index) {
  ASSERT(frame->function);
  ASSERT(index < scan->module->globals.count);
  bool is_whole = scan->options && scan->options->has_main && by && is_by_itself(scan, by);
  if (host_is_constant_global(scan, index) || (is_whole && is_used_only_so(scan, index, 0))) return true;
  while (frame->parent)
    frame = frame->parent;
  return !frame->function->is_constructor &&
         (has_only(scan, index, USE_SET) || (is_whole && is_used_only_so(scan, index, USE_SET)));
}

bool host_is_unaliased_global(HostScan *scan, uint32_t index) {
  ASSERT(index < scan->module->globals.count);
  return has_only(scan, index, USE_SET | USE_WRITE);
}

bool host_is_handed_global(HostScan *scan, uint32_t index) {
  if (host_is_constant_global(scan, index)) return false;
  if (!scan->global_uses) find_uses(scan);
  bool is_own = scan->module->globals.items[index].is_static || !host_has_files_left_out(scan);
  return !is_own || scan->global_uses[index] & (USE_ANYHOW | USE_LATER);
}

bool host_writes_as_its_own(HostScan *scan, uint32_t index) {
  ASSERT(index < scan->module->globals.count);
  if (!scan->global_uses) find_uses(scan);
  return scan->global_uses[index] & USE_BY_HOST;
}

// ---- before main
static bool mentions(const IrFunction *ir, IrRef ref) {
  for (uint32_t i = 0; i < ir->insts.count; i++)
    for (uint32_t k = 0; k < ir->insts.items[i].op_count; k++)
      if (ir->insts.items[i].ops[k] == ref) return true;
  return false;
}

// Constructors of variables, and functions that the program itself has run before main: their addresses
// stand in a table, as those of other functions may.
static bool may_run_early(const HostFunction *function) {
  const IrFunction *ir = function->ir;
  if (function->is_generated) return false;
  return function->is_constructor || (ir->is_in_data && ir->params.count == 0 && ir->result.kind == IR_VOID);
}

bool host_is_set_before_main(HostScan *scan, uint32_t index) {
  ASSERT(index < scan->module->globals.count);
  uint8_t *known = &scan->global_written[index];
  if (*known != TRI_UNKNOWN) return *known == TRI_YES;
  *known = TRI_NO;
  for (uint32_t f = 0; f < scan->module->functions.count; f++)
    if (may_run_early(&scan->functions[f]) && mentions(scan->functions[f].ir, IR_REF(IR_REF_GLOBAL, index)))
      *known = TRI_YES;
  return *known == TRI_YES;
}

// The only thing that runs before main: the constructors of one file, in their order.
HostFunction *host_only_constructor(HostScan *scan) {
  ASSERT(scan->functions); // after host_model_build
  HostFunction *only = NULL;
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    HostFunction *function = &scan->functions[f];
    bool is_first = strncmp(function->ir->name, "_GLOBAL__sub_I", 14) == 0;
    bool is_other = !function->is_constructor && may_run_early(function);
    if ((!is_first && !is_other) || function->ir->blocks.count == 0) continue;
    if (only || is_other) return NULL;
    only = function;
  }
  return only;
}
