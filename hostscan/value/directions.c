// May a copy or a fill of the runtime write an object, by whose memory that is? A copy to the device writes memory that the device has got, one
// to the host what the host has; of fills the destination is of the device (CUDA Runtime API, cudaMemcpy, cudaMemset: a direction that does not fit
// the pointers is undefined). Variables of the program and what `new` and `malloc` give are the host's alone, unless the program registers
// memory of the host with the runtime; what cudaMalloc gives is the device's alone. Managed memory and memory that the runtime allocates for
// the host are both's.
// Soundness: over-approximates: a direction that is no constant, or the default, is any.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

#include <string.h>

// Is there a variable of the device of that name, which may be managed? In doubt there is.
static bool may_be_managed(const HostScan *scan, const char *name) {
  for (uint32_t d = 0; d < scan->device_count; d++) {
    if (!scan->device[d]) return true;
    for (uint32_t g = 0; g < scan->device[d]->globals.count; g++)
      if (strcmp(scan->device[d]->globals.items[g].name, name) == 0) return true;
  }
  return false;
}

static bool registers_memory(const HostScan *scan) {
  static const char *const names[] = {"cudaHostRegister", "cuMemHostRegister", "cuMemHostRegister_v2"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (host_function_named(scan, 0, names[i])) return true;
  return false;
}

static bool is_of_host_alone(HostScan *scan, const HostObject *object) {
  if (registers_memory(scan) || object->is_parameter) return false;
  switch (object->kind) {
  case HOST_LOCAL: return true;
  case HOST_GLOBAL: return !may_be_managed(scan, scan->module->globals.items[object->index].name);
  case HOST_HEAP: {
    const IrInst *maker = object->frame ? &object->frame->function->ir->insts.items[object->inst] : NULL;
    HostCallKind kind = maker && maker->op == IR_CALL ? host_call(scan, maker, NULL)->kind : CALL_UNKNOWN;
    return kind == CALL_NEW || kind == CALL_NEW_ZEROED;
  }
  case HOST_NOTHING:
  case HOST_DEVICE:
  case HOST_DEVICE_VARIABLE:
  case HOST_POINTER:
  case HOST_FUNCTION_ADDRESS: break;
  }
  return false;
}

static bool is_of_device_alone(const HostObject *object) {
  return object->kind == HOST_DEVICE && object->is_out_of_reach;
}

static int64_t direction_of(HostScan *scan, HostFrame *frame, const IrInst *call, HostCallKind kind) {
  int64_t value = HOST_WAY_NOT_SAID;
  if (kind == CALL_FILL) return HOST_TO_DEVICE;
  HostWay way = host_way_of_copy(host_callee_name(scan, call), kind, host_argument_count(call));
  if (way.argument == UINT32_MAX) return way.direction;
  ExprRef said = host_value(scan, frame, call->ops[way.argument]);
  (void)expr_is_const(scan->pool, host_settle(scan, said), &value);
  return value;
}

bool host_is_beside_copy(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  if (kind != CALL_COPY_LINEAR && kind != CALL_COPY_ROWS && kind != CALL_FILL) return false;
  const HostObject object = *host_object_of(scan, cell.base);
  bool is_host = is_of_host_alone(scan, &object), is_device = is_of_device_alone(&object);
  if (!is_host && !is_device) return false;
  int64_t direction = direction_of(scan, frame, call, kind);
  if (is_host) return direction == HOST_TO_DEVICE || direction == DEVICE_TO_DEVICE;
  return direction == DEVICE_TO_HOST || direction == HOST_TO_HOST;
}
