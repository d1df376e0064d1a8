// Which variables of the device have to be followed that the host's text does not mention? Those that kernels store pointers to, which launches
// hand on to each other, those that begin with numbers other than zero (which they hold until a kernel writes them), and all of a program that asks
// for some by their names. Method: the host's module is copied with them, so that
// what lies in them is followed as for others. Soundness: exact; nothing else is said of them.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/kernels.h"
#include "hostscan/syntax.h"

#include <string.h>

static bool is_known_variable(const IrModule *host, const char *name) {
  for (uint32_t i = 0; i < host->globals.count; i++)
    if (strcmp(host->globals.items[i].name, name) == 0) return true;
  return false;
}

static void add_variable(Arena *arena, const IrGlobal *variable, IrModule *host) {
  if (variable->space == IR_SPACE_SHARED || is_known_variable(host, variable->name)) return;
  IrGlobal added = *variable;
  added.loc = 0;
  vec_push(arena, &host->globals, added);
}

// Those that kernels store pointers to: launches hand them on to each other.
static void add_variables_of(Arena *arena, const IrModule *device, const IrFunction *fn, IrModule *host) {
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    if (inst->op != IR_STORE || ir_ref_type(device, fn, inst->ops[1]).kind != IR_PTR) continue;
    IrRef base = ir_address_base(fn, inst->ops[0]);
    if (ir_ref_kind(base) != IR_REF_GLOBAL) continue;
    add_variable(arena, &device->globals.items[ir_ref_index(base)], host);
  }
}

static bool begins_with_numbers(const IrGlobal *variable) {
  if (variable->is_constant || !variable->data || variable->addresses.count) return false;
  for (uint64_t i = 0; i < variable->bytes; i++)
    if (variable->data[i]) return true;
  return false;
}

static void add_initialised(Arena *arena, const IrModule *device, IrModule *host) {
  for (uint32_t i = 0; i < device->globals.count; i++)
    if (begins_with_numbers(&device->globals.items[i])) add_variable(arena, &device->globals.items[i], host);
}

// All of a program that asks for some by their names.
static void add_all_variables(Arena *arena, const IrModule *device, IrModule *host) {
  for (uint32_t i = 0; i < device->globals.count; i++)
    add_variable(arena, &device->globals.items[i], host);
}

static bool asks_for_variables(const IrModule *host) {
  for (uint32_t i = 0; i < host->functions.count; i++)
    if (host_gives_variable(host->functions.items[i]->name)) return true;
  return false;
}

// The host's module with them, so that what is in them is followed as for others.
const IrModule *host_with_variables(Arena *arena, const IrModule *host, uint32_t count,
                                    const IrModule *const *device) {
  IrModule *result = arena_copy(arena, host, sizeof *host);
  memset(&result->globals, 0, sizeof result->globals);
  for (uint32_t i = 0; i < host->globals.count; i++)
    vec_push(arena, &result->globals, host->globals.items[i]);
  for (uint32_t d = 0; device && d < count; d++)
    if (device[d] && asks_for_variables(host)) add_all_variables(arena, device[d], result);
  for (uint32_t d = 0; device && d < count; d++)
    if (device[d]) add_initialised(arena, device[d], result);
  for (uint32_t d = 0; d < count; d++)
    for (uint32_t f = 0; device[d] && f < device[d]->functions.count; f++)
      add_variables_of(arena, device[d], device[d]->functions.items[f], result);
  return result->globals.count == host->globals.count ? host : result;
}
