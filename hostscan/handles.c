// What is behind a handle that the host code asks for: a kernel, the memory of a texture or a surface?
// Method: a handle that cuModuleGetFunction or cuLibraryGetKernel filled in is the address of the stub of the kernel of
// that name, if one of the files given has it, as it would be for a launch by name. One that cudaCreateTextureObject or
// cudaCreateSurfaceObject filled in is the pointer of the resource's description, to an array or to device memory.
// Reads through a texture are no accesses (their values are unknown), since what a kernel writes itself it may not
// read in this way: CUDA leaves that undefined, barriers or not. Where it may write behind another argument what a
// handle of a texture is of, it is undecided. Soundness: the module that the program loads is taken to hold the
// kernel of the files given. A name of no kernel here starts nothing that is looked at; one that is not constant
// leaves the handle unknown: it may be that of any kernel. A handle of a texture that is not followed is of other
// memory (A2).
// SPDX-License-Identifier: Apache-2.0
#include "core/finding.h"
#include "hostscan/internal.h"

#include <string.h>

// ---- kernels
// The constant text that an argument points to; NULL if it is none.
static const char *text_argument(HostScan *scan, HostFrame *frame, const IrInst *call, uint32_t index) {
  HostTarget target;
  int64_t offset = 0;
  if (index >= host_argument_count(call)) return NULL;
  ExprRef address = host_settle(scan, host_value(scan, frame, call->ops[index]));
  if (!host_sole_target(scan, address, &target) || !target.leaf ||
      !expr_is_const(scan->pool, target.offset, &offset))
    return NULL;
  const HostObject *object = host_object_of(scan, target.leaf);
  if (object->kind != HOST_GLOBAL || !host_is_constant_global(scan, object->index)) return NULL;
  const IrGlobal *text = &scan->module->globals.items[object->index];
  bool is_whole = text->data && offset >= 0 && (uint64_t)offset < text->bytes &&
                  memchr(text->data + offset, '\0', text->bytes - (uint64_t)offset);
  return is_whole ? (const char *)text->data + offset : NULL;
}

static ExprRef stub_of(HostScan *scan, const char *kernel) {
  for (uint32_t i = 0; i < scan->module->functions.count; i++) {
    const HostFunction *function = &scan->functions[i];
    const char *launched = function->is_stub ? host_stub_kernel(function->ir->name, scan->arena) : NULL;
    if (launched && strcmp(launched, kernel) == 0)
      return host_leaf(scan, host_fixed_object(scan, HOST_FUNCTION_ADDRESS, i));
  }
  return 0;
}

ExprRef host_kernel_handle(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *callee = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  bool is_asked =
      callee && (strcmp(callee, "cuModuleGetFunction") == 0 || strcmp(callee, "cuLibraryGetKernel") == 0);
  if (!is_asked || cell.bytes != 8) return 0;
  ExprRef place = host_add_offset(scan, cell.base, cell.offset);
  if (host_settle(scan, host_value(scan, frame, call->ops[0])) != place) return 0;
  const char *kernel = text_argument(scan, frame, call, 2);
  ExprRef stub = kernel ? stub_of(scan, kernel) : 0;
  return kernel && !stub ? expr_const(scan->pool, 64, HOST_FOREIGN_KERNEL) : stub;
}

// ---- textures and surfaces
static bool makes_handle(const char *callee) {
  static const char *const makers[] = {"cudaCreateTextureObject", "cudaCreateTextureObject_v2",
                                       "cudaCreateSurfaceObject", "cuTexObjectCreate", "cuSurfObjectCreate"};
  for (uint32_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (strcmp(callee, makers[i]) == 0) return true;
  return false;
}

ExprRef host_texture_handle(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  enum { MEMORY = 8 }; // of all kinds of resources, behind the kind
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *callee = call->op == IR_CALL ? host_callee_name(scan, call) : NULL;
  HostTarget resource;
  if (!callee || !makes_handle(callee) || cell.bytes != 8 || host_argument_count(call) < 2) return 0;
  ExprRef place = host_add_offset(scan, cell.base, cell.offset);
  if (host_settle(scan, host_value(scan, frame, call->ops[0])) != place) return 0;
  if (!host_sole_target(scan, host_value(scan, frame, call->ops[1]), &resource) || !resource.leaf) return 0;
  ExprRef at = host_add_offset(scan, resource.offset, expr_const(scan->pool, 64, MEMORY));
  HostCell cell_of_memory = {resource.leaf, at, 8, IR_PTR};
  ExprRef memory = host_settle(scan, host_cell_before(scan, frame, inst, cell_of_memory));
  return expr_is_const(scan->pool, memory, NULL) ? 0 : memory; // none was named: not seen
}

// Behind an argument that may be the object where the condition holds.
static bool may_write(HostScan *scan, const HostKernelUse *use, const LaunchContext *launch, uint32_t object,
                      ExprRef condition) {
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; use->writes[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      for (uint32_t t = 0; t < piece->target_count; t++)
        if (piece->targets[t].object == object &&
            !(piece->targets[t].condition &&
              expr_is_false(scan->pool, expr_and(scan->pool, condition, piece->targets[t].condition))))
          return true;
    }
  return use->writes_anything;
}

// One handle: is it of an object of the launch that the kernel may write? false: it is not seen what it is of.
static bool check_handle(HostScan *scan, const HostKernelUse *use, ExprRef handle, const ExprRef *leaves,
                         LaunchContext *launch) {
  HostTargets targets = {0};
  if (!handle || !host_targets(scan, handle, &targets)) return false;
  bool is_seen = true;
  for (uint32_t t = 0; t < targets.count; t++) {
    ExprRef leaf = targets.items[t].leaf;
    is_seen &= leaf && host_object_of(scan, leaf)->kind != HOST_POINTER;
    for (uint32_t i = 1; leaf && i < launch->objects.count; i++)
      if (leaves[i] == leaf && may_write(scan, use, launch, i, host_settle(scan, targets.items[t].condition)))
        vec_push(scan->arena, &launch->undecided,
                 arena_printf(scan->arena, "the kernel may write '%s', which it reads through a texture",
                              launch->objects.items[i].name));
  }
  return is_seen;
}

void host_textures_check(HostScan *scan, const IrFunction *kernel, const ExprRef *leaves,
                         LaunchContext *launch) {
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  bool is_seen = !use->reads_hidden_textures;
  if (!use->reads_textures) return;
  for (uint32_t a = 0; a < launch->args.count && a < kernel->params.count; a++)
    for (uint32_t p = 0; use->textures[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      if (piece->bytes == 8 && !piece->target_count)
        is_seen &= check_handle(scan, use, piece->word, leaves, launch);
    }
  if (!is_seen && launch->objects.count > 1) launch->assumptions |= ASSUME_NO_ALIAS;
}
