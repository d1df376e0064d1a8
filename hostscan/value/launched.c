// Which kernel does a launch start? A function that its pointer is seen to be, by the address of its stub.
// Soundness: more than one, or one that is not seen, is none.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/text.h"

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
