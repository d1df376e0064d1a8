// May a copy or a fill of the runtime write an object, by whose memory that is? A copy to the device writes memory that the device has got, one
// to the host what the host has; of fills the destination is of the device (CUDA Runtime API, cudaMemcpy, cudaMemset: a direction that does not fit
// the pointers is undefined). Variables of the program are the host's alone, unless it registers memory of the host with the runtime, which files that
// are not given may do; what cudaMalloc gives is the device's alone. Managed memory and memory that the runtime allocates for the host are
// both's, and so may be what `new` and `malloc` give: some systems let the device read it.
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

bool host_is_managed(HostScan *scan, ExprRef leaf) {
  ASSERT(host_has_word(scan, leaf, 64));
  const HostObject *object = host_object_of(scan, leaf);
  return object->kind == HOST_GLOBAL && scan->module->globals.items[object->index].is_managed;
}

// In files that are not given it may be.
static bool registers_memory(HostScan *scan) {
  static const char *const names[] = {"cudaHostRegister", "cuMemHostRegister", "cuMemHostRegister_v2"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (host_function_named(scan, 0, names[i])) return true;
  return host_has_files_left_out(scan);
}

static bool is_of_host_alone(HostScan *scan, const HostObject *object) {
  if (object->is_parameter || (object->kind != HOST_LOCAL && object->kind != HOST_GLOBAL)) return false;
  if (registers_memory(scan)) return false;
  if (object->kind == HOST_LOCAL) return true;
  const IrGlobal *global = &scan->module->globals.items[object->index];
  return !global->is_external && !may_be_managed(scan, global->name);
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
