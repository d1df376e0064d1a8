// What is behind a handle that the host code asks for: a kernel, the memory of a texture or a surface?
// Method: a handle that cuModuleGetFunction, cuLibraryGetKernel or cudaLibraryGetKernel filled in is the address of the stub of the kernel of
// that name, if one of the files given has it, as it would be for a launch by name; an address that cuModuleGetGlobal gave is that
// of the variable of that name, likewise. One that cudaCreateTextureObject or
// cudaCreateSurfaceObject filled in is the pointer of the resource's description, to an array or to device memory.
// Soundness: the module that the program loads is taken to hold the kernel of the files given. A name of no kernel
// here starts nothing that is looked at; one that is not constant leaves the handle unknown: it may be that of any
// kernel.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

// ---- kernels
static ExprRef stub_of(HostScan *scan, const char *kernel) {
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    const HostFunction *function = &scan->functions[i];
    const char *launched = function->is_stub ? host_stub_kernel(function->ir->name, scan->arena) : NULL;
    if (launched && strcmp(launched, kernel) == 0)
      return host_leaf(scan, host_fixed_object(scan, HOST_FUNCTION_ADDRESS, i));
  }
  return 0;
}

// The address of the variable of that name; 0: there is none here, or it is not known which.
static ExprRef variable_of(HostScan *scan, HostFrame *frame, const IrInst *call) {
  const char *name = host_text_argument(scan, frame, call, 3);
  for (uint32_t i = 0; name && i < scan->module->globals.count; i++)
    if (strcmp(scan->module->globals.items[i].name, name) == 0)
      return host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, i));
  return 0;
}

// From the kernel's address, or from another handle of it.
static bool converts_handle(const char *callee) {
  return strcmp(callee, "cudaGetFuncBySymbol") == 0 || strcmp(callee, "cudaGetKernel") == 0 ||
         strcmp(callee, "cuKernelGetFunction") == 0;
}

ExprRef host_kernel_handle(HostScan *scan, const HostQuestion *question) {
  HostFrame *frame = question->frame;
  uint32_t inst = question->index;
  HostCell cell = question->cell;
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *callee = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  bool is_asked = callee && host_gives_kernel(callee), is_of_other = callee && converts_handle(callee);
  bool is_variable = callee && host_gives_variable(callee);
  if ((!is_asked && !is_variable && !is_of_other) || cell.bytes != 8) return 0;
  ExprRef place = host_add_offset(scan, cell.base, cell.offset);
  if (host_settle(scan, host_value(scan, frame, call->ops[0])) != place) return 0;
  if (is_variable) return variable_of(scan, frame, call);
  if (is_of_other) return host_value(scan, frame, call->ops[1]);
  const char *kernel = host_text_argument(scan, frame, call, 2);
  ExprRef stub = kernel ? stub_of(scan, kernel) : 0;
  return kernel && !stub ? expr_const(scan->pool, 64, HOST_FOREIGN_KERNEL) : stub;
}

// ---- textures and surfaces
bool host_makes_texture(HostScan *scan, const IrInst *call) {
  static const char *const makers[] = {"cudaCreateTextureObject", "cudaCreateTextureObject_v2",
                                       "cudaCreateSurfaceObject", "cuTexObjectCreate", "cuSurfObjectCreate"};
  const char *callee = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  if (!callee || host_argument_count(call) < 2) return false;
  for (uint32_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (strcmp(callee, makers[i]) == 0) return true;
  return false;
}

ExprRef host_texture_memory(HostScan *scan, HostFrame *frame, uint32_t inst) {
  ASSERT(inst < frame->function->ir->insts.count);
  enum { MEMORY = 8 }; // of all kinds of resources, behind the kind
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostTarget resource;
  if (!host_sole_target(scan, host_value(scan, frame, call->ops[1]), &resource) || !resource.leaf) return 0;
  ExprRef at = host_add_offset(scan, resource.offset, expr_const(scan->pool, 64, MEMORY));
  HostCell cell_of_memory = {resource.leaf, at, 8, IR_PTR};
  ExprRef memory = host_settle(scan, host_cell_before(scan, frame, inst, cell_of_memory));
  return expr_is_const(scan->pool, memory, NULL) ? 0 : memory; // none was named: not seen
}

ExprRef host_texture_handle(HostScan *scan, const HostQuestion *question) {
  HostFrame *frame = question->frame;
  HostCell cell = question->cell;
  const IrInst *call = &frame->function->ir->insts.items[question->index];
  if (cell.bytes != 8 || !host_makes_texture(scan, call)) return 0;
  ExprRef place = host_add_offset(scan, cell.base, cell.offset);
  if (host_settle(scan, host_value(scan, frame, call->ops[0])) != place) return 0;
  return host_texture_memory(scan, frame, question->index);
}
