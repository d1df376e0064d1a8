// Which kernel does a launch start, and may that write a cell of memory? The kernel is a function that its pointer is seen to
// be, by the address of its stub; it writes what its parameters and the variables that its stores go back to are
// (kernels/kernels.c). Soundness: more than one kernel, or one that is not seen, is none, and may write whatever a launch can.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"

#include <string.h>

// The operand that says what is launched.
uint32_t host_launch_operand(HostCallKind kind, const IrInst *call) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  if (kind == CALL_STUB) return call->op_count - 1u;
  return kind == CALL_LAUNCH_EX || kind == CALL_LAUNCH_DRIVER_EX ? 1 : 0;
}

bool host_starts_add(HostScan *scan, ExprRef pointer, HostStarts *starts) {
  ASSERT(expr_is_of(scan->pool, pointer));
  HostTargets targets = {0};
  if (!host_targets(scan, pointer, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    const HostTarget *target = &targets.items[i];
    if (!target->leaf) continue; // a null pointer starts nothing
    const HostObject *object = host_object_of(scan, target->leaf);
    if (object->kind != HOST_FUNCTION_ADDRESS) return false;
    const char *kernel = host_stub_kernel(scan->module->functions.items[object->index]->name, scan->arena);
    if (!kernel) return false;
    vec_push(scan->arena, starts, (HostStart){.kernel = kernel, .condition = target->condition});
  }
  return starts->count > 0;
}

const IrFunction *host_launched_kernel(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = kind == CALL_STUB ? host_callee_name(scan, call) : NULL;
  HostStarts starts = {0};
  if (name) {
    const char *kernel = host_stub_kernel(name, scan->arena);
    return host_find_kernel(scan, kernel ? kernel : name);
  }
  uint32_t operand = kind == CALL_STUB ? 0 : host_launch_operand(kind, call);
  if (kind == CALL_STUB || kind == CALL_LAUNCH_BLIND || host_call_is_node(kind) || operand >= call->op_count)
    return NULL;
  if (!host_starts_add(scan, host_value(scan, frame, call->ops[operand]), &starts) || starts.count != 1)
    return NULL;
  return host_find_kernel(scan, starts.items[0].kernel);
}

// ---- what it may write

// A launch with an array of argument addresses: is the object of the cell among what they point to?
static bool is_launched_on(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef array,
                           const HostKernelUse *use, HostCell cell) {
  int64_t size = 0;
  HostTargets targets = {0};
  if (!host_targets(scan, array, &targets) || targets.count != 1 || !targets.items[0].leaf) return true;
  if (targets.items[0].leaf == cell.base) return false; // kernels do not write the array itself
  ExprRef bytes = host_object_of(scan, targets.items[0].leaf)->size_bytes;
  if (!bytes || !expr_is_const(scan->pool, bytes, &size) || size > 512) return true;
  for (int64_t at = 0; at + 8 <= size; at += 8) {
    if (use && at / 8 < use->kernel->params.count && !use->writes[at / 8]) continue;
    HostAccess access = {.frame = frame, .inst = inst, .bytes = 8, .kind = IR_PTR};
    access.address = host_add_offset(scan, array, expr_const(scan->pool, 64, at));
    access.address = host_load(scan, access);
    HostTargets values = {0};
    if (!host_targets(scan, host_load(scan, access), &values)) return true;
    for (uint32_t i = 0; i < values.count; i++)
      if (values.items[i].leaf == cell.base) return true;
  }
  return false;
}

// The parameters of a stub through which its kernel may write; all of them if operands and parameters do not
// match.
static uint32_t written_operands(const HostKernelUse *use, const IrInst *call) {
  uint32_t mask = 0;
  if (!use || use->kernel->params.count != host_argument_count(call)) return UINT32_MAX;
  for (uint32_t i = 0; i < use->kernel->params.count; i++)
    if (use->writes[i]) mask |= 1u << (i < 31 ? i : 31);
  return mask;
}

// Pointers in a struct that is passed by value are not followed.
static bool writes_through_struct(const HostKernelUse *use) {
  for (uint32_t i = 0; i < use->kernel->params.count; i++)
    if (use->writes[i] && use->kernel->params.items[i].byval_bytes) return true;
  return false;
}

static bool may_write_variable(const HostScan *scan, const HostKernelUse *use, const HostObject *variable) {
  const char *name = scan->module->globals.items[variable->index].name;
  return use ? host_kernel_writes_variable(use, name) : !variable->is_constant;
}

// By its name, or through an address that the runtime has told of it.
static bool may_write_managed(const HostScan *scan, const HostKernelUse *use, const IrInst *call,
                              const HostObject *variable) {
  return may_write_variable(scan, use, variable) ||
         (written_operands(use, call) && host_function_named(scan, 0, "cudaGetSymbolAddress"));
}

bool host_launch_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  ASSERT(host_has_cell(scan, cell));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostObject *object = host_object_of(scan, cell.base);
  HostObjectKind base = object->kind;
  if (base == HOST_LOCAL && kind != CALL_STUB) return false;
  if (kind == CALL_LAUNCH_BLIND) return true;
  const IrFunction *kernel = host_launched_kernel(scan, frame, inst, kind);
  const HostKernelUse *use = kernel ? host_kernel_use(scan, kernel) : NULL;
  if (use && cell.kind == IR_PTR && !use->writes_pointers) return false;
  if (use && use->writes_anything) use = NULL;
  object = host_object_of(scan, cell.base); // asking may have made others
  if (base == HOST_DEVICE_VARIABLE && may_write_variable(scan, use, object)) return true;
  if (host_is_managed(scan, cell.base) && may_write_managed(scan, use, call, object)) return true;
  if (base == HOST_DEVICE && (!use || writes_through_struct(use))) return true;
  if (kind == CALL_STUB) return host_is_given(scan, frame, inst, written_operands(use, call), cell);
  bool has_config = kind == CALL_LAUNCH_EX || kind == CALL_LAUNCH_DRIVER_EX;
  uint32_t array = has_config ? 2 : kind == CALL_LAUNCH_DRIVER ? 9 : 5;
  return array >= host_argument_count(call) ||
         is_launched_on(scan, frame, inst, host_value(scan, frame, call->ops[array]), use, cell);
}
