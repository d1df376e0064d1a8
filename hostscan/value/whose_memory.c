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

bool host_is_on_other_side(HostScan *scan, ExprRef leaf, HostCopyTo to) {
  ASSERT(host_has_word(scan, leaf, 64));
  const HostObject object = *host_object_of(scan, leaf);
  if (to == HOST_COPY_TO_DEVICE) return is_of_host_alone(scan, &object);
  return to == HOST_COPY_TO_HOST && is_of_device_alone(&object);
}
